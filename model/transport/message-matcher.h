// SPDX-License-Identifier: GPL-2.0-only
#ifndef MESSAGE_MATCHER_H
#define MESSAGE_MATCHER_H

#include "fabric-message.h"
#include "match-table.h"
#include "message-protocol.h"

#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <unordered_map>

namespace ns3
{

class FabricNic;
class ReceivingPdc;

/**
 * @ingroup dcfabric
 * @brief The receiving half of matched messages at a NIC: receives, canaries, and what arrives
 * ([Patent] (57) to (60)).
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

    /**
     * @param nic the NIC
     * @param table match table
     * @param protocol what happens without receive
     */
    MessageMatcher(FabricNic& nic, Ptr<MatchTable> table, Ptr<MessageProtocol> protocol);
    ~MessageMatcher();

    /**
     * @brief Post a receive: the next message of its source, or the first whose receive was taken
     * back, goes there.
     * @param receive what
     */
    void Post(const Receive& receive);

    /**
     * @brief Post a receive for a certain message. All receives of a source are posted so, or none.
     * @param index which of the messages of its source, from 0, each at most once
     * @param receive what
     */
    void PostFor(uint64_t index, const Receive& receive);

    /**
     * @brief Post a receive later. Those of the same time are posted in the order of sources and
     * handles.
     * @param atPs when, in ps, not in the past
     * @param receive what
     */
    void PostAt(int64_t atPs, const Receive& receive);

    /**
     * @brief The time of PostAt() has come.
     * @param handle of the receive
     */
    void PostDue(uint64_t handle);

    /**
     * @brief Take a receive back.
     * @param handle of the receive
     * @param status how it ends
     * @return false if it is complete or unknown, or packets of its message have arrived
     */
    bool Withdraw(uint64_t handle, MessageStatus status);

    /**
     * @brief The time of a receive is over.
     * @param handle of the receive
     */
    void Expire(uint64_t handle);

    /**
     * @brief Let others write into memory.
     * @param buffer memory, null for timing only
     * @param bytes its length, at least 1
     * @return address for writes of others
     */
    uint64_t Expose(uint8_t* buffer, uint64_t bytes);

    /**
     * @param item the packet
     * @return the entry that a data packet matches, null if there is none
     */
    MatchEntry* Match(const FabricPacketItem& item);

    /**
     * @brief Enter a packet.
     * @param entry what Match() gave
     * @param item the packet
     * @param pdc receiving PDC
     * @param late a later packet of the PDC came before
     * @return what became of it
     */
    Verdict OnData(MatchEntry* entry, const FabricPacketItem& item, ReceivingPdc& pdc, bool late);

    /**
     * @brief Enter an empty packet. One of a message without length says that the message was given
     * up: its receive ends as CANCELLED.
     * @param item the packet
     * @param pdc receiving PDC
     */
    void OnVoid(const FabricPacketItem& item, ReceivingPdc& pdc);

    /**
     * @brief Tell of the message that OnData() completed.
     * @param nowPs time
     */
    void Deliver(int64_t nowPs);

    /**
     * @brief A receiving PDC comes into being.
     * @param src its source
     * @param pdc its number
     */
    void OnPdcCreated(uint32_t src, uint32_t pdc)
    {
        m_sources[src].pdc = pdc;
    }

    /**
     * @brief A receiving PDC goes.
     * @param src its source
     * @param pdc its number
     * @param attached entries of the table name it
     */
    void OnPdcRemoved(uint32_t src, uint32_t pdc, bool attached);

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

    /// @return the table
    Ptr<MatchTable> GetTable() const
    {
        return m_table;
    }

    /// @return the counters
    const Counters& GetCounters() const
    {
        return m_counters;
    }

    /// @return receives that are posted and not complete
    std::size_t GetNReceives() const
    {
        return m_receives.size();
    }

    /// @return receives that are to be posted later
    std::size_t GetNToPost() const
    {
        return m_toPost.size();
    }

  private:
    /// A refusal that has no canary in the table.
    struct Refusal
    {
        uint8_t epoch; //!< last attempt refused
        uint32_t pdc;  //!< receiving PDC
    };

    /// What is known of a source.
    struct Source
    {
        uint64_t posted{0};                   //!< receives posted so far
        std::set<uint64_t> returned;          //!< messages whose receives were taken back
        std::map<uint64_t, Refusal> refusals; //!< by message
        ReceiveWindow done;                   //!< messages that are complete
        ReceiveWindow written;                //!< writes that are complete
        uint32_t pdc{MatchEntry::NO_PDC};     //!< active PDC
    };

    /// Where a receive is.
    struct Place
    {
        Receive receive; //!< what was posted
        uint64_t index;  //!< which message of its source
        bool installed;  //!< it is in the table
    };

    /// Memory that others may write into.
    struct Region
    {
        uint8_t* buffer; //!< null: timing only
        uint64_t bytes;  //!< length
    };

    /// @return number of a message by that on the wire and the window of its source
    uint64_t IndexOf(const ReceiveWindow& window, uint32_t msn) const;
    /// @return number on the wire
    uint32_t MsnOf(uint64_t index) const;
    /// @return true if the receive is in the table now
    bool Install(Place& place);
    /// Bring receives that wait for room into the table.
    void InstallWaiting();
    /// @return a new entry, with a canary evicted if need be; null if there is no room
    MatchEntry* InsertEvicting(MatchTable::Key key);
    /**
     * @param entry null or a canary
     * @param item the packet
     * @param pdc receiving PDC
     * @return verdict
     */
    Verdict Refuse(MatchEntry* entry, const FabricPacketItem& item, ReceivingPdc& pdc);
    /// @return the entry of a write, new if need be; null if it is complete
    MatchEntry* FindWrite(const FabricPacketItem& item);
    /// Let an entry name a PDC.
    void Attach(MatchEntry& entry, uint32_t pdc);
    /// An entry goes: let it name no PDC.
    void Release(MatchEntry& entry);
    /// @return true if a message is complete; a look-up by a packet
    bool LookUpComplete(const Source& source, uint32_t msn);
    /// End a receive whose message will not come any more, or not completely.
    void GiveUp(Place place, MatchEntry& entry, MessageStatus status);
    /// Tell of a receive that ends without its message, of which @p committed bytes have come
    /// nevertheless.
    void Fail(const Place& place, MessageStatus status, uint64_t committed = 0);

    FabricNic& m_nic;                                         //!< the NIC
    Ptr<MatchTable> m_table;                                  //!< receives and canaries
    Ptr<MessageProtocol> m_protocol;                          //!< policy
    std::unordered_map<uint32_t, Source> m_sources;           //!< by address
    std::unordered_map<uint64_t, Place> m_receives;           //!< by handle
    std::unordered_map<uint64_t, Receive> m_toPost;           //!< later, by handle
    std::deque<uint64_t> m_waiting;                           //!< receives without entry, in order
    std::unordered_map<MatchTable::Key, MatchEntry> m_writes; //!< one-sided messages arriving
    std::map<uint64_t, Region> m_regions;                     //!< by address
    uint64_t m_nextAddress{0x10000};                          //!< of the next region
    FabricMessageEvent m_completed;                           //!< for Deliver()
    Counters m_counters;                                      //!< statistics
};

} // namespace ns3

#endif /* MESSAGE_MATCHER_H */
