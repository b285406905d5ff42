// SPDX-License-Identifier: GPL-2.0-only
#ifndef DCQCN_CONGESTION_CONTROL_H
#define DCQCN_CONGESTION_CONTROL_H

#include "congestion-control.h"
#include "dcqcn-alpha.h"
#include "rate-window.h"

#include "ns3/data-rate.h"
#include "ns3/fabric-packet-item.h"
#include "ns3/nstime.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief DCQCN (SIGCOMM 2015): the rate is cut on congestion notifications and recovers by a timer
 * and a byte counter.
 *
 * A notification is a CNP or, with CnpInterval zero, an ACK that covers marked packets; or a BTS,
 * the first one of its packet. The echoes of marks of which a BTS has told notify nobody again:
 * ACKs tell how many marks there are, and where there are no more than BTS came, CNPs are
 * ignored.
 *
 * Decrease: target <- rate, rate <- rate x (1 - alpha/2), at least MinRate; both stages, the byte
 * count and the increase timer begin anew. Two decreases are at least DecreaseInterval apart: a
 * notification that comes earlier is acted on when the interval is over. With PeriodicChecks,
 * decreases happen only at multiples of the interval after the first notification, if another
 * came since the last multiple, and alpha is updated in the same manner (see DcqcnAlpha). With
 * ClampTargetRate false, the target is left alone by a decrease that follows another without an
 * increase in between.
 *
 * A BTS comes before the queue is long, again and again while it lasts, and alpha has begun at 1:
 * by the rule above alone it halves rates down to MinRate before the first of them shows its
 * effect. So where it tells the number of active flows and the rate of the link, and so the
 * sender's share, whether of a packet that was marked or of one that was dropped, it leads down to
 * the share and once below, no further: its decreases end at share x (1 - alpha/2). On the way
 * there they are as far apart as it takes to see one, a base RTT, if that is less than
 * DecreaseInterval. What they do within DecreaseInterval, and the one below the share, is one
 * decrease of DCQCN's: the target is the rate before it, and never less than the share. (With that
 * of the last of them, which is near the share, flows would stay there when others have ended.) One
 * that finds the rate at the end has the increase begin anew.
 *
 * Increase, at each expiry of the timer and of the byte counter: with t and b expiries so far since
 * the last decrease, fast recovery while max(t, b) < FastRecoveryStages = F: rate <- (rate +
 * target)/2; then first target <- target + i x HyperIncrease if i = min(t, b) - F is above 0, else
 * target + AdditiveIncrease, at most the line rate. Without a byte counter b does not count. With
 * GrowingHyperIncrease false, i is 1 in every step.
 *
 * Expiry and decrease at the same time: the increase comes first, in whatever order the events are
 * delivered. Increases end when the line rate is reached to within one part in a million; no timer
 * runs then.
 *
 * **Sources.** g, F, the timers, the byte counter and CnpInterval are the paper's. Its alpha timer
 * is longer than the interval of CNPs, and has to be: under lasting congestion the next CNP follows
 * the last by CnpInterval and the wait for the next marked packet, and an AlphaInterval that ends
 * first takes away what each CNP adds, so that alpha settles at 1/(2 - g), half of what it says.
 * The paper leaves hyper increase to 802.1Qau (QCN), where steps grow by one R_HAI each; R_AI and
 * R_HAI are those of the simulator that its first author published, and not scaled with the line
 * rate there. Not taken over from QCN are its halved timer and byte count in hyper increase and its
 * eighth of a target far above the rate: the paper names neither.
 *
 * With HasWindow there is a window beside the rate (RateWindow).
 *
 * The variant of the public HPCC simulator: CnpInterval 0, PeriodicChecks, AlphaInterval 1us,
 * DecreaseInterval 4us, IncreaseInterval 300us, FastRecoveryStages 1, ByteCounter 0,
 * ClampTargetRate false, GrowingHyperIncrease false, AdditiveIncrease 20Mbps, MinRate 1Gbps.
 */
