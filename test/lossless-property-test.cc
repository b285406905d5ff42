// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-duration.h"
#include "fabric-test-network.h"
#include "fabric-test-schedule.h"
#include "fabric-test-suite.h"
#include "fabric-test-wings.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/dumbbell-topology.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-helper.h"
#include "ns3/fat-tree-topology.h"
#include "ns3/leaf-spine-topology.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"
#include "ns3/test.h"

#include <map>
#include <random>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief With PFC or credits nothing is ever dropped, with either switch, in random networks under
 * random incasts; nor if switches hold flows back.
 */

namespace ns3::tests::lossless_property_test
{

/// First number of the random scenarios; each one's seed is this plus its index.
constexpr uint32_t FIRST_SEED = 41000;

/// What has to be lossless.
struct Organization
{
    const char* name;        //!< for messages
    const char* flowControl; //!< TypeId
    bool voq;                //!< virtual output queues instead of a shared buffer
    bool rcm;                //!< regional congestion mitigation
};

/**
 * @ingroup dcfabric-tests
 * @brief A range of scenarios.
 */
class LosslessPropertyTestCase : public TestCase
{
  public:
    /**
     * @param organization switches and flow control
     * @param first index of the first scenario
     * @param count number of scenarios
     */
    LosslessPropertyTestCase(const Organization& organization, uint32_t first, uint32_t count)
        : TestCase(std::string(organization.name) + ": no drop and no lost packet in scenarios " +
                   std::to_string(first) + " to " + std::to_string(first + count - 1)),
          m_organization(organization),
          m_first(first),
          m_count(count)
    {
    }

  private:
    /// Totals over all scenarios.
    struct Totals
    {
        uint64_t paused{0};                     //!< scenarios with a pause
        uint64_t spread{0};                     //!< scenarios where a pause reached another switch
        uint64_t refused{0};                    //!< plans whose buffer was too small, made larger
        uint64_t packets{0};                    //!< packets made
        std::map<std::string, uint64_t> byName; //!< counters of features
    };

    /**
     * @param below bound
     * @return a number from 0 to below - 1
     */
    uint32_t Draw(uint32_t below)
    {
        return m_random() % below;
    }

    /**
     * @param values choices
     * @return one of several values
     */
    template <typename T>
    T OneOf(const std::vector<T>& values)
    {
        return values[Draw(static_cast<uint32_t>(values.size()))];
    }

    /// @return a rate of a link in bit/s
    uint64_t DrawRate()
    {
        return OneOf<uint64_t>({10, 25, 40, 50, 100, 100, 200, 400, 7}) * GBPS;
    }

    /// @return a random network
    FabricGraph DrawGraph()
    {
        const std::string rates =
            std::to_string(DrawRate()) + "bps," + std::to_string(DrawRate()) + "bps";
        const std::string delays =
            std::to_string(1 + Draw(3000)) + "ns," + std::to_string(1 + Draw(3000)) + "ns";
        switch (Draw(8))
        {
        case 0:
        case 1:
        case 2: {
            Ptr<DumbbellTopology> topology = CreateObject<DumbbellTopology>();
            topology->SetSwitches(1 + Draw(4));
            topology->SetSenders(1 + Draw(6));
            topology->SetTierRates(rates);
            topology->SetTierDelays(delays);
            return topology->BuildGraph();
        }
        case 3:
        case 4:
        case 5: {
            Ptr<LeafSpineTopology> topology = CreateObject<LeafSpineTopology>();
            topology->SetLeaves(2 + Draw(3));
            topology->SetSpines(1 + Draw(3));
            topology->SetHostsPerLeaf(1 + Draw(4));
            topology->SetTierRates(rates);
            topology->SetTierDelays(delays);
            return topology->BuildGraph();
        }
        case 6: {
            Ptr<FatTreeTopology> topology = CreateObject<FatTreeTopology>();
            topology->SetK(4);
            topology->SetTierRates(rates + "," + std::to_string(DrawRate()) + "bps");
            topology->SetTierDelays(delays + "," + std::to_string(1 + Draw(3000)) + "ns");
            return topology->BuildGraph();
        }
        default:
            return DrawTree();
        }
    }

    /// @return a random tree of switches, parallel links included
    FabricGraph DrawTree()
    {
        FabricGraph graph;
        const uint32_t hosts = 2 + Draw(6);
        for (uint32_t i = 0; i < hosts; ++i)
        {
            graph.AddHost();
        }
        const uint32_t switches = 1 + Draw(5);
        for (uint32_t i = 0; i < switches; ++i)
        {
            const uint32_t node = graph.AddSwitch();
            const uint32_t above = i > 0 ? hosts + Draw(i) : 0;
            for (uint32_t links = i > 0 ? 1 + Draw(3) : 0; links > 0; --links)
            {
                graph.AddLink(node, above, DrawRate(), 1000 * (1 + Draw(2000)));
            }
        }
        for (uint32_t i = 0; i < hosts; ++i)
        {
            graph.AddLink(i, hosts + Draw(switches), DrawRate(), 1000 * (1 + Draw(2000)));
        }
        graph.DeriveTiers();
        return graph;
    }

