// SPDX-License-Identifier: GPL-2.0-only
#include "hpcc-topology-file.h"

#include "node-names.h"

#include "ns3/attribute-range.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-text-file.h"
#include "ns3/fabric-time.h"
#include "ns3/parse-units.h"
#include "ns3/promised-count.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

constexpr uint64_t MEGA = 1000000; //!< bit/s per Mbps

/// Line 1: how many there are of each.
struct FirstLine
{
    uint64_t nodes{0};         //!< hosts and switches
    uint64_t gpusPerServer{0}; //!< hosts that an NVSwitch joins at most
    uint64_t nvSwitches{0};    //!< switches inside servers
    uint64_t switches{0};      //!< other switches
    uint64_t links{0};         //!< links
    bool bareRates{false};     //!< a rate without unit is in bit/s
};

/// @return what line 1, of six fields, says, but for the type of GPU, which nothing here depends on
FirstLine
ReadGpuHeader(const FabricTextReader& reader)
{
    FirstLine header;
    header.nodes = reader.GetUint(0, "node_num", 1, FabricGraph::MAX_NODES);
    header.gpusPerServer = reader.GetUint(1, "gpus_per_server", 1, FabricGraph::MAX_NODES);
    header.nvSwitches = reader.GetUint(2, "nvswitch_num", 0, header.nodes);
    header.switches = reader.GetUint(3, "switch_num", 0, header.nodes - header.nvSwitches);
    header.links = reader.GetUint(4, "link_num", 0, UINT32_MAX);
    return header;
}

/**
 * @return what line 1, of four or six fields, says in files of ns3-datacenter: how many switches
 * are ToRs follows from the links, and so do the rates, which some have behind
 */
FirstLine
ReadTorHeader(const FabricTextReader& reader)
{
    FirstLine header;
    header.nodes = reader.GetUint(0, "node_num", 1, FabricGraph::MAX_NODES);
    header.switches = reader.GetUint(1, "switch_num", 0, header.nodes);
    reader.GetUint(2, "tor_num", 0, header.switches);
    header.links = reader.GetUint(3, "link_num", 0, UINT32_MAX);
    header.bareRates = true;
    return header;
}

/// @return what line 1 says
FirstLine
ReadHeader(const FabricTextReader& reader)
{
    constexpr size_t HPCC_FIELDS = 3;
    constexpr size_t TOR_FIELDS = 4;
    constexpr size_t LONG_FIELDS = 6;
    const std::vector<std::string>& fields = reader.GetFields();
    if (fields.size() == LONG_FIELDS)
    {
        // a type of GPU, or a rate
        const bool isRate = fields.back().find_first_not_of("0123456789.") == std::string::npos;
        return isRate ? ReadTorHeader(reader) : ReadGpuHeader(reader);
    }
    if (fields.size() == TOR_FIELDS)
    {
        return ReadTorHeader(reader);
    }
    if (fields.size() != HPCC_FIELDS)
    {
        reader.Refuse(
            "expected 'node_num switch_num link_num' (3 fields), found " +
            std::to_string(fields.size()) +
            "; in ns3-datacenter it is 'node_num switch_num tor_num link_num' (4 fields), "
            "with GPU servers 'node_num gpus_per_server nvswitch_num switch_num "
            "link_num gpu_type' (6 fields)");
    }
    FirstLine header;
    header.nodes = reader.GetUint(0, "node_num", 1, FabricGraph::MAX_NODES);
    header.switches = reader.GetUint(1, "switch_num", 0, header.nodes);
    header.links = reader.GetUint(2, "link_num", 0, UINT32_MAX);
    return header;
}

/// @return hosts that a switch joins
std::set<uint32_t>
ListHosts(const FabricGraph& graph, uint32_t node)
{
    std::set<uint32_t> hosts;
    for (uint32_t p = 0; p < graph.GetDegree(node); ++p)
    {
        if (graph.IsHost(graph.GetPort(node, p).peer))
        {
            hosts.insert(graph.GetPort(node, p).peer);
        }
    }
    return hosts;
}

/// Refuse servers that are larger than line 1 says.
void
CheckServers(const FabricGraph& graph, const FirstLine& header)
{
    for (uint32_t node = 0; node < graph.GetNNodes(); ++node)
    {
        const std::size_t hosts = graph.IsNvSwitch(node) ? ListHosts(graph, node).size() : 0;
        if (hosts > header.gpusPerServer)
        {
            throw FabricError("NVSwitch " + std::to_string(node) + " joins " +
                              FormatFabricCount(hosts, "host") + ", but gpus_per_server is " +
                              std::to_string(header.gpusPerServer));
        }
    }
}

