// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-schedule.h"
#include "../fabric-test-suite.h"

#include "ns3/look-ahead-scheduler.h"
#include "ns3/make-event.h"
#include "ns3/map-scheduler.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <random>
#include <set>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief The scheduler that looks ahead, against a sorted container.
 */

namespace ns3::tests::look_ahead_scheduler_test
{

/// How times of new events are drawn, in ticks after the present.
struct TimePattern
{
    const char* name;          //!< for messages
    uint64_t near;             //!< most of them are up to this
    uint64_t far;              //!< one in twenty is up to this
    uint32_t population;       //!< pending events to reach
    uint32_t sameTimePerMille; //!< share of events at the present time
};

/**
 * @ingroup dcfabric-tests
 * @brief Random insertions and removals in the manner of a simulation: nothing before the present.
 */
class LookAheadRandomTestCase : public TestCase
{
  public:
    /// @param pattern of times
    explicit LookAheadRandomTestCase(const TimePattern& pattern)
        : TestCase(std::string("look-ahead scheduler against a set: ") + pattern.name),
          m_pattern(pattern)
    {
    }

  private:
    /// Time and uid, which is what orders events.
    using Key = std::pair<uint64_t, uint32_t>;

    /**
     * @param nowTicks the present
     * @return a time for a new event
     */
    uint64_t DrawTime(uint64_t nowTicks)
    {
        if (m_random() % 1000 < m_pattern.sameTimePerMille)
        {
            return nowTicks;
        }
        const uint64_t reach = m_random() % 20 == 0 ? m_pattern.far : m_pattern.near;
        return nowTicks + m_random() % (reach + 1);
    }

    /// Insert one event. @param nowTicks the present
    void Insert(uint64_t nowTicks)
    {
        Scheduler::Event event;
        event.impl = m_impl;
        event.key.m_ts = DrawTime(nowTicks);
        event.key.m_uid = m_uid++;
        event.key.m_context = 0;
        m_expected.insert({event.key.m_ts, event.key.m_uid});
        if (m_random() % 2)
        {
            m_scheduler->InsertNewest(m_impl, event.key.m_ts, event.key.m_uid, 0);
            return;
        }
        m_scheduler->Insert(event);
    }

    void DoRun() override
    {
        constexpr uint32_t SEED = 20261121;
        m_random.seed(SEED);
        m_impl = MakeEvent([]() {});
        m_scheduler = CreateObject<LookAheadScheduler>();
        m_scheduler->SetAttribute("LookAheadFrom", UintegerValue(0));
        NS_TEST_ASSERT_MSG_EQ(m_scheduler->IsEmpty(), true, "new");
        uint64_t nowTicks = 0;
        for (uint32_t step = 0; step < 60000; ++step)
        {
            // three phases: filling, steady state, draining
            const uint32_t wanted = step < 40000 ? m_pattern.population : 0;
            while (m_expected.size() < wanted && m_random() % 4 != 0)
            {
                Insert(nowTicks);
            }
            NS_TEST_ASSERT_MSG_EQ(m_scheduler->IsEmpty(),
                                  m_expected.empty(),
                                  "seed " << SEED << ", step " << step);
            if (m_expected.empty())
            {
                continue;
            }
            if (m_random() % 50 == 0)
            {
                RemoveAny();
                continue;
            }
            const Key first = *m_expected.begin();
            NS_TEST_ASSERT_MSG_EQ(m_scheduler->PeekNext().key.m_uid,
                                  first.second,
                                  "seed " << SEED << ", step " << step);
            const Scheduler::Event event = m_scheduler->RemoveNext();
            m_expected.erase(m_expected.begin());
            NS_TEST_ASSERT_MSG_EQ(event.key.m_ts,
                                  first.first,
                                  "seed " << SEED << ", step " << step);
            NS_TEST_ASSERT_MSG_EQ(event.key.m_uid,
                                  first.second,
                                  "seed " << SEED << ", step " << step);
            nowTicks = event.key.m_ts;
        }
        while (!m_expected.empty())
        {
            NS_TEST_ASSERT_MSG_EQ(m_scheduler->RemoveNext().key.m_uid,
                                  m_expected.begin()->second,
                                  "seed " << SEED << ", at the end");
            m_expected.erase(m_expected.begin());
        }
        NS_TEST_EXPECT_MSG_EQ(m_scheduler->IsEmpty(), true, "all have come");
        m_impl->Unref();
        m_scheduler = nullptr;
    }

