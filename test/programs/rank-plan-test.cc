// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-engine.h"
#include "../fabric-test-errors.h"
#include "fabric-test-ranks.h"

#include "ns3/collective-blocks.h"
#include "ns3/collective-plan.h"
#include "ns3/config.h"
#include "ns3/data-rate.h"
#include "ns3/double-tree-collective.h"
#include "ns3/fabric-time.h"
#include "ns3/nstime.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Collectives cut into lanes: two trees, rings of several channels, dimensions, windows,
 * sizes from a matrix; what steps cost; each against its closed form.
 */

namespace ns3::tests::rank_plan_test
{

/**
 * @param name of a collective
 * @param algorithm of it
 * @param dims see CollectiveOptions
 * @param chunks see CollectiveOptions
 * @param channels see CollectiveOptions
 * @return how it is done
 */
CollectivePlan
Plan(const std::string& name,
     const std::string& algorithm,
     const std::string& dims = "",
     const std::string& chunks = "",
     const std::string& channels = "")
{
    CollectiveOptions options;
    options.algorithm = algorithm;
    options.dims = dims;
    options.chunks = chunks;
    options.channels = channels;
    return CollectivePlan(name, options);
}

/// What is left when all ranks have taken all steps of all lanes.
struct Outcome
{
    bool ended{true};             //!< no rank waits, and all that was sent was received
    bool complete{true};          //!< in each lane each rank has something of all others
    uint64_t bytes{0};            //!< that were sent
    uint64_t mostBytes{0};        //!< that one rank sent
    uint64_t sums{0};             //!< bytes that ranks added to their own
    std::vector<uint64_t> beyond; //!< by rank, sent out of its server of `perServer` ranks
};

/**
 * @param plan how it is done
 * @param n ranks
 * @param bytes size
 * @param perServer ranks of a server
 * @return outcome without a network
 */
Outcome
TakeSteps(const CollectivePlan& plan, uint32_t n, uint64_t bytes, uint32_t perServer = 1)
{
    Outcome outcome;
    outcome.beyond.assign(n, 0);
    std::vector<uint64_t> sent(n, 0);
    const uint32_t lanes = plan.GetNLanes(n, bytes);
    for (uint32_t lane = 0; lane < lanes; ++lane)
    {
        std::vector<std::set<uint32_t>> known(n);
        std::map<std::pair<uint32_t, uint32_t>, std::deque<std::set<uint32_t>>> way;
        std::vector<uint32_t> step(n, 0);
        std::vector<std::vector<uint32_t>> wanted(n); // whom a rank waits for
        for (uint32_t i = 0; i < n; ++i)
        {
            known[i].insert(i);
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
                    known[i].insert(queue.front().begin(), queue.front().end());
                    queue.pop_front();
                    wanted[i].erase(wanted[i].begin() + static_cast<std::ptrdiff_t>(w));
                    moves = true;
                }
                if (!wanted[i].empty() || step[i] == plan.GetNSteps(n))
                {
                    continue;
                }
                std::vector<RankExchange> exchanges;
                plan.AddStep(step[i]++, lane, lanes, i, n, bytes, exchanges);
                moves = true;
                for (const RankExchange& exchange : exchanges)
                {
                    if (!exchange.send)
                    {
                        wanted[i].push_back(exchange.peer);
                        outcome.sums += exchange.bytes;
                        continue;
                    }
                    way[{i, exchange.peer}].push_back(known[i]);
                    sent[i] += exchange.bytes;
                    outcome.bytes += exchange.bytes;
                    outcome.beyond[i] +=
                        i / perServer == exchange.peer / perServer ? 0 : exchange.bytes;
                }
            }
        }
        for (uint32_t i = 0; i < n; ++i)
        {
            outcome.ended = outcome.ended && wanted[i].empty() && step[i] == plan.GetNSteps(n);
            outcome.complete = outcome.complete && known[i].size() == n;
        }
        for (const auto& entry : way)
        {
            outcome.ended = outcome.ended && entry.second.empty();
        }
    }
    outcome.mostBytes = *std::max_element(sent.begin(), sent.end());
    return outcome;
}

