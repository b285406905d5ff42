// SPDX-License-Identifier: GPL-2.0-only
#ifndef WIRE_CROSSING_H
#define WIRE_CROSSING_H

#include <cstdint>

namespace ns3
{

class FabricNetDevice;
class FabricPacketItem;

/**
 * @ingroup dcfabric
 * @brief Takes packets of links whose other end is simulated by another process.
 *
 * It has to see that PortLink::AppendLate() of the same port there is called at the time of
 * arrival less that of transmission, so that the delay of the link is what the processes may be
 * apart.
 */
class WireCrossing
{
  public:
    virtual ~WireCrossing() = default;

    /**
     * @brief A packet has begun on the wire.
     * @param to the other end, as it is known here
     * @param item the packet, whose reference is given along
     * @param beganPs when its first bit was sent, in ps
     * @param arrivalPs when its last bit arrives, in ps
     */
    virtual void Carry(const FabricNetDevice& to,
                       FabricPacketItem* item,
                       int64_t beganPs,
                       int64_t arrivalPs) = 0;
};

} // namespace ns3

#endif /* WIRE_CROSSING_H */
