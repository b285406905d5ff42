// SPDX-License-Identifier: GPL-2.0-only
#ifndef WHOLE_NETWORK_H
#define WHOLE_NETWORK_H

#include "ns3/fabric-text.h"
#include "ns3/scenario-network.h"
#include "ns3/scenario-options.h"

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Find what needs all nodes in one process, and their events in the order of time.
 * @param network what is sent
 * @param options of the run
 * @return the first such option that is chosen, and why; none: nothing does
 */
std::optional<FabricText> FindWholeNetworkNeed(const ScenarioNetwork& network,
                                               const ScenarioOptions& options);

/**
 * @ingroup dcfabric
 * @param trigger of flows
 * @param flows by number
 * @return hosts at which it is activated, and starts flows
 */
std::set<uint32_t> ListTriggerHosts(const FlowTrigger& trigger,
                                    const std::vector<FabricFlow>& flows);

} // namespace ns3

#endif /* WHOLE_NETWORK_H */
