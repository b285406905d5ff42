// SPDX-License-Identifier: GPL-2.0-only
#ifndef SIM_RANKS_H
#define SIM_RANKS_H

#include "sim-manual.h"
#include "sim-network.h"
#include "sim-options.h"

#include "ns3/fabric.h"
#include "ns3/flow-recorder.h"
#include "ns3/node-container.h"
#include "ns3/rank-runner.h"
#include "ns3/run-summary.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @brief Find the other ranks, if mpiexec has started several; only rank 0 says anything.
 * @param argc of main()
 * @param argv of main()
 * @throws FabricError as RankWorld::Begin()
 */
void BeginSimRanks(int* argc, char*** argv);

/**
 * @brief Say why the run ends early, and end it on all ranks.
 * @param reason why
 * @param status exit status
 * @return the exit status
 */
int EndSimRanks(const std::string& reason, int status);

/**
 * @param option --partition
 * @return its values
 */
std::vector<SimValue> ListSimPartitions(const std::string& option);

/**
 * @brief Make the nodes of a network, each of which knows its rank.
 * @param graph the network
 * @param options of the program
 * @return them
 * @throws FabricError for a partition that makes no sense
 */
NodeContainer MakeSimNodes(const FabricGraph& graph, const SimOptions& options);

/**
 * @brief Divide a network among the ranks, if there are several.
 * @param network what is to be run; gets its links between ranks
 * @param options of the program
 * @throws FabricError for a partition that makes no sense, and for what needs all nodes in one
 * process
 */
void DivideSimNetwork(SimNetwork& network, const SimOptions& options);

/**
 * @brief Join what the ranks know at the end.
 * @param network what was run
 * @param recorder its flows; at rank 0 it knows all of them afterwards
 * @param runner of programs of ranks, likewise; null: there are none
 * @param summary is filled in; at rank 0 it is that of all afterwards
 * @param where packets are; at rank 0 all of them afterwards
 * @param nowPs simulated time in ps
 */
void JoinSimRanks(const SimNetwork& network,
                  FlowRecorder& recorder,
                  Ptr<RankRunner> runner,
                  RunSummary& summary,
                  Fabric::Conservation& where,
                  int64_t nowPs);

} // namespace ns3

#endif /* SIM_RANKS_H */
