// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-suite.h"

#include "ns3/double.h"
#include "ns3/marking-profile.h"
#include "ns3/object-factory.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <cstdint>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Probability of a mark over the queue length.
 */

namespace ns3::tests::marking_profile_test
{

/**
 * @param kmin bytes
 * @param kmax bytes
 * @param pmax probability at kmax
 * @return a profile
 */
Ptr<MarkingProfile>
MakeWred(uint64_t kmin, uint64_t kmax, double pmax)
{
    return CreateObjectWithAttributes<WredMarkingProfile>("Kmin",
                                                          UintegerValue(kmin),
                                                          "Kmax",
                                                          UintegerValue(kmax),
                                                          "Pmax",
                                                          DoubleValue(pmax));
}

/**
 * @ingroup dcfabric-tests
 * @brief The line between Kmin and Kmax, and both ends of it.
 */
class WredLineTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // defaults: Kmin 100,000 B, Kmax 400,000 B, Pmax 0.2: 0.2 / 300,000 a byte above Kmin
        const auto p = CreateObject<WredMarkingProfile>();
        const double tolerance = 1e-15;
        NS_TEST_EXPECT_MSG_EQ(p->GetProbability(0), 0, "empty");
        NS_TEST_EXPECT_MSG_EQ(p->GetProbability(99999), 0, "below Kmin");
        NS_TEST_EXPECT_MSG_EQ(p->GetProbability(100000), 0, "at Kmin");
        NS_TEST_EXPECT_MSG_EQ_TOL(p->GetProbability(100001), 0.2 / 300000, tolerance, "Kmin + 1");
        NS_TEST_EXPECT_MSG_EQ_TOL(p->GetProbability(175000), 0.05, tolerance, "a quarter");
        NS_TEST_EXPECT_MSG_EQ_TOL(p->GetProbability(250000), 0.1, tolerance, "half way");
        NS_TEST_EXPECT_MSG_EQ_TOL(p->GetProbability(400000), 0.2, tolerance, "at Kmax");
        NS_TEST_EXPECT_MSG_EQ(p->GetProbability(400001), 1, "Kmax + 1");
        NS_TEST_EXPECT_MSG_EQ(p->GetProbability(UINT64_MAX), 1, "as long as can be");
        NS_TEST_EXPECT_MSG_EQ(p->GetLowerBound(), 100000, "nothing is marked up to Kmin");
        for (uint64_t bytes = 0; bytes < 500000; bytes += 997)
        {
            const bool rises = p->GetProbability(bytes) <= p->GetProbability(bytes + 997);
            NS_TEST_ASSERT_MSG_EQ(rises, true, "never falls, " << bytes);
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Degenerate profiles.
 */
class WredEdgeTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // Kmin = Kmax is DCTCP's step: no division by zero
        const auto step = MakeWred(5000, 5000, 0.5);
        NS_TEST_EXPECT_MSG_EQ(step->GetProbability(5000), 0, "at the step");
        NS_TEST_EXPECT_MSG_EQ(step->GetProbability(5001), 1, "above the step");

        const auto zero = MakeWred(0, 0, 1);
        NS_TEST_EXPECT_MSG_EQ(zero->GetProbability(0), 0, "nobody waits");
        NS_TEST_EXPECT_MSG_EQ(zero->GetProbability(1), 1, "a byte waits");

        const auto line = MakeWred(0, 1000, 1);
        NS_TEST_EXPECT_MSG_EQ_TOL(line->GetProbability(1), 0.001, 1e-15, "first byte");
        NS_TEST_EXPECT_MSG_EQ(line->GetProbability(1000), 1, "Pmax 1 at Kmax");

        const auto never = MakeWred(10, 20, 0);
        NS_TEST_EXPECT_MSG_EQ(never->GetProbability(20), 0, "Pmax 0 at Kmax");
        NS_TEST_EXPECT_MSG_EQ(never->GetProbability(21), 1, "above Kmax whatever Pmax is");

        // 2^40 + 2^39 is half way from 2^40 to 2^41
        const auto wide = MakeWred(uint64_t{1} << 40, uint64_t{1} << 41, 0.5);
        NS_TEST_EXPECT_MSG_EQ(wide->GetProbability((uint64_t{1} << 40) + (uint64_t{1} << 39)),
                              0.25,
                              "64-bit lengths");

        DCFABRIC_EXPECT_REFUSAL(MakeWred(401, 400, 0.2), "Kmin 401 is greater than Kmax 400");
    }
};

/// Marking profiles.
const SuiteCases g_cases("dcfabric-queue-disc", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new WredLineTestCase("WRED: 0 up to Kmin, a line to Pmax at Kmax, 1 above"));
    suite.AddTestCase(new WredEdgeTestCase(
        "WRED: a step, a line from 0, Pmax 0 and 1, beyond 32 bits, and refusals"));
});

} // namespace ns3::tests::marking_profile_test
