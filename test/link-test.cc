// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-network.h"
#include "fabric-test-schedule.h"
#include "fabric-test-suite.h"

#include "ns3/fabric-helper.h"
#include "ns3/test.h"

#include <random>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Arrival times on links, exact to the picosecond, whatever the resolution.
 */

namespace ns3::tests::link_test
{

/// Holds bytes x 8e12.
__extension__ typedef unsigned __int128 Wide;

/**
 * @ingroup dcfabric-tests
 * @brief Three packets back to back at every line rate.
 */
class LineRateTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // ps a byte: 8000 / (Gb/s)
        const std::vector<std::pair<uint64_t, int64_t>> rates = {{10, 800},
                                                                 {25, 320},
                                                                 {40, 200},
                                                                 {50, 160},
                                                                 {100, 80},
                                                                 {200, 40},
                                                                 {400, 20},
                                                                 {800, 10}};
        for (const auto& [gbps, psPerByte] : rates)
        {
            for (const int64_t gap : {0, 20})
            {
                // 1 us of delay; frames of 1518, 64 and 1000 B queued at 0: the last bits leave
                // after 1518 + g, 1582 + 2g and 2582 + 3g bytes
                TestLink link(gbps * GBPS, MicroSeconds(1), static_cast<uint32_t>(gap));
                for (const uint32_t size : {1518, 64, 1000})
                {
                    link.leftPort->Enqueue(MakeData(size, size));
                }
                NS_TEST_EXPECT_MSG_EQ(link.leftPort->GetBusyUntilPs(),
                                      (1518 + gap) * psPerByte,
                                      "the first went at once");
                NS_TEST_EXPECT_MSG_EQ(link.leftPort->GetQueue().GetBytes(), 1064, "two wait");
                Simulator::Run();
                const auto& got = link.right->arrivals;
                NS_TEST_ASSERT_MSG_EQ(got.size(), 3, "arrivals");
                const int64_t bytes[] = {1518 + gap, 1582 + 2 * gap, 2582 + 3 * gap};
                for (int i = 0; i < 3; ++i)
                {
                    const int64_t expected = bytes[i] * psPerByte + 1000000;
                    NS_TEST_EXPECT_MSG_EQ(got[i].timePs,
                                          expected,
                                          gbps << " Gb/s, gap " << gap << ", packet " << i);
                    NS_TEST_EXPECT_MSG_EQ(got[i].now,
                                          FabricTime::FromPs(expected),
                                          "handled in the first tick not before");
                }
                NS_TEST_EXPECT_MSG_EQ(link.leftPort->GetCounters().txBytes, 2582, "no gaps");
                NS_TEST_EXPECT_MSG_EQ(link.rightPort->GetCounters().rxDataPackets, 3, "hops");
                Simulator::Destroy();
            }
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Rates without whole picoseconds a byte.
 */
class OddRateTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // 1000 B at 3 Gb/s: 8000/3 x 1000 = 2,666,666 2/3 ps; three take exactly 8 us.
        {
            TestLink link(3 * GBPS, NanoSeconds(1), 0);
            for (int i = 0; i < 6; ++i)
            {
                link.leftPort->Enqueue(MakeData(1000));
            }
            Simulator::Run();
            const int64_t expected[] = {2666666, 5333333, 8000000, 10666666, 13333333, 16000000};
            for (int i = 0; i < 6; ++i)
            {
                NS_TEST_EXPECT_MSG_EQ(link.right->arrivals.at(i).timePs,
                                      expected[i] + 1000,
                                      "3 Gb/s, packet " << i);
            }
            Simulator::Destroy();
        }
        // Any sizes: packet n ends after floor(bytes so far x 8e12 / rate) ps, to the last one.
        constexpr uint32_t SEED = 7;
        std::mt19937 random(SEED);
        for (const uint64_t rate :
             {3 * GBPS, 7 * GBPS, 11 * GBPS, 103 * GBPS, 12345678901UL, 999999937UL})
        {
            TestLink link(rate, NanoSeconds(500));
            std::vector<Wide> ends;
            Wide bytes = 0;
            for (int i = 0; i < 2000; ++i)
            {
                const uint32_t size = 64 + random() % 9000;
                bytes += size + 20;
                ends.push_back(bytes * 8000000000000U / rate);
                link.leftPort->Enqueue(MakeData(size));
            }
            Simulator::Run();
            NS_TEST_ASSERT_MSG_EQ(link.right->arrivals.size(), ends.size(), "all arrive");
            for (std::size_t i = 0; i < ends.size(); ++i)
            {
                NS_TEST_ASSERT_MSG_EQ(link.right->arrivals[i].timePs,
                                      static_cast<int64_t>(ends[i]) + 500000,
                                      rate << " bit/s, packet " << i << ", seed " << SEED);
            }
            Simulator::Destroy();
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A wire that runs idle.
 */
class IdleWireTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // 100 Gb/s, gap 20: 980 B take 80 ns. Queued at 1000 ns (idle), 1079 ns (busy, waits one
        // ns), 1160 ns (free that very moment), 2000 ns (idle again).
        TestLink link(100 * GBPS, NanoSeconds(10));
        for (const int64_t ns : {1000, 1079, 1160, 2000})
        {
            CallIn(NanoSeconds(ns), [&link]() { link.leftPort->Enqueue(MakeData(980)); });
        }
        Simulator::Run();
        const int64_t expected[] = {1090000, 1170000, 1250000, 2090000};
        for (int i = 0; i < 4; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(link.right->arrivals.at(i).timePs, expected[i], "packet " << i);
        }
        NS_TEST_EXPECT_MSG_EQ(link.leftPort->GetLink().GetNPackets(), 0, "nothing on its way back");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Both directions at once.
 */
class FullDuplexTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        TestLink link(100 * GBPS, NanoSeconds(1));
        link.leftPort->Enqueue(MakeData(980));
        link.rightPort->Enqueue(MakeData(1980));
        NS_TEST_EXPECT_MSG_EQ(link.rightPort->GetLink().GetNPackets(), 1, "towards the right");
        NS_TEST_EXPECT_MSG_EQ(link.leftPort->GetLink().GetNPackets(), 1, "towards the left");
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(link.right->arrivals.at(0).timePs, 81000, "80 ns + delay");
        NS_TEST_EXPECT_MSG_EQ(link.left->arrivals.at(0).timePs, 161000, "160 ns + delay");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Whole packets over several hops.
 */
class StoreAndForwardTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param rates of the links in Gb/s
     * @param sizes of messages
     * @return arrivals of the messages in ps
     */
    std::vector<int64_t> Deliver(std::vector<uint64_t> rates, const std::vector<uint64_t>& sizes)
    {
        for (auto& rate : rates)
        {
            rate *= GBPS;
        }
        FabricHelper helper;
        Ptr<Fabric> fabric = helper.Install(MakeChain(rates, 1000000));
        std::vector<int64_t> times;
        fabric->GetNic(1)->GetMessages().SetDeliveredCallback(
            [&times](const FabricMessageEvent& event) { times.push_back(event.nowPs); });
        for (uint32_t i = 0; i < sizes.size(); ++i)
        {
            fabric->GetNic(0)->GetMessages().Send(1, sizes[i], i);
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(fabric->CheckConservation().Holds(), true, "conservation");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetDrops().empty(), true, "drops");
        Simulator::Destroy();
        return times;
    }

    void DoRun() override
    {
        // 1000 B of payload: 1062 + 20 B on the wire, 86,560 ps at 100 Gb/s, and 1 us of delay
        for (int64_t hops = 1; hops <= 6; ++hops)
        {
            const std::vector<uint64_t> rates(static_cast<std::size_t>(hops), 100);
            const auto times = Deliver(rates, {1000});
            NS_TEST_EXPECT_MSG_EQ(times.at(0), hops * 1086560, hops << " hops");
        }
        // 100, 25, 100 Gb/s: 86,560 + 346,240 + 86,560 + 3 us
        NS_TEST_EXPECT_MSG_EQ(Deliver({100, 25, 100}, {1000}).at(0), 3519360, "slow in the middle");
        // Ten packets: 86,560 + 10 x 346,240 + 86,560 + 3 us: they queue before the slow link.
        NS_TEST_EXPECT_MSG_EQ(Deliver({100, 25, 100}, {10000}).at(0),
                              6635520,
                              "behind one another");
        // 25, 100: the slow link comes first, nothing queues: 10 x 346,240 + 86,560 + 2 us.
        NS_TEST_EXPECT_MSG_EQ(Deliver({25, 100}, {10000}).at(0), 5548960, "slow first");
        // 1 B of payload: 63 + 20 B, 6640 ps a hop.
        NS_TEST_EXPECT_MSG_EQ(Deliver({100, 100}, {1}).at(0), 2013280, "smallest");
    }
};

/// Links.
const SuiteCases g_cases("dcfabric-link", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(
        new LineRateTestCase("back-to-back arrivals from 10 to 800 Gbps, with and without gap"));
    suite.AddTestCase(new OddRateTestCase(
        "rates that do not divide picoseconds carry the remainder: exact in the long "
        "run"));
    suite.AddTestCase(
        new IdleWireTestCase("a packet leaves an idle wire at once, a busy one when it is free"));
    suite.AddTestCase(
        new FullDuplexTestCase("the directions of a link do not disturb one another"));
    suite.AddTestCase(new StoreAndForwardTestCase(
        "store and forward over one to six hops, equal and unequal rates"));
});

} // namespace ns3::tests::link_test