    /// Remove an event anywhere in the order.
    void RemoveAny()
    {
        auto victim = m_expected.begin();
        std::advance(victim, m_random() % std::min<std::size_t>(m_expected.size(), 300));
        if (m_random() % 3 == 0)
        {
            victim = std::prev(m_expected.end());
        }
        Scheduler::Event event;
        event.impl = m_impl;
        event.key.m_ts = victim->first;
        event.key.m_uid = victim->second;
        event.key.m_context = 0;
        m_scheduler->Remove(event);
        m_expected.erase(victim);
    }

    TimePattern m_pattern;               //!< of times
    std::mt19937 m_random;               //!< draws
    std::set<Key> m_expected;            //!< what is pending
    Ptr<LookAheadScheduler> m_scheduler; //!< what is tested
    EventImpl* m_impl{nullptr};          //!< one for all
    uint32_t m_uid{4};                   //!< of the next event
};

/**
 * @ingroup dcfabric-tests
 * @brief Thousands of events of one time, before and after the scheduler has begun.
 */
class LookAheadSameTimeTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        constexpr uint32_t N = 20000;
        auto* impl = MakeEvent([]() {});
        const auto scheduler = CreateObject<LookAheadScheduler>();
        Scheduler::Event event;
        event.impl = impl;
        event.key.m_context = 0;
        for (uint32_t uid = 0; uid < N; ++uid)
        {
            event.key.m_ts = 1000;
            event.key.m_uid = uid;
            scheduler->Insert(event);
        }
        // an earlier one, an hour later in picoseconds, and the last time there is
        event.key.m_ts = 999;
        event.key.m_uid = N;
        scheduler->Insert(event);
        event.key.m_ts = 3600000000000000ULL;
        event.key.m_uid = N + 1;
        scheduler->Insert(event);
        event.key.m_ts = INT64_MAX;
        event.key.m_uid = N + 2;
        scheduler->Insert(event);
        NS_TEST_ASSERT_MSG_EQ(scheduler->RemoveNext().key.m_uid, N, "the earliest");
        for (uint32_t uid = 0; uid < N; ++uid)
        {
            NS_TEST_ASSERT_MSG_EQ(scheduler->RemoveNext().key.m_uid, uid, "in order");
        }
        NS_TEST_EXPECT_MSG_EQ(scheduler->RemoveNext().key.m_uid, N + 1, "an hour later");
        NS_TEST_EXPECT_MSG_EQ(scheduler->RemoveNext().key.m_uid, N + 2, "at the end of time");
        NS_TEST_EXPECT_MSG_EQ(scheduler->IsEmpty(), true, "no more");
        impl->Unref();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The near future gives events back to the wheel, whose last bucket is in use.
 *
 * Buckets of 1024 ticks, 128 of them: after the event at 0 the near future ends at 1024, and the
 * wheel reaches from bucket 1 to bucket 128, ticks 131072 to 132095. The 513th event of the near
 * future has its later half go back to bucket 0, which has the same place in the wheel as bucket
 * 128.
 */
class LookAheadTurnBackTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// Insert one event. @param tick its time
    void Insert(uint64_t tick)
    {
        Scheduler::Event event;
        event.impl = m_impl;
        event.key.m_ts = tick;
        event.key.m_uid = m_uid++;
        event.key.m_context = 0;
        m_scheduler->Insert(event);
        m_ticks.insert(tick);
    }

