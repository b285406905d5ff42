// SPDX-License-Identifier: GPL-2.0-only
#ifndef RATE_PACKET_H
#define RATE_PACKET_H

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Fields of a fair-rate message (FabricPacketType::RATE): FabricPacketItem::pdc is the
 * flow's at its source, src the switch.
 *
 * RoCC (CoNEXT 2020), section 3.3, sends its notifications by ICMP, and its implementation in
 * section 6.2 by type 253, which RFC 4727 leaves to experiments; the layout behind the ICMP header
 * is this module's.
 */
struct RateFields
{
    uint32_t rateMbps; //!< fair rate in Mb/s
    uint32_t flowDst;  //!< where the flow goes
    uint16_t port;     //!< egress port of the switch that found the rate
    uint8_t priority;  //!< class, 0 to 7, whose queue it is about
};

} // namespace ns3

#endif /* RATE_PACKET_H */
