// SPDX-License-Identifier: GPL-2.0-only
#include "../ccm/fabric-test-ccm.h"
#include "../fabric-test-errors.h"
#include "../fabric-test-plan.h"
#include "../fabric-test-schedule.h"
#include "../fabric-test-suite.h"

#include "ns3/boolean.h"
#include "ns3/ccm-packet.h"
#include "ns3/fabric-faults.h"
#include "ns3/test.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Coordinated congestion management on one switch, to which the test brings packets.
 *
 * Host 0 at switch 2, host 1 at switch 3, switches 4, 5 and 6 between; 100 Gb/s. A path is heavy
 * from 6000 bytes on and light again at 3000.
 */

namespace ns3::tests::ccm_feature_test
{

constexpr uint32_t NONE = FabricPacketItem::NO_AR_POINT; //!< short name
constexpr uint32_t HERE = 2;                             //!< the switch

/**
 * @param holdUs MoveHold
 * @param reportUs ReportLife
 * @param marks MarkIncasts and MarkNoPath
 * @return policies with small thresholds
 */
FabricHelper
MakeSmall(int64_t holdUs = 100, int64_t reportUs = 400, bool marks = false)
{
    return CcmNetwork::MakeHelper("LightBytes",
                                  UintegerValue(3000),
                                  "HeavyBytes",
                                  UintegerValue(6000),
                                  "IncastBytes",
                                  UintegerValue(6000),
                                  "MarkIncasts",
                                  BooleanValue(marks),
                                  "MarkNoPath",
                                  BooleanValue(marks),
                                  "MoveHold",
                                  TimeValue(MicroSeconds(holdUs)),
                                  "ReportLife",
                                  TimeValue(MicroSeconds(reportUs)));
}

/**
 * @param flow about
 * @param kind another type
 * @param by who reports
 * @return a type 3
 */
Ptr<FabricPacketItem>
MakeReport(const TaggedFlow& flow, uint8_t kind = CcmKind::REROUTE, uint32_t by = 3)
{
    auto item = FabricPacketItem::Create(FabricPacketType::CCM);
    item->src = by;
    item->dst = HERE;
    item->pdc = flow.pdc;
    item->size = 74;
    item->ds = FabricPacketItem::MakeDs(6, 0);
    item->As<CcmFields>() = {kind, flow.src, flow.dst, flow.entropy};
    item->UpdateFlowHash();
    return item;
}

/**
 * @ingroup dcfabric-tests
 * @brief The three cases by number of light paths ([CCM] section 6.3.5), and what does not count.
 */
class CcmTagTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        CcmNetwork net(MakeWays(3), MakeSmall());
        const TaggedFlow flow{0, 1, 7, 3};
        const uint16_t usual = net.fabric->GetSwitch(HERE)->ChoosePort(*flow.Make());
        auto item = flow.Make();
        auto tag = net.Pass(HERE, 0, item);
        NS_TEST_EXPECT_MSG_EQ(tag.nLight, 3, "idle");
        NS_TEST_EXPECT_MSG_EQ(tag.port, usual, "as without");
        NS_TEST_EXPECT_MSG_EQ(item->arPoint, HERE, "names itself");
        NS_TEST_EXPECT_MSG_EQ(tag.arPoint, HERE, "traced");
        NS_TEST_EXPECT_MSG_EQ(tag.pdc, 3, "traced");

        // other outputs become heavy, one after the other
        std::vector<uint32_t> others;
        for (uint32_t way = 4; way <= 6; ++way)
        {
            if (net.PortTo(HERE, way) != usual)
            {
                others.push_back(way);
            }
        }
        net.Block(HERE, others[0], 1, 5000);
        NS_TEST_EXPECT_MSG_EQ(net.Pass(HERE, 0, flow.Make()).nLight, 3, "5000 B are not heavy");
        net.Block(HERE, others[0], 1, 1000);
        item = flow.Make(false, 0);
        NS_TEST_EXPECT_MSG_EQ(net.Pass(HERE, 0, item).nLight, 2, "6000 B are");
        NS_TEST_EXPECT_MSG_EQ(item->arPoint, HERE, "two light paths: names itself");
        net.Block(HERE, others[1], 1, 6000);
        item = flow.Make(false, 0);
        tag = net.Pass(HERE, 0, item);
        NS_TEST_EXPECT_MSG_EQ(tag.nLight, 1, "one");
        NS_TEST_EXPECT_MSG_EQ(tag.port, usual, "which it has");
        NS_TEST_EXPECT_MSG_EQ(item->arPoint, 0, "leaves the tag as it is");
        NS_TEST_EXPECT_MSG_EQ(net.told.size(), 0, "nobody was told anything");
        NS_TEST_EXPECT_MSG_EQ(net.Count(HERE, "ccm_moves"), 0, "no move");