/**
 * @brief Read the ids of the switches, which may spread over several lines.
 * @return them in the order of the file
 */
std::vector<uint64_t>
ReadSwitchIds(FabricTextReader& reader, uint64_t nodes, uint64_t switches)
{
    std::vector<uint64_t> ids;
    std::vector<bool> isSwitch;
    uint64_t count = 0;
    while (count < switches)
    {
        if (!reader.Next() || reader.IsLegend())
        {
            reader.Refuse("the file ends after " + std::to_string(count) + " of " +
                          FormatFabricCount(switches, "switch id", "switch ids"));
        }
        for (size_t i = 0; i < reader.GetFields().size(); i++, count++)
        {
            if (count == switches)
            {
                reader.Refuse("more than the " + std::to_string(switches) +
                              " switch ids that line 1 announces");
            }
            const uint64_t id = reader.GetUint(i, "switch id", 0, nodes - 1);
            if (isSwitch.size() <= id)
            {
                isSwitch.resize(id + 1, false);
            }
            if (isSwitch[id])
            {
                reader.Refuse("switch id " + std::to_string(id) + " is given twice");
            }
            isSwitch[id] = true;
            ids.push_back(id);
        }
    }
    return ids;
}

/// @return the link that a line describes
FabricLink
ReadLink(const FabricTextReader& reader, const FirstLine& header)
{
    const uint64_t nodes = header.nodes;
    reader.ExpectFields(5, "src dst rate delay error_rate");
    FabricLink link{};
    link.a = static_cast<uint32_t>(reader.GetUint(0, "link source, a node", 0, nodes - 1));
    link.b = static_cast<uint32_t>(reader.GetUint(1, "link destination, a node", 0, nodes - 1));
    const std::string& rate = reader.GetFields()[2];
    const bool isBare =
        header.bareRates && rate.find_first_not_of("0123456789.") == std::string::npos;
    link.rateBps = isBare ? ParseFabricRateBps(rate + "bps", reader.GetPlace() + ": link rate")
                          : reader.GetRateBps(2, "link rate");
    link.delayPs = reader.GetTimePs(3, "link delay");
    link.errorRate = reader.GetDouble(4, "link error rate", 0.0, 1.0);
    if (link.a == link.b)
    {
        reader.Refuse("the link joins node " + std::to_string(link.a) +
                      " to itself; it needs two different ends");
    }
    if (link.rateBps == 0)
    {
        reader.Refuse("the link rate must be above 0");
    }
    if (link.rateBps > AttributeRange::MAX_RATE_BPS)
    {
        reader.Refuse("link rate " + QuoteFabricText(reader.GetFields()[2]) + " is above 1000Tbps");
    }
    if (link.delayPs < 1 || link.delayPs > FabricGraph::MAX_DELAY_PS)
    {
        reader.Refuse("link delay " + QuoteFabricText(reader.GetFields()[3]) +
                      " is outside 1 ps to 1 s (write a unit, such as 1000ns)");
    }
    if (link.errorRate >= 1.0)
    {
        reader.Refuse("a link error rate of 1 lets nothing pass; it must be below 1");
    }
    return link;
}

/// What a line says of a node.
struct NodeLine
{
    std::string name;                             //!< how it is called
    std::vector<std::pair<double, double>> place; //!< where it is drawn: one, or none
};

/// Lines of nodes by number.
using NodeLines = std::map<uint32_t, NodeLine>;

/// @return true if a line is that of a node
bool
IsNodeLine(const FabricTextReader& reader)
{
    return reader.GetFields()[0] == "node";
}

/// Take what a line says of a node.
void
ReadNode(const FabricTextReader& reader, uint64_t nodes, NodeLines& lines)
{
    constexpr double FAR = 1e9;
    if (reader.GetFields().size() != 3 && reader.GetFields().size() != 5)
    {
        reader.Refuse("expected 'node id name' or 'node id name x y' (3 or 5 fields), found " +
                      std::to_string(reader.GetFields().size()));
    }
    const auto node = static_cast<uint32_t>(reader.GetUint(1, "node", 0, nodes - 1));
    NodeLine line{reader.GetFields()[2], {}};
    if (!IsWritableNodeName(line.name))
    {
        reader.Refuse("name " + QuoteFabricText(line.name) +
                      ": a name is no number, and has no comma, colon or invisible character");
    }
    if (reader.GetFields().size() == 5)
    {
        line.place.emplace_back(reader.GetDouble(3, "x", -FAR, FAR),
                                reader.GetDouble(4, "y", -FAR, FAR));
    }
    if (!lines.emplace(node, line).second)
    {
        reader.Refuse("a second line of node " + std::to_string(node));
    }
}

