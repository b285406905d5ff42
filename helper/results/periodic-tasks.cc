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
    m_entries.push_back({firstPs, std::move(task), false});
}

void
PeriodicTasks::AddBefore(int64_t firstPs, Task task)
{
    m_entries.push_back({firstPs, std::move(task), true});
}

Time
PeriodicTasks::GetTime(const Entry& entry)
{
    const Time time = FabricTime::FromPs(entry.nextPs);
    return entry.before && !time.IsZero() ? time - TimeStep(1) : time;
}

void
PeriodicTasks::Arm()
{
    Time next;
    bool wanted = false;
    for (const auto& entry : m_entries)
    {
        if (entry.nextPs != FabricTime::NEVER)
        {
            next = wanted ? std::min(next, GetTime(entry)) : GetTime(entry);
            wanted = true;
        }
    }
    if (wanted)
    {
        const Time now = Simulator::Now();
        Simulator::Schedule(std::max(next, now) - now, &PeriodicTasks::Tick, this);
    }
}

bool
PeriodicTasks::IsOver() const
{
    return m_endsWithOthers && Simulator::IsFinished();
}

void
PeriodicTasks::GoOn()
{
    // Stopped, or no event of anybody else is left.
    if (!Simulator::IsFinished())
    {
        Arm();
    }
}

void
PeriodicTasks::Tick()
{
    ++m_nEvents;
    if (IsOver())
    {
        return;
    }
    const int64_t nowPs = FabricTime::ToPs(Simulator::Now());
    bool late = false;
    for (auto& entry : m_entries)
    {
        if (entry.before)
        {
            late =
                late || (entry.nextPs != FabricTime::NEVER && GetTime(entry) <= Simulator::Now());
        }
        else if (entry.nextPs <= nowPs)
        {
            entry.nextPs = entry.task(nowPs);
        }
    }
    if (late)
    {
        // What happens in a node at this time is in the simulator's list already.
        Simulator::ScheduleNow(&PeriodicTasks::TickLate, this);
    }
    else
    {
        GoOn();
    }
}

void
PeriodicTasks::TickLate()
{
    ++m_nEvents;
    if (IsOver())
    {
        return;
    }
    for (auto& entry : m_entries)
    {
        if (entry.before && entry.nextPs != FabricTime::NEVER && GetTime(entry) <= Simulator::Now())
        {
            entry.nextPs = entry.task(entry.nextPs);
        }
    }
    GoOn();
}

} // namespace ns3
