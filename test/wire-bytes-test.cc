// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-suite.h"
#include "fabric-test-wire.h"

#include "ns3/frame-bytes.h"
#include "ns3/link-packets.h"
#include "ns3/matching-packets.h"
#include "ns3/rate-packet.h"
#include "ns3/test.h"

#include <string>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief The bytes of each type of packet, written out by hand.
 */

namespace ns3::tests::wire_bytes_test
{

/**
 * @ingroup dcfabric-tests
 * @brief Single fields: what every layout is made of.
 */
class WireFieldTest : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        CheckWriter();
        CheckReader();
        CheckChecksum();
    }

    /**
     * @param writer any
     * @return bytes of a writer
     */
    static Bytes BytesOf(FrameWriter& writer)
    {
        return {writer.GetBytes(), writer.GetBytes() + writer.GetPosition()};
    }

    /// Highest byte first; the largest number of each width fits, the next one does not.
    void CheckWriter()
    {
        FrameWriter writer;
        writer.Field(uint8_t{0xff}, 1);
        writer.Field(uint32_t{0xffffff}, 3);
        writer.Field(int32_t{-2}, 4); // two's complement
        writer.Field((uint64_t{1} << 56) - 1, 7);
        writer.Field(UINT64_MAX, 8);
        writer.Constant(0x0102, 2);
        writer.Constant(7, 10); // two zeros more than a number has
        const std::string expected = "ffffffff"
                                     "fffffffe"
                                     "ffffffffffffff"
                                     "ffffffffffffffff"
                                     "0102"
                                     "00000000000000000007";
        NS_TEST_EXPECT_MSG_EQ(ToHex(BytesOf(writer), 0, 99), expected, "highest byte first");

        DCFABRIC_EXPECT_REFUSAL(writer.Field(1U << 24, 3, "some number"),
                                "some number 16777216 does not fit the wire, at most 16777215");
        DCFABRIC_EXPECT_REFUSAL(writer.Field(uint64_t{1} << 56, 7, "length"),
                                "at most 72057594037927935"); // 2^56 - 1
        DCFABRIC_EXPECT_REFUSAL(writer.Field(uint8_t{8}, 1, "class", 7), "class 8 does not fit");
        DCFABRIC_EXPECT_REFUSAL(writer.Field(int32_t{-1}, 3, "sign"), "sign 4294967295 does not");
        NS_TEST_EXPECT_MSG_EQ(writer.GetPosition(), 35, "1 + 3 + 4 + 7 + 8 + 2 + 10, no more");
    }

    /// Once a field is wrong or missing, all are 0 from there on.
    void CheckReader()
    {
        const Bytes bytes{0x01, 0x02, 0x03, 0xff, 0xff, 0xff, 0xfe, 0x09};
        FrameReader reader(bytes.data(), bytes.size());
        uint32_t number = 0;
        int32_t sign = 0;
        reader.Field(number, 3);
        reader.Field(sign, 4);
        NS_TEST_EXPECT_MSG_EQ(number, 0x010203, "highest byte first");
        NS_TEST_EXPECT_MSG_EQ(sign, -2, "two's complement");
        NS_TEST_EXPECT_MSG_EQ(+reader.Peek(), 9, "not taken");
        NS_TEST_EXPECT_MSG_EQ(reader.GetPosition(), 7, "3 + 4");
        NS_TEST_EXPECT_MSG_EQ(reader.GetLeft(), 1, "of 8");
        NS_TEST_EXPECT_MSG_EQ(reader.IsDone(), false, "one left");
        FrameReader both = reader;
        reader.Constant(9, 1);
        NS_TEST_EXPECT_MSG_EQ(reader.IsDone(), true, "all read");
        NS_TEST_EXPECT_MSG_EQ(+reader.Peek(), 0, "nothing there");
        both.Field(number, 2);
        NS_TEST_EXPECT_MSG_EQ(number, 0, "one byte too few");
        NS_TEST_EXPECT_MSG_EQ(both.GetLeft(), 0, "nothing after that");
        NS_TEST_EXPECT_MSG_EQ(both.IsDone(), false, "refused for good");

        FrameReader limited(bytes.data(), bytes.size());
        limited.Field(number, 1, "", 1);
        NS_TEST_EXPECT_MSG_EQ(number, 1, "the limit itself");
        limited.Field(number, 1, "", 1);
        NS_TEST_EXPECT_MSG_EQ(number, 0, "2 is above it");
        limited.Field(number, 1);
        NS_TEST_EXPECT_MSG_EQ(number, 0, "3 is not read any more");
        NS_TEST_EXPECT_MSG_EQ(limited.IsDone(), false, "refused");

        FrameReader other(bytes.data(), 2);
        other.Constant(0x0103, 2);
        NS_TEST_EXPECT_MSG_EQ(other.IsDone(), false, "another number");

        FrameReader whole(bytes.data(), bytes.size());
        FrameReader part = whole.TakePart(7);
        part.Field(number, 4);
        NS_TEST_EXPECT_MSG_EQ(number, 0x010203ff, "from the front");
        NS_TEST_EXPECT_MSG_EQ(part.GetLeft(), 3, "ends with the part");
        NS_TEST_EXPECT_MSG_EQ(whole.GetLeft(), 1, "the part is left out");
        NS_TEST_EXPECT_MSG_EQ(whole.TakePart(2).IsDone(), false, "longer than what is left");
        NS_TEST_EXPECT_MSG_EQ(whole.IsDone(), false, "refused, too");
        FrameReader none(bytes.data(), 0);
        NS_TEST_EXPECT_MSG_EQ((none.TakePart(0).IsDone() && none.IsDone()), true, "nothing, done");
    }

    /// RFC 1071, section 3: 0001 + f203 + f4f5 + f6f7 = 2ddf0, with its carry ddf2; ~ = 220d.
    void CheckChecksum()
    {
        FrameWriter writer;
        writer.Constant(0xaa, 1); // not covered
        const auto from = writer.GetPosition();
        writer.Constant(0x0001f203, 4);
        writer.Skip2();
        writer.Constant(0xf4f5f6f7, 4);
        writer.Checksum(from, 4);
        const Bytes right = BytesOf(writer);
        NS_TEST_EXPECT_MSG_EQ(ToHex(right, 0, 11), "aa0001f203220df4f5f6f7", "filled in");
        for (size_t at = 0; at < right.size(); ++at)
        {
            Bytes bytes = right;
            bytes[at] ^= 0x10;
            FrameReader reader(bytes.data(), bytes.size());
            uint8_t first = 0;
            uint64_t rest = 0;
            reader.Field(first, 1);
            reader.Field(rest, 8);
            reader.Skip2();
            reader.Checksum(1, 4);
            NS_TEST_EXPECT_MSG_EQ(reader.IsDone(), (at == 0), "covers all but byte 0: " << at);
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The bytes themselves, written out by hand from doc/wire-format.rst.
 */
class WireBytesTest : public NamedCase
{
    using NamedCase::NamedCase;

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
        item->pathId = 0xabc;
        item->intRecords[0] = 0x5000001000020003;
        item->size = 62 + 16 + 12 + 4;
        const Bytes bytes = FrameOf(*item);
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
        NS_TEST_ASSERT_MSG_EQ(ToHex(bytes, 70, 12), "00010abc5000001000020003", "INT");
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
        item->pathId = 0;
        for (const auto& kind : kinds)
        {
            item->flags = kind.flags;
            const Bytes frame = FrameOf(*item);
            NS_TEST_ASSERT_MSG_EQ(ToHex(frame, 42, 1), kind.opcode, "opcode");
            NS_TEST_ASSERT_MSG_EQ(ToHex(frame, 50, 1), "00", "no ACK asked for");
        }
        item->flags = Item::FLAG_ACK_REQUEST | Item::FLAG_INT | Item::FLAG_INT_REVERSED;
        const Bytes asking = FrameOf(*item);
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
        const Bytes bytes = FrameOf(*item);
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
        const Bytes write = FrameOf(*item);
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
        const Bytes given = FrameOf(*empty);
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
        item->ack =
            {0x8000000000000001, 1, 0x40, 4, 2, 9, 0x1234, 3, NackCode::OUT_OF_ORDER, 0x89abcdef};
        const Bytes wait = FrameOf(*item);
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
        const Bytes notReady = FrameOf(*item);
        NS_TEST_ASSERT_MSG_EQ(notReady.size(), 118, "106 + 12");
        NS_TEST_ASSERT_MSG_EQ(ToHex(notReady, 42, 12), "c340ffff000000030dffffff", "13 units");
        NS_TEST_ASSERT_MSG_EQ(ToHex(notReady, 54, 4), "1f0abcde", "AETH");
        NS_TEST_ASSERT_MSG_EQ(ToHex(notReady, 58, 32), extension, "that of an ACK");
        NS_TEST_ASSERT_MSG_EQ(ToHex(notReady, 90, 8), "0300000089abcdef", "epoch, MSN");
        NS_TEST_ASSERT_MSG_EQ(ToHex(notReady, 98, 12), "000100005000001000020003", "INT");

        item->type = FabricPacketType::ACK;
        item->flags = Item::FLAG_COMPLETE;
        item->intCount = 0;
        const Bytes ack = FrameOf(*item);
        NS_TEST_ASSERT_MSG_EQ(ack.size(), 106, "it names the message");
        NS_TEST_ASSERT_MSG_EQ(ToHex(ack, 90, 8), "0300000089abcdef", "epoch, MSN");
        NS_TEST_ASSERT_MSG_EQ(ToHex(ack, 74, 4), "02000001", "bit 1 alone, then the base");
        item->flags |= Item::FLAG_ECHO_MARK;
        NS_TEST_ASSERT_MSG_EQ(ToHex(FrameOf(*item), 74, 4), "03000001", "both bits");
        item->flags |= Item::FLAG_WRITE;
        NS_TEST_ASSERT_MSG_EQ(ToHex(FrameOf(*item), 90, 8), "0301000089abcdef", "a write");
    }

    /// The whole of an RTS up to its CRCs.
    void CheckRts()
    {
        auto item = Item::Create(FabricPacketType::RTS);
        item->src = 2;
        item->dst = 1;
        item->entropy = 0xc123;
        item->pdc = 3;
        item->As<RtsFields>() = {0x100000000, 0x89abcdef, 3};
        const Bytes bytes = FrameOf(*item);
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
        const Bytes ack = FrameOf(*item);
        NS_TEST_ASSERT_MSG_EQ(ack.size(), 98, "length");
        NS_TEST_ASSERT_MSG_EQ(ToHex(ack, 42, 12), "1140ffff0000000308ffffff", "BTH, 8 units");
        NS_TEST_ASSERT_MSG_EQ(ToHex(ack, 54, 4), "1f000000", "AETH");
        NS_TEST_ASSERT_MSG_EQ(ToHex(ack, 58, 32),
                              "80000000000000010102030405060708"
                              "01000001000040000009000400021234",
                              "extension");
        item->type = FabricPacketType::NACK;
        const Bytes nak = FrameOf(*item);
        NS_TEST_ASSERT_MSG_EQ(ToHex(nak, 42, 12), "1140ffff0000000308000000", "BTH");
        NS_TEST_ASSERT_MSG_EQ(ToHex(nak, 54, 4), "60000000", "AETH");
        // how long it waited, in the place of RoCE's message number
        item->echoDelayNs = 0x0abcde;
        NS_TEST_ASSERT_MSG_EQ(ToHex(FrameOf(*item), 54, 4), "600abcde", "AETH of a NAK");
        item->type = FabricPacketType::ACK;
        NS_TEST_ASSERT_MSG_EQ(ToHex(FrameOf(*item), 54, 4), "1f0abcde", "AETH of an ACK");
    }

    /// CNP, PFC frame, and the marking of a foreign packet.
    void CheckOthers()
    {
        auto cnp = Item::Create(FabricPacketType::CNP);
        cnp->pdc = 7;
        const Bytes bytes = FrameOf(*cnp);
        NS_TEST_ASSERT_MSG_EQ(ToHex(bytes, 42, 12), "8140ffff4000000700000000", "BTH with BECN");
        NS_TEST_ASSERT_MSG_EQ(ToHex(bytes, 54, 16), std::string(32, '0'), "reserved");

        // a notice: the bytes of a feature behind BTH
        const uint8_t content[4] = {0xde, 0xad, 0xbe, 0xef};
        Ptr<Item> notice(new Item(Create<Packet>(content, 4)), false);
        notice->type = FabricPacketType::NOTICE;
        notice->src = 5;
        notice->dst = 6;
        const Bytes told = FrameOf(*notice);
        NS_TEST_ASSERT_MSG_EQ(told.size(), 66, "62 + 4");
        NS_TEST_ASSERT_MSG_EQ(ToHex(told, 34, 8), "000012b7001c0000", "UDP, 8 + 12 + 4 + 4 = 28");
        NS_TEST_ASSERT_MSG_EQ(ToHex(told, 42, 12), "c540ffff0000000000000000", "BTH");
        NS_TEST_ASSERT_MSG_EQ(ToHex(told, 54, 4), "deadbeef", "payload");

        CheckRateNotice();
        CheckGrant();
        auto pause = Item::Create(FabricPacketType::PAUSE);
        pause->src = 5;
        pause->As<PauseFields>() = {};
        pause->As<PauseFields>().classEnable = 0x09;
        pause->As<PauseFields>().quanta[0] = 0xffff;
        const Bytes frame = FrameOf(*pause);
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
        const Bytes before = FrameOf(*foreign);
        NS_TEST_ASSERT_MSG_EQ(ToHex(before, 14, 28), ToHex(Bytes(header, header + 28), 0, 28), "");
        NS_TEST_ASSERT_MSG_EQ(foreign->Mark(), true, "capable");
        const Bytes after = FrameOf(*foreign);
        NS_TEST_ASSERT_MSG_EQ(ToHex(after, 14, 12), "4503001c00004000401126cc", "marked");
        NS_TEST_ASSERT_MSG_EQ(+ParseBytes(after)->ds, 0x03, "read back");
        NS_TEST_ASSERT_MSG_EQ(ToHex(ToBytes(foreign->GetPacket()), 1, 1), "02", "sender's copy");

        const uint8_t six[40] = {0x60, 0x20, 0xab, 0xcd};
        Ptr<Item> foreign6(new Item(Create<Packet>(six, 40)), false);
        foreign6->type = FabricPacketType::FOREIGN;
        foreign6->foreignProtocol = 0x86dd;
        foreign6->ds = 0x5b;
        NS_TEST_ASSERT_MSG_EQ(ToHex(FrameOf(*foreign6), 14, 4),
                              "65b0abcd",
                              "traffic class of IPv6");
    }

    /// What a receiver grants, and what a sender wants.
    void CheckGrant()
    {
        // Host 9 grants PDC 0x1234 of host 5 80,750 units (0x13b6e), class 2, entropy 0xc001.
        auto item = Item::Create(FabricPacketType::GRANT);
        item->src = 9;
        item->dst = 5;
        item->ds = 0xc0;
        item->pdc = 0x1234;
        item->entropy = 0xc001;
        item->As<GrantFields>() = {80750, 2};
        const Bytes bytes = FrameOf(*item);
        NS_TEST_ASSERT_MSG_EQ(bytes.size(), 64, "the smallest Ethernet frame");
        NS_TEST_ASSERT_MSG_EQ(ToHex(bytes, 0, 14), "02dc0000000502dc000000090800", "Ethernet");
        // 45c0+002e+0000+4000+4011+0a00+0009+0a00+0005 = 0xda0d, ~ = 0x25f2
        NS_TEST_ASSERT_MSG_EQ(ToHex(bytes, 14, 20),
                              "45c0002e00004000401125f20a0000090a000005",
                              "IP");
        NS_TEST_ASSERT_MSG_EQ(ToHex(bytes, 34, 26),
                              "c001bffe001a0000"
                              "0b0702000000123400013b6e000000000000",
                              "UDP and the fields");
        NS_TEST_ASSERT_MSG_EQ(ParseBytes(bytes)->As<GrantFields>().total, 80750, "read back");
        NS_TEST_ASSERT_MSG_EQ((ParseBytes(bytes)->type == FabricPacketType::GRANT), true, "type");

        auto data = Item::Create(FabricPacketType::DATA);
        data->flags = Item::FLAG_DEMAND;
        data->demand = 0xabcdef;
        NS_TEST_ASSERT_MSG_EQ(ToHex(FrameOf(*data), 54, 4), "20abcdef", "behind BTH");
        data->demand = 0x1000000;
        DCFABRIC_EXPECT_REFUSAL(FrameOf(*data), "demand for credit");
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
        item->As<RateFields>() = {80750, 9, 2, 3};
        const Bytes bytes = FrameOf(*item);
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
        NS_TEST_ASSERT_MSG_EQ(ParseBytes(bytes)->As<RateFields>().rateMbps, 80750, "read back");
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

/// Bytes by hand.
const SuiteCases g_cases("dcfabric-wire", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new WireFieldTest("fields there and back: widths, limits, ends, checksums"));
    suite.AddTestCase(new WireBytesTest("bytes of each type, written out by hand"));
});

} // namespace ns3::tests::wire_bytes_test
