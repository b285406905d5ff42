// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief From packet items to the bytes of their frames and back.
 */
#ifndef FABRIC_HEADERS_H
#define FABRIC_HEADERS_H

#include "fabric-packet-item.h"

#include "ns3/packet.h"

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief The byte form of packet items: true RoCEv2, PFC, ICMP for fair rates, or a foreign packet
 * in its frame.
 *
 * Used only where bytes are needed (capture files, other processes); doc/wire-format.rst is the
 * table of all layouts and lists which fields of an item are not on the wire. The length of the
 * bytes equals the sizes of RoceV2WireFormat.
 */
class FabricHeaders
{
  public:
    /**
     * @brief Make the bytes of a frame, from Ethernet header to FCS.
     *
     * A payload that exists only as a size becomes zeros.
     *
     * @param item the packet
     * @return its frame
     * @throws FabricError if a field does not fit its place on the wire or the payload has not the
     *         length that the item claims
     */
    static Ptr<Packet> Serialize(const FabricPacketItem& item);

    /**
     * @brief Make the bytes of a frame up to its FCS, which captures leave out.
     * @param item the packet
     * @return its frame
     * @throws FabricError as of Serialize()
     */
    static Ptr<Packet> SerializeWithoutFcs(const FabricPacketItem& item);

    /**
     * @brief Make an item from the bytes of a frame.
     *
     * Accepts exactly the frames that Serialize() writes: any other, be it damaged, cut short or
     * of another maker, is refused. What is not on the wire stays zero.
     *
     * @param frame bytes from Ethernet header to FCS
     * @return the item, null if refused
     */
    static Ptr<FabricPacketItem> Parse(Ptr<const Packet> frame);
};

} // namespace ns3

#endif /* FABRIC_HEADERS_H */
