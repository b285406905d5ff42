// SPDX-License-Identifier: GPL-2.0-only
#ifndef ROUTING_BUILDER_H
#define ROUTING_BUILDER_H

#include "spanning-trees.h"

#include "ns3/fabric-graph.h"
#include "ns3/forwarding-table.h"
#include "ns3/routing-algorithm.h"

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Builds the forwarding tables of all switches, and of hosts with several links: shortest
 * paths by number of hops, all of them, or of the ways that a RoutingAlgorithm permits the
 * shortest.
 *
 * Hosts behind the same last-hop switches form a class of destinations; one breadth-first search
 * from those switches serves the whole class. Parallel links count as separate ports. Links that
 * are down can be left out.
 *
 * With an algorithm that sends packets by way of switches (RoutingAlgorithm::MakeVias()), or where
 * switches tell one another something (SwitchFeature::Effects::reachesSwitches), switches are
 * destinations, too: one behind which there are hosts is in their class.
 *
 * With UseWeights() ports stand in the groups of switches as often as the capacity of the ways
 * behind them is of what there is, without links that are left out. So a hash over a group gives
 * each its share.
 *
 * With UseTrees() tables of switches lead along spanning trees instead. Distances remain those of
 * shortest paths.
 */
class RoutingBuilder
{
  public:
    /// Distance of a switch that has no way to a class.
    static constexpr uint16_t UNREACHABLE = UINT16_MAX;

    /**
     * @brief Group the hosts and search.
     * @param graph validated, outlives the builder
     * @param algorithm attached to the graph, outlives the builder; null: all ways are permitted
     * @param down by link: to be left out; empty: none
     * @param toSwitches switches are destinations, whatever the algorithm
     * @throws FabricError if the algorithm leaves hosts without a way to others while no link is
     * left out, or a host has links to switches that are not alike to it
     */
    explicit RoutingBuilder(const FabricGraph& graph,
                            const RoutingAlgorithm* algorithm = nullptr,
                            std::vector<bool> down = {},
                            bool toSwitches = false);

    /**
     * @param down by link: to be left out
     * @return the same without some links: another builder, with classes of its own
     */
    std::unique_ptr<RoutingBuilder> BuildWithout(std::vector<bool> down) const;

    /// @return which destinations are alike
    std::shared_ptr<const DestinationClasses> GetClasses() const
    {
        return m_classes;
    }

    /// @return number of the classes in which there are hosts; those of switches alone follow
    uint32_t GetNHostClasses() const
    {
        return m_nHostClasses;
    }

    /**
     * @brief Have tables lead along spanning trees.
     * @param nTrees how many; 0: one for each switch of the highest tier
     */
    void UseTrees(uint32_t nTrees);

    /// Have ports stand in the groups of switches by the capacity of the ways behind them.
    void UseWeights();

    /**
     * @brief Numbers that are to one another as weights are.
     * @param weights at least one, above 0
     * @return how often each is to stand in a group: in lowest terms if that makes MAX_ENTRIES in
     * all at most, else rounded to a share of that, at least 1
     */
    static std::vector<uint32_t> ComputeEntries(const std::vector<uint64_t>& weights);

    /// Most entries of a group with weights, but for one more of each port.
    static constexpr uint32_t MAX_ENTRIES = 128;

    /// @return the spanning trees; null if tables hold all shortest paths
    const SpanningTrees* GetTrees() const
    {
        return m_trees.get();
    }

    /**
     * @param tree below GetTrees()->GetN()
     * @param node number of the switch, not a last-hop switch of the class
     * @param destinationClass the class
     * @return the port of a switch that leads to a class along a tree; SpanningTrees::NO_PORT if
     * there is no way
     */
    uint16_t GetTreePort(uint32_t tree, uint32_t node, uint32_t destinationClass) const;

    /**
     * @param node its number
     * @return the table of a switch, or of a host with several links
     */
    ForwardingTable BuildTable(uint32_t node) const;

    /**
     * @brief Of the last-hop switches of a host, those that are nearest to a destination: on ways
     * with the fewest hops, and if some of these begin inside the server (NVSwitch), on these.
     * @param source class of the host
     * @param destination class of the destination
     * @return their places in GetLastHops(source), ascending; none if there is no way
     */
    std::vector<uint32_t> ListNearest(uint32_t source, uint32_t destination) const;

