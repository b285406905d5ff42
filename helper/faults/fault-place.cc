// SPDX-License-Identifier: GPL-2.0-only
#include "fault-place.h"

#include "ns3/fabric-error.h"

#include <string>
#include <vector>

namespace ns3
{

namespace
{

/// Refuse an end that does not exist.
void
CheckEnd(const FabricGraph& graph, const FabricFault& fault, const FabricFault::End& end)
{
    if (end.node >= graph.GetNNodes())
    {
        throw FabricError(NameFault(fault) + "there is no node " + std::to_string(end.node) +
                          "; nodes are 0 to " + std::to_string(graph.GetNNodes() - 1));
    }
    if (end.port != FabricFault::End::ANY_PORT && end.port >= graph.GetDegree(end.node))
    {
        throw FabricError(NameFault(fault) + "node " + std::to_string(end.node) + " has no port " +
                          std::to_string(end.port) + "; its ports are 0 to " +
                          std::to_string(graph.GetDegree(end.node) - 1));
    }
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

/// @return the port of node a at the link that a fault means
uint32_t
FindPort(const FabricGraph& graph, const FabricFault& fault)
{
    CheckEnd(graph, fault, fault.a);
    CheckEnd(graph, fault, fault.b);
    const std::vector<uint32_t> all = ListPorts(graph, fault.a.node, fault.b.node);
    const std::string between =
        "nodes " + std::to_string(fault.a.node) + " and " + std::to_string(fault.b.node);
    if (all.empty())
    {
        throw FabricError(NameFault(fault) + between + " have no link");
    }
    std::vector<uint32_t> meant;
    for (const uint32_t port : all)
    {
        const uint32_t link = graph.GetPort(fault.a.node, port).link;
        const bool a = fault.a.port == FabricFault::End::ANY_PORT || fault.a.port == port;
        const bool b = fault.b.port == FabricFault::End::ANY_PORT ||
                       graph.GetPort(fault.b.node, fault.b.port).link == link;
        if (a && b)
        {
            meant.push_back(port);
        }
    }
    if (meant.empty())
    {
        throw FabricError(NameFault(fault) + between +
                          " have no link at these ports; those of node " +
                          std::to_string(fault.a.node) + " that lead there are " + Join(all));
    }
    if (meant.size() > 1)
    {
        throw FabricError(NameFault(fault) + between + " have " + std::to_string(meant.size()) +
                          " links; name one by its port, as in " + std::to_string(fault.a.node) +
                          ":" + std::to_string(all[0]) + " (ports " + Join(all) + ")");
    }
    return meant[0];
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
        CheckEnd(graph, fault, fault.a);
        return {&fault, PlacedFault::NO_LINK, fault.a.node, 0};
    }
    const uint32_t port = FindPort(graph, fault);
    return {&fault, graph.GetPort(fault.a.node, port).link, fault.a.node, port};
}

} // namespace ns3
