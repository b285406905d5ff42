// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_NET_DEVICE_H
#define FABRIC_NET_DEVICE_H

#include "class-pause-interface.h"
#include "egress-gate.h"
#include "fabric-actor.h"
#include "fabric-time.h"
#include "lazy-trace.h"
#include "link-change.h"
#include "link-flow-control.h"

#include "ns3/data-rate.h"
#include "ns3/fabric-packet-item.h"
#include "ns3/mac48-address.h"
#include "ns3/net-device.h"
#include "ns3/queue-disc.h"
#include "ns3/traced-callback.h"

#include <boost/circular_buffer.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

class ErrorModel;
class FabricChannel;
class LogComponent;

/**
 * @ingroup dcfabric
 * @brief A port of a NIC or a switch, one end of a link.
 *
 * Store and forward: a packet is handed to the node when its last bit has arrived. The port owns a
 * root queue disc. A packet waiting on an idle wire leaves at once; a transmit-complete entry
 * exists only while something waits. Transmission times are exact: whole picoseconds per byte where
 * the rate allows, else the remainder is carried from packet to packet.
 *
 * The link can go down, come up and change its rate (ScheduleLinkChange()). While it is down
 * nothing is sent, link-level frames included; what was being sent or on its way is lost, and
 * counted at the time at which it would have arrived.
 */
