// SPDX-License-Identifier: GPL-2.0-only
#ifndef SCENARIO_PLAN_H
#define SCENARIO_PLAN_H

#include "scenario-value.h"

#include "ns3/fabric-graph.h"

#include <ostream>
#include <string>
#include <vector>

/**
 * @file
 * @brief What is printed of a network that is not run.
 */

namespace ns3
{

/**
 * @ingroup dcfabric
 * @param option `plan`
 * @return all forms of plans
 */
std::vector<ScenarioValue> ListScenarioPlans(const std::string& option);

/**
 * @ingroup dcfabric
 * @brief Print the plan of a network as the user wants it.
 * @param out where to
 * @param graph the plan
 * @param topology what the user calls it
 * @param form `text` or `json`
 * @throws FabricError for a form that does not exist
 */
void PrintScenarioPlan(std::ostream& out,
                       const FabricGraph& graph,
                       const std::string& topology,
                       const std::string& form);

} // namespace ns3

#endif /* SCENARIO_PLAN_H */
