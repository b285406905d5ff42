// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-suite.h"
#include "fabric-test-wings.h"

#include "ns3/fabric-helper.h"
#include "ns3/fabric-topology.h"
#include "ns3/flow-recorder.h"
#include "ns3/hpcc-topology-file.h"
#include "ns3/leaf-spine-topology.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <algorithm>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Hosts at several leaves, and rates, delays and oversubscription of every generated
 * topology, as plans and in runs.
 */

namespace ns3::tests::multi_homed_test
{

/// @return nodes at both ends of each link, in the order of links
std::vector<uint32_t>
EndsOf(const FabricGraph& graph)
{
    std::vector<uint32_t> ends;
    for (const FabricLink& link : graph.GetLinks())
    {
        ends.insert(ends.end(), {link.a, link.b});
    }
    return ends;
}

/**
 * @ingroup dcfabric-tests
 * @brief Base class: runs flows over a plan.
 */
class NetworkTestCase : public NamedCase
{
  public:
    using NamedCase::NamedCase;

  protected:
    /**
     * @brief Send one flow at a time and expect each to take its ideal time.
     * @param graph network
     * @param what for messages
     */
    void ExpectLoneFlows(const FabricGraph& graph, const std::string& what)
    {
        if (!HasClass("ideal-times"))
        {
            return;
        }
        {
            Ptr<Fabric> fabric = FabricHelper().Install(graph);
            std::vector<FabricFlow> flows;
            const std::vector<uint32_t>& hosts = graph.GetHosts();
            for (const uint32_t src : hosts)
            {
                for (const uint32_t dst : hosts)
                {
                    if (src != dst)
                    {
                        flows.push_back(
                            {src, dst, 7500, static_cast<int64_t>(flows.size()) * 1000000000});
                    }
                }
            }
            FlowRecorder recorder(fabric, flows);
            recorder.Start();
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(recorder.IsComplete(), true, what << ": complete");
            for (uint32_t i = 0; i < flows.size(); i++)
            {
                NS_TEST_EXPECT_MSG_EQ(recorder.GetRecords()[i].fctPs,
                                      recorder.GetTable().GetIdealFctPs(i),
                                      what << ": from " << flows[i].src << " to " << flows[i].dst);
            }
        }
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Leaf-spine with hosts at two leaves.
 */
class MultiHomedLeavesTestCase : public NetworkTestCase
{
    using NetworkTestCase::NetworkTestCase;

    void DoRun() override
    {
        // Two groups of two leaves; hosts 0 and 1 at leaves 4 and 5, hosts 2 and 3 at leaves 6 and
        // 7; spines 8 and 9.
        const std::string spec = "leaf-spine:leaves=4,spines=2,hosts=2,homes=2";
        const FabricGraph graph = MakeFabricTopology(spec)->BuildGraph();
        const std::vector<uint32_t> ends{0, 4, 0, 5, 1, 4, 1, 5, 2, 6, 2, 7, 3, 6, 3, 7,
                                         4, 8, 4, 9, 5, 8, 5, 9, 6, 8, 6, 9, 7, 8, 7, 9};
        NS_TEST_EXPECT_MSG_EQ((EndsOf(graph) == ends), true, "links");
        NS_TEST_EXPECT_MSG_EQ(graph.GetNHosts(), 4, "hosts");
        NS_TEST_EXPECT_MSG_EQ(graph.GetNodeRateBps(0), 200000000000, "two links of 100 Gb/s");
        NS_TEST_EXPECT_MSG_EQ(graph.GetNode(5).pod, 0, "first group");
        NS_TEST_EXPECT_MSG_EQ(graph.GetNode(6).pod, 1, "second group");
        ExpectLoneFlows(graph, spec);

        // A file keeps all of it.
        const std::string path = CreateTempDirFilename("homes.topology");
        WriteHpccTopology(graph, path);
        const FabricGraph file = MakeFabricTopology("file:" + path)->BuildGraph();
        NS_TEST_EXPECT_MSG_EQ((file.GetLinks() == graph.GetLinks()), true, "from a file");
        ExpectLoneFlows(file, "file");

        DCFABRIC_EXPECT_REFUSAL(MakeFabricTopology("leaf-spine:leaves=3,homes=2")->BuildGraph(),
                                "3 leaves do not form groups of homes=2");
        auto none = CreateObject<LeafSpineTopology>();
        none->SetHomes(0);
        DCFABRIC_EXPECT_REFUSAL(none->BuildGraph(), "homes=0");
        CheckSharing(graph);
    }

    /// Many flows of one host use both of its links. @param graph network
    void CheckSharing(const FabricGraph& graph)
    {
        // The host takes its port by the entropy, and the spine the leaf towards it likewise: data
        // and ACK stay together, for the control that needs it.
        FabricHelper fncc;
        fncc.SetCongestionControl("ns3::FnccCongestionControl");
        fncc.AddSwitchFeature("ns3::FnccIntFeature");
        fncc.Install(graph);
        Simulator::Destroy();
        {
            Ptr<Fabric> fabric = FabricHelper().Install(graph);
            // 64 flows of 10 kB from host 0 to host 2 over either of two links each way: with a
            // fair coin one link gets less than 16 of them once in 30000 runs.
            std::vector<FabricFlow> flows(64, FabricFlow{0, 2, 10000, 0});
            FlowRecorder recorder(fabric, flows);
            recorder.Start();
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(recorder.IsComplete(), true, "complete");
            for (uint32_t port = 0; port < 2; port++)
            {
                NS_TEST_EXPECT_MSG_GT(fabric->GetPort(0, port)->GetCounters().txBytes,
                                      16 * 10000,
                                      "host 0 sends by port " << port);
                NS_TEST_EXPECT_MSG_GT(fabric->GetPort(2, port)->GetCounters().rxDataPackets,
                                      16 * 10,
                                      "host 2 receives by port " << port);
            }
        }
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The four-layer fat-tree.
 */
class Clos4TestCase : public NetworkTestCase
{
    using NetworkTestCase::NetworkTestCase;

    void DoRun() override
    {
        // 2 racks of 1 layer-1 switch with 2 hosts and 2 layer-2 switches; 2 switching racks of 2
        // layer-3 and 1 layer-4 switch. Hosts 0-3, layer 1: 4, 5; layer 2: 6-9; layer 3: 10-13;
        // layer 4: 14, 15.
        const std::string spec = "clos4:racks=2,hosts=2,l1=1,l2=2,switching-racks=2,l3=2,l4=1";
        const FabricGraph graph = MakeFabricTopology(spec)->BuildGraph();
        const std::vector<uint32_t> ends{0, 4,  1, 4,  2,  5,  3,  5,  4,  6,  4,  7,  5, 8,
                                         5, 9,  6, 10, 6,  12, 7,  10, 7,  12, 8,  11, 8, 13,
                                         9, 11, 9, 13, 10, 14, 11, 14, 12, 15, 13, 15};
        NS_TEST_EXPECT_MSG_EQ((EndsOf(graph) == ends), true, "links");
        NS_TEST_EXPECT_MSG_EQ(graph.GetName(0), "H-1-1", "first host");
        NS_TEST_EXPECT_MSG_EQ(graph.GetName(9), "L2-2-2", "layer 2");
        NS_TEST_EXPECT_MSG_EQ(graph.GetName(12), "L3-2-1", "layer 3");
        NS_TEST_EXPECT_MSG_EQ(graph.GetNode(15).tier, 4, "layer 4");
        NS_TEST_EXPECT_MSG_EQ(graph.GetNode(8).pod, 1, "second rack");
        const Ptr<Fabric> fabric = FabricHelper().Install(graph);
        NS_TEST_EXPECT_MSG_EQ(fabric->GetRouting().GetMaxSwitches(), 7, "up and down four layers");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetBestPath(0, 2, 1000).size(), 8, "links between racks");
        Simulator::Destroy();
        ExpectLoneFlows(graph, spec);
        DCFABRIC_EXPECT_REFUSAL(MakeFabricTopology("clos4:racks=3,l3=2")->BuildGraph(),
                                "racks=3 computing racks do not spread evenly over l3=2");
        DCFABRIC_EXPECT_REFUSAL(MakeFabricTopology("clos4:racks=4096,l1=4096")->BuildGraph(),
                                "nodes; a topology has at most");
        DCFABRIC_EXPECT_REFUSAL(MakeFabricTopology("clos4:l4=0"),
                                "'0' is not a whole number from 1");
        DCFABRIC_EXPECT_REFUSAL(MakeFabricTopology("clos4:k=8"),
                                "known keys: racks, hosts, l1, l2, switching-racks, l3, l4");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Rates and delays by tier, and oversubscription, of every generated topology.
 */
class TierRunTestCase : public NetworkTestCase
{
    using NetworkTestCase::NetworkTestCase;

    /// A topology and what its links should be.
    struct Expected
    {
        std::string spec;                  //!< topology
        std::string rates;                 //!< --tier-rates
        std::string delays;                //!< --tier-delays
        std::string ratios;                //!< --oversubscription
        std::vector<uint64_t> oversubGbps; //!< rates that follow from the ratios and 100 Gb/s
    };

    void DoRun() override
    {
        const std::vector<Expected> all{
            // h/h ports up and down: ratios 2 and 4 give 50 and 12.5 Gb/s
            {"fat-tree:k=4", "100Gbps,40Gbps,25Gbps", "1us,2us,3us", "2,4", {100000, 50000, 12500}},
            // two down, one up: ratio 1 is 200 Gb/s, ratio 4 is 50 Gb/s
            {"leaf-spine:leaves=2,spines=1,hosts=2",
             "100Gbps,40Gbps",
             "1us,2us",
             "4",
             {100000, 50000}},
            // the same with hosts at two leaves
            {"leaf-spine:leaves=4,spines=2,hosts=4,homes=2",
             "100Gbps,40Gbps",
             "1us,2us",
             "4",
             {100000, 50000}},
            // Layer 1: two down, two up, ratio 2 gives 50 Gb/s. Layer 2: two layer-1 switches down,
            // two switching racks up, ratio 1 keeps 50. Layer 3: two layer-2 switches of two racks
            // each down, two layer-4 switches up, ratio 4 gives 50 x 4 / (2 x 4) = 25 Gb/s.
            {"clos4:racks=4",
             "100Gbps,40Gbps,25Gbps,50Gbps",
             "1us,2us,3us,4us",
             "2,1,4",
             {100000, 50000, 50000, 25000}},
            // two down, one up
            {"dumbbell:switches=3,senders=2", "100Gbps,400Gbps", "1us,2us", "2", {100000, 100000}},
        };
        for (const auto& e : all)
        {
            FabricTopologyOptions o;
            o.tierRates = e.rates;
            o.tierDelays = e.delays;
            const FabricGraph tiers = MakeFabricTopology(e.spec, o)->BuildGraph();
            for (uint32_t i = 0; i < tiers.GetNLinks(); i++)
            {
                // generators write the lower end first; a dumbbell's switches are all tier 1
                const FabricLink& link = tiers.GetLinks()[i];
                const uint32_t tier = tiers.GetNode(link.a).tier;
                NS_TEST_EXPECT_MSG_EQ(link.delayPs,
                                      int64_t{tier + 1} * 1000000,
                                      e.spec << ": delay of link " << i);
                NS_TEST_EXPECT_MSG_EQ((link.rateBps == tiers.GetLinks()[0].rateBps),
                                      (tier == 0),
                                      e.spec << ": rate of link " << i);
            }
            ExpectLoneFlows(tiers, e.spec + " with tier-rates");

            FabricTopologyOptions over;
            over.oversubscription = e.ratios;
            const FabricGraph narrow = MakeFabricTopology(e.spec, over)->BuildGraph();
            for (const FabricLink& link : narrow.GetLinks())
            {
                NS_TEST_EXPECT_MSG_EQ(link.rateBps,
                                      e.oversubGbps.at(narrow.GetNode(link.a).tier) * 1000000,
                                      e.spec << ": oversubscription");
            }
            ExpectLoneFlows(narrow, e.spec + " with oversubscription");
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The base RTTs that public simulators give for their networks.
 */
class PublicBaseRttTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // ConWeave, links of 100 Gb/s and 1 us, payload 1000 (80 ns): four links, 8 x 1000 + 4 x
        // 80; six links, 12 x 1000 + 6 x 80. HPCC: two links of 100 Gb/s and four of 400 Gb/s (20
        // ns), 12 x 1000 + 2 x 80 + 4 x 20.
        Expect("leaf-spine:leaves=8,spines=8,hosts=16", "", 8320000);
        Expect("fat-tree:k=8", "", 12480000);
        Expect("fat-tree:k=8", "100Gbps,400Gbps,400Gbps", 12240000);
    }

    /**
     * @param spec topology
     * @param rates by tier, empty: 100 Gb/s
     * @param rttPs base RTT, ps
     */
    void Expect(const std::string& spec, const std::string& rates, int64_t rttPs)
    {
        FabricTopologyOptions o;
        o.tierRates = rates;
        const FabricGraph graph = MakeFabricTopology(spec, o)->BuildGraph();
        const RoutingBuilder routing(graph);
        NS_TEST_EXPECT_MSG_EQ(PathLatency(graph, routing).GetMaxRttPs(1000, 0), rttPs, spec);
    }
};

/// Suite of multi-homed hosts and tiers.
const SuiteCases g_cases("dcfabric-helper", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new MultiHomedLeavesTestCase("leaf-spine with hosts at two leaves"));
    suite.AddTestCase(new Clos4TestCase("four-layer fat-tree of computing and switching racks"));
    suite.AddTestCase(
        new TierRunTestCase("rates, delays and oversubscription of all topologies, in runs"));
    suite.AddTestCase(new PublicBaseRttTestCase(
        "base RTTs of public simulators: delays both ways, payloads one way"));
});

} // namespace ns3::tests::multi_homed_test
