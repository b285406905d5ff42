// SPDX-License-Identifier: GPL-2.0-only
#include "edge-path-feature.h"

#include "fabric-switch.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-net-device.h"

#include <algorithm>
#include <string>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(EdgePathFeature);

namespace
{

/// @return which byte of a way names the port of a switch of a tier
uint8_t
GetStep(uint16_t tier)
{
    return static_cast<uint8_t>(tier - 1);
}

/// @return the switch behind a port
const FabricSwitch&
GetNext(const FabricSwitch& sw, uint16_t port)
{
    return *static_cast<const FabricSwitch*>(sw.GetPort(port)->GetLink().GetPeer()->GetActor());
}

} // namespace

TypeId
EdgePathFeature::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::EdgePathFeature").SetParent<SwitchFeature>().SetGroupName("Dcfabric");
    return tid;
}

uint32_t
EdgePathFeature::GetHooks() const
{
    return CHOOSE_PATH | ENQUEUE;
}

SwitchFeature::Growth
EdgePathFeature::GetGrowth(const WireFormat& /* wire */, uint8_t /* hops */, bool /* exact */) const
{
    return {EdgeTag::BYTES, EdgeTag::BYTES};
}

void
EdgePathFeature::Attach(FabricSwitch* sw, uint32_t number)
{
    SwitchFeature::Attach(sw, number);
    if (const auto other = sw->GetFeature<EdgePathFeature>())
    {
        throw FabricError(FabricTerm::Class(GetInstanceTypeId()),
                          " gives packets their way, and so does " +
                              FabricTerm::Class(other->GetInstanceTypeId()),
                          {FabricRemedy::Do("leave one of them out")});
    }
    m_toHost.clear();
    for (uint16_t port = 0; port < sw->GetNPorts(); ++port)
    {
        const FabricNetDevice* peer = sw->GetPort(port)->GetLink().GetPeer();
        m_toHost.push_back(peer && !dynamic_cast<const FabricSwitch*>(peer->GetActor()));
    }
}

void
EdgePathFeature::LearnEdges(std::shared_ptr<const EdgePlan> plan)
{
    m_plan = std::move(plan);
    const uint32_t own = m_switch->GetAddress();
    if (std::find(m_plan->edgeOf.begin(), m_plan->edgeOf.end(), own) == m_plan->edgeOf.end())
    {
        return; // nothing enters the network here
    }
    for (uint32_t host = 0; host < m_plan->edgeOf.size(); ++host)
    {
        const uint32_t edge = m_plan->edgeOf[host];
        if (edge == EdgePlan::NONE || edge == own || m_edges.count(edge) != 0)
        {
            continue;
        }
        m_found.clear();
        Walk(*m_switch, edge, host, 0);
        if (m_found.empty())
        {
            continue;
        }
        auto list = std::find_if(m_lists.begin(), m_lists.end(), [this](const auto& known) {
            return *known == m_found;
        });
        if (list == m_lists.end())
        {
            list = m_lists.insert(list, std::make_unique<const std::vector<uint32_t>>(m_found));
        }
        int64_t rttPs = 0;
        for (const uint32_t path : m_found)
        {
            rttPs = std::max(rttPs, ComputeRttPs(edge, host, path));
        }
        m_edges[edge] = {list->get(), rttPs};
    }
}

void
EdgePathFeature::Walk(const FabricSwitch& sw, uint32_t edge, uint32_t host, uint32_t path)
{
    if (sw.GetAddress() == edge)
    {
        m_found.push_back(path);
        return;
    }
    const PortGroup group = sw.GetForwardingTable().Lookup(host);
    const uint16_t tier = sw.GetTier();
    if (group.nPorts < 2 || group.GetTier() < tier)
    {
        if (group.nPorts > 0)
        {
            Walk(GetNext(sw, group.ports[0]), edge, host, path);
        }
        return;
    }
    if (group.GetTier() != tier + 1)
    {
        throw FabricError(
            FabricTerm::Class(GetInstanceTypeId()),
            " leads packets up through tiers of switches and down again, but ways from switch " +
                std::to_string(sw.GetAddress()) + " to host " + std::to_string(host) +
                " are others",
            {FabricRemedy::Use("a Clos network"),
             FabricRemedy::Use(FabricTerm::Class("ns3::AdaptivePathSelector"))});
    }
    const uint16_t last = *std::max_element(group.ports, group.ports + group.nPorts);
    if (tier > EdgePath::MAX_STEPS || last > EdgePath::MAX_PORT)
    {
        throw FabricError(FabricTerm::Class(GetInstanceTypeId()),
                          " names ways by at most " + std::to_string(EdgePath::MAX_STEPS) +
                              " ports, the last of which is " + std::to_string(EdgePath::MAX_PORT) +
                              ", but switch " + std::to_string(sw.GetAddress()) +
                              (tier > EdgePath::MAX_STEPS
                                   ? " is of tier " + std::to_string(tier)
                                   : " leads up by port " + std::to_string(last)),
                          {FabricRemedy::Use(FabricTerm::Class("ns3::AdaptivePathSelector"))});
    }
    for (uint16_t i = 0; i < group.nPorts; ++i)
    {
        const uint16_t port = group.ports[i];
        Walk(GetNext(sw, port), edge, host, EdgePath::WithPort(path, GetStep(tier), port));
    }
}

