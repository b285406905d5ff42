// SPDX-License-Identifier: GPL-2.0-only
#ifndef HOST_STACK_H
#define HOST_STACK_H

#include "vector-queue.h"

#include "ns3/drop-reason.h"
#include "ns3/fabric-packet-item.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ns3
{

class FabricNetDevice;
class FabricNic;

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

/**
 * @ingroup dcfabric
 * @brief The NIC beside the transport: packets of the host's own stack, which wait for ports and
 * share them with the PDCs.
 */
class HostStack
{
  public:
    /// @param nic the NIC
    explicit HostStack(FabricNic& nic)
        : m_nic(nic)
    {
    }

    /**
     * @brief The stack sends a packet.
     * @param port the port
     * @param item the packet, without its size
     * @return false if it was dropped, for a reason that is counted
     */
    bool Send(FabricNetDevice& port, Ptr<FabricPacketItem> item);

    /**
     * @brief A packet for the stack has arrived.
     * @param port where
     * @param item the packet
     */
    void Receive(FabricNetDevice& port, FabricPacketItem& item);

    /**
     * @param port its number
     * @return the packets that wait for a port; null if none ever waited for any
     */
    StackQueue* GetQueue(uint16_t port)
    {
        return m_queues.empty() ? nullptr : &m_queues[port];
    }

    /// @return packets that wait for ports
    uint64_t GetNPackets() const;

    /// Drop all.
    void Clear()
    {
        m_queues.clear();
    }

  private:
    /// @return why a packet cannot be sent; DropReason::NONE if it can
    DropReason FindRefusal(const FabricNetDevice& port, const FabricPacketItem& item) const;

    FabricNic& m_nic;                 //!< the NIC
    std::vector<StackQueue> m_queues; //!< of each port, at first use
};

} // namespace ns3

#endif /* HOST_STACK_H */
