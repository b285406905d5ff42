// SPDX-License-Identifier: GPL-2.0-only
#include "scenario-watchdog.h"

#include "ns3/fabric-time.h"
#include "ns3/rank-world.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{

namespace
{

/// Least time without progress that counts as stuck.
constexpr int64_t MIN_PATIENCE_PS = 10000000000000;

/// The same in a deadlock.
constexpr int64_t DEADLOCK_PATIENCE_PS = 1000000000000;

/// The same in longest time-outs. If nine tries in ten fail, one flow in 850 is taken for stuck.
constexpr int64_t PATIENCE_TRIES = 64;

/// @return time without progress that counts as stuck
int64_t
ComputePatiencePs(const Fabric& fabric)
{
    int64_t patiencePs = std::max(MIN_PATIENCE_PS, 10 * fabric.GetMaxBaseRttPs());
    for (const uint32_t host : fabric.GetHosts())
    {
        const int64_t longestPs = fabric.GetNic(host)->GetSendingPdcs().GetLongestWaitPs();
        patiencePs =
            std::max(patiencePs,
                     std::min(longestPs, FabricTime::NEVER / 3 / PATIENCE_TRIES) * PATIENCE_TRIES);
    }
    return patiencePs;
}

} // namespace

ScenarioWatchdog::ScenarioWatchdog(const FlowRecorder& recorder,
                                   int64_t lastChangePs,
                                   std::function<bool()> isDeadlocked)
    : m_recorder(recorder),
      m_isDeadlocked(std::move(isDeadlocked)),
      m_patiencePs(ComputePatiencePs(*recorder.GetFabric())),
      m_lastChangePs(lastChangePs)
{
}

int64_t
ScenarioWatchdog::Look(int64_t nowPs)
{
    uint64_t progress = 0;
    // what waits for a receive that is to come waits not for ever
    const FlowSource* source = m_recorder.GetStarter().GetSource();
    bool toPost = source && source->GetNextPs() != FabricTime::NEVER;
    for (const uint32_t host : m_recorder.GetFabric()->GetHosts())
    {
        const Ptr<FabricNic> nic = m_recorder.GetFabric()->GetNic(host);
        progress += nic->GetCounters().bytesDelivered +
                    nic->GetSendingPdcs().GetTotals().ackedBytes + nic->GetCounters().protocolTaken;
        const MessageMatcher* matcher = nic->GetMessages().GetMatcher();
        toPost = toPost || (matcher && matcher->GetNToPost() > 0);
    }
    progress = RankWorld::Sum(progress);
    toPost = RankWorld::Max(toPost) != 0;
    const bool active =
        m_recorder.GetProgress().IsActive(nowPs); // all ranks ask, whatever else holds
    if (progress != m_progress || toPost || nowPs < m_lastChangePs || !active)
    {
        m_progress = progress;
        m_sincePs = nowPs;
    }
    if (nowPs - m_sincePs >= m_patiencePs)
    {
        // time-outs have followed RTTs
        m_patiencePs = RankWorld::Max(ComputePatiencePs(*m_recorder.GetFabric()));
    }
    const int64_t patiencePs =
        m_isDeadlocked() ? std::min(m_patiencePs, DEADLOCK_PATIENCE_PS) : m_patiencePs;
    if (nowPs - m_sincePs >= patiencePs)
    {
        m_barked = true;
        m_endPs = nowPs;
        Simulator::Stop();
        return FabricTime::NEVER;
    }
    return nowPs + patiencePs / 10;
}

} // namespace ns3
