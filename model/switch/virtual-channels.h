// SPDX-License-Identifier: GPL-2.0-only
#ifndef VIRTUAL_CHANNELS_H
#define VIRTUAL_CHANNELS_H

#include "switch-feature.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Virtual channels of links between switches: a packet changes its channel on its way, so
 * that no circle of packets waits for one another (Dally and Seitz, IEEE Trans. Computers C-36,
 * 1987).
 *
 * A channel is a class: that of the sender is channel 0, and SetClasses() names those of the
 * others. A packet has its room under the class of arrival (FabricPacketItem::bufferClass); it
 * changes when it has got that room, before it waits or is queued, so that pauses and credits of
 * the class of the next link hold for it. On the link to a host it has the class of its sender
 * again: hosts notice nothing.
 *
 * The rule is a pure function of what a switch knows (Next(), Allows()), so that a proof can follow
 * it without packets. A RoutingAlgorithm makes the object that fits its routes.
 */
class VirtualChannels : public SwitchFeature
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @return channels that the rule needs, at least 1
    virtual uint8_t GetN() const = 0;

    /**
     * @param channel on the link of arrival; 0 if that is a host's
     * @param ingress port of arrival
     * @param egress port to another switch
     * @param dst address of the destination
     * @param passedVia the packet had another destination until it came to this switch
     * @return channel on the link of departure
     */
    virtual uint8_t Next(uint8_t channel,
                         uint16_t ingress,
                         uint16_t egress,
                         uint32_t dst,
                         bool passedVia) const = 0;

    /**
     * @brief Of the ports that the forwarding table has, those that a packet may take.
     * @param channel on the link of arrival; 0 if that is a host's
     * @param ingress port of arrival
     * @param egress a port towards the destination
     * @param dst address of the destination
     * @return true if it may; the default is that it may always
     */
    virtual bool Allows(uint8_t channel, uint16_t ingress, uint16_t egress, uint32_t dst) const;

    /**
     * @brief Say which class each channel is.
     * @param families lists of classes, 0 to 7, each class in one of them at most: the class of the
     * sender, then those of channels 1, 2 ... A channel beyond the end of a list is its last class,
     * and classes that are in no list do not change
     */
    void SetClasses(const std::vector<std::vector<uint8_t>>& families);

    /// @return as of SetClasses()
    const std::vector<std::vector<uint8_t>>& GetClasses() const
    {
        return m_families;
    }

    /**
     * @brief Tell where hosts are.
     * @param isHost by port: a host is at the other end
     */
    void SetHostPorts(std::vector<bool> isHost);

    /**
     * @param priority class, 0 to 7
     * @return the channel that it is, 0 for one that is in no list
     */
    uint8_t GetChannel(uint8_t priority) const
    {
        return m_places[priority].channel;
    }

    /**
     * @param priority class of arrival, 0 to 7
     * @param ingress,egress,dst,passedVia as for Next(), but any port
     * @return class on the link of departure
     */
    uint8_t GetNextClass(uint8_t priority,
                         uint16_t ingress,
                         uint16_t egress,
                         uint32_t dst,
                         bool passedVia) const;

    // from SwitchFeature
    uint32_t GetHooks() const override;
    void OnAdmit(FabricNetDevice& ingress,
                 FabricNetDevice& egress,
                 FabricPacketItem& item) override;

  protected:
    /**
     * @param port its number
     * @return true if a host is at the other end
     */
    bool IsHostPort(uint16_t port) const
    {
        return port < m_isHost.size() && m_isHost[port];
    }

  private:
    static constexpr uint8_t NO_FAMILY = 0xff; //!< of a class that does not change

    /// What a class is.
    struct Place
    {
        uint8_t family{NO_FAMILY};        //!< list of SetClasses()
        uint8_t channel{0};               //!< place in the list
        std::array<uint8_t, 8> classes{}; //!< of the list, up to its end and then its last one
    };

    std::array<Place, 8> m_places{};              //!< by class
    std::vector<bool> m_isHost;                   //!< by port
    std::vector<std::vector<uint8_t>> m_families; //!< classes of channels
};

} // namespace ns3

#endif /* VIRTUAL_CHANNELS_H */
