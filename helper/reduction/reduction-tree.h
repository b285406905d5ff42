// SPDX-License-Identifier: GPL-2.0-only
#ifndef REDUCTION_TREE_H
#define REDUCTION_TREE_H

#include "ns3/fabric-graph.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief The tree of switches in which the vectors of some hosts are added up.
 *
 * Its root is a switch whose greatest distance to the hosts is the least, then one whose distances
 * have the least sum, then the one of the lowest number; trees of several channels take these in
 * turn, and of several links that are as near to the root each takes another one.
 */
class ReductionTree
{
  public:
    static constexpr uint32_t NONE = UINT32_MAX; //!< no node

    /// A node of the tree.
    struct Node
    {
        uint32_t node{0};               //!< its number in the network
        uint32_t parent{NONE};          //!< index of its parent among the nodes; NONE: the root
        uint16_t port{0};               //!< that leads to the parent
        uint16_t parentPort{0};         //!< port of the parent that leads here
        uint32_t link{0};               //!< to the parent
        std::vector<uint32_t> children; //!< indices among the nodes
        std::vector<uint32_t> hosts;    //!< below it, or it itself; ascending
    };

    /**
     * @brief List the switches that may be roots.
     * @param graph the network
     * @param hosts node numbers, at least one, each once
     * @return they, in the order in which channels take them; empty: none reaches all hosts
     */
    static std::vector<uint32_t> ListRoots(const FabricGraph& graph,
                                           const std::vector<uint32_t>& hosts);

    /**
     * @brief Grow a tree.
     * @param graph the network
     * @param hosts node numbers, each once
     * @param root a switch that reaches all of them
     * @param channel number of the channel
     */
    ReductionTree(const FabricGraph& graph,
                  const std::vector<uint32_t>& hosts,
                  uint32_t root,
                  uint32_t channel);

    /// @return the nodes, the root first, parents before their children
    const std::vector<Node>& GetNodes() const
    {
        return m_nodes;
    }

    /// What a window depends on.
    struct Timing
    {
        int64_t rttPs{0};    //!< from a full packet's first bit at a host to its result there, at
                             //!< most, in an empty network
        int64_t packetPs{0}; //!< time from one packet to the next, at the slowest place
    };

    /**
     * @param graph the network
     * @param wireBytes of a full packet, gap included
     * @param payloadBytes of these, payload
     * @param delayPs ReductionFeature::ReduceDelay
     * @param rateBps ReductionFeature::ReduceRate; 0: adding takes no time
     * @return how long packets take
     */
    Timing ComputeTiming(const FabricGraph& graph,
                         uint64_t wireBytes,
                         uint64_t payloadBytes,
                         int64_t delayPs,
                         uint64_t rateBps) const;

    /**
     * @param timing of the tree
     * @return packets that have to be under way so that the slowest place is never idle
     */
    static uint32_t ComputeWindow(const Timing& timing);

  private:
    std::vector<Node> m_nodes; //!< see GetNodes()
};

} // namespace ns3

#endif /* REDUCTION_TREE_H */
