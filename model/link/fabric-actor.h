// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_ACTOR_H
#define FABRIC_ACTOR_H

#include "lazy-trace.h"
#include "node-calendar.h"

#include "ns3/callback.h"
#include "ns3/drop-reason.h"
#include "ns3/fabric-packet-item.h"
#include "ns3/object.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <map>
#include <memory>
#include <ostream>
#include <vector>

namespace ns3
{

class DrainEvent;
class FabricEngine;
class FabricNetDevice;
class LogComponent;
class Node;

/**
 * @ingroup dcfabric
 * @brief A node of the fabric as one actor: a NIC or a switch.
 *
 * All that happens in the node lies in one NodeCalendar and is drained by one simulator event that
 * is used again and again. Inside a node time is in picoseconds, whatever the resolution of the
 * simulator: an entry is handled in the first tick that is not before it, at its own time.
 */
class FabricActor : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    FabricActor();
    ~FabricActor() override;

    /**
     * @brief Attach to a node and take a fabric address.
     * @param node the node; this object is aggregated to it
     * @param address fabric address: the node's number in its topology
     */
    void Attach(Ptr<Node> node, uint32_t address);

    /**
     * @brief Add a port. Ports are numbered in the order of addition.
     * @param device a device without a node
     * @return its number
     */
    uint16_t AddPort(Ptr<FabricNetDevice> device);

    /// @return the number of ports
    uint16_t GetNPorts() const
    {
        return static_cast<uint16_t>(m_ports.size());
    }

    /**
     * @param port its number
     * @return port @p port
     */
    FabricNetDevice* GetPort(uint16_t port) const
    {
        return m_ports[port];
    }

    /// @return the fabric address
    uint32_t GetAddress() const
    {
        return m_address;
    }

    /// @return the node
    Ptr<Node> GetNode() const;

    /// @return the node's present time in ps: inside a handler, that of the entry being handled
    int64_t GetNowPs() const
    {
        return m_draining ? m_nowPs : SimulatorNowPs();
    }

    /// @return the present of the simulator, in ticks
    int64_t GetTick() const
    {
        return m_draining ? m_tick : SimulatorTick();
    }

    /// @return when something happened in this node last, in ps; 0: nothing has
    int64_t GetLastPs() const
    {
        return m_nowPs;
    }

    /// @return true inside a handler of this node
    bool IsHandling() const
    {
        return m_draining;
    }

    /**
     * @brief Make something happen.
     * @param timePs when, in ps, not before the present
     * @param kind what
     * @param id port or timer number
     * @param hint what the handler will read first: it is fetched while other nodes run
     */
    void Arm(int64_t timePs, CalendarKind kind, uint32_t id, const void* hint = nullptr)
    {
        m_calendar.Push(timePs, kind, id, hint);
        if (!m_draining)
        {
            ArmEvent(timePs);
        }
    }

    /**
     * @brief Have somebody called, after what happens to the node's links at that time and before
     * all else; calls of the same time in the order of asking.
     *
     * So what faults do depends neither on the scheduler of the simulator nor on the order of
     * nodes.
     * @param timePs when, in ps
     * @param what to be called
     * @throws FabricError for a time before the present
     */
    void CallAt(int64_t timePs, const Callback<void>& what);

    /**
     * @brief A packet has arrived completely at a port and is no link-level frame.
     * @param port the port
     * @param item the packet
     */
    virtual void Receive(FabricNetDevice& port, Ptr<FabricPacketItem> item) = 0;

    /**
     * @brief The node's own stack sends a packet of another protocol.
     * @param port the port
     * @param item the packet, without its size; the destination may be FabricAddress::NONE
     * @return false if it was dropped, for a reason that is counted
     * @throws FabricError if this node is no host
     */
    virtual bool SendForeign(FabricNetDevice& port, Ptr<FabricPacketItem> item);

    /**
     * @brief A port's wire is free and its queue disc has nothing to send.
     * @param port the port
     * @return a packet to send now, or null
     */
    virtual Ptr<FabricPacketItem> Pull(FabricNetDevice& port);

