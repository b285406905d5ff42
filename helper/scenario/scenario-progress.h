// SPDX-License-Identifier: GPL-2.0-only
#ifndef SCENARIO_PROGRESS_H
#define SCENARIO_PROGRESS_H

#include "ns3/flow-recorder.h"

#include <chrono>
#include <cstdint>
#include <functional>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Looks at the wall clock now and then during a run: tells how far it is, and asks whether
 * something from outside ends it.
 *
 * How much simulated time lies between two looks adapts to the speed of the run. Looks are not part
 * of the simulation: results do not depend on them.
 */
class ScenarioProgress
{
  public:
    /// How far a run is.
    struct State
    {
        double fraction;    //!< part of the run that is done, 0 to 1; 0: nobody knows
        double simSeconds;  //!< simulated time
        double wallSeconds; //!< since the run began
        double etaSeconds;  //!< of wall clock until the end; infinite if nobody knows
        uint32_t completed; //!< flows that are complete
        std::size_t flows;  //!< flows that there are so far
    };

    /// Is told how far a run is.
    using Listener = std::function<void(const State&)>;
    /// @return 0, or a number for what ends the run
    using Interrupt = std::function<int()>;

    /**
     * @param recorder of the flows
     * @param stopPs end of the run, FabricTime::NEVER for none
     * @param listener is told twice a second; empty: nobody is
     * @param interrupt asked twenty times a second; the simulation is stopped if it says so
     */
    ScenarioProgress(const FlowRecorder& recorder,
                     int64_t stopPs,
                     Listener listener,
                     Interrupt interrupt);

    /**
     * @param nowPs the present in ps
     * @return when to look again, in ps
     */
    int64_t Look(int64_t nowPs);

  private:
    /// @return seconds of wall clock since the beginning
    double GetWallSeconds() const;
    /// @return part of the run that is done, 0 to 1
    double GetFraction(int64_t nowPs) const;
    /// @return how far the run is
    State GetState(int64_t nowPs) const;

    const FlowRecorder& m_recorder;                //!< flows
    int64_t m_stopPs;                              //!< end
    Listener m_listener;                           //!< is told
    Interrupt m_interrupt;                         //!< is asked
    std::chrono::steady_clock::time_point m_begin; //!< of the run
    int64_t m_intervalPs{1000000};                 //!< between looks
    double m_lastLook{0};                          //!< wall clock
    double m_lastTold{0};                          //!< wall clock
};

} // namespace ns3

#endif /* SCENARIO_PROGRESS_H */
