// SPDX-License-Identifier: GPL-2.0-only
#ifndef REDUCTION_PACKET_H
#define REDUCTION_PACKET_H

#include "ns3/fabric-packet-item.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Fields of a packet of in-network reduction. It goes over one link of a tree: dst is the
 * node at its other end.
 */
struct ReductionFields
{
    static constexpr auto TYPE = static_cast<FabricPacketType>(0xca); //!< of such a packet
    static constexpr uint32_t BYTES = 24; //!< on the wire, behind BTH (own header)

    /// Which way it goes.
    enum Way : uint8_t
    {
        UP = 1,   //!< to the root of the tree: a contribution, or a sum of such
        DOWN = 2, //!< from the root: the result
    };

    /// What becomes of the contributions. In each case all hosts send, and all get something, so
    /// that each knows what the others have; what is not needed has no payload.
    enum Operation : uint8_t
    {
        ALL_REDUCE = 0, //!< all have data, and all get the sum
        REDUCE = 1,     //!< all have data, and #root gets the sum
        BROADCAST = 2,  //!< #root has data, and all others get it
    };

    uint8_t way;           //!< Way
    uint8_t operation;     //!< Operation
    uint16_t payloadBytes; //!< of the vector; on the wire the length of the frame says it
    uint32_t group;        //!< number of the tree
    uint32_t root;         //!< fabric address of a host, see Operation; else 0
    uint32_t ranks;        //!< whose contributions are summed up in it
    uint64_t number;       //!< of the packet, from 0 since the tree was made
};

} // namespace ns3

#endif /* REDUCTION_PACKET_H */
