// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-simulator-impl.h"

#include "ns3/abort.h"
#include "ns3/drain-event.h"
#include "ns3/make-event.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <typeinfo>
#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(FabricSimulatorImpl);

namespace
{

[[maybe_unused]] const bool g_isFabricSimulatorImplAnnounced =
    FabricEngine::Announce("SimulatorImplementationType", "ns3::FabricSimulatorImpl");

// what event identifiers mean to ns-3 (EventId), named there from 3.36 on only
constexpr uint32_t NO_UID = 0;      //!< of no event
constexpr uint32_t DESTROY_UID = 2; //!< of an event of Destroy()
constexpr uint32_t FIRST_UID = 4;   //!< of others
/// From this number on pending events are renumbered, when time advances: at one time there are
/// fewer than the 1e9 numbers above it.
constexpr uint32_t HIGH_UID = 3U << 30;

/// Gives the reference of the list to an event up, also if the event throws.
class EventHolder
{
  public:
    /// @param event whose reference is given up
    explicit EventHolder(EventImpl* event)
        : m_event(event)
    {
    }

    ~EventHolder()
    {
        m_event->Unref();
    }

    EventHolder(const EventHolder&) = delete;
    EventHolder& operator=(const EventHolder&) = delete;

  private:
    EventImpl* m_event; //!< the event
};

/// Sets a pointer, for as long as it lives.
class PointerSetter
{
  public:
    /**
     * @param pointer the pointer
     * @param value what it is to be
     */
    PointerSetter(FabricEngine*& pointer, FabricEngine* value)
        : m_pointer(pointer),
          m_former(pointer)
    {
        m_pointer = value;
    }

    ~PointerSetter()
    {
        m_pointer = m_former;
    }

    PointerSetter(const PointerSetter&) = delete;
    PointerSetter& operator=(const PointerSetter&) = delete;

  private:
    FabricEngine*& m_pointer; //!< the pointer
    FabricEngine* m_former;   //!< what it was
};

} // namespace

TypeId
FabricSimulatorImpl::GetTypeId()
{
    static TypeId tid = TypeId("ns3::FabricSimulatorImpl")
                            .SetParent<SimulatorImpl>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<FabricSimulatorImpl>();
    return tid;
}

FabricSimulatorImpl::FabricSimulatorImpl()
    : m_nextUid(FIRST_UID),
      m_currentUid(NO_UID),
      m_context(Simulator::NO_CONTEXT),
      m_mainThread(std::this_thread::get_id())
{
}

FabricSimulatorImpl::~FabricSimulatorImpl() = default;

void
FabricSimulatorImpl::DoDispose()
{
    if (m_list)
    {
        TakeRemote();
        while (!m_list->IsEmpty())
        {
            m_list->RemoveNext().impl->Unref();
        }
    }
    m_ownList = nullptr;
    m_list = nullptr;
    SimulatorImpl::DoDispose();
}

void
FabricSimulatorImpl::SetScheduler(ObjectFactory schedulerFactory)
{
    const Ptr<Scheduler> list = schedulerFactory.Create<Scheduler>();
    while (m_list && !m_list->IsEmpty())
    {
        list->Insert(m_list->RemoveNext());
    }
    m_list = list;
    m_listFactory = schedulerFactory;
    m_ownList = dynamic_cast<LookAheadScheduler*>(PeekPointer(list));
}

void
FabricSimulatorImpl::Renumber(Scheduler::Event& next)
{
    std::map<Name, uint32_t> given; // out with an EventId, by the name in the list
    for (const auto& [name, uid] : m_listUid)
    {
        given.emplace(Name{std::get<0>(name), std::get<1>(name), uid}, std::get<2>(name));
    }
    m_listUid.clear();
    m_nextUid = FIRST_UID;
    const auto renumber = [this, &given](Scheduler::Event& event) {
        const uint32_t uid = std::exchange(event.key.m_uid, m_nextUid++);
        if (typeid(*event.impl) != typeid(DrainEvent)) // nobody has an EventId of those
        {
            const auto found = given.find(Name{event.impl, event.key.m_ts, uid});
            const uint32_t known = found == given.end() ? uid : found->second;
            m_listUid.emplace(Name{event.impl, event.key.m_ts, known}, event.key.m_uid);
        }
    };
    renumber(next);
    const Ptr<Scheduler> former = std::exchange(m_list, nullptr);
    SetScheduler(m_listFactory); // one that has seen no later time
    while (!former->IsEmpty())
    {
        Scheduler::Event event = former->RemoveNext();
        renumber(event);
        m_list->Insert(event);
    }
}

