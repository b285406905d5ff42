// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-errors.h"
#include "../fabric-test-plan.h"
#include "../fabric-test-schedule.h"
#include "../fabric-test-suite.h"

#include "ns3/dragonfly-valiant-routing.h"
#include "ns3/dragonfly-vias.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-topology.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"
#include "ns3/via-feature.h"

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Ways by way of another switch: Valiant routing and UGAL.
 */

namespace ns3::tests::via_routing_test
{

/// 72 hosts, 9 groups of 4 routers, one link between each pair of groups.
const char* const BALANCED = "dragonfly:hosts=2,routers=4,globals=2,groups=9";

/// @return the plan of a topology as on a command line
FabricGraph
Plan(const std::string& spec)
{
    return MakeFabricTopology(spec)->BuildGraph();
}

/**
 * @ingroup dcfabric-tests
 * @brief A network's routes under Valiant routing.
 */
struct ValiantRoutes
{
    /// @param topology as on a command line
    explicit ValiantRoutes(const std::string& topology)
        : graph(Plan(topology)),
          algorithm(CreateObject<DragonflyValiantRouting>())
    {
        algorithm->Attach(graph);
        routing = std::make_unique<RoutingBuilder>(graph, PeekPointer(algorithm));
        vias = algorithm->MakeVias([this](uint32_t node, uint32_t address) {
            return routing->GetDistance(node, routing->GetClasses()->classOf[address]);
        });
    }

    FabricGraph graph;                       //!< plan
    Ptr<DragonflyValiantRouting> algorithm;  //!< which ways
    std::unique_ptr<RoutingBuilder> routing; //!< routes
    std::shared_ptr<const ViaPlan> vias;     //!< ways that are not minimal
};

/**
 * @ingroup dcfabric-tests
 * @brief Which switches are vias, and how far they are.
 *
 * a routers with h global ports in each group: a h vias for a receiver of the own group's links,
 * but for those in the receiver's group.
 */
class ViaPlanTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief Look at all routers of the first group.
     * @param spec topology
     * @param globals links of a group
     * @param perGroup of these to each other group
     */
    void Check(const std::string& spec, uint32_t globals, uint32_t perGroup)
    {
        const ValiantRoutes net(spec);
        const FabricGraph& graph = net.graph;
        for (uint32_t node = graph.GetNHosts(); node < graph.GetNNodes(); ++node)
        {
            const uint32_t group = graph.GetNode(node).pod;
            for (uint32_t dst = 0; dst < graph.GetNHosts(); dst += 1 + node % 5)
            {
                const uint32_t target = graph.GetNode(dst).pod;
                const std::vector<uint32_t> list = net.vias->List(node, dst);
                NS_TEST_ASSERT_MSG_EQ(list.size(),
                                      (target == group ? 0 : globals - perGroup),
                                      spec << ": vias from " << node << " to " << dst);
                std::multiset<uint32_t> drawn;
                for (uint32_t i = 0; i < globals; ++i)
                {
                    const uint32_t via = net.vias->Draw(node, dst, (i + 0.5) / globals);
                    if (via != ViaPlan::NONE)
                    {
                        drawn.insert(via);
                    }
                }
                NS_TEST_EXPECT_MSG_EQ((drawn == std::multiset<uint32_t>(list.begin(), list.end())),
                                      true,
                                      spec << ": each link is as likely");
                for (const uint32_t via : list)
                {
                    const uint32_t third = graph.GetNode(via).pod;
                    NS_TEST_EXPECT_MSG_EQ((third != group && third != target), true, "third group");
                    const uint32_t there = net.vias->GetHops(node, via);
                    NS_TEST_EXPECT_MSG_EQ((there == 1 || there == 2), true, "local, global");
                    NS_TEST_EXPECT_MSG_LT(net.vias->GetHops(via, dst), 4, "local, global, local");
                    NS_TEST_EXPECT_MSG_EQ(net.vias->EndsAt(via, via), true, "there it ends");
                    NS_TEST_EXPECT_MSG_EQ(net.vias->EndsAt(node, via), false, "not at once");
                }
            }
        }
    }

