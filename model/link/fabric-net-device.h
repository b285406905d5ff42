// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_NET_DEVICE_H
#define FABRIC_NET_DEVICE_H

#include "egress-gate.h"
#include "fabric-actor.h"
#include "fabric-time.h"
#include "lazy-trace.h"
#include "link-flow-control.h"
#include "port-link.h"
#include "port-queue.h"
#include "port-stack.h"

#include "ns3/drop-reason.h"
#include "ns3/fabric-packet-item.h"
#include "ns3/mac48-address.h"
#include "ns3/net-device.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

class ErrorModel;
class FabricChannel;
class FrameLoss;
class LinkRetry;
class PortPower;
class LogComponent;
class WireErrors;

/**
 * @ingroup dcfabric
 * @brief A port of a NIC or a switch, one end of a link.
 *
 * Store and forward: a packet is handed to the node when its last bit has arrived. The port owns a
 * queue (PortQueue). A packet waiting on an idle wire leaves at once; a transmit-complete entry
 * exists only while something waits. What belongs to the link is with PortLink; packets of other
 * protocols pass PortStack.
 */
class alignas(64) FabricNetDevice : public NetDevice
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    FabricNetDevice();
    ~FabricNetDevice() override;

    /**
     * @brief Make another port with the same attributes but the rate, without the search of ns-3
     * for each of them, which takes most of the time.
     * @param rate of the link
     * @return a port that belongs to no node; null if this one is of a derived class, or has an
     * error model, which another must not share
     */
    Ptr<FabricNetDevice> CreateAlike(DataRate rate) const;

    /// 64-bit counters of a port. Hops are counted where a packet arrives.
    struct Counters
    {
        uint64_t txBytes{0};             //!< frame bytes sent, link-level frames not included
        uint64_t rxDataPackets{0};       //!< data and foreign packets that arrived
        uint64_t rxControlPackets{0};    //!< ACKs and other control packets that arrived
        uint64_t rxLinkFrames{0};        //!< PFC frames that arrived
        uint64_t txLinkFrames{0};        //!< PFC frames sent
        uint64_t errorDrops{0};          //!< packets lost to the receive error model
        uint64_t queueDrops{0};          //!< packets that the queue disc refused or threw away
        uint64_t linkFrameErrorDrops{0}; //!< PFC frames lost to the receive error model, or damaged
        uint64_t linkDownDrops{0};       //!< packets lost because the link went down
        uint64_t linkDownFrameDrops{0};  //!< PFC frames lost because the link went down
        uint64_t corruptDrops{0};        //!< packets that arrived damaged (WireErrors)
    };

    /// @return what loses packets on arrival; null: nothing does
    Ptr<ErrorModel> GetReceiveErrorModel() const;

    // For actors and flow control.

    /**
     * @brief Queue a packet for transmission.
     * @param item the packet
     * @return false if the queue disc dropped it
     */
    bool Enqueue(Ptr<FabricPacketItem> item);

    /// Something may have become sendable: send now or as soon as the wire is free.
    void Kick();

    /**
     * @brief See that the port looks for packets again.
     * @param timePs when, in ps
     */
    void ScheduleWake(int64_t timePs);

    /// Ask retry and flow control for a link-level frame as soon as the wire is free, ahead of
    /// everything queued.
    void RequestLinkFrame();

    /**
     * @brief Count a packet or frame that was lost on its way here.
     * @param item it
     * @param reason of those of the wire
     */
    void Lose(FabricPacketItem& item, DropReason reason);

    /**
     * @param classes bit mask of the classes to take
     * @return all packets that wait to be sent, whatever is paused: taken out of the queue disc,
     * and those of any class that wait for the flow control
     */
    std::vector<Ptr<FabricPacketItem>> TakeQueue(uint8_t classes = 0xff);

    /**
     * @brief Forbid classes to be sent.
     * @param classes bit mask of all forbidden classes
     */
    void SetPausedClasses(uint8_t classes);

    /// @return bit mask of the classes that may not be sent
    uint8_t GetPausedClasses() const
    {
        return m_queue.GetPausedClasses();
    }

    /**
     * @brief Send classes even while the flow control forbids it, as a PFC watchdog does.
     * @param classes bit mask of all such classes
     */
    void SetForcedClasses(uint8_t classes);

    /// @return bit mask of the classes that the flow control forbids to send, forced or not
    uint8_t GetForbiddenClasses() const
    {
        return m_forbidden;
    }

    /**
     * @brief Have the flow control's timer called.
     * @param timePs when, in ps
     */
    void ArmTimer(int64_t timePs);

    /**
     * @brief Trace a PFC frame that arrived.
     * @param priority class
     * @param pause false: resume
     */
    void NotifyPauseReceived(uint8_t priority, bool pause);

    /// @return the present of the node in ps
    int64_t GetNowPs() const
    {
        return m_actor->GetNowPs();
    }

    /**
     * @brief A packet that another process has sent to here (WireCrossing).
     * @param item the packet
     * @param beganPs when its first bit was sent, in ps
     * @param arrivalPs when its last bit arrives, in ps, after the present
     */
    void AcceptLate(Ptr<FabricPacketItem> item, int64_t beganPs, int64_t arrivalPs);

    // Configuration.

    /// Another process simulates this port: it never sends.
    void SetElsewhere();

    /**
     * @brief Set the root queue disc.
     * @param disc a queue disc, not yet initialized
     */
    void SetQueueDisc(Ptr<QueueDisc> disc);

    /// @return the link
    PortLink& GetLink()
    {
        return m_link;
    }

    /// @copydoc GetLink()
    const PortLink& GetLink() const
    {
        return m_link;
    }

    /// @return the queue
    PortQueue& GetQueue()
    {
        return m_queue;
    }

    /// @copydoc GetQueue()
    const PortQueue& GetQueue() const
    {
        return m_queue;
    }

    /// @return the way to ns-3's own stack
    const PortStack& GetStack() const
    {
        return m_stack;
    }

    /**
     * @brief Set the flow control.
     * @param flowControl null for none
     */
    void SetFlowControl(Ptr<LinkFlowControl> flowControl);

    /**
     * @brief Have frames sent again that the wire loses; both ends of the link need it.
     * @param retry null: none are
     */
    void SetRetry(Ptr<LinkRetry> retry);

    /**
     * @brief Keep account of what the energy of this port depends on.
     * @param power of this port; null for none
     */
    void SetPower(std::unique_ptr<PortPower> power);

    /// @return it, null if there is none
    const PortPower* GetPower() const
    {
        return m_power.get();
    }

    /// @return what sends frames again, null for none
    LinkRetry* GetRetry() const
    {
        return PeekPointer(m_retry);
    }

    /// @return the errors of the wire towards this port, made at the first call
    Ptr<WireErrors> GetWireErrors();

    /// @return the flow control, null for none
    LinkFlowControl* GetFlowControl() const
    {
        return PeekPointer(m_flowControl);
    }

    /// @return what each packet has to pass that enters the queue; null: they need not
    EgressGate* GetGate() const
    {
        return m_gate.get();
    }

    /// @return true if the flow control wants to see packets enter and leave
    bool DoesFlowControlCount() const
    {
        return m_flowControlCounts;
    }

    /**
     * @brief Ask the actor for packets when the queue disc has none.
     * @param pulls true for a NIC
     */
    void SetPulls(bool pulls);

    /// @return rate in bit/s
    uint64_t GetRateBps() const
    {
        return m_link.GetRate().GetBitRate();
    }

    /// @return bytes of preamble and inter-frame gap
    uint32_t GetGapBytes() const
    {
        return m_gapBytes;
    }

    /// @return number of this port at its node
    uint16_t GetPort() const
    {
        return m_port;
    }

    /// @return the actor of the node
    FabricActor* GetActor() const
    {
        return m_actor;
    }

    /**
     * @param os where to print, for logs
     * @param port a port of a node
     * @return @p os, with time, node and number
     */
    friend std::ostream& operator<<(std::ostream& os, const FabricNetDevice& port);

    /// @return the counters
    const Counters& GetCounters() const
    {
        return m_counters;
    }

    /// @return why the queue disc did not keep the last packet that it refused or threw away, in
    /// its own words; empty if it did not say
    const std::string& GetDiscReason() const
    {
        return m_discReason;
    }

    /// @return why a packet is dropped that the queue disc did not keep
    DropReason GetRefusal() const;

    /// @return when the wire will be free, in ps; in the past if it is; FabricTime::NEVER while the
    /// link is down
    int64_t GetBusyUntilPs() const
    {
        return m_busyUntilPs;
    }

    /**
     * @brief Frame bytes that have left by now: of the packet on the wire, the part that has been
     * sent.
     *
     * A count that jumped by whole packets would make rates measured over short times useless (FNCC
     * reads it when an ACK passes, in the middle of a packet).
     * @param atPs time in ps, not before the packet on the wire began
     * @return bytes
     */
    uint64_t GetSentBytes(int64_t atPs) const;

    // from NetDevice
    void SetIfIndex(const uint32_t index) override;
    uint32_t GetIfIndex() const override;
    Ptr<Channel> GetChannel() const override;
    void SetAddress(Address address) override;
    Address GetAddress() const override;
    bool SetMtu(const uint16_t mtu) override;
    uint16_t GetMtu() const override;
    bool IsLinkUp() const override;
    void AddLinkChangeCallback(Callback<void> callback) override;
    bool IsBroadcast() const override;
    Address GetBroadcast() const override;
    bool IsMulticast() const override;
    Address GetMulticast(Ipv4Address multicastGroup) const override;
    Address GetMulticast(Ipv6Address addr) const override;
    bool IsBridge() const override;
    bool IsPointToPoint() const override;
    /**
     * @brief Send a packet of another protocol to a host of the fabric.
     * @param packet the packet, of which a copy travels
     * @param dest MAC address of a host (FabricAddress::ToMac()), or the broadcast address for an
     * IPv4 packet to 10.a.b.c (FabricAddress::ToIpv4())
     * @param protocolNumber EtherType
     * @return false if it was dropped; the NIC counts why
     * @throws FabricError if the port is that of a switch or the protocol no EtherType
     */
    bool Send(Ptr<Packet> packet, const Address& dest, uint16_t protocolNumber) override;
    bool SendFrom(Ptr<Packet> packet,
                  const Address& source,
                  const Address& dest,
                  uint16_t protocolNumber) override;
    Ptr<Node> GetNode() const override;
    void SetNode(Ptr<Node> node) override;
    bool NeedsArp() const override;
    void SetReceiveCallback(NetDevice::ReceiveCallback cb) override;
    void SetPromiscReceiveCallback(NetDevice::PromiscReceiveCallback cb) override;
    bool SupportsSendFrom() const override;

    /**
     * @brief Signature of the PFC trace source.
     * @param device port that received the frame
     * @param priority class
     * @param pause true for pause, false for resume
     */
    typedef void (*PauseTracedCallback)(Ptr<const FabricNetDevice> device,
                                        uint8_t priority,
                                        bool pause);

    /**
     * @brief Signature of the Transmit, Receive and Drop trace sources.
     * @param item the packet
     */
    typedef void (*ItemTracedCallback)(Ptr<const FabricPacketItem> item);

  protected:
    void DoInitialize() override;
    void DoDispose() override;

  private:
    friend class FabricActor;   // the calendar's entries
    friend class FabricChannel; // Connect()
    friend class LookAhead;     // the hot region
    friend class PortLink;      // what happens to the link
    friend class PortQueue;     // what the queue disc drops

    static LogComponent g_log; //!< of this class

    /**
     * @brief Name what each packet reads of this object, as it arrives or is sent.
     * @param lines takes it
     */
    void NameHotLines(const HotLines& lines) const
    {
        lines.Add<HOT_LINES>(&m_queue);
        lines.Add<1>(&m_counters);
    }

    /**
     * @brief Name what Enqueue() and HandleTransmit() read behind this object.
     * @param lines takes it
     * @param depth as of PortQueue::NameHotLines()
     * @param priority likewise
     */
    void NameQueueLines(const HotLines& lines, int depth, uint8_t priority) const
    {
        m_queue.NameHotLines(lines, depth, priority);
        const FabricNetDevice* peer = m_link.GetPeer();
        if (depth == 0 && peer)
        {
            peer->m_link.NameHotLines(lines); // where the packet will be appended
        }
    }

    /**
     * @brief Become a port.
     * @param actor the node's actor
     * @param port the number of this port
     */
    void AttachTo(FabricActor* actor, uint16_t port);
    /**
     * @brief Become one end of a link.
     * @param channel the link
     * @param peer the other end
     */
    void Connect(Ptr<FabricChannel> channel, Ptr<FabricNetDevice> peer);
    /**
     * @brief A wire that becomes free.
     * @param timePs the time of the calendar entry
     */
    void HandleTransmit(int64_t timePs);
    /// The next packet on the incoming wire has arrived.
    void HandleArrival();
    /**
     * @brief Something arrives at a port whose wire is not without errors.
     * @param raw what, with its reference
     * @param wentDown the link has gone down meanwhile
     * @return what is taken, which may be another frame, with its reference; null: nothing is
     */
    FabricPacketItem* TakeSurvivor(FabricPacketItem* raw, bool wentDown);
    /**
     * @param item what arrives
     * @return why the receive error model refuses it; NONE: it does not
     */
    DropReason FindError(const FabricPacketItem& item) const;
    /// A timer of the flow control is due.
    void HandleTimer();

    /// The link goes down.
    void OnLinkDown();
    /// The link has come up.
    void OnLinkUp();
    /// The link has another rate.
    void OnRateChange();
    /**
     * @brief The queue disc has not accepted the packet it was given.
     * @param item the packet
     */
    void OnQueueRefusal(const FabricPacketItem& item);
    /**
     * @brief The queue disc threw away a packet that it had accepted.
     * @param item the packet
     * @param reason why
     */
    void OnQueueDrop(FabricPacketItem& item, const char* reason);

    /// Take the next packet, if any, and put it on the wire; arrange for the one after it.
    void TransmitNext(int64_t nowPs);
    /// Arrange for the packet after the one that goes.
    void ScheduleNext(int64_t nowPs);
    /// @return the next packet to send, or null
    Ptr<FabricPacketItem> TakeNext(int64_t nowPs);
    /**
     * @param mayGoOn set to whether other packets may be sent if there is none
     * @return the next link-level frame to send, or null
     */
    Ptr<FabricPacketItem> TakeLinkFrame(bool& mayGoOn);
    /// @return when something will be there to be sent, in ps
    int64_t GetNextWorkPs();
    /// @return the same while m_linkFrameWanted holds
    int64_t GetNextLinkWorkPs() const;
    /// Put a packet on the wire.
    void PutOnWire(Ptr<FabricPacketItem> item, int64_t nowPs);
    /// Put on the wire what retry says, which no one listens to.
    void PutRetryOnWire(FabricPacketItem& item, int64_t nowPs);
    /// Tell whoever looks at frames as they leave. @return when this one begins, in ps
    int64_t Attend(FabricPacketItem& item, int64_t nowPs);
    /// A packet has been sent towards this port.
    void AppendToWire(FabricPacketItem* item, int64_t arrivalPs);
    /// Set what loses packets on arrival; null: nothing does.
    void SetReceiveErrorModel(Ptr<ErrorModel> model);
    /**
     * @brief Set the rate of the link; of one that is connected, this end's, as a LinkChange does.
     * @param rate more than 0
     * @throws FabricError for a rate of 0, or one that PortLink::CheckRate() refuses
     */
    void SetRate(DataRate rate);
    /// @return the rate of the link
    DataRate GetRate() const;

    PortStack m_stack{*this};             //!< the way to ns-3's own stack
    Ptr<LinkFlowControl> m_flowControl;   //!< null for none
    Ptr<LinkRetry> m_retry;               //!< null for none
    int64_t m_timerPs{FabricTime::NEVER}; //!< time of the valid PORT entry
    Ptr<Node> m_node;                     //!< the node
    uint32_t m_ifIndex{0};                //!< interface number
    uint16_t m_mtu{1500};                 //!< for other protocols
    Mac48Address m_address;               //!< from the fabric address
    FrameLoss* m_frameLoss{nullptr};      //!< the receive error model, if it is one
    TracedCallback<Ptr<const FabricNetDevice>, uint8_t, bool> m_pauseTrace; //!< PFC frames received
    std::string m_discReason; //!< of the last packet that the queue disc did not keep
    uint8_t m_forbidden{0};   //!< classes that the flow control forbids to send
    uint8_t m_forced{0};      //!< classes that are sent all the same
    bool m_elsewhere{false};  //!< simulated by another process

    /// Cache lines that each packet needs: from the queue to what is hot of the link.
    static constexpr int HOT_LINES = 4;

    alignas(64) PortQueue m_queue{*this};                   //!< begins with what each packet needs
    int64_t m_busyUntilPs{0};                               //!< end of the packet on the wire
    int64_t m_wakePs{FabricTime::NEVER};                    //!< time of the valid TRANSMIT entry
    std::unique_ptr<EgressGate> m_gate;                     //!< null: every packet may enter
    Ptr<ErrorModel> m_receiveErrorModel;                    //!< null for none
    LazyTrace<Ptr<const FabricPacketItem>> m_transmitTrace; //!< packets sent
    LazyTrace<Ptr<const FabricPacketItem>> m_receiveTrace;  //!< packets that arrived
    uint32_t m_lastFrameBytes{0};    //!< frame of the packet on the wire, 0 for link-level frames
    uint32_t m_gapBytes{20};         //!< preamble and gap
    FabricActor* m_actor{nullptr};   //!< of the node; from here on, what the peer reads
    uint16_t m_port{0};              //!< number at the node
    bool m_pulls{false};             //!< ask the actor
    bool m_flowControlCounts{false}; //!< the flow control wants to see packets
    bool m_linkFrameWanted{false};   //!< ask retry and flow control for a frame first
    bool m_checksArrivals{false};    //!< there is a LinkRetry or an error model
    bool m_attends{false};           //!< there is a LinkRetry or a PortPower
    PortLink m_link{*this};          //!< begins with what each packet needs
    Counters m_counters;             //!< statistics
    std::unique_ptr<PortPower> m_power; //!< null: nobody asks for energy
};

} // namespace ns3

#endif /* FABRIC_NET_DEVICE_H */
