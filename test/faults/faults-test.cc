// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-credits.h"
#include "../fabric-test-errors.h"

#include "ns3/error-model.h"
#include "ns3/priority-flow-control.h"
#include "ns3/test.h"

#include <algorithm>
#include <memory>
#include <utility>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Links that go down, come up and change their rate, to the picosecond.
 *
 * Everywhere 100 Gb/s (80 ps a byte), 20 B of gap, 1 us of delay. Packets have 980 B: 80,000 ps on
 * the wire; packet i of a queue begins at i x 80,000 ps and arrives 1,080,000 ps later.
 */

namespace ns3::tests::faults_test
{

constexpr int64_t PACKET_PS = 80000;   //!< of a packet on the wire
constexpr int64_t FLIGHT_PS = 1080000; //!< from the begin of a packet to its arrival

/// When and what.
using Changes = std::vector<LinkChange>;

/**
 * @brief Have things happen to a link.
 * @param port one end
 * @param changes what and when
 */
void
Schedule(const Ptr<FabricNetDevice>& port, const Changes& changes)
{
    for (const LinkChange& change : changes)
    {
        DynamicCast<FabricChannel>(port->GetChannel())->ScheduleChange(change);
    }
}

/**
 * @param actor a node
 * @return times of arrivals in ps
 */
std::vector<int64_t>
TimesOf(const RecordingActor& actor)
{
    std::vector<int64_t> times;
    for (const auto& arrival : actor.arrivals)
    {
        times.push_back(arrival.timePs);
    }
    return times;
}

/**
 * @param times in ps
 * @return the numbers in words, for messages
 */
std::string
Show(const std::vector<int64_t>& times)
{
    std::string text;
    for (const int64_t timePs : times)
    {
        text += " " + std::to_string(timePs);
    }
    return text;
}

/**
 * @ingroup dcfabric-tests
 * @brief Three packets in both directions, and what arrives of them.
 */
class DownTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param what for messages
     * @param changes of the link
     * @param arrivals in ps, at both ends
     * @param waiting packets left in each queue
     */
    void Check(const std::string& what,
               Changes changes,
               const std::vector<int64_t>& arrivals,
               uint32_t waiting = 0)
    {
        for (const bool reversed : {false, true})
        {
            TestLink link(100 * GBPS, MicroSeconds(1));
            Schedule(link.leftPort, changes);
            for (int i = 0; i < 3; ++i)
            {
                // whichever node has its event first
                (reversed ? link.rightPort : link.leftPort)->Enqueue(MakeData(980, i));
                (reversed ? link.leftPort : link.rightPort)->Enqueue(MakeData(980, i));
            }
            Simulator::Run();
            for (const auto& actor : {link.left, link.right})
            {
                const std::vector<int64_t> times = TimesOf(*actor);
                NS_TEST_EXPECT_MSG_EQ((times == arrivals),
                                      true,
                                      what << ": arrivals at" << Show(times));
            }
            for (const auto& port : {link.leftPort, link.rightPort})
            {
                NS_TEST_EXPECT_MSG_EQ(port->GetCounters().linkDownDrops,
                                      3 - arrivals.size() - waiting,
                                      what << ": lost packets are counted");
                NS_TEST_EXPECT_MSG_EQ(port->GetQueue().GetDisc()->GetNPackets(), waiting, what);
                NS_TEST_EXPECT_MSG_EQ(port->GetLink().GetNPackets(),
                                      0,
                                      what << ": nothing remains");
            }
            Simulator::Destroy();
            std::reverse(changes.begin(), changes.end()); // the order of scheduling is of no matter
        }
    }

