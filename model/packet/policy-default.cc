// SPDX-License-Identifier: GPL-2.0-only
#include "policy-default.h"

namespace ns3
{

std::vector<PolicyDefault>
PolicyDefault::WherePacketsOvertake()
{
    // the paths of a packet differ by at most what queues hold
    return {{"ns3::SelectiveRepeat", "ReorderThreshold", "1000", Clash::LARGER}};
}

std::vector<PolicyDefault>
PolicyDefault::WhereMarksAreRead()
{
    return {{"ns3::MarkingProfile", "", "ns3::WredMarkingProfile"}};
}

} // namespace ns3
