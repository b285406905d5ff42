// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-workload.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(FabricWorkload);

TypeId
FabricWorkload::GetTypeId()
{
    static TypeId tid = TypeId("ns3::FabricWorkload").SetParent<Object>().SetGroupName("Dcfabric");
    return tid;
}

OfferedLoad
FabricWorkload::GetOfferedLoad(const FabricGraph& graph, const std::vector<FabricFlow>& flows) const
{
    if (GetSpanPs() == 0)
    {
        return {};
    }
    double bits = 0;
    for (const FabricFlow& flow : flows)
    {
        bits += 8.0 * static_cast<double>(flow.sizeBytes);
    }
    double rateBps = 0;
    for (const uint32_t host : graph.GetHosts())
    {
        rateBps += static_cast<double>(graph.GetNodeRateBps(host));
    }
    return {bits / (rateBps * static_cast<double>(GetSpanPs()) / 1e12),
            GetAskedLoad(),
            flows.size()};
}

int64_t
FabricWorkload::AssignStreams(int64_t stream)
{
    return 0;
}

} // namespace ns3
