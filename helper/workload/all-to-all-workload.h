// SPDX-License-Identifier: GPL-2.0-only
#ifndef ALL_TO_ALL_WORKLOAD_H
#define ALL_TO_ALL_WORKLOAD_H

#include "generated-workload.h"

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Every host sends one flow to every other host; all start together, nothing is drawn.
 *
 * With N hosts, flow r x N + i goes from host i to host (i + r + 1) mod N (of the hosts in
 * ascending order): each round r is a permutation, so that NICs which take turns do not begin with
 * an incast.
 */
class AllToAllWorkload : public SizedWorkload
{
  public:
    /// Largest number of flows that are made.
    static constexpr uint64_t MAX_FLOWS = 50000000;

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::vector<FabricFlow> Generate(const FabricGraph& graph) override;
};

} // namespace ns3

#endif /* ALL_TO_ALL_WORKLOAD_H */
