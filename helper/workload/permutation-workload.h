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
class PermutationWorkload : public GeneratedWorkload
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::vector<FabricFlow> Generate(const FabricGraph& graph) override;

    /**
     * @param sizeBytes payload of each flow, bytes, at least 1
     */
    void SetSize(uint64_t sizeBytes)
    {
        m_size = sizeBytes;
    }

    /// @return payload of each flow, bytes
    uint64_t GetSize() const
    {
        return m_size;
    }

  private:
    uint64_t m_size; //!< payload of each flow, bytes
};

} // namespace ns3

#endif /* PERMUTATION_WORKLOAD_H */
