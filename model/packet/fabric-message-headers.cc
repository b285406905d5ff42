// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-message-headers.h"

#include "wire-format.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(FabricMatchHeader);
NS_OBJECT_ENSURE_REGISTERED(FabricMessageAckHeader);
NS_OBJECT_ENSURE_REGISTERED(FabricRtsHeader);

static_assert(FabricMatchHeader::BYTES == RoceV2WireFormat::MATCH_BYTES &&
                  FabricMatchHeader::EXTRA_BYTES == RoceV2WireFormat::MATCH_EXTRA_BYTES &&
                  FabricMessageAckHeader::BYTES == RoceV2WireFormat::REFUSAL_EXTENSION_BYTES &&
                  FabricRtsHeader::BYTES == RoceV2WireFormat::RTS_EXTENSION_BYTES,
              "sizes and bytes must agree");

namespace
{

constexpr uint8_t MATCH = 0x80; //!< first byte of the match header, always set
constexpr uint8_t VOID = 0x01;  //!< first byte of the match header
constexpr uint8_t EXTRA = 0x02; //!< first byte of the match header: extra follows
constexpr uint8_t WRITE = 0x01; //!< second byte of what names a message in an ACK

} // namespace

TypeId
FabricMatchHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::FabricMatchHeader")
                            .SetParent<Header>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<FabricMatchHeader>();
    return tid;
}

bool
FabricMatchHeader::IsMatch(uint8_t first)
{
    return (first & MATCH) != 0;
}

TypeId
FabricMatchHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

uint32_t
FabricMatchHeader::GetSerializedSize() const
{
    return BYTES + (extra != 0 ? EXTRA_BYTES : 0);
}

void
FabricMatchHeader::Serialize(Buffer::Iterator start) const
{
    const uint32_t flags = MATCH | (isVoid ? VOID : 0) | (extra != 0 ? EXTRA : 0);
    start.WriteHtonU32((flags << 24) | (sourcePdc & MAX_PDC));
    start.WriteHtonU32(msn);
    start.WriteHtonU64((uint64_t{epoch} << 56) | (messageBytes & MAX_MESSAGE_BYTES));
    start.WriteHtonU64(offset);
    if (extra != 0)
    {
        start.WriteHtonU64(extra);
    }
}

uint32_t
FabricMatchHeader::Deserialize(Buffer::Iterator start)
{
    if (start.GetRemainingSize() < BYTES)
    {
        return 0;
    }
    const uint32_t flagsAndPdc = start.ReadNtohU32();
    const auto flags = static_cast<uint8_t>(flagsAndPdc >> 24);
    sourcePdc = flagsAndPdc & MAX_PDC;
    msn = start.ReadNtohU32();
    const uint64_t epochAndLength = start.ReadNtohU64();
    epoch = static_cast<uint8_t>(epochAndLength >> 56);
    messageBytes = epochAndLength & MAX_MESSAGE_BYTES;
    offset = start.ReadNtohU64();
    isVoid = (flags & VOID) != 0;
    extra = 0;
    if ((flags & ~(VOID | EXTRA)) != MATCH)
    {
        return 0;
    }
    if ((flags & EXTRA) == 0)
    {
        return BYTES;
    }
    extra = start.GetRemainingSize() < EXTRA_BYTES ? 0 : start.ReadNtohU64();
    return extra != 0 ? BYTES + EXTRA_BYTES : 0;
}

void
FabricMatchHeader::Print(std::ostream& os) const
{
    os << "msn " << msn << " epoch " << +epoch << " offset " << offset << " of " << messageBytes
       << " extra " << extra << " source pdc " << sourcePdc << (isVoid ? " void" : "");
}

TypeId
FabricMessageAckHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::FabricMessageAckHeader")
                            .SetParent<Header>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<FabricMessageAckHeader>();
    return tid;
}

TypeId
FabricMessageAckHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

uint32_t
FabricMessageAckHeader::GetSerializedSize() const
{
    return BYTES;
}

void
FabricMessageAckHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU32((uint32_t{epoch} << 24) | (write ? uint32_t{WRITE} << 16 : 0));
    start.WriteHtonU32(msn);
}

uint32_t
FabricMessageAckHeader::Deserialize(Buffer::Iterator start)
{
    if (start.GetRemainingSize() < BYTES)
    {
        return 0;
    }
    const uint32_t epochAndReserved = start.ReadNtohU32();
    epoch = static_cast<uint8_t>(epochAndReserved >> 24);
    msn = start.ReadNtohU32();
    write = ((epochAndReserved >> 16) & WRITE) != 0;
    return (epochAndReserved & 0xfeffff) == 0 ? BYTES : 0;
}

void
FabricMessageAckHeader::Print(std::ostream& os) const
{
    os << "refused msn " << msn << " epoch " << +epoch;
}

TypeId
FabricRtsHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::FabricRtsHeader")
                            .SetParent<Header>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<FabricRtsHeader>();
    return tid;
}

TypeId
FabricRtsHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

uint32_t
FabricRtsHeader::GetSerializedSize() const
{
    return BYTES;
}

void
FabricRtsHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU32(uint32_t{fields.epoch} << 24);
    start.WriteHtonU32(fields.msn);
    start.WriteHtonU64(fields.offset);
}

uint32_t
FabricRtsHeader::Deserialize(Buffer::Iterator start)
{
    if (start.GetRemainingSize() < BYTES)
    {
        return 0;
    }
    const uint32_t epochAndReserved = start.ReadNtohU32();
    fields.epoch = static_cast<uint8_t>(epochAndReserved >> 24);
    fields.msn = start.ReadNtohU32();
    fields.offset = start.ReadNtohU64();
    return (epochAndReserved & 0xffffff) == 0 ? BYTES : 0;
}

void
FabricRtsHeader::Print(std::ostream& os) const
{
    os << "wanted msn " << fields.msn << " epoch " << +fields.epoch << " from " << fields.offset;
}

} // namespace ns3
