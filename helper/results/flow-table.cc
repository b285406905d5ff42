// SPDX-License-Identifier: GPL-2.0-only
#include "flow-table.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-time.h"
#include "ns3/host-islands.h"
#include "ns3/parse-units.h"
#include "ns3/result-file.h"

#include <algorithm>
#include <utility>

namespace ns3
{

namespace
{

/**
 * @param src its sender
 * @param tag its number there
 * @return what tells a flow from those of other processes
 */
uint64_t
GetForeignKey(uint32_t src, uint32_t tag)
{
    return (uint64_t{src} << 32) | tag;
}

} // namespace

FlowTable::FlowTable(Ptr<Fabric> fabric, std::vector<FabricFlow> flows)
    : m_fabric(fabric),
      m_flows(std::move(flows)),
      m_records(m_flows.size()),
      m_counted(FlowColumns::GetCounted()),
      m_counts(m_counted.size(), m_flows.size()),
      m_nGiven(static_cast<uint32_t>(m_flows.size())),
      m_bytesTo(fabric->GetGraph().GetNNodes())
{
    if (m_flows.size() >= UINT32_MAX)
    {
        throw FabricError("a workload has at most 2^32 - 2 flows");
    }
    auto islands = std::make_unique<HostIslands>(fabric->GetGraph());
    if (!islands->JoinAll())
    {
        m_islands = std::move(islands);
    }
    m_starts.reserve(m_flows.size());
    for (std::size_t i = 0; i < m_flows.size(); ++i)
    {
        const FabricFlow& flow = m_flows[i];
        Check(i, flow);
        if (flow.sizeBytes == FabricFlow::ENDLESS)
        {
            ++m_nEndless;
        }
        else
        {
            m_totalBytes += flow.sizeBytes;
            m_bytesTo[flow.dst] += IsAnswered(flow) ? flow.sizeBytes : 0;
            m_nEnds += CountEnds(flow);
        }
        if (flow.startPs != FabricFlow::ON_TRIGGER)
        {
            m_starts.push_back(flow.startPs);
        }
    }
    std::sort(m_starts.begin(), m_starts.end());
}

FlowTable::~FlowTable() = default;

void
FlowTable::Check(std::size_t index, const FabricFlow& flow) const
{
    const FabricGraph& graph = m_fabric->GetGraph();
    if (!graph.IsHost(flow.src) || !graph.IsHost(flow.dst) || flow.src == flow.dst ||
        flow.sizeBytes == 0 || flow.startPs < FabricFlow::ON_TRIGGER)
    {
        throw FabricError("flow " + std::to_string(index) + ": from " + std::to_string(flow.src) +
                          " to " + std::to_string(flow.dst) + ", " +
                          FormatFabricCount(flow.sizeBytes, "byte") + " at " +
                          std::to_string(flow.startPs) +
                          " ps: it needs two different hosts of the network, at least one "
                          "byte, and a start that is not negative");
    }
    if (m_islands && !m_islands->Join(flow.src, flow.dst))
    {
        throw FabricError("flow " + std::to_string(index) + ": no path between hosts " +
                          std::to_string(flow.src) + " (" + graph.GetName(flow.src) + ") and " +
                          std::to_string(flow.dst) + " (" + graph.GetName(flow.dst) +
                          "): neither a link nor switches join them");
    }
}

FlowTable::Entry
FlowTable::GetEntry(uint32_t flow) const
{
    return {GetOrder(flow), m_flows.at(flow), m_records.at(flow), m_counts.GetAll(flow)};
}

FlowOrder
FlowTable::GetOrder(uint32_t flow) const
{
    FlowOrder order;
    order.atPs = -1; // before all that are made
    order.number = flow;
    return flow < m_nGiven || m_orders.empty() ? order : m_orders[flow - m_nGiven];
}

uint32_t
FlowTable::GetNStarted(int64_t nowPs) const
{
    return static_cast<uint32_t>(std::upper_bound(m_starts.begin(), m_starts.end(), nowPs) -
                                 m_starts.begin());
}

int64_t
FlowTable::GetNextStartPs(int64_t nowPs) const
{
    const auto next = std::upper_bound(m_starts.begin(), m_starts.end(), nowPs);
    return next == m_starts.end() ? FabricTime::NEVER : *next;
}

int64_t
FlowTable::GetIdealFctPs(uint32_t flow) const
{
    const FabricFlow& f = m_flows.at(flow);
    return m_fabric->GetIdealFctPs(f.src, f.dst, f.sizeBytes, f.priority);
}

double
FlowTable::GetSlowdown(uint32_t flow) const
{
    const int64_t fctPs = m_records.at(flow).fctPs;
    const int64_t idealPs = fctPs < 0 ? -1 : GetIdealFctPs(flow);
    return idealPs < 0 ? -1 : static_cast<double>(fctPs) / static_cast<double>(idealPs);
}

bool
FlowTable::IsAnswered(const FabricFlow& flow) const
{
    return m_fabric->GetNic(flow.src)->reliability->AwaitsAnswers();
}

bool
FlowTable::HasDatagrams() const
{
    return std::any_of(m_flows.begin(), m_flows.end(), [this](const FabricFlow& flow) {
        return !IsAnswered(flow);
    });
}

uint32_t
FlowTable::CountEnds(const FabricFlow& flow) const
{
    if (!IsAnswered(flow))
    {
        return m_fabric->IsHere(flow.src) ? 2 : 0;
    }
    return (m_fabric->IsHere(flow.src) ? 1 : 0) + (m_fabric->IsHere(flow.dst) ? 1 : 0);
}

uint32_t
FlowTable::Append(const FabricFlow& flow, const FlowOrder& order)
{
    Check(m_flows.size(), flow);
    if (m_flows.size() >= UINT32_MAX - 1)
    {
        throw FabricError("a workload has at most 2^32 - 2 flows");
    }
    m_bytesTo[flow.dst] += IsAnswered(flow) ? flow.sizeBytes : 0;
    m_nEnds += CountEnds(flow);
    m_flows.push_back(flow);
    m_records.emplace_back();
    if (m_isShared)
    {
        m_orders.push_back(order);
    }
    return static_cast<uint32_t>(m_flows.size() - 1);
}

uint32_t
FlowTable::Add(const FabricFlow& flow, const FlowOrder& order)
{
    const uint32_t index = Append(flow, order);
    m_starts.insert(std::upper_bound(m_starts.begin(), m_starts.end(), flow.startPs), flow.startPs);
    m_totalBytes += flow.sizeBytes;
    return index;
}

uint32_t
FlowTable::AddForeign(const FabricFlow& flow, const FlowOrder& order, uint32_t tag)
{
    const uint32_t index = Append(flow, order);
    m_foreign.emplace(GetForeignKey(flow.src, tag), index);
    return index;
}

void
FlowTable::Start(const std::vector<uint32_t>& flows, int64_t nowPs)
{
    const auto place = std::upper_bound(m_starts.begin(), m_starts.end(), nowPs);
    m_starts.insert(place, flows.size(), nowPs);
    for (const uint32_t flow : flows)
    {
        m_flows[flow].startPs = nowPs;
    }
}

uint32_t
FlowTable::Find(uint32_t src, uint32_t tag) const
{
    return tag < m_nGiven || !m_isShared || m_fabric->IsHere(src)
               ? tag
               : m_foreign.at(GetForeignKey(src, tag));
}

void
FlowTable::Complete(uint32_t flow, FlowEnd end, const FabricMessageEvent& event)
{
    FlowRecord& record = m_records.at(flow);
    (end == FlowEnd::SENDER ? record.senderFctPs : record.fctPs) =
        event.nowPs - m_flows[flow].startPs;
    m_nCompleted += record.IsComplete() ? 1 : 0;
    Count(flow, end, event);
    if (end == FlowEnd::RECEIVER && !m_foreign.empty())
    {
        m_foreign.erase(GetForeignKey(event.src, event.tag));
    }
}

void
FlowTable::Count(uint32_t flow, FlowEnd end, const FabricMessageEvent& event)
{
    const uint32_t host = end == FlowEnd::SENDER ? m_flows[flow].src : m_flows[flow].dst;
    const FabricNic& nic = *m_fabric->GetNic(host);
    for (const FlowColumn* column : m_counted)
    {
        if (column->end == end)
        {
            m_counts.Set(flow, column->place, column->count(nic, event));
        }
    }
}

void
FlowTable::AddCounts(uint32_t flow, const std::vector<uint64_t>& counts)
{
    for (std::size_t i = 0; i < m_counted.size(); ++i)
    {
        m_counts.Set(flow, i, m_counts.Get(flow, i) + counts.at(i));
    }
}

void
FlowTable::Join(uint32_t flow, const Entry& there)
{
    FlowRecord& here = m_records.at(flow);
    const bool was = here.IsComplete();
    // where a flow arrives its start is not known if a trigger has started it elsewhere
    int64_t& startPs = m_flows[flow].startPs;
    const int64_t arrivalPs =
        std::max(here.fctPs < 0 ? -1 : startPs + here.fctPs,
                 there.record.fctPs < 0 ? -1 : there.flow.startPs + there.record.fctPs);
    if (startPs == FabricFlow::ON_TRIGGER && there.flow.startPs != FabricFlow::ON_TRIGGER)
    {
        startPs = there.flow.startPs;
    }
    here.fctPs = arrivalPs < 0 ? -1 : arrivalPs - startPs;
    here.senderFctPs = std::max(here.senderFctPs, there.record.senderFctPs);
    m_nCompleted += here.IsComplete() && !was ? 1 : 0;
    AddCounts(flow, there.counts);
}

void
FlowTable::JoinMade(const std::vector<Entry>& there)
{
    std::vector<Entry> all;
    for (uint32_t i = m_nGiven; i < m_flows.size(); ++i)
    {
        m_nCompleted -= m_records[i].IsComplete() ? 1 : 0;
        all.push_back(GetEntry(i));
    }
    all.insert(all.end(), there.begin(), there.end());
    std::stable_sort(all.begin(), all.end(), [](const Entry& a, const Entry& b) {
        return a.order < b.order;
    });
    m_orders.clear();
    m_flows.resize(m_nGiven);
    m_records.resize(m_nGiven);
    m_counts.Truncate(m_nGiven);
    for (const Entry& known : all)
    {
        if (m_orders.empty() || !(m_orders.back() == known.order))
        {
            m_orders.push_back(known.order);
            m_flows.push_back(known.flow);
            m_records.emplace_back();
        }
        FlowRecord& record = m_records.back(); // of this end, or of the other one of the same flow
        record.fctPs = std::max(record.fctPs, known.record.fctPs);
        record.senderFctPs = std::max(record.senderFctPs, known.record.senderFctPs);
        AddCounts(static_cast<uint32_t>(m_flows.size() - 1), known.counts);
    }
    m_starts.clear();
    m_totalBytes = 0;
    for (std::size_t i = 0; i < m_flows.size(); ++i)
    {
        m_totalBytes += m_flows[i].sizeBytes == FabricFlow::ENDLESS ? 0 : m_flows[i].sizeBytes;
        if (m_flows[i].startPs != FabricFlow::ON_TRIGGER)
        {
            m_starts.push_back(m_flows[i].startPs);
        }
        m_nCompleted += i >= m_nGiven && m_records[i].IsComplete() ? 1 : 0;
    }
    std::sort(m_starts.begin(), m_starts.end());
}

void
WriteFlowTable(const FlowTable& table,
               const std::vector<std::string>& labels,
               const std::string& path,
               int64_t endPs)
{
    const bool hasDatagrams = table.HasDatagrams();
    std::vector<const FlowColumn*> columns;
    for (const FlowColumn& column : FlowColumns::Get())
    {
        if ((!column.ofLabels || !labels.empty()) && (!column.ofDatagrams || hasDatagrams))
        {
            columns.push_back(&column);
        }
    }
    ResultFile file(path);
    std::string& text = file.Text();
    const auto separate = [&](const FlowColumn* column) {
        text += column == columns.front() ? "" : ",";
    };
    for (const FlowColumn* column : columns)
    {
        separate(column);
        text += column->column.name;
    }
    file.EndLine();
    for (uint32_t i = 0; i < table.GetFlows().size(); ++i)
    {
        const FabricFlow& flow = table.GetFlows()[i];
        const int64_t idealPs = flow.sizeBytes == FabricFlow::ENDLESS ? -1 : table.GetIdealFctPs(i);
        const FlowRow row{i,
                          flow,
                          table.GetRecords()[i],
                          idealPs,
                          labels.empty() ? nullptr : &labels[flow.group],
                          flow.startPs <= endPs};
        for (const FlowColumn* column : columns)
        {
            separate(column);
            if (column->write)
            {
                column->write(text, row);
            }
            else
            {
                text += std::to_string(table.GetCount(i, *column));
            }
        }
        file.EndLine();
    }
    file.Commit();
}

} // namespace ns3
