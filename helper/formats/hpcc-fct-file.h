// SPDX-License-Identifier: GPL-2.0-only
#ifndef HPCC_FCT_FILE_H
#define HPCC_FCT_FILE_H

#include "ns3/flow-recorder.h"

#include <string>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Write completed flows as the public HPCC simulator does, for its analysis scripts.
 *
 * A line each, in the order in which the senders finished: `src dst sport dport size start fct
 * standalone`, src and dst as hexadecimal addresses 0x0b000001 + ((id / 256) << 16) + ((id % 256)
 * << 8), times in ns rounded down, the FCT until the sender has the last ACK. sport counts the
 * flows of a host pair from 10000, dport is that of the flow (FabricFlow::port).
 *
 * standalone is that simulator's reference: base RTT (twice the delays and the time of a payload at
 * each link of the best path) + size with 48 bytes per packet at the lowest rate of the path. It is
 * not our ideal FCT; slowdowns below 1 occur with it.
 *
 * @param recorder of the flows
 * @param path file to write
 * @throws FabricError if it cannot be written
 */
void WriteHpccFctFile(const FlowRecorder& recorder, const std::string& path);

/**
 * @brief @ingroup dcfabric
 * @param recorder of the flows
 * @param flow its number
 * @return standalone FCT of a flow in ns, see WriteHpccFctFile()
 */
uint64_t GetHpccStandaloneNs(const FlowRecorder& recorder, uint32_t flow);

} // namespace ns3

#endif /* HPCC_FCT_FILE_H */
