// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief Tests of frame sizes, of the byte form of every packet type and of what is refused.
 */
#include "ns3/crc32.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-headers.h"
#include "ns3/fabric-packet-item.h"
#include "ns3/object-factory.h"
#include "ns3/roce-frame.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"
#include "ns3/wire-format.h"

#include <cstdio>
#include <iostream>
#include <random>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

using Bytes = std::vector<uint8_t>;
using Item = FabricPacketItem;

constexpr uint32_t MASK_24 = 0xffffff;

Bytes
ToBytes(Ptr<const Packet> packet)
{
    Bytes bytes(packet->GetSize());
    packet->CopyData(bytes.data(), packet->GetSize());
    return bytes;
}

std::string
ToHex(const Bytes& bytes, size_t from, size_t count)
{
    std::string text;
    for (size_t i = from; i < from + count && i < bytes.size(); ++i)
    {
        char digits[3];
        std::snprintf(digits, sizeof(digits), "%02x", bytes[i]);
        text += digits;
    }
    return text;
}

/// Fill the fields all RoCEv2 packets share from a generator.
void
FillCommon(Item& item, std::mt19937_64& random)
{
    item.src = random() & MASK_24;
    item.dst = random() & MASK_24;
    item.pdc = random() & MASK_24;
    item.psn = random() & MASK_24;
    item.entropy = random() & 0xffff;
    item.ds = random() & 0xff;
}

/// Add telemetry; @p hops below zero means none.
void
FillInt(Item& item, int hops, bool exact, std::mt19937_64& random)
{
    if (hops < 0)
    {
        return;
    }
    item.intCount = static_cast<uint8_t>(hops);
    item.flags |= Item::FLAG_INT;
    item.flags |= random() & 1 ? Item::FLAG_INT_REVERSED : 0;
    if (exact)
    {
        item.exactInt = std::make_unique<std::array<IntSample, Item::MAX_HOPS>>();
    }
    for (int i = 0; i < hops; ++i)
    {
        if (exact)
        {
            (*item.exactInt)[i] = {static_cast<int64_t>(random()), random(), random(), random()};
        }
        else
        {
            item.intRecords[i] = random();
        }
    }
}

Ptr<Item>
MakeData(uint16_t payload, uint16_t flags, int hops, bool exact, std::mt19937_64& random)
{
    auto item = Item::Create(FabricPacketType::DATA);
    FillCommon(*item, random);
    item->flags = flags | (random() & (Item::FLAG_SYN | Item::FLAG_ACK_REQUEST));
    const bool write = (flags & Item::FLAG_WRITE) && (flags & Item::FLAG_FIRST);
    item->data = {};
    item->data.payloadBytes = payload;
    item->data.sourcePdc = item->flags & Item::FLAG_SYN ? item->pdc : 0;
    if (write)
    {
        item->data.offset = random();
        item->data.messageBytes = random(); // beyond 4 GiB, too
    }
    else if ((flags & Item::FLAG_FIRST) && (flags & Item::FLAG_LAST))
    {
        item->data.messageBytes = payload;
    }
    FillInt(*item, hops, exact, random);
    auto format = CreateObject<RoceV2WireFormat>();
    item->size = format->GetDataBytes(payload, write) +
                 (hops < 0 ? 0 : format->GetDataIntBytes(static_cast<uint8_t>(hops), exact));
    return item;
}

/// A data packet that goes through the match table.
Ptr<Item>
MakeMatched(uint16_t payload, uint16_t flags, int hops, bool exact, std::mt19937_64& random)
{
    auto item = MakeData(payload, flags | Item::FLAG_MATCH, hops, exact, random);
    item->data.offset = random();
    item->data.messageBytes = random() >> 8;
    item->data.msn = static_cast<uint32_t>(random());
    item->data.epoch = random() & 0xff;
    item->data.sourcePdc = random() & MASK_24;
    const bool extra = random() & 1;
    item->data.eagerBytes = extra ? random() | 1 : 0;
    item->size += CreateObject<RoceV2WireFormat>()->GetMatchBytes(extra);
    return item;
}

/// An ACK, NAK, RTW or RNR; @p complete or not.
Ptr<Item>
MakeAck(FabricPacketType type, int hops, bool exact, std::mt19937_64& random, bool complete = false)
{
    auto item = Item::Create(type);
    FillCommon(*item, random);
    item->flags = random() & (Item::FLAG_SYN | Item::FLAG_ECHO_MARK);
    item->flags |= complete ? Item::FLAG_COMPLETE : 0;
    item->ack.sackBitmap = random();
    item->ack.sackBase = random() & MASK_24;
    item->ack.triggerPsn = random() & MASK_24;
    item->ack.targetPdc = random() & MASK_24;
    item->ack.coveredPackets = random() & 0xffff;
    item->ack.markedPackets = random() & 0xffff;
    item->ack.activeFlows = random() & 0xffff;
    item->echoDelayNs = random() & 0xffffff;
    item->sendTimePs = static_cast<int64_t>(random());
    FillInt(*item, hops, exact, random);
    auto format = CreateObject<RoceV2WireFormat>();
    item->size = type == FabricPacketType::ACK ? format->GetAckBytes() : format->GetNackBytes();
    if (complete || type == FabricPacketType::RTW || type == FabricPacketType::RNR)
    {
        item->flags |= random() & Item::FLAG_WRITE;
        item->ack.epoch = random() & 0xff;
        item->ack.msn = static_cast<uint32_t>(random());
        item->size = format->GetRefusalBytes();
    }
    item->size += hops < 0 ? 0 : format->GetAckIntBytes(static_cast<uint8_t>(hops), exact);
    return item;
}

Ptr<Item>
MakeRts(std::mt19937_64& random)
{
    auto item = Item::Create(FabricPacketType::RTS);
    FillCommon(*item, random);
    item->flags = random() & Item::FLAG_SYN;
    item->rts.offset = random();
    item->rts.msn = static_cast<uint32_t>(random());
    item->rts.epoch = random() & 0xff;
    item->size = CreateObject<RoceV2WireFormat>()->GetRtsBytes();
    return item;
}

Ptr<Item>
MakeCnp(std::mt19937_64& random)
{
    auto item = Item::Create(FabricPacketType::CNP);
    FillCommon(*item, random);
    item->size = CreateObject<RoceV2WireFormat>()->GetCnpBytes();
    return item;
}

Ptr<Item>
MakeRateNotice(std::mt19937_64& random)
{
    auto item = Item::Create(FabricPacketType::RATE);
    FillCommon(*item, random);
    item->psn = 0;
    item->rate.rateMbps = static_cast<uint32_t>(random());
    item->rate.flowDst = random() & MASK_24;
    item->rate.port = random() & 0xffff;
    item->rate.priority = random() & 7;
    item->size = CreateObject<RoceV2WireFormat>()->GetRateNoticeBytes();
    return item;
}

Ptr<Item>
MakePause(std::mt19937_64& random)
{
    auto item = Item::Create(FabricPacketType::PAUSE);
    item->src = random() & MASK_24;
    item->pause = {};
    item->pause.classEnable = random() & 0xff;
    for (auto& quanta : item->pause.quanta)
    {
        quanta = random() & 0xffff;
    }
    item->size = CreateObject<RoceV2WireFormat>()->GetPauseBytes();
    return item;
}

