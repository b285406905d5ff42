// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-queue.h"
#include "fabric-test-suite.h"

#include "ns3/channel-scheduler.h"
#include "ns3/congestion-aware-queue-disc.h"
#include "ns3/drop-tail-queue.h"
#include "ns3/object-factory.h"
#include "ns3/packet-filter.h"
#include "ns3/pointer.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <cstdint>
#include <string>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Classes, pauses, limits and statistics of CongestionAwareQueueDisc.
 */

namespace ns3::tests::queue_disc_test
{

/**
 * @param maxSize its limit, empty for none
 * @return an initialized disc
 */
Ptr<CongestionAwareQueueDisc>
MakeDisc(const std::string& maxSize = "")
{
    const auto disc = CreateObject<CongestionAwareQueueDisc>();
    if (!maxSize.empty())
    {
        disc->SetAttribute("MaxSize", StringValue(maxSize));
    }
    disc->Initialize();
    return disc;
}

/**
 * @ingroup dcfabric-tests
 * @brief Classes by DSCP.
 */
class DscpTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const auto disc = MakeDisc();
        for (uint8_t dscp = 0; dscp < 64; ++dscp)
        {
            for (uint8_t ecn = 0; ecn < 4; ++ecn)
            {
                const auto item = Create<TestQueueItem>(0, 1, dscp, ecn);
                NS_TEST_ASSERT_MSG_EQ(+disc->GetClass(*item), dscp / 8, "DSCP " << +dscp);
            }
        }
        const auto foreign = Create<TestQueueItem>(0, 1, 63, 0);
        foreign->hasDs = false;
        NS_TEST_EXPECT_MSG_EQ(+disc->GetClass(*foreign), 0, "no IP, no DSCP");

        disc->SetAttribute("DscpMap", StringValue("46:7,10:1,0:2"));

        const struct
        {
            uint8_t dscp;
            int priority;
        } cases[] = {{46, 7}, {10, 1}, {0, 2}, {8, 0}, {45, 0}, {63, 0}};

        for (const auto& c : cases)
        {
            const auto item = Create<TestQueueItem>(0, 1, c.dscp, TestQueueItem::CE);
            NS_TEST_EXPECT_MSG_EQ(+disc->GetClass(*item), c.priority, "DSCP " << +c.dscp);
        }
        NS_TEST_EXPECT_MSG_EQ(disc->GetDscpMap(), "0:2,10:1,46:7", "reads back in order");
        for (const char* wrong : {"64:1", "-1:1", "1:8", "1:-1", "1", "1-1", "x:1", "1:1 2", ","})
        {
            DCFABRIC_EXPECT_REFUSAL(disc->SetDscpMap(wrong), "must be dscp:class");
        }
        NS_TEST_EXPECT_MSG_EQ(disc->GetDscpMap(), "0:2,10:1,46:7", "refused: nothing changes");
        disc->SetDscpMap("");
        NS_TEST_EXPECT_MSG_EQ(+disc->GetClass(*Create<TestQueueItem>(0, 1, 46, 0)), 5, "selector");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Order among classes, and classes that are paused.
 */
class PauseTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const auto disc = MakeDisc();
        NS_TEST_EXPECT_MSG_EQ(disc->HasEligiblePacket(), false, "empty");
        NS_TEST_EXPECT_MSG_EQ(IdOf(disc->Dequeue()), -1, "empty");
        disc->Enqueue(MakeTestItem(1, 100, 3));
        disc->Enqueue(MakeTestItem(2, 200, 3));
        disc->Enqueue(MakeTestItem(3, 400, 0));
        disc->Enqueue(MakeTestItem(4, 800, 6));
        NS_TEST_EXPECT_MSG_EQ(disc->GetNInternalQueues(), 1, "a lane for each class");
        NS_TEST_EXPECT_MSG_EQ(disc->GetNPackets(), 4, "the lanes count together");
        NS_TEST_EXPECT_MSG_EQ(disc->GetNBytes(), 1500, "100 + 200 + 400 + 800");
        NS_TEST_EXPECT_MSG_EQ(disc->GetClassBytes(3), 300, "100 + 200");
        NS_TEST_EXPECT_MSG_EQ(disc->GetClassBytes(5), 0, "never used");

