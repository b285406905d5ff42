// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-schedule.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"

#include "ns3/boolean.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief How PDCs come and go: with the first packet, when they are idle, and when there are too
 * many.
 */

namespace ns3::tests::pdc_life_cycle_test
{

/**
 * @param attribute of the NICs
 * @param value its value
 * @return a helper with one PDC for each pair of hosts
 */
FabricHelper
MakeShared(const std::string& attribute, const AttributeValue& value)
{
    FabricHelper helper;
    helper.SetNicAttribute("PdcPerMessage", BooleanValue(false));
    helper.SetNicAttribute(attribute, value);
    return helper;
}

/**
 * @ingroup dcfabric-tests
 * @brief An idle PDC is removed after its time at both ends, not before, and the next message makes
 * a new one.
 */
class IdleTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        TestNetwork network(MakeStar(2), MakeShared("PdcIdleTime", TimeValue(MicroSeconds(50))));
        Ptr<PacketTap> tap = AddTap(network, 2);
        // The second message comes 40 us after the first, the third 100 us after the second.
        network.MessagesOf(0).SendAt(0, 1, 5000, 0);
        network.MessagesOf(0).SendAt(40 * US, 1, 5000, 1);
        network.MessagesOf(0).SendAt(140 * US, 1, 5000, 2);
        // 5 packets need 5 x 86.56 ns; the last one arrives after 2 us and 6 x 86.56 ns, its ACK 2
        // us and 2 x 9.44 ns later: 4.54 us. At 40 us all has been idle for 35.5 us, at 100 us
        // for 55.5.
        const auto expect = [&network, this](int64_t us, uint32_t sending, uint32_t receiving) {
            CallIn(MicroSeconds(us), [&network, this, us, sending, receiving]() {
                NS_TEST_EXPECT_MSG_EQ(network.Nic(0).GetSendingPdcs().GetN(),
                                      sending,
                                      "at " << us << " us");
                NS_TEST_EXPECT_MSG_EQ(network.Nic(1).GetReceivingPdcs().GetN(),
                                      receiving,
                                      "at " << us << " us");
            });
        };
        expect(39, 1, 1);
        expect(92, 1, 1);
        expect(96, 0, 0);
        expect(145, 1, 1);
        expect(200, 0, 0);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.delivered.size(), 3, "messages");
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 3, "messages");
        // SYN until the first answer: all packets of the first and of the third message
        std::string syn;
        for (const auto& record : tap->Of(FabricPacketType::DATA))
        {
            syn += record.flags & FabricPacketItem::FLAG_SYN ? 'S' : '-';
        }
        NS_TEST_EXPECT_MSG_EQ(syn, "SSSSS-----SSSSS", "a new PDC says SYN");
        NS_TEST_EXPECT_MSG_EQ(tap->Psns(FabricPacketType::DATA),
                              "0 1 2 3 4 5 6 7 8 9 0 1 2 3 4",
                              "and begins anew");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief With too many destinations the PDC that was used least recently goes; if none is idle,
 * messages wait.
 */
