// SPDX-License-Identifier: GPL-2.0-only
#include "flow-file-workload.h"

#include "flow-file.h"

#include "ns3/attribute-range.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-text-file.h"
#include "ns3/fabric-time.h"
#include "ns3/string.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(FlowFileWorkload);

TypeId
FlowFileWorkload::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::FlowFileWorkload")
            .SetParent<FabricWorkload>()
            .SetGroupName("Dcfabric")
            .AddConstructor<FlowFileWorkload>()
            .AddAttribute("Path",
                          "Flow file in the format of the HPCC or ConWeave simulator.",
                          StringValue(""),
                          MakeStringAccessor(&FlowFileWorkload::m_path),
                          MakeStringChecker());
    return tid;
}

std::vector<FabricFlow>
FlowFileWorkload::Generate(const FabricGraph& graph)
{
    if (m_path.empty())
    {
        throw FabricError("flow file workload: no path given");
    }
    const FlowFile file = ReadFlowFile(m_path);
    const int64_t latestPs = FabricTime::ToPs(AttributeRange::GetMaxTime());
    for (size_t i = 0; i < file.flows.size(); i++)
    {
        if (file.flows[i].startPs > latestPs)
        {
            throw FabricError(ShowFabricPath(m_path) + ":" + std::to_string(file.lines[i]) +
                              ": the start is later than 24 h");
        }
        for (auto end : {file.flows[i].src, file.flows[i].dst})
        {
            if (!graph.IsHost(end))
            {
                throw FabricError(ShowFabricPath(m_path) + ":" + std::to_string(file.lines[i]) +
                                  ": node " + std::to_string(end) +
                                  (end < graph.GetNNodes() ? " is a switch" : " does not exist") +
                                  "; the topology has " + std::to_string(graph.GetNHosts()) +
                                  " hosts, from " + std::to_string(graph.GetHosts().front()) +
                                  " to " + std::to_string(graph.GetHosts().back()));
            }
        }
    }
    return file.flows;
}

} // namespace ns3
