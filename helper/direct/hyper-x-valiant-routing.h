// SPDX-License-Identifier: GPL-2.0-only
#ifndef HYPER_X_VALIANT_ROUTING_H
#define HYPER_X_VALIANT_ROUTING_H

#include "dimension-order-routing.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <memory>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Valiant routing of a HyperX (Valiant and Brebner, STOC 1981; Ahn et al., SC 2009): each
 * packet goes by way of a switch that is drawn, in dimension order there and in dimension order
 * from there.
 *
 * HyperXVias says which ways there are, ValiantFeature sends packets on them, and HyperXChannels
 * keeps both halves apart, which takes two channels.
 */
class HyperXValiantRouting : public DimensionOrderRouting
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    void Attach(const FabricGraph& graph) override;
    std::shared_ptr<const ViaPlan> MakeVias(const ViaPlan::HopCounter& hops) const override;
    Ptr<SwitchFeature> MakeViaFeature(const std::shared_ptr<const ViaPlan>& plan) const override;

  protected:
    /// @return how often a packet goes on in the next channel on the longest way
    virtual uint8_t GetChannelChanges() const;
    Ptr<VirtualChannels> DoMakeChannels(uint32_t node) const override;

    Time m_flowletGap; //!< pause after which a flow may take another way
};

} // namespace ns3

#endif /* HYPER_X_VALIANT_ROUTING_H */
