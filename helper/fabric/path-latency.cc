// SPDX-License-Identifier: GPL-2.0-only
#include "path-latency.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-time.h"

#include <algorithm>
#include <limits>

namespace ns3
{

namespace
{

constexpr int64_t UNREACHABLE = std::numeric_limits<int64_t>::max() / 4;

} // namespace

PathLatency::PathLatency(const FabricGraph& graph, const RoutingBuilder& routing)
    : m_graph(graph),
      m_routing(routing)
{
    for (uint32_t node = 0; node < graph.GetNNodes(); ++node)
    {
        if (!graph.IsHost(node))
        {
            m_switches.push_back(node);
        }
    }
}

int64_t
PathLatency::TransmissionPs(uint64_t rateBps, uint64_t bytes)
{
    return static_cast<int64_t>(bytes * FabricTime::PS_PER_BYTE_AT_1_BPS / rateBps);
}

int64_t
PathLatency::LinkPs(uint32_t link, uint64_t wireBytes) const
{
    const FabricLink& l = m_graph.GetLinks()[link];
    return l.delayPs + TransmissionPs(l.rateBps, wireBytes);
}

int64_t
PathLatency::HostLinkPs(uint32_t host, uint64_t wireBytes) const
{
    int64_t best = UNREACHABLE;
    for (uint32_t p = 0; p < m_graph.GetDegree(host); ++p)
    {
        best = std::min(best, LinkPs(m_graph.GetPort(host, p).link, wireBytes));
    }
    return best;
}

PathLatency::Costs
PathLatency::ComputeCosts(uint32_t destinationClass, uint64_t wireBytes) const
{
    std::vector<uint32_t> order = m_switches;
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
        return m_routing.GetDistance(a, destinationClass) <
               m_routing.GetDistance(b, destinationClass);
    });
    Costs costs(m_graph.GetNNodes(), UNREACHABLE);
    for (const uint32_t node : order)
    {
        const uint16_t distance = m_routing.GetDistance(node, destinationClass);
        if (distance == 0)
        {
            costs[node] = 0;
            continue;
        }
        const FabricGraph::Port* ports = m_graph.GetPorts(node);
        for (uint32_t p = 0; p < m_graph.GetDegree(node); ++p)
        {
            const uint32_t peer = ports[p].peer;
            if (!m_graph.IsHost(peer) && costs[peer] != UNREACHABLE &&
                m_routing.GetDistance(peer, destinationClass) + 1 == distance)
            {
                costs[node] = std::min(costs[node], costs[peer] + LinkPs(ports[p].link, wireBytes));
            }
        }
    }
    return costs;
}

const PathLatency::Costs&
PathLatency::GetCosts(uint32_t destinationClass, uint64_t wireBytes) const
{
    const auto key = std::make_pair(wireBytes, destinationClass);
    const auto known = m_costs.find(key);
    return known != m_costs.end()
               ? known->second
               : m_costs.emplace(key, ComputeCosts(destinationClass, wireBytes)).first->second;
}

int64_t
PathLatency::GetLatencyPs(uint32_t src, uint32_t dst, uint64_t wireBytes) const
{
    int64_t sum = 0;
    for (const auto& hop : GetBestPath(src, dst, wireBytes))
    {
        sum += hop.delayPs + TransmissionPs(hop.rateBps, wireBytes);
    }
    return sum;
}

