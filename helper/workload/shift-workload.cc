// SPDX-License-Identifier: GPL-2.0-only
#include "shift-workload.h"

#include "ns3/fabric-error.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(ShiftWorkload);

TypeId
ShiftWorkload::GetTypeId()
{
    static TypeId tid =
        AddSize(TypeId("ns3::ShiftWorkload")
                    .SetParent<SizedWorkload>()
                    .SetGroupName("Dcfabric")
                    .AddConstructor<ShiftWorkload>()
                    .AddAttribute("By",
                                  "How many hosts further on each receiver is.",
                                  UintegerValue(1),
                                  MakeUintegerAccessor(&ShiftWorkload::m_by),
                                  MakeUintegerChecker<uint32_t>(1, FabricGraph::MAX_NODES)),
                2000000);
    return tid;
}

std::vector<FabricFlow>
ShiftWorkload::Generate(const FabricGraph& graph)
{
    const std::vector<uint32_t>& hosts = NeedHosts(graph, "shift");
    if (m_by % hosts.size() == 0)
    {
        throw FabricError("shift: with " + std::to_string(hosts.size()) + " hosts a shift by " +
                          std::to_string(m_by) +
                          " would have each host send to itself; use by=1 to by=" +
                          std::to_string(hosts.size() - 1));
    }
    std::vector<FabricFlow> flows;
    flows.reserve(hosts.size());
    for (std::size_t i = 0; i < hosts.size(); ++i)
    {
        flows.push_back(MakeFlow(hosts[i], hosts[(i + m_by) % hosts.size()], m_size, 0));
    }
    return flows;
}

} // namespace ns3
