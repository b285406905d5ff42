// SPDX-License-Identifier: GPL-2.0-only
#include "reduction-tree.h"

#include "ns3/path-latency.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace ns3
{

namespace
{

/**
 * @param graph the network
 * @param root a switch
 * @return distance of each node by way of switches, ReductionTree::NONE if there is no way
 */
std::vector<uint32_t>
MeasureDistances(const FabricGraph& graph, uint32_t root)
{
    std::vector<uint32_t> distance(graph.GetNNodes(), ReductionTree::NONE);
    std::vector<uint32_t> reached{root};
    distance[root] = 0;
    for (std::size_t at = 0; at < reached.size(); ++at)
    {
        const uint32_t node = reached[at];
        if (graph.IsHost(node))
        {
            continue; // hosts do not forward
        }
        const FabricGraph::Port* ports = graph.GetPorts(node);
        for (uint32_t p = 0; p < graph.GetDegree(node); ++p)
        {
            if (distance[ports[p].peer] == ReductionTree::NONE)
            {
                distance[ports[p].peer] = distance[node] + 1;
                reached.push_back(ports[p].peer);
            }
        }
    }
    return distance;
}

/**
 * @param graph the network
 * @param port of a node
 * @return number of the port at the other end of its link
 */
uint16_t
FindPeerPort(const FabricGraph& graph, const FabricGraph::Port& port)
{
    const FabricGraph::Port* ports = graph.GetPorts(port.peer);
    uint32_t p = 0;
    while (ports[p].link != port.link)
    {
        ++p;
    }
    return static_cast<uint16_t>(p);
}

} // namespace

constexpr uint32_t ReductionTree::NONE;

std::vector<uint32_t>
ReductionTree::ListRoots(const FabricGraph& graph, const std::vector<uint32_t>& hosts)
{
    std::vector<uint32_t> roots;
    std::pair<uint64_t, uint64_t> best{UINT64_MAX, UINT64_MAX}; // greatest distance, and the sum
    for (uint32_t node = 0; node < graph.GetNNodes(); ++node)
    {
        if (graph.IsHost(node))
        {
            continue;
        }
        const std::vector<uint32_t> distance = MeasureDistances(graph, node);
        std::pair<uint64_t, uint64_t> here{0, 0};
        for (const uint32_t host : hosts)
        {
            here.first = std::max<uint64_t>(here.first, distance[host]);
            here.second += distance[host];
        }
        if (here.first >= NONE || here > best)
        {
            continue;
        }
        if (here < best)
        {
            best = here;
            roots.clear();
        }
        roots.push_back(node);
    }
    return roots;
}

ReductionTree::ReductionTree(const FabricGraph& graph,
                             const std::vector<uint32_t>& hosts,
                             uint32_t root,
                             uint32_t channel)
{
    const std::vector<uint32_t> distance = MeasureDistances(graph, root);
    std::unordered_map<uint32_t, uint32_t> known; // index by node number
    m_nodes.push_back(Node());
    m_nodes.front().node = root;
    known.emplace(root, 0);
    // the way of each host up to what is known already; ways of hosts that meet stay together
    std::vector<uint32_t> sorted = hosts;
    std::sort(sorted.begin(), sorted.end());
    std::unordered_map<uint32_t, Node> above; // of nodes: port and link to the parent
    for (const uint32_t host : sorted)
    {
        std::vector<uint32_t> way;
        uint32_t node = host;
        while (known.find(node) == known.end())
        {
            way.push_back(node);
            const FabricGraph::Port* ports = graph.GetPorts(node);
            std::vector<uint32_t> nearer;
            for (uint32_t p = 0; p < graph.GetDegree(node); ++p)
            {
                if (!graph.IsHost(ports[p].peer) && distance[ports[p].peer] + 1 == distance[node])
                {
                    nearer.push_back(p);
                }
            }
            const uint32_t port = nearer[channel % nearer.size()];
            Node& place = above[node];
            place.node = node;
            place.port = static_cast<uint16_t>(port);
            place.link = ports[port].link;
            place.parentPort = FindPeerPort(graph, ports[port]);
            node = ports[port].peer;
        }
        for (std::size_t i = way.size(); i-- > 0;)
        {
            Node place = above[way[i]];
            const uint32_t parent = known.at(graph.GetPort(way[i], place.port).peer);
            place.parent = parent;
            const auto index = static_cast<uint32_t>(m_nodes.size());
            m_nodes[parent].children.push_back(index);
            known.emplace(way[i], index);
            m_nodes.push_back(place);
        }
        for (uint32_t index = known.at(host); index != NONE; index = m_nodes[index].parent)
        {
            m_nodes[index].hosts.push_back(host);
        }
    }
}

ReductionTree::Timing
ReductionTree::ComputeTiming(const FabricGraph& graph,
                             uint64_t wireBytes,
                             uint64_t payloadBytes,
                             int64_t delayPs,
                             uint64_t rateBps) const
{
    Timing timing;
    std::vector<int64_t> down(m_nodes.size(), 0); // from the root
    std::vector<int64_t> up(m_nodes.size(), 0);   // to the root, with the time of its switches
    int64_t greatestUp = 0;
    int64_t greatestDown = 0;
    for (std::size_t i = 0; i < m_nodes.size(); ++i)
    {
        const Node& node = m_nodes[i];
        if (node.parent != NONE)
        {
            const FabricLink& link = graph.GetLinks()[node.link];
            const int64_t packetPs = PathLatency::TransmissionPs(link.rateBps, wireBytes);
            down[i] = down[node.parent] + packetPs + link.delayPs;
            up[i] = up[node.parent] + packetPs + link.delayPs + delayPs;
            timing.packetPs = std::max(timing.packetPs, packetPs);
            greatestUp = std::max(greatestUp, up[i]);
            greatestDown = std::max(greatestDown, down[i]);
        }
        if (rateBps > 0 && !node.children.empty())
        {
            const int64_t addPs = PathLatency::TransmissionPs(rateBps, payloadBytes);
            const auto allPs = static_cast<int64_t>(node.children.size()) * addPs;
            timing.packetPs = std::max(timing.packetPs, allPs);
            timing.rttPs += allPs; // at most: those of different levels add up
        }
    }
    timing.rttPs += greatestUp + greatestDown;
    timing.packetPs = std::max<int64_t>(timing.packetPs, 1);
    return timing;
}

uint32_t
ReductionTree::ComputeWindow(const Timing& timing)
{
    constexpr int64_t MOST = 1 << 20;
    const int64_t packets = (timing.rttPs + timing.packetPs - 1) / timing.packetPs;
    return static_cast<uint32_t>(std::min(packets + 1, MOST));
}

} // namespace ns3
