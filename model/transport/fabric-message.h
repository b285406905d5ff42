// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_MESSAGE_H
#define FABRIC_MESSAGE_H

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What a NIC tells about a message when its last byte has arrived, or when its sender knows
 * so.
 */
struct FabricMessageEvent
{
    uint32_t tag{0};           //!< the caller's number of the message
    uint32_t src{0};           //!< fabric address of the sender
    uint32_t dst{0};           //!< fabric address of the receiver
    uint64_t bytes{0};         //!< length
    int64_t startPs{0};        //!< when it was handed to the sender's NIC (at the sender only)
    int64_t nowPs{0};          //!< when the event happened
    uint64_t packetsSent{0};   //!< all packets, retransmissions included (at the sender only)
    uint64_t retransmitted{0}; //!< packets sent again (at the sender only)
    uint64_t reordered{0};     //!< packets that arrived after a later one (at the receiver only)
};

} // namespace ns3

#endif /* FABRIC_MESSAGE_H */
