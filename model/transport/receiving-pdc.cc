// SPDX-License-Identifier: GPL-2.0-only
#include "receiving-pdc.h"

#include "fabric-nic.h"
#include "message-matcher.h"

#include "ns3/log.h"
#include "ns3/matching-packets.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ns3
{

LogComponent ReceivingPdc::g_log("ReceivingPdc", __FILE__);

ReceivingPdc::ReceivingPdc(FabricNic& nic,
                           uint32_t number,
                           uint32_t src,
                           uint32_t sourcePdc,
                           uint64_t expected)
    : m_nic(nic),
      m_window(expected),
      m_number(number),
      m_src(src),
      m_sourcePdc(sourcePdc),
      m_initialPsn(nic.initialPsn),
      m_lastCnpPs(std::numeric_limits<int64_t>::min() / 2)
{
    NS_LOG_FUNCTION(this << number << src << sourcePdc << expected);
}

void
ReceivingPdc::OnData(Ptr<FabricPacketItem> item, MatchEntry* entry, int64_t nowPs)
{
    const int64_t extended =
        PacketSequence::FromWire(item->psn, m_initialPsn, m_window.GetExpected());
    const auto seq = static_cast<uint64_t>(extended);
    if (item->IsTrimmed())
    {
        ++m_nic.Count().dataTrimmed;
        if (extended >= 0 && !m_window.HasArrived(seq))
        {
            OnTrimmed(*item, seq);
        }
        else
        {
            Answer(std::move(item), FabricPacketType::ACK, seq); // it is not missed
        }
        return;
    }
    const bool marked = item->IsMarked();
    ++m_covered;
    m_marked += marked;
    CnpSender& cnps = m_nic.GetCnps();
    if ((cnps.IsOver(*item, nowPs) || marked) && cnps.IsDue(m_lastCnpPs, nowPs))
    {
        m_lastCnpPs = nowPs;
        cnps.Send(*item, m_src, m_sourcePdc, nowPs);
    }

    const bool matched = item->IsMatched();
    if (extended < 0 || m_window.HasArrived(seq))
    {
        if (matched)
        {
            // it may have been refused before
            OnMatched(std::move(item), entry, seq, false, false, nowPs);
            return;
        }
        ++m_nic.Count().dataDuplicate;
        Answer(std::move(item), FabricPacketType::ACK, seq);
        return;
    }
    if (seq != m_window.GetExpected() && !m_nic.reliability->AcceptsOutOfOrder())
    {
        m_nic.Drop(*item, DropReason::OUT_OF_ORDER, m_nic.GetPort(item->ingressPort));
        // One NACK for each gap; again if the sender has gone back and the packet is missing once
        // more, and again after a while, as the NACK may have been lost.
        const bool told = m_nackedFor == m_window.GetExpected() && seq > m_lastEarly;
        m_lastEarly = seq;
        if (!told || nowPs >= m_renackPs)
        {
            NS_LOG_INFO(m_nic << " pdc " << m_number << " from " << m_src << ": NACK, packet "
                              << m_window.GetExpected() << " is missing before " << seq);
            m_nackedFor = m_window.GetExpected();
            m_renackPs = nowPs + m_nic.reliability->GetNackIntervalPs(m_nic.GetPairRttPs(m_src));
            Answer(std::move(item), FabricPacketType::NACK, seq);
        }
        return;
    }
    const OrderLimits limits = m_nic.GetOrderLimits();
    if (limits.IsSet())
    {
        if (!limits.Covers(m_window, seq, m_holes))
        {
            NS_LOG_INFO(m_nic << " pdc " << m_number << " from " << m_src
                              << ": cannot track packet " << seq << " with "
                              << m_window.GetExpected() << " missing");
            m_nic.Drop(*item, DropReason::OUT_OF_ORDER, m_nic.GetPort(item->ingressPort));
            return;
        }
        m_holes += OrderLimits::CountNewHoles(m_window, seq);
    }
    const bool late = seq + 1 < m_window.GetHighest();
    const bool inOrder = seq == m_window.GetExpected() && m_window.GetNEarly() == 0;
    m_window.Arrive(seq);
    if (matched)
    {
        OnMatched(std::move(item), entry, seq, late, inOrder, nowPs);
        return;
    }
    if (item->flags & FabricPacketItem::FLAG_VOID)
    {
        ++m_nic.Count().dataVoid;
        m_nic.GetMessages().GetMatcher()->OnVoid(*item, *this);
        Answer(std::move(item), FabricPacketType::ACK, seq);
        return;
    }
    const bool answer = IsAnswerDue(*item, seq, inOrder);
    const bool complete = Place(*item, late);
    if (answer)
    {
        Answer(std::move(item), FabricPacketType::ACK, seq);
    }
    if (complete)
    {
        Deliver(nowPs); // after the answer, so that what the listener sends comes behind it
    }
}

bool
ReceivingPdc::IsAnswerDue(const FabricPacketItem& item, uint64_t seq, bool inOrder)
{
    // at once also while packets are missing, and to the one that fills the gap
    const bool due =
        m_nic.ackBytes > 0
            ? m_byBytes.IsDue(item, seq, m_window, m_nic.ackBytes)
            : m_covered >= m_nic.ackEvery || !inOrder ||
                  (item.flags & (FabricPacketItem::FLAG_LAST | FabricPacketItem::FLAG_ACK_REQUEST));
    return due || (m_nic.ackMarked && item.IsMarked());
}

void
ReceivingPdc::OnMatched(Ptr<FabricPacketItem> item,
                        MatchEntry* entry,
                        uint64_t seq,
                        bool late,
                        bool inOrder,
                        int64_t nowPs)
{
    m_port = item->ingressPort;
    m_entropy = item->entropy;
    m_flowHash = item->flowHash;
    MessageMatcher& matcher = *m_nic.GetMessages().GetMatcher();
    const MessageMatcher::Verdict verdict = matcher.OnData(entry, *item, *this, late);
    switch (verdict)
    {
    case MessageMatcher::Verdict::REFUSED:
        Answer(std::move(item), matcher.GetProtocol().GetRefusal(), seq);
        return;
    case MessageMatcher::Verdict::PLACED:
        if (IsAnswerDue(*item, seq, inOrder))
        {
            Answer(std::move(item), FabricPacketType::ACK, seq);
        }
        return;
    case MessageMatcher::Verdict::COMPLETED:
        Answer(std::move(item), FabricPacketType::ACK, seq, true);
        matcher.Deliver(nowPs); // after the answer, so that what the listener sends comes behind it
        return;
    case MessageMatcher::Verdict::KNOWN:
        Answer(std::move(item), FabricPacketType::ACK, seq, true);
        return;
    }
}

void
ReceivingPdc::BeginMessage()
{
    NS_LOG_FUNCTION(this);
    if (++m_matched == 1)
    {
        m_nic.GetReceivingPdcs().NoteActive(true);
    }
}

void
ReceivingPdc::EndMessage()
{
    NS_LOG_FUNCTION(this);
    if (--m_matched == 0)
    {
        m_nic.GetReceivingPdcs().NoteActive(false);
    }
}

void
ReceivingPdc::RequestSend(const RtsFields& request)
{
    NS_LOG_FUNCTION(this << request.msn);
    m_refused.erase(request.msn);
    m_nic.GetReceivingPdcs().NoteRequest(m_src, request.msn, m_number);
    m_requests.push_back(request);
    if (m_requests.size() == 1)
    {
        m_requestSent = 0;
        SendRequest();
    }
}

void
ReceivingPdc::SendRequest()
{
    NS_LOG_FUNCTION(this);
    Ptr<FabricPacketItem> rts = FabricPacketItem::Create(FabricPacketType::RTS);
    rts->dst = m_src;
    rts->pdc = m_sourcePdc;
    rts->entropy = m_entropy;
    rts->flowHash = m_flowHash;
    MessageMatcher& matcher = *m_nic.GetMessages().GetMatcher();
    RtsFields& request = m_requests.front();
    request.offset = std::max(request.offset, matcher.GetRestartOffset(m_src, request.msn));
    rts->As<RtsFields>() = request;
    rts->size = m_nic.wire->GetRtsBytes();
    ++m_requestSent;
    ++m_nic.Count().rtsSent;
    m_requestPs = m_nic.GetNowPs() + matcher.GetProtocol().GetRtsDelayPs(m_requestSent);
    m_nic.GetMessages().SetTimer({m_requestPs, MessageTimers::Kind::RTS, m_number, 0});
    m_nic.SendControl(std::move(rts), m_port);
}

void
ReceivingPdc::OnRequestTimer(int64_t nowPs)
{
    NS_LOG_FUNCTION(this << nowPs);
    if (!m_requests.empty() && nowPs == m_requestPs)
    {
        SendRequest();
    }
}

void
ReceivingPdc::EndRequest(uint32_t msn, uint8_t epoch)
{
    NS_LOG_FUNCTION(this << msn << +epoch);
    for (const auto& request : m_requests)
    {
        if (request.msn == msn && request.epoch == epoch)
        {
            CancelRequest(msn);
            return;
        }
    }
}

void
ReceivingPdc::CancelRequest(uint32_t msn)
{
    NS_LOG_FUNCTION(this << msn);
    const auto found = std::find_if(m_requests.begin(),
                                    m_requests.end(),
                                    [msn](const auto& request) { return request.msn == msn; });
    if (found == m_requests.end())
    {
        return;
    }
    m_nic.GetReceivingPdcs().ForgetRequest(m_src, msn, m_number);
    const bool active = found == m_requests.begin();
    if (active)
    {
        m_requests.pop_front();
    }
    else
    {
        m_requests.erase(found);
    }
    if (active && !m_requests.empty())
    {
        m_requestSent = 0;
        SendRequest();
    }
}

bool
ReceivingPdc::Place(const FabricPacketItem& item, bool late)
{
    const uint32_t msn = item.data.msn;
    auto message = std::find_if(m_inbound.begin(), m_inbound.end(), [msn](const Inbound& inbound) {
        return inbound.msn == msn;
    });
    if (message == m_inbound.end())
    {
        if (m_inbound.empty())
        {
            m_nic.GetReceivingPdcs().NoteActive(true);
        }
        m_inbound.push_back(
            {msn, item.data.tag, item.data.messageBytes, item.data.messageBytes, 0});
        message = m_inbound.end() - 1;
    }
    m_nic.CountDelivered(item);
    if (late && !(item.flags & FabricPacketItem::FLAG_RETRANSMISSION))
    {
        ++m_nic.Count().reordered;
        ++message->reordered;
    }
    message->missing -= item.data.payloadBytes;
    if (message->missing > 0)
    {
        return false;
    }
    if (m_inbound.size() == 1)
    {
        m_nic.GetReceivingPdcs().NoteActive(false);
    }
    std::swap(*message, m_inbound.back());
    return true;
}

void
ReceivingPdc::Deliver(int64_t nowPs)
{
    const Inbound message = m_inbound.back();
    m_inbound.pop_back();
    FabricMessageEvent event;
    event.tag = message.tag;
    event.src = m_src;
    event.dst = m_nic.GetAddress();
    event.bytes = message.bytes;
    event.nowPs = nowPs;
    event.reordered = message.reordered;
    m_nic.GetMessages().NotifyDelivered(event);
}

void
ReceivingPdc::OnTrimmed(const FabricPacketItem& item, uint64_t seq)
{
    NS_LOG_LOGIC(m_nic << " pdc " << m_number << " from " << m_src << ": NACK of trimmed packet "
                       << seq);
    // Of packets that have arrived it tells nothing new: their own answers do, with their marks.
    Ptr<FabricPacketItem> nack = FabricPacketItem::Create(FabricPacketType::NACK);
    nack->dst = m_src;
    nack->pdc = m_sourcePdc;
    nack->psn = PacketSequence::ToWire(m_window.GetExpected(), m_initialPsn);
    nack->EchoPath(item);
    nack->ack.sackBase = nack->psn;
    nack->ack.triggerPsn = item.psn;
    nack->ack.targetPdc = m_number;
    nack->ack.code = item.GetTrimCode();
    nack->size = m_nic.wire->GetNackBytes();
    ++m_nic.Count().acksSent;
    m_nic.SendControl(std::move(nack), item.ingressPort);
}

void
ReceivingPdc::Answer(Ptr<FabricPacketItem> item, FabricPacketType type, uint64_t seq, bool complete)
{
    Ptr<FabricPacketItem> ack = item;
    if (item->GetReferenceCount() > 2)
    {
        // somebody else, a trace perhaps, holds the data packet: leave it as it is
        ack = FabricPacketItem::Create(type);
        ack->EchoPath(*item);
        ack->ingressPort = item->ingressPort;
        ack->ds = item->ds;
        ack->flags = item->flags;
        ack->CopyInt(*item);
    }
    const FabricPacketItem& data = *PeekPointer(item);
    FabricPacketItem& answer = *PeekPointer(ack); // may be the same
    const uint16_t port = data.ingressPort;
    const bool marked = data.IsMarked();
    const bool withInt = data.flags & FabricPacketItem::FLAG_INT;
    const uint32_t write = data.flags & FabricPacketItem::FLAG_WRITE;
    const bool refusal = type == FabricPacketType::RTW || type == FabricPacketType::RNR;
    const uint8_t epoch = data.data.epoch;
    const uint32_t msn = data.data.msn;
    answer.type = type;
    answer.dst = m_src;
    answer.pdc = m_sourcePdc;
    answer.psn = PacketSequence::ToWire(m_window.GetExpected(), m_initialPsn);
    uint64_t sackBase = 0;
    const uint64_t bitmap = m_window.MakeSack(seq, sackBase);
    answer.ack = {bitmap,
                  PacketSequence::ToWire(sackBase, m_initialPsn),
                  PacketSequence::ToWire(seq, m_initialPsn),
                  m_covered,
                  m_marked,
                  m_number,
                  static_cast<uint16_t>(
                      std::min<uint32_t>(m_nic.GetReceivingPdcs().GetNActive(), UINT16_MAX)),
                  epoch,
                  NackCode::OUT_OF_ORDER,
                  msn};
    m_covered = 0;
    m_marked = 0;
    m_byBytes.OnAnswer();
    // see OnTransmit(); a data packet may have had a demand there
    answer.echoDelayNs =
        m_nic.echoDelay ? static_cast<uint32_t>(m_nic.GetDataArrivalPs() / 1000) : 0;
    answer.flags = (marked ? FabricPacketItem::FLAG_ECHO_MARK : 0) |
                   (withInt ? FabricPacketItem::FLAG_INT : 0) |
                   (complete ? FabricPacketItem::FLAG_COMPLETE | write : 0);
    const WireFormat& wire = *m_nic.wire;
    answer.size = (refusal || complete             ? wire.GetRefusalBytes()
                   : type == FabricPacketType::ACK ? wire.GetAckBytes()
                                                   : wire.GetNackBytes()) +
                  (withInt ? wire.GetAckIntBytes(answer.intCount, m_nic.intFormat->IsExact()) : 0);
    auto& counters = m_nic.Count();
    ++counters.acksSent;
    counters.rtwSent += type == FabricPacketType::RTW;
    counters.rnrSent += type == FabricPacketType::RNR;
    m_nic.SendControl(std::move(ack), port);
}

} // namespace ns3
