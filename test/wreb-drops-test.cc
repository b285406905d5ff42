// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-schedule.h"
#include "fabric-test-suite.h"
#include "fabric-test-wreb.h"

#include "ns3/config.h"
#include "ns3/nstime.h"
#include "ns3/queue-size.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <memory>
#include <set>
#include <string>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Notifications of drops by all parts of a queue disc, and notifiers that come and go.
 */

namespace ns3::tests::wreb_drops_test
{

/**
 * @ingroup dcfabric-tests
 * @brief Limits.
 */
class LimitDropTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        std::string seen;
        const auto log = [&seen](const BackToSenderNotice& notice) { seen += Describe(notice); };
        // two packets, or 200 B, fit; of the four that do not, three are ECN-capable
        for (const char* limit : {"2p", "200B", "299B"})
        {
            const auto disc = MakeNotifyingDisc(MakeNotifier(NEVER));
            disc->SetMaxSize(QueueSize(limit));
            disc->SetBackToSenderCallback(log);
            seen.clear();
            for (uint32_t id = 0; id < 3; ++id)
            {
                disc->Enqueue(MakeTestItem(id, 100, 1));
            }
            disc->Enqueue(MakeTestItem(3, 100, 1, TestQueueItem::NOT_ECT));
            disc->Enqueue(MakeTestItem(4, 100, 1, TestQueueItem::CE));
            disc->Enqueue(MakeTestItem(5, 100, 2, TestQueueItem::ECT1));
            disc->Enqueue(MakeTestItem(6, 100, 7));
            NS_TEST_EXPECT_MSG_EQ(seen, "2x 4xm 5x ", limit);
            NS_TEST_EXPECT_MSG_EQ(disc->GetBackToSenderCounters(1).drops, 2, limit);
            NS_TEST_EXPECT_MSG_EQ(disc->GetBackToSenderCounters(1).early, 0, limit);
            NS_TEST_EXPECT_MSG_EQ(disc->GetBackToSenderCounters(2).drops, 1, limit);
            NS_TEST_EXPECT_MSG_EQ(disc->GetBackToSenderCounters(7).drops, 0, limit);
            NS_TEST_EXPECT_MSG_EQ(disc->GetStats().nTotalDroppedPackets, 5, limit);
            // the memory of a switch, say, has no room
            seen.clear();
            disc->NotifyDrop(MakeTestItem(7, 100, 0));
            disc->NotifyDrop(MakeTestItem(8, 100, 1, TestQueueItem::NOT_ECT));
            disc->NotifyDrop(MakeTestItem(9, 100, 6));
            NS_TEST_EXPECT_MSG_EQ(seen, "7x ", "dropped on the way to the disc");
            NS_TEST_EXPECT_MSG_EQ(disc->GetNMarkedPackets(), 0, "drops mark nothing");
        }

