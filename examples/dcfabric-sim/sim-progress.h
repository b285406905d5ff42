// SPDX-License-Identifier: GPL-2.0-only
#ifndef SIM_PROGRESS_H
#define SIM_PROGRESS_H

#include "sim-events.h"

#include "ns3/scenario-options.h"
#include "ns3/scenario-progress.h"

namespace ns3
{

/**
 * @brief Tells how far a run is, by a line on standard error or as events.
 */
class SimProgress
{
  public:
    /**
     * @param options of the run: `progress`, of which `json` is left whatever the descriptor, as
     * results do not depend on it
     * @param events are told, too; they outlive this object
     * @throws FabricError if there is no such progress
     */
    SimProgress(ScenarioOptions& options, SimEvents& events);

    /// @return true if anybody wants to know
    bool IsWanted() const
    {
        return m_draw || m_events.IsOpen();
    }

    /// @param state what there is to be told
    void Tell(const ScenarioProgress::State& state);

    /// Wipe the line.
    void Clear() const;

  private:
    /// Draw the line.
    void Draw(const ScenarioProgress::State& state) const;

    SimEvents& m_events; //!< are told, too
    bool m_draw;         //!< show the line
};

} // namespace ns3

#endif /* SIM_PROGRESS_H */
