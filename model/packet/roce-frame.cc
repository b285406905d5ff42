// SPDX-License-Identifier: GPL-2.0-only
#include "roce-frame.h"

#include "fabric-address.h"
#include "fabric-error.h"
#include "fabric-extension-headers.h"
#include "frame-bytes.h"
#include "ipv4-fields.h"
#include "roce-ip-header.h"
#include "roce-transport-headers.h"
#include "wire-format.h"

#include "ns3/crc32.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ns3
{

namespace
{

constexpr uint32_t MASK_24 = 0xffffff;

void
Require(uint64_t value, uint64_t limit, const char* field)
{
    if (value > limit)
    {
        throw FabricError("packet item: " + std::string(field) + " " + std::to_string(value) +
                          " does not fit the wire, at most " + std::to_string(limit));
    }
}

void
RequireWireRanges(const FabricPacketItem& item)
{
    Require(item.src, MASK_24, "source address");
    Require(item.dst, MASK_24, "destination address");
    Require(item.pdc, MASK_24, "PDC number");
    Require(item.psn, MASK_24, "sequence number");
    Require(item.intCount, FabricPacketItem::MAX_HOPS, "number of INT records");
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
    Require(item.ack.sackBase, MASK_24, "SACK base");
    Require(item.ack.triggerPsn, MASK_24, "trigger sequence number");
    Require(item.ack.targetPdc, MASK_24, "target PDC number");
    Require(item.ack.coveredPackets, 0xffff, "number of covered packets");
    Require(item.ack.markedPackets, 0xffff, "number of marked packets");
    Require(item.echoDelayNs, MASK_24, "endpoint delay");

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
RoceFrame::Serialize(const FabricPacketItem& item)
{
    RequireWireRanges(item);
    RoceBthHeader bth;
    bth.destinationPdc = item.pdc;
    bth.psn = item.psn;
    bth.syn = (item.flags & FabricPacketItem::FLAG_SYN) != 0;

    Ptr<Packet> packet;
    switch (item.type)
    {
    case FabricPacketType::DATA:
        packet = SerializeData(item, bth);
        break;
    case FabricPacketType::CNP:
        packet = Create<Packet>(RoceV2WireFormat::CNP_BYTES);
        bth.opcode = RoceBthHeader::CNP;
        bth.becn = true;
        break;
    default:
        packet = SerializeAck(item, bth);
    }
    packet->AddHeader(bth);

    RoceIpHeader ip;
    ip.source = FabricAddress::ToIpv4(item.src);
    ip.destination = FabricAddress::ToIpv4(item.dst);
    ip.ds = item.ds;
    ip.sourcePort = item.entropy;
    Require(packet->GetSize() + FrameBytes::CRC_BYTES + RoceIpHeader::BYTES,
            0xffff,
            "IP packet length");
    ip.payloadBytes = static_cast<uint16_t>(packet->GetSize() + FrameBytes::CRC_BYTES);
    packet->AddHeader(ip);
    FrameBytes::AddEthernet(packet,
                            FabricAddress::ToMac(item.src),
                            FabricAddress::ToMac(item.dst),
                            FrameBytes::IPV4);

    std::vector<uint8_t> bytes = FrameBytes::Get(packet);
    FrameBytes::AppendCrc(
        bytes,
        RoceFrame::ComputeIcrc(bytes.data() + FrameBytes::ETHERNET_BYTES,
                               static_cast<uint32_t>(bytes.size()) - FrameBytes::ETHERNET_BYTES));
    return FrameBytes::Close(std::move(bytes));
}

Ptr<FabricPacketItem>
RoceFrame::Parse(Ptr<Packet> packet)
{
    RoceIpHeader ip;
    RoceBthHeader bth;
    if (!FrameBytes::Take(packet, ip) || !FrameBytes::Take(packet, bth))
    {
        return nullptr;
    }
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
    item->src = FabricAddress::FromIpv4(ip.source);
    item->dst = FabricAddress::FromIpv4(ip.destination);
    item->ds = ip.ds;
    item->entropy = ip.sourcePort;
    item->pdc = bth.destinationPdc;
    item->psn = item->type == FabricPacketType::ACK ? (bth.psn + 1) & MASK_24 : bth.psn;
    item->flags |= bth.syn ? FabricPacketItem::FLAG_SYN : 0;
    item->UpdateFlowHash();
    return item;
}

bool
RoceFrame::IsRoce(const std::vector<uint8_t>& bytes)
{
    constexpr uint8_t UDP = 17;
    constexpr size_t PORT = 36;
    return bytes.size() >=
               FrameBytes::ETHERNET_BYTES + RoceIpHeader::BYTES + 2 * FrameBytes::CRC_BYTES &&
           Ipv4Fields::IsFrameOf(bytes, UDP) &&
           ((bytes[PORT] << 8) | bytes[PORT + 1]) == RoceIpHeader::UDP_PORT;
}

uint32_t
RoceFrame::ComputeIcrc(const uint8_t* ip, uint32_t length)
{
    constexpr uint32_t LRH_BYTES = 8;
    std::vector<uint8_t> masked(LRH_BYTES, 0xff);
    masked.insert(masked.end(), ip, ip + length);
    // DS, TTL, both bytes of the checksums of IP and UDP, FECN and BECN in BTH
    for (const uint32_t offset : {1U, 8U, 10U, 11U, 26U, 27U, 32U})
    {
        if (offset < length)
        {
            masked[LRH_BYTES + offset] = 0xff;
        }
    }
    return CRC32Calculate(masked.data(), static_cast<int>(masked.size()));
}

} // namespace ns3
