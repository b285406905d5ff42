// SPDX-License-Identifier: GPL-2.0-only
#ifndef DRAGONFLY_PLUS_TOPOLOGY_H
#define DRAGONFLY_PLUS_TOPOLOGY_H

#include "rail-topology.h"

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Groups of leaves and spines, joined by global links of the spines; also called Megafly.
 *
 * Each of g groups has L leaves with p hosts each, and S spines with h global ports each; every
 * leaf has a link to every spine of its group. With g = S h + 1, the most there may be, each pair
 * of groups has one link; with fewer groups each has the same larger number (ArrangeGlobalLinks()).
 *
 * Hosts are numbered by group, leaf and port; then come all leaves by group, `leaf-<group>-<leaf>`,
 * and all spines, `spine-<group>-<spine>`. A group is a pod. Leaves are tier 1, spines tier 2. Link
 * tiers: hosts, local, global. A leaf's uplinks are its spines, a spine's are its global links.
 *
 * Source: A. Shpiner et al., "Dragonfly+: Low Cost Topology for Scaling Datacenters", 2017; M.
 * Flajslik et al., "Megafly: A Topology for Exascale Systems", 2018.
 */
class DragonflyPlusTopology : public RailTopology
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    const char* GetUsualRouting() const override
    {
        return "ns3::DragonflyMinimalRouting";
    }

  protected:
    Rail PlanRail() const override;

  private:
    uint32_t m_leaves;         //!< leaves L of each group
    uint32_t m_spines;         //!< spines S of each group
    uint32_t m_hosts;          //!< hosts p of each leaf
    uint32_t m_globals;        //!< global ports h of each spine
    uint32_t m_groups;         //!< groups g; 0: as many as fit
    std::string m_arrangement; //!< of global links
};

} // namespace ns3

#endif /* DRAGONFLY_PLUS_TOPOLOGY_H */