    /**
     * @brief Refuse what is not a pair of hosts.
     * @param src,dst addresses
     * @throws FabricError if so
     */
    void CheckPair(uint32_t src, uint32_t dst) const;

    /**
     * @param src host
     * @param dst another host
     * @return the ports of the host on shortest paths, ascending: links to the destination itself
     * if there are any; none if there is no way
     */
    std::vector<uint16_t> ListPorts(uint32_t src, uint32_t dst) const;

    /**
     * @param destinationClass the class
     * @return the last-hop switches of a class, ascending
     */
    const std::vector<uint32_t>& GetLastHops(uint32_t destinationClass) const
    {
        return m_lastHops[destinationClass];
    }

    /**
     * @param node number of a switch
     * @param destinationClass the class
     * @return hops from a switch to the nearest last-hop switch of a class; UINT16_MAX: no way
     */
    uint16_t GetDistance(uint32_t node, uint32_t destinationClass) const
    {
        return m_distance[static_cast<std::size_t>(destinationClass) * m_nSwitches +
                          m_switchIndex[node]];
    }

    /**
     * @param node number of a switch
     * @param port its port
     * @param destinationClass the class
     * @return true if the port leads to another switch that is on a way to the class: it is in the
     * table of the switch, unless tables lead along trees
     */
    bool LeadsTo(uint32_t node, uint32_t port, uint32_t destinationClass) const
    {
        const uint16_t* const distances =
            m_distance.data() + static_cast<std::size_t>(destinationClass) * m_nSwitches;
        const uint32_t peer = m_peers[m_firstPeer[node] + port];
        const uint16_t distance = distances[m_switchIndex[node]];
        return peer != NO_PEER && distance != UNREACHABLE && distances[peer] + 1 == distance &&
               (!m_algorithm || IsDetour(node, destinationClass) ||
                IsPermitted(node, port, destinationClass));
    }

    /**
     * @brief Look at the ports of a switch that lead to a class (LeadsTo()), in a loop without what
     * all of them have in common: set-up asks for each switch and each class.
     * @param node number of a switch
     * @param destinationClass the class
     * @param nPorts at how many of its ports to look
     * @param portOf which they are, by a number below that
     * @param visit called with each that leads there, and the index of the switch behind it
     */
    template <typename PortOf, typename Visitor>
    void VisitWays(uint32_t node,
                   uint32_t destinationClass,
                   uint32_t nPorts,
                   const PortOf& portOf,
                   const Visitor& visit) const
    {
        const uint16_t* const distances =
            m_distance.data() + static_cast<std::size_t>(destinationClass) * m_nSwitches;
        const uint32_t wanted = distances[m_switchIndex[node]] - uint32_t{1};
        if (wanted >= UNREACHABLE - uint32_t{1}) // or the switch is at the class itself
        {
            return;
        }
        const uint32_t* const peers = m_peers.data() + m_firstPeer[node];
        for (uint32_t i = 0; i < nPorts; ++i)
        {
            const uint32_t port = portOf(i);
            const uint32_t peer = peers[port];
            if (peer != NO_PEER && distances[peer] == wanted &&
                (!m_algorithm || LeadsTo(node, port, destinationClass)))
            {
                visit(port, peer);
            }
        }
    }

    /// @return true if each port behind which a class is nearer leads to it
    bool TakesAllWays() const
    {
        return !m_algorithm;
    }

    /**
     * @param destinationClass the class
     * @return switches between each switch and the class, by GetSwitchIndex(); or #UNREACHABLE
     */
    const uint16_t* GetDistances(uint32_t destinationClass) const
    {
        return m_distance.data() + static_cast<std::size_t>(destinationClass) * m_nSwitches;
    }

    /**
     * @param node number of a switch
     * @return its place among the switches
     */
    uint32_t GetSwitchIndex(uint32_t node) const
    {
        return m_switchIndex[node];
    }

    /**
     * @param destinationClass the class
     * @return all switches that have a way to a class, the nearest first
     */
    std::vector<uint32_t> ListByDistance(uint32_t destinationClass) const;

    /**
     * @param src host
     * @param dst another host
     * @return switches on a shortest way from one host to another, 0 if a link joins them or there
     * is no way
     */
    uint32_t GetSwitches(uint32_t src, uint32_t dst) const;

    /// @return most switches that a packet crosses between two hosts
    uint32_t GetMaxSwitches() const;

  private:
    static constexpr uint32_t NO_PEER =
        UINT32_MAX; //!< of a port to a host, or of a link that is down

