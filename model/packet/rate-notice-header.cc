// SPDX-License-Identifier: GPL-2.0-only
#include "rate-notice-header.h"

#include "fabric-address.h"
#include "frame-bytes.h"
#include "ipv4-fields.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RateNoticeHeader);

TypeId
RateNoticeHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RateNoticeHeader")
                            .SetParent<Header>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<RateNoticeHeader>();
    return tid;
}

TypeId
RateNoticeHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

uint32_t
RateNoticeHeader::GetSerializedSize() const
{
    return BYTES;
}

void
RateNoticeHeader::Serialize(Buffer::Iterator start) const
{
    Ipv4Fields{ds, BYTES, ICMP, source, destination}.Write(start);

    Buffer::Iterator message = start;
    start.WriteU8(ICMP_TYPE);
    start.WriteU8(0);  // code
    start.WriteU16(0); // checksum, below
    start.WriteHtonU32(rate.rateMbps);
    start.WriteHtonU32(FabricAddress::ToIpv4(rate.flowDst).Get());
    start.WriteHtonU32((uint32_t{rate.priority} << 24) | pdc);
    start.WriteHtonU16(entropy);
    start.WriteHtonU16(rate.port);
    start.WriteHtonU32(0);
    const uint16_t checksum = Buffer::Iterator(message).CalculateIpChecksum(MESSAGE_BYTES);
    message.Next(2);
    message.WriteU16(checksum);
}

uint32_t
RateNoticeHeader::Deserialize(Buffer::Iterator start)
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

    const uint16_t checksum = Buffer::Iterator(start).CalculateIpChecksum(MESSAGE_BYTES);
    const uint8_t type = start.ReadU8();
    const uint8_t code = start.ReadU8();
    start.Next(2);
    rate.rateMbps = start.ReadNtohU32();
    rate.flowDst = FabricAddress::FromIpv4(Ipv4Address(start.ReadNtohU32()));
    const uint32_t priorityAndPdc = start.ReadNtohU32();
    rate.priority = static_cast<uint8_t>(priorityAndPdc >> 24);
    pdc = priorityAndPdc & 0xffffff;
    entropy = start.ReadNtohU16();
    rate.port = start.ReadNtohU16();
    const uint32_t reserved = start.ReadNtohU32();

    if (!isFabric || ip.protocol != ICMP || ip.length != BYTES || checksum != 0 ||
        type != ICMP_TYPE || code != 0 || rate.priority > 7 || reserved != 0)
    {
        return 0;
    }
    return BYTES;
}

void
RateNoticeHeader::Print(std::ostream& os) const
{
    os << source << " > " << destination << " rate " << rate.rateMbps << " Mb/s of port "
       << rate.port << " class " << +rate.priority << " for pdc " << pdc << " to host "
       << rate.flowDst;
}

bool
RateNoticeHeader::IsRateNotice(const std::vector<uint8_t>& bytes)
{
    constexpr size_t TYPE = 34;
    return bytes.size() >=
               FrameBytes::ETHERNET_BYTES + Ipv4Fields::BYTES + 1 + FrameBytes::CRC_BYTES &&
           Ipv4Fields::IsFrameOf(bytes, ICMP) && bytes[TYPE] == ICMP_TYPE;
}

} // namespace ns3
