// SPDX-License-Identifier: GPL-2.0-only
#include "run-summary.h"

#include "dcfabric-version.h"
#include "json-writer.h"

#include "ns3/result-file.h"

#include <sys/resource.h>

namespace ns3
{

namespace
{

/// Write the statistics of a set of flows into an open object.
void
WriteStatistics(JsonWriter& json, const SlowdownSummary::Statistics& s)
{
    json.UintMember("count", s.count);
    for (const auto& [name, value] : {std::pair<const char*, double>{"mean", s.mean},
                                      {"p50", s.p50},
                                      {"p95", s.p95},
                                      {"p99", s.p99},
                                      {"p999", s.p999}})
    {
        json.Key(name);
        if (s.count > 0)
        {
            json.Double(value);
        }
        else
        {
            json.Null();
        }
    }
}

/// Write slowdowns by size.
void
WriteSlowdown(JsonWriter& json, const SlowdownSummary& slowdown)
{
    json.Key("slowdown");
    json.BeginObject();
    json.Key("buckets");
    json.BeginArray();
    for (std::size_t i = 0; i < SlowdownSummary::GetNBuckets(); ++i)
    {
        json.BeginObject();
        json.Key("upper_bytes");
        if (i < SlowdownSummary::EDGES.size())
        {
            json.Uint(SlowdownSummary::EDGES[i]);
        }
        else
        {
            json.Null();
        }
        WriteStatistics(json, slowdown.GetBucket(i));
        json.EndObject();
    }
    json.EndArray();
    json.Key("overall");
    json.BeginObject();
    WriteStatistics(json, slowdown.GetOverall());
    json.EndObject();
    json.EndObject();
}

/// Write what became of the flows of each label.
void
WriteGroups(JsonWriter& json, const std::vector<GroupSummary>& groups)
{
    json.Key("groups");
    json.BeginObject();
    for (const GroupSummary& group : groups)
    {
        json.Key(group.label);
        json.BeginObject();
        json.UintMember("flows_started", group.flowsStarted);
        json.UintMember("flows_completed", group.flowsCompleted);
        WriteSlowdown(json, group.slowdown);
        json.Key("fct_ns");
        json.BeginObject();
        std::vector<double> values = group.fctNs;
        WriteStatistics(json, SlowdownSummary::Compute(values));
        json.EndObject();
        json.DoubleMember("goodput_gbps", group.goodputGbps);
        json.UintMember("cc_reductions", group.reductions);
        json.EndObject();
    }
    json.EndObject();
}

} // namespace

void
RunSummary::Collect(const FlowRecorder& recorder, int64_t nowPs)
{
    endPs = nowPs;
    firstStartPs = recorder.GetFirstStartPs();
    flowsStarted = recorder.GetNStarted(nowPs);
    flowsCompleted = recorder.GetNCompleted();
    groups.clear();
    for (const std::string& label : recorder.GetGroups())
    {
        GroupSummary group;
        group.label = label;
        group.goodputGbps =
            ToGbps(recorder.GetDeliveredBytes(static_cast<uint16_t>(groups.size())));
        groups.push_back(std::move(group));
    }
    for (uint32_t i = 0; i < recorder.GetFlows().size(); ++i)
    {
        const FabricFlow& flow = recorder.GetFlows()[i];
        const FlowRecord& record = recorder.GetRecords()[i];
        GroupSummary* const group = groups.empty() ? nullptr : &groups[flow.group];
        if (record.fctPs >= 0)
        {
            const double value = recorder.GetSlowdown(i);
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
            group->reductions += record.reductions;
        }
    }
    totals = FabricTotals::Collect(*recorder.GetFabric(), nowPs);
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
    json.Key("options");
    json.BeginObject();
    for (const auto& [name, value] : options)
    {
        json.StringMember(name, value);
    }
    json.EndObject();
    json.UintMember("seed", seed);
    json.StringMember("version", DCFABRIC_VERSION);
    json.StringMember("ns3_version", ns3Version);
    json.UintMember("flows_started", flowsStarted);
    json.UintMember("flows_completed", flowsCompleted);
    WriteSlowdown(json, slowdown);
    WriteGroups(json, groups);
    json.DoubleMember("offered_load", offeredLoad);
    json.DoubleMember("goodput_gbps", GetGoodputGbps());
    json.UintMember("pfc_pause_frames", totals.pauseFrames);
    json.Key("drops");
    json.BeginObject();
    for (const auto& [reason, count] : totals.drops)
    {
        json.UintMember(ToText(reason), count);
    }
    json.EndObject();
    json.UintMember("ecn_marks", totals.marks);
    for (const auto& [name, count] : totals.features)
    {
        json.UintMember(name, count);
    }
    json.UintMember("cc_reductions", totals.reductions);
    json.Key("cc_reductions_withheld");
    json.BeginObject();
    for (const auto& [modifier, count] : totals.withheld)
    {
        json.UintMember(modifier, count);
    }
    json.EndObject();
    json.UintMember("reordered_packets", totals.reordered);
    json.UintMember("rtw_sent", totals.rtwSent);
    json.UintMember("rts_sent", totals.rtsSent);
    json.UintMember("rnr_sent", totals.rnrSent);
    json.UintMember("unmatched_packets", totals.unmatchedPackets);
    json.UintMember("wasted_bytes", totals.wastedBytes);
    json.UintMember("match_lookups", totals.matchLookups);
    json.UintMember("further_lookups", totals.furtherLookups);
    json.UintMember("max_queue_bytes", totals.maxQueueBytes);
    json.UintMember("max_port_queue_bytes", totals.maxPortBytes);
    json.DoubleMember("mean_queue_bytes", totals.meanQueueBytes);
    json.UintMember("data_packet_hops", totals.dataHops);
    json.UintMember("control_packet_hops", totals.controlHops);
    json.UintMember("packet_hops", totals.GetPacketHops());
    json.UintMember("link_frames", totals.linkFrames);
    json.UintMember("events", events);
    json.DoubleMember("sim_seconds", static_cast<double>(endPs) / 1e12);
    json.DoubleMember("setup_wall_seconds", setupWallSeconds);
    json.DoubleMember("run_wall_seconds", runWallSeconds);
    json.DoubleMember("packet_hops_per_second", GetPacketHopsPerSecond());
    json.UintMember("peak_rss_bytes", GetPeakRssBytes() + peakRssBytesOfOthers);
    for (const auto& write : more)
    {
        write(json);
    }
    json.StringMember("status", status);
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
