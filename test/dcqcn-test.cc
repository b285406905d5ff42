// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-congestion.h"
#include "fabric-test-errors.h"
#include "fabric-test-suite.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/dcqcn-congestion-control.h"
#include "ns3/double.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <string>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief DCQCN's alpha, timers and stages against timelines worked out by hand.
 *
 * The line rate is 100 Gb/s. Rates in comments are in Gb/s, k stands for 1 - g = 255/256.
 */

namespace ns3::tests::dcqcn_test
{

constexpr double K = 255.0 / 256;     //!< 1 - g
constexpr double NO_ALPHA_CHECK = -1; //!< see DcqcnTestCase::Expect()

/**
 * @ingroup dcfabric-tests
 * @brief A DCQCN sender, its timers, and a clock.
 */
class DcqcnTestCase : public ControlTestCase<DcqcnCongestionControl>
{
  protected:
    using ControlTestCase::ControlTestCase;

    /// Set what the public HPCC simulator runs.
    void ChoosePublicVariant()
    {
        m_cc->SetAttribute("CnpInterval", TimeValue(Seconds(0)));
        m_cc->SetAttribute("PeriodicChecks", BooleanValue(true));
        m_cc->SetAttribute("AlphaInterval", TimeValue(MicroSeconds(1)));
        m_cc->SetAttribute("DecreaseInterval", TimeValue(MicroSeconds(4)));
        m_cc->SetAttribute("IncreaseInterval", TimeValue(MicroSeconds(300)));
        m_cc->SetAttribute("FastRecoveryStages", UintegerValue(1));
        m_cc->SetAttribute("ByteCounter", UintegerValue(0));
        m_cc->SetAttribute("ClampTargetRate", BooleanValue(false));
        m_cc->SetAttribute("GrowingHyperIncrease", BooleanValue(false));
        m_cc->SetAttribute("AdditiveIncrease", DataRateValue(DataRate("20Mbps")));
        m_cc->SetAttribute("MinRate", DataRateValue(DataRate("1Gbps")));
    }

    /**
     * @brief Let time pass.
     * @param us until then, timers of that moment included
     */
    void RunUntil(double us)
    {
        m_host.RunUntil(*m_cc, Ps(us), m_lowestFirst);
    }

    /**
     * @brief A CNP arrives; earlier timers expire first.
     * @param us when
     */
    void Cnp(double us)
    {
        m_host.RunUntil(*m_cc, Ps(us) - 1, m_lowestFirst);
        m_cc->TellCnp(Ps(us));
    }

    /**
     * @brief An ACK arrives; earlier timers expire first.
     * @param us when
     * @param marked packets
     */
    void Ack(double us, uint32_t marked)
    {
        m_host.RunUntil(*m_cc, Ps(us) - 1, m_lowestFirst);
        m_cc->Acknowledge(MakeAck(Ps(us), 1, marked));
    }

    /**
     * @brief Packets leave.
     * @param us when
     * @param count how many
     * @param bytes of each
     */
    void Send(double us, uint32_t count, uint32_t bytes)
    {
        m_host.RunUntil(*m_cc, Ps(us) - 1, m_lowestFirst);
        for (uint32_t i = 0; i < count; ++i)
        {
            m_cc->OnSend(Ps(us), bytes);
        }
    }

    /**
     * @brief Compare the state after all that happens up to a time.
     * @param us then
     * @param rate in Gb/s
     * @param target in Gb/s
     * @param alpha or NO_ALPHA_CHECK
     */
    void Expect(double us, double rate, double target, double alpha = NO_ALPHA_CHECK)
    {
        RunUntil(us);
        NS_TEST_EXPECT_MSG_EQ_TOL(m_cc->GetRate() / 1e9, rate, 1e-9, "rate at " << us << " us");
        NS_TEST_EXPECT_MSG_EQ_TOL(m_cc->GetTargetRate() / 1e9,
                                  target,
                                  1e-9,
                                  "target at " << us << " us");
        if (alpha != NO_ALPHA_CHECK)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(m_cc->GetAlpha(Ps(us)),
                                      alpha,
                                      1e-12,
                                      "alpha at " << us << " us");
        }
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetWindow(), CongestionControl::UNLIMITED, "no window");
    }

    /**
     * @param us time in us, exact to 0.001 us
     * @return ps
     */
    static int64_t Ps(double us)
    {
        return std::llround(us * 1000) * 1000;
    }

    bool m_lowestFirst{true}; //!< which of two timers goes first
};

