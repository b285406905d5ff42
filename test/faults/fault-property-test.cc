// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-duration.h"
#include "../fabric-test-random.h"
#include "../fabric-test-schedule.h"
#include "../fabric-test-suite.h"
#include "../fabric-test-transport.h"
#include "../fabric-test-wings.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/fabric-faults.h"
#include "ns3/fabric-topology.h"
#include "ns3/object-factory.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <random>
#include <sstream>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Random faults under random messages: conservation, the same results under any scheduler.
 */

namespace ns3::tests::fault_property_test
{

/// A network, its flow control, and what may be lost by its switches.
struct FaultOrganization
{
    const char* name;        //!< for messages
    const char* flowControl; //!< TypeId or none
    const char* buffer;      //!< TypeId
    bool lossless;           //!< switches drop nothing but what has no port left
};

const FaultOrganization ORGANIZATIONS[] = {
    {"lossy", "none", "ns3::SharedBuffer", false},
    {"PFC", "ns3::PriorityFlowControl", "ns3::SharedBuffer", false},
    {"credits", "ns3::CreditFlowControl", "ns3::SharedBuffer", true},
    {"credits by queue", "ns3::VoqCreditFlowControl", "ns3::VoqBuffer", true},
};

/// Six hosts, two spines.
constexpr const char* LEAF_SPINE = "leaf-spine:leaves=2,spines=2,hosts=3";

/**
 * @ingroup dcfabric-tests
 * @brief Random faults under random messages.
 */
class FaultPropertyTestCase : public TestCase, private RandomDraws
{
  public:
    /**
     * @param organization what to run
     * @param seed of the first scenario
     * @param count scenarios
     */
    FaultPropertyTestCase(const FaultOrganization& organization, uint32_t seed, uint32_t count)
        : TestCase(std::string(organization.name) + ": random faults, seeds " +
                   std::to_string(seed) + " to " + std::to_string(seed + count - 1)),
          m_organization(organization),
          m_seed(seed),
          m_count(count)
    {
    }

  private:
    /**
     * @param graph plan
     * @param forEver one link stays down
     * @return random faults
     */
    FabricFaults DrawFaults(const FabricGraph& graph, bool forEver)
    {
        FabricFaults faults;
        for (uint32_t link = 0; link < graph.GetNLinks(); ++link)
        {
            const uint32_t a = graph.GetLinks()[link].a;
            const uint32_t b = graph.GetLinks()[link].b;
            int64_t atPs = 0;
            for (uint32_t n = Draw(4); n > 0; --n)
            {
                atPs += 1 + Draw(60) * Draw(1000000);
                faults.Add({atPs, FabricFault::DOWN, a, b});
                atPs += 1 + Draw(40) * Draw(1000000);
                faults.Add({atPs, FabricFault::UP, a, b});
            }
            if (forEver && link + 1 == graph.GetNLinks())
            {
                faults.Add({atPs + 1, FabricFault::DOWN, a, b});
            }
            for (uint32_t n = Draw(3); n > 0; --n)
            {
                const uint64_t rate = std::vector<uint64_t>{100, 50, 25, 10, 7}[Draw(5)];
                faults.Add(
                    {100000000LL * n - Draw(90000000), FabricFault::RATE, a, b, rate * GBPS});
            }
        }
        return faults;
    }

