// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-congestion.h"
#include "fabric-test-errors.h"
#include "fabric-test-suite.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/test.h"
#include "ns3/timely-congestion-control.h"
#include "ns3/uinteger.h"

#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief TIMELY's rate against sequences worked out by hand.
 *
 * The line rate is 10 Gb/s, so that the step is the paper's 10 Mb/s. A full packet of 1062 B takes
 * 849,600 ps on the link; ACKs carry so much more than the RTT that a test names. Unless said
 * otherwise MinRtt is 20 us, that of ReferenceRtt, and events are 20 us apart, so that steps are
 * not scaled.
 */

namespace ns3::tests::timely_test
{

constexpr int64_t FRAME = 849600;   //!< ps of a full packet
constexpr uint64_t SEGMENT = 16000; //!< bytes of a segment
constexpr double M = 1e6;           //!< bit/s in a Mb/s
constexpr double TOLERANCE = 1;     //!< bit/s

/**
 * @ingroup dcfabric-tests
 * @brief A TIMELY sender and the events it sees.
 */
class TimelyTestCase : public ControlTestCase<TimelyCongestionControl>
{
  protected:
    using ControlTestCase::ControlTestCase;

    /**
     * @brief Begin with a new sender.
     * @param rateBps initial rate
     */
    void Create(double rateBps)
    {
        ControlTestCase::Create();
        m_cc->SetAttribute("Alpha", DoubleValue(0.875)); // short numbers
        m_cc->SetAttribute("InitialRate", DataRateValue(static_cast<uint64_t>(rateBps)));
        m_nowPs = 7 * US;
        m_bytes = 0;
    }

    /**
     * @brief Start the sender.
     * @param lineBps rate of its link
     * @param baseRttPs T
     */
    void Start(uint64_t lineBps = 10000000000, int64_t baseRttPs = 10 * US)
    {
        ControlTestCase::Start(MakePath(lineBps, baseRttPs));
    }

    /**
     * @brief Begin and start.
     * @param rateBps initial rate
     */
    void Begin(double rateBps)
    {
        Create(rateBps);
        Start();
    }

    /**
     * @brief An ACK.
     * @param cumulative bytes
     * @param rttPs as the packet saw it
     */
    void Ack(uint64_t cumulative, int64_t rttPs)
    {
        AckInfo ack = MakeAck(m_nowPs, 0, 0, rttPs);
        ack.cumulativeBytes = cumulative;
        m_cc->Acknowledge(ack);
    }

    /**
     * @brief A completion event.
     * @param rttUs its RTT
     * @param gapUs since the last
     */
    void Event(double rttUs, double gapUs = 20)
    {
        m_nowPs += static_cast<int64_t>(gapUs * US);
        m_bytes += SEGMENT;
        Ack(m_bytes, static_cast<int64_t>(rttUs * US) + FRAME);
    }

    /**
     * @brief Compare.
     * @param rate bit/s
     * @param when of the sequence
     */
    void Expect(double rate, const std::string& when)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(m_cc->GetRate(), rate, TOLERANCE, when);
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetWindow(), CongestionControl::UNLIMITED, "no window");
    }

    int64_t m_nowPs{0};  //!< time
    uint64_t m_bytes{0}; //!< acknowledged
};

/**
 * @ingroup dcfabric-tests
 * @brief What an event is.
 */
class TimelyEventTestCase : public TimelyTestCase
{
    using TimelyTestCase::TimelyTestCase;

