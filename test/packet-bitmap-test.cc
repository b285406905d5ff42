// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-suite.h"

#include "ns3/packet-bitmap.h"
#include "ns3/packet-sequence.h"
#include "ns3/test.h"

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <iterator>
#include <random>
#include <set>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Packet bitmap and 24-bit packet sequence numbers.
 */

namespace ns3::tests::packet_bitmap_test
{

/**
 * @ingroup dcfabric-tests
 * @brief A bitmap against values worked out by hand.
 */
class BitmapByHandTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        PacketBitmap empty;
        NS_TEST_EXPECT_MSG_EQ(empty.Test(0), false, "nothing is set");
        NS_TEST_EXPECT_MSG_EQ(empty.Extract(0), 0, "nothing is set");
        empty.Clear(0);
        empty.AdvanceTo(1000);
        NS_TEST_EXPECT_MSG_EQ(empty.GetBase(), 1000, "an empty ring moves without words");
        NS_TEST_EXPECT_MSG_EQ(empty.GetCount(), 0, "empty");

        PacketBitmap bits;
        NS_TEST_EXPECT_MSG_EQ(bits.Set(63), true, "first time");
        NS_TEST_EXPECT_MSG_EQ(bits.Set(63), false, "second time");
        NS_TEST_EXPECT_MSG_EQ(bits.Set(64), true, "needs a second word");
        NS_TEST_EXPECT_MSG_EQ(bits.Set(130), true, "needs a third word, the ring takes four");
        NS_TEST_EXPECT_MSG_EQ(bits.GetCount(), 3, "63, 64, 130");
        NS_TEST_EXPECT_MSG_EQ(bits.Test(63), true, "kept while growing");
        NS_TEST_EXPECT_MSG_EQ(bits.Test(64), true, "kept while growing");
        NS_TEST_EXPECT_MSG_EQ(bits.Test(1000000), false, "beyond the ring");

        // 64 bits from 63 on: 63 is bit 0, 64 is bit 1, 130 would be bit 67
        NS_TEST_EXPECT_MSG_EQ(bits.Extract(63), 3, "across a word");
        NS_TEST_EXPECT_MSG_EQ(bits.Extract(0), uint64_t{1} << 63, "the whole first word");
        NS_TEST_EXPECT_MSG_EQ(bits.Extract(67), uint64_t{1} << 63, "130 is the last bit");
        NS_TEST_EXPECT_MSG_EQ(bits.Extract(128), 4, "130 is bit 2 of its word");
        NS_TEST_EXPECT_MSG_EQ(bits.Extract(255), 0, "last number of the ring");
        NS_TEST_EXPECT_MSG_EQ(bits.Extract(5000), 0, "beyond the ring");

