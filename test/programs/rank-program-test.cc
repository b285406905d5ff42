// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-files.h"
#include "../fabric-test-suite.h"

#include "ns3/program-file.h"
#include "ns3/rank-expression.h"
#include "ns3/rank-job.h"
#include "ns3/test.h"

#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief How programs of ranks are written.
 */

namespace ns3::tests::rank_program_test
{

using Unit = RankExpression::Unit;

/**
 * @param text expression
 * @param unit of numbers
 * @return value for rank 2 of 5, in round 7 of loop i and round 9 of loop j
 */
int64_t
ValueOf(const std::string& text, Unit unit = Unit::COUNT)
{
    const int64_t rounds[] = {7, 9};
    return RankExpression(text, unit, {"i", "j"}, "here").Evaluate({2, 5, rounds});
}

/**
 * @ingroup dcfabric-tests
 * @brief Values and refusals of expressions.
 */
class ExpressionTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const std::vector<std::pair<std::string, int64_t>> values = {
            {"0", 0},
            {"9223372036854775807", INT64_MAX},
            {"rank", 2},
            {"ranks-1-rank", 2},
            {"(rank+1)%ranks", 3},
            {"(rank-3)%ranks", 4}, // a rank, not -1
            {"-7/2", -4},          // down, not towards zero
            {"-7%-2", -1},         // sign of the divisor
            {"7%-2", -1},          // 7 = -4 x -2 - 1
            {"2+3*4-5", 9},        // levels
            {"2-3-4", -5},         // from the left
            {"100/5/2", 10},       // from the left
            {"rank^1", 3},         // exclusive or, looser than +
            {"1+rank^3", 0},       // (1 + 2) ^ 3
            {"1+2==3", 1},         // comparisons are the loosest
            {"rank^1!=3", 0},      // (2 ^ 1) != 3
            {"rank<2", 0},
            {"rank<=2", 1},
            {"rank>=3", 0},
            {"rank>1", 1},
            {"i*j", 63},
            {"--3", 3},
            {"-(2+1)", -3},
            {"((((((((((1))))))))))", 1},
        };
        for (const auto& [text, value] : values)
        {
            NS_TEST_EXPECT_MSG_EQ(ValueOf(text), value, text);
        }
        NS_TEST_EXPECT_MSG_EQ(ValueOf("2*64kB+1KiB", Unit::BYTES), 129024, "2 x 64000 + 1024");
        NS_TEST_EXPECT_MSG_EQ(ValueOf("1.5us*rank", Unit::TIME), 3000000, "ps");
        NS_TEST_EXPECT_MSG_EQ(ValueOf("0", Unit::TIME), 0, "zero needs no unit");
        NS_TEST_EXPECT_MSG_EQ(RankExpression("3*4", Unit::COUNT, {}, "").IsConstant(),
                              true,
                              "computed once");
        const std::vector<std::pair<std::string, std::string>> refusals = {
            {"", "expected a number, a name or '('"},
            {"rank+", "at the end"},
            {"(rank", "expected ')'"},
            {"rank)", "expected an operator or the end"},
            {"rank=2", "expected an operator or the end"},
            {"2rank", "here"},
            {"size", "unknown name"},
            {"k", "known here: rank, ranks, i, j"},
            {"1/0", "division by zero"},
            {"9223372036854775807+1", "does not fit in 64 bits"},
            {"9223372036854775808", "here"},
            {"(0-9223372036854775807-1)/-1", "does not fit in 64 bits"},
            {std::string(40, '(') + "1" + std::string(40, ')'), "too deeply nested"},
            {std::string(40, '-') + "1", "too deeply nested"},
        };
        for (const auto& [text, part] : refusals)
        {
            DCFABRIC_EXPECT_REFUSAL(ValueOf(text), part);
        }
        DCFABRIC_EXPECT_REFUSAL(ValueOf("1kB"), "here");
        DCFABRIC_EXPECT_REFUSAL(ValueOf("10", Unit::TIME), "a time needs a unit, such as 10us");
        DCFABRIC_EXPECT_REFUSAL(ValueOf("1/(rank-2)"), "division by zero"); // when it is evaluated
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Ranks, hosts and groups of a job.
 */
class JobTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        RankJob job(12, 4);
        const std::vector<uint32_t> written = {0, 5, 6, 7, 2, 4};
        NS_TEST_EXPECT_MSG_EQ((job.ReadRanks("0,5-7,2-5:2", "") == written),
                              true,
                              "in the order written");
        NS_TEST_EXPECT_MSG_EQ(job.ReadRanks("all", "").size(), 12, "all");
        job.AddGroups("row", RankExpression("rank/4", Unit::COUNT, {}, ""));
        job.AddGroups("column", RankExpression("rank%4", Unit::COUNT, {}, ""));
        const RankGroup& column = job.GetGroups()[job.FindGroup("column")];
        NS_TEST_EXPECT_MSG_EQ(column.GetPart(6), column.GetPart(10), "2, 6 and 10");
        NS_TEST_EXPECT_MSG_EQ(column.GetSize(column.GetPart(6)), 3, "2, 6 and 10");
        NS_TEST_EXPECT_MSG_EQ(column.GetIndex(6), 1, "2, 6 and 10");
        NS_TEST_EXPECT_MSG_EQ(column.GetMember(column.GetPart(6), 2), 10, "2, 6 and 10");

