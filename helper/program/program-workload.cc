// SPDX-License-Identifier: GPL-2.0-only
#include "program-workload.h"

#include "program-file.h"

#include "ns3/attribute-range.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-text-file.h"
#include "ns3/fabric-time.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <filesystem>
#include <utility>
#include <vector>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(ProgramWorkload);

TypeId
ProgramWorkload::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ProgramWorkload")
            .SetParent<FabricWorkload>()
            .SetGroupName("Dcfabric")
            .AddConstructor<ProgramWorkload>()
            .AddAttribute("Path",
                          "File with the programs of ranks.",
                          StringValue(""),
                          MakeStringAccessor(&ProgramWorkload::m_path),
                          MakeStringChecker())
            .AddAttribute("Name",
                          "Name of the job among others; empty: that of the file.",
                          StringValue(""),
                          MakeStringAccessor(&ProgramWorkload::SetName, &ProgramWorkload::GetName),
                          MakeStringChecker())
            .AddAttribute("Placement",
                          "Which of the hosts that no other job has it gets: "
                          "packed, scattered, random, by-rail or file:PATH; empty: "
                          "those that the file says, or else packed.",
                          StringValue(""),
                          MakeStringAccessor(&ProgramWorkload::m_placement),
                          MakeStringChecker())
            .AddAttribute("Start",
                          "When the programs begin.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&ProgramWorkload::m_start),
                          MakeTimeChecker(Time(0), AttributeRange::GetMaxTime()))
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
    m_placer = m_placer || m_placement.empty() ? m_placer : MakeJobPlacement(m_placement);
    if (!m_placer)
    {
        AtPlace(ShowFabricPath(m_path) + ": ", [&job, &graph]() { job->GetHosts(graph); });
    }
    m_job = job;
    m_places = m_placer            ? m_placer->ListPlaces(graph)
               : m_job->IsPlaced() ? m_job->GetPlaces()
                                   : MakeJobPlacement("packed")->ListPlaces(graph);
    return {};
}

JobRequest
ProgramWorkload::MakeRequest(const std::string& name, uint16_t group) const
{
    JobRequest request;
    request.job = *m_job;
    request.job.SetName(name, FabricTime::ToPs(m_start), group, m_priority);
    request.places = m_places;
    request.fixed = m_placer ? m_placer->IsFixed() : m_job->IsPlaced();
    return request;
}

std::string
ProgramWorkload::GetName() const
{
    return m_name.empty() ? std::filesystem::path(m_path).stem().string() : m_name;
}

void
ProgramWorkload::SetName(std::string name)
{
    m_name = std::move(name);
}

int64_t
ProgramWorkload::AssignStreams(int64_t stream)
{
    m_placer = m_placement.empty() ? nullptr : MakeJobPlacement(m_placement);
    return m_placer ? m_placer->AssignStreams(stream) : 0;
}

} // namespace ns3
