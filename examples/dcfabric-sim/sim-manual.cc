// SPDX-License-Identifier: GPL-2.0-only
#include "sim-manual.h"

#include "sim-describe.h"

#include "ns3/scenario-plan.h"

#include <algorithm>

namespace ns3
{

namespace
{

using Kind = ScenarioOption::Kind;
using Role = ScenarioOption::Role;

/// What can be done with a scenario.
constexpr ScenarioOption ACTIONS[] = {
    {"force",
     Kind::SWITCH,
     "",
     "overwrite a folder that holds results of other options",
     nullptr,
     "",
     {},
     Role::ACTION,
     "true"},
    {"list",
     Kind::SWITCH,
     "",
     "print every policy with its attributes and exit",
     nullptr,
     "",
     {},
     Role::ACTION,
     "true"},
    {"check",
     Kind::SWITCH,
     "",
     "build the network and its traffic, refuse what cannot be run, and exit",
     nullptr,
     "",
     {},
     Role::ACTION,
     "true"},
    {"plan",
     Kind::CHOICE,
     "",
     "print the plan of the network and exit (:doc:`topologies`)",
     &ListScenarioPlans,
     "",
     {},
     Role::ACTION,
     "text"},
    {"describe",
     Kind::CHOICE,
     "",
     "print what programs ask and exit (:doc:`describe`)",
     &ListSimDescriptions,
     "",
     {},
     Role::ACTION,
     "json"},
};

/// @return help and values in reStructuredText
std::string
WriteHelp(const ScenarioOption& option)
{
    std::string text = option.help;
    std::string separator = ": ";
    for (const ScenarioValue& value : ListScenarioValues(option))
    {
        text += separator + "``" + value.text + "``" +
                (value.help.empty() ? "" : " (" + value.help + ")");
        separator = ", ";
    }
    return text;
}

} // namespace

const std::vector<ScenarioOption>&
GetSimOptions()
{
    static const std::vector<ScenarioOption> options = []() {
        std::vector<ScenarioOption> all = GetScenarioSchema();
        all.insert(all.end(), std::begin(ACTIONS), std::end(ACTIONS));
        return all;
    }();
    return options;
}

std::vector<std::string>
ListSimActions()
{
    std::vector<std::string> names;
    for (const ScenarioOption& action : ACTIONS)
    {
        names.emplace_back(action.name);
    }
    return names;
}

const ScenarioOption*
FindSimOption(const std::string& name)
{
    const auto& options = GetSimOptions();
    const auto found =
        std::find_if(options.begin(), options.end(), [&name](const ScenarioOption& option) {
            return option.name == name;
        });
    return found == options.end() ? nullptr : &*found;
}

std::string
DescribeSimOption(const ScenarioOption& option)
{
    const std::string chapter = ":doc:`";
    const std::string literal = "``";
    std::string help = WriteHelp(option);
    for (size_t at = help.find(chapter); at != std::string::npos; at = help.find(chapter, at))
    {
        help.replace(help.find('`', at + chapter.size()), 1, ".rst");
        help.replace(at, chapter.size(), "doc/");
    }
    for (size_t at = help.find(literal); at != std::string::npos; at = help.find(literal, at))
    {
        help.erase(at, literal.size());
    }
    return help;
}

std::string
WrapSimText(const std::string& text, std::size_t indent, std::size_t width, std::size_t room)
{
    std::string wrapped;
    std::size_t column = indent;
    for (std::size_t at = 0; at < text.size();)
    {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        const std::size_t needed = end - at + (end == text.size() ? room : 0);
        if (column > indent && column + 1 + needed > width)
        {
            wrapped += "\n" + std::string(indent, ' ');
            column = indent;
        }
        else if (column > indent)
        {
            wrapped += ' ';
            column++;
        }
        wrapped += text.substr(at, end - at);
        column += end - at;
        at = end + 1;
    }
    return wrapped;
}

} // namespace ns3
