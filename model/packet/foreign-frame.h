// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief Frames of packets that belong to other protocols.
 */
#ifndef FOREIGN_FRAME_H
#define FOREIGN_FRAME_H

#include "fabric-packet-item.h"

#include "ns3/ipv4-address.h"
#include "ns3/packet.h"

#include <cstdint>

namespace ns3
{

class FrameWriter;

/**
 * @ingroup dcfabric
 * @brief The part of FabricHeaders that carries a packet of another protocol.
 *
 * A mark that the item took on its way is written into the packet's own IP header here, once.
 */
class ForeignFrame
{
  public:
    /**
     * @param item a foreign packet
     * @return its frame, without FCS
     * @throws FabricError if its protocol is no EtherType
     */
    static FrameWriter Write(const FabricPacketItem& item);

    /**
     * @brief Read what the fabric needs of a packet from its IP header: DS field and, as entropy,
     * protocol and ports.
     *
     * The entropy does not depend on the direction. Ports count for TCP and UDP, but not for
     * fragments, so that all fragments of a packet go one way. For other protocols than IPv4 and
     * IPv6 both fields become 0.
     * @param item a foreign packet with its protocol set
     */
    static void ReadFields(FabricPacketItem& item);

    /**
     * @brief The packet as its receiver sees it.
     * @param item a foreign packet
     * @return the packet that the item holds or, if the item was marked, a copy whose IP header
     * says so; tags are kept
     */
    static Ptr<const Packet> GetMarkedPacket(const FabricPacketItem& item);

    /**
     * @param packet any packet
     * @param protocol its EtherType
     * @param destination receives the IPv4 destination
     * @return false if the packet is not IPv4
     */
    static bool GetIpv4Destination(const Packet& packet,
                                   uint16_t protocol,
                                   Ipv4Address& destination);

    /**
     * @param packet what lies between the Ethernet header and FCS
     * @param protocol its EtherType
     * @return the item without addresses and size, null if the protocol is no EtherType
     */
    static Ptr<FabricPacketItem> Parse(Ptr<Packet> packet, uint16_t protocol);
};

} // namespace ns3

#endif /* FOREIGN_FRAME_H */
