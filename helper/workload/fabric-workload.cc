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

FabricWorkload::FabricWorkload()
{
}

FabricWorkload::~FabricWorkload()
{
}

std::vector<FlowTrigger>
FabricWorkload::GetTriggers() const
{
    return {};
}

int64_t
FabricWorkload::AssignStreams(int64_t stream)
{
    return 0;
}

} // namespace ns3
