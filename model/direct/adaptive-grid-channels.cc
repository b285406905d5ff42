// SPDX-License-Identifier: GPL-2.0-only
#include "adaptive-grid-channels.h"

#include "ns3/fabric-net-device.h"
#include "ns3/fabric-switch.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(AdaptiveGridChannels);

TypeId
AdaptiveGridChannels::GetTypeId()
{
    static TypeId tid = TypeId("ns3::AdaptiveGridChannels")
                            .SetParent<GridChannels>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<AdaptiveGridChannels>();
    return tid;
}

bool
AdaptiveGridChannels::Allows(uint8_t channel, uint16_t ingress, uint16_t egress, uint32_t dst) const
{
    const uint32_t level = GetNextLevel(channel, ingress, egress, false);
    // on the last level a dimension left over could never be made up for
    return level + 1U < GetNLevels() || (level < GetNLevels() && IsInOrder(egress, dst));
}

uint32_t
AdaptiveGridChannels::GetHooks() const
{
    return GridChannels::GetHooks() | CHOOSE_PATH;
}

SwitchFeature::Effects
AdaptiveGridChannels::GetEffects() const
{
    Effects effects;
    effects.paths = UINT32_MAX;
    effects.keepsOrder = false;
    return effects;
}

void
AdaptiveGridChannels::OnChoosePath(const PortGroup& group, FabricPacketItem& item, uint16_t& port)
{
    if (IsHostPort(group.ports[0]))
    {
        return;
    }
    const uint8_t channel = GetChannel(item.GetPriority());
    const uint16_t* end = group.ports + group.nPorts;
    // from the selector's choice on, so that its draws decide among equals
    const auto chosen = static_cast<uint16_t>(std::find(group.ports, end, port) - group.ports);
    port = FabricPacketItem::NO_PORT;
    uint64_t least = UINT64_MAX;
    for (uint16_t i = 0; i < group.nPorts; ++i)
    {
        const uint16_t candidate = group.ports[(chosen + i) % group.nPorts];
        if (m_switch->GetForwardingTable().IsDown(candidate) ||
            !Allows(channel, item.ingressPort, candidate, item.dst))
        {
            continue;
        }
        const uint64_t waiting = m_switch->GetPort(candidate)->GetQueue().GetBytes() +
                                 m_switch->GetBuffer()->GetWaitingBytes(candidate);
        if (waiting < least)
        {
            least = waiting;
            port = candidate;
        }
    }
}

} // namespace ns3
