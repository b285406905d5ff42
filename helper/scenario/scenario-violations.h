// SPDX-License-Identifier: GPL-2.0-only
#ifndef SCENARIO_VIOLATIONS_H
#define SCENARIO_VIOLATIONS_H

#include "ns3/fabric.h"
#include "ns3/run-summary.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @param summary of the run
 * @param fabric the network
 * @param where all packets are
 * @param lossless nothing may be lost
 * @return what must never happen and did, a line each
 */
std::vector<std::string> FindScenarioViolations(const RunSummary& summary,
                                                const Fabric& fabric,
                                                const Fabric::Conservation& where,
                                                bool lossless);

} // namespace ns3

#endif /* SCENARIO_VIOLATIONS_H */
