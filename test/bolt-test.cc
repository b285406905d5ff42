// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-congestion.h"
#include "fabric-test-errors.h"
#include "fabric-test-incast.h"
#include "fabric-test-schedule.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"
#include "fabric-test-units.h"

#include "ns3/bolt-bits.h"
#include "ns3/bolt-congestion-control.h"
#include "ns3/bolt-feature.h"
#include "ns3/bts-packet.h"
#include "ns3/double.h"
#include "ns3/nstime.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <string>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Bolt: the window by hand, tokens and supply of a port by hand, networks.
 */

namespace ns3::tests::bolt_test
{

/**
 * @ingroup dcfabric-tests
 * @brief The sender. 100 Gb/s and T = 10 us: a BDP of 125,000 B; packets of 1000 B in frames of
 * 1062 B.
 */
class BoltSenderTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param cc the sender
     * @param offset of a packet of 1000 B in a message of 1,000,000 B
     * @return the bits that it gets
     */
    uint16_t Stamp(Ptr<CongestionControl> cc, uint64_t offset)
    {
        Ptr<FabricPacketItem> item = FabricPacketItem::Create(FabricPacketType::DATA);
        item->data.offset = offset;
        item->data.messageBytes = 1000000;
        item->data.payloadBytes = 1000;
        cc->Stamp(*item, 0);
        return item->pathId;
    }

    /**
     * @brief A switch tells of a queue in a link of 100 Gb/s.
     * @param cc who is told
     * @param nowPs when
     * @param bytes that wait
     * @param signals that are told
     */
    void Tell(Ptr<CongestionControl> cc,
              int64_t nowPs,
              uint32_t bytes,
              uint8_t signals = BackToSenderSignals::RATE | BackToSenderSignals::OCCUPANCY)
    {
        Ptr<FabricPacketItem> item = FabricPacketItem::Create(FabricPacketType::BTS);
        item->sendTimePs = nowPs - 4 * US;
        auto& told = item->Begin<BtsFields>();
        told.signals = signals;
        told.rateMbps = 100000;
        told.portBytes = bytes;
        BtsNotice notice;
        notice.nowPs = nowPs;
        notice.item = PeekPointer(item);
        cc->TellBts(notice);
    }

    /**
     * @brief An ACK arrives, 10 us after its packet left.
     * @param cc who gets it
     * @param nowPs when
     * @param bits that its packet had
     * @param cumulative,sent payload bytes
     */
    void Ack(Ptr<CongestionControl> cc,
             int64_t nowPs,
             uint16_t bits,
             uint64_t cumulative,
             uint64_t sent)
    {
        Ptr<FabricPacketItem> item = FabricPacketItem::Create(FabricPacketType::ACK);
        item->flags = FabricPacketItem::FLAG_INT;
        item->pathId = bits;
        AckInfo ack = MakePacketAck(nowPs, false, cumulative, sent, 10 * US);
        ack.item = PeekPointer(item);
        cc->Acknowledge(ack);
    }

