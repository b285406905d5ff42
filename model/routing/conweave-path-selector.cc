// SPDX-License-Identifier: GPL-2.0-only
#include "conweave-path-selector.h"

#include <algorithm>
#include <string>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(ConweavePathSelector);

TypeId
ConweavePathSelector::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ConweavePathSelector")
                            .SetParent<EcmpPathSelector>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<ConweavePathSelector>();
    return tid;
}

RouteNeeds
ConweavePathSelector::GetRouteNeeds() const
{
    RouteNeeds needs;
    needs.feature = "ns3::ConweaveFeature";
    needs.misleads = "ns3::TimelyCongestionControl";
    return needs;
}

std::vector<PolicyDefault>
ConweavePathSelector::ListDefaults(const PolicyNetwork& network) const
{
    const auto rtts = [&network](int64_t halves) {
        return std::to_string(std::max<int64_t>(1, network.baseRttPs * halves / 2000)) + "ns";
    };
    const std::string feature = GetRouteNeeds().feature;
    std::vector<PolicyDefault> defaults = PolicyDefault::WherePacketsOvertake();
    defaults.insert(defaults.end(),
                    {{feature, "ReplyExtra", rtts(1)},
                     {feature, "FlushExtra", rtts(4)},
                     {feature, "DefaultWait", rtts(48)},
                     {feature, "Expiry", rtts(72)},
                     {feature, "PathPause", rtts(4)}});
    return defaults;
}

} // namespace ns3
