// SPDX-License-Identifier: GPL-2.0-only
#ifndef SCENARIO_INPUTS_H
#define SCENARIO_INPUTS_H

#include "scenario-options.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Find the files that a run reads.
 * @param options of the run
 * @return their paths as the run opens them: those that options and attributes name, and those that
 * a configuration file names; whether they are there is not looked at
 * @throws FabricError for a topology or workload that is refused
 */
std::vector<std::string> ListScenarioInputs(const ScenarioOptions& options);

} // namespace ns3

#endif /* SCENARIO_INPUTS_H */
