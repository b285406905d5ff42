// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-errors.h"
#include "../fabric-test-plan.h"
#include "../fabric-test-schedule.h"
#include "../fabric-test-suite.h"

#include "ns3/fabric-helper.h"
#include "ns3/fabric-topology.h"
#include "ns3/grid-links.h"
#include "ns3/hyper-x-channels.h"
#include "ns3/hyper-x-valiant-routing.h"
#include "ns3/hyper-x-vias.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/via-feature.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Ways of a HyperX by way of another switch: Valiant routing, UGAL, PAR and PB.
 */

namespace ns3::tests::hyper_x_routing_test
{

/// 16 switches in a square, 64 hosts.
const char* const SQUARE = "hyperx:dims=4x4,hosts=4";

/// @return the plan of a topology as on a command line
FabricGraph
PlanHyperX(const std::string& spec)
{
    return MakeFabricTopology(spec)->BuildGraph();
}

/// @return places of all nodes, as GridRouting finds them
std::shared_ptr<const GridPlaces>
PlacesOf(const FabricGraph& graph)
{
    const auto places = std::make_shared<GridPlaces>();
    places->sizes = graph.GetGrid().sizes;
    places->isRing.assign(places->sizes.size(), false);
    for (uint32_t node = 0; node < graph.GetNNodes(); ++node)
    {
        const uint32_t at = graph.IsHost(node) ? graph.GetPort(node, 0).peer : node;
        const std::vector<uint32_t> where = graph.GetCoordinates(at);
        places->coordinates.insert(places->coordinates.end(), where.begin(), where.end());
    }
    return places;
}

/**
 * @ingroup dcfabric-tests
 * @brief Which switches are vias.
 *
 * In a square of 4 x 4 from (0,0):
 * - to (1,0): not (0,0), (1,0), nor (1,1), (1,2), (1,3), on the way to which the packet comes past
 *   (1,0): 11 are left;
 * - to (0,1): not (0,0), (0,1), nor (1,0), (2,0), (3,0), from which it comes back to (0,0): 11;
 * - to (1,1): not (0,0), (1,1); (1,0) is on the minimal way and may be drawn: 14;
 * - to (0,0): none.
 */
class HyperXViasTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// @return switches of the way in dimension order, both ends included
    static std::vector<std::vector<uint32_t>> WayOf(std::vector<uint32_t> from,
                                                    const std::vector<uint32_t>& to)
    {
        std::vector<std::vector<uint32_t>> way{from};
        for (std::size_t d = 0; d < from.size(); ++d)
        {
            if (from[d] != to[d])
            {
                from[d] = to[d];
                way.push_back(from);
            }
        }
        return way;
    }

    /// Compare all with ways that are followed.
    void CheckAll(const std::string& spec)
    {
        const FabricGraph graph = PlanHyperX(spec);
        const HyperXVias vias(graph, PlacesOf(graph), [](uint32_t, uint32_t) { return 1; });
        const uint32_t first = graph.GetNHosts();
        const uint32_t n = graph.GetNNodes() - first;
        for (uint32_t node = first; node < graph.GetNNodes(); ++node)
        {
            for (uint32_t dst = 0; dst < first; ++dst)
            {
                const std::vector<uint32_t> here = graph.GetCoordinates(node);
                const std::vector<uint32_t> there =
                    graph.GetCoordinates(graph.GetPort(dst, 0).peer);
                std::vector<uint32_t> right;
                std::multiset<uint32_t> drawn;
                for (uint32_t via = first; via < graph.GetNNodes(); ++via)
                {
                    const auto to = WayOf(here, graph.GetCoordinates(via));
                    const auto from = WayOf(graph.GetCoordinates(via), there);
                    if (std::count(to.begin(), to.end(), there) == 0 &&
                        std::count(from.begin(), from.end(), here) == 0)
                    {
                        right.push_back(via);
                    }
                    const uint32_t one = vias.Draw(node, dst, (via - first + 0.5) / n);
                    if (one != ViaPlan::NONE)
                    {
                        drawn.insert(one);
                    }
                }
                NS_TEST_ASSERT_MSG_EQ((vias.List(node, dst) == right),
                                      true,
                                      spec << ": from " << node << " to " << dst);
                NS_TEST_ASSERT_MSG_EQ(
                    (drawn == std::multiset<uint32_t>(right.begin(), right.end())),
                    true,
                    spec << ": each is as likely");
            }
        }
    }

