// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-errors.h"
#include "../fabric-test-plan.h"
#include "../fabric-test-suite.h"
#include "../fabric-test-wings.h"

#include "ns3/boolean.h"
#include "ns3/channel-dependencies.h"
#include "ns3/config.h"
#include "ns3/dumbbell-topology.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-topology.h"
#include "ns3/fat-tree-topology.h"
#include "ns3/leaf-spine-topology.h"
#include "ns3/shortest-cycle.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <functional>
#include <map>
#include <random>
#include <set>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Which networks can deadlock.
 */

namespace ns3::tests::channel_dependencies_test
{

/// The channels of a cycle.
using Channels = std::vector<ChannelDependencies::Channel>;

/**
 * @param flowControl TypeId name or "none"
 * @param trees number of spanning trees; 0: shortest paths
 * @return a helper that builds what can deadlock, too
 */
FabricHelper
MakeHelper(const std::string& flowControl, uint32_t trees = 0)
{
    FabricHelper helper;
    helper.SetDeadlockCheck(false);
    helper.SetFlowControl(flowControl);
    if (flowControl == "ns3::VoqCreditFlowControl")
    {
        helper.SetBuffer("ns3::VoqBuffer");
    }
    if (trees > 0)
    {
        helper.SetPathSelector("ns3::SpanningTreePathSelector", "Trees", UintegerValue(trees));
    }
    return helper;
}

/**
 * @param graph plan
 * @param flowControl,trees as of MakeHelper()
 * @return length of the cycle of a network, 0 if there is none
 */
std::size_t
CycleOf(const FabricGraph& graph, const std::string& flowControl, uint32_t trees = 0)
{
    const Ptr<Fabric> fabric = MakeHelper(flowControl, trees).Install(graph);
    const std::size_t length = ChannelDependencies(*fabric).GetCycle().size();
    Simulator::Destroy();
    return length;
}

/**
 * @ingroup dcfabric-tests
 * @brief Cycles of small graphs.
 */
class CycleTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief Expect a cycle.
     * @param successors graph
     * @param cycle expected
     */
    void Expect(const SuccessorLists& successors, const std::vector<uint32_t>& cycle)
    {
        NS_TEST_EXPECT_MSG_EQ((FindShortestCycle(successors) == cycle),
                              true,
                              "cycle of a graph of " << successors.size());
    }

