// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_KEY_H
#define FLOW_KEY_H

#include "fabric-packet-item.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What distinguishes the five-tuples of a fabric, where all packets are RoCEv2: which flow a
 * packet belongs to.
 */
struct FlowKey
{
    uint32_t src{0};     //!< fabric address, less than 2^24
    uint32_t dst{0};     //!< fabric address, less than 2^24
    uint16_t entropy{0}; //!< UDP source port

    /**
     * @param item packet of a host
     * @return its flow
     */
    static FlowKey Of(const FabricPacketItem& item)
    {
        return {item.src, item.GetReceiver(), item.entropy};
    }

    /// @return a number that no other flow has
    uint64_t GetNumber() const
    {
        return (uint64_t{src} << 40) | (uint64_t{dst} << 16) | entropy;
    }

    /**
     * @param other another
     * @return true if it is the same flow
     */
    bool operator==(const FlowKey& other) const
    {
        return src == other.src && dst == other.dst && entropy == other.entropy;
    }
};

} // namespace ns3

#endif /* FLOW_KEY_H */
