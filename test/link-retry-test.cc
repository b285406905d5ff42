// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-retry.h"

#include "ns3/boolean.h"
#include "ns3/fabric-headers.h"
#include "ns3/link-packets.h"
#include "ns3/priority-flow-control.h"
#include "ns3/test.h"

#include <cmath>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Link-level retry on one link, by hand.
 */

namespace ns3::tests::link_retry_test
{

/**
 * @ingroup dcfabric-tests
 * @brief A frame in the middle of a stream is damaged or lost.
 *
 * Frames 0, 1, ... follow one another from time 0: frame i ends at 80 (i + 1) ns and arrives 1000
 * ns later.
 *
 * Damaged: frame 10 arrives at 1880 ns, the NACK at the left at 1880 + 0.64 + 1000 = 2880.64. Frame
 * 36 is on the wire until 2960. Then 10 to 36 are sent again, 27 frames: 10 arrives at 2960 + 80 +
 * 1000 = 4040, and 37 follows at 2960 + 27 x 80 + 80 + 1000 = 6200 instead of 4040.
 *
 * Lost: only frame 11 shows it, at 1960 ns; the NACK arrives at 2960.64, frame 37 ends at 3040, and
 * 28 frames are sent again: 10 arrives at 4120, 38 at 3040 + 28 x 80 + 1080 = 6360.
 */
class StreamTestCase : public RetryLinkTestCase
{
    using RetryLinkTestCase::RetryLinkTestCase;

    /**
     * @brief Check when all of 60 frames arrive.
     * @param from first frame that is sent again
     * @param replays how many are
     * @param againPs when the first of them arrives
     */
    void Check(uint32_t from, uint32_t replays, int64_t againPs)
    {
        Simulator::Run();
        const std::vector<int64_t> times = GetArrivals();
        NS_TEST_ASSERT_MSG_EQ(times.size(), 60, "all");
        for (uint32_t i = 0; i < 60; ++i)
        {
            const int64_t expected =
                i < from ? (i + 1) * FRAME + DELAY : againPs + (i - from) * FRAME;
            NS_TEST_EXPECT_MSG_EQ(times[i], expected, "frame " << i);
        }
        const auto& sent = m_retry[0]->GetCounters();
        const auto& come = m_retry[1]->GetReceiver().GetCounters();
        NS_TEST_EXPECT_MSG_EQ(sent.ok, 60, "acknowledged");
        NS_TEST_EXPECT_MSG_EQ(sent.replays, replays, "sent again");
        NS_TEST_EXPECT_MSG_EQ(sent.timeouts, 0, "not for want of progress");
        NS_TEST_EXPECT_MSG_EQ(come.ok, 60, "taken");
        NS_TEST_EXPECT_MSG_EQ(come.duplicates, 0, "none twice");
        NS_TEST_EXPECT_MSG_EQ(m_retry[1]->GetCounters().nacks,
                              (replays > 0 ? 1U : 0U),
                              "one for all");
        NS_TEST_EXPECT_MSG_EQ(m_retry[0]->GetBuffer().GetNFrames(), 0, "none is kept");
        const auto& counters = m_link->rightPort->GetCounters();
        NS_TEST_EXPECT_MSG_EQ(counters.rxDataPackets, 60, "none twice");
        NS_TEST_EXPECT_MSG_EQ(counters.errorDrops + counters.corruptDrops, 0, "nothing is lost");
        NS_TEST_EXPECT_MSG_EQ(m_link->leftPort->GetCounters().txBytes, 60 * 980, "counted once");
    }

