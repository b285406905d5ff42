// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_SIZE_DATA_H
#define FLOW_SIZE_DATA_H

#include "flow-size-distribution.h"

/**
 * @file
 * @brief Published flow-size distributions that come with the module.
 */

namespace ns3
{

/**
 * @ingroup dcfabric
 * @return names of the distributions below
 */
std::vector<std::string> GetFlowSizeNames();

/**
 * @ingroup dcfabric
 * @param name one of GetFlowSizeNames()
 * @return its knots; nothing for another name
 */
std::vector<FlowSizeDistribution::Knot> GetFlowSizeData(const std::string& name);

} // namespace ns3

#endif /* FLOW_SIZE_DATA_H */
