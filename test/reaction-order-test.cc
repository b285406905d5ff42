// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @ingroup dcfabric
 * The order in which FNCC, HPCC, DCQCN and RoCC react to a new flow ([FNCC] section 5.1, figures 9
 * and 10).
 */
#include "fabric-test-join.h"
#include "fabric-test-suite.h"

#include "ns3/test.h"

#include <string>

namespace ns3::tests::reaction_order_test
{

/// FNCC, then HPCC, then DCQCN, and RoCC by the phase of its updates, at one rate.
class ReactionOrderTestCase : public TestCase
{
  public:
    /// @param gbps of all links
    explicit ReactionOrderTestCase(uint64_t gbps)
        : TestCase("reaction to a new flow at " + std::to_string(gbps) + "Gbps"),
          m_gbps(gbps)
    {
    }

  private:
    void DoRun() override
    {
        FlowJoin join;
        join.gbps = m_gbps;
        const Reaction fncc = MeasureJoin(InstallFncc, join);
        const Reaction hpcc = MeasureJoin(InstallHpcc, join);
        const Reaction dcqcn = MeasureJoin(InstallDcqcn, join);

        // No earlier than the first bit of flow 1 can tell: it reaches switch 0 after 1.5 us and
        // FNCC's news of it flow 0's sender after another 1.5 us.
        NS_TEST_EXPECT_MSG_GT_OR_EQ(fncc.us, 3, "FNCC reacts after the news");
        NS_TEST_EXPECT_MSG_LT(fncc.us, hpcc.us, "FNCC reacts before HPCC");
        NS_TEST_EXPECT_MSG_LT(hpcc.us, dcqcn.us, "HPCC reacts before DCQCN");
        // the whole loop is 12.5 us at 100 Gb/s: HPCC needs nearly all of it, FNCC a part
        NS_TEST_EXPECT_MSG_LT(fncc.us, 12, "FNCC reacts within one RTT");
        NS_TEST_EXPECT_MSG_GT(fncc.peak, 0, "flow 1 queues");
        NS_TEST_EXPECT_MSG_LT(fncc.peak, hpcc.peak, "FNCC's queue is shorter than HPCC's");
        NS_TEST_EXPECT_MSG_LT(hpcc.peak, dcqcn.peak, "HPCC's queue is shorter than DCQCN's");
        CheckRocc(hpcc, dcqcn);
    }

    /**
     * RoCC reacts when a multiple of 40 us comes and the queue has grown enough by then. At 100
     * Gb/s, flow 1 is at switch 0 after 1.62 us, and the queue grows at 98.7 Gb/s, or 20.56 units
     * of 600 B in a us. With q units F falls by 2.25 q + 0.45 (q - 500), which is 5 % of 10000 from
     * q = 269 on, or 13.1 us after the first packet. The message takes 1.51 us. So:
     * - flow 1 at 300 us: 18.4 us until the update at 320 us, seen at 322 us;
     * - at 304 us: 14.4 us until 320 us, seen at 322 us again;
     * - at 308 us: 10.4 us until 320 us are too few, the update at 360 us is seen at 362 us.
     * Lengths and bounds are in proportion to the rate beyond 100 Gb/s, so that this is so at all
     * rates. The paper has RoCC last, at 370 us. Here the phase decides: before DCQCN, or after it.
     */
    void CheckRocc(const Reaction& hpcc, const Reaction& dcqcn)
    {
        const struct
        {
            int64_t startUs;    // of flow 1
            int64_t reactionUs; // expected
        } phases[] = {{300, 322}, {304, 322}, {308, 362}};

        for (const auto& [startUs, reactionUs] : phases)
        {
            FlowJoin join;
            join.gbps = m_gbps;
            join.startNs = startUs * 1000;
            const Reaction rocc = MeasureJoin(InstallRocc, join);
            const std::string when = " with flow 1 at " + std::to_string(startUs) + " us";
            NS_TEST_EXPECT_MSG_EQ(startUs + rocc.us, reactionUs, "RoCC's reaction" << when);
            NS_TEST_EXPECT_MSG_LT(hpcc.us, rocc.us, "HPCC reacts before RoCC" << when);
            NS_TEST_EXPECT_MSG_LT(hpcc.peak, rocc.peak, "HPCC's queue is shorter" << when);
            NS_TEST_EXPECT_MSG_EQ((rocc.us < dcqcn.us),
                                  (startUs < 308),
                                  "before DCQCN or after it" << when);
            if (m_gbps == 100)
            {
                // before PFC acts, the queue goes beyond DCQCN's
                NS_TEST_EXPECT_MSG_LT(dcqcn.peak, rocc.peak, "RoCC's queue is the longest" << when);
            }
            if (m_gbps == 100 && startUs == 300)
            {
                // At 360 us the queue is beyond Qmax: Fmin. A plot shows this cut, not the one of 8
                // % at 322 us: the paper's 370 us.
                NS_TEST_EXPECT_MSG_EQ(rocc.halfUs, 62, "to the least rate");
            }
        }
    }

    uint64_t m_gbps; //!< of all links
};

/// The suite.
const SuiteCases g_cases("dcfabric-control-network", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.AddTestCase(new ReactionOrderTestCase(100));
    suite.AddTestCase(new ReactionOrderTestCase(200));
    suite.AddTestCase(new ReactionOrderTestCase(400));
});

} // namespace ns3::tests::reaction_order_test
