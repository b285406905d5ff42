// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-congestion.h"
#include "fabric-test-errors.h"
#include "fabric-test-suite.h"

#include "ns3/boolean.h"
#include "ns3/congestion-modifier.h"
#include "ns3/double.h"
#include "ns3/nstime.h"
#include "ns3/swift-congestion-control.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <string>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Swift's windows against sequences worked out by hand.
 *
 * The line rate is 100 Gb/s and T 10 us, so that the BDP is 125 packets of 1000 B. Frames have 1062
 * B, or 8496 bits. There are three switches on the way.
 */

namespace ns3::tests::swift_test
{

constexpr double US_PS = 1e6;      //!< ps in a us
constexpr double TOLERANCE = 1e-9; //!< of windows, in packets

/**
 * @ingroup dcfabric-tests
 * @brief Algorithm 1 alone. RTT 10 us, target 20 us, defaults.
 */
class SwiftWindowTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief Begin.
     * @param packets window
     */
    void Begin(double packets)
    {
        m_window.Start(SwiftWindow::Parameters(), packets);
    }

    /**
     * @brief An ACK.
     * @param nowUs time
     * @param delayUs delay
     * @param acked packets
     */
    void Ack(double nowUs, double delayUs, double acked = 1)
    {
        m_window.OnAck(static_cast<int64_t>(nowUs * US),
                       10 * US_PS,
                       delayUs * US_PS,
                       20 * US_PS,
                       acked);
    }

    /**
     * @brief Time-out.
     * @param nowUs time
     */
    void Timeout(double nowUs)
    {
        m_window.OnTimeout(static_cast<int64_t>(nowUs * US), 10 * US_PS);
    }

    /**
     * @brief Fast recovery.
     * @param nowUs time
     */
    void Recovery(double nowUs)
    {
        m_window.OnFastRecovery(static_cast<int64_t>(nowUs * US), 10 * US_PS);
    }

    /**
     * @brief Compare.
     * @param packets window
     * @param when of the sequence
     */
    void Expect(double packets, const std::string& when)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(m_window.Get(), packets, TOLERANCE, when);
    }

    void DoRun() override
    {
        Increases();
        Decreases();
        Losses();
    }

    /// Delays below the target.
    void Increases()
    {
        Begin(10);
        Ack(0, 5); // + 1 / 10
        Expect(10.1, "one packet");
        Ack(0, 19.999999, 2.02); // + 2.02 / 10.1
        Expect(10.3, "2.02 packets");
        Ack(0, 5, 0);
        Expect(10.3, "nothing new");
        Ack(0, 0, 5.15); // + 5.15 / 10.3
        Expect(10.8, "no delay");
        Begin(0.5); // below one packet by the packet
        Ack(0, 5);
        Expect(1.5, "below one packet");
        Begin(1);
        Ack(0, 5);
        Expect(2, "exactly one packet");
        Begin(0.25);
        Ack(0, 5, 0.5);
        Expect(0.75, "a short last packet");
        Begin(999.9995);
        Ack(0, 5);
        Expect(1000, "at most 1000");
        Begin(2000);
        Expect(1000, "from the start");
        // no delay and no target: neither above nor below
        Begin(10);
        m_window.OnAck(0, 10 * US_PS, 0, 0, 1);
        Expect(10, "nothing to go by");
    }

    /// Delays not below the target.
    void Decreases()
    {
        Begin(10);
        Ack(0, 20); // 1 - 0.8 x 0
        Expect(10, "at the target");
        Ack(0, 40); // 1 - 0.8 x 20 / 40
        Expect(6, "what has lowered nothing does not put it off");
        Ack(5, 40);
        Expect(6, "once per RTT");
        Ack(6, 10);
        Expect(6 + 1.0 / 6, "increases go on");
        Ack(9.999999, 40);
        Expect(6 + 1.0 / 6, "a ps before");
        Ack(10, 200); // 1 - 0.8 x 180 / 200 = 0.28 is less than 0.5
        Expect((6 + 1.0 / 6) / 2, "one RTT later, by at most a half");

        // ACKs above the target each us: decreases by 0.6 at 100, 110 and 120 us
        Begin(100);
        for (int us = 100; us < 130; ++us)
        {
            Ack(us, 40);
        }
        Expect(100 * 0.6 * 0.6 * 0.6, "three in 30 us");

        Begin(0.015);
        Ack(0, 200);
        Expect(0.01, "at least 0.01");
        Ack(10, 200);
        Expect(0.01, "stays");
        Ack(10, 5);
        Expect(1.01, "and grows by a packet at once");
        Ack(10, 40);
        Expect(1.01 * 0.6, "at the least window nothing was lowered at 10 us");
    }

    /// Fast recovery and time-outs.
    void Losses()
    {
        Begin(16);
        Recovery(0);
        Expect(8, "fast recovery");
        Recovery(9);
        Ack(9, 40);
        Expect(8, "once per RTT with all others");
        Recovery(10);
        Expect(4, "one RTT later");

        Begin(16);
        Timeout(0);
        Expect(8, "first time-out");
        Timeout(1);
        Expect(8, "second, too early to decrease");
        Timeout(20);
        Timeout(40);
        Expect(2, "third and fourth");
        Timeout(41);
        Expect(0.01, "fifth: reset, however early");
        Timeout(42);
        Expect(0.01, "sixth");

        // an ACK, new or not, above the target or not, ends the row; so does a fast recovery
        for (int ending = 0; ending < 3; ++ending)
        {
            Begin(16);
            for (int i = 0; i < 4; ++i)
            {
                Timeout(i);
            }
            Expect(8, "one decrease");
            if (ending == 2)
            {
                Recovery(4);
            }
            else
            {
                Ack(4, ending == 0 ? 5 : 40, 0);
            }
            Timeout(5);
            Expect(8, "first of a new row, too early");
            Timeout(10);
            Expect(4, "second");
        }
        // a reset counts as a decrease
        Begin(16);
        for (int i = 0; i < 5; ++i)
        {
            Timeout(20 * i);
        }
        Expect(0.01, "reset at 80 us");
        Ack(81, 5);
        Expect(1.01, "recovers");
        Ack(82, 40);
        Expect(1.01, "too early");
        Ack(90, 40);
        Expect(0.606, "one RTT after the reset");
    }

    SwiftWindow m_window; //!< under test
};

