// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-errors.h"
#include "../fabric-test-network.h"
#include "../fabric-test-plan.h"
#include "../fabric-test-suite.h"
#include "../fabric-test-wings.h"

#include "ns3/fabric-faults.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-text-file.h"
#include "ns3/flow-recorder.h"
#include "ns3/host-islands.h"
#include "ns3/hpcc-topology-file.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Hosts with several links send by the one that lies on a shortest path: two planes, servers
 * with an NVSwitch, leaves in common or not.
 */

namespace ns3::tests::host_routing_test
{

/// Ports of a host.
using Ports = std::vector<uint16_t>;

constexpr int64_t FULL_PS = (1000 + 62 + 20) * 80; //!< a full packet at 100 Gb/s, with its gap

/// Hosts 0 to 3; leaves 4, 5 and spine 8 are one plane, leaves 6, 7 and spine 9 the other.
constexpr const char* TWO_PLANES = "10 6 12\n4 5 6 7 8 9\n"
                                   "0 4 100Gbps 1us 0\n0 6 100Gbps 1us 0\n"
                                   "1 4 100Gbps 1us 0\n1 6 100Gbps 1us 0\n"
                                   "2 5 100Gbps 1us 0\n2 7 100Gbps 1us 0\n"
                                   "3 5 100Gbps 1us 0\n3 7 100Gbps 1us 0\n"
                                   "4 8 100Gbps 1us 0\n5 8 100Gbps 1us 0\n"
                                   "6 9 100Gbps 1us 0\n7 9 100Gbps 1us 0\n";

/// GPUs 0, 1 with NVSwitch 4 and GPUs 2, 3 with NVSwitch 5; rail switches 6 (0, 2) and 7 (1, 3),
/// spine 8. The second number of each pair of links is that of the rail.
constexpr const char* GPU_SERVERS = "9 2 2 3 10 H100\n4 5 6 7 8\n"
                                    "0 4 800Gbps 0.000025ms 0\n0 6 100Gbps 1us 0\n"
                                    "1 4 800Gbps 0.000025ms 0\n1 7 100Gbps 1us 0\n"
                                    "2 5 800Gbps 0.000025ms 0\n2 6 100Gbps 1us 0\n"
                                    "3 5 800Gbps 0.000025ms 0\n3 7 100Gbps 1us 0\n"
                                    "6 8 100Gbps 1us 0\n7 8 100Gbps 1us 0\n";

/**
 * @ingroup dcfabric-tests
 * @brief What the cases share.
 */
class HostRoutingTestCase : public NamedCase
{
  public:
    using NamedCase::NamedCase;

  protected:
    /**
     * @param text of the file
     * @return a plan from the text of a topology file
     */
    FabricGraph Read(const std::string& text)
    {
        const std::string path = CreateTempDirFilename("host-routing.topo");
        WriteFabricTextFile(path, text);
        return ReadHpccTopology(path);
    }

    /**
     * @param graph plan
     * @param src,dst hosts
     * @param ports that lie on shortest paths
     */
    void ExpectPorts(const FabricGraph& graph, uint32_t src, uint32_t dst, const Ports& ports)
    {
        const RoutingBuilder routing(graph);
        NS_TEST_EXPECT_MSG_EQ((routing.ListPorts(src, dst) == ports),
                              true,
                              "ports from " << src << " to " << dst);
        const ForwardingTable table = routing.BuildTable(src);
        const PortGroup group = table.Lookup(dst);
        NS_TEST_EXPECT_MSG_EQ((Ports(group.ports, group.ports + group.nPorts) == ports),
                              true,
                              "table from " << src << " to " << dst);
    }

