// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-duration.h"
#include "fabric-test-engine.h"
#include "fabric-test-matrix-run.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"
#include "fabric-test-wings.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/fabric-energy.h"
#include "ns3/fat-tree-topology.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <iterator>
#include <list>
#include <numeric>
#include <random>
#include <sstream>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Same seed, same results: under any scheduler, and whatever the order in which nodes, links
 * and messages were made.
 */

namespace ns3::tests::determinism_test
{

/// The order in which things are made; 0: in the order of their numbers, else a seed.
struct Orders
{
    uint32_t nodes{0};    //!< of the simulator
    uint32_t links{0};    //!< of the plan, the ports of each node staying as they are
    uint32_t messages{0}; //!< handed to NICs
};

/// A network and its load.
struct Scenario
{
    const char* name;    //!< for messages of the test
    const char* control; //!< congestion control
    const char* feature; //!< of switches, or null
    bool marks;          //!< switches mark
    bool pfc;            //!< lossless
    bool goBack;         //!< reliability
    double errorRate;    //!< of links
    bool perMessage;     //!< PDCs
    int64_t raggedPs;    //!< starts are multiples of it
    bool voq{false};     //!< virtual output queues

    const matrix::Combination* scheme{nullptr}; //!< policies, in place of those above; null: none
    bool company{false};                        //!< hosts take data slowly, links sleep
};

const std::vector<Scenario> SCENARIOS{
    {"none, all at once", "No", nullptr, false, true, false, 0, true, 0},
    {"none, go-back-N, overflow and loss", "No", nullptr, false, false, true, 0.01, false, 500000},
    {"HPCC", "Hpcc", "ns3::HpccIntFeature", false, true, false, 0, true, 1000000},
    {"FNCC, loss", "Fncc", "ns3::FnccIntFeature", false, true, false, 0.005, false, 100},
    {"DCQCN", "Dcqcn", nullptr, true, true, false, 0, true, 777},
    {"DCQCN, RCM", "Dcqcn", "ns3::RcmFeature", true, true, false, 0, true, 777, true},
};

/**
 * @param n how many
 * @param seed 0: ascending
 * @return numbers 0 .. n-1 in some order
 */
std::vector<uint32_t>
Order(uint32_t n, uint32_t seed)
{
    std::vector<uint32_t> order(n);
    std::iota(order.begin(), order.end(), 0);
    if (seed != 0)
    {
        std::mt19937 random(seed);
        std::shuffle(order.begin(), order.end(), random);
    }
    return order;
}

/**
 * @param errorRate of links
 * @param seed 0: as generated
 * @return a fat-tree, k = 4; its links in some order that leaves the ports of all nodes as they are
 */
FabricGraph
MakePlan(double errorRate, uint32_t seed)
{
    Ptr<FatTreeTopology> topology = CreateObject<FatTreeTopology>();
    topology->SetAttribute("K", UintegerValue(4));
    const FabricGraph plan = topology->BuildGraph();
    FabricGraph graph;
    std::vector<uint32_t> nextPort(plan.GetNNodes(), 0);
    for (uint32_t node = 0; node < plan.GetNNodes(); ++node)
    {
        const auto& n = plan.GetNode(node);
        plan.IsHost(node) ? graph.AddHost(n.pod, n.name) : graph.AddSwitch(n.tier, n.pod, n.name);
    }
    // a link may come when it is the next one of both its ends
    std::mt19937 random(seed);
    std::list<uint32_t> rest;
    for (uint32_t link = 0; link < plan.GetNLinks(); ++link)
    {
        rest.push_back(link);
    }
    while (!rest.empty())
    {
        std::vector<std::list<uint32_t>::iterator> ready;
        for (auto it = rest.begin(); it != rest.end() && (seed != 0 || ready.empty()); ++it)
        {
            const FabricLink& link = plan.GetLinks()[*it];
            if (plan.GetPort(link.a, nextPort[link.a]).link == *it &&
                plan.GetPort(link.b, nextPort[link.b]).link == *it)
            {
                ready.push_back(it);
            }
        }
        const auto chosen = ready[random() % ready.size()];
        const FabricLink link = plan.GetLinks()[*chosen];
        rest.erase(chosen);
        ++nextPort[link.a];
        ++nextPort[link.b];
        // whichever end comes first must not matter either
        const bool turned = seed != 0 && random() % 2;
        graph.AddLink(turned ? link.b : link.a,
                      turned ? link.a : link.b,
                      link.rateBps,
                      link.delayPs,
                      errorRate);
    }
    return graph;
}

/**
 * @brief Set the policies of a scenario that names them one by one.
 * @param helper to be told
 * @param scenario which
 */
void
SetPolicies(FabricHelper& helper, const Scenario& scenario)
{
    helper.SetCongestionControl(std::string("ns3::") + scenario.control + "CongestionControl");
    if (scenario.feature)
    {
        helper.AddSwitchFeature(scenario.feature);
    }
    if (scenario.marks)
    {
        helper.SetMarkingProfile("ns3::WredMarkingProfile");
    }
    helper.SetFlowControl(scenario.pfc ? "ns3::PriorityFlowControl" : "none");
    helper.SetBuffer("ns3::SharedBuffer", "Size", UintegerValue(scenario.pfc ? 4000000 : 200000));
    if (scenario.voq)
    {
        helper.SetBuffer("ns3::VoqBuffer");
    }
    helper.SetReliability(scenario.goBack ? "ns3::GoBackN" : "ns3::SelectiveRepeat");
}

/**
 * @brief Set what a combination has, with the defaults of all else.
 * @param helper to be told
 * @param c combination
 */
void
SetScheme(FabricHelper& helper, const matrix::Combination& c)
{
    if (c.cc->flag)
    {
        helper.SetCongestionControl(c.cc->type, c.cc->flag, BooleanValue(c.cc->on));
    }
    else
    {
        helper.SetCongestionControl(c.cc->type);
    }
    if (c.cc->feature)
    {
        helper.AddSwitchFeature(c.cc->feature);
    }
    matrix::SetLb(helper, *c.lb);
    matrix::SetFlowControl(helper, *c.flow);
    helper.SetBuffer(c.buffer->type);
    if (c.buffer->threshold)
    {
        helper.SetBuffer(c.buffer->type, "Threshold", StringValue(c.buffer->threshold));
    }
}

/// @return a combination for each congestion control, with some load balancing, flow control and
/// memory that go with it
std::vector<matrix::Combination>
MakeSchemes()
{
    std::vector<matrix::Combination> schemes;
    for (std::size_t i = 0; i < std::size(matrix::CCS); ++i)
    {
        for (std::size_t step = 0; schemes.size() == i; ++step)
        {
            matrix::Combination c;
            c.cc = &matrix::CCS[i];
            c.lb = &matrix::LBS[(7 * i + step) % std::size(matrix::LBS)]; // each one of them
            c.flow = &matrix::FLOWS[(i + step) % std::size(matrix::FLOWS)];
            c.buffer = &matrix::BUFFERS[(i + step) % std::size(matrix::BUFFERS)];
            c.Complete();
            if (matrix::FindClashes(c).empty())
            {
                schemes.push_back(c);
            }
        }
    }
    return schemes;
}

/**
 * @brief Run a scenario.
 * @param scenario which
 * @param orders in which things are made
 * @param scheduler of the simulator
 * @return all that a user can see of it, in ps
 */
std::string
Simulate(const Scenario& scenario, const Orders& orders, const std::string& scheduler)
{
    Simulator::SetScheduler(ObjectFactory(scheduler));
    const FabricGraph graph = MakePlan(scenario.errorRate, orders.links);
    const matrix::SimpleDecider decider; // of external congestion controls
    FabricHelper helper;
    if (scenario.scheme)
    {
        SetScheme(helper, *scenario.scheme);
    }
    else
    {
        SetPolicies(helper, scenario);
    }
    if (scenario.company)
    {
        Config::SetDefault("ns3::HostLink::Rate", StringValue("60Gbps"));
        Config::SetDefault("ns3::HostLink::BufferBytes", UintegerValue(300000));
    }
    helper.SetNicAttribute("PdcPerMessage", BooleanValue(scenario.perMessage));

    // node numbers of the plan stay; ids and the order of the simulator's nodes change
    std::vector<Ptr<Node>> made(graph.GetNNodes());
    for (const uint32_t number : Order(graph.GetNNodes(), orders.nodes))
    {
        made[number] = CreateObject<Node>();
    }
    NodeContainer nodes;
    for (const auto& node : made)
    {
        nodes.Add(node);
    }
    TestNetwork network(helper.Install(graph, nodes));
    const Ptr<FabricEnergy> energy = CreateObject<FabricEnergy>();
    if (scenario.company)
    {
        energy->SetAttribute("PortWatts", StringValue("4"));
        energy->SetAttribute("SleepAfter", StringValue("2us"));
        energy->SetAttribute("WakeTime", StringValue("700ns"));
        energy->Install(*network.fabric);
    }

    // few sizes and starts, many of them equal: many ties
    struct Message
    {
        uint32_t src;
        uint32_t dst;
        uint64_t bytes;
        int64_t startPs;
    };

    std::mt19937 random(5);
    std::vector<Message> messages;
    for (uint32_t tag = 0; tag < 120; ++tag)
    {
        const auto src = static_cast<uint32_t>(random() % 16);
        const uint32_t dst = tag % 3 == 0 && src != 9 ? 9 : (src + 1 + random() % 15) % 16;
        const uint64_t bytes = std::vector<uint64_t>{1, 1000, 30000, 100000}[random() % 4];
        messages.push_back(
            {src, dst, bytes, static_cast<int64_t>(random() % 20) * scenario.raggedPs});
    }
    for (const uint32_t tag : Order(static_cast<uint32_t>(messages.size()), orders.messages))
    {
        const Message& m = messages[tag];
        network.MessagesOf(m.src).SendAt(m.startPs, m.dst, m.bytes, tag);
    }
    // switches may go on for long to tell nobody of rates
    Simulator::Stop(scenario.scheme ? MilliSeconds(100) : Seconds(100));
    Simulator::Run();

    std::ostringstream seen;
    const auto joules = energy->Collect(*network.fabric, 100000 * US);
    seen << joules.GetSum() << " J, " << joules.wakes << " wakes\n";
    for (uint32_t tag = 0; tag < messages.size(); ++tag)
    {
        const auto there = TestNetwork::Find(network.delivered, tag);
        const auto done = TestNetwork::Find(network.completed, tag);
        seen << (there.tag == tag && done.tag == tag ? "message " : "incomplete ") << tag << " "
             << there.nowPs << " " << there.reordered << " " << done.nowPs << " "
             << done.packetsSent << " " << done.retransmitted << "\n";
    }
    for (uint32_t node = 0; node < graph.GetNNodes(); ++node)
    {
        const FabricActor* actor = network.fabric->GetActor(node);
        for (uint16_t p = 0; p < actor->GetNPorts(); ++p)
        {
            const auto& c = actor->GetPort(p)->GetCounters();
            seen << node << "." << p << " " << c.txBytes << " " << c.rxDataPackets << " "
                 << c.rxControlPackets << " " << c.rxLinkFrames << " " << c.errorDrops << " "
                 << static_cast<uint64_t>(actor->GetPort(p)->GetQueue().GetMeanBytes() * 1e6)
                 << "\n";
        }
    }
    for (const auto& [reason, count] : network.fabric->GetDrops())
    {
        seen << reason << " " << count << "\n";
    }
    return seen.str();
}

/**
 * @param a one
 * @param b other
 * @return the first line in which two results differ
 */
std::string
FirstDifference(const std::string& a, const std::string& b)
{
    std::istringstream left(a);
    std::istringstream right(b);
    std::string l;
    std::string r;
    while (std::getline(left, l) && std::getline(right, r))
    {
        if (l != r)
        {
            return "'" + l + "' or '" + r + "'";
        }
    }
    return a == b ? "none" : "length";
}

/**
 * @ingroup dcfabric-tests
 * @brief One scenario under all schedulers and in several orders.
 */
class DeterminismTestCase : public TestCase
{
  public:
    /// @param scenario which
    explicit DeterminismTestCase(const Scenario& scenario)
        : TestCase(scenario.name),
          m_scenario(scenario)
    {
    }

