// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-duration.h"
#include "../fabric-test-errors.h"
#include "../fabric-test-random.h"
#include "../fabric-test-schedule.h"
#include "../fabric-test-suite.h"
#include "../fabric-test-transport.h"
#include "../fabric-test-wings.h"

#include "ns3/boolean.h"
#include "ns3/fabric-faults.h"
#include "ns3/fabric-topology.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Random schedules of all faults, over all topologies, flow controls and load balancers.
 */

namespace ns3::tests::fault_schedules_test
{

/// A network to break.
struct SchedulePlan
{
    const char* topology; //!< specification
    const char* routing;  //!< TypeId
    bool losslessToo;     //!< its routes do not run in circles
    bool predictable;     //!< a packet's way is known before it arrives
};

const SchedulePlan SCHEDULE_PLANS[] = {
    {"fat-tree:k=4", "ns3::ShortestPathRouting", true, true},
    {"leaf-spine:leaves=3,spines=2,hosts=2", "ns3::ShortestPathRouting", true, true},
    {"dumbbell:switches=3,senders=2", "ns3::ShortestPathRouting", true, true},
    {"dragonfly:hosts=1,routers=3,globals=1,groups=4", "ns3::DragonflyMinimalRouting", true, true},
    {"dragonfly:hosts=1,routers=3,globals=1,groups=4", "ns3::DragonflyValiantRouting", true, false},
    {"dragonfly:hosts=2,routers=2,globals=1,groups=3", "ns3::DragonflyUgalRouting", true, false},
    {"dragonfly:hosts=2,routers=2,globals=1,groups=3",
     "ns3::DragonflyProgressiveRouting",
     true,
     false},
    {"dragonfly:hosts=1,routers=3,globals=1,groups=4",
     "ns3::DragonflyPiggybackRouting",
     true,
     false},
    {"dragonfly-plus:leaves=2,spines=2,hosts=2,globals=1,groups=3",
     "ns3::DragonflyProgressivePiggybackRouting",
     true,
     false},
    {"dragonfly-plus:leaves=2,spines=2,hosts=2,globals=1,groups=3",
     "ns3::DragonflyMinimalRouting",
     true,
     true},
    {"torus:dims=4x3,hosts=1", "ns3::DimensionOrderRouting", true, true},
    {"torus:dims=3x3,hosts=1", "ns3::MinimalAdaptiveRouting", true, false},
    {"torus:dims=3x3,hosts=1", "ns3::ShortestPathRouting", false, true},
    {"hyperx:dims=3x2,hosts=1", "ns3::DimensionOrderRouting", true, true},
    {"hyperx:dims=3x2,hosts=1", "ns3::ShortestPathRouting", false, true},
    {"hyperx:dims=3x2,hosts=1", "ns3::HyperXValiantRouting", true, false},
    {"hyperx:dims=2x2,hosts=2", "ns3::HyperXUgalRouting", true, false},
    {"hyperx:dims=3x2,hosts=1", "ns3::HyperXProgressivePiggybackRouting", true, false},
};

/// @return those that this build has
const std::vector<SchedulePlan>&
ListSchedulePlans()
{
    static const std::vector<SchedulePlan> plans = [] {
        std::vector<SchedulePlan> built;
        std::copy_if(std::begin(SCHEDULE_PLANS),
                     std::end(SCHEDULE_PLANS),
                     std::back_inserter(built),
                     [](const SchedulePlan& plan) { return HasTopology(plan.topology); });
        return built;
    }();
    return plans;
}

/// A flow control and the buffer for it.
struct ScheduleControl
{
    const char* flowControl; //!< TypeId or none
    const char* buffer;      //!< TypeId
    bool predicts;           //!< paths have to be known before a packet arrives
};

const ScheduleControl SCHEDULE_CONTROLS[] = {
    {"none", "ns3::SharedBuffer", false},
    {"ns3::PriorityFlowControl", "ns3::SharedBuffer", false},
    {"ns3::PriorityFlowControl", "ns3::VoqBuffer", false},
    {"ns3::CreditFlowControl", "ns3::SharedBuffer", false},
    {"ns3::VoqCreditFlowControl", "ns3::VoqBuffer", true},
};

/// A load balancer of hosts and a path selector of switches.
struct ScheduleBalance
{
    const char* balancer; //!< TypeId
    const char* selector; //!< TypeId
    bool predictable;     //!< paths are known before a packet arrives
    bool trees;           //!< for shortest paths only
    bool fixed;           //!< a flow keeps its path, so that switches may choose others
};

const ScheduleBalance SCHEDULE_BALANCES[] = {
    {"ns3::PerFlowLoadBalancer", "ns3::SymmetricEcmpPathSelector", true, false, true},
    {"ns3::PerFlowLoadBalancer", "ns3::EcmpPathSelector", true, false, true},
    {"ns3::RandomSprayLoadBalancer", "ns3::EcmpPathSelector", true, false, false},
    {"ns3::RepsLoadBalancer", "ns3::EcmpPathSelector", true, false, false},
    {"ns3::PerFlowLoadBalancer", "ns3::FlowletPathSelector", false, false, false},
    {"ns3::PerFlowLoadBalancer", "ns3::AdaptivePathSelector", false, false, false},
    {"ns3::PerFlowLoadBalancer", "ns3::SpanningTreePathSelector", true, true, false},
};

/// A congestion control beside coordinated congestion management.
struct ScheduleCongestion
{
    const char* type;    //!< TypeId
    const char* feature; //!< that it needs of switches; null: none
    bool marks;          //!< it lives on marks
    bool onePath;        //!< it compares INT of one path
};

const ScheduleCongestion SCHEDULE_CONGESTIONS[] = {
    {"ns3::NoCongestionControl", nullptr, false, false},
    {"ns3::DcqcnCongestionControl", nullptr, true, false},
    {"ns3::DctcpCongestionControl", nullptr, true, false},
    {"ns3::TimelyCongestionControl", nullptr, false, false},
    {"ns3::SwiftCongestionControl", nullptr, false, false},
    {"ns3::HpccCongestionControl", "ns3::HpccIntFeature", false, true},
    {"ns3::RoccCongestionControl", "ns3::RoccFeature", false, false},
};

/**
 * @ingroup dcfabric-tests
 * @brief Random schedules: every packet is accounted for, what can finish does, and the same seed
 * gives the same results.
 */
class ScheduleTestCase : public TestCase, private RandomDraws
{
  public:
    /**
     * @param seed of the first schedule
     * @param count how many
     * @param coordinated with coordinated congestion management, under any congestion control
     */
    ScheduleTestCase(uint32_t seed, uint32_t count, bool coordinated = false)
        : TestCase(std::string("random schedules of all faults") +
                   (coordinated ? ", coordinated" : "") + ", seeds " + std::to_string(seed) +
                   " to " + std::to_string(seed + count - 1)),
          m_seed(seed),
          m_count(count),
          m_coordinated(coordinated)
    {
    }

