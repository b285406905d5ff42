// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief Frames of control that are not RoCEv2: PFC, credits, fair rates.
 */
#ifndef CONTROL_FRAME_H
#define CONTROL_FRAME_H

#include "fabric-packet-item.h"
#include "frame-bytes.h"

#include "ns3/packet.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief The part of FabricHeaders that knows what flow control says to the other end of a link,
 * and the message in which a switch tells a source the fair rate of one of its flows.
 *
 * PFC (IEEE 802.1Qbb): MAC control of opcode 0x0101, padded to the smallest frame. Credits: a frame
 * of the EtherType of local experiments (IEEE 802), version 1 with the totals of the classes,
 * version 2 with those of up to eight virtual queues. Fair rates: RoCC (CoNEXT 2020), section 3.3,
 * sends its notifications by ICMP, and its implementation in section 6.2 by type 253, which RFC
 * 4727 leaves to experiments; the layout behind the ICMP header is this module's.
 */
class ControlFrame
{
  public:
    static constexpr uint16_t PAUSE_ETHER_TYPE = 0x8808;  //!< MAC control
    static constexpr uint16_t CREDIT_ETHER_TYPE = 0x88B5; //!< local experimental

    /**
     * @param item a PFC frame, a credit frame or a fair rate
     * @return its frame
     * @throws FabricError if it is none of these, or a field does not fit its place on the wire
     */
    static Ptr<Packet> Serialize(const FabricPacketItem& item);

    /**
     * @brief Tell fair rates from other protocols.
     * @param bytes a frame
     * @return true if it is IPv4 and ICMP of type 253
     */
    static bool IsRate(const std::vector<uint8_t>& bytes);

    /**
     * @param type PAUSE, CREDIT or RATE
     * @param reader what lies between the Ethernet header and FCS; is used up
     * @return the item without its size and without what the Ethernet header says, null if
     *         malformed
     */
    static Ptr<FabricPacketItem> Parse(FabricPacketType type, FrameReader& reader);
};

} // namespace ns3

#endif /* CONTROL_FRAME_H */
