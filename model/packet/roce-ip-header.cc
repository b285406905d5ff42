// SPDX-License-Identifier: GPL-2.0-only
#include "roce-ip-header.h"

#include "ipv4-fields.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RoceIpHeader);

namespace
{

constexpr uint32_t UDP_BYTES = 8;

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
    const auto length = static_cast<uint16_t>(BYTES + payloadBytes);
    Ipv4Fields{ds, length, Ipv4Fields::UDP, source, destination}.Write(start);

    start.WriteHtonU16(sourcePort);
    start.WriteHtonU16(UDP_PORT);
    start.WriteHtonU16(static_cast<uint16_t>(UDP_BYTES + payloadBytes));
    start.WriteHtonU16(0); // checksum not used
}

uint32_t
RoceIpHeader::Deserialize(Buffer::Iterator start)
{
    if (start.GetRemainingSize() < BYTES)
    {
        return 0;
    }
    Ipv4Fields ip{};
    const bool isFabric = ip.Read(start);
    ds = ip.ds;
    source = ip.source;
    destination = ip.destination;

    sourcePort = start.ReadNtohU16();
    const uint16_t port = start.ReadNtohU16();
    const uint16_t udpLength = start.ReadNtohU16();
    const uint16_t udpChecksum = start.ReadNtohU16();

    if (!isFabric || ip.protocol != Ipv4Fields::UDP || port != UDP_PORT || udpChecksum != 0 ||
        ip.length < BYTES || udpLength != ip.length - Ipv4Fields::BYTES)
    {
        return 0;
    }
    payloadBytes = static_cast<uint16_t>(ip.length - BYTES);
    return BYTES;
}

void
RoceIpHeader::Print(std::ostream& os) const
{
    os << source << ':' << sourcePort << " > " << destination << ':' << UDP_PORT << " ds 0x"
       << std::hex << +ds << std::dec << " payload " << payloadBytes;
}

} // namespace ns3
