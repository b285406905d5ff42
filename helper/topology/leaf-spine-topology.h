// SPDX-License-Identifier: GPL-2.0-only
#ifndef LEAF_SPINE_TOPOLOGY_H
#define LEAF_SPINE_TOPOLOGY_H

#include "tiered-topology.h"

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Two layers: every leaf has a link to every spine.
 *
 * Nodes are numbered hosts first (by leaf, port), then leaves, then spines. A leaf's ports lead to
 * its hosts first, then to spines 0, 1, ...; port p of a spine leads to leaf p. A leaf and its
 * hosts are one pod. Leaves are tier 1, spines tier 2.
 *
 * With `Homes` H above 1 hosts are multi-homed: H neighboring leaves form a group, whose hosts have
 * one link to each of them. A group has as many hosts as one of its leaves has ports for hosts;
 * leaf g x H + j is at port j of the hosts of group g, and the group is one pod.
 */
class LeafSpineTopology : public TieredTopology
{
  public:
    /// Largest number of leaves, spines, or hosts per leaf.
    static constexpr uint32_t MAX_COUNT = 4096;

    /// @return the TypeId
    static TypeId GetTypeId();

    FabricGraph BuildGraph() const override;

    /// @param leaves number of leaf switches, from 1 to MAX_COUNT
    void SetLeaves(uint32_t leaves)
    {
        m_leaves = leaves;
    }

    /// @param spines number of spine switches, from 1 to MAX_COUNT
    void SetSpines(uint32_t spines)
    {
        m_spines = spines;
    }

    /// @param hostsPerLeaf number of hosts at each leaf, from 1 to MAX_COUNT
    void SetHostsPerLeaf(uint32_t hostsPerLeaf)
    {
        m_hostsPerLeaf = hostsPerLeaf;
    }

    /// @param homes leaves to which each host has a link, a divisor of the number of leaves
    void SetHomes(uint32_t homes)
    {
        m_homes = homes;
    }

  private:
    uint32_t m_homes;        //!< leaves to which each host has a link
    uint32_t m_leaves;       //!< number of leaf switches, from 1 to MAX_COUNT
    uint32_t m_spines;       //!< number of spine switches, from 1 to MAX_COUNT
    uint32_t m_hostsPerLeaf; //!< number of hosts at each leaf, from 1 to MAX_COUNT
};

} // namespace ns3

#endif /* LEAF_SPINE_TOPOLOGY_H */
