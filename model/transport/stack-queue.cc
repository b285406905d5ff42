// SPDX-License-Identifier: GPL-2.0-only
#include "stack-queue.h"

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

} // namespace ns3