Ptr<Item>
MakeForeign(uint32_t bytes, uint16_t protocol, std::mt19937_64& random)
{
    Bytes content(bytes);
    for (auto& byte : content)
    {
        byte = random() & 0xff;
    }
    Ptr<Item> item(new Item(Create<Packet>(content.data(), bytes)), false);
    item->type = FabricPacketType::FOREIGN;
    item->foreignProtocol = protocol;
    item->src = random() & MASK_24;
    item->dst = random() & MASK_24;
    item->size = CreateObject<RoceV2WireFormat>()->GetForeignBytes(bytes);
    return item;
}

/// One of each kind that has bytes of its own.
std::vector<Ptr<Item>>
MakeSamples(std::mt19937_64& random)
{
    return {MakeData(100, Item::FLAG_FIRST, -1, false, random),
            MakeData(33, Item::FLAG_FIRST | Item::FLAG_LAST | Item::FLAG_WRITE, 3, false, random),
            MakeData(8, 0, 2, true, random),
            MakeAck(FabricPacketType::ACK, 0, false, random),
            MakeAck(FabricPacketType::NACK, 5, true, random),
            MakeMatched(20, Item::FLAG_FIRST | Item::FLAG_WRITE, 1, false, random),
            MakeMatched(7, 0, -1, false, random),
            MakeMatched(0, Item::FLAG_LAST | Item::FLAG_VOID, 0, false, random),
            MakeAck(FabricPacketType::ACK, -1, false, random, true),
            MakeAck(FabricPacketType::RTW, 1, false, random),
            MakeAck(FabricPacketType::RNR, -1, false, random),
            MakeRts(random),
            MakeCnp(random),
            MakeRateNotice(random),
            MakePause(random),
            MakeForeign(60, 0x86dd, random)};
}

/// @return true if a type travels as RoCEv2
bool
IsRoce(FabricPacketType type)
{
    return type < FabricPacketType::FOREIGN || type > FabricPacketType::RATE;
}

/// @return true if all fields that go on the wire are the same
bool
SameOnWire(const Item& a, const Item& b)
{
    if (a.type != b.type || a.src != b.src || a.dst != b.dst || a.size != b.size || a.ds != b.ds)
    {
        return false;
    }
    if (a.type == FabricPacketType::PAUSE)
    {
        return a.pause.classEnable == b.pause.classEnable && a.pause.quanta == b.pause.quanta;
    }
    if (a.type == FabricPacketType::FOREIGN)
    {
        return a.foreignProtocol == b.foreignProtocol &&
               ToBytes(a.GetPacket()) == ToBytes(b.GetPacket());
    }
    if (a.pdc != b.pdc || a.psn != b.psn || a.entropy != b.entropy || a.flags != b.flags ||
        a.intCount != b.intCount || a.flowHash != b.flowHash)
    {
        return false;
    }
    for (uint8_t i = 0; i < a.intCount; ++i)
    {
        if (bool(a.exactInt) != bool(b.exactInt))
        {
            return false;
        }
        if (!a.exactInt && a.intRecords[i] != b.intRecords[i])
        {
            return false;
        }
        if (a.exactInt)
        {
            const IntSample& x = (*a.exactInt)[i];
            const IntSample& y = (*b.exactInt)[i];
            if (x.timePs != y.timePs || x.txBytes != y.txBytes || x.queueBytes != y.queueBytes ||
                x.rateBps != y.rateBps)
            {
                return false;
            }
        }
    }
    if (a.type == FabricPacketType::DATA)
    {
        return a.data.payloadBytes == b.data.payloadBytes && a.data.offset == b.data.offset &&
               a.data.messageBytes == b.data.messageBytes && a.data.sourcePdc == b.data.sourcePdc &&
               a.data.msn == b.data.msn && a.data.epoch == b.data.epoch &&
               a.data.eagerBytes == b.data.eagerBytes;
    }
    if (a.type == FabricPacketType::CNP)
    {
        return true;
    }
    if (a.type == FabricPacketType::RTS)
    {
        return a.rts.offset == b.rts.offset && a.rts.msn == b.rts.msn && a.rts.epoch == b.rts.epoch;
    }
    if (a.type == FabricPacketType::RATE)
    {
        return a.rate.rateMbps == b.rate.rateMbps && a.rate.flowDst == b.rate.flowDst &&
               a.rate.port == b.rate.port && a.rate.priority == b.rate.priority;
    }
    return a.ack.sackBitmap == b.ack.sackBitmap && a.ack.sackBase == b.ack.sackBase &&
           a.ack.triggerPsn == b.ack.triggerPsn && a.ack.targetPdc == b.ack.targetPdc &&
           a.ack.coveredPackets == b.ack.coveredPackets &&
           a.ack.markedPackets == b.ack.markedPackets && a.ack.activeFlows == b.ack.activeFlows &&
           a.ack.msn == b.ack.msn && a.ack.epoch == b.ack.epoch && a.echoDelayNs == b.echoDelayNs &&
           a.sendTimePs == b.sendTimePs;
}

/// Put the right FCS behind changed bytes, so that a test reaches what lies behind that check.
void
RepairFcs(Bytes& bytes)
{
    const auto body = static_cast<int>(bytes.size()) - 4;
    const uint32_t fcs = CRC32Calculate(bytes.data(), body);
    for (int i = 0; i < 4; ++i)
    {
        bytes[body + i] = static_cast<uint8_t>(fcs >> (8 * i));
    }
}

/// Put the right ICRC and FCS behind changed bytes.
void
RepairCrcs(Bytes& bytes)
{
    const auto icrcAt = static_cast<uint32_t>(bytes.size()) - 8;
    const uint32_t icrc = RoceFrame::ComputeIcrc(bytes.data() + 14, icrcAt - 14);
    for (int i = 0; i < 4; ++i)
    {
        bytes[icrcAt + i] = static_cast<uint8_t>(icrc >> (8 * i));
    }
    RepairFcs(bytes);
}

Ptr<Item>
ParseBytes(const Bytes& bytes)
{
    return FabricHeaders::Parse(Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size())));
}

} // namespace

/**
 * @ingroup dcfabric
 * @brief The sizes of both formats, worked out by hand.
 */
class WireSizeTest : public TestCase
{
  public:
    WireSizeTest()
        : TestCase("sizes of both formats")
    {
    }

