// SPDX-License-Identifier: GPL-2.0-only
#include "adaptive-path-selector.h"

#include "forwarding-table.h"

#include "ns3/fabric-packet-item.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(AdaptivePathSelector);

TypeId
AdaptivePathSelector::GetTypeId()
{
    static TypeId tid = TypeId("ns3::AdaptivePathSelector")
                            .SetParent<StatePathSelector>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<AdaptivePathSelector>();
    return tid;
}

uint16_t
AdaptivePathSelector::Select(const PortGroup& group, const FabricPacketItem& /* item */)
{
    m_least.assign(1, group.ports[0]);
    uint64_t least = m_loads->GetWaitingBytes(group.ports[0]);
    for (uint16_t i = 1; i < group.nPorts; ++i)
    {
        const uint64_t waiting = m_loads->GetWaitingBytes(group.ports[i]);
        if (waiting < least)
        {
            least = waiting;
            m_least.clear();
        }
        if (waiting == least)
        {
            m_least.push_back(group.ports[i]);
        }
    }
    m_decided += m_least.size() < group.nPorts;
    if (m_least.size() == 1)
    {
        return m_least.front();
    }
    return m_least[Draw(static_cast<uint32_t>(m_least.size()))];
}

} // namespace ns3
