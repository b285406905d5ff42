// SPDX-License-Identifier: GPL-2.0-only
#include "pairs-workload.h"

#include "ns3/fabric-error.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(PairsWorkload);

TypeId
PairsWorkload::GetTypeId()
{
    static TypeId tid = AddSize(TypeId("ns3::PairsWorkload")
                                    .SetParent<SizedWorkload>()
                                    .SetGroupName("Dcfabric")
                                    .AddConstructor<PairsWorkload>(),
                                2000000);
    return tid;
}

std::vector<FabricFlow>
PairsWorkload::Generate(const FabricGraph& graph)
{
    const std::vector<uint32_t>& hosts = NeedHosts(graph, "pairs");
    if (hosts.size() % 2 != 0)
    {
        throw FabricError("pairs: " + std::to_string(hosts.size()) +
                          " hosts do not form pairs; use another workload");
    }
    const std::size_t half = hosts.size() / 2;
    std::vector<FabricFlow> flows;
    flows.reserve(half);
    for (std::size_t i = 0; i < half; ++i)
    {
        flows.push_back(MakeFlow(hosts[i], hosts[half + i], m_size, 0));
    }
    return flows;
}

} // namespace ns3
