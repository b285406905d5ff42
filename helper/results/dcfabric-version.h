// SPDX-License-Identifier: GPL-2.0-only
#ifndef DCFABRIC_VERSION_H
#define DCFABRIC_VERSION_H

/**
 * @file
 * @brief Version of the module, as in CHANGES.md and summary.json.
 */

namespace ns3
{

/// Version of dcfabric.
constexpr const char* DCFABRIC_VERSION = "0.1.0";

} // namespace ns3

#endif /* DCFABRIC_VERSION_H */
