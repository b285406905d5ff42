// SPDX-License-Identifier: GPL-2.0-only
#include "routing-algorithm.h"

#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RoutingAlgorithm);
NS_OBJECT_ENSURE_REGISTERED(ShortestPathRouting);

TypeId
RoutingAlgorithm::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RoutingAlgorithm")
            .SetParent<Object>()
            .SetGroupName("Dcfabric")
            .AddAttribute("Channels",
                          "Virtual channels under a lossless flow control; 0: as many as the "
                          "routing needs to be free of deadlock. With fewer, a packet stays in the "
                          "last one.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RoutingAlgorithm::m_channels),
                          MakeUintegerChecker<uint8_t>(0, 8))
            .AddAttribute("DataClasses",
                          "Classes of the virtual channels of data, separated by commas, that of "
                          "the senders first; empty: free classes are taken.",
                          StringValue(""),
                          MakeStringAccessor(&RoutingAlgorithm::m_dataClasses),
                          MakeStringChecker())
            .AddAttribute("ControlClasses",
                          "Likewise, of ACKs and other control packets.",
                          StringValue(""),
                          MakeStringAccessor(&RoutingAlgorithm::m_controlClasses),
                          MakeStringChecker());
    return tid;
}

void
RoutingAlgorithm::Attach(const FabricGraph& graph)
{
    m_graph = &graph;
}

bool
RoutingAlgorithm::PermitsAll() const
{
    return false;
}

bool
RoutingAlgorithm::Permits(uint32_t /* node */,
                          uint32_t /* port */,
                          uint32_t /* destination */) const
{
    return true;
}

bool
RoutingAlgorithm::AreAlike(uint32_t /* a */, uint32_t /* b */) const
{
    return false;
}

Ptr<VirtualChannels>
RoutingAlgorithm::MakeChannels(uint32_t node) const
{
    Ptr<VirtualChannels> channels = DoMakeChannels(node);
    if (channels)
    {
        std::vector<bool> isHost;
        for (uint32_t p = 0; p < m_graph->GetDegree(node); ++p)
        {
            isHost.push_back(m_graph->IsHost(m_graph->GetPort(node, p).peer));
        }
        channels->SetHostPorts(isHost);
    }
    return channels;
}

Ptr<SwitchFeature>
RoutingAlgorithm::MakeViaFeature(const std::shared_ptr<const ViaPlan>& /* plan */) const
{
    return nullptr;
}

std::shared_ptr<const ViaPlan>
RoutingAlgorithm::MakeVias(const ViaPlan::HopCounter& /* hops */) const
{
    return nullptr;
}

std::vector<PolicyDefault>
RoutingAlgorithm::ListDefaults(const PolicyNetwork& network) const
{
    std::vector<PolicyDefault> defaults;
    const auto add = [&](const Ptr<SwitchFeature>& feature) {
        const auto more = feature ? feature->ListDefaults(network) : std::vector<PolicyDefault>();
        defaults.insert(defaults.end(), more.begin(), more.end());
    };
    add(MakeAnyChannels());
    add(MakeViaFeature(nullptr));
    return defaults;
}

Ptr<VirtualChannels>
RoutingAlgorithm::MakeAnyChannels() const
{
    uint32_t node = 0;
    while (node < m_graph->GetNNodes() && m_graph->IsHost(node))
    {
        ++node;
    }
    return node < m_graph->GetNNodes() ? MakeChannels(node) : nullptr;
}

Ptr<VirtualChannels>
RoutingAlgorithm::DoMakeChannels(uint32_t /* node */) const
{
    return nullptr;
}

TypeId
ShortestPathRouting::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ShortestPathRouting")
                            .SetParent<RoutingAlgorithm>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<ShortestPathRouting>();
    return tid;
}

bool
ShortestPathRouting::PermitsAll() const
{
    return true;
}

} // namespace ns3
