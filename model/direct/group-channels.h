// SPDX-License-Identifier: GPL-2.0-only
#ifndef GROUP_CHANNELS_H
#define GROUP_CHANNELS_H

#include "virtual-channels.h"

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
 * one up and one down, in one channel closes no circle. A packet that a spine has made may have to
 * go down and up again, if another spine has the link to the group of its receiver: it goes up in
 * channel 1.
 */
class GroupChannels : public VirtualChannels
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @brief Say which ports lead to other groups, and how many such links a way has.
     * @param isGlobal by port
     * @param links on the longest way, at least 1
     * @param hasHosts hosts are at this switch: what comes from a switch of the group and goes to
     * another one turns here
     */
    void Configure(std::vector<bool> isGlobal, uint8_t links, bool hasHosts);

    // from VirtualChannels
    uint8_t GetN() const override;
    uint8_t Next(uint8_t channel,
                 uint16_t ingress,
                 uint16_t egress,
                 uint32_t dst,
                 bool passedVia) const override;

  private:
    /**
     * @param port its number
     * @return true if it leads to another switch of the group
     */
    bool IsLocal(uint16_t port) const
    {
        return port < m_isGlobal.size() && !m_isGlobal[port] && !IsHostPort(port);
    }

    std::vector<bool> m_isGlobal; //!< by port
    uint8_t m_nLinks{1};          //!< between groups, on the longest way
    bool m_hasHosts{false};       //!< at this switch
};

} // namespace ns3

#endif /* GROUP_CHANNELS_H */
