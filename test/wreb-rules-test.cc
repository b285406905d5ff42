// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-suite.h"
#include "fabric-test-wreb.h"

#include "ns3/curved-profiles.h"
#include "ns3/object-factory.h"
#include "ns3/queue-size.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Which packets make queues notify: ECN states, marks and drops over three queues in a row.
 */

namespace ns3::tests::wreb_rules_test
{

/**
 * @ingroup dcfabric-tests
 * @brief A child queue disc that accepts nothing.
 */
class RefusingQueueDisc : public TestQueueDisc
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = MakeTypeId<RefusingQueueDisc>("ns3::tests::DcfabricRefusingQueueDisc");
        return tid;
    }

  private:
    bool DoEnqueue(Ptr<QueueDiscItem> item) override
    {
        DropBeforeEnqueue(item, "refused");
        return false;
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A child queue disc that accepts all and drops it when it should send it.
 */
class LosingQueueDisc : public TestQueueDisc
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = MakeTypeId<LosingQueueDisc>("ns3::tests::DcfabricLosingQueueDisc");
        return tid;
    }

  private:
    Ptr<QueueDiscItem> DoDequeue() override
    {
        DropAll("lost");
        return nullptr;
    }
};

NS_OBJECT_ENSURE_REGISTERED(RefusingQueueDisc);
NS_OBJECT_ENSURE_REGISTERED(LosingQueueDisc);

/// What a queue does: passes packets on, would trigger for each, has no room for any, has a child
/// that refuses each, or one that drops each later. All but the first would trigger.
constexpr const char* DEEDS = "PTFRL";

/**
 * @param deed of DEEDS
 * @param atDeparture when it decides
 * @param invert tells the opposite of the ECN bit
 * @return a queue disc
 */
Ptr<CongestionAwareQueueDisc>
MakeQueue(char deed, bool atDeparture, bool invert)
{
    const auto notifier =
        MakeNotifier(deed == 'P' ? NEVER : ALWAYS, "ns3::QueueOccupancyMeasure", atDeparture);
    notifier->SetAttribute("InvertEcn", BooleanValue(invert));
    const auto disc = MakeNotifyingDisc(notifier,
                                        deed == 'R'   ? "ns3::tests::DcfabricRefusingQueueDisc"
                                        : deed == 'L' ? "ns3::tests::DcfabricLosingQueueDisc"
                                                      : "ns3::RingQueue");
    if (deed == 'F')
    {
        disc->SetMaxSize(QueueSize("99B"));
    }
    return disc;
}

/**
 * @ingroup dcfabric-tests
 * @brief Three queues in a row.
 */
class QueuesInRowTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * Send a packet through three queues.
     *
     * @param deeds of the queues
     * @param ecn its ECN codepoint
     * @param atDeparture when they decide
     * @param invert they tell the opposite of the ECN bit
     * @param priority class of the packet
     * @return notices: number of the queue, `x` for a drop, `m` if the packet had a mark before;
     * then `-` and the ECN codepoint if the packet arrives
     */
    std::string Send(const std::string& deeds,
                     uint8_t ecn,
                     bool atDeparture,
                     bool invert,
                     uint8_t priority = 2)
    {
        std::string seen;
        Ptr<QueueDiscItem> item = MakeTestItem(7, 100, priority, ecn);
        for (size_t i = 0; i < deeds.size() && item; ++i)
        {
            const auto disc = MakeQueue(deeds[i], atDeparture, invert);
            disc->SetBackToSenderCallback([&](const BackToSenderNotice& notice) {
                seen += std::to_string(i + 1) + (notice.dropped ? "x" : "") +
                        (notice.wasMarked ? "m" : "") + " ";
                NS_TEST_EXPECT_MSG_EQ(IdOf(notice.item), 7, deeds);
                NS_TEST_EXPECT_MSG_EQ(unsigned{notice.priority}, unsigned{priority}, deeds);
                const auto* packet = static_cast<const TestQueueItem*>(PeekPointer(notice.item));
                NS_TEST_EXPECT_MSG_EQ(packet->IsMarked(),
                                      (!notice.dropped || notice.wasMarked),
                                      deeds << ": an early notice has marked it, a drop has not");
            });
            disc->Enqueue(item);
            item = disc->Dequeue();
            NS_TEST_EXPECT_MSG_EQ(disc->GetBackToSender()->IsEcnInverted(), invert, "is told");
        }
        if (item)
        {
            uint8_t ds = 0;
            item->GetUint8Value(QueueItem::IP_DSFIELD, ds);
            seen += "-" + std::to_string(ds & 3);
        }
        return seen;
    }

    /**
     * @param deeds,ecn,atDeparture its arguments
     * @return what Send() should say by the rules
     */
    static std::string Expect(const std::string& deeds, uint8_t ecn, bool atDeparture)
    {
        std::string seen;
        const bool capable = ecn != TestQueueItem::NOT_ECT;
        bool marked = ecn == TestQueueItem::CE;
        for (size_t i = 0; i < deeds.size(); ++i)
        {
            const std::string queue = std::to_string(i + 1);
            // a queue that is full does not come to decide, nor does one whose child drops before
            // the departure
            const bool decides = deeds[i] == 'T' || (!atDeparture && deeds[i] != 'F');
            if (decides && deeds[i] != 'P' && capable && !marked)
            {
                seen += queue + " ";
                marked = true;
            }
            if (deeds[i] != 'P' && deeds[i] != 'T')
            {
                return capable ? seen + queue + (marked ? "xm " : "x ") : seen;
            }
        }
        return seen + "-" + std::to_string(marked ? TestQueueItem::CE : ecn);
    }

    void DoRun() override
    {
        for (const char first : std::string(DEEDS))
        {
            for (const char second : std::string(DEEDS))
            {
                for (const char third : std::string(DEEDS))
                {
                    const std::string deeds = {first, second, third};
                    for (int i = 0; i < 16; ++i)
                    {
                        const auto ecn = static_cast<uint8_t>(i % 4);
                        const bool atDeparture = i / 4 % 2 == 1;
                        const bool invert = i / 8 == 1;
                        NS_TEST_EXPECT_MSG_EQ(Send(deeds, ecn, atDeparture, invert),
                                              Expect(deeds, ecn, atDeparture),
                                              deeds << ", ECN " << i % 4
                                                    << (atDeparture ? ", at departure" : "")
                                                    << (invert ? ", inverted" : ""));
                    }
                }
            }
        }

        // some of them without the rules in code
        const struct
        {
            std::string deeds;     // of the queues
            uint8_t ecn;           // of the packet
            std::string arrival;   // notices
            std::string departure; // notices
        } cases[] = {{"PPP", TestQueueItem::ECT0, "-2", "-2"},
                     {"TTT", TestQueueItem::ECT0, "1 -3", "1 -3"},
                     {"PTT", TestQueueItem::ECT1, "2 -3", "2 -3"},
                     {"TTT", TestQueueItem::CE, "-3", "-3"},
                     {"TTT", TestQueueItem::NOT_ECT, "-0", "-0"},
                     {"TPF", TestQueueItem::ECT0, "1 3xm ", "1 3xm "},
                     {"PPF", TestQueueItem::ECT0, "3x ", "3x "},
                     {"PPF", TestQueueItem::CE, "3xm ", "3xm "},
                     {"FTT", TestQueueItem::NOT_ECT, "", ""},
                     {"PRP", TestQueueItem::ECT0, "2 2xm ", "2x "},
                     {"TRP", TestQueueItem::ECT0, "1 2xm ", "1 2xm "},
                     {"LPP", TestQueueItem::ECT1, "1 1xm ", "1x "},
                     {"PTL", TestQueueItem::CE, "3xm ", "3xm "},
                     {"PTL", TestQueueItem::NOT_ECT, "", ""}};

        for (const auto& c : cases)
        {
            NS_TEST_EXPECT_MSG_EQ(Send(c.deeds, c.ecn, false, false), c.arrival, c.deeds);
            NS_TEST_EXPECT_MSG_EQ(Send(c.deeds, c.ecn, true, false), c.departure, c.deeds);
        }
        // classes 6 and 7 are not covered by default
        NS_TEST_EXPECT_MSG_EQ(Send("TTF", TestQueueItem::ECT0, false, false, 6), "", "class 6");
        NS_TEST_EXPECT_MSG_EQ(Send("TTP", TestQueueItem::CE, true, false, 7), "-3", "class 7");
        NS_TEST_EXPECT_MSG_EQ(Send("PTF", TestQueueItem::ECT0, false, false, 5), "2 3xm ", "5");
        NS_TEST_EXPECT_MSG_EQ(Send("PTF", TestQueueItem::ECT0, false, false, 0), "2 3xm ", "0");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Marks of classes that notify, and of those that do not.
 */
class NotifyingMarkTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        for (const bool atDequeue : {false, true})
        {
            // The marking profile marks whatever class 0 or 1 is asked of; class 1 notifies from
            // 150 B on. Three packets of 100 B in each: they find, or leave, 0, 100 and 200 B.
            const auto disc = CreateObject<CongestionAwareQueueDisc>();
            const auto marking = CreateObject<PiecewiseMarkingProfile>();
            marking->SetAttribute("Points", StringValue("0:1"));
            disc->SetMarkingProfile(marking);
            disc->SetAttribute("MarkAtDequeue", BooleanValue(atDequeue));
            const auto notifier = MakeNotifier("ns3::PiecewiseMarkingProfile[Points=149:0,150:1]");
            notifier->SetAttribute("AtDeparture", BooleanValue(atDequeue));
            notifier->SetAttribute("Classes", UintegerValue(0x02));
            disc->SetBackToSender(notifier);
            disc->Initialize();
            std::string seen;
            disc->SetBackToSenderCallback(
                [&seen](const BackToSenderNotice& notice) { seen += Describe(notice); });
            for (uint32_t id = 0; id < 6; ++id)
            {
                disc->Enqueue(MakeTestItem(id, 100, id < 3 ? 0 : 1));
            }
            std::string marked;
            while (const Ptr<QueueDiscItem> item = disc->Dequeue())
            {
                marked += StaticCast<TestQueueItem>(item)->IsMarked()
                              ? std::to_string(IdOf(item)) + " "
                              : "";
            }
            NS_TEST_EXPECT_MSG_EQ(seen, (atDequeue ? "3 " : "5 "), "class 1 at 200 B");
            NS_TEST_EXPECT_MSG_EQ(marked, (atDequeue ? "3 0 1 2 " : "5 0 1 2 "), "and class 0");
            NS_TEST_EXPECT_MSG_EQ(disc->GetClassCounters(0).markedPackets, 3, "by profile");
            NS_TEST_EXPECT_MSG_EQ(disc->GetClassCounters(1).markedPackets, 1, "with a notice");
            NS_TEST_EXPECT_MSG_EQ(disc->GetClassCounters(1).markedBytes, 100, "with a notice");
            NS_TEST_EXPECT_MSG_EQ(disc->GetNMarkedPackets(), 4, "in all");
            NS_TEST_EXPECT_MSG_EQ(disc->GetBackToSenderCounters(0).subjects, 0, "not covered");
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Counters of notifications.
 */
class NoticeCounterTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // probability 0.25 a hundred bytes, 1 from 400 B on; 400 B and one packet fit
        const auto disc =
            MakeNotifyingDisc(MakeNotifier("ns3::PiecewiseMarkingProfile[Points=0:0,400:1]"));
        disc->AssignStreams(5);
        disc->SetMaxSize(QueueSize("500B"));
        uint64_t chance = 0;
        const auto counters = [disc]() { return disc->GetBackToSenderCounters(4); };
        NS_TEST_EXPECT_MSG_EQ(counters().subjects, 0, "nothing yet");
        const auto send = [&](uint8_t ecn, uint32_t bytes) {
            const auto item = MakeTestItem(0, bytes, 4, ecn);
            disc->Enqueue(item);
            return item->IsMarked();
        };
        send(TestQueueItem::ECT0, 100); // finds nothing: no subject
        send(TestQueueItem::NOT_ECT, 100);
        chance += send(TestQueueItem::ECT0, 50) ? 1 : 0;  // finds 200 B: 0.5
        send(TestQueueItem::CE, 50);                      // 250 B: 0.625, but it has a mark
        chance += send(TestQueueItem::ECT1, 100) ? 1 : 0; // 300 B: 0.75
        NS_TEST_EXPECT_MSG_EQ(send(TestQueueItem::ECT1, 100), true, "400 B: certain");
        send(TestQueueItem::ECT0, 1); // full
        send(TestQueueItem::CE, 1);
        send(TestQueueItem::NOT_ECT, 1);
        NS_TEST_EXPECT_MSG_EQ(counters().subjects, 4, "those with 0.5, 0.625, 0.75 and 1");
        NS_TEST_EXPECT_MSG_EQ(counters().expected, 2.875, "0.5 + 0.625 + 0.75 + 1");
        NS_TEST_EXPECT_MSG_EQ(counters().early, 1 + chance, "the certain one and those drawn");
        NS_TEST_EXPECT_MSG_EQ(counters().drops, 2, "ECN-capable ones");
        NS_TEST_EXPECT_MSG_EQ(counters().heldBack, 0, "no timing profile");
        NS_TEST_EXPECT_MSG_EQ(disc->GetClassCounters(4).droppedPackets, 3, "all");
        NS_TEST_EXPECT_MSG_EQ(disc->GetBackToSenderCounters(3).subjects, 0, "another class");
    }
};

/// Rules of notifications.
const SuiteCases g_cases("dcfabric-wreb", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new QueuesInRowTestCase(
        "three queues: each ECN state, mark, drop; at most one early notice, then drops"));
    suite.AddTestCase(new NotifyingMarkTestCase(
        "marks: of a class that notifies only with a notice; others keep their profile"));
    suite.AddTestCase(new NoticeCounterTestCase(
        "counters: subjects, what the profile predicts, early notices, drops"));
});

} // namespace ns3::tests::wreb_rules_test
