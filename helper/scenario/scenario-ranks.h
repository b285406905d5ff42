// SPDX-License-Identifier: GPL-2.0-only
#ifndef SCENARIO_RANKS_H
#define SCENARIO_RANKS_H

#include "scenario-network.h"
#include "scenario-options.h"
#include "scenario-value.h"

#include "ns3/fabric.h"
#include "ns3/flow-recorder.h"
#include "ns3/node-container.h"
#include "ns3/run-summary.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @param option `partition`
 * @return its values
 */
std::vector<ScenarioValue> ListScenarioPartitions(const std::string& option);

/**
 * @ingroup dcfabric
 * @brief Make the nodes of a network, each of which knows its rank.
 * @param graph the network
 * @param options of the run
 * @return them
 * @throws FabricError for a partition that makes no sense
 */
NodeContainer MakeScenarioNodes(const FabricGraph& graph, const ScenarioOptions& options);

/**
 * @ingroup dcfabric
 * @brief Divide a network among the ranks, if there are several.
 * @param network what is to be run; gets its links between ranks
 * @param options of the run
 * @throws FabricError for a partition that makes no sense, and for what needs all nodes in one
 * process
 */
void DivideScenarioNetwork(ScenarioNetwork& network, const ScenarioOptions& options);

/**
 * @ingroup dcfabric
 * @brief Join what the ranks know at the end.
 * @param network what was run, and its parts, likewise
 * @param recorder its flows; at rank 0 it knows all of them afterwards
 * @param summary is filled in; at rank 0 it is that of all afterwards
 * @param where packets are; at rank 0 all of them afterwards
 * @param nowPs simulated time in ps
 */
void JoinScenarioRanks(const ScenarioNetwork& network,
                       FlowRecorder& recorder,
                       RunSummary& summary,
                       Fabric::Conservation& where,
                       int64_t nowPs);

} // namespace ns3

#endif /* SCENARIO_RANKS_H */
