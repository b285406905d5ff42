// SPDX-License-Identifier: GPL-2.0-only
#ifndef DRAGONFLY_MINIMAL_ROUTING_H
#define DRAGONFLY_MINIMAL_ROUTING_H

#include "ns3/routing-algorithm.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Minimal routing of dragonflies and dragonfly+ (Kim, Dally, Scott and Abts, ISCA 2008,
 * section 4.1): to another group over one link between groups, which is one of those between the
 * two groups. Packets cross no third group, although that way may have fewer hops.
 *
 * A group is a pod of a plan with groups. Of several ways the shortest are taken: local, global,
 * local and what is left of it if the link begins or ends where the packet begins or ends.
 */
class DragonflyMinimalRouting : public RoutingAlgorithm
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    // from RoutingAlgorithm
    void Attach(const FabricGraph& graph) override;
    bool Permits(uint32_t node, uint32_t port, uint32_t destination) const override;
    bool AreAlike(uint32_t a, uint32_t b) const override;

  protected:
    /// @return how often a packet goes on in the next channel on the longest way
    virtual uint8_t GetChannelChanges() const;
    Ptr<VirtualChannels> DoMakeChannels(uint32_t node) const override;
};

} // namespace ns3

#endif /* DRAGONFLY_MINIMAL_ROUTING_H */
