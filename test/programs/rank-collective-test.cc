// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-engine.h"
#include "fabric-test-ranks.h"

#include "ns3/all-reduce-workload.h"
#include "ns3/config.h"
#include "ns3/fabric-time.h"
#include "ns3/rank-collective.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Collectives: who sends what to whom, how much it is, and how long it takes.
 */

namespace ns3::tests::rank_collective_test
{

/**
 * @param name of it
 * @param algorithm of it
 * @return index of a collective
 */
const RankCollective&
Find(const std::string& name, const std::string& algorithm = "")
{
    return GetRankCollectives()[FindRankCollective(name, algorithm)];
}

/// What is left when all ranks have taken all steps.
struct Outcome
{
    uint64_t bytes{0};                     //!< that were sent
    uint64_t messages{0};                  //!< how many
    uint64_t mostBytes{0};                 //!< that one rank sent
    bool ended{true};                      //!< no rank waits
    std::size_t unreceived{0};             //!< messages
    std::vector<std::set<uint32_t>> known; //!< whose data each rank has something of
};

/**
 * @param collective it
 * @param n ranks
 * @param bytes size
 * @return outcome of a collective without a network
 */
Outcome
TakeSteps(const RankCollective& collective, uint32_t n, uint64_t bytes)
{
    Outcome outcome;
    outcome.known.resize(n);
    std::map<std::pair<uint32_t, uint32_t>, std::deque<std::set<uint32_t>>> way;
    std::vector<uint32_t> step(n, 0);
    std::vector<uint64_t> sent(n, 0);
    std::vector<std::vector<uint32_t>> wanted(n); // whom a rank waits for
    for (uint32_t i = 0; i < n; ++i)
    {
        outcome.known[i].insert(i);
    }
    for (bool moves = true; moves;)
    {
        moves = false;
        for (uint32_t i = 0; i < n; ++i)
        {
            for (std::size_t w = 0; w < wanted[i].size();)
            {
                auto& queue = way[{wanted[i][w], i}];
                if (queue.empty())
                {
                    ++w;
                    continue;
                }
                outcome.known[i].insert(queue.front().begin(), queue.front().end());
                queue.pop_front();
                wanted[i].erase(wanted[i].begin() + static_cast<std::ptrdiff_t>(w));
                moves = true;
            }
            if (!wanted[i].empty() || step[i] == collective.getNSteps(n))
            {
                continue;
            }
            std::vector<RankExchange> exchanges;
            collective.addStep(step[i]++, i, n, bytes, exchanges);
            moves = true;
            for (const RankExchange& exchange : exchanges)
            {
                if (exchange.send)
                {
                    way[{i, exchange.peer}].push_back(outcome.known[i]);
                    sent[i] += exchange.bytes;
                    outcome.bytes += exchange.bytes;
                    ++outcome.messages;
                }
                else
                {
                    wanted[i].push_back(exchange.peer);
                }
            }
        }
    }
    for (uint32_t i = 0; i < n; ++i)
    {
        outcome.ended = outcome.ended && wanted[i].empty();
        outcome.mostBytes = std::max(outcome.mostBytes, sent[i]);
    }
    for (const auto& entry : way)
    {
        outcome.unreceived += entry.second.size();
    }
    return outcome;
}

/**
 * @ingroup dcfabric-tests
 * @brief All ranks get what they should, from any number of ranks, and the volumes are exact.
 */
class VolumeTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        constexpr uint64_t S = 72072; // which 1 to 14 divide
        for (uint32_t n = 1; n <= 40; ++n)
        {
            for (const RankCollective& collective : GetRankCollectives())
            {
                if (collective.byDims || collective.inNetwork)
                {
                    continue; // a ring here, see rank-plan-test.cc; no steps
                }
                const std::string what = std::string(collective.name) + " " + collective.algorithm +
                                         " of " + std::to_string(n);
                const Outcome outcome = TakeSteps(collective, n, S);
                NS_TEST_EXPECT_MSG_EQ(outcome.ended, true, what << ": no rank waits");
                NS_TEST_EXPECT_MSG_EQ(outcome.unreceived, 0, what << ": all is received");
                for (uint32_t i = 0; i < n; ++i)
                {
                    const std::string name = collective.name;
                    const std::size_t known = outcome.known[i].size();
                    const bool down = name == "broadcast" || name == "scatter";
                    const bool up = name == "reduce" || name == "gather";
                    const bool all = down ? outcome.known[i].count(0) == 1
                                     : up ? i != 0 || known == n
                                          : known == n;
                    NS_TEST_EXPECT_MSG_EQ(all, true, what << ", rank " << i);
                }
            }
            // Every vector but one goes once over a link for the sum, and the sum to all but one.
            for (const char* algorithm : {"ring", "tree"})
            {
                NS_TEST_EXPECT_MSG_EQ(TakeSteps(Find("allreduce", algorithm), n, S).bytes,
                                      2 * (n - 1) * S,
                                      algorithm << " of " << n);
            }
            NS_TEST_EXPECT_MSG_EQ(TakeSteps(Find("allgather"), n, S).bytes, (n - 1) * S, n);
            NS_TEST_EXPECT_MSG_EQ(TakeSteps(Find("reducescatter"), n, S).bytes, (n - 1) * S, n);
            NS_TEST_EXPECT_MSG_EQ(TakeSteps(Find("broadcast"), n, S).bytes, (n - 1) * S, n);
            NS_TEST_EXPECT_MSG_EQ(TakeSteps(Find("reduce"), n, S).bytes, (n - 1) * S, n);
            NS_TEST_EXPECT_MSG_EQ(TakeSteps(Find("alltoall"), n, S).bytes, n * (n - 1) * S, n);
            // all blocks but the one of the root, the first of them, which is rounded down
            NS_TEST_EXPECT_MSG_EQ(TakeSteps(Find("gather"), n, S).bytes, S - S / n, n);
            NS_TEST_EXPECT_MSG_EQ(TakeSteps(Find("scatter"), n, S).bytes, S - S / n, n);
            NS_TEST_EXPECT_MSG_EQ(TakeSteps(Find("scatter"), n, S).mostBytes, S - S / n, n);
        }
        // Halving and doubling: as little where n is a power of two, and S/2 + S/4 ... twice from
        // each rank; 24 ranks fold into 16: 8 S before, 2 x 15 S, and 8 S after.
        const RankCollective& halving = Find("allreduce", "halving-doubling");
        NS_TEST_EXPECT_MSG_EQ(TakeSteps(halving, 8, 800).bytes, 2 * 7 * 800, "8 ranks");
        NS_TEST_EXPECT_MSG_EQ(TakeSteps(halving, 8, 800).mostBytes, 2 * 700, "8 ranks");
        NS_TEST_EXPECT_MSG_EQ(TakeSteps(halving, 24, 1600).bytes, (8 + 30 + 8) * 1600, "24");
        // Doubling: S from each in each of log2 steps.
        const RankCollective& doubling = Find("allreduce", "doubling");
        NS_TEST_EXPECT_MSG_EQ(TakeSteps(doubling, 8, 8).bytes, 8 * 3 * 8, "8 ranks");
        NS_TEST_EXPECT_MSG_EQ(TakeSteps(doubling, 24, 8).bytes, (8 + 16 * 4 + 8) * 8, "24 ranks");
        NS_TEST_EXPECT_MSG_EQ(TakeSteps(Find("barrier"), 24, 0).messages, 24 * 5, "24 ranks");
        // what does not divide evenly is cut as evenly as bytes go
        NS_TEST_EXPECT_MSG_EQ(TakeSteps(Find("allreduce", "ring"), 3, 10).bytes, 40, "3, 3, 4");
        DCFABRIC_EXPECT_REFUSAL(Find("allreduce", "rings"), "the nearest is ring");
        DCFABRIC_EXPECT_REFUSAL(Find("all-reduce"), "the nearest is allreduce");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Times, and bandwidths near those of the line.
 */
class CollectiveTimesTestCase : public RankTestCase
{
    using RankTestCase::RankTestCase;

