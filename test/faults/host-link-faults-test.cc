// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-foreign.h"
#include "../fabric-test-suite.h"
#include "../fabric-test-wings.h"

#include "ns3/boolean.h"
#include "ns3/fabric-faults.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-topology.h"
#include "ns3/flow-recorder.h"
#include "ns3/host-routes.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <set>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Hosts with several links, of which one is down: packets take entropies whose answers come
 * back by a link that is up, and a path from which nothing comes back is given up.
 */

namespace ns3::tests::host_link_faults_test
{

/// Hosts 0 and 1 at leaves 4 and 5, hosts 2 and 3 at leaves 6 and 7, spines 8 and 9.
const std::string TWO_HOMES = "leaf-spine:leaves=4,spines=2,hosts=2,homes=2";

/// How packets are spread.
struct Spread
{
    std::string loadBalancer; //!< TypeId name
    uint32_t entropies;       //!< attribute Entropies, 0: none
    std::string pathSelector; //!< TypeId name
};

/// All hosts' and switches' ways.
const std::vector<Spread> SPREADS{
    {"ns3::PerFlowLoadBalancer", 0, "ns3::SymmetricEcmpPathSelector"},
    {"ns3::PerFlowLoadBalancer", 0, "ns3::EcmpPathSelector"},
    {"ns3::RoundRobinSprayLoadBalancer", 8, "ns3::EcmpPathSelector"},
    {"ns3::RandomSprayLoadBalancer", 0, "ns3::EcmpPathSelector"},
    {"ns3::RepsLoadBalancer", 0, "ns3::EcmpPathSelector"},
};

/**
 * @param spread how packets are spread
 * @param flowControl TypeId name, or "none"
 * @return a helper
 */
FabricHelper
MakeHelper(const Spread& spread, const std::string& flowControl)
{
    FabricHelper helper;
    if (spread.entropies > 0)
    {
        helper.SetLoadBalancer(spread.loadBalancer, "Entropies", UintegerValue(spread.entropies));
    }
    else
    {
        helper.SetLoadBalancer(spread.loadBalancer);
    }
    helper.SetPathSelector(spread.pathSelector);
    helper.SetCongestionControl("ns3::DcqcnCongestionControl");
    helper.SetMarkingProfile("ns3::WredMarkingProfile");
    helper.SetFlowControl(flowControl);
    if (flowControl == "ns3::VoqCreditFlowControl")
    {
        helper.SetBuffer("ns3::VoqBuffer");
    }
    return helper;
}

/**
 * @ingroup dcfabric-tests
 * @brief The entropies themselves: those that will do stay, others get one that does, evenly, and
 * always the same.
 */
class FitTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        Ptr<Fabric> fabric = FabricHelper().Install(MakeFabricTopology(TWO_HOMES)->BuildGraph());
        const FabricNic& nic = *fabric->GetNic(0);
        for (uint32_t e = 0; e < 1000; ++e)
        {
            const auto entropy = static_cast<uint16_t>(e);
            NS_TEST_EXPECT_MSG_EQ(nic.FitEntropy(2, entropy), entropy, "all are up");
        }
        FabricFaults faults;
        faults.AddDown(MicroSeconds(1), 0, 5);
        faults.AddDown(MicroSeconds(3), 0, 4);
        faults.AddUp(MicroSeconds(5), 0, 5);
        faults.Install(fabric);
        Simulator::Stop(MicroSeconds(2));
        Simulator::Run();
        // Even entropies lead to port 0, which is up; odd ones to port 1.
        std::set<uint16_t> taken;
        for (uint32_t e = 0; e < 1000; ++e)
        {
            const auto entropy = static_cast<uint16_t>(e);
            const uint16_t fit = nic.FitEntropy(2, entropy);
            NS_TEST_EXPECT_MSG_EQ((e % 2 == 1 || fit == entropy), true, "stays " << e);
            NS_TEST_EXPECT_MSG_EQ(fit % 2, 0, "leads to port 0 " << e);
            NS_TEST_EXPECT_MSG_EQ(nic.FitEntropy(2, entropy), fit, "always the same " << e);
            NS_TEST_EXPECT_MSG_EQ(nic.FitEntropy(2, fit), fit, "once is enough " << e);
            NS_TEST_EXPECT_MSG_EQ(nic.ChoosePort(2, fit), 0, "port " << e);
            if (e % 2 == 1)
            {
                taken.insert(fit);
            }
        }
        // 500 draws of 32,768 even entropies: 3.8 coincidences are expected, 20 are not
        NS_TEST_EXPECT_MSG_GT(taken.size(), 480, "spread over all that will do");
        Simulator::Stop(MicroSeconds(2));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(nic.FitEntropy(2, 7), 7, "none is up: as it is");
        Simulator::Stop(MicroSeconds(2));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(nic.FitEntropy(2, 7), 7, "up again");
        NS_TEST_EXPECT_MSG_EQ(nic.ChoosePort(2, nic.FitEntropy(2, 6)), 1, "the only port");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A link of the sender is down from the start: all goes by the other one, both ways, and
 * nothing is ever late.
 */
class OwnLinkTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        if (!HasClass("ideal-times"))
        {
            return;
        }
        for (const uint32_t port : {0, 1})
        {
            Ptr<Fabric> fabric = MakeHelper(SPREADS[0], "ns3::PriorityFlowControl")
                                     .Install(MakeFabricTopology(TWO_HOMES)->BuildGraph());
            FabricFaults faults;
            faults.AddDown(Seconds(0), 0, 4 + port);
            faults.Install(fabric);
            std::vector<FabricFlow> flows;
            for (int64_t i = 0; i < 32; ++i)
            {
                flows.push_back({0, 2, 10000, i * 10000000}); // 10 us apart: one at a time
            }
            FlowRecorder recorder(fabric, flows);
            recorder.Start();
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(recorder.IsComplete(), true, "without port " << port);
            const auto& counters = fabric->GetNic(0)->GetCounters();
            NS_TEST_EXPECT_MSG_EQ(counters.timeouts, 0, "without port " << port);
            NS_TEST_EXPECT_MSG_EQ(fabric->GetPort(0, port)->GetCounters().txBytes, 0, "silent");
            NS_TEST_EXPECT_MSG_EQ(counters.acksReceived, 320, "every packet is answered");
            for (uint32_t i = 0; i < flows.size(); ++i)
            {
                NS_TEST_EXPECT_MSG_EQ(recorder.GetRecords()[i].fctPs,
                                      recorder.GetTable().GetIdealFctPs(i),
                                      "flow " << i << " without port " << port);
            }
            Simulator::Destroy();
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A link of either host goes down, before or in the middle: with a link alive at each host
 * every flow ends, however packets are spread.
 */
class AnyLinkTestCase : public TestCase
{
  public:
    /**
     * @param flowControl TypeId name, or "none"
     * @param credits what a leaf holds for a dead port takes credits from others: only where
     * nothing goes there
     */
    AnyLinkTestCase(const std::string& flowControl, bool credits)
        : TestCase("any host link down, flow control " + flowControl),
          m_flowControl(flowControl),
          m_credits(credits)
    {
    }

  private:
    void DoRun() override
    {
        const std::vector<std::pair<uint32_t, uint32_t>> links{{0, 4}, {0, 5}, {2, 6}, {2, 7}};
        for (const Spread& spread : SPREADS)
        {
            if (m_credits && spread.pathSelector != SPREADS[0].pathSelector)
            {
                continue;
            }
            for (std::size_t link = 0; link < (m_credits ? 2 : 4); ++link)
            {
                for (const int64_t us : {0, 50})
                {
                    Ptr<Fabric> fabric = MakeHelper(spread, m_flowControl)
                                             .Install(MakeFabricTopology(TWO_HOMES)->BuildGraph());
                    FabricFaults faults;
                    faults.AddDown(MicroSeconds(us), links[link].first, links[link].second);
                    faults.Install(fabric);
                    // two flows each, so that with credits senders wait for them
                    std::vector<FabricFlow> flows{{0, 2, 1000000, 0},
                                                  {0, 2, 1000000, 0},
                                                  {1, 2, 1000000, 0}};
                    if (!m_credits)
                    {
                        flows.push_back({2, 0, 1000000, 0}); // 2 does not know the links of 0
                    }
                    FlowRecorder recorder(fabric, flows);
                    recorder.SetStopWhenComplete(true);
                    recorder.Start();
                    Simulator::Stop(Seconds(5));
                    Simulator::Run();
                    NS_TEST_EXPECT_MSG_EQ(recorder.IsComplete(),
                                          true,
                                          spread.loadBalancer << ", " << spread.pathSelector
                                                              << ", link " << link << " at " << us
                                                              << " us");
                    Simulator::Destroy();
                }
            }
        }
    }

    std::string m_flowControl; //!< TypeId name
    bool m_credits;            //!< nothing goes to a dead port
};

/**
 * @ingroup dcfabric-tests
 * @brief A flow of one path leaves it after two time-outs in a row, not after one, and not ever if
 * it is told so.
 */
class RepathTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const Ptr<PerFlowLoadBalancer> balancer = CreateObject<PerFlowLoadBalancer>();
        balancer->Start(77);
        balancer->OnTimeout(0);
        NS_TEST_EXPECT_MSG_EQ(balancer->ChooseEntropy(0, true), 77, "one may be congestion");
        balancer->OnAck(1, 77, false);
        balancer->OnTimeout(2);
        NS_TEST_EXPECT_MSG_EQ(balancer->ChooseEntropy(2, true), 77, "not in a row");
        balancer->OnTimeout(3);
        const uint16_t second = balancer->ChooseEntropy(3, true);
        NS_TEST_EXPECT_MSG_NE(second, 77, "two in a row");
        NS_TEST_EXPECT_MSG_EQ(balancer->ChooseEntropy(4, false), second, "all packets");
        balancer->OnTimeout(5);
        NS_TEST_EXPECT_MSG_NE(balancer->ChooseEntropy(5, true), second, "and at each further one");

        const Ptr<PerFlowLoadBalancer> faithful = CreateObject<PerFlowLoadBalancer>();
        faithful->SetAttribute("RepathTimeouts", UintegerValue(0));
        faithful->Start(77);
        for (int i = 0; i < 10; ++i)
        {
            faithful->OnTimeout(i);
        }
        NS_TEST_EXPECT_MSG_EQ(faithful->ChooseEntropy(11, true), 77, "never");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A packet of the stack that waits for credits of a link that goes down takes the other
 * link; those handed over once the link is up again go by it.
 */
class StackLinkTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        FabricHelper helper;
        helper.SetFlowControl("ns3::VoqCreditFlowControl", "InitialCredits", BooleanValue(false));
        helper.SetBuffer("ns3::VoqBuffer");
        helper.AddStackClass(0, true);
        Ptr<Fabric> fabric = helper.Install(MakeFabricTopology(TWO_HOMES)->BuildGraph());
        const FabricNic& nic = *fabric->GetNic(0);
        fabric->GetNodes().Get(2)->RegisterProtocolHandler(
            MakeCallback(&StackLinkTestCase::Receive, this),
            IPV4_TYPE,
            nullptr);
        Ipv4Form form;
        form.dst = 2;
        for (const int64_t us : {0, 20})
        {
            Simulator::Schedule(MicroSeconds(us), &StackLinkTestCase::SendAt, this, fabric, form);
        }
        Simulator::Schedule(NanoSeconds(400), &StackLinkTestCase::LookForCredits, this, fabric);
        FabricFaults faults;
        faults.AddDown(NanoSeconds(500), 0, 4);
        faults.AddUp(MicroSeconds(10), 0, 4);
        faults.Install(fabric);
        Simulator::Stop(MilliSeconds(10));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(nic.GetCounters().stackSent, 2, "handed over");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetNic(2)->GetCounters().stackDelivered, 2, "delivered");
        NS_TEST_EXPECT_MSG_EQ(m_received, 2, "to the handler");
        Simulator::Destroy();
    }

    /**
     * @brief Hand a packet over.
     * @param fabric the network
     * @param form what is in it
     */
    void SendAt(Ptr<Fabric> fabric, Ipv4Form form)
    {
        SendIpv4(fabric, form);
    }

    /// Before the link goes down. @param fabric the network
    void LookForCredits(Ptr<Fabric> fabric)
    {
        NS_TEST_EXPECT_MSG_EQ(fabric->GetPort(0, 0)->GetGate()->GetNParkedPackets(),
                              1,
                              "no credit frame has come yet");
    }

    /// Counts what arrives.
    void Receive(Ptr<NetDevice> /* device */,
                 Ptr<const Packet> /* packet */,
                 uint16_t /* protocol */,
                 const Address& /* from */,
                 const Address& /* to */,
                 NetDevice::PacketType /* type */)
    {
        ++m_received;
    }

    uint32_t m_received{0}; //!< packets
};

/// Faults of host links.
const SuiteCases g_cases("dcfabric-loss", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.AddTestCase(new FitTestCase("entropies that fit the ports that are up"));
    suite.AddTestCase(new OwnLinkTestCase("a link of the sender is down from the start"));
    suite.AddTestCase(new StackLinkTestCase("a stack's packet waits at a link that goes down"));
    suite.AddTestCase(new RepathTestCase("another path after time-outs in a row"));
    suite.AddTestCase(new AnyLinkTestCase("ns3::PriorityFlowControl", false));
    suite.AddTestCase(new AnyLinkTestCase("none", false));
    suite.AddTestCase(new AnyLinkTestCase("ns3::CreditFlowControl", true));
    suite.AddTestCase(new AnyLinkTestCase("ns3::VoqCreditFlowControl", true));
});

} // namespace ns3::tests::host_link_faults_test
