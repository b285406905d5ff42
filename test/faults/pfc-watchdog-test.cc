// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-errors.h"
#include "../fabric-test-plan.h"
#include "../fabric-test-schedule.h"
#include "../fabric-test-suite.h"
#include "../fabric-test-transport.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/fabric-faults.h"
#include "ns3/pfc-watchdog-feature.h"
#include "ns3/test.h"

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief The PFC watchdog of switches, by hand.
 *
 * A star of three hosts at switch 3, 100 Gb/s and 1 us: a full packet takes 86,560 ps, a pause
 * 6,720 ps. Host 1 storms from 10 us on: its pause arrives at 11,006,720 ps. The watchdog detects
 * after 100 us and restores after 200 us.
 */

namespace ns3::tests::pfc_watchdog_test
{

using namespace by_hand;

/// What the watchdog tells: time in ps, port, class, begins.
using Told = std::vector<std::tuple<int64_t, uint16_t, uint8_t, bool>>;

/**
 * @ingroup dcfabric-tests
 * @brief Storms that begin, end and begin again.
 */
class WatchdogTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief Note what the watchdog tells.
     * @param port number
     * @param priority class
     * @param begins or ends
     */
    void Note(uint16_t port, uint8_t priority, bool begins)
    {
        m_told.emplace_back(m_network->fabric->GetActor(3)->GetNowPs(), port, priority, begins);
    }

    /**
     * @brief Build a star with a watchdog.
     * @param buffer TypeId
     * @param forward its action
     */
    void Build(const std::string& buffer, bool forward = false)
    {
        m_told.clear();
        FabricHelper helper;
        helper.SetBuffer(buffer);
        helper.SetNicAttribute("AckTimeout", TimeValue(MicroSeconds(1000)));
        helper.AddSwitchFeature("ns3::PfcWatchdogFeature",
                                "DetectionTime",
                                TimeValue(MicroSeconds(100)),
                                "RestorationTime",
                                TimeValue(MicroSeconds(200)),
                                "Forward",
                                BooleanValue(forward));
        m_network = std::make_unique<TestNetwork>(MakeStar(3), helper);
        m_watchdog = m_network->fabric->GetSwitch(3)->GetFeature<PfcWatchdogFeature>();
        m_watchdog->TraceConnectWithoutContext("Storm",
                                               MakeCallback(&WatchdogTestCase::Note, this));
    }

    /**
     * @brief Run and expect.
     * @param told by the watchdog
     * @param drops packets
     * @param what message
     */
    void Run(const Told& told, uint64_t drops, const std::string& what)
    {
        Simulator::Stop(MilliSeconds(20));
        Simulator::Run();
        std::string text;
        for (const auto& [timePs, port, priority, begins] : m_told)
        {
            text += " " + std::to_string(timePs) + "/" + std::to_string(port) + "/" +
                    std::to_string(priority) + (begins ? "+" : "-");
        }
        NS_TEST_EXPECT_MSG_EQ((m_told == told), true, what << ":" << text);
        NS_TEST_EXPECT_MSG_EQ(m_network->fabric->GetDrops()[DropReason::PAUSED_TOO_LONG],
                              drops,
                              what);
        uint64_t storms = 0;
        for (const auto& one : told)
        {
            storms += std::get<3>(one);
        }
        const std::map<std::string, uint64_t> expected = {{"pfc_storms", storms},
                                                          {"pfc_storms_over", told.size() - storms},
                                                          {"pfc_watchdog_drops", drops}};
        const auto counters = m_watchdog->GetCounters();
        const std::map<std::string, uint64_t> counted(counters.begin(), counters.end());
        NS_TEST_EXPECT_MSG_EQ((counted == expected), true, what << ": counters");
        NS_TEST_EXPECT_MSG_EQ(m_network->fabric->CheckConservation().Holds(), true, what);
    }

    /// Give everything up.
    void Clear()
    {
        m_watchdog = nullptr;
        m_network.reset();
    }

