// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief Forwarding tables of RoutingBuilder, from distances or trees.
 */
#include "routing-builder.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <vector>

namespace ns3
{

ForwardingTable
RoutingBuilder::BuildTable(uint32_t node) const
{
    ForwardingTable table(m_classes);
    if (m_graph.IsHost(node))
    {
        FillForHost(table, node);
        return table;
    }
    std::map<uint32_t, std::vector<uint16_t>> local;
    for (uint32_t p = 0; p < m_graph.GetDegree(node); ++p)
    {
        const auto [link, peer] = m_graph.GetPort(node, p);
        if (m_graph.IsHost(peer) && !IsDown(link))
        {
            local[peer].push_back(static_cast<uint16_t>(p));
        }
    }
    for (const auto& [host, hostPorts] : local)
    {
        table.SetLocal(host,
                       hostPorts,
                       static_cast<uint16_t>(m_lastHops[m_classes->classOf[host]].size()));
    }
    if (m_trees)
    {
        FillFromTrees(table, node);
    }
    else
    {
        FillFromDistances(table, node);
    }
    return table;
}

uint16_t
RoutingBuilder::GetTreePort(uint32_t tree, uint32_t node, uint32_t destinationClass) const
{
    // hosts with several last-hop switches: tree by tree another one, if there is a way
    const auto& lastHops = m_lastHops[destinationClass];
    uint16_t port = SpanningTrees::NO_PORT;
    for (std::size_t i = 0; i < lastHops.size() && port == SpanningTrees::NO_PORT; ++i)
    {
        port = m_trees->GetPort(tree, node, lastHops[(tree + i) % lastHops.size()]);
    }
    return port;
}

void
RoutingBuilder::FillFromTrees(ForwardingTable& table, uint32_t node) const
{
    std::vector<uint16_t> group;
    for (uint32_t c = 0; c < m_lastHops.size(); ++c)
    {
        if (GetDistance(node, c) == 0)
        {
            table.SetLocalClass(c);
            continue;
        }
        group.clear();
        for (uint32_t tree = 0; tree < m_trees->GetN(); ++tree)
        {
            const uint16_t port = GetTreePort(tree, node, c);
            if (port != SpanningTrees::NO_PORT)
            {
                group.push_back(port);
            }
        }
        table.SetGroup(c, group, {0});
    }
}

std::vector<uint16_t>
RoutingBuilder::ListSwitchPorts(uint32_t node) const
{
    const FabricGraph::Port* ports = m_graph.GetPorts(node);
    std::vector<uint16_t> byPeer;
    for (uint32_t p = 0, degree = m_graph.GetDegree(node); p < degree; ++p)
    {
        if (!m_graph.IsHost(ports[p].peer) && !IsDown(ports[p].link))
        {
            byPeer.push_back(static_cast<uint16_t>(p));
        }
    }
    std::stable_sort(byPeer.begin(), byPeer.end(), [ports](uint16_t a, uint16_t b) {
        return ports[a].peer < ports[b].peer;
    });
    return byPeer;
}

void
RoutingBuilder::FillForHost(ForwardingTable& table, uint32_t host) const
{
    const FabricGraph::Port* ports = m_graph.GetPorts(host);
    const std::vector<uint16_t> byPeer = ListSwitchPorts(host);
    const uint32_t source = m_classes->classOf[host];
    const auto ways = static_cast<uint16_t>(std::max<std::size_t>(1, m_lastHops[source].size()));
    std::map<uint32_t, std::vector<uint16_t>> direct; // to hosts that a link joins to this one
    std::set<uint32_t> directClasses;
    for (uint32_t p = 0; p < m_graph.GetDegree(host); ++p)
    {
        if (m_graph.IsHost(ports[p].peer) && !IsDown(ports[p].link))
        {
            direct[ports[p].peer].push_back(static_cast<uint16_t>(p));
            directClasses.insert(m_classes->classOf[ports[p].peer]);
        }
    }
    for (uint32_t c = 0; c < m_lastHops.size(); ++c)
    {
        std::vector<uint16_t> group;
        std::vector<uint16_t> neighbors;
        for (const uint32_t i : ListNearest(source, c))
        {
            neighbors.push_back(static_cast<uint16_t>(group.size()));
            std::copy_if(byPeer.begin(), byPeer.end(), std::back_inserter(group), [&](uint16_t p) {
                return ports[p].peer == m_lastHops[source][i];
            });
        }
        constexpr uint16_t TIER = 1;
        if (directClasses.count(c) == 0)
        {
            table.SetGroup(c, group, neighbors, TIER, ways);
            continue;
        }
        table.SetLocalClass(c);
        for (const uint32_t other : m_graph.GetHosts())
        {
            if (m_classes->classOf[other] == c && direct.count(other) == 0)
            {
                table.SetLocalGroup(other, group, neighbors, TIER, ways);
            }
        }
    }
    for (const auto& [other, links] : direct)
    {
        table.SetLocal(other, links);
    }
}

void
RoutingBuilder::FillFromDistances(ForwardingTable& table, uint32_t node) const
{
    const FabricGraph::Port* ports = m_graph.GetPorts(node);
    const std::vector<uint16_t> byPeer = ListSwitchPorts(node); // groups neighbor by neighbor
    std::vector<uint16_t> group;
    std::vector<uint16_t> neighbors;
    for (uint32_t c = 0; c < m_lastHops.size(); ++c)
    {
        const uint16_t distance = GetDistance(node, c);
        if (distance == 0)
        {
            table.SetLocalClass(c);
            continue;
        }
        group.clear();
        neighbors.clear();
        uint32_t lastPeer = UINT32_MAX;
        VisitWays(
            node,
            c,
            static_cast<uint32_t>(byPeer.size()),
            [&byPeer](uint32_t i) { return byPeer[i]; },
            [&](uint32_t port, uint32_t peer) {
                if (peer != lastPeer)
                {
                    neighbors.push_back(static_cast<uint16_t>(group.size()));
                    lastPeer = peer;
                }
                group.push_back(static_cast<uint16_t>(port));
            });
        if (!m_capacityBps.empty() && group.size() > 1)
        {
            Weigh(node, c, group, neighbors);
        }
        const uint16_t tier =
            group.empty() ? PortGroup::NO_TIER : m_graph.GetNode(ports[group[0]].peer).tier;
        table.SetGroup(c, group, neighbors, tier);
    }
}

} // namespace ns3
