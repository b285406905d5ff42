// SPDX-License-Identifier: GPL-2.0-only
#ifndef HPCC_TOPOLOGY_FILE_H
#define HPCC_TOPOLOGY_FILE_H

#include "fabric-graph.h"

#include <string>

/**
 * @file
 * @brief Topology files of the HPCC and ConWeave simulators, of ns3-datacenter and of SimAI.
 *
 * Line 1 `node_num switch_num link_num`; in ns3-datacenter `node_num switch_num tor_num link_num`,
 * with two rates behind or none, of which tor_num and the rates have no effect, and where a link's
 * rate without unit is in bit/s; with GPU servers `node_num gpus_per_server nvswitch_num switch_num
 * link_num gpu_type`, of which the last has no effect; then the switch ids, those of
 * NVSwitches first; then per link `src dst rate delay error_rate`, rate and delay as ns-3 writes
 * them. All other ids are hosts. A line that begins with
 * `First line:` ends the data: the files that ship with that simulator explain the format there.
 * Parallel links are kept. Of more links than line 1 promises the first ones are taken, as that
 * simulator does, with a warning (see WarnFabric()).
 *
 * Behind the links, where those simulators do not read, there may be lines `node ID NAME` and
 * `node ID NAME X Y`: how a node is called, and where drawings have it.
 */

namespace ns3
{

/**
 * @ingroup dcfabric
 * @param path file to read
 * @return the network with the file's node numbers, validated; switch tiers are distances from the
 * nearest host
 * @throws FabricError with file and line for everything that is not exactly the format
 */
FabricGraph ReadHpccTopology(const std::string& path);

/**
 * @ingroup dcfabric
 * @brief Write a network so that ReadHpccTopology() and the public simulators read it back.
 *
 * The file appears whole or not at all. Names other than those that a file without names gives, and
 * places, follow the links; a name that several nodes have, or that IsWritableNodeName() denies, is
 * left out. Tiers and pods have no place in the format; with
 * NVSwitches gpus_per_server is what the largest server has, and gpu_type is NONE.
 *
 * @param graph the network
 * @param path file to write
 * @throws FabricError if the file cannot be written
 */
void WriteHpccTopology(const FabricGraph& graph, const std::string& path);

} // namespace ns3

#endif /* HPCC_TOPOLOGY_FILE_H */
