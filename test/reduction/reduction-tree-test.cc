// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-plan.h"
#include "../fabric-test-suite.h"
#include "../fabric-test-transport.h"

#include "ns3/fat-tree-topology.h"
#include "ns3/leaf-spine-topology.h"
#include "ns3/reduction-tree.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief The trees in which vectors are added up, and their windows.
 */

namespace ns3::tests::reduction_tree_test
{

/**
 * @ingroup dcfabric-tests
 * @brief Roots, ways and what each node knows.
 */
class TreeTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// @return numbers from 0
    static std::vector<uint32_t> Count(uint32_t n)
    {
        std::vector<uint32_t> numbers(n);
        std::iota(numbers.begin(), numbers.end(), 0);
        return numbers;
    }

    /// Check what holds for all trees. @return its links
    std::set<uint32_t> Check(const FabricGraph& graph,
                             const std::vector<uint32_t>& hosts,
                             uint32_t root,
                             uint32_t channel)
    {
        const ReductionTree tree(graph, hosts, root, channel);
        const auto& nodes = tree.GetNodes();
        std::set<uint32_t> links;
        std::vector<uint32_t> leaves;
        NS_TEST_EXPECT_MSG_EQ(nodes.front().node, root, "the root is first");
        NS_TEST_EXPECT_MSG_EQ(nodes.front().hosts.size(), hosts.size(), "all are below it");
        for (uint32_t i = 0; i < nodes.size(); ++i)
        {
            const ReductionTree::Node& node = nodes[i];
            NS_TEST_EXPECT_MSG_EQ(graph.IsHost(node.node),
                                  node.children.empty(),
                                  "hosts are the leaves");
            NS_TEST_EXPECT_MSG_EQ(std::is_sorted(node.hosts.begin(), node.hosts.end()),
                                  true,
                                  "ascending");
            if (graph.IsHost(node.node))
            {
                leaves.push_back(node.node);
                NS_TEST_EXPECT_MSG_EQ((node.hosts == std::vector<uint32_t>{node.node}),
                                      true,
                                      "itself");
            }
            if (i > 0)
            {
                NS_TEST_EXPECT_MSG_LT(node.parent, i, "parents are first");
                const uint32_t parent = nodes[node.parent].node;
                NS_TEST_EXPECT_MSG_EQ(graph.GetPort(node.node, node.port).peer, parent, "up");
                NS_TEST_EXPECT_MSG_EQ(graph.GetPort(parent, node.parentPort).peer,
                                      node.node,
                                      "down");
                NS_TEST_EXPECT_MSG_EQ(graph.GetPort(parent, node.parentPort).link,
                                      node.link,
                                      "the same link");
                links.insert(node.link);
            }
        }
        std::sort(leaves.begin(), leaves.end());
        NS_TEST_EXPECT_MSG_EQ((leaves == hosts), true, "each host once");
        NS_TEST_EXPECT_MSG_EQ(links.size() + 1, nodes.size(), "a tree");
        return links;
    }

