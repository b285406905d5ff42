// SPDX-License-Identifier: GPL-2.0-only
#include "roce-body.h"

#include "fabric-error.h"
#include "fabric-extension-headers.h"
#include "frame-bytes.h"
#include "wire-format.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ns3
{

namespace
{

constexpr uint32_t MASK_24 = 0xffffff;

void
RequireWireRanges(const FabricPacketItem& item)
{
    RoceBody::Require(item.src, MASK_24, "source address");
    RoceBody::Require(item.dst, MASK_24, "destination address");
    RoceBody::Require(item.pdc, MASK_24, "PDC number");
    RoceBody::Require(item.psn, MASK_24, "sequence number");
    RoceBody::Require(item.intCount, FabricPacketItem::MAX_HOPS, "number of INT records");
}

/// @return the opcode that says the flags of a data packet
uint8_t
GetDataOpcode(uint16_t flags)
{
    const bool write = (flags & FabricPacketItem::FLAG_WRITE) != 0;
    const bool first = (flags & FabricPacketItem::FLAG_FIRST) != 0;
    const bool last = (flags & FabricPacketItem::FLAG_LAST) != 0;
    if (first && last)
    {
        return write ? RoceBthHeader::WRITE_ONLY : RoceBthHeader::SEND_ONLY;
    }
    if (first)
    {
        return write ? RoceBthHeader::WRITE_FIRST : RoceBthHeader::SEND_FIRST;
    }
    if (last)
    {
        return write ? RoceBthHeader::WRITE_LAST : RoceBthHeader::SEND_LAST;
    }
    return write ? RoceBthHeader::WRITE_MIDDLE : RoceBthHeader::SEND_MIDDLE;
}

/// @return the flags of a data packet that its BTH says
uint16_t
GetDataFlags(const RoceBthHeader& bth)
{
    return (bth.IsFirst() ? FabricPacketItem::FLAG_FIRST : 0) |
           (bth.IsLast() ? FabricPacketItem::FLAG_LAST : 0) |
           (bth.IsWrite() ? FabricPacketItem::FLAG_WRITE : 0) |
           (bth.ackRequest ? FabricPacketItem::FLAG_ACK_REQUEST : 0);
}

/**
 * @brief Add telemetry, if the item has any, in front of @p packet.
 * @param item the packet item
 * @param packet what follows
 * @return bytes added
 */
uint32_t
AddInt(const FabricPacketItem& item, Ptr<Packet> packet)
{
    if ((item.flags & FabricPacketItem::FLAG_INT) == 0 && item.intCount == 0)
    {
        return 0;
    }
    FabricIntHeader telemetry;
    telemetry.count = item.intCount;
    telemetry.exact = item.exactInt != nullptr;
    telemetry.reversed = (item.flags & FabricPacketItem::FLAG_INT_REVERSED) != 0;
    if (telemetry.exact)
    {
        telemetry.samples = *item.exactInt;
    }
    else
    {
        std::copy_n(item.intRecords.begin(), item.intCount, telemetry.records.begin());
    }
    packet->AddHeader(telemetry);
    return telemetry.GetSerializedSize();
}

/// Add what follows BTH in a data packet and fill @p bth. @return that part of the packet
Ptr<Packet>
SerializeData(const FabricPacketItem& item, RoceBthHeader& bth)
{
    const uint32_t given = item.GetPacket()->GetSize();
    if (given != 0 && given != item.data.payloadBytes)
    {
        throw FabricError("packet item: payload of " + std::to_string(given) +
                          " bytes, but the item claims " + std::to_string(item.data.payloadBytes));
    }
    Ptr<Packet> packet =
        given != 0 ? item.GetPacket()->Copy() : Create<Packet>(uint32_t{item.data.payloadBytes});

    bth.opcode = GetDataOpcode(item.flags);
    bth.ackRequest = (item.flags & FabricPacketItem::FLAG_ACK_REQUEST) != 0;
    const bool hasReth = bth.IsWrite() && bth.IsFirst();
    bth.extensionBytes = static_cast<uint16_t>(AddInt(item, packet));
    if (hasReth)
    {
        RoceRethHeader reth;
        reth.offset = item.data.offset;
        reth.messageBytes = item.data.messageBytes;
        packet->AddHeader(reth);
    }
    return packet;
}

/// Add what follows BTH in an ACK or NAK and fill @p bth. @return that part of the packet
Ptr<Packet>
SerializeAck(const FabricPacketItem& item, RoceBthHeader& bth)
{
    RoceBody::Require(item.ack.sackBase, MASK_24, "SACK base");
    RoceBody::Require(item.ack.triggerPsn, MASK_24, "trigger sequence number");
    RoceBody::Require(item.ack.targetPdc, MASK_24, "target PDC number");
    RoceBody::Require(item.ack.coveredPackets, 0xffff, "number of covered packets");
    RoceBody::Require(item.ack.markedPackets, 0xffff, "number of marked packets");
    RoceBody::Require(item.echoDelayNs, MASK_24, "endpoint delay");

    const bool isAck = item.type == FabricPacketType::ACK;
    FabricAckHeader extension;
    extension.fields = item.ack;
    extension.echoedSendTimePs = item.sendTimePs;
    extension.echoMark = (item.flags & FabricPacketItem::FLAG_ECHO_MARK) != 0;
    RoceAethHeader aeth;
    aeth.syndrome = isAck ? RoceAethHeader::ACK : RoceAethHeader::NAK_OUT_OF_ORDER;
    aeth.msn = item.echoDelayNs;

    Ptr<Packet> packet = Create<Packet>();
    const uint32_t intBytes = AddInt(item, packet);
    packet->AddHeader(extension);
    packet->AddHeader(aeth);

    bth.opcode = RoceBthHeader::ACKNOWLEDGE;
    bth.extensionBytes = static_cast<uint16_t>(FabricAckHeader::BYTES + intBytes);
    if (isAck)
    {
        // RoCE names the last packet received in order, the item the next one expected
        bth.psn = (item.psn - 1) & MASK_24;
    }
    return packet;
}

/// Take telemetry, if any, off the front. @return false if it is malformed
bool
ParseInt(Ptr<Packet> packet, uint32_t extensionBytes, FabricPacketItem& item)
{
    if (extensionBytes == 0)
    {
        return true;
    }
    FabricIntHeader telemetry;
    if (!FrameBytes::Take(packet, telemetry) || telemetry.GetSerializedSize() != extensionBytes)
    {
        return false;
    }
    item.intCount = telemetry.count;
    item.intRecords = telemetry.records;
    item.flags |= FabricPacketItem::FLAG_INT;
    item.flags |= telemetry.reversed ? FabricPacketItem::FLAG_INT_REVERSED : 0;
    if (telemetry.exact)
    {
        item.exactInt =
            std::make_unique<std::array<IntSample, FabricPacketItem::MAX_HOPS>>(telemetry.samples);
    }
    return true;
}

/// @param packet what follows BTH, without ICRC @param bth the BTH @return the item or null
Ptr<FabricPacketItem>
ParseData(Ptr<Packet> packet, const RoceBthHeader& bth)
{
    RoceRethHeader reth;
    const bool hasReth = bth.IsWrite() && bth.IsFirst();
    if (hasReth && !FrameBytes::Take(packet, reth))
    {
        return nullptr;
    }
    // the payload is known only when the telemetry in front of it is gone: a scratch item takes it
    Ptr<FabricPacketItem> telemetry = FabricPacketItem::Create(FabricPacketType::DATA);
    if (!ParseInt(packet, bth.extensionBytes, *telemetry))
    {
        return nullptr;
    }
    Ptr<FabricPacketItem> item(new FabricPacketItem(packet), false);
    item->type = FabricPacketType::DATA;
    item->flags = telemetry->flags | GetDataFlags(bth);
    item->intCount = telemetry->intCount;
    item->intRecords = telemetry->intRecords;
    item->exactInt = std::move(telemetry->exactInt);
    item->data = {};
    item->data.payloadBytes = static_cast<uint16_t>(packet->GetSize());
    item->data.sourcePdc = bth.syn ? bth.destinationPdc : 0;
    item->data.offset = reth.offset;
    item->data.messageBytes = reth.messageBytes;
    if (!hasReth && bth.IsFirst() && bth.IsLast())
    {
        item->data.messageBytes = packet->GetSize();
    }
    return item;
}

/// @param packet what follows BTH, without ICRC @param bth the BTH @return the item or null
Ptr<FabricPacketItem>
ParseAck(Ptr<Packet> packet, const RoceBthHeader& bth)
{
    RoceAethHeader aeth;
    FabricAckHeader extension;
    if (!FrameBytes::Take(packet, aeth) || !FrameBytes::Take(packet, extension) ||
        bth.extensionBytes < FabricAckHeader::BYTES)
    {
        return nullptr;
    }
    const bool isAck = aeth.syndrome == RoceAethHeader::ACK;
    auto item = FabricPacketItem::Create(isAck ? FabricPacketType::ACK : FabricPacketType::NACK);
    item->ack = extension.fields;
    item->sendTimePs = extension.echoedSendTimePs;
    item->echoDelayNs = aeth.msn;
    item->flags = extension.echoMark ? FabricPacketItem::FLAG_ECHO_MARK : 0;
    if (!ParseInt(packet, bth.extensionBytes - FabricAckHeader::BYTES, *item))
    {
        return nullptr;
    }
    return item;
}

} // namespace

Ptr<Packet>
RoceBody::Serialize(const FabricPacketItem& item, RoceBthHeader& bth)
{
    RequireWireRanges(item);
    bth.destinationPdc = item.pdc;
    bth.psn = item.psn;
    bth.syn = (item.flags & FabricPacketItem::FLAG_SYN) != 0;
    switch (item.type)
    {
    case FabricPacketType::DATA:
        return SerializeData(item, bth);
    case FabricPacketType::CNP:
        bth.opcode = RoceBthHeader::CNP;
        bth.becn = true;
        return Create<Packet>(RoceV2WireFormat::CNP_BYTES);
    default:
        return SerializeAck(item, bth);
    }
}

Ptr<FabricPacketItem>
RoceBody::Parse(Ptr<Packet> packet, const RoceBthHeader& bth)
{
    Ptr<FabricPacketItem> item;
    if (bth.IsData())
    {
        item = ParseData(packet, bth);
    }
    else if (bth.opcode == RoceBthHeader::ACKNOWLEDGE)
    {
        item = ParseAck(packet, bth);
    }
    else
    {
        item = FabricPacketItem::Create(FabricPacketType::CNP);
    }
    if (!item)
    {
        return nullptr;
    }
    item->pdc = bth.destinationPdc;
    item->psn = item->type == FabricPacketType::ACK ? (bth.psn + 1) & MASK_24 : bth.psn;
    item->flags |= bth.syn ? FabricPacketItem::FLAG_SYN : 0;
    return item;
}

void
RoceBody::Require(uint64_t value, uint64_t limit, const char* field)
{
    if (value > limit)
    {
        throw FabricError("packet item: " + std::string(field) + " " + std::to_string(value) +
                          " does not fit the wire, at most " + std::to_string(limit));
    }
}

} // namespace ns3
