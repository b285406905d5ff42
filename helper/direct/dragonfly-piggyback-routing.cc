// SPDX-License-Identifier: GPL-2.0-only
#include "dragonfly-piggyback-routing.h"

#include "dragonfly-vias.h"

#include "ns3/fabric-time.h"
#include "ns3/group-links.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DragonflyPiggybackRouting);
NS_OBJECT_ENSURE_REGISTERED(DragonflyProgressivePiggybackRouting);

TypeId
DragonflyPiggybackRouting::GetTypeId()
{
    static TypeId tid = AddAttributes(TypeId("ns3::DragonflyPiggybackRouting")
                                          .SetParent<DragonflyValiantRouting>()
                                          .SetGroupName("Dcfabric")
                                          .AddConstructor<DragonflyPiggybackRouting>());
    return tid;
}

std::shared_ptr<const ToldLinks>
DragonflyPiggybackRouting::MakeLinks() const
{
    const FabricGraph& graph = *m_graph;
    std::vector<uint32_t> groupOf;
    std::vector<std::vector<ToldLinks::Link>> globals(graph.GetNNodes());
    for (uint32_t node = 0; node < graph.GetNNodes(); ++node)
    {
        groupOf.push_back(graph.GetNode(node).pod);
        for (uint32_t p = 0; !graph.IsHost(node) && p < graph.GetDegree(node); ++p)
        {
            const auto& [link, peer] = graph.GetPort(node, p);
            if (!graph.IsHost(peer) && graph.IsGlobal(link))
            {
                globals[node].push_back({static_cast<uint16_t>(p), peer});
            }
        }
    }
    return std::make_shared<const GroupLinks>(std::move(groupOf), std::move(globals));
}

Time
DragonflyPiggybackRouting::GetRoundTrip() const
{
    std::array<int64_t, 3> longest{}; // ps: to hosts, inside groups, between groups
    for (std::size_t i = 0; i < m_graph->GetLinks().size(); ++i)
    {
        const FabricLink& link = m_graph->GetLinks()[i];
        const std::size_t kind = m_graph->IsHost(link.a) || m_graph->IsHost(link.b) ? 0
                                 : m_graph->IsGlobal(static_cast<uint32_t>(i))      ? 2
                                                                                    : 1;
        longest.at(kind) = std::max(longest.at(kind), link.delayPs);
    }
    return FabricTime::FromPs(2 * (2 * longest[0] + 2 * longest[1] + longest[2]));
}

TypeId
DragonflyProgressivePiggybackRouting::GetTypeId()
{
    static TypeId tid = TypeId("ns3::DragonflyProgressivePiggybackRouting")
                            .SetParent<DragonflyPiggybackRouting>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<DragonflyProgressivePiggybackRouting>();
    return tid;
}

std::shared_ptr<const ViaPlan>
DragonflyProgressivePiggybackRouting::MakeVias(const ViaPlan::HopCounter& hops) const
{
    return std::make_shared<const ProgressiveVias>(*m_graph, hops);
}

uint8_t
DragonflyProgressivePiggybackRouting::GetChannelChanges() const
{
    return 3;
}

} // namespace ns3
