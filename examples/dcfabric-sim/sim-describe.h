// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief What `--describe` prints in place of a run, for programs: all options with what they take,
 * and the files that a run with the options beside it reads (doc/describe.rst).
 */
#ifndef SIM_DESCRIBE_H
#define SIM_DESCRIBE_H

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
 * @brief Print what the user asks.
 * @param out where to
 * @param options of the run
 * @param form what of it
 * @throws FabricError for what cannot be printed, and for a topology or workload that is refused
 */
void PrintSimDescription(std::ostream& out,
                         const ScenarioOptions& options,
                         const std::string& form);

} // namespace ns3

#endif /* SIM_DESCRIBE_H */