        // the last one: a pause of the class of data is enough
        const uint32_t way = net.fabric->GetGraph().GetPort(HERE, usual).peer;
        FabricNetDevice* last = net.fabric->GetSwitch(HERE)->GetPort(usual);
        last->SetPausedClasses(1U << 4);
        NS_TEST_EXPECT_MSG_EQ(net.Pass(HERE, 0, flow.Make()).nLight, 1, "another class");
        last->SetPausedClasses(1U << 3);
        item = flow.Make(false, 0);
        tag = net.Pass(HERE, 0, item);
        NS_TEST_EXPECT_MSG_EQ(tag.nLight, 0, "none");
        NS_TEST_EXPECT_MSG_EQ(tag.port, usual, "goes on all the same");
        NS_TEST_EXPECT_MSG_EQ(item->arPoint, 0, "leaves the tag as it is");
        NS_TEST_EXPECT_MSG_EQ(item->IsMarked(), false, "congestion control is not asked for");
        NS_TEST_ASSERT_MSG_EQ(net.told.size(), 1, "type 3");
        NS_TEST_EXPECT_MSG_EQ(+net.told[0].kind, +CcmKind::REROUTE, "type 3");
        NS_TEST_EXPECT_MSG_EQ(net.told[0].to, 0, "to whom the tag names");
        NS_TEST_EXPECT_MSG_EQ(net.told[0].src, 0, "flow");
        NS_TEST_EXPECT_MSG_EQ(net.told[0].dst, 1, "flow");
        NS_TEST_EXPECT_MSG_EQ(net.told[0].entropy, 7, "flow");
        NS_TEST_EXPECT_MSG_EQ(net.told[0].pdc, 3, "flow");
        NS_TEST_EXPECT_MSG_EQ(net.FeatureOf(HERE)->GetNClaims(), 0, "no claim");
        NS_TEST_EXPECT_MSG_EQ(way, net.fabric->GetGraph().GetPort(HERE, usual).peer, "same way");