  private:
    void DoRun() override
    {
        ObjectFactory factory("ns3::RoceV2WireFormat");
        auto roce = factory.Create<WireFormat>();
        // 14 Ethernet + 20 IPv4 + 8 UDP + 12 BTH + 4 ICRC + 4 FCS = 62
        NS_TEST_ASSERT_MSG_EQ(roce->GetDataBytes(0, false), 62, "no payload");
        NS_TEST_ASSERT_MSG_EQ(roce->GetDataBytes(1456, false), 1518, "full frame of fncc24");
        NS_TEST_ASSERT_MSG_EQ(roce->GetDataBytes(1000, true), 1078, "RETH adds 16");
        NS_TEST_ASSERT_MSG_EQ(roce->GetAckBytes(), 98, "62 + AETH 4 + extension 32");
        NS_TEST_ASSERT_MSG_EQ(roce->GetNackBytes(), 98, "as the ACK");
        NS_TEST_ASSERT_MSG_EQ(roce->GetMatchBytes(false), 24, "flags 1, PDC 3, MSN 4, rest 8 + 8");
        NS_TEST_ASSERT_MSG_EQ(roce->GetMatchBytes(true), 32, "8 more");
        NS_TEST_ASSERT_MSG_EQ(roce->GetRefusalBytes(), 106, "ACK 98 + epoch 4 + MSN 4");
        NS_TEST_ASSERT_MSG_EQ(roce->GetRtsBytes(), 78, "62 + epoch 4 + MSN 4 + offset 8");
        NS_TEST_ASSERT_MSG_EQ(roce->GetCnpBytes(), 78, "62 + 16");
        NS_TEST_ASSERT_MSG_EQ(roce->GetRateNoticeBytes(), 62, "14 + IPv4 20 + ICMP 24 + 4");
        NS_TEST_ASSERT_MSG_EQ(roce->GetPauseBytes(), 64, "smallest frame");
        NS_TEST_ASSERT_MSG_EQ(roce->GetForeignBytes(1500), 1518, "14 + 4");
        NS_TEST_ASSERT_MSG_EQ(roce->GetGapBytes(), 20, "preamble 8 + gap 12");
        NS_TEST_ASSERT_MSG_EQ(roce->GetDataIntBytes(0, false), 4, "header only");
        NS_TEST_ASSERT_MSG_EQ(roce->GetDataIntBytes(5, false), 44, "4 + 5 * 8");
        NS_TEST_ASSERT_MSG_EQ(roce->GetAckIntBytes(8, false), 68, "4 + 8 * 8");
        NS_TEST_ASSERT_MSG_EQ(roce->GetAckIntBytes(5, true), 164, "4 + 5 * 32");

        factory.Set("GapBytes", UintegerValue(24));
        NS_TEST_ASSERT_MSG_EQ(factory.Create<WireFormat>()->GetGapBytes(), 24, "attribute");

        auto hpcc = ObjectFactory("ns3::HpccSimWireFormat").Create<WireFormat>();
        NS_TEST_ASSERT_MSG_EQ(hpcc->GetDataBytes(1000, false), 1048, "14 + 20 + 8 + 6");
        NS_TEST_ASSERT_MSG_EQ(hpcc->GetDataBytes(1000, true), 1048, "no RETH");
        NS_TEST_ASSERT_MSG_EQ(hpcc->GetAckBytes(), 60, "ACK");
        NS_TEST_ASSERT_MSG_EQ(hpcc->GetMatchBytes(false), 24, "as RoCEv2");
        NS_TEST_ASSERT_MSG_EQ(hpcc->GetRefusalBytes(), 68, "ACK 60 + 8");
        NS_TEST_ASSERT_MSG_EQ(hpcc->GetRtsBytes(), 60, "as other control packets");
        NS_TEST_ASSERT_MSG_EQ(hpcc->GetRateNoticeBytes(), 60, "as other control packets");
        NS_TEST_ASSERT_MSG_EQ(hpcc->GetAckBytes() + hpcc->GetAckIntBytes(0, false), 88, "HPCC");
        NS_TEST_ASSERT_MSG_EQ(hpcc->GetGapBytes(), 0, "no gap");
        NS_TEST_ASSERT_MSG_EQ(hpcc->GetPauseBytes(), 64, "smallest frame");
        for (uint8_t hops = 0; hops <= Item::MAX_HOPS; ++hops)
        {
            NS_TEST_ASSERT_MSG_EQ(hpcc->GetDataIntBytes(hops, false), 42, "constant");
            NS_TEST_ASSERT_MSG_EQ(hpcc->GetAckIntBytes(hops, true), 28, "constant");
        }
    }
};

/**
 * @ingroup dcfabric
 * @brief Every type, payload and number of hops: as many bytes as the size says, and back.
 */
class WireRoundTripTest : public TestCase
{
  public:
    WireRoundTripTest()
        : TestCase("size equals bytes, parsing restores every field")
    {
    }

  private:
    /// Serialize, compare length, parse, compare fields. @param item what to check
    void Check(Ptr<Item> item)
    {
        item->UpdateFlowHash();
        Ptr<Packet> frame = FabricHeaders::Serialize(*item);
        NS_TEST_ASSERT_MSG_EQ(frame->GetSize(), item->size, "length of " << *item);
        Ptr<Item> back = FabricHeaders::Parse(frame);
        NS_TEST_ASSERT_MSG_EQ(bool(back), true, "accepted: " << *item);
        NS_TEST_ASSERT_MSG_EQ(SameOnWire(*item, *back), true, "restored: " << *item);
        ++m_checked;
    }

    void DoRun() override
    {
        const uint64_t seed = 20240731;
        std::cout << "dcfabric-wire-format round trip: seed " << seed << std::endl;
        std::mt19937_64 random(seed);
        for (const bool exact : {false, true})
        {
            // without telemetry, then with 0 to 8 records; a header without records is "packed"
            for (int hops = exact ? 1 : -1; hops <= Item::MAX_HOPS; ++hops)
            {
                for (const uint16_t payload : {0, 1, 1000, 1456, 4096})
                {
                    for (int kind = 0; kind < 8; ++kind)
                    {
                        const uint16_t flags = (kind & 1 ? Item::FLAG_FIRST : 0) |
                                               (kind & 2 ? Item::FLAG_LAST : 0) |
                                               (kind & 4 ? Item::FLAG_WRITE : 0);
                        Check(MakeData(payload, flags, hops, exact, random));
                        Check(MakeMatched(payload, flags, hops, exact, random));
                        if (payload == 0)
                        {
                            const uint16_t given = flags | Item::FLAG_VOID;
                            Check(MakeMatched(0, given, hops, exact, random));
                        }
                    }
                }
                for (const auto type : {FabricPacketType::ACK,
                                        FabricPacketType::NACK,
                                        FabricPacketType::RTW,
                                        FabricPacketType::RNR})
                {
                    Check(MakeAck(type, hops, exact, random, false));
                    Check(MakeAck(type, hops, exact, random, true));
                }
            }
        }
        Check(MakeRts(random));
        Check(MakeCnp(random));
        Check(MakeRateNotice(random));
        Check(MakePause(random));
        for (const uint32_t bytes : {0, 1, 46, 1500, 9000})
        {
            Check(MakeForeign(bytes, 0x0806, random));
        }
        // (10 packed or absent + 8 exact) * (5 payloads * 8 kinds * 2 + 8 void + 4 answers * 2)
        // = 18 * 96 = 1728; RTS, 3 others, 5 foreign
        NS_TEST_ASSERT_MSG_EQ(m_checked, 1737, "all combinations ran");
    }

    int m_checked{0}; //!< combinations that passed
};

/**
 * @ingroup dcfabric
 * @brief The bytes themselves, written out by hand from doc/wire-format.rst.
 */
class WireBytesTest : public TestCase
{
  public:
    WireBytesTest()
        : TestCase("bytes of each type, written out by hand")
    {
    }

  private:
    void DoRun() override
    {
        CheckData();
        CheckMatched();
        CheckAck();
        CheckRefusal();
        CheckRts();
        CheckOthers();
    }