    void DoRun() override
    {
        Check(BALANCED, 8, 1);
        Check("dragonfly:hosts=3,routers=6,globals=3,groups=19", 18, 1);
        Check("dragonfly:hosts=1,routers=4,globals=2,groups=5", 8, 2);
        Check("dragonfly:hosts=1,routers=4,globals=2,groups=2", 8, 8); // no third group

        const ValiantRoutes net(BALANCED);
        const uint32_t router = net.graph.GetNHosts();
        NS_TEST_EXPECT_MSG_EQ(net.vias->Draw(router, 71, 0), router + 4, "first global link");
        NS_TEST_EXPECT_MSG_EQ(net.vias->Draw(router, 71, 0.999999999), ViaPlan::NONE, "the last");
        NS_TEST_EXPECT_MSG_EQ(net.vias->Draw(router, 71, 1), ViaPlan::NONE, "never beyond");
        // a way ends in the group, not only at the via: a local link less
        NS_TEST_EXPECT_MSG_EQ(net.vias->EndsAt(router + 7, router + 4), true, "same group");
        NS_TEST_EXPECT_MSG_EQ(net.vias->EndsAt(router + 8, router + 4), false, "another");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Switches are destinations where packets go by way of them.
 */
class SwitchRoutesTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // 3 groups of 2 leaves and 2 spines, 4 hosts each: spines have no hosts of their own
        const ValiantRoutes net("dragonfly-plus:leaves=2,spines=2,hosts=2,globals=2,groups=3");
        const FabricGraph& graph = net.graph;
        const auto minimal = CreateObject<DragonflyMinimalRouting>();
        minimal->Attach(graph);
        const RoutingBuilder without(graph, PeekPointer(minimal));
        NS_TEST_EXPECT_MSG_EQ(without.GetClasses()->nClasses, 6, "leaves");
        NS_TEST_EXPECT_MSG_EQ(net.routing->GetNHostClasses(), 6, "the same");
        NS_TEST_EXPECT_MSG_EQ(net.routing->GetClasses()->nClasses, 12, "and spines");
        NS_TEST_EXPECT_MSG_EQ(net.routing->GetMaxSwitches(), without.GetMaxSwitches(), "of hosts");
        for (uint32_t node = graph.GetNHosts(); node < graph.GetNNodes(); ++node)
        {
            NS_TEST_EXPECT_MSG_EQ(without.GetClasses()->classOf[node],
                                  DestinationClasses::NONE,
                                  "no destination if nobody asks");
            const ForwardingTable table = net.routing->BuildTable(node);
            const ForwardingTable plain = without.BuildTable(node);
            for (uint32_t address = 0; address < graph.GetNNodes(); ++address)
            {
                const PortGroup group = table.Lookup(address);
                NS_TEST_EXPECT_MSG_EQ((group.nPorts > 0),
                                      (address != node),
                                      "way from " << node << " to " << address);
                if (graph.IsHost(address))
                {
                    const PortGroup same = plain.Lookup(address);
                    NS_TEST_EXPECT_MSG_EQ(
                        (std::vector<uint16_t>(group.ports, group.ports + group.nPorts) ==
                         std::vector<uint16_t>(same.ports, same.ports + same.nPorts)),
                        true,
                        "hosts as without");
                }
            }
        }
        const auto algorithm = CreateObject<DragonflyValiantRouting>();
        NS_TEST_EXPECT_MSG_EQ(algorithm->MakeViaFeature(nullptr)->GetInstanceTypeId().GetName(),
                              "ns3::ValiantFeature",
                              "a feature of each switch");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A network in which each host sends to another, and what its packets did.
 */
class ViaRun
{
  public:
    /// Links between switches, and of these global ones, that a packet crossed.
    using Links = std::pair<uint32_t, uint32_t>;

    /**
     * @param helper of the network
     * @param topology as on a command line
     */
    ViaRun(FabricHelper& helper, const std::string& topology)
        : m_graph(Plan(topology)),
          fabric(helper.Install(m_graph))
    {
        for (const uint32_t host : fabric->GetHosts())
        {
            fabric->GetNic(host)->GetMessages().SetCompletedCallback(
                [this](const FabricMessageEvent&) { ++completed; });
        }
    }

    ~ViaRun()
    {
        fabric = nullptr;
        Simulator::Destroy();
    }

    /// Write the ways of all packets down, by sender, receiver, type, number and entropy.
    void Trace()
    {
        for (uint32_t node = m_graph.GetNHosts(); node < m_graph.GetNNodes(); ++node)
        {
            for (uint32_t p = 0; p < m_graph.GetDegree(node); ++p)
            {
                const FabricGraph::Port& port = m_graph.GetPort(node, p);
                if (!m_graph.IsHost(port.peer))
                {
                    fabric->GetPort(node, p)->TraceConnectWithoutContext(
                        "Transmit",
                        MakeBoundCallback(&ViaRun::Note, this, m_graph.IsGlobal(port.link)));
                }
            }
        }
    }

    /**
     * @brief Each host sends.
     * @param by to the one so many further on
     * @param bytes to it
     */
    void Shift(uint32_t by, uint64_t bytes)
    {
        const uint32_t n = m_graph.GetNHosts();
        for (uint32_t host = 0; host < n; ++host)
        {
            fabric->GetNic(host)->GetMessages().Send((host + by) % n, bytes, host);
        }
    }

    /**
     * @brief Run.
     * @param from beginning of a span
     * @param to its end, at which the simulation stops
     * @return share of the hosts' line rate at which data arrived in the span, headers included
     */
    double MeasureShare(Time from, Time to)
    {
        uint64_t before = 0;
        CallIn(from, [&] { before = CountDelivered(); });
        Simulator::Stop(to);
        Simulator::Run();
        const auto packets = static_cast<double>(CountDelivered() - before);
        // 1000 bytes of payload, 66 of headers and ICRC, FCS, 20 of preamble and gap: of 100 Gb/s
        const double bits = packets * 8 * GetFrameBytes();
        return bits / (1e11 * (to - from).GetSeconds() * m_graph.GetNHosts());
    }

    /// @return packets that went by way of others, and those that did not
    std::pair<uint64_t, uint64_t> CountWays() const
    {
        std::map<std::string, uint64_t> sum;
        for (uint32_t node = m_graph.GetNHosts(); node < m_graph.GetNNodes(); ++node)
        {
            for (const auto& [name, count] :
                 fabric->GetSwitch(node)->GetFeature<ViaFeature>()->GetCounters())
            {
                sum[name] += count;
            }
        }
        const uint64_t diverted = sum.at("diverted_packets"); // these began straight
        return {sum.at("non_minimal_packets") + diverted, sum.at("minimal_packets") - diverted};
    }

    std::map<std::tuple<uint32_t, uint32_t, int, uint32_t, int>, Links> ways; //!< see Trace()
    uint32_t completed{0};                                                    //!< messages

  private:
    /// A packet leaves a switch for another.
    static void Note(ViaRun* run, bool isGlobal, Ptr<const FabricPacketItem> item)
    {
        if (!item->IsLinkFrame() && item->type != FabricPacketType::NOTICE)
        {
            auto& [links, globals] =
                run->ways[{item->src,
                           item->GetReceiver(),
                           static_cast<int>(item->type),
                           item->type == FabricPacketType::DATA ? item->psn : item->ack.triggerPsn,
                           item->entropy}];
            ++links;
            globals += isGlobal ? 1 : 0;
        }
    }

    /// @return data packets that have arrived
    uint64_t CountDelivered() const
    {
        uint64_t packets = 0;
        for (const uint32_t host : fabric->GetHosts())
        {
            packets += fabric->GetNic(host)->GetCounters().dataDelivered;
        }
        return packets;
    }

    /// @return bytes of a full data packet on the wire, preamble and gap included
    double GetFrameBytes() const
    {
        const FabricNic& nic = *fabric->GetNic(0);
        return nic.wire->GetDataBytes(1000, false) + nic.wire->GetGapBytes();
    }

    FabricGraph m_graph; //!< plan

  public:
    Ptr<Fabric> fabric; //!< network
};

/**
 * @ingroup dcfabric-tests
 * @brief The ways of packets: how long, and of how many links between groups.
 */
class ViaWaysTestCase : public NamedCase
{
  public:
    using NamedCase::NamedCase;

  protected:
    /**
     * @brief Let each host send 20 packets to the next group.
     * @param helper network
     * @param topology of 72 hosts or so
     * @param by hosts of a group
     * @param links most links between switches
     * @param what it is
     * @return share of packets that go by way of a third group
     */
    double Run(FabricHelper& helper,
               const std::string& topology,
               uint32_t by,
               uint32_t links,
               const std::string& what)
    {
        ViaRun run(helper, topology);
        run.Trace();
        run.Shift(by, 20000);
        Simulator::Run();
        const uint32_t hosts = run.fabric->GetGraph().GetNHosts();
        NS_TEST_EXPECT_MSG_EQ(run.completed, hosts, what << ": all arrive");
        NS_TEST_EXPECT_MSG_EQ(run.fabric->CheckConservation().Holds(), true, what);
        NS_TEST_EXPECT_MSG_EQ(run.fabric->GetDrops().empty(), true, what << ": no drops");
        uint64_t twice = 0;
        for (const auto& [packet, way] : run.ways)
        {
            NS_TEST_EXPECT_MSG_LT(way.first, links + 1, what << ": links");
            NS_TEST_EXPECT_MSG_EQ((way.second == 1 || way.second == 2), true, what << ": global");
            twice += way.second == 2 ? 1 : 0;
        }
        for (uint32_t node = hosts; node < run.fabric->GetGraph().GetNNodes(); ++node)
        {
            NS_TEST_EXPECT_MSG_EQ(run.fabric->GetSwitch(node)->GetBuffer()->GetUsedBytes(),
                                  0,
                                  what << ": room of switch " << node);
        }
        const auto [nonMinimal, minimal] = run.CountWays();
        NS_TEST_EXPECT_MSG_EQ(nonMinimal, twice, what << ": counted");
        NS_TEST_EXPECT_MSG_EQ(nonMinimal + minimal, run.ways.size(), what << ": all of them");
        NS_TEST_EXPECT_MSG_EQ(nonMinimal + minimal, hosts * 40, what << ": data and ACKs");
        return static_cast<double>(nonMinimal) / static_cast<double>(nonMinimal + minimal);
    }

  private:
    void DoRun() override
    {
        // one of eight links leads to the receiver's group: 7/8 of 2880 packets, +- 5 sigma
        for (const char* control : {"ns3::PriorityFlowControl", "ns3::CreditFlowControl", "none"})
        {
            FabricHelper valiant;
            valiant.SetFlowControl(control);
            valiant.SetRouting("ns3::DragonflyValiantRouting");
            NS_TEST_EXPECT_MSG_EQ_TOL(Run(valiant, BALANCED, 8, 5, control),
                                      0.875,
                                      0.031,
                                      control << ": share of non-minimal packets");
        }
        // in a third group of a dragonfly+ down and up again: up, global, down, up, global, down
        FabricHelper plus;
        plus.SetRouting("ns3::DragonflyValiantRouting");
        NS_TEST_EXPECT_MSG_EQ_TOL(
            Run(plus, "dragonfly-plus:leaves=2,spines=2,hosts=4,globals=4,groups=9", 8, 6, "plus"),
            0.875,
            0.031,
            "dragonfly+: share of non-minimal packets");
        FabricHelper voqs;
        voqs.SetBuffer("ns3::VoqBuffer");
        voqs.SetRouting("ns3::DragonflyUgalRouting", "Bias", TimeValue(Seconds(0)));
        const double share = Run(voqs, BALANCED, 8, 5, "UGAL");
        NS_TEST_EXPECT_MSG_EQ((share > 0.1 && share < 0.875), true, "UGAL: " << share);
        // nothing waits behind a lone flow: it goes straight
        FabricHelper lone;
        lone.SetRouting("ns3::DragonflyUgalRouting");
        ViaRun run(lone, BALANCED);
        run.fabric->GetNic(0)->GetMessages().Send(70, 100000, 0);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(run.CountWays().first, 0, "lone flow under UGAL");
        NS_TEST_EXPECT_MSG_EQ(run.CountWays().second, 200, "data and ACKs");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The same where switches know more than their own queues: a packet that chooses again at
 * the second switch has one more link between switches, in a dragonfly+ two.
 */
class InformedWaysTestCase : public ViaWaysTestCase
{
  public:
    using ViaWaysTestCase::ViaWaysTestCase;

  private:
    void DoRun() override
    {
        const struct
        {
            const char* routing;
            uint32_t links;     // at most, in a dragonfly
            uint32_t plusLinks; // and in a dragonfly+
        } routings[] = {{"ns3::DragonflyProgressiveRouting", 6, 8},
                        {"ns3::DragonflyPiggybackRouting", 5, 6},
                        {"ns3::DragonflyProgressivePiggybackRouting", 6, 8}};

        for (const auto& [routing, links, plusLinks] : routings)
        {
            for (const char* control : {"ns3::PriorityFlowControl", "ns3::CreditFlowControl"})
            {
                FabricHelper helper;
                helper.SetFlowControl(control);
                helper.SetRouting(routing);
                const double share = Run(helper, BALANCED, 8, links, routing);
                // what is told comes late for so few packets
                NS_TEST_EXPECT_MSG_EQ((share > 0.01 && share < 0.875), true, routing << share);
            }
            FabricHelper plus;
            plus.SetBuffer("ns3::VoqBuffer");
            plus.SetRouting(routing);
            const double share = Run(plus,
                                     "dragonfly-plus:leaves=2,spines=2,hosts=4,globals=4,groups=9",
                                     8,
                                     plusLinks,
                                     routing);
            NS_TEST_EXPECT_MSG_EQ((share > 0.01 && share < 0.875), true, routing << share);
            FabricHelper lone;
            lone.SetRouting(routing);
            ViaRun run(lone, BALANCED);
            run.fabric->GetNic(0)->GetMessages().Send(70, 10000, 0);
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(run.CountWays().first, 0, "a short lone flow: " << routing);
            NS_TEST_EXPECT_MSG_EQ(run.CountWays().second, 20, "data and ACKs");
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief With a FlowletGap a flow keeps its way, and that is compatible with what needs order.
 */
class ViaFlowletTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        FabricHelper helper;
        helper.SetReliability("ns3::GoBackN");
        helper.SetRouting("ns3::DragonflyValiantRouting");
        DCFABRIC_EXPECT_REFUSAL(helper.Install(Plan(BALANCED)),
                                "ns3::GoBackN accepts packets only in order, but "
                                "ns3::DragonflyValiantRouting");
        helper.SetRouting("ns3::DragonflyValiantRouting",
                          "FlowletGap",
                          TimeValue(MilliSeconds(100)));
        {
            ViaRun run(helper, BALANCED);
            run.Trace();
            run.Shift(8, 50000);
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(run.completed, 72, "all arrive");
            std::map<std::pair<uint32_t, uint32_t>, std::set<ViaRun::Links>> ways;
            for (const auto& [packet, way] : run.ways)
            {
                ways[{std::get<0>(packet), std::get<1>(packet)}].insert(way);
            }
            for (const auto& [pair, different] : ways)
            {
                NS_TEST_EXPECT_MSG_EQ(different.size(), 1, "one way from " << pair.first);
            }
            uint64_t again = 0;
            for (const uint32_t host : run.fabric->GetHosts())
            {
                again += run.fabric->GetNic(host)->GetCounters().retransmitted;
            }
            NS_TEST_EXPECT_MSG_EQ(again, 0, "in order: nothing is sent again");
        }
        FabricHelper hpcc;
        hpcc.SetCongestionControl("ns3::HpccCongestionControl");
        hpcc.AddSwitchFeature("ns3::HpccIntFeature");
        hpcc.SetRouting("ns3::DragonflyUgalRouting");
        DCFABRIC_EXPECT_REFUSAL(hpcc.Install(Plan(BALANCED)),
                                "compares INT records of one path, but ns3::DragonflyUgalRouting");
        FabricHelper foresight;
        foresight.SetFlowControl("ns3::VoqCreditFlowControl");
        foresight.SetBuffer("ns3::VoqBuffer");
        foresight.SetRouting("ns3::DragonflyUgalRouting");
        DCFABRIC_EXPECT_REFUSAL(foresight.Install(Plan(BALANCED)),
                                "ns3::DragonflyUgalRouting chooses its way on arrival");
        FabricHelper global;
        global.SetRouting("ns3::DragonflyUgalRouting", "Queues", StringValue("global"));
        DCFABRIC_EXPECT_REFUSAL(global.Install(Plan(BALANCED)), "which no switch knows");
        global.SetRouting("ns3::DragonflyUgalRouting", "Queues", StringValue("own"));
        DCFABRIC_EXPECT_REFUSAL(global.Install(Plan(BALANCED)), "unknown value 'own'; use local");
        foresight.SetRouting("ns3::DragonflyMinimalRouting");
        NS_TEST_EXPECT_MSG_EQ(RefusalOf([&] { foresight.Install(Plan(BALANCED)); }),
                              "(accepted)",
                              "minimal ways are known ahead");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Throughput of adversarial and of uniform traffic, p = 2 hosts, a = 4 routers, h = 2.
 *
 * Group i sends all it has to group i + 1. Minimal: one link for a p = 8 hosts, 1/8 of the line
 * rate each. Valiant: each packet takes two global links, but for 1/8; of a group's eight links
 * each to another group carries 1/8 of its own 8 x and 1/8 of the 8 x of that group's other
 * neighbor, so that 2 x is at most 1: half of the line rate, less what ACKs take (8 % of the
 * bytes).
 */
class ViaThroughputTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param routing class
     * @param by shift; 0: to all others
     * @return share of the line rate
     */
    static double Share(const std::string& routing, uint32_t by)
    {
        FabricHelper helper;
        helper.SetRouting(routing);
        ViaRun run(helper, BALANCED);
        if (by > 0)
        {
            run.Shift(by, 4000000);
            return run.MeasureShare(MicroSeconds(100), MicroSeconds(300));
        }
        for (uint32_t other = 1; other < 72; ++other)
        {
            run.Shift(other, 40000);
        }
        return run.MeasureShare(MicroSeconds(40), MicroSeconds(140));
    }

    void DoRun() override
    {
        const double alone = Share("ns3::DragonflyMinimalRouting", 8);
        NS_TEST_EXPECT_MSG_EQ_TOL(alone, 0.125, 0.0025, "adversarial, minimal");
        const double valiant = Share("ns3::DragonflyValiantRouting", 8);
        NS_TEST_EXPECT_MSG_EQ((valiant > 0.4 && valiant < 0.5), true, "Valiant: " << valiant);
        const double ugal = Share("ns3::DragonflyUgalRouting", 8);
        NS_TEST_EXPECT_MSG_EQ((ugal > 0.4 && ugal < 0.5625), true, "UGAL: " << ugal);
        const double minimal = Share("ns3::DragonflyMinimalRouting", 0);
        NS_TEST_EXPECT_MSG_EQ((minimal > 0.8 && minimal < 1), true, "uniform: " << minimal);
        NS_TEST_EXPECT_MSG_GT(Share("ns3::DragonflyUgalRouting", 0) / minimal,
                              0.95,
                              "uniform, UGAL over minimal");
    }
};

/// Ways by way of another switch.
const SuiteCases g_cases("dcfabric-routing", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new ViaPlanTestCase("vias of dragonflies: which, and how far"));
    suite.AddTestCase(new SwitchRoutesTestCase("vias: switches are destinations"));
    suite.AddTestCase(new ViaWaysTestCase("Valiant and UGAL: ways of packets"));
    suite.AddTestCase(new InformedWaysTestCase("PAR and PB: ways of packets"));
    suite.AddTestCase(new ViaFlowletTestCase("Valiant and UGAL: flowlets, and refusals"));
    suite.AddTestCase(new ViaThroughputTestCase("Valiant and UGAL: throughput"));
});

} // namespace ns3::tests::via_routing_test
