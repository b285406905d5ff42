// SPDX-License-Identifier: GPL-2.0-only
#include "port-stack.h"

#include "fabric-actor.h"
#include "fabric-net-device.h"

#include "ns3/fabric-address.h"
#include "ns3/fabric-error.h"
#include "ns3/foreign-frame.h"
#include "ns3/frame-bytes.h"

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
 * @param packet the packet
 * @param dest address for the link
 * @param protocol EtherType
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

PortStack::PortStack(FabricNetDevice& port)
    : m_port(port)
{
}

void
PortStack::SetReceiveCallback(const NetDevice::ReceiveCallback& callback)
{
    m_callback = callback;
}

void
PortStack::SetPromiscReceiveCallback(const NetDevice::PromiscReceiveCallback& callback)
{
    m_promiscCallback = callback;
}

bool
PortStack::Send(const Ptr<Packet>& packet, const Address& dest, uint16_t protocol)
{
    if (protocol < FrameBytes::LOWEST_ETHER_TYPE)
    {
        throw FabricError(FabricTerm::Class("ns3::FabricNetDevice") + ": protocol " +
                          std::to_string(protocol) + " is no EtherType, at least 1536");
    }
    FabricActor& actor = *m_port.GetActor();
    // a copy: marks and tags that the packet takes on its way must not reach the sender's own
    Ptr<FabricPacketItem> item(new FabricPacketItem(packet->Copy()), false);
    item->type = FabricPacketType::FOREIGN;
    item->foreignProtocol = protocol;
    item->src = actor.GetAddress();
    item->dst = FindDestination(*packet, dest, protocol);
    ForeignFrame::ReadFields(*item);
    item->UpdateFlowHash();
    return actor.SendForeign(m_port, std::move(item));
}

bool
PortStack::Deliver(const FabricPacketItem& item) const
{
    const Ptr<const Packet> packet = ForeignFrame::GetMarkedPacket(item);
    const Address from = FabricAddress::ToMac(item.src);
    bool taken = false;
    if (!m_promiscCallback.IsNull())
    {
        taken = m_promiscCallback(&m_port,
                                  packet,
                                  item.foreignProtocol,
                                  from,
                                  m_port.GetAddress(),
                                  NetDevice::PACKET_HOST);
    }
    if (!m_callback.IsNull())
    {
        taken = m_callback(&m_port, packet, item.foreignProtocol, from) || taken;
    }
    return taken;
}

} // namespace ns3
