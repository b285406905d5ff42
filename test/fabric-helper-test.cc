// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-network.h"
#include "fabric-test-plan.h"
#include "fabric-test-suite.h"

#include "ns3/boolean.h"
#include "ns3/congestion-modifier.h"
#include "ns3/double.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-topology.h"
#include "ns3/fabric-warning.h"
#include "ns3/load-balancer.h"
#include "ns3/string.h"
#include "ns3/switch-feature.h"
#include "ns3/test.h"

#include <utility>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief What FabricHelper refuses, and what it says then.
 */

namespace ns3::tests::fabric_helper_test
{

/**
 * @ingroup dcfabric-tests
 * @brief A load balancer that sprays packets over all paths.
 */
class SprayingBalancer : public LoadBalancer
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::tests::SprayingBalancer")
                                .SetParent<LoadBalancer>()
                                .SetGroupName("Dcfabric")
                                .AddConstructor<SprayingBalancer>();
        return tid;
    }

    void Start(uint16_t entropy) override
    {
        m_next = entropy;
    }

    uint16_t ChooseEntropy(int64_t /* nowPs */, bool /* retransmission */) override
    {
        return m_next++;
    }

    uint32_t GetMaxPaths() const override
    {
        return UINT32_MAX;
    }

  private:
    uint16_t m_next{0}; //!< of the next packet
};

NS_OBJECT_ENSURE_REGISTERED(SprayingBalancer);

/**
 * @ingroup dcfabric-tests
 * @brief A feature that sends packets of a flow over two paths.
 */
class DetourFeature : public SwitchFeature
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::tests::DetourFeature")
                                .SetParent<SwitchFeature>()
                                .SetGroupName("Dcfabric")
                                .AddConstructor<DetourFeature>()
                                .AddAttribute("KeepsOrder",
                                              "Flows move as a whole.",
                                              BooleanValue(false),
                                              MakeBooleanAccessor(&DetourFeature::m_keepsOrder),
                                              MakeBooleanChecker())
                                .AddAttribute("HoldsPackets",
                                              "Packets wait for it.",
                                              BooleanValue(false),
                                              MakeBooleanAccessor(&DetourFeature::m_holdsPackets),
                                              MakeBooleanChecker());
        return tid;
    }

    uint32_t GetHooks() const override
    {
        return CHOOSE_PATH;
    }

    Effects GetEffects() const override
    {
        Effects effects;
        effects.paths = 2;
        effects.keepsOrder = m_keepsOrder;
        effects.holdsPackets = m_holdsPackets;
        return effects;
    }

    int64_t AssignStreams(int64_t stream) override
    {
        m_stream = stream;
        return 3;
    }

    /// @return the first stream that it was given
    int64_t GetStream() const
    {
        return m_stream;
    }

  private:
    bool m_keepsOrder;    //!< attribute
    bool m_holdsPackets;  //!< attribute
    int64_t m_stream{-1}; //!< the first one
};

NS_OBJECT_ENSURE_REGISTERED(DetourFeature);

/// @return two hosts and two switches
FabricGraph
Plan()
{
    return MakeChain({100 * GBPS, 100 * GBPS, 100 * GBPS}, 1000000);
}

/**
 * @ingroup dcfabric-tests
 * @brief Names and values.
 */
class HelperNameTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        FabricHelper helper;
        DCFABRIC_EXPECT_REFUSAL(
            helper.SetCongestionControl("ns3::HpcCongestionControl"),
            "unknown congestion control \"ns3::HpcCongestionControl\"; known: ");
        DCFABRIC_EXPECT_REFUSAL(helper.SetCongestionControl("hpcc"), "ns3::HpccCongestionControl");
        DCFABRIC_EXPECT_REFUSAL(helper.SetCongestionControl("hpcc"), "ns3::NoCongestionControl");
        // known, but something else; abstract
        DCFABRIC_EXPECT_REFUSAL(helper.SetCongestionControl("ns3::SharedBuffer"), "unknown");
        DCFABRIC_EXPECT_REFUSAL(helper.SetCongestionControl("ns3::CongestionControl"), "unknown");
        DCFABRIC_EXPECT_REFUSAL(helper.AddModifier("ns3::X"), "unknown modifier \"ns3::X\"");
        DCFABRIC_EXPECT_REFUSAL(helper.SetLoadBalancer(""), "unknown load balancer \"\"");
        DCFABRIC_EXPECT_REFUSAL(helper.SetPathSelector("ecmp"), "ns3::EcmpPathSelector");
        DCFABRIC_EXPECT_REFUSAL(helper.SetFlowControl("pfc"), "ns3::PriorityFlowControl");
        DCFABRIC_EXPECT_REFUSAL(helper.SetReliability("x"), "ns3::SelectiveRepeat");
        DCFABRIC_EXPECT_REFUSAL(helper.SetQueueDisc("x"), "ns3::CongestionAwareQueueDisc");
        DCFABRIC_EXPECT_REFUSAL(helper.SetMarkingProfile("x"), "ns3::WredMarkingProfile");
        DCFABRIC_EXPECT_REFUSAL(helper.SetBuffer("x"), "ns3::SharedBuffer");
        DCFABRIC_EXPECT_REFUSAL(helper.AddSwitchFeature("x"), "ns3::FnccIntFeature");
        DCFABRIC_EXPECT_REFUSAL(helper.SetWireFormat("x"), "ns3::RoceV2WireFormat");
        DCFABRIC_EXPECT_REFUSAL(helper.SetIntFormat("x"), "unknown INT format");

        DCFABRIC_EXPECT_REFUSAL(
            helper.SetCongestionControl("ns3::HpccCongestionControl", "Eat", DoubleValue(0.9)),
            "ns3::HpccCongestionControl has no attribute \"Eat\"");
        DCFABRIC_EXPECT_REFUSAL(
            helper.SetCongestionControl("ns3::HpccCongestionControl", "Eta", DoubleValue(-1)),
            "ns3::HpccCongestionControl::Eta: invalid value");
        DCFABRIC_EXPECT_REFUSAL(
            helper.SetCongestionControl("ns3::HpccCongestionControl", "Eta", StringValue("much")),
            "ns3::HpccCongestionControl::Eta: invalid value");
        for (const std::string text : {"", "x", "5x", "-5", "5 6", "1e3"})
        {
            DCFABRIC_EXPECT_REFUSAL(helper.SetNicAttribute("PayloadBytes", StringValue(text)),
                                    "ns3::FabricNic::PayloadBytes: invalid value");
        }
        DCFABRIC_EXPECT_REFUSAL(helper.SetNicAttribute("AckTimeout", StringValue("5 parsec")),
                                "ns3::FabricNic::AckTimeout: invalid value");
        DCFABRIC_EXPECT_REFUSAL(helper.SetNicAttribute("PdcPerMessage", StringValue("perhaps")),
                                "ns3::FabricNic::PdcPerMessage: invalid value");
        DCFABRIC_EXPECT_REFUSAL(
            helper.SetQueueDisc("ns3::FifoQueueDisc", "MaxSize", StringValue("many")),
            "ns3::FifoQueueDisc::MaxSize: invalid value");
        DCFABRIC_EXPECT_REFUSAL(helper.SetNicAttribute("Payload", UintegerValue(1)),
                                "ns3::FabricNic has no attribute \"Payload\"");
        DCFABRIC_EXPECT_REFUSAL(helper.SetNicAttribute("PayloadBytes", UintegerValue(0)),
                                "ns3::FabricNic::PayloadBytes: invalid value");
        DCFABRIC_EXPECT_REFUSAL(helper.SetDeviceAttribute("Speed", UintegerValue(1)),
                                "ns3::FabricNetDevice has no attribute \"Speed\"");
        DCFABRIC_EXPECT_REFUSAL(helper.SetClasses(8, 0), "0 to 7");
        DCFABRIC_EXPECT_REFUSAL(helper.SetClasses(0, 8), "0 to 7");
        DCFABRIC_EXPECT_REFUSAL(helper.AddClass(8), "0 to 7");

        // attributes that something else decides
        DCFABRIC_EXPECT_REFUSAL(
            helper.SetDeviceAttribute("DataRate", DataRateValue(DataRate("1Gbps"))),
            "each link of the plan has its rate");
        DCFABRIC_EXPECT_REFUSAL(helper.SetDeviceAttribute("GapBytes", UintegerValue(0)),
                                "SetWireFormat()");
        DCFABRIC_EXPECT_REFUSAL(helper.SetNicAttribute("BaseRtt", TimeValue(MicroSeconds(1))),
                                "SetBaseRtt()");
        // values as text work
        helper.SetCongestionControl("ns3::NoCongestionControl");
        helper.SetQueueDisc("ns3::CongestionAwareQueueDisc", "MaxSize", StringValue("1000p"));
        helper.SetNicAttribute("AckTimeout", StringValue("1.5ms"));
        helper.SetNicAttribute("PayloadBytes", StringValue("500"));
        // what limits queues is no error, but flow control promises that none drops
        std::string warnings;
        const auto sink =
            SetFabricWarningSink([&warnings](const FabricText& text) { warnings += text.Say(); });
        NS_TEST_EXPECT_MSG_EQ(helper.Install(Plan())->GetFrameSizes().payloadBytes, 500, "text");
        NS_TEST_EXPECT_MSG_EQ(warnings,
                              "ns3::CongestionAwareQueueDisc::MaxSize of 1000p lets switches drop "
                              "packets, which ns3::PriorityFlowControl is to prevent; do not set "
                              "it, or use no flow control",
                              "a limit");
        warnings.clear();
        helper.SetQueueDisc("ns3::CongestionAwareQueueDisc", "MaxSize", StringValue("4294967295p"));
        helper.Install(Plan());
        helper.SetQueueDisc("ns3::CongestionAwareQueueDisc", "MaxSize", StringValue("1p"));
        helper.SetFlowControl("none");
        helper.Install(Plan());
        NS_TEST_EXPECT_MSG_EQ(warnings, "", "no limit, or no flow control");
        SetFabricWarningSink(sink);
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Policies that do not go together.
 */
class HelperCombinationTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief Expect a refusal that contains all texts.
     * @param helper set up
     * @param parts texts
     * @param graph plan
     */
    void Refused(FabricHelper& helper,
                 const std::vector<std::string>& parts,
                 const FabricGraph& graph = Plan())
    {
        for (const auto& part : parts)
        {
            DCFABRIC_EXPECT_REFUSAL(helper.Install(graph), part);
        }
        Simulator::Destroy();
    }

    void DoRun() override
    {
        FabricHelper hpcc;
        hpcc.SetCongestionControl("ns3::HpccCongestionControl");
        Refused(hpcc, {"ns3::HpccCongestionControl needs INT", "ns3::HpccIntFeature", "add it"});
        hpcc.AddSwitchFeature("ns3::FnccIntFeature");
        Refused(hpcc, {"no ns3::HpccIntFeature"});
        hpcc.AddSwitchFeature("ns3::HpccIntFeature");
        Refused(hpcc, {"ns3::HpccCongestionControl", "leave out ns3::FnccIntFeature"});

        FabricHelper fncc;
        fncc.SetCongestionControl("ns3::FnccCongestionControl");
        Refused(fncc, {"ns3::FnccCongestionControl needs INT on ACKs", "ns3::FnccIntFeature"});
        fncc.AddSwitchFeature("ns3::FnccIntFeature");
        fncc.SetPathSelector("ns3::EcmpPathSelector");
        Refused(fncc,
                {"ns3::FnccCongestionControl needs data and ACK on the same links",
                 "ns3::EcmpPathSelector",
                 "use ns3::SymmetricEcmpPathSelector"});
        fncc.SetPathSelector("ns3::SymmetricEcmpPathSelector");
        fncc.SetLoadBalancer("ns3::tests::SprayingBalancer");
        Refused(fncc,
                {"ns3::FnccCongestionControl", "ns3::tests::SprayingBalancer", "use ns3::Per"});
        fncc.SetLoadBalancer("ns3::PerFlowLoadBalancer");
        fncc.AddSwitchFeature("ns3::FnccIntFeature");
        Refused(fncc, {"ns3::FnccIntFeature twice", "add it once"});

        // Spraying without INT is nobody's business.
        FabricHelper spray;
        spray.SetLoadBalancer("ns3::tests::SprayingBalancer");
        NS_TEST_EXPECT_MSG_EQ(RefusalOf([&]() { spray.Install(Plan()); }), "(accepted)", "spray");
        Simulator::Destroy();

        // What a feature says of paths and order counts as if a path selector did.
        FabricHelper detour;
        detour.AddSwitchFeature("ns3::tests::DetourFeature");
        NS_TEST_EXPECT_MSG_EQ(RefusalOf([&]() { detour.Install(Plan()); }), "(accepted)", "none");
        Simulator::Destroy();
        detour.SetReliability("ns3::GoBackN");
        Refused(detour,
                {"ns3::GoBackN accepts packets only in order, but ns3::tests::DetourFeature",
                 "use ns3::SelectiveRepeat"});
        for (const std::string name : {"Hpcc", "Fncc"})
        {
            FabricHelper records;
            records.SetCongestionControl("ns3::" + name + "CongestionControl");
            records.AddSwitchFeature("ns3::" + name + "IntFeature");
            records.AddSwitchFeature("ns3::tests::DetourFeature", "KeepsOrder", BooleanValue(true));
            Refused(records,
                    {"ns3::" + name + "CongestionControl compares INT records of one path, but " +
                         "ns3::tests::DetourFeature moves flows from path to path",
                     "leave out ns3::tests::DetourFeature"});
        }
        FabricHelper inOrder;
        inOrder.SetReliability("ns3::GoBackN");
        inOrder.AddSwitchFeature("ns3::tests::DetourFeature", "KeepsOrder", BooleanValue(true));
        NS_TEST_EXPECT_MSG_EQ(RefusalOf([&]() { inOrder.Install(Plan()); }), "(accepted)", "order");
        Simulator::Destroy();

        // Where packets are held back at their inputs there must be queues.
        FabricHelper holding;
        holding.AddSwitchFeature("ns3::tests::DetourFeature", "HoldsPackets", BooleanValue(true));
        Refused(holding,
                {"ns3::tests::DetourFeature holds packets back at their inputs, but "
                 "ns3::SharedBuffer has no queues there",
                 "use ns3::VoqBuffer"});
        holding.SetBuffer("ns3::VoqBuffer");
        NS_TEST_EXPECT_MSG_EQ(RefusalOf([&]() { holding.Install(Plan()); }), "(accepted)", "VOQ");
        Simulator::Destroy();

        // Features draw from streams of their own, far from those of paths, ports and errors.
        FabricHelper twice;
        twice.AddSwitchFeature("ns3::tests::DetourFeature");
        twice.AddSwitchFeature("ns3::tests::DetourFeature");
        const auto drawing = twice.Install(Plan());
        twice.AssignStreams(drawing, 100);
        for (const uint32_t node : {2, 3}) // hosts are 0 and 1
        {
            for (int64_t i = 0; i < 2; ++i)
            {
                const auto feature = drawing->GetSwitch(node)->GetFeatures().at(i);
                // 4096 for each node, the last 64 of them for features, of which each takes 3
                NS_TEST_EXPECT_MSG_EQ(DynamicCast<DetourFeature>(feature)->GetStream(),
                                      100 + int64_t{node} * 4096 + 4032 + 3 * i,
                                      "switch " << node << ", feature " << i);
            }
        }
        Simulator::Destroy();

        // Switches 2 to 10 in a chain: nine records do not fit.
        FabricHelper longPath;
        longPath.SetCongestionControl("ns3::HpccCongestionControl");
        longPath.AddSwitchFeature("ns3::HpccIntFeature");
        Refused(longPath,
                {"ns3::HpccCongestionControl reads INT of at most 8 switches", "cross 9"},
                MakeChain(std::vector<uint64_t>(10, 100 * GBPS), 1000000));
        NS_TEST_EXPECT_MSG_EQ(RefusalOf([&]() {
                                  longPath.Install(
                                      MakeChain(std::vector<uint64_t>(9, 100 * GBPS), 1000000));
                              }),
                              "(accepted)",
                              "eight do");
        Simulator::Destroy();

        FabricHelper dcqcn;
        dcqcn.SetCongestionControl("ns3::DcqcnCongestionControl");
        dcqcn.SetMarkingProfile("none");
        Refused(
            dcqcn,
            {"ns3::DcqcnCongestionControl needs ECN", "use a profile, as ns3::WredMarkingProfile"});

        dcqcn.SetQueueDisc("ns3::FifoQueueDisc"); // a profile would be of no use there
        Refused(dcqcn,
                {"ns3::DcqcnCongestionControl needs ECN",
                 "ns3::FifoQueueDisc marks by its own rules",
                 "use ns3::CongestionAwareQueueDisc"});

        FabricHelper stock;
        stock.SetQueueDisc("ns3::FifoQueueDisc");
        Refused(stock, {"ns3::PriorityFlowControl", "ns3::FifoQueueDisc", "or no flow control"});
        stock.SetFlowControl("none");
        stock.SetMarkingProfile("ns3::WredMarkingProfile");
        Refused(stock, {"ns3::WredMarkingProfile has no effect on ns3::FifoQueueDisc", "use"});

        // 100 Gb/s: 2 quanta are 10 ns; a full frame with RETH takes (1078 + 20) x 80 = 87,840 ps.
        // Half of 35 quanta is 89,600 ps, half of 34 is 87,040.
        FabricHelper quanta;
        quanta.SetFlowControl("ns3::PriorityFlowControl", "Quanta", UintegerValue(34));
        Refused(quanta, {"ns3::PriorityFlowControl::Quanta", "1078 bytes", "use more quanta"});
        quanta.SetFlowControl("ns3::PriorityFlowControl", "Quanta", UintegerValue(35));
        NS_TEST_EXPECT_MSG_EQ(RefusalOf([&]() { quanta.Install(Plan()); }), "(accepted)", "35");
        Simulator::Destroy();

        FabricHelper small;
        small.SetBuffer("ns3::SharedBuffer", "Size", UintegerValue(50000));
        Refused(small, {"ns3::SharedBuffer::Size: 50000 bytes cannot hold", "set a larger Size"});

        FabricHelper classes;
        classes.SetClasses(2, 6);
        classes.AddSwitchFeature("ns3::FnccIntFeature", "DataClass", UintegerValue(5));
        Refused(classes,
                {"ns3::FnccIntFeature::DataClass is 5",
                 "class 2",
                 "which it follows by itself; do not set it"});
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Topologies and nodes.
 */
class HelperPlanTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        FabricHelper helper;
        NodeContainer nodes;
        nodes.Create(3);
        DCFABRIC_EXPECT_REFUSAL(helper.Install(Plan(), nodes),
                                "the plan has 4 nodes, but 3 nodes were given");
        nodes.Create(1);
        helper.Install(Plan(), nodes);
        DCFABRIC_EXPECT_REFUSAL(helper.Install(Plan(), nodes), "belongs to a fabric already");
        DCFABRIC_EXPECT_REFUSAL(helper.Install(FabricGraph()), "host");
        Simulator::Destroy();

        // A network on which both directions choose apart: 2 - {3, 4}, 3 - {5, 6}, 4 - {6, 7},
        // {5, 6, 7} - 8. There two choices of two, back one of three.
        const FabricGraph odd = PlanOfLinks(2,
                                            7,
                                            {{0, 2},
                                             {2, 3},
                                             {2, 4},
                                             {3, 5},
                                             {3, 6},
                                             {4, 6},
                                             {4, 7},
                                             {5, 8},
                                             {6, 8},
                                             {7, 8},
                                             {1, 8}});
        FabricHelper fncc;
        fncc.SetCongestionControl("ns3::FnccCongestionControl");
        fncc.AddSwitchFeature("ns3::FnccIntFeature");
        DCFABRIC_EXPECT_REFUSAL(fncc.Install(odd),
                                "differ under ns3::SymmetricEcmpPathSelector; use a symmetric "
                                "topology, ns3::SpanningTreePathSelector, or");
        // with two links a host takes one by the entropy, and the trees lead to either
        fncc.SetPathSelector("ns3::SpanningTreePathSelector");
        DCFABRIC_EXPECT_REFUSAL(
            fncc.Install(
                MakeFabricTopology("leaf-spine:leaves=4,spines=2,hosts=2,homes=2")->BuildGraph()),
            "differ under ns3::SpanningTreePathSelector; use a symmetric topology, "
            "ns3::SymmetricEcmpPathSelector, or");
        NS_TEST_EXPECT_MSG_EQ(RefusalOf([&]() { helper.Install(odd); }), "(accepted)", "others");
        Simulator::Destroy();

        // Who is a host and who a switch.
        Ptr<Fabric> fabric = helper.Install(Plan());
        DCFABRIC_EXPECT_REFUSAL(fabric->GetNic(2), "node 2 is not a host");
        DCFABRIC_EXPECT_REFUSAL(fabric->GetNic(9), "node 9 is not a host");
        DCFABRIC_EXPECT_REFUSAL(fabric->GetSwitch(1), "node 1 is not a switch");
        DCFABRIC_EXPECT_REFUSAL(fabric->GetSwitch(4), "node 4 is not a switch");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Classes of messages.
 */
class HelperClassTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param helper set up
     * @param priority asked for by Send()
     * @return class in which data arrives
     */
    int ClassOfData(FabricHelper& helper, int priority = -1)
    {
        Ptr<Fabric> fabric = helper.Install(Plan());
        int seen = -1;
        fabric->GetPort(3, 1)->TraceConnectWithoutContext(
            "Transmit",
            MakeBoundCallback(&HelperClassTestCase::See, &seen));
        fabric->GetNic(0)->GetMessages().Send(1, 1000, 0, priority);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(fabric->CheckConservation().Holds(), true, "conservation");
        Simulator::Destroy();
        return seen;
    }

    /**
     * @param seen set to the class of data
     * @param item a packet
     */
    static void See(int* seen, Ptr<const FabricPacketItem> item)
    {
        *seen = item->type == FabricPacketType::DATA ? item->GetPriority() : *seen;
    }

    void DoRun() override
    {
        FabricHelper byDefault;
        NS_TEST_EXPECT_MSG_EQ(ClassOfData(byDefault), 3, "default");
        DCFABRIC_EXPECT_REFUSAL(ClassOfData(byDefault, 5), "a packet of class 5");
        Simulator::Destroy();
        byDefault.AddClass(5);
        NS_TEST_EXPECT_MSG_EQ(ClassOfData(byDefault, 5), 5, "room was set apart");
        FabricHelper byAttribute;
        byAttribute.SetNicAttribute("DataClass", UintegerValue(1));
        NS_TEST_EXPECT_MSG_EQ(ClassOfData(byAttribute), 1, "attribute");
        byAttribute.SetClasses(2, 7);
        NS_TEST_EXPECT_MSG_EQ(ClassOfData(byAttribute), 2, "the helper's choice");
        byAttribute.SetClasses(4, 4);
        NS_TEST_EXPECT_MSG_EQ(ClassOfData(byAttribute), 4, "one service level");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Base RTT by pair, when nobody holds the fabric.
 */
class HelperLifetimeTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        FabricHelper helper;
        helper.SetBaseRttPerPair(true);
        NodeContainer nodes;
        nodes.Create(4);
        helper.Install(Plan(), nodes);
        Ptr<FabricNic> sender = nodes.Get(0)->GetObject<FabricNic>();
        int64_t donePs = 0;
        sender->GetMessages().SetCompletedCallback(
            [&](const FabricMessageEvent& event) { donePs = event.nowPs; });
        sender->GetMessages().Send(1, 1000, 0);
        Simulator::Run();
        // 3 x (86,560 + 1 us) and 3 x (118 x 80 + 1 us)
        NS_TEST_EXPECT_MSG_EQ(donePs, 6288000, "completed");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Base RTTs for packets of other sizes.
 */
class HelperBaseRttTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param perPair of each pair
     * @param dataBytes packet; 0: a full one and its ACK
     * @return T in ps from host 0 to a neighbor and to a host behind another switch
     */
    std::pair<int64_t, int64_t> Get(bool perPair, uint64_t dataBytes)
    {
        const FabricGraph graph = PlanOfLinks(3, 2, {{0, 3}, {1, 3}, {3, 4}, {2, 4}});
        FabricHelper helper;
        helper.SetBaseRttPerPair(perPair);
        helper.SetBaseRttSizes(dataBytes, 0);
        Ptr<Fabric> fabric = helper.Install(graph);
        const Ptr<FabricNic> nic = fabric->GetNic(0);
        const std::pair<int64_t, int64_t> t{nic->DescribePath(1).baseRttPs,
                                            nic->DescribePath(2).baseRttPs};
        Simulator::Destroy();
        return t;
    }

    void DoRun() override
    {
        // 2 us a link both ways, and 1000 x 80 ps a link one way: two links, three links
        const std::pair<int64_t, int64_t> each{4160000, 6240000};
        const std::pair<int64_t, int64_t> largest{6240000, 6240000};
        NS_TEST_EXPECT_MSG_EQ((Get(true, 1000) == each), true, "of each pair");
        NS_TEST_EXPECT_MSG_EQ((Get(false, 1000) == largest), true, "of all pairs");
        // full packets of 1082 B and ACKs of 118 B, gap included: 96 ns a link
        const std::pair<int64_t, int64_t> full{4192000, 6288000};
        NS_TEST_EXPECT_MSG_EQ((Get(true, 0) == full), true, "full packets");

        FabricHelper helper;
        helper.SetBaseRtt(Hours(24));
        helper.SetBaseRttSizes(2000000, 2000000);
        DCFABRIC_EXPECT_REFUSAL(helper.SetBaseRtt(Hours(24) + MicroSeconds(1)), "0 to 24 h");
        DCFABRIC_EXPECT_REFUSAL(helper.SetBaseRtt(MicroSeconds(-1)), "0 to 24 h");
        DCFABRIC_EXPECT_REFUSAL(helper.SetBaseRttSizes(1, 2000001), "at most 2000000 bytes");
    }
};

/// FabricHelper.
const SuiteCases g_cases("dcfabric-helper", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(
        new HelperNameTestCase("unknown types, attributes and values are refused by name"));
    suite.AddTestCase(
        new HelperBaseRttTestCase("base RTT: of all pairs or of each, of full packets or others"));
    suite.AddTestCase(new HelperCombinationTestCase(
        "combinations that make no sense are refused; both sides and a remedy are named"));
    suite.AddTestCase(new HelperPlanTestCase("plans and nodes that do not fit are refused"));
    suite.AddTestCase(new HelperClassTestCase(
        "classes come from SetClasses() or the NICs' attributes; others are refused"));
    suite.AddTestCase(new HelperLifetimeTestCase("a network runs on when its Fabric is not kept"));
});

} // namespace ns3::tests::fabric_helper_test
