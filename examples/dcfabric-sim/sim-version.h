// SPDX-License-Identifier: GPL-2.0-only
#ifndef SIM_VERSION_H
#define SIM_VERSION_H

#include <string>

namespace ns3
{

/// @return version of ns-3, which its headers tell only with --enable-build-version
std::string GetNs3Version();

/// @return what --version answers
std::string DescribeSimVersion();

} // namespace ns3

#endif /* SIM_VERSION_H */
