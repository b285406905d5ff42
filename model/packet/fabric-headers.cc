// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-headers.h"

#include "credit-header.h"
#include "fabric-address.h"
#include "fabric-error.h"
#include "foreign-frame.h"
#include "frame-bytes.h"
#include "priority-pause-header.h"
#include "rate-notice-header.h"
#include "roce-frame.h"

#include "ns3/ethernet-header.h"

#include <string>
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

/// @param item a fair-rate message @return its bytes @throws FabricError if a field does not fit
Ptr<Packet>
SerializeRateNotice(const FabricPacketItem& item)
{
    constexpr uint32_t MASK_24 = 0xffffff;
    if (item.pdc > MASK_24 || item.src > MASK_24 || item.dst > MASK_24 ||
        item.rate.flowDst > MASK_24 || item.rate.priority > 7)
    {
        throw FabricError("packet item: a fair-rate message takes addresses and a PDC number of 24 "
                          "bits and a class of 0 to 7, not " +
                          std::to_string(item.src) + ", " + std::to_string(item.dst) + ", " +
                          std::to_string(item.rate.flowDst) + ", " + std::to_string(item.pdc) +
                          " and " + std::to_string(item.rate.priority));
    }
    RateNoticeHeader notice;
    notice.source = FabricAddress::ToIpv4(item.src);
    notice.destination = FabricAddress::ToIpv4(item.dst);
    notice.rate = item.rate;
    notice.pdc = item.pdc;
    notice.entropy = item.entropy;
    notice.ds = item.ds;
    Ptr<Packet> packet = Create<Packet>();
    packet->AddHeader(notice);
    FrameBytes::AddEthernet(packet,
                            FabricAddress::ToMac(item.src),
                            FabricAddress::ToMac(item.dst),
                            FrameBytes::IPV4);
    return FrameBytes::Close(FrameBytes::Get(packet));
}

/// @param packet what follows the Ethernet header, without FCS @return the item or null
Ptr<FabricPacketItem>
ParseRateNotice(Ptr<Packet> packet)
{
    RateNoticeHeader notice;
    if (!FrameBytes::Take(packet, notice))
    {
        return nullptr;
    }
    auto item = FabricPacketItem::Create(FabricPacketType::RATE);
    item->rate = notice.rate;
    item->src = FabricAddress::FromIpv4(notice.source);
    item->dst = FabricAddress::FromIpv4(notice.destination);
    item->pdc = notice.pdc;
    item->entropy = notice.entropy;
    item->ds = notice.ds;
    item->UpdateFlowHash();
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
    case FabricPacketType::RATE:
        return SerializeRateNotice(item);
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
    else if (RateNoticeHeader::IsRateNotice(bytes))
    {
        item = ParseRateNotice(rest);
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
