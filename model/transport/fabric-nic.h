// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_NIC_H
#define FABRIC_NIC_H

#include "ack-timeout.h"
#include "fabric-message.h"
#include "host-routes.h"
#include "message-matcher.h"
#include "message-timers.h"
#include "pdc-policy.h"
#include "pdc-schedule.h"
#include "receiving-pdcs.h"
#include "reliability-policy.h"
#include "sending-pdc.h"
#include "stack-queue.h"

#include "ns3/fabric-actor.h"
#include "ns3/lazy-trace.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"
#include "ns3/traced-callback.h"
#include "ns3/wire-format.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3
{

class LogComponent;

/**
 * @ingroup dcfabric
 * @brief The network interface of a host: messages over packet delivery contexts.
 *
 * A port pulls the next data packet from an eligible PDC when its wire is free; control packets
 * wait in the port's queue disc and go first. PDCs take turns. One timer for each port serves the
 * pacing of all its PDCs.
 */
class FabricNic : public FabricActor
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    FabricNic();
    ~FabricNic() override;

    /// 64-bit counters of a NIC.
    struct Counters
    {
        uint64_t dataSent{0};       //!< data packets sent, retransmissions included
        uint64_t dataDelivered{0};  //!< data packets that arrived and were new
        uint64_t dataDuplicate{0};  //!< data packets that had arrived before
        uint64_t dataRefused{0};    //!< data packets that arrived without receive
        uint64_t dataVoid{0};       //!< data packets that arrived without payload
        uint64_t retransmitted{0};  //!< data packets sent again
        uint64_t acksSent{0};       //!< ACKs, NACKs, RTWs and RNRs sent
        uint64_t acksReceived{0};   //!< ACKs, NACKs, RTWs and RNRs that arrived
        uint64_t cnpsSent{0};       //!< CNPs sent
        uint64_t cnpsReceived{0};   //!< CNPs that arrived
        uint64_t noticesArrived{0}; //!< what else switches tell senders, such as fair rates
        uint64_t btsReceived{0};    //!< notifications back to the sender
        uint64_t timeouts{0};       //!< retransmission time-outs
        uint64_t pdcsEvicted{0};    //!< idle PDCs that made room for others
        uint64_t maxSendingPdcs{0}; //!< most sending PDCs at a time
        uint64_t bytesDelivered{0}; //!< payload that arrived and was new
        uint64_t reordered{0};      //!< packets that arrived after a later one
        uint64_t rtwSent{0};        //!< requests to wait sent
        uint64_t rnrSent{0};        //!< "receiver not ready" sent
        uint64_t rtsSent{0};        //!< requests to send sent
        uint64_t rtsReceived{0};    //!< requests to send that arrived
        uint64_t stackSent{0};      //!< packets that the host's own stack handed over
        uint64_t stackDelivered{0}; //!< packets handed to the host's own stack
        uint64_t stackMarked{0};    //!< of these, with congestion experienced
    };

    // Configuration.

    /**
     * @brief Set the policy of PDCs to come that have none of their own.
     * @param policy types and attributes
     */
    void SetPdcPolicy(const PdcPolicy& policy);
    /**
     * @brief Set the policy of some PDCs to come; the more special one holds, and that of a
     * destination before that of a class.
     * @param policy types and attributes
     * @param dst fabric address, or ANY_DESTINATION
     * @param priority class, 0 to 7, or ANY_CLASS
     */
    void SetPdcPolicy(const PdcPolicy& policy, uint32_t dst, uint8_t priority = ANY_CLASS);

    static constexpr uint32_t ANY_DESTINATION = UINT32_MAX; //!< of PDCs, for SetPdcPolicy()
    static constexpr uint8_t ANY_CLASS = 0xff;              //!< @copydoc ANY_DESTINATION

    /**
     * @brief Tell load balancers how much may come back.
     * @param acks that can arrive within the largest base RTT, at least 1
     */
    void SetAcksPerRtt(uint64_t acks);
    /**
     * @brief Set the reliability.
     * @param policy may be shared by NICs
     */
    void SetReliability(Ptr<ReliabilityPolicy> policy);
    /**
     * @brief Set the wire sizes.
     * @param wire may be shared by NICs
     */
    void SetWireFormat(Ptr<WireFormat> wire);
    /**
     * @brief Set the layout of INT records.
     * @param format may be shared by NICs
     */
    void SetIntFormat(Ptr<IntFormat> format);
    /**
     * @brief Set T by destination.
     * @param baseRtt from an address to ps; empty: the attribute BaseRtt
     */
    void SetBaseRttFunction(std::function<int64_t(uint32_t)> baseRtt);
    /**
     * @brief Set the base RTT to each destination, whatever T is.
     * @param pairRtt from an address to ps; empty: T
     */
    void SetPairRttFunction(std::function<int64_t(uint32_t)> pairRtt);

    /**
     * @brief Set how many switches lie on the way to a destination.
     * @param switches from an address to their number; empty: 0
     */
    void SetSwitchesFunction(std::function<uint32_t(uint32_t)> switches);

    /**
     * @brief Tell what marks and gaps mean in this network.
     * @param marksAreDraws only a few packets of a long queue are marked
     * @param isLossless links drop nothing
     */
    void SetSigns(bool marksAreDraws, bool isLossless)
    {
        m_marksAreDraws = marksAreDraws;
        m_isLossless = isLossless;
    }

    /**
     * @brief Tell which ports lead to which destinations on shortest paths; a NIC with one port
     * needs no such table.
     * @param table of this host; there must be all ports
     */
    void SetForwardingTable(ForwardingTable table);

    /**
     * @brief Have destinations checked when messages are handed over.
     * @param isHost true for the address of a host; empty: no check
     */
    void SetDestinationCheck(std::function<bool(uint32_t)> isHost);

    /**
     * @brief Let messages go through a match table. Send() then needs a receive at the destination,
     * which needs the same.
     * @param table of this NIC
     * @param protocol what happens to a message without receive; may be shared by NICs
     */
    void EnableMatching(Ptr<MatchTable> table, Ptr<MessageProtocol> protocol);

    /**
     * @brief Fix the random streams: entropies of PDCs, entropies of packets.
     * @param stream first stream
     * @return how many are used
     */
    int64_t AssignStreams(int64_t stream);

    // Use.

    /**
     * @brief Send a message now. The receive is taken as posted.
     * @param dst fabric address
     * @param bytes length, at least 1
     * @param tag the caller's number of the message, returned in events
     * @param priority class, 0 to 7; negative: the attribute DataClass
     * @throws FabricError if the length is 0, the destination this host or no host, or the class
     * above 7
     */
    void Send(uint32_t dst, uint64_t bytes, uint32_t tag, int priority = -1);

    /**
     * @brief Send a message at a time. Messages of the same time start in the order of their tags.
     * @param startPs when, in ps, not in the past
     * @param dst,bytes,tag,priority as for Send()
     * @throws FabricError as Send(), and for a time in the past
     */
    void SendAt(int64_t startPs, uint32_t dst, uint64_t bytes, uint32_t tag, int priority = -1);

    /**
     * @brief Send a matched message or a write now.
     * @param dst fabric address
     * @param message bytes, data, handle, tag, limit and, for a write, the remote address
     * @param priority class, 0 to 7; negative: the attribute DataClass
     * @throws FabricError as Send(), and if matching is not enabled
     */
    void SendMatched(uint32_t dst, OutgoingMessage message, int priority = -1);

    /**
     * @brief Give a matched message up.
     * @param handle of the operation
     * @param status how it ends
     * @return false if it is complete or unknown
     */
    bool Abandon(uint64_t handle, MessageStatus status);

    /// @return the receiving half of matched messages, null if matching is not enabled
    MessageMatcher* GetMatcher() const
    {
        return m_matcher.get();
    }

    /// Called with an event.
    using MessageCallback = std::function<void(const FabricMessageEvent&)>;
    /**
     * @brief Be told when a message has arrived completely here.
     * @param callback the listener
     */
    void SetDeliveredCallback(MessageCallback callback);
    /**
     * @brief Be told when a message sent from here is acknowledged.
     * @param callback the listener
     */
    void SetCompletedCallback(MessageCallback callback);

    /**
     * @brief Be told when a matched send begins, in the order of messages to each host.
     * @param callback the listener
     */
    void SetStartedCallback(MessageCallback callback);
    /**
     * @brief Be told of matched sends that end, well or not.
     * @param callback the listener
     */
    void SetSendCallback(MessageCallback callback);
    /**
     * @brief Be told of receives that end, well or not.
     * @param callback the listener
     */
    void SetReceiveCallback(MessageCallback callback);

    // Results.

    /**
     * @param dst destination
     * @param priority class, 0 to 7, or ANY_CLASS
     * @return in how many ways at most the packets of a new PDC go; UINT32_MAX if there is no bound
     */
    uint32_t GetMaxPaths(uint32_t dst, uint8_t priority) const;

    /// @return ACKs that can arrive within the largest base RTT
    uint64_t GetAcksPerRtt() const
    {
        return m_acksPerRtt;
    }

    /// @return what the load balancers of PDCs without a policy of their own share; null if they
    /// share nothing, or there was no such PDC
    Ptr<Object> GetLoadBalancerState() const
    {
        return m_policy.shared;
    }

    /// @return the counters
    const Counters& GetCounters() const
    {
        return m_counters;
    }

    /// @return payload of messages sent from here that was acknowledged in order
    uint64_t GetAckedBytes() const;

    /// @return the longest time after which this NIC tries again what had no effect: time-outs of
    /// its present PDCs, and the request for a message, after all doublings, in ps; at most a third
    /// of the largest number
    int64_t GetLongestWaitPs() const;

    /// @return PDCs with an incomplete inbound message: N of [FNCC]
    uint32_t GetNActiveInbound() const
    {
        return m_activeInbound;
    }

    /// @return sending PDCs that are not idle, in the order of their numbers
    std::vector<const SendingPdc*> GetSendingPdcs() const;

    /**
     * @param number of the PDC
     * @return a sending PDC, idle or not; null if there is none
     */
    const SendingPdc* GetSendingPdc(uint32_t number) const
    {
        return number < m_senders.size() ? m_senders[number].get() : nullptr;
    }

    /// @return sending PDCs, idle ones included
    uint32_t GetNSendingPdcs() const
    {
        return m_nSenders;
    }

    /// @return receiving PDCs, evicted ones not included
    uint32_t GetNReceivingPdcs() const
    {
        return m_receivers.GetN();
    }

    /// @return messages that wait for a PDC
    std::size_t GetNDeferred() const
    {
        return m_deferred.size();
    }

    /**
     * @brief Which port packets to a host leave by.
     * @param dst fabric address
     * @param entropy of the packet
     * @return its number
     * @throws FabricError if there is no way
     */
    uint16_t ChoosePort(uint32_t dst, uint16_t entropy) const;

    /**
     * @param dst fabric address
     * @param entropy that the load balancer has chosen
     * @return an entropy for a packet, by which it leaves by a port that is up, and its answer
     * comes back by one (HostRoutes::Fit())
     */
    uint16_t FitEntropy(uint32_t dst, uint16_t entropy) const
    {
        return m_routes ? m_routes->Fit(dst, entropy) : entropy;
    }

    /**
     * @brief Which port an answer leaves by: that of the packet it answers, if it is on a shortest
     * path and up, else as ChoosePort().
     * @param dst fabric address
     * @param entropy of the packet
     * @param ingress port that the packet came in by
     * @return its number
     * @throws FabricError if there is no way
     */
    uint16_t ChooseAnswerPort(uint32_t dst, uint16_t entropy, uint16_t ingress) const;

    /**
     * @param dst fabric address
     * @return true if several ports are on shortest paths to a host
     */
    bool HasPortChoice(uint32_t dst) const
    {
        return m_routes && m_routes->HasChoice(dst);
    }

    /**
     * @param dst fabric address
     * @param port that packets leave by
     * @return what a congestion control is told of the way to a host, but for the number of its
     * paths
     */
    PathInfo DescribePath(uint32_t dst, uint16_t port = 0) const;

    /**
     * @param dst fabric address
     * @return base RTT to a host in ps, whatever T is
     */
    int64_t GetPairRttPs(uint32_t dst) const;

    /// @return reductions of window or rate that took hold, of all PDCs that ever were
    uint64_t GetNReductions() const;

    /// What the modifiers of one class have done.
    struct ModifierCounts
    {
        uint64_t acts{0};     //!< proposals changed or made
        uint64_t withheld{0}; //!< reductions that did not take hold
    };

    /// @return what modifiers have done, by TypeId name
    std::map<std::string, ModifierCounts> GetModifierCounts() const;

    // For PDCs.

    /// @return attributes of the transport @{
    uint32_t GetPayloadBytes() const
    {
        return m_payloadBytes;
    }

    uint32_t GetInitialPsn() const
    {
        return m_initialPsn;
    }

    uint32_t GetAckEvery() const
    {
        return m_ackEvery;
    }

    AckTimeout::Settings GetAckTimeout() const;

    int64_t GetCnpIntervalPs() const
    {
        return m_cnpIntervalPs;
    }

    bool EchoesDelay() const
    {
        return m_echoDelay;
    }

    uint8_t GetControlClass() const
    {
        return m_controlClass;
    }

    bool HasPdcPerMessage() const
    {
        return m_pdcPerMessage;
    }

    uint32_t GetMaxReceivingPdcs() const
    {
        return m_maxReceivers;
    }

    int64_t GetPdcIdlePs() const
    {
        return m_pdcIdlePs;
    }

    const ReliabilityPolicy& GetReliability() const
    {
        return *m_reliability;
    }

    const WireFormat& GetWireFormat() const
    {
        return *m_wire;
    }

    const IntFormat& GetIntFormat() const
    {
        return *m_intFormat;
    }

    /** @} */

    /**
     * @brief A PDC may have become able to send.
     * @param pdc which
     */
    void Activate(SendingPdc& pdc);
    /**
     * @brief Send a control packet, see ChooseAnswerPort().
     * @param item complete
     * @param port that the packet which it answers came in by
     */
    void SendControl(Ptr<FabricPacketItem> item, uint16_t port);
    /**
     * @brief Arm a timer of a PDC.
     * @param pdc its number
     * @param timer which
     * @param atPs when
     */
    void ArmPdcTimer(uint32_t pdc, uint8_t timer, int64_t atPs);
    /**
     * @brief A message sent from here is acknowledged.
     * @param event what happened
     */
    void NotifyCompleted(const FabricMessageEvent& event);
    /**
     * @brief A message has arrived completely.
     * @param event what happened
     */
    void NotifyDelivered(const FabricMessageEvent& event);
    /**
     * @brief A receiving PDC has begun or completed its only message.
     * @param active true if it has begun
     */
    void NotifyActive(bool active);
    /**
     * @brief A matched send has ended.
     * @param event what happened
     */
    void NotifySend(const FabricMessageEvent& event);
    /**
     * @brief A receive has ended.
     * @param event what happened
     */
    void NotifyReceive(const FabricMessageEvent& event);
    /**
     * @brief Set a timer of messages.
     * @param timer when and what
     */
    void SetMessageTimer(const MessageTimers::Timer& timer);

    /// @return the receiving PDCs
    ReceivingPdcs& GetReceivingPdcs()
    {
        return m_receivers;
    }

    /**
     * @brief Send nothing new to a host from a message on.
     * @param dst fabric address
     * @param msn number of that message
     */
    void HoldTarget(uint32_t dst, uint32_t msn);
    /**
     * @brief Send to a host again, if nothing was sent.
     * @param dst fabric address
     */
    void ReleaseTarget(uint32_t dst);
    /**
     * @brief A message is over: send to its host again if that waited for it.
     * @param dst fabric address
     * @param msn its number
     */
    void ReleaseTargetFrom(uint32_t dst, uint32_t msn);
    /**
     * @brief Trace a change of state.
     * @param peer the other end
     * @param msn message
     * @param epoch attempt
     * @param sender seen at the sender
     * @param from before
     * @param to after
     */
    void TraceMessageState(uint32_t peer,
                           uint32_t msn,
                           uint8_t epoch,
                           bool sender,
                           MessageState from,
                           MessageState to);

    /// @return the counters, to be changed
    Counters& Count()
    {
        return m_counters;
    }

    /**
     * @brief Count a data packet that has arrived and is new.
     * @param item the packet
     */
    void CountDelivered(const FabricPacketItem& item)
    {
        ++m_counters.dataDelivered;
        m_counters.bytesDelivered += item.data.payloadBytes;
        m_payloadTrace(&item);
    }

    // from FabricActor
    void Receive(FabricNetDevice& port, Ptr<FabricPacketItem> item) override;
    bool SendForeign(FabricNetDevice& port, Ptr<FabricPacketItem> item) override;
    void OnPass(FabricNetDevice& port, Ptr<FabricPacketItem> item, uint32_t owner) override;
    void OnLinkChange(FabricNetDevice& port) override;
    uint64_t GetNHeldPackets() const override;
    Ptr<FabricPacketItem> Pull(FabricNetDevice& port) override;
    int64_t GetPullTimePs(FabricNetDevice& port) override;
    void OnTransmit(FabricNetDevice& port, FabricPacketItem& item) override;

    /**
     * @brief Signature of the Delivered and Completed trace sources.
     * @param event what happened
     */
    typedef void (*MessageTracedCallback)(const FabricMessageEvent& event);

    /**
     * @brief Signature of the MessageState trace source.
     * @param event what happened
     */
    typedef void (*MessageStateTracedCallback)(const MessageStateEvent& event);

    /**
     * @brief Signature of the Payload trace source.
     * @param item the packet, valid during the call
     */
    typedef void (*PayloadTracedCallback)(Ptr<const FabricPacketItem> item);

  protected:
    void HandleTimer(uint32_t id) override;
    void DoInitialize() override;
    void DoDispose() override;

  private:
    static LogComponent g_log; //!< of this class

    /// A message that is to start later.
    struct PendingStart
    {
        int64_t startPs; //!< when
        uint32_t tag;    //!< the caller's number
        uint32_t dst;    //!< destination
        uint64_t bytes;  //!< length
        int priority;    //!< class

        /**
         * @param other another
         * @return true if this one starts later
         */
        bool operator<(const PendingStart& other) const
        {
            return startPs != other.startPs ? startPs > other.startPs : tag > other.tag;
        }
    };

    /// A policy, and what its PDCs have in common.
    struct InstalledPolicy
    {
        PdcPolicy policy;     //!< types and attributes
        Ptr<Object> shared;   //!< by its load balancers, from the first one on
        uint32_t maxPaths{1}; //!< of its load balancers
    };

    /// A message that has no PDC yet.
    struct DeferredMessage
    {
        uint32_t dst;            //!< destination
        uint8_t priority;        //!< class
        bool matched;            //!< it goes through the match table, or is a write
        OutgoingMessage message; //!< the message
    };

    /// Where the operation of a handle is.
    struct Operation
    {
        uint32_t pdc;     //!< sending PDC
        uint64_t message; //!< key there
    };

    static constexpr uint32_t START_TIMER = UINT32_MAX;       //!< timer of the next pending start
    static constexpr uint32_t MESSAGE_TIMER = UINT32_MAX - 1; //!< next of m_messageTimers
    /// Owners of parked packets that are no PDC.
    static constexpr uint32_t CONTROL_OWNER = UINT32_MAX;
    static constexpr uint32_t STACK_OWNER = UINT32_MAX - 1; //!< @copydoc CONTROL_OWNER
    static constexpr uint32_t TIMERS_PER_PDC = 8;           //!< timer ids of a PDC

    /**
     * @brief Refuse what cannot be sent.
     * @param dst destination
     * @param bytes length
     * @param priority class
     */
    void CheckMessage(uint32_t dst, uint64_t bytes, int priority) const;
    /// @return what load balancers draw from
    Ptr<UniformRandomVariable> GetPacketRandom();
    /**
     * @brief Add what the modifiers of a PDC have done.
     * @param cc of the PDC
     * @param sum by TypeId name
     */
    static void AddModifierCounts(const CongestionControl& cc,
                                  std::map<std::string, ModifierCounts>& sum);
    /**
     * @param dst destination
     * @param priority class
     * @return the policy of a PDC
     */
    InstalledPolicy& FindPolicy(uint32_t dst, uint8_t priority);
    /// @copydoc FindPolicy
    const InstalledPolicy& FindPolicy(uint32_t dst, uint8_t priority) const;
    /**
     * @param policy types and attributes
     * @return a policy without anything shared yet
     */
    static InstalledPolicy MakeInstalled(const PdcPolicy& policy);
    /**
     * @param dst destination
     * @param priority class
     * @return a new PDC
     */
    SendingPdc& CreatePdc(uint32_t dst, uint8_t priority);
    /**
     * @param dst destination
     * @param priority class
     * @return the PDC for a message: a new one, or the one to its destination; null if there is no
     * room
     */
    SendingPdc* FindPdcFor(uint32_t dst, uint8_t priority);
    /**
     * @brief An RTS names a PDC that is gone, as its message must be: tell the receiver.
     * @param rts the packet
     */
    void AnswerVainRequest(const FabricPacketItem& rts);
    /**
     * @brief A matched message begins.
     * @param sent the message
     */
    void BeginMatched(DeferredMessage sent);
    /**
     * @brief Choose the port of the next packet of a PDC that waits at none.
     * @param pdc which
     */
    void Route(SendingPdc& pdc);
    /**
     * @brief Enter a PDC that waits at no port and can send at one; see that the port looks for it.
     * @param pdc which
     * @param present port that looks anyway
     */
    void EnterAnew(SendingPdc& pdc, uint16_t present);
    /**
     * @brief Give a message to a PDC, or keep it until there is room for one.
     * @param message what
     */
    void HandOver(const DeferredMessage& message);
    /**
     * @brief Free a sending PDC.
     * @param number its number
     */
    void RemoveSender(uint32_t number);
    /**
     * @brief Free a sending PDC if it has been idle all the time.
     * @param number its number
     * @param nowPs time
     */
    void RemoveIdleSender(uint32_t number, int64_t nowPs);
    /**
     * @param port from where
     * @param item the packet
     * @return why a packet of the host's own stack cannot be sent; DropReason::NONE if it can
     */
    DropReason FindStackRefusal(const FabricNetDevice& port, const FabricPacketItem& item) const;
    /**
     * @brief A packet for the host's own stack has arrived.
     * @param port where
     * @param item the packet
     */
    void ReceiveForeign(FabricNetDevice& port, FabricPacketItem& item);
    /**
     * @param port for which
     * @return the next data packet, or null
     */
    Ptr<FabricPacketItem> PullData(FabricNetDevice& port);
    /**
     * @param port the port that asks
     * @return a packet of the stack, or null
     */
    Ptr<FabricPacketItem> PullStack(FabricNetDevice& port);
    /**
     * @brief A data packet has arrived.
     * @param item the packet
     * @param nowPs time
     */
    void ReceiveData(Ptr<FabricPacketItem> item, int64_t nowPs);
    /**
     * @brief Handle what is due of m_messageTimers.
     * @param nowPs time
     */
    void HandleMessageTimers(int64_t nowPs);
    /**
     * @brief Free a sending PDC that is idle.
     * @param number its number
     */
    void RetireIfIdle(uint32_t number);
    /// Begin the messages of m_early.
    void SendEarly();
    /// Arm the timer of the next pending start.
    void ArmStart();
    /**
     * @brief Set m_pdcIdleTime.
     * @param time value
     */
    void SetPdcIdleTime(Time time);
    /// @return m_pdcIdleTime
    Time GetPdcIdleTime() const;
    /**
     * @brief Set m_cnpInterval.
     * @param interval value
     */
    void SetCnpInterval(Time interval);
    /// @return m_cnpInterval
    Time GetCnpInterval() const;
    /**
     * @brief Set the fixed time-out.
     * @param timeout value
     */
    void SetFixedAckTimeout(Time timeout);
    /// @return the fixed time-out
    Time GetFixedAckTimeout() const;
    /**
     * @brief Set a part of m_ackTimeout.
     * @param rtts value
     */
    void SetFirstTimeoutRtts(double rtts);
    /// @return that part
    double GetFirstTimeoutRtts() const;
    /**
     * @brief Set m_leastTimeoutRtts.
     * @param rtts value
     */
    void SetLeastTimeoutRtts(double rtts);
    /// @return m_leastTimeoutRtts
    double GetLeastTimeoutRtts() const;

    std::vector<std::unique_ptr<SendingPdc>> m_senders; //!< by number; null: retired
    ReceivingPdcs m_receivers{*this};                   //!< how packets find theirs
    std::unordered_map<uint64_t, uint32_t> m_senderTo;  //!< by destination and class: number
    /// By destination: numbers, where messages are matched.
    std::unordered_map<uint32_t, std::set<uint32_t>> m_sendersTo;
    std::unordered_map<uint64_t, Operation> m_operations; //!< matched messages under way, by handle
    std::set<std::pair<int64_t, uint32_t>> m_idleSenders; //!< since when, number
    std::deque<DeferredMessage> m_deferred;               //!< wait for a PDC
    uint32_t m_nSenders{0};                               //!< sending PDCs
    uint32_t m_maxSenders{0};                             //!< attribute
    uint32_t m_maxReceivers{0};                           //!< attribute
    Time m_pdcIdleTime;                                   //!< attribute
    int64_t m_pdcIdlePs{0};                               //!< m_pdcIdleTime
    std::deque<PdcSchedule> m_schedules;                  //!< of each port
    std::unique_ptr<HostRoutes> m_routes;                 //!< null: one port, or any will do
    /// Packets for which credits came, of each port, at first use.
    std::vector<std::deque<Ptr<FabricPacketItem>>> m_passed;
    std::vector<StackQueue> m_stack;                       //!< of each port, at first use
    uint32_t m_stackQueuePackets{1000};                    //!< limit of each of them
    uint32_t m_activeInbound{0};                           //!< N
    std::unique_ptr<MessageMatcher> m_matcher;             //!< null: nothing is matched
    std::deque<DeferredMessage> m_early;                   //!< sent before the simulation began
    MessageTimers m_messageTimers;                         //!< of matched messages
    std::unordered_map<uint32_t, uint32_t> m_nextMsn;      //!< of sends, by destination
    std::unordered_map<uint32_t, uint32_t> m_nextWriteMsn; //!< of writes, by destination
    std::map<uint32_t, uint32_t> m_heldTargets;            //!< and the first message not sent
    Ptr<ReliabilityPolicy> m_reliability;                  //!< policy
    Ptr<WireFormat> m_wire;                                //!< sizes
    Ptr<IntFormat> m_intFormat;                            //!< INT
    InstalledPolicy m_policy;                              //!< of PDCs without one of their own
    std::map<uint64_t, InstalledPolicy> m_policies;        //!< by destination and class
    uint64_t m_acksPerRtt{1};                              //!< that can arrive
    std::function<int64_t(uint32_t)> m_baseRtt;            //!< T by destination
    std::function<int64_t(uint32_t)> m_pairRtt;            //!< base RTT by destination
    std::function<uint32_t(uint32_t)> m_switches;          //!< by destination; empty: unknown
    bool m_marksAreDraws{false};                           //!< see SetSigns()
    bool m_isLossless{false};                              //!< likewise
    std::function<bool(uint32_t)> m_isHost;                //!< empty: all addresses will do
    Time m_baseRttAttribute;                               //!< T
    Time m_cnpInterval;                                    //!< negative: none
    Time m_fixedAckTimeout;                                //!< 0: by RTTs
    AckTimeout::Settings m_ackTimeout;                     //!< attributes
    double m_leastTimeoutRtts;                             //!< 0: by flow control
    int64_t m_cnpIntervalPs{-1};                           //!< m_cnpInterval
    uint32_t m_payloadBytes{1000};                         //!< full packet
    uint32_t m_initialPsn{0};                              //!< of packet 0
    uint32_t m_ackEvery{1};                                //!< packets
    uint8_t m_dataClass{3};                                //!< of data
    uint8_t m_controlClass{6};                             //!< of ACKs, CNPs
    bool m_pdcPerMessage{true};                            //!< granularity
    bool m_echoDelay{false};                               //!< attribute
    Ptr<UniformRandomVariable> m_random;                   //!< entropies of PDCs
    Ptr<UniformRandomVariable> m_packetRandom;             //!< entropies of packets
    int64_t m_stream{-1};                                  //!< first stream of PDCs
    std::vector<PendingStart> m_pending;                   //!< heap, next start first
    Counters m_counters;                                   //!< statistics
    LazyTrace<Ptr<const FabricPacketItem>> m_payloadTrace; //!< new payload arrived
    uint64_t m_retiredReductions{0};                       //!< of PDCs that are gone
    uint64_t m_retiredAckedBytes{0};                       //!< likewise
    std::map<std::string, ModifierCounts> m_retiredModifierCounts; //!< likewise
    MessageCallback m_onDelivered;                                 //!< listener
    MessageCallback m_onCompleted;                                 //!< listener
    MessageCallback m_onStarted;                                   //!< listener
    MessageCallback m_onSend;                                      //!< listener
    MessageCallback m_onReceive;                                   //!< listener
    TracedCallback<const MessageStateEvent&> m_messageStateTrace;  //!< states of messages
    TracedCallback<const FabricMessageEvent&> m_deliveredTrace;    //!< messages arrived
    TracedCallback<const FabricMessageEvent&> m_completedTrace;    //!< messages acknowledged
};

} // namespace ns3

#endif /* FABRIC_NIC_H */