  private:
    /**
     * @brief The engine and the scheduler of the module.
     * @param expected what has to come out
     */
    void CheckEngine(const std::string& expected)
    {
        // in a network as small as this, only when told so
        Config::SetDefault("ns3::LookAheadScheduler::LookAheadFrom", UintegerValue(0));
        NS_TEST_EXPECT_MSG_EQ(
            FirstDifference(expected, Simulate(m_scenario, {}, "ns3::LookAheadScheduler")),
            "none",
            "looking ahead");
        Config::Reset();
        for (const std::string scheduler : {"ns3::LookAheadScheduler", "ns3::MapScheduler"})
        {
            const EngineChoice engine(OWN_ENGINE, scheduler);
            NS_TEST_EXPECT_MSG_EQ(FirstDifference(expected, Simulate(m_scenario, {}, scheduler)),
                                  "none",
                                  "the module's engine, " << scheduler);
        }
    }

    void DoRun() override
    {
        if (m_scenario.feature && !HasClass(m_scenario.feature))
        {
            return;
        }
        const std::string map = "ns3::MapScheduler";
        const std::string expected = Simulate(m_scenario, {}, map);
        NS_TEST_EXPECT_MSG_EQ((expected.find("incomplete") == std::string::npos),
                              true,
                              "all messages complete");
        NS_TEST_EXPECT_MSG_EQ(FirstDifference(expected, Simulate(m_scenario, {}, map)),
                              "none",
                              "the same again");
        for (const std::string scheduler : {"ns3::HeapScheduler",
                                            "ns3::PriorityQueueScheduler",
                                            "ns3::CalendarScheduler",
                                            "ns3::ListScheduler",
                                            "ns3::LookAheadScheduler"})
        {
            if (HasClass(scheduler))
            {
                NS_TEST_EXPECT_MSG_EQ(
                    FirstDifference(expected, Simulate(m_scenario, {}, scheduler)),
                    "none",
                    scheduler);
            }
        }
        if (HasClass(OWN_ENGINE))
        {
            CheckEngine(expected);
        }
        Config::SetDefault("ns3::CongestionAwareQueueDisc::CountsDirectly", BooleanValue(false));
        NS_TEST_EXPECT_MSG_EQ(FirstDifference(expected, Simulate(m_scenario, {}, map)),
                              "none",
                              "queue discs counting by their sinks");
        Config::Reset();
        for (uint32_t seed = 1; seed <= 3; ++seed)
        {
            NS_TEST_EXPECT_MSG_EQ(
                FirstDifference(expected, Simulate(m_scenario, {seed, 0, 0}, map)),
                "none",
                "nodes in another order, seed " << seed);
            NS_TEST_EXPECT_MSG_EQ(
                FirstDifference(expected, Simulate(m_scenario, {0, seed, 0}, map)),
                "none",
                "links in another order, seed " << seed);
            NS_TEST_EXPECT_MSG_EQ(
                FirstDifference(expected, Simulate(m_scenario, {0, 0, seed}, map)),
                "none",
                "messages in another order, seed " << seed);
            NS_TEST_EXPECT_MSG_EQ(
                FirstDifference(expected,
                                Simulate(m_scenario, {seed, seed, seed}, "ns3::CalendarScheduler")),
                "none",
                "all in another order, seed " << seed);
        }
        Simulator::SetScheduler(ObjectFactory(map)); // the default, for other suites
        Simulator::Destroy();
    }

