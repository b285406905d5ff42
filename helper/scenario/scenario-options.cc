// SPDX-License-Identifier: GPL-2.0-only
#include "scenario-options.h"

#include "policy-library.h"
#include "scenario-attributes.h"
#include "scenario-presets.h"
#include "scenario-schema.h"

#include "ns3/closed-wings.h"
#include "ns3/config.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-spec.h"
#include "ns3/fabric-warning.h"
#include "ns3/parse-units.h"
#include "ns3/string.h"

#include <algorithm>

namespace ns3
{

ScenarioOptions::ScenarioOptions()
{
    for (const ScenarioOption& option : GetScenarioSchema())
    {
        m_values[option.name] = option.defaultValue;
    }
}

void
ScenarioOptions::Set(const std::string& name, const std::string& value)
{
    if (m_isApplied)
    {
        throw FabricError(FabricTerm::Option(name) +
                          " is set too late: the options of this run have taken hold");
    }
    if (name == "load" && IsPolicyLibraryPath(value))
    {
        Set("library", value);
        return;
    }
    if (Has(name))
    {
        m_given[name] = value;
        if (name == "library")
        {
            for (const std::string& path : SplitFabricList(value))
            {
                LoadPolicyLibrary(path);
            }
        }
        return;
    }
    const std::vector<std::string> globals = ListScenarioGlobals();
    if (name.find("::") == std::string::npos &&
        std::find(globals.begin(), globals.end(), name) == globals.end())
    {
        RefuseClosedWing("--" + name, FabricTerm::Option(name));
        std::vector<std::string> known;
        for (const auto& option : m_values)
        {
            known.push_back(option.first);
        }
        throw FabricError("there is no option " + QuoteFabricText(name) + "; the nearest is " +
                          FindNearestFabricName(name, known));
    }
    CheckScenarioAttribute(name, value);
    const std::string owner = GetScenarioAttributeOwner(name);
    if (m_attributes.count(owner) == 0)
    {
        m_written.push_back(name);
    }
    m_attributes[owner] = value;
}

void
ScenarioOptions::ReadDefaults()
{
    m_hasRead = true;
    const auto& all = GetScenarioSchema();
    const auto file = std::find_if(all.begin(), all.end(), [this](const ScenarioOption& option) {
        return option.settings && IsGiven(option.name);
    });
    if (file != all.end() && IsGiven("preset"))
    {
        throw FabricError(FabricTerm::Option(file->name) +
                          " brings the preset of its simulator; give single options instead of " +
                          FabricTerm::Option("preset"));
    }
    if (IsGiven("preset"))
    {
        Take(FindScenarioPreset(m_given["preset"]));
    }
    if (file != all.end() && !m_given[file->name].empty())
    {
        Take(file->settings(m_given[file->name], [this](const std::string& name) {
            return IsGiven(name) || IsAttributeGiven(name);
        }));
    }
}

void
ScenarioOptions::Apply()
{
    if (m_isApplied)
    {
        return;
    }
    if (!m_hasRead)
    {
        ReadDefaults();
    }
    m_isApplied = true;
    for (const auto& [name, value] : m_attributes)
    {
        if (!Config::SetGlobalFailSafe(name, StringValue(value)))
        {
            Config::SetDefault(name, StringValue(value)); // checked before
        }
    }
    for (const auto& [name, value] : m_given)
    {
        m_values[name] = value;
        if (value.empty())
        {
            throw FabricError(FabricTerm::Option(name) + " needs a value");
        }
    }
}

void
ScenarioOptions::Take(const ScenarioPreset& preset)
{
    m_preset = &preset;
    for (const auto& [name, value] : preset.options)
    {
        m_values.at(name) = value;
    }
    for (const auto& [name, value] : preset.attributes)
    {
        SetAttributeDefault(name, value);
    }
}

void
ScenarioOptions::Take(const ScenarioSettings& file)
{
    Resolve("preset", file.preset);
    Take(FindScenarioPreset(file.preset));
    for (const auto& [name, value] : file.options)
    {
        RefuseClosedWing("--" + name, FabricTerm::Option(name));
        if (!Has(name))
        {
        }
        Resolve(name, value);
        m_fileOptions.insert(name);
    }
    for (const auto& attribute : file.attributes)
    {
        AtPlace(attribute.place + ": ", [this, &attribute]() {
            CheckScenarioAttribute(attribute.name, attribute.value);
            SetAttributeDefault(attribute.name, attribute.value);
        });
        m_fileAttributes[attribute.name] = attribute.value;
    }
    for (const FabricText& note : file.notes)
    {
        NoteFabric(note);
    }
}

bool
ScenarioOptions::IsSet(const std::string& name) const
{
    return IsGiven(name) || m_fileOptions.count(name) != 0 ||
           (m_preset && m_preset->options.count(name));
}

void
ScenarioOptions::CheckAttributesUsed(std::vector<TypeId> used) const
{
    for (const auto& [name, value] : m_attributes)
    {
        // such as a scheduler, written ns3::Class[Attribute=value]
        TypeId tid;
        if (TypeId::LookupByNameFailSafe(value.substr(0, value.find('[')), &tid))
        {
            used.push_back(tid);
        }
    }
    for (const auto& name : m_written)
    {
        CheckScenarioAttributeUse(name, used);
    }
}

int64_t
ScenarioOptions::GetTimePs(const std::string& name) const
{
    return ParseFabricTimePs(Get(name), FabricTerm::Option(name));
}

uint64_t
ScenarioOptions::GetUint(const std::string& name) const
{
    const ScenarioOption::Range& range = FindScenarioOption(name)->range;
    return ParseFabricUint(Get(name), FabricTerm::Option(name), range.min, range.max);
}

ScenarioOptions::Values
ScenarioOptions::GetResolved() const
{
    Values all;
    for (const ScenarioOption& option : GetScenarioSchema())
    {
        all.emplace_back(option.name, Get(option.name));
    }
    std::map<std::string, std::string> attributes = m_fileAttributes;
    for (const auto& [name, value] : m_attributes)
    {
        attributes[name] = value;
    }
    all.insert(all.end(), attributes.begin(), attributes.end());
    return all;
}

void
ScenarioOptions::YieldPreset(const std::vector<std::string>& names) const
{
    for (const std::string& name : names)
    {
        TypeId tid;
        std::size_t i = 0;
        if (m_preset && m_preset->attributes.count(name) && !IsAttributeSet(name) &&
            TypeId::LookupByNameFailSafe(name.substr(0, name.rfind("::")), &tid))
        {
            while (tid.GetAttributeFullName(i) != name)
            {
                ++i;
            }
            tid.SetAttributeInitialValue(i, tid.GetAttribute(i).originalInitialValue);
        }
    }
}

void
ScenarioOptions::SetAttributeDefault(const std::string& name, const std::string& value) const
{
    if (!IsAttributeGiven(name) && !Config::SetDefaultFailSafe(name, StringValue(value)))
    {
        throw FabricError("attribute " + name + " does not exist or does not take '" + value + "'");
    }
}

} // namespace ns3
