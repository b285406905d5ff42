// SPDX-License-Identifier: GPL-2.0-only
#ifndef TABLE_MATCHER_H
#define TABLE_MATCHER_H

#include "match-table.h"
#include "tagged-receives.h"

#include "ns3/fabric-message.h"
#include "ns3/message-matcher.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>

namespace ns3
{

class FabricNic;

/**
 * @ingroup dcfabric
 * @brief Matches messages with receives by a match table: receives, canaries, and what arrives
 * ([Patent] (57) to (60)).
 */
class TableMatcher final : public MessageMatcher
{
  public:
    /**
     * @param nic the NIC
     * @param table match table
     * @param protocol what happens without receive
     */
    TableMatcher(FabricNic& nic, Ptr<MatchTable> table, Ptr<const MessageProtocol> protocol);
    ~TableMatcher() override;

    // from MessageMatcher
    std::unique_ptr<OutgoingMessages> MakeOutgoing(SendingPdc& pdc) override;
    void PostFor(uint64_t index, const Receive& receive) override;
    void Post(const Receive& receive) override;
    void PostTagged(const Receive& receive, const MatchRule& rule) override;
    void PostAt(int64_t atPs, const Receive& receive) override;
    void PostDue(uint64_t handle) override;
    bool Withdraw(uint64_t handle, MessageStatus status) override;
    void Expire(uint64_t handle) override;
    uint64_t Expose(uint8_t* buffer, uint64_t bytes) override;
    MatchEntry* Match(const FabricPacketItem& item) override;
    Verdict OnData(MatchEntry* entry,
                   const FabricPacketItem& item,
                   ReceivingPdc& pdc,
                   bool late) override;
    void OnVoid(const FabricPacketItem& item, ReceivingPdc& pdc) override;
    uint64_t GetRestartOffset(uint32_t src, uint32_t msn) const override;
    void Deliver(int64_t nowPs) override;
    void OnPdcCreated(uint32_t src, uint32_t pdc) override;
    void OnPdcRemoved(uint32_t src, uint32_t pdc, bool attached) override;
    TableState GetTableState() const override;
    std::size_t GetNReceives() const override;
    std::size_t GetNToPost() const override;

    /// @return the table
    MatchTable& GetTable() const
    {
        return *m_table;
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
    /// @return the entry of a packet with match bits for whose message there was none
    MatchEntry* MatchTagged(const FabricPacketItem& item);
    /// Bring receives of tagged messages whose turn has come into the table.
    void InstallTagged();
    /// A tagged message has its receive.
    void Take(const TaggedReceives::Match& match);
    /// A tagged message will not come. @return false if it has a receive
    bool SkipTagged(const FabricPacketItem& item, MatchEntry* canary);
    /// End a receive whose message will not come any more, or not completely.
    void GiveUp(Place place, MatchEntry& entry, MessageStatus status);
    /// Tell of a receive that ends without its message, of which @p committed bytes have come
    /// nevertheless.
    void Fail(const Place& place, MessageStatus status, uint64_t committed = 0);

    FabricNic& m_nic;                               //!< the NIC
    Ptr<MatchTable> m_table;                        //!< receives and canaries
    std::unordered_map<uint32_t, Source> m_sources; //!< by address
    std::unordered_map<uint64_t, Place> m_receives; //!< by handle
    std::unordered_map<uint64_t, Receive> m_toPost; //!< later, by handle
    TaggedReceives m_tagged;                        //!< which message goes where
    /// By handle: messages of tagged receives that are not complete.
    std::unordered_map<uint64_t, TaggedReceives::Message> m_taken;
    std::deque<uint64_t> m_waiting;                           //!< receives without entry, in order
    std::unordered_map<MatchTable::Key, MatchEntry> m_writes; //!< one-sided messages arriving
    std::map<uint64_t, Region> m_regions;                     //!< by address
    uint64_t m_nextAddress{0x10000};                          //!< of the next region
    FabricMessageEvent m_completed;                           //!< for Deliver()
};

} // namespace ns3

#endif /* TABLE_MATCHER_H */