    void DoRun() override
    {
        constexpr int64_t PAUSED = 11006720; // when the pause has arrived
        for (const char* buffer : {"ns3::SharedBuffer", "ns3::VoqBuffer"})
        {
            // A packet of two waits since 21,086,560: the other one of the message is 86,560 later.
            // Dropped at 121,086,560, with what host 2 sent to host 1 at 50 us. What comes at 200
            // us is dropped at once. Calm at 400 us, which arrives at 401,006,720; restored 200 us
            // later. What is sent again at 1,020 us, 1,050 us and 1,200 us arrives.
            Build(buffer);
            FabricFaults faults;
            faults.AddStorm(MicroSeconds(10), 1);
            faults.AddCalm(MicroSeconds(400), 1);
            faults.Install(m_network->fabric);
            m_network->MessagesOf(0).SendAt(20 * US, 1, 2000, 1);
            m_network->MessagesOf(2).SendAt(50 * US, 1, 1000, 2);
            m_network->MessagesOf(0).SendAt(200 * US, 1, 1000, 3);
            m_network->MessagesOf(0).SendAt(200 * US, 2, 1000, 4); // not to host 1
            const int64_t begins = 20 * US + F + US + 100 * US;
            Run({{begins, 1, 3, true}, {401006720 + 200 * US, 1, 3, false}}, 4, buffer);
            NS_TEST_EXPECT_MSG_EQ(m_network->completed.size(), 4, "all sent again");
            NS_TEST_EXPECT_MSG_LT(TestNetwork::Find(m_network->delivered, 4).nowPs,
                                  203 * US,
                                  "others do not notice");
            Clear();
        }

        // a pause without packets is no storm; a packet that waits since 350 us is let go at
        // 401,006,720
        Build("ns3::SharedBuffer");
        FabricFaults calm;
        calm.AddStorm(MicroSeconds(10), 1);
        calm.AddCalm(MicroSeconds(400), 1);
        calm.Install(m_network->fabric);
        m_network->MessagesOf(0).SendAt(350 * US, 1, 1000, 1);
        Run({}, 0, "too short");
        NS_TEST_EXPECT_MSG_EQ(TestNetwork::Find(m_network->delivered, 1).nowPs,
                              401006720 + F + US,
                              "it waited");
        Clear();

        // waiting when the pause arrives: the first packets of 100 leave before
        Build("ns3::SharedBuffer");
        FabricFaults during;
        during.AddStorm(MicroSeconds(10), 1);
        during.Install(m_network->fabric);
        m_network->MessagesOf(0).SendAt(0, 1, 100000, 1);
        m_network->MessagesOf(2).SendAt(0, 1, 100000, 2);
        Simulator::Stop(MicroSeconds(300));
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(m_told.size(), 1, "one storm");
        NS_TEST_EXPECT_MSG_EQ(std::get<0>(m_told[0]), PAUSED + 100 * US, "since the pause");
        Clear();

        // Two storms within the restoration time are one: 200 us without a pause count anew.
        Build("ns3::SharedBuffer");
        FabricFaults again;
        again.AddStorm(MicroSeconds(10), 1);
        again.AddCalm(MicroSeconds(400), 1);
        again.AddStorm(MicroSeconds(500), 1);
        again.AddCalm(MicroSeconds(550), 1);
        again.Install(m_network->fabric);
        m_network->MessagesOf(0).SendAt(20 * US, 1, 1000, 1);
        Run({{20 * US + F + US + 100 * US, 1, 3, true}, {551006720 + 200 * US, 1, 3, false}},
            1,
            "again before it is restored");
        Clear();

        // Forward: the packet is sent in spite of the pause at 121,086,560, and one of 200 us at
        // once.
        Build("ns3::SharedBuffer", true);
        FabricFaults forward;
        forward.AddStorm(MicroSeconds(10), 1);
        forward.AddCalm(MicroSeconds(400), 1);
        forward.Install(m_network->fabric);
        m_network->MessagesOf(0).SendAt(20 * US, 1, 1000, 1);
        m_network->MessagesOf(0).SendAt(200 * US, 1, 1000, 2);
        Run({{20 * US + F + US + 100 * US, 1, 3, true}, {401006720 + 200 * US, 1, 3, false}},
            0,
            "forward");
        NS_TEST_EXPECT_MSG_EQ(TestNetwork::Find(m_network->delivered, 1).nowPs,
                              20 * US + F + US + 100 * US + F + US,
                              "when the storm is detected");
        NS_TEST_EXPECT_MSG_EQ(TestNetwork::Find(m_network->delivered, 2).nowPs,
                              200 * US + 2 * (F + US),
                              "at once");
        Clear();

        // A link that is down is no storm: it comes up at 150 us, and the pause, told again, makes
        // the packet of 20 us wait from then on; the port is not left out within 24 h.
        Config::SetDefault("ns3::FabricSwitch::DetectionTime", TimeValue(Hours(24)));
        Build("ns3::SharedBuffer");
        FabricFaults down;
        down.AddStorm(MicroSeconds(10), 1);
        down.AddDown(MicroSeconds(30), 1, 3);
        down.AddUp(MicroSeconds(150), 1, 3);
        down.AddCalm(MicroSeconds(400), 1);
        down.Install(m_network->fabric);
        m_network->MessagesOf(0).SendAt(20 * US, 1, 1000, 1);
        Run({{250 * US, 1, 3, true}, {401006720 + 200 * US, 1, 3, false}}, 1, "down and up");
        Clear();
        Config::SetDefault("ns3::FabricSwitch::DetectionTime", TimeValue(MicroSeconds(10)));

        for (const char* flowControl : {"none", "ns3::CreditFlowControl"})
        {
            FabricHelper helper;
            helper.SetFlowControl(flowControl);
            helper.AddSwitchFeature("ns3::PfcWatchdogFeature");
            DCFABRIC_EXPECT_REFUSAL(helper.Install(MakeStar(3)), "use ns3::PriorityFlowControl");
            Simulator::Destroy();
        }
        FabricHelper twice;
        twice.AddSwitchFeature("ns3::PfcWatchdogFeature");
        twice.AddSwitchFeature("ns3::PfcWatchdogFeature");
        DCFABRIC_EXPECT_REFUSAL(twice.Install(MakeStar(3)), "twice");
        Simulator::Destroy();
    }

