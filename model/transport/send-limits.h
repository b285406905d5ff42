// SPDX-License-Identifier: GPL-2.0-only
#ifndef SEND_LIMITS_H
#define SEND_LIMITS_H

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Limits of a sender that come from its ReliabilityPolicy and hold beside its congestion
 * control. What is *ahead* is the payload sent for the first time behind what is acknowledged in
 * order.
 */
struct SendLimits
{
    uint64_t aheadBytes{UINT64_MAX}; //!< nothing new is sent while so much or more is ahead
    int64_t timeoutPs{0};            //!< time-out in ps; 0: that of AckTimeout
    int64_t shortTimeoutPs{0};       //!< in its place while little is ahead, in ps
    uint64_t shortBytes{0};          //!< what is little
    int64_t leastSrtts{0};           //!< both are at least so many SRTTs

    /// @return true if there are none
    bool IsEmpty() const
    {
        return aheadBytes == UINT64_MAX && timeoutPs == 0;
    }
};

} // namespace ns3

#endif /* SEND_LIMITS_H */
