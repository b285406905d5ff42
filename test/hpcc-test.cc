// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-congestion.h"
#include "fabric-test-errors.h"
#include "fabric-test-suite.h"
#include "fabric-test-units.h"

#include "ns3/boolean.h"
#include "ns3/congestion-modifier.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/hpcc-congestion-control.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief HPCC's window against sequences of INT records worked out by hand.
 *
 * Everywhere, unless said otherwise: line rate 100 Gb/s (80 ps a byte), T = 10 us, so that the
 * largest window is 125,000 B, W_AI = 40 Mb/s x T = 50 B, eta = 0.95, maxStage = 5.
 */

namespace ns3::tests::hpcc_test
{

constexpr int64_t T = 10 * US;              //!< base RTT
constexpr uint64_t LARGEST_WINDOW = 125000; //!< 100 Gb/s x T

/**
 * @param us time of the record
 * @param txBytes bytes sent by the port
 * @param queueBytes its queue
 * @param rateGbps its rate
 * @return the record
 */
IntSample
Sample(double us, uint64_t txBytes, uint64_t queueBytes, uint64_t rateGbps = 100)
{
    return {static_cast<int64_t>(us * US), txBytes, queueBytes, rateGbps * GBPS};
}

/**
 * @param format layout of records
 * @param attributes names and values
 * @return HPCC, started
 */
template <typename... Args>
Ptr<HpccCongestionControl>
StartedHpcc(Ptr<IntFormat> format, Args&&... attributes)
{
    const auto cc = CreateObjectWithAttributes<HpccCongestionControl>(attributes...);
    cc->Start(MakePath(100 * GBPS, T, format), nullptr);
    return cc;
}

/**
 * @ingroup dcfabric-tests
 * @brief One link, each branch of the algorithm in turn.
 */
class HpccWindowTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        Ptr<IntFormat> format = ExactFormat();
        const auto cc = StartedHpcc(format);
        IntAckSource acks(cc, format);
        NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), LARGEST_WINDOW, "starts with line rate x T");
        NS_TEST_EXPECT_MSG_EQ(cc->GetRate(), 100e9, "starts at line rate");
        NS_TEST_EXPECT_MSG_EQ(cc->GetReductions(), 0, "starting is no reduction");

        // The first ACK only records L, and the RTT to wait for ends at 100,000 B.
        acks.Feed(20 * US, 1000, 100000, {Sample(0, 0, 125000)});
        Expect(cc, 125000, 125000, 0, 0, "first ACK");

        // u = min(125000, 125000) x 80 / 10 us + 125000 B in 10 us / 100 Gb/s = 1 + 1 = 2;
        // tau = T, so U = 2. Not a full RTT: Wc stays. W = 125000 x 0.95/2 + 50 = 59425.
        acks.Feed(30 * US, 2000, 110000, {Sample(10, 125000, 125000)});
        Expect(cc, 59425, 125000, 2, 0, "fast reaction");
        // R = 59425 B x 8 / 10 us = 47.54 Gb/s
        NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetRate(), 47.54e9, 1, "rate is W / T");
        NS_TEST_EXPECT_MSG_EQ(cc->GetReductions(), 1, "one reduction");

        // min(q) = 0, 62500 B in 5 us = 100 Gb/s: u = 1, tau = T/2: U = 2/2 + 1/2 = 1.5.
        // 100,000 is not beyond 100,000. W = 125000 x 0.95/1.5 + 50 = 79166.67 + 50.
        acks.Feed(35 * US, 100000, 120000, {Sample(15, 187500, 0)});
        Expect(cc, 79217, 125000, 1.5, 0, "acknowledged up to the mark, not beyond");

        // 31250 B in 5 us = 50 Gb/s: U = 0.75 + 0.25 = 1. A full RTT has passed.
        // W = Wc = 125000 x 0.95/1 + 50 = 118800.
        acks.Feed(40 * US, 100001, 150000, {Sample(20, 218750, 0)});
        Expect(cc, 118800, 118800, 1, 0, "reference window updated");

        // 12500 B in 10 us: U = 0.1 < eta. Additive, but Wc stays.
        acks.Feed(50 * US, 150000, 160000, {Sample(30, 231250, 0)});
        Expect(cc, 118850, 118800, 0.1, 0, "additive, within the RTT");

        // Five RTTs with 62500 B in 10 us, U = 0.5: additive each, stage 1 to 5.
        uint64_t sent = 231250;
        for (uint32_t stage = 1; stage <= 5; ++stage)
        {
            sent += 62500;
            acks.Feed((50 + 10 * stage) * US,
                      1 + 10000 * (14 + stage),
                      10000 * (15 + stage),
                      {Sample(30 + 10 * stage, sent, 0)});
            Expect(cc, 118800 + 50 * stage, 118800 + 50 * stage, 0.5, stage, "additive stage");
        }

        // Then multiplicative although U = 117500/125000 = 0.94 < eta:
        // W = Wc = 119050 x 0.95/0.94 + 50 = 120316.489 + 50 = 120366.489; stages begin anew.
        acks.Feed(110 * US, 200001, 210000, {Sample(90, sent + 117500, 0)});
        Expect(cc, 120366, 120366.489, 0.94, 0, "multiplicative after maxStage");
    }

    /**
     * @brief Compare the state.
     * @param cc whose
     * @param window W
     * @param reference Wc
     * @param utilization U
     * @param stage incStage
     * @param what for messages
     */
    void Expect(Ptr<HpccCongestionControl> cc,
                uint64_t window,
                double reference,
                double utilization,
                uint32_t stage,
                const std::string& what)
    {
        NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), window, what << ": W");
        NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetReferenceWindow(), reference, 0.001, what << ": Wc");
        NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetUtilization(), utilization, 1e-12, what << ": U");
        NS_TEST_EXPECT_MSG_EQ(cc->GetIncreaseStage(), stage, what << ": incStage");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Several links: the most loaded one decides, and its own span weighs.
 */
class HpccLinksTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        Ptr<IntFormat> format = ExactFormat();
        const auto cc = StartedHpcc(format);
        IntAckSource acks(cc, format);
        acks.Feed(20 * US, 1, 100000, {Sample(0, 0, 0), Sample(0, 0, 300000, 400)});
        // Link 0: 12500 B in 2 us = 50 Gb/s of 100, u = 0.5.
        // Link 1 (400 Gb/s, 20 ps a byte): min(300000, 100000) x 20 ps / 10 us = 0.2, and
        // 200000 B in 4 us = 400 Gb/s: u = 1.2, and its tau is 4 us: U = 0.4 x 1.2 = 0.48.
        acks.Feed(24 * US, 2, 100000, {Sample(2, 12500, 0), Sample(4, 200000, 100000, 400)});
        NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetLinkUtilization(0), 0.5, 1e-12, "link 0");
        NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetLinkUtilization(1), 1.2, 1e-12, "link 1");
        NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetUtilization(), 0.48, 1e-12, "weight of link 1");

        // Link 1 shows the same record again: it stays the most loaded, with 1.2, and nothing new
        // is known of it. U stays.
        acks.Feed(25 * US, 3, 100000, {Sample(3, 18750, 0), Sample(4, 200000, 100000, 400)});
        NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetLinkUtilization(1), 1.2, 1e-12, "link 1 is kept");
        NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetUtilization(), 0.48, 1e-12, "an old record has no weight");

        // An older record (overtaken) of link 1 is no measurement either; the next is taken
        // against it: from 3 us to 8 us, 125000 B = 200 Gb/s, min(q) = 0, u = 0.5.
        acks.Feed(26 * US, 4, 100000, {Sample(4, 25000, 0), Sample(3, 150000, 100000, 400)});
        NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetUtilization(), 0.48, 1e-12, "overtaken");
        // Link 0: 37500 B in 4 us = 75 Gb/s, u = 0.75: U = 0.6 x 0.48 + 0.4 x 0.75 = 0.588.
        acks.Feed(30 * US, 5, 100000, {Sample(8, 62500, 0), Sample(8, 275000, 0, 400)});
        NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetLinkUtilization(1), 0.5, 1e-12, "after overtaken");
        NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetUtilization(), 0.588, 1e-12, "link 0 decides now");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Limits of the window, and the attributes that change a step.
 */
class HpccAttributesTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        Ptr<IntFormat> format = ExactFormat();
        {
            // q = 24,875,000 B: u = 199 + 1 = 200; 125000 x 0.95/200 + 50 = 643.75 B, less than
            // 1 Gb/s x 10 us = 1250 B. Wc is limited as well.
            const auto cc = StartedHpcc(format, "MinRate", DataRateValue(DataRate("1Gbps")));
            IntAckSource acks(cc, format);
            acks.Feed(0, 1, 0, {Sample(0, 0, 24875000)});
            acks.Feed(T, 2, 0, {Sample(10, 125000, 24875000)});
            NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), 1250, "least window");
            NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetRate(), 1e9, 1, "least rate");
            NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetReferenceWindow(), 1250, 1e-9, "least Wc");
            // An idle path, U = 0 after a whole T: with maxStage 0 any window is asked for.
            cc->SetAttribute("MaxStage", UintegerValue(0));
            acks.Feed(2 * T, 3, 0, {Sample(20, 125000, 0)});
            NS_TEST_EXPECT_MSG_EQ(cc->GetUtilization(), 0, "idle");
            NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), LARGEST_WINDOW, "largest window");
            NS_TEST_EXPECT_MSG_EQ(cc->GetRate(), 100e9, "line rate");
            NS_TEST_EXPECT_MSG_EQ(cc->GetReferenceWindow(), 125000, "largest Wc");
        }
        {
            // MaxStage 0: multiplicative with the additive term at any U.
            // First U = 1.9: 125000 x 0.95/1.9 + 50 = 62550. Then U = 0.76:
            // 62550 x 0.95/0.76 + 50 = 78187.5 + 50 = 78237.5.
            const auto cc = StartedHpcc(format, "MaxStage", UintegerValue(0));
            IntAckSource acks(cc, format);
            acks.Feed(0, 1, 0, {Sample(0, 0, 112500)});
            acks.Feed(T, 2, 0, {Sample(10, 125000, 112500)});
            NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetReferenceWindow(), 62550, 1e-6, "decrease");
            acks.Feed(2 * T, 3, 0, {Sample(20, 220000, 0)});
            NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetReferenceWindow(), 78237.5, 1e-6, "increase");
            NS_TEST_EXPECT_MSG_EQ(cc->GetIncreaseStage(), 0, "no stages");
        }
        {
            // U starts at 1 as in the public simulator: with u = 1 over 1 us it stays 1, and
            // W = 125000 x 0.95 + 50 = 118800.
            const auto cc = StartedHpcc(format, "InitialUtilization", DoubleValue(1));
            IntAckSource acks(cc, format);
            acks.Feed(0, 1, 100000, {Sample(0, 0, 0)});
            acks.Feed(US, 2, 100000, {Sample(1, 12500, 0)});
            NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), 118800, "U starts at 1");
        }
        {
            // u = 1 over 1 us of T = 10 us: U = 0.1 x gain, from 10 on it is u itself.
            for (const double gain : {0, 1, 4, 10, 1000})
            {
                const auto cc = StartedHpcc(format, "UtilizationGain", DoubleValue(gain));
                IntAckSource acks(cc, format);
                acks.Feed(0, 1, 100000, {Sample(0, 0, 0)});
                acks.Feed(US, 2, 100000, {Sample(1, 12500, 0)});
                NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetUtilization(),
                                          std::min(1.0, 0.1 * gain),
                                          1e-12,
                                          "gain " << gain);
            }
        }
        {
            // U = eta is enough for the multiplicative step, seen by the stage: with eta = 1,
            // 125000 B in 10 us are exactly 1; one byte less is not.
            for (uint64_t missing : {0, 1})
            {
                const auto cc = StartedHpcc(format, "Eta", DoubleValue(1));
                IntAckSource acks(cc, format);
                acks.Feed(0, 1, 0, {Sample(0, 0, 0)});
                acks.Feed(T, 2, 0, {Sample(10, 125000 - missing, 0)});
                NS_TEST_EXPECT_MSG_EQ(cc->GetIncreaseStage(), missing, missing << " B below eta");
            }
        }
        {
            // Without fast reaction nothing happens up to 100,000 B, not even to L: the update
            // then sees the span from the first ACK, 20 us with u = 1.
            const auto cc = StartedHpcc(format, "FastReaction", BooleanValue(false));
            IntAckSource acks(cc, format);
            acks.Feed(0, 1, 100000, {Sample(0, 0, 0)});
            acks.Feed(T, 100000, 100000, {Sample(10, 200000, 0)});
            NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), LARGEST_WINDOW, "no reaction");
            acks.Feed(2 * T, 100001, 200000, {Sample(20, 250000, 0)});
            NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetUtilization(), 1, 1e-12, "span since the first ACK");
            NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), 118800, "per RTT");
        }
        {
            const auto cc = StartedHpcc(format);
            const CongestionControlNeeds needs = cc->GetNeeds();
            NS_TEST_EXPECT_MSG_EQ(needs.dataInt, true, "needs INT on data");
            NS_TEST_EXPECT_MSG_EQ(needs.ackInt, false, "not on ACKs");
            NS_TEST_EXPECT_MSG_EQ(needs.symmetricPaths, false, "any paths");
            NS_TEST_EXPECT_MSG_EQ(needs.ecn, false, "no ECN");
            NS_TEST_EXPECT_MSG_LT(needs.cnpIntervalPs, 0, "no CNPs");
            NS_TEST_EXPECT_MSG_EQ(cc->GetNeeds().sends, false, "no hook at sending");
        }
        Ptr<HpccCongestionControl> cc = CreateObject<HpccCongestionControl>();
        DCFABRIC_EXPECT_REFUSAL(cc->Start(MakePath(100 * GBPS, 0, format), nullptr), "base RTT");
        DCFABRIC_EXPECT_REFUSAL(cc->Start(MakePath(0, T, format), nullptr), "line rate");
        DCFABRIC_EXPECT_REFUSAL(cc->Start(MakePath(10000000, T, format), nullptr), "MinRate");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The fields of packed records wrap and have limits.
 */
class HpccPackedTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        Ptr<IntFormat> format = CreateObject<IntFormat>(); // 1 ns, 128 B, 80 B
        {
            // Time: 2^24 - 1000 ns = 16776.216 us; 5 us later the field shows 4000 ns.
            // Bytes: 2^20 - 100 units of 128 B = 134,204,928 B; 488 units = 62,464 B later it
            // shows 388. u_tx = 62464 x 80 / 5,000,000 = 0.999424.
            // Queue: 6 MB and 7 MB are both clipped to 65535 x 80 = 5,242,800 B:
            // u_q = 5242800 x 80 / 10,000,000 = 41.9424. U = (41.9424 + 0.999424)/2 = 21.470912.
            // W = 125000 x 0.95/21.470912 + 50 = 5530.739 + 50.
            const auto cc = StartedHpcc(format);
            IntAckSource acks(cc, format);
            acks.Feed(16800 * US, 1, 100000, {Sample(16776.216, 134204928, 6000000)});
            acks.Feed(16805 * US, 2, 100000, {Sample(16781.216, 134204928 + 62464, 7000000)});
            NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetUtilization(), 21.470912, 1e-9, "wraps and limit");
            NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), 5581, "window after wraps");
        }
        {
            // What lies below a unit is lost: 1 ns, 128 B and 80 B. From 0.9 ns to 5000.9 ns:
            // 5000 ns. From 127 B to 62591 B: 488 units, as above. 79 B of queue: nothing.
            const auto cc = StartedHpcc(format);
            IntAckSource acks(cc, format);
            acks.Feed(0, 1, 100000, {Sample(0.0009, 127, 79)});
            acks.Feed(5 * US, 2, 100000, {Sample(5.0009, 62591, 79)});
            NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetLinkUtilization(0), 0.999424, 1e-12, "units");
        }
        {
            // A sequence whose values are whole units gives the same windows packed and exact.
            Ptr<IntFormat> exact = ExactFormat();
            Ptr<HpccCongestionControl> a = StartedHpcc(format);
            Ptr<HpccCongestionControl> b = StartedHpcc(exact);
            IntAckSource packedAcks(a, format);
            IntAckSource exactAcks(b, exact);
            for (uint64_t i = 0; i < 20000; ++i)
            {
                // 64 us and 768 kB (96 Gb/s) a step: after 20,000 steps the time has wrapped 76
                // times, the bytes 114 times.
                const std::vector<IntSample> samples{
                    Sample(64.0 * i, 768000 * i, 800 * (i % 7)),
                    Sample(64.0 * i, 1536000 * i, 1600 * (i % 3), 400)};
                const int64_t nowPs = static_cast<int64_t>(64 * i) * US;
                packedAcks.Feed(nowPs, 1000 * i, 1000 * i + 500, samples);
                exactAcks.Feed(nowPs, 1000 * i, 1000 * i + 500, samples);
                NS_TEST_ASSERT_MSG_EQ(a->GetWindow(), b->GetWindow(), "at step " << i);
            }
            NS_TEST_EXPECT_MSG_LT(a->GetWindow(), LARGEST_WINDOW, "something was measured");
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Records that can not be compared with those before.
 */
class HpccRecordAnewTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // At 100 Gb/s the byte counter wraps first: 2^20 x 128 B x 80 ps = 10,737,418,240 ps
        // against 2^24 ns. Half: 5,368,709,120 ps.
        Gap(100, 5368709120);
        // At 10 Gb/s the time wraps first: 2^24 ns / 2 = 8,388,608,000 ps.
        Gap(10, 8388608000);
        // With a 400 Gb/s link on the path, its bytes: 2^20 x 128 B x 20 ps / 2.
        Gap(400, 1342177280);
        {
            // Exact records have no wrap: after ten seconds, 100 Gb/s still is u = 1.
            Ptr<IntFormat> exact = ExactFormat();
            const auto cc = StartedHpcc(exact);
            IntAckSource acks(cc, exact);
            acks.Feed(0, 1, 100000, {Sample(0, 0, 0)});
            acks.Feed(10000000 * US, 2, 100000, {Sample(10000000, 125000000000, 0)});
            NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetUtilization(), 1, 1e-12, "exact, ten seconds");
        }
        // Another path: the counters of other ports have nothing to do with the old ones.
        PathChange("fewer records", {Sample(11, 0, 0)}, {Sample(12, 6250, 0)}, 7);
        PathChange("another link rate",
                   {Sample(11, 0, 0), Sample(11, 0, 0, 400)},
                   {Sample(12, 6250, 0), Sample(12, 0, 0, 400)},
                   7);
        PathChange("another entropy",
                   {Sample(11, 0, 0), Sample(11, 0, 0)},
                   {Sample(12, 6250, 0), Sample(12, 0, 0)},
                   8);

        Ptr<IntFormat> format = ExactFormat();
        const auto cc = StartedHpcc(format);
        cc->Acknowledge(AckInfo()); // no item at all
        IntAckSource acks(cc, format);
        acks.Feed(0, 1, 100000, {});
        NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), LARGEST_WINDOW, "ACKs without INT tell nothing");
        DCFABRIC_EXPECT_REFUSAL(acks.Feed(0, 1, 100000, {Sample(0, 0, 0, 0)}), "without a rate");
    }

    /**
     * @brief Feed one ACK at the limit of the gap, one beyond, with the faster link at either end.
     * @param gbps rate of the link beside one of 10 Gb/s
     * @param limitPs longest gap
     */
    void Gap(uint64_t gbps, int64_t limitPs)
    {
        for (bool swapped : {false, true})
        {
            for (int64_t excess : {0, 1})
            {
                Ptr<IntFormat> format = CreateObject<IntFormat>();
                const auto cc = CreateObject<HpccCongestionControl>();
                cc->Start(MakePath(10 * GBPS, T, format), nullptr);
                IntAckSource acks(cc, format);
                // A queue of 12480 B at 10 Gb/s (800 ps a byte) is 0.9984 T in both records.
                const auto feed = [&](int64_t nowPs, uint64_t acked, double us) {
                    const IntSample slow = Sample(us, 0, 12480, 10);
                    const IntSample fast = Sample(us, 0, 0, gbps);
                    acks.Feed(nowPs,
                              acked,
                              100000,
                              swapped ? std::vector<IntSample>{fast, slow}
                                      : std::vector<IntSample>{slow, fast});
                };
                feed(0, 1, 0);
                feed(0, 2, 0);
                feed(limitPs + excess, 3, 1);
                // One us of it: U = 0.1 x 0.9984, or nothing at all.
                NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetUtilization(),
                                          (excess == 0 ? 0.09984 : 0.0),
                                          1e-9,
                                          gbps << " Gb/s, " << excess << " ps beyond the limit");
            }
        }
    }

    /**
     * @brief Feed two ACKs of an old path, two of a new.
     * @param what for messages
     * @param first first records of the new path
     * @param second the next
     * @param entropy of these
     */
    void PathChange(const std::string& what,
                    const std::vector<IntSample>& first,
                    const std::vector<IntSample>& second,
                    uint16_t entropy)
    {
        Ptr<IntFormat> format = ExactFormat();
        const auto cc = StartedHpcc(format);
        IntAckSource acks(cc, format);
        acks.Feed(0, 1, 100000, {Sample(0, 1000000, 0), Sample(0, 1000000, 0)});
        acks.Feed(T, 2, 100000, {Sample(10, 1125000, 0), Sample(10, 1000000, 0)});
        const uint64_t window = cc->GetWindow();
        NS_TEST_EXPECT_MSG_EQ(window, 118800, what << ": before"); // U = 1
        acks.entropy = entropy;
        acks.Feed(T + US, 3, 100000, first);
        NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), window, what << ": W stays");
        NS_TEST_EXPECT_MSG_EQ(cc->GetLinkUtilization(0), 0, what << ": links are unknown");
        NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetUtilization(), 1, 1e-12, what << ": U stays");
        // 6250 B in 1 us = 50 Gb/s: U = 0.9 + 0.1 x 0.5 = 0.95, again multiplicative.
        acks.Feed(T + 2 * US, 4, 100000, second);
        NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetUtilization(), 0.95, 1e-12, what << ": goes on");
    }
};