int64_t
EdgePathFeature::ComputeRttPs(uint32_t edge, uint32_t host, uint32_t path) const
{
    int64_t rttPs = 0;
    const FabricSwitch* sw = m_switch;
    while (sw->GetAddress() != edge)
    {
        const PortGroup group = sw->GetForwardingTable().Lookup(host);
        const uint16_t tier = sw->GetTier();
        const bool chooses = group.nPorts > 1 && group.GetTier() > tier;
        const uint16_t port = chooses ? EdgePath::GetPort(path, GetStep(tier)) : group.ports[0];
        const PortLink& link = sw->GetPort(port)->GetLink();
        rttPs += 2 * link.GetDelayPs() + link.TransmissionPs(m_plan->dataBytes) +
                 link.TransmissionPs(m_plan->answerBytes);
        sw = &GetNext(*sw, port);
    }
    return rttPs;
}

bool
EdgePathFeature::EntersHere(const FabricNetDevice& ingress, const FabricPacketItem& item) const
{
    return m_toHost[ingress.GetPort()] && m_edges.count(GetEdgeOf(item.dst)) != 0;
}

bool
EdgePathFeature::LeavesHere(const FabricNetDevice& ingress, const FabricPacketItem& item) const
{
    return (item.flags & FabricPacketItem::FLAG_EDGE) != 0 && !m_toHost[ingress.GetPort()] &&
           GetEdgeOf(item.dst) == m_switch->GetAddress();
}

const EdgePathFeature::Edge*
EdgePathFeature::FindEdge(uint32_t edge) const
{
    const auto found = m_edges.find(edge);
    return found == m_edges.end() ? nullptr : &found->second;
}

int64_t
EdgePathFeature::GetHostRttPs(uint32_t host, uint32_t own) const
{
    const PortGroup group = m_switch->GetForwardingTable().Lookup(own);
    const PortLink& link = m_switch->GetPort(group.ports[0])->GetLink();
    return link.GetDelayPs() + link.TransmissionPs(m_plan->dataBytes) +
           m_edges.at(GetEdgeOf(host)).rttPs + m_plan->accessPs[host];
}

bool
EdgePathFeature::IsUsable(uint32_t path, uint32_t host) const
{
    const ForwardingTable& table = m_switch->GetForwardingTable();
    const PortGroup group = table.Lookup(host);
    if (group.nPorts == 1)
    {
        return true; // there is no choice, whatever the way says
    }
    const uint16_t port = EdgePath::GetPort(path, 0);
    const uint16_t* end = group.ports + group.nPorts;
    return !table.IsDown(port) && std::find(group.ports, end, port) != end;
}

EdgeTag&
EdgePathFeature::Tag(FabricPacketItem& item, uint32_t path)
{
    item.flags |= FabricPacketItem::FLAG_EDGE;
    item.edge = {path, {}, {}};
    return item.edge;
}

void
EdgePathFeature::OnChoosePath(const PortGroup& group, FabricPacketItem& item, uint16_t& port)
{
    const uint8_t tier = m_switch->GetTier();
    if ((item.flags & FabricPacketItem::FLAG_EDGE) == 0 || group.nPorts < 2 ||
        group.GetTier() <= tier)
    {
        return;
    }
    const uint8_t step = GetStep(tier);
    const uint16_t wanted = EdgePath::GetPort(item.edge.path, step);
    const uint16_t* end = group.ports + group.nPorts;
    if (!m_switch->GetForwardingTable().IsDown(wanted) &&
        std::find(group.ports, end, wanted) != end)
    {
        port = wanted;
        return;
    }
    item.edge.path = EdgePath::WithPort(item.edge.path, step, port & EdgePath::MAX_PORT);
}

void
EdgePathFeature::OnEnqueue(FabricNetDevice& egress, FabricPacketItem& item)
{
    if ((item.flags & FabricPacketItem::FLAG_EDGE) == 0)
    {
        return;
    }
    if (m_toHost[egress.GetPort()])
    {
        item.size -= EdgeTag::BYTES;
        item.flags &= ~FabricPacketItem::FLAG_EDGE;
    }
    else if (item.ingressPort < m_toHost.size() && m_toHost[item.ingressPort])
    {
        item.size += EdgeTag::BYTES;
    }
}

void
EdgePathFeature::DoDispose()
{
    m_edges.clear();
    m_lists.clear();
    m_plan = nullptr;
    SwitchFeature::DoDispose();
}

} // namespace ns3