    void DoRun() override
    {
        const auto cc = CreateObject<BoltCongestionControl>();
        cc->Start(MakePath(), nullptr);
        NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), 125000, "begins with the BDP");
        NS_TEST_EXPECT_MSG_EQ(cc->StampsData(), true, "packets have bits");
        NS_TEST_EXPECT_MSG_EQ(Stamp(cc, 0), BoltBits::FIRST, "before the first ACK");
        NS_TEST_EXPECT_MSG_EQ(Stamp(cc, 875000),
                              (BoltBits::FIRST | BoltBits::LAST),
                              "875,000 + 125,000: none will follow");
        Ptr<FabricPacketItem> probe = FabricPacketItem::Create(FabricPacketType::DATA);
        cc->Stamp(*probe, 0);
        NS_TEST_EXPECT_MSG_EQ(probe->pathId, 0, "a probe has nothing to say");
        Ack(cc, 10 * US, 0, 1000, 126000);
        NS_TEST_EXPECT_MSG_EQ(Stamp(cc, 874999), BoltBits::INCREASE, "asks for an increase");
        NS_TEST_EXPECT_MSG_EQ(Stamp(cc, 875000), BoltBits::LAST, "none will follow");

        // 10,620 B are ten packets. 125,000 B in 10 us are all of the link, and so of the queue:
        // ten packets in the 4 us in which the sender hears of it, one each 0.4 us.
        Tell(cc, 20 * US, 10620);
        NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), 124000, "the first at once");
        // now the share is 0.992: one packet each 4 / 9.92 = 0.4032 us
        Tell(cc, 20403000, 10620);
        NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), 124000, "too soon");
        Tell(cc, 20404000, 10620);
        NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), 123000, "the second");
        Tell(cc, 25 * US, 10620, BackToSenderSignals::RATE);
        Tell(cc, 25 * US, 0);
        NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), 123000, "nothing is told, or no queue");

        // an increase that was granted, one that was not, and one for the RTT that ends at 126,000
        Ack(cc, 26 * US, BoltBits::INCREASE, 50000, 200000);
        NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), 124000, "granted");
        Ack(cc, 26 * US, 0, 126000, 200000);
        NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), 124000, "not granted");
        Ack(cc, 26 * US, 0, 126001, 200000);
        NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), 125000, "one each RTT");
        Ack(cc, 26 * US, BoltBits::INCREASE, 127000, 200000);
        NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), 125000, "no more than the BDP");

        // a loss 9.6 us after the last decrease, and 10 us after it
        cc->TellLoss(30 * US, 1000);
        NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), 125000, "once an RTT");
        cc->TellLoss(30404000, 1000);
        NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), 62500, "half");
        cc->TellTimeout(41 * US);
        NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), 31250, "a time-out: half");
        cc->TellBts(MakeNotice(60 * US, true));
        NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), 15625, "a drop that is told: half");

        // a window of one packet: half each time, and packets are paced: 531 B in 10 us
        const auto small = CreateObject<BoltCongestionControl>();
        small->Start(MakePath(800000000), nullptr);
        NS_TEST_EXPECT_MSG_EQ(small->GetWindow(), 1000, "the BDP is a packet");
        Tell(small, 20 * US, 10620);
        NS_TEST_EXPECT_MSG_EQ(small->GetWindow(), 500, "half of a packet");
        NS_TEST_EXPECT_MSG_EQ_TOL(small->GetRate(), 424.8e6, 1, "paced");
        Tell(small, 20 * US, 10620);
        NS_TEST_EXPECT_MSG_EQ(small->GetWindow(), 250, "each notification counts");
        for (int i = 0; i < 10; ++i)
        {
            Tell(small, 20 * US, 10620);
        }
        NS_TEST_EXPECT_MSG_EQ(small->GetWindow(), 10, "MinWindow");

        PathInfo unknown = MakePath();
        unknown.bdpBytes = 0;
        DCFABRIC_EXPECT_REFUSAL(cc->Start(unknown, nullptr),
                                "ns3::BoltCongestionControl: needs a line rate and a base RTT "
                                "above zero");
    }
};

/// @return policies
FabricHelper
UseBolt()
{
    FabricHelper helper;
    helper.SetCongestionControl("ns3::BoltCongestionControl");
    helper.AddSwitchFeature("ns3::BoltFeature");
    return helper;
}

/**
 * @ingroup dcfabric-tests
 * @brief Tokens and supply of a port of 100 Gb/s, for packets of 1000 B.
 */
class BoltPortTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        TestNetwork network(MakeStar(3), UseBolt());
        const auto feature = network.fabric->GetSwitch(3)->GetFeature<BoltFeature>();
        const auto device = network.fabric->GetPort(3, 2);
        const auto pass = [&](uint16_t bits, FabricPacketType type = FabricPacketType::DATA) {
            Ptr<FabricPacketItem> item = FabricPacketItem::Create(type);
            item->size = 1000;
            item->flags = FabricPacketItem::FLAG_INT;
            item->ds = FabricPacketItem::MakeDs(3, 0);
            item->pathId = bits;
            feature->OnEnqueue(*device, *item);
            return item->pathId;
        };
        const auto expect = [&](double supply, uint32_t tokens, const std::string& what) {
            NS_TEST_EXPECT_MSG_EQ_TOL(feature->GetPort(2).supply, supply, 1e-6, what);
            NS_TEST_EXPECT_MSG_EQ(feature->GetPort(2).tokens, tokens, what << ": tokens");
        };
        CallIn(MicroSeconds(1), [&]() {
            // 12,500 B could have been sent, 1000 B came, 1000 B are granted
            NS_TEST_EXPECT_MSG_EQ(pass(BoltBits::INCREASE), BoltBits::INCREASE, "supply");
            expect(10500, 0, "supply");
            // the last packets of a window: not of the first one
            NS_TEST_EXPECT_MSG_EQ(pass(BoltBits::LAST), BoltBits::LAST, "as it is");
            pass(BoltBits::LAST | BoltBits::FIRST);
            expect(8500, 1, "proactive ramp-up");
            // a token goes before supply
            NS_TEST_EXPECT_MSG_EQ(pass(BoltBits::INCREASE), BoltBits::INCREASE, "token");
            expect(7500, 0, "token");
            for (int i = 0; i < 6; ++i)
            {
                pass(0, i % 2 == 0 ? FabricPacketType::DATA : FabricPacketType::ACK);
            }
            expect(1500, 0, "what arrives, of any kind");
            // 500 B are left, and then less than nothing
            NS_TEST_EXPECT_MSG_EQ(pass(BoltBits::INCREASE), 0, "no supply");
            expect(500, 0, "no supply");
            pass(0);
            expect(-500, 0, "a burst");
        });
        CallIn(MicroSeconds(101), [&]() {
            pass(0);
            expect(30000, 0, "MaxSupply");
            for (int i = 0; i < 300; ++i)
            {
                pass(BoltBits::LAST);
            }
            expect(30000 - 300 * 1000, 256, "MaxTokens");
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(feature->GetNotified(), 0, "there was no queue");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Networks: notifications, shares and queues, losses.
 */
class BoltNetworkTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief Long flows into one host.
     * @param n senders
     * @param delayPs of links
     */
    void Expect(uint32_t n, int64_t delayPs)
    {
        const int64_t rttUs = 4 * delayPs / US;
        Incast run(n, UseBolt(), 300 * rttUs, 400 * rttUs, 100 * GBPS, delayPs);
        run.Run();
        const std::string what = std::to_string(n) + " flows, " + std::to_string(rttUs) + " us";
        const double bdp = (4 * static_cast<double>(delayPs) / US + 0.19) * 12500;
        NS_TEST_EXPECT_MSG_GT(run.jain, 0.9, what << ": Jain's index");
        NS_TEST_EXPECT_MSG_GT(run.packetsPerUs * 0.08656, 0.95, what << ": utilization");
        // each flow adds a packet an RTT, whatever the network says; the rest is what is granted
        NS_TEST_EXPECT_MSG_LT(run.most, 0.5 * bdp + 4 * n * 1066, what << ": queue");
    }

    void DoRun() override
    {
        for (const int64_t delay : {US, 5 * US})
        {
            Expect(2, delay);
            Expect(64, delay);
        }

        // two hosts send 20 packets each at once: at most each packet is told of
        TestNetwork pair(MakeStar(3), UseBolt());
        pair.MessagesOf(0).SendAt(0, 2, 20000, 0);
        pair.MessagesOf(1).SendAt(0, 2, 20000, 1);
        Simulator::Run();
        const auto feature = pair.fabric->GetSwitch(3)->GetFeature<BoltFeature>();
        NS_TEST_EXPECT_MSG_GT(feature->GetNotified(), 20, "every other packet waits");
        NS_TEST_EXPECT_MSG_LT(feature->GetNotified(), 41, "once for each packet");
        NS_TEST_EXPECT_MSG_EQ(pair.Sum(&FabricNic::Counters::btsReceived),
                              feature->GetNotified(),
                              "all arrive");
        Simulator::Destroy();

        FabricHelper lossy = UseBolt();
        lossy.SetFlowControl("none");
        lossy.SetBuffer("ns3::SharedBuffer", "Size", UintegerValue(150000));
        const ShortIncast incast(lossy);
        const TestNetwork& network = incast.network;
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 16, "overflow: complete within 20 ms");
        NS_TEST_EXPECT_MSG_GT(network.Sum(&FabricNic::Counters::retransmitted), 0, "with losses");
        Simulator::Destroy();

        FabricHelper lack;
        lack.SetCongestionControl("ns3::BoltCongestionControl");
        NS_TEST_EXPECT_MSG_EQ(
            RefusalOf([&lack]() { TestNetwork network(MakeStar(3), lack); }),
            "ns3::BoltCongestionControl needs queues that tell of themselves, but "
            "the switches have no ns3::BoltFeature; add it with "
            "AddSwitchFeature()",
            "without the feature");
    }
};

/// Bolt.
const SuiteCases g_cases("dcfabric-bolt", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new BoltSenderTestCase("the window of a sender"));
    suite.AddTestCase(new BoltPortTestCase("tokens and supply of a port"));
    suite.AddTestCase(new BoltNetworkTestCase("notifications, shares and queues, losses"));
});

} // namespace ns3::tests::bolt_test
