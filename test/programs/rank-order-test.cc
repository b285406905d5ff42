// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-engine.h"
#include "../fabric-test-errors.h"
#include "fabric-test-ranks.h"

#include "ns3/fabric-time.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Messages of one rank to another that are ready together follow one another.
 *
 * On MakeStar() a packet of 1000 bytes takes 86.56 ns of a link and is there 2173.12 ns after it
 * has begun (rank-runner-test.cc): the n-th packet of a host, from 0, after 86.56 n + 2173.12 ns.
 *
 * Contexts take turns. The first one is alone when it is made, and sends a packet at once; then it
 * is in the queue before the others come, and so is a packet ahead of them.
 */

namespace ns3::tests::rank_order_test
{

/**
 * @param nth which of those it sends
 * @return when a packet of a host is there, as ranks see it
 */
int64_t
Arrival(int64_t nth)
{
    return FabricTime::ToPs(FabricTime::FromPs(86560 * nth + 2173120));
}

/**
 * @ingroup dcfabric-tests
 * @brief Four messages of 100 packets each, sent at once: when each is there.
 */
class RankOrderTestCase : public RankTestCase
{
    using RankTestCase::RankTestCase;

    /**
     * @brief See when the messages are there.
     * @param queuePairs attribute
     * @param last of each message, the number of its last packet
     * @param others more operations of rank 0
     */
    void Expect(uint32_t queuePairs,
                const std::vector<int64_t>& last,
                const std::string& others = "")
    {
        std::string text = "ranks 3\nprogram 0 {\n";
        std::string receives;
        for (std::size_t i = 0; i < last.size(); ++i)
        {
            const std::string tag = std::to_string(i);
            text += "isend 1 100kB tag=" + tag + "\n";
            receives += "irecv 0 tag=" + tag + " as=m" + tag + "\n";
        }
        text += others + "}\nprogram 1 {\n" + receives;
        for (std::size_t i = 0; i < last.size(); ++i)
        {
            text += "wait m" + std::to_string(i) + "\nmark m" + std::to_string(i) + "\n";
        }
        const RankRun run =
            RunText(MakeStar(3), text + "}\n", "", [queuePairs](RankRunner& runner) {
                runner.SetAttribute("QueuePairs", UintegerValue(queuePairs));
            });
        NS_TEST_EXPECT_MSG_EQ(run.complete, true, run.stuck);
        for (std::size_t i = 0; i < last.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(run.End("m" + std::to_string(i), 1),
                                  Arrival(last[i]),
                                  "message " << i << " of queue pairs " << queuePairs);
        }
    }

    void DoRun() override
    {
        // one after the other: the last packets are the 100th, the 200th ...
        Expect(1, {99, 199, 299, 399});
        // all at once: packet 0 is of message 0, and of 99 rounds the last one is packets 393 to
        // 396; the others have one left each
        Expect(0, {393, 397, 398, 399});
        // two queue pairs share the link, of messages 0 and 2, and of 1 and 3: behind packet 0, the
        // 99th of the first is packet 197, its 199th packet 397; of the second, the 100th packet is
        // 200, and the 200th is the last
        Expect(2, {197, 200, 397, 399});
        // more than messages: each has its own
        Expect(64, {393, 397, 398, 399});

        // A put follows the message before it, which takes turns with the one to rank 2.
        const RankRun run = RunText(MakeStar(3),
                                    "ranks 3\nprogram 0 {\nisend 1 100kB\niput 1 1kB as=p\n"
                                    "isend 2 100kB\n}\n"
                                    "program 1 {\nrecv 0\nmark got\n}\n"
                                    "program 2 {\nrecv 0\nmark got\n}\n");
        NS_TEST_EXPECT_MSG_EQ(run.End("got", 1), Arrival(197), "turns with rank 2");
        NS_TEST_EXPECT_MSG_EQ(run.End("got", 2), Arrival(200), "turns with rank 1");
        NS_TEST_EXPECT_MSG_GT(run.endPs, Arrival(200), "the put came last");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A rank that would go round for ever is refused; one that waits for another is not.
 */
class EndlessUntilTestCase : public RankTestCase
{
    using RankTestCase::RankTestCase;

    void DoRun() override
    {
        const EngineChoice engine(GetThrowingEngine());
        // Nobody sends: after 1000 rounds of 1 ns there is nothing else.
        const auto impatient = [](RankRunner& runner) {
            runner.SetAttribute("RoundsAlone", UintegerValue(1000));
        };
        const std::string endless = "program 0 {\nirecv 1 as=x\nuntil x {\ncompute 1ns\n}\n}\n";
        DCFABRIC_EXPECT_REFUSAL(RunText(MakeStar(2), "ranks 2\n" + endless, "", impatient),
                                "job.txt:4: until of rank 0: would repeat its block for ever");
        // Rank 1 computes for as long as 12,000 rounds, and then its message is on its way for
        // 2000.
        const RankRun run =
            RunText(MakeStar(2),
                    "ranks 2\n" + endless + "program 1 {\ncompute 12us\nsend 0 1\n}\n",
                    "",
                    impatient);
        NS_TEST_EXPECT_MSG_EQ(run.complete, true, run.stuck);
    }
};

/// Adds the cases to their suite.
const SuiteCases g_cases("dcfabric-workload", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new RankOrderTestCase("messages of a pair of ranks follow one another"));
    suite.AddTestCase(new EndlessUntilTestCase("a rank that goes round for ever is refused"));
});

} // namespace ns3::tests::rank_order_test
