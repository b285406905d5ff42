// SPDX-License-Identifier: GPL-2.0-only
#ifndef CLOSED_WINGS_H
#define CLOSED_WINGS_H

#include "fabric-text.h"

#include <string>

/**
 * @file
 * @brief Parts of the module that this build leaves out (wings.cmake), by the names with which
 * users ask for them.
 */

namespace ns3
{

/**
 * @ingroup dcfabric
 * @param name of a class, `ns3::RcmFeature`, or an option or value of dcfabric-sim, as wings.cmake
 * has it
 * @return the wing that has it, such as `RCM`, if this build leaves that out; else empty
 */
std::string FindClosedWing(const std::string& name);

/**
 * @ingroup dcfabric
 * @brief Refuse what belongs to a wing that this build leaves out. Nothing happens for other names,
 * known or not.
 * @param name as of FindClosedWing()
 * @param subject what is refused
 * @throws FabricError that says how to build it
 */
void RefuseClosedWing(const std::string& name, const FabricText& subject);

} // namespace ns3

#endif /* CLOSED_WINGS_H */
