// SPDX-License-Identifier: GPL-2.0-only
#include "flow-trigger.h"

#include "ns3/parse-units.h"

#include <algorithm>

namespace ns3
{

constexpr uint32_t FlowTriggerFault::NONE;
constexpr int64_t FabricFlow::ON_TRIGGER;
constexpr uint64_t FabricFlow::ENDLESS;

FlowTriggerState::FlowTriggerState(const std::vector<FlowTrigger>& triggers)
    : m_triggers(triggers),
      m_activations(triggers.size(), 0)
{
    for (uint32_t t = 0; t < m_triggers.size(); t++)
    {
        for (auto flow : m_triggers[t].whenSent)
        {
            m_sent.emplace_back(flow, t);
        }
        for (auto flow : m_triggers[t].whenReceived)
        {
            m_received.emplace_back(flow, t);
        }
    }
    std::sort(m_sent.begin(), m_sent.end());
    std::sort(m_received.begin(), m_received.end());
}

void
FlowTriggerState::Fire(const std::vector<Edge>& edges, uint32_t flow, std::vector<uint32_t>& due)
{
    for (auto edge = std::lower_bound(edges.begin(), edges.end(), Edge(flow, 0));
         edge != edges.end() && edge->first == flow;
         ++edge)
    {
        const FlowTrigger& trigger = m_triggers[edge->second];
        const uint32_t nth = ++m_activations[edge->second];
        if (trigger.kind == FlowTrigger::MULTI_SHOT)
        {
            if (nth <= trigger.starts.size())
            {
                due.push_back(trigger.starts[nth - 1]);
            }
            continue;
        }
        if (nth == (trigger.kind == FlowTrigger::BARRIER ? trigger.count : 1))
        {
            due.insert(due.end(), trigger.starts.begin(), trigger.starts.end());
        }
    }
}

namespace
{

/// @return what names trigger
std::string
DescribeTrigger(const FlowTrigger& trigger)
{
    return "trigger " + std::to_string(trigger.id);
}

/// @return the first trigger at fault by itself
FlowTriggerFault
FindTriggerFault(const std::vector<FlowTrigger>& triggers, const std::vector<FabricFlow>& flows)
{
    const size_t nFlows = flows.size();
    FlowTriggerFault fault;
    for (uint32_t t = 0; t < triggers.size(); t++)
    {
        const FlowTrigger& trigger = triggers[t];
        fault.trigger = t;
        for (const auto* list : {&trigger.whenSent, &trigger.whenReceived, &trigger.starts})
        {
            for (auto flow : *list)
            {
                if (flow >= nFlows)
                {
                    fault.what = DescribeTrigger(trigger) + " names flow " + std::to_string(flow) +
                                 " of " + std::to_string(nFlows);
                    return fault;
                }
                if (list != &trigger.starts && flows[flow].sizeBytes == FabricFlow::ENDLESS)
                {
                    fault.what = DescribeTrigger(trigger) + " waits for the end of flow " +
                                 std::to_string(flow) + ", which has none";
                    return fault;
                }
            }
        }
        const size_t activations = trigger.whenSent.size() + trigger.whenReceived.size();
        if (trigger.kind == FlowTrigger::ONE_SHOT && activations > 1)
        {
            fault.what = DescribeTrigger(trigger) + " is one-shot, but " +
                         std::to_string(activations) +
                         " flows activate it; make it a multishot or a barrier";
            return fault;
        }
        if (trigger.kind == FlowTrigger::BARRIER &&
            (trigger.count < 1 || trigger.count < activations))
        {
            fault.what = DescribeTrigger(trigger) + " is a barrier of " +
                         std::to_string(trigger.count) + ", but " +
                         FormatFabricCount(activations, "flow activates it", "flows activate it") +
                         "; its count must be at least their number, and at least 1";
            return fault;
        }
    }
    return FlowTriggerFault();
}

/**
 * @param flows all flows
 * @param triggers all triggers, without faults of their own
 * @param starter by flow: the trigger that starts it, NONE for none
 * @return the first flow at fault by itself
 */
FlowTriggerFault
FindStartFault(const std::vector<FabricFlow>& flows,
               const std::vector<FlowTrigger>& triggers,
               std::vector<uint32_t>& starter)
{
    FlowTriggerFault fault;
    starter.assign(flows.size(), FlowTriggerFault::NONE);
    for (uint32_t t = 0; t < triggers.size(); t++)
    {
        for (auto flow : triggers[t].starts)
        {
            fault.flow = flow;
            if (starter[flow] != FlowTriggerFault::NONE)
            {
                fault.what = "flow " + std::to_string(flow) + ": it is started by " +
                             DescribeTrigger(triggers[starter[flow]]) + " and by " +
                             DescribeTrigger(triggers[t]);
                return fault;
            }
            if (flows[flow].startPs != FabricFlow::ON_TRIGGER)
            {
                fault.what = "flow " + std::to_string(flow) +
                             ": it has a start and is started by " + DescribeTrigger(triggers[t]) +
                             " too";
                return fault;
            }
            starter[flow] = t;
        }
    }
    for (uint32_t i = 0; i < flows.size(); i++)
    {
        if (flows[i].startPs == FabricFlow::ON_TRIGGER && starter[i] == FlowTriggerFault::NONE)
        {
            fault.flow = i;
            fault.what =
                "flow " + std::to_string(i) + ": it has no start, and no trigger starts it";
            return fault;
        }
    }
    return FlowTriggerFault();
}

} // namespace

FlowTriggerFault
FindFlowTriggerFault(const std::vector<FabricFlow>& flows, const std::vector<FlowTrigger>& triggers)
{
    if (triggers.empty() && std::none_of(flows.begin(), flows.end(), [](const FabricFlow& f) {
            return f.startPs == FabricFlow::ON_TRIGGER;
        }))
    {
        return FlowTriggerFault();
    }
    FlowTriggerFault fault = FindTriggerFault(triggers, flows);
    std::vector<uint32_t> starter;
    if (fault.what.empty())
    {
        fault = FindStartFault(flows, triggers, starter);
    }
    if (!fault.what.empty())
    {
        return fault;
    }
    // Every flow that starts completes; what is left over waits for ever.
    FlowTriggerState state(triggers);
    std::vector<uint32_t> due;
    std::vector<bool> started(flows.size(), false);
    for (uint32_t i = 0; i < flows.size(); i++)
    {
        if (flows[i].startPs != FabricFlow::ON_TRIGGER)
        {
            due.push_back(i);
        }
    }
    while (!due.empty())
    {
        const uint32_t flow = due.back();
        due.pop_back();
        started[flow] = true;
        state.Received(flow, due);
        state.Sent(flow, due);
    }
    const auto waits = std::find(started.begin(), started.end(), false);
    if (waits != started.end())
    {
        fault.flow = static_cast<uint32_t>(waits - started.begin());
        const FlowTrigger& trigger = triggers[starter[fault.flow]];
        const uint32_t seen = state.GetNActivations(starter[fault.flow]);
        fault.what = "flow " + std::to_string(fault.flow) + ": it never starts, for " +
                     DescribeTrigger(trigger) + " is activated " + std::to_string(seen) + " times";
        if (trigger.kind == FlowTrigger::BARRIER)
        {
            fault.what += " of " + std::to_string(trigger.count);
        }
        else if (trigger.kind == FlowTrigger::MULTI_SHOT)
        {
            fault.what += " and starts " + FormatFabricCount(trigger.starts.size(), "flow");
        }
    }
    return fault;
}

} // namespace ns3
