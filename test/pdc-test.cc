// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-control.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"

#include "ns3/test.h"

#include <cstdint>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Packet delivery contexts without loss, worked out by hand.
 *
 * Hosts and switch are joined by links of 100 Gb/s (80 ps a byte) and 1 us. A full packet takes
 * 1000 + 62 + 20 B on the wire: F = 86,560 ps; an ACK 98 + 20 B: A = 9,440 ps. Packet i of a
 * lone message leaves at i F, reaches the switch at (i + 1) F + 1 us and the receiver at (i + 2) F
 * + 2 us; its ACK is back 2 A + 2 us later.
 */

namespace ns3::tests::pdc_test
{

using namespace by_hand;

constexpr uint32_t SYN = FabricPacketItem::FLAG_SYN; //!< short name

/**
 * @ingroup dcfabric-tests
 * @brief SYN until the first answer names the PDC at the target; fields of data packets.
 */
class PdcSynTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        TestNetwork network(MakeStar(3));
        const Ptr<PacketTap> tap = AddTap(network, 3);
        // the receiver's PDC 0 is for host 2, so that host 0 gets number 1 there
        network.MessagesOf(2).SendAt(0, 1, 1, 9);
        network.MessagesOf(0).SendAt(10 * US, 1, 100 * 1000 - 1, 5);
        Simulator::Run();

        uint32_t i = 0;
        for (const auto& packet : tap->Of(DATA))
        {
            if (packet.src != 0)
            {
                continue;
            }
            // the first ACK is back at 4.192 us: packet 48 leaves at 4.155 us, 49 at 4.241 us
            NS_TEST_EXPECT_MSG_EQ(((packet.flags & SYN) != 0), (i <= 48), "SYN of packet " << i);
            NS_TEST_EXPECT_MSG_EQ(packet.pdc, (i <= 48 ? 0U : 1U), "PDC of packet " << i);
            NS_TEST_EXPECT_MSG_EQ(((packet.flags & FabricPacketItem::FLAG_FIRST) != 0),
                                  (i == 0),
                                  "FIRST of packet " << i);
            NS_TEST_EXPECT_MSG_EQ(((packet.flags & FabricPacketItem::FLAG_LAST) != 0),
                                  (i == 99),
                                  "LAST of packet " << i);
            NS_TEST_EXPECT_MSG_EQ(packet.sendTimePs, 10 * US + i * F, "start of packet " << i);
            NS_TEST_EXPECT_MSG_EQ(packet.psn, i, "numbers");
            NS_TEST_EXPECT_MSG_EQ(packet.data.offset, i * 1000, "offset of packet " << i);
            NS_TEST_EXPECT_MSG_EQ(packet.data.messageBytes, 99999, "length of the message");
            NS_TEST_EXPECT_MSG_EQ(packet.data.payloadBytes, (i < 99 ? 1000 : 999), "payload");
            NS_TEST_EXPECT_MSG_EQ(packet.size, packet.data.payloadBytes + 62U, "frame");
            ++i;
        }
        NS_TEST_EXPECT_MSG_EQ(i, 100, "packets");
        NS_TEST_EXPECT_MSG_EQ(network.delivered.size(), 2, "both messages");
        // the last packet is one byte short, but waits for the one before it at the switch
        const auto arrival = TestNetwork::Find(network.delivered, 5);
        NS_TEST_EXPECT_MSG_EQ(arrival.nowPs, 12 * US + 101 * F - 80, "last byte");
        const auto done = TestNetwork::Find(network.completed, 5);
        NS_TEST_EXPECT_MSG_EQ(done.nowPs, arrival.nowPs + 2 * A + 2 * US, "last ACK");
        NS_TEST_EXPECT_MSG_EQ(done.startPs, 10 * US, "start");
        NS_TEST_EXPECT_MSG_EQ(done.packetsSent, 100, "packets of the message");
        NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, "conservation");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief All fields of ACKs, with one packet lost: selective and cumulative parts.
 */
class PdcAckFieldsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        TestNetwork network(MakeStar(2));
        const Ptr<PacketTap> tap = AddTap(network, 2);
        LoseCopies lose(DATA, {{3, 1}});
        tap->SetRule([&](FabricPacketItem& item) {
            if (item.type == DATA && (item.psn == 1 || item.psn == 5))
            {
                item.Mark();
            }
            return lose(item);
        });
        network.MessagesOf(0).SendAt(0, 1, 10000, 1);
        Simulator::Run();

        // 6 was sent 3 packets after 3: its ACK, back at 8 F + 2 A + 4 us, shows the loss
        const int64_t againPs = 8 * F + 2 * A + 4 * US;
        const std::vector<uint32_t> triggers{0, 1, 2, 4, 5, 6, 7, 8, 9, 3};
        const std::vector<uint32_t> cumulative{1, 2, 3, 3, 3, 3, 3, 3, 3, 10};
        const std::vector<uint64_t> bitmaps{0, 0, 0, 2, 6, 14, 30, 62, 126, 0};
        const auto acks = tap->Of(ACK);
        NS_TEST_ASSERT_MSG_EQ(acks.size(), triggers.size(), "an ACK for each packet");
        for (std::size_t i = 0; i < acks.size(); ++i)
        {
            const auto& ack = acks[i];
            NS_TEST_EXPECT_MSG_EQ(ack.ack.triggerPsn, triggers[i], "trigger of ACK " << i);
            NS_TEST_EXPECT_MSG_EQ(ack.psn, cumulative[i], "cumulative part of ACK " << i);
            NS_TEST_EXPECT_MSG_EQ(ack.ack.sackBitmap, bitmaps[i], "selective part of ACK " << i);
            NS_TEST_EXPECT_MSG_EQ(ack.ack.sackBase, cumulative[i], "base of ACK " << i);
            NS_TEST_EXPECT_MSG_EQ(ack.ack.coveredPackets, 1, "covered by ACK " << i);
            const bool marked = triggers[i] == 1 || triggers[i] == 5;
            NS_TEST_EXPECT_MSG_EQ(ack.ack.markedPackets, (marked ? 1 : 0), "marks of ACK " << i);
            NS_TEST_EXPECT_MSG_EQ(((ack.flags & FabricPacketItem::FLAG_ECHO_MARK) != 0),
                                  marked,
                                  "echo of ACK " << i);
            const int64_t sentPs = triggers[i] == 3 ? againPs : triggers[i] * F;
            NS_TEST_EXPECT_MSG_EQ(ack.sendTimePs, sentPs, "echoed time of ACK " << i);
            // the message is complete before its last answer
            NS_TEST_EXPECT_MSG_EQ(ack.ack.activeFlows, (i < 9 ? 1 : 0), "N of ACK " << i);
            NS_TEST_EXPECT_MSG_EQ(ack.size, 98, "frame of ACK " << i);
        }
        const auto done = TestNetwork::Find(network.completed, 1);
        NS_TEST_EXPECT_MSG_EQ(done.nowPs, againPs + RTT, "a round trip after the retransmission");
        NS_TEST_EXPECT_MSG_EQ(done.packetsSent, 11, "ten and one");
        NS_TEST_EXPECT_MSG_EQ(done.retransmitted, 1, "one");
        NS_TEST_EXPECT_MSG_EQ(TestNetwork::Find(network.delivered, 1).reordered,
                              0,
                              "a retransmission comes late, but is not reordered");
        NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, "conservation");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The selective part moves so that it shows the packet that triggered the ACK.
 */
class PdcFarSackTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        TestNetwork network(MakeStar(2));
        const Ptr<PacketTap> tap = AddTap(network, 2);
        tap->SetRule(LoseCopies(DATA, {{0, 1}}));
        network.MessagesOf(0).SendAt(0, 1, 80 * 1000, 1);
        Simulator::Run();
        // the ACK of 3 shows the loss at 5 F + 4.02 us, when 51 packets have left; 0 follows 51
        for (const auto& ack : tap->Of(ACK))
        {
            const uint32_t trigger = ack.ack.triggerPsn;
            if (ack.psn != 0)
            {
                continue;
            }
            const uint32_t base = trigger < 64 ? 0 : trigger - 63;
            NS_TEST_EXPECT_MSG_EQ(ack.ack.sackBase, base, "base for trigger " << trigger);
            const uint64_t shown = ~uint64_t{0} >> (trigger < 64 ? 63 - trigger : 0);
            NS_TEST_EXPECT_MSG_EQ(ack.ack.sackBitmap,
                                  (base == 0 ? shown & ~uint64_t{1} : shown),
                                  "all but 0, for trigger " << trigger);
        }
        NS_TEST_EXPECT_MSG_EQ(TestNetwork::Find(network.completed, 1).packetsSent, 81, "one lost");
        NS_TEST_EXPECT_MSG_EQ(network.Sum(&FabricNic::Counters::timeouts), 0, "no time-out");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief One cumulative ACK for every m packets.
 */
class PdcAckEveryTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param helper policies
     * @param m packets per ACK
     * @param completedPs set to the time of the last
     * @return cumulative numbers of all ACKs
     */
    std::string Run(FabricHelper helper, uint32_t m, int64_t& completedPs)
    {
        helper.SetNicAttribute("AckEvery", UintegerValue(m));
        TestNetwork network(MakeStar(2), helper);
        const Ptr<PacketTap> tap = AddTap(network, 2);
        tap->SetRule([](FabricPacketItem& item) {
            if (item.type == DATA && item.psn % 4 < 2)
            {
                item.Mark();
            }
            return true;
        });
        network.MessagesOf(0).SendAt(0, 1, 10000, 1);
        Simulator::Run();
        completedPs = TestNetwork::Find(network.completed, 1).nowPs;
        NS_TEST_EXPECT_MSG_EQ(network.Sum(&FabricNic::Counters::timeouts), 0, "m = " << m);
        NS_TEST_EXPECT_MSG_EQ(network.Sum(&FabricNic::Counters::retransmitted), 0, "m = " << m);
        uint32_t before = 0;
        for (const auto& ack : tap->Of(ACK))
        {
            NS_TEST_EXPECT_MSG_EQ(ack.ack.coveredPackets, ack.psn - before, "covered, m = " << m);
            uint32_t marked = 0;
            for (uint32_t psn = before; psn < ack.psn; ++psn)
            {
                marked += psn % 4 < 2;
            }
            NS_TEST_EXPECT_MSG_EQ(ack.ack.markedPackets, marked, "marked, m = " << m);
            before = ack.psn;
        }
        return tap->Psns(ACK);
    }

    void DoRun() override
    {
        int64_t completedPs = 0;
        FabricHelper helper;
        NS_TEST_EXPECT_MSG_EQ(Run(helper, 1, completedPs), "1 2 3 4 5 6 7 8 9 10", "m = 1");
        NS_TEST_EXPECT_MSG_EQ(Run(helper, 2, completedPs), "2 4 6 8 10", "m = 2");
        NS_TEST_EXPECT_MSG_EQ(Run(helper, 4, completedPs), "4 8 10", "m = 4, and the last packet");
        NS_TEST_EXPECT_MSG_EQ(Run(helper, 7, completedPs), "7 10", "m = 7, and the last packet");
        NS_TEST_EXPECT_MSG_EQ(completedPs, 9 * F + RTT, "as without");

        // a window of two packets would wait for four: the second of each pair asks for an answer
        helper.SetCongestionControl(FixedCongestionControl::Name(), "Window", UintegerValue(2000));
        NS_TEST_EXPECT_MSG_EQ(Run(helper, 4, completedPs), "2 4 6 8 10", "m above the window");
        NS_TEST_EXPECT_MSG_EQ(completedPs, 5 * (F + RTT), "five pairs, one after the other");
        helper.SetCongestionControl(FixedCongestionControl::Name(), "Window", UintegerValue(1));
        NS_TEST_EXPECT_MSG_EQ(Run(helper, 2, completedPs), "1 2 3 4 5 6 7 8 9 10", "one packet");
        NS_TEST_EXPECT_MSG_EQ(completedPs, 10 * RTT, "stop and wait");

        // 6 Gb/s: a packet every 1062 x 8 / 6 ns = 1.416 us. ACK 4 is back at 3 x 1.416 + 4.192 =
        // 8.44 us, when packets 4 and 5 are under way; then the window shrinks to one packet. No
        // answer would come for those two: packet 6 goes all the same (8.496 us) and asks for
        // it. From then on there is one packet per round trip: 7, 8, 9.
        helper.SetCongestionControl(FixedCongestionControl::Name(),
                                    "Rate",
                                    DoubleValue(6e9),
                                    "WindowAfterAck",
                                    UintegerValue(1));
        NS_TEST_EXPECT_MSG_EQ(Run(helper, 4, completedPs), "4 7 8 9 10", "window shrinks");
        NS_TEST_EXPECT_MSG_EQ(completedPs, 8496000 + 4 * RTT, "no stall");
    }
};

/// Packet delivery contexts: packets and their answers.
const SuiteCases g_cases("dcfabric-pdc", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new PdcSynTestCase("SYN until the first answer"));
    suite.AddTestCase(new PdcAckFieldsTestCase("fields of ACKs"));
    suite.AddTestCase(new PdcFarSackTestCase("more than 64 packets behind a gap"));
    suite.AddTestCase(new PdcAckEveryTestCase("cumulative ACK every m packets"));
});

} // namespace ns3::tests::pdc_test
