// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-plan.h"
#include "fabric-test-schedule.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"

#include "ns3/boolean.h"
#include "ns3/fabric-topology.h"
#include "ns3/nstime.h"
#include "ns3/sending-pdc.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief What a control of delays is told: how long ACKs waited at the receiver, and how many
 * switches are on the way.
 *
 * Two hosts at a switch, 100 Gb/s and 1 us: a full packet takes F = 86,560 ps on the wire, so that
 * the first one arrives at 2 F + 2 us = 2,173,120 ps.
 */

namespace ns3::tests::endpoint_delay_test
{

/**
 * @ingroup dcfabric-tests
 * @brief Delays in ACKs.
 */
class EchoDelayTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param echo true: they do
     * @return helper whose NICs tell
     */
    static FabricHelper MakeHelper(bool echo = true)
    {
        FabricHelper helper;
        helper.SetFlowControl("none");
        helper.SetNicAttribute("EchoDelay", BooleanValue(echo));
        helper.SetNicAttribute("AckTimeout", TimeValue(Seconds(1)));
        return helper;
    }

    /**
     * @brief Note what ACKs tell.
     * @param network two hosts and a switch
     */
    void Watch(const TestNetwork& network)
    {
        m_seen.clear();
        AddTap(network, 2)->SetRule([this](FabricPacketItem& item) {
            if (item.type == FabricPacketType::ACK || item.type == FabricPacketType::NACK)
            {
                m_seen.emplace_back(item.src, item.echoDelayNs);
            }
            return true;
        });
    }

    /**
     * @brief Compare.
     * @param expected source and delay of each ACK
     * @param when of the case
     */
    void Expect(const std::vector<std::pair<uint32_t, uint32_t>>& expected, const std::string& when)
    {
        NS_TEST_ASSERT_MSG_EQ(m_seen.size(), expected.size(), "ACKs, " << when);
        for (std::size_t i = 0; i < expected.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(m_seen[i].first, expected[i].first, "source, " << when);
            NS_TEST_EXPECT_MSG_EQ(m_seen[i].second, expected[i].second, "delay, " << when);
        }
    }

    /// @brief Host 1 sends a packet from 2.1 us to 2,186,560 ps, behind which its ACK waits: 13,440
    /// ps, or from 2173 to 2186 ns. The ACK of host 0 finds a free wire. @param echo NICs tell
    void Behind(bool echo)
    {
        TestNetwork network(MakeStar(2), MakeHelper(echo));
        Watch(network);
        network.MessagesOf(0).SendAt(0, 1, 1000, 0);
        network.MessagesOf(1).SendAt(2100000, 0, 1000, 1);
        Simulator::Run();
        Expect({{1, echo ? 13 : 0}, {0, 0}}, echo ? "behind a packet" : "NICs that do not tell");
    }

    /**
     * @brief The class of ACKs is paused at host 1 from the start.
     * @param untilPs when that ends
     * @param expectedNs what the ACK tells
     */
    void Paused(int64_t untilPs, uint32_t expectedNs)
    {
        TestNetwork network(MakeStar(2), MakeHelper());
        Watch(network);
        FabricNetDevice* port = network.fabric->GetPort(1, 0);
        CallIn(NanoSeconds(1), [port]() { port->SetPausedClasses(1 << 6); });
        CallIn(FabricTime::FromPs(untilPs), [port]() { port->SetPausedClasses(0); });
        network.MessagesOf(0).SendAt(0, 1, 1000, 0);
        Simulator::Run();
        Expect({{1, expectedNs}}, "paused");
    }

