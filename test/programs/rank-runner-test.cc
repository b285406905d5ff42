// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-duration.h"
#include "../fabric-test-engine.h"
#include "../fabric-test-memory.h"
#include "../fabric-test-schedule.h"
#include "../fabric-test-wings.h"
#include "fabric-test-ranks.h"

#include "ns3/fabric-time.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief What programs of ranks do, to the tick.
 *
 * On MakeStar() a packet of p bytes has p + 62 + 20 bytes on the wire and takes two links of 80 ps
 * a byte and 1 us: 2173.12 ns with 1000 bytes, 2015.68 ns with the 16 of a request, 2013.28 ns with
 * the one of a barrier. An ACK has 118 bytes: 9.44 ns a link, 2018.88 ns in all.
 */

namespace ns3::tests::rank_runner_test
{

constexpr int64_t ARRIVES = 2173120; //!< ps that a lone packet of 1000 bytes takes
constexpr int64_t ACKED = 4192000;   //!< and its ACK

/**
 * @param ps the time
 * @return a time as ranks see it: the next tick of the simulator
 */
int64_t
Tick(int64_t ps)
{
    return FabricTime::ToPs(FabricTime::FromPs(ps));
}

/**
 * @ingroup dcfabric-tests
 * @brief When each operation is complete.
 */
class OperationTimesTestCase : public RankTestCase
{
    using RankTestCase::RankTestCase;

