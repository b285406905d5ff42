// SPDX-License-Identifier: GPL-2.0-only
#include "hyper-x-piggyback-routing.h"

#include "hyper-x-vias.h"

#include "ns3/fabric-time.h"
#include "ns3/grid-links.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(HyperXPiggybackRouting);
NS_OBJECT_ENSURE_REGISTERED(HyperXProgressivePiggybackRouting);

TypeId
HyperXPiggybackRouting::GetTypeId()
{
    static TypeId tid = AddAttributes(TypeId("ns3::HyperXPiggybackRouting")
                                          .SetParent<HyperXValiantRouting>()
                                          .SetGroupName("Dcfabric")
                                          .AddConstructor<HyperXPiggybackRouting>());
    return tid;
}

std::shared_ptr<const ToldLinks>
HyperXPiggybackRouting::MakeLinks() const
{
    const FabricGraph& graph = *m_graph;
    std::vector<std::vector<ToldLinks::Link>> links(graph.GetNNodes());
    for (uint32_t node = 0; node < graph.GetNNodes(); ++node)
    {
        for (uint32_t p = 0; !graph.IsHost(node) && p < graph.GetDegree(node); ++p)
        {
            const uint32_t peer = graph.GetPort(node, p).peer;
            if (!graph.IsHost(peer) && GetDirection(node, peer).dimension != 0)
            {
                links[node].push_back({static_cast<uint16_t>(p), peer});
            }
        }
    }
    return std::make_shared<const GridLinks>(m_places, std::move(links));
}

Time
HyperXPiggybackRouting::GetRoundTrip() const
{
    std::vector<int64_t> longest(m_places->GetNDimensions(), 0); // ps, by dimension
    int64_t toHost = 0;
    for (const FabricLink& link : m_graph->GetLinks())
    {
        const bool isHost = m_graph->IsHost(link.a) || m_graph->IsHost(link.b);
        int64_t& delay = isHost ? toHost : longest[GetDirection(link.a, link.b).dimension];
        delay = std::max(delay, link.delayPs);
    }
    return FabricTime::FromPs(2 * std::accumulate(longest.begin(), longest.end(), 2 * toHost));
}

TypeId
HyperXProgressivePiggybackRouting::GetTypeId()
{
    static TypeId tid = TypeId("ns3::HyperXProgressivePiggybackRouting")
                            .SetParent<HyperXPiggybackRouting>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<HyperXProgressivePiggybackRouting>();
    return tid;
}

std::shared_ptr<const ViaPlan>
HyperXProgressivePiggybackRouting::MakeVias(const ViaPlan::HopCounter& hops) const
{
    return std::make_shared<const HyperXProgressiveVias>(*m_graph, m_places, hops);
}

uint8_t
HyperXProgressivePiggybackRouting::GetChannelChanges() const
{
    return 2;
}

} // namespace ns3