    void DoRun() override
    {
        Expect({}, {});
        Expect({{}}, {});
        Expect({{0}}, {0});                                         // on its own
        Expect({{1, 1}, {2}, {}}, {});                              // a chain, one edge twice
        Expect({{1, 2}, {3}, {3}, {}}, {});                         // two ways are no cycle
        Expect({{1}, {2}, {3}, {1}}, {1, 2, 3});                    // behind a chain
        Expect({{1}, {2}, {0, 3}, {4}, {}}, {0, 1, 2});             // before a chain
        Expect({{1}, {2}, {0, 3}, {4}, {3}}, {3, 4});               // the shorter of two
        Expect({{1, 4}, {2}, {3}, {0}, {3}}, {0, 4, 3});            // a short cut
        Expect({{}, {2}, {3}, {4}, {1}, {1, 6}, {}}, {1, 2, 3, 4}); // with idle vertices
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Rings.
 *
 * In a ring of n a packet crosses at most n / 2 links. With three no packet crosses two: no input
 * waits for another. From four on each pair of neighboring links is crossed by somebody, clockwise
 * and counter-clockwise: cycles of n inputs. A queue for an output depends on the next one only by
 * packets that cross three links, which begins with six.
 */
class RingTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        for (uint32_t n = 3; n <= 7; ++n)
        {
            const FabricGraph ring = MakeRing(n);
            const std::size_t inputs = n < 4 ? 0 : n;
            const std::size_t queues = n < 6 ? 0 : n;
            NS_TEST_EXPECT_MSG_EQ(CycleOf(ring, "ns3::PriorityFlowControl"), inputs, n << ": PFC");
            NS_TEST_EXPECT_MSG_EQ(CycleOf(ring, "ns3::CreditFlowControl"), inputs, n << " credits");
            NS_TEST_EXPECT_MSG_EQ(CycleOf(ring, "ns3::VoqCreditFlowControl"), queues, n << ": VOQ");
            NS_TEST_EXPECT_MSG_EQ(CycleOf(ring, "none"), 0, n << ": packets are dropped");
            // one tree leaves a link out: the ring is a chain
            NS_TEST_EXPECT_MSG_EQ(CycleOf(ring, "ns3::PriorityFlowControl", 1), 0, n << ": a tree");
        }
        // Two trees of a ring of four have their roots at opposite switches and leave out opposite
        // links: what one has at its end joins the ends of the other.
        NS_TEST_EXPECT_MSG_EQ(CycleOf(MakeRing(4), "ns3::PriorityFlowControl", 2), 4, "two trees");
        // hosts at two neighbors: nobody crosses two links
        NS_TEST_EXPECT_MSG_EQ(CycleOf(MakeRing(4, {0, 1, 0, 1}), "ns3::PriorityFlowControl"),
                              0,
                              "neighbors");
        // hosts at two opposite ones: each way begins and ends there, nobody passes them
        NS_TEST_EXPECT_MSG_EQ(CycleOf(MakeRing(4, {0, 2, 0, 2}), "ns3::PriorityFlowControl"),
                              0,
                              "opposite");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What is refused, and how to have it all the same.
 *
 * Ring of four: host i at port 0 of switch 4 + i; port 1 of switch 4 leads to switch 5 and its port
 * 2 to switch 7, port 1 of all others back to the switch before and port 2 on.
 */
class RefusalTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const FabricGraph ring = MakeRing(4);
        const std::string refusal = RefusalOf([&]() { FabricHelper().Install(ring); });
        // the first input of the ring is port 1 of switch 4, which switch 5 sends to
        const std::string cycle = "switch-5:1 (class 3) -> switch-4:2 (class 3) -> switch-7:1 "
                                  "(class 3) -> switch-6:1 (class 3) -> switch-5:1 (class 3);";
        NS_TEST_EXPECT_MSG_EQ(Contains(refusal, cycle), true, "the cycle: " << refusal);
        for (const char* part : {"under ns3::PriorityFlowControl",
                                 "the routes of ns3::ShortestPathRouting can deadlock",
                                 "ns3::SpanningTreePathSelector::Trees=1",
                                 "ns3::Fabric::DeadlockCheck=false"})
        {
            NS_TEST_EXPECT_MSG_EQ(Contains(refusal, part), true, part << " in " << refusal);
        }
        Simulator::Destroy();
        FabricHelper credits;
        credits.SetFlowControl("ns3::CreditFlowControl");
        DCFABRIC_EXPECT_REFUSAL(credits.Install(ring), "under ns3::CreditFlowControl");
        Simulator::Destroy();

        FabricHelper unchecked;
        unchecked.SetDeadlockCheck(false);
        NS_TEST_EXPECT_MSG_NE(unchecked.Install(ring), nullptr, "by the helper");
        Simulator::Destroy();
        Config::SetDefault("ns3::Fabric::DeadlockCheck", BooleanValue(false));
        NS_TEST_EXPECT_MSG_NE(FabricHelper().Install(ring), nullptr, "by the attribute");
        Config::SetDefault("ns3::Fabric::DeadlockCheck", BooleanValue(true));
        Simulator::Destroy();

        FabricHelper lossy;
        lossy.SetFlowControl("none");
        NS_TEST_EXPECT_MSG_NE(lossy.Install(ring), nullptr, "nothing waits for ever");
        Simulator::Destroy();
        FabricHelper trees;
        trees.SetPathSelector("ns3::SpanningTreePathSelector", "Trees", UintegerValue(2));
        DCFABRIC_EXPECT_REFUSAL(trees.Install(ring),
                                "the 2 trees of ns3::SpanningTreePathSelector can deadlock");
        Simulator::Destroy();
        FabricHelper tree;
        tree.SetPathSelector("ns3::SpanningTreePathSelector", "Trees", UintegerValue(1));
        NS_TEST_EXPECT_MSG_NE(tree.Install(ring), nullptr, "the remedy");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Ways that go up and then down have no cycle; with links missing they may not be such ways.
 */
class ClosTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        Ptr<FatTreeTopology> fatTree = CreateObject<FatTreeTopology>();
        fatTree->SetK(4);
        for (const Ptr<FabricTopology>& topology :
             std::vector<Ptr<FabricTopology>>{fatTree,
                                              CreateObject<LeafSpineTopology>(),
                                              CreateObject<DumbbellTopology>()})
        {
            for (const char* flowControl : {"ns3::PriorityFlowControl", "ns3::CreditFlowControl"})
            {
                for (const uint32_t trees : {0, 4})
                {
                    NS_TEST_EXPECT_MSG_EQ(CycleOf(topology->BuildGraph(), flowControl, trees),
                                          0,
                                          topology->GetInstanceTypeId().GetName()
                                              << " " << flowControl << " " << trees);
                }
            }
        }
        // Leaves 4 to 7, spines 8 to 11, each at two leaves: a ring of eight, in which hosts are at
        // every second switch. From a leaf to the opposite one: down and up again at the leaf
        // between them.
        PlanLinks links;
        for (uint32_t i = 0; i < 4; ++i)
        {
            links.push_back({i, 4 + i});
            links.push_back({4 + i, 8 + i});
            links.push_back({4 + (i + 1) % 4, 8 + i});
        }
        NS_TEST_EXPECT_MSG_EQ(CycleOf(PlanOfLinks(4, 8, links), "ns3::PriorityFlowControl"),
                              8,
                              "spines with two leaves each");
        // one spine at all leaves makes each way up and down
        for (uint32_t i = 0; i < 4; ++i)
        {
            links.push_back({4 + i, 12});
        }
        NS_TEST_EXPECT_MSG_EQ(CycleOf(PlanOfLinks(4, 9, links), "ns3::PriorityFlowControl"),
                              0,
                              "and one at all");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Direct networks with as many channels as their routing needs, and with fewer.
 *
 * - Rings need the two channels of a dateline in each dimension, a full mesh none: in dimension
 *   order links of a dimension wait only for links of later ones.
 * - Adaptive routing on one level goes in dimension order.
 * - Dragonfly: local, global, local needs a second channel behind the global link; by way of
 * another group there are two global links and three channels.
 * - Dragonfly+: up, over, down is an order already. By way of another group packets come to a spine
 *   over a global link and may leave it over another one or by a leaf. With one link for each pair
 *   of groups, which only one of two spines has, messages of the other spine go down and up again:
 *   they need a second channel from there on.
 */
class DirectTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief Install with some numbers of channels.
     * @param topology specification
     * @param routing TypeId name without ns3::
     * @param least number of channels that is accepted
     * @param most channels to be tried
     * @param feature of switches that sends messages; empty: none
     */
    void Check(const std::string& topology,
               const std::string& routing,
               uint32_t least,
               uint32_t most,
               const std::string& feature = "")
    {
        if (!HasTopology(topology))
        {
            return;
        }
        const FabricGraph graph = MakeFabricTopology(topology)->BuildGraph();
        for (uint32_t channels = 0; channels <= most; ++channels)
        {
            FabricHelper helper;
            helper.SetFlowControl("ns3::CreditFlowControl");
            helper.SetRouting("ns3::" + routing, "Channels", UintegerValue(channels));
            if (!feature.empty())
            {
                helper.SetCongestionControl("ns3::RoccCongestionControl");
                helper.AddSwitchFeature(feature);
            }
            const std::string refusal = RefusalOf([&]() { helper.Install(graph); });
            Simulator::Destroy();
            const bool enough = channels == 0 || channels >= least; // 0: as many as are needed
            NS_TEST_EXPECT_MSG_EQ(Contains(refusal, "can deadlock"),
                                  !enough,
                                  topology << ", " << routing << ", " << channels
                                           << " channels: " << refusal);
            NS_TEST_EXPECT_MSG_EQ(Contains(refusal, routing + "::Channels=0"),
                                  !enough,
                                  "remedy: " << refusal);
        }
    }

    void DoRun() override
    {
        Check("torus:dims=4,hosts=1", "DimensionOrderRouting", 2, 2);
        Check("torus:dims=5x4,hosts=1", "DimensionOrderRouting", 2, 2);
        Check("torus:dims=3x3x3,hosts=1", "DimensionOrderRouting", 1, 1); // nobody passes a ring
        Check("hyperx:dims=4x4,hosts=1", "DimensionOrderRouting", 1, 1);
        Check("torus:dims=4x4,hosts=1", "MinimalAdaptiveRouting", 2, 2);
        Check("dragonfly:hosts=1,routers=4,globals=2,groups=9", "DragonflyMinimalRouting", 2, 2);
        Check("dragonfly:hosts=1,routers=4,globals=2,groups=9", "DragonflyValiantRouting", 3, 3);
        Check("dragonfly:hosts=1,routers=4,globals=2,groups=5", "DragonflyUgalRouting", 3, 3);
        Check("dragonfly:hosts=1,routers=4,globals=2,groups=5", "DragonflyPiggybackRouting", 3, 3);
        // by way of another switch dimensions begin anew, behind a second choice once more
        Check("hyperx:dims=3x3,hosts=1", "HyperXValiantRouting", 2, 2);
        Check("hyperx:dims=5,hosts=1", "HyperXUgalRouting", 2, 2);
        Check("hyperx:dims=3x2x2,hosts=1", "HyperXPiggybackRouting", 2, 2);
        for (const char* progressive :
             {"HyperXProgressiveRouting", "HyperXProgressivePiggybackRouting"})
        {
            Check("hyperx:dims=3x3,hosts=1", progressive, 3, 3, "ns3::RoccFeature");
        }
        // a packet that its second switch sends away goes on inside its group
        for (const char* progressive :
             {"DragonflyProgressiveRouting", "DragonflyProgressivePiggybackRouting"})
        {
            Check("dragonfly:hosts=1,routers=4,globals=2,groups=9", progressive, 4, 4);
            Check("dragonfly-plus:leaves=2,spines=2,hosts=1,globals=2,groups=5",
                  progressive,
                  4,
                  4,
                  "ns3::RoccFeature");
        }
        Check("dragonfly-plus:leaves=2,spines=2,hosts=1,globals=2,groups=5",
              "DragonflyMinimalRouting",
              1,
              2);
        Check("dragonfly-plus:leaves=2,spines=2,hosts=1,globals=2,groups=5",
              "DragonflyMinimalRouting",
              2,
              2,
              "ns3::RoccFeature");
        Check("dragonfly-plus:leaves=2,spines=2,hosts=1,globals=2,groups=5",
              "DragonflyUgalRouting",
              3,
              3,
              "ns3::RoccFeature");

        if (!HasTopology("dragonfly"))
        {
            return;
        }
        // all shortest paths have two global links in a row, or one before a local one
        const FabricGraph dragonfly =
            MakeFabricTopology("dragonfly:hosts=2,routers=4,globals=2,groups=9")->BuildGraph();
        FabricHelper helper;
        helper.SetRouting("ns3::ShortestPathRouting");
        DCFABRIC_EXPECT_REFUSAL(helper.Install(dragonfly),
                                "use a routing that changes the class of packets on their way");
        Simulator::Destroy();
    }
};

/// Which link (by number and direction) may follow which, found by walking each way of each pair of
/// hosts by the distances alone.
class Reference
{
  public:
    /// A link in one direction: number, and the end to which it leads.
    using Direction = std::pair<uint32_t, uint32_t>;

