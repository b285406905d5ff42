// SPDX-License-Identifier: GPL-2.0-only
#include "scenario-plan.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-spec.h"
#include "ns3/graph-measures.h"
#include "ns3/json-writer.h"
#include "ns3/parse-units.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <tuple>

namespace ns3
{

namespace
{

/// @return which links are alike to a reader
std::string
NameLinkKind(const FabricGraph& graph, uint32_t link)
{
    const FabricLink& ends = graph.GetLinks()[link];
    if (graph.IsHost(ends.a) || graph.IsHost(ends.b))
    {
        return "host";
    }
    if (graph.GetNGroups() > 0)
    {
        return graph.IsGlobal(link) ? "global" : "local";
    }
    if (!graph.GetGrid().sizes.empty())
    {
        const auto a = graph.GetCoordinates(ends.a);
        const auto b = graph.GetCoordinates(ends.b);
        for (size_t d = 0; d < a.size(); d++)
        {
            if (a[d] != b[d])
            {
                return "dimension " + std::to_string(d + 1);
            }
        }
    }
    const auto [low, high] = std::minmax(graph.GetNode(ends.a).tier, graph.GetNode(ends.b).tier);
    return low == high ? "within tier " + std::to_string(+low)
                       : "tier " + std::to_string(+low) + "-" + std::to_string(+high);
}

/// @return a share in percent with one decimal
std::string
WritePercent(double share)
{
    char text[32];
    std::snprintf(text, sizeof(text), "%.1f %%", 100 * share);
    return text;
}

/// @return a rate in Gb/s
std::string
WriteGbps(uint64_t bps)
{
    char text[32];
    std::snprintf(text, sizeof(text), "%.12g Gb/s", static_cast<double>(bps) / 1e9);
    return text;
}

/// @return how many ports the nodes of a kind have
std::string
WriteDegrees(const FabricGraph& graph, bool hosts)
{
    std::set<uint32_t> degrees;
    for (uint32_t node = 0; node < graph.GetNNodes(); node++)
    {
        if (graph.IsHost(node) == hosts)
        {
            degrees.insert(graph.GetDegree(node));
        }
    }
    if (degrees.empty())
    {
        return "";
    }
    const std::string least = std::to_string(*degrees.begin());
    return degrees.size() == 1 ? ", ports each: " + least
                               : ", ports: " + least + " to " + std::to_string(*degrees.rbegin());
}

/// Print how many links of each kind there are, and of what rate and delay.
void
PrintLinkKinds(std::ostream& out, const FabricGraph& graph)
{
    std::map<std::tuple<std::string, uint64_t, int64_t>, uint32_t> counts;
    std::vector<std::tuple<std::string, uint64_t, int64_t>> order;
    for (uint32_t i = 0; i < graph.GetNLinks(); i++)
    {
        const FabricLink& link = graph.GetLinks()[i];
        const auto kind = std::make_tuple(NameLinkKind(graph, i), link.rateBps, link.delayPs);
        if (counts[kind]++ == 0)
        {
            order.push_back(kind);
        }
    }
    out << "Links         " << graph.GetNLinks() << "\n";
    for (const auto& kind : order)
    {
        const auto& [name, rateBps, delayPs] = kind;
        out << "  " << name << std::string(name.size() < 12 ? 12 - name.size() : 1, ' ')
            << counts[kind] << ", " << WriteGbps(rateBps) << ", " << FormatFabricTimePs(delayPs)
            << "\n";
    }
}

/// Print what a user asks of a network first.
void
PrintFigures(std::ostream& out, const FabricGraph& graph)
{
    const GraphMeasures measures = MeasureGraph(graph);
    out << "Hosts         " << graph.GetNHosts() << WriteDegrees(graph, true) << "\n"
        << "Switches      " << graph.GetNSwitches();
    if (graph.GetNGroups() > 0)
    {
        out << " in " << FormatFabricCount(graph.GetNGroups(), "group");
    }
    out << WriteDegrees(graph, false) << "\n";
    PrintLinkKinds(out, graph);
    char mean[32];
    std::snprintf(mean, sizeof(mean), "%.3f", measures.GetMeanDistance());
    out << "Diameter      " << FormatFabricCount(measures.GetDiameter(), "link")
        << " between hosts, " << mean << " on average\n";
    const double pairs =
        static_cast<double>(graph.GetNHosts()) * static_cast<double>(graph.GetNHosts() - 1);
    for (const auto& [distance, count] : measures.pairsByDistance)
    {
        const std::string links = FormatFabricCount(distance, "link");
        out << "  " << links << std::string(links.size() < 11 ? 12 - links.size() : 1, ' ')
            << WritePercent(static_cast<double>(count) / pairs) << " of pairs\n";
    }
    out << "Bisection     " << WriteGbps(measures.bisectionBps) << " each way";
    if (measures.halfBps > 0)
    {
        out << ", "
            << WritePercent(static_cast<double>(measures.bisectionBps) /
                            static_cast<double>(measures.halfBps))
            << " of what half of the hosts can send";
    }
    out << "\n"
        << "Usual routing " << graph.GetUsualRouting() << "\n";
}

/// Print every node, with the far ends of its ports in order.
void
PrintNodes(std::ostream& out, const FabricGraph& graph)
{
    out << "Nodes         number name: far ends of ports 0, 1, ...\n";
    for (uint32_t node = 0; node < graph.GetNNodes(); node++)
    {
        out << "  " << node << " " << graph.GetName(node) << ":";
        for (uint32_t port = 0; port < graph.GetDegree(node); port++)
        {
            out << (port == 0 ? " " : ", ") << graph.GetName(graph.GetPort(node, port).peer);
        }
        out << "\n";
    }
}

void
PrintPlanText(std::ostream& out, const FabricGraph& graph, const std::string& topology)
{
    out << "Topology      " << topology << "\n";
    PrintFigures(out, graph);
    PrintNodes(out, graph);
}

/// Write a key and its numbers.
void
WriteNumbers(JsonWriter& json, const char* key, const std::vector<uint32_t>& values)
{
    json.Key(key);
    json.BeginArray();
    for (const uint32_t value : values)
    {
        json.Uint(value);
    }
    json.EndArray();
}

/// Write nodes and links by number.
void
WriteGraph(JsonWriter& json, const FabricGraph& graph)
{
    const bool hasGrid = !graph.GetGrid().sizes.empty();
    json.Key("nodes");
    json.BeginArray();
    for (uint32_t i = 0; i < graph.GetNNodes(); i++)
    {
        const FabricGraph::Node& node = graph.GetNode(i);
        json.BeginObject();
        json.StringMember("name", node.name);
        json.StringMember("kind", graph.IsHost(i) ? "host" : "switch");
        json.UintMember("tier", node.tier);
        json.UintMember("pod", node.pod);
        if (hasGrid && !graph.IsHost(i))
        {
            WriteNumbers(json, "coordinates", graph.GetCoordinates(i));
        }
        const auto place = graph.GetPlaces().find(i);
        if (place != graph.GetPlaces().end())
        {
            json.Key("place");
            json.BeginArray();
            json.Double(place->second.first);
            json.Double(place->second.second);
            json.EndArray();
        }
        json.EndObject();
    }
    json.EndArray();
    json.Key("links");
    json.BeginArray();
    for (uint32_t i = 0; i < graph.GetNLinks(); i++)
    {
        const FabricLink& link = graph.GetLinks()[i];
        json.BeginObject();
        json.UintMember("a", link.a);
        json.UintMember("b", link.b);
        json.StringMember("kind", NameLinkKind(graph, i));
        json.UintMember("rate_bps", link.rateBps);
        json.UintMember("delay_ps", static_cast<uint64_t>(link.delayPs));
        json.EndObject();
    }
    json.EndArray();
}

void
PrintPlanJson(std::ostream& out, const FabricGraph& graph, const std::string& topology)
{
    const GraphMeasures measures = MeasureGraph(graph);
    JsonWriter json;
    json.BeginObject();
    json.StringMember("plan", topology);
    json.UintMember("hosts", graph.GetNHosts());
    json.UintMember("switches", graph.GetNSwitches());
    json.UintMember("groups", graph.GetNGroups());
    WriteNumbers(json, "grid", graph.GetGrid().sizes);
    json.StringMember("grid_lines",
                      graph.GetGrid().sizes.empty() ? "none"
                      : graph.GetGrid().wraps       ? "rings"
                                                    : "meshes");
    json.StringMember("usual_routing", graph.GetUsualRouting());
    json.UintMember("diameter_links", measures.GetDiameter());
    json.DoubleMember("mean_distance_links", measures.GetMeanDistance());
    json.UintMember("bisection_bps", measures.bisectionBps);
    json.UintMember("half_hosts_bps", measures.halfBps);
    WriteGraph(json, graph);
    json.EndObject();
    out << json.GetText() << "\n";
}

/// How a plan is printed.
struct PlanForm
{
    std::string name; //!< as users write it
    const char* help; //!< for users

    /// Prints it.
    void (*print)(std::ostream& out, const FabricGraph& graph, const std::string& topology);
};

const std::vector<PlanForm> g_planForms = {
    {"text", "", &PrintPlanText},
    {"json", "for ``dcfabric-plot``", &PrintPlanJson},
};

} // namespace

std::vector<ScenarioValue>
ListScenarioPlans(const std::string& /* option */)
{
    return ListScenarioEntries(g_planForms);
}

void
PrintScenarioPlan(std::ostream& out,
                  const FabricGraph& graph,
                  const std::string& topology,
                  const std::string& form)
{
    FindFabricName(g_planForms, form, FabricTerm::Option("plan")).print(out, graph, topology);
}

} // namespace ns3
