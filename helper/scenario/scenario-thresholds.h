// SPDX-License-Identifier: GPL-2.0-only
#ifndef SCENARIO_THRESHOLDS_H
#define SCENARIO_THRESHOLDS_H

#include "ns3/fabric.h"

#include <ostream>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Print what follows from the network: RTTs above which ns3::RttEcnRecoveryModifier takes a
 * path for congested, by the number of switches on the way.
 * @param out where to
 * @param fabric the network
 */
void PrintScenarioThresholds(std::ostream& out, const Fabric& fabric);

} // namespace ns3

#endif /* SCENARIO_THRESHOLDS_H */
