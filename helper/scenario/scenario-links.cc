// SPDX-License-Identifier: GPL-2.0-only
#include "scenario-links.h"

#include "scenario-presets.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-nic.h"
#include "ns3/fabric-time.h"
#include "ns3/parse-units.h"
#include "ns3/path-latency.h"
#include "ns3/routing-builder.h"
#include "ns3/uinteger.h"

#include <cctype>
#include <string>
#include <vector>

namespace ns3
{

namespace
{

/// @return true if a text begins as a number does
bool
IsNumber(const std::string& text)
{
    return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) != 0;
}

} // namespace

void
ApplyScenarioLinks(FabricGraph& graph,
                   const FabricTopology& topology,
                   const ScenarioOptions& options)
{
    const double errorRate =
        ParseFabricDouble(options.Get("error-rate"), FabricTerm::Option("error-rate"), 0.0, 1.0);
    if (errorRate >= 1)
    {
        throw FabricError(options.Say("error-rate") + " lets nothing pass; it must be below 1");
    }
    graph.SetDefaultErrorRate(errorRate);
    if (options.Get("switch-latency").empty())
    {
        return;
    }
    if (const char* key = topology.GetLatencyKey())
    {
        throw FabricError(FabricTerm::Option("switch-latency") + " has no effect on " +
                          options.Say("topology") + ": the file says it by " + key);
    }
    const int64_t latencyPs = options.GetTimePs("switch-latency");
    if (latencyPs % 2 != 0 || latencyPs > FabricGraph::MAX_DELAY_PS)
    {
        throw FabricError(options.Say("switch-latency") +
                          ": must be at most 1 s and an even number of ps, because half of it is "
                          "added to each link");
    }
    graph.AddSwitchLatency(latencyPs);
    graph.Validate();
}

void
ConfigureScenarioBaseRtt(FabricHelper& helper,
                         const FabricGraph& graph,
                         const ScenarioOptions& options)
{
    if (options.GetPreset() && options.GetPreset()->hpccBaseRtt)
    {
        // twice the delays, and the payload of a full packet on the way there
        UintegerValue payload;
        CreateObject<FabricNic>()->GetAttribute("PayloadBytes", payload);
        helper.SetBaseRttSizes(payload.Get(), 0);
        // over shortest paths of the --routing, also with a --lb that takes others
        const Ptr<RoutingAlgorithm> algorithm = helper.MakeRouting(graph);
        const RoutingBuilder routing(graph, PeekPointer(algorithm));
        helper.SetBaseRtt(
            FabricTime::FromPs(PathLatency(graph, routing).GetMaxRttPs(payload.Get(), 0)));
    }
    const std::string& text = options.Get("base-rtt");
    if (IsNumber(text))
    {
        const int64_t baseRttPs = options.GetTimePs("base-rtt");
        if (baseRttPs == 0)
        {
            throw FabricError(FabricTerm::Option("base-rtt") + " must be above zero");
        }
        helper.SetBaseRtt(FabricTime::FromPs(baseRttPs));
        return;
    }
    if (text != "largest" && text != "pair")
    {
        throw FabricError("unknown " + FabricTerm::Option("base-rtt") + " " +
                          QuoteFabricText(text) + "; known: largest, pair, a time such as 12us");
    }
    helper.SetBaseRttPerPair(text == "pair");
}

} // namespace ns3
