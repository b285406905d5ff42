// SPDX-License-Identifier: GPL-2.0-only
#ifndef MEDIAN_WINDOW_H
#define MEDIAN_WINDOW_H

#include <algorithm>
#include <cstddef>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief The last few values of a signal, and their median.
 *
 * While there are fewer than Reset() has said, it is that of those which are there; of an even
 * number it is the lower one of the two in the middle, so that each result is a value that came.
 */
class MedianWindow
{
  public:
    /**
     * @brief Forget all values.
     * @param size how many are kept, at least 1
     */
    void Reset(size_t size)
    {
        m_size = size;
        m_values.clear();
        m_next = 0;
    }

    /**
     * @brief A value came.
     * @param value it
     * @return the median with it
     */
    double Enter(double value)
    {
        if (m_values.size() < m_size)
        {
            m_values.push_back(value);
        }
        else
        {
            m_values[m_next] = value;
            m_next = (m_next + 1) % m_size;
        }
        m_sorted = m_values;
        return FindMedian();
    }

    /**
     * @param value what may come next
     * @return the median if it did
     */
    double LookAhead(double value)
    {
        m_sorted = m_values;
        if (m_sorted.size() < m_size)
        {
            m_sorted.push_back(value);
        }
        else
        {
            m_sorted[m_next] = value;
        }
        return FindMedian();
    }

  private:
    /// @return the lower median of m_sorted, which is not empty
    double FindMedian()
    {
        const auto middle = m_sorted.begin() + static_cast<std::ptrdiff_t>(m_sorted.size() - 1) / 2;
        std::nth_element(m_sorted.begin(), middle, m_sorted.end());
        return *middle;
    }

    size_t m_size{1};             //!< most that are kept
    size_t m_next{0};             //!< the oldest, once so many are there
    std::vector<double> m_values; //!< those that came
    std::vector<double> m_sorted; //!< a copy to be put in order
};

} // namespace ns3

#endif /* MEDIAN_WINDOW_H */