    std::unique_ptr<TestNetwork> m_network; //!< a star
    Ptr<PfcWatchdogFeature> m_watchdog;     //!< of its switch
    Told m_told;                            //!< so far
};

/**
 * @ingroup dcfabric-tests
 * @brief What a storm costs others: hosts 0, 1 at leaf 4, hosts 2, 3 at leaf 5, one spine. Host 1
 * storms; flows from 2 to 1 and from 3 to 0 share the links of the spine.
 */
class StormSpreadTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param watches with a watchdog
     * @return when the flow to host 0 was delivered, in ps; 0: not within 20 ms
     */
    static int64_t Measure(bool watches)
    {
        FabricHelper helper;
        helper.SetNicAttribute("AckTimeout", TimeValue(MicroSeconds(500)));
        if (watches)
        {
            helper.AddSwitchFeature("ns3::PfcWatchdogFeature",
                                    "DetectionTime",
                                    TimeValue(MicroSeconds(200)));
        }
        TestNetwork network(MakeTwoLeaves(2, 1), helper);
        FabricFaults faults;
        faults.AddStorm(MicroSeconds(10), 1);
        faults.Install(network.fabric);
        network.MessagesOf(2).SendAt(0, 1, 20000000, 1);
        network.MessagesOf(3).SendAt(0, 0, 20000000, 2);
        Simulator::Stop(MilliSeconds(20));
        Simulator::Run();
        return TestNetwork::Find(network.delivered, 2).nowPs;
    }

    void DoRun() override
    {
        // 20 MB take 1.73 ms at 100 Gb/s, 3.46 ms at half of it; at first both flows share a link.
        // Without a watchdog the spine and both senders stand still for ever.
        NS_TEST_EXPECT_MSG_EQ(Measure(false), 0, "all stand still");
        const int64_t watched = Measure(true);
        NS_TEST_EXPECT_MSG_GT(watched, 1731 * US, "not faster than the link");
        NS_TEST_EXPECT_MSG_LT(watched, 4000 * US, "but for the detection, a fair share");
    }
};

/// PFC watchdog.
const SuiteCases g_cases("dcfabric-faults", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(
        new WatchdogTestCase("PFC watchdog: detection, action, restoration, by hand"));
    suite.AddTestCase(new StormSpreadTestCase("a storm stops a network without a watchdog"));
});

} // namespace ns3::tests::pfc_watchdog_test
