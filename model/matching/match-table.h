// SPDX-License-Identifier: GPL-2.0-only
#ifndef MATCH_TABLE_H
#define MATCH_TABLE_H

#include "kept-matches.h"

#include "ns3/match-entry.h"
#include "ns3/object.h"
#include "ns3/traced-value.h"

#include <cstdint>
#include <unordered_map>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief The match table of a receiver: finds a packet's receive and PDC in one look-up by source
 * address and message sequence number ([Patent] (57)).
 *
 * When it is full, receives wait in the memory of the host for room, in order, and canaries give
 * way to them (MessageMatcher).
 */
class MatchTable : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Source address and message sequence number.
    using Key = uint64_t;

    /**
     * @param src fabric address of the sender
     * @param msn its number
     * @return the key of a message
     */
    static Key MakeKey(uint32_t src, uint32_t msn)
    {
        return (uint64_t{src} << 32) | msn;
    }

    /**
     * @param key message
     * @return the entry that a packet matches, or null; counts as a look-up
     */
    MatchEntry* Match(Key key);

    /**
     * @param key message
     * @return the entry, or null; the semantic layer's access, not counted
     */
    MatchEntry* Find(Key key);

    /**
     * @param key without entry so far
     * @return a new entry, or null if there is no room
     */
    MatchEntry* Insert(Key key);

    /**
     * @brief Remove an entry.
     * @param key of an entry
     */
    void Erase(Key key);

    /**
     * @brief Remove the entry of a receive that is over, and keep what KeptEntries allows.
     * @param key of an entry
     * @param complete all of its message came
     */
    void Finish(Key key, bool complete);

    /**
     * @param key of a message whose receive is over
     * @return what is kept of it, null if nothing is; valid until the next one is over
     */
    const KeptMatch* FindKept(Key key) const
    {
        return m_kept.Find(key);
    }

    /**
     * @brief Remove a canary "failed match" to make room.
     * @param key set to what it was for
     * @param entry set to it
     * @return false if there is none
     */
    bool EvictFailed(Key& key, MatchEntry& entry);

    /**
     * @brief A PDC goes: entries that are attached to it get the empty canary. Walks all entries.
     * @param pdc its number
     */
    void DetachPdc(uint32_t pdc);

    /// @return entries in use
    uint32_t GetNEntries() const
    {
        return m_occupancy;
    }

    /// @return most entries that were in use at a time
    uint32_t GetMaxEntries() const
    {
        return m_maxEntries;
    }

    /// @return look-ups by packets
    uint64_t GetNLookups() const
    {
        return m_lookups;
    }

    /// @return comparisons of keys that these took: more than one each where keys share a bucket
    uint64_t GetNProbes() const
    {
        return m_probes;
    }

    /// @return most entries at a time
    virtual uint32_t GetCapacity() const = 0;

  protected:
    /**
     * @param key what is looked up
     * @return comparisons that a look-up takes
     */
    virtual uint64_t CountProbes(Key key) const = 0;

    std::unordered_map<Key, MatchEntry> m_entries; //!< by source and message

  private:
    /// Receives that are over of which match, buffer and committed bytes are kept for FindKept()
    uint32_t m_keptEntries{0};
    KeptMatches m_kept;                   //!< receives that are over
    TracedValue<uint32_t> m_occupancy{0}; //!< entries
    uint32_t m_maxEntries{0};             //!< most so far
    TracedValue<uint64_t> m_lookups{0};   //!< by packets
    uint64_t m_probes{0};                 //!< of these
};

/**
 * @ingroup dcfabric
 * @brief A match table in memory: entries whose keys share a bucket are compared one by one.
 */
class HashMatchTable : public MatchTable
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    uint32_t GetCapacity() const override;

  protected:
    uint64_t CountProbes(Key key) const override;

  private:
    uint32_t m_capacity; //!< most entries at a time
};

/**
 * @ingroup dcfabric
 * @brief A match table in associative memory: one comparison for each look-up, and few entries.
 */
class TcamMatchTable : public MatchTable
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    uint32_t GetCapacity() const override;

  protected:
    uint64_t CountProbes(Key key) const override;

  private:
    uint32_t m_capacity; //!< most entries at a time
};

} // namespace ns3

#endif /* MATCH_TABLE_H */
