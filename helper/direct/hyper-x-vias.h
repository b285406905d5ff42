// SPDX-License-Identifier: GPL-2.0-only
#ifndef HYPER_X_VIAS_H
#define HYPER_X_VIAS_H

#include "ns3/fabric-graph.h"
#include "ns3/grid-channels.h"
#include "ns3/via-plan.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Ways of a HyperX by way of another switch, in dimension order there and from there.
 *
 * Each switch of the network is drawn with the same probability. To go straight means to draw the
 * own switch, that of the receiver, one on the way to which the packet would come past the
 * receiver's switch, or one from which it would come back to its own.
 */
class HyperXVias : public ViaPlan
{
  public:
    /**
     * @brief List the switches.
     * @param graph the network; need not outlive this object
     * @param places of all nodes
     * @param hops of minimal ways, outlives this object
     */
    HyperXVias(const FabricGraph& graph, std::shared_ptr<const GridPlaces> places, HopCounter hops);

    std::vector<uint32_t> List(uint32_t node, uint32_t dst) const override;
    uint32_t Draw(uint32_t node, uint32_t dst, double draw) const override;

    bool EndsAt(uint32_t node, uint32_t via) const override
    {
        return node == via;
    }

    uint32_t GetHops(uint32_t node, uint32_t address) const override
    {
        return m_hops(node, address);
    }

  protected:
    /// @return true if two nodes are at one place, a host at that of its switch
    bool AreTogether(uint32_t a, uint32_t b) const
    {
        return m_places->FindDifference(a, b) == m_places->GetNDimensions();
    }

  private:
    /// @return true if the way from one place to another leads past a third one, or begins or ends
    /// there
    bool LeadsPast(uint32_t from, uint32_t to, uint32_t place) const;
    /// @return true if a packet may go by way of a switch
    bool Suits(uint32_t node, uint32_t via, uint32_t dst) const;

    std::shared_ptr<const GridPlaces> m_places;    //!< of all nodes
    HopCounter m_hops;                             //!< of minimal ways
    std::vector<uint32_t> m_railOf;                //!< by switch: place among those of its rail
    std::vector<std::vector<uint32_t>> m_switches; //!< of each rail
};

/**
 * @ingroup dcfabric
 * @brief The same where a packet that went straight may choose again behind its first link
 * (progressive adaptive routing; Jiang, Kim and Dally, ISCA 2009). Packets that switches make keep
 * to the ways of the tables.
 */
class HyperXProgressiveVias : public HyperXVias
{
  public:
    /// @copydoc HyperXVias::HyperXVias()
    HyperXProgressiveVias(const FabricGraph& graph,
                          std::shared_ptr<const GridPlaces> places,
                          HopCounter hops);

    bool MayChooseAgain(uint32_t node, uint32_t from) const override
    {
        return node != from;
    }

    bool IsNear(uint32_t /* node */, uint32_t from, uint32_t src) const override
    {
        return m_isHost[src] && AreTogether(from, src);
    }

  private:
    std::vector<bool> m_isHost; //!< by node
};

} // namespace ns3

#endif /* HYPER_X_VIAS_H */
