// SPDX-License-Identifier: GPL-2.0-only
#ifndef PATH_CAPACITY_H
#define PATH_CAPACITY_H

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Whether so many packets can go from one node to another, if each link takes a number.
 */
class PathCapacity
{
  public:
    /// One link.
    struct Edge
    {
        uint32_t from;     //!< node
        uint32_t to;       //!< node
        uint64_t capacity; //!< packets that it takes
    };

    /**
     * @param edges all links
     * @param source where packets begin
     * @param sink where they end
     * @param layered all paths have as many links, and the links are in the order of their distance
     * from the source
     */
    PathCapacity(std::vector<Edge> edges, uint32_t source, uint32_t sink, bool layered);

    /**
     * @param packets how many
     * @return true if they can
     */
    bool Carries(uint64_t packets);

  private:
    /// @return true if each distance from the source has room for all
    bool FitsLayers(uint64_t packets) const;
    /// @return true if it works out when each node splits what it gets by the capacities of its
    /// links
    bool FitsSplit(uint64_t packets) const;
    /// @return true if the largest flow is as many
    bool FitsFlow(uint64_t packets);

    std::vector<Edge> m_edges; //!< with what is left of their capacities
    uint32_t m_source;         //!< first node
    uint32_t m_sink;           //!< last node
    bool m_layered;            //!< see the constructor
};

} // namespace ns3

#endif /* PATH_CAPACITY_H */
