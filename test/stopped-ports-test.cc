// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-plan.h"
#include "fabric-test-schedule.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"

#include "ns3/egress-gate.h"
#include "ns3/fabric-net-device.h"
#include "ns3/stopped-ports.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <set>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief The list of ports that are stopped.
 */

namespace ns3::tests::stopped_ports_test
{

/// @return the ports in the list
std::set<const FabricNetDevice*>
List()
{
    std::set<const FabricNetDevice*> ports;
    for (const StoppedPorts::Entry& entry : StoppedPorts::Get())
    {
        ports.insert(entry.port);
    }
    return ports;
}

/**
 * @ingroup dcfabric-tests
 * @brief Ports that come and go.
 */
class ListTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        using Ports = std::set<const FabricNetDevice*>;
        {
            FabricHelper helper;
            helper.SetFlowControl("none");
            TestNetwork network(MakeStar(4), helper);
            FabricNetDevice* a = network.fabric->GetPort(4, 0);
            FabricNetDevice* b = network.fabric->GetPort(4, 1);
            FabricNetDevice* c = network.fabric->GetPort(0, 0);
            NS_TEST_EXPECT_MSG_EQ(List().empty(), true, "none at first");
            a->SetPausedClasses(0);
            NS_TEST_EXPECT_MSG_EQ(List().empty(), true, "not paused");
            a->SetPausedClasses(8);
            b->SetPausedClasses(8);
            c->SetPausedClasses(1);
            NS_TEST_EXPECT_MSG_EQ((List() == Ports{a, b, c}), true, "three");
            a->SetPausedClasses(16);
            NS_TEST_EXPECT_MSG_EQ(StoppedPorts::Get().size(), 3, "another class: the same port");
            a->SetPausedClasses(0); // the last one takes its place
            NS_TEST_EXPECT_MSG_EQ((List() == Ports{b, c}), true, "without the first");
            c->SetPausedClasses(0);
            NS_TEST_EXPECT_MSG_EQ((List() == Ports{b}), true, "without the last");
            a->SetPausedClasses(2);
            NS_TEST_EXPECT_MSG_EQ((List() == Ports{a, b}), true, "again");
        }
        NS_TEST_EXPECT_MSG_EQ(List().empty(), true, "gone with their network");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What the list has at any moment is what a look at all ports finds.
 */
class OracleTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param flowControl TypeId name
     * @param buffer of switches, TypeId name
     * @param gates ports are stopped at their gates, too
     */
    void Check(const std::string& flowControl, const std::string& buffer, bool gates)
    {
        FabricHelper helper;
        helper.SetFlowControl(flowControl);
        if (buffer == "ns3::SharedBuffer")
        {
            helper.SetBuffer(buffer, "XoffThreshold", UintegerValue(20000));
        }
        else
        {
            helper.SetBuffer(buffer);
        }
        uint32_t stopped = 0;
        uint32_t waiting = 0;
        {
            // five hosts send to the sixth, over two spines
            TestNetwork network(MakeTwoLeaves(3, 2), helper);
            for (uint32_t host = 0; host < 5; ++host)
            {
                network.MessagesOf(host).SendAt(0, 5, 400000, host);
            }
            for (int i = 0; i < 200; ++i)
            {
                CallIn(NanoSeconds(1 + 997 * i), [&]() {
                    std::set<const FabricNetDevice*> expected;
                    for (uint32_t node = 0; node < network.fabric->GetGraph().GetNNodes(); ++node)
                    {
                        for (uint32_t p = 0; p < network.fabric->GetGraph().GetDegree(node); ++p)
                        {
                            const FabricNetDevice* port = network.fabric->GetPort(node, p);
                            const bool isAtGate = port->GetGate() && port->GetGate()->HasWaiting();
                            waiting += isAtGate ? 1 : 0;
                            if (isAtGate || port->GetPausedClasses() != 0)
                            {
                                expected.insert(port);
                            }
                        }
                    }
                    stopped += expected.size();
                    NS_TEST_EXPECT_MSG_EQ((List() == expected), true, flowControl);
                });
            }
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 5, "complete");
            NS_TEST_EXPECT_MSG_EQ(List().empty(), true, flowControl << ": free in the end");
        }
        NS_TEST_EXPECT_MSG_GT(stopped, 50, flowControl << ": some were stopped");
        NS_TEST_EXPECT_MSG_EQ((waiting > 0), gates, flowControl << ": at gates");
        NS_TEST_EXPECT_MSG_EQ(List().empty(), true, flowControl << ": none is left");
    }

    void DoRun() override
    {
        Check("ns3::PriorityFlowControl", "ns3::SharedBuffer", false);
        Check("ns3::CreditFlowControl", "ns3::SharedBuffer", false);
        Check("ns3::VoqCreditFlowControl", "ns3::VoqBuffer", true);
    }
};

/// Ports that are stopped.
const SuiteCases g_cases("dcfabric-link", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new ListTestCase("ports join the list of stopped ones and leave it"));
    suite.AddTestCase(new OracleTestCase("the list is what a look at all ports finds"));
});

} // namespace ns3::tests::stopped_ports_test