        disc->SetPausedClasses((1U << 6) | (1U << 3));
        NS_TEST_EXPECT_MSG_EQ(disc->HasEligiblePacket(), true, "class 0 may go");
        NS_TEST_EXPECT_MSG_EQ(IdOf(disc->Dequeue()), 3, "the only one that may go");
        NS_TEST_EXPECT_MSG_EQ(disc->HasEligiblePacket(), false, "the others wait");
        NS_TEST_EXPECT_MSG_EQ(IdOf(disc->Dequeue()), -1, "the others wait");
        NS_TEST_EXPECT_MSG_EQ(disc->GetNPackets(), 3, "and are still there");
        disc->SetPausedClasses(1U << 6);
        NS_TEST_EXPECT_MSG_EQ(IdOf(disc->Dequeue()), 1, "class 3 may go");
        disc->SetPausedClasses(0);
        NS_TEST_EXPECT_MSG_EQ(Drain(disc), "4 2", "highest class first");
        NS_TEST_EXPECT_MSG_EQ(disc->GetNBytes(), 0, "empty");

        // DRR with the sizes of the disc's heads: the sequence of dcfabric-class-scheduler
        const auto drr = CreateObject<DeficitRoundRobinScheduler>();
        drr->SetQuanta("1000,500,0,0,0,0,0,0");
        const auto fair =
            CreateObjectWithAttributes<CongestionAwareQueueDisc>("Scheduler", PointerValue(drr));
        fair->Initialize();
        for (uint32_t i = 0; i < 5; ++i)
        {
            fair->Enqueue(MakeTestItem(i, 600, 0));
            fair->Enqueue(MakeTestItem(10 + i, 400, 1));
        }
        NS_TEST_EXPECT_MSG_EQ(Drain(fair), "0 10 1 2 11 3 4 12 13 14", "0100100111");

        // Channels 0 and 1 of a class: what 0 sent alone is no debt, both take turns from there.
        const auto channels = CreateObject<ChannelScheduler>();
        channels->SetClasses({{0, 1}});
        const auto shared =
            CreateObjectWithAttributes<CongestionAwareQueueDisc>("Scheduler",
                                                                 PointerValue(channels));
        shared->Initialize();
        for (uint32_t i = 0; i < 100; ++i)
        {
            shared->Enqueue(MakeTestItem(i, 1000, 0));
        }
        Drain(shared);
        for (uint32_t i = 0; i < 4; ++i)
        {
            shared->Enqueue(MakeTestItem(i, 1000, 0));
            shared->Enqueue(MakeTestItem(10 + i, 1000, 1));
        }
        NS_TEST_EXPECT_MSG_EQ(Drain(shared), "0 10 1 11 2 12 3 13", "in turn");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Limits and drop reasons.
 */
class LimitTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const auto packets = MakeDisc("2p");
        NS_TEST_EXPECT_MSG_EQ(packets->Enqueue(MakeTestItem(0, 1000, 0)), true, "1 of 2");
        NS_TEST_EXPECT_MSG_EQ(packets->Enqueue(MakeTestItem(1, 1000, 5)), true, "2 of 2");
        NS_TEST_EXPECT_MSG_EQ(packets->Enqueue(MakeTestItem(2, 1, 7)), false, "any class");
        packets->Dequeue();
        NS_TEST_EXPECT_MSG_EQ(packets->Enqueue(MakeTestItem(3, 1000, 7)), true, "room again");

