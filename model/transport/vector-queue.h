// SPDX-License-Identifier: GPL-2.0-only
#ifndef VECTOR_QUEUE_H
#define VECTOR_QUEUE_H

#include <cstddef>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief A queue that takes no memory while it has never held anything, unlike std::deque, of which
 * each takes 600 bytes: a network has many more idle queues than busy ones.
 *
 * Complexity: push_back() and pop_front() O(1) on average, operator[] O(1).
 * @tparam T a small value
 */
template <typename T>
class VectorQueue
{
  public:
    /// @return true if nothing waits
    bool empty() const
    {
        return m_head == m_items.size();
    }

    /// @return how many wait
    std::size_t size() const
    {
        return m_items.size() - m_head;
    }

    /// @return the first; the queue must not be empty
    T& front()
    {
        return m_items[m_head];
    }

    /// @copydoc front()
    const T& front() const
    {
        return m_items[m_head];
    }

    /**
     * @brief Append.
     * @param item what
     */
    void push_back(T item)
    {
        m_items.push_back(std::move(item));
    }

    /// Remove the first; the queue must not be empty.
    void pop_front()
    {
        ++m_head;
        if (m_head == m_items.size())
        {
            clear();
        }
        else if (m_head >= 16 && 2 * m_head >= m_items.size())
        {
            m_items.erase(m_items.begin(), m_items.begin() + static_cast<std::ptrdiff_t>(m_head));
            m_head = 0;
        }
    }

    /**
     * @brief Insert.
     * @param before where
     * @param item what
     */
    void insert(typename std::vector<T>::iterator before, T item)
    {
        m_items.insert(before, std::move(item));
    }

    /**
     * @brief Remove one.
     * @param where an iterator
     * @return an iterator behind it
     */
    typename std::vector<T>::iterator erase(typename std::vector<T>::iterator where)
    {
        return m_items.erase(where);
    }

    /// Remove all.
    void clear()
    {
        m_items.clear();
        m_head = 0;
    }

    /// @return an iterator at the first
    auto begin()
    {
        return m_items.begin() + static_cast<std::ptrdiff_t>(m_head);
    }

    /// @return an iterator behind the last
    auto end()
    {
        return m_items.end();
    }

    /// @copydoc begin()
    auto begin() const
    {
        return m_items.begin() + static_cast<std::ptrdiff_t>(m_head);
    }

    /// @copydoc end()
    auto end() const
    {
        return m_items.end();
    }

  private:
    std::vector<T> m_items; //!< removed ones first
    std::size_t m_head{0};  //!< removed ones
};

} // namespace ns3

#endif /* VECTOR_QUEUE_H */
