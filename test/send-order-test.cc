// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"

#include "ns3/double.h"
#include "ns3/error-model.h"
#include "ns3/log.h"
#include "ns3/nstime.h"
#include "ns3/pointer.h"
#include "ns3/send-window.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <random>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Losses are found by the order of sending, whether for the first time or again; NACKs are
 * repeated.
 */

namespace ns3::tests::send_order_test
{

using namespace by_hand;

NS_LOG_COMPONENT_DEFINE("DcfabricSendOrderTest");

/**
 * @brief Send new packets.
 * @param window of the sender
 * @param n how many
 */
void
SendNew(SendWindow& window, uint32_t n)
{
    for (uint32_t i = 0; i < n; ++i)
    {
        window.TakeNext(0);
    }
}

/**
 * @param window of the sender
 * @param nowPs time
 * @return the packet that is sent again
 */
uint64_t
SendAgain(SendWindow& window, int64_t nowPs)
{
    uint64_t seq = UINT64_MAX;
    if (window.PeekLost(seq))
    {
        window.TakeLost(nowPs);
    }
    return seq;
}

/**
 * @ingroup dcfabric-tests
 * @brief The window, by hand.
 */
class SendOrderTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // Of 10 packets 0, 2, 4 and 6 are lost, and nothing new follows. They are sent again as
        // 11th to 14th, at 100 to 103. That of 0 is lost once more: those of 2 and 4 are one and
        // two copies later, that of 6 is the third.
        SendWindow window;
        SendNew(window, 10);
        for (const uint64_t seq : {1, 3, 5, 7, 8, 9})
        {
            window.Sack(seq);
        }
        NS_TEST_EXPECT_MSG_EQ(window.DetectLoss(3), 4, "by 9, the tenth");
        for (uint64_t i = 0; i < 4; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(SendAgain(window, 100 + i), 2 * i, "as found");
        }
        NS_TEST_EXPECT_MSG_EQ(window.HasResent(), true, "copies that may be lost");
        for (const uint64_t seq : {2, 4})
        {
            window.Sack(seq);
            window.NoteArrival(seq, 100 + static_cast<int64_t>(seq) / 2);
            NS_TEST_EXPECT_MSG_EQ(window.DetectLoss(3), 0, "copy of " << seq);
        }
        window.Sack(6);
        NS_TEST_EXPECT_MSG_EQ(window.DetectLoss(3), 0, "its first copy, for all that is known");
        window.NoteArrival(6, 50);
        NS_TEST_EXPECT_MSG_EQ(window.DetectLoss(3), 0, "its first copy, late");
        window.NoteArrival(6, 103);
        NS_TEST_EXPECT_MSG_EQ(window.DetectLoss(3), 1, "its second copy");
        NS_TEST_EXPECT_MSG_EQ(window.IsLost(0), true, "0, for the second time");
        NS_TEST_EXPECT_MSG_EQ(SendAgain(window, 200), 0, "third copy");
        window.NoteArrival(0, 200);
        window.Acknowledge(10);
        NS_TEST_EXPECT_MSG_EQ(window.DetectLoss(3), 0, "done");
        NS_TEST_EXPECT_MSG_EQ(window.IsEmpty(), true, "done");

        // New packets 10 to 13 go between the copies of 0 and 1: order 0..9, 0, 10, 11, 1, 12, 13.
        // 11 is two behind the copy of 0, 12 four; 13 is two behind that of 1.
        SendWindow mixed;
        SendNew(mixed, 10);
        for (uint64_t seq = 2; seq < 10; ++seq)
        {
            mixed.Sack(seq);
        }
        NS_TEST_EXPECT_MSG_EQ(mixed.DetectLoss(3), 2, "0, 1");
        SendAgain(mixed, 100);
        SendNew(mixed, 2);
        SendAgain(mixed, 101);
        SendNew(mixed, 2);
        mixed.Sack(11);
        NS_TEST_EXPECT_MSG_EQ(mixed.DetectLoss(3), 0, "two behind");
        mixed.Sack(12); // 10 was sent three copies before it, that of 1 counted
        NS_TEST_EXPECT_MSG_EQ(mixed.DetectLoss(3), 2, "0 and 10");
        NS_TEST_EXPECT_MSG_EQ((mixed.IsLost(0) && mixed.IsLost(10)), true, "0 and 10");
        mixed.Sack(13);
        NS_TEST_EXPECT_MSG_EQ(mixed.DetectLoss(3), 0, "two behind the copy of 1");

