// SPDX-License-Identifier: GPL-2.0-only
#ifndef SWITCH_BUFFER_H
#define SWITCH_BUFFER_H

#include "ns3/drop-reason.h"
#include "ns3/fabric-packet-item.h"
#include "ns3/hot-lines.h"
#include "ns3/object.h"

#include <cstdint>
#include <functional>
#include <ostream>
#include <vector>

namespace ns3
{

class FabricSwitch;
class OutputFilter;

/**
 * @ingroup dcfabric
 * @brief The packet memory of a switch: who may store how much, and what waits where.
 *
 * A packet that has arrived is admitted, or dropped with a reason. A lossless class is never
 * dropped as long as its peers obey: what comes after the buffer has asked for a stop goes to the
 * headroom of its ingress port. One instance serves one switch.
 *
 * SharedBuffer hands each packet to its egress queue at once; VoqBuffer keeps it in a queue of its
 * own until an arbiter lets it pass.
 */
class SwitchBuffer : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// What happens to an arriving packet.
    struct Verdict
    {
        DropReason refused; //!< why it is dropped; NONE: it is stored
        bool congested;     //!< stored in the headroom: the peer has to stop

        /**
         * @param other another
         * @return true if the same happens
         */
        constexpr bool operator==(const Verdict& other) const
        {
            return refused == other.refused && congested == other.congested;
        }
    };

    /**
     * @param os where to print
     * @param verdict what happens
     * @return @p os
     */
    friend std::ostream& operator<<(std::ostream& os, const Verdict& verdict)
    {
        return os << (verdict.congested ? "to headroom" : "") << verdict.refused;
    }

    static constexpr Verdict ADMITTED{DropReason::NONE, false};            //!< stored
    static constexpr Verdict ADMITTED_TO_HEADROOM{DropReason::NONE, true}; //!< and congested

    /// A packet that asks for room.
    struct Arrival
    {
        uint16_t ingress;     //!< port at which it came
        uint16_t egress;      //!< port to which it goes
        uint8_t priority;     //!< class, 0 to 7
        uint32_t bytes;       //!< its size
        uint64_t egressBytes; //!< bytes of its class that wait at the egress (lossy classes only)
        uint32_t flags{0};    //!< FabricPacketItem::FLAG_ bits of the packet
    };

    /**
     * @brief Divide the memory.
     * @param headroomBytes for each port, the headroom of each of its lossless classes
     * @param losslessClasses bit mask
     * @param usedClasses bit mask of the classes that carry traffic: only those get headroom
     * @throws FabricError if that is impossible
     */
    virtual void Configure(const std::vector<uint64_t>& headroomBytes,
                           uint8_t losslessClasses,
                           uint8_t usedClasses) = 0;

    /**
     * @brief A packet asks for room.
     * @param arrival the packet
     * @return what happens; nothing is charged for a dropped packet
     * @throws FabricError for a class that is not in use
     */
    virtual Verdict AdmitArrival(const Arrival& arrival) = 0;

    /**
     * @brief A packet leaves the room that its ingress port was charged for.
     * @param ingress port at which it came
     * @param egress port to which it goes
     * @param priority class, 0 to 7
     * @param bytes what was charged
     * @return true if the ingress queue was congested and is no longer
     */
    virtual bool ReleaseRoom(uint16_t ingress,
                             uint16_t egress,
                             uint8_t priority,
                             uint32_t bytes) = 0;

    /**
     * @brief Fix the random streams.
     * @param stream first stream
     * @return how many are used, at most 1
     */
    virtual int64_t AssignStreams(int64_t stream);

    /// @return true if packets wait here before they go to the egress queue (asked once)
    virtual bool HoldsPackets() const;

    /**
     * @brief Take an arrived packet that no feature may drop once it is admitted: AdmitArrival(),
     * FabricSwitch::TellAdmitted() and Hold() at once.
     * @param item the packet, taken
     * @param egress port to which it goes
     * @return false if nothing was done, because there is more to do, as where there is little
     * room; the default is that
     */
    virtual bool TakeArrival(Ptr<FabricPacketItem>& item, uint16_t egress);

    /**
     * @brief Serve a switch whose ports all exist.
     * @param owner the switch, outlives this object
     */
    virtual void Attach(FabricSwitch* owner);

    /**
     * @brief Keep an admitted packet.
     * @param item the packet
     * @param egress port to which it goes
     */
    virtual void Hold(Ptr<FabricPacketItem> item, uint16_t egress);

