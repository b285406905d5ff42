// SPDX-License-Identifier: GPL-2.0-only
#ifndef LATE_STOP_H
#define LATE_STOP_H

#include "ns3/event-id.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Ends the simulation when all that happens at the present time has happened.
 *
 * Which node comes first at one time depends on the order in which events were made, and so on the
 * number of ranks. What the counters of all nodes tell at the end must not.
 */
class LateStop
{
  public:
    ~LateStop();

    /// End the simulation; asking again at the same time has no effect.
    void Request();

    /**
     * @brief End the simulation at a time.
     * @param timePs when, in ps, not before the present; asked for when everything before it has
     * happened
     */
    void RequestAt(int64_t timePs);

    /// @return simulator events that were spent on it
    uint64_t GetNEvents() const
    {
        return m_nEvents;
    }

  private:
    /// The time of RequestAt() has come.
    void Come();
    /// All has happened.
    void Stop();

    EventId m_event;       //!< stops
    uint64_t m_nEvents{0}; //!< see GetNEvents()
};

} // namespace ns3

#endif /* LATE_STOP_H */
