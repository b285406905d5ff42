// SPDX-License-Identifier: GPL-2.0-only
#include "node-names.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-spec.h"
#include "ns3/parse-units.h"

#include <vector>

namespace ns3
{

namespace
{

/// @return what nodes there are, for messages
std::string
DescribeNodes(const FabricGraph& graph)
{
    const uint32_t last = graph.GetNNodes() - 1;
    return "nodes are 0 to " + std::to_string(last) + ", or by name, such as " + graph.GetName(0) +
           " and " + graph.GetName(last);
}

} // namespace

bool
IsFabricNodeName(const std::string& text)
{
    return text.find_first_not_of("0123456789") != std::string::npos;
}

bool
IsWritableNodeName(const std::string& name)
{
    return IsFabricNodeName(name) && name.find_first_of(" ,:") == std::string::npos &&
           EscapeFabricText(name) == name;
}

uint32_t
FindFabricNode(const FabricGraph& graph, const std::string& text, const FabricText& before)
{
    if (!IsFabricNodeName(text))
    {
        const uint64_t node = ParseFabricUint(text, before + "node", 0, FabricGraph::MAX_NODES - 1);
        if (node >= graph.GetNNodes())
        {
            throw FabricError(before + "there is no node " + text + "; " + DescribeNodes(graph));
        }
        return static_cast<uint32_t>(node);
    }
    std::vector<uint32_t> found;
    std::vector<std::string> known;
    for (uint32_t node = 0; node < graph.GetNNodes(); ++node)
    {
        known.push_back(graph.GetName(node));
        if (known.back() == text)
        {
            found.push_back(node);
        }
    }
    if (found.empty())
    {
        throw FabricError(before + "there is no node " + QuoteFabricText(text) +
                          "; the nearest is " + FindNearestFabricName(text, known) + "; " +
                          DescribeNodes(graph));
    }
    if (found.size() > 1)
    {
        throw FabricError(before + FormatFabricCount(found.size(), "node") + " are called " +
                          QuoteFabricText(text) + "; name one by its number, such as " +
                          std::to_string(found.front()));
    }
    return found.front();
}

} // namespace ns3
