// SPDX-License-Identifier: GPL-2.0-only
#include "host-stack.h"

#include "fabric-nic.h"

#include "ns3/fabric-address.h"
#include "ns3/fabric-net-device.h"

#include <utility>

namespace ns3
{

Ptr<FabricPacketItem>
StackQueue::Take(uint8_t pausedClasses)
{
    const unsigned eligible = m_backlog & ~pausedClasses;
    if (eligible == 0 || m_parked)
    {
        return nullptr;
    }
    const auto priority = static_cast<uint8_t>(31 - __builtin_clz(eligible));
    auto& lane = m_lanes[priority];
    Ptr<FabricPacketItem> item = std::move(lane.front());
    lane.front() = nullptr; // whatever moving left there
    lane.pop_front();
    if (lane.empty())
    {
        m_backlog &= static_cast<uint8_t>(~(1U << priority));
    }
    --m_packets;
    m_yields = true;
    return item;
}

DropReason
HostStack::FindRefusal(const FabricNetDevice& port, const FabricPacketItem& item) const
{
    if (item.dst == FabricAddress::NONE || item.dst == m_nic.GetAddress() ||
        (m_nic.isHost && !m_nic.isHost(item.dst)))
    {
        return DropReason::STACK_NO_HOST;
    }
    if (item.GetPacket()->GetSize() > port.GetMtu())
    {
        return DropReason::STACK_TOO_LONG;
    }
    const bool full = port.GetPort() < m_queues.size() &&
                      m_queues[port.GetPort()].GetNPackets() >= m_nic.stackQueuePackets;
    return full ? DropReason::STACK_QUEUE_FULL : DropReason::NONE;
}

bool
HostStack::Send(FabricNetDevice& port, Ptr<FabricPacketItem> item)
{
    ++m_nic.Count().stackSent;
    item->size = m_nic.wire->GetForeignBytes(item->GetPacket()->GetSize());
    const DropReason refused = FindRefusal(port, *item);
    if (refused != DropReason::NONE)
    {
        m_nic.Drop(*item, refused, &port);
        return false;
    }
    m_queues.resize(m_nic.GetNPorts());
    m_queues[port.GetPort()].Push(std::move(item));
    port.Kick();
    return true;
}

void
HostStack::Receive(FabricNetDevice& port, FabricPacketItem& item)
{
    if (port.GetStack().Deliver(item))
    {
        ++m_nic.Count().stackDelivered;
        m_nic.Count().stackMarked += item.IsMarked() ? 1 : 0;
    }
    else
    {
        m_nic.Drop(item, DropReason::STACK_NO_HANDLER, &port);
    }
}

uint64_t
HostStack::GetNPackets() const
{
    uint64_t sum = 0;
    for (const StackQueue& queue : m_queues)
    {
        sum += queue.GetNPackets();
    }
    return sum;
}

} // namespace ns3
