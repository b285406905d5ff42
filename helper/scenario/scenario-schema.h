// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief The options of a scenario and what their values mean: the one table behind the command
 * line of dcfabric-sim, its `--help` and `--describe`, from which doc/options.inc and the Python
 * package are made.
 */
#ifndef SCENARIO_SCHEMA_H
#define SCENARIO_SCHEMA_H

#include "scenario-settings.h"
#include "scenario-value.h"

#include "ns3/named-table.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief An option.
 */
struct ScenarioOption
{
    /// What it takes.
    enum class Kind
    {
        TEXT,    //!< see its help
        CHOICE,  //!< one of its values
        RATE,    //!< a rate with a unit
        TIME,    //!< a time with a unit, or one of its values
        NUMBER,  //!< a real number
        INTEGER, //!< a whole number
        FILE,    //!< path of a file to be read
        FOLDER,  //!< path of a folder
        CLASS,   //!< a TypeId
        SWITCH,  //!< nothing, `true` or `false`
    };

    /// What it is about.
    enum class Role
    {
        SIMULATION, //!< what is simulated and measured
        RUN,        //!< how: results do not depend on it
        ACTION,     //!< what a program is to do; no option of a scenario
    };

    /// Bounds of a number.
    struct Range
    {
        uint64_t min{0};      //!< least value
        uint64_t max{0};      //!< largest value; 0: there are no bounds
        const char* unit{""}; //!< of a number without one
    };

    const char* name;                                                  //!< without dashes
    Kind kind;                                                         //!< what it takes
    const char* defaultValue;                                          //!< text
    const char* help;                                                  //!< in reStructuredText
    std::vector<ScenarioValue> (*values)(const std::string&){nullptr}; //!< by name of the option
    const char* separator{""};   //!< between several; empty: one
    Range range{};               //!< bounds, if they are known
    Role role{Role::SIMULATION}; //!< what it is about
    const char* bare{nullptr};   //!< for what it stands without a value; null: it needs one

    /// Reads its file, which sets other options; null: it is no such file.
    ScenarioSettings (*settings)(const std::string& path,
                                 const ScenarioSettings::IsGiven& isGiven){nullptr};
};

/**
 * @ingroup dcfabric
 * @return all options, to which wings add theirs
 */
NamedTable<ScenarioOption>& GetScenarioOptionTable();

/**
 * @ingroup dcfabric
 * @return the entries of GetScenarioOptionTable()
 */
const std::vector<ScenarioOption>& GetScenarioSchema();

/**
 * @ingroup dcfabric
 * @param name of an option
 * @return it; null if there is none
 */
const ScenarioOption* FindScenarioOption(const std::string& name);

/**
 * @ingroup dcfabric
 * @param option which
 * @return its values
 */
std::vector<ScenarioValue> ListScenarioValues(const ScenarioOption& option);

} // namespace ns3

#endif /* SCENARIO_SCHEMA_H */
