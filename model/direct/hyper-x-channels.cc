// SPDX-License-Identifier: GPL-2.0-only
#include "hyper-x-channels.h"

#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(HyperXChannels);

TypeId
HyperXChannels::GetTypeId()
{
    static TypeId tid = TypeId("ns3::HyperXChannels")
                            .SetParent<VirtualChannels>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<HyperXChannels>();
    return tid;
}

void
HyperXChannels::Configure(std::vector<uint8_t> dimensions, uint8_t changes)
{
    m_dimensions = std::move(dimensions);
    m_changes = changes;
}

uint8_t
HyperXChannels::GetN() const
{
    return static_cast<uint8_t>(m_changes + 1);
}

uint8_t
HyperXChannels::Next(uint8_t channel,
                     uint16_t ingress,
                     uint16_t egress,
                     uint32_t /* dst */,
                     bool /* passedVia */) const
{
    // what the switch has made itself comes from no port, as if from a host
    const uint8_t from = ingress < m_dimensions.size() ? m_dimensions[ingress] : TO_HOST;
    const bool ascends = from == TO_HOST || m_dimensions[egress] > from;
    return static_cast<uint8_t>(channel + (ascends ? 0 : 1));
}

} // namespace ns3
