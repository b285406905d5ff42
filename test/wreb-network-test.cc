// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-bts.h"
#include "fabric-test-errors.h"
#include "fabric-test-plan.h"
#include "fabric-test-suite.h"

#include "ns3/boolean.h"
#include "ns3/bts-packet.h"
#include "ns3/config.h"
#include "ns3/congestion-aware-queue-disc.h"
#include "ns3/int-format.h"
#include "ns3/pointer.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Back-to-sender notification by switches: times and contents to the picosecond, rules over
 * several switches, drops, combinations that are refused.
 */

namespace ns3::tests::wreb_network_test
{

NS_OBJECT_ENSURE_REGISTERED(WatchedBts);

constexpr int64_t PACKET_PS = 86560; //!< 1062 B and 20 B of gap at 100 Gb/s

/**
 * @param attributes as in BackToSenderNotifier[...]
 * @return notifier settings
 */
Ptr<BackToSenderNotifier>
MakeNotifier(const std::vector<std::pair<std::string, bool>>& attributes)
{
    Ptr<BackToSenderNotifier> notifier = CreateObject<BackToSenderNotifier>();
    for (const auto& [name, value] : attributes)
    {
        notifier->SetAttribute(name, BooleanValue(value));
    }
    return notifier;
}

/**
 * @ingroup dcfabric-tests
 * @brief Puts defaults back that a test has changed.
 */
class WithDefaults : public NamedCase
{
    using NamedCase::NamedCase;

