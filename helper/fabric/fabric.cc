// SPDX-License-Identifier: GPL-2.0-only
#include "fabric.h"

#include "ns3/boolean.h"
#include "ns3/congestion-aware-queue-disc.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-time.h"
#include "ns3/marking-profile.h"
#include "ns3/node.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <set>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(Fabric);

TypeId
Fabric::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::Fabric")
            .SetParent<Object>()
            .SetGroupName("Dcfabric")
            .AddAttribute("DeadlockCheck",
                          "Refuse routes that can deadlock under a lossless flow control.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&Fabric::m_deadlockCheck),
                          MakeBooleanChecker());
    return tid;
}

Fabric::Fabric() = default;

Fabric::~Fabric() = default;

Ptr<FabricNic>
Fabric::GetNic(uint32_t node) const
{
    if (!m_graph.IsHost(node))
    {
        throw FabricError("node " + std::to_string(node) + " is not a host of this fabric");
    }
    return static_cast<FabricNic*>(m_actors[node]);
}

Ptr<FabricSwitch>
Fabric::GetSwitch(uint32_t node) const
{
    if (node >= m_graph.GetNNodes() || m_graph.IsHost(node))
    {
        throw FabricError("node " + std::to_string(node) + " is not a switch of this fabric");
    }
    return static_cast<FabricSwitch*>(m_actors[node]);
}

bool
Fabric::IsHere(uint32_t node) const
{
    return m_nodes.Get(node)->GetSystemId() == Simulator::GetSystemId();
}

bool
Fabric::HasGates() const
{
    return std::any_of(m_actors.begin(), m_actors.end(), [](const FabricActor* actor) {
        return actor->GetNPorts() > 0 && actor->GetPort(0)->GetGate();
    });
}

Ptr<FabricChannel>
Fabric::GetChannel(uint32_t link) const
{
    const uint32_t node = m_graph.GetLinks()[link].a;
    uint32_t port = 0;
    while (m_graph.GetPort(node, port).link != link)
    {
        ++port;
    }
    return DynamicCast<FabricChannel>(GetPort(node, port)->GetChannel());
}

int64_t
Fabric::GetFaultStream(const FabricNetDevice& port) const
{
    return GetPortStream(port.GetActor()->GetAddress(), port.GetPort(), FAULT_STREAMS);
}

int64_t
Fabric::PlaceStreams(int64_t first)
{
    m_firstStream = first;
    m_farStreams.clear();
    int64_t used = m_graph.GetNNodes() * STREAMS_PER_NODE;
    for (uint32_t node = 0; node < m_graph.GetNNodes(); ++node)
    {
        const int64_t far = int64_t{m_graph.GetDegree(node)} - NEAR_PORTS;
        if (far > 0)
        {
            m_farStreams[node] = first + used;
            used += far * (STREAMS_PER_NODE / STREAMS_PER_KIND);
        }
    }
    return used;
}

int64_t
Fabric::GetPortStream(uint32_t node, uint16_t port, int64_t begin) const
{
    if (port < NEAR_PORTS)
    {
        return m_firstStream + node * STREAMS_PER_NODE + begin + port;
    }
    constexpr int64_t KINDS = STREAMS_PER_NODE / STREAMS_PER_KIND;
    return m_farStreams.at(node) + (port - NEAR_PORTS) * KINDS + begin / STREAMS_PER_KIND;
}

int64_t
Fabric::GetBaseRttPs(uint32_t src, uint32_t dst) const
{
    const uint64_t dataBytes = uint64_t{m_sizes.payloadBytes} + m_sizes.overhead + m_sizes.gapBytes;
    const uint64_t ackBytes = uint64_t{m_sizes.ackBytes} + m_sizes.gapBytes;
    return ComputeBaseRttPs(src, dst, dataBytes, ackBytes);
}

