// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-paths.h"
#include "fabric-test-plan.h"
#include "fabric-test-transport.h"

#include "ns3/fabric-topology.h"
#include "ns3/spanning-trees.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <fstream>
#include <map>
#include <random>
#include <set>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Spanning trees: by hand, and the same links both ways on any topology.
 */

namespace ns3::tests::spanning_trees_test
{

/// @return a helper that builds routes that can deadlock, too
FabricHelper
MakeUncheckedHelper()
{
    FabricHelper helper;
    helper.SetDeadlockCheck(false);
    return helper;
}

/**
 * @param trees how many
 * @param seed of the hash
 * @return a helper with spanning trees
 */
FabricHelper
MakeHelper(uint32_t trees = 0, uint32_t seed = 0)
{
    FabricHelper helper = MakeUncheckedHelper(); // several trees can form a cycle
    helper.SetPathSelector("ns3::SpanningTreePathSelector",
                           "Trees",
                           UintegerValue(trees),
                           "HashSeed",
                           UintegerValue(seed));
    return helper;
}

/**
 * @param fabric network
 * @param src,dst hosts
 * @param entropy of the flow
 * @return `a b c`: the switches from one host to another
 */
std::string
PathOf(const Ptr<Fabric>& fabric, uint32_t src, uint32_t dst, uint16_t entropy)
{
    std::string text;
    for (const FabricHop& hop : fabric->TracePath(src, dst, entropy))
    {
        text += hop.node == src ? "" : (text.empty() ? "" : " ") + std::to_string(hop.node);
    }
    return text;
}

/**
 * @ingroup dcfabric-tests
 * @brief Trees by hand.
 */
class TreeTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // Switches 4 - 5 - 6 - 7 - 4 in a ring, port 0 to the host, port 1 and 2 in the order of
        // links 4-5, 5-6, 6-7, 7-4: switch 4: 5, 7; 5: 4, 6; 6: 5, 7; 7: 6, 4. All have tier 1, so
        // each is the root of a tree. Tree 0: 5 and 7 below 4; 6 is as near over 5 as over 7, and
        // (0 + 6) mod 2 = 0 takes the first, 5. Tree 1: 4 and 6 below 5; 7: (1 + 7) mod 2: 6.
        const FabricGraph ring = MakeRing(4);
        const SpanningTrees trees(ring, 0);
        NS_TEST_ASSERT_MSG_EQ(trees.GetN(), 4, "one for each switch of the highest tier");
        for (uint32_t t = 0; t < 4; ++t)
        {
            NS_TEST_EXPECT_MSG_EQ(trees.GetRoot(t), 4 + t, "roots");
        }
        // tree 0 is 6 - 5 - 4 - 7, tree 1 is 7 - 6 - 5 - 4: from switch to switch, the port
        const std::map<std::pair<uint32_t, uint32_t>, uint16_t> expected[2] = {{{{4, 5}, 1},
                                                                                {{4, 6}, 1},
                                                                                {{4, 7}, 2},
                                                                                {{5, 4}, 1},
                                                                                {{5, 6}, 2},
                                                                                {{5, 7}, 1},
                                                                                {{6, 4}, 1},
                                                                                {{6, 5}, 1},
                                                                                {{6, 7}, 1},
                                                                                {{7, 4}, 2},
                                                                                {{7, 5}, 2},
                                                                                {{7, 6}, 2}},
                                                                               {{{4, 5}, 1},
                                                                                {{4, 6}, 1},
                                                                                {{4, 7}, 1},
                                                                                {{5, 4}, 1},
                                                                                {{5, 6}, 2},
                                                                                {{5, 7}, 2},
                                                                                {{6, 4}, 1},
                                                                                {{6, 5}, 1},
                                                                                {{6, 7}, 2},
                                                                                {{7, 4}, 1},
                                                                                {{7, 5}, 1},
                                                                                {{7, 6}, 1}}};
        for (uint32_t t = 0; t < 2; ++t)
        {
            for (const auto& [way, port] : expected[t])
            {
                NS_TEST_EXPECT_MSG_EQ(trees.GetPort(t, way.first, way.second),
                                      port,
                                      "tree " << t << " from " << way.first << " to "
                                              << way.second);
            }
        }
        NS_TEST_EXPECT_MSG_EQ(trees.GetPort(0, 5, 5), SpanningTrees::NO_PORT, "no way to itself");

