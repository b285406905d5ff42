// SPDX-License-Identifier: GPL-2.0-only
#ifndef SCENARIO_WATCHDOG_H
#define SCENARIO_WATCHDOG_H

#include "ns3/flow-recorder.h"

#include <cstdint>
#include <functional>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Ends a run in which flows are active but nothing arrives any more, such as a deadlock of
 * pauses, where timers would go on for ever.
 *
 * New payload at receivers and acknowledgements of it at senders are progress. Its patience covers
 * two time-outs that have been doubled to the end; in a deadlock it is a second, in which whoever
 * throws packets away has had its time.
 */
class ScenarioWatchdog
{
  public:
    /**
     * @param recorder of the flows
     * @param lastChangePs when the network changes at last, in ps: that may bring up the link that
     * all wait for
     * @param isDeadlocked tells whether packets are known to wait for one another for ever
     */
    ScenarioWatchdog(const FlowRecorder& recorder,
                     int64_t lastChangePs,
                     std::function<bool()> isDeadlocked);

    /**
     * @param nowPs the present in ps
     * @return when to look again, in ps
     */
    int64_t Look(int64_t nowPs);

    /// @return true if the run was ended
    bool HasBarked() const
    {
        return m_barked;
    }

    /// @return when it has ended the run, in ps
    int64_t GetEndPs() const
    {
        return m_endPs;
    }

    /// @return time without progress that counts as stuck, in ps
    int64_t GetPatiencePs() const
    {
        return m_patiencePs;
    }

  private:
    const FlowRecorder& m_recorder;       //!< flows
    std::function<bool()> m_isDeadlocked; //!< tells of deadlocks
    int64_t m_patiencePs;                 //!< see GetPatiencePs()
    int64_t m_lastChangePs;               //!< of the network
    uint64_t m_progress{0}; //!< bytes delivered and acknowledged, when it was seen last
    int64_t m_sincePs{0};   //!< when that was
    int64_t m_endPs{0};     //!< see GetEndPs()
    bool m_barked{false};   //!< ended the run
};

} // namespace ns3

#endif /* SCENARIO_WATCHDOG_H */
