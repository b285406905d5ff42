// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-control.h"
#include "fabric-test-results.h"
#include "fabric-test-schedule.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"

#include "ns3/ack-timeout.h"
#include "ns3/double.h"
#include "ns3/fabric-topology.h"
#include "ns3/nstime.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Time-outs of senders by round-trip times.
 */

namespace ns3::tests::ack_timeout_test
{

using namespace by_hand;

/**
 * @ingroup dcfabric-tests
 * @brief SRTT and RTTVAR by hand.
 */
class AckTimeoutTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // base RTT 4 us: 200 of them before the first RTT, then at least 1
        AckTimeout timeout;
        timeout.Start({0, 200, 1}, 4 * US);
        NS_TEST_EXPECT_MSG_EQ(timeout.GetPs(), 800 * US, "no RTT yet");
        // R: SRTT 8 us, RTTVAR 4 us: 8 + 16
        timeout.Measure(10 * US, 8 * US);
        NS_TEST_EXPECT_MSG_EQ(timeout.GetPs(), 24 * US, "the first");
        // the next after an SRTT, unless it is above half the time-out
        timeout.Measure(17 * US, 12 * US);
        NS_TEST_EXPECT_MSG_EQ(timeout.GetPs(), 24 * US, "too early");
        // RTTVAR 3/4 x 4 + 1/4 x 4 = 4 us, SRTT 7/8 x 8 + 1/8 x 12 = 8.5 us
        timeout.Measure(18 * US, 12 * US);
        NS_TEST_EXPECT_MSG_EQ(timeout.GetPs(), 24500000, "after an SRTT");
        // at once: RTTVAR 3/4 x 4 + 1/4 x 12 = 6 us, SRTT 7/8 x 8.5 + 1/8 x 20.5 = 10 us
        timeout.Measure(19 * US, 20500000);
        NS_TEST_EXPECT_MSG_EQ(timeout.GetPs(), 34 * US, "above half of 24.5 us");
        // constant RTTs of 10 us: RTTVAR goes to 0, the time-out to the RTT
        for (int64_t us = 40; us < 2000; us += 20)
        {
            timeout.Measure(us * US, 10 * US);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(timeout.GetPs(), 10 * US, 100, "no deviation");
        timeout.Start({0, 200, 25}, 4 * US);
        timeout.Measure(0, 8 * US);
        NS_TEST_EXPECT_MSG_EQ(timeout.GetPs(), 100 * US, "at least 25 base RTTs");
        timeout.Measure(100 * US, 208 * US); // 50 + 3 us, 25 + 8 us
        NS_TEST_EXPECT_MSG_EQ(timeout.GetPs(), 33 * US + 4 * 53 * US, "more than that");
        // fixed; and limits
        timeout.Start({7 * US, 200, 25}, 4 * US);
        timeout.Measure(1000 * US, 500 * US);
        NS_TEST_EXPECT_MSG_EQ(timeout.GetPs(), 7 * US, "fixed");
        timeout.Start({0, 1e6, 1e6}, INT64_MAX / 2);
        NS_TEST_EXPECT_MSG_EQ(timeout.GetPs(), 1000000000000000, "1000 s at most");
        timeout.Start({0, 1, 1}, 0);
        NS_TEST_EXPECT_MSG_EQ(timeout.GetPs(), 1, "never at once");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Networks: long links, racks, slow paces, pauses.
 */
class TimeoutNetworkTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// Links of 1 ms: base RTT 12 ms. Nothing is lost, nothing may be sent again.
    void LongLinks()
    {
        for (const int64_t ms : {0, 4})
        {
            FabricHelper helper;
            helper.SetFlowControl("none"); // headroom of 25 MB a class would be needed
            helper.SetNicAttribute("AckTimeout", TimeValue(MilliSeconds(ms)));
            CapturedWarnings heard;
            TestNetwork network(
                MakeChain(std::vector<uint64_t>(6, 100 * GBPS), std::vector<int64_t>(6, 1000 * US)),
                helper);
            const std::vector<std::string>& warnings = heard.texts;
            network.MessagesOf(0).SendAt(0, 1, 1000000, 0);
            Simulator::Run();
            const auto& counters = network.Nic(0).GetCounters();
            NS_TEST_EXPECT_MSG_EQ((counters.retransmitted == 0), (ms == 0), ms << " ms");
            NS_TEST_EXPECT_MSG_EQ((counters.timeouts == 0), (ms == 0), ms << " ms");
            // a fixed one below the base RTT is warned of
            NS_TEST_ASSERT_MSG_EQ(warnings.size(), (ms == 0 ? 0U : 1U), ms << " ms");
            NS_TEST_EXPECT_MSG_EQ(
                (ms == 0 || warnings[0].find("12000.576 us") != std::string::npos),
                true,
                (ms == 0 ? "none" : warnings[0]));
        }
    }

    /**
     * @brief Lose packets of a message in a rack.
     * @param packets of the message
     * @param lost of these, the first copy
     * @param endPs when it should be acknowledged
     * @param flowControl TypeId, or none
     * @param leastRtts LeastTimeoutRtts
     */
    void ExpectEnd(uint32_t packets,
                   uint32_t lost,
                   int64_t endPs,
                   const std::string& flowControl = "none",
                   double leastRtts = 0)
    {
        FabricHelper helper;
        helper.SetFlowControl(flowControl);
        helper.SetNicAttribute("LeastTimeoutRtts", DoubleValue(leastRtts));
        helper.SetReliability("ns3::SelectiveRepeat", "ProbeRtts", DoubleValue(0));
        TestNetwork network(MakeStar(2), helper);
        const Ptr<PacketTap> tap = AddTap(network, 2);
        LoseCopies lose(FabricPacketType::DATA, {{lost, 1}});
        tap->SetRule(lose);
        network.MessagesOf(0).SendAt(0, 1, packets * 1000, 1);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(TestNetwork::Find(network.completed, 1).nowPs,
                              endPs,
                              "packet " << lost << " of " << packets << ", " << flowControl);
        NS_TEST_EXPECT_MSG_EQ(network.Nic(0).GetCounters().timeouts, 1, "time-outs");
        NS_TEST_EXPECT_MSG_EQ(network.Nic(0).GetCounters().retransmitted, 1, "sent again");
    }

    /// An ACK for 16 packets, which take 1.36 ms at 100 Mb/s: longer than 25 RTTs of 4.192 us.
    void SlowPace()
    {
        FabricHelper helper;
        helper.SetCongestionControl(FixedCongestionControl::Name(), "Rate", DoubleValue(1e8));
        helper.SetNicAttribute("AckEvery", UintegerValue(16));
        TestNetwork network(MakeStar(2), helper);
        network.MessagesOf(0).SendAt(0, 1, 100000, 1);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 1, "complete");
        NS_TEST_EXPECT_MSG_EQ(network.Nic(0).GetCounters().timeouts, 0, "slow is not lost");
    }

