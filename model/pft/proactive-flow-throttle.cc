// SPDX-License-Identifier: GPL-2.0-only
#include "proactive-flow-throttle.h"

#include "ns3/callback.h"
#include "ns3/credit-flow-control.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-net-device.h"
#include "ns3/log.h"
#include "ns3/object-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <string>

namespace ns3
{

LogComponent ProactiveFlowThrottle::g_log("ProactiveFlowThrottle", __FILE__);

NS_OBJECT_ENSURE_REGISTERED(ProactiveFlowThrottle);

namespace
{

/// @return an object of a class that an attribute names
template <typename T>
Ptr<T>
CreatePart(const char* attribute, TypeId type)
{
    if (!type.IsChildOf(T::GetTypeId()) || !type.HasConstructor())
    {
        throw FabricError(FabricTerm::Attribute("ns3::ProactiveFlowThrottle", attribute) + ": " +
                          FabricTerm::Class(type) + " is no class of " +
                          FabricTerm::Class(T::GetTypeId()));
    }
    ObjectFactory factory;
    factory.SetTypeId(type);
    return factory.Create<T>();
}

/// @return the credits of a port, for a whole class
CreditFlowControl&
FindCredits(const FabricNetDevice& port)
{
    LinkFlowControl* flowControl = port.GetFlowControl();
    auto* credits = dynamic_cast<CreditFlowControl*>(flowControl);
    if (!credits || credits->GetPeerRoom())
    {
        throw FabricError(
            FabricTerm::Class("ns3::ProactiveFlowThrottle"),
            " reads the credits that a class uses on the link of a host, but " +
                (!flowControl
                     ? "there is " + FabricTerm::None("ns3::LinkFlowControl", "flow control")
                     : FabricTerm::Class(flowControl->GetInstanceTypeId()) + " has " +
                           (credits ? "credits for each virtual queue instead" : "none")),
            {FabricRemedy::Use(FabricTerm::Class("ns3::CreditFlowControl")),
             FabricRemedy::Use("no throttle")});
    }
    return *credits;
}

} // namespace

std::vector<PolicyDefault>
ProactiveFlowThrottle::ListDefaults(const PolicyNetwork& /* network */) const
{
    // 2048 units of 64 bytes: its thresholds have to be within reach
    return {{"ns3::CreditFlowControl", "BufferBytes", "131072"}};
}

TypeId
ProactiveFlowThrottle::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ProactiveFlowThrottle")
            .SetParent<InjectionThrottle>()
            .SetGroupName("Dcfabric")
            .AddConstructor<ProactiveFlowThrottle>()
            .AddAttribute("Detector",
                          "What says whether the network is congested: "
                          "ns3::AverageThresholdDetector (AT) or ns3::FixedThresholdDetector (FT).",
                          TypeIdValue(AverageThresholdDetector::GetTypeId()),
                          MakeTypeIdAccessor(&ProactiveFlowThrottle::m_detectorType),
                          MakeTypeIdChecker())
            .AddAttribute("Spacer",
                          "What spaces flits while it is: ns3::RandomIntervalSpacer (RI) or "
                          "ns3::FixedIntervalSpacer (FI).",
                          TypeIdValue(RandomIntervalSpacer::GetTypeId()),
                          MakeTypeIdAccessor(&ProactiveFlowThrottle::m_spacerType),
                          MakeTypeIdChecker())
            .AddAttribute("Clock",
                          "Frequency of the NIC's clock in Hz.",
                          UintegerValue(700000000),
                          MakeUintegerAccessor(&ProactiveFlowThrottle::m_hertz),
                          MakeUintegerChecker<uint64_t>(1000, 1000000000000))
            .AddAttribute("FlitBytes",
                          "Bytes of a flit; 0: what the line carries in a cycle, rounded up (18 at "
                          "100 Gb/s and 700 MHz).",
                          UintegerValue(0),
                          MakeUintegerAccessor(&ProactiveFlowThrottle::m_flitBytes),
                          MakeUintegerChecker<uint64_t>(0, 65535));
    return tid;
}

ProactiveFlowThrottle::ProactiveFlowThrottle() = default;

void
ProactiveFlowThrottle::Attach(FabricNetDevice& port, uint8_t dataClass)
{
    NS_LOG_FUNCTION(this << port.GetPort() << +dataClass);
    m_credits = &FindCredits(port);
    const CreditFlowControl& peer = FindCredits(*port.GetLink().GetPeer());
    InjectionThrottle::Attach(port, dataClass);
    m_dataClass = dataClass;
    m_detector = CreatePart<ThrottleDetector>("Detector", m_detectorType);
    m_spacer = CreatePart<FlitSpacer>("Spacer", m_spacerType);
    m_detector->Check(peer.GetBufferUnits());
    m_clock = CycleClock(m_hertz);
    m_credits->TraceConnectWithoutContext(
        "UsedCredits",
        MakeCallback(&ProactiveFlowThrottle::OnUsedCredits, this));
}

