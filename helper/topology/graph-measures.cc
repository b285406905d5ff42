// SPDX-License-Identifier: GPL-2.0-only
#include "graph-measures.h"

#include "minimum-cut.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

/// Distance of a node that is not reached.
constexpr uint32_t NO_DISTANCE = std::numeric_limits<uint32_t>::max();

/// Hosts that have links to the same nodes, and so the same distances.
struct AlikeHosts
{
    std::vector<uint32_t> peers; //!< ascending
    std::vector<uint32_t> hosts; //!< ascending
};

std::vector<AlikeHosts>
FindAlikeHosts(const FabricGraph& graph)
{
    std::map<std::vector<uint32_t>, size_t> known;
    std::vector<AlikeHosts> all;
    for (const uint32_t host : graph.GetHosts())
    {
        std::vector<uint32_t> peers;
        const FabricGraph::Port* ports = graph.GetPorts(host);
        for (uint32_t i = 0; i < graph.GetDegree(host); i++)
        {
            peers.push_back(ports[i].peer);
        }
        std::sort(peers.begin(), peers.end());
        const auto [found, isNew] = known.emplace(peers, all.size());
        if (isNew)
        {
            all.push_back({peers, {}});
        }
        all[found->second].hosts.push_back(host);
    }
    return all;
}

/// @return links from a host to every node; hosts do not forward
std::vector<uint32_t>
FindDistances(const FabricGraph& graph, uint32_t host)
{
    std::vector<uint32_t> distances(graph.GetNNodes(), NO_DISTANCE);
    std::vector<uint32_t> queue{host};
    distances[host] = 0;
    for (size_t i = 0; i < queue.size(); i++)
    {
        const uint32_t node = queue[i];
        if (i > 0 && graph.IsHost(node))
        {
            continue;
        }
        const FabricGraph::Port* ports = graph.GetPorts(node);
        for (uint32_t port = 0; port < graph.GetDegree(node); port++)
        {
            const uint32_t peer = ports[port].peer;
            if (distances[peer] == NO_DISTANCE)
            {
                distances[peer] = distances[node] + 1;
                queue.push_back(peer);
            }
        }
    }
    return distances;
}

/**
 * @param hosts in the order in which they are divided
 * @return what the first half of the hosts can send to the others, bit/s
 */
uint64_t
FindCut(const FabricGraph& graph, const std::vector<uint32_t>& hosts)
{
    // Hosts do not forward: one end of all links of a half stands for its hosts.
    const uint32_t lower = graph.GetNNodes();
    const uint32_t higher = lower + 1;
    std::vector<uint32_t> stands(graph.GetNNodes());
    for (uint32_t node = 0; node < graph.GetNNodes(); node++)
    {
        stands[node] = node;
    }
    for (size_t i = 0; i < hosts.size(); i++)
    {
        stands[hosts[i]] = i < hosts.size() / 2 ? lower : higher;
    }
    std::map<std::pair<uint32_t, uint32_t>, uint64_t> capacities;
    for (const FabricLink& link : graph.GetLinks())
    {
        const std::pair<uint32_t, uint32_t> ends = std::minmax(stands[link.a], stands[link.b]);
        if (ends.first != ends.second)
        {
            capacities[ends] += link.rateBps;
        }
    }
    MinimumCut cut(higher + 1);
    for (const auto& [ends, capacity] : capacities)
    {
        cut.Join(ends.first, ends.second, capacity);
    }
    return cut.Find(lower, higher);
}

void
MeasureBisection(const FabricGraph& graph, GraphMeasures& measures)
{
    const auto divide = [&](const std::vector<uint32_t>& hosts) {
        const uint64_t cut = FindCut(graph, hosts);
        if (measures.halfBps == 0 || cut < measures.bisectionBps)
        {
            measures.bisectionBps = cut;
            measures.halfBps = 0;
            for (size_t i = 0; i < hosts.size() / 2; i++)
            {
                measures.halfBps += graph.GetNodeRateBps(hosts[i]);
            }
        }
    };
    std::vector<uint32_t> hosts = graph.GetHosts();
    if (hosts.size() < 2)
    {
        return;
    }
    divide(hosts);
    for (uint32_t d = 0; d < graph.GetGrid().sizes.size(); d++)
    {
        const auto coordinate = [&graph, d](uint32_t host) {
            return graph.GetCoordinates(graph.GetPort(host, 0).peer)[d];
        };
        std::stable_sort(hosts.begin(), hosts.end(), [&coordinate](uint32_t a, uint32_t b) {
            return coordinate(a) < coordinate(b);
        });
        divide(hosts);
    }
}

} // namespace

uint32_t
GraphMeasures::GetDiameter() const
{
    return pairsByDistance.empty() ? 0 : pairsByDistance.rbegin()->first;
}

double
GraphMeasures::GetMeanDistance() const
{
    double sum = 0;
    double pairs = 0;
    for (const auto& [distance, count] : pairsByDistance)
    {
        sum += static_cast<double>(distance) * static_cast<double>(count);
        pairs += static_cast<double>(count);
    }
    return pairs > 0 ? sum / pairs : 0;
}

GraphMeasures
MeasureGraph(const FabricGraph& graph)
{
    GraphMeasures measures;
    for (const AlikeHosts& alike : FindAlikeHosts(graph))
    {
        const uint32_t first = alike.hosts.front();
        const std::vector<uint32_t> distances = FindDistances(graph, first);
        for (const uint32_t host : graph.GetHosts())
        {
            if (host != first && distances[host] != NO_DISTANCE)
            {
                measures.pairsByDistance[distances[host]] += alike.hosts.size();
            }
        }
    }
    MeasureBisection(graph, measures);
    return measures;
}

} // namespace ns3
