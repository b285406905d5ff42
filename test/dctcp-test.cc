// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-congestion.h"
#include "fabric-test-errors.h"
#include "fabric-test-schedule.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/dctcp-congestion-control.h"
#include "ns3/double.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <string>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief DCTCP's alpha and window against sequences worked out by hand, and its queue against the
 * paper's analysis.
 *
 * The line rate is 100 Gb/s and T 10 us, so that the BDP is 125,000 B; packets have 1000 B.
 */

namespace ns3::tests::dctcp_test
{

/**
 * @ingroup dcfabric-tests
 * @brief A DCTCP sender and the ACKs it gets.
 */
class DctcpTestCase : public ControlTestCase<DctcpCongestionControl>
{
  protected:
    using ControlTestCase::ControlTestCase;

    /// Begin with a new sender, with the values of the paper.
    void Create()
    {
        ControlTestCase::Create();
        m_cumulative = 0;
    }

    /**
     * @brief ACKs of one packet each, after which as much is in flight as the window allows.
     * @param count how many
     * @param marked all of them, or none
     * @param held the window holds the sender back; false: three packets fewer are in flight
     */
    void Ack(uint32_t count, bool marked, bool held = true)
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            m_cumulative += 1000;
            // at the moment of the ACK, the packet that it lets go not counted
            const uint64_t flight = (m_cc->GetWindow() + 999) / 1000 * 1000 - (held ? 1000 : 4000);
            m_sent = std::max(m_sent, m_cumulative + flight);
            AckInfo ack = MakePacketAck(0, marked, m_cumulative, m_sent);
            ack.inFlightBytes = held ? ack.inFlightBytes : flight;
            m_cc->Acknowledge(ack);
        }
    }

    /**
     * @brief Compare.
     * @param window bytes
     * @param alpha alpha
     * @param when of the sequence
     */
    void Expect(uint64_t window, double alpha, const std::string& when)
    {
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetWindow(), window, "window " << when);
        NS_TEST_EXPECT_MSG_EQ_TOL(m_cc->GetAlpha(), alpha, 1e-12, "alpha " << when);
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetRate(), 100e9, "never paced");
    }

    uint64_t m_cumulative{0}; //!< bytes acknowledged
    uint64_t m_sent{0};       //!< bytes sent
};

/**
 * @ingroup dcfabric-tests
 * @brief Estimate and cuts.
 */
class DctcpCutTestCase : public DctcpTestCase
{
    using DctcpTestCase::DctcpTestCase;

    void DoRun() override
    {
        Create();
        m_sent = 0;
        Start();
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetNeeds().ecn, true, "needs marks");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetNeeds().cnpIntervalPs, -1, "no CNPs");
        Expect(125000, 1, "at the start: the BDP");

        // The first ACK ends a window of its own packet: F = 0, alpha = 15/16. It has seen 125,000
        // B sent, so that the next window ends with ACK 126.
        Ack(1, false);
        Expect(125000, 0.9375, "after ACK 1");
        Ack(62, false); // 63 of 125 ACKs do not raise W yet
        Expect(125000, 0.9375, "after ACK 63");

        // ACK 64 is the first with a mark: W = 125,000 x (1 - 15/32) = 66,406.25. 188,000 B had
        // been sent, so that ACKs 65 to 188 cannot cut again.
        Ack(1, true);
        Expect(66406, 0.9375, "after ACK 64");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetThreshold(), 66406, "slow start is over");
        Ack(61, true);
        Expect(66406, 0.9375, "after ACK 125");
        // ACK 126: F = 63 marked of 125, ACKs 2 to 126. alpha = 0.9375 + (0.504 - 0.9375) / 16.
        Ack(1, true);
        Expect(66406, 0.91040625, "after ACK 126");
        // By now the window is full again (67 packets): 126 + 66 = 192 packets had been sent at ACK
        // 126, so that the next estimate comes with ACK 193. ACK 189 is the first of a packet sent
        // after the cut: W = 66,406 x (1 - 0.91040625 / 2) = 36,177.78.
        Ack(62, true);
        Expect(66406, 0.91040625, "after ACK 188");
        Ack(1, true);
        Expect(36177, 0.91040625, "after ACK 189");
        // ACK 193: all 67 of ACKs 127 to 193 marked: alpha = 0.91040625 + (1 - 0.91040625) / 16.
        Ack(4, true);
        Expect(36177, 0.916005859375, "after ACK 193");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetReductions(), 2, "two cuts");

        // An estimate and a cut by the same ACK: the cut takes the new alpha. Attributes: g = 1/2,
        // alpha begins at 0; the first ACK is marked: alpha = 1/2, W = 125,000 x 3/4.
        Create();
        m_cc->SetAttribute("G", DoubleValue(0.5));
        m_cc->SetAttribute("InitialAlpha", DoubleValue(0));
        m_sent = 0;
        Start();
        Ack(1, true);
        Expect(93750, 0.5, "cut with the new alpha");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Growth.
 */
class DctcpIncreaseTestCase : public DctcpTestCase
{
    using DctcpTestCase::DctcpTestCase;

