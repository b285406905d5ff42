// SPDX-License-Identifier: GPL-2.0-only
#ifndef SIM_PROGRESS_H
#define SIM_PROGRESS_H

#include "sim-events.h"

#include "ns3/flow-recorder.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/// @brief Wall-clock time that has passed since construction.
class WallClock
{
  public:
    /// @return seconds
    double GetSeconds() const
    {
        return std::chrono::duration<double>(Clock::now() - m_start).count();
    }

  private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point m_start{Clock::now()}; //!< beginning
};

/**
 * @brief Looks at the wall clock now and then: tells how far the run is, by a line on standard
 * error or as events, and notices what asks the program to end (SimSignals).
 *
 * How much simulated time lies between two looks adapts to the speed of the run. Looks are not part
 * of the simulation: results do not depend on them.
 */
class SimProgress
{
  public:
    /**
     * @param recorder of the flows
     * @param stopPs end of the run, FabricTime::NEVER for none
     * @param draw show the line
     * @param events are told, too; they outlive this object
     */
    SimProgress(const FlowRecorder& recorder, int64_t stopPs, bool draw, SimEvents& events);

    /**
     * @param nowPs the present in ps
     * @return when to look again, in ps
     */
    int64_t Look(int64_t nowPs);

    /// Wipe the line.
    void Clear();

  private:
    /// What there is to be told.
    struct State
    {
        double fraction;    //!< part of the run that is done, 0 to 1; 0: nobody knows
        double simSeconds;  //!< simulated time
        double wallSeconds; //!< since the run began
        double etaSeconds;  //!< of wall clock until the end; infinite if nobody knows
    };

    /// @return how far the run is
    State GetState(int64_t nowPs) const;
    /// Draw the line.
    void Draw(const State& state) const;
    /// Tell the events.
    void Tell(const State& state);
    /// @return part of the run that is done, 0 to 1
    double GetFraction(int64_t nowPs) const;

    const FlowRecorder& m_recorder; //!< flows
    int64_t m_stopPs;               //!< end
    bool m_draw;                    //!< show the line
    SimEvents& m_events;            //!< are told, too
    WallClock m_wall;               //!< since the beginning
    int64_t m_intervalPs{1000000};  //!< between looks
    double m_lastLook{0};           //!< wall clock
    double m_lastTold{0};           //!< wall clock
};

/**
 * @param progress value of --progress
 * @return true if the line is to be drawn
 * @throws FabricError if there is no such value
 */
bool IsSimProgressDrawn(const std::string& progress);

} // namespace ns3

#endif /* SIM_PROGRESS_H */