    /**
     * @brief Send a message from each host to each other, alone, and expect the ideal time.
     * @param graph plan
     * @param idealPs of one packet of 1000 bytes, by source and destination; 0: not by hand
     */
    void ExpectLoneFlows(const FabricGraph& graph, const std::vector<std::vector<int64_t>>& idealPs)
    {
        if (!HasClass("ideal-times"))
        {
            return;
        }
        for (const uint64_t bytes : {1000, 12500})
        {
            const Ptr<Fabric> fabric = FabricHelper().Install(graph);
            std::vector<FabricFlow> flows;
            for (const uint32_t src : graph.GetHosts())
            {
                for (const uint32_t dst : graph.GetHosts())
                {
                    if (src != dst)
                    {
                        flows.push_back(
                            {src, dst, bytes, static_cast<int64_t>(flows.size()) * 1000 * US});
                    }
                }
            }
            FlowRecorder recorder(fabric, flows);
            recorder.Start();
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(recorder.IsComplete(), true, "complete");
            NS_TEST_EXPECT_MSG_EQ(fabric->GetDrops().size(), 0, "no drops");
            for (std::size_t i = 0; i < flows.size(); ++i)
            {
                const FabricFlow& flow = flows[i];
                NS_TEST_EXPECT_MSG_EQ(recorder.GetRecords()[i].fctPs,
                                      recorder.GetTable().GetIdealFctPs(static_cast<uint32_t>(i)),
                                      flow.src << " to " << flow.dst << ", " << bytes << " bytes");
                if (bytes == 1000)
                {
                    NS_TEST_EXPECT_MSG_EQ(recorder.GetRecords()[i].fctPs,
                                          idealPs[flow.src][flow.dst],
                                          flow.src << " to " << flow.dst << ", by hand");
                }
            }
            Simulator::Destroy();
        }
    }

