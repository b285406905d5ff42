// SPDX-License-Identifier: GPL-2.0-only
#ifndef PACKET_SEQUENCE_H
#define PACKET_SEQUENCE_H

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief The 24-bit packet sequence number of InfiniBand and its extension to 64 bits.
 */
class PacketSequence
{
  public:
    static constexpr uint32_t BITS = 24;               //!< on the wire
    static constexpr uint32_t MASK = (1U << BITS) - 1; //!< on the wire
    static constexpr uint64_t HALF = 1U << (BITS - 1); //!< numbers farther apart are ambiguous

    /**
     * @param seq extended number
     * @param initial number of packet 0
     * @return the number on the wire
     */
    static uint32_t ToWire(uint64_t seq, uint32_t initial)
    {
        return static_cast<uint32_t>(seq + initial) & MASK;
    }

    /**
     * @param psn number on the wire
     * @param initial number of packet 0
     * @param near an extended number less than HALF away
     * @return the extended number nearest to near; negative if it lies before packet 0
     */
    static int64_t FromWire(uint32_t psn, uint32_t initial, uint64_t near)
    {
        const uint32_t distance = (psn - ToWire(near, initial)) & MASK;
        const int64_t offset = distance < HALF
                                   ? static_cast<int64_t>(distance)
                                   : static_cast<int64_t>(distance) - (int64_t{1} << BITS);
        return static_cast<int64_t>(near) + offset;
    }
};

} // namespace ns3

#endif /* PACKET_SEQUENCE_H */
