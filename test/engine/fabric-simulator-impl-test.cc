// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-engine.h"
#include "../fabric-test-schedule.h"
#include "../fabric-test-suite.h"
#include "../fabric-test-transport.h"

#include "ns3/fabric-simulator-impl.h"
#include "ns3/fabric-topology.h"
#include "ns3/object-factory.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief The simulator engine of the module against that of ns-3.
 */

namespace ns3::tests::fabric_simulator_impl_test
{

// what hands out a private member: the arguments of an explicit instantiation may name it
template <typename Tag, typename Tag::Type member>
struct PrivateMember
{
    /// @return the pointer to member
    friend constexpr typename Tag::Type ReachPrivate(Tag)
    {
        return member;
    }
};

/// The number of the next event.
struct NextUid
{
    using Type = uint32_t FabricSimulatorImpl::*;
    friend constexpr Type ReachPrivate(NextUid);
};

template struct PrivateMember<NextUid, &FabricSimulatorImpl::m_nextUid>;

/// Let as many events have been scheduled as 32 bits count, but for a hundred.
void
UseUpNumbers()
{
    if (const auto engine = DynamicCast<FabricSimulatorImpl>(Simulator::GetImplementation()))
    {
        uint32_t& next = (*engine).*ReachPrivate(NextUid());
        next = std::max(next, UINT32_MAX - 100);
    }
}

/**
 * @ingroup dcfabric-tests
 * @brief Random events that schedule, cancel, remove and ask.
 */
class EngineRandomTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// Do something random.
    void Act()
    {
        if (m_usesUp && m_random() % 8 == 0)
        {
            UseUpNumbers();
        }
        m_seen << Simulator::Now().GetTimeStep() << " " << Simulator::GetContext() << " "
               << Simulator::GetEventCount() << "\n";
        for (uint32_t n = m_random() % (m_usesUp ? 5 : 3); n > 0 && m_left > 0; --n, --m_left)
        {
            const Time delay = TimeStep(m_random() % 4 == 0 ? 0 : m_random() % 50);
            switch (m_random() % 4)
            {
            case 0:
                Simulator::ScheduleWithContext(m_random() % 9,
                                               delay,
                                               &EngineRandomTestCase::Act,
                                               this);
                break;
            case 1:
                m_ids.push_back(Simulator::ScheduleNow(&EngineRandomTestCase::Act, this));
                break;
            case 2:
                m_ids.push_back(Simulator::ScheduleDestroy(&EngineRandomTestCase::Act, this));
                break;
            default:
                m_ids.push_back(Simulator::Schedule(delay, &EngineRandomTestCase::Act, this));
            }
        }
        if (m_ids.empty())
        {
            return;
        }
        const EventId id = m_ids[m_random() % m_ids.size()];
        m_seen << "left " << Simulator::GetDelayLeft(id).GetTimeStep() << " "
               << Simulator::IsExpired(id) << " " << id.GetTs() << " "
               << (m_usesUp ? 0 : id.GetUid()) << " " << id.GetContext() << "\n";
        switch (m_random() % 12)
        {
        case 0:
            Simulator::Cancel(id);
            break;
        case 1:
            Simulator::Remove(id);
            break;
        case 2:
            Simulator::Stop();
            break;
        case 3:
            Simulator::Stop(TimeStep(m_random() % 20));
            break;
        case 4:
            Simulator::SetScheduler(
                ObjectFactory(m_random() % 2 ? "ns3::LookAheadScheduler" : "ns3::HeapScheduler"));
            break;
        default:
            break;
        }
        m_seen << "finished " << Simulator::IsFinished() << "\n";
    }

    /**
     * @param engine TypeId name
     * @param scheduler TypeId name
     * @param seed of the events
     * @return all that was seen
     */
    std::string Play(const std::string& engine, const std::string& scheduler, uint32_t seed)
    {
        const EngineChoice choice(engine, scheduler);
        m_seen.str("");
        m_random.seed(seed);
        m_ids.clear();
        m_left = m_usesUp ? 2000 : 400;
        for (uint32_t i = 0; i < 20; ++i)
        {
            m_ids.push_back(
                Simulator::Schedule(TimeStep(m_random() % 30), &EngineRandomTestCase::Act, this));
        }
        for (uint32_t run = 0; run < 200 && !Simulator::IsFinished(); ++run)
        {
            Simulator::Run();
            m_seen << "stopped at " << Simulator::Now().GetTimeStep() << "\n";
        }
        Simulator::Run();
        m_seen << Simulator::GetMaximumSimulationTime().GetTimeStep() << " "
               << Simulator::GetSystemId() << "\n";
        m_left = 0;
        Simulator::Destroy();
        return m_seen.str();
    }

