// SPDX-License-Identifier: GPL-2.0-only
#include "sim-watchdog.h"

#include "ns3/fabric-time.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{

namespace
{

/// Time-outs double up to about a second; a packet that needs several of them is no deadlock.
constexpr int64_t MIN_PATIENCE_PS = 10000000000000;

} // namespace

SimWatchdog::SimWatchdog(const FlowRecorder& recorder, int64_t lastFaultPs)
    : m_recorder(recorder),
      m_patiencePs(std::max(MIN_PATIENCE_PS, 10 * recorder.GetFabric()->GetMaxBaseRttPs())),
      m_lastFaultPs(lastFaultPs)
{
}

int64_t
SimWatchdog::Look(int64_t nowPs)
{
    uint64_t delivered = 0;
    bool toPost = false; // what waits for a receive that is to come waits not for ever
    for (const uint32_t host : m_recorder.GetFabric()->GetHosts())
    {
        const Ptr<FabricNic> nic = m_recorder.GetFabric()->GetNic(host);
        delivered += nic->GetCounters().bytesDelivered;
        toPost = toPost || (nic->GetMatcher() && nic->GetMatcher()->GetNToPost() > 0);
    }
    if (delivered != m_delivered || toPost || nowPs < m_lastFaultPs || !m_recorder.IsActive(nowPs))
    {
        m_delivered = delivered;
        m_sincePs = nowPs;
    }
    if (nowPs - m_sincePs >= m_patiencePs)
    {
        m_barked = true;
        Simulator::Stop();
        return FabricTime::NEVER;
    }
    return nowPs + m_patiencePs / 10;
}

} // namespace ns3
