// SPDX-License-Identifier: GPL-2.0-only
#include "all-to-all-workload.h"

#include "ns3/fabric-error.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(AllToAllWorkload);

constexpr uint64_t AllToAllWorkload::MAX_FLOWS;

TypeId
AllToAllWorkload::GetTypeId()
{
    static TypeId tid = AddSize(TypeId("ns3::AllToAllWorkload")
                                    .SetParent<SizedWorkload>()
                                    .SetGroupName("Dcfabric")
                                    .AddConstructor<AllToAllWorkload>(),
                                100000);
    return tid;
}

std::vector<FabricFlow>
AllToAllWorkload::Generate(const FabricGraph& graph)
{
    const std::vector<uint32_t>& hosts = NeedHosts(graph, "all-to-all");
    const uint64_t count = uint64_t{hosts.size()} * (hosts.size() - 1);
    if (count > MAX_FLOWS)
    {
        throw FabricError("all-to-all: " + std::to_string(hosts.size()) + " hosts make " +
                          std::to_string(count) + " flows; at most " + std::to_string(MAX_FLOWS) +
                          " are made");
    }
    std::vector<FabricFlow> flows;
    flows.reserve(count);
    for (size_t round = 1; round < hosts.size(); round++)
    {
        for (size_t i = 0; i < hosts.size(); i++)
        {
            flows.push_back(MakeFlow(hosts[i], hosts[(i + round) % hosts.size()], m_size, 0));
        }
    }
    return flows;
}

} // namespace ns3
