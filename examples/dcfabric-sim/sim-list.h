// SPDX-License-Identifier: GPL-2.0-only
#ifndef SIM_LIST_H
#define SIM_LIST_H

#include "ns3/fabric-text.h"

#include <ostream>

namespace ns3
{

/**
 * @brief Print every policy of the module by kind, with its attributes.
 * @param out where to
 * @param speaker has the words of the command line
 */
void PrintSimPolicies(std::ostream& out, const FabricSpeaker& speaker);

} // namespace ns3

#endif /* SIM_LIST_H */
