// SPDX-License-Identifier: GPL-2.0-only
#ifndef MAXIMUM_MEASURE_H
#define MAXIMUM_MEASURE_H

#include "combined-measure.h"

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief The largest of other measures, each times a weight: congested where any of them says so,
 * such as a queue that is long or grows fast.
 */
class MaximumMeasure : public CombinedMeasure
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    MaximumMeasure();
    Ptr<CongestionMeasure> Fork() const override;

  private:
    double Combine(double level, double one) const override;
};

} // namespace ns3

#endif /* MAXIMUM_MEASURE_H */
