// SPDX-License-Identifier: GPL-2.0-only
#include "rank-run.h"

#include "ns3/fabric-time.h"
#include "ns3/next-event.h"
#include "ns3/rank-world.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{

namespace
{

/// Longest step of one process that looks for no bound, in least delays.
constexpr int64_t LONGEST_STEP = 32;

/// @return the least time in ps in which payload can reach a host
int64_t
GetLeastPs(const FabricGraph& graph, uint32_t host, uint64_t bytes)
{
    double rateBps = 0;
    for (uint32_t port = 0; port < graph.GetDegree(host); ++port)
    {
        rateBps += static_cast<double>(graph.GetLinks()[graph.GetPort(host, port).link].rateBps);
    }
    constexpr double LONG_PS = 1e18;
    return static_cast<int64_t>(std::min(LONG_PS, static_cast<double>(bytes) * 8e12 / rateBps));
}

} // namespace

RankRun::RankRun(FlowRecorder& recorder,
                 std::function<void()> flush,
                 int64_t lookAheadPs,
                 int64_t stopPs,
                 std::function<bool()> isOver)
    : m_recorder(recorder),
      m_flush(std::move(flush)),
      m_lookAheadPs(lookAheadPs),
      m_stepPs(lookAheadPs),
      m_stopPs(stopPs),
      m_isOver(std::move(isOver))
{
    const Fabric& fabric = *recorder.GetFabric();
    for (const FabricFlow& flow : recorder.GetFlows())
    {
        const int64_t leastPs = recorder.GetTable().IsAnswered(flow)
                                    ? GetLeastPs(fabric.GetGraph(), flow.dst, flow.sizeBytes)
                                    : fabric.GetNic(flow.src)->reliability->GetLingerPs();
        m_firstBoundPs = std::max(m_firstBoundPs, flow.startPs + leastPs);
    }
    for (const uint32_t host : fabric.GetHosts())
    {
        if (fabric.IsHere(host))
        {
            m_hosts.push_back(host);
        }
    }
}

RankRun::~RankRun()
{
    m_fence.Cancel();
    m_halt.Cancel();
}

void
RankRun::Add(Task task, Idle idle, int64_t firstPs)
{
    m_tasks.push_back({firstPs, std::move(task), idle});
}

void
RankRun::AddDisplay(Task task)
{
    // a step that is shorter than ranks may be apart only costs time
    Add([leastPs = m_lookAheadPs,
         task = std::move(task)](int64_t nowPs) { return std::max(task(nowPs), nowPs + leastPs); },
        Idle::SKIP,
        0);
}

int64_t
RankRun::GetBoundPs(int64_t nowPs) const
{
    if (m_recorder.GetTable().GetNEndless() > 0)
    {
        return FabricTime::NEVER;
    }
    const Fabric& fabric = *m_recorder.GetFabric();
    const FlowSource* source = m_recorder.GetStarter().GetSource();
    int64_t boundPs = std::max(m_firstBoundPs, source ? source->GetLeastEndPs() : 0);
    for (const uint32_t host : m_hosts)
    {
        const uint64_t arrived = fabric.GetNic(host)->GetCounters().bytesDelivered;
        const uint64_t known = m_recorder.GetTable().GetBytesTo(host);
        if (arrived < known)
        {
            const int64_t leastPs = GetLeastPs(fabric.GetGraph(), host, known - arrived);
            boundPs = std::max(boundPs, nowPs + leastPs);
        }
    }
    return boundPs;
}

