// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-congestion.h"
#include "fabric-test-errors.h"
#include "fabric-test-nscc-vectors.h"
#include "fabric-test-suite.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/nscc-congestion-control.h"
#include "ns3/nstime.h"
#include "ns3/test.h"

#include <cmath>
#include <string>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief NSCC by sequences worked out by hand.
 *
 * Unless said otherwise 100 Gb/s, a base RTT of 12 us and packets of 4096 B of payload, where
 * queues trim: a = 1, a target of 9 us, windows up to 225,000 B.
 */

namespace ns3::tests::nscc_test
{

constexpr double US_PS = 1e6;      //!< ps in a us
constexpr double TOLERANCE = 1e-3; //!< of windows, in bytes
constexpr int64_t BASE = 12 * US;  //!< base RTT
constexpr uint64_t MTU = 4096;     //!< payload of a full packet

/**
 * @param gbps rate of the line
 * @param rttUs base RTT
 * @param trims queues trim
 * @return a path
 */
PathInfo
MakeNsccPath(uint64_t gbps = 100, int64_t rttUs = 12, bool trims = true)
{
    PathInfo path = MakePath(gbps * GBPS, rttUs * US);
    path.payloadBytes = MTU;
    path.packetBytes = MTU + 62;
    path.switches = 5;
    path.trims = trims;
    return path;
}

/// A sender whose window a test sets.
class Sender : public NsccCongestionControl
{
  public:
    /// @param bytes window from now on
    void SetWindow(uint64_t bytes)
    {
        SetInitial(bytes, static_cast<double>(GetPath().lineRateBps));
        OnModified(0, ModifierEffect::RAISED);
        SetInitial(bytes / MTU * MTU, static_cast<double>(GetPath().lineRateBps));
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A sender that hears ACKs and NACKs of trimmed packets.
 */
class NsccCase : public ControlTestCase<Sender>
{
  protected:
    using ControlTestCase<Sender>::ControlTestCase;

    /**
     * @brief Begin.
     * @param window in bytes; 0: the largest
     * @param path to the receiver
     */
    void Begin(uint64_t window = 100000, const PathInfo& path = MakeNsccPath())
    {
        Create();
        Start(path);
        m_baseUs = static_cast<double>(path.baseRttPs) / US_PS;
        if (window > 0)
        {
            m_cc->SetWindow(window);
        }
        m_inFlight = 0;
    }

    /**
     * @brief An ACK arrives.
     * @param nowUs when
     * @param delayUs of its packet, beyond the base RTT
     * @param marked the packet
     * @param bytes newly acknowledged
     * @param penalty of the receiver
     */
    void Ack(double nowUs,
             double delayUs,
             bool marked = false,
             double bytes = MTU,
             uint8_t penalty = 0)
    {
        AckInfo ack;
        ack.nowPs = std::llround(nowUs * US_PS);
        ack.rttPs = std::llround((m_baseUs + delayUs) * US_PS);
        ack.triggerMarked = marked;
        ack.ackedPayload = static_cast<uint64_t>(bytes);
        ack.inFlightBytes = m_inFlight;
        ack.windowPenalty = penalty;
        m_cc->Acknowledge(ack);
    }

    /**
     * @brief The NACK of a trimmed packet arrives.
     * @param nowUs when
     * @param bytes that will be sent again
     * @param lastHop the port to the receiver has trimmed it
     * @param rttUs its round-trip time; 0: not known
     */
    void Trim(double nowUs, double bytes = MTU, bool lastHop = false, double rttUs = 0)
    {
        TrimInfo trim;
        trim.nowPs = std::llround(nowUs * US_PS);
        trim.rttPs = std::llround(rttUs * US_PS);
        trim.lostBytes = static_cast<uint64_t>(bytes);
        trim.inFlightBytes = m_inFlight;
        trim.lastHop = lastHop;
        m_cc->TellTrim(trim);
    }

    /**
     * @brief Compare the window.
     * @param bytes it
     * @param when of the sequence
     */
    void Expect(double bytes, const std::string& when)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(m_cc->GetExactWindow(), bytes, TOLERANCE, when);
        const uint64_t packets = static_cast<uint64_t>(m_cc->GetExactWindow()) / MTU;
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetWindow(), packets * MTU, "whole packets, " << when);
    }

