// SPDX-License-Identifier: GPL-2.0-only
#ifndef SPANNING_TREES_H
#define SPANNING_TREES_H

#include "ns3/fabric-graph.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Several spanning trees over the switches of a network.
 *
 * Each tree is one of shortest paths from its root. Roots are the switches of the highest tier, in
 * the order of their numbers: with cores or spines as roots the path between two hosts of a
 * fat-tree or leaf-spine network is a shortest one. Fewer trees than roots take roots evenly
 * spaced, more begin again with the first one. Where a switch is as near to the root over several
 * links, tree by tree and switch by switch another one is taken, so that trees of the same root
 * differ as far as the network allows. Switches that the root does not reach have trees of their
 * own with the same number.
 */
class SpanningTrees
{
  public:
    static constexpr uint16_t NO_PORT = 0xffff; //!< no way

    /**
     * @brief Grow the trees.
     * @param graph validated, outlives this object
     * @param nTrees number of trees; 0: one for each switch of the highest tier
     * @param down by link: to be left out; empty: none
     */
    SpanningTrees(const FabricGraph& graph, uint32_t nTrees, const std::vector<bool>& down = {});

    /// @return number of trees
    uint32_t GetN() const
    {
        return static_cast<uint32_t>(m_trees.size());
    }

    /**
     * @param tree its number
     * @return the root of a tree
     */
    uint32_t GetRoot(uint32_t tree) const
    {
        return m_roots[tree];
    }

    /**
     * @param tree number of a tree
     * @param from number of a switch
     * @param to number of another switch
     * @return port of @p from on the way to @p to in this tree; NO_PORT if there is none
     */
    uint16_t GetPort(uint32_t tree, uint32_t from, uint32_t to) const;

    /**
     * @param costs by link number, not negative
     * @return the largest sum of costs on the way from one host to another in any tree; 0 if there
     * is no such way
     */
    int64_t GetLongest(const std::vector<int64_t>& costs) const;

  private:
    /// A node of a tree.
    struct Place
    {
        uint32_t parent{UINT32_MAX};    //!< node number; the node itself for a root
        uint16_t portUp{NO_PORT};       //!< port towards the parent
        uint16_t portDown{NO_PORT};     //!< port of the parent that leads here
        uint32_t enter{0};              //!< turn at which a walk through the tree meets the node
        uint32_t leave{0};              //!< turn after the last of its descendants
        uint32_t component{0};          //!< root of the part of the network
        std::vector<uint32_t> children; //!< in the order of the walk
    };

    /// A tree: places by node number.
    using Tree = std::vector<Place>;

    /// @return true if a way along a port of a switch leads to a switch
    bool Leads(const FabricGraph::Port& port) const
    {
        return !m_graph.IsHost(port.peer) && (m_down.empty() || !m_down[port.link]);
    }

    /// Grow one part of a tree from a root; @p choice says which of several ways, @p turn is that
    /// of the walk and moved on.
    void Grow(Tree& tree, uint32_t choice, uint32_t root, uint32_t& turn) const;

    const FabricGraph& m_graph;    //!< the network
    std::vector<bool> m_down;      //!< by link: to be left out; empty: none
    std::vector<uint32_t> m_roots; //!< by tree
    std::vector<Tree> m_trees;     //!< by number
};

} // namespace ns3

#endif /* SPANNING_TREES_H */
