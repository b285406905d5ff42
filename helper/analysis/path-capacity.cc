// SPDX-License-Identifier: GPL-2.0-only
#include "path-capacity.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ns3
{

PathCapacity::PathCapacity(std::vector<Edge> edges, uint32_t source, uint32_t sink, bool layered)
    : m_edges(std::move(edges)),
      m_source(source),
      m_sink(sink),
      m_layered(layered)
{
}

bool
PathCapacity::Carries(uint64_t packets)
{
    // regular networks are settled by adding up, in either direction
    if (m_layered && !FitsLayers(packets))
    {
        return false;
    }
    return (m_layered && FitsSplit(packets)) || FitsFlow(packets);
}

bool
PathCapacity::FitsLayers(uint64_t packets) const
{
    std::map<uint32_t, uint32_t> layer{{m_source, 0}};
    std::vector<uint64_t> room;
    for (const Edge& edge : m_edges)
    {
        const uint32_t here = layer[edge.from];
        layer[edge.to] = here + 1;
        if (room.size() <= here)
        {
            room.resize(here + 1, 0);
        }
        room[here] = std::min(packets, room[here] + std::min(packets, edge.capacity));
    }
    return std::all_of(room.begin(), room.end(), [packets](uint64_t r) { return r >= packets; });
}

bool
PathCapacity::FitsSplit(uint64_t packets) const
{
    std::map<uint32_t, double> room;
    for (const Edge& edge : m_edges)
    {
        room[edge.from] += static_cast<double>(edge.capacity);
    }
    std::map<uint32_t, double> load{{m_source, static_cast<double>(packets)}};
    for (const Edge& edge : m_edges)
    {
        const double share =
            room[edge.from] > 0 ? static_cast<double>(edge.capacity) / room[edge.from] : 0;
        const double part = load[edge.from] * share;
        if (load[edge.from] > room[edge.from])
        {
            return false;
        }
        load[edge.to] += part;
    }
    // what gets lost at a node without room is missing here
    return load[m_sink] >= static_cast<double>(packets) * (1 - 1e-12);
}

bool
PathCapacity::FitsFlow(uint64_t packets)
{
    // shortest augmenting paths (Edmonds and Karp)
    std::map<uint32_t, std::vector<std::size_t>> byNode; // 2 x edge, + 1 against its direction
    for (std::size_t i = 0; i < m_edges.size(); ++i)
    {
        byNode[m_edges[i].from].push_back(2 * i);
        byNode[m_edges[i].to].push_back(2 * i + 1);
    }
    std::vector<uint64_t> back(m_edges.size(), 0);
    const auto left = [&](std::size_t arc) {
        return arc % 2 == 0 ? m_edges[arc / 2].capacity : back[arc / 2];
    };
    for (uint64_t carried = 0; carried < packets;)
    {
        std::map<uint32_t, std::size_t> cameBy;
        std::vector<uint32_t> order{m_source};
        for (std::size_t i = 0; i < order.size() && cameBy.count(m_sink) == 0; ++i)
        {
            for (const std::size_t arc : byNode[order[i]])
            {
                const Edge& edge = m_edges[arc / 2];
                const uint32_t next = arc % 2 == 0 ? edge.to : edge.from;
                if (left(arc) > 0 && next != m_source && cameBy.emplace(next, arc).second)
                {
                    order.push_back(next);
                }
            }
        }
        if (cameBy.count(m_sink) == 0)
        {
            return false;
        }
        uint64_t more = packets - carried;
        std::vector<std::size_t> arcs;
        for (uint32_t node = m_sink; node != m_source;)
        {
            const std::size_t arc = cameBy[node];
            arcs.push_back(arc);
            more = std::min(more, left(arc));
            node = arc % 2 == 0 ? m_edges[arc / 2].from : m_edges[arc / 2].to;
        }
        for (const std::size_t arc : arcs)
        {
            (arc % 2 == 0 ? m_edges[arc / 2].capacity : back[arc / 2]) -= more;
            (arc % 2 == 0 ? back[arc / 2] : m_edges[arc / 2].capacity) += more;
        }
        carried += more;
    }
    return true;
}

} // namespace ns3
