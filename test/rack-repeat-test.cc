// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-random.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"
#include "fabric-test-wings.h"

#include "ns3/double.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-topology.h"
#include "ns3/fabric-workload-factory.h"
#include "ns3/flow-recorder.h"
#include "ns3/node.h"
#include "ns3/rack-repeat.h"
#include "ns3/reordering-memory.h"
#include "ns3/reordering-window.h"
#include "ns3/send-window.h"
#include "ns3/tail-probe.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Losses by time (RFC 8985): the re-ordering window, the times of packets, and networks.
 */

namespace ns3::tests::rack_repeat_test
{

using namespace by_hand;

/// Base RTT of a probe: 62 + 20 bytes at 80 ps, in place of a full packet.
constexpr int64_t PROBE_RTT = RTT - 2 * F + 2 * int64_t{82 * 80};

/**
 * @ingroup dcfabric-tests
 * @brief The re-ordering window by hand.
 */
class ReorderingWindowTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        ReorderingWindow window(8 * US, 0);
        NS_TEST_EXPECT_MSG_EQ(window.GetPs(), 8 * US, "the least");
        NS_TEST_EXPECT_MSG_LT(window.GetNewestPs(), 0, "nothing was answered");
        NS_TEST_EXPECT_MSG_LT(window.GetLostUntilPs(1000 * US), 0, "nothing is lost");

        // Packets left at 0, 1, 2 and 3 us, and take 8 us. That of 2 us is lost. Its successor is
        // answered at 11 us: then only what left 8 us before it would be lost. 8 us after its own
        // answer would have come, at 18 us, the packet is.
        window.OnArrival(0, 8 * US);
        window.OnArrival(1 * US, 9 * US);
        window.OnArrival(3 * US, 11 * US);
        NS_TEST_EXPECT_MSG_EQ(window.GetNewestPs(), 3 * US, "sent last of those answered");
        NS_TEST_EXPECT_MSG_EQ(window.GetLostUntilPs(11 * US), -5 * US, "3 - 8 us");
        NS_TEST_EXPECT_MSG_EQ(window.GetDuePs(2 * US), 18 * US, "2 + 8 + 8 us");
        NS_TEST_EXPECT_MSG_EQ(window.GetLostUntilPs(18 * US - 1), 2 * US - 1, "not yet");
        NS_TEST_EXPECT_MSG_EQ(window.GetLostUntilPs(18 * US), 2 * US, "lost");
        // what left after the newest is never lost by time, however long nothing comes
        NS_TEST_EXPECT_MSG_EQ(window.GetLostUntilPs(1000 * US), 3 * US - 1, "only before it");

        // It comes after all, at 24 us: in 22 us, 14 more than the newest. The window is 28 us.
        window.OnArrival(2 * US, 24 * US);
        NS_TEST_EXPECT_MSG_EQ(window.GetPs(), 28 * US, "twice 14");
        NS_TEST_EXPECT_MSG_EQ(window.GetNewestPs(), 3 * US, "as before");
        // one that is less late changes nothing
        window.OnArrival(2500000, 20500000);
        NS_TEST_EXPECT_MSG_EQ(window.GetPs(), 28 * US, "10 us are within 28");

        // A round began at 8 us, with the first answer and a window of 8 us: it ends with the
        // answer to a packet of 16 us or later, here at 32 us. The next ends with that of 32 + 28
        // us. What was seen counts in its round and the next.
        window.OnArrival(24 * US, 32 * US);
        NS_TEST_EXPECT_MSG_EQ(window.GetPs(), 28 * US, "seen in the round that ends");
        window.OnArrival(60 * US - 1, 68 * US - 1);
        NS_TEST_EXPECT_MSG_EQ(window.GetPs(), 28 * US, "no end of a round");
        window.OnArrival(60 * US, 68 * US);
        NS_TEST_EXPECT_MSG_EQ(window.GetPs(), 28 * US, "seen in the one before");
        // now it falls by a 16th of 28 - 8 us: to 26.75, and by one of 18.75 to 25.578125 us; the
        // rounds end with packets of 68 + 28 and 104 + 26.75 us
        window.OnArrival(96 * US, 104 * US);
        NS_TEST_EXPECT_MSG_EQ(window.GetPs(), 26750000, "28 - 20 / 16");
        window.OnArrival(130 * US, 138 * US);
        NS_TEST_EXPECT_MSG_EQ(window.GetPs(), 26750000, "no end of a round");
        window.OnArrival(131 * US, 139 * US);
        NS_TEST_EXPECT_MSG_EQ(window.GetPs(), 25578125, "26.75 - 18.75 / 16");
        for (int64_t us = 139; us < 8000; us += 8)
        {
            window.OnArrival(us * US, (us + 8) * US);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(window.GetPs(), 8 * US, 16, "in the end the least");
        NS_TEST_EXPECT_MSG_GT(window.GetPs(), 8 * US - 1, "never less");
        ExpectSpread(1, 22 * US);
        ExpectSpread(2, 44 * US);
    }

