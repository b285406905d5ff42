// SPDX-License-Identifier: GPL-2.0-only
#ifndef TORUS_TOPOLOGY_H
#define TORUS_TOPOLOGY_H

#include "grid-topology.h"

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Rings of switches in any number of dimensions.
 *
 * `Dims` such as 4x4x4 are the sizes of the rings, each at least 2; with one dimension the network
 * is a ring. A switch has a link to the next and to the previous one in each dimension; in a
 * dimension of two these are the same switch, which has one link. Numbers, names and tiers are
 * those of GridTopology.
 *
 * Source: W. J. Dally, B. Towles, "Principles and Practices of Interconnection Networks", 2004,
 * chapter 5.
 */
class TorusTopology : public GridTopology
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

  protected:
    const char* GetName() const override
    {
        return "torus";
    }

    bool Wraps() const override
    {
        return true;
    }

    uint64_t CountLinks(uint64_t size) const override
    {
        return size == 2 ? 1 : size;
    }

    std::vector<uint32_t> GetFarEnds(uint32_t x, uint32_t size) const override;
};

} // namespace ns3

#endif /* TORUS_TOPOLOGY_H */
