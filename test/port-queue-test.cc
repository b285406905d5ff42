// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-network.h"
#include "fabric-test-schedule.h"
#include "fabric-test-suite.h"

#include "ns3/config.h"
#include "ns3/fabric-helper.h"
#include "ns3/string.h"
#include "ns3/test.h"

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief A port and its queue disc: lengths, discs that throw packets away, discs that hold them
 * back.
 */

namespace ns3::tests::port_queue_test
{

/**
 * @ingroup dcfabric-tests
 * @brief Length of the queue and its time average.
 */
class QueueLengthTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // 100 Gb/s, gap 20: frames of 980 B take 80 ns. Four at 0: 2940 B wait until 80 ns, 1960
        // until 160, 980 until 240. Read at 320 ns, when the last has gone: 80 x 5880 / 320 = 1470.
        TestLink link(100 * GBPS, NanoSeconds(1));
        for (int i = 0; i < 4; ++i)
        {
            link.leftPort->Enqueue(MakeData(980));
        }
        const auto check = [this, &link](uint32_t bytes, double mean) {
            NS_TEST_EXPECT_MSG_EQ(link.leftPort->GetQueue().GetBytes(), bytes, "bytes");
            NS_TEST_EXPECT_MSG_EQ(link.leftPort->GetQueue().GetClassBytes(3),
                                  bytes,
                                  "bytes of the class");
            NS_TEST_EXPECT_MSG_EQ_TOL(link.leftPort->GetQueue().GetMeanBytes(), mean, 1e-9, "mean");
        };
        check(2940, 0);
        CallIn(NanoSeconds(40), [check]() { check(2940, 2940); });
        CallIn(NanoSeconds(120), [check]() { check(1960, (80 * 2940 + 40 * 1960) / 120.0); });
        CallIn(NanoSeconds(320), [check]() { check(0, 1470); });
        CallIn(NanoSeconds(640), [&]() {
            check(0, 735);
            // since 240 ns nothing has happened
            NS_TEST_EXPECT_MSG_EQ_TOL(link.leftPort->GetQueue().GetMeanBytes(320000),
                                      1470,
                                      1e-9,
                                      "up to 320 ns");
        });
        Simulator::Run();
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Bytes sent, in the middle of a packet.
 */
class SentBytesTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // 1000 B a packet with gap, which goes first: after 40 ns 500 B, 480 of them frame.
        TestLink link(100 * GBPS, NanoSeconds(1));
        link.leftPort->Enqueue(MakeData(980));
        link.leftPort->Enqueue(MakeData(980));
        const std::vector<std::pair<int64_t, uint64_t>> expected =
            {{0, 0}, {1, 0}, {1600, 0}, {1680, 1}, {40000, 480}, {79920, 979}, {80000, 980}};
        for (const auto& [timePs, bytes] : expected)
        {
            NS_TEST_EXPECT_MSG_EQ(link.leftPort->GetSentBytes(timePs), bytes, timePs << " ps");
        }
        CallIn(NanoSeconds(120), [&]() {
            NS_TEST_EXPECT_MSG_EQ(link.leftPort->GetSentBytes(120000), 1460, "second packet");
            NS_TEST_EXPECT_MSG_EQ(link.leftPort->GetCounters().txBytes, 1960, "whole packets");
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(link.leftPort->GetSentBytes(1000000), 1960, "in the end");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Packets that a disc accepts and throws away later.
 */
class ThrowingDiscTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param root TypeId of the root disc
     * @param child of its classes, empty for the default
     */
    void Overload(const std::string& root, const std::string& child)
    {
        FabricHelper helper;
        helper.SetFlowControl("none");
        helper.SetNicAttribute("AckTimeout", TimeValue(MicroSeconds(300)));
        if (child.empty())
        {
            helper.SetQueueDisc(root);
        }
        else
        {
            helper.SetQueueDisc(root, "ClassQueueDisc", StringValue(child));
        }
        Config::SetDefault("ns3::CoDelQueueDisc::Interval", StringValue("30us"));
        Config::SetDefault("ns3::CoDelQueueDisc::Target", StringValue("2us"));
        Config::SetDefault("ns3::FqCoDelQueueDisc::Interval", StringValue("30us"));
        Config::SetDefault("ns3::FqCoDelQueueDisc::Target", StringValue("2us"));
        Config::SetDefault("ns3::FqCoDelQueueDisc::MaxSize", StringValue("100p"));
        Ptr<Fabric> fabric = helper.Install(
            MakeStar({100 * GBPS, 100 * GBPS, 100 * GBPS, 100 * GBPS, 10 * GBPS}, 1000000));
        uint32_t delivered = 0;
        fabric->GetNic(4)->GetMessages().SetDeliveredCallback(
            [&](const FabricMessageEvent&) { ++delivered; });
        for (uint32_t i = 0; i < 4; ++i)
        {
            fabric->GetNic(i)->GetMessages().Send(4, 400000, i);
        }
        for (int us = 20; us < 2000; us += 20)
        {
            CallIn(MicroSeconds(us), [&]() {
                NS_TEST_EXPECT_MSG_EQ(fabric->CheckConservation().Holds(), true, root << child);
                // the switch's memory holds what its queues hold
                uint64_t queued = 0;
                for (uint16_t port = 0; port < 5; ++port)
                {
                    queued += fabric->GetPort(5, port)->GetQueue().GetBytes();
                }
                NS_TEST_EXPECT_MSG_EQ(fabric->GetSwitch(5)->GetBuffer()->GetUsedBytes(),
                                      queued,
                                      "memory, " << root << child);
            });
        }
        Simulator::Stop(Seconds(2));
        Simulator::Run();
        const uint64_t refused = fabric->GetDrops()[DropReason::QUEUE_DISC];
        NS_TEST_EXPECT_MSG_GT(refused, 0, "drops of " << root << child);
        NS_TEST_EXPECT_MSG_EQ(fabric->GetPort(5, 4)->GetCounters().queueDrops,
                              refused,
                              "counted at the port, too");
        NS_TEST_EXPECT_MSG_EQ(delivered, 4, "all messages arrive, " << root << child);
        NS_TEST_EXPECT_MSG_EQ(fabric->CheckConservation().Holds(), true, "in the end");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetPort(5, 4)->GetQueue().GetBytes(), 0, "empty");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetSwitch(5)->GetBuffer()->GetUsedBytes(), 0, "empty");
        Config::Reset();
        Simulator::Destroy();
    }

