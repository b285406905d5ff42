// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-headers.h"

#include "fabric-address.h"
#include "foreign-frame.h"
#include "frame-bytes.h"
#include "packet-kind.h"
#include "roce-frame.h"

#include <utility>
#include <vector>

namespace ns3
{

namespace
{

/// @return the frame of a packet, without FCS
FrameWriter
WriteFrame(const FabricPacketItem& item)
{
    const PacketKind& kind = PacketKinds::Get(item.type);
    switch (kind.frame)
    {
    case PacketKind::Frame::CONTROL: {
        FrameWriter frame = FrameBytes::Begin(item, kind.etherType);
        kind.write(frame, frame, item);
        return frame;
    }
    case PacketKind::Frame::FOREIGN:
        return ForeignFrame::Write(item);
    default:
        return RoceFrame::Write(item);
    }
}

} // namespace

Ptr<Packet>
FabricHeaders::Serialize(const FabricPacketItem& item)
{
    return FrameBytes::Close(WriteFrame(item));
}

Ptr<Packet>
FabricHeaders::SerializeWithoutFcs(const FabricPacketItem& item)
{
    return FrameBytes::CloseWithoutFcs(WriteFrame(item));
}

Ptr<FabricPacketItem>
FabricHeaders::Parse(Ptr<const Packet> frame)
{
    const std::vector<uint8_t> bytes = FrameBytes::Get(frame);
    if (!FrameBytes::HasFcs(bytes))
    {
        return nullptr;
    }

    Mac48Address destination;
    Mac48Address source;
    uint16_t etherType = 0;
    FrameReader reader(bytes.data(), bytes.size() - FrameBytes::CRC_BYTES);
    FrameBytes::Ethernet(reader, destination, source, etherType);

    Ptr<FabricPacketItem> item;
    if (const PacketKind* kind = PacketKinds::FindControl(etherType, bytes))
    {
        item = FabricPacketItem::Create(kind->type);
        kind->read(reader, reader, *item);
        item = reader.IsDone() ? item : nullptr;
    }
    else if (RoceFrame::IsRoce(bytes))
    {
        item = RoceFrame::Parse(frame, bytes);
    }
    else
    {
        item = ForeignFrame::Parse(
            FrameBytes::Cut(frame, FrameBytes::ETHERNET_BYTES, FrameBytes::CRC_BYTES),
            etherType);
    }
    if (!item)
    {
        return nullptr;
    }
    item->size = frame->GetSize();
    if (item->IsLinkFrame() || item->type == FabricPacketType::FOREIGN)
    {
        item->src = FabricAddress::FromMac(source);
        item->dst = item->IsLinkFrame() ? 0 : FabricAddress::FromMac(destination);
    }
    item->UpdateFlowHash();
    // lengths, reserved bits, padding and ICRC are right if and only if the same bytes come back
    return FrameBytes::Get(Serialize(*item)) == bytes ? item : nullptr;
}

} // namespace ns3
