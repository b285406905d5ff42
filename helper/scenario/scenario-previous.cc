// SPDX-License-Identifier: GPL-2.0-only
#include "scenario-previous.h"

#include "scenario-schema.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-text-file.h"
#include "ns3/parse-units.h"
#include "ns3/run-summary.h"

#include <filesystem>
#include <set>
#include <sstream>
#include <system_error>

namespace ns3
{

namespace
{

/// Members of a summary by name, strings as they are written.
using Members = std::map<std::string, std::string>;

/**
 * @brief Read the strings in an object of JSON as RunSummary::ToJson() lays it out: each member on
 * a line of its own.
 * @param json all of it
 * @param indent of these members
 * @return their names, without escapes, and their values
 */
Members
ReadStrings(const std::string& json, const std::string& indent)
{
    const std::string begin = indent + '"';
    const std::string middle = "\": \"";
    Members found;
    std::istringstream lines(json);
    for (std::string line; std::getline(lines, line);)
    {
        const std::size_t at = line.find(middle);
        const std::size_t end = line.rfind('"');
        if (line.compare(0, begin.size(), begin) == 0 && at != std::string::npos &&
            end >= at + middle.size())
        {
            found[line.substr(begin.size(), at - begin.size())] =
                line.substr(at + middle.size(), end - at - middle.size());
        }
    }
    return found;
}

/// @return the options in a summary
Members
ReadOptions(const std::string& json)
{
    const std::size_t begin = json.find("\n  \"options\": {\n");
    const std::size_t end = json.find("\n  }", begin == std::string::npos ? 0 : begin);
    return begin == std::string::npos || end == std::string::npos
               ? Members()
               : ReadStrings(json.substr(begin, end - begin), "    ");
}

/// @return a value for people
std::string
Show(const Members& members, const std::string& name)
{
    const auto found = members.find(name);
    if (found == members.end() || found->second.empty())
    {
        return "not set";
    }
    std::string text;
    for (std::size_t i = 0; i < found->second.size(); ++i)
    {
        const char* const quoted = "\"\\";
        const bool isEscape = found->second[i] == '\\' && i + 1 < found->second.size() &&
                              std::string(quoted).find(found->second[i + 1]) != std::string::npos;
        i += isEscape ? 1 : 0;
        text += found->second[i];
    }
    return QuoteFabricText(text);
}

} // namespace

ScenarioPrevious::ScenarioPrevious(const std::string& folder)
    : m_folder(folder)
{
    const std::string path = folder + "/summary.json";
    std::error_code error;
    m_exists = std::filesystem::exists(path, error);
    if (!m_exists)
    {
        return;
    }
    try
    {
        const std::string json = ReadFabricFile(path);
        m_options = ReadOptions(json);
        m_status = ReadStrings(json, "  ")["status"];
    }
    catch (const FabricError&)
    {
        m_status.clear(); // not ours
    }
}

void
ScenarioPrevious::CheckSame(const ScenarioOptions& options) const
{
    if (!m_exists)
    {
        return;
    }
    if (m_status.empty() || m_options.empty())
    {
        throw FabricError(FabricTerm::Option("out") + ": " +
                          QuoteFabricText(m_folder + "/summary.json") +
                          " was not written by dcfabric-sim; choose another folder, or overwrite "
                          "it with " +
                          FabricTerm::Option("force"));
    }
    constexpr std::size_t SHOWN = 3; // differences; more are counted
    RunSummary summary;
    summary.options = options.GetResolved();
    const Members now = ReadOptions(summary.ToJson());
    std::set<std::string> names;
    for (const auto* members : {&m_options, &now})
    {
        for (const auto& entry : *members)
        {
            names.insert(entry.first);
        }
    }
    FabricText text;
    std::size_t different = 0;
    for (const auto& name : names)
    {
        const auto before = m_options.find(name);
        const auto after = now.find(name);
        const bool same = before == m_options.end()
                              ? !options.IsSet(name) && !options.IsAttributeGiven(name)
                              : after != now.end() && before->second == after->second;
        const ScenarioOption* option = FindScenarioOption(name);
        const bool matters = !option || option->role != ScenarioOption::Role::RUN;
        if (!same && matters && ++different <= SHOWN)
        {
            text += (different > 1 ? "; " : "") + FabricTerm::Option(name) + " was " +
                    Show(m_options, name) + ", is " + Show(now, name);
        }
    }
    if (different > SHOWN)
    {
        text += "; and " + std::to_string(different - SHOWN) + " more";
    }
    if (different > 0)
    {
        throw FabricError(FabricTerm::Option("out") + ": the folder " + QuoteFabricText(m_folder) +
                          " holds results of other options (" + text +
                          "); name another folder, or overwrite them with " +
                          FabricTerm::Option("force"));
    }
}

} // namespace ns3
