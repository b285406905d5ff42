// SPDX-License-Identifier: GPL-2.0-only
#ifndef SCENARIO_VERSION_H
#define SCENARIO_VERSION_H

#include <string>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @return version of ns-3, which its headers tell only with --enable-build-version
 */
std::string GetNs3Version();

/**
 * @ingroup dcfabric
 * @return versions of this module and of ns-3
 */
std::string DescribeScenarioVersion();

} // namespace ns3

#endif /* SCENARIO_VERSION_H */
