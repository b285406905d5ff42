// SPDX-License-Identifier: GPL-2.0-only
#include "port-power.h"

#include "fabric-net-device.h"

#include "ns3/callback.h"

#include <algorithm>

namespace ns3
{

PortPower::PortPower(FabricNetDevice& port, int64_t sleepAfterPs, int64_t wakePs)
    : m_port(port),
      m_sleepAfterPs(sleepAfterPs),
      m_wakePs(wakePs)
{
    m_upSincePs = port.IsLinkUp() ? port.GetNowPs() : FabricTime::NEVER;
    port.AddLinkChangeCallback(MakeCallback(&PortPower::OnLinkChange, this));
}

int64_t
PortPower::GetNapPs(int64_t nowPs) const
{
    if (m_sleepAfterPs == FabricTime::NEVER || m_upSincePs == FabricTime::NEVER)
    {
        return 0;
    }
    const int64_t idleSincePs = std::max(m_upSincePs, m_port.GetLink().GetLastEndPs());
    return std::max<int64_t>(0, nowPs - idleSincePs - m_sleepAfterPs);
}

int64_t
PortPower::OnTransmit(int64_t nowPs)
{
    const int64_t napPs = GetNapPs(nowPs);
    if (napPs == 0)
    {
        return nowPs;
    }
    m_asleepPs += napPs;
    ++m_wakes;
    return nowPs + m_wakePs;
}

int64_t
PortPower::GetUpPs(int64_t nowPs) const
{
    return m_upPs + (m_upSincePs == FabricTime::NEVER ? 0 : nowPs - m_upSincePs);
}

int64_t
PortPower::GetAsleepPs(int64_t nowPs) const
{
    return m_asleepPs + GetNapPs(nowPs);
}

void
PortPower::OnLinkChange()
{
    const int64_t nowPs = m_port.GetNowPs();
    if (m_port.IsLinkUp() == (m_upSincePs != FabricTime::NEVER))
    {
        return;
    }
    m_asleepPs = GetAsleepPs(nowPs);
    m_upPs = GetUpPs(nowPs);
    m_upSincePs = m_port.IsLinkUp() ? nowPs : FabricTime::NEVER;
}

} // namespace ns3
