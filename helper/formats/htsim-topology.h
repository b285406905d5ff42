// SPDX-License-Identifier: GPL-2.0-only
#ifndef HTSIM_TOPOLOGY_H
#define HTSIM_TOPOLOGY_H

#include "ns3/file-topology.h"

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Fat-tree from a topology file of the htsim simulators, see HtsimTopologyFile.
 *
 * The graph may have limits of queues, which FabricHelper takes for lossy networks only.
 */
class HtsimTopology : public PathTopology
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    HtsimTopology();

    const char* GetLatencyKey() const override
    {
        return "Switch_Latency_ns";
    }
};

} // namespace ns3

#endif /* HTSIM_TOPOLOGY_H */
