// SPDX-License-Identifier: GPL-2.0-only
#ifndef GRID_TOPOLOGY_H
#define GRID_TOPOLOGY_H

#include "rail-topology.h"

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Base class of networks whose switches have coordinates, and hosts each.
 *
 * Switches are numbered with the first dimension fastest and named by their coordinates,
 * `switch-1-0-3`. Hosts are numbered by switch and port. All switches are tier 1 and pod 0. Link
 * tiers: hosts, then each dimension.
 */
class GridTopology : public RailTopology
{
  public:
    /// Largest number of dimensions.
    static constexpr uint32_t MAX_DIMENSIONS = 16;

    /// @return the TypeId
    static TypeId GetTypeId();

    const char* GetUsualRouting() const override
    {
        return "ns3::DimensionOrderRouting";
    }

  protected:
    Rail PlanRail() const override;

    /**
     * @brief Declare sizes and hosts.
     * @param tid class of the topology
     * @param dims usual sizes
     * @param hosts usual number of hosts
     * @return the class
     */
    static TypeId AddGrid(TypeId tid, const char* dims, uint32_t hosts);

    /// @return name for messages, such as `torus`
    virtual const char* GetName() const = 0;

    /// @return true if each dimension is a ring
    virtual bool Wraps() const = 0;

    /**
     * @param size of a dimension, at least 2
     * @return number of links between the switches that differ only in this dimension
     */
    virtual uint64_t CountLinks(uint64_t size) const = 0;

    /**
     * @brief The switches to which a switch adds its links; the others add theirs to it.
     * @param x coordinate in a dimension
     * @param size of the dimension, at least 2
     * @return coordinates of the far ends, one for each link
     */
    virtual std::vector<uint32_t> GetFarEnds(uint32_t x, uint32_t size) const = 0;

  private:
    /**
     * @return sizes of the dimensions
     * @throws FabricError if the user's text is malformed
     */
    std::vector<uint32_t> ReadSizes() const;

    std::string m_dims; //!< switches in each dimension, joined by x
    uint32_t m_hosts;   //!< hosts of each switch
};

} // namespace ns3

#endif /* GRID_TOPOLOGY_H */
