// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-engine.h"
#include "../fabric-test-errors.h"
#include "../fabric-test-network.h"
#include "../fabric-test-schedule.h"
#include "../fabric-test-suite.h"
#include "../fabric-test-transport.h"

#include "ns3/fabric-simulator-impl.h"
#include "ns3/fabric-time.h"
#include "ns3/fabric-topology.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <sstream>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Nodes that go on while others are behind.
 */

namespace ns3::tests::head_start_test
{

/// Delay of all links, in ps: as far as a node may be ahead.
constexpr int64_t DELAY_PS = 1'000'000;

/// @return the present in ps
int64_t
GetNowPs()
{
    return FabricTime::ToPs(Simulator::Now());
}

/**
 * @ingroup dcfabric-tests
 * @brief 16 hosts of a fat tree send 40 kB each, with and without head starts.
 *
 * Each node sees the same packets at the same times. In one that has a head start, time is never
 * as far as the delay of a link ahead of what others do then.
 */
class HeadStartTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// A packet goes on a wire. @param item the packet
    void OnTransmit(Ptr<const FabricPacketItem> item)
    {
        const int64_t nowPs = GetNowPs();
        std::ostringstream line;
        line << nowPs << " " << *item;
        const uint32_t node = Simulator::GetContext();
        m_seen[node].push_back(line.str());
        m_latestPs = std::max(m_latestPs, nowPs);
        m_mostAheadPs = std::max(m_mostAheadPs, m_latestPs - nowPs);
        ++m_sent;
        if (m_seen[node].size() % 50 == 0)
        {
            // at once: after the node has done what is due now, and before it goes on
            CallIn(TimeStep(0), [this, node, nowPs]() {
                m_seen[node].push_back("call");
                NS_TEST_EXPECT_MSG_EQ(GetNowPs(), nowPs, "at once");
                NS_TEST_EXPECT_MSG_LT_OR_EQ(m_fabric->GetActor(node)->GetLastPs(),
                                            nowPs,
                                            "goes on");
            });
        }
    }

    /// A time at which all nodes have come so far, and none further.
    void OnBarrier()
    {
        const int64_t nowPs = GetNowPs();
        for (uint32_t node = 0; node < m_fabric->GetGraph().GetNNodes(); ++node)
        {
            NS_TEST_EXPECT_MSG_LT_OR_EQ(m_fabric->GetActor(node)->GetLastPs(),
                                        nowPs,
                                        "node " << node);
        }
        m_latestPs = nowPs;
        m_barriers.push_back(m_sent);
        if (nowPs < 20 * DELAY_PS)
        {
            CallIn(NanoSeconds(777), [this]() { OnBarrier(); });
        }
    }

    /**
     * @param headStarts whether nodes have them
     * @return events that have run
     */
    uint64_t Play(bool headStarts)
    {
        const EngineChoice choice(OWN_ENGINE, "ns3::LookAheadScheduler");
        m_seen.clear();
        m_barriers.clear();
        m_sent = 0;
        m_latestPs = 0;
        m_mostAheadPs = 0;
        const FabricGraph graph = MakeFabricTopology("fat-tree:k=4")->BuildGraph();
        TestNetwork network(graph);
        m_fabric = network.fabric;
        for (uint32_t node = 0; node < graph.GetNNodes(); ++node)
        {
            NS_TEST_EXPECT_MSG_EQ(m_fabric->GetActor(node)->FindHeadStart(), DELAY_PS, node);
            for (uint16_t p = 0; p < graph.GetDegree(node); ++p)
            {
                m_fabric->GetPort(node, p)->TraceConnectWithoutContext(
                    "Transmit",
                    MakeCallback(&HeadStartTestCase::OnTransmit, this));
            }
        }
        for (uint32_t host = 0; host < 16; ++host)
        {
            network.MessagesOf(host).Send((host + 5) % 16, 40000, host);
        }
        CallIn(NanoSeconds(777), [this]() { OnBarrier(); });
        const auto engine = DynamicCast<FabricSimulatorImpl>(Simulator::GetImplementation());
        engine->SetHeadStarts(headStarts);
        Simulator::Run();
        engine->SetHeadStarts(false);
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 16, "all arrive");
        m_fabric = nullptr;
        return Simulator::GetEventCount();
    }

    void DoRun() override
    {
        const uint64_t events = Play(false);
        const auto seen = m_seen;
        const auto barriers = m_barriers;
        NS_TEST_EXPECT_MSG_EQ(m_mostAheadPs, 0, "in order of time");
        NS_TEST_EXPECT_MSG_EQ(Play(true), events, "events");
        NS_TEST_EXPECT_MSG_EQ((m_seen == seen), true, "each node sees the same");
        NS_TEST_EXPECT_MSG_EQ((m_barriers == barriers), true, "barriers come as late as before");
        NS_TEST_EXPECT_MSG_GT(m_mostAheadPs, DELAY_PS / 2, "some are ahead");
        NS_TEST_EXPECT_MSG_LT(m_mostAheadPs, DELAY_PS, "none too far");
    }

    std::map<uint32_t, std::vector<std::string>> m_seen; //!< by node
    std::vector<uint32_t> m_barriers;                    //!< packets sent before each
    Ptr<Fabric> m_fabric;                                //!< under test
    uint32_t m_sent{0};                                  //!< packets so far
    int64_t m_latestPs{0};                               //!< of all nodes
    int64_t m_mostAheadPs{0};                            //!< of another that does something
};