    /**
     * @brief A queue grows, and packets find a way around it.
     * @param growth of queues
     * @param most largest window
     */
    void ExpectSpread(int64_t growth, int64_t most)
    {
        // RTTs of 10 and 12 us, and of 30 behind a queue, all in order: 20 us between them
        ReorderingWindow window(8 * US, growth);
        window.OnArrival(0, 10 * US);
        window.OnArrival(1 * US, 13 * US);
        NS_TEST_EXPECT_MSG_EQ(window.GetPs(), 8 * US, "2 us are less than the least");
        window.OnArrival(2 * US, 32 * US);
        NS_TEST_EXPECT_MSG_EQ(window.GetPs(), growth * 20 * US, "30 - 10 us");
        // That of 25 us takes 8, another way. The one of 3 us is behind the queue, and would be
        // lost at 3 + 8 + 8 = 19 us by the least window; as it takes 30, it is not.
        window.OnArrival(25 * US, 33 * US);
        NS_TEST_EXPECT_MSG_EQ(window.GetPs(), most, "30 - 8 us");
        NS_TEST_EXPECT_MSG_EQ(window.GetDuePs(3 * US), 11 * US + most, "3 + 8 us and the window");
        NS_TEST_EXPECT_MSG_LT(window.GetLostUntilPs(33 * US - 1), 3 * US, "not before it comes");
        // The round ended with that of 25 us, as it began at 10 and the window was 8 us. The next
        // ends with one of 33 us and the window, the third without spread, and it falls by a 16th.
        const int64_t secondPs = 33 * US + most;
        window.OnArrival(secondPs, secondPs + 8 * US);
        NS_TEST_EXPECT_MSG_EQ(window.GetPs(), most, "seen in the last round");
        const int64_t thirdPs = secondPs + 8 * US + most;
        window.OnArrival(thirdPs, thirdPs + 8 * US);
        NS_TEST_EXPECT_MSG_EQ(window.GetPs(), most - (most - 8 * US) / 16, "falls");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What connections of a host share, by hand.
 */
class ReorderingMemoryTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const Ptr<Object> host = CreateObject<Node>(); // stands for a NIC
        const Ptr<ReorderingMemory> memory = ReorderingMemory::Of(*host);
        NS_TEST_EXPECT_MSG_EQ((memory == ReorderingMemory::Of(*host)), true, "one for a host");
        NS_TEST_EXPECT_MSG_EQ(memory->GetPs(5 * US), 0, "nothing is known");
        // 20 us are needed at 10 us: the era lasts for 16 x 20 us from then on
        memory->Note(20 * US, 10 * US);
        memory->Note(12 * US, 10 * US);
        NS_TEST_EXPECT_MSG_EQ(memory->GetPs(10 * US), 20 * US, "the longest");
        memory->Note(12 * US, 200 * US);
        NS_TEST_EXPECT_MSG_EQ(memory->GetPs(329 * US), 20 * US, "in the era");
        NS_TEST_EXPECT_MSG_EQ(memory->GetPs(330 * US), 12 * US, "12 us were after it began");
        // 12 us are those of the last era, which ends at 330 + 16 x 12 us
        NS_TEST_EXPECT_MSG_EQ(memory->GetPs(521 * US), 12 * US, "as long");
        NS_TEST_EXPECT_MSG_EQ(memory->GetPs(522 * US), 0, "forgotten");

        // a window of 28 us, twice a packet that is 14 us late, serves the next connection
        ReorderingWindow window(8 * US, 0);
        window.Share(memory, 600 * US);
        NS_TEST_EXPECT_MSG_EQ(window.GetPs(), 8 * US, "the least");
        window.OnArrival(603 * US, 611 * US);
        window.OnArrival(602 * US, 624 * US);
        NS_TEST_EXPECT_MSG_EQ(window.GetPs(), 28 * US, "22 - 8 us, twice");
        ReorderingWindow next(8 * US, 0);
        next.Share(memory, 625 * US);
        NS_TEST_EXPECT_MSG_EQ(next.GetPs(), 28 * US, "from the beginning");
        // it needs none itself: a 16th of the rest less with its first round
        next.OnArrival(626 * US, 634 * US);
        NS_TEST_EXPECT_MSG_EQ(next.GetPs(), 26750000, "28 - 20 / 16");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Times of packets in the window, by hand.
 */
class SendTimesTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        SendWindow plain;
        NS_TEST_EXPECT_MSG_EQ(plain.KeepsTimes(), false, "not kept");

        SendWindow window;
        window.KeepTimes(ReorderingWindow(8 * US, 1));
        NS_TEST_EXPECT_MSG_EQ(window.GetOldestPs(), FabricTime::NEVER, "none");
        NS_TEST_EXPECT_MSG_EQ(window.DetectOverdue(1000 * US), 0, "none");
        for (int64_t us = 0; us < 10; ++us)
        {
            window.TakeNext(us * US);
        }
        window.Acknowledge(2); // 0, 1
        window.Sack(3);
        NS_TEST_EXPECT_MSG_EQ(window.GetOldestPs(), 2 * US, "2");
        NS_TEST_EXPECT_MSG_EQ(window.DetectOverdue(2 * US - 1), 0, "not yet");
        NS_TEST_EXPECT_MSG_EQ(window.DetectOverdue(4 * US), 2, "2 and 4");
        NS_TEST_EXPECT_MSG_EQ((window.IsLost(2) && window.IsLost(4)), true, "2 and 4");
        NS_TEST_EXPECT_MSG_EQ(window.DetectOverdue(4 * US), 0, "once");
        NS_TEST_EXPECT_MSG_EQ(window.GetOldestPs(), 5 * US, "5");

        // 2 and 4 go again at 20 and 21 us, behind all others; both copies may be lost again
        uint64_t seq = 0;
        for (int64_t us : {20, 21})
        {
            NS_TEST_EXPECT_MSG_EQ(window.PeekLost(seq), true, us);
            window.TakeLost(us * US);
        }
        NS_TEST_EXPECT_MSG_EQ(window.DetectOverdue(19 * US), 5, "5 to 9");
        NS_TEST_EXPECT_MSG_EQ(window.GetOldestPs(), 20 * US, "the copy of 2");
        window.Sack(2);
        NS_TEST_EXPECT_MSG_EQ(window.GetOldestPs(), 21 * US, "the copy of 4");
        NS_TEST_EXPECT_MSG_EQ(window.DetectOverdue(21 * US), 1, "for the second time");
        NS_TEST_EXPECT_MSG_EQ(window.GetOldestPs(), FabricTime::NEVER, "none is on its way");

        // a drop that a switch tells of: it counts from its next sending
        window.TakeNext(30 * US); // 10
        window.TakeNext(31 * US); // 11
        NS_TEST_EXPECT_MSG_EQ(window.Lose(10), true, "10");
        NS_TEST_EXPECT_MSG_EQ(window.GetOldestPs(), 31 * US, "11");
        while (window.PeekLost(seq))
        {
            window.TakeLost(40 * US);
        }
        NS_TEST_EXPECT_MSG_EQ(window.DetectOverdue(31 * US), 1, "11 only");
        // a time-out takes all at once, and forgets their times
        NS_TEST_EXPECT_MSG_EQ(window.MarkAllLost(), 7, "4, 5 to 9, 10; 11 was lost");
        NS_TEST_EXPECT_MSG_EQ(window.GetOldestPs(), FabricTime::NEVER, "none");
        window.TakeLost(50 * US);
        NS_TEST_EXPECT_MSG_EQ(window.GetOldestPs(), 50 * US, "the first again");

        // packets that wait for credits count from when they leave
        SendWindow waits;
        waits.KeepTimes(ReorderingWindow(8 * US, 1));
        waits.TakeNext(0);
        waits.TakeNext(1 * US);
        waits.Postpone(0, 5 * US);
        NS_TEST_EXPECT_MSG_EQ(waits.DetectOverdue(4 * US), 0, "neither left so early");
        NS_TEST_EXPECT_MSG_EQ(waits.GetOldestPs(), 5 * US, "0");
        waits.Postpone(7, 9 * US); // never sent
        NS_TEST_EXPECT_MSG_EQ(waits.DetectOverdue(5 * US), 2, "1 not before 0");
        waits.PeekLost(seq);
        waits.TakeLost(10 * US);
        waits.Postpone(seq, 12 * US);
        NS_TEST_EXPECT_MSG_EQ(waits.GetOldestPs(), 12 * US, "one that is sent again, too");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Times in the window against a list of all copies, at random.
 */
class SendTimesModelTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// What the model knows of a packet.
    struct Known
    {
        int64_t sentPs{0}; //!< its last copy
        bool acked{false}; //!< in order or selectively
        bool lost{false};  //!< waits to be sent again
    };

    /**
     * @brief One run.
     * @param random numbers
     * @param what its name
     */
    void Run(std::mt19937& random, const std::string& what)
    {
        SendWindow window;
        window.KeepTimes(ReorderingWindow(1, 1));
        std::vector<Known> packets;
        int64_t nowPs = 0;
        for (int step = 0; step < 400; ++step)
        {
            nowPs += random() % 3;
            const auto n = static_cast<uint64_t>(packets.size());
            const uint64_t seq = n > 0 ? random() % n : 0;
            uint64_t again = 0;
            switch (random() % 8)
            {
            case 0: // acknowledge in order
                if (n > 0 && seq >= window.GetUnacked())
                {
                    window.Acknowledge(seq + 1);
                    for (uint64_t i = 0; i <= seq; ++i)
                    {
                        packets[i].acked = true;
                    }
                }
                break;
            case 1:
            case 2:
                if (n > 0)
                {
                    window.Sack(seq);
                    packets[seq].acked = true;
                }
                break;
            case 3:
                if (window.PeekLost(again))
                {
                    window.TakeLost(nowPs);
                    packets[again] = {nowPs, false, false};
                }
                break;
            case 4:
                if (n > 0 && window.Lose(seq))
                {
                    packets[seq].lost = true;
                }
                break;
            default:
                window.TakeNext(nowPs);
                packets.push_back({nowPs, false, false});
            }
            int64_t oldestPs = FabricTime::NEVER;
            const int64_t untilPs = nowPs - static_cast<int64_t>(random() % 40);
            uint64_t overdue = 0;
            for (Known& packet : packets)
            {
                if (!packet.acked && !packet.lost)
                {
                    oldestPs = std::min(oldestPs, packet.sentPs);
                    packet.lost = packet.sentPs <= untilPs;
                    overdue += packet.lost;
                }
            }
            NS_TEST_ASSERT_MSG_EQ(window.GetOldestPs(), oldestPs, what << ", step " << step);
            NS_TEST_ASSERT_MSG_EQ(window.DetectOverdue(untilPs),
                                  overdue,
                                  what << ", step " << step);
        }
    }

    void DoRun() override
    {
        for (uint32_t seed = 1; seed <= 50; ++seed)
        {
            std::mt19937 random(seed);
            Run(random, "seed " + std::to_string(seed));
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief When probes are due, by hand.
 */
class TailProbeTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        TailProbe probe;
        NS_TEST_EXPECT_MSG_EQ(probe.GetDuePs(3 * US, 10 * US), 13 * US, "3 + 10, no answer yet");
        probe.OnAnswer(8 * US);
        NS_TEST_EXPECT_MSG_EQ(probe.GetDuePs(3 * US, 10 * US), 18 * US, "8 + 10");
        NS_TEST_EXPECT_MSG_EQ(probe.GetDuePs(9 * US, 10 * US), 19 * US, "9 + 10");
        NS_TEST_EXPECT_MSG_EQ(probe.IsWanted(), false, "not yet");
        probe.Want();
        NS_TEST_EXPECT_MSG_EQ(probe.IsWanted(), true, "due");
        probe.Cancel();
        NS_TEST_EXPECT_MSG_EQ(probe.IsWanted(), false, "a packet goes in its place");
        // without answer the delay doubles: at 19, 39, 79, 159 and 319 us, then every 160 us
        int64_t atPs = 19 * US;
        for (const int64_t us : {20, 40, 80, 160, 160, 160})
        {
            probe.Want();
            probe.Send(atPs);
            NS_TEST_EXPECT_MSG_EQ(probe.IsWanted(), false, "sent");
            NS_TEST_EXPECT_MSG_EQ(probe.GetDuePs(atPs, 10 * US), atPs + us * US, us);
            atPs += us * US;
        }
        probe.Want();
        probe.OnAnswer(700 * US);
        NS_TEST_EXPECT_MSG_EQ(probe.IsWanted(), false, "answered late");
        NS_TEST_EXPECT_MSG_EQ(probe.GetDuePs(atPs, 10 * US), 710 * US, "no back-off");
        probe.Defer(705 * US);
        NS_TEST_EXPECT_MSG_EQ(probe.GetDuePs(atPs, 10 * US), 715 * US, "held back");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief One path: when losses are found, by hand.
 */
class LossTimeTestCase : public NamedCase
{
    using NamedCase::NamedCase;

  protected:
    /// Copies of packets, by number and how many were before it, from 1 on.
    using Copies = std::vector<std::pair<uint32_t, uint32_t>>;

    /**
     * @brief Send a message in a rack.
     * @param packets of it
     * @param which lost copies
     * @param endPs when it is acknowledged
     * @param probes of it
     * @param again packets sent again
     * @param leastWindow in base RTTs
     * @param type of the lost copies
     * @param initialPsn number of the first packet
     */
    void ExpectEnd(uint32_t packets,
                   const Copies& which,
                   int64_t endPs,
                   uint64_t probes,
                   uint64_t again,
                   double leastWindow = 2,
                   FabricPacketType type = DATA,
                   uint32_t initialPsn = 0)
    {
        FabricHelper helper;
        helper.SetFlowControl("none");
        helper.SetReliability("ns3::RackRepeat", "LeastWindow", DoubleValue(leastWindow));
        helper.SetNicAttribute("InitialPsn", UintegerValue(initialPsn));
        TestNetwork network(MakeStar(2), helper);
        const Ptr<PacketTap> tap = AddTap(network, 2);
        tap->SetRule(LoseCopies(type, which));
        network.MessagesOf(0).SendAt(0, 1, packets * 1000, 1);
        Simulator::Run();
        const std::string what = std::to_string(packets) + " packets, " +
                                 std::to_string(which.size()) + " lost, first number " +
                                 std::to_string(initialPsn);
        const FabricNic::Counters& from = network.Nic(0).GetCounters();
        NS_TEST_EXPECT_MSG_EQ(TestNetwork::Find(network.completed, 1).nowPs, endPs, what);
        NS_TEST_EXPECT_MSG_EQ(TestNetwork::Find(network.delivered, 1).bytes, packets * 1000, what);
        NS_TEST_EXPECT_MSG_EQ(from.timeouts, 0, what);
        NS_TEST_EXPECT_MSG_EQ(from.probesSent, probes, what);
        NS_TEST_EXPECT_MSG_EQ(from.retransmitted, again, what);
        NS_TEST_EXPECT_MSG_EQ(from.dataSent, packets + again + probes, what);
        NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, what);
    }

  private:
    void DoRun() override
    {
        // All packets leave one after the other, in F each, and take an RTT; the window is two
        // base RTTs. Packet 5 leaves at 5 F and is lost at 5 F + 3 RTT, when the timer finds it,
        // although all others were answered before; it is back an RTT later.
        ExpectEnd(20, {{5, 1}}, 5 * F + 4 * RTT, 0, 1);
        // two of them, also the last but one: 18 is found by 19
        ExpectEnd(20, {{5, 1}, {18, 1}}, 18 * F + 4 * RTT, 0, 2);
        // all but the last, of which nothing is answered before 19 F + RTT: those before are due
        // from 3 RTT on, when 0 goes again; each takes F, as they left
        Copies most;
        for (uint32_t seq = 0; seq < 19; ++seq)
        {
            most.emplace_back(seq, 1);
        }
        ExpectEnd(20, most, 18 * F + 4 * RTT, 0, 19);
        // The copy of 5 is lost again. It left at 5 F + 3 RTT, and that of 6 F later, whose answer
        // is newer: at 5 F + 6 RTT it goes for the third time. With a window of one base RTT it is
        // 5 F + 2 RTT and 5 F + 4 RTT.
        ExpectEnd(20, {{5, 1}, {5, 2}, {6, 1}}, 5 * F + 7 * RTT, 0, 3);
        ExpectEnd(20, {{5, 1}, {5, 2}, {6, 1}}, 5 * F + 5 * RTT, 0, 3, 1);
        // and with one of none, which is 1 ps, the answer to 6, at 6 F + RTT, shows the loss; the
        // wire is free when 20 packets have left, and the copy is back an RTT later
        ExpectEnd(100, {{5, 1}}, 99 * F + F + RTT, 0, 1, 0);
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief One path: when losses behind which nothing is answered are found, by hand.
 */
class TailLossTestCase : public LossTimeTestCase
{
    using LossTimeTestCase::LossTimeTestCase;

    void DoRun() override
    {
        // The last of 20: two RTTs after the last ACK, of 18 F + RTT, which are two SRTTs and the
        // window, a probe leaves with the number of packet 18. Its answer finds lost what left two
        // RTTs before it, at 18 F + RTT or earlier: 19, of 19 F.
        const int64_t askedPs = 18 * F + 3 * RTT;
        ExpectEnd(20, {{19, 1}}, askedPs + PROBE_RTT + RTT, 1, 1);
        // the probe, which is the second packet of number 18, is lost, too: the next follows after
        // twice the time, that after four times the time
        ExpectEnd(20, {{19, 1}, {18, 2}}, askedPs + 4 * RTT + PROBE_RTT + RTT, 2, 1);
        ExpectEnd(20, {{19, 1}, {18, 2}, {18, 3}}, askedPs + 12 * RTT + PROBE_RTT + RTT, 3, 1);
        // Only the ACK of the last is lost, which names packet 20 as the next one: the probe brings
        // another, and nothing goes again.
        ExpectEnd(20, {{20, 1}}, askedPs + PROBE_RTT, 1, 0, 2, ACK);
        // The copy of the last is lost, too. It left with the answer to the probe, whose RTT makes
        // SRTT a little shorter, so that the next probe follows a window of two RTTs behind.
        ExpectEnd(20, {{19, 1}, {19, 2}}, askedPs + 2 * PROBE_RTT + 3 * RTT, 2, 2);
        // All of them, as if a link had been down: the last left at 19 F, no RTT is known, and the
        // probe goes a window later. It begins the connection, with the number before the first.
        Copies all;
        for (uint32_t seq = 0; seq < 20; ++seq)
        {
            all.emplace_back(seq, 1);
        }
        ExpectEnd(20, all, 19 * F + 2 * RTT + PROBE_RTT + 19 * F + RTT, 1, 20);
        // a message of one packet, with numbers from 0 and from 2^24 - 1 on; the first of its
        // probes is lost, too
        ExpectEnd(1, {{0, 1}}, 2 * RTT + PROBE_RTT + RTT, 1, 1);
        ExpectEnd(1, {{0xffffff, 1}}, 2 * RTT + PROBE_RTT + RTT, 1, 1, 2, DATA, 0xffffff);
        ExpectEnd(1, {{0, 1}, {0xffffff, 1}}, 6 * RTT + PROBE_RTT + RTT, 2, 1);
        // numbers that begin anew within a message: the last of 20 is 3
        ExpectEnd(20, {{3, 1}}, askedPs + PROBE_RTT + RTT, 1, 1, 2, DATA, 0xfffff0);
        // a window of eight RTTs in place of two SRTTs, and none: two SRTTs, or base RTTs
        ExpectEnd(20, {{19, 1}}, askedPs + 6 * RTT + PROBE_RTT + RTT, 1, 1, 8);
        ExpectEnd(20, {{19, 1}}, askedPs + PROBE_RTT + RTT, 1, 1, 0);
        ExpectEnd(1, {{0, 1}}, 2 * RTT + PROBE_RTT + RTT, 1, 1, 0);
        ExpectLateAnswer();
    }

    /// A message is over before its probe is answered.
    void ExpectLateAnswer()
    {
        FabricHelper helper;
        helper.SetReliability("ns3::RackRepeat", "LeastWindow", DoubleValue(2));
        TestNetwork network(MakeStar(2), helper);
        const Ptr<PacketTap> tap = AddTap(network, 2);
        // the first ACK waits in the switch for 1.5 RTTs: it comes at 2.5 RTTs, half an RTT after
        // the probe left, and half an RTT before its answer
        bool first = true;
        tap->SetRule([&](const FabricPacketItem& item) {
            const bool waits = item.type == ACK && first;
            if (waits)
            {
                first = false;
                tap->Repeat(item, Simulator::Now().GetPicoSeconds() + 3 * RTT / 2);
            }
            return !waits;
        });
        network.MessagesOf(0).SendAt(0, 1, 1000, 1);
        Simulator::Run();
        // the rule knows the time in whole ns
        const FabricMessageEvent over = TestNetwork::Find(network.completed, 1);
        NS_TEST_EXPECT_MSG_EQ_TOL(over.nowPs, 5 * RTT / 2, 1000, "late");
        NS_TEST_EXPECT_MSG_EQ(network.Nic(0).GetCounters().probesSent, 1, "asked");
        NS_TEST_EXPECT_MSG_EQ(network.Nic(1).GetCounters().acksSent, 2, "answered");
        NS_TEST_EXPECT_MSG_EQ(network.Nic(0).GetCounters().retransmitted, 0, "not sent again");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Probes of selective repeat, where the time-out is 200 RTTs, by hand.
 */
class SelectiveProbeTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief Send 20 packets.
     * @param first and
     * @param last of them that are lost
     * @param endPs when they are acknowledged
     * @param probes of them
     * @param probeRtts attribute
     * @param flowControl
     */
    void ExpectEnd(uint32_t first,
                   uint32_t last,
                   int64_t endPs,
                   uint64_t probes,
                   double probeRtts = 25,
                   const std::string& flowControl = "ns3::PriorityFlowControl")
    {
        FabricHelper helper;
        helper.SetFlowControl(flowControl);
        helper.SetReliability("ns3::SelectiveRepeat", "ProbeRtts", DoubleValue(probeRtts));
        TestNetwork network(MakeStar(2), helper);
        std::vector<std::pair<uint32_t, uint32_t>> lost;
        for (uint32_t seq = first; seq <= last; ++seq)
        {
            lost.emplace_back(seq, 1);
        }
        AddTap(network, 2)->SetRule(LoseCopies(DATA, lost));
        network.MessagesOf(0).SendAt(0, 1, 20000, 1);
        Simulator::Run();
        const std::string what = std::to_string(first) + " to " + std::to_string(last) +
                                 " lost, ProbeRtts " + std::to_string(probeRtts) + ", " +
                                 flowControl;
        const FabricNic::Counters& from = network.Nic(0).GetCounters();
        NS_TEST_EXPECT_MSG_EQ(TestNetwork::Find(network.completed, 1).nowPs, endPs, what);
        NS_TEST_EXPECT_MSG_EQ(from.probesSent, probes, what);
        NS_TEST_EXPECT_MSG_EQ(from.timeouts, 1 - probes, what);
        NS_TEST_EXPECT_MSG_EQ(from.retransmitted, lost.size(), what);
    }

    void DoRun() override
    {
        // 25 base RTTs, which are more than 4 SRTTs, after the last ACK, of 18 F + RTT, a probe
        // leaves, and its answer sends the last packet again
        ExpectEnd(19, 19, 18 * F + 26 * RTT + PROBE_RTT + RTT, 1);
        ExpectEnd(19, 19, 18 * F + 51 * RTT + PROBE_RTT + RTT, 1, 50);
        // 4 SRTTs where a base RTT is less
        ExpectEnd(19, 19, 18 * F + 5 * RTT + PROBE_RTT + RTT, 1, 1);
        // 10 to 19: the last ACK is of 9 F + RTT, and they go one after the other
        ExpectEnd(10, 19, 9 * F + 26 * RTT + PROBE_RTT + 9 * F + RTT, 1);
        // without probe, without any RTT, and where the time-out is not later, this finds them
        ExpectEnd(19, 19, 18 * F + 201 * RTT + RTT, 0, 0);
        ExpectEnd(0, 19, 200 * RTT + 19 * F + RTT, 0);
        ExpectEnd(19, 19, 18 * F + 26 * RTT + RTT, 0, 25, "none");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Sprayed packets.
 */
class SprayedTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param spray over four spines, otherwise ECMP
     * @param lossPercent between switches
     * @param again set to the packets sent again
     * @return mean time of 240 flows of 50 kB among 16 hosts in us, in whole
     */
    double Run(bool spray, double lossPercent, uint64_t& again)
    {
        FabricGraph graph;
        for (uint32_t host = 0; host < 16; ++host)
        {
            graph.AddHost();
        }
        for (uint32_t i = 0; i < 8; ++i)
        {
            graph.AddSwitch();
        }
        for (uint32_t host = 0; host < 16; ++host)
        {
            graph.AddLink(host, 16 + host / 4, 100 * GBPS, US);
        }
        for (uint32_t leaf = 16; leaf < 20; ++leaf)
        {
            for (uint32_t spine = 20; spine < 24; ++spine)
            {
                graph.AddLink(leaf, spine, 100 * GBPS, US, lossPercent / 100);
            }
        }
        FabricHelper helper;
        helper.SetCongestionControl("ns3::DctcpCongestionControl");
        helper.SetMarkingProfile("ns3::WredMarkingProfile",
                                 "Kmin",
                                 UintegerValue(300000),
                                 "Kmax",
                                 UintegerValue(300000));
        if (spray)
        {
            helper.SetPathSelector("ns3::EcmpPathSelector");
            helper.SetLoadBalancer("ns3::RandomSprayLoadBalancer");
            helper.SetReliability("ns3::RackRepeat");
        }
        Ptr<Fabric> fabric = helper.Install(graph);
        helper.AssignStreams(fabric, 1000);
        TestNetwork network(fabric);
        for (uint32_t src = 0; src < 16; ++src)
        {
            for (uint32_t step = 1; step < 16; ++step)
            {
                network.MessagesOf(src).SendAt(0, (src + step) % 16, 50000, 16 * src + step);
            }
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 240, "complete");
        again = network.Sum(&FabricNic::Counters::retransmitted);
        double sumUs = 0;
        for (const FabricMessageEvent& event : network.completed)
        {
            sumUs += static_cast<double>(event.nowPs - event.startPs) / US;
        }
        return sumUs / 240;
    }

    void DoRun() override
    {
        uint64_t again = 0;
        Run(true, 0, again);
        NS_TEST_EXPECT_MSG_EQ(again, 0, "nothing is lost, nothing goes again");
        uint64_t ecmpAgain = 0;
        const double ecmpUs = Run(false, 1, ecmpAgain);
        const double sprayedUs = Run(true, 1, again);
        NS_TEST_EXPECT_MSG_LT(sprayedUs, 1.3 * ecmpUs, "ECMP " << ecmpUs);
        // 12,000 packets, 80 % of them over two lossy links, and their copies
        const double lost = 12000 * 0.8 * 0.02;
        NS_TEST_EXPECT_MSG_GT(again, lost * 0.7, "as many as are lost");
        NS_TEST_EXPECT_MSG_LT(again, lost * 1.3, "as many as are lost");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Detours over short links: packets behind a long queue are overtaken by many base RTTs.
 */
class DetourTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        if (!HasClass("ns3::RcmFeature"))
        {
            return;
        }
        FabricTopologyOptions links;
        links.delay = "50ns"; // the longest base RTT is 1.3 us, a queue of 400 kB 32 us
        const FabricGraph graph =
            MakeFabricTopology("leaf-spine:leaves=4,spines=4,hosts=4", links)->BuildGraph();
        const Ptr<FabricWorkload> workload =
            MakeFabricWorkload("permutation:size=500kB+incast:fan-in=8,size=250kB", {});
        workload->AssignStreams(1000);
        const auto flows = workload->Generate(graph);
        FabricHelper helper;
        helper.SetCongestionControl("ns3::DcqcnCongestionControl");
        helper.SetBuffer("ns3::VoqBuffer");
        helper.AddSwitchFeature("ns3::RcmFeature");
        TestNetwork network(graph, helper);
        FlowRecorder recorder(network.fabric, flows, workload->GetTriggers());
        recorder.Start();
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(recorder.IsComplete(), true, "complete");
        NS_TEST_EXPECT_MSG_GT(network.Sum(&FabricNic::Counters::reordered), 500, "detours");
        NS_TEST_EXPECT_MSG_EQ(network.Sum(&FabricNic::Counters::retransmitted), 0, "no loss");
    }
};

/// Losses by time.
const SuiteCases g_cases("dcfabric-rack", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new ReorderingWindowTestCase("the re-ordering window by hand"));
    suite.AddTestCase(new ReorderingMemoryTestCase("what connections share"));
    suite.AddTestCase(new SendTimesTestCase("times of packets by hand"));
    suite.AddTestCase(new SendTimesModelTestCase("times of packets against a model"));
    suite.AddTestCase(new TailProbeTestCase("when probes are due"));
    suite.AddTestCase(new LossTimeTestCase("when losses are found"));
    suite.AddTestCase(new TailLossTestCase("when losses at the end are found"));
    suite.AddTestCase(new SelectiveProbeTestCase("probes of selective repeat"));
    suite.AddTestCase(new DetourTestCase("detours around long queues"));
    suite.AddTestCase(new SprayedTestCase("sprayed packets, with loss and without"));
});

} // namespace ns3::tests::rack_repeat_test
