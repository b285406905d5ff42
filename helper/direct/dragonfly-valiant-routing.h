// SPDX-License-Identifier: GPL-2.0-only
#ifndef DRAGONFLY_VALIANT_ROUTING_H
#define DRAGONFLY_VALIANT_ROUTING_H

#include "dragonfly-minimal-routing.h"
#include "ugal-routing.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <memory>
#include <string>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Valiant routing of dragonflies and dragonfly+ (Kim et al., ISCA 2008, section 4.1): each
 * packet to another group goes by way of a third one that is drawn, minimally there and minimally
 * from there.
 *
 * DragonflyVias says which ways there are, ValiantFeature sends packets on them. Two global links
 * are on a way, which takes three channels.
 */
class DragonflyValiantRouting : public DragonflyMinimalRouting
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    std::shared_ptr<const ViaPlan> MakeVias(const ViaPlan::HopCounter& hops) const override;
    Ptr<SwitchFeature> MakeViaFeature(const std::shared_ptr<const ViaPlan>& plan) const override;

  protected:
    uint8_t GetChannelChanges() const override;

    Time m_flowletGap; //!< pause after which a flow may take another way
};

/**
 * @ingroup dcfabric
 * @brief UGAL-L on dragonflies and dragonfly+ (Kim et al., ISCA 2008, section 4.2): each packet
 * takes the minimal way or one as under Valiant routing, by the queues of the switch at which it
 * enters the network (UgalFeature).
 *
 * UGAL-G, which goes by the queues of the global links wherever they are, is refused: no switch
 * knows those of another.
 */
class DragonflyUgalRouting : public UgalRouting<DragonflyValiantRouting>
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    void Attach(const FabricGraph& graph) override;

  private:
    std::string m_queues; //!< which queues decide
};

} // namespace ns3

#endif /* DRAGONFLY_VALIANT_ROUTING_H */
