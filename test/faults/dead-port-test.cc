// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-schedule.h"
#include "../fabric-test-suite.h"
#include "../fabric-test-transport.h"

#include "ns3/fabric-faults.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief A switch whose own port is down: after the time to find out it takes the other ports, and
 * what waited is dropped.
 */

namespace ns3::tests::dead_port_test
{

const Time NEVER = Hours(24); //!< the switch does not find out

/**
 * @ingroup dcfabric-tests
 * @brief What is left of groups, worked out by hand.
 */
class UpGroupsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        auto classes = std::make_shared<DestinationClasses>();
        classes->classOf = {0, 1, 1, DestinationClasses::NONE};
        classes->nClasses = 2;
        ForwardingTable table(classes);
        // three neighbors with two, one and three links; host 0 with ports 7 and 8
        table.SetGroup(1, {4, 5, 1, 0, 2, 3}, {0, 2, 3}, 2, 1);
        table.SetLocalClass(0);
        table.SetLocal(0, {7, 8});
        std::vector<bool> down(9, false);
        const auto expect = [&](uint32_t address,
                                const std::vector<uint16_t>& ports,
                                const std::vector<uint16_t>& neighbors,
                                const std::string& what) {
            table.SetDown(down);
            const PortGroup group = table.LookupUp(address);
            NS_TEST_EXPECT_MSG_EQ(
                (std::vector<uint16_t>(group.ports, group.ports + group.nPorts) == ports),
                true,
                what << ": ports");
            NS_TEST_EXPECT_MSG_EQ(
                (std::vector<uint16_t>(group.neighbors, group.neighbors + group.nNeighbors) ==
                 neighbors),
                true,
                what << ": neighbors");
            NS_TEST_EXPECT_MSG_EQ(group.neighbors[group.nNeighbors], group.nPorts, what);
            NS_TEST_EXPECT_MSG_EQ(group.GetTier(), (address == 0 ? 0 : 2), what);
            NS_TEST_EXPECT_MSG_EQ(group.GetWays(), 1, what);
        };
        expect(1, {4, 5, 1, 0, 2, 3}, {0, 2, 3}, "all up");
        down[5] = true;
        expect(1, {4, 1, 0, 2, 3}, {0, 1, 2}, "one of two links");
        down[1] = true;
        expect(2, {4, 0, 2, 3}, {0, 1}, "the only link to a neighbor");
        down[4] = true;
        down[7] = true;
        expect(1, {0, 2, 3}, {0}, "one neighbor left");
        expect(0, {8}, {0}, "the host's other link");
        down.assign(9, true);
        table.SetDown(down);
        NS_TEST_EXPECT_MSG_EQ(table.LookupUp(1).nPorts, 0, "none");
        NS_TEST_EXPECT_MSG_EQ(table.LookupUp(0).nPorts, 0, "none to the host");
        NS_TEST_EXPECT_MSG_EQ(table.LookupUp(3).nPorts, 0, "no way");
        NS_TEST_EXPECT_MSG_EQ(table.LookupUp(99).nPorts, 0, "no such address");
        NS_TEST_EXPECT_MSG_EQ(table.Lookup(1).nPorts, 6, "the group itself stays");
        down.clear();
        expect(1, {4, 5, 1, 0, 2, 3}, {0, 2, 3}, "up again");
    }
};

/// A way to build a network.
struct Organization
{
    const char* selector;    //!< of the switches
    const char* flowControl; //!< TypeId or none
    const char* buffer;      //!< TypeId
    bool symmetric{false};   //!< answers come by the spine that is cut off, which drops them
    bool bounded{false};     //!< credits let so many packets come and no more
};

/**
 * @param organization what to build
 * @param detection time to find out
 * @return a helper
 */
FabricHelper
MakeHelper(const Organization& organization, Time detection)
{
    FabricHelper helper;
    helper.SetPathSelector(organization.selector);
    helper.SetFlowControl(organization.flowControl);
    helper.SetBuffer(organization.buffer);
    helper.SetSwitchAttribute("DetectionTime", TimeValue(detection));
    helper.SetNicAttribute("AckTimeout", TimeValue(MicroSeconds(200)));
    return helper;
}

/**
 * @param network the network
 * @param node the switch
 * @return drops of a switch for want of a port
 */
uint64_t
GetPortDrops(const TestNetwork& network, uint32_t node)
{
    const auto drops = network.fabric->GetSwitch(node)->GetDrops();
    const auto found = drops.find(DropReason::PORT_DOWN);
    return found == drops.end() ? 0 : found->second;
}

/**
 * @ingroup dcfabric-tests
 * @brief A message whose spine is dead from the start.
 *
 * Host 0 sends 200 packets from 0 on, of 86,560 ps each; they are at leaf 4 from 1,086,560 ps on.
 * The link to one of two spines is down from 0 to 150 us. If the flow takes this one, the queue has
 * 1 + floor((10,000,000 - 1,086,560) / 86,560) = 103 packets when the leaf finds out at 10 us; the
 * other 97 take the other spine. What was dropped is sent again, by the other one. With symmetric
 * ECMP answers come by the spine that is cut off until tables are repaired: the sender hears
 * nothing before the link is back.
 */
class DetourTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief Run it.
     * @param organization the network
     * @param spine that is cut off
     * @param detection time to find out
     * @param expected drops if the flow takes this spine, which all are by then
     * @return true if it took this spine
     */
    bool Check(const Organization& organization, uint32_t spine, Time detection, uint64_t expected)
    {
        TestNetwork network(MakeTwoLeaves(2, 2), MakeHelper(organization, detection));
        FabricFaults faults;
        faults.AddDown(Seconds(0), 4, 6 + spine);
        faults.AddUp(MicroSeconds(150), 4, 6 + spine);
        faults.Install(network.fabric);
        network.MessagesOf(0).SendAt(0, 2, 200000, 1);
        uint64_t dropped = 0;
        uint64_t waiting = 0;
        CallIn(MicroSeconds(30), [&]() {
            dropped = GetPortDrops(network, 4);
            waiting = network.fabric->GetSwitch(4)->GetPort(2 + spine)->GetQueue().GetBytes() +
                      network.fabric->GetSwitch(4)->GetBuffer()->GetWaitingBytes(2 + spine);
            NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, "on the way");
        });
        Simulator::Run();
        const std::string what = std::string(organization.selector) + ", " +
                                 organization.flowControl + ", " + organization.buffer +
                                 ", spine " + std::to_string(spine) + ", detection " +
                                 std::to_string(detection.GetMicroSeconds()) + " us";
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 1, what << ": complete");
        NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, what);
        NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().inFlight, 0, what);
        const bool took = dropped > 0 || waiting > 0;
        if (took)
        {
            if (organization.bounded)
            {
                NS_TEST_EXPECT_MSG_EQ((dropped > 0), (detection != NEVER), what << ": dropped");
                NS_TEST_EXPECT_MSG_LT(dropped, expected + 1, what << ": as credits let come");
            }
            else
            {
                NS_TEST_EXPECT_MSG_EQ(dropped, expected, what << ": dropped");
            }
            NS_TEST_EXPECT_MSG_EQ((waiting == 0), (detection != NEVER), what << ": waiting");
            if (!organization.symmetric)
            {
                NS_TEST_EXPECT_MSG_EQ((TestNetwork::Find(network.delivered, 1).nowPs < 150 * US),
                                      (detection != NEVER),
                                      what << ": delivered before the link came up");
            }
        }
        return took;
    }

    void DoRun() override
    {
        const Organization organizations[] = {
            {"ns3::EcmpPathSelector", "none", "ns3::SharedBuffer"},
            {"ns3::SymmetricEcmpPathSelector",
             "ns3::PriorityFlowControl",
             "ns3::SharedBuffer",
             true},
            {"ns3::FlowletPathSelector", "ns3::PriorityFlowControl", "ns3::SharedBuffer"},
            {"ns3::SymmetricEcmpPathSelector", "ns3::PriorityFlowControl", "ns3::VoqBuffer", true},
            {"ns3::SymmetricEcmpPathSelector",
             "ns3::CreditFlowControl",
             "ns3::SharedBuffer",
             true,
             true},
            {"ns3::SymmetricEcmpPathSelector",
             "ns3::VoqCreditFlowControl",
             "ns3::VoqBuffer",
             true,
             true},
        };
        for (const Organization& organization : organizations)
        {
            uint32_t took = 0;
            for (const uint32_t spine : {0, 1})
            {
                took += Check(organization, spine, MicroSeconds(10), 103);
                // 1 + floor((5,000,000 - 1,086,560) / 86,560) = 46
                Check(organization, spine, MicroSeconds(5), 46);
                Check(organization, spine, NEVER, 0);
            }
            NS_TEST_EXPECT_MSG_EQ(took, 1, organization.selector << ": one of the two");
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A link that is back before anybody found out, and one that goes down twice.
 */
class FlapTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // down for 9 us, up for 2, down for 9: at no time down for 10
        const Organization plain{"ns3::EcmpPathSelector", "none", "ns3::SharedBuffer"};
        TestNetwork network(MakeTwoLeaves(2, 1), MakeHelper(plain, MicroSeconds(10)));
        FabricFaults faults;
        faults.AddDown(MicroSeconds(2), 4, 6);
        faults.AddUp(MicroSeconds(11), 4, 6);
        faults.AddDown(MicroSeconds(13), 4, 6);
        faults.AddUp(MicroSeconds(22), 4, 6);
        faults.AddDown(MicroSeconds(40), 4, 6); // for good
        faults.Install(network.fabric);
        network.MessagesOf(0).SendAt(0, 2, 100000, 1);
        const auto sw = network.fabric->GetSwitch(4);
        for (const auto& [us, known] : {std::pair{12, false},
                                        std::pair{21, false},
                                        std::pair{30, false},
                                        std::pair{49, false},
                                        std::pair{51, true}})
        {
            CallIn(MicroSeconds(us), [this, sw, at = us, expected = known]() {
                NS_TEST_EXPECT_MSG_EQ(sw->GetForwardingTable().IsDown(2),
                                      expected,
                                      "at " << at << " us");
                NS_TEST_EXPECT_MSG_EQ(sw->GetDrops().empty(), true, "at " << at << " us");
            });
        }
        // to the other leaf there is no other port: each packet is dropped, as without a route
        network.MessagesOf(0).SendAt(60 * US, 2, 1000, 2);
        network.MessagesOf(0).SendAt(60 * US, 1, 1000, 3);
        Simulator::Stop(MicroSeconds(100));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(GetPortDrops(network, 4), 1, "no port left");
        NS_TEST_EXPECT_MSG_EQ(TestNetwork::Find(network.delivered, 3).tag, 3, "in the rack");
        NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, "conservation");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief All hosts of two leaves with eight spines to all of the other leaf, sprayed, one link
 * down.
 *
 * While nobody finds out, packets pile up before the dead link in both directions, the pauses reach
 * all hosts and nothing moves. When both ends know, the leaf spreads over seven spines, and the
 * eighth spine drops the eighth part of what comes to it for the leaf that it has lost.
 */
class SprayedAllToAllTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param organization the network
     * @param balancer of the hosts
     * @param detection time to find out
     * @return payload that arrives from 300 to 500 us in Gb/s
     */
    double Measure(const Organization& organization, const std::string& balancer, Time detection)
    {
        FabricHelper helper = MakeHelper(organization, detection);
        helper.SetLoadBalancer(balancer);
        // which fills soon
        helper.SetBuffer("ns3::SharedBuffer", "Size", UintegerValue(4000000));
        TestNetwork network(MakeTwoLeaves(8, 8), helper);
        FabricFaults faults;
        faults.AddDown(MicroSeconds(100), 16, 18);
        faults.Install(network.fabric);
        for (uint32_t i = 0; i < 16; ++i)
        {
            for (uint32_t k = 0; k < 8; ++k)
            {
                network.MessagesOf(i).SendAt(0,
                                             (i / 8 == 0 ? 8 : 0) + (i + k) % 8,
                                             10000000,
                                             i * 8 + k);
            }
        }
        uint64_t before = 0;
        CallIn(MicroSeconds(300),
               [&]() { before = network.Sum(&FabricNic::Counters::bytesDelivered); });
        Simulator::Stop(MicroSeconds(500));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, balancer);
        return static_cast<double>(network.Sum(&FabricNic::Counters::bytesDelivered) - before) * 8 /
               200e3;
    }

    void DoRun() override
    {
        const Organization spray{"ns3::EcmpPathSelector",
                                 "ns3::PriorityFlowControl",
                                 "ns3::SharedBuffer"};
        const Organization adaptive{"ns3::AdaptivePathSelector",
                                    "ns3::PriorityFlowControl",
                                    "ns3::SharedBuffer"};
        // nothing but what waits at receivers
        NS_TEST_EXPECT_MSG_LT(Measure(spray, "ns3::RandomSprayLoadBalancer", NEVER),
                              1,
                              "nobody finds out");
        // 16 hosts offer 1478 Gb/s of payload; from the leaf 7 links of 92.4, to it 7/8 of the rest
        NS_TEST_EXPECT_MSG_GT(Measure(spray, "ns3::RandomSprayLoadBalancer", MicroSeconds(10)),
                              500,
                              "spraying");
        NS_TEST_EXPECT_MSG_GT(Measure(adaptive, "ns3::PerFlowLoadBalancer", MicroSeconds(10)),
                              500,
                              "adaptive");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Packets of a spanning tree do not change to another tree half-way: they are dropped.
 */
class TreeTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const Organization trees{"ns3::SpanningTreePathSelector",
                                 "ns3::PriorityFlowControl",
                                 "ns3::SharedBuffer"};
        uint64_t dropped = 0;
        for (const uint32_t spine : {0, 1})
        {
            TestNetwork network(MakeTwoLeaves(2, 2), MakeHelper(trees, MicroSeconds(10)));
            FabricFaults faults;
            faults.AddDown(Seconds(0), 4, 6 + spine);
            faults.AddUp(MicroSeconds(150), 4, 6 + spine);
            faults.Install(network.fabric);
            network.MessagesOf(0).SendAt(0, 2, 200000, 1);
            Simulator::Run();
            dropped += GetPortDrops(network, 4);
            NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 1, "complete");
            NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().inFlight, 0, "nothing left");
        }
        NS_TEST_EXPECT_MSG_EQ(dropped, 200, "each packet of the flow once");
    }
};

/// Ports that are down.
const SuiteCases g_cases("dcfabric-routing", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new UpGroupsTestCase("groups without the ports that are down"));
    suite.AddTestCase(new DetourTestCase(
        "what waits is dropped after the detection time, the rest takes another port"));
    suite.AddTestCase(
        new FlapTestCase("a link that is down for less than the detection time drops nothing"));
    suite.AddTestCase(new SprayedAllToAllTestCase(
        "a sprayed all-to-all goes on when one of eight spines has lost a leaf"));
    suite.AddTestCase(new TreeTestCase(
        "packets of a tree that has lost its port are dropped, and come when it is back"));
});

} // namespace ns3::tests::dead_port_test
