// SPDX-License-Identifier: GPL-2.0-only
#include "minimum-cut.h"

#include <algorithm>
#include <limits>

namespace ns3
{

namespace
{

/// Level of a node that is not reached.
constexpr uint32_t NO_LEVEL = std::numeric_limits<uint32_t>::max();

} // namespace

MinimumCut::MinimumCut(uint32_t nodes)
    : m_outs(nodes)
{
}

void
MinimumCut::Join(uint32_t a, uint32_t b, uint64_t capacity)
{
    m_outs.at(a).push_back(static_cast<uint32_t>(m_arcs.size()));
    m_arcs.push_back({b, capacity});
    m_outs.at(b).push_back(static_cast<uint32_t>(m_arcs.size()));
    m_arcs.push_back({a, capacity});
}

bool
MinimumCut::Level(uint32_t from, uint32_t to)
{
    m_levels.assign(m_outs.size(), NO_LEVEL);
    m_levels[from] = 0;
    std::vector<uint32_t> queue{from};
    for (size_t i = 0; i < queue.size() && m_levels[to] == NO_LEVEL; i++)
    {
        const uint32_t node = queue[i];
        for (const uint32_t arc : m_outs[node])
        {
            const uint32_t next = m_arcs[arc].to;
            if (m_arcs[arc].capacity > 0 && m_levels[next] == NO_LEVEL)
            {
                m_levels[next] = m_levels[node] + 1;
                queue.push_back(next);
            }
        }
    }
    return m_levels[to] != NO_LEVEL;
}

uint64_t
MinimumCut::Push(uint32_t from, uint32_t to)
{
    // Without recursion, as ways may be long.
    std::vector<uint32_t> way;
    uint32_t node = from;
    while (node != to)
    {
        uint32_t& next = m_next[node];
        const auto& outs = m_outs[node];
        while (next < outs.size() && (m_arcs[outs[next]].capacity == 0 ||
                                      m_levels[m_arcs[outs[next]].to] != m_levels[node] + 1))
        {
            next++;
        }
        if (next < outs.size())
        {
            way.push_back(outs[next]);
            node = m_arcs[outs[next]].to;
        }
        else if (way.empty())
        {
            return 0;
        }
        else
        {
            // A dead end: step back and do not enter it again.
            node = m_arcs[way.back() ^ 1U].to;
            way.pop_back();
            m_next[node]++;
        }
    }
    uint64_t sent = std::numeric_limits<uint64_t>::max();
    for (const uint32_t arc : way)
    {
        sent = std::min(sent, m_arcs[arc].capacity);
    }
    for (const uint32_t arc : way)
    {
        m_arcs[arc].capacity -= sent;
        m_arcs[arc ^ 1U].capacity += sent;
    }
    return sent;
}

uint64_t
MinimumCut::Find(uint32_t from, uint32_t to)
{
    uint64_t total = 0;
    while (Level(from, to))
    {
        m_next.assign(m_outs.size(), 0);
        while (const uint64_t sent = Push(from, to))
        {
            total += sent;
        }
    }
    return total;
}

} // namespace ns3
