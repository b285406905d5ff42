// SPDX-License-Identifier: GPL-2.0-only
#ifndef ROUTE_WALK_H
#define ROUTE_WALK_H

#include "shortest-cycle.h"

#include "ns3/fabric.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Walks all ways that the forwarding tables of a network have, and notes what packets can
 * hold and wait for: the work of ChannelDependencies.
 *
 * An *input* is a port of a switch, by running number over all switches; it stands for the link
 * that ends there. Channels are numbered by the input at their end: LinkWalk and ChannelWalk.
 */
class RouteWalk
{
  public:
    /**
     * @param fabric installed, outlives the walk
     * @param routing that its tables are of, outlives the walk
     * @return the walk that suits it, done
     */
    static std::unique_ptr<RouteWalk> Make(const Fabric& fabric, const RoutingBuilder& routing);

    virtual ~RouteWalk();

    /// One direction of a link, in one class.
    struct Channel
    {
        uint32_t node;    //!< switch that sends
        uint16_t port;    //!< through which
        uint8_t priority; //!< class, 0 to 7
    };

    /// @return for each channel those to which its packets may go next
    virtual SuccessorLists ListChannels() const = 0;

    /**
     * @brief The same where each output has a queue of its own at each input. Takes longer: only
     * worth while if ListChannels() has a cycle.
     * @return for each queue those at the next switches; a queue's number is that of its channel
     * times GetMaxDegree(), plus the number of its output
     */
    virtual SuccessorLists ListQueues() = 0;

    /**
     * @param number of a channel
     * @return the channel
     */
    virtual Channel GetChannel(uint32_t number) const = 0;

    /// @return most ports of a switch
    uint32_t GetMaxDegree() const
    {
        return m_maxDegree;
    }

  protected:
    /**
     * @param fabric installed, outlives the walk
     * @param routing likewise
     */
    RouteWalk(const Fabric& fabric, const RoutingBuilder& routing);

    /// @return true if trees lead to higher tiers only: then all ways go up and then down, and none
    /// has to be walked
    bool DoTreesFollowTiers() const;
    /**
     * @param destinationClass the class
     * @return switches at which packets to a class of destinations may enter
     */
    std::vector<uint32_t> ListSources(uint32_t destinationClass) const;
    /**
     * @param node a switch
     * @param address destination
     * @param tree on which the packet is, if there are trees
     * @return the ports that the packet may take, as by PortGroup::ports
     */
    PortGroup FindPorts(uint32_t node, uint32_t address, uint32_t tree) const;
    /// Call DoWalk() for all destinations, tree by tree, vias (ViaPlan) first, then for what
    /// switches tell one another.
    void WalkAll();

    /// @return true while the walk is that of what switches tell the switch it leads to
    bool IsOfReports() const
    {
        return m_reporters != nullptr;
    }

    /**
     * @brief Walk to a destination.
     * @param destinationClass the class
     * @param address a host of the class, or its switch, if that is a via
     * @param tree on which packets are, if there are trees
     */
    virtual void DoWalk(uint32_t destinationClass, uint32_t address, uint32_t tree) = 0;

    /**
     * @param node a switch
     * @param port its port, to another switch
     * @return the input at the far end
     */
    uint32_t GetFarInput(uint32_t node, uint32_t port) const
    {
        return m_farInput[m_firstPort[node] + port];
    }

    /**
     * @param input its number
     * @return who sends to it, in class 0
     */
    Channel GetSender(uint32_t input) const;

    /**
     * @param node a switch
     * @param port its port
     * @return true if a switch is at the other end
     */
    bool IsToSwitch(uint32_t node, uint32_t port) const
    {
        return !m_graph.IsHost(m_graph.GetPorts(node)[port].peer);
    }

    const Fabric& m_fabric;             //!< the network
    const RoutingBuilder& m_routing;    //!< that its tables are of
    const FabricGraph& m_graph;         //!< its plan
    uint8_t m_lossless;                 //!< bit mask of classes
    std::vector<uint32_t> m_firstInput; //!< number of the first input, by node; and the end
    uint32_t m_maxDegree{0};            //!< most ports of a switch
    bool m_switchesSend{false};         //!< switches make packets of their own

  private:
    /// Find where packets enter, whatever their destination.
    void ListSourcesOfAll();
    /// Find which switches have what to tell to which.
    void ListReporters();

    /// Switches: bit n is that of node n.
    using NodeSet = std::vector<uint64_t>;

    /**
     * @brief Follow packets of hosts to a host.
     * @param sources switches of all hosts
     * @param address the host
     * @return by node: switches before it that have a choice of ports
     */
    std::vector<NodeSet> FindChoicesBefore(const std::vector<uint32_t>& sources,
                                           uint32_t address) const;

    std::vector<uint32_t> m_farInput;  //!< by running number of ports, hosts' included
    std::vector<uint32_t> m_firstPort; //!< running number of the first port, by node
    std::vector<uint32_t> m_hostOf;    //!< a host of each class of destinations, or NONE
    std::vector<uint32_t> m_viaOf;     //!< the switch of each class, if it can be a via, or NONE
    std::vector<const ForwardingTable*> m_tables; //!< by node; null for hosts
    const SpanningTrees* m_trees;                 //!< null: none
    std::vector<uint32_t> m_sources; //!< switches at which packets to any destination enter
    std::vector<uint32_t> m_choosy;  //!< classes of hosts whose first switch depends on it
    std::vector<std::vector<uint32_t>> m_reportersTo;  //!< by node; empty: none anywhere
    const std::vector<uint32_t>* m_reporters{nullptr}; //!< of the present walk, or null
};

} // namespace ns3

#endif /* ROUTE_WALK_H */
