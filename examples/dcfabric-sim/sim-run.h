// SPDX-License-Identifier: GPL-2.0-only
#ifndef SIM_RUN_H
#define SIM_RUN_H

#include "sim-events.h"

#include "ns3/fabric-scenario.h"

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
 * @brief Run a scenario and put its results into the result folder.
 * @param scenario what to run
 * @param force overwrite results of other options
 * @param events are told
 * @return exit status
 * @throws FabricError for bad options or if results cannot be written
 */
int RunSim(FabricScenario& scenario, bool force, SimEvents& events);

} // namespace ns3

#endif /* SIM_RUN_H */
