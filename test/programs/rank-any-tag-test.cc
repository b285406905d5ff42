// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-ranks.h"

#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <string>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Receives with any tag, by the rules of MPI (version 4.1, section 3.5).
 *
 * Which receive took which message is seen from what remains: a job in which a receive took the
 * wrong one is stuck, and its report names the receive that got nothing.
 */

namespace ns3::tests::rank_any_tag_test
{

/**
 * @ingroup dcfabric-tests
 * @brief Which receive takes which message.
 */
class AnyTagTestCase : public RankTestCase
{
    using RankTestCase::RankTestCase;

    /// Let messages of a pair overtake one another: each has a queue pair of its own.
    static void SetApart(RankRunner& runner)
    {
        runner.SetAttribute("QueuePairs", UintegerValue(0));
    }

    /**
     * @param sends of rank 0
     * @param receives program of rank 3
     * @param more programs
     * @return what becomes of four ranks
     */
    RankRun Receive(const std::string& sends,
                    const std::string& receives,
                    const std::string& more = "")
    {
        return RunText(MakeStar(4),
                       "ranks 4\nprogram 0 {\n" + sends + "}\nprogram 3 {\n" + receives +
                           "mark end\n}\n" + more,
                       "",
                       SetApart);
    }

    /// A job ends, or is stuck. @param missing what the report says of rank 3; empty: it ends
    void Expect(const RankRun& run, const std::string& missing)
    {
        NS_TEST_EXPECT_MSG_EQ(run.complete, missing.empty(), missing + run.stuck);
        NS_TEST_EXPECT_MSG_EQ((missing.empty() || Contains(run.stuck, missing)), true, run.stuck);
    }

    void DoRun() override
    {
        // The large message is sent first; the small one arrives first, after 2.17 us against more
        // than 8 us (100 packets of 1082 bytes at 80 ps a byte).
        const std::string large = "isend 3 100kB tag=2\n";
        const std::string small = "isend 3 1000 tag=1\n";
        const std::string any = "irecv 0 tag=any\n";
        for (const std::string late : {"", "compute 5us\n", "compute 90us\n"})
        {
            // A receive with any tag takes what was sent first, not what is there first.
            Expect(Receive(large + small, late + any + "recv 0 tag=1\n"), "");
            Expect(Receive(large + small, late + any + "recv 0 tag=2\n"),
                   "nothing from rank 0, tag 2");
            // An exact receive that was posted before it takes its own.
            Expect(Receive(large + small, late + "irecv 0 tag=1\n" + any + "wait\n"), "");
            Expect(Receive(large + small, late + "irecv 0 tag=2\n" + any + "wait\n"), "");
            // Of two receives that accept a message, the first takes it.
            Expect(Receive(small, late + "irecv 0 tag=1\n" + any + "wait\n"),
                   "nothing from rank 0, any tag");
            Expect(Receive(small, late + any + "recv 0 tag=1\n"), "nothing from rank 0, tag 1");
            // one more receive than messages, and one more message
            Expect(Receive(large + small, late + any + any + any), "nothing from rank 0, any tag");
            NS_TEST_EXPECT_MSG_EQ(Receive(large + small, late + "recv 0 tag=any\n").unreceived,
                                  1,
                                  "the small one");
            // messages of collectives are none for it
            Expect(Receive("barrier\nisend 3 10 tag=7\n",
                           late + any + "irecv 0 tag=7\nbarrier\nwait\n",
                           "program 1-2 {\nbarrier\n}\n"),
                   "nothing from rank 0, tag 7");
        }

        // When each is complete: a small message behind a large one waits for it.
        RankRun run =
            Receive(large + small, "recv 0 tag=any\nmark first\nrecv 0 tag=any\nmark second\n");
        NS_TEST_EXPECT_MSG_GT(run.End("first", 3), 8000000, "the large one");
        NS_TEST_EXPECT_MSG_EQ(run.End("second", 3), run.End("first", 3), "was there before");
        run = Receive(small + large, "recv 0 tag=any\nmark first\nrecv 0 tag=any\nmark second\n");
        NS_TEST_EXPECT_MSG_LT(run.End("first", 3), 3000000, "the small one");
        NS_TEST_EXPECT_MSG_GT(run.End("second", 3), 8000000, "the large one");

        // From any rank: what has come first. Rank 1 sends at 0 and rank 2 at 20 us; the large
        // message of rank 0 is between them, and its small one behind it, although it arrives
        // before.
        const std::string others = "program 1 {\nsend 3 1000 tag=5\n}\n"
                                   "program 2 {\ncompute 20us\nsend 3 1000 tag=6\n}\n";
        const std::string each = "irecv any tag=any\n";
        for (const std::string late : {"", "compute 90us\n"})
        {
            Expect(Receive(large + small, late + each + "recv 0 tag=2\n", others), "");
            Expect(Receive(large + small, late + each + each + "recv 0 tag=1\n", others), "");
            Expect(Receive(large + small, late + each + each + each + "recv 2 tag=6\n", others),
                   "");
            Expect(Receive(large + small, late + each + "recv 1 tag=5\n", others),
                   "nothing from rank 1, tag 5");
            Expect(Receive(large + small, late + "irecv any tag=6\n" + each + each + each, others),
                   "");
            Expect(Receive(large + small, late + each + "recv any tag=5\n", others),
                   "nothing from any rank, tag 5");
        }
        Expect(Receive("", each), "nothing from any rank, any tag");

        // Ranks of one host; a rank without such a receive goes its own way.
        run = RunText(MakeStar(2),
                      "ranks 4 per-host 2\nprogram 0 {\nisend 1 10 tag=4\nisend 1 10 tag=3\n" +
                          large + small +
                          "}\nprogram 1 {\nrecv 0 tag=any\nrecv 0 tag=3\nmark end\n}\n"
                          "program 3 {\nrecv 0 tag=1\nmark small\nrecv 0 tag=2\n}\n",
                      "",
                      SetApart);
        Expect(run, "");
        NS_TEST_EXPECT_MSG_EQ(run.End("end", 1), 0, "in memory, which takes no time");
        NS_TEST_EXPECT_MSG_LT(run.End("small", 3), 3000000, "not held up");

        // many of both: the i-th with any tag is the i-th that was sent
        constexpr int64_t MANY = 20000;
        const std::string count = std::to_string(MANY);
        for (const std::string late : {"", "compute 10ms\n"})
        {
            run = RunText(MakeStar(2),
                          "ranks 2\nprogram 0 {\nrepeat " + count +
                              " i {\nisend 1 1 tag=i\n}\n}\nprogram 1 {\n" + late + "repeat " +
                              count + "/2 i {\nirecv 0 tag=any\nirecv any tag=any\n}\nwait\n}\n");
            Expect(run, "");
        }

        DCFABRIC_EXPECT_REFUSAL(RunText(MakeStar(2), "ranks 2\nprogram 0 {\nsend 1 8 tag=any\n}\n"),
                                "any");
        Simulator::Destroy();
        RankProgram program;
        program.IRecv(RankProgram::ANY, {RankProgram::ANY}).Wait();
        NS_TEST_EXPECT_MSG_EQ(program.GetOperations()[0].anyTag, true, "from C++");
        NS_TEST_EXPECT_MSG_EQ(program.GetOperations()[1].anyTag, false, "a wait");
    }
};

/// Adds the cases to their suite.
const SuiteCases g_cases("dcfabric-workload", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new AnyTagTestCase("receives of ranks with any tag match as in MPI"));
});

} // namespace ns3::tests::rank_any_tag_test
