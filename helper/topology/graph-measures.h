// SPDX-License-Identifier: GPL-2.0-only
#ifndef GRAPH_MEASURES_H
#define GRAPH_MEASURES_H

#include "fabric-graph.h"

#include <cstdint>
#include <map>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief How far apart the hosts of a network are, and how much fits between two halves of them.
 */
struct GraphMeasures
{
    /// Ordered pairs of two different hosts by the links of the shortest way between them; those
    /// without a way are not in it.
    std::map<uint32_t, uint64_t> pairsByDistance;

    /**
     * Bisection: what one half of the hosts can send to the other at once at most, bit/s. It is the
     * narrowest cut, links of hosts included, between the halves of the most unfavorable of a few
     * divisions: the lower and the higher host numbers, and in a grid those of each dimension. So
     * it is an upper bound of the least over all divisions, which nobody can compute for large
     * networks.
     */
    uint64_t bisectionBps{0};

    /// What the hosts of the half that sends can send themselves in that division, bit/s; without
    /// what stays in a server, to NVSwitches.
    uint64_t halfBps{0};

    /// @return links between the hosts that are furthest apart; 0 with one host
    uint32_t GetDiameter() const;

    /// @return links between two different hosts on average; 0 with one host
    double GetMeanDistance() const;
};

/**
 * @ingroup dcfabric
 * @brief Measure the plan of a network.
 * @param graph that has passed Validate()
 * @return distances and bisection
 */
GraphMeasures MeasureGraph(const FabricGraph& graph);

} // namespace ns3

#endif /* GRAPH_MEASURES_H */
