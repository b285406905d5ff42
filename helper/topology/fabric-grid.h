// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_GRID_H
#define FABRIC_GRID_H

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Coordinates of the switches of a torus or a HyperX.
 *
 * A *place* counts the switches of one grid, the first dimension fastest. Two switches that differ
 * in one coordinate are neighbors if the network is a HyperX, and in a torus if they differ by one
 * or are the first and the last.
 */
struct FabricGrid
{
    std::vector<uint32_t> sizes; //!< switches in each dimension, each at least 2; empty: no grid
    bool wraps{false};           //!< true: each dimension is a ring (torus); false: a full mesh

    /// @return number of switches; 1 without dimensions
    uint32_t GetNPlaces() const;

    /**
     * @brief Tell a ring, on which packets can chase one another, from a mere pair of switches.
     * @param dimension below sizes.size()
     * @return true if there is a link from the last switch of this dimension to the first beside
     * those between neighbors: a torus with at least three switches in it
     */
    bool IsRing(uint32_t dimension) const;

    /**
     * @param place below GetNPlaces()
     * @param dimension below sizes.size()
     * @return coordinate, below sizes[dimension]
     */
    uint32_t GetCoordinate(uint32_t place, uint32_t dimension) const;

    /**
     * @param place below GetNPlaces()
     * @return one coordinate for each dimension
     */
    std::vector<uint32_t> GetCoordinates(uint32_t place) const;

    /**
     * @param coordinates one for each dimension, each below its size
     * @return the place with them
     */
    uint32_t GetPlace(const std::vector<uint32_t>& coordinates) const;
};

} // namespace ns3

#endif /* FABRIC_GRID_H */
