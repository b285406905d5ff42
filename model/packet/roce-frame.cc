// SPDX-License-Identifier: GPL-2.0-only
#include "roce-frame.h"

#include "fabric-error.h"
#include "frame-bytes.h"
#include "frame-crc.h"
#include "packet-kind.h"
#include "roce-extensions.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace ns3
{

namespace
{

using RoceItem = FabricPacketItem; //!< short name

constexpr uint16_t ROCE_PORT = 4791;    //!< of UDP, assigned to RoCEv2
constexpr uint32_t ROCE_UDP_BYTES = 8;  //!< header
constexpr uint32_t ROCE_BTH_BYTES = 12; //!< header
constexpr uint32_t ROCE_LARGEST_24 = (1U << 24) - 1;
/// Before what differs by type.
constexpr uint32_t ROCE_FIXED_BYTES =
    FrameBytes::ETHERNET_BYTES + FrameBytes::IPV4_BYTES + ROCE_UDP_BYTES + ROCE_BTH_BYTES;

/// Flags of data that its opcode says.
constexpr uint32_t ROCE_OPCODE_FLAGS =
    RoceItem::FLAG_FIRST | RoceItem::FLAG_LAST | RoceItem::FLAG_WRITE;

/// In the byte of BTH with FECN and BECN, of data: trimmed, and at the last hop. ICRC does not
/// cover that byte, so that a switch may write it.
constexpr uint8_t ROCE_TRIMMED = 0x02;
constexpr uint8_t ROCE_LAST_HOP = 0x04; //!< likewise

/// What BTH has that the item has not as it is.
struct RoceBth
{
    uint8_t opcode{0};         //!< operation code
    uint8_t extensionUnits{0}; //!< length of the extension headers in units of four bytes
    uint32_t psn{0};           //!< sequence number
};

/// @return true if a packet has telemetry
bool
HasInt(const FrameWriter& /* extensions */, const RoceItem& item)
{
    return (item.flags & RoceItem::FLAG_INT) != 0 || item.intCount != 0;
}

/// @return true if telemetry follows
bool
HasInt(const FrameReader& extensions, const RoceItem& /* item */)
{
    return extensions.GetLeft() != 0;
}

/// IPv4 and UDP, 28 bytes. The UDP checksum is 0, which RoCEv2 allows over IPv4: ICRC covers the
/// packet.
template <typename Wire, typename Item>
void
DescribeIpAndUdp(Wire& wire, Item& item, uint32_t& length)
{
    FrameBytes::Ipv4(wire, item, length, FrameBytes::UDP);
    wire.Field(item.entropy, 2);
    wire.Constant(ROCE_PORT, 2);
    wire.Constant(length - FrameBytes::IPV4_BYTES, 2);
    wire.Constant(0, 2);
}

/// Base transport header, 12 bytes (InfiniBand Architecture Specification, volume 1, 9.2), of an
/// item's PDC number and flags and of the rest in @p bth.
template <typename Wire, typename Item>
void
DescribeBth(Wire& wire, Item& item, RoceBth& bth)
{
    constexpr uint8_t BECN = 0x40;        // backward congestion notification
    constexpr uint8_t ACK_REQUEST = 0x80; // the responder shall acknowledge at once
    const bool asks = item.type == FabricPacketType::DATA;
    wire.Field(bth.opcode, 1);
    wire.Constant(0x40, 1);   // migrated: no alternate path, as RoCE has none
    wire.Constant(0xffff, 2); // default partition
    FrameBytes::Flags(wire,
                      item,
                      {{RoceItem::FLAG_SYN, 0x01},
                       {RoceItem::FLAG_NO_PDC, 0x08},
                       {asks ? RoceItem::FLAG_TRIMMED : 0, ROCE_TRIMMED},
                       {asks ? RoceItem::FLAG_LAST_HOP : 0, ROCE_LAST_HOP}},
                      item.type == FabricPacketType::CNP ? BECN : 0);
    wire.Field(item.pdc, 3, "PDC number");
    bth.extensionUnits = FrameBytes::Flags(wire,
                                           item,
                                           {{asks ? RoceItem::FLAG_ACK_REQUEST : 0, ACK_REQUEST}},
                                           bth.extensionUnits);
    wire.Field(bth.psn, 3, "sequence number");
}

/**
 * @brief The headers behind BTH.
 * @tparam Item packet item, constant for a writer
 * @tparam Wire FrameWriter or FrameReader
 * @param describe layout of the kind
 * @param kind of the packet
 * @param transport where those of InfiniBand are: RETH or AETH
 * @param extensions where the extension headers are
 * @param item the packet
 */
template <typename Wire, typename Item>
void
DescribeBody(void (*describe)(Wire&, Wire&, Item&),
             const PacketKind& kind,
             Wire& transport,
             Wire& extensions,
             Item& item)
{
    describe(transport, extensions, item);
    if (kind.carriesInt && HasInt(extensions, item))
    {
        RoceExtensions::Int(extensions, item);
    }
}

/**
 * @return bytes of payload in the frame
 * @throws FabricError if the payload has not the length that the item claims
 */
uint32_t
GetPayloadBytes(const RoceItem& item, const PacketKind& kind)
{
    const uint32_t bytes = item.GetPacket()->GetSize();
    const uint32_t claimed = kind.getPayloadBytes                      ? kind.getPayloadBytes(item)
                             : item.type != FabricPacketType::DATA     ? bytes
                             : (item.flags & RoceItem::FLAG_VOID) != 0 ? 0
                                                                       : item.data.payloadBytes;
    if (bytes != 0 && bytes != claimed)
    {
        throw FabricError("packet item: payload of " + std::to_string(bytes) +
                          " bytes, but the item claims " + std::to_string(claimed));
    }
    return claimed;
}

/**
 * @brief Append the payload, zeros if that of data exists only as a size.
 * @param frame what is before it
 * @param item the packet
 * @param bytes how much: GetPayloadBytes()
 */
void
AppendPayload(FrameWriter& frame, const RoceItem& item, uint32_t bytes)
{
    const Packet& payload = *item.GetPacket();
    if (payload.GetSize() == 0)
    {
        frame.Constant(0, bytes);
        return;
    }
    frame.Append(payload);
}

/**
 * @brief Set the fields of data that follow from all that its headers say.
 * @return false if these contradict the payload
 */
bool
CompleteData(RoceItem& item)
{
    if (item.type != FabricPacketType::DATA)
    {
        return true;
    }
    const uint32_t payloadBytes = item.GetPacket()->GetSize();
    item.data.payloadBytes = static_cast<uint16_t>(payloadBytes);
    if ((item.flags & RoceItem::FLAG_MATCH) != 0)
    {
        return (item.flags & RoceItem::FLAG_VOID) == 0 || payloadBytes == 0;
    }
    item.data.sourcePdc = (item.flags & RoceItem::FLAG_SYN) != 0 ? item.pdc : 0;
    if (!item.IsTrimmed() &&
        (item.flags & ROCE_OPCODE_FLAGS) == (RoceItem::FLAG_FIRST | RoceItem::FLAG_LAST))
    {
        item.data.messageBytes = payloadBytes; // of a message of one packet
    }
    return true;
}

} // namespace

Ptr<Packet>
RoceFrame::Serialize(const FabricPacketItem& item)
{
    return FrameBytes::Close(Write(item));
}

FrameWriter
RoceFrame::Write(const FabricPacketItem& item)
{
    const PacketKind& kind = PacketKinds::Get(item.type);
    RoceBth bth;
    bth.opcode = kind.GetOpcode(item).code; // refuses what is no RoCEv2, before it gets headers
    if (!kind.carriesInt && HasInt(FrameWriter(), item))
    {
        throw FabricError(std::string("packet item: ") + kind.name + " carries no INT");
    }
    FrameWriter::Require(item.psn, ROCE_LARGEST_24, "sequence number");
    constexpr std::size_t USUAL_BYTES = 128;
    FrameWriter body(USUAL_BYTES);
    FrameWriter extensions(USUAL_BYTES);
    DescribeBody(kind.write, kind, body, extensions, item);

    bth.extensionUnits = static_cast<uint8_t>(extensions.GetPosition() / 4);
    bth.psn = (item.psn - (kind.namesLast ? 1 : 0)) & ROCE_LARGEST_24;
    body.Append(extensions);
    const uint32_t payloadBytes = kind.hasPayload ? GetPayloadBytes(item, kind) : 0;

    auto length = static_cast<uint32_t>(ROCE_FIXED_BYTES - FrameBytes::ETHERNET_BYTES +
                                        body.GetPosition() + payloadBytes + FrameBytes::CRC_BYTES);
    FrameWriter frame = FrameBytes::Begin(item, FrameBytes::IPV4);
    DescribeIpAndUdp(frame, item, length);
    DescribeBth(frame, item, bth);
    frame.Append(body);
    AppendPayload(frame, item, payloadBytes);
    frame.AppendCrc(
        ComputeIcrc(frame.GetBytes() + FrameBytes::ETHERNET_BYTES, length - FrameBytes::CRC_BYTES));
    return frame;
}

Ptr<FabricPacketItem>
RoceFrame::Parse(Ptr<const Packet> frame, const std::vector<uint8_t>& bytes)
{
    constexpr std::size_t OPCODE = ROCE_FIXED_BYTES - ROCE_BTH_BYTES;
    constexpr std::size_t TAIL = 2 * FrameBytes::CRC_BYTES;
    if (bytes.size() < ROCE_FIXED_BYTES + TAIL)
    {
        return nullptr;
    }
    const PacketKind::Opcode* opcode = nullptr;
    const PacketKind* kind = PacketKinds::FindOpcode(bytes[OPCODE], opcode);
    if (!kind)
    {
        return nullptr;
    }
    // An item is made around its payload, and so the length of all headers has to be known first.
    // Of a trimmed packet BTH is the last.
    const bool isTrimmed =
        kind->type == FabricPacketType::DATA && (bytes[OPCODE + 4] & ROCE_TRIMMED) != 0;
    const std::size_t transportBytes = isTrimmed ? 0 : opcode->transportBytes;
    const std::size_t extensionBytes = (bytes[OPCODE + 8] & 0x7f) * std::size_t{4};
    const std::size_t headerBytes = ROCE_FIXED_BYTES + transportBytes + extensionBytes;
    if (bytes.size() < headerBytes + TAIL ||
        (!kind->hasPayload && bytes.size() > headerBytes + TAIL))
    {
        return nullptr;
    }
    auto item = kind->hasPayload
                    ? Ptr<RoceItem>(new RoceItem(FrameBytes::Cut(frame, headerBytes, TAIL)), false)
                    : RoceItem::Create(kind->type);
    item->type = kind->type;
    item->flags = opcode->flags;

    FrameReader reader(bytes.data() + FrameBytes::ETHERNET_BYTES,
                       headerBytes - FrameBytes::ETHERNET_BYTES);
    uint32_t length = 0;
    RoceBth bth;
    DescribeIpAndUdp(reader, *item, length);
    DescribeBth(reader, *item, bth);
    FrameReader transport = reader.TakePart(transportBytes);
    FrameReader extensions = reader.TakePart(extensionBytes);
    DescribeBody(kind->read, *kind, transport, extensions, *item);
    if (!reader.IsDone() || !transport.IsDone() || !extensions.IsDone() ||
        length != bytes.size() - FrameBytes::ETHERNET_BYTES - FrameBytes::CRC_BYTES ||
        !CompleteData(*item))
    {
        return nullptr;
    }
    item->psn = (bth.psn + (PacketKinds::Get(item->type).namesLast ? 1 : 0)) & ROCE_LARGEST_24;
    return item;
}

bool
RoceFrame::IsRoce(const std::vector<uint8_t>& bytes)
{
    constexpr std::size_t UDP = FrameBytes::ETHERNET_BYTES + FrameBytes::IPV4_BYTES;
    return bytes.size() >= UDP + ROCE_UDP_BYTES + 2 * FrameBytes::CRC_BYTES &&
           FrameBytes::IsIpv4(bytes, FrameBytes::UDP) &&
           ((bytes[UDP + 2] << 8) | bytes[UDP + 3]) == ROCE_PORT;
}

uint32_t
RoceFrame::ComputeIcrc(const uint8_t* ip, uint32_t length)
{
    constexpr uint32_t LRH_BYTES = 8;
    // of what is masked, and before it, a copy: a switch may write DS, TTL, both bytes of the
    // checksums of IP and UDP, FECN and BECN in BTH
    std::array<uint8_t, LRH_BYTES + 33> masked;
    masked.fill(0xff);
    const uint32_t copied =
        std::min<uint32_t>(length, static_cast<uint32_t>(masked.size()) - LRH_BYTES);
    std::copy_n(ip, copied, masked.begin() + LRH_BYTES);
    for (const uint32_t offset : {1U, 8U, 10U, 11U, 26U, 27U, 32U})
    {
        masked[LRH_BYTES + offset] = 0xff;
    }
    FrameCrc crc;
    crc.Add(masked.data(), LRH_BYTES + copied);
    crc.Add(ip + copied, length - copied);
    return crc.Get();
}

} // namespace ns3
