// SPDX-License-Identifier: GPL-2.0-only
#include "dimension-order-routing.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DimensionOrderRouting);

TypeId
DimensionOrderRouting::GetTypeId()
{
    static TypeId tid = TypeId("ns3::DimensionOrderRouting")
                            .SetParent<GridRouting>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<DimensionOrderRouting>();
    return tid;
}

bool
DimensionOrderRouting::Permits(uint32_t node, uint32_t port, uint32_t destination) const
{
    const uint32_t peer = m_graph->GetPort(node, port).peer;
    const uint32_t d = m_places->FindDifference(node, destination);
    if (d == m_places->GetNDimensions() || m_places->Get(peer, d) == m_places->Get(node, d))
    {
        return false;
    }
    const uint32_t there = m_places->Get(destination, d);
    if (!m_places->isRing[d])
    {
        return m_places->Get(peer, d) == there;
    }
    const uint32_t size = m_places->sizes[d];
    const uint32_t above = (there + size - m_places->Get(node, d)) % size;
    return GetDirection(node, peer).up == (2 * above <= size);
}

Ptr<VirtualChannels>
DimensionOrderRouting::DoMakeChannels(uint32_t node) const
{
    if (!m_places->HasRing())
    {
        return nullptr; // dimensions ascend: that is enough
    }
    const auto channels = CreateObject<GridChannels>();
    ConfigureChannels(*channels, node, 1);
    return channels;
}

} // namespace ns3
