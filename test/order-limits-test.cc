// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"

#include "ns3/config.h"
#include "ns3/order-limits.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief NICs that keep track of a few packets out of order.
 */

namespace ns3::tests::order_limits_test
{

using namespace by_hand;

/**
 * @ingroup dcfabric-tests
 * @brief Holes are those that one counts.
 */
class HolesTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        constexpr uint32_t SEED = 5;
        constexpr uint64_t FIRST = 1000;
        constexpr uint32_t PACKETS = 40;
        std::mt19937 random(SEED);
        for (int round = 0; round < 50; ++round)
        {
            std::vector<uint64_t> order(PACKETS);
            for (uint32_t i = 0; i < PACKETS; ++i)
            {
                order[i] = FIRST + i;
            }
            std::shuffle(order.begin(), order.end(), random);
            ReceiveWindow window(FIRST);
            int holes = 0;
            for (const uint64_t seq : order)
            {
                holes += OrderLimits::CountNewHoles(window, seq);
                window.Arrive(seq);
                int counted = 0;
                for (uint64_t s = FIRST; s + 1 < window.GetHighest(); ++s)
                {
                    counted += !window.HasArrived(s) && window.HasArrived(s + 1);
                }
                NS_TEST_ASSERT_MSG_EQ(holes, counted, "seed " << SEED << ", round " << round);
            }
            NS_TEST_ASSERT_MSG_EQ(holes, 0, "nothing is missing");
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief One path, by hand: packets leave one after the other, in F each, and take an RTT.
 */
class LimitsNetworkTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief Send 20 packets.
     * @param ahead MaxAhead
     * @param holes MaxHoles
     * @param which lost copies
     * @param endPs when all is acknowledged
     * @param drops packets that the receiver does not take
     */
    void ExpectEnd(uint32_t ahead,
                   uint32_t holes,
                   const std::vector<std::pair<uint32_t, uint32_t>>& which,
                   int64_t endPs,
                   uint64_t drops)
    {
        Config::SetDefault("ns3::FabricNic::MaxAhead", UintegerValue(ahead));
        Config::SetDefault("ns3::FabricNic::MaxHoles", UintegerValue(holes));
        FabricHelper helper;
        helper.SetFlowControl("none");
        helper.SetCongestionControl("ns3::NoCongestionControl");
        helper.SetReliability("ns3::SelectiveRepeat", "ReorderThreshold", UintegerValue(1));
        TestNetwork network(MakeStar(2), helper);
        AddTap(network, 2)->SetRule(LoseCopies(DATA, which));
        network.MessagesOf(0).SendAt(0, 1, 20000, 1);
        Simulator::Run();
        const std::string what = "ahead " + std::to_string(ahead) + ", holes " +
                                 std::to_string(holes) + ", lost " + std::to_string(which.size());
        NS_TEST_EXPECT_MSG_EQ(TestNetwork::Find(network.completed, 1).nowPs, endPs, what);
        const DropCounts lost = network.Nic(1).GetDrops();
        const auto found = lost.find(DropReason::OUT_OF_ORDER);
        const uint64_t dropped = found == lost.end() ? 0 : found->second;
        NS_TEST_EXPECT_MSG_EQ(dropped, drops, what);
        NS_TEST_EXPECT_MSG_EQ(network.Nic(0).GetCounters().retransmitted,
                              which.size() + drops,
                              what);
        NS_TEST_EXPECT_MSG_EQ(network.Nic(0).GetCounters().timeouts, 0, what);
        NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, what);
        Config::Reset();
    }

    void DoRun() override
    {
        // Without limits 5 goes again with the ACK of 6.
        ExpectEnd(0, 0, {{5, 1}}, 6 * F + 2 * RTT, 0);
        // 6, 7 and 8 are kept, 9 to 19 are not. With the ACK of the second copy of 5 these are
        // known to be lost, for they left before it, and go again in 11 F.
        ExpectEnd(3, 0, {{5, 1}}, 16 * F + 3 * RTT, 11);
        // 19 is 14 packets behind 5
        ExpectEnd(14, 0, {{5, 1}}, 6 * F + 2 * RTT, 0);
        ExpectEnd(13, 0, {{5, 1}}, 6 * F + 3 * RTT, 1);
        // one hole: 11, behind a second one, is not kept, and so on to 19
        ExpectEnd(0, 1, {{5, 1}}, 6 * F + 2 * RTT, 0);
        ExpectEnd(0, 1, {{5, 1}, {10, 1}}, 15 * F + 3 * RTT, 9);
        ExpectEnd(0, 2, {{5, 1}, {10, 1}}, 11 * F + 2 * RTT, 0);
        // in order nothing is limited
        ExpectEnd(1, 1, {}, 19 * F + RTT, 0);
    }
};

/// Limits of order.
const SuiteCases g_cases("dcfabric-order-limits", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new HolesTestCase("holes are counted as packets arrive"));
    suite.AddTestCase(new LimitsNetworkTestCase("what is too far out of order is dropped"));
});

} // namespace ns3::tests::order_limits_test
