// SPDX-License-Identifier: GPL-2.0-only
#ifndef GRANT_PACKET_H
#define GRANT_PACKET_H

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Fields of a grant (FabricPacketType::GRANT), by which a receiver lets a sender send:
 * FabricPacketItem::pdc is the flow's at its sender, src the receiver.
 *
 * The total since the flow began is told, so that the next grant makes good one that was lost, and
 * one that is late or comes twice changes nothing. The size is that of the smallest Ethernet frame,
 * in which the control packet of Ultra Ethernet (16 bytes over UDP port 49150, as in the public
 * header files of its reference provider) fits; the layout of the fields is this module's.
 */
struct GrantFields
{
    static constexpr uint32_t FRAME_BYTES = 64;   //!< on the wire
    static constexpr uint8_t OWN_PRIORITY = 0xff; //!< #priority: as before

    uint32_t total;   //!< granted since the flow began, in CreditUnits, modulo 2^32
    uint8_t priority; //!< class of the packets to come, 0 to 7, or #OWN_PRIORITY
};

/**
 * @ingroup dcfabric
 * @brief How credit is counted: in units of 256 bytes of frames, without preamble and gap.
 *
 * Packets tell totals modulo 2^24 (FabricPacketItem::demand) or 2^32 (GrantFields::total). Which
 * number is meant follows from one that is known and less than half the range away.
 */
struct CreditUnits
{
    static constexpr uint32_t BYTES = 256;       //!< of a unit
    static constexpr uint32_t DEMAND_BYTES = 4;  //!< that a demand adds to a data packet
    static constexpr uint32_t DEMAND_BITS = 24;  //!< of FabricPacketItem::demand
    static constexpr uint64_t MOST = 1ULL << 22; //!< units that may be wanted at a time: 1 GB

    /**
     * @param bytes of frames
     * @return units, rounded up
     */
    static constexpr uint64_t RoundUp(uint64_t bytes)
    {
        return (bytes + BYTES - 1) / BYTES;
    }

    /**
     * @param total units
     * @return as a data packet tells it
     */
    static constexpr uint32_t ToDemand(uint64_t total)
    {
        return static_cast<uint32_t>(total) & ((1U << DEMAND_BITS) - 1);
    }

    /**
     * @param demand as a data packet tells it
     * @param known total that is less than 2^23 units away
     * @return by how much the demand exceeds it, in units; negative if it does not
     */
    static constexpr int64_t GetExcess(uint32_t demand, uint64_t known)
    {
        constexpr int64_t HALF = int64_t{1} << (DEMAND_BITS - 1);
        return ((static_cast<int64_t>(ToDemand(demand - known)) + HALF) % (2 * HALF)) - HALF;
    }
};

} // namespace ns3

#endif /* GRANT_PACKET_H */