    void DoRun() override
    {
        Create();
        Send(60);
        Check(60, 0, 0);

        Create();
        Damage(m_link->rightPort, 1879000, 1881000);
        Send(60);
        Check(10, 27, 4040000);
        NS_TEST_EXPECT_MSG_EQ(m_retry[1]->GetReceiver().GetCounters().damaged, 1, "frame 10");
        NS_TEST_EXPECT_MSG_EQ(m_retry[1]->GetReceiver().GetCounters().missing, 26, "11 to 36");
        NS_TEST_EXPECT_MSG_EQ(GetArrivals()[37], 6200000, "instead of 4040000");

        Create();
        Lose(m_link->rightPort, 1879000, 1881000);
        Send(60);
        Check(10, 28, 4120000);
        NS_TEST_EXPECT_MSG_EQ(m_retry[1]->GetReceiver().GetCounters().damaged, 0, "not seen");
        NS_TEST_EXPECT_MSG_EQ(m_retry[1]->GetReceiver().GetCounters().missing, 27, "11 to 37");
        NS_TEST_EXPECT_MSG_EQ(GetArrivals()[38], 6360000, "behind the replay");
        Clear();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Losses that only the time without progress shows.
 */
class TimeoutTestCase : public RetryLinkTestCase
{
    using RetryLinkTestCase::RetryLinkTestCase;

    void DoRun() override
    {
        // The last of five frames is lost, at 1400 ns. Acknowledgements leave at 1080 (of frame 0),
        // 1243.84 (1 and 2) and 1407.68 (3); the last arrives at 2408.32, and the time begins.
        Create();
        Lose(m_link->rightPort, 1399000, 1401000);
        Send(5);
        Simulator::Run();
        std::vector<int64_t> times = GetArrivals();
        NS_TEST_ASSERT_MSG_EQ(times.size(), 5, "all");
        NS_TEST_EXPECT_MSG_EQ(m_retry[0]->GetTimeoutPs(), TIMEOUT, "two round trips");
        NS_TEST_EXPECT_MSG_EQ(times[4], 2408320 + TIMEOUT + FRAME + DELAY, "by the timer");
        NS_TEST_EXPECT_MSG_EQ(m_retry[0]->GetCounters().timeouts, 1, "once");
        NS_TEST_EXPECT_MSG_EQ(m_retry[0]->GetCounters().replays, 1, "of what was not acknowledged");

        // Frame 1 of three is lost, and again when it is sent again: the receiver has sent its
        // NACK and is silent. Frame 2 shows the loss at 1240, the NACK arrives at 2240.64; frame 1
        // is lost again at 3320.64. The replay began the time anew.
        Create();
        Lose(m_link->rightPort, 1159000, 1161000);
        Lose(m_link->rightPort, 3320000, 3322000);
        Send(3);
        Simulator::Run();
        times = GetArrivals();
        NS_TEST_ASSERT_MSG_EQ(times.size(), 3, "all");
        NS_TEST_EXPECT_MSG_EQ(times[1], 2240640 + TIMEOUT + FRAME + DELAY, "by the timer");
        NS_TEST_EXPECT_MSG_EQ(m_retry[1]->GetCounters().nacks, 1, "one");

        // All that comes back is lost until 5 us: the left sends all three again at 4648.96, the
        // right takes none twice, and tells again.
        Create();
        Lose(m_link->leftPort, 0, 5000000);
        Send(3);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(GetArrivals().size(), 3, "none twice");
        NS_TEST_EXPECT_MSG_EQ(m_retry[0]->GetCounters().replays, 3, "all again");
        NS_TEST_EXPECT_MSG_EQ(m_retry[0]->GetCounters().ok, 3, "acknowledged in the end");
        NS_TEST_EXPECT_MSG_EQ(m_retry[1]->GetReceiver().GetCounters().duplicates, 3, "known");
        Clear();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Numbers begin again behind the last one, FFFFF.
 */
class WrapTestCase : public RetryLinkTestCase
{
    using RetryLinkTestCase::RetryLinkTestCase;

    void DoRun() override
    {
        // FFFFE, FFFFF, 0, 1, 2; each of them is lost once. A frame that is not the last is shown
        // by the next one, 80 ns later.
        for (uint32_t lost = 0; lost < 5; ++lost)
        {
            Create([](LinkRetry& retry) {
                retry.SetAttribute("FirstNumber", UintegerValue(0xffffe));
            });
            const int64_t atPs = (lost + 1) * FRAME + DELAY;
            Lose(m_link->rightPort, atPs - 1000, atPs + 1000);
            Send(5);
            Simulator::Run();
            const std::vector<int64_t> times = GetArrivals();
            NS_TEST_ASSERT_MSG_EQ(times.size(), 5, "all, lost " << lost);
            const std::vector<uint32_t> numbers{0xffffe, 0xfffff, 0, 1, 2};
            for (uint32_t i = 0; i < 5; ++i)
            {
                NS_TEST_EXPECT_MSG_EQ(m_link->right->arrivals[i].packet->linkNumber,
                                      numbers[i],
                                      "number of frame " << i);
            }
            NS_TEST_EXPECT_MSG_EQ(m_retry[0]->GetCounters().ok, 5, "lost " << lost);
            NS_TEST_EXPECT_MSG_EQ(m_retry[0]->GetCounters().timeouts, (lost == 4 ? 1U : 0U), lost);
            if (lost == 1)
            {
                // shown at 1240, NACK at 2240.64
                NS_TEST_EXPECT_MSG_EQ(times[1], 2240640 + FRAME + DELAY, "frame 1");
                NS_TEST_EXPECT_MSG_EQ(times[4], 2240640 + 4 * FRAME + DELAY, "frame 4");
            }
        }
        Clear();

        NS_TEST_EXPECT_MSG_EQ(LinkNumber::Distance(2, 0xffffe), 4, "over the end");
        NS_TEST_EXPECT_MSG_EQ(LinkNumber::Distance(0xffffe, 2), -4, "and back");
        NS_TEST_EXPECT_MSG_EQ(LinkNumber::Add(0, -1), 0xfffff, "before 0");
        ReplayBuffer buffer;
        buffer.SetRoom(3, 1000);
        buffer.Begin(0xfffff);
        NS_TEST_EXPECT_MSG_EQ(buffer.Append(100), 0xfffff, "first");
        NS_TEST_EXPECT_MSG_EQ(buffer.Append(200), 0, "second");
        NS_TEST_EXPECT_MSG_EQ(buffer.Acknowledge(0xffffe), 0, "nothing new");
        NS_TEST_EXPECT_MSG_EQ(buffer.Acknowledge(1), 0, "never sent");
        NS_TEST_EXPECT_MSG_EQ(buffer.IsFull(), false, "one more");
        buffer.Append(300);
        NS_TEST_EXPECT_MSG_EQ(buffer.IsFull(), true, "three frames");
        buffer.Replay();
        NS_TEST_EXPECT_MSG_EQ(buffer.TakeReplay().number, 0xfffff, "first again");
        NS_TEST_EXPECT_MSG_EQ(buffer.Acknowledge(0), 2, "both");
        NS_TEST_EXPECT_MSG_EQ(buffer.GetBytes(), 300, "the third is left");
        NS_TEST_EXPECT_MSG_EQ(buffer.TakeReplay().bytes, 300, "again");
        NS_TEST_EXPECT_MSG_EQ(buffer.HasReplay(), false, "all again");
        buffer.Append(700);
        NS_TEST_EXPECT_MSG_EQ(buffer.IsFull(), true, "1000 bytes");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The room for frames that are not acknowledged.
 *
 * The acknowledgement of frame 0 arrives at 2080.64 ns, that of 1 and 2 at 2244.48.
 */
class RoomTestCase : public RetryLinkTestCase
{
    using RetryLinkTestCase::RetryLinkTestCase;

    /**
     * @brief Send ten frames.
     * @param name of an attribute
     * @param value of it
     * @return when frames began, in ps
     */
    std::vector<int64_t> Begun(const std::string& name, uint64_t value)
    {
        Create([&](LinkRetry& retry) { retry.SetAttribute(name, UintegerValue(value)); });
        Send(10);
        Simulator::Run();
        std::vector<int64_t> times = GetArrivals();
        for (int64_t& time : times)
        {
            time -= FRAME + DELAY;
        }
        NS_TEST_EXPECT_MSG_EQ(times.size(), 10, name << " " << value);
        times.resize(10);
        return times;
    }

    void DoRun() override
    {
        std::vector<int64_t> begun = Begun("MaxFrames", 4);
        NS_TEST_EXPECT_MSG_EQ(begun[3], 3 * FRAME, "the fourth");
        NS_TEST_EXPECT_MSG_EQ(begun[4], 2080640, "one is acknowledged");
        NS_TEST_EXPECT_MSG_EQ(begun[5], 2244480, "two more are");
        NS_TEST_EXPECT_MSG_EQ(begun[6], 2244480 + FRAME, "the second of them");
        NS_TEST_EXPECT_MSG_EQ(begun[7], 2408320, "frame 3 is");
        begun = Begun("MaxBytes", 3 * 980 + 1); // a frame may begin while one byte is left
        NS_TEST_EXPECT_MSG_EQ(begun[4], 2080640, "four frames");
        begun = Begun("MaxBytes", 3 * 980);
        NS_TEST_EXPECT_MSG_EQ(begun[2], 2 * FRAME, "the third");
        NS_TEST_EXPECT_MSG_EQ(begun[3], 2080640, "three frames");
        begun = Begun("MaxFrames", 1);
        NS_TEST_EXPECT_MSG_EQ(begun[9], 9 * 2080640, "one in each round trip");

        // the room that is computed never holds up a stream
        Create();
        Send(1000);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(GetArrivals().back(), 1000 * FRAME + DELAY, "line rate");

        Create();
        m_retry[0]->SetAttribute("ReplayTimeout", TimeValue(NanoSeconds(2324)));
        DCFABRIC_EXPECT_REFUSAL(m_retry[0]->SetMaxFrameBytes(980),
                                "ns3::LinkRetry::ReplayTimeout: 2324000 ps are less than a frame "
                                "and its acknowledgement take on the link of node 0 port 0, "
                                "2324480 ps");
        m_retry[0]->SetAttribute("ReplayTimeout", TimeValue(NanoSeconds(2325)));
        m_retry[0]->SetMaxFrameBytes(980);
        NS_TEST_EXPECT_MSG_EQ(m_retry[0]->GetTimeoutPs(), 2325000, "a round trip will do");
        Clear();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Giving up, and beginning anew.
 */
class GiveUpTestCase : public RetryLinkTestCase
{
    using RetryLinkTestCase::RetryLinkTestCase;

    /// A packet is lost.
    void OnDrop(Ptr<const FabricPacketItem> /* item */,
                DropReason reason,
                const FabricNetDevice* /* port */)
    {
        m_drops.emplace_back(m_link->right->GetNowPs(), reason);
    }

    void DoRun() override
    {
        // The wire to the right is dead until 20 us. One frame is sent at 0 and, for want of
        // progress, at 1, 2 and 3 times 4648.96 ns; the fourth time it is given up, and INIT leaves
        // then, at 18595.84. That arrives nowhere; the next one, 4648.96 later, does.
        for (const bool bestEffort : {false, true})
        {
            Create([bestEffort](LinkRetry& retry) {
                retry.SetAttribute("ReplayCountMax", UintegerValue(3));
                retry.SetAttribute("BestEffort", BooleanValue(bestEffort));
            });
            m_drops.clear();
            m_link->right->TraceConnectWithoutContext("Drop",
                                                      MakeCallback(&GiveUpTestCase::OnDrop, this));
            Lose(m_link->rightPort, 0, 20000000);
            Send(1);
            CallIn(MicroSeconds(21), [this]() { m_link->leftPort->Enqueue(MakeData(980, 0)); });
            CallIn(MicroSeconds(30), [this]() { m_link->leftPort->Enqueue(MakeData(980, 1)); });
            Simulator::Run();
            const auto& counters = m_retry[0]->GetCounters();
            NS_TEST_EXPECT_MSG_EQ(counters.replays, 3, "sent four times");
            NS_TEST_EXPECT_MSG_EQ(counters.timeouts, 4, "waited four times");
            NS_TEST_EXPECT_MSG_EQ(counters.discards, 1, "given up");
            NS_TEST_EXPECT_MSG_EQ(counters.inits, 2, "the first is lost");
            NS_TEST_ASSERT_MSG_EQ(m_drops.size(), 1, "one packet is lost");
            NS_TEST_EXPECT_MSG_EQ(m_drops[0].first, 4 * TIMEOUT + SET + DELAY, "with INIT");
            NS_TEST_EXPECT_MSG_EQ(m_drops[0].second, DropReason::LINK_DOWN, "why");
            NS_TEST_EXPECT_MSG_EQ(m_link->rightPort->GetCounters().linkDownDrops, 1, "counted");
            const std::vector<int64_t> times = GetArrivals();
            NS_TEST_ASSERT_MSG_EQ(times.size(), 2, "the others");
            // INIT at 5 x 4648.96, its echo 2 x 1000.64 later, and then the frame of 21 us
            NS_TEST_EXPECT_MSG_EQ(times[0],
                                  (bestEffort ? 21000000 : 5 * TIMEOUT + 2 * (SET + DELAY)) +
                                      FRAME + DELAY,
                                  "waits, or goes without retry");
            NS_TEST_EXPECT_MSG_EQ(times[1], 30000000 + FRAME + DELAY, "at once");
            NS_TEST_EXPECT_MSG_EQ(counters.ok, (bestEffort ? 1U : 2U), "with numbers");
            NS_TEST_EXPECT_MSG_EQ(m_link->rightPort->GetLink().GetNPackets(), 0, "none is left");
        }

        // at the first loss
        Create([](LinkRetry& retry) { retry.SetAttribute("ReplayCountMax", UintegerValue(0)); });
        Lose(m_link->rightPort, 1079000, 1081000);
        Send(3);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_retry[0]->GetCounters().discards, 3, "0 is lost, 1 and 2 with it");
        NS_TEST_EXPECT_MSG_EQ(m_link->rightPort->GetCounters().linkDownDrops, 3, "counted");
        NS_TEST_EXPECT_MSG_EQ(m_link->right->arrivals.size(), 0, "none is taken");
        Clear();
    }

    std::vector<std::pair<int64_t, DropReason>> m_drops; //!< when and why
};

/**
 * @ingroup dcfabric-tests
 * @brief The link goes down and comes up again.
 */
class LinkDownTestCase : public RetryLinkTestCase
{
    using RetryLinkTestCase::RetryLinkTestCase;

    /**
     * @brief Take the link down.
     * @param downPs from when on
     * @param upPs until when
     */
    void TakeDown(int64_t downPs, int64_t upPs)
    {
        const Ptr<FabricChannel> channel =
            DynamicCast<FabricChannel>(m_link->leftPort->GetChannel());
        channel->ScheduleChange({downPs, LinkChange::DOWN});
        channel->ScheduleChange({upPs, LinkChange::UP});
    }

    void DoRun() override
    {
        // Frame 10 is damaged at 1880 ns. At 2500 ns the link goes down, with 10 to 17 at the
        // right, which has not taken them, and 18 to 31 on the wire: all of them are lost, once
        // each.
        for (const bool bestEffort : {false, true})
        {
            Create([bestEffort](LinkRetry& retry) {
                retry.SetAttribute("BestEffort", BooleanValue(bestEffort));
            });
            Damage(m_link->rightPort, 1879000, 1881000);
            TakeDown(2500000, 10000000);
            Send(60);
            Simulator::Run();
            // 0 to 31 had begun before 2500
            const auto& counters = m_link->rightPort->GetCounters();
            NS_TEST_EXPECT_MSG_EQ(counters.linkDownDrops, 22, "10 to 31");
            NS_TEST_EXPECT_MSG_EQ(counters.rxDataPackets, 38, "0 to 9, 32 to 59");
            NS_TEST_ASSERT_MSG_EQ(m_link->right->arrivals.size(), 38, "these");
            NS_TEST_EXPECT_MSG_EQ(m_link->right->arrivals[10].packet->data.tag, 32, "in order");
            // INIT of both ends leave at 10000 and arrive at 11000.64; the echo of the right leaves
            // then. The left has echoed, too, when that arrives, at 12001.28.
            NS_TEST_EXPECT_MSG_EQ(m_link->right->arrivals[10].timePs,
                                  (bestEffort ? 10000000 + SET : 10000000 + 2 * (SET + DELAY)) +
                                      FRAME + DELAY,
                                  "at once, or after the echo");
            NS_TEST_EXPECT_MSG_GT(m_retry[0]->GetCounters().discards, 0, "given up");
            NS_TEST_EXPECT_MSG_EQ(m_retry[0]->GetCounters().inits, 1, "once");
            NS_TEST_EXPECT_MSG_EQ(m_retry[0]->GetBuffer().GetNFrames(), 0, "none is kept");
            NS_TEST_EXPECT_MSG_EQ(m_link->rightPort->GetLink().GetNPackets(), 0, "none is left");
        }

        // INIT and the echo are lost once each; nothing hangs, and retry is there afterwards.
        Create();
        TakeDown(0, 1000000);
        Lose(m_link->rightPort, 2000000, 2002000); // INIT of 1000 ns
        Lose(m_link->leftPort, 7600000, 7700000);  // the echo of that of 5648.96
        CallIn(MicroSeconds(2), [this]() { Send(3); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_retry[0]->GetCounters().inits, 3, "two are in vain");
        // the third at 1000 + 2 x 4648.96
        NS_TEST_EXPECT_MSG_EQ(GetArrivals()[0],
                              1000000 + 2 * TIMEOUT + 2 * (SET + DELAY) + FRAME + DELAY,
                              "then");
        NS_TEST_EXPECT_MSG_EQ(m_retry[0]->GetCounters().ok, 3, "with numbers");
        Clear();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Frames of flow control are sent again as others are.
 */
class LinkFrameTestCase : public RetryLinkTestCase
{
    using RetryLinkTestCase::RetryLinkTestCase;

    void DoRun() override
    {
        // The right pauses class 3 at 0: 84 B, 6.72 ns. That is lost; nothing follows, so that the
        // time without progress shows it: again at 4648.96.
        Create();
        Ptr<PriorityFlowControl> pfc[2];
        int end = 0;
        for (const auto& port : {m_link->leftPort, m_link->rightPort})
        {
            pfc[end] = CreateObject<PriorityFlowControl>();
            port->SetFlowControl(pfc[end]);
            pfc[end++]->SetMaxFrameBytes(980);
        }
        Lose(m_link->leftPort, 1000000, 1010000);
        CallIn(Seconds(0), [&pfc]() { pfc[1]->SetCongested(3, true); });
        // heard at 4648.96 + 6.72 + 1000 = 5655.68 ns, in the next tick
        std::vector<uint32_t> paused;
        for (const uint64_t ns : {5655, 5657})
        {
            CallIn(NanoSeconds(ns),
                   [&]() { paused.push_back(m_link->leftPort->GetPausedClasses()); });
        }
        CallIn(MicroSeconds(10), [&pfc]() { pfc[1]->SetCongested(3, false); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ((paused == std::vector<uint32_t>{0, 8}), true, "when it came");
        NS_TEST_EXPECT_MSG_EQ(m_link->leftPort->GetCounters().rxLinkFrames, 2, "and the end");
        NS_TEST_EXPECT_MSG_EQ(m_link->leftPort->GetCounters().linkFrameErrorDrops, 0, "none lost");
        NS_TEST_EXPECT_MSG_EQ(m_link->rightPort->GetCounters().txLinkFrames, 2, "once each");
        NS_TEST_EXPECT_MSG_EQ(m_retry[1]->GetCounters().replays, 1, "again");

        // headroom for what may come later than on a link without errors: what is kept, and what
        // fits into the time until the pause is sent again
        const uint64_t with = pfc[0]->GetHeadroomBytes(980);
        NS_TEST_EXPECT_MSG_EQ(
            with - m_retry[0]->GetLateBytes(),
            PriorityFlowControl::ComputeHeadroom(100 * GBPS, DELAY, 980, 980, 64, 20),
            "on top of what there is without");
        // 2324.48 ns are 29,056 B, 29,057 as rounded, two frames more; 4648.96 are 58,112
        NS_TEST_EXPECT_MSG_EQ(m_retry[0]->GetLateBytes(), 29057 + 2 * 980 + 58113, "by hand");
        Clear();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Goodput under loss.
 *
 * With probability p a frame is damaged, and it and what follows within a round trip, W frames, are
 * sent again: of N frames that get through the wire carries N + W N p / (1 - p). So the share of
 * the line is (1 - p) / (1 - p + p W).
 */
class GoodputTestCase : public RetryLinkTestCase
{
    using RetryLinkTestCase::RetryLinkTestCase;

    void DoRun() override
    {
        const struct
        {
            double p;
            uint32_t frames;
            double share;
        } cases[] = {{1e-3, 100000, 0.9737}, {1e-2, 20000, 0.7857}};

        for (const auto& c : cases)
        {
            Create();
            const Ptr<WireErrors> errors = m_link->rightPort->GetWireErrors();
            errors->AssignStreams(7);
            errors->SetCorruption(c.p);
            Send(c.frames);
            Simulator::Run();
            const std::vector<int64_t> times = GetArrivals();
            NS_TEST_ASSERT_MSG_EQ(times.size(), c.frames, "all");
            const double share = static_cast<double>(c.frames) * static_cast<double>(FRAME) /
                                 static_cast<double>(times.back() - DELAY);
            // 100 and 200 losses: three standard deviations of what they cost. Of p of them the
            // replay is damaged, too, and costs the time of 58 frames without progress, not of 27.
            const double deviation = 3 / std::sqrt(c.p * c.frames) + 3 * c.p * 58 / 27;
            NS_TEST_EXPECT_MSG_EQ_TOL(share, c.share, (1 - c.share) * deviation, "p = " << c.p);
            NS_TEST_EXPECT_MSG_EQ(m_retry[1]->GetReceiver().GetCounters().duplicates, 0, "none");
        }
        Clear();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What is said between the ends, as bytes.
 */
class WordsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const std::vector<std::string> names{"ack", "nack", "init", "init echo", "replay"};
        for (std::size_t i = 0; i < names.size(); ++i)
        {
            const auto item = FabricPacketItem::Create(FabricPacketType::LLR);
            item->As<RetryFields>().word = static_cast<RetryWord>(i);
            item->linkNumber = 0xfffff;
            const auto again = FabricHeaders::Parse(FabricHeaders::Serialize(*item));
            NS_TEST_ASSERT_MSG_NE(again, nullptr, "parsed");
            NS_TEST_EXPECT_MSG_EQ((again->type == FabricPacketType::LLR), true, "not credits");
            NS_TEST_EXPECT_MSG_EQ((again->As<RetryFields>().word == item->As<RetryFields>().word),
                                  true,
                                  names[i]);
            NS_TEST_EXPECT_MSG_EQ(again->linkNumber, 0xfffff, "number");
            NS_TEST_EXPECT_MSG_EQ(item->IsLinkFrame(), true, "stays on its link");
            std::ostringstream text;
            text << *item;
            NS_TEST_EXPECT_MSG_EQ((text.str().find(names[i] + " 1048575") != std::string::npos),
                                  true,
                                  text.str());
        }
        const auto item = FabricPacketItem::Create(FabricPacketType::LLR);
        item->linkNumber = 0x100000;
        DCFABRIC_EXPECT_REFUSAL(FabricHeaders::Serialize(*item), "number on the link");
        item->linkNumber = 0;
        item->As<RetryFields>().word = static_cast<RetryWord>(5);
        DCFABRIC_EXPECT_REFUSAL(FabricHeaders::Serialize(*item), "word of link-level retry");
    }
};

/// Link-level retry.
const SuiteCases g_cases("dcfabric-link-retry", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new StreamTestCase("retry: a frame in a stream is damaged or lost"));
    suite.AddTestCase(new TimeoutTestCase("retry: losses that only time shows; duplicates"));
    suite.AddTestCase(new WrapTestCase("retry: numbers begin again"));
    suite.AddTestCase(new RoomTestCase("retry: room in frames and bytes; sizes are checked"));
    suite.AddTestCase(new GiveUpTestCase("retry: giving up, and beginning anew"));
    suite.AddTestCase(new LinkDownTestCase("retry: the link goes down and comes up"));
    suite.AddTestCase(new LinkFrameTestCase("retry: frames of flow control; headroom"));
    suite.AddTestCase(new GoodputTestCase("retry: goodput under loss"));
    suite.AddTestCase(new WordsTestCase("retry: what is said, as bytes"));
});

} // namespace ns3::tests::link_retry_test
