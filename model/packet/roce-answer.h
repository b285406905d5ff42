// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief What is answered to data: ACK, NAK, RTW, RNR and RTS of hosts and BTS of switches, behind
 * their BTH.
 */
#ifndef ROCE_ANSWER_H
#define ROCE_ANSWER_H

#include "fabric-packet-item.h"
#include "roce-transport-headers.h"

#include "ns3/packet.h"

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief The part of RoceBody that knows acknowledgements, refusals, requests and notifications.
 */
class RoceAnswer
{
  public:
    /**
     * @param item an ACK, NAK, RTW, RNR, RTS or BTS
     * @param bth its BTH, of which opcode, extension length and, of those that acknowledge, the
     *        sequence number are set
     * @return what follows BTH, without ICRC
     * @throws FabricError if a field does not fit its place on the wire
     */
    static Ptr<Packet> Serialize(const FabricPacketItem& item, RoceBthHeader& bth);

    /**
     * @param packet what follows BTH, without ICRC; is used up
     * @param bth its BTH, of one of these types
     * @return the item with sequence number but without the other fields of BTH, null if malformed
     */
    static Ptr<FabricPacketItem> Parse(Ptr<Packet> packet, const RoceBthHeader& bth);
};

} // namespace ns3

#endif /* ROCE_ANSWER_H */
