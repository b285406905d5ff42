// SPDX-License-Identifier: GPL-2.0-only
#ifndef RUN_LOOP_H
#define RUN_LOOP_H

#include <cstdint>
#include <functional>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Runs a simulation to its end, and meanwhile calls what watches it from outside: SingleRun
 * for one process.
 */
class RunLoop
{
  public:
    /**
     * @brief What is to be done now and then.
     * @param nowPs the present in ps
     * @return when to be called again, in ps, later than the present; FabricTime::NEVER: not again
     */
    using Task = std::function<int64_t(int64_t nowPs)>;

    /// How a task takes times in which nothing happens.
    enum class Idle
    {
        KEEP, //!< it is called at its times
        SKIP, //!< it is called when something happens again
    };

    virtual ~RunLoop();

    /**
     * @brief Add a task, before Run(). It is called when everything before its time has happened,
     * and nothing of that time; not any more when nothing is left to happen.
     * @param task what to do
     * @param idle when nothing happens
     * @param firstPs when it is called first, in ps
     */
    virtual void Add(Task task, Idle idle = Idle::KEEP, int64_t firstPs = 0) = 0;

    /**
     * @brief Add a task on which no result depends, such as a display of how far the run is, before
     * Run(). It is called at about its times.
     * @param task what to do
     */
    virtual void AddDisplay(Task task) = 0;

    /// Simulate; to be called once, after FlowRecorder::Start().
    virtual void Run() = 0;

    /// @return true if the stop time has come
    virtual bool HasStopped() const = 0;

    /// @return simulator events that were spent on tasks and on stopping
    virtual uint64_t GetNEvents() const = 0;
};

} // namespace ns3

#endif /* RUN_LOOP_H */
