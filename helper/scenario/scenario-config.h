// SPDX-License-Identifier: GPL-2.0-only
#ifndef SCENARIO_CONFIG_H
#define SCENARIO_CONFIG_H

#include "ns3/fabric-text.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What a configuration file of the HPCC or ConWeave simulator sets of a scenario.
 */
struct ScenarioConfig
{
    /// Value of an attribute.
    struct Attribute
    {
        std::string name;  //!< `ns3::Class::Attribute`
        std::string value; //!< its value
        std::string place; //!< file, line and key, for messages
    };

    std::string preset;                         //!< what the file leaves out is as here
    std::map<std::string, std::string> options; //!< by name
    std::vector<Attribute> attributes;          //!< in the order of keys
    std::vector<FabricText> notes;              //!< for the user: files taken, keys without effect
};

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
ScenarioConfig ReadScenarioConfig(const std::string& path,
                                  const std::function<bool(const std::string&)>& isGiven);

} // namespace ns3

#endif /* SCENARIO_CONFIG_H */
