// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-schedule.h"
#include "../fabric-test-suite.h"
#include "fabric-test-messages.h"

#include "ns3/test.h"

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief PDCs that come and go while receives and matched messages wait for them.
 */

namespace ns3::tests::matched_pdc_test
{

/**
 * @ingroup dcfabric-tests
 * @brief A receive is attached to its source's PDC when it is posted, gets the empty canary when
 * that PDC has to make room, and the next packet attaches it again ([Patent] (57), (58)).
 */
class CanaryTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        FabricHelper helper = MessageNetwork::MakeHelper();
        helper.SetNicAttribute("MaxReceivingPdcs", UintegerValue(1));
        MessageNetwork network(MakeStar(3), helper);
        const auto pdcOf = [&network](uint32_t msn) {
            return TableOf(network.MessagesOf(1)).Find(MatchTable::MakeKey(0, msn))->pdc;
        };
        const auto post = [&network]() {
            network.endpoints[1]->PostRecv(0, nullptr, 3000, network.Note(1));
        };
        CallIn(MicroSeconds(1), [&]() {
            post();
            NS_TEST_EXPECT_MSG_EQ(pdcOf(0), 0, "an empty one: nothing has come from 0");
            network.endpoints[0]->Send(1, nullptr, 3000, network.Note(0));
        });
        CallIn(MicroSeconds(20), [&]() {
            post();
            NS_TEST_EXPECT_MSG_EQ(pdcOf(1), 0, "the active PDC");
        });
        CallIn(MicroSeconds(60), [&]() {
            NS_TEST_EXPECT_MSG_EQ(pdcOf(1), 0, "still, and idle");
            network.endpoints[1]->PostRecv(2, nullptr, 3000, network.Note(1));
            NS_TEST_EXPECT_MSG_EQ(pdcOf(1), MatchEntry::NO_PDC, "the empty canary");
            NS_TEST_EXPECT_MSG_EQ(network.Nic(1).GetReceivingPdcs().GetN(),
                                  1,
                                  "of the other source");
            NS_TEST_EXPECT_MSG_EQ(network.Nic(1).GetCounters().pdcsEvicted, 1, "made room");
            network.endpoints[0]->Send(1, nullptr, 3000, network.Note(0));
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.Count(0, MessageStatus::COMPLETE), 2, "sends");
        NS_TEST_EXPECT_MSG_EQ(network.Count(1, MessageStatus::COMPLETE), 2, "receives");
        // host 0 was answered and says no SYN any more: its packets name the context themselves
        const auto& counters = network.MessagesOf(1).GetMatcher()->GetCounters();
        NS_TEST_EXPECT_MSG_EQ(counters.furtherLookups, 0, "look-ups");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The time of a message runs while it waits for a PDC: it ends when the time is over, as if
 * it had never been there.
 */
class WaitingTimeTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        FabricHelper helper = MessageNetwork::MakeHelper();
        helper.SetNicAttribute("MaxSendingPdcs", UintegerValue(1));
        MessageNetwork network(MakeStar(3), helper);
        CallIn(MicroSeconds(1), [&]() {
            network.endpoints[0]->Send(1, nullptr, 2000000, network.Note(0)); // for 170 us
            network.endpoints[0]->SetAttribute("SendTimeout", TimeValue(MicroSeconds(30)));
            network.endpoints[0]->Send(2, nullptr, 1000, network.Note(0), 7); // no PDC is left
            network.endpoints[0]->SetAttribute("SendTimeout", TimeValue(Time(0)));
            network.endpoints[0]->Send(2, nullptr, 1000, network.Note(0), 8); // nor for this one
            network.endpoints[1]->PostRecv(0, nullptr, 2000000, network.Note(1));
            network.endpoints[2]->PostRecv(0, nullptr, 1000, network.Note(2));
        });
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(network.told.size(), 5, "three sends, two receives");
        NS_TEST_EXPECT_MSG_EQ((network.told[0].report.status == MessageStatus::TIMED_OUT),
                              true,
                              "first");
        NS_TEST_EXPECT_MSG_EQ(network.told[0].report.nowPs, 31 * US, "30 us after it was sent");
        NS_TEST_EXPECT_MSG_EQ(network.told[0].report.tag, 7, "the one with little time");
        NS_TEST_EXPECT_MSG_EQ(network.Count(0, MessageStatus::COMPLETE), 2, "the other sends");
        NS_TEST_EXPECT_MSG_EQ(network.Count(2, MessageStatus::COMPLETE),
                              1,
                              "by the second message");
    }
};

/// PDCs of matched messages.
const SuiteCases g_cases("dcfabric-pdc-network", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.AddTestCase(new CanaryTestCase("the empty canary of an evicted PDC"));
    suite.AddTestCase(new WaitingTimeTestCase("out of time while waiting for a PDC"));
});

} // namespace ns3::tests::matched_pdc_test
