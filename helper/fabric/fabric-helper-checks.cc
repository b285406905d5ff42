// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief What FabricHelper refuses.
 */
#include "fabric-helper.h"
#include "policy-rules.h"

#include "ns3/congestion-aware-queue-disc.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-warning.h"
#include "ns3/priority-flow-control.h"

#include <algorithm>
#include <iomanip>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

/// @return what does without flow control
FabricText
NoFlowControl()
{
    return FabricTerm::None("ns3::LinkFlowControl", "flow control");
}

/**
 * @brief Refuse settings of CNPs where nobody asks for any.
 * @param nics of hosts
 * @param control that asks for none
 */
void
CheckNoCnps(const ObjectFactory& nics, TypeId control)
{
    const Ptr<FabricNic> nic = nics.Create<FabricNic>();
    const std::pair<const char*, bool> settings[] = {
        {"CnpMeterRate", nic->cnpMeterBps > 0},
        {"CnpDelay", nic->cnpDelay.IsStrictlyPositive()},
        {"CnpSpacing", nic->cnpSpacing.IsStrictlyPositive()}};
    for (const auto& [name, isSet] : settings)
    {
        if (isSet)
        {
            throw FabricError(
                FabricTerm::Attribute("ns3::FabricNic", name),
                " is about congestion notification packets, for which " +
                    FabricTerm::Class(control) + " does not ask",
                {FabricRemedy::Do("do not set it"),
                 FabricRemedy::Use(FabricTerm::Class("ns3::DcqcnCongestionControl"))});
        }
    }
}

} // namespace

void
FabricHelper::CheckMessages(const PolicyContext& around) const
{
    const TypeId control = m_pdcPolicy.Get().congestionControl.GetTypeId();
    for (const auto& [tid, effects] : around.features)
    {
        // of drops every sender is told, where there are any
        if (!effects.message || (effects.tellsDrops && !m_hasFlowControl) || m_needs.Reads(tid))
        {
            continue;
        }
        std::vector<FabricRemedy> remedies{FabricRemedy::Do("leave out " + FabricTerm::Class(tid))};
        std::vector<TypeId> readers = ListReaders("ns3::CongestionControl", tid);
        for (const TypeId& reader : ListReaders("ns3::CongestionModifier", tid))
        {
            readers.push_back(reader);
        }
        for (const TypeId& reader : readers)
        {
            remedies.push_back(FabricRemedy::Use(FabricTerm::Class(reader)));
        }
        FabricText conflict = std::string(" ") + effects.message + ", which " +
                              FabricTerm::Class(control) + " ignores";
        if (effects.tellsDrops)
        {
            conflict += ", and of drops, which " + FabricTerm::Class(m_flowControl.GetTypeId()) +
                        " prevents";
            remedies.push_back(FabricRemedy::Use(NoFlowControl()));
        }
        throw FabricError(FabricTerm::Class(tid), conflict, remedies);
    }
}

void
FabricHelper::CheckHeldPackets(const PolicyContext& around) const
{
    const bool hasInputQueues = m_buffer.Create<SwitchBuffer>()->HoldsPackets();
    const auto voq = FabricRemedy::Use(FabricTerm::Class("ns3::VoqBuffer"));
    const auto credits = FabricRemedy::Use(FabricTerm::Class("ns3::CreditFlowControl"));
    for (const auto& [tid, effects] : around.features)
    {
        if (effects.holdsPackets && !hasInputQueues)
        {
            throw FabricError(FabricTerm::Class(tid),
                              " holds packets back at their inputs, but " +
                                  FabricTerm::Class(m_buffer.GetTypeId()) + " has no queues there",
                              {voq, FabricRemedy::Do("leave out " + FabricTerm::Class(tid))});
        }
        if (effects.holdsPackets && !m_hasFlowControl)
        {
            throw FabricError(
                FabricTerm::Class(tid),
                " holds packets back at their inputs, which overflow without flow control",
                {FabricRemedy::Use(FabricTerm::Class("ns3::PriorityFlowControl")),
                 credits,
                 FabricRemedy::Do("leave out " + FabricTerm::Class(tid))});
        }
    }
    if (m_hasFlowControl && m_flowControl.Create<LinkFlowControl>()->GetPeerRoom() &&
        !hasInputQueues)
    {
        throw FabricError(FabricTerm::Class(m_flowControl.GetTypeId()),
                          " lets a packet wait at its input until there is room for it in the next "
                          "switch, but " +
                              FabricTerm::Class(m_buffer.GetTypeId()) + " has no queues there",
                          {voq, credits});
    }
}

void
FabricHelper::CheckMatching(const PolicyContext& around) const
{
    const auto reliability = around.reliability.Create<ReliabilityPolicy>();
    if (m_matches && (reliability->GetDataFlags() & FabricPacketItem::FLAG_NO_PDC) != 0)
    {
        throw FabricError(FabricTerm::Class(m_messageProtocol.GetTypeId()),
                          " refuses and asks for messages by their PDC, but under " +
                              FabricTerm::Class(around.reliability.GetTypeId()) +
                              " their receiver has none",
                          {FabricRemedy::Use(FabricTerm::Class("ns3::SelectiveRepeat")),
                           FabricRemedy::Do("let no messages be matched")});
    }
}