class alignas(64) FabricNetDevice : public NetDevice
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    FabricNetDevice();
    ~FabricNetDevice() override;

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
        uint64_t linkFrameErrorDrops{0}; //!< PFC frames lost to the receive error model
        uint64_t linkDownDrops{0};       //!< packets lost because the link went down
        uint64_t linkDownFrameDrops{0};  //!< PFC frames lost because the link went down
    };

    // For actors, channels and flow control.

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
    /// A timer of the flow control is due.
    void HandleTimer();
    /**
     * @brief Something happens to the link.
     * @param timePs the time of the calendar entry
     */
    void HandleLinkChange(int64_t timePs);

    /**
     * @brief Have something happen to this end of the link; FabricChannel::ScheduleChange() does so
     * for both ends, which is what a link needs.
     *
     * Taking a link down that is down, or up that is up, has no effect.
     * @param change what and when, not before the present
     * @throws FabricError for a time in the past, a rate of 0, or a port that is not connected
     */
    void ScheduleLinkChange(const LinkChange& change);

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

    /// Ask the flow control for a link-level frame as soon as the wire is free, ahead of everything
    /// queued.
    void RequestLinkFrame();

    /// @return all packets that wait to be sent, whatever is paused: taken out of the queue disc,
    /// and those that wait for the flow control
    std::vector<Ptr<FabricPacketItem>> TakeQueue();

    /**
     * @brief Forbid classes to be sent.
     * @param classes bit mask of all forbidden classes
     */
    void SetPausedClasses(uint8_t classes);

    /// @return bit mask of the classes that may not be sent
    uint8_t GetPausedClasses() const
    {
        return m_pausedClasses;
    }

    /**
     * @brief Have the flow control's timer called.
     * @param timePs when, in ps
     */
    void ArmTimer(int64_t timePs);

    /**
     * @brief Give a packet of another protocol to the node's stack.
     * @param item a foreign packet that has arrived
     * @return false if nobody takes packets of its protocol
     */
    bool DeliverForeign(const FabricPacketItem& item);

    /**
     * @brief Trace a PFC frame that arrived.
     * @param priority class
     * @param pause false: resume
     */
    void NotifyPauseReceived(uint8_t priority, bool pause);

    /**
     * @param bytes all bytes
     * @return the time on the wire of a number of bytes in ps, rounded down
     */
    int64_t TransmissionPs(uint64_t bytes) const;

    /// @return the present of the node in ps
    int64_t GetNowPs() const
    {
        return m_actor->GetNowPs();
    }

    /**
     * @brief Name what each packet reads of this object, as it arrives or is sent.
     * @param lines takes it
     */
    void NameHotLines(const HotLines& lines) const
    {
        lines.Add<HOT_LINES>(this);
    }

    // Configuration.

    /**
     * @brief Set the root queue disc.
     * @param disc a queue disc, not yet initialized
     */
    void SetQueueDisc(Ptr<QueueDisc> disc);
    /// @return the root queue disc
    Ptr<QueueDisc> GetQueueDisc() const;
    /**
     * @brief Set the flow control.
     * @param flowControl null for none
     */
    void SetFlowControl(Ptr<LinkFlowControl> flowControl);

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
        return m_rate.GetBitRate();
    }

    /// @return delay of the link in ps, one way
    int64_t GetDelayPs() const
    {
        return m_delayPs;
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

    /// @return the other end of the link
    FabricNetDevice* GetPeer() const
    {
        return m_peer;
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

    /// @return when the wire will be free, in ps; in the past if it is; FabricTime::NEVER while the
    /// link is down
    int64_t GetBusyUntilPs() const
    {
        return m_busyUntilPs;
    }

    /// @return when the last packet on the wire ends or ended, in ps, whether the link is up or
    /// down
    int64_t GetLastEndPs() const
    {
        return m_lastEndPs;
    }

    /// @return the rate in bit/s at which the packet on the wire began
    uint64_t GetWireRateBps() const
    {
        return m_lastEndPs > m_formerEndPs ? m_rate.GetBitRate() : m_formerRateBps;
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

    /// @return bytes waiting in the queue disc
    uint32_t GetQueueBytes() const
    {
        return m_queueBytes;
    }

    /// @return most bytes that ever waited in a queue disc without classes, 0 for one with classes
    uint32_t GetMaxQueueBytes() const
    {
        return m_maxQueueBytes;
    }

    /**
     * @param priority class
     * @return bytes of a class waiting in the queue disc (all bytes if it has no classes)
     */
    uint64_t GetClassBytes(uint8_t priority) const
    {
        return m_pausable ? m_pausable->GetClassBytes(priority) : m_queueBytes;
    }

    /**
     * @brief Tell what waits for the queue disc elsewhere in the node.
     * @param byClass bytes of each of the eight classes, which change; outlives this port; null:
     * nothing
     */
    void SetWaitingBytes(const uint64_t* byClass);

    /**
     * @param priority class
     * @return bytes of a class that wait for the queue disc elsewhere in the node, as in virtual
     * input queues
     */
    uint64_t GetWaitingBytes(uint8_t priority) const
    {
        return m_waitingBytes ? m_waitingBytes[priority] : 0;
    }

    /**
     * @brief Time average of the bytes waiting in the queue disc since the start.
     * @return bytes
     */
    double GetMeanQueueBytes() const;

    /// @return packets that are on the wire towards this port
    uint64_t GetNPacketsOnWire() const;

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
    friend class LookAhead;
    static LogComponent g_log;           //!< of this class
    static std::ptrdiff_t g_behindStats; //!< where in a QueueDisc its statistics end, for LookAhead

    /// Instead of a class: that of the packet that leaves next.
    static constexpr uint8_t NEXT_CLASS = UINT8_MAX;

    /**
     * @brief Name what HandleArrival() reads behind this object.
     * @param lines takes it
     */
    void NameWireLines(const HotLines& lines) const
    {
        if (!m_wire.empty())
        {
            lines.Add<1>(&m_wire.front());
        }
    }

    /**
     * @brief Name what Enqueue() and HandleTransmit() read behind this object.
     * @param lines takes it
     * @param depth 0, then 1 and up, each when what the one before names has been loaded
     * @param priority class of the packet, or NEXT_CLASS
     */
    void NameQueueLines(const HotLines& lines, int depth, uint8_t priority) const;

    /// Take the next packet, if any, and put it on the wire; arrange for the one after it.
    void TransmitNext(int64_t nowPs);
    /// @return the next packet to send, or null
    Ptr<FabricPacketItem> TakeNext(int64_t nowPs);
    /// @return when something will be there to be sent, in ps
    int64_t GetNextWorkPs();
    /// Put a packet on the wire.
    void PutOnWire(Ptr<FabricPacketItem> item, int64_t nowPs);
    /// A packet has been sent towards this port.
    void AppendToWire(FabricPacketItem* item, int64_t arrivalPs);
    /// Time on the wire of the next frame, in ps; carries the remainder.
    int64_t NextTransmissionPs(uint64_t bytes);

    /// Integrate the queue length up to the present, before it changes.
    void IntegrateQueue(int64_t nowPs)
    {
        m_queueIntegral +=
            static_cast<double>(m_queueBytes) * static_cast<double>(nowPs - m_queueSincePs);
        m_queueSincePs = nowPs;
    }

    /// @return a packet of a queue disc that gave none before, or null
    Ptr<QueueDiscItem> DequeueAgain();
    /// The queue disc does not accept the packet it was given.
    void NotifyQueueRefusal(Ptr<const QueueDiscItem> refused, const char* reason);
    /// The queue disc threw away a packet that it had accepted.
    void NotifyQueueDrop(Ptr<const QueueDiscItem> dropped, const char* reason);
    /// Let something happen to the link.
    void ApplyLinkChange(const LinkChange& change);
    /// The link goes down.
    void TakeDown(int64_t timePs);
    /// The link comes up.
    void BringUp();
    /// What is on its way to this port is lost: from a time on nothing arrives.
    void LoseIncoming(int64_t timePs);
    /// Read the rate into the fields of the hot path. The packet on the wire keeps the former one.
    void SetRate(DataRate rate);
    /// @return the rate
    DataRate GetRate() const;

    /// A packet on the wire. The time stands here, so that arming the next arrival does not wait
    /// for the packet itself.
    struct OnWire
    {
        int64_t arrivalPs : 63; //!< when its last bit arrives
        bool lost : 1;          //!< the link went down meanwhile
        FabricPacketItem* item; //!< the packet; the wire owns a reference
    };

    static_assert(sizeof(OnWire) == 16, "four to a cache line");

    /// Cache lines that each packet needs: from the start of this object to the counters.
    static constexpr int HOT_LINES = 4;

    FabricActor* m_actor{nullptr};            //!< of the node
    boost::circular_buffer<OnWire> m_wire;    //!< packets on their way to here, in order of arrival
    uint16_t m_port{0};                       //!< number at the node
    uint8_t m_pausedClasses{0};               //!< classes that may not be sent
    bool m_refused{false};                    //!< by the queue disc, in Enqueue()
    bool m_pulls{false};                      //!< ask the actor
    bool m_flowControlCounts{false};          //!< the flow control wants to see packets
    bool m_linkFrameWanted{false};            //!< ask the flow control for a frame
    QueueDisc* m_disc{nullptr};               //!< root queue disc
    ClassPauseInterface* m_pausable{nullptr}; //!< the same, if it can skip classes
    std::unique_ptr<EgressGate> m_gate;       //!< null: every packet may enter the disc
    FabricNetDevice* m_peer{nullptr};         //!< other end
    int64_t m_busyUntilPs{0};                 //!< end of the packet on the wire
    int64_t m_lastEndPs{0};              //!< end of the last packet, also while the next is chosen
    int64_t m_wakePs{FabricTime::NEVER}; //!< time of the valid TRANSMIT entry
    int64_t m_delayPs{0};                //!< of the link
    int64_t m_psPerByte{80};             //!< 0 if it is not a whole number
    int64_t m_queueSincePs{0};           //!< last change of m_queueBytes
    double m_queueIntegral{0};           //!< byte x ps
    uint32_t m_queueBytes{0};            //!< in the queue disc
    uint32_t m_lastFrameBytes{0}; //!< frame of the packet on the wire, 0 for link-level frames
    uint32_t m_gapBytes{20};      //!< preamble and gap
    Ptr<ErrorModel> m_receiveErrorModel;                    //!< null for none
    LazyTrace<Ptr<const FabricPacketItem>> m_transmitTrace; //!< packets sent
    LazyTrace<Ptr<const FabricPacketItem>> m_receiveTrace;  //!< packets that arrived
    Counters m_counters;                                    //!< statistics

    Ptr<LinkFlowControl> m_flowControl;      //!< null for none
    int64_t m_timerPs{FabricTime::NEVER};    //!< time of the valid PORT entry
    const uint64_t* m_waitingBytes{nullptr}; //!< elsewhere in the node, by class
    uint64_t m_remainder{0}; //!< of the division for rates without whole ps per byte

    DataRate m_rate;                         //!< of the link
    Ptr<QueueDisc> m_queueDisc;              //!< reference behind m_disc
    Ptr<FabricChannel> m_channel;            //!< the link
    Ptr<Node> m_node;                        //!< the node
    uint32_t m_maxQueueBytes{0};             //!< only of discs without classes
    uint32_t m_ifIndex{0};                   //!< interface number
    int64_t m_formerEndPs{0};                //!< end of the last packet at the former rate
    uint64_t m_formerRateBps{0};             //!< rate before the present one
    std::vector<LinkChange> m_changes;       //!< that are to come, the next one first
    uint32_t m_downs{0};                     //!< times the link went down
    uint16_t m_mtu{1500};                    //!< for other protocols
    bool m_linkUp{false};                    //!< connected, and not taken down
    Mac48Address m_address;                  //!< from the fabric address
    NetDevice::ReceiveCallback m_rxCallback; //!< for other protocols
    NetDevice::PromiscReceiveCallback m_promiscCallback; //!< for other protocols
    TracedCallback<> m_linkChange;                       //!< link state callbacks
    TracedCallback<Ptr<const FabricNetDevice>, uint8_t, bool> m_pauseTrace; //!< PFC frames received
    std::string m_discReason; //!< of the last packet that the queue disc did not keep
};

} // namespace ns3

#endif /* FABRIC_NET_DEVICE_H */