    /// First packet of a WRITE with one INT record, real payload.
    void CheckData()
    {
        const uint8_t content[4] = {0xde, 0xad, 0xbe, 0xef};
        Ptr<Item> item(new Item(Create<Packet>(content, 4)), false);
        item->type = FabricPacketType::DATA;
        item->src = 0x010203;
        item->dst = 0x000010;
        item->ds = 0x02;
        item->entropy = 0xc123;
        item->pdc = 0x00abcd;
        item->psn = 0xfffffe;
        item->flags = Item::FLAG_SYN | Item::FLAG_FIRST | Item::FLAG_WRITE | Item::FLAG_INT;
        item->data = {};
        item->data.messageBytes = 0x123456789; // 4.9 GB
        item->data.offset = 0;
        item->data.payloadBytes = 4;
        item->intCount = 1;
        item->intRecords[0] = 0x5000001000020003;
        item->size = 62 + 16 + 12 + 4;
        const Bytes bytes = ToBytes(FabricHeaders::Serialize(*item));
        NS_TEST_ASSERT_MSG_EQ(bytes.size(), 94, "length");
        NS_TEST_ASSERT_MSG_EQ(ToHex(bytes, 0, 14), "02dc0000001002dc000102030800", "Ethernet");
        // total length 94 - 18 = 76 = 0x4c. Sum of the header words: 4502 + 004c + 0000 + 4000 +
        // 4011 + 0a01 + 0203 + 0a00 + 0010 = 0xdb73, complement 0x248c
        NS_TEST_ASSERT_MSG_EQ(ToHex(bytes, 14, 20),
                              "4502004c000040004011248c0a0102030a000010",
                              "IPv4");
        NS_TEST_ASSERT_MSG_EQ(ToHex(bytes, 34, 8), "c12312b700380000", "UDP, 76 - 20 = 56");
        // extension of 12 bytes: 3 units in the low seven bits of the fourth word's first byte
        NS_TEST_ASSERT_MSG_EQ(ToHex(bytes, 42, 12), "0640ffff0100abcd03fffffe", "BTH");
        NS_TEST_ASSERT_MSG_EQ(ToHex(bytes, 54, 16), "00000000000000000000000123456789", "RETH");
        NS_TEST_ASSERT_MSG_EQ(ToHex(bytes, 70, 12), "000100005000001000020003", "INT");
        NS_TEST_ASSERT_MSG_EQ(ToHex(bytes, 82, 4), "deadbeef", "payload");
        Ptr<Item> back = ParseBytes(bytes);
        NS_TEST_ASSERT_MSG_EQ(ToHex(ToBytes(back->GetPacket()), 0, 9), "deadbeef", "payload back");

        // opcodes of the eight kinds of data packets
        const struct
        {
            int flags;
            const char* opcode;
        } kinds[] = {{0, "01"},
                     {Item::FLAG_FIRST, "00"},
                     {Item::FLAG_LAST, "02"},
                     {Item::FLAG_FIRST | Item::FLAG_LAST, "04"},
                     {Item::FLAG_WRITE, "07"},
                     {Item::FLAG_WRITE | Item::FLAG_FIRST, "06"},
                     {Item::FLAG_WRITE | Item::FLAG_LAST, "08"},
                     {Item::FLAG_WRITE | Item::FLAG_FIRST | Item::FLAG_LAST, "0a"}};

        item->intCount = 0;
        for (const auto& kind : kinds)
        {
            item->flags = static_cast<uint16_t>(kind.flags);
            const Bytes frame = ToBytes(FabricHeaders::Serialize(*item));
            NS_TEST_ASSERT_MSG_EQ(ToHex(frame, 42, 1), kind.opcode, "opcode");
            NS_TEST_ASSERT_MSG_EQ(ToHex(frame, 50, 1), "00", "no ACK asked for");
        }
        item->flags = Item::FLAG_ACK_REQUEST | Item::FLAG_INT | Item::FLAG_INT_REVERSED;
        const Bytes asking = ToBytes(FabricHeaders::Serialize(*item));
        NS_TEST_ASSERT_MSG_EQ(ToHex(asking, 50, 8), "81fffffe02000000", "ACK request, empty INT");
    }

    /// Data that names its message: with INT, without payload, with RETH.
    void CheckMatched()
    {
        const uint8_t content[4] = {0xde, 0xad, 0xbe, 0xef};
        Ptr<Item> item(new Item(Create<Packet>(content, 4)), false);
        item->type = FabricPacketType::DATA;
        item->src = 0x010203;
        item->dst = 0x000010;
        item->pdc = 0x00abcd;
        item->psn = 5;
        item->flags = Item::FLAG_SYN | Item::FLAG_MATCH | Item::FLAG_INT;
        item->data = {};
        item->data.offset = 0x100000000;       // 4 GiB
        item->data.messageBytes = 0x123456789; // 4.9 GB
        item->data.msn = 0x89abcdef;
        item->data.payloadBytes = 4;
        item->data.epoch = 3;
        item->data.sourcePdc = 0x00abcd;
        item->intCount = 1;
        item->intRecords[0] = 0x5000001000020003;
        const Bytes bytes = ToBytes(FabricHeaders::Serialize(*item));
        NS_TEST_ASSERT_MSG_EQ(bytes.size(), 102, "62 + 24 + 12 + 4");
        // extensions of 36 bytes: 9 units
        NS_TEST_ASSERT_MSG_EQ(ToHex(bytes, 42, 12), "0140ffff0100abcd09000005", "BTH");
        const std::string message = "89abcdef" // MSN
                                    "03"       // epoch
                                    "00000123456789"
                                    "0000000100000000"; // length, offset
        NS_TEST_ASSERT_MSG_EQ(ToHex(bytes, 54, 24), "8000abcd" + message, "match header");
        NS_TEST_ASSERT_MSG_EQ(ToHex(bytes, 78, 12), "000100005000001000020003", "INT");
        NS_TEST_ASSERT_MSG_EQ(ToHex(bytes, 90, 4), "deadbeef", "payload");

        // a WRITE has offset and length in RETH as well
        item->flags = Item::FLAG_MATCH | Item::FLAG_WRITE | Item::FLAG_FIRST;
        item->intCount = 0;
        const Bytes write = ToBytes(FabricHeaders::Serialize(*item));
        NS_TEST_ASSERT_MSG_EQ(write.size(), 106, "62 + 16 + 24 + 4");
        NS_TEST_ASSERT_MSG_EQ(ToHex(write, 42, 12), "0640ffff0000abcd06000005", "6 units");
        NS_TEST_ASSERT_MSG_EQ(ToHex(write, 54, 16), "00000001000000000000000123456789", "RETH");
        NS_TEST_ASSERT_MSG_EQ(ToHex(write, 70, 24), "8000abcd" + message, "match header");

        // void: no payload, whatever the item says of its length
        auto empty = Item::Create(FabricPacketType::DATA);
        empty->pdc = 0x00abcd;
        empty->psn = 5;
        empty->flags = Item::FLAG_MATCH | Item::FLAG_VOID | Item::FLAG_LAST;
        empty->data = item->data;
        empty->data.payloadBytes = 1000;
        const Bytes given = ToBytes(FabricHeaders::Serialize(*empty));
        NS_TEST_ASSERT_MSG_EQ(given.size(), 86, "62 + 24");
        NS_TEST_ASSERT_MSG_EQ(ToHex(given, 42, 12), "0240ffff0000abcd06000005", "BTH");
        NS_TEST_ASSERT_MSG_EQ(ToHex(given, 54, 24), "8100abcd" + message, "match header");
        Ptr<Item> back = ParseBytes(given);
        NS_TEST_ASSERT_MSG_EQ(back->data.payloadBytes, 0, "nothing came");
        NS_TEST_ASSERT_MSG_EQ(back->flags, empty->flags, "void and last");
    }

