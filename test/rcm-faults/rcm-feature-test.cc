// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-errors.h"
#include "../fabric-test-network.h"
#include "../fabric-test-schedule.h"
#include "../fabric-test-suite.h"
#include "../fabric-test-transport.h"
#include "../fabric-test-units.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/double.h"
#include "ns3/fabric-faults.h"
#include "ns3/fabric-helper.h"
#include "ns3/hop-congestion-notification.h"
#include "ns3/rcm-feature.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <map>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Regional congestion mitigation on one switch, which is told what the test says.
 */

namespace ns3::tests::rcm_feature_test
{

/**
 * @param dst switch that is told
 * @param degree quantized
 * @param flows harmful ones
 * @param priority class that is congested
 * @return a notification of switch 99
 */
Ptr<FabricPacketItem>
MakeNotice(uint32_t dst, uint8_t degree, const std::vector<FlowKey>& flows, uint8_t priority = 3)
{
    HopCongestionNotification notification;
    notification.priority = priority;
    notification.degree = degree;
    notification.queue = 7;
    notification.flows = flows;
    const auto bytes = notification.Serialize();
    const auto length = static_cast<uint32_t>(bytes.size());
    Ptr<FabricPacketItem> item(new FabricPacketItem(Create<Packet>(bytes.data(), length)), false);
    item->type = FabricPacketType::NOTICE;
    item->src = 99;
    item->dst = dst;
    item->ds = FabricPacketItem::MakeDs(6, 0);
    item->size = 62 + length;
    return item;
}

/**
 * @ingroup dcfabric-tests
 * @brief What does not go together.
 */
class RcmRefusalTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// @return a helper with the feature on switches that can have it
    static FabricHelper Make()
    {
        FabricHelper helper;
        helper.SetBuffer("ns3::VoqBuffer");
        helper.AddSwitchFeature("ns3::RcmFeature");
        return helper;
    }

