// SPDX-License-Identifier: GPL-2.0-only
#include "grid-routing.h"

#include "ns3/fabric-error.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(GridRouting);

TypeId
GridRouting::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::GridRouting").SetParent<RoutingAlgorithm>().SetGroupName("Dcfabric");
    return tid;
}

void
GridRouting::Attach(const FabricGraph& graph)
{
    RoutingAlgorithm::Attach(graph);
    const FabricGrid& grid = graph.GetGrid();
    if (grid.sizes.empty())
    {
        throw FabricError(FabricTerm::Class(GetInstanceTypeId()),
                          " needs switches in a grid, but this network has none",
                          {FabricRemedy::Use(FabricTerm::Option("topology", "torus")),
                           FabricRemedy::Use(FabricTerm::Option("topology", "hyperx")),
                           FabricRemedy::Use(FabricTerm::Class("ns3::ShortestPathRouting"))});
    }
    const auto places = std::make_shared<GridPlaces>();
    places->sizes = grid.sizes;
    for (uint32_t d = 0; d < grid.sizes.size(); ++d)
    {
        places->isRing.push_back(grid.IsRing(d));
    }
    const std::size_t n = grid.sizes.size();
    places->coordinates.assign(graph.GetNNodes() * n, 0);
    const auto put = [&](uint32_t node, const std::vector<uint32_t>& at) {
        std::copy(at.begin(), at.end(), places->coordinates.begin() + node * n);
    };
    for (uint32_t node = 0; node < graph.GetNNodes(); ++node)
    {
        if (!graph.IsHost(node))
        {
            put(node, graph.GetCoordinates(node));
        }
    }
    for (const uint32_t host : graph.GetHosts())
    {
        std::vector<uint32_t> at;
        for (uint32_t p = 0; p < graph.GetDegree(host); ++p)
        {
            const uint32_t peer = graph.GetPort(host, p).peer;
            if (graph.IsHost(peer))
            {
                continue;
            }
            if (!at.empty() && at != graph.GetCoordinates(peer))
            {
                throw FabricError("host " + std::to_string(host) +
                                  " has links to switches at several places of the grid, and " +
                                  FabricTerm::Class(GetInstanceTypeId()) +
                                  " does not know to which of them a packet is on its way; use " +
                                  FabricTerm::Class("ns3::ShortestPathRouting") +
                                  ", or one place for each host");
            }
            at = graph.GetCoordinates(peer);
        }
        put(host, at);
    }
    m_places = places;
    for (const FabricLink& link : graph.GetLinks())
    {
        CheckLink(link);
    }
}

void
GridRouting::CheckLink(const FabricLink& link) const
{
    if (m_graph->IsHost(link.a) || m_graph->IsHost(link.b))
    {
        return;
    }
    const uint32_t n = m_places->GetNDimensions();
    const uint32_t d = m_places->FindDifference(link.a, link.b);
    bool isOfGrid = d < n;
    for (uint32_t other = d + 1; other < n; ++other)
    {
        isOfGrid = isOfGrid && m_places->Get(link.a, other) == m_places->Get(link.b, other);
    }
    if (isOfGrid && m_places->isRing[d])
    {
        const uint32_t size = m_places->sizes[d];
        const uint32_t step = (m_places->Get(link.a, d) + size - m_places->Get(link.b, d)) % size;
        isOfGrid = step == 1 || step == size - 1;
    }
    if (!isOfGrid)
    {
        throw FabricError("the link between " + m_graph->GetName(link.a) + " and " +
                          m_graph->GetName(link.b) + " is none of the grid, and " +
                          FabricTerm::Class(GetInstanceTypeId()) +
                          " would never use it; remove it, or use " +
                          FabricTerm::Class("ns3::ShortestPathRouting"));
    }
}

GridChannels::Direction
GridRouting::GetDirection(uint32_t node, uint32_t peer) const
{
    const uint32_t d = m_places->FindDifference(node, peer);
    const uint32_t next = (m_places->Get(node, d) + 1) % m_places->sizes[d];
    return {static_cast<uint8_t>(d), m_places->Get(peer, d) == next};
}

void
GridRouting::ConfigureChannels(GridChannels& channels, uint32_t node, uint8_t levels) const
{
    std::vector<GridChannels::Direction> directions;
    for (uint32_t p = 0; p < m_graph->GetDegree(node); ++p)
    {
        const uint32_t peer = m_graph->GetPort(node, p).peer;
        directions.push_back(m_graph->IsHost(peer) ? GridChannels::Direction{}
                                                   : GetDirection(node, peer));
    }
    channels.Configure(m_places, node, std::move(directions), levels);
}

} // namespace ns3