    /// RTW and RNR: an ACK, and what it refuses; the bit of a complete message in an ACK.
    void CheckRefusal()
    {
        auto item = Item::Create(FabricPacketType::RTW);
        item->src = 1;
        item->dst = 2;
        item->pdc = 3;
        item->psn = 0; // next expected after the wrap
        item->flags = Item::FLAG_ECHO_MARK;
        item->echoDelayNs = 0x0abcde;
        item->sendTimePs = 0x0102030405060708;
        item->ack = {0x8000000000000001, 1, 0x40, 4, 2, 9, 0x1234, 3, 0x89abcdef};
        const Bytes wait = ToBytes(FabricHeaders::Serialize(*item));
        NS_TEST_ASSERT_MSG_EQ(wait.size(), 106, "98 + 8");
        NS_TEST_ASSERT_MSG_EQ(ToHex(wait, 42, 12), "c140ffff000000030affffff", "BTH, 10 units");
        NS_TEST_ASSERT_MSG_EQ(ToHex(wait, 54, 4), "1f0abcde", "AETH");
        const std::string extension = "80000000000000010102030405060708"
                                      "01000001000040000009000400021234";
        NS_TEST_ASSERT_MSG_EQ(ToHex(wait, 58, 32), extension, "that of an ACK");
        NS_TEST_ASSERT_MSG_EQ(ToHex(wait, 90, 8), "0300000089abcdef", "epoch, MSN");

        item->type = FabricPacketType::RNR;
        item->flags |= Item::FLAG_INT;
        item->intCount = 1;
        item->intRecords[0] = 0x5000001000020003;
        const Bytes notReady = ToBytes(FabricHeaders::Serialize(*item));
        NS_TEST_ASSERT_MSG_EQ(notReady.size(), 118, "106 + 12");
        NS_TEST_ASSERT_MSG_EQ(ToHex(notReady, 42, 12), "c340ffff000000030dffffff", "13 units");
        NS_TEST_ASSERT_MSG_EQ(ToHex(notReady, 54, 4), "1f0abcde", "AETH");
        NS_TEST_ASSERT_MSG_EQ(ToHex(notReady, 58, 32), extension, "that of an ACK");
        NS_TEST_ASSERT_MSG_EQ(ToHex(notReady, 90, 8), "0300000089abcdef", "epoch, MSN");
        NS_TEST_ASSERT_MSG_EQ(ToHex(notReady, 98, 12), "000100005000001000020003", "INT");

        item->type = FabricPacketType::ACK;
        item->flags = Item::FLAG_COMPLETE;
        item->intCount = 0;
        const Bytes ack = ToBytes(FabricHeaders::Serialize(*item));
        NS_TEST_ASSERT_MSG_EQ(ack.size(), 106, "it names the message");
        NS_TEST_ASSERT_MSG_EQ(ToHex(ack, 90, 8), "0300000089abcdef", "epoch, MSN");
        NS_TEST_ASSERT_MSG_EQ(ToHex(ack, 74, 4), "02000001", "bit 1 alone, then the base");
        item->flags |= Item::FLAG_ECHO_MARK;
        NS_TEST_ASSERT_MSG_EQ(ToHex(ToBytes(FabricHeaders::Serialize(*item)), 74, 4),
                              "03000001",
                              "both bits");
        item->flags |= Item::FLAG_WRITE;
        NS_TEST_ASSERT_MSG_EQ(ToHex(ToBytes(FabricHeaders::Serialize(*item)), 90, 8),
                              "0301000089abcdef",
                              "a write");
    }

    /// The whole of an RTS up to its CRCs.
    void CheckRts()
    {
        auto item = Item::Create(FabricPacketType::RTS);
        item->src = 2;
        item->dst = 1;
        item->entropy = 0xc123;
        item->pdc = 3;
        item->rts = {0x100000000, 0x89abcdef, 3};
        const Bytes bytes = ToBytes(FabricHeaders::Serialize(*item));
        NS_TEST_ASSERT_MSG_EQ(bytes.size(), 78, "62 + 16");
        // 60 bytes from IP on: 4500+003c+0000+4000+4011+0a00+0002+0a00+0001 = 0xd950, ~ = 0x26af
        NS_TEST_ASSERT_MSG_EQ(ToHex(bytes, 0, 70),
                              "02dc0000000102dc000000020800"
                              "4500003c00004000401126af0a0000020a000001"
                              "c12312b700280000"
                              "c240ffff0000000304000000"
                              "0300000089abcdef0000000100000000",
                              "4 units; epoch, MSN, offset");
    }

    /// ACK and NAK: the former names the last packet in order, across the wrap.
    void CheckAck()
    {
        auto item = Item::Create(FabricPacketType::ACK);
        item->src = 1;
        item->dst = 2;
        item->pdc = 3;
        item->psn = 0; // next expected after the wrap
        item->flags = Item::FLAG_ECHO_MARK;
        item->sendTimePs = 0x0102030405060708;
        item->ack.sackBitmap = 0x8000000000000001;
        item->ack.sackBase = 0x000001;
        item->ack.triggerPsn = 0x000040;
        item->ack.targetPdc = 0x000009;
        item->ack.coveredPackets = 4;
        item->ack.markedPackets = 2;
        item->ack.activeFlows = 0x1234;
        const Bytes ack = ToBytes(FabricHeaders::Serialize(*item));
        NS_TEST_ASSERT_MSG_EQ(ack.size(), 98, "length");
        NS_TEST_ASSERT_MSG_EQ(ToHex(ack, 42, 12), "1140ffff0000000308ffffff", "BTH, 8 units");
        NS_TEST_ASSERT_MSG_EQ(ToHex(ack, 54, 4), "1f000000", "AETH");
        NS_TEST_ASSERT_MSG_EQ(ToHex(ack, 58, 32),
                              "80000000000000010102030405060708"
                              "01000001000040000009000400021234",
                              "extension");
        item->type = FabricPacketType::NACK;
        const Bytes nak = ToBytes(FabricHeaders::Serialize(*item));
        NS_TEST_ASSERT_MSG_EQ(ToHex(nak, 42, 12), "1140ffff0000000308000000", "BTH");
        NS_TEST_ASSERT_MSG_EQ(ToHex(nak, 54, 4), "60000000", "AETH");
        // how long it waited, in the place of RoCE's message number
        item->echoDelayNs = 0x0abcde;
        NS_TEST_ASSERT_MSG_EQ(ToHex(ToBytes(FabricHeaders::Serialize(*item)), 54, 4),
                              "600abcde",
                              "AETH of a NAK");
        item->type = FabricPacketType::ACK;
        NS_TEST_ASSERT_MSG_EQ(ToHex(ToBytes(FabricHeaders::Serialize(*item)), 54, 4),
                              "1f0abcde",
                              "AETH of an ACK");
    }

