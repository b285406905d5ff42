// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"

#include "ns3/double.h"
#include "ns3/loss-episode.h"
#include "ns3/send-window.h"
#include "ns3/sleek-repeat.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Losses by the count of packets out of order.
 */

namespace ns3::tests::sleek_repeat_test
{

using namespace by_hand;

/// Base RTT of a probe: 62 + 20 bytes at 80 ps, in place of a full packet.
constexpr int64_t PROBE_RTT = RTT - 2 * F + 2 * int64_t{82 * 80};

/**
 * @ingroup dcfabric-tests
 * @brief The rules, on a window.
 */
class EpisodeTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief Let packet 0 be missing.
     * @param windowPackets window of the congestion control
     * @return how many behind it have arrived when it is found lost
     */
    static uint32_t CountUntilLost(double windowPackets)
    {
        const Ptr<SleekRepeat> sleek = CreateObject<SleekRepeat>();
        SendWindow window;
        sleek->Start(window, RTT, false);
        window.GetEpisode()->windowPackets = windowPackets;
        for (uint32_t seq = 0; seq < 100; ++seq)
        {
            window.TakeNext(0);
        }
        uint32_t count = 0;
        while (sleek->OnAck(window, 0, 0) == 0 && count < 99)
        {
            window.Sack(++count);
        }
        return count;
    }

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(CountUntilLost(0), 5, "at least");
        NS_TEST_EXPECT_MSG_EQ(CountUntilLost(3), 5, "4.5");
        NS_TEST_EXPECT_MSG_EQ(CountUntilLost(4), 6, "1.5 x 4");
        NS_TEST_EXPECT_MSG_EQ(CountUntilLost(5), 8, "7.5");
        NS_TEST_EXPECT_MSG_EQ(CountUntilLost(40), 60, "1.5 x 40");

        // ten packets; the first is missing, and five behind it are not
        const Ptr<SleekRepeat> sleek = CreateObject<SleekRepeat>();
        SendWindow window;
        NS_TEST_EXPECT_MSG_EQ(sleek->Start(window, RTT, false), true, "it has probes");
        for (uint32_t seq = 0; seq < 10; ++seq)
        {
            window.TakeNext(0);
        }
        for (const uint64_t seq : {1, 2, 3, 4, 6})
        {
            window.Sack(seq);
        }
        NS_TEST_EXPECT_MSG_EQ(sleek->OnAck(window, 0, 0), 5, "0, 5, 7, 8, 9");
        NS_TEST_EXPECT_MSG_EQ(window.GetEpisode()->endSeq, 10, "until these are acknowledged");
        for (uint32_t again = 0; again < 5; ++again)
        {
            uint64_t seq = 0;
            NS_TEST_ASSERT_MSG_EQ(window.PeekLost(seq), true, "again");
            window.TakeLost(0);
        }
        NS_TEST_EXPECT_MSG_EQ(window.HasResent(), false, "nothing is kept of copies");
        for (uint32_t seq = 10; seq < 20; ++seq)
        {
            window.TakeNext(0);
        }
        for (const uint64_t seq : {5, 10, 11, 12, 13, 14})
        {
            window.Sack(seq);
        }
        NS_TEST_EXPECT_MSG_EQ(sleek->OnAck(window, 0, 0), 0, "within the episode");
        window.Acknowledge(7); // 0 has come
        NS_TEST_EXPECT_MSG_EQ(sleek->OnAck(window, 0, 0), 0, "not its end");
        window.Acknowledge(10);
        window.Acknowledge(15);
        for (const uint64_t seq : {16, 17, 18, 19})
        {
            window.Sack(seq);
        }
        NS_TEST_EXPECT_MSG_EQ(sleek->OnAck(window, 0, 0), 0, "its end, but only four");
        window.TakeNext(0);
        window.Sack(20);
        NS_TEST_EXPECT_MSG_EQ(sleek->OnAck(window, 0, 0), 1, "five: another");

