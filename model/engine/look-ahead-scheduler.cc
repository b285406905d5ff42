// SPDX-License-Identifier: GPL-2.0-only
#include "look-ahead-scheduler.h"

#include "ns3/abort.h"
#include "ns3/drain-event.h"
#include "ns3/fabric-engine.h"
#include "ns3/hot-lines.h"
#include "ns3/look-ahead.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <typeinfo>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(LookAheadScheduler);

namespace
{

[[maybe_unused]] const bool g_isLookAheadSchedulerAnnounced =
    FabricEngine::Announce("SchedulerType", "ns3::LookAheadScheduler");

/// How many places before its turn an event takes each step of LookAhead::Step().
constexpr std::array<std::size_t, LookAhead::N_STEPS> DISTANCES{18, 16, 14, 12, 10, 8, 6, 4, 2};
/// The near future is cut when it has more entries, because insertion moves them.
constexpr std::size_t MOST_NEAR = 512;
/// How full a bucket should be.
constexpr std::size_t WANTED_ENTRIES = 24;
/// How many buckets are looked at before the width changes.
constexpr uint32_t SAMPLED_BUCKETS = 256;
/// Widest bucket: 2^this ticks.
constexpr unsigned MAX_SHIFT = 40;

// objects, not functions, which a compiler would call by their addresses

/// True if the first of two comes after the second.
constexpr auto IsLater = [](const Scheduler::Event& a, const Scheduler::Event& b) {
    return b.key < a.key;
};

/// True if the first of two comes before the second.
constexpr auto IsEarlier = [](const Scheduler::Event& a, const Scheduler::Event& b) {
    return a.key < b.key;
};

/// @return the entry of an event in a list
template <typename Iterator>
Iterator
Find(Iterator begin, Iterator end, const Scheduler::Event& ev)
{
    return std::find_if(begin, end, [&ev](const Scheduler::Event& entry) {
        return entry.key.m_uid == ev.key.m_uid && entry.impl == ev.impl;
    });
}

} // namespace

TypeId
LookAheadScheduler::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::LookAheadScheduler")
            .SetParent<Scheduler>()
            .SetGroupName("Dcfabric")
            .AddConstructor<LookAheadScheduler>()
            .AddAttribute("LookAheadFrom",
                          "Pending events from which on coming events have "
                          "memory fetched; 0 for always.",
                          UintegerValue(600),
                          MakeUintegerAccessor(&LookAheadScheduler::m_lookAheadFrom),
                          MakeUintegerChecker<std::size_t>());
    return tid;
}

LookAheadScheduler::LookAheadScheduler()
    : m_spillSize(MOST_NEAR)
{
}

LookAheadScheduler::~LookAheadScheduler() = default;

bool
LookAheadScheduler::IsEmpty() const
{
    return HasNone();
}

Scheduler::Event
LookAheadScheduler::PeekNext() const
{
    NS_ABORT_MSG_IF(IsEmpty(), "no event to peek at");
    return m_near[m_head];
}

void
LookAheadScheduler::Insert(const Event& ev)
{
    if (ev.key.m_ts < m_nearEnd)
    {
        InsertNear(ev);
        return;
    }
    InsertLater(ev);
    if (IsEmpty())
    {
        Refill();
    }
}

Scheduler::Event
LookAheadScheduler::RemoveNext()
{
    NS_ABORT_MSG_IF(IsEmpty(), "no event to remove");
    return TakeNext();
}

