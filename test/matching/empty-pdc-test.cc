// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-schedule.h"
#include "../fabric-test-suite.h"
#include "fabric-test-messages.h"

#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Receives have a context from the moment when they are posted ([Patent] (58), figure 2H
 * step 277, clauses 3 and 15): one look-up for each packet, the first one too; and what contexts
 * leave.
 */

namespace ns3::tests::empty_pdc_test
{

/**
 * @param nic it
 * @return look-ups of a receiver beside the one of each packet in the match table
 */
uint64_t
FurtherLookups(const FabricNic& nic)
{
    return nic.GetMessages().GetMatcher()->GetCounters().furtherLookups;
}

/**
 * @param nic it
 * @return look-ups of a receiver in its match table
 */
uint64_t
MatchLookups(const FabricNic& nic)
{
    return TableOf(nic.GetMessages()).GetNLookups();
}

/**
 * @param network its network
 * @param msn message from host 0
 * @return the PDC that an entry of host 1 names
 */
uint32_t
PdcOf(const MessageNetwork& network, uint32_t msn)
{
    return TableOf(network.MessagesOf(1)).Find(MatchTable::MakeKey(0, msn))->pdc;
}

/**
 * @ingroup dcfabric-tests
 * @brief A case for each granularity of PDCs.
 */
class GranularityTestCase : public TestCase
{
  protected:
    /**
     * @param name of the case
     * @param perMessage PDC granularity
     */
    GranularityTestCase(const std::string& name, bool perMessage)
        : TestCase(name + (perMessage ? ", a context each" : ", shared")),
          m_perMessage(perMessage)
    {
    }

    /**
     * @param protocol of messages
     * @return a helper of that granularity
     */
    FabricHelper MakeHelper(const std::string& protocol = "ns3::RequestToWait") const
    {
        FabricHelper helper = MessageNetwork::MakeHelper(protocol);
        helper.SetNicAttribute("PdcPerMessage", BooleanValue(m_perMessage));
        return helper;
    }

