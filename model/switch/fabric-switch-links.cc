// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief What a switch does about links of its own that go down.
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
    // first what would follow into the queue
    for (const Ptr<FabricPacketItem>& item : m_buffer->TakeWaiting(number))
    {
        Drop(*item, DropReason::PORT_DOWN, &port);
    }
    for (const Ptr<FabricPacketItem>& item : port.TakeQueue())
    {
        Depart(port, *item);
        Drop(*item, DropReason::PORT_DOWN, &port);
    }
}

} // namespace ns3
