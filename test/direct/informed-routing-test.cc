// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-plan.h"
#include "../fabric-test-schedule.h"
#include "../fabric-test-suite.h"

#include "ns3/dragonfly-piggyback-routing.h"
#include "ns3/dragonfly-vias.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-time.h"
#include "ns3/fabric-topology.h"
#include "ns3/link-use-notice.h"
#include "ns3/link-use.h"
#include "ns3/piggyback-feature.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <map>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Routing by what the switches of a group tell one another of their links to other groups.
 */

namespace ns3::tests::informed_routing_test
{

/// 72 hosts, 9 groups of 4 routers, one link between each pair of groups.
const char* const BALANCED = "dragonfly:hosts=2,routers=4,globals=2,groups=9";

/**
 * @ingroup dcfabric-tests
 * @brief Use of a link by hand.
 *
 * With a window of T, 1000 B are 1000/e after T and 500 after T ln 2. At line rate, here 1250 B
 * each T/100, what is left tends to 1250/(1 - e^-0.01) = 125,626 B right after a packet: 1.00501
 * times the 125,000 B of a window; right before one it is e^-0.01 of that, 0.99501.
 */
class LinkUseTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        constexpr int64_t WINDOW = 10000000; // 10 us
        LinkUse use;
        NS_TEST_EXPECT_MSG_EQ(use.GetBytes(0, WINDOW), 0, "nothing came");
        use.Add(1000, 0, WINDOW);
        NS_TEST_EXPECT_MSG_EQ(use.GetBytes(0, WINDOW), 1000, "all");
        NS_TEST_EXPECT_MSG_EQ_TOL(use.GetBytes(WINDOW, WINDOW), 367.879, 0.001, "1/e");
        NS_TEST_EXPECT_MSG_EQ_TOL(use.GetBytes(6931472, WINDOW), 500, 0.001, "half");
        use.Add(1000, 6931472, WINDOW);
        NS_TEST_EXPECT_MSG_EQ_TOL(use.GetBytes(6931472, WINDOW), 1500, 0.001, "and another");
        NS_TEST_EXPECT_MSG_EQ_TOL(use.GetBytes(100 * WINDOW, WINDOW), 0, 1e-9, "long ago");
        LinkUse full;
        for (int64_t i = 0; i <= 2000; ++i)
        {
            full.Add(1250, i * WINDOW / 100, WINDOW);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(full.GetBytes(20 * WINDOW, WINDOW) / 125000,
                                  1.00501,
                                  1e-5,
                                  "line rate, right after a packet");
        NS_TEST_EXPECT_MSG_EQ_TOL(full.GetBytes(20 * WINDOW + WINDOW / 100, WINDOW) / 125000,
                                  0.99501,
                                  1e-5,
                                  "and right before one");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Bytes of a notice: uses of 0, 1, 1/8 and one that is down are 0, 1024, 128 and 65,535.
 */
class LinkUseNoticeTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(LinkUseNotice::Quantize(0), 0, "idle");
        NS_TEST_EXPECT_MSG_EQ(LinkUseNotice::Quantize(0.125), 128, "an eighth");
        NS_TEST_EXPECT_MSG_EQ(LinkUseNotice::Quantize(0.0004), 0, "nearest");
        NS_TEST_EXPECT_MSG_EQ(LinkUseNotice::Quantize(0.0006), 1, "nearest");
        NS_TEST_EXPECT_MSG_EQ(LinkUseNotice::Quantize(63.998), 65534, "most");
        NS_TEST_EXPECT_MSG_EQ(LinkUseNotice::Quantize(1e9),
                              65534,
                              "never like a link that is down");

        LinkUseNotice notice;
        notice.uses = {0, 1024, 128, LinkUseNotice::DOWN};
        const std::vector<uint8_t> bytes = notice.Serialize();
        const std::vector<uint8_t> expected{2, 0, 0, 4, 0, 0, 4, 0, 0, 128, 255, 255};
        NS_TEST_EXPECT_MSG_EQ((bytes == expected), true, "bytes");
        LinkUseNotice read;
        NS_TEST_EXPECT_MSG_EQ(LinkUseNotice::Parse(bytes, read), true, "accepted");
        NS_TEST_EXPECT_MSG_EQ((read.uses == notice.uses), true, "the same");
        notice.uses = {7};
        NS_TEST_EXPECT_MSG_EQ(notice.Serialize().size(), 8, "a multiple of 4");
        NS_TEST_EXPECT_MSG_EQ(LinkUseNotice::Parse(notice.Serialize(), read), true, "accepted");
        NS_TEST_EXPECT_MSG_EQ(read.uses.size(), 1, "without the zeros");
        notice.uses.clear();
        NS_TEST_EXPECT_MSG_EQ(LinkUseNotice::Parse(notice.Serialize(), read), true, "none");
        NS_TEST_EXPECT_MSG_EQ(read.uses.size(), 0, "none");
        for (const std::vector<uint8_t>& wrong : {std::vector<uint8_t>{},
                                                  {2, 0, 0},
                                                  {1, 0, 0, 1, 0, 0, 0, 0}, // another format
                                                  {2, 1, 0, 1, 0, 0, 0, 0}, // no zero
                                                  {2, 0, 0, 3, 0, 0, 0, 0}, // too short
                                                  {2, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0}, // too long
                                                  {2, 0, 0, 1, 0, 0, 0, 1}}) // not zero behind
        {
            NS_TEST_EXPECT_MSG_EQ(LinkUseNotice::Parse(wrong, read), false, wrong.size());
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The rule by hand. Minimal way of 3 links, the other of 5, which weighs 3/2 as much as it
 * is used: 0.4375, 0.5 and 0.625 weigh 0.65625, 0.75 and 0.9375. And the usual window and LeastUse.
 */
class UseRuleTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const auto prefers = [](double minimal, double via) {
            return PiggybackFeature::PrefersVia({minimal, 3}, {via, 5}, 0.5);
        };
        NS_TEST_EXPECT_MSG_EQ(prefers(0.75, 0.4375), true, "0.75 > 0.65625");
        NS_TEST_EXPECT_MSG_EQ(prefers(0.75, 0.5), false, "as good: straight");
        NS_TEST_EXPECT_MSG_EQ(prefers(0.75, 0.625), false, "0.75 < 0.9375");
        NS_TEST_EXPECT_MSG_EQ(prefers(0.5, 0), false, "good enough");
        NS_TEST_EXPECT_MSG_EQ(prefers(0.51, 0), true, "no longer");
        NS_TEST_EXPECT_MSG_EQ(prefers(3, 1), true, "what waits counts beyond 1");
        NS_TEST_EXPECT_MSG_EQ(prefers(0, 0), false, "idle");
        NS_TEST_EXPECT_MSG_EQ(prefers(3.5, 2.5), false, "3.5 < 3.75, no more than a window longer");
        NS_TEST_EXPECT_MSG_EQ(prefers(3.625, 2.5), true, "more than a window");
        // 4 links in place of 3 weigh less than 3/2; 4 in place of 1 as 3/2
        NS_TEST_EXPECT_MSG_EQ(PiggybackFeature::PrefersVia({0.7, 3}, {0.5, 4}, 0.5),
                              true,
                              "2.1, 2");
        NS_TEST_EXPECT_MSG_EQ(PiggybackFeature::PrefersVia({0.75, 1}, {0.5, 4}, 0.5), false, "3/2");
        NS_TEST_EXPECT_MSG_EQ(PiggybackFeature::PrefersVia({0.8, 1}, {0.5, 4}, 0.5), true, "more");
        // 24 packets of 1 kB in a window: of 125 kB, of 12.5 kB, of 2 MB
        const auto least = [](double gbps, int64_t us) {
            return PiggybackFeature::GetUsualLeastUse(static_cast<uint64_t>(gbps * 1e9),
                                                      MicroSeconds(us));
        };
        NS_TEST_EXPECT_MSG_EQ_TOL(least(100, 10), 0.192, 1e-12, "24 of 125 packets");
        NS_TEST_EXPECT_MSG_EQ_TOL(least(10, 10), 0.5, 1e-12, "half at most");
        NS_TEST_EXPECT_MSG_EQ_TOL(least(400, 40), 0.012, 1e-12, "24 of 2000 packets");
        NS_TEST_EXPECT_MSG_EQ(PiggybackFeature::GetUsualWindow(100000000000, MicroSeconds(10)),
                              MicroSeconds(10),
                              "125 packets: a round trip");
        NS_TEST_EXPECT_MSG_EQ(PiggybackFeature::GetUsualWindow(10000000000, MicroSeconds(10)),
                              NanoSeconds(51200),
                              "64 packets");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief At which switches packets may choose again.
 */
class SecondChoiceTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const FabricGraph graph = MakeFabricTopology(BALANCED)->BuildGraph();
        const ViaPlan::HopCounter hops = [](uint32_t, uint32_t) { return 1; };
        const DragonflyVias once(graph, hops);
        const ProgressiveVias twice(graph, hops);
        const uint32_t router = graph.GetNHosts(); // first of the first group
        NS_TEST_EXPECT_MSG_EQ(once.MayChooseAgain(router + 1, router), false, "UGAL: once");
        NS_TEST_EXPECT_MSG_EQ(twice.MayChooseAgain(router + 1, router), true, "in the group");
        NS_TEST_EXPECT_MSG_EQ(twice.MayChooseAgain(router + 4, router), false, "in another");
        NS_TEST_EXPECT_MSG_EQ(twice.IsNear(router + 1, router, 0), true, "host of the group");
        NS_TEST_EXPECT_MSG_EQ(twice.IsNear(router + 1, router, 8), false, "host of another");
        NS_TEST_EXPECT_MSG_EQ(twice.IsNear(router + 1, router, router),
                              false,
                              "what a switch has made");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief 72 hosts, group i sends to group i + 1 under a congestion control, which keeps queues
 * short.
 */
class InformedThroughputTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param routing class
     * @param control congestion control
     * @param bytes that each host sends to the next group
     * @return time until all have arrived, in us
     */
    static double Time(const std::string& routing, const std::string& control, uint64_t bytes)
    {
        FabricHelper helper;
        helper.SetCongestionControl(control);
        if (control == "ns3::RoccCongestionControl")
        {
            helper.AddSwitchFeature("ns3::RoccFeature");
        }
        helper.SetRouting(routing);
        Ptr<Fabric> fabric = helper.Install(MakeFabricTopology(BALANCED)->BuildGraph());
        for (const uint32_t host : fabric->GetHosts())
        {
            fabric->GetNic(host)->GetMessages().Send((host + 8) % 72, bytes, host);
        }
        Simulator::Run();
        const double end = Simulator::Now().GetSeconds() * 1e6;
        fabric = nullptr;
        Simulator::Destroy();
        return end;
    }

    void DoRun() override
    {
        const std::string control = "ns3::DctcpCongestionControl";
        const double valiant = Time("ns3::DragonflyValiantRouting", control, 400000);
        for (const char* routing :
             {"ns3::DragonflyProgressiveRouting", "ns3::DragonflyProgressivePiggybackRouting"})
        {
            NS_TEST_EXPECT_MSG_LT(Time(routing, control, 400000), valiant / 0.9, routing);
        }
        // RoCC cuts the rate of a queue of 660 kB to a thousandth: after 80 us that of the minimal
        // way had 800 kB, where four links weighed four times as much as one
        const std::string rocc = "ns3::RoccCongestionControl";
        NS_TEST_EXPECT_MSG_LT(Time("ns3::DragonflyProgressivePiggybackRouting", rocc, 600000),
                              Time("ns3::DragonflyValiantRouting", rocc, 600000) / 0.9,
                              "RoCC");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A link between groups that goes down is told at once: what was to take it goes by way of
 * other groups, from each switch of the group.
 *
 * Host 2, at the second router, sends to the next group, whose link is at the first router. Of its
 * 100 packets those are lost, and sent again, that draw this link as the first one of a way by
 * another group: 1/8, 12.5 +- 5 sigma of 3.3. All would be if nobody told the second router.
 */
class LinkDownToldTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        FabricHelper helper;
        helper.SetRouting("ns3::DragonflyPiggybackRouting");
        Ptr<Fabric> fabric = helper.Install(MakeFabricTopology(BALANCED)->BuildGraph());
        const FabricGraph& graph = fabric->GetGraph();
        const uint32_t router = graph.GetNHosts();
        uint32_t port = 0;
        while (graph.IsHost(graph.GetPort(router, port).peer) ||
               graph.GetNode(graph.GetPort(router, port).peer).pod != 1)
        {
            ++port;
        }
        DynamicCast<FabricChannel>(fabric->GetPort(router, port)->GetChannel())
            ->ScheduleChange({FabricTime::PS_PER_US, LinkChange::DOWN, 0});
        CallIn(MicroSeconds(5), [&] { fabric->GetNic(2)->GetMessages().Send(8, 100000, 0); });
        Simulator::Run();
        uint64_t minimal = 0;
        const auto features = fabric->GetSwitch(router + 1)->GetFeature<PiggybackFeature>();
        for (const auto& [name, count] : features->GetCounters())
        {
            minimal += std::string(name) == "minimal_packets" ? count : 0;
        }
        NS_TEST_EXPECT_MSG_LT(minimal, 30, "the second router knows of the link of the first one");
        NS_TEST_EXPECT_MSG_EQ(fabric->CheckConservation().Holds(), true, "nothing is lost");
        fabric = nullptr;
        Simulator::Destroy();
    }
};

/// Routing by what switches tell one another.
const SuiteCases g_cases("dcfabric-routing", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new LinkUseTestCase("use of a link, by hand"));
    suite.AddTestCase(new LinkUseNoticeTestCase("notice of uses: bytes"));
    suite.AddTestCase(new UseRuleTestCase("PB: the rule, by hand"));
    suite.AddTestCase(new SecondChoiceTestCase("PAR: where packets choose again"));
    suite.AddTestCase(new InformedThroughputTestCase("PAR and PB: under a congestion control"));
    suite.AddTestCase(new LinkDownToldTestCase("PB: a link that goes down is told"));
});

} // namespace ns3::tests::informed_routing_test
