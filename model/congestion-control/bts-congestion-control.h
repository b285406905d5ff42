// SPDX-License-Identifier: GPL-2.0-only
#ifndef BTS_CONGESTION_CONTROL_H
#define BTS_CONGESTION_CONTROL_H

#include "congestion-control.h"

#include "ns3/data-rate.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief A congestion control that queues drive by notifications back to the sender ([Patent] (10)
 * to (16)). [Patent] leaves the reaction to the sender; this one is the module's own.
 *
 * *Cut.* Let q be the relative length of the queue, at most 1 (1 if it is not told, or for a drop),
 * N its active flows and C the rate of its link. If N and C are told, a sender above its share C/N
 * goes there at once, and one that is not lowers its rate by the part SmallDecrease x q; if they
 * are not, the part is MaxDecrease x q. A queue that shrinks, if that is told, lowers no rate below
 * the share. There is at most one cut in a base RTT T, within which a cut has not shown its effect
 * yet.
 *
 * *Never twice for a packet.* A notification that tells of an ECN bit set before is the second one
 * of its packet (a drop) and cuts nothing. An echo of a mark is, too, unless there are more echoes
 * than first notifications: then one was lost, or the mark came from elsewhere, and the echo takes
 * its place, with q = 1/2. With EchoedMarks off echoes are not read at all.
 *
 * *Recovery.* A period without notification or such an echo lasts T, and as long as PeriodPackets
 * packets take to be acknowledged: a slow sender, which gets few of these, also rises slowly. Below
 * the target, which is the rate before the cut, or the share if that was less, each period halves
 * the way there (as in DCQCN, SIGCOMM 2015), up to FastPeriods times; each further one raises the
 * rate by AdditiveIncrease, twice that, four times that.
 *
 * The window is WindowFactor R T and one packet, so that a cut also takes effect on what is in
 * flight.
 */
class BtsCongestionControl : public CongestionControl
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    CongestionControlNeeds GetNeeds() const override;
    void OnAck(const AckInfo& ack) override;
    void OnBts(const BtsNotice& notice) override;
    void OnLoss(int64_t nowPs, uint64_t lostBytes) override;
    void OnTimeout(int64_t nowPs) override;

    /// @return first notifications whose marks have neither been echoed nor dropped, at least 0
    int64_t GetBalance() const
    {
        return m_balance;
    }

  protected:
    /// @throws FabricError if the path has no line rate or base RTT, or MinRate is above the line
    /// rate
    void DoStart() override;
    void OnModified(int64_t nowPs, ModifierEffect effect) override;

  private:
    /// Cut to a rate, at least MinRate, if the last cut is long enough ago, and begin a new period
    /// in any case; recovery leads to the target. Both in bit/s.
    void Cut(int64_t nowPs, double rate, double target, CongestionCause cause);
    /// A period has passed without notification.
    void Recover(int64_t nowPs);
    /// Begin a period.
    void BeginPeriod(int64_t nowPs);
    /// Propose a rate and the window that goes with it.
    void ProposeRate(int64_t nowPs, double rate, CongestionCause cause);
    /// @return the window that goes with a rate
    uint64_t GetWindowOf(double rate) const;

    double m_maxDecrease;     //!< part that a cut takes for a full queue and an unknown share
    double m_smallDecrease;   //!< the same of a sender not above its share
    DataRate m_additive;      //!< first increase beyond what the rate was before the cut
    uint32_t m_fastPeriods;   //!< most periods that halve the way back to what a cut took
    uint32_t m_periodPackets; //!< least number of packets acknowledged in a period
    double m_windowFactor;    //!< window over rate times base RTT; 0: no window
    DataRate m_minRate;       //!< least rate
    bool m_echoedMarks;       //!< echoes of marks of which no notification came cut, too

    double m_leastRate{0};          //!< m_minRate in bit/s
    double m_target{0};             //!< rate to recover to, in bit/s
    int64_t m_lastCutPs{INT64_MIN}; //!< time of the last cut that took hold
    int64_t m_periodPs{0};          //!< when the present period began
    uint64_t m_periodAcked{0};      //!< packets acknowledged in it
    uint32_t m_halvings{0};         //!< periods in which the way to the target was halved
    uint32_t m_increases{0};        //!< periods in which the rate rose beyond it
    int64_t m_balance{0};           //!< first notifications whose echo may still come
};

} // namespace ns3

#endif /* BTS_CONGESTION_CONTROL_H */
