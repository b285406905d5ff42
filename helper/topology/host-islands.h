// SPDX-License-Identifier: GPL-2.0-only
#ifndef HOST_ISLANDS_H
#define HOST_ISLANDS_H

#include "fabric-graph.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Which hosts of a network can talk: those that a link joins, or that touch a common island
 * of switches. Hosts do not forward.
 *
 * A network may have several islands, such as the planes of a network of rails, and hosts that have
 * none in common.
 */
class HostIslands
{
  public:
    /// @param graph the network
    explicit HostIslands(const FabricGraph& graph);

    /**
     * @param a a host
     * @param b another
     * @return true if they can talk
     */
    bool Join(uint32_t a, uint32_t b) const;

    /// @return true if an island joins all hosts: they all can talk
    bool JoinAll() const
    {
        return m_joinAll;
    }

  private:
    /// By node, of hosts: islands by one of their switches, and hosts, itself included; ascending.
    std::vector<std::vector<uint32_t>> m_touched;
    bool m_joinAll; //!< see JoinAll()
};

} // namespace ns3

#endif /* HOST_ISLANDS_H */