class DcqcnCongestionControl : public CongestionControl
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    CongestionControlNeeds GetNeeds() const override;
    void OnAck(const AckInfo& ack) override;
    void OnCnp(int64_t nowPs) override;
    /// @copydoc CongestionControl::OnBts A first notification of a packet acts as a CNP, the echo
    /// of its mark then does not.
    void OnBts(const BtsNotice& notice) override;
    void OnSend(int64_t nowPs, uint32_t frameBytes) override;
    void OnTimer(uint8_t timer, int64_t nowPs) override;

    /// Timers, as known to Host.
    enum Timers : uint8_t
    {
        DECREASE = 0, //!< a decrease that had to wait
        INCREASE = 1, //!< the increase timer
    };

    /// @return the rate that fast recovery aims at, in bit/s
    double GetTargetRate() const
    {
        return m_target;
    }

    /**
     * @param nowPs time in ps, not before that of the last event
     * @return alpha, 0 to 1
     */
    double GetAlpha(int64_t nowPs)
    {
        return m_alpha.Get(nowPs);
    }

  protected:
    /// @throws FabricError if an interval is too short or MinRate is above the line rate
    void DoStart() override;
    void OnModified(int64_t nowPs, ModifierEffect effect) override;

    /**
     * @brief Have all intervals last longer than their attributes say, from their next begin on:
     * for variants that learn how seldom CNPs come.
     * @param nowPs time in ps
     * @param times 1: as the attributes say
     */
    void StretchIntervals(int64_t nowPs, double times);

    /// @return least time between two CNPs of a receiver, in ps; 0: marks are echoed instead
    int64_t GetCnpIntervalPs() const;

  private:
    /// Congestion, as it was notified.
    struct Notification
    {
        CongestionCause cause; //!< LOSS if a packet was dropped, otherwise SIGNAL
        double share;          //!< of the sender in the link, in bit/s; 0: unknown
    };

    /// Congestion was notified.
    void Notify(int64_t nowPs, Notification what);

    /// @return the sender's share of the link of a queue that notifies, in bit/s; 0: not told
    static double GetShare(const FabricPacketItem* bts);

    /// @return the earliest time for a decrease after a notification
    int64_t GetDecreaseTime(int64_t nowPs, double share) const;

    /// @return where decreases end, in bit/s, of a sender with a share; 0: not told
    double GetLeastRate(int64_t nowPs, double share);

    /// Cut the rate.
    void Decrease(int64_t nowPs, Notification what);

    /// Set the target of recovery when the rate is cut; share 0: not told.
    void SetTarget(int64_t nowPs, double rate, double share);

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

    /// Have both stages, the byte count and the increase timer begin anew.
    void BeginIncrease(int64_t nowPs);

    /// Handle an expiry of the increase timer, if there is one by now.
    void RunIncreaseTimer(int64_t nowPs);

    /// Raise the rate by one event of the timer or of the byte counter, counted in @p stage.
    void Increase(int64_t nowPs, uint32_t& stage);

    double m_g;              //!< gain g of alpha
    Time m_alphaInterval;    //!< time without a notification after which alpha decreases
    Time m_decreaseInterval; //!< least time between two decreases
    Time m_increaseInterval; //!< interval of the increase timer
    Time m_cnpInterval;      //!< least time between two CNPs of a receiver
    uint64_t m_byteCounter;  //!< frame bytes sent from one expiry of the byte counter to the next
    uint32_t m_fastStages;   //!< increase events of fast recovery, F
    DataRate m_additiveIncrease; //!< step of the target rate after fast recovery, R_AI
    DataRate m_hyperIncrease;    //!< first step of the target rate in hyper increase, R_HAI
    DataRate m_minRate;          //!< least rate
    bool m_growingHyper;         //!< stage i of hyper increase adds i x HyperIncrease (QCN)
    bool m_clampTarget;          //!< every decrease sets the target rate
    /// Decide alpha and decreases at multiples of their intervals after the first notification
    bool m_periodic;
    bool m_hasWindow;  //!< have a window beside the rate
    bool m_varyWindow; //!< it follows the rate

    DcqcnAlpha m_alpha;            //!< alpha
    double m_line{0};              //!< line rate in bit/s
    double m_target{0};            //!< target rate in bit/s
    int64_t m_decreasePs{0};       //!< DecreaseInterval
    int64_t m_increasePs{0};       //!< IncreaseInterval
    int64_t m_basePs{0};           //!< periodic: first notification; else: last decrease
    int64_t m_targetAtPs{0};       //!< last decrease that set the target
    int64_t m_increaseAtPs{0};     //!< next expiry of the increase timer
    uint64_t m_bytes{0};           //!< sent since the byte counter expired
    uint32_t m_timeStage{0};       //!< t
    uint32_t m_byteStage{0};       //!< b
    bool m_notified{false};        //!< the first notification has come
    bool m_hears{false};           //!< a BTS has come
    bool m_untold{false};          //!< marks were echoed of which no BTS came
    uint64_t m_told{0};            //!< BTS whose marks have not been echoed
    bool m_decreasePending{false}; //!< a decrease waits for its time
    Notification m_pending{CongestionCause::SIGNAL, 0}; //!< that one
    bool m_increasing{false}; //!< below the line rate: timer and byte counter run
};

} // namespace ns3

#endif /* DCQCN_CONGESTION_CONTROL_H */
