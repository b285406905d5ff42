// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TEST_WIRE_H
#define FABRIC_TEST_WIRE_H

#include "fabric-test-suite.h"

#include "ns3/back-to-sender-signals.h"
#include "ns3/bts-packet.h"
#include "ns3/crc32.h"
#include "ns3/fabric-headers.h"
#include "ns3/fabric-packet-item.h"
#include "ns3/grant-packet.h"
#include "ns3/link-packets.h"
#include "ns3/matching-packets.h"
#include "ns3/rate-packet.h"
#include "ns3/roce-frame.h"
#include "ns3/test.h"
#include "ns3/wire-format.h"

#include <array>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

/**
 * @file
 * @brief What the suites of the byte form share: random items of each type, bytes and checksums.
 */

namespace ns3::tests
{

using Bytes = std::vector<uint8_t>; //!< of a frame
using Item = FabricPacketItem;      //!< short name

constexpr uint32_t MASK_24 = 0xffffff; //!< addresses, sequence and PDC numbers

/**
 * @param packet some packet
 * @return all bytes
 */
inline Bytes
ToBytes(Ptr<const Packet> packet)
{
    Bytes bytes(packet->GetSize());
    packet->CopyData(bytes.data(), packet->GetSize());
    return bytes;
}

/**
 * @param item the packet
 * @return the bytes of a frame
 */
inline Bytes
FrameOf(const Item& item)
{
    return ToBytes(FabricHeaders::Serialize(item));
}

/**
 * @param bytes all
 * @param from first one
 * @param count how many
 * @return bytes as text
 */
inline std::string
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
inline void
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
inline void
FillInt(Item& item, int hops, bool exact, std::mt19937_64& random)
{
    if (hops < 0)
    {
        return;
    }
    item.intCount = static_cast<uint8_t>(hops);
    item.pathId = random() & Item::MAX_PATH_ID;
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

/// A data packet that is not matched.
inline Ptr<Item>
MakeData(uint16_t payload, uint32_t flags, int hops, bool exact, std::mt19937_64& random)
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
inline Ptr<Item>
MakeMatched(uint16_t payload, uint32_t flags, int hops, bool exact, std::mt19937_64& random)
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
inline Ptr<Item>
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

/// A data packet that has been trimmed.
inline Ptr<Item>
MakeTrimmed(uint32_t flags, uint32_t size, bool lastHop, std::mt19937_64& random)
{
    auto item = MakeData(1000, flags, 2, false, random);
    if (flags & Item::FLAG_FIRST)
    {
        item->data.messageBytes = item->data.offset = 0; // what is behind BTH is lost
    }
    item->Trim(size, random() & 0x3f, lastHop);
    return item;
}

/// A NACK of a trimmed packet.
inline Ptr<Item>
MakeTrimmedNack(NackCode code, std::mt19937_64& random)
{
    auto item = MakeAck(FabricPacketType::NACK, -1, false, random);
    item->ack.code = code;
    return item;
}

/// A request to send.
inline Ptr<Item>
MakeRts(std::mt19937_64& random)
{
    auto item = Item::Create(FabricPacketType::RTS);
    FillCommon(*item, random);
    item->flags = random() & Item::FLAG_SYN;
    item->As<RtsFields>().offset = random();
    item->As<RtsFields>().msn = static_cast<uint32_t>(random());
    item->As<RtsFields>().epoch = random() & 0xff;
    item->size = CreateObject<RoceV2WireFormat>()->GetRtsBytes();
    return item;
}

/// A congestion notification.
inline Ptr<Item>
MakeCnp(std::mt19937_64& random)
{
    auto item = Item::Create(FabricPacketType::CNP);
    FillCommon(*item, random);
    item->size = CreateObject<RoceV2WireFormat>()->GetCnpBytes();
    return item;
}

/// A fair rate.
inline Ptr<Item>
MakeRateNotice(std::mt19937_64& random)
{
    auto item = Item::Create(FabricPacketType::RATE);
    FillCommon(*item, random);
    item->psn = 0;
    item->As<RateFields>().rateMbps = static_cast<uint32_t>(random());
    item->As<RateFields>().flowDst = random() & MASK_24;
    item->As<RateFields>().port = random() & 0xffff;
    item->As<RateFields>().priority = random() & 7;
    item->size = CreateObject<RoceV2WireFormat>()->GetRateNoticeBytes();
    return item;
}

/// A grant.
inline Ptr<Item>
MakeGrantPacket(std::mt19937_64& random)
{
    auto item = Item::Create(FabricPacketType::GRANT);
    FillCommon(*item, random);
    item->psn = 0;
    item->As<GrantFields>().total = static_cast<uint32_t>(random());
    item->As<GrantFields>().priority = random() & 1 ? GrantFields::OWN_PRIORITY : random() & 7;
    item->size = GrantFields::FRAME_BYTES;
    return item;
}

/// A notification back to a sender; @p signals that it carries.
inline Ptr<Item>
MakeBts(uint8_t signals, int hops, bool exact, std::mt19937_64& random)
{
    auto item = Item::Create(FabricPacketType::BTS);
    FillCommon(*item, random);
    item->flags = random() & Item::FLAG_SYN;
    item->As<BtsFields>() = {};
    item->As<BtsFields>().signals = signals;
    item->As<BtsFields>().priority = random() & 7;
    item->As<BtsFields>().dropped = random() & 1;
    item->As<BtsFields>().marked = random() & 1;
    item->As<BtsFields>().inverted = random() & 1;
    item->As<BtsFields>().port = random() & 0xffff;
    // what is not carried comes back as zero
    const auto draw = [&](uint8_t signal) {
        const auto value = static_cast<uint32_t>(random());
        return signals & signal ? value : 0;
    };
    item->As<BtsFields>().relativeQueue = draw(BackToSenderSignals::QUEUE) & 0xffff;
    item->As<BtsFields>().activeFlows = draw(BackToSenderSignals::FLOWS) & 0xffff;
    item->As<BtsFields>().gradientMbps = static_cast<int32_t>(draw(BackToSenderSignals::GRADIENT));
    item->As<BtsFields>().rateMbps = draw(BackToSenderSignals::RATE);
    item->As<BtsFields>().portSentBytes = draw(BackToSenderSignals::SENT);
    item->As<BtsFields>().queueSentBytes = draw(BackToSenderSignals::SENT);
    item->As<BtsFields>().timeNs = draw(BackToSenderSignals::SENT);
    item->As<BtsFields>().portBytes = draw(BackToSenderSignals::OCCUPANCY);
    item->As<BtsFields>().bufferBytes = draw(BackToSenderSignals::OCCUPANCY);
    item->As<BtsFields>().groupBytes = draw(BackToSenderSignals::OCCUPANCY);
    FillInt(*item, hops, exact, random);
    auto format = CreateObject<RoceV2WireFormat>();
    item->size = format->GetBtsBytes(signals) +
                 (hops < 0 ? 0 : format->GetAckIntBytes(static_cast<uint8_t>(hops), exact));
    return item;
}

/// A notice of a switch to its neighbor.
inline Ptr<Item>
MakeNotice(uint32_t bytes, std::mt19937_64& random)
{
    Bytes content(bytes);
    for (auto& byte : content)
    {
        byte = random() & 0xff;
    }
    Ptr<Item> item(new Item(Create<Packet>(content.data(), bytes)), false);
    item->type = FabricPacketType::NOTICE;
    FillCommon(*item, random);
    item->size = CreateObject<RoceV2WireFormat>()->GetNoticeBytes(bytes);
    return item;
}

/// Tag a data packet; @p named says whether it has an AR point.
inline Ptr<Item>
AddTag(Ptr<Item> item, bool cc, bool named, std::mt19937_64& random)
{
    item->flags |= Item::FLAG_TAG;
    item->flags |= cc ? Item::FLAG_CC : 0;
    item->arPoint = named ? random() & MASK_24 : Item::NO_AR_POINT;
    item->size += WireFormat::GetTagBytes();
    return item;
}

/// Let the sender of a data packet want credit.
inline Ptr<Item>
AddDemand(Ptr<Item> item, std::mt19937_64& random)
{
    item->flags |= Item::FLAG_DEMAND;
    item->demand = random() & MASK_24;
    item->size += CreditUnits::DEMAND_BYTES;
    return item;
}

/// Let the first switch of a data packet tell the last one something.
inline Ptr<Item>
AddEdge(Ptr<Item> item, std::mt19937_64& random)
{
    item->flags |= Item::FLAG_EDGE;
    const auto draw = [&random]() { return static_cast<uint32_t>(random()); };
    item->edge = {draw(),
                  {draw(), draw()},
                  {static_cast<uint8_t>(draw()), static_cast<uint8_t>(draw())}};
    item->size += EdgeTag::BYTES;
    return item;
}

/// A PFC frame.
inline Ptr<Item>
MakePause(std::mt19937_64& random)
{
    auto item = Item::Create(FabricPacketType::PAUSE);
    item->src = random() & MASK_24;
    item->As<PauseFields>() = {};
    item->As<PauseFields>().classEnable = random() & 0xff;
    for (auto& quanta : item->As<PauseFields>().quanta)
    {
        quanta = random() & 0xffff;
    }
    item->size = CreateObject<RoceV2WireFormat>()->GetPauseBytes();
    return item;
}

/// A packet of another protocol.
inline Ptr<Item>
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

/// What the suites of the byte form need of a type that belongs to a wing.
struct WingPacket
{
    Ptr<Item> (*make)(std::mt19937_64&);    //!< a random one
    bool (*same)(const Item&, const Item&); //!< whether the type's own fields are the same
};

/// @return those of this build, which static objects of the wings' files enter
inline std::map<FabricPacketType, WingPacket>&
GetWingPackets()
{
    static std::map<FabricPacketType, WingPacket> packets;
    return packets;
}

/// One of each kind that has bytes of its own.
inline std::vector<Ptr<Item>>
MakeSamples(std::mt19937_64& random)
{
    std::vector<Ptr<Item>> samples = {
        MakeData(100, Item::FLAG_FIRST, -1, false, random),
        MakeData(33, Item::FLAG_FIRST | Item::FLAG_LAST | Item::FLAG_WRITE, 3, false, random),
        MakeData(8, 0, 2, true, random),
        MakeAck(FabricPacketType::ACK, 0, false, random),
        MakeAck(FabricPacketType::NACK, 5, true, random),
        MakeTrimmed(0, 64, false, random),
        MakeTrimmed(Item::FLAG_LAST, 300, true, random),
        MakeTrimmed(Item::FLAG_FIRST | Item::FLAG_WRITE, 64, true, random),
        MakeTrimmedNack(NackCode::TRIMMED, random),
        MakeTrimmedNack(NackCode::TRIMMED_LAST_HOP, random),
        MakeMatched(20, Item::FLAG_FIRST | Item::FLAG_WRITE, 1, false, random),
        MakeMatched(7, 0, -1, false, random),
        MakeMatched(0, Item::FLAG_LAST | Item::FLAG_VOID, 0, false, random),
        MakeAck(FabricPacketType::ACK, -1, false, random, true),
        MakeAck(FabricPacketType::RTW, 1, false, random),
        MakeAck(FabricPacketType::RNR, -1, false, random),
        MakeRts(random),
        MakeBts(0x0f, -1, false, random),
        MakeBts(0x3f, 1, true, random),
        MakeCnp(random),
        MakeRateNotice(random),
        MakeGrantPacket(random),
        AddEdge(MakeData(40, Item::FLAG_LAST, -1, false, random), random),
        AddDemand(MakeData(40, Item::FLAG_LAST, 1, false, random), random),
        AddDemand(AddTag(MakeMatched(9, 0, -1, false, random), true, false, random), random),
        MakeNotice(24, random),
        MakePause(random),
        MakeForeign(60, 0x86dd, random),
        AddTag(MakeData(40, Item::FLAG_LAST, 1, false, random), true, true, random),
        AddTag(MakeMatched(9, 0, -1, false, random), false, false, random)};
    for (const auto& [type, kind] : GetWingPackets())
    {
        samples.push_back(kind.make(random));
    }
    return samples;
}

/// @return true if a type travels as RoCEv2
inline bool
IsRoce(FabricPacketType type)
{
    return type < FabricPacketType::FOREIGN ||
           (type > FabricPacketType::RATE && type != FabricPacketType::GRANT);
}

/// @return true if all fields that go on the wire are the same
inline bool
SameOnWire(const Item& a, const Item& b)
{
    if (a.type != b.type || a.src != b.src || a.dst != b.dst || a.size != b.size || a.ds != b.ds)
    {
        return false;
    }
    if (a.type == FabricPacketType::PAUSE)
    {
        return a.As<PauseFields>().classEnable == b.As<PauseFields>().classEnable &&
               a.As<PauseFields>().quanta == b.As<PauseFields>().quanta;
    }
    if (a.type == FabricPacketType::FOREIGN)
    {
        return a.foreignProtocol == b.foreignProtocol &&
               ToBytes(a.GetPacket()) == ToBytes(b.GetPacket());
    }
    if (a.pdc != b.pdc || a.psn != b.psn || a.entropy != b.entropy || a.flags != b.flags ||
        a.intCount != b.intCount || a.pathId != b.pathId || a.flowHash != b.flowHash)
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
        if ((a.flags & Item::FLAG_TAG) != 0 && a.arPoint != b.arPoint)
        {
            return false;
        }
        if ((a.flags & Item::FLAG_DEMAND) != 0 && a.demand != b.demand)
        {
            return false;
        }
        if ((a.flags & Item::FLAG_EDGE) != 0 &&
            (a.edge.path != b.edge.path || a.edge.words != b.edge.words ||
             a.edge.bytes != b.edge.bytes))
        {
            return false;
        }
        return a.data.payloadBytes == b.data.payloadBytes && a.data.offset == b.data.offset &&
               a.data.messageBytes == b.data.messageBytes && a.data.sourcePdc == b.data.sourcePdc &&
               a.data.msn == b.data.msn && a.data.epoch == b.data.epoch &&
               a.data.eagerBytes == b.data.eagerBytes;
    }
    if (a.type == FabricPacketType::CNP)
    {
        return true;
    }
    if (a.type == FabricPacketType::NOTICE)
    {
        return ToBytes(a.GetPacket()) == ToBytes(b.GetPacket());
    }
    if (const auto wing = GetWingPackets().find(a.type); wing != GetWingPackets().end())
    {
        return wing->second.same(a, b);
    }
    if (a.type == FabricPacketType::RTS)
    {
        return a.As<RtsFields>().offset == b.As<RtsFields>().offset &&
               a.As<RtsFields>().msn == b.As<RtsFields>().msn &&
               a.As<RtsFields>().epoch == b.As<RtsFields>().epoch;
    }
    if (a.type == FabricPacketType::RATE)
    {
        return a.As<RateFields>().rateMbps == b.As<RateFields>().rateMbps &&
               a.As<RateFields>().flowDst == b.As<RateFields>().flowDst &&
               a.As<RateFields>().port == b.As<RateFields>().port &&
               a.As<RateFields>().priority == b.As<RateFields>().priority;
    }
    if (a.type == FabricPacketType::GRANT)
    {
        return a.As<GrantFields>().total == b.As<GrantFields>().total &&
               a.As<GrantFields>().priority == b.As<GrantFields>().priority;
    }
    if (a.type == FabricPacketType::BTS)
    {
        return a.As<BtsFields>().signals == b.As<BtsFields>().signals &&
               a.As<BtsFields>().priority == b.As<BtsFields>().priority &&
               a.As<BtsFields>().dropped == b.As<BtsFields>().dropped &&
               a.As<BtsFields>().marked == b.As<BtsFields>().marked &&
               a.As<BtsFields>().inverted == b.As<BtsFields>().inverted &&
               a.As<BtsFields>().port == b.As<BtsFields>().port &&
               a.As<BtsFields>().relativeQueue == b.As<BtsFields>().relativeQueue &&
               a.As<BtsFields>().activeFlows == b.As<BtsFields>().activeFlows &&
               a.As<BtsFields>().gradientMbps == b.As<BtsFields>().gradientMbps &&
               a.As<BtsFields>().rateMbps == b.As<BtsFields>().rateMbps &&
               a.As<BtsFields>().portSentBytes == b.As<BtsFields>().portSentBytes &&
               a.As<BtsFields>().queueSentBytes == b.As<BtsFields>().queueSentBytes &&
               a.As<BtsFields>().timeNs == b.As<BtsFields>().timeNs &&
               a.As<BtsFields>().portBytes == b.As<BtsFields>().portBytes &&
               a.As<BtsFields>().bufferBytes == b.As<BtsFields>().bufferBytes &&
               a.As<BtsFields>().groupBytes == b.As<BtsFields>().groupBytes;
    }
    return a.ack.sackBitmap == b.ack.sackBitmap && a.ack.sackBase == b.ack.sackBase &&
           a.ack.triggerPsn == b.ack.triggerPsn && a.ack.targetPdc == b.ack.targetPdc &&
           a.ack.coveredPackets == b.ack.coveredPackets &&
           a.ack.markedPackets == b.ack.markedPackets && a.ack.activeFlows == b.ack.activeFlows &&
           a.ack.msn == b.ack.msn && a.ack.epoch == b.ack.epoch && a.ack.code == b.ack.code &&
           a.echoDelayNs == b.echoDelayNs && a.sendTimePs == b.sendTimePs;
}

/// Put the right FCS behind changed bytes, so that a test reaches what lies behind that check.
inline void
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
inline void
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

/**
 * @param bytes of the frame
 * @return the item of a frame, null if refused
 */
inline Ptr<Item>
ParseBytes(const Bytes& bytes)
{
    return FabricHeaders::Parse(Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size())));
}

