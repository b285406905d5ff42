// SPDX-License-Identifier: GPL-2.0-only
#ifndef SIM_PROGRAMS_H
#define SIM_PROGRAMS_H

#include "sim-folder.h"
#include "sim-network.h"
#include "sim-options.h"

#include "ns3/flow-recorder.h"
#include "ns3/rank-runner.h"

/**
 * @file
 * @brief Programs of ranks (`--workload=program:PATH`).
 */

namespace ns3
{

/**
 * @brief Decide who posts receives, if ranks have programs: their operations, or with
 * `--messages=preposted` each message when it starts.
 * @param network whose programs and poster are known; the poster is taken away if it has no part
 * @param options of the program
 * @throws FabricError for options that contradict programs
 */
void ConfigureSimPrograms(SimNetwork& network, const SimOptions& options);

/**
 * @brief Have programs make flows.
 * @param network with programs
 * @param recorder of the flows
 * @return what runs them; null without programs
 */
Ptr<RankRunner> MakeSimRunner(const SimNetwork& network, FlowRecorder& recorder);

/**
 * @brief Write marks.csv and, if there were any, collectives.csv; note messages that nobody
 * received.
 * @param runner of the run; null: nothing
 * @param folder for results
 */
void FinishSimRunner(Ptr<RankRunner> runner, const SimFolder& folder);

} // namespace ns3

#endif /* SIM_PROGRAMS_H */