/// A modifier that keeps the window where it is.
class HoldWindow : public CongestionModifier
{
  public:
    void Modify(CongestionProposal& proposal) override
    {
        proposal.window = hold ? proposal.oldWindow : proposal.window;
    }

    bool hold{false}; //!< act
};

/**
 * @ingroup dcfabric-tests
 * @brief The reference window is what took hold; estimators run on.
 */
class HpccModifierTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        Ptr<IntFormat> format = ExactFormat();
        Ptr<HpccCongestionControl> cc = CreateObject<HpccCongestionControl>();
        Ptr<HoldWindow> modifier = CreateObject<HoldWindow>();
        modifier->hold = true;
        cc->AddModifier(modifier);
        cc->Start(MakePath(100 * GBPS, T, format), nullptr);
        NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(),
                              LARGEST_WINDOW,
                              "modifiers have no say at the start");
        IntAckSource acks(cc, format);
        acks.Feed(0, 1, 0, {Sample(0, 0, 125000)});
        acks.Feed(T, 2, 0, {Sample(10, 125000, 125000)});
        NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), LARGEST_WINDOW, "withheld");
        NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetUtilization(), 2, 1e-12, "U runs on");
        NS_TEST_EXPECT_MSG_EQ(cc->GetReferenceWindow(), 125000, "Wc is what took hold");
        // Released, from Wc = 125000: W = 125000 x 0.95/2 + 50.
        modifier->hold = false;
        acks.Feed(2 * T, 3, 0, {Sample(20, 250000, 125000)});
        NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), 59425, "released");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A reference window for each link.
 */
class HpccPerLinkTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param perLink the attribute
     * @param cc set to the control
     * @return W after two updates
     */
    uint64_t Run(bool perLink, Ptr<HpccCongestionControl>& cc)
    {
        Ptr<IntFormat> format = ExactFormat();
        cc = StartedHpcc(format, "PerLink", BooleanValue(perLink));
        IntAckSource acks(cc, format);
        acks.Feed(20 * US, 1000, 100000, {Sample(0, 0, 0), Sample(0, 0, 0)});
        // Link 0: 125000 B in 10 us, U = 1, W = 125000 x 0.95 + 50 = 118800. Link 1: U = 0.5,
        // additive, at its limit. Not a full RTT: both Wc stay.
        acks.Feed(30 * US, 2000, 110000, {Sample(10, 125000, 0), Sample(10, 62500, 0)});
        NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), 118800, "fast reaction");
        // Link 0: 31250 B in 5 us, U = 1/2 + 0.5/2 = 0.75: additive, Wc = 125000. Link 1: U = 1,
        // W = Wc = 118800.
        acks.Feed(40 * US, 100001, 150000, {Sample(15, 156250, 0), Sample(20, 187500, 0)});
        NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), 118800, "link 1");
        acks.Feed(50 * US, 150001, 200000, {Sample(25, 281250, 0), Sample(30, 250000, 0)});
        return cc->GetWindow();
    }

    void DoRun() override
    {
        Ptr<HpccCongestionControl> cc;
        // Link 0: U = 1 over its own Wc: 125000 x 0.95 + 50. Link 1: U = 0.5, 118800 + 50.
        NS_TEST_EXPECT_MSG_EQ(Run(true, cc), 118800, "least of both");
        NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetLinkReference(0), 118800, 0.001, "link 0");
        NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetLinkReference(1), 118850, 0.001, "link 1");
        // One Wc for the path: the cut of link 0 comes on top of that of link 1:
        // 118800 x 0.95 + 50 = 112910.
        NS_TEST_EXPECT_MSG_EQ(Run(false, cc), 112910, "one Wc");

        Ptr<HpccCongestionControl> spread = CreateObject<HpccCongestionControl>();
        spread->SetAttribute("PerLink", BooleanValue(true));
        PathInfo path = MakePath(100 * GBPS, T, ExactFormat());
        path.paths = 2;
        DCFABRIC_EXPECT_REFUSAL(spread->Start(path, nullptr), "PerLink needs all packets");
    }
};

/// HPCC.
const SuiteCases g_cases("dcfabric-hpcc", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(
        new HpccWindowTestCase("window after each ACK of a sequence worked out by hand"));
    suite.AddTestCase(new HpccLinksTestCase(
        "the most loaded link gives utilization and weight, equal or stale records too"));
    suite.AddTestCase(
        new HpccPerLinkTestCase("PerLink: U, Wc and stage of each link, the least window"));
    suite.AddTestCase(new HpccAttributesTestCase(
        "limits of the window; MaxStage 0, InitialUtilization, UtilizationGain, "
        "FastReaction, needs"));
    suite.AddTestCase(
        new HpccPackedTestCase("24-bit time and 20-bit bytes wrap, the 16-bit queue is clipped"));
    suite.AddTestCase(new HpccRecordAnewTestCase(
        "after a long gap or a change of path, L is recorded anew and nothing else"));
    suite.AddTestCase(new HpccModifierTestCase(
        "a withheld reduction leaves Wc at the window in force, U and stages run on"));
});

} // namespace ns3::tests::hpcc_test
