// SPDX-License-Identifier: GPL-2.0-only
#ifndef SIM_PRESETS_H
#define SIM_PRESETS_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @brief A named set of parameters.
 */
struct SimPreset
{
    std::string name;                              //!< on the command line
    std::string help;                              //!< for users
    std::map<std::string, std::string> options;    //!< defaults of options
    std::map<std::string, std::string> attributes; //!< defaults of attributes
    const char* wireFormat;                        //!< TypeId; null: the default
    bool oneServiceLevel;                          //!< ACKs ride in the data class
    bool hpccBaseRtt;                              //!< T by the formula of the public simulator
};

/// @return all presets
const std::vector<SimPreset>& GetSimPresets();

/**
 * @param name its name
 * @return a preset
 * @throws FabricError if there is none, listing the known ones
 */
const SimPreset& FindSimPreset(const std::string& name);

} // namespace ns3

#endif /* SIM_PRESETS_H */
