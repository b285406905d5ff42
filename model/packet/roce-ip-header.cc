// SPDX-License-Identifier: GPL-2.0-only
#include "roce-ip-header.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RoceIpHeader);

namespace
{

constexpr uint32_t IP_BYTES = 20;
constexpr uint32_t UDP_BYTES = 8;
constexpr uint8_t VERSION_AND_LENGTH = 0x45;
constexpr uint16_t DONT_FRAGMENT = 0x4000;
constexpr uint16_t TTL_AND_PROTOCOL = (64 << 8) | 17;

} // namespace

TypeId
RoceIpHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RoceIpHeader")
                            .SetParent<Header>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<RoceIpHeader>();
    return tid;
}

TypeId
RoceIpHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

uint32_t
RoceIpHeader::GetSerializedSize() const
{
    return BYTES;
}

void
RoceIpHeader::Serialize(Buffer::Iterator start) const
{
    Buffer::Iterator ip = start;
    start.WriteU8(VERSION_AND_LENGTH);
    start.WriteU8(ds);
    start.WriteHtonU16(static_cast<uint16_t>(BYTES + payloadBytes));
    start.WriteHtonU16(0); // identification: never fragmented
    start.WriteHtonU16(DONT_FRAGMENT);
    start.WriteHtonU16(TTL_AND_PROTOCOL);
    start.WriteHtonU16(0);
    start.WriteHtonU32(source.Get());
    start.WriteHtonU32(destination.Get());

    start.WriteHtonU16(sourcePort);
    start.WriteHtonU16(UDP_PORT);
    start.WriteHtonU16(static_cast<uint16_t>(UDP_BYTES + payloadBytes));
    start.WriteHtonU16(0); // checksum not used

    const uint16_t checksum = Buffer::Iterator(ip).CalculateIpChecksum(IP_BYTES);
    ip.Next(10);
    ip.WriteU16(checksum);
}

uint32_t
RoceIpHeader::Deserialize(Buffer::Iterator start)
{
    if (start.GetRemainingSize() < BYTES)
    {
        return 0;
    }
    const uint16_t checksum = Buffer::Iterator(start).CalculateIpChecksum(IP_BYTES);
    const uint8_t version = start.ReadU8();
    ds = start.ReadU8();
    const uint16_t length = start.ReadNtohU16();
    const uint32_t fragment = start.ReadNtohU32();
    const uint16_t ttlAndProtocol = start.ReadNtohU16();
    start.Next(2);
    source = Ipv4Address(start.ReadNtohU32());
    destination = Ipv4Address(start.ReadNtohU32());

    sourcePort = start.ReadNtohU16();
    const uint16_t port = start.ReadNtohU16();
    const uint16_t udpLength = start.ReadNtohU16();
    const uint16_t udpChecksum = start.ReadNtohU16();

    if (checksum != 0 || version != VERSION_AND_LENGTH || fragment != DONT_FRAGMENT ||
        ttlAndProtocol != TTL_AND_PROTOCOL || port != UDP_PORT || udpChecksum != 0 ||
        length < BYTES || udpLength != length - IP_BYTES)
    {
        return 0;
    }
    payloadBytes = static_cast<uint16_t>(length - BYTES);
    return BYTES;
}

void
RoceIpHeader::Print(std::ostream& os) const
{
    os << source << ':' << sourcePort << " > " << destination << ':' << UDP_PORT << " ds 0x"
       << std::hex << +ds << std::dec << " payload " << payloadBytes;
}

} // namespace ns3
