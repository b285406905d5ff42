// SPDX-License-Identifier: GPL-2.0-only
#include "path-latency.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-time.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ns3
{

namespace
{

constexpr int64_t UNREACHABLE = std::numeric_limits<int64_t>::max() / 4;

/// @return ps of a packet on a path
int64_t
SumPs(const std::vector<FabricHop>& path, uint64_t wireBytes)
{
    int64_t sum = 0;
    for (const FabricHop& hop : path)
    {
        sum += hop.delayPs + PathLatency::TransmissionPs(hop.rateBps, wireBytes);
    }
    return sum;
}

} // namespace

PathLatency::PathLatency(const FabricGraph& graph, const RoutingBuilder& routing)
    : m_graph(graph),
      m_routing(routing)
{
}

int64_t
PathLatency::TransmissionPs(uint64_t rateBps, uint64_t bytes)
{
    return static_cast<int64_t>(bytes * FabricTime::PS_PER_BYTE_AT_1_BPS / rateBps);
}

int64_t
PathLatency::LinkPs(uint32_t link, uint64_t wireBytes) const
{
    const FabricLink& l = m_graph.GetLinks()[link];
    return l.delayPs + TransmissionPs(l.rateBps, wireBytes);
}

int64_t
PathLatency::HostLinkPs(uint32_t host, uint64_t wireBytes) const
{
    int64_t best = UNREACHABLE;
    for (uint32_t p = 0; p < m_graph.GetDegree(host); ++p)
    {
        best = std::min(best, LinkPs(m_graph.GetPort(host, p).link, wireBytes));
    }
    return best;
}

PathLatency::LinkCosts
PathLatency::ListLinkCosts(uint64_t wireBytes) const
{
    LinkCosts costs;
    bool isAlike = m_routing.TakesAllWays();
    for (uint32_t i = 0; i < m_graph.GetLinks().size(); ++i)
    {
        const FabricLink& link = m_graph.GetLinks()[i];
        costs.ps.push_back(LinkPs(i, wireBytes));
        if (!m_graph.IsHost(link.a) && !m_graph.IsHost(link.b))
        {
            isAlike = isAlike && costs.ps.back() == costs.hopPs.value_or(costs.ps.back());
            costs.hopPs = costs.ps.back();
        }
    }
    costs.hopPs = isAlike ? costs.hopPs : std::nullopt;
    return costs;
}

bool
PathLatency::ComputeFromDistances(uint32_t destinationClass, Wanted& wanted) const
{
    const std::vector<int64_t>& ends = *wanted.ends;
    if (!wanted.links->hopPs || ends.empty() ||
        std::any_of(ends.begin(), ends.end(), [&ends](int64_t end) { return end != ends[0]; }))
    {
        return false;
    }
    const int64_t hopPs = *wanted.links->hopPs;
    const uint16_t* const distances = m_routing.GetDistances(destinationClass);
    for (std::size_t i = 0; i < wanted.costs.size(); ++i)
    {
        wanted.costs[i] = distances[i] == RoutingBuilder::UNREACHABLE
                              ? UNREACHABLE
                              : ends[0] + distances[i] * hopPs;
    }
    return true;
}

void
PathLatency::ComputeCosts(uint32_t destinationClass, std::vector<Wanted>& wanted) const
{
    const std::vector<uint32_t>& lastHops = m_routing.GetLastHops(destinationClass);
    std::vector<Wanted*> walk; // those for which the ways have to be walked
    for (Wanted& one : wanted)
    {
        one.costs.assign(m_graph.GetNSwitches(), UNREACHABLE);
        for (std::size_t i = 0; i < lastHops.size(); ++i)
        {
            one.costs[m_routing.GetSwitchIndex(lastHops[i])] = (*one.ends)[i];
        }
        if (!ComputeFromDistances(destinationClass, one))
        {
            walk.push_back(&one);
        }
    }
    if (walk.empty())
    {
        return;
    }
    std::vector<FabricGraph::Port> ways; // links, and indexes of the switches behind them
    for (const uint32_t node : m_routing.ListByDistance(destinationClass))
    {
        const uint32_t place = m_routing.GetSwitchIndex(node);
        const FabricGraph::Port* const ports = m_graph.GetPorts(node);
        ways.clear();
        m_routing.VisitWays(
            node,
            destinationClass,
            m_graph.GetDegree(node),
            [](uint32_t port) { return port; },
            [&](uint32_t port, uint32_t peer) {
                ways.push_back({ports[port].link, peer});
            });
        for (Wanted* one : walk)
        {
            int64_t* const costs = one->costs.data();
            const int64_t* const linkPs = one->links->ps.data();
            int64_t best = costs[place];
            for (const FabricGraph::Port& way : ways)
            {
                best = std::min(best, costs[way.peer] + linkPs[way.link]);
            }
            costs[place] = best;
        }
    }
}

std::vector<int64_t>
PathLatency::ListEnds(uint32_t host, uint64_t wireBytes) const
{
    const std::vector<uint32_t>& lastHops =
        m_routing.GetLastHops(m_routing.GetClasses()->classOf[host]);
    std::vector<int64_t> ends(lastHops.size(), lastHops.size() == 1 ? 0 : UNREACHABLE);
    for (uint32_t p = 0; lastHops.size() > 1 && p < m_graph.GetDegree(host); ++p)
    {
        const FabricGraph::Port& port = m_graph.GetPort(host, p);
        const auto place = std::lower_bound(lastHops.begin(), lastHops.end(), port.peer);
        if (place != lastHops.end() && *place == port.peer)
        {
            int64_t& end = ends[static_cast<std::size_t>(place - lastHops.begin())];
            end = std::min(end, LinkPs(port.link, wireBytes));
        }
    }
    return ends;
}

const PathLatency::Costs&
PathLatency::GetCosts(uint32_t dst, uint64_t wireBytes) const
{
    const uint32_t cls = m_routing.GetClasses()->classOf[dst];
    CostsKey key{wireBytes, cls, ListEnds(dst, wireBytes)};
    const auto known = m_costs.find(key);
    if (known != m_costs.end())
    {
        return known->second;
    }
    LinkCosts& links = m_linkCosts[wireBytes];
    if (links.ps.empty())
    {
        links = ListLinkCosts(wireBytes);
    }
    std::vector<Wanted> wanted{{&links, &std::get<2>(key), {}}};
    ComputeCosts(cls, wanted);
    return m_costs.emplace(std::move(key), std::move(wanted[0].costs)).first->second;
}

int64_t
PathLatency::GetLatencyPs(uint32_t src, uint32_t dst, uint64_t wireBytes) const
{
    return SumPs(GetBestPath(src, dst, wireBytes), wireBytes);
}

std::vector<FabricHop>
PathLatency::GetBestPath(uint32_t src, uint32_t dst, uint64_t wireBytes) const
{
    m_routing.CheckPair(src, dst);
    std::vector<FabricHop> best;
    for (const uint16_t port : m_routing.ListPorts(src, dst))
    {
        std::vector<FabricHop> path = GetPathFrom(src, dst, wireBytes, port);
        if (best.empty() || SumPs(path, wireBytes) < SumPs(best, wireBytes))
        {
            best = std::move(path);
        }
    }
    if (best.empty())
    {
        throw FabricError("no path from host " + std::to_string(src) + " to host " +
                          std::to_string(dst));
    }
    return best;
}

std::vector<FabricHop>
PathLatency::GetPathFrom(uint32_t src, uint32_t dst, uint64_t wireBytes, uint16_t first) const
{
    const uint32_t cls = m_routing.GetClasses()->classOf[dst];
    const Costs& costs = GetCosts(dst, wireBytes);
    std::vector<FabricHop> path;
    uint32_t node = src;
    uint32_t bestPort = first;
    while (true)
    {
        const FabricGraph::Port& taken = m_graph.GetPort(node, bestPort);
        const FabricLink& link = m_graph.GetLinks()[taken.link];
        path.push_back({node, bestPort, link.rateBps, link.delayPs});
        node = taken.peer;
        if (node == dst)
        {
            return path;
        }
        int64_t best = UNREACHABLE;
        for (uint32_t p = 0, degree = m_graph.GetDegree(node); p < degree; ++p)
        {
            const FabricGraph::Port& port = m_graph.GetPort(node, p);
            const bool last = port.peer == dst;
            if (!last && !m_routing.LeadsTo(node, p, cls))
            {
                continue;
            }
            const int64_t cost = LinkPs(port.link, wireBytes) +
                                 (last ? 0 : costs[m_routing.GetSwitchIndex(port.peer)]);
            if (cost < best)
            {
                best = cost;
                bestPort = p;
            }
        }
    }
}

int64_t
PathLatency::GetMaxRttPs(uint64_t dataBytes, uint64_t ackBytes) const
{
    const uint32_t nClasses = m_routing.GetNHostClasses();
    // Largest share of the hosts' own links, data and ACK: of classes with one last-hop switch
    // apart, with several by switch.
    std::vector<int64_t> ownLinks(nClasses, 0);
    std::vector<std::vector<int64_t>> dataEnds(nClasses);
    std::vector<std::vector<int64_t>> ackEnds(nClasses);
    std::vector<uint32_t> nHosts(nClasses, 0);
    const auto raise = [](std::vector<int64_t>& to, const std::vector<int64_t>& from) {
        to.resize(from.size(), 0);
        std::transform(to.begin(), to.end(), from.begin(), to.begin(), [](int64_t a, int64_t b) {
            return std::max(a, b);
        });
    };
    for (const uint32_t host : m_graph.GetHosts())
    {
        const uint32_t cls = m_routing.GetClasses()->classOf[host];
        raise(dataEnds[cls], ListEnds(host, dataBytes));
        raise(ackEnds[cls], ListEnds(host, ackBytes));
        if (m_routing.GetLastHops(cls).size() == 1)
        {
            ownLinks[cls] =
                std::max(ownLinks[cls], HostLinkPs(host, dataBytes) + HostLinkPs(host, ackBytes));
        }
        ++nHosts[cls];
    }
    const auto nearest =
        [&](const Costs& costs, const std::vector<int64_t>& ends, uint32_t from, uint32_t to) {
            int64_t best = UNREACHABLE;
            for (const uint32_t i : m_routing.ListNearest(from, to))
            {
                const uint32_t node = m_routing.GetLastHops(from)[i];
                best = std::min(best, ends[i] + costs[m_routing.GetSwitchIndex(node)]);
            }
            return best;
        };
    // data costs from class a to class b, and ACK costs back, meet in a matrix
    std::vector<int64_t> between(static_cast<std::size_t>(nClasses) * nClasses, 0);
    const LinkCosts dataLinks = ListLinkCosts(dataBytes);
    const LinkCosts ackLinks = ListLinkCosts(ackBytes);
    std::vector<Wanted> wanted{{&dataLinks, nullptr, {}}, {&ackLinks, nullptr, {}}};
    for (uint32_t to = 0; to < nClasses; ++to)
    {
        wanted[0].ends = &dataEnds[to];
        wanted[1].ends = &ackEnds[to];
        ComputeCosts(to, wanted);
        const Costs& data = wanted[0].costs;
        const Costs& ack = wanted[1].costs;
        for (uint32_t from = 0; from < nClasses; ++from)
        {
            between[static_cast<std::size_t>(from) * nClasses + to] +=
                nearest(data, dataEnds[from], from, to);
            between[static_cast<std::size_t>(to) * nClasses + from] +=
                nearest(ack, ackEnds[from], from, to);
        }
    }
    int64_t most = 0;
    if (const SpanningTrees* trees = m_routing.GetTrees())
    {
        std::vector<int64_t> costs; // of both directions
        for (const FabricLink& link : m_graph.GetLinks())
        {
            costs.push_back(2 * link.delayPs + TransmissionPs(link.rateBps, dataBytes) +
                            TransmissionPs(link.rateBps, ackBytes));
        }
        most = trees->GetLongest(costs);
    }
    for (const FabricLink& link : m_graph.GetLinks())
    {
        if (m_graph.IsHost(link.a) && m_graph.IsHost(link.b))
        {
            most = std::max(most,
                            2 * link.delayPs + TransmissionPs(link.rateBps, dataBytes) +
                                TransmissionPs(link.rateBps, ackBytes));
        }
    }
    for (uint32_t from = 0; from < nClasses; ++from)
    {
        for (uint32_t to = 0; to < nClasses; ++to)
        {
            const int64_t way = between[static_cast<std::size_t>(from) * nClasses + to];
            if (way < UNREACHABLE && (from != to || nHosts[from] > 1))
            {
                most = std::max(most, ownLinks[from] + ownLinks[to] + way);
            }
        }
    }
    return most;
}

} // namespace ns3
