// SPDX-License-Identifier: GPL-2.0-only
#ifndef SCENARIO_PROGRAMS_H
#define SCENARIO_PROGRAMS_H

#include "scenario-network.h"
#include "scenario-options.h"

#include "ns3/flow-recorder.h"
#include "ns3/rank-runner.h"

#include <string>

/**
 * @file
 * @brief Programs of ranks (`workload=program:PATH`).
 */

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Decide who posts receives, if ranks have programs: their operations, or with
 * `messages=preposted` each message when it starts.
 * @param network whose programs and poster are known; the poster is taken away if it has no part
 * @param options of the run
 * @throws FabricError for options that contradict programs
 */
void ConfigureScenarioPrograms(ScenarioNetwork& network, const ScenarioOptions& options);

/**
 * @ingroup dcfabric
 * @brief Have programs make flows.
 * @param network with programs
 * @param recorder of the flows
 * @return what runs them; null without programs
 */
Ptr<RankRunner> MakeScenarioRunner(const ScenarioNetwork& network, FlowRecorder& recorder);

/**
 * @ingroup dcfabric
 * @brief Write marks.csv and, if there were any, collectives.csv; note messages that nobody
 * received.
 * @param runner of the run; null: nothing
 * @param folder for results
 */
void FinishScenarioRunner(Ptr<RankRunner> runner, const std::string& folder);

} // namespace ns3

#endif /* SCENARIO_PROGRAMS_H */
