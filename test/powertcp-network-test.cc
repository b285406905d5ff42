// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-incast.h"
#include "fabric-test-join.h"
#include "fabric-test-schedule.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"

#include "ns3/double.h"
#include "ns3/nstime.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <string>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief PowerTCP and theta-PowerTCP in networks, beside HPCC: shares, queues, losses.
 *
 * Hosts at one switch, 100 Gb/s. A packet of 1062 B takes 86.56 ns on the wire; with links of 1 us
 * the base RTT is 4.19 us.
 */

namespace ns3::tests::powertcp_network_test
{

constexpr double PACKET_US = 0.08656; //!< of a packet on the wire

/**
 * @param control class of congestion control, without ns3:: and suffix
 * @return policies
 */
FabricHelper
Use(const std::string& control)
{
    FabricHelper helper;
    helper.SetCongestionControl("ns3::" + control + "CongestionControl");
    if (control != "ThetaPowerTcp")
    {
        helper.AddSwitchFeature("ns3::HpccIntFeature");
    }
    return helper;
}

/**
 * @ingroup dcfabric-tests
 * @brief Shares and queues.
 */
class PowerShareTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief Run and compare.
     * @param control class
     * @param n senders
     * @param delayPs of links
     * @param use least share of the link that is used
     * @param queue that flows without packets would hold, in base BDPs
     */
    void Expect(const std::string& control, uint32_t n, int64_t delayPs, double use, double queue)
    {
        const int64_t rttUs = 4 * delayPs / US;
        Incast run(n, Use(control), 400 * rttUs, 500 * rttUs, 100 * GBPS, delayPs);
        run.Run();
        const std::string what =
            control + ", " + std::to_string(n) + " flows, RTT of " + std::to_string(rttUs) + " us";
        const double bdp = (4 * static_cast<double>(delayPs) / US + 0.19) * 12500;
        NS_TEST_EXPECT_MSG_GT(run.jain, 0.95, what << ": Jain's index");
        NS_TEST_EXPECT_MSG_GT(run.packetsPerUs * PACKET_US, use, what << ": utilization");
        // a packet of each flow may come at once
        NS_TEST_EXPECT_MSG_LT(run.most / bdp, queue + n * 1062 / bdp + 0.25, what << ": queue");
    }

    void DoRun() override
    {
        // n flows hold still where R = R x target / Us + beta: with B = n R and beta = B / Flows
        // the power is target / (1 - n / Flows). With 2 flows this is 0.95 / 0.988 = 0.9615 for
        // PowerTCP: no queue, and a link that is used by as much. With 64 it is 1.542: a queue of
        // 0.542 BDPs. theta-PowerTCP aims at an RTT of 1.05 of the base.
        for (const int64_t delay : {US, 5 * US})
        {
            Expect("PowerTcp", 2, delay, 0.94, 0);
            Expect("PowerTcp", 64, delay, 0.98, 0.542);
            Expect("ThetaPowerTcp", 2, delay, 0.97, 0.063);
            Expect("ThetaPowerTcp", 64, delay, 0.98, 0.705);
        }
    }
};

/// PowerTCP: see JoinInstaller
void
InstallPower(FabricHelper& helper, double /* scale */)
{
    helper.SetCongestionControl("ns3::PowerTcpCongestionControl");
    helper.AddSwitchFeature("ns3::HpccIntFeature");
}

/// theta-PowerTCP: see JoinInstaller
void
InstallTheta(FabricHelper& helper, double /* scale */)
{
    helper.SetCongestionControl("ns3::ThetaPowerTcpCongestionControl");
}

/**
 * @ingroup dcfabric-tests
 * @brief What the paper shows: a flow joins another, and the queue is shorter than HPCC's while
 * the link stays in use.
 */
class PowerJoinTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const Reaction hpcc = MeasureJoin(InstallHpcc, {});
        const Reaction power = MeasureJoin(InstallPower, {});
        NS_TEST_EXPECT_MSG_LT(power.peak, hpcc.peak, "a shorter queue");
        NS_TEST_EXPECT_MSG_GT(power.use, hpcc.use + 0.03, "more is sent");
        NS_TEST_EXPECT_MSG_EQ(power.pauses, 0, "pauses");
        // RTTs tell of the queue when it has been passed, INT when it is
        const Reaction theta = MeasureJoin(InstallTheta, {});
        NS_TEST_EXPECT_MSG_GT(theta.peak, power.peak, "a longer queue than by INT");
        NS_TEST_EXPECT_MSG_LT(static_cast<double>(theta.peak),
                              1.2 * static_cast<double>(hpcc.peak),
                              "not much longer than HPCC's");
        NS_TEST_EXPECT_MSG_GT(theta.use, hpcc.use + 0.03, "more is sent");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Losses, pauses, ACKs of many packets.
 */
class PowerInterplayTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief 16 flows of 200 kB into one host must be complete in time.
     * @param helper policies
     * @param name of the case
     * @param every n-th data packet is lost at the switch, 0: none
     */
    void Expect(const FabricHelper& helper, const std::string& name, uint32_t every = 0)
    {
        const ShortIncast incast(helper, every);
        const TestNetwork& network = incast.network;
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(),
                              ShortIncast::N,
                              name << ": complete within 20 ms");
    }

    void DoRun() override
    {
        for (const std::string control : {"PowerTcp", "ThetaPowerTcp"})
        {
            FabricHelper pauses = Use(control);
            pauses.SetBuffer("ns3::SharedBuffer", "XoffThreshold", UintegerValue(20000));
            Expect(pauses, control + ", PFC at 20 KB");

            FabricHelper overflow = Use(control);
            overflow.SetFlowControl("none");
            overflow.SetBuffer("ns3::SharedBuffer", "Size", UintegerValue(150000));
            Expect(overflow, control + ", overflow");
            overflow.SetReliability("ns3::GoBackN");
            Expect(overflow, control + ", overflow, go-back-N");

            Expect(Use(control), control + ", one of 100 lost", 100);

            FabricHelper seldom = Use(control);
            seldom.SetNicAttribute("AckEvery", UintegerValue(16));
            Expect(seldom, control + ", an ACK for 16 packets");
        }
    }
};

/// PowerTCP in networks.
const SuiteCases g_cases("dcfabric-power-network", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.AddTestCase(new PowerShareTestCase("fair shares, a full link, a queue as computed"));
    suite.AddTestCase(new PowerJoinTestCase("a flow joins: a shorter queue than HPCC's"));
    suite.AddTestCase(new PowerInterplayTestCase("losses, overflow, pauses, few ACKs"));
});

} // namespace ns3::tests::powertcp_network_test
