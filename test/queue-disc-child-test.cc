// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-queue.h"
#include "fabric-test-suite.h"

#include "ns3/config.h"
#include "ns3/congestion-aware-queue-disc.h"
#include "ns3/fq-codel-queue-disc.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <cstdint>
#include <string>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief CongestionAwareQueueDisc with a child queue disc for each class.
 */

namespace ns3::tests::queue_disc_child_test
{

/**
 * @ingroup dcfabric-tests
 * @brief A child that drops or holds back whatever it has, as the test wants.
 */
class StubbornQueueDisc : public TestQueueDisc
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = MakeTypeId<StubbornQueueDisc>("ns3::tests::DcfabricStubbornQueueDisc");
        return tid;
    }

    /// What to do at dequeue.
    enum Mood
    {
        GIVE, //!< be a plain queue
        HOLD, //!< give nothing, keep all
        DROP  //!< give nothing, drop all
    };

    static inline Mood mood = GIVE; //!< of all of them

  private:
    Ptr<QueueDiscItem> DoDequeue() override
    {
        if (mood == DROP)
        {
            DropAll("no mood");
        }
        return mood == GIVE ? TestQueueDisc::DoDequeue() : nullptr;
    }
};

NS_OBJECT_ENSURE_REGISTERED(StubbornQueueDisc);

/**
 * @param child TypeId of its children
 * @return an initialized disc
 */
Ptr<CongestionAwareQueueDisc>
MakeParent(const std::string& child)
{
    const auto disc =
        CreateObjectWithAttributes<CongestionAwareQueueDisc>("ClassQueueDisc", StringValue(child));
    disc->Initialize();
    return disc;
}

/**
 * @ingroup dcfabric-tests
 * @brief FIFO children.
 */
class FifoChildTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        Config::SetDefault("ns3::FifoQueueDisc::MaxSize", StringValue("2p"));
        const auto disc = MakeParent("ns3::FifoQueueDisc");
        std::string seen;
        disc->SetBackToSender(CreateObjectWithAttributes<BackToSenderNotifier>(
            "Profile",
            StringValue("ns3::PiecewiseMarkingProfile[Points=0:1]")));
        disc->SetBackToSenderCallback([&seen](const BackToSenderNotice& notice) {
            seen += std::to_string(IdOf(notice.item)) + (notice.dropped ? "x " : " ");
        });
        NS_TEST_EXPECT_MSG_EQ(disc->GetNQueueDiscClasses(), 0, "no child before its first packet");
        NS_TEST_EXPECT_MSG_EQ(disc->Enqueue(MakeTestItem(0, 100, 1)), true, "class 1");
        NS_TEST_EXPECT_MSG_EQ(disc->Enqueue(MakeTestItem(1, 200, 1)), true, "class 1");
        NS_TEST_EXPECT_MSG_EQ(disc->Enqueue(MakeTestItem(2, 400, 1)), false, "class 1 is full");
        NS_TEST_EXPECT_MSG_EQ(disc->Enqueue(MakeTestItem(3, 800, 4)), true, "class 4 is not");
        Config::SetDefault("ns3::FifoQueueDisc::MaxSize", StringValue("1000p"));
        NS_TEST_EXPECT_MSG_EQ(seen, "0 1 2 2x 3 ", "a refusal by the child is told as well");
        NS_TEST_EXPECT_MSG_EQ(disc->GetNQueueDiscClasses(), 2, "two classes in use");
        NS_TEST_EXPECT_MSG_EQ(disc->GetNInternalQueues(), 0, "and no ring");
        NS_TEST_EXPECT_MSG_EQ(disc->GetNPackets(), 3, "children count");
        NS_TEST_EXPECT_MSG_EQ(disc->GetNBytes(), 1100, "100 + 200 + 800");
        NS_TEST_EXPECT_MSG_EQ(disc->GetClassBytes(1), 300, "100 + 200");
        NS_TEST_EXPECT_MSG_EQ(disc->GetClassCounters(1).droppedPackets, 1, "of class 1");
        NS_TEST_EXPECT_MSG_EQ(disc->GetStats().GetNDroppedPackets(
                                  "(Dropped by child queue disc) Queue disc limit exceeded"),
                              1,
                              "reason of the child");
        disc->SetPausedClasses(1U << 4);
        NS_TEST_EXPECT_MSG_EQ(IdOf(disc->Dequeue()), 0, "class 4 waits");
        disc->SetPausedClasses(0);
        NS_TEST_EXPECT_MSG_EQ(Drain(disc), "3 1", "strict priority among children");
        NS_TEST_EXPECT_MSG_EQ(disc->GetClassBytes(1), 0, "empty");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A child that gives nothing.
 */
class StubbornChildTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        for (const bool fair : {false, true})
        {
            const auto disc = MakeParent("ns3::tests::DcfabricStubbornQueueDisc");
            if (fair)
            {
                const auto drr = CreateObject<DeficitRoundRobinScheduler>();
                disc->SetAttribute("Scheduler", PointerValue(drr));
            }
            StubbornQueueDisc::mood = StubbornQueueDisc::GIVE;
            disc->Enqueue(MakeTestItem(0, 100, 1));
            disc->Enqueue(MakeTestItem(1, 100, 1));
            StubbornQueueDisc::mood = StubbornQueueDisc::HOLD;
            NS_TEST_EXPECT_MSG_EQ(IdOf(disc->Dequeue()), -1, "held back");
            NS_TEST_EXPECT_MSG_EQ(disc->GetNPackets(), 2, "and kept");
            StubbornQueueDisc::mood = StubbornQueueDisc::GIVE;
            NS_TEST_EXPECT_MSG_EQ(IdOf(disc->Dequeue()), 0, "given later");
            StubbornQueueDisc::mood = StubbornQueueDisc::DROP;
            disc->Enqueue(MakeTestItem(2, 100, 0));
            NS_TEST_EXPECT_MSG_EQ(IdOf(disc->Dequeue()), -1, "all dropped");
            NS_TEST_EXPECT_MSG_EQ(disc->GetNPackets(), 0, "nothing left");
            NS_TEST_EXPECT_MSG_EQ(disc->GetClassBytes(1), 0, "nothing left");
            NS_TEST_EXPECT_MSG_EQ(disc->HasEligiblePacket(), false, "nothing left");
            NS_TEST_EXPECT_MSG_EQ(
                disc->GetStats().GetNDroppedPackets("(Dropped by child queue disc) no mood"),
                2,
                "with a reason");
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Discs of ns-3 with laws of their own.
 */
class AqmChildTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief Take a packet, and look whether the counts agree.
     * @param disc the disc
     */
    void TakeOne(Ptr<CongestionAwareQueueDisc> disc)
    {
        if (disc->Dequeue())
        {
            ++m_taken;
        }
        NS_TEST_EXPECT_MSG_EQ(disc->GetClassBytes(2), disc->GetNBytes(), "one class has all");
        NS_TEST_EXPECT_MSG_EQ(disc->GetNBytes(), 1000 * disc->GetNPackets(), "1000 B each");
    }

    void DoRun() override
    {
        for (const char* child : {"ns3::CoDelQueueDisc", "ns3::FqCoDelQueueDisc"})
        {
            m_taken = 0;
            const auto disc = MakeParent(child);
            for (uint32_t id = 0; id < 200; ++id)
            {
                disc->Enqueue(MakeTestItem(id, 1000, 2, TestQueueItem::NOT_ECT));
            }
            // one packet every 5 ms: the sojourn time exceeds CoDel's target of 5 ms for more than
            // its interval of 100 ms, so it drops at dequeue
            for (int i = 1; i <= 250; ++i)
            {
                Simulator::Schedule(MilliSeconds(5 * i), &AqmChildTestCase::TakeOne, this, disc);
            }
            Simulator::Run();
            Simulator::Destroy();
            const uint32_t dropped = disc->GetStats().nTotalDroppedPacketsAfterDequeue;
            NS_TEST_EXPECT_MSG_GT(dropped, 0, child << " has dropped");
            NS_TEST_EXPECT_MSG_EQ(m_taken + dropped, 200, child << ": nothing is missing");
            NS_TEST_EXPECT_MSG_EQ(disc->HasEligiblePacket(), false, child << " is empty");
        }

        // without a device FqCoDel has no quantum of its own, with which it would never return
        const auto disc = MakeParent("ns3::FqCoDelQueueDisc");
        disc->Enqueue(MakeTestItem(0, 100));
        const auto child =
            DynamicCast<FqCoDelQueueDisc>(disc->GetQueueDiscClass(0)->GetQueueDisc());
        NS_TEST_ASSERT_MSG_NE(child, nullptr, "is of the type asked for");
        NS_TEST_EXPECT_MSG_EQ(child->GetQuantum(), 1518, "a full frame");
        NS_TEST_EXPECT_MSG_EQ(Drain(disc), "0", "returns");
    }

    uint32_t m_taken{0}; //!< packets
};

/// The queue disc's children.
const SuiteCases g_cases("dcfabric-queue-disc", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(
        new FifoChildTestCase("children: FIFO queue discs keep order, pauses, limits and reasons"));
    suite.AddTestCase(new StubbornChildTestCase(
        "children: one that drops or holds back its packets does not stop the others"));
    suite.AddTestCase(new AqmChildTestCase(
        "children: CoDel and FqCoDel drop by their own laws, and counts stay right"));
});

} // namespace ns3::tests::queue_disc_child_test
