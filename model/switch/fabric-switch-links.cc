// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief What a switch does about links of its own that go down, about peers that pause it, and
 * about faults of its own.
 */
#include "fabric-switch.h"

#include "ns3/fabric-net-device.h"
#include "ns3/fabric-time.h"
#include "ns3/log.h"

namespace ns3
{

void
FabricSwitch::WatchLink(FabricNetDevice& port)
{
    const uint16_t number = port.GetPort();
    m_detectPs.resize(m_ports.size(), FabricTime::NEVER);
    if (!port.IsLinkUp())
    {
        if (m_detectPs[number] == FabricTime::NEVER)
        {
            m_detectPs[number] = GetNowPs() + FabricTime::ToPs(m_detectionTime);
            LeaveOut(port);
        }
        return;
    }
    m_detectPs[number] = FabricTime::NEVER;
    if (m_table.IsDown(number))
    {
        NS_LOG_INFO(port << ": takes part again");
        m_table.SetDown(number, false);
    }
}

void
FabricSwitch::LeaveOut(FabricNetDevice& port)
{
    const uint16_t number = port.GetPort();
    if (m_detectPs[number] == FabricTime::NEVER || m_table.IsDown(number))
    {
        return; // it came up again
    }
    if (m_detectPs[number] > GetNowPs())
    {
        Arm(m_detectPs[number], CalendarKind::TIMER, LINK_TIMERS | number);
        return;
    }
    NS_LOG_INFO(port << ": is left out");
    m_table.SetDown(number, true);
    DropWaiting(port, DropReason::PORT_DOWN);
}

uint64_t
FabricSwitch::DropWaiting(FabricNetDevice& port, DropReason reason, uint8_t classes)
{
    uint64_t dropped = 0;
    // first what would follow into the queue
    for (const Ptr<FabricPacketItem>& item : m_buffer->TakeWaiting(port.GetPort(), classes))
    {
        Drop(*item, reason, &port);
        ++dropped;
    }
    for (const Ptr<FabricPacketItem>& item : port.TakeQueue(classes))
    {
        Depart(port, *item);
        Drop(*item, reason, &port);
        ++dropped;
    }
    return dropped;
}

void
FabricSwitch::SetPower(bool on)
{
    NS_LOG_INFO(*this << (on ? ": comes back" : ": fails"));
    m_on = on;
    // what crossed a fabric of its own meanwhile is lost when the switch comes back, at the latest
    for (FabricNetDevice* port : m_ports)
    {
        DropWaiting(*port, DropReason::SWITCH_DOWN);
    }
    for (const auto& feature : m_features)
    {
        feature->OnPower();
    }
}

void
FabricSwitch::UpdateForwardingTable(ForwardingTable table)
{
    NS_LOG_INFO(*this << ": has another table");
    table.CopyDown(m_table);
    if (!m_planned)
    {
        m_planned = std::make_unique<ForwardingTable>(std::move(m_table));
        FindShortcuts();
    }
    m_table = std::move(table);
    if (m_selector)
    {
        m_selector->OnTableChange();
    }
}

void
FabricSwitch::OnPeerPause(FabricNetDevice& port, uint8_t classes)
{
    for (auto* feature : m_onPeerPause)
    {
        feature->OnPeerPause(port, classes);
    }
}

} // namespace ns3
