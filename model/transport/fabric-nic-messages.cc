// SPDX-License-Identifier: GPL-2.0-only
// Matched messages: what FabricNic does between its PDCs, the matcher and the semantic layer.
#include "fabric-nic.h"

#include "ns3/fabric-error.h"
#include "ns3/log.h"

#include <algorithm>

namespace ns3
{

namespace
{

/**
 * @param message it
 * @param src sender
 * @param dst receiver
 * @param nowPs time
 * @return what there is to tell of a message that no PDC has yet
 */
FabricMessageEvent
MakeEvent(const OutgoingMessage& message, uint32_t src, uint32_t dst, int64_t nowPs)
{
    FabricMessageEvent event;
    event.tag = message.tag;
    event.src = src;
    event.dst = dst;
    event.bytes = message.bytes;
    event.startPs = message.startPs;
    event.nowPs = nowPs;
    event.handle = message.handle;
    return event;
}

} // namespace

void
FabricNic::EnableMatching(Ptr<MatchTable> table, Ptr<MessageProtocol> protocol)
{
    m_matcher = std::make_unique<MessageMatcher>(*this, table, protocol);
}

void
FabricNic::SendMatched(uint32_t dst, OutgoingMessage message, int priority)
{
    CheckMessage(dst, message.bytes, priority);
    if (!m_matcher)
    {
        throw FabricError("ns3::FabricNic::SendMatched: host " + std::to_string(GetAddress()) +
                          " has no match table: call EnableMatching()");
    }
    const uint8_t presentClass = priority < 0 ? m_dataClass : static_cast<uint8_t>(priority);
    const DeferredMessage sent = {dst, presentClass, true, message};
    if (m_schedules.empty())
    {
        m_early.push_back(sent); // the simulation has not begun
        Arm(GetNowPs(), CalendarKind::TIMER, START_TIMER);
        return;
    }
    BeginMatched(sent);
}

void
FabricNic::BeginMatched(DeferredMessage sent)
{
    OutgoingMessage& message = sent.message;
    message.startPs = GetNowPs();
    if (message.limitPs != FabricTime::NEVER)
    {
        SetMessageTimer({message.limitPs, MessageTimers::Kind::SEND_LIMIT, 0, message.handle});
    }
    if (m_onStarted && !message.write)
    {
        m_onStarted(MakeEvent(message, GetAddress(), sent.dst, GetNowPs()));
    }
    HandOver(sent);
}

void
FabricNic::SendEarly()
{
    const std::deque<DeferredMessage> early = std::move(m_early);
    m_early.clear();
    for (const DeferredMessage& one : early)
    {
        BeginMatched(one);
    }
}

bool
FabricNic::Abandon(uint64_t handle, MessageStatus status)
{
    for (std::deque<DeferredMessage>* waiting : {&m_early, &m_deferred})
    {
        const auto found =
            std::find_if(waiting->begin(), waiting->end(), [handle](const DeferredMessage& one) {
                return one.matched && one.message.handle == handle;
            });
        if (found != waiting->end())
        {
            FabricMessageEvent event =
                MakeEvent(found->message, GetAddress(), found->dst, GetNowPs());
            event.status = status;
            waiting->erase(found);
            NotifySend(event);
            return true;
        }
    }
    const auto known = m_operations.find(handle);
    if (known == m_operations.end())
    {
        return false;
    }
    const Operation operation = known->second;
    m_senders[operation.pdc]->GetOutgoing()->Abandon(operation.message, status);
    RetireIfIdle(operation.pdc);
    return true;
}

void
FabricNic::AnswerVainRequest(const FabricPacketItem& rts)
{
    // if there is no PDC for it, a later repetition is answered
    if (SendingPdc* pdc = m_matcher ? FindPdcFor(rts.src, m_dataClass) : nullptr)
    {
        pdc->AddEmptyRange(rts.rts.msn, rts.rts.epoch);
    }
}

void
FabricNic::HoldTarget(uint32_t dst, uint32_t msn)
{
    const auto [held, added] = m_heldTargets.emplace(dst, msn);
    if (!added && static_cast<int32_t>(msn - held->second) >= 0)
    {
        return; // nothing changes
    }
    held->second = msn;
    for (const uint32_t number : m_sendersTo[dst])
    {
        m_senders[number]->SetHeld(msn);
    }
}

void
FabricNic::ReleaseTarget(uint32_t dst)
{
    if (m_heldTargets.erase(dst) == 0)
    {
        return;
    }
    for (const uint32_t number : m_sendersTo[dst])
    {
        m_senders[number]->SetHeld({});
        Activate(*m_senders[number]);
    }
}

void
FabricNic::ReleaseTargetFrom(uint32_t dst, uint32_t msn)
{
    const auto held = m_heldTargets.find(dst);
    if (held != m_heldTargets.end() && held->second == msn)
    {
        ReleaseTarget(dst);
    }
}

void
FabricNic::SetMessageTimer(const MessageTimers::Timer& timer)
{
    if (m_messageTimers.Set(timer))
    {
        Arm(timer.atPs, CalendarKind::TIMER, MESSAGE_TIMER);
    }
}

void
FabricNic::HandleMessageTimers(int64_t nowPs)
{
    MessageTimers::Timer timer{};
    bool any = false;
    while (m_messageTimers.TakeDue(nowPs, timer))
    {
        any = true;
        switch (timer.kind)
        {
        case MessageTimers::Kind::RTS:
            if (ReceivingPdc* pdc = m_receivers.Peek(timer.pdc))
            {
                pdc->OnRequestTimer(nowPs);
            }
            break;
        case MessageTimers::Kind::IDLE_SENDER:
            RemoveIdleSender(timer.pdc, nowPs);
            break;
        case MessageTimers::Kind::IDLE_RECEIVER:
            m_receivers.OnIdleTimer(timer.pdc, nowPs);
            break;
        case MessageTimers::Kind::SEND_LIMIT:
            Abandon(timer.number, MessageStatus::TIMED_OUT);
            break;
        case MessageTimers::Kind::RECEIVE_LIMIT:
            m_matcher->Expire(timer.number);
            break;
        case MessageTimers::Kind::POST:
            m_matcher->PostDue(timer.number);
            break;
        case MessageTimers::Kind::RETRY:
        case MessageTimers::Kind::PROBE:
            if (SendingPdc* pdc = m_senders[timer.pdc].get())
            {
                pdc->GetOutgoing()->OnTimer(timer.number, nowPs);
                RetireIfIdle(timer.pdc);
            }
            break;
        }
    }
    if (any && m_messageTimers.GetNextPs() != FabricTime::NEVER)
    {
        Arm(m_messageTimers.GetNextPs(), CalendarKind::TIMER, MESSAGE_TIMER);
    }
}

void
FabricNic::SetStartedCallback(MessageCallback callback)
{
    m_onStarted = std::move(callback);
}

void
FabricNic::SetSendCallback(MessageCallback callback)
{
    m_onSend = std::move(callback);
}

void
FabricNic::SetReceiveCallback(MessageCallback callback)
{
    m_onReceive = std::move(callback);
}

void
FabricNic::NotifySend(const FabricMessageEvent& event)
{
    m_operations.erase(event.handle);
    if (m_onSend)
    {
        m_onSend(event);
    }
}

void
FabricNic::NotifyReceive(const FabricMessageEvent& event)
{
    if (m_onReceive)
    {
        m_onReceive(event);
    }
}

void
FabricNic::TraceMessageState(uint32_t peer,
                             uint32_t msn,
                             uint8_t epoch,
                             bool sender,
                             MessageState from,
                             MessageState to)
{
    NS_LOG_INFO(*this << ": message " << msn << '.' << +epoch << (sender ? " to " : " from ")
                      << peer << ", state " << from << " to " << to);
    if (!m_messageStateTrace.IsEmpty())
    {
        m_messageStateTrace({peer, msn, epoch, sender, from, to, GetNowPs()});
    }
}

} // namespace ns3