void
FabricSimulatorImpl::ScheduleDrain(int64_t tick, uint32_t context, EventImpl* event)
{
    if (m_ownList)
    {
        m_ownList->InsertNewest(event, static_cast<uint64_t>(tick), m_nextUid++, context);
    }
    else
    {
        Enter(static_cast<uint64_t>(tick) - m_nowTick, context, event);
    }
}

int64_t
FabricSimulatorImpl::GetNextTick() const
{
    return m_list->IsEmpty() ? NO_TICK : static_cast<int64_t>(m_list->PeekNext().key.m_ts);
}

uint32_t
FabricSimulatorImpl::GetListUid(const EventId& id) const
{
    if (m_listUid.empty())
    {
        return id.GetUid();
    }
    const auto found = m_listUid.find(Name{id.PeekEventImpl(), id.GetTs(), id.GetUid()});
    return found == m_listUid.end() ? id.GetUid() : found->second;
}

void
FabricSimulatorImpl::Run()
{
    m_mainThread = std::this_thread::get_id();
    m_ticksArePs = Time::GetResolution() == Time::PS;
    m_stop = false;
    const PointerSetter running(g_running, this);
    TakeRemote();
    while (!m_stop)
    {
        Scheduler::Event next;
        if (m_ownList) // asked anew, because an event may set another scheduler
        {
            if (m_ownList->HasNone())
            {
                return;
            }
            next = m_ownList->TakeNext();
        }
        else
        {
            if (m_list->IsEmpty())
            {
                return;
            }
            next = m_list->RemoveNext();
        }
        if (m_nextUid >= HIGH_UID && next.key.m_ts > m_nowTick)
        {
            Renumber(next);
        }
        ++m_eventCount;
        m_nowTick = next.key.m_ts;
        m_currentUid = next.key.m_uid;
        m_context = next.key.m_context;
        {
            const EventHolder holder(next.impl);
            if (typeid(*next.impl) != typeid(DrainEvent))
            {
                PassBarrier();
                next.impl->Invoke();
            }
            else if (m_headStarts)
            {
                static_cast<DrainEvent*>(next.impl)->RunAhead(*this);
            }
            else
            {
                static_cast<DrainEvent*>(next.impl)->RunAt(static_cast<int64_t>(m_nowTick));
            }
        }
        if (m_hasRemote.load(std::memory_order_relaxed))
        {
            TakeRemote();
        }
    }
}

void
FabricSimulatorImpl::TakeRemote()
{
    std::vector<Remote> taken;
    {
        const std::lock_guard<std::mutex> lock(m_mutex);
        taken.swap(m_remote);
        m_hasRemote = false;
    }
    for (const Remote& remote : taken)
    {
        Enter(remote.delayTicks, remote.context, remote.event);
    }
}

Scheduler::EventKey
FabricSimulatorImpl::Enter(uint64_t delayTicks, uint32_t context, EventImpl* event)
{
    Scheduler::Event entry;
    entry.impl = event;
    entry.key.m_ts = m_nowTick + delayTicks;
    entry.key.m_uid = m_nextUid++;
    entry.key.m_context = context;
    m_list->Insert(entry);
    if (typeid(*event) != typeid(DrainEvent))
    {
        m_barriers.push_back(entry.key.m_ts);
        std::push_heap(m_barriers.begin(), m_barriers.end(), std::greater<>());
        FindBarrier();
    }
    return entry.key;
}

void
FabricSimulatorImpl::FindBarrier()
{
    m_barrierTick = m_barriers.empty() ? NO_TICK : static_cast<int64_t>(m_barriers.front());
}

void
FabricSimulatorImpl::PassBarrier()
{
    std::pop_heap(m_barriers.begin(), m_barriers.end(), std::greater<>());
    m_barriers.pop_back();
    FindBarrier();
}

EventId
FabricSimulatorImpl::Schedule(const Time& delay, EventImpl* event)
{
    NS_ABORT_MSG_IF(m_mainThread != std::this_thread::get_id(),
                    "another thread has to use Simulator::ScheduleWithContext()");
    NS_ABORT_MSG_IF(delay.IsStrictlyNegative(), "an event cannot be scheduled before the present");
    const Scheduler::EventKey key =
        Enter(static_cast<uint64_t>(delay.GetTimeStep()), m_context, event);
    return EventId(event, key.m_ts, key.m_context, key.m_uid);
}

