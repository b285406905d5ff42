// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-channels.h"
#include "../fabric-test-suite.h"

#include "ns3/dragonfly-minimal-routing.h"
#include "ns3/dragonfly-plus-topology.h"
#include "ns3/dragonfly-topology.h"
#include "ns3/fabric-helper.h"
#include "ns3/group-channels.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Minimal routing of generated dragonflies.
 */

namespace ns3::tests::dragonfly_routing_test
{

/**
 * @param a routers of a group
 * @param h global links of each
 * @param arrangement of these
 * @return the largest dragonfly with one host at each router
 */
FabricGraph
PlanOfDragonfly(uint32_t a, uint32_t h, const std::string& arrangement)
{
    return CreateObjectWithAttributes<DragonflyTopology>("Hosts",
                                                         UintegerValue(1),
                                                         "Routers",
                                                         UintegerValue(a),
                                                         "Globals",
                                                         UintegerValue(h),
                                                         "Groups",
                                                         UintegerValue(0),
                                                         "Arrangement",
                                                         StringValue(arrangement))
        ->BuildGraph();
}

/**
 * @ingroup dcfabric-tests
 * @brief Links between groups on all ways.
 */
class GlobalLinksTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// Pairs of hosts in different groups.
    struct Pairs
    {
        uint32_t all{0};     //!< how many there are
        uint32_t only{0};    //!< all ways have two links between groups or more
        uint32_t some{0};    //!< some ways have, others do not
        uint32_t longest{0}; //!< links between switches
        bool lost{false};    //!< a way does not end
    };

    /**
     * @param graph plan
     * @param walk of its ways
     * @return counts
     */
    static Pairs Count(const FabricGraph& graph, ChannelWalk& walk)
    {
        std::map<std::pair<uint32_t, uint32_t>, std::pair<bool, bool>> found; // one, more
        Pairs pairs;
        pairs.lost = walk.Visit([&](uint32_t src, uint32_t dst, const auto& way) {
            const auto globals = std::count_if(way.begin(), way.end(), [&](const auto& hop) {
                return graph.IsGlobal(graph.GetPort(hop.node, hop.port).link);
            });
            auto& [one, more] = found[{src, dst}];
            (globals > 1 ? more : one) = true;
            pairs.longest = std::max<uint32_t>(pairs.longest, static_cast<uint32_t>(way.size()));
        }) > 0;
        for (const auto& [pair, ways] : found)
        {
            const bool apart = graph.GetNode(graph.GetPort(pair.first, 0).peer).pod !=
                               graph.GetNode(graph.GetPort(pair.second, 0).peer).pod;
            pairs.all += apart ? 1 : 0;
            pairs.only += ways.second && !ways.first ? 1 : 0;
            pairs.some += ways.second && ways.first ? 1 : 0;
        }
        return pairs;
    }

    /**
     * @brief Compare shortest paths with minimal ones.
     * @param graph plan
     * @param only,some shares of pairs, in 1/1000, whose shortest paths all, or partly, cross a
     * third group
     * @param what it is
     */
    void Compare(const FabricGraph& graph, uint32_t only, uint32_t some, const std::string& what)
    {
        const auto shortest = CreateObject<ShortestPathRouting>();
        shortest->Attach(graph);
        ChannelWalk shortWalk(graph, shortest);
        const Pairs wrong = Count(graph, shortWalk);
        NS_TEST_EXPECT_MSG_EQ_TOL(1000.0 * wrong.only / wrong.all, only, 0.5, what << ", only");
        NS_TEST_EXPECT_MSG_EQ_TOL(1000.0 * wrong.some / wrong.all, some, 0.5, what << ", some");

        const auto minimal = CreateObject<DragonflyMinimalRouting>();
        minimal->Attach(graph);
        ChannelWalk walk(graph, minimal);
        const Pairs right = Count(graph, walk);
        NS_TEST_EXPECT_MSG_EQ(right.all, wrong.all, what << ": the same pairs");
        NS_TEST_EXPECT_MSG_EQ(right.only + right.some, 0, what << ": one such link at most");
        NS_TEST_EXPECT_MSG_EQ(right.longest, 3, what << ": local, global, local");
        NS_TEST_EXPECT_MSG_EQ(right.lost, false, what << ": all ways end");
        NS_TEST_EXPECT_MSG_EQ(walk.HasCircle(), false, what << ": two channels are enough");
        ChannelWalk one(graph, minimal, 1);
        NS_TEST_EXPECT_MSG_EQ(one.HasCircle(), true, what << ": one channel is not");
    }

    void DoRun() override
    {
        // of all pairs of routers in different groups, counted independently of this module
        Compare(PlanOfDragonfly(4, 2, "absolute"), 21, 250, "a=4, h=2, absolute");
        Compare(PlanOfDragonfly(4, 2, "relative"), 31, 328, "a=4, h=2, relative");
        Compare(PlanOfDragonfly(6, 3, "absolute"), 15, 225, "a=6, h=3, absolute");

        // dragonfly+: shortest paths are right, and minimal ones are the same
        const FabricGraph plus = CreateObjectWithAttributes<DragonflyPlusTopology>("Leaves",
                                                                                   UintegerValue(2),
                                                                                   "Spines",
                                                                                   UintegerValue(2),
                                                                                   "Hosts",
                                                                                   UintegerValue(1),
                                                                                   "Globals",
                                                                                   UintegerValue(2),
                                                                                   "Groups",
                                                                                   UintegerValue(0))
                                     ->BuildGraph();
        const auto minimal = CreateObject<DragonflyMinimalRouting>();
        minimal->Attach(plus);
        const RoutingBuilder shortest(plus);
        ChannelWalk walk(plus, minimal);
        const Pairs pairs = Count(plus, walk);
        NS_TEST_EXPECT_MSG_EQ(pairs.longest, 3, "leaf, spine, spine, leaf");
        NS_TEST_EXPECT_MSG_EQ(pairs.only + pairs.some, 0, "one such link at most");
        NS_TEST_EXPECT_MSG_EQ(walk.HasCircle(), false, "dragonfly+");
        for (uint32_t node = plus.GetNHosts(); node < plus.GetNNodes(); ++node)
        {
            for (uint32_t c = 0; c < shortest.GetClasses()->nClasses; ++c)
            {
                if (plus.GetNode(node).tier == 1)
                {
                    NS_TEST_EXPECT_MSG_EQ(walk.GetRouting().GetDistance(node, c),
                                          shortest.GetDistance(node, c),
                                          "from leaf " << node << " to class " << c);
                }
            }
        }

        // without SetRouting() a network has the routing that suits it
        FabricHelper helper;
        const FabricGraph graph = PlanOfDragonfly(4, 2, "absolute");
        const Ptr<Fabric> fabric = helper.Install(graph);
        NS_TEST_EXPECT_MSG_EQ(fabric->GetRoutingAlgorithm().GetInstanceTypeId(),
                              DragonflyMinimalRouting::GetTypeId(),
                              "by the plan");
        NS_TEST_EXPECT_MSG_EQ(
            (fabric->GetSwitch(graph.GetNHosts())->GetFeature<GroupChannels>()->GetClasses() ==
             std::vector<std::vector<uint8_t>>{{3, 2}, {6, 7}}),
            true,
            "channels of data and control");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetRouting().GetMaxSwitches(), 4, "of the longest way");
        Simulator::Destroy();
    }
};

/// Dragonflies.
const SuiteCases g_cases("dcfabric-routing", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new GlobalLinksTestCase(
        "dragonflies: links between groups on shortest and on minimal ways, no circle"));
});

} // namespace ns3::tests::dragonfly_routing_test
