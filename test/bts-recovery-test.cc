// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-bts-control.h"
#include "fabric-test-errors.h"
#include "fabric-test-suite.h"

#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <string>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief The way back of a sender that was notified, and its limits, worked out by hand.
 *
 * See fabric-test-bts-control.h for rates and windows.
 */

namespace ns3::tests::bts_recovery_test
{

/**
 * @ingroup dcfabric-tests
 * @brief The way back.
 */
class BtsRecoveryTestCase : public BtsControlTestCase
{
    using BtsControlTestCase::BtsControlTestCase;

    void DoRun() override
    {
        // From the share there is nothing to halve: 0.04 more, then 0.08, 0.16, 0.32.
        Create();
        Start();
        Ack(0, 100);
        Expect(100, "at line rate there is nothing to recover");
        Bts(1, ShareOf(4));
        AckAt(11 * US - 1, 16);
        Expect(25, "16 packets, but 1 ps less than T");
        AckAt(11 * US, 1);
        Expect(25.04, "T");
        Ack(21, 15);
        Expect(25.04, "T, but 15 packets");
        Ack(23, 1);
        Expect(25.12, "16 packets");
        AckAt(33 * US - 1, 100);
        Expect(25.12, "that period began at 23 us");
        Ack(33, 0);
        Expect(25.28, "over");
        Ack(43, 16);
        Expect(25.6, "and so on");

        // What nothing is told of goes half way back, five times; then 0.04, 0.08.
        Bts(50, Bare());
        Expect(12.8, "by half");
        const double steps[] = {19.2, 22.4, 24, 24.8, 25.2, 25.24, 25.32};
        int64_t us = 50;
        for (const double step : steps)
        {
            us += 10;
            Ack(us, 16);
            Expect(step, "period that ends at " + std::to_string(us));
        }
        // A notification begins a new period, though it does not cut, and halvings anew.
        Bts(us + 5, QueueOf(0));
        Ack(us + 10, 16);
        Expect(25.32, "5 us");
        Ack(us + 15, 1);
        Expect(25.46, "T and 17 packets: (25.32 + 25.6) / 2");
        // After one in between, back to the rate before the last cut, not the one before.
        Bts(200, Bare());
        Expect(12.73, "by half");
        Ack(210, 16);
        Expect(19.095, "(12.73 + 25.46) / 2");
        Bts(215, Bare());
        Expect(9.5475, "by half");
        Ack(225, 16);
        Expect(14.32125, "(9.5475 + 19.095) / 2");
        // An echo that cuts begins a period as well, one that is expected does not.
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetBalance(), 5, "1, 50, 125, 200, 215 us");
        Ack(230, 15, 2);
        Ack(235, 1);
        Expect(16.708125, "both were expected: (14.32125 + 19.095) / 2");
        Bts(240, QueueOf(0));
        Ack(245, 15, 5);
        Expect(12.53109375, "four were, the fifth was not: by a quarter");
        Ack(250, 16);
        Expect(12.53109375, "5 us");
        Ack(255, 1);
        Expect(14.619609375, "(12.53109375 + 16.708125) / 2");

        Create();
        m_cc->SetAttribute("AdditiveIncrease", DataRateValue(DataRate("60Gbps")));
        m_cc->SetAttribute("FastPeriods", UintegerValue(1));
        m_cc->SetAttribute("PeriodPackets", UintegerValue(1));
        Start();
        Bts(0, Bare());
        Ack(10, 1);
        Expect(75, "one halving");
        Ack(20, 1);
        Expect(100, "not beyond the line");
        Ack(30, 1);
        Expect(100, "nor then");

        // more doublings than a number has bits
        Create();
        m_cc->SetAttribute("AdditiveIncrease", DataRateValue(DataRate("1bps")));
        Start();
        Bts(0, ShareOf(100));
        for (int64_t period = 1; period <= 40; ++period)
        {
            Ack(10 * period, 16);
        }
        // 2^30 - 1 in the first 30, then ten times 2^30
        Expect((1e9 + 1073741823.0 + 10 * 1073741824.0) / 1e9, "the step stays at 2^30");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Window and limits, modifiers, refusals.
 */
class BtsLimitsTestCase : public BtsControlTestCase
{
    using BtsControlTestCase::BtsControlTestCase;

