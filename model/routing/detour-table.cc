// SPDX-License-Identifier: GPL-2.0-only
#include "detour-table.h"

#include "ns3/fabric-time.h"

#include <algorithm>
#include <tuple>

namespace ns3
{

bool
DetourTable::MayLeave(const FlowPortTable::Entry* detour, uint16_t port, int64_t nowPs) const
{
    return (!detour || nowPs >= detour->untilPs) && IsSettled(port, nowPs);
}

uint16_t
DetourTable::Choose(uint16_t present, const std::vector<Path>& group, int64_t nowPs) const
{
    const auto own = std::find_if(group.begin(), group.end(), [present](const Path& path) {
        return path.port == present;
    });
    if (own == group.end())
    {
        return present;
    }
    const Path* best = &*own;
    for (const Path& path : group)
    {
        // a port that is not much better than the own one is not worth the reordering
        if (path.isUp && path.degree < own->degree && 2 * path.degree <= own->degree &&
            IsSettled(path.port, nowPs) &&
            (best == &*own || std::tie(path.degree, path.bytes, path.port) <
                                  std::tie(best->degree, best->bytes, best->port)))
        {
            best = &path;
        }
    }
    return best->port;
}

void
DetourTable::OnTaken(uint64_t flow,
                     uint16_t routed,
                     uint16_t port,
                     int64_t nowPs,
                     const Settling& settling)
{
    FlowPortTable::Entry* detour = Find(flow);
    const uint16_t before = GetPort(detour, routed, nowPs);
    if (port != before)
    {
        m_detours += port == routed ? 0 : 1;
        const int64_t stayPs = std::max(settling.leftPs, FabricTime::ToPs(m_timeout));
        m_flows.Set(flow, port == routed ? HOME : port, nowPs, nowPs + stayPs);
        m_settledPs.resize(std::max<std::size_t>(m_settledPs.size(), std::max(before, port) + 1U));
        m_settledPs[before] = std::max(m_settledPs[before], nowPs + settling.leftPs);
        m_settledPs[port] = std::max(m_settledPs[port], nowPs + settling.camePs);
    }
    else if (detour && port != routed)
    {
        detour->lastPs = nowPs;
    }
    else if (detour && nowPs >= detour->untilPs)
    {
        m_flows.Erase(flow); // it may move again: nothing more to be known of it
    }
}

} // namespace ns3
