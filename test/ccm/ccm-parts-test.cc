// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-suite.h"

#include "ns3/aged-table.h"
#include "ns3/ccm-claims.h"
#include "ns3/ccm-routes.h"
#include "ns3/light-path-choice.h"
#include "ns3/load-level.h"
#include "ns3/phantom-queue.h"
#include "ns3/queued-flows.h"
#include "ns3/recent-packets.h"
#include "ns3/test.h"

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <map>
#include <random>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief The parts of coordinated congestion management on switches, each by itself. Times in ps.
 */

namespace ns3::tests::ccm_parts_test
{

/**
 * @param src source
 * @param pdc its PDC there
 * @return a flow
 */
CcmFlow
Flow(uint32_t src, uint32_t pdc)
{
    return {{src, 9, static_cast<uint16_t>(pdc)}, pdc};
}

/**
 * @ingroup dcfabric-tests
 * @brief How busy a line is. At 100 Gb/s 11.25 bytes leave a phantom queue in a ns.
 */
class PhantomQueueTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        PhantomQueue queue;
        queue.Configure(100000000000, 3000);
        NS_TEST_EXPECT_MSG_EQ(queue.GetBytes(5), 0, "nothing yet");
        // at line rate a packet of 1082 bytes comes each 86.56 ns, in which 973.8 leave
        int64_t nowPs = 0;
        for (int packet = 0; packet < 10; ++packet)
        {
            nowPs = packet * 86560;
            queue.Add(1082, nowPs);
        }
        NS_TEST_EXPECT_MSG_EQ(queue.GetBytes(nowPs), 2055, "1082 + 9 x 108.2");
        NS_TEST_EXPECT_MSG_EQ(queue.GetBytes(nowPs + 100000), 930, "1125 less");
        NS_TEST_EXPECT_MSG_EQ(queue.GetBytes(nowPs + 182738), 0, "2055.8 / 11.25 ns later");
        for (int packet = 0; packet < 20; ++packet)
        {
            queue.Add(1082, nowPs);
        }
        NS_TEST_EXPECT_MSG_EQ(queue.GetBytes(nowPs), 3000, "bounded");
        NS_TEST_EXPECT_MSG_EQ(queue.GetBytes(nowPs + 266667), 0, "idle soon");
        // at 90 % of the line it does not grow
        queue.Configure(100000000000, 3000);
        for (int packet = 0; packet < 1000; ++packet)
        {
            queue.Add(900, packet * 80000);
        }
        NS_TEST_EXPECT_MSG_EQ(queue.GetBytes(999 * 80000), 900, "the last packet");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Light, heavy, and the last verdict between.
 */
class LoadLevelTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        LoadLevel level;
        NS_TEST_EXPECT_MSG_EQ(level.Update(1000000000), false, "without thresholds always light");
        level.Configure(100, 200);

        const struct
        {
            uint64_t bytes;
            bool heavy;
            const char* why;
        } steps[] = {{0, false, "empty"},
                     {199, false, "rising below the threshold"},
                     {200, true, "at it"},
                     {201, true, "above"},
                     {101, true, "falling, above the lower one"},
                     {199, true, "again"},
                     {100, false, "at the lower one"},
                     {101, false, "rising again"},
                     {5000, true, "at once"},
                     {0, false, "at once"}};

        bool before = false;
        for (const auto& step : steps)
        {
            const bool changed = level.Update(step.bytes);
            NS_TEST_EXPECT_MSG_EQ(level.IsHeavy(), step.heavy, step.why);
            NS_TEST_EXPECT_MSG_EQ(changed, (step.heavy != before), step.why);
            before = step.heavy;
        }
        level.Update(150);
        level.Configure(10, 20);
        NS_TEST_EXPECT_MSG_EQ(level.IsHeavy(), false, "a new rate changes nothing by itself");
        level.Update(150);
        NS_TEST_EXPECT_MSG_EQ(level.IsHeavy(), true, "but at the next look");
        NS_TEST_EXPECT_MSG_EQ(level.GetHighBytes(), 20, "as configured");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Which path, and how many.
 */
class LightPathChoiceTestCase : public NamedCase
{
    using NamedCase::NamedCase;
    using Paths = std::vector<LightPathChoice::Path>; //!< short name

