// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-schedule.h"
#include "fabric-test-suite.h"
#include "fabric-test-wings.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-topology.h"
#include "ns3/flow-recorder.h"
#include "ns3/node-container.h"
#include "ns3/object-factory.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief The end of simulations of which much is left: Simulator::Destroy() empties the scheduler
 * when all nodes are disposed of, but not gone.
 */

namespace ns3::tests::teardown_test
{

/// 640 hosts: with an event pending at each of them the scheduler looks ahead, which it does from
/// 600 events on.
constexpr const char* TOPOLOGY = "leaf-spine:leaves=16,spines=4,hosts=40";

/**
 * @ingroup dcfabric-tests
 * @brief A network torn down while events are pending, by each scheduler.
 */
class TeardownTestCase : public TestCase
{
  public:
    /// How a simulation ends.
    using End = void (TeardownTestCase::*)();

    /**
     * @param name of the end
     * @param end how it ends
     * @param scheduler TypeId name
     */
    TeardownTestCase(const std::string& name, End end, const std::string& scheduler)
        : TestCase("a network torn down, " + name + ", " + scheduler),
          m_end(end),
          m_scheduler(scheduler)
    {
    }

    /// The stop time comes in the middle: of 1 MB, 80 us at 100 Gb/s, 5 us are on their way.
    void Stop()
    {
        Start(1000000);
        Simulator::Stop(MicroSeconds(5));
        Simulator::Run();
        ExpectInFlight();
    }

    /// An event finds that the run is to end, as that of an interrupted program does.
    void Interrupt()
    {
        Start(1000000);
        CallIn(MicroSeconds(5), []() { Simulator::Stop(); });
        Simulator::Run();
        ExpectInFlight();
    }

    /// All has arrived; the timers of 640 connections are still to come.
    void Complete()
    {
        std::vector<FabricFlow> flows;
        const std::vector<uint32_t>& hosts = m_fabric->GetHosts();
        for (std::size_t i = 0; i < hosts.size(); ++i)
        {
            flows.push_back({hosts[i], hosts[(i + hosts.size() / 2) % hosts.size()], 1000, 0});
        }
        FlowRecorder recorder(m_fabric, flows);
        recorder.SetStopWhenComplete(true);
        recorder.Start();
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(recorder.IsComplete(), true, "complete");
    }

    /// What must not happen did, and was thrown out of a node.
    void Violate()
    {
        Start(10000);
        m_fabric->GetNic(0)->GetMessages().SetDeliveredCallback(
            [](const FabricMessageEvent&) { throw FabricError("violated"); });
        DCFABRIC_EXPECT_REFUSAL(Simulator::Run(), "violated");
        ExpectInFlight();
    }

    /// A second network is refused while it is built; nothing has run.
    void RefuseSetUp()
    {
        Start(1000000);
        FabricHelper helper;
        helper.SetBuffer("ns3::SharedBuffer", "Size", UintegerValue(1000));
        const FabricGraph graph = MakeFabricTopology("fat-tree:k=4")->BuildGraph();
        m_more.Create(graph.GetNNodes());
        DCFABRIC_EXPECT_REFUSAL(helper.Install(graph, m_more), "ns3::SharedBuffer::Size");
        NS_TEST_EXPECT_MSG_EQ(static_cast<bool>(m_more.Get(0)->GetObject<FabricActor>()),
                              true,
                              "refused when nodes were there");
    }

  private:
    void DoRun() override
    {
        if (!HasClass(m_scheduler))
        {
            return;
        }
        Simulator::SetScheduler(ObjectFactory(m_scheduler));
        m_fabric = FabricHelper().Install(MakeFabricTopology(TOPOLOGY)->BuildGraph());
        (this->*m_end)();
        // Somebody still holds the network, as the owner of a Fabric does: nodes are disposed of
        // and stay.
        Simulator::Destroy();
        NS_TEST_EXPECT_MSG_EQ(m_fabric->GetNodes().GetN(), 660, "nodes are held");
        m_fabric = nullptr;
        m_more = NodeContainer();
    }

    /// Each host sends to the one half the network away. @param bytes of each message
    void Start(uint64_t bytes)
    {
        const std::vector<uint32_t>& hosts = m_fabric->GetHosts();
        for (std::size_t i = 0; i < hosts.size(); ++i)
        {
            m_fabric->GetNic(hosts[i])->GetMessages().Send(
                hosts[(i + hosts.size() / 2) % hosts.size()],
                bytes,
                static_cast<uint32_t>(i));
        }
    }

    /// Expect packets everywhere.
    void ExpectInFlight()
    {
        NS_TEST_EXPECT_MSG_GT(m_fabric->CheckConservation().inFlight, 600, "packets on their way");
    }

    End m_end;               //!< how it ends
    std::string m_scheduler; //!< TypeId name
    Ptr<Fabric> m_fabric;    //!< outlives Simulator::Destroy()
    NodeContainer m_more;    //!< of a network that is refused
};

/// Suite of the ends of simulations.
const SuiteCases g_cases("dcfabric-helper", TestSuite::Type::UNIT, [](Suite& suite) {
    const std::vector<std::pair<const char*, TeardownTestCase::End>> ends{
        {"stopped", &TeardownTestCase::Stop},
        {"interrupted", &TeardownTestCase::Interrupt},
        {"complete", &TeardownTestCase::Complete},
        {"violated", &TeardownTestCase::Violate},
        {"refused during set-up", &TeardownTestCase::RefuseSetUp}};
    for (const auto& [name, end] : ends)
    {
        for (const char* scheduler : {"ns3::LookAheadScheduler",
                                      "ns3::MapScheduler",
                                      "ns3::HeapScheduler",
                                      "ns3::ListScheduler",
                                      "ns3::PriorityQueueScheduler",
                                      "ns3::CalendarScheduler"})
        {
            suite.AddTestCase(new TeardownTestCase(name, end, scheduler));
        }
    }
});

} // namespace ns3::tests::teardown_test
