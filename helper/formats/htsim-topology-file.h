// SPDX-License-Identifier: GPL-2.0-only
#ifndef HTSIM_TOPOLOGY_FILE_H
#define HTSIM_TOPOLOGY_FILE_H

#include "ns3/fabric-graph.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Topology files (`.topo`) of the htsim family of simulators: fat-trees of two or three
 * tiers.
 *
 * `#` begins a comment; keys are case-insensitive, each with one value. The header has `Nodes`,
 * `Tiers` (2 or 3) and `Podsize` (hosts of a pod; with two tiers all of them); then for each tier
 * from 0 (ToR) on a line `Tier k` and
 *
 * - `Downlink_speed_Gbps`, `Radix_Down`, `Downlink_Latency_ns`: always, of the links downwards;
 * - `Radix_Up`: on all tiers but the top one;
 * - `Bundle`: parallel links to each lower neighbor, part of the radix; default 1;
 * - `Oversubscribed`: capacity down over up, which must be what the other keys say;
 * - `Switch_Latency_ns`: default 0;
 * - `Queue_Up`, `Queue_Down`: bytes that a port upwards or downwards may hold; default no limit.
 *   Not on the top tier: `Queue_Up`.
 */
struct HtsimTopologyFile
{
    /// One tier.
    struct Tier
    {
        uint64_t downlinkBps{0};      //!< rate of links downwards, bit/s, above 0
        uint32_t radixUp{0};          //!< ports upwards; 0 on the top tier
        uint32_t radixDown{0};        //!< ports downwards, at least 1
        uint64_t queueUp{0};          //!< bytes that a port upwards may hold; 0: no limit
        uint64_t queueDown{0};        //!< bytes that a port downwards may hold; 0: no limit
        uint32_t oversubscribed{0};   //!< capacity down over up; 0: not given
        uint32_t bundle{1};           //!< parallel links to each lower neighbor
        int64_t switchLatencyPs{0};   //!< of each switch, ps, even
        int64_t downlinkLatencyPs{0}; //!< of each link downwards, ps, above 0
        uint32_t line{0};             //!< where it begins, for messages

        /**
         * @param o another
         * @return true if all but the line is equal
         */
        bool operator==(const Tier& o) const;
    };

    uint32_t nodes{0};       //!< hosts
    uint32_t podSize{0};     //!< hosts of a pod
    std::vector<Tier> tiers; //!< two or three, ToR first
    std::string path;        //!< file read, for messages
    uint32_t podLine{0};     //!< line of Podsize, for messages

    /**
     * @brief Lay out the network.
     *
     * Hosts come first, in the order of pod, ToR, port; then ToRs, aggregation switches (both by
     * pod), cores. Link numbers follow the same order, the links of a bundle beside one another,
     * so that the same port index in both directions gives the same path. The aggregation switch
     * at place p of its pod, of A, has cores p, p + A, p + 2A, ... The latency of a switch is laid
     * on its links, half on each: every path through the switch takes all of it.
     *
     * @return the network, with limits of queues
     * @throws FabricError if the numbers do not fit one another; the message begins with path and
     * line
     */
    FabricGraph BuildGraph() const;
};

/**
 * @ingroup dcfabric
 * @param path file to read
 * @return its contents, which BuildGraph() can lay out
 * @throws FabricError with file and line for everything that is not exactly the format, and if the
 * numbers do not fit one another
 */
HtsimTopologyFile ReadHtsimTopology(const std::string& path);

/**
 * @ingroup dcfabric
 * @brief Write a file that ReadHtsimTopology() reads back the same.
 *
 * The file appears whole or not at all.
 *
 * @param file contents
 * @param path file to write
 * @throws FabricError if the file cannot be written
 */
void WriteHtsimTopology(const HtsimTopologyFile& file, const std::string& path);

} // namespace ns3

#endif /* HTSIM_TOPOLOGY_FILE_H */
