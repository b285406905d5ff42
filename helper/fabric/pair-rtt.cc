// SPDX-License-Identifier: GPL-2.0-only
#include "pair-rtt.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace ns3
{

PairRtt::PairRtt(const FabricGraph& graph,
                 const RoutingBuilder& routing,
                 const PathLatency& paths,
                 uint64_t dataBytes,
                 uint64_t ackBytes)
    : m_graph(graph),
      m_routing(routing),
      m_paths(paths),
      m_dataBytes(dataBytes),
      m_ackBytes(ackBytes),
      m_kindOf(graph.GetNNodes(), 0)
{
    using Links = std::vector<std::tuple<uint32_t, uint64_t, int64_t>>; // peer, rate, delay
    std::map<Links, uint32_t> kinds;
    for (const uint32_t host : graph.GetHosts())
    {
        Links links;
        for (uint32_t p = 0; p < graph.GetDegree(host); ++p)
        {
            const FabricGraph::Port& port = graph.GetPort(host, p);
            const FabricLink& link = graph.GetLinks()[port.link];
            links.emplace_back(port.peer, link.rateBps, link.delayPs);
        }
        std::sort(links.begin(), links.end());
        m_kindOf[host] = kinds.emplace(links, static_cast<uint32_t>(kinds.size())).first->second;
    }
}

int64_t
PairRtt::GetPs(uint32_t src, uint32_t dst) const
{
    const uint64_t key = (uint64_t{m_kindOf[src]} << 32) | m_kindOf[dst];
    const auto known = m_known.find(key);
    if (known != m_known.end())
    {
        return known->second;
    }
    const int64_t shortestPs =
        m_paths.GetLatencyPs(src, dst, m_dataBytes) + m_paths.GetLatencyPs(dst, src, m_ackBytes);
    const int64_t ps =
        m_routing.GetTrees() ? std::max(shortestPs, ComputeOnTreesPs(src, dst)) : shortestPs;
    m_known.emplace(key, ps);
    return ps;
}

int64_t
PairRtt::LinkPs(uint32_t link) const
{
    const FabricLink& l = m_graph.GetLinks()[link];
    return 2 * l.delayPs + PathLatency::TransmissionPs(l.rateBps, m_dataBytes) +
           PathLatency::TransmissionPs(l.rateBps, m_ackBytes);
}

int64_t
PairRtt::ComputeOnTreesPs(uint32_t src, uint32_t dst) const
{
    int64_t longest = 0;
    for (const uint16_t p : m_routing.ListPorts(src, dst))
    {
        const FabricGraph::Port& port = m_graph.GetPort(src, p);
        const uint32_t trees = port.peer == dst ? 0 : m_routing.GetTrees()->GetN();
        for (uint32_t tree = 0; tree < trees; ++tree)
        {
            const int64_t way = WalkPs(tree, port.peer, dst);
            longest = std::max(longest, way == 0 ? 0 : LinkPs(port.link) + way);
        }
    }
    return longest;
}

int64_t
PairRtt::WalkPs(uint32_t tree, uint32_t node, uint32_t dst) const
{
    const uint32_t cls = m_routing.GetClasses()->classOf[dst];
    int64_t sum = 0;
    while (m_routing.GetDistance(node, cls) > 0)
    {
        const uint16_t next = m_routing.GetTreePort(tree, node, cls);
        if (next == SpanningTrees::NO_PORT)
        {
            return 0;
        }
        const FabricGraph::Port& port = m_graph.GetPort(node, next);
        sum += LinkPs(port.link);
        node = port.peer;
    }
    int64_t last = 0;
    for (uint32_t p = 0; p < m_graph.GetDegree(node); ++p)
    {
        const FabricGraph::Port& port = m_graph.GetPort(node, p);
        last = port.peer == dst ? std::max(last, LinkPs(port.link)) : last;
    }
    return sum + last;
}

} // namespace ns3
