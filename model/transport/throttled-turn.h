// SPDX-License-Identifier: GPL-2.0-only
#ifndef THROTTLED_TURN_H
#define THROTTLED_TURN_H

#include "injection-throttle.h"
#include "pdc-schedule.h"

#include "ns3/fabric-time.h"

#include <algorithm>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Whose turn it is at a port with a throttle, at one moment.
 */
class ThrottledTurn
{
  public:
    /**
     * @brief Ask the throttle, unless nobody could send anyway.
     * @param schedule of the port
     * @param throttle of the port
     * @param paused bit mask of the classes that flow control stops
     * @param nowPs time in ps
     */
    ThrottledTurn(PdcSchedule& schedule, InjectionThrottle& throttle, uint8_t paused, int64_t nowPs)
        : m_schedule(schedule),
          m_closed(paused),
          m_nowPs(nowPs)
    {
        if ((throttle.GetClasses() & ~paused) == 0)
        {
            return; // it has to wait anyway
        }
        const bool mixed = (schedule.GetClasses() & ~throttle.GetClasses()) != 0;
        if (!mixed && schedule.GetNextPs(paused) > nowPs)
        {
            return; // nobody asks
        }
        const int64_t timePs = throttle.GetReadyPs(nowPs);
        if (timePs > nowPs)
        {
            m_readyPs = timePs;
            m_closed |= throttle.GetClasses();
        }
    }

    /// @return the PDC whose turn it is, null for none
    SendingPdc* Take()
    {
        // where all have to wait, their order is left alone, however many they are
        return HasOpen() ? m_schedule.Take(m_nowPs, m_closed) : nullptr;
    }

    /// @return when Take() could next return something, in ps
    int64_t GetNextPs()
    {
        return HasOpen() ? std::min(m_readyPs, m_schedule.GetNextPs(m_closed)) : m_readyPs;
    }

  private:
    /// @return true if not all classes have to wait
    bool HasOpen() const
    {
        return (m_schedule.GetClasses() & ~m_closed) != 0;
    }

    PdcSchedule& m_schedule;              //!< of the port
    uint8_t m_closed;                     //!< classes that have to wait
    int64_t m_nowPs;                      //!< the moment
    int64_t m_readyPs{FabricTime::NEVER}; //!< when those may send that wait for the throttle
};

} // namespace ns3

#endif /* THROTTLED_TURN_H */
