// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-send-window.h"
#include "fabric-test-suite.h"

#include "ns3/reliability-policy.h"
#include "ns3/test.h"

#include <cstdint>
#include <string>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief What a sender knows of its packets when a switch tells that it has dropped one, worked out
 * by hand.
 */

namespace ns3::tests::bts_window_test
{

/**
 * @brief Acknowledge selectively.
 * @param window of the sender
 * @param from first
 * @param to last
 */
void
SackRange(SendWindow& window, uint64_t from, uint64_t to)
{
    for (uint64_t seq = from; seq <= to; ++seq)
    {
        window.Sack(seq);
    }
}

/**
 * @ingroup dcfabric-tests
 * @brief Packets that are known to be lost before any ACK tells.
 */
class LoseTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        SendWindow window;
        NS_TEST_EXPECT_MSG_EQ(window.Lose(0), false, "nothing sent yet");
        SendNext(window, 10); // 0..9
        NS_TEST_EXPECT_MSG_EQ(window.Lose(3), true, "on its way");
        NS_TEST_EXPECT_MSG_EQ(window.Lose(3), false, "known");
        NS_TEST_EXPECT_MSG_EQ(window.Lose(10), false, "never sent");
        window.Acknowledge(2);
        NS_TEST_EXPECT_MSG_EQ(window.Lose(1), false, "acknowledged in order");
        window.Sack(5);
        NS_TEST_EXPECT_MSG_EQ(window.Lose(5), false, "acknowledged selectively");
        NS_TEST_EXPECT_MSG_EQ(window.GetNInFlight(), 6, "2, 4, 6, 7, 8, 9");
        NS_TEST_EXPECT_MSG_EQ(window.Lose(2), true, "the first one");
        NS_TEST_EXPECT_MSG_EQ(window.Lose(9), true, "the last one");
        NS_TEST_EXPECT_MSG_EQ(ResendAll(window), "3 2 9 ", "in the order of discovery");
        NS_TEST_EXPECT_MSG_EQ(window.Lose(3), true, "it may be about the second copy");
        window.Acknowledge(10);
        NS_TEST_EXPECT_MSG_EQ(ResendAll(window), "", "it was about the first");
        NS_TEST_EXPECT_MSG_EQ(window.IsEmpty(), true, "done");

