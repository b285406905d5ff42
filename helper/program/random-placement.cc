// SPDX-License-Identifier: GPL-2.0-only
#include "job-placement.h"

#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Hosts as the seed draws them, each set and order alike.
 */
class RandomPlacement : public JobPlacement
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    std::vector<uint32_t> ListPlaces(const FabricGraph& graph) override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    Ptr<UniformRandomVariable> m_random{CreateObject<UniformRandomVariable>()}; //!< draws
};

NS_OBJECT_ENSURE_REGISTERED(RandomPlacement);

namespace
{

[[maybe_unused]] const bool g_hasRandomPlacement =
    GetJobPlacementTable().Add("scattered",
                               {{"random", "ns3::RandomPlacement", {}, "as the seed draws them"}});

} // namespace

TypeId
RandomPlacement::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RandomPlacement")
                            .SetParent<JobPlacement>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<RandomPlacement>();
    return tid;
}

std::vector<uint32_t>
RandomPlacement::ListPlaces(const FabricGraph& graph)
{
    std::vector<uint32_t> places(graph.GetNHosts());
    std::iota(places.begin(), places.end(), 0U);
    for (uint32_t left = graph.GetNHosts(); left > 1; --left) // Fisher and Yates
    {
        std::swap(places[left - 1], places[m_random->GetInteger(0, left - 1)]);
    }
    return places;
}

int64_t
RandomPlacement::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

} // namespace ns3
