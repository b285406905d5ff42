// SPDX-License-Identifier: GPL-2.0-only
#ifndef MATCHING_PACKETS_H
#define MATCHING_PACKETS_H

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Fields of a request to send (FabricPacketType::RTS); FabricPacketItem::pdc is the
 * message's at its source.
 */
struct RtsFields
{
    uint64_t offset; //!< first byte wanted
    uint32_t msn;    //!< message
    uint8_t epoch;   //!< attempt that is to be made
};

} // namespace ns3

#endif /* MATCHING_PACKETS_H */
