// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-control.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"

#include "ns3/boolean.h"
#include "ns3/test.h"

#include <cstdint>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Lost and repeated packets: time-outs, go-back-N and wrapping sequence numbers, worked out
 * by hand.
 *
 * Links have 100 Gb/s and 1 us; a full packet takes F = 86,560 ps, an ACK A = 9,440 ps on the wire.
 * The time-out T is 4.096 us x 2^10.
 */

namespace ns3::tests::reliability_test
{

using namespace by_hand;

constexpr int64_t T = 4194304000;                     //!< time-out in ps
const char* const SELECTIVE = "ns3::SelectiveRepeat"; //!< short name
const char* const GO_BACK = "ns3::GoBackN";           //!< short name

/**
 * @param reliability TypeId name
 * @return default policies and a reliability
 */
FabricHelper
WithReliability(const std::string& reliability)
{
    FabricHelper helper;
    helper.SetReliability(reliability);
    helper.SetNicAttribute("AckTimeout", TimeValue(NanoSeconds(T / 1000)));
    return helper;
}

/**
 * @param tap who saw them
 * @param psn of the packets
 * @return when packets left the sender
 */
std::vector<int64_t>
SendTimes(const PacketTap& tap, uint32_t psn)
{
    std::vector<int64_t> times;
    for (const auto& packet : tap.Of(DATA))
    {
        if (packet.psn == psn)
        {
            times.push_back(packet.sendTimePs);
        }
    }
    return times;
}

/**
 * @ingroup dcfabric-tests
 * @brief The time-out doubles each time in a row and begins anew with the next progress.
 */
class BackOffTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        for (const std::string reliability : {SELECTIVE, GO_BACK})
        {
            FabricHelper helper = WithReliability(reliability);
            helper.SetNicAttribute("PdcPerMessage", BooleanValue(false));
            TestNetwork network(MakeStar(2), helper);
            const Ptr<PacketTap> tap = AddTap(network, 2);
            // message 1 is packet 0, lost three times; message 2 is packet 1, lost once
            LoseCopies lose(DATA, {{0, 1}, {0, 2}, {0, 3}, {1, 1}});
            tap->SetRule(lose);
            network.MessagesOf(0).SendAt(0, 1, 1000, 1);
            const int64_t secondPs = 7 * T + 100 * US;
            network.MessagesOf(0).SendAt(secondPs, 1, 1000, 2);
            Simulator::Run();
            // 0, then T, 2 T and 4 T later
            const auto first = SendTimes(*tap, 0);
            NS_TEST_ASSERT_MSG_EQ(first.size(), 4, reliability);
            NS_TEST_EXPECT_MSG_EQ(first[1], T, reliability << ": first time-out");
            NS_TEST_EXPECT_MSG_EQ(first[2], 3 * T, reliability << ": twice as long");
            NS_TEST_EXPECT_MSG_EQ(first[3], 7 * T, reliability << ": four times as long");
            NS_TEST_EXPECT_MSG_EQ(TestNetwork::Find(network.completed, 1).nowPs,
                                  7 * T + RTT,
                                  reliability << ": fourth copy");
            // the time-out of 8 T that was armed does not hold message 2 up
            const auto second = SendTimes(*tap, 1);
            NS_TEST_ASSERT_MSG_EQ(second.size(), 2, reliability);
            NS_TEST_EXPECT_MSG_EQ(second[1], secondPs + T, reliability << ": T again");
            NS_TEST_EXPECT_MSG_EQ(network.Nic(0).GetCounters().timeouts, 4, reliability);
            NS_TEST_EXPECT_MSG_EQ(network.Nic(0).GetCounters().retransmitted, 4, reliability);
            NS_TEST_EXPECT_MSG_EQ(network.delivered.size(), 2, reliability << ": once each");
            // an idle end: nothing happens after the last void entry
            const int64_t endNs = Simulator::Now().GetNanoSeconds();
            NS_TEST_EXPECT_MSG_EQ((endNs <= (15 * T + RTT) / 1000 + 1),
                                  true,
                                  reliability << ": the simulation ends");
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The back-off ends at 16 times the time-out: it is for queues, not for losses.
 */
class BackOffLimitTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        FabricHelper helper;
        helper.SetNicAttribute("AckTimeout", TimeValue(MicroSeconds(10)));
        TestNetwork network(MakeStar(2), helper);
        const Ptr<PacketTap> tap = AddTap(network, 2);
        uint32_t copies = 0;
        tap->SetRule([&](FabricPacketItem& item) { return item.type != DATA || ++copies > 13; });
        network.MessagesOf(0).SendAt(0, 1, 1, 1);
        Simulator::Run();
        const auto times = SendTimes(*tap, 0);
        NS_TEST_ASSERT_MSG_EQ(times.size(), 14, "13 lost");
        for (std::size_t i = 1; i < times.size(); ++i)
        {
            const int64_t factor = int64_t{1} << std::min<std::size_t>(i - 1, 4);
            NS_TEST_EXPECT_MSG_EQ(times[i] - times[i - 1], factor * 10 * US, "time-out " << i);
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Go-back-N: one NACK for each gap; the sender goes back to it.
 */
class GoBackTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief Send 10 packets in one message.
     * @param rule what is lost
     * @param data what the switch should see
     * @param nacks NACKs it should see
     * @param endPs when the sender should be done
     */
    void Expect(const PacketTap::Rule& rule,
                const std::string& data,
                const std::string& nacks,
                int64_t endPs)
    {
        TestNetwork network(MakeStar(2), WithReliability(GO_BACK));
        const Ptr<PacketTap> tap = AddTap(network, 2);
        tap->SetRule(rule);
        network.MessagesOf(0).SendAt(0, 1, 10000, 1);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(tap->Psns(DATA), data, "packets");
        NS_TEST_EXPECT_MSG_EQ(tap->Psns(NACK), nacks, "NACKs");
        NS_TEST_EXPECT_MSG_EQ(network.delivered.size(), 1, "delivered once");
        NS_TEST_EXPECT_MSG_EQ(TestNetwork::Find(network.completed, 1).nowPs, endPs, "end");
        NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, "conservation");
        const auto packets = static_cast<uint64_t>(std::count(data.begin(), data.end(), ' ')) + 1;
        NS_TEST_EXPECT_MSG_EQ(network.Nic(0).GetCounters().retransmitted, packets - 10, "again");
    }

