// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_SIMULATOR_IMPL_H
#define FABRIC_SIMULATOR_IMPL_H

#include "look-ahead-scheduler.h"

#include "ns3/event-id.h"
#include "ns3/event-impl.h"
#include "ns3/fabric-engine.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/simulator-impl.h"

#include <atomic>
#include <cstdint>
#include <list>
#include <map>
#include <mutex>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief A simulator engine that the nodes of a fabric reach without detours.
 *
 * It runs the events of DefaultSimulatorImpl in the same order, with the same numbers, times and
 * contexts. What is different is the way to it: a FabricActor, which arms one event after the
 * other, enters it into the list with one call and is called back with the time, where the
 * functions of Simulator take five calls, of which two are virtual, and make an EventId that nobody
 * reads. With LookAheadScheduler those calls are direct.
 *
 * ns-3 counts events in 32 bits. Before these end, which takes some hours, pending events get small
 * numbers again, in their order; identifiers that were given out before stay valid. Other engines
 * would begin anew at 0: of events at one time the later ones would come first, and some could
 * neither be cancelled nor removed.
 *
 * Nodes can have head starts (FabricEngine::SetHeadStarts()).
 *
 * Choose it before anything is scheduled, with the global value SimulatorImplementationType.
 * Without it, or under another engine, the nodes go by way of Simulator. Scheduling from other
 * threads is possible with ScheduleWithContext(), as in DefaultSimulatorImpl.
 */
class FabricSimulatorImpl final : public SimulatorImpl, public FabricEngine
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    FabricSimulatorImpl();
    ~FabricSimulatorImpl() override;

    /// What Stop(Time) returns: nothing, or from ns-3.47 on an EventId.
    using StopResult = decltype(std::declval<SimulatorImpl&>().Stop(std::declval<const Time&>()));

    // from SimulatorImpl
    void Destroy() override;
    bool IsFinished() const override;
    void Stop() override;
    StopResult Stop(const Time& delay) override;
    EventId Schedule(const Time& delay, EventImpl* event) override;
    void ScheduleWithContext(uint32_t context, const Time& delay, EventImpl* event) override;
    EventId ScheduleNow(EventImpl* event) override;
    EventId ScheduleDestroy(EventImpl* event) override;
    void Remove(const EventId& id) override;
    void Cancel(const EventId& id) override;
    bool IsExpired(const EventId& id) const override;
    void Run() override;
    Time Now() const override;
    Time GetDelayLeft(const EventId& id) const override;
    Time GetMaximumSimulationTime() const override;
    void SetScheduler(ObjectFactory schedulerFactory) override;
    uint32_t GetSystemId() const override;
    uint32_t GetContext() const override;
    uint64_t GetEventCount() const override;

    // from FabricEngine
    void ScheduleDrain(int64_t tick, uint32_t context, EventImpl* event) override;
    int64_t GetNextTick() const override;

  private:
    /// An event of another thread.
    struct Remote
    {
        uint32_t context;    //!< of the event
        uint64_t delayTicks; //!< after the present of when it is taken over
        EventImpl* event;    //!< its reference is owned
    };

    void DoDispose() override;

    /**
     * @brief Enter an event.
     * @param delayTicks from the present on
     * @param context of the event
     * @param event its reference is given away
     * @return its key
     */
    Scheduler::EventKey Enter(uint64_t delayTicks, uint32_t context, EventImpl* event);
    /// The first event that is none of a node may be another one now.
    void FindBarrier();
    /// An event that is none of a node runs.
    void PassBarrier();
    /// Enter what other threads have scheduled.
    void TakeRemote();
    /**
     * @brief Give pending events small numbers, in their order.
     * @param next the event that is about to run, the first of its time
     */
    void Renumber(Scheduler::Event& next);
    /// @return the number of a pending event in the list
    uint32_t GetListUid(const EventId& id) const;
    /// @return the entry of Destroy() of an identifier, or the end
    std::list<EventId>::const_iterator FindDestroyEvent(const EventId& id) const;

    // what each event needs
    LookAheadScheduler* m_ownList{nullptr}; //!< m_list, if it is one
    uint32_t m_nextUid;                     //!< of the next event
    uint32_t m_currentUid;                  //!< of the event that runs
    uint32_t m_context;                     //!< of the event that runs
    bool m_stop{false};                     //!< Run() is to end
    std::atomic<bool> m_hasRemote{false};   //!< m_remote is not empty

    /// What an EventId says of an event, but for its context.
    using Name = std::tuple<const EventImpl*, uint64_t, uint32_t>;

    Ptr<Scheduler> m_list; //!< pending events
    std::vector<uint64_t>
        m_barriers;              //!< ticks of pending events that are none of nodes: a min-heap
    ObjectFactory m_listFactory; //!< makes another one
    std::map<Name, uint32_t> m_listUid; //!< of events that have another one than their EventId
    std::list<EventId> m_destroyEvents; //!< of Destroy(), in the order of scheduling
    std::thread::id m_mainThread;       //!< that of Run()
    std::mutex m_mutex;                 //!< of m_remote
    std::vector<Remote> m_remote;       //!< of other threads
};

} // namespace ns3

#endif /* FABRIC_SIMULATOR_IMPL_H */
