// SPDX-License-Identifier: GPL-2.0-only
#ifndef NSCC_CONGESTION_CONTROL_H
#define NSCC_CONGESTION_CONTROL_H

#include "congestion-control.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief NSCC, the network signaled congestion control of Ultra Ethernet: a window at the sender,
 * by marks and by how long queues delay packets.
 *
 * The specification was not read. The rules are those of the consortium's simulator uet-htsim
 * (commit 40ccb05), in words and constants of our own making where that is silent; third-party
 * notes on the specification confirm the target, the largest window, Alpha and quick adapt. The
 * chapter on Ultra Ethernet says what is from where.
 *
 * **Sizes.** MTU is the payload of a full packet, T the base RTT of the network's farthest hosts,
 * BDP the line rate times T, and a = BDP / 150,000 B, which is 1 at 100 Gb/s and 12 us. All windows
 * are payload bytes, in real numbers; the PDC gets whole packets of it, as it may exceed a window
 * by a part of one.
 *
 * **Delay** d of an ACK is the RTT of the packet that triggered it beyond the base RTT: T, or the
 * least RTT seen, but not below that of the pair of hosts, as short packets are faster. The average
 * has the gain DelayGain; an ACK without mark above the target counts as a quarter of the base RTT
 * there, so that the average hardly grows without marks.
 *
 * **An ACK** of n new bytes
 * - without mark, d at or above the target: earns FairIncrease x a x MTU x n;
 * - without mark, d below: earns Alpha x a x MTU / 12 us x (target - d) x n, unless more than a
 *   window in a row came with delays below FastDelay: then the window grows by FastIncrease x a x n
 *   at once;
 * - with a mark, d at or above: multiplies the window by 1 - Gamma (average - target) / average,
 *   but at least by 1 - MaxDecrease, if the average is above the target and no cut was made within
 *   the base RTT;
 * - with a mark, d below: changes nothing. The load balancer takes another path.
 *
 * What was earned, in bytes squared, is *fulfilled* after more than FulfillPackets full packets, or
 * T after the last time: the window grows by it over the window, and once in T by Eta x a x MTU.
 *
 * **Quick adapt.** Over periods of base RTT and target the bytes that arrive are counted. If they
 * are less than the largest window over AdaptGate and something was trimmed, or the delay of the
 * ACK is above AdaptTargets targets, the window becomes that number. What was in flight then is
 * ignored if it comes marked or trimmed.
 *
 * **Losses.** A packet that was trimmed (TrimInfo) enters the average as a delay of T, and quick
 * adapt; the window loses its bytes, unless quick adapt has acted. What is found lost without that
 * costs its bytes as well (LossShare), and a time-out one packet.
 */
class NsccCongestionControl : public CongestionControl
{
  public:
    /// What follows from the path and the attributes.
    struct Parameters
    {
        double networkRttPs{0};  //!< T
        double mtu{0};           //!< payload of a full packet in bytes; least window
        double scale{0};         //!< a
        double targetPs{0};      //!< queueing delay that is aimed at
        double alpha{0};         //!< proportional increase in bytes per ps
        double fairIncrease{0};  //!< bytes for each window
        double eta{0};           //!< bytes for each T
        double fastIncrease{0};  //!< bytes for each byte acknowledged
        double adaptPs{0};       //!< delay from which on quick adapt acts; infinite: none
        double mostAchieved{0};  //!< bytes from which on quick adapt does not act
        double fulfillBytes{0};  //!< bytes after which what was earned is fulfilled
        double largestWindow{0}; //!< bytes
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    CongestionControlNeeds GetNeeds() const override;
    std::vector<PolicyDefault> ListDefaults(const PolicyNetwork& network) const override;
    FabricText FindMisfit(const PathInfo& path) const override;
    void OnAck(const AckInfo& ack) override;
    void OnTrim(const TrimInfo& trim) override;
    void OnLoss(int64_t nowPs, uint64_t lostBytes) override;
    void OnTimeout(int64_t nowPs) override;

    /// @return what follows from the path
    const Parameters& GetParameters() const
    {
        return m_parameters;
    }

