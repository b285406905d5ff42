// SPDX-License-Identifier: GPL-2.0-only
#ifndef HYPER_X_UGAL_ROUTING_H
#define HYPER_X_UGAL_ROUTING_H

#include "hyper-x-valiant-routing.h"
#include "ugal-routing.h"

#include <cstdint>
#include <memory>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief UGAL-L on a HyperX (Singh, 2005; Ahn et al., SC 2009): each packet goes in dimension order
 * or as under HyperXValiantRouting, by the queues of the switch at which it enters the network
 * (UgalFeature).
 */
class HyperXUgalRouting : public UgalRouting<HyperXValiantRouting>
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
};

/**
 * @ingroup dcfabric
 * @brief HyperXUgalRouting that is progressive (PAR; Jiang, Kim and Dally, ISCA 2009): what goes
 * straight decides again at the second switch, by the queues there, which takes a third channel.
 */
class HyperXProgressiveRouting : public HyperXUgalRouting
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    std::shared_ptr<const ViaPlan> MakeVias(const ViaPlan::HopCounter& hops) const override;

  protected:
    uint8_t GetChannelChanges() const override;
};

} // namespace ns3

#endif /* HYPER_X_UGAL_ROUTING_H */
