// SPDX-License-Identifier: GPL-2.0-only
#ifndef HYPER_X_TOPOLOGY_H
#define HYPER_X_TOPOLOGY_H

#include "grid-topology.h"

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Switches in any number of dimensions, fully meshed in each.
 *
 * `Dims` such as 4x4 are the numbers of switches in each dimension, each at least 2; `Links` is the
 * number of parallel links between two neighbors. With one dimension the network is a full mesh;
 * with sizes that are all the number of hosts it is a flattened butterfly. Numbers, names and tiers
 * are those of GridTopology.
 *
 * Source: J. H. Ahn et al., "HyperX: Topology, Routing, and Packaging of Efficient Large-Scale
 * Networks", 2009, section 3.
 */
class HyperXTopology : public GridTopology
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

  protected:
    const char* GetName() const override
    {
        return "hyperx";
    }

    bool Wraps() const override
    {
        return false;
    }

    uint64_t CountLinks(uint64_t size) const override
    {
        return m_links * (size * (size - 1) / 2);
    }

    std::vector<uint32_t> GetFarEnds(uint32_t x, uint32_t size) const override;

  private:
    uint32_t m_links; //!< parallel links between two neighbors
};

} // namespace ns3

#endif /* HYPER_X_TOPOLOGY_H */
