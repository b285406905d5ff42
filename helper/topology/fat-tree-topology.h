// SPDX-License-Identifier: GPL-2.0-only
#ifndef FAT_TREE_TOPOLOGY_H
#define FAT_TREE_TOPOLOGY_H

#include "tiered-topology.h"

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Three-layer fat-tree of k-port switches: k^3/4 hosts, k pods of k/2 edge and k/2
 * aggregation switches, k^2/4 cores.
 *
 * Nodes are numbered hosts first (by pod, edge switch, port), then edge switches, aggregation
 * switches (both by pod), cores. With h = k/2, an edge switch has ports 0 .. h-1 to its hosts and h
 * .. k-1 to aggregation switches 0 .. h-1 of its pod; an aggregation switch j has ports 0 .. h-1 to
 * edge switches 0 .. h-1 and h .. k-1 to cores j*h .. j*h+h-1; port p of a core leads to pod p.
 * Choosing the same index among equal-cost ports in both directions therefore gives the same path
 * both ways, which symmetric ECMP needs.
 *
 * Source of the layout: Al-Fares, Loukissas, Vahdat, "A scalable, commodity data center network
 * architecture", 2008.
 */
class FatTreeTopology : public TieredTopology
{
  public:
    /// Largest number of ports per switch.
    static constexpr uint32_t MAX_K = 128;

    /// @return the TypeId
    static TypeId GetTypeId();

    FabricGraph BuildGraph() const override;

    /// @param k ports per switch, even, from 2 to MAX_K
    void SetK(uint32_t k)
    {
        m_k = k;
    }

  private:
    uint32_t m_k; //!< ports per switch, even, from 2 to MAX_K
};

} // namespace ns3

#endif /* FAT_TREE_TOPOLOGY_H */
