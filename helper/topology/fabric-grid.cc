// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-grid.h"

#include <cstddef>

namespace ns3
{

uint32_t
FabricGrid::GetNPlaces() const
{
    uint32_t places = 1;
    for (const uint32_t size : sizes)
    {
        places *= size;
    }
    return places;
}

bool
FabricGrid::IsRing(uint32_t dimension) const
{
    return wraps && sizes.at(dimension) > 2;
}

uint32_t
FabricGrid::GetCoordinate(uint32_t place, uint32_t dimension) const
{
    for (uint32_t d = 0; d < dimension; d++)
    {
        place /= sizes[d];
    }
    return place % sizes.at(dimension);
}

std::vector<uint32_t>
FabricGrid::GetCoordinates(uint32_t place) const
{
    std::vector<uint32_t> coordinates;
    coordinates.reserve(sizes.size());
    for (const uint32_t size : sizes)
    {
        coordinates.push_back(place % size);
        place /= size;
    }
    return coordinates;
}

uint32_t
FabricGrid::GetPlace(const std::vector<uint32_t>& coordinates) const
{
    uint32_t place = 0;
    for (std::size_t d = sizes.size(); d-- > 0;)
    {
        place = place * sizes[d] + coordinates.at(d);
    }
    return place;
}

} // namespace ns3
