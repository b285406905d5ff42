// SPDX-License-Identifier: GPL-2.0-only
#include "host-link.h"

#include "fabric-nic.h"

#include "ns3/attribute-range.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-net-device.h"
#include "ns3/fabric-time.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ns3
{

LogComponent HostLink::g_log("HostLink", __FILE__);

NS_OBJECT_ENSURE_REGISTERED(HostLink);

TypeId
HostLink::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::HostLink")
            .SetParent<Object>()
            .SetGroupName("Dcfabric")
            .AddConstructor<HostLink>()
            .AddAttribute("Rate",
                          "Rate at which the host takes frames of data from its NIC; 0: any.",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&HostLink::m_rate),
                          MakeRateChecker(0))
            .AddAttribute("Latency",
                          "Time from when a packet has passed until the host has it and the NIC "
                          "its memory back.",
                          TimeValue(Seconds(0)),
                          MakeTimeAccessor(&HostLink::m_latency),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute("BufferBytes",
                          "Memory of the NIC for frames of data that the host has not taken yet; "
                          "0: no limit.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&HostLink::m_bufferBytes),
                          MakeUintegerChecker<uint64_t>(0, AttributeRange::MAX_BYTES));
    return tid;
}

HostLink::HostLink() = default;

HostLink::~HostLink() = default;

bool
HostLink::IsUsed() const
{
    return m_rate.GetBitRate() > 0 || !m_latency.IsZero();
}

void
HostLink::Attach(FabricNic& nic, uint32_t maxFrame)
{
    NS_LOG_FUNCTION(this << maxFrame);
    m_nic = &nic;
    uint64_t headroom = 0;
    for (uint16_t p = 0; p < nic.GetNPorts(); ++p)
    {
        const FabricNetDevice& port = *nic.GetPort(p);
        if (port.GetFlowControl() && !port.DoesFlowControlCount())
        {
            headroom += port.GetFlowControl()->GetHeadroomBytes(maxFrame);
        }
    }
    m_pauses = headroom > 0 && m_bufferBytes > 0;
    if (!m_pauses)
    {
        return;
    }
    const uint64_t least = headroom + 2 * uint64_t{maxFrame};
    if (m_bufferBytes < least)
    {
        throw FabricError(
            FabricTerm::Attribute("ns3::HostLink", "BufferBytes"),
            ": " + std::to_string(m_bufferBytes) + " bytes are less than the " +
                std::to_string(least) + " bytes of the headroom of the NIC's links and two packets",
            {FabricRemedy::Do("set a larger one"),
             FabricRemedy::Use("shorter links"),
             FabricRemedy::Use(FabricTerm::None("ns3::LinkFlowControl", "flow control"))});
    }
    m_xoffBytes = m_bufferBytes - headroom;
    m_xonBytes = m_xoffBytes - maxFrame;
}

void
HostLink::OnData(FabricNetDevice& port, Ptr<FabricPacketItem> item)
{
    const int64_t nowPs = m_nic->GetNowPs();
    const uint64_t bytes = m_bytes + item->size;
    if (m_bufferBytes > 0 && bytes > m_bufferBytes && !port.DoesFlowControlCount())
    {
        m_nic->Drop(*item,
                    m_pauses ? DropReason::HEADROOM_EXHAUSTED : DropReason::BUFFER_FULL,
                    &port);
        return;
    }
    m_bytes = bytes;
    m_maxBytes = std::max(m_maxBytes, m_bytes);
    const uint64_t rateBps = m_rate.GetBitRate();
    const int64_t passPs =
        rateBps == 0 ? 0 : static_cast<int64_t>(item->size * 8e12 / static_cast<double>(rateBps));
    m_freePs = std::max(m_freePs, nowPs) + passPs;
    const int64_t donePs = m_freePs + FabricTime::ToPs(m_latency);
    m_packets.push_back({std::move(item), &port, nowPs, donePs});
    if (m_packets.size() == 1)
    {
        m_nic->Arm(donePs, CalendarKind::TIMER, TIMER);
    }
    if (m_pauses && !m_paused && m_bytes > m_xoffBytes)
    {
        SetPaused(true);
    }
}

void
HostLink::OnTimer(int64_t nowPs)
{
    while (!m_packets.empty() && m_packets.front().donePs <= nowPs)
    {
        Waiting packet = std::move(m_packets.front());
        m_packets.pop_front();
        m_bytes -= packet.item->size;
        if (packet.port->DoesFlowControlCount())
        {
            packet.port->GetFlowControl()->OnBufferReleased(*packet.item, packet.item->size);
        }
        m_nic->TakeData(std::move(packet.item), packet.arrivedPs);
    }
    if (m_paused && m_bytes <= m_xonBytes)
    {
        SetPaused(false);
    }
    if (!m_packets.empty())
    {
        m_nic->Arm(m_packets.front().donePs, CalendarKind::TIMER, TIMER);
    }
}

void
HostLink::SetPaused(bool paused)
{
    NS_LOG_INFO(*m_nic << ": " << (paused ? "pauses" : "resumes") << " its ports with " << m_bytes
                       << " bytes for the host");
    m_paused = paused;
    for (uint16_t p = 0; p < m_nic->GetNPorts(); ++p)
    {
        LinkFlowControl* flowControl = m_nic->GetPort(p)->GetFlowControl();
        for (uint8_t priority = 0; flowControl && priority < 8; ++priority)
        {
            if (priority != m_nic->controlClass || priority == m_nic->dataClass)
            {
                flowControl->SetCongested(priority, paused);
            }
        }
    }
}

double
HostLink::GetFill() const
{
    constexpr double USUAL_BYTES = 5e6; // as HostBacklog has it
    const double most = m_bufferBytes > 0 ? static_cast<double>(m_bufferBytes) : USUAL_BYTES;
    return std::min(1.0, static_cast<double>(m_bytes) / most);
}

void
HostLink::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_packets.clear();
    Object::DoDispose();
}

} // namespace ns3
