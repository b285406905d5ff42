// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TEST_SEND_WINDOW_H
#define FABRIC_TEST_SEND_WINDOW_H

#include "ns3/send-window.h"

#include <cstdint>
#include <string>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief What the suites of send windows share: sending by hand.
 */

namespace ns3::tests
{

/**
 * @brief Send packets in order.
 * @param window of the sender
 * @param n how many
 */
inline void
SendNext(SendWindow& window, uint32_t n)
{
    for (uint32_t i = 0; i < n; ++i)
    {
        window.TakeNext(0);
    }
}

/**
 * @param window of the sender
 * @return packets that wait to be sent again, which then are on their way
 */
inline std::string
ResendAll(SendWindow& window)
{
    std::string taken;
    for (uint64_t seq = 0; window.PeekLost(seq);)
    {
        window.TakeLost(0);
        taken += std::to_string(seq) + " ";
    }
    return taken;
}

} // namespace ns3::tests

#endif /* FABRIC_TEST_SEND_WINDOW_H */
