// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-suite.h"

#include "ns3/class-scheduler.h"
#include "ns3/object-factory.h"
#include "ns3/random-variable-stream.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <array>
#include <cstdint>
#include <deque>
#include <string>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Which class sends next.
 */

namespace ns3::tests::class_scheduler_test
{

/**
 * @ingroup dcfabric-tests
 * @brief Eight queues of packet sizes, served by a scheduler as the queue disc does it.
 */
class ScheduledQueues
{
  public:
    /// @param scheduler the scheduler
    explicit ScheduledQueues(Ptr<ClassScheduler> scheduler)
        : m_scheduler(scheduler)
    {
    }

    /**
     * @brief Append packets.
     * @param priority class
     * @param bytes size
     * @param count how many
     */
    void Add(uint8_t priority, uint32_t bytes, uint32_t count)
    {
        queues[priority].insert(queues[priority].end(), count, bytes);
    }

    /// @return the class that sends next, -1 if none can
    int Next()
    {
        uint8_t eligible = 0;
        std::array<uint32_t, 8> heads{};
        for (uint8_t c = 0; c < 8; ++c)
        {
            if (!queues[c].empty() && ((paused >> c) & 1) == 0)
            {
                eligible |= 1U << c;
                heads[c] = queues[c].front();
            }
        }
        if (eligible == 0)
        {
            return -1;
        }
        const uint8_t c = m_scheduler->Select(eligible, heads);
        sent[c] += queues[c].front();
        queues[c].pop_front();
        if (queues[c].empty())
        {
            m_scheduler->OnEmpty(c);
        }
        return c;
    }

    /**
     * @param count at most so many
     * @return classes in the order of sending, without spaces
     */
    std::string Run(uint32_t count = UINT32_MAX)
    {
        std::string order;
        for (int c = 0; count > 0 && (c = Next()) >= 0; --count)
        {
            order += static_cast<char>('0' + c);
        }
        return order;
    }

    std::array<std::deque<uint32_t>, 8> queues; //!< sizes of what waits
    std::array<uint64_t, 8> sent{};             //!< bytes
    uint8_t paused{0};                          //!< classes that have to wait

  private:
    Ptr<ClassScheduler> m_scheduler; //!< the scheduler
};

/**
 * @param quanta its attribute
 * @return a DRR scheduler
 */
Ptr<ClassScheduler>
MakeDrr(const std::string& quanta)
{
    return CreateObjectWithAttributes<DeficitRoundRobinScheduler>("Quanta", StringValue(quanta));
}

/**
 * @ingroup dcfabric-tests
 * @brief Strict priority.
 */
class StrictPriorityTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const auto strict = CreateObject<StrictPriorityScheduler>();
        for (uint32_t eligible = 1; eligible < 256; ++eligible)
        {
            uint8_t highest = 7;
            while (((eligible >> highest) & 1) == 0)
            {
                --highest;
            }
            NS_TEST_ASSERT_MSG_EQ(+strict->Select(static_cast<uint8_t>(eligible), {}),
                                  +highest,
                                  "classes " << eligible);
        }
        NS_TEST_EXPECT_MSG_EQ(strict->NeedsHeadBytes(), false, "sizes do not matter");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief DRR sequences worked out by hand.
 */
class DrrSequenceTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // Quanta 1000 and 500, five packets of 600 B in class 0, five of 400 B in class 1.
        //   class 0: 1000 -> 400 (one packet); class 1: 500 -> 100 (one)
        //   class 0: 1400 -> 800 -> 200 (two); class 1: 600 -> 200 (one)
        //   class 0: 1200 -> 600 -> 0 (two, empty); class 1: 700 -> 300 (one)
        //   class 1 alone: 800 -> 400 -> 0 (two)
        ScheduledQueues unequal(MakeDrr("1000,500,0,0,0,0,0,0"));
        unequal.Add(0, 600, 5);
        unequal.Add(1, 400, 5);
        NS_TEST_EXPECT_MSG_EQ(unequal.Run(), "0100100111", "unequal sizes and quanta");

