// SPDX-License-Identifier: GPL-2.0-only
#include "roce-frame.h"

#include "fabric-error.h"
#include "frame-bytes.h"
#include "roce-extensions.h"
#include "wire-format.h"

#include "ns3/crc32.h"

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
constexpr uint16_t ROCE_OPCODE_FLAGS =
    RoceItem::FLAG_FIRST | RoceItem::FLAG_LAST | RoceItem::FLAG_WRITE;

/// Flags of data that has RETH: the first packet of a write.
constexpr uint16_t ROCE_WRITE_FIRST = RoceItem::FLAG_WRITE | RoceItem::FLAG_FIRST;

/// An operation code of the reliable connection service.
struct RoceOpcode
{
    uint8_t code;          //!< first byte of BTH
    FabricPacketType type; //!< what it is
    uint16_t flags;        //!< of data
    uint32_t bytes;        //!< of the headers between BTH and the extension headers
};

/// A NAK differs from an ACK by its AETH. From 0xc0 on those that InfiniBand leaves to
/// manufacturers.
constexpr RoceOpcode ROCE_OPCODES[] = {
    {0x00, FabricPacketType::DATA, RoceItem::FLAG_FIRST, 0},
    {0x01, FabricPacketType::DATA, 0, 0},
    {0x02, FabricPacketType::DATA, RoceItem::FLAG_LAST, 0},
    {0x04, FabricPacketType::DATA, RoceItem::FLAG_FIRST | RoceItem::FLAG_LAST, 0},
    {0x06, FabricPacketType::DATA, ROCE_WRITE_FIRST, RoceV2WireFormat::RETH_BYTES},
    {0x07, FabricPacketType::DATA, RoceItem::FLAG_WRITE, 0},
    {0x08, FabricPacketType::DATA, RoceItem::FLAG_WRITE | RoceItem::FLAG_LAST, 0},
    {0x0a, FabricPacketType::DATA, ROCE_OPCODE_FLAGS, RoceV2WireFormat::RETH_BYTES},
    {0x11, FabricPacketType::ACK, 0, RoceV2WireFormat::AETH_BYTES},
    {0x11, FabricPacketType::NACK, 0, RoceV2WireFormat::AETH_BYTES},
    {0x81, FabricPacketType::CNP, 0, RoceV2WireFormat::CNP_BYTES},
    {0xc1, FabricPacketType::RTW, 0, RoceV2WireFormat::AETH_BYTES},
    {0xc2, FabricPacketType::RTS, 0, 0},
    {0xc3, FabricPacketType::RNR, 0, RoceV2WireFormat::AETH_BYTES},
    {0xc4, FabricPacketType::BTS, 0, 0},
    {0xc5, FabricPacketType::NOTICE, 0, 0},
    {0xc6, FabricPacketType::CCM, 0, 0},
};

/// What BTH has that the item has not as it is.
struct RoceBth
{
    uint8_t opcode{0};         //!< operation code
    uint8_t extensionUnits{0}; //!< length of the extension headers in units of four bytes
    uint32_t psn{0};           //!< sequence number
};

/// @return its operation code
uint8_t
GetOpcode(const RoceItem& item)
{
    const uint16_t flags = item.type == FabricPacketType::DATA ? item.flags & ROCE_OPCODE_FLAGS : 0;
    for (const RoceOpcode& opcode : ROCE_OPCODES)
    {
        if (opcode.type == item.type && opcode.flags == flags)
        {
            return opcode.code;
        }
    }
    throw FabricError("packet item: type " + std::to_string(static_cast<int>(item.type)) +
                      " does not travel as RoCEv2");
}

/// @return what the first byte of BTH says, null if nothing the fabric sends
const RoceOpcode*
FindOpcode(uint8_t code)
{
    for (const RoceOpcode& opcode : ROCE_OPCODES)
    {
        if (opcode.code == code)
        {
            return &opcode;
        }
    }
    return nullptr;
}

/// @return true if BTH names the last packet received in order, as in an ACK of RoCE; the item has
/// the next one expected
bool
NamesLastPacket(FabricPacketType type)
{
    return type == FabricPacketType::ACK || type == FabricPacketType::RTW ||
           type == FabricPacketType::RNR;
}

/// @return true if an ACK, NAK, RTW or RNR names the message of the packet that it answers
bool
NamesMessage(const RoceItem& item)
{
    return item.type == FabricPacketType::RTW || item.type == FabricPacketType::RNR ||
           (item.flags & RoceItem::FLAG_COMPLETE) != 0;
}

/**
 * @param type of a packet that travels as RoCEv2
 * @return true if bytes of its own follow the headers
 */
bool
HasPayload(FabricPacketType type)
{
    return type == FabricPacketType::DATA || type == FabricPacketType::NOTICE;
}

/// @return true if a header of message matching is to be written
bool
HasMatch(const FrameWriter& /* extensions */, const RoceItem& item)
{
    return (item.flags & RoceItem::FLAG_MATCH) != 0;
}

/// @return true if a header of message matching follows
bool
HasMatch(const FrameReader& extensions, const RoceItem& /* item */)
{
    return RoceExtensions::IsMatch(extensions.Peek());
}