        // Longest way of tree 0, in hops of 1: from host to host over all four switches five; with
        // hosts at switches 4 and 5 only three; at 5 only two; at 5 and 7 four.
        const std::vector<int64_t> ones(8, 1);
        NS_TEST_EXPECT_MSG_EQ(SpanningTrees(ring, 1).GetLongest(ones), 5, "6 5 4 7");
        const auto longest = [&ones](const std::vector<uint32_t>& at) {
            const FabricGraph graph = MakeRing(4, at);
            return SpanningTrees(graph, 1).GetLongest(ones);
        };
        NS_TEST_EXPECT_MSG_EQ(longest({0, 1, 1, 0}), 3, "5 4");
        NS_TEST_EXPECT_MSG_EQ(longest({1, 1, 1, 1}), 2, "5");
        NS_TEST_EXPECT_MSG_EQ(longest({1, 3, 3, 3}), 4, "5 4 7");
        // Links in the order of their numbers cost 1, 2, 4, 8 (hosts 0 to 3), 16 (4-5), 32 (5-6),
        // 64 (6-7, not in the tree), 128 (7-4): from host 2 by 6, 5, 4, 7 to host 3.
        NS_TEST_EXPECT_MSG_EQ(SpanningTrees(ring, 1).GetLongest({1, 2, 4, 8, 16, 32, 64, 128}),
                              4 + 32 + 16 + 128 + 8,
                              "sum");
        // T is that of the longest way: 100 Gb/s, 1 us a link, data 1082 B and ACK 118 B on the
        // wire; over trees 0 to 3 of the ring five links, on shortest paths four.
        for (const bool trees : {true, false})
        {
            FabricHelper helper = trees ? MakeHelper() : MakeUncheckedHelper();
            const int64_t link = 2 * US + (1082 + 118) * 80;
            NS_TEST_EXPECT_MSG_EQ(helper.Install(ring)->GetMaxBaseRttPs(),
                                  (trees ? 5 : 4) * link,
                                  "T");
            Simulator::Destroy();
        }

        // Roots: cores 32 to 35 of a fat-tree k = 4 (hosts 0-15, edges 16-23, aggregation 24-31).
        const FabricGraph fatTree = MakeFabricTopology("fat-tree:k=4")->BuildGraph();
        const auto roots = [&fatTree](uint32_t n) {
            const SpanningTrees some(fatTree, n);
            std::vector<uint32_t> all;
            for (uint32_t t = 0; t < some.GetN(); ++t)
            {
                all.push_back(some.GetRoot(t));
            }
            return all;
        };
        using Roots = std::vector<uint32_t>;
        NS_TEST_EXPECT_MSG_EQ((roots(0) == Roots{32, 33, 34, 35}), true, "as many as cores");
        NS_TEST_EXPECT_MSG_EQ((roots(1) == Roots{32}), true, "one");
        NS_TEST_EXPECT_MSG_EQ((roots(2) == Roots{32, 34}), true, "evenly spaced");
        NS_TEST_EXPECT_MSG_EQ((roots(6) == Roots{32, 33, 34, 35, 32, 33}), true, "again");
        // A second tree of the same root takes the other way round the ring: 6 below 7.
        const SpanningTrees more(ring, 5);
        NS_TEST_EXPECT_MSG_EQ(more.GetRoot(4), 4, "root of tree 0 again");
        NS_TEST_EXPECT_MSG_EQ(more.GetPort(4, 6, 4), 2, "by way of 7");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief F4.
 */
class TreeSymmetryTestCase : public PathSymmetryTestCase
{
    using PathSymmetryTestCase::PathSymmetryTestCase;

