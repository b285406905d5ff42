// SPDX-License-Identifier: GPL-2.0-only
#include "grid-channels.h"

#include <algorithm>
#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(GridChannels);

uint32_t
GridPlaces::FindDifference(uint32_t a, uint32_t b) const
{
    uint32_t d = 0;
    while (d < sizes.size() && Get(a, d) == Get(b, d))
    {
        ++d;
    }
    return d;
}

bool
GridPlaces::HasRing() const
{
    return std::find(isRing.begin(), isRing.end(), true) != isRing.end();
}

TypeId
GridChannels::GetTypeId()
{
    static TypeId tid = TypeId("ns3::GridChannels")
                            .SetParent<VirtualChannels>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<GridChannels>();
    return tid;
}

void
GridChannels::Configure(std::shared_ptr<const GridPlaces> places,
                        uint32_t address,
                        std::vector<Direction> directions,
                        uint8_t levels)
{
    m_places = std::move(places);
    m_address = address;
    m_directions = std::move(directions);
    m_perLevel = m_places->HasRing() ? 2 : 1;
    m_nLevels = levels;
}

uint8_t
GridChannels::GetN() const
{
    return static_cast<uint8_t>(m_nLevels * m_perLevel);
}

uint8_t
GridChannels::GetNLevels() const
{
    if (GetClasses().empty())
    {
        return UINT8_MAX;
    }
    const std::size_t n = GetClasses().front().size() / m_perLevel;
    return static_cast<uint8_t>(std::max<std::size_t>(n, 1));
}

uint8_t
GridChannels::GetNextLevel(uint8_t channel, uint16_t ingress, uint16_t egress, bool passedVia) const
{
    const uint8_t from = GetDimension(ingress);
    const uint8_t to = GetDimension(egress);
    const bool turns = from != Direction::NONE && to != Direction::NONE && to < from;
    return static_cast<uint8_t>(channel / m_perLevel + (turns || passedVia ? 1 : 0));
}

bool
GridChannels::IsInOrder(uint16_t egress, uint32_t dst) const
{
    return m_places->FindDifference(m_address, dst) == GetDimension(egress);
}

uint8_t
GridChannels::Next(uint8_t channel, uint16_t ingress, uint16_t egress, uint32_t dst, bool passedVia)
    const
{
    const uint8_t level = GetNextLevel(channel, ingress, egress, passedVia);
    const Direction& direction = m_directions[egress];
    bool clear = true; // of the link from the last switch to the first
    if (m_places->isRing[direction.dimension])
    {
        const uint32_t here = m_places->Get(m_address, direction.dimension);
        const uint32_t there = m_places->Get(dst, direction.dimension);
        clear = direction.up ? here < there : here > there;
    }
    return static_cast<uint8_t>(level * m_perLevel + (m_perLevel == 2 && clear ? 1 : 0));
}

} // namespace ns3
