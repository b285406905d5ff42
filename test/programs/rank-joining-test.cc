// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-network.h"
#include "fabric-test-ranks.h"

#include "ns3/collective-log.h"
#include "ns3/fabric-time.h"
#include "ns3/flow-order.h"
#include "ns3/plain-bytes.h"
#include "ns3/rank-marks.h"
#include "ns3/run-log.h"

#include <algorithm>
#include <random>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief What processes of one simulation know of programs of ranks, and its join.
 */

namespace ns3::tests::rank_joining_test
{

constexpr int64_t NEVER = FabricTime::NEVER;

/// When ranks ran, and the next timer then.
using Runs = std::vector<std::pair<int64_t, int64_t>>;

/// @return the log of a process
RunLog
MakeLog(const Runs& runs)
{
    RunLog log;
    for (const auto& [timePs, nextPs] : runs)
    {
        log.Add(timePs, nextPs);
    }
    return log;
}

/**
 * @ingroup dcfabric-tests
 * @brief Events of one process, from the logs of several.
 */
class RunLogTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // runs at 0 and 10, and the event at 10 that woke them
        RunLog a = MakeLog({{0, 10}, {10, NEVER}});
        NS_TEST_EXPECT_MSG_EQ(a.CountEvents(100), 3, "one timer");
        NS_TEST_EXPECT_MSG_EQ(a.CountEvents(9), 2, "its event is still to come");
        const RunLog b = MakeLog({{0, 5}, {5, 20}, {20, NEVER}});
        NS_TEST_EXPECT_MSG_EQ(b.CountEvents(100), 5, "two timers");
        // One process runs at 0, 5, 10 and 20, and has events set at 0 for 5, at 5 for 10 and at 10
        // for 20.
        std::string bytes;
        b.Pack(bytes);
        std::size_t at = 0;
        a.Join(bytes, at);
        NS_TEST_EXPECT_MSG_EQ(at, bytes.size(), "all of it");
        NS_TEST_EXPECT_MSG_EQ(a.CountEvents(100), 7, "together");
        NS_TEST_EXPECT_MSG_EQ(RunLog().CountEvents(100), 0, "nobody ran");

        // At 3 a timer at 4 is set, before that of 10, whose event comes all the same; at 4 that of
        // 10 is set again: four runs and three events.
        const RunLog early = MakeLog({{0, 10}, {3, 4}, {4, 10}, {10, NEVER}});
        NS_TEST_EXPECT_MSG_EQ(early.CountEvents(10), 7, "an earlier timer");
        // a process in which nothing happens at 3 knows its timer still
        RunLog idle = MakeLog({{0, 2}, {2, NEVER}});
        bytes.clear();
        MakeLog({{0, 9}, {1, 9}, {9, NEVER}}).Pack(bytes);
        at = 0;
        idle.Join(bytes, at);
        NS_TEST_EXPECT_MSG_EQ(idle.CountEvents(9), 6, "runs at 0, 1, 2 and 9, events at 2 and 9");
        bytes.resize(bytes.size() - 1);
        at = 0;
        DCFABRIC_EXPECT_REFUSAL(idle.Join(bytes, at), "cut short");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Rows of marks and collectives get the order of one process.
 */
class RowsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        RankMarks here;
        RankMarks there;
        const uint32_t name = here.NameIndex("m");
        there.NameIndex("m");
        here.End(here.Begin(4, name, 10, 1), 30);
        here.Begin(4, name, 10, 1); // at once, never ended
        here.Begin(0, name, 10, 2);
        there.End(there.Begin(1, name, 10, 1), 20);
        there.Begin(5, name, 9, 7);
        there.Begin(1, name, 10, 2);
        here.Join(there.GetRows());
        std::string order;
        for (const RankMarks::Row& row : here.GetRows())
        {
            order += std::to_string(row.rank) + ":" + std::to_string(row.iteration) + " ";
        }
        NS_TEST_EXPECT_MSG_EQ(order, "5:0 1:0 4:0 4:1 0:0 1:1 ", "by time, round and rank");

