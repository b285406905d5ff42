// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-suite.h"

#include "ns3/receive-window.h"
#include "ns3/send-window.h"
#include "ns3/test.h"

#include <cstdint>
#include <iostream>
#include <map>
#include <random>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief What a receiver knows of packets, by hand, and both windows together at random.
 */

namespace ns3::tests::receive_window_test
{

/**
 * @ingroup dcfabric-tests
 * @brief The receiver's window and the selective acknowledgements it makes.
 */
class ReceiveWindowTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        ReceiveWindow window;
        uint64_t base = 99;
        window.Arrive(0);
        NS_TEST_EXPECT_MSG_EQ(window.GetExpected(), 1, "in order");
        NS_TEST_EXPECT_MSG_EQ(window.MakeSack(0, base), 0, "nothing early");
        NS_TEST_EXPECT_MSG_EQ(base, 1, "bit 0 is the expected packet");
        window.Arrive(3);
        window.Arrive(2);
        NS_TEST_EXPECT_MSG_EQ(window.GetExpected(), 1, "1 is missing");
        NS_TEST_EXPECT_MSG_EQ(window.GetHighest(), 4, "3 has arrived");
        NS_TEST_EXPECT_MSG_EQ(window.GetNEarly(), 2, "2 and 3");
        NS_TEST_EXPECT_MSG_EQ(window.MakeSack(2, base), 6, "bits 1 and 2");
        NS_TEST_EXPECT_MSG_EQ(base, 1, "from 1");
        NS_TEST_EXPECT_MSG_EQ(window.HasArrived(0), true, "in order");
        NS_TEST_EXPECT_MSG_EQ(window.HasArrived(1), false, "missing");
        NS_TEST_EXPECT_MSG_EQ(window.HasArrived(3), true, "early");

        // 64 = base + 63 is the last that fits from the expected packet on
        window.Arrive(64);
        NS_TEST_EXPECT_MSG_EQ(window.MakeSack(64, base),
                              ((uint64_t{1} << 63) | 6),
                              "bits 1, 2, 63");
        NS_TEST_EXPECT_MSG_EQ(base, 1, "from 1");
        // 65 does not: the map moves so that it becomes bit 63: 2..65
        window.Arrive(65);
        NS_TEST_EXPECT_MSG_EQ(window.MakeSack(65, base),
                              ((uint64_t{3} << 62) | 3),
                              "2, 3, 64, 65 are bits 0, 1, 62, 63");
        NS_TEST_EXPECT_MSG_EQ(base, 2, "from 65 - 63");
        window.Arrive(1000);
        NS_TEST_EXPECT_MSG_EQ(window.MakeSack(1000, base), uint64_t{1} << 63, "alone");
        NS_TEST_EXPECT_MSG_EQ(base, 937, "from 1000 - 63");
        NS_TEST_EXPECT_MSG_EQ(window.MakeSack(0, base),
                              ((uint64_t{1} << 63) | 6),
                              "of a duplicate");
        NS_TEST_EXPECT_MSG_EQ(base, 1, "from the expected packet");

        window.Arrive(1);
        NS_TEST_EXPECT_MSG_EQ(window.GetExpected(), 4, "2 and 3 were there");
        NS_TEST_EXPECT_MSG_EQ(window.GetNEarly(), 3, "64, 65, 1000");
        for (uint64_t seq = 4; seq < 64; ++seq)
        {
            window.Arrive(seq);
        }
        NS_TEST_EXPECT_MSG_EQ(window.GetExpected(), 66, "64 and 65 were there");
        NS_TEST_EXPECT_MSG_EQ(window.GetHighest(), 1001, "1000");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Both windows over a channel that loses and reorders packets and acknowledgements.
 */
class WindowPairTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const uint32_t seed = 77;
        std::cout << "dcfabric-send-window: seed " << seed << std::endl;
        std::mt19937_64 random(seed);
        for (uint32_t round = 0; round < 100; ++round)
        {
            const uint64_t nPackets = 1 + random() % 500;
            const uint32_t lossPercent = random() % 40;
            const uint32_t spread = 1 + random() % 30;
            SendWindow sender;
            ReceiveWindow receiver;
            std::multimap<uint64_t, uint64_t> wire; // arrival step and packet
            uint64_t arrivals = 0;
            uint64_t step = 0;
            bool sound = true;
            for (; sender.GetUnacked() < nPackets && step < 1000000; ++step)
            {
                uint64_t seq = 0;
                bool sends = true;
                if (sender.PeekLost(seq))
                {
                    sender.TakeLost(0);
                }
                else if (sender.GetNext() < nPackets)
                {
                    seq = sender.TakeNext(0);
                }
                else
                {
                    sends = false;
                    if (wire.empty())
                    {
                        sender.MarkAllLost();
                    }
                }
                if (sends && random() % 100 >= lossPercent)
                {
                    wire.emplace(step + random() % spread, seq);
                }
                while (!wire.empty() && wire.begin()->first <= step)
                {
                    const uint64_t arrived = wire.begin()->second;
                    wire.erase(wire.begin());
                    if (!receiver.HasArrived(arrived))
                    {
                        receiver.Arrive(arrived);
                        ++arrivals;
                    }
                    uint64_t base = 0;
                    const uint64_t bits = receiver.MakeSack(arrived, base);
                    if (random() % 100 < lossPercent)
                    {
                        continue;
                    }
                    if (receiver.GetExpected() > sender.GetUnacked())
                    {
                        sender.Acknowledge(receiver.GetExpected());
                    }
                    for (uint64_t i = 0; i < 64; ++i)
                    {
                        if ((bits >> i) & 1)
                        {
                            sound = sound && receiver.HasArrived(base + i);
                            sender.Sack(base + i);
                        }
                    }
                    sender.DetectLoss(3);
                    uint64_t inFlight = 0;
                    for (uint64_t s = sender.GetUnacked(); s < sender.GetNext(); ++s)
                    {
                        inFlight += sender.IsInFlight(s);
                    }
                    sound = sound && inFlight == sender.GetNInFlight();
                }
            }
            NS_TEST_EXPECT_MSG_EQ(sender.GetUnacked(),
                                  nPackets,
                                  "all arrived; seed " << seed << ", round " << round);
            NS_TEST_EXPECT_MSG_EQ(arrivals, nPackets, "each once; seed " << seed);
            NS_TEST_EXPECT_MSG_EQ(sound, true, "sacks and counts; seed " << seed);
            NS_TEST_EXPECT_MSG_EQ(sender.GetNInFlight(), 0, "none left; seed " << seed);
        }
    }
};

/// The receive window, alone and with the send window.
const SuiteCases g_cases("dcfabric-reliability", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new ReceiveWindowTestCase("receive window"));
    suite.AddTestCase(new WindowPairTestCase("both windows over a bad channel"));
});

} // namespace ns3::tests::receive_window_test
