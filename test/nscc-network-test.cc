// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-incast.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"

#include "ns3/double.h"
#include "ns3/fabric-time.h"
#include "ns3/nscc-congestion-control.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <string>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief NSCC in networks: lone flows, shares, queues, drops.
 *
 * Hosts at one switch, 100 Gb/s and 1 us. A packet of 4096 B takes 4178 x 80 ps = 0.33424 us on the
 * wire, the base RTT is 2 x 0.33424 + 2 x 0.00944 + 4 = 4.687 us.
 */

namespace ns3::tests::nscc_network_test
{

constexpr double PACKET_US = 0.33424; //!< of a packet on the wire

/**
 * @param lossy queues may drop
 * @return NSCC with packets of 4096 B
 */
FabricHelper
UseNscc(bool lossy)
{
    FabricHelper helper;
    helper.SetCongestionControl("ns3::NsccCongestionControl");
    helper.SetNicAttribute("PayloadBytes", UintegerValue(4096));
    if (lossy)
    {
        helper.SetFlowControl("none");
    }
    return helper;
}

/**
 * @ingroup dcfabric-tests
 * @brief A lone flow.
 */
class NsccLoneFlowTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        for (const bool lossy : {false, true})
        {
            TestNetwork network(MakeStar(2), UseNscc(lossy));
            network.MessagesOf(0).SendAt(0, 1, 1000 * 4096, 1);
            Simulator::Run();
            const auto done = TestNetwork::Find(network.completed, 1);
            // line rate: 1.5 BDP are enough although ACKs come for four packets
            const auto us = static_cast<double>(done.nowPs) / US;
            NS_TEST_EXPECT_MSG_EQ_TOL(us, 999 * PACKET_US + 4.687, 0.001, "time");
            NS_TEST_EXPECT_MSG_EQ(done.reductions, 0, "no reductions");
            NS_TEST_EXPECT_MSG_EQ(network.Nic(1).GetCounters().acksSent,
                                  251,
                                  "1, 249 of four, the last one");
            NS_TEST_EXPECT_MSG_EQ(network.Nic(0).ackBytes, 16384, "declared");
            NS_TEST_EXPECT_MSG_EQ(network.Nic(0).ackMarked, true, "declared");
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Shares and queues.
 */
class NsccShareTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief Run and compare. Links of 3 us: T is 12.687 us, which is the target as well.
     * @param n senders
     * @param lossy queues may drop
     * @param rtts base RTTs before the observation, which is as long
     */
    void Expect(uint32_t n, bool lossy, int64_t rtts)
    {
        const std::string name = std::to_string(n) + (lossy ? " that may lose" : "");
        const int64_t us = rtts * 12687 / 1000;
        Incast run(n, UseNscc(lossy), us, 2 * us, 100 * GBPS, 3 * US);
        run.Run();
        NS_TEST_EXPECT_MSG_GT(run.jain, 0.95, "Jain's index of " << name);
        NS_TEST_EXPECT_MSG_GT(run.packetsPerUs * PACKET_US, 0.999, "utilization, " << name);
        // windows grow above the target, too, where there is no mark: some packets more
        NS_TEST_EXPECT_MSG_LT(run.most * 80e-6, 1.5 * 12.687, "queue of " << name);
        NS_TEST_EXPECT_MSG_GT(run.least, 0, "never empty with " << name);
        NS_TEST_EXPECT_MSG_EQ(run.GetNetwork().Sum(&FabricNic::Counters::retransmitted),
                              0,
                              "no losses of " << name);
    }

    /**
     * @param gain of the average delay
     * @return Jain's index of eight flows from 100 to 200 base RTTs on
     */
    static double GetEarlyIndex(double gain)
    {
        FabricHelper helper = UseNscc(true);
        helper.SetCongestionControl("ns3::NsccCongestionControl", "DelayGain", DoubleValue(gain));
        Incast run(8, helper, 1269, 2537, 100 * GBPS, 3 * US);
        run.Run();
        return run.jain;
    }

    void DoRun() override
    {
        // What keeps more flows from it is their begin: the average remembers its delays for 80
        // ACKs, and marks cut windows by half until it has forgotten.
        NS_TEST_EXPECT_MSG_LT(GetEarlyIndex(0.0125), 0.9, "a long memory");
        NS_TEST_EXPECT_MSG_GT(GetEarlyIndex(0.1), 0.97, "a short one");

        // Two and four flows share the link fairly within 100 base RTTs. What takes more flows to
        // equal windows is little: Eta and the part of increases that is not proportional to the
        // window. Eight and sixteen are fair after 500; before that the index is down to 0.5.
        for (const bool lossy : {false, true})
        {
            Expect(2, lossy, 100);
            Expect(4, lossy, 100);
            Expect(8, lossy, 500);
            Expect(16, lossy, 500);
        }
    }
};

/// NSCC in networks.
const SuiteCases g_cases("dcfabric-nscc-network", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.AddTestCase(new NsccLoneFlowTestCase("a lone flow has the line"));
    suite.AddTestCase(new NsccShareTestCase("fair shares of a full link"));
});

} // namespace ns3::tests::nscc_network_test
