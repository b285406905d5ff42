// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-distances.h"
#include "../fabric-test-errors.h"
#include "../fabric-test-suite.h"

#include "ns3/fabric-graph.h"
#include "ns3/fabric-topology.h"
#include "ns3/test.h"

#include <algorithm>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Plans of tori and HyperX.
 */

namespace ns3::tests::grid_topology_test
{

/// Sizes of dimensions.
using Sizes = std::vector<uint32_t>;

/// @return the plan of a topology as on a command line
FabricGraph
Plan(const std::string& spec)
{
    return MakeFabricTopology(spec)->BuildGraph();
}

/// @return sizes as on a command line
std::string
Write(const Sizes& sizes)
{
    std::string text;
    for (const uint32_t size : sizes)
    {
        text += (text.empty() ? "" : "x") + std::to_string(size);
    }
    return text;
}

/**
 * @ingroup dcfabric-tests
 * @brief Base class: checks a plan against formulas.
 */
class GridTestCase : public NamedCase
{
  public:
    using NamedCase::NamedCase;

  protected:
    /// What a kind of grid is like in one dimension.
    struct Line
    {
        uint32_t (*countLinks)(uint32_t size);                          //!< along it
        uint32_t (*getDegree)(uint32_t size);                           //!< of a switch
        uint32_t (*getDistance)(uint32_t x, uint32_t y, uint32_t size); //!< in links
        uint32_t (*getDiameter)(uint32_t size);                         //!< longest distance
    };