    /**
     * @brief Have switches hold and lead flows.
     * @param helper of the network
     * @param detour flows may go another way
     */
    void AddRcm(FabricHelper& helper, bool detour)
    {
        const auto p = ObjectFactory("ns3::RcmParameters").Create<Object>();
        p->SetAttribute("Qeq", UintegerValue(OneOf<uint64_t>({1, 4000, 26000})));
        p->SetAttribute("SampleBytes", UintegerValue(OneOf<uint64_t>({1, 5000, 15000})));
        p->SetAttribute("CamBytes", UintegerValue(OneOf<uint64_t>({1, 1500})));
        p->SetAttribute("MinHits", UintegerValue(OneOf<uint64_t>({1, 3, 5})));
        p->SetAttribute("MeasureBytes", UintegerValue(OneOf<uint64_t>({1, 15000})));
        p->SetAttribute("MinShare", DoubleValue(OneOf<double>({0.01, 0.1, 0.5})));
        p->SetAttribute("CutSpacing", TimeValue(MicroSeconds(OneOf<uint32_t>({0, 5, 20}))));
        p->SetAttribute("NotifySpacing", TimeValue(MicroSeconds(OneOf<uint32_t>({0, 2}))));
        p->SetAttribute("RemoteTimeout", TimeValue(MicroSeconds(OneOf<uint32_t>({1, 10, 100}))));
        p->SetAttribute("DetourNotifications", UintegerValue(OneOf<uint32_t>({1, 2})));
        helper.AddSwitchFeature("ns3::RcmFeature",
                                "Parameters",
                                PointerValue(p),
                                "Detour",
                                BooleanValue(detour),
                                "Control",
                                BooleanValue(Draw(8) != 0));
        if (detour)
        {
            // what overtakes is not lost
            helper.SetReliability("ns3::SelectiveRepeat",
                                  "ReorderThreshold",
                                  UintegerValue(100000));
        }
    }

    /**
     * @param graph the plan
     * @return the network
     */
    Ptr<Fabric> Build(const FabricGraph& graph)
    {
        FabricHelper helper;
        helper.SetNicAttribute("PayloadBytes",
                               UintegerValue(OneOf<uint32_t>({200, 1000, 1456, 4096, 9000})));
        helper.SetNicAttribute("AckEvery", UintegerValue(OneOf<uint32_t>({1, 1, 1, 4})));
        if (Draw(4) == 0)
        {
            helper.SetClasses(3, 3); // one service level
        }
        if (Draw(4) == 0)
        {
            helper.SetPathSelector("ns3::EcmpPathSelector");
        }
        // What is sent again stands for a loss. By round-trip times a flow without congestion
        // control that pauses hold up for longer than 25 of them would, too: one in 2,000
        // scenarios.
        helper.SetNicAttribute("AckTimeout", TimeValue(MicroSeconds(4194)));
        const bool go = Draw(4) == 0;
        helper.SetReliability(go ? "ns3::GoBackN" : "ns3::SelectiveRepeat");
        const uint32_t control = Draw(8);
        if (control == 0)
        {
            helper.SetCongestionControl("ns3::HpccCongestionControl");
            helper.AddSwitchFeature("ns3::HpccIntFeature");
            helper.SetIntFormat("ns3::IntFormat", "Exact", BooleanValue(true));
        }
        else if (control == 1)
        {
            helper.SetCongestionControl("ns3::DcqcnCongestionControl");
            helper.SetMarkingProfile("ns3::WredMarkingProfile");
        }
        else if (control == 2)
        {
            helper.SetCongestionControl("ns3::RoccCongestionControl");
            helper.AddSwitchFeature("ns3::RoccFeature");
        }
        helper.SetFlowControl(m_organization.flowControl);
        if (std::string(m_organization.flowControl) != "ns3::PriorityFlowControl")
        {
            helper.SetFlowControl(m_organization.flowControl,
                                  "UnitBytes",
                                  UintegerValue(OneOf<uint32_t>({1, 64, 64, 256, 1500})),
                                  "BufferBytes",
                                  UintegerValue(OneOf<uint64_t>({0, 0, 15000, 40000})),
                                  "InitialTotal",
                                  UintegerValue(OneOf<uint32_t>({0, 0xffffff00U})));
        }
        if (m_organization.rcm)
        {
            AddRcm(helper, !go && control != 0 && Draw(4) != 0);
        }
        if (m_organization.voq)
        {
            helper.SetBuffer("ns3::VoqBuffer",
                             "QueueBytes",
                             UintegerValue(OneOf<uint64_t>({1, 2000, 10000, 50000})),
                             "OutputBytes",
                             UintegerValue(OneOf<uint64_t>({10000, 20000, 100000})),
                             "ResumeOffset",
                             UintegerValue(OneOf<uint64_t>({0, 3072, 60000})),
                             "SpeedUp",
                             DoubleValue(OneOf<double>({1, 1.25, 2, 8})));
            return helper.Install(graph);
        }
        // as small a buffer as can be, and up to twice that
        const double alpha = OneOf<double>({1e-6, 0.0625, 0.125, 0.5, 1, 8});
        const uint64_t reserve = OneOf<uint64_t>({0, 1000, 4096});
        const uint64_t resume = OneOf<uint64_t>({0, 3072, 50000});
        const bool fixed = Draw(3) == 0;
        uint64_t size = 20000;
        for (;;)
        {
            try
            {
                helper.SetBuffer("ns3::SharedBuffer",
                                 "Size",
                                 UintegerValue(size),
                                 "Alpha",
                                 DoubleValue(alpha),
                                 "PortReserve",
                                 UintegerValue(reserve),
                                 "ResumeOffset",
                                 UintegerValue(resume),
                                 "XoffThreshold",
                                 UintegerValue(fixed ? reserve + 5000 : 0));
                return helper.Install(graph);
            }
            catch (const FabricError& error)
            {
                const std::string text = error.what();
                NS_ABORT_MSG_IF(text.find("SharedBuffer") == std::string::npos || size > 1000000000,
                                "only a small buffer may be refused: " << text);
                size += size / 2;
                ++m_totals.refused;
            }
        }
    }

