// SPDX-License-Identifier: GPL-2.0-only
#include "scenario-inputs.h"

#include "scenario-schema.h"

#include "ns3/fabric-form.h"
#include "ns3/fabric-topology.h"
#include "ns3/fabric-workload-factory.h"
#include "ns3/parse-units.h"
#include "ns3/string.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace ns3
{

namespace
{

constexpr const char* SIZES_IN_FILE = "cdf:"; //!< before the path of a distribution of sizes

constexpr const char* HOSTS_IN_FILE = "file:"; //!< before the path of a job's hosts

/// @return true if a text begins with another
bool
BeginsWith(const std::string& text, const std::string& begin)
{
    return text.compare(0, begin.size(), begin) == 0;
}

/// Add the files that a topology or a workload reads.
void
AddFiles(const Object& object, std::vector<std::string>& paths)
{
    StringValue text;
    if (object.GetAttributeFailSafe("Path", text))
    {
        paths.push_back(text.Get());
    }
    if (object.GetAttributeFailSafe("Placement", text) && BeginsWith(text.Get(), HOSTS_IN_FILE))
    {
        paths.push_back(text.Get().substr(std::string(HOSTS_IN_FILE).size()));
    }
    if (object.GetAttributeFailSafe("Cdf", text) && BeginsWith(text.Get(), SIZES_IN_FILE))
    {
        paths.push_back(text.Get().substr(std::string(SIZES_IN_FILE).size()));
    }
}

/// Add the file behind the colon, if a value of an option means one.
void
AddFileOf(const ScenarioOption& option, const std::string& text, std::vector<std::string>& paths)
{
    for (const ScenarioValue& value : ListScenarioValues(option))
    {
        const std::string begin = value.GetFilePrefix();
        if (value.namesFile && BeginsWith(text, begin))
        {
            paths.push_back(text.substr(begin.size()));
        }
    }
}

} // namespace

std::vector<std::string>
ListScenarioInputs(const ScenarioOptions& options)
{
    std::vector<std::string> paths;
    for (const ScenarioOption& option : GetScenarioSchema())
    {
        const std::string name = option.name;
        const std::string text = options.Has(name) ? options.Get(name) : "";
        if (text.empty())
        {
            continue;
        }
        if (option.kind == ScenarioOption::Kind::FILE)
        {
            const auto files =
                *option.separator ? SplitFabricList(text) : std::vector<std::string>{text};
            paths.insert(paths.end(), files.begin(), files.end());
        }
        else if (name == "topology")
        {
            AddFiles(*MakeFabricObject(text, name, GetFabricTopologyForms()), paths);
        }
        else if (name == "workload")
        {
            for (const std::string& part : SplitFabricWorkloads(text))
            {
                AddFiles(
                    *MakeFabricObject(SplitFabricStart(part).spec, name, GetFabricWorkloadForms()),
                    paths);
            }
        }
        else
        {
            AddFileOf(option, text, paths);
        }
    }
    for (const auto& [name, value] : options.GetGivenAttributes())
    {
        std::error_code error;
        if (BeginsWith(value, SIZES_IN_FILE))
        {
            paths.push_back(value.substr(std::string(SIZES_IN_FILE).size()));
        }
        else if (std::filesystem::is_regular_file(value, error))
        {
            paths.push_back(value);
        }
    }
    std::sort(paths.begin(), paths.end());
    paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
    return paths;
}

} // namespace ns3