  private:
    /**
     * @param list of any type
     * @return one of a list
     */
    template <typename T, std::size_t N>
    const T& Pick(const T (&list)[N])
    {
        return list[Draw(N)];
    }

    /**
     * @param fromPs after this one
     * @return a time up to 100 us, in ps
     */
    int64_t DrawPs(int64_t fromPs)
    {
        return fromPs + 1 + int64_t{Draw(100)} * Draw(1000000);
    }

    /**
     * @brief Add one kind of faults to a place, some of which do not end.
     * @param faults takes them
     * @param begin,end the kinds
     * @param a,b the place
     * @param share of the first
     */
    void DrawPair(FabricFaults& faults,
                  FabricFault::Kind begin,
                  FabricFault::Kind end,
                  uint32_t a,
                  uint32_t b,
                  double share = 0)
    {
        int64_t atPs = DrawPs(0);
        for (uint32_t n = 1 + Draw(2); n > 0; --n)
        {
            faults.Add({atPs, begin, a, b, 0, share});
            if (m_forEver && n == 1 && Draw(3) == 0)
            {
                m_lasting = true;
                return;
            }
            atPs = DrawPs(atPs);
            faults.Add({atPs, end, a, b, 0, 0});
            atPs = DrawPs(atPs);
        }
    }

