// SPDX-License-Identifier: GPL-2.0-only
#ifndef HYPER_X_CHANNELS_H
#define HYPER_X_CHANNELS_H

#include "ns3/virtual-channels.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Virtual channels of grids whose dimensions are full meshes, for packets that go by way of
 * other switches: a packet whose next link is not of a higher dimension than the one behind it goes
 * on in the next channel.
 *
 * In one channel dimensions ascend, so that no circle closes. In dimension order from one switch to
 * another that never happens; it may where a packet comes to a via, and where it is sent by way of
 * one after its first link.
 */
class HyperXChannels : public VirtualChannels
{
  public:
    static constexpr uint8_t TO_HOST = 0xff; //!< in place of the dimension of a port

    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @brief Say where ports lead, and how often a packet changes its channel.
     * @param dimensions by port: in which the switch at the other end differs, or #TO_HOST
     * @param changes on the longest way, at least 1
     */
    void Configure(std::vector<uint8_t> dimensions, uint8_t changes);

    // from VirtualChannels
    uint8_t GetN() const override;
    uint8_t Next(uint8_t channel,
                 uint16_t ingress,
                 uint16_t egress,
                 uint32_t dst,
                 bool passedVia) const override;

  private:
    std::vector<uint8_t> m_dimensions; //!< by port
    uint8_t m_changes{1};              //!< of channels, on the longest way
};

} // namespace ns3

#endif /* HYPER_X_CHANNELS_H */
