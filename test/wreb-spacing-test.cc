// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-suite.h"
#include "fabric-test-wreb.h"

#include "ns3/ipv4-header.h"
#include "ns3/ipv4-queue-disc-item.h"
#include "ns3/ipv6-header.h"
#include "ns3/ipv6-queue-disc-item.h"
#include "ns3/queue-size.h"
#include "ns3/test.h"

#include <cstdint>
#include <string>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief The timing profile of notifications: least times between those of a queue to one source.
 */

namespace ns3::tests::wreb_spacing_test
{

/// 10 us up to the level 1000, 1 ns less for each, 2 us from 9000 on.
constexpr const char* SPACING =
    "ns3::LinearTimingProfile[Low=1000|High=9000|MaxSpacing=10us|MinSpacing=2us]";

/**
 * @param atDeparture when it decides
 * @return a notifier that holds back what the profile SPACING says
 */
Ptr<BackToSenderNotifier>
MakeSpacedNotifier(bool atDeparture = false)
{
    const auto notifier = MakeNotifier(ALWAYS, "ns3::QueueOccupancyMeasure", atDeparture);
    notifier->SetAttribute("TimingProfile", StringValue(SPACING));
    return notifier;
}

/**
 * @ingroup dcfabric-tests
 * @brief A queue in which spacing applies, at times and levels of the test.
 */
class SpacedQueue
{
  public:
    static constexpr uint32_t SIZE = 100; //!< bytes of a packet

    /// @param notifier its settings
    explicit SpacedQueue(Ptr<BackToSenderNotifier> notifier)
        : disc(MakeNotifyingDisc(notifier))
    {
        disc->SetContext(&context);
        disc->SetBackToSenderCallback([this](const BackToSenderNotice& notice) {
            m_seen += notice.dropped ? (notice.wasMarked ? "dropped, marked" : "dropped") : "early";
        });
    }

    SpacedQueue(const SpacedQueue&) = delete;            ///< not copied: the callback is bound
    SpacedQueue& operator=(const SpacedQueue&) = delete; ///< likewise

    /**
     * Send a packet through.
     *
     * @param timePs when
     * @param source of which source
     * @param level of congestion
     * @param priority its class
     * @return what is told
     */
    std::string Send(int64_t timePs, uint32_t source, uint64_t level = 0, uint8_t priority = 3)
    {
        return Send(timePs, Create<FlowItem>(source, SIZE, priority), level, priority);
    }

    /// @copydoc Send(int64_t, uint32_t, uint64_t, uint8_t) @param item the packet
    std::string Send(int64_t timePs, Ptr<FlowItem> item, uint64_t level = 0, uint8_t priority = 3)
    {
        context.nowPs = timePs;
        context.waitingBytes[priority] = level;
        m_seen.clear();
        const bool wasMarked = item->IsMarked();
        disc->Enqueue(item);
        disc->Dequeue();
        return m_seen + (item->IsMarked() == (wasMarked || m_seen == "early") ? "" : " MARK");
    }

    Ptr<CongestionAwareQueueDisc> disc; //!< the queue disc
    TestContext context;                //!< of it

  private:
    std::string m_seen; //!< of the last packet
};

/**
 * @ingroup dcfabric-tests
 * @brief Least times by source and level.
 */
class SpacingTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        for (const bool atDeparture : {false, true})
        {
            SpacedQueue queue(MakeSpacedNotifier(atDeparture));
            NS_TEST_EXPECT_MSG_EQ(queue.Send(0, 1), "early", "the first, at time 0");
            NS_TEST_EXPECT_MSG_EQ(queue.Send(0, 1), "", "at the same time");
            NS_TEST_EXPECT_MSG_EQ(queue.Send(5 * US, 1), "", "held back");
            NS_TEST_EXPECT_MSG_EQ(queue.Send(5 * US, 2), "early", "another source");
            NS_TEST_EXPECT_MSG_EQ(queue.Send(10 * US - 1, 1), "", "1 ps too early");
            NS_TEST_EXPECT_MSG_EQ(queue.Send(10 * US, 1), "early", "10 us, not reset by others");
            NS_TEST_EXPECT_MSG_EQ(queue.Send(10 * US, 2), "", "only 5 us");
            NS_TEST_EXPECT_MSG_EQ(queue.Send(10 * US, 1, 0, 4), "early", "another queue");
            NS_TEST_EXPECT_MSG_EQ(queue.Send(10 * US, 0), "early", "a source with number 0");
            // level 5000, half way from 1000 to 9000: 6 us
            NS_TEST_EXPECT_MSG_EQ(queue.Send(16 * US - 1, 1, 5000), "", "1 ps too early");
            NS_TEST_EXPECT_MSG_EQ(queue.Send(16 * US, 1, 5000), "early", "6 us");
            // level 9000 and above: 2 us; up to 1000: 10 us
            NS_TEST_EXPECT_MSG_EQ(queue.Send(18 * US - 1, 1, 9000), "", "1 ps too early");
            NS_TEST_EXPECT_MSG_EQ(queue.Send(18 * US, 1, 1000), "", "the level now counts");
            NS_TEST_EXPECT_MSG_EQ(queue.Send(18 * US, 1, 1000000000), "early", "2 us");
            NS_TEST_EXPECT_MSG_EQ(queue.Send(28 * US - 1, 1, 1000), "", "1 ps too early");
            NS_TEST_EXPECT_MSG_EQ(queue.Send(28 * US, 1, 1000), "early", "10 us");
            NS_TEST_EXPECT_MSG_EQ(queue.Send(1000000 * US, 1), "early", "1 s later");

