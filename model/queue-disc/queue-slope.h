// SPDX-License-Identifier: GPL-2.0-only
#ifndef QUEUE_SLOPE_H
#define QUEUE_SLOPE_H

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief How fast a counter grows or shrinks, over intervals that packets end.
 *
 * The first update that is at least an interval after the one that began it ends the interval and
 * begins the next: nothing is timed.
 */
class QueueSlope
{
  public:
    /**
     * @param intervalPs least length of an interval in ps, at least 1
     */
    explicit QueueSlope(int64_t intervalPs)
        : m_intervalPs(intervalPs)
    {
    }

    /**
     * @brief Read the counter.
     * @param nowPs time in ps, not before that of any earlier call
     * @param value the counter
     */
    void Update(int64_t nowPs, uint64_t value)
    {
        if (m_sincePs < 0)
        {
            m_sincePs = nowPs;
            m_value = value;
        }
        else if (nowPs - m_sincePs >= m_intervalPs)
        {
            m_change = static_cast<int64_t>(value - m_value);
            m_spanPs = nowPs - m_sincePs;
            m_sincePs = nowPs;
            m_value = value;
        }
    }

    /// @return growth in the last complete interval; if the counter is one of bytes, in bit/s. 0
    /// before there was one
    double GetPerSecond() const
    {
        return m_spanPs == 0 ? 0
                             : static_cast<double>(m_change) * 8e12 / static_cast<double>(m_spanPs);
    }

  private:
    int64_t m_intervalPs;  //!< least length
    int64_t m_sincePs{-1}; //!< when the present interval began; negative: none has
    uint64_t m_value{0};   //!< counter at that time
    int64_t m_change{0};   //!< growth in the last interval
    int64_t m_spanPs{0};   //!< length of the last interval; 0: there was none
};

} // namespace ns3

#endif /* QUEUE_SLOPE_H */
