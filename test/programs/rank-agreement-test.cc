// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-engine.h"
#include "../fabric-test-errors.h"
#include "fabric-test-ranks.h"

#include "ns3/data-rate.h"

#include <string>
#include <tuple>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Ranks that do not do the same in a collective, and computations that are counted.
 */

namespace ns3::tests::rank_agreement_test
{

constexpr int64_t MS = 1000 * US; //!< ps in a ms
constexpr int64_t S = 1000 * MS;  //!< ps in a s

/**
 * @ingroup dcfabric-tests
 * @brief Ranks of a group come to the same collectives, or are refused at once.
 */
class AgreementTestCase : public RankTestCase
{
    using RankTestCase::RankTestCase;

    /// @return a job of two ranks
    static std::string Two(const std::string& first, const std::string& second)
    {
        return "ranks 2\ngroup both all\nprogram 0 {\n" + first + "\n}\nprogram 1 {\n" + second +
               "\n}\n";
    }

    void DoRun() override
    {
        const EngineChoice engine(GetThrowingEngine());
        // lines 4 and 7 of the file
        for (const auto& [first, second, part] :
             std::vector<std::tuple<std::string, std::string, std::string>>{
                 {"allreduce 1kB", "broadcast 1kB", "job.txt:4: allreduce); the ranks"},
                 {"allreduce 1kB", "allreduce 2kB", "has size 1000 instead of 2000"},
                 {"allreduce 1kB",
                  "allreduce 1kB algorithm=doubling",
                  "has algorithm ring instead of doubling"},
                 {"broadcast 1kB root=1", "broadcast 1kB", "has root 1 instead of 0"},
                 {"allreduce 1kB chunks=2", "allreduce 1kB", "has other options"},
                 {"allreduce 1kB channels=2", "allreduce 1kB channels=3", "has other options"},
                 {"allreduce 1kB dims=2", "allreduce 1kB dims=2x1", "has other options"},
                 {"iallreduce 1kB as=a", "barrier", "job.txt:4: iallreduce); the ranks"},
                 {"barrier", "compute 1us\niallreduce 1kB", "job.txt:8: iallreduce of rank 1: it"},
                 {"barrier both\nbarrier", "barrier both\nreduce 1", "collective 1 of group all"},
                 {"barrier\nallreduce 1kB", "barrier\nallreduce 1", "collective 2 of group all"}})
        {
            DCFABRIC_EXPECT_REFUSAL(RunText(MakeStar(2), Two(first, second)), part);
            Simulator::Destroy();
        }
        // the same, said in another way; how many are under way is one's own; sizes for each peer
        for (const auto& [first, second] : std::vector<std::pair<std::string, std::string>>{
                 {"allreduce 1kB", "allreduce 1000 all algorithm=ring channels=1 chunks=1"},
                 {"allgather 1kB algorithm=direct window=1", "allgather 1kB algorithm=direct"},
                 {"alltoall 1kB*(1+rank+peer)", "alltoall 2kB*peer+2kB"},
                 {"ibarrier both\nibarrier", "ibarrier\nibarrier both"}})
        {
            const RankRun run = RunText(MakeStar(2), Two(first, second));
            NS_TEST_EXPECT_MSG_EQ(run.complete, true, first << run.stuck);
        }
        // a group of one agrees with itself, in whatever it does
        const RankRun run = RunText(MakeStar(2),
                                    "ranks 2\ngroups own by rank\nprogram all {\n"
                                    "allreduce 1kB*rank own\n}\n");
        NS_TEST_EXPECT_MSG_EQ(run.complete, true, run.stuck);
        // sums that would end after the end of time: 2 MB at 1 bit/s are 1.6e19 ps, and 8 s are not
        const auto slow = [](RankRunner& runner) {
            runner.SetAttribute("ReduceRate", DataRateValue(DataRate(1)));
        };
        DCFABRIC_EXPECT_REFUSAL(
            RunText(MakeStar(2), "ranks 2\nprogram all {\nallreduce 4MB\n}\n", "", slow),
            "ns3::RankRunner::ReduceRate");
        Simulator::Destroy();
        const int64_t endPs =
            RunText(MakeStar(2), "ranks 2\nprogram all {\nallreduce 2\nmark end\n}\n", "", slow)
                .End("end", 0);
        NS_TEST_EXPECT_MSG_GT(endPs, 8 * S, "a byte at 1 bit/s");
        NS_TEST_EXPECT_MSG_LT(endPs, 8 * S + 10 * US, "and no more");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Computations that say what they do take the time of a roofline.
 */
class RooflineTestCase : public RankTestCase
{
    using RankTestCase::RankTestCase;

    /// @return when a program of one rank, which computes 2 x 10^12 operations or 10^12 bytes in a
    /// second, ends
    int64_t Time(const std::string& lines)
    {
        const RankRun run = RunText(
            MakeStar(2),
            "ranks 1\nprogram all {\n" + lines + "\nwait\nmark end\n}\n",
            "",
            [](RankRunner& runner) { runner.SetRoofline(RankRoofline("2TFLOPS,1TB/s", "test")); });
        NS_TEST_EXPECT_MSG_EQ(run.complete, true, run.stuck);
        return run.End("end", 0);
    }

    void DoRun() override
    {
        const EngineChoice engine(GetThrowingEngine());
        NS_TEST_EXPECT_MSG_EQ(Time("compute flops=1e12"), S / 2, "of the processor");
        NS_TEST_EXPECT_MSG_EQ(Time("compute bytes=3e9"), 3 * MS, "of the memory");
        NS_TEST_EXPECT_MSG_EQ(Time("compute flops=1e12 bytes=3e9"), S / 2, "the longer");
        NS_TEST_EXPECT_MSG_EQ(Time("compute flops=1G bytes=3GB"), 3 * MS, "the longer");
        NS_TEST_EXPECT_MSG_EQ(Time("compute flops=2.5MFLOP*2"), 2500000, "5 million: 2.5 us");
        NS_TEST_EXPECT_MSG_EQ(Time("icompute flops=4k on=a\nicompute bytes=1kB on=a"),
                              2000 + 1000,
                              "2 ns and 1 ns, one after the other");
        NS_TEST_EXPECT_MSG_EQ(Time("repeat 3 i {\ncompute flops=2e6*i\n}"),
                              3 * US,
                              "0, 1 and 2 us");
        NS_TEST_EXPECT_MSG_EQ(Time("compute flops=0 bytes=0"), 0, "nothing");
        const RankRoofline roofline("2T,1T", "test");
        NS_TEST_EXPECT_MSG_EQ(roofline.GetTimePs(1, 0), 1, "at least 1 ps");
        NS_TEST_EXPECT_MSG_EQ(roofline.GetTimePs(5, 0), 2, "2.5 ps, to the even one");
        NS_TEST_EXPECT_MSG_EQ(roofline.GetTimePs(0, 7), 7, "7 ps");
        NS_TEST_EXPECT_MSG_EQ(RankRoofline("1GFLOP/s, 1", "test").GetTimePs(1, 0), 1000, "1 ns");
        DCFABRIC_EXPECT_REFUSAL(RankRoofline("1,1", "test").GetTimePs(10000000, 0), "end of time");
        for (const auto& [text, part] : std::vector<std::pair<std::string, std::string>>{
                 {"2T", "expected FLOPS,BYTES/s"},
                 {"2T,1T,3T", "expected FLOPS,BYTES/s"},
                 {"2T,", "test ''"},
                 {"2TB/s,1T", "test '2TB/s'"},
                 {"0,1T", "must be above 0, and no more than 1e24"},
                 {"1e30,1T", "test '1e30'"},
                 {"T,1T", "test 'T'"},
                 {"nan,1T", "test 'nan'"}})
        {
            DCFABRIC_EXPECT_REFUSAL(RankRoofline(text, "test"), part);
        }
        for (const auto& [line, part] : std::vector<std::pair<std::string, std::string>>{
                 {"compute", "expected 'compute TIME|flops=N"},
                 {"compute 1us flops=2", "expected 'compute TIME|flops=N"},
                 {"compute flops=2X", "'2X' is no number of operations"},
                 {"compute flops=2kB", "'2kB' is no number of operations"},
                 {"compute flops=1e19", "too large"},
                 {"compute bytes=1us", "is not a size"},
                 {"compute 1us bytes", "expected 'compute"},
                 {"send 0 1 flops=1", "send has no flops="}})
        {
            DCFABRIC_EXPECT_REFUSAL(Time(line), part);
        }
        // no rates: it would have no time
        DCFABRIC_EXPECT_REFUSAL(
            RunText(MakeStar(2), "ranks 1\nprogram all {\ncompute flops=1\n}\n"),
            "job.txt:3: compute says what it does, and nothing how long that takes");
        Simulator::Destroy();
    }
};

/// Adds the cases to their suite.
const SuiteCases g_cases("dcfabric-workload", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new AgreementTestCase("ranks of a group agree on their collectives"));
    suite.AddTestCase(new RooflineTestCase("computations that are counted"));
});

} // namespace ns3::tests::rank_agreement_test
