// SPDX-License-Identifier: GPL-2.0-only
#ifndef INT_WINDOW_CONGESTION_CONTROL_H
#define INT_WINDOW_CONGESTION_CONTROL_H

#include "congestion-control.h"
#include "int-path-set.h"

#include "ns3/data-rate.h"

#include <algorithm>
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
 *   path changes (another path id, entropy, number of records or link rate).
 * - A link whose record is as old as the one before (the table of FNCC is refreshed periodically)
 *   keeps its utilization, and moves the average by nothing.
 * - Over a small set of paths (PathInfo::paths up to PathInfo::MAX_PATH_SET) each path has its own
 *   L, and the first ACK of each only records. U is one average over all: a measurement enters it
 *   with weight tau / T over the number of paths, and at most with 1 over that number.
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

    /// @return U, the moving average of the utilization of the most loaded link, over all paths
    double GetUtilization() const
    {
        return m_utilization;
    }

    /**
     * @param record index of a record, in the order of the ACK
     * @return utilization of that link of the path of the last ACK when it was last measured, 0
     * before
     */
    double GetLinkUtilization(uint8_t record) const
    {
        return m_paths.GetPresent().GetLinkUtilization(record);
    }

    /// @return paths of which there are records
    std::size_t GetNPaths() const
    {
        return m_paths.GetN();
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
    void OnModified(int64_t nowPs, ModifierEffect effect) override;

    /**
     * @brief Change Wc before the window is computed; the default changes nothing.
     * @param ack the ACK
     * @return true to take the window as Wc alone, without a multiplicative or additive step
     */
    virtual bool AdjustReference([[maybe_unused]] const AckInfo& ack)
    {
        return false;
    }

    /**
     * @brief Set Wc, within its limits.
     * @param window bytes
     */
    void SetReferenceWindow(double window)
    {
        m_reference = std::clamp(window, m_minWindow, m_maxWindow);
    }

    /// @return the path of the last ACK
    const IntPathState& GetPathState() const
    {
        return m_paths.GetPresent();
    }

    /**
     * @brief Compute and propose the window, with one U and one Wc for the path.
     * @param ack the ACK
     * @param update a whole RTT has passed
     */
    virtual void ComputeWindow(const AckInfo& ack, bool update);

    /**
     * @brief Set the window by a utilization that is not computed from records.
     *
     * The first one only begins the first RTT. Over a small set of paths U is the average of as
     * many as there are paths.
     * @param ack the ACK
     * @param utilization that it tells
     */
    void TakeUtilization(const AckInfo& ack, double utilization);

    /// @return the largest window, line rate x T, in bytes
    double GetMaxWindow() const
    {
        return m_maxWindow;
    }

    /// @return U before the first measurement
    double GetInitialUtilization() const
    {
        return m_initialUtilization;
    }

    /// @param utilization U before the first measurement: an attribute of each control, which has
    /// its own default
    void SetInitialUtilization(double utilization)
    {
        m_initialUtilization = utilization;
    }

    /**
     * @param spanPs time that it covers, in ps
     * @return weight of a measurement in U
     */
    double GetWeight(int64_t spanPs) const
    {
        return std::min(static_cast<double>(spanPs) * m_weightPerPs, 1.0);
    }

    /**
     * @param utilization U
     * @param stage additive steps since the last multiplicative one
     * @return true if the next step is a multiplicative one
     */
    bool IsMultiplicative(double utilization, uint32_t stage) const
    {
        return utilization >= m_eta || stage >= m_maxStage;
    }

    /**
     * @param reference Wc in bytes
     * @param utilization U
     * @param multiplicative see IsMultiplicative()
     * @return a reference window after a step, within its limits, in bytes
     */
    double Step(double reference, double utilization, bool multiplicative) const;

    /**
     * @brief Propose a window and the rate W / T.
     * @param nowPs time of the ACK
     * @param window bytes
     * @return the window in whole bytes
     */
    uint64_t ProposeWindow(int64_t nowPs, double window);

    /**
     * @param bytes what ProposeWindow() returned
     * @param window what it was given
     * @return the window to go on from: that, or what modifiers have made of it
     */
    double GetHeldWindow(uint64_t bytes, double window) const;

  private:
    /// Compute the window with the present U; a whole RTT has passed, or react within it.
    void React(const AckInfo& ack, bool update);

    /**
     * @brief Set the weight of a measurement over a set of paths: U is an average over all of them,
     * but over no more ACKs than a round trip has. The window is multiplied once in a round trip,
     * and a U that is older would do so again for what is past.
     */
    void WeighPaths();

    double m_eta;                //!< utilization that the window aims at
    double m_utilizationGain;    //!< factor on the weight tau / T with which a measurement enters U
    uint32_t m_maxStage;         //!< additive increases before a multiplicative one
    DataRate m_additiveIncrease; //!< W_AI / T: what an additive step adds to the rate
    double m_initialUtilization{0}; //!< attribute of derived classes
    DataRate m_minRate;             //!< least rate
    bool m_fastReaction;            //!< react to every ACK, or once for an RTT
    bool m_hasWindow;               //!< have a window beside the rate

    double m_utilization{0};     //!< U
    double m_reference{0};       //!< Wc in bytes
    double m_increaseBytes{0};   //!< W_AI in bytes
    double m_minWindow{0};       //!< bytes
    double m_maxWindow{0};       //!< bytes
    double m_rateOfByte{0};      //!< bit/s of a window of one byte
    double m_inverseT{0};        //!< 1/T, per ps
    double m_weightPerPs{0};     //!< of a measurement in U, for each ps that it covers
    double m_pathWeight{1};      //!< largest weight of a measurement
    uint64_t m_lastUpdateSeq{0}; //!< payload bytes
    uint32_t m_incStage{0};      //!< incStage
    bool m_started{false};       //!< the first ACK has been seen
    IntPathSet m_paths;          //!< what is known of each path
};

} // namespace ns3

#endif /* INT_WINDOW_CONGESTION_CONTROL_H */
