// SPDX-License-Identifier: GPL-2.0-only
#ifndef SIM_PLAN_H
#define SIM_PLAN_H

#include "sim-manual.h"
#include "sim-options.h"

#include "ns3/fabric-graph.h"

#include <ostream>
#include <string>
#include <vector>

/**
 * @file
 * @brief What `--plan` prints in place of a run: the network.
 */

namespace ns3
{

/**
 * @brief Print the plan of a network as the user wants it.
 * @param out where to
 * @param graph the plan
 * @param options of the program
 * @throws FabricError for a form that does not exist
 */
void PrintSimPlan(std::ostream& out, const FabricGraph& graph, const SimOptions& options);

/**
 * @param option --plan
 * @return all forms of plans
 */
std::vector<SimValue> ListSimPlans(const std::string& option);

} // namespace ns3

#endif /* SIM_PLAN_H */
