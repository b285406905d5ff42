// SPDX-License-Identifier: GPL-2.0-only
#ifndef NODE_CALENDAR_H
#define NODE_CALENDAR_H

#include "hot-lines.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What becomes due in a node; the numeric order decides between entries of the same time.
 */
enum class CalendarKind : uint8_t
{
    LINK,     //!< a port's link goes down, comes up or changes its rate
    CALL,     //!< something happens to the node from outside (FabricActor::CallAt())
    TRANSMIT, //!< a port's wire becomes free while something waits
    ARRIVAL,  //!< the last bit of a packet arrives at a port
    PORT,     //!< a timer of a port's flow control
    RETRY,    //!< a timer of a port's link-level retry (LinkRetry::GetTimerId())
    TIMER,    //!< a timer of the node's own (transport, feature)
};

/**
 * @ingroup dcfabric
 * @brief Everything that will happen in one node, ordered by (time, kind, id).
 *
 * The order does not depend on when entries were made, so that results depend neither on the
 * scheduler of the simulator nor on the order in which nodes were created. A binary min-heap; the
 * entry being handled leaves a hole at the root that the next Push() fills, which turns the common
 * pop-then-push into one sift.
 *
 * Complexity: Push() and Pop() O(log n), Top() O(1).
 */
class NodeCalendar
{
  public:
    /// One thing to happen.
    struct Entry
    {
        int64_t timePs; //!< when, in ps
        uint64_t key;   //!< kind in the top byte, id below
        const void*
            hint; //!< what the handler will read first, to be fetched ahead; null for nothing

        /// @return what
        CalendarKind GetKind() const
        {
            return static_cast<CalendarKind>(key >> 56);
        }

        /// @return port or timer number
        uint32_t GetId() const
        {
            return static_cast<uint32_t>(key);
        }

        /**
         * @brief Name what the handler will read first.
         * @param lines takes it
         */
        void NameHotLines(const HotLines& lines) const
        {
            lines.Add<2>(hint);
        }

        /**
         * @param other another entry
         * @return true if this entry comes before @p other
         */
        bool Before(const Entry& other) const
        {
#ifdef __SIZEOF_INT128__
            return GetRank() < other.GetRank(); // two instructions, and no jump to be guessed
#else
            return timePs != other.timePs ? timePs < other.timePs : key < other.key;
#endif
        }

#ifdef __SIZEOF_INT128__
        __extension__ using Rank = unsigned __int128; //!< of a time that is not negative, and a key

        /// @return what entries are ordered by
        Rank GetRank() const
        {
            return static_cast<Rank>(static_cast<uint64_t>(timePs)) << 64 | key;
        }
#endif
    };

    /**
     * @param timePs when, in ps
     * @param kind what
     * @param id port or timer number
     * @param hint what the handler will read first; plays no part in the order
     */
    void Push(int64_t timePs, CalendarKind kind, uint32_t id, const void* hint = nullptr)
    {
        const Entry entry{timePs, (uint64_t{static_cast<uint8_t>(kind)} << 56) | id, hint};
        if (m_hole)
        {
            m_hole = false;
            SiftDown(entry);
            return;
        }
        m_heap.push_back(entry);
        SiftUp(entry);
    }

    /// @return true if nothing will happen
    bool IsEmpty() const
    {
        return m_heap.size() == (m_hole ? 1 : 0);
    }

    /// @return the number of entries
    std::size_t GetSize() const
    {
        return m_heap.size() - (m_hole ? 1 : 0);
    }

    /// @return the first entry, valid until the calendar changes; null if there is none
    const Entry* FindFirst()
    {
        FillHole();
        return m_heap.empty() ? nullptr : m_heap.data();
    }

    /// @return the first entry; the calendar must not be empty
    const Entry& Top()
    {
        FillHole();
        return m_heap.front();
    }

    /// @return the first entry, or null if it is being handled or there is none
    const Entry* PeekTop() const
    {
        return m_hole || m_heap.empty() ? nullptr : m_heap.data();
    }

    /// Forget everything.
    void Clear()
    {
        m_heap.clear();
        m_hole = false;
    }

    /**
     * @brief Name what finding the first entry and its successor reads.
     * @param lines takes it
     */
    void NameHotLines(const HotLines& lines) const
    {
        lines.Add<3>(m_heap.data());
    }

    /// @return the first entry, removed; the calendar must not be empty
    Entry Pop()
    {
        FillHole();
        m_hole = true;
        return m_heap.front();
    }

  private:
    /// Close the hole that Pop() left at the root.
    void FillHole()
    {
        if (m_hole)
        {
            m_hole = false;
            const Entry last = m_heap.back();
            m_heap.pop_back();
            if (!m_heap.empty())
            {
                SiftDown(last);
            }
        }
    }

    /// Place @p entry into the hole at the back and move it up.
    void SiftUp(const Entry& entry)
    {
        Entry* heap = m_heap.data();
        std::size_t child = m_heap.size() - 1;
        while (child > 0)
        {
            const std::size_t parent = (child - 1) / 2;
            if (!entry.Before(heap[parent]))
            {
                break;
            }
            heap[child] = heap[parent];
            child = parent;
        }
        heap[child] = entry;
    }

    /// Place @p entry into the hole at the root and move it down.
    void SiftDown(const Entry& entry)
    {
        Entry* heap = m_heap.data();
        const std::size_t last = m_heap.size() - 1;
        std::size_t parent = 0;
        std::size_t child = 1;
        for (; child < last; child = 2 * parent + 1)
        {
            child += heap[child + 1].Before(heap[child]) ? 1 : 0;
            if (!heap[child].Before(entry))
            {
                heap[parent] = entry;
                return;
            }
            heap[parent] = heap[child];
            parent = child;
        }
        if (child == last && heap[child].Before(entry)) // one without a sibling
        {
            heap[parent] = heap[child];
            parent = child;
        }
        heap[parent] = entry;
    }

    std::vector<Entry> m_heap; //!< binary heap; with m_hole, the root is empty
    bool m_hole{false};        //!< the root was popped and not yet replaced
};

} // namespace ns3

#endif /* NODE_CALENDAR_H */
