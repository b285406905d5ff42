// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-plan.h"
#include "fabric-test-suite.h"

#include "ns3/fabric-helper.h"
#include "ns3/routing-builder.h"
#include "ns3/test.h"

#include <map>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Weights of ports by capacity.
 */

namespace ns3::tests::weighted_ecmp_test
{

using Entries = std::map<uint16_t, int>; //!< how often a port stands in a group

/**
 * @param table of a switch
 * @param host address
 * @return how often each port stands in the group that leads there
 */
Entries
Count(const ForwardingTable& table, uint32_t host)
{
    Entries entries;
    const PortGroup group = table.Lookup(host);
    for (uint16_t i = 0; i < group.nPorts; ++i)
    {
        ++entries[group.ports[i]];
    }
    return entries;
}

/**
 * @ingroup dcfabric-tests
 * @brief Numbers of entries.
 */
class EntriesTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        using List = std::vector<uint32_t>;
        const auto compute = &RoutingBuilder::ComputeEntries;
        NS_TEST_EXPECT_MSG_EQ((compute({40, 40, 40}) == List{1, 1, 1}), true, "all alike");
        NS_TEST_EXPECT_MSG_EQ((compute({7}) == List{1}), true, "one");
        NS_TEST_EXPECT_MSG_EQ((compute({100, 40, 25}) == List{20, 8, 5}), true, "lowest terms");
        NS_TEST_EXPECT_MSG_EQ((compute({127, 1}) == List{127, 1}), true, "128 in all");
        // 128 x 128/129 = 127.0, 128 / 129 = 0.99
        NS_TEST_EXPECT_MSG_EQ((compute({128, 1}) == List{127, 1}), true, "129: rounded");
        NS_TEST_EXPECT_MSG_EQ((compute({1000000, 1}) == List{128, 1}), true, "at least one");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Groups of tables.
 */
class WeightsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // Hosts 0 and 1 at leaves 2 and 3, spines 4 and 5; two links of 40 Gb/s from each leaf to
        // each spine. Ports of a leaf: 0 to its host, 1 and 2 to spine 4, 3 and 4 to spine 5.
        const uint64_t r = 40 * GBPS;
        const FabricGraph graph = PlanOfLinks(2,
                                              4,
                                              {{0, 2, r},
                                               {1, 3, r},
                                               {2, 4, r},
                                               {2, 4, r},
                                               {2, 5, r},
                                               {2, 5, r},
                                               {3, 4, r},
                                               {3, 4, r},
                                               {3, 5, r},
                                               {3, 5, r}});
        RoutingBuilder routing(graph);
        routing.UseWeights();
        const Entries all{{1, 1}, {2, 1}, {3, 1}, {4, 1}};
        NS_TEST_EXPECT_MSG_EQ((Count(routing.BuildTable(2), 1) == all), true, "alike: once each");
        // One link between spine 5 and leaf 3 is down: 80 Gb/s by spine 4, 40 by spine 5, half of
        // them by each of two links: 40, 40, 20, 20.
        std::vector<bool> down(10, false);
        down[9] = true;
        const auto left = routing.BuildWithout(down);
        const Entries two{{1, 2}, {2, 2}, {3, 1}, {4, 1}};
        NS_TEST_EXPECT_MSG_EQ((Count(left->BuildTable(2), 1) == two), true, "remote failure");
        // leaf 3 has one link less to spine 5 itself: 40, 40, 40
        const Entries three{{1, 1}, {2, 1}, {3, 1}};
        NS_TEST_EXPECT_MSG_EQ((Count(left->BuildTable(3), 0) == three), true, "own failure");
        // both: spine 5 leads there no longer
        down[8] = true;
        const Entries one{{1, 1}, {2, 1}};
        NS_TEST_EXPECT_MSG_EQ((Count(routing.BuildWithout(down)->BuildTable(2), 1) == one),
                              true,
                              "one spine");
        // neighbors begin where their first entry is
        const ForwardingTable table = left->BuildTable(2);
        const PortGroup group = table.Lookup(1);
        NS_TEST_ASSERT_MSG_EQ(group.nNeighbors, 2, "two spines");
        NS_TEST_EXPECT_MSG_EQ(group.neighbors[1], 4, "behind two times two");
        // without weights each port stands once
        down[8] = false;
        NS_TEST_EXPECT_MSG_EQ(
            (Count(RoutingBuilder(graph).BuildWithout(down)->BuildTable(2), 1) == all),
            true,
            "no weights");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Flows of a network.
 */
class WeightedFlowsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // ways of 100, 100 and 25 Gb/s: 4, 4 and 1 of 9
        FabricHelper helper;
        helper.SetPathSelector("ns3::WeightedEcmpPathSelector");
        Ptr<Fabric> fabric = helper.Install(MakeWays(3, {0, 0, 25 * GBPS}));
        Entries used;
        for (uint16_t entropy = 0; entropy < 9000; ++entropy)
        {
            ++used[fabric->TracePath(0, 1, entropy).at(1).port];
        }
        // 1,000 of 9,000, standard deviation sqrt(9000 x 1/9 x 8/9) = 30
        NS_TEST_EXPECT_MSG_EQ_TOL(used[3], 1000, 149, "the slow way");
        NS_TEST_EXPECT_MSG_EQ_TOL(used[1], 4000, 236, "a fast one");
        fabric->GetNic(0)->GetMessages().Send(1, 100000, 0);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(fabric->CheckConservation().Holds(), true, "conservation");
        Simulator::Destroy();
    }
};

/// Weights.
const SuiteCases g_cases("dcfabric-weights", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new EntriesTestCase("entries are in lowest terms, or rounded"));
    suite.AddTestCase(new WeightsTestCase("ports stand in groups by what failures leave"));
    suite.AddTestCase(new WeightedFlowsTestCase("flows take ways by their rates"));
});

} // namespace ns3::tests::weighted_ecmp_test
