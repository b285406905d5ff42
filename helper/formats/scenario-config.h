// SPDX-License-Identifier: GPL-2.0-only
#ifndef SCENARIO_CONFIG_H
#define SCENARIO_CONFIG_H

#include "ns3/scenario-settings.h"

#include <string>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Read a configuration file (`config=PATH`) and map each key.
 *
 * A key sets options and attributes, has no effect by nature (a note says which ones), or is
 * refused. Sources of what keys mean: `third.cc`, `rdma-hw.cc` and `run.py` of the public HPCC
 * simulator; `network-load-balance.cc` and `run.py` of ConWeave's.
 * @param path of the file
 * @param isGiven tells whether the user gave an option or attribute, which then is not looked at in
 * the file
 * @return what the file sets
 * @throws FabricError with file, line and key
 */
ScenarioSettings ReadScenarioConfig(const std::string& path,
                                    const ScenarioSettings::IsGiven& isGiven);

} // namespace ns3

#endif /* SCENARIO_CONFIG_H */
