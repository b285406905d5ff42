// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-duration.h"
#include "fabric-test-margin.h"
#include "fabric-test-suite.h"

#include "ns3/dcqcn-congestion-control.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/node-container.h"
#include "ns3/pdc-policy-helper.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <random>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Unequal flows become equal sooner with ratio-based cuts.
 */

namespace ns3::tests::ratio_cut_convergence_test
{

NS_LOG_COMPONENT_DEFINE("DcfabricRatioCutConvergenceTest");

/// DCQCN that begins at a part of the line rate.
class PartialDcqcn : public DcqcnCongestionControl
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::tests::PartialDcqcn")
                                .SetParent<DcqcnCongestionControl>()
                                .SetGroupName("Dcfabric")
                                .AddConstructor<PartialDcqcn>()
                                .AddAttribute("Part",
                                              "Rate to begin with over line rate.",
                                              DoubleValue(1),
                                              MakeDoubleAccessor(&PartialDcqcn::m_part),
                                              MakeDoubleChecker<double>(0, 1));
        return tid;
    }

  protected:
    void DoStart() override
    {
        DcqcnCongestionControl::DoStart();
        SetInitial(UNLIMITED, m_part * static_cast<double>(GetPath().lineRateBps));
    }

  private:
    double m_part; //!< attribute
};

NS_OBJECT_ENSURE_REGISTERED(PartialDcqcn);

/// Flows that are unequal at first.
struct UnequalFlows
{
    const char* cc;     //!< Dctcp or Dcqcn
    uint32_t flows;     //!< half of them large
    uint64_t rateBps;   //!< of all links
    double large;       //!< window over BDP, or rate over line rate, of these
    double small;       //!< likewise, of the others
    uint64_t kmin;      //!< marks
    uint64_t kmax;      //!< likewise
    double pmax;        //!< likewise
    uint64_t maxWindow; //!< Wmax of ratio-based cuts; 0: the BDP
    int64_t binPs;      //!< of goodput
    uint32_t bins;      //!< most that are looked at
    double part;        //!< most that mean times may be of those without ratio
};

/**
 * @ingroup dcfabric-tests
 * @brief Time until Jain's index is 0.99 and stays there for five bins.
 *
 * Two flows whose difference is d times their sum have an index of 1 / (1 + d^2), which is 0.99
 * for d = 0.1. A cut by a part of the window lets d as it is, and additive increase makes it
 * smaller, by as much as the cut gave room for. With cuts by a part times window / Wmax the larger
 * flow gives most of that room: near equality d shrinks twice as fast for the same increase.
 *
 * Mean times without and with, of 15 runs: DCTCP 1.92 (1.7 to 2.1) and 1.26 ms (1.1 to 1.4), with
 * the deeper marks 4.13 and 3.08 ms; of 3 runs, DCQCN beyond 38 and 14.7 ms.
 */
class RatioCutConvergenceTestCase : public TestCase
{
  public:
    /**
     * @param flows what to run
     * @param runs random runs
     */
    RatioCutConvergenceTestCase(const UnequalFlows& flows, uint32_t runs)
        : TestCase(std::string(flows.cc) + ", " + std::to_string(flows.flows) + " flows, Kmin " +
                   std::to_string(flows.kmin) + ", " + std::to_string(runs) + " runs"),
          m_flows(flows),
          m_runs(runs)
    {
    }

  private:
    static constexpr uint32_t STAY = 5; //!< bins

    /**
     * @brief Set the congestion control of a host.
     * @param network the network
     * @param host its number
     * @param part of window or rate to begin with
     * @param scaled with the modifier
     */
    void Install(const TestNetwork& network, uint32_t host, double part, bool scaled) const
    {
        PdcPolicyHelper policy;
        if (m_flows.cc == std::string("Dcqcn"))
        {
            policy.SetCongestionControl("ns3::tests::PartialDcqcn", "Part", DoubleValue(part));
        }
        else
        {
            const double bdp = static_cast<double>(m_flows.rateBps) / 8e12 *
                               static_cast<double>(network.fabric->GetMaxBaseRttPs());
            policy.SetCongestionControl("ns3::DctcpCongestionControl",
                                        "InitialWindow",
                                        UintegerValue(static_cast<uint64_t>(part * bdp)),
                                        "SlowStartThreshold",
                                        UintegerValue(1));
        }
        if (scaled)
        {
            policy.AddModifier("ns3::RatioCutModifier",
                               "MaxWindow",
                               UintegerValue(m_flows.maxWindow));
        }
        policy.Install(network.fabric, NodeContainer(network.fabric->GetNodes().Get(host)));
    }