    /// CNP, PFC frame, and the marking of a foreign packet.
    void CheckOthers()
    {
        auto cnp = Item::Create(FabricPacketType::CNP);
        cnp->pdc = 7;
        const Bytes bytes = ToBytes(FabricHeaders::Serialize(*cnp));
        NS_TEST_ASSERT_MSG_EQ(ToHex(bytes, 42, 12), "8140ffff4000000700000000", "BTH with BECN");
        NS_TEST_ASSERT_MSG_EQ(ToHex(bytes, 54, 16), std::string(32, '0'), "reserved");

        CheckRateNotice();
        auto pause = Item::Create(FabricPacketType::PAUSE);
        pause->src = 5;
        pause->pause = {};
        pause->pause.classEnable = 0x09;
        pause->pause.quanta[0] = 0xffff;
        const Bytes frame = ToBytes(FabricHeaders::Serialize(*pause));
        NS_TEST_ASSERT_MSG_EQ(frame.size(), 64, "length");
        NS_TEST_ASSERT_MSG_EQ(ToHex(frame, 0, 22),
                              "0180c200000102dc0000000588080101"
                              "0009ffff0000",
                              "head");
        NS_TEST_ASSERT_MSG_EQ(ToHex(frame, 22, 38), std::string(76, '0'), "rest");

        // header of the worked example in RFC 1624's style: DS 0x02 becomes 0x03, so that the
        // checksum falls by one: 4502+001c+4000+4011+0a00+0001+0a00+0002 = 0xd932, ~ = 0x26cd
        const uint8_t header[28] = {0x45, 0x02, 0,  0x1c, 0, 0, 0x40, 0, 0x40, 0x11,
                                    0x26, 0xcd, 10, 0,    0, 1, 10,   0, 0,    2};
        Ptr<Item> foreign(new Item(Create<Packet>(header, 28)), false);
        foreign->type = FabricPacketType::FOREIGN;
        foreign->foreignProtocol = 0x0800;
        foreign->ds = 0x02;
        const Bytes before = ToBytes(FabricHeaders::Serialize(*foreign));
        NS_TEST_ASSERT_MSG_EQ(ToHex(before, 14, 28), ToHex(Bytes(header, header + 28), 0, 28), "");
        NS_TEST_ASSERT_MSG_EQ(foreign->Mark(), true, "capable");
        const Bytes after = ToBytes(FabricHeaders::Serialize(*foreign));
        NS_TEST_ASSERT_MSG_EQ(ToHex(after, 14, 12), "4503001c00004000401126cc", "marked");
        NS_TEST_ASSERT_MSG_EQ(+ParseBytes(after)->ds, 0x03, "read back");
        NS_TEST_ASSERT_MSG_EQ(ToHex(ToBytes(foreign->GetPacket()), 1, 1), "02", "sender's copy");

        const uint8_t six[40] = {0x60, 0x20, 0xab, 0xcd};
        Ptr<Item> foreign6(new Item(Create<Packet>(six, 40)), false);
        foreign6->type = FabricPacketType::FOREIGN;
        foreign6->foreignProtocol = 0x86dd;
        foreign6->ds = 0x5b;
        NS_TEST_ASSERT_MSG_EQ(ToHex(ToBytes(FabricHeaders::Serialize(*foreign6)), 14, 4),
                              "65b0abcd",
                              "traffic class of IPv6");
    }

    /// The fair rate that a switch tells a source.
    void CheckRateNotice()
    {
        // Switch 300 tells host 5 in class 6: 80,750 Mb/s (0x13b6e) at its port 2 in class 3, for
        // PDC 0x1234 to host 9 with entropy 0xc001.
        auto item = Item::Create(FabricPacketType::RATE);
        item->src = 300;
        item->dst = 5;
        item->ds = 0xc0;
        item->pdc = 0x1234;
        item->entropy = 0xc001;
        item->rate = {80750, 9, 2, 3};
        const Bytes bytes = ToBytes(FabricHeaders::Serialize(*item));
        NS_TEST_ASSERT_MSG_EQ(bytes.size(), 62, "length");
        NS_TEST_ASSERT_MSG_EQ(ToHex(bytes, 0, 14), "02dc0000000502dc0000012c0800", "Ethernet");
        // 45c0+002c+0000+4000+4001+0a00+012c+0a00+0005 = 0xdb1e, ~ = 0x24e1
        NS_TEST_ASSERT_MSG_EQ(ToHex(bytes, 14, 20),
                              "45c0002c00004000400124e10a00012c0a000005",
                              "IP");
        // fd00+0001+3b6e+0a00+0009+0300+1234+c001+0002+0000+0000 = 0x217af, + 2 = 0x17b1,
        // ~ = 0xe84e
        NS_TEST_ASSERT_MSG_EQ(ToHex(bytes, 34, 24),
                              "fd00e84e00013b6e0a00000903001234c001000200000000",
                              "ICMP of type 253");
        NS_TEST_ASSERT_MSG_EQ(ParseBytes(bytes)->rate.rateMbps, 80750, "read back");
        // an echo request is a packet of the hosts' own stacks
        const uint8_t echo[28] = {0x45, 0, 0,  0x1c, 0, 0, 0, 0, 64, 1, 0, 0, 10, 0,
                                  0,    1, 10, 0,    0, 2, 8, 0, 0,  0, 0, 0, 0,  0};
        Ptr<Item> ping(new Item(Create<Packet>(echo, 28)), false);
        ping->type = FabricPacketType::FOREIGN;
        ping->foreignProtocol = 0x0800;
        NS_TEST_ASSERT_MSG_EQ((FabricHeaders::Parse(FabricHeaders::Serialize(*ping))->type ==
                               FabricPacketType::FOREIGN),
                              true,
                              "other ICMP is foreign");
    }
};

/**
 * @ingroup dcfabric
 * @brief ICRC: what may change on the way does not change it, everything else does.
 */
class WireIcrcTest : public TestCase
{
  public:
    WireIcrcTest()
        : TestCase("ICRC covers what is invariant")
    {
    }

  private:
    void DoRun() override
    {
        // the standard check of the polynomial and of the order of bits
        NS_TEST_ASSERT_MSG_EQ(CRC32Calculate(reinterpret_cast<const uint8_t*>("123456789"), 9),
                              0xcbf43926,
                              "CRC-32 check value");
        // value of an independent implementation (scapy's RoCE layer) for the same CNP
        auto cnp = Item::Create(FabricPacketType::CNP);
        cnp->src = 1;
        cnp->dst = 0x10203;
        cnp->entropy = 0xc001;
        cnp->ds = 0x02;
        cnp->pdc = 0x1234;
        NS_TEST_ASSERT_MSG_EQ(ToHex(ToBytes(FabricHeaders::Serialize(*cnp)), 70, 4),
                              "4b91afd8",
                              "ICRC of a CNP");
        std::mt19937_64 random(3);
        const Bytes bytes = ToBytes(FabricHeaders::Serialize(
            *MakeData(16, Item::FLAG_FIRST | Item::FLAG_WRITE, 2, false, random)));
        const uint32_t length = static_cast<uint32_t>(bytes.size()) - 14 - 8;
        const uint32_t icrc = RoceFrame::ComputeIcrc(bytes.data() + 14, length);
        // offsets within the IP packet: DS 1, TTL 8, checksum 10-11, UDP checksum 26-27, BTH 28 + 4
        for (uint32_t offset = 0; offset < length; ++offset)
        {
            Bytes changed = bytes;
            changed[14 + offset] ^= 0x10;
            const bool variant = offset == 1 || offset == 8 || offset == 10 || offset == 11 ||
                                 offset == 26 || offset == 27 || offset == 32;
            NS_TEST_ASSERT_MSG_EQ((RoceFrame::ComputeIcrc(changed.data() + 14, length) == icrc),
                                  variant,
                                  "offset " << offset);
        }
    }
};

/**
 * @ingroup dcfabric
 * @brief Damaged, cut and foreign bytes are refused; what is accepted is canonical.
 */
class WireRefusalTest : public TestCase
{
  public:
    WireRefusalTest()
        : TestCase("truncated and corrupt frames are refused")
    {
    }

  private:
    void DoRun() override
    {
        const uint64_t seed = 7919;
        std::cout << "dcfabric-wire-format fuzz: seed " << seed << std::endl;
        std::mt19937_64 random(seed);
        Truncate(random);
        Flip(random);
        Contradict();
        FuzzSealed(random);
    }

