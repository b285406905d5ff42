// SPDX-License-Identifier: GPL-2.0-only
#include "dragonfly-vias.h"

#include "switch-rails.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace ns3
{

DragonflyVias::DragonflyVias(const FabricGraph& graph, HopCounter hops)
    : m_hops(std::move(hops)),
      m_placeOf(graph.GetNNodes(), 0)
{
    const std::vector<uint32_t> rails = FindSwitchRails(graph);
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> places;
    for (uint32_t node = 0; node < graph.GetNNodes(); ++node)
    {
        m_groupOf.push_back(graph.GetNode(node).pod);
        if (!graph.IsHost(node))
        {
            const std::pair<uint32_t, uint32_t> key{rails[node], m_groupOf[node]};
            m_placeOf[node] =
                places.emplace(key, static_cast<uint32_t>(places.size())).first->second;
        }
    }
    m_farEnds.resize(places.size());
    for (const FabricLink& link : graph.GetLinks())
    {
        if (!graph.IsHost(link.a) && !graph.IsHost(link.b) &&
            m_groupOf[link.a] != m_groupOf[link.b])
        {
            m_farEnds[m_placeOf[link.a]].push_back(link.b);
            m_farEnds[m_placeOf[link.b]].push_back(link.a);
        }
    }
}

std::vector<uint32_t>
DragonflyVias::List(uint32_t node, uint32_t dst) const
{
    std::vector<uint32_t> vias;
    if (m_groupOf[dst] != m_groupOf[node])
    {
        const std::vector<uint32_t>& switches = m_farEnds[m_placeOf[node]];
        std::copy_if(switches.begin(), switches.end(), std::back_inserter(vias), [&](uint32_t via) {
            return m_groupOf[via] != m_groupOf[dst];
        });
    }
    return vias;
}

uint32_t
DragonflyVias::Draw(uint32_t node, uint32_t dst, double draw) const
{
    const uint32_t target = m_groupOf[dst];
    if (target == m_groupOf[node])
    {
        return NONE;
    }
    // a link to the receiver's group is one of them: a third group has no more than its share
    const std::vector<uint32_t>& switches = m_farEnds[m_placeOf[node]];
    if (switches.empty())
    {
        return NONE;
    }
    const auto number =
        std::min(static_cast<std::size_t>(draw * static_cast<double>(switches.size())),
                 switches.size() - 1);
    return m_groupOf[switches[number]] == target ? NONE : switches[number];
}

ProgressiveVias::ProgressiveVias(const FabricGraph& graph, HopCounter hops)
    : DragonflyVias(graph, std::move(hops))
{
    for (uint32_t node = 0; node < graph.GetNNodes(); ++node)
    {
        m_isHost.push_back(graph.IsHost(node));
    }
}

} // namespace ns3
