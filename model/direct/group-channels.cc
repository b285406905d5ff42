// SPDX-License-Identifier: GPL-2.0-only
#include "group-channels.h"

#include <algorithm>
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
GroupChannels::Configure(std::vector<Port> ports, uint8_t changes)
{
    m_ports = std::move(ports);
    m_changes = changes;
    m_hasHosts = std::find(m_ports.begin(), m_ports.end(), Port::HOST) != m_ports.end();
}

uint8_t
GroupChannels::GetN() const
{
    return static_cast<uint8_t>(m_changes + 1);
}

uint8_t
GroupChannels::Next(uint8_t channel,
                    uint16_t ingress,
                    uint16_t egress,
                    uint32_t /* dst */,
                    bool /* passedVia */) const
{
    // what the switch has made itself comes from no port, as if from a host
    const Port from = ingress < m_ports.size() ? m_ports[ingress] : Port::HOST;
    // behind a link between groups there is a channel for that already
    const bool turns =
        from == Port::LOCAL && channel == 0 && m_hasHosts && m_ports[egress] == Port::LOCAL;
    return static_cast<uint8_t>(channel + (from == Port::GLOBAL || turns ? 1 : 0));
}

} // namespace ns3
