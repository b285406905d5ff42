// SPDX-License-Identifier: GPL-2.0-only
#include "host-islands.h"

#include <algorithm>
#include <iterator>

namespace ns3
{

namespace
{

/// @return by node, of switches: a switch that stands for its island
std::vector<uint32_t>
FindIslands(const FabricGraph& graph)
{
    const uint32_t none = graph.GetNNodes();
    std::vector<uint32_t> island(graph.GetNNodes(), none);
    std::vector<uint32_t> stack;
    for (uint32_t start = 0; start < graph.GetNNodes(); ++start)
    {
        if (graph.IsHost(start) || island[start] != none)
        {
            continue;
        }
        island[start] = start;
        stack.push_back(start);
        while (!stack.empty())
        {
            const uint32_t node = stack.back();
            stack.pop_back();
            const FabricGraph::Port* ports = graph.GetPorts(node);
            for (uint32_t p = 0; p < graph.GetDegree(node); ++p)
            {
                const uint32_t peer = ports[p].peer;
                if (!graph.IsHost(peer) && island[peer] == none)
                {
                    island[peer] = start;
                    stack.push_back(peer);
                }
            }
        }
    }
    return island;
}

} // namespace

HostIslands::HostIslands(const FabricGraph& graph)
    : m_touched(graph.GetNNodes())
{
    const std::vector<uint32_t> island = FindIslands(graph);
    std::vector<uint32_t> common;
    for (const uint32_t host : graph.GetHosts())
    {
        std::vector<uint32_t>& touched = m_touched[host];
        touched.push_back(host);
        for (uint32_t p = 0; p < graph.GetDegree(host); ++p)
        {
            const uint32_t peer = graph.GetPort(host, p).peer;
            touched.push_back(graph.IsHost(peer) ? peer : island[peer]);
        }
        std::sort(touched.begin(), touched.end());
        std::vector<uint32_t> both;
        std::set_intersection(common.begin(),
                              common.end(),
                              touched.begin(),
                              touched.end(),
                              std::back_inserter(both));
        common = host == graph.GetHosts().front() ? touched : both;
    }
    m_joinAll = !common.empty();
}

bool
HostIslands::Join(uint32_t a, uint32_t b) const
{
    const std::vector<uint32_t>& x = m_touched[a];
    const std::vector<uint32_t>& y = m_touched[b];
    for (auto i = x.begin(), j = y.begin(); i != x.end() && j != y.end();)
    {
        if (*i == *j)
        {
            return true;
        }
        *i < *j ? ++i : ++j;
    }
    return false;
}

} // namespace ns3
