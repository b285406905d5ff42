// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-receiver.h"
#include "fabric-test-suite.h"

#include "ns3/composed-congestion-control.h"
#include "ns3/swift-congestion-control.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <string>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief What senders do with credit, against sequences worked out by hand.
 *
 * The line has 100 Gb/s and the base RTT is 10 us: the bandwidth-delay product is 125,000 B. Full
 * packets have 1000 B of payload, in frames of 1062 B and 4 of the demand: 1066 B.
 */

namespace ns3::tests::credit_control_test
{

constexpr uint32_t FRAME = 1066; //!< bytes of a full packet

/**
 * @ingroup dcfabric-tests
 * @brief A sender without a network.
 */
class CreditTestCase : public NamedCase
{
  protected:
    using NamedCase::NamedCase;

    /**
     * @brief Begin with a new sender.
     * @param type its class
     */
    void Create(const std::string& type)
    {
        m_cc = nullptr; // goes before its PDC
        m_host = ManualHost();
        m_asker = ManualAsker();
        m_cc = ObjectFactory(type).Create<CreditCongestionControl>();
        m_cc->SetAsker(&m_asker);
        m_cc->Start(MakePath(), &m_host);
    }

    /// A full packet leaves. @return units it says to want in all
    uint32_t Send()
    {
        m_asker.inFlight += 1000;
        m_cc->TellSend(m_nowPs, FRAME);
        return m_cc->TellDemand();
    }

    /**
     * @brief Packets leave until there is no credit.
     * @return how many
     */
    uint32_t SendAll()
    {
        uint32_t packets = 0;
        for (; m_cc->GetWindow() > 0; ++packets)
        {
            Send();
        }
        return packets;
    }

    /// A packet is acknowledged.
    void Ack()
    {
        m_asker.inFlight -= 1000;
        m_cc->Acknowledge(MakePacketAck(m_nowPs, false, 0, 0));
    }

    /// A packet is lost.
    void Lose()
    {
        m_asker.inFlight -= 1000;
        m_cc->TellLoss(m_nowPs, 1000);
    }

    /**
     * @brief A grant comes.
     * @param total units
     * @param priority class
     */
    void Grant(uint32_t total, uint8_t priority = GrantFields::OWN_PRIORITY)
    {
        m_cc->TellNotice(*MakeGrant(total, priority), m_nowPs);
    }

    /**
     * @brief Let time go by.
     * @param untilPs up to then
     */
    void RunUntil(int64_t untilPs)
    {
        m_host.RunUntil(*m_cc, untilPs);
        m_nowPs = untilPs;
    }

    int64_t m_nowPs{0};                //!< time
    ManualHost m_host;                 //!< timers
    ManualAsker m_asker;               //!< the PDC
    Ptr<CreditCongestionControl> m_cc; //!< under test
};

/**
 * @ingroup dcfabric-tests
 * @brief RCCC's sender.
 */
class RcccSenderTestCase : public CreditTestCase
{
    using CreditTestCase::CreditTestCase;

    /// Speculative credit is 1.5 x 125,000 = 187,500 B: 175 packets are 186,550 B, so that the
    /// 176th still goes and 187,616 B are spent, 116 too many.
    void CheckFirst()
    {
        Create("ns3::RcccCongestionControl");
        m_cc->AddBacklog(0, 1000000);
        NS_TEST_EXPECT_MSG_EQ(m_asker.demands, 1, "it has something to send");
        NS_TEST_EXPECT_MSG_EQ((m_cc->GetWindow() == CongestionControl::UNLIMITED), true, "open");
        NS_TEST_EXPECT_MSG_EQ(SendAll(), 176, "packets");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetCredit(), -116, "below zero by less than a packet");
        NS_TEST_EXPECT_MSG_EQ(m_asker.asks, 0, "its packets have told");
    }