    void DoRun() override
    {
        using L = LinkChange;
        Check("never", {}, {1080000, 1160000, 1240000});
        // packet 0 is on its way, 1 is being sent; 2 goes when the link is up
        const std::vector<int64_t> last = {500000 + FLIGHT_PS};
        Check("in the middle", {{120000, L::DOWN}, {500000, L::UP}}, last);
        Check("twice down", {{120000, L::DOWN}, {200000, L::DOWN}, {500000, L::UP}}, last);
        Check("twice up", {{120000, L::DOWN}, {500000, L::UP}, {510000, L::UP}}, last);
        Check("up without down", {{40000, L::UP}}, {1080000, 1160000, 1240000});
        // just when packet 0 ends: down comes first, packet 1 is not begun
        Check("at the end of a packet",
              {{80000, L::DOWN}, {500000, L::UP}},
              {500000 + FLIGHT_PS, 580000 + FLIGHT_PS});
        Check("a ps later", {{80001, L::DOWN}, {500000, L::UP}}, last);
        // just when packet 0 arrives: down comes first; 1 and 2 are on their way
        Check("at an arrival", {{1080000, L::DOWN}, {2000000, L::UP}}, {});
        Check("a ps after an arrival", {{1080001, L::DOWN}, {2000000, L::UP}}, {1080000});
        Check("after all", {{1240001, L::DOWN}}, {1080000, 1160000, 1240000});
        // the port is busy with packet 1, though nobody hears it, until 160,000
        Check("up before the packet would have ended",
              {{120000, L::DOWN}, {130000, L::UP}},
              {160000 + FLIGHT_PS});
        Check("down and up at once", {{120000, L::DOWN}, {120000, L::UP}}, {160000 + FLIGHT_PS});
        // both within a tick of a ns: 0 is lost, 1 begins at 80,000
        Check("down and up within a ns",
              {{79500, L::DOWN}, {79800, L::UP}},
              {80000 + FLIGHT_PS, 160000 + FLIGHT_PS});
        Check("down twice in the life of a packet",
              {{100000, L::DOWN}, {170000, L::UP}, {180000, L::DOWN}, {900000, L::UP}},
              {});
        Check("for ever", {{120000, L::DOWN}}, {}, 1);
        Check("from the beginning", {{0, L::DOWN}}, {}, 3);
        Check("for a while from the beginning",
              {{0, L::DOWN}, {10001, L::UP}},
              {10001 + FLIGHT_PS, 90001 + FLIGHT_PS, 170001 + FLIGHT_PS});
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What a port says of its link, and what it refuses.
 */
class LinkStateTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// The link of the left port has changed.
    void Note()
    {
        m_changes.emplace_back(m_port->GetNowPs(), m_port->IsLinkUp());
    }

    /**
     * @param item a lost packet
     * @param reason why
     * @param port where it would have arrived
     */
    void Lost(Ptr<const FabricPacketItem> item, DropReason reason, const FabricNetDevice* port)
    {
        m_lost.push_back(item->data.tag);
    }

    void DoRun() override
    {
        using L = LinkChange;
        TestLink link(100 * GBPS, MicroSeconds(1));
        m_port = link.leftPort;
        m_port->AddLinkChangeCallback(MakeCallback(&LinkStateTestCase::Note, this));
        link.right->TraceConnectWithoutContext("Drop",
                                               MakeCallback(&LinkStateTestCase::Lost, this));
        NS_TEST_EXPECT_MSG_EQ(m_port->IsLinkUp(), true, "connected");
        Schedule(m_port,
                 {{500000, L::UP},
                  {120000, L::DOWN},
                  {130000, L::DOWN},
                  {200000, L::RATE, 10 * GBPS},
                  {600000, L::UP}});
        DCFABRIC_EXPECT_REFUSAL(
            CreateObject<FabricNetDevice>()->GetLink().ScheduleChange({0, L::DOWN}),
            "connect it first");
        DCFABRIC_EXPECT_REFUSAL(Schedule(m_port, {{-1, L::DOWN}}), "node 0 port 0");
        DCFABRIC_EXPECT_REFUSAL(Schedule(m_port, {{9, L::RATE, 0}}), "take it down instead");
        for (int i = 0; i < 3; ++i)
        {
            m_port->Enqueue(MakeData(980, i));
        }
        Simulator::Run();
        const std::vector<std::pair<int64_t, bool>> expected = {{120000, false}, {500000, true}};
        NS_TEST_EXPECT_MSG_EQ((m_changes == expected), true, "once down, once up");
        NS_TEST_EXPECT_MSG_EQ((m_lost == std::vector<uint32_t>{0, 1}), true, "traced");
        // 10 Gb/s: 800,000 ps
        NS_TEST_ASSERT_MSG_EQ(link.right->arrivals.size(), 1, "packet 2");
        NS_TEST_EXPECT_MSG_EQ(link.right->arrivals[0].timePs, 500000 + 800000 + 1000000, "slower");
        DCFABRIC_EXPECT_REFUSAL(Schedule(m_port, {{100, L::DOWN}}), "before the present");
        m_port = nullptr;
        Simulator::Destroy();
    }

    Ptr<FabricNetDevice> m_port;                     //!< the left port
    std::vector<std::pair<int64_t, bool>> m_changes; //!< when, and up
    std::vector<uint32_t> m_lost;                    //!< tags
};

/**
 * @ingroup dcfabric-tests
 * @brief Changes of the rate.
 */
class RateTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// Bytes sent by a time.
    struct Sent
    {
        int64_t timePs; //!< when asked
        uint64_t bytes; //!< answer
    };

