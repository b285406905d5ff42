// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-congestion.h"
#include "fabric-test-errors.h"
#include "fabric-test-suite.h"

#include "ns3/nstime.h"
#include "ns3/rocc-congestion-control.h"
#include "ns3/rocc-fair-rate.h"
#include "ns3/rocc-flow-table.h"
#include "ns3/test.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief The parts of RoCC by themselves, against numbers worked out by hand: fair rate and flow
 * table of a congestion point.
 */

namespace ns3::tests::rocc_test
{

/// @return what the paper sets at 100 Gb/s, in units of 10 Mb/s and 600 B
RoccFairRate::Parameters
At100G()
{
    RoccFairRate::Parameters p;
    p.alpha = 0.45;
    p.beta = 2.25;
    p.minRate = 10;
    p.maxRate = 10000;
    p.qRef = 500;
    p.qMid = 1000;
    p.qMax = 1100;
    return p;
}

/**
 * @ingroup dcfabric-tests
 * @brief Algorithm 1.
 */
class RoccFairRateTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief One interval.
     * @param queue length in units
     * @param rate expected F
     * @param what is tested
     */
    void Step(int64_t queue, double rate, const std::string& what)
    {
        const double found = m_rate.Update(queue);
        NS_TEST_EXPECT_MSG_EQ_TOL(found, rate, 1e-9, what);
        NS_TEST_EXPECT_MSG_EQ_TOL(m_rate.GetRate(), rate, 1e-9, what);
    }

    void DoRun() override
    {
        m_rate = RoccFairRate(At100G());
        NS_TEST_EXPECT_MSG_EQ(m_rate.GetRate(), 10000, "starts at Fmax");
        NS_TEST_EXPECT_MSG_EQ(m_rate.IsAtRest(), true, "nothing to do");
        Step(0, 10000, "10000 + 0.45 x 500 is beyond Fmax");
        NS_TEST_EXPECT_MSG_EQ(m_rate.IsAtRest(), true, "still");
        // F >= Fmax/2: gains of 0.45 and 2.25
        Step(100, 9955, "10000 + 0.45 x 400 - 2.25 x 100");
        NS_TEST_EXPECT_MSG_EQ(m_rate.IsAtRest(), false, "below Fmax");
        Step(100, 10000, "9955 + 180, bounded");
        NS_TEST_EXPECT_MSG_EQ(m_rate.IsAtRest(), false, "the queue is not empty");
        Step(600, 8830, "10000 - 0.45 x 100 - 2.25 x 500");
        Step(500, 9055, "8830 - 0 + 2.25 x 100");
        Step(500, 9055, "at Qref and steady: no change");
        Step(50, 10000, "9055 + 0.45 x 450 + 2.25 x 450, bounded");

        // growth: 999 is controlled, 1000 = Qmid halves, in a queue below Qmax = 1100
        Step(1049, 7505.2, "10000 - 0.45 x 549 - 2.25 x 999");
        Step(50, 9955.45, "7505.2 + 0.45 x 450 + 2.25 x 999");
        Step(1050, 4977.725, "halved");
        // length: 1099 is controlled, 1100 = Qmax sets Fmin. F < Fmax/2: gains of 0.225 and 1.125
        Step(1099, 4787.825, "4977.725 - 0.225 x 599 - 1.125 x 49");
        Step(1100, 10, "cut to Fmin");
        // F <= Fmax/8: neither cut applies. F < Fmax/32: gains over 32
        Step(1100, 10, "10 - 0.45 x 600 / 32 is below Fmin");
        Step(0, 94.375, "10 + (0.45 x 500 + 2.25 x 1100) / 32");
        Step(1090, 10, "94.375 - (0.45 x 590 + 2.25 x 1090) / 32: no halving at this rate");
        Step(0, 93.671875, "10 + (0.45 x 500 + 2.25 x 1090) / 32");
        Step(0, 100.703125, "+ 0.45 x 500 / 32");
        Step(2200, 10, "a queue of 2 Qmax that grew by 2 Qmid, controlled at this rate");

        // Both cuts at once: the length decides.
        m_rate = RoccFairRate(At100G());
        Step(1100, 10, "length before growth");

        // "F > Fmax/8" is strict for both cuts. alpha = 0 and beta = 1: F falls by the growth over
        // the divisor, and Fmax/8 = 1250.
        RoccFairRate::Parameters p = At100G();
        p.alpha = 0;
        p.beta = 1;
        p.qMid = 8800;
        p.qMax = 9000;
        m_rate = RoccFairRate(p);
        Step(8750, 1250, "to Fmax/8");
        Step(9250, 1125, "beyond Qmax, but only 500 / 4 less");
        m_rate = RoccFairRate(p);
        Step(8749, 1251, "just above Fmax/8");
        Step(9250, 10, "beyond Qmax");
        p.qMid = 5001;
        p.qMax = 20000;
        m_rate = RoccFairRate(p);
        Step(5000, 5000, "half way");
        Step(8750, 1250, "to Fmax/8, still at full gain");
        Step(13751, 10, "grown by Qmid, but 5001 / 4 less: not 625");
        m_rate = RoccFairRate(p);
        Step(5000, 5000, "half way");
        Step(8749, 1251, "just above Fmax/8");
        Step(13750, 625.5, "grown by Qmid: halved");
    }

