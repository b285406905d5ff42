// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-errors.h"
#include "../fabric-test-suite.h"
#include "../fabric-test-wire.h"

#include "ns3/ccm-packet.h"
#include "ns3/test.h"

#include <cstdint>
#include <iostream>
#include <random>
#include <sstream>
#include <string>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief The coordination tag and the notifications of coordinated congestion management as bytes.
 */

namespace ns3::tests::ccm_wire_test
{

/// A notification of coordinated congestion management.
Ptr<Item>
MakeCcm(uint8_t kind, std::mt19937_64& random)
{
    auto item = Item::Create(FabricPacketType::CCM);
    FillCommon(*item, random);
    item->As<CcmFields>().kind = kind;
    item->As<CcmFields>().flowSrc = random() & MASK_24;
    item->As<CcmFields>().flowDst = random() & MASK_24;
    item->As<CcmFields>().entropy = random() & 0xffff;
    item->size = CreateObject<RoceV2WireFormat>()->GetNoticeBytes(CcmFields::BYTES);
    return item;
}

/// @return true if the fields of two notifications are the same
bool
IsSameCcm(const Item& a, const Item& b)
{
    return a.As<CcmFields>().kind == b.As<CcmFields>().kind &&
           a.As<CcmFields>().flowSrc == b.As<CcmFields>().flowSrc &&
           a.As<CcmFields>().flowDst == b.As<CcmFields>().flowDst &&
           a.As<CcmFields>().entropy == b.As<CcmFields>().entropy;
}

/// Takes part in what is checked of all types.
const bool g_entered = GetWingPackets()
                           .emplace(FabricPacketType::CCM,
                                    WingPacket{[](std::mt19937_64& random) {
                                                   return MakeCcm(CcmKind::REROUTE, random);
                                               },
                                               &IsSameCcm})
                           .second;

/// @return true if the frame of an item is refused with byte @p at set to @p value
bool
RefusedWith(const Item& item, size_t at, uint8_t value)
{
    Bytes bytes = FrameOf(item);
    bytes[at] = value;
    RepairCrcs(bytes);
    return !ParseBytes(bytes);
}

/**
 * @ingroup dcfabric-tests
 * @brief Bytes written down by hand, and all that is not one of them is refused.
 */
class CcmBytesTest : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        CheckSizes();
        CheckTag();
        CheckMatchedTag();
        CheckNotification();
        CheckRefusals();
    }

    /// Sizes of both formats.
    void CheckSizes()
    {
        NS_TEST_EXPECT_MSG_EQ(WireFormat::GetTagBytes(), 8, "flags 1, zeros 3, AR point 4");
        NS_TEST_EXPECT_MSG_EQ(CreateObject<RoceV2WireFormat>()->GetNoticeBytes(CcmFields::BYTES),
                              74,
                              "62 + type 1, zero 1, entropy 2, source 4, destination 4");
        NS_TEST_EXPECT_MSG_EQ(CreateObject<HpccSimWireFormat>()->GetNoticeBytes(CcmFields::BYTES),
                              60,
                              "as its other control packets");
        // beside the pointers and the base class, whose size is that of the ns-3 release, nothing
        // grew: the AR point fills a gap before the union of fields
        auto item = Item::Create(FabricPacketType::DATA);
        const auto* point = reinterpret_cast<const char*>(&item->arPoint);
        NS_TEST_EXPECT_MSG_EQ(reinterpret_cast<const char*>(&item->data) - point, 4, "no gap left");
        NS_TEST_EXPECT_MSG_EQ(reinterpret_cast<uintptr_t>(&item->sendTimePs) % 8, 0, "aligned");
        NS_TEST_EXPECT_MSG_EQ(point - reinterpret_cast<const char*>(&item->sendTimePs),
                              28,
                              "8 + 4 + 4 + 2 + 2 + 4 + 4 bytes before it");
    }

    /// Data with a tag and telemetry.
    void CheckTag()
    {
        auto item = Item::Create(FabricPacketType::DATA);
        item->flags = Item::FLAG_TAG;
        item->arPoint = 300; // 10.0.1.44
        Bytes bytes = FrameOf(*item);
        NS_TEST_ASSERT_MSG_EQ(bytes.size(), 70, "62 + 8");
        NS_TEST_EXPECT_MSG_EQ(ToHex(bytes, 50, 1), "02", "extension headers of 2 words");
        NS_TEST_EXPECT_MSG_EQ(ToHex(bytes, 54, 8), "420000000a00012c", "AR point named");
        item->flags |= Item::FLAG_CC;
        NS_TEST_EXPECT_MSG_EQ(ToHex(FrameOf(*item), 54, 8), "430000000a00012c", "CC indicator");
        item->arPoint = 0; // address 0 is a point as any other
        NS_TEST_EXPECT_MSG_EQ(ToHex(FrameOf(*item), 54, 8), "430000000a000000", "10.0.0.0");
        item->arPoint = Item::NO_AR_POINT;
        NS_TEST_EXPECT_MSG_EQ(ToHex(FrameOf(*item), 54, 8), "4100000000000000", "none named");
        item->flags |= Item::FLAG_INT;
        bytes = FrameOf(*item);
        NS_TEST_EXPECT_MSG_EQ(ToHex(bytes, 54, 12), "410000000000000000000000", "INT follows");
        const auto back = ParseBytes(bytes);
        NS_TEST_ASSERT_MSG_EQ(bool(back), true, "accepted");
        NS_TEST_EXPECT_MSG_EQ(back->arPoint, Item::NO_AR_POINT, "none named");
        NS_TEST_EXPECT_MSG_EQ((back->flags & (Item::FLAG_TAG | Item::FLAG_CC | Item::FLAG_INT)),
                              (Item::FLAG_TAG | Item::FLAG_CC | Item::FLAG_INT),
                              "all three");

        std::ostringstream text;
        item->Print(text);
        NS_TEST_EXPECT_MSG_NE(text.str().find(" CC AR none"), std::string::npos, text.str());
    }

    /// Between match header and payload.
    void CheckMatchedTag()
    {
        auto item = Item::Create(FabricPacketType::DATA);
        item->flags = Item::FLAG_MATCH | Item::FLAG_TAG;
        item->arPoint = 7;
        const Bytes bytes = FrameOf(*item);
        NS_TEST_ASSERT_MSG_EQ(bytes.size(), 94, "62 + 24 + 8");
        NS_TEST_EXPECT_MSG_EQ(ToHex(bytes, 54, 1), "80", "match header");
        NS_TEST_EXPECT_MSG_EQ(ToHex(bytes, 78, 8), "420000000a000007", "tag behind it");
    }

    /// All of a notification.
    void CheckNotification()
    {
        auto item = Item::Create(FabricPacketType::CCM);
        item->src = 300;
        item->dst = 0x010203;
        item->pdc = 0x0a0b0c;
        item->entropy = 0xc001;
        item->As<CcmFields>().kind = CcmKind::REROUTE;
        item->As<CcmFields>().flowSrc = 5;
        item->As<CcmFields>().flowDst = 0x0405;
        item->As<CcmFields>().entropy = 0xbeef;
        const Bytes bytes = FrameOf(*item);
        NS_TEST_ASSERT_MSG_EQ(bytes.size(), 74, "62 + 12");
        NS_TEST_EXPECT_MSG_EQ(ToHex(bytes, 26, 8), "0a00012c0a010203", "who says it to whom");
        NS_TEST_EXPECT_MSG_EQ(ToHex(bytes, 42, 12), "c640ffff000a0b0c03000000", "BTH");
        NS_TEST_EXPECT_MSG_EQ(ToHex(bytes, 54, 12), "0300beef0a0000050a000405", "type and flow");

        std::ostringstream text;
        item->Print(text);
        NS_TEST_EXPECT_MSG_NE(text.str().find("CCM 300->66051"), std::string::npos, text.str());
        NS_TEST_EXPECT_MSG_NE(text.str().find("type 3 flow 5->1029 entropy 48879"),
                              std::string::npos,
                              text.str());
        NS_TEST_EXPECT_MSG_EQ(item->IsControl(), true, "control class");
    }

    /// Frames and items that say something else.
    void CheckRefusals()
    {
        auto data = Item::Create(FabricPacketType::DATA);
        data->flags = Item::FLAG_TAG;
        data->arPoint = 7;
        NS_TEST_EXPECT_MSG_EQ(RefusedWith(*data, 54, 0x43), false, "CC indicator");
        NS_TEST_EXPECT_MSG_EQ(RefusedWith(*data, 54, 0x40), true, "a point that is not named");
        NS_TEST_EXPECT_MSG_EQ(RefusedWith(*data, 54, 0x46), true, "unknown bit");
        NS_TEST_EXPECT_MSG_EQ(RefusedWith(*data, 54, 0xc2), true, "a match header too short");
        NS_TEST_EXPECT_MSG_EQ(RefusedWith(*data, 54, 0x02), true, "INT of no records too long");
        NS_TEST_EXPECT_MSG_EQ(RefusedWith(*data, 57, 1), true, "reserved byte");
        NS_TEST_EXPECT_MSG_EQ(RefusedWith(*data, 58, 11), true, "11.0.0.7 is not of the fabric");
        NS_TEST_EXPECT_MSG_EQ(RefusedWith(*data, 61, 8), false, "another point");
        NS_TEST_EXPECT_MSG_EQ(RefusedWith(*data, 50, 1), true, "half a tag");
        data->arPoint = Item::NO_AR_POINT;
        NS_TEST_EXPECT_MSG_EQ(RefusedWith(*data, 54, 0x42), true, "0.0.0.0 is not of the fabric");

        auto told = Item::Create(FabricPacketType::CCM);
        told->As<CcmFields>().kind = CcmKind::REQUIRED;
        NS_TEST_EXPECT_MSG_EQ(RefusedWith(*told, 54, 2), false, "type 2");
        NS_TEST_EXPECT_MSG_EQ(RefusedWith(*told, 54, 0), true, "type 0");
        NS_TEST_EXPECT_MSG_EQ(RefusedWith(*told, 54, 4), true, "type 4");
        NS_TEST_EXPECT_MSG_EQ(RefusedWith(*told, 55, 1), true, "reserved byte");
        NS_TEST_EXPECT_MSG_EQ(RefusedWith(*told, 58, 11), true, "source not of the fabric");
        NS_TEST_EXPECT_MSG_EQ(RefusedWith(*told, 50, 2), true, "extension too short");
        NS_TEST_EXPECT_MSG_EQ(RefusedWith(*told, 50, 0x83), true, "asks for an ACK");
        NS_TEST_EXPECT_MSG_EQ(RefusedWith(*told, 42, 0xc2), true, "too short for an RTS");

        for (const uint8_t kind : {0, 4, 255})
        {
            told->As<CcmFields>().kind = kind;
            NS_TEST_EXPECT_MSG_EQ(RefusalOf([&] { FabricHeaders::Serialize(*told); }),
                                  "packet item: a CCM has type 1, 2 or 3, not " +
                                      std::to_string(kind),
                                  "type");
        }
        told->As<CcmFields>().kind = CcmKind::RELEASED;
        told->As<CcmFields>().flowDst = 1U << 24;
        NS_TEST_EXPECT_MSG_NE(RefusalOf([&] { FabricHeaders::Serialize(*told); }), "", "25 bits");
        told->As<CcmFields>().flowDst = 0;
        told->flags = Item::FLAG_INT;
        NS_TEST_EXPECT_MSG_EQ(RefusalOf([&] { FabricHeaders::Serialize(*told); }),
                              "packet item: CCM carries no INT",
                              "INT");
        data->arPoint = 1U << 24;
        NS_TEST_EXPECT_MSG_NE(RefusalOf([&] { FabricHeaders::Serialize(*data); }), "", "25 bits");
        data->flags = Item::FLAG_CC;
        NS_TEST_EXPECT_MSG_EQ(RefusalOf([&] { FabricHeaders::Serialize(*data); }),
                              "packet item: FLAG_CC needs FLAG_TAG, whose header says it",
                              "no tag");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Random tags on every kind of data, and random notifications, there and back.
 */
class CcmRoundTripTest : public RoundTripCase
{
    using RoundTripCase::RoundTripCase;

    void DoRun() override
    {
        const uint64_t seed = 20260923;
        std::cout << "coordination tags: seed " << seed << std::endl;
        std::mt19937_64 random(seed);
        for (int round = 0; round < 4; ++round)
        {
            for (int bits = 0; bits < 32; ++bits)
            {
                const auto flags = static_cast<uint32_t>((bits & 1 ? Item::FLAG_FIRST : 0) |
                                                         (bits & 2 ? Item::FLAG_WRITE : 0));
                const int hops = bits & 4 ? round : -1;
                Check(
                    AddTag(MakeData(50, flags, hops, false, random), bits & 8, bits & 16, random));
                Check(AddTag(MakeMatched(50, flags, hops, hops > 0, random),
                             bits & 8,
                             bits & 16,
                             random));
            }
            for (uint8_t kind = 1; kind <= 3; ++kind)
            {
                Check(MakeCcm(kind, random));
            }
        }
        // 4 rounds of 32 plain, 32 matched, 3 notifications
        NS_TEST_EXPECT_MSG_EQ(m_checked, 268, "all combinations ran");
    }
};

/// Byte forms of coordinated congestion management.
const SuiteCases g_cases("dcfabric-wire", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new CcmBytesTest("coordination tag and notifications, byte for byte"));
    suite.AddTestCase(new CcmRoundTripTest("coordination tags and notifications come back"));
});

} // namespace ns3::tests::ccm_wire_test
