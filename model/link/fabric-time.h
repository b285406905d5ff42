// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TIME_H
#define FABRIC_TIME_H

#include "ns3/nstime.h"

#include <cstdint>
#include <limits>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Conversion between picoseconds inside the fabric and the ticks of the simulator.
 *
 * Works at any resolution; the module itself never sets one.
 */
class FabricTime
{
  public:
    /// No time at all: later than everything.
    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::max();

    static constexpr int64_t PS_PER_NS = 1000;              //!< picoseconds in a nanosecond
    static constexpr int64_t PS_PER_US = 1000 * PS_PER_NS;  //!< picoseconds in a microsecond
    static constexpr int64_t PS_PER_SECOND = 1000000000000; //!< picoseconds in a second

    /// Picoseconds that a byte takes at 1 bit/s.
    static constexpr uint64_t PS_PER_BYTE_AT_1_BPS = 8000000000000U;

    /**
     * @param time a time
     * @return the same time in ps, exact at resolutions down to picoseconds
     */
    static int64_t ToPs(Time time)
    {
        const int64_t ticks = time.GetTimeStep();
        return Time::GetResolution() == Time::PS ? ticks : ScaleToPs(ticks);
    }

    /**
     * @param timePs a time in ps
     * @return the first tick that is not before the time
     */
    static int64_t ToTicks(int64_t timePs)
    {
        return Time::GetResolution() == Time::PS ? timePs : ScaleToTicks(timePs);
    }

    /**
     * @param timePs a time in ps
     * @return a Time not before the argument, at most one tick later
     */
    static Time FromPs(int64_t timePs)
    {
        return TimeStep(static_cast<uint64_t>(ToTicks(timePs)));
    }

  private:
    /**
     * @brief Coarser or finer resolution than picoseconds.
     * @return ps
     */
    static int64_t ScaleToPs(int64_t ticks);
    /**
     * @brief Coarser or finer resolution than picoseconds.
     * @return ticks, rounded up
     */
    static int64_t ScaleToTicks(int64_t timePs);
};

} // namespace ns3

#endif /* FABRIC_TIME_H */
