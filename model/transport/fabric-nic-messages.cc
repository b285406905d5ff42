// SPDX-License-Identifier: GPL-2.0-only
// Matched messages: what FabricNic does between its PDCs, the matcher and the semantic layer.
#include "fabric-nic.h"

#include "ns3/fabric-error.h"

#include <algorithm>

namespace ns3
{

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
    if (m_schedules.empty())
    {
        m_early.push_back({dst, message, priority}); // the simulation has not begun
        Arm(GetNowPs(), CalendarKind::TIMER, START_TIMER);
        return;
    }
    uint32_t& next = message.write ? m_nextWriteMsn[dst] : m_nextMsn[dst];
    message.msn = m_matcher->GetProtocol().GetInitialMsn() + next++;
    if (m_onStarted && !message.write)
    {
        FabricMessageEvent event;
        event.tag = message.tag;
        event.src = GetAddress();
        event.dst = dst;
        event.bytes = message.bytes;
        event.startPs = event.nowPs = GetNowPs();
        event.handle = message.handle;
        m_onStarted(event);
    }
    SendingPdc& pdc = GetPdcFor(dst, priority < 0 ? m_dataClass : static_cast<uint8_t>(priority));
    pdc.AddMatched(message);
    Activate(pdc);
}

void
FabricNic::SendEarly()
{
    const std::vector<EarlySend> early = std::move(m_early);
    m_early.clear();
    for (const EarlySend& one : early)
    {
        SendMatched(one.dst, one.message, one.priority);
    }
}

bool
FabricNic::Abandon(uint64_t handle, MessageStatus status)
{
    const auto early = std::find_if(m_early.begin(), m_early.end(), [handle](const EarlySend& one) {
        return one.message.handle == handle;
    });
    if (early != m_early.end())
    {
        FabricMessageEvent event;
        event.tag = early->message.tag;
        event.src = GetAddress();
        event.dst = early->dst;
        event.bytes = early->message.bytes;
        event.startPs = event.nowPs = GetNowPs();
        event.handle = handle;
        event.status = status;
        m_early.erase(early);
        NotifySend(event);
        return true;
    }
    for (const auto& pdc : m_senders)
    {
        if (pdc && pdc->GetOutgoing() && pdc->GetOutgoing()->Abandon(handle, status))
        {
            return true;
        }
    }
    return false;
}

void
FabricNic::HoldTarget(uint32_t dst, bool held)
{
    if (held ? !m_heldTargets.insert(dst).second : m_heldTargets.erase(dst) == 0)
    {
        return; // nothing changes
    }
    for (const auto& pdc : m_senders)
    {
        if (pdc && pdc->GetDestination() == dst)
        {
            pdc->SetHeld(held);
            Activate(*pdc);
        }
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
            if (ReceivingPdc* pdc = GetReceivingPdc(timer.pdc))
            {
                pdc->OnRequestTimer(nowPs);
            }
            break;
        case MessageTimers::Kind::RECEIVE_LIMIT:
            m_matcher->Expire(timer.number);
            break;
        case MessageTimers::Kind::POST:
            m_matcher->PostDue(timer.number);
            break;
        case MessageTimers::Kind::RETRY:
        case MessageTimers::Kind::PROBE:
        case MessageTimers::Kind::SEND_LIMIT:
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

ReceivingPdc*
FabricNic::GetReceivingPdc(uint32_t number) const
{
    return number < m_receivers.size() ? m_receivers[number].get() : nullptr;
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
    if (!m_messageStateTrace.IsEmpty())
    {
        m_messageStateTrace({peer, msn, epoch, sender, from, to, GetNowPs()});
    }
}

} // namespace ns3
