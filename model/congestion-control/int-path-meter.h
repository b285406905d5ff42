// SPDX-License-Identifier: GPL-2.0-only
#ifndef INT_PATH_METER_H
#define INT_PATH_METER_H

#include "ns3/fabric-packet-item.h"
#include "ns3/int-format.h"

#include <array>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What a sender knows of one path by INT: L and U of HPCC (SIGCOMM 2019), algorithm 1, and
 * of FNCC [001], algorithm 3.
 *
 * Records are compared with those of the same path only. They cannot be compared after a gap of
 * more than half the shortest wrap of their fields, or when the links are others (another number of
 * records or link rate): L is then recorded anew, and U stays.
 */
class IntPathMeter
{
  public:
    /// What the paths of a connection have in common.
    struct Scale
    {
        const IntFormat* format{nullptr}; //!< how records are to be read
        double inverseT{0};               //!< 1/T, per ps
        double weightPerPs{0};            //!< of a measurement in U, for each ps that it covers
    };

    /// @brief Forget everything. @param utilization U before the first measurement
    void Reset(double utilization);

    /**
     * @brief Read the records of an ACK.
     * @param item the ACK, with at least one record
     * @param nowPs when it came
     * @param scale of the connection
     * @return true if U was measured, false if L was only recorded
     * @throws FabricError if a record has no rate
     */
    bool Enter(const FabricPacketItem& item, int64_t nowPs, const Scale& scale);

    /// @return true if there is no L yet
    bool IsEmpty() const
    {
        return m_nLinks == 0;
    }

    /// @return entropy of the path, if there is an L
    uint16_t GetEntropy() const
    {
        return m_entropy;
    }

    /// @return when L was last replaced, in ps
    int64_t GetLastPs() const
    {
        return m_lastPs;
    }

    /// @return U, the moving average of the utilization of the most loaded link
    double GetUtilization() const
    {
        return m_utilization;
    }

    /// @return utilization of a link when it was last measured, 0 before @param record its index in
    /// the order of the ACK
    double GetLinkUtilization(uint8_t record) const
    {
        return m_links[record].utilization;
    }

    /// @return rate of a link in bit/s @param record its index
    uint64_t GetLinkRate(uint8_t record) const
    {
        return m_links[record].last.rateBps;
    }

    /// @return index of the most loaded link, the first of equals in the order of the ACK
    uint8_t GetMostLoaded() const
    {
        return m_mostLoaded;
    }

    /// @return index of the record of the link to the receiver @param item the last ACK
    uint8_t GetLastHop(const FabricPacketItem& item) const
    {
        return (item.flags & FabricPacketItem::FLAG_INT_REVERSED) ? 0 : m_nLinks - 1;
    }

  private:
    /// What is kept of a link of the path.
    struct Link
    {
        IntSample last;     //!< L[i]
        double psPerByte;   //!< of the link's rate
        double utilization; //!< u' when last measured
    };

    /// @brief Replace L and forget what was measured of links. @param item the ACK @param nowPs
    /// when it came @param format of records
    void Record(const FabricPacketItem& item, int64_t nowPs, const IntFormat& format);

    /**
     * @brief Measure every link, then take U forward; L becomes that of the ACK.
     * @param item the ACK, with as many records as L
     * @param scale of the connection
     * @return false if the records are of other links: nothing was measured then
     */
    bool Measure(const FabricPacketItem& item, const Scale& scale);

    double m_utilization{0};                              //!< U
    int64_t m_lastPs{0};                                  //!< see GetLastPs()
    int64_t m_halfWrapPs{0};                              //!< longest span for a comparison
    uint16_t m_entropy{0};                                //!< of the path
    uint8_t m_nLinks{0};                                  //!< records in L
    uint8_t m_mostLoaded{0};                              //!< see GetMostLoaded()
    std::array<Link, FabricPacketItem::MAX_HOPS> m_links; //!< L
};

} // namespace ns3

#endif /* INT_PATH_METER_H */
