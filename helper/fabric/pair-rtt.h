// SPDX-License-Identifier: GPL-2.0-only
#ifndef PAIR_RTT_H
#define PAIR_RTT_H

#include "path-latency.h"
#include "routing-builder.h"

#include "ns3/fabric-graph.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Base RTTs of pairs of hosts, for who asks again and again.
 *
 * That of a pair is the round-trip time of a packet and its answer on the empty fastest path of
 * the shortest ones; with spanning trees, which may lead a longer way, that of the longest way in
 * any of them. Hosts with the same links to the same switches are alike, so that each kind of pair
 * is computed once.
 */
class PairRtt
{
  public:
    /**
     * @param graph the network
     * @param routing its routes
     * @param paths latencies on them; all three outlive this object
     * @param dataBytes packet on the wire, gap included
     * @param ackBytes answer on the wire, gap included
     */
    PairRtt(const FabricGraph& graph,
            const RoutingBuilder& routing,
            const PathLatency& paths,
            uint64_t dataBytes,
            uint64_t ackBytes);

    /**
     * @param src address of a host
     * @param dst address of another host
     * @return the base RTT in ps
     * @throws FabricError if there is no way
     */
    int64_t GetPs(uint32_t src, uint32_t dst) const;

  private:
    /// @return the longest way there and back in any tree, in ps; 0 if there is none
    int64_t ComputeOnTreesPs(uint32_t src, uint32_t dst) const;
    /// @return the way there and back from a switch to a host in a tree, in ps; 0 if there is none
    int64_t WalkPs(uint32_t tree, uint32_t node, uint32_t dst) const;
    /// @return there and back over a link, in ps
    int64_t LinkPs(uint32_t link) const;

    const FabricGraph& m_graph;                            //!< the network
    const RoutingBuilder& m_routing;                       //!< its routes
    const PathLatency& m_paths;                            //!< latencies on shortest paths
    uint64_t m_dataBytes;                                  //!< packet
    uint64_t m_ackBytes;                                   //!< answer
    std::vector<uint32_t> m_kindOf;                        //!< of hosts, by node number
    mutable std::unordered_map<uint64_t, int64_t> m_known; //!< by kinds of source and destination
};

} // namespace ns3

#endif /* PAIR_RTT_H */
