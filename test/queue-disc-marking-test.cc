// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-queue.h"
#include "fabric-test-suite.h"

#include "ns3/boolean.h"
#include "ns3/congestion-aware-queue-disc.h"
#include "ns3/double.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <cstdint>
#include <string>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Which packets CongestionAwareQueueDisc marks.
 */

namespace ns3::tests::queue_disc_marking_test
{

constexpr int64_t STREAM = 73; //!< of all draws in this suite

/**
 * @param kmin,kmax,pmax its profile
 * @param atDequeue when it marks
 * @param classes mask
 * @return a disc
 */
Ptr<CongestionAwareQueueDisc>
MakeMarkingDisc(uint64_t kmin,
                uint64_t kmax,
                double pmax,
                bool atDequeue = false,
                uint8_t classes = 0x3f)
{
    const auto profile = CreateObjectWithAttributes<WredMarkingProfile>("Kmin",
                                                                        UintegerValue(kmin),
                                                                        "Kmax",
                                                                        UintegerValue(kmax),
                                                                        "Pmax",
                                                                        DoubleValue(pmax));
    const auto disc = CreateObjectWithAttributes<CongestionAwareQueueDisc>("MarkingProfile",
                                                                           PointerValue(profile),
                                                                           "MarkAtDequeue",
                                                                           BooleanValue(atDequeue),
                                                                           "MarkedClasses",
                                                                           UintegerValue(classes));
    disc->AssignStreams(STREAM);
    disc->Initialize();
    return disc;
}

/**
 * @param disc emptied
 * @return numbers of the marked packets that a disc gives
 */
std::string
DrainMarked(Ptr<QueueDisc> disc)
{
    std::string marked;
    while (Ptr<QueueDiscItem> item = disc->Dequeue())
    {
        const auto packet = StaticCast<TestQueueItem>(item);
        marked += packet->IsMarked() ? std::to_string(packet->id) + " " : "";
    }
    return marked;
}

/**
 * @ingroup dcfabric-tests
 * @brief When and where marks are set.
 */
class MarkTimeTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // A step at 2500 B, five packets of 1000 B. At enqueue they find 0, 1000, 2000, 3000 and
        // 4000 B: 3 and 4 are marked. At dequeue they leave 4000, 3000, 2000, 1000, 0 B: 0 and 1.
        for (const bool atDequeue : {false, true})
        {
            const auto disc = MakeMarkingDisc(2500, 2500, 1, atDequeue);
            for (uint32_t id = 0; id < 5; ++id)
            {
                disc->Enqueue(MakeTestItem(id, 1000));
            }
            NS_TEST_EXPECT_MSG_EQ(disc->GetNMarkedPackets(), (atDequeue ? 0 : 2), "so far");
            NS_TEST_EXPECT_MSG_EQ(DrainMarked(disc), (atDequeue ? "0 1 " : "3 4 "), "which");
            NS_TEST_EXPECT_MSG_EQ(disc->GetNMarkedPackets(), 2, "in all");
        }

        // The length is that of the class: 3000 B in class 1 do not mark class 2. Classes 6 and 7
        // are not marked unless asked for.
        for (const bool all : {false, true})
        {
            const auto disc = MakeMarkingDisc(1000, 1000, 1, false, all ? 0xff : 0x3f);
            disc->Enqueue(MakeTestItem(0, 3000, 1));
            disc->Enqueue(MakeTestItem(1, 1000, 2));
            disc->Enqueue(MakeTestItem(2, 3000, 7));
            disc->Enqueue(MakeTestItem(3, 3000, 7));
            disc->Enqueue(MakeTestItem(4, 3000, 1));
            NS_TEST_EXPECT_MSG_EQ(DrainMarked(disc), (all ? "3 4 " : "4 "), "by class");
        }

        const auto none = CreateObject<CongestionAwareQueueDisc>();
        none->Initialize();
        for (uint32_t id = 0; id < 100; ++id)
        {
            none->Enqueue(MakeTestItem(id, 100000));
        }
        none->SetMarkingProfile(
            CreateObjectWithAttributes<WredMarkingProfile>("Kmin", UintegerValue(0)));
        none->Enqueue(MakeTestItem(100, 1));
        none->SetMarkingProfile(nullptr);
        none->Enqueue(MakeTestItem(101, 1));
        NS_TEST_EXPECT_MSG_EQ(DrainMarked(none), "100 ", "while there is a profile");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief ECN codepoints, statistics and traces.
 */
class MarkStatsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const auto disc = MakeMarkingDisc(0, 0, 1);
        disc->TraceConnectWithoutContext("Mark", MakeCallback(&MarkStatsTestCase::OnMark, this));
        disc->Enqueue(MakeTestItem(0, 10, 0, TestQueueItem::ECT0)); // finds nothing: no mark
        disc->Enqueue(MakeTestItem(1, 100, 0, TestQueueItem::NOT_ECT));
        disc->Enqueue(MakeTestItem(2, 200, 0, TestQueueItem::ECT0));
        disc->Enqueue(MakeTestItem(3, 400, 0, TestQueueItem::ECT1));
        NS_TEST_EXPECT_MSG_EQ(m_marks, "2(Marked by profile) 3(Marked by profile) ", "traced");
        NS_TEST_EXPECT_MSG_EQ(disc->GetNPackets(), 4, "what cannot be marked is kept");
        const QueueDisc::Stats& stats = disc->GetStats();
        const char* reason = CongestionAwareQueueDisc::CONGESTION_MARK;
        NS_TEST_EXPECT_MSG_EQ(stats.nTotalMarkedPackets, 2, "in all");
        NS_TEST_EXPECT_MSG_EQ(stats.GetNMarkedPackets(reason), 2, "with their reason");
        NS_TEST_EXPECT_MSG_EQ(stats.GetNMarkedBytes(reason), 600, "200 + 400");
        NS_TEST_EXPECT_MSG_EQ(disc->GetClassCounters(0).markedPackets, 2, "of the class");
        NS_TEST_EXPECT_MSG_EQ(disc->GetClassCounters(0).markedBytes, 600, "of the class");
        NS_TEST_EXPECT_MSG_EQ(DrainMarked(disc), "2 3 ", "in the packets");