class SendingLimitTestCase : public TestCase
{
  public:
    /// @param perMessage PDC granularity
    explicit SendingLimitTestCase(bool perMessage)
        : TestCase(std::string("two sending PDCs, ") + (perMessage ? "one a message" : "shared")),
          m_perMessage(perMessage)
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper = MakeShared("MaxSendingPdcs", UintegerValue(2));
        helper.SetNicAttribute("PdcPerMessage", BooleanValue(m_perMessage));
        TestNetwork network(MakeStar(6), helper);
        for (uint32_t dst = 1; dst < 6; ++dst)
        {
            network.MessagesOf(0).SendAt(0, dst, 20000, dst); // all at once: three have to wait
        }
        network.MessagesOf(0).SendAt(100 * US, 4, 1000, 6); // idle: 4 and 5; 4 is used again,
        network.MessagesOf(0).SendAt(200 * US, 3, 1000, 7); // so 5 goes,
        network.MessagesOf(0).SendAt(300 * US, 4, 1000, 8); // and 4 is still there
        CallIn(NanoSeconds(1), [&]() {
            NS_TEST_EXPECT_MSG_EQ(network.Nic(0).GetSendingPdcs().GetN(), 2, "as many as may be");
            NS_TEST_EXPECT_MSG_EQ(network.MessagesOf(0).GetNDeferred(), 3, "the others wait");
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.delivered.size(), 8, "messages");
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 8, "messages");
        NS_TEST_EXPECT_MSG_EQ(network.MessagesOf(0).GetNDeferred(), 0, "nobody waits");
        NS_TEST_EXPECT_MSG_EQ(network.Nic(0).GetCounters().maxSendingPdcs, 2, "limit");
        NS_TEST_EXPECT_MSG_EQ(network.Nic(0).GetSendingPdcs().GetN(),
                              (m_perMessage ? 0 : 2),
                              "at the end");
        // 3 of the first 5 messages and the one to 3: each took the place of an idle PDC
        NS_TEST_EXPECT_MSG_EQ(network.Nic(0).GetCounters().pdcsEvicted,
                              (m_perMessage ? 0 : 4),
                              "evicted");
        const auto third = TestNetwork::Find(network.completed, 3);
        NS_TEST_EXPECT_MSG_EQ(third.startPs, 0, "it waited from its start on");
        NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, "conservation");
    }

    bool m_perMessage; //!< PDC granularity
};

/**
 * @ingroup dcfabric-tests
 * @brief A receiver with room for one PDC: packets of an evicted one that come late, with SYN or
 * without, deliver nothing twice and are acknowledged.
 */
class ReceivingLimitTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        FabricHelper helper = MakeShared("MaxReceivingPdcs", UintegerValue(1));
        TestNetwork network(MakeStar(4), helper);
        Ptr<PacketTap> tap = AddTap(network, 4);
        tap->SetRule([&](FabricPacketItem& item) {
            if (item.type == FabricPacketType::DATA && item.src == 0 && item.GetPriority() == 3 &&
                network.fabric->GetNic(0)->GetNowPs() < 5 * US)
            {
                tap->Repeat(item, 50 * US + item.psn * US); // when 0's PDC has been evicted
            }
            return true;
        });
        network.MessagesOf(0).SendAt(0, 3, 2000, 0);
        network.MessagesOf(1).SendAt(20 * US, 3, 2000, 1);
        network.MessagesOf(2).SendAt(30 * US, 3, 2000, 2);
        network.MessagesOf(0).SendAt(100 * US, 3, 2000, 3);
        CallIn(MicroSeconds(45), [&]() {
            NS_TEST_EXPECT_MSG_EQ(network.Nic(3).GetReceivingPdcs().GetN(),
                                  1,
                                  "of the last sender");
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.delivered.size(), 4, "nothing twice");
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 4, "messages");
        NS_TEST_EXPECT_MSG_EQ(network.Nic(3).GetCounters().dataDuplicate, 2, "known");
        // 0's for 1's, 1's for 2's, 2's for 0's, which came back; then nobody else comes
        NS_TEST_EXPECT_MSG_EQ(network.Nic(3).GetCounters().pdcsEvicted, 3, "evicted");
        NS_TEST_EXPECT_MSG_EQ(network.fabric->GetDrops().empty(), true, "none dropped as unknown");
    }
};

/// The life of PDCs.
const SuiteCases g_cases("dcfabric-pdc-network", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.AddTestCase(new IdleTestCase("idle PDCs are removed"));
    suite.AddTestCase(new SendingLimitTestCase(false));
    suite.AddTestCase(new SendingLimitTestCase(true));
    suite.AddTestCase(new ReceivingLimitTestCase("one receiving PDC"));
});

} // namespace ns3::tests::pdc_life_cycle_test
