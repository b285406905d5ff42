// SPDX-License-Identifier: GPL-2.0-only
#ifndef DRAGONFLY_VIAS_H
#define DRAGONFLY_VIAS_H

#include "ns3/fabric-graph.h"
#include "ns3/via-plan.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Ways of a dragonfly, or dragonfly+, by way of a third group (Kim et al., ISCA 2008).
 *
 * A via is the far end of a global link of the group in which the packet starts. All these links
 * are equally likely, which loads them alike also where pairs of groups have different numbers of
 * them; a link to the receiver's own group means to go straight. The first part of the way ends as
 * soon as the packet is in the third group: the whole way is local, global, local, global, local at
 * most. Packets for the own group, and those in networks of two groups, have no via.
 */
class DragonflyVias : public ViaPlan
{
  public:
    /**
     * @brief List the global links.
     * @param graph whose pods are groups; need not outlive this object
     * @param hops of minimal ways, outlives this object
     */
    DragonflyVias(const FabricGraph& graph, HopCounter hops);

    std::vector<uint32_t> List(uint32_t node, uint32_t dst) const override;
    uint32_t Draw(uint32_t node, uint32_t dst, double draw) const override;

    bool EndsAt(uint32_t node, uint32_t via) const override
    {
        return m_groupOf[node] == m_groupOf[via];
    }

    uint32_t GetHops(uint32_t node, uint32_t address) const override
    {
        return m_hops(node, address);
    }

  protected:
    std::vector<uint32_t> m_groupOf; //!< by node

  private:
    HopCounter m_hops;               //!< of minimal ways
    std::vector<uint32_t> m_placeOf; //!< of a switch, in m_farEnds: group and rail

    /// by group and rail: the far ends of global links, one entry for each
    std::vector<std::vector<uint32_t>> m_farEnds;
};

/**
 * @ingroup dcfabric
 * @brief The same where a packet that went straight may choose again at the second switch of its
 * group (progressive adaptive routing; Jiang, Kim and Dally, ISCA 2009).
 *
 * The way is at most local, local, global, local, global, local; in a dragonfly+ up, down, up,
 * global, down, up, global, down. Packets that switches make keep to the ways of the tables.
 */
class ProgressiveVias : public DragonflyVias
{
  public:
    /// @copydoc DragonflyVias::DragonflyVias()
    ProgressiveVias(const FabricGraph& graph, HopCounter hops);

    bool MayChooseAgain(uint32_t node, uint32_t from) const override
    {
        return m_groupOf[node] == m_groupOf[from];
    }

    bool IsNear(uint32_t node, uint32_t /* from */, uint32_t src) const override
    {
        return m_isHost[src] && m_groupOf[node] == m_groupOf[src];
    }

  private:
    std::vector<bool> m_isHost; //!< by node
};

} // namespace ns3

#endif /* DRAGONFLY_VIAS_H */
