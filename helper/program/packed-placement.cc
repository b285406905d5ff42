// SPDX-License-Identifier: GPL-2.0-only
#include "job-placement.h"

#include <cstdint>
#include <numeric>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Host after host, in the order of their numbers: neighbors share switches and pods.
 */
class PackedPlacement : public JobPlacement
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    std::vector<uint32_t> ListPlaces(const FabricGraph& graph) override;
};

NS_OBJECT_ENSURE_REGISTERED(PackedPlacement);

namespace
{

[[maybe_unused]] const bool g_hasPackedPlacement =
    GetJobPlacementTable().Add("", {{"packed", "ns3::PackedPlacement", {}, "host after host"}});

} // namespace

TypeId
PackedPlacement::GetTypeId()
{
    static TypeId tid = TypeId("ns3::PackedPlacement")
                            .SetParent<JobPlacement>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<PackedPlacement>();
    return tid;
}

std::vector<uint32_t>
PackedPlacement::ListPlaces(const FabricGraph& graph)
{
    std::vector<uint32_t> places(graph.GetNHosts());
    std::iota(places.begin(), places.end(), 0U);
    return places;
}

} // namespace ns3
