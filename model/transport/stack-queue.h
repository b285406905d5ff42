// SPDX-License-Identifier: GPL-2.0-only
#ifndef STACK_QUEUE_H
#define STACK_QUEUE_H

#include "vector-queue.h"

#include "ns3/fabric-packet-item.h"

#include <array>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Packets of a host's own stack that wait for a port of its NIC.
 *
 * One queue for each class; the highest class that is not paused goes first. The stack and the
 * PDCs of a NIC take turns, packet by packet.
 */
class StackQueue
{
  public:
    /**
     * @brief Append.
     * @param item a packet
     */
    void Push(Ptr<FabricPacketItem> item)
    {
        const uint8_t priority = item->GetPriority();
        m_lanes[priority].push_back(std::move(item));
        m_backlog |= static_cast<uint8_t>(1U << priority);
        ++m_packets;
    }

    /**
     * @param pausedClasses bit mask
     * @return true if a packet may be sent
     */
    bool HasEligible(uint8_t pausedClasses) const
    {
        return !m_parked && (m_backlog & ~pausedClasses) != 0;
    }

    /**
     * @param pausedClasses bit mask
     * @return true if a packet may be sent and it is not the turn of the PDCs
     */
    bool IsTurn(uint8_t pausedClasses) const
    {
        return !m_yields && HasEligible(pausedClasses);
    }

    /**
     * @brief Take none, because the last one waits for credits.
     * @param parked true: it waits
     */
    void SetParked(bool parked)
    {
        m_parked = parked;
    }

    /// A PDC has sent a packet.
    void GiveTurn()
    {
        m_yields = false;
    }

    /**
     * @param pausedClasses bit mask
     * @return the next packet, null if none may be sent
     */
    Ptr<FabricPacketItem> Take(uint8_t pausedClasses);

    /// @return how many packets wait
    uint32_t GetNPackets() const
    {
        return m_packets;
    }

  private:
    std::array<VectorQueue<Ptr<FabricPacketItem>>, 8> m_lanes; //!< by class
    uint32_t m_packets{0};                                     //!< in all lanes
    uint8_t m_backlog{0};                                      //!< lanes with a packet
    bool m_yields{false};                                      //!< the PDCs go first
    bool m_parked{false};                                      //!< the last one waits for credits
};

} // namespace ns3

#endif /* STACK_QUEUE_H */
