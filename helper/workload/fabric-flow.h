// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_FLOW_H
#define FABRIC_FLOW_H

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief One message that a workload asks for.
 *
 * Hosts are named by host number, which is the number of the host's node (see FabricGraph).
 * Priorities are those of IEEE 802.1Qbb, 0 to 7; 3 is what the field's flow files use for RDMA
 * traffic, and the default here.
 */
struct FabricFlow
{
    /// Start of a flow that a FlowTrigger starts and that has not started yet.
    static constexpr int64_t ON_TRIGGER = -1;
    /// Size of a flow that goes on until the simulation stops.
    static constexpr uint64_t ENDLESS = UINT64_MAX;

    uint32_t src{0};       //!< host number of the sender
    uint32_t dst{0};       //!< host number of the receiver, never src
    uint64_t sizeBytes{0}; //!< payload, bytes, at least 1, or ENDLESS
    int64_t startPs{0};    //!< start, ps of simulation time, at least 0, or ON_TRIGGER
    uint8_t priority{3};   //!< priority, 0 to 7
    /// Destination port in the files of the HPCC simulator; it has no effect on the run.
    uint16_t port{100};
    uint16_t group{0}; //!< index of its label, see FabricWorkload::GetGroups()

    /**
     * @param o another flow
     * @return true if every field is equal
     */
    bool operator==(const FabricFlow& o) const
    {
        return src == o.src && dst == o.dst && sizeBytes == o.sizeBytes && startPs == o.startPs &&
               priority == o.priority && port == o.port && group == o.group;
    }
};

} // namespace ns3

#endif /* FABRIC_FLOW_H */