        FabricGraph graph;
        for (int i = 0; i < 3; ++i)
        {
            graph.AddHost();
        }
        job.Place(11, 0);
        const auto hosts = job.GetHosts(graph);
        NS_TEST_EXPECT_MSG_EQ(hosts[3], 0, "four on a host");
        NS_TEST_EXPECT_MSG_EQ(hosts[4], 1, "four on a host");
        NS_TEST_EXPECT_MSG_EQ(hosts[11], 0, "placed");
        job.Place(11, 3);
        DCFABRIC_EXPECT_REFUSAL(job.GetHosts(graph), "choose a larger topology");
        DCFABRIC_EXPECT_REFUSAL(job.AddGroup("row", {1}), "is there already");
        DCFABRIC_EXPECT_REFUSAL(RankJob(0), "1 to 10000000 ranks");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Malformed files: each refusal names the line and what is right.
 */
class ProgramFileTestCase : public FileTestCase
{
    using FileTestCase::FileTestCase;

    void DoRun() override
    {
        const std::string head = "ranks 4\n";
        const std::string all = head + "program all {\n";
        const auto read = [](const std::string& path) { ReadProgramFile(path); };
        ExpectRefusals(
            read,
            {{"", "1: no ranks: a file begins with 'ranks COUNT"},
             {head, "1: no rank has a program"},
             {"ranks 0\n", "1: ranks"},
             {"ranks 4 per-rank 2\n", "1: expected 'ranks COUNT [per-host COUNT]'"},
             {head + head, "2: ranks are given twice"},
             {"program all {\n}\n", "1: a file begins with 'ranks COUNT"},
             {head + "programs all {\n", "2: unknown word outside of programs 'programs'"},
             {"num_ranks 2\n", "1: this is a GOAL file; 'dcfabric traces goal"},

             {head + "program all\n", "2: expected 'program RANKS {'"},
             {head + "program all }\n", "2: expected 'program RANKS {'"},
             {head + "program 0-4 {\n}\n", "2: rank"},
             {head + "program 0,0 {\n}\n", "2: rank 0 occurs twice"},
             {head + "program 0-1 {\n}\nprogram 1 {\n}\n", "5: rank 1 has a program already"},
             {all, "2: the program that begins here has no '}'"},
             {all + "repeat 3 {\n}\n", "2: the program that begins here has no '}'"},
             {all + "repeat 3\n}\n", "3: expected 'repeat COUNT [NAME] {'"},
             {all + "repeat 3 rank {\n}\n}\n", "3: loop 'rank'"},
             {all + "mark a b\n}\n", "3: expected 'mark NAME [{]'"},
             {all + "mark 7\n}\n", "3: mark '7': a name begins with a letter"},
             {all + "snd 1 2\n}\n", "3: unknown operation 'snd'; known: send, isend, recv"},

             {all + "send 1\n}\n", "3: expected 'send RANK SIZE [tag=T] [channels=C]'"},
             {all + "send 1 1kB 7\n}\n", "3: expected 'send RANK SIZE [tag=T] [channels=C]'"},
             {all + "send 1 1kB as=x\n}\n", "3: send has no as="},
             {all + "isend 1 1kB tag=1 tag=2\n}\n", "3: tag= is given twice"},
             {all + "isend 1 1kB tag=\n}\n", "3: tag= is given twice or has no value"},
             {all + "send 1 1xB\n}\n", "3"},
             {all + "send i 1\n}\n", "3: 'i': unknown name"},
             {all + "compute 10\n}\n", "3: '10': a time needs a unit"},
             {all + "wait x\n}\n", "3: wait for 'x': no operation before has that name"},
             {all + "barrier x\n}\n", "3: barrier: there is no group 'x'"},
             {head + "group g 0-1\nprogram all {\nbarrier g\n}\n",
              "4: barrier: rank 2 is not in group 'g'"},
             {head + "group g 0-9\n", "2: rank"},
             {head + "group all 0\n", "2: group 'all' is there already; it has all ranks"},
             {head + "groups g of rank\n", "2: expected 'groups NAME by EXPRESSION'"},
             {head + "groups g by rank/(rank-1)\n", "2: division by zero"},
             {head + "place 4 0\n", "2: rank"},
             {head + "place 0\n", "2: expected 'place RANK HOST'"}});

        const std::string path = CreateTempDirFilename("good.txt");
        WriteText(path,
                  "# all there is\r\nranks 4 per-host 2\r\n place 3 0\ngroup g 0,2\n"
                  "groups h by rank%2 # halves\nprogram 0,2 {\nrepeat 2 i {\nmark m {\n"
                  "if i==1 {\nisend rank^2 1kB tag=i as=s\nirecv any tag=i\nwait s\nwait\n}\n}\n"
                  "barrier g\n}\nput 1 0\niget 3 1MB\ncompute 1us\nmark done\n}\n"
                  "program 1,3 {\nbarrier h\n}\n");
        const RankJob job = ReadProgramFile(path);
        NS_TEST_EXPECT_MSG_EQ(job.GetNRanks(), 4, "ranks");
        NS_TEST_EXPECT_MSG_EQ(job.GetPrograms().size(), 2, "programs");
        NS_TEST_EXPECT_MSG_EQ(job.GetProgramOf(2), 0, "of the first");
        // repeat, mark, if, isend, irecv, wait, wait, end of mark, barrier, next, put, iget,
        // compute, mark, end
        NS_TEST_EXPECT_MSG_EQ(job.GetPrograms()[0].GetOperations().size(), 15, "operations");
    }
};

/// Adds the cases to their suite.
const SuiteCases g_cases("dcfabric-workload", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new ExpressionTestCase("expressions in programs of ranks"));
    suite.AddTestCase(new JobTestCase("ranks, hosts and groups"));
    suite.AddTestCase(new ProgramFileTestCase("files with programs of ranks"));
});

} // namespace ns3::tests::rank_program_test
