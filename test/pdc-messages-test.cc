// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-control.h"
#include "fabric-test-errors.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"
#include "fabric-test-wings.h"

#include "ns3/boolean.h"
#include "ns3/test.h"

#include <cstdint>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Messages over packet delivery contexts: sizes, order, one PDC for all or one for each.
 *
 * Links have 100 Gb/s and 1 us; a full packet takes F = 86,560 ps, an ACK A = 9,440 ps on the wire.
 */

namespace ns3::tests::pdc_messages_test
{

using namespace by_hand;

/**
 * @ingroup dcfabric-tests
 * @brief Messages at the edges of a packet, and what is refused.
 */
class PdcMessageSizesTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        if (!HasClass("ideal-times"))
        {
            return;
        }
        for (uint32_t payload :
             {1U, 1000U, 4096U, 65491U}) // 65535 - 20 - 8 - 12 - 4: the longest IP packet
        {
            FabricHelper helper;
            helper.SetNicAttribute("PayloadBytes", UintegerValue(payload));
            TestNetwork network(MakeStar(2), helper);
            const std::vector<uint64_t> sizes{1,
                                              payload - (payload > 1),
                                              payload,
                                              payload + 1,
                                              2 * payload,
                                              2 * payload + 1};
            for (uint32_t i = 0; i < sizes.size(); ++i)
            {
                network.MessagesOf(0).SendAt(i * 100 * US, 1, sizes[i], i);
            }
            Simulator::Run();
            for (uint32_t i = 0; i < sizes.size(); ++i)
            {
                const auto done = TestNetwork::Find(network.completed, i);
                const auto there = TestNetwork::Find(network.delivered, i);
                NS_TEST_EXPECT_MSG_EQ(there.bytes, sizes[i], "payload " << payload);
                NS_TEST_EXPECT_MSG_EQ(done.packetsSent,
                                      (sizes[i] + payload - 1) / payload,
                                      "packets of " << sizes[i] << " B, payload " << payload);
                NS_TEST_EXPECT_MSG_EQ(there.nowPs - i * 100 * US,
                                      network.fabric->GetIdealFctPs(0, 1, sizes[i]),
                                      "time of " << sizes[i] << " B, payload " << payload);
            }
        }
        TestNetwork network(MakeStar(2));
        DCFABRIC_EXPECT_REFUSAL(network.MessagesOf(0).Send(1, 0, 1), "at least 1 byte");
        DCFABRIC_EXPECT_REFUSAL(network.MessagesOf(0).SendAt(0, 0, 1, 1), "to itself");
        DCFABRIC_EXPECT_REFUSAL(network.MessagesOf(0).Send(2, 1, 1), "no host has the address 2");
        DCFABRIC_EXPECT_REFUSAL(network.MessagesOf(0).SendAt(0, 99, 1, 1),
                                "no host has the address 99");
        DCFABRIC_EXPECT_REFUSAL(network.MessagesOf(0).SendAt(0, 1, 1, 1, 8), "class 8");
        DCFABRIC_EXPECT_REFUSAL(network.MessagesOf(0).SendAt(-1, 1, 1, 1), "past");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Byte counters beyond 32 bits: a message of 6 GB in large packets.
 */
class PdcLargeMessageTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        if (!HasClass("ideal-times"))
        {
            return;
        }
        FabricHelper helper;
        helper.SetCongestionControl(FixedCongestionControl::Name());
        helper.SetNicAttribute("PayloadBytes", UintegerValue(65491));
        TestNetwork network(MakeStar(2), helper);
        const uint64_t bytes = 6000000000;
        network.MessagesOf(0).SendAt(0, 1, bytes, 1);
        uint64_t cumulative = 0;
        uint64_t offset = 0;
        const Ptr<PacketTap> tap = AddTap(network, 2);
        tap->SetRule([&](FabricPacketItem& item) {
            if (item.type == DATA)
            {
                offset = item.data.offset;
            }
            else
            {
                const auto* pdc = network.Nic(0).GetSendingPdcs().GetBusy().front();
                const auto cc = DynamicCast<FixedCongestionControl>(pdc->GetCongestionControl());
                cumulative = cc->last.cumulativeBytes;
            }
            return true;
        });
        Simulator::Run();
        const auto there = TestNetwork::Find(network.delivered, 1);
        NS_TEST_EXPECT_MSG_EQ(there.bytes, bytes, "length");
        NS_TEST_EXPECT_MSG_EQ(there.nowPs, network.fabric->GetIdealFctPs(0, 1, bytes), "time");
        NS_TEST_EXPECT_MSG_EQ(offset, bytes / 65491 * 65491, "offset of the last packet");
        NS_TEST_EXPECT_MSG_GT(cumulative, bytes - 200 * 65491, "acknowledged in order");
        NS_TEST_EXPECT_MSG_EQ(network.Nic(1).GetCounters().bytesDelivered, bytes, "payload");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief All messages to a host share a PDC and its sequence space.
 */
class PdcSharedTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        FabricHelper helper;
        helper.SetNicAttribute("PdcPerMessage", BooleanValue(false));
        helper.AddClass(2);
        TestNetwork network(MakeStar(3), helper);
        const Ptr<PacketTap> tap = AddTap(network, 3);
        // packets 0-4, 5, 6-7, 8-17; the second of message 10 is lost once
        tap->SetRule(LoseCopies(DATA, {{1, 1}}));
        network.MessagesOf(0).SendAt(0, 1, 5000, 10);
        network.MessagesOf(0).SendAt(0, 1, 1, 11);
        network.MessagesOf(0).SendAt(0, 1, 1001, 12);
        network.MessagesOf(0).SendAt(0, 1, 10000, 13);
        // another destination and another class have PDCs of their own
        network.MessagesOf(0).SendAt(500 * US, 2, 1, 14);
        network.MessagesOf(0).SendAt(600 * US, 1, 1, 15, 2);
        network.MessagesOf(0).SendAt(700 * US, 1, 1, 16);
        Simulator::Run();

