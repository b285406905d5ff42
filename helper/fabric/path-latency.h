// SPDX-License-Identifier: GPL-2.0-only
#ifndef PATH_LATENCY_H
#define PATH_LATENCY_H

#include "routing-builder.h"

#include "ns3/fabric-graph.h"

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief One link of a path in the direction of travel.
 */
struct FabricHop
{
    uint32_t node;    //!< where it begins
    uint32_t port;    //!< port there
    uint64_t rateBps; //!< rate in bit/s
    int64_t delayPs;  //!< delay in ps
};

/**
 * @ingroup dcfabric
 * @brief How long a single packet travels on an empty network, on the fastest of the paths with the
 * fewest hops.
 */
class PathLatency
{
  public:
    /**
     * @param graph the network
     * @param routing its routes; both outlive this object
     */
    PathLatency(const FabricGraph& graph, const RoutingBuilder& routing);

    /**
     * @param rateBps bit/s
     * @param bytes number of bytes
     * @return ps that bytes take at a rate, rounded down
     */
    static int64_t TransmissionPs(uint64_t rateBps, uint64_t bytes);

    /**
     * @param src address of a host
     * @param dst address of another host
     * @param wireBytes bytes of the packet on the wire
     * @return ps from its first bit at the sender to its last at the receiver, store and forward
     */
    int64_t GetLatencyPs(uint32_t src, uint32_t dst, uint64_t wireBytes) const;

    /**
     * @param src host
     * @param dst host
     * @param wireBytes bytes on the wire
     * @return the fastest path
     */
    std::vector<FabricHop> GetBestPath(uint32_t src, uint32_t dst, uint64_t wireBytes) const;

    /**
     * @param dataBytes there
     * @param ackBytes back
     * @return the largest round-trip time of all host pairs in ps, with spanning trees on the
     * longest way in any of them
     */
    int64_t GetMaxRttPs(uint64_t dataBytes, uint64_t ackBytes) const;

  private:
    /// Latency from each switch to the nearest last-hop switch of a class, and where these are
    /// several, to the host; by RoutingBuilder::GetSwitchIndex().
    using Costs = std::vector<int64_t>;

    /// @return the costs, computed once
    const Costs& GetCosts(uint32_t dst, uint64_t wireBytes) const;

    /// Latencies of links for packets of one size.
    struct LinkCosts
    {
        std::vector<int64_t> ps; //!< of each link
        /// Of all links between switches, if they are alike and it is enough to know how many of
        /// them lead to a class.
        std::optional<int64_t> hopPs;
    };

    /// What ComputeCosts() computes.
    struct Wanted
    {
        const LinkCosts* links;           //!< latencies of links
        const std::vector<int64_t>* ends; //!< latencies from each last-hop switch on
        Costs costs;                      //!< the costs
    };

    /// Compute costs where all links are alike. @return false if they are not
    bool ComputeFromDistances(uint32_t destinationClass, Wanted& wanted) const;

    /// Compute costs for a class, for packets of several sizes on one walk.
    void ComputeCosts(uint32_t destinationClass, std::vector<Wanted>& wanted) const;
    /// @return latencies of links
    LinkCosts ListLinkCosts(uint64_t wireBytes) const;
    /// @return the fastest link of a host to each of its last-hop switches; 0 if there is only one
    /// such switch, which settles it
    std::vector<int64_t> ListEnds(uint32_t host, uint64_t wireBytes) const;
    /// @return the fastest path that begins with a port of the source
    std::vector<FabricHop> GetPathFrom(uint32_t src,
                                       uint32_t dst,
                                       uint64_t wireBytes,
                                       uint16_t first) const;
    /// @return latency of a link
    int64_t LinkPs(uint32_t link, uint64_t wireBytes) const;
    /// @return the fastest link of a host
    int64_t HostLinkPs(uint32_t host, uint64_t wireBytes) const;

    /// What costs depend on: bytes, class, latency from the last-hop switches on.
    using CostsKey = std::tuple<uint64_t, uint32_t, std::vector<int64_t>>;

    const FabricGraph& m_graph;                        //!< the network
    const RoutingBuilder& m_routing;                   //!< its routes
    mutable std::map<CostsKey, Costs> m_costs;         //!< that were asked for
    mutable std::map<uint64_t, LinkCosts> m_linkCosts; //!< by the bytes that were asked for
};

} // namespace ns3

#endif /* PATH_LATENCY_H */
