// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-messages.h"

#include "fabric-nic.h"

#include "ns3/fabric-error.h"
#include "ns3/log.h"

#include <algorithm>
#include <utility>

namespace ns3
{

LogComponent FabricMessages::g_log("FabricMessages", __FILE__);

FabricMessages::FabricMessages(FabricNic& nic)
    : m_nic(nic)
{
}

FabricMessages::~FabricMessages() = default;

void
FabricMessages::Clear()
{
    NS_LOG_FUNCTION(this);
    m_onDelivered = nullptr;
    m_onCompleted = nullptr;
    m_onStarted = nullptr;
    m_onSend = nullptr;
    m_onReceive = nullptr;
    m_matcher.reset();
}

void
FabricMessages::Check(uint32_t dst, uint64_t bytes, int priority) const
{
    if (bytes == 0)
    {
        throw FabricError("ns3::FabricMessages::Send: a message needs at least 1 byte");
    }
    if (dst == m_nic.GetAddress())
    {
        throw FabricError("ns3::FabricMessages::Send: host " + std::to_string(dst) +
                          " cannot send a message to itself");
    }
    if (m_nic.isHost && !m_nic.isHost(dst))
    {
        throw FabricError("ns3::FabricMessages::Send: no host has the address " +
                          std::to_string(dst));
    }
    if (priority > 7)
    {
        throw FabricError("ns3::FabricMessages::Send: class " + std::to_string(priority) +
                          " must be 0 to 7");
    }
}

void
FabricMessages::Send(uint32_t dst, uint64_t bytes, uint32_t tag, int priority, uint32_t queuePair)
{
    NS_LOG_FUNCTION(this << dst << bytes << tag << priority << queuePair);
    Check(dst, bytes, priority);
    if (!m_nic.IsInitialized())
    {
        // the simulation has not begun
        SendAt(m_nic.GetNowPs(), dst, bytes, tag, priority, queuePair);
        return;
    }
    OutgoingMessage message;
    message.bytes = bytes;
    message.tag = tag;
    message.queuePair = queuePair;
    if (m_matcher)
    {
        SendMatched(dst, message, priority);
        return;
    }
    message.startPs = m_nic.GetNowPs();
    HandOver(
        {dst, priority < 0 ? m_nic.dataClass : static_cast<uint8_t>(priority), false, message});
}

void
FabricMessages::SendAt(int64_t startPs,
                       uint32_t dst,
                       uint64_t bytes,
                       uint32_t tag,
                       int priority,
                       uint32_t queuePair)
{
    NS_LOG_FUNCTION(this << startPs << dst << bytes << tag << priority << queuePair);
    Check(dst, bytes, priority);
    if (startPs < m_nic.GetNowPs())
    {
        throw FabricError("ns3::FabricMessages::SendAt: start at " + std::to_string(startPs) +
                          " ps lies in the past, it is " + std::to_string(m_nic.GetNowPs()) +
                          " ps");
    }
    const int64_t nextPs = m_pending.empty() ? FabricTime::NEVER : m_pending.front().startPs;
    m_pending.push_back(
        {startPs, bytes, tag, dst, queuePair, static_cast<int8_t>(std::max(priority, -1))});
    std::push_heap(m_pending.begin(), m_pending.end());
    if (startPs < nextPs)
    {
        ArmStart();
    }
}

void
FabricMessages::ArmStart()
{
    if (!m_pending.empty())
    {
        m_nic.Arm(m_pending.front().startPs, CalendarKind::TIMER, START_TIMER);
    }
}

void
FabricMessages::OnStartTimer(int64_t nowPs)
{
    for (const Waiting& one : std::exchange(m_early, {}))
    {
        BeginMatched(one);
    }
    bool started = false;
    while (!m_pending.empty() && m_pending.front().startPs <= nowPs)
    {
        std::pop_heap(m_pending.begin(), m_pending.end());
        const PendingStart start = m_pending.back();
        m_pending.pop_back();
        Send(start.dst, start.bytes, start.tag, start.priority, start.queuePair);
        started = true;
    }
    if (started)
    {
        constexpr std::size_t FEW = 1024;
        if (m_pending.capacity() > FEW && m_pending.size() < m_pending.capacity() / 4)
        {
            m_pending.shrink_to_fit(); // what there is at the start of a run is most of its memory
        }
        ArmStart();
    }
}

void
FabricMessages::EnableMatching(const MessageProtocol& protocol, const ObjectFactory& table)
{
    NS_LOG_FUNCTION(this);
    m_nic.GetReceiverGrants().RefuseMatching();
    m_matcher = protocol.MakeMatcher(m_nic, table);
}

void
FabricMessages::SendMatched(uint32_t dst, const OutgoingMessage& message, int priority)
{
    NS_LOG_FUNCTION(this << dst << message.bytes << priority);
    Check(dst, message.bytes, priority);
    if (!m_matcher)
    {
        throw FabricError("ns3::FabricMessages::SendMatched: host " +
                          std::to_string(m_nic.GetAddress()) +
                          " has no match table: call EnableMatching()");
    }
    if (!message.write && m_isTagged.emplace(dst, message.tagged).first->second != message.tagged)
    {
        throw FabricError("ns3::FabricMessages::SendMatched: host " +
                          std::to_string(m_nic.GetAddress()) + " sends messages with match bits " +
                          "to host " + std::to_string(dst) +
                          " and others without: all of a pair "
                          "of hosts have them, or none");
    }
    const Waiting sent = {dst,
                          priority < 0 ? m_nic.dataClass : static_cast<uint8_t>(priority),
                          true,
                          message};
    if (!m_nic.IsInitialized())
    {
        m_early.push_back(sent); // the simulation has not begun
        m_nic.Arm(m_nic.GetNowPs(), CalendarKind::TIMER, START_TIMER);
        return;
    }
    BeginMatched(sent);
}

void
FabricMessages::BeginMatched(Waiting sent)
{
    OutgoingMessage& message = sent.message;
    message.startPs = m_nic.GetNowPs();
    if (message.limitPs != FabricTime::NEVER)
    {
        SetTimer({message.limitPs, MessageTimers::Kind::SEND_LIMIT, 0, message.handle});
    }
    if (m_onStarted && !message.write)
    {
        m_onStarted(MakeEvent(message, sent.dst));
    }
    HandOver(sent);
}

void
FabricMessages::HandOver(const Waiting& sent)
{
    SendingPdc* pdc =
        m_nic.GetSendingPdcs().FindFor(sent.dst, sent.priority, sent.message.queuePair);
    if (!pdc)
    {
        m_deferred.push_back(sent);
        return;
    }
    OutgoingMessage message = sent.message;
    if (sent.matched)
    {
        uint32_t& next = message.write ? m_nextWriteMsn[sent.dst] : m_nextMsn[sent.dst];
        message.msn = m_matcher->GetProtocol().GetInitialMsn() + next++;
        if (message.handle != 0)
        {
            m_operations[message.handle] = {pdc->GetNumber(),
                                            OutgoingMessages::MakeKey(message.msn, message.write)};
        }
        pdc->AddMatched(message);
    }
    else
    {
        pdc->AddMessage(message.bytes, message.tag, message.startPs);
    }
    m_nic.Activate(*pdc);
}

void
FabricMessages::SendDeferred()
{
    NS_LOG_FUNCTION(this);
    while (!m_deferred.empty())
    {
        const Waiting sent = m_deferred.front();
        if (!m_nic.GetSendingPdcs().HasRoomFor(sent.dst, sent.priority, sent.message.queuePair))
        {
            return;
        }
        m_deferred.pop_front();
        HandOver(sent);
    }
}

FabricMessageEvent
FabricMessages::MakeEvent(const OutgoingMessage& message, uint32_t dst) const
{
    FabricMessageEvent event;
    event.tag = message.tag;
    event.src = m_nic.GetAddress();
    event.dst = dst;
    event.bytes = message.bytes;
    event.startPs = message.startPs;
    event.nowPs = m_nic.GetNowPs();
    event.packetsSent = message.packetsSent;
    event.retransmitted = message.resent;
    event.reductions = message.reductions;
    event.handle = message.handle;
    return event;
}

bool
FabricMessages::Abandon(uint64_t handle, MessageStatus status)
{
    NS_LOG_FUNCTION(this << handle);
    for (VectorQueue<Waiting>* waiting : {&m_early, &m_deferred})
    {
        const auto found =
            std::find_if(waiting->begin(), waiting->end(), [handle](const Waiting& one) {
                return one.matched && one.message.handle == handle;
            });
        if (found != waiting->end())
        {
            FabricMessageEvent event = MakeEvent(found->message, found->dst);
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
    SendingPdcs& pdcs = m_nic.GetSendingPdcs();
    pdcs.Get(operation.pdc)->GetOutgoing()->Abandon(operation.message, status);
    pdcs.RetireIfIdle(operation.pdc);
    return true;
}

void
FabricMessages::SetTimer(const MessageTimers::Timer& timer)
{
    if (m_timers.Set(timer))
    {
        m_nic.Arm(timer.atPs, CalendarKind::TIMER, TIMER);
    }
}

void
FabricMessages::OnTimer(int64_t nowPs)
{
    MessageTimers::Timer timer{};
    bool any = false;
    while (m_timers.TakeDue(nowPs, timer))
    {
        any = true;
        switch (timer.kind)
        {
        case MessageTimers::Kind::RTS:
            if (ReceivingPdc* pdc = m_nic.GetReceivingPdcs().Peek(timer.pdc))
            {
                pdc->OnRequestTimer(nowPs);
            }
            break;
        case MessageTimers::Kind::IDLE_SENDER:
            m_nic.GetSendingPdcs().OnIdleTimer(timer.pdc, nowPs);
            break;
        case MessageTimers::Kind::IDLE_RECEIVER:
            m_nic.GetReceivingPdcs().OnIdleTimer(timer.pdc, nowPs);
            break;
        case MessageTimers::Kind::SEND_LIMIT:
            Abandon(timer.number, MessageStatus::TIMED_OUT);
            break;
        case MessageTimers::Kind::RECEIVE_LIMIT:
            m_matcher->Expire(timer.number);
            break;
        case MessageTimers::Kind::RESUME:
            m_nic.GetSendingPdcs().ReleaseEarlier(timer.pdc, nowPs);
            break;
        case MessageTimers::Kind::POST:
            m_matcher->PostDue(timer.number);
            break;
        case MessageTimers::Kind::CLOSE:
            m_nic.GetCloses().OnTimer(timer.pdc, nowPs);
            break;
        case MessageTimers::Kind::DEPARTURE:
            if (SendingPdc* pdc = m_nic.GetSendingPdcs().Get(timer.pdc))
            {
                pdc->OnDeparture(timer.number, nowPs);
                m_nic.GetSendingPdcs().RetireIfIdle(timer.pdc);
            }
            break;
        case MessageTimers::Kind::RETRY:
        case MessageTimers::Kind::PROBE:
            if (SendingPdc* pdc = m_nic.GetSendingPdcs().Get(timer.pdc))
            {
                pdc->GetOutgoing()->OnTimer(timer.number, nowPs);
                m_nic.GetSendingPdcs().RetireIfIdle(timer.pdc);
            }
            break;
        }
    }
    if (any && m_timers.GetNextPs() != FabricTime::NEVER)
    {
        m_nic.Arm(m_timers.GetNextPs(), CalendarKind::TIMER, TIMER);
    }
}

void
FabricMessages::NotifyCompleted(const FabricMessageEvent& event)
{
    m_nic.m_completedTrace(event);
    if (m_onCompleted)
    {
        m_onCompleted(event);
    }
}

void
FabricMessages::NotifyDelivered(const FabricMessageEvent& event)
{
    m_nic.m_deliveredTrace(event);
    if (m_onDelivered)
    {
        m_onDelivered(event);
    }
}

void
FabricMessages::NotifySend(const FabricMessageEvent& event)
{
    m_operations.erase(event.handle);
    if (m_onSend)
    {
        m_onSend(event);
    }
}

void
FabricMessages::NotifyReceive(const FabricMessageEvent& event)
{
    if (m_onReceive)
    {
        m_onReceive(event);
    }
}

void
FabricMessages::NoteState(uint32_t peer,
                          uint32_t msn,
                          uint8_t epoch,
                          bool sender,
                          MessageState from,
                          MessageState to)
{
    NS_LOG_INFO(m_nic << ": message " << msn << '.' << +epoch << (sender ? " to " : " from ")
                      << peer << ", state " << from << " to " << to);
    if (!m_nic.m_messageStateTrace.IsEmpty())
    {
        m_nic.m_messageStateTrace({peer, msn, epoch, sender, from, to, m_nic.GetNowPs()});
    }
}

} // namespace ns3
