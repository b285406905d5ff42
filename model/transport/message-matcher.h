// SPDX-License-Identifier: GPL-2.0-only
#ifndef MESSAGE_MATCHER_H
#define MESSAGE_MATCHER_H

#include "fabric-message.h"
#include "match-entry.h"
#include "message-protocol.h"
#include "outgoing-messages.h"

#include "ns3/type-id.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace ns3
{

class ReceivingPdc;
class SendingPdc;

/**
 * @ingroup dcfabric
 * @brief What has the messages of a NIC go through a match table, as its PDCs see it: the receives,
 * and what becomes of packets that arrive ([Patent] (57) to (60)). A MessageProtocol makes it.
 */
class MessageMatcher
{
  public:
    /// What became of a packet.
    enum class Verdict : uint8_t
    {
        REFUSED,   //!< no receive is posted
        PLACED,    //!< its payload is in the buffer, perhaps since before
        COMPLETED, //!< and the message is complete now: Deliver() is to follow
        KNOWN,     //!< the message was complete before
    };

    /// A receive.
    struct Receive
    {
        uint32_t src;      //!< fabric address of the sender
        uint64_t handle;   //!< the caller's number
        uint8_t* buffer;   //!< user memory; null: timing only
        uint64_t capacity; //!< its bytes
        int64_t limitPs;   //!< when it fails; FabricTime::NEVER: never
    };

    static constexpr uint32_t ANY_SOURCE = UINT32_MAX; //!< source of a tagged receive: every one

    /// Which messages a tagged receive takes: those whose bits are equal to its own, but for some.
    struct MatchRule
    {
        uint64_t bits;   //!< its own
        uint64_t ignore; //!< set where any will do
    };

    /// 64-bit counters.
    struct Counters
    {
        uint64_t unmatched{0};    //!< data packets refused
        uint64_t wastedBytes{0};  //!< their payload
        uint64_t overflows{0};    //!< receives and canaries for which the table had no room
        uint64_t writeLookups{0}; //!< of packets among the writes that arrive
        /// Of packets that the first look-up was not enough for: among contexts by their senders,
        /// among complete messages, and by empty packets in the table.
        uint64_t furtherLookups{0};
    };

    /// What its table holds.
    struct TableState
    {
        TypeId type;         //!< class
        uint32_t capacity;   //!< most entries at a time
        uint32_t maxEntries; //!< most so far
        uint64_t lookups;    //!< by packets
    };

    /// @param protocol what happens without receive
    explicit MessageMatcher(Ptr<const MessageProtocol> protocol)
        : m_protocol(std::move(protocol))
    {
    }

    virtual ~MessageMatcher() = default;
    MessageMatcher(const MessageMatcher&) = delete;
    MessageMatcher& operator=(const MessageMatcher&) = delete;

    /**
     * @param pdc a sending PDC of the NIC
     * @return keeper of its matched messages
     */
    virtual std::unique_ptr<OutgoingMessages> MakeOutgoing(SendingPdc& pdc) = 0;

    /**
     * @brief Post a receive: the next message of its source, or the first whose receive was taken
     * back, goes there.
     * @param receive what
     */
    virtual void Post(const Receive& receive) = 0;

    /**
     * @brief Post a receive for a certain message. All receives of a source are posted so, or none.
     * @param index which of the messages of its source, from 0, each at most once
     * @param receive what
     */
    virtual void PostFor(uint64_t index, const Receive& receive) = 0;

    /**
     * @brief Post a receive for a message with match bits: the first one of its source, or of
     * #ANY_SOURCE, that no receive posted before takes. All messages of a source have bits, or
     * none.
     * @param receive what
     * @param rule bits that it takes
     * @throws FabricError if receives without match bits were posted for that source
     */
    virtual void PostTagged(const Receive& receive, const MatchRule& rule) = 0;

    /**
     * @brief Post a receive later. Those of the same time are posted in the order of sources and
     * handles.
     * @param atPs when, in ps, not in the past
     * @param receive what
     */
    virtual void PostAt(int64_t atPs, const Receive& receive) = 0;

    /**
     * @brief The time of PostAt() has come.
     * @param handle of the receive
     */
    virtual void PostDue(uint64_t handle) = 0;

    /**
     * @brief Take a receive back.
     * @param handle of the receive
     * @param status how it ends
     * @return false if it is complete or unknown, or packets of its message have arrived
     */
    virtual bool Withdraw(uint64_t handle, MessageStatus status) = 0;

    /**
     * @brief The time of a receive is over.
     * @param handle of the receive
     */
    virtual void Expire(uint64_t handle) = 0;

    /**
     * @brief Let others write into memory.
     * @param buffer memory, null for timing only
     * @param bytes its length, at least 1
     * @return address for writes of others
     */
    virtual uint64_t Expose(uint8_t* buffer, uint64_t bytes) = 0;

    /**
     * @param item the packet
     * @return the entry that a data packet matches, null if there is none
     */
    virtual MatchEntry* Match(const FabricPacketItem& item) = 0;

    /**
     * @brief Enter a packet.
     * @param entry what Match() gave
     * @param item the packet
     * @param pdc receiving PDC
     * @param late a later packet of the PDC came before
     * @return what became of it
     */
    virtual Verdict OnData(MatchEntry* entry,
                           const FabricPacketItem& item,
                           ReceivingPdc& pdc,
                           bool late) = 0;

    /**
     * @brief Enter an empty packet. One of a message without length says that the message was given
     * up: its receive ends as CANCELLED.
     * @param item the packet
     * @param pdc receiving PDC
     */
    virtual void OnVoid(const FabricPacketItem& item, ReceivingPdc& pdc) = 0;

    /**
     * @param src fabric address of the sender
     * @param msn number of a message that is asked for
     * @return offset from which on its receiver wants it now, a multiple of the payload of a full
     * packet
     */
    virtual uint64_t GetRestartOffset(uint32_t src, uint32_t msn) const = 0;

    /**
     * @brief Tell of the message that OnData() completed.
     * @param nowPs time
     */
    virtual void Deliver(int64_t nowPs) = 0;

    /**
     * @brief A receiving PDC comes into being.
     * @param src its source
     * @param pdc its number
     */
    virtual void OnPdcCreated(uint32_t src, uint32_t pdc) = 0;

    /**
     * @brief A receiving PDC goes.
     * @param src its source
     * @param pdc its number
     * @param attached entries of the table name it
     */
    virtual void OnPdcRemoved(uint32_t src, uint32_t pdc, bool attached) = 0;

    /// A packet needed one more look-up.
    void CountFurtherLookup()
    {
        ++m_counters.furtherLookups;
    }

    /// @return the protocol
    const MessageProtocol& GetProtocol() const
    {
        return *m_protocol;
    }

    /// @return what its table holds
    virtual TableState GetTableState() const = 0;

    /// @return the counters
    const Counters& GetCounters() const
    {
        return m_counters;
    }

    /// @return receives that are posted and not complete
    virtual std::size_t GetNReceives() const = 0;

    /// @return receives that are to be posted later
    virtual std::size_t GetNToPost() const = 0;

  protected:
    Ptr<const MessageProtocol> m_protocol; //!< policy
    Counters m_counters;                   //!< statistics
};

} // namespace ns3

#endif /* MESSAGE_MATCHER_H */