        // A packet of three quanta goes in every third round; class 1 sends one a round.
        ScheduledQueues large(MakeDrr("500,500,0,0,0,0,0,0"));
        large.Add(0, 1500, 2);
        large.Add(1, 500, 8);
        NS_TEST_EXPECT_MSG_EQ(large.Run(), "1101110111", "a packet larger than its quantum");

        // What a class had left is forgotten when it runs empty: 1000 - 300 = 700 is not added to
        // the 1000 of its next turn, which thus ends after one packet of 850 instead of two.
        ScheduledQueues empty(MakeDrr("1000,1000,0,0,0,0,0,0"));
        empty.Add(0, 300, 1);
        empty.Add(1, 1000, 1);
        NS_TEST_EXPECT_MSG_EQ(empty.Run(), "01", "one each");
        empty.Add(0, 850, 2);
        empty.Add(1, 1000, 1);
        NS_TEST_EXPECT_MSG_EQ(empty.Run(), "010", "no credit from before");

        // A size equal to the deficit may go.
        ScheduledQueues exact(MakeDrr("1000,999,0,0,0,0,0,0"));
        exact.Add(0, 1000, 2);
        exact.Add(1, 1000, 2);
        // class 0: 1000 -> 0; class 1: 999 waits; class 0: 1000 -> 0, empty; class 1: 1998 -> 998,
        // then 998 + 999 = 1997 -> 997
        NS_TEST_EXPECT_MSG_EQ(exact.Run(), "0011", "one byte too few");

        // A turn goes on after classes without quantum have interrupted it.
        ScheduledQueues strict(MakeDrr("1000,1000,0,0,0,0,0,0"));
        strict.Add(0, 500, 3);
        strict.Add(1, 500, 2);
        NS_TEST_EXPECT_MSG_EQ(strict.Run(1), "0", "half of a turn");
        strict.Add(2, 9000, 1);
        strict.Add(7, 64, 1);
        NS_TEST_EXPECT_MSG_EQ(strict.Run(), "720110", "7 before 2 before the rest of the turn");

        // All quanta zero: strict priority.
        ScheduledQueues all(MakeDrr("0,0,0,0,0,0,0,0"));
        for (uint8_t c = 0; c < 8; ++c)
        {
            all.Add(c, 1000, 1);
        }
        NS_TEST_EXPECT_MSG_EQ(all.Run(), "76543210", "strict");

        // The default: classes 6 and 7 strict, the others one full frame a turn.
        ScheduledQueues byDefault(CreateObject<DeficitRoundRobinScheduler>());
        for (uint8_t c = 0; c < 8; ++c)
        {
            byDefault.Add(c, 1518, 2);
        }
        NS_TEST_EXPECT_MSG_EQ(byDefault.Run(), "7766012345012345", "default quanta");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief DRR with classes that are paused.
 */
class DrrPauseTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        ScheduledQueues queues(MakeDrr("10000,1000,1000,0,0,0,0,0"));
        queues.Add(0, 1000, 30);
        queues.Add(1, 1000, 30);
        queues.Add(2, 1000, 2);
        NS_TEST_EXPECT_MSG_EQ(queues.Run(1), "0", "9000 left of the turn");
        queues.paused = 1U << 0;
        NS_TEST_EXPECT_MSG_EQ(queues.Run(3), "121", "class 0 is passed over");
        queues.paused = 0;
        // class 2 is next; then class 0 has its quantum of 10,000, not 9000 more
        NS_TEST_EXPECT_MSG_EQ(queues.Run(12), "200000000001", "a full turn, no more");
        queues.paused = 0xff;
        NS_TEST_EXPECT_MSG_EQ(queues.Next(), -1, "nobody may go");

