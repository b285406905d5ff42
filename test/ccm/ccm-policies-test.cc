// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-errors.h"
#include "../fabric-test-suite.h"
#include "../fabric-test-transport.h"
#include "../fabric-test-wings.h"

#include "ns3/boolean.h"
#include "ns3/fabric-topology.h"
#include "ns3/fabric-totals.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <string>
#include <string_view>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Coordinated congestion management under every congestion control and on every kind of
 * network: both halves together, and neither alone.
 */

namespace ns3::tests::ccm_policies_test
{

/// A congestion control.
struct Control
{
    const char* name;         //!< class
    std::string_view feature; //!< that it needs of switches; empty: none
    bool marks;               //!< it lives on marks
};

/// All that go with it.
constexpr Control CONTROLS[] = {
    {"ns3::NoCongestionControl", "", false},
    {"ns3::DcqcnCongestionControl", "", true},
    {"ns3::DctcpCongestionControl", "", true},
    {"ns3::TimelyCongestionControl", "", false},
    {"ns3::SwiftCongestionControl", "", false},
    {"ns3::HpccCongestionControl", "ns3::HpccIntFeature", false},
    {"ns3::RoccCongestionControl", "ns3::RoccFeature", false},
    {"ns3::BtsCongestionControl", "ns3::WrebFeature", false},
};

/**
 * @param control congestion control
 * @return policies
 */
FabricHelper
MakeHelper(const Control& control)
{
    FabricHelper helper;
    helper.SetCongestionControl(control.name);
    if (!control.feature.empty())
    {
        helper.AddSwitchFeature(std::string(control.feature));
    }
    if (control.marks)
    {
        helper.SetMarkingProfile("ns3::WredMarkingProfile");
    }
    return helper;
}

/**
 * @param totals of a network
 * @param name of the counter
 * @return a counter
 */
uint64_t
CountOf(const FabricTotals& totals, const std::string& name)
{
    for (const auto& [other, count] : totals.features)
    {
        if (other == name)
        {
            return count;
        }
    }
    return UINT64_MAX;
}

/**
 * @ingroup dcfabric-tests
 * @brief A permutation and an incast on a small network, under each congestion control.
 */
class ControlsTestCase : public NamedCase
{
  public:
    /// @param network as `--topology` names it
    explicit ControlsTestCase(const std::string& network)
        : NamedCase("all congestion controls: " + network),
          m_network(network)
    {
    }

  private:
    /**
     * @brief Run.
     * @param control congestion control
     * @param lossless with PFC
     * @param sprays hosts spread packets, in place of adaptive routing
     */
    void Run(const Control& control, bool lossless, bool sprays)
    {
        const std::string what = std::string(control.name) + (lossless ? ", PFC" : ", lossy") +
                                 (sprays ? ", sprayed" : "");
        const Ptr<FabricTopology> topology = MakeFabricTopology(m_network);
        FabricHelper helper = MakeHelper(control);
        helper.SetFlowControl(lossless ? "ns3::PriorityFlowControl" : "none");
        if (sprays)
        {
            helper.SetPathSelector("ns3::EcmpPathSelector");
            helper.SetLoadBalancer("ns3::RandomSprayLoadBalancer");
            helper.AddSwitchFeature("ns3::CcmFeature", "Adaptive", BooleanValue(false));
        }
        helper.AddCoordination("ns3::CoordinationGateModifier");
        const TestNetwork network(topology->BuildGraph(), helper);
        const std::vector<uint32_t>& hosts = network.fabric->GetHosts();
        std::size_t sent = 0;
        for (std::size_t i = 0; i < hosts.size(); ++i)
        {
            // to the other half of the network, and all to the first host
            network.MessagesOf(hosts[i]).Send(hosts[(i + hosts.size() / 2) % hosts.size()],
                                              100000,
                                              static_cast<uint32_t>(sent++));
            if (i != 0)
            {
                network.MessagesOf(hosts[i]).Send(hosts[0], 100000, static_cast<uint32_t>(sent++));
            }
        }
        Simulator::Stop(MilliSeconds(50));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.delivered.size(), sent, what << ": delivered");
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), sent, what << ": acknowledged");
        const FabricTotals totals = FabricTotals::Collect(*network.fabric);
        NS_TEST_EXPECT_MSG_GT(CountOf(totals, "ccm_type1"), 0, what << ": the incast is told");
        NS_TEST_EXPECT_MSG_EQ((lossless && totals.lossInFabric > 0), false, what << ": no loss");
        if (sprays)
        {
            NS_TEST_EXPECT_MSG_EQ(CountOf(totals, "ccm_type3") + CountOf(totals, "ccm_moves"),
                                  0,
                                  what << ": switches move nothing");
        }
        NS_TEST_EXPECT_MSG_EQ((CountOf(totals, "ccm_type2") > CountOf(totals, "ccm_type1")),
                              false,
                              what << ": no release without claim");
    }

    void DoRun() override
    {
        if (!HasTopology(m_network))
        {
            return;
        }
        for (const Control& control : CONTROLS)
        {
            const bool readsInt = control.feature == "ns3::HpccIntFeature";
            for (const bool lossless : {true, false})
            {
                Run(control, lossless, false);
                if (!readsInt)
                {
                    Run(control, lossless, true);
                }
            }
        }
    }

    std::string m_network; //!< as `--topology` names it
};

