// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-plan.h"
#include "../fabric-test-schedule.h"
#include "../fabric-test-suite.h"
#include "../fabric-test-transport.h"
#include "../fabric-test-units.h"

#include "ns3/fabric-faults.h"
#include "ns3/shield-feature.h"
#include "ns3/test.h"

#include <cstdint>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Features of switches that choose paths, when hosts are cut off and switches fail.
 */

namespace ns3::tests::path_features_test
{

/// @return hosts 0 and 1 at leaf 4, 2 and 3 at leaf 5, spines 6 and 7
FabricGraph
PlanOfLeaves()
{
    return PlanOfLinks(4, 4, {{0, 4}, {1, 4}, {2, 5}, {3, 5}, {4, 6}, {4, 7}, {5, 6}, {5, 7}});
}

/**
 * @ingroup dcfabric-tests
 * @brief Hermes: answers come to a switch whose table leads to their host no longer.
 */
class CutOffHostTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        FabricHelper helper;
        helper.SetPathSelector("ns3::HermesPathSelector");
        helper.SetCongestionControl("ns3::DctcpCongestionControl");
        helper.SetNicAttribute("AckTimeout", TimeValue(MicroSeconds(100)));
        TestNetwork network(PlanOfLeaves(), helper);
        // A round trip takes 8 us of delay: at 20 us some 8 us of answers are on their way.
        FabricFaults faults;
        faults.Add({20 * US, FabricFault::DOWN, 0, 4});
        faults.Add({300 * US, FabricFault::UP, 0, 4});
        faults.SetConvergenceTime(NanoSeconds(0));
        faults.Install(network.fabric);
        network.MessagesOf(0).SendAt(0, 2, 1000000, 7);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_GT(network.fabric->GetDrops()[DropReason::NO_ROUTE], 10, "answers");
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 1, "complete");
        NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, "conservation");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Self-healing: a spine that comes back without one of its links tells so.
 */
class ReturningSpineTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param beginPs,endPs the spine fails and comes back
     * @param linkPs when its link to leaf 5 goes down, for good
     */
    void Check(int64_t beginPs, int64_t endPs, int64_t linkPs)
    {
        FabricHelper helper;
        helper.AddSwitchFeature("ns3::ShieldFeature");
        TestNetwork network(PlanOfLeaves(), helper);
        FabricFaults faults;
        faults.Add({linkPs, FabricFault::DOWN, 5, 6});
        faults.Add({beginPs, FabricFault::SWITCH_DOWN, 6, 0});
        faults.Add({endPs, FabricFault::SWITCH_UP, 6, 0});
        faults.Install(network.fabric);
        const auto leaf = network.fabric->GetSwitch(4)->GetFeature<ShieldFeature>();
        // Port 2 of leaf 4 leads to spine 6. A notice of one range takes 7.52 ns and 1 us (suite
        // dcfabric-shield).
        const auto expect = [&](int64_t ns, bool told) {
            CallIn(FabricTime::FromPs(endPs + ns * 1000), [this, leaf, ns, told, linkPs]() {
                for (const uint32_t host : {2, 3})
                {
                    NS_TEST_EXPECT_MSG_EQ(leaf->IsTold(2, host),
                                          told,
                                          ns << " ns after, link down at " << linkPs << " ps");
                }
                NS_TEST_EXPECT_MSG_EQ(leaf->IsTold(2, 1), false, "the spine reaches leaf 4");
                NS_TEST_EXPECT_MSG_EQ(leaf->IsTold(3, 2), false, "the other spine");
            });
        };
        expect(1, false); // a link that comes up has nothing to tell yet
        expect(1006, false);
        expect(1009, true);
        expect(50000, true);
        Simulator::Run();
        uint64_t notices = 0;
        for (uint32_t sw = 4; sw < 8; ++sw)
        {
            const auto feature = network.fabric->GetSwitch(sw)->GetFeature<ShieldFeature>();
            notices += feature->GetCounters().front().second;
        }
        // to leaf 4 when the spine is back, and before if it had the time to find out
        const uint64_t expected = linkPs + 10 * US < beginPs ? 2 : 1;
        NS_TEST_EXPECT_MSG_EQ(notices, expected, "notices");
        NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, "conservation");
    }

    void DoRun() override
    {
        Check(100 * US, 300 * US, 50 * US);  // lost before
        Check(100 * US, 300 * US, 200 * US); // while the spine is off
        Check(100 * US, 105 * US, 50 * US);  // too short for anybody to notice
    }
};

/// Faults, and features that choose paths.
const SuiteCases g_cases("dcfabric-faults", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new CutOffHostTestCase("answers to a host that is cut off, under Hermes"));
    suite.AddTestCase(new ReturningSpineTestCase("a spine that comes back tells what it lost"));
});

} // namespace ns3::tests::path_features_test
