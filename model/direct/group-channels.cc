// SPDX-License-Identifier: GPL-2.0-only
#include "group-channels.h"

#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(GroupChannels);

TypeId
GroupChannels::GetTypeId()
{
    static TypeId tid = TypeId("ns3::GroupChannels")
                            .SetParent<VirtualChannels>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<GroupChannels>();
    return tid;
}

void
GroupChannels::Configure(std::vector<bool> isGlobal, uint8_t links, bool hasHosts)
{
    m_isGlobal = std::move(isGlobal);
    m_nLinks = links;
    m_hasHosts = hasHosts;
}

uint8_t
GroupChannels::GetN() const
{
    return static_cast<uint8_t>(m_nLinks + 1);
}

uint8_t
GroupChannels::Next(uint8_t channel,
                    uint16_t ingress,
                    uint16_t egress,
                    uint32_t /* dst */,
                    bool /* passedVia */) const
{
    const bool crossed = ingress < m_isGlobal.size() && m_isGlobal[ingress];
    // behind a link between groups there is a channel for that already
    const bool turns = channel == 0 && m_hasHosts && IsLocal(ingress) && IsLocal(egress);
    return static_cast<uint8_t>(channel + (crossed || turns ? 1 : 0));
}

} // namespace ns3