int64_t
ProactiveFlowThrottle::AssignStreams(int64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    return m_spacer->AssignStreams(stream);
}

void
ProactiveFlowThrottle::MeasureFlits()
{
    constexpr uint64_t BITS = 8;
    if (m_port->GetRateBps() == m_rateBps)
    {
        return;
    }
    m_rateBps = m_port->GetRateBps();
    const uint64_t bitsOfCycle = BITS * m_hertz; // a second's cycles of a byte
    m_bytesOfFlit = m_flitBytes > 0 ? m_flitBytes : (m_rateBps + bitsOfCycle - 1) / bitsOfCycle;
    m_spacer->SetFlitCycles(std::max<uint64_t>(1, m_bytesOfFlit * bitsOfCycle / m_rateBps));
}

void
ProactiveFlowThrottle::CountCycles(int64_t nowPs)
{
    const uint64_t cycle = m_clock.ToCycle(nowPs);
    while (m_cycle < cycle)
    {
        const uint64_t cycles = cycle - m_cycle;
        const uint64_t change = m_detector->GetCyclesToChange(m_used);
        // up to a change, then the cycle of the change by itself; where no flit waits none matters
        const uint64_t step =
            m_spacer->IsAtRest() || cycles < change ? cycles : std::max<uint64_t>(1, change - 1);
        const uint64_t entries = m_detector->GetNEntries();
        m_detector->AdvanceCycles(step, m_used);
        if (m_detector->IsCongested())
        {
            m_spacer->PassSpaced(step, m_used);
        }
        else
        {
            m_spacer->PassFreely(step);
        }
        m_cycle += step;
        if (step >= change)
        {
            NS_LOG_INFO(*m_port << ": " << (m_detector->IsCongested() ? "congested" : "normal")
                                << " with " << m_used << " used credits, by cycle " << m_cycle
                                << (m_detector->GetNEntries() > entries + 1 ? ", to and fro" : ""));
        }
    }
}

int64_t
ProactiveFlowThrottle::GetReadyPs(int64_t nowPs)
{
    CountCycles(nowPs);
    m_wanted = true;
    m_spacer->Want();
    const uint64_t cycles =
        m_detector->IsCongested()
            ? std::min(m_spacer->GetCyclesToOpen(m_used), m_detector->GetCyclesToChange(m_used))
            : 0;
    if (m_blocked != (cycles == CycleClock::NEVER))
    {
        // what frees it may be credits that the peer keeps until they are worth a frame, or lost
        m_blocked = !m_blocked;
        m_credits->SetAwaited(m_dataClass, m_blocked);
    }
    if (cycles == 0)
    {
        m_readyPs = std::min(m_readyPs, nowPs);
        return nowPs;
    }
    m_readyPs = cycles == CycleClock::NEVER ? FabricTime::NEVER : m_clock.ToPs(m_cycle + cycles);
    return m_readyPs;
}

void
ProactiveFlowThrottle::OnInject(const FabricPacketItem& item, int64_t nowPs)
{
    CountCycles(nowPs);
    MeasureFlits();
    m_delayedPackets += m_readyPs > m_port->GetLink().GetLastEndPs() ? 1 : 0;
    m_wanted = false;
    m_readyPs = 0;
    m_spacer->Begin((item.size + m_bytesOfFlit - 1) / m_bytesOfFlit);
}

void
ProactiveFlowThrottle::OnUsedCredits(Ptr<const FabricNetDevice> /* port */,
                                     uint8_t priority,
                                     uint32_t units)
{
    if (((m_classes >> priority) & 1) == 0 || units == m_used || !m_port)
    {
        return;
    }
    const int64_t nowPs = m_port->GetNowPs();
    CountCycles(nowPs);
    m_used = units;
    if (m_wanted && m_readyPs > nowPs)
    {
        m_port->ScheduleWake(std::max(GetReadyPs(nowPs), m_port->GetBusyUntilPs()));
    }
}

InjectionThrottle::Counters
ProactiveFlowThrottle::GetCounters(int64_t nowPs)
{
    uint64_t congestedNs = 0;
    uint64_t entries = 0;
    if (m_port)
    {
        CountCycles(nowPs);
        congestedNs = static_cast<uint64_t>(m_clock.ToPs(m_detector->GetNCongestedCycles())) / 1000;
        entries = m_detector->GetNEntries();
    }
    return {{"pft_entries", entries},
            {"pft_congested_ns", congestedNs},
            {"pft_delayed_packets", m_delayedPackets}};
}

void
ProactiveFlowThrottle::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_credits = nullptr;
    m_detector = nullptr;
    m_spacer = nullptr;
    InjectionThrottle::DoDispose();
}

} // namespace ns3