        const auto bytes = MakeDisc("2500B");
        NS_TEST_EXPECT_MSG_EQ(bytes->Enqueue(MakeTestItem(0, 1000, 0)), true, "1000 of 2500");
        NS_TEST_EXPECT_MSG_EQ(bytes->Enqueue(MakeTestItem(1, 1501, 1)), false, "2501 of 2500");
        NS_TEST_EXPECT_MSG_EQ(bytes->Enqueue(MakeTestItem(2, 1500, 1)), true, "2500 of 2500");
        NS_TEST_EXPECT_MSG_EQ(bytes->Enqueue(MakeTestItem(3, 1, 1)), false, "full");

        const QueueDisc::Stats& stats = bytes->GetStats();
        const char* reason = CongestionAwareQueueDisc::LIMIT_EXCEEDED_DROP;
        NS_TEST_EXPECT_MSG_EQ(stats.nTotalReceivedPackets, 4, "all");
        NS_TEST_EXPECT_MSG_EQ(stats.nTotalEnqueuedPackets, 2, "accepted");
        NS_TEST_EXPECT_MSG_EQ(stats.nTotalEnqueuedBytes, 2500, "accepted");
        NS_TEST_EXPECT_MSG_EQ(stats.GetNDroppedPackets(reason), 2, "with their reason");
        NS_TEST_EXPECT_MSG_EQ(stats.GetNDroppedBytes(reason), 1502, "1501 + 1");
        NS_TEST_EXPECT_MSG_EQ(bytes->GetClassCounters(1).droppedPackets, 2, "of class 1");
        NS_TEST_EXPECT_MSG_EQ(bytes->GetClassCounters(1).enqueuedPackets, 1, "of class 1");
        NS_TEST_EXPECT_MSG_EQ(bytes->GetClassCounters(1).enqueuedBytes, 1500, "of class 1");
        NS_TEST_EXPECT_MSG_EQ(bytes->GetClassCounters(1).maxBytes, 1500, "of class 1");
        NS_TEST_EXPECT_MSG_EQ(bytes->GetClassCounters(0).droppedPackets, 0, "of class 0");
        NS_TEST_EXPECT_MSG_EQ(Drain(bytes), "2 0", "what was accepted");
        NS_TEST_EXPECT_MSG_EQ(bytes->GetClassCounters(1).bytes, 0, "empty");
        NS_TEST_EXPECT_MSG_EQ(bytes->GetClassCounters(1).maxBytes, 1500, "stays");

        // the same limit through the base class, as code does that knows no TypeId
        const Ptr<QueueDisc> base = CreateObject<CongestionAwareQueueDisc>();
        base->SetMaxSize(QueueSize("1p"));
        base->Initialize();
        NS_TEST_EXPECT_MSG_EQ(base->Enqueue(MakeTestItem(0, 1)), true, "1 of 1");
        NS_TEST_EXPECT_MSG_EQ(base->Enqueue(MakeTestItem(1, 1)), false, "full");
        const auto later = MakeDisc();
        later->SetMaxSize(QueueSize("1p"));
        NS_TEST_EXPECT_MSG_EQ(later->Enqueue(MakeTestItem(0, 1)), true, "1 of 1");
        NS_TEST_EXPECT_MSG_EQ(later->Enqueue(MakeTestItem(1, 1)), false, "a limit set late holds");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Trace sources of the base class fire once for each packet.
 */
class DiscTraceTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const auto disc = MakeDisc("2p");
        const auto connect = [&disc](const char* name, auto callback) {
            return disc->TraceConnectWithoutContext(name, callback);
        };
        const bool found =
            connect("Enqueue", MakeCallback(&DiscTraceTestCase::OnEnqueue, this)) &&
            connect("Dequeue", MakeCallback(&DiscTraceTestCase::OnDequeue, this)) &&
            connect("Drop", MakeCallback(&DiscTraceTestCase::OnDrop, this)) &&
            connect("DropBeforeEnqueue", MakeCallback(&DiscTraceTestCase::OnDropBefore, this)) &&
            connect("PacketsInQueue", MakeCallback(&DiscTraceTestCase::OnPackets, this)) &&
            connect("BytesInQueue", MakeCallback(&DiscTraceTestCase::OnBytes, this));
        NS_TEST_ASSERT_MSG_EQ(found, true, "all trace sources exist");
        disc->Enqueue(MakeTestItem(1, 100, 0));
        disc->Enqueue(MakeTestItem(2, 200, 4));
        disc->Enqueue(MakeTestItem(3, 400, 7));
        disc->Dequeue();
        disc->Dequeue();
        disc->Dequeue();
        NS_TEST_EXPECT_MSG_EQ(m_events,
                              "n1 b100 +1 n2 b300 +2 x3 before3(Queue disc limit exceeded) "
                              "n1 b100 -2 n0 b0 -1 ",
                              "every packet once");
    }

    /// Sinks. @{
    void OnEnqueue(Ptr<const QueueDiscItem> item)
    {
        m_events += "+" + std::to_string(IdOf(item)) + " ";
    }

    void OnDequeue(Ptr<const QueueDiscItem> item)
    {
        m_events += "-" + std::to_string(IdOf(item)) + " ";
    }

    void OnDrop(Ptr<const QueueDiscItem> item)
    {
        m_events += "x" + std::to_string(IdOf(item)) + " ";
    }

    void OnDropBefore(Ptr<const QueueDiscItem> item, const char* reason)
    {
        m_events += "before" + std::to_string(IdOf(item)) + "(" + reason + ") ";
    }

    void OnPackets(uint32_t /* before */, uint32_t now)
    {
        m_events += "n" + std::to_string(now) + " ";
    }

    void OnBytes(uint32_t /* before */, uint32_t now)
    {
        m_events += "b" + std::to_string(now) + " ";
    }

    /** @} */

    std::string m_events; //!< what happened
};