    /// Change one byte under right CRCs. @return true if the frame is refused
    /// @param item what to damage @param at place of the byte @param value its new value
    static bool RefusedWith(const Item& item, size_t at, uint8_t value)
    {
        Bytes bytes = ToBytes(FabricHeaders::Serialize(item));
        bytes[at] = value;
        RepairCrcs(bytes);
        return !ParseBytes(bytes);
    }

    /// Headers of message matching that are wrong in themselves or contradict one another.
    void Contradict()
    {
        auto data = Item::Create(FabricPacketType::DATA);
        data->flags = Item::FLAG_MATCH;
        data->data.payloadBytes = 4;
        NS_TEST_ASSERT_MSG_EQ(RefusedWith(*data, 54, 0x80), false, "as made");
        NS_TEST_ASSERT_MSG_EQ(RefusedWith(*data, 54, 0x84), true, "unknown flag");
        NS_TEST_ASSERT_MSG_EQ(RefusedWith(*data, 54, 0x82), true, "extra bytes not there");
        NS_TEST_ASSERT_MSG_EQ(RefusedWith(*data, 54, 0x00), true, "an INT header too long");
        NS_TEST_ASSERT_MSG_EQ(RefusedWith(*data, 54, 0x81), true, "void with payload");
        NS_TEST_ASSERT_MSG_EQ(RefusedWith(*data, 50, 0), false, "all of it payload");
        NS_TEST_ASSERT_MSG_EQ(RefusedWith(*data, 50, 5), true, "match header cut");
        NS_TEST_ASSERT_MSG_EQ(RefusedWith(*data, 50, 8), true, "room for more than the packet has");
        NS_TEST_ASSERT_MSG_EQ(RefusedWith(*data, 42, 0xc0), true, "unknown opcode");
        data->data.eagerBytes = 5; // the match header from 54 to 85
        NS_TEST_ASSERT_MSG_EQ(RefusedWith(*data, 85, 6), false, "another 6 bytes first");
        NS_TEST_ASSERT_MSG_EQ(RefusedWith(*data, 85, 0), true, "the extra bytes say nothing");
        NS_TEST_ASSERT_MSG_EQ(RefusedWith(*data, 50, 6), true, "24 bytes, but 32 are announced");
        data->data.eagerBytes = 0;

        data->flags |= Item::FLAG_WRITE | Item::FLAG_FIRST; // RETH from 54, match header from 70
        NS_TEST_ASSERT_MSG_EQ(RefusedWith(*data, 61, 1), true, "another offset in RETH");
        NS_TEST_ASSERT_MSG_EQ(RefusedWith(*data, 69, 1), true, "another length in RETH");
        NS_TEST_ASSERT_MSG_EQ(RefusedWith(*data, 85, 1), true, "length only in the match header");

        for (const auto type : {FabricPacketType::RTW, FabricPacketType::RNR})
        {
            auto refusal = Item::Create(type);
            NS_TEST_ASSERT_MSG_EQ(RefusedWith(*refusal, 97, 1), false, "another MSN");
            NS_TEST_ASSERT_MSG_EQ(RefusedWith(*refusal, 91, 1), false, "of a write");
            NS_TEST_ASSERT_MSG_EQ(RefusedWith(*refusal, 91, 2), true, "reserved bit");
            NS_TEST_ASSERT_MSG_EQ(RefusedWith(*refusal, 54, 0x60), true, "syndrome of a NAK");
            NS_TEST_ASSERT_MSG_EQ(RefusedWith(*refusal, 74, 0x04), true, "unknown flag");
            NS_TEST_ASSERT_MSG_EQ(RefusedWith(*refusal, 42, 0x11), true, "too long for an ACK");
            NS_TEST_ASSERT_MSG_EQ(RefusedWith(*refusal, 50, 8), true, "nothing refused");
            NS_TEST_ASSERT_MSG_EQ(RefusedWith(*refusal, 50, 11), true, "INT that is not there");
        }
        auto ack = Item::Create(FabricPacketType::ACK);
        NS_TEST_ASSERT_MSG_EQ(RefusedWith(*ack, 42, 0xc1), true, "too short for an RTW");

        auto request = Item::Create(FabricPacketType::RTS);
        NS_TEST_ASSERT_MSG_EQ(RefusedWith(*request, 54, 1), false, "another epoch");
        NS_TEST_ASSERT_MSG_EQ(RefusedWith(*request, 57, 1), true, "reserved byte");
        NS_TEST_ASSERT_MSG_EQ(RefusedWith(*request, 50, 5), true, "INT that is not there");
        NS_TEST_ASSERT_MSG_EQ(RefusedWith(*request, 50, 0x84), true, "asks for an ACK");
    }

    /// Every prefix, with FCS as cut and with a right one.
    void Truncate(std::mt19937_64& random)
    {
        for (const auto& item : MakeSamples(random))
        {
            const Bytes whole = ToBytes(FabricHeaders::Serialize(*item));
            for (size_t length = 0; length < whole.size(); ++length)
            {
                Bytes cut(whole.begin(), whole.begin() + length);
                NS_TEST_ASSERT_MSG_EQ(bool(ParseBytes(cut)), false, "cut at " << length);
                // a foreign frame cut and sealed anew is a shorter foreign frame
                if (item->type != FabricPacketType::FOREIGN && length >= 22)
                {
                    RepairCrcs(cut);
                    NS_TEST_ASSERT_MSG_EQ(bool(ParseBytes(cut)) &&
                                              item->type == ParseBytes(cut)->type,
                                          false,
                                          "sealed anew, cut at " << length);
                }
            }
            Bytes longer = whole;
            longer.push_back(0);
            NS_TEST_ASSERT_MSG_EQ(bool(ParseBytes(longer)), false, "one byte too many");
        }
    }

    /// Every single bit.
    void Flip(std::mt19937_64& random)
    {
        for (const auto& item : MakeSamples(random))
        {
            const Bytes whole = ToBytes(FabricHeaders::Serialize(*item));
            for (size_t bit = 0; bit < whole.size() * 8; ++bit)
            {
                Bytes damaged = whole;
                damaged[bit / 8] ^= static_cast<uint8_t>(1 << (bit % 8));
                NS_TEST_ASSERT_MSG_EQ(bool(ParseBytes(damaged)), false, "bit " << bit);
                // with a right FCS the ICRC is left, which covers all but the bytes masked
                RepairFcs(damaged);
                const size_t byte = bit / 8;
                const bool variant = byte < 14 || byte == 15 || byte == 22 || byte == 24 ||
                                     byte == 25 || byte == 40 || byte == 41 || byte == 46;
                if (IsRoce(item->type) && !variant && byte < whole.size() - 4)
                {
                    Ptr<Item> back = ParseBytes(damaged);
                    // a frame that no longer looks like RoCEv2 is a foreign one
                    NS_TEST_ASSERT_MSG_EQ(back && back->type != FabricPacketType::FOREIGN,
                                          false,
                                          "bit " << bit << " under right FCS");
                }
            }
        }
    }

