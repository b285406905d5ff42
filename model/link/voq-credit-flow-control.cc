// SPDX-License-Identifier: GPL-2.0-only
#include "voq-credit-flow-control.h"

#include "fabric-net-device.h"
#include "fabric-time.h"

#include "ns3/link-packets.h"
#include "ns3/log.h"

#include <algorithm>
#include <utility>

namespace ns3
{

LogComponent VoqCreditFlowControl::g_log("VoqCreditFlowControl", __FILE__);

NS_OBJECT_ENSURE_REGISTERED(VoqCreditFlowControl);

TypeId
VoqCreditFlowControl::GetTypeId()
{
    static TypeId tid = TypeId("ns3::VoqCreditFlowControl")
                            .SetParent<CreditFlowControl>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<VoqCreditFlowControl>();
    return tid;
}

void
VoqCreditFlowControl::SetMaxFrameBytes(uint32_t maxFrameBytes)
{
    ComputeSizes(maxFrameBytes, QUEUES_FRAME_BYTES);
    if (EgressGate* gate = m_device->GetGate())
    {
        gate->SetMostUnits(m_maxUnits);
    }
}

void
VoqCreditFlowControl::Start()
{
    if (m_maxUnits == 0)
    {
        return; // of a network whose installation was refused
    }
    if (m_peerUnits == 0)
    {
        Tell(); // as the other end will, which does not know us either
    }
}

uint64_t
VoqCreditFlowControl::GetHeadroomBytes(uint32_t maxFrameBytes) const
{
    // all outputs, and what is consumed at once
    return (uint64_t{m_device->GetActor()->GetNPorts()} + 1) *
           CreditFlowControl::GetHeadroomBytes(maxFrameBytes);
}

VoqCreditFlowControl::Queue
VoqCreditFlowControl::MakeQueue() const
{
    Queue queue;
    queue.egress = {m_initialTotal,
                    m_initialTotal,
                    m_initialTotal + m_peerUnits,
                    0,
                    FabricTime::NEVER};
    queue.ingress = {m_initialTotal, m_initialTotal, m_initialTotal};
    return queue;
}

void
VoqCreditFlowControl::AddQueues(uint32_t number)
{
    while (m_queues.size() <= number)
    {
        m_queues.push_back(MakeQueue());
    }
}

uint16_t
VoqCreditFlowControl::PredictOutput(const FabricPacketItem& item) const
{
    CheckSizes();
    return m_device->GetLink().GetPeer()->GetActor()->PredictPort(item);
}

uint32_t
VoqCreditFlowControl::GetFreshUnits() const
{
    return m_peerUnits;
}

uint32_t
VoqCreditFlowControl::FindOwnQueue(const FabricPacketItem& item, uint8_t priority) const
{
    if (item.output == FabricPacketItem::UNKNOWN_PORT)
    {
        item.output = m_device->GetActor()->PredictPort(item); // it came from another process
    }
    return ToNumber(item.output, priority);
}

void
VoqCreditFlowControl::OnWait(uint32_t queue)
{
    NS_LOG_LOGIC(*m_device << ": waits for credits of queue " << queue);
    ++m_stalls;
    Egress& egress = At(queue).egress;
    egress.askPs = m_device->GetNowPs() + FabricTime::ToPs(m_timeout);
    m_device->ArmTimer(egress.askPs);
}

void
VoqCreditFlowControl::OnOpen(uint32_t queue)
{
    NS_LOG_LOGIC(*m_device << ": has credits of queue " << queue << " again");
    m_queues[queue].egress.askPs = FabricTime::NEVER;
}

PeerRoom*
VoqCreditFlowControl::GetPeerRoom()
{
    return this;
}

void
VoqCreditFlowControl::TellOf(uint32_t number)
{
    Queue& queue = At(number);
    if (!queue.untold)
    {
        queue.untold = true;
        m_untold.push_back(number);
        Tell();
    }
}

Ptr<FabricPacketItem>
VoqCreditFlowControl::MakeFrame()
{
    if (!m_tell)
    {
        return nullptr;
    }
    const bool request = m_request;
    Ptr<FabricPacketItem> frame = StartFrame();
    SetSize(*frame, QUEUES_FRAME_BYTES, std::min(m_untold.size(), frame->credits.size()));
    auto& told = frame->As<CreditFields>();
    told.perQueue = true;
    told.queues.fill(FabricPacketItem::NO_QUEUE);
    frame->credits.fill({0, 0});
    for (std::size_t i = 0; i < frame->credits.size() && !m_untold.empty(); ++i)
    {
        const uint32_t number = m_untold.front();
        m_untold.pop_front();
        Queue& queue = m_queues[number];
        queue.untold = false;
        told.queues[i] = static_cast<uint16_t>(number);
        frame->credits[i] = TakeTotals(queue.egress, queue.ingress);
    }
    if (!m_untold.empty())
    {
        m_request = request;
        Tell();
    }
    return frame;
}

void
VoqCreditFlowControl::ReceiveFrame(const FabricPacketItem& frame)
{
    const auto& told = frame.As<CreditFields>();
    if (m_peerUnits == 0)
    {
        m_peerUnits = told.bufferUnits;
        for (Queue& queue : m_queues)
        {
            queue.egress.limit += m_peerUnits;
        }
        m_device->GetGate()->GrantAll(m_peerUnits);
    }
    for (std::size_t i = 0; i < frame.credits.size(); ++i)
    {
        const uint32_t number = told.queues[i];
        if (number == FabricPacketItem::NO_QUEUE)
        {
            continue;
        }
        Queue& queue = At(number);
        NoteSent(queue.ingress, frame.credits[i].sent);
        if (told.request != 0 || IsReleaseWorthTelling(queue.ingress))
        {
            TellOf(number);
        }
        if (queue.egress.limit != frame.credits[i].limit)
        {
            const uint32_t units = frame.credits[i].limit - queue.egress.limit;
            m_used[number & 7] -= units;
            queue.egress.limit = frame.credits[i].limit;
            TraceUsed(static_cast<uint8_t>(number & 7));
            m_device->GetGate()->Grant(number, units);
        }
    }
}

void
VoqCreditFlowControl::OnReceive(const FabricPacketItem& item)
{
    Queue& queue = At(FindOwnQueue(item, item.GetPriority()));
    queue.ingress.received += ToUnits(item.size);
}

void
VoqCreditFlowControl::OnBufferReleased(const FabricPacketItem& item, uint32_t bytes)
{
    // credits of a queue are those that the sender took, also if the packet went elsewhere
    const uint32_t number = FindOwnQueue(item, item.bufferClass);
    Queue& queue = At(number);
    queue.ingress.released += ToUnits(bytes);
    if (IsReleaseWorthTelling(queue.ingress))
    {
        TellOf(number);
    }
}

void
VoqCreditFlowControl::OnTransmit(const FabricPacketItem& item)
{
    const uint32_t number = FindPeerQueue(item);
    item.output = std::exchange(item.nextOutput, FabricPacketItem::UNKNOWN_PORT);
    const uint32_t units = ToUnits(item.size);
    Queue& queue = At(number);
    queue.egress.sent += units;
    m_used[item.GetPriority()] += units;
    TraceUsed(item.GetPriority());
    if (IsSentWorthTelling(queue.egress))
    {
        TellOf(number);
    }
    m_device->GetGate()->Leave(number, units);
}

void
VoqCreditFlowControl::OnLinkUp()
{
    if (m_maxUnits == 0)
    {
        return; // not in use
    }
    for (uint32_t number = 0; number < m_queues.size(); ++number)
    {
        RestartAsking(m_queues[number].egress);
        // of a queue through which nothing has gone there is nothing to tell
        if (m_queues[number].egress.sent != m_initialTotal ||
            m_queues[number].ingress.received != m_initialTotal)
        {
            TellOf(number);
        }
    }
    m_request = true;
    Tell();
}

void
VoqCreditFlowControl::HandleTimer(int64_t nowPs)
{
    if (!m_device->IsLinkUp())
    {
        return; // OnLinkUp() goes on
    }
    int64_t nextPs = FabricTime::NEVER;
    for (uint32_t number = 0; number < m_queues.size(); ++number)
    {
        int64_t& askPs = m_queues[number].egress.askPs;
        if (askPs <= nowPs)
        {
            NS_LOG_INFO(*m_device << ": asks for credits of queue " << number);
            askPs = nowPs + FabricTime::ToPs(m_timeout);
            m_request = true;
            TellOf(number);
        }
        nextPs = std::min(nextPs, askPs);
    }
    if (nextPs != FabricTime::NEVER)
    {
        m_device->ArmTimer(nextPs);
    }
}

bool
VoqCreditFlowControl::IsHoldingBack(uint8_t priority, uint16_t output) const
{
    const uint32_t number = ToNumber(output, priority);
    return number < m_queues.size() && IsFull(m_queues[number].ingress);
}

uint32_t
VoqCreditFlowControl::GetAvailableUnits(uint8_t priority) const
{
    uint32_t least = m_peerUnits;
    const EgressGate& gate = *m_device->GetGate();
    for (uint32_t number = priority; number < gate.GetEndQueue(); number += 8)
    {
        least = std::min(least, gate.GetFreeUnits(number));
    }
    return least;
}

uint32_t
VoqCreditFlowControl::GetUsedUnits(uint8_t priority) const
{
    return m_used[priority];
}

uint32_t
VoqCreditFlowControl::GetQueueUnits(uint16_t output, uint8_t priority) const
{
    return m_device->GetGate()->GetFreeUnits(ToNumber(output, priority));
}

void
VoqCreditFlowControl::DoDispose()
{
    m_queues.clear();
    CreditFlowControl::DoDispose();
}

} // namespace ns3
