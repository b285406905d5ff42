// SPDX-License-Identifier: GPL-2.0-only
#include "sim-report.h"

#include "sim-format.h"
#include "sim-programs.h"

#include "ns3/fabric-error.h"
#include "ns3/parse-units.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <poll.h>
#include <sstream>
#include <unistd.h>
#include <utility>

namespace ns3
{

namespace
{

/// @return a size in short
std::string
FormatSize(uint64_t bytes)
{
    return bytes >= 1000000 ? std::to_string(bytes / 1000000) + " MB"
                            : std::to_string(bytes / 1000) + " kB";
}

/// With fewer flows above it a percentile is the luck of single ones.
constexpr uint64_t ENOUGH_ABOVE = 10;

/**
 * @param count of flows
 * @param permille of a nearest-rank percentile: 999 of p99.9
 * @return how many of them are above it, when put into order
 */
uint64_t
CountAbove(uint64_t count, uint64_t permille)
{
    return count - std::max<uint64_t>(1, (permille * count + 999) / 1000);
}

/**
 * @param name of the line
 * @param s what it tells
 * @param marks set to true if there is a mark in it
 * @return a line of the slowdown table, in which a mark is behind percentiles of few flows
 */
std::string
FormatStatistics(const std::string& name, const SlowdownSummary::Statistics& s, bool& marks)
{
    if (s.count == 0)
    {
        return FormatSim("  %-10s %8d\n", name.c_str(), 0);
    }
    std::string line = FormatSim("  %-10s %8llu %9.3f ",
                                 name.c_str(),
                                 static_cast<unsigned long long>(s.count),
                                 s.mean);
    const std::pair<double, uint64_t> percentiles[] = {{s.p50, 500},
                                                       {s.p95, 950},
                                                       {s.p99, 990},
                                                       {s.p999, 999}};
    for (const auto& [value, permille] : percentiles)
    {
        const bool isFew = CountAbove(s.count, permille) < ENOUGH_ABOVE;
        marks = marks || isFew;
        line += FormatSim("%9.3f%c", value, isFew ? '*' : ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return line + "\n";
}

/// Print slowdowns by size and by label.
void
PrintSlowdowns(std::ostream& out, const RunSummary& summary)
{
    out << "Slowdown of flow completion by size\n"
        << "  up to         flows      mean       p50       p95       p99     p99.9\n";
    bool marks = false;
    for (std::size_t i = 0; i < SlowdownSummary::GetNBuckets(); ++i)
    {
        const auto statistics = summary.slowdown.GetBucket(i);
        if (statistics.count > 0)
        {
            const bool last = i == SlowdownSummary::EDGES.size();
            out << FormatStatistics(last ? "unlimited" : FormatSize(SlowdownSummary::EDGES[i]),
                                    statistics,
                                    marks);
        }
    }
    out << FormatStatistics("overall", summary.slowdown.GetOverall(), marks);
    for (const GroupSummary& group : summary.groups)
    {
        out << FormatStatistics(group.label, group.slowdown.GetOverall(), marks);
    }
    if (marks)
    {
        out << "  * fewer than " << ENOUGH_ABOVE
            << " flows are above it: the luck of single ones\n";
    }
    if (const uint64_t received = summary.slowdown.GetOverall().count;
        received > summary.flowsCompleted)
    {
        out << "  Of flows whose last byte has arrived; "
            << FormatFabricCount(received - summary.flowsCompleted,
                                 "of them still waits",
                                 "of them still wait")
            << " for the last ACK\n";
    }
}

/// @return lost packets by reason, those that are not zero
std::string
FormatDrops(const FabricTotals& totals)
{
    std::ostringstream text;
    const char* separator = "";
    for (const auto& [reason, count] : totals.drops)
    {
        if (count > 0)
        {
            text << separator << count << ' ' << reason;
            separator = ", ";
        }
    }
    return text.str();
}

/// @return counters of features by their names in summary.json, those that are not zero
std::string
FormatFeatures(const FabricTotals& totals)
{
    std::string text;
    for (const auto& [name, count] : totals.features)
    {
        if (count > 0)
        {
            text += (text.empty() ? "" : ", ") + std::string(name) + " " + std::to_string(count);
        }
    }
    return text;
}

/// Options that choose an algorithm, and the value at which the report leaves them out; null: it
/// never does.
constexpr const char* REPORTED_POLICIES[][2] = {{"cc", nullptr},
                                                {"lb", nullptr},
                                                {"flow-control", nullptr},
                                                {"link-retry", "none"},
                                                {"routing", "shortest"},
                                                {"modifiers", ""},
                                                {"policies", ""},
                                                {"features", ""},
                                                {"trimming", "none"},
                                                {"throttle", "none"},
                                                {"coordination", "none"},
                                                {"queue-disc", "ns3::CongestionAwareQueueDisc"},
                                                {"switch", "shared-buffer"},
                                                {"reliability", "selective-repeat"},
                                                {"messages", ""},
                                                {"faults", ""},
                                                {"preset", ""}};

/// Environment variable with the name of a congestion control of another process, whose name in
/// options is `external`.
constexpr const char* DECIDER_VARIABLE = "DCFABRIC_DECIDER_NAME";

/// Print what ran: network, workload and algorithms, defaults as well.
void
PrintSimSubject(std::ostream& out, const RunSummary& summary, const FabricGraph& graph)
{
    const std::map<std::string, std::string> options(summary.options.begin(),
                                                     summary.options.end());
    out << "Network       " << options.at("topology") << " ("
        << FormatFabricCount(graph.GetNHosts(), "host") << ", "
        << FormatFabricCount(graph.GetNSwitches(), "switch", "switches") << "), workload "
        << options.at("workload") << ", seed " << options.at("seed") << "\nPolicies     ";
    for (const auto& [name, usual] : REPORTED_POLICIES)
    {
        const auto option = options.find(name); // that of a wing may not be there
        if (option != options.end() && (!usual || option->second != usual))
        {
            out << " --" << name << "=" << option->second;
            const char* decider = std::getenv(DECIDER_VARIABLE);
            if (decider && *decider && option->first == "cc")
            {
                out << " (" << decider << ")";
            }
        }
    }
    out << "\n";
}

} // namespace

void
PrintSimReport(std::ostream& out,
               const RunSummary& summary,
               const Fabric& fabric,
               const std::string& folder)
{
    const FabricTotals& totals = summary.totals;
    PrintSimSubject(out, summary, fabric.GetGraph());
    const bool hasFlows = summary.flowsStarted > 0; // collectives in switches are none
    if (hasFlows)
    {
        PrintSlowdowns(out, summary);
    }
    out << "Status        " << summary.status << ": "
        << (hasFlows ? std::to_string(summary.flowsCompleted) + " of " +
                           FormatFabricCount(summary.flowsStarted, "flow") + " complete"
                     : "no flows,")
        << " after " << FormatSim("%.6f ms", static_cast<double>(summary.endPs) / 1e9) << "\n";
    PrintSimPrograms(out, folder);
    if (const OfferedLoad& load = summary.offeredLoad; load.drawn > 0 || load.asked > 0)
    {
        out << "Offered load  " << FormatSim("%.3f", load.drawn) << " of all hosts' rates";
        if (load.IsFar())
        {
            out << FormatSim(" (%g asked for; drawn by ", load.asked)
                << FormatFabricCount(load.flows, "flow") << ")";
        }
        out << "\n";
    }
    if (hasFlows)
    {
        out << "Goodput       " << FormatSim("%.3f Gb/s", summary.GetGoodputGbps()) << ", "
            << FormatFabricCount(totals.Get("ecn_marks"), "ECN mark", "ECN marks") << ", "
            << FormatFabricCount(totals.Get("cc_reductions"), "reduction") << ", "
            << FormatFabricCount(totals.retransmitted, "packet sent again") << "\n";
    }
    if (!summary.groups.empty())
    {
        std::string text;
        for (const GroupSummary& group : summary.groups)
        {
            text += (text.empty() ? "" : ", ") + group.label +
                    FormatSim(" %.3f Gb/s (", group.goodputGbps) +
                    std::to_string(group.flowsCompleted) + " of " +
                    FormatFabricCount(group.flowsStarted, "flow") + ")";
        }
        out << "Groups        " << text << ", each over the whole run\n";
    }
    if (const std::string text = FormatFeatures(totals); !text.empty())
    {
        out << "Features      " << text << "\n";
    }
    if (totals.Get("match_lookups") > 0)
    {
        out << "Messages      "
            << FormatFabricCount(totals.Get("unmatched_packets"),
                                 "packet came before its receive",
                                 "packets came before their receive")
            << " (" << FormatSim("%.1f kB", static_cast<double>(totals.Get("wasted_bytes")) / 1e3)
            << "), " << totals.Get("rtw_sent") << " RTW, " << totals.Get("rnr_sent") << " RNR, "
            << totals.Get("rts_sent") << " RTS\n";
    }
    const std::string drops = FormatDrops(totals);
    out << "Drops         " << (drops.empty() ? "none" : drops) << "\n";
    if (const uint64_t trimmed = totals.Get("trimmed_packets"))
    {
        out << "Trimmed       " << FormatFabricCount(trimmed, "packet") << "\n";
    }
    out << "Pause frames  " << totals.Get("pfc_pause_frames") << " (of "
        << FormatFabricCount(totals.Get("link_frames"), "link-level frame", "link-level frames")
        << ")\n";
    out << "Longest queue " << FormatSim("%.1f kB", static_cast<double>(totals.maxQueueBytes) / 1e3)
        << " at " << fabric.GetGraph().GetName(totals.maxQueueNode) << " (node "
        << totals.maxQueueNode << ") port " << totals.maxQueuePort
        << FormatSim(" (one class; all there at most %.1f kB, on average %.1f kB)",
                     static_cast<double>(totals.maxPortBytes) / 1e3,
                     totals.meanQueueBytes / 1e3)
        << "\n";
    out << "Speed         "
        << FormatSim("%.2f M packet-hops/s", summary.GetPacketHopsPerSecond() / 1e6)
        << FormatSim(" (%.1f M in %.2f s, set-up %.2f s, %.0f MB)",
                     static_cast<double>(totals.GetPacketHops()) / 1e6,
                     summary.runWallSeconds,
                     summary.setupWallSeconds,
                     static_cast<double>(RunSummary::GetPeakRssBytes()) / 1e6)
        << "\n";
    out << "Results       " << folder << "\n";
}

void
FlushSimOutput(const std::string& what, const std::string& more)
{
    if (!std::cout.rdbuf()) // of several ranks one speaks
    {
        return;
    }
    std::cout.flush();
    if (std::cout)
    {
        return;
    }
    // not by errno: the write that failed may be long ago
    pollfd output = {STDOUT_FILENO, POLLOUT, 0};
    if (poll(&output, 1, 0) == 1 && (output.revents & POLLERR))
    {
        return;
    }
    throw FabricError(what + " cannot be written to standard output" + more);
}

} // namespace ns3
