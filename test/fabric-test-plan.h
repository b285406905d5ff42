// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TEST_PLAN_H
#define FABRIC_TEST_PLAN_H

#include "fabric-test-units.h"

#include "ns3/fabric-graph.h"

#include <cstdint>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Plans of fabrics from their links.
 */

namespace ns3::tests
{

/**
 * @ingroup dcfabric-tests
 * @brief A link of a plan, by default of 100 Gb/s and 1 us.
 */
struct PlanLink
{
    uint32_t a;                   //!< one end
    uint32_t b;                   //!< other end
    uint64_t rateBps{100 * GBPS}; //!< in both directions
    int64_t delayPs{US};          //!< one way
    double errorRate{0};          //!< share of packets that are lost
};

/// The links of a plan.
using PlanLinks = std::vector<PlanLink>;

/**
 * @param hosts number of hosts, which come first
 * @param switches number of switches, which follow them
 * @param links all links
 * @return a plan
 */
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
    for (const PlanLink& link : links)
    {
        graph.AddLink(link.a, link.b, link.rateBps, link.delayPs, link.errorRate);
    }
    graph.DeriveTiers();
    return graph;
}

/**
 * @return the network of an incast with a victim, [RCM] figure 7: sources 0 and 1 and the victim's
 * source 2 at switch 7, sources 3 and 4 at switch 8; destination 5 at switch 11, the victim's 6 at
 * switch 12 (drawn in head-of-line-test.cc)
 */
inline FabricGraph
PlanOfVictim()
{
    return PlanOfLinks(7,
                       6,
                       {{0, 7},
                        {1, 7},
                        {2, 7},
                        {3, 8},
                        {4, 8},
                        {7, 9},
                        {8, 10},
                        {9, 11},
                        {10, 11},
                        {5, 11},
                        {9, 12},
                        {6, 12}});
}

/**
 * @brief Hosts at the two ends of a chain of switches: 0 on the left, 1 on the right, switches 2,
 * 3, ...
 * @param ratesBps rate of each link from left to right
 * @param delayPs delay of each link
 * @return the plan
 */
inline FabricGraph
MakeChain(const std::vector<uint64_t>& ratesBps, int64_t delayPs)
{
    PlanLinks links;
    const auto n = static_cast<uint32_t>(ratesBps.size());
    for (uint32_t i = 0; i < n; ++i)
    {
        links.push_back({i == 0 ? 0 : i + 1, i + 1 == n ? 1 : i + 2, ratesBps[i], delayPs});
    }
    return PlanOfLinks(2, n - 1, links);
}

/**
 * @brief Hosts 0 .. nHosts - 1 at one switch, whose number is nHosts and whose port i leads to host
 * i.
 * @param ratesBps rate of each host's link
 * @param delayPs delay of all links
 * @return the plan
 */
inline FabricGraph
MakeStar(const std::vector<uint64_t>& ratesBps, int64_t delayPs)
{
    PlanLinks links;
    const auto n = static_cast<uint32_t>(ratesBps.size());
    for (uint32_t i = 0; i < n; ++i)
    {
        links.push_back({i, n, ratesBps[i], delayPs});
    }
    return PlanOfLinks(n, 1, links);
}

/**
 * @brief A ring of switches n .. 2n - 1 with hosts 0 .. n - 1, whose links come first.
 * @param n how many
 * @param at switch of each host, counted from 0; empty: one at each
 * @return the plan
 */
inline FabricGraph
MakeRing(uint32_t n, const std::vector<uint32_t>& at = {})
{
    PlanLinks links;
    for (uint32_t i = 0; i < n; ++i)
    {
        links.push_back({i, n + (at.empty() ? i : at[i])});
    }
    for (uint32_t i = 0; i < n; ++i)
    {
        links.push_back({n + i, n + (i + 1) % n});
    }
    return PlanOfLinks(n, n, links);
}

/**
 * @param ways how many
 * @param last both links of the last one; others have 100 Gb/s and 1 us; its ends do not count
 * @return hosts 0 and 1 at switches 2 and 3, with switches 4, 5, ... between
 */
inline FabricGraph
MakeWays(uint32_t ways, const PlanLink& last = {0, 0})
{
    PlanLinks links{{0, 2}, {1, 3}};
    for (uint32_t i = 0; i < ways; ++i)
    {
        const PlanLink way = i + 1 == ways ? last : PlanLink{0, 0};
        links.push_back({2, 4 + i, way.rateBps, way.delayPs});
        links.push_back({3, 4 + i, way.rateBps, way.delayPs});
    }
    return PlanOfLinks(2, 2 + ways, links);
}

/**
 * @param plan the plan
 * @param errorRate of all links
 * @return the plan with other error rates
 */
inline FabricGraph
WithErrors(const FabricGraph& plan, double errorRate)
{
    FabricGraph graph;
    for (uint32_t node = 0; node < plan.GetNNodes(); ++node)
    {
        const auto& n = plan.GetNode(node);
        plan.IsHost(node) ? graph.AddHost(n.pod, n.name) : graph.AddSwitch(n.tier, n.pod, n.name);
    }
    for (const FabricLink& link : plan.GetLinks())
    {
        graph.AddLink(link.a, link.b, link.rateBps, link.delayPs, errorRate);
    }
    graph.SetNGroups(plan.GetNGroups());
    graph.SetGrid(plan.GetGrid());
    graph.SetUsualRouting(plan.GetUsualRouting());
    return graph;
}

} // namespace ns3::tests

#endif /* FABRIC_TEST_PLAN_H */