/**
 * @ingroup dcfabric-tests
 * @brief The algorithm of the paper with its values.
 */
class DcqcnPaperTestCase : public DcqcnTestCase
{
    using DcqcnTestCase::DcqcnTestCase;

    void DoRun() override
    {
        Create();
        Start();
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetRate(), 100e9, "starts at line rate");
        Send(50, 100000, 1062); // before any congestion the byte counter does not run
        Expect(99, 100, 100);
        NS_TEST_EXPECT_MSG_EQ(m_host.IsIdle(), true, "no timer before congestion");

        // First CNP: alpha = 1, rate 100 x (1 - 1/2); alpha <- k + g = 1.
        Cnp(100);
        Expect(100, 50, 100, 1);
        // 50 us later, before alpha's interval of 55 us ends: no decay.
        Cnp(150);
        Expect(150, 25, 50, 1);
        // 0.1 us too early for the next cut, which waits until 200 us. alpha has been updated.
        Cnp(199.9);
        Expect(199.9, 25, 50, 1);
        Expect(200, 12.5, 25, 1);
        // The increase timer restarted at 200: fast recovery at 255, 310, 365, 420, 475.
        Expect(254.9, 12.5, 25);
        Expect(255, 18.75, 25);
        Expect(310, 21.875, 25);
        Expect(365, 23.4375, 25);
        Expect(420, 24.21875, 25);
        Expect(475, 24.609375, 25);
        // Sixth and seventh event: target + 0.04.
        // (24.609375 + 25.04)/2 = 24.8246875; (24.8246875 + 25.08)/2 = 24.95234375.
        Expect(530, 24.8246875, 25.04);
        // alpha decays at 254.9, 309.9, ..., 584.9: seven times by 585.
        Expect(585, 24.95234375, 25.08, std::pow(K, 7));

        // Byte counter: 10 MB are 10,000 packets of 1000 B. One short of it: nothing.
        Send(590, 9999, 1000);
        Expect(590, 24.95234375, 25.08);
        // b = 0: most = 7 >= 5, least = 0: additive. (24.95234375 + 25.12)/2 = 25.036171875.
        Send(590, 1, 1000);
        Expect(590, 25.036171875, 25.12);
        // Five more, b = 1 to 5, least is at most 5: additive each.
        double rate = 25.036171875;
        double target = 25.12;
        for (int i = 0; i < 5; ++i)
        {
            Send(590, 10000, 1000);
            target += 0.04;
            rate = (rate + target) / 2;
            Expect(590, rate, target);
        }
        // b = 6, t = 7: least = 6 = F + 1: hyper, i = 1, target 25.32 + 0.2 = 25.52. Then b = 7: i
        // = 2, 25.52 + 0.4 = 25.92. Then b = 8, but t is still 7: i = 2 again, 26.32.
        for (double next : {25.52, 25.92, 26.32})
        {
            Send(590, 10000, 1000);
            rate = (rate + next) / 2;
            Expect(590, rate, next);
        }

        // Half of the next 10 MB, which the cut makes forgotten.
        Send(600, 5000, 1000);
        // A CNP at 610: alpha has decayed at 254.9 ... 584.9, seven times. The target becomes the
        // rate; alpha then goes up to k^8 + g.
        Cnp(610);
        const double alpha = std::pow(K, 7);
        Expect(610, rate * (1 - alpha / 2), rate, K * alpha + 1.0 / 256);
        // Everything begins anew: next increase at 665, fast recovery.
        Expect(664.9, rate * (1 - alpha / 2), rate);
        Expect(665, rate * (1 - alpha / 4), rate);
        // And the byte count: 9,999 packets are not enough.
        Send(666, 9999, 1000);
        Expect(666, rate * (1 - alpha / 4), rate);
        Send(666, 1, 1000);
        Expect(666, rate * (1 - alpha / 8), rate);
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The variant that the public HPCC simulator runs.
 */
class DcqcnPublicVariantTestCase : public DcqcnTestCase
{
    using DcqcnTestCase::DcqcnTestCase;

