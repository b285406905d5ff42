// SPDX-License-Identifier: GPL-2.0-only
#include "job-placement.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief One host of each switch in turn: neighbors share nothing below the spines.
 */
class ScatteredPlacement : public JobPlacement
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    std::vector<uint32_t> ListPlaces(const FabricGraph& graph) override;
};

NS_OBJECT_ENSURE_REGISTERED(ScatteredPlacement);

namespace
{

[[maybe_unused]] const bool g_hasScatteredPlacement = GetJobPlacementTable().Add(
    "packed",
    {{"scattered", "ns3::ScatteredPlacement", {}, "one host of each switch in turn"}});

} // namespace

TypeId
ScatteredPlacement::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ScatteredPlacement")
                            .SetParent<JobPlacement>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<ScatteredPlacement>();
    return tid;
}

std::vector<uint32_t>
ScatteredPlacement::ListPlaces(const FabricGraph& graph)
{
    const std::vector<std::vector<uint32_t>> bySwitch = ListPlacesBySwitch(graph);
    std::vector<uint32_t> places;
    for (std::size_t turn = 0; places.size() < graph.GetNHosts(); ++turn)
    {
        for (const std::vector<uint32_t>& own : bySwitch)
        {
            if (turn < own.size())
            {
                places.push_back(own[turn]);
            }
        }
    }
    return places;
}

} // namespace ns3