    void DoRun() override
    {
        const FabricGraph star = MakeStar(3);
        RankRun run = RunText(star,
                              "ranks 3\nprogram 0 {\nsend 1 1000\nmark sent\ncompute 5us\n"
                              "mark done\n}\nprogram 1 {\nrecv 0\nmark received\n}\n");
        NS_TEST_EXPECT_MSG_EQ(run.complete, true, run.stuck);
        NS_TEST_EXPECT_MSG_EQ(run.End("received", 1), Tick(ARRIVES), "the last byte");
        NS_TEST_EXPECT_MSG_EQ(run.End("sent", 0), Tick(ACKED), "the last ACK");
        NS_TEST_EXPECT_MSG_EQ(run.End("done", 0), Tick(ACKED) + 5000000, "5 us later");
        NS_TEST_EXPECT_MSG_EQ(run.flows.size(), 1, "one message");

        // an early receive, and one so late that the message is there
        run = RunText(star,
                      "ranks 3\nprogram 0 {\nisend 1 1000\nisend 2 1000\nmark started\nwait\n"
                      "mark sent\n}\nprogram 1 {\nirecv 0 as=x\nwait x\nmark received\n}\n"
                      "program 2 {\ncompute 30us\nrecv 0\nmark received\n}\n");
        NS_TEST_EXPECT_MSG_EQ(run.End("started", 0), 0, "takes no time");
        NS_TEST_EXPECT_MSG_EQ(run.End("received", 1), Tick(ARRIVES), "behind nothing");
        NS_TEST_EXPECT_MSG_EQ(run.End("received", 2), 30000000, "at once");
        // the second packet leaves 86.56 ns after the first
        NS_TEST_EXPECT_MSG_EQ(run.End("sent", 0), Tick(86560 + ACKED), "both");

        // A put is complete with its ACK; of a get, the reply follows the ACK of the request at
        // the port: 2015.68 + 9.44 + 2173.12 ns.
        run = RunText(star,
                      "ranks 3\nprogram 0 {\nput 1 1000\nmark put\n}\n"
                      "program 2 {\nget 1 1000\nmark got\n}\n");
        NS_TEST_EXPECT_MSG_EQ(run.complete, true, run.stuck);
        NS_TEST_EXPECT_MSG_EQ(run.End("put", 0), Tick(ACKED), "put");
        NS_TEST_EXPECT_MSG_EQ(run.End("got", 2), Tick(4198240), "get");
        NS_TEST_EXPECT_MSG_EQ(run.flows.size(), 3, "put, request and reply");
        NS_TEST_EXPECT_MSG_EQ(run.flows[2].src, 1, "the reply");
        NS_TEST_EXPECT_MSG_EQ(run.flows[2].sizeBytes, 1000, "the reply");

        // A barrier of two: one byte each way. Of three: two steps; the message of the second
        // follows the ACK of the first to the same host over both links, 9.44 ns each, and is there
        // 6.64 ns and 2 us after the ACK has left the switch: 2013.28 + 2 x 9.44 + 6.64 + 2000 ns.
        run = RunText(star, "ranks 2\nprogram all {\nbarrier\nmark out\n}\n");
        NS_TEST_EXPECT_MSG_EQ(run.End("out", 0), Tick(2013280), "two ranks");
        NS_TEST_EXPECT_MSG_EQ(run.flows.size(), 2, "n log2 n messages");
        run = RunText(star, "ranks 3\nprogram all {\nbarrier\nmark out\n}\n");
        NS_TEST_EXPECT_MSG_EQ(run.End("out", 2), Tick(4038800), "three ranks");
        NS_TEST_EXPECT_MSG_EQ(run.flows.size(), 6, "n ceil(log2 n) messages");
        run = RunText(star, "ranks 1\nprogram all {\nbarrier\nmark out\n}\n");
        NS_TEST_EXPECT_MSG_EQ(run.End("out", 0), 0, "alone");

        // buffered: complete for the rank as soon as it begins, but the run lasts to the ACK
        run = RunText(
            star,
            "ranks 2\nprogram 0 {\nsend 1 1000\nmark a\nsend 1 1001\nmark b\n}\n"
            "program 1 {\nrecv 0\nrecv 0\n}\n",
            "",
            [](RankRunner& runner) { runner.SetAttribute("EagerBytes", UintegerValue(1000)); });
        NS_TEST_EXPECT_MSG_EQ(run.complete, true, run.stuck);
        NS_TEST_EXPECT_MSG_EQ(run.End("a", 0), 0, "buffered");
        NS_TEST_EXPECT_MSG_GT(run.End("b", 0), ACKED, "too long for that");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Loops, conditions, marks and errors of a run.
 */
class ControlTestCase : public RankTestCase
{
    using RankTestCase::RankTestCase;

    void DoRun() override
    {
        const FabricGraph star = MakeStar(3);
        // rounds of 1, 2 and 3 us, each of two halves, and none at rank 0
        RankRun run = RunText(star,
                              "ranks 2\nprogram all {\nrepeat 3*rank i {\nmark round {\n"
                              "repeat 2 {\ncompute 500ns*(i+1)\n}\n}\nif i==1 {\nmark second\n}\n"
                              "}\nmark end\n}\n");
        NS_TEST_EXPECT_MSG_EQ(run.complete, true, run.stuck);
        NS_TEST_EXPECT_MSG_EQ(run.End("end", 0), 0, "no rounds");
        const std::vector<std::pair<int64_t, int64_t>> rounds = {{0, 1000000},
                                                                 {1000000, 3000000},
                                                                 {3000000, 6000000}};
        NS_TEST_EXPECT_MSG_EQ((run.marks[{"round", 1}] == rounds), true, "1, 2 and 3 us");
        NS_TEST_EXPECT_MSG_EQ(run.marks[std::make_pair("second", 1U)].size(), 1, "one of them");
        NS_TEST_EXPECT_MSG_EQ(run.End("second", 1), 3000000, "after the second");
        NS_TEST_EXPECT_MSG_EQ(run.endPs, 6000000, "nothing follows");

        // The message is there at 5.173 us: at 5 us there is a round more, at 6 us none. What is
        // complete before allows no round; a rank that only tests goes on to wait.
        run = RunText(star,
                      "ranks 3\nprogram 0 {\ncompute 3us\nisend 1 1000\nisend 2 1000\n}\n"
                      "program 1-2 {\nirecv 0 as=stop\nif rank==2 {\ncompute 20us\n}\n"
                      "until stop {\nmark round {\ncompute 1us\n}\n}\nmark end\nuntil stop {\n"
                      "mark round\n}\n}\n");
        NS_TEST_EXPECT_MSG_EQ(run.complete, true, run.stuck);
        NS_TEST_EXPECT_MSG_EQ(run.marks[std::make_pair("round", 1U)].size(), 6, "0 to 6 us");
        NS_TEST_EXPECT_MSG_EQ(run.End("end", 1), 6000000, "at the end of a round");
        NS_TEST_EXPECT_MSG_EQ(run.marks[std::make_pair("round", 2U)].size(), 0, "complete before");
        NS_TEST_EXPECT_MSG_EQ(run.End("end", 2), 20000000, "at once");

        const EngineChoice engine(GetThrowingEngine());
        const auto refuse = [&](const std::string& lines, const std::string& part) {
            DCFABRIC_EXPECT_REFUSAL(RunText(star, "ranks 2\nprogram all {\n" + lines + "\n}\n"),
                                    part);
            Simulator::Destroy();
        };
        refuse("send rank+1 1kB",
               "job.txt:3: send of rank 1: the other rank is 2; it must be 0 "
               "to 1");
        refuse("send 0 0-rank", "send of rank 1: size is -1");
        refuse("recv 0 tag=2147483648", "tag is 2147483648");
        refuse("compute 1us*(0-rank)", "compute of rank 1: time is -1000000");
        refuse("repeat 0-1 {\n}", "number of rounds is -1");
        refuse("compute 1us/rank", "compute of rank 0: division by zero");
        refuse("until stop {\n}", "until 'stop': no operation before has that name");
        refuse("until {\n}", "expected 'until NAME {'");
        refuse("irecv 0 as=stop\nuntil stop {\n}", "has done 10000000 operations at 0s");
        refuse("repeat 1000000000 {\n}", "has done 10000000 operations at 0s without waiting");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Which message a receive takes.
 */
class MatchingTestCase : public RankTestCase
{
    using RankTestCase::RankTestCase;

    void DoRun() override
    {
        const FabricGraph star = MakeStar(4);
        // messages of a pair overtake one another only if each has a queue pair of its own
        const auto apart = [](RankRunner& runner) {
            runner.SetAttribute("QueuePairs", UintegerValue(0));
        };
        const auto runApart = [&](const std::string& text) {
            return RunText(star, text, "", apart);
        };
        const std::string small = "isend 3 1000 tag=2\n";
        const std::string large = "isend 3 100kB tag=2\n";
        const std::string twice = "}\nprogram 3 {\nrecv 0 tag=2\nmark first\nrecv 0 tag=2\n"
                                  "mark second\n}\n";
        // The small message arrives first either way, for both share the port fairly; but the
        // first receive takes what was sent first.
        RankRun run = runApart("ranks 4\nprogram 0 {\n" + small + large + twice);
        NS_TEST_EXPECT_MSG_LT(run.End("first", 3), run.End("second", 3), "small, then large");
        const int64_t largePs = run.End("second", 3);
        NS_TEST_EXPECT_MSG_GT(largePs, 10000000, "100 packets");
        run = runApart("ranks 4\nprogram 0 {\n" + large + small + twice);
        NS_TEST_EXPECT_MSG_EQ(run.End("first", 3), run.End("second", 3), "large, then small");
        NS_TEST_EXPECT_MSG_EQ(run.End("first", 3), largePs, "when the large one has arrived");

        // another tag goes its own way
        run = runApart("ranks 4\nprogram 0 {\n" + large +
                       "isend 3 1000 tag=1\n}\nprogram 3 {\n"
                       "recv 0 tag=1\nmark small\nrecv 0 tag=2\nmark large\n}\n");
        NS_TEST_EXPECT_MSG_LT(run.End("small", 3), 3000000, "not held up");
        NS_TEST_EXPECT_MSG_EQ(run.complete, true, run.stuck);

        // A receive from any rank takes what arrives first, from rank 2: the others remain.
        const std::string others = "program 0-1 {\ncompute 50us\nsend 3 1000\n}\n"
                                   "program 2 {\nsend 3 1000\n}\nprogram 3 {\n";
        for (const char* early : {"", "compute 20us\n", "compute 90us\n"})
        {
            run = RunText(star,
                          "ranks 4\n" + others + early + "recv any\nrecv 1\nrecv 0\nmark end\n}\n");
            NS_TEST_EXPECT_MSG_EQ(run.complete, true, run.stuck);
        }
        // also if both have arrived, and in the order of sending from each rank
        run = runApart("ranks 4\nprogram 0 {\n" + large + small +
                       "}\nprogram 3 {\nrecv any tag=2\nmark first\nrecv any tag=2\n}\n");
        NS_TEST_EXPECT_MSG_EQ(run.End("first", 3), largePs, "the large one was sent first");
        // and it was posted first
        run = RunText(star,
                      "ranks 4\nprogram 2 {\nsend 3 1000\n}\nprogram 3 {\nirecv any\n"
                      "irecv 2\nwait\n}\n");
        NS_TEST_EXPECT_MSG_EQ(run.complete, false, "one message, two receives");
        NS_TEST_EXPECT_MSG_EQ(Contains(run.stuck, "nothing from rank 2, tag 0"), true, run.stuck);
        NS_TEST_EXPECT_MSG_EQ(Contains(run.stuck, "any rank"), false, run.stuck);

        run = RunText(star,
                      "ranks 4\nprogram 0 {\nsend 1 10\nsend 2 10 tag=3\n}\n"
                      "program 2 {\nrecv 0 tag=3\n}\n");
        NS_TEST_EXPECT_MSG_EQ(run.complete, true, "nobody waits");
        NS_TEST_EXPECT_MSG_EQ(run.unreceived, 1, "nobody received");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Ranks of one host.
 */
class LocalTestCase : public RankTestCase
{
    using RankTestCase::RankTestCase;

    void DoRun() override
    {
        // 0 and 1 on a host, 2 and 3 on another
        const std::string text = "ranks 4 per-host 2\nprogram 0 {\nsend 1 1MB\nmark sent\n"
                                 "send 0 0\nrecv 0\nput 1 5\nget 1 5\nmark end\nsend 2 1000\n}\n"
                                 "program 1 {\nrecv 0\nmark received\n}\nprogram 2 {\nrecv 0\n"
                                 "send 3 7\n}\nprogram 3 {\nrecv 2\nmark received\n}\n";
        RankRun run = RunText(MakeStar(2), text);
        NS_TEST_EXPECT_MSG_EQ(run.complete, true, "the host keeps what a rank sends itself");
        NS_TEST_EXPECT_MSG_EQ(run.End("received", 1), 0, "no time");
        run = RunText(MakeStar(2), text, "", [](RankRunner& runner) {
            runner.SetAttribute("LocalDelay", TimeValue(MicroSeconds(1)));
        });
        NS_TEST_EXPECT_MSG_EQ(run.complete, true, run.stuck);
        NS_TEST_EXPECT_MSG_EQ(run.End("sent", 0), 1000000, "1 us");
        NS_TEST_EXPECT_MSG_EQ(run.End("received", 1), 1000000, "1 us");
        // to itself 1 us, put 1 us, get 1 us there and 1 us back
        NS_TEST_EXPECT_MSG_EQ(run.End("end", 0), 5000000, "four more");
        NS_TEST_EXPECT_MSG_EQ(run.End("received", 3), Tick(5000000 + ARRIVES) + 1000000, "chain");
        NS_TEST_EXPECT_MSG_EQ(run.flows.size(), 1, "one message leaves its host");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Programs that wait for ever are reported.
 */
class StuckTestCase : public RankTestCase
{
    using RankTestCase::RankTestCase;

    void DoRun() override
    {
        const RankRun run = RunText(MakeStar(3),
                                    "ranks 3\nprogram 0 {\ncompute 3us\nrecv 1 tag=7\n}\n"
                                    "program 1 {\nbarrier\n}\nprogram 2 {\nirecv any as=x\n"
                                    "irecv 0 as=y\nwait y\n}\n");
        NS_TEST_EXPECT_MSG_EQ(run.complete, false, "all wait");
        for (const char* part : {"ranks that wait (3):",
                                 "rank 0 on host 0 since 3us, ",
                                 "job.txt:4: recv: nothing from rank 1, tag 7\n",
                                 "rank 1 on host 1 since 0s, ",
                                 "job.txt:7: barrier: nothing from rank 0\n",
                                 "job.txt:12: wait: nothing from rank 0, tag 0\n"})
        {
            NS_TEST_EXPECT_MSG_EQ(Contains(run.stuck, part), true, part << " in\n" << run.stuck);
        }
        // nothing but computations: the last one ends after 3 us
        int64_t lastPs = -1;
        const auto look = [&lastPs](const RankRunner& runner) { lastPs = runner.GetLastPs(); };
        RunText(MakeStar(2),
                "ranks 2\nprogram 0 {\ncompute 3us\nrecv 1\n}\nprogram 1 {\ncompute 1us\n}\n",
                "",
                nullptr,
                look);
        NS_TEST_EXPECT_MSG_EQ(lastPs, 3000000, "when something happened last");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Receives posted at the NICs.
 */
class PostedTestCase : public RankTestCase
{
    using RankTestCase::RankTestCase;

    void DoRun() override
    {
        if (!HasClass("ns3::RequestToWait"))
        {
            return;
        }
        const FabricGraph star = MakeStar(3);
        // A matched packet of 1000 bytes takes 2176.96 ns; it is refused, and comes again when the
        // RTS has gone from the receive to the sender: 20 us + 2015.68 + 2176.96 ns.
        RankRun run = RunText(star,
                              "ranks 2\nprogram 0 {\nsend 1 1000\n}\n"
                              "program 1 {\ncompute 20us\nrecv 0\nmark received\n}\n",
                              "ns3::RequestToWait");
        NS_TEST_EXPECT_MSG_EQ(run.complete, true, run.stuck);
        NS_TEST_EXPECT_MSG_EQ(run.End("received", 1), Tick(24192640), "after an RTS");

        // Receives are posted in another order than messages were sent, before them and after.
        for (const char* protocol :
             {"ns3::RequestToWait", "ns3::ReceiverNotReady", "ns3::Rendezvous"})
        {
            for (const char* late : {"", "compute 40us\n"})
            {
                run = RunText(star,
                              "ranks 4 per-host 2\nprogram 0 {\nisend 3 20kB tag=1\n"
                              "isend 2 1000 tag=1\nisend 3 300kB tag=2\nput 3 20kB\nget 2 20kB\n"
                              "wait\nbarrier\n}\nprogram 1 {\nsend 3 5000 tag=1\nbarrier\n}\n"
                              "program 2 {\ncompute 3us\nrecv 0 tag=1\nmark a\nbarrier\n}\n"
                              "program 3 {\n" +
                                  std::string(late) +
                                  "recv 0 tag=2\nmark b\ncompute 99us\nrecv 1 tag=1\nmark c\n"
                                  "recv 0 tag=1\nmark d\nbarrier\n}\n",
                              protocol);
                NS_TEST_EXPECT_MSG_EQ(run.complete, true, run.stuck);
                NS_TEST_EXPECT_MSG_LT(run.End("a", 2), 60000000, protocol << " " << late);
                NS_TEST_EXPECT_MSG_GT(run.End("b", 3), 24000000, protocol << " 300 packets");
                NS_TEST_EXPECT_MSG_LT(run.End("b", 3), 150000000, protocol << " " << late);
                NS_TEST_EXPECT_MSG_GT(run.End("d", 3), run.End("b", 3) + 99000000, protocol);
            }
        }

        // two ranks that both send first: buffered where receives count as posted, else for ever
        const std::string exchange = "ranks 2\nprogram all {\nsend 1-rank 1000\nrecv 1-rank\n}\n";
        NS_TEST_EXPECT_MSG_EQ(RunText(star, exchange).complete, true, "buffered");
        run = RunText(star, exchange, "ns3::RequestToWait");
        NS_TEST_EXPECT_MSG_EQ(run.complete, false, "both wait");
        NS_TEST_EXPECT_MSG_EQ(Contains(run.stuck, "not acknowledged by rank 1, tag 0"),
                              true,
                              run.stuck);
        DCFABRIC_EXPECT_REFUSAL(
            RunText(star, "ranks 2\nprogram all {\nrecv any\n}\n", "ns3::RequestToWait"),
            "the match table of a NIC has one source for each receive");
        Simulator::Destroy();
        DCFABRIC_EXPECT_REFUSAL(
            RunText(star, "ranks 2\nprogram 0 {\nrecv 1 tag=any\n}\n", "ns3::RequestToWait"),
            "the match table of a NIC has one tag for each receive");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Programs from C++, and very many ranks.
 */
class ManyRanksTestCase : public RankTestCase
{
    using RankTestCase::RankTestCase;

    void DoRun() override
    {
        constexpr uint32_t RANKS = 100000;
        constexpr std::size_t MOST_BYTES = 500; // of an idle rank
        std::size_t before = AllocatedBytes();
        RankJob job(RANKS, RANKS / 4);
        RankProgram program;
        program.Compute("1us*(rank%7)")
            .ISend("(rank+1)%ranks", 1000)
            .IRecv("(rank-1)%ranks")
            .Wait()
            .BeginMark("loop")
            .Repeat(3)
            .Barrier("few")
            .End()
            .End();
        std::vector<uint32_t> few;
        for (uint32_t rank = 0; rank < RANKS; rank += 1000)
        {
            few.push_back(rank);
        }
        job.AddGroup("few", few);
        RankProgram rest;
        rest.Compute("1us*(rank%7)").ISend("(rank+1)%ranks", 1000).Recv("(rank-1)%ranks");
        job.Assign(few, std::move(program));
        std::vector<uint32_t> others;
        for (uint32_t rank = 0; rank < RANKS; ++rank)
        {
            if (rank % 1000 != 0)
            {
                others.push_back(rank);
            }
        }
        job.Assign(others, std::move(rest));
        std::size_t perRank = 0;
        const RankRun run = RunJob(MakeStar(4), std::move(job), "", [&](RankRunner&) {
            // all sit in their first operation, and the vectors of this test are gone
            others = {};
            CallIn(NanoSeconds(1), [&]() { perRank = (AllocatedBytes() - before) / RANKS; });
        });
        NS_TEST_EXPECT_MSG_EQ(run.complete, true, run.stuck);
        NS_TEST_EXPECT_MSG_LT(perRank, MOST_BYTES, "bytes of an idle rank, network included");
        NS_TEST_EXPECT_MSG_EQ(run.marks.size(), 100, "those of the group");
        // 4 of the ring. In a barrier of 100 ranks, 25 on a host, d on each host have their peer at
        // distance d elsewhere, all if d is above 25: 4 x (1 + 2 + 4 + 8 + 16) + 100 + 100, thrice.
        NS_TEST_EXPECT_MSG_EQ(run.flows.size(), 4 + 3 * 324, "some leave their hosts");
    }
};

/// Adds the cases to their suite.
const SuiteCases g_cases("dcfabric-workload", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new OperationTimesTestCase("operations of ranks take the time they need"));
    suite.AddTestCase(new ControlTestCase("loops, conditions and marks of ranks"));
    suite.AddTestCase(new MatchingTestCase("receives of ranks match as in MPI"));
    suite.AddTestCase(new LocalTestCase("ranks of one host"));
    suite.AddTestCase(new StuckTestCase("ranks that wait for ever are reported"));
    suite.AddTestCase(new PostedTestCase("receives of ranks posted at NICs"));
    suite.AddTestCase(new ManyRanksTestCase("100,000 ranks"));
});

} // namespace ns3::tests::rank_runner_test
