// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-actor.h"

#include "drain-event.h"
#include "fabric-engine.h"
#include "fabric-net-device.h"
#include "fabric-time.h"
#include "link-retry.h"

#include "ns3/fabric-error.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/trace-source-accessor.h"

#include <algorithm>
#include <limits>
#include <string>

namespace ns3
{

// a member, because files are compiled together: NS_LOG_COMPONENT_DEFINE would clash
LogComponent FabricActor::g_log("FabricActor", __FILE__);

NS_OBJECT_ENSURE_REGISTERED(FabricActor);

TypeId
FabricActor::GetTypeId()
{
    static TypeId tid = TypeId("ns3::FabricActor")
                            .SetParent<Object>()
                            .SetGroupName("Dcfabric")
                            .AddTraceSource("Drop",
                                            "A packet was dropped, or lost on its way to here.",
                                            MakeTraceSourceAccessor(&FabricActor::m_dropTrace),
                                            "ns3::FabricActor::DropTracedCallback");
    return tid;
}

namespace
{

/**
 * @brief See that the event of a node runs at a time, whatever the engine.
 * @param armed ticks of its pending runs
 * @param event of the node
 * @param context of the event
 * @param timePs when
 */
[[gnu::noinline]] void
ArmAnyhow(std::vector<int64_t>& armed, DrainEvent& event, uint32_t context, int64_t timePs)
{
    FabricEngine* engine = FabricEngine::GetRunning();
    const int64_t tick = engine && engine->TicksArePs() ? timePs : FabricTime::ToTicks(timePs);
    if (!armed.empty() && armed.back() <= tick)
    {
        return;
    }
    armed.push_back(tick);
    event.Ref(); // the simulator gives one reference up after each run of the event
    if (engine)
    {
        engine->ScheduleDrain(tick, context, &event);
        return;
    }
    Simulator::ScheduleWithContext(context, TimeStep(tick) - Simulator::Now(), &event);
}

/// A node should have done something in its past. @throws FabricError always
[[noreturn, gnu::noinline]] void
ThrowLate(uint32_t address, int64_t timePs, int64_t nowPs)
{
    throw FabricError("node " + std::to_string(address) + " was armed for " +
                      std::to_string(timePs) + " ps, before its present, " + std::to_string(nowPs) +
                      " ps; if nodes have head starts, report it, and try " +
                      FabricTerm::Option("head-start", "off"));
}

/// @return ticks within a time in ps
int64_t
WholeTicks(int64_t ps)
{
    const int64_t ticks = FabricTime::ToTicks(ps); // rounded up
    return ticks - (FabricTime::ToPs(TimeStep(static_cast<uint64_t>(ticks))) > ps ? 1 : 0);
}

} // namespace

FabricActor::FabricActor()
    : m_event(new DrainEvent(this), false),
      m_rare(std::make_unique<Rare>())
{
}

FabricActor::~FabricActor() = default;

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

void
FabricActor::SetElsewhere()
{
    m_event->SetElsewhere();
    for (FabricNetDevice* port : m_ports)
    {
        port->SetElsewhere();
    }
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

int64_t
FabricActor::SimulatorTick()
{
    return Simulator::Now().GetTimeStep();
}

void
FabricActor::Handle(const NodeCalendar::Entry& entry)
{
    if (entry.timePs < m_nowPs)
    {
        ThrowLate(m_address, entry.timePs, m_nowPs);
    }
    m_nowPs = entry.timePs;
    switch (entry.GetKind())
    {
    case CalendarKind::LINK:
        m_ports[entry.GetId()]->GetLink().HandleChange(entry.timePs);
        break;
    case CalendarKind::CALL:
        MakeCalls();
        break;
    case CalendarKind::TRANSMIT:
        m_ports[entry.GetId()]->HandleTransmit(entry.timePs);
        break;
    case CalendarKind::ARRIVAL:
        m_ports[entry.GetId()]->HandleArrival();
        break;
    case CalendarKind::PORT:
        m_ports[entry.GetId()]->HandleTimer();
        break;
    case CalendarKind::RETRY:
        m_ports[LinkRetry::GetTimerPort(entry.GetId())]->GetRetry()->HandleTimer(
            LinkRetry::GetTimer(entry.GetId()),
            entry.timePs);
        break;
    case CalendarKind::TIMER:
        HandleTimer(entry.GetId());
        break;
    }
}

void
FabricActor::Approach(const NodeCalendar::Entry& next) const
{
    next.NameHotLines({});
    if (next.GetKind() >= CalendarKind::TRANSMIT && next.GetKind() <= CalendarKind::PORT)
    {
        m_ports[next.GetId()]->NameHotLines({});
    }
}

void
FabricActor::Drain(int64_t tick)
{
    const FabricEngine* engine = FabricEngine::GetRunning();
    const int64_t nowPs = engine && engine->TicksArePs()
                              ? tick
                              : FabricTime::ToPs(TimeStep(static_cast<uint64_t>(tick)));
    m_tick = tick;
    m_armed.pop_back();
    m_draining = true;
    const NodeCalendar::Entry* next = m_calendar.FindFirst();
    for (; next && next->timePs <= nowPs; next = m_calendar.FindFirst())
    {
        Handle(m_calendar.Pop());
    }
    m_draining = false;
    if (next)
    {
        ArmEvent(next->timePs);
        Approach(*next); // also where nobody looks further ahead
    }
}

void
FabricActor::DrainAhead(FabricEngine& engine)
{
    m_tick = engine.GetTick();
    if (m_armed.empty() || m_armed.back() != m_tick)
    {
        engine.Discount(); // the head start before led beyond it
        return;
    }
    const bool ticksArePs = engine.TicksArePs();
    const int64_t endTick = m_tick + (ticksArePs ? m_headStartPs : WholeTicks(m_headStartPs));
    m_draining = true;
    const NodeCalendar::Entry* next = m_calendar.FindFirst();
    for (; next; next = m_calendar.FindFirst())
    {
        const int64_t tick = ticksArePs ? next->timePs : FabricTime::ToTicks(next->timePs);
        if (tick != m_tick)
        {
            // asked each time: what was handled may have scheduled something
            if (tick >= std::min(endTick, engine.GetBarrierTick()))
            {
                break;
            }
            m_tick = tick;
            engine.AdvanceTo(tick);
        }
        Handle(m_calendar.Pop());
    }
    m_draining = false;
    // the simulator still has the events of these times, which come for nothing
    while (!m_armed.empty() && m_armed.back() <= m_tick)
    {
        m_armed.pop_back();
    }
    if (next)
    {
        ArmEvent(next->timePs);
    }
}

int64_t
FabricActor::FindHeadStart()
{
    int64_t leastPs = FabricTime::NEVER;
    for (const FabricNetDevice* port : m_ports)
    {
        if (port->GetLink().GetPeer())
        {
            leastPs = std::min(leastPs, port->GetLink().GetDelayPs());
        }
    }
    m_headStartPs = leastPs == FabricTime::NEVER ? 0 : leastPs;
    return leastPs;
}

void
FabricActor::ArmEvent(int64_t timePs)
{
    FabricEngine* engine = FabricEngine::GetRunning();
    if (!engine || !engine->TicksArePs() || m_armed.size() == m_armed.capacity())
    {
        ArmAnyhow(m_armed, *m_event, m_context, timePs);
        return;
    }
    // the usual case: but for the last call there is none, and nothing to be kept for its end
    if (m_armed.empty() || m_armed.back() > timePs)
    {
        m_armed.push_back(timePs);
        PeekPointer(m_event)->Ref();
        engine->ScheduleDrain(timePs, m_context, PeekPointer(m_event));
    }
}

void
FabricActor::CallAt(int64_t timePs, const Callback<void>& what)
{
    const int64_t nowPs = GetNowPs();
    if (timePs < nowPs)
    {
        throw FabricError("node " + std::to_string(m_address) + " cannot be called at " +
                          std::to_string(timePs) + " ps, before the present, " +
                          std::to_string(nowPs) + " ps");
    }
    if (timePs == nowPs && !m_draining)
    {
        what(); // before what somebody outside of the node does next, such as sending
        return;
    }
    m_rare->calls.emplace(timePs, what);
    Arm(timePs, CalendarKind::CALL, 0);
}

void
FabricActor::MakeCalls()
{
    while (!m_rare->calls.empty() && m_rare->calls.begin()->first <= m_nowPs)
    {
        const Callback<void> what = m_rare->calls.begin()->second;
        m_rare->calls.erase(m_rare->calls.begin());
        what();
    }
}

bool
FabricActor::SendForeign(FabricNetDevice& /* port */, Ptr<FabricPacketItem> /* item */)
{
    throw FabricError("node " + std::to_string(m_address) +
                      " is no host of the fabric: only hosts send packets of other protocols");
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
FabricActor::Drop(FabricPacketItem& item, DropReason reason, const FabricNetDevice* port)
{
    if (!IsOnWire(reason))
    {
        ++m_rare->drops[reason];
        OnDrop(item, reason, port);
    }
    m_dropTrace(&item, reason, port);
    NS_LOG_INFO(*this << ": loses " << item << ", " << reason
                      << (port ? " at port " + std::to_string(port->GetPort()) : "")
                      << (reason == DropReason::QUEUE_DISC ? ": " + port->GetDiscReason() : ""));
}

std::ostream&
operator<<(std::ostream& os, const FabricActor& actor)
{
    return os << actor.GetNowPs() << " ps node " << actor.GetAddress();
}

void
FabricActor::OnDrop(FabricPacketItem& /* item */,
                    DropReason /* reason */,
                    const FabricNetDevice* /* port */)
{
}

void
FabricActor::OnQueueDrop(FabricNetDevice& port, FabricPacketItem& item)
{
    Drop(item, port.GetRefusal(), &port);
}

void
FabricActor::OnQueueTrim(FabricNetDevice& /* port */,
                         FabricPacketItem& /* item */,
                         uint32_t /* bytes */)
{
}

uint16_t
FabricActor::PredictPort(const FabricPacketItem& /* item */) const
{
    return 0;
}

void
FabricActor::OnLinkChange(FabricNetDevice& /* port */)
{
}

void
FabricActor::CheckRate(uint16_t /* port */, uint64_t /* rateBps */) const
{
}

void
FabricActor::OnPeerPause(FabricNetDevice& /* port */, uint8_t /* classes */)
{
}

void
FabricActor::OnGateOpen(FabricNetDevice& /* port */)
{
}

bool
FabricActor::PassOrPark(FabricNetDevice& port, Ptr<FabricPacketItem>& item, uint32_t owner)
{
    EgressGate* gate = port.GetGate();
    return !gate || gate->PassOrPark(item, owner);
}

void
FabricActor::OnPass(FabricNetDevice& port, Ptr<FabricPacketItem> item, uint32_t /* owner */)
{
    port.Enqueue(std::move(item));
}

uint64_t
FabricActor::GetNHeldPackets() const
{
    uint64_t sum = 0;
    for (const FabricNetDevice* port : m_ports)
    {
        if (const EgressGate* gate = port->GetGate())
        {
            sum += gate->GetNParkedPackets();
        }
    }
    return sum;
}

void
FabricActor::HandleTimer(uint32_t /* id */)
{
}

void
FabricActor::NameRouteLines(const HotLines& /* lines */,
                            const FabricNetDevice& /* port */,
                            const FabricPacketItem& /* item */) const
{
}

const FabricNetDevice*
FabricActor::PredictEgress(const FabricPacketItem& /* item */) const
{
    return nullptr;
}

void
FabricActor::DoInitialize()
{
    Object::DoInitialize();
}

void
FabricActor::DoDispose()
{
    // The simulator may still hold the event, and a scheduler looks at it while it is emptied: also
    // when somebody's reference keeps this object alive.
    m_event->Detach();
    m_calendar.Clear();
    m_rare->calls.clear();
    m_ports.clear();
    m_node = nullptr;
    Object::DoDispose();
}

} // namespace ns3