/// @return true if a coordination tag is to be written
bool
HasTag(const FrameWriter& /* extensions */, const RoceItem& item)
{
    return (item.flags & RoceItem::FLAG_TAG) != 0;
}

/// @return true if a coordination tag follows
bool
HasTag(const FrameReader& extensions, const RoceItem& /* item */)
{
    return RoceExtensions::IsTag(extensions.Peek());
}

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
                      {{RoceItem::FLAG_SYN, 0x01}},
                      item.type == FabricPacketType::CNP ? BECN : 0);
    wire.Field(item.pdc, 3, "PDC number");
    bth.extensionUnits =
        FrameBytes::Flags(wire,
                          item,
                          {{asks ? RoceItem::FLAG_ACK_REQUEST : uint16_t{0}, ACK_REQUEST}},
                          bth.extensionUnits);
    wire.Field(bth.psn, 3, "sequence number");
}

/**
 * @brief What follows BTH in an ACK, NAK, RTW or RNR.
 * @tparam Wire FrameWriter or FrameReader
 * @tparam Item packet item, constant for a writer
 * @param transport where AETH is
 * @param extensions where the extension headers are
 * @param item has its type; one that is read becomes a NAK if AETH says so
 */
template <typename Wire, typename Item>
void
DescribeAnswer(Wire& transport, Wire& extensions, Item& item)
{
    constexpr uint8_t ACK = 0x1f; // acknowledged, no end-to-end credits
    constexpr uint8_t NAK = 0x60; // sequence error
    uint8_t syndrome = item.type == FabricPacketType::NACK ? NAK : ACK;
    transport.Field(syndrome, 1);
    if constexpr (Wire::READS)
    {
        const bool isNak = item.type == FabricPacketType::ACK && syndrome == NAK;
        item.type = isNak ? FabricPacketType::NACK : item.type;
    }
    transport.Field(item.echoDelayNs, 3, "endpoint delay");
    RoceExtensions::Ack(extensions, item);
    if (NamesMessage(item))
    {
        RoceExtensions::Message(extensions, item);
    }
}

/**
 * @brief The headers behind BTH by type of the packet.
 * @tparam Wire FrameWriter or FrameReader
 * @tparam Item packet item, constant for a writer
 * @param transport where those of InfiniBand are: RETH or AETH
 * @param extensions where the extension headers are
 * @param item has its type, which has an opcode, and of data the flags that its opcode says
 */
template <typename Wire, typename Item>
void
DescribeBody(Wire& transport, Wire& extensions, Item& item)
{
    switch (item.type)
    {
    case FabricPacketType::DATA:
        if ((item.flags & ROCE_WRITE_FIRST) == ROCE_WRITE_FIRST)
        {
            transport.Field(item.data.offset, 8);       // virtual address
            transport.Field(item.data.messageBytes, 8); // remote key and DMA length
        }
        // With RETH too, offset and length are there twice.
        if (HasMatch(extensions, item))
        {
            RoceExtensions::Match(extensions, item);
        }
        if (HasTag(extensions, item))
        {
            RoceExtensions::Tag(extensions, item);
        }
        break;
    case FabricPacketType::CNP:
        transport.Constant(0, RoceV2WireFormat::CNP_BYTES);
        return;
    case FabricPacketType::RTS:
        RoceExtensions::Rts(extensions, item);
        return;
    case FabricPacketType::CCM:
        RoceExtensions::Ccm(extensions, item);
        return;
    case FabricPacketType::NOTICE:
        return;
    case FabricPacketType::BTS:
        RoceExtensions::Bts(extensions, item);
        break;
    case FabricPacketType::ACK:
    case FabricPacketType::NACK:
    case FabricPacketType::RTW:
    case FabricPacketType::RNR:
        DescribeAnswer(transport, extensions, item);
        break;
    case FabricPacketType::FOREIGN:
    case FabricPacketType::PAUSE:
    case FabricPacketType::CREDIT:
    case FabricPacketType::RATE:
        return; // GetOpcode() refuses them
    }
    if (HasInt(extensions, item))
    {
        RoceExtensions::Int(extensions, item);
    }
}

/**
 * @brief Refuse a notification of coordinated congestion management that says what none says.
 * @throws FabricError if so
 */
void
RequireCcm(const RoceItem& item)
{
    if (HasInt(FrameWriter(), item))
    {
        throw FabricError("packet item: a CCM carries no INT");
    }
    if (item.ccm.kind < CcmKind::REQUIRED || item.ccm.kind > CcmKind::REROUTE)
    {
        throw FabricError("packet item: a CCM has type 1, 2 or 3, not " +
                          std::to_string(item.ccm.kind));
    }
}

/**
 * @brief Refuse an item that says something which its frame has no place for.
 * @throws FabricError if so
 */
