// SPDX-License-Identifier: GPL-2.0-only
#include "flow-starter.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-time.h"
#include "ns3/plain-bytes.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <iterator>

namespace ns3
{

namespace
{

/// Message of a flow without end: at 800 Gb/s it takes 133 days, longer than the 106 that times in
/// ps hold.
constexpr uint64_t ENDLESS_MESSAGE_BYTES = uint64_t{1} << 60;

} // namespace

FlowStarter::FlowStarter(FlowTable& table, std::vector<FlowTrigger> triggers)
    : m_table(table),
      m_triggers(std::move(triggers)),
      m_triggerState(m_triggers)
{
    const FlowTriggerFault fault = FindFlowTriggerFault(table.GetFlows(), m_triggers);
    if (!fault.what.empty())
    {
        throw FabricError(fault.what);
    }
}

FlowStarter::~FlowStarter()
{
    m_startDue.Cancel();
}

void
FlowStarter::SetTeller(Teller teller)
{
    m_teller = std::move(teller);
    m_table.SetShared();
}

void
FlowStarter::Start()
{
    const std::vector<FabricFlow>& flows = m_table.GetFlows();
    for (uint32_t i = 0; i < flows.size(); ++i)
    {
        if (flows[i].startPs != FabricFlow::ON_TRIGGER && m_table.GetFabric()->IsHere(flows[i].src))
        {
            Send(i);
        }
    }
    if (m_source)
    {
        m_source->Start();
    }
}

uint32_t
FlowStarter::Begin(const Made& made, const std::string& note)
{
    const Ptr<Fabric> fabric = m_table.GetFabric();
    FabricFlow flow = made.flow;
    flow.startPs = FabricTime::ToPs(Simulator::Now());
    const uint32_t index = m_table.Add(flow, made.order);
    ++m_nTriggered;
    if (made.write)
    {
        OutgoingMessage message;
        message.bytes = flow.sizeBytes;
        message.tag = index;
        message.write = true;
        message.remoteAddress = made.remoteAddress;
        message.queuePair = made.queuePair;
        fabric->GetNic(flow.src)->GetMessages().SendMatched(flow.dst, message, flow.priority);
    }
    else
    {
        Send(index, made.queuePair);
    }
    if (m_teller && !fabric->IsHere(flow.dst))
    {
        std::string text;
        WritePlain(text, index);
        WritePlain(text, flow);
        WritePlain(text, made.order);
        WritePlain(text, made.write);
        WritePlainText(text, note);
        m_teller(flow.dst, text);
    }
    return index;
}

void
FlowStarter::ReceiveNote(const std::string& note)
{
    std::size_t at = 0;
    const auto tag = TakePlain<uint32_t>(note, at);
    const auto flow = TakePlain<FabricFlow>(note, at);
    const auto order = TakePlain<FlowOrder>(note, at);
    const auto write = TakePlain<bool>(note, at);
    const uint32_t index = m_table.AddForeign(flow, order, tag);
    if (!write && m_onBegunElsewhere)
    {
        m_onBegunElsewhere(flow);
    }
    m_source->OnBegunElsewhere(index, TakePlainText(note, at));
}

void
FlowStarter::Send(uint32_t flow, uint32_t queuePair)
{
    const FabricFlow& f = m_table.GetFlows()[flow];
    const uint64_t bytes = std::min(f.sizeBytes, ENDLESS_MESSAGE_BYTES);
    FabricMessages& messages = m_table.GetFabric()->GetNic(f.src)->GetMessages();
    messages.SendAt(f.startPs, f.dst, bytes, flow, f.priority, queuePair);
}

void
FlowStarter::FireTriggers(uint32_t flow, FlowEnd end)
{
    end == FlowEnd::SENDER ? m_triggerState.Sent(flow, m_due)
                           : m_triggerState.Received(flow, m_due);
    ScheduleDue();
}

void
FlowStarter::TellSource(uint32_t flow, FlowEnd end)
{
    if (m_source)
    {
        end == FlowEnd::SENDER ? m_source->OnAcknowledged(flow) : m_source->OnArrived(flow);
    }
}

void
FlowStarter::ScheduleDue()
{
    // What happens in a node at this time is in the simulator's list already, for nothing crosses a
    // link in no time: this event comes after all of it, whatever the order among the nodes.
    if (!m_due.empty() && m_startDue.IsExpired())
    {
        m_startDue = Simulator::ScheduleNow(&FlowStarter::StartDue, this);
    }
}

void
FlowStarter::StartDue()
{
    const int64_t nowPs = FabricTime::ToPs(Simulator::Now());
    std::sort(m_due.begin(), m_due.end());
    m_table.Start(m_due, nowPs);
    for (const uint32_t flow : m_due)
    {
        Send(flow);
    }
    m_nTriggered += m_due.size();
    m_dueTimesPs.push_back(nowPs);
    m_due.clear();
}

int64_t
FlowStarter::GetNextStartPs(int64_t nowPs) const
{
    const int64_t sourcePs = m_source ? m_source->GetNextPs() : FabricTime::NEVER;
    return std::min(m_table.GetNextStartPs(nowPs), sourcePs);
}

void
FlowStarter::JoinDueTimes(const std::vector<int64_t>& timesPs)
{
    std::vector<int64_t> all;
    std::set_union(m_dueTimesPs.begin(),
                   m_dueTimesPs.end(),
                   timesPs.begin(),
                   timesPs.end(),
                   std::back_inserter(all));
    m_nRepeatedStarts += m_dueTimesPs.size() + timesPs.size() - all.size();
    m_dueTimesPs = std::move(all);
}

} // namespace ns3
