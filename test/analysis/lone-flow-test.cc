// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-duration.h"
#include "../fabric-test-suite.h"
#include "../fabric-test-transport.h"

#include "ns3/fat-tree-topology.h"
#include "ns3/leaf-spine-topology.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Without congestion control a lone flow takes its ideal time: slowdown 1.000.
 */

namespace ns3::tests::lone_flow_test
{

/// Rates with whole picoseconds per byte: 800, 320, 200, 160, 80, 40, 20 and 10 ps.
const std::vector<uint64_t> WHOLE_RATES{10, 25, 40, 50, 100, 200, 400, 800};

/**
 * @param graph a plan
 * @return true if a byte takes a whole number of ps at all links
 */
bool
HasWholeRates(const FabricGraph& graph)
{
    return std::all_of(graph.GetLinks().begin(),
                       graph.GetLinks().end(),
                       [](const FabricLink& link) { return 8000000000000U % link.rateBps == 0; });
}

/**
 * @ingroup dcfabric-tests
 * @brief Sends messages one after the other and compares their times with the ideal ones.
 */
class LoneFlowTestCase : public NamedCase
{
  public:
    using NamedCase::NamedCase;

  protected:
    /**
     * @param graph the network
     * @param src host
     * @param dst host
     * @param sizes in bytes
     * @param payload of a full packet
     * @param what for messages of the test
     */
    void Check(const FabricGraph& graph,
               uint32_t src,
               uint32_t dst,
               const std::vector<uint64_t>& sizes,
               uint32_t payload,
               const std::string& what)
    {
        FabricHelper helper;
        helper.SetCongestionControl("ns3::NoCongestionControl");
        helper.SetNicAttribute("PayloadBytes", UintegerValue(payload));
        TestNetwork network(graph, helper);
        std::vector<int64_t> starts;
        int64_t startPs = 0;
        for (uint32_t i = 0; i < sizes.size(); ++i)
        {
            starts.push_back(startPs);
            network.MessagesOf(src).SendAt(startPs, dst, sizes[i], i);
            // each is alone, with an odd number of ps in its start
            startPs += 2 * network.fabric->GetIdealFctPs(src, dst, sizes[i]) + 50 * US + 12345;
        }
        Simulator::Run();
        const auto hops =
            static_cast<int64_t>(network.fabric->GetBestPath(src, dst, payload).size());
        // both round down: the ideal three terms, ports what is left of a ps at each hop
        const int64_t slack = HasWholeRates(graph) ? 0 : hops + 2;
        for (uint32_t i = 0; i < sizes.size(); ++i)
        {
            const auto event = TestNetwork::Find(network.delivered, i);
            NS_TEST_EXPECT_MSG_EQ(event.bytes, sizes[i], what << ": delivered once");
            const int64_t idealPs = network.fabric->GetIdealFctPs(src, dst, sizes[i]);
            const int64_t fctPs = event.nowPs - starts[i];
            NS_TEST_EXPECT_MSG_EQ((std::abs(fctPs - idealPs) <= slack),
                                  true,
                                  what << ", " << sizes[i] << " B over " << hops
                                       << " links: " << fctPs << " ps, ideal " << idealPs);
        }
        NS_TEST_EXPECT_MSG_EQ(network.Sum(&FabricNic::Counters::retransmitted), 0, what);
        NS_TEST_EXPECT_MSG_EQ(network.Sum(&FabricNic::Counters::timeouts), 0, what);
        NS_TEST_EXPECT_MSG_EQ(network.fabric->GetDrops().empty(), true, what << ": no drops");
        NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, what);
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The ideal time itself, worked out by hand.
 */
class IdealByHandTestCase : public LoneFlowTestCase
{
    using LoneFlowTestCase::LoneFlowTestCase;

    /**
     * @param graph plan
     * @param bytes length
     * @return ideal time from host 0 to host 1
     */
    int64_t Ideal(const FabricGraph& graph, uint64_t bytes)
    {
        TestNetwork network(graph);
        return network.fabric->GetIdealFctPs(0, 1, bytes);
    }