    void DoRun() override
    {
        for (const char* topology : {"fat-tree:k=4", "leaf-spine:leaves=4,spines=3,hosts=4"})
        {
            const FabricGraph graph = MakeFabricTopology(topology)->BuildGraph();
            for (const uint32_t trees : {0, 1, 3, 9})
            {
                NS_TEST_EXPECT_MSG_EQ(Asymmetry(graph, MakeHelper(trees, trees), 8, topology),
                                      0,
                                      topology << ", trees " << trees);
            }
        }
        const FabricGraph eight = MakeFabricTopology("fat-tree:k=8")->BuildGraph();
        NS_TEST_EXPECT_MSG_EQ(Asymmetry(eight, MakeHelper(), 2, "k = 8"), 0, "k = 8");
        NS_TEST_EXPECT_MSG_EQ(Asymmetry(MakeRing(7), MakeHelper(), 16, "ring"), 0, "ring");

        // From a file: host 0 - 2, host 1 - 8; 2 - {3, 4}, 3 - {5, 6}, 4 - {6, 7}, {5, 6, 7} - 8,
        // and 2 - 3 twice. There two choices of two, back one of three: equal-cost ways are chosen
        // apart.
        const std::string path = CreateTempDirFilename("irregular.txt");
        std::ofstream(path) << "9 7 12\n2 3 4 5 6 7 8\n"
                            << "0 2 100Gbps 1000ns 0\n1 8 100Gbps 1000ns 0\n"
                            << "2 3 100Gbps 1000ns 0\n2 3 100Gbps 1000ns 0\n"
                            << "2 4 100Gbps 1000ns 0\n3 5 100Gbps 1000ns 0\n"
                            << "3 6 100Gbps 1000ns 0\n4 6 100Gbps 1000ns 0\n"
                            << "4 7 100Gbps 1000ns 0\n5 8 100Gbps 1000ns 0\n"
                            << "6 8 100Gbps 1000ns 0\n7 8 100Gbps 1000ns 0\n";
        const FabricGraph irregular = MakeFabricTopology("file:" + path)->BuildGraph();
        NS_TEST_EXPECT_MSG_GT(Asymmetry(irregular, MakeUncheckedHelper(), 64, "ECMP"),
                              0.3,
                              "symmetric ECMP fails here");
        for (const uint32_t trees : {0, 1, 8})
        {
            NS_TEST_EXPECT_MSG_EQ(Asymmetry(irregular, MakeHelper(trees), 64, "irregular"),
                                  0,
                                  "irregular, trees " << trees);
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Random networks.
 */
class RandomTreeTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        for (uint32_t seed = 1; seed <= 40; ++seed)
        {
            std::mt19937 random(seed);
            const auto draw = [&random](uint32_t n) { return static_cast<uint32_t>(random() % n); };
            const uint32_t hosts = 2 + random() % 6;
            const uint32_t switches = 1 + random() % 9;
            PlanLinks links;
            for (uint32_t i = 0; i < hosts; ++i)
            {
                links.push_back({i, hosts + draw(switches)});
            }
            for (uint32_t i = 1; i < switches; ++i)
            {
                links.push_back({hosts + i, hosts + draw(i)}); // connected
            }
            for (uint32_t i = random() % 12; switches > 1 && i > 0; --i)
            {
                const uint32_t a = random() % switches;
                const uint32_t b = (a + 1 + random() % (switches - 1)) % switches;
                links.push_back({hosts + a, hosts + b}); // more, parallel ones perhaps
            }
            const FabricGraph graph = PlanOfLinks(hosts, switches, links);
            Ptr<Fabric> fabric = MakeHelper(random() % 6, seed).Install(graph);
            const uint32_t most = fabric->GetRouting().GetMaxSwitches();
            uint32_t longest = 0;
            for (uint32_t src = 0; src < hosts; ++src)
            {
                for (uint32_t dst = 0; dst < hosts; ++dst)
                {
                    for (uint32_t e = 0; src != dst && e < 200; ++e)
                    {
                        const auto entropy = static_cast<uint16_t>(e * 331);
                        const auto way = fabric->TracePath(src, dst, entropy);
                        NS_TEST_ASSERT_MSG_EQ(graph.GetPort(way.back().node, way.back().port).peer,
                                              dst,
                                              "seed " << seed);
                        NS_TEST_ASSERT_MSG_EQ(fabric->IsPathSymmetric(src, dst, entropy),
                                              true,
                                              "seed " << seed << " " << src << " " << dst);
                        longest = std::max(longest, static_cast<uint32_t>(way.size() - 1));
                    }
                }
            }
            // each tree is met by some of 200 entropies but with probability 6 x 0.83^200
            NS_TEST_EXPECT_MSG_EQ(longest, most, "most switches on a path, seed " << seed);
            Simulator::Destroy();
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief In simulations.
 */
class TreeNetworkTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // FNCC on the irregular network, every switch with one more host.
        const FabricGraph irregular = PlanOfLinks(7,
                                                  9,
                                                  {{0, 9},
                                                   {1, 15},
                                                   {2, 10},
                                                   {3, 11},
                                                   {4, 12},
                                                   {5, 13},
                                                   {6, 14},
                                                   {9, 10},
                                                   {9, 11},
                                                   {10, 12},
                                                   {10, 13},
                                                   {11, 13},
                                                   {11, 14},
                                                   {12, 15},
                                                   {13, 15},
                                                   {14, 15}});
        FabricHelper fncc = MakeUncheckedHelper();
        fncc.SetCongestionControl("ns3::FnccCongestionControl");
        fncc.AddSwitchFeature("ns3::FnccIntFeature");
        DCFABRIC_EXPECT_REFUSAL(fncc.Install(irregular), "ns3::SpanningTreePathSelector");
        Simulator::Destroy();
        fncc.SetPathSelector("ns3::SpanningTreePathSelector");
        {
            TestNetwork network(irregular, fncc);
            for (uint32_t tag = 0; tag < 42; ++tag)
            {
                network.MessagesOf(tag % 7).Send((tag % 7 + 1 + tag / 7) % 7, 100000, tag);
            }
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 42, "FNCC on trees");
            NS_TEST_EXPECT_MSG_EQ(network.fabric->GetDrops().empty(), true, "no drops");
            NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, "accounted");
            // on each link either data one way and as many ACKs back, or both ways: the number of
            // packets is the same in both directions
            for (uint32_t node = 0; node < 16; ++node)
            {
                for (uint32_t p = 0; p < network.fabric->GetGraph().GetDegree(node); ++p)
                {
                    const auto& here = network.fabric->GetPort(node, p)->GetCounters();
                    const auto& there =
                        network.fabric->GetPort(node, p)->GetLink().GetPeer()->GetCounters();
                    NS_TEST_EXPECT_MSG_EQ(here.rxDataPackets, there.rxControlPackets, "ACKs back");
                }
            }
        }

        // k = 8 has 16 trees, each over a core of its own: flows from 0 to 127 spread over all, as
        // with ECMP; 15 degrees of freedom, 50 is exceeded once in 100,000 times. Within pod 0
        // (hosts 0 and 15) the four aggregation switches have four trees each.
        FabricHelper helper = MakeHelper();
        Ptr<Fabric> fabric = helper.Install(MakeFabricTopology("fat-tree:k=8")->BuildGraph());
        std::map<uint32_t, uint32_t> cores;
        std::map<uint32_t, uint32_t> aggregation;
        for (uint32_t e = 0; e < 16000; ++e)
        {
            const auto far = fabric->TracePath(0, 127, static_cast<uint16_t>(e));
            NS_TEST_ASSERT_MSG_EQ(far.size(), 6, "a shortest path");
            ++cores[far[3].node];
            const auto near = fabric->TracePath(0, 15, static_cast<uint16_t>(e));
            NS_TEST_ASSERT_MSG_EQ(near.size(), 4, "a shortest path");
            ++aggregation[near[2].node];
        }
        NS_TEST_EXPECT_MSG_EQ(cores.size(), 16, "all cores");
        NS_TEST_EXPECT_MSG_EQ(aggregation.size(), 4, "all aggregation switches of the pod");
        double sum = 0;
        for (const auto& [core, count] : cores)
        {
            sum += (count - 1000.0) * (count - 1000.0) / 1000.0;
        }
        NS_TEST_EXPECT_MSG_LT(sum, 50, "evenly");
        Simulator::Destroy();

        // A ring of ten switches: shortest paths cross at most six, the path round a tree ten, more
        // than INT has room for.
        fncc.SetPathSelector("ns3::SpanningTreePathSelector");
        DCFABRIC_EXPECT_REFUSAL(fncc.Install(MakeRing(10)), "cross 10");
        Simulator::Destroy();

        // Two planes without a link between them, hosts in both: in a tree of its own each plane.
        const FabricGraph planes =
            PlanOfLinks(3, 4, {{0, 3}, {0, 5}, {1, 4}, {1, 6}, {2, 3}, {2, 5}, {3, 4}, {5, 6}});
        helper = MakeHelper();
        fabric = helper.Install(planes);
        // hosts leave by port entropy mod 2: plane 3, 4 or plane 5, 6
        NS_TEST_EXPECT_MSG_EQ(PathOf(fabric, 0, 1, 0), "3 4", "first plane");
        NS_TEST_EXPECT_MSG_EQ(PathOf(fabric, 0, 1, 1), "5 6", "second plane");
        NS_TEST_EXPECT_MSG_EQ(PathOf(fabric, 1, 2, 0), "4 3", "back");
        NS_TEST_EXPECT_MSG_EQ(PathOf(fabric, 2, 0, 1), "5", "same switch");
        Simulator::Destroy();
    }
};

/// Spanning trees.
const SuiteCases g_cases("dcfabric-routing", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(
        new TreeTestCase("trees of a ring, their roots and their longest path, by hand"));
    suite.AddTestCase(new TreeSymmetryTestCase(
        "data and ACK share every link for all pairs of hosts, on any topology"));
    suite.AddTestCase(new RandomTreeTestCase(
        "random networks: all pairs, the same links both ways, every link of its tree"));
    suite.AddTestCase(new TreeNetworkTestCase(
        "FNCC where symmetric ECMP is refused; spread; planes; long paths"));
});

} // namespace ns3::tests::spanning_trees_test
