// SPDX-License-Identifier: GPL-2.0-only
#include "link-outages.h"

#include <algorithm>
#include <map>

namespace ns3
{

namespace
{

/// What a fault does to links; kinds that are not here do nothing to them.
struct OutageStep
{
    FabricFault::Kind kind; //!< which
    int step;               //!< reasons to be down that come or go
};

constexpr OutageStep OUTAGE_STEPS[] = {
    {FabricFault::DOWN, 1},
    {FabricFault::UP, -1},
    {FabricFault::SWITCH_DOWN, 1},
    {FabricFault::SWITCH_UP, -1},
};

} // namespace

LinkOutages::LinkOutages(const Fabric& fabric, const std::vector<PlacedFault>& faults)
{
    const FabricGraph& graph = fabric.GetGraph();
    m_initial.assign(graph.GetNLinks(), false);
    for (uint32_t node = 0; node < graph.GetNNodes(); ++node)
    {
        for (uint32_t port = 0; port < graph.GetDegree(node); ++port)
        {
            m_initial[graph.GetPort(node, port).link] = !fabric.GetPort(node, port)->IsLinkUp();
        }
    }
    std::map<uint32_t, std::map<int64_t, int>> steps; // by link and time
    for (const PlacedFault& fault : faults)
    {
        for (const OutageStep& entry : OUTAGE_STEPS)
        {
            if (entry.kind != fault.fault->kind)
            {
                continue;
            }
            if (fault.link != PlacedFault::NO_LINK)
            {
                steps[fault.link][fault.fault->timePs] += entry.step;
                continue;
            }
            for (uint32_t port = 0; port < graph.GetDegree(fault.node); ++port)
            {
                steps[graph.GetPort(fault.node, port).link][fault.fault->timePs] += entry.step;
            }
        }
    }
    for (const auto& [link, byTime] : steps)
    {
        int reasons = m_initial[link] ? 1 : 0;
        for (const auto& [timePs, step] : byTime)
        {
            const bool before = reasons > 0;
            reasons += step;
            if ((reasons > 0) != before)
            {
                m_changes.push_back({link, timePs, !before});
            }
        }
    }
}

std::vector<int64_t>
LinkOutages::ListTimes() const
{
    std::vector<int64_t> times;
    for (const Change& change : m_changes)
    {
        times.push_back(change.timePs);
    }
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    return times;
}

std::vector<bool>
LinkOutages::GetDown(int64_t timePs) const
{
    std::vector<bool> down = m_initial;
    for (const Change& change : m_changes) // of a link by time: the last one holds
    {
        if (change.timePs <= timePs)
        {
            down[change.link] = change.down;
        }
    }
    return down;
}

} // namespace ns3
