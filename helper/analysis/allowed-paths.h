// SPDX-License-Identifier: GPL-2.0-only
#ifndef ALLOWED_PATHS_H
#define ALLOWED_PATHS_H

#include "ns3/fabric-graph.h"
#include "ns3/routing-builder.h"

#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What of a path decides how long a lone message takes on it.
 */
struct PathShape
{
    int64_t delayPs{0};             //!< of all links, ps
    std::vector<uint64_t> ratesBps; //!< of each link, from the sender on, bit/s

    /**
     * @param o the other
     * @return true if no message takes longer on this path than on another
     */
    bool IsAtLeastAsFastAs(const PathShape& o) const;

    /**
     * @param o another shape
     * @return an order, of no meaning
     */
    bool operator<(const PathShape& o) const
    {
        return std::tie(delayPs, ratesBps) < std::tie(o.delayPs, o.ratesBps);
    }
};

/**
 * @ingroup dcfabric
 * @brief The paths on which forwarding tables lead packets from host to host: all shortest ones, or
 * those of the spanning trees.
 */
class AllowedPaths
{
  public:
    /// One link in the direction of travel.
    struct Link
    {
        uint32_t from;    //!< node
        uint32_t port;    //!< port there; of no meaning for links to a host
        uint32_t to;      //!< node
        uint64_t rateBps; //!< bit/s
        int64_t delayPs;  //!< ps
    };

    /**
     * @param graph the network
     * @param routing its routes; both outlive this object
     */
    AllowedPaths(const FabricGraph& graph, const RoutingBuilder& routing);

    /**
     * @param src address of a host
     * @param dst address of another host
     * @return paths of which one is the fastest for any message, each shape once
     * @throws FabricError if there is none
     */
    std::vector<PathShape> ListShapes(uint32_t src, uint32_t dst) const;

    /**
     * @param src address of a host
     * @param dst address of another host
     * @return all links of all paths; without spanning trees those into a node before those out of
     * it
     */
    std::vector<Link> ListLinks(uint32_t src, uint32_t dst) const;

    /// @return true if all paths between two hosts have as many links
    bool AreAlikeInHops() const
    {
        return m_routing.GetTrees() == nullptr;
    }

  private:
    /// Shapes from a switch to a last-hop switch, by the place of this one among those of the
    /// destination's class.
    using Shapes = std::set<std::pair<uint32_t, PathShape>>;

    /// A link and the shapes behind it: number of these, delay in ps, rate in bit/s.
    using Way = std::tuple<uint32_t, int64_t, uint64_t>;

    /// @return links between switches on paths from one to a class, as of ListLinks()
    std::vector<Link> ListSwitchLinks(uint32_t from, uint32_t cls) const;
    /// @return shapes from a switch that hosts have links to, each computed once
    const Shapes& GetShapes(uint32_t from, uint32_t cls) const;
    /// @return their numbers on shortest paths, by place in m_firstHops: of all at once, because
    /// ways join on the way back from a destination
    std::vector<uint32_t> FindShortest(uint32_t cls) const;
    /// @return the number of the shapes that begin with one of some links
    uint32_t Join(const std::vector<Way>& ways) const;
    /// @return the number of some shapes
    uint32_t Keep(const Shapes& shapes) const;
    /// @return the same on trees
    Shapes FindOnTrees(uint32_t from, uint32_t cls) const;
    /// @return the links from a switch to the nearest last-hop switch that a tree leads to; none if
    /// it leads nowhere
    std::vector<Link> WalkTree(uint32_t tree, uint32_t from, uint32_t cls) const;
    /// @return a link
    Link MakeLink(uint32_t from, uint32_t port) const;

    const FabricGraph& m_graph;        //!< the network
    const RoutingBuilder& m_routing;   //!< its routes
    std::vector<uint32_t> m_firstHops; //!< switches that hosts have links to, ascending
    /// by class, numbers by place in m_firstHops
    mutable std::map<uint32_t, std::vector<uint32_t>> m_shortest;
    /// by switch and class, numbers
    mutable std::map<std::pair<uint32_t, uint32_t>, uint32_t> m_onTrees;
    mutable std::map<Shapes, uint32_t> m_numbers;          //!< each once: regular networks have few
    mutable std::vector<const Shapes*> m_shapes;           //!< by number
    mutable std::map<std::vector<Way>, uint32_t> m_joined; //!< what Join() has found
};

} // namespace ns3

#endif /* ALLOWED_PATHS_H */
