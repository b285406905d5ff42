// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-network.h"
#include "../fabric-test-plan.h"
#include "../fabric-test-schedule.h"
#include "../fabric-test-suite.h"
#include "../fabric-test-transport.h"
#include "../fabric-test-wings.h"

#include "ns3/fabric-faults.h"
#include "ns3/fabric-topology.h"
#include "ns3/fabric-warning.h"
#include "ns3/link-outages.h"
#include "ns3/test.h"

#include <random>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Tables that follow failures, after the convergence time.
 */

namespace ns3::tests::route_repair_test
{

using namespace by_hand;

/// @return hosts 0 and 1, switches 2 (of 0), 3 (of 1) and 4: a triangle
FabricGraph
PlanOfTriangle()
{
    return PlanOfLinks(2, 3, {{0, 2}, {2, 3}, {3, 1}, {2, 4}, {4, 3}});
}

/**
 * @ingroup dcfabric-tests
 * @brief A packet from host 0 to host 1 of the triangle: usually over two switches, 3 x 1,086,560
 * ps; over switch 4 one link more.
 */
class ConvergenceTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    static constexpr int64_t HOP = F + US; //!< of the packet over a link

    /**
     * @param convergencePs until tables know; -1: never
     * @param downPs,upPs of the link 2 - 3
     * @param sendPs when the packet is sent
     * @param expectedPs when it is delivered
     * @param lost packets, each of which costs 100 us
     */
    void Check(int64_t convergencePs,
               int64_t downPs,
               int64_t upPs,
               int64_t sendPs,
               int64_t expectedPs,
               uint64_t lost)
    {
        for (const char* flowControl :
             {"none", "ns3::PriorityFlowControl", "ns3::CreditFlowControl"})
        {
            FabricHelper helper;
            helper.SetFlowControl(flowControl);
            helper.SetNicAttribute("AckTimeout", TimeValue(MicroSeconds(100)));
            TestNetwork network(PlanOfTriangle(), helper);
            FabricFaults faults;
            faults.Add({downPs, FabricFault::DOWN, 2, 3});
            faults.Add({upPs, FabricFault::UP, 2, 3});
            if (convergencePs >= 0)
            {
                faults.SetConvergenceTime(FabricTime::FromPs(convergencePs));
            }
            faults.Install(network.fabric);
            network.MessagesOf(0).SendAt(sendPs, 1, 1000, 7);
            Simulator::Run();
            const std::string what = std::string(flowControl) + ", down at " +
                                     std::to_string(downPs) + ", up at " + std::to_string(upPs) +
                                     ", sent at " + std::to_string(sendPs);
            NS_TEST_EXPECT_MSG_EQ(TestNetwork::Find(network.delivered, 7).nowPs, expectedPs, what);
            NS_TEST_EXPECT_MSG_EQ(network.Nic(0).GetCounters().timeouts, lost, what);
            NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, what);
            NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().inFlight, 0, what);
        }
    }

    void DoRun() override
    {
        constexpr int64_t NEVER = 3600 * 1000000LL * US;
        // sent at 30 us, at switch 2 at 31,086,560
        constexpr int64_t AT = 30 * US + HOP;
        // known just when the packet is there, the port left out 10 us after the failure
        Check(20 * US, AT - 20 * US, NEVER, 30 * US, 30 * US + 4 * HOP, 0);
        // a ps later: dropped, and sent again
        Check(20 * US, AT - 20 * US + 1, NEVER, 30 * US, 130 * US + 4 * HOP, 1);
        // at once: known before the port is left out
        Check(0, AT, NEVER, 30 * US, 30 * US + 4 * HOP, 0);
        Check(0, 0, NEVER, 0, 4 * HOP, 0);
        // a ps later the packet is on the wire
        Check(0, AT + 1, NEVER, 30 * US, 130 * US + 4 * HOP, 1);
        // up again: the shorter way is taken as soon as tables know
        Check(20 * US, 0, AT - 20 * US, 30 * US, 30 * US + 3 * HOP, 0);
        Check(20 * US, 0, AT - 20 * US + 1, 30 * US, 30 * US + 4 * HOP, 0);
        // without repair the packet waits for the link, by timeouts: at 130 us, 330 us, ...
        Check(-1, 0, 150 * US, 30 * US, 330 * US + 3 * HOP, 2);
        // A link that is up again before tables know that it was down: each change is known in
        // its turn. Down at 10 us, up at 20 us; known at 35 us and 45 us.
        Check(25 * US, 10 * US, 20 * US, 40 * US, 40 * US + 4 * HOP, 0);
        Check(25 * US, 10 * US, 20 * US, 45 * US, 45 * US + 3 * HOP, 0);
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Tables after failures are those of a network without these links.
 */
class RepairedTablesTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param graph plan
     * @param down by link
     * @param host where to
     * @return hops of switches to hosts by breadth-first search over links that are up; UINT32_MAX:
     * no way
     */
    static std::vector<uint32_t> Search(const FabricGraph& graph,
                                        const std::vector<bool>& down,
                                        uint32_t host)
    {
        std::vector<uint32_t> hops(graph.GetNNodes(), UINT32_MAX);
        std::vector<uint32_t> frontier{host};
        hops[host] = 0;
        for (std::size_t i = 0; i < frontier.size(); ++i)
        {
            const uint32_t node = frontier[i];
            if (node != host && graph.IsHost(node))
            {
                continue; // hosts do not forward
            }
            for (uint32_t p = 0; p < graph.GetDegree(node); ++p)
            {
                const auto [link, peer] = graph.GetPort(node, p);
                if (!down[link] && hops[peer] == UINT32_MAX)
                {
                    hops[peer] = hops[node] + 1;
                    frontier.push_back(peer);
                }
            }
        }
        return hops;
    }

    /**
     * @brief Random failures.
     * @param topology specification
     * @param seed of the failures
     */
    void Check(const std::string& topology, uint32_t seed)
    {
        std::mt19937 random(seed);
        const FabricGraph graph = MakeFabricTopology(topology)->BuildGraph();
        TestNetwork network(graph);
        FabricFaults faults;
        std::vector<bool> down(graph.GetNLinks(), false);
        for (uint32_t link = 0; link < graph.GetNLinks(); ++link)
        {
            if (random() % 4 == 0)
            {
                down[link] = true;
                faults.AddDown(MicroSeconds(10),
                               graph.GetLinks()[link].a,
                               graph.GetLinks()[link].b);
            }
        }
        faults.SetConvergenceTime(MicroSeconds(5));
        faults.Install(network.fabric);
        Simulator::Stop(MicroSeconds(16));
        Simulator::Run();
        const std::string what = topology + ", seed " + std::to_string(seed);
        for (const uint32_t host : graph.GetHosts())
        {
            const std::vector<uint32_t> hops = Search(graph, down, host);
            for (uint32_t node = 0; node < graph.GetNNodes(); ++node)
            {
                if (graph.IsHost(node))
                {
                    continue;
                }
                const PortGroup group =
                    network.fabric->GetSwitch(node)->GetForwardingTable().Lookup(host);
                uint32_t good = 0;
                for (uint32_t p = 0; p < graph.GetDegree(node); ++p)
                {
                    const auto [link, peer] = graph.GetPort(node, p);
                    good += hops[node] != UINT32_MAX && !down[link] &&
                            hops[peer] + 1 == hops[node] && (!graph.IsHost(peer) || peer == host);
                }
                NS_TEST_EXPECT_MSG_EQ(group.nPorts,
                                      good,
                                      what << ": ways of node " << node << " to " << host);
                for (uint16_t i = 0; i < group.nPorts; ++i)
                {
                    const auto [link, peer] = graph.GetPort(node, group.ports[i]);
                    NS_TEST_EXPECT_MSG_EQ((!down[link] && hops[peer] + 1 == hops[node]),
                                          true,
                                          what << ": port " << group.ports[i] << " of " << node);
                }
            }
        }
    }

    void DoRun() override
    {
        for (uint32_t seed = 1; seed <= 5; ++seed)
        {
            Check("fat-tree:k=4", seed);
            Check("leaf-spine:leaves=4,spines=3,hosts=2", seed);
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief All flows between leaves find the other spine, whatever chooses the path, when a spine
 * fails; with one more failure than that nothing is left, until it comes back.
 */
class SpineFailureTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// @param selector TypeId of the path selector
    void Check(const std::string& selector)
    {
        FabricHelper helper;
        helper.SetPathSelector(selector);
        helper.SetNicAttribute("AckTimeout", TimeValue(MicroSeconds(200)));
        // hosts 0 to 3 at leaf 8, 4 to 7 at leaf 9, spines 10 and 11
        TestNetwork network(MakeTwoLeaves(4, 2), helper);
        FabricFaults faults;
        faults.AddSwitchDown(MicroSeconds(50), 10);
        faults.AddSwitchUp(MicroSeconds(2000), 10);
        faults.AddSwitchDown(MicroSeconds(1000), 11);
        faults.SetConvergenceTime(MicroSeconds(30));
        faults.Install(network.fabric);
        for (uint32_t i = 0; i < 4; ++i)
        {
            network.MessagesOf(i).SendAt(0, 4 + i, 1000000, i);          // both spines, then one
            network.MessagesOf(i).SendAt(1100 * US, 4 + i, 1000, 4 + i); // no spine
        }
        Simulator::Stop(MilliSeconds(100));
        Simulator::Run();
        uint64_t early = 0;
        for (uint32_t i = 0; i < 4; ++i)
        {
            early += TestNetwork::Find(network.completed, i).nowPs < 1000 * US;
            NS_TEST_EXPECT_MSG_GT(TestNetwork::Find(network.delivered, 4 + i).nowPs,
                                  2000 * US,
                                  selector << ": when the spine is back");
        }
        NS_TEST_EXPECT_MSG_EQ(early, 4, selector << ": 4 MB over 100 Gb/s take 346 us");
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 8, selector);
        NS_TEST_EXPECT_MSG_GT(network.fabric->GetDrops()[DropReason::NO_ROUTE], 0, selector);
        NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, selector);
        NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().inFlight, 0, selector);
    }

    void DoRun() override
    {
        Check("ns3::SymmetricEcmpPathSelector");
        Check("ns3::EcmpPathSelector");
        Check("ns3::FlowletPathSelector");
        Check("ns3::AdaptivePathSelector");
        Check("ns3::SpanningTreePathSelector");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Where a failure leaves no way that the routing permits, tables lead around it.
 *
 * Three groups of two routers, host i at router 6 + i, one link for each pair of groups: 6 - 8, 7 -
 * 10 and 9 - 11. Without 6 - 8 no way with one link between groups joins the first two groups. The
 * way over the third one is 6 - 7 - 10 - 11 - 9 - 8: seven links with those of the hosts 0 and 2.
 * Likewise a torus of four in dimension order, where 4 - 5 fails, host i at switch 4 + i: from host
 * 0 to host 1 the other way round, 4 - 7 - 6 - 5, five links.
 */
class DetourTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param topology specification
     * @param dst host that host 0 sends to
     * @param b end of the link that fails
     * @param links on the way around
     */
    void Check(const std::string& topology, uint32_t dst, uint32_t b, int64_t links)
    {
        if (!HasTopology(topology))
        {
            return;
        }
        const FabricGraph graph = MakeFabricTopology(topology)->BuildGraph();
        for (const char* flowControl :
             {"none", "ns3::PriorityFlowControl", "ns3::CreditFlowControl"})
        {
            for (const bool repairs : {false, true})
            {
                FabricHelper helper;
                helper.SetFlowControl(flowControl);
                TestNetwork network(graph, helper);
                FabricFaults faults;
                faults.AddDown(MicroSeconds(1), graph.GetNHosts(), b);
                if (repairs)
                {
                    faults.SetConvergenceTime(MicroSeconds(0));
                }
                faults.Install(network.fabric);
                network.MessagesOf(0).SendAt(30 * US, dst, 1000, 7);
                Simulator::Stop(MilliSeconds(5));
                Simulator::Run();
                const std::string what = topology + " " + flowControl;
                NS_TEST_EXPECT_MSG_EQ(network.delivered.size(), (repairs ? 1 : 0), what);
                if (repairs && !network.delivered.empty())
                {
                    NS_TEST_EXPECT_MSG_EQ(TestNetwork::Find(network.delivered, 7).nowPs,
                                          30 * US + links * (F + US),
                                          what);
                }
                NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, what);
            }
        }
    }

    void DoRun() override
    {
        Check("dragonfly:hosts=1,routers=2,globals=1,groups=3", 2, 8, 7);
        Check("torus:dims=4,hosts=1", 1, 5, 5);
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A host with two leaves learns that one of them has lost its spine.
 */
class RepairedHostTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // host 0 at leaves 2 and 3, host 1 at leaf 4; spine 5 joins all leaves
        const FabricGraph graph =
            PlanOfLinks(2, 4, {{0, 2}, {0, 3}, {1, 4}, {2, 5}, {3, 5}, {4, 5}});
        for (const bool repairs : {false, true})
        {
            TestNetwork network(graph);
            FabricFaults faults;
            faults.AddDown(MicroSeconds(10), 2, 5);
            faults.AddUp(MicroSeconds(100), 2, 5);
            if (repairs)
            {
                faults.SetConvergenceTime(MicroSeconds(20));
            }
            faults.Install(network.fabric);
            const auto count = [&]() {
                uint32_t first = 0;
                for (uint16_t entropy = 0; entropy < 100; ++entropy)
                {
                    first += network.Nic(0).ChoosePort(1, entropy) == 0;
                }
                return first;
            };
            NS_TEST_EXPECT_MSG_EQ(count(), 50, "both");
            Simulator::Stop(MicroSeconds(50));
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(count(), (repairs ? 0 : 50), "the leaf leads nowhere");
            Simulator::Stop(MicroSeconds(100));
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(count(), 50, "again");
        }
        // without any way left, the host goes on by its first table instead of giving up
        TestNetwork network(graph);
        FabricFaults faults;
        faults.AddSwitchDown(MicroSeconds(10), 5);
        faults.SetConvergenceTime(MicroSeconds(20));
        faults.Install(network.fabric);
        network.MessagesOf(0).SendAt(50 * US, 1, 1000, 7);
        Simulator::Stop(MicroSeconds(500));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_GT(network.fabric->GetDrops()[DropReason::NO_ROUTE], 0, "at a leaf");
        NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, "conservation");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Routes around a failure that lead in a circle are told, each set of failures once.
 *
 * Four switches in a ring with both diagonals, so that all ways between the four hosts are direct.
 * Without the diagonals ways go around the ring, in one class.
 */
class RepairedRingTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param flowControl TypeId or none
     * @param convergence tables follow
     * @return warnings
     */
    std::vector<std::string> Warn(const std::string& flowControl, bool convergence)
    {
        // hosts 0 to 3 at switches 4 to 7
        const FabricGraph graph = PlanOfLinks(
            4,
            4,
            {{0, 4}, {1, 5}, {2, 6}, {3, 7}, {4, 5}, {5, 6}, {6, 7}, {7, 4}, {4, 6}, {5, 7}});
        FabricHelper helper;
        helper.SetFlowControl(flowControl);
        TestNetwork network(graph, helper);
        FabricFaults faults;
        faults.AddDown(MicroSeconds(10), 4, 6);
        faults.AddFlapping(MicroSeconds(20), 5, 7, MicroSeconds(5), MicroSeconds(5), 3);
        if (convergence)
        {
            faults.SetConvergenceTime(MicroSeconds(2));
        }
        faults.Install(network.fabric);
        std::vector<std::string> warnings;
        const auto before = SetFabricWarningSink(
            [&warnings](const FabricText& text) { warnings.push_back(text.Say()); });
        Simulator::Stop(MicroSeconds(100));
        Simulator::Run();
        SetFabricWarningSink(before);
        return warnings;
    }

    void DoRun() override
    {
        // One diagonal is enough to break the circle: 4 and 6 are two links apart then, and ways
        // between them go over 5 and over 7; those between 5 and 7 are direct. Of a circle of four
        // links each pair of neighbors has to be taken by a way: 4-5-6, 5-6-7, 6-7-4, 7-4-5; the
        // second and the last are not. Without both diagonals all are.
        const std::vector<std::string> told = Warn("ns3::PriorityFlowControl", true);
        NS_TEST_ASSERT_MSG_EQ(told.size(), 1, "once for three times the same failure");
        for (const char* part : {"after what failed at 20us", "in a circle: ", "(class 3) -> "})
        {
            NS_TEST_EXPECT_MSG_EQ((told[0].find(part) != std::string::npos), true, told[0]);
        }
        NS_TEST_EXPECT_MSG_EQ(Warn("ns3::PriorityFlowControl", false).size(), 0, "no new tables");
        NS_TEST_EXPECT_MSG_EQ(Warn("none", true).size(), 0, "nothing waits");
    }
};

/// Tables that follow failures.
const SuiteCases g_cases("dcfabric-faults", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new ConvergenceTestCase("repair of tables: from when on, to the ps"));
    suite.AddTestCase(new RepairedTablesTestCase("repair of tables: random failures, all ways"));
    suite.AddTestCase(new SpineFailureTestCase("repair of tables: all path selectors"));
    suite.AddTestCase(new DetourTestCase("repair of tables: around the ways of a routing"));
    suite.AddTestCase(new RepairedRingTestCase("repair of tables: a circle is told"));
    suite.AddTestCase(new RepairedHostTestCase("repair of tables: hosts with several links"));
});

} // namespace ns3::tests::route_repair_test
