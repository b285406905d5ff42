// SPDX-License-Identifier: GPL-2.0-only
#ifndef SENDING_PDC_H
#define SENDING_PDC_H

#include "ack-timeout.h"
#include "fabric-message.h"
#include "outgoing-messages.h"
#include "packet-sequence.h"
#include "pdc-traces.h"
#include "reliability-policy.h"
#include "send-limits.h"
#include "send-ranges.h"
#include "send-window.h"
#include "sent-entropies.h"
#include "tail-probe.h"

#include "ns3/congestion-control.h"
#include "ns3/fabric-packet-item.h"
#include "ns3/fabric-time.h"
#include "ns3/load-balancer.h"
#include "ns3/pooled.h"
#include "ns3/receiver-driven-control.h"

#include <array>
#include <cstdint>
#include <memory>
#include <ostream>
#include <vector>

namespace ns3
{

class FabricNic;
class LogComponent;

/**
 * @ingroup dcfabric
 * @brief The sending end of a packet delivery context: messages to one destination in one sequence
 * space.
 *
 * Belongs to a FabricNic, which pulls packets from it when its congestion control allows. There is
 * no connection set-up: packets carry SYN until the first answer names the PDC at the target.
 */
class SendingPdc final : public CongestionControl::Host,
                         public ReceiverDrivenControl::Asker,
                         public Pooled<SendingPdc>
{
  public:
    static constexpr uint32_t TIMER_IDS = 8; //!< timer ids of the NIC that a PDC has
    static constexpr uint8_t LOSS_TIMER = 1 + CongestionControl::N_TIMERS; //!< finds losses

    /**
     * @param nic the NIC
     * @param number of this PDC at the NIC
     * @param dst fabric address of the destination
     * @param priority class of the data, 0 to 7
     * @param queuePair of its messages
     */
    SendingPdc(FabricNic& nic, uint32_t number, uint32_t dst, uint8_t priority, uint32_t queuePair);
    ~SendingPdc() override;

    /**
     * @brief Install the policies and begin.
     * @param cc congestion control
     * @param lb load balancer
     * @param path connection
     * @param entropy random bits for the load balancer
     */
    void Start(Ptr<CongestionControl> cc,
               Ptr<LoadBalancer> lb,
               const PathInfo& path,
               uint16_t entropy);

    /**
     * @brief Append a message that goes through the match table of its target, or a write.
     * @param message what
     */
    void AddMatched(const OutgoingMessage& message);

    /**
     * @brief Append a message that is not matched.
     * @param bytes length, at least 1
     * @param tag the caller's number
     * @param startPs when it was handed over
     */
    void AddMessage(uint64_t bytes, uint32_t tag, int64_t startPs);

    /// @return the matched messages; null if there never was one
    OutgoingMessages* GetOutgoing() const
    {
        return m_outgoing.get();
    }

    /// @return what the packets carry @{
    SendRanges& GetRanges()
    {
        return m_ranges;
    }

    const SendRanges& GetRanges() const
    {
        return m_ranges;
    }

    /** @} */

    /// @return fabric address of the destination
    uint32_t GetDestination() const
    {
        return m_dst;
    }

    /**
     * @return true if there is a packet to send and the window has room, or a probe
     *
     * One packet may exceed a window that shrank below what is in flight while no answer is due:
     * it asks for the answer that the cumulative ACK of every m packets would never bring.
     */
    bool CanSend()
    {
        return CanSendData() || m_probe.IsWanted();
    }

    /// @return the next packet; CanSend() must hold
    Ptr<FabricPacketItem> MakePacket(int64_t nowPs);

    /**
     * @brief A packet of MakePacket() that waited for credits leaves now.
     * @param item the packet
     * @param nowPs time
     */
    void OnLeave(const FabricPacketItem& item, int64_t nowPs);

    /**
     * @brief An ACK or NACK has arrived.
     * @param item the packet
     * @param nowPs time
     */
    void OnAck(const FabricPacketItem& item, int64_t nowPs);

    /**
     * @brief A NACK of a packet that arrived without its payload: it is sent again before what is
     * new. Nothing is acknowledged.
     * @param item the NACK
     * @param nowPs time
     */
    void OnTrim(const FabricPacketItem& item, int64_t nowPs);

    /**
     * @brief What a switch tells the congestion control has arrived.
     * @param item the message
     * @param nowPs time
     */
    void OnNotice(const FabricPacketItem& item, int64_t nowPs);

    /**
     * @brief A notification of a switch has arrived: one of a drop sends the packet again.
     *
     * If the switch had no port for it, that is not congestion, of which the control would be told:
     * the packets take another path, if the load balancer has one. Where none leads on they would
     * be lost and sent again once in a round trip for ever; so after a time-out only time-outs send
     * again, until there is an ACK.
     * @param item the notification
     * @param nowPs time
     */
    void OnBts(const FabricPacketItem& item, int64_t nowPs);

    /**
     * @brief A CNP has arrived.
     * @param nowPs time
     */
    void OnCnp(int64_t nowPs);

    /**
     * @brief One of the PDC's timers is due.
     * @param timer 0: retransmission, 1 to 4: congestion control, 5: loss
     * @param nowPs time
     */
    void OnTimer(uint8_t timer, int64_t nowPs);

    /**
     * @brief A message of which no packet is answered has left.
     * @param end behind its last packet
     * @param nowPs time
     */
    void OnDeparture(uint64_t end, int64_t nowPs);

    /// @return true if all messages have been acknowledged
    bool IsIdle() const
    {
        return m_ranges.Get().empty() && (!m_outgoing || m_outgoing->IsEmpty());
    }

    /// @return earliest time of the next packet by the pacing rate, in ps
    int64_t GetEligiblePs() const;

    /// @return the congestion control
    Ptr<CongestionControl> GetCongestionControl() const
    {
        return m_cc;
    }

    /// @return the NIC
    const FabricNic& GetNic() const
    {
        return m_nic;
    }

    /// @return number at the NIC
    uint32_t GetNumber() const
    {
        return m_number;
    }

    /// @return true if an answer has named the PDC at the target
    bool IsEstablished() const
    {
        return m_established;
    }

    /// @return number at the target; IsEstablished()
    uint32_t GetTargetPdc() const
    {
        return m_targetPdc;
    }

    /// @return entropy of the last packet
    uint16_t GetEntropy() const
    {
        return m_entropy;
    }

    /// @return class of the data
    uint8_t GetPriority() const
    {
        return m_priority;
    }

    /// @return queue pair of the messages, 0: they have none
    uint32_t GetQueuePair() const
    {
        return m_queuePair;
    }

    /// @return for each message that is not acknowledged, what has been sent of it so far
    std::vector<FabricMessageEvent> GetOpenMessages() const;

    /// @return payload bytes on their way
    uint64_t GetInFlightBytes() const override
    {
        return m_inFlightBytes;
    }

    /// @return payload bytes acknowledged in order
    uint64_t GetAckedBytes() const
    {
        return m_cumulativeBytes;
    }

    /// @return packets sent again
    uint64_t GetNRetransmitted() const
    {
        return m_retransmitted;
    }

    /// @return how long it waits for an ACK
    const AckTimeout& GetAckTimeout() const
    {
        return m_ackTimeout;
    }

    /// @return round-trip time of the packet that the last ACK answers, in ps; 0: there was none
    int64_t GetRttPs() const
    {
        return m_rttPs;
    }

    /// @return time-outs
    uint64_t GetNTimeouts() const
    {
        return m_timeouts;
    }

    /**
     * @brief Choose the entropy of the next packet now, before it is made; twice makes no
     * difference.
     * @param nowPs time
     * @return the entropy
     */
    uint16_t DrawEntropy(int64_t nowPs);

    /// @return where it stands in the NIC's schedule
    PdcState GetState() const
    {
        return m_state;
    }

    /**
     * @brief It stands somewhere in the NIC's schedule; sinks of State are told.
     * @param state where
     */
    void SetState(PdcState state)
    {
        m_state = state;
        if (m_traces.stateTrace.IsUsed())
        {
            TellState();
        }
    }

    /// It stands nowhere in the NIC's schedule until SetState() follows, of which alone sinks are
    /// told: meanwhile it is as one that is blocked.
    void Withdraw()
    {
        m_state = PdcState::BLOCKED;
    }

    /// Tell sinks of window, rate and RTT what has changed.
    void TellValues()
    {
        if (m_traces.AreValuesTraced())
        {
            TellChanges();
        }
    }

    int64_t queuedPs{FabricTime::NEVER};    //!< key of the valid entry in the NIC's pacing heap
    uint32_t heapEntries{0};                //!< entries in that heap, void ones included
    uint16_t port{0};                       //!< port of the NIC
    int64_t idleSincePs{FabricTime::NEVER}; //!< kept by the NIC

  private:
    static LogComponent g_log; //!< of this class

    // from CongestionControl::Host
    void SetTimer(uint8_t timer, int64_t atPs) override;
    void CancelTimer(uint8_t timer) override;
    void RateChanged() override;
    void Print(std::ostream& os) const override;

    // from ReceiverDrivenControl::Asker
    void Ask() override;
    void NoteDemand(bool begins) override;
    uint32_t GetNDemands() const override;

    /// What sinks have been told.
    struct Told
    {
        uint64_t windowBytes{0};           //!< window; 0: none
        DataRate rate;                     //!< pacing rate
        Time rtt;                          //!< round-trip time of the last ACK
        PdcState state{PdcState::BLOCKED}; //!< in the schedule
    };

    /// @return what sinks have been told, made at first use
    Told& GetTold();
    /// As SetState(), if there are sinks.
    void TellState();
    /// As TellValues(), if there are sinks.
    void TellChanges();

    /// @return true if there is a packet to send, whatever the window
    bool HasPacket();

    /// @return true if there is a packet to send and the window has room
    bool CanSendData()
    {
        return (m_inFlightBytes < m_cc->GetWindow() || !IsAnswerDue()) && HasPacket();
    }

    /// @return true if what is in flight will make the receiver answer
    bool IsAnswerDue() const;
    /// @return a data packet with what depends on the message
    Ptr<FabricPacketItem> CreateData(SendRange& range, uint64_t offset, uint64_t payload);
    /// @return a packet that only asks for an answer
    Ptr<FabricPacketItem> MakeProbe(int64_t nowPs);
    /// Fill in what depends on the PDC only; @p seq is the number of the packet.
    void Address(FabricPacketItem& item, int64_t seq, int64_t nowPs) const;
    /// A packet, complete but for tag and path, is on its way out; @p again: it was sent before.
    void Finish(FabricPacketItem& item, bool again, int64_t nowPs);
    /// The target has answered, and so names its PDC.
    void Establish(const FabricPacketItem& item);
    /// A packet that nobody answers is on its way out: nothing is left to wait for.
    void Depart(const FabricPacketItem& item, const SendRange& range, uint64_t seq, int64_t nowPs);
    /// See OnDeparture() after a packet that leaves now; @p end is behind it.
    void AwaitDeparture(const FabricPacketItem& item, uint64_t end, int64_t nowPs);
    /// Take an ACK of one packet alone into account. @return payload bytes newly acknowledged
    uint64_t EnterSingle(const FabricPacketItem& item);
    /**
     * @brief Take cumulative and selective acknowledgements into account; @p cumulative is the next
     * packet that the ACK names, at least the first unacknowledged one.
     * @return payload bytes newly acknowledged
     */
    uint64_t EnterAck(const FabricPacketItem& item, uint64_t cumulative);
    /// @return what there is to tell of a message that is not matched
    FabricMessageEvent MakeEvent(const SendRange& range) const;
    /// @return reductions of window and rate since the last call
    uint64_t TakeReductions();
    /// Complete ranges; @p cumulative is the first packet not acknowledged.
    void CompleteRanges(uint64_t cumulative, int64_t nowPs);
    /// Take another path, if a notification of a switch is about the present one.
    void LeavePath(const FabricPacketItem& item, int64_t nowPs);
    /// Count the payload that a window operation took out of flight.
    uint64_t AccountLost(uint64_t lost);
    /// Tell the load balancer which entropies the packets had that have been found lost; before
    /// AccountLost(), which forgets them.
    void TellLosses(int64_t nowPs);
    /// Start the time-out anew, or stop it.
    void RestartTimeout(int64_t nowPs);
    /// Arm a timer.
    void Arm(uint8_t timer, int64_t atPs);

    /// @return payload sent for the first time behind what is acknowledged in order
    uint64_t GetAheadBytes() const
    {
        return m_sentBytes - m_cumulativeBytes;
    }

    /// @return how long to wait for an ACK from now on, in ps
    int64_t GetPatiencePs() const;
    /// @return how long the receiver may wait for packets before it sends one, in ps
    int64_t GetAckDelayPs() const;
    /// @return true if the link to the network holds the packets of this PDC back
    bool IsHeldBack() const;
    /// Handle an expired time-out.
    void HandleTimeout(int64_t nowPs);
    /// Tell the reliability policy what it has to know of the sender (LossEpisode).
    void DescribeEpisode();
    /// Arm the timer that finds losses and sends probes, where the reliability policy has one.
    void ArmLossTimer();
    /// @return when a probe is to be sent, in ps, or NEVER
    int64_t GetProbePs() const;
    /// Find what has been lost by now.
    void HandleLossTimer(int64_t nowPs);

    FabricNic& m_nic;                             //!< the NIC
    const PdcTraces& m_traces;                    //!< of the NIC
    std::unique_ptr<Told> m_told;                 //!< to sinks of these, at first use
    PdcState m_state{PdcState::BLOCKED};          //!< in the schedule
    Ptr<CongestionControl> m_cc;                  //!< congestion control
    ReceiverDrivenControl* m_driven{nullptr};     //!< that, if it is one
    Ptr<LoadBalancer> m_lb;                       //!< load balancer
    Ptr<ReliabilityPolicy> m_reliability;         //!< that of the NIC when it began
    SendWindow m_window;                          //!< packets
    SendRanges m_ranges;                          //!< what packets carry
    uint64_t m_inFlightBytes{0};                  //!< payload on its way
    uint64_t m_cumulativeBytes{0};                //!< payload acknowledged in order
    uint64_t m_sentBytes{0};                      //!< payload sent for the first time
    uint32_t m_number;                            //!< at the NIC
    uint32_t m_dst;                               //!< destination
    uint32_t m_queuePair;                         //!< of its messages
    uint32_t m_targetPdc{0};                      //!< at the target
    uint32_t m_initialPsn;                        //!< number of packet 0 on the wire
    uint32_t m_flowHash{0};                       //!< of m_entropy
    uint32_t m_payload;                           //!< of a full packet
    uint16_t m_entropy{0};                        //!< of the last packet
    uint8_t m_priority;                           //!< class of data
    bool m_established{false};                    //!< m_targetPdc is known
    bool m_wantsOnSend{false};                    //!< of the congestion control
    bool m_wantsInt{false};                       //!< data carries an INT header
    bool m_stamps{false};                         //!< modifiers stamp data
    bool m_findsByTime{false};                    //!< losses, or has probes
    bool m_isAnswered{true};                      //!< packets are
    bool m_tellsDelays{false};                    //!< the load balancer wants them
    uint32_t m_dataFlags{0};                      //!< of every data packet
    bool m_asks{false};                           //!< the probe that is wanted is of m_driven
    bool m_hashed{false};                         //!< m_flowHash is valid
    bool m_drawn{false};                          //!< m_nextEntropy is valid
    uint16_t m_nextEntropy{0};                    //!< of the next packet
    uint32_t m_paceGapBytes{0};                   //!< counted to a packet that paces the next one
    uint64_t m_bdpBytes{0};                       //!< of the path
    int64_t m_baseRttPs{0};                       //!< of the pair, or T if that is larger
    std::unique_ptr<OutgoingMessages> m_outgoing; //!< at first use
    std::unique_ptr<SentEntropies> m_entropies;   //!< if the load balancer asks for losses
    uint64_t m_request{UINT64_MAX};               //!< last packet that asked for an answer
    int64_t m_lastSendPs{0};                      //!< when the last packet was pulled
    uint32_t m_lastSendBytes{0};                  //!< its frame
    double m_unpacedRate{0};                      //!< bit/s from which on the wire is the pace
    int64_t m_rttPs{0};                           //!< of the last ACK
    AckTimeout m_ackTimeout;                      //!< without back-off
    int64_t m_timeoutPs{FabricTime::NEVER};       //!< when the time-out expires
    int64_t m_armedPs{FabricTime::NEVER};         //!< time of the valid entry in the calendar
    int64_t m_lossTimerPs{FabricTime::NEVER};     //!< of the reliability policy
    TailProbe m_probe;                            //!< of the last packets
    std::array<int64_t, CongestionControl::N_TIMERS> m_ccTimers; //!< of the congestion control
    uint64_t m_retransmitted{0};                                 //!< in all
    uint64_t m_toldReductions{0};                                //!< up to the last message
    uint64_t m_timeouts{0};                                      //!< in all
    std::unique_ptr<SendLimits> m_limits; //!< of the reliability policy; null: none
};

} // namespace ns3

#endif /* SENDING_PDC_H */
