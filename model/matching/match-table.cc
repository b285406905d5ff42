// SPDX-License-Identifier: GPL-2.0-only
#include "match-table.h"

#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(MatchTable);
NS_OBJECT_ENSURE_REGISTERED(HashMatchTable);
NS_OBJECT_ENSURE_REGISTERED(TcamMatchTable);

TypeId
MatchTable::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::MatchTable")
            .SetParent<Object>()
            .SetGroupName("Dcfabric")
            .AddAttribute("KeptEntries",
                          "Receives that are over of which match, buffer and committed bytes are "
                          "kept for FindKept(); the oldest give way.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&MatchTable::m_keptEntries),
                          MakeUintegerChecker<uint32_t>())
            .AddTraceSource("Occupancy",
                            "Entries in use.",
                            MakeTraceSourceAccessor(&MatchTable::m_occupancy),
                            "ns3::TracedValueCallback::Uint32")
            .AddTraceSource("Lookups",
                            "Look-ups by packets so far.",
                            MakeTraceSourceAccessor(&MatchTable::m_lookups),
                            "ns3::TracedValueCallback::Uint64");
    return tid;
}

MatchEntry*
MatchTable::Match(Key key)
{
    ++m_lookups;
    m_probes += CountProbes(key);
    return Find(key);
}

MatchEntry*
MatchTable::Find(Key key)
{
    const auto found = m_entries.find(key);
    return found == m_entries.end() ? nullptr : &found->second;
}

MatchEntry*
MatchTable::Insert(Key key)
{
    if (m_entries.size() >= GetCapacity())
    {
        return nullptr;
    }
    MatchEntry* entry = &m_entries[key];
    m_occupancy = static_cast<uint32_t>(m_entries.size());
    m_maxEntries = std::max<uint32_t>(m_maxEntries, m_occupancy);
    return entry;
}

void
MatchTable::Erase(Key key)
{
    m_entries.erase(key);
    m_occupancy = static_cast<uint32_t>(m_entries.size());
}

void
MatchTable::Finish(Key key, bool complete)
{
    const MatchEntry& entry = m_entries.at(key);
    m_kept.Keep(
        {key, entry.handle, entry.buffer, entry.messageBytes, entry.committed, entry.tag, complete},
        m_keptEntries);
    Erase(key);
}

bool
MatchTable::EvictFailed(Key& key, MatchEntry& entry)
{
    // the highest key, so that the result does not depend on the order of the table
    auto chosen = m_entries.end();
    for (auto it = m_entries.begin(); it != m_entries.end(); ++it)
    {
        if (it->second.state == MatchEntry::State::FAILED &&
            (chosen == m_entries.end() || it->first > chosen->first))
        {
            chosen = it;
        }
    }
    if (chosen == m_entries.end())
    {
        return false;
    }
    key = chosen->first;
    entry = chosen->second;
    Erase(key);
    return true;
}

void
MatchTable::DetachPdc(uint32_t pdc)
{
    for (auto& [key, entry] : m_entries)
    {
        if (entry.pdc == pdc)
        {
            entry.pdc = MatchEntry::NO_PDC;
        }
    }
}

TypeId
HashMatchTable::GetTypeId()
{
    static TypeId tid = TypeId("ns3::HashMatchTable")
                            .SetParent<MatchTable>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<HashMatchTable>()
                            .AddAttribute("Capacity",
                                          "Most entries at a time.",
                                          UintegerValue(UINT32_MAX),
                                          MakeUintegerAccessor(&HashMatchTable::m_capacity),
                                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

uint32_t
HashMatchTable::GetCapacity() const
{
    return m_capacity;
}

uint64_t
HashMatchTable::CountProbes(Key key) const
{
    if (m_entries.empty())
    {
        return 0; // there may be no bucket
    }
    const std::size_t bucket = m_entries.bucket(key);
    uint64_t probes = 0;
    for (auto it = m_entries.begin(bucket); it != m_entries.end(bucket); ++it)
    {
        ++probes;
        if (it->first == key)
        {
            break;
        }
    }
    return probes;
}

TypeId
TcamMatchTable::GetTypeId()
{
    static TypeId tid = TypeId("ns3::TcamMatchTable")
                            .SetParent<MatchTable>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<TcamMatchTable>()
                            .AddAttribute("Capacity",
                                          "Most entries at a time.",
                                          UintegerValue(1024),
                                          MakeUintegerAccessor(&TcamMatchTable::m_capacity),
                                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

uint32_t
TcamMatchTable::GetCapacity() const
{
    return m_capacity;
}

uint64_t
TcamMatchTable::CountProbes(Key /* key */) const
{
    return 1;
}

} // namespace ns3