    /**
     * @param graph plan
     * @param storms hosts may pause
     * @return random faults
     */
    FabricFaults DrawFaults(const FabricGraph& graph, bool storms)
    {
        FabricFaults faults;
        for (const FabricLink& link : graph.GetLinks())
        {
            const double share = (1 + Draw(50)) / 100.0;
            switch (Draw(12))
            {
            case 0:
                DrawPair(faults, FabricFault::DOWN, FabricFault::UP, link.a, link.b);
                break;
            case 1:
                DrawPair(faults, FabricFault::LOSS, FabricFault::LOSS, link.a, link.b, share);
                break;
            case 2:
                DrawPair(faults, FabricFault::CORRUPT, FabricFault::CORRUPT, link.a, link.b, share);
                break;
            case 3:
                faults.Add({DrawPs(0), FabricFault::RATE, link.a, link.b, 10 * GBPS});
                break;
            case 4:
                faults.AddFlapping(FabricTime::FromPs(DrawPs(0)),
                                   link.a,
                                   link.b,
                                   NanoSeconds(1 + Draw(3000)),
                                   NanoSeconds(1 + Draw(3000)),
                                   1 + Draw(5));
                break;
            default:
                break;
            }
        }
        for (uint32_t node = 0; node < graph.GetNNodes(); ++node)
        {
            if (!graph.IsHost(node) && Draw(8) == 0)
            {
                DrawPair(faults, FabricFault::SWITCH_DOWN, FabricFault::SWITCH_UP, node, 0);
            }
            if (graph.IsHost(node) && storms && Draw(8) == 0)
            {
                DrawPair(faults, FabricFault::STORM, FabricFault::CALM, node, 0);
            }
        }
        if (Draw(4) != 0)
        {
            faults.SetConvergenceTime(NanoSeconds(Draw(3) * Draw(30000)));
        }
        return faults;
    }

    /**
     * @brief Install coordinated congestion management.
     * @param helper takes it
     * @param mayChoose nobody else chooses paths
     */
    void Coordinate(FabricHelper& helper, bool mayChoose)
    {
        const ScheduleCongestion* congestion = nullptr;
        do
        {
            congestion = &Pick(SCHEDULE_CONGESTIONS);
        } while (congestion->onePath && !mayChoose);
        m_what += std::string(", ") + congestion->type;
        helper.SetCongestionControl(congestion->type);
        if (congestion->feature)
        {
            helper.AddSwitchFeature(congestion->feature);
        }
        if (congestion->marks)
        {
            SetMarks(helper, 10000, 40000);
        }
        // thresholds of a few packets, so that much happens
        helper.AddSwitchFeature("ns3::CcmFeature",
                                "Adaptive",
                                BooleanValue(mayChoose),
                                "LightBytes",
                                UintegerValue(3000),
                                "HeavyBytes",
                                UintegerValue(6000),
                                "IncastBytes",
                                UintegerValue(9000),
                                "MoveHold",
                                TimeValue(MicroSeconds(HOLD_US)));
        helper.AddCoordination("ns3::CoordinationGateModifier");
    }

