// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TEST_PLAN_H
#define FABRIC_TEST_PLAN_H

#include "ns3/fabric-graph.h"

#include <cstdint>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Plans of fabrics from their links.
 */

namespace ns3::tests
{

/// Pairs of nodes that are linked.
using PlanLinks = std::vector<std::pair<uint32_t, uint32_t>>;

/// @return a plan with links of 100 Gb/s and 1 us @param hosts number of hosts, which come first
/// @param switches number of switches, which follow them @param links all links
inline FabricGraph
PlanOfLinks(uint32_t hosts, uint32_t switches, const PlanLinks& links)
{
    FabricGraph graph;
    for (uint32_t i = 0; i < hosts; ++i)
    {
        graph.AddHost();
    }
    for (uint32_t i = 0; i < switches; ++i)
    {
        graph.AddSwitch();
    }
    for (const auto& [a, b] : links)
    {
        graph.AddLink(a, b, 100000000000, 1000000);
    }
    graph.DeriveTiers();
    return graph;
}

} // namespace ns3::tests

#endif /* FABRIC_TEST_PLAN_H */
