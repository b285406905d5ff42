// SPDX-License-Identifier: GPL-2.0-only
#include "host-routes.h"

#include "ns3/path-selector.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ns3
{

HostRoutes::HostRoutes(ForwardingTable table, uint16_t nPorts)
    : m_table(std::move(table)),
      m_up(nPorts, true)
{
}

void
HostRoutes::Update(ForwardingTable table)
{
    m_updated = std::move(table);
}

PortGroup
HostRoutes::Lookup(uint32_t dst) const
{
    const PortGroup updated = m_updated.Lookup(dst);
    return updated.nPorts > 0 ? updated : m_table.Lookup(dst);
}

uint16_t
HostRoutes::ChooseOf(const PortGroup& group, uint16_t entropy)
{
    const uint16_t first = group.neighbors[entropy % group.nNeighbors];
    const auto links =
        static_cast<uint16_t>(group.neighbors[entropy % group.nNeighbors + 1] - first);
    return group.ports[first + group.ChooseHostLink(entropy, links)];
}

uint16_t
HostRoutes::Choose(uint32_t dst, uint16_t entropy) const
{
    const PortGroup group = Lookup(dst);
    if (group.nPorts == 0)
    {
        return FabricPacketItem::NO_PORT;
    }
    const uint16_t natural = ChooseOf(group, entropy);
    if (m_up[natural])
    {
        return natural;
    }
    // neighbors with a link that is up
    std::vector<uint16_t> neighbors;
    for (uint16_t n = 0; n < group.nNeighbors; ++n)
    {
        if (std::any_of(group.ports + group.neighbors[n],
                        group.ports + group.neighbors[n + 1],
                        [this](uint16_t port) { return m_up[port]; }))
        {
            neighbors.push_back(n);
        }
    }
    if (neighbors.empty())
    {
        return natural;
    }
    const uint16_t neighbor = neighbors[entropy % neighbors.size()];
    std::vector<uint16_t> links;
    std::copy_if(group.ports + group.neighbors[neighbor],
                 group.ports + group.neighbors[neighbor + 1],
                 std::back_inserter(links),
                 [this](uint16_t port) { return m_up[port]; });
    return links[group.ChooseHostLink(entropy, static_cast<uint16_t>(links.size()))];
}

uint16_t
HostRoutes::GetPortOfChannel(uint32_t dst, uint16_t channel) const
{
    const PortGroup group = Lookup(dst);
    for (uint16_t i = 0; i < group.nPorts; ++i)
    {
        const uint16_t port = group.ports[(uint32_t{channel} + i) % group.nPorts];
        if (m_up[port])
        {
            return port;
        }
    }
    return group.nPorts == 0 ? FabricPacketItem::NO_PORT : group.ports[channel % group.nPorts];
}

uint16_t
HostRoutes::FitToUp(uint32_t dst, uint16_t entropy) const
{
    const PortGroup group = Lookup(dst);
    if (std::none_of(group.ports, group.ports + group.nPorts, [this](uint16_t port) {
            return m_up[port];
        }))
    {
        return entropy;
    }
    // Each try hits a port that is up with the share of these; two ports of which one is down need
    // two on average.
    constexpr uint32_t MAX_TRIES = 1000;
    uint16_t fit = entropy;
    for (uint32_t i = 1; i <= MAX_TRIES; ++i)
    {
        if (m_up[ChooseOf(group, fit)])
        {
            return fit;
        }
        fit = static_cast<uint16_t>(PathSelector::Mix(entropy, i));
    }
    return entropy;
}

bool
HostRoutes::IsGood(uint32_t dst, uint16_t port) const
{
    const PortGroup group = Lookup(dst);
    return m_up[port] &&
           std::find(group.ports, group.ports + group.nPorts, port) != group.ports + group.nPorts;
}

void
HostRoutes::SetUp(uint16_t port, bool up)
{
    if (m_up[port] != up)
    {
        m_up[port] = up;
        m_nDown += up ? -1 : 1;
    }
}

} // namespace ns3
