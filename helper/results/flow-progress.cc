// SPDX-License-Identifier: GPL-2.0-only
#include "flow-progress.h"

#include "ns3/fabric-time.h"
#include "ns3/rank-world.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{

FlowProgress::FlowProgress(FlowTable& table, FlowStarter& starter)
    : m_table(table),
      m_starter(starter)
{
    for (const uint32_t host : m_table.GetFabric()->GetHosts())
    {
        FabricMessages& messages = m_table.GetFabric()->GetNic(host)->GetMessages();
        messages.SetDeliveredCallback([this](const FabricMessageEvent& event) {
            OnTold(m_table.Find(event.src, event.tag), FlowEnd::RECEIVER, event);
        });
        messages.SetCompletedCallback(
            [this](const FabricMessageEvent& event) { OnTold(event.tag, FlowEnd::SENDER, event); });
    }
}

FlowProgress::~FlowProgress()
{
    m_closeLingering.Cancel();
    for (auto& [timePs, told] : m_told)
    {
        told.next.Cancel();
    }
    for (const uint32_t host : m_table.GetFabric()->GetHosts())
    {
        FabricMessages& messages = m_table.GetFabric()->GetNic(host)->GetMessages();
        messages.SetDeliveredCallback(nullptr);
        messages.SetCompletedCallback(nullptr);
    }
}

void
FlowProgress::OnTold(uint32_t flow, FlowEnd end, const FabricMessageEvent& event)
{
    // of an answered flow that nobody waits for, it does not matter when one learns
    if (!m_keepsOrder ||
        (m_starter.HasNoFollowers() && m_table.IsAnswered(m_table.GetFlows()[flow])))
    {
        OnEnd(flow, end, event);
        return;
    }
    ToldAt& told = m_told[FabricTime::ToPs(Simulator::Now())];
    if (told.ends.empty())
    {
        told.next = Simulator::ScheduleNow(&FlowProgress::ComeTo, this);
    }
    told.ends.push_back({flow, end, event});
}

void
FlowProgress::ComeTo()
{
    ++m_nOrderEvents;
    // of nodes that had not come so far, what happens now has been in the simulator's list since
    m_told.begin()->second.next = Simulator::ScheduleNow(&FlowProgress::TakeTold, this);
}

void
FlowProgress::TakeTold()
{
    ++m_nOrderEvents;
    const ToldAt told = std::move(m_told.begin()->second);
    m_told.erase(m_told.begin());
    for (const Told& each : told.ends)
    {
        OnEnd(each.flow, each.end, each.event);
    }
}

void
FlowProgress::OnEnd(uint32_t flow, FlowEnd end, const FabricMessageEvent& event)
{
    m_table.Complete(flow, end, event);
    m_starter.FireTriggers(flow, end);
    const FabricFlow& what = m_table.GetFlows()[flow];
    if (m_table.IsAnswered(what))
    {
        Close(1);
    }
    else if (end == FlowEnd::SENDER)
    {
        Linger(m_table.GetFabric()->GetNic(what.src)->reliability->GetLingerPs());
    }
    m_starter.TellSource(flow, end);
}

void
FlowProgress::Close(uint64_t ends)
{
    m_nClosedEnds += ends;
    m_lastEndPs = std::max(m_lastEndPs, FabricTime::ToPs(Simulator::Now()));
    StopIfComplete();
}

void
FlowProgress::Linger(int64_t lingerPs)
{
    const int64_t overPs = FabricTime::ToPs(Simulator::Now()) + lingerPs;
    const bool isNext = m_lingering.empty() || overPs < *m_lingering.begin();
    m_lingering.insert(overPs);
    if (isNext)
    {
        m_closeLingering.Cancel();
        m_closeLingering =
            Simulator::Schedule(FabricTime::FromPs(lingerPs), &FlowProgress::CloseLingering, this);
    }
}

void
FlowProgress::CloseLingering()
{
    ++m_nLingerEvents;
    const int64_t nowPs = FabricTime::ToPs(Simulator::Now());
    uint64_t ends = 0;
    while (!m_lingering.empty() && *m_lingering.begin() <= nowPs)
    {
        m_lingering.erase(m_lingering.begin());
        ends += 2;
    }
    if (!m_lingering.empty())
    {
        m_closeLingering = Simulator::Schedule(FabricTime::FromPs(*m_lingering.begin() - nowPs),
                                               &FlowProgress::CloseLingering,
                                               this);
    }
    Close(ends);
}

void
FlowProgress::OnSourceFinished()
{
    if (!m_hasFinished)
    {
        m_hasFinished = true;
        m_lastEndPs = FabricTime::ToPs(Simulator::Now());
    }
    StopIfComplete();
}

void
FlowProgress::CollectOpen()
{
    for (const uint32_t host : m_table.GetFabric()->GetHosts())
    {
        const Ptr<FabricNic> nic = m_table.GetFabric()->GetNic(host);
        for (const FabricMessageEvent& message : nic->GetStatelessReceiver().GetOpenMessages())
        {
            const uint32_t flow = m_table.Find(message.src, message.tag);
            m_table.Count(flow, FlowEnd::RECEIVER, message);
        }
        for (const SendingPdc* pdc : nic->GetSendingPdcs().GetBusy())
        {
            for (const FabricMessageEvent& message : pdc->GetOpenMessages())
            {
                m_table.Count(message.tag, FlowEnd::SENDER, message);
            }
        }
    }
}

bool
FlowProgress::IsActive(int64_t nowPs) const
{
    // each rank knows what triggers have started at its own hosts
    const uint64_t own = m_starter.GetNTriggered();
    const uint64_t started = m_table.GetNStarted(nowPs) - own + RankWorld::Sum(own);
    const bool flows = 2 * started > RankWorld::Sum(m_nClosedEnds);
    const FlowSource* source = m_starter.GetSource();
    return flows || (source && source->IsBusy());
}

int64_t
FlowProgress::GetLastPs() const
{
    const FlowSource* source = m_starter.GetSource();
    return std::max(m_table.GetFabric()->GetLastPs(), source ? source->GetLastPs() : 0);
}

void
FlowProgress::StopIfComplete()
{
    if (m_stopWhenComplete && m_table.GetNEndless() == 0 && IsComplete())
    {
        m_stop.Request();
    }
}

} // namespace ns3
