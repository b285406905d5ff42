// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-plan.h"
#include "fabric-test-suite.h"
#include "fabric-test-units.h"
#include "fabric-test-wings.h"

#include "ns3/dumbbell-topology.h"
#include "ns3/fabric-graph.h"
#include "ns3/fabric-spec.h"
#include "ns3/fabric-topology.h"
#include "ns3/fabric-workload-factory.h"
#include "ns3/fat-tree-topology.h"
#include "ns3/host-islands.h"
#include "ns3/leaf-spine-topology.h"
#include "ns3/parse-units.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <limits>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Graphs, topology generators, and the reading of options and quantities.
 */

namespace ns3::tests::topology_graph_test
{

/// @return tier of each node
std::vector<uint32_t>
TiersOf(const FabricGraph& graph)
{
    std::vector<uint32_t> tiers;
    for (uint32_t node = 0; node < graph.GetNNodes(); node++)
    {
        tiers.push_back(graph.GetNode(node).tier);
    }
    return tiers;
}

/**
 * @param graph a graph
 * @param node node number
 * @return the nodes behind its ports, in port order
 */
std::vector<uint32_t>
PeersOf(const FabricGraph& graph, uint32_t node)
{
    std::vector<uint32_t> peers;
    for (uint32_t i = 0; i < graph.GetDegree(node); i++)
    {
        peers.push_back(graph.GetPort(node, i).peer);
    }
    return peers;
}

/**
 * @param graph a graph
 * @param link link number
 * @param a one end
 * @param b the other
 * @return true if the link has exactly these ends, in this order
 */
bool
Joins(const FabricGraph& graph, uint32_t link, uint32_t a, uint32_t b)
{
    return graph.GetLinks()[link].a == a && graph.GetLinks()[link].b == b;
}

/**
 * @ingroup dcfabric-tests
 * @brief Port order and parallel links of a small graph built by hand.
 */
class FabricGraphTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // Node 0 is a switch between hosts 1 and 2; host 1 has two parallel links of different
        // rates.
        FabricGraph graph;
        const uint32_t sw = graph.AddSwitch(1, 7);
        const uint32_t h1 = graph.AddHost(7);
        const uint32_t h2 = graph.AddHost(8, "target");
        graph.AddLink(h2, sw, 25 * GBPS, 3);
        graph.AddLink(h1, sw, 100 * GBPS, US);
        graph.AddLink(sw, h1, 10 * GBPS, 2 * US, 0.25);
        graph.Validate();
        NS_TEST_EXPECT_MSG_EQ(graph.GetNNodes(), 3, "nodes");
        NS_TEST_EXPECT_MSG_EQ(graph.GetNHosts(), 2, "hosts");
        NS_TEST_EXPECT_MSG_EQ(graph.GetNSwitches(), 1, "switches");
        NS_TEST_EXPECT_MSG_EQ((graph.GetHosts() == std::vector<uint32_t>{1, 2}), true, "hosts");
        NS_TEST_EXPECT_MSG_EQ((PeersOf(graph, sw) == std::vector<uint32_t>{2, 1, 1}),
                              true,
                              "ports of the switch follow links 0, 1, 2");
        NS_TEST_EXPECT_MSG_EQ(graph.GetPort(sw, 2).link,
                              2,
                              "third port is the second parallel link");
        NS_TEST_EXPECT_MSG_EQ(graph.GetDegree(h1), 2, "both parallel links end at host 1");
        NS_TEST_EXPECT_MSG_EQ(graph.GetNodeRateBps(h1), 110 * GBPS, "100 + 10 Gb/s");
        NS_TEST_EXPECT_MSG_EQ(graph.GetName(h1), "host-1", "default name");
        NS_TEST_EXPECT_MSG_EQ(graph.GetName(h2), "target", "given name");
        NS_TEST_EXPECT_MSG_EQ(graph.IsHost(sw), false, "a switch is no host");
        NS_TEST_EXPECT_MSG_EQ(graph.IsHost(3), false, "nor is a node that does not exist");
        const FabricLink& parallel = graph.GetLinks()[2];
        NS_TEST_EXPECT_MSG_EQ((parallel.a == sw && parallel.b == h1), true, "ends as given");
        NS_TEST_EXPECT_MSG_EQ(parallel.rateBps, 10 * GBPS, "rate");
        NS_TEST_EXPECT_MSG_EQ(parallel.delayPs, 2 * US, "delay");
        NS_TEST_EXPECT_MSG_EQ(parallel.errorRate, 0.25, "error rate");
        NS_TEST_EXPECT_MSG_EQ(graph.GetLinks()[0].errorRate, 0, "no error rate given");
        NS_TEST_EXPECT_MSG_EQ(+graph.GetNode(sw).tier, 1, "tier of the switch");
        NS_TEST_EXPECT_MSG_EQ(+graph.GetNode(h1).tier, 0, "tier of hosts");
        NS_TEST_EXPECT_MSG_EQ(graph.GetNode(sw).pod, 7, "pod of the switch");
        NS_TEST_EXPECT_MSG_EQ(graph.GetNode(h2).pod, 8, "pod of a host");
        // A link added later shows at once.
        graph.AddLink(sw, h2, GBPS, 1);
        NS_TEST_EXPECT_MSG_EQ(graph.GetDegree(sw), 4, "port index follows additions");
        DCFABRIC_EXPECT_REFUSAL(graph.GetPort(sw, 4), "no port 4");
        DCFABRIC_EXPECT_REFUSAL(graph.GetNode(3), "unknown node 3");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Every kind of graph that Validate() refuses, and its nearest neighbor that it accepts.
 */
class FabricGraphValidateTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param rate rate, bit/s
     * @param delay delay, ps
     * @param error error rate
     * @return refusal of two hosts with one link of that kind
     */
    std::string RefusalOfLink(uint64_t rate, int64_t delay, double error)
    {
        return RefusalOf([&]() {
            FabricGraph graph;
            graph.AddHost();
            graph.AddHost();
            graph.AddLink(0, 1, rate, delay, error);
            graph.Validate();
        });
    }

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(RefusalOfLink(1, 1, 0), "(accepted)", "least values");
        NS_TEST_EXPECT_MSG_EQ(RefusalOfLink(1, FabricGraph::MAX_DELAY_PS, 0.999),
                              "(accepted)",
                              "largest values");
        constexpr uint64_t MOST = 1000000 * GBPS;
        NS_TEST_EXPECT_MSG_EQ(RefusalOfLink(MOST, 1, 0), "(accepted)", "1000 Tb/s");
        NS_TEST_EXPECT_MSG_EQ(Contains(RefusalOfLink(MOST + 1, 1, 0), "above 1000 Tb/s"),
                              true,
                              "more");
        NS_TEST_EXPECT_MSG_EQ(Contains(RefusalOfLink(0, 1, 0), "link 0 between nodes 0 and 1"),
                              true,
                              "place of a zero rate");
        NS_TEST_EXPECT_MSG_EQ(Contains(RefusalOfLink(0, 1, 0), "rate"), true, "zero rate");
        NS_TEST_EXPECT_MSG_EQ(Contains(RefusalOfLink(1, 0, 0), "delay"), true, "zero delay");
        NS_TEST_EXPECT_MSG_EQ(Contains(RefusalOfLink(1, -5, 0), "delay"), true, "negative delay");
        NS_TEST_EXPECT_MSG_EQ(Contains(RefusalOfLink(1, FabricGraph::MAX_DELAY_PS + 1, 0), "1 s"),
                              true,
                              "forgotten unit");
        NS_TEST_EXPECT_MSG_EQ(Contains(RefusalOfLink(1, 1, 1.0), "error rate"), true, "all lost");
        NS_TEST_EXPECT_MSG_EQ(Contains(RefusalOfLink(1, 1, -0.1), "error rate"), true, "negative");
        const double nan = std::numeric_limits<double>::quiet_NaN();
        NS_TEST_EXPECT_MSG_EQ(Contains(RefusalOfLink(1, 1, nan), "error rate"), true, "NaN");