    /**
     * @param spec topology without its sizes
     * @param sizes of its dimensions
     * @param hosts of each switch
     * @param wraps expected
     * @param line formulas
     */
    void Check(const std::string& spec,
               const Sizes& sizes,
               uint32_t hosts,
               bool wraps,
               const Line& line)
    {
        const std::string what = spec + ":dims=" + Write(sizes) + ",hosts=" + std::to_string(hosts);
        const FabricGraph graph = Plan(what);
        uint32_t switches = 1;
        uint32_t degree = 0;
        uint32_t diameter = 0;
        for (const uint32_t size : sizes)
        {
            switches *= size;
            degree += line.getDegree(size);
            diameter += line.getDiameter(size);
        }
        uint32_t links = switches * hosts;
        for (const uint32_t size : sizes)
        {
            links += switches / size * line.countLinks(size);
        }
        const uint32_t first = switches * hosts;
        NS_TEST_ASSERT_MSG_EQ(graph.GetNHosts(), first, what << ": hosts");
        NS_TEST_ASSERT_MSG_EQ(graph.GetNSwitches(), switches, what << ": switches");
        NS_TEST_ASSERT_MSG_EQ(graph.GetNLinks(), links, what << ": links");
        NS_TEST_EXPECT_MSG_EQ((graph.GetGrid().sizes == sizes), true, what << ": sizes");
        NS_TEST_EXPECT_MSG_EQ(graph.GetGrid().wraps, wraps, what << ": rings");
        NS_TEST_EXPECT_MSG_EQ(graph.GetNGroups(), 0, what << ": no groups");
        NS_TEST_EXPECT_MSG_EQ(graph.GetUsualRouting(), "ns3::DimensionOrderRouting", what);
        uint32_t longest = 0;
        for (uint32_t place = 0; place < switches; place++)
        {
            const Sizes at = graph.GetCoordinates(first + place);
            NS_TEST_EXPECT_MSG_EQ(graph.GetDegree(first + place),
                                  hosts + degree,
                                  what << ": ports");
            for (uint32_t i = 0; i < hosts; i++)
            {
                NS_TEST_EXPECT_MSG_EQ(graph.GetPort(first + place, i).peer,
                                      place * hosts + i,
                                      what << ": host");
            }
            const std::vector<uint32_t> distances = GetDistances(graph, first + place);
            for (uint32_t other = 0; other < switches; other++)
            {
                const Sizes there = graph.GetCoordinates(first + other);
                uint32_t distance = 0;
                for (size_t d = 0; d < sizes.size(); d++)
                {
                    distance += line.getDistance(at[d], there[d], sizes[d]);
                }
                NS_TEST_EXPECT_MSG_EQ(distances[first + other], distance, what << ": distance");
                longest = std::max(longest, distance);
            }
        }
        NS_TEST_EXPECT_MSG_EQ(longest, diameter, what << ": diameter");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Tori: N k-rings in each dimension have N links of it, N / 2 if k is 2; distances are
 * Manhattan, the shorter way round each ring; the diameter is the sum of k / 2, rounded down.
 */
class TorusTestCase : public GridTestCase
{
    using GridTestCase::GridTestCase;

    void DoRun() override
    {
        const Line ring{[](uint32_t k) { return k == 2 ? 1 : k; },
                        [](uint32_t k) { return k == 2 ? 1U : 2U; },
                        [](uint32_t x, uint32_t y, uint32_t k) {
                            const uint32_t way = x < y ? y - x : x - y;
                            return std::min(way, k - way);
                        },
                        [](uint32_t k) { return k / 2; }};
        Check("torus", {4, 4, 4}, 1, true, ring);
        Check("torus", {5, 3}, 2, true, ring);
        Check("torus", {8}, 3, true, ring);
        Check("torus", {2, 7, 2, 3}, 1, true, ring);
        Check("torus", {2}, 1, true, ring);

        // 3 x 2: ring 0-1-2 and ring 3-4-5, joined by three links; hosts are nodes 0 to 5
        const FabricGraph graph = Plan("torus:dims=3x2,hosts=1");
        const std::vector<uint32_t> ends{0, 6, 1, 7, 2,  8, 3, 9, 4,  10, 5,  11, 6,  7,  6,
                                         9, 7, 8, 7, 10, 8, 6, 8, 11, 9,  10, 10, 11, 11, 9};
        std::vector<uint32_t> found;
        for (const FabricLink& link : graph.GetLinks())
        {
            found.insert(found.end(), {link.a, link.b});
        }
        NS_TEST_EXPECT_MSG_EQ((found == ends), true, "links by hand");
        NS_TEST_EXPECT_MSG_EQ(graph.GetName(6 + 5), "switch-2-1", "name");
        NS_TEST_EXPECT_MSG_EQ(graph.GetGrid().IsRing(0), true, "a ring of three");
        NS_TEST_EXPECT_MSG_EQ(graph.GetGrid().IsRing(1), false, "two switches are no ring");
        CheckTiers();
    }

    /// One link tier for each dimension.
    void CheckTiers()
    {
        FabricTopologyOptions options;
        options.tierRates = "1Gbps,2Gbps,3Gbps,4Gbps";
        options.tierDelays = "1us,2us,3us,4us";
        const FabricGraph graph = MakeFabricTopology("torus:dims=3x4x5", options)->BuildGraph();
        for (const FabricLink& link : graph.GetLinks())
        {
            int64_t tier = 0;
            for (int64_t d = 0; !graph.IsHost(link.a) && d < 3; d++)
            {
                if (graph.GetCoordinates(link.a)[d] != graph.GetCoordinates(link.b)[d])
                {
                    tier = d + 1;
                }
            }
            NS_TEST_EXPECT_MSG_EQ(link.delayPs, (tier + 1) * 1000000, "delay");
            NS_TEST_EXPECT_MSG_EQ(link.rateBps,
                                  static_cast<uint64_t>(tier + 1) * 1000000000,
                                  "rate");
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief HyperX: S (S - 1) / 2 links along a line of S; the distance is the number of coordinates
 * that differ, at most that of dimensions.
 */
class HyperXTestCase : public GridTestCase
{
    using GridTestCase::GridTestCase;

    void DoRun() override
    {
        const Line mesh{[](uint32_t s) { return s * (s - 1) / 2; },
                        [](uint32_t s) { return s - 1; },
                        [](uint32_t x, uint32_t y, uint32_t /*s*/) { return x == y ? 0U : 1U; },
                        [](uint32_t /*s*/) { return 1U; }};
        Check("hyperx", {4, 4}, 2, false, mesh);
        Check("hyperx", {3, 2, 5}, 1, false, mesh);
        Check("hyperx", {7}, 4, false, mesh);

        // Each of the 48 links three times, beside 32 hosts.
        const FabricGraph graph = Plan("hyperx:links=3");
        NS_TEST_EXPECT_MSG_EQ(graph.GetNLinks(), 32 + 3 * 48, "parallel links");
        NS_TEST_EXPECT_MSG_EQ(graph.GetDegree(32), 2 + 3 * 6, "ports");
        NS_TEST_EXPECT_MSG_EQ(graph.GetGrid().IsRing(0), false, "a mesh is no ring");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Places and coordinates, rails, and refusals.
 */
class GridEdgesTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const FabricGrid grid{{3, 4, 5}, true};
        NS_TEST_EXPECT_MSG_EQ(grid.GetNPlaces(), 60, "places");
        // 2 + 3 x (1 + 4 x 4) = 53
        NS_TEST_EXPECT_MSG_EQ((grid.GetCoordinates(53) == Sizes{2, 1, 4}), true, "coordinates");
        NS_TEST_EXPECT_MSG_EQ(grid.GetPlace({2, 1, 4}), 53, "and back");
        NS_TEST_EXPECT_MSG_EQ(grid.GetCoordinate(53, 2), 4, "one of them");

        // Switches count, whatever is between them.
        FabricGraph graph;
        graph.AddSwitch();
        graph.AddHost();
        graph.AddSwitch();
        graph.AddHost();
        graph.AddSwitch();
        NS_TEST_EXPECT_MSG_EQ(graph.GetCoordinates(4).empty(), true, "no grid");
        graph.SetGrid({{2}, true});
        NS_TEST_EXPECT_MSG_EQ((graph.GetCoordinates(2) == Sizes{1}), true, "second switch");
        NS_TEST_EXPECT_MSG_EQ((graph.GetCoordinates(4) == Sizes{0}), true, "of the next rail");
        DCFABRIC_EXPECT_REFUSAL(graph.GetCoordinates(3), "host-3 is a host");
        DCFABRIC_EXPECT_REFUSAL(graph.GetCoordinates(5), "unknown node 5");

        // 4 hosts with 3 ports each: 3 rings of 4
        const FabricGraph rails = Plan("torus:dims=4,rails=3");
        NS_TEST_EXPECT_MSG_EQ(rails.GetNLinks(), 3 * (4 + 4), "links of three rings");
        NS_TEST_EXPECT_MSG_EQ(rails.GetPort(1, 2).peer, 4 + 2 * 4 + 1, "third port of host 1");
        NS_TEST_EXPECT_MSG_EQ((rails.GetCoordinates(4 + 2 * 4 + 3) == Sizes{3}),
                              true,
                              "third ring");
        NS_TEST_EXPECT_MSG_EQ(rails.GetName(4 + 4), "rail-1-switch-0", "name");

        DCFABRIC_EXPECT_REFUSAL(Plan("torus:dims=4x1"),
                                "torus: dims=4x1: a dimension has from 2 to 2097152 switches, not "
                                "1");
        DCFABRIC_EXPECT_REFUSAL(Plan("torus:dims=4xx4"), "'' is not a whole number");
        DCFABRIC_EXPECT_REFUSAL(Plan("torus:dims=x4"), "'' is not a whole number");
        DCFABRIC_EXPECT_REFUSAL(Plan("torus:dims=4x"), "'' is not a whole number");
        DCFABRIC_EXPECT_REFUSAL(Plan("torus:dims=4*4"), "'4*4' is not a whole number");
        DCFABRIC_EXPECT_REFUSAL(Plan("torus:dims=2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2"),
                                "more than 16 dimensions");
        DCFABRIC_EXPECT_REFUSAL(Plan("torus:dims=2097152x2097152x2097152"),
                                "torus: 4194304 nodes; a topology has at most 2097152");
        DCFABRIC_EXPECT_REFUSAL(Plan("hyperx:dims=1000000,links=4096,hosts=1"),
                                "links; a topology has at most 33554432");
        DCFABRIC_EXPECT_REFUSAL(Plan("hyperx:dims=4x4,x=2"), "known keys: dims, hosts, links");
        FabricTopologyOptions options;
        options.oversubscription = "2";
        DCFABRIC_EXPECT_REFUSAL(MakeFabricTopology("torus", options)->BuildGraph(),
                                "has no effect on a torus");
    }
};

/// Suite of graphs and topologies.
const SuiteCases g_cases("dcfabric-topology", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(
        new TorusTestCase("tori have the counts, degrees and distances of the formulas"));
    suite.AddTestCase(
        new HyperXTestCase("HyperX have the counts, degrees and distances of the formulas"));
    suite.AddTestCase(new GridEdgesTestCase("coordinates, rails and refusals of grids"));
});

} // namespace ns3::tests::grid_topology_test
