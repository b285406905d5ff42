// SPDX-License-Identifier: GPL-2.0-only
#include "client-options.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-workload-factory.h"
#include "ns3/parse-units.h"
#include "ns3/scenario-schema.h"

#include <algorithm>
#include <vector>

namespace ns3
{

namespace
{

/// What options of a client set.
constexpr std::pair<const char*, const char*> CLIENT_OPTIONS[] = {
    {"ranks", "ns3::ClientWorkload::Ranks"},
    {"per-host", "ns3::ClientWorkload::PerHost"},
};

} // namespace

std::pair<std::string, std::string>
ReadClientOption(const std::string& word)
{
    if (word.compare(0, 2, "--") != 0)
    {
        throw FabricError(QuoteFabricText(word) + " is not an option; write --option=value");
    }
    const std::size_t equals = word.find('=');
    std::string name = word.substr(2, equals == std::string::npos ? equals : equals - 2);
    std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
    for (const auto& [option, attribute] : CLIENT_OPTIONS)
    {
        name = name == option ? attribute : name;
    }
    const ScenarioOption* option = FindScenarioOption(name);
    const bool isBare = value.empty() && option && option->bare;
    if (value.empty() && !isBare)
    {
        throw FabricError(QuoteFabricText(word) + " needs a value; write it behind a =");
    }
    return {name, isBare ? option->bare : value};
}

std::string
AddClient(const std::string& workload)
{
    const std::vector<std::string> specs = SplitFabricWorkloads(workload);
    const bool isNamed = std::any_of(specs.begin(), specs.end(), [](const std::string& spec) {
        return spec.substr(0, spec.find_first_of(":@")) == "client";
    });
    if (isNamed)
    {
        return workload;
    }
    return workload.empty() ? "client" : workload + "+client";
}

std::string
ClientSpeaker::Name(const FabricTerm& term) const
{
    const std::string name = term.type.empty() ? term.name : term.type + "::" + term.name;
    for (const auto& [option, attribute] : CLIENT_OPTIONS)
    {
        if (name == attribute)
        {
            return "--" + FabricSpeaker::Name(FabricTerm::Option(option, term.value));
        }
    }
    return ScenarioSpeaker::Name(term);
}

} // namespace ns3
