// SPDX-License-Identifier: GPL-2.0-only
#include "program-workload.h"

#include "program-file.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-text-file.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <vector>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(ProgramWorkload);

TypeId
ProgramWorkload::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ProgramWorkload")
                            .SetParent<FabricWorkload>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<ProgramWorkload>()
                            .AddAttribute("Path",
                                          "File with the programs of ranks.",
                                          StringValue(""),
                                          MakeStringAccessor(&ProgramWorkload::m_path),
                                          MakeStringChecker())
                            .AddAttribute("Priority",
                                          "Class of all messages.",
                                          UintegerValue(3),
                                          MakeUintegerAccessor(&ProgramWorkload::m_priority),
                                          MakeUintegerChecker<uint8_t>(0, 7));
    return tid;
}

std::vector<FabricFlow>
ProgramWorkload::Generate(const FabricGraph& graph)
{
    if (m_path.empty())
    {
        throw FabricError("program workload: no path given");
    }
    auto job = std::make_shared<RankJob>(ReadProgramFile(m_path));
    AtPlace(ShowFabricPath(m_path) + ": ", [&job, &graph]() { job->GetHosts(graph); });
    m_job = job;
    return {};
}

} // namespace ns3
