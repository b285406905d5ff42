// SPDX-License-Identifier: GPL-2.0-only
#include "shortest-cycle.h"

#include <algorithm>
#include <cstddef>

namespace ns3
{

namespace
{

/// Vertices from which a shortest way back is sought: enough to show a short cycle, and few enough
/// for a network of which every link is on one.
constexpr uint32_t MAX_STARTS = 64;

/// Take vertices away that nothing is before, until there is none. @param left which vertices are
/// left; changed
void
PeelFirst(const SuccessorLists& successors, std::vector<bool>& left)
{
    std::vector<uint32_t> before(successors.size(), 0);
    for (uint32_t vertex = 0; vertex < successors.size(); ++vertex)
    {
        for (const uint32_t next : successors[vertex])
        {
            before[next] += left[vertex] ? 1 : 0;
        }
    }
    std::vector<uint32_t> first;
    for (uint32_t vertex = 0; vertex < successors.size(); ++vertex)
    {
        if (left[vertex] && before[vertex] == 0)
        {
            first.push_back(vertex);
        }
    }
    while (!first.empty())
    {
        const uint32_t vertex = first.back();
        first.pop_back();
        left[vertex] = false;
        for (const uint32_t next : successors[vertex])
        {
            if (left[next] && --before[next] == 0)
            {
                first.push_back(next);
            }
        }
    }
}

/// @return the same edges the other way round, of vertices that are left
SuccessorLists
ReverseEdges(const SuccessorLists& successors, const std::vector<bool>& left)
{
    SuccessorLists reversed(successors.size());
    for (uint32_t vertex = 0; vertex < successors.size(); ++vertex)
    {
        for (const uint32_t next : successors[vertex])
        {
            if (left[vertex] && left[next])
            {
                reversed[next].push_back(vertex);
            }
        }
    }
    return reversed;
}

/// @return a shortest cycle through a vertex, empty if there is none or none below a length
std::vector<uint32_t>
FindWayBack(const SuccessorLists& successors,
            const std::vector<bool>& left,
            uint32_t start,
            std::size_t below)
{
    constexpr uint32_t NONE = UINT32_MAX;
    std::vector<uint32_t> from(successors.size(), NONE);
    std::vector<uint32_t> frontier{start};
    for (std::size_t length = 1; length < below && !frontier.empty(); ++length)
    {
        std::vector<uint32_t> further;
        for (const uint32_t vertex : frontier)
        {
            for (const uint32_t next : successors[vertex])
            {
                if (!left[next] || from[next] != NONE)
                {
                    continue;
                }
                from[next] = vertex;
                if (next != start)
                {
                    further.push_back(next);
                    continue;
                }
                std::vector<uint32_t> cycle;
                for (uint32_t v = vertex; v != start; v = from[v])
                {
                    cycle.push_back(v);
                }
                cycle.push_back(start);
                std::reverse(cycle.begin(), cycle.end());
                return cycle;
            }
        }
        frontier.swap(further);
    }
    return {};
}

} // namespace

std::vector<uint32_t>
FindShortestCycle(const SuccessorLists& successors)
{
    std::vector<bool> left(successors.size(), true);
    PeelFirst(successors, left);
    if (std::find(left.begin(), left.end(), true) == left.end())
    {
        return {};
    }
    PeelFirst(ReverseEdges(successors, left), left); // what only follows cycles
    std::vector<uint32_t> shortest;
    std::size_t below = SIZE_MAX;
    uint32_t starts = 0;
    for (uint32_t start = 0;
         start < successors.size() && (starts < MAX_STARTS || below == SIZE_MAX);
         ++start)
    {
        if (!left[start])
        {
            continue;
        }
        ++starts;
        std::vector<uint32_t> cycle = FindWayBack(successors, left, start, below);
        if (!cycle.empty())
        {
            below = cycle.size();
            shortest.swap(cycle);
        }
    }
    return shortest;
}

} // namespace ns3
