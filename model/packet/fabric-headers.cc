// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-headers.h"

#include "fabric-address.h"
#include "fabric-error.h"
#include "fabric-extension-headers.h"
#include "priority-pause-header.h"
#include "roce-ip-header.h"
#include "roce-transport-headers.h"
#include "wire-format.h"

#include "ns3/crc32.h"
#include "ns3/ethernet-header.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

using Bytes = std::vector<uint8_t>;

constexpr uint32_t ETHERNET_BYTES = 14;
constexpr uint32_t CRC_BYTES = 4; //!< of FCS and of ICRC
constexpr uint16_t IPV4 = 0x0800;
constexpr uint16_t IPV6 = 0x86dd;
constexpr uint16_t LOWEST_ETHER_TYPE = 0x0600;
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

/// @return the bytes of a packet
Bytes
GetBytes(Ptr<const Packet> packet)
{
    Bytes bytes(packet->GetSize());
    packet->CopyData(bytes.data(), packet->GetSize());
    return bytes;
}

void
AppendCrc(Bytes& bytes, uint32_t crc)
{
    for (int shift = 0; shift < 32; shift += 8)
    {
        bytes.push_back(static_cast<uint8_t>(crc >> shift));
    }
}

void
AddEthernet(Ptr<Packet> packet, Mac48Address source, Mac48Address destination, uint16_t etherType)
{
    EthernetHeader ethernet(false);
    ethernet.SetSource(source);
    ethernet.SetDestination(destination);
    ethernet.SetLengthType(etherType);
    packet->AddHeader(ethernet);
}

/// @return the frame made of @p bytes and their FCS
Ptr<Packet>
CloseFrame(Bytes bytes)
{
    AppendCrc(bytes, CRC32Calculate(bytes.data(), static_cast<int>(bytes.size())));
    return Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size()));
}

/// @return the opcode that says the flags of a data packet
uint8_t
GetDataOpcode(uint8_t flags)
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
uint8_t
GetDataFlags(const RoceBthHeader& bth)
{
    return (bth.IsFirst() ? FabricPacketItem::FLAG_FIRST : 0) |
           (bth.IsLast() ? FabricPacketItem::FLAG_LAST : 0) |
           (bth.IsWrite() ? FabricPacketItem::FLAG_WRITE : 0);
}

/**
 * @brief Add telemetry, if the item has any, in front of @p packet.
 * @param item the packet item
 * @param sizeWithout size of its frame without telemetry
 * @param packet what follows
 * @return bytes added
 */
uint32_t
AddInt(const FabricPacketItem& item, uint32_t sizeWithout, Ptr<Packet> packet)
{
    if (item.intCount == 0 && item.size != sizeWithout + RoceV2WireFormat::INT_HEADER_BYTES)
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
    bth.ackRequest = bth.IsLast();
    const bool hasReth = bth.IsWrite() && bth.IsFirst();
    const uint32_t sizeWithout = RoceV2WireFormat::BASE_BYTES + item.data.payloadBytes +
                                 (hasReth ? RoceV2WireFormat::RETH_BYTES : 0);
    bth.extensionBytes = static_cast<uint16_t>(AddInt(item, sizeWithout, packet));
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

    const bool isAck = item.type == FabricPacketType::ACK;
    FabricAckHeader extension;
    extension.fields = item.ack;
    extension.echoedSendTimePs = item.sendTimePs;
    extension.echoMark = (item.flags & FabricPacketItem::FLAG_ECHO_MARK) != 0;
    RoceAethHeader aeth;
    aeth.syndrome = isAck ? RoceAethHeader::ACK : RoceAethHeader::NAK_OUT_OF_ORDER;

    Ptr<Packet> packet = Create<Packet>();
    const uint32_t sizeWithout = RoceV2WireFormat::BASE_BYTES + RoceV2WireFormat::AETH_BYTES +
                                 RoceV2WireFormat::ACK_EXTENSION_BYTES;
    const uint32_t intBytes = AddInt(item, sizeWithout, packet);
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

Ptr<Packet>
SerializeRoce(const FabricPacketItem& item)
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
    Require(packet->GetSize() + CRC_BYTES + RoceIpHeader::BYTES, 0xffff, "IP packet length");
    ip.payloadBytes = static_cast<uint16_t>(packet->GetSize() + CRC_BYTES);
    packet->AddHeader(ip);
    AddEthernet(packet, FabricAddress::ToMac(item.src), FabricAddress::ToMac(item.dst), IPV4);

    Bytes bytes = GetBytes(packet);
    AppendCrc(bytes,
              FabricHeaders::ComputeIcrc(bytes.data() + ETHERNET_BYTES,
                                         static_cast<uint32_t>(bytes.size()) - ETHERNET_BYTES));
    return CloseFrame(std::move(bytes));
}