void
RankRun::Run()
{
    // A rank that stops no longer holds the others back: it may do so only where they cannot run
    // further than it could tell them.
    m_recorder.SetStopWhenComplete(false);
    NextEvent::Watch();
    int64_t nowPs = 0;
    while (true)
    {
        const Outlook ahead = LookOut(nowPs);
        if (ahead.nextPs == FabricTime::NEVER || CallTasks(nowPs))
        {
            return;
        }
        if (nowPs == m_stopPs)
        {
            Finish(m_stopPs);
            m_stopped = true;
            return;
        }
        int64_t limitPs = m_stopPs;
        for (const Entry& entry : m_tasks)
        {
            const bool skips = entry.idle == Idle::SKIP;
            limitPs =
                std::min(limitPs, skips ? std::max(entry.nextPs, ahead.nextPs) : entry.nextPs);
        }
        if (ahead.boundPs - 1 > ahead.nextPs + m_lookAheadPs)
        {
            const int64_t toPs = std::min(ahead.boundPs - 1, limitPs);
            SetHeadStarts(true);
            RunTo(toPs);
            SetHeadStarts(false);
            nowPs = toPs;
            m_stepPs = m_lookAheadPs;
        }
        else
        {
            const int64_t toPs = std::min(ahead.nextPs + m_stepPs, limitPs);
            if (RankWorld::GetSize() == 1)
            {
                // nobody else has to be waited for, and to look for a bound takes time
                m_stepPs = std::min(2 * m_stepPs, LONGEST_STEP * m_lookAheadPs);
            }
            const bool goesFirst = !m_recorder.IsComplete();
            m_recorder.SetStopWhenComplete(true);
            goesFirst ? RunTo(toPs) : Wait();
            m_recorder.SetStopWhenComplete(false);
            std::vector<int64_t> left = {m_recorder.IsComplete() ? 0 : 1,
                                         HasCome(toPs) ? 0 : 1,
                                         m_recorder.GetProgress().GetLastEndPs()};
            RankWorld::MaxOfEach(left);
            if (left[0] == 0)
            {
                Finish(left[2]);
                return;
            }
            if (left[1] != 0)
            {
                RunTo(toPs); // those that have come so far stay
            }
            nowPs = toPs;
        }
    }
}

bool
RankRun::CallTasks(int64_t nowPs)
{
    bool called = false;
    for (Entry& entry : m_tasks)
    {
        if (entry.nextPs <= nowPs)
        {
            called = true;
            entry.nextPs = RankWorld::Min(std::max(entry.task(nowPs), nowPs + 1));
        }
    }
    return called && RankWorld::Max(m_isOver() ? 1 : 0) != 0;
}

RankRun::Outlook
RankRun::LookOut(int64_t nowPs) const
{
    std::vector<int64_t> values = {-NextEvent::GetPs(), GetBoundPs(nowPs)};
    RankWorld::MaxOfEach(values);
    return {-values[0], values[1]};
}

bool
RankRun::HasCome(int64_t timePs) const
{
    return m_fence.IsExpired() && m_halt.IsExpired() &&
           Simulator::Now() >= FabricTime::FromPs(timePs) - TimeStep(1);
}

void
RankRun::RunTo(int64_t timePs)
{
    if (m_fence.IsExpired() && m_halt.IsExpired()) // else a flow's end came before
    {
        const Time last = FabricTime::FromPs(timePs) - TimeStep(1);
        m_fence = Simulator::Schedule(last - Simulator::Now(), &RankRun::Fence, this);
    }
    Simulate();
}

void
RankRun::Wait()
{
    const EventId halt = Simulator::ScheduleNow(&RankRun::Halt, this);
    Simulate();
    Simulator::Remove(halt); // a flow's end may have come before
}

void
RankRun::Finish(int64_t timePs)
{
    m_late.RequestAt(timePs);
    Simulate();
}

void
RankRun::Simulate()
{
    m_flush(); // what is received in the coming step has to be on its way
    RankWorld::Run(m_lookAheadPs, m_flush);
}

void
RankRun::SetHeadStarts(bool on)
{
    if (m_engine)
    {
        m_engine->SetHeadStarts(on);
    }
}

void
RankRun::Fence()
{
    ++m_nEvents;
    // what happens in a node at this time is in the simulator's list already
    m_halt = Simulator::ScheduleNow(&RankRun::Halt, this);
}

void
RankRun::Halt()
{
    ++m_nEvents;
    Simulator::Stop();
}

} // namespace ns3
