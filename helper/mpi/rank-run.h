// SPDX-License-Identifier: GPL-2.0-only
#ifndef RANK_RUN_H
#define RANK_RUN_H

#include "ns3/fabric-engine.h"
#include "ns3/flow-recorder.h"
#include "ns3/late-stop.h"
#include "ns3/run-loop.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Runs a simulation of several ranks in steps that all of them agree on, and ends it on all
 * at the time at which it would have ended on one.
 *
 * Ranks simulate as far ahead of one another as ns-3 lets them, the least delay of links between
 * them, so none knows at the time that the last flow of the others is complete. Up to the earliest
 * time at which that can be they run together. From there on each step is as long as that delay:
 * what ranks say to one another in a step is received in the next. In it, ranks that have open
 * flows go first, and stop where their last flow ends; the others follow as far as the first ones
 * came.
 *
 * Nodes of one process can have head starts (FabricEngine::SetHeadStarts()), for the same reason as
 * long as ranks run together.
 *
 * Tasks are called between steps, on all ranks at the same simulated time: the earliest wish of all
 * ranks is fulfilled.
 */
class RankRun : public RunLoop
{
  public:
    /**
     * @param recorder of the flows, of which each rank starts its own
     * @param flush sends what is to be on its way to other ranks before they go on
     * @param lookAheadPs least delay in ps of links between ranks
     * @param stopPs when to stop at last, in ps; FabricTime::NEVER: when all flows are complete
     * @param isOver tells whether this rank wants to end the run after tasks were called
     */
    RankRun(FlowRecorder& recorder,
            std::function<void()> flush,
            int64_t lookAheadPs,
            int64_t stopPs,
            std::function<bool()> isOver);
    ~RankRun() override;
    RankRun(const RankRun&) = delete;
    RankRun& operator=(const RankRun&) = delete;

    void Add(Task task, Idle idle, int64_t firstPs) override;
    void AddDisplay(Task task) override;
    void Run() override;

    /**
     * @brief Let nodes have head starts up to the time before which the last flow cannot end.
     * @param engine that runs the events
     */
    void GiveHeadStarts(FabricEngine& engine)
    {
        m_engine = &engine;
    }

    bool HasStopped() const override
    {
        return m_stopped;
    }

    uint64_t GetNEvents() const override
    {
        return m_nEvents + m_late.GetNEvents();
    }

  private:
    /// A task and its time.
    struct Entry
    {
        int64_t nextPs; //!< when
        Task task;      //!< what
        Idle idle;      //!< when nothing happens
    };

    /// What all ranks know between steps.
    struct Outlook
    {
        int64_t nextPs;  //!< when something happens next; FabricTime::NEVER: nothing does
        int64_t boundPs; //!< before which time not all flows are complete
    };

    /// @return a time before which the flows that end here are not complete, in ps
    int64_t GetBoundPs(int64_t nowPs) const;
    /// Ask all ranks.
    Outlook LookOut(int64_t nowPs) const;
    /// Call the tasks that are due. @return true if a rank wants to end
    bool CallTasks(int64_t nowPs);
    /// @return true if everything before a time has happened here
    bool HasCome(int64_t timePs) const;
    /// Run until everything before a time has happened, or until no flow is open here.
    void RunTo(int64_t timePs);
    /// Take part in others' running, without going on.
    void Wait();
    /// Run until all that happens at a time has happened.
    void Finish(int64_t timePs);
    /// Let the simulator run on all ranks.
    void Simulate();
    /// Let nodes have head starts, where they may.
    void SetHeadStarts(bool on);
    /// The step's last time has come.
    void Fence();
    /// Stop here for now.
    void Halt();

    FlowRecorder& m_recorder;        //!< flows
    std::function<void()> m_flush;   //!< sends what waits
    int64_t m_lookAheadPs;           //!< length of a step of several ranks
    int64_t m_stepPs;                //!< length of the next step
    int64_t m_stopPs;                //!< at last
    std::vector<Entry> m_tasks;      //!< between steps
    std::function<bool()> m_isOver;  //!< ends the run
    std::vector<uint32_t> m_hosts;   //!< of this rank
    int64_t m_firstBoundPs{0};       //!< from starts and sizes of all flows known before the run
    FabricEngine* m_engine{nullptr}; //!< see GiveHeadStarts(); null: nobody has one
    LateStop m_late;                 //!< at the end
    EventId m_halt;                  //!< after all that happens at the end of the step
    EventId m_fence;                 //!< end of the step
    bool m_stopped{false};           //!< see HasStopped()
    uint64_t m_nEvents{0};           //!< see GetNEvents()
};

} // namespace ns3

#endif /* RANK_RUN_H */
