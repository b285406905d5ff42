// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"

#include "ns3/congestion-modifier.h"
#include "ns3/fabric-helper.h"
#include "ns3/switch-feature.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Features that move flows, beside others that choose paths; modifiers that need features.
 */

namespace ns3::tests::moving_features_test
{

/**
 * @ingroup dcfabric-tests
 * @brief A feature that says it moves flows, or spreads them over paths.
 */
class RoamingFeature : public SwitchFeature
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::tests::RoamingFeature")
                                .SetParent<SwitchFeature>()
                                .SetGroupName("Dcfabric")
                                .AddConstructor<RoamingFeature>()
                                .AddAttribute("Paths",
                                              "Of a flow; 0: one, but it may be another one later.",
                                              UintegerValue(0),
                                              MakeUintegerAccessor(&RoamingFeature::m_paths),
                                              MakeUintegerChecker<uint32_t>());
        return tid;
    }

    uint32_t GetHooks() const override
    {
        return 0;
    }

    Effects GetEffects() const override
    {
        Effects effects;
        effects.moves = m_paths == 0;
        effects.stay = "Paths";
        effects.stayValue = "1";
        effects.paths = m_paths == 0 ? 1 : m_paths;
        return effects;
    }

  private:
    uint32_t m_paths; //!< attribute
};

NS_OBJECT_ENSURE_REGISTERED(RoamingFeature);

/**
 * @ingroup dcfabric-tests
 * @brief A modifier that needs it.
 */
class RoamersModifier : public CongestionModifier
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::tests::RoamersModifier")
                                .SetParent<CongestionModifier>()
                                .SetGroupName("Dcfabric")
                                .AddConstructor<RoamersModifier>();
        return tid;
    }

    CongestionControlNeeds GetNeeds() const override
    {
        CongestionControlNeeds needs;
        needs.features = {{"ns3::tests::RoamingFeature", "company, but the switches"}};
        return needs;
    }
};

NS_OBJECT_ENSURE_REGISTERED(RoamersModifier);

/**
 * @ingroup dcfabric-tests
 * @brief What is refused, and what is not.
 */
class MovingFeaturesTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param helper policies
     * @return what Install() says
     */
    static std::string Install(FabricHelper& helper)
    {
        const std::string answer = RefusalOf([&]() { helper.Install(MakeTwoLeaves(1, 2)); });
        Simulator::Destroy();
        return answer;
    }

    /**
     * @brief Expect parts of a refusal.
     * @param helper policies
     * @param parts of what it says
     */
    void Refused(FabricHelper& helper, const std::vector<std::string>& parts)
    {
        const std::string answer = Install(helper);
        for (const std::string& part : parts)
        {
            NS_TEST_EXPECT_MSG_EQ(Contains(answer, part), true, part << " in: " << answer);
        }
    }

    /// @return policies with a feature that moves flows
    static FabricHelper MakeHelper()
    {
        FabricHelper helper;
        helper.AddSwitchFeature("ns3::tests::RoamingFeature");
        return helper;
    }

    void DoRun() override
    {
        const std::string roaming = "ns3::tests::RoamingFeature";
        const std::string stay = "or set ns3::tests::RoamingFeature::Paths=1";
        FabricHelper alone = MakeHelper();
        NS_TEST_EXPECT_MSG_EQ(Install(alone), "(accepted)", "alone");
        for (const char* selector : {"ns3::FlowletPathSelector",
                                     "ns3::AdaptivePathSelector",
                                     "ns3::SpanningTreePathSelector"})
        {
            FabricHelper helper = MakeHelper();
            helper.SetPathSelector(selector);
            Refused(helper, {roaming + " moves", selector, "SymmetricEcmpPathSelector", stay});
        }
        for (const char* balancer :
             {"ns3::RandomSprayLoadBalancer", "ns3::RepsLoadBalancer", "ns3::PlbLoadBalancer"})
        {
            FabricHelper helper = MakeHelper();
            helper.SetLoadBalancer(balancer);
            Refused(helper, {roaming + " moves", balancer, "ns3::PerFlowLoadBalancer", stay});
        }
        FabricHelper two = MakeHelper();
        two.AddSwitchFeature(roaming, "Paths", UintegerValue(2));
        Refused(two, {roaming + " moves", "leave one of them out", stay});

        FabricHelper spraying;
        spraying.SetLoadBalancer("ns3::RandomSprayLoadBalancer");
        spraying.AddSwitchFeature(roaming, "Paths", UintegerValue(1));
        NS_TEST_EXPECT_MSG_EQ(Install(spraying), "(accepted)", "it stays");

        // a modifier without the feature that it needs, and with it
        FabricHelper lonely;
        lonely.AddModifier("ns3::tests::RoamersModifier");
        Refused(lonely, {"ns3::tests::RoamersModifier needs company", roaming, "AddSwitchFeature"});
        for (const bool before : {false, true})
        {
            FabricHelper helper;
            if (before)
            {
                helper.AddSwitchFeature(roaming, "Paths", UintegerValue(1));
            }
            helper.AddCoordination("ns3::tests::RoamersModifier");
            const Ptr<Fabric> fabric = helper.Install(MakeTwoLeaves(1, 2));
            const auto& features = fabric->GetSwitch(2)->GetFeatures();
            NS_TEST_EXPECT_MSG_EQ(features.size(), 1, "once");
            NS_TEST_EXPECT_MSG_EQ(features.front()->GetEffects().moves, !before, "as it was added");
            Simulator::Destroy();
        }
    }
};

/// Features that move flows.
const SuiteCases g_cases("dcfabric-helper", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new MovingFeaturesTestCase(
        "features that move flows beside others that choose paths; modifiers that need features"));
});

} // namespace ns3::tests::moving_features_test
