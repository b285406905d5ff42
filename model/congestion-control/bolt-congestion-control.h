// SPDX-License-Identifier: GPL-2.0-only
#ifndef BOLT_CONGESTION_CONTROL_H
#define BOLT_CONGESTION_CONTROL_H

#include "congestion-control.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief The sender of Bolt (NSDI 2023): a window that shrinks by packets when switches tell of a
 * queue, and grows by what they grant.
 *
 * - *Notified* of a queue of q packets in a link of rate C, of a packet that left rttSrc ago: the
 *   sender's share of the link is s = (W / RTT) / C, and of the queue s q. It gives way by one
 *   packet, but not again within rttSrc / (s q): so that s q packets go in the time in which it
 *   hears of it. A window of one packet or less is multiplied by 1 - MaxDecrease instead.
 * - An *ACK* whose packet was granted an increase adds a packet. So does one ACK of each RTT,
 *   whatever the network says (AdditiveIncrease).
 * - Packets ask for an increase unless they are sent before the first ACK, or none of the message
 *   will follow their ACK, of which switches make tokens (BoltFeature, BoltBits).
 * - A loss and a time-out multiply the window by 1 - MaxDecrease, once an RTT.
 *
 * The window begins with the BDP, and is no more. Where it is less than a packet, packets are
 * paced.
 *
 * **Sources.** Rules and numbers are those of the ns-3 code that Google published for the paper
 * (bolt-ns3). An increase each RTT is counted by bytes acknowledged, where that code has a packet
 * marked: a packet that is lost would end increases for good.
 */
class BoltCongestionControl : public CongestionControl
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    CongestionControlNeeds GetNeeds() const override;
    bool StampsData() const override;
    void Stamp(FabricPacketItem& item, int64_t nowPs) override;
    void OnAck(const AckInfo& ack) override;
    void OnBts(const BtsNotice& notice) override;
    void OnLoss(int64_t nowPs, uint64_t lostBytes) override;
    void OnTimeout(int64_t nowPs) override;

    /// @return window in bytes, also fractions of one
    double GetExactWindow() const
    {
        return m_bytes;
    }

  protected:
    /// @throws FabricError if the path has no line rate or no base RTT
    void DoStart() override;
    void OnModified(int64_t nowPs, ModifierEffect effect) override;

  private:
    /// Set the window.
    void Set(int64_t nowPs, double bytes, CongestionCause cause);

    /// Multiply the window by 1 - MaxDecrease, if the last time is an RTT ago.
    void Cut(int64_t nowPs, CongestionCause cause);

    /// @return pacing rate of a window
    double GetPace(double bytes) const;

    double m_increase;    //!< packets that are added each RTT
    double m_maxDecrease; //!< part of the window that a loss takes away
    double m_least;       //!< least window in packets
    double m_targetBytes; //!< queue that senders let stand

    double m_bytes{0};           //!< the window
    double m_most{0};            //!< largest window in bytes
    int64_t m_rttPs{0};          //!< of the last ACK
    int64_t m_decreasedPs{0};    //!< when the window was last lowered
    bool m_hasDecreased{false};  //!< it was
    uint64_t m_lastUpdateSeq{0}; //!< payload bytes that end the present RTT
    bool m_started{false};       //!< an ACK has come
};

} // namespace ns3

#endif /* BOLT_CONGESTION_CONTROL_H */
