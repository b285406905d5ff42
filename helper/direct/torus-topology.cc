// SPDX-License-Identifier: GPL-2.0-only
#include "torus-topology.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(TorusTopology);

TypeId
TorusTopology::GetTypeId()
{
    static TypeId tid = AddGrid(TypeId("ns3::TorusTopology")
                                    .SetParent<GridTopology>()
                                    .SetGroupName("Dcfabric")
                                    .AddConstructor<TorusTopology>(),
                                "4x4x4",
                                1);
    return tid;
}

std::vector<uint32_t>
TorusTopology::GetFarEnds(uint32_t x, uint32_t size) const
{
    if (x + 1 == size && size == 2)
    {
        return {};
    }
    return {(x + 1) % size};
}

} // namespace ns3
