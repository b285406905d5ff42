// SPDX-License-Identifier: GPL-2.0-only
#ifndef GRID_CHANNELS_H
#define GRID_CHANNELS_H

#include "ns3/virtual-channels.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Where everything is in a grid of switches; shared by all switches.
 */
struct GridPlaces
{
    std::vector<uint32_t> sizes;       //!< of dimensions
    std::vector<bool> isRing;          //!< by dimension: its last switch is a neighbor of its first
    std::vector<uint32_t> coordinates; //!< by fabric address, one for each dimension; a host has
                                       //!< those of its switch

    /// @return number of dimensions
    uint32_t GetNDimensions() const
    {
        return static_cast<uint32_t>(sizes.size());
    }

    /**
     * @param address of a node
     * @param dimension below GetNDimensions()
     * @return its coordinate
     */
    uint32_t Get(uint32_t address, uint32_t dimension) const
    {
        return coordinates[std::size_t{address} * sizes.size() + dimension];
    }

    /**
     * @param a,b addresses
     * @return the lowest dimension in which they differ; GetNDimensions() if there is none
     */
    uint32_t FindDifference(uint32_t a, uint32_t b) const;

    /// @return true if a dimension is a ring
    bool HasRing() const;
};

/**
 * @ingroup dcfabric
 * @brief Virtual channels of grids. In each ring a packet has one channel until it is over the
 * link from the last switch to the first, and another one from there, or if it does not go that way
 * (Dally and Seitz, IEEE Trans. Computers C-36, 1987). A packet that turns from a higher to a lower
 * dimension, or has passed an intermediate destination, goes on one *level* higher, with channels
 * of its own (Dally and Aoki, IEEE Trans. Parallel and Distributed Systems 4, 1993, static
 * algorithm).
 *
 * On one level dimensions ascend, and in a ring channels close no circle. Channel = level x
 * channels of a level + (1: no such link ahead).
 */
class GridChannels : public VirtualChannels
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Where a port leads.
    struct Direction
    {
        static constexpr uint8_t NONE = 0xff; //!< to a host

        uint8_t dimension{NONE}; //!< in which the switch at the other end differs
        bool up{false};          //!< to the next switch of the ring, not to the one before
    };

    /**
     * @brief Learn the place of the switch.
     * @param places where everything is
     * @param address of the switch
     * @param directions by port
     * @param levels that a packet may need, at least 1
     */
    void Configure(std::shared_ptr<const GridPlaces> places,
                   uint32_t address,
                   std::vector<Direction> directions,
                   uint8_t levels);

    // from VirtualChannels
    uint8_t GetN() const override;
    uint8_t Next(uint8_t channel,
                 uint16_t ingress,
                 uint16_t egress,
                 uint32_t dst,
                 bool passedVia) const override;

  protected:
    /// @return level on the link of departure; parameters as for Next()
    uint8_t GetNextLevel(uint8_t channel, uint16_t ingress, uint16_t egress, bool passedVia) const;

    /// @return levels for which there are classes; without classes all
    uint8_t GetNLevels() const;

    /**
     * @param egress port to another switch
     * @param dst address
     * @return true if the port is the next hop in dimension order
     */
    bool IsInOrder(uint16_t egress, uint32_t dst) const;

  private:
    /// @return dimension of a port's link, Direction::NONE if it leads to a host
    uint8_t GetDimension(uint16_t port) const
    {
        return port < m_directions.size() ? m_directions[port].dimension : Direction::NONE;
    }

    std::shared_ptr<const GridPlaces> m_places; //!< where everything is
    std::vector<Direction> m_directions;        //!< by port
    uint32_t m_address{0};                      //!< of the switch
    uint8_t m_perLevel{1};                      //!< channels of a level
    uint8_t m_nLevels{1};                       //!< that a packet may need
};

} // namespace ns3

#endif /* GRID_CHANNELS_H */