    void DoRun() override
    {
        Create();
        ChoosePublicVariant();
        Start();
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetNeeds().sends, false, "no byte counter, no hook");
        Ack(5, 0);
        NS_TEST_EXPECT_MSG_EQ(m_host.IsIdle(), true, "an ACK without mark is no notification");

        // First mark at 10: alpha = 1; alpha's steps at 11, 12, ..., decreases at 14, 18, ...
        Ack(10, 1);
        Expect(10, 100, 100, 1);
        Expect(11, 100, 100, K);
        // A mark between 12 and 13 raises alpha at 13: k^3 + g; 14 lowers it again.
        Ack(12.5, 1);
        Expect(12.5, 100, 100, K * K);
        Expect(13.9, 100, 100, K * K * K + 1.0 / 256);
        const double a14 = (K * K * K + 1.0 / 256) * K;
        // The decrease at 14 takes alpha after its step at 14. No increase has been: the target
        // stays.
        double rate = 100 * (1 - a14 / 2);
        Expect(14, rate, 100, a14);
        // A mark at 15 exactly belongs to the step at 16.
        Ack(15, 1);
        Expect(15.9, rate, 100, a14 * K);
        const double a16 = a14 * K * K + 1.0 / 256;
        Expect(16, rate, 100, a16);
        const double a18 = a16 * K * K;
        rate *= 1 - a18 / 2;
        Expect(18, rate, 100, a18);
        // Nothing arrived: no decrease at 22. The increase timer started anew at 18.
        Expect(317.9, rate, 100);
        rate = (rate + 100) / 2; // t = 0 < F = 1: fast recovery
        Expect(318, rate, 100);
        // Two marks at 330.1 and 333.9 make one decrease, at 334 = 10 + 81 x 4. An increase has
        // been, so the target becomes the rate. alpha: steps at 19 ... 330 without mark (312),
        // then 331 and 334 raise it, 332 and 333 lower it.
        Ack(330.1, 1);
        Ack(333.9, 3);
        double alpha = a18 * std::pow(K, 312);
        alpha = ((alpha * K + 1.0 / 256) * K * K) * K + 1.0 / 256;
        const double target = rate;
        rate *= 1 - alpha / 2;
        Expect(334, rate, target, alpha);
        Expect(337.9, rate, target);
        // Increases at 634 (t = 0: fast recovery), 934 (t = 1 = F: + 0.02), 1234 and 1534 (hyper:
        // + 0.2 each).
        rate = (rate + target) / 2;
        Expect(634, rate, target);
        rate = (rate + target + 0.02) / 2;
        Expect(934, rate, target + 0.02);
        rate = (rate + target + 0.22) / 2;
        Expect(1234, rate, target + 0.22);
        rate = (rate + target + 0.42) / 2;
        Expect(1534, rate, target + 0.42, alpha * std::pow(K, 1200));
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief An increase and a decrease at the same instant.
 */
class DcqcnSimultaneousTestCase : public DcqcnTestCase
{
    using DcqcnTestCase::DcqcnTestCase;