    /// @return the window in bytes, of which the PDC gets whole packets
    double GetExactWindow() const
    {
        return m_cwnd;
    }

    /// @return the average delay in ps
    double GetAverageDelayPs() const
    {
        return m_averagePs;
    }

    /// @return what was earned and not fulfilled, in bytes squared
    double GetEarned() const
    {
        return m_earned;
    }

  protected:
    /// @throws FabricError if the path has no line rate or no base RTT
    void DoStart() override;
    void OnModified(int64_t nowPs, ModifierEffect effect) override;

  private:
    /// No time yet.
    static constexpr int64_t LONG_AGO = std::numeric_limits<int64_t>::min() / 2;

    /// @return queueing delay that is aimed at, in ps, where T is so long
    double GetTargetPs(const PathInfo& path) const;
    /// Take a smaller RTT for the base RTT.
    void LowerBaseRtt(int64_t rttPs);
    /// Take a delay into the average.
    void Average(double delayPs);
    /// @return true if quick adapt has set the window, or what comes is the echo of what it
    /// answered; @p marked: or trimmed
    bool QuickAdapt(int64_t nowPs, double delayPs, bool marked, uint64_t inFlight);
    /// Raise the window for an ACK without mark, or earn for it.
    void Increase(double bytes, double delayPs);
    /// @return true if low delays have lasted for a window
    bool IsFast(double bytes, double delayPs);
    /// Lower the window for an ACK with mark and long delay.
    void Decrease(int64_t nowPs);
    /// Have the window grow by what was earned, if it is time.
    void Fulfill(int64_t nowPs);
    /// Lower the window by what will be sent again.
    void Subtract(int64_t nowPs, double bytes, CongestionCause cause);
    /// Keep the window within its bounds.
    void Clip();
    /// @return whole packets in bytes
    uint64_t Round(double bytes) const;
    /// Hand the window to the PDC.
    void ProposeWindow(int64_t nowPs, CongestionCause cause);

    double m_targetRtts;       //!< target in T, where queues drop
    double m_trimTargetRtts;   //!< likewise where they trim
    double m_largestBdps;      //!< largest window
    double m_alphaFactor;      //!< proportional increase
    double m_fairPackets;      //!< fair increase
    double m_etaPackets;       //!< increase for each T
    double m_fastFactor;       //!< fast increase
    Time m_fastDelay;          //!< delays below are as good as none
    double m_gamma;            //!< multiplicative decrease
    double m_maxDecrease;      //!< largest part that a decrease takes
    double m_delayGain;        //!< of the average
    double m_fulfillPackets;   //!< after which the window grows
    double m_adaptGate;        //!< quick adapt: part of the largest window; 0: none
    double m_adaptTargets;     //!< quick adapt: delay in targets, where queues drop; 0: none
    double m_trimAdaptTargets; //!< likewise where they trim
    double m_lossShare;        //!< of what is found lost without a NACK, that leaves the window
    bool m_sparesLastHop;      //!< trims at the last hop lower no window

    Parameters m_parameters;         //!< of the path
    double m_fastPs{0};              //!< FastDelay
    double m_cwnd{0};                //!< window in bytes
    double m_baseRttPs{0};           //!< least RTT
    double m_averagePs{0};           //!< delay
    double m_earned{0};              //!< bytes squared
    double m_received{0};            //!< bytes since they were fulfilled
    double m_fastCount{0};           //!< bytes with delays below FastDelay in a row
    double m_achieved{0};            //!< quick adapt: bytes of this period
    double m_ignored{0};             //!< quick adapt: bytes heard of since it acted
    double m_toIgnore{0};            //!< quick adapt: bytes that were in flight then
    int64_t m_periodEndPs{LONG_AGO}; //!< quick adapt: end of this period
    int64_t m_lastCutPs{LONG_AGO};   //!< last multiplicative decrease
    int64_t m_lastAdjustPs{0};       //!< when Eta was added
    bool m_isFast{false};            //!< the last low delay raised the window
    bool m_trimmed{false};           //!< quick adapt: a trim has not been answered
};

} // namespace ns3

#endif /* NSCC_CONGESTION_CONTROL_H */