/**
 * @ingroup dcfabric-tests
 * @brief Packets whose bytes are as many as their size says, and which come back as they were.
 */
class RoundTripCase : public NamedCase
{
    using NamedCase::NamedCase;

  protected:
    /// Serialize, compare length, parse, compare fields. @param item what to check
    void Check(Ptr<Item> item)
    {
        item->UpdateFlowHash();
        Ptr<Packet> frame = FabricHeaders::Serialize(*item);
        NS_TEST_ASSERT_MSG_EQ(frame->GetSize(), item->size, "length of " << *item);
        Bytes open = ToBytes(frame);
        open.resize(open.size() - 4);
        NS_TEST_ASSERT_MSG_EQ((ToBytes(FabricHeaders::SerializeWithoutFcs(*item)) == open),
                              true,
                              "the same up to the FCS: " << *item);
        Ptr<Item> back = FabricHeaders::Parse(frame);
        NS_TEST_ASSERT_MSG_EQ(bool(back), true, "accepted: " << *item);
        NS_TEST_ASSERT_MSG_EQ(SameOnWire(*item, *back), true, "restored: " << *item);
        ++m_checked;
    }

    int m_checked{0}; //!< packets that passed
};

} // namespace ns3::tests

#endif /* FABRIC_TEST_WIRE_H */
