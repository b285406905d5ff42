// SPDX-License-Identifier: GPL-2.0-only
#include "maximum-measure.h"

#include "ns3/string.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(MaximumMeasure);

TypeId
MaximumMeasure::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::MaximumMeasure")
            .SetParent<CombinedMeasure>()
            .SetGroupName("Dcfabric")
            .AddConstructor<MaximumMeasure>()
            .AddAttribute("Terms",
                          "What the largest is taken of, as weight*class separated by commas: "
                          "1*ns3::QueueOccupancyMeasure,0.5*ns3::QueueGradientMeasure.",
                          StringValue("1*ns3::QueueOccupancyMeasure"),
                          MakeStringAccessor(&MaximumMeasure::SetTerms, &MaximumMeasure::GetTerms),
                          MakeStringChecker());
    return tid;
}

MaximumMeasure::MaximumMeasure()
    : CombinedMeasure(',')
{
}

Ptr<CongestionMeasure>
MaximumMeasure::Fork() const
{
    Ptr<MaximumMeasure> fork = CopyObject<MaximumMeasure>(this);
    fork->ForkTerms();
    return fork;
}

double
MaximumMeasure::Combine(double level, double one) const
{
    return std::max(level, one);
}

} // namespace ns3
