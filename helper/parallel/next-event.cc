// SPDX-License-Identifier: GPL-2.0-only
#include "next-event.h"

#include "ns3/fabric-engine.h"
#include "ns3/fabric-time.h"
#include "ns3/global-value.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/scheduler.h"
#include "ns3/simulator-impl.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/type-id.h"

namespace ns3
{

namespace
{

/// A list of events that can be asked for its first one.
class WatchedScheduler : public Scheduler
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::WatchedScheduler")
                                .SetParent<Scheduler>()
                                .SetGroupName("Dcfabric")
                                .AddConstructor<WatchedScheduler>()
                                .HideFromDocumentation();
        return tid;
    }

    WatchedScheduler()
    {
        TypeIdValue type;
        GlobalValue::GetValueByName("SchedulerType", type);
        ObjectFactory factory;
        factory.SetTypeId(type.Get());
        m_events = factory.Create<Scheduler>();
        g_watched = this;
    }

    ~WatchedScheduler() override
    {
        g_watched = g_watched == this ? nullptr : g_watched;
    }

    void Insert(const Event& event) override
    {
        m_events->Insert(event);
    }

    bool IsEmpty() const override
    {
        return m_events->IsEmpty();
    }

    Event PeekNext() const override
    {
        return m_events->PeekNext();
    }

    Event RemoveNext() override
    {
        return m_events->RemoveNext();
    }

    void Remove(const Event& event) override
    {
        m_events->Remove(event);
    }

    /// @return that of the simulator; null before NextEvent::Watch()
    static const WatchedScheduler* Get()
    {
        return g_watched;
    }

  private:
    Ptr<Scheduler> m_events;                                  //!< where they are
    inline static const WatchedScheduler* g_watched{nullptr}; //!< see Get()
};

/// @return the simulator's engine, if it can be asked
const FabricEngine*
FindEngine()
{
    return dynamic_cast<const FabricEngine*>(PeekPointer(Simulator::GetImplementation()));
}

} // namespace

void
NextEvent::Watch()
{
    if (!FindEngine())
    {
        ObjectFactory factory;
        factory.SetTypeId(WatchedScheduler::GetTypeId());
        Simulator::SetScheduler(factory);
    }
}

int64_t
NextEvent::GetPs()
{
    int64_t tick = FabricEngine::NO_TICK;
    if (const FabricEngine* engine = FindEngine())
    {
        tick = engine->GetNextTick();
    }
    else if (const WatchedScheduler& events = *WatchedScheduler::Get(); !events.IsEmpty())
    {
        tick = static_cast<int64_t>(events.PeekNext().key.m_ts);
    }
    return tick == FabricEngine::NO_TICK ? FabricTime::NEVER : FabricTime::ToPs(TimeStep(tick));
}

} // namespace ns3
