// SPDX-License-Identifier: GPL-2.0-only
#ifndef CYCLE_CLOCK_H
#define CYCLE_CLOCK_H

#include "ns3/fabric-time.h"

#include <cstdint>
#include <limits>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief The clock of a chip, whose cycles need not be whole picoseconds.
 *
 * Cycle i begins at i / frequency, from the first bit of time on. Both conversions are exact for
 * any time, so that nothing drifts.
 */
class CycleClock
{
  public:
    /// No cycle at all: later than all.
    static constexpr uint64_t NEVER = std::numeric_limits<uint64_t>::max();

    /**
     * @param hertz frequency in Hz, 1 to 10^12
     */
    explicit CycleClock(uint64_t hertz)
        : m_hertz(hertz)
    {
    }

    /**
     * @param timePs time in ps, not negative
     * @return the last cycle that has begun by then
     */
    uint64_t ToCycle(int64_t timePs) const
    {
        return static_cast<uint64_t>(static_cast<__uint128_t>(timePs) * m_hertz / PS_PER_SECOND);
    }

    /**
     * @param cycle its number
     * @return the first picosecond in which it has begun; FabricTime::NEVER if that is beyond all
     * time
     */
    int64_t ToPs(uint64_t cycle) const
    {
        const __uint128_t timePs =
            (static_cast<__uint128_t>(cycle) * PS_PER_SECOND + m_hertz - 1) / m_hertz;
        return timePs < static_cast<__uint128_t>(FabricTime::NEVER) ? static_cast<int64_t>(timePs)
                                                                    : FabricTime::NEVER;
    }

  private:
    static constexpr uint64_t PS_PER_SECOND = FabricTime::PS_PER_SECOND; //!< unsigned

    uint64_t m_hertz; //!< frequency
};

} // namespace ns3

#endif /* CYCLE_CLOCK_H */
