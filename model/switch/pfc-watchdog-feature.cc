// SPDX-License-Identifier: GPL-2.0-only
#include "pfc-watchdog-feature.h"

#include "fabric-switch.h"

#include "ns3/attribute-range.h"
#include "ns3/boolean.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-net-device.h"
#include "ns3/fabric-time.h"
#include "ns3/log.h"

#include <string>

namespace ns3
{

LogComponent PfcWatchdogFeature::g_log("PfcWatchdogFeature", __FILE__);

NS_OBJECT_ENSURE_REGISTERED(PfcWatchdogFeature);

TypeId
PfcWatchdogFeature::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::PfcWatchdogFeature")
            .SetParent<SwitchFeature>()
            .SetGroupName("Dcfabric")
            .AddConstructor<PfcWatchdogFeature>()
            .AddAttribute("DetectionTime",
                          "Time that packets of a class wait, paused without a break, until "
                          "this counts as a storm.",
                          TimeValue(MilliSeconds(200)),
                          MakeTimeAccessor(&PfcWatchdogFeature::m_detectionTime),
                          MakeTimeChecker(TimeStep(1), AttributeRange::GetMaxTime()))
            .AddAttribute("RestorationTime",
                          "Time without a pause until a storm is over.",
                          TimeValue(MilliSeconds(400)),
                          MakeTimeAccessor(&PfcWatchdogFeature::m_restorationTime),
                          MakeTimeChecker(TimeStep(1), AttributeRange::GetMaxTime()))
            .AddAttribute("Forward",
                          "In a storm, send packets in spite of pauses instead of dropping them.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&PfcWatchdogFeature::m_forward),
                          MakeBooleanChecker())
            .AddTraceSource("Storm",
                            "A storm of pauses has been detected, or is over.",
                            MakeTraceSourceAccessor(&PfcWatchdogFeature::m_trace),
                            "ns3::PfcWatchdogFeature::StormTracedCallback");
    return tid;
}

PfcWatchdogFeature::PfcWatchdogFeature() = default;

PfcWatchdogFeature::~PfcWatchdogFeature() = default;

uint32_t
PfcWatchdogFeature::GetHooks() const
{
    return FILTER | PEER_PAUSE;
}

const char*
PfcWatchdogFeature::GetClash() const
{
    return " and would watch the same queues twice";
}

SwitchFeature::Effects
PfcWatchdogFeature::GetEffects() const
{
    Effects effects;
    effects.drops = !m_forward;
    return effects;
}

SwitchFeature::Counters
PfcWatchdogFeature::GetCounters() const
{
    return {{"pfc_storms", m_storms},
            {"pfc_storms_over", m_restored},
            {"pfc_watchdog_drops", m_dropped}};
}

void
PfcWatchdogFeature::Attach(FabricSwitch* sw, uint32_t number)
{
    NS_LOG_FUNCTION(this << sw << number);
    SwitchFeature::Attach(sw, number);
    for (uint16_t p = 0; p < sw->GetNPorts(); ++p)
    {
        const LinkFlowControl* flowControl = sw->GetPort(p)->GetFlowControl();
        if (!flowControl || !flowControl->CanStorm())
        {
            throw FabricError(
                FabricTerm::Class(GetInstanceTypeId()),
                " watches for pauses, which " +
                    (flowControl
                         ? FabricTerm::Class(flowControl->GetInstanceTypeId()) + " does not send"
                         : FabricText("a network without flow control does not have")),
                {FabricRemedy::Use(FabricTerm::Class("ns3::PriorityFlowControl")),
                 FabricRemedy::Do("leave out " + FabricTerm::Class(GetInstanceTypeId()))});
        }
    }
    m_queues.assign(std::size_t{sw->GetNPorts()} * N_CLASSES,
                    {FabricTime::NEVER, FabricTime::NEVER, false});
}

bool
PfcWatchdogFeature::HasPackets(const FabricNetDevice& port, uint8_t priority) const
{
    return port.GetQueue().GetClassBytes(priority) > 0 ||
           port.GetQueue().GetWaitingBytes(priority) > 0;
}

void
PfcWatchdogFeature::Watch(const FabricNetDevice& port, uint8_t priority)
{
    Queue& queue = m_queues[port.GetPort() * N_CLASSES + priority];
    const bool isPaused = (port.GetForbiddenClasses() >> priority & 1) != 0;
    if (isPaused && !queue.storm && queue.stalledPs == FabricTime::NEVER && port.IsLinkUp())
    {
        queue.stalledPs = m_switch->GetNowPs();
        m_switch->ArmTimer(m_number, queue.stalledPs + FabricTime::ToPs(m_detectionTime));
    }
}

