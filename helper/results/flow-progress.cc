// SPDX-License-Identifier: GPL-2.0-only
#include "flow-progress.h"

#include "ns3/fabric-time.h"
#include "ns3/rank-world.h"
#include "ns3/simulator.h"

#include <algorithm>

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
            OnEnd(m_table.Find(event.src, event.tag), FlowEnd::RECEIVER, event);
        });
        messages.SetCompletedCallback(
            [this](const FabricMessageEvent& event) { OnEnd(event.tag, FlowEnd::SENDER, event); });
    }
}

FlowProgress::~FlowProgress()
{
    for (const uint32_t host : m_table.GetFabric()->GetHosts())
    {
        FabricMessages& messages = m_table.GetFabric()->GetNic(host)->GetMessages();
        messages.SetDeliveredCallback(nullptr);
        messages.SetCompletedCallback(nullptr);
    }
}

void
FlowProgress::OnEnd(uint32_t flow, FlowEnd end, const FabricMessageEvent& event)
{
    m_table.Complete(flow, end, event);
    m_starter.FireTriggers(flow, end);
    ++m_nClosedEnds;
    m_lastEndPs = FabricTime::ToPs(Simulator::Now());
    StopIfComplete();
    m_starter.TellSource(flow, end);
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
        for (const SendingPdc* pdc : m_table.GetFabric()->GetNic(host)->GetSendingPdcs().GetBusy())
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
    return 2 * started > RankWorld::Sum(m_nClosedEnds);
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
