// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-plan.h"
#include "fabric-test-suite.h"
#include "fabric-test-units.h"
#include "fabric-test-wings.h"

#include "ns3/fabric-topology.h"
#include "ns3/graph-measures.h"
#include "ns3/minimum-cut.h"
#include "ns3/test.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iostream>
#include <random>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Distances and bisection of plans.
 */

namespace ns3::tests::graph_measures_test
{

/// Rate of all links here, bit/s.
constexpr uint64_t RATE = 100 * GBPS;

/**
 * @ingroup dcfabric-tests
 * @brief Narrowest cuts by hand, and of small random networks against all divisions of their nodes.
 */
class MinimumCutTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        MinimumCut nothing(2);
        NS_TEST_EXPECT_MSG_EQ(nothing.Find(0, 1), 0, "not joined");
        // 0 - 1 - 3 and 0 - 2 - 3 with a link 1 - 2: 3 + 2 leave 0, 2 + 4 enter 3
        MinimumCut diamond(4);
        diamond.Join(0, 1, 3);
        diamond.Join(0, 2, 2);
        diamond.Join(1, 2, 5);
        diamond.Join(1, 3, 2);
        diamond.Join(2, 3, 4);
        NS_TEST_EXPECT_MSG_EQ(diamond.Find(0, 3), 5, "all that leaves node 0");
        constexpr uint32_t SEED = 20;
        std::cout << "seed " << SEED << "\n";
        std::mt19937 random(SEED);
        for (uint32_t i = 0; i < 500; i++)
        {
            CheckRandom(random);
        }
    }

    /// @param random source of a network of 7 nodes
    void CheckRandom(std::mt19937& random)
    {
        constexpr uint32_t NODES = 7;
        std::vector<std::array<uint32_t, 3>> links(random() % 15);
        MinimumCut cut(NODES);
        for (auto& [a, b, capacity] : links)
        {
            a = random() % NODES;
            b = (a + 1 + random() % (NODES - 1)) % NODES;
            capacity = random() % 10;
            cut.Join(a, b, capacity);
        }
        // node 0 on one side, the last on the other, the five between them on either
        uint64_t least = UINT64_MAX;
        for (uint32_t between = 0; between < 32; between++)
        {
            const uint32_t side = between * 2 + 1;
            uint64_t capacities = 0;
            for (const auto& [a, b, capacity] : links)
            {
                capacities += ((side >> a ^ side >> b) & 1) * capacity;
            }
            least = std::min(least, capacities);
        }
        NS_TEST_EXPECT_MSG_EQ(cut.Find(0, NODES - 1), least, "the least of all divisions");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Distances and bisections of topologies by formula.
 */
class GraphMeasuresTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// Networks without a tree of switches.
    void CheckDirect()
    {
        // Each of 8 rings of 4 in the dimension that is cut has 2 links across: 16 of 64 hosts.
        Expect("torus:dims=4x4x2,hosts=4",
               // 32 switches; by switches at distance 0 to 5 from one: (1 + 2x + x^2)^2 (1 + x)
               {{2, 128 * 3},
                {3, 128 * 4 * 5},
                {4, 128 * 4 * 10},
                {5, 128 * 4 * 10},
                {6, 128 * 4 * 5},
                {7, 128 * 4 * 1}},
               16,
               64);
        // The longest dimension is the narrowest: 2 x 2 x 6, 4 rings, 8 links; written first or
        // last
        for (const char* dims : {"6x2x2", "2x2x6"})
        {
            const GraphMeasures torus = Measure("torus:hosts=2,dims=" + std::string(dims));
            NS_TEST_EXPECT_MSG_EQ(torus.bisectionBps, 8 * RATE, dims);
            NS_TEST_EXPECT_MSG_EQ(torus.GetDiameter(), 2 + 3 + 1 + 1, dims);
        }
        // 4 lines of 4, each cut in 2 x 2 links
        Expect("hyperx:dims=4x4,hosts=2", {{2, 32}, {3, 32 * 12}, {4, 32 * 18}}, 16, 16);
        // 9 groups: hosts at the same router, in the group (6), elsewhere (64). Of 4 groups and a
        // half on either side 4 x 4 pairs have their global link cut, and the four links between
        // the halves of the group in the middle; its own global links lead to the near sides.
        const GraphMeasures dragonfly = Measure("dragonfly");
        NS_TEST_EXPECT_MSG_EQ(dragonfly.bisectionBps, 20 * RATE, "dragonfly");
        NS_TEST_EXPECT_MSG_EQ(dragonfly.halfBps, 36 * RATE, "36 hosts");
        NS_TEST_EXPECT_MSG_EQ(dragonfly.GetDiameter(), 5, "local, global, local");
        NS_TEST_EXPECT_MSG_EQ(dragonfly.pairsByDistance.at(2), 72, "one other at a router");
        // two rails: twice of each
        const GraphMeasures rails = Measure("dragonfly:rails=2");
        NS_TEST_EXPECT_MSG_EQ(rails.bisectionBps, 40 * RATE, "rails");
        NS_TEST_EXPECT_MSG_EQ(rails.halfBps, 72 * RATE, "two ports each");
        NS_TEST_EXPECT_MSG_EQ((rails.pairsByDistance == dragonfly.pairsByDistance),
                              true,
                              "no way from rail to rail is shorter");
        // within a group 2 + 2 links, between groups 3 + 2
        NS_TEST_EXPECT_MSG_EQ(Measure("dragonfly-plus").GetDiameter(), 5, "dragonfly-plus");
    }

    void DoRun() override
    {
        // 16 hosts: 1 other at the same edge switch, 2 in the pod, 12 elsewhere
        Expect("fat-tree:k=4", {{2, 16 * 1}, {4, 16 * 2}, {6, 16 * 12}}, 8, 8);
        // A quarter of the capacity above the edge: 4 pairs of hosts share what one has.
        FabricTopologyOptions options;
        options.oversubscription = "4";
        const GraphMeasures narrow =
            MeasureGraph(MakeFabricTopology("fat-tree:k=4", options)->BuildGraph());
        NS_TEST_EXPECT_MSG_EQ(narrow.bisectionBps, 2 * RATE, "oversubscribed");
        // two senders: one link between the switches, one host in each half has two
        Expect("dumbbell:switches=3,senders=2", {{2, 4}, {4, 8}}, 1, 2);
        Expect("dumbbell:switches=1,senders=2", {{2, 12}}, 2, 2);
        if (HasTopology("torus") && HasTopology("dragonfly"))
        {
            CheckDirect();
        }

        const GraphMeasures pair = MeasureGraph(PlanOfLinks(2, 0, {{0, 1}}));
        NS_TEST_EXPECT_MSG_EQ(pair.GetDiameter(), 1, "two hosts and a link");
        NS_TEST_EXPECT_MSG_EQ(pair.bisectionBps, RATE, "the link");
        const GraphMeasures lone = MeasureGraph(PlanOfLinks(1, 1, {{0, 1}}));
        NS_TEST_EXPECT_MSG_EQ(lone.GetDiameter(), 0, "one host");
        NS_TEST_EXPECT_MSG_EQ(lone.GetMeanDistance(), 0, "one host");
        NS_TEST_EXPECT_MSG_EQ(lone.bisectionBps, 0, "one host");
        // Two servers of two GPUs each, whose NVSwitch takes nine times what leaves the server.
        FabricGraph servers;
        for (uint32_t host = 0; host < 4; host++)
        {
            servers.AddHost(host / 2);
        }
        servers.AddNvSwitch(0);
        servers.AddNvSwitch(1);
        servers.AddSwitch();
        for (uint32_t host = 0; host < 4; host++)
        {
            servers.AddLink(host, 4 + host / 2, 9 * RATE, US);
            servers.AddLink(host, 6, RATE, US);
        }
        NS_TEST_EXPECT_MSG_EQ(MeasureGraph(servers).bisectionBps, 2 * RATE, "server to server");
        NS_TEST_EXPECT_MSG_EQ(MeasureGraph(servers).halfBps, 2 * RATE, "what can leave a server");
        // three hosts: one sends, two receive
        NS_TEST_EXPECT_MSG_EQ(MeasureGraph(MakeStar({RATE, RATE, RATE}, US)).halfBps, RATE, "star");
    }

    /// @return measures of a topology as on a command line
    GraphMeasures Measure(const std::string& spec)
    {
        return MeasureGraph(MakeFabricTopology(spec)->BuildGraph());
    }

    /**
     * @param spec topology
     * @param pairs by distance
     * @param cut and
     * @param half links of each
     */
    void Expect(const std::string& spec,
                const std::map<uint32_t, uint64_t>& pairs,
                uint64_t cut,
                uint64_t half)
    {
        const GraphMeasures measures = Measure(spec);
        NS_TEST_EXPECT_MSG_EQ((measures.pairsByDistance == pairs), true, spec << ": distances");
        NS_TEST_EXPECT_MSG_EQ(measures.bisectionBps, cut * RATE, spec << ": bisection");
        NS_TEST_EXPECT_MSG_EQ(measures.halfBps, half * RATE, spec << ": half of the hosts");
        uint64_t sum = 0;
        uint64_t all = 0;
        for (const auto& [distance, count] : pairs)
        {
            sum += distance * count;
            all += count;
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(measures.GetMeanDistance(),
                                  static_cast<double>(sum) / static_cast<double>(all),
                                  1e-12,
                                  spec << ": mean");
    }
};

/// Suite of graphs and topologies.
const SuiteCases g_cases("dcfabric-topology", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new MinimumCutTestCase("the narrowest cut of all divisions"));
    suite.AddTestCase(new GraphMeasuresTestCase("distances and bisections by formula"));
});

} // namespace ns3::tests::graph_measures_test
