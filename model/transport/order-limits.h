// SPDX-License-Identifier: GPL-2.0-only
#ifndef ORDER_LIMITS_H
#define ORDER_LIMITS_H

#include "receive-window.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief How far out of order packets may arrive for a NIC to keep track of them, for each
 * connection.
 *
 * A *hole* is a run of packets that are missing before one that has arrived.
 */
struct OrderLimits
{
    uint32_t aheadPackets{0}; //!< behind the first that is missing; 0: no limit
    uint32_t holes{0};        //!< in all; 0: no limit

    /// @return true if there is a limit
    bool IsSet() const
    {
        return aheadPackets > 0 || holes > 0;
    }

    /**
     * @brief By how much the arrival of a packet changes the number of holes.
     * @param window of the receiver
     * @param seq number, not HasArrived()
     * @return 1, 0 or -1
     */
    static int CountNewHoles(const ReceiveWindow& window, uint64_t seq)
    {
        if (seq >= window.GetHighest())
        {
            return seq > window.GetHighest() ? 1 : 0;
        }
        const bool before = seq == window.GetExpected() || window.HasArrived(seq - 1);
        const bool behind = window.HasArrived(seq + 1);
        return before && behind ? -1 : !before && !behind ? 1 : 0;
    }

    /**
     * @param window of the receiver
     * @param seq number of a packet, not HasArrived()
     * @param present holes that there are
     * @return true if the packet can be kept track of
     */
    bool Covers(const ReceiveWindow& window, uint64_t seq, uint32_t present) const
    {
        if (aheadPackets > 0 && seq - window.GetExpected() > aheadPackets)
        {
            return false;
        }
        return holes == 0 || CountNewHoles(window, seq) <= 0 || present < holes;
    }
};

} // namespace ns3

#endif /* ORDER_LIMITS_H */
