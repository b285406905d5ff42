// SPDX-License-Identifier: GPL-2.0-only
#include "allowed-paths.h"

#include "ns3/fabric-error.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ns3
{

namespace
{

/// Keep a shape, unless another one makes it needless; drop those that it makes needless.
void
AddShape(std::vector<PathShape>& shapes, PathShape added)
{
    if (std::any_of(shapes.begin(), shapes.end(), [&](const PathShape& shape) {
            return shape.IsAtLeastAsFastAs(added);
        }))
    {
        return;
    }
    shapes.erase(
        std::remove_if(shapes.begin(),
                       shapes.end(),
                       [&](const PathShape& shape) { return added.IsAtLeastAsFastAs(shape); }),
        shapes.end());
    shapes.push_back(std::move(added));
}

/// @return a link and then a path
PathShape
Prepend(const PathShape& shape, int64_t delayPs, uint64_t rateBps)
{
    PathShape longer{delayPs + shape.delayPs, {rateBps}};
    longer.ratesBps.insert(longer.ratesBps.end(), shape.ratesBps.begin(), shape.ratesBps.end());
    return longer;
}

/// @return a path and one more link
PathShape
Append(PathShape shape, const AllowedPaths::Link& link)
{
    shape.delayPs += link.delayPs;
    shape.ratesBps.push_back(link.rateBps);
    return shape;
}

} // namespace

bool
PathShape::IsAtLeastAsFastAs(const PathShape& o) const
{
    // link by link: an order that holds whatever is put before or behind both, for any message
    return delayPs <= o.delayPs && ratesBps.size() == o.ratesBps.size() &&
           std::equal(ratesBps.begin(),
                      ratesBps.end(),
                      o.ratesBps.begin(),
                      [](uint64_t a, uint64_t b) { return a >= b; });
}

AllowedPaths::AllowedPaths(const FabricGraph& graph, const RoutingBuilder& routing)
    : m_graph(graph),
      m_routing(routing)
{
    for (const uint32_t host : graph.GetHosts())
    {
        for (uint32_t p = 0; p < graph.GetDegree(host); ++p)
        {
            const uint32_t peer = graph.GetPort(host, p).peer;
            if (!graph.IsHost(peer))
            {
                m_firstHops.push_back(peer);
            }
        }
    }
    std::sort(m_firstHops.begin(), m_firstHops.end());
    m_firstHops.erase(std::unique(m_firstHops.begin(), m_firstHops.end()), m_firstHops.end());
}

AllowedPaths::Link
AllowedPaths::MakeLink(uint32_t from, uint32_t port) const
{
    const FabricGraph::Port& taken = m_graph.GetPort(from, port);
    const FabricLink& link = m_graph.GetLinks()[taken.link];
    return {from, port, taken.peer, link.rateBps, link.delayPs};
}

std::vector<AllowedPaths::Link>
AllowedPaths::WalkTree(uint32_t tree, uint32_t from, uint32_t cls) const
{
    std::vector<Link> links;
    uint32_t node = from;
    while (m_routing.GetDistance(node, cls) != 0)
    {
        const uint16_t port = m_routing.GetTreePort(tree, node, cls);
        if (port == SpanningTrees::NO_PORT || links.size() > m_graph.GetNNodes())
        {
            return {};
        }
        links.push_back(MakeLink(node, port));
        node = links.back().to;
    }
    return links;
}

std::vector<AllowedPaths::Link>
AllowedPaths::ListSwitchLinks(uint32_t from, uint32_t cls) const
{
    std::vector<Link> links;
    if (const SpanningTrees* trees = m_routing.GetTrees())
    {
        for (uint32_t tree = 0; tree < trees->GetN(); ++tree)
        {
            const std::vector<Link> way = WalkTree(tree, from, cls);
            links.insert(links.end(), way.begin(), way.end());
        }
        return links;
    }
    std::vector<uint32_t> order{from};
    std::set<uint32_t> seen{from};
    for (std::size_t i = 0; i < order.size(); ++i)
    {
        const uint32_t node = order[i];
        const FabricGraph::Port* ports = m_graph.GetPorts(node);
        for (uint32_t p = 0, degree = m_graph.GetDegree(node); p < degree; ++p)
        {
            const uint32_t peer = ports[p].peer;
            if (m_routing.LeadsTo(node, p, cls))
            {
                links.push_back(MakeLink(node, p));
                if (seen.insert(peer).second)
                {
                    order.push_back(peer);
                }
            }
        }
    }
    return links;
}

uint32_t
AllowedPaths::Keep(const Shapes& shapes) const
{
    const auto [entry, fresh] =
        m_numbers.try_emplace(shapes, static_cast<uint32_t>(m_shapes.size()));
    if (fresh)
    {
        m_shapes.push_back(&entry->first);
    }
    return entry->second;
}

uint32_t
AllowedPaths::Join(const std::vector<Way>& ways) const
{
    const auto known = m_joined.find(ways);
    if (known != m_joined.end())
    {
        return known->second;
    }
    std::map<uint32_t, std::vector<PathShape>> byPlace;
    for (const auto& [onwards, delayPs, rateBps] : ways)
    {
        for (const auto& [place, shape] : *m_shapes[onwards])
        {
            AddShape(byPlace[place], Prepend(shape, delayPs, rateBps));
        }
    }
    Shapes found;
    for (const auto& [place, shapes] : byPlace)
    {
        for (const PathShape& shape : shapes)
        {
            found.emplace(place, shape);
        }
    }
    return m_joined[ways] = Keep(found);
}

std::vector<uint32_t>
AllowedPaths::FindShortest(uint32_t cls) const
{
    const std::vector<uint32_t>& lastHops = m_routing.GetLastHops(cls);
    std::vector<uint32_t> byNode(m_graph.GetNNodes(), UINT32_MAX);
    for (uint32_t place = 0; place < lastHops.size(); ++place)
    {
        byNode[lastHops[place]] = Keep({{place, PathShape()}});
    }
    std::vector<Way> ways;
    for (const uint32_t node : m_routing.ListByDistance(cls))
    {
        if (byNode[node] != UINT32_MAX)
        {
            continue; // a last hop
        }
        ways.clear();
        const FabricGraph::Port* const ports = m_graph.GetPorts(node);
        const auto add = [&](uint32_t port, uint32_t /* index */) {
            const FabricLink& link = m_graph.GetLinks()[ports[port].link];
            const Way way{byNode[ports[port].peer], link.delayPs, link.rateBps};
            if (ways.empty() ||
                (ways.back() != way && std::find(ways.begin(), ways.end(), way) == ways.end()))
            {
                ways.push_back(way);
            }
        };
        const auto same = [](uint32_t port) { return port; };
        m_routing.VisitWays(node, cls, m_graph.GetDegree(node), same, add);
        std::sort(ways.begin(), ways.end());
        byNode[node] = Join(ways);
    }
    std::vector<uint32_t> found;
    found.reserve(m_firstHops.size());
    for (const uint32_t node : m_firstHops)
    {
        found.push_back(byNode[node] == UINT32_MAX ? Keep({}) : byNode[node]);
    }
    return found;
}

AllowedPaths::Shapes
AllowedPaths::FindOnTrees(uint32_t from, uint32_t cls) const
{
    Shapes found;
    const std::vector<uint32_t>& lastHops = m_routing.GetLastHops(cls);
    for (uint32_t tree = 0; tree < m_routing.GetTrees()->GetN(); ++tree)
    {
        PathShape shape;
        uint32_t end = from;
        for (const Link& link : WalkTree(tree, from, cls))
        {
            shape = Append(std::move(shape), link);
            end = link.to;
        }
        const auto place = std::lower_bound(lastHops.begin(), lastHops.end(), end);
        if (place != lastHops.end() && *place == end)
        {
            found.emplace(static_cast<uint32_t>(place - lastHops.begin()), shape);
        }
    }
    return found;
}

const AllowedPaths::Shapes&
AllowedPaths::GetShapes(uint32_t from, uint32_t cls) const
{
    if (m_routing.GetTrees())
    {
        const auto [entry, fresh] = m_onTrees.try_emplace({from, cls}, 0);
        if (fresh)
        {
            entry->second = Keep(FindOnTrees(from, cls));
        }
        return *m_shapes[entry->second];
    }
    std::vector<uint32_t>& known = m_shortest[cls];
    if (known.empty())
    {
        known = FindShortest(cls);
    }
    const auto place = std::lower_bound(m_firstHops.begin(), m_firstHops.end(), from);
    return *m_shapes[known[static_cast<std::size_t>(place - m_firstHops.begin())]];
}

std::vector<PathShape>
AllowedPaths::ListShapes(uint32_t src, uint32_t dst) const
{
    m_routing.CheckPair(src, dst);
    const uint32_t cls = m_routing.GetClasses()->classOf[dst];
    const std::vector<uint32_t>& lastHops = m_routing.GetLastHops(cls);
    std::vector<PathShape> shapes;
    for (const uint16_t port : m_routing.ListPorts(src, dst))
    {
        const Link first = MakeLink(src, port);
        if (first.to == dst)
        {
            AddShape(shapes, Append({}, first));
            continue;
        }
        for (const auto& [place, between] : GetShapes(first.to, cls))
        {
            for (uint32_t p = 0; p < m_graph.GetDegree(dst); ++p)
            {
                if (m_graph.GetPort(dst, p).peer != lastHops[place])
                {
                    continue;
                }
                PathShape shape{first.delayPs + between.delayPs, {first.rateBps}};
                shape.ratesBps.insert(shape.ratesBps.end(),
                                      between.ratesBps.begin(),
                                      between.ratesBps.end());
                AddShape(shapes, Append(std::move(shape), MakeLink(dst, p)));
            }
        }
    }
    if (shapes.empty())
    {
        throw FabricError("no path from host " + std::to_string(src) + " to host " +
                          std::to_string(dst));
    }
    return shapes;
}

std::vector<AllowedPaths::Link>
AllowedPaths::ListLinks(uint32_t src, uint32_t dst) const
{
    m_routing.CheckPair(src, dst);
    const uint32_t cls = m_routing.GetClasses()->classOf[dst];
    std::vector<Link> links;
    std::set<uint32_t> begins;
    for (const uint16_t port : m_routing.ListPorts(src, dst))
    {
        links.push_back(MakeLink(src, port));
        if (links.back().to != dst)
        {
            begins.insert(links.back().to);
        }
    }
    std::set<uint32_t> ends;
    std::vector<Link> between;
    std::set<std::pair<uint32_t, uint32_t>> seen; // ways join
    for (const uint32_t begin : begins)
    {
        if (m_routing.GetDistance(begin, cls) == 0)
        {
            ends.insert(begin);
        }
        for (const Link& link : ListSwitchLinks(begin, cls))
        {
            if (seen.emplace(link.from, link.port).second)
            {
                between.push_back(link);
            }
            if (m_routing.GetDistance(link.to, cls) == 0)
            {
                ends.insert(link.to);
            }
        }
    }
    // nearest to the source first
    std::stable_sort(between.begin(), between.end(), [&](const Link& a, const Link& b) {
        return m_routing.GetDistance(a.from, cls) > m_routing.GetDistance(b.from, cls);
    });
    links.insert(links.end(), between.begin(), between.end());
    for (uint32_t p = 0; p < m_graph.GetDegree(dst); ++p)
    {
        const Link last = MakeLink(dst, p);
        if (ends.count(last.to) == 1)
        {
            links.push_back({last.to, UINT32_MAX, dst, last.rateBps, last.delayPs});
        }
    }
    return links;
}

} // namespace ns3
