// SPDX-License-Identifier: GPL-2.0-only
#include "control-frame.h"

#include "fabric-error.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ns3
{

namespace
{

/// What follows the Ethernet header of a PFC frame, 46 bytes.
template <typename Wire, typename Item>
void
DescribePause(Wire& wire, Item& item)
{
    wire.Constant(0x0101, 2); // opcode of priority-based flow control
    wire.Constant(0, 1);
    wire.Field(item.pause.classEnable, 1);
    for (auto& quanta : item.pause.quanta)
    {
        wire.Field(quanta, 2);
    }
    wire.Constant(0, 26); // up to the smallest frame, 64 bytes
}

/// What follows the Ethernet header of a credit frame: 70 bytes by class, 86 by virtual queue.
template <typename Wire, typename Item>
void
DescribeCredit(Wire& wire, Item& item)
{
    bool perQueue = item.credit.perQueue;
    uint8_t version = perQueue ? 2 : 1;
    wire.Field(version, 1, "version of a credit frame", 2);
    wire.Field(item.credit.request, 1, "request of a credit frame", 1);
    wire.Field(item.credit.bufferUnits, 4);
    if constexpr (Wire::READS)
    {
        perQueue = version == 2;
        item.credit.perQueue = perQueue;
        item.credit.queues.fill(FabricPacketItem::NO_QUEUE);
    }
    for (std::size_t i = 0; i < item.credits.size(); ++i)
    {
        if (perQueue)
        {
            wire.Field(item.credit.queues[i], 2);
        }
        wire.Field(item.credits[i].sent, 4);
        wire.Field(item.credits[i].limit, 4);
    }
}

/// What follows the Ethernet header of a fair rate: IPv4 and 24 bytes of ICMP.
template <typename Wire, typename Item>
void
DescribeRate(Wire& wire, Item& item)
{
    uint32_t length = FrameBytes::IPV4_BYTES + 24;
    FrameBytes::Ipv4(wire, item, length, FrameBytes::ICMP);
    const std::size_t start = wire.GetPosition();
    wire.Constant(253, 1); // type: experimental
    wire.Constant(0, 1);   // code
    wire.Skip2();          // checksum
    wire.Field(item.rate.rateMbps, 4);
    FrameBytes::HostAddress(wire, item.rate.flowDst, "destination of the flow");
    wire.Field(item.rate.priority, 1, "class of a fair rate", 7);
    wire.Field(item.pdc, 3, "PDC number");
    wire.Field(item.entropy, 2);
    wire.Field(item.rate.port, 2);
    wire.Constant(0, 4);
    wire.Checksum(start, 2);
}

/// What follows the Ethernet header.
template <typename Wire, typename Item>
void
DescribeControl(Wire& wire, Item& item)
{
    switch (item.type)
    {
    case FabricPacketType::PAUSE:
        DescribePause(wire, item);
        break;
    case FabricPacketType::CREDIT:
        DescribeCredit(wire, item);
        break;
    case FabricPacketType::RATE:
        DescribeRate(wire, item);
        break;
    default:
        throw FabricError("packet item: type " + std::to_string(static_cast<int>(item.type)) +
                          " is no frame of link control and no fair rate");
    }
}

} // namespace

Ptr<Packet>
ControlFrame::Serialize(const FabricPacketItem& item)
{
    FrameWriter frame =
        FrameBytes::Begin(item,
                          item.type == FabricPacketType::PAUSE    ? PAUSE_ETHER_TYPE
                          : item.type == FabricPacketType::CREDIT ? CREDIT_ETHER_TYPE
                                                                  : FrameBytes::IPV4);
    DescribeControl(frame, item);
    return FrameBytes::Close(std::move(frame));
}

bool
ControlFrame::IsRate(const std::vector<uint8_t>& bytes)
{
    constexpr std::size_t TYPE = FrameBytes::ETHERNET_BYTES + FrameBytes::IPV4_BYTES;
    return bytes.size() >= TYPE + 1 + FrameBytes::CRC_BYTES &&
           FrameBytes::IsIpv4(bytes, FrameBytes::ICMP) && bytes[TYPE] == 253;
}

Ptr<FabricPacketItem>
ControlFrame::Parse(FabricPacketType type, FrameReader& reader)
{
    auto item = FabricPacketItem::Create(type);
    DescribeControl(reader, *item);
    return reader.IsDone() ? item : nullptr;
}

} // namespace ns3