    void DoRun() override
    {
        // 4 comes to 3's place: its NACK is back 6 F + 2 A + 4 us after the beginning
        const int64_t nackPs = 6 * F + 2 * A + 4 * US;
        Expect(LoseCopies(DATA, {{3, 1}}),
               "0 1 2 3! 4 5 6 7 8 9 3 4 5 6 7 8 9",
               "3",
               nackPs + 6 * F + RTT);

        // two gaps
        Expect(LoseCopies(DATA, {{3, 1}, {7, 2}}),
               "0 1 2 3! 4 5 6 7 8 9 3 4 5 6 7! 8 9 7 8 9",
               "3 7",
               nackPs + 5 * F + RTT + 2 * F + RTT);

        // the retransmission is lost again: 4 comes a second time, which earns a second NACK
        Expect(LoseCopies(DATA, {{3, 1}, {3, 2}}),
               "0 1 2 3! 4 5 6 7 8 9 3! 4 5 6 7 8 9 3 4 5 6 7 8 9",
               "3 3",
               nackPs + F + RTT + 6 * F + RTT);

        // the NACK is lost, and all is over before it could be sent again: nothing but the
        // time-out, which runs from the ACK of 2
        LoseCopies nack(NACK, {{3, 1}});
        LoseCopies data(DATA, {{3, 1}});
        Expect(
            [&](FabricPacketItem& item) {
                const bool goes = data(item);
                return nack(item) && goes;
            },
            "0 1 2 3! 4 5 6 7 8 9 3 4 5 6 7 8 9",
            "3!",
            2 * F + RTT + T + 6 * F + RTT);

        // ACKs are lost: 1 is covered by 2; the last one costs a time-out and a duplicate
        LoseCopies ack(ACK, {{1, 1}, {10, 1}});
        Expect([&](FabricPacketItem& item) { return ack(item); },
               "0 1 2 3 4 5 6 7 8 9 9",
               "",
               8 * F + RTT + T + RTT);
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Packets and answers that come twice, at once or late, do no harm.
 */
class DuplicateTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        for (const std::string reliability : {SELECTIVE, GO_BACK})
        {
            TestNetwork network(MakeStar(2), WithReliability(reliability));
            const Ptr<PacketTap> tap = AddTap(network, 2);
            PacketTap& t = *tap;
            // everything comes a second time at once or 50 us later, and after the PDC has retired
            tap->SetRule([&](FabricPacketItem& item) {
                const int64_t nowPs = network.Nic(0).GetNowPs();
                t.Repeat(item, nowPs + (item.psn % 2 == 0 ? 1000 : 50 * US));
                t.Repeat(item, nowPs + 900 * US);
                return true;
            });
            network.MessagesOf(0).SendAt(0, 1, 20000, 1);
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(network.delivered.size(), 1, reliability << ": delivered once");
            NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 1, reliability << ": completed once");
            const auto& to = network.Nic(1).GetCounters();
            NS_TEST_EXPECT_MSG_EQ(to.dataDelivered, 20, reliability << ": new packets");
            NS_TEST_EXPECT_MSG_EQ(to.dataDuplicate, 40, reliability << ": two more of each");
            NS_TEST_EXPECT_MSG_EQ(to.acksSent, 60, reliability << ": all answered");
            NS_TEST_EXPECT_MSG_EQ(network.Nic(0).GetCounters().acksReceived,
                                  180,
                                  reliability << ": three of each answer");
            NS_TEST_EXPECT_MSG_EQ(network.Nic(0).GetCounters().retransmitted, 0, reliability);
            NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, reliability);
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief ACKs that overtake one another: what the late one tells is not lost.
 */
class OvertakenAckTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        TestNetwork network(MakeStar(2));
        const Ptr<PacketTap> tap = AddTap(network, 2);
        PacketTap& t = *tap;
        // packet 0 is lost; the ACKs of 1 to 9 are held up for 10 us and come after that of 0
        LoseCopies lose(DATA, {{0, 1}});
        tap->SetRule([&](FabricPacketItem& item) {
            if (item.type == ACK && item.ack.triggerPsn > 0 && item.ack.triggerPsn != 3)
            {
                t.Repeat(item, network.Nic(0).GetNowPs() + 10 * US);
                return false;
            }
            return lose(item);
        });
        network.MessagesOf(0).SendAt(0, 1, 20000, 1);
        Simulator::Run();
        // the ACK of 3 shows 1, 2, 3: 0 is sent again; its own answer is cumulative
        NS_TEST_EXPECT_MSG_EQ(network.Nic(0).GetCounters().retransmitted, 1, "only what was lost");
        NS_TEST_EXPECT_MSG_EQ(network.Nic(0).GetCounters().timeouts, 0, "no time-out");
        NS_TEST_EXPECT_MSG_EQ(TestNetwork::Find(network.completed, 1).nowPs,
                              3 * F + RTT + RTT,
                              "the answer to 0 acknowledges all");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Sequence numbers go round: 24 bits, losses on both sides of the wrap.
 */
class SequenceWrapTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        constexpr uint32_t LAST = PacketSequence::MASK;
        FabricHelper helper = WithReliability(SELECTIVE);
        helper.SetNicAttribute("InitialPsn", UintegerValue(LAST - 2));
        {
            TestNetwork network(MakeStar(2), helper);
            const Ptr<PacketTap> tap = AddTap(network, 2);
            tap->SetRule(LoseCopies(DATA, {{LAST - 1, 1}, {0, 1}}));
            network.MessagesOf(0).SendAt(0, 1, 8000, 1);
            Simulator::Run();
            // LAST - 2 .. LAST, 0 .. 4; the ACK of 1 shows LAST - 1 lost, that of 3 shows 0
            NS_TEST_EXPECT_MSG_EQ(tap->Psns(DATA),
                                  "16777213 16777214! 16777215 0! 1 2 3 4 16777214 0",
                                  "selective repeat");
            NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 1, "complete");
            NS_TEST_EXPECT_MSG_EQ(tap->Of(ACK).back().psn, 5, "cumulative, behind the wrap");
            NS_TEST_EXPECT_MSG_EQ(network.Nic(0).GetCounters().timeouts, 0, "no time-out");
        }
        helper.SetReliability(GO_BACK);
        {
            TestNetwork network(MakeStar(2), helper);
            const Ptr<PacketTap> tap = AddTap(network, 2);
            tap->SetRule(LoseCopies(DATA, {{LAST, 1}, {0, 2}}));
            network.MessagesOf(0).SendAt(0, 1, 6000, 1);
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(tap->Psns(DATA),
                                  "16777213 16777214 16777215! 0 1 2 16777215 0! 1 2 0 1 2",
                                  "go-back-N");
            NS_TEST_EXPECT_MSG_EQ(tap->Psns(NACK), "16777215 0", "NACKs on both sides");
            NS_TEST_EXPECT_MSG_EQ(network.Nic(0).GetCounters().timeouts, 0, "no time-out");
        }
    }
};

/// Loss, repetition and order.
const SuiteCases g_cases("dcfabric-reliability", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new BackOffTestCase("time-out and back-off"));
    suite.AddTestCase(new BackOffLimitTestCase("largest back-off"));
    suite.AddTestCase(new GoBackTestCase("go-back-N"));
    suite.AddTestCase(new DuplicateTestCase("duplicates"));
    suite.AddTestCase(new OvertakenAckTestCase("ACKs out of order"));
    suite.AddTestCase(new SequenceWrapTestCase("sequence numbers wrap"));
});

} // namespace ns3::tests::reliability_test
