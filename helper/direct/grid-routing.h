// SPDX-License-Identifier: GPL-2.0-only
#ifndef GRID_ROUTING_H
#define GRID_ROUTING_H

#include "ns3/grid-channels.h"
#include "ns3/routing-algorithm.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Base class of the routing of grids: torus and HyperX.
 */
class GridRouting : public RoutingAlgorithm
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    // from RoutingAlgorithm
    void Attach(const FabricGraph& graph) override;

  protected:
    /**
     * @brief Tell channels where they are.
     * @param channels of a switch
     * @param node number of the switch
     * @param levels see GridChannels::Configure()
     */
    void ConfigureChannels(GridChannels& channels, uint32_t node, uint8_t levels) const;

    /**
     * @param node number of a switch
     * @param peer number of a neighbor of it
     * @return where the link between them leads
     */
    GridChannels::Direction GetDirection(uint32_t node, uint32_t peer) const;

    std::shared_ptr<const GridPlaces> m_places; //!< of all nodes

  private:
    /// Refuse a link that is not between neighbors of the grid.
    void CheckLink(const FabricLink& link) const;
};

} // namespace ns3

#endif /* GRID_ROUTING_H */