    /**
     * @brief No flow is moved at a switch twice within the hold time.
     * @param network after the run
     * @param flows that there were
     */
    void CheckMoves(TestNetwork& network, uint32_t flows)
    {
        uint64_t moves = 0;
        uint32_t switches = 0;
        for (uint32_t node = 0; node < network.fabric->GetGraph().GetNNodes(); ++node)
        {
            if (network.fabric->GetGraph().IsHost(node))
            {
                continue;
            }
            ++switches;
            for (const auto& feature : network.fabric->GetSwitch(node)->GetFeatures())
            {
                for (const auto& [name, count] : feature->GetCounters())
                {
                    moves += std::string(name) == "ccm_moves" ? count : 0;
                }
            }
        }
        const auto spanUs = static_cast<uint64_t>(Simulator::Now().GetMicroSeconds());
        NS_TEST_EXPECT_MSG_LT(moves,
                              uint64_t{flows} * switches * (spanUs / HOLD_US + 1) + 1,
                              m_what << ": moves");
        m_moves += moves;
        m_mostMoves = std::max(m_mostMoves, static_cast<double>(moves) / flows);
    }

    /**
     * @param seed of the schedule
     * @return all that happened, in words
     */
    std::string Simulate(uint32_t seed)
    {
        Seed(seed);
        RngSeedManager::SetRun(seed);
        m_lasting = false;
        const std::vector<SchedulePlan>& plans = ListSchedulePlans();
        const SchedulePlan& plan = plans[Draw(static_cast<uint32_t>(plans.size()))];
        const std::string routing = plan.routing;
        const ScheduleControl* control = &SCHEDULE_CONTROLS[0];
        do
        {
            control = plan.losslessToo ? &Pick(SCHEDULE_CONTROLS) : control;
        } while (control->predicts && !plan.predictable);
        const ScheduleBalance* balance = &Pick(SCHEDULE_BALANCES);
        const bool shortest = routing == "ns3::ShortestPathRouting";
        while ((control->predicts && !balance->predictable) || (balance->trees && !shortest))
        {
            balance = &Pick(SCHEDULE_BALANCES);
        }
        m_forEver = Draw(4) == 0;
        const std::string flowControl = control->flowControl;
        const bool pauses = flowControl == "ns3::PriorityFlowControl";
        m_what = "seed " + std::to_string(seed) + ", " + plan.topology + ", " + routing + ", " +
                 flowControl + ", " + control->buffer + ", " + balance->balancer + ", " +
                 balance->selector;
        FabricHelper helper;
        helper.SetRouting(plan.routing);
        helper.SetFlowControl(flowControl);
        helper.SetBuffer(control->buffer);
        helper.SetLoadBalancer(balance->balancer);
        helper.SetPathSelector(balance->selector);
        helper.SetNicAttribute("AckTimeout", TimeValue(MicroSeconds(50 + Draw(200))));
        helper.SetSwitchAttribute("DetectionTime", TimeValue(NanoSeconds(Draw(3) * Draw(20000))));
        if (pauses && Draw(2) == 0)
        {
            helper.AddSwitchFeature("ns3::PfcWatchdogFeature",
                                    "DetectionTime",
                                    TimeValue(MicroSeconds(20 + Draw(50))),
                                    "RestorationTime",
                                    TimeValue(MicroSeconds(10 + Draw(50))));
        }
        if (m_coordinated)
        {
            const bool isFree = routing == "ns3::DragonflyValiantRouting" ||
                                routing == "ns3::DragonflyUgalRouting" ||
                                routing == "ns3::DragonflyProgressiveRouting" ||
                                routing == "ns3::DragonflyPiggybackRouting" ||
                                routing == "ns3::DragonflyProgressivePiggybackRouting" ||
                                routing.rfind("ns3::HyperX", 0) == 0 ||
                                routing == "ns3::MinimalAdaptiveRouting";
            Coordinate(helper, balance->fixed && !isFree && !control->predicts);
        }
        TestNetwork network(MakeFabricTopology(plan.topology)->BuildGraph(), helper);
        const FabricFaults faults = DrawFaults(network.fabric->GetGraph(), pauses);
        faults.Install(network.fabric);
        const auto hosts = static_cast<uint32_t>(network.fabric->GetHosts().size());
        constexpr uint32_t MESSAGES = 20;
        for (uint32_t tag = 0; tag < MESSAGES; ++tag)
        {
            const uint32_t src = Draw(hosts);
            network.MessagesOf(src).SendAt(Draw(200) * US,
                                           (src + 1 + Draw(hosts - 1)) % hosts,
                                           1 + Draw(100000),
                                           tag);
        }
        for (int i = 1; i <= 10; ++i)
        {
            CallIn(NanoSeconds(i * 30011), [&]() {
                NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(),
                                      true,
                                      m_what << ": conservation on the way");
            });
        }
        Simulator::Stop(m_lasting ? MilliSeconds(50) : Seconds(100));
        Simulator::Run();
        const auto where = network.fabric->CheckConservation();
        NS_TEST_EXPECT_MSG_EQ(where.Holds(), true, m_what << ": conservation");
        m_lost += where.dropped;
        m_open += MESSAGES - network.completed.size();
        if (!m_lasting)
        {
            NS_TEST_EXPECT_MSG_EQ(network.completed.size(), MESSAGES, m_what << ": all complete");
            NS_TEST_EXPECT_MSG_EQ(network.delivered.size(), MESSAGES, m_what << ": arrive once");
            NS_TEST_EXPECT_MSG_EQ(where.inFlight, 0, m_what << ": nothing is left over");
        }
        if (m_coordinated)
        {
            CheckMoves(network, MESSAGES);
        }
        std::ostringstream seen;
        for (const auto& event : network.delivered)
        {
            seen << event.tag << " " << event.nowPs << "\n";
        }
        for (const auto& [reason, count] : network.fabric->GetDrops())
        {
            seen << reason << " " << count << "\n";
        }
        seen << where.created << " " << where.consumed << " " << where.inFlight;
        return seen.str();
    }

