// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief What FabricHelper refuses.
 */
#include "fabric-helper.h"

#include "ns3/congestion-aware-queue-disc.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-warning.h"
#include "ns3/priority-flow-control.h"

#include <algorithm>
#include <iomanip>
#include <sstream>

namespace ns3
{

void
FabricHelper::CheckCombination(const PolicyContext& around) const
{
    const PdcPolicy& policy = m_pdcPolicy.Get();
    CheckPdcPolicy(policy, around);
    const std::string ccName = policy.congestionControl.GetTypeId().GetName();
    const Ptr<PathSelector> selector = m_pathSelector.Create<PathSelector>();
    const bool acceptsOutOfOrder = m_reliability.Create<ReliabilityPolicy>()->AcceptsOutOfOrder();
    for (const auto& [tid, effects] : around.features)
    {
        // of drops every sender hears, where there are any
        if (effects.message && !(effects.tellsDrops && !m_hasFlowControl) && !m_needs.Reads(tid))
        {
            throw FabricError(
                tid.GetName() + " " + effects.message + ", which " + ccName + " ignores" +
                (effects.tellsDrops
                     ? ", and of drops, which " + m_flowControl.GetTypeId().GetName() + " prevents"
                     : "") +
                "; remove it, or use " + effects.readers +
                (effects.tellsDrops ? " or no flow control" : ""));
        }
        if (effects.holdsPackets && !m_buffer.Create<SwitchBuffer>()->HoldsPackets())
        {
            throw FabricError(tid.GetName() + " holds packets back at their inputs, but " +
                              m_buffer.GetTypeId().GetName() +
                              " has no queues there; use ns3::VoqBuffer, or leave it out");
        }
        if (effects.holdsPackets && !m_hasFlowControl)
        {
            throw FabricError(tid.GetName() +
                              " holds packets back at their inputs, which overflow without flow "
                              "control; use ns3::PriorityFlowControl or ns3::CreditFlowControl, or "
                              "leave it out");
        }
    }
    for (auto feature = m_features.begin(); feature != m_features.end(); ++feature)
    {
        const TypeId tid = feature->GetTypeId();
        const bool twice = std::any_of(m_features.begin(), feature, [tid](const auto& other) {
            return other.GetTypeId() == tid;
        });
        const char* clash = feature->Create<SwitchFeature>()->GetClash();
        if (twice && clash)
        {
            throw FabricError("each switch has " + tid.GetName() + " twice" + clash +
                              "; add it once");
        }
    }
    if (!selector->KeepsOrder() && !acceptsOutOfOrder)
    {
        throw FabricError(m_reliability.GetTypeId().GetName() +
                          " accepts packets only in order, but " +
                          m_pathSelector.GetTypeId().GetName() +
                          " spreads a flow over several paths; use ns3::SelectiveRepeat or "
                          "ns3::SymmetricEcmpPathSelector");
    }
    if (m_hasFlowControl && m_flowControl.Create<LinkFlowControl>()->GetPeerRoom() &&
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
            " as root queue disc cannot pause a class; use ns3::CongestionAwareQueueDisc (with "
            "ClassQueueDisc), or no flow control");
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
        throw FabricError("the topology limits port queues, but under " +
                          m_flowControl.GetTypeId().GetName() +
                          " switches must not drop; use flow control none, or remove the limits "
                          "with FabricGraph::ClearQueueLimits()");
    }
    if (!DynamicCast<CongestionAwareQueueDisc>(m_queueDisc.Create<QueueDisc>()))
    {
        throw FabricError("the topology limits port queues in bytes, which " +
                          m_queueDisc.GetTypeId().GetName() +
                          " does not take from it; use ns3::CongestionAwareQueueDisc");
    }
    for (const FabricLink& link : graph.GetLinks())
    {
        if ((link.queueLimitA != 0 && graph.IsHost(link.a)) ||
            (link.queueLimitB != 0 && graph.IsHost(link.b)))
        {
            throw FabricError("the topology limits the queue of a host, between nodes " +
                              std::to_string(link.a) + " and " + std::to_string(link.b) +
                              "; hosts do not drop, they wait");
        }
        if (std::max(link.queueLimitA, link.queueLimitB) >= UINT32_MAX)
        {
            throw FabricError("the topology limits the queue between nodes " +
                              std::to_string(link.a) + " and " + std::to_string(link.b) +
                              " to more than 2^32 - 2 bytes; give no limit");
        }
    }
}

