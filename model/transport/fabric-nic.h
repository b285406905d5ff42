// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_NIC_H
#define FABRIC_NIC_H

#include "cnp-sender.h"
#include "fabric-messages.h"
#include "host-link.h"
#include "host-protocol.h"
#include "host-routes.h"
#include "host-stack.h"
#include "injection-throttle.h"
#include "order-limits.h"
#include "pdc-closes.h"
#include "pdc-schedule.h"
#include "pdc-traces.h"
#include "receiver-grants.h"
#include "receiving-pdcs.h"
#include "sending-pdcs.h"
#include "stateless-receiver.h"
#include "transport-settings.h"

#include "ns3/data-rate.h"
#include "ns3/fabric-actor.h"
#include "ns3/lazy-trace.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace ns3
{

class LogComponent;

/**
 * @ingroup dcfabric
 * @brief The network interface of a host: its ports, and the parts of its transport.
 *
 * A port pulls the next data packet from an eligible PDC when its wire is free; control packets
 * wait in the port's queue disc and go first. PDCs take turns. One timer for each port serves the
 * pacing of all its PDCs.
 */
class FabricNic : public FabricActor, public TransportSettings, public PdcTraces
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    FabricNic();
    ~FabricNic() override;

    /**
     * @brief Make another NIC with the same attributes, without the search of ns-3 for each of
     * them, which takes most of the time.
     * @return a NIC that belongs to no node, and shares reliability and formats with this one;
     * null if this one is of a derived class
     */
    Ptr<FabricNic> CreateAlike() const;

    /// 64-bit counters of a NIC.
    struct Counters
    {
        uint64_t dataSent{0};       //!< data packets sent, retransmissions included
        uint64_t dataDelivered{0};  //!< data packets that arrived and were new
        uint64_t dataDuplicate{0};  //!< data packets that had arrived before
        uint64_t datagramsSent{0};  //!< of dataSent, those that nobody answers
        uint64_t datagramsGot{0};   //!< of dataDelivered, likewise
        uint64_t dataRefused{0};    //!< data packets that arrived without receive
        uint64_t dataVoid{0};       //!< data packets that arrived without payload
        uint64_t dataTrimmed{0};    //!< data packets that arrived trimmed
        uint64_t trimsTold{0};      //!< of acksReceived, NACKs of trimmed packets
        uint64_t retransmitted{0};  //!< data packets sent again
        uint64_t probesSent{0};     //!< of dataSent, those that only ask for an ACK (TailProbe)
        uint64_t acksSent{0};       //!< ACKs, NACKs, RTWs and RNRs sent
        uint64_t acksReceived{0};   //!< ACKs, NACKs, RTWs and RNRs that arrived
        uint64_t cnpsSent{0};       //!< CNPs sent
        uint64_t cnpsReceived{0};   //!< CNPs that arrived
        uint64_t noticesArrived{0}; //!< what else switches tell senders, such as fair rates
        uint64_t noticesStale{0};   //!< of these, about a PDC that is not there any more
        uint64_t btsReceived{0};    //!< notifications back to the sender
        uint64_t timeouts{0};       //!< retransmission time-outs
        uint64_t pdcsEvicted{0};    //!< idle PDCs that made room for others
        uint64_t maxSendingPdcs{0}; //!< most sending PDCs at a time
        uint64_t bytesDelivered{0}; //!< payload that arrived and was new
        uint64_t reordered{0};      //!< packets that arrived after a later one
        uint64_t rtwSent{0};        //!< requests to wait sent
        uint64_t rnrSent{0};        //!< "receiver not ready" sent
        uint64_t closesSent{0};     //!< that PDCs are to be closed, or are
        uint64_t closesReceived{0}; //!< likewise, that arrived
        uint64_t rtsSent{0};        //!< requests to send sent
        uint64_t rtsReceived{0};    //!< requests to send that arrived
        uint64_t grantsSent{0};     //!< grants of a ReceiverControl sent
        uint64_t protocolSent{0};   //!< packets of the HostProtocol
        uint64_t protocolTaken{0};  //!< likewise, that arrived
        uint64_t stackSent{0};      //!< packets that the host's own stack handed over
        uint64_t stackDelivered{0}; //!< packets handed to the host's own stack
        uint64_t stackMarked{0};    //!< of these, with congestion experienced
    };

    /**
     * @brief Tell which ports lead to which destinations on shortest paths; a NIC with one port
     * needs no such table.
     * @param table of this host; there must be all ports
     */
    void SetForwardingTable(ForwardingTable table);

    /**
     * @brief Change the table during the run (HostRoutes::Update()).
     * @param table the new one; SetForwardingTable() has been called
     */
    void UpdateForwardingTable(ForwardingTable table);

    /**
     * @brief Have a throttle limit what each port injects.
     * @param throttles by port, attached
     */
    void SetThrottles(std::vector<Ptr<InjectionThrottle>> throttles);

    /**
     * @brief Draw how slow the clock of this host is (ClockSpread). All ports are there.
     * @param stream of the random variable
     */
    void DrawClock(int64_t stream);

    /**
     * @param port its number
     * @return the throttle of a port, null for none
     */
    InjectionThrottle* GetThrottle(uint16_t port) const
    {
        return m_throttles.empty() ? nullptr : PeekPointer(m_throttles[port]);
    }

    /// @return the messages @{
    FabricMessages& GetMessages()
    {
        return m_messages;
    }

    const FabricMessages& GetMessages() const
    {
        return m_messages;
    }

    /** @} */

    /// @return the sending PDCs @{
    SendingPdcs& GetSendingPdcs()
    {
        return m_senders;
    }

    const SendingPdcs& GetSendingPdcs() const
    {
        return m_senders;
    }

    /** @} */

    /// @return the receiving PDCs @{
    ReceivingPdcs& GetReceivingPdcs()
    {
        return m_receivers;
    }

    const ReceivingPdcs& GetReceivingPdcs() const
    {
        return m_receivers;
    }

    /** @} */

    /// @return how PDCs are closed @{
    PdcCloses& GetCloses()
    {
        return m_closes;
    }

    const PdcCloses& GetCloses() const
    {
        return m_closes;
    }

    /** @} */

    /// @return what grants credit to senders @{
    ReceiverGrants& GetReceiverGrants()
    {
        return m_grants;
    }

    const ReceiverGrants& GetReceiverGrants() const
    {
        return m_grants;
    }

    /** @} */

    /**
     * @brief Have data pass to the host by a link that takes time; all ports are there.
     * @param link of this NIC alone, attached
     */
    void SetHostLink(Ptr<HostLink> link);

    /// @return it; null: data is at the host at once
    HostLink* GetHostLink() const
    {
        return PeekPointer(m_hostLink);
    }

    /**
     * @brief Let a protocol share the ports with the PDCs.
     * @param protocol of this NIC alone, attached; null: none
     */
    void SetProtocol(Ptr<HostProtocol> protocol);

    /// @return it; null if there is none
    HostProtocol* GetProtocol() const
    {
        return PeekPointer(m_protocol);
    }

    /**
     * @brief A data packet is at the host.
     * @param item the packet
     * @param arrivedPs when it came to the NIC
     */
    void TakeData(Ptr<FabricPacketItem> item, int64_t arrivedPs);

    /// @return while a data packet is dealt with, when it came to the NIC, in ps
    int64_t GetDataArrivalPs() const
    {
        return m_hostLink ? m_dataArrivedPs : GetNowPs();
    }

    /// @return how far out of order packets may arrive
    OrderLimits GetOrderLimits() const
    {
        return {maxAhead, maxHoles};
    }

    /// @return what sends CNPs @{
    CnpSender& GetCnps()
    {
        return m_cnps;
    }

    const CnpSender& GetCnps() const
    {
        return m_cnps;
    }

    /** @} */

    /// @return the receiving end of packets for which there is no PDC
    const StatelessReceiver& GetStatelessReceiver() const
    {
        return m_stateless;
    }

    /// @return the counters
    const Counters& GetCounters() const
    {
        return m_counters;
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
     * @param entropy any
     * @param channel see QueuePair
     * @return the next entropy, counted round, with which packets leave by the port of the channel;
     * the same if none does because its link is down
     */
    uint16_t FitToChannel(uint32_t dst, uint16_t entropy, uint16_t channel) const;

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
    uint16_t ChooseAnswerPort(uint32_t dst, uint16_t entropy, uint16_t ingress) const
    {
        return !m_routes || m_routes->IsGood(dst, ingress) ? ingress : ChoosePort(dst, entropy);
    }

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

    // For the parts.

    /**
     * @brief A PDC may have become able to send.
     * @param pdc which
     */
    void Activate(SendingPdc& pdc);
    /**
     * @brief Send a control packet, see ChooseAnswerPort().
     * @param item complete but for its source and its class, which are those of this NIC
     * @param port that the packet which it answers came in by
     */
    void SendControl(Ptr<FabricPacketItem> item, uint16_t port);
    /**
     * @brief A PDC goes.
     * @param pdc which
     */
    void Deactivate(SendingPdc& pdc);

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
    /// A NIC of given settings. @param settings of another one
    explicit FabricNic(const TransportSettings& settings);

    /// Set attribute CnpMeterRate, which each data packet asks for as a number. @param rate it
    void SetCnpMeterRate(DataRate rate);
    /// @return attribute CnpMeterRate
    DataRate GetCnpMeterRate() const;

    friend class FabricMessages; // fires the trace sources of messages

    static LogComponent g_log; //!< of this class

    /// Owners of parked packets that are no PDC.
    static constexpr uint32_t CONTROL_OWNER = UINT32_MAX;
    static constexpr uint32_t STACK_OWNER = UINT32_MAX - 1; //!< of ns-3's stack

    /// Choose the port of the next packet of a PDC that waits at none.
    void Route(SendingPdc& pdc);
    /// Enter a PDC that waits at no port and can send at one; see that the port looks for it, but
    /// for @p present, which looks anyway.
    void EnterAnew(SendingPdc& pdc, uint16_t present);
    /// @return the next packet of PDCs or of the stack, or null
    Ptr<FabricPacketItem> PullOwn(FabricNetDevice& port);
    /// @return the next packet where a protocol takes turns with these, or null
    Ptr<FabricPacketItem> PullInTurn(FabricNetDevice& port);
    /// @return the next data packet, or null
    Ptr<FabricPacketItem> PullData(FabricNetDevice& port);
    /// @return a packet of the stack that waits for a port, or null
    static Ptr<FabricPacketItem> PullStack(FabricNetDevice& port, StackQueue& stack);
    /// A data packet has arrived.
    void ReceiveData(Ptr<FabricPacketItem> item, int64_t nowPs);
    /// An RTS names a PDC that is gone, as its message must be: tell the receiver.
    void AnswerStaleRequest(const FabricPacketItem& rts);

    SendingPdcs m_senders{*this};                    //!< how messages find theirs
    ReceivingPdcs m_receivers{*this};                //!< how packets find theirs
    StatelessReceiver m_stateless{*this};            //!< of packets without PDC
    PdcCloses m_closes{*this};                       //!< of PDCs that go
    ReceiverGrants m_grants{*this};                  //!< to senders
    FabricMessages m_messages{*this};                //!< of the user
    HostStack m_stack{*this};                        //!< packets of the host's own stack
    std::vector<PdcSchedule> m_schedules;            //!< of each port
    std::unique_ptr<HostRoutes> m_routes;            //!< null: one port, or any will do
    std::vector<Ptr<InjectionThrottle>> m_throttles; //!< of each port; empty: none
    /// Packets for which credits came, of each port, at first use.
    std::vector<std::deque<Ptr<FabricPacketItem>>> m_passed;
    /// Clocks of hosts are slow by a random part of so many ppm, each host by its own
    double m_clockSpread;
    Counters m_counters;                                          //!< statistics
    LazyTrace<Ptr<const FabricPacketItem>> m_payloadTrace;        //!< new payload arrived
    TracedCallback<const MessageStateEvent&> m_messageStateTrace; //!< states of messages
    TracedCallback<const FabricMessageEvent&> m_deliveredTrace;   //!< messages arrived
    TracedCallback<const FabricMessageEvent&> m_completedTrace;   //!< messages acknowledged
    CnpSender m_cnps{*this};                                      //!< notifies senders
    Ptr<HostLink> m_hostLink;           //!< null: data is at the host at once
    int64_t m_dataArrivedPs{0};         //!< of the data packet that is at the host
    Ptr<HostProtocol> m_protocol;       //!< beside the PDCs; null: none
    std::vector<bool> m_protocolYields; //!< by port: the PDCs go first
};

} // namespace ns3

#endif /* FABRIC_NIC_H */
