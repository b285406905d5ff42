// SPDX-License-Identifier: GPL-2.0-only
#include "scenario-version.h"

#include "ns3/dcfabric-version.h"

#if __has_include("ns3/version-defines.h")
#include "ns3/version-defines.h"
#endif

namespace ns3
{

std::string
GetNs3Version()
{
#if defined(DCFABRIC_NS3_VERSION)
    return DCFABRIC_NS3_VERSION;
#elif defined(NS3_VERSION_TAG)
    return NS3_VERSION_TAG;
#else
    return "unknown";
#endif
}

std::string
DescribeScenarioVersion()
{
    return std::string("dcfabric ") + DCFABRIC_VERSION + " on ns-3 " + GetNs3Version();
}

} // namespace ns3