    uint64_t m_inFlight{0}; //!< of ACKs and NACKs to come
    double m_baseUs{12};    //!< base RTT
};

/**
 * @ingroup dcfabric-tests
 * @brief What follows from rate and base RTT.
 */
class NsccParametersTestCase : public NsccCase
{
    using NsccCase::NsccCase;

    void DoRun() override
    {
        // BDP 150,000 B, 600,000 B, 300,000 B. Alpha is 4 a MTU / 12 us, fair increase 5 a MTU, Eta
        // 0.15 a MTU, the largest window 1.5 BDP, the gate an eighth of that.
        Check(MakeNsccPath(100, 12), 1, 9, 1365.3333333, 20480, 614.4, 225000, 28125);
        Check(MakeNsccPath(400, 12), 4, 9, 5461.3333333, 81920, 2457.6, 900000, 112500);
        Check(MakeNsccPath(400, 6), 2, 4.5, 2730.6666667, 40960, 1228.8, 450000, 56250);
        // without trimming the target is the base RTT, and long delays alone make it adapt
        Check(MakeNsccPath(100, 12, false), 1, 12, 1365.3333333, 20480, 614.4, 225000, 28125);
        NS_TEST_EXPECT_MSG_EQ_TOL(m_cc->GetParameters().adaptPs, 48e6, 1, "4 x target");
        Check(MakeNsccPath(100, 12), 1, 9, 1365.3333333, 20480, 614.4, 225000, 28125);
        NS_TEST_EXPECT_MSG_EQ(std::isinf(m_cc->GetParameters().adaptPs), true, "trims tell");
        Create();
        m_cc->SetAttribute("TrimAdaptTargets", DoubleValue(4));
        Start(MakeNsccPath());
        NS_TEST_EXPECT_MSG_EQ_TOL(m_cc->GetParameters().adaptPs, 36e6, 1, "4 x target");

        // a BDP of less than a packet
        PathInfo path = MakeNsccPath(1, 1);
        Begin(0, path);
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetWindow(), MTU, "one packet");
        path.bdpBytes = 0;
        Create();
        DCFABRIC_EXPECT_REFUSAL(Start(path), "no line rate or no base RTT");

        // what is declared: marks from 0.2 to 0.8 BDP at 100 Gb/s
        std::string declared;
        for (const auto& one : m_cc->ListDefaults({400 * GBPS, BASE}))
        {
            declared += one.attribute + "=" + one.value + " ";
        }
        NS_TEST_EXPECT_MSG_EQ(declared,
                              "=ns3::WredMarkingProfile Kmin=30000 Kmax=120000 Pmax=1 "
                              "AckBytes=16384 AckMarked=true ",
                              "defaults of others");
        Misfits();
    }

