// SPDX-License-Identifier: GPL-2.0-only
#include "forwarding-table.h"

#include "ns3/fabric-error.h"

#include <algorithm>
#include <iterator>

namespace ns3
{

ForwardingTable::ForwardingTable(std::shared_ptr<const DestinationClasses> classes)
    : m_classes(classes ? std::move(classes) : std::make_shared<const DestinationClasses>()),
      m_groupOfClass(m_classes->nClasses, NO_GROUP)
{
}

ForwardingTable::Group
ForwardingTable::Store(std::vector<uint16_t>& numbers,
                       const std::vector<uint16_t>& ports,
                       const std::vector<uint16_t>& neighbors,
                       uint16_t tier,
                       uint16_t ways)
{
    const Group group{static_cast<uint32_t>(numbers.size()),
                      static_cast<uint16_t>(ports.size()),
                      static_cast<uint16_t>(neighbors.size())};
    numbers.insert(numbers.end(), ports.begin(), ports.end());
    numbers.insert(numbers.end(), neighbors.begin(), neighbors.end());
    numbers.push_back(group.nPorts);
    numbers.push_back(tier);
    numbers.push_back(ways);
    return group;
}

uint16_t
ForwardingTable::FindOrAdd(const std::vector<uint16_t>& ports,
                           const std::vector<uint16_t>& neighbors,
                           uint16_t tier,
                           uint16_t ways)
{
    // neighboring classes mostly share their group, so the last one is the likeliest
    for (std::size_t i = m_groups.size(); i-- > 0;)
    {
        const PortGroup group = MakeGroup(m_groups[i], m_numbers);
        if (group.nPorts == ports.size() && group.nNeighbors == neighbors.size() &&
            group.GetTier() == tier && group.GetWays() == ways &&
            std::equal(ports.begin(), ports.end(), group.ports) &&
            std::equal(neighbors.begin(), neighbors.end(), group.neighbors))
        {
            return static_cast<uint16_t>(i);
        }
    }
    if (m_groups.size() >= LOCAL)
    {
        throw FabricError("a node has more than " + std::to_string(LOCAL) +
                          " different groups of equal-cost ports");
    }
    m_groups.push_back(Store(m_numbers, ports, neighbors, tier, ways));
    return static_cast<uint16_t>(m_groups.size() - 1);
}

void
ForwardingTable::SetGroup(uint32_t destinationClass,
                          const std::vector<uint16_t>& ports,
                          const std::vector<uint16_t>& neighbors,
                          uint16_t tier,
                          uint16_t ways)
{
    m_groupOfClass[destinationClass] =
        ports.empty() ? NO_GROUP : FindOrAdd(ports, neighbors, tier, ways);
}

void
ForwardingTable::SetLocalGroup(uint32_t address,
                               const std::vector<uint16_t>& ports,
                               const std::vector<uint16_t>& neighbors,
                               uint16_t tier,
                               uint16_t ways)
{
    if (m_groupOfLocal.empty())
    {
        m_firstLocal = address;
    }
    if (address < m_firstLocal)
    {
        m_groupOfLocal.insert(m_groupOfLocal.begin(), m_firstLocal - address, NO_GROUP);
        m_firstLocal = address;
    }
    const std::size_t index = address - m_firstLocal;
    if (index >= m_groupOfLocal.size())
    {
        m_groupOfLocal.resize(index + 1, NO_GROUP);
    }
    m_groupOfLocal[index] = ports.empty() ? NO_GROUP : FindOrAdd(ports, neighbors, tier, ways);
}

void
ForwardingTable::SetDown(std::vector<bool> down)
{
    m_down = std::move(down);
    m_hasDown = std::find(m_down.begin(), m_down.end(), true) != m_down.end();
    m_upGroups.clear();
    m_upNumbers.clear();
    for (const Group& kept : m_groups)
    {
        const PortGroup group = MakeGroup(kept, m_numbers);
        std::vector<uint16_t> ports;
        std::vector<uint16_t> neighbors;
        for (uint16_t n = 0; n < group.nNeighbors; ++n)
        {
            const std::size_t first = ports.size();
            std::copy_if(group.ports + group.neighbors[n],
                         group.ports + group.neighbors[n + 1],
                         std::back_inserter(ports),
                         [this](uint16_t p) { return !IsDown(p); });
            if (ports.size() > first)
            {
                neighbors.push_back(static_cast<uint16_t>(first));
            }
        }
        m_upGroups.push_back(
            Store(m_upNumbers, ports, neighbors, group.GetTier(), group.GetWays()));
    }
}

void
ForwardingTable::SetDown(uint16_t port, bool down)
{
    std::vector<bool> all = m_down;
    all.resize(std::max<std::size_t>(all.size(), port + 1));
    all[port] = down;
    SetDown(std::move(all));
}

} // namespace ns3
