// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief What FabricHelper refuses.
 */
#include "fabric-helper.h"

#include "ns3/congestion-aware-queue-disc.h"
#include "ns3/fabric-error.h"
#include "ns3/fncc-int-feature.h"
#include "ns3/hpcc-int-feature.h"
#include "ns3/priority-flow-control.h"
#include "ns3/rocc-feature.h"
#include "ns3/wreb-feature.h"

#include <algorithm>

namespace ns3
{

void
FabricHelper::CheckCombination(const Fabric& fabric) const
{
    const std::string ccName = m_congestionControl.GetTypeId().GetName();
    const CongestionControlNeeds needs =
        m_congestionControl.Create<CongestionControl>()->GetNeeds();
    const uint32_t maxPaths = m_loadBalancer.Create<LoadBalancer>()->GetMaxPaths();
    const Ptr<PathSelector> selector = m_pathSelector.Create<PathSelector>();
    const bool acceptsOutOfOrder = m_reliability.Create<ReliabilityPolicy>()->AcceptsOutOfOrder();
    if (needs.dataInt && !Contains<HpccIntFeature>(m_features))
    {
        throw FabricError(ccName + " needs INT on data packets, but the switches have no "
                                   "ns3::HpccIntFeature; add it with AddSwitchFeature()");
    }
    if (needs.ackInt && !Contains<FnccIntFeature>(m_features))
    {
        throw FabricError(ccName + " needs INT on ACKs, but the switches have no "
                                   "ns3::FnccIntFeature; add it with AddSwitchFeature()");
    }
    if (Contains<FnccIntFeature>(m_features) && needs.dataInt)
    {
        throw FabricError(ccName + " reads the INT of data packets that ACKs bring back, but "
                                   "ns3::FnccIntFeature adds INT of its own to ACKs; leave it out");
    }
    if (needs.rateNotices && !Contains<RoccFeature>(m_features))
    {
        throw FabricError(ccName + " needs fair rates from the switches, but these have no "
                                   "ns3::RoccFeature; add it with AddSwitchFeature()");
    }
    if (Contains<RoccFeature>(m_features) && !needs.rateNotices)
    {
        throw FabricError("ns3::RoccFeature tells sources fair rates, which " + ccName +
                          " does not read; leave it out, or use ns3::RoccCongestionControl");
    }
    if (needs.bts && !Contains<WrebFeature>(m_features))
    {
        throw FabricError(ccName + " needs notifications back to the sender, but the switches have "
                                   "no ns3::WrebFeature; add it with AddSwitchFeature()");
    }
    if (Contains<WrebFeature>(m_features) && !needs.readsBts && m_hasFlowControl)
    {
        throw FabricError("ns3::WrebFeature notifies senders of congestion, which " + ccName +
                          " does not read, and of drops, which " +
                          m_flowControl.GetTypeId().GetName() +
                          " prevents; leave it out, or use ns3::BtsCongestionControl, "
                          "ns3::DctcpCongestionControl, ns3::DcqcnCongestionControl or no flow "
                          "control");
    }
    for (auto feature = m_features.begin(); feature != m_features.end(); ++feature)
    {
        const TypeId tid = feature->GetTypeId();
        const bool twice = std::any_of(m_features.begin(), feature, [tid](const auto& other) {
            return other.GetTypeId() == tid;
        });
        if (twice && (tid == HpccIntFeature::GetTypeId() || tid == FnccIntFeature::GetTypeId()))
        {
            throw FabricError("each switch has " + tid.GetName() +
                              " twice and would add two records to a packet; add it once");
        }
        if (twice && tid == WrebFeature::GetTypeId())
        {
            throw FabricError("each switch has " + tid.GetName() +
                              " twice, but a queue has one notifier; add it once");
        }
        if (twice && tid == RoccFeature::GetTypeId())
        {
            throw FabricError("each switch has " + tid.GetName() +
                              " twice and would send two rates for each queue; add it once");
        }
    }
    if ((needs.dataInt || needs.ackInt) && maxPaths > PathInfo::MAX_PATH_SET)
    {
        throw FabricError(ccName + " compares INT records of one path, but " +
                          m_loadBalancer.GetTypeId().GetName() + " sprays packets over " +
                          (maxPaths == UINT32_MAX ? "all" : std::to_string(maxPaths)) +
                          "; use ns3::PerFlowLoadBalancer, ns3::RoundRobinSprayLoadBalancer with "
                          "Entropies of at most " +
                          std::to_string(PathInfo::MAX_PATH_SET) +
                          ", or a congestion control without INT");
    }
    if ((needs.dataInt || needs.ackInt) && selector->GetMaxPaths() > 1)
    {
        throw FabricError(
            ccName + " compares INT records of one path, but " +
            m_pathSelector.GetTypeId().GetName() +
            " moves flows from path to path; use ns3::SymmetricEcmpPathSelector, or a "
            "congestion control without INT");
    }
    if (!selector->KeepsOrder() && !acceptsOutOfOrder)
    {
        throw FabricError(m_reliability.GetTypeId().GetName() +
                          " takes packets in order only, but " +
                          m_pathSelector.GetTypeId().GetName() +
                          " sends those of a flow over several paths; use ns3::SelectiveRepeat or "
                          "ns3::SymmetricEcmpPathSelector");
    }
    if (needs.symmetricPaths && !selector->IsSymmetric())
    {
        throw FabricError(ccName + " needs data and ACK on the same links, but " +
                          m_pathSelector.GetTypeId().GetName() +
                          " chooses them apart; use ns3::SymmetricEcmpPathSelector or "
                          "ns3::SpanningTreePathSelector");
    }
    if (maxPaths > 1 && !acceptsOutOfOrder)
    {
        throw FabricError(m_reliability.GetTypeId().GetName() +
                          " takes packets in order only, but " +
                          m_loadBalancer.GetTypeId().GetName() +
                          " sends those of a message over several paths; use "
                          "ns3::SelectiveRepeat or ns3::PerFlowLoadBalancer");
    }
    for (const ObjectFactory& modifier : m_modifiers)
    {
        if (modifier.Create<CongestionModifier>()->NeedsPathSet() &&
            (maxPaths < 2 || maxPaths > PathInfo::MAX_PATH_SET))
        {
            throw FabricError(modifier.GetTypeId().GetName() +
                              " counts congested paths of a small set, but " +
                              m_loadBalancer.GetTypeId().GetName() + " sends packets over " +
                              (maxPaths == 1            ? "one path"
                               : maxPaths == UINT32_MAX ? "any number of paths"
                                                        : std::to_string(maxPaths) + " paths") +
                              "; use ns3::RoundRobinSprayLoadBalancer with Entropies of 8, or "
                              "ns3::EwmaGateModifier");
        }
    }
    if (needs.dataInt || needs.ackInt)
    {
        const uint32_t hops = fabric.GetRouting().GetMaxSwitches();
        if (hops > FabricPacketItem::MAX_HOPS)
        {
            throw FabricError(
                ccName + " reads INT of at most " + std::to_string(FabricPacketItem::MAX_HOPS) +
                " switches, but some paths of this topology cross " + std::to_string(hops));
        }
    }
    if (needs.ecn && !m_profile && !Contains<WrebFeature>(m_features))
    {
        throw FabricError(ccName +
                          " needs ECN marks, but the switches have no marking profile; set "
                          "one with SetMarkingProfile(\"ns3::WredMarkingProfile\"), or add "
                          "ns3::WrebFeature");
    }
    if (m_hasFlowControl && m_flowControl.Create<LinkFlowControl>()->IsGate() &&
        !m_buffer.Create<SwitchBuffer>()->HoldsPackets())
    {
        throw FabricError(m_flowControl.GetTypeId().GetName() +
                          " lets a packet wait at its input until there is room for it in the next "
                          "switch, but " +
                          m_buffer.GetTypeId().GetName() +
                          " has no queues there; use ns3::VoqBuffer or ns3::CreditFlowControl");
    }
    if (m_hasFlowControl && !DynamicCast<CongestionAwareQueueDisc>(m_queueDisc.Create<QueueDisc>()))
    {
        throw FabricError(
            m_flowControl.GetTypeId().GetName() + " pauses classes, but " +
            m_queueDisc.GetTypeId().GetName() +
            " as root queue disc cannot hold a class back; use "
            "ns3::CongestionAwareQueueDisc (with ClassQueueDisc), or no flow control");
    }
}

void
FabricHelper::CheckQueueLimits(const FabricGraph& graph) const
{
    if (!graph.HasQueueLimits())
    {
        return;
    }
    if (m_hasFlowControl)
    {
        throw FabricError("the plan limits queues of ports, but under " +
                          m_flowControl.GetTypeId().GetName() +
                          " switches must not drop; use flow control none, or take the limits away "
                          "with FabricGraph::ClearQueueLimits()");
    }
    if (!DynamicCast<CongestionAwareQueueDisc>(m_queueDisc.Create<QueueDisc>()))
    {
        throw FabricError("the plan limits queues of ports in bytes, which " +
                          m_queueDisc.GetTypeId().GetName() +
                          " does not take from it; use ns3::CongestionAwareQueueDisc");
    }
    for (const FabricLink& link : graph.GetLinks())
    {
        if ((link.queueLimitA != 0 && graph.IsHost(link.a)) ||
            (link.queueLimitB != 0 && graph.IsHost(link.b)))
        {
            throw FabricError("the plan limits the queue of a host, between nodes " +
                              std::to_string(link.a) + " and " + std::to_string(link.b) +
                              "; hosts hold data back instead of dropping it");
        }
        if (std::max(link.queueLimitA, link.queueLimitB) >= UINT32_MAX)
        {
            throw FabricError("the plan limits the queue between nodes " + std::to_string(link.a) +
                              " and " + std::to_string(link.b) +
                              " to more than 2^32 - 2 bytes; give no limit");
        }
    }
}

void
FabricHelper::CheckEffects() const
{
    if (m_profile && !DynamicCast<CongestionAwareQueueDisc>(m_queueDisc.Create<QueueDisc>()))
    {
        throw FabricError(m_markingProfile.GetTypeId().GetName() + " has no effect on " +
                          m_queueDisc.GetTypeId().GetName() +
                          ", which marks by its own rules; use ns3::CongestionAwareQueueDisc, or "
                          "no marking profile");
    }
    for (const ObjectFactory& factory : m_features)
    {
        const auto wreb = DynamicCast<WrebFeature>(factory.Create<SwitchFeature>());
        UintegerValue marked;
        if (wreb && wreb->GetNotifier() && m_profile)
        {
            m_queueDisc.Create<QueueDisc>()->GetAttribute("MarkedClasses", marked);
            if ((marked.Get() & ~wreb->GetNotifier()->GetClasses()) == 0)
            {
                throw FabricError(m_markingProfile.GetTypeId().GetName() +
                                  " has no effect, because ns3::WrebFeature decides on the marks "
                                  "of all classes; leave one of them out");
            }
        }
    }
}

void
FabricHelper::CheckClasses() const
{
    for (uint8_t c = 0; c < 8; ++c)
    {
        if ((m_usedClasses & m_lossyStackClasses) >> c & 1)
        {
            throw FabricError("class " + std::to_string(c) +
                              " carries packets of hosts' own stacks and is lossy, but the "
                              "transport uses it too; give AddStackClass() another one, or make it "
                              "lossless");
        }
    }
}

void
FabricHelper::CheckPauseTime(const FabricNetDevice& port, uint32_t maxFrame) const
{
    const auto pause = dynamic_cast<const PriorityFlowControl*>(port.GetFlowControl());
    if (pause && pause->GetPausePs() / 2 <= port.TransmissionPs(maxFrame + port.GetGapBytes()))
    {
        throw FabricError("ns3::PriorityFlowControl::Quanta: a pause of " +
                          std::to_string(pause->GetPausePs() / 1000) + " ns at " +
                          std::to_string(port.GetRateBps()) +
                          " bit/s runs out before it can be renewed, because a frame of " +
                          std::to_string(maxFrame) +
                          " bytes may be in the way when half of it is over; use more quanta");
    }
}

void
FabricHelper::CheckForesight(const Fabric& fabric) const
{
    if (!m_hasFlowControl || !m_flowControl.Create<LinkFlowControl>()->IsGate())
    {
        return;
    }
    const auto probe = FabricPacketItem::Create(FabricPacketType::DATA);
    for (const FabricActor* actor : fabric.m_actors)
    {
        for (const uint32_t host : fabric.GetHosts())
        {
            probe->dst = host;
            actor->ForeseePort(*probe);
        }
    }
}

void
FabricHelper::CheckPaths(const Fabric& fabric) const
{
    const CongestionControlNeeds needs =
        m_congestionControl.Create<CongestionControl>()->GetNeeds();
    if (!needs.symmetricPaths)
    {
        return;
    }
    // one host behind each set of last-hop switches, a few entropies: a topology that is not
    // symmetric shows it soon
    std::vector<uint32_t> probes;
    uint32_t lastClass = UINT32_MAX;
    for (const uint32_t host : fabric.GetHosts())
    {
        const uint32_t cls = fabric.GetRouting().GetClasses()->classOf[host];
        if (cls != lastClass)
        {
            probes.push_back(host);
            lastClass = cls;
        }
    }
    constexpr std::size_t MAX_PAIRS = 4096;
    const std::size_t nPairs = probes.size() * probes.size();
    const std::size_t step = std::max<std::size_t>(1, nPairs / MAX_PAIRS | 1);
    for (std::size_t pair = 0; pair < nPairs; pair += step)
    {
        const uint32_t src = probes[pair / probes.size()];
        const uint32_t dst = probes[pair % probes.size()];
        for (uint16_t entropy = 0; src != dst && entropy < 4; ++entropy)
        {
            if (!fabric.IsPathSymmetric(src, dst, entropy))
            {
                throw FabricError(
                    m_congestionControl.GetTypeId().GetName() +
                    " needs data and ACK on the same links, but on this topology "
                    "those from host " +
                    std::to_string(src) + " to host " + std::to_string(dst) +
                    " differ; use a symmetric topology, ns3::SpanningTreePathSelector or another "
                    "congestion control");
            }
        }
    }
}

} // namespace ns3
