// SPDX-License-Identifier: GPL-2.0-only
#include "minimal-adaptive-routing.h"

#include "ns3/adaptive-grid-channels.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(MinimalAdaptiveRouting);

TypeId
MinimalAdaptiveRouting::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::MinimalAdaptiveRouting")
            .SetParent<GridRouting>()
            .SetGroupName("Dcfabric")
            .AddConstructor<MinimalAdaptiveRouting>()
            .AddAttribute("Reversals",
                          "How often a packet may turn from a higher to a lower dimension under a "
                          "lossless flow control. Each takes one virtual channel, two in a torus; "
                          "with one, a packet begins in any dimension and makes up for it later.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&MinimalAdaptiveRouting::m_reversals),
                          MakeUintegerChecker<uint8_t>(0, 7));
    return tid;
}

bool
MinimalAdaptiveRouting::PermitsAll() const
{
    return true; // in a grid the ways with the fewest hops are the minimal ones
}

Ptr<VirtualChannels>
MinimalAdaptiveRouting::DoMakeChannels(uint32_t node) const
{
    const auto channels = CreateObject<AdaptiveGridChannels>();
    ConfigureChannels(*channels, node, static_cast<uint8_t>(m_reversals + 1));
    return channels;
}

} // namespace ns3
