// SPDX-License-Identifier: GPL-2.0-only
#include "rcm-detours.h"

#include "ns3/fabric-time.h"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace ns3
{

bool
RcmDetours::IsNeeded(const Signs& signs) const
{
    const RcmParameters& p = *m_parameters;
    const double full = p.detourFill * static_cast<double>(p.reserveBytes);
    return signs.isCongested || signs.notifications >= p.detourNotifications ||
           (p.detourDegree > 0 && signs.remoteDegree >= p.detourDegree) ||
           static_cast<double>(signs.reservedBytes) > full;
}

uint16_t
RcmDetours::FindPort(const RcmFlow& flow, uint16_t routed, int64_t nowPs) const
{
    const auto detour = m_flows.find(flow.GetKey());
    const bool holds = detour != m_flows.end() && nowPs - detour->second.lastPs <=
                                                      FabricTime::ToPs(m_parameters->detourTimeout);
    return holds ? detour->second.port : routed;
}

uint16_t
RcmDetours::Choose(const RcmFlow& flow,
                   uint16_t routed,
                   bool mayMove,
                   const std::vector<Path>& group,
                   int64_t nowPs) const
{
    const auto find = [&](uint16_t port) {
        return std::find_if(group.begin(), group.end(), [port](const Path& path) {
            return path.port == port;
        });
    };
    const uint16_t present = FindPort(flow, routed, nowPs);
    const auto detour = find(present);
    if (present != routed && detour != group.end() && detour->isUp)
    {
        return present;
    }
    const auto own = find(routed);
    if (!mayMove || own == group.end())
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
RcmDetours::OnTaken(const RcmFlow& flow, uint16_t routed, uint16_t port, int64_t nowPs)
{
    if (port == routed)
    {
        m_flows.erase(flow.GetKey());
        return;
    }
    const bool isBegun = FindPort(flow, routed, nowPs) != port;
    m_detours += isBegun ? 1 : 0;
    m_flows[flow.GetKey()] = {port, nowPs};
    if (m_flows.size() >= m_removeAt)
    {
        RemoveOld(nowPs);
    }
}

void
RcmDetours::RemoveOld(int64_t nowPs)
{
    const int64_t timeoutPs = FabricTime::ToPs(m_parameters->detourTimeout);
    for (auto flow = m_flows.begin(); flow != m_flows.end();)
    {
        flow = nowPs - flow->second.lastPs > timeoutPs ? m_flows.erase(flow) : std::next(flow);
    }
    m_removeAt = std::max<std::size_t>(1024, 2 * m_flows.size());
}

} // namespace ns3
