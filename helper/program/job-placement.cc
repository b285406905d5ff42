// SPDX-License-Identifier: GPL-2.0-only
#include "job-placement.h"

#include <map>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(JobPlacement);

namespace
{

/// @return none: each placement adds itself
std::vector<FabricForm>
ListPlacementForms()
{
    return {};
}

/// @return the switch that a host is at; the host itself if there is none
uint32_t
FindSwitch(const FabricGraph& graph, uint32_t host)
{
    uint32_t found = host;
    for (uint32_t port = 0; port < graph.GetDegree(host); ++port)
    {
        const uint32_t peer = graph.GetPort(host, port).peer;
        if (graph.IsHost(peer))
        {
            continue;
        }
        if (!graph.IsNvSwitch(peer))
        {
            return peer;
        }
        found = found == host ? peer : found;
    }
    return found;
}

} // namespace

TypeId
JobPlacement::GetTypeId()
{
    static TypeId tid = TypeId("ns3::JobPlacement").SetParent<Object>().SetGroupName("Dcfabric");
    return tid;
}

bool
JobPlacement::IsFixed() const
{
    return false;
}

int64_t
JobPlacement::AssignStreams(int64_t /* stream */)
{
    return 0;
}

NamedTable<FabricForm>&
GetJobPlacementTable()
{
    static NamedTable<FabricForm> table(&ListPlacementForms);
    return table;
}

Ptr<JobPlacement>
MakeJobPlacement(const std::string& text)
{
    return DynamicCast<JobPlacement>(
        MakeFabricObject(text, "placement", GetJobPlacementTable().Get()));
}

std::vector<std::vector<uint32_t>>
ListPlacesBySwitch(const FabricGraph& graph)
{
    std::vector<std::vector<uint32_t>> all;
    std::map<uint32_t, std::size_t> places; // in all, by switch
    for (uint32_t place = 0; place < graph.GetNHosts(); ++place)
    {
        const auto added = places.emplace(FindSwitch(graph, graph.GetHosts()[place]), all.size());
        if (added.second)
        {
            all.emplace_back();
        }
        all[added.first->second].push_back(place);
    }
    return all;
}

} // namespace ns3
