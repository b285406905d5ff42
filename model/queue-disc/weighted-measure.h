// SPDX-License-Identifier: GPL-2.0-only
#ifndef WEIGHTED_MEASURE_H
#define WEIGHTED_MEASURE_H

#include "combined-measure.h"

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief A weighted sum of other measures.
 */
class WeightedMeasure : public CombinedMeasure
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    WeightedMeasure();
    Ptr<CongestionMeasure> Fork() const override;

  private:
    double Combine(double level, double one) const override;
};

} // namespace ns3

#endif /* WEIGHTED_MEASURE_H */