    /// Random changes under right CRCs: no crash, and what is accepted comes back the same.
    void FuzzSealed(std::mt19937_64& random)
    {
        int accepted = 0;
        int refused = 0;
        for (int round = 0; round < 2000; ++round)
        {
            for (const auto& item : MakeSamples(random))
            {
                Bytes bytes = ToBytes(FabricHeaders::Serialize(*item));
                const int changes = 1 + random() % 3;
                for (int i = 0; i < changes; ++i)
                {
                    // mostly in the headers
                    const size_t range = random() % 4 ? 70 : bytes.size();
                    bytes[random() % std::min(range, bytes.size())] = random() & 0xff;
                }
                if (random() % 4 == 0)
                {
                    bytes.resize(8 + random() % 160);
                }
                if (bytes.size() >= 22)
                {
                    IsRoce(item->type) ? RepairCrcs(bytes) : RepairFcs(bytes);
                }
                Ptr<Item> back = ParseBytes(bytes);
                if (!back)
                {
                    ++refused;
                    continue;
                }
                ++accepted;
                NS_TEST_ASSERT_MSG_EQ((ToBytes(FabricHeaders::Serialize(*back)) == bytes),
                                      true,
                                      "round " << round);
            }
        }
        NS_TEST_ASSERT_MSG_GT(accepted, 100, "fields without rules do pass");
        NS_TEST_ASSERT_MSG_GT(refused, 100, "fields with rules do not");
    }
};

/**
 * @ingroup dcfabric
 * @brief Items that have no byte form are refused with a reason.
 */
class WireRangeTest : public TestCase
{
  public:
    WireRangeTest()
        : TestCase("fields that do not fit the wire are refused")
    {
    }

  private:
    /// @return true if the item is refused @param item what to serialize
    static bool Refused(const Item& item)
    {
        try
        {
            FabricHeaders::Serialize(item);
        }
        catch (const FabricError&)
        {
            return true;
        }
        return false;
    }

    void DoRun() override
    {
        std::mt19937_64 random(11);
        auto data = MakeData(10, 0, -1, false, random);
        NS_TEST_ASSERT_MSG_EQ(Refused(*data), false, "as made");
        data->psn = 1 << 24;
        NS_TEST_ASSERT_MSG_EQ(Refused(*data), true, "sequence number");
        data->psn = MASK_24;
        data->pdc = 1 << 24;
        NS_TEST_ASSERT_MSG_EQ(Refused(*data), true, "PDC number");
        data->pdc = MASK_24;
        data->dst = 1 << 24;
        NS_TEST_ASSERT_MSG_EQ(Refused(*data), true, "address");
        data->dst = MASK_24;
        data->intCount = Item::MAX_HOPS + 1;
        NS_TEST_ASSERT_MSG_EQ(Refused(*data), true, "records");
        data->intCount = 0;
        data->data.payloadBytes = 65535;
        NS_TEST_ASSERT_MSG_EQ(Refused(*data), true, "longer than an IP packet");
        data->data.payloadBytes = 65535 - 44; // IPv4 20, UDP 8, BTH 12, ICRC 4
        NS_TEST_ASSERT_MSG_EQ(Refused(*data), false, "longest IP packet");

        auto ack = MakeAck(FabricPacketType::ACK, -1, false, random);
        ack->ack.coveredPackets = 65536;
        NS_TEST_ASSERT_MSG_EQ(Refused(*ack), true, "covered packets");
        ack->ack.coveredPackets = 65535;
        NS_TEST_ASSERT_MSG_EQ(Refused(*ack), false, "covered packets");

        CheckMatchRanges(random);
        auto notice = MakeRateNotice(random);
        NS_TEST_ASSERT_MSG_EQ(Refused(*notice), false, "as made");
        notice->pdc = 1 << 24;
        NS_TEST_ASSERT_MSG_EQ(Refused(*notice), true, "PDC number");
        notice->pdc = MASK_24;
        notice->rate.flowDst = 1 << 24;
        NS_TEST_ASSERT_MSG_EQ(Refused(*notice), true, "destination of the flow");
        notice->rate.flowDst = MASK_24;
        notice->rate.priority = 8;
        NS_TEST_ASSERT_MSG_EQ(Refused(*notice), true, "class");
        notice->rate.priority = 7;
        NS_TEST_ASSERT_MSG_EQ(Refused(*notice), false, "largest values");

        Ptr<Item> wrong(new Item(Create<Packet>(9)), false);
        wrong->data = {};
        wrong->data.payloadBytes = 10;
        NS_TEST_ASSERT_MSG_EQ(Refused(*wrong), true, "payload of another length");

        auto foreign = MakeForeign(10, 0x05ff, random);
        NS_TEST_ASSERT_MSG_EQ(Refused(*foreign), true, "no EtherType");
    }

    /// What message matching adds. @param random source of the other fields
    void CheckMatchRanges(std::mt19937_64& random)
    {
        auto data = MakeMatched(10, 0, -1, false, random);
        data->data.messageBytes = 1ULL << 56;
        NS_TEST_ASSERT_MSG_EQ(Refused(*data), true, "length of the message");
        data->data.messageBytes = (1ULL << 56) - 1;
        NS_TEST_ASSERT_MSG_EQ(Refused(*data), false, "longest message");
        data->data.sourcePdc = 1 << 24;
        NS_TEST_ASSERT_MSG_EQ(Refused(*data), true, "PDC number at the sender");
        data->data.sourcePdc = MASK_24;
        data->data.payloadBytes = 65535 - 44 - 24 + 1;
        NS_TEST_ASSERT_MSG_EQ(Refused(*data), true, "longer than an IP packet");
        data->data.payloadBytes = 65535 - 44 - 24;
        NS_TEST_ASSERT_MSG_EQ(Refused(*data), false, "longest IP packet");
        data->flags |= Item::FLAG_VOID;
        NS_TEST_ASSERT_MSG_EQ(Refused(*data), false, "void");
        data->flags &= ~Item::FLAG_MATCH;
        NS_TEST_ASSERT_MSG_EQ(Refused(*data), true, "void without the header that says it");

        Ptr<Item> full(new Item(Create<Packet>(9)), false);
        full->data = {};
        full->data.payloadBytes = 9;
        full->flags = Item::FLAG_MATCH;
        NS_TEST_ASSERT_MSG_EQ(Refused(*full), false, "with payload");
        full->flags |= Item::FLAG_VOID;
        NS_TEST_ASSERT_MSG_EQ(Refused(*full), true, "void, but with payload");

        auto refusal = MakeAck(FabricPacketType::RTW, -1, false, random);
        refusal->ack.triggerPsn = 1 << 24;
        NS_TEST_ASSERT_MSG_EQ(Refused(*refusal), true, "sequence number, as in an ACK");

        auto request = MakeRts(random);
        NS_TEST_ASSERT_MSG_EQ(Refused(*request), false, "as made");
        request->flags = Item::FLAG_INT;
        NS_TEST_ASSERT_MSG_EQ(Refused(*request), true, "INT header in an RTS");
        request->flags = 0;
        request->intCount = 1;
        NS_TEST_ASSERT_MSG_EQ(Refused(*request), true, "INT record in an RTS");
    }
};

/**
 * @ingroup dcfabric
 * @brief Suite of the byte form.
 */
class WireFormatTestSuite : public TestSuite
{
  public:
    WireFormatTestSuite()
        : TestSuite("dcfabric-wire-format", TestSuite::Type::UNIT)
    {
        AddTestCase(new WireSizeTest);
        AddTestCase(new WireRoundTripTest);
        AddTestCase(new WireBytesTest);
        AddTestCase(new WireIcrcTest);
        AddTestCase(new WireRefusalTest);
        AddTestCase(new WireRangeTest);
    }
};

static WireFormatTestSuite g_wireFormatTestSuite; //!< registers the suite
