// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-send-window.h"
#include "fabric-test-suite.h"

#include "ns3/packet-sequence.h"
#include "ns3/send-ranges.h"
#include "ns3/test.h"
#include "ns3/vector-queue.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <iostream>
#include <random>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief What a sender knows of its packets, worked out by hand.
 */

namespace ns3::tests::send_window_test
{

/**
 * @ingroup dcfabric-tests
 * @brief Cumulative and selective acknowledgement.
 */
class AcknowledgeTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        SendWindow window;
        NS_TEST_EXPECT_MSG_EQ(window.IsEmpty(), true, "nothing sent");
        SendNext(window, 10); // 0..9
        NS_TEST_EXPECT_MSG_EQ(window.GetNInFlight(), 10, "all on their way");
        NS_TEST_EXPECT_MSG_EQ(window.Sack(5), true, "first time");
        NS_TEST_EXPECT_MSG_EQ(window.Sack(5), false, "twice acknowledged");
        NS_TEST_EXPECT_MSG_EQ(window.GetNInFlight(), 9, "all but 5");
        NS_TEST_EXPECT_MSG_EQ(window.IsAcknowledged(5), true, "selectively");
        NS_TEST_EXPECT_MSG_EQ(window.IsInFlight(5), false, "arrived");
        NS_TEST_EXPECT_MSG_EQ(window.IsInFlight(9), true, "sent");
        NS_TEST_EXPECT_MSG_EQ(window.IsInFlight(10), false, "not sent yet");
        NS_TEST_EXPECT_MSG_EQ(window.FindNew(3, 0b1111), 0b1011, "of 3 to 6 all but 5");
        window.Acknowledge(3);
        NS_TEST_EXPECT_MSG_EQ(window.FindNew(3, 0b1111), 0b1011, "the same from its base on");
        NS_TEST_EXPECT_MSG_EQ(window.FindNew(2, 0b1111), 0b1111, "not known below that");
        NS_TEST_EXPECT_MSG_EQ(window.FindNew(-1, 0b1), 0b1, "nor of what never was");
        NS_TEST_EXPECT_MSG_EQ(window.Sack(2), false, "acknowledged in order before");
        NS_TEST_EXPECT_MSG_EQ(window.GetNInFlight(), 6, "3, 4, 6, 7, 8, 9");
        window.Acknowledge(7);
        NS_TEST_EXPECT_MSG_EQ(window.GetNSacked(), 0, "5 went over into the cumulative part");
        NS_TEST_EXPECT_MSG_EQ(window.GetNInFlight(), 3, "7, 8, 9");
        window.Acknowledge(10);
        NS_TEST_EXPECT_MSG_EQ(window.IsEmpty(), true, "all acknowledged");
        NS_TEST_EXPECT_MSG_EQ(window.GetNInFlight(), 0, "nothing on its way");
        NS_TEST_EXPECT_MSG_EQ(window.MarkAllLost(), 0, "nothing can be lost");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A packet is lost when one sent `threshold` packets later has arrived, not before.
 */
class DetectLossTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        for (uint32_t threshold : {1U, 3U, 8U})
        {
            SendWindow window;
            SendNext(window, 20);
            NS_TEST_EXPECT_MSG_EQ(window.DetectLoss(threshold), 0, "nothing has arrived");
            if (threshold > 1)
            {
                window.Sack(threshold - 1);
                NS_TEST_EXPECT_MSG_EQ(window.DetectLoss(threshold), 0, "one packet too early");
            }
            // packet t was sent t packets after packet 0, t - 1 after packet 1
            window.Sack(threshold);
            NS_TEST_EXPECT_MSG_EQ(window.DetectLoss(threshold), 1, "0 is lost, 1 is not yet");
            NS_TEST_EXPECT_MSG_EQ(window.IsLost(0), true, "0");
            NS_TEST_EXPECT_MSG_EQ(window.IsLost(1), false, "1");
            NS_TEST_EXPECT_MSG_EQ(window.DetectLoss(threshold), 0, "reported once");
            window.Sack(threshold + 1);
            // packet 1 arrived itself if the threshold is 1
            NS_TEST_EXPECT_MSG_EQ(window.DetectLoss(threshold),
                                  (threshold == 1 ? 0U : 1U),
                                  "then 1");
        }

