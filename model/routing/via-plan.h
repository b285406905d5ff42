// SPDX-License-Identifier: GPL-2.0-only
#ifndef VIA_PLAN_H
#define VIA_PLAN_H

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What a topology says of ways by way of another switch (Valiant and Brebner, STOC 1981): a
 * packet goes to a switch that is drawn, the via, and from there to its destination.
 *
 * One object serves all switches of a network.
 */
class ViaPlan
{
  public:
    static constexpr uint32_t NONE = UINT32_MAX; //!< no via: straight to the destination

    /// Counts links between switches on minimal ways from a switch to an address.
    using HopCounter = std::function<uint32_t(uint32_t node, uint32_t address)>;

    virtual ~ViaPlan() = default;

    /**
     * @param node address of the switch at which packets enter the network
     * @param dst fabric address of the receiver
     * @return all vias; a packet may also go straight
     */
    virtual std::vector<uint32_t> List(uint32_t node, uint32_t dst) const = 0;

    /**
     * @brief Draw a via.
     * @param node address of the switch at which the packet enters the network
     * @param dst fabric address of the receiver
     * @param draw uniform in [0, 1)
     * @return one of List(), all of them equally likely, or NONE: straight
     */
    virtual uint32_t Draw(uint32_t node, uint32_t dst, double draw) const = 0;

    /**
     * @param node address of a switch, which is on the way to the via
     * @param via address of the via
     * @return true if the packet need go no further towards the via: here the rest of its way
     * begins
     */
    virtual bool EndsAt(uint32_t node, uint32_t via) const = 0;

    /**
     * @param node address of a switch
     * @param address of a receiver or a via
     * @return links between switches on the way; 0 if the switch is the last one
     */
    virtual uint32_t GetHops(uint32_t node, uint32_t address) const = 0;

    /**
     * @param node address of a switch
     * @param from address of a neighbor
     * @return true if a packet of a host near by, for which that neighbor has decided to go
     * straight, may get a via here; the default is that it may not
     */
    virtual bool MayChooseAgain(uint32_t node, uint32_t from) const;

    /**
     * @param node address of a switch at which packets may choose again
     * @param from address of the neighbor from which a packet comes
     * @param src fabric address of its sender
     * @return true if that is a host near by: the neighbor is the switch at which the packet has
     * entered the network; not asked unless MayChooseAgain()
     */
    virtual bool IsNear(uint32_t node, uint32_t from, uint32_t src) const;
};

} // namespace ns3

#endif /* VIA_PLAN_H */