    void DoRun() override
    {
        if (m_coordinated && !HasClass("ns3::CcmFeature"))
        {
            return;
        }
        for (uint32_t seed = m_seed; seed < m_seed + m_count; ++seed)
        {
            const std::string seen = Simulate(seed);
            if (seed % 5 == 0)
            {
                NS_TEST_EXPECT_MSG_EQ((Simulate(seed) == seen), true, m_what << ": the same again");
            }
        }
        RngSeedManager::SetRun(1);
        NS_TEST_EXPECT_MSG_GT(m_lost, m_count, "faults hit packets");
        NS_TEST_EXPECT_MSG_GT(m_open, 0, "some faults last, and messages need what they hit");
        if (m_coordinated)
        {
            std::cout << "moves of " << m_count << " schedules: " << m_moves << ", at most "
                      << m_mostMoves << " a flow in one" << std::endl;
            NS_TEST_EXPECT_MSG_GT(m_moves, m_count / 4, "flows are moved");
        }
    }

    static constexpr uint64_t HOLD_US = 20; //!< MoveHold

    uint32_t m_seed;       //!< of the first schedule
    uint32_t m_count;      //!< how many
    bool m_coordinated;    //!< see the constructor
    uint64_t m_moves{0};   //!< of flows, by switches
    double m_mostMoves{0}; //!< of a flow, mean of a schedule
    bool m_forEver{false}; //!< some faults may not end
    bool m_lasting{false}; //!< some do not
    std::string m_what;    //!< the schedule, for messages
    uint64_t m_lost{0};    //!< packets dropped
    uint64_t m_open{0};    //!< messages that a lasting fault holds
};

/// Random schedules of all faults: a few, and a thousand when asked for.
const SuiteCases g_cases("dcfabric-faults", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new ScheduleTestCase(1, 40));
    suite.AddTestCase(new ScheduleTestCase(1000, 1000), DurationOf<TestCase>::TAKES_FOREVER);
    suite.AddTestCase(new ScheduleTestCase(1, 40, true));
    suite.AddTestCase(new ScheduleTestCase(1000, 1000, true), DurationOf<TestCase>::TAKES_FOREVER);
});

} // namespace ns3::tests::fault_schedules_test