    /**
     * @brief Choose.
     * @param paths all
     * @param present port
     * @param mayMove it may move
     * @param hash of the flow
     * @param port expected
     * @param nLight expected
     * @param why of the case
     */
    void Expect(const Paths& paths,
                uint16_t present,
                bool mayMove,
                uint32_t hash,
                uint16_t port,
                uint16_t nLight,
                const std::string& why)
    {
        const auto result = LightPathChoice::Choose(paths, present, mayMove, hash);
        NS_TEST_EXPECT_MSG_EQ(result.port, port, why);
        NS_TEST_EXPECT_MSG_EQ(result.nLight, nLight, why);
    }

    void DoRun() override
    {
        const Paths all{{4, true, 500}, {5, true, 300}, {6, true, 300}};
        for (uint32_t hash = 0; hash < 6; ++hash)
        {
            Expect(all, 4, true, hash, 4, 3, "light where it is: stays, though others are better");
        }
        const Paths two{{4, false, 900}, {5, true, 300}, {6, true, 300}};
        Expect(two, 4, true, 0, 5, 2, "hash 0 looks at 4, 5, 6");
        Expect(two, 4, true, 1, 5, 2, "hash 1 looks at 5, 6, 4");
        Expect(two, 4, true, 2, 6, 2, "hash 2 looks at 6, 4, 5");
        Expect(two, 4, true, 3, 5, 2, "modulo 3");
        Expect(two, 4, false, 0, 4, 2, "held");
        Expect(two, 6, true, 0, 6, 2, "light where it is");
        Expect({{4, false, 900}, {5, true, 400}, {6, true, 300}}, 4, true, 1, 6, 2, "least waits");
        Expect({{4, false, 900}, {5, true, 400}}, 4, true, 1, 5, 1, "one light path");
        Expect({{4, true, 900}, {5, false, 0}}, 4, true, 1, 4, 1, "the one it has");
        Expect({{4, false, 1}, {5, false, 0}}, 4, true, 0, 4, 0, "none: stays");
        Expect({{4, false, 1}}, 4, true, 7, 4, 0, "no choice, and heavy");
        Expect({{4, true, 1}}, 4, true, 7, 4, 1, "no choice");
        Expect({}, 4, true, 7, 4, 0, "no path at all");
        Expect({{5, true, 1}}, 4, true, 7, 5, 1, "what it had is no path any more");
        const Paths taken{{4, false, 900}, {5, true, 300, false}, {6, true, 400}};
        Expect(taken, 4, true, 0, 6, 2, "5 has just taken a flow");
        Expect({{4, false, 900}, {5, true, 3, false}},
               4,
               true,
               0,
               4,
               1,
               "waits, with a light path");
        Expect({{4, true, 9, false}}, 4, true, 0, 4, 1, "where it is it may stay");
        Expect({{5, true, 1, false}}, 4, true, 7, 5, 1, "it has to go somewhere");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A table against one that keeps everything: seeds are printed.
 */
class AgedTableTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        AgedTable<int> table(100, 2);
        NS_TEST_EXPECT_MSG_EQ((table.Find(1, 0) == nullptr), true, "empty");
        *table.Touch(1, 0) = 11;
        *table.Touch(2, 50) = 22;
        NS_TEST_EXPECT_MSG_EQ((table.Touch(3, 100) == nullptr), true, "full: 1 is 100 old");
        NS_TEST_EXPECT_MSG_EQ(*table.Find(1, 100), 11, "still there");
        NS_TEST_EXPECT_MSG_EQ((table.Find(1, 101) == nullptr), true, "101 old");
        NS_TEST_EXPECT_MSG_EQ(table.GetSize(), 2, "not yet looked for");
        NS_TEST_EXPECT_MSG_EQ((table.Touch(3, 101) != nullptr), true, "takes its place");
        NS_TEST_EXPECT_MSG_EQ(*table.Touch(2, 150), 22, "touched, 100 old");
        NS_TEST_EXPECT_MSG_EQ(*table.Touch(2, 251), 0, "101 old: anew");
        table.Erase(3);
        NS_TEST_EXPECT_MSG_EQ((table.Touch(4, 251) != nullptr), true, "room after Erase()");
        AgedTable<int> none(100, 0);
        NS_TEST_EXPECT_MSG_EQ((none.Touch(1, 0) == nullptr), true, "no room at all");

        for (const uint32_t seed : {1, 2, 3})
        {
            std::cout << "aged table: seed " << seed << std::endl;
            Compare(seed);
        }
    }