    /// @param graph the plan
    explicit Reference(const FabricGraph& graph)
        : m_graph(graph),
          m_routing(graph)
    {
        for (const uint32_t dst : graph.GetHosts())
        {
            std::set<Direction> seen;
            for (const uint32_t src : graph.GetHosts())
            {
                if (src != dst)
                {
                    Walk(graph.GetPort(src, 0).peer, {UINT32_MAX, 0}, dst, seen);
                }
            }
        }
    }

    /**
     * @param a,b channels
     * @return true if b may follow a
     */
    bool Follows(const ChannelDependencies::Channel& a, const ChannelDependencies::Channel& b) const
    {
        return m_next.count(At(a)) > 0 && m_next.at(At(a)).count(At(b)) > 0;
    }

    /// @return true if some links follow one another in a cycle
    bool HasCycle() const
    {
        std::map<Direction, int> state; // 1: on the present way, 2: done
        const std::function<bool(const Direction&)> visit = [&](const Direction& at) {
            if (state[at] != 0)
            {
                return state[at] == 1;
            }
            state[at] = 1;
            const auto next = m_next.find(at);
            if (next != m_next.end() &&
                std::any_of(next->second.begin(), next->second.end(), visit))
            {
                return true;
            }
            state[at] = 2;
            return false;
        };
        return std::any_of(m_next.begin(), m_next.end(), [&](const auto& entry) {
            return visit(entry.first);
        });
    }