/**
 * @ingroup dcfabric-tests
 * @brief What is refused, by the names of both sides.
 */
class CoordinationRefusalsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief Expect a refusal.
     * @param helper what is refused
     * @param parts of the message
     */
    void Expect(FabricHelper helper, const std::vector<std::string>& parts)
    {
        const std::string refusal = RefusalOf([&]() { helper.Install(MakeTwoLeaves(1, 2)); });
        for (const std::string& part : parts)
        {
            NS_TEST_EXPECT_MSG_EQ(Contains(refusal, part), true, part << " in: " << refusal);
        }
        Simulator::Destroy();
    }

    /// @return both halves
    static FabricHelper MakeBoth()
    {
        FabricHelper helper;
        helper.AddCoordination("ns3::CoordinationGateModifier");
        return helper;
    }

    void DoRun() override
    {
        const std::string feature = "ns3::CcmFeature";
        FabricHelper hosts;
        hosts.AddModifier("ns3::CoordinationGateModifier");
        Expect(hosts, {"ns3::CoordinationGateModifier needs", feature, "AddSwitchFeature()"});
        FabricHelper switches;
        switches.AddSwitchFeature(feature);
        Expect(switches, {feature, "ns3::NoCongestionControl ignores", "CoordinationGateModifier"});

        for (const char* selector : {"ns3::FlowletPathSelector",
                                     "ns3::AdaptivePathSelector",
                                     "ns3::SpanningTreePathSelector"})
        {
            FabricHelper helper = MakeBoth();
            helper.SetPathSelector(selector);
            Expect(helper, {feature, selector, "ns3::SymmetricEcmpPathSelector", "Adaptive"});
        }
        for (const char* balancer :
             {"ns3::RandomSprayLoadBalancer", "ns3::RepsLoadBalancer", "ns3::PlbLoadBalancer"})
        {
            FabricHelper helper = MakeBoth();
            helper.SetLoadBalancer(balancer);
            Expect(helper, {feature, balancer, "ns3::PerFlowLoadBalancer", "Adaptive"});
        }
        FabricHelper fncc = MakeBoth();
        fncc.SetCongestionControl("ns3::FnccCongestionControl");
        fncc.AddSwitchFeature("ns3::FnccIntFeature");
        Expect(fncc, {feature, "ns3::FnccCongestionControl", "ns3::HpccCongestionControl"});
        FabricHelper goBackN = MakeBoth();
        goBackN.SetReliability("ns3::GoBackN");
        Expect(goBackN, {feature, "ns3::GoBackN", "ns3::SelectiveRepeat"});
        if (HasClass("ns3::RcmFeature"))
        {
            FabricHelper rcm = MakeBoth();
            rcm.SetBuffer("ns3::VoqBuffer");
            rcm.AddSwitchFeature("ns3::RcmFeature");
            Expect(rcm, {feature, "ns3::RcmFeature", "Adaptive"});
        }

        // what a switch says again after 300 us must be remembered for longer
        for (const int64_t forgetUs : {100, 299, 300, 301})
        {
            FabricHelper forgetful;
            forgetful.AddSwitchFeature(feature, "ClaimRefresh", TimeValue(MicroSeconds(300)));
            forgetful.AddCoordination("ns3::CoordinationGateModifier",
                                      "ClaimTimeout",
                                      TimeValue(MicroSeconds(forgetUs)));
            const std::string told = RefusalOf([&]() { forgetful.Install(MakeTwoLeaves(1, 2)); });
            NS_TEST_EXPECT_MSG_EQ(
                told,
                (forgetUs > 300 ? std::string("(accepted)")
                                : "ns3::CoordinationGateModifier forgets what switches said " +
                                      std::to_string(forgetUs) +
                                      " us ago, but they repeat it after 300 us; set "
                                      "ns3::CoordinationGateModifier::ClaimTimeout above "
                                      "ns3::CcmFeature::ClaimRefresh"),
                "forgets after " << forgetUs << " us");
            Simulator::Destroy();
        }

        // with spraying in place of adaptive routing
        FabricHelper spraying;
        spraying.SetLoadBalancer("ns3::RandomSprayLoadBalancer");
        spraying.AddSwitchFeature(feature, "Adaptive", BooleanValue(false));
        spraying.AddCoordination("ns3::CoordinationGateModifier");
        const std::string answer = RefusalOf([&]() { spraying.Install(MakeTwoLeaves(1, 2)); });
        NS_TEST_EXPECT_MSG_EQ(answer, "(accepted)", "types 1 and 2 only");
        Simulator::Destroy();
    }
};

/// Coordination and other policies.
const SuiteCases g_cases("dcfabric-policies", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.AddTestCase(
        new CoordinationRefusalsTestCase("coordination: one half alone, others that choose paths"));
    for (const char* network : {"leaf-spine:leaves=4,spines=2,hosts=4",
                                "fat-tree:k=4",
                                "clos4:racks=2,hosts=2,l1=2,l2=2,switching-racks=2,l3=2,l4=2",
                                "dragonfly:hosts=2,routers=2,globals=1,groups=3",
                                "dragonfly-plus:leaves=2,spines=2,hosts=2,globals=1,groups=3",
                                "torus:dims=3x3,hosts=1"})
    {
        suite.AddTestCase(new ControlsTestCase(network));
    }
});

} // namespace ns3::tests::ccm_policies_test
