// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-suite.h"
#include "fabric-test-wire.h"

#include "ns3/bts-packet.h"
#include "ns3/object-factory.h"
#include "ns3/test.h"

#include <algorithm>
#include <iostream>
#include <limits>
#include <random>
#include <string>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief The byte form of notifications back to senders, written out by hand from
 * doc/wire-format.rst.
 */

namespace ns3::tests::bts_header_test
{

using Signals = BackToSenderSignals;

constexpr uint8_t ALL = BackToSenderSignals::ALL; //!< short name
constexpr size_t BTH = 42;                        //!< place of BTH in the frame
constexpr size_t LENGTH = 50;                     //!< place of the length of extensions
constexpr size_t NOTICE = 54;                     //!< place of the notification

/**
 * @param signals it carries
 * @return from switch 300 to host 5, about packet 0xbeef of PDC 0x1234
 */
Ptr<Item>
MakeExample(uint8_t signals)
{
    auto item = Item::Create(FabricPacketType::BTS);
    item->src = 300;
    item->dst = 5;
    item->ds = 0xc0;
    item->entropy = 0xc001;
    item->pdc = 0x1234;
    item->psn = 0xbeef;
    item->As<BtsFields>() = {};
    item->As<BtsFields>().signals = signals;
    item->As<BtsFields>().priority = 3;
    item->As<BtsFields>().dropped = true;
    item->As<BtsFields>().inverted = true;
    item->As<BtsFields>().port = 0x0102;
    item->As<BtsFields>().relativeQueue = 1536; // 1.5 of a full queue
    item->As<BtsFields>().activeFlows = 17;
    item->As<BtsFields>().gradientMbps = -80750; // 0x13b6e
    item->As<BtsFields>().rateMbps = 100000;     // 0x186a0
    item->As<BtsFields>().portSentBytes = 0xfffffff0;
    item->As<BtsFields>().queueSentBytes = 1;
    item->As<BtsFields>().timeNs = 0x80000000;
    item->As<BtsFields>().portBytes = 200000; // 0x30d40
    item->As<BtsFields>().bufferBytes = 0xffffffff;
    item->As<BtsFields>().groupBytes = 0;
    return item;
}

/**
 * @ingroup dcfabric-tests
 * @brief The bytes themselves.
 */
class BtsBytesTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // 62 + 4 + 36 of all signals = 102. IP 84 = 0x54, UDP 64 = 0x40, 10 units of extension.
        // 45c0+0054+0000+4000+4011+0a00+012c+0a00+0005 = 0xdb56, ~ = 0x24a9
        const Bytes all = FrameOf(*MakeExample(ALL));
        NS_TEST_EXPECT_MSG_EQ(all.size(), 102, "length");
        NS_TEST_EXPECT_MSG_EQ(ToHex(all, 0, 94),
                              "02dc0000000502dc0000012c0800"
                              "45c00054000040004011"
                              "24a90a00012c0a000005"
                              "c00112b700400000"
                              "c440ffff000012340a00beef"
                              "a33f0102"
                              "06000011"
                              "fffec492"
                              "000186a0"
                              "fffffff00000000180000000"
                              "00030d40ffffffff00000000",
                              "all signals");

        const struct
        {
            uint8_t signal;
            const char* bytes;
        } alone[] = {{0, "a3000102"},
                     {Signals::QUEUE, "a301010206000000"},
                     {Signals::FLOWS, "a302010200000011"},
                     {Signals::GRADIENT, "a3040102fffec492"},
                     {Signals::RATE, "a3080102000186a0"},
                     {Signals::SENT, "a3100102fffffff00000000180000000"},
                     {Signals::OCCUPANCY, "a320010200030d40ffffffff00000000"}};

