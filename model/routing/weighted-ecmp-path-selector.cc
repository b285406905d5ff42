// SPDX-License-Identifier: GPL-2.0-only
#include "weighted-ecmp-path-selector.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(WeightedEcmpPathSelector);

TypeId
WeightedEcmpPathSelector::GetTypeId()
{
    static TypeId tid = TypeId("ns3::WeightedEcmpPathSelector")
                            .SetParent<EcmpPathSelector>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<WeightedEcmpPathSelector>();
    return tid;
}

RouteNeeds
WeightedEcmpPathSelector::GetRouteNeeds() const
{
    RouteNeeds needs;
    needs.weights = true;
    return needs;
}

} // namespace ns3