    /**
     * @param scaled with the modifier
     * @param run random run
     * @return time in us
     */
    double Measure(bool scaled, uint32_t run)
    {
        RandomRun random(run);
        FabricHelper helper;
        helper.SetCongestionControl(std::string("ns3::") + m_flows.cc + "CongestionControl");
        helper.SetMarkingProfile("ns3::WredMarkingProfile",
                                 "Kmin",
                                 UintegerValue(m_flows.kmin),
                                 "Kmax",
                                 UintegerValue(m_flows.kmax),
                                 "Pmax",
                                 DoubleValue(m_flows.pmax));
        const uint32_t n = m_flows.flows;
        TestNetwork network(MakePairs(n, m_flows.rateBps), helper);
        std::mt19937 draw(run);
        std::vector<uint32_t> receivers;
        for (uint32_t i = 0; i < n; ++i)
        {
            Install(network, i, i < n / 2 ? m_flows.large : m_flows.small, scaled);
            network.MessagesOf(i).SendAt(draw() % (20 * US), n + i, 4000000000, i);
            receivers.push_back(n + i);
        }
        uint32_t fairSince = 0;
        for (uint32_t bin = 0; bin < m_flows.bins; ++bin)
        {
            if (GetJainIndex(SampleGoodput(network, receivers, m_flows.binPs, 1).front()) < 0.99)
            {
                fairSince = bin + 1;
            }
            if (bin + 1 - fairSince == STAY)
            {
                return static_cast<double>((fairSince + 1) * m_flows.binPs) / US;
            }
        }
        return static_cast<double>(m_flows.bins * m_flows.binPs) / US;
    }

    void DoRun() override
    {
        std::vector<double> without;
        std::vector<double> with;
        for (uint32_t run = 1; run <= m_runs; ++run)
        {
            without.push_back(Measure(false, run));
            with.push_back(Measure(true, run));
        }
        NS_LOG_INFO(GetName() << ": " << Describe(without) << " us, with ratio " << Describe(with));
        NS_TEST_EXPECT_MSG_LT(GetMean(with),
                              m_flows.part * GetMean(without),
                              "us without " << Describe(without) << ", with " << Describe(with));
        // also the slowest
        NS_TEST_EXPECT_MSG_LT(GetMost(with),
                              GetMean(without),
                              "us without " << Describe(without) << ", with " << Describe(with));
    }

    UnequalFlows m_flows; //!< what to run
    uint32_t m_runs;      //!< random runs
};

/// Convergence with ratio-based cuts.
const SuiteCases g_cases("dcfabric-control-network", TestSuite::Type::SYSTEM, [](Suite& suite) {
    // BDP 78.6 kB. The sum of windows is about BDP + K; each is at most Wmax as long as K is
    // below the BDP, else Wmax has to be larger for the ratio to be below 1.
    const UnequalFlows
        dctcp{"Dctcp", 2, 100 * GBPS, 0.9, 0.1, 60000, 60000, 1, 0, 100 * US, 50, 0.85};
    const UnequalFlows
        deep{"Dctcp", 2, 100 * GBPS, 0.9, 0.1, 150000, 150000, 1, 230000, 100 * US, 80, 0.85};
    // the default profile, scaled from 100 to 25 Gb/s
    const UnequalFlows
        dcqcn{"Dcqcn", 8, 25 * GBPS, 0.22, 0.05, 25000, 100000, 0.2, 0, 1000 * US, 40, 0.7};
    for (const auto& [flows, runs] :
         std::vector<std::pair<UnequalFlows, uint32_t>>{{dctcp, 5}, {deep, 2}, {dcqcn, 3}})
    {
        suite.AddTestCase(new RatioCutConvergenceTestCase(flows, runs));
        suite.AddTestCase(new RatioCutConvergenceTestCase(flows, 15),
                          DurationOf<TestCase>::TAKES_FOREVER);
    }
});

} // namespace ns3::tests::ratio_cut_convergence_test
