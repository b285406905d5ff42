// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @ingroup dcfabric-tests
 * The ordering claims of [FNCC], sections 5.1 and 5.2, for any time at which flow 1 joins:
 * reaction, longest queue, use of the link, pause frames.
 *
 * Nothing else is random, and the time decides where in its cycle of W_AI flow 0 is. The margins
 * come from 20 times, 300 us to 341 us in steps of 2.137 us, at 100, 200 and 400 Gb/s:
 *
 *                                      FNCC            HPCC            DCQCN
 *     flow 0 is 5 % slower after       8 to 10 us      15 to 17 us     34 to 44 us
 *     longest queue against HPCC's     0.76 to 0.88    1               1.9 to 3.3
 *     use of the link in 150 us        95 to 96 %      87 to 91 %
 *       and in the 350 us after that
 *         at 100 Gb/s                  94.1 to 94.7 %  94.2 to 94.5 %
 *         at 200 Gb/s                  94.6 to 94.9 %  94.2 to 94.5 %
 *         at 400 Gb/s                  94.8 to 94.9 %  94.3 to 94.4 %
 *     pause frames, lower threshold    1               2               7 to 15
 *
 * A round trip takes 12.3 to 12.7 us, the news of FNCC 3 us and up to 1.5 us in All_INT_Table. In
 * the second phase FNCC's use is 0.35 points below HPCC's to 0.24 above it at 100 Gb/s, and above
 * it by 0.2 to 0.5 and 0.4 to 0.6 points at 200 and 400. With a table that is always current it was
 * 88 to 92 %, 4 to 6 points below. The use of the link by DCQCN is not claimed: its queue holds
 * enough for all of the 150 us. With the paper's threshold of 500 kB for what an ingress holds
 * neither FNCC nor HPCC pauses anybody, so the threshold is set below half of HPCC's queue here.
 */
#include "fabric-test-duration.h"
#include "fabric-test-join.h"
#include "fabric-test-suite.h"

#include "ns3/double.h"
#include "ns3/random-variable-stream.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/test.h"

#include <iostream>
#include <vector>

namespace ns3::tests::evaluation_order_test
{

constexpr std::size_t STARTS = 5; //!< times at which flow 1 joins

/**
 * @ingroup dcfabric-tests
 * @brief The claims at one rate.
 */
class EvaluationOrderTestCase : public TestCase
{
  public:
    /**
     * @param gbps of all links
     * @param lowXoffBytes threshold at which HPCC pauses
     */
    EvaluationOrderTestCase(uint64_t gbps, uint64_t lowXoffBytes)
        : TestCase("claims at " + std::to_string(gbps) + "Gbps"),
          m_gbps(gbps),
          m_lowXoffBytes(lowXoffBytes)
    {
    }

  private:
    void DoRun() override
    {
        Ptr<UniformRandomVariable> random = CreateObject<UniformRandomVariable>();
        random->SetStream(static_cast<int64_t>(m_gbps));
        double fnccUse = 0;
        double hpccUse = 0;
        for (std::size_t i = 0; i < STARTS; ++i)
        {
            FlowJoin join;
            join.gbps = m_gbps;
            join.startNs = random->GetInteger(300000, 340000);
            join.laterNs = 350000;
            const std::string when = " with flow 1 at " + std::to_string(join.startNs) +
                                     " ns, seed " + std::to_string(RngSeedManager::GetSeed()) +
                                     ", run " + std::to_string(RngSeedManager::GetRun());
            const Reaction fncc = MeasureJoin(InstallFncc, join);
            const Reaction hpcc = MeasureJoin(InstallHpcc, join);
            const Reaction dcqcn = MeasureJoin(InstallDcqcn, join);
            NS_TEST_EXPECT_MSG_GT_OR_EQ(fncc.us, 3, "no earlier than the news" << when);
            NS_TEST_EXPECT_MSG_LT(fncc.us + 5, hpcc.us, "FNCC reacts before HPCC" << when);
            NS_TEST_EXPECT_MSG_LT(hpcc.us + 14, dcqcn.us, "HPCC reacts before DCQCN" << when);
            NS_TEST_EXPECT_MSG_LT(fncc.peak, 0.92 * hpcc.peak, "a shorter queue" << when);
            NS_TEST_EXPECT_MSG_LT(hpcc.peak, 0.6 * dcqcn.peak, "than DCQCN's" << when);
            NS_TEST_EXPECT_MSG_GT(fncc.use, 0.93, "a well used link" << when);
            NS_TEST_EXPECT_MSG_GT(fncc.use, hpcc.use + 0.03, "use of the link" << when);
            NS_TEST_EXPECT_MSG_GT(fncc.laterUse,
                                  hpcc.laterUse + (m_gbps > 100 ? 0.001 : -0.01),
                                  "later use of the link" << when);
            NS_TEST_EXPECT_MSG_EQ(fncc.pauses + hpcc.pauses, 0, "the paper's threshold" << when);
            fnccUse += fncc.use / STARTS;
            hpccUse += hpcc.use / STARTS;

            join.xoffBytes = m_lowXoffBytes;
            join.lastsNs = 300000;
            join.laterNs = 0;
            const uint64_t fnccPauses = MeasureJoin(InstallFncc, join).pauses;
            const uint64_t hpccPauses = MeasureJoin(InstallHpcc, join).pauses;
            const uint64_t dcqcnPauses = MeasureJoin(InstallDcqcn, join).pauses;
            NS_TEST_EXPECT_MSG_LT(fnccPauses, hpccPauses, "fewer pauses than HPCC" << when);
            NS_TEST_EXPECT_MSG_LT(2 * hpccPauses, dcqcnPauses, "far fewer than DCQCN" << when);
            std::cout << m_gbps << " Gb/s" << when << ": reaction " << fncc.us << " " << hpcc.us
                      << " " << dcqcn.us << " us, queue " << fncc.peak << " " << hpcc.peak << " "
                      << dcqcn.peak << " B, use " << fncc.use << " " << hpcc.use << " " << dcqcn.use
                      << ", later " << fncc.laterUse << " " << hpcc.laterUse << ", pauses at "
                      << m_lowXoffBytes << " B " << fnccPauses << " " << hpccPauses << " "
                      << dcqcnPauses << std::endl;
        }
        // 6 points on average over the 20 times, with a deviation of 1.5 for one of them
        NS_TEST_EXPECT_MSG_GT(fnccUse, hpccUse + 0.045, "mean use of the link");
    }

    uint64_t m_gbps;         //!< of all links
    uint64_t m_lowXoffBytes; //!< threshold at which HPCC pauses
};

/// The order of algorithms in the evaluation of FNCC.
const SuiteCases g_cases("dcfabric-control-network", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.AddTestCase(new EvaluationOrderTestCase(100, 75000));
    suite.AddTestCase(new EvaluationOrderTestCase(200, 150000));
    suite.AddTestCase(new EvaluationOrderTestCase(400, 250000), DurationOf<TestCase>::EXTENSIVE);
});

} // namespace ns3::tests::evaluation_order_test
