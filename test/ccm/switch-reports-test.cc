// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-errors.h"
#include "../fabric-test-plan.h"
#include "../fabric-test-suite.h"
#include "../fabric-test-wings.h"
#include "fabric-test-ccm.h"

#include "ns3/ccm-packet.h"
#include "ns3/fabric-topology.h"
#include "ns3/test.h"

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Reports from switch to switch: routes lead back along the way of a flow, and are part of
 * the proof that routes cannot deadlock.
 */

namespace ns3::tests::switch_reports_test
{

/// Networks of all kinds, small.
const char* const TOPOLOGIES[] = {"leaf-spine:leaves=3,spines=3,hosts=2",
                                  "fat-tree:k=4",
                                  "clos4:racks=4,hosts=1,l1=2,l2=2,switching-racks=2,l3=2,l4=2",
                                  "dragonfly:hosts=1,routers=4,globals=2,groups=9",
                                  "dragonfly:hosts=2,routers=2,globals=1,groups=3",
                                  "dragonfly-plus:leaves=2,spines=2,hosts=2,globals=2,groups=5",
                                  "torus:dims=4x4,hosts=1",
                                  "torus:dims=5x3x2,hosts=1",
                                  "hyperx:dims=4x4,hosts=1"};

/**
 * @ingroup dcfabric-tests
 * @brief Reports from every switch on the way of a flow to every one before it arrive, under each
 * flow control, whose proof accepts the routes.
 */
class SwitchRoutesTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        for (const std::string topology : TOPOLOGIES)
        {
            for (const std::string flowControl :
                 {"ns3::PriorityFlowControl", "ns3::CreditFlowControl", "none"})
            {
                Check(topology, flowControl);
            }
        }
    }

    /**
     * @brief Send all reports.
     * @param topology as on a command line
     * @param flowControl class, or none
     */
    void Check(const std::string& topology, const std::string& flowControl)
    {
        if (!HasTopology(topology))
        {
            return;
        }
        const std::string name = topology + ", " + flowControl;
        FabricHelper helper = CcmNetwork::MakeHelper();
        helper.SetFlowControl(flowControl);
        CcmNetwork net(MakeFabricTopology(topology)->BuildGraph(), helper);
        const Fabric& fabric = *net.fabric;
        std::set<std::pair<uint32_t, uint32_t>> pairs;
        for (const uint32_t src : fabric.GetHosts())
        {
            for (const uint32_t dst : fabric.GetHosts())
            {
                const auto path = src == dst
                                      ? std::vector<FabricHop>()
                                      : fabric.TracePath(src, dst, static_cast<uint16_t>(src));
                for (std::size_t i = 2; i < path.size(); ++i)
                {
                    for (std::size_t j = 1; j < i; ++j)
                    {
                        pairs.insert({path[i].node, path[j].node});
                    }
                }
            }
        }
        for (const auto& [by, to] : pairs)
        {
            auto item = FabricPacketItem::Create(FabricPacketType::CCM);
            item->src = by;
            item->dst = to;
            item->size = 74;
            item->ds = FabricPacketItem::MakeDs(6, 0);
            item->As<CcmFields>() = {CcmKind::REROUTE, 0, 1, 0};
            item->UpdateFlowHash();
            fabric.GetSwitch(by)->Originate(item);
        }
        Simulator::Run();
        uint64_t consumed = 0;
        for (uint32_t node = 0; node < fabric.GetGraph().GetNNodes(); ++node)
        {
            consumed += fabric.GetGraph().IsHost(node) ? 0 : fabric.GetSwitch(node)->GetNConsumed();
        }
        NS_TEST_EXPECT_MSG_GT(pairs.size(), 2, name);
        NS_TEST_EXPECT_MSG_EQ(consumed, pairs.size(), name << ": all reports arrive");
        NS_TEST_EXPECT_MSG_EQ(fabric.GetDrops().empty(), true, name << ": none is lost");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Where nobody has a choice nobody is reported to; what deadlocks is refused as ever.
 */
class SwitchProofTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // hosts at switches 2 and 4 of a ring of five, 2 - 3 - 4 - 5 - 6: data takes 2-3-4 only,
        // where no switch has a choice: nobody is reported to, and nothing is added
        FabricHelper helper = CcmNetwork::MakeHelper();
        helper.SetFlowControl("ns3::PriorityFlowControl");
        const FabricGraph ring =
            PlanOfLinks(2, 5, {{0, 2}, {1, 4}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 2}});
        NS_TEST_EXPECT_MSG_EQ(RefusalOf([&] { helper.Install(ring); }), "(accepted)", "ring");
        Simulator::Destroy();
        // a host at each of four switches: the data deadlocks, which is refused as ever
        DCFABRIC_EXPECT_REFUSAL(helper.Install(MakeRing(4)), "can deadlock");
        Simulator::Destroy();
    }
};

/// Reports from switch to switch.
const SuiteCases g_cases("dcfabric-routing", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new SwitchRoutesTestCase("routes to switches: reports arrive, proven"));
    suite.AddTestCase(new SwitchProofTestCase("routes to switches: what the proof looks at"));
});

} // namespace ns3::tests::switch_reports_test
