// SPDX-License-Identifier: GPL-2.0-only
#ifndef INT_WINDOW_CONGESTION_CONTROL_H
#define INT_WINDOW_CONGESTION_CONTROL_H

#include "congestion-control.h"

#include "ns3/data-rate.h"
#include "ns3/fabric-packet-item.h"

#include <array>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What HPCC and FNCC have in common: a window computed from INT records, once per ACK.
 *
 * Source: HPCC (SIGCOMM 2019), algorithm 1; FNCC, appendix A, algorithm 3, with these readings.
 * - The moving average is taken once per ACK, after the loop over the links.
 * - The `else` of ComputeWind belongs to `if U >= eta or incStage >= maxStage`.
 * - L is replaced after either branch of NewACK.
 * - The first ACK only records L. L is recorded anew, and nothing else done, when the records can
 *   not be compared: after a gap of more than half the shortest wrap of their fields, and when the
 *   path changes (another entropy, number of records or link rate).
 * - A link whose record is as old as the one before (the table of FNCC is refreshed periodically)
 *   keeps its utilization, and moves the average by nothing.
 *
 * T is PathInfo::baseRttPs. Window and reference window are kept within MinRate x T and the line
 * rate x T; the rate is W / T.
 */
class IntWindowCongestionControl : public CongestionControl
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    void OnAck(const AckInfo& ack) override;

    /// @return U, the moving average of the utilization of the most loaded link
    double GetUtilization() const
    {
        return m_utilization;
    }

    /**
     * @param record index of a record, in the order of the ACK
     * @return utilization of that link when it was last measured, 0 before
     */
    double GetLinkUtilization(uint8_t record) const
    {
        return m_links[record].utilization;
    }

    /// @return Wc, the reference window in bytes
    double GetReferenceWindow() const
    {
        return m_reference;
    }

    /// @return additive increases since the last multiplicative step
    uint32_t GetIncreaseStage() const
    {
        return m_incStage;
    }

  protected:
    /// @throws FabricError if the path has no rate or base RTT, or MinRate is above the line rate
    void DoStart() override;
    void OnRaised(int64_t nowPs) override;

    /**
     * @brief Change Wc before the window is computed; the default changes nothing.
     * @param ack the ACK
     * @return true to take the window as Wc alone, without a multiplicative or additive step
     */
    virtual bool AdjustReference(const AckInfo& ack);

    /// @brief Set Wc, within its limits. @param window bytes
    void SetReferenceWindow(double window);

    /// @return index of the record of the link to the receiver @param ack the ACK
    uint8_t GetLastHop(const AckInfo& ack) const;

    /// @return index of the most loaded link, the first of equals in the order of the ACK
    uint8_t GetMostLoaded() const
    {
        return m_mostLoaded;
    }

    /// @return rate of a link in bit/s @param record index of its record
    uint64_t GetLinkRate(uint8_t record) const
    {
        return m_links[record].last.rateBps;
    }

  private:
    /// What is kept of a link of the path.
    struct Link
    {
        IntSample last;     //!< L[i]
        double psPerByte;   //!< of the link's rate
        double utilization; //!< u' when last measured
    };

    /// @return a record of the ACK @param item the ACK @param i index
    IntSample Read(const FabricPacketItem& item, uint8_t i) const;

    /// @brief Replace L and forget what was measured. @param ack the ACK
    void Record(const AckInfo& ack);

    /**
     * @brief Measure every link, then take U forward; L becomes that of the ACK.
     * @param item the ACK, with as many records as L
     * @return false if the records are of other links: nothing was measured then
     */
    bool MeasureInFlight(const FabricPacketItem& item);

    /// @brief Compute and propose the window. @param ack the ACK @param update a whole RTT has
    /// passed
    void ComputeWindow(const AckInfo& ack, bool update);

    double m_eta;                //!< attribute
    double m_utilizationGain;    //!< attribute
    uint32_t m_maxStage;         //!< attribute
    DataRate m_additiveIncrease; //!< attribute
    double m_initialUtilization; //!< attribute
    DataRate m_minRate;          //!< attribute
    bool m_fastReaction;         //!< attribute

    double m_utilization{0};            //!< U
    double m_reference{0};              //!< Wc in bytes
    double m_increaseBytes{0};          //!< W_AI in bytes
    double m_minWindow{0};              //!< bytes
    double m_maxWindow{0};              //!< bytes
    double m_inverseT{0};               //!< 1/T, per ps
    double m_weightPerPs{0};            //!< of a measurement in U, for each ps that it covers
    double m_rateOfByte{0};             //!< bit/s of a window of one byte
    uint64_t m_lastUpdateSeq{0};        //!< payload bytes
    int64_t m_lastRecordPs{0};          //!< when L was last replaced
    int64_t m_halfWrapPs{0};            //!< longest span over which records are compared
    const IntFormat* m_format{nullptr}; //!< of the path
    Ptr<IntFormat> m_ownFormat;         //!< if the path names none
    uint32_t m_incStage{0};             //!< incStage
    uint16_t m_entropy{0};              //!< of the path that L belongs to
    uint8_t m_nLinks{0};                //!< records in L, 0 before the first
    uint8_t m_mostLoaded{0};            //!< see GetMostLoaded()
    bool m_started{false};              //!< the first ACK has been seen
    std::array<Link, FabricPacketItem::MAX_HOPS> m_links; //!< L
};

} // namespace ns3

#endif /* INT_WINDOW_CONGESTION_CONTROL_H */
