// SPDX-License-Identifier: GPL-2.0-only
#ifndef FALCON_CONGESTION_CONTROL_H
#define FALCON_CONGESTION_CONTROL_H

#include "congestion-control.h"
#include "falcon-nic-window.h"
#include "swift-target.h"
#include "swift-window.h"

#include "ns3/nstime.h"

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief The delay windows of Falcon (OCP): one for the fabric, which is Swift's, and one for the
 * receiving NIC. The smaller one holds.
 *
 * The rules and constants are those of the Swift that Google published with its model of Falcon
 * (repository falcon-transport/isekai, commit daaf105), in words of our own.
 *
 * **Fabric window** (SwiftWindow). The fabric delay is the RTT without the time at the receiver.
 * The target is base + hops x HopTarget + max(0, min(a / sqrt(w) + b, FlowRange)), of the window w
 * in packets, as Swift's: FlowRange is added at FlowMinWindow, nothing at FlowMaxWindow. A delay
 * below it raises the window by Increase per window acknowledged, another one multiplies it by
 * 1 - min(Beta x excess / delay, MaxDecrease), once in a smoothed RTT. A time-out multiplies it by
 * 1 - MaxDecrease, and the ResetThreshold-th in a row sets it to MinWindow. What is found lost
 * lowers it only with DecreaseOnLoss, which the model has, off, as an option for drops.
 *
 * **NIC window** (FalconNicWindow): plus NicIncrease once in an RTT while the receiver keeps up,
 * else multiplied by 1 - min(NicBeta x excess, NicMaxDecrease), once in an RTT.
 *
 * **Below a packet** one packet goes each RTT / window, without a window of less than that.
 *
 * **Ours.** The base of the target is the base RTT of the pair of hosts and BaseTarget: in the
 * model it is 25 us, whatever the network, which is too little where paths are long (see
 * SwiftCongestionControl); BaseTarget is 25 us less the default T of 12 us. NIC windows of Falcon
 * go by the level of the receive buffer, of 32 steps with the target at 15. NICs here have none:
 * the time that the ACK waited at the receiver stands for it, with NicTarget, which is BaseTarget,
 * for the target. Windows grow only if they hold the sender back. Paths are those of
 * FalconLoadBalancer. Not here: a window for each (the sum of up to four holds there),
 * back-pressure on the host's queues, requests for ACKs.
 */
class FalconCongestionControl : public CongestionControl
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    CongestionControlNeeds GetNeeds() const override;
    void OnAck(const AckInfo& ack) override;
    void OnLoss(int64_t nowPs, uint64_t lostBytes) override;
    void OnTimeout(int64_t nowPs) override;

    /// @return window of the fabric, in packets
    double GetFabricWindow() const
    {
        return m_fabric.Get();
    }

    /// @return window of the receiving NIC, in packets
    double GetNicWindow() const
    {
        return m_nic.Get();
    }

    /**
     * @param packets window of the fabric
     * @return target of the fabric delay in ps
     */
    double GetTargetPs(double packets) const
    {
        return m_target.GetPs(packets);
    }

  protected:
    /// @throws FabricError if windows do not fit one another or the path
    void DoStart() override;
    void OnModified(int64_t nowPs, ModifierEffect effect) override;

  private:
    /// Propose the smaller window, and its pace.
    void ProposeWindow(int64_t nowPs, CongestionCause cause);
    /// Go on from what a modifier has made of a proposal.
    void TakeOver(double packets);

    Time m_baseTarget;         //!< target without base RTT, hops and flows
    Time m_hopTarget;          //!< target for each switch on the way
    Time m_flowRange;          //!< most that is added for small windows
    double m_flowMin;          //!< packets up to which all of it is
    double m_flowMax;          //!< packets from which on nothing is
    double m_increase;         //!< packets for each window
    double m_beta;             //!< multiplicative decrease
    double m_maxDecrease;      //!< most that a decrease takes
    double m_least;            //!< least window of the fabric, packets
    double m_most;             //!< largest windows, packets
    uint32_t m_resetThreshold; //!< time-outs in a row that set the window to the least
    bool m_decreaseOnLoss;     //!< losses lower the window
    Time m_nicTarget;          //!< target of the receiver's delay
    double m_nicIncrease;      //!< packets in an RTT
    double m_nicBeta;          //!< multiplicative decrease
    double m_nicMaxDecrease;   //!< most that a decrease takes
    double m_rttGain;          //!< of the smoothed RTT

    SwiftWindow m_fabric;  //!< of the fabric
    FalconNicWindow m_nic; //!< of the receiving NIC
    SwiftTarget m_target;  //!< of the fabric delay
    double m_rttPs{0};     //!< smoothed; before the first ACK the base RTT
    bool m_hasRtt{false};  //!< an ACK has come
};

} // namespace ns3

#endif /* FALCON_CONGESTION_CONTROL_H */
