// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief What follows the base transport header of RoCEv2 in each type of packet.
 */
#ifndef ROCE_BODY_H
#define ROCE_BODY_H

#include "fabric-packet-item.h"
#include "roce-transport-headers.h"

#include "ns3/packet.h"

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief The part of RoceFrame that knows the types: which headers each has behind BTH, and which
 * fields of the item they and BTH hold.
 */
class RoceBody
{
  public:
    /**
     * @param item a packet that travels as RoCEv2
     * @param bth receives the fields of its BTH
     * @return what follows BTH, without ICRC
     * @throws FabricError if a field does not fit its place on the wire
     */
    static Ptr<Packet> Serialize(const FabricPacketItem& item, RoceBthHeader& bth);

    /**
     * @param packet what follows BTH, without ICRC; is used up
     * @param bth its BTH
     * @return the item with the fields that these two hold, null if malformed
     */
    static Ptr<FabricPacketItem> Parse(Ptr<Packet> packet, const RoceBthHeader& bth);
};

} // namespace ns3

#endif /* ROCE_BODY_H */
