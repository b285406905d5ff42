// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-congestion.h"
#include "fabric-test-margin.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"

#include "ns3/congestion-signal.h"
#include "ns3/fabric-topology.h"
#include "ns3/log.h"
#include "ns3/nstime.h"
#include "ns3/rtt-ecn-recovery-modifier.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief The base RTT of a pair of hosts, and what compares RTTs with it.
 *
 * Links of 100 Gb/s and 1 us where nothing else is said. A full packet takes 1082 B of the wire
 * and its ACK 118 B, so that a link adds 2 us + 86.56 ns + 9.44 ns = 2.096 us to an RTT.
 */

namespace ns3::tests::pair_rtt_test
{

NS_LOG_COMPONENT_DEFINE("DcfabricPairRttTest");

constexpr int64_t LINK = 2096000; //!< share of a link in an RTT, ps

/**
 * @ingroup dcfabric-tests
 * @brief What NICs tell of pairs.
 */
class PairRttPathTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief Compare.
     * @param helper policies
     * @param tNear T within the rack
     * @param tFar T across the spine
     * @param what of the case
     */
    void Expect(FabricHelper helper, int64_t tNear, int64_t tFar, const std::string& what)
    {
        // hosts 0 to 3 at the first leaf, 4 to 7 at the second: two links, four links
        const FabricGraph graph =
            MakeFabricTopology("leaf-spine:leaves=2,spines=2,hosts=4")->BuildGraph();
        const Ptr<Fabric> fabric = helper.Install(graph);
        const PathInfo near = fabric->GetNic(0)->DescribePath(3);
        const PathInfo far = fabric->GetNic(0)->DescribePath(4);
        NS_TEST_EXPECT_MSG_EQ(near.pairRttPs, 2 * LINK, what << ": in the rack");
        NS_TEST_EXPECT_MSG_EQ(far.pairRttPs, 4 * LINK, what << ": across");
        NS_TEST_EXPECT_MSG_EQ(near.baseRttPs, tNear, what << ": T in the rack");
        NS_TEST_EXPECT_MSG_EQ(far.baseRttPs, tFar, what << ": T across");
        Simulator::Destroy();
    }

