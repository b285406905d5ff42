// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-suite.h"

#include "ns3/boolean.h"
#include "ns3/int-format.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <array>
#include <limits>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Layout, units, wraps and limits of INT records.
 */

namespace ns3::tests::int_format_test
{

constexpr uint64_t G = 1000000000;                     //!< bit/s in a Gb/s
constexpr int64_t NS = 1000;                           //!< ps in a ns
constexpr int64_t TIME_WRAP = (int64_t{1} << 24) * NS; //!< of 24 bits of 1 ns, in ps
constexpr uint64_t BYTE_WRAP = (1 << 20) * 128;        //!< of 20 bits of 128 B
constexpr uint64_t QUEUE_LIMIT = 65535 * 80;           //!< of 16 bits of 80 B

/**
 * @ingroup dcfabric-tests
 * @brief Where each field lies.
 */
class IntLayoutTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        Ptr<IntFormat> format = CreateObject<IntFormat>();
        NS_TEST_EXPECT_MSG_EQ(format->IsExact(), false, "packed by default");
        NS_TEST_EXPECT_MSG_EQ(format->Pack({0, 0, 0, 0}, 0), 0, "nothing");
        NS_TEST_EXPECT_MSG_EQ(format->Pack({0, 0, 0, 0}, 5), 0x5000000000000000, "rate");
        NS_TEST_EXPECT_MSG_EQ(format->Pack({NS, 0, 0, 0}, 0), 0x0000001000000000, "1 ns");
        NS_TEST_EXPECT_MSG_EQ(format->Pack({0, 128, 0, 0}, 0), 0x0000000000010000, "128 B");
        NS_TEST_EXPECT_MSG_EQ(format->Pack({0, 0, 80, 0}, 0), 0x0000000000000001, "80 B");
        // One below each wrap, and the code of 1.6 Tb/s: all other bits are set.
        NS_TEST_EXPECT_MSG_EQ(format->Pack({TIME_WRAP - 1, BYTE_WRAP - 1, QUEUE_LIMIT, 0}, 9),
                              0x9fffffffffffffff,
                              "full");
        // time 0x123456, bytes 0x789ab, queue 0xcdef
        const IntSample sample{0x123456 * NS, 0x789ab * 128, 0xcdef * 80, 100 * G};
        const uint64_t record = format->Pack(sample, IntFormat::RateToCode(100 * G));
        NS_TEST_EXPECT_MSG_EQ(record, 0x5123456789abcdef, "all fields");
        const IntSample back = format->Unpack(record);
        NS_TEST_EXPECT_MSG_EQ(back.timePs, sample.timePs, "time");
        NS_TEST_EXPECT_MSG_EQ(back.txBytes, sample.txBytes, "bytes");
        NS_TEST_EXPECT_MSG_EQ(back.queueBytes, sample.queueBytes, "queue");
        NS_TEST_EXPECT_MSG_EQ(back.rateBps, sample.rateBps, "rate");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Codes of link rates.
 */
class IntRateTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const std::array<uint64_t, 9> rates{10, 25, 40, 50, 100, 200, 400, 800, 1600};
        for (size_t i = 0; i < rates.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(+IntFormat::RateToCode(rates[i] * G), i + 1, rates[i] << " Gb/s");
            NS_TEST_EXPECT_MSG_EQ(IntFormat::CodeToRate(static_cast<uint8_t>(i + 1)),
                                  rates[i] * G,
                                  "code " << i + 1);
        }
        for (uint8_t code : {0, 10, 15})
        {
            NS_TEST_EXPECT_MSG_EQ(IntFormat::CodeToRate(code), 0, "unused code " << +code);
        }
        for (uint64_t rate : {uint64_t{0}, uint64_t{1}, 56 * G, 100 * G - 1, 100 * G + 1})
        {
            DCFABRIC_EXPECT_REFUSAL(IntFormat::RateToCode(rate), "ns3::IntFormat::Exact=true");
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Rounding, wraps, limits.
 */
class IntWrapTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        Ptr<IntFormat> format = CreateObject<IntFormat>();
        // What is below a unit is cut off.
        IntSample got = Through(format, {1999, 255, 159, 0});
        NS_TEST_EXPECT_MSG_EQ(got.timePs, 1000, "1.999 ns");
        NS_TEST_EXPECT_MSG_EQ(got.txBytes, 128, "255 B");
        NS_TEST_EXPECT_MSG_EQ(got.queueBytes, 80, "159 B");
        // Queue: clipped from the limit on, never wrapped.
        const std::array<uint64_t, 5> above{QUEUE_LIMIT,
                                            QUEUE_LIMIT + 79,
                                            QUEUE_LIMIT + 80,
                                            uint64_t{1} << 40,
                                            std::numeric_limits<uint64_t>::max()};
        for (uint64_t queue : above)
        {
            NS_TEST_EXPECT_MSG_EQ(Through(format, {0, 0, queue, 0}).queueBytes,
                                  QUEUE_LIMIT,
                                  queue << " B are clipped");
        }
        NS_TEST_EXPECT_MSG_EQ(Through(format, {0, 0, QUEUE_LIMIT - 1, 0}).queueBytes,
                              QUEUE_LIMIT - 80,
                              "below the limit");
        // Both counters come back to zero at the wrap.
        got = Through(format, {TIME_WRAP, BYTE_WRAP, 0, 0});
        NS_TEST_EXPECT_MSG_EQ(got.timePs, 0, "time wraps");
        NS_TEST_EXPECT_MSG_EQ(got.txBytes, 0, "bytes wrap");
        // A difference across the wrap; none; and the largest, one unit short of a wrap.
        Difference(format, {TIME_WRAP - 7 * NS, BYTE_WRAP - 3 * 128, 0, 0}, 20 * NS, 10 * 128);
        Difference(format, {TIME_WRAP - NS, BYTE_WRAP - 128, 0, 0}, NS, 128);
        Difference(format, {5 * NS, 6 * 128, 0, 0}, 0, 0);
        Difference(format, {5 * NS, 6 * 128, 0, 0}, TIME_WRAP - NS, BYTE_WRAP - 128);
        // A difference of a whole wrap can not be seen: hence ShortestWrapPs().
        const IntSample zero = Through(format, {0, 0, 0, 0});
        const IntSample wrapped = Through(format, {TIME_WRAP, BYTE_WRAP, 0, 0});
        NS_TEST_EXPECT_MSG_EQ(format->TimeDelta(wrapped, zero), 0, "a whole wrap of time");
        NS_TEST_EXPECT_MSG_EQ(format->ByteDelta(wrapped, zero), 0, "a whole wrap of bytes");

        Ptr<UniformRandomVariable> random = CreateObject<UniformRandomVariable>();
        random->SetStream(5);
        for (int i = 0; i < 1000; ++i)
        {
            const IntSample before{static_cast<int64_t>(random->GetValue(0, 1e9)) * NS,
                                   static_cast<uint64_t>(random->GetValue(0, 1e9)) * 128,
                                   0,
                                   0};
            const int64_t elapsed = static_cast<int64_t>(random->GetValue(0, 1 << 24)) * NS;
            const uint64_t sent = static_cast<uint64_t>(random->GetValue(0, 1 << 20)) * 128;
            Difference(format, before, elapsed, sent);
        }
    }

