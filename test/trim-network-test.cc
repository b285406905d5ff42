// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"

#include "ns3/congestion-aware-queue-disc.h"
#include "ns3/fabric-totals.h"
#include "ns3/load-balancer.h"
#include "ns3/packet-trimmer.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Trimming in a network: what switches cut, what receivers answer, what senders repeat.
 */

namespace ns3::tests::trim_network_test
{

using namespace by_hand;

constexpr uint32_t PAYLOAD = 4098;       //!< of a frame of 4160 bytes
constexpr int64_t FULL = 4180 * 80;      //!< ps of a full packet with its gap at 100 Gb/s
constexpr int64_t HEADER = 84 * 80;      //!< ps of a trimmed one
constexpr int64_t ANSWER = 118 * 80;     //!< ps of a NACK
constexpr const char* LIMIT = "178880B"; //!< 43 full packets

/**
 * @param limit of queues
 * @return policies that trim
 */
FabricHelper
MakeTrimming(const std::string& limit)
{
    FabricHelper helper;
    helper.SetFlowControl("none");
    helper.SetTrimmer("ns3::PacketTrimmer");
    helper.SetQueueDisc("ns3::CongestionAwareQueueDisc", "MaxSize", StringValue(limit));
    helper.SetNicAttribute("PayloadBytes", UintegerValue(PAYLOAD));
    return helper;
}

/**
 * @ingroup dcfabric-tests
 * @brief A load balancer that notes what it is told.
 */
class TrimListener : public PerFlowLoadBalancer
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::tests::TrimListener")
                                .SetParent<PerFlowLoadBalancer>()
                                .SetGroupName("Dcfabric")
                                .AddConstructor<TrimListener>();
        return tid;
    }

    void OnTrim(int64_t /* nowPs */, uint16_t entropy, bool lastHop) override
    {
        ++g_told[{entropy, lastHop}];
    }

    static std::map<std::pair<uint16_t, bool>, uint32_t> g_told; //!< by entropy and last hop
};

std::map<std::pair<uint16_t, bool>, uint32_t> TrimListener::g_told;

NS_OBJECT_ENSURE_REGISTERED(TrimListener);

/**
 * @ingroup dcfabric-tests
 * @brief A congestion control that notes what it is told.
 */
class TrimControl : public CongestionControl
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::tests::TrimControl")
                                .SetParent<CongestionControl>()
                                .SetGroupName("Dcfabric")
                                .AddConstructor<TrimControl>();
        return tid;
    }

    void OnTrim(const TrimInfo& trim) override
    {
        g_told.push_back(trim);
        CongestionControl::OnTrim(trim);
    }

    void OnLoss(int64_t /* nowPs */, uint64_t lostBytes) override
    {
        g_lost += lostBytes;
    }

    static std::vector<TrimInfo> g_told; //!< all
    static uint64_t g_lost;              //!< bytes of losses

  protected:
    void DoStart() override
    {
        // line rate, no window
    }
};

std::vector<TrimInfo> TrimControl::g_told;
uint64_t TrimControl::g_lost = 0;

NS_OBJECT_ENSURE_REGISTERED(TrimControl);

/**
 * @ingroup dcfabric-tests
 * @brief What switches trim.
 */
class TrimLog
{
  public:
    /// @param sw a switch to listen to
    void ListenTo(FabricSwitch& sw)
    {
        sw.TraceConnectWithoutContext("Trim", MakeCallback(&TrimLog::OnTrim, this));
    }

    /**
     * @brief Sink of FabricSwitch::Trim.
     * @param item the packet
     * @param bytes that it lost
     * @param port to which it goes
     */
    void OnTrim(Ptr<const FabricPacketItem> item, uint32_t bytes, const FabricNetDevice* port)
    {
        ++count;
        first += (item->flags & FabricPacketItem::FLAG_RETRANSMISSION) == 0;
        lastHop += (item->flags & FabricPacketItem::FLAG_LAST_HOP) != 0;
        lostBytes += bytes;
        ++of[item->src];
        ++at[{port->GetActor()->GetAddress(), port->GetPort()}];
    }

