// SPDX-License-Identifier: GPL-2.0-only
#include "sim-previous.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-text-file.h"
#include "ns3/json-reader.h"
#include "ns3/json-writer.h"
#include "ns3/parse-units.h"

#include <filesystem>
#include <set>
#include <vector>

namespace ns3
{

namespace
{

const std::string OPTION_PREFIX = "options/"; // names of options in a summary begin with it
constexpr std::size_t SHOWN = 3;              // differences; more are counted

/// @return options as they would come back from summary.json, where bytes that are no text are
/// replaced
std::map<std::string, std::string>
WriteAndRead(const ScenarioOptions& options)
{
    JsonWriter json;
    json.BeginObject();
    for (const auto& [name, value] : options.GetResolved())
    {
        json.StringMember(name, value);
    }
    json.EndObject();
    return ReadJsonObject(json.GetText());
}

/// @return a value for people
std::string
Show(const std::map<std::string, std::string>& map, const std::string& name)
{
    const auto found = map.find(name);
    return found == map.end() || found->second.empty() ? "not set" : QuoteFabricText(found->second);
}

} // namespace

SimPrevious::SimPrevious(const std::string& path)
{
    std::error_code error;
    if (!std::filesystem::exists(path, error))
    {
        return;
    }
    try
    {
        for (const auto& [name, value] : ReadJsonObject(ReadFabricFile(path)))
        {
            if (name.compare(0, OPTION_PREFIX.size(), OPTION_PREFIX) == 0)
            {
                m_options[name.substr(OPTION_PREFIX.size())] = value;
            }
            else if (name == "status")
            {
                m_status = value;
            }
        }
    }
    catch (const FabricError&)
    {
        m_status.clear();
    }
    if (m_status.empty() || m_options.empty())
    {
        throw FabricError("--out: " + QuoteFabricText(path) +
                          " was not written by dcfabric-sim; choose another folder, or overwrite "
                          "it with --force");
    }
}

bool
SimPrevious::IsPartial(const std::string& path)
{
    try
    {
        return SimPrevious(path).m_status == "partial";
    }
    catch (const FabricError&)
    {
        return false;
    }
}

std::string
SimPrevious::DescribeDifference(const ScenarioOptions& options) const
{
    static const std::set<std::string> WITHOUT_EFFECT = {"out", "progress"};
    const auto now = WriteAndRead(options);
    std::set<std::string> names;
    for (const auto* map : {&m_options, &now})
    {
        for (const auto& entry : *map)
        {
            names.insert(entry.first);
        }
    }
    std::vector<std::string> different;
    for (const auto& name : names)
    {
        const auto before = m_options.find(name);
        const auto after = now.find(name);
        const bool same = before == m_options.end()
                              ? !options.IsSet(name) && !options.IsAttributeGiven(name)
                              : after != now.end() && before->second == after->second;
        if (!same && !WITHOUT_EFFECT.count(name))
        {
            different.push_back("--" + name + " was " + Show(m_options, name) + ", is " +
                                Show(now, name));
        }
    }
    std::string text;
    for (std::size_t i = 0; i < different.size() && i < SHOWN; ++i)
    {
        text += (i > 0 ? "; " : "") + different[i];
    }
    return different.size() > SHOWN
               ? text + "; and " + std::to_string(different.size() - SHOWN) + " more"
               : text;
}

} // namespace ns3
