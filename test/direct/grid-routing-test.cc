// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-channels.h"
#include "../fabric-test-errors.h"
#include "../fabric-test-plan.h"
#include "../fabric-test-suite.h"
#include "../fabric-test-wings.h"

#include "ns3/dimension-order-routing.h"
#include "ns3/fabric-helper.h"
#include "ns3/hyper-x-topology.h"
#include "ns3/minimal-adaptive-routing.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/torus-topology.h"
#include "ns3/uinteger.h"

#include <algorithm>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Routing of torus and HyperX.
 */

namespace ns3::tests::grid_routing_test
{

/**
 * @tparam T class of grids
 * @param dims sizes joined by x
 * @param hosts of each switch
 * @return a plan
 */
template <typename T>
FabricGraph
PlanOfGrid(const std::string& dims, uint32_t hosts = 1)
{
    return CreateObjectWithAttributes<T>("Dims", StringValue(dims), "Hosts", UintegerValue(hosts))
        ->BuildGraph();
}

/**
 * @param a,b they
 * @param size of the dimension
 * @param ring true: a ring
 * @return hops between two coordinates
 */
uint32_t
HopsBetween(uint32_t a, uint32_t b, uint32_t size, bool ring)
{
    const uint32_t apart = a > b ? a - b : b - a;
    return ring ? std::min(apart, size - apart) : std::min(apart, 1U);
}

/**
 * @ingroup dcfabric-tests
 * @brief Every way between every pair.
 */
class WaysTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief Check all ways.
     * @param graph plan
     * @param algorithm routing
     * @param inOrder dimensions ascend
     * @param what it is
     */
    void Check(const FabricGraph& graph,
               Ptr<RoutingAlgorithm> algorithm,
               bool inOrder,
               const std::string& what)
    {
        algorithm->Attach(graph);
        ChannelWalk walk(graph, algorithm);
        const FabricGrid& grid = graph.GetGrid();
        uint32_t wrong = 0;
        uint32_t ways = 0;
        const uint32_t lost =
            walk.Visit([&](uint32_t src, uint32_t dst, const std::vector<ChannelHop>& way) {
                ++ways;
                const auto from = graph.GetCoordinates(graph.GetPort(src, 0).peer);
                const auto to = graph.GetCoordinates(graph.GetPort(dst, 0).peer);
                uint32_t hops = 0;
                for (uint32_t d = 0; d < from.size(); ++d)
                {
                    hops += HopsBetween(from[d], to[d], grid.sizes[d], grid.wraps);
                }
                uint32_t last = 0;
                bool ascends = true;
                bool clear = true; // channels of a ring: 0 up to the link over its end, then 1
                bool over = false;
                for (std::size_t i = 0; i < way.size(); ++i)
                {
                    const auto a = graph.GetCoordinates(way[i].node);
                    const auto b =
                        graph.GetCoordinates(graph.GetPort(way[i].node, way[i].port).peer);
                    uint32_t d = 0;
                    while (a[d] == b[d])
                    {
                        ++d;
                    }
                    ascends = ascends && d >= last;
                    if (i == 0 || d != last)
                    {
                        over = false;
                    }
                    last = d;
                    const uint32_t size = grid.sizes[d];
                    const bool wrap = grid.IsRing(d) && std::max(a[d], b[d]) == size - 1 &&
                                      std::min(a[d], b[d]) == 0;
                    if (inOrder && grid.wraps)
                    {
                        // does the link over the end still come, this one included?
                        const bool up = b[d] == (a[d] + 1) % size;
                        const bool comes = grid.IsRing(d) && (up ? to[d] < a[d] : to[d] > a[d]);
                        clear = clear && way[i].channel == (comes ? 0 : 1) && !(over && comes) &&
                                (!wrap || comes);
                        // up, if both ways round are as long
                        const uint32_t above = (to[d] + size - a[d]) % size;
                        clear = clear && (!grid.IsRing(d) || up == (2 * above <= size) || over ||
                                          2 * above != size);
                    }
                    over = over || wrap;
                }
                wrong += way.size() == hops && (ascends || !inOrder) && clear ? 0 : 1;
            });
        const uint32_t n = graph.GetNHosts();
        NS_TEST_EXPECT_MSG_EQ(lost, 0, what << ": no way ends too early");
        NS_TEST_EXPECT_MSG_EQ(wrong, 0, what << ": hops, order and channels of all ways");
        if (inOrder)
        {
            NS_TEST_EXPECT_MSG_EQ(ways, n * (n - 1), what << ": one way for each pair");
        }
        else
        {
            NS_TEST_EXPECT_MSG_GT(ways, n * (n - 1), what << ": several ways");
        }
        NS_TEST_EXPECT_MSG_EQ(walk.HasCircle(), false, what << ": channels wait in no circle");
    }

