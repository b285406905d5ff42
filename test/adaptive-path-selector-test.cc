// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-network.h"
#include "fabric-test-paths.h"
#include "fabric-test-plan.h"
#include "fabric-test-suite.h"

#include "ns3/adaptive-path-selector.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-helper.h"
#include "ns3/flowlet-path-selector.h"
#include "ns3/forwarding-table.h"
#include "ns3/port-loads.h"
#include "ns3/test.h"

#include <array>
#include <map>
#include <set>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Path selection by the state of the network: flowlets and the least queue.
 */

namespace ns3::tests::adaptive_path_selector_test
{

/**
 * @ingroup dcfabric-tests
 * @brief A switch with a clock and queues to be set.
 */
class FakeLoads : public PortLoads
{
  public:
    int64_t GetPresentPs() const override
    {
        return nowPs;
    }

    uint64_t GetWaitingBytes(uint16_t port) const override
    {
        return waiting.at(port);
    }

    int64_t GetWaitingPs(uint16_t port) const override
    {
        return static_cast<int64_t>(waiting.at(port)) * 80; // at 100 Gb/s
    }

    int64_t nowPs{0};                     //!< time
    std::map<uint16_t, uint64_t> waiting; //!< by port
};

const std::array<uint16_t, 4> PORTS{10, 11, 12, 13};         //!< of the group
const std::array<uint16_t, 5> NEIGHBORS{0, 1, 2, 3, 4};      //!< one link each
const PortGroup GROUP{PORTS.data(), NEIGHBORS.data(), 4, 4}; //!< four ways

/**
 * @param src,dst hosts
 * @param entropy of the flow
 * @return a packet
 */
Ptr<FabricPacketItem>
MakePacket(uint32_t src, uint32_t dst, uint16_t entropy)
{
    return MakeData(1000, 0, 3, src, dst, entropy);
}

/**
 * @ingroup dcfabric-tests
 * @brief When a flow may move.
 */
class FlowletTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        FakeLoads loads;
        Ptr<FlowletPathSelector> selector = CreateObject<FlowletPathSelector>();
        selector->SetAttribute("Timeout", TimeValue(MicroSeconds(100)));
        selector->AssignStreams(5);
        selector->SetPortLoads(&loads);
        // 100 us after the last packet, however often, is no pause of more than 100 us
        const auto item = MakePacket(1, 2, 77);
        const uint16_t first = selector->Select(GROUP, *item);
        for (int i = 0; i < 200; ++i)
        {
            loads.nowPs += 100000000;
            NS_TEST_EXPECT_MSG_EQ(selector->Select(GROUP, *item), first, "packet " << i);
        }
        NS_TEST_EXPECT_MSG_EQ(selector->GetNMoves(), 0, "it has not moved");
        // one picosecond more is: 4,000 draws of four ports; by chance 1,000 each with a standard
        // deviation of sqrt(4000 x 1/4 x 3/4) = 27; 5 x 27 = 137
        std::map<uint16_t, int> count;
        uint16_t last = first;
        uint64_t moves = 0;
        for (int i = 0; i < 4000; ++i)
        {
            loads.nowPs += 100000001;
            const uint16_t port = selector->Select(GROUP, *item);
            ++count[port];
            moves += port != last;
            last = port;
        }
        NS_TEST_EXPECT_MSG_EQ(selector->GetNMoves(), moves, "to another port");
        for (const uint16_t port : PORTS)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(count[port], 1000, 137, "port " << port);
        }
        NS_TEST_EXPECT_MSG_EQ(selector->GetNEntries(), 1, "one flow");

        // the answers of the same flow have an entry of their own
        selector->Select(GROUP, *MakePacket(2, 1, 77));
        NS_TEST_EXPECT_MSG_EQ(selector->GetNEntries(), 2, "both directions");

        // 5,000 further flows, one each microsecond: 100 us hold 101 of them
        for (uint16_t i = 0; i < 5000; ++i)
        {
            loads.nowPs += 1000000;
            selector->Select(GROUP, *MakePacket(3, 4, i));
            NS_TEST_ASSERT_MSG_LT(selector->GetNEntries(), 1025, "old flows are removed");
        }
        NS_TEST_EXPECT_MSG_EQ(selector->GetNMoves(), moves, "the first flowlet is no move");
        NS_TEST_EXPECT_MSG_EQ(selector->GetMaxPaths(), UINT32_MAX, "any");
        NS_TEST_EXPECT_MSG_EQ(selector->KeepsOrder(), true, "if the timeout is long enough");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The least queue.
 */
class LeastQueueTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        FakeLoads loads;
        Ptr<AdaptivePathSelector> selector = CreateObject<AdaptivePathSelector>();
        selector->AssignStreams(6);
        selector->SetPortLoads(&loads);
        const auto item = MakePacket(1, 2, 77);
        for (const uint16_t free : PORTS)
        {
            for (const uint16_t port : PORTS)
            {
                loads.waiting[port] = port == free ? 1499 : 1500;
            }
            NS_TEST_EXPECT_MSG_EQ(selector->Select(GROUP, *item), free, "one byte less");
        }
        // 11 and 13 are empty: half of 4,000 each, standard deviation sqrt(4000 / 4) = 32
        loads.waiting = {{10, 1}, {11, 0}, {12, 1}, {13, 0}};
        std::map<uint16_t, int> count;
        for (int i = 0; i < 4000; ++i)
        {
            ++count[selector->Select(GROUP, *item)];
        }
        NS_TEST_EXPECT_MSG_EQ(count[10] + count[12], 0, "never the longer ones");
        NS_TEST_EXPECT_MSG_EQ_TOL(count[11], 2000, 158, "half");
        NS_TEST_EXPECT_MSG_EQ(selector->GetNDecided(), 4 + 4000, "by loads");
        loads.waiting = {{10, 7}, {11, 7}, {12, 7}, {13, 7}};
        selector->Select(GROUP, *item);
        NS_TEST_EXPECT_MSG_EQ(selector->GetNDecided(), 4 + 4000, "all alike: by the draw alone");
        NS_TEST_EXPECT_MSG_EQ(selector->KeepsOrder(), false, "packets overtake");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Two ways of different rates.
 */
class UnevenWaysTestCase : public TestCase
{
  public:
    UnevenWaysTestCase()
        : TestCase(
              "two ways, one at half rate: the least queue uses both, spraying the slower twice")
    {
    }

  private:
    /**
     * @param balancer of hosts
     * @param selector of switches
     * @param buffer of switches
     * @return Gb/s of payload that two hosts get across
     */
    double Measure(const std::string& balancer,
                   const std::string& selector,
                   const std::string& buffer)
    {
        // hosts 0, 1 at switch 4, hosts 2, 3 at switch 5; ways through 6 (100 Gb/s) and 7 (50 Gb/s)
        const FabricGraph graph = PlanOfLinks(
            4,
            4,
            {{0, 4}, {1, 4}, {2, 5}, {3, 5}, {4, 6}, {4, 7, 50 * GBPS}, {5, 6}, {5, 7, 50 * GBPS}});
        FabricHelper helper;
        helper.SetLoadBalancer(balancer);
        helper.SetPathSelector(selector);
        helper.SetBuffer(buffer);
        if (buffer == "ns3::SharedBuffer")
        {
            // or the ways would differ by more packets than the threshold below
            helper.SetBuffer(buffer, "XoffThreshold", UintegerValue(50000));
        }
        Ptr<Fabric> fabric = helper.Install(graph);
        const double gbps = MeasureTwoFlows(fabric);
        NS_TEST_EXPECT_MSG_EQ(fabric->GetDrops().empty(), true, "no drop");
        NS_TEST_EXPECT_MSG_EQ(fabric->CheckConservation().Holds(), true, "conservation");
        Simulator::Destroy();
        return gbps;
    }