void
FabricSimulatorImpl::ScheduleWithContext(uint32_t context, const Time& delay, EventImpl* event)
{
    const auto ticks = static_cast<uint64_t>(delay.GetTimeStep());
    if (m_mainThread == std::this_thread::get_id())
    {
        Enter(ticks, context, event);
        return;
    }
    const std::lock_guard<std::mutex> lock(m_mutex);
    m_remote.push_back({context, ticks, event});
    m_hasRemote = true;
}

EventId
FabricSimulatorImpl::ScheduleNow(EventImpl* event)
{
    return Schedule(TimeStep(0), event);
}

EventId
FabricSimulatorImpl::ScheduleDestroy(EventImpl* event)
{
    const EventId id(Ptr<EventImpl>(event, false), m_nowTick, Simulator::NO_CONTEXT, DESTROY_UID);
    m_destroyEvents.push_back(id);
    ++m_nextUid;
    return id;
}

void
FabricSimulatorImpl::Destroy()
{
    while (!m_destroyEvents.empty())
    {
        const Ptr<EventImpl> event = m_destroyEvents.front().PeekEventImpl();
        m_destroyEvents.pop_front();
        if (!event->IsCancelled())
        {
            event->Invoke();
        }
    }
}

std::list<EventId>::const_iterator
FabricSimulatorImpl::FindDestroyEvent(const EventId& id) const
{
    return std::find(m_destroyEvents.begin(), m_destroyEvents.end(), id);
}

void
FabricSimulatorImpl::Remove(const EventId& id)
{
    if (id.GetUid() == DESTROY_UID)
    {
        const auto found = FindDestroyEvent(id);
        if (found != m_destroyEvents.end())
        {
            m_destroyEvents.erase(found);
        }
        return;
    }
    if (IsExpired(id))
    {
        return;
    }
    Scheduler::Event entry;
    entry.impl = id.PeekEventImpl();
    entry.key.m_ts = id.GetTs();
    entry.key.m_uid = GetListUid(id);
    entry.key.m_context = id.GetContext();
    m_list->Remove(entry);
    // nobody has an EventId of a node's event; the list has looked at all of its entries as well
    m_barriers.erase(std::find(m_barriers.begin(), m_barriers.end(), id.GetTs()));
    std::make_heap(m_barriers.begin(), m_barriers.end(), std::greater<>());
    FindBarrier();
    m_listUid.erase(Name{entry.impl, id.GetTs(), id.GetUid()});
    entry.impl->Cancel();
    entry.impl->Unref(); // the reference of the list
}

void
FabricSimulatorImpl::Cancel(const EventId& id)
{
    if (!IsExpired(id))
    {
        id.PeekEventImpl()->Cancel();
    }
}

bool
FabricSimulatorImpl::IsExpired(const EventId& id) const
{
    if (!id.PeekEventImpl() || id.PeekEventImpl()->IsCancelled())
    {
        return true;
    }
    if (id.GetUid() == DESTROY_UID)
    {
        return FindDestroyEvent(id) == m_destroyEvents.end();
    }
    return id.GetTs() < m_nowTick || (id.GetTs() == m_nowTick && GetListUid(id) <= m_currentUid);
}

bool
FabricSimulatorImpl::IsFinished() const
{
    return m_stop || m_list->IsEmpty();
}

void
FabricSimulatorImpl::Stop()
{
    m_stop = true;
}

FabricSimulatorImpl::StopResult
FabricSimulatorImpl::Stop(const Time& delay)
{
    void (*stop)() = &Simulator::Stop;
    return static_cast<StopResult>(Schedule(delay, MakeEvent(stop)));
}

Time
FabricSimulatorImpl::Now() const
{
    return TimeStep(m_nowTick);
}

Time
FabricSimulatorImpl::GetDelayLeft(const EventId& id) const
{
    return TimeStep(IsExpired(id) ? 0 : id.GetTs() - m_nowTick);
}

Time
FabricSimulatorImpl::GetMaximumSimulationTime() const
{
    return TimeStep(static_cast<uint64_t>(std::numeric_limits<int64_t>::max()));
}

uint32_t
FabricSimulatorImpl::GetSystemId() const
{
    return 0;
}

uint32_t
FabricSimulatorImpl::GetContext() const
{
    return m_context;
}

uint64_t
FabricSimulatorImpl::GetEventCount() const
{
    return m_eventCount;
}

} // namespace ns3
