// SPDX-License-Identifier: GPL-2.0-only
#ifndef SHORTEST_CYCLE_H
#define SHORTEST_CYCLE_H

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Which vertices follow each vertex of a directed graph, by number. Repeated ones do no
 * harm.
 */
using SuccessorLists = std::vector<std::vector<uint32_t>>;

/**
 * @ingroup dcfabric
 * @brief Find a cycle to show: a shortest one through one of the first vertices that are on cycles
 * or between them. The same graph gives the same cycle.
 *
 * A graph without a cycle takes time in proportion to its edges.
 * @param successors of each vertex
 * @return the vertices in order, the first one not repeated; empty if there is no cycle
 */
std::vector<uint32_t> FindShortestCycle(const SuccessorLists& successors);

} // namespace ns3

#endif /* SHORTEST_CYCLE_H */
