// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-files.h"
#include "../fabric-test-results.h"
#include "../fabric-test-schedule.h"

#include "ns3/fabric-helper.h"
#include "ns3/fabric-topology.h"
#include "ns3/flow-recorder.h"
#include "ns3/htsim-topology-file.h"
#include "ns3/queue-disc.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <algorithm>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Topology files of the htsim simulators.
 */

namespace ns3::tests::htsim_topology_test
{

/// Eight hosts in two pods of two ToRs and two aggregation switches, with bundles of two links
/// between those, and two cores; half of the capacity above the ToRs goes on to the cores.
const char* const THREE_TIERS = "# comment\n"
                                "NODES 8\n"
                                "tiers 3\n"
                                "PodSize 4\n"
                                "\n"
                                "Tier 0\n"
                                "DOWNLINK_SPEED_GBPS 100 # of the hosts\n"
                                "Radix_Down 2\n"
                                "radix_up 4\n"
                                "Queue_Up 100000\n"
                                "Queue_Down 200000\n"
                                "Switch_Latency_ns 300\n"
                                "Downlink_Latency_ns 1000\n"
                                "Tier 2\n"
                                "Downlink_speed_Gbps 200\n"
                                "Radix_Down 2\n"
                                "Downlink_Latency_ns 2000.5\n"
                                "Switch_Latency_ns 100\n"
                                "Tier 1\n"
                                "Downlink_speed_Gbps 50\n"
                                "Radix_Down 4\n"
                                "Radix_Up 1\n"
                                "Bundle 2\n"
                                "Oversubscribed 1\n"
                                "Downlink_Latency_ns 500\n"
                                "Queue_Down 300000\n";

/// Four hosts, two ToRs, two spines; the tier of the ToRs has twice the capacity downwards.
const char* const TWO_TIERS = "Nodes 8\nTiers 2\nPodsize 8\n"
                              "Tier 0\nDownlink_speed_Gbps 100\nRadix_Down 4\nRadix_Up 2\n"
                              "Oversubscribed 2\nDownlink_Latency_ns 1000\n"
                              "Tier 1\nDownlink_speed_Gbps 100\nRadix_Down 2\n"
                              "Downlink_Latency_ns 1000\n";

/**
 * @param text text
 * @param part part
 * @param by replacement
 * @return a text with another in place of a part of it
 */
std::string
Replace(std::string text, const std::string& part, const std::string& by)
{
    return text.replace(text.find(part), part.size(), by);
}

/**
 * @ingroup dcfabric-tests
 * @brief Values of the file and the network that follows.
 */
class HtsimReadTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const std::string path = CreateTempDirFilename("three.topo");
        WriteText(path, THREE_TIERS);
        const FabricGraph graph = ReadHtsimTopology(path).BuildGraph();
        // Hosts 0-7, ToRs 8-11, aggregation switches 12-15, cores 16 and 17: each aggregation
        // switch has one port upwards, to the core of its place in the pod.
        NS_TEST_ASSERT_MSG_EQ(graph.GetNNodes(), 18, "nodes");
        NS_TEST_ASSERT_MSG_EQ(graph.GetNHosts(), 8, "hosts");
        NS_TEST_EXPECT_MSG_EQ(graph.GetNode(11).tier, 1, "ToR");
        NS_TEST_EXPECT_MSG_EQ(graph.GetNode(15).pod, 1, "pod of an aggregation switch");
        NS_TEST_EXPECT_MSG_EQ(graph.GetName(17), "core-1", "core");
        // Latencies in ns: host 1000 + 300/2; ToR to aggregation 500 + 300/2; aggregation to core
        // 2000.5 + 100/2.
        std::vector<FabricLink> links;
        for (uint32_t host = 0; host < 8; host++)
        {
            links.push_back({host, 8 + host / 2, 100000000000, 1150000, 0, 0, 200000});
        }
        for (uint32_t tor = 0; tor < 4; tor++)
        {
            for (uint32_t i = 0; i < 4; i++) // two switches, bundles of two
            {
                links.push_back(
                    {8 + tor, 12 + tor / 2 * 2 + i / 2, 50000000000, 650000, 0, 100000, 300000});
            }
        }
        for (uint32_t agg = 0; agg < 4; agg++)
        {
            links.push_back({12 + agg, 16 + agg % 2, 200000000000, 2050500, 0, 0, 0});
        }
        NS_TEST_ASSERT_MSG_EQ(graph.GetNLinks(), links.size(), "links");
        for (size_t i = 0; i < links.size(); i++)
        {
            NS_TEST_EXPECT_MSG_EQ((graph.GetLinks()[i] == links[i]), true, "link " << i);
        }
        // Latency of a lone packet from pod to pod: six links with 2 x (1150 + 650 + 2050.5) ns,
        // which is 2 x (1000 + 500 + 2000.5) plus 300 + 0 + 100 + 0 + 300 of the five switches.
        int64_t delay = 0;
        FabricGraph lossless = graph;
        NS_TEST_EXPECT_MSG_EQ(lossless.HasQueueLimits(), true, "limits");
        lossless.ClearQueueLimits();
        NS_TEST_EXPECT_MSG_EQ(lossless.HasQueueLimits(), false, "no limits");
        Ptr<Fabric> fabric = FabricHelper().Install(lossless);
        for (const FabricHop& hop : fabric->GetBestPath(0, 7, 1000))
        {
            delay += hop.delayPs;
        }
        NS_TEST_EXPECT_MSG_EQ(delay, 7001000 + 700000, "all switches are crossed once");
        // Data and ACK use the same links, also within bundles.
        for (uint32_t src = 0; src < 8; src++)
        {
            for (uint32_t dst = 0; dst < 8; dst++)
            {
                for (uint16_t entropy = 0; src != dst && entropy < 16; entropy++)
                {
                    NS_TEST_EXPECT_MSG_EQ(fabric->IsPathSymmetric(src, dst, entropy),
                                          true,
                                          src << " to " << dst << ", entropy " << entropy);
                }
            }
        }
        Simulator::Destroy();
        CheckBundle();
    }

    /// Bundles as public files have them: 12 pods of 36 hosts, three links to each core.
    void CheckBundle()
    {
        const std::string path = CreateTempDirFilename("bundle.topo");
        const std::string tier = "Downlink_speed_Gbps 100\nDownlink_Latency_ns 1000\n";
        WriteText(path,
                  "Nodes 432\nTiers 3\nPodsize 36\nTier 0\n" + tier +
                      "Radix_Down 6\nRadix_Up 6\nTier 1\n" + tier +
                      "Radix_Down 6\nRadix_Up 6\nTier 2\n" + tier + "Radix_Down 36\nBundle 3\n");
        const FabricGraph graph = ReadHtsimTopology(path).BuildGraph();
        NS_TEST_EXPECT_MSG_EQ(graph.GetNSwitches(), 72 + 72 + 12, "ToRs, aggregation, cores");
        NS_TEST_EXPECT_MSG_EQ(graph.GetNLinks(), 3 * 432, "no tier is oversubscribed");
        // Core 0 is node 432 + 72 + 72: three links to the first aggregation switch of each pod.
        for (uint32_t port = 0; port < 36; port++)
        {
            NS_TEST_EXPECT_MSG_EQ(graph.GetPort(576, port).peer, 504 + 6 * (port / 3), "bundle");
        }
        NS_TEST_EXPECT_MSG_EQ(graph.HasQueueLimits(), false, "no limits");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What is written is read back the same.
 */
class HtsimRoundTripTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const std::string path = CreateTempDirFilename("again.topo");
        for (const std::string text : {THREE_TIERS, TWO_TIERS})
        {
            WriteText(path, text);
            const HtsimTopologyFile file = ReadHtsimTopology(path);
            WriteHtsimTopology(file, path);
            const HtsimTopologyFile again = ReadHtsimTopology(path);
            NS_TEST_EXPECT_MSG_EQ(again.nodes, file.nodes, "nodes");
            NS_TEST_EXPECT_MSG_EQ(again.podSize, file.podSize, "pods");
            NS_TEST_EXPECT_MSG_EQ((again.tiers == file.tiers), true, "tiers");
            NS_TEST_EXPECT_MSG_EQ((again.BuildGraph().GetLinks() == file.BuildGraph().GetLinks()),
                                  true,
                                  "links");
        }
        NS_TEST_EXPECT_MSG_EQ(ReadAll(path),
                              "Nodes 8\nTiers 2\nPodsize 8\n\n"
                              "Tier 0\nDownlink_speed_Gbps 100\nRadix_Down 4\nRadix_Up 2\n"
                              "Oversubscribed 2\nDownlink_Latency_ns 1000\n\n"
                              "Tier 1\nDownlink_speed_Gbps 100\nRadix_Down 2\n"
                              "Downlink_Latency_ns 1000\n",
                              "exact text");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Every mistake is refused with its place.
 */
class HtsimErrorTestCase : public FileTestCase
{
    using FileTestCase::FileTestCase;

    void DoRun() override
    {
        const std::string good = TWO_TIERS; // Tier 0 is line 4, Tier 1 line 10
        Expect("", "1: the header has no Nodes");
        Expect("Nodes 8\nTiers 2\n", "2: the header has no Podsize");
        Expect("Nodes 8\nTier 0\n", "2: the header has no Tiers");
        Expect(Replace(good, "Tiers 2", "Tiers 4"), "2: Tiers: '4' is not a whole number from 2");
        Expect(Replace(good, "Nodes 8", "Nodes -8"), "1: Nodes: '-8'");
        Expect(Replace(good, "Nodes 8", "Nodes 8 9"), "1: expected 'Nodes value'");
        Expect("Radix_Up 2\n" + good, "1: unknown key 'Radix_Up' in the header");
        Expect("Nodes 8\n" + good, "2: Nodes is given twice");
        Expect(Replace(good, "Tier 1", "Tier 2"), "10: Tier: '2'");
        Expect(Replace(good, "Tier 1", "Tier 0"), "10: tier 0 is given twice");
        Expect(good.substr(0, good.find("Tier 1")), "9: the file ends without tier 1");
        Expect(Replace(good, "Radix_Down 4", "Radix_Dwn 4"),
               "6: unknown key 'Radix_Dwn' of tier 0");
        Expect(Replace(good, "Radix_Down 4", "radix_up 4"), "7: Radix_Up is given twice");
        Expect(Replace(good, "Radix_Down 4", "#"), "4: tier 0 has no Radix_Down");
        Expect(Replace(good, "Radix_Up 2", "#"), "4: tier 0 has no Radix_Up");
        Expect(Replace(good, "Downlink_speed_Gbps 100", "#"), "4: tier 0 has no Downlink_speed");
        Expect(Replace(good, "Downlink_Latency_ns 1000", "#"), "4: tier 0 has no Downlink_Latency");
        Expect(good + "Radix_Up 2\n", "14: Radix_Up: the top tier has no ports upwards");
        Expect(good + "Queue_Up 2\n", "14: Queue_Up: the top tier has no ports upwards");
        Expect(good + "Oversubscribed 2\n", "14: Oversubscribed: the top tier");
        Expect(Replace(good, "Oversubscribed 2", "Oversubscribed 3"),
               "8: Oversubscribed is 3, but Radix_Down x Downlink_speed_Gbps over Radix_Up x that "
               "of the next tier is 2.0");
        Expect(Replace(good, "Oversubscribed 2", "Oversubscribed 1.5"), "8: Oversubscribed: '1.5'");
        Expect(Replace(good, "Gbps 100", "Gbps 0"), "5: Downlink_speed_Gbps must be above 0");
        Expect(Replace(good, "Gbps 100", "Gbps 1000001"),
               "5: Downlink_speed_Gbps must be above 0 and");
        Expect(Replace(good, "Gbps 100", "Gbps 100Gbps"), "5: Downlink_speed_Gbps: '100Gbps'");
        Expect(Replace(good, "ns 1000", "ns 0"), "9: Downlink_Latency_ns: 0 ns is outside 1 ps");
        Expect(Replace(good, "ns 1000", "ns -5"), "9: Downlink_Latency_ns: '-5'");
        Expect(Replace(good, "ns 1000", "ns 1e9"), "9: Downlink_Latency_ns: '1e9'");
        Expect(good + "Switch_Latency_ns 0.001\n", "14: Switch_Latency_ns 0.001 is not a multiple");
        Expect(good + "Queue_Down 0\n", "14: Queue_Down: '0'");
        Expect(good + "Bundle 0\n", "14: Bundle: '0'");
        // numbers that do not fit one another, at the tier or Podsize
        Expect(Replace(good, "Podsize 8", "Podsize 4"), "3: with 2 tiers all hosts are one pod");
        Expect(Replace(good, "Podsize 8", "Podsize 3"),
               "3: Nodes (8) is not a multiple of Podsize");
        Expect(good + "Bundle 2\n",
               "10: Radix_Down of tier 1 (2) must be the 2 ToRs of a pod times");
        Expect(good + "Bundle 3\n",
               "4: Radix_Up of tier 0 (2) is not a multiple of Bundle of tier 1");
        const std::string three = THREE_TIERS;
        Expect(Replace(three, "200\nRadix_Down 2", "200\nRadix_Down 3"),
               "14: Radix_Down of tier 2 (3) must be the 2 pods times the Bundle of 1, or 2");
        DCFABRIC_EXPECT_REFUSAL(ReadHtsimTopology("/absent.topo"),
                                "/absent.topo: cannot be opened");
        DCFABRIC_EXPECT_REFUSAL(MakeFabricTopology("topo"), "write topo:PATH");
        FabricTopologyOptions o;
        o.rate = "1Gbps";
        DCFABRIC_EXPECT_REFUSAL(MakeFabricTopology("topo:x", o),
                                "rate '1Gbps' has no effect on topology 'topo:x'");
    }

    /**
     * @param text a malformed file
     * @param part what the refusal says after the path
     */
    void Expect(const std::string& text, const std::string& part)
    {
        ExpectRefusals([](const std::string& path) { ReadHtsimTopology(path); }, {{text, part}});
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Sizes of queues hold in lossy networks and are refused in others.
 */
class HtsimQueueTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const std::string path = CreateTempDirFilename("queues.topo");
        WriteText(path, Replace(TWO_TIERS, "Oversubscribed 2", "Queue_Up 5000\nQueue_Down 20000"));
        const FabricGraph graph = MakeFabricTopology("topo:" + path)->BuildGraph();
        DCFABRIC_EXPECT_REFUSAL(FabricHelper().Install(graph),
                                "ns3::PriorityFlowControl switches must not drop");
        {
            FabricHelper helper;
            helper.SetFlowControl("none");
            Ptr<Fabric> fabric = helper.Install(graph);
            // Hosts 1, 2 and 3 of ToR 8 send 50 packets of 1062 bytes each to host 0 at once: the
            // queue downwards holds 18 of them (19116 bytes, one more would be 20178).
            std::vector<FabricFlow> flows;
            for (uint32_t host = 1; host < 4; host++)
            {
                flows.push_back({host, 0, 50000, 0});
            }
            FlowRecorder recorder(fabric, flows);
            recorder.Start();
            uint64_t most = 0;
            FabricNetDevice* port = fabric->GetPort(8, 0);
            for (int64_t us = 0; us < 20; us++)
            {
                CallIn(MicroSeconds(static_cast<uint64_t>(us)), [port, &most]() {
                    most = std::max<uint64_t>(most, port->GetQueue().GetBytes());
                });
            }
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(recorder.IsComplete(), true, "lost packets are sent again");
            NS_TEST_EXPECT_MSG_EQ(most, 19116, "18 packets of 1062 bytes");
            NS_TEST_EXPECT_MSG_GT(fabric->GetDrops()[DropReason::QUEUE_DISC], 0, "dropped");
        }
        Simulator::Destroy();

        FabricGraph host = graph;
        host.SetQueueLimits(0, 100, 0);
        FabricHelper lossy;
        lossy.SetFlowControl("none");
        DCFABRIC_EXPECT_REFUSAL(lossy.Install(host), "limits the queue of a host");
        FabricGraph large = graph;
        large.SetQueueLimits(0, 0, UINT32_MAX);
        DCFABRIC_EXPECT_REFUSAL(lossy.Install(large), "more than 2^32 - 2 bytes");
        lossy.SetQueueDisc("ns3::FifoQueueDisc");
        DCFABRIC_EXPECT_REFUSAL(lossy.Install(graph), "ns3::FifoQueueDisc does not take from it");
        Simulator::Destroy();
    }
};

/// Suite of htsim topologies.
const SuiteCases g_cases("dcfabric-topology", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new HtsimReadTestCase("htsim topologies have the links worked out by hand"));
    suite.AddTestCase(new HtsimRoundTripTestCase("htsim topologies are written as they are read"));
    suite.AddTestCase(
        new HtsimErrorTestCase("malformed htsim topologies are refused with file and line"));
    suite.AddTestCase(
        new HtsimQueueTestCase("queue sizes of htsim topologies hold where switches drop"));
});

} // namespace ns3::tests::htsim_topology_test
