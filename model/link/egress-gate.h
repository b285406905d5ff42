// SPDX-License-Identifier: GPL-2.0-only
#ifndef EGRESS_GATE_H
#define EGRESS_GATE_H

#include "stopped-ports.h"

#include "ns3/fabric-packet-item.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

namespace ns3
{

class FabricNetDevice;

/**
 * @ingroup dcfabric
 * @brief What an EgressGate asks: which queue of the peer a packet goes to, and whether there is
 * room.
 */
class PeerRoom
{
  public:
    /**
     * @param item a packet
     * @return the number of the queue of the peer to which it goes
     * @throws FabricError if that is not known before it arrives there
     */
    virtual uint32_t FindPeerQueue(const FabricPacketItem& item) const = 0;

    /**
     * @param queue its number
     * @param passed packets for this queue that have passed and are not yet on the wire
     * @return true if there is room for one more packet of any size
     */
    virtual bool HasRoom(uint32_t queue, uint32_t passed) = 0;

    /**
     * @brief A first packet has to wait for room in a queue.
     * @param queue its number
     */
    virtual void OnWait(uint32_t queue) = 0;

    /**
     * @brief No packet waits for room in a queue any longer.
     * @param queue its number
     */
    virtual void OnOpen(uint32_t queue) = 0;

  protected:
    ~PeerRoom() = default;
};

/**
 * @ingroup dcfabric
 * @brief The gate of a port: a packet enters the port's queue only when the peer has room for it,
 * so that it never stands there in the way of packets for other queues of the peer.
 *
 * Between the gate and the wire, where its final size is known, a packet holds room for the largest
 * one. What may not pass waits where it is (MayPass()), or is parked here (PassOrPark()) and goes
 * to FabricActor::OnPass() in its turn. FabricActor::OnGateOpen() is called when packets may have
 * another look. Only a port whose flow control has a PeerRoom has a gate.
 */
class EgressGate
{
  public:
    /**
     * @param port owns this object
     * @param room outlives this object
     */
    EgressGate(FabricNetDevice& port, PeerRoom& room);
    ~EgressGate();

    EgressGate(const EgressGate&) = delete;
    EgressGate& operator=(const EgressGate&) = delete;

    /**
     * @brief Ask for a packet that wants to enter the port's queue; a refusal is remembered.
     * @param item the packet
     * @return true if it may
     */
    bool MayPass(const FabricPacketItem& item);

    /**
     * @brief A packet, for which MayPass() holds, enters the port's queue.
     * @param item the packet
     */
    void Pass(const FabricPacketItem& item);

    /**
     * @brief Let a packet pass, or keep it until it may.
     * @param item the packet, null if it has been kept
     * @param owner number for FabricActor::OnPass()
     * @return true if it has passed
     */
    bool PassOrPark(Ptr<FabricPacketItem>& item, uint32_t owner);

    /**
     * @brief A packet that had passed was thrown away by the port's queue.
     * @param item the packet
     */
    void ReturnRoom(const FabricPacketItem& item);

    /**
     * @brief A packet that had passed is no longer in the port's queue.
     * @param queue number of the queue of the peer
     */
    void Leave(uint32_t queue)
    {
        --At(queue).passed;
        Open(queue); // it had held the room of the largest packet
    }

    /**
     * @brief Let packets pass that waited, if there is room now.
     * @param queue number of the queue of the peer
     */
    void Open(uint32_t queue)
    {
        if (queue < m_lanes.size() && m_lanes[queue].waiting)
        {
            OpenWaiting(queue);
        }
    }

    /**
     * @param queue number of a queue of the peer
     * @return packets that have passed and are not yet on the wire
     */
    uint32_t GetNPassed(uint32_t queue) const
    {
        return queue < m_lanes.size() ? m_lanes[queue].passed : 0;
    }

    /// Parked packets and their owners.
    using Parked = std::vector<std::pair<Ptr<FabricPacketItem>, uint32_t>>;

    /// @return all parked packets, which are not kept any longer; those of a queue in their order
    Parked TakeParked();

    /// @return true if a packet, here or elsewhere, waits for room at the peer
    bool HasWaiting() const
    {
        return m_nWaiting > 0;
    }

    /**
     * @param item a packet that wants to enter the port's queue
     * @return true if one for the same queue of the peer waits for room
     */
    bool IsWaiting(const FabricPacketItem& item) const;

    /// @return packets that are kept here
    uint64_t GetNParkedPackets() const
    {
        return m_nParked;
    }

  private:
    /// Towards one queue of the peer.
    struct Lane
    {
        uint32_t passed{0};  //!< packets between Pass() and the wire
        bool waiting{false}; //!< a packet was refused
    };

    /// Packets that are kept here for one queue, with their owners.
    using ParkedLane = std::deque<std::pair<Ptr<FabricPacketItem>, uint32_t>>;

    /// @return the lane to a queue of the peer
    Lane& At(uint32_t queue)
    {
        if (queue >= m_lanes.size())
        {
            m_lanes.resize(queue + 1);
        }
        return m_lanes[queue];
    }

    /// Open() where packets wait.
    void OpenWaiting(uint32_t queue);
    /**
     * @brief Ask for one more packet to a queue of the peer.
     * @return true if it may pass
     */
    bool HasRoom(uint32_t queue);

    /// A packet waits for room in a lane, or none does any longer.
    void SetWaiting(Lane& lane, bool waiting);

    FabricNetDevice& m_port;                //!< the port
    PeerRoom& m_room;                       //!< of the peer
    std::vector<Lane> m_lanes;              //!< by number of the peer's queue
    std::vector<ParkedLane> m_parked;       //!< likewise, as far as packets were kept
    uint64_t m_nParked{0};                  //!< in all lanes
    uint32_t m_nWaiting{0};                 //!< lanes in which a packet waits
    uint32_t m_stopped{StoppedPorts::NONE}; //!< number in StoppedPorts
};

} // namespace ns3

#endif /* EGRESS_GATE_H */