/**
 * @ingroup dcfabric-tests
 * @brief Withholds all reductions, or halves all windows.
 */
class WindowModifier : public CongestionModifier
{
  public:
    void Modify(CongestionProposal& proposal) override
    {
        if (halves)
        {
            proposal.window /= 2;
            return;
        }
        proposal.window = std::max(proposal.window, proposal.oldWindow);
        proposal.rate = std::max(proposal.rate, proposal.oldRate);
    }

    bool halves{false}; //!< halves windows
};

/**
 * @ingroup dcfabric-tests
 * @brief A Swift sender and the ACKs it gets.
 */
class SwiftTestCase : public ControlTestCase<SwiftCongestionControl>
{
  protected:
    using ControlTestCase::ControlTestCase;

    /// Begin with a new sender: targets 20 us + 3 x 2 us, and 20 us for the hosts. The base RTT is
    /// not counted.
    void Create()
    {
        ControlTestCase::Create();
        m_cc->SetAttribute("AddBaseRtt", BooleanValue(false));
        m_cc->SetAttribute("HopTarget", TimeValue(MicroSeconds(2)));
        m_cc->SetAttribute("FlowRange", TimeValue(Seconds(0)));
    }

    /**
     * @brief Start the sender.
     * @param baseRttUs T
     */
    void Start(int64_t baseRttUs = 10)
    {
        PathInfo path = MakePath(100000000000, baseRttUs * US);
        path.switches = 3;
        ControlTestCase::Start(path);
    }

