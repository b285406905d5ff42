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
 * @brief What an EgressGate asks: which queue of the peer a packet goes to, and how much room there
 * is at first. Later changes are told to the gate.
 */
class PeerRoom
{
  public:
    /**
     * @param output port of the peer; FabricPacketItem::NO_PORT for what is not forwarded there
     * @param priority class
     * @return number of a queue of the peer
     */
    static uint32_t ToNumber(uint16_t output, uint8_t priority)
    {
        return uint32_t{static_cast<uint16_t>(output + 1)} * 8 + priority;
    }

    /**
     * @param item a packet
     * @return the number of the queue of the peer to which it goes
     * @throws FabricError if that is not known before it arrives there
     */
    uint32_t FindPeerQueue(const FabricPacketItem& item) const
    {
        if (item.nextOutput == FabricPacketItem::UNKNOWN_PORT)
        {
            item.nextOutput = PredictOutput(item);
        }
        return ToNumber(item.nextOutput, item.GetPriority());
    }

    /**
     * @param item a packet
     * @return port by which it will leave the peer; FabricPacketItem::NO_PORT: by none
     * @throws FabricError if that is not known before it arrives there
     */
    virtual uint16_t PredictOutput(const FabricPacketItem& item) const = 0;

    /// @return units of room in a queue of the peer through which nothing has gone
    virtual uint32_t GetFreshUnits() const = 0;

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
    bool MayPass(const FabricPacketItem& item)
    {
        const uint32_t queue = m_room.FindPeerQueue(item);
        return At(queue).free >= m_mostUnits || Refuse(queue);
    }

    /**
     * @brief A packet, for which MayPass() holds, enters the port's queue.
     * @param item the packet
     */
    void PassAllowed(const FabricPacketItem& item)
    {
        At(m_room.FindPeerQueue(item)).free -= m_mostUnits;
    }

    /**
     * @brief Let a packet enter the port's queue if it may; a refusal is remembered.
     * @param item the packet
     * @return true if it has passed
     */
    bool Pass(const FabricPacketItem& item)
    {
        return Take(m_room.FindPeerQueue(item));
    }

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
     * @param units of room that it has used up
     */
    void Leave(uint32_t queue, uint32_t units)
    {
        Lane& lane = At(queue);
        lane.free += m_mostUnits - units; // it had held the room of the largest packet
        if (lane.waiting)
        {
            OpenWaiting(queue);
        }
    }

    /**
     * @brief There is more room in a queue of the peer: let packets pass that waited for it.
     * @param queue its number
     * @param units how much more, modulo 2^32
     */
    void Grant(uint32_t queue, uint32_t units)
    {
        Lane& lane = At(queue);
        lane.free += units;
        if (lane.waiting)
        {
            OpenWaiting(queue);
        }
    }

    /**
     * @brief The same for all queues through which something was to go.
     * @param units how much more
     */
    void GrantAll(uint32_t units);

    /**
     * @brief Learn the largest packet, before the first one.
     * @param units of room that it takes
     */
    void SetMostUnits(uint32_t units)
    {
        m_mostUnits = units;
    }

    /**
     * @param queue number of a queue of the peer
     * @return units of room that no packet has used, or holds between the gate and the wire
     */
    uint32_t GetFreeUnits(uint32_t queue) const
    {
        return queue < m_lanes.size() ? m_lanes[queue].free : m_room.GetFreshUnits();
    }

    /// @return number behind that of the last queue of the peer to which something was to go
    uint32_t GetEndQueue() const
    {
        return static_cast<uint32_t>(m_lanes.size());
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
        uint32_t free;       //!< units of room, less what packets hold that have passed
        bool waiting{false}; //!< a packet was refused
    };

    /// Packets that are kept here for one queue, with their owners.
    using ParkedLane = std::deque<std::pair<Ptr<FabricPacketItem>, uint32_t>>;

    /// @return the lane to a queue of the peer
    Lane& At(uint32_t queue)
    {
        if (queue >= m_lanes.size())
        {
            AddLanes(queue);
        }
        return m_lanes[queue];
    }

    /// Have all lanes up to one.
    void AddLanes(uint32_t queue);

    /**
     * @brief Take the room of the largest packet.
     * @return false if there is not so much
     */
    bool Take(uint32_t queue)
    {
        Lane& lane = At(queue);
        if (lane.free < m_mostUnits)
        {
            return Refuse(queue);
        }
        lane.free -= m_mostUnits;
        return true;
    }

    /// Remember that a packet waits for room. @return false
    bool Refuse(uint32_t queue);
    /// Packets wait: let them pass, if there is room now.
    void OpenWaiting(uint32_t queue);

    /// A packet waits for room in a lane, or none does any longer.
    void SetWaiting(Lane& lane, bool waiting);

    FabricNetDevice& m_port;                //!< the port
    PeerRoom& m_room;                       //!< of the peer
    std::vector<Lane> m_lanes;              //!< by number of the peer's queue
    std::vector<ParkedLane> m_parked;       //!< likewise, as far as packets were kept
    uint32_t m_mostUnits{0};                //!< of the largest packet
    uint64_t m_nParked{0};                  //!< in all lanes
    uint32_t m_nWaiting{0};                 //!< lanes in which a packet waits
    uint32_t m_stopped{StoppedPorts::NONE}; //!< number in StoppedPorts
};

} // namespace ns3

#endif /* EGRESS_GATE_H */
