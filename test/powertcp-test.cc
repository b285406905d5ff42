// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-congestion.h"
#include "fabric-test-errors.h"
#include "fabric-test-suite.h"
#include "fabric-test-units.h"

#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/powertcp-congestion-control.h"
#include "ns3/test.h"
#include "ns3/theta-powertcp-congestion-control.h"

#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief PowerTCP and theta-PowerTCP against sequences of ACKs worked out by hand.
 *
 * Everywhere, unless said otherwise: line rate B = 100 Gb/s (80 ps a byte), T = 8 us, so that
 * B T = 100,000 B, and an additive term of 150 Mb/s, that is 2000/3 flows.
 */

namespace ns3::tests::powertcp_test
{

constexpr int64_t T = 8 * US;        //!< base RTT
constexpr double FLOWS = 2000.0 / 3; //!< 100 Gb/s / 150 Mb/s

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
 * @param paths over which packets are spread
 * @return PowerTCP, started
 */
Ptr<PowerTcpCongestionControl>
StartedPower(Ptr<IntFormat> format, uint32_t paths = 1)
{
    const auto cc =
        CreateObjectWithAttributes<PowerTcpCongestionControl>("Flows", DoubleValue(FLOWS));
    PathInfo path = MakePath(100 * GBPS, T, format);
    path.paths = paths;
    cc->Start(path, nullptr);
    return cc;
}

/**
 * @ingroup dcfabric-tests
 * @brief One link.
 */
class PowerTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief Compare the state.
     * @param cc whose
     * @param power Us
     * @param gbps R
     * @param reference Rb in Gb/s
     * @param what for messages
     */
    void Expect(Ptr<PowerTcpCongestionControl> cc,
                double power,
                double gbps,
                double reference,
                const std::string& what)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetPower(), power, 1e-9, what << ": Us");
        NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetRate() / 1e9, gbps, 0.0005, what << ": R");
        NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(),
                              static_cast<uint64_t>(cc->GetRate() * T / 8e12 + 0.5),
                              what << ": R x T");
        NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetReferenceRate() / 1e9, reference, 0.0005, what << ": Rb");
    }

    void DoRun() override
    {
        Ptr<IntFormat> format = ExactFormat();
        const auto cc = StartedPower(format);
        IntAckSource acks(cc, format);
        Expect(cc, 1, 100, 100, "begins at line rate");
        NS_TEST_EXPECT_MSG_EQ(cc->GetReductions(), 0, "beginning is no reduction");

        // the first ACK only records; the RTT to wait for ends at 100,000 B
        acks.Feed(20 * US, 1000, 100000, {Sample(0, 0, 50000)});
        Expect(cc, 1, 100, 100, "first ACK");

        // 25,000 B sent in 2 us and no change of the queue: A = B. U = 1 x (50,000 + 100,000) /
        // 100,000 = 1.5; Us = (1 x 6 + 1.5 x 2) / 8 = 1.125;
        // R = 0.9 (100 / (1.125 / 0.95) + 0.15) + 10 = 86.135. Beyond 100,000: Rb = R.
        acks.Feed(22 * US, 100001, 150000, {Sample(2, 25000, 50000)});
        Expect(cc, 1.125, 86.135, 86.135, "a queue of half a BDP");
        NS_TEST_EXPECT_MSG_EQ(cc->GetReductions(), 1, "a reduction");

        // 20 us later, cut to 8: 125,000 B sent, the queue 50,000 B shorter: 75,000 B came, which
        // is 30 %, so A = B/2. U = Us = 0.5; 0.9 (86.135 / (0.5 / 0.95) + 0.15) + 8.6135 = 156.04.
        acks.Feed(42 * US, 150001, 250000, {Sample(22, 150000, 0)});
        Expect(cc, 0.5, 100, 100, "clipped to the line rate");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What is measured, and when the reference follows.
 */
class PowerReferenceTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        Ptr<IntFormat> format = ExactFormat();
        const auto cc = StartedPower(format);
        IntAckSource acks(cc, format);
        acks.Feed(20 * US, 1000, 100000, {});
        NS_TEST_EXPECT_MSG_EQ(cc->GetNPaths(), 0, "an ACK without INT is no ACK");
        acks.Feed(20 * US, 1000, 100000, {Sample(0, 0, 0), Sample(0, 0, 0)});

        // The second link: 50,000 B sent in 4 us and 50,000 B more in the queue: A = 2 B.
        // U = 2 (0.5 + 1) = 3, the first has A = B, U = 1. Us = (1 x 4 + 3 x 4) / 8 = 2;
        // R = 0.9 (47.5 + 0.15) + 10 = 52.885. 100,000 is not beyond 100,000: Rb stays.
        acks.Feed(24 * US, 100000, 120000, {Sample(4, 50000, 0), Sample(4, 50000, 50000)});
        NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetPower(), 2, 1e-9, "the link with most power");
        NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetRate() / 1e9, 52.885, 1e-6, "R");
        NS_TEST_EXPECT_MSG_EQ(cc->GetReferenceRate(), 100e9, "Rb within the RTT");

        // The same once more, within the RTT: from the same Rb. The queue stays: A = B, U = 1.5;
        // Us = (2 x 4 + 1.5 x 4) / 8 = 1.75; R = 0.9 (95 / 1.75 + 0.15) + 10 = 58.992.
        acks.Feed(28 * US, 100000, 130000, {Sample(8, 100000, 0), Sample(8, 100000, 50000)});
        NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetRate() / 1e9, 58.99214, 1e-5, "R from the same Rb");

        // Records as old as the ones before: nothing new, U is that of the last measurement, and
        // Us stays. The RTT is over: Rb follows.
        acks.Feed(29 * US, 100001, 140000, {Sample(8, 100000, 0), Sample(8, 100000, 50000)});
        NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetPower(), 1.75, 1e-9, "nothing new");
        NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetReferenceRate() / 1e9, 58.99214, 1e-5, "Rb");

        // Another path: its records are only recorded.
        acks.pathId = 5;
        acks.Feed(33 * US, 140001, 150000, {Sample(12, 900000, 0), Sample(12, 900000, 9000000)});
        NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetPower(), 1.75, 1e-9, "another path");

        // A queue of 1000 BDPs that has not changed: U = 1001 covers T: R = 0.9 (58.99 x 0.95 /
        // 1001 + 0.15) + 5.899 = 6.0846. From there, an RTT each: a tenth and 0.135 Gb/s remain.
        acks.Feed(41 * US,
                  150001,
                  160000,
                  {Sample(20, 1000000, 0), Sample(20, 1000000, 100000000)});
        acks.Feed(42 * US,
                  150001,
                  160000,
                  {Sample(28, 1100000, 0), Sample(28, 1100000, 100000000)});
        for (uint32_t i = 1; i < 6; ++i)
        {
            acks.Feed((42 + 8 * i) * US,
                      160001 + 10000 * (i - 1),
                      160000 + 10000 * i,
                      {Sample(28 + 8 * i, 1100000 + 100000 * i, 0),
                       Sample(28 + 8 * i, 1100000 + 100000 * i, 100000000)});
        }
        // R = 0.9 (R 0.95 / 1001 + 0.15) + 0.1 R has its fixed point at 0.150143 Gb/s
        NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetRate() / 1e9, 0.150143, 0.001, "the additive term");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Packed records that wrap, two paths, limits.
 */
class PowerEdgesTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // 20 bits of 128 B: 134,217,728 B. The last 32,000 B of a wrap and 68,000 B after it, in
        // 8 us of 24 bits of ns: A = B. The queue of 80,000 B stays: U = 1.8 covers T.
        Ptr<IntFormat> packed = CreateObject<IntFormat>();
        const auto wrapping = StartedPower(packed);
        IntAckSource acks(wrapping, packed);
        acks.Feed(20 * US, 1000, 100000, {Sample(16776, 134185728, 80000)});
        acks.Feed(28 * US, 1000, 100000, {Sample(16784, 134285728, 80000)});
        NS_TEST_EXPECT_MSG_EQ_TOL(wrapping->GetPower(), 1.8, 0.002, "both counters wrapped");

        // Two paths, each with its own records, and half a say: U = 1.5 over T, Us = 1.25.
        Ptr<IntFormat> exact = ExactFormat();
        const auto spread = StartedPower(exact, 2);
        IntAckSource both(spread, exact);
        both.Feed(20 * US, 1000, 100000, {Sample(0, 0, 50000)});
        both.entropy = 8;
        both.Feed(20 * US, 1000, 100000, {Sample(0, 500000, 0)});
        NS_TEST_EXPECT_MSG_EQ(spread->GetNPaths(), 2, "paths");
        NS_TEST_EXPECT_MSG_EQ(spread->GetPower(), 1, "the first ACK of each only records");
        both.entropy = 7;
        both.Feed(28 * US, 1000, 100000, {Sample(8, 100000, 50000)});
        NS_TEST_EXPECT_MSG_EQ_TOL(spread->GetPower(), 1.25, 1e-9, "half of the measurement");

        // Limits: no additive term to speak of, MinRate.
        const auto least =
            CreateObjectWithAttributes<PowerTcpCongestionControl>("Flows",
                                                                  DoubleValue(1e9),
                                                                  "Gamma",
                                                                  DoubleValue(1),
                                                                  "MinRate",
                                                                  DataRateValue(5 * GBPS));
        least->Start(MakePath(100 * GBPS, T, exact), nullptr);
        IntAckSource full(least, exact);
        full.Feed(20 * US, 1000, 100000, {Sample(0, 0, 100000000)});
        full.Feed(28 * US, 100001, 200000, {Sample(8, 100000, 100000000)});
        NS_TEST_EXPECT_MSG_EQ(least->GetRate(), 5e9, "MinRate");
        NS_TEST_EXPECT_MSG_EQ(least->GetWindow(), 5000, "MinRate x T");

        const auto cc = CreateObject<PowerTcpCongestionControl>();
        DCFABRIC_EXPECT_REFUSAL(cc->Start(MakePath(100 * GBPS, 0), nullptr),
                                "ns3::PowerTcpCongestionControl: needs a line rate and a base RTT "
                                "above zero");
        DCFABRIC_EXPECT_REFUSAL(cc->Start(MakePath(50000000, T), nullptr),
                                "ns3::PowerTcpCongestionControl::MinRate of 100000000 bit/s must "
                                "be at most the line rate, 50000000 bit/s");
        PathInfo many = MakePath();
        many.paths = 257;
        DCFABRIC_EXPECT_REFUSAL(cc->Start(many, nullptr),
                                "ns3::PowerTcpCongestionControl keeps what it knows of each path "
                                "and takes at most 256 paths");
        // 25 Gb/s / 150 Mb/s, as in the code of the authors
        cc->Start(MakePath(25 * GBPS, T, exact), nullptr);
        IntAckSource slow(cc, exact);
        slow.Feed(20 * US, 1000, 100000, {Sample(0, 0, 0, 25)});
        slow.Feed(28 * US, 100001, 200000, {Sample(8, 25000, 75000, 25)});
        // A = 4 B, U = 4 (3 + 1) = 16: R = 0.9 (25 x 0.95 / 16 + 0.15) + 2.5
        NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetRate() / 1e9, 3.9709375, 1e-9, "the default of Flows");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief theta-PowerTCP by RTTs.
 */
class ThetaPowerTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const auto cc =
            CreateObjectWithAttributes<ThetaPowerTcpCongestionControl>("Flows", DoubleValue(FLOWS));
        cc->Start(MakePath(100 * GBPS, T), nullptr);
        cc->Acknowledge(MakePacketAck(10 * US, false, 1000, 100000, 8 * US));
        NS_TEST_EXPECT_MSG_EQ(cc->GetRate(), 100e9, "the first ACK has nothing to compare with");

        // A = (10 - 8) / 4 + 1 = 1.5; U = 1.5 x 10 / (1.05 x 8) = 1.785714;
        // Us = (1 x 4 + 1.785714 x 4) / 8 = 1.392857; R = 0.7 (100 / 1.392857 + 0.15) + 30.
        cc->Acknowledge(MakePacketAck(14 * US, false, 100001, 200000, 10 * US));
        NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetPower(), 1.392857, 1e-6, "Us");
        NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetRate() / 1e9, 80.3614, 1e-4, "R");
        NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), 80361, "R x T");

        // at the same time, or without an RTT: nothing
        cc->Acknowledge(MakePacketAck(14 * US, false, 102001, 200000, 20 * US));
        cc->Acknowledge(MakePacketAck(15 * US, false, 103001, 200000, 0));
        NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetPower(), 1.392857, 1e-6, "nothing to measure");

        // 16 us later, cut to 8, with 8 us less would be (8 - 10) / 16 + 1 = 0.875: U = 0.833333.
        cc->Acknowledge(MakePacketAck(30 * US, false, 103001, 200000, 8 * US));
        NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetPower(), 0.875 / 1.05, 1e-9, "all of T");
        // 0.7 (80.3614 / 0.833333 + 0.15) + 0.3 x 80.3614 = 91.717, within the RTT
        NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetRate() / 1e9, 91.7170, 1e-4, "R");
        NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetReferenceRate() / 1e9, 80.3614, 1e-4, "Rb stays");

        // the queue falls faster than the link sends: A = 1/2
        cc->Acknowledge(MakePacketAck(31 * US, false, 103001, 200000, 16 * US));
        const double before = cc->GetPower();
        cc->Acknowledge(MakePacketAck(32 * US, false, 103001, 200000, 8 * US));
        NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetPower(),
                                  (before * 7 + 0.5 / 1.05) / 8,
                                  1e-9,
                                  "the bound of one half");

        DCFABRIC_EXPECT_REFUSAL(cc->Start(MakePath(100 * GBPS, 0), nullptr),
                                "ns3::ThetaPowerTcpCongestionControl: needs a line rate and a base "
                                "RTT above zero");
    }
};

/// PowerTCP by hand.
const SuiteCases g_cases("dcfabric-power", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new PowerTestCase("PowerTCP: a queue, and a link that is hardly used"));
    suite.AddTestCase(new PowerReferenceTestCase("PowerTCP: the link with most power, an RTT"));
    suite.AddTestCase(new PowerEdgesTestCase("PowerTCP: wraps, two paths, limits"));
    suite.AddTestCase(new ThetaPowerTestCase("theta-PowerTCP: RTTs"));
});

} // namespace ns3::tests::powertcp_test
