// SPDX-License-Identifier: GPL-2.0-only
#include "connection-matrix-workload.h"

#include "connection-matrix-file.h"

#include "ns3/attribute-range.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-text-file.h"
#include "ns3/fabric-time.h"
#include "ns3/fabric-warning.h"
#include "ns3/parse-units.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(ConnectionMatrixWorkload);

TypeId
ConnectionMatrixWorkload::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ConnectionMatrixWorkload")
            .SetParent<FabricWorkload>()
            .SetGroupName("Dcfabric")
            .AddConstructor<ConnectionMatrixWorkload>()
            .AddAttribute("Path",
                          "Connection matrix in the format of the htsim simulators.",
                          StringValue(""),
                          MakeStringAccessor(&ConnectionMatrixWorkload::m_path),
                          MakeStringChecker())
            .AddAttribute("Unit",
                          "Unit of start: ps, ns, us, ms or s; empty if all starts are 0.",
                          StringValue(""),
                          MakeStringAccessor(&ConnectionMatrixWorkload::m_unit),
                          MakeStringChecker())
            .AddAttribute("Priority",
                          "Priority of all flows (IEEE 802.1Qbb).",
                          UintegerValue(3),
                          MakeUintegerAccessor(&ConnectionMatrixWorkload::m_priority),
                          MakeUintegerChecker<uint8_t>(0, 7));
    return tid;
}

std::vector<FabricFlow>
ConnectionMatrixWorkload::Generate(const FabricGraph& graph)
{
    if (m_path.empty())
    {
        throw FabricError("connection matrix workload: no path given");
    }
    const ConnectionMatrixFile file = ReadConnectionMatrix(m_path, m_unit);
    if (!file.failures.empty())
    {
        throw FabricError(ShowFabricPath(m_path) + ":" +
                          std::to_string(file.failures.front().line) +
                          ": failures in a connection matrix are not supported, so the run would "
                          "differ from the file; remove them, and name the links in a "
                          "fault file (FabricFaults)");
    }
    const std::vector<uint32_t>& hosts = graph.GetHosts();
    if (file.nodes > hosts.size())
    {
        throw FabricError(ShowFabricPath(m_path) + ":" + std::to_string(file.nodesLine) +
                          ": the file is for " + FormatFabricCount(file.nodes, "node") +
                          ", the topology has " + FormatFabricCount(hosts.size(), "host"));
    }
    const int64_t latestPs = FabricTime::ToPs(AttributeRange::GetMaxTime());
    const auto late = std::find_if(file.connections.begin(),
                                   file.connections.end(),
                                   [&](const auto& c) { return c.startPs > latestPs; });
    if (late != file.connections.end())
    {
        throw FabricError(ShowFabricPath(m_path) + ":" + std::to_string(late->line) +
                          ": the start is later than 24 h; is the unit right?");
    }
    const auto prioritized =
        std::find_if(file.connections.begin(), file.connections.end(), [](const auto& c) {
            return c.priority != ConnectionMatrixFile::NO_PRIORITY;
        });
    if (prioritized != file.connections.end())
    {
        WarnFabric(ShowFabricPath(m_path) + ":" + std::to_string(prioritized->line) +
                   ": prio has no effect: it orders the pulls of a receiver, and receivers here "
                   "do not pull");
    }
    std::vector<FabricFlow> flows = file.GetFlows(m_priority);
    for (auto& flow : flows)
    {
        flow.src = hosts[flow.src];
        flow.dst = hosts[flow.dst];
    }
    m_triggers = file.GetTriggers();
    return flows;
}

} // namespace ns3
