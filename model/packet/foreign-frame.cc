// SPDX-License-Identifier: GPL-2.0-only
#include "foreign-frame.h"

#include "fabric-address.h"
#include "fabric-error.h"
#include "frame-bytes.h"

#include <string>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

constexpr uint16_t LOWEST_ETHER_TYPE = 0x0600;

/// @return DS field of a packet of another protocol, 0 where there is none
uint8_t
GetForeignDs(const uint8_t* packet, size_t length, uint16_t protocol)
{
    if (protocol == FrameBytes::IPV4 && length >= 20)
    {
        return packet[1];
    }
    if (protocol == FrameBytes::IPV6 && length >= 40)
    {
        return static_cast<uint8_t>((packet[0] << 4) | (packet[1] >> 4));
    }
    return 0;
}

/// Write the DS field that switches may have marked back into the packet's own header.
void
SetForeignDs(uint8_t* packet, size_t length, uint16_t protocol, uint8_t ds)
{
    if (protocol == FrameBytes::IPV4 && length >= 20)
    {
        // RFC 1624: checksum' = ~(~checksum + ~old + new)
        uint32_t sum = static_cast<uint16_t>(~((packet[10] << 8) | packet[11]));
        sum += static_cast<uint16_t>(~packet[1]) + uint32_t{ds};
        sum = (sum & 0xffff) + (sum >> 16);
        sum = (sum & 0xffff) + (sum >> 16);
        packet[1] = ds;
        packet[10] = static_cast<uint8_t>(~sum >> 8);
        packet[11] = static_cast<uint8_t>(~sum);
    }
    else if (protocol == FrameBytes::IPV6 && length >= 40)
    {
        packet[0] = static_cast<uint8_t>((packet[0] & 0xf0) | (ds >> 4));
        packet[1] = static_cast<uint8_t>((packet[1] & 0x0f) | (ds << 4));
    }
}

} // namespace

Ptr<Packet>
ForeignFrame::Serialize(const FabricPacketItem& item)
{
    if (item.foreignProtocol < LOWEST_ETHER_TYPE)
    {
        throw FabricError("packet item: foreign protocol " + std::to_string(item.foreignProtocol) +
                          " is no EtherType, at least 1536");
    }
    Ptr<Packet> packet = item.GetPacket()->Copy();
    FrameBytes::AddEthernet(packet,
                            FabricAddress::ToMac(item.src),
                            FabricAddress::ToMac(item.dst),
                            item.foreignProtocol);
    std::vector<uint8_t> bytes = FrameBytes::Get(packet);
    uint8_t* inner = bytes.data() + FrameBytes::ETHERNET_BYTES;
    const size_t length = bytes.size() - FrameBytes::ETHERNET_BYTES;
    if (GetForeignDs(inner, length, item.foreignProtocol) != item.ds)
    {
        SetForeignDs(inner, length, item.foreignProtocol, item.ds);
    }
    return FrameBytes::Close(std::move(bytes));
}

Ptr<FabricPacketItem>
ForeignFrame::Parse(Ptr<Packet> packet, uint16_t protocol)
{
    if (protocol < LOWEST_ETHER_TYPE)
    {
        return nullptr;
    }
    Ptr<FabricPacketItem> item(new FabricPacketItem(packet), false);
    item->type = FabricPacketType::FOREIGN;
    item->foreignProtocol = protocol;
    const std::vector<uint8_t> bytes = FrameBytes::Get(packet);
    item->ds = GetForeignDs(bytes.data(), bytes.size(), protocol);
    return item;
}

} // namespace ns3
