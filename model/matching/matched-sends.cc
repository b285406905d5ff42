// SPDX-License-Identifier: GPL-2.0-only
#include "matched-sends.h"

#include "ns3/fabric-nic.h"
#include "ns3/matching-packets.h"
#include "ns3/sending-pdc.h"

#include <algorithm>

namespace ns3
{

MatchedSends::MatchedSends(FabricNic& nic, SendingPdc& pdc)
    : m_nic(nic),
      m_pdc(pdc)
{
}

void
MatchedSends::SetTimer(const OutgoingMessage& message, MessageTimers::Kind kind, int64_t atPs)
{
    m_nic.GetMessages().SetTimer(
        {atPs, kind, m_pdc.GetNumber(), MakeKey(message.msn, message.write)});
}

void
MatchedSends::Enter(OutgoingMessage& message, MessageState state)
{
    m_nic.GetMessages()
        .NoteState(m_pdc.GetDestination(), message.msn, message.epoch, true, message.state, state);
    message.state = state;
}

void
MatchedSends::Add(const OutgoingMessage& added, uint64_t bdpBytes)
{
    OutgoingMessage& message =
        m_messages.emplace(MakeKey(added.msn, added.write), added).first->second;
    message.eagerBytes = message.bytes;
    if (!message.write && !message.tagged) // match bits take the place of how much comes first
    {
        const uint64_t payload = m_nic.payloadBytes;
        const uint64_t eager = m_nic.GetMessages().GetMatcher()->GetProtocol().GetEagerBytes(
            message.bytes,
            bdpBytes,
            m_pdc.GetCongestionControl()->GetWindow());
        message.eagerBytes = std::min(message.bytes, (eager + payload - 1) / payload * payload);
    }
    Enter(message, MessageState::SENDING);
    m_pdc.GetRanges().AddPart(message, 0, message.eagerBytes, false);
}

void
MatchedSends::Abandon(uint64_t key, MessageStatus status)
{
    Finish(m_messages.at(key), status);
}

void
MatchedSends::OnAnswer(const FabricPacketItem& item)
{
    const auto found =
        m_messages.find(MakeKey(item.ack.msn, item.flags & FabricPacketItem::FLAG_WRITE));
    if (found == m_messages.end())
    {
        return; // over
    }
    OutgoingMessage& message = found->second;
    if (item.type == FabricPacketType::ACK)
    {
        message.confirmed = true;
        m_pdc.GetRanges().Cut(message); // what is not sent yet is not needed any more
        CheckComplete(message);
        return;
    }
    if (item.ack.epoch != message.epoch || message.state != MessageState::SENDING ||
        message.confirmed)
    {
        return; // of an attempt that is over
    }
    ++message.refusals;
    Stop(message);
    const auto& protocol = m_nic.GetMessages().GetMatcher()->GetProtocol();
    const int64_t delayPs = protocol.GetRetryDelayPs(message.refusals);
    if (delayPs >= 0)
    {
        message.retryPs = m_nic.GetNowPs() + delayPs;
        SetTimer(message, MessageTimers::Kind::RETRY, message.retryPs);
    }
    if (protocol.StopsTarget())
    {
        m_nic.GetSendingPdcs().HoldTarget(m_pdc.GetDestination(), message.msn);
    }
}

void
MatchedSends::OnRequest(const FabricPacketItem& item)
{
    const auto& wanted = item.As<RtsFields>();
    const auto found = m_messages.find(MakeKey(wanted.msn, false));
    if (found == m_messages.end())
    {
        m_pdc.GetRanges().AddEmpty(wanted.msn, wanted.epoch,
                                   m_nic.GetNowPs()); // it was given up
        m_nic.Activate(m_pdc);
        return;
    }
    OutgoingMessage& message = found->second;
    if (static_cast<int8_t>(wanted.epoch - message.epoch) <= 0 || message.confirmed)
    {
        return; // repeated, and already followed
    }
    m_nic.GetSendingPdcs().ReleaseTarget(m_pdc.GetDestination());
    if (wanted.offset < message.sentTo && message.state == MessageState::SENDING)
    {
        Stop(message); // the refusal was lost
    }
    Restart(message, wanted.epoch, wanted.offset);
}

void
MatchedSends::Stop(OutgoingMessage& message)
{
    m_pdc.GetRanges().Void(message);
    Enter(message, MessageState::WAITING);
}

void
MatchedSends::Restart(OutgoingMessage& message, uint8_t epoch, uint64_t offset)
{
    message.epoch = epoch;
    message.probed = false;
    message.eagerBytes = message.bytes;
    if (message.state != MessageState::SENDING)
    {
        Enter(message, MessageState::SENDING);
    }
    m_pdc.GetRanges().AddPart(message, offset, message.bytes, true);
    m_nic.Activate(m_pdc);
}

void
MatchedSends::OnRangeAcked(OutgoingMessage& message)
{
    --message.ranges;
    CheckComplete(message);
}

void
MatchedSends::CheckComplete(OutgoingMessage& message)
{
    if (message.ranges > 0)
    {
        return;
    }
    if (message.confirmed)
    {
        Finish(message, MessageStatus::COMPLETE);
    }
    else if (message.state != MessageState::SENDING)
    {
        return;
    }
    else if (message.sentTo < message.bytes)
    {
        Enter(message, MessageState::WAITING); // to be fetched
    }
    else if (message.probed && !m_nic.GetMessages().GetMatcher()->GetProtocol().KeepsCanary())
    {
        // refusals were lost, and the receive was posted meanwhile
        Restart(message, message.epoch + 1, 0);
    }
    else
    {
        message.probePs = m_nic.GetNowPs() + m_pdc.GetAckTimeout().GetPs();
        SetTimer(message, MessageTimers::Kind::PROBE, message.probePs);
    }
}

void
MatchedSends::OnTimer(uint64_t key, int64_t nowPs)
{
    const auto found = m_messages.find(key);
    if (found == m_messages.end())
    {
        return;
    }
    OutgoingMessage& message = found->second;
    if (nowPs == message.retryPs && message.state == MessageState::WAITING)
    {
        message.retryPs = FabricTime::NEVER;
        m_nic.GetSendingPdcs().ReleaseTarget(m_pdc.GetDestination());
        Restart(message, message.epoch + 1, 0);
    }
    else if (nowPs == message.probePs && message.state == MessageState::SENDING &&
             message.ranges == 0)
    {
        message.probePs = FabricTime::NEVER;
        message.probed = true;
        const uint64_t payload = m_nic.payloadBytes;
        m_pdc.GetRanges().AddPart(message,
                                  (message.bytes - 1) / payload * payload,
                                  message.bytes,
                                  true);
        m_nic.Activate(m_pdc);
    }
}

void
MatchedSends::Finish(OutgoingMessage& message, MessageStatus status)
{
    Enter(message,
          status == MessageStatus::COMPLETE ? MessageState::COMPLETE : MessageState::ABANDONED);
    m_pdc.GetRanges().Void(message);
    if (status != MessageStatus::COMPLETE && !message.write)
    {
        m_pdc.GetRanges().AddEmpty(message.msn, message.epoch, m_nic.GetNowPs(), message.tagged);
        m_nic.Activate(m_pdc);
    }
    FabricMessageEvent event = m_nic.GetMessages().MakeEvent(message, m_pdc.GetDestination());
    event.status = status;
    event.pdc = m_pdc.GetNumber();
    const uint32_t msn = message.msn;
    const bool write = message.write;
    m_messages.erase(MakeKey(msn, write));
    if (!write)
    {
        m_nic.GetSendingPdcs().ReleaseTargetFrom(m_pdc.GetDestination(), msn);
    }
    if (status == MessageStatus::COMPLETE)
    {
        m_nic.GetMessages().NotifyCompleted(event);
    }
    if (event.handle != 0)
    {
        m_nic.GetMessages().NotifySend(event);
    }
}

} // namespace ns3
