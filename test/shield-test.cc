// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-network.h"
#include "fabric-test-plan.h"
#include "fabric-test-schedule.h"
#include "fabric-test-suite.h"

#include "ns3/fabric-helper.h"
#include "ns3/shield-feature.h"
#include "ns3/shield-notice.h"
#include "ns3/test.h"

#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Self-healing: who tells whom when a link is dead, and what that saves.
 */

namespace ns3::tests::shield_test
{

/**
 * @return two leaves with two hosts each, 4 and 5, under spines 6 and 7; the link from spine 6 to
 * leaf 5 is the last but one
 */
FabricGraph
MakeLeaves()
{
    return PlanOfLinks(4, 4, {{0, 4}, {1, 4}, {2, 5}, {3, 5}, {4, 6}, {4, 7}, {5, 6}, {5, 7}});
}

constexpr uint32_t LEAVES_DEAD_LINK = 6; //!< from leaf 5 to spine 6

/**
 * @return a fat tree of 16 hosts: two at each of the edge switches 16 to 23; aggregation switches
 * 24 to 31, two for each pair of edge switches, and cores 32 to 35, two for each of a pair; the
 * first link above hosts is from edge switch 16 to aggregation switch 24
 */
FabricGraph
MakeTree()
{
    PlanLinks links;
    for (uint32_t host = 0; host < 16; ++host)
    {
        links.push_back({host, 16 + host / 2});
    }
    for (uint32_t edge = 0; edge < 8; ++edge)
    {
        links.push_back({16 + edge, 24 + edge / 2 * 2});
        links.push_back({16 + edge, 25 + edge / 2 * 2});
    }
    for (uint32_t agg = 0; agg < 8; ++agg)
    {
        links.push_back({24 + agg, 32 + agg % 2 * 2});
        links.push_back({24 + agg, 33 + agg % 2 * 2});
    }
    return PlanOfLinks(16, 20, links);
}

constexpr uint32_t TREE_DEAD_LINK = 16; //!< from edge switch 16 to aggregation switch 24

/**
 * @param fabric network with ShieldFeature
 * @param sw number of a switch
 * @return its feature
 */
Ptr<ShieldFeature>
Get(const Ptr<Fabric>& fabric, uint32_t sw)
{
    return fabric->GetSwitch(sw)->GetFeature<ShieldFeature>();
}

/**
 * @param fabric network with ShieldFeature
 * @return notices that all switches have sent
 */
uint64_t
CountNotices(const Ptr<Fabric>& fabric)
{
    uint64_t notices = 0;
    for (uint32_t node = 0; node < fabric->GetGraph().GetNNodes(); ++node)
    {
        if (!fabric->GetGraph().IsHost(node))
        {
            notices += Get(fabric, node)->GetCounters().front().second;
        }
    }
    return notices;
}

/**
 * @ingroup dcfabric-tests
 * @brief The bytes of a notice.
 */
class ShieldNoticeTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        ShieldNotice notice;
        const std::vector<uint8_t> nothing{4, 0, 0, 0};
        NS_TEST_EXPECT_MSG_EQ((notice.Serialize() == nothing), true, "no range");
        notice.lost = {true, false, true, true, false};
        const std::vector<uint8_t> two{4, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 3};
        NS_TEST_EXPECT_MSG_EQ((notice.Serialize() == two), true, "0 and 2 to 3");
        ShieldNotice read;
        NS_TEST_EXPECT_MSG_EQ(ShieldNotice::Parse(two, read), true, "read back");
        const std::vector<bool> lost{true, false, true, true};
        NS_TEST_EXPECT_MSG_EQ((read.lost == lost), true, "up to the last one");
        NS_TEST_EXPECT_MSG_EQ(ShieldNotice::Parse(nothing, read), true, "nothing is lost");
        NS_TEST_EXPECT_MSG_EQ(read.lost.empty(), true, "any more");
        const auto refused = [&two](std::size_t at, uint8_t value) {
            std::vector<uint8_t> bytes = two;
            bytes[at] = value;
            ShieldNotice other;
            return !ShieldNotice::Parse(bytes, other);
        };
        NS_TEST_EXPECT_MSG_EQ(refused(0, 3), true, "another format");
        NS_TEST_EXPECT_MSG_EQ(refused(1, 1), true, "not zero");
        NS_TEST_EXPECT_MSG_EQ(refused(3, 1), true, "too long");
        NS_TEST_EXPECT_MSG_EQ(refused(15, 1), true, "1 touches 0");
        NS_TEST_EXPECT_MSG_EQ(refused(19, 1), true, "ends before it begins");
        NS_TEST_EXPECT_MSG_EQ(refused(16, 1), true, "no address is that large");
        NS_TEST_EXPECT_MSG_EQ(ShieldNotice::Parse({4, 0}, read), false, "too short");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Who knows what when: a leaf-spine network.
 */
class ShieldLeavesTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        FabricHelper helper;
        helper.AddSwitchFeature("ns3::ShieldFeature");
        Ptr<Fabric> fabric = helper.Install(MakeLeaves());
        const auto channel = fabric->GetChannel(LEAVES_DEAD_LINK);
        channel->ScheduleChange({100 * US, LinkChange::DOWN, 0});
        channel->ScheduleChange({300 * US, LinkChange::UP, 0});
        // shorter than the 10 us after which a switch believes it
        channel->ScheduleChange({400 * US, LinkChange::DOWN, 0});
        channel->ScheduleChange({409 * US, LinkChange::UP, 0});
        // Port 2 of leaf 4 leads to spine 6. Known at 110 us; a notice of one range has 12 B, in a
        // frame of 14 + 20 + 8 + 12 + 12 + 4 + 4 = 74 B, with gap and preamble 94: 7.52 ns. It
        // arrives at 111.00752 us. One without ranges has 86 B, 6.88 ns: 301.00688 us.
        const auto expect = [&](int64_t ns, bool spine, bool leaf) {
            CallIn(NanoSeconds(ns), [this, fabric, ns, spine, leaf]() {
                for (const uint32_t host : {2, 3})
                {
                    NS_TEST_EXPECT_MSG_EQ(Get(fabric, 6)->HasLost(host), spine, ns << " ns, spine");
                    NS_TEST_EXPECT_MSG_EQ(Get(fabric, 4)->IsTold(2, host), leaf, ns << " ns, leaf");
                }
                NS_TEST_EXPECT_MSG_EQ(Get(fabric, 4)->IsTold(3, 2), false, "the other spine");
                NS_TEST_EXPECT_MSG_EQ(Get(fabric, 4)->HasLost(2), false, "by which there is a way");
                NS_TEST_EXPECT_MSG_EQ(Get(fabric, 6)->HasLost(0), false, "to the other leaf");
            });
        };
        expect(109999, false, false);
        expect(110001, true, false);
        expect(111007, true, false);
        expect(111010, true, true);
        expect(300001, false, true);
        expect(301006, false, true);
        expect(301010, false, false);
        expect(412000, false, false);
        Simulator::Run();
        // the spine tells leaf 4 once, and both leaves when the link is up again
        NS_TEST_EXPECT_MSG_EQ(CountNotices(fabric), 1 + 2, "notices");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Who knows what when: a fat tree.
 */
class ShieldTreeTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        FabricHelper helper;
        helper.AddSwitchFeature("ns3::ShieldFeature");
        Ptr<Fabric> fabric = helper.Install(MakeTree());
        fabric->GetChannel(TREE_DEAD_LINK)->ScheduleChange({100 * US, LinkChange::DOWN, 0});
        // Switch 24 is the only way of cores 32 and 33 to hosts 0 and 1; these are the only ways of
        // switches 26, 28 and 30 there, whose edge switches have another one. Each step takes
        // 1.00752 us. Port 2 of an edge switch leads to the first of its pair.
        CallIn(NanoSeconds(111007), [&]() {
            NS_TEST_EXPECT_MSG_EQ(Get(fabric, 24)->HasLost(1), true, "the only one");
            NS_TEST_EXPECT_MSG_EQ(Get(fabric, 17)->IsTold(2, 1), false, "not yet");
            NS_TEST_EXPECT_MSG_EQ(Get(fabric, 32)->HasLost(1), false, "not yet");
            // 24 tells switch 17, and cores 32 and 33
            NS_TEST_EXPECT_MSG_EQ(CountNotices(fabric), 3, "notices");
        });
        CallIn(NanoSeconds(111010), [&]() {
            NS_TEST_EXPECT_MSG_EQ(Get(fabric, 17)->IsTold(2, 1), true, "its neighbor");
            NS_TEST_EXPECT_MSG_EQ(Get(fabric, 17)->HasLost(1), false, "has switch 25");
            for (const uint32_t core : {32, 33})
            {
                NS_TEST_EXPECT_MSG_EQ(Get(fabric, core)->HasLost(1), true, "core " << core);
            }
            NS_TEST_EXPECT_MSG_EQ(Get(fabric, 34)->HasLost(1), false, "below which is switch 25");
            NS_TEST_EXPECT_MSG_EQ(CountNotices(fabric), 3 + 2 * 4, "to all their neighbors");
        });
        CallIn(NanoSeconds(112020), [&]() {
            for (const uint32_t agg : {26, 28, 30})
            {
                NS_TEST_EXPECT_MSG_EQ(Get(fabric, agg)->HasLost(0), true, "switch " << agg);
                NS_TEST_EXPECT_MSG_EQ(Get(fabric, agg)->HasLost(2), false, "only hosts 0 and 1");
            }
            NS_TEST_EXPECT_MSG_EQ(Get(fabric, 18)->IsTold(2, 0), false, "not yet");
            NS_TEST_EXPECT_MSG_EQ(CountNotices(fabric), 11 + 3 * 4, "to all their neighbors");
        });
        CallIn(NanoSeconds(113030), [&]() {
            for (uint32_t edge = 18; edge < 24; ++edge)
            {
                NS_TEST_EXPECT_MSG_EQ(Get(fabric, edge)->IsTold(2, 0), true, "switch " << edge);
                NS_TEST_EXPECT_MSG_EQ(Get(fabric, edge)->HasLost(0), false, "has another way");
            }
            NS_TEST_EXPECT_MSG_EQ(Get(fabric, 16)->HasLost(2), false, "has its other port");
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(CountNotices(fabric), 23, "none tells on");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What is dropped with and without notices.
 */
class ShieldDropsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param plan the network, whose last host sends 16 messages to host 0
     * @param link number of the one that goes down at 100 us
     * @param shield with notices
     * @return packets that found no port
     */
    uint64_t Run(const FabricGraph& plan, uint32_t link, bool shield)
    {
        FabricHelper helper;
        helper.SetPathSelector("ns3::EcmpPathSelector");
        helper.SetFlowControl("none");
        if (shield)
        {
            helper.AddSwitchFeature("ns3::ShieldFeature");
        }
        Ptr<Fabric> fabric = helper.Install(plan);
        fabric->GetChannel(link)->ScheduleChange({100 * US, LinkChange::DOWN, 0});
        // after the notices have arrived: what is lost then is lost for want of them
        const uint32_t from = static_cast<uint32_t>(fabric->GetHosts().size()) - 1;
        for (uint32_t i = 0; i < 16; ++i)
        {
            fabric->GetNic(from)->GetMessages().SendAt((120 + 30 * i) * US, 0, 200000, i);
        }
        Simulator::Stop(MilliSeconds(200));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(fabric->GetNic(from)->GetSendingPdcs().GetBusy().empty(),
                              true,
                              "all messages");
        NS_TEST_EXPECT_MSG_EQ(fabric->CheckConservation().Holds(), true, "conservation");
        uint64_t dropped = 0;
        for (const auto& [reason, count] : fabric->GetDrops())
        {
            dropped += reason == DropReason::PORT_DOWN ? count : 0;
        }
        Simulator::Destroy();
        return dropped;
    }

    void DoRun() override
    {
        // a flow takes the dead way with a probability of 1/2, and a message has 200 packets
        NS_TEST_EXPECT_MSG_GT(Run(MakeLeaves(), 4, false), 100, "leaves, without notices");
        NS_TEST_EXPECT_MSG_EQ(Run(MakeLeaves(), 4, true), 0, "leaves, with notices");
        NS_TEST_EXPECT_MSG_GT(Run(MakeTree(), TREE_DEAD_LINK, false), 100, "tree, without notices");
        NS_TEST_EXPECT_MSG_EQ(Run(MakeTree(), TREE_DEAD_LINK, true), 0, "tree, with notices");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Where it does not work.
 */
class ShieldRefusalTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        for (const std::string name : {"Conga", "Conweave", "Hermes", "SpanningTree"})
        {
            FabricHelper helper;
            helper.SetPathSelector("ns3::" + name + "PathSelector");
            helper.AddSwitchFeature("ns3::ShieldFeature");
            DCFABRIC_EXPECT_REFUSAL(helper.Install(MakeWays(4)),
                                    "ns3::ShieldFeature has packets take another port of their "
                                    "group, but ns3::" +
                                        name +
                                        "PathSelector leads them along whole ways of its own");
            Simulator::Destroy();
        }
        FabricHelper twice;
        twice.AddSwitchFeature("ns3::ShieldFeature");
        twice.AddSwitchFeature("ns3::ShieldFeature");
        DCFABRIC_EXPECT_REFUSAL(twice.Install(MakeWays(4)), "ns3::ShieldFeature");
        Simulator::Destroy();
    }
};

/// Self-healing.
const SuiteCases g_cases("dcfabric-shield", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new ShieldNoticeTestCase("the bytes of a notice are read as written"));
    suite.AddTestCase(new ShieldLeavesTestCase("a spine tells the other leaf, step by step"));
    suite.AddTestCase(new ShieldTreeTestCase("a fat tree learns of a dead link, step by step"));
    suite.AddTestCase(new ShieldDropsTestCase("with notices nothing is lost after they arrived"));
    suite.AddTestCase(new ShieldRefusalTestCase("what cannot work is refused by name"));
});

} // namespace ns3::tests::shield_test