        FabricGraph graph;
        DCFABRIC_EXPECT_REFUSAL(graph.Validate(), "no host");
        graph.AddHost();
        DCFABRIC_EXPECT_REFUSAL(graph.Validate(), "host-0 (node 0) has no link");
        FabricGraph unknown = graph;
        unknown.AddLink(0, 9, GBPS, US);
        DCFABRIC_EXPECT_REFUSAL(unknown.Validate(), "unknown node 9, the nodes are 0 to 0");
        FabricGraph loop = graph;
        loop.AddLink(0, 0, GBPS, US);
        DCFABRIC_EXPECT_REFUSAL(loop.Validate(), "two different ends");

        // as many links as a switch has ports, and one more
        FabricGraph star;
        star.AddSwitch();
        for (uint32_t host = 1; host <= 65535; ++host)
        {
            star.AddHost();
            star.AddLink(host, 0, GBPS, US);
        }
        star.Validate();
        star.AddLink(1, 0, GBPS, US);
        DCFABRIC_EXPECT_REFUSAL(star.Validate(),
                                "switch-0 (node 0) has 65536 links; a node has at");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Which hosts can talk: over switches or one direct link, but never through a host.
 */
class FabricGraphReachabilityTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // host 0 - switch 3 - host 1 - switch 4 - host 2: host 1 has two homes, hosts 0 and 2
        // cannot talk.
        FabricGraph graph = PlanOfLinks(3, 2, {{0, 3}, {1, 3}, {1, 4}, {2, 4}});
        graph.Validate();
        const HostIslands apart(graph);
        NS_TEST_EXPECT_MSG_EQ(apart.JoinAll(), false, "an island each");
        NS_TEST_EXPECT_MSG_EQ(apart.Join(0, 1), true, "over switch 3");
        NS_TEST_EXPECT_MSG_EQ(apart.Join(2, 1), true, "over switch 4");
        NS_TEST_EXPECT_MSG_EQ(apart.Join(0, 2), false, "hosts do not forward");
        // Each of three pairs has an island of its own, but no island is common to all: legal.
        FabricGraph pairwise = graph;
        pairwise.AddLink(0, 2, GBPS, US);
        pairwise.Validate();
        NS_TEST_EXPECT_MSG_EQ(HostIslands(pairwise).Join(0, 2), true, "a link");
        NS_TEST_EXPECT_MSG_EQ(HostIslands(pairwise).JoinAll(), false, "no island for all");
        // A link between the switches joins the islands.
        graph.AddLink(3, 4, GBPS, US);
        graph.Validate();
        NS_TEST_EXPECT_MSG_EQ(HostIslands(graph).JoinAll(), true, "one island");
        graph.DeriveTiers();
        NS_TEST_EXPECT_MSG_EQ((TiersOf(graph) == std::vector<uint32_t>{0, 0, 0, 1, 1}),
                              true,
                              "both switches have hosts");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Fat-tree of 4-port switches against numbers worked out by hand.
 *
 * k = 4: h = 2, 4 pods of 4 hosts. Hosts 0-15, edges 16-23 (16 + 2 pod + i), aggregations 24-31 (24
 * + 2 pod + j), cores 32-35 (32 + 2 j + i). 16 host links, 4 pods x 2 x 2 edge links, 8 x 2 core
 * links: 48.
 */
class FatTreeTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        auto topology = CreateObject<FatTreeTopology>();
        topology->SetAttribute("K", UintegerValue(4));
        const FabricGraph graph = topology->BuildGraph();
        NS_TEST_ASSERT_MSG_EQ(graph.GetNNodes(), 36, "16 + 8 + 8 + 4");
        NS_TEST_ASSERT_MSG_EQ(graph.GetNHosts(), 16, "k^3/4");
        NS_TEST_ASSERT_MSG_EQ(graph.GetNLinks(), 48, "3 k^3/4");
        NS_TEST_EXPECT_MSG_EQ(Joins(graph, 0, 0, 16), true, "host 0 at edge 0 of pod 0");
        NS_TEST_EXPECT_MSG_EQ(Joins(graph, 5, 5, 18), true, "host 5 at edge 0 of pod 1");
        NS_TEST_EXPECT_MSG_EQ(Joins(graph, 15, 15, 23), true, "last host at the last edge");
        NS_TEST_EXPECT_MSG_EQ(Joins(graph, 17, 16, 25), true, "edge 0-0 to agg 0-1");
        NS_TEST_EXPECT_MSG_EQ(Joins(graph, 20, 18, 26), true, "edge 1-0 to agg 1-0");
        NS_TEST_EXPECT_MSG_EQ(Joins(graph, 32, 24, 32), true, "agg 0-0 to core 0");
        NS_TEST_EXPECT_MSG_EQ(Joins(graph, 35, 25, 35), true, "agg 0-1 to core 3");
        NS_TEST_EXPECT_MSG_EQ(Joins(graph, 36, 26, 32), true, "agg 1-0 to core 0");
        const auto ports = [&](uint32_t node, const std::vector<uint32_t>& peers) {
            NS_TEST_EXPECT_MSG_EQ((PeersOf(graph, node) == peers), true, "ports of " << node);
        };
        ports(18, {4, 5, 26, 27});
        ports(27, {18, 19, 34, 35});
        ports(34, {25, 27, 29, 31});
        ports(7, {19});
        NS_TEST_EXPECT_MSG_EQ(graph.GetName(19), "edge-1-1", "name");
        NS_TEST_EXPECT_MSG_EQ(graph.GetName(26), "agg-1-0", "name");
        NS_TEST_EXPECT_MSG_EQ(graph.GetName(35), "core-3", "name");
        NS_TEST_EXPECT_MSG_EQ(graph.GetNode(7).pod, 1, "hosts 4-7 are pod 1");
        NS_TEST_EXPECT_MSG_EQ(graph.GetNode(31).pod, 3, "last aggregation is in pod 3");
        NS_TEST_EXPECT_MSG_EQ(+graph.GetNode(16).tier, 1, "edge");
        NS_TEST_EXPECT_MSG_EQ(+graph.GetNode(24).tier, 2, "aggregation");
        NS_TEST_EXPECT_MSG_EQ(+graph.GetNode(32).tier, 3, "core");
        NS_TEST_EXPECT_MSG_EQ(graph.GetLinks()[47].rateBps, 100 * GBPS, "default rate");
        NS_TEST_EXPECT_MSG_EQ(graph.GetLinks()[47].delayPs, US, "default delay");
        // Tiers found by distance agree with the generator's.
        FabricGraph derived = graph;
        derived.DeriveTiers();
        NS_TEST_EXPECT_MSG_EQ((TiersOf(derived) == TiersOf(graph)), true, "tiers by distance");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The wiring rule that symmetric ECMP needs, sizes from the least to 8,192 hosts, and
 * refused values of k.
 */
class FatTreeShapeTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        for (uint32_t k : {2U, 4U, 6U, 8U, 32U})
        {
            CheckShape(k);
        }
        for (uint32_t k : {0U, 1U, 3U, 130U, 4294967294U})
        {
            auto topology = CreateObject<FatTreeTopology>();
            topology->SetK(k);
            DCFABRIC_EXPECT_REFUSAL(topology->BuildGraph(), "is not an even number from 2 to 128");
        }
    }

    /**
     * @param k ports per switch
     */
    void CheckShape(uint32_t k)
    {
        const uint32_t half = k / 2;
        const uint32_t hosts = k * half * half;
        const uint32_t aggs = hosts + k * half;
        const uint32_t cores = aggs + k * half;
        auto topology = CreateObject<FatTreeTopology>();
        topology->SetK(k);
        const FabricGraph graph = topology->BuildGraph();
        NS_TEST_ASSERT_MSG_EQ(graph.GetNHosts(), hosts, "hosts for k=" << k);
        NS_TEST_ASSERT_MSG_EQ(graph.GetNSwitches(), 5 * half * half, "5/4 k^2 switches, k=" << k);
        NS_TEST_ASSERT_MSG_EQ(graph.GetNLinks(), 3 * hosts, "links for k=" << k);
        bool good = true;
        for (uint32_t i = 0; i < k * half; i++)
        {
            const uint32_t pod = i / half;
            for (uint32_t j = 0; j < half; j++)
            {
                good &= graph.GetPort(hosts + i, j).peer == i * half + j;
                good &= graph.GetPort(hosts + i, half + j).peer == aggs + pod * half + j;
                good &= graph.GetPort(aggs + i, j).peer == hosts + pod * half + j;
                good &= graph.GetPort(aggs + i, half + j).peer == cores + i % half * half + j;
            }
        }
        for (uint32_t c = 0; c < half * half; c++)
        {
            for (uint32_t pod = 0; pod < k; pod++)
            {
                good &= graph.GetPort(cores + c, pod).peer == aggs + pod * half + c / half;
            }
        }
        NS_TEST_EXPECT_MSG_EQ(good, true, "wiring rule for k=" << k);
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Leaf-spine and dumbbell against numbers worked out by hand.
 */
class LeafSpineDumbbellTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param graph a graph
     * @param node node number
     * @param peers expected peers in port order
     */
    void CheckPorts(const FabricGraph& graph, uint32_t node, const std::vector<uint32_t>& peers)
    {
        NS_TEST_EXPECT_MSG_EQ((PeersOf(graph, node) == peers), true, "ports of node " << node);
    }

    void DoRun() override
    {
        // 2 leaves x 3 spines x 2 hosts: hosts 0-3, leaves 4-5, spines 6-8; 4 + 6 links.
        auto leafSpine = CreateObject<LeafSpineTopology>();
        leafSpine->SetLeaves(2);
        leafSpine->SetSpines(3);
        leafSpine->SetHostsPerLeaf(2);
        const FabricGraph ls = leafSpine->BuildGraph();
        NS_TEST_ASSERT_MSG_EQ(ls.GetNNodes(), 9, "4 + 2 + 3");
        NS_TEST_ASSERT_MSG_EQ(ls.GetNLinks(), 10, "4 + 6");
        CheckPorts(ls, 4, {0, 1, 6, 7, 8});
        CheckPorts(ls, 5, {2, 3, 6, 7, 8});
        CheckPorts(ls, 8, {4, 5});
        NS_TEST_EXPECT_MSG_EQ(ls.GetName(5), "leaf-1", "name");
        NS_TEST_EXPECT_MSG_EQ(ls.GetName(8), "spine-2", "name");
        NS_TEST_EXPECT_MSG_EQ(ls.GetNode(3).pod, 1, "a leaf and its hosts are a pod");
        leafSpine->SetSpines(0);
        DCFABRIC_EXPECT_REFUSAL(leafSpine->BuildGraph(), "must be from 1 to 4096, not 0");
        leafSpine->SetSpines(4097);
        DCFABRIC_EXPECT_REFUSAL(leafSpine->BuildGraph(), "not 4097");

        // M=3, N=2: senders 0-1, receivers 2-3, switches 4-6; 4 host links and 2 between switches.
        auto dumbbell = CreateObject<DumbbellTopology>();
        const FabricGraph db = dumbbell->BuildGraph();
        NS_TEST_ASSERT_MSG_EQ(db.GetNNodes(), 7, "4 + 3");
        NS_TEST_ASSERT_MSG_EQ(db.GetNLinks(), 6, "4 + 2");
        CheckPorts(db, 4, {0, 1, 5});
        CheckPorts(db, 5, {4, 6});
        CheckPorts(db, 6, {2, 3, 5});
        NS_TEST_EXPECT_MSG_EQ(db.GetName(1), "sender-1", "name");
        NS_TEST_EXPECT_MSG_EQ(db.GetName(2), "receiver-0", "name");
        // One switch: all four hosts on it.
        dumbbell->SetSwitches(1);
        CheckPorts(dumbbell->BuildGraph(), 4, {0, 1, 2, 3});
        dumbbell->SetSenders(0);
        DCFABRIC_EXPECT_REFUSAL(dumbbell->BuildGraph(), "not 0");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Rates and delays by tier, and what contradicts itself.
 */
class TieredTopologyTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param spec topology
     * @param options options
     * @param rates expected rate of the first link of each tier, Gb/s
     * @param firsts first link of each tier
     */
    void CheckRates(const std::string& spec,
                    const FabricTopologyOptions& options,
                    const std::vector<uint64_t>& rates,
                    const std::vector<uint32_t>& firsts)
    {
        const FabricGraph graph = MakeFabricTopology(spec, options)->BuildGraph();
        for (size_t i = 0; i < rates.size(); i++)
        {
            NS_TEST_EXPECT_MSG_EQ(graph.GetLinks()[firsts[i]].rateBps,
                                  rates[i] * GBPS,
                                  spec << ", tier " << i);
        }
    }

    void DoRun() override
    {
        FabricTopologyOptions o;
        o.tierRates = "25Gbps,100Gbps,400Gbps";
        CheckRates("fat-tree:k=4", o, {25, 100, 400}, {0, 16, 32});
        o = FabricTopologyOptions();
        o.rate = "40Gbps";
        CheckRates("fat-tree:k=4", o, {40, 40, 40}, {0, 16, 32});
        // As many ports up as down, twice the capacity down: half the rate, and 1:1 above.
        o = FabricTopologyOptions();
        o.oversubscription = "2";
        CheckRates("fat-tree:k=4", o, {100, 50, 50}, {0, 16, 32});
        o.oversubscription = "2,5";
        CheckRates("fat-tree:k=4", o, {100, 50, 10}, {0, 16, 32});
        // 16 hosts at 100 Gb/s over 8 spines: 200 Gb/s at 1:1, 50 Gb/s at 4:1.
        o.oversubscription = "1";
        CheckRates("leaf-spine", o, {100, 200}, {0, 128});
        o.oversubscription = "4";
        CheckRates("leaf-spine", o, {100, 50}, {0, 128});
        // Two senders share one link between the switches.
        CheckRates("dumbbell:senders=2", o, {100, 50}, {0, 4});

        o = FabricTopologyOptions();
        o.tierDelays = "600ns,1.5us,0.0015ms";
        const FabricGraph graph = MakeFabricTopology("fat-tree:k=4", o)->BuildGraph();
        NS_TEST_EXPECT_MSG_EQ(graph.GetLinks()[0].delayPs, 600000, "host links");
        NS_TEST_EXPECT_MSG_EQ(graph.GetLinks()[16].delayPs, 1500000, "edge links");
        NS_TEST_EXPECT_MSG_EQ(graph.GetLinks()[47].delayPs, 1500000, "core links");
        // A delay given as text is exact although the clock ticks in nanoseconds here.
        o = FabricTopologyOptions();
        o.delay = "1234ps";
        NS_TEST_EXPECT_MSG_EQ(MakeFabricTopology("dumbbell", o)->BuildGraph().GetLinks()[0].delayPs,
                              1234,
                              "ps");
        CheckRefusals();
    }

    /// Options that are malformed or contradict one another.
    void CheckRefusals()
    {
        const auto build = [](const std::string& spec, const FabricTopologyOptions& options) {
            MakeFabricTopology(spec, options)->BuildGraph();
        };
        FabricTopologyOptions o;
        o.tierRates = "25Gbps,100Gbps";
        DCFABRIC_EXPECT_REFUSAL(build("fat-tree:k=4", o), "2 values, this topology has 3 tiers");
        o.tierRates = "25Gbps,,100Gbps";
        DCFABRIC_EXPECT_REFUSAL(build("fat-tree:k=4", o), "'' is not a rate");
        o.tierRates = "25Gbps,100Gbps,400Gbps";
        o.oversubscription = "2";
        DCFABRIC_EXPECT_REFUSAL(build("fat-tree:k=4", o), "both set the rates above the hosts");
        o.oversubscription = "";
        o.rate = "10Gbps";
        DCFABRIC_EXPECT_REFUSAL(build("fat-tree:k=4", o), "no effect beside tier-rates");
        o = FabricTopologyOptions();
        o.oversubscription = "0";
        DCFABRIC_EXPECT_REFUSAL(build("fat-tree:k=4", o), "oversubscription: '0' is not a number");
        o.oversubscription = "2,2,2";
        DCFABRIC_EXPECT_REFUSAL(build("fat-tree:k=4", o), "2 tiers of switches");
        o = FabricTopologyOptions();
        o.rate = "0Gbps";
        DCFABRIC_EXPECT_REFUSAL(build("dumbbell", o), "must be above 0");
        o.rate = "fast";
        DCFABRIC_EXPECT_REFUSAL(build("dumbbell", o), "rate: 'fast' is not a rate");
        o = FabricTopologyOptions();
        o.delay = "0ns";
        DCFABRIC_EXPECT_REFUSAL(build("dumbbell", o), "outside 1 ps to 1 s");
        o.delay = "1000";
        DCFABRIC_EXPECT_REFUSAL(build("dumbbell", o), "delay: '1000' has no unit");
        o.tierDelays = "1us,1us";
        DCFABRIC_EXPECT_REFUSAL(build("dumbbell", o), "no effect beside tier-delays");
        o = FabricTopologyOptions();
        o.rate = "100Gbps";
        DCFABRIC_EXPECT_REFUSAL(build("file:some.topology", o), "rate '100Gbps' has no effect");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The command line form of topologies, and the parser under it.
 */
class FabricSpecTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(MakeFabricTopology("fat-tree")->BuildGraph().GetNHosts(),
                              128,
                              "k=8 by default");
        NS_TEST_EXPECT_MSG_EQ(
            MakeFabricTopology("leaf-spine:hosts=3,leaves=2,spines=1")->BuildGraph().GetNHosts(),
            6,
            "2 leaves of 3 hosts");
        NS_TEST_EXPECT_MSG_EQ(
            MakeFabricTopology("dumbbell:switches=5,senders=3")->BuildGraph().GetNNodes(),
            11,
            "6 hosts and 5 switches");
        const auto make = [](const std::string& spec) { MakeFabricTopology(spec); };
        DCFABRIC_EXPECT_REFUSAL(
            make("fattree:k=8"),
            std::string("unknown topology 'fattree'; known: fat-tree, "
                        "leaf-spine, dumbbell, clos4, ") +
                (HasTopology("torus") ? "dragonfly, dragonfly-plus, torus, hyperx, " : "") +
                "file" + (HasClass("topology=topo") ? ", topo" : ""));
        DCFABRIC_EXPECT_REFUSAL(make(""), "does not begin with a name");
        DCFABRIC_EXPECT_REFUSAL(make(":k=8"), "does not begin with a name");
        DCFABRIC_EXPECT_REFUSAL(make("fat-tree:"), "nothing follows the colon");
        DCFABRIC_EXPECT_REFUSAL(make("fat-tree:K=8"), "unknown key 'K'; known keys: k");
        DCFABRIC_EXPECT_REFUSAL(make("fat-tree:k"), "'k' is not key=value");
        DCFABRIC_EXPECT_REFUSAL(make("fat-tree:k="), "'k=' is not key=value");
        DCFABRIC_EXPECT_REFUSAL(make("fat-tree:=8"), "'=8' is not key=value");
        DCFABRIC_EXPECT_REFUSAL(make("fat-tree:k=8,"), "'' is not key=value");
        DCFABRIC_EXPECT_REFUSAL(make("fat-tree:k=8,k=8"), "given twice");
        DCFABRIC_EXPECT_REFUSAL(make("fat-tree:k=-8"), "'-8' is not a whole number");
        DCFABRIC_EXPECT_REFUSAL(make("fat-tree:k=8.0"), "'8.0' is not a whole number");
        DCFABRIC_EXPECT_REFUSAL(make("fat-tree:k= 8"), "' 8' is not a whole number");
        DCFABRIC_EXPECT_REFUSAL(make("fat-tree:k=1000"), "from 2 to 128");
        DCFABRIC_EXPECT_REFUSAL(make("fat-tree:k=99999999999999999999"), "from 2 to 128");
        DCFABRIC_EXPECT_REFUSAL(make("file"), "write file:PATH");
        DCFABRIC_EXPECT_REFUSAL(MakeFabricTopology("fat-tree:k=7")->BuildGraph(), "k=7");

        FabricSpec spec("x:a=1,b=2kB,e=0.25,f=a=b", "thing");
        spec.ExpectKeys({"a", "b", "e", "f", "g"});
        NS_TEST_EXPECT_MSG_EQ(spec.GetUint("a", 5, 0, 9), 1, "number");
        NS_TEST_EXPECT_MSG_EQ(spec.GetSizeBytes("b", 1), 2000, "size");
        NS_TEST_EXPECT_MSG_EQ(spec.GetDouble("e", 0, 0, 1), 0.25, "real number");
        NS_TEST_EXPECT_MSG_EQ(spec.GetString("f", ""), "a=b", "only the first = counts");
        NS_TEST_EXPECT_MSG_EQ(spec.GetString("g", "none"), "none", "fallback");
        NS_TEST_EXPECT_MSG_EQ(spec.Has("g"), false, "not given");
        FabricSpec path("file:/a,b=c:d", "thing");
        NS_TEST_EXPECT_MSG_EQ(path.GetArgument("PATH"), "/a,b=c:d", "paths are taken whole");
        FabricSpec zero("x:s=0", "thing");
        zero.ExpectKeys({"s"});
        DCFABRIC_EXPECT_REFUSAL(zero.GetSizeBytes("s", 1), "thing 'x:s=0', key s");
        CheckForms();
    }

    /// What a table says of an object is read back, with the defaults of the attributes.
    void CheckForms()
    {
        const auto write = [](const std::vector<FabricForm>& forms, const std::string& name) {
            const std::string text = WriteFabricForm(FindFabricName(forms, name, "form"));
            MakeFabricObject(text, "form", forms);
            return text;
        };
        NS_TEST_EXPECT_MSG_EQ(write(GetFabricTopologyForms(), "leaf-spine"),
                              "leaf-spine:leaves=8,spines=8,hosts=16,homes=1",
                              "keys");
        NS_TEST_EXPECT_MSG_EQ(write(GetFabricTopologyForms(), "file"), "file:PATH", "path");
        NS_TEST_EXPECT_MSG_EQ(write(GetFabricWorkloadForms(), "websearch"), "websearch", "none");
        NS_TEST_EXPECT_MSG_EQ(write(GetFabricWorkloadForms(), "hotspot"),
                              "hotspot:traffic=0.85,hosts=0.15,sizes=websearch,cold=others",
                              "numbers and texts");
        // 1,000,000 and 100,000 bytes
        NS_TEST_EXPECT_MSG_EQ(write(GetFabricWorkloadForms(), "incast"),
                              "incast:fan-in=16,size=1MB,dst=0,start=0s",
                              "sizes");
        NS_TEST_EXPECT_MSG_EQ(write(GetFabricWorkloadForms(), "alltoall"),
                              "alltoall:size=100kB,start=0s",
                              "kB");
        // ranges are those of attributes: MAX_COUNT switches, and at most 1 EB of payload
        DCFABRIC_EXPECT_REFUSAL(MakeFabricTopology("leaf-spine:spines=4097"), "from 1 to 4096");
        DCFABRIC_EXPECT_REFUSAL(MakeFabricWorkload("pairs:size=2000000000GB"),
                                "key size: the size must be at most 1000000000000000000 bytes");
        DCFABRIC_EXPECT_REFUSAL(MakeFabricWorkload("hotspot:hosts=1.5"), "key hosts: '1.5'");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Numbers with units, exact to the last digit.
 */
class ParseUnitsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const auto time = [](const std::string& text) { return ParseFabricTimePs(text, "here"); };
        NS_TEST_EXPECT_MSG_EQ(time("1000ns"), 1000000, "ns");
        NS_TEST_EXPECT_MSG_EQ(time("0.001ms"), 1000000, "ms");
        NS_TEST_EXPECT_MSG_EQ(time("1.5us"), 1500000, "us");
        NS_TEST_EXPECT_MSG_EQ(time("1e-6s"), 1000000, "exponent");
        NS_TEST_EXPECT_MSG_EQ(time("1E+3ps"), 1000, "exponent with sign");
        NS_TEST_EXPECT_MSG_EQ(time(".5ns"), 500, "no digit before the point");
        NS_TEST_EXPECT_MSG_EQ(time("2.h"), 7200000000000000, "no digit behind it");
        NS_TEST_EXPECT_MSG_EQ(time("100 us"), 100000000, "as papers write it");
        NS_TEST_EXPECT_MSG_EQ(time("1.5e3  ns"), 1500000, "two blanks");
        NS_TEST_EXPECT_MSG_EQ(time("1min"), 60000000000000, "minute");
        NS_TEST_EXPECT_MSG_EQ(time("2.000000001s"), 2000000001000, "s");
        // 0.1 + 0.7 and the like: no double holds this, 52 bits would lose the last ps.
        NS_TEST_EXPECT_MSG_EQ(time("1234567.000000000001s"), 1234567000000000001, "19 digits");
        NS_TEST_EXPECT_MSG_EQ(time("0.5ps"), 1, "half up");
        NS_TEST_EXPECT_MSG_EQ(time("0.49999999999999999999999ps"), 0, "down");
        NS_TEST_EXPECT_MSG_EQ(time("1499fs"), 1, "down");
        NS_TEST_EXPECT_MSG_EQ(time("1500fs"), 2, "half up");
        NS_TEST_EXPECT_MSG_EQ(time("0e99999999999s"), 0, "zero stays zero");
        NS_TEST_EXPECT_MSG_EQ(time("0"), 0, "zero in any unit");
        NS_TEST_EXPECT_MSG_EQ(time("0.00"), 0, "zero in any unit");
        NS_TEST_EXPECT_MSG_EQ(time("1e-99999999999s"), 0, "vanishing");
        NS_TEST_EXPECT_MSG_EQ(time("00000000000000000000000000000001ns"), 1000, "leading zeros");
        NS_TEST_EXPECT_MSG_EQ(time("9223372.036854775807s"), INT64_MAX, "largest");
        for (const char* bare : {"5", "2.", "0.5", "1e-6"})
        {
            DCFABRIC_EXPECT_REFUSAL(time(bare), "here: '" + std::string(bare) + "' has no unit");
        }
        DCFABRIC_EXPECT_REFUSAL(time("5"), "a time is written like '5us'");
        DCFABRIC_EXPECT_REFUSAL(time("9223372.036854775808s"), "too large for a time");
        DCFABRIC_EXPECT_REFUSAL(time("1e30s"), "too large");
        DCFABRIC_EXPECT_REFUSAL(time("1e99999999999s"), "too large");
        for (const char* bad : {"",     "-1ns",  "+1ns", "ns",     ".",    ".ns",   "1 ",
                                " 1ns", "1\tns", "1ns ", "1 us 2", "1nss", "1NS",   "1,5us",
                                "0x10", "nan",   "inf",  "1e",     "1e+",  "1.2.3", "1ns\n"})
        {
            DCFABRIC_EXPECT_REFUSAL(time(bad), "is not a time");
        }

        const auto size = [](const std::string& text) { return ParseFabricSize(text, "here"); };
        NS_TEST_EXPECT_MSG_EQ(size("7"), 7, "bytes");
        NS_TEST_EXPECT_MSG_EQ(size("7B"), 7, "bytes");
        NS_TEST_EXPECT_MSG_EQ(size("1.5kB"), 1500, "kB");
        NS_TEST_EXPECT_MSG_EQ(size("2 MB"), 2000000, "blank");
        DCFABRIC_EXPECT_REFUSAL(size("7 "), "here: '7 ' is not a size");
        NS_TEST_EXPECT_MSG_EQ(size("2KB"), 2000, "KB");
        NS_TEST_EXPECT_MSG_EQ(size("2MB"), 2000000, "MB");
        NS_TEST_EXPECT_MSG_EQ(size("5GB"), 5000000000, "beyond 4 GB");
        NS_TEST_EXPECT_MSG_EQ(size("1KiB"), 1024, "KiB");
        NS_TEST_EXPECT_MSG_EQ(size("1MiB"), 1048576, "MiB");
        NS_TEST_EXPECT_MSG_EQ(size("1GiB"), 1073741824, "GiB");
        DCFABRIC_EXPECT_REFUSAL(size("1kb"), "here: '1kb' is not a size");
        DCFABRIC_EXPECT_REFUSAL(size("9223372036854775808"), "too large");

        const auto rate = [](const std::string& text) { return ParseFabricRateBps(text, "here"); };
        NS_TEST_EXPECT_MSG_EQ(rate("100Gbps"), 100 * GBPS, "Gbps");
        NS_TEST_EXPECT_MSG_EQ(rate("0.4Tbps"), 400 * GBPS, "Tbps");
        NS_TEST_EXPECT_MSG_EQ(rate("100 Gb/s"), 100 * GBPS, "blank");
        NS_TEST_EXPECT_MSG_EQ(rate("33.3Gb/s"), 33300000000, "odd rate");
        NS_TEST_EXPECT_MSG_EQ(rate("1KiB/s"), 8192, "binary bytes");
        NS_TEST_EXPECT_MSG_EQ(rate("1GBps"), 8 * GBPS, "bytes");
        NS_TEST_EXPECT_MSG_EQ(rate("100bps"), 100, "slow, but with a unit");
        DCFABRIC_EXPECT_REFUSAL(rate("100"), "'100' has no unit; a rate is written like '100Gbps'");
        DCFABRIC_EXPECT_REFUSAL(rate("0"), "'0' has no unit");
        DCFABRIC_EXPECT_REFUSAL(rate("100G"), "is not a rate");
        DCFABRIC_EXPECT_REFUSAL(rate("100gbps"), "is not a rate");

        const auto real = [](const std::string& t) { return ParseFabricDouble(t, "here", 0, 1); };
        NS_TEST_EXPECT_MSG_EQ(real("1e-3"), 0.001, "exponent");
        for (const char* bad :
             {"", "nan", "inf", "-0.1", "1.1", "0x1", "1e999", "0.5x", "0..5", "1e"})
        {
            DCFABRIC_EXPECT_REFUSAL(real(bad), "is not a number from 0 to 1");
        }
        NS_TEST_EXPECT_MSG_EQ(ParseFabricUint("18446744073709551615", "here"),
                              UINT64_MAX,
                              "largest");
        DCFABRIC_EXPECT_REFUSAL(ParseFabricUint("18446744073709551616", "here"), "whole number");
        NS_TEST_EXPECT_MSG_EQ(QuoteFabricText("a\n\tb"), "'a\\n\\tb'", "control characters");
        NS_TEST_EXPECT_MSG_EQ(QuoteFabricText(std::string("1\0", 2)), "'1\\x00'", "null");
        NS_TEST_EXPECT_MSG_EQ(QuoteFabricText("\xef\xbb\xbf"
                                              "3"),
                              "'\\ufeff3'",
                              "mark");
        NS_TEST_EXPECT_MSG_EQ(QuoteFabricText("1\xc2\xa0"
                                              "2"),
                              "'1\\u00a02'",
                              "no break");
        NS_TEST_EXPECT_MSG_EQ(QuoteFabricText("1\xe2\x80\x8b"), "'1\\u200b'", "no width");
        NS_TEST_EXPECT_MSG_EQ(QuoteFabricText("\xc3\xa9"), "'\xc3\xa9'", "a letter");
        NS_TEST_EXPECT_MSG_EQ(QuoteFabricText("\xff\xc3"), "'\\xff\\xc3'", "no UTF-8");
        NS_TEST_EXPECT_MSG_EQ(FormatFabricTimePs(1500000), "1500ns", "largest whole unit");
        NS_TEST_EXPECT_MSG_EQ(FormatFabricTimePs(0), "0s", "zero");
        NS_TEST_EXPECT_MSG_EQ(FormatFabricCount(0, "flow"), "0 flows", "none");
        NS_TEST_EXPECT_MSG_EQ(FormatFabricCount(1, "flow"), "1 flow", "one");
        NS_TEST_EXPECT_MSG_EQ(FormatFabricCount(2, "flow sent again"),
                              "2 flows sent again",
                              "the first word has the s");
        NS_TEST_EXPECT_MSG_EQ(FormatFabricCount(1, "switch", "switches"), "1 switch", "one");
        NS_TEST_EXPECT_MSG_EQ(FormatFabricCount(UINT64_MAX, "switch", "switches"),
                              "18446744073709551615 switches",
                              "another plural");
        NS_TEST_EXPECT_MSG_EQ(FindNearestFabricName("lsit", {"trace", "list"}), "list", "swapped");
        NS_TEST_EXPECT_MSG_EQ(FindNearestFabricName("HPCC", {"hpcx", "hpcc"}), "hpcc", "case");
        NS_TEST_EXPECT_MSG_EQ(FindNearestFabricName("a", {"bb", "b", "c"}), "b", "first of two");
        NS_TEST_EXPECT_MSG_EQ(FindNearestFabricName("", {"ab", "c"}), "c", "nothing");
        // a word of 64 MB costs what its first letters do: twice as many as the longest name has
        NS_TEST_EXPECT_MSG_EQ(
            FindNearestFabricName("list" + std::string(1U << 26, 'x'), {"trace", "list", "lisp"}),
            "list",
            "of any length");
        // hpcc-sigcomm19 has ten letters more, which count for two; fncc24 is four changes away,
        // hpcx one
        NS_TEST_EXPECT_MSG_EQ(FindNearestFabricName("hpcc", {"fncc24", "hpcc-sigcomm19"}),
                              "hpcc-sigcomm19",
                              "the end is missing");
        NS_TEST_EXPECT_MSG_EQ(FindNearestFabricName("hpcc", {"hpcc-sigcomm19", "hpcx"}),
                              "hpcx",
                              "one change");
        NS_TEST_EXPECT_MSG_EQ(QuoteFabricText(std::string(100, 'x')).size(), 65, "shortened");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What is added to the links of any graph.
 */
class FabricGraphLinksTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        FabricGraph graph;
        const uint32_t a = graph.AddHost();
        const uint32_t b = graph.AddHost();
        const uint32_t s = graph.AddSwitch();
        const uint32_t t = graph.AddSwitch();
        graph.AddLink(a, s, 1000, 1000);
        graph.AddLink(s, t, 1000, 2000, 0.25);
        graph.AddLink(t, b, 1000, 3000);
        graph.AddLink(a, b, 1000, 4000);
        // half of 600 ps for each end that is a switch: a way over s and t takes 2 x 600 more
        graph.AddSwitchLatency(600);
        NS_TEST_EXPECT_MSG_EQ(graph.GetLinks()[0].delayPs, 1300, "host and switch");
        NS_TEST_EXPECT_MSG_EQ(graph.GetLinks()[1].delayPs, 2600, "two switches");
        NS_TEST_EXPECT_MSG_EQ(graph.GetLinks()[2].delayPs, 3300, "switch and host");
        NS_TEST_EXPECT_MSG_EQ(graph.GetLinks()[3].delayPs, 4000, "two hosts");
        graph.SetDefaultErrorRate(0.5);
        NS_TEST_EXPECT_MSG_EQ(graph.GetLinks()[0].errorRate, 0.5, "none of its own");
        NS_TEST_EXPECT_MSG_EQ(graph.GetLinks()[1].errorRate, 0.25, "one of its own");

        const std::vector<std::string> names = {"KMIN_MAP", "KMAX_MAP", "PMAX_MAP"};
        NS_TEST_EXPECT_MSG_EQ(FindNearestFabricName("KMAXMAP", names), "KMAX_MAP", "one edit");
        NS_TEST_EXPECT_MSG_EQ(FindNearestFabricName("", names), "KMIN_MAP", "the first of equals");
        NS_TEST_EXPECT_MSG_EQ(FindNearestFabricName("PMAX_MAPS", names), "PMAX_MAP", "one more");
    }
};

/// Suite of graphs and topologies.
const SuiteCases g_cases("dcfabric-topology", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new FabricGraphTestCase(
        "ports are numbered in the order of links, parallel links stay apart"));
    suite.AddTestCase(new FabricGraphValidateTestCase("impossible graphs are refused by name"));
    suite.AddTestCase(new FabricGraphReachabilityTestCase(
        "hosts do not forward, so a pair joined only by a host is refused"));
    suite.AddTestCase(new FabricGraphLinksTestCase(
        "latency of switches, losses of links, the nearest of some names"));
    suite.AddTestCase(
        new FatTreeTestCase("fat-tree k=4 has the links and ports worked out by hand"));
    suite.AddTestCase(new FatTreeShapeTestCase(
        "equal-cost ports have the same order in both directions for every even k"));
    suite.AddTestCase(new LeafSpineDumbbellTestCase(
        "leaf-spine and dumbbell have the links and ports worked out by hand"));
    suite.AddTestCase(new TieredTopologyTestCase("tier rates, tier delays and oversubscription"));
    suite.AddTestCase(new FabricSpecTestCase("name:key=value,key=value is read strictly"));
    suite.AddTestCase(new ParseUnitsTestCase("quantities are read exactly and strictly"));
});

} // namespace ns3::tests::topology_graph_test
