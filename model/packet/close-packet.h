// SPDX-License-Identifier: GPL-2.0-only
#ifndef CLOSE_PACKET_H
#define CLOSE_PACKET_H

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Fields of what the ends of a PDC say when it goes (FabricPacketType::CLOSE);
 * FabricPacketItem::pdc is its number at the receiver of the packet.
 */
struct CloseFields
{
    uint32_t otherPdc; //!< its number at the sender of the packet, 24 bits
    bool isAnswer;     //!< it is closed; false: it is to be
};

} // namespace ns3

#endif /* CLOSE_PACKET_H */
