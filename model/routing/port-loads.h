// SPDX-License-Identifier: GPL-2.0-only
#ifndef PORT_LOADS_H
#define PORT_LOADS_H

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What path selection by the state of the network may know of its switch.
 */
class PortLoads
{
  public:
    virtual ~PortLoads() = default;

    /// @return the present in ps
    virtual int64_t GetPresentPs() const = 0;

    /**
     * @param port number
     * @return bytes that wait for a port, wherever in the switch
     */
    virtual uint64_t GetWaitingBytes(uint16_t port) const = 0;

    /**
     * @param port number
     * @return time in ps that these bytes take on its wire, at its present rate
     */
    virtual int64_t GetWaitingPs(uint16_t port) const = 0;
};

} // namespace ns3

#endif /* PORT_LOADS_H */