    Scenario m_scenario; //!< which
};

/**
 * @ingroup dcfabric-tests
 * @brief A scheme of the matrix under schedulers, and made in other orders.
 */
class SchemeTestCase : public TestCase
{
  public:
    /**
     * @param number of the scheme
     * @param all under all schedulers; else under one of them
     */
    SchemeTestCase(std::size_t number, bool all)
        : TestCase(MakeSchemes()[number].GetName() + (all ? ", all schedulers" : "")),
          m_number(number),
          m_all(all)
    {
    }

  private:
    void DoRun() override
    {
        const std::vector<std::string> schedulers{"ns3::HeapScheduler",
                                                  "ns3::PriorityQueueScheduler",
                                                  "ns3::CalendarScheduler",
                                                  "ns3::ListScheduler",
                                                  "ns3::LookAheadScheduler"};
        const matrix::Combination scheme = MakeSchemes()[m_number];
        Scenario scenario{scheme.cc->name, "", nullptr, false, false, false, 0.002, true, 777};
        scenario.scheme = &scheme;
        scenario.company = m_number % 2 != 0;
        const std::string expected = Simulate(scenario, {}, "ns3::MapScheduler");
        NS_TEST_EXPECT_MSG_EQ((expected.find("incomplete") == std::string::npos),
                              true,
                              "all messages complete");
        for (std::size_t i = 0; i < schedulers.size(); ++i)
        {
            if ((m_all || i == m_number % schedulers.size()) && HasClass(schedulers[i]))
            {
                NS_TEST_EXPECT_MSG_EQ(
                    FirstDifference(expected, Simulate(scenario, {}, schedulers[i])),
                    "none",
                    schedulers[i]);
            }
        }
        NS_TEST_EXPECT_MSG_EQ(
            FirstDifference(expected, Simulate(scenario, {1, 1, 1}, "ns3::CalendarScheduler")),
            "none",
            "all in another order");
        Simulator::SetScheduler(ObjectFactory("ns3::MapScheduler"));
        Config::Reset();
        Simulator::Destroy();
    }

    std::size_t m_number; //!< of the scheme
    bool m_all;           //!< under all schedulers
};

/// Same seed, same results.
const SuiteCases g_cases("dcfabric-determinism", TestSuite::Type::SYSTEM, [](Suite& suite) {
    for (const Scenario& scenario : SCENARIOS)
    {
        suite.AddTestCase(new DeterminismTestCase(scenario));
    }
    for (std::size_t i = 0; i < std::size(matrix::CCS); ++i)
    {
        suite.AddTestCase(new SchemeTestCase(i, false));
        suite.AddTestCase(new SchemeTestCase(i, true), DurationOf<TestCase>::TAKES_FOREVER);
    }
});

} // namespace ns3::tests::determinism_test
