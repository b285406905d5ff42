// SPDX-License-Identifier: GPL-2.0-only
#ifndef DRAGONFLY_PROGRESSIVE_ROUTING_H
#define DRAGONFLY_PROGRESSIVE_ROUTING_H

#include "dragonfly-valiant-routing.h"

#include <cstdint>
#include <memory>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Progressive adaptive routing of dragonflies and dragonfly+ (PAR; Jiang, Kim and Dally,
 * ISCA 2009): UGAL-L, and what goes straight decides again at the second switch of its group, by
 * the queues there.
 *
 * The second switch has the link to the other group, whose queue the first one does not see. A
 * packet that it sends by way of another group may need a second link inside its group
 * (ProgressiveVias), and so a fourth channel.
 */
class DragonflyProgressiveRouting : public DragonflyUgalRouting
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    std::shared_ptr<const ViaPlan> MakeVias(const ViaPlan::HopCounter& hops) const override;

  protected:
    uint8_t GetChannelChanges() const override;
};

} // namespace ns3

#endif /* DRAGONFLY_PROGRESSIVE_ROUTING_H */