        for (const auto& one : alone)
        {
            const std::string text = one.bytes;
            const Bytes bytes = FrameOf(*MakeExample(one.signal));
            NS_TEST_EXPECT_MSG_EQ(bytes.size(), 62 + text.size() / 2, "signal " << +one.signal);
            NS_TEST_EXPECT_MSG_EQ(ToHex(bytes, NOTICE, text.size() / 2),
                                  text,
                                  "signal " << +one.signal);
            NS_TEST_EXPECT_MSG_EQ(+bytes[LENGTH], text.size() / 8, "units of four bytes");
        }

        // the eight values of the three bits, and the class behind them
        for (uint32_t bits = 0; bits < 8; ++bits)
        {
            auto item = MakeExample(0);
            item->As<BtsFields>().dropped = (bits & 4) != 0;
            item->As<BtsFields>().marked = (bits & 2) != 0;
            item->As<BtsFields>().inverted = bits & 1;
            item->As<BtsFields>().priority = 7;
            NS_TEST_EXPECT_MSG_EQ(+FrameOf(*item)[NOTICE], (bits << 5 | 7), "bits " << bits);
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief An INT record behind the signals.
 */
class BtsIntTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        auto item = MakeExample(Signals::RATE);
        item->flags = Item::FLAG_INT;
        item->intCount = 1;
        item->intRecords[0] = 0x5000001000020003;
        const Bytes packed = FrameOf(*item);
        NS_TEST_EXPECT_MSG_EQ(packed.size(), 62 + 8 + 4 + 8, "notice 8, INT 4 + 8");
        NS_TEST_EXPECT_MSG_EQ(ToHex(packed, BTH, 12), "c440ffff000012340500beef", "5 units");
        NS_TEST_EXPECT_MSG_EQ(ToHex(packed, NOTICE, 20),
                              "a3080102000186a0"
                              "000100005000001000020003",
                              "signals first");

        item->exactInt = std::make_unique<std::array<IntSample, Item::MAX_HOPS>>();
        (*item->exactInt)[0] = {1000, 2, 3, 100000000000}; // 0x174876e800
        const Bytes exact = FrameOf(*item);
        NS_TEST_EXPECT_MSG_EQ(exact.size(), 62 + 8 + 4 + 32, "INT 4 + 32");
        NS_TEST_EXPECT_MSG_EQ(ToHex(exact, BTH, 12), "c440ffff000012340b00beef", "11 units");
        NS_TEST_EXPECT_MSG_EQ(ToHex(exact, NOTICE, 44),
                              "a3080102000186a0"
                              "01010000"
                              "00000000000003e8"
                              "0000000000000002"
                              "0000000000000003"
                              "000000174876e800",
                              "signals first");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Every set of signals: as many bytes as the size says, and back.
 */
class BtsRoundTripTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief There and back.
     * @param item what
     */
    void Check(Ptr<Item> item)
    {
        item->UpdateFlowHash();
        const Bytes bytes = FrameOf(*item);
        NS_TEST_ASSERT_MSG_EQ(bytes.size(), item->size, "length of " << *item);
        Ptr<Item> back = ParseBytes(bytes);
        NS_TEST_ASSERT_MSG_EQ(bool(back), true, "accepted: " << *item);
        NS_TEST_ASSERT_MSG_EQ(SameOnWire(*item, *back), true, "restored: " << *item);
    }

    void DoRun() override
    {
        const uint64_t seed = 388756;
        std::cout << "dcfabric-bts-header round trip: seed " << seed << std::endl;
        std::mt19937_64 random(seed);
        const auto roce = ObjectFactory("ns3::RoceV2WireFormat").Create<WireFormat>();
        const auto hpcc = ObjectFactory("ns3::HpccSimWireFormat").Create<WireFormat>();
        for (uint32_t mask = 0; mask <= ALL; ++mask)
        {
            // queue and flows share four bytes
            const uint32_t bytes = 66 + (mask & 3 ? 4 : 0) + (mask & 4 ? 4 : 0) +
                                   (mask & 8 ? 4 : 0) + (mask & 16 ? 12 : 0) + (mask & 32 ? 12 : 0);
            const auto signals = static_cast<uint8_t>(mask);
            NS_TEST_ASSERT_MSG_EQ(roce->GetBtsBytes(signals), bytes, "set " << mask);
            NS_TEST_ASSERT_MSG_EQ(hpcc->GetBtsBytes(signals), 60, "set " << mask);
            for (int hops = -1; hops <= Item::MAX_HOPS; ++hops)
            {
                Check(MakeBts(signals, hops, false, random));
                if (hops > 0)
                {
                    Check(MakeBts(signals, hops, true, random));
                }
            }
        }
        NS_TEST_EXPECT_MSG_EQ(roce->GetBtsBytes(15), 78, "what is told by default");

        for (const int32_t gradient :
             {0, -1, std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()})
        {
            auto item = MakeExample(Signals::GRADIENT);
            item->As<BtsFields>().gradientMbps = gradient;
            NS_TEST_EXPECT_MSG_EQ(ParseBytes(FrameOf(*item))->As<BtsFields>().gradientMbps,
                                  gradient,
                                  "sign");
        }
        // what is not told does not pass
        Ptr<Item> back = ParseBytes(FrameOf(*MakeExample(Signals::FLOWS)));
        NS_TEST_EXPECT_MSG_EQ(back->As<BtsFields>().relativeQueue, 0, "not told");
        NS_TEST_EXPECT_MSG_EQ(back->As<BtsFields>().activeFlows, 17, "told");
        NS_TEST_EXPECT_MSG_EQ(back->As<BtsFields>().rateMbps, 0, "not told");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Damaged and contradictory frames, and items without a byte form.
 */
class BtsRefusalTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief Change one byte under right CRCs.
     * @param item what to damage
     * @param at place of the byte
     * @param value its new value
     * @return true if the frame is refused
     */
    static bool RefusedWith(const Item& item, size_t at, uint8_t value)
    {
        Bytes bytes = FrameOf(item);
        bytes[at] = value;
        RepairCrcs(bytes);
        return !ParseBytes(bytes);
    }

    void DoRun() override
    {
        const auto item = MakeExample(Signals::QUEUE);
        NS_TEST_EXPECT_MSG_EQ(RefusedWith(*item, NOTICE, 0xa3), false, "as made");
        NS_TEST_EXPECT_MSG_EQ(RefusedWith(*item, NOTICE, 0xe7), false, "other bits that are used");
        NS_TEST_EXPECT_MSG_EQ(RefusedWith(*item, NOTICE, 0xb3), true, "reserved bit");
        NS_TEST_EXPECT_MSG_EQ(RefusedWith(*item, NOTICE, 0xab), true, "reserved bit");
        NS_TEST_EXPECT_MSG_EQ(RefusedWith(*item, NOTICE + 1, 0x41), true, "unknown signal");
        NS_TEST_EXPECT_MSG_EQ(RefusedWith(*item, NOTICE + 1, 0x81), true, "unknown signal");
        NS_TEST_EXPECT_MSG_EQ(RefusedWith(*item, NOTICE + 1, 0x03), false, "flows as well: 0");
        NS_TEST_EXPECT_MSG_EQ(RefusedWith(*item, NOTICE + 1, 0x02), true, "a queue not announced");
        NS_TEST_EXPECT_MSG_EQ(RefusedWith(*item, NOTICE + 7, 0x01), true, "flows not announced");
        NS_TEST_EXPECT_MSG_EQ(RefusedWith(*item, NOTICE + 1, 0x00), true, "four bytes too many");
        NS_TEST_EXPECT_MSG_EQ(RefusedWith(*item, NOTICE + 1, 0x05), true, "four bytes too few");
        NS_TEST_EXPECT_MSG_EQ(RefusedWith(*item, LENGTH, 1), true, "extension too short");
        NS_TEST_EXPECT_MSG_EQ(RefusedWith(*item, LENGTH, 3), true, "INT that is not there");
        NS_TEST_EXPECT_MSG_EQ(RefusedWith(*item, LENGTH, 0x82), true, "asks for an ACK");
        NS_TEST_EXPECT_MSG_EQ(RefusedWith(*item, BTH + 4, 0x01), false, "SYN passes");
        NS_TEST_EXPECT_MSG_EQ(RefusedWith(*item, BTH + 4, 0x40), true, "BECN");
        NS_TEST_EXPECT_MSG_EQ(RefusedWith(*item, BTH, 0xc5), true, "unknown opcode");
        NS_TEST_EXPECT_MSG_EQ(RefusedWith(*item, BTH, 0xc2), true, "too short for an RTS");

        auto wrong = MakeExample(ALL + 1);
        DCFABRIC_EXPECT_REFUSAL(FabricHeaders::Serialize(*wrong),
                                "set of signals of a BTS 64 does not fit the wire, at most 63");
        wrong = MakeExample(ALL);
        wrong->pdc = 1 << 24;
        DCFABRIC_EXPECT_REFUSAL(FabricHeaders::Serialize(*wrong), "PDC number");

        const uint64_t seed = 12388;
        std::cout << "dcfabric-bts-header mutations: seed " << seed << std::endl;
        std::mt19937_64 random(seed);
        for (uint32_t mask = 0; mask <= ALL; ++mask)
        {
            const auto some = MakeBts(static_cast<uint8_t>(mask),
                                      static_cast<int>(random() % 4) - 1,
                                      false,
                                      random);
            Cut(FrameOf(*some), mask);
            Mutate(FrameOf(*some), random);
        }
        NS_TEST_EXPECT_MSG_GT(m_accepted, 100, "fields without rules do pass");
        NS_TEST_EXPECT_MSG_GT(m_refused, 100, "fields with rules do not");
    }

    /**
     * @brief Every prefix under right CRCs.
     * @param whole frame
     * @param mask signals that it carries
     */
    void Cut(const Bytes& whole, uint32_t mask)
    {
        for (size_t length = 22; length < whole.size(); ++length)
        {
            Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));
            NS_TEST_ASSERT_MSG_EQ(bool(ParseBytes(cut)), false, mask << " cut at " << length);
            RepairCrcs(cut);
            Ptr<Item> back = ParseBytes(cut);
            NS_TEST_ASSERT_MSG_EQ((back && back->type == FabricPacketType::BTS),
                                  false,
                                  mask << " sealed anew, cut at " << length);
        }
    }

