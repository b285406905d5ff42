// SPDX-License-Identifier: GPL-2.0-only
#ifndef DCTCP_CONGESTION_CONTROL_H
#define DCTCP_CONGESTION_CONTROL_H

#include "congestion-control.h"

#include "ns3/data-rate.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief DCTCP (SIGCOMM 2010, RFC 8257): a window that is cut in proportion to the fraction of
 * marked packets.
 *
 * Once per window of data, F is the fraction of the packets acknowledged since the last estimate
 * that were marked, and alpha <- (1 - g) alpha + g F. A window of data ends with the first ACK
 * beyond what had been sent when it began; the first ACK of all ends one of its own packets.
 *
 * Decrease: the first ACK with a mark cuts W <- W (1 - alpha/2), at once, after alpha has been
 * updated if the same ACK ends a window. Marks of packets that were sent before the cut cause no
 * further one. A loss halves the window instead (RFC 8257, section 3.5), also once per window of
 * data; a time-out sets it to MinWindow.
 *
 * A notification of a queue is a mark that comes early, and alone: alpha, which begins at 1, cannot
 * know yet what part of the packets is marked. So each takes its own part of the cut. With all F of
 * a window of n packets marked, alpha = F, and W (1 - F/2) is W less F n / 2 packets: each lowers W
 * by half a packet, at once. Together those of a window of data cut no deeper than W (1 - alpha/2).
 * Echoes cut only if there are more of them than notifications came: then one was lost, or a queue
 * marks that does not notify. Such an echo, or a loss, makes the whole cut of a window of data of
 * which notifications have made a part. alpha counts echoes only.
 *
 * Increase: by ACKs without marks only (RFC 3168, section 6.1.2); with IncreaseOnMarks by all, as
 * RFC 8257, section 3.4, has it to the letter, which leaves growth to RFC 5681 and does not speak
 * of marks. Linux grows by no ACK at all until the window of data of a cut is acknowledged. In any
 * case the window grows only while it is what holds the sender back (RFC 7661 in spirit): a NIC
 * that sends at line rate gains nothing from a window beyond that, and would lose the time to cut
 * it. Slow start below the threshold: W grows by the bytes acknowledged. Above: W grows by
 * IncreasePackets each time that W bytes have been acknowledged. A cut sets the threshold to the
 * new W, a time-out to half of the old one.
 *
 * There is no pacing: the rate is that of the line, as DCTCP's is. What an RDMA transport makes
 * different is the start. InitialWindow is by default the BDP, as all controls of this module, and
 * RDMA NICs, begin at line rate: an initial window of 10 packets, which TCP has (RFC 6928), would
 * charge DCTCP several round trips for each short flow in any comparison. With a smaller
 * InitialWindow slow start leads from there to SlowStartThreshold.
 *
 * Switches mark by a step where a user sets no thresholds: all packets beyond K = 300 kB at 100
 * Gb/s, as in the public HPCC simulator, which WredMarkingProfile::Rate scales.
 *
 * Windows are whole bytes, and but for alpha all is integer arithmetic.
 */
class DctcpCongestionControl : public CongestionControl
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    CongestionControlNeeds GetNeeds() const override;
    std::vector<PolicyDefault> ListDefaults(const PolicyNetwork& network) const override;
    void OnAck(const AckInfo& ack) override;
    void OnBts(const BtsNotice& notice) override;
    void OnLoss(int64_t nowPs, uint64_t lostBytes) override;
    void OnTimeout(int64_t nowPs) override;

    /// @return alpha, 0 to 1
    double GetAlpha() const
    {
        return m_alpha;
    }

    /// @return window in bytes below which slow start goes on
    uint64_t GetThreshold() const
    {
        return m_threshold;
    }

  protected:
    /// @throws FabricError if the path has no line rate or base RTT and InitialWindow is the BDP
    void DoStart() override;
    void OnModified(int64_t nowPs, ModifierEffect effect) override;

  private:
    /// Propose a window.
    void ProposeWindow(int64_t nowPs, uint64_t window, CongestionCause cause);

    /// Cut the window, if the last cut is a window of data ago.
    void Cut(int64_t nowPs, double factor, CongestionCause cause);

    /// Lower the window by the part of the cut that is due for one packet that a queue has marked.
    void CutByOne(int64_t nowPs);

    /// Raise the window at an ACK by which it may grow.
    void Increase(const AckInfo& ack);

    double m_g;               //!< gain g of alpha
    double m_initialAlpha;    //!< alpha before the first estimate (RFC 8257: 1)
    uint64_t m_initialWindow; //!< window to begin with, in payload bytes
    /// Window in payload bytes up to which slow start leads at the beginning
    uint64_t m_slowStartAttribute;
    uint32_t m_increasePackets; //!< additive increase in full packets per window of data
    /// Additive increase as a rate per base RTT, which times the base RTT is that of the window
    DataRate m_increaseRate;
    bool m_increaseOnMarks;      //!< ACKs with marks, too, let the window grow
    uint32_t m_minPackets;       //!< least window in full packets
    uint64_t m_increaseBytes{0}; //!< additive increase

    double m_alpha{1};        //!< alpha
    uint64_t m_minWindow{1};  //!< bytes
    uint64_t m_threshold{0};  //!< bytes
    uint64_t m_covered{0};    //!< packets acknowledged since the last estimate
    uint64_t m_marked{0};     //!< of these, marked
    uint64_t m_windowEnd{0};  //!< payload bytes sent when the window of data began
    uint64_t m_cutEnd{0};     //!< payload bytes sent at the last cut
    uint64_t m_toldFrom{0};   //!< window before the first of these notifications
    uint64_t m_least{0};      //!< no notification of this window of data cuts below; UNLIMITED:
                              //!< the cut has been made
    uint64_t m_told{0};       //!< notifications whose marks have not been echoed
    uint64_t m_cumulative{0}; //!< payload bytes acknowledged in order
    uint64_t m_sent{0};       //!< payload bytes sent, as ACK or notification told last
    uint64_t m_credit{0};     //!< bytes acknowledged towards the next increase
    bool m_hasCut{false};     //!< m_cutEnd is valid
};

} // namespace ns3

#endif /* DCTCP_CONGESTION_CONTROL_H */