    void DoTeardown() override
    {
        Config::Reset();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Two senders that do not obey, a switch, a step at 1 B: each message by hand.
 */
class BtsTimesTestCase : public WithDefaults
{
    using WithDefaults::WithDefaults;

    void DoRun() override
    {
        // Hosts 0 and 1 send three packets each to host 2. The k-th of each arrives at the switch
        // at t_k = 86.56 k + 1000 ns, host 0's (A) before host 1's (B), and after the wire of port
        // 2 has become free. Every packet that finds another one waiting triggers.
        //   t_1: A1 finds nothing and leaves; B1 finds nothing.
        //   t_2: B1 leaves; A2 finds nothing; B2 finds A2, 1062 B.
        //   t_3: A2 leaves; A3 finds B2, 1062 B; B3 finds B2 and A3, 2124 B.
        // A notification has 62 + 4 + 3 x 4 = 78 B, 98 B with the gap: 7.84 ns, and 1000 ns of
        // delay. Relative queue in 1/1024 of 100,000 B: 10.9 and 21.7. No interval of the gradient
        // is over.
        // Without notifications: B2 leaves behind A2, at t_4, and arrives 1086.56 ns later; its ACK
        // has 98 B, 118 B with the gap: 9.44 ns and 1000 ns for each of two links.
        for (const bool sends : {true, false})
        {
            FabricHelper helper = MakeBtsHelper("0:0,0:1");
            helper.SetFlowControl("none");
            Config::SetDefault("ns3::WrebFeature::Send", BooleanValue(sends));
            WatchedBts::obeys = false;
            TestNetwork network(MakeStar(3), helper);
            network.MessagesOf(0).Send(2, 3000, 0);
            network.MessagesOf(1).Send(2, 3000, 1);
            Simulator::Run();
            const Ptr<WrebFeature> feature =
                network.fabric->GetSwitch(3)->GetFeature<WrebFeature>();
            std::vector<WatchedBts::Record> told;
            std::vector<WatchedBts::Record> echoes;
            for (const auto& record : WatchedBts::records)
            {
                (record.isBts ? told : echoes).push_back(record);
            }
            NS_TEST_ASSERT_MSG_EQ(echoes.size(), 3, "three marked packets");
            const int64_t t2 = 2 * PACKET_PS + 1000000;
            NS_TEST_EXPECT_MSG_EQ(echoes[0].nowPs,
                                  t2 + 2 * PACKET_PS + 1086560 + 2 * 1009440,
                                  "echo of B2's mark");
            NS_TEST_EXPECT_MSG_EQ(feature->GetNSent(), (sends ? 3 : 0), "sent");
            NS_TEST_EXPECT_MSG_EQ(feature->GetSentBytes(), (sends ? 234 : 0), "78 B each");
            NS_TEST_EXPECT_MSG_EQ(network.Sum(&FabricNic::Counters::btsReceived),
                                  (sends ? 3 : 0),
                                  "arrived");
            NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, "all counted");
            if (!sends)
            {
                continue;
            }

            const struct
            {
                int64_t nowPs;
                uint32_t psn;
                uint16_t queue;
            } expected[] = {{t2 + 1007840, 1, 10},
                            {t2 + PACKET_PS + 1007840, 2, 10},
                            {t2 + PACKET_PS + 1007840, 2, 21}};

            NS_TEST_ASSERT_MSG_EQ(told.size(), 3, "B2, A3 and B3");
            std::sort(told.begin(), told.end(), [](const auto& a, const auto& b) {
                return std::make_pair(a.nowPs, a.bts.relativeQueue) <
                       std::make_pair(b.nowPs, b.bts.relativeQueue);
            });
            for (std::size_t i = 0; i < 3; ++i)
            {
                NS_TEST_EXPECT_MSG_EQ(told[i].nowPs, expected[i].nowPs, "arrival of " << i);
                NS_TEST_EXPECT_MSG_EQ(told[i].psn, expected[i].psn, "packet of " << i);
                NS_TEST_EXPECT_MSG_EQ(told[i].bts.relativeQueue, expected[i].queue, "queue " << i);
                NS_TEST_EXPECT_MSG_EQ(told[i].bts.activeFlows, 2, "flows");
                NS_TEST_EXPECT_MSG_EQ(told[i].bts.rateMbps, 100000, "rate");
                NS_TEST_EXPECT_MSG_EQ(told[i].bts.gradientMbps, 0, "not known yet");
                NS_TEST_EXPECT_MSG_EQ(told[i].bts.port, 2, "egress port");
                NS_TEST_EXPECT_MSG_EQ(+told[i].bts.priority, 3, "class of the data");
                NS_TEST_EXPECT_MSG_EQ(told[i].dropped || told[i].repeated, false, "early ones");
                NS_TEST_EXPECT_MSG_EQ(told[i].size, 78, "frame");
            }
            NS_TEST_EXPECT_MSG_EQ((told[0].flow == told[2].flow), true, "both of host 1");
            NS_TEST_EXPECT_MSG_EQ((told[0].flow == told[1].flow), false, "not of host 0");
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The signals that are off by default, and the inverted ECN bit.
 */
class BtsSignalsTestCase : public WithDefaults
{
    using WithDefaults::WithDefaults;

    void DoRun() override
    {
        // The first notification of BtsTimesTestCase, at t_2 = 1173.12 ns: A2 (1062 B) waits, B1
        // has just begun to leave: A1 has been sent, 1062 B. The class has given A1 and B1, 2124 B.
        // A1 and B1 have left the memory, A2 is in it, and B2 has been admitted to it: 2124 B.
        FabricHelper helper = MakeBtsHelper("0:0,0:1");
        helper.SetFlowControl("none");
        helper.SetIntFormat("ns3::IntFormat",
                            "QueueUnit",
                            UintegerValue(1),
                            "ByteUnit",
                            UintegerValue(1));
        Config::SetDefault("ns3::WrebFeature::TellInt", BooleanValue(true));
        Config::SetDefault(
            "ns3::WrebFeature::Notifier",
            PointerValue(MakeNotifier(
                {{"TellSentBytes", true}, {"TellOccupancy", true}, {"InvertEcn", true}})));
        WatchedBts::obeys = false;
        TestNetwork network(MakeStar(3), helper);
        network.MessagesOf(0).Send(2, 3000, 0);
        network.MessagesOf(1).Send(2, 3000, 1);
        Simulator::Run();
        const auto first = std::find_if(WatchedBts::records.begin(),
                                        WatchedBts::records.end(),
                                        [](const auto& record) { return record.isBts; });
        NS_TEST_ASSERT_MSG_EQ((first != WatchedBts::records.end()), true, "there is one");
        const auto& bts = first->bts;
        NS_TEST_EXPECT_MSG_EQ(+bts.signals, 0x3f, "all");
        NS_TEST_EXPECT_MSG_EQ(bts.portSentBytes, 1062, "A1");
        NS_TEST_EXPECT_MSG_EQ(bts.queueSentBytes, 2124, "A1 and B1");
        NS_TEST_EXPECT_MSG_EQ(bts.timeNs, 1173, "t_2 in whole ns");
        NS_TEST_EXPECT_MSG_EQ(bts.portBytes, 1062, "A2");
        NS_TEST_EXPECT_MSG_EQ(bts.bufferBytes, 2124, "A2 and B2");
        NS_TEST_EXPECT_MSG_EQ(bts.groupBytes, 1062, "A2, in the queues");
        NS_TEST_EXPECT_MSG_EQ(+bts.inverted, 1, "says so");
        NS_TEST_EXPECT_MSG_EQ(+bts.marked, 1, "the packet was not marked");
        NS_TEST_EXPECT_MSG_EQ(first->repeated, false, "as understood by the sender");
        NS_TEST_ASSERT_MSG_EQ(+first->intCount, 1, "one record");
        const auto format = CreateObjectWithAttributes<IntFormat>("QueueUnit",
                                                                  UintegerValue(1),
                                                                  "ByteUnit",
                                                                  UintegerValue(1));
        const IntSample sample = format->Unpack(first->intRecord);
        NS_TEST_EXPECT_MSG_EQ(sample.queueBytes, 1062, "A2");
        NS_TEST_EXPECT_MSG_EQ(sample.txBytes, 1062, "A1");
        NS_TEST_EXPECT_MSG_EQ(sample.rateBps, 100000000000, "of the link");
        // 62 + 4 + 4 + 4 + 4 + 12 + 12, and INT: 4 + 8
        NS_TEST_EXPECT_MSG_EQ(first->size, 114, "frame");

        Config::SetDefault("ns3::WrebFeature::Notifier",
                           PointerValue(MakeNotifier({{"TellRelativeQueue", false},
                                                      {"TellActiveFlows", false},
                                                      {"TellGradient", false},
                                                      {"TellRate", false}})));
        Config::SetDefault("ns3::WrebFeature::TellInt", BooleanValue(false));
        FabricHelper bare = MakeBtsHelper();
        bare.SetFlowControl("none");
        TestNetwork second(MakeStar(3), bare);
        second.MessagesOf(0).Send(2, 3000, 0);
        second.MessagesOf(1).Send(2, 3000, 1);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_GT(WatchedBts::records.size(), 0, "there are some");
        NS_TEST_EXPECT_MSG_EQ(WatchedBts::records.front().size, 66, "62 + 4");
        NS_TEST_EXPECT_MSG_EQ(+WatchedBts::records.front().bts.signals, 0, "none");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Three switches in a row that are all congested, with and without drops.
 */
class ChainTestCase : public WithDefaults
{
  public:
    ChainTestCase()
        : WithDefaults(
              "three congested switches: one early notification for a packet, one for each "
              "drop, marked if it comes second")
    {
    }

  private:
    void DoRun() override
    {
        // Hosts 0 and 1 at switch 6, 2 at switch 7, 3 at switch 8 send to hosts 4 and 5 at switch
        // 8: the links 6-7 and 7-8 and those to the hosts are all congested. With little memory
        // they also drop.
        for (const uint64_t memory : {uint64_t{20000000}, uint64_t{60000}})
        {
            for (const bool atDeparture : {false, true})
            {
                Run(memory, atDeparture);
            }
        }
    }

    /**
     * @param memory bytes of each switch
     * @param atDeparture when queues decide
     */
    void Run(uint64_t memory, bool atDeparture)
    {
        const FabricGraph graph =
            PlanOfLinks(6, 3, {{0, 6}, {1, 6}, {2, 7}, {3, 8}, {4, 8}, {5, 8}, {6, 7}, {7, 8}});
        Config::SetDefault("ns3::BackToSenderNotifier::AtDeparture", BooleanValue(atDeparture));
        FabricHelper helper = MakeBtsHelper("2000:0,40000:0.5");
        helper.SetFlowControl("none");
        helper.SetBuffer("ns3::SharedBuffer", "Size", UintegerValue(memory));
        TestNetwork network(graph, helper);
        network.MessagesOf(0).Send(4, 300000, 0);
        network.MessagesOf(1).Send(5, 300000, 1);
        network.MessagesOf(2).Send(4, 300000, 2);
        network.MessagesOf(3).Send(4, 300000, 3);
        Simulator::Run();

        uint64_t early = 0;
        uint64_t drops = 0;
        uint64_t second = 0;
        // Notifications of one packet come by ways of different length, but a packet that was sent
        // again was dropped before: of each packet there are at most as many early ones as times
        // that it was sent, and a drop of a marked packet has an early one.
        std::map<std::pair<const WatchedBts*, uint32_t>, std::array<uint64_t, 3>> packets;
        for (const auto& record : WatchedBts::records)
        {
            if (record.isBts)
            {
                auto& [firsts, dropped, repeated] = packets[{record.flow, record.psn}];
                firsts += !record.dropped;
                dropped += record.dropped;
                repeated += record.repeated;
                NS_TEST_EXPECT_MSG_EQ(record.repeated && !record.dropped,
                                      false,
                                      "only a drop comes second");
                early += !record.dropped;
                drops += record.dropped;
                second += record.repeated;
            }
        }
        for (const auto& [packet, counts] : packets)
        {
            NS_TEST_EXPECT_MSG_LT_OR_EQ(counts[0], counts[1] + 1, "early ones of a packet");
            NS_TEST_EXPECT_MSG_LT_OR_EQ(counts[2], counts[0], "drops that come second");
        }
        uint64_t marks = 0;
        uint64_t lost = 0;
        for (uint32_t sw = 6; sw < 9; ++sw)
        {
            for (const auto& [reason, count] : network.fabric->GetSwitch(sw)->GetDrops())
            {
                lost += count;
            }
            for (uint16_t port = 0; port < network.fabric->GetSwitch(sw)->GetNPorts(); ++port)
            {
                marks += DynamicCast<CongestionAwareQueueDisc>(
                             network.fabric->GetPort(sw, port)->GetQueue().GetDisc())
                             ->GetNMarkedPackets();
            }
        }
        NS_TEST_EXPECT_MSG_EQ(early, marks, "a notification for each mark");
        NS_TEST_EXPECT_MSG_EQ(drops, lost, "a notification for each drop");
        NS_TEST_EXPECT_MSG_GT(early, 20, "there is congestion");
        NS_TEST_EXPECT_MSG_EQ((lost > 0), (memory < 100000), "drops with little memory only");
        NS_TEST_EXPECT_MSG_EQ((second > 0), (lost > 0), "some of packets marked before");
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 4, "all arrives");
        NS_TEST_EXPECT_MSG_EQ(network.Sum(&FabricNic::Counters::retransmitted), lost, "each once");
        NS_TEST_EXPECT_MSG_EQ(network.Sum(&FabricNic::Counters::timeouts), 0, "and at once");
        NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, "all counted");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Other organisations of switches, other flow control, one service level, VOQ.
 */
class PlatformTestCase : public WithDefaults
{
    using WithDefaults::WithDefaults;

    void DoRun() override
    {
        for (const char* flowControl :
             {"ns3::PriorityFlowControl", "ns3::CreditFlowControl", "ns3::VoqCreditFlowControl"})
        {
            for (const char* buffer : {"ns3::SharedBuffer", "ns3::VoqBuffer"})
            {
                const bool perQueue = std::string(flowControl) == "ns3::VoqCreditFlowControl";
                if (perQueue && std::string(buffer) == "ns3::SharedBuffer")
                {
                    continue; // refused
                }
                for (const bool oneClass : {false, true})
                {
                    FabricHelper helper = MakeBtsHelper();
                    helper.SetFlowControl(flowControl);
                    helper.SetBuffer(buffer);
                    helper.SetClasses(3, oneClass ? 3 : 6);
                    if (oneClass)
                    {
                        helper.SetWireFormat("ns3::HpccSimWireFormat");
                    }
                    TestNetwork network(MakeStar(9), helper);
                    for (uint32_t host = 0; host < 8; ++host)
                    {
                        network.MessagesOf(host).Send(8, 400000, host);
                    }
                    Simulator::Run();
                    const std::string what = std::string(flowControl) + ", " + buffer;
                    NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 8, what);
                    NS_TEST_EXPECT_MSG_EQ(network.fabric->GetDrops().empty(), true, what);
                    NS_TEST_EXPECT_MSG_GT(network.Sum(&FabricNic::Counters::btsReceived), 0, what);
                    NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, what);
                    if (oneClass)
                    {
                        const auto told =
                            std::find_if(WatchedBts::records.begin(),
                                         WatchedBts::records.end(),
                                         [](const auto& record) { return record.isBts; });
                        NS_TEST_EXPECT_MSG_EQ(told->size, 60, "as its other control packets");
                    }
                }
            }
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What does not go together.
 */
class WrebRefusalTestCase : public WithDefaults
{
    using WithDefaults::WithDefaults;

    /**
     * @brief Expect a refusal.
     * @param helper what is to be installed
     * @param parts of the message
     */
    void Refused(FabricHelper helper, const std::vector<std::string>& parts)
    {
        const std::string text = RefusalOf([&helper]() { helper.Install(MakeStar(3)); });
        for (const auto& part : parts)
        {
            NS_TEST_EXPECT_MSG_EQ(tests::Contains(text, part), true, text << " says " << part);
        }
        Simulator::Destroy();
    }

    void DoRun() override
    {
        FabricHelper alone;
        alone.SetCongestionControl("ns3::BtsCongestionControl");
        Refused(alone, {"ns3::BtsCongestionControl", "ns3::WrebFeature", "AddSwitchFeature"});

        FabricHelper unread;
        unread.SetCongestionControl("ns3::SwiftCongestionControl");
        unread.AddSwitchFeature("ns3::WrebFeature");
        Refused(unread, {"ns3::SwiftCongestionControl", "ns3::WrebFeature", "PriorityFlowControl"});
        unread.SetFlowControl("none"); // drops are told
        unread.Install(MakeStar(3));
        Simulator::Destroy();

        FabricHelper twice = MakeBtsHelper();
        twice.AddSwitchFeature("ns3::WrebFeature");
        Refused(twice, {"ns3::WrebFeature twice"});

        FabricHelper marked = MakeBtsHelper();
        marked.SetMarkingProfile("ns3::WredMarkingProfile");
        marked.Install(MakeStar(3)); // notifications by the same profile
        Simulator::Destroy();
        Config::SetDefault("ns3::BackToSenderNotifier::Profile",
                           StringValue("ns3::PiecewiseMarkingProfile"));
        Refused(marked, {"ns3::WredMarkingProfile", "ns3::WrebFeature"});
        Config::SetDefault("ns3::BackToSenderNotifier::Profile", PointerValue());

        FabricHelper stock = MakeBtsHelper();
        stock.SetFlowControl("none");
        stock.SetQueueDisc("ns3::FifoQueueDisc");
        Refused(stock, {"ns3::WrebFeature", "ns3::FifoQueueDisc"});

        FabricHelper empty = MakeBtsHelper();
        Config::SetDefault("ns3::WrebFeature::Notifier", PointerValue());
        Refused(empty, {"ns3::WrebFeature needs a Notifier"});

        // ECN of those that need marks is what notifications bring
        Config::Reset();
        FabricHelper dctcp;
        dctcp.SetCongestionControl("ns3::DctcpCongestionControl");
        dctcp.AddSwitchFeature("ns3::WrebFeature");
        dctcp.Install(MakeStar(3));
        Simulator::Destroy();
    }
};

/// Back-to-sender notification in networks.
const SuiteCases g_cases("dcfabric-wreb", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(
        new BtsTimesTestCase("notifications and echoes of three packets each, to the picosecond"));
    suite.AddTestCase(new BtsSignalsTestCase("every signal, an INT record, the ECN bit inverted"));
    suite.AddTestCase(new ChainTestCase);
    suite.AddTestCase(new PlatformTestCase(
        "notifications with virtual output queues, credits, one class, other sizes"));
    suite.AddTestCase(new WrebRefusalTestCase(
        "refusals: a congestion control without its notifications, and the reverse"));
});

} // namespace ns3::tests::wreb_network_test
