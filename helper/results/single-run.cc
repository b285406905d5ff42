// SPDX-License-Identifier: GPL-2.0-only
#include "single-run.h"

#include "ns3/fabric-time.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{

SingleRun::SingleRun(const FlowRecorder& recorder, int64_t stopPs)
    : m_recorder(recorder),
      m_stopPs(stopPs)
{
    m_tasks.EndWithOthers();
}

void
SingleRun::Add(Task task, Idle idle, int64_t firstPs)
{
    if (idle == Idle::KEEP)
    {
        m_tasks.AddBefore(firstPs, std::move(task));
        return;
    }
    m_tasks.AddBefore(firstPs, [this, task = std::move(task)](int64_t nowPs) {
        const int64_t nextPs = task(nowPs);
        // where nobody sends, nothing happens: a start may be hours away
        const int64_t startPs = m_recorder.GetProgress().IsActive(nowPs)
                                    ? FabricTime::NEVER
                                    : m_recorder.GetStarter().GetNextStartPs(nowPs);
        return startPs == FabricTime::NEVER ? nextPs : std::max(nextPs, startPs);
    });
}

void
SingleRun::AddDisplay(Task task)
{
    m_tasks.Add(0, std::move(task));
}

void
SingleRun::Run()
{
    if (m_stopPs != FabricTime::NEVER)
    {
        m_tasks.AddBefore(m_stopPs, [this](int64_t nowPs) {
            m_stopped = true;
            m_late.RequestAt(nowPs);
            return FabricTime::NEVER;
        });
    }
    m_tasks.Start();
    Simulator::Run();
}

} // namespace ns3
