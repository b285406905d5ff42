// SPDX-License-Identifier: GPL-2.0-only
#include "conga-path-selector.h"

#include <algorithm>
#include <string>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(CongaPathSelector);

TypeId
CongaPathSelector::GetTypeId()
{
    static TypeId tid = TypeId("ns3::CongaPathSelector")
                            .SetParent<EcmpPathSelector>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<CongaPathSelector>();
    return tid;
}

RouteNeeds
CongaPathSelector::GetRouteNeeds() const
{
    RouteNeeds needs;
    needs.feature = "ns3::CongaFeature";
    return needs;
}

std::vector<PolicyDefault>
CongaPathSelector::ListDefaults(const PolicyNetwork& network) const
{
    const auto rtts = [&network](int64_t count) {
        return std::to_string(std::max<int64_t>(1, network.baseRttPs * count / 1000)) + "ns";
    };
    const std::string feature = GetRouteNeeds().feature;
    std::vector<PolicyDefault> defaults = PolicyDefault::WherePacketsOvertake();
    defaults.insert(defaults.end(),
                    {{feature, "FlowletTimeout", rtts(2)},
                     {feature, "Period", rtts(6)},
                     {feature, "AgeTime", rtts(60)}});
    return defaults;
}

} // namespace ns3
