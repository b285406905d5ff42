// SPDX-License-Identifier: GPL-2.0-only
#ifndef SIM_CONFIG_RULES_H
#define SIM_CONFIG_RULES_H

#include "sim-config.h"

#include "ns3/hpcc-config-file.h"

#include <functional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @brief A configuration file that is being mapped: what the rules work on.
 */
struct SimConfigReading
{
    const HpccConfigFile& file;                             //!< read
    const std::function<bool(const std::string&)>& isGiven; //!< see ReadSimConfig()
    SimConfig& config;                                      //!< result

    /**
     * @brief Set an option.
     * @param name its name
     * @param value its value
     */
    void SetOption(const std::string& name, const std::string& value) const
    {
        config.options[name] = value;
    }

    /**
     * @brief Set attributes.
     * @param key of which
     * @param names `ns3::Class::Attribute`
     * @param value of all
     */
    void Set(const std::string& key,
             const std::vector<std::string>& names,
             const std::string& value) const
    {
        for (const std::string& name : names)
        {
            config.attributes.push_back({name, value, file.GetPlace(key) + ": " + key});
        }
    }

    /**
     * @param key its name
     * @return true if a key is there and 1
     */
    bool IsOn(const char* key) const
    {
        return file.Has(key) && file.GetUint(key) == 1;
    }

    /**
     * @param key its name
     * @return true if a key is there and 0
     */
    bool IsOff(const char* key) const
    {
        return file.Has(key) && file.GetUint(key) == 0;
    }
};

/**
 * @brief Map congestion control, load balancing and their parameters.
 * @param r what is read
 * @throws FabricError for a key that has no counterpart
 */
void MapSimConfigControls(const SimConfigReading& r);

/**
 * @brief Map switches, links and transport.
 * @param r what is read
 * @throws FabricError for a key that has no counterpart
 */
void MapSimConfigNetwork(const SimConfigReading& r);

/**
 * @brief Map times, seeds, faults and results.
 * @param r what is read
 * @throws FabricError for a key that has no counterpart
 */
void MapSimConfigRun(const SimConfigReading& r);

} // namespace ns3

#endif /* SIM_CONFIG_RULES_H */
