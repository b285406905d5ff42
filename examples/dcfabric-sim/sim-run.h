// SPDX-License-Identifier: GPL-2.0-only
#ifndef SIM_RUN_H
#define SIM_RUN_H

#include "sim-events.h"
#include "sim-network.h"
#include "sim-progress.h"

namespace ns3
{

/// What the program ends with.
enum SimExit : int
{
    SIM_DONE = 0,       //!< all is well
    SIM_BAD_INPUT = 2,  //!< a value or file was refused
    SIM_VIOLATION = 3,  //!< what must never happen did
    SIM_SIGNALLED = 128 //!< plus the number of the signal that ended it early
};

/**
 * @brief Run a network and write its results.
 * @param options of the program
 * @param network what to run
 * @param setup clock since the program began
 * @param events are told how far it is and how it ends
 * @return exit status
 * @throws FabricError for bad options or if results cannot be written
 */
int RunSim(const SimOptions& options,
           const SimNetwork& network,
           const WallClock& setup,
           SimEvents& events);

} // namespace ns3

#endif /* SIM_RUN_H */
