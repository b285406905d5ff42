// SPDX-License-Identifier: GPL-2.0-only
#ifndef SCENARIO_SERVICES_H
#define SCENARIO_SERVICES_H

#include "scenario-options.h"

#include <map>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief A delivery service of Ultra Ethernet: which policies together give it.
 */
struct ScenarioService
{
    std::string name;                              //!< value of the option `service`
    std::string help;                              //!< for users
    std::string reliability;                       //!< value of that option; empty: what the other
                                                   //!< policies need
    std::map<std::string, std::string> options;    //!< others, unless the user gives them
    std::map<std::string, std::string> attributes; //!< likewise
};

/**
 * @ingroup dcfabric
 * @return all services
 */
const std::vector<ScenarioService>& GetScenarioServices();

/**
 * @ingroup dcfabric
 * @brief Choose what the option `service` stands for, if it is given: over a preset, under what
 * the user gives.
 * @param options of the run
 * @throws FabricError for an unknown service, and for a reliability that is that of another one
 */
void ApplyScenarioService(ScenarioOptions& options);

} // namespace ns3

#endif /* SCENARIO_SERVICES_H */