    /**
     * @param changes of the link
     * @param arrivals of three packets in ps
     * @param sent what the sending port says of its bytes on the way, at times in whole ns
     */
    void Check(const Changes& changes,
               const std::vector<int64_t>& arrivals,
               const std::vector<Sent>& sent = {})
    {
        TestLink link(100 * GBPS, MicroSeconds(1));
        Schedule(link.leftPort, changes);
        for (int i = 0; i < 3; ++i)
        {
            link.leftPort->Enqueue(MakeData(980, i));
        }
        for (const Sent& s : sent)
        {
            CallIn(FabricTime::FromPs(s.timePs), [this, s, &link]() {
                NS_TEST_EXPECT_MSG_EQ(link.leftPort->GetSentBytes(s.timePs),
                                      s.bytes,
                                      "at " << s.timePs);
            });
        }
        Simulator::Run();
        const std::vector<int64_t> times = TimesOf(*link.right);
        NS_TEST_EXPECT_MSG_EQ((times == arrivals), true, "arrivals at" << Show(times));
        Simulator::Destroy();
    }

    void DoRun() override
    {
        using L = LinkChange;
        // 25 Gb/s: 320 ps a byte. Packet 0 ends at 80,000 as it began, 1 at 400,000, 2 at 720,000.
        // At 60,000 20,000 ps are left of packet 0: 250 B at 100 Gb/s; at 240,000 160,000 ps of
        // packet 1: 500 B.
        const std::vector<int64_t> quarter = {1080000, 1400000, 1720000};
        Check({{40000, L::RATE, 25 * GBPS}},
              quarter,
              {{30000, 980 - 625}, {60000, 980 - 250}, {240000, 2 * 980 - 500}});
        Check({{80000, L::RATE, 25 * GBPS}}, quarter);
        Check({{80001, L::RATE, 25 * GBPS}}, {1080000, 1160000, 1480000});
        // twice in one packet, which still ends as it began; 50 Gb/s: 160,000 ps
        Check({{40000, L::RATE, 25 * GBPS}, {50000, L::RATE, 50 * GBPS}},
              {1080000, 1240000, 1400000},
              {{60000, 980 - 250}, {160000, 2 * 980 - 500}});
        // and back again: 1 at 25 Gb/s until 400,000
        Check({{40000, L::RATE, 25 * GBPS}, {90000, L::RATE, 100 * GBPS}},
              {1080000, 1400000, 1480000},
              {{240000, 2 * 980 - 500}});
        // 30 Gb/s: 266,666 2/3 ps; the remainder is carried to packet 2
        Check({{40000, L::RATE, 30 * GBPS}}, {1080000, 1346666, 1613333});
        // while the link is down, and at the moment it comes up
        for (const int64_t rateAt : {150000, 500000})
        {
            Check({{120000, L::DOWN}, {rateAt, L::RATE, 25 * GBPS}, {500000, L::UP}},
                  {500000 + 320000 + 1000000});
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief PFC on a link that fails. A frame takes 6,720 ps and arrives 1,006,720 ps after it begins;
 * a quantum is 5,120 ps. The right node pauses class 3 of the left one.
 */
class PfcFaultTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// When the right end becomes congested or not.
    struct Congestion
    {
        int64_t ns;     //!< when
        bool congested; //!< or not
    };

    /**
     * @brief Run.
     * @param quanta of pauses
     * @param changes of the link
     * @param congestion of the right end
     * @param packets in the left queue
     */
    void Run(uint16_t quanta,
             const Changes& changes,
             const std::vector<Congestion>& congestion,
             int packets)
    {
        m_link = std::make_unique<TestLink>(100 * GBPS, MicroSeconds(1));
        for (const auto& port : {m_link->leftPort, m_link->rightPort})
        {
            Ptr<PriorityFlowControl> pfc = CreateObject<PriorityFlowControl>();
            pfc->SetAttribute("Quanta", UintegerValue(quanta));
            port->SetFlowControl(pfc);
        }
        Schedule(m_link->leftPort, changes);
        for (const Congestion& c : congestion)
        {
            CallIn(NanoSeconds(c.ns), [this, c]() {
                m_link->rightPort->GetFlowControl()->SetCongested(3, c.congested);
            });
        }
        for (int i = 0; i < packets; ++i)
        {
            m_link->leftPort->Enqueue(MakeData(980, i));
        }
        Simulator::Run();
    }

    /**
     * @param first packet that counts
     * @return tags and times of arrivals at the right
     */
    std::vector<std::pair<uint32_t, int64_t>> From(uint32_t first) const
    {
        std::vector<std::pair<uint32_t, int64_t>> some;
        for (const auto& arrival : m_link->right->arrivals)
        {
            if (arrival.packet->data.tag >= first)
            {
                some.emplace_back(arrival.packet->data.tag, arrival.timePs);
            }
        }
        return some;
    }

    /// Clear away.
    void Clear()
    {
        m_link.reset();
        Simulator::Destroy();
    }

    void DoRun() override
    {
        using L = LinkChange;
        // The pause of 0 would arrive at 1,006,720. Packets 0 to 6 (begun at 480,000) are lost.
        // From 2,000,000 on 7 goes; the right end pauses again at once, which arrives at 3,006,720,
        // when 19 (begun at 2,000,000 + 12 x 80,000) is on the wire. Resumed at 10,000,000: 20
        // begins at 11,006,720.
        Run(65535, {{500000, L::DOWN}, {2000000, L::UP}}, {{0, true}, {10000, false}}, 22);
        std::vector<std::pair<uint32_t, int64_t>> expected;
        for (uint32_t i = 0; i < 13; ++i)
        {
            expected.emplace_back(7 + i, 2000000 + i * PACKET_PS + FLIGHT_PS);
        }
        expected.emplace_back(20, 11006720 + FLIGHT_PS);
        expected.emplace_back(21, 11006720 + PACKET_PS + FLIGHT_PS);
        NS_TEST_EXPECT_MSG_EQ((From(0) == expected), true, "a lost pause is told again");
        NS_TEST_EXPECT_MSG_EQ(m_link->leftPort->GetCounters().linkDownFrameDrops, 1, "the pause");
        NS_TEST_EXPECT_MSG_EQ(m_link->rightPort->GetCounters().linkDownDrops, 7, "0 to 6");
        Clear();

        // Heard at 1,006,720, when 12 (begun at 960,000) is on the wire. The resume of 2,000,000 is
        // lost, and told again from 5,000,000 on: 13 begins at 6,006,720.
        Run(65535, {{2500000, L::DOWN}, {5000000, L::UP}}, {{0, true}, {2000, false}}, 14);
        expected = {{13, 6006720 + FLIGHT_PS}};
        NS_TEST_EXPECT_MSG_EQ(m_link->right->arrivals.size(), 14, "no packet was lost");
        NS_TEST_EXPECT_MSG_EQ((From(13) == expected), true, "a lost resume is told again");
        NS_TEST_EXPECT_MSG_EQ(m_link->leftPort->GetCounters().linkDownFrameDrops, 1, "the resume");
        Clear();

        // The congestion ends while the link is down: the resume waits for the link.
        Run(65535, {{2500000, L::DOWN}, {5000000, L::UP}}, {{0, true}, {3000, false}}, 14);
        NS_TEST_EXPECT_MSG_EQ((From(13) == expected), true, "a resume waits for the link");
        NS_TEST_EXPECT_MSG_EQ(m_link->leftPort->GetCounters().linkDownFrameDrops, 0, "none lost");
        Clear();

        // 200 quanta are 1,024,000 ps: a pause heard at 1,006,720 runs out at 2,030,720, while the
        // link is down, and renewals (512,000 and 1,024,000) are lost with it. 13 goes at once.
        Run(200, {{1100000, L::DOWN}, {3000000, L::UP}}, {{0, true}, {1400, false}}, 14);
        expected = {{0, FLIGHT_PS}, {13, 3000000 + FLIGHT_PS}};
        NS_TEST_EXPECT_MSG_EQ((From(0) == expected), true, "a pause runs out on a dead link");
        NS_TEST_EXPECT_MSG_EQ(m_link->leftPort->GetCounters().linkDownFrameDrops, 2, "renewals");
        Clear();

        // The link stays down: the run ends, although the right end is still congested.
        Run(200, {{1100000, L::DOWN}}, {{0, true}}, 14);
        NS_TEST_EXPECT_MSG_EQ(m_link->leftPort->GetPausedClasses(), 0, "the pause has run out");
        NS_TEST_EXPECT_MSG_LT(Simulator::Now(), MicroSeconds(3), "nothing goes on for ever");
        Clear();
    }

    std::unique_ptr<TestLink> m_link; //!< the link
};

/**
 * @ingroup dcfabric-tests
 * @brief A pause over a change of the rate: quanta mean another time then.
 */
class PfcRateTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // 10 Gb/s: 800 ps a byte, a quantum 51,200 ps, 200 of them 10,240,000 ps; a frame 67,200
        // ps. The pause of 0 is heard at 1,067,200 and would be renewed at 5,120,000. At 1,060,000
        // the rate is 100 Gb/s: as heard, it lasts 1,024,000 ps, until 2,091,200. The right end
        // tells again at 1,060,000 (heard at 2,066,720) and renews each 512,000 ps from then on.
        TestLink link(100 * GBPS, MicroSeconds(1));
        for (const auto& port : {link.leftPort, link.rightPort})
        {
            Ptr<PriorityFlowControl> pfc = CreateObject<PriorityFlowControl>();
            pfc->SetAttribute("Quanta", UintegerValue(200));
            port->SetFlowControl(pfc);
        }
        Schedule(link.leftPort,
                 {{0, LinkChange::RATE, 10 * GBPS}, {1060000, LinkChange::RATE, 100 * GBPS}});
        link.rightPort->GetFlowControl()->SetCongested(3, true);
        CallIn(NanoSeconds(1100), [&link]() { link.leftPort->Enqueue(MakeData(980)); });
        CallIn(MicroSeconds(9),
               [&link]() { link.rightPort->GetFlowControl()->SetCongested(3, false); });
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(link.right->arrivals.size(), 1, "arrived");
        NS_TEST_EXPECT_MSG_EQ(link.right->arrivals[0].timePs,
                              9000000 + 1006720 + FLIGHT_PS,
                              "not before the resume");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Credits on a link that fails. A frame takes 8,640 ps and arrives 1,008,640 ps after it
 * begins; a credit is a packet, and there is one.
 */
class CreditFaultTestCase : public CreditTestCase
{
    using CreditTestCase::CreditTestCase;

    /**
     * @brief Run.
     * @param changes of the link
     * @param packets in the left queue
     */
    void Run(const Changes& changes, uint32_t packets)
    {
        Create(1);
        Schedule(m_leftPort, changes);
        Send(packets);
        Simulator::Run();
    }

    void DoRun() override
    {
        using L = LinkChange;
        constexpr int64_t FRAME_PS = 1008640;
        // Packet 0, begun at 1,008,640, is lost. At 3,000,000 the left end tells that it has sent
        // one, the right end releases it at 4,008,640 and says so: 1 begins at 5,017,280. Its
        // credit comes back with a frame after its arrival.
        Run({{1500000, L::DOWN}, {3000000, L::UP}}, 3);
        const std::vector<int64_t> expected = {3000000 + 2 * FRAME_PS + FLIGHT_PS,
                                               3000000 + 2 * FRAME_PS + FLIGHT_PS + FRAME_PS +
                                                   FLIGHT_PS};
        std::vector<int64_t> times = TimesOf(*m_right);
        NS_TEST_EXPECT_MSG_EQ((times == expected), true, "arrivals at" << Show(times));
        NS_TEST_EXPECT_MSG_EQ(m_credits[1]->GetNLostUnits(), 1, "packet 0");
        NS_TEST_EXPECT_MSG_EQ(m_credits[0]->GetAvailableUnits(3), 1, "nothing is lost for ever");
        Clear();

        // The first frames are lost: they go again when the link is up. The right end's also asks,
        // and the answer, 8,640 ps, goes ahead of the packet.
        constexpr int64_t ANSWER_PS = 8640;
        Run({{500000, L::DOWN}, {2000000, L::UP}}, 1);
        times = TimesOf(*m_right);
        NS_TEST_ASSERT_MSG_EQ(times.size(), 1, "arrived");
        NS_TEST_EXPECT_MSG_EQ(times[0],
                              2000000 + FRAME_PS + ANSWER_PS + FLIGHT_PS,
                              "after the next frame");
        Clear();

        // The link is down when an end would ask, at 100 us: it does not, but once when up.
        Run({{500000, L::DOWN}, {250000000, L::UP}}, 1);
        times = TimesOf(*m_right);
        NS_TEST_ASSERT_MSG_EQ(times.size(), 1, "arrived");
        NS_TEST_EXPECT_MSG_EQ(times[0],
                              250000000 + FRAME_PS + ANSWER_PS + FLIGHT_PS,
                              "after the next frame");
        NS_TEST_EXPECT_MSG_EQ(m_credits[0]->GetNRequests(), 1, "asked once");
        Clear();

        // The link stays down: the run ends, although there are no credits.
        Run({{500000, L::DOWN}}, 1);
        NS_TEST_EXPECT_MSG_EQ(m_right->arrivals.size(), 0, "nothing goes");
        NS_TEST_EXPECT_MSG_LT(Simulator::Now(), MicroSeconds(101), "nobody asks for ever");
        Clear();
    }
};

/// Suite of links that fail.
const SuiteCases g_cases("dcfabric-faults", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(
        new DownTestCase("a link that is down loses what is on it and sends nothing"));
    suite.AddTestCase(
        new LinkStateTestCase("a port tells whether its link is up, and when that changes"));
    suite.AddTestCase(new RateTestCase("a rate holds from the next packet on"));
    suite.AddTestCase(
        new PfcFaultTestCase("PFC: neither a lost pause nor a lost resume outlasts the fault"));
    suite.AddTestCase(new PfcRateTestCase("PFC: a pause holds when the link becomes faster"));
    suite.AddTestCase(
        new CreditFaultTestCase("credits: both ends tell and ask when the link comes up"));
});

} // namespace ns3::tests::faults_test
