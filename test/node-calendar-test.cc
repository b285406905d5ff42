// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-suite.h"

#include "ns3/fabric-time.h"
#include "ns3/node-calendar.h"
#include "ns3/test.h"

#include <map>
#include <random>
#include <tuple>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief The calendar of a node against a sorted container, and the conversion of times.
 */

namespace ns3::tests::node_calendar_test
{

/// What an entry is sorted by.
using Key = std::tuple<int64_t, int, uint32_t>;

/**
 * @param entry an entry
 * @return the key of an entry
 */
Key
KeyOf(const NodeCalendar::Entry& entry)
{
    return {entry.timePs, static_cast<int>(entry.GetKind()), entry.GetId()};
}

/**
 * @ingroup dcfabric-tests
 * @brief Order of time, kind and id, whatever the order of entry.
 */
class CalendarOrderTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        NodeCalendar calendar;
        NS_TEST_EXPECT_MSG_EQ(calendar.IsEmpty(), true, "new");
        NS_TEST_EXPECT_MSG_EQ(calendar.GetSize(), 0, "new");
        calendar.Push(20, CalendarKind::TRANSMIT, 0);
        calendar.Push(10, CalendarKind::TIMER, 0);
        calendar.Push(10, CalendarKind::PORT, 7);
        calendar.Push(10, CalendarKind::RETRY, 3);
        calendar.Push(10, CalendarKind::ARRIVAL, UINT32_MAX);
        calendar.Push(10, CalendarKind::ARRIVAL, 2);
        calendar.Push(10, CalendarKind::CALL, 0);
        calendar.Push(10, CalendarKind::LINK, 11);
        calendar.Push(10, CalendarKind::TRANSMIT, 9);
        calendar.Push(9, CalendarKind::TIMER, UINT32_MAX);
        const std::vector<Key> expected = {{9, 6, UINT32_MAX},
                                           {10, 0, 11},
                                           {10, 1, 0},
                                           {10, 2, 9},
                                           {10, 3, 2},
                                           {10, 3, UINT32_MAX},
                                           {10, 4, 7},
                                           {10, 5, 3},
                                           {10, 6, 0},
                                           {20, 2, 0}};
        std::size_t left = expected.size();
        for (const Key& key : expected)
        {
            NS_TEST_EXPECT_MSG_EQ(calendar.GetSize(), left--, "size");
            NS_TEST_EXPECT_MSG_EQ((KeyOf(calendar.Pop()) == key), true, "order");
        }
        NS_TEST_EXPECT_MSG_EQ(calendar.IsEmpty(), true, "all popped");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The hole that a popped entry leaves at the root.
 */
class CalendarHoleTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        NodeCalendar calendar;
        // one entry, popped and replaced again and again: the calendar never grows
        calendar.Push(1, CalendarKind::ARRIVAL, 0);
        for (int64_t i = 1; i < 100; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(calendar.Pop().timePs, i, "the one entry");
            NS_TEST_EXPECT_MSG_EQ(calendar.IsEmpty(), true, "it is being handled");
            calendar.Push(i + 1, CalendarKind::ARRIVAL, 0);
            NS_TEST_EXPECT_MSG_EQ(calendar.GetSize(), 1, "replaced");
        }
        // twice popped without a push between: the first hole is closed by the last entry
        calendar.Push(200, CalendarKind::ARRIVAL, 0);
        calendar.Push(150, CalendarKind::ARRIVAL, 0);
        NS_TEST_EXPECT_MSG_EQ(calendar.Pop().timePs, 100, "first");
        NS_TEST_EXPECT_MSG_EQ(calendar.Pop().timePs, 150, "second");
        NS_TEST_EXPECT_MSG_EQ(calendar.GetSize(), 1, "one left beside the hole");
        // one push fills the hole, the next one is appended
        calendar.Push(201, CalendarKind::ARRIVAL, 0);
        calendar.Push(199, CalendarKind::ARRIVAL, 0);
        NS_TEST_EXPECT_MSG_EQ(calendar.Top().timePs, 199, "the appended one is first");
        NS_TEST_EXPECT_MSG_EQ(calendar.Pop().timePs, 199, "");
        NS_TEST_EXPECT_MSG_EQ(calendar.Pop().timePs, 200, "");
        NS_TEST_EXPECT_MSG_EQ(calendar.Pop().timePs, 201, "");
        NS_TEST_EXPECT_MSG_EQ(calendar.IsEmpty(), true, "");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Random pushes and pops, as a node makes them, against std::multimap.
 */
class CalendarPropertyTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        constexpr uint32_t SEED = 20260101;
        std::mt19937 random(SEED);
        NodeCalendar calendar;
        std::multimap<Key, int> sorted;
        int64_t now = 0;
        for (int step = 0; step < 200000; ++step)
        {
            // few times and ids, so that ties are frequent; the size goes up and down
            const bool grow = random() % 100 < (step / 1000 % 2 ? 40U : 60U);
            if (grow || sorted.empty())
            {
                const int64_t time = now + random() % 20;
                const auto kind = static_cast<CalendarKind>(random() % 5);
                const uint32_t id = random() % 5;
                calendar.Push(time, kind, id);
                sorted.insert({{time, static_cast<int>(kind), id}, 0});
            }
            else
            {
                if (random() % 2)
                {
                    NS_TEST_ASSERT_MSG_EQ((KeyOf(calendar.Top()) == sorted.begin()->first),
                                          true,
                                          "top, seed " << SEED << " step " << step);
                }
                NS_TEST_ASSERT_MSG_EQ((KeyOf(calendar.Pop()) == sorted.begin()->first),
                                      true,
                                      "pop, seed " << SEED << " step " << step);
                now = std::get<0>(sorted.begin()->first);
                sorted.erase(sorted.begin());
            }
            NS_TEST_ASSERT_MSG_EQ(calendar.GetSize(),
                                  sorted.size(),
                                  "size, seed " << SEED << " step " << step);
            NS_TEST_ASSERT_MSG_EQ(calendar.IsEmpty(), sorted.empty(), "empty");
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Picoseconds and ticks, at the resolution in force.
 */
class FabricTimeTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(FabricTime::ToPs(Seconds(0)), 0, "zero");
        NS_TEST_EXPECT_MSG_EQ(FabricTime::ToPs(MicroSeconds(3)), 3000000, "3 us");
        NS_TEST_EXPECT_MSG_EQ(FabricTime::ToPs(Seconds(3600)), 3600000000000000, "an hour");
        const int64_t tick = FabricTime::ToPs(TimeStep(1));
        NS_TEST_EXPECT_MSG_GT_OR_EQ(tick, 1, "tick");
        NS_TEST_EXPECT_MSG_EQ(FabricTime::ToTicks(0), 0, "zero");
        NS_TEST_EXPECT_MSG_EQ(FabricTime::ToTicks(1), 1, "begun ticks count");
        NS_TEST_EXPECT_MSG_EQ(FabricTime::ToTicks(5 * tick), 5, "whole ticks are exact");
        NS_TEST_EXPECT_MSG_EQ(FabricTime::ToTicks(5 * tick + 1), 6, "one more ps");
        NS_TEST_EXPECT_MSG_EQ(FabricTime::ToTicks(6 * tick - 1), 6, "one ps less");
        NS_TEST_EXPECT_MSG_EQ(FabricTime::FromPs(7 * tick).GetTimeStep(), 7, "Time");
        if (Time::GetResolution() == Time::NS)
        {
            NS_TEST_EXPECT_MSG_EQ(FabricTime::FromPs(1081600), NanoSeconds(1082), "1081.6 ns");
        }
    }
};

/// Calendar and times of a node.
const SuiteCases g_cases("dcfabric-link", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new CalendarOrderTestCase("entries come by time, then kind, then id"));
    suite.AddTestCase(
        new CalendarHoleTestCase("an entry made while another is handled fills its place"));
    suite.AddTestCase(
        new CalendarPropertyTestCase("equals a sorted container in 200,000 random operations"));
    suite.AddTestCase(new FabricTimeTestCase(
        "picoseconds are rounded up to ticks, ticks are exact in picoseconds"));
});

} // namespace ns3::tests::node_calendar_test