    void DoRun() override
    {
        const FabricGraph graph = PlanHyperX(SQUARE);
        const HyperXVias vias(graph, PlacesOf(graph), [](uint32_t, uint32_t) { return 1; });
        const uint32_t own = graph.GetNHosts(); // (0,0); hosts 0 to 3
        NS_TEST_EXPECT_MSG_EQ(vias.List(own, 4).size(), 11, "to (1,0)");
        NS_TEST_EXPECT_MSG_EQ(vias.List(own, 16).size(), 11, "to (0,1)");
        NS_TEST_EXPECT_MSG_EQ(vias.List(own, 20).size(), 14, "to (1,1)");
        NS_TEST_EXPECT_MSG_EQ(vias.List(own, 3).size(), 0, "to a host of the same switch");
        NS_TEST_EXPECT_MSG_EQ(vias.Draw(own, 4, 0), ViaPlan::NONE, "the own switch: straight");
        NS_TEST_EXPECT_MSG_EQ(vias.Draw(own, 4, 2.5 / 16), own + 2, "(2,0)");
        NS_TEST_EXPECT_MSG_EQ(vias.Draw(own, 4, 0.999999999), own + 15, "the last");
        NS_TEST_EXPECT_MSG_EQ(vias.Draw(own, 4, 1), own + 15, "never beyond");
        NS_TEST_EXPECT_MSG_EQ(vias.EndsAt(own + 2, own + 2), true, "at the via");
        NS_TEST_EXPECT_MSG_EQ(vias.EndsAt(own + 3, own + 2), false, "nowhere else");
        NS_TEST_EXPECT_MSG_EQ(vias.MayChooseAgain(own + 1, own), false, "once");

        CheckAll("hyperx:dims=3x2x3,hosts=1");
        CheckAll("hyperx:dims=5,hosts=1"); // a full mesh: all but both ends
        CheckAll("hyperx:dims=2,hosts=1"); // nobody to go by
        CheckAll("hyperx:dims=3x2,hosts=1,links=2");

        // copies of the network: a packet stays in its own
        const FabricGraph rails = PlanHyperX("hyperx:dims=3x3,hosts=1,rails=2");
        const HyperXVias apart(rails, PlacesOf(rails), [](uint32_t, uint32_t) { return 1; });
        const uint32_t second = rails.GetPort(0, 1).peer;
        const std::vector<uint32_t> list = apart.List(second, 8); // at (2,2)
        NS_TEST_EXPECT_MSG_EQ(list.size(), 7, "9 but both ends");
        NS_TEST_EXPECT_MSG_EQ((*std::min_element(list.begin(), list.end()) > second), true, "rail");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Where packets choose again; who tells whom of what; channels.
 */
class HyperXRulesTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const FabricGraph graph = PlanHyperX(SQUARE);
        const auto places = PlacesOf(graph);
        const uint32_t own = graph.GetNHosts();
        const HyperXProgressiveVias twice(graph, places, [](uint32_t, uint32_t) { return 1; });
        NS_TEST_EXPECT_MSG_EQ(twice.MayChooseAgain(own + 1, own), true, "behind the first link");
        NS_TEST_EXPECT_MSG_EQ(twice.IsNear(own + 1, own, 3), true, "of a host there");
        NS_TEST_EXPECT_MSG_EQ(twice.IsNear(own + 1, own, 4), false, "of a host elsewhere");
        NS_TEST_EXPECT_MSG_EQ(twice.IsNear(own + 1, own, own), false, "what a switch has made");

        // (0,0) tells (1,0), which goes on in the second dimension, but not (0,1)
        const GridLinks links(places, std::vector<std::vector<ToldLinks::Link>>(80));
        NS_TEST_EXPECT_MSG_EQ(links.Tell(own, own + 1), true, "in the first dimension");
        NS_TEST_EXPECT_MSG_EQ(links.Tell(own, own + 4), false, "in the last");
        const ToldLinks::Link up{7, own + 5}; // from (1,0) to (1,1)
        NS_TEST_EXPECT_MSG_EQ(links.LeadsTo(own + 1, up, 20), true, "to a host at (1,1)");
        NS_TEST_EXPECT_MSG_EQ(links.LeadsTo(own + 1, up, own + 5), true, "to (1,1)");
        NS_TEST_EXPECT_MSG_EQ(links.LeadsTo(own + 1, up, own + 9), false, "(1,2): another link");
        NS_TEST_EXPECT_MSG_EQ(links.LeadsTo(own + 1, up, own + 6), false, "(2,1): dimension 0");
        NS_TEST_EXPECT_MSG_EQ(links.LeadsTo(own + 1, up, own + 1), false, "at its end");

        // ports: a host, two of the first dimension, one of the second
        const auto channels = CreateObject<HyperXChannels>();
        channels->Configure({HyperXChannels::TO_HOST, 0, 0, 1}, 2);
        const auto next = [&channels](uint8_t channel, uint16_t ingress, uint16_t egress) {
            return static_cast<int>(channels->Next(channel, ingress, egress, 0, true));
        };
        NS_TEST_EXPECT_MSG_EQ(static_cast<int>(channels->GetN()), 3, "two changes");
        NS_TEST_EXPECT_MSG_EQ(next(0, 0, 3), 0, "from a host");
        NS_TEST_EXPECT_MSG_EQ(next(0, FabricPacketItem::NO_PORT, 1), 0, "made here");
        NS_TEST_EXPECT_MSG_EQ(next(0, 1, 3), 0, "dimensions ascend, be it behind a via");
        NS_TEST_EXPECT_MSG_EQ(next(0, 1, 2), 1, "twice in one dimension");
        NS_TEST_EXPECT_MSG_EQ(next(0, 1, 1), 1, "back");
        NS_TEST_EXPECT_MSG_EQ(next(1, 3, 1), 2, "down");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A HyperX in which each host sends to another.
 */
struct HyperXRun
{
    /**
     * @param helper of the network
     * @param topology as on a command line
     */
    explicit HyperXRun(FabricHelper& helper, const std::string& topology = SQUARE)
        : fabric(helper.Install(PlanHyperX(topology)))
    {
        for (const uint32_t host : fabric->GetHosts())
        {
            fabric->GetNic(host)->GetMessages().SetCompletedCallback(
                [this](const FabricMessageEvent&) { ++completed; });
        }
    }

    ~HyperXRun()
    {
        fabric = nullptr;
        Simulator::Destroy();
    }

    /**
     * @brief Each host sends.
     * @param by to the one so many further on
     * @param bytes to it
     */
    void Shift(uint32_t by, uint64_t bytes) const
    {
        const auto n = static_cast<uint32_t>(fabric->GetHosts().size());
        for (uint32_t host = 0; host < n; ++host)
        {
            fabric->GetNic(host)->GetMessages().Send((host + by) % n, bytes, host);
        }
    }

    /// Count packets on links between switches.
    void Trace()
    {
        const FabricGraph& graph = fabric->GetGraph();
        for (uint32_t node = graph.GetNHosts(); node < graph.GetNNodes(); ++node)
        {
            for (uint32_t p = 0; p < graph.GetDegree(node); ++p)
            {
                if (!graph.IsHost(graph.GetPort(node, p).peer))
                {
                    fabric->GetPort(node, p)->TraceConnectWithoutContext(
                        "Transmit",
                        MakeBoundCallback(&HyperXRun::Note, this));
                }
            }
        }
    }

    /// @return of the counters of all switches, the one of that name
    uint64_t Count(const std::string& name) const
    {
        uint64_t sum = 0;
        const FabricGraph& graph = fabric->GetGraph();
        for (uint32_t node = graph.GetNHosts(); node < graph.GetNNodes(); ++node)
        {
            for (const auto& [counter, count] :
                 fabric->GetSwitch(node)->GetFeature<ViaFeature>()->GetCounters())
            {
                sum += counter == name ? count : 0;
            }
        }
        return sum;
    }

    /// A packet leaves a switch for another.
    static void Note(HyperXRun* run, Ptr<const FabricPacketItem> item)
    {
        if (!item->IsLinkFrame() && item->type != FabricPacketType::NOTICE)
        {
            ++run->crossed;
            ++run->links[{item->src,
                          static_cast<int>(item->type),
                          item->type == FabricPacketType::DATA ? item->psn : item->ack.triggerPsn}];
        }
    }

    Ptr<Fabric> fabric;    //!< network
    uint32_t completed{0}; //!< messages
    uint64_t crossed{0};   //!< links between switches, by all packets
    std::map<std::tuple<uint32_t, int, uint32_t>, uint32_t> links; //!< the same, by packet
};

/**
 * @ingroup dcfabric-tests
 * @brief Ways of packets. Each host sends to one of the next switch of its row, (x,y) to (x+1,y);
 * ACKs go back.
 *
 * Valiant: of 16 switches 5 mean to go straight, by one link. Three in the own column cost 3 links
 * (up, over, down), two in the row 2, the six others 4: (5 + 9 + 4 + 24) / 16 = 2.625 links, with a
 * standard deviation of 1.27 for a packet. 11/16 of the packets go by way of another switch.
 */
class HyperXWaysTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        for (const char* control : {"ns3::PriorityFlowControl", "ns3::CreditFlowControl", "none"})
        {
            FabricHelper helper;
            helper.SetFlowControl(control);
            helper.SetRouting("ns3::HyperXValiantRouting");
            HyperXRun run(helper);
            run.Trace();
            run.Shift(4, 20000);
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(run.completed, 64, control << ": all arrive");
            const uint64_t around = run.Count("non_minimal_packets");
            const uint64_t packets = around + run.Count("minimal_packets");
            NS_TEST_EXPECT_MSG_EQ(packets, 64 * 40, control << ": data and ACKs, once");
            NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(around) / packets,
                                      11. / 16,
                                      0.046, // 5 sigma
                                      control << ": share of non-minimal packets");
            NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(run.crossed) / packets,
                                      2.625,
                                      0.126, // 5 sigma
                                      control << ": links");
        }

        const struct
        {
            const char* routing;
            uint32_t links; // at most
        } routings[] = {{"ns3::HyperXUgalRouting", 4},
                        {"ns3::HyperXProgressiveRouting", 5},
                        {"ns3::HyperXPiggybackRouting", 4},
                        {"ns3::HyperXProgressivePiggybackRouting", 5}};

        for (const auto& [routing, links] : routings)
        {
            for (const char* control : {"ns3::PriorityFlowControl", "ns3::CreditFlowControl"})
            {
                FabricHelper helper;
                helper.SetFlowControl(control);
                helper.SetRouting(routing);
                HyperXRun run(helper);
                run.Trace();
                run.Shift(20, 50000); // to (x+1,y+1): two links
                Simulator::Run();
                NS_TEST_EXPECT_MSG_EQ(run.completed, 64, routing << ": all arrive");
                NS_TEST_EXPECT_MSG_EQ(run.Count("non_minimal_packets") +
                                          run.Count("minimal_packets"),
                                      64 * 100,
                                      routing << ": data and ACKs, once");
                NS_TEST_EXPECT_MSG_GT(run.Count("non_minimal_packets"), 64, routing);
                uint32_t most = 0;
                for (const auto& [packet, crossed] : run.links)
                {
                    most = std::max(most, crossed);
                }
                NS_TEST_EXPECT_MSG_LT(most, links + 1, routing << ": links");
            }
            // three dimensions, two links between neighbors, both rails
            FabricHelper cube;
            cube.SetRouting(routing);
            HyperXRun deep(cube, "hyperx:dims=2x3x3,hosts=1,links=2,rails=2");
            deep.Shift(5, 30000);
            deep.Shift(9, 30000);
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(deep.completed, 36, routing << ": all arrive in a cube");
            NS_TEST_EXPECT_MSG_EQ(deep.fabric->CheckConservation().Holds(), true, routing);
        }
        for (const auto& [routing, links] : routings)
        {
            FabricHelper lone;
            lone.SetRouting(routing);
            HyperXRun run(lone);
            run.fabric->GetNic(0)->GetMessages().Send(20, 10000, 0);
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(run.Count("minimal_packets"), 20, routing << ": a lone flow");
            NS_TEST_EXPECT_MSG_EQ(run.Count("diverted_packets"), 0, routing << ": a lone flow");
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Throughput where all four hosts of (x,y) send to (x+1,y).
 *
 * In dimension order one link carries four hosts: 1/4 of the line rate each. Valiant: a packet
 * takes 1.5 links of the first dimension (straight or from its own column 1 in 8 of 16 cases, 2 in
 * the 6 + 2 others), spread over the three of a switch alike: those to the next switch take a
 * quarter of the first halves and a quarter of the second ones, as do the others, so that 4 x / 2
 * is at most 1: half of the line rate, less what ACKs take. At best 1 goes straight and the others
 * by three links: 1 + 5/3 over four hosts, two thirds.
 */
class HyperXThroughputTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// @return share of the line rate at which data arrives in 50 us, from 50 us on
    static double Share(const std::string& routing)
    {
        FabricHelper helper;
        helper.SetRouting(routing);
        HyperXRun run(helper);
        run.Shift(4, 2000000);
        const auto count = [&run] {
            uint64_t packets = 0;
            for (const uint32_t host : run.fabric->GetHosts())
            {
                packets += run.fabric->GetNic(host)->GetCounters().dataDelivered;
            }
            return packets;
        };
        uint64_t before = 0;
        CallIn(MicroSeconds(50), [&] { before = count(); });
        Simulator::Stop(MicroSeconds(100));
        Simulator::Run();
        // of 1086 bytes on the wire 1000 are payload: 12.5e9 bytes/s, 64 hosts, 50 us
        return static_cast<double>(count() - before) * 1086 / (12.5e9 * 50e-6 * 64);
    }

    /// @return time until all have arrived under DCTCP, us
    static double Time(const std::string& routing)
    {
        FabricHelper helper;
        helper.SetCongestionControl("ns3::DctcpCongestionControl");
        helper.SetRouting(routing);
        HyperXRun run(helper);
        run.Shift(4, 200000);
        Simulator::Run();
        return Simulator::Now().GetSeconds() * 1e6;
    }

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(Share("ns3::DimensionOrderRouting"), 0.25, 0.005, "minimal");
        const double valiant = Share("ns3::HyperXValiantRouting");
        NS_TEST_EXPECT_MSG_EQ((valiant > 0.4 && valiant < 0.5), true, "Valiant: " << valiant);
        const double ugal = Share("ns3::HyperXUgalRouting");
        NS_TEST_EXPECT_MSG_EQ((ugal > 0.4 && ugal < 2. / 3), true, "UGAL: " << ugal);

        const double time = Time("ns3::HyperXValiantRouting");
        for (const char* routing :
             {"ns3::HyperXProgressiveRouting", "ns3::HyperXProgressivePiggybackRouting"})
        {
            NS_TEST_EXPECT_MSG_LT(Time(routing), time / 0.9, routing << ": DCTCP");
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What does not suit is refused.
 */
class HyperXRefusalTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        for (const char* routing : {"ns3::HyperXValiantRouting",
                                    "ns3::HyperXUgalRouting",
                                    "ns3::HyperXProgressiveRouting",
                                    "ns3::HyperXPiggybackRouting",
                                    "ns3::HyperXProgressivePiggybackRouting"})
        {
            FabricHelper helper;
            helper.SetRouting(routing);
            DCFABRIC_EXPECT_REFUSAL(helper.Install(PlanHyperX("torus:dims=3x3,hosts=1")),
                                    std::string(routing) + " needs a grid of full meshes");
            DCFABRIC_EXPECT_REFUSAL(helper.Install(PlanHyperX("fat-tree:k=4")),
                                    std::string(routing) + " needs switches in a grid");
            // a ring of two is a full mesh
            NS_TEST_EXPECT_MSG_EQ(
                RefusalOf([&] { helper.Install(PlanHyperX("torus:dims=2x2,hosts=1")); }),
                "(accepted)",
                routing);
            Simulator::Destroy();
        }
    }
};

/// Routing of a HyperX by way of other switches.
const SuiteCases g_cases("dcfabric-routing", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new HyperXViasTestCase("HyperX: vias, by hand and by following ways"));
    suite.AddTestCase(new HyperXRulesTestCase("HyperX: second choices, who tells whom, channels"));
    suite.AddTestCase(new HyperXWaysTestCase("HyperX: ways of packets"));
    suite.AddTestCase(new HyperXThroughputTestCase("HyperX: throughput of adversarial traffic"));
    suite.AddTestCase(new HyperXRefusalTestCase("HyperX: what does not suit is refused"));
});

} // namespace ns3::tests::hyper_x_routing_test
