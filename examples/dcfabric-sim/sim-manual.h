// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief The options of the program and what their values mean: the one table behind the command
 * line, `--help` and `--describe`, from which doc/options.inc and the Python package are made.
 */
#ifndef SIM_MANUAL_H
#define SIM_MANUAL_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @brief A value that an option can have, from the table of those who know it.
 */
struct SimValue
{
    std::string text;      //!< as written
    std::string help;      //!< a few words in reStructuredText; may be empty
    std::string type{};    //!< TypeId of the class that it chooses; may be empty
    bool namesFile{false}; //!< a file to be read follows the colon

    /// Options and attributes for which it stands, with their values.
    std::vector<std::pair<std::string, std::string>> sets{};
};

/**
 * @brief An option.
 */
struct SimOption
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
        ACTION,     //!< what to do; not among the options of results
    };

    /// Bounds of a number.
    struct Range
    {
        uint64_t min{0};      //!< least value
        uint64_t max{0};      //!< largest value; 0: there are no bounds
        const char* unit{""}; //!< of a number without one
    };

    const char* name;                                             //!< without dashes
    Kind kind;                                                    //!< what it takes
    const char* defaultValue;                                     //!< text
    const char* help;                                             //!< in reStructuredText
    std::vector<SimValue> (*values)(const std::string&){nullptr}; //!< by name of the option
    const char* separator{""};                                    //!< between several; empty: one
    Range range{};                                                //!< bounds, if they are known
    Role role{Role::SIMULATION};                                  //!< what it is about
    const char* bare{nullptr}; //!< for what it stands without a value; null: it needs one
};

/**
 * @param table of values with the members `name` and `help`
 * @return them
 */
template <typename Table>
std::vector<SimValue>
ListSimEntries(const Table& table)
{
    std::vector<SimValue> values;
    for (const auto& entry : table)
    {
        values.push_back({entry.name, entry.help});
    }
    return values;
}

/// @return all options
const std::vector<SimOption>& GetSimOptions();

/**
 * @param name of an option
 * @return it; null if there is none
 */
const SimOption* FindSimOption(const std::string& name);

/**
 * @param option which
 * @return its values
 */
std::vector<SimValue> ListSimValues(const SimOption& option);

/**
 * @param option which
 * @return help and values of an option as plain text
 */
std::string DescribeSimOption(const SimOption& option);

} // namespace ns3

#endif /* SIM_MANUAL_H */
