// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-suite.h"
#include "fabric-test-wire.h"

#include "ns3/fabric-error.h"
#include "ns3/packet-kind.h"
#include "ns3/rate-packet.h"
#include "ns3/test.h"

#include <algorithm>
#include <iostream>
#include <random>
#include <sstream>
#include <string>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Damaged frames, and items that have no byte form, are refused.
 */

namespace ns3::tests::wire_refusal_test
{

/**
 * @ingroup dcfabric-tests
 * @brief Damaged, cut and foreign bytes are refused; what is accepted is canonical.
 */
class WireRefusalTest : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const uint64_t seed = 7919;
        std::cout << "dcfabric-wire-refusal fuzz: seed " << seed << std::endl;
        std::mt19937_64 random(seed);
        Truncate(random);
        Flip(random);
        Contradict();
        Lengthen();
        FuzzSealed(random);
    }

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

    /// Headers of message matching that are wrong in themselves or contradict one another.
    void Contradict()
    {
        auto data = Item::Create(FabricPacketType::DATA);
        data->flags = Item::FLAG_MATCH;
        data->data.payloadBytes = 4;
        NS_TEST_ASSERT_MSG_EQ(RefusedWith(*data, 54, 0x80), false, "as made");
        NS_TEST_ASSERT_MSG_EQ(RefusedWith(*data, 54, 0x88), true, "unknown flag");
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

        const uint8_t content[4] = {1, 2, 3, 4};
        Ptr<Item> notice(new Item(Create<Packet>(content, 4)), false);
        notice->type = FabricPacketType::NOTICE;
        NS_TEST_ASSERT_MSG_EQ(RefusedWith(*notice, 54, 9), false, "another payload");
        NS_TEST_ASSERT_MSG_EQ(RefusedWith(*notice, 50, 1), true, "INT that is not there");
        NS_TEST_ASSERT_MSG_EQ(RefusedWith(*notice, 50, 0x80), true, "asks for an ACK");
        NS_TEST_ASSERT_MSG_EQ(RefusedWith(*notice, 42, 0xc4), true, "too short for a BTS");
    }

    /// More payload than the IP header says, and more than one can say, under right CRCs.
    void Lengthen()
    {
        auto data = Item::Create(FabricPacketType::DATA);
        data->data.payloadBytes = 4;
        const Bytes whole = FrameOf(*data);
        NS_TEST_ASSERT_MSG_EQ(whole.size(), 66, "62 + 4");
        // 65 553 bytes are an IP packet of 65 535; the other lengths are that of a payload of 4
        // modulo 2^16, and one more
        for (const size_t length : {67, 65553, 66 + 65536, 66 + 65536 + 1})
        {
            Bytes longer = whole;
            longer.resize(length);
            RepairCrcs(longer);
            NS_TEST_ASSERT_MSG_EQ(bool(ParseBytes(longer)), false, length << " bytes");
        }
        Bytes same = whole;
        RepairCrcs(same);
        NS_TEST_ASSERT_MSG_EQ(bool(ParseBytes(same)), true, "as made");
    }

    /// Every prefix, with FCS as cut and with a right one.
    void Truncate(std::mt19937_64& random)
    {
        for (const auto& item : MakeSamples(random))
        {
            const Bytes whole = FrameOf(*item);
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
            const Bytes whole = FrameOf(*item);
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
                Bytes bytes = FrameOf(*item);
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
                NS_TEST_ASSERT_MSG_EQ((FrameOf(*back) == bytes), true, "round " << round);
            }
        }
        NS_TEST_ASSERT_MSG_GT(accepted, 100, "fields without rules do pass");
        NS_TEST_ASSERT_MSG_GT(refused, 100, "fields with rules do not");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Items that have no byte form are refused with a reason.
 */
class WireRangeTest : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param item what to serialize
     * @return true if the item is refused
     */
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
        data->flags |= Item::FLAG_INT;
        data->pathId = Item::MAX_PATH_ID + 1;
        NS_TEST_ASSERT_MSG_EQ(Refused(*data), true, "a path id of 13 bits");
        data->pathId = 0;
        data->flags &= ~Item::FLAG_INT;
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
        notice->As<RateFields>().flowDst = 1 << 24;
        NS_TEST_ASSERT_MSG_EQ(Refused(*notice), true, "destination of the flow");
        notice->As<RateFields>().flowDst = MASK_24;
        notice->As<RateFields>().priority = 8;
        NS_TEST_ASSERT_MSG_EQ(Refused(*notice), true, "class");
        notice->As<RateFields>().priority = 7;
        NS_TEST_ASSERT_MSG_EQ(Refused(*notice), false, "largest values");

        Ptr<Item> wrong(new Item(Create<Packet>(9)), false);
        wrong->data = {};
        wrong->data.payloadBytes = 10;
        NS_TEST_ASSERT_MSG_EQ(Refused(*wrong), true, "payload of another length");

        auto foreign = MakeForeign(10, 0x05ff, random);
        NS_TEST_ASSERT_MSG_EQ(Refused(*foreign), true, "no EtherType");
        CheckTypes(random);
    }

    /**
     * @brief Types that there are not, and those of another protocol: none gets the bytes of an
     * ACK.
     * @param random source of fields
     */
    void CheckTypes(std::mt19937_64& random)
    {
        constexpr auto LAST = static_cast<int>(FabricPacketType::GRANT); // 16
        for (const int number : {LAST + 1, 99, 255})
        {
            const auto type = static_cast<FabricPacketType>(number);
            const std::string text = "there is no packet type " + std::to_string(number);
            DCFABRIC_EXPECT_REFUSAL(Item::Create(type), text);
            auto item = Item::Create(FabricPacketType::ACK);
            item->type = type;
            DCFABRIC_EXPECT_REFUSAL(FabricHeaders::Serialize(*item), text);
            std::ostringstream print;
            print << *item;
            NS_TEST_EXPECT_MSG_EQ(print.str().substr(0, 10), "UNKNOWN 0-", "no name of another");
        }
        for (int number = 0; number <= LAST; ++number)
        {
            const auto type = static_cast<FabricPacketType>(number);
            const auto wing = GetWingPackets().find(type);
            if (!PacketKinds::Find(type))
            {
                std::clog << "packet type " << number << " is not in this build: skipped\n";
                continue;
            }
            const auto item =
                wing == GetWingPackets().end() ? Item::Create(type) : wing->second.make(random);
            const bool isControl = type == FabricPacketType::PAUSE ||
                                   type == FabricPacketType::CREDIT ||
                                   type == FabricPacketType::RATE ||
                                   type == FabricPacketType::LLR || type == FabricPacketType::GRANT;
            const bool isRoce = !isControl && type != FabricPacketType::FOREIGN;
            if (!isRoce)
            {
                DCFABRIC_EXPECT_REFUSAL(RoceFrame::Serialize(*item), "does not travel as RoCEv2");
            }
            NS_TEST_EXPECT_MSG_EQ(Refused(*item),
                                  (type == FabricPacketType::FOREIGN), // of protocol 0
                                  "type " << number);
        }
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

/// Refusals.
const SuiteCases g_cases("dcfabric-wire", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new WireRefusalTest("truncated and corrupt frames are refused"));
    suite.AddTestCase(new WireRangeTest("fields that do not fit the wire are refused"));
});

} // namespace ns3::tests::wire_refusal_test
