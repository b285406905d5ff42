// SPDX-License-Identifier: GPL-2.0-only
#ifndef PRODUCT_MEASURE_H
#define PRODUCT_MEASURE_H

#include "combined-measure.h"

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief The product of other measures, each times a weight: congested only where all of them say
 * so, such as a long queue of many flows. One that is 0 makes it 0.
 */
class ProductMeasure : public CombinedMeasure
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    ProductMeasure();
    Ptr<CongestionMeasure> Fork() const override;

  private:
    double Combine(double level, double one) const override;
};

} // namespace ns3

#endif /* PRODUCT_MEASURE_H */
