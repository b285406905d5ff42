// SPDX-License-Identifier: GPL-2.0-only
#ifndef SIM_LINKS_H
#define SIM_LINKS_H

#include "sim-options.h"

#include "ns3/fabric-faults.h"
#include "ns3/fabric-graph.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-topology.h"

namespace ns3
{

/**
 * @brief Apply --switch-latency and --error-rate.
 * @param graph the plan, of a topology
 * @param topology which one
 * @param options of the program
 * @throws FabricError for a value that makes no sense
 */
void ApplySimLinks(FabricGraph& graph, const FabricTopology& topology, const SimOptions& options);

/**
 * @brief Add the faults of --faults and --link-down, and apply --convergence.
 * @param faults they are added
 * @param options of the program
 * @throws FabricError for a value that makes no sense
 */
void AddSimFaults(FabricFaults& faults, const SimOptions& options);

/**
 * @brief Apply --base-rtt, by the formula of the public HPCC simulator if the preset says so.
 * @param helper to be told
 * @param graph the plan
 * @param options of the program
 * @throws FabricError for a value that makes no sense
 */
void ConfigureSimBaseRtt(FabricHelper& helper, const FabricGraph& graph, const SimOptions& options);

} // namespace ns3

#endif /* SIM_LINKS_H */
