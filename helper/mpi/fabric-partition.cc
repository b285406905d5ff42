// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-partition.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-text-file.h"
#include "ns3/parse-units.h"
#include "ns3/rank-world.h"

#include <algorithm>
#include <set>

namespace ns3
{

namespace
{

constexpr uint32_t NOBODY = UINT32_MAX;

/// Parts of a network that stay together, each a list of nodes, in the order of their first hosts.
using GraphParts = std::vector<std::vector<uint32_t>>;

/**
 * @param graph the network
 * @param isInside by node: may belong to a part
 * @return what hangs together inside, of what has hosts
 */
GraphParts
FindParts(const FabricGraph& graph, const std::vector<bool>& isInside)
{
    GraphParts parts;
    std::vector<bool> seen(graph.GetNNodes(), false);
    for (const uint32_t host : graph.GetHosts())
    {
        if (seen[host])
        {
            continue;
        }
        std::vector<uint32_t> part{host};
        seen[host] = true;
        for (std::size_t i = 0; i < part.size(); ++i)
        {
            for (uint32_t port = 0; port < graph.GetDegree(part[i]); ++port)
            {
                const uint32_t peer = graph.GetPort(part[i], port).peer;
                if (!seen[peer] && isInside[peer])
                {
                    seen[peer] = true;
                    part.push_back(peer);
                }
            }
        }
        parts.push_back(std::move(part));
    }
    return parts;
}

/// @return parts by a number that nodes have; those of switches above all others are in none
GraphParts
GroupBy(const FabricGraph& graph)
{
    GraphParts parts(graph.GetNGroups());
    for (uint32_t node = 0; node < graph.GetNNodes(); ++node)
    {
        const uint32_t pod = graph.GetNode(node).pod;
        if (pod < parts.size())
        {
            parts[pod].push_back(node);
        }
    }
    return parts;
}

/// @return the switch that a host hangs on, the first of several; the host itself if it has none
uint32_t
FindEdge(const FabricGraph& graph, uint32_t host)
{
    const FabricGraph::Port* ports = graph.GetPorts(host);
    const FabricGraph::Port* end = ports + graph.GetDegree(host);
    const auto* first = std::find_if(ports, end, [&graph](const FabricGraph::Port& port) {
        return !graph.IsHost(port.peer);
    });
    return first == end ? host : first->peer;
}

/// @return a host and the switch it hangs on belong together, each host to the first of its
/// switches
GraphParts
GroupByEdge(const FabricGraph& graph)
{
    std::vector<uint32_t> partOf(graph.GetNNodes(), NOBODY);
    GraphParts parts;
    for (const uint32_t host : graph.GetHosts())
    {
        const uint32_t edge = FindEdge(graph, host);
        if (partOf[edge] == NOBODY)
        {
            partOf[edge] = static_cast<uint32_t>(parts.size());
            parts.push_back({edge});
        }
        if (edge != host)
        {
            parts[partOf[edge]].push_back(host);
        }
    }
    return parts;
}

/// @return what stays together, at least as many parts as ranks if there are
GraphParts
ChooseParts(const FabricGraph& graph, uint32_t ranks)
{
    if (graph.GetNGroups() >= ranks)
    {
        return GroupBy(graph);
    }
    constexpr uint8_t NO_TIER = 0xff; // of a switch that no host reaches
    uint8_t top = 0;
    for (uint32_t node = 0; node < graph.GetNNodes(); ++node)
    {
        const uint8_t tier = graph.GetNode(node).tier;
        top = tier == NO_TIER ? top : std::max(top, tier);
    }
    std::vector<bool> isInside(graph.GetNNodes());
    for (uint32_t node = 0; node < graph.GetNNodes(); ++node)
    {
        isInside[node] = graph.GetNode(node).tier < top;
    }
    GraphParts parts = FindParts(graph, isInside);
    // a host of its own is no part: then the switches of the highest tier are those of the hosts
    return top > 1 && parts.size() >= ranks ? parts : GroupByEdge(graph);
}

} // namespace

FabricPartition::FabricPartition(const FabricGraph& graph, uint32_t ranks)
    : m_rankOf(graph.GetNNodes(), ranks == 1 ? 0 : NOBODY)
{
    if (ranks == 1)
    {
        return;
    }
    const GraphParts parts = ChooseParts(graph, ranks);
    if (parts.size() < ranks)
    {
        throw FabricError(
            RankWorld::CountInWords(ranks) + " are more than the network has parts, " +
            std::to_string(parts.size()) +
            " (pods, groups, or switches with hosts); start fewer, or name a file in " +
            FabricTerm::Option("partition"));
    }
    const auto countHosts = [&graph](const std::vector<uint32_t>& part) {
        return std::count_if(part.begin(), part.end(), [&graph](uint32_t node) {
            return graph.IsHost(node);
        });
    };
    // a part goes to the rank in whose share of the hosts its middle lies; none stays without
    const auto all = static_cast<uint64_t>(graph.GetNHosts());
    uint64_t before = 0;
    uint32_t next = 0;
    for (std::size_t i = 0; i < parts.size(); ++i)
    {
        const auto hosts = static_cast<uint64_t>(countHosts(parts[i]));
        auto rank = static_cast<uint32_t>((2 * before + hosts) * ranks / (2 * all));
        rank = std::min({rank, next, ranks - 1});
        rank =
            std::max(rank,
                     static_cast<uint32_t>(ranks - std::min<std::size_t>(ranks, parts.size() - i)));
        next = rank + 1;
        before += hosts;
        for (const uint32_t node : parts[i])
        {
            m_rankOf[node] = rank;
        }
    }
    uint32_t dealt = 0;
    for (uint32_t& rank : m_rankOf)
    {
        if (rank == NOBODY)
        {
            rank = dealt++ % ranks;
        }
    }
}

FabricPartition::FabricPartition(const FabricGraph& graph, uint32_t ranks, const std::string& path)
    : m_rankOf(graph.GetNNodes(), NOBODY)
{
    FabricTextReader reader(path, '#');
    std::set<uint32_t> used;
    while (reader.Next())
    {
        const std::vector<std::string>& fields = reader.GetFields();
        const auto read = [&reader](const std::string& text, uint64_t below, const char* what) {
            const bool digits = !text.empty() && text.size() < 10 &&
                                text.find_first_not_of("0123456789") == std::string::npos;
            if (!digits || std::stoull(text) >= below)
            {
                reader.Refuse(QuoteFabricText(text) + " is no " + what + "; there are " +
                              std::to_string(below) + ", from 0");
            }
            return static_cast<uint32_t>(std::stoull(text));
        };
        const uint32_t rank = read(fields[0], ranks == 1 ? UINT32_MAX : ranks, "rank");
        for (std::size_t i = 1; i < fields.size(); ++i)
        {
            const std::size_t dash = fields[i].find('-');
            const uint32_t first = read(fields[i].substr(0, dash), graph.GetNNodes(), "node");
            const uint32_t last = dash == std::string::npos
                                      ? first
                                      : read(fields[i].substr(dash + 1), graph.GetNNodes(), "node");
            if (last < first)
            {
                reader.Refuse(QuoteFabricText(fields[i]) + ": the range ends before it begins");
            }
            for (uint32_t node = first; node <= last; ++node)
            {
                if (m_rankOf[node] != NOBODY)
                {
                    reader.Refuse("node " + std::to_string(node) + " has a rank already");
                }
                m_rankOf[node] = ranks == 1 ? 0 : rank;
                used.insert(m_rankOf[node]);
            }
        }
    }
    const auto missing = std::find(m_rankOf.begin(), m_rankOf.end(), NOBODY);
    if (missing != m_rankOf.end())
    {
        throw FabricError(ShowFabricPath(path) + ": node " +
                          std::to_string(missing - m_rankOf.begin()) +
                          " has no rank; name all of 0-" + std::to_string(graph.GetNNodes() - 1));
    }
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        if (used.count(rank) == 0)
        {
            throw FabricError(ShowFabricPath(path) + ": rank " + std::to_string(rank) +
                              " has no nodes; there are " + RankWorld::CountInWords(ranks));
        }
    }
}

int64_t
FabricPartition::GetLookAheadPs(const FabricGraph& graph) const
{
    int64_t leastPs = FabricGraph::MAX_DELAY_PS;
    for (const FabricLink& link : graph.GetLinks())
    {
        if (m_rankOf[link.a] != m_rankOf[link.b])
        {
            leastPs = std::min(leastPs, link.delayPs);
        }
    }
    return leastPs;
}

} // namespace ns3
