// SPDX-License-Identifier: GPL-2.0-only
#ifndef LINK_USE_H
#define LINK_USE_H

#include <cmath>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief How much a link has had to send lately: bytes that age, to 1/e in a window.
 *
 * At a steady rate they tend to that rate times the window, so that divided by what the link can
 * send in a window they are the use of the link (as the discounting rate estimator of CONGA,
 * SIGCOMM 2014, section 3.2, which ages in steps).
 */
class LinkUse
{
  public:
    /**
     * @param value of anything that ages
     * @param agePs since it was right
     * @param windowPs in which it falls to 1/e
     * @return what is left of it
     */
    static double Age(double value, int64_t agePs, int64_t windowPs)
    {
        return value * std::exp(-static_cast<double>(agePs) / static_cast<double>(windowPs));
    }

    /**
     * @brief Something has come to be sent.
     * @param bytes of it
     * @param nowPs time in ps, not before that of the last call
     * @param windowPs the window
     */
    void Add(uint32_t bytes, int64_t nowPs, int64_t windowPs)
    {
        m_bytes = GetBytes(nowPs, windowPs) + bytes;
        m_lastPs = nowPs;
    }

    /**
     * @param nowPs time in ps, not before that of the last Add()
     * @param windowPs the window
     * @return what is left of all bytes
     */
    double GetBytes(int64_t nowPs, int64_t windowPs) const
    {
        return m_bytes == 0 ? 0 : Age(m_bytes, nowPs - m_lastPs, windowPs);
    }

  private:
    double m_bytes{0};   //!< at the last packet
    int64_t m_lastPs{0}; //!< time of that
};

} // namespace ns3

#endif /* LINK_USE_H */