    /**
     * @param flow it
     * @return all about a flow
     */
    static std::tuple<int64_t, uint32_t, uint32_t, uint64_t> Tell(const FabricFlow& flow)
    {
        return {flow.startPs, flow.src, flow.dst, flow.sizeBytes};
    }

    void DoRun() override
    {
        // 1000 bytes take 2173.12 ns; 500 take 2 x 46.56 ns + 2 us, and those of the second step
        // follow an ACK of 9.44 ns at the port.
        RankRun run = RunText(MakeStar(2),
                              "ranks 2\nprogram all {\nallreduce 1000 algorithm=doubling\n"
                              "mark doubling\n}\n");
        NS_TEST_EXPECT_MSG_EQ(run.End("doubling", 0), Tick(2173120), "one exchange");
        run = RunText(MakeStar(2), "ranks 2\nprogram all {\nallreduce 1000\nmark ring\n}\n");
        NS_TEST_EXPECT_MSG_EQ(run.End("ring", 1), Tick(2 * 2093120 + 9440), "two steps");

        // The ring of all hosts is what the workload makes as a list of flows with triggers.
        run = RunText(MakeStar(8), "ranks 8\nprogram all {\nallreduce 80kB all\n}\n");
        Ptr<RingAllReduceWorkload> workload = CreateObject<RingAllReduceWorkload>();
        workload->SetSize(80000);
        std::vector<std::tuple<int64_t, uint32_t, uint32_t, uint64_t>> ours;
        std::vector<std::tuple<int64_t, uint32_t, uint32_t, uint64_t>> theirs;
        for (const FabricFlow& flow : run.flows)
        {
            ours.push_back(Tell(flow));
        }
        {
            FabricHelper helper;
            const FabricGraph graph = MakeStar(8);
            Ptr<Fabric> fabric = helper.Install(graph);
            const auto flows = workload->Generate(graph);
            FlowRecorder recorder(fabric, flows, workload->GetTriggers());
            recorder.Start();
            Simulator::Run();
            for (const FabricFlow& flow : recorder.GetFlows())
            {
                theirs.push_back(Tell(flow));
            }
        }
        Simulator::Destroy();
        std::sort(ours.begin(), ours.end());
        std::sort(theirs.begin(), theirs.end());
        NS_TEST_EXPECT_MSG_EQ(ours.size(), 8 * 14, "2 (n - 1) steps");
        NS_TEST_EXPECT_MSG_EQ((ours == theirs), true, "same messages at the same times");

        // Large sizes: a port sends 4000 bytes in 4082 and an ACK of 118 for every packet that it
        // receives, so that 4000 of 4200 bytes at 12.5 GB/s are payload.
        Config::SetDefault("ns3::FabricNic::PayloadBytes", UintegerValue(4000));
        const double line = 12.5e9 * 4000 / 4200;
        std::map<std::string, double> bandwidth;
        for (const char* operation : {"allreduce 32MB",
                                      "allreduce 32MB algorithm=halving-doubling",
                                      "allgather 32MB",
                                      "reducescatter 32MB",
                                      "alltoall 4MB"})
        {
            const auto log = [&](RankRunner& runner) {
                NS_TEST_ASSERT_MSG_EQ(runner.GetCollectives().GetRows().size(), 1, operation);
                const CollectiveLog::Row& row = runner.GetCollectives().GetRows()[0];
                bandwidth[operation] = CollectiveLog::GetBusBandwidth(row);
                NS_TEST_EXPECT_MSG_EQ(row.ranks, 8, operation);
                NS_TEST_EXPECT_MSG_EQ(row.left, 8, operation);
            };
            RunText(MakeStar(8),
                    "ranks 8\nprogram all {\n" + std::string(operation) + "\n}\n",
                    "",
                    nullptr,
                    log);
            NS_TEST_EXPECT_MSG_LT(bandwidth[operation], line, operation << ": no more than all");
            NS_TEST_EXPECT_MSG_GT(bandwidth[operation], 0.99 * line, operation << ": and not less");
        }
        Config::SetDefault("ns3::FabricNic::PayloadBytes", UintegerValue(1000));
    }

