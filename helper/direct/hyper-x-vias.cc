// SPDX-License-Identifier: GPL-2.0-only
#include "hyper-x-vias.h"

#include "switch-rails.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace ns3
{

HyperXVias::HyperXVias(const FabricGraph& graph,
                       std::shared_ptr<const GridPlaces> places,
                       HopCounter hops)
    : m_places(std::move(places)),
      m_hops(std::move(hops)),
      m_railOf(graph.GetNNodes(), 0)
{
    const std::vector<uint32_t> rails = FindSwitchRails(graph);
    std::map<uint32_t, uint32_t> numbers;
    for (uint32_t node = 0; node < graph.GetNNodes(); ++node)
    {
        if (graph.IsHost(node))
        {
            continue;
        }
        const auto [rail, isNew] =
            numbers.emplace(rails[node], static_cast<uint32_t>(numbers.size()));
        if (isNew)
        {
            m_switches.emplace_back();
        }
        m_railOf[node] = rail->second;
        m_switches[rail->second].push_back(node);
    }
}

bool
HyperXVias::LeadsPast(uint32_t from, uint32_t to, uint32_t place) const
{
    // in the dimensions that are done it is where the way ends, in the others where it begins
    uint32_t d = m_places->FindDifference(to, place);
    while (d < m_places->GetNDimensions() && m_places->Get(from, d) == m_places->Get(place, d))
    {
        ++d;
    }
    return d == m_places->GetNDimensions();
}

bool
HyperXVias::Suits(uint32_t node, uint32_t via, uint32_t dst) const
{
    return !LeadsPast(node, via, dst) && !LeadsPast(via, dst, node);
}

std::vector<uint32_t>
HyperXVias::List(uint32_t node, uint32_t dst) const
{
    std::vector<uint32_t> vias;
    const std::vector<uint32_t>& switches = m_switches[m_railOf[node]];
    std::copy_if(switches.begin(), switches.end(), std::back_inserter(vias), [&](uint32_t via) {
        return Suits(node, via, dst);
    });
    return vias;
}

uint32_t
HyperXVias::Draw(uint32_t node, uint32_t dst, double draw) const
{
    const std::vector<uint32_t>& switches = m_switches[m_railOf[node]];
    const auto number =
        std::min(static_cast<std::size_t>(draw * static_cast<double>(switches.size())),
                 switches.size() - 1);
    return Suits(node, switches[number], dst) ? switches[number] : NONE;
}

HyperXProgressiveVias::HyperXProgressiveVias(const FabricGraph& graph,
                                             std::shared_ptr<const GridPlaces> places,
                                             HopCounter hops)
    : HyperXVias(graph, std::move(places), std::move(hops))
{
    for (uint32_t node = 0; node < graph.GetNNodes(); ++node)
    {
        m_isHost.push_back(graph.IsHost(node));
    }
}

} // namespace ns3
