// SPDX-License-Identifier: GPL-2.0-only
#ifndef PORT_STACK_H
#define PORT_STACK_H

#include "ns3/fabric-packet-item.h"
#include "ns3/net-device.h"

#include <cstdint>

namespace ns3
{

class FabricNetDevice;

/**
 * @ingroup dcfabric
 * @brief What connects a port with ns-3's own stack: packets of other protocols in and out.
 */
class PortStack
{
  public:
    /**
     * @param port owns this object
     */
    explicit PortStack(FabricNetDevice& port);

    /**
     * @brief Set who takes packets of other protocols.
     * @param callback null for nobody
     */
    void SetReceiveCallback(const NetDevice::ReceiveCallback& callback);
    /**
     * @brief Set who takes a look at all packets of other protocols.
     * @param callback null for nobody
     */
    void SetPromiscReceiveCallback(const NetDevice::PromiscReceiveCallback& callback);

    /**
     * @brief Send a packet (NetDevice::Send()).
     * @param packet the packet, of which a copy travels
     * @param dest address for the link
     * @param protocol EtherType
     * @return false if it was dropped
     * @throws FabricError if the port is that of a switch or the protocol no EtherType
     */
    bool Send(const Ptr<Packet>& packet, const Address& dest, uint16_t protocol);

    /**
     * @brief Give a packet of another protocol to the node's stack.
     * @param item a foreign packet that has arrived
     * @return false if nobody takes packets of its protocol
     */
    bool Deliver(const FabricPacketItem& item) const;

  private:
    FabricNetDevice& m_port;                             //!< the port
    NetDevice::ReceiveCallback m_callback;               //!< null for nobody
    NetDevice::PromiscReceiveCallback m_promiscCallback; //!< null for nobody
};

} // namespace ns3

#endif /* PORT_STACK_H */
