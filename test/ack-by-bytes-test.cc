// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-control.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"

#include "ns3/ack-by-bytes.h"
#include "ns3/boolean.h"
#include "ns3/test.h"

#include <cstdint>
#include <string>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Acknowledgements by bytes: 16 KiB, as Ultra Ethernet has them.
 */

namespace ns3::tests::ack_by_bytes_test
{

using namespace by_hand;

/**
 * @ingroup dcfabric-tests
 * @brief A receiver without a network.
 */
class AckByBytesTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// @param expected first packet that has not arrived
    void Begin(uint64_t expected = 0)
    {
        m_window = ReceiveWindow(expected);
        m_byBytes = AckByBytes();
    }

    /**
     * @brief A packet arrives.
     * @param seq its number
     * @param bytes its frame
     * @param flags of it
     * @return true if an ACK is due, which is sent then
     */
    bool Arrive(uint64_t seq, uint32_t bytes = 4158, uint32_t flags = 0)
    {
        Ptr<FabricPacketItem> item = FabricPacketItem::Create(DATA);
        item->size = bytes;
        item->flags = flags;
        m_window.Arrive(seq);
        const bool due = m_byBytes.IsDue(*item, seq, m_window, 16384);
        if (due)
        {
            m_byBytes.OnAnswer();
        }
        return due;
    }

    /**
     * @brief Packets arrive in order.
     * @param first,last their numbers
     * @param bytes of each
     * @return numbers of those that are answered
     */
    std::string ArriveAll(uint64_t first, uint64_t last, uint32_t bytes = 4158)
    {
        std::string answered;
        for (uint64_t seq = first; seq <= last; ++seq)
        {
            answered += Arrive(seq, bytes) ? std::to_string(seq) + " " : "";
        }
        return answered;
    }

    void DoRun() override
    {
        Begin();
        NS_TEST_EXPECT_MSG_EQ(ArriveAll(0, 12), "0 4 8 12 ", "4 x 4158 = 16,632");
        Begin();
        NS_TEST_EXPECT_MSG_EQ(ArriveAll(0, 12, 4096), "0 4 8 12 ", "exactly");
        Begin();
        NS_TEST_EXPECT_MSG_EQ(ArriveAll(0, 12, 4095), "0 5 10 ", "four are 4 B short");
        Begin();
        NS_TEST_EXPECT_MSG_EQ(ArriveAll(0, 40, 562), "0 16 32 ", "each counts as 1024");
        Begin();
        NS_TEST_EXPECT_MSG_EQ(ArriveAll(0, 3, 20000), "0 1 2 3 ", "more than that in one");
        Begin(7);
        NS_TEST_EXPECT_MSG_EQ(ArriveAll(7, 12), "10 ", "a PDC that has come back");
        Begin();
        NS_TEST_EXPECT_MSG_EQ(Arrive(5), true, "the first one to come");
        NS_TEST_EXPECT_MSG_EQ(ArriveAll(0, 4), "3 ", "the others, whatever is missing");

        // 2 is missing when 3 asks: one more when 2 comes, and then as before
        const uint32_t asks = FabricPacketItem::FLAG_ACK_REQUEST;
        Begin();
        NS_TEST_EXPECT_MSG_EQ(ArriveAll(0, 1), "0 ", "the first one");
        NS_TEST_EXPECT_MSG_EQ(Arrive(3, 4158, asks), true, "asks");
        NS_TEST_EXPECT_MSG_EQ(Arrive(5), false, "4 is missing as well");
        NS_TEST_EXPECT_MSG_EQ(Arrive(2), false, "4 is missing still");
        NS_TEST_EXPECT_MSG_EQ(Arrive(4), true, "nothing is missing");
        NS_TEST_EXPECT_MSG_EQ(Arrive(7), false, "6 is missing");
        NS_TEST_EXPECT_MSG_EQ(Arrive(6), false, "but nobody has asked");
        NS_TEST_EXPECT_MSG_EQ(Arrive(8, 100, FabricPacketItem::FLAG_LAST), true, "a message ends");
        NS_TEST_EXPECT_MSG_EQ(Arrive(10), false, "9 is missing");
        NS_TEST_EXPECT_MSG_EQ(Arrive(9), false, "nothing was missing when it ended");

        // an ACK shows 64 packets: with 100 as the highest one from 37 on
        Begin();
        Arrive(0);
        Arrive(100);
        NS_TEST_EXPECT_MSG_EQ(Arrive(37), false, "will be shown");
        NS_TEST_EXPECT_MSG_EQ(Arrive(36), true, "will not");
        NS_TEST_EXPECT_MSG_EQ(Arrive(1), false, "in order");
    }

    ReceiveWindow m_window; //!< packets
    AckByBytes m_byBytes;   //!< under test
};

/**
 * @ingroup dcfabric-tests
 * @brief Senders and receivers in a network.
 */
class AckBytesNetworkTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief Send a message.
     * @param packets of it, all full
     * @param rule what becomes of packets at the switch
     * @param payload of a full packet
     * @param helper policies
     * @return numbers of the packets that are answered
     */
    std::string Run(uint64_t packets,
                    const std::function<bool(FabricPacketItem&)>& rule = nullptr,
                    uint32_t payload = 4096,
                    FabricHelper helper = FabricHelper())
    {
        helper.SetNicAttribute("AckBytes", UintegerValue(16384));
        helper.SetNicAttribute("PayloadBytes", UintegerValue(payload));
        TestNetwork network(MakeStar(2), helper);
        const Ptr<PacketTap> tap = AddTap(network, 2);
        if (rule)
        {
            tap->SetRule(rule);
        }
        network.MessagesOf(0).SendAt(0, 1, packets * payload, 1);
        Simulator::Run();
        std::string triggers;
        m_acks = 0;
        uint32_t covered = 0;
        for (const auto& ack : tap->Of(ACK))
        {
            triggers += std::to_string(ack.ack.triggerPsn) + " ";
            covered += ack.ack.coveredPackets;
            ++m_acks;
        }
        NS_TEST_EXPECT_MSG_EQ(covered,
                              network.Sum(&FabricNic::Counters::dataDelivered) +
                                  network.Sum(&FabricNic::Counters::dataDuplicate),
                              "each packet is answered once");
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 1, "the message");
        m_timeouts = network.Sum(&FabricNic::Counters::timeouts);
        return triggers;
    }

    void DoRun() override
    {
        // Packets of 4158 B, of which four are 16,632 B: the first one, each fourth, the last one,
        // which asks. The simulator uet-htsim has 4 and 26 as well, with 4160 B, and 124 for 490
        // packets of 4150 B: 1 and 122 (4, 8, ..., 488) and the last one.
        NS_TEST_EXPECT_MSG_EQ(Run(10), "0 4 8 9 ", "ten packets");
        Run(100);
        NS_TEST_EXPECT_MSG_EQ(m_acks, 26, "100 packets");
        Run(490, nullptr, 4088);
        NS_TEST_EXPECT_MSG_EQ(m_acks, 124, "490 packets");
        NS_TEST_EXPECT_MSG_EQ(Run(1), "0 ", "one packet");
        NS_TEST_EXPECT_MSG_EQ(Run(40, nullptr, 500), "0 16 32 39 ", "small ones count as 1024 B");

        const auto mark = [](FabricPacketItem& item) {
            if (item.type == DATA && item.psn == 2)
            {
                item.Mark();
            }
            return true;
        };
        NS_TEST_EXPECT_MSG_EQ(Run(10, mark), "0 4 8 9 ", "a marked one waits");
        FabricHelper atOnce;
        atOnce.SetNicAttribute("AckMarked", BooleanValue(true));
        NS_TEST_EXPECT_MSG_EQ(Run(10, mark, 4096, atOnce), "0 2 6 9 ", "or not");

        // 3 is lost. 5 is answered for 1, 2, 4 and itself. The ACK of 9 shows the loss, after 7.7
        // us, when the 20 packets have left within 6.7 us; 3 goes again and asks.
        NS_TEST_EXPECT_MSG_EQ(Run(20, LoseCopies(DATA, {{3, 1}})),
                              "0 5 9 13 17 19 3 ",
                              "a gap is no reason");
        NS_TEST_EXPECT_MSG_EQ(m_timeouts, 0, "no time-out");
        // the ACK of 1 is lost, so that 1 is sent again
        NS_TEST_EXPECT_MSG_EQ(Run(2, LoseCopies(ACK, {{2, 1}})), "0 1 1 ", "a duplicate");

        // windows of two packets: 1 asks, and after the ACK of 0 each one that follows
        FabricHelper two;
        two.SetCongestionControl(FixedCongestionControl::Name(), "Window", UintegerValue(8192));
        NS_TEST_EXPECT_MSG_EQ(Run(6, nullptr, 4096, two), "0 1 2 3 4 5 ", "a small window");
        NS_TEST_EXPECT_MSG_EQ(m_timeouts, 0, "no time-out");
        // A window that shrinks to one packet after the first ACK: those under way have not asked,
        // and the last ones are too few; one more leaves and asks.
        for (uint64_t packets = 2; packets < 40; ++packets)
        {
            FabricHelper shrinks;
            shrinks.SetCongestionControl(FixedCongestionControl::Name(),
                                         "WindowAfterAck",
                                         UintegerValue(1));
            Run(packets, nullptr, 4096, shrinks);
            NS_TEST_EXPECT_MSG_EQ(m_timeouts, 0, packets << " packets: no time-out");
        }
    }

    uint32_t m_acks{0};     //!< of the last run
    uint64_t m_timeouts{0}; //!< likewise
};

/// Acknowledgements by bytes.
const SuiteCases g_cases("dcfabric-pdc", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new AckByBytesTestCase("when an ACK by bytes is due"));
    suite.AddTestCase(new AckBytesNetworkTestCase("an ACK for 16 KiB, for marks, on request"));
});

} // namespace ns3::tests::ack_by_bytes_test
