// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-network.h"
#include "fabric-test-plan.h"
#include "fabric-test-suite.h"

#include "ns3/dumbbell-topology.h"
#include "ns3/fabric-helper.h"
#include "ns3/fat-tree-topology.h"
#include "ns3/leaf-spine-topology.h"
#include "ns3/test.h"

#include <map>
#include <set>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Forwarding tables against those written down by hand.
 */

namespace ns3::tests::routing_test
{

/// Ports of a group.
using Ports = std::vector<uint16_t>;

/**
 * @ingroup dcfabric-tests
 * @brief Expectations about tables.
 */
class RoutingTestCase : public NamedCase
{
  public:
    using NamedCase::NamedCase;

  protected:
    /**
     * @brief Build the tables.
     * @param graph the plan, kept
     */
    void Route(const FabricGraph& graph)
    {
        m_graph = graph;
        m_routing = std::make_unique<RoutingBuilder>(m_graph);
    }

    /**
     * @param node of the switch
     * @param address destination
     * @return the ports from a switch to an address
     */
    Ports PortsTo(uint32_t node, uint32_t address) const
    {
        const ForwardingTable table = m_routing->BuildTable(node);
        const PortGroup group = table.Lookup(address);
        return {group.ports, group.ports + group.nPorts};
    }

    /**
     * @param node of the switch
     * @param address destination
     * @return for each neighbor of a group, its first port's place
     */
    Ports NeighborsTo(uint32_t node, uint32_t address) const
    {
        const ForwardingTable table = m_routing->BuildTable(node);
        const PortGroup group = table.Lookup(address);
        return {group.neighbors, group.neighbors + group.nNeighbors + (group.nPorts > 0)};
    }

    /**
     * @param node of the switch
     * @param first,last addresses
     * @param ports expected
     */
    void Expect(uint32_t node, uint32_t first, uint32_t last, const Ports& ports)
    {
        for (uint32_t address = first; address <= last; ++address)
        {
            NS_TEST_EXPECT_MSG_EQ((PortsTo(node, address) == ports),
                                  true,
                                  "switch " << node << " to " << address);
        }
    }

    FabricGraph m_graph;                       //!< plan
    std::unique_ptr<RoutingBuilder> m_routing; //!< routes
};

/**
 * @ingroup dcfabric-tests
 * @brief Tables of the generated topologies.
 */
class TableTestCase : public RoutingTestCase
{
    using RoutingTestCase::RoutingTestCase;