    void DoRun() override
    {
        const FabricGraph direct = MakeChain({100 * GBPS}, {US});
        // 1 + 62 + 20 = 83 B of 80 ps
        NS_TEST_EXPECT_MSG_EQ(Ideal(direct, 1), 83 * 80 + US, "one byte, one link");
        NS_TEST_EXPECT_MSG_EQ(Ideal(direct, 1000), 1082 * 80 + US, "one packet");
        NS_TEST_EXPECT_MSG_EQ(Ideal(direct, 1001), (1082 + 83) * 80 + US, "and a byte");
        const FabricGraph two = MakeChain({100 * GBPS, 100 * GBPS}, {US, 2 * US});
        NS_TEST_EXPECT_MSG_EQ(Ideal(two, 1000), 2 * 1082 * 80 + 3 * US, "two links");
        // the last packet waits for the one before it at the second link
        NS_TEST_EXPECT_MSG_EQ(Ideal(two, 1001), (2 * 1082 + 83) * 80 + 3 * US, "two links, 1001 B");
        // 100 then 10 Gb/s (800 ps): first packet 1082 x 80, then all three at 10 Gb/s
        const FabricGraph slower = MakeChain({100 * GBPS, 10 * GBPS}, {US, US});
        NS_TEST_EXPECT_MSG_EQ(Ideal(slower, 3000), 1082 * 80 + 3 * 1082 * 800 + 2 * US, "slower");
        // 10 then 100 Gb/s: three at 10 Gb/s, the last one at 100 Gb/s
        const FabricGraph faster = MakeChain({10 * GBPS, 100 * GBPS}, {US, US});
        NS_TEST_EXPECT_MSG_EQ(Ideal(faster, 3000), 3 * 1082 * 800 + 1082 * 80 + 2 * US, "faster");
        // 3 Gb/s: 1082 x 8000 / 3 = 2,885,333 1/3 ps; the fractions of 1000 packets are 333 ps
        const FabricGraph odd = MakeChain({3 * GBPS}, {US});
        NS_TEST_EXPECT_MSG_EQ(Ideal(odd, 1002000),
                              2 * 2885333 + int64_t{1000} * 2885333 + 333 + US,
                              "fractions of a ps");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The same rate all along 1 to 6 links.
 */
class UniformPathTestCase : public LoneFlowTestCase
{
    using LoneFlowTestCase::LoneFlowTestCase;

    void DoRun() override
    {
        const std::vector<uint64_t>
            sizes{1, 2, 999, 1000, 1001, 1999, 2000, 2001, 10000, 12345, 100000};
        std::vector<uint64_t> rates = WHOLE_RATES;
        rates.insert(rates.end(), {30, 56}); // 266 2/3 and 142 6/7 ps a byte
        for (std::size_t links = 1; links <= 6; ++links)
        {
            for (const uint64_t rate : rates)
            {
                Check(MakeChain(std::vector<uint64_t>(links, rate * GBPS),
                                std::vector<int64_t>(links, 1500000)),
                      0,
                      1,
                      sizes,
                      1000,
                      std::to_string(rate) + " Gb/s");
            }
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Random rates, delays and payloads; PFC throttles the sender where the path narrows.
 */
class MixedPathTestCase : public LoneFlowTestCase
{
    using LoneFlowTestCase::LoneFlowTestCase;

    void DoRun() override
    {
        const uint32_t seed = 2024;
        std::cout << "dcfabric-lone-flow: seed " << seed << std::endl;
        std::mt19937_64 random(seed);
        const std::vector<uint32_t> payloads{64, 1000, 1456, 4096, 9000};
        for (uint32_t round = 0; round < 300; ++round)
        {
            const std::size_t links = 1 + random() % 6;
            std::vector<uint64_t> rates;
            std::vector<int64_t> delays;
            std::ostringstream what;
            what << "seed " << seed << ", round " << round << ", Gb/s";
            for (std::size_t i = 0; i < links; ++i)
            {
                const uint64_t rate = round % 3 == 0 ? 10 + random() % 791
                                                     : WHOLE_RATES[random() % WHOLE_RATES.size()];
                rates.push_back(rate * GBPS);
                delays.push_back(static_cast<int64_t>(1 + random() % 3000) * 1000);
                what << " " << rate;
            }
            const uint32_t payload = payloads[random() % payloads.size()];
            what << ", payload " << payload;
            const std::vector<uint64_t> sizes{1,
                                              payload,
                                              payload + 1,
                                              7 * uint64_t{payload},
                                              1 + random() % 20000,
                                              1 + random() % 400000};
            Check(MakeChain(rates, delays), 0, 1, sizes, payload, what.str());
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Generated topologies with rates of their own for each tier.
 */
class TieredPathTestCase : public LoneFlowTestCase
{
    using LoneFlowTestCase::LoneFlowTestCase;

    void DoRun() override
    {
        const std::vector<uint64_t> sizes{1, 1000, 1001, 54321, 300000};
        for (const std::string rates : {"100Gbps,400Gbps,800Gbps", "100Gbps,40Gbps,25Gbps"})
        {
            Ptr<FatTreeTopology> tree = CreateObject<FatTreeTopology>();
            tree->SetAttribute("K", UintegerValue(4));
            tree->SetAttribute("TierRates", StringValue(rates));
            // 2, 4 and 6 links
            for (const uint32_t dst : {1U, 2U, 15U})
            {
                Check(tree->BuildGraph(), 0, dst, sizes, 1000, "fat-tree " + rates);
            }
        }
        Ptr<LeafSpineTopology> leaves = CreateObject<LeafSpineTopology>();
        leaves->SetAttribute("TierRates", StringValue("200Gbps,10Gbps"));
        Check(leaves->BuildGraph(), 3, 120, sizes, 1456, "leaf-spine");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief 50 MB.
 */
class LargeFlowTestCase : public LoneFlowTestCase
{
    using LoneFlowTestCase::LoneFlowTestCase;

    void DoRun() override
    {
        const uint64_t large = 50000000;
        Check(MakeChain({100 * GBPS}, {US}), 0, 1, {large}, 1000, "one link");
        Check(MakeChain({800 * GBPS, 100 * GBPS, 400 * GBPS}, {US, US, US}),
              0,
              1,
              {large + 1},
              1456,
              "narrow");
        Check(MakeChain(std::vector<uint64_t>(6, 400 * GBPS), std::vector<int64_t>(6, US)),
              0,
              1,
              {large - 1},
              4096,
              "six links");
        Check(MakeChain({56 * GBPS, 30 * GBPS}, {US, US}), 0, 1, {large}, 4096, "fractions");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief 5 GB in packets of 1000 B: five million packets.
 */
class HugeFlowTestCase : public LoneFlowTestCase
{
    using LoneFlowTestCase::LoneFlowTestCase;

    void DoRun() override
    {
        Check(MakeChain({400 * GBPS, 400 * GBPS}, {US, US}), 0, 1, {5000000000}, 1000, "5 GB");
    }
};

/// Lone flows.
const SuiteCases g_cases("dcfabric-control-network", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.AddTestCase(new IdealByHandTestCase("ideal times by hand"));
    suite.AddTestCase(new UniformPathTestCase("one rate over 1 to 6 links"));
    suite.AddTestCase(new MixedPathTestCase("differing rates over 1 to 6 links"));
    suite.AddTestCase(new TieredPathTestCase("tiers of fat-trees and leaf-spines"));
    suite.AddTestCase(new LargeFlowTestCase("50 MB"));
    suite.AddTestCase(new HugeFlowTestCase("5 GB"), DurationOf<TestCase>::TAKES_FOREVER);
});

} // namespace ns3::tests::lone_flow_test
