// SPDX-License-Identifier: GPL-2.0-only
#ifndef PINT_CODE_H
#define PINT_CODE_H

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief A utilization in eight bits, by PINT (SIGCOMM 2020): its logarithm, rounded by a draw so
 * that the mean is right.
 *
 * In steps of 1/512, and above these of 5 %: up to 494. What is less than a step counts as one.
 */
class PintCode
{
  public:
    static constexpr double STEPS = 512;  //!< of a utilization of 1
    static constexpr double BASE = 1.05;  //!< of the logarithm
    static constexpr uint8_t MOST = 0xff; //!< largest code

    /**
     * @param utilization of a link, not negative
     * @param draw from 0 to 1, exclusive: the code is rounded up if it is below the share of the
     * step that the value has
     * @return its code
     */
    static uint8_t Encode(double utilization, double draw)
    {
        const double steps = std::max(1.0, std::ceil(utilization * STEPS));
        const double below = std::floor(std::log(steps) / std::log(BASE));
        if (below >= MOST)
        {
            return MOST;
        }
        const double least = std::pow(BASE, below);
        const bool up = draw < (steps - least) / (least * (BASE - 1));
        return static_cast<uint8_t>(below) + (up ? 1 : 0);
    }

    /**
     * @param code of a utilization
     * @return the utilization
     */
    static double Decode(uint8_t code)
    {
        return std::pow(BASE, code) / STEPS;
    }
};

} // namespace ns3

#endif /* PINT_CODE_H */
