// SPDX-License-Identifier: GPL-2.0-only
#ifndef PORT_STATE_H
#define PORT_STATE_H

#include "ns3/class-pause-interface.h"
#include "ns3/fabric-net-device.h"
#include "ns3/int-format.h"

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief The port-state query of the switch features.
 */
class PortState
{
  public:
    /**
     * @param port a port
     * @param priority class whose queue is meant, 0 to 7
     * @return its present time, bytes sent, queued bytes and rate
     */
    static IntSample Read(const FabricNetDevice& port, uint8_t priority)
    {
        IntSample sample;
        sample.timePs = port.GetNowPs();
        sample.txBytes = port.GetSentBytes();
        sample.queueBytes = port.GetClassBytes(priority);
        sample.rateBps = port.GetRateBps();
        return sample;
    }
};

} // namespace ns3

#endif /* PORT_STATE_H */
