// SPDX-License-Identifier: GPL-2.0-only
#ifndef SIM_INPUTS_H
#define SIM_INPUTS_H

#include "sim-options.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @brief Find the files that a run reads.
 * @param options of the program
 * @return their paths as the run opens them: those that options and attributes name, and those that
 * a configuration file names; whether they are there is not looked at
 * @throws FabricError for a topology or workload that is refused
 */
std::vector<std::string> ListSimInputs(const SimOptions& options);

} // namespace ns3

#endif /* SIM_INPUTS_H */
