// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-plan.h"
#include "../fabric-test-schedule.h"
#include "../fabric-test-suite.h"
#include "../fabric-test-transport.h"

#include "ns3/fabric-faults.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <cstdint>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Back-to-sender notification of drops for which a switch had no port left ([Patent] (14):
 * a drop "in any case triggers a BTS").
 */

namespace ns3::tests::wreb_no_port_test
{

/**
 * @ingroup dcfabric-tests
 * @brief One of two spines is cut off from the receiver's leaf for good.
 *
 * Of twenty messages about half go by that spine. It drops what waits when it finds out, at 10 us,
 * and then whatever comes: the senders hear of each packet, take another path and need no time-out.
 */
class CutOffTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        for (const char* selector : {"ns3::SymmetricEcmpPathSelector", "ns3::EcmpPathSelector"})
        {
            FabricHelper helper;
            helper.SetPathSelector(selector);
            helper.SetCongestionControl("ns3::DctcpCongestionControl");
            helper.SetFlowControl("none");
            helper.AddSwitchFeature("ns3::WrebFeature");
            TestNetwork network(MakeWays(2), helper);
            FabricFaults faults;
            faults.AddDown(Seconds(0), 3, 4);
            faults.Install(network.fabric);
            for (uint32_t message = 0; message < 20; ++message)
            {
                network.MessagesOf(0).Send(1, 20000, message);
            }
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 20, selector);
            uint64_t drops = 0;
            for (const auto& [reason, count] : network.fabric->GetSwitch(4)->GetDrops())
            {
                NS_TEST_EXPECT_MSG_EQ(reason, DropReason::PORT_DOWN, selector);
                drops += count;
            }
            NS_TEST_EXPECT_MSG_GT(drops, 0, selector << ": some went there");
            NS_TEST_EXPECT_MSG_EQ(network.Sum(&FabricNic::Counters::btsReceived),
                                  drops,
                                  selector << ": each is told");
            NS_TEST_EXPECT_MSG_EQ(network.Sum(&FabricNic::Counters::retransmitted),
                                  drops,
                                  selector << ": and sent again once");
            NS_TEST_EXPECT_MSG_EQ(network.Sum(&FabricNic::Counters::timeouts),
                                  0,
                                  selector << ": nobody waits");
            NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, selector);
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The link to the receiver is down for good: no path leads there.
 *
 * Ten packets wait until the switch finds out at 10 us; they are dropped, sent again, and dropped
 * once in a round trip to the switch from then on. The time-out of 200 us ends that: it sends them
 * once more, as do those after 400 and 800 us, at 600 and 1400 us: 20 packets from 300 us to 2 ms.
 */
class NoWayTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        FabricHelper helper;
        helper.SetFlowControl("none");
        helper.AddSwitchFeature("ns3::WrebFeature");
        helper.SetNicAttribute("AckTimeout", TimeValue(MicroSeconds(200)));
        TestNetwork network(MakeStar(2), helper);
        FabricFaults faults;
        faults.AddDown(Seconds(0), 1, 2);
        faults.Install(network.fabric);
        network.MessagesOf(0).SendAt(0, 1, 10000, 1);
        uint64_t sent = 0;
        CallIn(MicroSeconds(300), [&]() { sent = network.Nic(0).GetCounters().dataSent; });
        Simulator::Stop(MilliSeconds(2));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_GT(sent, 30, "again and again at first");
        NS_TEST_EXPECT_MSG_EQ(network.Nic(0).GetCounters().dataSent, sent + 20, "two time-outs");
        NS_TEST_EXPECT_MSG_EQ(network.Nic(0).GetCounters().timeouts, 3, "time-outs");
        NS_TEST_EXPECT_MSG_EQ(network.Nic(0).GetCounters().btsReceived,
                              network.Nic(0).GetCounters().dataSent,
                              "each packet is told");
        NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, "all counted");
    }
};

/// Drops without a port.
const SuiteCases g_cases("dcfabric-wreb", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new CutOffTestCase(
        "no port: a spine that is cut off tells of each packet, and flows leave it"));
    suite.AddTestCase(
        new NoWayTestCase("no port: no way at all, and only time-outs send again in the end"));
});

} // namespace ns3::tests::wreb_no_port_test