    void DoRun() override
    {
        for (const bool usesUp : {false, true})
        {
            m_usesUp = usesUp;
            for (uint32_t seed = 1; seed <= 100; ++seed)
            {
                const std::string expected = Play(STOCK_ENGINE, "ns3::MapScheduler", seed);
                for (const char* scheduler : {"ns3::LookAheadScheduler", "ns3::MapScheduler"})
                {
                    NS_TEST_EXPECT_MSG_EQ((Play(OWN_ENGINE, scheduler, seed) == expected),
                                          true,
                                          scheduler << ", seed " << seed
                                                    << (usesUp ? ", numbers used up" : ""));
                }
            }
        }
    }

    bool m_usesUp{false};       //!< numbers of events, again and again, where ours count
    std::ostringstream m_seen;  //!< what was seen
    std::mt19937 m_random;      //!< draws
    std::vector<EventId> m_ids; //!< of events
    uint32_t m_left{0};         //!< events that may still be scheduled
};

/**
 * @ingroup dcfabric-tests
 * @brief A fabric with events of others at the same times, and one that stops the run.
 */
class EngineCompanyTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// A packet goes on a wire. @param item the packet
    void OnTransmit(Ptr<const FabricPacketItem> item)
    {
        m_seen << Simulator::Now().GetTimeStep() << " at " << Simulator::GetContext() << " "
               << Simulator::GetEventCount() << " " << *item << "\n";
        if (++m_sent % 7 == 0)
        {
            // comes between nodes that are due at the same time
            const uint32_t number = m_sent;
            CallIn(TimeStep(m_sent % 3 * 80), [this, number]() {
                m_seen << "other " << number << " " << Simulator::Now().GetTimeStep() << "\n";
            });
        }
        if (m_sent % 500 == 0)
        {
            Simulator::Stop();
        }
    }

    /**
     * @param engine TypeId name
     * @param scheduler TypeId name
     * @return all that was seen
     */
    std::string Play(const std::string& engine, const std::string& scheduler)
    {
        const EngineChoice choice(engine, scheduler);
        m_seen.str("");
        m_sent = 0;
        const FabricGraph graph = MakeFabricTopology("fat-tree:k=4")->BuildGraph();
        TestNetwork network(graph);
        for (uint32_t node = 0; node < graph.GetNNodes(); ++node)
        {
            for (uint16_t p = 0; p < graph.GetDegree(node); ++p)
            {
                network.fabric->GetPort(node, p)->TraceConnectWithoutContext(
                    "Transmit",
                    MakeCallback(&EngineCompanyTestCase::OnTransmit, this));
            }
        }
        for (uint32_t host = 0; host < 16; ++host)
        {
            network.MessagesOf(host).Send((host + 5) % 16, 40000, host);
        }
        uint32_t runs = 0;
        for (; runs < 100 && network.completed.size() < 16; ++runs)
        {
            Simulator::Run();
            m_seen << "run ends at " << Simulator::Now().GetTimeStep() << "\n";
            // between runs nodes go by way of Simulator
            network.MessagesOf(runs % 16).Send((runs + 1) % 16, 1000, 100 + runs);
        }
        NS_TEST_EXPECT_MSG_GT(runs, 3, engine << " stops and goes on");
        return m_seen.str();
    }

    void DoRun() override
    {
        const std::string expected = Play(STOCK_ENGINE, "ns3::MapScheduler");
        for (const char* scheduler : {"ns3::LookAheadScheduler", "ns3::HeapScheduler"})
        {
            NS_TEST_EXPECT_MSG_EQ((Play(OWN_ENGINE, scheduler) == expected), true, scheduler);
        }
        NS_TEST_EXPECT_MSG_EQ((expected.find("other") != std::string::npos), true, "others came");
    }

    std::ostringstream m_seen; //!< what was seen
    uint32_t m_sent{0};        //!< packets so far
};

/**
 * @ingroup dcfabric-tests
 * @brief Events are scheduled before and after their numbers are used up.
 *
 * The first has number 4, those that follow begin with 2^32 - 101; when the first runs, at 10 ns,
 * all of them are renumbered from 4 on, and the last one, which is scheduled then, comes next.
 */
class EngineNumbersTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// An event. @param name of it
    void Note(char name)
    {
        m_order += name;
    }

    /// An event that schedules others of the same time as earlier ones.
    void GoOn()
    {
        m_late = Simulator::Schedule(NanoSeconds(10), &EngineNumbersTestCase::Note, this, 'd');
        NS_TEST_EXPECT_MSG_LT(m_late.GetUid(), m_early.GetUid(), "a small number");
        NS_TEST_EXPECT_MSG_EQ(m_late.IsExpired(), false, "pending");
        NS_TEST_EXPECT_MSG_EQ(m_early.IsExpired(), false, "pending");
        NS_TEST_EXPECT_MSG_EQ(m_cancelled.IsExpired(), false, "pending");
        NS_TEST_EXPECT_MSG_EQ(m_removed.IsExpired(), false, "pending");
        NS_TEST_EXPECT_MSG_EQ(m_past.IsExpired(), true, "has run");
        Simulator::Cancel(m_cancelled);
        Simulator::Remove(m_removed);
        NS_TEST_EXPECT_MSG_EQ(m_cancelled.IsExpired(), true, "cancelled");
        NS_TEST_EXPECT_MSG_EQ(m_removed.IsExpired(), true, "removed");
        // of the present, scheduled before the others were renumbered
        NS_TEST_EXPECT_MSG_EQ(m_behind.IsExpired(), false, "comes next");
        Simulator::Cancel(m_behind);
        NS_TEST_EXPECT_MSG_EQ(m_behind.IsExpired(), true, "and no more");
    }

    void DoRun() override
    {
        for (const char* scheduler : {"ns3::LookAheadScheduler", "ns3::CalendarScheduler"})
        {
            const EngineChoice choice(OWN_ENGINE, scheduler);
            m_order.clear();
            m_past = Simulator::Schedule(NanoSeconds(10), &EngineNumbersTestCase::Note, this, 'a');
            UseUpNumbers();
            Simulator::Schedule(NanoSeconds(10), &EngineNumbersTestCase::Note, this, 'b');
            Simulator::Schedule(NanoSeconds(10), &EngineNumbersTestCase::GoOn, this);
            m_behind =
                Simulator::Schedule(NanoSeconds(10), &EngineNumbersTestCase::Note, this, '!');
            m_early = Simulator::Schedule(NanoSeconds(20), &EngineNumbersTestCase::Note, this, 'c');
            m_cancelled =
                Simulator::Schedule(NanoSeconds(20), &EngineNumbersTestCase::Note, this, '?');
            m_removed =
                Simulator::Schedule(NanoSeconds(20), &EngineNumbersTestCase::Note, this, '*');
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(m_order, "abcd", "in the order of scheduling, " << scheduler);
            NS_TEST_EXPECT_MSG_EQ(Simulator::GetEventCount(), 7, "the cancelled ones, too");
        }
    }

    EventId m_past;      //!< before all else
    EventId m_early;     //!< scheduled first of its time
    EventId m_late;      //!< scheduled later
    EventId m_cancelled; //!< will be
    EventId m_removed;   //!< will be
    EventId m_behind;    //!< behind GoOn(), and cancelled by it
    std::string m_order; //!< names of those that ran
};

/**
 * @ingroup dcfabric-tests
 * @brief Another thread schedules; an event throws.
 */
class EngineOutsideTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// An event of the other thread.
    void Arrive()
    {
        m_context = Simulator::GetContext();
        m_time = Simulator::Now();
    }

    /// Waits for the other thread, which schedules in its run.
    void Meet()
    {
        NS_TEST_EXPECT_MSG_EQ((FabricSimulatorImpl::GetRunning() != nullptr), true, "running");
        std::thread other([this]() {
            Simulator::ScheduleWithContext(7, NanoSeconds(5), &EngineOutsideTestCase::Arrive, this);
        });
        other.join();
    }

    /// An event that goes wrong.
    static void Throw()
    {
        throw std::runtime_error("went wrong");
    }

    void DoRun() override
    {
        const EngineChoice choice(OWN_ENGINE, "ns3::LookAheadScheduler");
        // 10 + 5 ns, counted from the event in which it was taken over
        Simulator::Schedule(NanoSeconds(10), &EngineOutsideTestCase::Meet, this);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_context, 7, "its context");
        NS_TEST_EXPECT_MSG_EQ(m_time, NanoSeconds(15), "its time");
        Simulator::Schedule(NanoSeconds(1), &EngineOutsideTestCase::Throw);
        Simulator::Schedule(NanoSeconds(2), &EngineOutsideTestCase::Arrive, this);
        bool thrown = false;
        try
        {
            Simulator::Run();
        }
        catch (const std::runtime_error&)
        {
            thrown = true;
        }
        NS_TEST_EXPECT_MSG_EQ(thrown, true, "passed on");
        NS_TEST_EXPECT_MSG_EQ((FabricSimulatorImpl::GetRunning() == nullptr), true, "not running");
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_time, NanoSeconds(17), "the next one comes all the same");
    }

    uint32_t m_context{0}; //!< of the event
    Time m_time;           //!< of the event
};

/// The engine.
const SuiteCases g_cases("dcfabric-link", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new EngineRandomTestCase("engine: random events as in ns-3's"));
    suite.AddTestCase(new EngineCompanyTestCase("engine: a fabric among other events"));
    suite.AddTestCase(new EngineNumbersTestCase("engine: numbers of events never run out"));
    suite.AddTestCase(new EngineOutsideTestCase("engine: threads and exceptions"));
});

} // namespace ns3::tests::fabric_simulator_impl_test