            const BackToSenderQueue::Counters counters = queue.disc->GetBackToSenderCounters(3);
            NS_TEST_EXPECT_MSG_EQ(counters.subjects, 16, "all of class 3");
            NS_TEST_EXPECT_MSG_EQ(counters.expected, 16, "each certain");
            NS_TEST_EXPECT_MSG_EQ(counters.early, 8, "told");
            NS_TEST_EXPECT_MSG_EQ(counters.heldBack, 8, "not told");
            NS_TEST_EXPECT_MSG_EQ(counters.drops, 0, "none");
            NS_TEST_EXPECT_MSG_EQ(queue.disc->GetClassCounters(3).markedPackets, 8, "as told");
            NS_TEST_EXPECT_MSG_EQ(queue.disc->GetBackToSenderCounters(4).early, 1, "class 4");
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Drops, marked packets and packets that are not ECN-capable.
 */
class SpacingRulesTestCase : public TestCase
{
  public:
    SpacingRulesTestCase()
        : TestCase(
              "spacing: drops are told at once; only early notices count; the next queue tells")
    {
    }

  private:
    void DoRun() override
    {
        SpacedQueue queue(MakeSpacedNotifier());
        const auto marked = [] {
            return Create<FlowItem>(1, SpacedQueue::SIZE, 3, TestQueueItem::CE);
        };
        const auto incapable = [] {
            return Create<FlowItem>(1, SpacedQueue::SIZE, 3, TestQueueItem::NOT_ECT);
        };
        NS_TEST_EXPECT_MSG_EQ(queue.Send(0, marked()), "", "has a mark");
        NS_TEST_EXPECT_MSG_EQ(queue.Send(0, incapable()), "", "not ECN-capable");
        NS_TEST_EXPECT_MSG_EQ(queue.Send(1 * US, 1), "early", "nothing was told before");
        queue.disc->SetMaxSize(QueueSize("1B"));
        NS_TEST_EXPECT_MSG_EQ(queue.Send(2 * US, 1), "dropped", "1 us after");
        NS_TEST_EXPECT_MSG_EQ(queue.Send(2 * US, marked()), "dropped, marked", "at once again");
        NS_TEST_EXPECT_MSG_EQ(queue.Send(2 * US, incapable()), "", "never told");
        queue.disc->SetMaxSize(QueueSize("100kB"));
        NS_TEST_EXPECT_MSG_EQ(queue.Send(11 * US - 1, 1), "", "1 ps too early");
        NS_TEST_EXPECT_MSG_EQ(queue.Send(11 * US - 1, marked()), "", "has a mark");
        NS_TEST_EXPECT_MSG_EQ(queue.Send(11 * US, 1), "early", "10 us after the early one");
        NS_TEST_EXPECT_MSG_EQ(queue.disc->GetBackToSenderCounters(3).heldBack, 1, "the one");
        NS_TEST_EXPECT_MSG_EQ(queue.disc->GetBackToSenderCounters(3).drops, 2, "both");

        // The first queue has just told source 1, the second has not: it tells what the first has
        // held back, and the third, which would tell as well, sees the mark.
        SpacedQueue first(MakeSpacedNotifier());
        SpacedQueue second(MakeSpacedNotifier());
        SpacedQueue third(MakeSpacedNotifier());
        first.Send(0, 1);
        const auto item = Create<FlowItem>(1, SpacedQueue::SIZE, 3);
        NS_TEST_EXPECT_MSG_EQ(first.Send(US, item), "", "held back");
        NS_TEST_EXPECT_MSG_EQ(item->IsMarked(), false, "not marked either");
        NS_TEST_EXPECT_MSG_EQ(second.Send(2 * US, item), "early", "told");
        NS_TEST_EXPECT_MSG_EQ(item->IsMarked(), true, "and marked");
        NS_TEST_EXPECT_MSG_EQ(third.Send(3 * US, item), "", "once");
        NS_TEST_EXPECT_MSG_EQ(third.Send(3 * US, 1), "early", "another packet");

        // one notifier for two queues: each has a memory of its own
        const auto shared = MakeSpacedNotifier();
        SpacedQueue left(shared);
        SpacedQueue right(shared);
        NS_TEST_EXPECT_MSG_EQ(left.Send(0, 1), "early", "left");
        NS_TEST_EXPECT_MSG_EQ(right.Send(US, 1), "early", "right");
        NS_TEST_EXPECT_MSG_EQ(left.Send(10 * US, 1), "early", "10 us on the left");
        NS_TEST_EXPECT_MSG_EQ(right.Send(10 * US, 1), "", "9 us on the right");
        NS_TEST_EXPECT_MSG_EQ(left.disc->GetBackToSenderCounters(3).early, 2, "left");
        NS_TEST_EXPECT_MSG_EQ(right.disc->GetBackToSenderCounters(3).early, 1, "right");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Who is one source where a queue disc is alone.
 */
class SpacingSourceTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param source,destination addresses
     * @return an IPv4 packet
     */
    static Ptr<QueueDiscItem> MakeV4(const char* source, const char* destination)
    {
        Ipv4Header header;
        header.SetSource(Ipv4Address(source));
        header.SetDestination(Ipv4Address(destination));
        header.SetEcn(Ipv4Header::ECN_ECT0);
        header.SetProtocol(253); // for experiments
        return Create<Ipv4QueueDiscItem>(Create<Packet>(100), Address(), 0x0800, header);
    }

    /**
     * @param source,destination addresses
     * @return an IPv6 packet
     */
    static Ptr<QueueDiscItem> MakeV6(const char* source, const char* destination)
    {
        Ipv6Header header;
        header.SetSource(Ipv6Address(source));
        header.SetDestination(Ipv6Address(destination));
        header.SetEcn(Ipv6Header::ECN_ECT0);
        header.SetNextHeader(253);
        return Create<Ipv6QueueDiscItem>(Create<Packet>(100), Address(), 0x86dd, header);
    }

    void DoRun() override
    {
        const auto disc = MakeNotifyingDisc(MakeSpacedNotifier());
        std::string seen;
        disc->SetBackToSenderCallback([&seen](const BackToSenderNotice&) { seen += "told"; });
        const auto send = [&](const Ptr<QueueDiscItem>& item) {
            seen.clear();
            disc->Enqueue(item);
            return seen;
        };
        // all at time 0
        NS_TEST_EXPECT_MSG_EQ(send(MakeV4("10.0.0.1", "10.0.9.1")), "told", "first");
        NS_TEST_EXPECT_MSG_EQ(send(MakeV4("10.0.0.1", "10.0.9.1")), "", "the same source");
        NS_TEST_EXPECT_MSG_EQ(send(MakeV4("10.0.0.1", "10.0.9.2")), "", "and destination apart");
        NS_TEST_EXPECT_MSG_EQ(send(MakeV4("10.0.0.2", "10.0.9.1")), "told", "another source");
        NS_TEST_EXPECT_MSG_EQ(send(MakeV4("10.0.9.1", "10.0.0.1")), "told", "the other way");
        NS_TEST_EXPECT_MSG_EQ(send(MakeV6("2001:db8::1", "2001:db8::9")), "told", "first");
        NS_TEST_EXPECT_MSG_EQ(send(MakeV6("2001:db8::1", "2001:db8::9")), "", "the same source");
        NS_TEST_EXPECT_MSG_EQ(send(MakeV6("2001:db8::1", "2001:db8::8")), "", "likewise");
        NS_TEST_EXPECT_MSG_EQ(send(MakeV6("2001:db8::2", "2001:db8::9")), "told", "another");
        NS_TEST_EXPECT_MSG_EQ(send(Create<FlowItem>(1, 100)), "told", "no IP: by hash");
        NS_TEST_EXPECT_MSG_EQ(send(Create<FlowItem>(1, 100)), "", "the same hash");
        NS_TEST_EXPECT_MSG_EQ(send(Create<FlowItem>(2, 100)), "told", "another hash");
        NS_TEST_EXPECT_MSG_EQ(disc->GetNMarkedPackets(), 7, "as many as were told");
    }
};

/// Spacing of notifications.
const SuiteCases g_cases("dcfabric-wreb", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new SpacingTestCase(
        "spacing: per source and queue, its end, by level; marks only what is told"));
    suite.AddTestCase(new SpacingRulesTestCase);
    suite.AddTestCase(new SpacingSourceTestCase(
        "spacing: sources by IPv4 and IPv6 address, others by their hash"));
});

} // namespace ns3::tests::wreb_spacing_test