  private:
    /**
     * @param channel the channel
     * @return the link of a channel
     */
    Direction At(const ChannelDependencies::Channel& channel) const
    {
        const FabricGraph::Port& port = m_graph.GetPort(channel.node, channel.port);
        return {port.link, port.peer};
    }

    /**
     * @brief Go on.
     * @param node switch
     * @param from link by which it was reached
     * @param dst host
     * @param seen links that have been met on the way to it
     */
    void Walk(uint32_t node, const Direction& from, uint32_t dst, std::set<Direction>& seen)
    {
        const uint32_t c = m_routing.GetClasses()->classOf[dst];
        for (uint32_t p = 0; p < m_graph.GetDegree(node); ++p)
        {
            const FabricGraph::Port& port = m_graph.GetPort(node, p);
            if (m_graph.IsHost(port.peer) ||
                m_routing.GetDistance(port.peer, c) + 1 != m_routing.GetDistance(node, c))
            {
                continue;
            }
            const Direction to{port.link, port.peer};
            if (from.first != UINT32_MAX)
            {
                m_next[from].insert(to);
            }
            if (seen.insert(to).second)
            {
                Walk(port.peer, to, dst, seen);
            }
        }
    }

    const FabricGraph& m_graph;                      //!< plan
    RoutingBuilder m_routing;                        //!< distances
    std::map<Direction, std::set<Direction>> m_next; //!< which follow
};

/**
 * @ingroup dcfabric-tests
 * @brief Random networks against Reference.
 */
class RandomTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        constexpr uint32_t SEED = 20;
        constexpr uint32_t RUNS = 150;
        std::mt19937 random(SEED);
        uint32_t cyclic = 0;
        for (uint32_t run = 0; run < RUNS; ++run)
        {
            const uint32_t switches = 3 + random() % 7;
            const uint32_t hosts = 2 + random() % 8;
            PlanLinks links;
            for (uint32_t i = 0; i < hosts; ++i)
            {
                links.push_back({i, static_cast<uint32_t>(hosts + random() % switches)});
            }
            for (uint32_t i = 1; i < switches; ++i) // a tree, and some more
            {
                links.push_back({hosts + i, static_cast<uint32_t>(hosts + random() % i)});
            }
            for (uint32_t i = random() % (2 * switches); i > 0; --i)
            {
                const auto a = static_cast<uint32_t>(random() % switches);
                const auto b =
                    static_cast<uint32_t>((a + 1 + random() % (switches - 1)) % switches);
                links.push_back({hosts + a, hosts + b});
            }
            const FabricGraph graph = PlanOfLinks(hosts, switches, links);
            const Reference reference(graph);
            const Ptr<Fabric> fabric = MakeHelper("ns3::CreditFlowControl").Install(graph);
            const Channels cycle = ChannelDependencies(*fabric).GetCycle();
            Simulator::Destroy();
            NS_TEST_EXPECT_MSG_EQ(!cycle.empty(),
                                  reference.HasCycle(),
                                  "seed " << SEED << ", run " << run);
            for (std::size_t i = 0; i < cycle.size(); ++i)
            {
                NS_TEST_EXPECT_MSG_EQ(reference.Follows(cycle[i], cycle[(i + 1) % cycle.size()]),
                                      true,
                                      "seed " << SEED << ", run " << run << ", channel " << i);
            }
            cyclic += cycle.empty() ? 0 : 1;
        }
        NS_TEST_EXPECT_MSG_GT(cyclic, RUNS / 20, "some can deadlock");
        NS_TEST_EXPECT_MSG_LT(cyclic, RUNS * 9 / 10, "and some cannot");
    }
};

/// Proof of deadlock freedom.
const SuiteCases g_cases("dcfabric-routing", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new CycleTestCase("shortest cycles of graphs"));
    suite.AddTestCase(new RingTestCase("rings can deadlock as far as packets go around them"));
    suite.AddTestCase(new RefusalTestCase("a cycle is refused by name, unless it is wanted"));
    suite.AddTestCase(new ClosTestCase("ways up and down cannot deadlock, others can"));
    suite.AddTestCase(new DirectTestCase("direct networks need the channels of their routing"));
    suite.AddTestCase(new RandomTestCase("random networks against each pair's ways"));
});

} // namespace ns3::tests::channel_dependencies_test