        // A time-out: what is known of copies is void. Two that leave at one time by two ports.
        SendWindow late;
        SendNew(late, 5);
        NS_TEST_EXPECT_MSG_EQ(late.MarkAllLost(), 5, "all");
        NS_TEST_EXPECT_MSG_EQ(late.HasResent(), false, "none");
        for (int64_t i = 0; i < 5; ++i)
        {
            SendAgain(late, 100 + i / 2); // 0, 1 at 100; 2, 3 at 101; 4 at 102
        }
        late.Sack(2);
        late.NoteArrival(2, 101);
        NS_TEST_EXPECT_MSG_EQ(late.DetectLoss(3), 0, "2 is two behind 0");
        late.Sack(3);
        late.NoteArrival(3, 101);
        NS_TEST_EXPECT_MSG_EQ(late.DetectLoss(3), 1, "3 is three behind 0");
        // told to be dropped, the copy of 1 counts anew from when it goes again, behind that of 0
        NS_TEST_EXPECT_MSG_EQ(late.Lose(1), true, "1");
        SendAgain(late, 200);
        SendAgain(late, 201);
        late.NoteArrival(4, 102);
        NS_TEST_EXPECT_MSG_EQ(late.DetectLoss(1), 0, "4 was before both");
        late.NoteArrival(1, 201);
        late.Sack(1);
        NS_TEST_EXPECT_MSG_EQ(late.DetectLoss(1), 2, "0 and 4, which no ACK has named");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The window against all that was sent, at random.
 *
 * The model keeps every copy. It knows that one has arrived if its answer came; a packet that is
 * acknowledged otherwise counts by its first copy. The last copy of a packet is lost if one sent at
 * least threshold later is known to have arrived.
 */
class SendOrderModelTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// A copy of a packet.
    struct Copy
    {
        uint64_t seq;   //!< its number
        int64_t sentPs; //!< when
    };

    /**
     * @brief One run.
     * @param random numbers
     * @param what its name
     */
    void Run(std::mt19937& random, const std::string& what)
    {
        const uint32_t threshold = 1 + random() % 5;
        const uint32_t lossPercent = random() % 40;
        const uint32_t ackLossPercent = random() % 40;
        const uint32_t late =
            random() % 3; // of the copies under way an answer may overtake so many
        SendWindow window;
        std::vector<Copy> copies;         // by order of sending
        std::vector<std::size_t> wire;    // copies that will arrive
        std::vector<bool> acked;          // by number
        std::vector<std::size_t> last;    // by number: last copy
        std::vector<std::size_t> initial; // by number: first copy
        std::vector<bool> lost;           // by number
        std::vector<bool> arrived;        // by number: at the receiver
        std::size_t known = 0;            // behind the last copy known to have arrived
        uint64_t unacked = 0;
        for (int64_t nowPs = 1; nowPs < 1500; ++nowPs)
        {
            if (random() % 2 && copies.size() < unacked + 600)
            {
                uint64_t seq = 0;
                const bool again = window.PeekLost(seq);
                if (again)
                {
                    NS_TEST_ASSERT_MSG_EQ(lost[seq], true, what << ": sent again " << seq);
                    window.TakeLost(nowPs);
                    lost[seq] = false;
                }
                else
                {
                    seq = window.TakeNext(0);
                    acked.push_back(false);
                    lost.push_back(false);
                    arrived.push_back(false);
                    last.push_back(0);
                    initial.push_back(copies.size());
                }
                last[seq] = copies.size();
                if (random() % 100 >= lossPercent)
                {
                    wire.push_back(copies.size());
                }
                copies.push_back({seq, nowPs});
            }
            else if (!wire.empty())
            {
                const std::size_t place =
                    std::min<std::size_t>(random() % (1 + late), wire.size() - 1);
                const std::size_t copy = wire[place];
                wire.erase(wire.begin() + static_cast<std::ptrdiff_t>(place));
                arrived[copies[copy].seq] = true;
                if (random() % 100 < ackLossPercent)
                {
                    continue;
                }
                // the answer: all that has arrived, and which copy it answers
                uint64_t cumulative = unacked;
                while (cumulative < arrived.size() && arrived[cumulative])
                {
                    ++cumulative;
                }
                for (uint64_t seq = 0; seq < arrived.size(); ++seq)
                {
                    if (arrived[seq] && !acked[seq])
                    {
                        acked[seq] = true;
                        lost[seq] = false;
                        known = std::max(known, initial[seq] + 1);
                        if (seq >= cumulative)
                        {
                            window.Sack(seq);
                        }
                    }
                }
                if (cumulative > unacked)
                {
                    window.Acknowledge(cumulative);
                    unacked = cumulative;
                }
                window.NoteArrival(copies[copy].seq, copies[copy].sentPs);
                known = std::max(known, copy + 1);
                uint64_t found = 0;
                for (uint64_t s = 0; s < acked.size(); ++s)
                {
                    if (!acked[s] && !lost[s] && last[s] + threshold < known)
                    {
                        lost[s] = true;
                        ++found;
                    }
                }
                NS_TEST_ASSERT_MSG_EQ(window.DetectLoss(threshold), found, what << ": found");
                for (uint64_t s = unacked; s < acked.size(); ++s)
                {
                    NS_TEST_ASSERT_MSG_EQ(window.IsLost(s), lost[s], what << ": " << s);
                }
            }
        }
        m_copies += copies.size();
    }

    void DoRun() override
    {
        const uint32_t seed = 17;
        std::cout << "dcfabric-send-order: seed " << seed << std::endl;
        std::mt19937 random(seed);
        for (uint32_t run = 0; run < 60; ++run)
        {
            Run(random, "seed " + std::to_string(seed) + ", run " + std::to_string(run));
        }
        NS_TEST_EXPECT_MSG_GT(m_copies, 30000, "copies in all");
    }

