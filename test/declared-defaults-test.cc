// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-plan.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"
#include "fabric-test-wings.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/congestion-aware-queue-disc.h"
#include "ns3/credit-flow-control.h"
#include "ns3/fabric-helper.h"
#include "ns3/marking-profile.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <cstdlib>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief What policies declare of others holds where a user has set nothing, and only there.
 */

namespace ns3::tests::declared_defaults_test
{

/**
 * @ingroup dcfabric-tests
 * @brief A load balancer with one path that declares what its attributes say.
 */
class WantingBalancer : public PerFlowLoadBalancer
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::tests::WantingBalancer")
                                .SetParent<PerFlowLoadBalancer>()
                                .AddConstructor<WantingBalancer>()
                                .AddAttribute("Type",
                                              "Class.",
                                              StringValue("ns3::FabricNic"),
                                              MakeStringAccessor(&WantingBalancer::m_type),
                                              MakeStringChecker())
                                .AddAttribute("Attribute",
                                              "Its attribute.",
                                              StringValue(""),
                                              MakeStringAccessor(&WantingBalancer::m_attribute),
                                              MakeStringChecker())
                                .AddAttribute("Value",
                                              "Its value; the RTT in ns for ``rtt``.",
                                              StringValue(""),
                                              MakeStringAccessor(&WantingBalancer::m_value),
                                              MakeStringChecker())
                                .AddAttribute("Larger",
                                              "The larger value holds.",
                                              BooleanValue(false),
                                              MakeBooleanAccessor(&WantingBalancer::m_larger),
                                              MakeBooleanChecker());
        return tid;
    }

    std::vector<PolicyDefault> ListDefaults(const PolicyNetwork& network) const override
    {
        const std::string value =
            m_value == "rtt" ? std::to_string(network.baseRttPs / 1000) : m_value;
        return {{m_type,
                 m_attribute,
                 value,
                 m_larger ? PolicyDefault::Clash::LARGER : PolicyDefault::Clash::REFUSE}};
    }

  private:
    std::string m_type;      //!< attribute
    std::string m_attribute; //!< attribute
    std::string m_value;     //!< attribute
    bool m_larger{false};    //!< attribute
};

NS_OBJECT_ENSURE_REGISTERED(WantingBalancer);

/**
 * @brief Have a helper's or a PDC's load balancer declare something.
 * @param policy to be told
 * @param type class
 * @param attribute its attribute
 * @param value its value
 * @param larger clash
 */
template <typename Policy>
void
Want(Policy& policy,
     const std::string& type,
     const std::string& attribute,
     const std::string& value,
     bool larger = false)
{
    policy.SetLoadBalancer("ns3::tests::WantingBalancer",
                           "Type",
                           StringValue(type),
                           "Attribute",
                           StringValue(attribute),
                           "Value",
                           StringValue(value),
                           "Larger",
                           BooleanValue(larger));
}

/// @return two leaves with a host each, links to the hosts of 25 Gb/s, and two spines of 100 Gb/s
FabricGraph
Plan()
{
    return PlanOfLinks(2,
                       4,
                       {{0, 2, 25 * GBPS}, {1, 3, 25 * GBPS}, {2, 4}, {2, 5}, {3, 4}, {3, 5}});
}

constexpr uint64_t BY_TIME = 0; //!< no threshold: RackRepeat

/**
 * @param fabric the network
 * @return an attribute of the reliability of host 0; BY_TIME if that goes by time
 */
uint64_t
ReorderThresholdOf(const Fabric& fabric)
{
    const Ptr<ReliabilityPolicy> policy = fabric.GetNic(0)->reliability;
    if (policy->GetInstanceTypeId().GetName() == "ns3::RackRepeat")
    {
        return BY_TIME;
    }
    UintegerValue value;
    policy->GetAttribute("ReorderThreshold", value);
    return value.Get();
}

/**
 * @param fabric the network
 * @param port 0: to the host, 1: to a spine
 * @return Kmin, Kmax of a port of leaf 2 as `Kmin,Kmax`, or `none`
 */
