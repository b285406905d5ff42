// SPDX-License-Identifier: GPL-2.0-only
#ifndef ADAPTIVE_GRID_CHANNELS_H
#define ADAPTIVE_GRID_CHANNELS_H

#include "grid-channels.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief GridChannels of packets that take dimensions in any order as long as there is a level for
 * their turns: of the ports that a packet may take the one for which the fewest bytes wait, the
 * path selector's if that is one of these.
 *
 * On the last level dimensions ascend, so that there is always a port that a packet may take.
 * Without classes, where nothing waits for room, all orders will do.
 */
class AdaptiveGridChannels : public GridChannels
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    // from VirtualChannels
    bool Allows(uint8_t channel, uint16_t ingress, uint16_t egress, uint32_t dst) const override;

    // from SwitchFeature
    uint32_t GetHooks() const override;
    Effects GetEffects() const override;
    void OnChoosePath(const PortGroup& group, FabricPacketItem& item, uint16_t& port) override;
};

} // namespace ns3

#endif /* ADAPTIVE_GRID_CHANNELS_H */
