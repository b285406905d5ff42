// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-plan.h"
#include "../fabric-test-schedule.h"
#include "../fabric-test-suite.h"
#include "../fabric-test-transport.h"
#include "../fabric-test-wings.h"

#include "ns3/deadlock-detector.h"
#include "ns3/fabric-channel.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-topology.h"
#include "ns3/leaf-spine-topology.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <random>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Deadlocks that happen are found, and nothing else is.
 */

namespace ns3::tests::deadlock_detector_test
{

/**
 * @param flowControl TypeId name
 * @param buffer TypeId name
 * @return a helper that builds what can deadlock, without congestion control
 */
FabricHelper
MakeHelper(const std::string& flowControl, const std::string& buffer)
{
    FabricHelper helper;
    helper.SetDeadlockCheck(false);
    helper.SetFlowControl(flowControl);
    if (buffer == "ns3::SharedBuffer")
    {
        helper.SetBuffer(buffer, "XoffThreshold", UintegerValue(20000));
    }
    else
    {
        helper.SetBuffer(buffer, "QueueBytes", UintegerValue(20000));
    }
    return helper;
}

/**
 * @ingroup dcfabric-tests
 * @brief A network under observation.
 */
class Watched : public TestNetwork
{
  public:
    /**
     * @param graph plan
     * @param helper policies
     * @param interval between looks
     */
    Watched(const FabricGraph& graph, FabricHelper helper, Time interval = MicroSeconds(200))
        : TestNetwork(graph, std::move(helper)),
          detector(CreateObject<DeadlockDetector>())
    {
        detector->SetAttribute("Interval", TimeValue(interval));
        detector->TraceConnectWithoutContext("Deadlock", MakeCallback(&Watched::OnDeadlock, this));
        detector->Install(fabric);
    }

    /**
     * @brief Have each host send.
     * @param distance from its number to that of the receiver
     * @param bytes of each message
     * @param messages to each receiver
     */
    void SendAround(uint32_t distance, uint64_t bytes, uint32_t messages)
    {
        const auto n = static_cast<uint32_t>(fabric->GetHosts().size());
        std::vector<std::pair<uint32_t, uint32_t>> pairs;
        for (uint32_t i = 0; i < n; ++i)
        {
            pairs.emplace_back(i, (i + distance) % n);
        }
        SendBetween(pairs, bytes, messages);
    }

    /**
     * @brief Have some hosts send.
     * @param pairs sender and receiver
     * @param bytes of each message
     * @param messages of each pair
     */
    void SendBetween(const std::vector<std::pair<uint32_t, uint32_t>>& pairs,
                     uint64_t bytes,
                     uint32_t messages)
    {
        for (uint32_t i = 0; i < messages; ++i)
        {
            for (const auto& [src, dst] : pairs)
            {
                MessagesOf(src).Send(dst, bytes, sent++);
            }
        }
    }

    /**
     * @brief Go on.
     * @param until the time of the simulator
     */
    void RunUntil(Time until)
    {
        Simulator::Stop(until - Simulator::Now());
        Simulator::Run();
    }

    /// @return true if all messages are complete
    bool IsComplete() const
    {
        return completed.size() == sent;
    }

    Ptr<DeadlockDetector> detector; //!< observer
    uint32_t sent{0};               //!< messages
    uint32_t traced{0};             //!< deadlocks that the trace source told of

