// SPDX-License-Identifier: GPL-2.0-only
#ifndef INT_STAMPER_H
#define INT_STAMPER_H

#include "ns3/fabric-packet-item.h"
#include "ns3/int-format.h"
#include "ns3/wire-format.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ns3
{

class FabricSwitch;

/**
 * @ingroup dcfabric
 * @brief Puts INT records into packets, for the features that do so.
 */
class IntStamper
{
  public:
    /// Bytes of INT with so many records.
    using SizeTable = std::array<uint32_t, FabricPacketItem::MAX_HOPS + 1>;

    /**
     * @brief Learn the ports of a switch.
     * @param sw the switch
     * @param format layout of records
     * @param sizes bytes that so many records add to a packet
     * @throws FabricError if a port's rate cannot be packed
     */
    void Start(const FabricSwitch& sw, Ptr<IntFormat> format, const SizeTable& sizes);

    /**
     * @brief Append a record and let the packet grow.
     * @param item the packet
     * @param port the port that the record is about
     * @param sample its values
     */
    void Append(FabricPacketItem& item, uint16_t port, const IntSample& sample);

    /**
     * @brief Add a hop to the path id of a packet (FabricPacketItem::pathId).
     * @param item the packet
     * @param port the port that the hop's record is about
     */
    void AddHop(FabricPacketItem& item, uint16_t port) const
    {
        item.pathId ^= m_pathBits[port];
    }

    /**
     * @brief What a hop adds to the path id.
     * @param address of a switch
     * @param port its port
     * @return 12 well-mixed bits, so that paths which differ have different ids but for one in 4096
     */
    static uint16_t GetPathBits(uint32_t address, uint16_t port);

    /**
     * @brief Refuse a rate that records cannot carry.
     * @param rateBps bit/s
     * @throws FabricError if it cannot be packed
     */
    void CheckRate(uint64_t rateBps) const;

    /// @return records that found no room because the path was too long
    uint64_t GetNOverflows() const
    {
        return m_overflows;
    }

  private:
    Ptr<IntFormat> m_format;          //!< layout
    SizeTable m_sizes{};              //!< bytes by number of records
    std::vector<uint64_t> m_rates;    //!< of each port when it was last used, bit/s
    std::vector<uint8_t> m_rateCodes; //!< of these rates
    std::vector<uint16_t> m_pathBits; //!< of each port, see GetPathBits()
    uint64_t m_overflows{0};          //!< records without room
};

} // namespace ns3

#endif /* INT_STAMPER_H */