    RoccFairRate m_rate; //!< under test
};

/**
 * @ingroup dcfabric-tests
 * @brief Auto-tuning of the gains, and parameters by rate.
 */
class RoccTuningTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // alpha = 1, beta = 0: the first step is by Q - Qref, at full gain; the second by 320 over
        // the divisor of the level that the first one led to
        RoccFairRate::Parameters p = At100G();
        p.alpha = 1;
        p.beta = 0;
        p.qMid = 100000;
        p.qMax = 200000;

        const struct
        {
            double rate;      // F after the first step
            uint32_t divisor; // that belongs to it
        } levels[] = {{10000, 1},
                      {5000, 1},
                      {4999, 2},
                      {2500, 2},
                      {2499, 4},
                      {1250, 4},
                      {1249, 8},
                      {625, 8},
                      {624, 16},
                      {313, 16}, // Fmax/32 = 312.5
                      {312, 32},
                      {100, 32}, // Fmax/64 and less: no further level
                      {10, 32}};

        for (const auto& [rate, divisor] : levels)
        {
            RoccFairRate fair(p);
            fair.Update(p.qRef + static_cast<int64_t>(10000 - rate));
            NS_TEST_EXPECT_MSG_EQ(fair.GetRate(), rate, "first step");
            NS_TEST_EXPECT_MSG_EQ(fair.GetGainDivisor(), divisor, "level of " << rate);
            fair.Update(p.qRef - 320);
            NS_TEST_EXPECT_MSG_EQ(fair.GetRate(),
                                  std::min(10000.0, rate + 320.0 / divisor),
                                  "step at level of " << rate);
        }
        // beta is divided as well: F = 1000 (level 8), growth from 9500 to 9660
        p.beta = 1;
        RoccFairRate fair(p);
        fair.Update(p.qRef + 4250); // 10000 - 4250 - 4750
        NS_TEST_EXPECT_MSG_EQ(fair.GetRate(), 1000, "first step");
        fair.Update(p.qRef + 4250 + 160);
        NS_TEST_EXPECT_MSG_EQ(fair.GetRate(), 1000 - (4410 + 160) / 8.0, "both gains over 8");

        const struct
        {
            uint64_t gbps;
            RoccFairRate::Defaults defaults;
        } rates[] = {{10, {0.3, 1.5, 37500, 75000, 90000}},
                     {25, {0.3, 1.5, 93750, 187500, 225000}},
                     {40, {0.3, 1.5, 150000, 300000, 360000}},      // paper
                     {70, {0.375, 1.875, 225000, 450000, 510000}},  // half way
                     {100, {0.45, 2.25, 300000, 600000, 660000}},   // paper
                     {200, {0.45, 2.25, 600000, 1200000, 1320000}}, // in proportion
                     {400, {0.45, 2.25, 1200000, 2400000, 2640000}},
                     {800, {0.45, 2.25, 2400000, 4800000, 5280000}}};

        for (const auto& [gbps, expected] : rates)
        {
            const auto found = RoccFairRate::GetDefaults(gbps * 1000000000);
            NS_TEST_EXPECT_MSG_EQ_TOL(found.alpha, expected.alpha, 1e-12, gbps << " Gb/s");
            NS_TEST_EXPECT_MSG_EQ_TOL(found.beta, expected.beta, 1e-12, gbps << " Gb/s");
            NS_TEST_EXPECT_MSG_EQ(found.qRefBytes, expected.qRefBytes, gbps << " Gb/s");
            NS_TEST_EXPECT_MSG_EQ(found.qMidBytes, expected.qMidBytes, gbps << " Gb/s");
            NS_TEST_EXPECT_MSG_EQ(found.qMaxBytes, expected.qMaxBytes, gbps << " Gb/s");
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Who is in a queue.
 */
class RoccFlowTableTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param src source
     * @param pdc its PDC
     * @return a flow
     */
    static RoccFlowTable::Flow Flow(uint32_t src, uint32_t pdc)
    {
        RoccFlowTable::Flow flow;
        flow.src = src;
        flow.dst = 9;
        flow.pdc = pdc;
        flow.entropy = static_cast<uint16_t>(src * 10 + pdc);
        return flow;
    }

    /**
     * @brief Compare.
     * @param table under test
     * @param nowPs time
     * @param expected source and PDC of flows
     * @param when of the sequence
     */
    void Expect(RoccFlowTable& table,
                int64_t nowPs,
                const std::vector<std::pair<uint32_t, uint32_t>>& expected,
                const std::string& when)
    {
        std::vector<std::pair<uint32_t, uint32_t>> found;
        for (const auto& flow : table.Collect(nowPs))
        {
            found.emplace_back(flow.src, flow.pdc);
            NS_TEST_EXPECT_MSG_EQ(flow.dst, 9, "destination");
            NS_TEST_EXPECT_MSG_EQ(flow.entropy, flow.src * 10 + flow.pdc, "entropy");
        }
        NS_TEST_EXPECT_MSG_EQ((found == expected), true, when);
        NS_TEST_EXPECT_MSG_EQ(table.GetSize(), expected.size(), when);
    }

    void DoRun() override
    {
        RoccFlowTable table;
        Expect(table, 0, {}, "empty");
        // a queue of 1000 B packets: 5.0, 3.2, 3.1, 5.0
        table.Enter(Flow(5, 0), 1000, 1);
        table.Enter(Flow(3, 2), 2000, 2);
        table.Enter(Flow(3, 1), 3000, 3);
        table.Enter(Flow(5, 0), 4000, 4);
        Expect(table, 5, {{3, 1}, {3, 2}, {5, 0}}, "all, in order, each once");
        table.Leave(1000);
        Expect(table, 6, {{3, 1}, {3, 2}, {5, 0}}, "flow 5.0 has another packet");
        table.Leave(1000);
        Expect(table, 7, {{3, 1}, {5, 0}}, "3.2 has left");
        // an ACK in the same queue, then 3.2 again behind it: 3.1, 5.0, 60 B, 3.2
        table.Enter(Flow(3, 2), 3060, 8);
        table.Leave(1000);
        table.Leave(1000);
        Expect(table, 9, {{3, 2}}, "3.1 and 5.0 have left");
        table.Leave(60);
        Expect(table, 10, {{3, 2}}, "its packet is the last one");
        table.Leave(1000);
        Expect(table, 11, {}, "empty again");

        // Age of 100: known to have been there when it came (20), or at the last look.
        RoccFlowTable aged(100);
        aged.Enter(Flow(1, 0), 1000, 20);
        aged.Enter(Flow(2, 0), 2000, 20);
        aged.Leave(1000);
        Expect(aged, 60, {{1, 0}, {2, 0}}, "1.0 left a moment ago, 2.0 is there");
        aged.Leave(1000);
        Expect(aged, 119, {{1, 0}, {2, 0}}, "99 after 1.0 came");
        Expect(aged, 120, {{2, 0}}, "100 after 1.0 came");
        Expect(aged, 159, {{2, 0}}, "99 after 2.0 was seen");
        aged.Enter(Flow(2, 0), 1000, 159);
        aged.Leave(1000);
        Expect(aged, 258, {{2, 0}}, "came again at 159");
        Expect(aged, 259, {}, "gone");

        // Two packets of 1.0 and one of 2.0 were dropped from the queue without leaving it; then
        // 3.0 comes into the empty queue. What was dropped counts as there until as many bytes have
        // left, no longer.
        RoccFlowTable dropped;
        dropped.Enter(Flow(1, 0), 1000, 1);
        dropped.Enter(Flow(1, 0), 2000, 1);
        dropped.Enter(Flow(2, 0), 3000, 1);
        dropped.Enter(Flow(3, 0), 1000, 2);
        Expect(dropped, 3, {{1, 0}, {2, 0}, {3, 0}}, "not known yet");
        dropped.Leave(1000);
        Expect(dropped, 4, {{1, 0}, {2, 0}}, "3.0 has left");
        dropped.Leave(2000);
        Expect(dropped, 5, {}, "as if the others had left");
    }
};

/// Parts of RoCC.
const SuiteCases g_cases("dcfabric-rocc", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new RoccFairRateTestCase("fair rate: PI steps, both cuts, bounds"));
    suite.AddTestCase(
        new RoccTuningTestCase("fair rate: gains at each level, parameters by link rate"));
    suite.AddTestCase(
        new RoccFlowTableTestCase("flow table: flows in the queue, and for a while after"));
});

} // namespace ns3::tests::rocc_test
