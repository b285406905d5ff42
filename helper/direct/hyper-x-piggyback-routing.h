// SPDX-License-Identifier: GPL-2.0-only
#ifndef HYPER_X_PIGGYBACK_ROUTING_H
#define HYPER_X_PIGGYBACK_ROUTING_H

#include "hyper-x-valiant-routing.h"
#include "piggyback-routing.h"

#include "ns3/told-links.h"

#include <cstdint>
#include <memory>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Adaptive routing of a HyperX by the use of links, which neighbors tell one another (the
 * idea of PB; Jiang, Kim and Dally, ISCA 2009): each packet goes in dimension order or as under
 * HyperXValiantRouting (PiggybackFeature, GridLinks). In two dimensions a switch knows both links
 * of each minimal way.
 */
class HyperXPiggybackRouting : public PiggybackRouting<HyperXValiantRouting>
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
 * @brief HyperXPiggybackRouting that is progressive: what goes straight decides again at the second
 * switch, as under HyperXProgressiveRouting.
 */
class HyperXProgressivePiggybackRouting : public HyperXPiggybackRouting
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    std::shared_ptr<const ViaPlan> MakeVias(const ViaPlan::HopCounter& hops) const override;

  protected:
    uint8_t GetChannelChanges() const override;
};

} // namespace ns3

#endif /* HYPER_X_PIGGYBACK_ROUTING_H */
