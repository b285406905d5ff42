// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-plan.h"
#include "fabric-test-random.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/fabric-topology.h"
#include "ns3/grant-packet.h"
#include "ns3/message-protocol.h"
#include "ns3/nstime.h"
#include "ns3/pdc-policy-helper.h"
#include "ns3/test.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <sstream>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Receiver-driven control in networks: rates, incast, outcast, losses, refusals.
 */

namespace ns3::tests::receiver_control_network_test
{

constexpr auto DATA = FabricPacketType::DATA;   //!< short name
constexpr auto GRANT = FabricPacketType::GRANT; //!< short name

/**
 * @param name of the congestion control, without namespace and suffix
 * @return a helper without flow control
 */
FabricHelper
MakeHelper(const std::string& name)
{
    FabricHelper helper;
    helper.SetCongestionControl("ns3::" + name + "CongestionControl");
    helper.SetFlowControl("none");
    return helper;
}

/**
 * @param event of a message
 * @return how long it took, in ps
 */
int64_t
TimeOf(const FabricMessageEvent& event)
{
    return event.nowPs - event.startPs;
}

/**
 * @ingroup dcfabric-tests
 * @brief What RCCC is to do, by numbers.
 *
 * Full packets of 1000 B have frames of 1062 + 4 B, and 20 B of gap. At 0.99 x 100 Gb/s one takes
 * 1086 x 8 / 99 Gb/s = 87.76 ns.
 */
class RcccNetworkTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// Two senders, one receiver: half of 99 Gb/s each, which in 100 us is 569.7 packets. Turns
    /// have four packets, or five: credit is in units of 256 B.
    void CheckShares()
    {
        TestNetwork network(MakeStar(3), MakeHelper("Rccc"));
        const auto tap = AddTap(network, 3);
        network.MessagesOf(0).SendAt(0, 2, 4000000, 0);
        network.MessagesOf(1).SendAt(0, 2, 4000000, 1);
        Simulator::Run();
        for (const uint32_t src : {0, 1})
        {
            uint32_t packets = 0;
            for (const auto& record : tap->Of(DATA))
            {
                packets += record.src == src && record.nowPs >= 200 * US && record.nowPs < 300 * US;
            }
            NS_TEST_EXPECT_MSG_EQ_TOL(packets, 569.7, 5, "packets of sender " << src);
        }
        // turns alternate: neither is ever more than a turn ahead of where it was
        int32_t ahead = 0;
        std::vector<int32_t> all;
        for (const auto& record : tap->Of(DATA))
        {
            ahead += record.src == 0 ? 1 : -1;
            if (record.nowPs >= 50 * US && record.nowPs < 600 * US)
            {
                all.push_back(ahead);
            }
        }
        const auto [least, most] = std::minmax_element(all.begin(), all.end());
        NS_TEST_EXPECT_MSG_LT(*most - *least, 6, "packets that one was ahead");
        const int64_t first = TestNetwork::Find(network.completed, 0).nowPs;
        const int64_t second = TestNetwork::Find(network.completed, 1).nowPs;
        NS_TEST_EXPECT_MSG_LT(std::abs(first - second), 10 * 87760, "they end together");
        const auto grants = tap->Of(GRANT);
        NS_TEST_EXPECT_MSG_GT(grants.size(), 1500, "of 8000 packets in fours, the first RTT less");
        NS_TEST_EXPECT_MSG_EQ(grants.front().size, 64, "frame");
        NS_TEST_EXPECT_MSG_EQ(+grants.front().priority, 6, "class of control packets");
        NS_TEST_EXPECT_MSG_EQ(network.Sum(&FabricNic::Counters::grantsSent),
                              grants.size(),
                              "count");
        NS_TEST_EXPECT_MSG_EQ(network.Sum(&FabricNic::Counters::timeouts), 0, "time-outs");
        NS_TEST_EXPECT_MSG_EQ(network.Sum(&FabricNic::Counters::retransmitted), 0, "again");
    }

