// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_GRAPH_H
#define FABRIC_GRAPH_H

#include "fabric-grid.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief One full-duplex link of a FabricGraph.
 *
 * `a` and `b` are node numbers; the generators write the node nearer to the hosts first.
 */
struct FabricLink
{
    uint32_t a;              //!< one end
    uint32_t b;              //!< the other end
    uint64_t rateBps;        //!< line rate of each direction, bit/s, above 0
    int64_t delayPs;         //!< propagation delay, ps, from 1 to FabricGraph::MAX_DELAY_PS
    double errorRate;        //!< loss probability per packet, in [0, 1)
    uint64_t queueLimitA{0}; //!< bytes that the queue of a's port may hold; 0: no limit of its own
    uint64_t queueLimitB{0}; //!< bytes that the queue of b's port may hold; 0: no limit of its own

    /**
     * @param o another link
     * @return true if every field is equal
     */
    bool operator==(const FabricLink& o) const
    {
        return a == o.a && b == o.b && rateBps == o.rateBps && delayPs == o.delayPs &&
               errorRate == o.errorRate && queueLimitA == o.queueLimitA &&
               queueLimitB == o.queueLimitB;
    }
};

/**
 * @ingroup dcfabric
 * @brief The plan of a network: hosts, switches and the links between them.
 *
 * Pure data, without ns-3 nodes, so that topologies can be generated, read, written and checked
 * before anything is built. A node's number is its index. A *host number*, as used in flow files
 * and results, is the number of the host's node; generated topologies put all hosts first, so that
 * hosts are 0 .. GetNHosts() - 1, while topology files keep their own numbers. Parallel links are
 * kept. The ports of a node are numbered in the order in which its links were added.
 */
class FabricGraph
{
  public:
    /// What a node is.
    enum NodeKind : uint8_t
    {
        HOST,  //!< sends and receives messages; never forwards
        SWITCH //!< forwards
    };

    /// One node.
    struct Node
    {
        NodeKind kind;        //!< host or switch
        uint8_t tier;         //!< 0 host, 1 edge, 2 aggregation, 3 core
        uint32_t pod;         //!< pod or group (0 where a topology has none)
        std::string name;     //!< legible place, such as `agg-2-1`
        bool nvSwitch{false}; //!< a switch inside a server: hosts prefer it among equal ways
    };

    /// One port of a node: the link and the node at its far end.
    struct Port
    {
        uint32_t link; //!< index in GetLinks()
        uint32_t peer; //!< node number at the far end
    };

    /// Largest delay accepted, one second in ps: longer ones are forgotten units.
    static constexpr int64_t MAX_DELAY_PS = 1000000000000;

    /// Largest number of nodes of one graph.
    static constexpr uint32_t MAX_NODES = 1U << 21;

    /// Largest number of links of one node: ports have numbers of 16 bits, of which the largest
    /// stands for none.
    static constexpr uint32_t MAX_PORTS = UINT16_MAX;

    /**
     * @brief Make room, so that large graphs are built without re-allocation.
     * @param nodes expected number of nodes
     * @param links expected number of links
     */
    void Reserve(uint32_t nodes, uint32_t links);

    /**
     * @brief Add a host.
     * @param pod pod number
     * @param name legible name; empty for `host-<number>`
     * @return its node number
     * @throws FabricError beyond MAX_NODES nodes
     */
    uint32_t AddHost(uint32_t pod = 0, const std::string& name = "");

    /**
     * @brief Add a switch.
     * @param tier 1 edge, 2 aggregation, 3 core
     * @param pod pod number
     * @param name legible name; empty for `switch-<number>`
     * @return its node number
     * @throws FabricError beyond MAX_NODES nodes
     */
    uint32_t AddSwitch(uint8_t tier = 1, uint32_t pod = 0, const std::string& name = "");