    void DoRun() override
    {
        for (bool lowestFirst : {true, false})
        {
            m_lowestFirst = lowestFirst;
            // 300 is a multiple of 4: after a cut at 4, the increase timer (4 + 300) and the
            // decrease for a mark at 302 are both due at 304.
            Create();
            ChoosePublicVariant();
            Start();
            Ack(0, 1);
            RunUntil(4);
            const double cut = m_cc->GetRate() / 1e9; // 100 x (1 - k^4/2)
            NS_TEST_EXPECT_MSG_EQ_TOL(cut, 100 * (1 - std::pow(K, 4) / 2), 1e-9, "first cut");
            Ack(302, 1);
            // At 304: first rate (cut + 100)/2, target 100; then, after an increase, the target is
            // that rate, and it is cut. alpha: k^302, a step up at 303 and one down at 304.
            const double alpha = (std::pow(K, 303) + 1.0 / 256) * K;
            const double raised = (cut + 100) / 2;
            Expect(304, raised * (1 - alpha / 2), raised, alpha);
            NS_TEST_EXPECT_MSG_EQ(m_host.GetTimer(DcqcnCongestionControl::INCREASE),
                                  Ps(604),
                                  "the timer began anew");
        }
        m_lowestFirst = true;
        for (bool cnpFirst : {true, false})
        {
            // The paper's variant: the CNP of 155 meets the increase timer of 100 + 55.
            Create();
            Start();
            Cnp(100);
            if (!cnpFirst)
            {
                RunUntil(155);
            }
            Cnp(155);
            // (50 + 100)/2 = 75, then the cut by alpha, whose interval ends just then: in time, no
            // decay, 75 (1 - 1/2).
            Expect(155, 37.5, 75, 1);
            NS_TEST_EXPECT_MSG_EQ(m_host.GetTimer(DcqcnCongestionControl::INCREASE),
                                  Ps(210),
                                  "the timer began anew");
        }
        for (bool timerFirst : {true, false})
        {
            // The byte counter expires with the timer: two increases, at 155. With F = 1 the first
            // is fast recovery, (50 + 100)/2 = 75; the second sees max(1, 0) = 1: additive,
            // but the target is at the line rate: (75 + 100)/2 = 87.5.
            Create();
            m_cc->SetAttribute("FastRecoveryStages", UintegerValue(1));
            Start();
            Cnp(100);
            if (timerFirst)
            {
                RunUntil(155);
            }
            Send(155, 10000, 1000);
            Expect(155, 87.5, 100);

            // Rate 25, target 50 at 150; b = 4 by 160: 37.5, 43.75, 46.875, 48.4375. At 205 the
            // timer sees max(0, 4) and the byte counter max(1, 4), both below 5: fast recovery. The
            // other way round the second would see 5.
            Create();
            Start();
            Cnp(100);
            Cnp(150);
            Send(160, 40000, 1000);
            Expect(160, 48.4375, 50);
            if (timerFirst)
            {
                RunUntil(205);
            }
            Send(205, 10000, 1000);
            Expect(205, 49.609375, 50);
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Least rate, end of recovery, spacing, and what is refused.
 */
class DcqcnLimitsTestCase : public DcqcnTestCase
{
    using DcqcnTestCase::DcqcnTestCase;

    void DoRun() override
    {
        // Nine cuts by half: 100/2^9 = 0.195; the tenth would give 0.0977 < 0.1.
        Create();
        Start();
        for (int i = 0; i < 9; ++i)
        {
            Cnp(100 + 50 * i);
        }
        Expect(500, 100.0 / 512, 100.0 / 256, 1);
        Cnp(550);
        Expect(550, 0.1, 100.0 / 512, 1);
        Cnp(600);
        Expect(600, 0.1, 0.1, 1);

        // From 50 to 100 in fast recovery: half of the way with each event. After 15 events
        // the gap is 50/2^15 = 0.0015, after 19 it is 95 kb/s < 1e-6 x 100 Gb/s: line rate, no
        // timer any more. Event n is at 100 + 55 n.
        Create();
        m_cc->SetAttribute("ByteCounter", UintegerValue(0));
        Start();
        Cnp(100);
        Expect(100 + 55 * 15, 100 - 50 / std::pow(2, 15), 100);
        Expect(100 + 55 * 18, 100 - 50 / std::pow(2, 18), 100);
        NS_TEST_EXPECT_MSG_EQ(m_host.IsIdle(), false, "not there yet");
        RunUntil(100 + 55 * 19);
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetRate(), 100e9, "line rate");
        NS_TEST_EXPECT_MSG_EQ(m_host.IsIdle(), true, "no timer at line rate");
        // A second later (18,181 intervals of 55 us) alpha is gone (k^18181 < 1e-30): the cut by
        // it is nothing, the next one by g/2.
        Cnp(1000100);
        Expect(1000100, 100, 100, 1.0 / 256);
        Cnp(1000150);
        Expect(1000150, 100 * (1 - 1.0 / 512), 100, K / 256 + 1.0 / 256);

        // Two CNPs within the interval make one more cut, at its end; zero: each makes one.
        Create();
        Start();
        Cnp(100);
        Cnp(110);
        Cnp(120);
        Expect(149.9, 50, 100);
        Expect(150, 25, 50, 1);
        Expect(204.9, 25, 50);
        Create();
        m_cc->SetAttribute("DecreaseInterval", TimeValue(Seconds(0)));
        Start();
        Cnp(100);
        Cnp(110);
        Cnp(110);
        Expect(110, 12.5, 25, 1);

        // A target is never above the line rate: 99.95 + 0.2 in hyper increase from the start.
        Create();
        m_cc->SetAttribute("FastRecoveryStages", UintegerValue(0));
        m_cc->SetAttribute("ByteCounter", UintegerValue(0));
        m_cc->SetAttribute("G", DoubleValue(0));
        m_cc->SetAttribute("AdditiveIncrease", DataRateValue(DataRate("30Gbps")));
        m_cc->SetAttribute("HyperIncrease", DataRateValue(DataRate("60Gbps")));
        Start();
        Cnp(100);
        Cnp(150);                // rate 25, target 50
        Expect(205, 52.5, 80);   // t = 0 = F: + 30
        Expect(260, 76.25, 100); // t = 1 > F: + 60, limited

        // What a packet sends beyond the byte count belongs to the next: of 700 B each, the second
        // (1400) and the third (2100) end 1000 B; a packet of 5000 B ends one count, not five.
        Create();
        m_cc->SetAttribute("ByteCounter", UintegerValue(1000));
        Start();
        Cnp(100);
        Send(101, 1, 700);
        Expect(101, 50, 100);
        Send(101, 1, 700);
        Expect(101, 75, 100);
        Send(101, 1, 700);
        Expect(101, 87.5, 100);
        Send(101, 1, 5000);
        Expect(101, 93.75, 100);

        // ECN is needed; CNPs unless marks are echoed.
        Create();
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetNeeds().ecn, true, "needs ECN");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetNeeds().cnpIntervalPs, 50 * US, "needs CNPs");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetNeeds().dataInt, false, "no INT");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetNeeds().sends, true, "counts bytes");
        Start();
        Ack(100, 1);
        Expect(100, 100, 100); // with CNPs, marks of ACKs are not counted twice
        Create();
        ChoosePublicVariant();
        NS_TEST_EXPECT_MSG_LT(m_cc->GetNeeds().cnpIntervalPs, 0, "no CNPs");

