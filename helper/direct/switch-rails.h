// SPDX-License-Identifier: GPL-2.0-only
#ifndef SWITCH_RAILS_H
#define SWITCH_RAILS_H

#include "ns3/fabric-graph.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Find copies of a network, which only hosts join.
 * @param graph the network
 * @return by node: the lowest switch that switches lead to, which differs between rails; hosts:
 * UINT32_MAX
 */
std::vector<uint32_t> FindSwitchRails(const FabricGraph& graph);

/**
 * @ingroup dcfabric
 * @param graph a network with links between switches
 * @return least rate of these, bit/s; UINT64_MAX if there is none
 */
uint64_t FindSlowestLink(const FabricGraph& graph);

} // namespace ns3

#endif /* SWITCH_RAILS_H */