    /**
     * @brief When Pull() could next return something.
     * @param port the port
     * @return a time in ps, or the largest int64_t if nothing waits for a time
     */
    virtual int64_t GetPullTimePs(FabricNetDevice& port);

    /**
     * @brief A packet leaves a port's queue for its wire; its size may still change.
     * @param port the port
     * @param item the packet
     */
    virtual void OnTransmit(FabricNetDevice& port, FabricPacketItem& item);

    /**
     * @brief A packet is lost: the one way for all of them.
     *
     * It is counted, OnDrop() is called, the trace source Drop fires, and a line is logged. A
     * packet or frame that was lost on its way here is counted by the port, and not told to
     * OnDrop().
     * @param item the packet
     * @param reason why; of DropReason::QUEUE_DISC, FabricNetDevice::GetDiscReason() says more
     * @param port to which it was to go, or at which it (would have) arrived; null if there is none
     */
    void Drop(FabricPacketItem& item, DropReason reason, const FabricNetDevice* port);

    /// @return packets that this node dropped, by reason
    const DropCounts& GetDrops() const
    {
        return m_rare->drops;
    }

    /**
     * @brief Signature of the Drop trace source.
     * @param item the packet
     * @param reason why
     * @param port as of Drop()
     */
    typedef void (*DropTracedCallback)(Ptr<const FabricPacketItem> item,
                                       DropReason reason,
                                       const FabricNetDevice* port);

    /**
     * @brief A port's queue disc has thrown away a packet that it had accepted.
     * @param port the port
     * @param item the packet
     */
    virtual void OnQueueDrop(FabricNetDevice& port, FabricPacketItem& item);

    /**
     * @brief A port's queue disc has trimmed a packet, on its way into the queue or while it
     * waited.
     * @param port the port
     * @param item the packet
     * @param bytes that it has lost
     */
    virtual void OnQueueTrim(FabricNetDevice& port, FabricPacketItem& item, uint32_t bytes);

    /**
     * @brief Where a packet that a neighbor is about to send would leave this node.
     * @param item the packet
     * @return port, 0 at a host; FabricPacketItem::NO_PORT for a packet that would not be forwarded
     * @throws FabricError if the choice depends on the moment at which the packet arrives
     */
    virtual uint16_t PredictPort(const FabricPacketItem& item) const;

    /**
     * @brief Packets that had to wait at a port's gate may have a look again.
     * @param port the port
     */
    virtual void OnGateOpen(FabricNetDevice& port);

    /**
     * @brief A packet that was parked has passed the port's gate.
     * @param port the port
     * @param item the packet
     * @param owner as given to EgressGate::PassOrPark()
     */
    virtual void OnPass(FabricNetDevice& port, Ptr<FabricPacketItem> item, uint32_t owner);

    /// @return packets at rest in the node that no queue disc holds (for conservation checks)
    virtual uint64_t GetNHeldPackets() const;

    /**
     * @brief The link of a port has gone down, come up or changed its rate.
     * @param port the port
     */
    virtual void OnLinkChange(FabricNetDevice& port);

    /**
     * @brief Refuse a rate that something here is not made for.
     * @param port number of a port
     * @param rateBps its rate in bit/s
     * @throws FabricError if so
     */
    virtual void CheckRate(uint16_t port, uint64_t rateBps) const;

    /**
     * @brief Other classes of a port are stopped by its peer than before.
     * @param port the port
     * @param classes bit mask of those that are stopped now
     */
    virtual void OnPeerPause(FabricNetDevice& port, uint8_t classes);

    /**
     * @brief Handle all entries of the calendar that are due (DrainEvent).
     * @param tick the present of the simulator
     */
    void Drain(int64_t tick);

    /**
     * @brief Handle what is due in the calendar, and go on with what comes before anything that
     * others have yet to send can be here: less than the least delay of this node's links later,
     * and not beyond the engine's barrier (DrainEvent).
     * @param engine whose present is that of this node's event, and follows
     */
    void DrainAhead(FabricEngine& engine);

    /// The links are there: find how far DrainAhead() may go. @return the least delay of a link, in
    /// ps; FabricTime::NEVER: there is none
    int64_t FindHeadStart();

