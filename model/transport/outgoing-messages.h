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
    uint64_t matchBits{0};              //!< if it is tagged
    int64_t limitPs{FabricTime::NEVER}; //!< when it fails
    uint32_t tag{0};                    //!< the caller's number
    uint32_t msn{0};                    //!< message sequence number on the wire
    uint32_t queuePair{0};              //!< see FabricMessages::Send()
    bool write{false};                  //!< one-sided
    bool tagged{false};                 //!< has match bits

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
 * @brief The matched messages of a sending PDC, as this sees them. A MessageMatcher makes it.
 */
class OutgoingMessages
{
  public:
    OutgoingMessages() = default;
    virtual ~OutgoingMessages() = default;
    OutgoingMessages(const OutgoingMessages&) = delete;
    OutgoingMessages& operator=(const OutgoingMessages&) = delete;

    /**
     * @brief Begin a message.
     * @param message what
     * @param bdpBytes line rate x base RTT
     */
    virtual void Add(const OutgoingMessage& message, uint64_t bdpBytes) = 0;

    /**
     * @brief An ACK that says COMPLETE, an RTW or an RNR has arrived.
     * @param item it
     */
    virtual void OnAnswer(const FabricPacketItem& item) = 0;

    /**
     * @brief An RTS has arrived.
     * @param item it
     */
    virtual void OnRequest(const FabricPacketItem& item) = 0;

    /**
     * @brief All packets of a range are acknowledged.
     * @param message which
     */
    virtual void OnRangeAcked(OutgoingMessage& message) = 0;

    /**
     * @brief A timer is due.
     * @param key of the message
     * @param nowPs time
     */
    virtual void OnTimer(uint64_t key, int64_t nowPs) = 0;

    /**
     * @brief Give a message up.
     * @param key of the message, which is not complete
     * @param status how it ends
     */
    virtual void Abandon(uint64_t key, MessageStatus status) = 0;

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

  protected:
    std::map<uint64_t, OutgoingMessage> m_messages; //!< by key
};

} // namespace ns3

#endif /* OUTGOING_MESSAGES_H */