DropReason
PfcWatchdogFeature::OnFilter(const FabricNetDevice& egress, const FabricPacketItem& item)
{
    const uint8_t priority = item.GetPriority();
    if (!IsStorm(egress.GetPort(), priority))
    {
        Watch(egress, priority);
        return DropReason::NONE;
    }
    if (m_forward)
    {
        return DropReason::NONE;
    }
    ++m_dropped;
    return DropReason::PAUSED_TOO_LONG;
}

void
PfcWatchdogFeature::OnPeerPause(FabricNetDevice& egress, uint8_t classes)
{
    for (uint8_t c = 0; c < N_CLASSES; ++c)
    {
        Queue& queue = m_queues[egress.GetPort() * N_CLASSES + c];
        if (((classes >> c) & 1) == 0)
        {
            queue.stalledPs = FabricTime::NEVER;
            if (queue.storm && queue.quietPs == FabricTime::NEVER)
            {
                queue.quietPs = m_switch->GetNowPs();
                m_switch->ArmTimer(m_number, queue.quietPs + FabricTime::ToPs(m_restorationTime));
            }
            continue;
        }
        queue.quietPs = FabricTime::NEVER;
        if (HasPackets(egress, c))
        {
            Watch(egress, c);
        }
    }
}

void
PfcWatchdogFeature::OnLinkChange(FabricNetDevice& port)
{
    NS_LOG_FUNCTION(this << port.GetPort());
    for (uint8_t c = 0; c < N_CLASSES; ++c)
    {
        if (!port.IsLinkUp())
        {
            m_queues[port.GetPort() * N_CLASSES + c].stalledPs = FabricTime::NEVER;
        }
        else if (HasPackets(port, c))
        {
            Watch(port, c);
        }
    }
}

void
PfcWatchdogFeature::OnTimer(int64_t nowPs)
{
    for (uint16_t p = 0; p < m_switch->GetNPorts(); ++p)
    {
        FabricNetDevice& port = *m_switch->GetPort(p);
        for (uint8_t c = 0; c < N_CLASSES; ++c)
        {
            Queue& queue = m_queues[p * N_CLASSES + c];
            if (queue.stalledPs != FabricTime::NEVER &&
                nowPs - queue.stalledPs >= FabricTime::ToPs(m_detectionTime))
            {
                queue.stalledPs = FabricTime::NEVER;
                if (HasPackets(port, c))
                {
                    Begin(port, c);
                }
            }
            if (queue.quietPs != FabricTime::NEVER &&
                nowPs - queue.quietPs >= FabricTime::ToPs(m_restorationTime))
            {
                queue.quietPs = FabricTime::NEVER;
                End(port, c);
            }
        }
    }
}

void
PfcWatchdogFeature::Begin(FabricNetDevice& port, uint8_t priority)
{
    NS_LOG_FUNCTION(this << port.GetPort() << +priority);
    NS_LOG_INFO(port << ": class " << +priority << " is in a storm of pauses");
    m_queues[port.GetPort() * N_CLASSES + priority].storm = true;
    ++m_storms;
    m_trace(port.GetPort(), priority, true);
    if (m_forward)
    {
        Force(port);
        return;
    }
    m_dropped += m_switch->DropWaiting(port,
                                       DropReason::PAUSED_TOO_LONG,
                                       static_cast<uint8_t>(1U << priority));
}

void
PfcWatchdogFeature::End(FabricNetDevice& port, uint8_t priority)
{
    NS_LOG_FUNCTION(this << port.GetPort() << +priority);
    NS_LOG_INFO(port << ": class " << +priority << " is restored");
    m_queues[port.GetPort() * N_CLASSES + priority].storm = false;
    ++m_restored;
    m_trace(port.GetPort(), priority, false);
    if (m_forward)
    {
        Force(port);
    }
}

void
PfcWatchdogFeature::Force(FabricNetDevice& port) const
{
    uint8_t classes = 0;
    for (uint8_t c = 0; c < N_CLASSES; ++c)
    {
        classes |= IsStorm(port.GetPort(), c) ? 1U << c : 0;
    }
    port.SetForcedClasses(classes);
}

} // namespace ns3
