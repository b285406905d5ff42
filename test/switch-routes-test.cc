// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-plan.h"
#include "fabric-test-suite.h"

#include "ns3/forwarding-table.h"
#include "ns3/routing-builder.h"
#include "ns3/test.h"

#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Routes to switches, where a feature reaches switches.
 */

namespace ns3::tests::switch_routes_test
{

/**
 * @ingroup dcfabric-tests
 * @brief Tables: switches are destinations only where they are asked for, and after failures too.
 */
class SwitchTablesTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // hosts 0 to 3, leaves 4 and 5, spines 6 and 7; links: 4 of hosts, 4-6, 5-6, 4-7, 5-7
        const FabricGraph graph =
            PlanOfLinks(4, 4, {{0, 4}, {1, 4}, {2, 5}, {3, 5}, {4, 6}, {5, 6}, {4, 7}, {5, 7}});
        const RoutingBuilder usual(graph);
        NS_TEST_EXPECT_MSG_EQ(usual.GetClasses()->nClasses, 2, "hosts of two leaves");
        NS_TEST_EXPECT_MSG_EQ(usual.BuildTable(4).Lookup(6).nPorts, 0, "no way to a switch");

        const RoutingBuilder all(graph, nullptr, {}, true);
        NS_TEST_EXPECT_MSG_EQ(all.GetClasses()->nClasses, 4, "leaves are in the class of hosts");
        NS_TEST_EXPECT_MSG_EQ(all.GetNHostClasses(), 2, "classes of hosts come first");
        NS_TEST_EXPECT_MSG_EQ(all.GetMaxSwitches(), 3, "of packets between hosts");
        const ForwardingTable leaf = all.BuildTable(4);
        NS_TEST_EXPECT_MSG_EQ(leaf.Lookup(6).nPorts, 1, "neighbor");
        NS_TEST_EXPECT_MSG_EQ(leaf.Lookup(5).nPorts, 2, "by either spine");
        NS_TEST_EXPECT_MSG_EQ(leaf.Lookup(4).nPorts, 0, "itself");
        NS_TEST_EXPECT_MSG_EQ(leaf.Lookup(2).nPorts, 2, "hosts as before");
        NS_TEST_EXPECT_MSG_EQ(leaf.Lookup(1).nPorts, 1, "hosts as before");
        NS_TEST_EXPECT_MSG_EQ(all.BuildTable(6).Lookup(7).nPorts, 2, "by either leaf");

        std::vector<bool> down(8, false);
        down[4] = true; // 4-6
        const auto repaired = all.BuildWithout(down);
        const ForwardingTable table = repaired->BuildTable(4);
        const PortGroup detour = table.Lookup(6);
        NS_TEST_ASSERT_MSG_EQ(detour.nPorts, 1, "still a destination");
        NS_TEST_EXPECT_MSG_EQ(detour.ports[0], 3, "by 7 and 5");
    }
};

/// Routes to switches.
const SuiteCases g_cases("dcfabric-routing", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new SwitchTablesTestCase("routes to switches: tables"));
});

} // namespace ns3::tests::switch_routes_test
