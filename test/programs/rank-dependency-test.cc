// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-engine.h"
#include "fabric-test-ranks.h"

#include "ns3/fabric-time.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <sstream>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Operations of ranks that wait for others, to the tick.
 *
 * On MakeStar() a packet of 1000 bytes takes 2173.12 ns, its ACK 2018.88 ns, of which 9.44 ns on
 * each of two links: see rank-runner-test.cc.
 */

namespace ns3::tests::rank_dependency_test
{

constexpr int64_t US = 1000000;      //!< ps
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
 * @param programs `program 0 {` ...
 * @return a job of three ranks, of which some have a program
 */
std::string
Job(const std::string& programs)
{
    return "ranks 3\n" + programs;
}

/**
 * @param names they
 * @return operations that wait for names one after the other and mark the time
 */
std::string
WaitAndMark(const std::vector<std::string>& names)
{
    std::string text;
    for (const std::string& name : names)
    {
        text += "wait " + name + "\nmark " + name + "\n";
    }
    return text;
}

/**
 * @ingroup dcfabric-tests
 * @brief Diamonds, chains and names that several operations have.
 */
class GraphTestCase : public RankTestCase
{
    using RankTestCase::RankTestCase;

    void DoRun() override
    {
        const FabricGraph star = MakeStar(3);
        // a: 0 to 1 us; b: 1 to 3; c: 1 to 4; d when both are complete, 4 to 5
        RankRun run = RunText(star,
                              Job("program 0 {\nicompute 1us as=a\nicompute 2us as=b after=a\n"
                                  "icompute 3us as=c after=a\nicompute 1us as=d after=b,c\n"
                                  "mark started\n" +
                                  WaitAndMark({"a", "b", "c", "d"}) + "}\n"));
        NS_TEST_EXPECT_MSG_EQ(run.complete, true, run.stuck);
        NS_TEST_EXPECT_MSG_EQ(run.End("started", 0), 0, "the rank goes on");
        NS_TEST_EXPECT_MSG_EQ(run.End("a", 0), 1 * US, "a");
        NS_TEST_EXPECT_MSG_EQ(run.End("b", 0), 3 * US, "b");
        NS_TEST_EXPECT_MSG_EQ(run.End("c", 0), 4 * US, "c");
        NS_TEST_EXPECT_MSG_EQ(run.End("d", 0), 5 * US, "d");
        NS_TEST_EXPECT_MSG_EQ(run.endPs, 5 * US, "nothing follows");

        // A chain in a loop: each x waits for the x before it, 1 + 3 x 1 us. What waits for x and
        // comes before another one does not wait for that.
        run = RunText(star,
                      Job("program 0 {\nicompute 1us as=x\nrepeat 3 {\nicompute 1us as=x after=x\n"
                          "}\nicompute 1us as=y after=x\nicompute 50us as=x\n" +
                          WaitAndMark({"y", "x"}) + "}\n"));
        NS_TEST_EXPECT_MSG_EQ(run.End("y", 0), 5 * US, "4 us and one more");
        NS_TEST_EXPECT_MSG_EQ(run.End("x", 0), 50 * US, "all of them");

        // Two have the name, and one of them is complete when y comes; z comes when both are. The
        // end waits for all, also for what has no name.
        run = RunText(star,
                      Job("program 0 {\nicompute 1us as=x\nicompute 5us as=x\ncompute 2us\n"
                          "icompute 1us as=y after=x\nwait x\nmark x\n"
                          "icompute 1us as=z after=x,x\nicompute 9us after=z\n" +
                          WaitAndMark({"y", "z"}) + "}\n"));
        NS_TEST_EXPECT_MSG_EQ(run.End("x", 0), 5 * US, "the longer one");
        NS_TEST_EXPECT_MSG_EQ(run.End("y", 0), 6 * US, "after the longer one");
        NS_TEST_EXPECT_MSG_EQ(run.End("z", 0), 6 * US, "at once, at 5 us");
        NS_TEST_EXPECT_MSG_EQ(run.endPs, 15 * US, "6 and 9 us");

        // no time at all, through many links
        run = RunText(star,
                      Job("program 0 {\nicompute 0 as=x\nrepeat 1000 {\nicompute 0 as=x after=x\n}"
                          "\nwait x\nmark x\n}\n"));
        NS_TEST_EXPECT_MSG_EQ(run.End("x", 0), 0, "no time");

        // a long chain and a wide fan take the time of their lengths
        constexpr uint32_t MANY = 200000;
        RankJob job(1);
        RankProgram program;
        program.ICompute("1ns", {"c", {}}).ICompute("1us", {"w", {}});
        for (uint32_t i = 0; i < MANY; ++i)
        {
            program.ICompute("1ns", {"c", {"c"}}).ICompute("1ns", {"f", {"w"}});
        }
        program.Wait("f").Mark("fan").Wait().Mark("chain");
        job.Assign({0}, std::move(program));
        run = RunJob(MakeStar(2), std::move(job));
        NS_TEST_EXPECT_MSG_EQ(run.End("fan", 0), US + 1000, "all at once");
        NS_TEST_EXPECT_MSG_EQ(run.End("chain", 0), (MANY + 1) * 1000, "one after the other");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Streams, and what waits until something has begun.
 */
class StreamTestCase : public RankTestCase
{
    using RankTestCase::RankTestCase;

    void DoRun() override
    {
        const FabricGraph star = MakeStar(3);
        // cpu: p 0 to 2 us, q to 5; gpu and what is on none: at once
        RankRun run = RunText(star,
                              Job("program 0 {\nicompute 2us on=cpu as=p\nicompute 3us on=cpu as=q"
                                  "\nicompute 1us on=gpu as=r\nicompute 1us as=s\n" +
                                  WaitAndMark({"r", "s", "p", "q"}) + "}\n"));
        NS_TEST_EXPECT_MSG_EQ(run.complete, true, run.stuck);
        NS_TEST_EXPECT_MSG_EQ(run.End("r", 0), 1 * US, "another stream");
        NS_TEST_EXPECT_MSG_EQ(run.End("s", 0), 1 * US, "no stream");
        NS_TEST_EXPECT_MSG_EQ(run.End("p", 0), 2 * US, "first");
        NS_TEST_EXPECT_MSG_EQ(run.End("q", 0), 5 * US, "second");

        // What can begin first begins first: late could at 1 us, when early computes until 5. At
        // one time, 1 us, u comes before v in the program: 1 to 3, 3 to 6.
        run = RunText(star,
                      Job("program 0 {\nicompute 1us as=s\nicompute 1us on=a after=s as=late\n"
                          "icompute 5us on=a as=early\nicompute 2us on=b after=s as=u\n"
                          "icompute 3us on=b after=s as=v\n" +
                          WaitAndMark({"u", "early", "late", "v"}) + "}\n"));
        NS_TEST_EXPECT_MSG_EQ(run.End("early", 0), 5 * US, "could begin at 0");
        NS_TEST_EXPECT_MSG_EQ(run.End("late", 0), 6 * US, "could begin at 1 us");
        NS_TEST_EXPECT_MSG_EQ(run.End("u", 0), 3 * US, "first in the program");
        NS_TEST_EXPECT_MSG_EQ(run.End("v", 0), 6 * US, "second in the program");

        // A message on a stream holds it for no time, but queues: it is sent at 4 us. What waits
        // until it has begun computes from 4 to 5 us, long before its ACK.
        run = RunText(star,
                      Job("program 0 {\nicompute 4us on=cpu\nisend 1 1000 on=cpu as=m begun=g\n"
                          "icompute 1us after=g as=c\n" +
                          WaitAndMark({"g", "c", "m"}) +
                          "}\nprogram 1 {\nrecv 0\nmark received\n}\n"));
        NS_TEST_EXPECT_MSG_EQ(run.complete, true, run.stuck);
        NS_TEST_EXPECT_MSG_EQ(run.End("received", 1), Tick(4 * US + ARRIVES), "sent at 4 us");
        NS_TEST_EXPECT_MSG_EQ(run.End("g", 0), 4 * US, "begun");
        NS_TEST_EXPECT_MSG_EQ(run.End("c", 0), 5 * US, "after the beginning");
        NS_TEST_EXPECT_MSG_EQ(run.End("m", 0), Tick(4 * US + ACKED), "complete");

        // the same of a computation that has to queue: it begins at 3 us
        run = RunText(star,
                      Job("program 0 {\nicompute 3us on=cpu\nicompute 2us on=cpu begun=g\n"
                          "icompute 0 after=g as=z on=cpu\nisend 1 1000 after=g\n"
                          "wait z\nmark z\n}\nprogram 1 {\nrecv 0\nmark received\n}\n"));
        NS_TEST_EXPECT_MSG_EQ(run.End("received", 1), Tick(3 * US + ARRIVES), "sent at 3 us");
        NS_TEST_EXPECT_MSG_EQ(run.End("z", 0), 5 * US, "no time, but behind it");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The trace source of computations.
 */
class ComputeTestCase : public RankTestCase
{
    using RankTestCase::RankTestCase;

    /// Sink of Compute.
    void OnCompute(const RankComputation& computation)
    {
        std::ostringstream text;
        text << FabricTime::ToPs(Simulator::Now()) << ' ' << computation.rank << " '"
             << computation.stream << "' " << computation.ps << " line " << computation.line;
        m_seen.push_back(text.str());
    }

    void DoRun() override
    {
        // On a stream when it is free, without one at once, the rank itself behind the wait; what
        // takes no time is none.
        const RankRun run = RunText(
            MakeStar(3),
            "ranks 2\nprogram 0 {\nicompute 2us on=cpu\nicompute 3us on=cpu\n"
            "icompute 1us\nicompute 0 on=cpu\nwait\ncompute 4us\ncompute 0\n}\n",
            "",
            [this](RankRunner& runner) {
                runner.TraceConnectWithoutContext("Compute",
                                                  MakeCallback(&ComputeTestCase::OnCompute, this));
            });
        NS_TEST_EXPECT_MSG_EQ(run.complete, true, run.stuck);
        const std::vector<std::string> expected{"0 0 'cpu' 2000000 line 3",
                                                "0 0 '' 1000000 line 5",
                                                "2000000 0 'cpu' 3000000 line 4",
                                                "5000000 0 '' 4000000 line 8"};
        NS_TEST_ASSERT_MSG_EQ(m_seen.size(), expected.size(), "computations");
        for (std::size_t i = 0; i < expected.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(m_seen[i], expected[i], "computation " << i);
        }
    }

    std::vector<std::string> m_seen; //!< computations that have begun
};

/**
 * @ingroup dcfabric-tests
 * @brief Messages and collectives that wait.
 */
class MessageTestCase : public RankTestCase
{
    using RankTestCase::RankTestCase;

    void DoRun() override
    {
        const FabricGraph star = MakeStar(3);
        // Rank 1 passes a message on while it computes. At its port the ACK goes first:
        // 2173.12 + 9.44 + 2173.12 ns.
        RankRun run = RunText(star,
                              Job("program 0 {\nsend 1 1000\n}\nprogram 1 {\nirecv 0 as=a\n"
                                  "isend 2 1000 after=a\ncompute 100us\nmark end\n}\n"
                                  "program 2 {\nrecv 1\nmark received\n}\n"));
        NS_TEST_EXPECT_MSG_EQ(run.complete, true, run.stuck);
        NS_TEST_EXPECT_MSG_EQ(run.End("received", 2), Tick(4355680), "passed on at once");
        NS_TEST_EXPECT_MSG_EQ(run.End("end", 1), 100 * US, "not held up");

        // A value is that of the moment when the program comes to it; receives that wait take
        // messages in the order in which they begin; puts and gets wait, too.
        run = RunText(star,
                      Job("program 0 {\nicompute 1us as=s\nrepeat 3 i {\n"
                          "isend 1 1000*(i+1) tag=i after=s\n}\niput 2 4000 after=s as=p\n"
                          "iget 2 5000 after=p\n}\nprogram 1 {\nirecv 0 tag=2\nirecv 0 as=r\n"
                          "irecv 0 tag=1 after=r as=q\nwait q\nmark q\n}\n"));
        NS_TEST_EXPECT_MSG_EQ(run.complete, true, run.stuck);
        NS_TEST_ASSERT_MSG_EQ(run.flows.size(), 6, "three messages, a put, a request, its reply");
        for (uint32_t i = 0; i < 4; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(run.flows[i].sizeBytes, 1000U * (i + 1), "in order");
        }
        NS_TEST_EXPECT_MSG_EQ(run.flows[5].sizeBytes, 5000, "the reply");

        // Of what can begin at one time, the first in the program begins first, although its timer
        // was set last.
        run = RunText(star,
                      Job("program 0 {\nicompute 1us as=s\nicompute 1us as=t\n"
                          "isend 2 1000 after=t\nisend 1 1000 after=s\n}\n"
                          "program 1-2 {\nrecv 0\n}\n"));
        NS_TEST_ASSERT_MSG_EQ(run.flows.size(), 2, "two messages");
        NS_TEST_EXPECT_MSG_EQ(run.flows[0].dst, 2, "first in the program");

        // buffered: complete when it begins
        run = RunText(
            star,
            Job("program 0 {\nicompute 1us as=s\nisend 1 1000 as=m after=s\nwait m\nmark m\n}\n"
                "program 1 {\nrecv 0\n}\n"),
            "",
            [](RankRunner& runner) { runner.SetAttribute("EagerBytes", UintegerValue(1000)); });
        NS_TEST_EXPECT_MSG_EQ(run.complete, true, run.stuck);
        NS_TEST_EXPECT_MSG_EQ(run.End("m", 0), 1 * US, "at 1 us");

        // Two collectives of one kind that the ranks begin in other orders do not mix: x is there
        // when rank 0 sends at 5 us, y when rank 1 does at 9 us. The other's message is there.
        const std::string reduce = "iallreduce 1000 pair algorithm=doubling as=";
        run = RunText(star,
                      Job("group pair 0-1\nprogram 0 {\nicompute 5us as=s\n" + reduce +
                          "x after=s\n" + reduce + "y\n" + WaitAndMark({"x", "y"}) +
                          "}\nprogram 1 {\nicompute 9us as=s\n" + reduce + "x\n" + reduce +
                          "y after=s\nibarrier pair as=z after=y\n" + WaitAndMark({"x", "y"}) +
                          "wait z\n}\nprogram 2 {\n}\n") +
                          "",
                      "");
        NS_TEST_EXPECT_MSG_EQ(run.complete, false, "rank 0 has no barrier");
        NS_TEST_EXPECT_MSG_EQ(run.End("x", 0), 5 * US, "its message was there");
        NS_TEST_EXPECT_MSG_EQ(run.End("x", 1), Tick(5 * US + ARRIVES), "when it arrives");
        NS_TEST_EXPECT_MSG_EQ(run.End("y", 0), Tick(9 * US + ARRIVES), "when it arrives");
        NS_TEST_EXPECT_MSG_EQ(run.End("y", 1), 9 * US, "its message was there");
        NS_TEST_EXPECT_MSG_EQ(Contains(run.stuck, "job.txt:21: wait: nothing from rank 0\n"),
                              true,
                              run.stuck);

        // every collective, started and not, moves the same data
        for (const std::string operation : {"barrier",
                                            "allreduce 9kB",
                                            "allreduce 9kB all algorithm=tree",
                                            "allgather 9kB",
                                            "reducescatter 9kB",
                                            "broadcast 9kB all root=1",
                                            "reduce 9kB all root=2",
                                            "alltoall 1kB*(rank+peer+i)"})
        {
            const std::string before = "program all {\nrepeat 2 i {\n";
            const RankRun waits = RunText(star, Job(before + operation + "\nmark m\n}\n}\n"));
            run = RunText(star, Job(before + "i" + operation + " as=c\nwait c\nmark m\n}\n}\n"));
            NS_TEST_EXPECT_MSG_EQ(run.complete, true, operation << run.stuck);
            NS_TEST_EXPECT_MSG_EQ((run.marks == waits.marks), true, operation);
            NS_TEST_EXPECT_MSG_EQ(run.flows.size(), waits.flows.size(), operation);
            NS_TEST_EXPECT_MSG_EQ(run.endPs, waits.endPs, operation);
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What is refused and what is reported.
 */
class ReportTestCase : public RankTestCase
{
    using RankTestCase::RankTestCase;

    void DoRun() override
    {
        const FabricGraph star = MakeStar(3);
        const RankRun run =
            RunText(star,
                    Job("program 0 {\nirecv 1 as=a tag=7\nirecv 2 as=other\n"
                        "isend 2 1kB after=a,other as=b\nicompute 1us after=b begun=c\nwait c\n}\n"
                        "program 1 {\nirecv 2 as=a\nisend 0 1000 as=b\n"
                        "isend 0 1000 after=a,b\n}\n"));
        NS_TEST_EXPECT_MSG_EQ(run.complete, false, "both wait");
        for (const char* part :
             {"job.txt:7: wait: nothing from rank 1, tag 7, nothing from rank 2, "
              "tag 0; ",
              "job.txt:6: icompute waits for b; ",
              "job.txt:5: isend waits for a, other\n",
              "job.txt:13: end: nothing from rank 2, tag 0; ",
              "job.txt:12: isend waits for a\n"})
        {
            NS_TEST_EXPECT_MSG_EQ(Contains(run.stuck, part), true, part << " in\n" << run.stuck);
        }

        const EngineChoice engine(GetThrowingEngine());
        const auto refuse = [&](const std::string& lines, const std::string& part) {
            DCFABRIC_EXPECT_REFUSAL(RunText(star, Job("program 0 {\n" + lines + "\n}\n")), part);
            Simulator::Destroy();
        };
        refuse("isend 1 5 as=b\nisend 1 5 after=a",
               "job.txt:4: after 'a': no operation before has that name; give it one with as=a");
        refuse("isend 1 5 as=a after=b\nisend 1 5 as=b after=a", "job.txt:3: after 'b'");
        refuse("isend 1 5 as=a\nisend 1 5 after=a,", "job.txt:4: after ''");
        refuse("send 1 5 after=a",
               "send has no after=; expected 'send RANK SIZE [tag=T] [channels=C]'");
        refuse(
            "icompute 5us tag=1",
            "icompute has no tag=; expected 'icompute TIME|flops=N|bytes=SIZE|flops=N bytes=SIZE "
            "[as=NAME] [after=NAMES] [begun=NAME] [on=STREAM]'");
        refuse("icompute 5us on=2", "stream '2': a name begins with a letter");
        refuse("icompute 5us begun=a,b", "request 'a,b'");
        refuse("icompute 0-1us as=a", "icompute of rank 0: time is -1000000");
        refuse("icompute 1us as=s\niallreduce 0-rank-1 all after=s",
               "job.txt:4: iallreduce of rank 0: size is -1");
        RankProgram program;
        DCFABRIC_EXPECT_REFUSAL(program.Send(1, 5, {0, {"a", {}}}), "only an operation that is");
    }
};

/// Adds the cases to their suite.
const SuiteCases g_cases("dcfabric-workload", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new GraphTestCase("operations of ranks wait for others"));
    suite.AddTestCase(new StreamTestCase("streams of operations of ranks"));
    suite.AddTestCase(new ComputeTestCase("computations of ranks are traced"));
    suite.AddTestCase(new MessageTestCase("messages and collectives of ranks wait for others"));
    suite.AddTestCase(new ReportTestCase("dependencies of ranks are checked and reported"));
});

} // namespace ns3::tests::rank_dependency_test
