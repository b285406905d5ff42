// SPDX-License-Identifier: GPL-2.0-only
#ifndef SCENARIO_LINKS_H
#define SCENARIO_LINKS_H

#include "scenario-options.h"

#include "ns3/fabric-graph.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-topology.h"

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Apply `switch-latency` and `error-rate`.
 * @param graph the plan, of a topology
 * @param topology which one
 * @param options of the run
 * @throws FabricError for a value that makes no sense
 */
void ApplyScenarioLinks(FabricGraph& graph,
                        const FabricTopology& topology,
                        const ScenarioOptions& options);

/**
 * @ingroup dcfabric
 * @brief Apply `base-rtt`, by the formula of the public HPCC simulator if the preset says so.
 * @param helper to be told
 * @param graph the plan
 * @param options of the run
 * @throws FabricError for a value that makes no sense
 */
void ConfigureScenarioBaseRtt(FabricHelper& helper,
                              const FabricGraph& graph,
                              const ScenarioOptions& options);

} // namespace ns3

#endif /* SCENARIO_LINKS_H */