void
LookAheadScheduler::Remove(const Event& ev)
{
    if (ev.key.m_ts < m_nearEnd)
    {
        Event* const end = m_near.data() + m_tail;
        Event* const found = Find(m_near.data() + m_head, end, ev);
        NS_ABORT_MSG_IF(found == end, "event to be removed is not there");
        std::copy(found + 1, end, found);
        --m_tail;
        if (IsEmpty())
        {
            Refill();
        }
        return;
    }
    const std::size_t index = BucketOf(ev.key.m_ts) % N_BUCKETS;
    auto& bucket = m_wheel[index];
    const auto found = Find(bucket.begin(), bucket.end(), ev);
    if (found != bucket.end())
    {
        *found = bucket.back();
        bucket.pop_back();
        --m_wheelSize;
        if (bucket.empty())
        {
            m_occupied[index / 64] &= ~(uint64_t{1} << (index % 64));
        }
        return;
    }
    const auto beyond = Find(m_beyond.begin(), m_beyond.end(), ev);
    NS_ABORT_MSG_IF(beyond == m_beyond.end(), "event to be removed is not there");
    m_beyond.erase(beyond);
    std::make_heap(m_beyond.begin(), m_beyond.end(), IsLater);
}

void
LookAheadScheduler::InsertNear(const Event& ev)
{
    const Event* entries = m_near.data();
    const Event* place = std::upper_bound(entries + m_head, entries + m_tail, ev, IsEarlier);
    OpenAt(static_cast<std::size_t>(place - entries)) = ev;
    CheckSize();
}

void
LookAheadScheduler::Reserve(std::size_t entries)
{
    if (m_room >= m_tail + entries)
    {
        return;
    }
    if (m_head > m_room / 2)
    {
        Compact();
    }
    m_room = std::max(m_room, 2 * (m_tail + entries));
    m_near.resize(m_room);
}

void
LookAheadScheduler::Compact()
{
    std::copy(m_near.data() + m_head, m_near.data() + m_tail, m_near.data());
    m_tail -= m_head;
    m_head = 0;
}

void
LookAheadScheduler::InsertLater(const Event& ev)
{
    const uint64_t bucket = BucketOf(ev.key.m_ts);
    if (bucket - BucketOf(m_nearEnd) >= N_BUCKETS)
    {
        m_beyond.push_back(ev);
        std::push_heap(m_beyond.begin(), m_beyond.end(), IsLater);
        return;
    }
    const std::size_t index = bucket % N_BUCKETS;
    auto& entries = m_wheel[index];
    if (entries.empty())
    {
        m_occupied[index / 64] |= uint64_t{1} << (index % 64);
        if (!m_spare.empty())
        {
            entries.swap(m_spare.back());
            m_spare.pop_back();
        }
    }
    entries.push_back(ev);
    ++m_wheelSize;
}

void
LookAheadScheduler::Spill()
{
    const uint64_t firstTicks = m_near[m_head].key.m_ts;
    const uint64_t middle = m_near[m_head + GetNearSize() / 2].key.m_ts;
    // all of one time stay together
    const uint64_t keptTicks = middle > firstTicks ? middle - 1 : middle;
    const Event* const end = m_near.data() + m_tail;
    const Event* const cut =
        std::find_if(m_near.data() + m_head,
                     m_near.data() + m_tail,
                     [keptTicks](const Event& entry) { return entry.key.m_ts > keptTicks; });
    if (cut == end)
    {
        m_spillSize = 2 * GetNearSize(); // all have one time: try again when there are more
        return;
    }
    m_spillSize = MOST_NEAR;
    const std::vector<Event> later(cut, end);
    m_tail -= later.size();
    TurnBack(later.front().key.m_ts);
    for (const auto& entry : later)
    {
        InsertLater(entry);
    }
}

void
LookAheadScheduler::TurnBack(uint64_t nearEnd)
{
    // the last buckets of the wheel give their places to those that it gets in front
    const uint64_t formerEnd = BucketOf(m_nearEnd) + N_BUCKETS;
    m_nearEnd = nearEnd;
    for (uint64_t bucket = BucketOf(m_nearEnd) + N_BUCKETS; bucket < formerEnd; ++bucket)
    {
        const std::size_t index = bucket % N_BUCKETS;
        for (const Event& entry : m_wheel[index])
        {
            m_beyond.push_back(entry);
            std::push_heap(m_beyond.begin(), m_beyond.end(), IsLater);
        }
        m_wheelSize -= m_wheel[index].size();
        m_wheel[index].clear();
        m_occupied[index / 64] &= ~(uint64_t{1} << (index % 64));
    }
}