    bool m_perMessage; //!< PDC granularity
};

/**
 * @ingroup dcfabric-tests
 * @brief Receives posted in time: each has a context at once, all the same one or each its own, and
 * no packet needs more than its one look-up, whatever the order in which messages come.
 */
class PostedTestCase : public GranularityTestCase
{
  public:
    /// @param perMessage PDC granularity
    explicit PostedTestCase(bool perMessage)
        : GranularityTestCase("receives in time", perMessage)
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper = MakeHelper();
        helper.SetReliability("ns3::SelectiveRepeat", "ReorderThreshold", UintegerValue(1000));
        MessageNetwork network(MakeStar(2), helper);
        Ptr<PacketTap> tap = AddTap(network, 2);
        tap->SetRule([&](FabricPacketItem& item) {
            // the first message comes last
            if (item.type != FabricPacketType::DATA || item.data.msn != 0)
            {
                return true;
            }
            tap->Repeat(item, 20 * US + item.psn * US);
            return false;
        });
        CallIn(MicroSeconds(1), [&]() {
            for (uint32_t i = 0; i < 3; ++i)
            {
                network.endpoints[1]->PostRecv(0, nullptr, 3000, network.Note(1));
                NS_TEST_EXPECT_MSG_EQ(PdcOf(network, i), (m_perMessage ? i : 0), "attached");
                NS_TEST_EXPECT_MSG_EQ(network.Nic(1).GetReceivingPdcs().GetN(),
                                      (m_perMessage ? i + 1 : 1),
                                      "contexts after " << i);
            }
            NS_TEST_EXPECT_MSG_EQ(network.Nic(1).GetReceivingPdcs().GetNActive(),
                                  0,
                                  "nothing arrives");
            for (uint32_t i = 0; i < 3; ++i)
            {
                network.endpoints[0]->Send(1, nullptr, 3000, network.Note(0));
            }
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.Count(0, MessageStatus::COMPLETE), 3, "sends");
        NS_TEST_EXPECT_MSG_EQ(network.Count(1, MessageStatus::COMPLETE), 3, "receives");
        NS_TEST_EXPECT_MSG_EQ(MatchLookups(network.Nic(1)), 9, "three packets a message");
        NS_TEST_EXPECT_MSG_EQ(FurtherLookups(network.Nic(1)), 0, "and nothing else");
        NS_TEST_EXPECT_MSG_EQ(network.Nic(1).GetReceivingPdcs().GetN(),
                              (m_perMessage ? 0 : 1),
                              "a context goes with its only message");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A receive that is late: the first packet finds neither entry nor context, the others find
 * the canary, which names the context.
 */
class LateTestCase : public GranularityTestCase
{
  public:
    /// @param perMessage PDC granularity
    explicit LateTestCase(bool perMessage)
        : GranularityTestCase("a late receive", perMessage)
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper = MakeHelper();
        MessageNetwork network(MakeStar(2), helper);
        CallIn(MicroSeconds(1),
               [&]() { network.endpoints[0]->Send(1, nullptr, 3000, network.Note(0)); });
        CallIn(MicroSeconds(20), [&]() {
            NS_TEST_EXPECT_MSG_EQ(FurtherLookups(network.Nic(1)), 2, "of the first packet");
            network.endpoints[1]->PostRecv(0, nullptr, 3000, network.Note(1));
            NS_TEST_EXPECT_MSG_EQ(PdcOf(network, 0), 0, "the one of the refused packets");
            NS_TEST_EXPECT_MSG_EQ(network.Nic(1).GetReceivingPdcs().GetN(), 1, "no other");
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.Count(1, MessageStatus::COMPLETE), 1, "receive");
        // Packet 0 has no entry: it is looked for among complete messages, and its context, which
        // is new, among those of the source. Packets 1 and 2 meet the canary, 3 to 5 the receive.
        NS_TEST_EXPECT_MSG_EQ(MatchLookups(network.Nic(1)), 6, "one each");
        NS_TEST_EXPECT_MSG_EQ(FurtherLookups(network.Nic(1)), 2, "two for the first");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief RNR keeps no canary: packets made a context before the receive was posted, and the sender
 * does not know it because all answers got lost. Its next SYN packet must meet that context, not
 * bind another one to the same sequence space.
 */
class KnownSenderTestCase : public GranularityTestCase
{
  public:
    /// @param perMessage PDC granularity
    explicit KnownSenderTestCase(bool perMessage)
        : GranularityTestCase("SYN again", perMessage)
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper = MakeHelper("ns3::ReceiverNotReady");
        helper.SetNicAttribute("AckTimeout", TimeValue(MicroSeconds(50)));
        MessageNetwork network(MakeStar(2), helper);
        Ptr<PacketTap> tap = AddTap(network, 2);
        tap->SetRule([](FabricPacketItem& item) { return item.type != FabricPacketType::RNR; });
        const auto sent = MakeBytes(1000, 1);
        std::vector<uint8_t> received(sent.size());
        CallIn(MicroSeconds(1),
               [&]() { network.endpoints[0]->Send(1, sent.data(), sent.size(), network.Note(0)); });
        CallIn(MicroSeconds(20), [&]() {
            network.endpoints[1]->PostRecv(0, received.data(), received.size(), network.Note(1));
        });
        Simulator::Stop(MilliSeconds(1));
        Simulator::Run();
        // Sent at 1 us and again 50 us later, with SYN: there after two links of 1088.48 ns.
        NS_TEST_ASSERT_MSG_EQ(network.told.size(), 2, "receive, send");
        NS_TEST_EXPECT_MSG_EQ(network.told[0].report.nowPs, 51 * US + 2 * 1088480, "by the second");
        NS_TEST_EXPECT_MSG_EQ((sent == received), true, "bytes");
        NS_TEST_EXPECT_MSG_EQ(tap->Psns(FabricPacketType::DATA), "0 0", "the same packet");
        // Two for the first packet, as always without entry. Shared, the receive got the context
        // that the packet had made, and the second packet needs no more; else it is looked up.
        NS_TEST_EXPECT_MSG_EQ(FurtherLookups(network.Nic(1)), (m_perMessage ? 3 : 2), "look-ups");
        NS_TEST_EXPECT_MSG_EQ(network.Nic(1).GetReceivingPdcs().GetN(),
                              (m_perMessage ? 0 : 1),
                              "no empty one is left");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A context that a receive waits with outlives `PdcIdleTime`; when the receive is taken
 * back, its time begins, or it goes at once.
 */
class HeldTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        for (const bool perMessage : {false, true})
        {
            FabricHelper helper = MessageNetwork::MakeHelper();
            helper.SetNicAttribute("PdcPerMessage", BooleanValue(perMessage));
            helper.SetNicAttribute("PdcIdleTime", TimeValue(MicroSeconds(50)));
            MessageNetwork network(MakeStar(2), helper);
            uint64_t unwanted = 0;
            CallIn(MicroSeconds(1), [&]() {
                network.endpoints[1]->PostRecv(0, nullptr, 3000, network.Note(1));
                unwanted = network.endpoints[1]->PostRecv(0, nullptr, 3000, network.Note(1));
            });
            const auto expect = [&](int64_t us, uint32_t contexts) {
                CallIn(MicroSeconds(us), [&, us, contexts]() {
                    NS_TEST_EXPECT_MSG_EQ(network.Nic(1).GetReceivingPdcs().GetN(),
                                          contexts,
                                          "at " << us << " us, a context each: " << perMessage);
                });
            };
            expect(200, perMessage ? 2 : 1);
            CallIn(MicroSeconds(201), [&]() { network.endpoints[1]->Cancel(unwanted); });
            expect(202, 1);
            CallIn(MicroSeconds(300),
                   [&]() { network.endpoints[0]->Send(1, nullptr, 3000, network.Note(0)); });
            // complete at 300 + 2 + 4 x 0.08848 us
            expect(352, 1);
            expect(353, 0);
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(network.Count(1, MessageStatus::COMPLETE), 1, "receive");
            NS_TEST_EXPECT_MSG_EQ(FurtherLookups(network.Nic(1)), 0, "look-ups");
            Simulator::Destroy();
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief With a context for each message those that are over do not pile up, with default
 * attributes; late copies of their packets still deliver nothing twice.
 */
class BoundedTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        TestNetwork network(MakeStar(3), FabricHelper());
        Ptr<PacketTap> tap = AddTap(network, 3);
        tap->SetRule([&](FabricPacketItem& item) {
            if (item.type == FabricPacketType::DATA && item.data.tag % 100 == 7 && item.psn == 1 &&
                (item.flags & FabricPacketItem::FLAG_RETRANSMISSION) == 0 &&
                m_copied != item.data.tag)
            {
                m_copied = item.data.tag; // a copy comes when the message is long over
                tap->Repeat(item, network.fabric->GetNic(0)->GetNowPs() + 50 * US);
            }
            return true;
        });
        uint32_t most = 0;
        for (uint32_t i = 0; i < 2000; ++i)
        {
            network.MessagesOf(i % 2).SendAt(i * US, 2, 3000, i);
        }
        // A message of 3 packets takes 2 us and 4 x 86.56 ns to arrive: three are on their way at
        // a time at most, and a context lives from the first packet to the last.
        for (int64_t ns = 500; ns < 2050000; ns += 1000)
        {
            CallIn(NanoSeconds(ns),
                   [&]() { most = std::max(most, network.Nic(2).GetReceivingPdcs().GetN()); });
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.delivered.size(), 2000, "once each");
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 2000, "once each");
        NS_TEST_EXPECT_MSG_EQ(network.Nic(2).GetCounters().dataDuplicate, 20, "copies are known");
        NS_TEST_EXPECT_MSG_LT(most, 4, "contexts at a time");
        NS_TEST_EXPECT_MSG_EQ(network.Nic(2).GetReceivingPdcs().GetN(), 0, "at the end");
        NS_TEST_EXPECT_MSG_EQ(network.Nic(2).GetReceivingPdcs().GetNActive(), 0, "nothing arrives");
        NS_TEST_EXPECT_MSG_EQ(network.Nic(2).GetCounters().pdcsEvicted, 0, "nobody made room");
    }

    uint32_t m_copied{UINT32_MAX}; //!< message whose packet was copied last
};

/**
 * @ingroup dcfabric-tests
 * @brief Go-back-N has asked for a packet that was lost before any other arrived: the context is
 * not over, or each packet behind the gap would bring a NACK.
 */
class GapTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        FabricHelper helper;
        helper.SetReliability("ns3::GoBackN");
        TestNetwork network(MakeStar(2), helper);
        Ptr<PacketTap> tap = AddTap(network, 2);
        bool lost = false;
        tap->SetRule([&lost](FabricPacketItem& item) {
            const bool pass = lost || item.type != FabricPacketType::DATA;
            lost = true;
            return pass;
        });
        network.MessagesOf(0).SendAt(0, 1, 10000, 0);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.delivered.size(), 1, "message");
        NS_TEST_EXPECT_MSG_EQ(tap->Of(FabricPacketType::NACK).size(), 1, "one for the gap");
        NS_TEST_EXPECT_MSG_EQ(network.Nic(1).GetReceivingPdcs().GetN(), 0, "over now");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What is left when context and entry are gone ([Patent] clause 2 of (207)): the completion
 * names the message, its buffer, and what has been committed to it.
 */
class CompletionTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        FabricHelper helper = MessageNetwork::MakeHelper();
        helper.SetNicAttribute("PdcPerMessage", BooleanValue(true));
        MessageNetwork network(MakeStar(2), helper);
        std::vector<uint8_t> whole(2500);
        std::vector<uint8_t> small(1200);
        std::vector<uint8_t> late(2000000);
        const auto sent = MakeBytes(2500, 1);
        CallIn(MicroSeconds(1), [&]() {
            network.endpoints[1]->PostRecv(0, whole.data(), whole.size(), network.Note(1));
            network.endpoints[1]->PostRecv(0, small.data(), small.size(), network.Note(1));
            network.endpoints[1]->SetAttribute("ReceiveTimeout", TimeValue(MicroSeconds(13)));
            network.endpoints[1]->PostRecv(0, late.data(), late.size(), network.Note(1));
            network.endpoints[0]->Send(1, sent.data(), 2500, network.Note(0));
            network.endpoints[0]->Send(1, sent.data(), 2500, network.Note(0));
        });
        CallIn(MicroSeconds(10),
               [&]() { network.endpoints[0]->Send(1, late.data(), late.size(), network.Note(0)); });
        Simulator::Stop(MilliSeconds(2));
        Simulator::Run();
        // The third message begins at 10 us; its packet n is there 2 us + (n + 2) x 88.48 ns later.
        // At 14 us, 20 have come: 2 + 21 x 0.08848 = 3.858 us, the next one after 3.947 us, too,
        // so 21; the one after that would come at 4.035 us.
        const std::vector<std::pair<uint8_t*, uint64_t>> expected{{whole.data(), 2500},
                                                                  {small.data(), 1200},
                                                                  {late.data(), 21000}};
        uint32_t msn = 0;
        for (const auto& one : network.told)
        {
            if (one.host != 1)
            {
                NS_TEST_EXPECT_MSG_EQ((one.report.buffer == nullptr), true, "a send has none");
                continue;
            }
            NS_TEST_ASSERT_MSG_LT(msn, 3, "three receives");
            NS_TEST_EXPECT_MSG_EQ(one.report.msn, msn, "which message");
            NS_TEST_EXPECT_MSG_EQ((one.report.buffer == expected[msn].first), true, "buffer");
            NS_TEST_EXPECT_MSG_EQ(one.report.committed, expected[msn].second, "bytes of " << msn);
            ++msn;
        }
        NS_TEST_EXPECT_MSG_EQ(msn, 3, "three receives");
    }
};

/// Contexts of receives.
const SuiteCases g_cases("dcfabric-pdc-network", TestSuite::Type::SYSTEM, [](Suite& suite) {
    for (const bool perMessage : {false, true})
    {
        suite.AddTestCase(new PostedTestCase(perMessage));
        suite.AddTestCase(new LateTestCase(perMessage));
        suite.AddTestCase(new KnownSenderTestCase(perMessage));
    }
    suite.AddTestCase(new HeldTestCase("a posted receive holds its context"));
    suite.AddTestCase(new BoundedTestCase("2000 messages, contexts at a time"));
    suite.AddTestCase(new GapTestCase("a context that misses its first packet stays"));
    suite.AddTestCase(
        new CompletionTestCase("match information, buffer and committed bytes at removal"));
});

} // namespace ns3::tests::empty_pdc_test
