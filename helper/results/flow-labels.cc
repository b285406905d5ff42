// SPDX-License-Identifier: GPL-2.0-only
#include "flow-labels.h"

#include "ns3/fabric-error.h"

#include <algorithm>
#include <utility>

namespace ns3
{

FlowLabels::FlowLabels(const FlowTable& table)
    : m_table(table)
{
}

FlowLabels::~FlowLabels()
{
    Set({});
}

void
FlowLabels::Set(std::vector<std::string> labels)
{
    for (auto label = labels.begin(); label != labels.end(); ++label)
    {
        if (label->empty() || label->find_first_of(",\"\r\n") != std::string::npos ||
            std::find(labels.begin(), label, *label) != label)
        {
            throw FabricError("labels of flows: '" + *label +
                              "' must be a name that occurs once, without commas, quotes and line "
                              "ends");
        }
    }
    const std::vector<FabricFlow>& flows = m_table.GetFlows();
    for (std::size_t i = 0; i < flows.size() && !labels.empty(); ++i)
    {
        if (flows[i].group >= labels.size())
        {
            throw FabricError("flow " + std::to_string(i) + ": group " +
                              std::to_string(flows[i].group) + " has no label; there are " +
                              std::to_string(labels.size()));
        }
    }
    if (labels.empty() != m_labels.empty())
    {
        Watch(!labels.empty());
    }
    m_bytes.assign(labels.size(), 0);
    m_labels = std::move(labels);
}

void
FlowLabels::Watch(bool connect)
{
    const auto sink = MakeCallback(&FlowLabels::OnPayload, this);
    for (const uint32_t host : m_table.GetFabric()->GetHosts())
    {
        const Ptr<FabricNic> nic = m_table.GetFabric()->GetNic(host);
        connect ? nic->TraceConnectWithoutContext("Payload", sink)
                : nic->TraceDisconnectWithoutContext("Payload", sink);
    }
}

void
FlowLabels::OnPayload(Ptr<const FabricPacketItem> item)
{
    const uint32_t flow = m_table.Find(item->src, item->data.tag);
    m_bytes[m_table.GetFlows().at(flow).group] += item->data.payloadBytes;
}

void
FlowLabels::Join(const std::vector<uint64_t>& bytes)
{
    for (std::size_t i = 0; i < m_bytes.size(); ++i)
    {
        m_bytes[i] += bytes.at(i);
    }
}

} // namespace ns3
