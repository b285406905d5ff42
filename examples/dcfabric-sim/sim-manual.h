// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief The options of the program and what their values mean: the one table behind the command
 * line, `--help` and doc/options.rst.
 */
#ifndef SIM_MANUAL_H
#define SIM_MANUAL_H

#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @brief A value that an option can have, from the table of those who know it.
 */
struct SimValue
{
    std::string text; //!< as written
    std::string help; //!< a few words in reStructuredText; may be empty
};

/**
 * @brief An option.
 */
struct SimOption
{
    const char* name;                                             //!< without dashes
    const char* defaultValue;                                     //!< text
    const char* help;                                             //!< in reStructuredText
    std::vector<SimValue> (*values)(const std::string&){nullptr}; //!< by name of the option
};

/**
 * @param table of values with the members `name` and `help`
 * @return them
 */
template <typename Table>
std::vector<SimValue>
ListSimValues(const Table& table)
{
    std::vector<SimValue> values;
    for (const auto& entry : table)
    {
        values.push_back({entry.name, entry.help});
    }
    return values;
}

/// @return all options that have a value
const std::vector<SimOption>& GetSimOptions();

/**
 * @param option which
 * @return help and values of an option as plain text
 */
std::string DescribeSimOption(const SimOption& option);

/**
 * @brief Print the table of doc/options.rst.
 * @param out where to
 */
void PrintSimOptionTable(std::ostream& out);

} // namespace ns3

#endif /* SIM_MANUAL_H */