    /**
     * @param fabric network
     * @param node,port where
     * @return packets that arrived at a port
     */
    static uint64_t Arrived(const Ptr<Fabric>& fabric, uint32_t node, uint32_t port)
    {
        return fabric->GetPort(node, port)->GetCounters().rxDataPackets;
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Tables of hosts.
 */
class HostTableTestCase : public HostRoutingTestCase
{
    using HostRoutingTestCase::HostRoutingTestCase;

    void DoRun() override
    {
        const FabricGraph planes = Read(TWO_PLANES);
        ExpectPorts(planes, 0, 1, {0, 1}); // both leaves in common
        ExpectPorts(planes, 0, 3, {0, 1}); // over either spine
        ExpectPorts(planes, 3, 0, {0, 1});

        const FabricGraph servers = Read(GPU_SERVERS);
        ExpectPorts(servers, 0, 1, {0}); // NVSwitch
        ExpectPorts(servers, 0, 2, {1}); // rail
        ExpectPorts(servers, 0, 3, {1}); // rail, spine, rail
        ExpectPorts(servers, 3, 2, {0});
        NS_TEST_EXPECT_MSG_EQ(servers.GetName(4), "nvswitch-4", "name");
        NS_TEST_EXPECT_MSG_EQ(servers.GetLinks()[0].delayPs, 25000, "0.000025 ms");

        // Both GPUs of a server at one rail switch, 2 hops as well: they stay inside.
        FabricGraph single;
        for (int i = 0; i < 4; ++i)
        {
            single.AddHost();
        }
        single.AddSwitch();   // 4
        single.AddNvSwitch(); // 5, of 0 and 1
        single.AddNvSwitch(); // 6, of 2 and 3
        for (uint32_t host = 0; host < 4; ++host)
        {
            single.AddLink(host, 4, 100 * GBPS, US);
            single.AddLink(host, 5 + host / 2, 800 * GBPS, US);
        }
        ExpectPorts(single, 0, 1, {1});
        ExpectPorts(single, 0, 2, {0});

        // Leaves 3 (host 0), 4 (0 and 1), 5 (1 and 2) under spine 6: the leaf in common is nearest;
        // from 0 to 2, which have none, both are as near.
        const FabricGraph chain =
            PlanOfLinks(3, 4, {{0, 3}, {0, 4}, {1, 4}, {1, 5}, {2, 5}, {3, 6}, {4, 6}, {5, 6}});
        ExpectPorts(chain, 0, 1, {1});
        ExpectPorts(chain, 1, 0, {0});
        ExpectPorts(chain, 0, 2, {0, 1});
        ExpectPorts(chain, 1, 2, {1});

        // A link to host 1 itself (port 2) goes before switches 4 and 5; hosts 2 and 3 share the
        // switches of host 1, and are reached by these.
        const FabricGraph direct =
            PlanOfLinks(4,
                        2,
                        {{0, 4}, {0, 5}, {0, 1}, {1, 4}, {1, 5}, {2, 4}, {2, 5}, {3, 4}, {3, 5}});
        ExpectPorts(direct, 0, 1, {2});
        ExpectPorts(direct, 1, 0, {0});
        ExpectPorts(direct, 0, 2, {0, 1});
        ExpectPorts(direct, 0, 3, {0, 1});
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Lone flows between all pairs take the time that follows from the links of their path.
 */
class HostPathTestCase : public HostRoutingTestCase
{
    using HostRoutingTestCase::HostRoutingTestCase;

    void DoRun() override
    {
        if (!HasClass("ideal-times"))
        {
            return;
        }
        // one packet takes a link in 1 us + 1082 x 80 ps; 0 and 1 have leaves in common, as 2 and 3
        const int64_t near = 2 * (US + FULL_PS);
        const int64_t far = 2 * near;
        ExpectLoneFlows(
            Read(TWO_PLANES),
            {{0, near, far, far}, {near, 0, far, far}, {far, far, 0, near}, {far, far, near, 0}});

        // inside a server 2 x (25 ns + 1082 x 10 ps); on a rail 2 links, else 4
        const int64_t inside = 2 * (25000 + FULL_PS / 8);
        ExpectLoneFlows(Read(GPU_SERVERS),
                        {{0, inside, near, far},
                         {inside, 0, far, near},
                         {near, far, 0, inside},
                         {far, near, inside, 0}});
        const Ptr<Fabric> fabric = FabricHelper().Install(Read(GPU_SERVERS));
        // T is that of the longest way, 4 links there and back: 8 us + 4 x 1082 x 80 ps + 4 ACKs
        // of 62 + 4 + 20 bytes and the 8 + ... of the own header: what the wire format says
        const int64_t ackPs = (fabric->GetFrameSizes().ackBytes + 20) * 80;
        NS_TEST_EXPECT_MSG_EQ(fabric->GetMaxBaseRttPs(),
                              8 * US + 4 * FULL_PS + 4 * ackPs,
                              "largest base RTT");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetBaseRttPs(0, 1),
                              4 * 25000 + 2 * (FULL_PS + ackPs) / 8,
                              "base RTT inside a server");
        Simulator::Destroy();

        // The ideal is that of the better plane: one that is slow costs a packet 4 times as much on
        // its first link, but has less delay; 100 packets wait for that link.
        const FabricGraph uneven = PlanOfLinks(2,
                                               2,
                                               {{0, 2, 25 * GBPS},
                                                {0, 3, 100 * GBPS, 2 * US},
                                                {1, 2, 25 * GBPS},
                                                {1, 3, 100 * GBPS, 2 * US}});
        const Ptr<Fabric> two = FabricHelper().Install(uneven);
        NS_TEST_EXPECT_MSG_EQ(two->GetIdealFctPs(0, 1, 1000),
                              2 * US + 2 * 4 * FULL_PS,
                              "one packet: 2.69 us by the slow plane, 4.17 us by the other");
        NS_TEST_EXPECT_MSG_EQ(two->GetIdealFctPs(0, 1, 100000),
                              4 * US + 101 * FULL_PS,
                              "100 packets: 12.7 us by the fast plane, 37 us by the other");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Which share each plane has.
 */
class PlaneShareTestCase : public HostRoutingTestCase
{
    using HostRoutingTestCase::HostRoutingTestCase;

    void DoRun() override
    {
        const FabricGraph planes = Read(TWO_PLANES);
        {
            // even entropies take the first plane, odd ones the other
            const Ptr<Fabric> fabric = FabricHelper().Install(planes);
            for (uint16_t entropy = 0; entropy < 256; ++entropy)
            {
                const auto path = fabric->TracePath(0, 3, entropy);
                NS_TEST_ASSERT_MSG_EQ(path.size(), 4, "host, leaf, spine, leaf");
                NS_TEST_ASSERT_MSG_EQ(path[1].node, (entropy % 2 ? 6 : 4), "leaf of the plane");
                NS_TEST_ASSERT_MSG_EQ(path[2].node, (entropy % 2 ? 9 : 8), "spine of the plane");
                NS_TEST_ASSERT_MSG_EQ(fabric->IsPathSymmetric(0, 3, entropy), true, "and back");
            }
            // 200 flows of 10 packets: a plane gets 100 +- 7 of them, 60 or fewer once in 1e8 runs
            std::vector<FabricFlow> flows(200, FabricFlow{0, 3, 10000, 0});
            FlowRecorder recorder(fabric, flows);
            recorder.Start();
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(recorder.IsComplete(), true, "complete");
            NS_TEST_EXPECT_MSG_EQ(Arrived(fabric, 3, 0) + Arrived(fabric, 3, 1), 2000, "packets");
            NS_TEST_EXPECT_MSG_GT(Arrived(fabric, 3, 0), 600, "first plane");
            NS_TEST_EXPECT_MSG_GT(Arrived(fabric, 3, 1), 600, "second plane");
            for (uint32_t port = 0; port < 2; ++port)
            {
                NS_TEST_EXPECT_MSG_EQ(fabric->GetPort(0, port)->GetCounters().rxControlPackets,
                                      Arrived(fabric, 3, port),
                                      "an ACK for each packet, in its plane");
            }
            Simulator::Destroy();
        }
        // a host whose leaves are in the other order: answers still come back on the same links
        std::string crossed = TWO_PLANES;
        for (const auto& [from, to] :
             std::vector<std::pair<std::string, std::string>>{{"4 8 ", "4 9 "}, {"6 9 ", "6 8 "}})
        {
            crossed.replace(crossed.find("\n" + from) + 1, from.size(), to);
        }
        // FNCC needs data and ACK on the same links, and takes both networks
        for (const std::string& text : {std::string(TWO_PLANES), crossed})
        {
            const FabricGraph graph = Read(text);
            FabricHelper fncc;
            fncc.SetCongestionControl("ns3::FnccCongestionControl");
            fncc.AddSwitchFeature("ns3::FnccIntFeature");
            const Ptr<Fabric> fabric = fncc.Install(graph);
            for (uint16_t entropy = 0; entropy < 16; ++entropy)
            {
                NS_TEST_EXPECT_MSG_EQ(fabric->IsPathSymmetric(0, 3, entropy), true, "symmetric");
                NS_TEST_EXPECT_MSG_EQ(fabric->IsPathSymmetric(3, 0, entropy), true, "symmetric");
            }
            Simulator::Destroy();
        }
        Spray(planes);
        UseParallelLinks();
    }

    /// The packets of one flow take the planes in turn, and no more time. @param graph two planes
    void Spray(const FabricGraph& graph)
    {
        if (!HasClass("ideal-times"))
        {
            return;
        }
        FabricHelper helper;
        helper.SetLoadBalancer("ns3::RoundRobinSprayLoadBalancer");
        const Ptr<Fabric> fabric = helper.Install(graph);
        FlowRecorder recorder(fabric, {FabricFlow{0, 3, 1000000, 0}});
        recorder.Start();
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(Arrived(fabric, 3, 0), 500, "packets of 1 MB in the first plane");
        NS_TEST_EXPECT_MSG_EQ(Arrived(fabric, 3, 1), 500, "and in the second");
        NS_TEST_EXPECT_MSG_EQ(recorder.GetRecords()[0].fctPs,
                              recorder.GetTable().GetIdealFctPs(0),
                              "no faster than one link, no slower");
        Simulator::Destroy();
    }

    /// Two links to each of two leaves: each of the four gets a quarter, both ways on one link.
    void UseParallelLinks()
    {
        const FabricGraph graph =
            PlanOfLinks(2, 2, {{0, 2}, {0, 2}, {0, 3}, {0, 3}, {1, 2}, {1, 2}, {1, 3}, {1, 3}});
        const Ptr<Fabric> fabric = FabricHelper().Install(graph);
        std::vector<uint32_t> there(4, 0);
        std::vector<uint32_t> last(4, 0);
        for (uint16_t entropy = 0; entropy < 64; ++entropy)
        {
            const auto path = fabric->TracePath(0, 1, entropy);
            NS_TEST_ASSERT_MSG_EQ(path.size(), 2, "one switch");
            ++there[path[0].port];
            const FabricNetDevice* end =
                fabric->GetPort(path[1].node, path[1].port)->GetLink().GetPeer();
            ++last[end->GetPort()];
            NS_TEST_EXPECT_MSG_EQ(fabric->IsPathSymmetric(0, 1, entropy), true, "both ways");
        }
        for (uint32_t port = 0; port < 4; ++port)
        {
            NS_TEST_EXPECT_MSG_EQ(there[port], 16, "sent by port " << port);
            NS_TEST_EXPECT_MSG_EQ(last[port], 16, "received by port " << port);
        }
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Planes that fail, and destinations in one plane only.
 */
class PlaneFailureTestCase : public HostRoutingTestCase
{
    using HostRoutingTestCase::HostRoutingTestCase;

    /// @param spray one entropy for each packet instead of each flow
    void Fail(bool spray)
    {
        // Host 0 loses its link to the first plane at 10 us, when 40 flows of 100 kB (320 us of
        // both links) have begun. What was lost is sent again in the other plane.
        const FabricGraph graph = Read(TWO_PLANES);
        FabricHelper helper;
        if (spray)
        {
            helper.SetLoadBalancer("ns3::RandomSprayLoadBalancer");
        }
        const Ptr<Fabric> fabric = helper.Install(graph);
        FabricFaults faults;
        faults.AddDown(MicroSeconds(10), 0, 4);
        faults.Install(fabric);
        FlowRecorder recorder(fabric, std::vector<FabricFlow>(40, FabricFlow{0, 3, 100000, 0}));
        recorder.Start();
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(recorder.IsComplete(), true, "complete");
        // 10 us of 100 Gb/s are 115 packets and a bit, the last of which does not end
        NS_TEST_EXPECT_MSG_LT(fabric->GetPort(0, 0)->GetCounters().txBytes, 117 * 1062, "plane 1");
        NS_TEST_EXPECT_MSG_GT(Arrived(fabric, 3, 1), 4000 - 117, "plane 2 has the rest");
        Simulator::Destroy();
    }

    /// @return time that HPCC takes for 2 MB from host 0 to host 1 when host 0 loses a link at 20
    /// us
    /// @param leaf at the other end of that link
    int64_t MeasureTakeOver(uint32_t leaf)
    {
        FabricHelper helper;
        helper.SetCongestionControl("ns3::HpccCongestionControl");
        helper.AddSwitchFeature("ns3::HpccIntFeature");
        const Ptr<Fabric> fabric = helper.Install(Read(TWO_PLANES));
        FabricFaults faults;
        faults.AddDown(MicroSeconds(20), 0, leaf);
        faults.Install(fabric);
        FlowRecorder recorder(fabric, {FabricFlow{0, 1, 2000000, 0}});
        recorder.Start();
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(recorder.IsComplete(), true, "complete");
        const int64_t fctPs = recorder.GetRecords()[0].fctPs;
        Simulator::Destroy();
        return fctPs;
    }

    void DoRun() override
    {
        Fail(false);
        Fail(true);
        // The flow is in one of the planes. What was lost takes a round trip of 4.3 us to be found
        // and as long again to be sent; that INT records are those of other switches must not be
        // taken for congestion, which made 183 us 1185 us.
        const int64_t times[] = {MeasureTakeOver(4), MeasureTakeOver(6)};
        NS_TEST_EXPECT_MSG_LT(std::max(times[0], times[1]),
                              std::min(times[0], times[1]) + 10 * US,
                              "HPCC when the other plane takes over");
        // Both links are down from 10 to 50 us: what waits goes on. Without a way nothing is
        // dropped but what was on the wire.
        const Ptr<Fabric> fabric = FabricHelper().Install(Read(TWO_PLANES));
        FabricFaults faults;
        for (const uint32_t leaf : {4, 6})
        {
            faults.AddDown(MicroSeconds(10), 0, leaf);
        }
        faults.AddUp(MicroSeconds(50), 0, 6);
        faults.Install(fabric);
        FlowRecorder recorder(fabric,
                              std::vector<FabricFlow>(8, FabricFlow{0, 3, 100000, 20 * US}));
        recorder.Start();
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(recorder.IsComplete(), true, "complete");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetPort(0, 0)->GetCounters().txBytes, 0, "still down");
        // 800 packets of 86.56 ns from 50 us on, then the way of the last one
        NS_TEST_EXPECT_MSG_EQ(fabric->GetDrops().size(), 0, "nothing was on the wire");
        int64_t lastPs = 0;
        for (const auto& record : recorder.GetRecords())
        {
            lastPs = std::max(lastPs, record.fctPs);
        }
        NS_TEST_EXPECT_MSG_EQ(lastPs,
                              30 * US + 800 * FULL_PS + 3 * FULL_PS + 4 * US,
                              "from 20 us on");
        Simulator::Destroy();

        // Host 4 has a link to the second plane only (leaf 8 there; leaves 5 and 6 are the first).
        const FabricGraph partial = PlanOfLinks(5,
                                                4,
                                                {{0, 5},
                                                 {0, 7},
                                                 {1, 5},
                                                 {1, 7},
                                                 {2, 6},
                                                 {2, 8},
                                                 {3, 6},
                                                 {3, 8},
                                                 {4, 8},
                                                 {5, 6},
                                                 {7, 8}});
        ExpectPorts(partial, 0, 4, {1});
        ExpectPorts(partial, 2, 4, {1});
        ExpectPorts(partial, 0, 2, {0, 1});
        const Ptr<Fabric> one = FabricHelper().Install(partial);
        FlowRecorder flows(one, std::vector<FabricFlow>(20, FabricFlow{0, 4, 10000, 0}));
        flows.Start();
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(flows.IsComplete(), true, "complete");
        NS_TEST_EXPECT_MSG_EQ(one->GetPort(0, 0)->GetCounters().txBytes, 0, "no way");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Topology files of GPU servers.
 */
class GpuServerFileTestCase : public HostRoutingTestCase
{
    using HostRoutingTestCase::HostRoutingTestCase;

    void DoRun() override
    {
        const FabricGraph graph = Read(GPU_SERVERS);
        NS_TEST_EXPECT_MSG_EQ(graph.GetNHosts(), 4, "hosts");
        NS_TEST_EXPECT_MSG_EQ(graph.GetNSwitches(), 5, "switches, NVSwitches among them");
        NS_TEST_EXPECT_MSG_EQ(graph.IsNvSwitch(5), true, "the first ids are NVSwitches");
        NS_TEST_EXPECT_MSG_EQ(graph.IsNvSwitch(6), false, "the others are not");
        const std::string path = CreateTempDirFilename("gpu.topo");
        WriteHpccTopology(graph, path);
        const FabricGraph again = ReadHpccTopology(path);
        NS_TEST_EXPECT_MSG_EQ((again.GetLinks() == graph.GetLinks()), true, "links");
        for (uint32_t node = 0; node < graph.GetNNodes(); ++node)
        {
            NS_TEST_EXPECT_MSG_EQ(again.IsNvSwitch(node), graph.IsNvSwitch(node), "node " << node);
        }
        // one NVSwitch and no other switch
        const FabricGraph alone =
            Read("3 2 1 0 2 A100\n2\n0 2 800Gbps 25ns 0\n1 2 800Gbps 25ns 0\n");
        NS_TEST_EXPECT_MSG_EQ(alone.GetNHosts(), 2, "hosts");
        DCFABRIC_EXPECT_REFUSAL(Read("3 1 1 0 2 A100\n2\n0 2 800Gbps 25ns 0\n1 2 800Gbps 25ns 0\n"),
                                ":1: NVSwitch 2 joins 2 hosts, but gpus_per_server is 1");
        DCFABRIC_EXPECT_REFUSAL(Read("3 2 2 2 2 A100\n2\n"), ":1: switch_num");
        DCFABRIC_EXPECT_REFUSAL(Read("3 2 1 0 2\n2\n"), "(6 fields)");
        DCFABRIC_EXPECT_REFUSAL(Read("3 0 1 0 2 A100\n2\n"), ":1: gpus_per_server");
        // two servers without a network between them: each is one for itself
        const FabricGraph apart =
            Read("6 2 2 0 4 A100\n4 5\n0 4 800Gbps 25ns 0\n1 4 800Gbps 25ns 0\n"
                 "2 5 800Gbps 25ns 0\n3 5 800Gbps 25ns 0\n");
        NS_TEST_EXPECT_MSG_EQ(HostIslands(apart).Join(0, 1), true, "in a server");
        NS_TEST_EXPECT_MSG_EQ(HostIslands(apart).Join(1, 2), false, "of two servers");
    }
};

/// Suite of hosts with several links.
const SuiteCases g_cases("dcfabric-routing", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new HostTableTestCase("ports on shortest paths, written down by hand"));
    suite.AddTestCase(new HostPathTestCase("lone flows between all pairs have slowdown 1"));
    suite.AddTestCase(new PlaneShareTestCase(
        "all planes are used, by the entropy, and answers come back on them"));
    suite.AddTestCase(new PlaneFailureTestCase("a port that is down: the others take over"));
    suite.AddTestCase(
        new GpuServerFileTestCase("topology files with NVSwitches: read, written, refused"));
});

} // namespace ns3::tests::host_routing_test
