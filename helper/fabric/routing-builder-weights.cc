// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief Weights of ports by the capacity of the ways behind them.
 */
#include "routing-builder.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

namespace ns3
{

namespace
{

constexpr uint64_t ANY_CAPACITY = std::numeric_limits<uint64_t>::max(); //!< of the last switch

} // namespace

void
RoutingBuilder::UseWeights()
{
    m_capacityBps.assign(m_distance.size(), 0);
    for (uint32_t c = 0; c < m_lastHops.size(); ++c)
    {
        uint64_t* capacities = m_capacityBps.data() + static_cast<std::size_t>(c) * m_nSwitches;
        for (const uint32_t node : ListByDistance(c)) // those that ways lead to come first
        {
            if (GetDistance(node, c) == 0)
            {
                capacities[m_switchIndex[node]] = ANY_CAPACITY;
                continue;
            }
            const FabricGraph::Port* ports = m_graph.GetPorts(node);
            const std::vector<uint16_t> byPeer = ListSwitchPorts(node);
            uint64_t sum = 0;
            for (std::size_t i = 0; i < byPeer.size();)
            {
                const uint32_t peer = ports[byPeer[i]].peer;
                uint64_t linksBps = 0;
                for (; i < byPeer.size() && ports[byPeer[i]].peer == peer; ++i)
                {
                    linksBps += LeadsTo(node, byPeer[i], c)
                                    ? m_graph.GetLinks()[ports[byPeer[i]].link].rateBps
                                    : 0;
                }
                sum += linksBps > 0 ? GetCapacity(peer, c, linksBps) : 0;
            }
            capacities[m_switchIndex[node]] = sum;
        }
    }
}

uint64_t
RoutingBuilder::GetCapacity(uint32_t peer, uint32_t destinationClass, uint64_t linksBps) const
{
    return std::min(linksBps,
                    m_capacityBps[static_cast<std::size_t>(destinationClass) * m_nSwitches +
                                  m_switchIndex[peer]]);
}

std::vector<uint32_t>
RoutingBuilder::ComputeEntries(const std::vector<uint64_t>& weights)
{
    uint64_t divisor = 0;
    uint64_t sum = 0;
    for (const uint64_t weight : weights)
    {
        divisor = std::gcd(divisor, weight);
        sum += weight;
    }
    std::vector<uint32_t> entries;
    for (const uint64_t weight : weights)
    {
        const uint64_t exact = weight / divisor;
        const double share = static_cast<double>(weight) / static_cast<double>(sum);
        entries.push_back(sum / divisor <= MAX_ENTRIES
                              ? static_cast<uint32_t>(exact)
                              : std::max(1U, static_cast<uint32_t>(share * MAX_ENTRIES + 0.5)));
    }
    return entries;
}

void
RoutingBuilder::Weigh(uint32_t node,
                      uint32_t destinationClass,
                      std::vector<uint16_t>& ports,
                      std::vector<uint16_t>& neighbors) const
{
    const FabricGraph::Port* all = m_graph.GetPorts(node);
    const auto rateOf = [&](uint16_t port) { return m_graph.GetLinks()[all[port].link].rateBps; };
    std::vector<uint64_t> weights;
    for (std::size_t n = 0; n < neighbors.size(); ++n)
    {
        const std::size_t end = n + 1 < neighbors.size() ? neighbors[n + 1] : ports.size();
        uint64_t linksBps = 0;
        for (std::size_t i = neighbors[n]; i < end; ++i)
        {
            linksBps += rateOf(ports[i]);
        }
        const uint64_t capacity =
            GetCapacity(all[ports[neighbors[n]]].peer, destinationClass, linksBps);
        for (std::size_t i = neighbors[n]; i < end; ++i)
        {
            const double share =
                static_cast<double>(rateOf(ports[i])) / static_cast<double>(linksBps);
            weights.push_back(std::max<uint64_t>(
                1,
                static_cast<uint64_t>(share * static_cast<double>(capacity) + 0.5)));
        }
    }
    const std::vector<uint32_t> entries = ComputeEntries(weights);
    std::vector<uint16_t> weighed;
    std::vector<uint16_t> firsts;
    for (std::size_t i = 0, n = 0; i < ports.size(); ++i)
    {
        if (n < neighbors.size() && neighbors[n] == i)
        {
            firsts.push_back(static_cast<uint16_t>(weighed.size()));
            ++n;
        }
        weighed.insert(weighed.end(), entries[i], ports[i]);
    }
    ports = std::move(weighed);
    neighbors = std::move(firsts);
}

} // namespace ns3