    void DoRun() override
    {
        const std::vector<FabricGraph> plans = {PlanOfGrid<TorusTopology>("4"),
                                                PlanOfGrid<TorusTopology>("5x3"),
                                                PlanOfGrid<TorusTopology>("4x4"),
                                                PlanOfGrid<TorusTopology>("2x3x4"),
                                                PlanOfGrid<HyperXTopology>("4x4"),
                                                PlanOfGrid<HyperXTopology>("3x2x3")};
        for (const FabricGraph& graph : plans)
        {
            const std::string what = graph.GetName(graph.GetNNodes() - 1);
            Check(graph, CreateObject<DimensionOrderRouting>(), true, "in order, to " + what);
            if (graph.GetGrid().sizes.size() > 1)
            {
                Check(graph, CreateObject<MinimalAdaptiveRouting>(), false, "adaptive, " + what);
            }
        }

        // With one channel, or none to spare for turns, rings and turns close circles. In a HyperX
        // dimensions in order need no more than one.
        const auto circle =
            [](const FabricGraph& graph, Ptr<RoutingAlgorithm> algorithm, uint8_t nChannels) {
                algorithm->Attach(graph);
                return ChannelWalk(graph, algorithm, nChannels).HasCircle();
            };
        const auto order = CreateObject<DimensionOrderRouting>();
        NS_TEST_EXPECT_MSG_EQ(circle(plans[0], order, 1), true, "ring with one channel");
        NS_TEST_EXPECT_MSG_EQ(circle(plans[0], order, 2), false, "ring with two");
        NS_TEST_EXPECT_MSG_EQ(circle(plans[4], order, 1), false, "HyperX with one");
        const auto shortest = CreateObject<ShortestPathRouting>();
        NS_TEST_EXPECT_MSG_EQ(circle(plans[4], shortest, 0), true, "all ways of a HyperX");
        NS_TEST_EXPECT_MSG_EQ(circle(plans[2], shortest, 0), true, "all ways of a torus");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What grids refuse.
 */
class RefusalTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const auto order = CreateObject<DimensionOrderRouting>();
        DCFABRIC_EXPECT_REFUSAL(order->Attach(PlanOfLinks(2, 2, {{0, 2}, {1, 3}, {2, 3}})),
                                "needs switches in a grid");
        FabricGraph graph = PlanOfGrid<TorusTopology>("4x4");
        graph.AddLink(0, 17, 100 * GBPS, US); // host 0 is at 16
        DCFABRIC_EXPECT_REFUSAL(order->Attach(graph), "at several places of the grid");
        graph = PlanOfGrid<TorusTopology>("4x4");
        graph.AddLink(16, 18, 100 * GBPS, US);
        DCFABRIC_EXPECT_REFUSAL(order->Attach(graph), "is none of the grid");
        graph = PlanOfGrid<TorusTopology>("4x4");
        graph.AddLink(16, 21, 100 * GBPS, US);
        DCFABRIC_EXPECT_REFUSAL(order->Attach(graph), "is none of the grid");

        graph = PlanOfGrid<TorusTopology>("4x4");
        FabricHelper helper;
        helper.SetRouting("ns3::MinimalAdaptiveRouting", "Reversals", UintegerValue(2));
        DCFABRIC_EXPECT_REFUSAL(helper.Install(graph), "needs 6 virtual channels");
        helper.SetRouting("ns3::MinimalAdaptiveRouting");
        helper.SetReliability("ns3::GoBackN");
        DCFABRIC_EXPECT_REFUSAL(helper.Install(graph),
                                "ns3::MinimalAdaptiveRouting spreads a flow over several paths");
        FabricHelper trees;
        trees.SetPathSelector("ns3::SpanningTreePathSelector");
        trees.SetRouting("ns3::DimensionOrderRouting");
        DCFABRIC_EXPECT_REFUSAL(trees.Install(graph), "on ways of its own");
        if (HasClass("ns3::RcmFeature"))
        {
            FabricHelper rcm;
            rcm.SetBuffer("ns3::VoqBuffer");
            rcm.AddSwitchFeature("ns3::RcmFeature");
            DCFABRIC_EXPECT_REFUSAL(rcm.Install(graph), "looks after class 3 alone");
        }
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Everyone sends to everyone.
 */
class GridRunTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief Run.
     * @param graph plan
     * @param routing its type
     * @param flowControl its type
     * @param buffer its type
     */
    void Run(const FabricGraph& graph,
             const std::string& routing,
             const std::string& flowControl,
             const std::string& buffer)
    {
        const std::string what = routing + " under " + flowControl;
        FabricHelper helper;
        helper.SetRouting(routing);
        helper.SetFlowControl(flowControl);
        helper.SetBuffer(buffer);
        const Ptr<Fabric> fabric = helper.Install(graph);
        uint32_t completed = 0;
        uint32_t flows = 0;
        for (const uint32_t src : graph.GetHosts())
        {
            FabricMessages& messages = fabric->GetNic(src)->GetMessages();
            messages.SetCompletedCallback([&](const FabricMessageEvent&) { ++completed; });
            for (const uint32_t dst : graph.GetHosts())
            {
                if (src != dst)
                {
                    messages.Send(dst, 20000, flows++);
                }
            }
        }
        for (const uint32_t dst : graph.GetHosts())
        {
            NS_TEST_EXPECT_MSG_EQ(fabric->TracePath(0, dst == 0 ? 1 : dst, 7).size(),
                                  fabric->GetRouting().GetSwitches(0, dst == 0 ? 1 : dst) + 1,
                                  what << ": path to " << dst);
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(completed, flows, what);
        NS_TEST_EXPECT_MSG_EQ(fabric->GetDrops().empty(), true, what << ": no drops");
        NS_TEST_EXPECT_MSG_EQ(fabric->CheckConservation().Holds(), true, what);
        for (uint32_t node = graph.GetNHosts(); node < graph.GetNNodes(); ++node)
        {
            NS_TEST_EXPECT_MSG_EQ(fabric->GetSwitch(node)->GetBuffer()->GetUsedBytes(),
                                  0,
                                  what << ": room of switch " << node);
        }
        Simulator::Destroy();
    }

    void DoRun() override
    {
        const FabricGraph torus = PlanOfGrid<TorusTopology>("4x3");
        const FabricGraph hyperX = PlanOfGrid<HyperXTopology>("3x3", 2);
        for (const std::string routing :
             {"ns3::DimensionOrderRouting", "ns3::MinimalAdaptiveRouting"})
        {
            Run(torus, routing, "ns3::PriorityFlowControl", "ns3::SharedBuffer");
            Run(torus, routing, "ns3::CreditFlowControl", "ns3::SharedBuffer");
            Run(torus, routing, "ns3::PriorityFlowControl", "ns3::VoqBuffer");
            Run(hyperX, routing, "ns3::PriorityFlowControl", "ns3::SharedBuffer");
        }
        Run(torus, "ns3::DimensionOrderRouting", "ns3::VoqCreditFlowControl", "ns3::VoqBuffer");
    }
};

/// Grids.
const SuiteCases g_cases("dcfabric-routing", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(
        new WaysTestCase("torus and HyperX: hops, order, channels and no circle on all ways"));
    suite.AddTestCase(new RefusalTestCase("torus and HyperX: what does not suit is refused"));
    suite.AddTestCase(new GridRunTestCase("torus and HyperX: everyone to everyone, lossless"));
});

} // namespace ns3::tests::grid_routing_test