    /// @return true if a link is to be left out
    bool IsDown(uint32_t link) const
    {
        return !m_down.empty() && m_down[link];
    }

    /// Note which switches ports lead to.
    void FindPeers();
    /// Put switches into the classes of hosts behind them, or into classes of their own.
    void AddSwitches(std::map<std::vector<uint32_t>, uint32_t>& known);
    /// Search from the last hops of a class.
    void Search(uint32_t destinationClass);
    /// Search from the last hops of a class, backwards along permitted ways.
    void SearchPermitted(uint32_t destinationClass, const std::vector<uint32_t>& portsOfLinks);
    /// Where failures have left no permitted way, lead to a neighbor that has one, the nearest.
    void AddDetours(uint32_t destinationClass);

    /// @return true if no permitted way to a class is left at a switch, but another one is
    bool IsDetour(uint32_t node, uint32_t destinationClass) const
    {
        return !m_detours.empty() &&
               m_detours[static_cast<std::size_t>(destinationClass) * m_nSwitches +
                         m_switchIndex[node]];
    }

    /// Refuse ways from one switch to several last-hop switches that are not alike.
    void CheckOneRoot(uint32_t known, uint32_t root, uint32_t destinationClass) const;
    /// @return the ports at the ends a and b of each link, by 2 x link and 2 x link + 1
    std::vector<uint32_t> ListPortsOfLinks() const;
    /// @return true if a way to a last-hop switch of a class may go on through a port
    bool IsPermitted(uint32_t node, uint32_t port, uint32_t destinationClass) const;
    /// Refuse an algorithm that leaves a host without a way.
    void CheckReachability() const;
    /**
     * @brief Have the ports of a group stand in it by their weights.
     * @param node number of the switch
     * @param destinationClass to which the group leads
     * @param ports of the group, neighbor by neighbor
     * @param neighbors index of the first port of each
     */
    void Weigh(uint32_t node,
               uint32_t destinationClass,
               std::vector<uint16_t>& ports,
               std::vector<uint16_t>& neighbors) const;
    /// @return capacity of the ways from a switch to a class through a neighbor, by links there
    uint64_t GetCapacity(uint32_t peer, uint32_t destinationClass, uint64_t linksBps) const;
    /// Enter the ways along the trees.
    void FillFromTrees(ForwardingTable& table, uint32_t node) const;
    /// Enter the ways on shortest paths.
    void FillFromDistances(ForwardingTable& table, uint32_t node) const;
    /// Enter the ways on shortest paths.
    void FillForHost(ForwardingTable& table, uint32_t host) const;
    /// @return ports of a node that lead to switches, neighbor by neighbor in ascending order
    std::vector<uint16_t> ListSwitchPorts(uint32_t node) const;

    const FabricGraph& m_graph;                    //!< the network
    const RoutingAlgorithm* m_asked;               //!< as given
    const RoutingAlgorithm* m_algorithm;           //!< null: all ways are permitted
    std::vector<bool> m_down;                      //!< by link: to be left out; empty: none
    bool m_toSwitches;                             //!< switches are destinations
    uint32_t m_nTrees{0};                          //!< as asked for
    std::shared_ptr<DestinationClasses> m_classes; //!< which destinations are alike
    std::vector<std::vector<uint32_t>> m_lastHops; //!< by class
    std::vector<uint32_t> m_switchIndex;           //!< dense number of each switch
    std::size_t m_nSwitches{0};                    //!< number of switches
    std::vector<uint32_t> m_switches;              //!< node number of each
    std::vector<uint32_t> m_firstPeer;             //!< of a node, in m_peers
    std::vector<uint32_t> m_peers;    //!< dense numbers of switches by port, or NO_PEER
    uint32_t m_nHostClasses{0};       //!< see GetNHostClasses()
    std::vector<uint16_t> m_distance; //!< by class and switch
    std::vector<bool> m_detours;      //!< likewise, see IsDetour(); empty: none
    /// classes whose last-hop switches are not alike: which of them a switch leads to
    std::map<uint32_t, std::vector<uint32_t>> m_rootOf;
    std::unique_ptr<SpanningTrees> m_trees; //!< null: shortest paths
    uint32_t m_maxTreeSwitches{0};          //!< see GetMaxSwitches()
    std::vector<uint64_t> m_capacityBps;    //!< of all ways, by class and switch; empty: no weights
};

} // namespace ns3

#endif /* ROUTING_BUILDER_H */