    uint64_t m_copies{0}; //!< sent in all runs
};

/**
 * @ingroup dcfabric-tests
 * @brief Small flows over a link that loses one in twenty packets, and NACKs that get lost.
 */
class LossyFlowsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief The first NACK is lost.
     * @param interval attribute
     * @param nacks that the switch should see
     * @param endPs when the sender should be done
     * @param what of the case
     */
    void ExpectNacks(Time interval,
                     const std::string& nacks,
                     int64_t endPs,
                     const std::string& what)
    {
        FabricHelper helper;
        helper.SetReliability("ns3::GoBackN", "NackInterval", TimeValue(interval));
        TestNetwork network(MakeStar(2), helper);
        const Ptr<PacketTap> tap = AddTap(network, 2);
        LoseCopies data(FabricPacketType::DATA, {{3, 1}});
        LoseCopies nack(FabricPacketType::NACK, {{3, 1}});
        tap->SetRule([&](FabricPacketItem& item) {
            const bool goes = data(item);
            return nack(item) && goes;
        });
        network.MessagesOf(0).SendAt(0, 1, 200000, 1);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(tap->Psns(FabricPacketType::NACK), nacks, what << ": NACKs");
        NS_TEST_EXPECT_MSG_EQ(TestNetwork::Find(network.completed, 1).nowPs, endPs, what);
        NS_TEST_EXPECT_MSG_EQ(network.Nic(0).GetCounters().timeouts, 0, what << ": time-outs");
        NS_TEST_EXPECT_MSG_EQ(network.delivered.size(), 1, what << ": once");
    }

    void DoRun() override
    {
        // 200 packets, 3 is lost. Packet k is at the receiver at (k + 2) F + 2 us, its answer at
        // the sender after A + 2 us more, and another A. 4 earns a NACK, which is lost. An
        // RTT, 48.43 F, later 4 + 49 = 53 earns the next, which is at the sender at 55 F + 2 A + 4
        // us = 101.43 F: 101 is on its way, then 3 to 199 follow, from 102 F on. After 53, 102
        // would be the next to earn one.
        ExpectNacks(Seconds(0), "3! 3", 102 * F + 196 * F + RTT, "an RTT");
        // 2 us are 23.1 F: 28 earns the next, at the sender at 30 F + 2 A + 4 us = 76.43 F. 52 and
        // 76 earn two more, but had left before the sender went back at that time, so that it does
        // not go back again.
        ExpectNacks(MicroSeconds(2), "3! 3 3 3", 77 * F + 196 * F + RTT, "2 us");

        // Selective repeat: flows of 64 packets one after another over a link that loses 5 % of
        // packets and of answers. By numbers 0.27 to 0.30 of them waited for a time-out: one whose
        // retransmission was lost had to, unless new packets followed. What is left are losses of
        // the last three to be sent, of which one in seven flows has one among the first copies
        // (1 - 0.95^3) and more among the copies that follow.
        double timeouts = 0;
        double flows = 0;
        for (uint32_t seed = 1; seed <= 3; ++seed)
        {
            FabricGraph graph;
            graph.AddHost();
            graph.AddHost();
            graph.AddSwitch();
            graph.AddLink(0, 2, 100 * GBPS, US);
            graph.AddLink(1, 2, 100 * GBPS, US, 0.05);
            FabricHelper lossy;
            lossy.SetFlowControl("none");
            lossy.SetNicAttribute("AckTimeout", TimeValue(MilliSeconds(1)));
            Ptr<Fabric> fabric = lossy.Install(graph);
            lossy.AssignStreams(fabric, 1000 * seed);
            TestNetwork network(fabric);
            constexpr uint32_t FLOWS = 500;
            for (uint32_t i = 0; i < FLOWS; ++i)
            {
                network.MessagesOf(0).SendAt(i * 50 * US, 1, 64000, i);
            }
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(network.completed.size(), FLOWS, "complete, seed " << seed);
            timeouts += static_cast<double>(std::count_if(network.completed.begin(),
                                                          network.completed.end(),
                                                          [](const FabricMessageEvent& event) {
                                                              return event.nowPs - event.startPs >
                                                                     1000 * US;
                                                          }));
            flows += FLOWS;
        }
        NS_LOG_INFO("flows with a time-out: " << timeouts / flows);
        NS_TEST_EXPECT_MSG_LT(timeouts / flows, 0.235, "flows that waited for a time-out");
    }
};

/// Loss detection by order of sending.
const SuiteCases g_cases("dcfabric-pdc", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new SendOrderTestCase("copies of packets count by when they were sent"));
    suite.AddTestCase(new SendOrderModelTestCase("the window against a model of all copies"));
    suite.AddTestCase(new LossyFlowsTestCase(
        "5 % loss: small flows without time-out, go-back-N with lost NACKs"));
});

} // namespace ns3::tests::send_order_test
