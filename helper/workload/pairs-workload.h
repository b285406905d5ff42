// SPDX-License-Identifier: GPL-2.0-only
#ifndef PAIRS_WORKLOAD_H
#define PAIRS_WORKLOAD_H

#include "generated-workload.h"

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Host i of the first half sends one flow to host i of the second half.
 *
 * On a dumbbell: sender i to receiver N + i. Nothing is drawn; all flows start together.
 */
class PairsWorkload : public SizedWorkload
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::vector<FabricFlow> Generate(const FabricGraph& graph) override;
};

} // namespace ns3

#endif /* PAIRS_WORKLOAD_H */