/**
 * @ingroup dcfabric-tests
 * @brief What is armed for a node's past is refused in every build, with head starts and without:
 * results would be those of another order.
 */
class PastTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        for (const bool headStarts : {false, true})
        {
            const EngineChoice choice(OWN_ENGINE, "ns3::LookAheadScheduler");
            const Ptr<RecordingActor> actor = MakeActor(7);
            actor->onTimer = [actor = PeekPointer(actor)](uint32_t /* id */) {
                actor->Arm(actor->GetNowPs() - 1, CalendarKind::TIMER, 0);
            };
            actor->Arm(5000, CalendarKind::TIMER, 0);
            const auto engine = DynamicCast<FabricSimulatorImpl>(Simulator::GetImplementation());
            engine->SetHeadStarts(headStarts);
            DCFABRIC_EXPECT_REFUSAL(Simulator::Run(),
                                    "node 7 was armed for 4999 ps, before its present, 5000 ps");
            engine->SetHeadStarts(false);
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The first event that is none of a node is the barrier, unless it has been removed.
 */
class BarrierTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const EngineChoice choice(OWN_ENGINE, "ns3::LookAheadScheduler");
        const auto engine = DynamicCast<FabricSimulatorImpl>(Simulator::GetImplementation());
        const auto at = [](uint64_t tick) { return CallIn(TimeStep(tick), [] {}); };
        NS_TEST_EXPECT_MSG_EQ(engine->GetBarrierTick(), FabricEngine::NO_TICK, "none");
        const EventId first = at(100);
        const EventId second = at(200);
        const EventId again = at(200);
        const EventId last = at(300);
        NS_TEST_EXPECT_MSG_EQ(engine->GetBarrierTick(), 100, "the first");
        Simulator::Remove(second);
        NS_TEST_EXPECT_MSG_EQ(engine->GetBarrierTick(), 100, "one behind it is removed");
        Simulator::Remove(first);
        NS_TEST_EXPECT_MSG_EQ(engine->GetBarrierTick(), 200, "another of that time is left");
        Simulator::Remove(again);
        Simulator::Remove(again);
        NS_TEST_EXPECT_MSG_EQ(engine->GetBarrierTick(),
                              300,
                              "to remove one twice is to do it once");
        Simulator::Cancel(last);
        NS_TEST_EXPECT_MSG_EQ(engine->GetBarrierTick(), 300, "it comes, and does nothing");
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(engine->GetBarrierTick(), FabricEngine::NO_TICK, "passed");
    }
};

/// The engine's head starts.
const SuiteCases g_cases("dcfabric-link", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new HeadStartTestCase("engine: nodes with head starts"));
    suite.AddTestCase(new BarrierTestCase("engine: barriers of head starts"));
    suite.AddTestCase(new PastTestCase("engine: no node acts in its past"));
});

} // namespace ns3::tests::head_start_test
