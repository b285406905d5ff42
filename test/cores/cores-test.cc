// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-errors.h"
#include "../fabric-test-suite.h"

#include "ns3/core-communicator.h"
#include "ns3/core-team.h"
#include "ns3/fabric-error.h"
#include "ns3/lost-rank-error.h"
#include "ns3/shared-board.h"

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <exception>
#include <functional>
#include <iostream>
#include <new>
#include <random>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Processes of one machine that share a simulation; whole runs are in
 * test/python/test_cores.py.
 */

namespace ns3::tests::cores_test
{

/// What each process does, by its number.
using Action = std::function<void(uint32_t rank, SharedBoard& board)>;

/// Refuse what is not as it should be: helpers have no test that could fail.
void
Want(bool right, const std::string& what)
{
    if (!right)
    {
        throw std::runtime_error(what);
    }
}

/// @return what is thrown at the first process, while several do something; empty: nothing
std::string
RunTogether(uint32_t size, std::size_t room, const Action& action)
{
    try
    {
        SharedBoard board(size, room);
        CoreTeam team(size, board);
        const uint32_t rank = team.Divide();
        try
        {
            board.Begin(rank, [&team] { team.Look(); });
            action(rank, board);
        }
        catch (...)
        {
            if (rank > 0)
            {
                team.Leave(std::current_exception());
            }
            throw;
        }
        if (rank > 0)
        {
            team.Leave();
        }
        team.Await();
        return "";
    }
    catch (const LostRankError& error)
    {
        return std::string(error.what()) + ", status " + std::to_string(error.GetStatus());
    }
    catch (const FabricError& error)
    {
        return std::string("refused: ") + error.what();
    }
    catch (const std::bad_alloc&)
    {
        return "no memory";
    }
    catch (const std::exception& error)
    {
        return error.what();
    }
}

/**
 * @ingroup dcfabric-tests
 * @brief Parcels of all lengths from each process to each, many exchanges after one another.
 */
class BoardTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        constexpr uint32_t SEED = 29;
        std::cout << "seed " << SEED << "\n";
        // 64 bytes of room: nothing, less, as much, one more, several rounds
        const std::vector<std::size_t> lengths{0, 1, 63, 64, 65, 128, 129, 1000};
        for (const uint32_t size : {1U, 2U, 3U, 5U})
        {
            const std::string thrown = RunTogether(size, 64, [&](uint32_t rank, auto& board) {
                std::mt19937 random(SEED); // the same in all processes
                for (uint32_t exchange = 0; exchange < 300; ++exchange)
                {
                    std::vector<std::vector<std::string>> all(size);
                    for (auto& parcels : all)
                    {
                        for (uint32_t to = 0; to < size; ++to)
                        {
                            const std::size_t length = lengths[random() % lengths.size()];
                            parcels.emplace_back(length, static_cast<char>('a' + random() % 26));
                        }
                    }
                    std::vector<const std::string*> own;
                    for (const std::string& parcel : all[rank])
                    {
                        own.push_back(parcel.empty() && exchange % 2 == 0 ? nullptr : &parcel);
                    }
                    const int64_t value = int64_t{exchange} << 32 | rank;
                    const auto& result = board.Exchange({value, -value}, own);
                    for (uint32_t from = 0; from < size; ++from)
                    {
                        const int64_t theirs = int64_t{exchange} << 32 | from;
                        Want(result.values[from][0] == theirs, "first number");
                        Want(result.values[from][1] == -theirs, "second number");
                        Want(result.values[from][2] == 0, "a number that is not given");
                        Want(result.bytes[from] == all[from][rank],
                             "exchange " + std::to_string(exchange) + ", " +
                                 std::to_string(result.bytes[from].size()) + " B from " +
                                 std::to_string(from));
                    }
                }
            });
            NS_TEST_EXPECT_MSG_EQ(thrown, "", size << " processes");
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A text for all is written once: with 64 bytes of room 64 bytes for three take one round.
 */
class SameTextTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const std::string thrown = RunTogether(3, 64, [](uint32_t rank, auto& board) {
            const std::string own(64, static_cast<char>('a' + rank));
            const auto& result = board.Exchange({}, {&own, &own, &own});
            for (uint32_t from = 0; from < 3; ++from)
            {
                Want(result.bytes[from] == std::string(64, static_cast<char>('a' + from)), "text");
            }
        });
        NS_TEST_EXPECT_MSG_EQ(thrown, "", "three processes");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief How processes end: all well, one by a refusal, another exception, a signal, an exit; and
 * what waits for it learns the reason.
 */
class EndTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const auto end = [](const std::function<void()>& last) {
            return RunTogether(3, 64, [&last](uint32_t rank, auto& board) {
                board.Exchange({}, {});
                if (rank == 2)
                {
                    last();
                }
                board.Exchange({}, {}); // 0 and 1 wait here for 2
            });
        };
        NS_TEST_EXPECT_MSG_EQ(end([] {}), "", "all is well");
        NS_TEST_EXPECT_MSG_EQ(
            end([] { throw FabricError(FabricTerm::Option("cores", "3") + " is odd"); }),
            "refused: core 2: cores=3 is odd",
            "with its terms");
        NS_TEST_EXPECT_MSG_EQ(end([] { throw std::bad_alloc(); }), "no memory", "likewise");
        NS_TEST_EXPECT_MSG_EQ(end([] { throw std::logic_error("odd"); }), "core 2: odd", "other");
        NS_TEST_EXPECT_MSG_EQ(end([] { throw 2; }),
                              "core 2: an exception without words",
                              "no exception of the library");
        NS_TEST_EXPECT_MSG_EQ(end([] { kill(getpid(), SIGKILL); }),
                              "core 2: its process was ended by signal 9 (Killed), status 137",
                              "128 + 9");
        NS_TEST_EXPECT_MSG_EQ(end([] { _exit(7); }),
                              "core 2: its process has ended with status 7, status 7",
                              "without a word");
        NS_TEST_EXPECT_MSG_EQ(end([] { _exit(0); }),
                              "core 2: its process has ended with status 0, status 1",
                              "too early");
        const std::string cut = end([] { throw FabricError(std::string(20000, 'x')); });
        NS_TEST_EXPECT_MSG_EQ(cut,
                              "refused: core 2: " + std::string(SharedBoard::NOTE_BYTES / 2, 'x'),
                              "a long reason is cut");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What ranks ask one another; before they are divided there is one.
 */
class QuestionsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// What each of three ranks asks.
    static void Ask(CoreCommunicator& ranks)
    {
        const uint32_t rank = ranks.GetRank();
        Want(ranks.Sum(uint64_t{1} << (62 + rank % 2)) == 0, "2^62 + 2^63 + 2^62 is 2^64");
        const int64_t value = rank;
        std::vector<int64_t> few{value, -value, 5};
        ranks.MaxOfEach(few);
        Want(few == std::vector<int64_t>{2, 0, 5}, "three questions");
        std::vector<int64_t> many(100, -value);
        many[rank] = INT64_MAX - value;
        ranks.MaxOfEach(many);
        Want(many[0] == INT64_MAX && many[2] == INT64_MAX - 2 && many[3] == 0, "many questions");
        const std::string text(rank * 3'000'000, static_cast<char>('a' + rank));
        Want(ranks.GatherAll(text)[2].size() == 6'000'000, "more than there is room for");
        const std::vector<std::string> told = ranks.Gather(text);
        Want(rank > 0 ? told.empty() : told.size() == 2 && told[0][0] == 'b', "to rank 0");
    }

    void DoRun() override
    {
        CoreCommunicator ranks(3);
        std::vector<int64_t> values{1, 2};
        ranks.MaxOfEach(values);
        NS_TEST_EXPECT_MSG_EQ(ranks.GetRank(), 0, "the first");
        NS_TEST_EXPECT_MSG_EQ(ranks.Sum(7), 7, "of one");
        NS_TEST_EXPECT_MSG_EQ(ranks.Gather("x").size(), 0, "no others");
        NS_TEST_EXPECT_MSG_EQ(ranks.GatherAll("x").at(0), "x", "itself");
        ranks.Divide();
        std::string thrown;
        try
        {
            Ask(ranks);
            ranks.Finish();
        }
        catch (const std::exception& error)
        {
            thrown = error.what();
            ranks.Fail(std::current_exception());
        }
        NS_TEST_EXPECT_MSG_EQ(thrown, "", "none of the three objects");
        NS_TEST_EXPECT_MSG_EQ(ranks.IsOver(), true, "helpers have ended");
    }
};

/// Joins the suite.
const SuiteCases g_cases("dcfabric-cores", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new BoardTestCase("parcels of all lengths"));
    suite.AddTestCase(new SameTextTestCase("a text for all"));
    suite.AddTestCase(new EndTestCase("one of several processes ends"));
    suite.AddTestCase(new QuestionsTestCase("questions"));
});

} // namespace ns3::tests::cores_test
