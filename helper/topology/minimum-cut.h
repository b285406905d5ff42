// SPDX-License-Identifier: GPL-2.0-only
#ifndef MINIMUM_CUT_H
#define MINIMUM_CUT_H

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Capacity of the narrowest cut between two nodes of a network, by the largest flow between
 * them.
 *
 * Source: E. A. Dinic, "Algorithm for Solution of a Problem of Maximum Flow in Networks with Power
 * Estimation", 1970.
 */
class MinimumCut
{
  public:
    /**
     * @brief Begin with nodes that nothing joins.
     * @param nodes number of nodes
     */
    explicit MinimumCut(uint32_t nodes);

    /**
     * @brief Join two nodes.
     * @param a,b nodes
     * @param capacity in each of both directions
     */
    void Join(uint32_t a, uint32_t b, uint64_t capacity);

    /**
     * @brief Find the capacity; call once.
     * @param from,to two different nodes
     * @return sum of the capacities in one direction over the links of the narrowest cut
     */
    uint64_t Find(uint32_t from, uint32_t to);

  private:
    /// One direction of a link; the other one is its neighbor in the list.
    struct Arc
    {
        uint32_t to;       //!< where it leads
        uint64_t capacity; //!< what is left of it
    };

    /**
     * @brief Number all nodes by their distance.
     * @return true if the end can be reached
     */
    bool Level(uint32_t from, uint32_t to);

    /**
     * @brief Send along one way that leads to the end.
     * @return how much; 0: there is no way any more
     */
    uint64_t Push(uint32_t from, uint32_t to);

    std::vector<Arc> m_arcs;                   //!< in pairs
    std::vector<std::vector<uint32_t>> m_outs; //!< arcs of each node
    std::vector<uint32_t> m_levels;            //!< distance of each node
    std::vector<uint32_t> m_next;              //!< arc of each node to be tried next
};

} // namespace ns3

#endif /* MINIMUM_CUT_H */