/**
 * @ingroup dcfabric-tests
 * @brief A filter that never matches.
 */
class NoFilter : public PacketFilter
{
  private:
    bool CheckProtocol(Ptr<QueueDiscItem> /* item */) const override
    {
        return false;
    }

    int32_t DoClassify(Ptr<QueueDiscItem> /* item */) const override
    {
        return PF_NO_MATCH;
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Configurations that would be without effect.
 */
class DiscRefusalTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const auto filtered = CreateObject<CongestionAwareQueueDisc>();
        filtered->AddPacketFilter(CreateObject<NoFilter>());
        DCFABRIC_EXPECT_REFUSAL(filtered->Initialize(), "takes no packet filters");
        const auto queued = CreateObject<CongestionAwareQueueDisc>();
        queued->AddInternalQueue(CreateObject<DropTailQueue<QueueDiscItem>>());
        DCFABRIC_EXPECT_REFUSAL(queued->Initialize(), "takes no internal queues");
        const auto childless = CreateObject<CongestionAwareQueueDisc>();
        childless->SetAttribute("ClassQueueDisc", StringValue("ns3::WredMarkingProfile"));
        DCFABRIC_EXPECT_REFUSAL(childless->Initialize(),
                                "ns3::WredMarkingProfile is neither a queue disc");
        childless->SetAttribute("ClassQueueDisc", StringValue("ns3::QueueDisc"));
        DCFABRIC_EXPECT_REFUSAL(childless->Initialize(), "ns3::QueueDisc is neither a queue disc");
    }
};

/// The queue disc's classes and statistics.
const SuiteCases g_cases("dcfabric-queue-disc", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(
        new DscpTestCase("queue disc: the class follows from the DSCP, by selector or by map"));
    suite.AddTestCase(
        new PauseTestCase("queue disc: strict priority, DRR, and classes that have to wait"));
    suite.AddTestCase(new LimitTestCase(
        "queue disc: limits in packets and bytes over all classes, drop reasons"));
    suite.AddTestCase(
        new DiscTraceTestCase("queue disc: Enqueue, Dequeue, Drop and the lengths are traced"));
    suite.AddTestCase(
        new DiscRefusalTestCase("queue disc: filters and queues that it would ignore are refused"));
});

} // namespace ns3::tests::queue_disc_test
