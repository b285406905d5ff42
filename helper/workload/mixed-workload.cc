// SPDX-License-Identifier: GPL-2.0-only
#include "mixed-workload.h"

#include "ns3/fabric-spec.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(MixedWorkload);

TypeId
MixedWorkload::GetTypeId()
{
    static TypeId tid = TypeId("ns3::MixedWorkload")
                            .SetParent<FabricWorkload>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<MixedWorkload>();
    return tid;
}

void
MixedWorkload::Add(const std::string& name, Ptr<FabricWorkload> workload, int64_t startPs)
{
    const auto isTaken = [this](const std::string& label) {
        return std::any_of(m_parts.begin(), m_parts.end(), [&label](const Part& part) {
            return part.label == label;
        });
    };
    std::string label = name;
    for (uint32_t number = 2; isTaken(label); ++number)
    {
        label = name + "-" + std::to_string(number);
    }
    m_parts.push_back({label, workload, startPs, 0, 0, false});
}

void
MixedWorkload::MuteAllBut(const std::vector<std::string>& labels)
{
    std::vector<std::string> known;
    for (Part& part : m_parts)
    {
        part.isMute = std::find(labels.begin(), labels.end(), part.label) == labels.end();
        known.push_back(part.label);
    }
    for (const std::string& label : labels)
    {
        if (std::find(known.begin(), known.end(), label) == known.end())
        {
            RefuseFabricName(label, known, "part of the workload");
        }
    }
}

std::vector<FabricFlow>
MixedWorkload::Generate(const FabricGraph& graph)
{
    std::vector<FabricFlow> all;
    uint32_t firstGroup = 0;
    for (Part& part : m_parts)
    {
        part.firstFlow = static_cast<uint32_t>(all.size());
        part.firstGroup = firstGroup;
        for (FabricFlow flow : part.workload->Generate(graph))
        {
            if (part.isMute)
            {
                break;
            }
            flow.group = static_cast<uint16_t>(flow.group + firstGroup);
            flow.startPs += flow.startPs == FabricFlow::ON_TRIGGER ? 0 : part.startPs;
            all.push_back(flow);
        }
        firstGroup += std::max<std::size_t>(part.workload->GetGroups().size(), 1);
    }
    return all;
}

std::vector<FlowTrigger>
MixedWorkload::GetTriggers() const
{
    std::vector<FlowTrigger> all;
    for (const Part& part : m_parts)
    {
        for (FlowTrigger trigger : part.workload->GetTriggers())
        {
            if (part.isMute)
            {
                break;
            }
            for (auto* flows : {&trigger.whenSent, &trigger.whenReceived, &trigger.starts})
            {
                for (uint32_t& flow : *flows)
                {
                    flow += part.firstFlow;
                }
            }
            all.push_back(trigger);
        }
    }
    return all;
}

std::vector<std::string>
MixedWorkload::GetGroups() const
{
    std::vector<std::string> all;
    for (const Part& part : m_parts)
    {
        const std::vector<std::string> own = part.workload->GetGroups();
        if (own.empty())
        {
            all.push_back(part.label);
        }
        for (const std::string& label : own)
        {
            all.push_back(part.label + "/" + label);
        }
    }
    return all;
}

OfferedLoad
MixedWorkload::GetOfferedLoad(const FabricGraph& graph, const std::vector<FabricFlow>& flows) const
{
    OfferedLoad all;
    for (std::size_t i = 0; i < m_parts.size(); ++i)
    {
        const auto end = i + 1 < m_parts.size() ? m_parts[i + 1].firstFlow : flows.size();
        const OfferedLoad load = m_parts[i].workload->GetOfferedLoad(
            graph,
            {flows.begin() + m_parts[i].firstFlow, flows.begin() + static_cast<int64_t>(end)});
        all.drawn += load.drawn;
        all.asked += load.asked;
        all.flows += load.flows;
    }
    return all;
}

std::vector<TypeId>
MixedWorkload::GetTypes() const
{
    std::vector<TypeId> all;
    for (const Part& part : m_parts)
    {
        const std::vector<TypeId> own = part.workload->GetTypes();
        all.insert(all.end(), own.begin(), own.end());
    }
    return all;
}

int64_t
MixedWorkload::AssignStreams(int64_t stream)
{
    int64_t used = 0;
    for (const Part& part : m_parts)
    {
        used += part.workload->AssignStreams(stream + used);
    }
    return used;
}

void
MixedWorkload::DoDispose()
{
    m_parts.clear();
    FabricWorkload::DoDispose();
}

} // namespace ns3
