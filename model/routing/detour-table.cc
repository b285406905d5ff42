// SPDX-License-Identifier: GPL-2.0-only
#include "detour-table.h"

#include <algorithm>
#include <tuple>

namespace ns3
{

uint16_t
DetourTable::Choose(uint16_t routed, const std::vector<Path>& group)
{
    const auto own = std::find_if(group.begin(), group.end(), [routed](const Path& path) {
        return path.port == routed;
    });
    if (own == group.end())
    {
        return routed;
    }
    const Path* best = &*own;
    for (const Path& path : group)
    {
        // a port no better than the own one is not worth the reordering
        if (path.isUp && path.degree < own->degree &&
            (best == &*own || std::tie(path.degree, path.bytes, path.port) <
                                  std::tie(best->degree, best->bytes, best->port)))
        {
            best = &path;
        }
    }
    return best->port;
}

void
DetourTable::OnTaken(uint64_t flow, uint16_t routed, uint16_t port, int64_t nowPs)
{
    if (port != routed)
    {
        FlowPortTable::Entry* detour = Find(flow);
        m_detours += GetPort(detour, routed, nowPs) == port ? 0 : 1;
        if (detour)
        {
            *detour = {nowPs, port};
        }
        else
        {
            m_flows.Set(flow, port, nowPs);
        }
    }
    else if (GetNEntries() > 0)
    {
        m_flows.Erase(flow);
    }
}

} // namespace ns3
