// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief The options of the program: those of a scenario, and what is to be done with it.
 */
#ifndef SIM_MANUAL_H
#define SIM_MANUAL_H

#include "ns3/scenario-schema.h"

#include <string>
#include <vector>

namespace ns3
{

/// @return all options
const std::vector<ScenarioOption>& GetSimOptions();

/// @return names of those that say what is to be done with a scenario, such as `plan`
std::vector<std::string> ListSimActions();

/**
 * @param name of an option
 * @return it; null if there is none
 */
const ScenarioOption* FindSimOption(const std::string& name);

/**
 * @param option which
 * @return help and values of an option as plain text
 */
std::string DescribeSimOption(const ScenarioOption& option);

/**
 * @ingroup dcfabric
 * @brief Break a text into lines, for a column of a table.
 * @param text words with blanks between them
 * @param indent blanks before each line but the first
 * @param width letters of a line with its indent; a longer word has a line of its own
 * @param room letters that follow the last word in its line
 * @return the text
 */
std::string WrapSimText(const std::string& text,
                        std::size_t indent,
                        std::size_t width,
                        std::size_t room = 0);

} // namespace ns3

#endif /* SIM_MANUAL_H */
