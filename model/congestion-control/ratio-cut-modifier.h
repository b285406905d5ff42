// SPDX-License-Identifier: GPL-2.0-only
#ifndef RATIO_CUT_MODIFIER_H
#define RATIO_CUT_MODIFIER_H

#include "congestion-modifier.h"
#include "congestion-signal.h"
#include "cut-ratio.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Scales every cut by how much the connection contributes to the congestion, so that unequal
 * flows converge sooner ([Patent] (86) to (97)).
 *
 * Of a reduction from now to proposed there takes hold now - s (now - proposed). s is Ratio, or
 * without one window over Wmax where there is a window and rate over line rate where there is none.
 * Reductions because of a loss or time-out take hold as proposed.
 *
 * Where many flows share a link, each has a small s, and hardly any of them is cut however long the
 * queue is. The patent has no bound. With Least, s is no less than that signal of the last ACK:
 * with QueueDelaySignal, cuts are whole once the delay in queues is FullDelay.
 */
class RatioCutModifier : public CongestionModifier
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @copydoc CongestionModifier::Start It cannot if Wmax is 0 and the path has no BDP.
    void Start(const PathInfo& path) override;
    void OnAck(const AckInfo& ack) override;
    void Modify(CongestionProposal& proposal) override;

  private:
    Ptr<CutRatio> m_ratio; //!< by how much cuts are scaled
    /// Cuts are scaled by no less than this signal, such as ns3::QueueDelaySignal
    Ptr<CongestionSignal> m_least;
    uint64_t m_maxWindowAttribute; //!< Wmax in bytes; 0: the BDP
    double m_signal{0};            //!< of the last ACK, if there is a Least
    uint64_t m_maxWindow{0};       //!< Wmax in bytes
};

} // namespace ns3

#endif /* RATIO_CUT_MODIFIER_H */
