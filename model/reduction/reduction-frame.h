// SPDX-License-Identifier: GPL-2.0-only
#ifndef REDUCTION_FRAME_H
#define REDUCTION_FRAME_H

#include "reduction-packet.h"

#include "ns3/wire-format.h"

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Make a packet of in-network reduction: its frame is as large as one of data with as much
 * payload, and ReductionFields::BYTES.
 * @param src node that sends it
 * @param dst node at the other end of the link
 * @param priority class, 0 to 7
 * @param wire sizes of frames
 * @param fields of the packet
 * @return the packet
 */
inline Ptr<FabricPacketItem>
MakeReductionItem(uint32_t src,
                  uint32_t dst,
                  uint8_t priority,
                  const WireFormat& wire,
                  const ReductionFields& fields)
{
    Ptr<FabricPacketItem> item = FabricPacketItem::Create(ReductionFields::TYPE);
    item->src = src;
    item->dst = dst;
    item->entropy = static_cast<uint16_t>(fields.group);
    item->UpdateFlowHash();
    item->ds = FabricPacketItem::MakeDs(priority, FabricPacketItem::ECN_ECT0);
    item->ingressPort = FabricPacketItem::NO_PORT;
    item->size = wire.GetDataBytes(fields.payloadBytes, false) + ReductionFields::BYTES;
    item->Begin<ReductionFields>() = fields;
    return item;
}

} // namespace ns3

#endif /* REDUCTION_FRAME_H */
