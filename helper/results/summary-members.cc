// SPDX-License-Identifier: GPL-2.0-only
#include "summary-members.h"

#include "dcfabric-version.h"
#include "json-writer.h"
#include "run-summary.h"

#include "ns3/abort.h"
#include "ns3/congestion-aware-queue-disc.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

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
    json.BeginObject();
    for (const GroupSummary& group : groups)
    {
        json.Key(group.label);
        json.BeginObject();
        json.UintMember("flows_started", group.flowsStarted);
        json.UintMember("flows_completed", group.flowsCompleted);
        json.Key("slowdown");
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

/// Write drops by reason.
void
WriteDrops(JsonWriter& json, const DropCounts& drops)
{
    json.BeginObject();
    for (const auto& [reason, count] : drops)
    {
        json.UintMember(ToText(reason), count);
    }
    json.EndObject();
}

/// Write texts by name.
void
WriteTexts(JsonWriter& json, const std::vector<std::pair<std::string, std::string>>& texts)
{
    json.BeginObject();
    for (const auto& [name, value] : texts)
    {
        json.StringMember(name, value);
    }
    json.EndObject();
}

/// Write counters as members of an object.
template <typename Counters>
void
WriteCounters(JsonWriter& json, const Counters& counters)
{
    for (const auto& [name, count] : counters)
    {
        json.UintMember(name, count);
    }
}

/// Write what parts of the run add.
void
WriteMore(JsonWriter& json, const RunSummary& summary)
{
    for (const auto& write : summary.more)
    {
        write(json);
    }
}

/// @return packets that a port has marked
uint64_t
CountMarks(const FabricNetDevice& port)
{
    const Ptr<QueueDisc> disc = port.GetQueue().GetDisc();
    const auto* aware = CongestionAwareQueueDisc::Find(*disc);
    return aware ? aware->GetNMarkedPackets() : disc->GetStats().nTotalMarkedPackets;
}

/// @return packets that a port has trimmed
uint64_t
CountTrims(const FabricNetDevice& port)
{
    const Ptr<QueueDisc> disc = port.GetQueue().GetDisc();
    const auto* aware = CongestionAwareQueueDisc::Find(*disc);
    return aware ? aware->GetNTrimmedPackets() : 0;
}

/// A member that is written.
SummaryMember
MakeMember(const char* name, SummaryMember::Writer write)
{
    return {name, write};
}

/// A counter of hosts.
SummaryMember
OfNics(const char* name, SummaryMember::NicCounter count)
{
    return {name, nullptr, count};
}

/// A counter of ports.
SummaryMember
OfPorts(const char* name, SummaryMember::PortCounter count)
{
    return {name, nullptr, nullptr, count};
}

/// @return what a host counts that matches messages
MessageMatcher::Counters
GetMatched(const FabricNic& nic)
{
    const MessageMatcher* matcher = nic.GetMessages().GetMatcher();
    return matcher ? matcher->GetCounters() : MessageMatcher::Counters();
}

/// @return packets that were looked up in the match table of a host
uint64_t
CountLookups(const FabricNic& nic)
{
    const MessageMatcher* matcher = nic.GetMessages().GetMatcher();
    return matcher ? matcher->GetTableState().lookups : 0;
}

/// @return the members of this module, in the order of the file
std::list<SummaryMember>
MakeMembers()
{
    using Json = JsonWriter;
    using Run = RunSummary;
    using Nic = FabricNic;
    using Port = FabricNetDevice;
    return {
        MakeMember("options", [](Json& j, const Run& r) { WriteTexts(j, r.options); }),
        MakeMember("seed", [](Json& j, const Run& r) { j.Uint(r.seed); }),
        MakeMember("version", [](Json& j, const Run&) { j.String(DCFABRIC_VERSION); }),
        MakeMember("ns3_version", [](Json& j, const Run& r) { j.String(r.ns3Version); }),
        MakeMember("flows_started", [](Json& j, const Run& r) { j.Uint(r.flowsStarted); }),
        MakeMember("flows_completed", [](Json& j, const Run& r) { j.Uint(r.flowsCompleted); }),
        MakeMember("slowdown", [](Json& j, const Run& r) { WriteSlowdown(j, r.slowdown); }),
        MakeMember("groups", [](Json& j, const Run& r) { WriteGroups(j, r.groups); }),
        MakeMember("offered_load", [](Json& j, const Run& r) { j.Double(r.offeredLoad.drawn); }),
        MakeMember("asked_load", [](Json& j, const Run& r) { j.Double(r.offeredLoad.asked); }),
        MakeMember("load_flows", [](Json& j, const Run& r) { j.Uint(r.offeredLoad.flows); }),
        MakeMember("goodput_gbps", [](Json& j, const Run& r) { j.Double(r.GetGoodputGbps()); }),
        OfPorts("pfc_pause_frames",
                [](const Port& p) {
                    return p.GetFlowControl() ? p.GetFlowControl()->GetNPauseFrames() : 0;
                }),
        MakeMember("drops", [](Json& j, const Run& r) { WriteDrops(j, r.totals.drops); }),
        OfPorts("ecn_marks", &CountMarks),
        OfPorts("trimmed_packets", &CountTrims),
        MakeMember("",
                   [](Json& j, const Run& r) {
                       // without a network none have been collected, and all are zero
                       const auto& collected = r.totals.features;
                       WriteCounters(j,
                                     collected.empty() ? FabricTotals::ListFeatureCounters()
                                                       : collected);
                   }),
        OfNics("cc_reductions",
               [](const Nic& n) { return n.GetSendingPdcs().GetTotals().reductions; }),
        MakeMember("cc_reductions_withheld",
                   [](Json& j, const Run& r) {
                       j.BeginObject();
                       WriteCounters(j, r.totals.withheld);
                       j.EndObject();
                   }),
        OfNics("reordered_packets", [](const Nic& n) { return n.GetCounters().reordered; }),
        OfNics("duplicate_packets", [](const Nic& n) { return n.GetCounters().dataDuplicate; }),
        OfNics("datagrams_sent", [](const Nic& n) { return n.GetCounters().datagramsSent; }),
        OfNics("datagrams_delivered", [](const Nic& n) { return n.GetCounters().datagramsGot; }),
        OfNics("rtw_sent", [](const Nic& n) { return n.GetCounters().rtwSent; }),
        OfNics("rts_sent", [](const Nic& n) { return n.GetCounters().rtsSent; }),
        OfNics("rnr_sent", [](const Nic& n) { return n.GetCounters().rnrSent; }),
        OfNics("unmatched_packets", [](const Nic& n) { return GetMatched(n).unmatched; }),
        OfNics("wasted_bytes", [](const Nic& n) { return GetMatched(n).wastedBytes; }),
        OfNics("match_lookups", &CountLookups),
        OfNics("further_lookups", [](const Nic& n) { return GetMatched(n).furtherLookups; }),
        MakeMember("max_queue_bytes",
                   [](Json& j, const Run& r) { j.Uint(r.totals.maxQueueBytes); }),
        MakeMember("max_port_queue_bytes",
                   [](Json& j, const Run& r) { j.Uint(r.totals.maxPortBytes); }),
        MakeMember("mean_queue_bytes",
                   [](Json& j, const Run& r) { j.Double(r.totals.meanQueueBytes); }),
        OfPorts("data_packet_hops", [](const Port& p) { return p.GetCounters().rxDataPackets; }),
        OfPorts("control_packet_hops",
                [](const Port& p) { return p.GetCounters().rxControlPackets; }),
        MakeMember("packet_hops", [](Json& j, const Run& r) { j.Uint(r.totals.GetPacketHops()); }),
        OfPorts("link_frames", [](const Port& p) { return p.GetCounters().rxLinkFrames; }),
        MakeMember("events", [](Json& j, const Run& r) { j.Uint(r.events); }),
        MakeMember("sim_seconds",
                   [](Json& j, const Run& r) { j.Double(static_cast<double>(r.endPs) / 1e12); }),
        MakeMember("setup_wall_seconds",
                   [](Json& j, const Run& r) { j.Double(r.setupWallSeconds); }),
        MakeMember("run_wall_seconds", [](Json& j, const Run& r) { j.Double(r.runWallSeconds); }),
        MakeMember("packet_hops_per_second",
                   [](Json& j, const Run& r) { j.Double(r.GetPacketHopsPerSecond()); }),
        MakeMember(
            "peak_rss_bytes",
            [](Json& j, const Run& r) { j.Uint(Run::GetPeakRssBytes() + r.peakRssBytesOfOthers); }),
        MakeMember("", &WriteMore),
        MakeMember("status", [](Json& j, const Run& r) { j.String(r.status); }),
    };
}

/// @return all members, to which others are added before main()
std::list<SummaryMember>&
GetMemberTable()
{
    static std::list<SummaryMember> members = MakeMembers();
    return members;
}

} // namespace

const SummaryMember&
SummaryMembers::Add(SummaryMember member)
{
    static const std::size_t nOwn = GetMemberTable().size();
    std::list<SummaryMember>& table = GetMemberTable();
    for (const SummaryMember& other : table)
    {
        NS_ABORT_MSG_IF(std::string(other.name) == member.name,
                        "summary.json has two members of the name " << member.name);
    }
    const auto place = std::find_if(
        std::next(table.begin(), static_cast<std::ptrdiff_t>(nOwn)),
        table.end(),
        [&member](const SummaryMember& other) { return std::string(member.name) < other.name; });
    return *table.insert(place, member);
}

void
SummaryMembers::Remove(const SummaryMember& member)
{
    GetMemberTable().remove_if([&member](const SummaryMember& other) { return &other == &member; });
}

const std::list<SummaryMember>&
SummaryMembers::Get()
{
    return GetMemberTable();
}

} // namespace ns3
