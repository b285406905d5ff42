// SPDX-License-Identifier: GPL-2.0-only
#include "dragonfly-minimal-routing.h"

#include "ns3/fabric-error.h"
#include "ns3/group-channels.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DragonflyMinimalRouting);

TypeId
DragonflyMinimalRouting::GetTypeId()
{
    static TypeId tid = TypeId("ns3::DragonflyMinimalRouting")
                            .SetParent<RoutingAlgorithm>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<DragonflyMinimalRouting>();
    return tid;
}

void
DragonflyMinimalRouting::Attach(const FabricGraph& graph)
{
    RoutingAlgorithm::Attach(graph);
    if (graph.GetNGroups() == 0)
    {
        throw FabricError(FabricTerm::Class(GetInstanceTypeId()),
                          " needs groups of switches, but this network has none",
                          {FabricRemedy::Use(FabricTerm::Option("topology", "dragonfly")),
                           FabricRemedy::Use(FabricTerm::Class("ns3::ShortestPathRouting"))});
    }
}

bool
DragonflyMinimalRouting::Permits(uint32_t node, uint32_t port, uint32_t destination) const
{
    const uint32_t here = m_graph->GetNode(node).pod;
    const uint32_t next = m_graph->GetNode(m_graph->GetPort(node, port).peer).pod;
    return next == here || next == m_graph->GetNode(destination).pod;
}

bool
DragonflyMinimalRouting::AreAlike(uint32_t a, uint32_t b) const
{
    return m_graph->GetNode(a).pod == m_graph->GetNode(b).pod;
}

uint8_t
DragonflyMinimalRouting::GetChannelChanges() const
{
    return 1;
}

Ptr<VirtualChannels>
DragonflyMinimalRouting::DoMakeChannels(uint32_t node) const
{
    std::vector<GroupChannels::Port> ports;
    for (uint32_t p = 0; p < m_graph->GetDegree(node); ++p)
    {
        const auto& [link, peer] = m_graph->GetPort(node, p);
        ports.push_back(m_graph->IsHost(peer)     ? GroupChannels::Port::HOST
                        : m_graph->IsGlobal(link) ? GroupChannels::Port::GLOBAL
                                                  : GroupChannels::Port::LOCAL);
    }
    const auto channels = CreateObject<GroupChannels>();
    channels->Configure(ports, GetChannelChanges());
    return channels;
}

} // namespace ns3
