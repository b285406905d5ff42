// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"

#include "ns3/nstime.h"
#include "ns3/packet-sequence.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <iostream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Losses of which switches tell the senders: an overflowing queue, and random ones.
 */

namespace ns3::tests::bts_loss_test
{

const char* const SELECTIVE = "ns3::SelectiveRepeat"; //!< short name
const char* const GO_BACK = "ns3::GoBackN";           //!< short name

/**
 * @ingroup dcfabric-tests
 * @brief A true queue that overflows.
 */
class OverflowTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        for (const std::string reliability : {SELECTIVE, GO_BACK})
        {
            // eight times 100 packets at line rate, and room for about 150
            FabricHelper helper;
            helper.SetReliability(reliability);
            helper.SetFlowControl("none");
            helper.SetBuffer("ns3::SharedBuffer", "Size", UintegerValue(160000));
            helper.AddSwitchFeature("ns3::WrebFeature");
            TestNetwork network(MakeStar(9), helper);
            for (uint32_t host = 0; host < 8; ++host)
            {
                network.MessagesOf(host).Send(8, 100000, host);
            }
            Simulator::Run();
            uint64_t drops = 0;
            for (const auto& [reason, count] : network.fabric->GetDrops())
            {
                drops += reason == DropReason::OUT_OF_ORDER ? 0 : count;
            }
            const uint64_t again = network.Sum(&FabricNic::Counters::retransmitted);
            NS_TEST_EXPECT_MSG_GT(drops, 100, reliability << ": it overflows");
            NS_TEST_EXPECT_MSG_EQ(network.delivered.size(), 8, reliability);
            // Under go-back-N a sender whose first packet is dropped again and again, here for
            // 105 us = 25 RTTs, waits no longer; and where a notice could be of a copy that was
            // given up it is taken to be, which the last packet of a message has to wait for.
            NS_TEST_EXPECT_MSG_LT_OR_EQ(network.Sum(&FabricNic::Counters::timeouts),
                                        (reliability == SELECTIVE ? 0 : 2),
                                        reliability);
            NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, reliability);
            if (reliability == SELECTIVE)
            {
                // a notice is always ahead of ACKs, which wait behind the queue that it is about
                NS_TEST_EXPECT_MSG_EQ(again, drops, "nothing needlessly");
            }
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Random loss, told or not, late, twice or falsely: delivery stays exact.
 */
class RandomNoticeTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param n above it
     * @return a random number
     */
    uint32_t Draw(uint32_t n)
    {
        return static_cast<uint32_t>(m_random() % n);
    }

    void DoRun() override
    {
        const uint32_t seed = 41;
        std::cout << "dcfabric-bts-loss: seed " << seed << std::endl;
        m_random.seed(seed);
        uint64_t drops = 0;
        for (uint32_t run = 0; run < 300; ++run)
        {
            drops += RunOnce(run);
        }
        NS_TEST_EXPECT_MSG_GT(drops, 1000, "something was lost");
    }

    /**
     * @param run number
     * @return packets lost
     */
    uint64_t RunOnce(uint32_t run)
    {
        const uint32_t hosts = 2 + Draw(4);
        const uint32_t loss = Draw(20);                                        // percent
        const uint32_t told = std::vector<uint32_t>{100, 100, 70, 0}[Draw(4)]; // percent
        const uint32_t lateUs = std::vector<uint32_t>{0, 0, 5, 100}[Draw(4)];
        const uint32_t twice = std::vector<uint32_t>{0, 0, 20}[Draw(3)]; // percent
        const uint32_t wrong = std::vector<uint32_t>{0, 0, 2}[Draw(3)];  // percent
        const std::string reliability = Draw(2) ? SELECTIVE : GO_BACK;
        const bool bts = Draw(2);
        const uint32_t every = 1 + Draw(3);
        const uint32_t initial = Draw(2) ? PacketSequence::MASK - Draw(20) : 0;
        std::ostringstream text;
        text << "run " << run << ": hosts " << hosts << " loss " << loss << " told " << told
             << " late " << lateUs << " twice " << twice << " wrong " << wrong << " " << reliability
             << " bts " << bts << " every " << every << " initial " << initial;

        FabricHelper helper;
        helper.SetReliability(reliability);
        helper.SetNicAttribute("AckTimeout", TimeValue(MicroSeconds(50)));
        helper.SetNicAttribute("AckEvery", UintegerValue(every));
        helper.SetNicAttribute("InitialPsn", UintegerValue(initial));
        if (bts)
        {
            helper.SetCongestionControl("ns3::BtsCongestionControl");
            helper.AddSwitchFeature("ns3::WrebFeature");
        }
        TestNetwork network(MakeStar(hosts), helper);
        const Ptr<PacketTap> tap = AddTap(network, hosts);
        uint64_t drops = 0;
        tap->SetRule([&](FabricPacketItem& item) {
            if (item.type != FabricPacketType::DATA)
            {
                return item.type != FabricPacketType::ACK || Draw(100) >= loss / 4;
            }
            const int64_t nowPs = network.fabric->GetSwitch(hosts)->GetNowPs();
            const bool goes = Draw(100) >= loss;
            for (bool tells = goes ? Draw(100) < wrong : Draw(100) < told; tells;
                 tells = Draw(100) < twice)
            {
                const int64_t atPs = nowPs + (lateUs > 0 ? Draw(lateUs) * US : 0);
                SendNotice(*tap, item.psn, item.data.sourcePdc, atPs, NoticeOfDrop(), item.src);
            }
            drops += !goes;
            return goes;
        });
        const uint32_t messages = 1 + Draw(6);
        uint64_t packets = 0;
        std::vector<uint64_t> bytes;
        for (uint32_t i = 0; i < messages; ++i)
        {
            const uint32_t src = Draw(hosts);
            const uint32_t dst = (src + 1 + Draw(hosts - 1)) % hosts;
            bytes.push_back(1 + Draw(60000));
            packets += (bytes.back() + 999) / 1000;
            network.MessagesOf(src).SendAt(Draw(20) * US, dst, bytes.back(), i);
        }
        Simulator::Stop(Seconds(10));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.delivered.size(), messages, text.str());
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), messages, text.str());
        for (uint32_t i = 0; i < messages; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(TestNetwork::Find(network.delivered, i).bytes,
                                  bytes[i],
                                  text.str());
        }
        NS_TEST_EXPECT_MSG_EQ(network.Sum(&FabricNic::Counters::dataDelivered),
                              packets,
                              text.str());
        NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, text.str());
        return drops;
    }

    std::mt19937_64 m_random; //!< of everything
};

/// Losses that are told.
const SuiteCases g_cases("dcfabric-bts", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new OverflowTestCase(
        "an incast into a small memory: each drop sends its packet again, once"));
    suite.AddTestCase(new RandomNoticeTestCase("random drops, of which some are told"));
});

} // namespace ns3::tests::bts_loss_test
