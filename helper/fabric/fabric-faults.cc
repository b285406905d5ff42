// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-faults.h"

#include "ns3/fabric-channel.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-time.h"

#include <algorithm>
#include <tuple>

namespace ns3
{

namespace
{

/// A fault and the link that it means.
struct LinkFault
{
    const FabricFault* fault; //!< what and when
    uint32_t link;            //!< number of the link
    uint32_t node;            //!< one end
    uint32_t port;            //!< port of that end
};

/// @return what to call a fault in messages
std::string
Name(const FabricFault& fault)
{
    return (fault.place.empty() ? "fault '" + fault.ToText() + "'" : fault.place) + ": ";
}

/// Refuse an end that does not exist.
void
CheckEnd(const FabricGraph& graph, const FabricFault& fault, const FabricFault::End& end)
{
    if (end.node >= graph.GetNNodes())
    {
        throw FabricError(Name(fault) + "there is no node " + std::to_string(end.node) +
                          "; nodes are 0 to " + std::to_string(graph.GetNNodes() - 1));
    }
    if (end.port != FabricFault::End::ANY_PORT && end.port >= graph.GetDegree(end.node))
    {
        throw FabricError(Name(fault) + "node " + std::to_string(end.node) + " has no port " +
                          std::to_string(end.port) + "; its ports are 0 to " +
                          std::to_string(graph.GetDegree(end.node) - 1));
    }
}

/// @return numbers in a list
std::string
Join(const std::vector<uint32_t>& numbers)
{
    std::string text;
    for (const uint32_t number : numbers)
    {
        text += (text.empty() ? "" : ", ") + std::to_string(number);
    }
    return text;
}

/// @return ports of a node that lead to another
std::vector<uint32_t>
ListPorts(const FabricGraph& graph, uint32_t from, uint32_t to)
{
    std::vector<uint32_t> ports;
    for (uint32_t port = 0; port < graph.GetDegree(from); ++port)
    {
        if (graph.GetPort(from, port).peer == to)
        {
            ports.push_back(port);
        }
    }
    return ports;
}

/// @return the port of node a at the link that a fault means
uint32_t
FindPort(const FabricGraph& graph, const FabricFault& fault)
{
    CheckEnd(graph, fault, fault.a);
    CheckEnd(graph, fault, fault.b);
    const std::vector<uint32_t> all = ListPorts(graph, fault.a.node, fault.b.node);
    const std::string between =
        "nodes " + std::to_string(fault.a.node) + " and " + std::to_string(fault.b.node);
    if (all.empty())
    {
        throw FabricError(Name(fault) + between + " have no link");
    }
    std::vector<uint32_t> meant;
    for (const uint32_t port : all)
    {
        const uint32_t link = graph.GetPort(fault.a.node, port).link;
        const bool a = fault.a.port == FabricFault::End::ANY_PORT || fault.a.port == port;
        const bool b = fault.b.port == FabricFault::End::ANY_PORT ||
                       graph.GetPort(fault.b.node, fault.b.port).link == link;
        if (a && b)
        {
            meant.push_back(port);
        }
    }
    if (meant.empty())
    {
        throw FabricError(Name(fault) + between + " have no link at these ports; those of node " +
                          std::to_string(fault.a.node) + " that lead there are " + Join(all));
    }
    if (meant.size() > 1)
    {
        throw FabricError(Name(fault) + between + " have " + std::to_string(meant.size()) +
                          " links; name one by its port, as in " + std::to_string(fault.a.node) +
                          ":" + std::to_string(all[0]) + " (ports " + Join(all) + ")");
    }
    return meant[0];
}

/// Refuse a rate that the network is not made for.
void
CheckRate(const Fabric& fabric, const LinkFault& fault)
{
    const FabricGraph& graph = fabric.GetGraph();
    const uint64_t plan = graph.GetLinks()[fault.link].rateBps;
    const uint64_t rate = fault.fault->rateBps;
    if (rate == 0)
    {
        throw FabricError(Name(*fault.fault) + "a rate must be above 0; take the link down");
    }
    if (rate > plan)
    {
        throw FabricError(Name(*fault.fault) + "a rate of " + std::to_string(rate) +
                          " bit/s is above that of the link, " + std::to_string(plan) +
                          " bit/s, for which buffers are dimensioned; give the link the higher "
                          "rate in the topology, and lower it from 0us on");
    }
    const FabricNetDevice* port = fabric.GetPort(fault.node, fault.port);
    for (const FabricNetDevice* end :
         {port, static_cast<const FabricNetDevice*>(port->GetLink().GetPeer())})
    {
        const uint32_t node = end->GetActor()->GetAddress();
        if (graph.IsHost(node))
        {
            continue;
        }
        try
        {
            fabric.GetSwitch(node)->CheckRate(end->GetPort(), rate);
        }
        catch (const FabricError& error)
        {
            throw FabricError(Name(*fault.fault) + error.what());
        }
    }
}

/// Refuse what contradicts what was before, sorted by link and time.
void
CheckSequence(const Fabric& fabric, const std::vector<LinkFault>& sorted)
{
    const LinkFault* state = nullptr;
    const LinkFault* rate = nullptr;
    for (const LinkFault& next : sorted)
    {
        const LinkFault*& before = next.fault->kind == FabricFault::RATE ? rate : state;
        const bool first = !before || before->link != next.link;
        if (!first && before->fault->timePs == next.fault->timePs)
        {
            throw FabricError(Name(*next.fault) + "contradicts " + Name(*before->fault) +
                              "both change the same link at the same time");
        }
        const bool up = first ? fabric.GetPort(next.node, next.port)->IsLinkUp()
                              : before->fault->kind == FabricFault::UP;
        if (next.fault->kind == FabricFault::UP && up)
        {
            throw FabricError(Name(*next.fault) +
                              "the link is up already; it has to go down first");
        }
        if (next.fault->kind == FabricFault::DOWN && !up)
        {
            throw FabricError(Name(*next.fault) +
                              "the link is down already; it has to come up first");
        }
        before = &next;
    }
}

/// @return the same for the link
LinkChange
ToLinkChange(const FabricFault& fault)
{
    const LinkChange::Kind kind = fault.kind == FabricFault::RATE   ? LinkChange::RATE
                                  : fault.kind == FabricFault::DOWN ? LinkChange::DOWN
                                                                    : LinkChange::UP;
    return {fault.timePs, kind, fault.rateBps};
}

} // namespace

void
FabricFaults::Read(const std::string& path)
{
    const std::vector<FabricFault> faults = ReadFabricFaults(path);
    m_faults.insert(m_faults.end(), faults.begin(), faults.end());
}

void
FabricFaults::AddDown(Time at, FabricFault::End a, FabricFault::End b)
{
    Add({FabricTime::ToPs(at), FabricFault::DOWN, a, b});
}

void
FabricFaults::AddUp(Time at, FabricFault::End a, FabricFault::End b)
{
    Add({FabricTime::ToPs(at), FabricFault::UP, a, b});
}

void
FabricFaults::AddRate(Time at, FabricFault::End a, FabricFault::End b, DataRate rate)
{
    Add({FabricTime::ToPs(at), FabricFault::RATE, a, b, rate.GetBitRate()});
}

bool
FabricFaults::TakesLinksDown() const
{
    return std::any_of(m_faults.begin(), m_faults.end(), [](const FabricFault& fault) {
        return fault.kind == FabricFault::DOWN;
    });
}

int64_t
FabricFaults::GetLastPs() const
{
    int64_t lastPs = 0;
    for (const FabricFault& fault : m_faults)
    {
        lastPs = std::max(lastPs, fault.timePs);
    }
    return lastPs;
}

uint64_t
FabricFaults::CountAfter(int64_t timePs) const
{
    return std::count_if(m_faults.begin(), m_faults.end(), [timePs](const FabricFault& fault) {
        return fault.timePs > timePs;
    });
}

void
FabricFaults::Install(Ptr<Fabric> fabric) const
{
    const FabricGraph& graph = fabric->GetGraph();
    std::vector<LinkFault> sorted;
    for (const FabricFault& fault : m_faults)
    {
        const uint32_t port = FindPort(graph, fault);
        const LinkFault found{&fault, graph.GetPort(fault.a.node, port).link, fault.a.node, port};
        if (fault.timePs < FabricActor::SimulatorNowPs() || fault.timePs > FabricFault::MAX_TIME_PS)
        {
            throw FabricError(Name(fault) + "a fault must lie between the present, " +
                              std::to_string(FabricActor::SimulatorNowPs()) + " ps, and 24 h");
        }
        if (fault.kind == FabricFault::RATE)
        {
            CheckRate(*fabric, found);
        }
        sorted.push_back(found);
    }
    std::stable_sort(sorted.begin(), sorted.end(), [](const LinkFault& a, const LinkFault& b) {
        return std::tie(a.link, a.fault->timePs) < std::tie(b.link, b.fault->timePs);
    });
    CheckSequence(*fabric, sorted);
    for (const LinkFault& next : sorted)
    {
        DynamicCast<FabricChannel>(fabric->GetPort(next.node, next.port)->GetChannel())
            ->ScheduleChange(ToLinkChange(*next.fault));
    }
}

} // namespace ns3