        bits.AdvanceTo(64);
        NS_TEST_EXPECT_MSG_EQ(bits.Test(63), false, "below the base");
        NS_TEST_EXPECT_MSG_EQ(bits.Test(64), true, "the base itself stays");
        NS_TEST_EXPECT_MSG_EQ(bits.GetCount(), 2, "64, 130");
        NS_TEST_EXPECT_MSG_EQ(bits.Extract(0), 0, "below the base there is nothing to be had");
        bits.AdvanceTo(65);
        NS_TEST_EXPECT_MSG_EQ(bits.GetCount(), 1, "130");
        // the ring of 4 words holds 64..319 when its base word is 1: 256..319 lie in place 0
        bits.Set(319);
        NS_TEST_EXPECT_MSG_EQ(bits.Test(319), true, "reuses the place of 0..63");
        NS_TEST_EXPECT_MSG_EQ(bits.Test(63), false, "which is not 63");
        bits.Set(320);
        NS_TEST_EXPECT_MSG_EQ(bits.Test(319) && bits.Test(320) && bits.Test(130),
                              true,
                              "kept while growing from a base within the ring");
        bits.Clear(319);
        bits.Clear(319);
        NS_TEST_EXPECT_MSG_EQ(bits.GetCount(), 2, "cleared once: 130 and 320 remain");
        bits.AdvanceTo(1000000);
        NS_TEST_EXPECT_MSG_EQ(bits.GetCount(), 0, "far beyond the ring");
        NS_TEST_EXPECT_MSG_EQ(bits.Set(1000000), true, "the ring is clean");
        NS_TEST_EXPECT_MSG_EQ(bits.Set(1000255), true, "the ring is clean");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Random operations on a bitmap and on a std::set give the same.
 */
class BitmapPropertyTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const uint32_t seed = 20261121;
        std::cout << "dcfabric-packet-bitmap: seed " << seed << std::endl;
        std::mt19937_64 random(seed);
        for (uint32_t round = 0; round < 200; ++round)
        {
            // narrow rounds stay within a word, wide ones grow the ring
            const uint64_t span = uint64_t{1} << (1 + random() % 12);
            uint64_t base = round % 3 == 0 ? 0 : random() % (uint64_t{1} << 40);
            PacketBitmap bits;
            bits.AdvanceTo(base);
            std::set<uint64_t> model;
            bool same = true;
            for (uint32_t step = 0; step < 400 && same; ++step)
            {
                const uint64_t seq = base + random() % span;
                switch (random() % 8)
                {
                case 0:
                    bits.Clear(seq);
                    model.erase(seq);
                    break;
                case 1:
                    base += random() % (span / 4 + 2);
                    bits.AdvanceTo(base);
                    model.erase(model.begin(), model.lower_bound(base));
                    break;
                default:
                    same = bits.Set(seq) == model.insert(seq).second;
                }
                same = same && bits.GetBase() == base && bits.GetCount() == model.size();
                const uint64_t probe = base + random() % (2 * span);
                same = same && bits.Test(probe) == (model.count(probe) == 1);
                uint64_t expected = 0;
                for (auto it = model.lower_bound(probe); it != model.end() && *it < probe + 64;
                     ++it)
                {
                    expected |= uint64_t{1} << (*it - probe);
                }
                same = same && bits.Extract(probe) == expected;
            }
            NS_TEST_EXPECT_MSG_EQ(same, true, "seed " << seed << ", round " << round);
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief 24-bit numbers of the wire and their extension to 64 bits.
 */
class SequenceTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        constexpr uint32_t LAST = 0xffffff;
        NS_TEST_EXPECT_MSG_EQ(PacketSequence::ToWire(0, 0), 0, "first");
        NS_TEST_EXPECT_MSG_EQ(PacketSequence::ToWire(0, LAST), LAST, "begins with the last number");
        NS_TEST_EXPECT_MSG_EQ(PacketSequence::ToWire(1, LAST), 0, "and wraps at once");
        NS_TEST_EXPECT_MSG_EQ(PacketSequence::ToWire(1 << 24, 5), 5, "a whole turn");

        // 2^24 - 2, 2^24 - 1, 0, 1 are packets 0 to 3
        NS_TEST_EXPECT_MSG_EQ(PacketSequence::FromWire(1, LAST - 1, 0),
                              3,
                              "ahead, across the wrap");
        NS_TEST_EXPECT_MSG_EQ(PacketSequence::FromWire(LAST - 1, LAST - 1, 3), 0, "behind");
        NS_TEST_EXPECT_MSG_EQ(PacketSequence::FromWire(LAST, 0, 0), -1, "before packet 0");
        NS_TEST_EXPECT_MSG_EQ(PacketSequence::FromWire(0, 0, (1 << 24) - 1), 1 << 24, "next turn");
        // half a turn away is ambiguous: 2^23 - 1 ahead is the farthest, 2^23 counts as behind
        NS_TEST_EXPECT_MSG_EQ(PacketSequence::FromWire((1 << 23) - 1, 0, 0),
                              (1 << 23) - 1,
                              "farthest ahead");
        NS_TEST_EXPECT_MSG_EQ(PacketSequence::FromWire(1 << 23, 0, 0),
                              -(1 << 23),
                              "farthest behind");

        const uint32_t seed = 24;
        std::cout << "dcfabric-packet-bitmap sequence: seed " << seed << std::endl;
        std::mt19937_64 random(seed);
        for (uint32_t i = 0; i < 10000; ++i)
        {
            const auto initial = static_cast<uint32_t>(random() & LAST);
            const uint64_t near = PacketSequence::HALF + random() % (uint64_t{1} << 45);
            const uint64_t seq =
                near - PacketSequence::HALF + random() % (2 * PacketSequence::HALF);
            const int64_t back =
                PacketSequence::FromWire(PacketSequence::ToWire(seq, initial), initial, near);
            NS_TEST_ASSERT_MSG_EQ(back,
                                  static_cast<int64_t>(seq),
                                  "seed " << seed << ": initial " << initial << ", near " << near);
        }
    }
};

/// Packet bitmap and sequence numbers.
const SuiteCases g_cases("dcfabric-reliability", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new BitmapByHandTestCase("bitmap by hand"));
    suite.AddTestCase(new BitmapPropertyTestCase("bitmap against std::set"));
    suite.AddTestCase(new SequenceTestCase("packet sequence numbers"));
});

} // namespace ns3::tests::packet_bitmap_test
