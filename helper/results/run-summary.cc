// SPDX-License-Identifier: GPL-2.0-only
#include "run-summary.h"

#include "json-writer.h"
#include "summary-members.h"

#include "ns3/result-file.h"

#include <sys/resource.h>

namespace ns3
{

void
RunSummary::Collect(const FlowRecorder& recorder, int64_t nowPs)
{
    endPs = nowPs;
    const FlowTable& table = recorder.GetTable();
    const FlowLabels& labels = recorder.GetLabels();
    const FlowColumn& reductions = FlowColumns::Find("cc_reductions");
    firstStartPs = table.GetFirstStartPs();
    flowsStarted = table.GetNStarted(nowPs);
    flowsCompleted = table.GetNCompleted();
    groups.clear();
    for (const std::string& label : labels.Get())
    {
        GroupSummary group;
        group.label = label;
        group.goodputGbps = ToGbps(labels.GetDeliveredBytes()[groups.size()]);
        groups.push_back(std::move(group));
    }
    for (uint32_t i = 0; i < table.GetFlows().size(); ++i)
    {
        const FabricFlow& flow = table.GetFlows()[i];
        const FlowRecord& record = table.GetRecords()[i];
        GroupSummary* const group = groups.empty() ? nullptr : &groups[flow.group];
        if (record.fctPs >= 0)
        {
            const double value = table.GetSlowdown(i);
            if (value >= 0)
            {
                slowdown.Add(flow.sizeBytes, value);
            }
            if (group && value >= 0)
            {
                group->slowdown.Add(flow.sizeBytes, value);
            }
            if (group)
            {
                group->fctNs.push_back(static_cast<double>(record.fctPs) / 1e3);
            }
        }
        if (group)
        {
            group->flowsStarted += flow.startPs >= 0 && flow.startPs <= nowPs ? 1 : 0;
            group->flowsCompleted += record.IsComplete() ? 1 : 0;
            group->reductions += table.GetCount(i, reductions);
        }
    }
    totals = FabricTotals::Collect(*table.GetFabric(), nowPs);
}

double
RunSummary::ToGbps(uint64_t bytes) const
{
    return endPs > firstStartPs
               ? static_cast<double>(bytes) * 8e3 / static_cast<double>(endPs - firstStartPs)
               : 0;
}

uint64_t
RunSummary::GetPeakRssBytes()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<uint64_t>(usage.ru_maxrss) * 1024; // Linux counts in KiB
}

std::string
RunSummary::ToJson() const
{
    JsonWriter json;
    json.BeginObject();
    for (const SummaryMember& member : SummaryMembers::Get())
    {
        if (*member.name)
        {
            json.Key(member.name);
        }
        if (member.write)
        {
            member.write(json, *this);
        }
        else
        {
            json.Uint(totals.Get(member.name));
        }
    }
    json.EndObject();
    return json.GetText() + "\n";
}

void
RunSummary::Write(const std::string& path) const
{
    ResultFile file(path);
    file.Text() = ToJson();
    file.Commit();
}

} // namespace ns3
