// SPDX-License-Identifier: GPL-2.0-only
#include "weighted-measure.h"

#include "ns3/string.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(WeightedMeasure);

TypeId
WeightedMeasure::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::WeightedMeasure")
            .SetParent<CombinedMeasure>()
            .SetGroupName("Dcfabric")
            .AddConstructor<WeightedMeasure>()
            .AddAttribute(
                "Terms",
                "The sum, as weight*class terms separated by +: "
                "1*ns3::QueueOccupancyMeasure+0.5*ns3::QueueGradientMeasure.",
                StringValue("1*ns3::QueueOccupancyMeasure"),
                MakeStringAccessor(&WeightedMeasure::SetTerms, &WeightedMeasure::GetTerms),
                MakeStringChecker());
    return tid;
}

WeightedMeasure::WeightedMeasure()
    : CombinedMeasure('+')
{
}

Ptr<CongestionMeasure>
WeightedMeasure::Fork() const
{
    Ptr<WeightedMeasure> fork = CopyObject<WeightedMeasure>(this);
    fork->ForkTerms();
    return fork;
}

double
WeightedMeasure::Combine(double level, double one) const
{
    return level + one;
}

} // namespace ns3
