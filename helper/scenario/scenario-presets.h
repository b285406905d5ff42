// SPDX-License-Identifier: GPL-2.0-only
#ifndef SCENARIO_PRESETS_H
#define SCENARIO_PRESETS_H

#include "ns3/named-table.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief A named set of parameters.
 */
struct ScenarioPreset
{
    std::string name;                              //!< on the command line
    std::string help;                              //!< for users
    std::map<std::string, std::string> options;    //!< defaults of options
    std::map<std::string, std::string> attributes; //!< defaults of attributes
    bool oneServiceLevel;                          //!< ACKs ride in the data class
    bool hpccBaseRtt;                              //!< T by the formula of the public simulator
};

/**
 * @ingroup dcfabric
 * @return attributes of DCQCN as Mellanox 100 Gb/s adapters (ConnectX-4 and later) have it by
 * default: "DCQCN Parameters" (community.mellanox.com, DOC-2790) and what mlxconfig prints of
 * adapters. doc/baselines.rst has what has no counterpart here.
 */
std::map<std::string, std::string> ListAdapterDcqcn();

/**
 * @ingroup dcfabric
 * @return all presets, to which others add
 */
NamedTable<ScenarioPreset>& GetScenarioPresetTable();

/**
 * @ingroup dcfabric
 * @return the entries of GetScenarioPresetTable()
 */
const std::vector<ScenarioPreset>& GetScenarioPresets();

/**
 * @ingroup dcfabric
 * @param name its name
 * @return a preset
 * @throws FabricError if there is none, listing the known ones
 */
const ScenarioPreset& FindScenarioPreset(const std::string& name);

} // namespace ns3

#endif /* SCENARIO_PRESETS_H */
