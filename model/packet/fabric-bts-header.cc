// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-bts-header.h"

#include "back-to-sender-signals.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(FabricBtsHeader);

namespace
{

using Signals = BackToSenderSignals;

constexpr uint32_t FIXED_BYTES = 4; //!< before the signals
constexpr uint8_t DROPPED = 0x80;   //!< first byte
constexpr uint8_t MARKED = 0x40;    //!< first byte
constexpr uint8_t INVERTED = 0x20;  //!< first byte
constexpr uint8_t RESERVED = 0x18;  //!< first byte; the last three bits are the class
constexpr uint8_t PRIORITY = 0x07;  //!< first byte

} // namespace

TypeId
FabricBtsHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::FabricBtsHeader")
                            .SetParent<Header>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<FabricBtsHeader>();
    return tid;
}

TypeId
FabricBtsHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

uint32_t
FabricBtsHeader::GetBytes(uint8_t signals)
{
    return FIXED_BYTES + ((signals & (Signals::QUEUE | Signals::FLOWS)) != 0 ? 4 : 0) +
           ((signals & Signals::GRADIENT) != 0 ? 4 : 0) + ((signals & Signals::RATE) != 0 ? 4 : 0) +
           ((signals & Signals::SENT) != 0 ? 12 : 0) +
           ((signals & Signals::OCCUPANCY) != 0 ? 12 : 0);
}

uint32_t
FabricBtsHeader::GetSerializedSize() const
{
    return GetBytes(fields.signals);
}

void
FabricBtsHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteU8((fields.dropped ? DROPPED : 0) | (fields.marked ? MARKED : 0) |
                  (fields.inverted ? INVERTED : 0) | fields.priority);
    start.WriteU8(fields.signals);
    start.WriteHtonU16(fields.port);
    if (fields.signals & (Signals::QUEUE | Signals::FLOWS))
    {
        start.WriteHtonU16(fields.signals & Signals::QUEUE ? fields.relativeQueue : 0);
        start.WriteHtonU16(fields.signals & Signals::FLOWS ? fields.activeFlows : 0);
    }
    if (fields.signals & Signals::GRADIENT)
    {
        start.WriteHtonU32(static_cast<uint32_t>(fields.gradientMbps));
    }
    if (fields.signals & Signals::RATE)
    {
        start.WriteHtonU32(fields.rateMbps);
    }
    if (fields.signals & Signals::SENT)
    {
        start.WriteHtonU32(fields.portSentBytes);
        start.WriteHtonU32(fields.queueSentBytes);
        start.WriteHtonU32(fields.timeNs);
    }
    if (fields.signals & Signals::OCCUPANCY)
    {
        start.WriteHtonU32(fields.portBytes);
        start.WriteHtonU32(fields.bufferBytes);
        start.WriteHtonU32(fields.groupBytes);
    }
}

uint32_t
FabricBtsHeader::Deserialize(Buffer::Iterator start)
{
    if (start.GetRemainingSize() < FIXED_BYTES)
    {
        return 0;
    }
    fields = {};
    const uint8_t first = start.ReadU8();
    fields.signals = start.ReadU8();
    fields.port = start.ReadNtohU16();
    if ((first & RESERVED) != 0 || (fields.signals & ~ALL_SIGNALS) != 0 ||
        start.GetRemainingSize() < GetSerializedSize() - FIXED_BYTES)
    {
        return 0;
    }
    fields.dropped = (first & DROPPED) != 0;
    fields.marked = (first & MARKED) != 0;
    fields.inverted = (first & INVERTED) != 0;
    fields.priority = first & PRIORITY;
    if (fields.signals & (Signals::QUEUE | Signals::FLOWS))
    {
        fields.relativeQueue = start.ReadNtohU16();
        fields.activeFlows = start.ReadNtohU16();
        if ((!(fields.signals & Signals::QUEUE) && fields.relativeQueue != 0) ||
            (!(fields.signals & Signals::FLOWS) && fields.activeFlows != 0))
        {
            return 0;
        }
    }
    if (fields.signals & Signals::GRADIENT)
    {
        fields.gradientMbps = static_cast<int32_t>(start.ReadNtohU32());
    }
    if (fields.signals & Signals::RATE)
    {
        fields.rateMbps = start.ReadNtohU32();
    }
    if (fields.signals & Signals::SENT)
    {
        fields.portSentBytes = start.ReadNtohU32();
        fields.queueSentBytes = start.ReadNtohU32();
        fields.timeNs = start.ReadNtohU32();
    }
    if (fields.signals & Signals::OCCUPANCY)
    {
        fields.portBytes = start.ReadNtohU32();
        fields.bufferBytes = start.ReadNtohU32();
        fields.groupBytes = start.ReadNtohU32();
    }
    return GetSerializedSize();
}

void
FabricBtsHeader::Print(std::ostream& os) const
{
    os << "port " << fields.port << " class " << +fields.priority
       << (fields.dropped ? " dropped" : "") << (fields.marked ? " marked" : "") << " signals 0x"
       << std::hex << +fields.signals << std::dec;
}

} // namespace ns3