        m_cc->SetAttribute("DecreaseInterval", TimeValue(Seconds(0)));
        DCFABRIC_EXPECT_REFUSAL(Start(), "PeriodicChecks");
        Create();
        for (const char* name : {"AlphaInterval", "IncreaseInterval"})
        {
            const bool isLegal = m_cc->SetAttributeFailSafe(name, TimeValue(Seconds(0)));
            NS_TEST_EXPECT_MSG_EQ(isLegal, false, name);
        }
        m_cc->SetAttribute("MinRate", DataRateValue(DataRate("200Gbps")));
        DCFABRIC_EXPECT_REFUSAL(Start(), "MinRate");
        NS_TEST_EXPECT_MSG_EQ(m_cc->SetAttributeFailSafe("MinRate", DataRateValue(DataRate(0))),
                              false,
                              "a rate of 0");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What is made up for later equals what a timer would have done in time.
 */
class DcqcnAlphaTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        Ptr<UniformRandomVariable> random = CreateObject<UniformRandomVariable>();
        random->SetStream(77);
        for (bool periodic : {false, true})
        {
            constexpr int64_t INTERVAL = 10; // small, so that coincidences are frequent
            constexpr double GAIN = 0.25;
            DcqcnAlpha lazy;
            lazy.Configure(GAIN, INTERVAL, periodic);
            int64_t now = 1000;
            lazy.Start(now);
            double stepped = 1;
            bool arrived = false;
            int64_t due = now + INTERVAL;
            for (int event = 0; event < 5000; ++event)
            {
                const int64_t next = now + random->GetInteger(0, event % 100 == 0 ? 2000 : 25);
                // an event at the end of an interval comes in time, unless steps are periodic
                for (; due < next || (periodic && due == next); due += INTERVAL)
                {
                    stepped = stepped * (1 - GAIN) + (arrived ? GAIN : 0);
                    arrived = false;
                }
                now = next;
                if (random->GetInteger(0, 1) == 1)
                {
                    NS_TEST_ASSERT_MSG_EQ_TOL(lazy.Get(now),
                                              stepped,
                                              1e-12,
                                              "stream 77, periodic " << periodic << ", event "
                                                                     << event);
                    continue;
                }
                lazy.Notify(now);
                arrived = periodic;
                if (!periodic)
                {
                    stepped = stepped * (1 - GAIN) + GAIN;
                    due = now + INTERVAL;
                }
            }
        }
    }
};

