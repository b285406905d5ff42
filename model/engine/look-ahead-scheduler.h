// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOOK_AHEAD_SCHEDULER_H
#define LOOK_AHEAD_SCHEDULER_H

#include "ns3/scheduler.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief An event list that knows its next few dozen events in order and has them fetch memory.
 *
 * In a network of thousands of ports an event finds next to nothing of its node in the caches of
 * the processor, and waits for one cache line after the other. This scheduler keeps the near future
 * sorted, and tells each event of a FabricActor (DrainEvent) some places before its turn that it
 * comes, in a few steps, each of which follows one more pointer and starts to load what it leads
 * to. By the time the event runs, its memory has arrived. Other events are left alone. In a small
 * network, whose memory is in the caches anyway, this would cost more than it gains: it begins with
 * LookAheadFrom pending events, of which each active node has about one.
 *
 * The order of events is that of all other schedulers: time, then uid.
 *
 * Three levels, in order of time: a sorted array of the near future; a wheel of unsorted buckets,
 * one of which at a time is sorted and appended to the near future; and a heap of what lies beyond
 * the wheel. The width of the buckets adapts to the density of events.
 *
 * - Insert(): O(1) into a bucket, O(log n) beyond the wheel; moves at most some hundred entries in
 *   the near future unless all have the same time.
 * - IsEmpty(), PeekNext(): O(1).
 * - RemoveNext(): O(1) amortized, O(log n) for what lay beyond the wheel.
 * - Remove(): O(n).
 */
class LookAheadScheduler : public Scheduler
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    LookAheadScheduler();
    ~LookAheadScheduler() override;

    // from Scheduler
    void Insert(const Event& ev) override;
    bool IsEmpty() const override;
    Event PeekNext() const override;
    Event RemoveNext() override;
    void Remove(const Event& ev) override;

    /// @return true if there are none (IsEmpty(), known to be of this class)
    bool HasNone() const
    {
        // the near future is extended before it ends
        return m_head == m_tail;
    }

    /// @return the first event, removed; there must be one
    Event TakeNext()
    {
        const Event next = m_near[m_head++];
        const std::size_t left = GetNearSize();
        if (left < LEAST_NEAR)
        {
            Refill();
        }
        if (left + m_wheelSize + m_beyond.size() >= m_lookAheadFrom)
        {
            LookAhead();
        }
        return next;
    }

    /**
     * @brief Insert an event whose uid is larger than that of all others of its time.
     * @param impl the event; its reference is the list's
     * @param tick its time
     * @param uid its number
     * @param context its context
     */
    void InsertNewest(EventImpl* impl, uint64_t tick, uint32_t uid, uint32_t context)
    {
        if (tick >= m_nearEnd)
        {
            Event ev;
            Fill(ev, impl, tick, uid, context);
            Insert(ev);
            return;
        }
        const Event* entries = m_near.data();
        std::size_t place = m_head;
        for (std::size_t rest = m_tail - m_head; rest > 0;)
        {
            // a mask instead of a branch: nobody can foretell how the comparison ends
            const std::size_t half = (rest + 1) / 2;
            const std::size_t passes = entries[place + half - 1].key.m_ts <= tick ? 1 : 0;
            place += half & (std::size_t{0} - passes);
            rest -= half;
        }
        Fill(OpenAt(place), impl, tick, uid, context);
        CheckSize();
    }

  private:
    static constexpr std::size_t N_BUCKETS = 128; //!< of the wheel
    /// The near future is extended when it has fewer entries: none then misses a step.
    static constexpr std::size_t LEAST_NEAR = 28;

    /// @return all entries
    std::size_t GetSize() const
    {
        return GetNearSize() + m_wheelSize + m_beyond.size();
    }

    /// @return entries of the near future
    std::size_t GetNearSize() const
    {
        return m_tail - m_head;
    }

    /// @return number of the bucket of a time, counted from time 0
    uint64_t BucketOf(uint64_t ts) const
    {
        return ts >> m_shift;
    }

    /// Enter an event into the sorted array.
    void InsertNear(const Event& ev);

    /// Write an entry. Not by way of a copy, which the processor could not forward.
    static void Fill(Event& ev, EventImpl* impl, uint64_t tick, uint32_t uid, uint32_t context)
    {
        ev.impl = impl;
        ev.key.m_ts = tick;
        ev.key.m_uid = uid;
        ev.key.m_context = context;
    }

    /**
     * @brief Move entries of the sorted array.
     * @param place index of the entry before which one is to be entered
     * @return where it goes
     */
    Event& OpenAt(std::size_t place)
    {
        if (m_tail == m_room)
        {
            const std::size_t former = m_head;
            Reserve(1);
            place -= former - m_head;
        }
        Event* entries = m_near.data();
        if (m_head > 0 && place - m_head < m_tail - place)
        {
            // entries that were removed have left room in front
            std::copy(entries + m_head, entries + place, entries + m_head - 1);
            --m_head;
            return entries[place - 1];
        }
        std::copy_backward(entries + place, entries + m_tail, entries + m_tail + 1);
        ++m_tail;
        return entries[place];
    }

    /// See that the sorted array does not become too long.
    void CheckSize()
    {
        if (GetNearSize() > m_spillSize)
        {
            Spill();
        }
    }

    /// Have room for entries behind the last one of the sorted array, which may begin earlier then.
    void Reserve(std::size_t entries);
    /// Let the sorted array begin at the front.
    void Compact();
    /// Enter an event behind the near future.
    void InsertLater(const Event& ev);
    /// Move the later half of the near future back to the wheel, if it has more than one time.
    void Spill();
    /// Let the near future end earlier, at a time from which on it has no entries, and the wheel
    /// begin there.
    void TurnBack(uint64_t nearEnd);
    /// Append the next bucket to the near future, if there is one.
    void Refill();
    /// Move what the wheel has come near enough to from the heap to the wheel.
    void ReachBeyond();
    /// @return the first bucket in use, counted from time 0; there must be one
    uint64_t FindBucket() const;
    /// Choose the width of buckets by how full they were, with @p entries in the last one.
    void Adapt(std::size_t entries);
    /// Show coming events that their turn approaches.
    void LookAhead() const;

    /// Pending events from which on coming events have memory fetched
    std::size_t m_lookAheadFrom{0};
    std::vector<Event> m_near;                         //!< sorted, from m_head to m_tail
    std::size_t m_head{0};                             //!< first valid entry of m_near
    std::size_t m_tail{0};                             //!< behind the last one
    std::size_t m_room{0};                             //!< size of m_near
    std::size_t m_spillSize;                           //!< size of m_near that is too large
    uint64_t m_nearEnd{0};                             //!< all before this time are in m_near
    std::array<std::vector<Event>, N_BUCKETS> m_wheel; //!< by bucket number modulo the size
    std::array<uint64_t, N_BUCKETS / 64> m_occupied{}; //!< bit: the bucket has entries
    std::size_t m_wheelSize{0};                        //!< entries of all buckets
    std::vector<std::vector<Event>> m_spare;           //!< memory of buckets that were emptied
    std::vector<Event> m_beyond;                       //!< min-heap
    unsigned m_shift{10};                              //!< width of a bucket is 2^this ticks
    uint32_t m_sampledBuckets{0};                      //!< since the width was last looked at
    uint64_t m_sampledEntries{0};                      //!< in those buckets
};

} // namespace ns3

#endif /* LOOK_AHEAD_SCHEDULER_H */
