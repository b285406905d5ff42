// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TEST_DISTANCES_H
#define FABRIC_TEST_DISTANCES_H

#include "ns3/fabric-graph.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Distances in plans, found without the routing of the module.
 */

namespace ns3::tests
{

/// A distance of which there is no way.
constexpr uint32_t NO_WAY = std::numeric_limits<uint32_t>::max();

/// Ways with so many global links or more are one kind.
constexpr uint32_t MANY_GLOBALS = 2;

/**
 * @brief Distances from a switch over switches alone, by the number of global links.
 * @param graph plan
 * @param from number of a switch
 * @return links of the shortest way to each node that crosses 0, 1, and 2 or more global links
 */
inline std::vector<std::vector<uint32_t>>
GetDistancesByGlobals(const FabricGraph& graph, uint32_t from)
{
    std::vector<std::vector<uint32_t>> distances(MANY_GLOBALS + 1,
                                                 std::vector<uint32_t>(graph.GetNNodes(), NO_WAY));

    struct Place
    {
        uint32_t node;
        uint32_t globals;
    };

    std::vector<Place> queue{{from, 0}};
    distances[0][from] = 0;
    for (size_t i = 0; i < queue.size(); i++)
    {
        const auto [node, globals] = queue[i];
        const auto* ports = graph.GetPorts(node);
        for (uint32_t port = 0; port < graph.GetDegree(node); port++)
        {
            const uint32_t peer = ports[port].peer;
            const uint32_t more =
                std::min(globals + graph.IsGlobal(ports[port].link), MANY_GLOBALS);
            if (!graph.IsHost(peer) && distances[more][peer] == NO_WAY)
            {
                distances[more][peer] = distances[globals][node] + 1;
                queue.push_back({peer, more});
            }
        }
    }
    return distances;
}

/**
 * @param graph plan
 * @param from number of a switch
 * @return links of the shortest way over switches to each node; NO_WAY to hosts
 */
inline std::vector<uint32_t>
GetDistances(const FabricGraph& graph, uint32_t from)
{
    const auto by = GetDistancesByGlobals(graph, from);
    std::vector<uint32_t> least(graph.GetNNodes());
    for (uint32_t node = 0; node < least.size(); node++)
    {
        least[node] = std::min({by[0][node], by[1][node], by[2][node]});
    }
    return least;
}

} // namespace ns3::tests

#endif /* FABRIC_TEST_DISTANCES_H */
