// SPDX-License-Identifier: GPL-2.0-only
#ifndef SIM_PROGRESS_H
#define SIM_PROGRESS_H

#include "ns3/flow-recorder.h"

#include <chrono>
#include <cstdint>

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
 * @brief Looks at the wall clock now and then: draws a progress line and notices what
 * asks the program to end (SimSignals).
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
     */
    SimProgress(const FlowRecorder& recorder, int64_t stopPs, bool draw);

    /**
     * @param nowPs the present in ps
     * @return when to look again, in ps
     */
    int64_t Look(int64_t nowPs);

    /// Wipe the line.
    void Clear();

  private:
    /// Draw the line.
    void Draw(int64_t nowPs);
    /// @return part of the run that is done, 0 to 1
    double GetFraction(int64_t nowPs) const;

    const FlowRecorder& m_recorder; //!< flows
    int64_t m_stopPs;               //!< end
    bool m_draw;                    //!< show the line
    WallClock m_wall;               //!< since the beginning
    int64_t m_intervalPs{1000000};  //!< between looks
    double m_lastLook{0};           //!< wall clock
    double m_lastDraw{0};           //!< wall clock
};

} // namespace ns3

#endif /* SIM_PROGRESS_H */