/// Refuse names that several nodes have, if the file names some.
void
CheckNames(const FabricGraph& graph, const NodeLines& lines)
{
    std::map<std::string, uint32_t> known;
    for (uint32_t node = 0; !lines.empty() && node < graph.GetNNodes(); ++node)
    {
        const auto [other, isNew] = known.emplace(graph.GetName(node), node);
        if (!isNew)
        {
            throw FabricError("nodes " + std::to_string(other->second) + " and " +
                              std::to_string(node) + " are both called " +
                              QuoteFabricText(other->first));
        }
    }
}

/**
 * @param reader at line 1
 * @param path of the file, for a warning
 * @return what it says of a network
 */
FabricGraph
ReadNetwork(FabricTextReader& reader, const std::string& path)
{
    const FirstLine header = ReadHeader(reader);
    const uint64_t nodes = header.nodes;
    const uint64_t switches = header.nvSwitches + header.switches;
    const uint64_t links = header.links;
    const std::string firstLine = reader.GetPlace();
    if (nodes - switches > 2 * links)
    {
        // Also keeps a mistyped count from reserving memory for millions of nodes.
        reader.Refuse(FormatFabricCount(links, "link") + " cannot reach " +
                      FormatFabricCount(nodes - switches, "host") +
                      ": every host needs at least one");
    }

    // those of NVSwitches come first
    const std::vector<uint64_t> ids = ReadSwitchIds(reader, nodes, switches);
    std::vector<FabricLink> found;
    NodeLines lines;
    uint64_t follow = 0;
    while (reader.Next() && !reader.IsLegend())
    {
        if (IsNodeLine(reader) && follow >= links)
        {
            ReadNode(reader, nodes, lines);
        }
        else if (IsNodeLine(reader))
        {
            reader.Refuse("lines of nodes come behind the links, of which there are " +
                          std::to_string(follow) + " of " + std::to_string(links) + " so far");
        }
        else if (follow++ < links)
        {
            found.push_back(ReadLink(reader, header));
        }
    }
    WarnOfMoreThanPromised(path, "link", links, follow);
    if (found.size() < links)
    {
        reader.Refuse("the file ends after " + std::to_string(found.size()) + " of " +
                      FormatFabricCount(links, "link"));
    }

    FabricGraph graph;
    graph.Reserve(static_cast<uint32_t>(nodes), static_cast<uint32_t>(links));

    enum
    {
        HOST,
        SWITCH,
        NVSWITCH
    };

    std::vector<int> kinds(nodes, HOST);
    for (uint64_t i = 0; i < ids.size(); i++)
    {
        kinds[ids[i]] = i < header.nvSwitches ? NVSWITCH : SWITCH;
    }
    for (uint32_t node = 0; node < nodes; ++node)
    {
        const auto line = lines.find(node);
        const std::string name = line == lines.end() ? "" : line->second.name;
        kinds[node] == HOST     ? graph.AddHost(0, name)
        : kinds[node] == SWITCH ? graph.AddSwitch(1, 0, name)
                                : graph.AddNvSwitch(0, name);
        if (line != lines.end() && !line->second.place.empty())
        {
            graph.SetPlace(node, line->second.place[0].first, line->second.place[0].second);
        }
    }
    for (const auto& link : found)
    {
        graph.AddLink(link.a, link.b, link.rateBps, link.delayPs, link.errorRate);
    }
    try
    {
        graph.Validate();
        CheckServers(graph, header);
        CheckNames(graph, lines);
    }
    catch (const FabricError& error)
    {
        throw FabricError(firstLine + ": " + error.what());
    }
    graph.DeriveTiers();
    return graph;
}

} // namespace

