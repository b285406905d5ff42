// SPDX-License-Identifier: GPL-2.0-only
#ifndef SIM_EXTERNAL_H
#define SIM_EXTERNAL_H

#include "ns3/scenario-options.h"

namespace ns3
{

/**
 * @brief Let another process decide for `--cc=external`: the one at the other end of the socket
 * whose file descriptor the environment variable DCFABRIC_DECIDER names. The Python package sets
 * it.
 * @param options of the program; nothing is done for another congestion control
 * @throws FabricError if there is no such descriptor
 */
void ConnectSimDecider(const ScenarioOptions& options);

} // namespace ns3

#endif /* SIM_EXTERNAL_H */