        // A deficit that is less than a packet survives a pause outside of the turn:
        // 1000 -> 400 (one of 600), then 1400 -> 800 -> 200 (two).
        ScheduledQueues kept(MakeDrr("1000,600,0,0,0,0,0,0"));
        kept.Add(0, 600, 5);
        kept.Add(1, 600, 5);
        NS_TEST_EXPECT_MSG_EQ(kept.Run(2), "01", "one each");
        kept.paused = 1U << 0;
        NS_TEST_EXPECT_MSG_EQ(kept.Run(1), "1", "class 0 waits");
        kept.paused = 0;
        NS_TEST_EXPECT_MSG_EQ(kept.Run(3), "001", "400 were kept");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief DRR's promise: backlogged classes share by their quanta.
 */
class DrrShareTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(72);
        ScheduledQueues queues(MakeDrr("1000,2000,0,0,5000,0,0,0"));
        const std::array<uint64_t, 8> quanta{1000, 2000, 0, 0, 5000, 0, 0, 0};
        constexpr uint32_t LARGEST = 9000;
        for (uint32_t step = 0; step < 30000; ++step)
        {
            for (const uint8_t c : {0, 1, 4})
            {
                if (queues.queues[c].size() < 2)
                {
                    queues.Add(c, random->GetInteger(1, LARGEST), 1);
                    queues.Add(c, random->GetInteger(1, LARGEST), 1);
                }
            }
            queues.Next();
            // between backlogged classes, bytes / quantum differ by less than one round and one
            // packet each (Shreedhar and Varghese, theorem 2)
            for (const uint8_t c : {1, 4})
            {
                const double rounds0 = static_cast<double>(queues.sent[0]) / 1000;
                const double rounds =
                    static_cast<double>(queues.sent[c]) / static_cast<double>(quanta[c]);
                const double bound =
                    1 + LARGEST / 1000.0 + LARGEST / static_cast<double>(quanta[c]);
                NS_TEST_ASSERT_MSG_EQ_TOL(rounds,
                                          rounds0,
                                          bound,
                                          "stream 72, step " << step << ", class " << +c);
            }
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The attribute.
 */
class DrrQuantaTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const auto drr = CreateObject<DeficitRoundRobinScheduler>();
        NS_TEST_EXPECT_MSG_EQ(drr->GetQuanta(), "1518,1518,1518,1518,1518,1518,0,0", "default");
        drr->SetQuanta("1, 2,3,4,5,6,7,2147483647");
        NS_TEST_EXPECT_MSG_EQ(drr->GetQuanta(), "1,2,3,4,5,6,7,2147483647", "reads back");
        NS_TEST_EXPECT_MSG_EQ(drr->NeedsHeadBytes(), true, "sizes matter");
        for (const char* wrong : {"",
                                  "1518",
                                  "1,2,3,4,5,6,7",
                                  "1,2,3,4,5,6,7,",
                                  "1,2,3,4,5,6,7,-8",
                                  "1,2,3,4,5,6,7,2147483648",
                                  "1;2;3;4;5;6;7;8",
                                  "1,2,3,4,x,6,7,8"})
        {
            DCFABRIC_EXPECT_REFUSAL(drr->SetQuanta(wrong),
                                    std::string("\"") + wrong +
                                        "\" must be eight numbers of bytes");
        }
        DCFABRIC_EXPECT_REFUSAL(drr->SetQuanta("1,2,3,4,5,6,7,8,9"), "more than eight numbers");
        DCFABRIC_EXPECT_REFUSAL(drr->SetQuanta("1,2,3,4,5,6,7,8x"), "more than eight numbers");
        NS_TEST_EXPECT_MSG_EQ(drr->GetQuanta(),
                              "1,2,3,4,5,6,7,2147483647",
                              "a refused value changes nothing");
    }
};

/// Class schedulers.
const SuiteCases g_cases("dcfabric-queue-disc", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new StrictPriorityTestCase("strict priority: the highest class that may go"));
    suite.AddTestCase(new DrrSequenceTestCase("deficit round robin: sequences worked out by hand"));
    suite.AddTestCase(new DrrPauseTestCase(
        "deficit round robin: pauses neither stop others nor save up a burst"));
    suite.AddTestCase(
        new DrrShareTestCase("deficit round robin: shares of backlogged classes for random sizes"));
    suite.AddTestCase(new DrrQuantaTestCase(
        "deficit round robin: quanta are read back, and refused unless they are eight"));
});

} // namespace ns3::tests::class_scheduler_test
