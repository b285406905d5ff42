// SPDX-License-Identifier: GPL-2.0-only
#include "roce-body.h"

#include "fabric-error.h"
#include "fabric-message-headers.h"
#include "frame-bytes.h"
#include "roce-answer.h"
#include "roce-parts.h"
#include "wire-format.h"

#include <string>
#include <utility>

namespace ns3
{

namespace
{

void
RequireWireRanges(const FabricPacketItem& item)
{
    RoceParts::Require(item.src, RoceParts::MASK_24, "source address");
    RoceParts::Require(item.dst, RoceParts::MASK_24, "destination address");
    RoceParts::Require(item.pdc, RoceParts::MASK_24, "PDC number");
    RoceParts::Require(item.psn, RoceParts::MASK_24, "sequence number");
    RoceParts::Require(item.intCount, FabricPacketItem::MAX_HOPS, "number of INT records");
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
 * @brief Add what names the message, if it goes through the match table, in front of @p packet.
 * @param item the packet item
 * @param packet what follows
 * @return bytes added
 */
uint32_t
AddMatch(const FabricPacketItem& item, Ptr<Packet> packet)
{
    const bool isVoid = (item.flags & FabricPacketItem::FLAG_VOID) != 0;
    if ((item.flags & FabricPacketItem::FLAG_MATCH) == 0)
    {
        if (isVoid)
        {
            throw FabricError("packet item: FLAG_VOID needs FLAG_MATCH, whose header says it");
        }
        return 0;
    }
    RoceParts::Require(item.data.sourcePdc, FabricMatchHeader::MAX_PDC, "source PDC number");
    RoceParts::Require(item.data.messageBytes,
                       FabricMatchHeader::MAX_MESSAGE_BYTES,
                       "length of a matched message");
    FabricMatchHeader match;
    match.offset = item.data.offset;
    match.messageBytes = item.data.messageBytes;
    match.msn = item.data.msn;
    match.sourcePdc = item.data.sourcePdc;
    match.epoch = item.data.epoch;
    match.extra = item.data.eagerBytes;
    match.isVoid = isVoid;
    packet->AddHeader(match);
    return match.GetSerializedSize();
}

/// Add what follows BTH in a data packet and fill @p bth. @return that part of the packet
Ptr<Packet>
SerializeData(const FabricPacketItem& item, RoceBthHeader& bth)
{
    const uint32_t given = item.GetPacket()->GetSize();
    const uint32_t claimed =
        (item.flags & FabricPacketItem::FLAG_VOID) != 0 ? 0 : item.data.payloadBytes;
    if (given != 0 && given != claimed)
    {
        throw FabricError("packet item: payload of " + std::to_string(given) +
                          " bytes, but the item claims " + std::to_string(claimed));
    }
    Ptr<Packet> packet = given != 0 ? item.GetPacket()->Copy() : Create<Packet>(claimed);

    bth.opcode = GetDataOpcode(item.flags);
    bth.ackRequest = (item.flags & FabricPacketItem::FLAG_ACK_REQUEST) != 0;
    const bool hasReth = bth.IsWrite() && bth.IsFirst();
    const uint32_t intBytes = RoceParts::AddInt(item, packet);
    bth.extensionBytes = static_cast<uint16_t>(AddMatch(item, packet) + intBytes);
    if (hasReth)
    {
        RoceRethHeader reth;
        reth.offset = item.data.offset;
        reth.messageBytes = item.data.messageBytes;
        packet->AddHeader(reth);
    }
    return packet;
}

/**
 * @brief Take what names the message, if it is there, off the front.
 * @param packet what is left of the packet
 * @param extensionBytes length of all extension headers
 * @param match receives the header
 * @return its bytes, 0 if the packet has none or a malformed one (which is no INT header either)
 */
uint32_t
ParseMatch(Ptr<Packet> packet, uint32_t extensionBytes, FabricMatchHeader& match)
{
    uint8_t first = 0;
    packet->CopyData(&first, 1);
    const bool isMatch =
        extensionBytes >= FabricMatchHeader::BYTES && FabricMatchHeader::IsMatch(first);
    return isMatch && FrameBytes::Take(packet, match) ? match.GetSerializedSize() : 0;
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
    FabricMatchHeader match;
    const uint32_t matchBytes = ParseMatch(packet, bth.extensionBytes, match);
    if (matchBytes > bth.extensionBytes)
    {
        return nullptr;
    }
    // the payload is known only when the telemetry in front of it is gone: a scratch item takes it
    Ptr<FabricPacketItem> telemetry = FabricPacketItem::Create(FabricPacketType::DATA);
    if (!RoceParts::TakeInt(packet, bth.extensionBytes - matchBytes, *telemetry))
    {
        return nullptr;
    }
    if (match.isVoid && packet->GetSize() != 0)
    {
        return nullptr;
    }
    Ptr<FabricPacketItem> item(new FabricPacketItem(packet), false);
    item->type = FabricPacketType::DATA;
    item->flags = telemetry->flags | GetDataFlags(bth);
    item->intCount = telemetry->intCount;
    item->intRecords = telemetry->intRecords;
    item->exactInt = std::move(telemetry->exactInt);
    item->psn = bth.psn;
    item->data = {};
    item->data.payloadBytes = static_cast<uint16_t>(packet->GetSize());
    item->data.sourcePdc = bth.syn ? bth.destinationPdc : 0;
    item->data.offset = reth.offset;
    item->data.messageBytes = reth.messageBytes;
    if (!hasReth && bth.IsFirst() && bth.IsLast())
    {
        item->data.messageBytes = packet->GetSize();
    }
    if (matchBytes != 0)
    {
        // with RETH too, offset and length are there twice; other values there are refused later
        item->flags |= FabricPacketItem::FLAG_MATCH;
        item->flags |= match.isVoid ? FabricPacketItem::FLAG_VOID : 0;
        item->data.offset = match.offset;
        item->data.messageBytes = match.messageBytes;
        item->data.msn = match.msn;
        item->data.sourcePdc = match.sourcePdc;
        item->data.epoch = match.epoch;
        item->data.eagerBytes = match.extra;
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
        return RoceAnswer::Serialize(item, bth);
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
    else if (bth.opcode == RoceBthHeader::CNP)
    {
        item = FabricPacketItem::Create(FabricPacketType::CNP);
        item->psn = bth.psn;
    }
    else
    {
        item = RoceAnswer::Parse(packet, bth);
    }
    if (!item)
    {
        return nullptr;
    }
    item->pdc = bth.destinationPdc;
    item->flags |= bth.syn ? FabricPacketItem::FLAG_SYN : 0;
    return item;
}

} // namespace ns3
