// SPDX-License-Identifier: GPL-2.0-only
#ifndef SINGLE_RUN_H
#define SINGLE_RUN_H

#include "flow-recorder.h"
#include "late-stop.h"
#include "periodic-tasks.h"
#include "run-loop.h"

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Runs a simulation of one process. A task that is to end it calls Simulator::Stop().
 */
class SingleRun : public RunLoop
{
  public:
    /**
     * @param recorder of the flows
     * @param stopPs when to stop at last, in ps; FabricTime::NEVER: when all flows are complete
     */
    SingleRun(const FlowRecorder& recorder, int64_t stopPs);

    void Add(Task task, Idle idle, int64_t firstPs) override;
    void AddDisplay(Task task) override;
    void Run() override;

    bool HasStopped() const override
    {
        return m_stopped;
    }

    uint64_t GetNEvents() const override
    {
        return m_tasks.GetNEvents() + m_late.GetNEvents();
    }

  private:
    const FlowRecorder& m_recorder; //!< flows
    int64_t m_stopPs;               //!< at last
    PeriodicTasks m_tasks;          //!< beside the simulation
    LateStop m_late;                //!< after all events of a time
    bool m_stopped{false};          //!< see HasStopped()
};

} // namespace ns3

#endif /* SINGLE_RUN_H */
