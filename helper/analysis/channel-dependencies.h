// SPDX-License-Identifier: GPL-2.0-only
#ifndef CHANNEL_DEPENDENCIES_H
#define CHANNEL_DEPENDENCIES_H

#include "route-walk.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Proves that a lossless network cannot deadlock, or shows how it can.
 *
 * Under a lossless flow control a packet keeps the room that it takes at the input of a switch
 * until there is room at the input of the next one. The room behind one direction of a link, for
 * one class, is a *channel*; channel A depends on channel B if a packet in A may go to B next. If
 * no dependencies form a cycle, packets always move on from the last channels backwards, and
 * nothing waits for ever: Dally and Seitz, "Deadlock-Free Message Routing in Multiprocessor
 * Interconnection Networks", IEEE Transactions on Computers C-36(5), 1987, theorem 1.
 *
 * The dependencies are those of the forwarding tables as they are now, explored from the switches
 * of all hosts to each class of destinations, with all ports of each group; on spanning trees, tree
 * by tree; by way of vias, if there are any (ViaPlan). Hosts take what comes to them, so channels
 * to hosts depend on nothing. Where a packet waits for room in the queue of its next output
 * (VoqCreditFlowControl), a channel is such a queue: the room behind a link for packets to one
 * output.
 *
 * A cycle is not yet a deadlock: it needs enough traffic at one time. Packets that leave their
 * tables, because a port is down, are not looked at.
 */
class ChannelDependencies
{
  public:
    using Channel = RouteWalk::Channel; //!< between switches

    /**
     * @brief Explore the routes.
     * @param fabric installed
     */
    explicit ChannelDependencies(const Fabric& fabric);

    /**
     * @brief Explore routes after a repair of tables.
     * @param fabric installed
     * @param routing that its tables are of now
     */
    ChannelDependencies(const Fabric& fabric, const RoutingBuilder& routing);

    /// @return channels of which each depends on the next, and the last on the first, a short
    /// cycle; empty if there is no cycle, or packets may be dropped for want of room
    const std::vector<Channel>& GetCycle() const
    {
        return m_cycle;
    }

    /**
     * @param graph the plan
     * @param cycle channels, the first one not repeated
     * @return it in words, such as `s0:1 (class 3) -> s1:1 (class 3) -> s0:1 (class 3)`: names of
     * switches, ports through which they send, classes
     */
    static std::string Describe(const FabricGraph& graph, const std::vector<Channel>& cycle);

    /**
     * @brief Refuse a network whose routes can deadlock.
     * @param fabric installed
     * @throws FabricError with the cycle, the routing, the flow control and the remedy
     */
    static void Check(const Fabric& fabric);

  private:
    std::vector<Channel> m_cycle; //!< see GetCycle()
};

} // namespace ns3

#endif /* CHANNEL_DEPENDENCIES_H */
