// SPDX-License-Identifier: GPL-2.0-only
#include "shared-entropy-store.h"

#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(SharedEntropyStore);

TypeId
SharedEntropyStore::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::SharedEntropyStore")
            .SetParent<EntropyStore>()
            .SetGroupName("Dcfabric")
            .AddConstructor<SharedEntropyStore>()
            .AddAttribute("Capacity",
                          "Entropies that a NIC keeps; 0: as many as ACKs can arrive within the "
                          "largest base RTT.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&SharedEntropyStore::m_override),
                          MakeUintegerChecker<uint32_t>(0, UINT32_MAX - 1));
    return tid;
}

void
SharedEntropyStore::Configure(uint64_t acksPerRtt)
{
    const uint64_t places = m_override > 0 ? m_override : acksPerRtt;
    m_capacity = static_cast<uint32_t>(
        std::min<uint64_t>(std::max<uint64_t>(places, 1), uint64_t{NONE} - 1));
}

void
SharedEntropyStore::Prepare(uint32_t fifo, int64_t expiryPs)
{
    if (fifo == m_fifos.size())
    {
        m_fifos.push_back({expiryPs, NONE, NONE, 0, NONE, NONE});
    }
    m_fifos[fifo].expiryPs = expiryPs;
}

void
SharedEntropyStore::SetCount(uint32_t fifo, uint32_t count)
{
    Fifo& f = m_fifos[fifo];
    if (f.count > 0)
    {
        Level& level = m_levels[f.count];
        (f.before == NONE ? level.first : m_fifos[f.before].after) = f.after;
        (f.after == NONE ? level.last : m_fifos[f.after].before) = f.before;
    }
    m_total += count - f.count; // modulo 2^32, as the sum is not negative
    f.count = count;
    f.before = NONE;
    f.after = NONE;
    if (count > 0)
    {
        if (count >= m_levels.size())
        {
            m_levels.resize(std::size_t{count} + 1);
        }
        Level& level = m_levels[count];
        f.before = level.last;
        (level.last == NONE ? level.first : m_fifos[level.last].after) = fifo;
        level.last = fifo;
    }
    // by one step but after Clear(), where each step was paid for by a Save()
    m_most = std::max(m_most, count);
    while (m_most > 0 && m_levels[m_most].first == NONE)
    {
        --m_most;
    }
}

SharedEntropyStore::Entry
SharedEntropyStore::TakeOldest(uint32_t fifo)
{
    Fifo& f = m_fifos[fifo];
    const uint32_t place = f.oldest;
    const Entry entry = m_places[place];
    f.oldest = entry.next;
    m_places[place].next = m_free;
    m_free = place;
    SetCount(fifo, f.count - 1);
    return entry;
}

void
SharedEntropyStore::Save(uint32_t fifo, uint16_t entropy, int64_t nowPs)
{
    Fifo& f = m_fifos[fifo];
    if (m_total == m_capacity)
    {
        TakeOldest(f.count == m_most ? fifo : m_levels[m_most].first);
    }
    uint32_t place = m_free;
    if (place == NONE)
    {
        place = static_cast<uint32_t>(m_places.size());
        m_places.emplace_back();
    }
    else
    {
        m_free = m_places[place].next;
    }
    m_places[place] = {nowPs, NONE, entropy};
    (f.count == 0 ? f.oldest : m_places[f.youngest].next) = place;
    f.youngest = place;
    SetCount(fifo, f.count + 1);
}

bool
SharedEntropyStore::Take(uint32_t fifo, int64_t nowPs, uint16_t& entropy)
{
    const Fifo& f = m_fifos[fifo];
    while (f.count > 0)
    {
        const Entry oldest = TakeOldest(fifo);
        if (nowPs - oldest.savedPs < f.expiryPs)
        {
            entropy = oldest.entropy;
            CountTaken();
            return true;
        }
    }
    return false;
}

void
SharedEntropyStore::Clear(uint32_t fifo)
{
    Fifo& f = m_fifos[fifo];
    if (f.count > 0)
    {
        m_places[f.youngest].next = m_free;
        m_free = f.oldest;
        SetCount(fifo, 0);
    }
}

std::vector<uint16_t>
SharedEntropyStore::List(uint32_t fifo) const
{
    const Fifo& f = m_fifos[fifo];
    std::vector<uint16_t> entropies;
    uint32_t place = f.oldest;
    for (uint32_t i = 0; i < f.count; ++i)
    {
        entropies.push_back(m_places[place].entropy);
        place = m_places[place].next;
    }
    return entropies;
}

} // namespace ns3
