// SPDX-License-Identifier: GPL-2.0-only
#include "policy-default.h"

namespace ns3
{

std::vector<PolicyDefault>
PolicyDefault::WherePacketsOvertake()
{
    // who prefers to count gets more packets than are likely to overtake one
    return {{"ns3::ReliabilityPolicy", "", "ns3::RackRepeat"},
            {"ns3::SelectiveRepeat", "ReorderThreshold", "1000", Clash::LARGER}};
}

std::vector<PolicyDefault>
PolicyDefault::WhereMarksAreRead()
{
    return {{"ns3::MarkingProfile", "", "ns3::WredMarkingProfile"}};
}

} // namespace ns3
