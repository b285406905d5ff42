// SPDX-License-Identifier: GPL-2.0-only
#ifndef BOLT_BITS_H
#define BOLT_BITS_H

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What Bolt (NSDI 2023) writes into data packets: bits in the place of the path id of the
 * INT header, which answers bring back.
 */
struct BoltBits
{
    static constexpr uint16_t FIRST = 0x1;    //!< sent before anything was acknowledged
    static constexpr uint16_t LAST = 0x2;     //!< no packet of the message will follow its ACK
    static constexpr uint16_t INCREASE = 0x4; //!< the window may grow by a packet
    static constexpr uint16_t NOTIFIED = 0x8; //!< a switch has told the sender of a queue
};

} // namespace ns3

#endif /* BOLT_BITS_H */
