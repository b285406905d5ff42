// SPDX-License-Identifier: GPL-2.0-only
#ifndef RATIO_CUT_MODIFIER_H
#define RATIO_CUT_MODIFIER_H

#include "congestion-modifier.h"
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
 */
class RatioCutModifier : public CongestionModifier
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @copydoc CongestionModifier::Start It cannot if Wmax is 0 and the path has no BDP.
    void Start(const PathInfo& path) override;
    void Modify(CongestionProposal& proposal) override;

  private:
    Ptr<CutRatio> m_ratio;         //!< attribute
    uint64_t m_maxWindowAttribute; //!< attribute
    uint64_t m_maxWindow{0};       //!< Wmax in bytes
};

} // namespace ns3

#endif /* RATIO_CUT_MODIFIER_H */
