// SPDX-License-Identifier: GPL-2.0-only
#ifndef PERIODIC_TASKS_H
#define PERIODIC_TASKS_H

#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Everything that watches a run from outside (samplers, progress, stop time), on one chain
 * of simulator events.
 *
 * The chain ends by itself when nothing else is left to happen: watchers never keep a simulation
 * alive, and a network that is stuck is seen as such.
 */
class PeriodicTasks
{
  public:
    /**
     * @brief What is to be done.
     * @param nowPs the present in ps
     * @return when to be called again, in ps, later than the present; FabricTime::NEVER: not again
     */
    using Task = std::function<int64_t(int64_t nowPs)>;

    /**
     * @brief Add a task, before Start().
     * @param firstPs when it is called first, in ps
     * @param task what to do
     */
    void Add(int64_t firstPs, Task task);

    /**
     * @brief Add a task that is called when everything before its time has happened, and nothing of
     * that time, whatever the order of the simulator's events; before Start().
     * @param firstPs as for Add()
     * @param task what to do; it is given its time, which is one tick of the simulator ahead
     */
    void AddBefore(int64_t firstPs, Task task);

    /**
     * @brief Call no task any more when nothing else is left to happen; by default those of the
     * next time are. What tasks have seen at the end then does not depend on when others of them
     * look.
     */
    void EndWithOthers()
    {
        m_endsWithOthers = true;
    }

    /// Begin.
    void Start()
    {
        Arm();
    }

    /// @return simulator events that were spent on tasks
    uint64_t GetNEvents() const
    {
        return m_nEvents;
    }

  private:
    /// A task and its time.
    struct Entry
    {
        int64_t nextPs; //!< when
        Task task;      //!< what
        bool before;    //!< see AddBefore()
    };

    /// @return true if nothing else is left to happen, and that ends the tasks
    bool IsOver() const;
    /// @return when a task is called
    static Time GetTime(const Entry& entry);
    /// Serve the tasks that are due.
    void Tick();
    /// Serve those of AddBefore().
    void TickLate();
    /// Schedule the next call, if anything else is left to happen.
    void GoOn();
    /// Schedule the next call.
    void Arm();

    std::vector<Entry> m_entries; //!< all, in the order of addition
    uint64_t m_nEvents{0};        //!< calls of Tick() and TickLate()
    bool m_endsWithOthers{false}; //!< see EndWithOthers()
};

} // namespace ns3

#endif /* PERIODIC_TASKS_H */
