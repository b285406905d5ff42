// SPDX-License-Identifier: GPL-2.0-only
#ifndef DIMENSION_ORDER_ROUTING_H
#define DIMENSION_ORDER_ROUTING_H

#include "grid-routing.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Dimension-order routing of torus and HyperX: first to the right place in the first
 * dimension, then in the second, and so on. In a ring the shorter way round, and up (to the next
 * coordinate) if both are as long (Dally and Towles, Principles and Practices of Interconnection
 * Networks, 2004, section 8.4).
 */
class DimensionOrderRouting : public GridRouting
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    // from RoutingAlgorithm
    bool Permits(uint32_t node, uint32_t port, uint32_t destination) const override;

  protected:
    Ptr<VirtualChannels> DoMakeChannels(uint32_t node) const override;
};

} // namespace ns3

#endif /* DIMENSION_ORDER_ROUTING_H */
