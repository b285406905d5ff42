// SPDX-License-Identifier: GPL-2.0-only
#ifndef DRAGONFLY_TOPOLOGY_H
#define DRAGONFLY_TOPOLOGY_H

#include "rail-topology.h"

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Groups of fully meshed routers, joined by global links.
 *
 * Each of g groups has a routers, and each router p hosts, a link to each other router of its group
 * and h global ports. With g = a h + 1, the most there may be, each pair of groups has one link;
 * with fewer groups each has the same larger number, and ports that do not divide stay unused
 * (ArrangeGlobalLinks()). Of a balanced network a = 2 p = 2 h.
 *
 * Hosts are numbered by group, router and port, routers by group, `router-<group>-<router>`. The
 * ports of a router lead to its hosts, then to the other routers of its group in ascending order,
 * then to other groups. A group is a pod; all routers are tier 1. Link tiers: hosts, local, global.
 *
 * Source: J. Kim, W. J. Dally, S. Scott, D. Abts, "Technology-Driven, Highly-Scalable Dragonfly
 * Topology", 2008, section 3.
 */
class DragonflyTopology : public RailTopology
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
    uint32_t m_hosts;          //!< hosts p of each router
    uint32_t m_routers;        //!< routers a of each group
    uint32_t m_globals;        //!< global ports h of each router
    uint32_t m_groups;         //!< groups g; 0: as many as fit
    std::string m_arrangement; //!< of global links
};

} // namespace ns3

#endif /* DRAGONFLY_TOPOLOGY_H */
