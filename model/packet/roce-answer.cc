// SPDX-License-Identifier: GPL-2.0-only
#include "roce-answer.h"

#include "fabric-bts-header.h"
#include "fabric-error.h"
#include "fabric-extension-headers.h"
#include "fabric-message-headers.h"
#include "frame-bytes.h"
#include "roce-parts.h"

namespace ns3
{

namespace
{

/// @return true if BTH names the last packet received in order, as in an ACK of RoCE; the item has
/// the next one expected
bool
NamesLastPacket(FabricPacketType type)
{
    return type == FabricPacketType::ACK || type == FabricPacketType::RTW ||
           type == FabricPacketType::RNR;
}

/// @return true if an answer names the message of the packet it answers @param type of the answer
/// @param complete it says that the message is complete
bool
NamesMessage(FabricPacketType type, bool complete)
{
    return type == FabricPacketType::RTW || type == FabricPacketType::RNR || complete;
}

/// @return the opcode of an ACK, NAK or refusal
uint8_t
GetAnswerOpcode(FabricPacketType type)
{
    switch (type)
    {
    case FabricPacketType::RTW:
        return RoceBthHeader::REQUEST_TO_WAIT;
    case FabricPacketType::RNR:
        return RoceBthHeader::RECEIVER_NOT_READY;
    default:
        return RoceBthHeader::ACKNOWLEDGE;
    }
}

/// Add what follows BTH in an ACK, NAK or refusal and fill @p bth. @return that part of the packet
Ptr<Packet>
SerializeAck(const FabricPacketItem& item, RoceBthHeader& bth)
{
    RoceParts::Require(item.ack.sackBase, RoceParts::MASK_24, "SACK base");
    RoceParts::Require(item.ack.triggerPsn, RoceParts::MASK_24, "trigger sequence number");
    RoceParts::Require(item.ack.targetPdc, RoceParts::MASK_24, "target PDC number");
    RoceParts::Require(item.ack.coveredPackets, 0xffff, "number of covered packets");
    RoceParts::Require(item.ack.markedPackets, 0xffff, "number of marked packets");
    RoceParts::Require(item.echoDelayNs, RoceParts::MASK_24, "endpoint delay");

    FabricAckHeader extension;
    extension.fields = item.ack;
    extension.echoedSendTimePs = item.sendTimePs;
    extension.echoMark = (item.flags & FabricPacketItem::FLAG_ECHO_MARK) != 0;
    extension.complete = (item.flags & FabricPacketItem::FLAG_COMPLETE) != 0;
    RoceAethHeader aeth;
    aeth.syndrome = item.type == FabricPacketType::NACK ? RoceAethHeader::NAK_OUT_OF_ORDER
                                                        : RoceAethHeader::ACK;
    aeth.msn = item.echoDelayNs;

    Ptr<Packet> packet = Create<Packet>();
    uint32_t extensionBytes = FabricAckHeader::BYTES + RoceParts::AddInt(item, packet);
    if (NamesMessage(item.type, extension.complete))
    {
        FabricMessageAckHeader message;
        message.msn = item.ack.msn;
        message.epoch = item.ack.epoch;
        message.write = (item.flags & FabricPacketItem::FLAG_WRITE) != 0;
        packet->AddHeader(message);
        extensionBytes += FabricMessageAckHeader::BYTES;
    }
    packet->AddHeader(extension);
    packet->AddHeader(aeth);

    bth.opcode = GetAnswerOpcode(item.type);
    bth.extensionBytes = static_cast<uint16_t>(extensionBytes);
    if (NamesLastPacket(item.type))
    {
        bth.psn = (item.psn - 1) & RoceParts::MASK_24;
    }
    return packet;
}

/// Add what follows BTH in an RTS and fill @p bth. @return that part of the packet
Ptr<Packet>
SerializeRts(const FabricPacketItem& item, RoceBthHeader& bth)
{
    if ((item.flags & FabricPacketItem::FLAG_INT) != 0 || item.intCount != 0)
    {
        throw FabricError("packet item: an RTS carries no INT");
    }
    FabricRtsHeader request;
    request.fields = item.rts;
    Ptr<Packet> packet = Create<Packet>();
    packet->AddHeader(request);
    bth.opcode = RoceBthHeader::REQUEST_TO_SEND;
    bth.extensionBytes = FabricRtsHeader::BYTES;
    return packet;
}

/// Add what follows BTH in a BTS and fill @p bth. @return that part of the packet
Ptr<Packet>
SerializeBts(const FabricPacketItem& item, RoceBthHeader& bth)
{
    RoceParts::Require(item.bts.signals, FabricBtsHeader::ALL_SIGNALS, "set of signals of a BTS");
    FabricBtsHeader notice;
    notice.fields = item.bts;
    Ptr<Packet> packet = Create<Packet>();
    const uint32_t extensionBytes = notice.GetSerializedSize() + RoceParts::AddInt(item, packet);
    packet->AddHeader(notice);
    bth.opcode = RoceBthHeader::BACK_TO_SENDER;
    bth.extensionBytes = static_cast<uint16_t>(extensionBytes);
    return packet;
}

/// @return the type of an answer @param opcode of its BTH @param syndrome of its AETH
FabricPacketType
GetAnswerType(uint8_t opcode, uint8_t syndrome)
{
    switch (opcode)
    {
    case RoceBthHeader::REQUEST_TO_WAIT:
        return FabricPacketType::RTW;
    case RoceBthHeader::RECEIVER_NOT_READY:
        return FabricPacketType::RNR;
    default:
        return syndrome == RoceAethHeader::ACK ? FabricPacketType::ACK : FabricPacketType::NACK;
    }
}

/// @param packet what follows BTH, without ICRC @param bth the BTH @return the item or null
Ptr<FabricPacketItem>
ParseAck(Ptr<Packet> packet, const RoceBthHeader& bth)
{
    RoceAethHeader aeth;
    FabricAckHeader extension;
    if (!FrameBytes::Take(packet, aeth) || !FrameBytes::Take(packet, extension))
    {
        return nullptr;
    }
    const FabricPacketType type = GetAnswerType(bth.opcode, aeth.syndrome);
    uint32_t fixedBytes = FabricAckHeader::BYTES;
    FabricMessageAckHeader message;
    if (NamesMessage(type, extension.complete))
    {
        if (!FrameBytes::Take(packet, message))
        {
            return nullptr;
        }
        fixedBytes += FabricMessageAckHeader::BYTES;
    }
    if (bth.extensionBytes < fixedBytes)
    {
        return nullptr;
    }
    auto item = FabricPacketItem::Create(type);
    item->ack = extension.fields;
    item->ack.msn = message.msn;
    item->ack.epoch = message.epoch;
    item->sendTimePs = extension.echoedSendTimePs;
    item->echoDelayNs = aeth.msn;
    item->flags = extension.echoMark ? FabricPacketItem::FLAG_ECHO_MARK : 0;
    item->flags |= extension.complete ? FabricPacketItem::FLAG_COMPLETE : 0;
    item->flags |= message.write ? FabricPacketItem::FLAG_WRITE : 0;
    if (!RoceParts::TakeInt(packet, bth.extensionBytes - fixedBytes, *item))
    {
        return nullptr;
    }
    return item;
}

/// @param packet what follows BTH, without ICRC @return the item or null
Ptr<FabricPacketItem>
ParseRts(Ptr<Packet> packet)
{
    FabricRtsHeader request;
    if (!FrameBytes::Take(packet, request))
    {
        return nullptr;
    }
    auto item = FabricPacketItem::Create(FabricPacketType::RTS);
    item->rts = request.fields;
    return item;
}

/// @param packet what follows BTH, without ICRC @param bth the BTH @return the item or null
Ptr<FabricPacketItem>
ParseBts(Ptr<Packet> packet, const RoceBthHeader& bth)
{
    FabricBtsHeader notice;
    if (!FrameBytes::Take(packet, notice) || bth.extensionBytes < notice.GetSerializedSize())
    {
        return nullptr;
    }
    auto item = FabricPacketItem::Create(FabricPacketType::BTS);
    item->bts = notice.fields;
    const uint32_t intBytes = bth.extensionBytes - notice.GetSerializedSize();
    return RoceParts::TakeInt(packet, intBytes, *item) ? item : nullptr;
}

} // namespace

Ptr<Packet>
RoceAnswer::Serialize(const FabricPacketItem& item, RoceBthHeader& bth)
{
    switch (item.type)
    {
    case FabricPacketType::RTS:
        return SerializeRts(item, bth);
    case FabricPacketType::BTS:
        return SerializeBts(item, bth);
    default:
        return SerializeAck(item, bth);
    }
}

Ptr<FabricPacketItem>
RoceAnswer::Parse(Ptr<Packet> packet, const RoceBthHeader& bth)
{
    Ptr<FabricPacketItem> item = bth.opcode == RoceBthHeader::REQUEST_TO_SEND ? ParseRts(packet)
                                 : bth.opcode == RoceBthHeader::BACK_TO_SENDER
                                     ? ParseBts(packet, bth)
                                     : ParseAck(packet, bth);
    if (item)
    {
        item->psn = NamesLastPacket(item->type) ? (bth.psn + 1) & RoceParts::MASK_24 : bth.psn;
    }
    return item;
}

} // namespace ns3
