// SPDX-License-Identifier: GPL-2.0-only
#ifndef SIM_MARKING_H
#define SIM_MARKING_H

#include "sim-options.h"

#include "ns3/fabric.h"

namespace ns3
{

/**
 * @brief Scale the marking profile of each switch port with the rate of its link.
 *
 * Kmin and Kmax of WredMarkingProfile are meant for 100 Gb/s, as the field's parameter sets scale
 * them. Under credits for each class Kmin is at most the ingress buffer of the port's link, and
 * Kmax is brought down with it: beyond, credits hold back hosts that send elsewhere, before there
 * is any mark. A user who sets either of them gets it unscaled, and so does a preset. With
 * --marking each rate has thresholds of its own.
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