        // probes: two base RTTs are the target, and the answer has to be shorter
        NS_TEST_EXPECT_MSG_EQ(sleek->OnProbeAnswer(window, 0, RTT), 0, "nothing is on its way");
        window.TakeNext(0);
        NS_TEST_EXPECT_MSG_EQ(sleek->OnProbeAnswer(window, 0, 2 * RTT), 0, "behind a queue");
        NS_TEST_EXPECT_MSG_EQ(sleek->OnProbeAnswer(window, 0, 2 * RTT - 1), 1, "within one, too");
        NS_TEST_EXPECT_MSG_EQ(sleek->GetProbeDelayPs(window, RTT, RTT), 2 * RTT, "at the end");
        window.GetEpisode()->hasBacklog = true;
        NS_TEST_EXPECT_MSG_EQ(sleek->GetProbeDelayPs(window, RTT, RTT), 3 * RTT, "else");
        window.TakeNext(0);
        NS_TEST_EXPECT_MSG_EQ(sleek->OnDropNotice(window, 22, 0), 1, "told");
        NS_TEST_EXPECT_MSG_EQ(sleek->OnDropNotice(window, 22, 0), 0, "twice");
        window.TakeNext(0);
        sleek->OnTimeout(window, 0);
        NS_TEST_EXPECT_MSG_EQ(window.GetNInFlight(), 0, "all is lost");
        NS_TEST_EXPECT_MSG_EQ(window.GetEpisode()->endSeq, 24, "an episode as well");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief One path, by hand: packets leave one after the other, in F each, and take an RTT.
 *
 * The BDP is RTT x 100 Gb/s: 52,400 B, 52.4 packets; without congestion control that is the window.
 */
class NetworkTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief Send a message.
     * @param packets of it
     * @param which lost copies
     * @param endPs when it is acknowledged
     * @param probes of it
     * @param again packets sent again
     * @param factor WindowFactor
     */
    void ExpectEnd(uint32_t packets,
                   const std::vector<std::pair<uint32_t, uint32_t>>& which,
                   int64_t endPs,
                   uint64_t probes,
                   uint64_t again,
                   double factor = 1.5)
    {
        FabricHelper helper;
        helper.SetFlowControl("none");
        helper.SetCongestionControl("ns3::NoCongestionControl");
        helper.SetReliability("ns3::SleekRepeat", "WindowFactor", DoubleValue(factor));
        TestNetwork network(MakeStar(2), helper);
        AddTap(network, 2)->SetRule(LoseCopies(DATA, which));
        network.MessagesOf(0).SendAt(0, 1, packets * 1000, 1);
        Simulator::Run();
        const std::string what = std::to_string(packets) + " packets, " +
                                 std::to_string(which.size()) + " lost, factor " +
                                 std::to_string(factor);
        const FabricNic::Counters& from = network.Nic(0).GetCounters();
        NS_TEST_EXPECT_MSG_EQ(TestNetwork::Find(network.completed, 1).nowPs, endPs, what);
        NS_TEST_EXPECT_MSG_EQ(from.timeouts, 0, what);
        NS_TEST_EXPECT_MSG_EQ(from.probesSent, probes, what);
        NS_TEST_EXPECT_MSG_EQ(from.retransmitted, again, what);
        NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, what);
    }

    void DoRun() override
    {
        // 78.6 packets have to arrive behind a missing one. Of 20, 14 do: after the last answer, of
        // 19 F + RTT, a probe goes two RTTs later, and brings packet 5 again.
        ExpectEnd(20, {{5, 1}}, 19 * F + 3 * RTT + PROBE_RTT + RTT, 1, 1);
        // likewise the last one, with the last answer of 18 F + RTT
        ExpectEnd(20, {{19, 1}}, 18 * F + 3 * RTT + PROBE_RTT + RTT, 1, 1);
        // Of 200, the 79th behind packet 5 is 84, answered at 84 F + RTT = 132.43 F: 5 and 85 to
        // 132 are lost. 5 goes at 133 F; 85 is answered before its turn, 86 to 132 half an F after
        // theirs: 48 packets in all, and the last new one leaves at (199 + 48) F.
        ExpectEnd(200, {{5, 1}}, 247 * F + RTT, 0, 48);
        // Five behind it: 10, answered at 10 F + RTT, when all have left: 5 and 11 to 19 go again,
        // just before each of these is answered; 5 is back at 10 F + 2 RTT.
        ExpectEnd(20, {{5, 1}}, 10 * F + 2 * RTT, 0, 10, 0);
        // 5 is lost again. All others go for the second time until 19 F + RTT, and two RTTs after
        // the last answer a probe goes, within the episode.
        ExpectEnd(20, {{5, 1}, {5, 2}}, 19 * F + 4 * RTT + PROBE_RTT + RTT, 1, 11, 0);
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A timer that was set while more was to be sent fires when nothing is left.
 *
 * Packets 0 to 59 leave in F each, the last one at 59 F. The ACK of packet 0 comes at RTT, which is
 * 48.4 F: more is to be sent, so that the timer is set for three RTTs later. All further ACKs are
 * lost. At 4 RTT nothing is left to send, and a probe was due two RTTs after the last packet, at
 * 59 F + 2 RTT or 3.2 RTT: it goes at once. Its answer acknowledges everything.
 */
class NothingLeftTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        FabricHelper helper;
        helper.SetFlowControl("none");
        helper.SetCongestionControl("ns3::NoCongestionControl");
        helper.SetReliability("ns3::SleekRepeat");
        TestNetwork network(MakeStar(2), helper);
        const auto tap = AddTap(network, 2);
        tap->SetRule([](const FabricPacketItem& item) {
            return item.type != ACK || item.ack.triggerPsn == 0 || item.sendTimePs >= 4 * RTT;
        });
        network.MessagesOf(0).SendAt(0, 1, 60000, 1);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(tap->SendTimes(1).size(), 61, "60 packets and the probe");
        NS_TEST_EXPECT_MSG_EQ(tap->SendTimes(1).back(), 4 * RTT, "at once");
        NS_TEST_EXPECT_MSG_EQ(TestNetwork::Find(network.completed, 1).nowPs,
                              4 * RTT + PROBE_RTT,
                              "all had arrived");
        const FabricNic::Counters& from = network.Nic(0).GetCounters();
        NS_TEST_EXPECT_MSG_EQ(from.probesSent, 1, "one");
        NS_TEST_EXPECT_MSG_EQ(from.retransmitted, 0, "nothing was lost");
    }
};

/// Losses by the count of packets out of order.
const SuiteCases g_cases("dcfabric-sleek", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new EpisodeTestCase("SLEEK: counts, episodes and probes on a window"));
    suite.AddTestCase(new NetworkTestCase("SLEEK: one path by hand"));
    suite.AddTestCase(new NothingLeftTestCase("SLEEK: a timer fires when all has been sent"));
});

} // namespace ns3::tests::sleek_repeat_test
