// SPDX-License-Identifier: GPL-2.0-only
#ifndef PERMUTATION_WORKLOAD_H
#define PERMUTATION_WORKLOAD_H

#include "generated-workload.h"

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Every host sends one flow to another host, and every host receives one.
 *
 * The pairing is a derangement (no host sends to itself) drawn so that all derangements are equally
 * likely. Flow i is that of the i-th host; all start together.
 */
class PermutationWorkload : public SizedWorkload
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

#endif /* PERMUTATION_WORKLOAD_H */