void
LookAheadScheduler::ReachBeyond()
{
    const uint64_t base = BucketOf(m_nearEnd);
    while (!m_beyond.empty() && BucketOf(m_beyond.front().key.m_ts) - base < N_BUCKETS)
    {
        std::pop_heap(m_beyond.begin(), m_beyond.end(), IsLater);
        const Event entry = m_beyond.back();
        m_beyond.pop_back();
        InsertLater(entry);
    }
}

uint64_t
LookAheadScheduler::FindBucket() const
{
    uint64_t bucket = BucketOf(m_nearEnd);
    while (true)
    {
        const std::size_t index = bucket % N_BUCKETS;
        const uint64_t bits = m_occupied[index / 64] >> (index % 64);
        if (bits != 0)
        {
            return bucket + static_cast<unsigned>(__builtin_ctzll(bits));
        }
        bucket += 64 - index % 64;
    }
}

void
LookAheadScheduler::Refill()
{
    if (m_wheelSize == 0 && m_beyond.empty())
    {
        return;
    }
    Compact();
    if (m_wheelSize == 0)
    {
        m_nearEnd = std::max(m_nearEnd, BucketOf(m_beyond.front().key.m_ts) << m_shift);
    }
    ReachBeyond();
    const uint64_t number = FindBucket();
    const std::size_t index = number % N_BUCKETS;
    auto& bucket = m_wheel[index];
    std::sort(bucket.begin(), bucket.end(), IsEarlier);
    const std::size_t entries = bucket.size();
    Reserve(entries);
    std::copy(bucket.begin(), bucket.end(), m_near.data() + m_tail);
    m_tail += entries;
    m_nearEnd = (number + 1) << m_shift;
    m_wheelSize -= entries;
    m_occupied[index / 64] &= ~(uint64_t{1} << (index % 64));
    bucket.clear();
    m_spare.emplace_back();
    m_spare.back().swap(bucket);
    for (std::size_t place = m_tail - entries; place < m_tail; ++place)
    {
        HotLines().Add<1>(m_near[place].impl);
    }
    Adapt(entries);
}

void
LookAheadScheduler::Adapt(std::size_t entries)
{
    m_sampledEntries += entries;
    if (++m_sampledBuckets < SAMPLED_BUCKETS)
    {
        return;
    }
    const uint64_t mean = std::max<uint64_t>(1, m_sampledEntries / m_sampledBuckets);
    m_sampledBuckets = 0;
    m_sampledEntries = 0;
    unsigned shift = m_shift;
    for (uint64_t n = mean; n > 2 * WANTED_ENTRIES && shift > 0; n /= 2)
    {
        --shift;
    }
    for (uint64_t n = mean; n < WANTED_ENTRIES / 2 && shift < MAX_SHIFT; n *= 2)
    {
        ++shift;
    }
    if (shift == m_shift)
    {
        return;
    }
    std::vector<Event> all;
    all.reserve(m_wheelSize);
    for (auto& bucket : m_wheel)
    {
        all.insert(all.end(), bucket.begin(), bucket.end());
        bucket.clear();
    }
    m_occupied = {};
    m_wheelSize = 0;
    m_shift = shift;
    for (const auto& entry : all)
    {
        InsertLater(entry);
    }
}

void
LookAheadScheduler::LookAhead() const
{
    for (int step = 0; step < LookAhead::N_STEPS; ++step)
    {
        const std::size_t place = m_head + DISTANCES[static_cast<std::size_t>(step)];
        if (place < m_tail)
        {
            const EventImpl* impl = m_near[place].impl;
            if (typeid(*impl) == typeid(DrainEvent))
            {
                static_cast<const DrainEvent*>(impl)->Approach(step);
            }
        }
    }
}

} // namespace ns3