void
RequireBody(const RoceItem& item)
{
    if (item.type == FabricPacketType::RTS && HasInt(FrameWriter(), item))
    {
        throw FabricError("packet item: an RTS carries no INT");
    }
    if (item.type == FabricPacketType::NOTICE && HasInt(FrameWriter(), item))
    {
        throw FabricError("packet item: a NOTICE carries no INT");
    }
    if (item.type == FabricPacketType::CCM)
    {
        RequireCcm(item);
    }
    if (item.type == FabricPacketType::DATA &&
        (item.flags & (RoceItem::FLAG_TAG | RoceItem::FLAG_CC)) == RoceItem::FLAG_CC)
    {
        throw FabricError("packet item: FLAG_CC needs FLAG_TAG, whose header says it");
    }
    if (item.type == FabricPacketType::DATA && (item.flags & RoceItem::FLAG_VOID) != 0 &&
        (item.flags & RoceItem::FLAG_MATCH) == 0)
    {
        throw FabricError("packet item: FLAG_VOID needs FLAG_MATCH, whose header says it");
    }
}

/**
 * @brief Append the payload, zeros if that of data exists only as a size.
 * @throws FabricError if the payload has not the length that the item claims
 */
void
AppendPayload(FrameWriter& frame, const RoceItem& item)
{
    if (!HasPayload(item.type))
    {
        return;
    }
    const Packet& payload = *item.GetPacket();
    const uint32_t claimed = item.type == FabricPacketType::NOTICE     ? payload.GetSize()
                             : (item.flags & RoceItem::FLAG_VOID) != 0 ? 0
                                                                       : item.data.payloadBytes;
    if (payload.GetSize() == 0)
    {
        frame.Constant(0, claimed);
        return;
    }
    if (payload.GetSize() != claimed)
    {
        throw FabricError("packet item: payload of " + std::to_string(payload.GetSize()) +
                          " bytes, but the item claims " + std::to_string(claimed));
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
    if ((item.flags & ROCE_OPCODE_FLAGS) == (RoceItem::FLAG_FIRST | RoceItem::FLAG_LAST))
    {
        item.data.messageBytes = payloadBytes; // of a message of one packet
    }
    return true;
}

} // namespace

Ptr<Packet>
RoceFrame::Serialize(const FabricPacketItem& item)
{
    RoceBth bth;
    bth.opcode = GetOpcode(item); // refuses what is no RoCEv2, before it gets headers
    RequireBody(item);
    FrameWriter::Require(item.psn, ROCE_LARGEST_24, "sequence number");
    FrameWriter body;
    FrameWriter extensions;
    DescribeBody(body, extensions, item);

    bth.extensionUnits = static_cast<uint8_t>(extensions.GetPosition() / 4);
    bth.psn = (item.psn - (NamesLastPacket(item.type) ? 1 : 0)) & ROCE_LARGEST_24;
    body.Append(extensions);
    AppendPayload(body, item);

    auto length = static_cast<uint32_t>(ROCE_FIXED_BYTES - FrameBytes::ETHERNET_BYTES +
                                        body.GetPosition() + FrameBytes::CRC_BYTES);
    FrameWriter frame = FrameBytes::Begin(item, FrameBytes::IPV4);
    DescribeIpAndUdp(frame, item, length);
    DescribeBth(frame, item, bth);
    frame.Append(body);
    frame.AppendCrc(
        ComputeIcrc(frame.GetBytes() + FrameBytes::ETHERNET_BYTES, length - FrameBytes::CRC_BYTES));
    return FrameBytes::Close(std::move(frame));
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
    const RoceOpcode* opcode = FindOpcode(bytes[OPCODE]);
    if (!opcode)
    {
        return nullptr;
    }
    // An item is made around its payload, and so the length of all headers has to be known first.
    const std::size_t extensionBytes = (bytes[OPCODE + 8] & 0x7f) * std::size_t{4};
    const std::size_t headerBytes = ROCE_FIXED_BYTES + opcode->bytes + extensionBytes;
    const bool hasPayload = HasPayload(opcode->type);
    if (bytes.size() < headerBytes + TAIL || (!hasPayload && bytes.size() > headerBytes + TAIL))
    {
        return nullptr;
    }
    auto item = hasPayload
                    ? Ptr<RoceItem>(new RoceItem(FrameBytes::Cut(frame, headerBytes, TAIL)), false)
                    : RoceItem::Create(opcode->type);
    if (hasPayload)
    {
        item->type = opcode->type;
        item->data = {};
    }
    item->flags = opcode->flags;

    FrameReader reader(bytes.data() + FrameBytes::ETHERNET_BYTES,
                       headerBytes - FrameBytes::ETHERNET_BYTES);
    uint32_t length = 0;
    RoceBth bth;
    DescribeIpAndUdp(reader, *item, length);
    DescribeBth(reader, *item, bth);
    FrameReader transport = reader.TakePart(opcode->bytes);
    FrameReader extensions = reader.TakePart(extensionBytes);
    DescribeBody(transport, extensions, *item);
    if (!reader.IsDone() || !transport.IsDone() || !extensions.IsDone() ||
        length != bytes.size() - FrameBytes::ETHERNET_BYTES - FrameBytes::CRC_BYTES ||
        !CompleteData(*item))
    {
        return nullptr;
    }
    item->psn = (bth.psn + (NamesLastPacket(item->type) ? 1 : 0)) & ROCE_LARGEST_24;
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