    /// The sender's link is paused for 3 ms, as by PFC, after the last packet was lost: it could
    /// not be sent again, so that no time-out tells the control of a loss before the link is free.
    void Paused()
    {
        TestNetwork network(MakeStar(2));
        const Ptr<PacketTap> tap = AddTap(network, 2);
        LoseCopies lose(FabricPacketType::DATA, {{9, 1}});
        tap->SetRule(lose);
        network.MessagesOf(0).SendAt(0, 1, 10000, 1);
        FabricNetDevice* port = network.fabric->GetPort(0, 0);
        CallIn(MicroSeconds(50), [port]() { port->SetPausedClasses(1U << 3); });
        CallIn(MicroSeconds(3050), [port]() { port->SetPausedClasses(0); });
        Simulator::Stop(MicroSeconds(3050));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.Nic(0).GetCounters().timeouts, 0, "paused");
        Simulator::Stop(MilliSeconds(10));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.Nic(0).GetCounters().timeouts, 1, "free");
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 1, "complete");
        NS_TEST_EXPECT_MSG_LT(network.completed[0].nowPs, 10000 * US, "in time");
    }

    /**
     * @brief An incast in a lossless network, of which no packet may be sent again.
     * @param cc congestion control
     * @param balancer load balancing at hosts; empty: ECMP
     * @param hosts at each leaf, all but one of which send
     */
    void ExpectNoneAgain(const std::string& cc, const std::string& balancer, uint32_t hosts)
    {
        const std::string what = cc + ' ' + balancer;
        FabricHelper helper;
        if (!balancer.empty())
        {
            helper.SetLoadBalancer("ns3::" + balancer + "LoadBalancer");
        }
        helper.SetCongestionControl("ns3::" + cc + "CongestionControl");
        const bool marks = cc == "Dcqcn" || cc == "Dctcp" || cc == "Nscc";
        helper.SetMarkingProfile(marks ? "ns3::WredMarkingProfile" : "none");
        if (cc == "Hpcc")
        {
            helper.AddSwitchFeature("ns3::HpccIntFeature");
        }
        TestNetwork network(
            MakeFabricTopology("leaf-spine:leaves=4,spines=4,hosts=" + std::to_string(hosts))
                ->BuildGraph(),
            helper);
        // besides the incast, each host sends to the next leaf, so that paths differ
        for (uint32_t i = 1; i < 4 * hosts; ++i)
        {
            network.MessagesOf(i).SendAt(0, 0, 500000, i);
            network.MessagesOf(i).SendAt(0, (i + hosts) % (4 * hosts), 500000, 1000 + i);
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 2 * (4 * hosts - 1), what << ": complete");
        NS_TEST_EXPECT_MSG_EQ(network.Sum(&FabricNic::Counters::retransmitted), 0, what);
        NS_TEST_EXPECT_MSG_EQ(network.Sum(&FabricNic::Counters::timeouts), 0, what);
        m_reordered += network.Sum(&FabricNic::Counters::reordered);
    }

    void DoRun() override
    {
        LongLinks();
        // The last of ten packets is lost: the ACK of 8 is back at 8 F + RTT. 25 RTTs later 9 goes
        // again. It was a thousand RTTs.
        ExpectEnd(10, 9, 8 * F + RTT + 25 * RTT + RTT);
        // where flow control keeps links from dropping, 200; an attribute says otherwise
        ExpectEnd(10, 9, 8 * F + RTT + 200 * RTT + RTT, "ns3::PriorityFlowControl");
        ExpectEnd(10, 9, 8 * F + RTT + 30 * RTT + RTT, "ns3::PriorityFlowControl", 30);
        ExpectEnd(10, 9, 8 * F + RTT + 60 * RTT + RTT, "none", 60);
        // the only packet: there is no RTT yet
        ExpectEnd(1, 0, 200 * RTT + RTT);
        SlowPace();
        Paused();
        for (const std::string cc : {"No", "Dcqcn", "Dctcp", "Timely", "Swift", "Hpcc"})
        {
            ExpectNoneAgain(cc, "", 8);
        }
        NS_TEST_EXPECT_MSG_EQ(m_reordered, 0, "each flow has one path");
        for (const std::string cc : {"Dctcp", "Swift", "Hpcc"})
        {
            ExpectNoneAgain(cc, "", 32);
        }
        // what overtakes is no loss, by order of sending, either
        for (const std::string balancer :
             {"RandomSpray", "RoundRobinSpray", "Reps", "BitmapSpray", "RingReps", "Mrc"})
        {
            for (const std::string cc : {"Dcqcn", "Dctcp", "Swift", "Nscc"})
            {
                m_reordered = 0;
                ExpectNoneAgain(cc, balancer, 8);
                NS_TEST_EXPECT_MSG_GT(m_reordered, 100, cc << ' ' << balancer << ": overtaking");
            }
        }
    }

    uint64_t m_reordered{0}; //!< packets that came behind later ones
};

/// Time-outs by round-trip times.
const SuiteCases g_cases("dcfabric-reliability", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new AckTimeoutTestCase("time-out by the formula of RFC 6298"));
    suite.AddTestCase(
        new TimeoutNetworkTestCase("time-outs by base RTT, in racks and over long links"));
});

} // namespace ns3::tests::ack_timeout_test
