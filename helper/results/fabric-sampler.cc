// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-sampler.h"

namespace ns3
{

SampleThinner::SampleThinner(std::size_t count)
    : m_states(count)
{
}

std::vector<FabricNetDevice*>
GetFabricPorts(const Fabric& fabric)
{
    std::vector<FabricNetDevice*> ports;
    for (uint32_t node = 0; node < fabric.GetGraph().GetNNodes(); ++node)
    {
        const FabricActor* actor = fabric.GetActor(node);
        for (uint16_t port = 0; port < actor->GetNPorts(); ++port)
        {
            ports.push_back(actor->GetPort(port));
        }
    }
    return ports;
}

} // namespace ns3