    uint64_t count{0};                                    //!< packets
    uint64_t first{0};                                    //!< of these, first copies
    uint64_t lastHop{0};                                  //!< of these, at the last hop
    uint64_t lostBytes{0};                                //!< that they lost
    std::map<uint32_t, uint64_t> of;                      //!< by sender
    std::map<std::pair<uint32_t, uint16_t>, uint64_t> at; //!< by node and port
};

/**
 * @ingroup dcfabric-tests
 * @brief Nine senders and one receiver, each one window at once.
 */
class IncastTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        FabricHelper helper = MakeTrimming(LIMIT);
        helper.SetCongestionControl("ns3::tests::TrimControl");
        helper.SetLoadBalancer("ns3::tests::TrimListener");
        TrimControl::g_told.clear();
        TrimControl::g_lost = 0;
        TrimListener::g_told.clear();
        TestNetwork network(MakeStar(10, 4 * US), helper);
        const Ptr<PacketTap> tap = AddTap(network, 10);
        TrimLog log;
        log.ListenTo(*network.fabric->GetSwitch(10));
        for (uint32_t host = 0; host < 9; ++host)
        {
            network.MessagesOf(host).Send(9, uint64_t{37} * PAYLOAD, host);
        }
        Simulator::Run();

        // T4. A round of nine packets arrives each F = 334.4 ns; where packets are trimmed, what is
        // left of them goes first and takes the wire h = 6.72 ns each. Round 0 leaves 8 packets
        // behind, each further one 8 more: 40 after round 4. In round 5 one has left, four fit, and
        // 5 are trimmed. These go at the end of the packet on the wire, just when round 6 comes: no
        // data has left, and all 9 are trimmed. With 14 headers the next packet begins 94.08 ns
        // after that, so that one of round 7 fits and 8 are trimmed; and so on, 53.76 ns later in
        // each round, until in round 12 nothing has left, and again in rounds 18, 24, 30 and 36.
        // In all 5 + 6 x 9 + 25 x 8 = 259 of 333. (Without the time that headers take, it would be
        // about 333 - 37 - 43 = 253.)
        NS_TEST_EXPECT_MSG_EQ(log.first, 259, "of the first window");
        NS_TEST_EXPECT_MSG_EQ(log.lastHop, log.count, "the port leads to the receiver");
        const std::vector<PacketTap::Record> nacks = tap->Of(NACK);
        NS_TEST_EXPECT_MSG_EQ(nacks.size(), log.count, "one each");
        // The first one trimmed is that of host 4 in round 5, which left it at 5 F. It arrives at
        // 6 F + 4 us, waits (T5) for the packet on the wire, F, instead of for 43 of them, and is
        // at the receiver just behind that packet, whose ACK is still on the wire: the NACK follows
        // it, and is at the switch another 4 us later.
        static_assert(HEADER < ANSWER, "the header comes while the ACK is on the wire");
        NS_TEST_EXPECT_MSG_EQ(nacks.front().sendTimePs, 5 * FULL, "echo");
        NS_TEST_EXPECT_MSG_EQ(nacks.front().nowPs,
                              7 * FULL + 2 * ANSWER + 12 * US,
                              "one round trip after it left");
        NS_TEST_EXPECT_MSG_EQ((nacks.front().ack.code == NackCode::TRIMMED_LAST_HOP), true, "told");
        for (uint32_t host = 0; host < 9; ++host)
        {
            const FabricNic::Counters& counters = network.Nic(host).GetCounters();
            NS_TEST_EXPECT_MSG_EQ(counters.trimsTold, log.of[host], "sender " << host);
            NS_TEST_EXPECT_MSG_EQ(counters.retransmitted, log.of[host], "each repeated once");
        }
        NS_TEST_EXPECT_MSG_EQ(network.Sum(&FabricNic::Counters::timeouts), 0, "no time-out");
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 9, "all complete");

        // T3: a trimmed packet is one packet
        const FabricNic::Counters& receiver = network.Nic(9).GetCounters();
        NS_TEST_EXPECT_MSG_EQ(receiver.dataTrimmed, log.count, "arrived");
        NS_TEST_EXPECT_MSG_EQ(receiver.dataDelivered, 333, "and all payload in the end");
        NS_TEST_EXPECT_MSG_EQ(network.Sum(&FabricNic::Counters::dataSent),
                              333 + log.count,
                              "sent = delivered + trimmed");
        NS_TEST_EXPECT_MSG_EQ(log.lostBytes, log.count * 4096, "4160 - 64 each");
        NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, "conservation");
        NS_TEST_EXPECT_MSG_EQ(network.fabric->GetDrops().empty(), true, "none");
        const auto totals = FabricTotals::Collect(*network.fabric);
        NS_TEST_EXPECT_MSG_EQ(totals.Get("trimmed_packets"), log.count, "in summary.json");
        NS_TEST_EXPECT_MSG_EQ(network.fabric->GetSwitch(10)->GetBuffer()->GetUsedBytes(),
                              0,
                              "all memory is free again");

        // who else is told
        NS_TEST_EXPECT_MSG_EQ(TrimControl::g_told.size(), log.count, "of each");
        NS_TEST_EXPECT_MSG_EQ(TrimControl::g_lost, log.count * PAYLOAD, "by default, losses");
        const TrimInfo& told = TrimControl::g_told.front();
        NS_TEST_EXPECT_MSG_EQ(told.nowPs, nacks.front().nowPs + ANSWER + 4 * US, "at the sender");
        NS_TEST_EXPECT_MSG_EQ(told.rttPs, told.nowPs - 5 * FULL, "since it left");
        NS_TEST_EXPECT_MSG_EQ(told.lostBytes, PAYLOAD, "of one packet");
        NS_TEST_EXPECT_MSG_EQ(told.inFlightBytes,
                              35 * PAYLOAD,
                              "37 without it and the first, which was acknowledged 334 ns ago");
        NS_TEST_EXPECT_MSG_EQ(told.lastHop, true, "where");
        uint64_t balancers = 0;
        for (const auto& [what, count] : TrimListener::g_told)
        {
            NS_TEST_EXPECT_MSG_EQ(what.second, true, "at the last hop");
            balancers += count;
        }
        NS_TEST_EXPECT_MSG_EQ(balancers, log.count, "of each");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Where packets are trimmed.
 */
class LastHopTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // T6: hosts 0 to 2 at leaf 6, 3 to 5 at leaf 7, one spine.
        const struct
        {
            uint32_t dst[2]; //!< of hosts 0 and 1
            uint32_t node;   //!< that trims
            bool lastHop;    //!< its port leads to a host
        } cases[] = {{{3, 4}, 6, false}, {{2, 2}, 6, true}};

        for (const auto& c : cases)
        {
            TestNetwork network(MakeTwoLeaves(3, 1), MakeTrimming("41600B"));
            TrimLog log;
            for (const uint32_t node : {6, 7, 8})
            {
                log.ListenTo(*network.fabric->GetSwitch(node));
            }
            const Ptr<PacketTap> tap = AddTap(network, 6);
            for (uint32_t host = 0; host < 2; ++host)
            {
                network.MessagesOf(host).Send(c.dst[host], 100 * PAYLOAD, host);
            }
            Simulator::Run();
            NS_TEST_EXPECT_MSG_GT(log.count, 20, "two into one");
            NS_TEST_EXPECT_MSG_EQ(log.at.size(), 1, "one port");
            NS_TEST_EXPECT_MSG_EQ(log.at.begin()->first.first, c.node, "of this switch");
            NS_TEST_EXPECT_MSG_EQ(log.lastHop, (c.lastHop ? log.count : 0), "flag");
            const auto code = c.lastHop ? NackCode::TRIMMED_LAST_HOP : NackCode::TRIMMED;
            const std::vector<PacketTap::Record> nacks = tap->Of(NACK);
            NS_TEST_EXPECT_MSG_EQ(nacks.size(), log.count, "one each");
            for (const auto& nack : nacks)
            {
                NS_TEST_EXPECT_MSG_EQ((nack.ack.code == code), true, "as the flag says");
            }
            NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 2, "both complete");
            NS_TEST_EXPECT_MSG_EQ(network.Sum(&FabricNic::Counters::timeouts), 0, "no time-out");
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The memory of a switch is full, or what an input has of it, not a queue at an output.
 */
class MemoryTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        for (const std::string reliability : {"ns3::SelectiveRepeat", "ns3::GoBackN"})
        {
            RunWith(reliability, "ns3::SharedBuffer", "Size", 300000);
            // of a port's class at each of eight inputs
            RunWith(reliability, "ns3::VoqBuffer", "QueueBytes", 20000);
        }
    }

    /**
     * @param reliability policy
     * @param buffer of the switch
     * @param attribute of it
     * @param bytes its value
     */
    void RunWith(const std::string& reliability,
                 const std::string& buffer,
                 const std::string& attribute,
                 uint64_t bytes)
    {
        const std::string what = reliability + ", " + buffer;
        FabricHelper helper = MakeTrimming("4294967295B");
        helper.SetReliability(reliability);
        // without a window headers could starve data for ever
        helper.SetCongestionControl("ns3::SwiftCongestionControl");
        helper.SetNicAttribute("PayloadBytes", UintegerValue(1000));
        helper.SetBuffer(buffer, attribute, UintegerValue(bytes));
        TestNetwork network(MakeStar(9), helper);
        TrimLog log;
        log.ListenTo(*network.fabric->GetSwitch(8 + 1));
        for (uint32_t host = 0; host < 8; ++host)
        {
            network.MessagesOf(host).Send(8, 100000, host);
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_GT(log.count, 100, what << ": it overflows");
        auto drops = network.fabric->GetDrops();
        drops.erase(DropReason::OUT_OF_ORDER); // by receivers under go-back-N
        NS_TEST_EXPECT_MSG_EQ(drops.empty(), true, what << ": nothing is dropped");
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 8, what << ": all complete");
        NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, what);
        NS_TEST_EXPECT_MSG_EQ(network.fabric->GetSwitch(9)->GetBuffer()->GetUsedBytes(),
                              0,
                              what << ": all memory is free again");
        NS_TEST_EXPECT_MSG_EQ(FabricTotals::Collect(*network.fabric).Get("trimmed_packets"),
                              log.count,
                              what << ": counted");
        if (reliability == "ns3::SelectiveRepeat")
        {
            NS_TEST_EXPECT_MSG_EQ(network.Sum(&FabricNic::Counters::retransmitted),
                                  log.count,
                                  "nothing needlessly");
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Headers go first, and n senders at line rate that repeat at once fill the wire with them
 * if n x 84 B of a header exceed a packet on the wire: with 1000 B, 1082 B, from 13 on; with 4 KiB
 * from 50 on. NSCC does not come to that, as each NACK takes a packet off its window.
 *
 * 30 senders of 98 kB, which the wire takes 30 x 24 x 0.3344 us = 240.77 us for once, or 30 x 98 x
 * 86.56 ns = 254.49 us.
 */
class HeadersFirstTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param control congestion control
     * @param payload bytes of a full packet
     * @param scheduler of classes
     * @return when the last message is complete, over the time that the wire takes for all once
     */
    double Run(const std::string& control, uint32_t payload, const std::string& scheduler)
    {
        FabricHelper helper = MakeTrimming(LIMIT);
        helper.SetCongestionControl(control);
        helper.SetQueueDisc("ns3::CongestionAwareQueueDisc",
                            "MaxSize",
                            StringValue("80kB"),
                            "Scheduler",
                            StringValue(scheduler));
        helper.SetNicAttribute("PayloadBytes", UintegerValue(payload));
        TestNetwork network(MakeStar(31), helper);
        const uint32_t packets = 98352 / payload;
        for (uint32_t host = 0; host < 30; ++host)
        {
            network.MessagesOf(host).Send(30, uint64_t{packets} * payload, host);
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 30, control << ": all complete");
        int64_t last = 0;
        for (const auto& done : network.completed)
        {
            last = std::max(last, done.nowPs);
        }
        return static_cast<double>(last) / (30.0 * packets * (payload + 82) * 80);
    }

    void DoRun() override
    {
        const std::string strict = "ns3::StrictPriorityScheduler";
        const std::string shared = "ns3::DeficitRoundRobinScheduler";
        const std::string nscc = "ns3::NsccCongestionControl";
        const std::string dctcp = "ns3::DctcpCongestionControl";
        // 720 packets through a queue of 19, and headers of 2 % each: next to the best, either way
        NS_TEST_EXPECT_MSG_LT(Run(nscc, PAYLOAD, strict), 1.1, "headers first, NSCC");
        NS_TEST_EXPECT_MSG_LT(Run(nscc, PAYLOAD, shared), 1.1, "half of the wire, NSCC");
        // one cut for a window of data, whatever is trimmed of it
        const double first = Run(dctcp, 1000, strict);
        const double half = Run(dctcp, 1000, shared);
        NS_TEST_EXPECT_MSG_GT(first, 2, "headers first, DCTCP");
        NS_TEST_EXPECT_MSG_LT(half, first / 1.1, "half of the wire, DCTCP");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Trimmed packets and their NACKs that are lost, late, doubled, or of a packet that is
 * there.
 */
class AnswerTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief One message of ten packets, of which a switch trims some.
     * @param trims numbers of packets whose first copies it trims
     * @param rule for answers
     */
    void RunMessage(const std::vector<uint32_t>& trims, const PacketTap::Rule& rule)
    {
        FabricHelper helper = MakeTrimming("4294967295B");
        helper.SetNicAttribute("PayloadBytes", UintegerValue(1000));
        m_network.reset(); // it resets the simulator
        m_network = std::make_unique<TestNetwork>(MakeStar(2), helper);
        m_tap = AddTap(*m_network, 2);
        m_tap->SetRule([trims, rule](FabricPacketItem& item) {
            const bool first = (item.flags & FabricPacketItem::FLAG_RETRANSMISSION) == 0;
            if (item.type == DATA && first &&
                std::find(trims.begin(), trims.end(), item.psn) != trims.end())
            {
                item.Trim(64, 5 << 3, false);
            }
            return !rule || rule(item);
        });
        m_network->MessagesOf(0).Send(1, 10000, 7);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_network->delivered.size(), 1, "once");
        NS_TEST_EXPECT_MSG_EQ(m_network->completed.size(), 1, "once");
        NS_TEST_EXPECT_MSG_EQ(Count().bytesDelivered, 10000, "all");
        NS_TEST_EXPECT_MSG_EQ(m_network->fabric->CheckConservation().Holds(), true, "conservation");
    }

    /// @return counters of the receiver
    const FabricNic::Counters& Count() const
    {
        return m_network->Nic(1).GetCounters();
    }

    void DoRun() override
    {
        // the first packet, which opens the PDC: nothing is placed, but the PDC is there
        RunMessage({0}, nullptr);
        NS_TEST_EXPECT_MSG_EQ(Count().dataTrimmed, 1, "arrived");
        NS_TEST_EXPECT_MSG_EQ(m_network->Nic(0).GetCounters().retransmitted, 1, "repeated");

        // all, and the last alone: no answer but the NACK follows
        RunMessage({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, nullptr);
        NS_TEST_EXPECT_MSG_EQ(m_network->Nic(0).GetCounters().retransmitted, 10, "repeated");
        NS_TEST_EXPECT_MSG_EQ(m_network->Nic(0).GetCounters().timeouts, 0, "at once");
        RunMessage({9}, nullptr);
        NS_TEST_EXPECT_MSG_EQ(m_network->Nic(0).GetCounters().timeouts, 0, "at once");

        // the NACK is lost: later packets show that 4 is missing, and for 9 there is the time-out
        const PacketTap::Rule noNacks = [](FabricPacketItem& item) { return item.type != NACK; };
        RunMessage({4}, noNacks);
        NS_TEST_EXPECT_MSG_EQ(m_network->Nic(0).GetCounters().timeouts, 0, "seen before");
        NS_TEST_EXPECT_MSG_EQ(m_network->Nic(0).GetCounters().retransmitted, 1, "once");
        RunMessage({9}, noNacks);
        NS_TEST_EXPECT_MSG_EQ(m_network->Nic(0).GetCounters().timeouts, 1, "nothing else tells");

        // the NACK comes twice, the second when the copy is under way: nothing is repeated again
        RunMessage({4}, [this](FabricPacketItem& item) {
            if (item.type == NACK)
            {
                m_tap->Repeat(item, m_network->fabric->GetSwitch(2)->GetNowPs() + 1200000);
            }
            return true;
        });
        NS_TEST_EXPECT_MSG_EQ(m_network->Nic(0).GetCounters().trimsTold, 2, "two");
        NS_TEST_EXPECT_MSG_EQ(m_network->Nic(0).GetCounters().retransmitted, 1, "once");

        // a trimmed copy of a packet that is there: an ACK says so
        bool repeated = false;
        RunMessage({}, [this, &repeated](FabricPacketItem& item) {
            if (item.type == DATA && item.psn == 2 && !repeated)
            {
                repeated = true;
                const uint32_t flags = item.flags;
                item.flags |= FabricPacketItem::FLAG_TRIMMED;
                m_tap->Repeat(item, m_network->fabric->GetSwitch(2)->GetNowPs() + 300000);
                item.flags = flags;
            }
            return true;
        });
        NS_TEST_EXPECT_MSG_EQ(Count().dataTrimmed, 1, "it came");
        NS_TEST_EXPECT_MSG_EQ(m_network->Nic(0).GetCounters().trimsTold, 0, "no NACK");
        NS_TEST_EXPECT_MSG_EQ(m_network->Nic(0).GetCounters().retransmitted, 0, "nor a repetition");
        m_network.reset();
    }

    std::unique_ptr<TestNetwork> m_network; //!< the last one
    Ptr<PacketTap> m_tap;                   //!< at its switch
};

/**
 * @ingroup dcfabric-tests
 * @brief What is refused, and what is taken from the network.
 */
class TrimRefusalTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const FabricGraph graph = MakeStar(3);
        for (const std::string control : {"ns3::PriorityFlowControl", "ns3::CreditFlowControl"})
        {
            FabricHelper helper;
            helper.SetFlowControl(control);
            helper.SetTrimmer("ns3::PacketTrimmer");
            DCFABRIC_EXPECT_REFUSAL(helper.Install(graph),
                                    "ns3::PacketTrimmer trims packets of class 3 for which there "
                                    "is no room, but " +
                                        control);
            helper.SetTrimmer("ns3::PacketTrimmer", "Classes", UintegerValue(1));
            helper.Install(graph); // no class of the transport
            helper.SetTrimmer("none");
            helper.Install(graph);
        }
        FabricHelper helper = MakeTrimming(LIMIT);
        helper.SetTrimmer("ns3::PacketTrimmer", "TrimmedClass", UintegerValue(6));
        DCFABRIC_EXPECT_REFUSAL(helper.Install(graph), "class 6 carries other packets");
        helper.SetTrimmer("ns3::PacketTrimmer", "TrimmedClass", UintegerValue(3));
        DCFABRIC_EXPECT_REFUSAL(helper.Install(graph), "class 3 carries other packets");
        helper.SetTrimmer("ns3::PacketTrimmer");
        helper.AddClass(5);
        DCFABRIC_EXPECT_REFUSAL(helper.Install(graph), "class 5 carries other packets");
        DCFABRIC_EXPECT_REFUSAL(helper.SetTrimmer("ns3::PacketTrimmer", "Size", UintegerValue(63)),
                                "Size");
        DCFABRIC_EXPECT_REFUSAL(helper.SetTrimmer("ns3::RingQueue"), "packet trimmer");
        FabricHelper stock;
        stock.SetFlowControl("none");
        stock.SetQueueDisc("ns3::FifoQueueDisc");
        stock.SetTrimmer("ns3::PacketTrimmer");
        DCFABRIC_EXPECT_REFUSAL(stock.Install(graph), "ns3::FifoQueueDisc cannot");
        FabricHelper voq = MakeTrimming(LIMIT);
        voq.SetBuffer("ns3::VoqBuffer");
        DCFABRIC_EXPECT_REFUSAL(voq.Install(graph), "ns3::VoqBuffer counts by class");
        FabricHelper inputs; // declares no limit
        inputs.SetFlowControl("none");
        inputs.SetTrimmer("ns3::PacketTrimmer");
        inputs.SetBuffer("ns3::VoqBuffer");
        inputs.Install(graph);
        FabricHelper alone;
        alone.SetFlowControl("none");
        alone.SetQueueDisc("ns3::CongestionAwareQueueDisc",
                           "Trimmer",
                           StringValue("ns3::PacketTrimmer"));
        DCFABRIC_EXPECT_REFUSAL(alone.Install(graph), "use ns3::PacketTrimmer for the network");

        // Without a limit there is one of the BDP: 100 Gb/s x 4.192 us; another one stays.
        FabricHelper bdp;
        bdp.SetFlowControl("none");
        bdp.SetTrimmer("ns3::PacketTrimmer");
        const Ptr<Fabric> fabric = bdp.Install(graph);
        const auto disc =
            DynamicCast<CongestionAwareQueueDisc>(fabric->GetPort(3, 0)->GetQueue().GetDisc());
        NS_TEST_EXPECT_MSG_EQ(disc->GetMaxSize().GetValue(), 52400, "12.5 B/ns x 4192 ns");
        NS_TEST_EXPECT_MSG_EQ(disc->GetTrimmer()->GetLimit(), 0, "twice that");
        NS_TEST_EXPECT_MSG_EQ(disc->GetTrimmer()->Covers(3), true, "data");
        NS_TEST_EXPECT_MSG_EQ(disc->GetTrimmer()->Covers(6), false, "no answers");
        // ports of hosts have one, too, although no data ever waits there
        const auto host =
            DynamicCast<CongestionAwareQueueDisc>(fabric->GetPort(0, 0)->GetQueue().GetDisc());
        NS_TEST_EXPECT_MSG_NE(host->GetTrimmer(), nullptr, "at the port of a host");
        Simulator::Destroy();
    }
};

/// Networks that trim.
const SuiteCases g_cases("dcfabric-trimming", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new IncastTestCase("nine windows into one port: worked out by hand"));
    suite.AddTestCase(new LastHopTestCase("NACKs tell of the last hop"));
    suite.AddTestCase(new HeadersFirstTestCase("headers that go first"));
    suite.AddTestCase(new MemoryTestCase("a switch without memory trims"));
    suite.AddTestCase(new AnswerTestCase("lost, late and doubled answers"));
    suite.AddTestCase(new TrimRefusalTestCase("what does not go together, and defaults"));
});

} // namespace ns3::tests::trim_network_test
