// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-congestion.h"
#include "fabric-test-suite.h"
#include "fabric-test-units.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/fncc-congestion-control.h"
#include "ns3/hpcc-congestion-control.h"
#include "ns3/random-variable-stream.h"
#include "ns3/test.h"

#include <algorithm>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief FNCC's window and last-hop congestion speed-up (LHCS), worked out by hand.
 *
 * Line rate 100 Gb/s (80 ps a byte), T = 10 us: the largest window is 125,000 B, the least (100
 * Mb/s) 125 B, W_AI = 50 B. eta = 0.95, alpha = 1.05, beta = 0.9 unless said otherwise.
 */

namespace ns3::tests::fncc_test
{

constexpr int64_t T = 10 * US; //!< base RTT

/// A link of the path as a test describes it: what it did during one T.
struct LinkLoad
{
    double utilization;     //!< wanted u: the queue makes up for what is above 1
    uint64_t rateGbps{100}; //!< rate
};

/**
 * @ingroup dcfabric-tests
 * @brief An FNCC sender that gets one ACK per T, with records that show given utilizations.
 */
class FnccRun
{
  public:
    /**
     * @param cc the algorithm, not started
     * @param reversed order of the records
     */
    FnccRun(Ptr<CongestionControl> cc, bool reversed)
        : m_format(CreateObject<IntFormat>()),
          m_acks(cc, m_format, reversed)
    {
        m_format->SetAttribute("Exact", BooleanValue(true));
        cc->Start(MakePath(100 * GBPS, T, m_format), nullptr);
    }

    /**
     * @brief Let T pass; the first call only records L, as if before the time began.
     *
     * A link with u above 1 is busy all the time, with (u - 1) B T waiting at both ends of T.
     * @param links the load, in the order of the records
     * @param n activeFlows
     * @param update a full RTT ends with this ACK
     */
    void Step(const std::vector<LinkLoad>& links, uint16_t n, bool update)
    {
        if (m_tx.empty())
        {
            m_tx.resize(links.size());
            Feed(links, n, false);
        }
        m_now += T;
        for (size_t i = 0; i < links.size(); ++i)
        {
            const double bdp = 125000.0 * static_cast<double>(links[i].rateGbps) / 100;
            m_tx[i] += static_cast<uint64_t>(bdp * std::min(links[i].utilization, 1.0) + 0.5);
        }
        Feed(links, n, update);
    }

  private:
    /**
     * @brief Send one ACK.
     * @param links see Step()
     * @param n see Step()
     * @param update see Step()
     */
    void Feed(const std::vector<LinkLoad>& links, uint16_t n, bool update)
    {
        std::vector<IntSample> samples;
        for (size_t i = 0; i < links.size(); ++i)
        {
            const double bdp = 125000.0 * static_cast<double>(links[i].rateGbps) / 100;
            const double queue = bdp * std::max(links[i].utilization - 1, 0.0);
            samples.push_back(
                {m_now, m_tx[i], static_cast<uint64_t>(queue + 0.5), links[i].rateGbps * GBPS});
        }
        m_acks.activeFlows = n;
        m_acked = update ? m_sent + 1 : m_acked;
        m_sent = m_acked + 1000;
        m_acks.Feed(m_now, m_acked, m_sent, samples);
    }

