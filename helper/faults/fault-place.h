// SPDX-License-Identifier: GPL-2.0-only
#ifndef FAULT_PLACE_H
#define FAULT_PLACE_H

#include "fabric-fault-file.h"

#include "ns3/fabric-graph.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief A fault, and the link or the node of a network that it means.
 */
struct PlacedFault
{
    static constexpr uint32_t NO_LINK = UINT32_MAX; //!< the link of a fault of a node

    const FabricFault* fault; //!< what and when
    uint32_t link;            //!< number of the link, or NO_LINK
    uint32_t node;            //!< the node, or one end of the link
    uint32_t port;            //!< port of that end
};

/**
 * @ingroup dcfabric
 * @param fault a fault
 * @return what to call it in messages: file and line, or what it says, and a colon
 */
FabricText NameFault(const FabricFault& fault);

/**
 * @ingroup dcfabric
 * @brief Find what a fault means.
 * @param graph the plan of the network
 * @param fault a fault, outlives the result
 * @return the place
 * @throws FabricError that names the fault: an unknown node or port, no link or several between two
 * nodes
 */
PlacedFault PlaceFault(const FabricGraph& graph, const FabricFault& fault);

} // namespace ns3

#endif /* FAULT_PLACE_H */