    void DoRun() override
    {
        // all RTTs are below T_low: each event adds 10 Mb/s
        Begin(1000 * M);
        const std::vector<std::pair<uint64_t, int>> acks{
            {1000, 0},
            {15999, 0},
            {16000, 1},
            {16000, 1}, // again
            {31000, 1},
            {50000, 2}, // 32,000 and 48,000 together; the next is at 64,000
            {63999, 2},
            {64000, 3},
            {96000, 4}, // 80,000 and 96,000; the next is at 112,000
            {111999, 4},
            {130000, 5}};
        for (const auto& [cumulative, events] : acks)
        {
            m_nowPs += 20 * US;
            Ack(cumulative, 30 * US);
            Expect((1000 + 10 * events) * M, "ACK of " + std::to_string(cumulative));
        }

        // one for each ACK
        Create(1000 * M);
        m_cc->SetAttribute("SegmentBytes", UintegerValue(1));
        Start();
        for (int i = 1; i <= 3; ++i)
        {
            m_nowPs += 20 * US;
            Ack(1000 * i, 30 * US);
            Expect((1000 + 10 * i) * M, "a segment of one byte");
        }

        // First event: no difference yet, gradient 0: a step. Then the time of the packet itself
        // decides whether 1000 us or 1000.8496 us are above T_high: RTT 500 us exactly is not, and
        // the gradient is (500 - 499) us x 0.875 / 20 us = 0.04375: R (1 - 0.035).
        Begin(1000 * M);
        Event(499);
        Expect(1010 * M, "first event");
        Event(500);
        Expect(1010 * 0.965 * M, "at T_high");
        // RTT 50 us exactly is not below T_low: the gradient decides, and is positive
        Begin(1000 * M);
        Event(49);
        Event(50);
        Expect(1010 * 0.965 * M, "at T_low");
        // shorter than the packet's own time: counts as zero
        Begin(1000 * M);
        m_nowPs += US;
        Ack(SEGMENT, FRAME - 1);
        Expect(1010 * M, "RTT 0");
        m_nowPs += 20 * US;
        Ack(2 * SEGMENT, 0);
        Expect(1020 * M, "RTT 0 again");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetGradient(), 0, "no difference");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The gradient.
 */
class TimelyGradientTestCase : public TimelyTestCase
{
    using TimelyTestCase::TimelyTestCase;

    /**
     * @brief Compare.
     * @param gradient normalized
     * @param rate bit/s
     * @param when of the sequence
     */
    void ExpectGradient(double gradient, double rate, const std::string& when)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(m_cc->GetGradient(), gradient, 1e-12, when);
        Expect(rate, when);
    }

    void DoRun() override
    {
        Begin(4000 * M);
        Event(100);
        ExpectGradient(0, 4010 * M, "first");
        Event(104); // d = 0.875 x 4 = 3.5 us; R (1 - 0.8 x 0.175) = 4010 x 0.86
        ExpectGradient(0.175, 3448.6 * M, "4 us longer");
        Event(104); // d = 0.125 x 3.5 = 0.4375 us; R (1 - 0.8 x 0.021875) = 3448.6 x 0.9825
        ExpectGradient(0.021875, 3388.2495 * M, "the average decreases");
        Event(102); // d = 0.125 x 0.4375 - 0.875 x 2 = -1.6953125 us
        ExpectGradient(-0.084765625, 3398.2495 * M, "2 us shorter");

        // the default weight: d = 0.02 x 4 us, then 0.98 x 0.08 - 0.02 x 2 = 0.0384 us
        Create(4000 * M);
        m_cc->SetAttribute("Alpha", DoubleValue(0.02));
        Start();
        Event(100);
        Event(104);
        ExpectGradient(0.004, 4010 * 0.9968 * M, "0.02");
        Event(102);
        ExpectGradient(0.00192, 4010 * 0.9968 * 0.998464 * M, "the average is still positive");

        // exactly zero is an increase, and no fall
        Begin(4000 * M);
        Event(100);
        Event(100);
        ExpectGradient(0, 4020 * M, "no difference");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetFalls(), 0, "no fall");

        // d = 0.875 x 40 = 35 us, gradient 1.75: R (1 - 1.4) is bounded by MaxDecrease
        Event(140);
        ExpectGradient(1.75, 2010 * M, "at most halved");
        Create(4000 * M);
        m_cc->SetAttribute("MaxDecrease", DoubleValue(1));
        Start();
        Event(100);
        Event(140);
        ExpectGradient(1.75, 100 * M, "without that bound MinRate remains");
        Event(140); // d = 4.375 us, gradient 0.21875: 82.5 Mb/s
        ExpectGradient(0.21875, 100 * M, "MinRate again");