    Ptr<IntFormat> m_format;    //!< unpacked
    IntAckSource m_acks;        //!< makes the ACKs
    std::vector<uint64_t> m_tx; //!< bytes sent by each link
    int64_t m_now{0};           //!< time in ps
    uint64_t m_acked{1};        //!< payload acknowledged
    uint64_t m_sent{1001};      //!< payload sent
};

/**
 * @ingroup dcfabric-tests
 * @brief When LHCS fires and what it sets.
 */
class FnccSpeedupTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // Last hop (record 0) with u = 1.5, N = 4: Wc = 125000 x 0.9/4 = 28125;
        // U = 1.5 after a whole T: W = 28125 x 0.95/1.5 + 50 = 17812.5 + 50 = 17862.5, rounded up.
        Expect({{1.5}, {0.5}}, true, 4, 17863, 28125, 1, "last hop, N = 4");
        // N = 1: Wc = 112500, W = 71250 + 50.
        Expect({{1.5}, {0.5}}, true, 1, 71300, 112500, 1, "N = 1");
        // N = 65535: 1.7 B is less than the least window, 125 B: W = 125 x 0.95/1.5 + 50 = 129.17.
        Expect({{1.5}, {0.5}}, true, 65535, 129, 125, 1, "N = 65535");
        // N = 0: nothing is known of sharers. W = 125000 x 0.95/1.5 + 50 = 79216.67.
        Expect({{1.5}, {0.5}}, true, 0, 79217, 125000, 0, "N = 0");
        // The other hop is the most loaded, u = 1.6: W = 125000 x 0.95/1.6 + 50 = 74268.75.
        Expect({{1.5}, {1.6}}, true, 4, 74269, 125000, 0, "another hop");
        // Equal: the first record counts, which is the last hop here ...
        Expect({{1.5}, {1.5}}, true, 4, 17863, 28125, 1, "equal, last hop first");
        // ... but not with records of the forward path, where the last hop is the last record.
        Expect({{1.5}, {1.5}}, false, 4, 79217, 125000, 0, "equal, last hop last");
        Expect({{0.5}, {1.5}}, false, 4, 17863, 28125, 1, "last hop last");
        Expect({{1.5}, {0.5}}, false, 4, 79217, 125000, 0, "first hop first");
        // A path of one switch: its only record is the last hop in either order.
        Expect({{1.5}}, true, 4, 17863, 28125, 1, "one hop");
        Expect({{1.5}}, false, 4, 17863, 28125, 1, "one hop, forward");
        // Eight hops, as many as fit.
        Expect({{1.5}, {1}, {1}, {1}, {1}, {1}, {1}, {1.4}}, true, 4, 17863, 28125, 1, "8 hops");
        // B is the rate of the last hop: 25 Gb/s, Wc = 31250 x 0.9/4 = 7031.25,
        // W = 7031.25 x 0.95/1.5 + 50 = 4453.125 + 50.
        Expect({{1.5, 25}, {0.5}}, true, 4, 4503, 7031.25, 1, "slower last hop");
        // 400 Gb/s, N = 2: 500000 x 0.9/2 = 225000 is more than the line rate carries: 125000.
        Expect({{1.5, 400}, {0.5}}, true, 2, 79217, 125000, 1, "faster last hop");
        // Above eta but not above alpha: u = 1.04. W = 125000 x 0.95/1.04 + 50 = 114232.69.
        Expect({{1.04}, {0.5}}, true, 4, 114233, 125000, 0, "below alpha");
        // u = 1.06: Wc = 28125, W = 28125 x 0.95/1.06 + 50 = 25206.37 + 50.
        Expect({{1.06}, {0.5}}, true, 4, 25256, 28125, 1, "above alpha");
    }

    /**
     * @brief One T without a full RTT, from the start.
     * @param links load
     * @param reversed order
     * @param n activeFlows
     * @param window W
     * @param reference Wc
     * @param count firings of LHCS
     * @param what for messages
     */
    void Expect(const std::vector<LinkLoad>& links,
                bool reversed,
                uint16_t n,
                uint64_t window,
                double reference,
                uint64_t count,
                const std::string& what)
    {
        Ptr<FnccCongestionControl> cc = CreateObject<FnccCongestionControl>();
        FnccRun run(cc, reversed);
        run.Step(links, n, false);
        NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), window, what << ": W");
        NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetReferenceWindow(), reference, 1e-6, what << ": Wc");
        NS_TEST_EXPECT_MSG_EQ(cc->GetLhcsCount(), count, what << ": firings");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Alpha is exceeded, not reached.
 */
class FnccAlphaEdgeTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // alpha = 1.25 can be hit exactly: 15625 B in 1,000,000 ps is 2^-6 B/ps, x 80 = 1.25.
        for (uint64_t excess : {0, 1})
        {
            Ptr<IntFormat> format = CreateObject<IntFormat>();
            format->SetAttribute("Exact", BooleanValue(true));
            Ptr<FnccCongestionControl> cc = CreateObject<FnccCongestionControl>();
            cc->SetAttribute("Alpha", DoubleValue(1.25));
            cc->Start(MakePath(100 * GBPS, T, format), nullptr);
            IntAckSource acks(cc, format, true);
            acks.Feed(0, 1, 1000, {{0, 0, 0, 100 * GBPS}});
            acks.Feed(US, 2, 1000, {{US, 15625 + excess, 0, 100 * GBPS}});
            NS_TEST_EXPECT_MSG_EQ(cc->GetLhcsCount(), excess, excess << " bytes above alpha");
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief LHCS over several ACKs, and its switches.
 */
class FnccSequenceTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        {
            Ptr<FnccCongestionControl> cc = CreateObject<FnccCongestionControl>();
            FnccRun run(cc, true);
            // Within an RTT already: Wc = 28125, W = 17862.5.
            run.Step({{1.5}, {0.5}}, 4, false);
            NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), 17863, "fires within the RTT");
            // Again, now N = 2: Wc = 56250 whatever it was, W = 56250 x 0.95/1.5 + 50 = 35675.
            run.Step({{1.5}, {0.5}}, 2, false);
            NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), 35675, "a new N raises the share at once");
            // End of the RTT, N = 4: Wc <- W = 17862.5.
            run.Step({{1.5}, {0.5}}, 4, true);
            NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetReferenceWindow(), 17862.5, 1e-6, "Wc becomes W");
            // Congestion is gone, u = 0.5, U = 0.5: W = 17862.5 + 50 = 17912.5, rounded up.
            run.Step({{0.5}, {0.5}}, 4, false);
            NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), 17913, "additive from the share");
            NS_TEST_EXPECT_MSG_EQ(cc->GetLhcsCount(), 3, "three firings");
        }
        {
            Ptr<FnccCongestionControl> cc = CreateObject<FnccCongestionControl>();
            cc->SetAttribute("LhcsSkipsWindowStep", BooleanValue(true));
            FnccRun run(cc, true);
            run.Step({{1.5}, {0.5}}, 4, true);
            NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), 28125, "the share itself");
            NS_TEST_EXPECT_MSG_EQ(cc->GetReferenceWindow(), 28125, "and as Wc");
            // 28125 B x 8 / 10 us = 22.5 Gb/s = 100 x 0.9/4
            NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetRate(), 22.5e9, 1, "fair rate x beta");
            // Not fired: the usual step, from Wc = 28125 with U = 1: 28125 x 0.95 + 50 = 26768.75.
            run.Step({{1}, {0.5}}, 4, true);
            NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), 26769, "usual step");
        }
        {
            Ptr<FnccCongestionControl> cc = CreateObject<FnccCongestionControl>();
            cc->SetAttribute("Beta", DoubleValue(0.5));
            FnccRun run(cc, true);
            // Wc = 125000 x 0.5/4 = 15625, W = 15625 x 0.95/1.5 + 50 = 9945.83.
            run.Step({{1.5}, {0.5}}, 4, false);
            NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), 9946, "beta");
        }
        {
            Ptr<FnccCongestionControl> cc = CreateObject<FnccCongestionControl>();
            const CongestionControlNeeds needs = cc->GetNeeds();
            NS_TEST_EXPECT_MSG_EQ(needs.ackInt, true, "needs INT on ACKs");
            NS_TEST_EXPECT_MSG_EQ(needs.symmetricPaths, true, "needs symmetric paths");
            NS_TEST_EXPECT_MSG_EQ(needs.dataInt, false, "not INT on data");
            NS_TEST_EXPECT_MSG_EQ(needs.ecn, false, "no ECN");
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Without LHCS, FNCC computes what HPCC computes.
 */
class FnccWithoutSpeedupTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        Ptr<UniformRandomVariable> random = CreateObject<UniformRandomVariable>();
        random->SetStream(31);
        Ptr<FnccCongestionControl> fncc = CreateObject<FnccCongestionControl>();
        fncc->SetAttribute("LastHopSpeedup", BooleanValue(false));
        Ptr<HpccCongestionControl> hpcc = CreateObject<HpccCongestionControl>();
        FnccRun a(fncc, true);
        FnccRun b(hpcc, false);
        uint64_t least = UINT64_MAX;
        for (uint32_t i = 0; i < 1000; ++i)
        {
            const double u0 = random->GetValue(0.3, 1.7);
            const double u1 = random->GetValue(0.3, 1.7);
            const bool update = random->GetInteger(0, 1) == 1;
            a.Step({{u0}, {u1}}, 4, update);
            b.Step({{u1}, {u0}}, 4, update);
            NS_TEST_ASSERT_MSG_EQ(fncc->GetWindow(),
                                  hpcc->GetWindow(),
                                  "stream 31, step " << i << ", u " << u0 << " " << u1);
            least = std::min(least, fncc->GetWindow());
        }
        NS_TEST_EXPECT_MSG_LT(least, 100000, "windows have moved");
        NS_TEST_EXPECT_MSG_EQ(fncc->GetLhcsCount(), 0, "never fired");
    }
};

/// FNCC.
const SuiteCases g_cases("dcfabric-hpcc", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new FnccSpeedupTestCase(
        "last-hop speed-up: fair share, hop, alpha, order of records, N from 0 to 65535"));
    suite.AddTestCase(new FnccAlphaEdgeTestCase(
        "a utilization of exactly alpha does not fire, one byte more does"));
    suite.AddTestCase(new FnccSequenceTestCase(
        "speed-up on every ACK, its trace in Wc, and the attributes that change it"));
    suite.AddTestCase(new FnccWithoutSpeedupTestCase(
        "without the speed-up the windows are HPCC's, over random loads"));
});

} // namespace ns3::tests::fncc_test
