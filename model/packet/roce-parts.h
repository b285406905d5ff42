// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief What several types of RoCEv2 packets have in common behind their BTH.
 */
#ifndef ROCE_PARTS_H
#define ROCE_PARTS_H

#include "fabric-packet-item.h"

#include "ns3/packet.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Range checks, and telemetry of data and ACKs.
 */
class RoceParts
{
  public:
    static constexpr uint32_t MASK_24 = 0xffffff; //!< addresses, sequence and PDC numbers

    /**
     * @brief Check the range of a field.
     * @param value the field
     * @param limit largest value that fits
     * @param field its name, for the message
     * @throws FabricError if it does not fit
     */
    static void Require(uint64_t value, uint64_t limit, const char* field);

    /**
     * @brief Add telemetry, if the item has any, in front of a packet.
     * @param item the packet item
     * @param packet what follows
     * @return bytes added
     */
    static uint32_t AddInt(const FabricPacketItem& item, Ptr<Packet> packet);

    /**
     * @brief Take telemetry, if any, off the front of a packet.
     * @param packet what is left of it
     * @param extensionBytes bytes of telemetry, 0 for none
     * @param item receives it
     * @return false if it is malformed
     */
    static bool TakeInt(Ptr<Packet> packet, uint32_t extensionBytes, FabricPacketItem& item);
};

} // namespace ns3

#endif /* ROCE_PARTS_H */
