// SPDX-License-Identifier: GPL-2.0-only
#include "roce-frame.h"

#include "fabric-address.h"
#include "frame-bytes.h"
#include "ipv4-fields.h"
#include "roce-body.h"
#include "roce-ip-header.h"
#include "roce-parts.h"
#include "roce-transport-headers.h"

#include "ns3/crc32.h"

#include <utility>

namespace ns3
{

Ptr<Packet>
RoceFrame::Serialize(const FabricPacketItem& item)
{
    RoceBthHeader bth;
    Ptr<Packet> packet = RoceBody::Serialize(item, bth);
    packet->AddHeader(bth);

    RoceIpHeader ip;
    ip.source = FabricAddress::ToIpv4(item.src);
    ip.destination = FabricAddress::ToIpv4(item.dst);
    ip.ds = item.ds;
    ip.sourcePort = item.entropy;
    const uint32_t payloadBytes = packet->GetSize() + FrameBytes::CRC_BYTES;
    RoceParts::Require(payloadBytes + RoceIpHeader::BYTES, 0xffff, "IP packet length");
    ip.payloadBytes = static_cast<uint16_t>(payloadBytes);
    packet->AddHeader(ip);
    FrameBytes::AddEthernet(packet,
                            FabricAddress::ToMac(item.src),
                            FabricAddress::ToMac(item.dst),
                            FrameBytes::IPV4);

    std::vector<uint8_t> bytes = FrameBytes::Get(packet);
    FrameBytes::AppendCrc(
        bytes,
        RoceFrame::ComputeIcrc(bytes.data() + FrameBytes::ETHERNET_BYTES,
                               static_cast<uint32_t>(bytes.size()) - FrameBytes::ETHERNET_BYTES));
    return FrameBytes::Close(std::move(bytes));
}

Ptr<FabricPacketItem>
RoceFrame::Parse(Ptr<Packet> packet)
{
    RoceIpHeader ip;
    RoceBthHeader bth;
    if (!FrameBytes::Take(packet, ip) || !FrameBytes::Take(packet, bth))
    {
        return nullptr;
    }
    Ptr<FabricPacketItem> item = RoceBody::Parse(packet, bth);
    if (!item)
    {
        return nullptr;
    }
    item->src = FabricAddress::FromIpv4(ip.source);
    item->dst = FabricAddress::FromIpv4(ip.destination);
    item->ds = ip.ds;
    item->entropy = ip.sourcePort;
    item->UpdateFlowHash();
    return item;
}

bool
RoceFrame::IsRoce(const std::vector<uint8_t>& bytes)
{
    constexpr size_t PORT = 36;
    return bytes.size() >=
               FrameBytes::ETHERNET_BYTES + RoceIpHeader::BYTES + 2 * FrameBytes::CRC_BYTES &&
           Ipv4Fields::IsFrameOf(bytes, Ipv4Fields::UDP) &&
           ((bytes[PORT] << 8) | bytes[PORT + 1]) == RoceIpHeader::UDP_PORT;
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
