// SPDX-License-Identifier: GPL-2.0-only
#ifndef HOST_BACKLOG_H
#define HOST_BACKLOG_H

#include <algorithm>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What waits in a NIC for a host that takes data more slowly than the links bring it, and
 * how much of the credit is granted then: the model of the consortium's public simulator uet-htsim
 * (commit 40ccb05).
 */
class HostBacklog
{
  public:
    static constexpr double FREE_BYTES = 1e6;     //!< below it all is granted
    static constexpr double FULL_BYTES = 5e6;     //!< memory of the NIC
    static constexpr double LEAST_FACTOR = 0.001; //!< from 95 % of that on

    /**
     * @brief Data has arrived.
     * @param nowPs time in ps, not before that of the last call
     * @param bytes how much
     * @param rateBps at which the host takes data
     */
    void Add(int64_t nowPs, double bytes, double rateBps)
    {
        m_bytes = std::min(Get(nowPs, rateBps) + bytes, FULL_BYTES);
        m_atPs = nowPs;
    }

    /**
     * @param nowPs time in ps, not before that of the last call
     * @param rateBps at which the host takes data
     * @return bytes that wait
     */
    double Get(int64_t nowPs, double rateBps) const
    {
        return std::max(0.0, m_bytes - static_cast<double>(nowPs - m_atPs) * rateBps / 8e12);
    }

    /**
     * @param bytes that wait
     * @return part of the credit that may be granted
     */
    static double GetFactor(double bytes)
    {
        if (bytes < FREE_BYTES)
        {
            return 1;
        }
        const double left = (FULL_BYTES - bytes) / (FULL_BYTES - FREE_BYTES);
        return bytes > 0.95 * FULL_BYTES ? LEAST_FACTOR : left * left;
    }

  private:
    double m_bytes{0}; //!< at the last arrival
    int64_t m_atPs{0}; //!< last arrival
};

} // namespace ns3

#endif /* HOST_BACKLOG_H */