        // a FIFO for a child, with room for two packets
        Config::SetDefault("ns3::FifoQueueDisc::MaxSize", StringValue("2p"));
        for (const bool atDeparture : {false, true})
        {
            const auto disc =
                MakeNotifyingDisc(MakeNotifier(ALWAYS, "ns3::QueueOccupancyMeasure", atDeparture),
                                  "ns3::FifoQueueDisc");
            disc->SetBackToSenderCallback(log);
            seen.clear();
            for (uint32_t id = 0; id < 4; ++id)
            {
                disc->Enqueue(MakeTestItem(id, 100, 1, id < 3 ? uint8_t{2} : uint8_t{0}));
            }
            disc->Dequeue();
            disc->Dequeue();
            // On arrival a packet triggers, and then is refused; on departure it is refused first.
            NS_TEST_EXPECT_MSG_EQ(seen, (atDeparture ? "2x 0 1 " : "0 1 2 2xm "), "FIFO");
        }
        Config::SetDefault("ns3::FifoQueueDisc::MaxSize", StringValue("1000p"));
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A child that drops packets that it has accepted.
 */
class CodelDropTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // As long as nothing triggers early, notices are drops. One packet every 5 ms: they wait
        // for longer than CoDel's target of 5 ms over more than its interval of 100 ms.
        const auto notifier = MakeNotifier(NEVER);
        notifier->SetAttribute("TellSentBytes", BooleanValue(true));
        const auto disc = MakeNotifyingDisc(notifier, "ns3::CoDelQueueDisc");
        std::set<int> dropped;
        uint32_t taken = 0;
        disc->SetBackToSenderCallback([&](const BackToSenderNotice& notice) {
            NS_TEST_EXPECT_MSG_EQ(notice.dropped, true, "a drop");
            NS_TEST_EXPECT_MSG_EQ(notice.wasMarked, false, "CoDel does not mark by default");
            NS_TEST_EXPECT_MSG_EQ(dropped.insert(IdOf(notice.item)).second, true, "once");
            NS_TEST_EXPECT_MSG_EQ(notice.signals.queueSentBytes, 1000 * taken, "so far");
            NS_TEST_EXPECT_MSG_EQ(notice.signals.portSentBytes, 1000 * taken, "so far");
        });
        for (uint32_t id = 0; id < 200; ++id)
        {
            disc->Enqueue(MakeTestItem(id, 1000, 2));
        }
        std::set<int> sent;
        for (int i = 1; i <= 250; ++i)
        {
            CallIn(MilliSeconds(5 * i), [&] {
                if (const Ptr<QueueDiscItem> item = disc->Dequeue())
                {
                    sent.insert(IdOf(item));
                    ++taken;
                }
            });
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_GT(dropped.size(), 0, "CoDel drops");
        NS_TEST_EXPECT_MSG_EQ(dropped.size(),
                              disc->GetStats().nTotalDroppedPacketsAfterDequeue,
                              "each is told");
        NS_TEST_EXPECT_MSG_EQ(dropped.size(), disc->GetBackToSenderCounters(2).drops, "counted");
        NS_TEST_EXPECT_MSG_EQ(dropped.size() + sent.size(), 200, "all packets");
        NS_TEST_EXPECT_MSG_EQ(disc->GetClassCounters(2).lostBytes, 1000 * dropped.size(), "lost");
        const DiscContext context(*disc);
        NS_TEST_EXPECT_MSG_EQ(QueueView(*disc, context, 2).GetQueueSentBytes(), 1000 * taken, "2");
        NS_TEST_EXPECT_MSG_EQ(context.GetPortSentBytes(), 1000 * taken, "in the end");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Notifiers that are set, replaced, shared and removed.
 */
class NotifierLifeTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        std::string seen;
        const auto log = [&seen](const BackToSenderNotice& notice) { seen += Describe(notice); };
        const auto take = [&seen] {
            std::string was;
            was.swap(seen);
            return was;
        };

        // from no notifier to one on arrival, one on departure, none, and one again
        const auto disc = MakeNotifyingDisc(nullptr);
        disc->SetMaxSize(QueueSize("3p"));
        disc->SetBackToSenderCallback(log);
        disc->SetBackToSender(nullptr);
        disc->Enqueue(MakeTestItem(0, 100));
        NS_TEST_EXPECT_MSG_EQ(take(), "", "none");
        NS_TEST_EXPECT_MSG_EQ(disc->GetBackToSender(), nullptr, "none");
        disc->SetBackToSender(MakeNotifier(ALWAYS));
        disc->Enqueue(MakeTestItem(1, 100));
        NS_TEST_EXPECT_MSG_EQ(take(), "1 ", "on arrival");
        NS_TEST_EXPECT_MSG_EQ(disc->GetBackToSenderCounters(0).early, 1, "counted");
        const auto atDeparture = MakeNotifier(ALWAYS, "ns3::QueueOccupancyMeasure", true);
        disc->SetBackToSender(atDeparture);
        NS_TEST_EXPECT_MSG_EQ(disc->GetBackToSender(), atDeparture, "replaced");
        NS_TEST_EXPECT_MSG_EQ(disc->GetBackToSenderCounters(0).early, 0, "counts anew");
        disc->Enqueue(MakeTestItem(2, 100));
        disc->Enqueue(MakeTestItem(3, 100));
        NS_TEST_EXPECT_MSG_EQ(take(), "3x ", "the limit; a drop is told once");
        disc->Dequeue();
        disc->Dequeue();
        NS_TEST_EXPECT_MSG_EQ(take(), "0 ", "0 has waited for it, 1 has a mark already");
        disc->SetBackToSender(nullptr);
        disc->Dequeue();
        disc->NotifyDrop(MakeTestItem(4, 100));
        NS_TEST_EXPECT_MSG_EQ(take(), "", "no longer");
        disc->SetBackToSender(MakeNotifier(ALWAYS));
        disc->SetMaxSize(QueueSize("1p"));
        disc->Enqueue(MakeTestItem(5, 100));
        disc->Enqueue(MakeTestItem(6, 100));
        NS_TEST_EXPECT_MSG_EQ(take(), "5 6x ", "again, a drop once");
        disc->SetBackToSenderCallback({});
        disc->Enqueue(MakeTestItem(7, 100));
        NS_TEST_EXPECT_MSG_EQ(take(), "", "nobody is told");
        NS_TEST_EXPECT_MSG_EQ(disc->GetBackToSenderCounters(0).drops, 2, "counted nevertheless");

        // whoever is told of a drop may have it stop
        disc->SetBackToSenderCallback([&](const BackToSenderNotice& notice) {
            log(notice);
            disc->SetBackToSender(nullptr);
        });
        disc->Enqueue(MakeTestItem(8, 100));
        disc->Enqueue(MakeTestItem(9, 100));
        NS_TEST_EXPECT_MSG_EQ(take(), "8x ", "stops after the first");

        // one notifier, two discs, a measure that remembers: 200 B more in 1 us are 1600 Mb/s
        const auto shared = MakeNotifier("ns3::PiecewiseMarkingProfile[Points=1599:0,1600:1]",
                                         "ns3::QueueGradientMeasure[Interval=1us]");
        const auto left = MakeNotifyingDisc(shared);
        const auto right = MakeNotifyingDisc(shared);
        TestContext context;
        for (const auto& one : {left, right})
        {
            one->SetContext(&context);
            one->SetBackToSenderCallback(log);
        }
        left->Enqueue(MakeTestItem(1, 200));
        context.nowPs = 1000000;
        right->Enqueue(MakeTestItem(2, 300));
        left->Enqueue(MakeTestItem(3, 100));
        NS_TEST_EXPECT_MSG_EQ(take(), "3 ", "the left one alone has seen growth");
        context.nowPs = 2000000;
        right->Enqueue(MakeTestItem(4, 100));
        left->Enqueue(MakeTestItem(5, 100));
        NS_TEST_EXPECT_MSG_EQ(take(), "4 ", "now the right one: 2400 and 800 Mb/s");

        // classes that are set before the disc begins
        const auto late = CreateObject<CongestionAwareQueueDisc>();
        const auto oneClass = MakeNotifier(ALWAYS);
        late->SetBackToSender(oneClass);
        oneClass->SetAttribute("Classes", UintegerValue(0x04));
        late->Initialize();
        late->SetBackToSenderCallback(log);
        late->Enqueue(MakeTestItem(1, 100, 1));
        late->Enqueue(MakeTestItem(2, 100, 2));
        NS_TEST_EXPECT_MSG_EQ(take(), "2 ", "class 2");

        // what waits at disposal is nobody's drop; the callback is let go
        const auto owned = std::make_shared<int>(0);
        late->SetBackToSenderCallback([owned, log](const BackToSenderNotice& n) { log(n); });
        late->Enqueue(MakeTestItem(3, 100, 2));
        NS_TEST_EXPECT_MSG_EQ(take(), "3 ", "in use");
        late->Dispose();
        NS_TEST_EXPECT_MSG_EQ(take(), "", "silent");
        NS_TEST_EXPECT_MSG_EQ(owned.use_count(), 1, "let go");
        NS_TEST_EXPECT_MSG_EQ(late->GetBackToSender(), nullptr, "let go");
        NS_TEST_EXPECT_MSG_EQ(late->GetBackToSenderCounters(2).early, 0, "forgotten");
        NS_TEST_EXPECT_MSG_EQ(oneClass->GetReferenceCount(), 1, "let go");
    }
};

/// Drops, and the life of notifiers.
const SuiteCases g_cases("dcfabric-wreb", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new LimitDropTestCase(
        "drops: at the limit in packets and bytes, by a child, elsewhere; once each"));
    suite.AddTestCase(new CodelDropTestCase(
        "drops: by CoDel at dequeue, once each, and they do not count as sent"));
    suite.AddTestCase(new NotifierLifeTestCase(
        "notifiers: set, replaced, shared, removed while packets wait; disposal"));
});

} // namespace ns3::tests::wreb_drops_test