/// A modifier that withholds every reduction of the rate, or raises rates.
class BendRate : public CongestionModifier
{
  public:
    void Modify(CongestionProposal& proposal) override
    {
        if (proposal.rate < proposal.oldRate)
        {
            proposal.rate = withhold ? proposal.oldRate : proposal.rate;
        }
        else
        {
            proposal.rate += bonus;
        }
    }

    bool withhold{false}; //!< withhold reductions
    double bonus{0};      //!< added to increases, bit/s
};

/**
 * @ingroup dcfabric-tests
 * @brief DCQCN goes on from what took hold.
 */
class DcqcnModifierTestCase : public DcqcnTestCase
{
    using DcqcnTestCase::DcqcnTestCase;

    void DoRun() override
    {
        Create();
        Ptr<BendRate> modifier = CreateObject<BendRate>();
        m_cc->AddModifier(modifier);
        Start();
        modifier->withhold = true;
        Cnp(100);
        Expect(100, 100, 100, 1);
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetReductions(), 0, "withheld");
        // At 155 the timer finds the line rate and stops.
        RunUntil(155);
        NS_TEST_EXPECT_MSG_EQ(m_host.IsIdle(), true, "nothing to recover");
        modifier->withhold = false;
        Cnp(160); // alpha decayed once, at 150
        Expect(160, 100 * (1 - K / 2), 100, K * K + 1.0 / 256);
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetReductions(), 1, "took hold");
        Cnp(210);
        const double rate = 100 * (1 - K / 2);
        const double alpha = K * K + 1.0 / 256; // 210 is in time
        const double cut = rate * (1 - alpha / 2);
        Expect(210, cut, rate);
        // A modifier that raises the rate above the target drags the target along.
        modifier->bonus = 40e9;
        Expect(265, (cut + rate) / 2 + 40, rate);
        modifier->bonus = 0;
        Expect(320, (cut + rate) / 2 + 40, (cut + rate) / 2 + 40);
    }
};

/// DCQCN.
const SuiteCases g_cases("dcfabric-dcqcn", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new DcqcnPaperTestCase(
        "timeline of the paper's variant: cuts, fast recovery, additive, hyper"));
    suite.AddTestCase(new DcqcnPublicVariantTestCase(
        "timeline of the public simulator's variant, by attributes alone"));
    suite.AddTestCase(new DcqcnSimultaneousTestCase(
        "simultaneous expiry, notification and decrease: the increase goes first"));
    suite.AddTestCase(new DcqcnLimitsTestCase(
        "least rate, end of recovery, spacing of cuts, target at the line rate"));
    suite.AddTestCase(new DcqcnAlphaTestCase(
        "alpha made up for on demand equals alpha stepped by a timer, at random times"));
    suite.AddTestCase(new DcqcnModifierTestCase(
        "under a modifier: goes on from the rate in force, estimators run on"));
});

} // namespace ns3::tests::dcqcn_test