    /**
     * @brief Random changes under right CRCs: no crash, and what is accepted comes back the same.
     * @param whole frame
     * @param random source of changes
     */
    void Mutate(const Bytes& whole, std::mt19937_64& random)
    {
        for (int round = 0; round < 300; ++round)
        {
            Bytes bytes = whole;
            for (uint64_t changes = 1 + random() % 3; changes > 0; --changes)
            {
                // mostly behind UDP
                const size_t from = random() % 4 ? BTH : 0;
                bytes[from + random() % (bytes.size() - from)] = random() & 0xff;
            }
            if (random() % 8 == 0)
            {
                bytes.resize(22 + random() % 160);
            }
            RepairCrcs(bytes);
            Ptr<Item> back = ParseBytes(bytes);
            if (!back)
            {
                ++m_refused;
                continue;
            }
            ++m_accepted;
            NS_TEST_ASSERT_MSG_EQ((FrameOf(*back) == bytes), true, "round " << round);
        }
    }

    int m_accepted{0}; //!< mutations
    int m_refused{0};  //!< mutations
};

/// Bytes of notifications.
const SuiteCases g_cases("dcfabric-wire", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new BtsBytesTestCase("bytes: all signals, each signal alone, none"));
    suite.AddTestCase(new BtsIntTestCase("INT record: packed and exact"));
    suite.AddTestCase(new BtsRoundTripTestCase(
        "all sets of signals: size equals bytes, parsing restores every field"));
    suite.AddTestCase(
        new BtsRefusalTestCase("reserved bits, wrong lengths, cut and mutated frames"));
});

} // namespace ns3::tests::bts_header_test
