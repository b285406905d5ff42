// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-queue.h"
#include "fabric-test-suite.h"

#include "ns3/object-factory.h"
#include "ns3/random-variable-stream.h"
#include "ns3/ring-queue.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief The queue behind each class.
 */

namespace ns3::tests::ring_queue_test
{

/**
 * @ingroup dcfabric-tests
 * @brief Notes what a queue traces.
 */
class QueueJournal
{
  public:
    /**
     * @brief Listen to all trace sources.
     * @param queue the queue
     */
    explicit QueueJournal(Ptr<RingQueue> queue)
    {
        const struct
        {
            const char* name;
            void (QueueJournal::*sink)(Ptr<const QueueDiscItem>);
        } sources[] = {
            {"Enqueue", &QueueJournal::OnEnqueue},
            {"Dequeue", &QueueJournal::OnDequeue},
            {"Drop", &QueueJournal::OnDrop},
            {"DropBeforeEnqueue", &QueueJournal::OnDropBefore},
            {"DropAfterDequeue", &QueueJournal::OnDropAfter},
        };

        for (const auto& source : sources)
        {
            connected +=
                queue->TraceConnectWithoutContext(source.name, MakeCallback(source.sink, this));
        }
    }

    /// @return what happened since the last call
    std::string Take()
    {
        return std::move(m_text);
    }

    int connected{0}; //!< trace sources found

  private:
    /// Sinks. @param item the packet @{
    void OnEnqueue(Ptr<const QueueDiscItem> item)
    {
        m_text += "+" + std::to_string(IdOf(item)) + " ";
    }

    void OnDequeue(Ptr<const QueueDiscItem> item)
    {
        m_text += "-" + std::to_string(IdOf(item)) + " ";
    }

    void OnDrop(Ptr<const QueueDiscItem> item)
    {
        m_text += "x" + std::to_string(IdOf(item)) + " ";
    }

    void OnDropBefore(Ptr<const QueueDiscItem> item)
    {
        m_text += "before" + std::to_string(IdOf(item)) + " ";
    }

    void OnDropAfter(Ptr<const QueueDiscItem> item)
    {
        m_text += "after" + std::to_string(IdOf(item)) + " ";
    }

    /** @} */

    std::string m_text; //!< what happened
};

/**
 * @ingroup dcfabric-tests
 * @brief Order, counts and growth against a queue that the library provides.
 */
class RingQueueOrderTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(71);
        const auto queue = CreateObject<RingQueue>();
        std::deque<Ptr<TestQueueItem>> expected;
        uint64_t bytes = 0;
        uint32_t longest = 0;
        for (uint32_t step = 0; step < 20000; ++step)
        {
            // fill and empty by turns, so that the ring of 8 wraps and grows several times
            const bool filling = (step / 1500) % 2 == 0;
            if (random->GetInteger(0, 9) < (filling ? 7U : 3U))
            {
                const auto item = MakeTestItem(step, random->GetInteger(1, 9000));
                bytes += item->GetSize();
                expected.push_back(item);
                NS_TEST_ASSERT_MSG_EQ(queue->Enqueue(item), true, "stream 71, step " << step);
            }
            else
            {
                const int next = expected.empty() ? -1 : static_cast<int>(expected.front()->id);
                NS_TEST_ASSERT_MSG_EQ(IdOf(queue->Peek()), next, "stream 71, step " << step);
                NS_TEST_ASSERT_MSG_EQ(IdOf(queue->Dequeue()), next, "stream 71, step " << step);
                if (!expected.empty())
                {
                    bytes -= expected.front()->GetSize();
                    expected.pop_front();
                }
            }
            longest = std::max(longest, queue->GetNPackets());
            NS_TEST_ASSERT_MSG_EQ(queue->GetNPackets(), expected.size(), "step " << step);
            NS_TEST_ASSERT_MSG_EQ(queue->GetNBytes(), bytes, "step " << step);
            NS_TEST_ASSERT_MSG_EQ(queue->IsEmpty(), expected.empty(), "step " << step);
        }
        NS_TEST_EXPECT_MSG_GT(longest, 256, "the ring has doubled more than five times");
        NS_TEST_EXPECT_MSG_EQ(queue->GetTotalDroppedPackets(), 0, "unlimited");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Traces and counters of every way in and out.
 */
class RingQueueTraceTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const auto queue = CreateObject<RingQueue>();
        QueueJournal journal(queue);
        NS_TEST_ASSERT_MSG_EQ(journal.connected, 5, "all trace sources exist");
        NS_TEST_EXPECT_MSG_EQ(IdOf(queue->Dequeue()), -1, "empty");
        NS_TEST_EXPECT_MSG_EQ(IdOf(queue->Remove()), -1, "empty");
        NS_TEST_EXPECT_MSG_EQ(IdOf(queue->Peek()), -1, "empty");
        queue->Flush();
        NS_TEST_EXPECT_MSG_EQ(journal.Take(), "", "nothing happened");