    /// Random operations. @param seed of these
    void Compare(uint32_t seed)
    {
        std::mt19937 random(seed);
        AgedTable<int> table(40, 8);
        std::map<uint64_t, std::pair<int64_t, int>> model;
        int64_t nowPs = 0;
        for (int step = 0; step < 5000; ++step)
        {
            nowPs += random() % 4;
            const uint64_t flow = random() % 16;
            const auto isOld = [&](uint64_t number) { return nowPs - model[number].first > 40; };
            const bool known = model.count(flow) > 0;
            if (random() % 3 == 0)
            {
                const int* found = table.Find(flow, nowPs);
                NS_TEST_ASSERT_MSG_EQ((found != nullptr), (known && !isOld(flow)), step);
                NS_TEST_ASSERT_MSG_EQ((!found || *found == model[flow].second), true, step);
                continue;
            }
            if (!known && model.size() >= 8)
            {
                for (auto entry = model.begin(); entry != model.end();)
                {
                    entry = isOld(entry->first) ? model.erase(entry) : std::next(entry);
                }
            }
            int* value = table.Touch(flow, nowPs);
            NS_TEST_ASSERT_MSG_EQ((value != nullptr), (known || model.size() < 8), step);
            if (value)
            {
                NS_TEST_ASSERT_MSG_EQ(*value,
                                      (known && !isOld(flow) ? model[flow].second : 0),
                                      step);
                *value = step;
                model[flow] = {nowPs, step};
            }
            NS_TEST_ASSERT_MSG_EQ(table.GetSize(), model.size(), step);
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Moves, holds and reports of a flow. Timeout 1000, hold 100, reports hold for 300.
 */
class CcmRoutesTestCase : public NamedCase
{
    using NamedCase::NamedCase;
    using Source = CcmRoutes::Source; //!< short name

    void DoRun() override
    {
        CcmRoutes routes({1000, 100, 300, 2});
        NS_TEST_EXPECT_MSG_EQ((routes.Find(7, 0) == nullptr), true, "unknown");
        NS_TEST_EXPECT_MSG_EQ(routes.MayMove(nullptr, 0), true, "unknown: may move");
        NS_TEST_EXPECT_MSG_EQ(CcmRoutes::IsReported(nullptr, 1, 0), false, "unknown");

        NS_TEST_EXPECT_MSG_EQ(routes.Move(7, 1, 50), true, "first move");
        NS_TEST_EXPECT_MSG_EQ(routes.Find(7, 50)->port, 1, "there");
        NS_TEST_EXPECT_MSG_EQ(routes.MayMove(routes.Find(7, 149), 149), false, "99 later");
        NS_TEST_EXPECT_MSG_EQ(routes.MayMove(routes.Find(7, 150), 150), true, "100 later");
        NS_TEST_EXPECT_MSG_EQ(routes.Take(7, 1, Source::UNKNOWN, 149),
                              false,
                              "a report just after the move");
        NS_TEST_EXPECT_MSG_EQ(CcmRoutes::IsReported(routes.Find(7, 149), 1, 149),
                              false,
                              "has no effect");
        NS_TEST_EXPECT_MSG_EQ(routes.Take(7, 1, Source::UNKNOWN, 150), true, "a later one");
        const auto* route = routes.Find(7, 150);
        NS_TEST_EXPECT_MSG_EQ(CcmRoutes::IsReported(route, 1, 449), true, "299 later");
        NS_TEST_EXPECT_MSG_EQ(CcmRoutes::IsReported(route, 1, 450), false, "300 later");
        NS_TEST_EXPECT_MSG_EQ(CcmRoutes::IsReported(route, 2, 150), false, "another port");
        NS_TEST_EXPECT_MSG_EQ(routes.MayMove(route, 150), true, "a report is no move");

        // a report of a flow that was never moved
        NS_TEST_EXPECT_MSG_EQ(routes.Take(8, 3, Source::UNKNOWN, 200), true, "second flow");
        NS_TEST_EXPECT_MSG_EQ(routes.Find(8, 200)->port, 3, "its port");
        NS_TEST_EXPECT_MSG_EQ(routes.Take(9, 3, Source::UNKNOWN, 200),
                              false,
                              "no room for a third");
        NS_TEST_EXPECT_MSG_EQ(routes.Move(9, 3, 200), false, "likewise");
        NS_TEST_EXPECT_MSG_EQ(routes.HasRoom(200), false, "likewise");

        // a pause: all is forgotten, the hold as well
        NS_TEST_EXPECT_MSG_EQ((routes.Find(7, 1150) != nullptr), true, "1000 after the report");
        routes.Keep(7, 1150);
        NS_TEST_EXPECT_MSG_EQ((routes.Find(7, 2150) != nullptr), true, "1000 after a packet");
        NS_TEST_EXPECT_MSG_EQ((routes.Find(7, 2151) == nullptr), true, "1001");
        routes.Keep(7, 2151);
        NS_TEST_EXPECT_MSG_EQ(routes.Find(7, 2151)->port, FabricPacketItem::NO_PORT, "anew");
        NS_TEST_EXPECT_MSG_EQ(routes.HasRoom(2151), true, "8 is old");
        CheckReports();
        CheckSources();
    }

    /// Reports of neighbors: what is about the port that a flow has counts at once.
    void CheckSources()
    {
        CcmRoutes routes({100000, 100, 300, 1});
        routes.Move(7, 1, 50);
        NS_TEST_EXPECT_MSG_EQ(routes.Take(7, 1, Source::FORMER, 60), false, "a port it has left");
        NS_TEST_EXPECT_MSG_EQ(routes.Take(7, 1, Source::FORMER, 950), false, "however late");
        routes.Move(7, 2, 1000);
        NS_TEST_EXPECT_MSG_EQ(routes.MayMove(routes.Find(7, 1001), 1001), false, "held");
        NS_TEST_EXPECT_MSG_EQ(routes.Take(7, 2, Source::PRESENT, 1001), true, "its port");
        const auto* route = routes.Find(7, 1001);
        NS_TEST_EXPECT_MSG_EQ(CcmRoutes::IsReported(route, 2, 1001), true, "reported");
        NS_TEST_EXPECT_MSG_EQ(routes.MayMove(route, 1001), true, "no longer held");
    }

    /// More ports are reported than are remembered, and one again.
    void CheckReports()
    {
        CcmRoutes routes({100000, 0, 1000, 1});
        constexpr uint16_t LAST = CcmRoutes::MAX_REPORTED + 1;
        for (uint16_t port = 1; port <= LAST; ++port)
        {
            routes.Take(7, port, Source::UNKNOWN, port); // until 1001, 1002, ...
        }
        const auto* route = routes.Find(7, 60);
        NS_TEST_EXPECT_MSG_EQ(CcmRoutes::IsReported(route, 1, 60), false, "the oldest made room");
        for (uint16_t port = 2; port <= LAST; ++port)
        {
            NS_TEST_EXPECT_MSG_EQ(CcmRoutes::IsReported(route, port, 60), true, port);
        }
        routes.Take(7, 3, Source::UNKNOWN, 500); // until 1500
        route = routes.Find(7, 1100);
        for (uint16_t port = 1; port <= LAST; ++port)
        {
            NS_TEST_EXPECT_MSG_EQ(CcmRoutes::IsReported(route, port, 1100), (port == 3), port);
        }
        routes.Erase(7);
        NS_TEST_EXPECT_MSG_EQ(routes.GetSize(), 0, "forgotten");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Claims: told, refreshed, released. Refresh 100, release 40, timeout 250.
 */
class CcmClaimsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief Review.
     * @param claims under test
     * @param nowPs time
     * @param expected type and source of messages, as `1:5 2:6`
     * @param nextPs when the next review is due
     */
    void Review(CcmClaims& claims, int64_t nowPs, const std::string& expected, int64_t nextPs)
    {
        std::string found;
        for (const auto& message : claims.Review(nowPs))
        {
            found += (found.empty() ? "" : " ") + std::to_string(message.kind) + ":" +
                     std::to_string(message.flow.key.src);
        }
        NS_TEST_EXPECT_MSG_EQ(found, expected, "at " << nowPs);
        NS_TEST_EXPECT_MSG_EQ(claims.GetNextPs(), nextPs, "next, at " << nowPs);
    }

    void DoRun() override
    {
        CcmClaims claims({100, 40, 250, 3});
        Review(claims, 0, "", FabricTime::NEVER);
        NS_TEST_EXPECT_MSG_EQ(claims.Claim(Flow(6, 0), 2, 10), true, "new");
        NS_TEST_EXPECT_MSG_EQ(claims.Claim(Flow(5, 0), CcmClaims::NO_PATH, 20), true, "new");
        NS_TEST_EXPECT_MSG_EQ(claims.Claim(Flow(6, 0), 2, 30), false, "known");
        NS_TEST_EXPECT_MSG_EQ(claims.Claim(Flow(6, 1), 3, 40), true, "another PDC");
        NS_TEST_EXPECT_MSG_EQ(claims.Claim(Flow(7, 0), 3, 40), false, "no room");
        NS_TEST_EXPECT_MSG_EQ(claims.GetSize(), 3, "three");
        Review(claims, 109, "", 110);
        Review(claims, 110, "1:6", 120);     // 6.0 was told at 10
        Review(claims, 145, "1:5 1:6", 210); // 5.0 of 20, 6.1 of 40
        claims.SetOutputOver(2, true, 150);  // 6.0
        claims.SetOutputOver(2, true, 160);  // known
        NS_TEST_EXPECT_MSG_EQ(claims.GetNextPs(), 190, "150 + 40");
        claims.SetOutputOver(2, false, 170); // came back
        NS_TEST_EXPECT_MSG_EQ(claims.GetNextPs(), 210, "110 + 100");
        claims.SetOutputOver(2, true, 180); // over for good
        NS_TEST_EXPECT_MSG_EQ(claims.SetOver(Flow(5, 0).GetNumber(), true, 200), true, "new");
        NS_TEST_EXPECT_MSG_EQ(claims.SetOver(Flow(5, 0).GetNumber(), true, 205), false, "known");
        NS_TEST_EXPECT_MSG_EQ(claims.SetOver(Flow(8, 0).GetNumber(), true, 205), false, "unknown");
        Review(claims, 219, "", 220);
        Review(claims, 220, "2:6", 240); // 180 + 40
        NS_TEST_EXPECT_MSG_EQ((claims.See(Flow(6, 0).GetNumber(), 221) == nullptr), true, "gone");
        NS_TEST_EXPECT_MSG_EQ(*claims.See(Flow(6, 1).GetNumber(), 221), 3, "reason");
        NS_TEST_EXPECT_MSG_EQ(claims.Claim(Flow(5, 0), CcmClaims::NO_PATH, 230),
                              false,
                              "claimed again before its release: goes on");
        Review(claims, 245, "1:5 1:6", 345); // both told at 145
        Review(claims, 400, "1:5 1:6", 471); // 221 + 250, before 500
        Review(claims, 471, "2:6", 480);     // nothing came of 6.1
        Review(claims, 480, "2:5", FabricTime::NEVER);
        Review(claims, 480, "", FabricTime::NEVER);
        // two reasons at a time: the latest counts
        claims.Claim(Flow(5, 0), 1, 500);
        claims.Claim(Flow(5, 0), 2, 510);
        claims.SetOutputOver(1, true, 520);
        Review(claims, 600, "1:5", 700);
        claims.SetOutputOver(2, true, 610);
        Review(claims, 650, "2:5", FabricTime::NEVER);
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Whose bytes wait.
 */
class QueuedFlowsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        QueuedFlows flows;
        NS_TEST_EXPECT_MSG_EQ(flows.HasShare(1, 0), false, "does not wait");
        flows.Enter(1, 1000);
        NS_TEST_EXPECT_MSG_EQ(flows.HasShare(1, 1), true, "alone it has the mean");
        flows.Enter(2, 1000);
        flows.Enter(1, 1000);
        flows.Enter(3, 600);
        // 2000, 1000 and 600: 3600 in all, 1200 on average
        NS_TEST_EXPECT_MSG_EQ(flows.GetBytes(), 3600, "sum");
        NS_TEST_EXPECT_MSG_EQ(flows.GetSize(), 3, "flows");
        NS_TEST_EXPECT_MSG_EQ(flows.HasShare(1, 1), true, "above the mean");
        NS_TEST_EXPECT_MSG_EQ(flows.HasShare(2, 1), false, "below");
        NS_TEST_EXPECT_MSG_EQ(flows.HasShare(3, 0.5), true, "just half of it");
        flows.Enter(1, 3);
        NS_TEST_EXPECT_MSG_EQ(flows.HasShare(3, 0.5), false, "half is 600.5 now");
        NS_TEST_EXPECT_MSG_EQ(flows.HasShare(3, 0), true, "waits");
        flows.Leave(3, 600);
        NS_TEST_EXPECT_MSG_EQ(flows.HasShare(3, 0), false, "waits no more");
        flows.Leave(3, 600);
        flows.Leave(4, 600);
        NS_TEST_EXPECT_MSG_EQ(flows.GetBytes(), 3003, "what is not there cannot leave");
        flows.Leave(2, 5000);
        NS_TEST_EXPECT_MSG_EQ(flows.GetBytes(), 2003, "nor more than there is");
        NS_TEST_EXPECT_MSG_EQ(flows.GetSize(), 1, "one left");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief An incast on its way: half of what waits is for one receiver, and not from one source.
 */
class RecentPacketsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        RecentPackets last;
        NS_TEST_EXPECT_MSG_EQ(last.IsIncast(1, 9, 10000), false, "no packet has come");
        last.Add(1, 9, 1000);
        NS_TEST_EXPECT_MSG_EQ(last.IsIncast(1, 9, 10000), false, "alone");
        NS_TEST_EXPECT_MSG_EQ(last.IsIncast(2, 9, 10000), true, "1000 of 1000 from elsewhere");
        NS_TEST_EXPECT_MSG_EQ(last.IsIncast(2, 8, 10000), false, "to another receiver");
        NS_TEST_EXPECT_MSG_EQ(last.IsIncast(2, 9, 0), false, "nothing waits");
        last.Add(2, 9, 1000);
        last.Add(3, 8, 1999);
        NS_TEST_EXPECT_MSG_EQ(last.IsIncast(1, 9, 10000), true, "2000 of 3999");
        NS_TEST_EXPECT_MSG_EQ(last.IsIncast(3, 8, 10000), false, "a flow that shares the path");
        NS_TEST_EXPECT_MSG_EQ(last.IsIncast(1, 9, 1000), false, "only the last one waits");
        last.Add(3, 8, 2);
        NS_TEST_EXPECT_MSG_EQ(last.IsIncast(1, 9, 10000), false, "2000 of 4001");

        // an all-to-all: 31 receivers in turn, each from two sources
        for (uint32_t i = 0; i < 3 * RecentPackets::SIZE; ++i)
        {
            last.Add(i % 2, 100 + i % 31, 1000);
        }
        for (uint32_t receiver = 100; receiver < 131; ++receiver)
        {
            NS_TEST_EXPECT_MSG_EQ(last.IsIncast(0, receiver, 1000000), false, receiver);
        }
        NS_TEST_EXPECT_MSG_EQ(last.IsIncast(1, 9, 1000000), false, "long forgotten");
        for (uint32_t i = 0; i < RecentPackets::SIZE / 2 - 1; ++i)
        {
            last.Add(i % 2, 9, 1000);
        }
        NS_TEST_EXPECT_MSG_EQ(last.IsIncast(0, 9, 1000000), false, "15 of the last 32");
        last.Add(0, 9, 1000);
        NS_TEST_EXPECT_MSG_EQ(last.IsIncast(0, 9, 1000000), true, "16 of them");
    }
};

/// Parts of coordinated congestion management.
const SuiteCases g_cases("dcfabric-switch", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new PhantomQueueTestCase("phantom queue: a busy line without a queue"));
    suite.AddTestCase(new LoadLevelTestCase("load level: thresholds and what lies between"));
    suite.AddTestCase(new LightPathChoiceTestCase("light paths: count and choice"));
    suite.AddTestCase(new AgedTableTestCase("aged table: room, age, against a model"));
    suite.AddTestCase(new CcmRoutesTestCase("routes of flows: moves, hold, reports"));
    suite.AddTestCase(new CcmClaimsTestCase("claims: told, refreshed, released"));
    suite.AddTestCase(new QueuedFlowsTestCase("queued flows: bytes and shares"));
    suite.AddTestCase(new RecentPacketsTestCase("recent packets: an incast on its way"));
});

} // namespace ns3::tests::ccm_parts_test
