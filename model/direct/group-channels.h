// SPDX-License-Identifier: GPL-2.0-only
#ifndef GROUP_CHANNELS_H
#define GROUP_CHANNELS_H

#include "ns3/virtual-channels.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Virtual channels of networks of groups, such as dragonflies: a packet that came over a
 * link between groups goes on in the next channel (Kim, Dally, Scott and Abts, ISCA 2008, section
 * 4.1).
 *
 * The channel is the number of such links behind the packet. Inside a group, a way of one link, or
 * one up and one down, in one channel closes no circle. Some packets need a second such way before
 * they leave the group in which they begin, which they go in channel 1: one that its second switch
 * sends by way of another group, and one that a spine has made, if another spine has the link to
 * the group of its receiver.
 */
class GroupChannels : public VirtualChannels
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Where a port leads.
    enum class Port : uint8_t
    {
        HOST,  //!< to a host
        LOCAL, //!< to a switch of the group
        GLOBAL //!< to another group
    };

    /**
     * @brief Say where ports lead, and how often a packet changes its channel.
     *
     * At a switch with hosts, what comes from a switch of the group and goes to another one turns.
     * @param ports by number
     * @param changes on the longest way, at least 1
     */
    void Configure(std::vector<Port> ports, uint8_t changes);

    // from VirtualChannels
    uint8_t GetN() const override;
    uint8_t Next(uint8_t channel,
                 uint16_t ingress,
                 uint16_t egress,
                 uint32_t dst,
                 bool passedVia) const override;

  private:
    std::vector<Port> m_ports; //!< by number
    uint8_t m_changes{1};      //!< of channels, on the longest way
    bool m_hasHosts{false};    //!< at this switch
};

} // namespace ns3

#endif /* GROUP_CHANNELS_H */