    /**
     * @brief Run a scenario.
     * @param index its index
     */
    void Run(uint32_t index)
    {
        m_random.seed(FIRST_SEED + index);
        const std::string where = "seed " + std::to_string(FIRST_SEED + index);
        const FabricGraph graph = DrawGraph();
        Ptr<Fabric> fabric = Build(graph);
        const auto& hosts = graph.GetHosts();

        uint32_t delivered = 0;
        uint32_t completed = 0;
        for (const uint32_t host : hosts)
        {
            fabric->GetNic(host)->GetMessages().SetDeliveredCallback(
                [&](const FabricMessageEvent&) { ++delivered; });
            fabric->GetNic(host)->GetMessages().SetCompletedCallback(
                [&](const FabricMessageEvent&) { ++completed; });
        }
        // incasts to one or two hosts, and some other traffic
        uint32_t flows = 0;
        const uint32_t targets = 1 + Draw(2);
        for (uint32_t t = 0; t < targets; ++t)
        {
            const uint32_t target = OneOf(hosts);
            const uint32_t fanIn = 1 + Draw(16);
            const int64_t at = Draw(20000) * 1000;
            for (uint32_t i = 0; i < fanIn; ++i)
            {
                const uint32_t src = OneOf(hosts);
                if (src != target)
                {
                    fabric->GetNic(src)->GetMessages().SendAt(at + Draw(2) * Draw(5000) * 1000,
                                                              target,
                                                              1 + Draw(60000),
                                                              flows++);
                }
            }
        }
        for (uint32_t i = Draw(5); i > 0; --i)
        {
            const uint32_t src = OneOf(hosts);
            const uint32_t dst = OneOf(hosts);
            if (src != dst)
            {
                fabric->GetNic(src)->GetMessages().SendAt(Draw(30000) * 1000,
                                                          dst,
                                                          1 + Draw(30000),
                                                          flows++);
            }
        }
        for (int i = 1; i <= 4; ++i)
        {
            CallIn(NanoSeconds(i * (3000 + Draw(10000))), [&]() {
                NS_TEST_EXPECT_MSG_EQ(fabric->CheckConservation().Holds(), true, where);
            });
        }
        Simulator::Stop(Seconds(1));
        Simulator::Run();
        Check(*fabric, where);
        NS_TEST_EXPECT_MSG_EQ(delivered, flows, "delivered, " << where);
        NS_TEST_EXPECT_MSG_EQ(completed, flows, "completed, " << where);
        Simulator::Destroy();
    }

