// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-congestion.h"
#include "fabric-test-control.h"
#include "fabric-test-errors.h"
#include "fabric-test-incast.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"

#include "ns3/fecn-feature.h"
#include "ns3/ib-congestion-control.h"
#include "ns3/nstime.h"
#include "ns3/sending-pdc.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <string>
#include <utility>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief InfiniBand's congestion control: the sender by hand, the marks of switches, both together.
 */

namespace ns3::tests::ib_test
{

constexpr int64_t UNIT = 1024000; //!< ps of the timer: 1.024 us

/**
 * @ingroup dcfabric-tests
 * @brief The index, its timer and the delay between packets. CCT[i] = i, a packet takes 80 ns.
 */
class IbSenderTestCase : public ControlTestCase<IbCongestionControl>
{
    using ControlTestCase::ControlTestCase;

    /// @return ps from one packet of 1000 B to the next
    double GetSpacingPs() const
    {
        return 8e15 / m_cc->GetRate();
    }

    /**
     * @brief Compare.
     * @param index CCTI
     * @param spacingPs from packet to packet
     * @param when of the sequence
     */
    void Expect(uint32_t index, double spacingPs, const std::string& when)
    {
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetIndex(), index, "index " << when);
        NS_TEST_EXPECT_MSG_EQ_TOL(GetSpacingPs(), spacingPs, 1e-3, "spacing " << when);
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetWindow(), CongestionControl::UNLIMITED, "no window");
    }

    void DoRun() override
    {
        Create();
        Start();
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetNeeds().cnpIntervalPs, 12 * US, "CNPs");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetNeeds().NeedsFeature("ns3::FecnFeature"), true, "marks");
        Expect(0, 80000, "at the start");
        // three BECNs: it waits 3 x 80 ns between packets, one each 320 ns, which is 25 %
        m_cc->TellCnp(0);
        m_cc->TellCnp(UNIT);
        m_cc->TellCnp(2 * UNIT);
        Expect(3, 320000, "after three BECNs");
        // with CNPs, marks that ACKs echo are nothing
        m_cc->Acknowledge(MakeAck(3 * UNIT, 1, 1));
        Expect(3, 320000, "after an ACK");
        // the timer began with the first BECN, and the others have not put it off
        NS_TEST_EXPECT_MSG_EQ(m_host.GetTimer(0), 24 * UNIT, "CCTI_Timer of 24");
        m_host.RunUntil(*m_cc, 24 * UNIT);
        Expect(2, 240000, "after one timer");
        m_host.RunUntil(*m_cc, 72 * UNIT - 1);
        Expect(1, 160000, "after two");
        m_host.RunUntil(*m_cc, 72 * UNIT);
        Expect(0, 80000, "after three");
        NS_TEST_EXPECT_MSG_EQ(m_host.IsIdle(), true, "no timer without need");

        // the limits
        Create();
        m_cc->SetAttribute("CctiIncrease", UintegerValue(5));
        m_cc->SetAttribute("CctiMin", UintegerValue(2));
        m_cc->SetAttribute("CctiLimit", UintegerValue(9));
        Start();
        Expect(2, 240000, "begins with CCTI_Min");
        m_cc->TellCnp(0);
        Expect(7, 640000, "plus 5");
        m_cc->TellCnp(0);
        Expect(9, 800000, "CCTI_Limit");
        m_host.RunUntil(*m_cc, 24 * 100 * UNIT);
        Expect(2, 240000, "CCTI_Min");

        // BECN by ACKs: one for each ACK, however many marks it tells of
        Create();
        m_cc->SetAttribute("CnpInterval", TimeValue(Time(0)));
        Start();
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetNeeds().cnpIntervalPs, -1, "no CNPs");
        m_cc->Acknowledge(MakeAck(0, 4, 3));
        m_cc->Acknowledge(MakeAck(0, 4, 0));
        Expect(1, 160000, "one ACK with marks");

        // a loss is a BECN, once in a base RTT of 10 us; a time-out is one
        m_cc->TellLoss(0, 1000);
        m_cc->TellLoss(10 * US - 1, 1000);
        Expect(2, 240000, "lost");
        m_cc->TellLoss(10 * US, 1000);
        Expect(3, 320000, "lost again");
        m_cc->TellTimeout(10 * US);
        Expect(4, 400000, "a time-out");

        // a table, in times of a packet
        Create();
        m_cc->SetAttribute("Cct", StringValue("0, 0.5,3,3"));
        m_cc->SetAttribute("CctiLimit", UintegerValue(3));
        Start();
        m_cc->TellCnp(0);
        Expect(1, 120000, "0.5 packets");
        m_cc->TellCnp(0);
        Expect(2, 320000, "3 packets");
        m_cc->TellCnp(0);
        m_cc->TellCnp(0);
        Expect(3, 320000, "3 packets");

        // modifiers: the index follows what is in force
        Create();
        m_cc->AddModifier(CreateObject<WithholdingModifier>());
        Start();
        m_cc->TellCnp(0);
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetRate(), 100e9, "withheld");

        const std::pair<const char*, const char*> bad[] = {{"0,1", "has 2 entries"},
                                                           {"0,1,x", "'x' is no number"},
                                                           {"0,,1", "'' is no number"},
                                                           {"0,16384", "'16384' is no number"},
                                                           {"0,-1", "'-1' is no number"},
                                                           {"0,2,1", "entry 2 is less"}};
        for (const auto& [table, message] : bad)
        {
            Create();
            m_cc->SetAttribute("Cct", StringValue(table));
            m_cc->SetAttribute("CctiLimit", UintegerValue(2));
            DCFABRIC_EXPECT_REFUSAL(Start(), message);
        }
        Create();
        m_cc->SetAttribute("CctiMin", UintegerValue(3));
        m_cc->SetAttribute("CctiLimit", UintegerValue(2));
        DCFABRIC_EXPECT_REFUSAL(Start(), "CctiMin");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Which packets switches mark.
 */
class FecnTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// What a switch has counted.
    struct Counts
    {
        uint64_t marks;   //!< set
        uint64_t victims; //!< not set
    };

    /**
     * @brief Two hosts send 1 MB each, whatever is marked, over two switches in a row to a third;
     * its link is four times slower, and PFC stops the link between the switches.
     * @param attribute of the feature
     * @param value its value
     * @param node a switch: 3 is the first one, 4 the one with the slow link
     * @return what it has counted
     */
    Counts Run(const std::string& attribute, uint64_t value, uint32_t node)
    {
        FabricGraph graph;
        for (int i = 0; i < 3; ++i)
        {
            graph.AddHost();
        }
        graph.AddSwitch();
        graph.AddSwitch();
        graph.AddLink(0, 3, 100 * GBPS, US);
        graph.AddLink(1, 3, 100 * GBPS, US);
        graph.AddLink(3, 4, 100 * GBPS, US);
        graph.AddLink(4, 2, 25 * GBPS, US);
        FabricHelper helper = MakeFixed(CongestionControl::UNLIMITED);
        helper.SetBuffer("ns3::SharedBuffer", "XoffThreshold", UintegerValue(300000));
        helper.AddSwitchFeature("ns3::FecnFeature", attribute, UintegerValue(value));
        TestNetwork network(graph, helper);
        network.MessagesOf(0).SendAt(0, 2, 1000000, 0);
        network.MessagesOf(1).SendAt(0, 2, 1000000, 1);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 2, "complete");
        const auto counters =
            network.fabric->GetSwitch(node)->GetFeature<FecnFeature>()->GetCounters();
        return {counters.at(0).second, counters.at(1).second};
    }

    void DoRun() override
    {
        const auto feature = CreateObject<FecnFeature>();
        NS_TEST_EXPECT_MSG_EQ(feature->GetThresholdBytes(100 * GBPS), 100000, "strictest");
        NS_TEST_EXPECT_MSG_EQ(feature->GetThresholdBytes(25 * GBPS), 25000, "scaled");
        feature->SetAttribute("Threshold", UintegerValue(1));
        NS_TEST_EXPECT_MSG_EQ(feature->GetThresholdBytes(100 * GBPS), 1500000, "loosest");
        feature->SetAttribute("Threshold", UintegerValue(0));
        NS_TEST_EXPECT_MSG_EQ(feature->GetThresholdBytes(100 * GBPS), UINT64_MAX, "off");
        feature->SetAttribute("Threshold", UintegerValue(8));
        feature->SetAttribute("Rate", DataRateValue(DataRate(0)));
        NS_TEST_EXPECT_MSG_EQ(feature->GetThresholdBytes(25 * GBPS), 800000, "not scaled");

        // The last switch is the root: all beyond 25,000 B is marked, the first 24 packets of 1062
        // B find at most 24 x 1062 = 25,488 B ...
        const Counts root = Run("Threshold", 15, 4);
        NS_TEST_EXPECT_MSG_EQ((root.marks > 1900 && root.marks < 2000), true, "nearly all");
        NS_TEST_EXPECT_MSG_EQ(root.victims, 0, "a host stops nothing");
        // ... and of these each fourth one with a Marking_Rate of 3, as nothing else changes
        NS_TEST_EXPECT_MSG_EQ(Run("MarkingRate", 3, 4).marks, root.marks / 4, "each fourth");
        NS_TEST_EXPECT_MSG_EQ(Run("Threshold", 0, 4).marks, 0, "off");
        // frames of 1062 B: 16 x 64 = 1024, 17 x 64 = 1088
        NS_TEST_EXPECT_MSG_EQ(Run("PacketSize", 16, 4).marks, root.marks, "large enough");
        NS_TEST_EXPECT_MSG_EQ(Run("PacketSize", 17, 4).marks, 0, "too small");

        // The first switch has a queue, too. While it is stopped its packets are victims.
        const Counts first = Run("Threshold", 15, 3);
        NS_TEST_EXPECT_MSG_GT(first.victims, 100, "while it is stopped");
        const Counts masked = Run("VictimMask", UINT64_MAX, 3);
        NS_TEST_EXPECT_MSG_EQ(masked.marks, first.marks + first.victims, "marked all the same");
        NS_TEST_EXPECT_MSG_EQ(masked.victims, 0, "no victims");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Both together: 2 and 16 senders, short and long links, losses, and the wire.
 */
class IbNetworkTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// @return senders and switches
    static FabricHelper Use()
    {
        FabricHelper helper;
        helper.SetCongestionControl("ns3::IbCongestionControl");
        helper.AddSwitchFeature("ns3::FecnFeature");
        return helper;
    }

    void DoRun() override
    {
        FabricHelper alone;
        alone.SetCongestionControl("ns3::IbCongestionControl");
        DCFABRIC_EXPECT_REFUSAL(alone.Install(MakeStar(2)), "needs FECN marks");

        // on the wire: a full packet has 1062 B, and after three BECNs one leaves each 4 x 1062 x
        // 80 ps
        {
            TestNetwork network(MakeStar(2), Use());
            const auto tap = AddTap(network, 2);
            network.MessagesOf(0).SendAt(0, 1, 100000, 7);
            CallIn(FabricTime::FromPs(US), [&network]() {
                for (int i = 0; i < 3; ++i)
                {
                    network.Nic(0).GetSendingPdcs().Get(0)->OnCnp(US);
                }
            });
            Simulator::Run();
            const auto times = tap->SendTimes(7);
            NS_TEST_EXPECT_MSG_EQ(times.size(), 100, "all");
            NS_TEST_EXPECT_MSG_EQ(times[30] - times[29], 4 * 1062 * 80, "25 %");
        }

        // The table has steps: between 1 and 1/2 of the line there is nothing. Two senders that try
        // more in turn use what is measured here; more senders have finer steps. While the queue of
        // the first round trip drains, which 16 senders take 5 ms for, indices rise too far.
        for (const auto& [n, least] : {std::pair<uint32_t, double>{2, 0.75}, {16, 0.95}})
        {
            Incast run(n, Use(), 6000, 7000);
            run.Run();
            NS_TEST_EXPECT_MSG_GT(run.packetsPerUs * 0.08656, least, "link of " << n);
            NS_TEST_EXPECT_MSG_GT(run.jain, 0.9, "shares of " << n);
            NS_TEST_EXPECT_MSG_EQ(run.GetNetwork().Sum(&FabricNic::Counters::retransmitted),
                                  0,
                                  "nothing is lost of " << n);
        }
        for (const auto& [delayPs, least] :
             {std::pair<int64_t, double>{US / 10, 0.7}, {10 * US, 0.6}})
        {
            Incast run(2, Use(), 3000, 5000, 100 * GBPS, delayPs);
            run.Run();
            NS_TEST_EXPECT_MSG_GT(run.packetsPerUs * 0.08656, least, "links of " << delayPs);
        }

        // a network that drops
        FabricHelper lossy = Use();
        lossy.SetFlowControl("none");
        lossy.SetBuffer("ns3::SharedBuffer", "Size", UintegerValue(1000000));
        TestNetwork network(MakeStar(33), lossy);
        for (uint32_t i = 0; i < 32; ++i)
        {
            network.MessagesOf(i).SendAt(0, 32, 200000, i);
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 32, "all complete in spite of losses");
        NS_TEST_EXPECT_MSG_GT(network.Sum(&FabricNic::Counters::retransmitted), 0, "losses");
    }
};

/// InfiniBand's congestion control.
const SuiteCases g_cases("dcfabric-ib", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new IbSenderTestCase("BECNs, the timer, the table"));
    suite.AddTestCase(new FecnTestCase("threshold, marking rate, victims"));
    suite.AddTestCase(new IbNetworkTestCase("in networks"));
});

} // namespace ns3::tests::ib_test
