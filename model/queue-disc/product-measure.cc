// SPDX-License-Identifier: GPL-2.0-only
#include "product-measure.h"

#include "ns3/string.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(ProductMeasure);

TypeId
ProductMeasure::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ProductMeasure")
            .SetParent<CombinedMeasure>()
            .SetGroupName("Dcfabric")
            .AddConstructor<ProductMeasure>()
            .AddAttribute("Terms",
                          "The factors, as weight*class separated by commas: "
                          "1*ns3::QueueOccupancyMeasure,0.1*ns3::ActiveFlowsMeasure.",
                          StringValue("1*ns3::QueueOccupancyMeasure"),
                          MakeStringAccessor(&ProductMeasure::SetTerms, &ProductMeasure::GetTerms),
                          MakeStringChecker());
    return tid;
}

ProductMeasure::ProductMeasure()
    : CombinedMeasure(',')
{
}

Ptr<CongestionMeasure>
ProductMeasure::Fork() const
{
    Ptr<ProductMeasure> fork = CopyObject<ProductMeasure>(this);
    fork->ForkTerms();
    return fork;
}

double
ProductMeasure::Combine(double level, double one) const
{
    return level * one;
}

} // namespace ns3
