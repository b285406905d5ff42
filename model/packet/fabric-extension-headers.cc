// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-extension-headers.h"

#include "wire-format.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(FabricAckHeader);
NS_OBJECT_ENSURE_REGISTERED(FabricIntHeader);

static_assert(FabricAckHeader::BYTES == RoceV2WireFormat::ACK_EXTENSION_BYTES,
              "sizes and bytes must agree");

namespace
{

constexpr uint8_t ECHO_MARK = 0x01;
constexpr uint8_t COMPLETE = 0x02;
constexpr uint8_t INT_EXACT = 0x01;
constexpr uint8_t INT_REVERSED = 0x02;

void
WriteU24(Buffer::Iterator& i, uint32_t value)
{
    i.WriteU8(static_cast<uint8_t>(value >> 16));
    i.WriteHtonU16(static_cast<uint16_t>(value));
}

uint32_t
ReadU24(Buffer::Iterator& i)
{
    const uint32_t high = i.ReadU8();
    return (high << 16) | i.ReadNtohU16();
}

} // namespace

TypeId
FabricAckHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::FabricAckHeader")
                            .SetParent<Header>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<FabricAckHeader>();
    return tid;
}

TypeId
FabricAckHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

uint32_t
FabricAckHeader::GetSerializedSize() const
{
    return BYTES;
}

void
FabricAckHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU64(fields.sackBitmap);
    start.WriteHtonU64(static_cast<uint64_t>(echoedSendTimePs));
    start.WriteU8((echoMark ? ECHO_MARK : 0) | (complete ? COMPLETE : 0));
    WriteU24(start, fields.sackBase);
    WriteU24(start, fields.triggerPsn);
    WriteU24(start, fields.targetPdc);
    start.WriteHtonU16(static_cast<uint16_t>(fields.coveredPackets));
    start.WriteHtonU16(static_cast<uint16_t>(fields.markedPackets));
    start.WriteHtonU16(fields.activeFlows);
}

uint32_t
FabricAckHeader::Deserialize(Buffer::Iterator start)
{
    if (start.GetRemainingSize() < BYTES)
    {
        return 0;
    }
    fields.sackBitmap = start.ReadNtohU64();
    echoedSendTimePs = static_cast<int64_t>(start.ReadNtohU64());
    const uint8_t flags = start.ReadU8();
    echoMark = (flags & ECHO_MARK) != 0;
    complete = (flags & COMPLETE) != 0;
    fields.sackBase = ReadU24(start);
    fields.triggerPsn = ReadU24(start);
    fields.targetPdc = ReadU24(start);
    fields.coveredPackets = start.ReadNtohU16();
    fields.markedPackets = start.ReadNtohU16();
    fields.activeFlows = start.ReadNtohU16();
    return (flags & ~(ECHO_MARK | COMPLETE)) == 0 ? BYTES : 0;
}

void
FabricAckHeader::Print(std::ostream& os) const
{
    os << "sack " << fields.sackBase << "+0x" << std::hex << fields.sackBitmap << std::dec
       << " trigger " << fields.triggerPsn << (echoMark ? " marked" : "")
       << (complete ? " complete" : "") << " covered " << fields.coveredPackets << " marked "
       << fields.markedPackets << " target pdc " << fields.targetPdc << " flows "
       << fields.activeFlows << " sent " << echoedSendTimePs << " ps";
}

TypeId
FabricIntHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::FabricIntHeader")
                            .SetParent<Header>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<FabricIntHeader>();
    return tid;
}

TypeId
FabricIntHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

uint32_t
FabricIntHeader::GetSerializedSize() const
{
    return RoceV2WireFormat::INT_HEADER_BYTES +
           count * (exact ? RoceV2WireFormat::EXACT_INT_RECORD_BYTES
                          : RoceV2WireFormat::INT_RECORD_BYTES);
}

void
FabricIntHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteU8((exact ? INT_EXACT : 0) | (reversed ? INT_REVERSED : 0));
    start.WriteU8(count);
    start.WriteHtonU16(0);
    for (uint8_t hop = 0; hop < count; ++hop)
    {
        if (exact)
        {
            start.WriteHtonU64(static_cast<uint64_t>(samples[hop].timePs));
            start.WriteHtonU64(samples[hop].txBytes);
            start.WriteHtonU64(samples[hop].queueBytes);
            start.WriteHtonU64(samples[hop].rateBps);
        }
        else
        {
            start.WriteHtonU64(records[hop]);
        }
    }
}

uint32_t
FabricIntHeader::Deserialize(Buffer::Iterator start)
{
    const uint32_t available = start.GetRemainingSize();
    if (available < RoceV2WireFormat::INT_HEADER_BYTES)
    {
        return 0;
    }
    const uint8_t flags = start.ReadU8();
    count = start.ReadU8();
    const uint16_t reserved = start.ReadNtohU16();
    exact = (flags & INT_EXACT) != 0;
    reversed = (flags & INT_REVERSED) != 0;
    if ((flags & ~(INT_EXACT | INT_REVERSED)) != 0 || reserved != 0 ||
        count > FabricPacketItem::MAX_HOPS || available < GetSerializedSize())
    {
        count = 0;
        return 0;
    }
    for (uint8_t hop = 0; hop < count; ++hop)
    {
        if (exact)
        {
            samples[hop].timePs = static_cast<int64_t>(start.ReadNtohU64());
            samples[hop].txBytes = start.ReadNtohU64();
            samples[hop].queueBytes = start.ReadNtohU64();
            samples[hop].rateBps = start.ReadNtohU64();
        }
        else
        {
            records[hop] = start.ReadNtohU64();
        }
    }
    return GetSerializedSize();
}

void
FabricIntHeader::Print(std::ostream& os) const
{
    os << +count << (exact ? " exact" : " packed") << " INT records"
       << (reversed ? ", last hop first" : "");
}

} // namespace ns3
