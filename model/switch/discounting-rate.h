// SPDX-License-Identifier: GPL-2.0-only
#ifndef DISCOUNTING_RATE_H
#define DISCOUNTING_RATE_H

#include <algorithm>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Discounting rate estimator of CONGA: bytes that are added as they are sent, of which a
 * share is lost at the end of each period.
 *
 * At a constant rate R it comes to R T / a, with the period T and the share a. Periods are counted
 * from the start of the simulation; those that have passed are made up for when it is asked.
 */
class DiscountingRate
{
  public:
    /**
     * @brief Bytes are sent.
     * @param bytes how many
     * @param period number of the present period
     * @param decay share that is lost in each
     */
    void Add(uint64_t bytes, int64_t period, double decay)
    {
        m_bytes = GetBytes(period, decay) + static_cast<double>(bytes);
        m_period = std::max(m_period, period);
    }

    /**
     * @param period number of the present period
     * @param decay share that is lost in each
     * @return the estimate in bytes
     */
    double GetBytes(int64_t period, double decay) const
    {
        double bytes = m_bytes;
        // below a byte nothing is left to tell
        for (int64_t i = m_period; i < period && bytes >= 1; ++i)
        {
            bytes *= 1 - decay;
        }
        return bytes >= 1 ? bytes : 0;
    }

    /**
     * @param bytes the estimate
     * @param fullBytes estimate of a port that sends without a pause
     * @param bits of the result, 1 to 7
     * @return the estimate as a share of the full one in steps of 2^-bits, at most 2^bits - 1
     */
    static uint8_t Quantize(double bytes, double fullBytes, uint8_t bits)
    {
        const double steps = 1 << bits;
        return static_cast<uint8_t>(std::min(bytes / fullBytes * steps, steps - 1));
    }

  private:
    double m_bytes{0};   //!< estimate in the period of the last packet
    int64_t m_period{0}; //!< number of that
};

} // namespace ns3

#endif /* DISCOUNTING_RATE_H */
