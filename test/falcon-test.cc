// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-congestion.h"
#include "fabric-test-errors.h"
#include "fabric-test-incast.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/falcon-congestion-control.h"
#include "ns3/falcon-nic-window.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <string>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief The windows of Falcon, by hand and in networks.
 */

namespace ns3::tests::falcon_test
{

/**
 * @ingroup dcfabric-tests
 * @brief The window of the receiving NIC, with levels from 0 to 31 and a target of 15, as the model
 * of Falcon has them.
 */
class FalconNicWindowTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief An ACK arrives; the RTT is 10 us.
     * @param us when
     * @param level of the buffer
     * @param packets what becomes of the window
     * @param grows it holds the sender back
     */
    void Expect(int64_t us, double level, double packets, bool grows = true)
    {
        m_window.OnAck(us * US, 10 * US, level, 15, grows);
        NS_TEST_EXPECT_MSG_EQ_TOL(m_window.Get(), packets, 1e-9, us << " us, level " << level);
    }

    void DoRun() override
    {
        m_window.Start({}, 1000);
        NS_TEST_EXPECT_MSG_EQ(m_window.Get(), 256, "the largest");
        Expect(0, 14, 256);    // no more
        Expect(1, 15, 256);    // the target: less by nothing, which is no change
        Expect(1, 30, 153.6);  // 0.8 x 15/30 = 0.4
        Expect(2, 30, 153.6);  // within an RTT
        Expect(3, 14, 154.6);  // after a decrease it may grow at once ...
        Expect(4, 14, 154.6);  // ... once
        Expect(12, 14, 154.6); // 9 us after that
        Expect(13, 14, 155.6);
        Expect(23, 14, 155.6, false); // not used
        Expect(24, 1500, 77.8);       // 0.8 x 0.99, at most a half
        Expect(34, 20, 62.24);        // 0.8 x 5/20 = 0.2
        for (int64_t us = 44; us < 144; us += 10)
        {
            m_window.OnAck(us * US, 10 * US, 1e9, 15, true);
        }
        NS_TEST_EXPECT_MSG_EQ(m_window.Get(), 1, "the least");
        // a decrease that was never made stands in the way of none
        m_window.Start({}, 100);
        Expect(0, 30, 60);
        m_window.Set(100);
        m_window.ForgetDecrease();
        Expect(1, 30, 60);
    }

    FalconNicWindow m_window; //!< under test
};

/**
 * @ingroup dcfabric-tests
 * @brief Both windows of a sender: 100 Gb/s, 10 us, one switch on the way; the BDP is 125 packets.
 */
class FalconSenderTestCase : public ControlTestCase<FalconCongestionControl>
{
    using ControlTestCase::ControlTestCase;

    /// @return the path
    static PathInfo Path()
    {
        PathInfo path = MakePath();
        path.switches = 1;
        return path;
    }

    /**
     * @brief An ACK of a packet arrives, while all that the window allows is in flight.
     * @param us when
     * @param rttUs its round trip
     * @param nicUs of that, at the receiver
     */
    void Ack(int64_t us, int64_t rttUs, int64_t nicUs = 0)
    {
        const Ptr<FabricPacketItem> item = FabricPacketItem::Create(FabricPacketType::ACK);
        item->echoDelayNs = static_cast<uint32_t>(nicUs * 1000);
        AckInfo ack = MakePacketAck(us * US, false, 0, 0, rttUs * US);
        ack.inFlightBytes = m_cc->GetWindow();
        ack.item = PeekPointer(item);
        m_cc->Acknowledge(ack);
    }

