// SPDX-License-Identifier: GPL-2.0-only
#include "spanning-trees.h"

#include <algorithm>

namespace ns3
{

namespace
{

/// A way to a node from one nearer to the root.
struct Candidate
{
    uint32_t parent;   //!< node number
    uint16_t portUp;   //!< at the node
    uint16_t portDown; //!< at the parent
};

/// @return the port of the far end of a link
uint16_t
GetFarPort(const FabricGraph& graph, uint32_t node, uint32_t port)
{
    const FabricGraph::Port& near = graph.GetPort(node, port);
    for (uint32_t p = 0; p < graph.GetDegree(near.peer); ++p)
    {
        if (graph.GetPort(near.peer, p).link == near.link)
        {
            return static_cast<uint16_t>(p);
        }
    }
    return SpanningTrees::NO_PORT;
}

} // namespace

SpanningTrees::SpanningTrees(const FabricGraph& graph,
                             uint32_t nTrees,
                             const std::vector<bool>& down)
    : m_graph(graph),
      m_down(down)
{
    constexpr uint8_t NO_TIER = 0xff; // of a switch that no host reaches
    uint8_t highest = 0;
    std::vector<uint32_t> tops;
    for (uint32_t node = 0; node < graph.GetNNodes(); ++node)
    {
        const uint8_t tier = graph.GetNode(node).tier;
        if (graph.IsHost(node) || tier == NO_TIER || tier < highest)
        {
            continue;
        }
        if (tier > highest)
        {
            highest = tier;
            tops.clear();
        }
        tops.push_back(node);
    }
    if (tops.empty())
    {
        return; // hosts that are linked directly
    }
    const std::size_t n = nTrees == 0 ? tops.size() : nTrees;
    for (std::size_t t = 0; t < n; ++t)
    {
        m_roots.push_back(n < tops.size() ? tops[t * tops.size() / n] : tops[t % tops.size()]);
        m_trees.emplace_back(graph.GetNNodes());
        uint32_t turn = 0;
        // trees of the same root follow one another by one
        const auto choice = static_cast<uint32_t>(t % tops.size() + t / tops.size());
        Grow(m_trees.back(), choice, m_roots.back(), turn);
        for (uint32_t node = 0; node < graph.GetNNodes(); ++node)
        {
            if (!graph.IsHost(node) && m_trees.back()[node].parent == UINT32_MAX)
            {
                Grow(m_trees.back(), choice, node, turn);
            }
        }
    }
}

void
SpanningTrees::Grow(Tree& tree, uint32_t choice, uint32_t root, uint32_t& turn) const
{
    tree[root].parent = root;
    std::vector<uint32_t> frontier{root};
    while (!frontier.empty())
    {
        // the next ring about the root, then the ways to each of its nodes from the present one
        std::vector<uint32_t> ring;
        for (const uint32_t node : frontier)
        {
            for (uint32_t p = 0; p < m_graph.GetDegree(node); ++p)
            {
                const uint32_t peer = m_graph.GetPort(node, p).peer;
                if (Leads(m_graph.GetPort(node, p)) && tree[peer].parent == UINT32_MAX)
                {
                    tree[peer].parent = peer; // for now: known
                    ring.push_back(peer);
                }
            }
        }
        std::sort(ring.begin(), ring.end());
        std::vector<bool> isNear(m_graph.GetNNodes(), false);
        for (const uint32_t node : frontier)
        {
            isNear[node] = true;
        }
        for (const uint32_t node : ring)
        {
            std::vector<Candidate> ways;
            for (uint32_t p = 0; p < m_graph.GetDegree(node); ++p)
            {
                const uint32_t peer = m_graph.GetPort(node, p).peer;
                if (Leads(m_graph.GetPort(node, p)) && isNear[peer])
                {
                    ways.push_back({peer, static_cast<uint16_t>(p), GetFarPort(m_graph, node, p)});
                }
            }
            const Candidate& way = ways[(choice + node) % ways.size()];
            tree[node].parent = way.parent;
            tree[node].portUp = way.portUp;
            tree[node].portDown = way.portDown;
            tree[way.parent].children.push_back(node);
        }
        frontier.swap(ring);
    }
    // a walk that numbers descendants consecutively
    std::vector<std::pair<uint32_t, std::size_t>> walk{{root, 0}};
    tree[root].enter = turn++;
    tree[root].component = root;
    while (!walk.empty())
    {
        auto& [node, next] = walk.back();
        if (next == tree[node].children.size())
        {
            tree[node].leave = turn;
            walk.pop_back();
            continue;
        }
        const uint32_t child = tree[node].children[next++];
        tree[child].enter = turn++;
        tree[child].component = root;
        walk.emplace_back(child, 0);
    }
}

uint16_t
SpanningTrees::GetPort(uint32_t tree, uint32_t from, uint32_t to) const
{
    const Tree& places = m_trees[tree];
    const Place& here = places[from];
    const uint32_t turn = places[to].enter;
    if (from == to || here.component != places[to].component)
    {
        return NO_PORT;
    }
    if (turn < here.enter || turn >= here.leave)
    {
        return here.portUp;
    }
    // the last child that the walk met no later
    const auto behind =
        std::upper_bound(here.children.begin(),
                         here.children.end(),
                         turn,
                         [&places](uint32_t t, uint32_t child) { return t < places[child].enter; });
    return places[*std::prev(behind)].portDown;
}

int64_t
SpanningTrees::GetLongest(const std::vector<int64_t>& costs) const
{
    constexpr int64_t NONE = -1; // no host below
    int64_t most = 0;
    for (const Tree& tree : m_trees)
    {
        // from the leaves up: the costs down to the farthest host below each switch
        std::vector<uint32_t> order;
        for (uint32_t node = 0; node < tree.size(); ++node)
        {
            if (!m_graph.IsHost(node))
            {
                order.push_back(node);
            }
        }
        std::sort(order.begin(), order.end(), [&tree](uint32_t a, uint32_t b) {
            return tree[a].enter > tree[b].enter;
        });
        std::vector<int64_t> depth(tree.size(), NONE);
        for (const uint32_t node : order)
        {
            int64_t second = NONE;
            for (uint32_t p = 0; p < m_graph.GetDegree(node); ++p)
            {
                const FabricGraph::Port& port = m_graph.GetPort(node, p);
                const bool child = !m_graph.IsHost(port.peer) && tree[port.peer].parent == node &&
                                   tree[port.peer].portDown == p;
                const int64_t below = m_graph.IsHost(port.peer) ? 0
                                      : child                   ? depth[port.peer]
                                                                : NONE;
                if (below != NONE)
                {
                    const int64_t way = below + costs[port.link];
                    second = std::max(second, std::min(depth[node], way));
                    depth[node] = std::max(depth[node], way);
                }
            }
            most = std::max(most, second == NONE ? 0 : depth[node] + second);
        }
    }
    return most;
}

} // namespace ns3