    /// While the first window lasts a packet is wanted, 1066 B or 5 units; when it is used up, a
    /// window and what is owed: 187,616 B, 732.9 units.
    void CheckDemand()
    {
        Create("ns3::RcccCongestionControl");
        m_cc->AddBacklog(0, 1000000);
        NS_TEST_EXPECT_MSG_EQ(Send(), 5, "a packet");
        for (uint32_t i = 1; i < 175; ++i)
        {
            Send();
        }
        NS_TEST_EXPECT_MSG_EQ(Send(), 733, "a window and 116 B");
        // a host that sends to 20 wants a twentieth from each: 9375 + 116 B, 37.1 units
        m_asker.demands = 20;
        NS_TEST_EXPECT_MSG_EQ(m_cc->TellDemand(), 38, "its part of the window");
        // never less than a packet: 187,500 / 1000 is less than 1066; 1066 + 116 B are 4.6 units
        m_asker.demands = 1000;
        NS_TEST_EXPECT_MSG_EQ(m_cc->TellDemand(), 5, "a packet");
        m_asker.demands = 1;
        // the window of another control: 10 packets and one more, 11 x 1066 + 116 B, 46.3 units
        NS_TEST_EXPECT_MSG_EQ(m_cc->TellDemand(10000), 47, "no more than another window allows");
    }

    /// A message of 3000 B: nothing is left that would want credit.
    void CheckShort()
    {
        Create("ns3::RcccCongestionControl");
        m_cc->AddBacklog(0, 3000);
        NS_TEST_EXPECT_MSG_EQ(Send(), 5, "a packet is wanted while something waits");
        Send();
        NS_TEST_EXPECT_MSG_EQ(Send(), 0, "nothing waits");
        NS_TEST_EXPECT_MSG_EQ(m_asker.demands, 0, "likewise");
        Ack();
        Ack();
        Ack();
        RunUntil(1000 * US);
        NS_TEST_EXPECT_MSG_EQ(m_asker.asks, 0, "nobody asks");
    }