/**
 * @ingroup dcfabric-tests
 * @brief Steps, bytes of each rank and what is summed up are those of the closed forms.
 */
class PlanVolumeTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// See one of n ranks. @return its outcome
    Outcome See(const CollectivePlan& plan, uint32_t n, uint64_t bytes, uint32_t perServer = 1)
    {
        const std::string what = std::string(GetRankCollectives()[plan.GetCollective()].name) +
                                 " " + GetRankCollectives()[plan.GetCollective()].algorithm +
                                 " of " + std::to_string(n);
        const Outcome outcome = TakeSteps(plan, n, bytes, perServer);
        NS_TEST_EXPECT_MSG_EQ(outcome.ended, true, what << ": nobody waits, nothing is left");
        NS_TEST_EXPECT_MSG_EQ(outcome.complete, true, what << ": all know all");
        return outcome;
    }

    void DoRun() override
    {
        constexpr uint64_t S = 720720 * 12; // which 1 to 16 divide, in 12 lanes too
        for (const uint32_t n : {1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 16, 23, 32, 33})
        {
            // Two trees: each has n - 1 edges with S/2 up and S/2 down. A rank is inside of one of
            // them: S/2 up in each, and S/2 to each of two children: at most 2 S. Each edge up has
            // S/2 to be added.
            Outcome outcome = See(Plan("allreduce", "double-tree", "", "1"), n, S);
            NS_TEST_EXPECT_MSG_EQ(outcome.bytes, 2 * (n - 1) * S, "trees of " << n);
            NS_TEST_EXPECT_MSG_EQ(outcome.sums, (n - 1) * S, "trees of " << n);
            NS_TEST_EXPECT_MSG_LT_OR_EQ(outcome.mostBytes, 2 * S, "trees of " << n);
            // Direct: (n - 1)/n S there, and back.
            outcome = See(Plan("allreduce", "direct"), n, S);
            NS_TEST_EXPECT_MSG_EQ(outcome.bytes, 2 * (n - 1) * S, "direct of " << n);
            NS_TEST_EXPECT_MSG_EQ(outcome.sums, (n - 1) * S, "direct of " << n);
            // PAT: ceil(log2 n) steps, all blocks but its own to each rank
            for (const char* name : {"allgather", "reducescatter"})
            {
                const CollectivePlan plan = Plan(name, "pat");
                NS_TEST_EXPECT_MSG_EQ(plan.GetNSteps(n), CeilLog2(n), "PAT of " << n);
                outcome = See(plan, n, S);
                NS_TEST_EXPECT_MSG_EQ(outcome.bytes, (n - 1) * S, name << " of " << n);
                const uint64_t sums = name == std::string("allgather") ? 0 : (n - 1) * S;
                NS_TEST_EXPECT_MSG_EQ(outcome.sums, sums, name << " of " << n);
            }
            // rings in the orders of their channels, in chunks: together what one ring has
            outcome = See(Plan("allreduce", "ring", "", "2", "6"), n, S);
            NS_TEST_EXPECT_MSG_EQ(outcome.bytes, 2 * (n - 1) * S, "rings of " << n);
            NS_TEST_EXPECT_MSG_EQ(outcome.sums, (n - 1) * S, "rings of " << n);
        }
        // A ring sends 2 (n - 1)/n S from each rank; trees of 8: see above.
        NS_TEST_EXPECT_MSG_EQ(TakeSteps(Plan("allreduce", "ring", "", "3", "4"), 8, S).mostBytes,
                              2 * 7 * S / 8,
                              "four rings");
        NS_TEST_EXPECT_MSG_EQ(TakeSteps(Plan("allreduce", "double-tree", "", "3"), 8, S).mostBytes,
                              2 * S,
                              "two trees");
        // the trees of 8: 4 has 2 and 6, which have the odd ones; the second is a mirror
        const auto four = DoubleTreeCollective::Find(4, 8, false);
        NS_TEST_EXPECT_MSG_EQ(four.parent, 0, "root");
        NS_TEST_EXPECT_MSG_EQ((four.children[0] + 10 * four.children[1]), 62, "children");
        NS_TEST_EXPECT_MSG_EQ(DoubleTreeCollective::Find(3, 8, true).parent, 7, "root");
        // and nobody but the roots is inside of both, whatever n is; the other way round for leaves
        for (uint32_t n = 2; n <= 40; ++n)
        {
            for (uint32_t i = 0; i < n; ++i)
            {
                uint32_t children = 0;
                for (const bool other : {false, true})
                {
                    for (const uint32_t child : DoubleTreeCollective::Find(i, n, other).children)
                    {
                        children += child == DoubleTreeCollective::NONE ? 0 : 1;
                    }
                }
                NS_TEST_EXPECT_MSG_LT_OR_EQ(children, 3, i << " of " << n);
            }
        }
        // Dimensions: steps 2 (d - 1) of each; 2 (n - 1)/n S in all, of which 1/8 of 2 * 3/4 S go
        // beyond a server of 8; 3 dimensions likewise.
        CollectivePlan plan = Plan("allreduce", "", "8x4");
        NS_TEST_EXPECT_MSG_EQ(plan.GetNSteps(32), 2 * 7 + 2 * 3, "steps");
        Outcome outcome = See(plan, 32, 32 * 720720, 8);
        NS_TEST_EXPECT_MSG_EQ(outcome.mostBytes, 2 * 31 * 720720, "each");
        NS_TEST_EXPECT_MSG_EQ(outcome.beyond[0], 2 * 3 * 720720, "beyond");
        NS_TEST_EXPECT_MSG_EQ(outcome.beyond[31], 2 * 3 * 720720, "beyond");
        outcome = See(Plan("allreduce", "direct,ring,double-tree", "2x3x4", "", "5"), 24, S);
        NS_TEST_EXPECT_MSG_EQ(outcome.bytes, 2 * 23 * S, "three");
        for (const char* name : {"allgather", "reducescatter"})
        {
            // as an all-reduce, but once: 7/8 S inside, 3/4 S/8 beyond
            plan = Plan(name, "pat,ring", "8x4");
            NS_TEST_EXPECT_MSG_EQ(plan.GetNSteps(32), 3 + 3, "steps");
            outcome = See(plan, 32, 32 * 720720, 8);
            NS_TEST_EXPECT_MSG_EQ(outcome.bytes, 31 * uint64_t{32} * 720720, name);
            NS_TEST_EXPECT_MSG_EQ(outcome.beyond[9], 3 * 720720, name);
        }
        See(Plan("allreduce", "ring", "1x1x7x1"), 7, S);
        // Chunks of trees if nobody says how many: eight for each of three levels, none below 32
        // KiB.
        plan = Plan("allreduce", "double-tree");
        NS_TEST_EXPECT_MSG_EQ(plan.GetNLanes(8, 8000000), 2 * 24, "eight a level");
        NS_TEST_EXPECT_MSG_EQ(plan.GetNLanes(8, 4 * 65536), 2 * 4, "of 32 KiB");
        NS_TEST_EXPECT_MSG_EQ(plan.GetNLanes(8, 1), 2, "one for each tree");
        NS_TEST_EXPECT_MSG_EQ(plan.GetNLanes(1, 8000000), 2, "alone");
        // what does not divide evenly, less bytes than lanes
        outcome = See(Plan("allreduce", "ring", "", "7", "3"), 5, 13);
        NS_TEST_EXPECT_MSG_EQ(outcome.bytes, 2 * 4 * 13, "13 bytes");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Bus bandwidths on an idle network, and what steps cost.
 */
class PlanTimesTestCase : public RankTestCase
{
    using RankTestCase::RankTestCase;

    /**
     * @param graph network
     * @param ranks how many
     * @param line of the program
     * @param set sets attributes of the runner
     * @return how the collective went
     */
    CollectiveLog::Row Run(const FabricGraph& graph,
                           uint32_t ranks,
                           const std::string& line,
                           const std::function<void(RankRunner&)>& set = nullptr)
    {
        CollectiveLog::Row row{};
        const auto look = [&](RankRunner& runner) {
            NS_TEST_ASSERT_MSG_EQ(runner.GetCollectives().GetRows().size(), 1, line);
            row = runner.GetCollectives().GetRows()[0];
        };
        const RankRun run =
            RunText(graph,
                    "ranks " + std::to_string(ranks) + "\nprogram all {\n" + line + "\n}\n",
                    "",
                    set,
                    look);
        NS_TEST_EXPECT_MSG_EQ(run.complete, true, line << run.stuck);
        NS_TEST_EXPECT_MSG_EQ(row.left, ranks, line);
        return row;
    }

    /// Compare a bus bandwidth with its limit. @param limit in byte/s
    void ExpectBusBandwidth(const CollectiveLog::Row& row, double limit, const std::string& line)
    {
        const double bandwidth = CollectiveLog::GetBusBandwidth(row);
        NS_TEST_EXPECT_MSG_LT(bandwidth, limit, line << ": no more than all");
        NS_TEST_EXPECT_MSG_GT(bandwidth, 0.99 * limit, line << ": and not less");
    }

    /// @return n hosts with a link of 100 Gb/s and 100 ns to each of some switches
    static FabricGraph MakePlanes(uint32_t n, uint32_t planes)
    {
        FabricGraph graph;
        for (uint32_t i = 0; i < n; ++i)
        {
            graph.AddHost();
        }
        for (uint32_t plane = 0; plane < planes; ++plane)
        {
            const uint32_t center = graph.AddSwitch();
            for (uint32_t i = 0; i < n; ++i)
            {
                graph.AddLink(i, center, 100 * GBPS, US / 10);
            }
        }
        return graph;
    }

    /// Limits of bandwidth.
    void TestBandwidths()
    {
        // A port sends 4000 bytes in 4082 and an ACK of 118 for each packet that it receives.
        Config::SetDefault("ns3::FabricNic::PayloadBytes", UintegerValue(4000));
        constexpr double LINE = 12.5e9 * 4000 / 4200;
        // Each rank sends 2 (n - 1)/n S, whatever the order and the pieces are: T = that / LINE,
        // and the bus bandwidth is S/T 2 (n - 1)/n = LINE.
        for (const char* line : {"allreduce 16MB algorithm=direct",
                                 "allreduce 16MB algorithm=direct window=2",
                                 "allreduce 16MB channels=3 chunks=2",
                                 "allreduce 16MB dims=2x2"})
        {
            ExpectBusBandwidth(Run(MakeStar(4), 4, line), LINE, line);
        }
        // The same for (n - 1)/n S. PAT of 5: distances 4, 2, 1 with 1, 1 and 2 of 5 blocks.
        for (const char* line : {"allgather 16MB algorithm=pat",
                                 "reducescatter 16MB algorithm=pat",
                                 "allgather 16MB algorithm=direct window=1"})
        {
            ExpectBusBandwidth(Run(MakeStar(5), 5, line), LINE, line);
        }
        // Two trees of two ranks: each sends S/2 up and S/2 down: T = S / LINE, x 2 * 1/2. Of four:
        // 2 S from those that are inside of one: T = 2 S / LINE, so that 2 * 3/4 S/T = 3/4 LINE.
        std::string line = "allreduce 8MB algorithm=double-tree chunks=64";
        ExpectBusBandwidth(Run(MakeStar(2), 2, line), LINE, line);
        ExpectBusBandwidth(Run(MakeStar(4), 4, line), 0.75 * LINE, line);
        // Four planes have four times the line, if there are as many channels. One channel is a
        // flow from rank to rank, which stays in one plane.
        line = "allreduce 32MB channels=4";
        ExpectBusBandwidth(Run(MakePlanes(4, 4), 4, line), 4 * LINE, line);
        const double one =
            CollectiveLog::GetBusBandwidth(Run(MakePlanes(4, 4), 4, "allreduce 8MB"));
        NS_TEST_EXPECT_MSG_LT(one, 12.5e9 * 4000 / 4082, "one channel");
        line = "alltoall 8MB channels=4";
        ExpectBusBandwidth(Run(MakePlanes(4, 4), 4, line), 4 * LINE, line);
        Config::SetDefault("ns3::FabricNic::PayloadBytes", UintegerValue(1000));
    }

    /// What steps cost.
    void TestCosts()
    {
        const auto set = [](const std::string& overhead, const std::string& rate) {
            return [overhead, rate](RankRunner& runner) {
                runner.SetAttribute("MessageOverhead", TimeValue(Time(overhead)));
                runner.SetAttribute("ReduceRate", DataRateValue(DataRate(rate)));
            };
        };
        // A ring of 4 has 2 x 3 steps with one message each, of which 3 are added: 1000 bytes at
        // 8 Gb/s are 1 us. What a step costs is passed on by those that wait for it. On the idle
        // network each step but the first follows an ACK of 9.44 ns at the port, which is gone when
        // a step costs more than that; times of ranks are whole ns.
        std::string line = "allreduce 4000";
        const int64_t idle = Run(MakeStar(4), 4, line).endPs;
        const auto expect = [this, idle](const CollectiveLog::Row& row, int64_t costsPs) {
            NS_TEST_EXPECT_MSG_LT_OR_EQ(row.endPs - idle, costsPs, "what it costs");
            NS_TEST_EXPECT_MSG_GT(row.endPs - idle, costsPs - 5 * 9440 - 1000, "less five ACKs");
        };
        expect(Run(MakeStar(4), 4, line, set("500ns", "0bps")), 6 * 500000);
        expect(Run(MakeStar(4), 4, line, set("0ns", "8Gbps")), 3 * 1000000);
        expect(Run(MakeStar(4), 4, line, set("500ns", "8Gbps")), 6 * 500000 + 3 * 1000000);
        // One step with three messages, which a lane takes one after the other; all-gather adds
        // nothing, and what comes last has to be taken, too.
        line = "allgather 4000 algorithm=direct";
        NS_TEST_EXPECT_MSG_EQ(Run(MakeStar(4), 4, line, set("500ns", "8Gbps")).endPs -
                                  Run(MakeStar(4), 4, line).endPs,
                              3 * 500000,
                              "three messages");
        // Two lanes take their messages at the same time, but one memory adds one after the other.
        // Of 2 x 400 bytes, the second one arrives while the first, of 400 ns, is added.
        line = "reducescatter 1600 channels=2";
        const int64_t two = Run(MakeStar(2), 2, line).endPs;
        const int64_t summed = Run(MakeStar(2), 2, line, set("0ns", "8Gbps")).endPs;
        NS_TEST_EXPECT_MSG_EQ(Run(MakeStar(2), 2, line, set("500ns", "0bps")).endPs - two,
                              500000,
                              "beside one another");
        NS_TEST_EXPECT_MSG_GT(summed - two, 700000, "one after the other");
        NS_TEST_EXPECT_MSG_LT(summed - two, 800000, "one after the other");
        // a barrier has no data, but messages: 2 steps, the second of which follows an ACK
        const int64_t barrier = Run(MakeStar(4), 4, "barrier").endPs;
        const int64_t late = Run(MakeStar(4), 4, "barrier", set("500ns", "1bps")).endPs;
        NS_TEST_EXPECT_MSG_LT_OR_EQ(late - barrier, 2 * 500000, "two messages");
        NS_TEST_EXPECT_MSG_GT(late - barrier, 2 * 500000 - 9440 - 2000, "less an ACK");
    }

    /// A window bounds what is under way.
    void TestWindow()
    {
        for (const auto& [window, starts] :
             std::map<std::string, std::size_t>{{"1", 3}, {"2", 2}, {"3", 1}, {"9", 1}})
        {
            const RankRun run = RunText(MakeStar(4),
                                        "ranks 4\nprogram all {\nallgather 40kB algorithm=direct "
                                        "window=" +
                                            window + "\n}\n");
            NS_TEST_EXPECT_MSG_EQ(run.complete, true, run.stuck);
            std::set<int64_t> times;
            for (const FabricFlow& flow : run.flows)
            {
                if (flow.src == 0)
                {
                    times.insert(flow.startPs);
                }
            }
            NS_TEST_EXPECT_MSG_EQ(run.flows.size(), 12, "n (n - 1)");
            // With 2, the third message begins when the first has come, with 1 each by itself.
            NS_TEST_EXPECT_MSG_EQ(times.size(), starts, "window " << window);
        }
    }

    void DoRun() override
    {
        TestBandwidths();
        TestCosts();
        TestWindow();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief All-to-all with sizes from a matrix, and what is refused.
 */
class PlanMatrixTestCase : public RankTestCase
{
    using RankTestCase::RankTestCase;

    /// Messages by sender, receiver, bytes.
    using Messages = std::set<std::tuple<uint32_t, uint32_t, uint64_t>>;

    /// @return the messages between three hosts by a line
    Messages GetMessages(const std::string& line, uint64_t& sent)
    {
        const auto look = [&](RankRunner& runner) {
            sent = runner.GetCollectives().GetRows()[0].sentBytes;
        };
        const RankRun run =
            RunText(MakeStar(3), "ranks 3\nprogram all {\n" + line + "\n}\n", "", nullptr, look);
        NS_TEST_EXPECT_MSG_EQ(run.complete, true, run.stuck);
        Messages messages;
        for (const FabricFlow& flow : run.flows)
        {
            messages.insert({flow.src, flow.dst, flow.sizeBytes});
        }
        return messages;
    }

    void DoRun() override
    {
        const std::string path = CreateTempDirFilename("tokens.csv");
        WriteText(path, "# tokens from each rank\n5, 1, 0\n2 7 3\n0,4,9\n");
        // Tokens of 100 bytes. Nothing is sent where there is none, nor to a rank itself.
        const Messages there = {{0, 1, 100}, {1, 0, 200}, {1, 2, 300}, {2, 1, 400}};
        const Messages back = {{1, 0, 100}, {0, 1, 200}, {2, 1, 300}, {1, 2, 400}};
        uint64_t sent = 0;
        for (const char* algorithm : {"pairwise", "direct", "direct window=1"})
        {
            const std::string how = std::string(" algorithm=") + algorithm;
            // the file is beside the program
            Messages messages = GetMessages("alltoall 100 matrix=tokens.csv" + how, sent);
            NS_TEST_EXPECT_MSG_EQ((messages == there), true, "there" << how);
            NS_TEST_EXPECT_MSG_EQ(sent, 1000, "their sum");
            messages = GetMessages("alltoall 100 transposed=tokens.csv" + how, sent);
            NS_TEST_EXPECT_MSG_EQ((messages == back), true, "and back" << how);
        }
        // in two chunks: of 1 byte each, 1 x 1 and 1 x 0, which is sent as 1
        const Messages halves = {{0, 1, 1}, {1, 0, 1}, {1, 2, 1}, {1, 2, 2}, {2, 1, 2}};
        NS_TEST_EXPECT_MSG_EQ(
            (GetMessages("alltoall 1 matrix=tokens.csv chunks=2", sent) == halves),
            true,
            "chunks");

        // An incast of three to rank 0, which sends nothing and so no data has to share its port
        // with ACKs: 12 MB at 12.5 GB/s x 4000/4082 are 979.7 us, and some us for the first packet.
        Config::SetDefault("ns3::FabricNic::PayloadBytes", UintegerValue(4000));
        WriteText(path, "0 0 0 0\n3 0 1 0\n5 0 0 0\n4 0 0 0\n");
        CollectiveLog::Row row{};
        RunText(MakeStar(4),
                "ranks 4\nprogram all {\nalltoall 1MB matrix=tokens.csv algorithm=direct\n}\n",
                "",
                nullptr,
                [&row](RankRunner& runner) { row = runner.GetCollectives().GetRows()[0]; });
        Config::SetDefault("ns3::FabricNic::PayloadBytes", UintegerValue(1000));
        NS_TEST_EXPECT_MSG_EQ(row.sentBytes, 13000000, "all");
        NS_TEST_EXPECT_MSG_GT(row.endPs, 979680000, "the most that one receives");
        NS_TEST_EXPECT_MSG_LT(row.endPs, 979680000 * 1.01, "and little more");

        WriteText(CreateTempDirFilename("wide.csv"), "1 2 3\n4 5\n");
        WriteText(CreateTempDirFilename("low.csv"), "1 2 3\n4 5 6\n");
        WriteText(CreateTempDirFilename("odd.csv"), "1 x\n2 3\n");
        WriteText(CreateTempDirFilename("two.csv"), "1 1\n2 3\n");
        for (const auto& [line, part] : std::vector<std::pair<std::string, std::string>>{
                 {"allreduce 1kB algorithm=hierarchical", "needs dims="},
                 {"allreduce 1kB dims=2x2", "dims= are of 4 ranks, the group has 3"},
                 {"allreduce 1kB dims=3x0", "dims '3x0'"},
                 {"allreduce 1kB dims=3x", "dims '3x'"},
                 {"allreduce 1kB dims=65536x65536x65537", "dims '65536x65536x65537'"},
                 {"allreduce 1kB dims=65536x65536", "the group has 3"},
                 {"allreduce 1kB dims=3 algorithm=hierarchical,ring", "has 2 names"},
                 {"allreduce 1kB dims=3x1 algorithm=halving-doubling",
                  "unknown algorithm of reducescatter 'halving-doubling'"},
                 {"allreduce 1kB dims=3x1 algorithm=ring,hierarchical", "give all dims"},
                 {"allreduce 1kB window=2", "ring takes one step after the other"},
                 {"allreduce 1kB dims=3 window=2", "none of its dimensions"},
                 {"allreduce 1kB algorithm=direct window=0", "window"},
                 {"allreduce 1kB chunks=0", "chunks"},
                 {"allreduce 1kB chunks=1e3", "chunks"},
                 {"allreduce 1kB channels=65", "channels"},
                 {"allreduce 1kB chunks=4096 channels=2", "more than 4096 parts"},
                 {"allreduce 1kB algorithm=pat", "unknown algorithm of allreduce 'pat'"},
                 {"allreduce 1kB matrix=two.csv", "allreduce has no matrix="},
                 {"broadcast 1kB dims=3", "broadcast has no dims="},
                 {"barrier chunks=2", "barrier has no chunks="},
                 {"alltoall 1kB dims=3", "alltoall has no dims="},
                 {"alltoall 1kB matrix=none.csv", "none.csv"},
                 {"alltoall 1kB matrix=two.csv transposed=two.csv", "contradicts"},
                 {"alltoall 1kB matrix=two.csv", "the matrix is of 2 ranks, the group has 3"},
                 {"alltoall 1kB matrix=wide.csv", "wide.csv:2: the row has 2 numbers"},
                 {"alltoall 1kB matrix=low.csv", "low.csv: 2 rows"},
                 {"alltoall 1kB matrix=odd.csv", "odd.csv:1: factor"}})
        {
            DCFABRIC_EXPECT_REFUSAL(
                RunText(MakeStar(3), "ranks 3\nprogram all {\n" + line + "\n}\n"),
                part);
        }
        // what a rank waits for in all lanes is told once
        const RankRun stuck = RunText(MakeStar(2),
                                      "ranks 2\nprogram 0 {\nallreduce 1MB channels=4 chunks=8\n}\n"
                                      "program 1 {\nrecv 0\n}\n");
        NS_TEST_EXPECT_MSG_EQ(Contains(stuck.stuck, "allreduce: nothing from rank 1\n"),
                              true,
                              stuck.stuck);
        CollectiveOptions none;
        none.dims = "2";
        DCFABRIC_EXPECT_REFUSAL(CollectivePlan("gather", none), "gather has no dims=");
        none.dims = "";
        none.chunks = "2";
        DCFABRIC_EXPECT_REFUSAL(CollectivePlan("barrier", none), "barrier has no chunks=");
        const EngineChoice engine(GetThrowingEngine());
        DCFABRIC_EXPECT_REFUSAL(
            RunText(MakeStar(2), "ranks 2\nprogram all {\nalltoall 900GB matrix=two.csv\n}\n"),
            "size is ");
        Simulator::Destroy();
    }
};

/// Adds the cases to their suite.
const SuiteCases g_cases("dcfabric-workload", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new PlanVolumeTestCase("lanes of collectives have the steps and bytes of "
                                             "their closed forms"));
    suite.AddTestCase(new PlanTimesTestCase("trees, rings, dimensions and planes have the "
                                            "bandwidths of their closed forms"));
    suite.AddTestCase(new PlanMatrixTestCase("all-to-all by a matrix, and refused plans"));
});

} // namespace ns3::tests::rank_plan_test