    void DoRun() override
    {
        const FabricGraph star = MakeStar(5);
        NS_TEST_EXPECT_MSG_EQ((ReductionTree::ListRoots(star, {1, 3}) == std::vector<uint32_t>{5}),
                              true,
                              "the switch");
        NS_TEST_EXPECT_MSG_EQ(Check(star, {1, 3}, 5, 0).size(), 2, "two links of five");

        // leaves 8 and 9, spines 10 and 11
        const FabricGraph two = MakeTwoLeaves(4, 2, 100 * GBPS);
        NS_TEST_EXPECT_MSG_EQ(
            (ReductionTree::ListRoots(two, {0, 5}) == std::vector<uint32_t>{10, 11}),
            true,
            "spines are two hops away from all");
        NS_TEST_EXPECT_MSG_EQ((ReductionTree::ListRoots(two, {0, 3}) == std::vector<uint32_t>{8}),
                              true,
                              "one leaf is enough");
        const auto first = Check(two, Count(8), 10, 0);
        const auto second = Check(two, Count(8), 11, 1);
        NS_TEST_EXPECT_MSG_EQ(first.size(), 10, "8 hosts and 2 leaves");
        std::vector<uint32_t> both;
        std::set_intersection(first.begin(),
                              first.end(),
                              second.begin(),
                              second.end(),
                              std::back_inserter(both));
        NS_TEST_EXPECT_MSG_EQ(both.size(), 8, "only the links of hosts are in both");

        // 4 leaves to which each of 6 hosts has a link, and a spine that is never nearer
        const auto rack = CreateObject<LeafSpineTopology>();
        rack->SetAttribute("Leaves", UintegerValue(4));
        rack->SetAttribute("Spines", UintegerValue(1));
        rack->SetAttribute("HostsPerLeaf", UintegerValue(6));
        rack->SetAttribute("Homes", UintegerValue(4));
        const FabricGraph rails = rack->BuildGraph();
        const std::vector<uint32_t> roots = ReductionTree::ListRoots(rails, Count(6));
        NS_TEST_EXPECT_MSG_EQ(roots.size(), 4, "each leaf");
        std::set<uint32_t> all;
        for (uint32_t channel = 0; channel < 4; ++channel)
        {
            const auto links = Check(rails, Count(6), roots[channel], channel);
            all.insert(links.begin(), links.end());
        }
        NS_TEST_EXPECT_MSG_EQ(all.size(), 24, "all links of hosts, each in one tree");

        // k = 4: 16 hosts, 8 edge switches, 8 of aggregation, 4 cores
        const auto fat = CreateObject<FatTreeTopology>();
        fat->SetAttribute("K", UintegerValue(4));
        const FabricGraph tree = fat->BuildGraph();
        const std::vector<uint32_t> cores = ReductionTree::ListRoots(tree, Count(16));
        NS_TEST_EXPECT_MSG_EQ(cores.size(), 4, "the cores");
        NS_TEST_EXPECT_MSG_EQ(+tree.GetNode(cores.front()).tier, 3, "the cores");
        NS_TEST_EXPECT_MSG_EQ(Check(tree, Count(16), cores[2], 2).size(),
                              28,
                              "16 hosts, 8 edge switches, 4 of aggregation");
        NS_TEST_EXPECT_MSG_EQ(ReductionTree::ListRoots(tree, {0, 3}).size(),
                              2,
                              "switches of aggregation of the pod");

        // two stars apart
        FabricGraph apart = MakeStar(2);
        const uint32_t host = apart.AddHost();
        apart.AddLink(host, apart.AddSwitch(), 100 * GBPS, US);
        NS_TEST_EXPECT_MSG_EQ(ReductionTree::ListRoots(apart, {0, host}).size(), 0, "no way");
        NS_TEST_EXPECT_MSG_EQ(ReductionTree::ListRoots(apart, {host}).size(), 1, "its switch");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief How long a packet is on its way, and how many have to be.
 */
class WindowTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // 1106 bytes take 88.48 ns at 100 Gb/s, and 1 us: two links are 2176.96 ns, in which 24.6
        // packets leave; one more
        const FabricGraph star = MakeStar(3);
        const ReductionTree tree(star, {0, 1, 2}, 3, 0);
        ReductionTree::Timing timing = tree.ComputeTiming(star, 1106, 1000, 0, 0);
        NS_TEST_EXPECT_MSG_EQ(timing.rttPs, 2176960, "there and back");
        NS_TEST_EXPECT_MSG_EQ(timing.packetPs, 88480, "the link");
        NS_TEST_EXPECT_MSG_EQ(ReductionTree::ComputeWindow(timing), 26, "25, and one more");

        // 3 x 1000 bytes are added in 240 ns at 100 Gb/s; the switch takes 50 ns once
        timing = tree.ComputeTiming(star, 1106, 1000, 50000, 100 * GBPS);
        NS_TEST_EXPECT_MSG_EQ(timing.rttPs, 2176960 + 240000 + 50000, "with adding");
        NS_TEST_EXPECT_MSG_EQ(timing.packetPs, 240000, "the adder");

        // a slow link far up: 10 Gb/s between leaf 4 and spine 6 is all that counts
        const FabricGraph slow = MakeTwoLeaves(2, 1, 100 * GBPS, 10 * GBPS);
        const ReductionTree high(slow, {0, 1, 2, 3}, 6, 0);
        timing = high.ComputeTiming(slow, 1106, 1000, 0, 0);
        NS_TEST_EXPECT_MSG_EQ(timing.packetPs, 884800, "ten times as long");
        NS_TEST_EXPECT_MSG_EQ(timing.rttPs, 2 * (2000000 + 88480 + 884800), "there and back");
        NS_TEST_EXPECT_MSG_EQ(ReductionTree::ComputeWindow(timing), 8, "6.7 packets, and one");
    }
};

const SuiteCases g_cases("dcfabric-reduction", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new TreeTestCase("trees of switches over the hosts of a group"));
    suite.AddTestCase(new WindowTestCase("windows by rates and delays"));
});

} // namespace ns3::tests::reduction_tree_test
