// SPDX-License-Identifier: GPL-2.0-only
#ifndef NUMBERED_POOL_H
#define NUMBERED_POOL_H

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Things that come and go, known by numbers that are used again.
 *
 * What is taken back keeps its memory: the next one under its number finds it there.
 * @tparam T what they are
 */
template <typename T>
class NumberedPool
{
  public:
    /// @return number of one that was not used, as the last one left it
    uint32_t Take()
    {
        if (m_free.empty())
        {
            m_items.emplace_back();
            m_used.push_back(true);
            return static_cast<uint32_t>(m_items.size() - 1);
        }
        const uint32_t number = m_free.back();
        m_free.pop_back();
        m_used[number] = true;
        return number;
    }

    /// @param number what Take() gave; it is no longer used
    void Return(uint32_t number)
    {
        m_used[number] = false;
        m_free.push_back(number);
    }

    /**
     * @param number what Take() gave
     * @return the thing of a number
     * @{
     */
    T& operator[](uint32_t number)
    {
        return m_items[number];
    }

    const T& operator[](uint32_t number) const
    {
        return m_items[number];
    }

    /// @}

    /// @return one more than the highest number so far
    uint32_t GetEnd() const
    {
        return static_cast<uint32_t>(m_items.size());
    }

    /**
     * @param number one below GetEnd()
     * @return true if it is used
     */
    bool IsUsed(uint32_t number) const
    {
        return m_used[number];
    }

  private:
    std::vector<T> m_items;       //!< by number
    std::vector<bool> m_used;     //!< by number
    std::vector<uint32_t> m_free; //!< numbers that are not used
};

} // namespace ns3

#endif /* NUMBERED_POOL_H */
