// SPDX-License-Identifier: GPL-2.0-only
#ifndef SIM_DESCRIBE_H
#define SIM_DESCRIBE_H

#include "ns3/fabric-text.h"
#include "ns3/scenario-options.h"
#include "ns3/scenario-value.h"

#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @param option --describe
 * @return all it can print
 */
std::vector<ScenarioValue> ListSimDescriptions(const std::string& option);

/**
 * @brief Print in place of a run what another program asks (doc/describe.rst).
 * @param out where to
 * @param options of the run
 * @param form what of it
 * @param speaker has the words of the command line
 * @throws FabricError for what cannot be printed, and for a topology or workload that is refused
 */
void PrintSimDescription(std::ostream& out,
                         const ScenarioOptions& options,
                         const std::string& form,
                         const FabricSpeaker& speaker);

} // namespace ns3

#endif /* SIM_DESCRIBE_H */