    void DoRun() override
    {
        // Hosts 0, 1 | switches 4 - 5 - 6 | hosts 2, 3. Hosts' links come first.
        Ptr<DumbbellTopology> dumbbell = CreateObject<DumbbellTopology>();
        Route(dumbbell->BuildGraph());
        Expect(4, 0, 0, {0});
        Expect(4, 1, 1, {1});
        Expect(4, 2, 3, {2});
        Expect(5, 0, 1, {0});
        Expect(5, 2, 3, {1});
        Expect(6, 2, 2, {0});
        Expect(6, 3, 3, {1});
        Expect(6, 0, 1, {2});
        NS_TEST_EXPECT_MSG_EQ(m_routing->GetMaxSwitches(), 3, "dumbbell");
        Expect(4, 4, 6, {}); // switches are not destinations
        Expect(4, 7, 8, {}); // nor are numbers without a node
        Expect(4, UINT32_MAX, UINT32_MAX - 1, {});
        NS_TEST_EXPECT_MSG_EQ(PortsTo(4, UINT32_MAX).empty(), true, "largest number");

        // Three leaves 6, 7, 8 with two hosts each, spines 9 to 12.
        Ptr<LeafSpineTopology> leafSpine = CreateObject<LeafSpineTopology>();
        leafSpine->SetLeaves(3);
        leafSpine->SetSpines(4);
        leafSpine->SetHostsPerLeaf(2);
        Route(leafSpine->BuildGraph());
        Expect(7, 2, 2, {0});
        Expect(7, 3, 3, {1});
        Expect(7, 0, 1, {2, 3, 4, 5});
        Expect(7, 4, 5, {2, 3, 4, 5});
        for (uint32_t spine = 9; spine <= 12; ++spine)
        {
            Expect(spine, 0, 1, {0});
            Expect(spine, 2, 3, {1});
            Expect(spine, 4, 5, {2});
        }
        NS_TEST_EXPECT_MSG_EQ((NeighborsTo(7, 0) == Ports{0, 1, 2, 3, 4}), true, "one link each");
        NS_TEST_EXPECT_MSG_EQ(m_routing->GetMaxSwitches(), 3, "leaf-spine");

        // k = 4: hosts 0-15, edges 16-23, aggregation 24-31 (two a pod), cores 32-35.
        Ptr<FatTreeTopology> fatTree = CreateObject<FatTreeTopology>();
        fatTree->SetK(4);
        Route(fatTree->BuildGraph());
        Expect(16, 0, 0, {0});
        Expect(16, 1, 1, {1});
        Expect(16, 2, 15, {2, 3});
        Expect(21, 10, 10, {0}); // pod 2, second edge: hosts 10 and 11
        Expect(21, 11, 11, {1});
        Expect(21, 0, 9, {2, 3});
        Expect(21, 12, 15, {2, 3});
        Expect(24, 0, 1, {0}); // pod 0: edges 16 and 17
        Expect(24, 2, 3, {1});
        Expect(24, 4, 15, {2, 3}); // cores 32, 33
        Expect(25, 4, 15, {2, 3}); // cores 34, 35
        Expect(31, 12, 13, {0});
        Expect(31, 14, 15, {1});
        Expect(31, 0, 11, {2, 3});
        for (uint32_t core = 32; core <= 35; ++core)
        {
            for (uint16_t pod = 0; pod < 4; ++pod)
            {
                Expect(core, pod * 4U, pod * 4U + 3, {pod});
            }
        }
        NS_TEST_EXPECT_MSG_EQ(m_routing->GetMaxSwitches(), 5, "fat-tree");
        NS_TEST_EXPECT_MSG_EQ(m_routing->GetClasses()->nClasses, 8, "one class an edge switch");
        NS_TEST_EXPECT_MSG_EQ(m_routing->GetDistance(16, 7), 4, "hops to the last edge switch");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Parallel links.
 */
class ParallelLinkTestCase : public RoutingTestCase
{
    using RoutingTestCase::RoutingTestCase;

    void DoRun() override
    {
        // Switch 2 (host 0) has, in this order: host 0, two links to 5, three to 4, one more to 5;
        // 4 and 5 have links to switch 3 (host 1).
        Route(PlanOfLinks(2,
                          4,
                          {{0, 2},
                           {2, 5},
                           {2, 5},
                           {2, 4},
                           {2, 4},
                           {2, 4},
                           {2, 5},
                           {4, 3},
                           {5, 3},
                           {5, 3},
                           {1, 3}}));
        Expect(2, 1, 1, {3, 4, 5, 1, 2, 6}); // neighbor 4 first, then 5
        NS_TEST_EXPECT_MSG_EQ((NeighborsTo(2, 1) == Ports{0, 3, 6}), true, "neighbors");
        Expect(3, 0, 0, {0, 1, 2});
        NS_TEST_EXPECT_MSG_EQ((NeighborsTo(3, 0) == Ports{0, 1, 3}), true, "neighbors");
        Expect(4, 1, 1, {3});
        Expect(5, 1, 1, {3, 4});
        Expect(5, 0, 0, {0, 1, 2});

        // All seven links in the middle of the way there, and the three of the way on, are used;
        // data and ACK meet the same ones.
        FabricHelper helper;
        Ptr<Fabric> fabric = helper.Install(m_graph);
        std::map<std::pair<uint32_t, uint32_t>, uint32_t> used;
        for (uint32_t entropy = 0; entropy < 3000; ++entropy)
        {
            const auto path = fabric->TracePath(0, 1, static_cast<uint16_t>(entropy));
            NS_TEST_ASSERT_MSG_EQ(path.size(), 4, "hops");
            for (const auto& hop : path)
            {
                ++used[{hop.node, hop.port}];
            }
            NS_TEST_ASSERT_MSG_EQ(fabric->IsPathSymmetric(0, 1, static_cast<uint16_t>(entropy)),
                                  true,
                                  "entropy " << entropy);
        }
        // Neighbors are chosen first, each one half; then links: 1500/3 each, and on 5 -> 3 1500/2.
        for (const uint32_t port : {1, 2, 3, 4, 5, 6})
        {
            NS_TEST_EXPECT_MSG_EQ_TOL((used[{2, port}]), 500, 100, "link of switch 2, " << port);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL((used[{4, 3}]), 1500, 150, "4 to 3");
        NS_TEST_EXPECT_MSG_EQ_TOL((used[{5, 3}]), 750, 120, "5 to 3");
        NS_TEST_EXPECT_MSG_EQ_TOL((used[{5, 4}]), 750, 120, "5 to 3");
        Simulator::Destroy();

        // Per-flow ECMP takes each of the six links alike.
        helper.SetPathSelector("ns3::EcmpPathSelector");
        fabric = helper.Install(m_graph);
        used.clear();
        for (uint32_t entropy = 0; entropy < 3000; ++entropy)
        {
            ++used[{2, fabric->TracePath(0, 1, static_cast<uint16_t>(entropy)).at(1).port}];
        }
        for (const uint32_t port : {1, 2, 3, 4, 5, 6})
        {
            NS_TEST_EXPECT_MSG_EQ_TOL((used[{2, port}]), 500, 100, "link of switch 2, " << port);
        }
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Networks in parts, and detours.
 */
class UnreachableTestCase : public RoutingTestCase
{
    using RoutingTestCase::RoutingTestCase;

    void DoRun() override
    {
        // Host 0 at switch 3, host 1 at switch 4, a ring 3 - 4 - 5 - 3; host 2 at switch 6, alone.
        Route(PlanOfLinks(3, 4, {{0, 3}, {1, 4}, {3, 4}, {4, 5}, {5, 3}, {2, 6}}));
        Expect(3, 1, 1, {1}); // not over 5
        Expect(5, 0, 0, {1});
        Expect(5, 1, 1, {0});
        Expect(3, 2, 2, {});
        Expect(6, 0, 1, {});
        Expect(6, 2, 2, {0});
        // such a network is built: only flows between its parts are refused (host-routing-test.cc)
        FabricHelper helper;
        NS_TEST_EXPECT_MSG_EQ(RefusalOf([&]() { helper.Install(m_graph); }),
                              "(accepted)",
                              "a network in two parts");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Hosts with more than one link.
 */
class MultiHomedTestCase : public RoutingTestCase
{
    using RoutingTestCase::RoutingTestCase;

    void DoRun() override
    {
        // Host 0 at switches 4 and 5, host 1 at 4 with two links, host 2 at 5, host 3 at 5 and 6;
        // all switches at spine 7, which is node 7.
        Route(PlanOfLinks(
            4,
            4,
            {{0, 4}, {0, 5}, {1, 4}, {1, 4}, {2, 5}, {3, 5}, {3, 6}, {4, 7}, {5, 7}, {6, 7}}));
        Expect(4, 0, 0, {0});
        Expect(5, 0, 0, {0});
        Expect(6, 0, 0, {1});    // over the spine
        Expect(7, 0, 0, {0, 1}); // either switch
        Expect(4, 1, 1, {1, 2});
        Expect(7, 1, 1, {0});
        Expect(7, 3, 3, {1, 2});
        Expect(4, 3, 3, {3});

        FabricHelper helper;
        Ptr<Fabric> fabric = helper.Install(m_graph);
        uint32_t delivered = 0;
        uint32_t completed = 0;
        uint32_t flows = 0;
        for (uint32_t src = 0; src < 4; ++src)
        {
            fabric->GetNic(src)->GetMessages().SetDeliveredCallback(
                [&](const FabricMessageEvent&) { ++delivered; });
            fabric->GetNic(src)->GetMessages().SetCompletedCallback(
                [&](const FabricMessageEvent&) { ++completed; });
            for (uint32_t dst = 0; dst < 4; ++dst)
            {
                for (int i = 0; src != dst && i < 8; ++i)
                {
                    fabric->GetNic(src)->GetMessages().Send(dst, 20000, flows++);
                }
            }
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(delivered, flows, "delivered");
        NS_TEST_EXPECT_MSG_EQ(completed, flows, "completed");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetDrops().empty(), true, "no drops");
        for (const uint32_t node : {0, 1, 3})
        {
            for (const uint32_t port : {0, 1})
            {
                NS_TEST_EXPECT_MSG_GT(fabric->GetPort(node, port)->GetCounters().txBytes,
                                      40000,
                                      "both links of host " << node << " are used");
                NS_TEST_EXPECT_MSG_GT(fabric->GetPort(node, port)->GetCounters().rxDataPackets,
                                      20,
                                      "both links to host " << node << " are used");
            }
        }
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The longest ways: distances have 16 bits, of which the largest number says that there is
 * no way.
 */
class LongWayTestCase : public RoutingTestCase
{
    using RoutingTestCase::RoutingTestCase;

    /**
     * @param switches how many
     * @return switches in a row between two hosts
     */
    static FabricGraph MakeRow(uint32_t switches)
    {
        FabricGraph graph;
        graph.AddHost();
        graph.AddHost();
        for (uint32_t i = 0; i < switches; ++i)
        {
            graph.AddSwitch();
            graph.AddLink(i == 0 ? 0 : i + 1, i + 2, GBPS, US);
        }
        graph.AddLink(switches + 1, 1, GBPS, US);
        return graph;
    }

    void DoRun() override
    {
        Route(MakeRow(65535));
        NS_TEST_EXPECT_MSG_EQ(m_routing->GetMaxSwitches(), 65535, "65,534 links between the ends");
        Expect(2, 1, 1, {1});
        Expect(65536, 0, 0, {0});
        DCFABRIC_EXPECT_REFUSAL(Route(MakeRow(65536)), "more than 65534 links away from a host");
    }
};

/// Routing.
const SuiteCases g_cases("dcfabric-routing", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(
        new TableTestCase("tables of dumbbell, leaf-spine and fat-tree, written down by hand"));
    suite.AddTestCase(
        new ParallelLinkTestCase("parallel links are kept, grouped by neighbor, and used"));
    suite.AddTestCase(
        new UnreachableTestCase("no way gives no ports; only shortest paths are taken"));
    suite.AddTestCase(
        new MultiHomedTestCase("hosts with several links, to one switch or to several"));
    suite.AddTestCase(new LongWayTestCase("ways are as long as distances can be, and no longer"));
});

} // namespace ns3::tests::routing_test
