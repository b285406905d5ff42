// SPDX-License-Identifier: GPL-2.0-only
#include "hermes-path-selector.h"

#include <algorithm>
#include <string>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(HermesPathSelector);

TypeId
HermesPathSelector::GetTypeId()
{
    static TypeId tid = TypeId("ns3::HermesPathSelector")
                            .SetParent<EcmpPathSelector>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<HermesPathSelector>();
    return tid;
}

RouteNeeds
HermesPathSelector::GetRouteNeeds() const
{
    RouteNeeds needs;
    needs.feature = "ns3::HermesFeature";
    return needs;
}

std::vector<PolicyDefault>
HermesPathSelector::ListDefaults(const PolicyNetwork& network) const
{
    const auto quarters = [&network](int64_t count) {
        return std::to_string(std::max<int64_t>(1, network.baseRttPs * count / 4000)) + "ns";
    };
    const double bdpBytes =
        static_cast<double>(network.rateBps) * static_cast<double>(network.baseRttPs) / 8e12;
    const std::string feature = GetRouteNeeds().feature;
    std::vector<PolicyDefault> defaults = PolicyDefault::WherePacketsOvertake();
    const std::vector<PolicyDefault> marks = PolicyDefault::WhereMarksAreRead();
    defaults.insert(defaults.end(), marks.begin(), marks.end());
    defaults.insert(defaults.end(),
                    {{feature, "LowDelay", quarters(1)},
                     {feature, "HighDelay", quarters(6)},
                     {feature, "BetterDelay", quarters(4)},
                     {feature, "MoveBytes", std::to_string(static_cast<uint64_t>(8 * bdpBytes))},
                     {feature, "MovePause", quarters(8)},
                     {feature, "Period", quarters(2)},
                     {feature, "MarkWindow", quarters(4)},
                     {feature, "ProbeInterval", quarters(32)},
                     {feature, "ProbeTimeout", quarters(160)},
                     {feature, "AgeTime", quarters(160)},
                     {feature, "Expiry", quarters(64)},
                     {feature, "LossWindow", quarters(640)}});
    return defaults;
}

} // namespace ns3
