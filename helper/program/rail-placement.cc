// SPDX-License-Identifier: GPL-2.0-only
#include "job-placement.h"

#include "ns3/fabric-error.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Rail by rail: the first GPU of each server, then the second one of each, and so on.
 *
 * Hosts that share an NVSwitch are the GPUs of a server, and those of one place in their servers
 * are a rail. So ranks that follow one another are in different servers, and at the same rail
 * switches.
 */
class RailPlacement : public JobPlacement
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    std::vector<uint32_t> ListPlaces(const FabricGraph& graph) override;
};

NS_OBJECT_ENSURE_REGISTERED(RailPlacement);

namespace
{

[[maybe_unused]] const bool g_hasRailPlacement =
    GetJobPlacementTable().Add("random",
                               {{"by-rail",
                                 "ns3::RailPlacement",
                                 {},
                                 "the first GPU of each server, then the second of each"}});

} // namespace

TypeId
RailPlacement::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RailPlacement")
                            .SetParent<JobPlacement>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<RailPlacement>();
    return tid;
}

std::vector<uint32_t>
RailPlacement::ListPlaces(const FabricGraph& graph)
{
    std::map<uint32_t, uint32_t> sizes; // of servers, by NVSwitch
    std::vector<std::vector<uint32_t>> rails;
    for (uint32_t place = 0; place < graph.GetNHosts(); ++place)
    {
        const uint32_t host = graph.GetHosts()[place];
        const FabricGraph::Port* ports = graph.GetPorts(host);
        const FabricGraph::Port* end = ports + graph.GetDegree(host);
        const auto* inside = std::find_if(ports, end, [&graph](const FabricGraph::Port& port) {
            return graph.IsNvSwitch(port.peer);
        });
        if (inside == end)
        {
            throw FabricError("placement 'by-rail': host " + std::to_string(host) +
                              " is in no server with an NVSwitch, so that there are no rails of "
                              "hosts; take packed or scattered, or a topology with servers");
        }
        const uint32_t rail = sizes[inside->peer]++;
        rails.resize(std::max<std::size_t>(rails.size(), rail + std::size_t{1}));
        rails[rail].push_back(place);
    }
    std::vector<uint32_t> places;
    for (const std::vector<uint32_t>& rail : rails)
    {
        places.insert(places.end(), rail.begin(), rail.end());
    }
    return places;
}

} // namespace ns3