    /**
     * @param format layout
     * @param sample it
     * @return a sample after a trip through the packed form
     */
    static IntSample Through(Ptr<IntFormat> format, const IntSample& sample)
    {
        return format->Unpack(format->Pack(sample, 0));
    }

    /**
     * @brief Check differences.
     * @param format layout
     * @param before earlier sample
     * @param elapsed ps later
     * @param sent bytes more
     */
    void Difference(Ptr<IntFormat> format, const IntSample& before, int64_t elapsed, uint64_t sent)
    {
        const IntSample now{before.timePs + elapsed, before.txBytes + sent, 0, 0};
        const IntSample a = Through(format, before);
        const IntSample b = Through(format, now);
        NS_TEST_EXPECT_MSG_EQ(format->TimeDelta(b, a),
                              elapsed,
                              "stream 5: time from " << before.timePs);
        NS_TEST_EXPECT_MSG_EQ(format->ByteDelta(b, a),
                              sent,
                              "stream 5: bytes from " << before.txBytes);
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Units, the exact form, and the shortest wrap.
 */
class IntAttributesTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        Ptr<IntFormat> format = CreateObject<IntFormat>();
        // Bytes at 100 Gb/s: 2^27 B x 80 ps; at 10 Gb/s that is 107 ms, and the time, 2^24 ns,
        // wraps first. Equal where 2^27 B x 8 / 2^24 ns = 64 Gb/s, not a rate with a code.
        NS_TEST_EXPECT_MSG_EQ(format->ShortestWrapPs(100 * G), 10737418240, "bytes first");
        NS_TEST_EXPECT_MSG_EQ(format->ShortestWrapPs(1600 * G), 671088640, "at 1.6 Tb/s");
        NS_TEST_EXPECT_MSG_EQ(format->ShortestWrapPs(10 * G), TIME_WRAP, "time first");
        NS_TEST_EXPECT_MSG_EQ(format->ShortestWrapPs(64 * G), TIME_WRAP, "both at once");
        NS_TEST_EXPECT_MSG_EQ(format->ShortestWrapPs(1), TIME_WRAP, "bytes take 34 years");

        format->SetAttribute("TimeUnit", TimeValue(NanoSeconds(4)));
        format->SetAttribute("ByteUnit", UintegerValue(512));
        format->SetAttribute("QueueUnit", UintegerValue(320));
        NS_TEST_EXPECT_MSG_EQ(format->Pack({4 * NS, 512, 320, 0}, 0), 0x0000001000010001, "units");
        NS_TEST_EXPECT_MSG_EQ(format->Pack({4 * NS - 1, 511, 319, 0}, 0), 0, "below the units");
        const IntSample back = format->Unpack(0x0000001000010001);
        NS_TEST_EXPECT_MSG_EQ(back.timePs, 4 * NS, "time unit");
        NS_TEST_EXPECT_MSG_EQ(back.txBytes, 512, "byte unit");
        NS_TEST_EXPECT_MSG_EQ(back.queueBytes, 320, "queue unit");
        NS_TEST_EXPECT_MSG_EQ(format->ShortestWrapPs(100 * G), 4 * 10737418240, "larger wrap");
        NS_TEST_EXPECT_MSG_EQ(format->TimeDelta({0, 0, 0, 0}, {4 * TIME_WRAP - 4 * NS, 0, 0, 0}),
                              4 * NS,
                              "time wraps later");
        NS_TEST_EXPECT_MSG_EQ(format->ByteDelta({0, 0, 0, 0}, {0, 4 * BYTE_WRAP - 512, 0, 0}),
                              512,
                              "bytes wrap later");
        TimeValue unit;
        format->GetAttribute("TimeUnit", unit);
        NS_TEST_EXPECT_MSG_EQ(unit.Get(), NanoSeconds(4), "reads back");

        DCFABRIC_EXPECT_REFUSAL(format->SetAttribute("TimeUnit", TimeValue(Seconds(0))), "1 ps");
        // 2^24 x 100 ms = 1.7e18 ps, below 2^63 = 9.2e18; 2^24 x 1 s = 1.7e19 is not
        format->SetAttribute("TimeUnit", TimeValue(MilliSeconds(100)));
        NS_TEST_EXPECT_MSG_EQ(format->TimeDelta({0, 0, 0, 0}, {1, 0, 0, 0}),
                              (int64_t{1} << 24) * 100000000000 - 1,
                              "the longest wrap");
        NS_TEST_EXPECT_MSG_EQ(format->SetAttributeFailSafe("TimeUnit", TimeValue(Seconds(1))),
                              false,
                              "a wrap that time cannot tell");
        NS_TEST_EXPECT_MSG_EQ(format->SetAttributeFailSafe("ByteUnit", UintegerValue(0)),
                              false,
                              "no unit of 0 B");
        NS_TEST_EXPECT_MSG_EQ(format->SetAttributeFailSafe("QueueUnit", UintegerValue(0)),
                              false,
                              "no unit of 0 B of queue");

        Ptr<IntFormat> exact = CreateObject<IntFormat>();
        exact->SetAttribute("Exact", BooleanValue(true));
        NS_TEST_EXPECT_MSG_EQ(exact->IsExact(), true, "exact");
        NS_TEST_EXPECT_MSG_EQ(exact->ShortestWrapPs(100 * G),
                              std::numeric_limits<int64_t>::max(),
                              "no wrap");
        NS_TEST_EXPECT_MSG_EQ(exact->TimeDelta({9 * TIME_WRAP + 1, 0, 0, 0}, {2, 0, 0, 0}),
                              9 * TIME_WRAP - 1,
                              "any span");
        NS_TEST_EXPECT_MSG_EQ(exact->TimeDelta({1, 0, 0, 0}, {3, 0, 0, 0}), -2, "no wrap undone");
        NS_TEST_EXPECT_MSG_EQ(exact->ByteDelta({0, 9 * BYTE_WRAP + 1, 0, 0}, {0, 2, 0, 0}),
                              9 * BYTE_WRAP - 1,
                              "any count");
    }
};

/// INT records.
const SuiteCases g_cases("dcfabric-int", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(
        new IntLayoutTestCase("fields of 4, 24, 20 and 16 bits, each alone, zero and full"));
    suite.AddTestCase(
        new IntRateTestCase("rates have codes 1 to 9; others are refused with the remedy"));
    suite.AddTestCase(
        new IntWrapTestCase("time and bytes wrap and differences undo it; the queue is clipped"));
    suite.AddTestCase(
        new IntAttributesTestCase("units and Exact by attribute; shortest wrap of both counters"));
});

} // namespace ns3::tests::int_format_test
