// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"

#include "ns3/bts-packet.h"
#include "ns3/packet-sequence.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief What a notification back to the sender does to its packets, worked out by hand.
 *
 * Links have 100 Gb/s and 1 us; a full packet takes F = 86,560 ps, an ACK A = 9,440 ps on the wire,
 * a notification without signals (66 B and a gap of 20) B = 6,880 ps. Host 0 sends from time 0.
 * Packet k is at the switch at (k + 1) F + 1 us, and what the switch says of it at the sender 1 us
 * and B later.
 */

namespace ns3::tests::bts_transport_test
{

using namespace by_hand;

constexpr int64_t B = 6880;                           //!< ps of a notification
constexpr uint32_t LAST = PacketSequence::MASK;       //!< the number before 0
const char* const SELECTIVE = "ns3::SelectiveRepeat"; //!< short name
const char* const GO_BACK = "ns3::GoBackN";           //!< short name

/**
 * @param k number of the packet, all sent back to back
 * @return when the sender knows of a drop
 */
constexpr int64_t
ToldPs(int64_t k)
{
    return (k + 1) * F + US + B + US;
}

/// Notices that NotingCongestionControl has got; items are not valid.
std::vector<BtsNotice> g_notices;

/**
 * @ingroup dcfabric-tests
 * @brief No control; notes what it is told.
 */
class NotingCongestionControl : public CongestionControl
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::tests::NotingCongestionControl")
                                .SetParent<CongestionControl>()
                                .SetGroupName("Dcfabric")
                                .AddConstructor<NotingCongestionControl>();
        return tid;
    }

    void OnBts(const BtsNotice& notice) override
    {
        g_notices.push_back(notice);
    }

  protected:
    void DoStart() override
    {
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief One message of ten packets through a switch that drops and tells.
 */
class DropTimesTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// A run and what should come of it.
    struct Run
    {
        std::string reliability;                         //!< TypeId name
        uint32_t initialPsn;                             //!< of packet 0
        std::vector<std::pair<uint32_t, uint32_t>> lost; //!< numbers and copies
        std::vector<std::pair<uint32_t, int64_t>> late;  //!< notices that come so much later, in ps
        std::string data;                                //!< that the switch should see
        uint32_t psn;                                    //!< whose last copy
        int64_t sentPs;                                  //!< is sent then
        int64_t endPs;                                   //!< all is acknowledged
    };

    /**
     * @brief Run it.
     * @param run what
     */
    void Expect(const Run& run)
    {
        FabricHelper helper;
        helper.SetReliability(run.reliability);
        helper.SetNicAttribute("InitialPsn", UintegerValue(run.initialPsn));
        TestNetwork network(MakeStar(2), helper);
        const Ptr<PacketTap> tap = AddTap(network, 2);
        PacketTap& t = *tap;
        LoseCopies lose(DATA, run.lost);
        tap->SetRule([&](FabricPacketItem& item) {
            const bool goes = lose(item);
            if (!goes)
            {
                int64_t atPs = network.fabric->GetSwitch(2)->GetNowPs();
                for (const auto& [psn, latePs] : run.late)
                {
                    atPs += psn == item.psn ? latePs : 0;
                }
                SendNotice(t, item.psn, item.data.sourcePdc, atPs, NoticeOfDrop());
            }
            return goes;
        });
        network.MessagesOf(0).SendAt(0, 1, 10000, 1);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(tap->Psns(DATA), run.data, run.reliability);
        int64_t lastPs = 0;
        for (const auto& packet : tap->Of(DATA))
        {
            lastPs = packet.psn == run.psn ? packet.sendTimePs : lastPs;
        }
        NS_TEST_EXPECT_MSG_EQ(lastPs, run.sentPs, run.reliability << ": " << run.data);
        NS_TEST_EXPECT_MSG_EQ(TestNetwork::Find(network.completed, 1).nowPs,
                              run.endPs,
                              run.reliability << ": " << run.data);
        NS_TEST_EXPECT_MSG_EQ(network.delivered.size(), 1, "delivered once");
        NS_TEST_EXPECT_MSG_EQ(network.Nic(0).GetCounters().btsReceived, run.lost.size(), "told");
        NS_TEST_EXPECT_MSG_EQ(network.Nic(0).GetCounters().timeouts, 0, "no time-out");
        const auto packets =
            static_cast<uint64_t>(std::count(run.data.begin(), run.data.end(), ' ')) + 1;
        NS_TEST_EXPECT_MSG_EQ(network.Nic(0).GetCounters().retransmitted, packets - 10, "again");
        NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, "conservation");
    }

    void DoRun() override
    {
        static_assert(ToldPs(3) == 2353120 && ToldPs(9) < RTT, "before the first ACK");
        // the SACKs of 4 to 9 that come later do not send 3 once more
        Expect(
            {SELECTIVE, 0, {{3, 1}}, {}, "0 1 2 3! 4 5 6 7 8 9 3", 3, ToldPs(3), ToldPs(3) + RTT});
        Expect(
            {SELECTIVE, 0, {{0, 1}}, {}, "0! 1 2 3 4 5 6 7 8 9 0", 0, ToldPs(0), ToldPs(0) + RTT});
        // nothing comes behind the last one: without notice only a time-out would tell
        Expect(
            {SELECTIVE, 0, {{9, 1}}, {}, "0 1 2 3 4 5 6 7 8 9! 9", 9, ToldPs(9), ToldPs(9) + RTT});
        // the copy is dropped as well: it is at the switch F + 1 us after it was sent
        Expect({SELECTIVE,
                0,
                {{3, 1}, {3, 2}},
                {},
                "0 1 2 3! 4 5 6 7 8 9 3! 3",
                3,
                ToldPs(3) + F + US + B + US,
                ToldPs(3) + F + US + B + US + RTT});
        // in a row, on both sides of the wrap: the second copies go back to back
        Expect({SELECTIVE,
                LAST - 2,
                {{LAST, 1}, {0, 1}},
                {},
                "16777213 16777214 16777215! 0! 1 2 3 4 5 6 16777215 0",
                0,
                ToldPs(3),
                ToldPs(3) + RTT});

        // go-back-N: 3 to 9 go again; the NACK of 4 is back when all of them are on their way, at
        // 6 F + 2 A + 4 us = 4,538,240 ps, and does not send them once more
        const int64_t nackPs = 6 * F + 2 * A + 4 * US;
        NS_TEST_EXPECT_MSG_GT(nackPs, ToldPs(3) + 7 * F, "all on their way");
        Expect({GO_BACK,
                0,
                {{3, 1}},
                {},
                "0 1 2 3! 4 5 6 7 8 9 3 4 5 6 7 8 9",
                3,
                ToldPs(3),
                ToldPs(3) + 6 * F + RTT});
        Expect({GO_BACK, 0, {{9, 1}}, {}, "0 1 2 3 4 5 6 7 8 9! 9", 9, ToldPs(9), ToldPs(9) + RTT});
        Expect({GO_BACK,
                LAST - 2,
                {{LAST, 1}},
                {},
                "16777213 16777214 16777215! 0 1 2 3 4 5 6 16777215 0 1 2 3 4 5 6",
                LAST,
                ToldPs(2),
                ToldPs(2) + 7 * F + RTT});
        // 3 and 4; the notice of 4 comes 1 ns late, when 4 has just begun for the second time: it
        // is of the copy that was given up with 3
        Expect({GO_BACK,
                0,
                {{3, 1}, {4, 1}},
                {{4, 1000}},
                "0 1 2 3! 4! 5 6 7 8 9 3 4 5 6 7 8 9",
                4,
                ToldPs(3) + F,
                ToldPs(3) + 6 * F + RTT});
        // the copy is dropped as well: 4 comes again, for which there is a second NACK
        const int64_t againPs = ToldPs(3) + F + US + B + US;
        Expect({GO_BACK,
                0,
                {{3, 1}, {3, 2}},
                {},
                "0 1 2 3! 4 5 6 7 8 9 3! 4 5 6 7 8 9 3 4 5 6 7 8 9",
                3,
                againPs,
                againPs + 6 * F + RTT});
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Notices of what is not there, that come late or twice, and early ones.
 */
class HarmlessNoticeTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// A notice that is sent by hand.
    struct Sent
    {
        uint32_t psn;      //!< about
        uint32_t pdc;      //!< of
        int64_t atPs;      //!< when
        BtsFields content; //!< what
    };

    /**
     * @brief Ten packets, and notices.
     * @param reliability TypeId name
     * @param sent notices
     * @param data that the switch should see
     * @param what case
     */
    void Expect(const std::string& reliability,
                const std::vector<Sent>& sent,
                const std::string& data,
                const std::string& what)
    {
        g_notices.clear();
        FabricHelper helper;
        helper.SetReliability(reliability);
        helper.SetCongestionControl(NotingCongestionControl::GetTypeId().GetName());
        TestNetwork network(MakeStar(2), helper);
        const Ptr<PacketTap> tap = AddTap(network, 2);
        bool first = true;
        tap->SetRule([&](FabricPacketItem&) {
            for (const Sent& s : first ? sent : std::vector<Sent>())
            {
                SendNotice(*tap, s.psn, s.pdc, s.atPs, s.content);
            }
            first = false;
            return true;
        });
        network.MessagesOf(0).SendAt(0, 1, 10000, 1);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(tap->Psns(DATA), data, reliability << ": " << what);
        NS_TEST_EXPECT_MSG_EQ(network.delivered.size(), 1, reliability << ": " << what);
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 1, reliability << ": " << what);
        NS_TEST_EXPECT_MSG_EQ(network.Nic(0).GetCounters().btsReceived, sent.size(), what);
        NS_TEST_EXPECT_MSG_EQ(network.Nic(0).GetCounters().timeouts, 0, what);
        NS_TEST_EXPECT_MSG_EQ(network.Nic(1).GetCounters().dataDelivered, 10, what);
        NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, what);
    }

    /**
     * @brief What the congestion control should have been told.
     * @param n notices
     * @param lost bytes of all of them
     * @param what case
     */
    void ExpectNotices(std::size_t n, uint64_t lost, const std::string& what)
    {
        uint64_t sum = 0;
        for (const BtsNotice& notice : g_notices)
        {
            sum += notice.lostBytes;
            NS_TEST_EXPECT_MSG_EQ(notice.sentBytes, 10000, what << ": all sent once");
        }
        NS_TEST_EXPECT_MSG_EQ(g_notices.size(), n, what);
        NS_TEST_EXPECT_MSG_EQ(sum, lost, what << ": bytes to be sent again");
    }

    void DoRun() override
    {
        const std::string once = "0 1 2 3 4 5 6 7 8 9";
        const auto drop = NoticeOfDrop();
        for (const std::string reliability : {SELECTIVE, GO_BACK})
        {
            const int64_t onWay = 3 * US; // all are on their way, none is acknowledged
            Expect(reliability, {{10, 0, onWay, drop}, {500, 0, onWay, drop}}, once, "never sent");
            ExpectNotices(0, 0, "never sent");
            Expect(reliability, {{LAST, 0, onWay, drop}}, once, "before the first one");
            ExpectNotices(0, 0, "before the first one");
            Expect(reliability, {{3, 1, onWay, drop}, {3, LAST, onWay, drop}}, once, "no such PDC");
            ExpectNotices(0, 0, "no such PDC");
            // the ACK of 2 is at the sender at 2 F + RTT = 4,365,120 ps, that of 3 F later
            Expect(reliability,
                   {{2, 0, 2 * F + RTT - B - US, drop}},
                   once,
                   "acknowledged just now");
            ExpectNotices(1, 0, "acknowledged just now");
            // a PDC retires with its message; the notice comes when it is gone
            Expect(reliability, {{3, 0, 900 * US, drop}}, once, "gone");
            ExpectNotices(0, 0, "gone");
        }

        // A notice that is wrong or comes twice costs copies, no more. 3 is sent again when the
        // first is in, at 4 us + B; of the second, 1 ns later, nobody can say of which copy it is.
        Expect(SELECTIVE, {{3, 0, 3 * US, drop}}, once + " 3", "wrong");
        ExpectNotices(1, 1000, "wrong");
        Expect(SELECTIVE,
               {{3, 0, 3 * US, drop}, {3, 0, 3 * US + 1000, drop}},
               once + " 3 3",
               "twice");
        ExpectNotices(2, 2000, "twice");
        Expect(GO_BACK, {{7, 0, 3 * US, drop}}, once + " 7 8 9", "wrong");
        ExpectNotices(1, 3000, "wrong");
        Expect(GO_BACK,
               {{7, 0, 3 * US, drop}, {7, 0, 3 * US + 1000, drop}},
               once + " 7 7 8 9",
               "twice");
        ExpectNotices(2, 4000, "twice");

        // early ones send nothing again; a mark before says that it is not the first
        for (const std::string reliability : {SELECTIVE, GO_BACK})
        {
            std::vector<Sent> early;
            for (uint32_t bits = 0; bits < 4; ++bits)
            {
                BtsFields fields{};
                fields.marked = bits & 1;
                fields.inverted = bits >> 1;
                early.push_back({bits, 0, 3 * US + bits * 1000000 / 100, fields});
            }
            Expect(reliability, early, once, "early");
            ExpectNotices(4, 0, "early");
            for (uint32_t bits = 0; bits < 4 && g_notices.size() == 4; ++bits)
            {
                const bool repeated = bits == 1 || bits == 2; // marked, or inverted and not marked
                NS_TEST_EXPECT_MSG_EQ(g_notices[bits].dropped, false, "early");
                NS_TEST_EXPECT_MSG_EQ(g_notices[bits].repeated, repeated, "bits " << bits);
            }
        }
    }
};

/// Notifications and packets.
const SuiteCases g_cases("dcfabric-bts", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new DropTimesTestCase("a drop is sent again as soon as it is told"));
    suite.AddTestCase(new HarmlessNoticeTestCase(
        "notices of packets never sent, acknowledged, of PDCs gone; late, twice; early"));
});

} // namespace ns3::tests::bts_transport_test