        // Ranks 0 and 1 here, 2 there. Rank 2 comes first to the second one.
        const RankGroup group("all", {0, 0, 0});
        const auto at = [](int64_t atPs, uint32_t rank) {
            FlowOrder order;
            order.atPs = atPs;
            order.rank = rank;
            return order;
        };
        CollectiveLog log;
        CollectiveLog other;
        for (uint32_t iteration = 0; iteration < 2; ++iteration)
        {
            const int64_t from = 100 * iteration;
            for (const uint32_t rank : {0, 1})
            {
                const uint32_t row = log.Begin(rank, 0, 0, group, iteration, at(from + 10, rank));
                log.NoteSize(row, 5 + rank);
                log.NoteSent(row, 7);
                if (iteration == 0)
                {
                    log.End(row, from + 50 + rank);
                }
            }
            const uint32_t row = other.Begin(2, 0, 0, group, iteration, at(from + 5, 2));
            other.NoteSize(row, 9);
            other.NoteSent(row, 1);
            other.End(row, from + 40);
        }
        NS_TEST_EXPECT_MSG_EQ(log.GetRows()[0].endPs, -1, "one rank is missing");
        log.Join(other.GetRows());
        NS_TEST_ASSERT_MSG_EQ(log.GetRows().size(), 2, "of both");
        const CollectiveLog::Row& first = log.GetRows()[0];
        NS_TEST_EXPECT_MSG_EQ(first.startPs, 5, "rank 2 was first");
        NS_TEST_EXPECT_MSG_EQ(first.lastStartPs, 10, "the others were last");
        NS_TEST_EXPECT_MSG_EQ(first.endPs, 51, "rank 1 left last");
        NS_TEST_EXPECT_MSG_EQ(first.bytes, 9, "largest");
        NS_TEST_EXPECT_MSG_EQ(first.sentBytes, 15, "of all");
        NS_TEST_EXPECT_MSG_EQ(log.GetRows()[1].endPs, -1, "ranks 0 and 1 are still in it");
        NS_TEST_EXPECT_MSG_EQ(log.GetRows()[1].left, 1, "rank 2 is not");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What happens at one time happens in the order of ranks, also what computations begin.
 */
class TurnTestCase : public RankTestCase
{
    using RankTestCase::RankTestCase;

    void DoRun() override
    {
        // Both streams are free at 3 us. That of rank 1 was set at 0, the one of rank 0 at 1 us.
        const RankRun run = RunText(MakeStar(3),
                                    "ranks 3\nprogram 0 {\ncompute 1us\nicompute 2us on=s\n"
                                    "isend 2 1000 on=s\nwait\n}\nprogram 1 {\nicompute 3us on=s\n"
                                    "isend 2 1000 on=s\nwait\n}\nprogram 2 {\nrecv 0\nrecv 1\n}\n");
        NS_TEST_EXPECT_MSG_EQ(run.complete, true, run.stuck);
        NS_TEST_ASSERT_MSG_EQ(run.flows.size(), 2, "two messages");
        NS_TEST_EXPECT_MSG_EQ(run.flows[0].src, 0, "the lower rank");
        NS_TEST_EXPECT_MSG_EQ(run.flows[0].startPs, run.flows[1].startPs, "at one time");
        NS_TEST_EXPECT_MSG_EQ(run.flows[1].src, 1, "the higher rank");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The order of flows is that of its fields, first to last.
 */
class FlowOrderTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        std::vector<FlowOrder> wanted(9);
        wanted[1].number = 3;
        wanted[2].rank = 1;
        wanted[3].askedPhase = 2;
        wanted[4].askedRound = 1;
        wanted[5].askedPs = 1;
        wanted[6].phase = 1;
        wanted[7].round = 1;
        wanted[8].atPs = 1;
        constexpr uint32_t SEED = 31;
        std::cout << "seed " << SEED << "\n";
        std::mt19937 random(SEED);
        std::vector<FlowOrder> orders = wanted;
        for (int round = 0; round < 20; ++round)
        {
            std::shuffle(orders.begin(), orders.end(), random);
            std::sort(orders.begin(), orders.end());
            NS_TEST_ASSERT_MSG_EQ((orders == wanted), true, "round " << round);
        }
    }
};

/// Adds the cases to their suite.
const SuiteCases g_cases("dcfabric-workload", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new RunLogTestCase("events of one process, from the logs of several"));
    suite.AddTestCase(new RowsTestCase("rows of several processes in the order of one"));
    suite.AddTestCase(new TurnTestCase("what computations begin at one time"));
    suite.AddTestCase(new FlowOrderTestCase("flows have an order that no process has to know"));
});

} // namespace ns3::tests::rank_joining_test
