// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-congestion.h"
#include "fabric-test-results.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"
#include "fabric-test-wings.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/nstime.h"
#include "ns3/pdc-policy-helper.h"
#include "ns3/swift-congestion-control.h"
#include "ns3/test.h"
#include "ns3/timely-congestion-control.h"

#include <cstdint>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Targets of Swift and TIMELY in networks of any delay.
 */

namespace ns3::tests::delay_target_test
{

/**
 * @param tUs T
 * @param pairUs base RTT of the pair
 * @return a path of 100 Gb/s over three switches
 */
PathInfo
MakePairPath(int64_t tUs, int64_t pairUs)
{
    PathInfo path = MakePath(100 * GBPS, tUs * US);
    path.pairRttPs = pairUs * US;
    path.switches = 3;
    return path;
}

/**
 * @ingroup dcfabric-tests
 * @brief Swift's target.
 */
class SwiftBaseRttTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief Compare at a window of 100 packets, where flows add nothing.
     * @param add AddBaseRtt
     * @param hopUs HopTarget
     * @param pairUs base RTT
     * @param us target
     */
    void Expect(bool add, int64_t hopUs, int64_t pairUs, double us)
    {
        const auto cc =
            CreateObjectWithAttributes<SwiftCongestionControl>("AddBaseRtt",
                                                               BooleanValue(add),
                                                               "HopTarget",
                                                               TimeValue(MicroSeconds(hopUs)));
        cc->Start(MakePairPath(80, pairUs), nullptr);
        NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetTargetPs(100),
                                  us * US,
                                  1,
                                  pairUs << " us, " << hopUs << " us a hop, " << add);
    }

    void DoRun() override
    {
        // T is 80 us throughout. 20 us beyond the base RTT; three hops add their own.
        Expect(true, 0, 4, 24);
        Expect(true, 0, 60, 80);
        Expect(true, 2, 60, 86);
        Expect(false, 2, 60, 26);
        Expect(false, 0, 4, 20);

        // A lone flow whose RTT is 60 us without any queue: it must not be cut. Growth: 1 packet
        // for a window.
        const auto cc = CreateObject<SwiftCongestionControl>();
        cc->SetAttribute("InitialWindow", DoubleValue(500));
        cc->Start(MakePairPath(80, 60), nullptr);
        cc->Acknowledge(MakePacketAck(60 * US, false, 1000, 500000, 60 * US));
        NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetFabricWindow(), 500 + 1.0 / 500, 1e-9, "grows");
        NS_TEST_EXPECT_MSG_EQ(cc->GetReductions(), 0, "no cut");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief TIMELY's thresholds.
 */
class TimelyBaseRttTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    static constexpr int64_t FRAME = 84960; //!< 1062 B at 100 Gb/s, which is not counted

    /**
     * @param pairUs base RTT
     * @param referenceUs attribute
     * @param rttsPs RTTs less the packet's own time, 10 ms apart
     * @return rate after events of given RTTs, from 50 Gb/s
     */
    double After(int64_t pairUs, int64_t referenceUs, const std::vector<int64_t>& rttsPs)
    {
        const auto cc = CreateObjectWithAttributes<TimelyCongestionControl>(
            "InitialRate",
            DataRateValue(DataRate(50 * GBPS)),
            "ReferenceRtt",
            TimeValue(MicroSeconds(referenceUs)));
        cc->Start(MakePairPath(80, pairUs), nullptr);
        AckInfo ack;
        for (const int64_t rttPs : rttsPs)
        {
            ack.nowPs += 10000 * US;
            ack.rttPs = rttPs + FRAME;
            ack.cumulativeBytes += 16000;
            cc->Acknowledge(ack);
        }
        return cc->GetRate();
    }

    void DoRun() override
    {
        // A step is 10 Mb/s x 10. Two events: the first has no gradient and adds a step unless it
        // is above T_high, so that a falling second one tells nothing; a rising one does: below
        // T_low it adds another step, from T_low on it lowers the rate.
        constexpr double G = 1e9;
        for (const auto& [pairUs, lowUs] :
             {std::pair<int64_t, int64_t>{4, 50}, {20, 50}, {21, 51}, {60, 90}, {1200, 1230}})
        {
            const int64_t lowPs = lowUs * US;
            NS_TEST_EXPECT_MSG_EQ_TOL(After(pairUs, 20, {lowPs - 3, lowPs - 1}),
                                      50.2 * G,
                                      1,
                                      "below T_low, " << pairUs << " us");
            NS_TEST_EXPECT_MSG_LT(After(pairUs, 20, {lowPs - 1, lowPs}),
                                  50.1 * G,
                                  "at T_low, " << pairUs << " us");
            // T_high is 450 us above: R (1 - 0.8 (1 - T_high / RTT)) beyond it
            const int64_t highPs = lowPs + 450 * US;
            NS_TEST_EXPECT_MSG_EQ_TOL(After(pairUs, 20, {highPs}),
                                      50.1 * G,
                                      1,
                                      "at T_high, " << pairUs << " us");
            NS_TEST_EXPECT_MSG_EQ_TOL(After(pairUs, 20, {2 * highPs}),
                                      50 * G * 0.6,
                                      1,
                                      "twice T_high, " << pairUs << " us");
        }
        // the gradient is by the larger of base RTT and ReferenceRtt: 0.02 x 6 us over 60 us or
        // over 20 us, times 0.8
        NS_TEST_EXPECT_MSG_EQ_TOL(After(60, 20, {100 * US, 106 * US}),
                                  50.1 * G * (1 - 0.8 * 0.002),
                                  1,
                                  "MinRtt of 60 us");
        NS_TEST_EXPECT_MSG_EQ_TOL(After(4, 20, {100 * US, 106 * US}),
                                  50.1 * G * (1 - 0.8 * 0.006),
                                  1,
                                  "MinRtt of 20 us");
        // without ReferenceRtt thresholds stay where they are
        NS_TEST_EXPECT_MSG_EQ_TOL(After(1200, 0, {1000 * US}),
                                  50 * G * 0.6,
                                  1,
                                  "twice the T_high of 500 us");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Warnings of targets below the base RTT.
 */
class MisfitTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief Compare.
     * @param cc control
     * @param pairUs base RTT
     * @param part of the warning, empty: there is none
     */
    void Expect(Ptr<CongestionControl> cc, int64_t pairUs, const std::string& part)
    {
        const std::string text = cc->FindMisfit(MakePairPath(80, pairUs)).Say();
        NS_TEST_EXPECT_MSG_EQ(text.empty(), part.empty(), pairUs << " us: " << text);
        NS_TEST_EXPECT_MSG_EQ((text.find(part) != std::string::npos), true, text);
    }

    /**
     * @param helper policies
     * @param own policy of host 0, null: none
     * @return warnings of a star with links of 15 us
     */
    std::vector<std::string> Install(FabricHelper helper, const PdcPolicyHelper* own = nullptr)
    {
        const CapturedWarnings warnings;
        const Ptr<Fabric> fabric = helper.Install(MakeStar(2, 15 * US));
        if (own)
        {
            own->Install(fabric, fabric->GetNodes().Get(0));
        }
        Simulator::Destroy();
        return warnings.texts;
    }

    void DoRun() override
    {
        const auto swift =
            CreateObjectWithAttributes<SwiftCongestionControl>("AddBaseRtt", BooleanValue(false));
        Expect(swift, 20, "");
        Expect(swift, 21, "target of 20.000 us for the fabric delay, below the base RTT of 21.000");
        Expect(CreateObject<SwiftCongestionControl>(), 10000, "");
        const auto timely =
            CreateObjectWithAttributes<TimelyCongestionControl>("ReferenceRtt",
                                                                TimeValue(Seconds(0)));
        Expect(timely, 50, "");
        Expect(timely, 51, "LowThreshold of 50.000 us is below the base RTT of 51.000 us");
        Expect(timely, 500, "LowThreshold");
        Expect(timely, 501, "HighThreshold of 500.000 us is below the base RTT of 501.000 us");
        timely->SetAttribute("LowThreshold", TimeValue(Seconds(0))); // meant so
        Expect(timely, 60, "");
        Expect(CreateObject<TimelyCongestionControl>(), 10000, "");

        // base RTT 4 x 15 us and two links of 96 ns
        FabricHelper fixed;
        fixed.SetCongestionControl("ns3::SwiftCongestionControl",
                                   "AddBaseRtt",
                                   BooleanValue(false));
        const auto warnings = Install(fixed);
        NS_TEST_ASSERT_MSG_EQ(warnings.size(), 1, "one for the network");
        NS_TEST_EXPECT_MSG_EQ((warnings[0].find("60.192 us") != std::string::npos),
                              true,
                              warnings[0]);
        FabricHelper byTopology;
        byTopology.SetCongestionControl("ns3::SwiftCongestionControl");
        NS_TEST_EXPECT_MSG_EQ(Install(byTopology).size(), 0, "no need");
        PdcPolicyHelper own;
        own.SetCongestionControl("ns3::TimelyCongestionControl",
                                 "ReferenceRtt",
                                 TimeValue(Seconds(0)));
        NS_TEST_EXPECT_MSG_EQ(Install(byTopology, &own).size(), 1, "of one host");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Networks with long links.
 */
class LongLinksTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief A lone flow takes the ideal time.
     * @param type control
     * @param delayUs of six links
     */
    void ExpectLone(const std::string& type, int64_t delayUs)
    {
        if (!HasClass("ideal-times"))
        {
            return;
        }
        FabricHelper helper;
        helper.SetCongestionControl(type);
        TestNetwork network(
            MakeChain(std::vector<uint64_t>(6, 100 * GBPS), std::vector<int64_t>(6, delayUs * US)),
            helper);
        constexpr uint64_t BYTES = 20000000;
        network.MessagesOf(0).SendAt(0, 1, BYTES, 0);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(network.delivered.size(), 1, "delivered");
        NS_TEST_EXPECT_MSG_EQ(network.delivered[0].nowPs,
                              network.fabric->GetIdealFctPs(0, 1, BYTES),
                              type << ", " << delayUs << " us");
        NS_TEST_EXPECT_MSG_EQ(network.Nic(0).GetSendingPdcs().GetTotals().reductions, 0, "no cut");
    }

    /**
     * @brief Four flows into one link, over two links each.
     * @param type control
     * @param delayUs of a link
     * @param queueUs longest queue in us
     * @param use least part of the link that is used
     * @param ms when shares are looked at
     */
    void ExpectShares(const std::string& type,
                      int64_t delayUs,
                      double queueUs,
                      double use,
                      int64_t ms)
    {
        constexpr uint32_t N = 4;
        FabricHelper helper;
        helper.SetCongestionControl(type);
        TestNetwork network(MakeStar(N + 1, delayUs * US), helper);
        for (uint32_t i = 0; i < N; ++i)
        {
            network.MessagesOf(i).SendAt(0, N, 10000000000, i);
        }
        Simulator::Stop(MilliSeconds(ms));
        Simulator::Run();
        const uint64_t before = network.Nic(N).GetCounters().bytesDelivered;
        double longest = 0;
        constexpr uint32_t STEPS = 400;
        for (uint32_t step = 0; step < STEPS; ++step)
        {
            Simulator::Stop(MicroSeconds(10));
            Simulator::Run();
            longest = std::max<double>(
                longest,
                network.fabric->GetPort(N + 1, N)->GetQueue().GetDisc()->GetNBytes());
        }
        const auto bytes =
            static_cast<double>(network.Nic(N).GetCounters().bytesDelivered - before);
        // 1000 of 1082 B are payload
        NS_TEST_EXPECT_MSG_GT(bytes * 8 * 1.082 / (STEPS * 10e-6),
                              use * 100e9,
                              type << ": use of the link, " << delayUs << " us");
        NS_TEST_EXPECT_MSG_LT(longest, queueUs * 12500, type << ": queue, " << delayUs << " us");
    }

    void DoRun() override
    {
        for (const int64_t delayUs : {1, 5, 100})
        {
            ExpectLone("ns3::SwiftCongestionControl", delayUs);
            ExpectLone("ns3::TimelyCongestionControl", delayUs);
        }
        // Base RTT 20 us: Swift holds 20 us of queue, and a packet of each flow in the RTT before
        // they see it and the one until it shows (8 x 86 ns); TIMELY leaves it below
        // 480 us, and the link idle for a while when all rates have fallen. Base RTT 80 us: the
        // same.
        for (const int64_t delayUs : {5, 20})
        {
            ExpectShares("ns3::SwiftCongestionControl", delayUs, 20 + 0.7, 0.99, 4);
            ExpectShares("ns3::TimelyCongestionControl", delayUs, 480, 0.85, 20);
        }
    }
};

/// Targets by the topology.
const SuiteCases g_cases("dcfabric-delay-control", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(
        new SwiftBaseRttTestCase("Swift: the target counts from the base RTT of the pair"));
    suite.AddTestCase(
        new TimelyBaseRttTestCase("TIMELY: thresholds move by what the base RTT has beyond 20 us"));
    suite.AddTestCase(new MisfitTestCase("warnings of targets below the base RTT"));
    suite.AddTestCase(new LongLinksTestCase(
        "Swift and TIMELY over links of 1, 5 and 100 us: lone flows, shares, queues"));
});

} // namespace ns3::tests::delay_target_test