        SendWindow window;
        SendNext(window, 10);
        window.Sack(9);
        NS_TEST_EXPECT_MSG_EQ(window.DetectLoss(3), 7, "0..6 were sent 3 or more before 9");
        NS_TEST_EXPECT_MSG_EQ(window.GetNInFlight(), 2, "7 and 8 may still come");
        window.Acknowledge(2);
        NS_TEST_EXPECT_MSG_EQ(window.GetNLost(), 5, "0 and 1 had only been late");
        window.Sack(4);
        NS_TEST_EXPECT_MSG_EQ(window.GetNLost(), 4, "4 as well");
        NS_TEST_EXPECT_MSG_EQ(ResendAll(window), "2 3 5 6 ", "in order, without 4");
        NS_TEST_EXPECT_MSG_EQ(window.GetNInFlight(), 6, "2, 3, 5, 6, 7, 8");
        NS_TEST_EXPECT_MSG_EQ(window.DetectLoss(3), 0, "sent again, no news");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What was sent again is lost again when packets sent after that have arrived.
 */
class LostAgainTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        SendWindow window;
        SendNext(window, 10); // 0 is lost
        for (uint64_t seq = 1; seq < 10; ++seq)
        {
            window.Sack(seq);
        }
        NS_TEST_EXPECT_MSG_EQ(window.DetectLoss(3), 1, "0 is lost");
        NS_TEST_EXPECT_MSG_EQ(ResendAll(window), "0 ", "sent again, after 9 and before 10");
        SendNext(window, 5); // 10..14
        window.Sack(10);
        window.Sack(11);
        NS_TEST_EXPECT_MSG_EQ(window.DetectLoss(3), 0, "11 was sent 2 packets later");
        window.Sack(12);
        NS_TEST_EXPECT_MSG_EQ(window.DetectLoss(3), 1, "12 was sent 3 packets later");
        NS_TEST_EXPECT_MSG_EQ(window.DetectLoss(3), 0, "once");
        NS_TEST_EXPECT_MSG_EQ(ResendAll(window), "0 ", "third sending, before 15");
        window.Sack(13);
        window.Sack(14);
        NS_TEST_EXPECT_MSG_EQ(window.DetectLoss(3), 0, "those were sent before");
        // the third copy arrives
        window.Acknowledge(15);
        NS_TEST_EXPECT_MSG_EQ(window.IsEmpty(), true, "done");
        NS_TEST_EXPECT_MSG_EQ(window.DetectLoss(3), 0, "no ghosts");

        // a packet waits to be sent again when its first copy turns up
        SendNext(window, 4); // 15..18
        window.Sack(18);
        NS_TEST_EXPECT_MSG_EQ(window.DetectLoss(3), 1, "15");
        window.Acknowledge(19);
        uint64_t seq = 0;
        NS_TEST_EXPECT_MSG_EQ(window.PeekLost(seq), false, "not sent needlessly");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Time-outs of both policies: all lost, and back to the first.
 */
class TimeoutWindowTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        SendWindow window;
        SendNext(window, 5);
        window.Sack(2);
        NS_TEST_EXPECT_MSG_EQ(window.MarkAllLost(), 4, "0, 1, 3, 4");
        NS_TEST_EXPECT_MSG_EQ(window.MarkAllLost(), 0, "already known");
        NS_TEST_EXPECT_MSG_EQ(window.GetNInFlight(), 0, "none");
        uint64_t seq = 0;
        window.PeekLost(seq);
        window.TakeLost(0);
        NS_TEST_EXPECT_MSG_EQ(seq, 0, "first");
        NS_TEST_EXPECT_MSG_EQ(window.MarkAllLost(), 1, "0 once more");
        NS_TEST_EXPECT_MSG_EQ(ResendAll(window), "1 3 4 0 ", "in the order of discovery");
        SendNext(window, 1); // 5
        NS_TEST_EXPECT_MSG_EQ(window.GetNInFlight(), 5, "all but 2");
        window.Acknowledge(6);
        NS_TEST_EXPECT_MSG_EQ(window.IsEmpty(), true, "done");

