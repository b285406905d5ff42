// SPDX-License-Identifier: GPL-2.0-only
#ifndef SIM_MARKING_H
#define SIM_MARKING_H

#include "sim-options.h"

#include "ns3/fabric.h"

namespace ns3
{

/**
 * @param options of the program
 * @return whether the user says how queues mark, by --marking or by a threshold among the
 * attributes
 */
bool IsSimMarkingGiven(const SimOptions& options);

/**
 * @brief Give switch ports the thresholds of --marking for the rates of their links, if it names
 * any, in place of those that FabricHelper has scaled.
 * @param fabric the network
 * @param options of the program
 * @throws FabricError if --marking makes no sense, or lacks the rate of a port, or has no effect
 */
void InstallSimMarking(const Fabric& fabric, const SimOptions& options);

/**
 * @brief Tell the user if a congestion control needs marks, and output queues and virtual output
 * queues of switches are together too short for any.
 * @param fabric the network, its profiles installed
 * @param options of the program
 */
void NoteUnreachableMarks(const Fabric& fabric, const SimOptions& options);

} // namespace ns3

#endif /* SIM_MARKING_H */