    /**
     * @param ps the time
     * @return a time as ranks see it: the next tick of the simulator
     */
    static int64_t Tick(int64_t ps)
    {
        return FabricTime::ToPs(FabricTime::FromPs(ps));
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Groups, roots, sizes of single peers, stragglers and misuse.
 */
class CollectiveGroupTestCase : public RankTestCase
{
    using RankTestCase::RankTestCase;

    void DoRun() override
    {
        std::vector<CollectiveLog::Row> rows;
        const auto log = [&rows](RankRunner& runner) { rows = runner.GetCollectives().GetRows(); };
        // Two groups of three at once, each twice; rank 4 comes 7 us late.
        RankRun run = RunText(MakeStar(6),
                              "ranks 6\ngroups half by rank/3\nprogram all {\nif rank==4 {\n"
                              "compute 7us\n}\nrepeat 2 {\nallreduce 3kB half algorithm=tree\n}\n"
                              "broadcast 1kB half root=2\nreduce 1kB half root=1\n}\n",
                              "",
                              nullptr,
                              log);
        NS_TEST_EXPECT_MSG_EQ(run.complete, true, run.stuck);
        NS_TEST_ASSERT_MSG_EQ(rows.size(), 8, "four each");
        uint32_t late = 0;
        for (const CollectiveLog::Row& row : rows)
        {
            NS_TEST_EXPECT_MSG_EQ(row.ranks, 3, "half");
            NS_TEST_EXPECT_MSG_EQ(row.left, 3, "all have left");
            const bool twice = row.bytes == 3000;
            NS_TEST_EXPECT_MSG_EQ(row.sentBytes, (twice ? 4 : 2) * row.bytes, "volumes");
            late += row.startPs == 0 && row.lastStartPs == 7000000 ? 1 : 0;
        }
        NS_TEST_EXPECT_MSG_EQ(late, 1, "the first of the second half");
        // from the root, and to it: ranks 2 and 5 send the broadcast, 1 and 4 get the reduction
        std::map<uint32_t, int> to;
        std::map<uint32_t, int> from;
        for (const FabricFlow& flow : run.flows)
        {
            to[flow.dst] += flow.sizeBytes == 1000 ? 1 : 0;
            from[flow.src] += flow.sizeBytes == 1000 ? 1 : 0;
        }
        // Root 2: ranks 2, 0, 1 in this order; 2 sends to 1 (distance 2) and to 0. Root 1: 1, 2, 0:
        // 2 and 0 send to 1.
        NS_TEST_EXPECT_MSG_EQ(from[2], 3, "root of one, child of the other");
        NS_TEST_EXPECT_MSG_EQ(to[1], 3, "root of one, child of the other");
        NS_TEST_EXPECT_MSG_EQ(from[3 + 2], 3, "the other half");

        // Gather and scatter of 3 x 1000 bytes, root 1. The root has its block; messages of the
        // two others share its link: one behind the other, 86.56 ns (1082 bytes).
        run = RunText(MakeStar(3),
                      "ranks 3\nprogram all {\ngather 3000 root=1\nmark gathered\n"
                      "scatter 3000 root=1\nmark scattered\n}\n",
                      "",
                      nullptr,
                      log);
        NS_TEST_EXPECT_MSG_EQ(run.complete, true, run.stuck);
        NS_TEST_ASSERT_MSG_EQ(run.flows.size(), 4, "two each");
        for (std::size_t i = 0; i < 4; ++i)
        {
            const FabricFlow& flow = run.flows[i];
            NS_TEST_EXPECT_MSG_EQ(flow.sizeBytes, 1000, "a third");
            NS_TEST_EXPECT_MSG_EQ((i < 2 ? flow.dst : flow.src), 1, "to the root, then from it");
        }
        NS_TEST_EXPECT_MSG_EQ(run.End("gathered", 0), 0, "has sent, which is buffered");
        NS_TEST_EXPECT_MSG_GT(run.End("gathered", 1), 2173120 + 86000, "the second");
        NS_TEST_EXPECT_MSG_LT(run.End("gathered", 1), 2173120 + 87000, "the second");
        NS_TEST_EXPECT_MSG_EQ(run.End("scattered", 1), run.End("gathered", 1), "buffered");
        NS_TEST_EXPECT_MSG_GT(run.End("scattered", 2), 2 * 2173120, "after it");
        NS_TEST_ASSERT_MSG_EQ(rows.size(), 2, "both");
        NS_TEST_EXPECT_MSG_EQ(rows[0].sentBytes, 2000, "gather");
        NS_TEST_EXPECT_MSG_EQ(rows[1].sentBytes, 2000, "scatter");

        // all-to-all with a size for each pair: rank r sends 100 (r + 1) + peer bytes
        run = RunText(MakeStar(3),
                      "ranks 3\nprogram all {\nalltoall 100*(rank+1)+peer\n}\n",
                      "",
                      nullptr,
                      log);
        std::set<std::tuple<uint32_t, uint32_t, uint64_t>> pairs;
        for (const FabricFlow& flow : run.flows)
        {
            pairs.insert({flow.src, flow.dst, flow.sizeBytes});
        }
        const std::set<std::tuple<uint32_t, uint32_t, uint64_t>> wanted =
            {{0, 1, 101}, {0, 2, 102}, {1, 0, 200}, {1, 2, 202}, {2, 0, 300}, {2, 1, 301}};
        NS_TEST_EXPECT_MSG_EQ((pairs == wanted), true, "sizes by pair");
        NS_TEST_EXPECT_MSG_EQ(rows[0].sentBytes, 1206, "their sum");

        // collectives of two groups in different orders at different ranks
        run = RunText(MakeStar(2),
                      "ranks 2\ngroup both all\nprogram 0 {\nbarrier both\nallreduce 1kB\n}\n"
                      "program 1 {\nallreduce 1kB\nbarrier both\n}\n");
        NS_TEST_EXPECT_MSG_EQ(run.complete, false, "each waits for the other");
        NS_TEST_EXPECT_MSG_EQ(Contains(run.stuck, "job.txt:4: barrier: nothing from rank 1"),
                              true,
                              run.stuck);
        NS_TEST_EXPECT_MSG_EQ(Contains(run.stuck, "job.txt:8: allreduce: nothing from rank 0"),
                              true,
                              run.stuck);
        const EngineChoice engine(GetThrowingEngine());
        DCFABRIC_EXPECT_REFUSAL(
            RunText(MakeStar(2), "ranks 2\nprogram all {\nbroadcast 1kB root=2\n}\n"),
            "root is 2; it must be 0 to 1");
        Simulator::Destroy();
        for (const auto& [line, part] : std::vector<std::pair<std::string, std::string>>{
                 {"allreduce 1kB algorithm=rings", "3: unknown algorithm of allreduce 'rings'"},
                 {"allreduce 1kB root=1", "3: allreduce has no root="},
                 {"allreduce", "3: expected 'allreduce SIZE [GROUP] [algorithm=NAME] [dims=AxB]"},
                 {"allreduce 1kB*peer", "3: '1kB*peer': unknown name 'peer'"}})
        {
            DCFABRIC_EXPECT_REFUSAL(
                RunText(MakeStar(2), "ranks 2\nprogram all {\n" + line + "\n}\n"),
                "job.txt:" + part);
        }
    }
};

/// Adds the cases to their suite.
const SuiteCases g_cases("dcfabric-workload", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new VolumeTestCase("collectives reach all ranks with exact volumes"));
    suite.AddTestCase(new CollectiveTimesTestCase("collectives take the time of the line"));
    suite.AddTestCase(new CollectiveGroupTestCase("collectives of groups"));
});

} // namespace ns3::tests::rank_collective_test
