// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-duration.h"
#include "../fabric-test-margin.h"
#include "../fabric-test-suite.h"

#include "ns3/fabric-faults.h"
#include "ns3/log.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <sstream>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Recycled entropies when a link fails in the middle of a run.
 */

namespace ns3::tests::reps_failure_test
{

NS_LOG_COMPONENT_DEFINE("DcfabricRepsFailureTest");

constexpr uint32_t HOSTS = 4;                //!< at each leaf
constexpr int64_t RTT_PS = 8384000;          //!< 4 x (2 us + 86.56 ns + 9.44 ns)
constexpr int64_t TEN_RTTS_PS = 10 * RTT_PS; //!< a bin of goodput
constexpr int64_t FAILURE_PS = 200 * US;     //!< when the link goes down

/// A run of which goodput is measured.
struct Failure
{
    const char* cc;    //!< congestion control
    uint32_t senders;  //!< at each leaf
    bool recycles;     //!< false: random spraying
    int64_t timeoutPs; //!< retransmission time-out
    uint32_t bins;     //!< of ten RTTs each, from the failure on
    bool finds{true};  //!< switches find out that their port is down, after 10 us
};

/**
 * @brief Hosts of both leaves send to each other without end, and the link between the first leaf
 * and the first of four spines goes down, in both directions.
 *
 * The new optimum: three paths carry 300 Gb/s in each direction, data of one and ACKs of the other,
 * 1082 and 118 B with preamble and gap. Four hosts of each leaf fill that: 2 x 300 x 1000 / 1200 =
 * 500 Gb/s of goodput. Two need only 200 Gb/s, which three paths carry as well as four:
 * 2 x 200 x 1000 / 1200 = 333.3.
 *
 * @param failure what to run
 * @param run random run
 * @return goodput over the new optimum in bins of ten RTTs from the failure on: new payload that
 * arrives
 */
std::vector<double>
Measure(const Failure& failure, uint32_t run)
{
    RandomRun random(run);
    FabricHelper helper = MakeSprayHelper(failure.cc);
    if (failure.cc == std::string("Dctcp"))
    {
        // as dcfabric-sim has it
        SetMarks(helper, 300000);
    }
    helper.SetLoadBalancer(failure.recycles ? "ns3::RepsLoadBalancer"
                                            : "ns3::RandomSprayLoadBalancer");
    helper.SetNicAttribute("AckTimeout", TimeValue(PicoSeconds(failure.timeoutPs)));
    helper.SetSwitchAttribute("DetectionTime",
                              TimeValue(failure.finds ? MicroSeconds(10) : Hours(24)));
    TestNetwork network(MakeTwoLeaves(HOSTS, 4), helper);
    FabricFaults faults;
    faults.AddDown(PicoSeconds(FAILURE_PS), 2 * HOSTS, 2 * HOSTS + 2);
    faults.Install(network.fabric);
    std::vector<uint32_t> receivers;
    for (uint32_t i = 0; i < 2 * HOSTS; ++i)
    {
        if (i % HOSTS < failure.senders)
        {
            network.MessagesOf(i).SendAt(0, (i + HOSTS) % (2 * HOSTS), 1000000000, i);
            receivers.push_back(i);
        }
    }
    SampleGoodput(network, receivers, FAILURE_PS, 1);
    const double optimum = 2 * std::min(300.0, 100.0 * failure.senders) * 1000 / 1200;
    std::vector<double> bins =
        SumRows(SampleGoodput(network, receivers, TEN_RTTS_PS, failure.bins));
    std::ostringstream text;
    for (double& bin : bins)
    {
        bin /= optimum;
        text << " " << bin;
    }
    NS_LOG_INFO(failure.cc << ", " << failure.senders << " senders, recycles " << failure.recycles
                           << ", run " << run << ":" << text.str());
    return bins;
}

/**
 * @ingroup dcfabric-tests
 * @brief Without reactions to loss: the new optimum at once, and from then on.
 *
 * A time-out of 100 us and ten RTTs are 184 us; no time-out happens, because ACKs go on. Two
 * senders of each leaf leave room on the paths that remain, so that DCQCN has no cause to cut.
 */
class RepsFailureTestCase : public TestCase
{
  public:
    /**
     * @param cc congestion control
     * @param senders at each leaf
     * @param runs random runs
     */
    RepsFailureTestCase(const char* cc, uint32_t senders, uint32_t runs)
        : TestCase(std::string("95 % of the new optimum and no less later: ") + cc + ", " +
                   std::to_string(senders) + " senders, " + std::to_string(runs) + " runs"),
          m_cc(cc),
          m_senders(senders),
          m_runs(runs)
    {
    }

  private:
    void DoRun() override
    {
        // Ten RTTs contain the one in which a quarter of all packets is lost: 0.97 to 1.02. Then
        // 1.00 to 1.01.
        for (uint32_t run = 1; run <= m_runs; ++run)
        {
            const auto bins = Measure({m_cc, m_senders, true, 100 * US, 6}, run);
            NS_TEST_EXPECT_MSG_GT(bins[0], 0.92, "the first ten RTTs, run " << run);
            for (uint32_t bin = 1; bin < bins.size(); ++bin)
            {
                NS_TEST_EXPECT_MSG_GT(bins[bin], 0.97, "later, run " << run << ", bin " << bin);
            }
        }
    }