FabricGraph
ReadHpccTopology(const std::string& path)
{
    FabricTextReader reader(path);
    const bool hasLine = reader.Next();
    if (hasLine && reader.GetFields()[0][0] == '<')
    {
        reader.Refuse("this is XML, such as GraphML, and no topology file; 'dcfabric graphml "
                      "FILE.graphml --out FILE.topo' makes one of it "
                      "(doc/howto/topology-zoo.rst)");
    }
    try
    {
        if (!hasLine)
        {
            reader.RefuseLine(1, "the file is empty; expected 'node_num switch_num link_num'");
        }
        return ReadNetwork(reader, path);
    }
    catch (const FabricError& error)
    {
        throw FabricError(error.GetText() + " (the format: doc/howto/own-topology.rst)");
    }
}

namespace
{

/// @return shortest exact text that ns-3 reads
std::string
FormatRate(uint64_t rateBps)
{
    if (rateBps % BPS_PER_GBPS == 0)
    {
        return std::to_string(rateBps / BPS_PER_GBPS) + "Gbps";
    }
    if (rateBps % MEGA == 0)
    {
        return std::to_string(rateBps / MEGA) + "Mbps";
    }
    return std::to_string(rateBps) + "bps";
}

/// @return six decimals, as in the public files, or as many digits as it takes to read the same
/// value back
std::string
FormatErrorRate(double rate)
{
    char text[64];
    std::snprintf(text, sizeof(text), "%.6f", rate);
    if (ParseFabricDouble(text, "error rate", 0.0, 1.0) != rate)
    {
        std::snprintf(text, sizeof(text), "%.17g", rate);
    }
    return text;
}

/// @return lines of nodes that have a name of their own, or a place
std::string
FormatNodes(const FabricGraph& graph)
{
    std::map<std::string, uint32_t> counts;
    for (uint32_t node = 0; node < graph.GetNNodes(); ++node)
    {
        counts[graph.GetName(node)]++;
    }
    std::string text;
    for (uint32_t node = 0; node < graph.GetNNodes(); ++node)
    {
        const std::string number = std::to_string(node);
        const std::string usual = (graph.IsHost(node)       ? "host-"
                                   : graph.IsNvSwitch(node) ? "nvswitch-"
                                                            : "switch-") +
                                  number;
        const std::string& name = graph.GetName(node);
        const bool isOwn = name != usual && counts[name] == 1 && IsWritableNodeName(name);
        const auto place = graph.GetPlaces().find(node);
        const bool hasPlace = place != graph.GetPlaces().end();
        if (isOwn || hasPlace)
        {
            text += "node " + number + " " + (isOwn ? name : usual);
            if (hasPlace)
            {
                char xy[64];
                std::snprintf(xy,
                              sizeof(xy),
                              " %.17g %.17g",
                              place->second.first,
                              place->second.second);
                text += xy;
            }
            text += "\n";
        }
    }
    return text;
}

} // namespace

void
WriteHpccTopology(const FabricGraph& graph, const std::string& path)
{
    std::string nvIds;
    std::string ids;
    uint32_t nvSwitches = 0;
    std::size_t gpusPerServer = 0;
    for (uint32_t i = 0; i < graph.GetNNodes(); i++)
    {
        if (graph.IsNvSwitch(i))
        {
            nvIds += std::to_string(i) + " ";
            nvSwitches++;
            gpusPerServer = std::max(gpusPerServer, ListHosts(graph, i).size());
        }
        else if (!graph.IsHost(i))
        {
            ids += (ids.empty() ? "" : " ") + std::to_string(i);
        }
    }
    std::string text = std::to_string(graph.GetNNodes()) + " ";
    if (nvSwitches > 0)
    {
        text += std::to_string(gpusPerServer) + " " + std::to_string(nvSwitches) + " ";
    }
    text += std::to_string(graph.GetNSwitches() - nvSwitches) + " " +
            std::to_string(graph.GetNLinks()) + (nvSwitches > 0 ? " NONE\n" : "\n");
    text += nvIds + ids + "\n";
    for (const auto& link : graph.GetLinks())
    {
        const bool wholeNs = link.delayPs % FabricTime::PS_PER_NS == 0;
        text += std::to_string(link.a) + " " + std::to_string(link.b) + " " +
                FormatRate(link.rateBps) + " " +
                std::to_string(wholeNs ? link.delayPs / FabricTime::PS_PER_NS : link.delayPs) +
                (wholeNs ? "ns " : "ps ") + FormatErrorRate(link.errorRate) + "\n";
    }
    WriteFabricTextFile(path, text + FormatNodes(graph));
}

} // namespace ns3