        DetectOnce();
        DetectLater();
    }

    /// What was sent again is not found lost by packets sent before.
    void DetectOnce()
    {
        SendWindow window;
        SendNext(window, 10);
        window.Lose(3);
        NS_TEST_EXPECT_MSG_EQ(ResendAll(window), "3 ", "after 9, before 10");
        window.Acknowledge(3);
        SackRange(window, 4, 9);
        NS_TEST_EXPECT_MSG_EQ(window.DetectLoss(3), 0, "they only show the loss that was told");
        SendNext(window, 3); // 10, 11, 12
        SackRange(window, 10, 11);
        NS_TEST_EXPECT_MSG_EQ(window.DetectLoss(3), 0, "11 was sent 2 packets later");
        window.Sack(12);
        NS_TEST_EXPECT_MSG_EQ(window.DetectLoss(3), 1, "12 was sent 3 packets later");
        NS_TEST_EXPECT_MSG_EQ(ResendAll(window), "3 ", "third sending");

        // told, and not yet sent again
        SendWindow waiting;
        SendNext(waiting, 10);
        waiting.Lose(3);
        waiting.Acknowledge(3);
        SackRange(waiting, 4, 9);
        NS_TEST_EXPECT_MSG_EQ(waiting.DetectLoss(3), 0, "known");
        NS_TEST_EXPECT_MSG_EQ(ResendAll(waiting), "3 ", "once");
        NS_TEST_EXPECT_MSG_EQ(waiting.DetectLoss(3), 0, "no trace of the first sending");

        // others are still found: 5 is lost, and nobody told
        SendWindow two;
        SendNext(two, 10);
        two.Lose(3);
        ResendAll(two);
        two.Acknowledge(3);
        two.Sack(4);
        SackRange(two, 6, 8);
        NS_TEST_EXPECT_MSG_EQ(two.DetectLoss(3), 1, "5, as 8 has arrived");
        NS_TEST_EXPECT_MSG_EQ(ResendAll(two), "5 ", "5");
    }

    /// The second copy is told to be lost: the third counts from when it is sent.
    void DetectLater()
    {
        SendWindow window;
        SendNext(window, 10); // 0..9
        window.Lose(3);
        ResendAll(window);
        SendNext(window, 2); // 10, 11
        NS_TEST_EXPECT_MSG_EQ(window.Lose(3), true, "the second copy");
        ResendAll(window);
        SendNext(window, 3); // 12, 13, 14
        window.Acknowledge(3);
        SackRange(window, 4, 13);
        NS_TEST_EXPECT_MSG_EQ(window.DetectLoss(3),
                              0,
                              "13 was sent 2 packets after the third copy");
        window.Sack(14);
        NS_TEST_EXPECT_MSG_EQ(window.DetectLoss(3), 1, "14 was sent 3 packets later");
        NS_TEST_EXPECT_MSG_EQ(window.DetectLoss(3), 0, "once");

        // time-out: everything is to be sent again, told or not
        SendWindow late;
        SendNext(late, 4);
        late.Lose(1);
        ResendAll(late);
        NS_TEST_EXPECT_MSG_EQ(late.MarkAllLost(), 4, "0, 1, 2, 3");
        NS_TEST_EXPECT_MSG_EQ(late.Lose(1), false, "known");
        NS_TEST_EXPECT_MSG_EQ(ResendAll(late), "0 1 2 3 ", "once each");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Going back to a packet.
 */
class RewindToTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        SendWindow window;
        NS_TEST_EXPECT_MSG_EQ(window.RewindTo(0, 1), 0, "nothing sent yet");
        NS_TEST_EXPECT_MSG_EQ(window.HasRewoundSince(0), false, "never");
        SendNext(window, 10); // 0..9
        NS_TEST_EXPECT_MSG_EQ(window.RewindTo(10, 5), 0, "never sent");
        NS_TEST_EXPECT_MSG_EQ(window.RewindTo(3, 10), 7, "3..9");
        NS_TEST_EXPECT_MSG_EQ(window.GetNext(), 3, "there");
        NS_TEST_EXPECT_MSG_EQ(window.GetEnd(), 10, "still known to have been sent");
        NS_TEST_EXPECT_MSG_EQ(window.GetNInFlight(), 3, "0, 1, 2");
        NS_TEST_EXPECT_MSG_EQ(window.RewindTo(3, 11), 0, "twice");
        NS_TEST_EXPECT_MSG_EQ(window.RewindTo(5, 11), 0, "is sent again anyway");
        NS_TEST_EXPECT_MSG_EQ(window.HasRewoundSince(9), false, "0 is first");
        window.Acknowledge(2);
        NS_TEST_EXPECT_MSG_EQ(window.RewindTo(1, 12), 0, "acknowledged");
        window.Acknowledge(3);
        NS_TEST_EXPECT_MSG_EQ(window.HasRewoundSince(9), true, "3 is, of a packet sent before");
        NS_TEST_EXPECT_MSG_EQ(window.HasRewoundSince(9), true, "told twice");
        NS_TEST_EXPECT_MSG_EQ(window.HasRewoundSince(10), false, "of one sent since");
        SendNext(window, 2); // 3, 4
        NS_TEST_EXPECT_MSG_EQ(window.RewindTo(3, 20), 2, "the first unacknowledged one");
        NS_TEST_EXPECT_MSG_EQ(window.HasRewoundSince(19), true, "once more");

        // two drops in a row; 4 has been sent again when its first copy is told to be lost, which
        // was given up with 3. What is told then is the second copy.
        SendWindow two;
        SendNext(two, 10);
        two.RewindTo(3, 10);
        SendNext(two, 3); // 3, 4, 5
        NS_TEST_EXPECT_MSG_EQ(two.RewindTo(4, 11), 0, "given up");
        NS_TEST_EXPECT_MSG_EQ(two.RewindTo(4, 12), 2, "4, 5");
        two.Acknowledge(3);
        NS_TEST_EXPECT_MSG_EQ(two.HasRewoundSince(9), true, "3 went again at 10");
        NS_TEST_EXPECT_MSG_EQ(two.HasRewoundSince(11), false, "and not since");
        two.Acknowledge(4);
        NS_TEST_EXPECT_MSG_EQ(two.HasRewoundSince(11), true, "4 did");

        // 3 is dropped twice
        SendWindow copies;
        SendNext(copies, 10);
        copies.RewindTo(3, 10);
        SendNext(copies, 7);
        copies.RewindTo(3, 20);
        copies.Acknowledge(3);
        NS_TEST_EXPECT_MSG_EQ(copies.HasRewoundSince(9), true, "of the first copy");
        NS_TEST_EXPECT_MSG_EQ(copies.HasRewoundSince(19), true, "of the second one");
        NS_TEST_EXPECT_MSG_EQ(copies.HasRewoundSince(20), false, "no more");

        // what was sent again with 3
        SendWindow next;
        SendNext(next, 10);
        next.RewindTo(3, 10);
        SendNext(next, 7);
        next.Acknowledge(6);
        NS_TEST_EXPECT_MSG_EQ(next.HasRewoundSince(9), true, "6 as well");
        NS_TEST_EXPECT_MSG_EQ(next.HasRewoundSince(10), false, "once");
        NS_TEST_EXPECT_MSG_EQ(next.RewindTo(8, 20), 2, "8, 9");
        next.Acknowledge(8);
        NS_TEST_EXPECT_MSG_EQ(next.HasRewoundSince(19), true, "8");

        // 3 is lost, and nobody tells but a NACK: that of 7 afterwards is of the new round
        SendWindow round;
        SendNext(round, 10);
        round.RewindTo(7, 10);
        round.Acknowledge(3);
        NS_TEST_EXPECT_MSG_EQ(round.HasRewoundSince(9), false, "not 3");
        round.Rewind(20);
        SendNext(round, 7); // 3..9
        round.Acknowledge(7);
        NS_TEST_EXPECT_MSG_EQ(round.HasRewoundSince(20), false, "7 is missing once more");
        NS_TEST_EXPECT_MSG_EQ(round.HasRewoundSince(19), true, "not of packets before");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Both policies on a window.
 */
class DropNoticePolicyTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const Ptr<SelectiveRepeat> selective = CreateObject<SelectiveRepeat>();
        SendWindow window;
        SendNext(window, 10);
        NS_TEST_EXPECT_MSG_EQ(selective->OnDropNotice(window, 3, 1), 1, "3 alone");
        NS_TEST_EXPECT_MSG_EQ(selective->OnDropNotice(window, 3, 1), 0, "twice");
        NS_TEST_EXPECT_MSG_EQ(selective->OnDropNotice(window, 10, 1), 0, "never sent");
        NS_TEST_EXPECT_MSG_EQ(window.GetNext(), 10, "nothing else");

        const Ptr<GoBackN> goBack = CreateObject<GoBackN>();
        SendWindow back;
        SendNext(back, 10);
        NS_TEST_EXPECT_MSG_EQ(goBack->OnDropNotice(back, 3, 10), 7, "3..9");
        NS_TEST_EXPECT_MSG_EQ(goBack->OnDropNotice(back, 3, 11), 0, "twice");
        SendNext(back, 7);
        back.Acknowledge(3);
        NS_TEST_EXPECT_MSG_EQ(goBack->OnNack(back, 9, 30), 0, "the NACK tells the same");
        NS_TEST_EXPECT_MSG_EQ(back.GetNext(), 10, "no change");
        NS_TEST_EXPECT_MSG_EQ(goBack->OnNack(back, 10, 31),
                              7,
                              "of a packet sent since: lost once more");
        NS_TEST_EXPECT_MSG_EQ(back.GetNext(), 3, "back again");
        back.Acknowledge(4);
        SendNext(back, 6);
        NS_TEST_EXPECT_MSG_EQ(goBack->OnNack(back, 31, 40), 6, "another packet");
    }
};

/// Windows and drops that are told.
const SuiteCases g_cases("dcfabric-bts", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new LoseTestCase("window: a packet is told to be lost"));
    suite.AddTestCase(
        new RewindToTestCase("window: back to a packet, and NACKs of packets sent before"));
    suite.AddTestCase(new DropNoticePolicyTestCase("policies: what a drop makes them send again"));
});

} // namespace ns3::tests::bts_window_test
