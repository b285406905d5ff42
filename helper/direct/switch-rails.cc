// SPDX-License-Identifier: GPL-2.0-only
#include "switch-rails.h"

#include <algorithm>

namespace ns3
{

std::vector<uint32_t>
FindSwitchRails(const FabricGraph& graph)
{
    std::vector<uint32_t> rails(graph.GetNNodes(), UINT32_MAX);
    for (uint32_t start = 0; start < graph.GetNNodes(); ++start)
    {
        if (graph.IsHost(start) || rails[start] != UINT32_MAX)
        {
            continue;
        }
        rails[start] = start;
        std::vector<uint32_t> open{start};
        while (!open.empty())
        {
            const uint32_t node = open.back();
            open.pop_back();
            for (uint32_t p = 0; p < graph.GetDegree(node); ++p)
            {
                const uint32_t peer = graph.GetPort(node, p).peer;
                if (!graph.IsHost(peer) && rails[peer] == UINT32_MAX)
                {
                    rails[peer] = start;
                    open.push_back(peer);
                }
            }
        }
    }
    return rails;
}

uint64_t
FindSlowestLink(const FabricGraph& graph)
{
    uint64_t slowest = UINT64_MAX;
    for (const FabricLink& link : graph.GetLinks())
    {
        if (!graph.IsHost(link.a) && !graph.IsHost(link.b))
        {
            slowest = std::min(slowest, link.rateBps);
        }
    }
    return slowest;
}

} // namespace ns3
