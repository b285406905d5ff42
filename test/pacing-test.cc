// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-control.h"
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
 * @brief Pacing: when a NIC lets packets go at a rate, worked out by hand.
 *
 * Links have 100 Gb/s and 1 us; a full packet takes F = 86,560 ps on the wire.
 */

namespace ns3::tests::pacing_test
{

using namespace by_hand;

/**
 * @param nic whose
 * @param index which
 * @return the congestion control of a PDC that is not idle
 */
Ptr<FixedCongestionControl>
ControlOf(const FabricNic& nic, std::size_t index)
{
    return DynamicCast<FixedCongestionControl>(
        nic.GetSendingPdcs().GetBusy().at(index)->GetCongestionControl());
}

/**
 * @ingroup dcfabric-tests
 * @brief The spacing of packets at a rate, and of several PDCs at different rates.
 */
class NicPacingTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // a frame of 1062 B = 8496 bits at 10 Gb/s: 849.6 ns; at 3 Gb/s: 2832 ns; at 7 Gb/s:
        // 1213.714285 ns, rounded down to the ps after each packet
        const std::vector<std::pair<double, int64_t>> spacings{{1e10, 849600},
                                                               {3e9, 2832000},
                                                               {7e9, 1213714},
                                                               {1e8, 84960000},
                                                               {1e11, F},
                                                               {2e11, F},
                                                               // 99 Gb/s asks for 85,818 ps,
                                                               // less than the wire with its gap
                                                               {99e9, F}};
        for (const auto& [rate, spacing] : spacings)
        {
            TestNetwork network(MakeStar(2), MakeFixed(UINT64_MAX, rate));
            const Ptr<PacketTap> tap = AddTap(network, 2);
            network.MessagesOf(0).SendAt(500, 1, 20000, 1);
            Simulator::Run();
            const auto times = tap->SendTimes(1);
            NS_TEST_ASSERT_MSG_EQ(times.size(), 20, "packets");
            for (std::size_t i = 0; i < times.size(); ++i)
            {
                NS_TEST_EXPECT_MSG_EQ(times[i],
                                      500 + static_cast<int64_t>(i) * spacing,
                                      rate << " bit/s, packet " << i);
            }
        }