int64_t
Fabric::GetMaxBaseRttPs() const
{
    if (m_maxBaseRttPs == 0)
    {
        m_maxBaseRttPs = m_paths->GetMaxRttPs(uint64_t{m_sizes.payloadBytes} + m_sizes.overhead +
                                                  m_sizes.gapBytes,
                                              uint64_t{m_sizes.ackBytes} + m_sizes.gapBytes);
    }
    return m_maxBaseRttPs;
}

int64_t
Fabric::GetMarkPs() const
{
    if (m_markPs >= 0)
    {
        return m_markPs;
    }
    constexpr double NEVER_PS = 1e18; // longer than any queue
    double leastPs = NEVER_PS;
    for (uint32_t node = 0; node < m_graph.GetNNodes(); ++node)
    {
        for (uint16_t p = 0; !m_graph.IsHost(node) && p < m_actors[node]->GetNPorts(); ++p)
        {
            const FabricNetDevice* port = m_actors[node]->GetPort(p);
            const auto disc = DynamicCast<CongestionAwareQueueDisc>(port->GetQueue().GetDisc());
            const Ptr<MarkingProfile> profile = disc ? disc->GetMarkingProfile() : nullptr;
            if (profile)
            {
                leastPs = std::min(leastPs,
                                   static_cast<double>(profile->GetLowerBound()) * 8e12 /
                                       static_cast<double>(port->GetRateBps()));
            }
        }
    }
    m_markPs = leastPs < NEVER_PS ? static_cast<int64_t>(leastPs) : 0;
    return m_markPs;
}

int64_t
Fabric::GetIdealFctPs(uint32_t src, uint32_t dst, uint64_t bytes, uint8_t priority) const
{
    if (!m_idealTime)
    {
        return -1;
    }
    const bool sprays =
        m_selectorSprays ||
        GetNic(src)->GetSendingPdcs().GetPolicies().Find(dst, priority).maxPaths > 1;
    return sprays ? m_idealTime->GetAllPathsPs(src, dst, bytes)
                  : m_idealTime->GetOnePathPs(src, dst, bytes);
}

std::vector<FabricHop>
Fabric::TraceFrom(uint32_t src, uint32_t dst, uint16_t entropy, uint16_t first) const
{
    Ptr<FabricPacketItem> probe = FabricPacketItem::Create(FabricPacketType::DATA);
    probe->src = src;
    probe->dst = dst;
    probe->entropy = entropy;
    probe->UpdateFlowHash();
    std::vector<FabricHop> path;
    uint32_t node = src;
    uint16_t out = first;
    // a path without loops is no longer than the network
    while (out != FabricPacketItem::NO_PORT && path.size() < m_graph.GetNNodes())
    {
        const FabricNetDevice* port = m_actors[node]->GetPort(out);
        path.push_back({node, out, port->GetRateBps(), port->GetLink().GetDelayPs()});
        node = port->GetLink().GetPeer()->GetActor()->GetAddress();
        if (m_graph.IsHost(node))
        {
            break;
        }
        probe->ingressPort = port->GetLink().GetPeer()->GetPort();
        const Ptr<FabricSwitch> sw = GetSwitch(node);
        const auto channels = sw->GetFeature<VirtualChannels>();
        if (channels && path.size() == 1)
        {
            probe->ds = FabricPacketItem::MakeDs(GetNic(src)->dataClass, 0);
        }
        out = sw->ChoosePort(*probe);
        if (channels && out != FabricPacketItem::NO_PORT)
        {
            probe->ds = FabricPacketItem::MakeDs(
                channels->GetNextClass(probe->GetPriority(), probe->ingressPort, out, dst, false),
                0);
        }
    }
    return path;
}