        // without ReferenceRtt it is the base RTT of 10 us: the gradient is twice as large, R (1 -
        // 0.28)
        Create(4000 * M);
        m_cc->SetAttribute("ReferenceRtt", TimeValue(Seconds(0)));
        Start();
        Event(100);
        Event(104);
        ExpectGradient(0.35, 4010 * 0.72 * M, "base RTT");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Hyper-active increase.
 */
class TimelyHyperTestCase : public TimelyTestCase
{
    using TimelyTestCase::TimelyTestCase;

    void DoRun() override
    {
        Begin(1000 * M);
        double rate = 1000;
        // RTT in us, steps
        const std::vector<std::pair<double, int>> events{{200, 1}, // first
                                                         {199, 1},
                                                         {198, 1},
                                                         {197, 1},
                                                         {196, 1}, // fourth fall
                                                         {195, 5}, // fifth
                                                         {194, 5},
                                                         {194, 1}, // no fall; d is still negative
                                                         {193, 1}, // the first of a new row
                                                         {192, 1},
                                                         {191, 1},
                                                         {190, 1},
                                                         {189, 5},
                                                         {49, 1}, // below T_low: never
                                                         {48, 1}};
        for (const auto& [rtt, steps] : events)
        {
            Event(rtt);
            rate += 10 * steps;
            Expect(rate * M, "RTT " + std::to_string(rtt));
        }

        // falls count also above T_high: 1000, 999 ... 996 us, then 499 us is the fifth
        Create(5000 * M);
        m_cc->SetAttribute("Beta", DoubleValue(0)); // no cut above T_high
        Start();
        for (int i = 0; i < 5; ++i)
        {
            Event(1000 - i);
        }
        Expect(5000 * M, "above T_high");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetFalls(), 4, "falls");
        Event(499);
        Expect(5050 * M, "the fifth");

        // attributes: from the second fall, 7.5 steps
        Create(1000 * M);
        m_cc->SetAttribute("HyperThreshold", UintegerValue(2));
        m_cc->SetAttribute("HyperFactor", DoubleValue(7.5));
        Start();
        Event(200);
        Event(199);
        Expect(1020 * M, "one fall");
        Event(198);
        Expect(1095 * M, "two falls");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Thresholds, scaling, bounds.
 */
class TimelyBoundsTestCase : public TimelyTestCase
{
    using TimelyTestCase::TimelyTestCase;

    void DoRun() override
    {
        // Above T_high by the RTT itself: 1 - 0.8 (1 - 500 / RTT). 1000 us: 0.6; 800 us: 0.7; 625
        // us: 0.84. A falling gradient does not help.
        Begin(1000 * M);
        Event(1000);
        Expect(600 * M, "1000 us");
        Event(800);
        Expect(420 * M, "800 us");
        Event(625);
        Expect(352.8 * M, "625 us");
        Event(500);
        Expect(362.8 * M, "at T_high the gradient decides");
        Event(5000); // 0.28 is less than MaxDecrease allows
        Expect(181.4 * M, "at most halved");
        Event(1000);
        Expect(108.84 * M, "1000 us");
        Event(1000);
        Expect(100 * M, "MinRate");

        // the line
        Begin(9995 * M);
        Event(30);
        Expect(10000 * M, "line rate");
        Event(30);
        Expect(10000 * M, "line rate");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetReductions(), 0, "no reduction");

        // Events 5 us apart: a quarter of the step, and of the cut above T_high: 1 - 0.8 x 0.5 / 4.
        // The cut by the gradient is whole: 5 us x 0.875 / 20 us x 0.8 = 0.175.
        Begin(1000 * M);
        Event(30, 5); // the first counts in full
        Expect(1010 * M, "first");
        Event(30, 5);
        Expect(1012.5 * M, "a quarter");
        Event(30, 0);
        Expect(1012.5 * M, "at the same time");
        Event(30, 100);
        Expect(1022.5 * M, "never more than a step");
        Event(1000, 5);
        Expect(1022.5 * 0.9 * M, "a quarter of the cut");
        Begin(1000 * M);
        Event(100, 5);
        Event(105, 5);
        Expect(1010 * 0.825 * M, "gradient");
        Create(1000 * M);
        m_cc->SetAttribute("ScaleByElapsed", BooleanValue(false));
        Start();
        Event(30, 5);
        Event(30, 5);
        Expect(1020 * M, "not scaled");
        Event(1000, 5);
        Expect(612 * M, "not scaled");

