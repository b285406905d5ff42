// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-headers.h"

#include "credit-header.h"
#include "fabric-address.h"
#include "foreign-frame.h"
#include "frame-bytes.h"
#include "priority-pause-header.h"
#include "roce-frame.h"

#include "ns3/ethernet-header.h"

#include <vector>

namespace ns3
{

namespace
{

/**
 * @brief Put a link-level frame together.
 * @tparam T type of the header
 * @param header all that follows the Ethernet header
 * @param src fabric address of the sender
 * @return the frame
 */
template <typename T>
Ptr<Packet>
SerializeLinkFrame(const T& header, uint32_t src)
{
    Ptr<Packet> packet = Create<Packet>();
    packet->AddHeader(header);
    FrameBytes::AddEthernet(packet,
                            FabricAddress::ToMac(src),
                            Mac48Address("01:80:c2:00:00:01"),
                            T::ETHER_TYPE);
    return FrameBytes::Close(FrameBytes::Get(packet));
}

/// @param item a PFC frame @return its bytes
Ptr<Packet>
SerializePause(const FabricPacketItem& item)
{
    PriorityPauseHeader pause;
    pause.fields = item.pause;
    return SerializeLinkFrame(pause, item.src);
}

/// @param packet what follows the Ethernet header, without FCS @return the item or null
Ptr<FabricPacketItem>
ParsePause(Ptr<Packet> packet)
{
    PriorityPauseHeader pause;
    if (!FrameBytes::Take(packet, pause))
    {
        return nullptr;
    }
    auto item = FabricPacketItem::Create(FabricPacketType::PAUSE);
    item->pause = pause.fields;
    return item;
}

/// @param item a credit frame @return its bytes
Ptr<Packet>
SerializeCredit(const FabricPacketItem& item)
{
    CreditHeader credit;
    credit.fields = item.credit;
    credit.totals = item.credits;
    return SerializeLinkFrame(credit, item.src);
}

/// @param packet what follows the Ethernet header, without FCS @return the item or null
Ptr<FabricPacketItem>
ParseCredit(Ptr<Packet> packet)
{
    CreditHeader credit;
    if (!FrameBytes::Take(packet, credit))
    {
        return nullptr;
    }
    auto item = FabricPacketItem::Create(FabricPacketType::CREDIT);
    item->credit = credit.fields;
    item->credits = credit.totals;
    return item;
}

} // namespace

Ptr<Packet>
FabricHeaders::Serialize(const FabricPacketItem& item)
{
    switch (item.type)
    {
    case FabricPacketType::PAUSE:
        return SerializePause(item);
    case FabricPacketType::CREDIT:
        return SerializeCredit(item);
    case FabricPacketType::FOREIGN:
        return ForeignFrame::Serialize(item);
    default:
        return RoceFrame::Serialize(item);
    }
}

Ptr<FabricPacketItem>
FabricHeaders::Parse(Ptr<const Packet> frame)
{
    const std::vector<uint8_t> bytes = FrameBytes::Get(frame);
    if (!FrameBytes::HasFcs(bytes))
    {
        return nullptr;
    }

    Ptr<Packet> rest = frame->Copy();
    rest->RemoveAtEnd(FrameBytes::CRC_BYTES);
    EthernetHeader ethernet(false);
    FrameBytes::Take(rest, ethernet);
    const uint16_t etherType = ethernet.GetLengthType();

    Ptr<FabricPacketItem> item;
    if (etherType == PriorityPauseHeader::ETHER_TYPE)
    {
        item = ParsePause(rest);
    }
    else if (etherType == CreditHeader::ETHER_TYPE)
    {
        item = ParseCredit(rest);
    }
    else if (RoceFrame::IsRoce(bytes))
    {
        rest->RemoveAtEnd(FrameBytes::CRC_BYTES);
        item = RoceFrame::Parse(rest);
    }
    else
    {
        item = ForeignFrame::Parse(rest, etherType);
    }
    if (!item)
    {
        return nullptr;
    }
    item->size = frame->GetSize();
    if (item->IsLinkFrame() || item->type == FabricPacketType::FOREIGN)
    {
        item->src = FabricAddress::FromMac(ethernet.GetSource());
        item->dst = item->type == FabricPacketType::FOREIGN
                        ? FabricAddress::FromMac(ethernet.GetDestination())
                        : 0;
        item->UpdateFlowHash();
    }
    // lengths, reserved bits, padding and ICRC are right if and only if the same bytes come back
    return FrameBytes::Get(Serialize(*item)) == bytes ? item : nullptr;
}

} // namespace ns3
