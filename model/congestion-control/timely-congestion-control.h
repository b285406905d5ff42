// SPDX-License-Identifier: GPL-2.0-only
#ifndef TIMELY_CONGESTION_CONTROL_H
#define TIMELY_CONGESTION_CONTROL_H

#include "congestion-control.h"
#include "rate-window.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief TIMELY (SIGCOMM 2015): a rate that follows the gradient of the round-trip time.
 *
 * The algorithm acts on completion events: one for each SegmentBytes acknowledged in order. The RTT
 * of an event is that of the packet whose ACK completed it, less the time that a full packet takes
 * on the sender's link. (The paper takes the time of a whole segment less its serialization; it
 * sends segments as bursts, this NIC paces each packet, and then both are the same.) With diff the
 * difference of the RTTs of this event and the last, 0 at the first,
 *
 *   d <- (1 - Alpha) d + Alpha x diff, gradient = d / MinRtt,
 *
 * and the rate R becomes (algorithm 1 of the paper)
 *
 *   RTT < LowThreshold:  R + step
 *   RTT > HighThreshold: R (1 - Beta (1 - HighThreshold / RTT))
 *   gradient <= 0:       R + step, or R + HyperFactor x step if the RTT has fallen at
 *                        HyperThreshold events in a row, this one included
 *   gradient > 0:        R (1 - Beta x gradient)
 *
 * but at least (1 - MaxDecrease) of what it was, at least MinRate and at most the line rate.
 *
 * **Sources.** Thresholds, step, Beta, the size of segments (16 to 64 KB) and the five events are
 * the paper's. The rule for hyper-active increase, the bound on decreases, ScaleByElapsed and Alpha
 * are those of the code that its authors published with it. Alpha is 0.875 in the analysis by Zhu
 * et al. (CoNEXT 2016) and in the public HPCC simulator, as is the MinRtt of 20 us. With that Alpha
 * shares drift apart, as that analysis says: the gradient alone does not tell a flow its share. The
 * suite dcfabric-control-network shows both.
 *
 * **Line rate.** The paper's values are those of 10 Gb/s links. The step is AdditiveIncrease x line
 * rate / ReferenceRate, so that the way from one fair share to another takes as many events on a
 * faster link. The thresholds remain, because what they bound is a delay; as a queue, LowThreshold
 * is 62.5 KB at 10 Gb/s and 625 KB at 100 Gb/s, less the base RTT.
 *
 * **Base RTT.** The thresholds are for the paper's network, with RTTs of 20 us when it is empty:
 * they leave 30 and 480 us to queues. Where propagation alone exceeds them all rates would fall
 * without any congestion. What the base RTT of the pair of hosts has beyond ReferenceRtt is
 * therefore added to both, and MinRtt is the larger of the two. Up to 20 us all is as in the paper.
 * FabricHelper warns of thresholds below the base RTT.
 *
 * A faster link also completes
 * segments more often. With ScaleByElapsed the step and the cut above HighThreshold are multiplied
 * by the time since the last event over MinRtt, at most 1: as much per MinRtt, however many events
 * there are. The cut by the gradient needs no such factor, since differences are smaller the closer
 * the events are.
 *
 * With HasWindow there is a window beside the rate (RateWindow).
 *
 * The paper takes a lossless network for granted. Here a time-out counts as the largest decrease,
 * since no event can come that would ask for one; packets found lost do nothing, their neighbors
 * tell the delay.
 */
class TimelyCongestionControl : public CongestionControl
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    void OnAck(const AckInfo& ack) override;
    void OnTimeout(int64_t nowPs) override;
    FabricText FindMisfit(const PathInfo& path) const override;

    /// @return d / MinRtt, the normalized gradient
    double GetGradient() const
    {
        return m_diffPs / m_minRtt;
    }

    /// @return events in a row at which the RTT had fallen
    uint32_t GetFalls() const
    {
        return m_falls;
    }

  protected:
    /// @throws FabricError if a threshold, MinRtt or MinRate does not fit the others or the path
    void DoStart() override;

  private:
    /// @return what is added to both thresholds, in ps
    int64_t GetExtraPs(const PathInfo& path) const;

    /// @return the rule of the window
    RateWindow GetRateWindow() const
    {
        return {m_hasWindow, m_varyWindow};
    }

    /// @return the window at a rate
    uint64_t GetWindowAt(double rate) const
    {
        return GetRateWindow().Get(GetPath(), rate);
    }

    /// A segment is complete.
    void Complete(int64_t nowPs, int64_t rttPs);

    /**
     * @param rttPs RTT of the event
     * @param share of the step and of the cut above HighThreshold, 0 to 1
     * @return the rate that follows, before its bounds
     */
    double ComputeRate(int64_t rttPs, double share) const;

    double m_alpha;       //!< weight of the newest difference of RTTs in the moving average, 0 to 1
    double m_beta;        //!< weight of a multiplicative decrease, 0 to 1
    double m_maxDecrease; //!< largest part of the rate that one event or time-out takes away
    Time m_lowAttribute;  //!< T_low: below this RTT the rate rises
    Time m_highAttribute; //!< T_high: above this RTT the rate falls
    Time m_minRttAttribute;      //!< RTT by which the gradient is normalized
    Time m_referenceRtt;         //!< base RTT for which LowThreshold and HighThreshold are meant
    DataRate m_additiveIncrease; //!< delta: additive step at ReferenceRate
    DataRate m_referenceRate;    //!< line rate for which AdditiveIncrease is meant
    DataRate m_minRate;          //!< least rate
    DataRate m_initialRate;      //!< rate to begin with, not below MinRate
    uint64_t m_segmentBytes;     //!< payload bytes between two completion events
    /// n: events with a falling RTT in a row, from which on increase is hyper-active
    uint32_t m_hyperThreshold;
    double m_hyperFactor;  //!< steps of a hyper-active increase, at least 1
    bool m_hasWindow;      //!< have a window beside the rate
    bool m_varyWindow;     //!< it follows the rate
    bool m_scaleByElapsed; //!< scale steps and cuts by the time since the last event over MinRtt

    int64_t m_lowPs{0};       //!< LowThreshold
    int64_t m_highPs{0};      //!< HighThreshold
    double m_minRtt{1};       //!< MinRtt in ps
    int64_t m_framePs{0};     //!< of a full packet on the sender's link
    double m_step{0};         //!< bit/s
    uint64_t m_segmentEnd{0}; //!< payload bytes in order at which the next event comes
    int64_t m_lastRttPs{0};   //!< of the last event
    int64_t m_lastPs{0};      //!< time of the last event
    double m_diffPs{0};       //!< d
    uint32_t m_falls{0};      //!< see GetFalls()
    bool m_hasLast{false};    //!< there was an event
};

} // namespace ns3

#endif /* TIMELY_CONGESTION_CONTROL_H */
