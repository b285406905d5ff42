// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief A port as ns-3's own stack sees it: what every NetDevice has, and packets of other
 * protocols in and out.
 */
#include "fabric-channel.h"
#include "fabric-net-device.h"

#include "ns3/fabric-address.h"
#include "ns3/fabric-error.h"
#include "ns3/foreign-frame.h"
#include "ns3/frame-bytes.h"
#include "ns3/node.h"

#include <string>

namespace ns3
{

namespace
{

/**
 * @brief Find the host that a packet is for.
 *
 * There is no ARP: without a fabric address of its own for the link (IPv4 gives the broadcast
 * address), the IPv4 destination says it.
 * @return fabric address, FabricAddress::NONE if there is none
 */
uint32_t
FindDestination(const Packet& packet, const Address& dest, uint16_t protocol)
{
    const Mac48Address mac =
        Mac48Address::IsMatchingType(dest) ? Mac48Address::ConvertFrom(dest) : Mac48Address();
    if (FabricAddress::IsFabric(mac))
    {
        return FabricAddress::FromMac(mac);
    }
    Ipv4Address address;
    if (mac.IsBroadcast() && ForeignFrame::GetIpv4Destination(packet, protocol, address) &&
        FabricAddress::IsFabric(address))
    {
        return FabricAddress::FromIpv4(address);
    }
    return FabricAddress::NONE;
}

} // namespace

void
FabricNetDevice::SetIfIndex(const uint32_t index)
{
    m_ifIndex = index;
}

uint32_t
FabricNetDevice::GetIfIndex() const
{
    return m_ifIndex;
}

Ptr<Channel>
FabricNetDevice::GetChannel() const
{
    return m_channel;
}

void
FabricNetDevice::SetAddress(Address address)
{
    m_address = Mac48Address::ConvertFrom(address);
}

Address
FabricNetDevice::GetAddress() const
{
    return m_address;
}

bool
FabricNetDevice::SetMtu(const uint16_t mtu)
{
    m_mtu = mtu;
    return true;
}

uint16_t
FabricNetDevice::GetMtu() const
{
    return m_mtu;
}

bool
FabricNetDevice::IsLinkUp() const
{
    return m_linkUp;
}

void
FabricNetDevice::AddLinkChangeCallback(Callback<void> callback)
{
    m_linkChange.ConnectWithoutContext(callback);
}

bool
FabricNetDevice::IsBroadcast() const
{
    return false;
}

Address
FabricNetDevice::GetBroadcast() const
{
    return Mac48Address::GetBroadcast();
}

bool
FabricNetDevice::IsMulticast() const
{
    return false;
}

Address
FabricNetDevice::GetMulticast(Ipv4Address multicastGroup) const
{
    return Mac48Address::GetMulticast(multicastGroup);
}

Address
FabricNetDevice::GetMulticast(Ipv6Address addr) const
{
    return Mac48Address::GetMulticast(addr);
}

bool
FabricNetDevice::IsBridge() const
{
    return false;
}

bool
FabricNetDevice::IsPointToPoint() const
{
    return true;
}

bool
FabricNetDevice::Send(Ptr<Packet> packet, const Address& dest, uint16_t protocolNumber)
{
    return SendFrom(packet, m_address, dest, protocolNumber);
}

bool
FabricNetDevice::SendFrom(Ptr<Packet> packet,
                          const Address& source,
                          const Address& dest,
                          uint16_t protocolNumber)
{
    if (source != GetAddress())
    {
        throw FabricError("ns3::FabricNetDevice: a packet cannot be sent in the name of another "
                          "device, because forwarding is by fabric address");
    }
    if (protocolNumber < FrameBytes::LOWEST_ETHER_TYPE)
    {
        throw FabricError("ns3::FabricNetDevice: protocol " + std::to_string(protocolNumber) +
                          " is no EtherType, at least 1536");
    }
    // a copy: marks and tags that the packet takes on its way must not reach the sender's own
    Ptr<FabricPacketItem> item(new FabricPacketItem(packet->Copy()), false);
    item->type = FabricPacketType::FOREIGN;
    item->foreignProtocol = protocolNumber;
    item->src = m_actor->GetAddress();
    item->dst = FindDestination(*packet, dest, protocolNumber);
    ForeignFrame::ReadFields(*item);
    item->UpdateFlowHash();
    return m_actor->SendForeign(*this, std::move(item));
}

bool
FabricNetDevice::DeliverForeign(const FabricPacketItem& item)
{
    const Ptr<const Packet> packet = ForeignFrame::GetMarkedPacket(item);
    const Address from = FabricAddress::ToMac(item.src);
    bool taken = false;
    if (!m_promiscCallback.IsNull())
    {
        taken = m_promiscCallback(this,
                                  packet,
                                  item.foreignProtocol,
                                  from,
                                  GetAddress(),
                                  NetDevice::PACKET_HOST);
    }
    if (!m_rxCallback.IsNull())
    {
        taken = m_rxCallback(this, packet, item.foreignProtocol, from) || taken;
    }
    return taken;
}

Ptr<Node>
FabricNetDevice::GetNode() const
{
    return m_node;
}

void
FabricNetDevice::SetNode(Ptr<Node> node)
{
    m_node = node;
}

bool
FabricNetDevice::NeedsArp() const
{
    return false;
}

void
FabricNetDevice::SetReceiveCallback(NetDevice::ReceiveCallback cb)
{
    m_rxCallback = cb;
}

void
FabricNetDevice::SetPromiscReceiveCallback(NetDevice::PromiscReceiveCallback cb)
{
    m_promiscCallback = cb;
}

bool
FabricNetDevice::SupportsSendFrom() const
{
    return false;
}

} // namespace ns3
