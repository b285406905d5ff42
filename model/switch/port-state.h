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
     * @return its present time, bytes sent, bytes queued here and for it elsewhere in the switch,
     * and rate
     */
    static IntSample Read(const FabricNetDevice& port, uint8_t priority)
    {
        return Read(port, priority, port.GetNowPs());
    }

    /**
     * @param port a port
     * @param priority class whose queue is meant, 0 to 7
     * @param atPs a time in ps since which the port has begun no packet and queued none
     * @return the same at that time
     */
    static IntSample Read(const FabricNetDevice& port, uint8_t priority, int64_t atPs)
    {
        IntSample sample;
        sample.timePs = atPs;
        sample.txBytes = port.GetSentBytes(atPs);
        sample.queueBytes = GetQueueBytes(port, priority);
        sample.rateBps = port.GetRateBps();
        return sample;
    }

    /**
     * @param port a port
     * @param priority class whose queue is meant, 0 to 7
     * @return bytes queued here and for it elsewhere in the switch
     */
    static uint64_t GetQueueBytes(const FabricNetDevice& port, uint8_t priority)
    {
        return port.GetQueue().GetClassBytes(priority) + port.GetQueue().GetWaitingBytes(priority);
    }
};

} // namespace ns3

#endif /* PORT_STATE_H */
