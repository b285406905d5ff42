// SPDX-License-Identifier: GPL-2.0-only
#ifndef SCENARIO_SETTINGS_H
#define SCENARIO_SETTINGS_H

#include "ns3/fabric-text.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What a file sets of a scenario, which options and attributes of the user override: see
 * ScenarioOption::settings.
 */
struct ScenarioSettings
{
    /// Value of an attribute.
    struct Attribute
    {
        std::string name;  //!< `ns3::Class::Attribute`
        std::string value; //!< its value
        std::string place; //!< file, line and key, for messages
    };

    /// Tells whether the user gave an option or attribute. @param name its name @return if so
    using IsGiven = std::function<bool(const std::string& name)>;

    std::string preset;                         //!< what the file leaves out is as here
    std::map<std::string, std::string> options; //!< by name
    std::vector<Attribute> attributes;          //!< in the order of keys
    std::vector<FabricText> notes;              //!< for the user: files taken, keys without effect
};

} // namespace ns3

#endif /* SCENARIO_SETTINGS_H */