    /// Another process simulates this node: nothing happens in it but to its links.
    void SetElsewhere();

    /**
     * @param os where to print, for logs
     * @param actor a node
     * @return @p os, with its time and address
     */
    friend std::ostream& operator<<(std::ostream& os, const FabricActor& actor);

    /**
     * @brief The present of the simulator.
     * @return Simulator::Now() in ps
     */
    static int64_t SimulatorNowPs();
    /// @return Simulator::Now() in ticks
    static int64_t SimulatorTick();

  protected:
    /**
     * @brief This node drops a packet (Drop()).
     * @param item the packet
     * @param reason why
     * @param port as of Drop()
     */
    virtual void OnDrop(FabricPacketItem& item, DropReason reason, const FabricNetDevice* port);

    /**
     * @brief Ask the gate of a port, if it has one, which keeps the packet if it may not go.
     * @param port the port
     * @param item the packet, null if it has been kept
     * @param owner for OnPass()
     * @return true if it may go
     */
    static bool PassOrPark(FabricNetDevice& port, Ptr<FabricPacketItem>& item, uint32_t owner);

    /**
     * @brief A timer of kind TIMER is due.
     * @param id as given to Arm()
     */
    virtual void HandleTimer(uint32_t id);

    /**
     * @brief Name what the node itself will read to forward a packet.
     * @param lines takes it
     * @param port where the packet arrives
     * @param item the packet
     */
    virtual void NameRouteLines(const HotLines& lines,
                                const FabricNetDevice& port,
                                const FabricPacketItem& item) const;

    /**
     * @param item a packet that will arrive
     * @return the port at which it will probably leave; null if that is unknown
     */
    virtual const FabricNetDevice* PredictEgress(const FabricPacketItem& item) const;

    void DoInitialize() override;
    void DoDispose() override;

    std::vector<FabricNetDevice*> m_ports; //!< by number; the node holds the references

  private:
    friend class LookAhead;

    /**
     * @brief Name this object.
     * @param lines takes it
     */
    void NameHotLines(const HotLines& lines) const
    {
        lines.Add<6>(this);
    }

    /**
     * @brief Name what leads to the next entry and its port.
     * @param lines takes it
     */
    void NameCalendarLines(const HotLines& lines) const
    {
        m_calendar.NameHotLines(lines);
        lines.Add<2>(m_ports.data());
        lines.Add<1>(m_armed.data());
    }

    /// @return the next entry, null if there is none
    const NodeCalendar::Entry* PeekNext() const
    {
        return m_calendar.PeekTop();
    }

    /// Handle an entry, at its time.
    void Handle(const NodeCalendar::Entry& entry);

    /// Load what the next entry will be handled with.
    void Approach(const NodeCalendar::Entry& next) const;

    /// See that Drain() runs at a time.
    void ArmEvent(int64_t timePs);

    /// Make all calls that are due (CallAt()).
    void MakeCalls();

    /// What only losses and faults need.
    struct Rare
    {
        DropCounts drops;                             //!< packets dropped here
        std::multimap<int64_t, Callback<void>> calls; //!< to be made, by time in ps
    };

    static LogComponent g_log; //!< a component of its own, as each class here that logs has
    NodeCalendar m_calendar;   //!< what will happen
    int64_t m_nowPs{0};        //!< time of the entry that is, or was last, being handled
    int64_t m_tick{0};         //!< present of the simulator inside Drain()
    int64_t m_headStartPs{0};  //!< least delay of the links
    bool m_draining{false};    //!< inside Drain()
    uint32_t m_context{0};     //!< id of the node
    uint32_t m_address{0};     //!< fabric address
    std::vector<int64_t>
        m_armed;             //!< ticks of the pending events, strictly decreasing: the last is next
    Ptr<DrainEvent> m_event; //!< the reused event
    Node* m_node{nullptr};   //!< the node, which owns this object by aggregation
    std::unique_ptr<Rare> m_rare; //!< apart from what each packet needs
    LazyTrace<Ptr<const FabricPacketItem>, DropReason, const FabricNetDevice*>
        m_dropTrace; //!< packets lost
};

} // namespace ns3

#endif /* FABRIC_ACTOR_H */