    void DoRun() override
    {
        const FabricGraph graph = MakeWays(2);
        FabricHelper shared = Make();
        shared.SetBuffer("ns3::SharedBuffer");
        DCFABRIC_EXPECT_REFUSAL(shared.Install(graph),
                                "ns3::RcmFeature holds packets back at their inputs, but "
                                "ns3::SharedBuffer has no queues there; use ns3::VoqBuffer");
        FabricHelper lossy = Make();
        lossy.SetFlowControl("none");
        DCFABRIC_EXPECT_REFUSAL(lossy.Install(graph),
                                "ns3::RcmFeature holds packets back at their inputs, which "
                                "overflow without flow control; use ns3::PriorityFlowControl, "
                                "ns3::CreditFlowControl, or leave out ns3::RcmFeature");
        FabricHelper twice = Make();
        twice.AddSwitchFeature("ns3::RcmFeature");
        DCFABRIC_EXPECT_REFUSAL(twice.Install(graph),
                                "ns3::RcmFeature twice and would hold each harmful flow twice");
        FabricHelper inOrder = Make();
        inOrder.SetReliability("ns3::GoBackN");
        DCFABRIC_EXPECT_REFUSAL(inOrder.Install(graph),
                                "accepts packets only in order, but ns3::Rcm");
        FabricHelper records = Make();
        records.SetCongestionControl("ns3::HpccCongestionControl");
        records.AddSwitchFeature("ns3::HpccIntFeature");
        DCFABRIC_EXPECT_REFUSAL(records.Install(graph), "ns3::RcmFeature moves flows from path to");
        Simulator::Destroy();
        FabricHelper credits = Make();
        credits.SetFlowControl("ns3::VoqCreditFlowControl");
        DCFABRIC_EXPECT_REFUSAL(credits.Install(graph),
                                "ns3::RcmFeature chooses it on arrival; leave out "
                                "ns3::RcmFeature, or use another flow control");
        Simulator::Destroy();
        // without detours all of these work
        for (const std::string flowControl :
             {"ns3::PriorityFlowControl", "ns3::CreditFlowControl", "ns3::VoqCreditFlowControl"})
        {
            FabricHelper helper;
            helper.SetBuffer("ns3::VoqBuffer");
            helper.SetFlowControl(flowControl);
            helper.SetReliability("ns3::GoBackN");
            helper.SetCongestionControl("ns3::HpccCongestionControl");
            helper.AddSwitchFeature("ns3::HpccIntFeature");
            helper.AddSwitchFeature("ns3::RcmFeature", "Detour", BooleanValue(false));
            TestNetwork network(MakeTwoLeaves(4, 1), helper);
            for (uint32_t src = 1; src < 8; ++src)
            {
                network.MessagesOf(src).Send(0, 300000, src);
            }
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 7, flowControl);
            NS_TEST_EXPECT_MSG_EQ(network.fabric->GetDrops().empty(), true, flowControl);
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The neighbor at an output tells: named flows are held, others pass, and the silence after
 * it ends that.
 *
 * Hosts 0 to 2 at switch 3; a packet of 1000 B takes 81,600 ps with its gap.
 */
class RcmToldTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief Make the switch.
     * @param control attribute
     */
    void Make(bool control)
    {
        FabricHelper helper;
        helper.SetBuffer("ns3::VoqBuffer", "QueueBytes", UintegerValue(10000000));
        helper.AddSwitchFeature("ns3::RcmFeature", "Control", BooleanValue(control));
        m_sent.clear();
        m_fabric = helper.Install(MakeStar({100 * GBPS, 100 * GBPS, 100 * GBPS}, 1000000));
        m_switch = m_fabric->GetSwitch(3);
        m_switch->GetPort(2)->TraceConnectWithoutContext(
            "Transmit",
            MakeCallback(&RcmToldTestCase::Note, this));
    }

    /// @param item a packet that port 2 begins to send
    void Note(Ptr<const FabricPacketItem> item)
    {
        m_sent.emplace_back(m_switch->GetNowPs(), item->src);
    }

    /**
     * @brief Let packets to host 2 arrive at once.
     * @param src host
     * @param count number
     */
    void Arrive(uint16_t src, int count)
    {
        for (int i = 0; i < count; ++i)
        {
            m_switch->Receive(*m_switch->GetPort(src), MakeData(1000, 0, 3, src, 2));
        }
    }

    /**
     * @param fromUs begin
     * @param untilUs end
     * @return part of the packets in a time that were of host 0
     */
    double GetShare(int64_t fromUs, int64_t untilUs) const
    {
        double all = 0;
        double ofZero = 0;
        for (const auto& [timePs, src] : m_sent)
        {
            const bool counts = timePs >= fromUs * US && timePs < untilUs * US;
            all += counts ? 1 : 0;
            ofZero += counts && src == 0 ? 1 : 0;
        }
        return ofZero / all;
    }

    /// @brief Run and clear away.
    void Run()
    {
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_switch->GetBuffer()->GetNHeldPackets(), 0, "all have left");
        NS_TEST_EXPECT_MSG_EQ(m_switch->GetNOriginated(), 0, "hosts are not told");
        m_drops = m_switch->GetDrops();
    }