std::vector<FabricHop>
PathLatency::GetBestPath(uint32_t src, uint32_t dst, uint64_t wireBytes) const
{
    if (!m_graph.IsHost(src) || !m_graph.IsHost(dst) || src == dst)
    {
        throw FabricError("no path from node " + std::to_string(src) + " to node " +
                          std::to_string(dst) + ": both must be hosts, and different ones");
    }
    const uint32_t cls = m_routing.GetClasses()->classOf[dst];
    const Costs& costs = GetCosts(cls, wireBytes);
    std::vector<FabricHop> path;
    uint32_t node = src;
    while (node != dst)
    {
        const uint16_t distance =
            m_graph.IsHost(node) ? UINT16_MAX : m_routing.GetDistance(node, cls);
        int64_t best = UNREACHABLE;
        uint32_t bestPort = 0;
        for (uint32_t p = 0; p < m_graph.GetDegree(node); ++p)
        {
            const FabricGraph::Port& port = m_graph.GetPort(node, p);
            const bool last = port.peer == dst;
            const bool onWay =
                !m_graph.IsHost(port.peer) &&
                (distance == UINT16_MAX || m_routing.GetDistance(port.peer, cls) + 1 == distance);
            if (!last && (!onWay || distance == 0))
            {
                continue;
            }
            const int64_t cost = LinkPs(port.link, wireBytes) + (last ? 0 : costs[port.peer]);
            if (cost < best)
            {
                best = cost;
                bestPort = p;
            }
        }
        if (best >= UNREACHABLE)
        {
            throw FabricError("no path from host " + std::to_string(src) + " to host " +
                              std::to_string(dst));
        }
        const FabricGraph::Port& port = m_graph.GetPort(node, bestPort);
        const FabricLink& link = m_graph.GetLinks()[port.link];
        path.push_back({node, bestPort, link.rateBps, link.delayPs});
        node = port.peer;
    }
    return path;
}

int64_t
PathLatency::GetMaxRttPs(uint64_t dataBytes, uint64_t ackBytes) const
{
    const uint32_t nClasses = m_routing.GetClasses()->nClasses;
    // largest share of the hosts' own links: as a source (data out, ACK in) and as a destination
    std::vector<int64_t> asSource(nClasses, 0);
    std::vector<int64_t> asDestination(nClasses, 0);
    std::vector<uint32_t> nHosts(nClasses, 0);
    for (const uint32_t host : m_graph.GetHosts())
    {
        const uint32_t cls = m_routing.GetClasses()->classOf[host];
        const int64_t both = HostLinkPs(host, dataBytes) + HostLinkPs(host, ackBytes);
        asSource[cls] = std::max(asSource[cls], both);
        asDestination[cls] = std::max(asDestination[cls], both);
        ++nHosts[cls];
    }
    const auto nearest = [&](const Costs& costs, uint32_t from) {
        int64_t best = UNREACHABLE;
        for (const uint32_t node : m_routing.GetLastHops(from))
        {
            best = std::min(best, costs[node]);
        }
        return best;
    };
    // data costs from class a to class b, and ACK costs back, meet in a matrix
    std::vector<int64_t> between(static_cast<std::size_t>(nClasses) * nClasses, 0);
    for (uint32_t to = 0; to < nClasses; ++to)
    {
        const Costs data = ComputeCosts(to, dataBytes);
        const Costs ack = ComputeCosts(to, ackBytes);
        for (uint32_t from = 0; from < nClasses; ++from)
        {
            between[static_cast<std::size_t>(from) * nClasses + to] += nearest(data, from);
            between[static_cast<std::size_t>(to) * nClasses + from] += nearest(ack, from);
        }
    }
    int64_t most = 0;
    if (const SpanningTrees* trees = m_routing.GetTrees())
    {
        std::vector<int64_t> costs; // of both directions
        for (const FabricLink& link : m_graph.GetLinks())
        {
            costs.push_back(2 * link.delayPs + TransmissionPs(link.rateBps, dataBytes) +
                            TransmissionPs(link.rateBps, ackBytes));
        }
        most = trees->GetLongest(costs);
    }
    for (const FabricLink& link : m_graph.GetLinks())
    {
        if (m_graph.IsHost(link.a) && m_graph.IsHost(link.b))
        {
            most = std::max(most,
                            2 * link.delayPs + TransmissionPs(link.rateBps, dataBytes) +
                                TransmissionPs(link.rateBps, ackBytes));
        }
    }
    for (uint32_t from = 0; from < nClasses; ++from)
    {
        for (uint32_t to = 0; to < nClasses; ++to)
        {
            const int64_t way = between[static_cast<std::size_t>(from) * nClasses + to];
            if (way < UNREACHABLE && (from != to || nHosts[from] > 1))
            {
                most = std::max(most, asSource[from] + asDestination[to] + way);
            }
        }
    }
    return most;
}

} // namespace ns3