  private:
    /**
     * @brief Count.
     * @param deadlock found
     */
    void OnDeadlock(const Deadlock& deadlock)
    {
        traced += deadlock.endedPs < 0 ? 1 : 0;
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Rings in which everybody sends half way round at line rate, and all in one direction.
 *
 * In a ring of n that is over n / 2 links, rounded down; of four it is one direction by dimension
 * order, where ties go up. Each link is wanted by as many hosts as that: queues grow by at least
 * the rate, 12.5 bytes a nanosecond, and inputs of 20 kB are full within some 10 us. Then each
 * input of the ring waits for the next one. One look sees it, the next one that nothing has moved.
 */
class RingTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param flowControl,buffer TypeId names
     * @return a helper for a ring, with one channel
     */
    static FabricHelper HelperOf(const std::string& flowControl, const std::string& buffer)
    {
        FabricHelper helper = MakeHelper(flowControl, buffer);
        helper.SetRouting("ns3::DimensionOrderRouting", "Channels", UintegerValue(1));
        return helper;
    }

    /**
     * @param n switches
     * @return a ring
     */
    static FabricGraph RingOf(uint32_t n)
    {
        return MakeFabricTopology("torus:hosts=1,dims=" + std::to_string(n))->BuildGraph();
    }

    /**
     * @brief Run a ring.
     * @param n switches
     * @param flowControl,buffer TypeId names
     */
    void Check(uint32_t n, const std::string& flowControl, const std::string& buffer)
    {
        const std::string what = std::to_string(n) + ", " + flowControl + ", " + buffer;
        Watched network(RingOf(n), HelperOf(flowControl, buffer));
        network.SendAround(n / 2, 2000000, 8);
        network.RunUntil(MilliSeconds(1));
        const auto& found = network.detector->GetDeadlocks();
        NS_TEST_EXPECT_MSG_EQ(found.empty(), false, what << ": found");
        if (found.empty())
        {
            return;
        }
        NS_TEST_EXPECT_MSG_EQ(network.traced, found.size(), what << ": told");
        NS_TEST_EXPECT_MSG_EQ(network.detector->IsDeadlocked(), true, what << ": it stands");
        NS_TEST_EXPECT_MSG_EQ(found[0].foundPs, found[0].sincePs + 200 * US, what << ": next look");
        NS_TEST_EXPECT_MSG_EQ(found[0].cycle.size(), n, what << ": once around");
        for (std::size_t i = 0; i < found[0].cycle.size(); ++i)
        {
            const auto& at = found[0].cycle[i];
            const auto& next = found[0].cycle[(i + 1) % n];
            NS_TEST_EXPECT_MSG_EQ(network.fabric->GetGraph().GetPort(at.node, at.port).peer,
                                  next.node,
                                  what << ": each sends to the next one");
            NS_TEST_EXPECT_MSG_EQ(+at.priority, 3, what << ": data");
            const uint8_t paused = network.fabric->GetPort(at.node, at.port)->GetPausedClasses();
            NS_TEST_EXPECT_MSG_EQ(((paused >> 3) & 1), 1, what << ": and is stopped");
        }
        // what is caught does not move any more, and nothing is lost
        const std::size_t completed = network.completed.size();
        network.RunUntil(MilliSeconds(5));
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), completed, what << ": nothing arrives");
        NS_TEST_EXPECT_MSG_LT(completed, network.sent, what << ": some wait for ever");
        NS_TEST_EXPECT_MSG_EQ(network.detector->IsDeadlocked(), true, what << ": it still stands");
        NS_TEST_EXPECT_MSG_EQ(found.size(), 1, what << ": told once");
        NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, what);
        NS_TEST_EXPECT_MSG_EQ(network.fabric->GetDrops().empty(), true, what << ": lossless");
    }

    void DoRun() override
    {
        if (!HasTopology("torus"))
        {
            return;
        }
        Check(4, "ns3::PriorityFlowControl", "ns3::SharedBuffer");
        Check(4, "ns3::CreditFlowControl", "ns3::SharedBuffer");
        Check(7, "ns3::PriorityFlowControl", "ns3::SharedBuffer");
        // virtual output queues take turns: transit has half of a link, which is all it wants in
        // the ring of four, but not in that of seven, where two of three packets are in transit
        Check(7, "ns3::PriorityFlowControl", "ns3::VoqBuffer");
        Check(7, "ns3::CreditFlowControl", "ns3::VoqBuffer");

        // with credits for each output a way of two links closes no circle
        Watched network(RingOf(4), HelperOf("ns3::VoqCreditFlowControl", "ns3::VoqBuffer"));
        network.SendAround(2, 200000, 8);
        network.RunUntil(MilliSeconds(5));
        NS_TEST_EXPECT_MSG_EQ(network.IsComplete(), true, "queues for each output");
        NS_TEST_EXPECT_MSG_EQ(network.detector->GetDeadlocks().size(), 0, "nothing to be found");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A ring of four and a ring of groups: they deadlock with one channel, and not with as many
 * as their routing needs.
 *
 * Dragonfly of three groups of two routers with one global link each: routers (and hosts) 0, 2, 3,
 * 5, 4, 1 are a ring, 0 - 2, 3 - 5 and 4 - 1 its global links. Clockwise, 2, 5 and 1 send over
 * local, global, local to 4, 0 and 3, and the hosts behind them over global, local to the same:
 * each link is wanted twice or more. With one channel local links wait for global ones and these
 * for local ones; with two, packets are in another one behind the global link.
 */
class ChannelTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief Run with few and with enough channels.
     * @param topology specification
     * @param routing TypeId name
     * @param pairs who sends to whom
     * @param flowControl TypeId name
     */
    void Check(const std::string& topology,
               const std::string& routing,
               const std::vector<std::pair<uint32_t, uint32_t>>& pairs,
               const std::string& flowControl)
    {
        if (!HasTopology(topology))
        {
            return;
        }
        const FabricGraph graph = MakeFabricTopology(topology)->BuildGraph();
        for (const uint32_t channels : {1, 0})
        {
            const std::string what =
                topology + ", " + flowControl + ", " + std::to_string(channels) + " channels";
            FabricHelper helper = MakeHelper(flowControl, "ns3::SharedBuffer");
            helper.SetRouting(routing, "Channels", UintegerValue(channels));
            helper.SetDeadlockCheck(channels == 0); // enough of them are accepted
            Watched network(graph, helper);
            network.SendBetween(pairs, 500000, 4);
            network.RunUntil(MilliSeconds(10));
            NS_TEST_EXPECT_MSG_EQ(network.detector->IsDeadlocked(), (channels == 1), what);
            NS_TEST_EXPECT_MSG_EQ(network.IsComplete(), (channels != 1), what);
            NS_TEST_EXPECT_MSG_EQ(network.fabric->GetDrops().empty(), true, what << ": lossless");
        }
    }

    void DoRun() override
    {
        for (const char* flowControl : {"ns3::PriorityFlowControl", "ns3::CreditFlowControl"})
        {
            Check("torus:dims=4,hosts=1",
                  "ns3::DimensionOrderRouting",
                  {{0, 2}, {1, 3}, {2, 0}, {3, 1}},
                  flowControl);
            Check("dragonfly:hosts=1,routers=2,globals=1,groups=3",
                  "ns3::DragonflyMinimalRouting",
                  {{2, 4}, {3, 4}, {5, 0}, {4, 0}, {1, 3}, {0, 3}},
                  flowControl);
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Pauses that are no deadlock: an incast over a leaf-spine network, looked at every
 * microsecond, and a ring in which nobody crosses two links.
 */
class FalseAlarmTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        Ptr<LeafSpineTopology> topology = CreateObject<LeafSpineTopology>();
        topology->SetLeaves(4);
        topology->SetSpines(2);
        topology->SetHostsPerLeaf(4);
        for (const char* buffer : {"ns3::SharedBuffer", "ns3::VoqBuffer"})
        {
            Watched network(topology->BuildGraph(),
                            MakeHelper("ns3::PriorityFlowControl", buffer),
                            MicroSeconds(1));
            for (uint32_t src = 1; src < 16; ++src)
            {
                network.MessagesOf(src).Send(0, 200000, src);
            }
            network.sent = 15;
            network.RunUntil(MilliSeconds(5));
            uint64_t pauses = 0;
            for (uint32_t spine = 20; spine < 22; ++spine)
            {
                for (uint32_t port = 0; port < 4; ++port)
                {
                    pauses +=
                        network.fabric->GetPort(spine, port)->GetFlowControl()->GetNPauseFrames();
                }
            }
            NS_TEST_EXPECT_MSG_GT(pauses, 0, buffer << ": pauses spread over two tiers");
            NS_TEST_EXPECT_MSG_EQ(network.IsComplete(), true, buffer << ": all arrives");
            NS_TEST_EXPECT_MSG_EQ(network.detector->GetDeadlocks().size(), 0, buffer);
        }
        Watched ring(MakeRing(4),
                     MakeHelper("ns3::PriorityFlowControl", "ns3::SharedBuffer"),
                     MicroSeconds(1));
        ring.SendAround(1, 500000, 8);
        ring.RunUntil(MilliSeconds(5));
        NS_TEST_EXPECT_MSG_EQ(ring.IsComplete(), true, "neighbors");
        NS_TEST_EXPECT_MSG_EQ(ring.detector->GetDeadlocks().size(), 0, "neighbors");

        // nothing is lossless: nobody looks
        FabricHelper lossy;
        lossy.SetFlowControl("none");
        Watched none(MakeRing(4), lossy);
        NS_TEST_EXPECT_MSG_EQ(none.detector->Look(0), FabricTime::NEVER, "no flow control");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A link of the cycle goes down: its switch throws away what waits for it (after 10 us), and
 * everything moves again.
 */
class EndTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        if (!HasTopology("torus"))
        {
            return;
        }
        Watched network(MakeFabricTopology("torus:dims=4,hosts=1")->BuildGraph(), OneChannel());
        network.SendAround(2, 500000, 4);
        network.RunUntil(MilliSeconds(1));
        const auto& found = network.detector->GetDeadlocks();
        NS_TEST_EXPECT_MSG_EQ(found.size(), 1, "clockwise");
        if (found.empty())
        {
            return;
        }
        const auto& first = found[0].cycle.front();
        const auto channel = DynamicCast<FabricChannel>(
            network.fabric->GetPort(first.node, first.port)->GetChannel());
        channel->ScheduleChange({1050 * US, LinkChange::DOWN, 0});
        channel->ScheduleChange({1500 * US, LinkChange::UP, 0});
        network.RunUntil(MicroSeconds(1450));
        NS_TEST_EXPECT_MSG_EQ(found[0].endedPs, 1200 * US, "the look after 1060 us");
        NS_TEST_EXPECT_MSG_EQ(network.detector->IsDeadlocked(), false, "it is over");
        NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, "conservation");
    }

    /// @return a helper with too few channels
    static FabricHelper OneChannel()
    {
        FabricHelper helper = MakeHelper("ns3::PriorityFlowControl", "ns3::SharedBuffer");
        helper.SetRouting("ns3::DimensionOrderRouting", "Channels", UintegerValue(1));
        return helper;
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Looks that are made up for later: as if they had been in time, if nothing has happened.
 */
class LateLookTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// @return a ring of four
    static FabricGraph Ring()
    {
        return MakeFabricTopology("torus:dims=4,hosts=1")->BuildGraph();
    }

    void DoRun() override
    {
        if (!HasTopology("torus"))
        {
            return;
        }
        FabricHelper helper = MakeHelper("ns3::PriorityFlowControl", "ns3::SharedBuffer");
        helper.SetRouting("ns3::DimensionOrderRouting", "Channels", UintegerValue(1));
        Watched network(Ring(), helper);
        const auto late = CreateObject<DeadlockDetector>();
        late->Attach(network.fabric);
        NS_TEST_EXPECT_MSG_EQ(late->LookLate(0), 200 * US, "in time: once");
        NS_TEST_EXPECT_MSG_EQ(late->LookLate(100 * US), 200 * US, "too early: not at all");
        network.SendAround(2, 2000000, 8);
        // by 200 us all of the ring stands (see above), and until 5 ms nobody looks
        network.RunUntil(MicroSeconds(5050));
        NS_TEST_EXPECT_MSG_EQ(late->LookLate(5050 * US), 5200 * US, "25 looks at once");
        const auto& found = late->GetDeadlocks();
        const auto& inTime = network.detector->GetDeadlocks();
        NS_TEST_ASSERT_MSG_EQ(found.size(), 1, "a deadlock");
        NS_TEST_ASSERT_MSG_EQ(inTime.size(), 1, "a deadlock, in time");
        NS_TEST_EXPECT_MSG_EQ(found[0].sincePs, inTime[0].sincePs, "since when");
        NS_TEST_EXPECT_MSG_EQ(found[0].foundPs, inTime[0].foundPs, "found when");
        NS_TEST_EXPECT_MSG_EQ(found[0].ToText(network.fabric->GetGraph()),
                              inTime[0].ToText(network.fabric->GetGraph()),
                              "the same");
        NS_TEST_EXPECT_MSG_EQ(late->LookLate(5200 * US), 5400 * US, "in time again");
        NS_TEST_EXPECT_MSG_EQ(found.size(), 1, "told once");

        FabricHelper lossy;
        lossy.SetFlowControl("none");
        Watched none(MakeRing(4), lossy);
        NS_TEST_EXPECT_MSG_EQ(none.detector->LookLate(US), FabricTime::NEVER, "no flow control");
        NS_TEST_EXPECT_MSG_EQ(none.detector->LookLate(2 * US), FabricTime::NEVER, "and never");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Random networks and traffic: either all arrives, or there is a deadlock, never both and
 * never neither.
 */
class RandomTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        constexpr uint32_t SEED = 47;
        constexpr uint32_t RUNS = 40;
        std::mt19937 random(SEED);
        uint32_t stuck = 0;
        for (uint32_t run = 0; run < RUNS; ++run)
        {
            const uint32_t switches = 5 + random() % 4;
            const uint32_t hosts = switches + random() % 4;
            PlanLinks links;
            for (uint32_t i = 0; i < hosts; ++i)
            {
                links.push_back({i, hosts + i % switches});
            }
            for (uint32_t i = 0; i < switches; ++i) // a ring, sometimes with a chord
            {
                links.push_back({hosts + i, hosts + (i + 1) % switches});
            }
            if (random() % 3 == 0)
            {
                links.push_back({hosts, hosts + 2});
            }
            const char* flowControls[] = {"ns3::PriorityFlowControl",
                                          "ns3::CreditFlowControl",
                                          "ns3::VoqCreditFlowControl"};
            const std::string flowControl = flowControls[random() % 3];
            const bool voq = flowControl == "ns3::VoqCreditFlowControl" || random() % 2 == 0;
            Watched network(PlanOfLinks(hosts, switches, links),
                            MakeHelper(flowControl, voq ? "ns3::VoqBuffer" : "ns3::SharedBuffer"),
                            MicroSeconds(50));
            for (uint32_t i = 0; i < 4 * hosts; ++i) // mostly the same way round
            {
                const uint32_t src = i % hosts;
                const auto ahead = static_cast<uint32_t>(1 + random() % ((switches - 1) / 2));
                const uint32_t dst = (src + ahead) % switches;
                if (src != dst)
                {
                    network.SendBetween({{src, dst}}, 1000 + random() % 600000, 1);
                }
            }
            network.RunUntil(MilliSeconds(20));
            const std::string where =
                "seed " + std::to_string(SEED) + ", run " + std::to_string(run);
            NS_TEST_EXPECT_MSG_EQ(network.detector->IsDeadlocked(), !network.IsComplete(), where);
            NS_TEST_EXPECT_MSG_EQ(network.detector->GetDeadlocks().empty(),
                                  network.IsComplete(),
                                  where << ": none that passes");
            NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, where);
            stuck += network.IsComplete() ? 0 : 1;
        }
        NS_TEST_EXPECT_MSG_GT(stuck, RUNS / 10, "some get stuck");
        NS_TEST_EXPECT_MSG_LT(stuck, RUNS, "and some do not");
    }
};

/// Deadlocks while running.
const SuiteCases g_cases("dcfabric-lossless", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.AddTestCase(new RingTestCase("rings deadlock, and their cycle is named within 1 ms"));
    suite.AddTestCase(new ChannelTestCase("enough virtual channels, and nothing deadlocks"));
    suite.AddTestCase(new FalseAlarmTestCase("pauses alone are no deadlock"));
    suite.AddTestCase(new EndTestCase("a deadlock ends when its packets are thrown away"));
    suite.AddTestCase(new LateLookTestCase("late looks find what those in time do"));
    suite.AddTestCase(new RandomTestCase("all arrives or there is a deadlock, not both"));
});

} // namespace ns3::tests::deadlock_detector_test