void
FabricHelper::CheckCombination(const PolicyContext& around) const
{
    CheckPdcPolicy(m_pdcPolicy.Get(), around);
    CheckMatching(around);
    CheckMessages(around);
    CheckHeldPackets(around);
    for (auto feature = m_features.begin(); feature != m_features.end(); ++feature)
    {
        const TypeId tid = feature->GetTypeId();
        const bool twice = std::any_of(m_features.begin(), feature, [tid](const auto& other) {
            return other.GetTypeId() == tid;
        });
        const char* clash = feature->Create<SwitchFeature>()->GetClash();
        if (twice && clash)
        {
            throw FabricError("each switch has " + FabricTerm::Class(tid),
                              std::string(" twice") + clash,
                              {FabricRemedy::Do("add it once")});
        }
    }
    if (m_hasFlowControl && !DynamicCast<CongestionAwareQueueDisc>(m_queueDisc.Create<QueueDisc>()))
    {
        throw FabricError(FabricTerm::Class(m_flowControl.GetTypeId()),
                          " pauses classes, but " + FabricTerm::Class(m_queueDisc.GetTypeId()) +
                              " as root queue disc cannot pause a class",
                          {FabricRemedy::Use(FabricTerm::Class("ns3::CongestionAwareQueueDisc") +
                                             " (with ClassQueueDisc)"),
                           FabricRemedy::Use(NoFlowControl())});
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
        throw FabricError(
            "the topology",
            " limits port queues, but under " + FabricTerm::Class(m_flowControl.GetTypeId()) +
                " switches must not drop",
            {FabricRemedy::Use(NoFlowControl()),
             FabricRemedy::Do("remove the limits with FabricGraph::ClearQueueLimits()")});
    }
    if (!DynamicCast<CongestionAwareQueueDisc>(m_queueDisc.Create<QueueDisc>()))
    {
        throw FabricError("the topology",
                          " limits port queues in bytes, which " +
                              FabricTerm::Class(m_queueDisc.GetTypeId()) + " does not take from it",
                          {FabricRemedy::Use(FabricTerm::Class("ns3::CongestionAwareQueueDisc"))});
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
    std::ostringstream size;
    size << disc->GetMaxSize();
    WarnFabric(FabricTerm::Attribute("ns3::CongestionAwareQueueDisc", "MaxSize") + " of " +
               size.str() + " lets switches drop packets, which " +
               FabricTerm::Class(m_flowControl.GetTypeId()) +
               " is to prevent; do not set it, or use " + NoFlowControl());
}

void
FabricHelper::CheckEffects(const PolicyContext& around) const
{
    if (m_hasMarkingProfile &&
        !DynamicCast<CongestionAwareQueueDisc>(m_queueDisc.Create<QueueDisc>()))
    {
        throw FabricError(
            FabricTerm::Class(m_markingProfile.GetTypeId()),
            " has no effect on " + FabricTerm::Class(m_queueDisc.GetTypeId()) +
                ", which marks by its own rules",
            {FabricRemedy::Use(FabricTerm::Class("ns3::CongestionAwareQueueDisc")),
             FabricRemedy::Use(FabricTerm::None("ns3::MarkingProfile", "marking profile"))});
    }
    const bool areNotified =
        m_needs.cnpIntervalPs >= 0 ||
        std::any_of(m_expected.begin(), m_expected.end(), [](const PdcPolicy& others) {
            return GetPdcNeeds(others).cnpIntervalPs >= 0;
        });
    if (!areNotified)
    {
        CheckNoCnps(m_nic, m_pdcPolicy.Get().congestionControl.GetTypeId());
    }
    UintegerValue marked;
    for (const auto& [tid, effects] : around.features)
    {
        if (m_hasMarkingProfile && effects.markedClasses != 0 && !effects.sharesProfile)
        {
            m_queueDisc.Create<QueueDisc>()->GetAttribute("MarkedClasses", marked);
            if ((marked.Get() & ~effects.markedClasses) == 0)
            {
                throw FabricError(FabricTerm::Class(m_markingProfile.GetTypeId()),
                                  " has no effect, because " + FabricTerm::Class(tid) +
                                      " decides on the marks of all classes",
                                  {FabricRemedy::Do("leave one of them out")});
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
        throw FabricError(
            FabricTerm::Attribute("ns3::FabricNic", "PayloadBytes"),
            ": " + std::to_string(payload) + " bytes of payload and " +
                std::to_string(frame - payload - (most - MAX_IP_BYTES)) +
                " bytes of headers and INT are more than the " + std::to_string(MAX_IP_BYTES) +
                " bytes of an IP packet",
            {FabricRemedy::Use("at most " + std::to_string(payload - over) + " bytes of payload")});
    }
}

void
FabricHelper::CheckTrimmer() const
{
    const auto disc = DynamicCast<CongestionAwareQueueDisc>(m_queueDisc.Create<QueueDisc>());
    if (!m_hasTrimmer)
    {
        if (disc && disc->GetTrimmer())
        {
            throw FabricError(
                FabricTerm::Attribute("ns3::CongestionAwareQueueDisc", "Trimmer"),
                " does not give trimmed packets their class at all ports",
                {FabricRemedy::Use(FabricTerm::Class("ns3::PacketTrimmer") + " for the network")});
        }
        return;
    }
    const auto trimmer = m_trimmer.Create<PacketTrimmer>();
    const FabricText name = FabricTerm::Class(m_trimmer.GetTypeId());
    const auto none = FabricRemedy::Use(FabricTerm::None("ns3::PacketTrimmer", "trimming"));
    if (!disc)
    {
        throw FabricError(
            name,
            " has queues cut packets, which " + FabricTerm::Class(m_queueDisc.GetTypeId()) +
                " cannot",
            {FabricRemedy::Use(FabricTerm::Class("ns3::CongestionAwareQueueDisc")), none});
    }
    const uint8_t lossless = m_hasFlowControl ? m_usedClasses & ~m_lossyStackClasses : 0;
    for (uint8_t c = 0; c < 8; ++c)
    {
        if ((lossless >> c & 1) != 0 && trimmer->Covers(c))
        {
            throw FabricError(
                name,
                " trims packets of class " + std::to_string(c) +
                    " for which there is no room, but " +
                    FabricTerm::Class(m_flowControl.GetTypeId()) +
                    " keeps room for all packets of that class",
                {FabricRemedy::Use(NoFlowControl()),
                 none,
                 FabricRemedy::Set(FabricTerm::Attribute("ns3::PacketTrimmer", "Classes") +
                                   " without that class")});
        }
    }
    if (disc->GetMaxSize().GetValue() != UINT32_MAX &&
        m_buffer.Create<SwitchBuffer>()->HoldsPackets())
    {
        throw FabricError(
            name,
            " moves packets to another class in the queue of a port that is full, but " +
                FabricTerm::Class(m_buffer.GetTypeId()) +
                " counts by class what it has let go there",
            {FabricRemedy::Do("leave " +
                              FabricTerm::Attribute("ns3::CongestionAwareQueueDisc", "MaxSize") +
                              " as it is: packets are trimmed as they arrive"),
             FabricRemedy::Use(FabricTerm::Class("ns3::SharedBuffer")),
             none});
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
        throw FabricError(FabricTerm::Attribute("ns3::PriorityFlowControl", "Quanta"),
                          ": a pause of " + std::to_string(pause->GetPausePs() / 1000) + " ns at " +
                              std::to_string(port.GetRateBps()) +
                              " bit/s expires before it can be renewed, because a frame of " +
                              std::to_string(maxFrame) +
                              " bytes may still be in transmission after half of it",
                          {FabricRemedy::Use("more quanta")});
    }
}

void
FabricHelper::CheckForesight(const Fabric& fabric) const
{
    if (!m_hasFlowControl || !m_flowControl.Create<LinkFlowControl>()->GetPeerRoom())
    {
        return;
    }
    const FabricText needs = FabricTerm::Class(m_flowControl.GetTypeId()) +
                             " has to know the output of a packet before it arrives, but ";
    if (fabric.GetVias() || m_choosesPorts)
    {
        throw FabricError(
            needs,
            FabricTerm::Class(fabric.GetRoutingAlgorithm().GetInstanceTypeId()) +
                " chooses its way on arrival",
            {FabricRemedy::Use(FabricTerm::Any("ns3::RoutingAlgorithm", "another", "routing")),
             FabricRemedy::Use(FabricTerm::Class("ns3::CreditFlowControl"))});
    }
    const auto probe = FabricPacketItem::Create(FabricPacketType::DATA);
    AtPlace(needs, [&fabric, &probe]() {
        for (const FabricActor* actor : fabric.m_actors)
        {
            for (const uint32_t host : fabric.GetHosts())
            {
                probe->dst = host;
                actor->PredictPort(*probe);
            }
        }
    });
}

void
FabricHelper::WarnOfTimeout(const Fabric& fabric)
{
    const int64_t fixedPs = fabric.GetNic(fabric.GetHosts().front())->GetAckTimeout().fixedPs;
    const int64_t rttPs = fabric.GetMaxBaseRttPs();
    if (fixedPs > 0 && fixedPs <= rttPs)
    {
        std::ostringstream text;
        text << std::fixed << std::setprecision(3) << " of " << static_cast<double>(fixedPs) * 1e-6
             << " us is not above the largest base RTT of " << static_cast<double>(rttPs) * 1e-6
             << " us: packets would be retransmitted although none is lost; raise it, or do not "
                "set it";
        WarnFabric(FabricTerm::Attribute("ns3::FabricNic", "AckTimeout") + text.str());
    }
}

} // namespace ns3
