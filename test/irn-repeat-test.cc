// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"

#include "ns3/loss-episode.h"
#include "ns3/object-factory.h"
#include "ns3/reliability-policy.h"
#include "ns3/send-window.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Recovery, cap and time-outs of IRN.
 */

namespace ns3::tests::irn_repeat_test
{

using namespace by_hand;

/// @return the policy
Ptr<ReliabilityPolicy>
MakeIrn()
{
    ObjectFactory factory;
    factory.SetTypeId("ns3::IrnRepeat");
    return factory.Create<ReliabilityPolicy>();
}

/**
 * @ingroup dcfabric-tests
 * @brief The rules, on a window.
 */
class RecoveryTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const Ptr<ReliabilityPolicy> irn = MakeIrn();
        SendWindow window;
        NS_TEST_EXPECT_MSG_EQ(irn->Start(window, RTT, false), false, "neither timers nor probes");
        const LossEpisode& episode = *window.GetEpisode();
        for (int i = 0; i < 10; ++i)
        {
            window.TakeNext(0);
        }
        window.Acknowledge(2);
        NS_TEST_EXPECT_MSG_EQ(irn->OnAck(window, 0, 0), 0, "in order");
        NS_TEST_EXPECT_MSG_EQ(episode.endSeq, 0, "no recovery");
        // the first packet out of order: recovery until 10 is next, and 2 is sent again
        window.Sack(3);
        NS_TEST_EXPECT_MSG_EQ(irn->OnAck(window, 0, 0), 1, "2");
        NS_TEST_EXPECT_MSG_EQ(window.IsLost(2), true, "2");
        NS_TEST_EXPECT_MSG_EQ(episode.endSeq, 10, "recovery_seq");
        NS_TEST_EXPECT_MSG_EQ(irn->OnAck(window, 0, 0), 0, "the same again");
        uint64_t seq = 0;
        NS_TEST_EXPECT_MSG_EQ(window.PeekLost(seq), true, "2");
        window.TakeLost(0);
        // 4 and 5 are missing before 6; 2, sent again and still missing, is not sent a third time
        window.Sack(6);
        NS_TEST_EXPECT_MSG_EQ(irn->OnAck(window, 0, 0), 2, "4 and 5");
        window.Sack(7);
        NS_TEST_EXPECT_MSG_EQ(irn->OnAck(window, 0, 0), 0, "2 neither");
        NS_TEST_EXPECT_MSG_EQ(window.IsLost(2), false, "on its way again");
        // beyond what had been sent when the recovery began
        window.TakeLost(0);
        window.TakeLost(0);
        for (int i = 0; i < 3; ++i)
        {
            window.TakeNext(0); // 10 to 12
        }
        window.Sack(11);
        NS_TEST_EXPECT_MSG_EQ(irn->OnAck(window, 0, 0), 3, "8, 9 and 10");
        NS_TEST_EXPECT_MSG_EQ(episode.endSeq, 10, "the same recovery");
        // over: what is missing then begins another, in which it is sent again once more
        for (int i = 0; i < 3; ++i)
        {
            window.TakeLost(0);
        }
        window.Acknowledge(10);
        NS_TEST_EXPECT_MSG_EQ(irn->OnAck(window, 0, 0), 1, "10");
        NS_TEST_EXPECT_MSG_EQ(episode.endSeq, 13, "the next recovery");
        window.TakeLost(0);
        window.Acknowledge(13);
        NS_TEST_EXPECT_MSG_EQ(irn->OnAck(window, 0, 0), 0, "all");
        NS_TEST_EXPECT_MSG_EQ(episode.endSeq, 0, "over");