        NS_TEST_EXPECT_MSG_EQ(tap->Psns(DATA),
                              "0 1! 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 1 0 0 18",
                              "one sequence space; others for other destinations and classes");
        std::string msns;
        std::string pdcs;
        for (const auto& packet : tap->Of(DATA))
        {
            msns += std::to_string(packet.data.msn);
            pdcs += std::to_string(packet.data.sourcePdc);
        }
        NS_TEST_EXPECT_MSG_EQ(msns, "0000012233333333330004", "message of each packet");
        NS_TEST_EXPECT_MSG_EQ(pdcs, "0000000000000000000120", "PDC of each packet");

        std::string arrived;
        for (const auto& event : network.delivered)
        {
            arrived += std::to_string(event.tag) + " ";
        }
        std::string done;
        for (const auto& event : network.completed)
        {
            done += std::to_string(event.tag) + " ";
        }
        NS_TEST_EXPECT_MSG_EQ(arrived, "11 12 13 10 14 15 16 ", "10 waits for its lost packet");
        NS_TEST_EXPECT_MSG_EQ(done, "10 11 12 13 14 15 16 ", "complete in order");
        for (uint32_t tag = 10; tag <= 16; ++tag)
        {
            const std::vector<uint64_t> packets{6, 1, 2, 10, 1, 1, 1};
            const auto event = TestNetwork::Find(network.completed, tag);
            NS_TEST_EXPECT_MSG_EQ(event.packetsSent, packets[tag - 10], "packets of " << tag);
            NS_TEST_EXPECT_MSG_EQ(event.retransmitted, (tag == 10 ? 1 : 0), "again of " << tag);
        }
        NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, "conservation");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Messages that start at the same time take their turns in the order of tags.
 */
class PdcStartOrderTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        for (const bool perMessage : {true, false})
        {
            FabricHelper helper;
            helper.SetNicAttribute("PdcPerMessage", BooleanValue(perMessage));
            TestNetwork network(MakeStar(2), helper);
            const Ptr<PacketTap> tap = AddTap(network, 2);
            for (uint32_t tag : {3, 1, 0, 2})
            {
                network.MessagesOf(0).SendAt(US, 1, 3000, tag);
            }
            network.MessagesOf(0).SendAt(0, 1, 1, 9);
            Simulator::Run();
            std::string tags;
            for (const auto& packet : tap->Of(DATA))
            {
                tags += std::to_string(packet.data.tag);
            }
            // PDCs of their own take turns, once the first has found the wire free and got in line
            // again; in a shared one they follow one another
            NS_TEST_EXPECT_MSG_EQ(tags,
                                  (perMessage ? "9001230123123" : "9000111222333"),
                                  "order, PDC per message: " << perMessage);
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief N of [FNCC] F2: PDCs with an incomplete inbound message at the receiver.
 */
class PdcActiveFlowsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param tap who saw them
     * @param perMessage granularity
     * @return N of the ACKs to a host, repetitions left out
     */
    std::string Run(bool perMessage)
    {
        FabricHelper helper;
        helper.SetNicAttribute("PdcPerMessage", BooleanValue(perMessage));
        TestNetwork network(MakeStar(4), helper);
        const Ptr<PacketTap> tap = AddTap(network, 4);
        // alone until 20 us; two PDCs or one from host 0; one from host 1 in between
        network.MessagesOf(0).SendAt(0, 3, 1000000, 1);
        network.MessagesOf(0).SendAt(20 * US, 3, 10000, 2);
        network.MessagesOf(1).SendAt(40 * US, 3, 10000, 3);
        network.MessagesOf(2).SendAt(40 * US, 1, 10000, 4); // to another host: does not count
        network.MessagesOf(0).SendAt(500 * US, 3, 1, 5);
        Simulator::Run();
        std::string text;
        std::string last;
        for (const auto& ack : tap->Of(ACK))
        {
            const std::string n = std::to_string(ack.ack.activeFlows);
            if (ack.src == 3 && n != last)
            {
                text += n;
                last = n;
            }
        }
        NS_TEST_EXPECT_MSG_EQ(network.Nic(3).GetReceivingPdcs().GetNActive(), 0, "none at the end");
        return text;
    }

    void DoRun() override
    {
        // 1, 2 while message 2 comes, 1, 2 while message 3 comes, 1, 0: message 5 is complete when
        // it is answered
        NS_TEST_EXPECT_MSG_EQ(Run(true), "121210", "a PDC for each message");
        // message 2 follows message 1 in the same PDC: 0 for the packet that ends message 1
        NS_TEST_EXPECT_MSG_EQ(Run(false), "121010", "one PDC for each pair");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A message may be sent from the callback of another.
 */
class PdcCallbackTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        for (const bool perMessage : {true, false})
        {
            FabricHelper helper;
            helper.SetNicAttribute("PdcPerMessage", BooleanValue(perMessage));
            TestNetwork network(MakeStar(2), helper);
            std::vector<int64_t> answers;
            std::vector<int64_t> ends;
            network.MessagesOf(1).SetDeliveredCallback([&](const FabricMessageEvent& event) {
                network.MessagesOf(1).Send(0, 1000, 100 + event.tag);
            });
            network.MessagesOf(0).SetDeliveredCallback(
                [&](const FabricMessageEvent& event) { answers.push_back(event.nowPs); });
            network.MessagesOf(0).SetCompletedCallback([&](const FabricMessageEvent& event) {
                ends.push_back(event.nowPs);
                if (event.tag < 2)
                {
                    network.MessagesOf(0).Send(1, 1000, event.tag + 1);
                }
            });
            network.MessagesOf(0).Send(1, 1000, 0); // before the simulation begins: at time 0
            Simulator::Run();
            NS_TEST_ASSERT_MSG_EQ(ends.size(), 3, "three questions");
            NS_TEST_ASSERT_MSG_EQ(answers.size(), 3, "three answers");
            // the ACK goes before the answer that the listener sends, and so is not held up by it
            for (int64_t i = 0; i < 3; ++i)
            {
                NS_TEST_EXPECT_MSG_EQ(ends[i], (i + 1) * RTT, "question " << i);
                NS_TEST_EXPECT_MSG_EQ(answers[i], i * RTT + 4 * F + A + 4 * US, "answer " << i);
            }
        }
    }
};

/// Messages over packet delivery contexts.
const SuiteCases g_cases("dcfabric-pdc", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new PdcMessageSizesTestCase("message sizes"));
    suite.AddTestCase(new PdcLargeMessageTestCase("more than 4 GB"));
    suite.AddTestCase(new PdcSharedTestCase("many messages over one PDC"));
    suite.AddTestCase(new PdcStartOrderTestCase("simultaneous starts"));
    suite.AddTestCase(new PdcActiveFlowsTestCase("N in ACKs"));
    suite.AddTestCase(new PdcCallbackTestCase("answer and follow up from callbacks"));
});

} // namespace ns3::tests::pdc_messages_test
