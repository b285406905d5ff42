// SPDX-License-Identifier: GPL-2.0-only
#ifndef PHANTOM_QUEUE_H
#define PHANTOM_QUEUE_H

#include <algorithm>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What would wait for a line if it were slower, by default by a tenth (Alizadeh et al.,
 * "Less is More", NSDI 2012, section 3.1).
 *
 * A line that one flow fills has as little waiting as one that is idle; its phantom queue is long.
 * It is bounded, so that a line counts as idle soon after its flow is gone.
 */
class PhantomQueue
{
  public:
    /**
     * @brief Begin empty.
     * @param rateBps of the line
     * @param maxBytes longest
     * @param drainShare of the rate, 0 to 1: a line that is used more has a phantom queue that
     * grows
     */
    void Configure(uint64_t rateBps, uint64_t maxBytes, double drainShare = 0.9)
    {
        m_bytesPerPs = static_cast<double>(rateBps) * drainShare / 8e12;
        m_maxBytes = static_cast<double>(maxBytes);
        m_bytes = 0;
        m_lastPs = 0;
    }

    /**
     * @brief A packet goes to the line.
     * @param bytes of it
     * @param nowPs time in ps, not before that of the last call
     */
    void Add(uint32_t bytes, int64_t nowPs)
    {
        m_bytes = std::min(Drain(nowPs) + bytes, m_maxBytes);
        m_lastPs = nowPs;
    }

    /**
     * @param nowPs time in ps
     * @return length in bytes
     */
    uint64_t GetBytes(int64_t nowPs) const
    {
        return static_cast<uint64_t>(Drain(nowPs));
    }

  private:
    /// @return what is left
    double Drain(int64_t nowPs) const
    {
        return std::max(0.0, m_bytes - static_cast<double>(nowPs - m_lastPs) * m_bytesPerPs);
    }

    double m_bytesPerPs{0}; //!< that leave it
    double m_maxBytes{0};   //!< longest
    double m_bytes{0};      //!< at the last packet
    int64_t m_lastPs{0};    //!< time of that
};

} // namespace ns3

#endif /* PHANTOM_QUEUE_H */
