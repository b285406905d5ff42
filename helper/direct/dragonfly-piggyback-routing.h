// SPDX-License-Identifier: GPL-2.0-only
#ifndef DRAGONFLY_PIGGYBACK_ROUTING_H
#define DRAGONFLY_PIGGYBACK_ROUTING_H

#include "dragonfly-valiant-routing.h"
#include "piggyback-routing.h"

#include "ns3/told-links.h"

#include <cstdint>
#include <memory>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Adaptive routing of dragonflies and dragonfly+ by the use of the links between groups,
 * which the switches of a group tell one another (PB; Jiang, Kim and Dally, ISCA 2009): each packet
 * takes the minimal way or one as under Valiant routing (PiggybackFeature).
 */
class DragonflyPiggybackRouting : public PiggybackRouting<DragonflyValiantRouting>
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

  private:
    std::shared_ptr<const ToldLinks> MakeLinks() const override;
    Time GetRoundTrip() const override;
};

/**
 * @ingroup dcfabric
 * @brief DragonflyPiggybackRouting that is progressive: what goes straight decides again at the
 * second switch of its group, as under DragonflyProgressiveRouting. It knows the link to the other
 * group at once.
 */
class DragonflyProgressivePiggybackRouting : public DragonflyPiggybackRouting
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    std::shared_ptr<const ViaPlan> MakeVias(const ViaPlan::HopCounter& hops) const override;

  protected:
    uint8_t GetChannelChanges() const override;
};

} // namespace ns3

#endif /* DRAGONFLY_PIGGYBACK_ROUTING_H */
