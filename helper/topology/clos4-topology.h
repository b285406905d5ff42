// SPDX-License-Identifier: GPL-2.0-only
#ifndef CLOS4_TOPOLOGY_H
#define CLOS4_TOPOLOGY_H

#include "tiered-topology.h"

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Four-layer fat-tree of computing racks and switching racks.
 *
 * Each of `Racks` computing racks has `L1` switches of layer 1, with `HostsPerL1` hosts each, and
 * `L2` switches of layer 2; each of `SwitchingRacks` switching racks has `L3` switches of layer 3
 * and `L4` of layer 4. Within a rack each switch of one layer has a link to each of the other.
 * Between the racks each switch of layer 2 has one link to each switching rack: those of computing
 * rack r lead to switch r mod L3 of layer 3, which therefore has L2 x Racks / L3 links down.
 *
 * Nodes are numbered hosts first (by rack, layer-1 switch, port), then layers 1, 2 (by computing
 * rack), 3, 4 (by switching rack). Ports of a switch lead down first, in the order of node numbers.
 * Names are those of the source, `L2-1-1` for the first switch of layer 2 of rack 1. A computing
 * rack is a pod. Tiers are the layers. With four layers of switches the longest paths cross seven.
 *
 * Source: figure 1 of the Internet-Draft "Coordinated Congestion Management" (CCM), 2024, which
 * draws the racks but leaves open to which layer-3 switch a layer-2 switch leads.
 */
class Clos4Topology : public TieredTopology
{
  public:
    /// Largest value of each attribute.
    static constexpr uint32_t MAX_COUNT = 4096;

    /// @return the TypeId
    static TypeId GetTypeId();

    FabricGraph BuildGraph() const override;

  private:
    uint32_t m_racks;          //!< computing racks n, a multiple of m_l3
    uint32_t m_hosts;          //!< hosts at each layer-1 switch
    uint32_t m_l1;             //!< layer-1 switches b of a computing rack
    uint32_t m_l2;             //!< layer-2 switches c of a computing rack
    uint32_t m_switchingRacks; //!< switching racks m
    uint32_t m_l3;             //!< layer-3 switches d of a switching rack
    uint32_t m_l4;             //!< layer-4 switches e of a switching rack
};

} // namespace ns3

#endif /* CLOS4_TOPOLOGY_H */