    const char* m_cc;   //!< congestion control
    uint32_t m_senders; //!< at each leaf
    uint32_t m_runs;    //!< random runs
};

/**
 * @ingroup dcfabric-tests
 * @brief With more hosts than the paths that remain can serve.
 *
 * All three are full within ten RTTs. Then what was lost is found lost, 1000 packets after it, and
 * DCTCP halves its window as it has to for a loss; marks let fresh entropies come, of which one in
 * four is lost. Bins of DCTCP are at 0.89 to 1.01 then, those of DCQCN, which cuts for marks, at
 * 0.88 to 1.00; the means over 100 RTTs are 0.96 to 0.97 and 0.93 to 0.97.
 */
class RepsFailureFullTestCase : public TestCase
{
  public:
    /**
     * @param cc congestion control
     * @param runs random runs
     */
    RepsFailureFullTestCase(const char* cc, uint32_t runs)
        : TestCase(std::string("95 % of the new optimum when paths are full: ") + cc + ", " +
                   std::to_string(runs) + " runs"),
          m_cc(cc),
          m_runs(runs)
    {
    }

  private:
    void DoRun() override
    {
        // DCTCP halves for what DCQCN does not mind
        const double least = std::string(m_cc) == "Dctcp" ? 0.85 : 0.95;
        for (uint32_t run = 1; run <= m_runs; ++run)
        {
            const auto bins = Measure({m_cc, 4, true, 100 * US, 10}, run);
            NS_TEST_EXPECT_MSG_GT(bins[0], least, "the first ten RTTs, run " << run);
            NS_TEST_EXPECT_MSG_GT(GetMean(bins), 0.88, "84 RTTs, run " << run);
        }
    }

    const char* m_cc; //!< congestion control
    uint32_t m_runs;  //!< random runs
};

/**
 * @ingroup dcfabric-tests
 * @brief DCTCP with paths to spare.
 *
 * What is lost counts as in flight until it is found, and when the window grows again it takes
 * fresh entropies, of which one in four is lost and halves it once more. After some rounds all
 * entropies in use are good. With the default time-out the claim is a time-out of 4.194 ms and
 * ten RTTs; it takes 0.9 to 2.1 ms.
 */
class RepsFailureDctcpTestCase : public TestCase
{
  public:
    /// @param runs random runs
    explicit RepsFailureDctcpTestCase(uint32_t runs)
        : TestCase("95 % of the new optimum within the default time-out: DCTCP, " +
                   std::to_string(runs) + " runs"),
          m_runs(runs)
    {
    }

  private:
    void DoRun() override
    {
        for (uint32_t run = 1; run <= m_runs; ++run)
        {
            // 35 x 83.84 us = 2.93 ms; the last five
            const auto bins = Measure({"Dctcp", 2, true, 4194304000, 35}, run);
            const std::vector<double> last(bins.end() - 5, bins.end());
            NS_TEST_EXPECT_MSG_GT(GetMean(last), 0.95, "run " << run);
        }
    }

    uint32_t m_runs; //!< random runs
};

/**
 * @ingroup dcfabric-tests
 * @brief Random spraying, which goes on to send a quarter of all packets into the dead link.
 *
 * While no switch finds out, that is what it loses without window: 3/4 of what two senders offer;
 * under DCTCP windows are soon full of packets that wait for the link. When the leaf leaves its
 * port out, what it sends is whole, and of what comes to it the spine drops a quarter: 7/8. DCTCP
 * halves windows for that.
 */
class SprayFailureTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const auto measure = [](const char* cc, uint32_t senders, bool finds) {
            return Measure({cc, senders, false, 100 * US, 4, finds}, 1).back();
        };
        NS_TEST_EXPECT_MSG_LT(measure("No", 2, false), 0.85, "no control, not found out");
        NS_TEST_EXPECT_MSG_LT(measure("Dctcp", 4, false), 0.3, "DCTCP, not found out");
        NS_TEST_EXPECT_MSG_EQ_TOL(measure("No", 2, true), 0.875, 0.02, "no control");
        NS_TEST_EXPECT_MSG_LT(measure("Dctcp", 4, true), 0.7, "DCTCP");
    }
};

/// Recycled entropies and a failing link.
const SuiteCases g_cases("dcfabric-reps-network", TestSuite::Type::SYSTEM, [](Suite& suite) {
    const auto many = DurationOf<TestCase>::TAKES_FOREVER;
    for (const auto& [cc, senders] :
         std::vector<std::pair<const char*, uint32_t>>{{"No", 2}, {"No", 4}, {"Dcqcn", 2}})
    {
        suite.AddTestCase(new RepsFailureTestCase(cc, senders, 3));
        suite.AddTestCase(new RepsFailureTestCase(cc, senders, 15), many);
    }
    for (const char* cc : {"Dctcp", "Dcqcn"})
    {
        suite.AddTestCase(new RepsFailureFullTestCase(cc, 3));
        suite.AddTestCase(new RepsFailureFullTestCase(cc, 15), many);
    }
    suite.AddTestCase(new SprayFailureTestCase("random spraying stays far below the new optimum"));
    suite.AddTestCase(new RepsFailureDctcpTestCase(2));
    suite.AddTestCase(new RepsFailureDctcpTestCase(15), many);
});

} // namespace ns3::tests::reps_failure_test
