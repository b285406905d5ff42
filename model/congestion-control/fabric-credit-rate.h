// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_CREDIT_RATE_H
#define FABRIC_CREDIT_RATE_H

#include <algorithm>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Part of the rate of its links at which a receiver grants credit, by the marks and trims
 * that its packets met inside the fabric: an option of the consortium's public simulator uet-htsim
 * (commit 40ccb05).
 */
class FabricCreditRate
{
  public:
    /// @param least smallest part, above 0
    explicit FabricCreditRate(double least)
        : m_least(least)
    {
    }

    /**
     * @brief A packet has arrived.
     * @param marked with congestion experienced
     * @param trimmed without its payload, and not by the port to this host
     */
    void Enter(bool marked, bool trimmed)
    {
        ++m_packets;
        m_marked += marked;
        m_trimmed += trimmed;
    }

    /**
     * @brief An interval ends.
     * @return the part from now on
     */
    double Update()
    {
        const double packets = std::max<double>(m_packets, 1);
        m_average = m_average / 2 + m_marked / packets / 2;
        if (m_trimmed > 0 || m_average > TOLERATED)
        {
            m_part -= m_trimmed / packets;
            m_part *= 1 - std::max(m_average - TOLERATED, 0.0) / 2;
            m_quiet = 0;
        }
        else if (m_marked > 0)
        {
            m_part += STEP;
            m_quiet = 0;
        }
        else
        {
            m_part += STEP * static_cast<double>(1U << m_quiet);
            m_quiet = std::min(m_quiet + 1, MOST_DOUBLINGS);
        }
        m_part = std::clamp(m_part, m_least, 1.0);
        m_packets = 0;
        m_marked = 0;
        m_trimmed = 0;
        return m_part;
    }

    /// @return the part
    double Get() const
    {
        return m_part;
    }

  private:
    static constexpr double TOLERATED = 0.3;      //!< average part of marked packets
    static constexpr double STEP = 0.01;          //!< least growth
    static constexpr uint32_t MOST_DOUBLINGS = 7; //!< of that: more than 1

    double m_least;      //!< part
    double m_part{1};    //!< of the rate
    double m_average{0}; //!< part of marked packets
    double m_packets{0}; //!< in this interval
    double m_marked{0};  //!< of these
    double m_trimmed{0}; //!< likewise
    uint32_t m_quiet{0}; //!< intervals in a row without marks
};

} // namespace ns3

#endif /* FABRIC_CREDIT_RATE_H */
