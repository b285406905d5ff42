// SPDX-License-Identifier: GPL-2.0-only
#include "whole-network.h"

#include "ns3/parse-units.h"
#include "ns3/rank-world.h"
#include "ns3/trace-series.h"

#include <algorithm>
#include <string>

namespace ns3
{

namespace
{

/// What needs all nodes in one process, and how it is chosen.
struct Whole
{
    bool chosen;     //!< it was
    FabricText what; //!< option and reason
};

} // namespace

std::optional<FabricText>
FindWholeNetworkNeed(const ScenarioNetwork& network, const ScenarioOptions& options)
{
    const auto option = [&options](const char* name) { return options.Say(name); };
    const std::vector<std::string> names = SplitFabricList(options.Get("trace"));
    const bool tracesReceives = std::any_of(names.begin(), names.end(), [](const auto& name) {
        const TraceSeries* series = TraceSeriesTable::Find(name);
        return series && series->tellsReceives;
    });
    const Whole wholes[] = {
        {network.poster && !network.triggers.empty() && options.Get("post-delay") != "none",
         option("post-delay") + ": with " + option("workload") +
             " a receive may be due before its process learns of the message"},
        {tracesReceives && (network.makesFlows || !network.triggers.empty()),
         option("trace") + ": with " + option("workload") +
             " the times at which receives are posted are known to one process"},
        {options.Get("cc") == "external",
         option("cc") + ": one process decides for all connections"},
        {options.IsAttributeGiven("SimulatorImplementationType") && !RankWorld::AsksForMessages(),
         FabricTerm::Option("SimulatorImplementationType") +
             ": ranks need ns3::DistributedSimulatorImpl"},
    };
    for (const Whole& whole : wholes)
    {
        if (whole.chosen)
        {
            return whole.what;
        }
    }
    return std::nullopt;
}

std::set<uint32_t>
ListTriggerHosts(const FlowTrigger& trigger, const std::vector<FabricFlow>& flows)
{
    std::set<uint32_t> hosts;
    for (const uint32_t flow : trigger.whenReceived)
    {
        hosts.insert(flows[flow].dst);
    }
    for (const auto* senders : {&trigger.whenSent, &trigger.starts})
    {
        for (const uint32_t flow : *senders)
        {
            hosts.insert(flows[flow].src);
        }
    }
    return hosts;
}

} // namespace ns3
