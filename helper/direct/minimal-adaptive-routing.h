// SPDX-License-Identifier: GPL-2.0-only
#ifndef MINIMAL_ADAPTIVE_ROUTING_H
#define MINIMAL_ADAPTIVE_ROUTING_H

#include "grid-routing.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Minimal adaptive routing of torus and HyperX: packets take the dimensions in any order, as
 * queues are, on shortest ways only. Under a lossless flow control they turn from a higher to a
 * lower dimension `Reversals` times at most, and go in the order of dimensions from there
 * (AdaptiveGridChannels).
 *
 * An escape channel (Duato, IEEE Trans. Parallel and Distributed Systems 4, 1993) would need fewer
 * channels, but it frees only a packet that has not yet chosen its output: here it has, when it
 * enters a queue.
 */
class MinimalAdaptiveRouting : public GridRouting
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    // from RoutingAlgorithm
    bool PermitsAll() const override;

  protected:
    Ptr<VirtualChannels> DoMakeChannels(uint32_t node) const override;

  private:
    uint8_t m_reversals{1}; //!< turns from a higher to a lower dimension that a packet may take
};

} // namespace ns3

#endif /* MINIMAL_ADAPTIVE_ROUTING_H */