    void DoRun() override
    {
        Behind(true);
        Behind(false);
        // 10,000,100 - 2173 ns
        Paused(10000100000, 9997927);
        // 24 bits are not enough for 20 ms: the most they can say
        Paused(20000000000, 0xffffff);

        // one ACK for four packets: the fourth triggers it and has not waited
        FabricHelper helper = MakeHelper();
        helper.SetNicAttribute("AckEvery", UintegerValue(4));
        {
            TestNetwork network(MakeStar(2), helper);
            Watch(network);
            network.MessagesOf(0).SendAt(0, 1, 8000, 0);
            Simulator::Run();
            Expect({{1, 0}, {1, 0}}, "an ACK for four");
        }

        // A NACK tells as well. Packet 0 is lost; packet 1 arrives at 2 us + 3 F = 2,259,680 ps.
        // Host 1 sends from 2.2 us to 2,286,560 ps: from 2259 to 2286 ns.
        helper = MakeHelper();
        helper.SetReliability("ns3::GoBackN");
        TestNetwork network(MakeStar(2), helper);
        LoseCopies lose(FabricPacketType::DATA, {{0, 1}});
        m_seen.clear();
        AddTap(network, 2)->SetRule([this, lose](FabricPacketItem& item) mutable {
            if (item.type == FabricPacketType::NACK)
            {
                m_seen.emplace_back(item.src, item.echoDelayNs);
            }
            return item.src != 0 || lose(item);
        });
        network.MessagesOf(0).SendAt(0, 1, 2000, 0);
        network.MessagesOf(1).SendAt(2200000, 0, 1000, 1);
        Simulator::Run();
        Expect({{1, 27}}, "NACK");
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 2, "both messages");
    }

    std::vector<std::pair<uint32_t, uint32_t>> m_seen; //!< source and delay of each ACK
};

/**
 * @ingroup dcfabric-tests
 * @brief Switches on the way, and what the helper installs.
 */
class SwitchesOnTheWayTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief Compare.
     * @param plan network
     * @param dst destination of host 0
     * @param switches on the way
     */
    void Expect(const FabricGraph& plan, uint32_t dst, uint32_t switches)
    {
        for (const bool swift : {true, false})
        {
            FabricHelper helper;
            if (swift)
            {
                helper.SetCongestionControl("ns3::SwiftCongestionControl");
            }
            TestNetwork network(plan, helper);
            network.MessagesOf(0).SendAt(0, dst, 100000, 0);
            uint32_t told = UINT32_MAX;
            CallIn(MicroSeconds(1), [&network, &told]() {
                const auto* pdc = network.Nic(0).GetSendingPdcs().GetBusy().at(0);
                told = pdc->GetCongestionControl()->GetPath().switches;
            });
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(told, (swift ? switches : 0), "told");
            NS_TEST_EXPECT_MSG_EQ(network.Nic(dst).echoDelay, swift, "NICs tell delays");
            NS_TEST_EXPECT_MSG_EQ(network.fabric->GetRouting().GetSwitches(0, dst),
                                  switches,
                                  "switches to " << dst);
            NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 1, "complete");
        }
    }

    void DoRun() override
    {
        Expect(MakeStar(2), 1, 1);
        Expect(MakeChain({100 * GBPS, 100 * GBPS, 100 * GBPS}, {US, US, US}), 1, 2);
        const FabricGraph leafSpine =
            MakeFabricTopology("leaf-spine:leaves=2,spines=2,hosts=2", {})->BuildGraph();
        Expect(leafSpine, 1, 1);
        Expect(leafSpine, 2, 3);
        const FabricGraph fatTree = MakeFabricTopology("fat-tree:k=4", {})->BuildGraph();
        Expect(fatTree, 1, 1);
        Expect(fatTree, 2, 3);
        Expect(fatTree, 4, 5);
        // a link from host to host
        Expect(PlanOfLinks(2, 0, {{0, 1}}), 1, 0);
        // hosts at two switches each: host 0 at 3 and 4, host 1 at 4 and 5, host 2 at 5
        const FabricGraph homes =
            PlanOfLinks(3, 3, {{0, 3}, {0, 4}, {1, 4}, {1, 5}, {2, 5}, {3, 4}, {4, 5}});
        Expect(homes, 1, 1);
        Expect(homes, 2, 2);
    }
};

/// What a control of delays is told.
const SuiteCases g_cases("dcfabric-delay-control", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new EchoDelayTestCase("ACKs tell how long they waited"));
    suite.AddTestCase(new SwitchesOnTheWayTestCase("switches on the way"));
});

} // namespace ns3::tests::endpoint_delay_test
