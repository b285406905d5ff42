// SPDX-License-Identifier: GPL-2.0-only
#include "routing-builder.h"

#include "ns3/fabric-error.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <utility>

namespace ns3
{

namespace
{

/// @return a number of hops as distances hold it
/// @throws FabricError if it is too large for that
uint16_t
ToDistance(uint32_t hops)
{
    if (hops >= UINT16_MAX)
    {
        throw FabricError("a switch is more than " + std::to_string(UINT16_MAX - 1) +
                          " links away from a host: ways so long are not supported");
    }
    return static_cast<uint16_t>(hops);
}

} // namespace

RoutingBuilder::RoutingBuilder(const FabricGraph& graph,
                               const RoutingAlgorithm* algorithm,
                               std::vector<bool> down,
                               bool toSwitches)
    : m_graph(graph),
      m_asked(algorithm),
      m_algorithm(algorithm && !algorithm->PermitsAll() ? algorithm : nullptr),
      m_down(std::move(down)),
      m_toSwitches(toSwitches || (algorithm && algorithm->MakeViaFeature(nullptr))),
      m_classes(std::make_shared<DestinationClasses>()),
      m_switchIndex(graph.GetNNodes(), 0)
{
    for (uint32_t node = 0; node < graph.GetNNodes(); ++node)
    {
        if (!graph.IsHost(node))
        {
            m_switchIndex[node] = static_cast<uint32_t>(m_nSwitches++);
            m_switches.push_back(node);
        }
    }
    FindPeers();
    m_classes->classOf.assign(graph.GetNNodes(), DestinationClasses::NONE);
    std::map<std::vector<uint32_t>, uint32_t> known;
    for (const uint32_t host : graph.GetHosts())
    {
        std::vector<uint32_t> lastHops;
        for (uint32_t p = 0; p < graph.GetDegree(host); ++p)
        {
            const auto [link, peer] = graph.GetPort(host, p);
            if (!graph.IsHost(peer) && !IsDown(link))
            {
                lastHops.push_back(peer);
            }
        }
        std::sort(lastHops.begin(), lastHops.end());
        lastHops.erase(std::unique(lastHops.begin(), lastHops.end()), lastHops.end());
        const auto [entry, fresh] =
            known.emplace(lastHops, static_cast<uint32_t>(m_lastHops.size()));
        if (fresh)
        {
            m_lastHops.push_back(lastHops);
        }
        m_classes->classOf[host] = entry->second;
    }
    m_nHostClasses = static_cast<uint32_t>(m_lastHops.size());
    if (m_toSwitches)
    {
        AddSwitches(known);
    }
    m_classes->nClasses = static_cast<uint32_t>(m_lastHops.size());
    m_distance.assign(m_lastHops.size() * m_nSwitches, UNREACHABLE);
    if (m_algorithm)
    {
        const std::vector<uint32_t> portsOfLinks = ListPortsOfLinks();
        for (uint32_t c = 0; c < m_lastHops.size(); ++c)
        {
            SearchPermitted(c, portsOfLinks);
            if (!m_down.empty())
            {
                AddDetours(c);
            }
        }
        if (m_down.empty())
        {
            CheckReachability(); // after failures, what is not reachable is not
        }
        return;
    }
    for (uint32_t c = 0; c < m_lastHops.size(); ++c)
    {
        Search(c);
    }
}

void
RoutingBuilder::FindPeers()
{
    m_firstPeer.reserve(m_graph.GetNNodes());
    m_peers.reserve(2 * std::size_t{m_graph.GetNLinks()});
    for (uint32_t node = 0; node < m_graph.GetNNodes(); ++node)
    {
        m_firstPeer.push_back(static_cast<uint32_t>(m_peers.size()));
        const FabricGraph::Port* ports = m_graph.GetPorts(node);
        for (uint32_t p = 0, degree = m_graph.GetDegree(node); p < degree; ++p)
        {
            const auto [link, peer] = ports[p];
            m_peers.push_back(m_graph.IsHost(peer) || IsDown(link) ? NO_PEER : m_switchIndex[peer]);
        }
    }
}

std::vector<uint32_t>
RoutingBuilder::ListByDistance(uint32_t destinationClass) const
{
    const uint16_t* const distances =
        m_distance.data() + static_cast<std::size_t>(destinationClass) * m_nSwitches;
    std::vector<std::vector<uint32_t>> byDistance;
    for (std::size_t i = 0; i < m_nSwitches; ++i)
    {
        const uint16_t distance = distances[i];
        if (distance == UNREACHABLE)
        {
            continue;
        }
        if (distance >= byDistance.size())
        {
            byDistance.resize(distance + std::size_t{1});
        }
        byDistance[distance].push_back(m_switches[i]);
    }
    std::vector<uint32_t> found;
    found.reserve(m_nSwitches);
    for (const std::vector<uint32_t>& nodes : byDistance)
    {
        found.insert(found.end(), nodes.begin(), nodes.end());
    }
    return found;
}

void
RoutingBuilder::AddSwitches(std::map<std::vector<uint32_t>, uint32_t>& known)
{
    for (uint32_t node = 0; node < m_graph.GetNNodes(); ++node)
    {
        if (!m_graph.IsHost(node))
        {
            const auto [entry, fresh] = known.emplace(std::vector<uint32_t>{node},
                                                      static_cast<uint32_t>(m_lastHops.size()));
            if (fresh)
            {
                m_lastHops.push_back(entry->first);
            }
            m_classes->classOf[node] = entry->second;
        }
    }
}

void
RoutingBuilder::Search(uint32_t destinationClass)
{
    uint16_t* distance = m_distance.data() + destinationClass * m_nSwitches;
    std::vector<uint32_t> frontier = m_lastHops[destinationClass];
    for (const uint32_t node : frontier)
    {
        distance[m_switchIndex[node]] = 0;
    }
    for (uint32_t hops = 1; !frontier.empty(); ++hops)
    {
        std::vector<uint32_t> next;
        for (const uint32_t node : frontier)
        {
            const uint32_t* peers = m_peers.data() + m_firstPeer[node];
            for (uint32_t p = 0, degree = m_graph.GetDegree(node); p < degree; ++p)
            {
                if (peers[p] != NO_PEER && distance[peers[p]] == UNREACHABLE)
                {
                    distance[peers[p]] = ToDistance(hops);
                    next.push_back(m_switches[peers[p]]);
                }
            }
        }
        frontier.swap(next);
    }
}

std::vector<uint32_t>
RoutingBuilder::ListPortsOfLinks() const
{
    std::vector<uint32_t> ports(2 * std::size_t{m_graph.GetNLinks()});
    for (uint32_t node = 0; node < m_graph.GetNNodes(); ++node)
    {
        for (uint32_t p = 0; p < m_graph.GetDegree(node); ++p)
        {
            const uint32_t link = m_graph.GetPorts(node)[p].link;
            ports[2 * std::size_t{link} + (m_graph.GetLinks()[link].a == node ? 0 : 1)] = p;
        }
    }
    return ports;
}

void
RoutingBuilder::SearchPermitted(uint32_t destinationClass,
                                const std::vector<uint32_t>& portsOfLinks)
{
    uint16_t* distance = m_distance.data() + destinationClass * m_nSwitches;
    const std::vector<uint32_t>& lastHops = m_lastHops[destinationClass];
    std::vector<uint32_t> rootOf(m_nSwitches, UINT32_MAX);
    uint32_t nRoots = 0;
    for (const uint32_t root : lastHops)
    {
        const uint32_t known = rootOf[m_switchIndex[root]];
        if (known != UINT32_MAX && m_algorithm->AreAlike(known, root))
        {
            continue; // searched from with that one
        }
        ++nRoots;
        std::vector<uint32_t> frontier;
        std::copy_if(
            lastHops.begin(),
            lastHops.end(),
            std::back_inserter(frontier),
            [&](uint32_t other) { return other == root || m_algorithm->AreAlike(root, other); });
        for (const uint32_t node : frontier)
        {
            CheckOneRoot(rootOf[m_switchIndex[node]], root, destinationClass);
            rootOf[m_switchIndex[node]] = root;
            distance[m_switchIndex[node]] = 0;
        }
        for (uint32_t hops = 1; !frontier.empty(); ++hops)
        {
            std::vector<uint32_t> next;
            for (const uint32_t node : frontier)
            {
                const FabricGraph::Port* ports = m_graph.GetPorts(node);
                for (uint32_t p = 0; p < m_graph.GetDegree(node); ++p)
                {
                    const uint32_t peer = ports[p].peer;
                    if (m_graph.IsHost(peer) || rootOf[m_switchIndex[peer]] == root ||
                        IsDown(ports[p].link))
                    {
                        continue;
                    }
                    const std::size_t link = ports[p].link;
                    const bool isA = m_graph.GetLinks()[link].a == peer;
                    if (m_algorithm->Permits(peer, portsOfLinks[2 * link + (isA ? 0 : 1)], root))
                    {
                        CheckOneRoot(rootOf[m_switchIndex[peer]], root, destinationClass);
                        rootOf[m_switchIndex[peer]] = root;
                        distance[m_switchIndex[peer]] = ToDistance(hops);
                        next.push_back(peer);
                    }
                }
            }
            frontier.swap(next);
        }
    }
    if (nRoots > 1)
    {
        m_rootOf[destinationClass] = std::move(rootOf);
    }
}

void
RoutingBuilder::AddDetours(uint32_t destinationClass)
{
    const std::size_t first = static_cast<std::size_t>(destinationClass) * m_nSwitches;
    std::vector<uint32_t> left;
    uint32_t farthest = 0; // of the switches with a way
    for (uint32_t node = 0; node < m_graph.GetNNodes(); ++node)
    {
        const uint16_t distance =
            m_graph.IsHost(node) ? uint16_t{0} : m_distance[first + m_switchIndex[node]];
        if (distance == UNREACHABLE)
        {
            left.push_back(node);
        }
        else
        {
            farthest = std::max<uint32_t>(farthest, distance);
        }
    }
    for (uint32_t hops = 1; !left.empty() && hops <= farthest + 1; ++hops)
    {
        const auto found = std::stable_partition(left.begin(), left.end(), [&](uint32_t node) {
            const FabricGraph::Port* ports = m_graph.GetPorts(node);
            const FabricGraph::Port* end = ports + m_graph.GetDegree(node);
            return std::none_of(ports, end, [&](const FabricGraph::Port& port) {
                return !m_graph.IsHost(port.peer) && !IsDown(port.link) &&
                       m_distance[first + m_switchIndex[port.peer]] + 1U == hops;
            });
        });
        m_detours.resize(m_distance.size(), false);
        for (auto node = found; node != left.end(); ++node)
        {
            m_distance[first + m_switchIndex[*node]] = ToDistance(hops);
            m_detours[first + m_switchIndex[*node]] = true;
            farthest = std::max(farthest, hops);
        }
        left.erase(found, left.end());
    }
}

void
RoutingBuilder::CheckOneRoot(uint32_t known, uint32_t root, uint32_t destinationClass) const
{
    if (known == UINT32_MAX)
    {
        return;
    }
    const auto& classOf = m_classes->classOf;
    const auto host = std::find(classOf.begin(), classOf.end(), destinationClass);
    throw FabricError("host " + std::to_string(host - classOf.begin()) + " has links to switches " +
                      m_graph.GetName(known) + " and " + m_graph.GetName(root) + ", and " +
                      FabricTerm::Class(m_algorithm->GetInstanceTypeId()) +
                      " does not know to which of them a packet is on its way; use " +
                      FabricTerm::Class("ns3::ShortestPathRouting") +
                      ", or a network for each link of a host (rails)");
}

bool
RoutingBuilder::IsPermitted(uint32_t node, uint32_t port, uint32_t destinationClass) const
{
    const auto several = m_rootOf.find(destinationClass);
    return m_algorithm->Permits(node,
                                port,
                                several == m_rootOf.end() ? m_lastHops[destinationClass].front()
                                                          : several->second[m_switchIndex[node]]);
}

void
RoutingBuilder::CheckReachability() const
{
    for (uint32_t c = 0; c < m_nHostClasses; ++c)
    {
        for (uint32_t d = 0; d < m_nHostClasses; ++d)
        {
            const auto& lastHops = m_lastHops[d];
            if (!lastHops.empty() && !m_lastHops[c].empty() &&
                std::all_of(lastHops.begin(), lastHops.end(), [&](uint32_t node) {
                    return GetDistance(node, c) == UNREACHABLE;
                }))
            {
                throw FabricError(
                    FabricTerm::Class(m_algorithm->GetInstanceTypeId()),
                    " permits no way from switch " + m_graph.GetName(lastHops.front()) +
                        " to switch " + m_graph.GetName(m_lastHops[c].front()),
                    {FabricRemedy::Use(FabricTerm::Class("ns3::ShortestPathRouting"))});
            }
        }
    }
}

void
RoutingBuilder::UseTrees(uint32_t nTrees)
{
    m_nTrees = nTrees;
    m_trees = std::make_unique<SpanningTrees>(m_graph, nTrees, m_down);
    std::vector<int64_t> costs;
    for (const FabricLink& link : m_graph.GetLinks())
    {
        costs.push_back(m_graph.IsHost(link.a) || m_graph.IsHost(link.b) ? 0 : 1);
    }
    m_maxTreeSwitches = static_cast<uint32_t>(m_trees->GetLongest(costs)) + 1;
}

std::unique_ptr<RoutingBuilder>
RoutingBuilder::BuildWithout(std::vector<bool> down) const
{
    auto builder =
        std::make_unique<RoutingBuilder>(m_graph, m_asked, std::move(down), m_toSwitches);
    if (m_trees)
    {
        builder->UseTrees(m_nTrees);
    }
    if (!m_capacityBps.empty())
    {
        builder->UseWeights();
    }
    return builder;
}

std::vector<uint32_t>
RoutingBuilder::ListNearest(uint32_t source, uint32_t destination) const
{
    const std::vector<uint32_t>& lastHops = m_lastHops[source];
    std::vector<uint32_t> nearest;
    // hops, then whether the way leaves the server
    std::pair<uint16_t, bool> least{UNREACHABLE, false};
    for (uint32_t i = 0; i < lastHops.size(); ++i)
    {
        const std::pair<uint16_t, bool> way{GetDistance(lastHops[i], destination),
                                            !m_graph.IsNvSwitch(lastHops[i])};
        if (way.first == UNREACHABLE || way > least)
        {
            continue;
        }
        if (way < least)
        {
            least = way;
            nearest.clear();
        }
        nearest.push_back(i);
    }
    return nearest;
}

void
RoutingBuilder::CheckPair(uint32_t src, uint32_t dst) const
{
    if (!m_graph.IsHost(src) || !m_graph.IsHost(dst) || src == dst)
    {
        throw FabricError("no path from node " + std::to_string(src) + " to node " +
                          std::to_string(dst) + ": both must be hosts, and different ones");
    }
}

std::vector<uint16_t>
RoutingBuilder::ListPorts(uint32_t src, uint32_t dst) const
{
    const uint32_t source = m_classes->classOf[src];
    const std::vector<uint32_t> nearest = ListNearest(source, m_classes->classOf[dst]);
    std::vector<uint16_t> direct;
    std::vector<uint16_t> found;
    for (uint32_t p = 0; p < m_graph.GetDegree(src); ++p)
    {
        const uint32_t peer = m_graph.GetPort(src, p).peer;
        if (peer == dst)
        {
            direct.push_back(static_cast<uint16_t>(p));
        }
        if (std::any_of(nearest.begin(), nearest.end(), [&](uint32_t i) {
                return m_lastHops[source][i] == peer;
            }))
        {
            found.push_back(static_cast<uint16_t>(p));
        }
    }
    return direct.empty() ? found : direct;
}

uint32_t
RoutingBuilder::GetSwitches(uint32_t src, uint32_t dst) const
{
    uint16_t nearest = UNREACHABLE;
    for (uint32_t p = 0; p < m_graph.GetDegree(src); ++p)
    {
        const uint32_t peer = m_graph.GetPort(src, p).peer;
        if (peer == dst)
        {
            return 0;
        }
        if (!m_graph.IsHost(peer))
        {
            nearest = std::min(nearest, GetDistance(peer, m_classes->classOf[dst]));
        }
    }
    return nearest == UNREACHABLE ? 0 : nearest + 1;
}

uint32_t
RoutingBuilder::GetMaxSwitches() const
{
    if (m_trees)
    {
        return m_maxTreeSwitches;
    }
    uint32_t most = 0;
    for (uint32_t c = 0; c < m_nHostClasses; ++c)
    {
        for (uint32_t d = 0; d < m_nHostClasses; ++d)
        {
            uint16_t nearest = UNREACHABLE;
            for (const uint32_t node : m_lastHops[d])
            {
                nearest = std::min(nearest, GetDistance(node, c));
            }
            most = nearest == UNREACHABLE ? most : std::max<uint32_t>(most, nearest + 1);
        }
    }
    return most;
}

} // namespace ns3
