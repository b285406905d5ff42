// SPDX-License-Identifier: GPL-2.0-only
#ifndef INT_PATH_STATE_H
#define INT_PATH_STATE_H

#include "ns3/fabric-packet-item.h"
#include "ns3/int-format.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What happened at a link between two records of it.
 */
struct IntLinkChange
{
    const IntSample& before; //!< the record of L
    const IntSample& now;    //!< the one after it
    double sentBytes;        //!< bytes sent in between
    double elapsedPs;        //!< time in between, above 0
    double psPerByte;        //!< of the link's rate
};

/**
 * @ingroup dcfabric
 * @brief How much a link is used, by HPCC (SIGCOMM 2019) and FNCC: qlen / (B T) + txRate / B, with
 * the shorter of the two queues.
 */
struct IntUtilization
{
    double inverseT; //!< 1/T, per ps

    /// @return u of a link
    double operator()(const IntLinkChange& link) const
    {
        const auto queued =
            static_cast<double>(std::min(link.now.queueBytes, link.before.queueBytes));
        return link.psPerByte * (queued * inverseT + link.sentBytes / link.elapsedPs);
    }
};

/**
 * @ingroup dcfabric
 * @brief What a sender knows of one path by INT: L of HPCC (SIGCOMM 2019), algorithm 1, and of FNCC
 * [FNCC], algorithm 3. What is made of two records of a link is a law of the caller's.
 *
 * Records are compared with those of the same path only. They cannot be compared after a gap of
 * more than half the shortest wrap of their fields, or when the links are others (another path id,
 * entropy, number of records, link rate, or port of the sender that the ACK came in by): L is then
 * recorded anew.
 */
class IntPathState
{
  public:
    /// What the most loaded link of the path was used.
    struct Measurement
    {
        double utilization{0}; //!< u, queue included
        int64_t spanPs{0};     //!< tau: time that it covers; 0: nothing new
    };

    /// Forget everything.
    void Reset()
    {
        m_nLinks = 0;
    }

    /**
     * @brief Read the records of an ACK.
     * @tparam Law called with an IntLinkChange, returns how much the link is used
     * @param item the ACK, with at least one record
     * @param nowPs when it came
     * @param format how records are to be read
     * @param law see Law
     * @param measured of the most loaded link
     * @return true if it was measured, false if L was only recorded
     * @throws FabricError if a record has no rate
     */
    template <typename Law>
    bool Enter(const FabricPacketItem& item,
               int64_t nowPs,
               const IntFormat& format,
               const Law& law,
               Measurement& measured)
    {
        if (item.intCount != m_nLinks || item.entropy != m_entropy || item.pathId != m_pathId ||
            item.ingressPort != m_port || nowPs - m_lastPs > m_halfWrapPs ||
            !Measure(item, format, law, measured))
        {
            Record(item, nowPs, format);
            return false;
        }
        m_lastPs = nowPs;
        return true;
    }

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

    /// @return path id of the records in L (FabricPacketItem::pathId)
    uint16_t GetPathId() const
    {
        return m_pathId;
    }

    /// @return when L was last replaced, in ps
    int64_t GetLastPs() const
    {
        return m_lastPs;
    }

    /**
     * @param record its index in the order of the ACK
     * @return utilization of a link when it was last measured, 0 before
     */
    double GetLinkUtilization(uint8_t record) const
    {
        return m_links[record].utilization;
    }

    /**
     * @param record its index
     * @return time that the last measurement of a link covers, in ps; 0: nothing new
     */
    int64_t GetLinkSpanPs(uint8_t record) const
    {
        return m_links[record].spanPs;
    }

    /// @return links of the path
    uint8_t GetNLinks() const
    {
        return m_nLinks;
    }

    /**
     * @param record its index
     * @return rate of a link in bit/s
     */
    uint64_t GetLinkRate(uint8_t record) const
    {
        return m_links[record].last.rateBps;
    }

    /// @return index of the most loaded link, the first of equals in the order of the ACK
    uint8_t GetMostLoaded() const
    {
        return m_mostLoaded;
    }

    /**
     * @param item the last ACK
     * @return index of the record of the link to the receiver
     */
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
        int64_t spanPs;     //!< tau of the last ACK
    };

    /// @return a record
    static IntSample Read(const FabricPacketItem& item, uint8_t i, const IntFormat& format)
    {
        return item.exactInt ? (*item.exactInt)[i] : format.Unpack(item.intRecords[i]);
    }

    /// Replace L and forget what was measured of links.
    void Record(const FabricPacketItem& item, int64_t nowPs, const IntFormat& format);

    /**
     * @brief Measure every link; L becomes that of the ACK.
     * @tparam Law,law as for Enter()
     * @param item the ACK, with as many records as L
     * @param format,measured as for Enter()
     * @return false if the records are of other links: nothing was measured then
     */
    template <typename Law>
    bool Measure(const FabricPacketItem& item,
                 const IntFormat& format,
                 const Law& law,
                 Measurement& measured)
    {
        double most = -1;
        int64_t tau = 0;
        for (uint8_t i = 0; i < m_nLinks; ++i)
        {
            Link& link = m_links[i];
            const IntSample now = Read(item, i, format);
            if (now.rateBps != link.last.rateBps)
            {
                return false;
            }
            int64_t elapsed = format.TimeDelta(now, link.last);
            if (elapsed > 0 && elapsed <= m_halfWrapPs)
            {
                link.utilization = law({link.last,
                                        now,
                                        static_cast<double>(format.ByteDelta(now, link.last)),
                                        static_cast<double>(elapsed),
                                        link.psPerByte});
                link.last = now;
            }
            else if (elapsed != 0)
            {
                link.last = now; // older than L: overtaken, so only the next can be compared
                elapsed = 0;
            }
            link.spanPs = elapsed;
            if (link.utilization > most)
            {
                most = link.utilization;
                m_mostLoaded = i;
                tau = elapsed;
            }
        }
        measured = {most, tau};
        return true;
    }

    int64_t m_lastPs{0};                                  //!< see GetLastPs()
    int64_t m_halfWrapPs{0};                              //!< longest span for a comparison
    uint16_t m_entropy{0};                                //!< of the path
    uint16_t m_pathId{0};                                 //!< of the records
    uint16_t m_port{0};                                   //!< of the sender, where ACKs come in
    uint8_t m_nLinks{0};                                  //!< records in L
    uint8_t m_mostLoaded{0};                              //!< see GetMostLoaded()
    std::array<Link, FabricPacketItem::MAX_HOPS> m_links; //!< L
};

} // namespace ns3

#endif /* INT_PATH_STATE_H */
