// SPDX-License-Identifier: GPL-2.0-only
#ifndef SCENARIO_VALUE_H
#define SCENARIO_VALUE_H

#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief A value that an option can have, from the table of those who know it.
 */
struct ScenarioValue
{
    std::string text;      //!< as written
    std::string help;      //!< a few words in reStructuredText; may be empty
    std::string type{};    //!< TypeId of the class that it chooses; may be empty
    bool namesFile{false}; //!< a file to be read follows the colon

    /// Options and attributes for which it stands, with their values.
    std::vector<std::pair<std::string, std::string>> sets{};

    /// @return what stands before the path of a file to be read, up to the colon; empty if none is
    std::string GetFilePrefix() const
    {
        return namesFile ? text.substr(0, text.find(':') + 1) : "";
    }
};

/**
 * @ingroup dcfabric
 * @param table of values with the members `name` and `help`
 * @return them
 */
template <typename Table>
std::vector<ScenarioValue>
ListScenarioEntries(const Table& table)
{
    std::vector<ScenarioValue> values;
    for (const auto& entry : table)
    {
        values.push_back({entry.name, entry.help});
    }
    return values;
}

} // namespace ns3

#endif /* SCENARIO_VALUE_H */