    void DoRun() override
    {
        const FlowKey named{0, 2, 0};
        for (const bool control : {false, true})
        {
            Make(control);
            const auto rcm = m_switch->GetFeature<RcmFeature>();
            CallIn(MicroSeconds(1), [this, named]() {
                m_switch->Receive(*m_switch->GetPort(2), MakeNotice(3, 63, {named}));
                Arrive(0, 2000);
                Arrive(1, 4000);
            });
            CallIn(MicroSeconds(15), [this, rcm, control]() {
                NS_TEST_EXPECT_MSG_EQ(rcm->GetRegion(2).GetRemoteDegree(), 1, "told");
                NS_TEST_EXPECT_MSG_EQ((rcm->GetWindow(2).GetState() == RcmWindow::CONTROLLING),
                                      control,
                                      "holds");
                NS_TEST_EXPECT_MSG_EQ(rcm->GetRegion(1).GetRole(), RcmRegion::OUTSIDE, "another");
            });
            // the end is lost: after 200 us nothing of it is left
            CallIn(MicroSeconds(202), [this, rcm]() {
                NS_TEST_EXPECT_MSG_EQ(rcm->GetRegion(2).GetRemoteDegree(), 0, "lapsed");
                NS_TEST_EXPECT_MSG_EQ(rcm->GetRegion(2).GetRole(), RcmRegion::ROOT, "own queue");
            });
            Run();
            // measured 15 packets, half of them of each; cut by a half: 25 %, from 3 us on
            NS_TEST_EXPECT_MSG_EQ_TOL(GetShare(3, 20), (control ? 0.25 : 0.5), 0.03, control);
            NS_TEST_EXPECT_MSG_EQ(m_sent.size(), 6000, "all");
            NS_TEST_EXPECT_MSG_EQ(m_sent.back().first,
                                  US + 5999 * int64_t{81600},
                                  "the wire was never idle");
            NS_TEST_EXPECT_MSG_EQ(m_drops.empty(), true, "nothing lost");
            m_fabric = nullptr;
            Simulator::Destroy();
        }

        // nothing but harmful packets: those beyond Wc wait for the time of a window, not for ever
        Make(true);
        CallIn(MicroSeconds(1), [this, named]() {
            m_switch->Receive(*m_switch->GetPort(2), MakeNotice(3, 63, {named}));
            Arrive(0, 100);
        });
        Run();
        NS_TEST_EXPECT_MSG_EQ(m_sent.size(), 100, "all");
        NS_TEST_EXPECT_MSG_LT(m_sent.back().first,
                              20 * US,
                              "at half the rate of the line: 17.3 us");
        m_fabric = nullptr;
        Simulator::Destroy();

        // another class, bytes that say nothing, another switch: not ours
        Make(true);
        CallIn(MicroSeconds(1), [this, named]() {
            m_switch->Receive(*m_switch->GetPort(2), MakeNotice(3, 63, {named}, 4));
            auto broken = MakeNotice(3, 63, {named});
            broken->GetPacket()->RemoveAtEnd(1);
            m_switch->Receive(*m_switch->GetPort(2), broken);
        });
        Run();
        NS_TEST_EXPECT_MSG_EQ(m_drops[DropReason::NOT_FOR_SWITCH], 2, "left to others");
        NS_TEST_EXPECT_MSG_EQ(m_switch->GetFeature<RcmFeature>()->GetRegion(2).GetRole(),
                              RcmRegion::OUTSIDE,
                              "nothing was told");
        m_fabric = nullptr;
        Simulator::Destroy();
    }

    Ptr<Fabric> m_fabric;                             //!< hosts 0 to 2 at switch 3
    Ptr<FabricSwitch> m_switch;                       //!< the switch
    std::vector<std::pair<int64_t, uint32_t>> m_sent; //!< begin and source
    DropCounts m_drops;                               //!< of the switch
};

/**
 * @ingroup dcfabric-tests
 * @brief In the region harmful flows are marked and others are not, whatever waits; where nobody
 * is known to do harm, all are.
 *
 * Hosts 0 to 2 at switch 3, where the queue to host 2 marks all that finds a byte in it. 50 packets
 * of each of the hosts 0 and 1 come at once: all but the first ones, of which one is on the wire at
 * once, find one.
 */
class RcmMarksTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// ECN codepoints on the wire, by source.
    using Seen = std::map<uint32_t, std::map<uint8_t, int>>;

    /// @param item a packet that port 2 begins to send
    void Note(Ptr<const FabricPacketItem> item)
    {
        ++m_seen[item->src][item->ds & FabricPacketItem::ECN_MASK];
        NS_TEST_EXPECT_MSG_EQ((item->flags & FabricPacketItem::FLAG_SPARED), 0, "for the queue");
    }

    /// What the neighbor tells.
    enum Told
    {
        NOTHING, //!< no notification
        NOBODY,  //!< that it is congested, by nobody in particular
        NAMED    //!< the flow of host 0
    };

    /**
     * @param harmfulOnly attribute
     * @param told by the neighbor
     * @return what leaves
     */
    Seen Measure(bool harmfulOnly, Told told)
    {
        FabricHelper helper;
        helper.SetBuffer("ns3::VoqBuffer", "QueueBytes", UintegerValue(10000000));
        helper.SetMarkingProfile("ns3::WredMarkingProfile",
                                 "Kmin",
                                 UintegerValue(0),
                                 "Kmax",
                                 UintegerValue(1),
                                 "Pmax",
                                 DoubleValue(1));
        // nothing is congested here by itself
        helper.AddSwitchFeature("ns3::RcmFeature", "MarkHarmfulOnly", BooleanValue(harmfulOnly));
        Config::SetDefault("ns3::RcmParameters::Qeq", UintegerValue(10000000));
        const Ptr<Fabric> fabric =
            helper.Install(MakeStar({100 * GBPS, 100 * GBPS, 100 * GBPS}, 1000000));
        const Ptr<FabricSwitch> sw = fabric->GetSwitch(3);
        m_seen.clear();
        sw->GetPort(2)->TraceConnectWithoutContext("Transmit",
                                                   MakeCallback(&RcmMarksTestCase::Note, this));
        CallIn(MicroSeconds(1), [sw, told]() {
            if (told != NOTHING)
            {
                const FlowKey flow{0, 2, 0};
                sw->Receive(*sw->GetPort(2),
                            MakeNotice(3,
                                       63,
                                       told == NAMED ? std::vector<FlowKey>{flow}
                                                     : std::vector<FlowKey>{}));
            }
            for (int i = 0; i < 50; ++i)
            {
                sw->Receive(*sw->GetPort(0), MakeData(1000, 0, 3, 0, 2));
                sw->Receive(*sw->GetPort(1), MakeData(1000, 0, 3, 1, 2));
            }
            auto marked = MakeData(1000, 0, 3, 4, 2);
            marked->ds |= FabricPacketItem::ECN_CE;
            sw->Receive(*sw->GetPort(1), marked);
            auto incapable = MakeData(1000, 0, 3, 5, 2);
            incapable->ds = FabricPacketItem::MakeDs(3, 0);
            sw->Receive(*sw->GetPort(1), incapable);
        });
        Simulator::Run();
        Simulator::Destroy();
        Config::Reset();
        return m_seen;
    }

    void DoRun() override
    {
        constexpr uint8_t CE = FabricPacketItem::ECN_CE;
        constexpr uint8_t ECT = FabricPacketItem::ECN_ECT0;
        for (const bool harmfulOnly : {false, true})
        {
            for (const Told told : {NOTHING, NOBODY, NAMED})
            {
                Seen seen = Measure(harmfulOnly, told);
                const std::string what =
                    std::to_string(harmfulOnly) + ", told " + std::to_string(told);
                NS_TEST_EXPECT_MSG_GT(seen[0][CE], 47, "the harmful one " << what);
                NS_TEST_EXPECT_MSG_EQ(seen[0][CE] + seen[0][ECT], 50, "all of it " << what);
                if (harmfulOnly && told == NAMED)
                {
                    NS_TEST_EXPECT_MSG_EQ(seen[1][ECT], 50, "the other one " << what);
                }
                else
                {
                    NS_TEST_EXPECT_MSG_GT(seen[1][CE], 47, "the other one " << what);
                }
                NS_TEST_EXPECT_MSG_EQ(seen[4][CE], 1, "marks of others stay " << what);
                NS_TEST_EXPECT_MSG_EQ(seen[5][0], 1, "does not become capable " << what);
            }
        }
    }

    Seen m_seen; //!< see Measure()
};

/**
 * @ingroup dcfabric-tests
 * @brief Flows are led around what a spine tells of.
 *
 * Hosts 0 to 3 at leaf 8, 4 to 7 at leaf 9, spines 10 and 11 at ports 4 and 5 of leaf 8.
 */
class RcmAroundTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param notices how often spine 10 tells
     * @param down port 5 is
     * @return packets of each host through port 4 and through port 5
     */
    std::map<uint32_t, std::pair<int, int>> Measure(int notices, bool down)
    {
        FabricHelper helper;
        helper.SetBuffer("ns3::VoqBuffer");
        helper.SetPathSelector("ns3::EcmpPathSelector");
        helper.AddSwitchFeature("ns3::RcmFeature", "Control", BooleanValue(false));
        TestNetwork network(MakeTwoLeaves(4, 2), helper);
        const auto leaf = network.fabric->GetSwitch(8);
        std::map<uint32_t, std::pair<int, int>> sent;
        m_sent = &sent;
        leaf->GetPort(4)->TraceConnectWithoutContext("Transmit",
                                                     MakeCallback(&RcmAroundTestCase::Note4, this));
        leaf->GetPort(5)->TraceConnectWithoutContext("Transmit",
                                                     MakeCallback(&RcmAroundTestCase::Note5, this));
        if (down)
        {
            FabricFaults faults;
            faults.AddDown(MicroSeconds(1), 8, 11);
            faults.Install(network.fabric);
        }
        CallIn(MicroSeconds(30), [&]() {
            for (int i = 0; i < notices; ++i)
            {
                leaf->Receive(*leaf->GetPort(4), MakeNotice(8, 40, {{0, 4, m_entropy}}));
            }
            // asked without a packet: changes nothing
            network.fabric->TracePath(1, 5, 0);
        });
        for (uint32_t host = 0; host < 4; ++host)
        {
            // one after the other: none congests the leaf itself
            network.MessagesOf(host).SendAt((31 + 10 * host) * US, 4 + host, 20000, host);
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 4, "all arrive");
        m_moved = leaf->GetFeature<RcmFeature>()->GetCounters().at(2).second;
        return sent;
    }

    /// @param item a packet that port 4 begins to send
    void Note4(Ptr<const FabricPacketItem> item)
    {
        if (item->type == FabricPacketType::DATA)
        {
            ++(*m_sent)[item->src].first;
            m_entropies[item->src] = item->entropy;
        }
    }

    /// @param item a packet that port 5 begins to send
    void Note5(Ptr<const FabricPacketItem> item)
    {
        if (item->type == FabricPacketType::DATA)
        {
            ++(*m_sent)[item->src].second;
            m_entropies[item->src] = item->entropy;
        }
    }

    void DoRun() override
    {
        auto usual = Measure(0, false);
        m_entropy = m_entropies[0];
        NS_TEST_EXPECT_MSG_EQ(m_moved, 0, "nobody tells");
        uint64_t through4 = 0;
        for (uint32_t host = 1; host < 4; ++host)
        {
            NS_TEST_EXPECT_MSG_EQ(usual[host].first + usual[host].second, 20, "each one way");
            through4 += usual[host].first;
        }
        NS_TEST_ASSERT_MSG_GT(through4, 0, "some flow takes the way that becomes bad");

        auto once = Measure(1, false);
        NS_TEST_EXPECT_MSG_EQ((once == usual), true, "told once: not yet");
        auto told = Measure(2, false);
        NS_TEST_EXPECT_MSG_EQ(m_moved, through4, "what is not harmful and came this way");
        NS_TEST_EXPECT_MSG_EQ((told[0] == usual[0]), true, "the harmful flow stays");
        for (uint32_t host = 1; host < 4; ++host)
        {
            NS_TEST_EXPECT_MSG_EQ(told[host].second, 20, "host " << host << " around it");
        }
        auto alone = Measure(2, true);
        NS_TEST_EXPECT_MSG_EQ(m_moved, 0, "no other way");
        for (uint32_t host = 0; host < 4; ++host)
        {
            // more than 20 if the way back was through spine 11
            NS_TEST_EXPECT_MSG_GT(alone[host].first, 19, "host " << host << " takes what there is");
            NS_TEST_EXPECT_MSG_EQ(alone[host].second, 0, "and nothing else");
        }
    }

    std::map<uint32_t, std::pair<int, int>>* m_sent{nullptr}; //!< by host
    std::map<uint32_t, uint16_t> m_entropies;                 //!< by host
    uint16_t m_entropy{0};                                    //!< of the harmful flow
    uint64_t m_moved{0};                                      //!< packets led around at leaf 8
};

/**
 * @ingroup dcfabric-tests
 * @brief A flow on a detour moves again: back when that is congested, after DetourTimeout of 20 us,
 * and at once when it leads nowhere.
 *
 * The network of RcmAroundTestCase. A packet of 1000 B of payload takes 86.56 ns, 1082 B.
 */
class RcmAgainTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// What is done to the way around.
    enum Trouble
    {
        NONE,      //!< nothing
        CONGESTED, //!< its spine tells of congestion from 40 us on, the usual one no longer
        DEAD       //!< its spine has lost the link to the other leaf
    };

    /**
     * @param trouble of the way that is not
     * @param usual port of the flow, told of congestion at 30 us; 0: it is not known yet
     * @return packets through each of the two spines
     */
    std::map<uint16_t, int> Measure(Trouble trouble, uint16_t usual)
    {
        FabricHelper helper;
        helper.SetBuffer("ns3::VoqBuffer");
        helper.SetPathSelector("ns3::EcmpPathSelector");
        helper.SetReliability("ns3::SelectiveRepeat", "ReorderThreshold", UintegerValue(1000));
        helper.AddSwitchFeature("ns3::RcmFeature",
                                "Control",
                                BooleanValue(false),
                                "Parameters",
                                StringValue("ns3::RcmParameters[DetourTimeout=20us]"));
        TestNetwork network(MakeTwoLeaves(4, 2), helper);
        const auto leaf = network.fabric->GetSwitch(8);
        m_sent.clear();
        m_firstUs = 0;
        leaf->GetPort(4)->TraceConnectWithoutContext("Transmit",
                                                     MakeCallback(&RcmAgainTestCase::Note4, this));
        leaf->GetPort(5)->TraceConnectWithoutContext("Transmit",
                                                     MakeCallback(&RcmAgainTestCase::Note5, this));
        const uint16_t around = usual == 4 ? 5 : 4;
        const auto tell = [leaf](uint16_t port, uint8_t degree) {
            leaf->Receive(*leaf->GetPort(port), MakeNotice(8, degree, {{3, 7, 1}}));
            leaf->Receive(*leaf->GetPort(port), MakeNotice(8, degree, {{3, 7, 1}}));
        };
        FabricFaults faults;
        if (trouble == DEAD)
        {
            faults.AddDown(MicroSeconds(1), 6U + around, 9);
            faults.Install(network.fabric);
        }
        if (usual > 0)
        {
            CallIn(MicroSeconds(30), [=]() { tell(usual, 40); });
        }
        if (trouble == CONGESTED)
        {
            CallIn(MicroSeconds(40), [=]() {
                tell(usual, 0);
                tell(around, 40);
            });
        }
        network.MessagesOf(0).SendAt(31 * US, 4, 400000, 0);
        Simulator::Stop(MicroSeconds(90));
        Simulator::Run();
        m_drops = network.fabric->GetDrops()[DropReason::PORT_DOWN];
        return m_sent;
    }

    /**
     * @param port of the leaf
     * @param item a packet that it begins to send
     */
    void Note(uint16_t port, Ptr<const FabricPacketItem> item)
    {
        if (item->type == FabricPacketType::DATA && item->src == 0)
        {
            ++m_sent[port];
            m_firstUs = m_firstUs > 0 ? m_firstUs : Simulator::Now().GetNanoSeconds() / 1e3;
        }
    }

    /// @param item a packet that port 4 begins to send
    void Note4(Ptr<const FabricPacketItem> item)
    {
        Note(4, item);
    }

    /// @param item a packet that port 5 begins to send
    void Note5(Ptr<const FabricPacketItem> item)
    {
        Note(5, item);
    }

    void DoRun() override
    {
        const uint16_t usual = Measure(NONE, 0)[4] > 0 ? 4 : 5;
        const uint16_t around = usual == 4 ? 5 : 4;
        NS_TEST_EXPECT_MSG_EQ(m_sent[usual], 400, "by the usual way");
        auto moved = Measure(NONE, usual);
        NS_TEST_EXPECT_MSG_EQ(moved[around], 400, "around");
        auto back = Measure(CONGESTED, usual);
        NS_TEST_EXPECT_MSG_EQ_TOL(m_firstUs, 32.6, 1, "at the leaf");
        NS_TEST_EXPECT_MSG_EQ_TOL(back[around], 20 / 0.08656, 3, "while it has to stay there");
        NS_TEST_EXPECT_MSG_EQ(back[usual], 400 - back[around], "then back");
        // The first packet is dropped 1.1 us after it left the leaf, the notification takes as
        // long again: 2.2 / 0.08656 = 25 packets, and what the switches take.
        auto dead = Measure(DEAD, usual);
        NS_TEST_EXPECT_MSG_EQ_TOL(dead[around], 27, 3, "until it is known to lead nowhere");
        NS_TEST_EXPECT_MSG_EQ(m_drops, static_cast<uint64_t>(dead[around]), "all of these");
        NS_TEST_EXPECT_MSG_GT(dead[usual], 372, "then back, and for some of them again");
    }

    std::map<uint16_t, int> m_sent; //!< packets by port of the leaf
    double m_firstUs{0};            //!< when the first one was sent
    uint64_t m_drops{0};            //!< without a way
};

/// The feature on one switch.
const SuiteCases g_cases("dcfabric-rcm", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new RcmRefusalTestCase("what does not go together, and what does"));
    suite.AddTestCase(new RcmToldTestCase("told: named flows are held, until it lapses"));
    suite.AddTestCase(new RcmMarksTestCase("in the region only harmful flows are marked"));
    suite.AddTestCase(new RcmAroundTestCase("told: other flows are led around"));
    suite.AddTestCase(new RcmAgainTestCase("flows on detours move again, away from dead ports"));
});

} // namespace ns3::tests::rcm_feature_test