    /**
     * @brief Run a scenario.
     * @param seed of it
     */
    void RunScenario(uint32_t seed)
    {
        Seed(seed);
        const std::string what =
            std::string(m_organization.name) + ", seed " + std::to_string(seed);
        FabricHelper helper;
        helper.SetFlowControl(m_organization.flowControl);
        helper.SetBuffer(m_organization.buffer);
        helper.SetReliability(Draw(2) ? "ns3::GoBackN" : "ns3::SelectiveRepeat");
        helper.SetNicAttribute("AckTimeout", TimeValue(MicroSeconds(50 + Draw(200))));
        helper.SetNicAttribute("PdcPerMessage", BooleanValue(Draw(2)));
        const bool forEver = Draw(4) == 0;
        // half of the scenarios keep to their paths, dead or not
        const bool repaths = seed % 2 == 0;
        helper.SetLoadBalancer("ns3::PerFlowLoadBalancer",
                               "RepathTimeouts",
                               UintegerValue(repaths ? 2 : 0));
        // never, at once, after some packets
        const bool finds = seed % 3 != 0;
        helper.SetSwitchAttribute(
            "DetectionTime",
            TimeValue(finds ? NanoSeconds(seed % 3 == 1 ? 0 : 1 + seed % 20000) : Hours(24)));
        TestNetwork network(MakeFabricTopology(LEAF_SPINE)->BuildGraph(), helper);
        const FabricFaults faults = DrawFaults(network.fabric->GetGraph(), forEver);
        faults.Install(network.fabric);
        uint64_t bytes = 0;
        const uint32_t messages = 20;
        for (uint32_t tag = 0; tag < messages; ++tag)
        {
            const uint32_t src = Draw(6);
            const uint32_t dst = Draw(2) ? (src + 1 + Draw(5)) % 6 : (src == 5 ? 0 : 5);
            const uint32_t size = 1 + Draw(200000);
            bytes += size;
            network.MessagesOf(src).SendAt(Draw(3) * Draw(60) * US, dst, size, tag);
        }
        for (int i = 1; i <= 20; ++i)
        {
            CallIn(NanoSeconds(i * 10007), [&]() {
                NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(),
                                      true,
                                      what << ": conservation on the way");
            });
        }
        // a link that is down for ever holds what it holds; all else ends by itself long before
        Simulator::Stop(Seconds(forEver ? 1 : 1000));
        Simulator::Run();
        const auto where = network.fabric->CheckConservation();
        NS_TEST_EXPECT_MSG_EQ(where.Holds(), true, what << ": conservation");
        auto drops = network.fabric->GetDrops();
        m_lost += drops[DropReason::LINK_DOWN];
        m_unfinished += messages - network.completed.size();
        m_forEver += forEver;
        if (repaths && !m_organization.lossless)
        {
            // the other spine is left, and no queue that is full for ever holds up others
            NS_TEST_EXPECT_MSG_EQ(network.completed.size(), messages, what << ": all find a path");
        }
        if (!forEver)
        {
            NS_TEST_EXPECT_MSG_EQ(network.completed.size(), messages, what << ": all complete");
            NS_TEST_EXPECT_MSG_EQ(network.delivered.size(), messages, what << ": all arrive once");
            NS_TEST_EXPECT_MSG_EQ(where.inFlight, 0, what << ": nothing is left over");
            NS_TEST_EXPECT_MSG_EQ(network.Sum(&FabricNic::Counters::bytesDelivered), bytes, what);
        }
        const FabricGraph& graph = network.fabric->GetGraph();
        for (uint32_t node = 0; m_organization.lossless && node < graph.GetNNodes(); ++node)
        {
            if (!graph.IsHost(node))
            {
                // but what has no port left, if it finds out
                for (const auto& [reason, count] : network.fabric->GetSwitch(node)->GetDrops())
                {
                    NS_TEST_EXPECT_MSG_EQ((reason == DropReason::PORT_DOWN && finds),
                                          true,
                                          what << ": switch " << node << " drops " << count << ", "
                                               << reason);
                    m_noPort += count;
                }
            }
        }
    }

    void DoRun() override
    {
        for (uint32_t seed = m_seed; seed < m_seed + m_count; ++seed)
        {
            RunScenario(seed);
        }
        NS_TEST_EXPECT_MSG_GT(m_lost, m_count, "faults hit packets");
        NS_TEST_EXPECT_MSG_GT(m_forEver, 0, "some links stay down");
        NS_TEST_EXPECT_MSG_GT(m_unfinished, 0, "which some messages need");
        NS_TEST_EXPECT_MSG_EQ((m_noPort > 0), m_organization.lossless, "switches find out");
    }

    FaultOrganization m_organization; //!< what to run
    uint32_t m_seed;                  //!< of the first scenario
    uint32_t m_count;                 //!< scenarios
    uint64_t m_lost{0};               //!< packets lost with links
    uint64_t m_unfinished{0};         //!< messages that a dead link holds
    uint32_t m_forEver{0};            //!< scenarios with such a link
    uint64_t m_noPort{0};             //!< packets without a port, of lossless networks
};

/**
 * @ingroup dcfabric-tests
 * @brief The same results, whatever the scheduler and the order of nodes and faults.
 */
class FaultDeterminismTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param organization what to run
     * @param scheduler of the simulator
     * @param order seed of the order of nodes and faults, 0: as they are
     * @return what happened
     */
    static std::string Simulate(const FaultOrganization& organization,
                                const std::string& scheduler,
                                uint32_t order)
    {
        Simulator::SetScheduler(ObjectFactory(scheduler));
        const FabricGraph graph = MakeFabricTopology(LEAF_SPINE)->BuildGraph();
        std::mt19937 shuffle(order);
        std::vector<uint32_t> numbers(graph.GetNNodes());
        for (uint32_t node = 0; node < numbers.size(); ++node)
        {
            numbers[node] = node;
        }
        // all faults at few times, at which packets of equal size arrive and end, too
        std::vector<FabricFault> list;
        for (uint32_t link = 0; link < graph.GetNLinks(); ++link)
        {
            const uint32_t a = graph.GetLinks()[link].a;
            const uint32_t b = graph.GetLinks()[link].b;
            const int64_t downPs = 86560 * (1 + link % 3) + US * (1 + link % 5);
            list.push_back({downPs, FabricFault::DOWN, a, b});
            list.push_back({downPs + 20 * US, FabricFault::UP, a, b});
            list.push_back({downPs + (link % 2) * 20 * US, FabricFault::RATE, a, b, 50 * GBPS});
        }
        if (order != 0)
        {
            std::shuffle(numbers.begin(), numbers.end(), shuffle);
            std::shuffle(list.begin(), list.end(), shuffle);
        }
        std::vector<Ptr<Node>> made(graph.GetNNodes());
        for (const uint32_t number : numbers)
        {
            made[number] = CreateObject<Node>();
        }
        NodeContainer nodes;
        for (const auto& node : made)
        {
            nodes.Add(node);
        }
        FabricHelper helper;
        helper.SetFlowControl(organization.flowControl);
        helper.SetBuffer(organization.buffer);
        helper.SetNicAttribute("AckTimeout", TimeValue(MicroSeconds(100)));
        TestNetwork network(helper.Install(graph, nodes));
        FabricFaults faults;
        for (const FabricFault& fault : list)
        {
            faults.Add(fault);
        }
        faults.Install(network.fabric);
        for (uint32_t tag = 0; tag < 30; ++tag)
        {
            network.MessagesOf(tag % 6).SendAt((tag % 4) * 5 * US,
                                               (tag + 1 + tag / 6) % 6,
                                               50000,
                                               tag);
        }
        Simulator::Stop(Seconds(100));
        Simulator::Run();
        std::ostringstream seen;
        for (uint32_t tag = 0; tag < 30; ++tag)
        {
            seen << tag << " " << TestNetwork::Find(network.delivered, tag).nowPs << " "
                 << TestNetwork::Find(network.completed, tag).nowPs << "\n";
        }
        for (uint32_t node = 0; node < graph.GetNNodes(); ++node)
        {
            for (uint32_t port = 0; port < graph.GetDegree(node); ++port)
            {
                const auto& c = network.fabric->GetPort(node, port)->GetCounters();
                seen << node << "." << port << " " << c.txBytes << " " << c.rxDataPackets << " "
                     << c.rxLinkFrames << " " << c.linkDownDrops << " " << c.linkDownFrameDrops
                     << "\n";
            }
        }
        return seen.str();
    }

    void DoRun() override
    {
        for (const FaultOrganization& organization : ORGANIZATIONS)
        {
            const std::string usual = Simulate(organization, "ns3::MapScheduler", 0);
            Config::SetDefault("ns3::CongestionAwareQueueDisc::CountsDirectly",
                               BooleanValue(false));
            NS_TEST_EXPECT_MSG_EQ((Simulate(organization, "ns3::MapScheduler", 0) == usual),
                                  true,
                                  organization.name << ", queue discs counting by their sinks");
            Config::Reset();
            for (const char* scheduler : {"ns3::MapScheduler",
                                          "ns3::HeapScheduler",
                                          "ns3::PriorityQueueScheduler",
                                          "ns3::LookAheadScheduler"})
            {
                for (uint32_t order = 0; order < 3 && HasClass(scheduler); ++order)
                {
                    NS_TEST_EXPECT_MSG_EQ((Simulate(organization, scheduler, order) == usual),
                                          true,
                                          organization.name << ", " << scheduler << ", order "
                                                            << order);
                }
            }
        }
        Simulator::SetScheduler(ObjectFactory("ns3::MapScheduler"));
        Simulator::Destroy();
    }
};

/// Random faults.
const SuiteCases g_cases("dcfabric-faults", TestSuite::Type::UNIT, [](Suite& suite) {
    uint32_t seed = 52000;
    for (const FaultOrganization& organization : ORGANIZATIONS)
    {
        suite.AddTestCase(new FaultPropertyTestCase(organization, seed, 20));
        suite.AddTestCase(new FaultPropertyTestCase(organization, seed + 20, 20),
                          DurationOf<TestCase>::EXTENSIVE);
        seed += 1000;
    }
    suite.AddTestCase(new FaultDeterminismTestCase(
        "faults: no result depends on scheduler, order of nodes or order of lines"));
});

} // namespace ns3::tests::fault_property_test