    /**
     * @brief An ACK of one packet.
     * @param nowUs time
     * @param rttUs round trip
     * @param endpointUs of it at the receiver
     * @param held the window holds the sender back
     * @param bytes acknowledged
     */
    void Ack(double nowUs,
             double rttUs,
             double endpointUs = 0,
             bool held = true,
             uint64_t bytes = 1000)
    {
        Ptr<FabricPacketItem> item = FabricPacketItem::Create(FabricPacketType::ACK);
        item->echoDelayNs = static_cast<uint32_t>(endpointUs * 1000);
        AckInfo ack =
            MakeAck(static_cast<int64_t>(nowUs * US), 0, 0, static_cast<int64_t>(rttUs * US));
        ack.ackedPayload = bytes;
        // before the ACK, one packet more would just have fitted, or just not
        const uint64_t window = m_cc->GetWindow();
        const uint64_t before = window < 1000 ? 0 : window - 1000 + (held ? 1 : 0);
        ack.inFlightBytes = before < bytes ? 0 : before - bytes;
        ack.item = PeekPointer(item);
        m_cc->Acknowledge(ack);
    }

    /**
     * @brief Compare.
     * @param fabric window in packets
     * @param endpoint window in packets
     * @param when of the sequence
     */
    void Expect(double fabric, double endpoint, const std::string& when)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(m_cc->GetFabricWindow(), fabric, TOLERANCE, "fabric " << when);
        NS_TEST_EXPECT_MSG_EQ_TOL(m_cc->GetEndpointWindow(),
                                  endpoint,
                                  TOLERANCE,
                                  "endpoint " << when);
    }

    /**
     * @brief Compare.
     * @param bytes window
     * @param rate bit/s
     * @param when of the sequence
     */
    void ExpectTaken(uint64_t bytes, double rate, const std::string& when)
    {
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetWindow(), bytes, "window " << when);
        NS_TEST_EXPECT_MSG_EQ_TOL(m_cc->GetRate(), rate, 1e-3, "rate " << when);
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The target of the fabric delay.
 */
class SwiftTargetTestCase : public SwiftTestCase
{
    using SwiftTestCase::SwiftTestCase;

