// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-schedule.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"

#include "ns3/fabric-simulator-impl.h"
#include "ns3/fabric-topology.h"
#include "ns3/global-value.h"
#include "ns3/object-factory.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
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

/// The engine of ns-3.
const char* const STOCK = "ns3::DefaultSimulatorImpl";
/// That of the module.
const char* const OURS = "ns3::FabricSimulatorImpl";

/**
 * @ingroup dcfabric-tests
 * @brief Another engine and scheduler, until the end of the scope.
 */
class EngineChoice
{
  public:
    /// @param engine TypeId name @param scheduler TypeId name
    EngineChoice(const std::string& engine, const std::string& scheduler)
    {
        Simulator::Destroy();
        GlobalValue::Bind("SimulatorImplementationType", StringValue(engine));
        Simulator::SetScheduler(ObjectFactory(scheduler));
    }

    ~EngineChoice()
    {
        Simulator::Destroy();
        GlobalValue::Bind("SimulatorImplementationType", StringValue(STOCK));
    }

    EngineChoice(const EngineChoice&) = delete;
    EngineChoice& operator=(const EngineChoice&) = delete;
};

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
        m_seen << Simulator::Now().GetTimeStep() << " " << Simulator::GetContext() << " "
               << Simulator::GetEventCount() << "\n";
        for (uint32_t n = m_random() % 3; n > 0 && m_left > 0; --n, --m_left)
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
               << Simulator::IsExpired(id) << " " << id.GetTs() << " " << id.GetUid() << " "
               << id.GetContext() << "\n";
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

    /// @return all that was seen @param engine TypeId name @param scheduler TypeId name @param
    /// seed of the events
    std::string Play(const std::string& engine, const std::string& scheduler, uint32_t seed)
    {
        const EngineChoice choice(engine, scheduler);
        m_seen.str("");
        m_random.seed(seed);
        m_ids.clear();
        m_left = 400;
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
        for (uint32_t seed = 1; seed <= 100; ++seed)
        {
            const std::string expected = Play(STOCK, "ns3::MapScheduler", seed);
            for (const char* scheduler : {"ns3::LookAheadScheduler", "ns3::MapScheduler"})
            {
                NS_TEST_EXPECT_MSG_EQ((Play(OURS, scheduler, seed) == expected),
                                      true,
                                      scheduler << ", seed " << seed);
            }
        }
    }

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

    /// @return all that was seen @param engine TypeId name @param scheduler TypeId name
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
        const std::string expected = Play(STOCK, "ns3::MapScheduler");
        for (const char* scheduler : {"ns3::LookAheadScheduler", "ns3::HeapScheduler"})
        {
            NS_TEST_EXPECT_MSG_EQ((Play(OURS, scheduler) == expected), true, scheduler);
        }
        NS_TEST_EXPECT_MSG_EQ((expected.find("other") != std::string::npos), true, "others came");
    }

    std::ostringstream m_seen; //!< what was seen
    uint32_t m_sent{0};        //!< packets so far
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
        const EngineChoice choice(OURS, "ns3::LookAheadScheduler");
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
    suite.AddTestCase(new EngineOutsideTestCase("engine: threads and exceptions"));
});

} // namespace ns3::tests::fabric_simulator_impl_test