        // without a tag, of another kind, with the CC indicator: nothing
        const auto plain = flow.Make();
        plain->flags = 0;
        plain->arPoint = 55;
        net.Arrive(HERE, 0, plain);
        NS_TEST_EXPECT_MSG_EQ(plain->arPoint, 55, "no tag");
        item = flow.Make(true);
        tag = net.Pass(HERE, 0, item);
        NS_TEST_EXPECT_MSG_EQ(tag.cc, true, "traced");
        NS_TEST_EXPECT_MSG_EQ(item->arPoint, NONE, "CC indicator: no adaptive routing");
        NS_TEST_EXPECT_MSG_EQ(item->IsMarked(), false, "that is for the marking profile");
        NS_TEST_EXPECT_MSG_EQ(net.told.size(), 1, "none of these");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief No light path and nobody upstream: type 1, refreshed, released after the path has been
 * light for ReleaseDelay (50 us), or after 500 us of silence; marks if that is wanted; the limit of
 * type 3.
 */
class CcmNoPathTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        Check(false);
        Check(true);
        CheckLateRefresh();
    }

    /**
     * @brief Run.
     * @param marks the feature marks; else that is for the marking profile, which has no reason to
     * at a queue of 200 B
     */
    void Check(bool marks)
    {
        CcmNetwork net(MakeWays(1), MakeSmall(100, 400, marks));
        const TaggedFlow flow{0, 1, 7, 3, 100};
        const TaggedFlow silent{0, 1, 8, 4, 100};
        const TaggedFlow named{0, 1, 9, 5, 100};
        FabricNetDevice* port = net.fabric->GetSwitch(HERE)->GetPort(1);
        port->SetPausedClasses(1U << 3);
        const auto pass = [&](const TaggedFlow& which, bool cc, uint32_t arPoint, bool marked) {
            const auto item = which.Make(cc, arPoint);
            net.Arrive(HERE, 0, item);
            NS_TEST_EXPECT_MSG_EQ(item->IsMarked(), marked, which.pdc);
        };
        CallIn(MicroSeconds(10), [&] {
            pass(flow, false, NONE, marks);
            pass(flow, false, NONE, marks);   // told already
            pass(silent, false, HERE, marks); // itself upstream of itself is nobody
            pass(named, false, 0, false);
            pass(named, false, 0, false);
        });
        CallIn(MicroSeconds(59), [&] { pass(named, false, 0, false); }); // 49 us later
        CallIn(MicroSeconds(60), [&] { pass(named, false, 0, false); }); // 50 us later
        CallIn(MicroSeconds(150),
               [&] { pass(flow, true, NONE, false); }); // CC: claimed, still none
        CallIn(MicroSeconds(200), [&] {
            port->SetPausedClasses(0);
            pass(flow, true, NONE, false); // light: over
        });
        Simulator::Run();

        const struct
        {
            int64_t us;
            int kind;
            uint32_t pdc;
        } expected[] = {
            {10, 1, 3},
            {10, 1, 4},
            {10, 3, 5},
            {60, 3, 5},
            {110, 1, 3}, // refresh, 100 us later
            {110, 1, 4},
            {210, 1, 4}, // the other is over
            {250, 2, 3}, // 200 + 50
            {310, 1, 4},
            {410, 1, 4},
            {510, 2, 4}, // 10 + 500 without a packet
        };

        NS_TEST_ASSERT_MSG_EQ(net.told.size(), std::size(expected), "all");
        for (std::size_t i = 0; i < std::size(expected); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(net.told[i].timePs, expected[i].us * US, i);
            NS_TEST_EXPECT_MSG_EQ(+net.told[i].kind, expected[i].kind, i);
            NS_TEST_EXPECT_MSG_EQ(net.told[i].pdc, expected[i].pdc, i);
            NS_TEST_EXPECT_MSG_EQ(net.told[i].to, 0, "the source, or the host that the tag names");
        }
        NS_TEST_EXPECT_MSG_EQ(net.Count(HERE, "ccm_type1"), 7, "sent");
        NS_TEST_EXPECT_MSG_EQ(net.Count(HERE, "ccm_type2"), 2, "sent");
        NS_TEST_EXPECT_MSG_EQ(net.Count(HERE, "ccm_type3"), 2, "sent");
        NS_TEST_EXPECT_MSG_EQ(net.FeatureOf(HERE)->GetNClaims(), 0, "all released");
    }

    /// The reason comes back after the time of a refresh that was not due meanwhile.
    void CheckLateRefresh()
    {
        CcmNetwork net(MakeWays(1), MakeSmall());
        const TaggedFlow flow{0, 1, 7, 3, 100};
        FabricNetDevice* port = net.fabric->GetSwitch(HERE)->GetPort(1);
        const auto pass = [&](bool paused) {
            port->SetPausedClasses(paused ? 1U << 3 : 0);
            net.Arrive(HERE, 0, flow.Make(!net.told.empty()));
        };
        CallIn(MicroSeconds(10), [&] { pass(true); });   // claimed
        CallIn(MicroSeconds(100), [&] { pass(false); }); // over, to be released at 150
        CallIn(MicroSeconds(120), [&] { pass(true); });  // back; type 1 was due at 110
        CallIn(MicroSeconds(130), [&] { pass(false); }); // over for good
        const int64_t beginPs = Simulator::Now().GetPicoSeconds();
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(net.told.size(), 3, "1, 1, 2");
        NS_TEST_EXPECT_MSG_EQ(net.told[1].timePs - beginPs, 120 * US, "type 1 at once");
        NS_TEST_EXPECT_MSG_EQ(+net.told[2].kind, 2, "type 2");
        NS_TEST_EXPECT_MSG_EQ(net.told[2].timePs - beginPs, 180 * US, "130 + 50");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A flow moves if its path is heavy, not before, and then stays; at a dead port it does not.
 */
class CcmMoveTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        FabricHelper helper = MakeSmall();
        helper.SetSwitchAttribute("DetectionTime", TimeValue(Seconds(0)));
        CcmNetwork net(MakeWays(3), helper);
        const TaggedFlow flow{0, 1, 7, 3};
        const auto portNow = [&](bool cc) { return net.Pass(HERE, 0, flow.Make(cc)).port; };
        const auto peerOf = [&](uint16_t port) {
            return net.fabric->GetGraph().GetPort(HERE, port).peer;
        };
        const uint16_t first = portNow(false);
        NS_TEST_EXPECT_MSG_EQ(net.FeatureOf(HERE)->GetNRoutes(), 0, "no entry for it");
        net.Block(HERE, peerOf(first), 1, 6000);
        NS_TEST_EXPECT_MSG_EQ(portNow(true), first, "CC indicator: does not move");
        const uint16_t second = portNow(false);
        NS_TEST_EXPECT_MSG_NE(second, first, "moves");
        NS_TEST_EXPECT_MSG_EQ(net.Count(HERE, "ccm_moves"), 1, "once");
        NS_TEST_EXPECT_MSG_EQ(portNow(true), second, "CC indicator: keeps its entry");

        // the new one becomes heavy as well: within MoveHold it stays, with a light path there
        net.Block(HERE, peerOf(second), 1, 6000);
        const auto held = net.Pass(HERE, 0, flow.Make());
        NS_TEST_EXPECT_MSG_EQ(held.port, second, "held");
        NS_TEST_EXPECT_MSG_EQ(held.nLight, 1, "there is one");
        NS_TEST_EXPECT_MSG_EQ(net.told.size(), 0, "nobody has to know");

        const auto third = static_cast<uint16_t>(1 + 2 + 3 - first - second);
        FabricFaults faults;
        faults.Add({280 * US, FabricFault::DOWN, HERE, peerOf(third)});
        faults.Add({320 * US, FabricFault::DOWN, HERE, peerOf(first)});
        faults.Install(net.fabric);
        CallIn(NanoSeconds(99999), [&] { NS_TEST_EXPECT_MSG_EQ(portNow(false), second, "still"); });
        CallIn(MicroSeconds(100), [&] {
            NS_TEST_EXPECT_MSG_EQ(portNow(false), third, "now it moves");
            net.Unblock(HERE, peerOf(first));
            net.Unblock(HERE, peerOf(second));
        });
        CallIn(MicroSeconds(270),
               [&] { NS_TEST_EXPECT_MSG_EQ(portNow(false), third, "all light: stays"); });
        CallIn(MicroSeconds(300), [&] {
            const auto tag = net.Pass(HERE, 0, flow.Make());
            NS_TEST_EXPECT_MSG_EQ(tag.port, first, "its port is dead: the usual one");
            NS_TEST_EXPECT_MSG_EQ(tag.nLight, 2, "two are left");
        });
        CallIn(MicroSeconds(340), [&] {
            NS_TEST_EXPECT_MSG_EQ(portNow(false), second, "the only one");
            NS_TEST_EXPECT_MSG_EQ(portNow(true), second, "also with the CC indicator");
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(net.Count(HERE, "ccm_moves"), 2, "moves by load");
        NS_TEST_EXPECT_MSG_EQ(net.Count(HERE, "ccm_moves_upstream"), 0, "nobody asked");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Type 3 arrives: the next packet leaves the port, others of the path do not move it again,
 * and when all ports are reported the switch no longer names itself.
 */
class CcmReportedTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        CcmNetwork net(MakeWays(3), MakeSmall(20, 400));
        const TaggedFlow flow{0, 1, 7, 3};
        const auto pass = [&](uint16_t nLight, uint32_t arPoint) {
            const auto item = flow.Make(false, 0);
            const auto tag = net.Pass(HERE, 0, item);
            NS_TEST_EXPECT_MSG_EQ(tag.nLight, nLight, "light paths");
            NS_TEST_EXPECT_MSG_EQ(item->arPoint, arPoint, "AR indicator");
            return tag.port;
        };
        const uint16_t first = pass(3, HERE);
        net.Arrive(HERE, 4, MakeReport(flow));
        NS_TEST_EXPECT_MSG_EQ(net.Count(HERE, "ccm_moves"), 0, "not before its next packet");
        const uint16_t second = pass(2, HERE);
        NS_TEST_EXPECT_MSG_NE(second, first, "another port");
        NS_TEST_EXPECT_MSG_EQ(net.Count(HERE, "ccm_moves_upstream"), 1, "one move");
        net.Arrive(HERE, 4, MakeReport(flow));
        NS_TEST_EXPECT_MSG_EQ(net.Count(HERE, "ccm_type3_vain"), 1, "of a packet on the old way");
        NS_TEST_EXPECT_MSG_EQ(pass(2, HERE), second, "stays");

        uint16_t third = 0;
        CallIn(MicroSeconds(30), [&] {
            net.Arrive(HERE, 4, MakeReport(flow));
            third = pass(1, 0);
            NS_TEST_EXPECT_MSG_EQ((third != first && third != second), true, "the third port");
        });
        CallIn(MicroSeconds(60), [&] {
            net.Arrive(HERE, 4, MakeReport(flow));
            NS_TEST_EXPECT_MSG_EQ(pass(0, 0), third, "nothing left: stays");
            NS_TEST_ASSERT_MSG_EQ(net.told.size(), 1, "asks whom the tag names");
            NS_TEST_EXPECT_MSG_EQ(+net.told[0].kind, 3, "type 3");
            // another flow has nothing to do with it
            const TaggedFlow other{0, 1, 7, 4};
            NS_TEST_EXPECT_MSG_EQ(net.Pass(HERE, 0, other.Make()).nLight, 3, "another PDC");
            // nor the same one with another entropy: its source wants another path
            const TaggedFlow anew{0, 1, 8, 3};
            const uint16_t usual = net.fabric->GetSwitch(HERE)->ChoosePort(*anew.Make());
            const auto tag = net.Pass(HERE, 0, anew.Make());
            NS_TEST_EXPECT_MSG_EQ(tag.nLight, 3, "another entropy");
            NS_TEST_EXPECT_MSG_EQ(tag.port, usual, "another entropy");
        });
        // the first report was at 0 and holds for 400 us
        CallIn(MicroSeconds(399), [&] { pass(0, 0); });
        CallIn(MicroSeconds(401),
               [&] { NS_TEST_EXPECT_MSG_EQ(pass(1, 0), first, "light again for it"); });
        // those of 30 and 60 as well
        CallIn(MicroSeconds(470),
               [&] { NS_TEST_EXPECT_MSG_EQ(pass(3, HERE), first, "all as before"); });
        // what is no type 3 to it
        CallIn(MicroSeconds(480), [&] {
            net.Arrive(HERE, 4, MakeReport(flow, CcmKind::REQUIRED));
            const TaggedFlow gone{0, 5000, 7, 3};
            net.Arrive(HERE, 4, MakeReport(gone));
            const TaggedFlow local{1, 0, 7, 3};
            net.Arrive(HERE, 4, MakeReport(local));
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(net.Count(HERE, "ccm_type3_vain"), 3, "unknown, one path to a host");
        NS_TEST_EXPECT_MSG_EQ(net.fabric->GetSwitch(HERE)->GetNConsumed(),
                              6,
                              "4 + 2 without effect");
        NS_TEST_EXPECT_MSG_EQ(net.fabric->GetDrops().at(DropReason::NOT_FOR_SWITCH), 1, "type 1");
        NS_TEST_EXPECT_MSG_EQ(net.Count(HERE, "ccm_moves"), 3, "two, and back");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What the neighbor at a flow's port reports is about that port: within MoveHold (100 us)
 * the flow goes on to the next, and after all three the switch has none to offer. What a neighbor
 * at another port says is about one that the flow has left.
 */
class CcmNeighborTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        CcmNetwork net(MakeWays(3), MakeSmall());
        const TaggedFlow flow{0, 1, 7, 3};
        std::set<uint32_t> used;
        uint32_t left = 0;
        for (uint16_t nLight = 3; nLight > 0; --nLight)
        {
            const auto tag = net.Pass(HERE, 0, flow.Make(false, 0));
            NS_TEST_EXPECT_MSG_EQ(tag.nLight, nLight, "light paths");
            const uint32_t way = net.fabric->GetGraph().GetPort(HERE, tag.port).peer;
            NS_TEST_EXPECT_MSG_EQ(used.insert(way).second, true, "a new one each time");
            if (left != 0)
            {
                net.Arrive(HERE, left, MakeReport(flow, CcmKind::REROUTE, left));
                NS_TEST_EXPECT_MSG_EQ(net.Pass(HERE, 0, flow.Make(false, 0)).port,
                                      tag.port,
                                      "of the one before: stays");
            }
            net.Arrive(HERE, way, MakeReport(flow, CcmKind::REROUTE, way));
            left = way;
        }
        NS_TEST_EXPECT_MSG_EQ(net.Pass(HERE, 0, flow.Make(false, 0)).nLight, 0, "none is left");
        NS_TEST_EXPECT_MSG_EQ(net.Count(HERE, "ccm_moves_upstream"), 2, "to two others");
        NS_TEST_EXPECT_MSG_EQ(net.Count(HERE, "ccm_type3_vain"), 2, "of ports that it had left");
        Simulator::Run();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Congestion at the output to a host: the flows that have their share are told of, marked if
 * that is wanted, refreshed while it lasts, released when it ends; nobody is moved.
 */
class CcmIncastTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        for (const bool voq : {false, true})
        {
            Check(voq, false);
            Check(voq, true);
        }
    }

    /**
     * @brief Run.
     * @param voq virtual output queues
     * @param marks the feature marks
     */
    void Check(bool voq, bool marks)
    {
        const std::string name = voq ? "VOQ" : "shared buffer";
        FabricHelper helper = MakeSmall(100, 400, marks);
        if (voq)
        {
            helper.SetBuffer("ns3::VoqBuffer", "QueueBytes", UintegerValue(1000000));
        }
        CcmNetwork net(MakeWays(3), helper);
        constexpr uint32_t LAST = 3;
        const TaggedFlow big{0, 1, 7, 3};
        const TaggedFlow bigger{0, 1, 7, 4};
        const TaggedFlow small{0, 1, 7, 5, 300};
        FabricNetDevice* port = net.fabric->GetSwitch(LAST)->GetPort(net.PortTo(LAST, 1));
        port->SetPausedClasses(1U << 3);
        const auto pass = [&](const TaggedFlow& flow, bool marked, const char* why) {
            const auto item = flow.Make(false, 66);
            net.Arrive(LAST, 4 + flow.pdc % 3, item);
            NS_TEST_EXPECT_MSG_EQ(item->IsMarked(), marked, name << ": " << why);
            NS_TEST_EXPECT_MSG_EQ(item->arPoint, 66, "nothing to choose: the tag stays");
        };
        pass(small, false, "300 B");
        for (int i = 0; i < 2; ++i)
        {
            pass(big, false, "2300 B");
        }
        for (int i = 0; i < 3; ++i)
        {
            pass(bigger, false, "5300 B");
        }
        NS_TEST_EXPECT_MSG_EQ(net.FeatureOf(LAST)->IsIncast(net.PortTo(LAST, 1)), false, "5300");
        NS_TEST_EXPECT_MSG_EQ(net.told.size(), 0, "no incast");
        pass(bigger, marks, "6300 B");
        NS_TEST_EXPECT_MSG_EQ(net.FeatureOf(LAST)->IsIncast(net.PortTo(LAST, 1)), true, "6300");
        NS_TEST_EXPECT_MSG_EQ(net.told.size(), 1, "the flow that came");
        // small has 600 of 6600; 2200 on average
        pass(small, false, "less than half a share");
        pass(big, marks, "3000 of 7600");
        NS_TEST_EXPECT_MSG_EQ(net.told.size(), 2, "the other one");
        NS_TEST_EXPECT_MSG_EQ(net.FeatureOf(LAST)->GetNClaims(), 2, "two");

        CallIn(MicroSeconds(150), [&] { port->SetPausedClasses(0); });
        CallIn(MicroSeconds(151), [&] {
            NS_TEST_EXPECT_MSG_EQ(port->GetQueue().GetBytes(), 0, "7600 B take 0.6 us");
        });
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(net.told.size(), 6, name << ": 2 x 1, 2 x 1 again, 2 x 2");
        const int kinds[] = {1, 1, 1, 1, 2, 2};
        const uint32_t pdcs[] = {4, 3, 3, 4, 3, 4};
        for (std::size_t i = 0; i < 6; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(+net.told[i].kind, kinds[i], name << ": message " << i);
            NS_TEST_EXPECT_MSG_EQ(net.told[i].pdc, pdcs[i], name << ": message " << i);
            NS_TEST_EXPECT_MSG_EQ(net.told[i].to, 0, name << ": message " << i);
            NS_TEST_EXPECT_MSG_EQ(net.told[i].by, LAST, name << ": message " << i);
        }
        NS_TEST_EXPECT_MSG_EQ(net.told[2].timePs, 100 * US, "ClaimRefresh");
        // a byte takes 80 ps; VOQs take inputs in turn
        NS_TEST_EXPECT_MSG_EQ((net.told[4].timePs > 200 * US && net.told[4].timePs < 201 * US),
                              true,
                              name << ": ReleaseDelay after the end " << net.told[4].timePs);
        if (!voq)
        {
            // 7600 B wait; what has begun to leave waits no longer: at most 3000 B are left when
            // the sixth packet begins, after 320 + 4 x 1020 B
            NS_TEST_EXPECT_MSG_EQ(net.told[4].timePs, 200 * US + (320 + 4 * 1020) * 80, "exact");
        }
        NS_TEST_EXPECT_MSG_EQ(net.FeatureOf(LAST)->GetNClaims(), 0, "released");
        NS_TEST_EXPECT_MSG_EQ(net.Count(LAST, "ccm_moves"), 0, "no other path");
        NS_TEST_EXPECT_MSG_EQ(net.Count(LAST, "ccm_type3"), 0, "nobody is asked for one");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Where switches move nothing (spraying, ECMP) the path of a packet is all it has: type 1
 * while that path is heavy, be others light or not; type 2 when it has been light for 50 us.
 */
class CcmStillTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        CcmNetwork net(MakeWays(3),
                       CcmNetwork::MakeHelper("Adaptive",
                                              BooleanValue(false),
                                              "LightBytes",
                                              UintegerValue(3000),
                                              "HeavyBytes",
                                              UintegerValue(6000),
                                              "IncastBytes",
                                              UintegerValue(6000)));
        const TaggedFlow here{0, 1, 7, 3};
        TaggedFlow there{0, 1, 8, 4};
        Ptr<FabricSwitch> sw = net.fabric->GetSwitch(HERE);
        const uint16_t port = sw->ChoosePort(*here.Make());
        while (sw->ChoosePort(*there.Make()) == port)
        {
            ++there.entropy;
        }
        const uint32_t way = net.fabric->GetGraph().GetPort(HERE, port).peer;
        net.Block(HERE, way, 1, 5000);
        net.Arrive(HERE, 0, here.Make(true)); // 1000 B more, which leave at once
        NS_TEST_EXPECT_MSG_EQ(net.FeatureOf(HERE)->IsHeavy(port), true, "6000 B; 5000 are left");
        NS_TEST_EXPECT_MSG_EQ(net.told.size(), 0, "it has the CC indicator");
        net.Arrive(HERE, 0, there.Make());
        NS_TEST_EXPECT_MSG_EQ(net.told.size(), 0, "a light path");
        const auto item = here.Make(false, 0);
        NS_TEST_EXPECT_MSG_EQ(net.Pass(HERE, 0, item).port, port, "nobody moves it");
        NS_TEST_EXPECT_MSG_EQ(item->arPoint, 0, "names nobody");
        NS_TEST_ASSERT_MSG_EQ(net.told.size(), 1, "a heavy one");
        CallIn(MicroSeconds(10), [&] { net.Unblock(HERE, way); });
        CallIn(MicroSeconds(20), [&] { net.Arrive(HERE, 0, here.Make(true)); });
        CallIn(MicroSeconds(30), [&] {
            // the class of its packets must not leave
            sw->GetPort(port)->SetPausedClasses(1U << 3);
            net.Arrive(HERE, 0, there.Make());
            net.Arrive(HERE, 0, here.Make(true));
        });
        CallIn(MicroSeconds(40), [&] {
            sw->GetPort(port)->SetPausedClasses(0);
            net.Arrive(HERE, 0, here.Make(true));
        });
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(net.told.size(), 2, "and once it is over");
        for (const auto& told : net.told)
        {
            NS_TEST_EXPECT_MSG_EQ(told.pdc, 3, "of the flow that met it");
            NS_TEST_EXPECT_MSG_EQ(told.to, 0, "its source");
        }
        NS_TEST_EXPECT_MSG_EQ(+net.told[0].kind, +CcmKind::REQUIRED, "type 1");
        NS_TEST_EXPECT_MSG_EQ(net.told[0].timePs, 0, "at once");
        NS_TEST_EXPECT_MSG_EQ(+net.told[1].kind, +CcmKind::RELEASED, "type 2");
        NS_TEST_EXPECT_MSG_EQ(net.told[1].timePs, 90 * US, "40 + 50");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief An incast on its way: flows of several sources to one receiver, which have at least half
 * of a heavy path, are neither moved nor reported, but claimed; one to another receiver moves.
 */
class CcmCoreIncastTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // hosts 0, 1 and 2 at switch 5, hosts 3 and 4 at switch 6, ways 7 and 8
        constexpr uint32_t LEAF = 5;
        const FabricGraph plan =
            PlanOfLinks(5,
                        4,
                        {{0, 5}, {1, 5}, {2, 5}, {3, 6}, {4, 6}, {5, 7}, {5, 8}, {7, 6}, {8, 6}});
        CcmNetwork net(plan, MakeSmall());
        Ptr<FabricSwitch> sw = net.fabric->GetSwitch(LEAF);
        TaggedFlow flows[] = {{0, 3, 1, 10}, {1, 3, 1, 11}, {2, 4, 1, 12}};
        const uint16_t port = net.PortTo(LEAF, 7);
        for (TaggedFlow& flow : flows) // all on one way
        {
            while (sw->ChoosePort(*flow.Make()) != port)
            {
                ++flow.entropy;
            }
        }
        const auto pass = [&](uint32_t which) {
            return net.Pass(LEAF, flows[which].src, flows[which].Make()).port;
        };
        NS_TEST_EXPECT_MSG_EQ(pass(0), port, "light");
        // no light path while its class is paused; packets of 1000 B wait for it
        sw->GetPort(port)->SetPausedClasses(1U << 3);
        NS_TEST_EXPECT_MSG_EQ(net.Pass(LEAF, 0, flows[0].Make(true)).port, port, "CC: stays");
        NS_TEST_EXPECT_MSG_EQ(pass(1), port, "all 1000 B that wait are of another source");
        NS_TEST_ASSERT_MSG_EQ(net.told.size(), 1, "claimed");
        NS_TEST_EXPECT_MSG_EQ(+net.told[0].kind, +CcmKind::REQUIRED, "type 1");
        NS_TEST_EXPECT_MSG_EQ(net.told[0].to, 1, "its source");
        NS_TEST_EXPECT_MSG_EQ(pass(0), port, "1000 of 2000 B are");
        NS_TEST_EXPECT_MSG_EQ(net.told.size(), 2, "claimed");
        NS_TEST_EXPECT_MSG_EQ(net.Count(LEAF, "ccm_moves"), 0, "no way leads around");
        NS_TEST_EXPECT_MSG_NE(pass(2), port, "the other receiver's moves");
        NS_TEST_EXPECT_MSG_EQ(net.Count(LEAF, "ccm_moves"), 1, "alone");
        NS_TEST_EXPECT_MSG_EQ(net.told.size(), 2, "without a word");
        sw->GetPort(port)->SetPausedClasses(0);
        Simulator::Run();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A switch without a port that is up for a packet asks upstream (type 3), as one without a
 * light path does: its dead end looks idle from there.
 */
class CcmDeadEndTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        FabricHelper helper = MakeSmall();
        helper.SetSwitchAttribute("DetectionTime", TimeValue(Seconds(0)));
        CcmNetwork net(MakeWays(3), helper);
        constexpr uint32_t WAY = 4;
        FabricFaults faults;
        faults.Add({10 * US, FabricFault::DOWN, WAY, 3});
        faults.Install(net.fabric);
        const TaggedFlow flow{0, 1, 7, 3};
        CallIn(MicroSeconds(20), [&] {
            net.Arrive(WAY, HERE, flow.Make(false, HERE));
            net.Arrive(WAY, HERE, flow.Make(false, HERE)); // within 50 us
            const TaggedFlow claimed{0, 1, 7, 4};
            net.Arrive(WAY, HERE, claimed.Make(true, HERE)); // keeps its path
            const TaggedFlow lost{0, 1, 7, 5};
            net.Arrive(WAY, HERE, lost.Make()); // nobody to ask, and no rate would help
            NS_TEST_ASSERT_MSG_EQ(net.told.size(), 1, "once");
            NS_TEST_EXPECT_MSG_EQ(+net.told[0].kind, +CcmKind::REROUTE, "type 3");
            NS_TEST_EXPECT_MSG_EQ(net.told[0].to, HERE, "to whom the tag names");
            NS_TEST_EXPECT_MSG_EQ(net.told[0].pdc, 3, "flow");
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(net.fabric->GetDrops().at(DropReason::PORT_DOWN), 4, "all lost");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What is refused, full tables, and thresholds by rate.
 */
class CcmBoundsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const FabricGraph graph = MakeWays(3);
        DCFABRIC_EXPECT_REFUSAL(
            CcmNetwork::MakeHelper("LightBytes", UintegerValue(50000)).Install(graph),
            "LightBytes, HeavyBytes and IncastBytes are 50000, 50000 and 100000; the latter two "
            "must be above the first");
        Simulator::Destroy();
        FabricHelper twice = CcmNetwork::MakeHelper();
        twice.AddSwitchFeature("ns3::CcmFeature");
        DCFABRIC_EXPECT_REFUSAL(twice.Install(graph),
                                "ns3::CcmFeature twice and would count each path twice");
        FabricHelper deaf = CcmNetwork::MakeHelper();
        deaf.SetCongestionControl("ns3::NoCongestionControl");
        DCFABRIC_EXPECT_REFUSAL(deaf.Install(graph), "ns3::CoordinationGateModifier");
        FabricHelper inOrder = CcmNetwork::MakeHelper();
        inOrder.SetReliability("ns3::GoBackN");
        DCFABRIC_EXPECT_REFUSAL(inOrder.Install(graph), "ns3::CcmFeature");
        Simulator::Destroy();
        {
            FabricHelper still = CcmNetwork::MakeHelper("Adaptive", BooleanValue(false));
            still.SetReliability("ns3::GoBackN");
            CcmNetwork net(graph, still); // nothing moves
            const TaggedFlow flow{0, 1, 7, 3};
            net.Block(HERE, 4, 1, 60000);
            net.Block(HERE, 5, 1, 60000);
            net.Block(HERE, 6, 1, 60000);
            const auto item = flow.Make(false, 0);
            net.Arrive(HERE, 0, item);
            net.Arrive(HERE, 4, MakeReport(flow));
            NS_TEST_EXPECT_MSG_EQ(item->arPoint, 0, "names nobody");
            NS_TEST_EXPECT_MSG_EQ(item->IsMarked(), false, "that is for the marking profile");
            NS_TEST_ASSERT_MSG_EQ(net.told.size(), 1, "no path: congestion control");
            NS_TEST_EXPECT_MSG_EQ(+net.told[0].kind, +CcmKind::REQUIRED, "type 1");
            NS_TEST_EXPECT_MSG_EQ(net.Count(HERE, "ccm_type3_vain"), 1, "cannot move it");
        }
        CheckFull(graph);
        CheckRates();
    }

    /// One place in each table. @param graph plan
    void CheckFull(const FabricGraph& graph)
    {
        CcmNetwork net(graph, CcmNetwork::MakeHelper("TableSize", UintegerValue(1)));
        const TaggedFlow one{0, 1, 7, 3};
        const TaggedFlow two{0, 1, 7, 4};
        const uint16_t usual = net.Pass(HERE, 0, one.Make()).port;
        net.Block(HERE, net.fabric->GetGraph().GetPort(HERE, usual).peer, 1, 50000);
        NS_TEST_EXPECT_MSG_NE(net.Pass(HERE, 0, one.Make()).port, usual, "moves");
        const auto tag = net.Pass(HERE, 0, two.Make());
        NS_TEST_EXPECT_MSG_EQ(tag.port, usual, "no room: stays");
        NS_TEST_EXPECT_MSG_EQ(tag.nLight, 2, "with light paths there");
        net.Arrive(HERE, 4, MakeReport(two));
        NS_TEST_EXPECT_MSG_EQ(net.Count(HERE, "ccm_type3_vain"), 1, "likewise");
        for (uint16_t port = 1; port <= 3; ++port)
        {
            net.fabric->GetSwitch(HERE)->GetPort(port)->SetPausedClasses(1U << 3 | 1U << 5);
        }
        for (const TaggedFlow& flow : {one, two})
        {
            net.Arrive(HERE, 0, flow.Make());         // no AR point: type 1
            net.Arrive(HERE, 0, flow.Make(false, 0)); // the host: type 3
        }
        NS_TEST_ASSERT_MSG_EQ(net.told.size(), 2, "the first flow");
        NS_TEST_EXPECT_MSG_EQ(net.told[0].pdc, 3, "claimed");
        NS_TEST_EXPECT_MSG_EQ(net.told[1].pdc, 3, "reported");
        // after 1 ms the other one finds room
        for (uint16_t port = 1; port <= 3; ++port)
        {
            net.fabric->GetSwitch(HERE)->GetPort(port)->SetPausedClasses(1U << 5);
        }
        CallIn(MicroSeconds(1001), [&] {
            NS_TEST_EXPECT_MSG_NE(net.Pass(HERE, 0, two.Make()).port, usual, "room again");
        });
        Simulator::Run();
    }

    /// 4 us are 50 kB at 100 Gb/s and 200 kB at 400 Gb/s.
    void CheckRates()
    {
        for (const uint64_t gbps : {100, 400})
        {
            const uint64_t rate = gbps * GBPS;
            CcmNetwork net(
                PlanOfLinks(2,
                            3,
                            {{0, 2, rate}, {1, 3, rate}, {2, 3, rate}, {2, 4, rate}, {4, 3, rate}}),
                CcmNetwork::MakeHelper());
            const auto heavy = static_cast<uint32_t>(gbps * 500);
            net.Block(HERE, 3, 1, heavy - 1000);
            NS_TEST_EXPECT_MSG_EQ(net.FeatureOf(HERE)->IsHeavy(net.PortTo(HERE, 3)), false, gbps);
            net.Block(HERE, 3, 1, 1000);
            NS_TEST_EXPECT_MSG_EQ(net.FeatureOf(HERE)->IsHeavy(net.PortTo(HERE, 3)), true, gbps);
        }
    }
};

NS_OBJECT_ENSURE_REGISTERED(CcmReader);

/// Coordinated congestion management on one switch.
const SuiteCases g_cases("dcfabric-switch", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new CcmTagTestCase("coordination: tags by the number of light paths"));
    suite.AddTestCase(new CcmNoPathTestCase("coordination: no light path, nobody upstream"));
    suite.AddTestCase(new CcmMoveTestCase("coordination: flows move once, and not to dead ports"));
    suite.AddTestCase(new CcmReportedTestCase("coordination: a switch behind reports a path"));
    suite.AddTestCase(new CcmIncastTestCase("coordination: incast at the last switch"));
    suite.AddTestCase(new CcmNeighborTestCase("coordination: a neighbor reports its own path"));
    suite.AddTestCase(new CcmStillTestCase("coordination: nobody moves flows"));
    suite.AddTestCase(new CcmCoreIncastTestCase("coordination: an incast on its way"));
    suite.AddTestCase(new CcmDeadEndTestCase("coordination: a dead end"));
    suite.AddTestCase(new CcmBoundsTestCase("coordination: refusals, full tables, rates"));
});

} // namespace ns3::tests::ccm_feature_test