    void DoRun() override
    {
        Create();
        m_cc->SetAttribute("G", DoubleValue(0)); // alpha stays 1
        m_cc->SetAttribute("InitialWindow", UintegerValue(10000));
        m_cc->SetAttribute("SlowStartThreshold", UintegerValue(20500));
        m_sent = 0;
        Start();
        Expect(10000, 1, "initial window of ten packets");
        Ack(4, false, false);
        Expect(10000, 1, "not held back by the window: no increase");
        Ack(10, false);
        Expect(20000, 1, "one packet more for each that is acknowledged: doubled after ten");
        Ack(1, false);
        Expect(20500, 1, "not beyond the threshold");
        // then 20,500 B have to be acknowledged for one packet: 21 ACKs, of which 500 B remain
        Ack(20, false);
        Expect(20500, 1, "20,000 B");
        Ack(1, false);
        Expect(21500, 1, "21,000 B");
        // 500 + 21 x 1000 = 21,500: exactly enough
        Ack(20, false);
        Expect(21500, 1, "20,500 B");
        Ack(1, false);
        Expect(22500, 1, "21,500 B");
        Ack(30, false, false);
        Expect(22500, 1, "idle: no increase");
        // alpha 1: a mark halves; slow start has ended for good
        Ack(1, true);
        Expect(11250, 1, "halved");
        Ack(11, false);
        Expect(11250, 1, "what was in flight is more than the window now");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Loss, time-out, limits, modifiers and refusals.
 */
class DctcpLossTestCase : public DctcpTestCase
{
    using DctcpTestCase::DctcpTestCase;

    void DoRun() override
    {
        Create();
        m_sent = 0;
        Start();
        Ack(1, false); // alpha 15/16, 125,000 B sent
        m_cc->TellLoss(1, 1000);
        Expect(62500, 0.9375, "a loss halves");
        m_cc->TellLoss(2, 5000);
        Ack(123, true);
        Expect(62500, 0.9375, "neither losses nor marks of the same window of data cut again");
        Ack(1, false); // the last packet sent before the cut
        m_cc->TellLoss(3, 1000);
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetWindow(), 62500, "not yet");
        Ack(1, false);
        m_cc->TellLoss(4, 1000);
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetWindow(), 31250, "the next one");

        // Time-out: one packet; slow start up to half of the window before.
        m_cc->TellTimeout(5);
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetWindow(), 1000, "one packet");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetThreshold(), 15625, "half of 31,250");
        m_cc->TellTimeout(6);
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetWindow(), 1000, "never less");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetThreshold(), 2000, "at least two packets");
        Ack(200, true);
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetWindow(), 1000, "marks do not go below one packet either");

        Create();
        m_cc->SetAttribute("MinWindow", UintegerValue(2));
        m_cc->SetAttribute("InitialWindow", UintegerValue(1));
        m_sent = 0;
        Start();
        Expect(2000, 1, "at least MinWindow from the start");

        // A modifier that withholds reductions: marks and estimates go on, the window stays; a loss
        // cannot be withheld.
        Create();
        m_cc->AddModifier(CreateObject<WithholdingModifier>());
        m_sent = 0;
        Start();
        Ack(1, true);
        Expect(125000, 1, "withheld, F = 1");
        Ack(125, false);
        // F = 0 of 125 packets
        NS_TEST_EXPECT_MSG_EQ_TOL(m_cc->GetAlpha(), 0.9375, 1e-12, "alpha runs on");
        // within a round trip: half of 125,000 for the mark, a packet for 62,500 B acknowledged
        // without one, and half of that for a loss in the next window of data
        m_cc->TellLoss(1, 1000);
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetWindow(), 63500 / 2, "loss");

        Create();
        DCFABRIC_EXPECT_REFUSAL(m_cc->Start(MakePath(100000000000, 0), nullptr),
                                "ns3::DctcpCongestionControl: the path has no line rate or no base "
                                "RTT");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The queue of long flows.
 */
class DctcpQueueTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // Two senders, one receiver, K = 300 KB. Packets of 1062 B: K is 283 of them. Base RTT: 4
        // us of delay, data 2 x 86.56 ns, ACK 2 x 9.44 ns: 4.19 us, or C x RTT = 48 packets.
        // Section 3.3 of the paper, with N flows in step: Qmax = K + N, amplitude A = sqrt(2N (C x
        // RTT + K)) / 2 = sqrt(4 x 331) / 2 = 18 packets. In step or not, the cut of one flow comes
        // one RTT after the first mark, in which both grow by a packet: Qmax is at most a few
        // packets beyond, and the trough above K - 2A; we allow both 4 A.
        FabricHelper helper;
        helper.SetCongestionControl("ns3::DctcpCongestionControl");
        SetMarks(helper, 300000);
        TestNetwork network(MakeStar(3), helper);
        network.MessagesOf(0).Send(2, 100000000, 0);
        network.MessagesOf(1).Send(2, 100000000, 1);
        const FabricNetDevice* port = network.fabric->GetPort(3, 2);
        uint64_t least = UINT64_MAX;
        uint64_t most = 0;
        for (int64_t us = 3000; us < 6000; ++us)
        {
            CallIn(MicroSeconds(us), [&least, &most, port]() {
                const uint64_t bytes = port->GetQueue().GetClassBytes(3);
                least = std::min(least, bytes);
                most = std::max(most, bytes);
            });
        }
        Simulator::Stop(MilliSeconds(6));
        Simulator::Run();
        constexpr uint64_t PACKET = 1062;
        constexpr uint64_t AMPLITUDE = 18;
        NS_TEST_EXPECT_MSG_GT(least, 300000 - 4 * AMPLITUDE * PACKET, "trough");
        NS_TEST_EXPECT_MSG_LT(most, 300000 + 4 * AMPLITUDE * PACKET, "peak");
        NS_TEST_EXPECT_MSG_GT(most, 300000, "marks are needed");
        NS_TEST_EXPECT_MSG_EQ(network.fabric->GetDrops().empty(), true, "no drops");
        // full link: 6 ms less 3 us at 100 Gb/s carry 69,289 packets of 1082 B with their gap
        const uint64_t arrived = network.Nic(2).GetCounters().dataDelivered;
        NS_TEST_EXPECT_MSG_GT(arrived, 69289 * 0.999, "the link is never idle");
        const auto sent = [&network](uint32_t host) {
            return static_cast<double>(network.Nic(host).GetCounters().dataSent);
        };
        NS_TEST_EXPECT_MSG_EQ_TOL(sent(0) / sent(1), 1.0, 0.1, "a fair share");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Additive increase given as a rate.
 */
class DctcpRateIncreaseTestCase : public DctcpTestCase
{
    using DctcpTestCase::DctcpTestCase;

    void DoRun() override
    {
        Create();
        m_sent = 0;
        m_cc->SetAttribute("AdditiveIncrease", DataRateValue(DataRate("1600Mbps")));
        Start();
        // a window of 125,000 B is acknowledged by 125 packets: 1.6 Gb/s x 10 us = 2000 B more
        Ack(124, false);
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetWindow(), 125000, "not yet");
        Ack(1, false);
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetWindow(), 127000, "two packets more");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Growth by ACKs with marks.
 */
class DctcpMarkedIncreaseTestCase : public DctcpTestCase
{
    using DctcpTestCase::DctcpTestCase;

    /**
     * @brief A sender whose cuts take nothing away, as alpha is and stays 0.
     * @param onMarks IncreaseOnMarks
     */
    void CreateUncut(bool onMarks)
    {
        Create();
        m_sent = 0;
        m_cc->SetAttribute("G", DoubleValue(0));
        m_cc->SetAttribute("InitialAlpha", DoubleValue(0));
        if (onMarks)
        {
            m_cc->SetAttribute("IncreaseOnMarks", BooleanValue(true));
        }
        Start();
    }

    void DoRun() override
    {
        CreateUncut(false);
        Ack(1000, true);
        Expect(125000, 0, "RFC 3168: marks only");
        // every second ACK is marked: 125 of 250 count, a window of 125,000 B
        for (int i = 0; i < 124; ++i)
        {
            Ack(1, true);
            Ack(1, false);
        }
        Ack(1, true);
        Expect(125000, 0, "RFC 3168: 124,000 B without marks");
        Ack(1, false);
        Expect(126000, 0, "RFC 3168: 125,000 B without marks");

        CreateUncut(true);
        Ack(124, true);
        Expect(125000, 0, "RFC 5681: 124,000 B");
        Ack(1, true);
        Expect(126000, 0, "RFC 5681: 125,000 B");
        Ack(125, true);
        Expect(126000, 0, "RFC 5681: 125,000 B of 126,000");
        Ack(1, true);
        Expect(127000, 0, "RFC 5681: 126,000 B");

        // an ACK that cuts does not raise again what it has cut
        Create();
        m_sent = 0;
        m_cc->SetAttribute("IncreaseOnMarks", BooleanValue(true));
        m_cc->SetAttribute("G", DoubleValue(0));
        Start();
        Ack(1, true);
        Expect(62500, 1, "halved by the same ACK");
    }
};

/// DCTCP.
const SuiteCases g_cases("dcfabric-dctcp", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(
        new DctcpCutTestCase("alpha once per window of data; one cut per window of data"));
    suite.AddTestCase(new DctcpIncreaseTestCase(
        "slow start, one packet per window of data, and none that is not used"));
    suite.AddTestCase(new DctcpRateIncreaseTestCase("additive increase as a rate per base RTT"));
    suite.AddTestCase(
        new DctcpMarkedIncreaseTestCase("ACKs with marks let the window grow if told so"));
    suite.AddTestCase(
        new DctcpLossTestCase("loss, time-out, the least window, modifiers, refusals"));
    suite.AddTestCase(new DctcpQueueTestCase(
        "two long flows: the queue swings about K as the paper's analysis says"));
});

} // namespace ns3::tests::dctcp_test
