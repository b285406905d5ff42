// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-actor.h"

#include "fabric-net-device.h"
#include "fabric-time.h"

#include "ns3/event-impl.h"
#include "ns3/node.h"
#include "ns3/simulator.h"

#include <limits>

namespace ns3
{

namespace
{

/**
 * @brief Start loading memory that will be read when the node's next event comes; all other nodes
 * run before.
 * @tparam N number of cache lines
 * @param address the first byte; null for nothing
 */
template <int N>
void
PrefetchLines(const void* address)
{
#if defined(__GNUC__)
    for (int line = 0; line < N; ++line)
    {
        __builtin_prefetch(static_cast<const char*>(address) + 64 * line);
    }
#endif
}

} // namespace

NS_OBJECT_ENSURE_REGISTERED(FabricActor);

class FabricActor::DrainEvent final : public EventImpl
{
  public:
    /// @param actor whose calendar to drain
    explicit DrainEvent(FabricActor* actor)
        : m_actor(actor)
    {
    }

    /// The actor goes away: fire into the void.
    void Detach()
    {
        m_actor = nullptr;
    }

  private:
    void Notify() override
    {
        if (m_actor)
        {
            m_actor->Drain();
        }
    }

    FabricActor* m_actor; //!< whose calendar to drain
};

TypeId
FabricActor::GetTypeId()
{
    static TypeId tid = TypeId("ns3::FabricActor").SetParent<Object>().SetGroupName("Dcfabric");
    return tid;
}

FabricActor::FabricActor()
    : m_event(new DrainEvent(this), false)
{
}

FabricActor::~FabricActor()
{
    static_cast<DrainEvent*>(PeekPointer(m_event))->Detach();
}

void
FabricActor::Attach(Ptr<Node> node, uint32_t address)
{
    node->AggregateObject(this);
    m_node = PeekPointer(node);
    m_context = node->GetId();
    m_address = address;
}

uint16_t
FabricActor::AddPort(Ptr<FabricNetDevice> device)
{
    const auto port = static_cast<uint16_t>(m_ports.size());
    m_ports.push_back(PeekPointer(device));
    m_node->AddDevice(device);
    device->AttachTo(this, port);
    return port;
}

Ptr<Node>
FabricActor::GetNode() const
{
    return m_node;
}

int64_t
FabricActor::SimulatorNowPs()
{
    return FabricTime::ToPs(Simulator::Now());
}

void
FabricActor::Drain()
{
    const int64_t nowPs = SimulatorNowPs();
    m_armed.pop_back();
    m_draining = true;
    while (!m_calendar.IsEmpty() && m_calendar.Top().timePs <= nowPs)
    {
        const NodeCalendar::Entry entry = m_calendar.Pop();
        m_nowPs = entry.timePs;
        switch (entry.GetKind())
        {
        case CalendarKind::TRANSMIT:
            m_ports[entry.GetId()]->HandleTransmit(entry.timePs);
            break;
        case CalendarKind::ARRIVAL:
            m_ports[entry.GetId()]->HandleArrival();
            break;
        case CalendarKind::PORT:
            m_ports[entry.GetId()]->HandleTimer();
            break;
        case CalendarKind::TIMER:
            HandleTimer(entry.GetId());
            break;
        }
    }
    m_draining = false;
    if (!m_calendar.IsEmpty())
    {
        const NodeCalendar::Entry& next = m_calendar.Top();
        ArmEvent(next.timePs);
        PrefetchLines<2>(next.hint);
        if (next.GetKind() != CalendarKind::TIMER)
        {
            PrefetchLines<4>(m_ports[next.GetId()]);
        }
    }
}

void
FabricActor::ArmEvent(int64_t timePs)
{
    const int64_t tick = FabricTime::ToTicks(timePs);
    if (!m_armed.empty() && m_armed.back() <= tick)
    {
        return;
    }
    m_armed.push_back(tick);
    m_event->Ref(); // the simulator gives one reference up after each run of the event
    Simulator::ScheduleWithContext(m_context,
                                   TimeStep(tick) - Simulator::Now(),
                                   PeekPointer(m_event));
}

Ptr<FabricPacketItem>
FabricActor::Pull(FabricNetDevice& /* port */)
{
    return nullptr;
}

int64_t
FabricActor::GetPullTimePs(FabricNetDevice& /* port */)
{
    return std::numeric_limits<int64_t>::max();
}

void
FabricActor::OnTransmit(FabricNetDevice& /* port */, FabricPacketItem& /* item */)
{
}

void
FabricActor::OnQueueDrop(FabricNetDevice& /* port */, FabricPacketItem& /* item */)
{
}

uint64_t
FabricActor::GetNHeldPackets() const
{
    return 0;
}

void
FabricActor::HandleTimer(uint32_t /* id */)
{
}

void
FabricActor::DoInitialize()
{
    Object::DoInitialize();
}

void
FabricActor::DoDispose()
{
    m_ports.clear();
    m_node = nullptr;
    Object::DoDispose();
}

} // namespace ns3
