// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief The NIC beside the transport: packets of the host's own stack.
 */
#include "fabric-nic.h"

#include "ns3/fabric-address.h"
#include "ns3/fabric-net-device.h"

#include <utility>

namespace ns3
{

DropReason
FabricNic::FindStackRefusal(const FabricNetDevice& port, const FabricPacketItem& item) const
{
    if (item.dst == FabricAddress::NONE || item.dst == GetAddress() ||
        (m_isHost && !m_isHost(item.dst)))
    {
        return DropReason::STACK_NO_HOST;
    }
    if (item.GetPacket()->GetSize() > port.GetMtu())
    {
        return DropReason::STACK_TOO_LONG;
    }
    const bool full = port.GetPort() < m_stack.size() &&
                      m_stack[port.GetPort()].GetNPackets() >= m_stackQueuePackets;
    return full ? DropReason::STACK_QUEUE_FULL : DropReason::NONE;
}

bool
FabricNic::SendForeign(FabricNetDevice& port, Ptr<FabricPacketItem> item)
{
    ++m_counters.stackSent;
    item->size = m_wire->GetForeignBytes(item->GetPacket()->GetSize());
    const DropReason refused = FindStackRefusal(port, *item);
    if (refused != DropReason::NONE)
    {
        Drop(*item, refused, &port);
        return false;
    }
    if (m_stack.empty())
    {
        m_stack.resize(GetNPorts());
    }
    m_stack[port.GetPort()].Push(std::move(item));
    port.Kick();
    return true;
}

Ptr<FabricPacketItem>
FabricNic::PullStack(FabricNetDevice& port)
{
    StackQueue& stack = m_stack[port.GetPort()];
    Ptr<FabricPacketItem> item = stack.Take(port.GetPausedClasses());
    if (item && !PassOrPark(port, item, STACK_OWNER))
    {
        stack.SetParked(true);
    }
    return item;
}

void
FabricNic::ReceiveForeign(FabricNetDevice& port, FabricPacketItem& item)
{
    if (port.DeliverForeign(item))
    {
        ++m_counters.stackDelivered;
        m_counters.stackMarked += item.IsMarked() ? 1 : 0;
    }
    else
    {
        Drop(item, DropReason::STACK_NO_HANDLER, &port);
    }
}

uint64_t
FabricNic::GetNHeldPackets() const
{
    uint64_t sum = FabricActor::GetNHeldPackets();
    for (const auto& passed : m_passed)
    {
        sum += passed.size();
    }
    for (const StackQueue& queue : m_stack)
    {
        sum += queue.GetNPackets();
    }
    return sum;
}

} // namespace ns3