    /**
     * @brief Add a switch that joins the hosts (GPUs) of one server: of ways with as few hops they
     * take the one inside the server.
     * @param pod pod number
     * @param name legible name; empty for `nvswitch-<number>`
     * @return its node number
     * @throws FabricError beyond MAX_NODES nodes
     */
    uint32_t AddNvSwitch(uint32_t pod = 0, const std::string& name = "");

    /**
     * @brief Add a link; its values are checked by Validate().
     * @param a one end
     * @param b the other end
     * @param rateBps line rate, bit/s
     * @param delayPs propagation delay, ps
     * @param errorRate loss probability per packet
     * @return its link number
     */
    uint32_t AddLink(uint32_t a,
                     uint32_t b,
                     uint64_t rateBps,
                     int64_t delayPs,
                     double errorRate = 0.0);

    /**
     * @brief Limit the queues of the ports of a link; for lossy networks only.
     * @param link its number
     * @param limitA bytes that the queue of the port at its end a may hold; 0: no limit of its own
     * @param limitB the same of end b
     */
    void SetQueueLimits(uint32_t link, uint64_t limitA, uint64_t limitB);

    /// @return true if the queue of a port is limited
    bool HasQueueLimits() const;

    /**
     * @brief Make links lossy that lose nothing of their own.
     * @param errorRate loss probability per packet, checked by Validate()
     */
    void SetDefaultErrorRate(double errorRate);

    /**
     * @brief Let packets take longer through each switch. The latency is laid on the links, half of
     * it on each way in and out, so that hosts add nothing.
     * @param latencyPs of each switch, ps, even
     */
    void AddSwitchLatency(int64_t latencyPs);

    /**
     * @brief Say where drawings have a node, for networks with a geography.
     * @param node its number
     * @param x to the right, in any unit
     * @param y upwards, in the same unit
     * @throws FabricError if there is no such node
     */
    void SetPlace(uint32_t node, double x, double y);

    /// @return x and y of the nodes that have a place, by number
    const std::map<uint32_t, std::pair<double, double>>& GetPlaces() const
    {
        return m_places;
    }

    /**
     * @brief Say that the pods are groups as those of a dragonfly: links between them are *global*.
     * @param nGroups number of groups; the pods of switches are 0 to nGroups - 1; 0: no groups
     */
    void SetNGroups(uint32_t nGroups)
    {
        m_nGroups = nGroups;
    }

    /// @return number of groups; 0: the pods are none
    uint32_t GetNGroups() const
    {
        return m_nGroups;
    }

    /**
     * @param link its number
     * @return true if it joins switches of two groups
     */
    bool IsGlobal(uint32_t link) const;

    /**
     * @brief Say where the switches are in a grid. Switches take the places in the order in which
     * they were added; further ones begin another copy of the grid (a rail).
     * @param grid sizes of its dimensions; without any: no grid
     */
    void SetGrid(const FabricGrid& grid)
    {
        m_grid = grid;
    }

    /// @return the grid; without dimensions: none
    const FabricGrid& GetGrid() const
    {
        return m_grid;
    }

    /**
     * @param switchNode node number of a switch
     * @return its coordinates in the grid, none without a grid
     * @throws FabricError if the node is no switch
     */
    std::vector<uint32_t> GetCoordinates(uint32_t switchNode) const;

    /**
     * @brief Say how packets usually find their way, for users who do not choose.
     * @param typeId name of a class
     */
    void SetUsualRouting(const std::string& typeId)
    {
        m_usualRouting = typeId;
    }

    /// @return name of the class of routing for users who do not choose
    const std::string& GetUsualRouting() const
    {
        return m_usualRouting;
    }

    /// Take the limits of all queues away.
    void ClearQueueLimits();

    /**
     * @brief Set the tier of every switch to its distance from the nearest host.
     *
     * For graphs from files, which do not name tiers. Switches that no host reaches keep tier 0xff.
     */
    void DeriveTiers();