Ptr<Packet>
SerializePause(const FabricPacketItem& item)
{
    PriorityPauseHeader pause;
    pause.fields = item.pause;
    Ptr<Packet> packet = Create<Packet>();
    packet->AddHeader(pause);
    AddEthernet(packet,
                FabricAddress::ToMac(item.src),
                Mac48Address("01:80:c2:00:00:01"),
                PriorityPauseHeader::ETHER_TYPE);
    return CloseFrame(GetBytes(packet));
}

/// @return DS field of a packet of another protocol, 0 where there is none
uint8_t
GetForeignDs(const uint8_t* packet, size_t length, uint16_t protocol)
{
    if (protocol == IPV4 && length >= 20)
    {
        return packet[1];
    }
    if (protocol == IPV6 && length >= 40)
    {
        return static_cast<uint8_t>((packet[0] << 4) | (packet[1] >> 4));
    }
    return 0;
}

/// Write the DS field that switches may have marked back into the packet's own header.
void
SetForeignDs(uint8_t* packet, size_t length, uint16_t protocol, uint8_t ds)
{
    if (protocol == IPV4 && length >= 20)
    {
        // RFC 1624: checksum' = ~(~checksum + ~old + new)
        uint32_t sum = static_cast<uint16_t>(~((packet[10] << 8) | packet[11]));
        sum += static_cast<uint16_t>(~packet[1]) + uint32_t{ds};
        sum = (sum & 0xffff) + (sum >> 16);
        sum = (sum & 0xffff) + (sum >> 16);
        packet[1] = ds;
        packet[10] = static_cast<uint8_t>(~sum >> 8);
        packet[11] = static_cast<uint8_t>(~sum);
    }
    else if (protocol == IPV6 && length >= 40)
    {
        packet[0] = static_cast<uint8_t>((packet[0] & 0xf0) | (ds >> 4));
        packet[1] = static_cast<uint8_t>((packet[1] & 0x0f) | (ds << 4));
    }
}

Ptr<Packet>
SerializeForeign(const FabricPacketItem& item)
{
    if (item.foreignProtocol < LOWEST_ETHER_TYPE)
    {
        throw FabricError("packet item: foreign protocol " + std::to_string(item.foreignProtocol) +
                          " is no EtherType, at least 1536");
    }
    Ptr<Packet> packet = item.GetPacket()->Copy();
    AddEthernet(packet,
                FabricAddress::ToMac(item.src),
                FabricAddress::ToMac(item.dst),
                item.foreignProtocol);
    Bytes bytes = GetBytes(packet);
    uint8_t* inner = bytes.data() + ETHERNET_BYTES;
    const size_t length = bytes.size() - ETHERNET_BYTES;
    if (GetForeignDs(inner, length, item.foreignProtocol) != item.ds)
    {
        SetForeignDs(inner, length, item.foreignProtocol, item.ds);
    }
    return CloseFrame(std::move(bytes));
}

/// Take a header off the front. @return false if it refuses the bytes
template <typename T>
bool
Take(Ptr<Packet> packet, T& header)
{
    // not RemoveHeader: it would note the removal of a header that nobody added
    const uint32_t bytes = packet->PeekHeader(header);
    packet->RemoveAtStart(bytes);
    return bytes != 0;
}

/// @return the fabric address in a MAC address of FabricAddress::ToMac()
uint32_t
FromMac(Mac48Address mac)
{
    uint8_t b[6];
    mac.CopyTo(b);
    return (uint32_t{b[2]} << 24) | (uint32_t{b[3]} << 16) | (uint32_t{b[4]} << 8) | b[5];
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
    if (!Take(packet, telemetry) || telemetry.GetSerializedSize() != extensionBytes)
    {
        return false;
    }
    item.intCount = telemetry.count;
    item.intRecords = telemetry.records;
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
    if (hasReth && !Take(packet, reth))
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
    if (!Take(packet, aeth) || !Take(packet, extension) ||
        bth.extensionBytes < FabricAckHeader::BYTES)
    {
        return nullptr;
    }
    const bool isAck = aeth.syndrome == RoceAethHeader::ACK;
    auto item = FabricPacketItem::Create(isAck ? FabricPacketType::ACK : FabricPacketType::NACK);
    item->ack = extension.fields;
    item->sendTimePs = extension.echoedSendTimePs;
    item->flags = extension.echoMark ? FabricPacketItem::FLAG_ECHO_MARK : 0;
    if (!ParseInt(packet, bth.extensionBytes - FabricAckHeader::BYTES, *item))
    {
        return nullptr;
    }
    return item;
}