        // a time-out begins one, and sends all that is missing
        for (int i = 0; i < 4; ++i)
        {
            window.TakeNext(0); // 13 to 16
        }
        irn->OnTimeout(window, 0);
        NS_TEST_EXPECT_MSG_EQ(window.GetNLost(), 4, "all");
        NS_TEST_EXPECT_MSG_EQ(episode.endSeq, 17, "recovery");
        for (int i = 0; i < 4; ++i)
        {
            window.TakeLost(0);
        }
        window.Sack(14);
        NS_TEST_EXPECT_MSG_EQ(irn->OnAck(window, 0, 0), 0, "13 was sent again once");
        // told by somebody else
        NS_TEST_EXPECT_MSG_EQ(irn->OnDropNotice(window, 13, 0), 1, "it is lost");
        NS_TEST_EXPECT_MSG_EQ(irn->OnDropNotice(window, 13, 0), 0, "twice");
        NS_TEST_EXPECT_MSG_EQ(irn->OnNack(window, 0, 0), 0, "no receiver sends one");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Limits that follow from the network, or are given.
 */
class LimitsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const Ptr<ReliabilityPolicy> irn = MakeIrn();
        constexpr int64_t PAPER_RTT = 24000000; // ps
        SendLimits limits = irn->GetLimits(104000, 1000, PAPER_RTT, false);
        NS_TEST_EXPECT_MSG_EQ(limits.aheadBytes, 104000, "that of the path");
        NS_TEST_EXPECT_MSG_EQ(limits.timeoutPs, 320000000, "in the network of the paper");
        NS_TEST_EXPECT_MSG_EQ(limits.shortTimeoutPs, 100000000, "in the network of the paper");
        NS_TEST_EXPECT_MSG_EQ(limits.shortBytes, 3000, "three packets");
        NS_TEST_EXPECT_MSG_EQ(irn->GetLimits(10, 1000, PAPER_RTT, false).aheadBytes,
                              1000,
                              "a packet at least");
        NS_TEST_EXPECT_MSG_EQ(irn->GetLimits(104000, 1000, PAPER_RTT, true).timeoutPs,
                              0,
                              "the usual one where nothing is dropped");
        irn->SetAttribute("RtoHigh", StringValue("320us"));
        limits = irn->GetLimits(104000, 1000, RTT, true);
        NS_TEST_EXPECT_MSG_EQ(limits.timeoutPs, 320000000, "given");
        NS_TEST_EXPECT_MSG_EQ(limits.shortTimeoutPs, 320000000, "given");
        NS_TEST_EXPECT_MSG_EQ(limits.leastSrtts, 0, "as it is given");
        irn->SetAttribute("RtoLow", StringValue("100us"));
        irn->SetAttribute("BdpBytes", UintegerValue(5000));
        limits = irn->GetLimits(104000, 1000, RTT, true);
        NS_TEST_EXPECT_MSG_EQ(limits.shortTimeoutPs, 100000000, "given");
        NS_TEST_EXPECT_MSG_EQ(limits.aheadBytes, 5000, "given");
        NS_TEST_EXPECT_MSG_EQ(limits.IsEmpty(), false, "");
        NS_TEST_EXPECT_MSG_EQ(
            CreateObject<SelectiveRepeat>()->GetLimits(104000, 1000, RTT, true).IsEmpty(),
            true,
            "others have none");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief One path, by hand: packets leave one after the other, in F each, and take an RTT.
 */
class NetworkTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief Send a message.
     * @param bytes of it
     * @param bdpBytes cap
     * @param which lost copies
     * @param endPs when it is acknowledged
     * @param timeouts in all
     * @param again packets sent again
     */
    void ExpectEnd(uint64_t bytes,
                   uint64_t bdpBytes,
                   const std::vector<std::pair<uint32_t, uint32_t>>& which,
                   int64_t endPs,
                   uint64_t timeouts,
                   uint64_t again)
    {
        FabricHelper helper;
        helper.SetFlowControl("none");
        helper.SetCongestionControl("ns3::NoCongestionControl");
        helper.SetReliability("ns3::IrnRepeat",
                              "BdpBytes",
                              UintegerValue(bdpBytes),
                              "RtoHigh",
                              StringValue("320us"),
                              "RtoLow",
                              StringValue("100us"));
        TestNetwork network(MakeStar(2), helper);
        AddTap(network, 2)->SetRule(LoseCopies(DATA, which));
        network.MessagesOf(0).SendAt(0, 1, bytes, 1);
        Simulator::Run();
        const std::string what =
            std::to_string(bytes) + " bytes, " + std::to_string(which.size()) + " lost";
        const FabricNic::Counters& from = network.Nic(0).GetCounters();
        NS_TEST_EXPECT_MSG_EQ(TestNetwork::Find(network.completed, 1).nowPs, endPs, what);
        NS_TEST_EXPECT_MSG_EQ(from.timeouts, timeouts, what);
        NS_TEST_EXPECT_MSG_EQ(from.retransmitted, again, what);
        NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, what);
    }

    void DoRun() override
    {
        constexpr int64_t LOW = 100000000;
        constexpr int64_t HIGH = 320000000;
        // MTU 1000, cap 5000: 5 packets go out (that at 4000 is the last one below the cap), and
        // each ACK of 1000 lets one more go: 20 packets in four RTTs.
        ExpectEnd(20000, 5000, {}, 4 * RTT + 4 * F, 0, 0);
        // one byte more lets a sixth go: 18 packets in three RTTs
        ExpectEnd(18000, 5001, {}, 3 * RTT + 5 * F, 0, 0);
        ExpectEnd(20000, 100000, {}, 19 * F + RTT, 0, 0);
        // 5 is found with the ACK of 6, when all 20 have left
        ExpectEnd(20000, 100000, {{5, 1}}, 6 * F + 2 * RTT, 0, 1);
        ExpectEnd(20000, 100000, {{5, 1}, {10, 1}}, 11 * F + 2 * RTT, 0, 2);
        // Lost again it waits for the time-out after the last ACK, with 5 to 19 ahead.
        ExpectEnd(20000, 100000, {{5, 1}, {5, 2}}, 19 * F + RTT + HIGH + RTT, 1, 2);
        // 3000 B ahead, all lost: after the last packet, that at 2 F, the short time-out
        ExpectEnd(3000, 100000, {{0, 1}, {1, 1}, {2, 1}}, 2 * F + LOW + 2 * F + RTT, 1, 3);
        // 4 packets, 3001 B: the long one; by 3 F all have left. The last has 83 bytes on the wire,
        // 6.64 ns: it arrives so long after the third, and its ACK waits for that of the third.
        constexpr int64_t LAST = 83 * 80;
        ExpectEnd(3001,
                  100000,
                  {{0, 1}, {1, 1}, {2, 1}, {3, 1}},
                  3 * F + HIGH + 3 * F + RTT - (F - LAST) + (A - LAST),
                  1,
                  4);
        // The last of four is lost; the ACKs of the others leave one byte ahead.
        ExpectEnd(3001, 100000, {{3, 1}}, 2 * F + RTT + LOW + RTT - 2 * (F - LAST), 1, 1);
        // A cap below a packet lets one go at a time.
        ExpectEnd(3000, 1, {}, 3 * RTT, 0, 0);
    }
};

/// IRN.
const SuiteCases g_cases("dcfabric-irn", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new RecoveryTestCase("IRN: recovery on a window"));
    suite.AddTestCase(new LimitsTestCase("IRN: cap and time-outs follow from the network"));
    suite.AddTestCase(new NetworkTestCase("IRN: one path by hand"));
});

} // namespace ns3::tests::irn_repeat_test
