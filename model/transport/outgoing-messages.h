// SPDX-License-Identifier: GPL-2.0-only
#ifndef OUTGOING_MESSAGES_H
#define OUTGOING_MESSAGES_H

#include "fabric-message.h"
#include "message-timers.h"

#include "ns3/fabric-packet-item.h"
#include "ns3/fabric-time.h"

#include <cstdint>
#include <map>

namespace ns3
{

class FabricNic;
class SendingPdc;

/**
 * @ingroup dcfabric
 * @brief A message that goes through the match table of its target, or is written there.
 */
struct OutgoingMessage
{
    uint64_t bytes{0};                  //!< length
    const uint8_t* data{nullptr};       //!< user memory; null: timing only
    uint64_t handle{0};                 //!< of the operation, 0: none
    uint64_t remoteAddress{0};          //!< of a write
    int64_t limitPs{FabricTime::NEVER}; //!< when it fails
    uint32_t tag{0};                    //!< the caller's number
    uint32_t msn{0};                    //!< message sequence number on the wire
    uint32_t queuePair{0};              //!< see FabricMessages::Send()
    bool write{false};                  //!< one-sided

    // Kept by OutgoingMessages and its PDC.
    MessageState state{MessageState::NONEXISTENT}; //!< state
    uint8_t epoch{0};                              //!< attempt
    bool confirmed{false};                         //!< the target has everything
    bool probed{false};                            //!< asked whether the target has everything
    uint32_t ranges{0};                            //!< ranges of packets that are not acknowledged
    uint32_t refusals{0};                          //!< how often it was refused
    uint64_t eagerBytes{0};                        //!< sent before the target asks
    uint64_t sentTo{0};                            //!< behind the last byte of the last range
    uint64_t packetsSent{0};                       //!< all, resent ones included
    uint64_t resent{0};                            //!< packets sent again
    uint64_t reductions{0};                        //!< of window or rate, that count for it
    int64_t startPs{0};                            //!< when it was handed over
    int64_t retryPs{FabricTime::NEVER};            //!< when it is tried again
    int64_t probePs{FabricTime::NEVER}; //!< when the target is asked whether it has everything
};

/**
 * @ingroup dcfabric
 * @brief The matched messages of a sending PDC and their states ([Patent] (60)): sending, waiting
 * after a refusal, sending again after a request, complete.
 *
 * A message is complete when its packets are acknowledged and its target has said that it has
 * everything. The latter does not follow from the former: if a refusal is lost, a later cumulative
 * acknowledgement covers the refused packets. Whoever is not told in time asks with the last
 * packet; if that does not tell either, and the target will never ask for the message, it is sent
 * again.
 */
class OutgoingMessages
{
  public:
    /**
     * @param nic the NIC
     * @param pdc the PDC
     */
    OutgoingMessages(FabricNic& nic, SendingPdc& pdc);

    /**
     * @brief Begin a message.
     * @param message what
     * @param bdpBytes line rate x base RTT
     */
    void Add(const OutgoingMessage& message, uint64_t bdpBytes);

    /**
     * @brief An ACK that says COMPLETE, an RTW or an RNR has arrived.
     * @param item it
     */
    void OnAnswer(const FabricPacketItem& item);

    /**
     * @brief An RTS has arrived.
     * @param item it
     */
    void OnRequest(const FabricPacketItem& item);

    /**
     * @brief All packets of a range are acknowledged.
     * @param message which
     */
    void OnRangeAcked(OutgoingMessage& message);

    /**
     * @brief A timer is due.
     * @param key of the message
     * @param nowPs time
     */
    void OnTimer(uint64_t key, int64_t nowPs);

    /**
     * @brief Give a message up.
     * @param key of the message, which is not complete
     * @param status how it ends
     */
    void Abandon(uint64_t key, MessageStatus status)
    {
        Finish(m_messages.at(key), status);
    }

    /// @return true if there is none
    bool IsEmpty() const
    {
        return m_messages.empty();
    }

    /**
     * @param msn its number
     * @param write one-sided: these have numbers of their own
     * @return key of a message
     */
    static uint64_t MakeKey(uint32_t msn, bool write)
    {
        return (uint64_t{write} << 32) | msn;
    }

    /// @return the messages by key
    const std::map<uint64_t, OutgoingMessage>& Get() const
    {
        return m_messages;
    }

  private:
    /// Set a timer.
    void SetTimer(const OutgoingMessage& message, MessageTimers::Kind kind, int64_t atPs);
    /// Enter a state.
    void Enter(OutgoingMessage& message, MessageState state);
    /// Stop sending.
    void Stop(OutgoingMessage& message);
    /// Send again, as another attempt, from a byte on.
    void Restart(OutgoingMessage& message, uint8_t epoch, uint64_t offset);
    /// Complete a message if all is there.
    void CheckComplete(OutgoingMessage& message);
    /// End a message; it is gone then.
    void Finish(OutgoingMessage& message, MessageStatus status);

    FabricNic& m_nic;                               //!< the NIC
    SendingPdc& m_pdc;                              //!< the PDC
    std::map<uint64_t, OutgoingMessage> m_messages; //!< by key
};

} // namespace ns3

#endif /* OUTGOING_MESSAGES_H */
