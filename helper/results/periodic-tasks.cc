// SPDX-License-Identifier: GPL-2.0-only
#include "periodic-tasks.h"

#include "ns3/fabric-time.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{

void
PeriodicTasks::Add(int64_t firstPs, Task task)
{
    m_entries.push_back({firstPs, std::move(task)});
}

void
PeriodicTasks::Arm()
{
    int64_t nextPs = FabricTime::NEVER;
    for (const auto& entry : m_entries)
    {
        nextPs = std::min(nextPs, entry.nextPs);
    }
    if (nextPs != FabricTime::NEVER)
    {
        Simulator::Schedule(FabricTime::FromPs(nextPs) - Simulator::Now(),
                            &PeriodicTasks::Tick,
                            this);
    }
}

void
PeriodicTasks::Tick()
{
    ++m_nEvents;
    const int64_t nowPs = FabricTime::ToPs(Simulator::Now());
    for (auto& entry : m_entries)
    {
        if (entry.nextPs <= nowPs)
        {
            entry.nextPs = entry.task(nowPs);
        }
    }
    // Stopped, or no event of anybody else is left.
    if (!Simulator::IsFinished())
    {
        Arm();
    }
}

} // namespace ns3
