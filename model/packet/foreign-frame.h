// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief Frames of packets that belong to other protocols.
 */
#ifndef FOREIGN_FRAME_H
#define FOREIGN_FRAME_H

#include "fabric-packet-item.h"

#include "ns3/packet.h"

#include <cstdint>

namespace ns3
{

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
     * @return its frame
     * @throws FabricError if its protocol is no EtherType
     */
    static Ptr<Packet> Serialize(const FabricPacketItem& item);

    /**
     * @param packet what lies between the Ethernet header and FCS
     * @param protocol its EtherType
     * @return the item without addresses and size, null if the protocol is no EtherType
     */
    static Ptr<FabricPacketItem> Parse(Ptr<Packet> packet, uint16_t protocol);
};

} // namespace ns3

#endif /* FOREIGN_FRAME_H */
