// SPDX-License-Identifier: GPL-2.0-only
#include "hyper-x-topology.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(HyperXTopology);

TypeId
HyperXTopology::GetTypeId()
{
    static TypeId tid = Counts<HyperXTopology>::Add(
        AddGrid(TypeId("ns3::HyperXTopology")
                    .SetParent<GridTopology>()
                    .SetGroupName("Dcfabric")
                    .AddConstructor<HyperXTopology>(),
                "4x4",
                2),
        {{"Links", "Parallel links between two neighbors.", 1, &HyperXTopology::m_links}});
    return tid;
}

std::vector<uint32_t>
HyperXTopology::GetFarEnds(uint32_t x, uint32_t size) const
{
    std::vector<uint32_t> ends;
    ends.reserve(size_t{m_links} * (size - 1 - x));
    for (uint32_t far = x + 1; far < size; far++)
    {
        ends.insert(ends.end(), m_links, far);
    }
    return ends;
}

} // namespace ns3
