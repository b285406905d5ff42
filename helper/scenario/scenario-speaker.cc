// SPDX-License-Identifier: GPL-2.0-only
#include "scenario-speaker.h"

#include "scenario-attributes.h"
#include "scenario-policies.h"
#include "scenario-schema.h"

#include "ns3/parse-units.h"
#include "ns3/queue-disc.h"
#include "ns3/type-id.h"

#include <algorithm>
#include <utility>

namespace ns3
{

namespace
{

/// @return true if the user's options chose a policy, alone or in a comma list
bool
IsChosen(const ScenarioOptions& options, const ScenarioPolicy& policy)
{
    const std::vector<std::string> values = SplitFabricList(options.Get(policy.option));
    return std::any_of(values.begin(), values.end(), [&policy](const std::string& value) {
        return value.substr(0, value.find(':')) == policy.name;
    });
}

/// @return `--option=name`, with parameters if the user gave some
std::string
WriteOption(const ScenarioOptions& options, const ScenarioPolicy& policy)
{
    for (const std::string& value : SplitFabricList(options.Get(policy.option)))
    {
        if (policy.key && value.substr(0, value.find(':')) == policy.name)
        {
            return std::string("--") + policy.option + "=" + value;
        }
    }
    return std::string("--") + policy.option + "=" + policy.name;
}

/// @return true if a policy needs a switch feature
bool
Needs(const ScenarioPolicy& policy, const std::string& type)
{
    const std::vector<std::string> features = GetScenarioPolicyFeatures(policy);
    return std::count(features.begin(), features.end(), type) > 0;
}

/// @return name of the option that chooses classes of a kind; empty if none does
std::string
FindOption(const std::string& base)
{
    const TypeId kind = TypeId::LookupByName(base);
    for (const ScenarioPolicy& policy : GetScenarioPolicies())
    {
        TypeId tid;
        if (TypeId::LookupByNameFailSafe(policy.typeId, &tid) &&
            (tid == kind || tid.IsChildOf(kind)))
        {
            return policy.option;
        }
    }
    return "";
}

/// @return true if a class has an attribute of that name, itself or by a class above it
bool
HasAttribute(const std::string& type, const std::string& name)
{
    TypeId tid;
    TypeId::AttributeInformation info;
    return TypeId::LookupByNameFailSafe(type, &tid) && tid.LookupAttributeByName(name, &info);
}

/// @return true if ns-3 has a global value of that name
bool
IsGlobal(const std::string& name)
{
    const std::vector<std::string> globals = ListScenarioGlobals();
    return std::find(globals.begin(), globals.end(), name) != globals.end();
}

} // namespace

ScenarioSpeaker::ScenarioSpeaker(const ScenarioOptions& options, std::vector<std::string> others)
    : m_options(options),
      m_others(std::move(others))
{
}

std::string
ScenarioSpeaker::NameClass(const std::string& type) const
{
    TypeId tid;
    if (!TypeId::LookupByNameFailSafe(type, &tid))
    {
        return "";
    }
    if (tid.IsChildOf(QueueDisc::GetTypeId()))
    {
        return "--queue-disc=" + type;
    }
    std::vector<const ScenarioPolicy*> direct;
    std::vector<const ScenarioPolicy*> implied;
    for (const ScenarioPolicy& policy : GetScenarioPolicies())
    {
        const std::string atHosts = std::string(policy.option) != "lb" ? ""
                                    : policy.loadBalancer.empty()      ? "ns3::PerFlowLoadBalancer"
                                                                       : policy.loadBalancer;
        if (policy.loadBalancer == type || (policy.loadBalancer.empty() && policy.typeId == type))
        {
            direct.push_back(&policy);
        }
        else if (policy.typeId == type || atHosts == type || Needs(policy, type))
        {
            implied.push_back(&policy);
        }
    }
    for (const auto* policies : {&direct, &implied})
    {
        for (const ScenarioPolicy* policy : *policies)
        {
            if (IsChosen(m_options, *policy))
            {
                return WriteOption(m_options, *policy);
            }
        }
    }
    const auto isPlain = [](const ScenarioPolicy* policy) {
        return policy->attributes.empty() || policy->key;
    };
    const bool plain = std::any_of(direct.begin(), direct.end(), isPlain);
    std::string names;
    for (const ScenarioPolicy* policy : direct)
    {
        if (plain && !isPlain(policy))
        {
            continue; // the same with other values
        }
        names += (names.empty() ? "" : " or ") + WriteOption(m_options, *policy);
    }
    return direct.empty() && !implied.empty() ? WriteOption(m_options, *implied.front()) : names;
}

std::string
ScenarioSpeaker::Name(const FabricTerm& term) const
{
    const std::string usual = FabricSpeaker::Name(term);
    switch (term.kind)
    {
    case FabricTerm::Kind::CLASS: {
        const std::string option = NameClass(term.type);
        return option.empty() ? usual : option;
    }
    case FabricTerm::Kind::ATTRIBUTE:
        return HasAttribute(term.type, term.name) ? "--" + usual : usual;
    case FabricTerm::Kind::ANY: {
        if (term.type == "ns3::MarkingProfile") // thresholds bring one, and so does no option
        {
            return "--marking other than none";
        }
        const std::string option = FindOption(term.type);
        return option.empty() ? usual : term.name + " --" + option;
    }
    case FabricTerm::Kind::NONE: {
        const std::string option = FindOption(term.type);
        return option.empty() ? usual : "--" + option + "=none";
    }
    case FabricTerm::Kind::OPTION:
        break;
    }
    // attributes and globals are options, too, and so is what is done in place of a run
    const bool isOption = FindScenarioOption(term.name) ||
                          term.name.find("::") != std::string::npos || IsGlobal(term.name) ||
                          std::find(m_others.begin(), m_others.end(), term.name) != m_others.end();
    return isOption ? "--" + usual : usual;
}

} // namespace ns3