    /**
     * @brief Compare.
     * @param path to the receiver
     * @param scale a
     * @param targetUs target
     * @param alpha in bytes per us
     * @param fair,eta bytes
     * @param largest window, with which it begins
     * @param gate of quick adapt
     */
    void Check(const PathInfo& path,
               double scale,
               double targetUs,
               double alpha,
               double fair,
               double eta,
               double largest,
               double gate)
    {
        Begin(0, path);
        const auto& p = m_cc->GetParameters();
        NS_TEST_EXPECT_MSG_EQ_TOL(p.scale, scale, 1e-9, "a");
        NS_TEST_EXPECT_MSG_EQ_TOL(p.targetPs, targetUs * US_PS, 1e-3, "target");
        NS_TEST_EXPECT_MSG_EQ_TOL(p.alpha * US_PS, alpha, 1e-6, "alpha");
        NS_TEST_EXPECT_MSG_EQ_TOL(p.fairIncrease, fair, 1e-6, "fair increase");
        NS_TEST_EXPECT_MSG_EQ_TOL(p.eta, eta, 1e-6, "Eta");
        NS_TEST_EXPECT_MSG_EQ_TOL(p.fastIncrease, 0.25 * scale, 1e-9, "fast increase");
        NS_TEST_EXPECT_MSG_EQ_TOL(p.largestWindow, largest, 1e-6, "largest window");
        NS_TEST_EXPECT_MSG_EQ_TOL(p.mostAchieved, gate, 1e-6, "gate");
        NS_TEST_EXPECT_MSG_EQ_TOL(p.fulfillBytes, 32768, 1e-6, "8 packets");
        Expect(largest, "to begin with");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetRate(), static_cast<double>(path.lineRateBps), "line rate");
    }

    /// Targets of less than a packet at each switch: 5 x 4158 B x 80 ps = 1.663 us.
    void Misfits()
    {
        Create();
        m_cc->SetAttribute("TrimTargetRtts", DoubleValue(0.14)); // 1.68 us
        NS_TEST_EXPECT_MSG_EQ(m_cc->FindMisfit(MakeNsccPath()).Say(), "", "enough");
        m_cc->SetAttribute("TrimTargetRtts", DoubleValue(0.13)); // 1.56 us
        const std::string text = m_cc->FindMisfit(MakeNsccPath()).Say();
        NS_TEST_EXPECT_MSG_EQ(Contains(text, "TrimTargetRtts"), true, text);
        NS_TEST_EXPECT_MSG_EQ(Contains(text, "1.560 us"), true, text);
        NS_TEST_EXPECT_MSG_EQ(Contains(text, "1.663 us"), true, text);
        NS_TEST_EXPECT_MSG_EQ(m_cc->FindMisfit(MakeNsccPath(100, 12, false)).Say(), "", "drops");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Sequences that were computed elsewhere, step by step.
 */
class NsccVectorsTestCase : public NsccCase
{
    using NsccCase::NsccCase;

    void DoRun() override
    {
        for (const NsccStep& step : NSCC_STEPS)
        {
            if (step.step == 1)
            {
                Begin();
            }
            if (step.event == 'I')
            {
                m_inFlight = static_cast<uint64_t>(step.bytes);
                continue;
            }
            if (step.event == 'A')
            {
                Ack(step.nowUs, step.delayUs, step.marked, step.bytes);
            }
            else
            {
                Trim(step.nowUs, step.bytes);
            }
            const std::string where =
                std::string(step.name) + ", step " + std::to_string(step.step);
            Expect(step.window, where);
            NS_TEST_EXPECT_MSG_EQ_TOL(m_cc->GetAverageDelayPs() / US_PS,
                                      step.averageUs,
                                      1e-6,
                                      "average, " << where);
            NS_TEST_EXPECT_MSG_EQ_TOL(m_cc->GetEarned(), step.earned, 0.06, "earned, " << where);
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief How windows grow.
 */
class NsccIncreaseTestCase : public NsccCase
{
    using NsccCase::NsccCase;

    /**
     * @brief Nine ACKs from 1 us on.
     * @param delayUs of each
     */
    void Nine(double delayUs)
    {
        for (int i = 0; i < 9; ++i)
        {
            Ack(1 + 0.01 * i, delayUs);
        }
    }

    void DoRun() override
    {
        // 1365.333 B/us x 6 us x 36,864 B = 301,989,888; over 100,000. No Eta before 12 us.
        Begin();
        Nine(3);
        Expect(103019.89888, "proportional");
        Begin();
        Ack(12.5, 3); // 335.544 and Eta
        Expect(100949.94432, "with Eta");
        // A whole window at 3 us: 8192 B, at 1 us 10,922.7 B. 24 packets and a part are one; steps
        // of nine packets begin with larger windows and so give a little less.
        Begin(98304);
        Ack(1, 3, false, 98304);
        Expect(98304 + 8192, "a window at 3 us");
        Begin(98304);
        Ack(1, 1, false, 98304);
        Expect(98304 + 4.0 / 12 * 8 * 4096, "a window at 1 us: no fast increase");

        Begin();
        Nine(9); // 20,480 x 36,864 / 100,000
        Expect(107549.7472, "fair at the target");
        Begin();
        Nine(50);
        Expect(107549.7472, "fair far above");
        Begin(98304);
        Ack(1, 9, false, 98304);
        Expect(98304 + 5 * 4096, "a window is five packets");

        // it is more than eight packets, or more than T
        Begin();
        for (int i = 0; i < 8; ++i)
        {
            Ack(12, 3);
        }
        Expect(100000, "neither");
        Begin();
        Ack(12.000001, 3, false, 0);
        Expect(100614.4, "Eta alone");
        Ack(24.000001, 3, false, 0);
        Expect(100614.4, "not more than T after");
        Ack(24.000002, 3, false, 0);
        Expect(101228.8, "the next one");
        Begin(0);
        Nine(0.5);
        Expect(225000, "the largest window");

        Fast();
    }

    /// Delays of less than a us for more than a window.
    void Fast()
    {
        Begin(40960);
        for (int i = 0; i < 10; ++i)
        {
            Ack(1, 0.999, false, 4096);
        }
        // Ninth: 1365.333 x 8.001 x 36,864 / 40,960 = 9831.6. The count has to pass 50,791.6: 13th.
        Expect(40960 + 16384 / 12.0 * 8.001 * 0.9, "ten");
        const double before = m_cc->GetExactWindow();
        Ack(1, 0.999);
        Ack(1, 0.999);
        Expect(before, "twelve packets are 49,152 B");
        Ack(1, 0.999);
        Expect(before + 1024, "thirteen");
        Ack(1, 0);
        Expect(before + 2048, "and so on");
        Ack(1, 1);
        Expect(before + 2048, "one delay ends it");
        Ack(1, 0);
        Expect(before + 2048, "and the count begins anew");

        // a mark with a long delay as well; one with a short delay, or a long delay without, not
        for (const bool cut : {true, false})
        {
            Begin(8192);
            for (int i = 0; i < 3; ++i)
            {
                Ack(1, 0);
            }
            Expect(8192 + 1024, "fast");
            Ack(1, cut ? 9 : 5, true);
            Ack(1, cut ? 0 : 9, false);
            Ack(1, 0);
            Expect(8192 + (cut ? 1024 : 2048), cut ? "ended" : "goes on");
        }
        // zero: there is none
        Create();
        m_cc->SetAttribute("FastDelay", TimeValue(Seconds(0)));
        Start(MakeNsccPath());
        m_cc->SetWindow(8192);
        for (int i = 0; i < 8; ++i)
        {
            Ack(1, 0);
        }
        Expect(8192, "no fast increase");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief How marks lower windows.
 */
class NsccDecreaseTestCase : public NsccCase
{
    using NsccCase::NsccCase;

    /**
     * @brief One marked ACK that is the average.
     * @param delayUs of it
     * @param bytes expected, of 100,000
     */
    void Cut(double delayUs, double bytes)
    {
        Create();
        m_cc->SetAttribute("DelayGain", DoubleValue(1));
        Start(MakeNsccPath());
        m_cc->SetWindow(100000);
        Ack(1, delayUs, true, 0);
        Expect(bytes, "average of " + std::to_string(delayUs) + " us");
    }

    void DoRun() override
    {
        Cut(9, 100000); // not above
        Cut(12, 80000); // 1 - 0.8 x 3 / 12
        Cut(18, 60000);
        Cut(24, 50000);
        Cut(90, 50000); // 0.28 is below the floor

        // once in a base RTT
        Ack(13, 90, true, 0);
        Expect(50614.4, "12 us later: Eta alone");
        Ack(13.000001, 90, true, 0);
        Expect(25307.2, "more than 12 us later");
        Ack(14, 90, true, 0);
        Expect(25307.2, "1 us later");
        // a mark without delay changes nothing
        Ack(30, 8.999999, true, 0);
        Expect(25921.6, "Eta alone");
        Ack(30.5, 90, true, 0);
        Expect(12960.8, "a cut");
        // the least window
        for (int i = 4; i < 20; ++i)
        {
            Ack(13.0 * i, 90, true, 0);
        }
        Expect(4096 + 614.4, "one packet, and Eta");

        // what a long delay without mark counts
        Create();
        m_cc->SetAttribute("DelayGain", DoubleValue(1));
        Start(MakeNsccPath());
        Ack(1, 10, true, 0);
        NS_TEST_EXPECT_MSG_EQ_TOL(m_cc->GetAverageDelayPs(), 10e6, 1e-3, "the delay");
        m_cc->SetAttribute("DelayGain", DoubleValue(0.0125));
        Ack(1, 20, false, 0);
        NS_TEST_EXPECT_MSG_EQ_TOL(m_cc->GetAverageDelayPs(), 9.9125e6, 1e-3, "0.0125 x 3");
        Ack(1, 9, false, 0);
        NS_TEST_EXPECT_MSG_EQ_TOL(m_cc->GetAverageDelayPs(),
                                  9.9125e6 * 0.9875 + 0.0125 * 9e6,
                                  1e-3,
                                  "at the target it is the delay");

        // the receiver's penalty: 4096 x 64 / 128
        Begin();
        Ack(1, 9.5, true, 4096, 64);
        Expect(97952, "penalty");
        Begin(4096);
        Ack(1, 9.5, true, 8192, 127);
        Expect(4096, "not below one packet");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Trims, quick adapt, losses, time-outs.
 */
class NsccLossTestCase : public NsccCase
{
    using NsccCase::NsccCase;

    /**
     * @brief A period in which so much arrives; it ends at 22 us.
     * @param bytes what
     * @param path to the receiver
     */
    void Period(double bytes, const PathInfo& path = MakeNsccPath())
    {
        Begin(100000, path);
        Ack(1, 3, false, 0);
        Ack(2, 3, false, bytes);
        m_before = m_cc->GetExactWindow();
        m_inFlight = 80000;
    }

    void DoRun() override
    {
        Begin(); // the first three within 21 us
        Ack(1, 3, false, 0);
        Trim(2);
        Trim(2.1);
        Trim(2.2);
        Expect(87712, "three packets");

        Period(16384);
        Trim(22);
        Expect(m_before - 4096, "the period has not ended");
        Trim(22.5);
        Expect(16384, "what has arrived");
        // 80,000 B were in flight: 19 more trims leave 2176 B to be ignored
        for (int i = 0; i < 19; ++i)
        {
            Trim(22.6);
        }
        Expect(16384, "its echo");
        Trim(22.7); // 20 x 4096 = 81,920, with itself
        Expect(12288, "all that was in flight has been heard of");

        Period(28125);
        Trim(22.5);
        Expect(m_before - 4096, "enough has arrived");
        Period(28124);
        Trim(22.5);
        Expect(28124, "just not enough");
        Period(0);
        m_inFlight = 0;
        Trim(22.5);
        Expect(4096, "nothing: one packet");
        Trim(23);
        Expect(4096, "not below it");

        // a trim is remembered until a marked ACK ends the period
        Period(16384);
        Trim(3);
        Ack(22.5, 3, true, 0);
        Expect(16384, "adapts");
        Ack(22.6, 20, true, 65536);
        Expect(16384, "echo");
        Ack(22.7, 3, false, 4096);
        Expect(16384 + 2048 + 614.4, "what has no mark counts: 1365.333 x 6 x 4096 / 16,384");

        Delays();

        Begin();
        Trim(1, 0);
        Expect(100000, "a packet that was answered otherwise");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetAverageDelayPs(), 0, "neither");
        Create();
        m_cc->SetAttribute("SparesLastHop", BooleanValue(true));
        Start(MakeNsccPath());
        m_cc->SetWindow(100000);
        Trim(1, 4096, true);
        Expect(100000, "of the last hop");
        NS_TEST_EXPECT_MSG_EQ_TOL(m_cc->GetAverageDelayPs(), 150000, 1e-3, "but a delay of 12 us");
        Trim(1, 4096, false);
        Expect(95904, "of another hop");

        Begin();
        m_cc->TellLoss(US, 8192);
        Expect(91808, "two packets lost");
        m_cc->TellTimeout(US);
        Expect(87712, "a time-out");
        m_cc->TellLoss(US, 500000);
        Expect(4096, "not below one packet");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetReductions(), 3, "reductions");
        Create();
        m_cc->SetAttribute("LossShare", DoubleValue(0.25));
        Start(MakeNsccPath());
        m_cc->SetWindow(100000);
        m_cc->TellLoss(US, 8192);
        Expect(97952, "a quarter of it");

        BaseRtts();
    }

    /// Quick adapt by delays.
    void Delays()
    {
        Period(16384);
        Ack(22.5, 100, true, 0); // 1365.333 x 6 x 16,384 / 100,000, and Eta
        Expect(101956.57728, "where queues trim, delays are no reason");
        const PathInfo path =
            MakeNsccPath(100, 12, false); // target 12 us; the period ends at 25 us
        Period(16384, path);
        Ack(24.9, 100, true, 0);
        Ack(25.1, 48, true, 0); // 1365.333 x 9 x 16,384 / 100,000, and Eta
        Expect(102627.66592, "not above four targets");
        Period(16384, path);
        Ack(25.1, 48.000001, true, 0);
        Expect(16384, "above");
        Period(16384, path);
        Ack(25.1, 48.000001, false, 0);
        Expect(16384, "without a mark, too");
        Create();
        m_cc->SetAttribute("AdaptGate", DoubleValue(0));
        Start(path);
        m_cc->SetWindow(100000);
        Ack(1, 3, false, 0);
        Ack(25.1, 100, true, 0);
        Expect(100000 + 614.4, "never");
    }

    /// A smaller RTT than T.
    void BaseRtts()
    {
        PathInfo path = MakeNsccPath();
        path.pairRttPs = 4 * US;
        Begin(0, path);
        Ack(1, -6, false, 0); // an RTT of 6 us
        Expect(112500, "1.5 x 100 Gb/s x 6 us");
        NS_TEST_EXPECT_MSG_EQ_TOL(m_cc->GetParameters().mostAchieved, 14062.5, 1e-3, "gate");
        NS_TEST_EXPECT_MSG_EQ_TOL(m_cc->GetParameters().targetPs, 9e6, 1e-3, "the target stays");
        Ack(1, 0, false, 0); // 12 us: a delay of 6 us
        NS_TEST_EXPECT_MSG_EQ_TOL(m_cc->GetAverageDelayPs(), 75000, 1e-3, "0.0125 x 6 us");
        Trim(1, MTU, false, 5);
        Expect(93750, "also by NACKs: 5 us, of 108,404");
        Ack(1, -10, false, 0); // a short packet: 2 us
        NS_TEST_EXPECT_MSG_EQ_TOL(m_cc->GetParameters().largestWindow, 75000, 1e-3, "4 us");
        Trim(1, MTU, false, 0);
        NS_TEST_EXPECT_MSG_EQ_TOL(m_cc->GetParameters().largestWindow, 75000, 1e-3, "a copy");
    }

    double m_before{0}; //!< window at the end of Period()
};

/// NSCC by hand.
const SuiteCases g_cases("dcfabric-nscc", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new NsccParametersTestCase("parameters by rate and base RTT"));
    suite.AddTestCase(new NsccVectorsTestCase("step by step"));
    suite.AddTestCase(new NsccIncreaseTestCase("proportional, fair and fast increase, Eta"));
    suite.AddTestCase(new NsccDecreaseTestCase("average delay, cuts, penalty"));
    suite.AddTestCase(new NsccLossTestCase("trims, quick adapt, losses, base RTT"));
});

} // namespace ns3::tests::nscc_test