    /// The first answer ends the first window. Then 4 units are 1024 B, for one packet each.
    void CheckAnswers()
    {
        Create("ns3::RcccCongestionControl");
        m_cc->AddBacklog(0, 1000000);
        Send();
        Send();
        m_nowPs = 10 * US;
        Ack();
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetWindow(), 0, "what was left is void");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetCredit(), 0, "likewise");
        Grant(4);
        NS_TEST_EXPECT_MSG_EQ(SendAll(), 1, "1024 B");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetCredit(), -42, "owed");
        Grant(4);
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetCredit(), -42, "a copy");
        Grant(12);
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetCredit(), 2006, "that of 8 was lost, and is made good");
        Grant(8);
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetCredit(), 2006, "here it comes, too late");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetGranted(), 12, "in all");
        // a grant ends the first window as well, if it comes before any ACK
        Create("ns3::RcccCongestionControl");
        m_cc->AddBacklog(0, 1000000);
        Send();
        Grant(4);
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetCredit(), 1024, "what was granted");
        // and so does a trim
        Create("ns3::RcccCongestionControl");
        m_cc->AddBacklog(0, 1000000);
        Send();
        TrimInfo trim;
        trim.lostBytes = 1000;
        m_asker.inFlight = 0;
        m_cc->TellTrim(trim);
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetCredit(), 0, "void");
        NS_TEST_EXPECT_MSG_EQ(m_asker.asks, 0, "the receiver knows");
    }

    /// Totals of 32 bits.
    void CheckWrap()
    {
        Create("ns3::RcccCongestionControl");
        m_cc->AddBacklog(0, 1000000);
        for (uint32_t total : {0x70000000U, 0xe0000000U, 0xfffffffeU})
        {
            Grant(total);
        }
        const int64_t before = m_cc->GetCredit();
        Grant(0xfffffffdU);
        Grant(3);
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetCredit() - before, 5 * 256, "five units over the wrap");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetGranted(), (uint64_t{1} << 32) + 3, "in all");
        NS_TEST_EXPECT_MSG_EQ((Send() & 0xffffff), 3, "as packets tell it: nothing beyond");
    }

    /// Without news a demand leaves after a base RTT, then after 2, 4, ..., 64 of them.
    void CheckAsks()
    {
        Create("ns3::RcccCongestionControl");
        m_cc->AddBacklog(0, 1000000);
        SendAll();
        int64_t askPs = 0;
        for (const int64_t rtts : {1, 2, 4, 8, 16, 32, 64, 64})
        {
            askPs += rtts * 10 * US;
            const uint32_t before = m_asker.asks;
            RunUntil(askPs - 1);
            NS_TEST_EXPECT_MSG_EQ(m_asker.asks, before, rtts << " base RTTs are not over");
            RunUntil(askPs);
            NS_TEST_EXPECT_MSG_EQ(m_asker.asks, before + 1, rtts << " base RTTs are over");
        }
    }

    /// Who has waited 25 us for a grant asks no sooner than 100 us after the next packet, then
    /// after 200 us more. At once a wait of 300 us counts; the wait of 1 us behind it takes an
    /// eighth of the difference off: 262.625 us.
    void CheckTurns()
    {
        Create("ns3::RcccCongestionControl");
        m_cc->AddBacklog(0, 1000000);
        SendAll();
        RunUntil(25 * US);
        NS_TEST_EXPECT_MSG_EQ(m_asker.asks, 1, "after a base RTT");
        m_cc->TellSend(10 * US, 66); // the demand without payload is no news
        Grant(1);                    // 256 - 116 - 66 B
        Send();
        RunUntil(125 * US - 1);
        NS_TEST_EXPECT_MSG_EQ(m_asker.asks, 1, "four times as long");
        RunUntil(125 * US);
        NS_TEST_EXPECT_MSG_EQ(m_asker.asks, 2, "no longer");
        RunUntil(325 * US);
        NS_TEST_EXPECT_MSG_EQ(m_asker.asks, 3, "twice as long");
        Grant(100);
        SendAll();
        m_nowPs += US;
        Grant(200);
        SendAll();
        const int64_t askPs = m_nowPs + 4 * int64_t{262625000};
        RunUntil(askPs - 1);
        NS_TEST_EXPECT_MSG_EQ(m_asker.asks, 3, "not yet");
        RunUntil(askPs);
        NS_TEST_EXPECT_MSG_EQ(m_asker.asks, 4, "then");
        // a wait of 100 ms counts as 256 base RTTs: 4 x 2.56 ms
        m_nowPs += 100000 * US;
        Grant(300);
        SendAll();
        const uint32_t before = m_asker.asks;
        const int64_t longestPs = m_nowPs + 4 * 2560 * US;
        RunUntil(longestPs - 1);
        NS_TEST_EXPECT_MSG_EQ(m_asker.asks, before, "not yet");
        RunUntil(longestPs);
        NS_TEST_EXPECT_MSG_EQ(m_asker.asks, before + 1, "no longer than that");
    }

    /// Who has used up all that was granted, and told that nothing waits, asks at once when
    /// something does, but once in a base RTT; then by the timer.
    void CheckAtOnce()
    {
        Create("ns3::RcccCongestionControl");
        m_cc->AddBacklog(0, 2000);
        Send();
        Send();
        m_nowPs = 10 * US;
        Ack();
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetWindow(), 0, "no credit");
        m_nowPs = 50 * US;
        m_cc->AddBacklog(m_nowPs, 5000);
        NS_TEST_EXPECT_MSG_EQ(m_asker.asks, 1, "at once");
        m_cc->AddBacklog(m_nowPs, 5000);
        m_nowPs = 55 * US;
        Lose();
        NS_TEST_EXPECT_MSG_EQ(m_asker.asks, 1, "once in a base RTT");
        RunUntil(60 * US);
        NS_TEST_EXPECT_MSG_EQ(m_asker.asks, 2, "the demand may be lost");
        Grant(100); // 25,600 B for 11 packets
        NS_TEST_EXPECT_MSG_EQ(m_asker.demands, 1, "something waits");
        for (uint32_t i = 0; i < 11; ++i)
        {
            Send();
        }
        NS_TEST_EXPECT_MSG_EQ(m_asker.demands, 0, "nothing waits");
        RunUntil(1000 * US);
        NS_TEST_EXPECT_MSG_EQ(m_asker.asks, 2, "nobody asks");
    }

    /// After a time-out all waits again; the receiver was told of it, perhaps in vain.
    void CheckTimeout()
    {
        Create("ns3::RcccCongestionControl");
        m_cc->AddBacklog(0, 176000);
        SendAll();
        NS_TEST_EXPECT_MSG_EQ(m_asker.demands, 0, "all is sent");
        RunUntil(250 * US);
        NS_TEST_EXPECT_MSG_EQ(m_asker.asks, 0, "nothing waits");
        m_asker.inFlight = 0;
        m_cc->TellTimeout(m_nowPs);
        NS_TEST_EXPECT_MSG_EQ(m_asker.asks, 1, "at once");
        // 176 x 1066 = 187,616 B are more than a window: 187,500 + 116 B, 732.9 units
        NS_TEST_EXPECT_MSG_EQ(m_cc->TellDemand(), 733, "a window again");
        m_cc->Dispose();
        NS_TEST_EXPECT_MSG_EQ(m_asker.demands, 0, "a PDC that goes wants nothing");
    }

    void DoRun() override
    {
        CheckFirst();
        CheckDemand();
        CheckShort();
        CheckAnswers();
        CheckWrap();
        m_nowPs = 0;
        CheckAsks();
        m_nowPs = 0;
        CheckTurns();
        m_nowPs = 0;
        CheckAtOnce();
        m_nowPs = 0;
        CheckTimeout();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief NDP's and Homa's senders.
 */
class OtherSendersTestCase : public CreditTestCase
{
    using CreditTestCase::CreditTestCase;

    /// A window of 125,000 B is 118 packets: 117 are 124,722 B. It does not end, and all that waits
    /// is wanted: 882 packets, and 788 B that are owed, 941,000 B: 3675.8 units.
    void CheckNdp()
    {
        Create("ns3::NdpCongestionControl");
        m_cc->AddBacklog(0, 1000000);
        Send();
        Ack();
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetCredit(), 125000 - 1066, "an answer ends nothing");
        NS_TEST_EXPECT_MSG_EQ(SendAll(), 117, "the rest of the window");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetCredit(), 125000 - 118 * 1066, "-788");
        NS_TEST_EXPECT_MSG_EQ(m_cc->TellDemand(), (882 * 1066 + 788 + 255) / 256, "all that waits");
    }

    /**
     * @brief Look at a class.
     * @param offset of the packet
     * @param bytes of its message
     * @param flags of the packet
     * @return class that it takes
     */
    uint32_t ClassOf(uint64_t offset, uint64_t bytes, uint32_t flags = 0)
    {
        auto item = FabricPacketItem::Create(FabricPacketType::DATA);
        item->ds = FabricPacketItem::MakeDs(3, 0);
        item->flags = flags;
        item->data.offset = offset;
        item->data.messageBytes = bytes;
        return m_cc->ChooseClass(*item);
    }

    /// Each message brings 125,000 B with it, or its frames if they are less.
    void CheckHoma()
    {
        Create("ns3::HomaCongestionControl");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetWindow(), 0, "without a message nothing");
        m_cc->AddBacklog(0, 1500);
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetCredit(), 1500 + 2 * 66, "two frames");
        m_cc->AddBacklog(0, 1000000);
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetCredit(), 1632 + 125000, "no more");
        NS_TEST_EXPECT_MSG_EQ(m_asker.asks, 0, "nobody asks");
        const uint32_t again = FabricPacketItem::FLAG_RETRANSMISSION;
        NS_TEST_EXPECT_MSG_EQ(ClassOf(0, 10000), 4, "a short message");
        NS_TEST_EXPECT_MSG_EQ(ClassOf(0, 10001), 3, "a longer one");
        NS_TEST_EXPECT_MSG_EQ(ClassOf(0, 10001, again), 3, "again, before any grant");
        Grant(16, 2);
        NS_TEST_EXPECT_MSG_EQ(ClassOf(0, 10001, again), 2, "again, as was granted");
        NS_TEST_EXPECT_MSG_EQ(ClassOf(124000, 1000000), 3, "still unscheduled");
        NS_TEST_EXPECT_MSG_EQ(ClassOf(125000, 1000000), 2, "granted");
        Grant(32, 0);
        NS_TEST_EXPECT_MSG_EQ(ClassOf(125000, 1000000), 0, "by the last grant");
        PathInfo path = MakePath();
        path.lossless = true;
        m_cc->Start(path, &m_host);
        NS_TEST_EXPECT_MSG_EQ(ClassOf(0, 100), 3, "its own under flow control");
    }

    void DoRun() override
    {
        CheckNdp();
        CheckHoma();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Two congestion controls for one PDC.
 */
class ComposedTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        ManualHost host;
        ManualAsker asker;
        const auto cc =
            ObjectFactory("ns3::SwiftRcccCongestionControl").Create<ComposedCongestionControl>();
        NS_TEST_EXPECT_MSG_EQ(cc->GetNeeds().endpointDelay, true, "what Swift needs");
        NS_TEST_EXPECT_MSG_EQ(cc->GetNeeds().receiver, "ns3::RcccReceiverControl", "and RCCC");
        cc->SetAsker(&asker);
        cc->Start(MakePath(), &host);
        const Ptr<CongestionControl> swift = cc->GetSenderControl();
        const uint64_t window = swift->GetWindow();
        NS_TEST_EXPECT_MSG_EQ(window, 125000, "Swift begins with a bandwidth-delay product");
        NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), window, "which is less than no limit");
        cc->AddBacklog(0, 1000000);
        asker.inFlight = 1000;
        cc->TellSend(0, FRAME);
        // 125 packets and one more are 134,316 B, less than what is left of the first window
        NS_TEST_EXPECT_MSG_EQ(cc->TellDemand(), 5, "a packet");
        AckInfo ack = MakePacketAck(10 * US, false, 1000, 1000, 10 * US);
        asker.inFlight = 0;
        cc->Acknowledge(ack);
        NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), 0, "no credit");
        // 126 x 1066 = 134,316 B are 524.7 units
        NS_TEST_EXPECT_MSG_EQ(cc->TellDemand(), 525, "what Swift's window allows, and a packet");
        cc->TellNotice(*MakeGrant(4), 10 * US);
        NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), swift->GetWindow(), "Swift's again");
        host.RunUntil(*cc, 500 * US - 1);
        // a delay far above the target: Swift cuts, whose cut it is
        ack = MakePacketAck(500 * US, false, 2000, 2000, 400 * US);
        cc->Acknowledge(ack);
        NS_TEST_EXPECT_MSG_LT(swift->GetWindow(), window, "a cut");
        NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), swift->GetWindow(), "holds");
        NS_TEST_EXPECT_MSG_EQ(cc->GetReductions(), 1, "and counts once");
        cc->TellSend(500 * US, FRAME);
        NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), 0, "the credit is used up");
        NS_TEST_EXPECT_MSG_EQ(host.GetTimer(3), 510 * US, "its timer is the last one");
        NS_TEST_EXPECT_MSG_EQ(cc->GetReductions(), 1, "which is no reduction");
        host.RunUntil(*cc, 510 * US);
        NS_TEST_EXPECT_MSG_EQ(asker.asks, 1, "it asks");
        cc->Dispose();
        NS_TEST_EXPECT_MSG_EQ(asker.demands, 0, "it is gone");
    }
};

const SuiteCases g_cases("dcfabric-receiver-control", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new RcccSenderTestCase("RCCC: sender"));
    suite.AddTestCase(new OtherSendersTestCase("NDP and Homa: senders"));
    suite.AddTestCase(new ComposedTestCase("Swift and RCCC together"));
});

} // namespace ns3::tests::credit_control_test
