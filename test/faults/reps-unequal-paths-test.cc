// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-duration.h"
#include "../fabric-test-margin.h"
#include "../fabric-test-suite.h"

#include "ns3/fabric-faults.h"
#include "ns3/log.h"
#include "ns3/test.h"

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Recycled entropies over unequal paths under several congestion controls.
 */

namespace ns3::tests::reps_unequal_paths_test
{

NS_LOG_COMPONENT_DEFINE("DcfabricRepsUnequalPathsTest");

/**
 * @ingroup dcfabric-tests
 * @brief Four hosts of each of two leaves send to the other leaf over four spines, and the link
 * between the first leaf and the first spine has half the rate. For DCTCP see the suite
 * dcfabric-reps-network, where the ideal split is worked out: 583.3 Gb/s; random spraying comes to
 * 333.3, and to less if the congestion control cuts more than it has to.
 *
 * Goodput over the ideal from 50 us (six base RTTs) to 250 us, mean of 15 runs, and that of random
 * spraying: none 1.000; Swift 0.999 and 0.505; DCQCN, which cuts for single marks, 0.874 (0.81 to
 * 0.93) and 0.511. Without congestion control random spraying is not compared: for so short a time
 * it only fills the queue of the slow link.
 */
class RepsUnequalPathsTestCase : public TestCase
{
  public:
    /**
     * @param cc congestion control
     * @param least goodput over that of the ideal split
     * @param gain least goodput over that of random spraying; 0: not compared
     * @param runs random runs
     */
    RepsUnequalPathsTestCase(const std::string& cc, double least, double gain, uint32_t runs)
        : TestCase(cc + ", " + std::to_string(runs) + " runs"),
          m_cc(cc),
          m_least(least),
          m_gain(gain),
          m_runs(runs)
    {
    }

  private:
    static constexpr uint32_t HOSTS = 4;                 //!< at each leaf
    static constexpr double IDEAL = 700.0 * 1000 / 1200; //!< Gb/s

    /**
     * @param balancer TypeId
     * @param run random run
     * @return goodput over that of the ideal split
     */
    double Measure(const std::string& balancer, uint32_t run)
    {
        RandomRun random(run);
        FabricHelper helper = MakeSprayHelper(m_cc);
        helper.SetLoadBalancer(balancer);
        TestNetwork network(MakeTwoLeaves(HOSTS, 4), helper);
        FabricFaults rates;
        rates.AddRate(Seconds(0), 2 * HOSTS, 2 * HOSTS + 2, DataRate("50Gbps"));
        rates.Install(network.fabric);
        std::vector<uint32_t> receivers;
        for (uint32_t i = 0; i < 2 * HOSTS; ++i)
        {
            network.MessagesOf(i).SendAt(0, (i + HOSTS) % (2 * HOSTS), 1000000000, i);
            receivers.push_back(i);
        }
        SampleGoodput(network, receivers, 50 * US, 1);
        return SumRows(SampleGoodput(network, receivers, 200 * US, 1)).front() / IDEAL;
    }

    void DoRun() override
    {
        std::vector<double> recycled;
        std::vector<double> sprayed;
        for (uint32_t run = 1; run <= m_runs; ++run)
        {
            recycled.push_back(Measure("ns3::RepsLoadBalancer", run));
            sprayed.push_back(m_gain > 0 ? Measure("ns3::RandomSprayLoadBalancer", run) : 1);
            NS_TEST_EXPECT_MSG_GT(recycled.back(), m_least, "run " << run);
            NS_TEST_EXPECT_MSG_GT(recycled.back(), m_gain * sprayed.back(), "run " << run);
        }
        NS_LOG_INFO(GetName() << ": " << Describe(recycled) << ", random spraying "
                              << Describe(sprayed));
    }

    std::string m_cc; //!< congestion control
    double m_least;   //!< goodput over that of the ideal split
    double m_gain;    //!< goodput over that of random spraying
    uint32_t m_runs;  //!< random runs
};

/// Recycled entropies over unequal paths.
const SuiteCases g_cases("dcfabric-reps-network", TestSuite::Type::SYSTEM, [](Suite& suite) {
    const struct
    {
        const char* cc; //!< congestion control
        double least;   //!< over the ideal split
        double gain;    //!< over random spraying
    } cases[] = {{"No", 0.95, 0}, {"Swift", 0.95, 1.7}, {"Dcqcn", 0.75, 1.35}};

    for (const auto& [cc, least, gain] : cases)
    {
        suite.AddTestCase(new RepsUnequalPathsTestCase(cc, least, gain, 3));
        suite.AddTestCase(new RepsUnequalPathsTestCase(cc, least, gain, 15),
                          DurationOf<TestCase>::TAKES_FOREVER);
    }
});

} // namespace ns3::tests::reps_unequal_paths_test
