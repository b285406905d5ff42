// SPDX-License-Identifier: GPL-2.0-only
#ifndef SWIFT_CONGESTION_CONTROL_H
#define SWIFT_CONGESTION_CONTROL_H

#include "congestion-control.h"
#include "swift-target.h"
#include "swift-window.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Swift (SIGCOMM 2020): windows that hold delays at their targets, one for the fabric and
 * one for the hosts.
 *
 * **Delays.** The RTT of the packet that triggered an ACK has two parts. The endpoint delay is what
 * the ACK waited at the receiver, from the arrival of that packet until the ACK began to leave by
 * the wire; the receiver's NIC measures it and the ACK carries it (FabricPacketItem::echoDelayNs).
 * The sender handles ACKs as they arrive, so that it adds none. The fabric delay is the rest,
 * queues on the way back included. With one ACK for m packets the one that triggers it is the last,
 * which does not wait for others: what the others waited is in neither part.
 *
 * **Windows.** SwiftWindow, which is the paper's algorithm 1, runs once with the fabric delay and
 * once with a moving average of the endpoint delay, which has its own target. The PDC gets the
 * smaller window. A fast recovery and a time-out concern both. Decreases of a window are a
 * smoothed RTT apart (gain RttGain), except that a reset is not withheld.
 *
 * **Target** of the fabric delay (section 3.5 of the paper):
 *
 *   base RTT + BaseTarget + hops x HopTarget + max(0, min(a / sqrt(w) + b, FlowRange)), where
 *   a = FlowRange / (1 / sqrt(FlowMinWindow) - 1 / sqrt(FlowMaxWindow)),
 *   b = -a / sqrt(FlowMaxWindow),
 *
 * w is the fabric window in packets: FlowRange is added at FlowMinWindow and below, nothing at
 * FlowMaxWindow and above. Many flows in a link have small windows and get the room that their
 * bursts need.
 *
 * The delay holds propagation as well as queues, so that the target has to grow with the network:
 * below the base RTT it would shrink windows without any congestion. The paper has a fixed part for
 * the host's own switch and adds the same for each further hop, because its hosts know no more than
 * how many there are. The topology is known here: AddBaseRtt, the default, counts from the base RTT
 * of the pair of hosts, with delays and rates as they are, and BaseTarget is what remains for
 * queues. With AddBaseRtt false and a HopTarget the formula is the paper's, and FabricHelper warns
 * of a target below the base RTT.
 *
 * Hops are switches on the way. Hosts of the real Swift count them by the TTL of what
 * arrives; packets here have no TTL that is counted down, so FabricHelper tells the number of
 * switches on a shortest way (PathInfo::switches), which on spanning trees the way may exceed.
 *
 * **Less than a packet.** A window below one packet lets one packet go each RTT / window: one in
 * flight at most, and a rate of a full packet in that time. The RTT is that of the last ACK: an
 * average would take a new value in only with the next packet, which it puts off itself. From one
 * packet on the rate is that of the line, ACKs are the clock, and whole packets of the window are
 * in flight: the PDC would count the fraction as another one.
 *
 * **Growth that nobody uses.** A sender that its own link holds back sees no delay, and its window
 * would grow without end. GrowUnused false, the default, raises windows only if the window left no
 * room for another packet before the ACK. The paper does not speak of it. MaxWindow bounds windows
 * in any case.
 *
 * **Values.** The paper gives few; the defaults are those of the public htsim simulator, which
 * calls most of them guesses (BaseTarget 20 us, FlowRange 5 x
 * BaseTarget, windows of 0.1 and 100 for its ends, Increase 1, Beta 0.8, MaxDecrease 0.5, MinWindow
 * 10 bytes, reset at the fifth time-out). Ours are EndpointTarget, which is BaseTarget, the gains,
 * which are those of TCP's smoothed RTT, HopTarget, which
 * is BaseTarget / 6.55 there, without a base RTT: for its links of 1 us that is the same room for
 * queues within 3 us, and MaxWindow: what the line carries in the largest
 * target. InitialWindow is the BDP, as flows of all controls of this module begin at line rate.
 */
class SwiftCongestionControl : public CongestionControl
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    CongestionControlNeeds GetNeeds() const override;
    void OnAck(const AckInfo& ack) override;
    void OnLoss(int64_t nowPs, uint64_t lostBytes) override;
    void OnTimeout(int64_t nowPs) override;

    /// @return window of the fabric delay, in packets
    double GetFabricWindow() const
    {
        return m_fabric.Get();
    }

    /// @return window of the endpoint delay, in packets
    double GetEndpointWindow() const
    {
        return m_endpoint.Get();
    }

    FabricText FindMisfit(const PathInfo& path) const override;

    /**
     * @param packets window of the fabric delay
     * @return target of the fabric delay in ps
     */
    double GetTargetPs(double packets) const
    {
        return m_target.GetPs(packets);
    }

  protected:
    /// @throws FabricError if windows or targets do not fit one another or the path
    void DoStart() override;
    void OnModified(int64_t nowPs, ModifierEffect effect) override;

  private:
    /// Propose the smaller window, and its pace. Reductions have the cause, increases are RECOVERY.
    void ProposeWindow(int64_t nowPs, CongestionCause cause);

    /// @return target of the fabric delay in ps, without what depends on the window
    double GetFixedTargetPs(const PathInfo& path) const;

    /// The target of the fabric delay counts from the base RTT of the pair of hosts
    bool m_addBaseRtt;
    Time m_baseTarget;      //!< target of the fabric delay without base RTT, hops and flows
    Time m_hopTarget;       //!< target for each switch on the way
    Time m_flowRange;       //!< fs_range: most that is added to the target for small windows
    Time m_endpointTarget;  //!< target of the endpoint delay
    double m_flowMin;       //!< fs_min_cwnd: window in packets up to which FlowRange is added
    double m_flowMax;       //!< fs_max_cwnd: window in packets from which on nothing is added
    double m_rttGain;       //!< gain of the smoothed RTT, by which decreases are spaced
    double m_endpointGain;  //!< gain of the smoothed endpoint delay
    double m_initialWindow; //!< window to begin with, in packets
    double m_increase;      //!< ai: additive increase in packets for each window
    double m_beta;          //!< multiplicative decrease for an infinite delay, 0 to 1
    double m_maxDecrease;   //!< max_mdf: largest part that a decrease takes, 0 to 1
    double m_least;         //!< min_cwnd: least window in packets
    double m_most;          //!< max_cwnd: largest window in packets; 0: by the target
    /// RETX_RESET_THRESHOLD: time-outs in a row that set the window to MinWindow
    uint32_t m_resetThreshold;
    bool m_growUnused; //!< raise windows also when they do not hold the sender back

    SwiftWindow m_fabric;    //!< fcwnd
    SwiftWindow m_endpoint;  //!< ecwnd
    SwiftTarget m_target;    //!< of the fabric delay
    double m_endTargetPs{0}; //!< EndpointTarget
    double m_rttPs{0};       //!< smoothed; before the first ACK the base RTT
    double m_lastRttPs{0};   //!< of the last ACK
    double m_endpointPs{0};  //!< smoothed endpoint delay
    bool m_hasRtt{false};    //!< an ACK has come
};

} // namespace ns3

#endif /* SWIFT_CONGESTION_CONTROL_H */