    void DoRun() override
    {
        Overload("ns3::CoDelQueueDisc", "");
        Overload("ns3::FqCoDelQueueDisc", "");
        Overload("ns3::CongestionAwareQueueDisc", "ns3::CoDelQueueDisc");
        Overload("ns3::CongestionAwareQueueDisc", "ns3::FqCoDelQueueDisc");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A disc that is not work-conserving.
 */
class HoldingDiscTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        for (const bool root : {true, false})
        {
            FabricHelper helper;
            helper.SetFlowControl("none");
            if (root)
            {
                helper.SetQueueDisc("ns3::TbfQueueDisc", "Burst", UintegerValue(3000));
            }
            else
            {
                helper.SetQueueDisc("ns3::CongestionAwareQueueDisc",
                                    "ClassQueueDisc",
                                    StringValue("ns3::TbfQueueDisc"));
                Config::SetDefault("ns3::TbfQueueDisc::Burst", UintegerValue(3000));
            }
            Ptr<Fabric> fabric = helper.Install(MakeStar({100 * GBPS, 100 * GBPS}, 1000000));
            fabric->GetNic(0)->GetMessages().Send(1, 100000, 0);
            DCFABRIC_EXPECT_REFUSAL(Simulator::Run(), "node 2 port 1 holds packets back");
            Config::Reset();
            Simulator::Destroy();
        }
    }
};

/// Ports and queue discs.
const SuiteCases g_cases("dcfabric-queue-disc", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new QueueLengthTestCase("queued bytes, and their average over time"));
    suite.AddTestCase(new SentBytesTestCase("bytes sent grow while a packet is on the wire"));
    suite.AddTestCase(new ThrowingDiscTestCase(
        "packets that a disc throws away after accepting them are counted, their room "
        "is given back"));
    suite.AddTestCase(new HoldingDiscTestCase(
        "a disc that holds packets back from a free wire is refused, and nothing hangs"));
});

} // namespace ns3::tests::port_queue_test