    /**
     * @brief A packet that was admitted is dropped before Hold(); its room is released next.
     * @param bytes what it had been charged
     */
    virtual void CancelAdmission(uint32_t bytes);

    /**
     * @brief Give up what waits here for a port, and the room of it (FabricSwitch::Release()).
     * @param egress the port
     * @param classes bit mask of the classes to give up
     * @return the packets
     */
    virtual std::vector<Ptr<FabricPacketItem>> TakeWaiting(uint16_t egress, uint8_t classes);

    /**
     * @brief A packet that had been kept here has left the egress queue.
     * @param egress the port
     * @param priority class, 0 to 7
     * @param bytes what was charged
     */
    virtual void OnDeparture(uint16_t egress, uint8_t priority, uint32_t bytes);

    /**
     * @brief The gate of a port, or the filter, lets packets pass that it had refused.
     * @param egress the port
     */
    virtual void OnGateOpen(uint16_t egress);

    /**
     * @brief Have a filter say what may leave the input queues.
     * @param filter outlives this object; null: all may
     * @throws FabricError if there are no such queues
     */
    virtual void SetFilter(OutputFilter* filter);

    /**
     * @brief A time asked for with FabricSwitch::ArmBufferTimer() has come.
     * @param id as given
     */
    virtual void HandleTimer(uint32_t id);

    /// @return packets that wait here
    virtual uint64_t GetNHeldPackets() const;

    /**
     * @brief Look at the packets that wait here for a port: input queue by input queue, in the
     * order in which each of them would let them go.
     * @param egress the port
     * @param visit called with each
     */
    virtual void VisitHeld(uint16_t egress,
                           const std::function<void(const FabricPacketItem&)>& visit) const;

    /**
     * @param egress the port
     * @return bytes that wait here for a port
     */
    virtual uint64_t GetWaitingBytes(uint16_t egress) const;
    /**
     * @param egress the port
     * @param priority class, 0 to 7
     * @return bytes of one class that wait here for a port
     */
    virtual uint64_t GetWaitingBytes(uint16_t egress, uint8_t priority) const;

    /**
     * @param ingress port at which packets came
     * @param egress port to which they go
     * @param priority class, 0 to 7
     * @return bytes in their input queue; that of all egress ports, if there is none for each; 0
     * for a class that is not in use
     */
    virtual uint64_t GetInputBytes(uint16_t ingress, uint16_t egress, uint8_t priority) const;

    /**
     * @param egress the port
     * @param priority class, 0 to 7
     * @return most bytes of one class that ever waited for a port, here and in its queue disc; 0 if
     * packets do not wait here
     */
    virtual uint64_t GetMaxQueueBytes(uint16_t egress, uint8_t priority) const;
    /**
     * @param egress the port
     * @return most bytes of all classes that ever waited for a port, as GetMaxQueueBytes()
     */
    virtual uint64_t GetMaxPortBytes(uint16_t egress) const;
    /**
     * @param egress the port
     * @param nowPs the present in ps, or a time since which nothing has happened
     * @return time average up to then of the bytes that wait here for a port, in its queue disc not
     * counted
     */
    virtual double GetMeanWaitingBytes(uint16_t egress, int64_t nowPs) const;

    /**
     * @brief Name what AdmitArrival() will read.
     * @param lines takes it
     * @param ingress port
     * @param priority class
     */
    virtual void NameHotLines(const HotLines& lines, uint16_t ingress, uint8_t priority) const;

    /**
     * @param priority class, 0 to 7
     * @return true if packets of a class are never to be dropped
     */
    bool IsLossless(uint8_t priority) const
    {
        return (m_lossless >> priority) & 1;
    }

    /// @return bytes in memory
    uint64_t GetUsedBytes() const
    {
        return m_usedBytes;
    }

    /// @return most bytes that ever were in memory
    uint64_t GetMaxUsedBytes() const
    {
        return m_maxUsedBytes;
    }

  protected:
    /**
     * @brief Refuse a packet of a class that is not in use.
     * @param priority class
     */
    [[noreturn]] static void RefuseClass(uint8_t priority);

    uint8_t m_lossless{0};      //!< lossless classes
    uint8_t m_used{0};          //!< classes in use
    uint64_t m_usedBytes{0};    //!< used of everything
    uint64_t m_maxUsedBytes{0}; //!< most that was used
};

} // namespace ns3

#endif /* SWITCH_BUFFER_H */