    /**
     * @brief Look at a network after its run.
     * @param fabric the network
     * @param where for messages
     */
    void Check(const Fabric& fabric, const std::string& where)
    {
        const FabricGraph& graph = fabric.GetGraph();
        const auto sum = fabric.CheckConservation();
        NS_TEST_EXPECT_MSG_EQ(sum.Holds(), true, "conservation, " << where);
        NS_TEST_EXPECT_MSG_EQ(sum.inFlight, 0, "all arrived, " << where);
        m_totals.packets += sum.created;
        for (const auto& [reason, count] : fabric.GetDrops())
        {
            NS_TEST_EXPECT_MSG_EQ(count, 0, reason << ", " << where);
        }
        bool paused = false;
        bool spread = false;
        for (uint32_t node = 0; node < graph.GetNNodes(); ++node)
        {
            for (uint32_t port = 0; port < graph.GetDegree(node); ++port)
            {
                const FabricNetDevice* device = fabric.GetPort(node, port);
                paused = paused || device->GetCounters().rxLinkFrames > 0;
                spread = spread || (!graph.IsHost(node) && device->GetCounters().rxLinkFrames > 0);
                NS_TEST_EXPECT_MSG_EQ(+device->GetPausedClasses(), 0, "resumed, " << where);
            }
            if (!graph.IsHost(node))
            {
                for (const auto& feature : fabric.GetSwitch(node)->GetFeatures())
                {
                    for (const auto& [name, count] : feature->GetCounters())
                    {
                        m_totals.byName[name] += count;
                    }
                }
                const auto buffer = fabric.GetSwitch(node)->GetBuffer();
                NS_TEST_EXPECT_MSG_EQ(buffer->GetUsedBytes(), 0, "buffer empty, " << where);
                const auto shared = DynamicCast<SharedBuffer>(buffer);
                NS_TEST_EXPECT_MSG_EQ((shared ? shared->GetPoolUsedBytes() : 0),
                                      0,
                                      "pool empty, " << where);
            }
            else
            {
                NS_TEST_EXPECT_MSG_EQ(fabric.GetNic(node)->GetCounters().retransmitted,
                                      0,
                                      "nothing sent twice, " << where);
            }
        }
        m_totals.paused += paused;
        m_totals.spread += spread;
    }

    void DoRun() override
    {
        if (m_organization.rcm && !HasClass("ns3::RcmFeature"))
        {
            return;
        }
        for (uint32_t i = m_first; i < m_first + m_count && !IsStatusFailure(); ++i)
        {
            Run(i);
        }
        NS_TEST_EXPECT_MSG_GT(m_totals.paused, m_count / 3, "PFC was at work");
        NS_TEST_EXPECT_MSG_GT(m_totals.spread, m_count / 10, "pauses spread");
        NS_TEST_EXPECT_MSG_GT(m_totals.packets, 100 * m_count, "traffic");
        if (m_organization.rcm)
        {
            auto& count = m_totals.byName;
            NS_TEST_EXPECT_MSG_GT(count["rcm_notifications"], 10 * m_count, "neighbors were told");
            NS_TEST_EXPECT_MSG_GT(count["rcm_cuts"], m_count, "windows were cut");
            NS_TEST_EXPECT_MSG_GT(count["rcm_detoured_packets"], m_count, "packets led around");
        }
    }

    Organization m_organization; //!< switches and flow control
    uint32_t m_first;            //!< index of the first scenario
    uint32_t m_count;            //!< number of scenarios
    std::mt19937 m_random;       //!< of the scenario
    Totals m_totals;             //!< over all scenarios
};

/// Lossless means lossless.
const SuiteCases g_cases("dcfabric-lossless", TestSuite::Type::SYSTEM, [](Suite& suite) {
    for (const Organization& organization :
         {Organization{"PFC, shared buffer", "ns3::PriorityFlowControl", false, false},
          Organization{"PFC, VOQ", "ns3::PriorityFlowControl", true, false},
          Organization{"credits, shared buffer", "ns3::CreditFlowControl", false, false},
          Organization{"credits, VOQ", "ns3::CreditFlowControl", true, false},
          Organization{"queue credits, VOQ", "ns3::VoqCreditFlowControl", true, false},
          Organization{"PFC, VOQ, RCM", "ns3::PriorityFlowControl", true, true},
          Organization{"credits, VOQ, RCM", "ns3::CreditFlowControl", true, true}})
    {
        suite.AddTestCase(new LosslessPropertyTestCase(organization, 0, 200));
        suite.AddTestCase(new LosslessPropertyTestCase(organization, 200, 200),
                          DurationOf<TestCase>::EXTENSIVE);
        suite.AddTestCase(new LosslessPropertyTestCase(organization, 400, 600),
                          DurationOf<TestCase>::TAKES_FOREVER);
    }
});

} // namespace ns3::tests::lossless_property_test
