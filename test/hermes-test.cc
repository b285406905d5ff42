// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-network.h"
#include "fabric-test-plan.h"
#include "fabric-test-schedule.h"
#include "fabric-test-suite.h"

#include "ns3/config.h"
#include "ns3/fabric-helper.h"
#include "ns3/hermes-feature.h"
#include "ns3/hermes-probe.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Hermes: states of ways, probes, flows that leave congested and dead ways.
 */

namespace ns3::tests::hermes_test
{

using State = HermesPath::State;

/// @return limits with round numbers
HermesPath::Limits
MakeLimits()
{
    HermesPath::Limits limits;
    limits.lowPs = 20 * US;
    limits.highPs = 120 * US;
    limits.markShare = 0.4;
    limits.windowPs = 60 * US;
    limits.agePs = 1000 * US;
    limits.lossWindowPs = 500 * US;
    limits.lossShare = 0.01;
    limits.silences = 3;
    limits.probePs = 2000 * US;
    limits.failedPs = 5000 * US;
    return limits;
}

/**
 * @ingroup dcfabric-tests
 * @brief Delay and marks make a way good, gray or congested.
 */
class HermesStateTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void Expect(int64_t us, State state, const std::string& what)
    {
        NS_TEST_EXPECT_MSG_EQ(static_cast<int>(m_way.GetState(us * US, m_limits)),
                              static_cast<int>(state),
                              what);
    }

    void DoRun() override
    {
        Expect(0, State::GRAY, "nothing is known");
        NS_TEST_EXPECT_MSG_EQ(m_way.GetDelayPs(0, m_limits), 20 * US, "taken for that");
        // the first delay counts as it is, then halves: 10, (10 + 40)/2 = 25, (25 + 5)/2 = 15
        m_way.OnAnswer(10 * US, 10 * US, 1, 0, m_limits);
        Expect(10, State::GOOD, "10 us, no marks");
        m_way.OnAnswer(11 * US, 40 * US, 1, 0, m_limits);
        NS_TEST_EXPECT_MSG_EQ(m_way.GetDelayPs(11 * US, m_limits), 25 * US, "half of 10 + 40");
        Expect(11, State::GRAY, "20 us are not less than 20 us");
        m_way.OnAnswer(12 * US, 5 * US, 1, 0, m_limits);
        Expect(12, State::GOOD, "15 us");
        // the window began at 10 us: at 70 us it has 3 + 4 packets, too few; at 72 us 7 + 3, of
        // which 4 are marked: 0.4
        m_way.OnAnswer(70 * US, 15 * US, 4, 3, m_limits);
        NS_TEST_EXPECT_MSG_EQ_TOL(m_way.GetMarkShare(70 * US, m_limits), 0, 1e-9, "7 packets");
        m_way.OnAnswer(72 * US, 15 * US, 3, 1, m_limits);
        NS_TEST_EXPECT_MSG_EQ_TOL(m_way.GetMarkShare(72 * US, m_limits), 0.4, 1e-9, "4 of 10");
        Expect(72, State::GRAY, "short delay, many marks");
        // 15, then (15 + 227)/2 = 121
        m_way.OnAnswer(73 * US, 227 * US, 0, 0, m_limits);
        Expect(73, State::CONGESTED, "121 us, many marks");
        HermesPath::Limits unmarked = m_limits;
        unmarked.markShare = 0;
        NS_TEST_EXPECT_MSG_EQ(static_cast<int>(m_way.GetState(73 * US, unmarked)),
                              static_cast<int>(State::CONGESTED),
                              "by its delay alone");
        // (121 + 119)/2 = 120 is not more than 120
        m_way.OnAnswer(74 * US, 119 * US, 0, 0, m_limits);
        Expect(74, State::GRAY, "at the limit");
        // 1 ms after the last answer
        Expect(1074, State::GRAY, "still known");
        NS_TEST_EXPECT_MSG_EQ(m_way.GetDelayPs(1074 * US, m_limits), 120 * US, "the last one");
        NS_TEST_EXPECT_MSG_EQ(m_way.GetDelayPs(1075 * US, m_limits), 20 * US, "forgotten");
        m_way.OnAnswer(1080 * US, 8 * US, 0, 0, m_limits);
        Expect(1080, State::GOOD, "8 us as they are, and marks are forgotten, too");
    }

    HermesPath::Limits m_limits{MakeLimits()}; //!< in use
    HermesPath m_way;                          //!< the way
};

/**
 * @ingroup dcfabric-tests
 * @brief Time-outs, losses and probes without an answer make a way fail.
 */
class HermesFailureTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void Expect(const HermesPath& way, int64_t us, State state, const std::string& what)
    {
        NS_TEST_EXPECT_MSG_EQ(static_cast<int>(way.GetState(us * US, m_limits)),
                              static_cast<int>(state),
                              what);
    }

    void DoRun() override
    {
        // three time-outs in a row; an answer in between begins the count anew
        HermesPath dead;
        dead.OnSilence(1 * US, m_limits);
        dead.OnSilence(2 * US, m_limits);
        dead.OnAnswer(3 * US, 1 * US, 1, 0, m_limits);
        dead.OnSilence(4 * US, m_limits);
        dead.OnSilence(5 * US, m_limits);
        Expect(dead, 5, State::GOOD, "two");
        dead.OnSilence(6 * US, m_limits);
        Expect(dead, 6, State::FAILED, "three");
        dead.OnAnswer(7 * US, 1 * US, 1, 0, m_limits);
        Expect(dead, 7, State::FAILED, "an answer does not heal it");
        Expect(dead, 5005, State::FAILED, "for 5 ms");
        Expect(dead, 5006, State::GRAY, "then it is tried again, and nothing is known");

        // 1 % of 100 packets is not more than 1 %, 2 of 100 are; windows begin at 0 and at 501 us
        HermesPath lossy;
        for (int i = 0; i < 100; ++i)
        {
            lossy.OnSend(i * 5 * US, i == 0, m_limits);
        }
        Expect(lossy, 499, State::GRAY, "the window lasts");
        lossy.OnSend(500 * US, false, m_limits);
        Expect(lossy, 500, State::GRAY, "1 of 101");
        for (int i = 0; i < 100; ++i)
        {
            lossy.OnSend((501 + i * 6) * US, i < 2, m_limits);
        }
        Expect(lossy, 1095, State::FAILED, "2 of 100");
        HermesPath few;
        few.OnSend(0, true, m_limits);
        few.OnSend(600 * US, true, m_limits);
        Expect(few, 600, State::GRAY, "two packets say little");

        // what is lost on a congested way is lost to congestion
        HermesPath full;
        full.OnAnswer(0, 200 * US, 10, 10, m_limits);
        full.OnAnswer(60 * US, 200 * US, 1, 1, m_limits);
        Expect(full, 60, State::CONGESTED, "all marked");
        for (int i = 0; i < 101; ++i)
        {
            full.OnSend(i * 6 * US, true, m_limits);
        }
        Expect(full, 600, State::CONGESTED, "all sent again");

        // a probe that waits for 2 ms, whatever leaves after it; its answer heals the way
        HermesPath silent;
        silent.OnProbe(100 * US);
        silent.OnProbe(600 * US);
        Expect(silent, 2100, State::GRAY, "2 ms");
        Expect(silent, 2101, State::FAILED, "more");
        silent.OnAnswer(2200 * US, 1 * US, 0, 0, m_limits);
        Expect(silent, 2200, State::GOOD, "it answers");
    }

    HermesPath::Limits m_limits{MakeLimits()}; //!< in use
};

/**
 * @ingroup dcfabric-tests
 * @brief The bytes of a probe.
 */
class HermesProbeTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const HermesProbe answer{true, 0x01020304, 0x1122334455667788};
        const std::vector<uint8_t> bytes = answer.Serialize();
        const std::vector<uint8_t>
            expected{3, 1, 0, 0, 1, 2, 3, 4, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88};
        NS_TEST_EXPECT_MSG_EQ((bytes == expected), true, "highest first");
        HermesProbe probe;
        NS_TEST_EXPECT_MSG_EQ(HermesProbe::Parse(bytes, probe), true, "read back");
        NS_TEST_EXPECT_MSG_EQ((probe.Serialize() == bytes), true, "the same");
        NS_TEST_EXPECT_MSG_EQ(probe.sentPs, answer.sentPs, "time");
        for (std::size_t i = 0; i < 4; ++i)
        {
            std::vector<uint8_t> other = bytes;
            other[i] = 4;
            NS_TEST_EXPECT_MSG_EQ(HermesProbe::Parse(other, probe), false, "byte " << i);
        }
        std::vector<uint8_t> longer = bytes;
        longer.push_back(0);
        NS_TEST_EXPECT_MSG_EQ(HermesProbe::Parse(longer, probe), false, "too long");
        NS_TEST_EXPECT_MSG_EQ(HermesProbe::Parse({}, probe), false, "nothing");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief When a flow leaves a congested way.
 */
class HermesMoveTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// An attribute and its value.
    using Setting = std::pair<std::string, std::string>;

    /**
     * @param settings of HermesFeature
     * @return how many flows have moved
     */
    uint64_t Run(const std::vector<Setting>& settings)
    {
        // Host 0 at switch 3, hosts 1 and 2 at switch 4; switches 5 and 6 between. One of the links
        // of switch 6 has 10 Gb/s, the others 100.
        FabricHelper helper;
        helper.SetPathSelector("ns3::HermesPathSelector");
        helper.SetCongestionControl("ns3::DctcpCongestionControl");
        for (const auto& [name, value] : settings)
        {
            Config::SetDefault("ns3::HermesFeature::" + name, StringValue(value));
        }
        Ptr<Fabric> fabric = helper.Install(
            PlanOfLinks(3, 4, {{0, 3}, {1, 4}, {2, 4}, {3, 5}, {4, 5}, {3, 6}, {4, 6, 10 * GBPS}}));
        for (uint32_t host = 1; host <= 2; ++host)
        {
            fabric->GetNic(0)->GetMessages().Send(host, 2000000, host);
        }
        Simulator::Run();
        const auto feature = fabric->GetSwitch(3)->GetFeature<HermesFeature>();
        uint64_t moves = 0;
        for (const auto& [name, count] : feature->GetCounters())
        {
            moves += name == std::string("hermes_moves") ? count : 0;
        }
        NS_TEST_EXPECT_MSG_EQ(fabric->CheckConservation().Holds(), true, "conservation");
        Simulator::Destroy();
        Config::Reset();
        return moves;
    }

    void DoRun() override
    {
        // Two flows begin at once, so that the second takes the other way, which has no load. One
        // of them is on the way of 10 Gb/s, where it has a tenth of its line: less than 0.3 of
        // that. There the queue stays above 2 us, and on the other way, of which it then has half,
        // it is short: one flow moves, once.
        const std::vector<Setting> always{{"MarkShare", "0"},
                                          {"LowDelay", "1us"},
                                          {"HighDelay", "2us"},
                                          {"BetterDelay", "1us"},
                                          {"MoveBytes", "100000"},
                                          {"MoveChance", "1"}};
        NS_TEST_EXPECT_MSG_EQ(Run(always), 1, "from the slow way");
        const Setting stays[] = {{"MoveRate", "0"},
                                 {"MoveBytes", "10000000"},
                                 {"MoveChance", "0"},
                                 {"BetterDelay", "1s"},
                                 {"HighDelay", "1s"}};
        for (const Setting& setting : stays)
        {
            std::vector<Setting> settings = always;
            settings.push_back(setting);
            NS_TEST_EXPECT_MSG_EQ(Run(settings), 0, setting.first << " " << setting.second);
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A way that loses all without a word.
 */
class HermesDeadWayTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief A packet takes the dead way.
     * @param test this
     * @param item which
     */
    static void Note(HermesDeadWayTestCase* test, Ptr<const FabricPacketItem> item)
    {
        test->m_lost += item->type == FabricPacketType::DATA ? 1 : 0;
    }

    void DoRun() override
    {
        // Hosts 0 and 1 at switches 2 and 3, which see nothing of it: nothing arrives behind switch
        // 6 (rates have to be below 1), neither data nor answers. Probes tell that the third of
        // four ways is dead.
        PlanLinks links{{0, 2}, {1, 3}};
        for (uint32_t i = 0; i < 4; ++i)
        {
            links.push_back({2, 4 + i});
            links.push_back({3, 4 + i, 100 * GBPS, US, i == 2 ? 0.999999 : 0.0});
        }
        FabricHelper helper;
        helper.SetPathSelector("ns3::HermesPathSelector");
        helper.SetFlowControl("none");
        Config::SetDefault("ns3::HermesFeature::ProbeInterval", StringValue("20us"));
        Config::SetDefault("ns3::HermesFeature::ProbeTimeout", StringValue("200us"));
        Ptr<Fabric> fabric = helper.Install(PlanOfLinks(2, 6, links));
        fabric->GetPort(2, 3)->TraceConnectWithoutContext(
            "Transmit",
            MakeBoundCallback(&HermesDeadWayTestCase::Note, this));
        constexpr uint32_t MESSAGES = 60;
        for (uint32_t i = 0; i < MESSAGES; ++i)
        {
            fabric->GetNic(0)->GetMessages().SendAt(i * 20 * US, 1, 20000, i);
        }
        Simulator::Stop(MilliSeconds(20));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(fabric->GetNic(0)->GetSendingPdcs().GetBusy().empty(),
                              true,
                              "all messages");
        for (const uint32_t sw : {2, 3})
        {
            const auto feature = fabric->GetSwitch(sw)->GetFeature<HermesFeature>();
            for (uint16_t port = 1; port <= 4; ++port)
            {
                const uint32_t path = EdgePath::WithPort(0, 0, port);
                const bool hasFailed = feature->GetState(5 - sw, path) == State::FAILED;
                NS_TEST_EXPECT_MSG_EQ(hasFailed, (port == 3), "switch " << sw << " port " << port);
            }
        }
        // a flow takes a way that has answered rather than one of which nothing is known; chance
        // may lead the first ones there
        NS_TEST_EXPECT_MSG_LT(m_lost, MESSAGES * 20 / 10, "little data went there");
        Simulator::Destroy();
        Config::Reset();
    }

    uint32_t m_lost{0}; //!< data packets that took the dead way
};

/// Hermes.
const SuiteCases g_cases("dcfabric-hermes", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new HermesStateTestCase("delay and marks make a way good or congested"));
    suite.AddTestCase(new HermesFailureTestCase("time-outs, losses and silence make a way fail"));
    suite.AddTestCase(new HermesProbeTestCase("the bytes of a probe are read as written"));
    suite.AddTestCase(new HermesMoveTestCase("a flow moves only if much is gained"));
    suite.AddTestCase(new HermesDeadWayTestCase("a way without a word is left"));
});

} // namespace ns3::tests::hermes_test
