// SPDX-License-Identifier: GPL-2.0-only
#ifndef SCENARIO_CONFIG_RULES_H
#define SCENARIO_CONFIG_RULES_H

#include "hpcc-config-file.h"
#include "scenario-config.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief A configuration file that is being mapped: what the rules work on.
 */
struct ScenarioConfigReading
{
    const HpccConfigFile& file;               //!< read
    const ScenarioSettings::IsGiven& isGiven; //!< see ReadScenarioConfig()
    ScenarioSettings& config;                 //!< result

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
     * @param option that chooses a policy
     * @param value its text
     * @return true if this build has the policy
     */
    static bool IsKnown(const std::string& option, const std::string& value);

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
 * @ingroup dcfabric
 * @brief Map congestion control, load balancing and their parameters.
 * @param r what is read
 * @throws FabricError for a key that has no counterpart
 */
void MapScenarioConfigControls(const ScenarioConfigReading& r);

/**
 * @ingroup dcfabric
 * @brief Map switches, links and transport.
 * @param r what is read
 * @throws FabricError for a key that has no counterpart
 */
void MapScenarioConfigNetwork(const ScenarioConfigReading& r);

/**
 * @ingroup dcfabric
 * @brief Map times, seeds, faults and results.
 * @param r what is read
 * @throws FabricError for a key that has no counterpart
 */
void MapScenarioConfigRun(const ScenarioConfigReading& r);

} // namespace ns3

#endif /* SCENARIO_CONFIG_RULES_H */
