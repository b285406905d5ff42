// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-schedule.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"

#include "ns3/test.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief How a NIC divides its wire among packet delivery contexts, worked out by hand.
 *
 * Links have 100 Gb/s and 1 us; a full packet takes F = 86,560 ps, an ACK A = 9,440 ps on the wire.
 */

namespace ns3::tests::nic_test
{

using namespace by_hand;

/**
 * @ingroup dcfabric-tests
 * @brief PDCs take turns, packet by packet, whatever their number and the sizes of messages.
 */
class NicRoundRobinTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        constexpr uint32_t N = 40;
        TestNetwork network(MakeStar(2));
        const Ptr<PacketTap> tap = AddTap(network, 2);
        for (uint32_t i = 0; i < N; ++i)
        {
            network.MessagesOf(0).SendAt(0, 1, (i % 2 ? 100 : 200) * 1000, i);
        }
        Simulator::Run();
        // no gap on the wire; the shares never differ by more than one packet
        std::vector<uint32_t> sent(N, 0);
        uint32_t i = 0;
        for (const auto& packet : tap->Of(DATA))
        {
            NS_TEST_EXPECT_MSG_EQ(packet.sendTimePs, i * F, "packet " << i);
            ++sent[packet.data.tag];
            const auto [least, most] = std::minmax_element(sent.begin(), sent.end());
            if (i >= N && i < N * 100)
            {
                NS_TEST_EXPECT_MSG_EQ((*most - *least <= 2), true, "shares at packet " << i);
            }
            ++i;
        }
        NS_TEST_EXPECT_MSG_EQ(i, N * 150, "all packets");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief PFC holds back one class at the NIC; others and the rest of its own go on afterwards.
 */
class NicPausedClassTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        FabricHelper helper;
        helper.AddClass(2);
        TestNetwork network(MakeStar(2), helper);
        const Ptr<PacketTap> tap = AddTap(network, 2);
        network.MessagesOf(0).SendAt(0, 1, 20000, 1);    // class 3
        network.MessagesOf(0).SendAt(0, 1, 20000, 2);    // class 3
        network.MessagesOf(0).SendAt(0, 1, 20000, 3, 2); // class 2
        FabricNetDevice* port = network.Nic(0).GetPort(0);
        const int64_t pausePs = 1 * US;
        const int64_t resumePs = 20 * US;
        CallIn(FabricTime::FromPs(pausePs), [port]() { port->SetPausedClasses(8); });
        CallIn(FabricTime::FromPs(resumePs), [port]() { port->SetPausedClasses(0); });
        Simulator::Run();
        std::string classes;
        for (const auto& packet : tap->Of(DATA))
        {
            classes += std::to_string(packet.priority);
            const bool paused = packet.sendTimePs > pausePs && packet.sendTimePs < resumePs;
            NS_TEST_EXPECT_MSG_EQ((paused && packet.priority == 3), false, "class 3 is held back");
        }
        // 12 packets have begun by 1 us (11 F = 0.952 us): 1, then in turn 1 2 3 1 2 3 1 2 3 1 2;
        // of class 2 the other 17 follow, then class 3 goes on
        NS_TEST_EXPECT_MSG_EQ(classes,
                              "333233233233" + std::string(17, '2') + std::string(31, '3'),
                              "order");
        const auto first = tap->SendTimes(1);
        const auto second = tap->SendTimes(2);
        NS_TEST_EXPECT_MSG_EQ(std::max(first.back(), second.back()),
                              resumePs + 30 * F,
                              "back to back after the pause");
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 3, "all complete");
        NS_TEST_EXPECT_MSG_EQ(network.Sum(&FabricNic::Counters::retransmitted), 0, "no loss");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief ACKs go before data that waits, in a class of their own or in the data class.
 */
class NicControlFirstTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        for (const uint8_t control : {6, 3})
        {
            FabricHelper helper;
            helper.SetClasses(3, control);
            TestNetwork network(MakeStar(2), helper);
            const Ptr<PacketTap> tap = AddTap(network, 2);
            // host 1 sends all the time; an ACK waits for the packet on the wire, no longer
            network.MessagesOf(1).SendAt(0, 0, 1000000, 1);
            network.MessagesOf(0).SendAt(0, 1, 10000, 2);
            Simulator::Run();
            uint32_t seen = 0;
            for (const auto& packet : tap->Of(ACK))
            {
                if (packet.src != 1)
                {
                    continue;
                }
                NS_TEST_EXPECT_MSG_EQ(packet.priority, control, "class of ACKs");
                // packet i is at the receiver at (i + 2) F + 2 us, its ACK at the switch A + 1 us
                // later if the wire is free, else at most F after that; behind other ACKs none
                const int64_t freePs = (packet.ack.triggerPsn + 2) * F + A + 3 * US;
                NS_TEST_EXPECT_MSG_EQ((packet.nowPs >= freePs && packet.nowPs <= freePs + F),
                                      true,
                                      "ACK of " << packet.ack.triggerPsn);
                ++seen;
            }
            NS_TEST_EXPECT_MSG_EQ(seen, 10, "ACKs");
        }
    }
};

/// NIC scheduling.
const SuiteCases g_cases("dcfabric-pdc", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new NicRoundRobinTestCase("PDCs take turns"));
    suite.AddTestCase(new NicPausedClassTestCase("a paused class"));
    suite.AddTestCase(new NicControlFirstTestCase("control before data"));
});

} // namespace ns3::tests::nic_test