    /**
     * @brief Compare.
     * @param packets window
     * @param us target
     */
    void ExpectTarget(double packets, double us)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(m_cc->GetTargetPs(packets), us * US_PS, 1, packets);
    }

    void DoRun() override
    {
        // FlowMinWindow 1/9, FlowMaxWindow 1: a = 100 us / (3 - 1) = 50 us, b = -50 us
        Create();
        m_cc->SetAttribute("FlowRange", TimeValue(MicroSeconds(100)));
        m_cc->SetAttribute("FlowMinWindow", DoubleValue(1.0 / 9));
        m_cc->SetAttribute("FlowMaxWindow", DoubleValue(1));
        Start();
        ExpectTarget(0.01, 126); // 50 x 10 - 50 is clipped
        ExpectTarget(1.0 / 9, 126);
        ExpectTarget(0.16, 101); // 50 x 2.5 - 50 = 75
        ExpectTarget(0.25, 76);  // 50 x 2 - 50
        ExpectTarget(1, 26);
        ExpectTarget(4, 26); // 50 / 2 - 50 < 0
        // defaults: base RTT 10 us + 20 us; both ends of the range, and one packet: a =
        // 100 us / (sqrt(10) - 0.1) = 32.6554 us, b = -3.26554 us, together 29.38986 us
        m_cc = CreateObject<SwiftCongestionControl>();
        m_cc->SetAttribute("InitialWindow", DoubleValue(1e6));
        Start();
        ExpectTarget(0.05, 130);
        ExpectTarget(0.1, 130);
        NS_TEST_EXPECT_MSG_EQ_TOL(m_cc->GetTargetPs(1), 59.38986e6, 100, "one packet");
        ExpectTarget(100, 30);
        ExpectTarget(101, 30);
        // MaxWindow: 130 us at 12.5 GB/s = 1,625,000 B
        Expect(1625, 1625, "MaxWindow");
        // no scaling
        Create();
        Start();
        ExpectTarget(0.01, 26);
        ExpectTarget(1000, 26);

        // the target is that of the window before the ACK: at 1/9 packet 126 us, at 1 packet 26 us
        Create();
        m_cc->SetAttribute("FlowRange", TimeValue(MicroSeconds(100)));
        m_cc->SetAttribute("FlowMinWindow", DoubleValue(1.0 / 9));
        m_cc->SetAttribute("FlowMaxWindow", DoubleValue(1));
        m_cc->SetAttribute("InitialWindow", DoubleValue(0.25));
        Start();
        Ack(0, 75.9);
        Expect(1.25, 1.25, "75.9 us is below 76 us");
        Ack(1, 75.9); // 1 - 0.8 x 49.9 / 75.9 = 0.474 is bounded
        Expect(0.625, 1.25 + 1 / 1.25, "and above 26 us");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Two windows and two delays.
 */
class SwiftDelaysTestCase : public SwiftTestCase
{
    using SwiftTestCase::SwiftTestCase;

    void DoRun() override
    {
        Create();
        Start();
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetNeeds().endpointDelay, true, "needs");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetNeeds().pathSwitches, true, "needs");
        ExpectTaken(125000, 100e9, "BDP from the start");
        // RTT 50 us, of which 40 at the receiver: the fabric is fine, 125 + 1 / 125; the endpoint
        // is not, 125 (1 - 0.8 x 20 / 40)
        Ack(0, 50, 40);
        Expect(125.008, 75, "endpoint delay");
        ExpectTaken(75000, 100e9, "the smaller");
        // fabric 45 us: 125.008 (1 - 0.8 x 19 / 45); the average of the endpoint is 40 + (0 - 40) /
        // 8 = 35 us, but its window may not decrease for another RTT
        const double fabric = 125.008 * (1 - 0.8 * 19 / 45);
        Ack(1, 45, 0);
        Expect(fabric, 75, "fabric delay");
        // smoothed RTT: 50, 49.375, 49.375 + (20 - 49.375) / 8 = 45.703125 us. At 45.7 us the
        // endpoint may not decrease, at 45.8 us it may: averages 30.625, 26.796875 us
        Ack(45.7, 20, 0, false);
        Expect(fabric, 75, "not yet");
        // smoothed RTT 45.703125 + (20 - 45.703125) / 8 = 42.49 us by now; fabric 20 us is below
        Ack(45.8, 20, 0, false);
        Expect(fabric, 75 * (1 - 0.8 * 6.796875 / 26.796875), "averages");

        // more delay at the receiver than in all: counts as all
        Create();
        Start();
        Ack(0, 30, 100);
        Expect(125.008, 125 * (1 - 0.8 * 10 / 30), "all of it at the receiver");

        // not held back: no growth, unless asked for; cuts all the same
        Create();
        Start();
        Ack(0, 20, 0, false);
        Expect(125, 125, "room for one packet more");
        Ack(0, 20, 0, true);
        Expect(125.008, 125.008, "held back");
        Ack(1, 52, 0, false); // 1 - 0.8 x 26 / 52 = 0.6
        Expect(75.0048, 125.008, "cut");
        Create();
        m_cc->SetAttribute("GrowUnused", BooleanValue(true));
        Start();
        Ack(0, 20, 0, false);
        Expect(125.008, 125.008, "GrowUnused");
        // two packets at once, and the second half of one
        Ack(0, 20, 0, true, 2500);
        Expect(125.008 + 2.5 / 125.008, 125.008 + 2.5 / 125.008, "2.5 packets");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Less than a packet, losses, time-outs, modifiers, refusals.
 */
class SwiftLossTestCase : public SwiftTestCase
{
    using SwiftTestCase::SwiftTestCase;

    void DoRun() override
    {
        // before the first ACK the RTT is T: half a packet of 8496 bits in 10 us
        Create();
        m_cc->SetAttribute("InitialWindow", DoubleValue(0.5));
        Start();
        ExpectTaken(500, 424.8e6, "half a packet");
        Ack(0, 20); // below the target of 26 us
        Expect(1.5, 1.5, "a packet more");
        ExpectTaken(1000, 100e9, "from one packet on whole ones, and no pace");
        m_cc->TellTimeout(100 * US);
        ExpectTaken(750, 318.6e6, "three quarters of a packet in 20 us");
        // 28 us is above the target: 1 - 0.8 x 2 / 28; the pace goes by this RTT, not by an
        // average. The endpoint, at 0 us, grows by a packet.
        Ack(200, 28);
        const double packets = 0.75 * (1 - 1.6 / 28);
        Expect(packets, 1.75, "three quarters, less a little");
        ExpectTaken(static_cast<uint64_t>(packets * 1000), 8496 * packets / 28e-6, "paced");

        // five time-outs in a row: 0.01 packet is 10 B and 8496 x 0.01 bits in 20 us
        Create();
        m_cc->SetAttribute("InitialWindow", DoubleValue(16));
        Start();
        Ack(0, 20, 0, false);
        for (int i = 1; i <= 4; ++i)
        {
            m_cc->TellTimeout(i * 100 * US);
        }
        Expect(1, 1, "four");
        ExpectTaken(1000, 100e9, "four");
        m_cc->TellTimeout(500 * US);
        Expect(0.01, 0.01, "five");
        ExpectTaken(10, 4.248e6, "five");
        m_cc->TellTimeout(600 * US);
        ExpectTaken(10, 4.248e6, "six");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetReductions(), 5, "reductions");
        Ack(700, 20);
        Expect(1.01, 1.01, "one ACK");
        ExpectTaken(1000, 100e9, "one ACK");

        // losses halve both windows, once per RTT (20 us by now)
        Create();
        Start();
        Ack(0, 20, 0, false);
        m_cc->TellLoss(1 * US, 3000);
        Expect(62.5, 62.5, "loss");
        m_cc->TellLoss(20 * US, 3000);
        Expect(62.5, 62.5, "19 us later");
        m_cc->TellLoss(21 * US, 3000);
        Expect(31.25, 31.25, "20 us later");
        ExpectTaken(31000, 100e9, "loss");

        // no RTT at all: no pace
        Create();
        m_cc->SetAttribute("InitialWindow", DoubleValue(0.5));
        Start(0);
        ExpectTaken(500, 100e9, "without T");

        Modifiers();
        Refusals();
    }

    /// What others do to proposals.
    void Modifiers()
    {
        Create();
        Ptr<WindowModifier> modifier = CreateObject<WindowModifier>();
        m_cc->AddModifier(modifier);
        Start();
        Ack(0, 52, 0, false); // 0.6, withheld
        ExpectTaken(125000, 100e9, "withheld");
        Expect(75, 125, "but due for an RTT");
        m_cc->TellLoss(100 * US, 1000); // and then forgiven
        ExpectTaken(62000, 100e9, "a loss is not");
        modifier->halves = true;
        Ack(101, 20, 0, false); // 62 whole packets proposed, half of that allowed
        Expect(31, 31, "both were the smaller one");
        // 52 us: fabric 0.6 x 31 = 18.6, 18 proposed (the loss is 101 us ago), 9 allowed; the
        // endpoint's is larger than that and stays
        Ack(201, 52, 0, false);
        Expect(9, 31, "the smaller one follows");
    }

    /// What makes no sense.
    void Refusals()
    {
        const std::string name = "ns3::SwiftCongestionControl";
        Create();
        m_cc->SetAttribute("FlowMinWindow", DoubleValue(100));
        DCFABRIC_EXPECT_REFUSAL(Start(), name + "::FlowMinWindow");
        Create();
        m_cc->SetAttribute("MaxWindow", DoubleValue(0.005));
        DCFABRIC_EXPECT_REFUSAL(Start(), name + "::MinWindow");
        Create();
        DCFABRIC_EXPECT_REFUSAL(Start(0), name + ": the path has no line rate");
        Create();
        NS_TEST_EXPECT_MSG_EQ(m_cc->SetAttributeFailSafe("EndpointTarget", TimeValue(Seconds(0))),
                              false,
                              "no target");
        Create();
        m_cc->SetAttribute("BaseTarget", TimeValue(Seconds(0)));
        m_cc->SetAttribute("HopTarget", TimeValue(Seconds(0)));
        m_cc->SetAttribute("FlowRange", TimeValue(Seconds(0)));
        DCFABRIC_EXPECT_REFUSAL(Start(), name + "::BaseTarget");
    }
};

/// Swift.
const SuiteCases g_cases("dcfabric-delay-control", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new SwiftWindowTestCase(
        "one window: increase, decrease once per RTT, loss, time-outs, bounds"));
    suite.AddTestCase(new SwiftTargetTestCase("target by hops and flows"));
    suite.AddTestCase(
        new SwiftDelaysTestCase("fabric and endpoint delay; windows that nobody uses do not grow"));
    suite.AddTestCase(
        new SwiftLossTestCase("below one packet, loss, time-outs, modifiers, refusals"));
});

} // namespace ns3::tests::swift_test