        SendWindow back;
        SendNext(back, 5);
        back.Acknowledge(2);
        back.Rewind(0);
        NS_TEST_EXPECT_MSG_EQ(back.GetNext(), 2, "from the first unacknowledged packet");
        NS_TEST_EXPECT_MSG_EQ(back.GetEnd(), 5, "up to 4 were sent before");
        NS_TEST_EXPECT_MSG_EQ(back.GetNInFlight(), 0, "what is under way does not count");
        NS_TEST_EXPECT_MSG_EQ(back.IsInFlight(3), false, "will be sent again");
        NS_TEST_EXPECT_MSG_EQ(back.TakeNext(0), 2, "again");
        NS_TEST_EXPECT_MSG_EQ(back.GetEnd(), 5, "still");
        back.Acknowledge(4); // first copies arrived after all
        NS_TEST_EXPECT_MSG_EQ(back.GetNext(), 4, "no need for 3");
        NS_TEST_EXPECT_MSG_EQ(back.GetNInFlight(), 0, "4 will be sent again");
        NS_TEST_EXPECT_MSG_EQ(back.TakeNext(0), 4, "again");
        NS_TEST_EXPECT_MSG_EQ(back.TakeNext(0), 5, "new");
        NS_TEST_EXPECT_MSG_EQ(back.GetEnd(), 6, "new");
        back.Acknowledge(6);
        back.Rewind(0);
        NS_TEST_EXPECT_MSG_EQ(back.GetNext(), 6, "nothing to go back to");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Half of the space of sequence numbers is outstanding.
 *
 * 24 bits have 2^24 numbers, of which 2^23 = 8388608 lie ahead of the first unacknowledged packet
 * and 2^23 behind it. The next packet expected after n outstanding ones is n ahead, so that n may
 * be 8388607 at most.
 */
class HalfSpaceTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        constexpr uint64_t MOST = 8388607;
        constexpr uint64_t ENDLESS = uint64_t{1} << 60;
        SendWindow window;
        NS_TEST_EXPECT_MSG_EQ(window.HasPacket(0), false, "nothing to send");
        NS_TEST_EXPECT_MSG_EQ(window.HasPacket(1), true, "one");
        while (window.GetEnd() < 2 * MOST && window.HasPacket(ENDLESS))
        {
            window.TakeNext(0);
        }
        NS_TEST_ASSERT_MSG_EQ(window.GetEnd(), MOST, "sent");
        const uint32_t all = PacketSequence::ToWire(MOST, 7);
        NS_TEST_EXPECT_MSG_EQ(PacketSequence::FromWire(all, 7, 0),
                              8388607,
                              "an answer to all is no old one");
        NS_TEST_EXPECT_MSG_EQ(PacketSequence::FromWire(PacketSequence::ToWire(MOST + 1, 7), 7, 0),
                              -8388608,
                              "to one more it would be");
        // what was lost can be sent again all the same, or nothing would ever be acknowledged
        window.Sack(4);
        NS_TEST_EXPECT_MSG_EQ(window.DetectLoss(3), 2, "0 and 1");
        NS_TEST_EXPECT_MSG_EQ(window.HasPacket(ENDLESS), true, "these two");
        NS_TEST_EXPECT_MSG_EQ(ResendAll(window), "0 1 ", "again");
        NS_TEST_EXPECT_MSG_EQ(window.HasPacket(ENDLESS), false, "no new one");
        window.Acknowledge(2);
        NS_TEST_EXPECT_MSG_EQ(window.HasPacket(ENDLESS), true, "two new ones");
        SendNext(window, 2);
        NS_TEST_EXPECT_MSG_EQ(window.HasPacket(ENDLESS), false, "and no more");
        window.Rewind(0);
        NS_TEST_EXPECT_MSG_EQ(window.HasPacket(window.GetEnd()), true, "going back");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The queue behind the window against std::deque.
 */
class VectorQueueTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const uint32_t seed = 3;
        std::cout << "dcfabric-send-window: seed " << seed << std::endl;
        std::mt19937 random(seed);
        VectorQueue<uint32_t> queue;
        std::deque<uint32_t> model;
        NS_TEST_EXPECT_MSG_EQ(queue.empty(), true, "nothing yet");
        for (uint32_t step = 0; step < 20000; ++step)
        {
            // long stretches in which it grows or shrinks
            if (random() % 100 < (step / 500 % 2 ? 30U : 70U))
            {
                queue.push_back(step);
                model.push_back(step);
            }
            else if (!model.empty())
            {
                NS_TEST_ASSERT_MSG_EQ(queue.front(), model.front(), "first, seed " << seed);
                queue.pop_front();
                model.pop_front();
            }
            NS_TEST_ASSERT_MSG_EQ(queue.size(), model.size(), "size, seed " << seed);
            NS_TEST_ASSERT_MSG_EQ(std::equal(queue.begin(), queue.end(), model.begin()),
                                  true,
                                  "contents, seed " << seed);
        }
        queue.clear();
        NS_TEST_EXPECT_MSG_EQ(queue.empty(), true, "cleared");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Which message is being sent. The empty packet of one that was given up is of none.
 */
class TagTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        SendWindow window;
        SendRanges ranges(window, 1000);
        ranges.Add(2000, 7, 0); // packets 0 and 1
        NS_TEST_EXPECT_MSG_EQ(ranges.GetTag(), 7, "comes next");
        ranges.Use(window.TakeNext(0));
        ranges.Use(window.TakeNext(0));
        ranges.AddEmpty(3, 0, 0); // packet 2
        ranges.Use(window.TakeNext(0));
        NS_TEST_EXPECT_MSG_EQ(ranges.GetTag(), 7, "still");
        NS_TEST_EXPECT_MSG_EQ(ranges.TakeAcked(2).has_value(), true, "the message is acknowledged");
        ranges.Add(1, 9, 0); // packet 3, behind the empty one
        NS_TEST_EXPECT_MSG_EQ(ranges.GetTag(), 7, "packet 3 has not been sent");
        ranges.Use(window.TakeNext(0));
        NS_TEST_EXPECT_MSG_EQ(ranges.GetTag(), 9, "now it has");
    }
};

/// The send window.
const SuiteCases g_cases("dcfabric-reliability", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new AcknowledgeTestCase("acknowledge, sack, duplicates"));
    suite.AddTestCase(new DetectLossTestCase("loss detection at its thresholds"));
    suite.AddTestCase(new LostAgainTestCase("a retransmission is lost again"));
    suite.AddTestCase(new TimeoutWindowTestCase("mark all lost, rewind"));
    suite.AddTestCase(new HalfSpaceTestCase("half of the sequence numbers outstanding"));
    suite.AddTestCase(new TagTestCase("the message that is being sent"));
    suite.AddTestCase(new VectorQueueTestCase("queue against std::deque"));
});

} // namespace ns3::tests::send_window_test