    /// A sender with 20 receivers is as fast as its link.
    void CheckOutcast()
    {
        TestNetwork network(MakeStar(21), MakeHelper("Rccc"));
        for (uint32_t dst = 1; dst <= 20; ++dst)
        {
            network.MessagesOf(0).SendAt(0, dst, 200000, dst);
        }
        Simulator::Run();
        int64_t last = 0;
        for (const auto& event : network.completed)
        {
            last = std::max(last, event.nowPs);
        }
        // 4000 packets of 1086 B at 100 Gb/s are 347.5 us, and a base RTT of 4.2 us
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 20, "all");
        NS_TEST_EXPECT_MSG_LT(last, 375 * US, "7 % more than its link needs");
    }

    /// A message of 3000 B needs no grant: it takes the time that it would take without congestion
    /// control but for 4 B more in each frame, 0.32 ns each on both links, of which one stands in
    /// the way of nobody. A message 100 us later finds slow credit.
    void CheckShort()
    {
        int64_t time[2][2];
        for (const bool credit : {false, true})
        {
            FabricHelper helper = MakeHelper(credit ? "Rccc" : "No");
            helper.SetNicAttribute("PdcPerMessage", BooleanValue(false));
            TestNetwork network(MakeStar(2), helper);
            network.MessagesOf(0).SendAt(0, 1, 3000, 0);
            network.MessagesOf(0).SendAt(100 * US, 1, 50000, 1);
            Simulator::Run();
            for (uint32_t tag : {0, 1})
            {
                time[credit][tag] = TimeOf(TestNetwork::Find(network.completed, tag));
            }
            if (credit)
            {
                // 1.5 x 100 Gb/s x 4.192 us, gaps taken off, are 77,150 B or 301 units: of turns
                // of 17 units 18 before the second message. Then what it wants, and as much again.
                NS_TEST_EXPECT_MSG_GT(network.Sum(&FabricNic::Counters::grantsSent), 17, "slow");
                NS_TEST_EXPECT_MSG_EQ(network.Sum(&FabricNic::Counters::probesSent), 0, "asks");
            }
        }
        NS_TEST_EXPECT_MSG_EQ(time[1][0] - time[0][0], 4 * 320, "three packets and one on its way");
        NS_TEST_EXPECT_MSG_EQ(time[1][1] - time[0][1], 51 * 320, "50 packets, likewise");
    }

    /// Every tenth grant is lost: the next one makes it good.
    void CheckLostGrants()
    {
        int64_t time[2];
        for (const bool lost : {false, true})
        {
            TestNetwork network(MakeStar(3), MakeHelper("Rccc"));
            const auto tap = AddTap(network, 3);
            uint32_t grants = 0;
            if (lost)
            {
                tap->SetRule([&grants](const FabricPacketItem& item) {
                    return item.type != GRANT || ++grants % 10 != 0;
                });
            }
            network.MessagesOf(0).SendAt(0, 2, 2000000, 0);
            network.MessagesOf(1).SendAt(0, 2, 2000000, 1);
            Simulator::Run();
            NS_TEST_ASSERT_MSG_EQ(network.completed.size(), 2, "all");
            time[lost] = std::max(network.completed[0].nowPs, network.completed[1].nowPs);
        }
        // a turn is 17 units at 0.99 of the rate: 359.0 ns
        NS_TEST_EXPECT_MSG_LT(std::abs(time[1] - time[0]), 2 * 359 * 1000, "two turns");
    }

    /**
     * @brief Incast: with n x 2 MB in packets of 4096 B and 64 B of headers as in uet-htsim,
     * 0.99 x 100 Gb/s give 2462.3 us for 15 and 20,847.1 us for 127 senders. Here frames have 66 B
     * of headers and a gap of 20 B: 489 packets and 2,042,054 B, for 15 senders 2475.2 us. The
     * first windows, 1.5 base RTTs, and what they leave in the queue go at the rate of the line,
     * which is at most 1 % less.
     */
    void CheckIncast()
    {
        constexpr double WIRE_HTSIM = 2000000 + 490 * 64;
        NS_TEST_EXPECT_MSG_EQ_TOL(15 * WIRE_HTSIM * 8 / 99e3, 2462.3, 0.1, "15 senders");
        NS_TEST_EXPECT_MSG_EQ_TOL(127 * WIRE_HTSIM * 8 / 99e3, 20847.1, 0.1, "127 senders");
        FabricHelper helper = MakeHelper("Rccc");
        helper.SetNicAttribute("PayloadBytes", UintegerValue(4096));
        TestNetwork network(MakeStar(16), helper);
        for (uint32_t src = 0; src < 15; ++src)
        {
            network.MessagesOf(src).SendAt(0, 15, 2000000, src);
        }
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(network.completed.size(), 15, "all");
        constexpr double WIRE = 2000000 + 489 * 86;
        const double lineUs = 15 * WIRE * 8 / 100e3;
        const double lastUs = static_cast<double>(network.completed.back().nowPs) / 1e6;
        NS_TEST_EXPECT_MSG_GT(lastUs, lineUs, "no faster than the line");
        NS_TEST_EXPECT_MSG_LT(lastUs, lineUs / 0.99 + 10, "nor slower than the credit");
        NS_TEST_EXPECT_MSG_EQ(network.Sum(&FabricNic::Counters::retransmitted), 0, "again");
        NS_TEST_EXPECT_MSG_LT(network.Sum(&FabricNic::Counters::probesSent), 15 * 10, "asks");
    }

    void DoRun() override
    {
        CheckShares();
        CheckOutcast();
        CheckShort();
        CheckLostGrants();
        CheckIncast();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Losses of chosen packets, under each scheme.
 */
class ChosenLossTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief Send a message over a switch that loses packets.
     * @param name of the congestion control
     * @param bytes of the message
     * @param rule what goes on
     * @param what for messages
     */
    void Run(const std::string& name, uint64_t bytes, PacketTap::Rule rule, const std::string& what)
    {
        TestNetwork network(MakeStar(2), MakeHelper(name));
        const auto tap = AddTap(network, 2);
        tap->SetRule(std::move(rule));
        network.MessagesOf(0).SendAt(0, 1, bytes, 0);
        Simulator::Stop(Seconds(1));
        Simulator::Run();
        const auto done = TestNetwork::Find(network.completed, 0);
        NS_TEST_EXPECT_MSG_EQ(done.bytes, bytes, name << ": " << what);
        // the time-out of a first window is 25 base RTTs of 4.2 us
        NS_TEST_EXPECT_MSG_LT(done.nowPs, 2000 * US, name << ": " << what << ": soon");
        NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, what);
    }

    /**
     * @brief Lose packets of a type.
     * @param type which
     * @param first number of the first one that is lost, from 0
     * @param count how many
     * @return a rule
     */
    static PacketTap::Rule Lose(FabricPacketType type, uint32_t first, uint32_t count)
    {
        return [type, first, count, seen = uint32_t{0}](const FabricPacketItem& item) mutable {
            const uint32_t number = item.type == type ? seen++ : 0;
            return item.type != type || number < first || number >= first + count;
        };
    }

    /// Lose all data that leaves before a time. @param untilPs when @return a rule
    static PacketTap::Rule LoseUntil(int64_t untilPs)
    {
        return [untilPs](const FabricPacketItem& item) {
            return item.type != DATA || item.sendTimePs >= untilPs;
        };
    }

    void DoRun() override
    {
        for (const char* name : {"Rccc", "NsccRccc", "SwiftRccc", "Ndp", "Homa"})
        {
            Run(name, 200000, LoseUntil(15 * US), "the first window is lost");
            Run(name, 200000, LoseUntil(60 * US), "and the first demands without payload");
            Run(name, 20000, Lose(DATA, 0, 20), "a message in the first window is lost");
            Run(name, 200000, Lose(GRANT, 0, 1), "the first grant is lost");
            Run(name, 200000, Lose(GRANT, 3, 40), "most grants are lost");
            Run(name, 200000, Lose(FabricPacketType::ACK, 0, 60), "the first ACKs are lost");
            Run(name, 200000, Lose(DATA, 100, 30), "packets in the middle are lost");
            Run(name, 1, Lose(DATA, 5, 1), "one byte");
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Late and repeated grants and data.
 */
class RepeatTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        for (const char* name : {"Rccc", "Ndp", "Homa"})
        {
            TestNetwork network(MakeStar(3), MakeHelper(name));
            const auto tap = AddTap(network, 3);
            PacketTap* repeats = PeekPointer(tap);
            tap->SetRule([repeats, seen = uint32_t{0}](FabricPacketItem& item) mutable {
                if ((item.type == GRANT || item.type == DATA) && ++seen % 3 == 0)
                {
                    repeats->Repeat(item, repeats->records.back().nowPs + 20 * US);
                }
                return true;
            });
            network.MessagesOf(0).SendAt(0, 2, 400000, 0);
            network.MessagesOf(1).SendAt(0, 2, 300000, 1);
            Simulator::Stop(Seconds(1));
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(TestNetwork::Find(network.delivered, 0).bytes, 400000, name);
            NS_TEST_EXPECT_MSG_EQ(TestNetwork::Find(network.completed, 1).bytes, 300000, name);
            NS_TEST_EXPECT_MSG_GT(network.Sum(&FabricNic::Counters::noticesStale), 0, "too late");
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Random messages, losses, classes, PDCs, under each scheme: all arrive once.
 */
class RandomTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param n above it
     * @return a random number
     */
    uint64_t Draw(uint64_t n)
    {
        return m_random() % n;
    }

    void DoRun() override
    {
        const std::vector<std::string> names{"Rccc", "NsccRccc", "SwiftRccc", "Ndp", "Homa"};
        for (uint32_t round = 0; round < 160; ++round)
        {
            std::ostringstream what;
            what << "round " << round;
            FabricHelper helper = MakeHelper(names[round % names.size()]);
            const uint64_t flowControl = Draw(4);
            helper.SetFlowControl(std::vector<std::string>{"none",
                                                           "none",
                                                           "ns3::PriorityFlowControl",
                                                           "ns3::CreditFlowControl"}[flowControl]);
            helper.AddClass(2);
            const bool homa = names[round % names.size()] == "Homa"; // packets overtake
            helper.SetReliability(
                std::vector<std::string>{"ns3::SelectiveRepeat",
                                         "ns3::RackRepeat",
                                         "ns3::GoBackN"}[Draw(homa && flowControl < 2 ? 2 : 3)]);
            helper.SetNicAttribute("AckEvery", UintegerValue(1 + Draw(2) * Draw(7)));
            helper.SetNicAttribute("PdcPerMessage", BooleanValue(Draw(2)));
            helper.SetNicAttribute("PdcIdleTime", TimeValue(MicroSeconds(Draw(2) * Draw(60))));
            helper.SetNicAttribute("MaxSendingPdcs", UintegerValue(Draw(3)));
            helper.SetNicAttribute("MaxReceivingPdcs", UintegerValue(Draw(3)));
            helper.SetNicAttribute("InitialPsn", UintegerValue(Draw(2) ? 0 : 0xfffff0));
            if (Draw(2) && flowControl < 2)
            {
                helper.SetBuffer("ns3::SharedBuffer", "Size", UintegerValue(200000));
            }
            const auto graph = MakeFabricTopology(Draw(2) ? "dumbbell:switches=2,senders=4"
                                                          : "leaf-spine:leaves=2,spines=2,hosts=4")
                                   ->BuildGraph();
            const double loss = std::vector<double>{0, 0.001, 0.02, 0.1}[Draw(4)];
            const RandomRun run(1 + Draw(1000000));
            TestNetwork network(loss > 0 ? WithErrors(graph, loss) : graph, helper);
            const bool incast = Draw(2);
            uint64_t total = 0;
            std::vector<uint64_t> sizes;
            for (uint32_t tag = 0; tag < 20; ++tag)
            {
                const auto src = static_cast<uint32_t>(incast ? Draw(7) : Draw(8));
                const auto dst = static_cast<uint32_t>(incast ? 7 : (src + 1 + Draw(7)) % 8);
                sizes.push_back(1 + (tag % 3 == 0 ? Draw(3000) : Draw(150000)));
                total += sizes.back();
                network.MessagesOf(src).SendAt(static_cast<int64_t>(Draw(3) * Draw(50) * US),
                                               dst,
                                               sizes.back(),
                                               tag,
                                               flowControl < 2 ? static_cast<int>(2 + Draw(2))
                                                               : -1);
            }
            Simulator::Stop(Seconds(100));
            Simulator::Run();
            for (uint32_t tag = 0; tag < 20; ++tag)
            {
                NS_TEST_EXPECT_MSG_EQ(TestNetwork::Find(network.delivered, tag).bytes,
                                      sizes[tag],
                                      what.str() << ": message " << tag << " delivered once");
                NS_TEST_EXPECT_MSG_EQ(TestNetwork::Find(network.completed, tag).bytes,
                                      sizes[tag],
                                      what.str() << ": message " << tag << " completed once");
            }
            const auto where = network.fabric->CheckConservation();
            NS_TEST_EXPECT_MSG_EQ(where.Holds(), true, what.str() << ": conservation");
            NS_TEST_EXPECT_MSG_EQ(where.inFlight, 0, what.str() << ": nothing is left over");
            NS_TEST_EXPECT_MSG_EQ(network.Sum(&FabricNic::Counters::bytesDelivered),
                                  total,
                                  what.str() << ": each byte once");
            for (const uint32_t host : network.fabric->GetHosts())
            {
                NS_TEST_EXPECT_MSG_EQ(network.Nic(host).GetSendingPdcs().GetNDemands(),
                                      0,
                                      what.str() << ": nobody wants anything");
            }
        }
    }

    std::mt19937_64 m_random{39}; //!< makes the scenarios
};

/**
 * @ingroup dcfabric-tests
 * @brief Homa: incasts are done when the wire of the receiver has taken them once, over short and
 * long links, whether nothing is lost or queues of a bandwidth-delay product trim.
 *
 * A packet of 4096 B takes 4182 B of the wire, with its headers, its demand and the gap: n flows of
 * k packets n k x 0.33456 us, and the first one a packet and two delays before. Headers of what is
 * trimmed take 84 B each: of 64 windows at once 63, a fiftieth of the time over long links.
 */
class HomaIncastTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param senders how many
     * @param delayPs of links
     * @param trims queues trim
     */
    void Expect(uint32_t senders, int64_t delayPs, bool trims)
    {
        const std::string what = std::to_string(senders) + " over " +
                                 std::to_string(delayPs / 1000) + " ns" +
                                 (trims ? ", trimming" : "");
        const uint32_t packets = senders > 20 ? 60 : 200;
        FabricHelper helper = MakeHelper("Homa");
        helper.SetNicAttribute("PayloadBytes", UintegerValue(4096));
        if (trims)
        {
            helper.SetTrimmer("ns3::PacketTrimmer");
        }
        TestNetwork network(MakeStar(senders + 1, delayPs), helper);
        for (uint32_t host = 0; host < senders; ++host)
        {
            network.MessagesOf(host).Send(senders, uint64_t{packets} * 4096, host);
        }
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(network.delivered.size(), senders, what << ": all");
        int64_t last = 0;
        for (const auto& one : network.delivered)
        {
            last = std::max(last, one.nowPs);
        }
        const double boundPs =
            (1.0 + senders * packets) * 4182 * 80 + 2 * static_cast<double>(delayPs);
        NS_TEST_EXPECT_MSG_LT(static_cast<double>(last), 1.03 * boundPs, what << ": the last one");
        const uint64_t again = network.Sum(&FabricNic::Counters::retransmitted);
        const uint64_t most = uint64_t{senders} * packets / (trims ? 1 : 100);
        NS_TEST_EXPECT_MSG_LT(again, most, what << ": sent again");
    }

    void DoRun() override
    {
        for (const uint32_t senders : {2, 15, 64})
        {
            for (const int64_t delayPs : {100000, 1000000, 10000000})
            {
                Expect(senders, delayPs, false);
                Expect(senders, delayPs, true);
            }
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Homa: the shortest message goes first, and in which classes.
 */
class HomaNetworkTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// Three messages to one host: they end in the order of their lengths, although the longest
    /// begins first. With one class, that of the flows, as with several.
    void CheckOrder()
    {
        TestNetwork network(MakeStar(4), MakeHelper("Homa"));
        const auto tap = AddTap(network, 4);
        network.MessagesOf(0).SendAt(0, 3, 2000000, 0);
        network.MessagesOf(1).SendAt(20 * US, 3, 1000000, 1);
        network.MessagesOf(2).SendAt(40 * US, 3, 300000, 2);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(network.completed.size(), 3, "all");
        NS_TEST_EXPECT_MSG_EQ(network.completed[0].tag, 2, "the shortest first");
        NS_TEST_EXPECT_MSG_EQ(network.completed[1].tag, 1, "then the next");
        // 300 packets of 1086 B need 26.1 us and a base RTT of 4.2 us, if nothing is in the way but
        // what others have sent unscheduled and one packet
        NS_TEST_EXPECT_MSG_LT(TimeOf(network.completed[0]), 40 * US, "as if it were alone");
        uint32_t seen = 0;
        for (const auto& record : tap->Of(DATA))
        {
            seen |= record.data.payloadBytes > 0 ? 1U << record.priority : 0;
        }
        NS_TEST_EXPECT_MSG_EQ(seen, 0x0f, "unscheduled 3, scheduled 0 to 2");
    }

    /// Under flow control all packets have the class of their flow.
    void CheckLossless()
    {
        FabricHelper helper = MakeHelper("Homa");
        helper.SetFlowControl("ns3::PriorityFlowControl");
        TestNetwork network(MakeStar(3), helper);
        const auto tap = AddTap(network, 3);
        network.MessagesOf(0).SendAt(0, 2, 500000, 0);
        network.MessagesOf(1).SendAt(0, 2, 500000, 1);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 2, "all");
        for (const auto& record : tap->Of(DATA))
        {
            NS_TEST_ASSERT_MSG_EQ(+record.priority, 3, "class of data");
        }
    }

    void DoRun() override
    {
        CheckOrder();
        CheckLossless();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What does not go together.
 */
class RefusalTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        FabricHelper modified = MakeHelper("Rccc");
        modified.AddModifier("ns3::RatioCutModifier");
        DCFABRIC_EXPECT_REFUSAL(modified.Install(MakeStar(2)),
                                "credit that receivers grant, which ns3::RatioCutModifier");
        Simulator::Destroy();

        FabricHelper inOrder = MakeHelper("Homa");
        inOrder.SetReliability("ns3::GoBackN");
        DCFABRIC_EXPECT_REFUSAL(
            inOrder.Install(MakeStar(2)),
            "ns3::HomaCongestionControl gives packets of a flow several classes");
        Simulator::Destroy();

        const auto fabric = MakeHelper("Rccc").Install(MakeStar(2));
        PdcPolicyHelper ndp;
        ndp.SetCongestionControl("ns3::NdpCongestionControl");
        DCFABRIC_EXPECT_REFUSAL(ndp.Install(fabric, fabric->GetNodes().Get(0)),
                                "but ns3::RcccReceiverControl does");
        PdcPolicyHelper homa;
        homa.SetCongestionControl("ns3::HomaCongestionControl");
        FabricHelper pausing; // where packets keep their classes
        pausing.Expect(homa);
        const auto lossless = pausing.Install(MakeStar(2));
        homa.Install(lossless, lossless->GetNodes().Get(0));
        FabricHelper dropping = MakeHelper("No");
        dropping.Expect(homa);
        const auto lossy = dropping.Install(MakeStar(2));
        DCFABRIC_EXPECT_REFUSAL(homa.Install(lossy, lossy->GetNodes().Get(0)),
                                "for some of which the switches have no room");
        PdcPolicyHelper both;
        both.SetCongestionControl("ns3::SwiftRcccCongestionControl");
        both.Install(fabric, fabric->GetNodes().Get(0)); // the same receivers
        PdcPolicyHelper none;
        none.Install(fabric, fabric->GetNodes().Get(1)); // needs none
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The same under all schedulers.
 */
class SchedulersTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        for (const char* name : {"Rccc", "NsccRccc", "SwiftRccc", "Ndp", "Homa"})
        {
            std::vector<std::string> texts;
            for (const char* scheduler :
                 {"ns3::MapScheduler", "ns3::HeapScheduler", "ns3::CalendarScheduler"})
            {
                Simulator::SetScheduler(ObjectFactory(scheduler));
                const RandomRun run(7);
                std::ostringstream text;
                TestNetwork network(WithErrors(MakeStar(5), 0.01), MakeHelper(name));
                for (uint32_t src = 0; src < 4; ++src)
                {
                    network.MessagesOf(src).SendAt(0, 4, 300000, src);
                }
                Simulator::Run();
                for (const auto& event : network.completed)
                {
                    text << event.tag << ' ' << event.nowPs << ' ' << event.packetsSent << '\n';
                }
                texts.push_back(text.str());
            }
            NS_TEST_EXPECT_MSG_EQ(texts[1], texts[0], name << ": heap");
            NS_TEST_EXPECT_MSG_EQ(texts[2], texts[0], name << ": calendar");
        }
    }
};

const SuiteCases g_cases("dcfabric-receiver-network", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.AddTestCase(new RcccNetworkTestCase("RCCC: shares, outcast, incast, lost grants"));
    suite.AddTestCase(new ChosenLossTestCase("losses of chosen packets"));
    suite.AddTestCase(new RepeatTestCase("late and repeated packets"));
    suite.AddTestCase(new RandomTestCase("random messages, losses, classes and PDCs"));
    suite.AddTestCase(new HomaNetworkTestCase("Homa: order and classes"));
    suite.AddTestCase(new HomaIncastTestCase("Homa: incasts"));
    suite.AddTestCase(new RefusalTestCase("refusals"));
    suite.AddTestCase(new SchedulersTestCase("schedulers"));
});

} // namespace ns3::tests::receiver_control_network_test