/// @param packet what follows the Ethernet header, without CRCs @return the item or null
Ptr<FabricPacketItem>
ParseRoce(Ptr<Packet> packet)
{
    RoceIpHeader ip;
    RoceBthHeader bth;
    if (!Take(packet, ip) || !Take(packet, bth))
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

/// @param packet what follows the Ethernet header, without FCS @return the item or null
Ptr<FabricPacketItem>
ParsePause(Ptr<Packet> packet)
{
    PriorityPauseHeader pause;
    if (!Take(packet, pause))
    {
        return nullptr;
    }
    auto item = FabricPacketItem::Create(FabricPacketType::PAUSE);
    item->pause = pause.fields;
    return item;
}

/// @param packet what follows the Ethernet header, without FCS @param protocol its EtherType
/// @return the item or null
Ptr<FabricPacketItem>
ParseForeign(Ptr<Packet> packet, uint16_t protocol)
{
    if (protocol < LOWEST_ETHER_TYPE)
    {
        return nullptr;
    }
    Ptr<FabricPacketItem> item(new FabricPacketItem(packet), false);
    item->type = FabricPacketType::FOREIGN;
    item->foreignProtocol = protocol;
    const Bytes bytes = GetBytes(packet);
    item->ds = GetForeignDs(bytes.data(), bytes.size(), protocol);
    return item;
}

/// @return true if @p bytes are the frame of a RoCEv2 packet, whole or damaged
bool
IsRoce(const Bytes& bytes, uint16_t etherType)
{
    // version and header length, protocol UDP, destination port
    return etherType == IPV4 &&
           bytes.size() >= ETHERNET_BYTES + RoceIpHeader::BYTES + CRC_BYTES + CRC_BYTES &&
           bytes[14] == 0x45 && bytes[23] == 17 &&
           ((bytes[36] << 8) | bytes[37]) == RoceIpHeader::UDP_PORT;
}

} // namespace

Ptr<Packet>
FabricHeaders::Serialize(const FabricPacketItem& item)
{
    switch (item.type)
    {
    case FabricPacketType::PAUSE:
        return SerializePause(item);
    case FabricPacketType::FOREIGN:
        return SerializeForeign(item);
    default:
        return SerializeRoce(item);
    }
}

Ptr<FabricPacketItem>
FabricHeaders::Parse(Ptr<const Packet> frame)
{
    const Bytes bytes = GetBytes(frame);
    if (bytes.size() < ETHERNET_BYTES + CRC_BYTES)
    {
        return nullptr;
    }
    Bytes body(bytes.begin(), bytes.end() - CRC_BYTES);
    AppendCrc(body, CRC32Calculate(body.data(), static_cast<int>(body.size())));
    if (body != bytes)
    {
        return nullptr;
    }

    Ptr<Packet> rest = frame->Copy();
    rest->RemoveAtEnd(CRC_BYTES);
    EthernetHeader ethernet(false);
    Take(rest, ethernet);
    const uint16_t etherType = ethernet.GetLengthType();

    Ptr<FabricPacketItem> item;
    if (etherType == PriorityPauseHeader::ETHER_TYPE)
    {
        item = ParsePause(rest);
    }
    else if (IsRoce(bytes, etherType))
    {
        rest->RemoveAtEnd(CRC_BYTES);
        item = ParseRoce(rest);
    }
    else
    {
        item = ParseForeign(rest, etherType);
    }
    if (!item)
    {
        return nullptr;
    }
    item->size = frame->GetSize();
    if (item->type == FabricPacketType::PAUSE || item->type == FabricPacketType::FOREIGN)
    {
        item->src = FromMac(ethernet.GetSource());
        item->dst =
            item->type == FabricPacketType::FOREIGN ? FromMac(ethernet.GetDestination()) : 0;
        item->UpdateFlowHash();
    }
    // lengths, reserved bits, padding and ICRC are right if and only if the same bytes come back
    return GetBytes(Serialize(*item)) == bytes ? item : nullptr;
}

uint32_t
FabricHeaders::ComputeIcrc(const uint8_t* ip, uint32_t length)
{
    constexpr uint32_t LRH_BYTES = 8;
    Bytes masked(LRH_BYTES, 0xff);
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
