// SPDX-License-Identifier: GPL-2.0-only
#ifndef ITEM_CODEC_H
#define ITEM_CODEC_H

#include "ns3/fabric-packet-item.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Packets as bytes between processes of one program on machines of one kind.
 *
 * Not the form on the wire (FabricHeaders): all fields, those that no frame carries as well, as
 * they lie in memory. The payload of timing-only packets is a size and stays one.
 */
class ItemCodec
{
  public:
    /**
     * @brief Append a packet.
     * @param bytes takes it
     * @param item the packet
     */
    static void Write(std::string& bytes, const FabricPacketItem& item);

    /**
     * @brief Read a packet that Write() has written.
     * @param bytes where it is
     * @param at where it begins; then where it ends
     * @param item a packet that is no longer needed and IsPlain(), to be filled; null: one is made
     * @return the packet
     * @throws FabricError if the bytes end before, or there is no packet of such a type
     */
    static Ptr<FabricPacketItem> Read(std::string_view bytes,
                                      std::size_t& at,
                                      Ptr<FabricPacketItem> item = nullptr);

    /**
     * @param item a packet
     * @return true if it is all fields: no payload, and no unpacked INT
     */
    static bool IsPlain(const FabricPacketItem& item);
};

} // namespace ns3

#endif /* ITEM_CODEC_H */
