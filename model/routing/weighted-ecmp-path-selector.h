// SPDX-License-Identifier: GPL-2.0-only
#ifndef WEIGHTED_ECMP_PATH_SELECTOR_H
#define WEIGHTED_ECMP_PATH_SELECTOR_H

#include "ecmp-path-selector.h"

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Per-flow ECMP over groups in which ports stand as often as the capacity of the ways behind
 * them is of what there is (WCMP, [WCMP]_).
 *
 * Weights are those of the tables: where tables follow failures, they are of what is left.
 */
class WeightedEcmpPathSelector : public EcmpPathSelector
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    RouteNeeds GetRouteNeeds() const override;
};

} // namespace ns3

#endif /* WEIGHTED_ECMP_PATH_SELECTOR_H */
