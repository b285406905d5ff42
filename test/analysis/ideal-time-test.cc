// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-suite.h"
#include "../fabric-test-transport.h"

#include "ns3/ideal-time.h"
#include "ns3/pdc-policy-helper.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <random>
#include <sstream>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief The ideal time is the least that any allowed use of the paths gives: no lone flow beats
 * it, and where theory says so one takes just this time.
 */

namespace ns3::tests::ideal_time_test
{

constexpr int64_t FULL = 1082; //!< bytes of a packet of 1000 B on the wire

/**
 * @param hostBps rate of all hosts
 * @param ratesBps to each spine and on
 * @param delaysPs likewise
 * @return two leaves, 4 and 5, joined by spines; hosts 0 and 1 at leaf 4, 2 and 3 at leaf 5
 */
FabricGraph
MakeSpines(uint64_t hostBps,
           const std::vector<uint64_t>& ratesBps,
           const std::vector<int64_t>& delaysPs)
{
    FabricGraph graph;
    for (int host = 0; host < 4; ++host)
    {
        graph.AddHost();
    }
    graph.AddSwitch();
    graph.AddSwitch();
    for (uint32_t host = 0; host < 4; ++host)
    {
        graph.AddLink(host, 4 + host / 2, hostBps, US);
    }
    for (std::size_t i = 0; i < ratesBps.size(); ++i)
    {
        const uint32_t spine = graph.AddSwitch(2);
        graph.AddLink(4, spine, ratesBps[i], delaysPs[i]);
        graph.AddLink(5, spine, ratesBps[i], delaysPs[i]);
    }
    return graph;
}

/**
 * @ingroup dcfabric-tests
 * @brief Takes the ports in turn: spraying that is always lucky, if all ports are alike.
 */
class TurnPathSelector : public PathSelector
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::tests::TurnPathSelector")
                                .SetParent<PathSelector>()
                                .SetGroupName("Dcfabric")
                                .AddConstructor<TurnPathSelector>();
        return tid;
    }

    uint16_t Select(const PortGroup& group, const FabricPacketItem& /* item */) override
    {
        return group.ports[m_turn++ % group.nPorts];
    }

    uint32_t GetMaxPaths() const override
    {
        return UINT32_MAX;
    }

  private:
    uint32_t m_turn{0}; //!< packets so far
};

NS_OBJECT_ENSURE_REGISTERED(TurnPathSelector);

/**
 * @param balancer of the hosts
 * @param selector of the switches
 * @return a helper without congestion control
 */
FabricHelper
MakeHelper(const std::string& balancer, const std::string& selector)
{
    FabricHelper helper;
    helper.SetDeadlockCheck(false); // random networks
    helper.SetLoadBalancer(balancer);
    helper.SetPathSelector(selector);
    // packets that were overtaken are not sent again
    helper.SetReliability("ns3::SelectiveRepeat", "ReorderThreshold", UintegerValue(100000));
    return helper;
}

/**
 * @ingroup dcfabric-tests
 * @brief Worked out by hand.
 */
class IdealTimeByHandTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param graph plan
     * @param bytes length
     * @param balancer of the hosts
     * @return ideal time from host 0 to host 2
     */
    int64_t Ideal(const FabricGraph& graph,
                  uint64_t bytes,
                  const std::string& balancer = "ns3::RandomSprayLoadBalancer")
    {
        TestNetwork network(graph, MakeHelper(balancer, "ns3::EcmpPathSelector"));
        return network.fabric->GetIdealFctPs(0, 2, bytes);
    }

    void DoRun() override
    {
        const std::string onePath = "ns3::PerFlowLoadBalancer";
        // Hosts of 100 Gb/s (80 ps a byte), spines of 10 Gb/s with 1 us and of 100 Gb/s with 3 us.
        // A packet: slow 2 x 1082 x (80 + 800) + 4 us = 5.9 us, fast 4 x 1082 x 80 + 8 us = 8.3 us.
        const FabricGraph mixed = MakeSpines(100 * GBPS, {10 * GBPS, 100 * GBPS}, {US, 3 * US});
        NS_TEST_EXPECT_MSG_EQ(Ideal(mixed, 1000, onePath), 2 * FULL * 880 + 4 * US, "a packet");
        // 1 MB: 1003 transmissions of 80 ps a byte on the fast way
        NS_TEST_EXPECT_MSG_EQ(Ideal(mixed, 1000000, onePath),
                              1003 * FULL * 80 + 8 * US,
                              "1 MB on one path");
        // Sprayed, the receiver's link still takes 1000 packets one by one; the first of them comes
        // there by the slow way, after (80 + 2 x 800) x 1082 ps + 3 us.
        NS_TEST_EXPECT_MSG_EQ((Ideal(mixed, 1000000) <= 1003 * FULL * 80 + 8 * US),
                              true,
                              "spraying is never worse");
        NS_TEST_EXPECT_MSG_EQ(
            (Ideal(mixed, 1000000) >= (80 + 2 * 800) * FULL + 1000 * FULL * 80 + 4 * US),
            true,
            "not before the receiver's link could take it");

        // Hosts of 400 Gb/s (20 ps), eight spines of 100 Gb/s (80 ps): the first packet is at the
        // last link after (20 + 2 x 80) x 1082, and this one then takes 100 packets of 20 ps.
        const FabricGraph wide = MakeSpines(400 * GBPS,
                                            std::vector<uint64_t>(8, 100 * GBPS),
                                            std::vector<int64_t>(8, US));
        NS_TEST_EXPECT_MSG_EQ(Ideal(wide, 100000), 180 * FULL + 100 * FULL * 20 + 4 * US, "wide");
        NS_TEST_EXPECT_MSG_EQ(Ideal(wide, 100000, onePath),
                              20 * FULL + 80 * FULL * 101 + 20 * FULL + 4 * US,
                              "on one path the spines are the bottleneck");
        // Two of the spines: each takes 50 of 80 ps, the second begins after 2 x 20, then 80
        // and 20.
        const FabricGraph narrow = MakeSpines(400 * GBPS, {100 * GBPS, 100 * GBPS}, {US, US});
        NS_TEST_EXPECT_MSG_EQ(Ideal(narrow, 100000),
                              (40 + 50 * 80 + 80 + 20) * FULL + 4 * US,
                              "narrow");
        // A whole and a half: by time t ways of 100 and of 50 Gb/s (160 ps) bring
        // floor((t - 200 x 1082) / (80 x 1082)) + 1 and floor((t - 360 x 1082) / (160 x 1082)) + 1.
        // In units of 1082 x 40 ps, u = t - 5: floor(u / 2) + 1 + floor((u - 4) / 4) + 1 >= 100
        // for u = 132: 67 + 33.
        const FabricGraph uneven = MakeSpines(400 * GBPS, {100 * GBPS, 50 * GBPS}, {US, US});
        NS_TEST_EXPECT_MSG_EQ(Ideal(uneven, 100000), (5 + 132) * 40 * FULL + 4 * US, "uneven");
        // One way only: nothing to choose
        const FabricGraph single = MakeSpines(400 * GBPS, {100 * GBPS}, {US});
        NS_TEST_EXPECT_MSG_EQ(Ideal(single, 100001), Ideal(single, 100001, onePath), "one spine");
        // 10^18 bytes at 100 Gb/s take 10^15 packets of 1082 x 80 ps, 87 million s, for which there
        // is no number of ps; 10^16 take 10^13 packets of 1082 x 80 ps, 866 thousand s
        NS_TEST_EXPECT_MSG_EQ(Ideal(single, 1000000000000000000, onePath),
                              IdealTime::BEYOND_PS,
                              "beyond time");
        NS_TEST_EXPECT_MSG_EQ(Ideal(wide, INT64_MAX), IdealTime::BEYOND_PS, "sprayed as well");
        NS_TEST_EXPECT_MSG_EQ(Ideal(single, 10000000000000000, onePath),
                              (20 + (int64_t{10000000000000} * 80) + 20) * FULL + 4 * US +
                                  80 * FULL,
                              "ten days");
        // one host sprays: its messages alone
        TestNetwork network(wide, MakeHelper(onePath, "ns3::EcmpPathSelector"));
        PdcPolicyHelper sprayed;
        sprayed.SetLoadBalancer("ns3::RandomSprayLoadBalancer");
        sprayed.Install(network.fabric, NodeContainer(network.fabric->GetNodes().Get(0)), 5);
        NS_TEST_EXPECT_MSG_EQ(network.fabric->GetIdealFctPs(0, 2, 100000, 5),
                              180 * FULL + 100 * FULL * 20 + 4 * US,
                              "the class that sprays");
        NS_TEST_EXPECT_MSG_EQ(network.fabric->GetIdealFctPs(0, 2, 100000, 3),
                              20 * FULL + 80 * FULL * 101 + 20 * FULL + 4 * US,
                              "the class that does not");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What takes its ideal time to the picosecond.
 */
class IdealTimeReachedTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief Send alone and compare.
     * @param graph plan
     * @param balancer of the hosts
     * @param selector of the switches
     * @param bytes length
     * @param what for messages
     */
    void Check(const FabricGraph& graph,
               const std::string& balancer,
               const std::string& selector,
               uint64_t bytes,
               const std::string& what)
    {
        TestNetwork network(graph, MakeHelper(balancer, selector));
        network.MessagesOf(0).SendAt(0, 2, bytes, 1);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(TestNetwork::Find(network.delivered, 1).nowPs,
                              network.fabric->GetIdealFctPs(0, 2, bytes),
                              what << ", " << bytes << " B, " << balancer << ", " << selector);
    }

    void DoRun() override
    {
        const std::vector<int64_t> delays(8, US);
        // with several packets before it the last one, however short, has to wait at the receiver's
        // link; behind a single one it may come there first, or not
        for (const uint64_t bytes : {1U, 1000U, 2000U, 54321U, 54000U, 300000U})
        {
            for (const std::string balancer :
                 {"ns3::RandomSprayLoadBalancer", "ns3::RoundRobinSprayLoadBalancer"})
            {
                // paths alike that do not narrow: packets never wait, whatever they draw
                for (const uint64_t rate : {100U, 400U})
                {
                    Check(MakeSpines(100 * GBPS, std::vector<uint64_t>(8, rate * GBPS), delays),
                          balancer,
                          "ns3::EcmpPathSelector",
                          bytes,
                          std::to_string(rate) + " Gb/s behind 100");
                }
            }
            // slower spines, but eight of them for four packets at a time, or two for four
            // (where a short last packet has to wait for another one at one of them)
            for (const std::size_t spines : {8U, 2U})
            {
                if (spines == 2 && bytes % 1000 != 0)
                {
                    continue;
                }
                Check(MakeSpines(400 * GBPS,
                                 std::vector<uint64_t>(spines, 100 * GBPS),
                                 std::vector<int64_t>(spines, US)),
                      "ns3::PerFlowLoadBalancer",
                      "ns3::tests::TurnPathSelector",
                      bytes,
                      "100 Gb/s behind 400");
            }
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Random networks, single path and spraying: no lone flow beats its ideal time.
 */
class IdealTimePropertyTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// @return a random network of stages of switches between two groups of hosts, sometimes with
    /// hosts at two leaves @param random the generator
    static FabricGraph MakeRandom(std::mt19937_64& random)
    {
        const std::vector<uint64_t> rates{10, 25, 40, 50, 100, 200, 400, 800};
        const auto rate = [&]() { return rates[random() % rates.size()] * GBPS; };
        const auto delay = [&]() { return static_cast<int64_t>(1 + random() % 4000) * 1000; };
        FabricGraph graph;
        for (int host = 0; host < 4; ++host)
        {
            graph.AddHost();
        }
        std::vector<std::vector<uint32_t>> stages(2 + random() % 4);
        for (auto& stage : stages)
        {
            for (uint32_t i = 1 + random() % 4; i > 0; --i)
            {
                stage.push_back(graph.AddSwitch());
            }
        }
        const auto attach = [&](uint32_t host, const std::vector<uint32_t>& leaves) {
            for (uint32_t i = random() % 3 == 0 ? 2 : 1; i > 0; --i)
            {
                graph.AddLink(host, leaves[random() % leaves.size()], rate(), delay());
            }
        };
        for (uint32_t host = 0; host < 4; ++host)
        {
            attach(host, host < 2 ? stages.front() : stages.back());
        }
        for (std::size_t s = 0; s + 1 < stages.size(); ++s)
        {
            for (const uint32_t a : stages[s])
            {
                for (const uint32_t b : stages[s + 1])
                {
                    // nearly all neighbors, some of them twice
                    for (uint32_t i = std::min<uint64_t>(2, random() % 8); i > 0; --i)
                    {
                        graph.AddLink(a, b, rate(), delay());
                    }
                }
            }
        }
        // whatever was left out: one line that joins all
        for (std::size_t s = 0; s + 1 < stages.size(); ++s)
        {
            for (std::size_t i = 0; i < std::max(stages[s].size(), stages[s + 1].size()); ++i)
            {
                graph.AddLink(stages[s][i % stages[s].size()],
                              stages[s + 1][i % stages[s + 1].size()],
                              rate(),
                              delay());
            }
        }
        graph.DeriveTiers();
        return graph;
    }

    /**
     * @param path its links
     * @param bytes length
     * @return time of a message on a path, packet by packet
     */
    static int64_t GetTimePs(const std::vector<FabricHop>& path, uint64_t bytes)
    {
        std::vector<int64_t> freePs(path.size(), 0);
        int64_t arrivalPs = 0;
        for (uint64_t left = bytes; left > 0; left -= std::min<uint64_t>(left, 1000))
        {
            arrivalPs = 0;
            for (std::size_t k = 0; k < path.size(); ++k)
            {
                freePs[k] = std::max(freePs[k], arrivalPs) +
                            static_cast<int64_t>((std::min<uint64_t>(left, 1000) + 82) *
                                                 (8000000000000U / path[k].rateBps));
                arrivalPs = freePs[k] + path[k].delayPs;
            }
        }
        return arrivalPs;
    }

    /**
     * @brief Try all paths to host 2 by the tables of the switches.
     * @param fabric the network
     * @param node where a link begins
     * @param port its port
     * @param bytes length of the message
     * @param path links before this one
     * @param bestPs least time so far
     */
    static void Search(const Fabric& fabric,
                       uint32_t node,
                       uint16_t port,
                       uint64_t bytes,
                       std::vector<FabricHop>& path,
                       int64_t& bestPs)
    {
        const FabricNetDevice* device = fabric.GetPort(node, port);
        path.push_back({node, port, device->GetRateBps(), device->GetLink().GetDelayPs()});
        const uint32_t next = device->GetLink().GetPeer()->GetActor()->GetAddress();
        if (next == 2)
        {
            bestPs = std::min(bestPs, GetTimePs(path, bytes));
        }
        else
        {
            const PortGroup group = fabric.GetSwitch(next)->GetForwardingTable().Lookup(2);
            for (uint16_t i = 0; i < group.nPorts; ++i)
            {
                Search(fabric, next, group.ports[i], bytes, path, bestPs);
            }
        }
        path.pop_back();
    }

    void DoRun() override
    {
        const uint32_t seed = 20261122;
        std::cout << "dcfabric-ideal-time: seed " << seed << std::endl;
        std::mt19937_64 random(seed);
        const std::vector<std::pair<std::string, std::string>> policies{
            {"ns3::PerFlowLoadBalancer", "ns3::EcmpPathSelector"},
            {"ns3::PerFlowLoadBalancer", "ns3::SymmetricEcmpPathSelector"},
            {"ns3::PerFlowLoadBalancer", "ns3::SpanningTreePathSelector"},
            {"ns3::RandomSprayLoadBalancer", "ns3::EcmpPathSelector"},
            {"ns3::RoundRobinSprayLoadBalancer", "ns3::EcmpPathSelector"},
            {"ns3::RandomSprayLoadBalancer", "ns3::SpanningTreePathSelector"},
            {"ns3::PerFlowLoadBalancer", "ns3::AdaptivePathSelector"},
        };
        double nearest = 1e9;
        for (uint32_t round = 0; round < 400; ++round)
        {
            const FabricGraph graph = MakeRandom(random);
            const auto& [balancer, selector] = policies[round % policies.size()];
            const std::vector<uint64_t> sizes{1 + random() % 1000,
                                              1 + random() % 4000,
                                              1000 * (1 + random() % 60),
                                              1 + random() % 200000};
            TestNetwork network(graph, MakeHelper(balancer, selector));
            std::vector<int64_t> starts;
            int64_t startPs = 0;
            for (uint32_t i = 0; i < sizes.size(); ++i)
            {
                starts.push_back(startPs);
                network.MessagesOf(0).SendAt(startPs, 2, sizes[i], i);
                startPs += 20 * network.fabric->GetIdealFctPs(0, 2, sizes[i]) + 100 * US;
            }
            Simulator::Run();
            for (uint32_t i = 0; i < sizes.size(); ++i)
            {
                const int64_t idealPs = network.fabric->GetIdealFctPs(0, 2, sizes[i]);
                const int64_t fctPs = TestNetwork::Find(network.delivered, i).nowPs - starts[i];
                std::ostringstream what;
                what << "seed " << seed << ", round " << round << ", " << balancer << ", "
                     << selector << ", " << sizes[i] << " B";
                NS_TEST_EXPECT_MSG_EQ((fctPs >= idealPs),
                                      true,
                                      what.str() << ": " << fctPs << " ps, ideal " << idealPs);
                nearest = std::min(nearest, static_cast<double>(fctPs) / idealPs);
                if (balancer == policies[0].first && selector == policies[0].second)
                {
                    // and it is the time on the best of the paths in the tables
                    std::vector<FabricHop> path;
                    int64_t bestPs = std::numeric_limits<int64_t>::max();
                    for (const uint16_t port : network.fabric->GetRouting().ListPorts(0, 2))
                    {
                        Search(*network.fabric, 0, port, sizes[i], path, bestPs);
                    }
                    NS_TEST_EXPECT_MSG_EQ(bestPs, idealPs, what.str() << ": the best path");
                }
            }
        }
        NS_TEST_EXPECT_MSG_EQ(nearest, 1, "some reach it");
    }
};

/// The ideal time.
const SuiteCases g_cases("dcfabric-results", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new IdealTimeByHandTestCase("ideal times over several paths by hand"));
    suite.AddTestCase(
        new IdealTimeReachedTestCase("sprayed lone flows that take their ideal time"));
    suite.AddTestCase(
        new IdealTimePropertyTestCase("random networks: slowdowns of lone flows are at least 1"));
});

} // namespace ns3::tests::ideal_time_test