    void DoRun() override
    {
        // 1,000 of 1,082 B are payload: 150 Gb/s of the wire are 138.6 of it. Spraying gives both
        // ways the same, twice 50: 92.4. An idle way is used at once, so nothing is lost.
        for (const std::string buffer : {"ns3::SharedBuffer", "ns3::VoqBuffer"})
        {
            const double sprayed =
                Measure("ns3::RandomSprayLoadBalancer", "ns3::EcmpPathSelector", buffer);
            NS_TEST_EXPECT_MSG_LT(sprayed, 92.4 * 1.1, "spraying, " << buffer);
            const double adaptive =
                Measure("ns3::PerFlowLoadBalancer", "ns3::AdaptivePathSelector", buffer);
            NS_TEST_EXPECT_MSG_EQ_TOL(adaptive, 138.6, 138.6 * 0.05, "least queue, " << buffer);
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Flowlets of a real flow.
 */
class FlowletNetworkTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief A packet leaves the first switch.
     * @param test this
     * @param port where
     * @param item which
     */
    static void Note(FlowletNetworkTestCase* test, uint16_t port, Ptr<const FabricPacketItem> item)
    {
        if (item->type == FabricPacketType::DATA)
        {
            test->m_portsOfBurst[item->data.msn].insert(port);
        }
    }

    void DoRun() override
    {
        // Messages of one PDC: 200 bursts of 20 packets (1.7 us), 200 us apart. That four ways miss
        // one of them in 200 draws has a chance of 4 x (3/4)^200.
        FabricHelper helper;
        helper.SetPathSelector("ns3::FlowletPathSelector");
        helper.SetNicAttribute("PdcPerMessage", BooleanValue(false));
        Ptr<Fabric> fabric = helper.Install(MakeWays(4));
        for (uint16_t port = 1; port <= 4; ++port)
        {
            fabric->GetPort(2, port)->TraceConnectWithoutContext(
                "Transmit",
                MakeBoundCallback(&FlowletNetworkTestCase::Note, this, port));
        }
        for (int64_t burst = 0; burst < 200; ++burst)
        {
            fabric->GetNic(0)->GetMessages().SendAt(burst * 200000000, 1, 20000, 0);
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_portsOfBurst.size(), 200, "all bursts");
        std::set<uint16_t> used;
        for (const auto& [burst, ports] : m_portsOfBurst)
        {
            NS_TEST_EXPECT_MSG_EQ(ports.size(), 1, "burst " << burst << " stays together");
            used.insert(ports.begin(), ports.end());
        }
        NS_TEST_EXPECT_MSG_EQ(used.size(), 4, "all ways");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetDrops().empty(), true, "no drop");
        Simulator::Destroy();

        for (const std::string selector : {"ns3::FlowletPathSelector", "ns3::AdaptivePathSelector"})
        {
            FabricHelper hpcc;
            hpcc.SetPathSelector(selector);
            hpcc.SetCongestionControl("ns3::HpccCongestionControl");
            hpcc.AddSwitchFeature("ns3::HpccIntFeature");
            DCFABRIC_EXPECT_REFUSAL(hpcc.Install(MakeWays(4)),
                                    "ns3::HpccCongestionControl compares INT records of one path, "
                                    "but " +
                                        selector + " moves flows from path to path");
            Simulator::Destroy();
            FabricHelper credits;
            credits.SetPathSelector(selector);
            credits.SetFlowControl("ns3::VoqCreditFlowControl");
            credits.SetBuffer("ns3::VoqBuffer");
            DCFABRIC_EXPECT_REFUSAL(credits.Install(MakeWays(4)),
                                    "ns3::VoqCreditFlowControl has to know the output of a packet "
                                    "before it arrives, but " +
                                        selector + " chooses it on arrival");
            Simulator::Destroy();
        }
        FabricHelper inOrder;
        inOrder.SetPathSelector("ns3::AdaptivePathSelector");
        inOrder.SetReliability("ns3::GoBackN");
        DCFABRIC_EXPECT_REFUSAL(inOrder.Install(MakeWays(4)),
                                "ns3::GoBackN accepts packets only in order, but "
                                "ns3::AdaptivePathSelector spreads a flow over several");
        Simulator::Destroy();
    }

    std::map<uint32_t, std::set<uint16_t>> m_portsOfBurst; //!< by message number
};

/// Path selection by the state of the network.
const SuiteCases g_cases("dcfabric-routing", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(
        new FlowletTestCase("a flow moves after a pause of more than the timeout, and only then"));
    suite.AddTestCase(new LeastQueueTestCase(
        "each packet takes the port with the least waiting, any of them if several"));
    suite.AddTestCase(new UnevenWaysTestCase);
    suite.AddTestCase(new FlowletNetworkTestCase(
        "bursts of a flow stay together and take all ways; refused combinations"));
});

} // namespace ns3::tests::adaptive_path_selector_test
