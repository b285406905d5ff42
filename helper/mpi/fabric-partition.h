// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_PARTITION_H
#define FABRIC_PARTITION_H

#include "ns3/fabric-graph.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Which rank simulates which node.
 */
class FabricPartition
{
  public:
    /**
     * @brief Keep together what is near: pods, or groups, or else the hosts of a switch, in the
     * order of their hosts, so that each rank has as many hosts as the others; the switches above
     * are dealt one by one.
     * @param graph the network
     * @param ranks number of ranks, at least 1
     * @throws FabricError if there are fewer such parts than ranks
     */
    FabricPartition(const FabricGraph& graph, uint32_t ranks);

    /**
     * @brief Read it from a file: lines `RANK NODE...`, each NODE a number or a range `A-B`;
     * comments begin with `#`.
     * @param graph the network
     * @param ranks number of ranks, at least 1
     * @param path the file
     * @throws FabricError if it cannot be read, names a node that is not there or a rank of its
     * own twice, leaves a node out, or leaves a rank without nodes; with one rank the ranks may be
     * any
     */
    FabricPartition(const FabricGraph& graph, uint32_t ranks, const std::string& path);

    /**
     * @param node its number
     * @return its rank
     */
    uint32_t GetRank(uint32_t node) const
    {
        return m_rankOf[node];
    }

    /**
     * @param graph the network
     * @return the least delay of links between ranks in ps; FabricGraph::MAX_DELAY_PS if there are
     * none
     */
    int64_t GetLookAheadPs(const FabricGraph& graph) const;

  private:
    std::vector<uint32_t> m_rankOf; //!< by node
};

} // namespace ns3

#endif /* FABRIC_PARTITION_H */
