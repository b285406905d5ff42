// SPDX-License-Identifier: GPL-2.0-only
#ifndef AGED_TABLE_H
#define AGED_TABLE_H

#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Remembers something of each flow until a time has passed, and of no more flows than there
 * is room for, as a table in hardware.
 *
 * A full table takes no new flow until old ones have aged: it does not push out others, which would
 * change how these are treated in the middle. What it does depends on no order of a hash table.
 * @tparam T what is remembered
 */
template <typename T>
class AgedTable
{
  public:
    /**
     * @param timeoutPs how long an entry that is not touched stays, in ps
     * @param room most entries
     */
    AgedTable(int64_t timeoutPs, std::size_t room)
        : m_timeoutPs(timeoutPs),
          m_room(room)
    {
    }

    /**
     * @param flow number of a flow
     * @param nowPs time in ps, not before that of any earlier call
     * @return what is remembered of it, null if nothing is or its time is over
     */
    const T* Find(uint64_t flow, int64_t nowPs) const
    {
        const auto entry = m_entries.find(flow);
        return entry == m_entries.end() || IsOld(entry->second, nowPs) ? nullptr
                                                                       : &entry->second.value;
    }

    /**
     * @brief Remember a flow from now on for the whole time, anew or further on.
     * @param flow its number
     * @param nowPs time in ps
     * @return what is remembered of it, to be changed; null if the table is full
     */
    T* Touch(uint64_t flow, int64_t nowPs)
    {
        const auto found = m_entries.find(flow);
        if (found != m_entries.end())
        {
            if (IsOld(found->second, nowPs))
            {
                found->second.value = T();
            }
            found->second.lastPs = nowPs;
            return &found->second.value;
        }
        if (!HasRoom(nowPs))
        {
            return nullptr;
        }
        Entry& entry = m_entries[flow];
        entry.lastPs = nowPs;
        return &entry.value;
    }

    /**
     * @brief Forget what is too old, if the table is full.
     * @param nowPs time in ps
     * @return true if there is room for another flow
     */
    bool HasRoom(int64_t nowPs)
    {
        if (m_entries.size() < m_room)
        {
            return true;
        }
        if (nowPs < m_nextLookPs)
        {
            return false; // nothing can have aged since the last look
        }
        m_nextLookPs = INT64_MAX;
        for (auto entry = m_entries.begin(); entry != m_entries.end();)
        {
            if (IsOld(entry->second, nowPs))
            {
                entry = m_entries.erase(entry);
                continue;
            }
            const int64_t oldPs = entry->second.lastPs + m_timeoutPs + 1;
            m_nextLookPs = oldPs < m_nextLookPs ? oldPs : m_nextLookPs;
            ++entry;
        }
        return m_entries.size() < m_room;
    }

    /**
     * @brief Forget a flow.
     * @param flow its number
     */
    void Erase(uint64_t flow)
    {
        m_entries.erase(flow);
        m_nextLookPs = 0;
    }

    /// @return flows in the table, those whose time is over included
    std::size_t GetSize() const
    {
        return m_entries.size();
    }

  private:
    /// A flow.
    struct Entry
    {
        int64_t lastPs{0}; //!< touched
        T value{};         //!< what is remembered
    };

    /// @return true if the time of an entry is over
    bool IsOld(const Entry& entry, int64_t nowPs) const
    {
        return nowPs - entry.lastPs > m_timeoutPs;
    }

    int64_t m_timeoutPs;                           //!< life of an entry
    std::size_t m_room;                            //!< most entries
    int64_t m_nextLookPs{0};                       //!< when one can have aged, while full
    std::unordered_map<uint64_t, Entry> m_entries; //!< by flow
};

} // namespace ns3

#endif /* AGED_TABLE_H */
