// SPDX-License-Identifier: GPL-2.0-only
#include "sending-pdc.h"

#include "fabric-nic.h"
#include "loss-episode.h"
#include "reordering-window.h"

#include "ns3/bts-packet.h"
#include "ns3/fabric-net-device.h"
#include "ns3/grant-packet.h"
#include "ns3/log.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ns3
{

LogComponent SendingPdc::g_log("SendingPdc", __FILE__);

namespace
{

/// Tell the sinks of a trace source if a value is not what they have been told.
template <typename Trace, typename T>
void
TellChange(const SendingPdc& pdc, const Trace& trace, T& told, const T& value)
{
    if (value != told)
    {
        const T before = std::exchange(told, value);
        trace(pdc, before, value);
    }
}

} // namespace

SendingPdc::SendingPdc(FabricNic& nic,
                       uint32_t number,
                       uint32_t dst,
                       uint8_t priority,
                       uint32_t queuePair)
    : m_nic(nic),
      m_traces(nic),
      m_ranges(m_window, nic.payloadBytes),
      m_number(number),
      m_dst(dst),
      m_queuePair(queuePair),
      m_initialPsn(nic.initialPsn),
      m_payload(nic.payloadBytes),
      m_priority(priority)
{
    NS_LOG_FUNCTION(this << number << dst << +priority << queuePair);
    m_ccTimers.fill(FabricTime::NEVER);
}

SendingPdc::~SendingPdc()
{
    NS_LOG_FUNCTION(this);
    if (m_cc)
    {
        m_cc->Dispose();
    }
    if (m_lb)
    {
        m_lb->Dispose();
    }
}

void
SendingPdc::Start(Ptr<CongestionControl> cc,
                  Ptr<LoadBalancer> lb,
                  const PathInfo& path,
                  uint16_t entropy)
{
    NS_LOG_FUNCTION(this << cc << lb << entropy);
    m_cc = cc;
    m_lb = lb;
    m_unpacedRate = static_cast<double>(path.lineRateBps);
    if (m_nic.HasPortChoice(m_dst) && lb->GetMaxPaths() > 1)
    {
        // no faster than one port, although no single wire is the pace
        m_unpacedRate = std::numeric_limits<double>::infinity();
        m_paceGapBytes = m_nic.GetPort(port)->GetGapBytes();
    }
    m_bdpBytes = path.bdpBytes;
    m_driven = cc->GetReceiverDriven();
    if (m_driven)
    {
        m_driven->SetAsker(this);
    }
    m_stamps = cc->StampsData();
    const CongestionControlNeeds needs = cc->GetNeeds();
    m_wantsOnSend = needs.sends;
    m_wantsInt = needs.dataInt;
    m_baseRttPs = std::max(path.pairRttPs, path.baseRttPs);
    m_ackTimeout.Start(m_nic.GetAckTimeout(), m_baseRttPs);
    m_reliability = m_nic.reliability;
    m_isAnswered = m_reliability->AwaitsAnswers();
    m_dataFlags = m_reliability->GetDataFlags();
    m_findsByTime = m_reliability->Start(m_window, m_baseRttPs, m_nic.isLossless);
    SendLimits limits =
        m_reliability->GetLimits(m_bdpBytes, m_payload, m_baseRttPs, m_nic.isLossless);
    if (!m_nic.ackTimeout.IsZero())
    {
        limits.timeoutPs = 0; // that one is the user's
    }
    if (!limits.IsEmpty())
    {
        m_limits = std::make_unique<SendLimits>(limits);
    }
    if (m_window.KeepsTimes())
    {
        m_window.GetReordering().Share(ReorderingMemory::Of(m_nic), m_nic.GetNowPs());
    }
    m_lb->SetBaseRtt(path.pairRttPs);
    m_lb->Start(entropy);
    m_tellsDelays = m_lb->NeedsDelays();
    if (m_lb->NeedsLosses())
    {
        m_entropies = std::make_unique<SentEntropies>();
    }
    m_cc->Start(path, this, needs);
}

void
SendingPdc::AddMessage(uint64_t bytes, uint32_t tag, int64_t startPs)
{
    m_ranges.Add(bytes, tag, startPs);
    if (m_driven)
    {
        m_driven->AddBacklog(startPs, bytes);
    }
}

void
SendingPdc::AddMatched(const OutgoingMessage& message)
{
    NS_LOG_FUNCTION(this << message.tag << message.bytes);
    if (!m_outgoing)
    {
        m_outgoing = m_nic.GetMessages().GetMatcher()->MakeOutgoing(*this);
    }
    m_outgoing->Add(message, m_bdpBytes);
}

bool
SendingPdc::HasPacket()
{
    const bool isFull = m_limits && GetAheadBytes() >= m_limits->aheadBytes;
    return m_window.HasPacket(isFull ? m_window.GetEnd() : m_ranges.GetSendEnd());
}

bool
SendingPdc::IsAnswerDue() const
{
    if (m_nic.ackBytes > 0)
    {
        return m_cc->GetWindow() == 0 || m_inFlightBytes >= m_nic.ackBytes ||
               m_window.IsInFlight(m_request);
    }
    const uint32_t every = m_nic.ackEvery;
    return every == 1 || (m_dataFlags & FabricPacketItem::FLAG_ACK_REQUEST) != 0 ||
           m_cc->GetWindow() == 0 || m_window.GetNInFlight() >= every ||
           m_window.IsInFlight(m_request);
}

int64_t
SendingPdc::GetEligiblePs() const
{
    const double rate = m_cc->GetRate();
    if (rate >= m_unpacedRate)
    {
        return m_lastSendPs; // the wire itself is the pace
    }
    return m_lastSendPs + static_cast<int64_t>(m_lastSendBytes * 8e12 / rate);
}

Ptr<FabricPacketItem>
SendingPdc::CreateData(SendRange& range, uint64_t offset, uint64_t payload)
{
    OutgoingMessage* message = range.outgoing;
    Ptr<FabricPacketItem> item;
    if (message && message->data)
    {
        item = ns3::Create<FabricPacketItem>(
            ns3::Create<Packet>(message->data + offset, static_cast<uint32_t>(payload)));
        item->data = {};
    }
    else
    {
        item = FabricPacketItem::Create(FabricPacketType::DATA);
    }
    item->data.payloadBytes = static_cast<uint16_t>(payload);
    if (range.isVoid)
    {
        item->data.payloadBytes = 0;
        item->flags = FabricPacketItem::FLAG_MATCH | FabricPacketItem::FLAG_VOID |
                      (range.isTagged ? FabricPacketItem::FLAG_TAGGED : 0);
        item->data.epoch = range.epoch;
    }
    else if (message)
    {
        item->flags = FabricPacketItem::FLAG_MATCH;
        item->data.epoch = range.epoch;
        item->data.eagerBytes = message->eagerBytes < message->bytes ? message->eagerBytes : 0;
        if (message->write)
        {
            item->flags |= FabricPacketItem::FLAG_WRITE;
            item->data.remoteAddress = message->remoteAddress;
        }
        else if (message->tagged)
        {
            item->flags |= FabricPacketItem::FLAG_TAGGED;
            item->data.matchBits = message->matchBits;
        }
        ++message->packetsSent;
    }
    return item;
}

uint16_t
SendingPdc::DrawEntropy(int64_t nowPs)
{
    if (!m_drawn)
    {
        uint64_t lost = 0;
        const bool again =
            m_window.PeekLost(lost) || m_window.GetNext() < m_window.GetEnd() || m_probe.IsWanted();
        m_nextEntropy = m_lb->ChooseEntropy(nowPs, again);
        m_drawn = true;
    }
    // also one that was drawn before a link went down
    m_nextEntropy = m_nic.FitEntropy(m_dst, m_nextEntropy);
    return m_nextEntropy;
}

Ptr<FabricPacketItem>
SendingPdc::MakePacket(int64_t nowPs)
{
    if (m_probe.IsWanted() && !CanSendData())
    {
        return MakeProbe(nowPs);
    }
    uint64_t seq = 0;
    bool again = true;
    if (m_window.PeekLost(seq))
    {
        m_window.TakeLost(nowPs);
    }
    else
    {
        again = m_window.GetNext() < m_window.GetEnd();
        seq = m_window.TakeNext(nowPs);
    }
    SendRange& range = m_ranges.Use(seq);
    const uint64_t index = range.firstIndex + (seq - range.firstSeq);
    const uint64_t payload = m_ranges.PayloadOf(range, seq);
    const bool last = index * m_payload + payload == range.messageBytes;
    m_inFlightBytes += payload;

    Ptr<FabricPacketItem> item = CreateData(range, index * m_payload, payload);
    Address(*item, static_cast<int64_t>(seq), nowPs);
    item->data.offset = index * m_payload;
    item->data.messageBytes = range.messageBytes;
    item->data.msn = range.msn;
    item->data.tag = range.tag;
    item->flags |= (index == 0 ? FabricPacketItem::FLAG_FIRST : 0) |
                   (last ? FabricPacketItem::FLAG_LAST : 0) |
                   (again ? FabricPacketItem::FLAG_RETRANSMISSION : 0);
    const WireFormat& wire = *m_nic.wire;
    const bool write = item->flags & FabricPacketItem::FLAG_WRITE;
    item->size = wire.GetDataBytes(item->data.payloadBytes, write && index == 0) +
                 ((item->flags & FabricPacketItem::FLAG_MATCH)
                      ? wire.GetMatchBytes(item->data.eagerBytes != 0)
                      : 0) +
                 (m_wantsInt ? wire.GetDataIntBytes(0, m_nic.intFormat->IsExact()) : 0);
    Finish(*item, again, nowPs);
    if (m_entropies)
    {
        m_entropies->Note(m_window.GetUnacked(), seq, item->entropy);
    }
    if (again)
    {
        if (range.outgoing)
        {
            ++range.outgoing->resent;
        }
        ++range.resent;
        ++m_retransmitted;
        ++m_nic.Count().retransmitted;
    }
    else
    {
        m_sentBytes += payload;
    }
    if (!m_isAnswered)
    {
        Depart(*item, range, seq, nowPs);
        return item;
    }
    const bool isTail = m_inFlightBytes >= m_cc->GetWindow() || !HasPacket();
    if (isTail || (again && m_nic.ackBytes > 0))
    {
        // nothing follows that would make the receiver answer, or what was lost holds others up
        item->flags |= FabricPacketItem::FLAG_ACK_REQUEST;
        m_request = seq;
    }
    if (m_timeoutPs == FabricTime::NEVER || (m_limits && !again))
    {
        RestartTimeout(nowPs); // how long it is may depend on what is ahead
    }
    m_probe.Cancel();
    if (isTail && m_findsByTime &&
        (m_lossTimerPs == FabricTime::NEVER || m_window.GetNInFlight() == 1))
    {
        ArmLossTimer(); // else it is armed for a time that is not too late
    }
    return item;
}

Ptr<FabricPacketItem>
SendingPdc::MakeProbe(int64_t nowPs)
{
    NS_LOG_INFO(*this << ": asks what has arrived from packet " << m_window.GetUnacked() << " on");
    Ptr<FabricPacketItem> item = FabricPacketItem::Create(FabricPacketType::DATA);
    Address(*item, static_cast<int64_t>(m_window.GetUnacked()) - 1, nowPs);
    item->data.tag = m_ranges.GetTag();
    item->flags |= FabricPacketItem::FLAG_ACK_REQUEST;
    const WireFormat& wire = *m_nic.wire;
    item->size = wire.GetDataBytes(0, false) +
                 (m_wantsInt ? wire.GetDataIntBytes(0, m_nic.intFormat->IsExact()) : 0);
    Finish(*item, true, nowPs);
    ++m_nic.Count().probesSent;
    if (m_asks)
    {
        m_probe.Cancel(); // others may be on their way: its answer does not tell that they are lost
        m_asks = false;
        return item;
    }
    m_probe.Send(nowPs);
    ArmLossTimer();
    return item;
}

void
SendingPdc::Address(FabricPacketItem& item, int64_t seq, int64_t nowPs) const
{
    item.src = m_nic.GetAddress();
    item.dst = m_dst;
    item.ds = FabricPacketItem::MakeDs(m_priority, FabricPacketItem::ECN_ECT0);
    item.sendTimePs = nowPs;
    item.pdc = m_established ? m_targetPdc : m_number;
    item.psn = PacketSequence::ToWire(static_cast<uint64_t>(seq), m_initialPsn);
    item.ingressPort = FabricPacketItem::NO_PORT;
    item.data.sourcePdc = m_number;
    item.flags |= (m_established ? 0 : FabricPacketItem::FLAG_SYN) |
                  (m_wantsInt ? FabricPacketItem::FLAG_INT : 0) | m_dataFlags;
}

void
SendingPdc::Finish(FabricPacketItem& item, bool again, int64_t nowPs)
{
    if (m_stamps)
    {
        m_cc->Stamp(item, nowPs);
        item.size += (item.flags & FabricPacketItem::FLAG_TAG) ? m_nic.wire->GetTagBytes() : 0;
    }
    if (m_driven)
    {
        item.flags |= FabricPacketItem::FLAG_DEMAND;
        item.size += CreditUnits::DEMAND_BYTES;
        item.ds = FabricPacketItem::MakeDs(m_driven->ChooseClass(item), FabricPacketItem::ECN_ECT0);
    }
    const uint16_t entropy = m_drawn ? m_nextEntropy : m_lb->ChooseEntropy(nowPs, again);
    m_drawn = false;
    item.entropy = entropy;
    if (entropy != m_entropy || !m_hashed)
    {
        m_hashed = true;
        NS_LOG_LOGIC(*this << ": entropy " << entropy);
        item.UpdateFlowHash();
        m_flowHash = item.flowHash;
        m_entropy = entropy;
    }
    item.flowHash = m_flowHash;
    m_lastSendPs = nowPs;
    m_lastSendBytes = item.size + m_paceGapBytes;
    if (m_wantsOnSend)
    {
        m_cc->TellSend(nowPs, item.size);
        TellValues();
    }
    if (m_driven)
    {
        item.demand = m_driven->TellDemand();
    }
}

void
SendingPdc::OnLeave(const FabricPacketItem& item, int64_t nowPs)
{
    if (m_window.KeepsTimes())
    {
        const uint64_t unacked = m_window.GetUnacked();
        const int64_t seq = PacketSequence::FromWire(item.psn, m_initialPsn, unacked);
        m_window.Postpone(static_cast<uint64_t>(seq), nowPs);
    }
    if (!m_isAnswered && (item.flags & FabricPacketItem::FLAG_LAST) != 0)
    {
        const uint64_t sent = m_window.GetEnd();
        AwaitDeparture(item, PacketSequence::FromWire(item.psn, m_initialPsn, sent) + 1, nowPs);
    }
}

void
SendingPdc::Depart(const FabricPacketItem& item,
                   const SendRange& range,
                   uint64_t seq,
                   int64_t nowPs)
{
    m_window.Acknowledge(seq + 1);
    m_inFlightBytes -= item.data.payloadBytes;
    m_cumulativeBytes += item.data.payloadBytes;
    ++m_nic.Count().datagramsSent;
    if (seq + 1 == range.firstSeq + range.nPackets)
    {
        AwaitDeparture(item, seq + 1, nowPs);
    }
}

void
SendingPdc::AwaitDeparture(const FabricPacketItem& item, uint64_t end, int64_t nowPs)
{
    const FabricNetDevice& device = *m_nic.GetPort(port);
    const double bits = 8.0 * (item.size + device.GetGapBytes());
    const auto wirePs =
        static_cast<int64_t>(bits * 1e12 / static_cast<double>(device.GetRateBps()));
    m_nic.GetMessages().SetTimer({nowPs + wirePs, MessageTimers::Kind::DEPARTURE, m_number, end});
}

void
SendingPdc::OnDeparture(uint64_t end, int64_t nowPs)
{
    NS_LOG_FUNCTION(this << end << nowPs);
    if (m_state != PdcState::PARKED) // else the packet has not left, and OnLeave() tells when
    {
        CompleteRanges(end, nowPs);
    }
}

uint64_t
SendingPdc::EnterSingle(const FabricPacketItem& item)
{
    const uint64_t unacked = m_window.GetUnacked();
    const int64_t named = PacketSequence::FromWire(item.ack.triggerPsn, m_initialPsn, unacked);
    const auto seq = static_cast<uint64_t>(named);
    if (named < 0 || seq >= m_window.GetEnd())
    {
        return 0;
    }
    const bool lost = m_window.IsLost(seq);
    if (!m_window.Sack(seq))
    {
        return 0;
    }
    const uint64_t payload = m_ranges.PayloadOf(m_ranges.Find(seq), seq);
    m_inFlightBytes -= lost ? 0 : payload;
    uint64_t next = unacked; // nobody else tells up to where all has arrived
    while (next < m_window.GetEnd() && m_window.IsAcknowledged(next))
    {
        m_cumulativeBytes += m_ranges.PayloadOf(m_ranges.Find(next), next);
        ++next;
    }
    if (next > unacked)
    {
        m_window.Acknowledge(next);
    }
    return payload;
}

uint64_t
SendingPdc::AccountLost(uint64_t lost)
{
    if (lost == 0)
    {
        return 0;
    }
    // rare: count anew what is on its way
    const uint64_t before = m_inFlightBytes;
    m_inFlightBytes = 0;
    for (uint64_t seq = m_window.GetUnacked(); seq < m_window.GetNext(); ++seq)
    {
        if (!m_window.IsAcknowledged(seq) && !m_window.IsLost(seq))
        {
            m_inFlightBytes += m_ranges.PayloadOf(m_ranges.Find(seq), seq);
        }
        else if (m_entropies && m_window.IsLost(seq))
        {
            m_entropies->Take(seq); // if it was not told by now, a notice tells of it
        }
    }
    return before - std::min(before, m_inFlightBytes);
}

void
SendingPdc::TellLosses(int64_t nowPs)
{
    if (!m_entropies)
    {
        return;
    }
    for (uint64_t seq = m_window.GetUnacked(); seq < m_window.GetEnd(); ++seq)
    {
        const uint32_t entropy =
            m_window.IsLost(seq) ? m_entropies->Take(seq) : SentEntropies::NONE;
        if (entropy != SentEntropies::NONE)
        {
            m_lb->OnLoss(nowPs, static_cast<uint16_t>(entropy));
        }
    }
}

uint64_t
SendingPdc::EnterAck(const FabricPacketItem& item, uint64_t cumulative)
{
    const uint64_t unacked = m_window.GetUnacked();
    uint64_t acked = 0;
    for (uint64_t seq = unacked; seq < cumulative; ++seq)
    {
        const uint64_t payload = m_ranges.PayloadOf(m_ranges.Find(seq), seq);
        m_cumulativeBytes += payload;
        if (!m_window.IsAcknowledged(seq) || seq >= m_window.GetNext())
        {
            acked += payload;
            if (seq < m_window.GetNext() && !m_window.IsLost(seq))
            {
                m_inFlightBytes -= payload;
            }
        }
    }
    if (cumulative > unacked)
    {
        m_window.Acknowledge(cumulative);
    }
    if (item.ack.sackBitmap != 0)
    {
        const int64_t base = PacketSequence::FromWire(item.ack.sackBase, m_initialPsn, cumulative);
        for (uint64_t bits = m_window.FindNew(base, item.ack.sackBitmap); bits != 0;
             bits &= bits - 1)
        {
            const auto seq = static_cast<uint64_t>(base + __builtin_ctzll(bits));
            const bool lost = m_window.IsLost(seq);
            if (seq < m_window.GetEnd() && m_window.Sack(seq))
            {
                const uint64_t payload = m_ranges.PayloadOf(m_ranges.Find(seq), seq);
                acked += payload;
                m_inFlightBytes -= lost ? 0 : payload;
            }
        }
    }
    return acked;
}

void
SendingPdc::Establish(const FabricPacketItem& item)
{
    if (!m_established && (item.flags & FabricPacketItem::FLAG_NO_PDC) == 0)
    {
        m_established = true;
        m_targetPdc = item.ack.targetPdc;
    }
}

void
SendingPdc::OnTrim(const FabricPacketItem& item, int64_t nowPs)
{
    NS_LOG_FUNCTION(this << nowPs);
    const int64_t named =
        PacketSequence::FromWire(item.ack.triggerPsn, m_initialPsn, m_window.GetUnacked());
    if (named < 0 || named >= static_cast<int64_t>(m_window.GetEnd()))
    {
        return; // of an earlier PDC with this number
    }
    Establish(item);
    const auto seq = static_cast<uint64_t>(named);
    TrimInfo trim;
    trim.nowPs = nowPs;
    const int64_t resentPs = m_window.GetResentPs(seq);
    const bool isAgain = resentPs != FabricTime::NEVER;
    trim.rttPs = isAgain ? 0 : nowPs - item.sendTimePs;
    trim.lastHop = item.ack.code == NackCode::TRIMMED_LAST_HOP;
    m_lb->OnTrim(nowPs, item.entropy, trim.lastHop);
    // one of a copy that was sent again meanwhile, or will be as the window went back before it,
    // tells nothing new
    const bool isStale =
        (isAgain && resentPs > item.sendTimePs) || m_window.HasRewoundSince(item.sendTimePs);
    const uint64_t lost = isStale ? 0 : m_reliability->OnDropNotice(m_window, seq, nowPs);
    trim.lostBytes = AccountLost(lost);
    trim.inFlightBytes = m_inFlightBytes;
    if (lost > 0)
    {
        NS_LOG_INFO(*this << ": packet " << seq << " has been trimmed");
        RestartTimeout(nowPs); // the path works
    }
    m_cc->TellTrim(trim);
    m_nic.Activate(*this);
}

void
SendingPdc::OnAck(const FabricPacketItem& item, int64_t nowPs)
{
    const bool isSingle = (item.flags & FabricPacketItem::FLAG_NO_PDC) != 0;
    Establish(item);
    const bool triggerMarked = item.flags & FabricPacketItem::FLAG_ECHO_MARK;
    // only modifiers ask for it
    const bool rerouted = !m_cc->GetModifiers().empty() && m_lb->HasLeft(item.entropy);
    if (m_tellsDelays)
    {
        m_lb->OnDelay(nowPs,
                      item.entropy,
                      nowPs - item.sendTimePs,
                      item.echoDelayNs * FabricTime::PS_PER_NS);
    }
    m_lb->OnAck(nowPs, item.entropy, triggerMarked);
    const uint64_t unacked = m_window.GetUnacked();
    const int64_t named = PacketSequence::FromWire(item.psn, m_initialPsn, unacked);
    if (named > static_cast<int64_t>(m_window.GetEnd()))
    {
        return; // names packets that were never sent
    }
    // an ACK that a later one overtook still tells of single packets and of the path
    const bool overtaken = named < static_cast<int64_t>(unacked);
    AckInfo ack;
    ack.ackedPayload = isSingle
                           ? EnterSingle(item)
                           : EnterAck(item, overtaken ? unacked : static_cast<uint64_t>(named));
    if (m_window.HasResent())
    {
        const int64_t trigger =
            PacketSequence::FromWire(item.ack.triggerPsn, m_initialPsn, m_window.GetUnacked());
        m_window.NoteArrival(static_cast<uint64_t>(trigger), item.sendTimePs);
    }
    if (m_window.GetEpisode())
    {
        DescribeEpisode();
    }
    const ReliabilityPolicy& reliability = *m_reliability;
    const uint64_t lost = item.type == FabricPacketType::NACK && !overtaken
                              ? reliability.OnNack(m_window, item.sendTimePs, nowPs)
                          : m_probe.IsAnswered(item.sendTimePs)
                              ? reliability.OnProbeAnswer(m_window, item.sendTimePs, nowPs)
                              : reliability.OnAck(m_window, item.sendTimePs, nowPs);
    if (m_findsByTime)
    {
        m_probe.OnAnswer(nowPs);
        ArmLossTimer();
    }
    if (lost > 0)
    {
        TellLosses(nowPs);
    }
    const uint64_t lostBytes = AccountLost(lost);
    ack.nowPs = nowPs;
    ack.rttPs = nowPs - item.sendTimePs;
    m_rttPs = ack.rttPs;
    m_ackTimeout.Measure(nowPs, ack.rttPs);
    if (ack.ackedPayload > 0)
    {
        m_ackTimeout.Settle();
        RestartTimeout(nowPs);
    }
    ack.cumulativeBytes = m_cumulativeBytes;
    ack.sentBytes = m_sentBytes;
    ack.inFlightBytes = m_inFlightBytes;
    ack.coveredPackets = item.ack.coveredPackets;
    ack.markedPackets = item.ack.markedPackets;
    ack.activeFlows = item.ack.activeFlows;
    ack.triggerMarked = triggerMarked;
    ack.rerouted = rerouted;
    ack.item = &item;
    m_cc->Acknowledge(ack);
    if (lost > 0)
    {
        NS_LOG_INFO(*this << ": finds " << lost << " packets lost");
        m_cc->TellLoss(nowPs, lostBytes);
    }
    if (m_outgoing && (item.type == FabricPacketType::RTW || item.type == FabricPacketType::RNR ||
                       (item.flags & FabricPacketItem::FLAG_COMPLETE)))
    {
        m_outgoing->OnAnswer(item);
    }
    CompleteRanges(m_window.GetUnacked(), nowPs);
    m_nic.Activate(*this);
}

FabricMessageEvent
SendingPdc::MakeEvent(const SendRange& range) const
{
    FabricMessageEvent event;
    event.tag = range.tag;
    event.src = m_nic.GetAddress();
    event.dst = m_dst;
    event.pdc = m_number;
    event.bytes = range.bytes;
    event.startPs = range.startPs;
    event.retransmitted = range.resent;
    return event;
}

uint64_t
SendingPdc::TakeReductions()
{
    return m_cc->GetReductions() - std::exchange(m_toldReductions, m_cc->GetReductions());
}

void
SendingPdc::CompleteRanges(uint64_t cumulative, int64_t nowPs)
{
    while (const std::optional<SendRange> range = m_ranges.TakeAcked(cumulative))
    {
        if (range->outgoing)
        {
            range->outgoing->reductions += TakeReductions();
            m_outgoing->OnRangeAcked(*range->outgoing);
        }
        else if (!range->isVoid)
        {
            FabricMessageEvent event = MakeEvent(*range);
            event.nowPs = nowPs;
            event.packetsSent = range->nPackets + range->resent;
            event.reductions = TakeReductions();
            m_nic.GetMessages().NotifyCompleted(event);
        }
    }
}

void
SendingPdc::OnCnp(int64_t nowPs)
{
    NS_LOG_FUNCTION(this << nowPs);
    m_cc->TellCnp(nowPs);
    m_nic.Activate(*this);
}

void
SendingPdc::OnNotice(const FabricPacketItem& item, int64_t nowPs)
{
    NS_LOG_FUNCTION(this << nowPs);
    if (m_cc->TellNotice(item, nowPs))
    {
        LeavePath(item, nowPs);
    }
    m_nic.Activate(*this);
}

void
SendingPdc::LeavePath(const FabricPacketItem& item, int64_t nowPs)
{
    NS_LOG_FUNCTION(this << nowPs);
    // a message about a path that the packets have left comes too late to move them again
    if (item.entropy == m_entropy && m_lb->OnReroute(nowPs))
    {
        NS_LOG_INFO(*this << ": takes another path, as node " << item.src << " asks");
        m_cc->TellReroute(nowPs);
    }
}

void
SendingPdc::OnBts(const FabricPacketItem& item, int64_t nowPs)
{
    NS_LOG_FUNCTION(this << nowPs);
    const int64_t named = PacketSequence::FromWire(item.psn, m_initialPsn, m_window.GetUnacked());
    if (named < 0 || named >= static_cast<int64_t>(m_window.GetEnd()))
    {
        return; // of an earlier PDC with this number
    }
    const auto& bts = item.As<BtsFields>();
    BtsNotice notice;
    notice.nowPs = nowPs;
    notice.dropped = bts.dropped;
    notice.repeated = bts.marked != bts.inverted;
    notice.rerouted = m_lb->HasLeft(item.entropy);
    notice.sentBytes = m_sentBytes;
    notice.item = &item;
    const bool isStranded = notice.dropped && bts.port == FabricPacketItem::NO_PORT;
    if (isStranded)
    {
        LeavePath(item, nowPs);
    }
    if (notice.dropped && !(isStranded && m_ackTimeout.IsBackedOff()))
    {
        const uint64_t lost =
            m_reliability->OnDropNotice(m_window, static_cast<uint64_t>(named), nowPs);
        notice.lostBytes = AccountLost(lost);
    }
    if (!isStranded || notice.repeated)
    {
        notice.dropped = notice.dropped && !isStranded; // that no way is left is no congestion
        m_cc->TellBts(notice);
    }
    m_nic.Activate(*this);
}

int64_t
SendingPdc::GetPatiencePs() const
{
    if (m_limits && m_limits->timeoutPs > 0)
    {
        const int64_t timeoutPs = GetAheadBytes() <= m_limits->shortBytes ? m_limits->shortTimeoutPs
                                                                          : m_limits->timeoutPs;
        return m_ackTimeout.BackOff(std::max(
                   timeoutPs,
                   m_limits->leastSrtts * std::max<int64_t>(m_ackTimeout.GetSmoothedPs(), 0))) +
               GetAckDelayPs();
    }
    return m_ackTimeout.GetBackedOffPs() + GetAckDelayPs();
}

int64_t
SendingPdc::GetAckDelayPs() const
{
    // an ACK may wait for so many packets or bytes at the pacing rate
    if (m_nic.ackBytes > 0)
    {
        return static_cast<int64_t>(m_nic.ackBytes * 8e12 / m_cc->GetRate());
    }
    return m_nic.ackEvery == 1
               ? 0
               : static_cast<int64_t>(m_nic.ackEvery * (m_lastSendBytes * 8e12) / m_cc->GetRate());
}

bool
SendingPdc::IsHeldBack() const
{
    return m_state == PdcState::PARKED ||
           ((m_nic.GetPort(port)->GetPausedClasses() >> m_priority) & 1) != 0;
}

void
SendingPdc::RestartTimeout(int64_t nowPs)
{
    if (m_window.IsEmpty())
    {
        m_timeoutPs = FabricTime::NEVER;
        return;
    }
    m_timeoutPs = nowPs + GetPatiencePs();
    if (m_timeoutPs < m_armedPs)
    {
        m_armedPs = m_timeoutPs; // nothing is armed, or only for a time that was backed off
        Arm(0, m_timeoutPs);
    }
}

void
SendingPdc::HandleTimeout(int64_t nowPs)
{
    NS_LOG_FUNCTION(this << nowPs);
    if (nowPs != m_armedPs)
    {
        return; // replaced by an earlier entry
    }
    m_armedPs = FabricTime::NEVER;
    if (m_timeoutPs == FabricTime::NEVER)
    {
        return;
    }
    if (nowPs < m_timeoutPs)
    {
        // acknowledgements came meanwhile and only moved the time
        m_armedPs = m_timeoutPs;
        Arm(0, m_timeoutPs);
        return;
    }
    m_ackTimeout.BackOff();
    if (IsHeldBack())
    {
        RestartTimeout(nowPs); // nothing could be sent again; look less and less often
        return;
    }
    NS_LOG_INFO(*this << ": time-out, tries again from packet " << m_window.GetUnacked());
    ++m_timeouts;
    ++m_nic.Count().timeouts;
    m_reliability->OnTimeout(m_window, nowPs);
    TellLosses(nowPs);
    AccountLost(1);
    m_lb->OnTimeout(nowPs);
    m_cc->TellTimeout(nowPs);
    RestartTimeout(nowPs);
}

void
SendingPdc::DescribeEpisode()
{
    LossEpisode& episode = *m_window.GetEpisode();
    episode.windowPackets = static_cast<double>(std::min(m_cc->GetWindow(), m_bdpBytes)) /
                            static_cast<double>(m_nic.payloadBytes);
    episode.hasBacklog = m_window.GetEnd() < m_ranges.GetSendEnd();
}

void
SendingPdc::ArmLossTimer()
{
    if (m_window.GetEpisode())
    {
        DescribeEpisode();
    }
    int64_t atPs = m_reliability->GetTimerPs(m_window);
    if (atPs == FabricTime::NEVER)
    {
        atPs = GetProbePs();
    }
    if (atPs < m_lossTimerPs)
    {
        m_lossTimerPs = atPs; // one that is armed too early finds nothing, and is armed anew
        Arm(LOSS_TIMER, atPs);
    }
}

int64_t
SendingPdc::GetProbePs() const
{
    if (m_probe.IsWanted() || m_window.GetNInFlight() == 0)
    {
        return FabricTime::NEVER;
    }
    const int64_t delayPs =
        m_reliability->GetProbeDelayPs(m_window, m_ackTimeout.GetSmoothedPs(), m_baseRttPs);
    if (delayPs == FabricTime::NEVER)
    {
        return FabricTime::NEVER;
    }
    const int64_t duePs = m_probe.GetDuePs(m_lastSendPs, delayPs + GetAckDelayPs());
    return duePs < m_timeoutPs ? duePs : FabricTime::NEVER; // what the time-out finds first
}

void
SendingPdc::HandleLossTimer(int64_t nowPs)
{
    if (nowPs != m_lossTimerPs)
    {
        return; // replaced by an earlier entry
    }
    m_lossTimerPs = FabricTime::NEVER;
    if (m_window.GetEpisode())
    {
        DescribeEpisode(); // the last packet may have left since, and then a probe is due sooner
    }
    const uint64_t lost = m_reliability->OnTimer(m_window, nowPs);
    if (m_reliability->GetTimerPs(m_window) == FabricTime::NEVER && GetProbePs() <= nowPs)
    {
        if (IsHeldBack())
        {
            m_probe.Defer(nowPs); // what is behind it cannot have been answered
        }
        else
        {
            m_asks = false;
            m_probe.Want();
        }
    }
    ArmLossTimer();
    if (lost > 0)
    {
        NS_LOG_INFO(*this << ": finds " << lost << " packets lost, as nothing comes");
        TellLosses(nowPs);
        m_cc->TellLoss(nowPs, AccountLost(lost));
    }
}

void
SendingPdc::OnTimer(uint8_t timer, int64_t nowPs)
{
    if (timer == 0)
    {
        HandleTimeout(nowPs);
    }
    else if (timer == LOSS_TIMER)
    {
        HandleLossTimer(nowPs);
    }
    else if (m_ccTimers[timer - 1] == nowPs)
    {
        m_ccTimers[timer - 1] = FabricTime::NEVER;
        m_cc->TellTimer(timer - 1, nowPs);
    }
    else
    {
        return; // replaced or cancelled
    }
    m_nic.Activate(*this);
}

void
SendingPdc::Arm(uint8_t timer, int64_t atPs)
{
    m_nic.Arm(atPs, CalendarKind::TIMER, m_number * TIMER_IDS + timer);
}

void
SendingPdc::SetTimer(uint8_t timer, int64_t atPs)
{
    if (m_ccTimers[timer] != atPs)
    {
        m_ccTimers[timer] = atPs;
        Arm(timer + 1, atPs);
    }
}

void
SendingPdc::CancelTimer(uint8_t timer)
{
    m_ccTimers[timer] = FabricTime::NEVER;
}

void
SendingPdc::Ask()
{
    m_asks = true;
    m_probe.Want(); // whatever has led here activates the PDC
}

void
SendingPdc::NoteDemand(bool begins)
{
    m_nic.GetSendingPdcs().NoteDemand(begins);
}

uint32_t
SendingPdc::GetNDemands() const
{
    return m_nic.GetSendingPdcs().GetNDemands();
}

void
SendingPdc::RateChanged()
{
    m_nic.Activate(*this);
}

void
SendingPdc::Print(std::ostream& os) const
{
    os << m_nic << " pdc " << m_number << " to " << m_dst;
}

SendingPdc::Told&
SendingPdc::GetTold()
{
    if (!m_told)
    {
        m_told = std::make_unique<Told>();
    }
    return *m_told;
}

void
SendingPdc::TellState()
{
    TellChange(*this, m_traces.stateTrace, GetTold().state, m_state);
}

void
SendingPdc::TellChanges()
{
    Told& told = GetTold();
    const uint64_t window = m_cc->GetWindow();
    TellChange(*this,
               m_traces.windowTrace,
               told.windowBytes,
               window == CongestionControl::UNLIMITED ? 0 : window);
    TellChange(*this,
               m_traces.rateTrace,
               told.rate,
               DataRate(static_cast<uint64_t>(m_cc->GetRate() + 0.5)));
    TellChange(*this, m_traces.rttTrace, told.rtt, FabricTime::FromPs(m_rttPs));
}

std::vector<FabricMessageEvent>
SendingPdc::GetOpenMessages() const
{
    std::vector<FabricMessageEvent> events;
    for (const SendRange& range : m_ranges.Get())
    {
        if (range.outgoing || range.isVoid)
        {
            continue;
        }
        const uint64_t sent = std::max(m_window.GetEnd(), range.firstSeq) - range.firstSeq;
        FabricMessageEvent event = MakeEvent(range);
        event.packetsSent = std::min(sent, range.nPackets) + range.resent;
        events.push_back(event);
    }
    if (m_outgoing)
    {
        for (const auto& [key, message] : m_outgoing->Get())
        {
            events.push_back(m_nic.GetMessages().MakeEvent(message, m_dst));
            events.back().pdc = m_number;
        }
    }
    if (!events.empty())
    {
        events.front().reductions += m_cc->GetReductions() - m_toldReductions;
    }
    return events;
}

} // namespace ns3