        for (uint32_t id = 1; id <= 5; ++id)
        {
            queue->Enqueue(MakeTestItem(id, 100 * id));
        }
        NS_TEST_EXPECT_MSG_EQ(journal.Take(), "+1 +2 +3 +4 +5 ", "five came");
        NS_TEST_EXPECT_MSG_EQ(queue->GetNBytes(), 1500, "100 + 200 + 300 + 400 + 500");
        NS_TEST_EXPECT_MSG_EQ(IdOf(queue->Dequeue()), 1, "first in");
        NS_TEST_EXPECT_MSG_EQ(journal.Take(), "-1 ", "left");
        NS_TEST_EXPECT_MSG_EQ(IdOf(queue->Remove()), 2, "removed");
        NS_TEST_EXPECT_MSG_EQ(journal.Take(), "-2 x2 after2 ", "left, then dropped");
        queue->Flush();
        NS_TEST_EXPECT_MSG_EQ(journal.Take(),
                              "-3 x3 after3 -4 x4 after4 -5 x5 after5 ",
                              "all removed");
        NS_TEST_EXPECT_MSG_EQ(queue->GetNBytes(), 0, "empty again");

        queue->SetMaxSize(QueueSize("2p"));
        for (uint32_t id = 6; id <= 8; ++id)
        {
            queue->Enqueue(MakeTestItem(id, 100));
        }
        NS_TEST_EXPECT_MSG_EQ(journal.Take(), "+6 +7 x8 before8 ", "the third does not fit");
        // received 5 + 2; dropped: 2, 3, 4, 5 after (200 + 300 + 400 + 500 B), 8 before (100 B)
        NS_TEST_EXPECT_MSG_EQ(queue->GetTotalReceivedPackets(), 7, "accepted");
        NS_TEST_EXPECT_MSG_EQ(queue->GetTotalReceivedBytes(), 1700, "accepted");
        NS_TEST_EXPECT_MSG_EQ(queue->GetTotalDroppedPackets(), 5, "all drops");
        NS_TEST_EXPECT_MSG_EQ(queue->GetTotalDroppedBytes(), 1500, "all drops");
        NS_TEST_EXPECT_MSG_EQ(queue->GetTotalDroppedPacketsBeforeEnqueue(), 1, "refused");
        NS_TEST_EXPECT_MSG_EQ(queue->GetTotalDroppedBytesBeforeEnqueue(), 100, "refused");
        NS_TEST_EXPECT_MSG_EQ(queue->GetTotalDroppedPacketsAfterDequeue(), 4, "removed");
        NS_TEST_EXPECT_MSG_EQ(queue->GetTotalDroppedBytesAfterDequeue(), 1400, "removed");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Limits, however they are set.
 */
class RingQueueLimitTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const auto bytes = CreateObject<RingQueue>();
        bytes->SetAttribute("MaxSize", StringValue("1000B"));
        NS_TEST_EXPECT_MSG_EQ(bytes->Enqueue(MakeTestItem(0, 999)), true, "999 of 1000");
        NS_TEST_EXPECT_MSG_EQ(bytes->Enqueue(MakeTestItem(1, 2)), false, "1001 of 1000");
        NS_TEST_EXPECT_MSG_EQ(bytes->Enqueue(MakeTestItem(2, 1)), true, "1000 of 1000");
        NS_TEST_EXPECT_MSG_EQ(bytes->Enqueue(MakeTestItem(3, 1)), false, "full");
        bytes->Dequeue();
        NS_TEST_EXPECT_MSG_EQ(bytes->Enqueue(MakeTestItem(4, 1000)), false, "1 B is still there");
        NS_TEST_EXPECT_MSG_EQ(bytes->Enqueue(MakeTestItem(5, 999)), true, "fits again");

