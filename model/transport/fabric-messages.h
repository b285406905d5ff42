// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_MESSAGES_H
#define FABRIC_MESSAGES_H

#include "fabric-message.h"
#include "message-matcher.h"
#include "message-timers.h"
#include "outgoing-messages.h"
#include "vector-queue.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

namespace ns3
{

class FabricNic;
class LogComponent;

/**
 * @ingroup dcfabric
 * @brief The messages of a NIC: what its user sends, when it begins, and who is told of its end.
 *
 * A message that finds no PDC (SendingPdcs) waits here until there is room for one.
 */
class FabricMessages
{
  public:
    /// @param nic the NIC, which has the PDCs
    explicit FabricMessages(FabricNic& nic);
    ~FabricMessages();

    static constexpr uint32_t START_TIMER = UINT32_MAX; //!< timer of the NIC: messages begin
    static constexpr uint32_t TIMER = UINT32_MAX - 1;   //!< timer of the NIC: see SetTimer()

    /**
     * @brief Let messages go through a match table. Send() then needs a receive at the destination,
     * which needs the same.
     * @param protocol what happens to a message without receive; may be shared by NICs
     * @param table of this NIC; with no class: the usual one
     * @throws FabricError if a ReceiverControl grants credit there
     */
    void EnableMatching(const MessageProtocol& protocol, const ObjectFactory& table);

    /// @return the receiving half of matched messages, null if matching is not enabled
    MessageMatcher* GetMatcher() const
    {
        return m_matcher.get();
    }

    /**
     * @brief Send a message now. The receive is taken as posted.
     * @param dst fabric address
     * @param bytes length, at least 1
     * @param tag the caller's number of the message, returned in events
     * @param priority class, 0 to 7; negative: the attribute DataClass
     * @param queuePair messages of one number other than 0 follow one another in one PDC, if they
     * are under way together and have one destination and class; 0: as PdcPerMessage says, which
     * is also for all if it is false; numbers of QueuePair::MakeChannel() choose the port
     * @throws FabricError if the length is 0, the destination this host or no host, or the class
     * above 7
     */
    void Send(uint32_t dst,
              uint64_t bytes,
              uint32_t tag,
              int priority = -1,
              uint32_t queuePair = 0);

    /**
     * @brief Send a message at a time. Messages of the same time start in the order of their tags.
     * @param startPs when, in ps, not in the past
     * @param dst,bytes,tag,priority,queuePair as for Send()
     * @throws FabricError as Send(), and for a time in the past
     */
    void SendAt(int64_t startPs,
                uint32_t dst,
                uint64_t bytes,
                uint32_t tag,
                int priority = -1,
                uint32_t queuePair = 0);

    /**
     * @brief Send a matched message or a write now.
     * @param dst fabric address
     * @param message bytes, data, handle, tag, limit, queue pair and, for a write, the remote
     * address
     * @param priority class, 0 to 7; negative: the attribute DataClass
     * @throws FabricError as Send(), if matching is not enabled, and if messages to that host had
     * match bits before and this has not, or the other way round
     */
    void SendMatched(uint32_t dst, const OutgoingMessage& message, int priority = -1);

    /**
     * @brief Give a matched message up.
     * @param handle of the operation
     * @param status how it ends
     * @return false if it is complete or unknown
     */
    bool Abandon(uint64_t handle, MessageStatus status);

    /// Called with an event.
    using Callback = std::function<void(const FabricMessageEvent&)>;

    /**
     * @brief Be told when a message has arrived completely here (Delivered), one sent from here is
     * acknowledged (Completed), a matched send begins, in the order of messages to each host
     * (Started), and when matched sends (Send) and receives (Receive) end, well or not.
     * @param callback the listener
     * @{
     */
    void SetDeliveredCallback(Callback callback)
    {
        m_onDelivered = std::move(callback);
    }

    void SetCompletedCallback(Callback callback)
    {
        m_onCompleted = std::move(callback);
    }

    void SetStartedCallback(Callback callback)
    {
        m_onStarted = std::move(callback);
    }

    void SetSendCallback(Callback callback)
    {
        m_onSend = std::move(callback);
    }

    void SetReceiveCallback(Callback callback)
    {
        m_onReceive = std::move(callback);
    }

    /** @} */

    /// @return messages that wait for a PDC
    std::size_t GetNDeferred() const
    {
        return m_deferred.size();
    }

    // For PDCs and the matcher.

    /// There may be room for the PDC of a message.
    void SendDeferred();
    /**
     * @param message that is matched
     * @param dst its destination
     * @return what there is to tell of it now
     */
    FabricMessageEvent MakeEvent(const OutgoingMessage& message, uint32_t dst) const;
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
     * @brief Log and trace a change of state.
     * @param peer the other end
     * @param msn message
     * @param epoch attempt
     * @param sender seen at the sender
     * @param from before
     * @param to after
     */
    void NoteState(uint32_t peer,
                   uint32_t msn,
                   uint8_t epoch,
                   bool sender,
                   MessageState from,
                   MessageState to);
    /**
     * @brief Set a timer of a message, or of an idle PDC.
     * @param timer when and what
     */
    void SetTimer(const MessageTimers::Timer& timer);

    // For the NIC.

    /**
     * @brief START_TIMER is due.
     * @param nowPs time
     */
    void OnStartTimer(int64_t nowPs);
    /**
     * @brief TIMER is due.
     * @param nowPs time
     */
    void OnTimer(int64_t nowPs);
    /// Forget the listeners and the matcher.
    void Clear();

  private:
    static LogComponent g_log; //!< of this class

    /// A message that is to start later.
    struct PendingStart
    {
        int64_t startPs;    //!< when
        uint64_t bytes;     //!< length
        uint32_t tag;       //!< the caller's number
        uint32_t dst;       //!< destination
        uint32_t queuePair; //!< of the message
        int8_t priority;    //!< class, or negative

        /// @return true if this one starts later
        bool operator<(const PendingStart& other) const
        {
            return startPs != other.startPs ? startPs > other.startPs : tag > other.tag;
        }
    };

    /// A message that has no PDC yet.
    struct Waiting
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

    /// Refuse what cannot be sent.
    void Check(uint32_t dst, uint64_t bytes, int priority) const;
    /// Arm the timer of the next pending start.
    void ArmStart();
    /// A matched message begins.
    void BeginMatched(Waiting sent);
    /// Give a message to a PDC, or keep it until there is room for one.
    void HandOver(const Waiting& sent);

    FabricNic& m_nic;                                      //!< the NIC
    std::unique_ptr<MessageMatcher> m_matcher;             //!< null: nothing is matched
    std::vector<PendingStart> m_pending;                   //!< heap, next start first
    VectorQueue<Waiting> m_early;                          //!< sent before the simulation began
    VectorQueue<Waiting> m_deferred;                       //!< wait for a PDC
    std::unordered_map<uint64_t, Operation> m_operations;  //!< matched, under way, by handle
    std::unordered_map<uint32_t, uint32_t> m_nextMsn;      //!< of sends, by destination
    std::unordered_map<uint32_t, uint32_t> m_nextWriteMsn; //!< of writes, by destination
    std::unordered_map<uint32_t, bool> m_isTagged;         //!< whether sends are, by destination
    MessageTimers m_timers;                                //!< of messages and idle PDCs
    Callback m_onDelivered;                                //!< listener
    Callback m_onCompleted;                                //!< listener
    Callback m_onStarted;                                  //!< listener
    Callback m_onSend;                                     //!< listener
    Callback m_onReceive;                                  //!< listener
};

} // namespace ns3

#endif /* FABRIC_MESSAGES_H */