    void DoRun() override
    {
        Create();
        Start(Path());
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetNeeds().endpointDelay, true, "delays of receivers");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetNeeds().pathSwitches, true, "hops");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetWindow(), 125000, "the BDP");
        // the target: 10 us, 13 and 1; 100 us more at 0.1 packets: a = 100 / (1/sqrt(0.1) - 0.1) =
        // 32.656, b = -3.2656; at 25 packets 32.656/5 - 3.2656 = 3.2656 us more
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetTargetPs(100), 24 * US, "large windows");
        NS_TEST_EXPECT_MSG_EQ_TOL(m_cc->GetTargetPs(25), 27.2656 * US, 100, "25 packets");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetTargetPs(0.01), 124 * US, "small windows");
        // below the target: + 1/125
        Ack(0, 20);
        NS_TEST_EXPECT_MSG_EQ_TOL(m_cc->GetFabricWindow(), 125.008, 1e-9, "less than the target");
        // 30 us: 0.8 x 6/30 = 0.16 less; not again within the smoothed RTT, which is 22.5 us
        Ack(1, 30);
        NS_TEST_EXPECT_MSG_EQ_TOL(m_cc->GetFabricWindow(), 105.00672, 1e-9, "more");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetWindow(), 105000, "whole packets");
        Ack(2, 30);
        NS_TEST_EXPECT_MSG_EQ_TOL(m_cc->GetFabricWindow(), 105.00672, 1e-9, "once in an RTT");
        // what the receiver takes is none of the fabric's: 40 us, of which 20 there
        Ack(3, 40, 20);
        NS_TEST_EXPECT_MSG_EQ_TOL(m_cc->GetFabricWindow(),
                                  105.00672 + 1 / 105.00672,
                                  1e-9,
                                  "20 us in the fabric");
        // the NIC's window: what the line carries in 124 us, 1550 packets; 0.8 x 7/20 = 0.28 less
        NS_TEST_EXPECT_MSG_EQ_TOL(m_cc->GetNicWindow(), 1550 * 0.72, 1e-6, "20 us, target 13");
        for (int64_t us = 100; us < 2000; us += 100)
        {
            Ack(us, 100, 90);
        }
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetNicWindow(), 1, "the least");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetWindow(), 1000, "the smaller one holds");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetRate(), 100e9, "not paced");

        // losses lower nothing, unless told so; time-outs do, the third in a row to the least
        for (const bool lowers : {false, true})
        {
            Create();
            m_cc->SetAttribute("DecreaseOnLoss", BooleanValue(lowers));
            Start(Path());
            m_cc->TellLoss(0, 1000);
            NS_TEST_EXPECT_MSG_EQ(m_cc->GetFabricWindow(), (lowers ? 62.5 : 125), "a loss");
            m_cc->TellTimeout(10 * US);
            NS_TEST_EXPECT_MSG_EQ(m_cc->GetFabricWindow(), (lowers ? 31.25 : 62.5), "a time-out");
            m_cc->TellTimeout(10 * US);
            m_cc->TellTimeout(10 * US);
            NS_TEST_EXPECT_MSG_EQ(m_cc->GetFabricWindow(), 0.01, "the third");
            // a packet each RTT / 0.01: 1062 B in 10 us are 849.6 Mb/s
            NS_TEST_EXPECT_MSG_EQ_TOL(m_cc->GetRate(), 8.496e6, 1, "paced");
            NS_TEST_EXPECT_MSG_EQ(m_cc->GetWindow(), 10, "one packet at a time");
        }

        // modifiers
        Create();
        m_cc->AddModifier(CreateObject<WithholdingModifier>());
        Start(Path());
        Ack(0, 100);
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetWindow(), 125000, "withheld");
        m_cc->TellSend(200 * US, 1062);
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetFabricWindow(), 125, "and never made");

        Create();
        m_cc->SetAttribute("MinWindow", DoubleValue(20));
        m_cc->SetAttribute("MaxWindow", DoubleValue(10));
        DCFABRIC_EXPECT_REFUSAL(Start(Path()), "MinWindow must not be above MaxWindow");
        Create();
        m_cc->SetAttribute("FlowMinWindow", DoubleValue(100));
        DCFABRIC_EXPECT_REFUSAL(Start(Path()), "FlowMinWindow must be below FlowMaxWindow");
        Create();
        PathInfo none = MakePath();
        none.bdpBytes = 0;
        DCFABRIC_EXPECT_REFUSAL(m_cc->Start(none, &m_host), "no BDP");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Shares, queues, a receiver that answers late, drops.
 */
class FalconNetworkTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// @return the control with a helper
    static FabricHelper Use()
    {
        FabricHelper helper;
        helper.SetCongestionControl("ns3::FalconCongestionControl");
        return helper;
    }

    void DoRun() override
    {
        // The queue makes up for what the target has beyond the base RTT: 14 us, 175,000 B, and for
        // small windows more.
        for (const uint32_t n : {2, 16})
        {
            Incast run(n, Use(), 2000, 3000);
            run.Run();
            NS_TEST_EXPECT_MSG_GT(run.packetsPerUs * 0.08656, 0.999, "full link of " << n);
            NS_TEST_EXPECT_MSG_GT(run.least, 100000, "queue of " << n);
            NS_TEST_EXPECT_MSG_LT(run.most, 300000, "queue of " << n);
            NS_TEST_EXPECT_MSG_GT(run.jain, 0.9, "shares of " << n);
        }
        for (const int64_t delayPs : {US / 10, 10 * US})
        {
            Incast run(2, Use(), 3000, 4000, 100 * GBPS, delayPs);
            run.Run();
            NS_TEST_EXPECT_MSG_GT(run.packetsPerUs * 0.08656, 0.99, "links of " << delayPs);
        }

        // 64 senders, and queues that drop
        FabricHelper lossy = Use();
        lossy.SetFlowControl("none");
        lossy.SetBuffer("ns3::SharedBuffer", "Size", UintegerValue(2000000));
        TestNetwork network(MakeStar(65), lossy);
        for (uint32_t i = 0; i < 64; ++i)
        {
            network.MessagesOf(i).SendAt(0, 64, 100000, i);
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 64, "all complete in spite of losses");
        NS_TEST_EXPECT_MSG_GT(network.Sum(&FabricNic::Counters::retransmitted), 0, "losses");
    }
};

/// Falcon.
const SuiteCases g_cases("dcfabric-falcon", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new FalconNicWindowTestCase("the window of the receiving NIC"));
    suite.AddTestCase(new FalconSenderTestCase("both windows of a sender"));
    suite.AddTestCase(new FalconNetworkTestCase("shares, queues, drops"));
});

} // namespace ns3::tests::falcon_test
