// SPDX-License-Identifier: GPL-2.0-only
#ifndef MPRDMA_CONGESTION_CONTROL_H
#define MPRDMA_CONGESTION_CONTROL_H

#include "congestion-control.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief The window of MP-RDMA (NSDI 2018): each ACK moves it, by its own mark alone.
 *
 * The window is a number of packets, also fractions of one. A packet that is acknowledged without
 * a mark raises it by 1 / window, one with a mark lowers it by half a packet; it is never less than
 * a packet. So it needs no memory of marks and no round trips: over many paths each ACK answers for
 * its own path, and where all of a window is marked it halves, as TCP's does. Where an ACK covers
 * several packets (FabricNic::AckEvery), those without a mark count first.
 *
 * **Slow start** leads from an InitialWindow below the BDP to it, a packet for each acknowledged
 * one; a mark or a loss ends it. By default the window begins with the BDP, as those of all
 * controls of this module.
 *
 * **Entropies.** An ACK without a mark lets the next packet go the same way, one with a mark does
 * not. That is RepsLoadBalancer; this class does nothing about paths and works with any load
 * balancer.
 *
 * **Ours**, because the rules above say nothing of it: a loss halves the window once per window of
 * data, since what is lost brings no mark; a time-out sets it to one packet; and only a window that
 * holds the sender back grows. The PDC gets whole packets of the window.
 *
 * There is no pacing: the rate is that of the line.
 */
class MprdmaCongestionControl : public CongestionControl
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    CongestionControlNeeds GetNeeds() const override;
    void OnAck(const AckInfo& ack) override;
    void OnBts(const BtsNotice& notice) override;
    void OnLoss(int64_t nowPs, uint64_t lostBytes) override;
    void OnTimeout(int64_t nowPs) override;

    /// @return the window in packets
    double GetPackets() const
    {
        return m_packets;
    }

  protected:
    /// @throws FabricError if the path has no line rate or base RTT and InitialWindow is the BDP
    void DoStart() override;
    void OnModified(int64_t nowPs, ModifierEffect effect) override;

  private:
    /// Propose a window in packets, at least one.
    void ProposePackets(int64_t nowPs, double packets, CongestionCause cause);

    /// @return a window in payload bytes, of whole packets
    uint64_t GetBytes(double packets) const;

    double m_initialWindow;   //!< packets; 0: the BDP
    double m_packets{1};      //!< the window
    double m_slowStartEnd{0}; //!< packets up to which slow start leads; 0: it is over
    uint64_t m_cumulative{0}; //!< payload acknowledged in order
    uint64_t m_sent{0};       //!< payload sent
    uint64_t m_cutEnd{0};     //!< sent when a loss cut the window
    bool m_hasCut{false};     //!< a loss has
};

} // namespace ns3

#endif /* MPRDMA_CONGESTION_CONTROL_H */
