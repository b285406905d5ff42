// SPDX-License-Identifier: GPL-2.0-only
#include "fault-place.h"

#include "ns3/fabric-error.h"
#include "ns3/node-names.h"

#include <string>
#include <vector>

namespace ns3
{

namespace
{

/// @return the number of the node of an end; refuses one that does not exist
uint32_t
FindNode(const FabricGraph& graph, const FabricFault& fault, const FabricFault::End& end)
{
    const uint32_t node = FindFabricNode(graph,
                                         end.name.empty() ? std::to_string(end.node) : end.name,
                                         NameFault(fault));
    if (end.port != FabricFault::End::ANY_PORT && end.port >= graph.GetDegree(node))
    {
        throw FabricError(NameFault(fault) + "node " + std::to_string(node) + " has no port " +
                          std::to_string(end.port) + "; its ports are 0 to " +
                          std::to_string(graph.GetDegree(node) - 1));
    }
    return node;
}

/// @return numbers in a list
std::string
Join(const std::vector<uint32_t>& numbers)
{
    std::string text;
    for (const uint32_t number : numbers)
    {
        text += (text.empty() ? "" : ", ") + std::to_string(number);
    }
    return text;
}

/// @return ports of a node that lead to another
std::vector<uint32_t>
ListPorts(const FabricGraph& graph, uint32_t from, uint32_t to)
{
    std::vector<uint32_t> ports;
    for (uint32_t port = 0; port < graph.GetDegree(from); ++port)
    {
        if (graph.GetPort(from, port).peer == to)
        {
            ports.push_back(port);
        }
    }
    return ports;
}

/// @return the link that a fault means, with the port at its first end
PlacedFault
FindLink(const FabricGraph& graph, const FabricFault& fault)
{
    const uint32_t from = FindNode(graph, fault, fault.a);
    const uint32_t to = FindNode(graph, fault, fault.b);
    const std::vector<uint32_t> all = ListPorts(graph, from, to);
    const std::string between = "nodes " + std::to_string(from) + " and " + std::to_string(to);
    if (all.empty())
    {
        throw FabricError(NameFault(fault) + between + " have no link");
    }
    std::vector<uint32_t> meant;
    for (const uint32_t port : all)
    {
        const uint32_t link = graph.GetPort(from, port).link;
        const bool a = fault.a.port == FabricFault::End::ANY_PORT || fault.a.port == port;
        const bool b = fault.b.port == FabricFault::End::ANY_PORT ||
                       graph.GetPort(to, fault.b.port).link == link;
        if (a && b)
        {
            meant.push_back(port);
        }
    }
    if (meant.empty())
    {
        throw FabricError(NameFault(fault) + between +
                          " have no link at these ports; those of node " + std::to_string(from) +
                          " that lead there are " + Join(all));
    }
    if (meant.size() > 1)
    {
        throw FabricError(NameFault(fault) + between + " have " + std::to_string(meant.size()) +
                          " links; name one by its port, as in " + std::to_string(from) + ":" +
                          std::to_string(all[0]) + " (ports " + Join(all) + ")");
    }
    return {&fault, graph.GetPort(from, meant[0]).link, from, meant[0]};
}

} // namespace

FabricText
NameFault(const FabricFault& fault)
{
    return (fault.place.IsEmpty() ? "fault '" + fault.ToText() + "'" : fault.place) + ": ";
}

PlacedFault
PlaceFault(const FabricGraph& graph, const FabricFault& fault)
{
    if (fault.IsOfNode())
    {
        return {&fault, PlacedFault::NO_LINK, FindNode(graph, fault, fault.a), 0};
    }
    return FindLink(graph, fault);
}

} // namespace ns3
