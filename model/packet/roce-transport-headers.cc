// SPDX-License-Identifier: GPL-2.0-only
#include "roce-transport-headers.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RoceBthHeader);
NS_OBJECT_ENSURE_REGISTERED(RoceRethHeader);
NS_OBJECT_ENSURE_REGISTERED(RoceAethHeader);

namespace
{

constexpr uint32_t BTH_BYTES = 12;
constexpr uint32_t RETH_BYTES = 16;
constexpr uint32_t AETH_BYTES = 4;
constexpr uint32_t MASK_24 = 0xffffff;

constexpr uint8_t MIGRATED = 0x40; //!< second byte of BTH: no alternate path, as RoCE has none
constexpr uint16_t DEFAULT_PARTITION = 0xffff;
constexpr uint8_t BECN = 0x40;
constexpr uint8_t SYN = 0x01;
constexpr uint32_t ACK_REQUEST = 0x80000000;

} // namespace

TypeId
RoceBthHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RoceBthHeader")
                            .SetParent<Header>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<RoceBthHeader>();
    return tid;
}

TypeId
RoceBthHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

uint32_t
RoceBthHeader::GetSerializedSize() const
{
    return BTH_BYTES;
}

void
RoceBthHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteU8(opcode);
    start.WriteU8(MIGRATED);
    start.WriteHtonU16(DEFAULT_PARTITION);
    const uint8_t notice = (becn ? BECN : 0) | (syn ? SYN : 0);
    start.WriteHtonU32((uint32_t{notice} << 24) | (destinationPdc & MASK_24));
    const uint32_t extensionUnits = (extensionBytes / 4) & 0x7f;
    start.WriteHtonU32((ackRequest ? ACK_REQUEST : 0) | (extensionUnits << 24) | (psn & MASK_24));
}

uint32_t
RoceBthHeader::Deserialize(Buffer::Iterator start)
{
    if (start.GetRemainingSize() < BTH_BYTES)
    {
        return 0;
    }
    opcode = start.ReadU8();
    const uint8_t misc = start.ReadU8();
    const uint16_t partition = start.ReadNtohU16();
    const uint32_t destination = start.ReadNtohU32();
    const uint32_t sequence = start.ReadNtohU32();
    becn = ((destination >> 24) & BECN) != 0;
    syn = ((destination >> 24) & SYN) != 0;
    destinationPdc = destination & MASK_24;
    ackRequest = (sequence & ACK_REQUEST) != 0;
    extensionBytes = ((sequence >> 24) & 0x7f) * 4;
    psn = sequence & MASK_24;
    return IsKnown() && misc == MIGRATED && partition == DEFAULT_PARTITION ? BTH_BYTES : 0;
}

void
RoceBthHeader::Print(std::ostream& os) const
{
    os << "opcode 0x" << std::hex << +opcode << std::dec << " qp " << destinationPdc << " psn "
       << psn << " extension " << extensionBytes << (syn ? " syn" : "") << (becn ? " becn" : "")
       << (ackRequest ? " ackreq" : "");
}

bool
RoceBthHeader::IsFirst() const
{
    return opcode == SEND_FIRST || opcode == SEND_ONLY || opcode == WRITE_FIRST ||
           opcode == WRITE_ONLY;
}

bool
RoceBthHeader::IsLast() const
{
    return opcode == SEND_LAST || opcode == SEND_ONLY || opcode == WRITE_LAST ||
           opcode == WRITE_ONLY;
}

bool
RoceBthHeader::IsWrite() const
{
    return opcode == WRITE_FIRST || opcode == WRITE_MIDDLE || opcode == WRITE_LAST ||
           opcode == WRITE_ONLY;
}

bool
RoceBthHeader::IsData() const
{
    return IsWrite() || IsFirst() || IsLast() || opcode == SEND_MIDDLE;
}

bool
RoceBthHeader::IsKnown() const
{
    return IsData() || opcode == ACKNOWLEDGE || opcode == CNP || opcode == REQUEST_TO_WAIT ||
           opcode == REQUEST_TO_SEND || opcode == RECEIVER_NOT_READY || opcode == BACK_TO_SENDER;
}

TypeId
RoceRethHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RoceRethHeader")
                            .SetParent<Header>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<RoceRethHeader>();
    return tid;
}

TypeId
RoceRethHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

uint32_t
RoceRethHeader::GetSerializedSize() const
{
    return RETH_BYTES;
}

void
RoceRethHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU64(offset);
    start.WriteHtonU64(messageBytes); // remote key and length lie side by side
}

uint32_t
RoceRethHeader::Deserialize(Buffer::Iterator start)
{
    if (start.GetRemainingSize() < RETH_BYTES)
    {
        return 0;
    }
    offset = start.ReadNtohU64();
    messageBytes = start.ReadNtohU64();
    return RETH_BYTES;
}

void
RoceRethHeader::Print(std::ostream& os) const
{
    os << "offset " << offset << " length " << messageBytes;
}

TypeId
RoceAethHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RoceAethHeader")
                            .SetParent<Header>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<RoceAethHeader>();
    return tid;
}

TypeId
RoceAethHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

uint32_t
RoceAethHeader::GetSerializedSize() const
{
    return AETH_BYTES;
}

void
RoceAethHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU32((uint32_t{syndrome} << 24) | (msn & MASK_24));
}

uint32_t
RoceAethHeader::Deserialize(Buffer::Iterator start)
{
    if (start.GetRemainingSize() < AETH_BYTES)
    {
        return 0;
    }
    const uint32_t word = start.ReadNtohU32();
    syndrome = static_cast<uint8_t>(word >> 24);
    msn = word & MASK_24;
    return syndrome == ACK || syndrome == NAK_OUT_OF_ORDER ? AETH_BYTES : 0;
}

void
RoceAethHeader::Print(std::ostream& os) const
{
    os << (syndrome == ACK ? "ACK" : "NAK") << " msn " << msn;
}

} // namespace ns3