        const auto packets = CreateObjectWithAttributes<RingQueue>("MaxSize", StringValue("1p"));
        NS_TEST_EXPECT_MSG_EQ(packets->Enqueue(MakeTestItem(0, 1)), true, "first");
        NS_TEST_EXPECT_MSG_EQ(packets->Enqueue(MakeTestItem(1, 1)), false, "second");
        packets->SetMaxSize(QueueSize("2p"));
        NS_TEST_EXPECT_MSG_EQ(packets->Enqueue(MakeTestItem(1, 1)), true, "raised");
        NS_TEST_EXPECT_MSG_EQ(packets->GetMaxSize(), QueueSize("2p"), "reads back");

        // a sum beyond 32 bits must not wrap around the limit
        const auto wide =
            CreateObjectWithAttributes<RingQueue>("MaxSize", StringValue("4000000000B"));
        NS_TEST_EXPECT_MSG_EQ(wide->Enqueue(MakeTestItem(0, 3900000000U)), true, "3.9 GB");
        NS_TEST_EXPECT_MSG_EQ(wide->Enqueue(MakeTestItem(1, 1000000000U)), false, "4.9 GB");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Lanes are queues of their own behind one set of counters.
 */
class RingQueueLaneTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const auto queue = CreateObjectWithAttributes<RingQueue>("MaxSize", StringValue("6p"));
        QueueJournal journal(queue);
        NS_TEST_EXPECT_MSG_EQ(IdOf(queue->DequeueFrom(3)), -1, "empty");
        NS_TEST_EXPECT_MSG_EQ(IdOf(queue->PeekAt(3)), -1, "empty");
        queue->EnqueueInto(3, MakeTestItem(1, 10));
        queue->EnqueueInto(7, MakeTestItem(2, 20));
        queue->EnqueueInto(3, MakeTestItem(3, 30));
        queue->EnqueueInto(0, MakeTestItem(4, 40));
        queue->EnqueueInto(7, MakeTestItem(5, 50));
        NS_TEST_EXPECT_MSG_EQ(queue->Enqueue(MakeTestItem(6, 60)), true, "into lane 0");
        NS_TEST_EXPECT_MSG_EQ(queue->EnqueueInto(3, MakeTestItem(7, 70)), false, "six are in");
        NS_TEST_EXPECT_MSG_EQ(queue->GetNBytes(), 210, "10 + 20 + 30 + 40 + 50 + 60");
        NS_TEST_EXPECT_MSG_EQ(IdOf(queue->PeekAt(3)), 1, "head of lane 3");
        NS_TEST_EXPECT_MSG_EQ(IdOf(queue->DequeueFrom(3)), 1, "head of lane 3");
        NS_TEST_EXPECT_MSG_EQ(IdOf(queue->Peek()), 2, "the highest lane first");
        NS_TEST_EXPECT_MSG_EQ(IdOf(queue->Dequeue()), 2, "the highest lane first");
        NS_TEST_EXPECT_MSG_EQ(IdOf(queue->DequeueFrom(7)), 5, "second of lane 7");
        NS_TEST_EXPECT_MSG_EQ(queue->IsLaneEmpty(7), true, "both are gone");
        NS_TEST_EXPECT_MSG_EQ(queue->IsLaneEmpty(3), false, "one is left");
        NS_TEST_EXPECT_MSG_EQ(IdOf(queue->Dequeue()), 3, "lane 3");
        NS_TEST_EXPECT_MSG_EQ(IdOf(queue->Dequeue()), 4, "lane 0");
        NS_TEST_EXPECT_MSG_EQ(IdOf(queue->Remove()), 6, "lane 0");
        NS_TEST_EXPECT_MSG_EQ(IdOf(queue->Dequeue()), -1, "empty");
        NS_TEST_EXPECT_MSG_EQ(journal.Take(),
                              "+1 +2 +3 +4 +5 +6 x7 before7 -1 -2 -5 -3 -4 -6 x6 after6 ",
                              "all lanes are traced together");
    }
};

/// Ring queues.
const SuiteCases g_cases("dcfabric-queue-disc", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new RingQueueOrderTestCase(
        "ring queue: first in, first out, while the ring wraps and grows"));
    suite.AddTestCase(new RingQueueTraceTestCase(
        "ring queue: traces and counters of enqueue, dequeue, remove, flush, refusal"));
    suite.AddTestCase(
        new RingQueueLimitTestCase("ring queue: limits in packets and in bytes are met exactly"));
    suite.AddTestCase(new RingQueueLaneTestCase(
        "ring queue: lanes keep their own order and share limit and counters"));
});

} // namespace ns3::tests::ring_queue_test