    void DoRun() override
    {
        Create();
        m_cc->SetAttribute("WindowFactor", DoubleValue(0));
        Start();
        Bts(0, ShareOf(4));
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetWindow(), CongestionControl::UNLIMITED, "none");
        Create();
        m_cc->SetAttribute("WindowFactor", DoubleValue(1.5));
        Start();
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetWindow(), 188500, "1.5 x 125,000 + 1000");
        Bts(0, ShareOf(3));
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetWindow(), 63500, "1.5 x 41,666.7 + 1000");

        Create();
        m_cc->SetAttribute("MinRate", DataRateValue(DataRate("1Gbps")));
        Start();
        Bts(0, ShareOf(1000));
        Expect(1, "the share would be 0.1");
        Bts(10, ShareOf(1000));
        Expect(1, "not less");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetReductions(), 1, "which is no reduction");
        Ack(20, 16);
        Expect(1.04, "from there");
        Create();
        m_cc->SetAttribute("MinRate", DataRateValue(DataRate("100Gbps")));
        Start();
        Bts(0, ShareOf(1000));
        Expect(100, "the line rate may be the least one");

        Modify();
        Refuse();
    }

    /// A modifier withholds what signals cut, but not what a loss does.
    void Modify()
    {
        Create();
        m_cc->AddModifier(CreateObject<WithholdingModifier>());
        Start();
        Bts(0, ShareOf(4));
        Expect(100, "withheld");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetBalance(), 1, "but counted");
        Ack(1, 2, 2);
        Expect(100, "an echo is a signal as well");
        Drop(2, ShareOf(4));
        Expect(25, "a loss is not withheld, nor by a cut that was");
        Drop(3, ShareOf(50));
        Expect(25, "one in T");
        Bts(12, ShareOf(50));
        Expect(25, "withheld");
        m_cc->TellLoss(13 * US, 1000);
        Expect(2, "found by ACKs: the share of the notification in this T, 100 / 50");
        m_cc->TellTimeout(14 * US);
        Expect(0.1, "time-out");
    }

    void Refuse()
    {
        Create();
        DCFABRIC_EXPECT_REFUSAL(m_cc->Start(MakePath(100000000000, 0), nullptr),
                                "ns3::BtsCongestionControl: the path has no line rate or no base "
                                "RTT");
        Create();
        m_cc->SetAttribute("MinRate", DataRateValue(DataRate("100000000001bps")));
        DCFABRIC_EXPECT_REFUSAL(Start(),
                                "MinRate of 100000000001 bit/s must be at most the line rate, "
                                "100000000000 bit/s");
        Create();
        NS_TEST_EXPECT_MSG_EQ(m_cc->SetAttributeFailSafe("MinRate", DataRateValue(DataRate(0))),
                              false,
                              "a rate of 0");
        for (const std::string name : {"MaxDecrease", "SmallDecrease"})
        {
            NS_TEST_EXPECT_MSG_EQ(m_cc->SetAttributeFailSafe(name, DoubleValue(1)), false, name);
            NS_TEST_EXPECT_MSG_EQ(m_cc->SetAttributeFailSafe(name, DoubleValue(-0.1)), false, name);
            NS_TEST_EXPECT_MSG_EQ(m_cc->SetAttributeFailSafe(name, DoubleValue(0)), true, name);
        }
        for (const std::string name : {"FastPeriods", "PeriodPackets"})
        {
            NS_TEST_EXPECT_MSG_EQ(m_cc->SetAttributeFailSafe(name, UintegerValue(0)), false, name);
        }
        NS_TEST_EXPECT_MSG_EQ(m_cc->SetAttributeFailSafe("WindowFactor", DoubleValue(-1)),
                              false,
                              "WindowFactor");
        Start();
        Bts(0, Bare());
        Expect(100, "cuts of nothing");
    }
};

/// Recovery and limits of the control that notifications drive.
const SuiteCases g_cases("dcfabric-bts", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(
        new BtsRecoveryTestCase("recovery: periods, halvings, doublings, line rate, least rate"));
    suite.AddTestCase(new BtsLimitsTestCase("window, least rate, modifiers, refusals"));
});

} // namespace ns3::tests::bts_recovery_test