    void DoRun() override
    {
        FabricHelper helper;
        Expect(helper, 4 * LINK, 4 * LINK, "largest");
        helper.SetBaseRtt(MicroSeconds(20));
        Expect(helper, 20 * US, 20 * US, "given");
        FabricHelper pair;
        pair.SetBaseRttPerPair(true);
        Expect(pair, 2 * LINK, 4 * LINK, "of each pair");
        // T by payloads one way, 80 ns a link, and delays; the RTT is that of real packets
        pair.SetBaseRttSizes(1000, 0);
        Expect(pair, 2 * 2080000, 4 * 2080000, "of other packets");

        // a NIC that nobody tells takes T
        const Ptr<FabricNic> nic = CreateObject<FabricNic>();
        nic->Attach(CreateObject<Node>(), 0);
        const Ptr<FabricNetDevice> port = CreateObject<FabricNetDevice>();
        nic->AddPort(port);
        nic->SetAttribute("BaseRtt", TimeValue(MicroSeconds(7)));
        NS_TEST_EXPECT_MSG_EQ(nic->DescribePath(1).pairRttPs, 7 * US, "the attribute");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Pairs of many networks, asked twice.
 */
class PairRttNetworksTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief Compare all pairs.
     * @param graph network
     * @param what its name
     * @param alike the hosts of a switch, so that the largest base RTT of the network is that of a
     * pair and no bound
     */
    void ExpectShortest(const FabricGraph& graph, const std::string& what, bool alike = true)
    {
        const Ptr<Fabric> fabric = FabricHelper().Install(graph);
        int64_t most = 0;
        for (int round = 0; round < 2; ++round)
        {
            for (const uint32_t src : fabric->GetHosts())
            {
                for (const uint32_t dst : fabric->GetHosts())
                {
                    if (src != dst)
                    {
                        const int64_t ps = fabric->GetPairRttPs(src, dst);
                        most = std::max(most, ps);
                        NS_TEST_ASSERT_MSG_EQ(ps,
                                              fabric->GetBaseRttPs(src, dst),
                                              what << ": " << src << " to " << dst);
                    }
                }
            }
        }
        const int64_t largest = fabric->GetMaxBaseRttPs();
        NS_TEST_EXPECT_MSG_EQ((alike ? most == largest : most <= largest), true, what << ": T");
        Simulator::Destroy();
    }

    void DoRun() override
    {
        ExpectShortest(MakeFabricTopology("fat-tree:k=4")->BuildGraph(), "fat-tree");
        FabricTopologyOptions tiers;
        tiers.tierRates = "100Gbps,400Gbps,10Gbps";
        tiers.tierDelays = "1us,3us,2us";
        ExpectShortest(MakeFabricTopology("fat-tree:k=4", tiers)->BuildGraph(), "tiers");
        ExpectShortest(
            MakeFabricTopology("leaf-spine:leaves=4,spines=2,hosts=2,homes=2")->BuildGraph(),
            "two links a host");
        // hosts of one switch that are not alike: two parallel links of which one is slower
        FabricGraph graph = MakeStar(3);
        const uint32_t far = graph.AddHost();
        graph.AddLink(far, 3, 10 * GBPS, 5 * US);
        graph.AddLink(far, 3, 100 * GBPS, 6 * US);
        ExpectShortest(graph, "hosts that differ", false);
        // two of its hosts that a link joins as well
        FabricGraph joined = MakeStar(3);
        joined.AddLink(0, 1, 100 * GBPS, US / 2);
        const Ptr<Fabric> star = FabricHelper().Install(joined);
        NS_TEST_EXPECT_MSG_EQ(star->GetPairRttPs(1, 0), LINK - US, "the link");
        NS_TEST_EXPECT_MSG_EQ(star->GetPairRttPs(1, 2), 2 * LINK, "the switch");
        Simulator::Destroy();

        // A ring of switches 4 to 7 with one host each. Trees by root: 6-5-4-7, 7-6-5-4, 4-5-6-7
        // and 5-4-7-6. Only 4-5 is a link of all four; other neighbors are three links apart in at
        // least one. Shortest paths do not change.
        FabricGraph ring;
        for (int i = 0; i < 4; ++i)
        {
            ring.AddHost();
        }
        for (int i = 0; i < 4; ++i)
        {
            ring.AddSwitch();
        }
        for (uint32_t i = 0; i < 4; ++i)
        {
            ring.AddLink(i, 4 + i, 100 * GBPS, US);
        }
        for (uint32_t i = 0; i < 4; ++i)
        {
            ring.AddLink(4 + i, 4 + (i + 1) % 4, 100 * GBPS, US);
        }
        FabricHelper helper;
        helper.SetPathSelector("ns3::SpanningTreePathSelector");
        helper.SetDeadlockCheck(false);
        const Ptr<Fabric> fabric = helper.Install(ring);
        for (int round = 0; round < 2; ++round)
        {
            NS_TEST_EXPECT_MSG_EQ(fabric->GetPairRttPs(0, 1), 3 * LINK, "4 5 in all trees");
            NS_TEST_EXPECT_MSG_EQ(fabric->GetPairRttPs(1, 2), 5 * LINK, "5 4 7 6");
            NS_TEST_EXPECT_MSG_EQ(fabric->GetPairRttPs(3, 0), 5 * LINK, "7 6 5 4");
            NS_TEST_EXPECT_MSG_EQ(fabric->GetBaseRttPs(3, 0), 3 * LINK, "shortest");
            // opposite corners: two links of the ring one way or the other, in every tree
            NS_TEST_EXPECT_MSG_EQ(fabric->GetPairRttPs(0, 2), 4 * LINK, "opposite");
        }
        NS_TEST_EXPECT_MSG_EQ(fabric->GetNic(3)->DescribePath(0).pairRttPs, 5 * LINK, "told");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Thresholds over a T that is not the pair's.
 */
class PairRttThresholdTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // T of 12.6 us; a rack of one switch and 4 us: 4 us and 84.96 ns for switch and sender
        PathInfo path = MakePath(100 * GBPS, 12600000);
        path.pairRttPs = 4 * US;
        path.switches = 1;
        const auto modifier = CreateObject<RttEcnRecoveryModifier>();
        modifier->Start(path);
        NS_TEST_EXPECT_MSG_EQ(modifier->GetThresholdPs(), 4 * US + 2 * 84960, "threshold");

        // excess: 4 us none, 6 us half, 8 us and more all; 12.6 us is three RTTs, not one T
        const auto signal = CreateObject<RttExcessSignal>();
        for (const auto& [rttPs, excess] : {std::pair<int64_t, double>{3 * US, 0},
                                            {4 * US, 0},
                                            {6 * US, 0.5},
                                            {8 * US, 1},
                                            {12600000, 1}})
        {
            const AckInfo ack = MakeAck(0, 1, 0, rttPs);
            NS_TEST_EXPECT_MSG_EQ_TOL(signal->Get(ack, path), excess, 1e-12, rttPs << " ps");
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Four DCQCN flows within a rack, in a network with a far corner.
 *
 * Five hosts at one switch, a sixth behind a link of 10 us: T is 2 x (1 + 10 + 1) us and three
 * times 96 ns, 24.288 us, and the rack has 4.192 us. By T a queue of 20 us, 250 kB, would be no
 * congestion, and recovery would double rates into it. By the pair the threshold is 4.192 us and
 * two packets of 84.96 ns, so that the default does exactly as that threshold when given.
 */
class PairRttRackTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param threshold attribute
     * @param run random run
     * @return mean queue in bytes from 1 to 4 ms
     */
    double Measure(Time threshold, uint32_t run)
    {
        RandomRun random(run);
        FabricGraph graph;
        for (int i = 0; i < 6; ++i)
        {
            graph.AddHost();
        }
        const uint32_t rack = graph.AddSwitch();
        const uint32_t other = graph.AddSwitch();
        for (uint32_t i = 0; i < 5; ++i)
        {
            graph.AddLink(i, rack, 100 * GBPS, US);
        }
        graph.AddLink(5, other, 100 * GBPS, US);
        graph.AddLink(rack, other, 100 * GBPS, 10 * US);
        FabricHelper helper;
        helper.SetCongestionControl("ns3::DcqcnCongestionControl");
        helper.SetMarkingProfile("ns3::WredMarkingProfile");
        helper.AddModifier("ns3::RttEcnRecoveryModifier", "Threshold", TimeValue(threshold));
        TestNetwork network(graph, helper);
        for (uint32_t i = 0; i < 4; ++i)
        {
            network.MessagesOf(i).SendAt(0, 4, 1000000000, i);
        }
        double sum = 0;
        for (uint32_t us = 0; us < 4000; ++us)
        {
            Simulator::Stop(MicroSeconds(1));
            Simulator::Run();
            sum +=
                us < 1000 ? 0 : network.fabric->GetPort(rack, 4)->GetQueue().GetDisc()->GetNBytes();
        }
        return sum / 3000;
    }

    void DoRun() override
    {
        for (uint32_t run = 1; run <= 3; ++run)
        {
            const double byDefault = Measure(Seconds(0), run);
            const double byPair = Measure(NanoSeconds(4362), run); // 4361.92 ns
            const double byT = Measure(NanoSeconds(24458), run);   // 24,457.92 ns
            NS_LOG_INFO("run " << run << ": " << byDefault << " B, by the pair " << byPair
                               << ", by T " << byT);
            NS_TEST_EXPECT_MSG_EQ_TOL(byDefault, byPair, 0.2 * byPair, "default, run " << run);
            NS_TEST_EXPECT_MSG_LT(2 * byDefault, byT, "by T, run " << run);
        }
    }
};

/// Base RTTs of pairs.
const SuiteCases g_cases("dcfabric-topology", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new PairRttPathTestCase("PathInfo: the base RTT of the pair beside T"));
    suite.AddTestCase(new PairRttNetworksTestCase(
        "all pairs of several networks, and longer ways on spanning trees"));
    suite.AddTestCase(
        new PairRttThresholdTestCase("recovery and RTT excess by the pair, whatever T is"));
    suite.AddTestCase(
        new PairRttRackTestCase("recovery in a rack holds the queue of the pair's threshold"));
});

} // namespace ns3::tests::pair_rtt_test