        // a short packet earns a short pause: 63 B = 504 bits at 1 Gb/s is 504 ns
        FabricHelper helper = MakeFixed(UINT64_MAX, 1e9);
        helper.SetNicAttribute("PayloadBytes", UintegerValue(1));
        TestNetwork network(MakeStar(2), helper);
        const Ptr<PacketTap> tap = AddTap(network, 2);
        network.MessagesOf(0).SendAt(0, 1, 5, 1);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(tap->SendTimes(1).back(), 4 * 504000, "four pauses");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Paced PDCs whose times collide take turns; the wire is never asked for two at once.
 */
class NicPacedTogetherTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        constexpr uint32_t N = 9;
        TestNetwork network(MakeStar(2), MakeFixed(UINT64_MAX, 1e10));
        const Ptr<PacketTap> tap = AddTap(network, 2);
        for (uint32_t i = 0; i < N; ++i)
        {
            network.MessagesOf(0).SendAt(0, 1, 50000, i);
        }
        Simulator::Run();
        // nine times 10 Gb/s: PDC i goes first at i F; as 9 F < 849.6 ns all keep their own time
        for (uint32_t i = 0; i < N; ++i)
        {
            const auto times = tap->SendTimes(i);
            NS_TEST_ASSERT_MSG_EQ(times.size(), 50, "packets");
            for (uint32_t k = 0; k < 50; ++k)
            {
                NS_TEST_EXPECT_MSG_EQ(times[k], i * F + k * 849600, "PDC " << i << ", " << k);
            }
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A rate that changes while a PDC waits for its time.
 */
class NicRateChangeTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param changes times in ps and rates
     * @return when the packets left
     */
    std::vector<int64_t> Run(const std::vector<std::pair<int64_t, double>>& changes)
    {
        TestNetwork network(MakeStar(2), MakeFixed(UINT64_MAX, 1e9));
        const Ptr<PacketTap> tap = AddTap(network, 2);
        network.MessagesOf(0).SendAt(0, 1, 4000, 1);
        for (const auto& [atPs, rate] : changes)
        {
            const double to = rate;
            CallIn(FabricTime::FromPs(atPs), [&network, to]() {
                ControlOf(network.Nic(0), 0)->Change(network.Nic(0).GetNowPs(), UINT64_MAX, to);
            });
        }
        Simulator::Run();
        const auto& c = network.Nic(0).GetCounters();
        NS_TEST_EXPECT_MSG_EQ(c.retransmitted + c.timeouts, 0, "no loss");
        return tap->SendTimes(1);
    }

    /**
     * @brief Compare.
     * @param changes times in ps and rates
     * @param expected when packets leave
     */
    void Expect(const std::vector<std::pair<int64_t, double>>& changes,
                const std::vector<int64_t>& expected)
    {
        const auto times = Run(changes);
        NS_TEST_ASSERT_MSG_EQ(times.size(), expected.size(), "packets");
        for (std::size_t i = 0; i < times.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(times[i], expected[i], "packet " << i);
        }
    }

    void DoRun() override
    {
        // 1 Gb/s: 8.496 us; 2 Gb/s: 4.248 us; 0.5 Gb/s: 16.992 us
        Expect({}, {0, 8496000, 16992000, 25488000});
        // doubled at 1 us: the second packet is due at 4.248 us already
        Expect({{1 * US, 2e9}}, {0, 4248000, 8496000, 12744000});
        // doubled at 6 us: it has been due since 4.248 us and goes at once
        Expect({{6 * US, 2e9}}, {0, 6000000, 10248000, 14496000});
        // halved at 1 us: due at 16.992 us only; the old entry at 8.496 us must not send it
        Expect({{1 * US, 5e8}}, {0, 16992000, 33984000, 50976000});
        // doubled, halved and back while waiting: only the last word counts
        Expect({{1 * US, 2e9}, {2 * US, 5e8}, {3 * US, 1e9}}, {0, 8496000, 16992000, 25488000});
        // halved and doubled: the later entries must not bring it forward or hold it up
        Expect({{1 * US, 5e8}, {2 * US, 2e9}, {5 * US, 1e9}}, {0, 4248000, 12744000, 21240000});
        // line rate: at once, then back to back
        Expect({{1 * US, 1e11}}, {0, 1000000, 1000000 + F, 1000000 + 2 * F});
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief One timer serves all paced PDCs: the events of a packet do not depend on their number.
 */
class NicManyPacedTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param nPdcs number of PDCs
     * @return simulator events per data packet
     */
    double Run(uint32_t nPdcs)
    {
        // together they ask for half the wire
        TestNetwork network(MakeStar(2), MakeFixed(UINT64_MAX, 5e10 / nPdcs));
        const uint64_t before = Simulator::GetEventCount();
        for (uint32_t i = 0; i < nPdcs; ++i)
        {
            network.MessagesOf(0).SendAt(i * 7919, 1, 20 * 1000, i);
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), nPdcs, "all complete");
        return static_cast<double>(Simulator::GetEventCount() - before) / (20.0 * nPdcs);
    }

    void DoRun() override
    {
        const double few = Run(10);
        const double many = Run(3000);
        // a wake-up, two arrivals each of data and ACK, each ACK's own transmission
        NS_TEST_EXPECT_MSG_LT(few, 8, "events per packet");
        NS_TEST_EXPECT_MSG_LT(many, 1.2 * few, "as many with 3000 PDCs as with 10");
    }
};

/// Pacing.
const SuiteCases g_cases("dcfabric-pdc", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new NicPacingTestCase("pacing"));
    suite.AddTestCase(new NicPacedTogetherTestCase("paced PDCs together"));
    suite.AddTestCase(new NicRateChangeTestCase("rate changes while waiting"));
    suite.AddTestCase(new NicManyPacedTestCase("events of a packet with many PDCs"));
});

} // namespace ns3::tests::pacing_test
