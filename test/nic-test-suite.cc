// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-control.h"
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

namespace ns3
{
namespace tests
{

namespace
{

constexpr int64_t F = 86560;              //!< ps of a full packet
constexpr int64_t A = 9440;               //!< ps of an ACK
const auto DATA = FabricPacketType::DATA; //!< short name
const auto ACK = FabricPacketType::ACK;   //!< short name

/// @return when the packets of a message left @param tap who saw them @param tag of the message
std::vector<int64_t>
SendTimes(const PacketTap& tap, uint32_t tag)
{
    std::vector<int64_t> times;
    for (const auto& packet : tap.Of(DATA))
    {
        if (packet.data.tag == tag)
        {
            times.push_back(packet.sendTimePs);
        }
    }
    return times;
}

/// @return helper with a fixed window and rate @param window payload bytes @param rate bit/s
FabricHelper
WithRate(uint64_t window, double rate)
{
    FabricHelper helper;
    helper.SetCongestionControl(FixedCongestionControl::Name(),
                                "Window",
                                UintegerValue(window),
                                "Rate",
                                DoubleValue(rate));
    return helper;
}

/// @return the congestion control of a PDC that is not idle @param nic whose @param index which
Ptr<FixedCongestionControl>
ControlOf(const FabricNic& nic, std::size_t index)
{
    return DynamicCast<FixedCongestionControl>(
        nic.GetSendingPdcs().at(index)->GetCongestionControl());
}

/**
 * @ingroup dcfabric-tests
 * @brief PDCs take turns, packet by packet, whatever their number and the sizes of messages.
 */
class NicRoundRobinTestCase : public TestCase
{
  public:
    NicRoundRobinTestCase()
        : TestCase("PDCs take turns")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t N = 40;
        TestNetwork network(MakeStar(2));
        const Ptr<PacketTap> tap = AddTap(network, 2);
        for (uint32_t i = 0; i < N; ++i)
        {
            network.Nic(0).SendAt(0, 1, (i % 2 ? 100 : 200) * 1000, i);
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
 * @brief The spacing of packets at a rate, and of several PDCs at different rates.
 */
class NicPacingTestCase : public TestCase
{
  public:
    NicPacingTestCase()
        : TestCase("pacing")
    {
    }

  private:
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
            TestNetwork network(MakeStar(2), WithRate(UINT64_MAX, rate));
            const Ptr<PacketTap> tap = AddTap(network, 2);
            network.Nic(0).SendAt(500, 1, 20000, 1);
            Simulator::Run();
            const auto times = SendTimes(*tap, 1);
            NS_TEST_ASSERT_MSG_EQ(times.size(), 20, "packets");
            for (std::size_t i = 0; i < times.size(); ++i)
            {
                NS_TEST_EXPECT_MSG_EQ(times[i],
                                      500 + static_cast<int64_t>(i) * spacing,
                                      rate << " bit/s, packet " << i);
            }
        }

        // a short packet earns a short pause: 63 B = 504 bits at 1 Gb/s is 504 ns
        FabricHelper helper = WithRate(UINT64_MAX, 1e9);
        helper.SetNicAttribute("PayloadBytes", UintegerValue(1));
        TestNetwork network(MakeStar(2), helper);
        const Ptr<PacketTap> tap = AddTap(network, 2);
        network.Nic(0).SendAt(0, 1, 5, 1);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(SendTimes(*tap, 1).back(), 4 * 504000, "four pauses");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Paced PDCs whose times collide take turns; the wire is never asked for two at once.
 */
class NicPacedTogetherTestCase : public TestCase
{
  public:
    NicPacedTogetherTestCase()
        : TestCase("paced PDCs together")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t N = 9;
        TestNetwork network(MakeStar(2), WithRate(UINT64_MAX, 1e10));
        const Ptr<PacketTap> tap = AddTap(network, 2);
        for (uint32_t i = 0; i < N; ++i)
        {
            network.Nic(0).SendAt(0, 1, 50000, i);
        }
        Simulator::Run();
        // nine times 10 Gb/s: PDC i goes first at i F; as 9 F < 849.6 ns all keep their own time
        for (uint32_t i = 0; i < N; ++i)
        {
            const auto times = SendTimes(*tap, i);
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
class NicRateChangeTestCase : public TestCase
{
  public:
    NicRateChangeTestCase()
        : TestCase("rate changes while waiting")
    {
    }

  private:
    /// @return when the packets left @param changes times in ps and rates
    std::vector<int64_t> Run(const std::vector<std::pair<int64_t, double>>& changes)
    {
        TestNetwork network(MakeStar(2), WithRate(UINT64_MAX, 1e9));
        const Ptr<PacketTap> tap = AddTap(network, 2);
        network.Nic(0).SendAt(0, 1, 4000, 1);
        for (const auto& [atPs, rate] : changes)
        {
            const double to = rate;
            Simulator::Schedule(FabricTime::FromPs(atPs), [&network, to]() {
                ControlOf(network.Nic(0), 0)->Change(network.Nic(0).GetNowPs(), UINT64_MAX, to);
            });
        }
        Simulator::Run();
        const auto& c = network.Nic(0).GetCounters();
        NS_TEST_EXPECT_MSG_EQ(c.retransmitted + c.timeouts, 0, "no loss");
        return SendTimes(*tap, 1);
    }

    /// @brief Compare. @param changes times in ps and rates @param expected when packets leave
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
 * @brief PFC holds back one class at the NIC; others and the rest of its own go on afterwards.
 */
class NicPausedClassTestCase : public TestCase
{
  public:
    NicPausedClassTestCase()
        : TestCase("a paused class")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.AddClass(2);
        TestNetwork network(MakeStar(2), helper);
        const Ptr<PacketTap> tap = AddTap(network, 2);
        network.Nic(0).SendAt(0, 1, 20000, 1);    // class 3
        network.Nic(0).SendAt(0, 1, 20000, 2);    // class 3
        network.Nic(0).SendAt(0, 1, 20000, 3, 2); // class 2
        FabricNetDevice* port = network.Nic(0).GetPort(0);
        const int64_t pausePs = 1 * US;
        const int64_t resumePs = 20 * US;
        Simulator::Schedule(FabricTime::FromPs(pausePs), [port]() { port->SetPausedClasses(8); });
        Simulator::Schedule(FabricTime::FromPs(resumePs), [port]() { port->SetPausedClasses(0); });
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
        const auto first = SendTimes(*tap, 1);
        const auto second = SendTimes(*tap, 2);
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
class NicControlFirstTestCase : public TestCase
{
  public:
    NicControlFirstTestCase()
        : TestCase("control before data")
    {
    }

  private:
    void DoRun() override
    {
        for (const uint8_t control : {6, 3})
        {
            FabricHelper helper;
            helper.SetClasses(3, control);
            TestNetwork network(MakeStar(2), helper);
            const Ptr<PacketTap> tap = AddTap(network, 2);
            // host 1 sends all the time; an ACK waits for the packet on the wire, no longer
            network.Nic(1).SendAt(0, 0, 1000000, 1);
            network.Nic(0).SendAt(0, 1, 10000, 2);
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

/**
 * @ingroup dcfabric-tests
 * @brief NIC scheduling.
 */
class NicTestSuite : public TestSuite
{
  public:
    NicTestSuite()
        : TestSuite("dcfabric-nic", TestSuite::Type::UNIT)
    {
        AddTestCase(new NicRoundRobinTestCase);
        AddTestCase(new NicPacingTestCase);
        AddTestCase(new NicPacedTogetherTestCase);
        AddTestCase(new NicRateChangeTestCase);
        AddTestCase(new NicPausedClassTestCase);
        AddTestCase(new NicControlFirstTestCase);
    }
};

NicTestSuite g_nicTestSuite; //!< registers the suite

} // namespace

} // namespace tests
} // namespace ns3