std::string
MarksOf(const Fabric& fabric, uint16_t port)
{
    const auto disc = DynamicCast<CongestionAwareQueueDisc>(
        fabric.GetSwitch(2)->GetPort(port)->GetQueue().GetDisc());
    if (!disc->GetMarkingProfile())
    {
        return "none";
    }
    UintegerValue kmin;
    UintegerValue kmax;
    disc->GetMarkingProfile()->GetAttribute("Kmin", kmin);
    disc->GetMarkingProfile()->GetAttribute("Kmax", kmax);
    return std::to_string(kmin.Get()) + "," + std::to_string(kmax.Get());
}

/**
 * @ingroup dcfabric-tests
 * @brief The loss rule of packets that overtake one another, whoever leads them.
 */
class OvertakingTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param configure policies
     * @return the threshold that a network gets
     */
    static uint64_t Get(void (*configure)(FabricHelper&))
    {
        FabricHelper helper;
        configure(helper);
        const uint64_t threshold = ReorderThresholdOf(*helper.Install(Plan()));
        Simulator::Destroy();
        return threshold;
    }

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(Get([](FabricHelper&) {}), 3, "one path: as the class");
        NS_TEST_EXPECT_MSG_EQ(
            Get([](FabricHelper& h) { h.SetLoadBalancer("ns3::RandomSprayLoadBalancer"); }),
            BY_TIME,
            "spraying");
        NS_TEST_EXPECT_MSG_EQ(Get([](FabricHelper& h) {
                                  h.SetLoadBalancer("ns3::RoundRobinSprayLoadBalancer",
                                                    "Entropies",
                                                    UintegerValue(1));
                              }),
                              3,
                              "a set of one path keeps order");
        NS_TEST_EXPECT_MSG_EQ(
            Get([](FabricHelper& h) { h.SetLoadBalancer("ns3::RepsLoadBalancer"); }),
            BY_TIME,
            "REPS");
        NS_TEST_EXPECT_MSG_EQ(
            Get([](FabricHelper& h) { h.SetLoadBalancer("ns3::PlbLoadBalancer"); }),
            BY_TIME,
            "PLB moves flows");
        NS_TEST_EXPECT_MSG_EQ(
            Get([](FabricHelper& h) { h.SetPathSelector("ns3::AdaptivePathSelector"); }),
            BY_TIME,
            "adaptive routing");
        NS_TEST_EXPECT_MSG_EQ(
            Get([](FabricHelper& h) { h.SetPathSelector("ns3::FlowletPathSelector"); }),
            3,
            "flowlets keep order as a rule");
        NS_TEST_EXPECT_MSG_EQ(Get([](FabricHelper& h) {
                                  h.SetLoadBalancer("ns3::RepsLoadBalancer");
                                  h.SetReliability("ns3::SelectiveRepeat");
                              }),
                              1000,
                              "who prefers to count");
        // a user's own, in each of the ways there are
        NS_TEST_EXPECT_MSG_EQ(
            Get([](FabricHelper& h) {
                h.SetLoadBalancer("ns3::RepsLoadBalancer");
                h.SetReliability("ns3::SelectiveRepeat", "ReorderThreshold", UintegerValue(3));
            }),
            3,
            "by the helper, though it is the value of the class");
        const auto reps = [](FabricHelper& h) { h.SetLoadBalancer("ns3::RepsLoadBalancer"); };
        Config::SetDefault("ns3::SelectiveRepeat::ReorderThreshold", UintegerValue(3));
        NS_TEST_EXPECT_MSG_EQ(Get(reps), 3, "by Config::SetDefault()");
        Config::Reset();
        NS_TEST_EXPECT_MSG_EQ(Get(reps), BY_TIME, "no longer");
        // of which recent versions of ns-3 read the value only once, at the beginning
        setenv("NS_ATTRIBUTE_DEFAULT", "ns3::A::B=1;ns3::SelectiveRepeat::ReorderThreshold=5", 1);
        NS_TEST_EXPECT_MSG_NE(Get(reps), BY_TIME, "by the environment");
        unsetenv("NS_ATTRIBUTE_DEFAULT");

        // one helper, two networks: each has what its own policies declare
        FabricHelper helper;
        helper.SetLoadBalancer("ns3::RepsLoadBalancer");
        NS_TEST_EXPECT_MSG_EQ(ReorderThresholdOf(*helper.Install(Plan())),
                              BY_TIME,
                              "first network");
        helper.SetLoadBalancer("ns3::PerFlowLoadBalancer");
        NS_TEST_EXPECT_MSG_EQ(ReorderThresholdOf(*helper.Install(Plan())), 3, "second network");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Marking profiles where marks are read, with thresholds for the rate of each link.
 */
class MarksTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param helper policies
     * @return thresholds to the host and to a spine
     */
    static std::string Get(FabricHelper helper)
    {
        const Ptr<Fabric> fabric = helper.Install(Plan());
        std::string marks = MarksOf(*fabric, 0) + " " + MarksOf(*fabric, 1);
        Simulator::Destroy();
        return marks;
    }

    /**
     * @param cc name of the congestion control
     * @return a helper
     */
    static FabricHelper With(const std::string& cc)
    {
        FabricHelper helper;
        helper.SetCongestionControl("ns3::" + cc + "CongestionControl");
        return helper;
    }

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(Get(With("Swift")), "none none", "nobody reads marks");
        // 100 kB and 400 kB at 100 Gb/s, a quarter at 25 Gb/s
        NS_TEST_EXPECT_MSG_EQ(Get(With("Dcqcn")), "25000,100000 100000,400000", "DCQCN");
        // a step at 300 kB
        NS_TEST_EXPECT_MSG_EQ(Get(With("Dctcp")), "75000,75000 300000,300000", "DCTCP");
        FabricHelper reps = With("Swift");
        reps.SetLoadBalancer("ns3::RepsLoadBalancer");
        NS_TEST_EXPECT_MSG_EQ(Get(reps), "25000,100000 100000,400000", "REPS");

        // a user's own thresholds hold at any rate, but for one that comes with them
        FabricHelper own = With("Dctcp");
        own.SetMarkingProfile("ns3::WredMarkingProfile",
                              "Kmin",
                              UintegerValue(20000),
                              "Kmax",
                              UintegerValue(40000));
        NS_TEST_EXPECT_MSG_EQ(Get(own), "20000,40000 20000,40000", "by the helper");
        own.SetMarkingProfile("ns3::WredMarkingProfile",
                              "Kmin",
                              UintegerValue(20000),
                              "Kmax",
                              UintegerValue(40000),
                              "Rate",
                              StringValue("50Gbps"));
        NS_TEST_EXPECT_MSG_EQ(Get(own), "10000,20000 40000,80000", "at 50 Gb/s");
        // Pmax is no threshold
        own.SetMarkingProfile("ns3::WredMarkingProfile", "Pmax", StringValue("0.5"));
        NS_TEST_EXPECT_MSG_EQ(Get(own), "75000,75000 300000,300000", "Pmax alone");
        Config::SetDefault("ns3::WredMarkingProfile::Kmin", UintegerValue(30000));
        NS_TEST_EXPECT_MSG_EQ(Get(With("Dctcp")), "30000,300000 30000,300000", "one of both");
        Config::Reset();
        FabricHelper none = With("Dctcp");
        none.SetMarkingProfile("none");
        DCFABRIC_EXPECT_REFUSAL(Get(none), "needs ECN marks");
        Simulator::Destroy();

        // credits of a class hold the peer back at 60 packets of 1100 B: marks begin before, and
        // Kmax goes down with Kmin
        FabricHelper credits = With("Dcqcn");
        credits.SetFlowControl("ns3::CreditFlowControl", "BufferBytes", UintegerValue(66000));
        const Ptr<Fabric> fabric = credits.Install(Plan());
        const uint64_t most = dynamic_cast<const CreditFlowControl&>(
                                  *fabric->GetSwitch(2)->GetPort(1)->GetFlowControl())
                                  .GetBufferBytes();
        NS_TEST_EXPECT_MSG_LT(most, 100000, "a case of this test");
        NS_TEST_EXPECT_MSG_EQ(MarksOf(*fabric, 1),
                              std::to_string(most) + "," + std::to_string(4 * most),
                              "within the buffer");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What several policies declare, of whatever class, and classes that they declare.
 */
class DeclarationsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        if (HasClass("ns3::ProactiveFlowThrottle"))
        {
            // a throttle: 2048 units of 64 B
            FabricHelper pft;
            pft.SetFlowControl("ns3::CreditFlowControl");
            pft.SetThrottle("ns3::ProactiveFlowThrottle");
            const Ptr<Fabric> throttled = pft.Install(Plan());
            const auto* credits = dynamic_cast<const CreditFlowControl*>(
                throttled->GetNic(0)->GetPort(0)->GetFlowControl());
            UintegerValue bytes;
            credits->GetAttribute("BufferBytes", bytes);
            NS_TEST_EXPECT_MSG_EQ(bytes.Get(), 131072, "PFT: the buffer of its link");
            Simulator::Destroy();
        }

        // by what is known of the network: 2 x (2 + 1) us of links, and 1078 + 20 and 98 + 20 bytes
        // on four links: 100 Gb/s twice, 25 Gb/s twice
        FabricHelper rtt;
        Want(rtt, "ns3::FabricNic", "AckTimeout", "1ms");
        Ptr<Fabric> fabric = rtt.Install(Plan());
        NS_TEST_EXPECT_MSG_EQ(fabric->GetNic(0)->GetAckTimeout().fixedPs, 1000 * US, "of the NIC");
        Want(rtt, "ns3::SelectiveRepeat", "ReorderThreshold", "rtt");
        fabric = rtt.Install(Plan());
        NS_TEST_EXPECT_MSG_EQ(ReorderThresholdOf(*fabric),
                              static_cast<uint64_t>(fabric->GetMaxBaseRttPs() / 1000),
                              "a function of the RTT");
        Simulator::Destroy();

        // two that need different values of one attribute
        FabricHelper two;
        two.SetReliability("ns3::SelectiveRepeat");
        two.SetPathSelector("ns3::AdaptivePathSelector"); // 1000
        Want(two, "ns3::SelectiveRepeat", "ReorderThreshold", "999", true);
        NS_TEST_EXPECT_MSG_EQ(ReorderThresholdOf(*two.Install(Plan())), 1000, "the larger");
        Want(two, "ns3::SelectiveRepeat", "ReorderThreshold", "1001", true);
        NS_TEST_EXPECT_MSG_EQ(ReorderThresholdOf(*two.Install(Plan())), 1001, "as a number");
        Want(two, "ns3::SelectiveRepeat", "ReorderThreshold", "1001");
        DCFABRIC_EXPECT_REFUSAL(two.Install(Plan()),
                                "ns3::tests::WantingBalancer needs "
                                "ns3::SelectiveRepeat::ReorderThreshold 1001, but "
                                "ns3::AdaptivePathSelector 1000; set it, or leave one of them out");
        Want(two, "ns3::SelectiveRepeat", "ReorderThreshold", "1000");
        NS_TEST_EXPECT_MSG_EQ(ReorderThresholdOf(*two.Install(Plan())), 1000, "the same is none");
        Want(two, "ns3::SelectiveRepeat", "ReorderThreshold", "1001");
        two.SetReliability("ns3::SelectiveRepeat", "ReorderThreshold", UintegerValue(7));
        NS_TEST_EXPECT_MSG_EQ(ReorderThresholdOf(*two.Install(Plan())), 7, "a user has said");
        Simulator::Destroy();

        // a class
        const auto reliability = [](const Ptr<Fabric>& network) {
            return network->GetNic(0)->reliability->GetInstanceTypeId().GetName();
        };
        FabricHelper back;
        Want(back, "ns3::ReliabilityPolicy", "", "ns3::GoBackN");
        NS_TEST_EXPECT_MSG_EQ(reliability(back.Install(Plan())), "ns3::GoBackN", "of the policy");
        NS_TEST_EXPECT_MSG_EQ(back.FindReliability(Plan()).GetName(), "ns3::GoBackN", "foretold");
        Config::SetDefault("ns3::SelectiveRepeat::ReorderThreshold", UintegerValue(3));
        NS_TEST_EXPECT_MSG_EQ(reliability(back.Install(Plan())),
                              "ns3::SelectiveRepeat",
                              "who sets an attribute means its class");
        Config::Reset();
        back.SetReliability("ns3::SelectiveRepeat");
        NS_TEST_EXPECT_MSG_EQ(reliability(back.Install(Plan())), "ns3::SelectiveRepeat", "user's");
        Simulator::Destroy();

        // what makes no sense names the policy
        FabricHelper wrong;
        Want(wrong, "ns3::SelectiveRepeat", "Threshold", "3");
        DCFABRIC_EXPECT_REFUSAL(wrong.Install(Plan()), "ns3::tests::WantingBalancer");
        Want(wrong, "ns3::SelectiveRepeat", "ReorderThreshold", "many");
        DCFABRIC_EXPECT_REFUSAL(wrong.Install(Plan()), "ns3::tests::WantingBalancer");
        Want(wrong, "ns3::ReliabilityPolicy", "", "ns3::FabricNic");
        DCFABRIC_EXPECT_REFUSAL(wrong.Install(Plan()), "ns3::tests::WantingBalancer");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Policies of some PDCs: those that come later, too, and those that were announced.
 */
class LaterTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        FabricHelper helper;
        PdcPolicyHelper sprayer;
        sprayer.SetCongestionControl("ns3::DctcpCongestionControl");
        sprayer.SetLoadBalancer("ns3::RandomSprayLoadBalancer");
        Ptr<Fabric> fabric = helper.Install(Plan());
        NS_TEST_EXPECT_MSG_EQ(ReorderThresholdOf(*fabric), 3, "before");
        NS_TEST_EXPECT_MSG_EQ(MarksOf(*fabric, 0), "none", "before");
        sprayer.Install(fabric, NodeContainer(fabric->GetNodes().Get(1)));
        NS_TEST_EXPECT_MSG_EQ(ReorderThresholdOf(*fabric), BY_TIME, "all hosts");
        NS_TEST_EXPECT_MSG_EQ(MarksOf(*fabric, 0), "75000,75000", "all switches");
        Simulator::Destroy();

        helper.Expect(sprayer);
        fabric = helper.Install(Plan());
        NS_TEST_EXPECT_MSG_EQ(ReorderThresholdOf(*fabric), BY_TIME, "announced");
        NS_TEST_EXPECT_MSG_EQ(MarksOf(*fabric, 0), "75000,75000", "announced");
        Simulator::Destroy();

        // a user's own stays
        FabricHelper own;
        own.SetReliability("ns3::SelectiveRepeat", "ReorderThreshold", UintegerValue(3));
        own.SetMarkingProfile("ns3::WredMarkingProfile", "Kmin", UintegerValue(1));
        fabric = own.Install(Plan());
        sprayer.Install(fabric, NodeContainer(fabric->GetNodes().Get(1)));
        NS_TEST_EXPECT_MSG_EQ(ReorderThresholdOf(*fabric), 3, "a user's");
        NS_TEST_EXPECT_MSG_EQ(MarksOf(*fabric, 0), "1,300000", "a user's, and what he left");

        // what is there from the start cannot come later; nothing is installed then
        PdcPolicyHelper late;
        Want(late, "ns3::SharedBuffer", "Alpha", "0.5");
        DCFABRIC_EXPECT_REFUSAL(
            late.Install(fabric, NodeContainer(fabric->GetNodes().Get(1))),
            "ns3::SharedBuffer::Alpha, which a network has from the start; name the policy to "
            "FabricHelper::Expect()");
        own.Expect(late);
        fabric = own.Install(Plan());
        late.Install(fabric, NodeContainer(fabric->GetNodes().Get(1)));
        Simulator::Destroy();
    }
};

/// What policies declare of others.
const SuiteCases g_cases("dcfabric-defaults", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new OvertakingTestCase("the loss rule where packets overtake"));
    suite.AddTestCase(new MarksTestCase("marks where they are read, by the rates of links"));
    suite.AddTestCase(new DeclarationsTestCase("clashes, functions of the network, classes"));
    suite.AddTestCase(new LaterTestCase("policies of some PDCs"));
});

} // namespace ns3::tests::declared_defaults_test