bool
Fabric::IsPathSymmetric(uint32_t src, uint32_t dst, uint16_t entropy) const
{
    const auto forth = TracePath(src, dst, entropy);
    if (forth.empty())
    {
        return false;
    }
    std::set<std::pair<uint32_t, uint32_t>> there;
    for (const auto& hop : forth)
    {
        there.insert({hop.node, hop.port});
    }
    const FabricNetDevice* end = GetPort(forth.back().node, forth.back().port)->GetLink().GetPeer();
    if (end->GetActor()->GetAddress() != dst)
    {
        return false;
    }
    const uint16_t answer = GetNic(dst)->ChooseAnswerPort(src, entropy, end->GetPort());
    const auto back = TraceFrom(dst, src, entropy, answer);
    if (back.size() != there.size())
    {
        return false;
    }
    return std::all_of(back.begin(), back.end(), [&](const FabricHop& hop) {
        const FabricNetDevice* peer = GetPort(hop.node, hop.port)->GetLink().GetPeer();
        return there.count({peer->GetActor()->GetAddress(), peer->GetPort()}) == 1;
    });
}

DropCounts
Fabric::GetDrops() const
{
    DropCounts drops;
    for (uint32_t node = 0; node < m_graph.GetNNodes(); ++node)
    {
        for (const auto& [reason, count] : m_actors[node]->GetDrops())
        {
            drops[reason] += count;
        }
        for (uint16_t port = 0; port < m_actors[node]->GetNPorts(); ++port)
        {
            const auto& counters = m_actors[node]->GetPort(port)->GetCounters();
            if (counters.errorDrops > 0)
            {
                drops[DropReason::WIRE_ERROR] += counters.errorDrops;
            }
            if (counters.corruptDrops > 0)
            {
                drops[DropReason::CORRUPTED] += counters.corruptDrops;
            }
            if (counters.linkDownDrops > 0)
            {
                drops[DropReason::LINK_DOWN] += counters.linkDownDrops;
            }
        }
    }
    return drops;
}

Fabric::Conservation
Fabric::CheckConservation() const
{
    Conservation sum;
    for (uint32_t node = 0; node < m_graph.GetNNodes(); ++node)
    {
        if (m_graph.IsHost(node))
        {
            const auto& counters = GetNic(node)->GetCounters();
            sum.created += counters.dataSent + counters.acksSent + counters.cnpsSent +
                           counters.rtsSent + counters.grantsSent + counters.closesSent +
                           counters.stackSent + counters.protocolSent;
            sum.consumed += counters.dataDelivered + counters.dataDuplicate + counters.dataRefused +
                            counters.dataVoid + counters.dataTrimmed + counters.acksReceived +
                            counters.cnpsReceived + counters.rtsReceived + counters.closesReceived +
                            counters.noticesArrived + counters.btsReceived +
                            counters.stackDelivered + counters.protocolTaken;
        }
        else
        {
            const Ptr<FabricSwitch> sw = GetSwitch(node);
            sum.created += sw->GetNOriginated();
            sum.consumed += sw->GetNConsumed();
        }
        for (uint16_t port = 0; port < m_actors[node]->GetNPorts(); ++port)
        {
            const FabricNetDevice* device = m_actors[node]->GetPort(port);
            sum.inFlight +=
                device->GetLink().GetNPackets() + device->GetQueue().GetDisc()->GetNPackets();
        }
        sum.inFlight += m_actors[node]->GetNHeldPackets();
    }
    for (const auto& [reason, count] : GetDrops())
    {
        sum.dropped += count;
    }
    return sum;
}

int64_t
Fabric::GetLastPs() const
{
    int64_t lastPs = 0;
    for (uint32_t node = 0; node < m_graph.GetNNodes(); ++node)
    {
        lastPs = std::max(lastPs, IsHere(node) ? m_actors[node]->GetLastPs() : 0);
    }
    return lastPs;
}

void
Fabric::DoDispose()
{
    m_actors.clear();
    m_nodes = NodeContainer();
    m_idealTime.reset();
    m_pairRtt.reset();
    m_paths.reset();
    m_routing.reset();
    Object::DoDispose();
}

} // namespace ns3
