// SPDX-License-Identifier: GPL-2.0-only
#include "virtual-channels.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-net-device.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(VirtualChannels);

TypeId
VirtualChannels::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::VirtualChannels").SetParent<SwitchFeature>().SetGroupName("Dcfabric");
    return tid;
}

bool
VirtualChannels::Allows(uint8_t /* channel */,
                        uint16_t /* ingress */,
                        uint16_t /* egress */,
                        uint32_t /* dst */) const
{
    return true;
}

void
VirtualChannels::SetClasses(const std::vector<std::vector<uint8_t>>& families)
{
    m_families = families;
    m_places.fill({});
    for (std::size_t f = 0; f < families.size(); ++f)
    {
        for (std::size_t c = 0; c < families[f].size(); ++c)
        {
            const uint8_t priority = families[f][c];
            if (priority > 7 || m_places[priority].family != NO_FAMILY)
            {
                throw FabricError("class " + std::to_string(priority) +
                                  " as a virtual channel: classes are 0 to 7, and each can be one "
                                  "channel only");
            }
            Place& place = m_places[priority];
            place.family = static_cast<uint8_t>(f);
            place.channel = static_cast<uint8_t>(c);
            for (std::size_t i = 0; i < place.classes.size(); ++i)
            {
                place.classes[i] = families[f][std::min(i, families[f].size() - 1)];
            }
        }
    }
}

void
VirtualChannels::SetHostPorts(std::vector<bool> isHost)
{
    m_isHost = std::move(isHost);
}

uint8_t
VirtualChannels::GetNextClass(uint8_t priority,
                              uint16_t ingress,
                              uint16_t egress,
                              uint32_t dst,
                              bool passedVia) const
{
    const Place& place = m_places[priority];
    if (place.family == NO_FAMILY)
    {
        return priority;
    }
    if (IsHostPort(egress))
    {
        return place.classes.front();
    }
    const std::size_t channel = Next(place.channel, ingress, egress, dst, passedVia);
    return place.classes[std::min(channel, place.classes.size() - 1)];
}

uint32_t
VirtualChannels::GetHooks() const
{
    return ADMIT;
}

void
VirtualChannels::OnAdmit(FabricNetDevice& ingress, FabricNetDevice& egress, FabricPacketItem& item)
{
    const uint8_t priority =
        GetNextClass(item.GetPriority(), ingress.GetPort(), egress.GetPort(), item.dst, false);
    // the rest of a DSCP is the sender's
    item.ds = static_cast<uint8_t>(FabricPacketItem::MakeDs(priority, 0) | (item.ds & 0x1f));
}

} // namespace ns3
