// SPDX-License-Identifier: GPL-2.0-only
#ifndef NODE_NAMES_H
#define NODE_NAMES_H

#include "fabric-graph.h"

#include "ns3/fabric-text.h"

#include <cstdint>
#include <string>

/**
 * @file
 * @brief Nodes by the names that plans, figures and messages call them.
 */

namespace ns3
{

/**
 * @ingroup dcfabric
 * @param text what stands for a node, in an option or a file
 * @return true if it is a name, and no number
 */
bool IsFabricNodeName(const std::string& text);

/**
 * @ingroup dcfabric
 * @param name of a node
 * @return true if it can stand in files and lists: it is no number, and has no blank, comma, colon
 * or invisible character
 */
bool IsWritableNodeName(const std::string& name);

/**
 * @ingroup dcfabric
 * @param graph a plan
 * @param text number or name of a node
 * @param before what a message begins with, with its colon and blank
 * @return the number of the node
 * @throws FabricError if no node has this number or name, or several have the name
 */
uint32_t FindFabricNode(const FabricGraph& graph,
                        const std::string& text,
                        const FabricText& before);

} // namespace ns3

#endif /* NODE_NAMES_H */
