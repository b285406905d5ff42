// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-suite.h"

#include "ns3/channel-scheduler.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <array>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief What virtual channels share.
 */

namespace ns3::tests::channel_scheduler_test
{

/**
 * @ingroup dcfabric-tests
 * @brief Channels 3 and 2 of data, 6 and 7 of control packets; class 5 is alone.
 */
class ChannelSchedulerTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param scheduler chooses
     * @param eligible classes that always have packets
     * @param sizes of their packets
     * @param packets sent in all
     * @return bytes that each class sent
     */
    static std::array<uint32_t, 8> Serve(ClassScheduler& scheduler,
                                         uint8_t eligible,
                                         const std::array<uint32_t, 8>& sizes,
                                         uint32_t packets)
    {
        std::array<uint32_t, 8> sent{};
        for (uint32_t i = 0; i < packets; ++i)
        {
            const uint8_t c = scheduler.Select(eligible, sizes);
            sent[c] += sizes[c];
        }
        return sent;
    }

    void DoRun() override
    {
        const std::array<uint32_t, 8> alike = {1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000};
        const auto scheduler = CreateObject<ChannelScheduler>();
        scheduler->SetClasses({{3, 2}, {6, 7}});
        NS_TEST_EXPECT_MSG_EQ(scheduler->NeedsHeadBytes(), true, "shares are bytes");

        // 2 and 3 in turn; 1500 bytes and 500 get as many bytes: one and three packets
        auto sent = Serve(*scheduler, 0b1100, alike, 100);
        NS_TEST_EXPECT_MSG_EQ(sent[2], 50000, "half");
        NS_TEST_EXPECT_MSG_EQ(sent[3], 50000, "half");
        sent = Serve(*scheduler, 0b1100, {0, 0, 1500, 500, 0, 0, 0, 0}, 400);
        NS_TEST_EXPECT_MSG_EQ(sent[2], 150000, "100 packets");
        NS_TEST_EXPECT_MSG_EQ(sent[3], 150000, "300 packets");

        // Strict between lists, by the first of each: 6 and 7 before 5, that before 3 and 2.
        sent = Serve(*scheduler, 0b11101100, alike, 10);
        NS_TEST_EXPECT_MSG_EQ(sent[6] + sent[7], 10000, "control first");
        NS_TEST_EXPECT_MSG_EQ(sent[6], 5000, "in equal shares");
        sent = Serve(*scheduler, 0b101100, alike, 10);
        NS_TEST_EXPECT_MSG_EQ(sent[5], 10000, "then the one alone");

        // One that was paused has saved nothing: 3 sends 1000 packets alone, then both share. 2
        // begins level with the last of these, one packet ahead, and is first among equals:
        // 2 2 3 2 3 2 3 2 3 2.
        Serve(*scheduler, 0b1000, alike, 1000);
        sent = Serve(*scheduler, 0b1100, alike, 10);
        NS_TEST_EXPECT_MSG_EQ(sent[2], 6000, "no burst of the one");
        NS_TEST_EXPECT_MSG_EQ(sent[3], 4000, "no debt of the other");

        // Under round robin data gets one share and class 5 another, however many channels it has.
        const auto drr = CreateObjectWithAttributes<DeficitRoundRobinScheduler>(
            "Quanta",
            StringValue("1000,1000,1000,1000,1000,1000,0,0"));
        const auto nested =
            CreateObjectWithAttributes<ChannelScheduler>("Scheduler", PointerValue(drr));
        nested->SetClasses({{3, 2}, {6, 7}});
        sent = Serve(*nested, 0b101100, alike, 400);
        NS_TEST_EXPECT_MSG_EQ(sent[5], 200000, "half");
        NS_TEST_EXPECT_MSG_EQ(sent[3], 100000, "half of the other half");
        NS_TEST_EXPECT_MSG_EQ(sent[2], 100000, "half of the other half");
        nested->OnEmpty(3); // 2 still has packets: the turn of data goes on
        sent = Serve(*nested, 0b100100, alike, 400);
        NS_TEST_EXPECT_MSG_EQ(sent[5], 200000, "half");
        NS_TEST_EXPECT_MSG_EQ(sent[2], 200000, "the channel that is left has all of the other");

        NS_TEST_EXPECT_MSG_EQ(scheduler->IgnoresLoneClass(), true, "strict: what is alone is free");
        NS_TEST_EXPECT_MSG_EQ(nested->IgnoresLoneClass(), false, "a round counts all");

        const auto plain = CreateObject<ChannelScheduler>();
        plain->SetClasses({});
        sent = Serve(*plain, 0b1100, alike, 10);
        NS_TEST_EXPECT_MSG_EQ(sent[3], 10000, "without lists strict priority");
    }
};

/// The scheduler.
const SuiteCases g_cases("dcfabric-queue-disc", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new ChannelSchedulerTestCase("virtual channels: equal shares by bytes"));
});

} // namespace ns3::tests::channel_scheduler_test