        // 3,000,000,000 B marked twice, more than 32 bits hold. One byte ahead of each lets the
        // class be longer than 0; one packet at a time keeps the length itself within 32 bits.
        const auto wide = MakeMarkingDisc(0, 0, 1);
        for (int i = 0; i < 2; ++i)
        {
            wide->Enqueue(MakeTestItem(0, 1));
            wide->Enqueue(MakeTestItem(1, 3000000000U));
            NS_TEST_EXPECT_MSG_EQ(DrainMarked(wide), "1 ", "the large one");
        }
        NS_TEST_EXPECT_MSG_EQ(wide->GetClassCounters(0).markedBytes, 6000000000U, "64 bits");
        NS_TEST_EXPECT_MSG_EQ(wide->GetClassCounters(0).enqueuedBytes, 6000000002U, "64 bits");
        NS_TEST_EXPECT_MSG_EQ(wide->GetClassCounters(0).maxBytes, 3000000001U, "64 bits");
    }

    /**
     * @brief Note a mark.
     * @param item packet
     * @param reason why
     */
    void OnMark(Ptr<const QueueDiscItem> item, const char* reason)
    {
        m_marks += std::to_string(IdOf(item)) + "(" + reason + ") ";
    }

    std::string m_marks; //!< traced
};

/**
 * @ingroup dcfabric-tests
 * @brief How often a disc marks at a length that stays the same.
 */
class MarkFrequencyTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param length bytes that each packet finds (at enqueue) or leaves (at dequeue)
     * @param atDequeue when marks are set
     * @param count packets
     * @return share of marked packets
     */
    static double Measure(uint64_t length, bool atDequeue, uint32_t count)
    {
        const auto disc = MakeMarkingDisc(100000, 400000, 0.2, atDequeue);
        disc->Enqueue(MakeTestItem(0, static_cast<uint32_t>(length), 0, TestQueueItem::NOT_ECT));
        uint32_t marked = 0;
        for (uint32_t i = 0; i < count; ++i)
        {
            // two packets of the length take turns: the one that is there when the other comes
            const auto next = MakeTestItem(1, static_cast<uint32_t>(length));
            disc->Enqueue(next);
            marked += next->IsMarked() ? 1 : 0;
            const auto gone = StaticCast<TestQueueItem>(disc->Dequeue());
            marked += atDequeue && gone->IsMarked() ? 1 : 0;
        }
        return static_cast<double>(marked) / count;
    }

    void DoRun() override
    {
        // Kmin 100,000, Kmax 400,000, Pmax 0.2; five standard deviations of the binomial
        const struct
        {
            uint64_t length;
            double probability;
        } cases[] = {{100000, 0},
                     {100001, 0.2 / 300000},
                     {175000, 0.05},
                     {250000, 0.1},
                     {400000, 0.2},
                     {400001, 1}};

        for (const auto& c : cases)
        {
            // certain outcomes need no statistics
            const uint32_t count = c.probability == 0 || c.probability == 1 ? 1000 : 100000;
            for (const bool atDequeue : {false, true})
            {
                const uint32_t packets = atDequeue ? count / 4 : count;
                const double sigma = std::sqrt(c.probability * (1 - c.probability) / packets);
                NS_TEST_EXPECT_MSG_EQ_TOL(Measure(c.length, atDequeue, packets),
                                          c.probability,
                                          5 * sigma + 1.0 / packets,
                                          "stream " << STREAM << ", length " << c.length
                                                    << (atDequeue ? ", at dequeue" : ""));
            }
        }
        NS_TEST_EXPECT_MSG_EQ(Measure(250000, false, 1000),
                              Measure(250000, false, 1000),
                              "the same stream gives the same marks");
    }
};

/// The queue disc's marks.
const SuiteCases g_cases("dcfabric-queue-disc", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new MarkTimeTestCase(
        "marks: at enqueue by what waits, at dequeue by what is left, in marked classes"));
    suite.AddTestCase(new MarkStatsTestCase(
        "marks: on ECT only, in Stats with their reason, traced, counted in 64 bits"));
    suite.AddTestCase(new MarkFrequencyTestCase(
        "marks: measured frequency at Kmin, Kmin + 1, half way, Kmax, Kmax + 1"));
});

} // namespace ns3::tests::queue_disc_marking_test