void
FabricHelper::WarnOfQueueLimit(const PolicyContext& around) const
{
    const auto disc = DynamicCast<CongestionAwareQueueDisc>(m_queueDisc.Create<QueueDisc>());
    if (!around.lossless || m_lossyStackClasses != 0 || !disc ||
        disc->GetMaxSize().GetValue() == UINT32_MAX)
    {
        return;
    }
    std::ostringstream text;
    text << "ns3::CongestionAwareQueueDisc::MaxSize of " << disc->GetMaxSize()
         << " lets switches drop packets, which " << m_flowControl.GetTypeId().GetName()
         << " is to prevent; do not set it, or use no flow control";
    WarnFabric(text.str());
}

void
FabricHelper::CheckEffects(const PolicyContext& around) const
{
    if (m_hasMarkingProfile &&
        !DynamicCast<CongestionAwareQueueDisc>(m_queueDisc.Create<QueueDisc>()))
    {
        throw FabricError(m_markingProfile.GetTypeId().GetName() + " has no effect on " +
                          m_queueDisc.GetTypeId().GetName() +
                          ", which marks by its own rules; use ns3::CongestionAwareQueueDisc, or "
                          "no marking profile");
    }
    UintegerValue marked;
    for (const auto& [tid, effects] : around.features)
    {
        if (m_hasMarkingProfile && effects.markedClasses != 0 && !effects.sharesProfile)
        {
            m_queueDisc.Create<QueueDisc>()->GetAttribute("MarkedClasses", marked);
            if ((marked.Get() & ~effects.markedClasses) == 0)
            {
                throw FabricError(m_markingProfile.GetTypeId().GetName() +
                                  " has no effect, because " + tid.GetName() +
                                  " decides on the marks of all classes; leave one of them out");
            }
        }
    }
}

void
FabricHelper::CheckPayload(uint32_t payload, uint32_t frame) const
{
    constexpr uint32_t MAX_IP_BYTES = 65535; // 16 bits of the header
    const uint32_t most = m_wire->GetForeignBytes(MAX_IP_BYTES);
    if (frame > most)
    {
        const uint32_t over = frame - most;
        throw FabricError("ns3::FabricNic::PayloadBytes: " + std::to_string(payload) +
                          " bytes of payload and " +
                          std::to_string(frame - payload - (most - MAX_IP_BYTES)) +
                          " bytes of headers and INT are more than the " +
                          std::to_string(MAX_IP_BYTES) + " bytes of an IP packet; use at most " +
                          std::to_string(payload - over) + " bytes of payload");
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
                              " carries packets of ns-3's IP stack and is lossy, but the transport "
                              "uses it too; give AddStackClass() another one, or make it lossless");
        }
    }
}

void
FabricHelper::CheckPauseTime(const FabricNetDevice& port, uint32_t maxFrame) const
{
    const auto pause = dynamic_cast<const PriorityFlowControl*>(port.GetFlowControl());
    if (pause &&
        pause->GetPausePs() / 2 <= port.GetLink().TransmissionPs(maxFrame + port.GetGapBytes()))
    {
        throw FabricError("ns3::PriorityFlowControl::Quanta: a pause of " +
                          std::to_string(pause->GetPausePs() / 1000) + " ns at " +
                          std::to_string(port.GetRateBps()) +
                          " bit/s expires before it can be renewed, because a frame of " +
                          std::to_string(maxFrame) +
                          " bytes may still be in transmission after half of it; use more quanta");
    }
}

void
FabricHelper::CheckForesight(const Fabric& fabric) const
{
    if (!m_hasFlowControl || !m_flowControl.Create<LinkFlowControl>()->GetPeerRoom())
    {
        return;
    }
    if (fabric.GetVias() || m_choosesPorts)
    {
        throw FabricError(m_flowControl.GetTypeId().GetName() +
                          " has to know the output of a packet before it arrives, but " +
                          fabric.GetRoutingAlgorithm().GetInstanceTypeId().GetName() +
                          " chooses its way on arrival; use another routing or "
                          "ns3::CreditFlowControl");
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
FabricHelper::WarnOfTimeout(const Fabric& fabric)
{
    const int64_t fixedPs = fabric.GetNic(fabric.GetHosts().front())->GetAckTimeout().fixedPs;
    const int64_t rttPs = fabric.GetMaxBaseRttPs();
    if (fixedPs > 0 && fixedPs <= rttPs)
    {
        std::ostringstream text;
        text << std::fixed << std::setprecision(3) << "ns3::FabricNic::AckTimeout of "
             << static_cast<double>(fixedPs) * 1e-6 << " us is not above the largest base RTT of "
             << static_cast<double>(rttPs) * 1e-6
             << " us: packets would be retransmitted although none is lost; raise it, or do not "
                "set it";
        WarnFabric(text.str());
    }
}

} // namespace ns3
