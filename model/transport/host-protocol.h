// SPDX-License-Identifier: GPL-2.0-only
#ifndef HOST_PROTOCOL_H
#define HOST_PROTOCOL_H

#include "ns3/fabric-packet-item.h"
#include "ns3/object.h"

#include <cstdint>

namespace ns3
{

class FabricNetDevice;

/**
 * @ingroup dcfabric
 * @brief A protocol of a host that needs no PDCs: it has packets of a type of its own, and takes
 * turns with the PDCs (and the host's stack) at each port of the NIC, packet by packet.
 *
 * When it comes to have a packet for a port it calls FabricNetDevice::Kick() of that port.
 */
class HostProtocol : public Object
{
  public:
    static constexpr uint32_t TIMER = UINT32_MAX - 5; //!< timer of the NIC: see OnTimer()

    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @param type of a packet to this host
     * @return true if the protocol takes it
     */
    virtual bool Takes(FabricPacketType type) const = 0;

    /**
     * @param port a port of the NIC
     * @return true if Take() would give a packet now
     */
    virtual bool HasPacket(const FabricNetDevice& port) const = 0;

    /**
     * @param port a port of the NIC, whose wire is free
     * @return the next packet, complete but for its time of sending; null if there is none whose
     * class may be sent
     */
    virtual Ptr<FabricPacketItem> Take(FabricNetDevice& port) = 0;

    /**
     * @brief A packet of the protocol has arrived.
     * @param port it came in by
     * @param item the packet
     */
    virtual void OnPacket(FabricNetDevice& port, const FabricPacketItem& item) = 0;

    /**
     * @brief The time of TIMER has come, for which FabricActor::Arm() was called.
     * @param nowPs time in ps
     */
    virtual void OnTimer(int64_t nowPs) = 0;
};

} // namespace ns3

#endif /* HOST_PROTOCOL_H */