        // The step follows the line rate, 100 Mb/s at 100 Gb/s, unless it is told not to. A packet
        // takes less time there, which does not matter here.
        Create(0);
        Start(100000000000);
        Expect(100000 * M, "line rate from the start");
        Event(5000);
        Expect(50000 * M, "halved");
        Event(30);
        Expect(50100 * M, "step at 100 Gb/s");
        Create(1000 * M);
        m_cc->SetAttribute("ReferenceRate", DataRateValue(DataRate(0)));
        Start(100000000000);
        Event(30);
        Expect(1010 * M, "not scaled");

        // Losses do nothing, time-outs take MaxDecrease.
        Begin(4000 * M);
        m_cc->TellLoss(1, 1000);
        Expect(4000 * M, "loss");
        m_cc->TellTimeout(2);
        Expect(2000 * M, "time-out");
        m_cc->SetAttribute("MaxDecrease", DoubleValue(0.25));
        m_cc->TellTimeout(3);
        Expect(1500 * M, "time-out");
        for (int i = 0; i < 20; ++i)
        {
            m_cc->TellTimeout(4 + i);
        }
        Expect(100 * M, "several time-outs: MinRate");

        // A withheld reduction: the rate stays, the gradient goes on; a time-out takes it along.
        Create(4000 * M);
        m_cc->AddModifier(CreateObject<WithholdingModifier>());
        Start();
        Event(100);
        Event(104);
        Expect(4010 * M, "withheld");
        NS_TEST_EXPECT_MSG_EQ_TOL(m_cc->GetGradient(), 0.175, 1e-12, "gradient");
        m_cc->TellTimeout(m_nowPs);
        Expect(4010 * M * (1 - 0.8 * 0.175) / 2, "what was due, and half of it");

        const CongestionControlNeeds needs = m_cc->GetNeeds();
        NS_TEST_EXPECT_MSG_EQ((needs.ecn || needs.dataInt || needs.ackInt || needs.endpointDelay),
                              false,
                              "needs nothing of the switches");
        Refusals();
    }

    /// What makes no sense.
    void Refusals()
    {
        const std::string name = "ns3::TimelyCongestionControl";
        Create(0);
        m_cc->SetAttribute("LowThreshold", TimeValue(MicroSeconds(501)));
        DCFABRIC_EXPECT_REFUSAL(Start(), name + "::HighThreshold");
        Create(0);
        m_cc->SetAttribute("ReferenceRtt", TimeValue(Seconds(0)));
        DCFABRIC_EXPECT_REFUSAL(Start(10000000000, 0), name + "::MinRtt");
        Create(0);
        m_cc->SetAttribute("MinRate", DataRateValue(DataRate("11Gbps")));
        DCFABRIC_EXPECT_REFUSAL(Start(), name + "::MinRate");
        Create(99 * M);
        DCFABRIC_EXPECT_REFUSAL(Start(), name + "::InitialRate");
    }
};

/// TIMELY.
const SuiteCases g_cases("dcfabric-delay-control", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new TimelyEventTestCase(
        "an event for each segment, with the RTT less a packet's own time"));
    suite.AddTestCase(new TimelyGradientTestCase("increase and decrease by the gradient"));
    suite.AddTestCase(
        new TimelyHyperTestCase("hyper-active increase from the fifth fall in a row"));
    suite.AddTestCase(new TimelyBoundsTestCase(
        "thresholds, scaling by time and line rate, bounds, time-outs, refusals"));
});

} // namespace ns3::tests::timely_test
