// SPDX-License-Identifier: GPL-2.0-only
#ifndef FNCC_CONGESTION_CONTROL_H
#define FNCC_CONGESTION_CONTROL_H

#include "int-window-congestion-control.h"

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief FNCC ([FNCC]): INT inserted into ACKs on the return path, last hop first, and last-hop
 * congestion speed-up (LHCS).
 *
 * LHCS ([FNCC], algorithm 2): when the most loaded link is the one to the receiver and its
 * utilization exceeds alpha, the reference window becomes the fair share B x T x beta / N at once,
 * on every ACK. N is the receiver's count of incoming flows; an ACK with N = 0 leaves the reference
 * window as it is, because nothing is known to share the link.
 *
 * The window is then computed from the reference window as ever: W = Wc x eta / U + W_AI. With
 * LhcsSkipsWindowStep the fair share itself is the window.
 */
class FnccCongestionControl : public IntWindowCongestionControl
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    CongestionControlNeeds GetNeeds() const override;

    /// @return how often LHCS has set the reference window
    uint64_t GetLhcsCount() const
    {
        return m_lhcsCount;
    }

  protected:
    bool AdjustReference(const AckInfo& ack) override;

  private:
    double m_alpha; //!< utilization of the last hop above which it counts as congested
    double m_beta;  //!< part of the last hop's rate that is shared out, to drain its queue
    bool m_speedup; //!< set the reference window to the fair share when the last hop is congested
    /// After the speed-up take the fair share as the window, without the multiplicative step
    bool m_skipStep;
    uint64_t m_lhcsCount{0}; //!< see GetLhcsCount()
};

} // namespace ns3

#endif /* FNCC_CONGESTION_CONTROL_H */