    void DoRun() override
    {
        m_impl = MakeEvent([]() {});
        m_scheduler = CreateObject<LookAheadScheduler>();
        Insert(0);
        Insert(131072); // the first of the last bucket
        Insert(132095); // and its last
        for (uint64_t tick = 1; tick <= 600; ++tick)
        {
            Insert(tick);
        }
        Insert(5000);
        Insert(140000);
        while (!m_ticks.empty())
        {
            NS_TEST_ASSERT_MSG_EQ(m_scheduler->RemoveNext().key.m_ts,
                                  *m_ticks.begin(),
                                  "in the order of time");
            m_ticks.erase(m_ticks.begin());
        }
        NS_TEST_EXPECT_MSG_EQ(m_scheduler->IsEmpty(), true, "no more");
        m_impl->Unref();
        m_scheduler = nullptr;
    }

    std::multiset<uint64_t> m_ticks;     //!< pending
    Ptr<LookAheadScheduler> m_scheduler; //!< what is tested
    EventImpl* m_impl{nullptr};          //!< one for all
    uint32_t m_uid{4};                   //!< of the next event
};

/**
 * @ingroup dcfabric-tests
 * @brief The simulator with this scheduler: cancelled and removed events do not run.
 */
class LookAheadSimulatorTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        std::string ran;
        Simulator::SetScheduler(ObjectFactory("ns3::LookAheadScheduler"));
        const auto note = [&ran](char letter) { ran += letter; };
        CallIn(NanoSeconds(30), [note]() { note('c'); });
        const EventId cancelled = CallIn(NanoSeconds(20), [note]() { note('X'); });
        const EventId removed = CallIn(Seconds(2), [note]() { note('Y'); });
        CallIn(NanoSeconds(10), [note, removed]() {
            note('a');
            Simulator::Remove(removed);
            CallIn(Seconds(0), [note]() { note('b'); });
            CallIn(Seconds(1), [note]() { note('d'); });
        });
        Simulator::Cancel(cancelled);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(ran, "abcd", "in the order of time");
        // pending events move to another scheduler and back
        CallIn(NanoSeconds(2), [note]() { note('f'); });
        CallIn(NanoSeconds(1), [note]() { note('e'); });
        Simulator::SetScheduler(ObjectFactory("ns3::MapScheduler"));
        Simulator::SetScheduler(ObjectFactory("ns3::LookAheadScheduler"));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(ran, "abcdef", "after the change");
        Simulator::SetScheduler(ObjectFactory("ns3::MapScheduler")); // for other suites
        Simulator::Destroy();
    }
};

/// The scheduler that looks ahead.
const SuiteCases g_cases("dcfabric-queue-disc", TestSuite::Type::UNIT, [](Suite& suite) {
    for (const TimePattern& pattern : {
             TimePattern{"dense", 20000, 40000, 1500, 0},
             TimePattern{"sparse", 1000000000, 1000000000000, 40, 0},
             TimePattern{"few and many ticks apart", 3, 1ULL << 45, 10, 300},
             TimePattern{"a crowd at the present", 100000, 10000000, 3000, 900},
             TimePattern{"near with timers far away", 5000, 4000000000, 4000, 100},
             TimePattern{"every tick taken", 10, 100, 2000, 100},
             TimePattern{"a crowd, and others as far as the wheel", 300, 140000, 9000, 400},
         })
    {
        suite.AddTestCase(new LookAheadRandomTestCase(pattern));
    }
    suite.AddTestCase(new LookAheadSameTimeTestCase(
        "look-ahead scheduler: thousands of events at one time keep their order"));
    suite.AddTestCase(new LookAheadTurnBackTestCase(
        "look-ahead scheduler: a near future that is cut keeps the last bucket of the wheel in its "
        "place"));
    suite.AddTestCase(new LookAheadSimulatorTestCase(
        "look-ahead scheduler under the simulator: run, cancel, remove, change"));
});

} // namespace ns3::tests::look_ahead_scheduler_test