    /**
     * @brief Refuse a graph that cannot be built. Two hosts without a path may be in it: flows
     * between them are refused (HostIslands).
     *
     * @throws FabricError that names the offending link or host: unknown node, self loop, rate of
     * zero or above 1000 Tb/s, delay outside 1 ps .. 1 s, error rate outside [0, 1), more than
     * MAX_PORTS links of a node, no host, host without link.
     */
    void Validate() const;

    uint32_t GetNNodes() const;    //!< @return number of nodes
    uint32_t GetNHosts() const;    //!< @return number of hosts
    uint32_t GetNSwitches() const; //!< @return number of switches
    uint32_t GetNLinks() const;    //!< @return number of links

    /**
     * @param node node number
     * @return the node
     */
    const Node& GetNode(uint32_t node) const;

    /**
     * @param node node number, may be out of range
     * @return true if there is such a node and it is a host
     */
    bool IsHost(uint32_t node) const
    {
        return node < m_nodes.size() && m_nodes[node].kind == HOST;
    }

    /**
     * @param node node number
     * @return true if it is a switch inside a server
     */
    bool IsNvSwitch(uint32_t node) const
    {
        return GetNode(node).nvSwitch;
    }

    /**
     * @param node node number
     * @return its printable name
     */
    const std::string& GetName(uint32_t node) const
    {
        return GetNode(node).name;
    }

    /// @return node numbers of the hosts in ascending order: the host numbers
    const std::vector<uint32_t>& GetHosts() const
    {
        return m_hosts;
    }

    /// @return all links in the order in which they were added
    const std::vector<FabricLink>& GetLinks() const
    {
        return m_links;
    }

    /**
     * @param node node number
     * @return number of ports (links) at that node
     */
    uint32_t GetDegree(uint32_t node) const
    {
        const uint32_t first = FindPorts(node);
        return m_portOffsets[node + 1] - first;
    }

    /**
     * @param node node number
     * @param port port number, below GetDegree(node)
     * @return link and peer of that port
     */
    const Port& GetPort(uint32_t node, uint32_t port) const;

    /**
     * @param node node number
     * @return pointer to the GetDegree(node) ports of the node; valid until the next AddX()
     */
    const Port* GetPorts(uint32_t node) const
    {
        const uint32_t first = FindPorts(node);
        return m_ports.data() + first;
    }

    /**
     * @param node node number
     * @return sum of the line rates of its links, bit/s; at a host with others, without those to
     * NVSwitches
     */
    uint64_t GetNodeRateBps(uint32_t node) const;

  private:
    /**
     * @brief Append a node, whose name is not empty.
     * @return its number
     */
    uint32_t AddNode(NodeKind kind, uint8_t tier, uint32_t pod, const std::string& name);

    /// @return the first port of a node; checked, and the index is up to date
    uint32_t FindPorts(uint32_t node) const
    {
        if (!m_portsValid || node >= m_nodes.size())
        {
            GetNode(node);
            BuildPorts();
        }
        return m_portOffsets[node];
    }

    /// Build the port index if links or nodes were added since the last time.
    void BuildPorts() const;

    /// Check every link for itself.
    void ValidateLinks() const;

    std::vector<Node> m_nodes;       //!< by node number
    std::vector<uint32_t> m_hosts;   //!< node numbers of hosts
    std::vector<FabricLink> m_links; //!< by link number
    FabricGrid m_grid;               //!< places of switches
    uint32_t m_nGroups{0};           //!< pods that are groups

    std::map<uint32_t, std::pair<double, double>> m_places; //!< x and y of nodes that have some

    /// class of routing for users who do not choose
    std::string m_usualRouting{"ns3::ShortestPathRouting"};

    mutable bool m_portsValid{false};            //!< the two below are up to date
    mutable std::vector<uint32_t> m_portOffsets; //!< first port of each node, and the end
    mutable std::vector<Port> m_ports;           //!< ports of all nodes, one after the other
};

} // namespace ns3

#endif /* FABRIC_GRAPH_H */
