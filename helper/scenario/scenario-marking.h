// SPDX-License-Identifier: GPL-2.0-only
#ifndef SCENARIO_MARKING_H
#define SCENARIO_MARKING_H

#include "scenario-options.h"

#include "ns3/fabric.h"

namespace ns3
{

/**
 * @ingroup dcfabric
 * @param options of the run
 * @return whether the user says how queues mark, by `marking` or by a threshold among the
 * attributes
 */
bool IsScenarioMarkingGiven(const ScenarioOptions& options);

/**
 * @ingroup dcfabric
 * @brief Give switch ports the thresholds of `marking` for the rates of their links, if it names
 * any, in place of those that FabricHelper has scaled.
 * @param fabric the network
 * @param options of the run
 * @throws FabricError if `marking` makes no sense, or lacks the rate of a port, or has no effect
 */
void InstallScenarioMarking(const Fabric& fabric, const ScenarioOptions& options);

/**
 * @ingroup dcfabric
 * @brief Tell the user if a congestion control needs marks, and output queues and virtual output
 * queues of switches are together too short for any.
 * @param fabric the network, its profiles installed
 * @param options of the run
 */
void NoteUnreachableMarks(const Fabric& fabric, const ScenarioOptions& options);

} // namespace ns3

#endif /* SCENARIO_MARKING_H */
