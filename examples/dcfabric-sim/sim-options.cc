// SPDX-License-Identifier: GPL-2.0-only
#include "sim-options.h"

#include "sim-attributes.h"
#include "sim-config.h"
#include "sim-manual.h"
#include "sim-presets.h"
#include "sim-version.h"

#include "ns3/attribute-text.h"
#include "ns3/command-line.h"
#include "ns3/config.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-spec.h"
#include "ns3/parse-units.h"
#include "ns3/string.h"
#include "ns3/type-id.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <set>

namespace ns3
{

namespace
{

/// @return the name of an option as written, without dashes; empty if the word is none
std::string
GetOptionName(const std::string& word)
{
    const std::size_t dashes = word.compare(0, 2, "--") == 0 ? 2 : word.compare(0, 1, "-") == 0;
    return dashes == 0 ? "" : word.substr(dashes, word.find('=') - dashes);
}

/// What ns-3 answers instead of running the program.
constexpr const char* ENQUIRIES[] = {"help",
                                     "version",
                                     "PrintHelp",
                                     "PrintVersion",
                                     "PrintGlobals",
                                     "PrintGroups",
                                     "PrintTypeIds",
                                     "PrintGroup",
                                     "PrintAttributes"};

/**
 * @return true if ns-3 answers an option instead of running the program
 * @throws FabricError if there is no such thing
 */
bool
IsEnquiry(const std::string& name, const std::string& value)
{
    if (name == "PrintAttributes")
    {
        FindClass(value, "--" + name);
    }
    if (name == "PrintGroup")
    {
        std::set<std::string> groups;
        for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
        {
            groups.insert(TypeId::GetRegistered(i).GetGroupName());
        }
        if (groups.count(value) == 0)
        {
            throw FabricError("--" + name + ": there is no group " + QuoteFabricText(value) +
                              "; the nearest is " +
                              FindNearestFabricName(value, {groups.begin(), groups.end()}));
        }
    }
    return std::find(std::begin(ENQUIRIES), std::end(ENQUIRIES), name) != std::end(ENQUIRIES);
}

/// @return true if a switch is on
bool
ReadSwitch(const std::string& name, const std::string& value)
{
    constexpr const char* VALUES[] = {"", "true", "t", "1", "false", "f", "0"};
    const auto* found = std::find(std::begin(VALUES), std::end(VALUES), value);
    if (found == std::end(VALUES))
    {
        throw FabricError("--" + name + ": invalid value " + QuoteFabricText(value) +
                          "; it takes none, true or false");
    }
    return found - std::begin(VALUES) < 4;
}

/// Refuse an option that does not exist; the program's own are known to do.
void
CheckIsKnown(const std::string& name)
{
    std::vector<std::string> known = ListSimGlobals();
    const bool isGlobal = std::find(known.begin(), known.end(), name) != known.end();
    if (isGlobal || name.find("::") != std::string::npos)
    {
        return;
    }
    known.insert(known.end(), std::begin(ENQUIRIES), std::end(ENQUIRIES));
    for (const SimOption& option : GetSimOptions())
    {
        known.emplace_back(option.name);
    }
    throw FabricError("unknown option " + QuoteFabricText("--" + name) + "; the nearest is --" +
                      FindNearestFabricName(name, known));
}

} // namespace

SimOptions::SimOptions()
{
    for (const SimOption& option : GetSimOptions())
    {
        if (option.role != SimOption::Role::ACTION)
        {
            m_values[option.name] = option.defaultValue;
        }
    }
}

std::vector<std::string>
SimOptions::Read(int argc, char** argv)
{
    std::vector<std::string> enquiries;
    std::map<std::string, std::string> before; // words by what they set
    for (int i = 1; i < argc; ++i)
    {
        const std::string word = argv[i] == std::string("-h") ? "--help" : argv[i];
        std::string name = GetOptionName(word);
        const std::size_t equals = word.find('=');
        const std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
        if (name.empty())
        {
            // "--cc hpcc", as other programs have it
            const std::string last = i > 1 ? argv[i - 1] : "";
            const bool splits = !GetOptionName(last).empty() &&
                                last.find('=') == std::string::npos &&
                                QuoteFabricText(word) == "'" + word + "'";
            throw FabricError(QuoteFabricText(word) + " is not an option; write " +
                              (splits ? last + "=" + word : "--option=value"));
        }
        const SimOption* option = FindSimOption(name);
        const bool isSwitch = option && option->kind == SimOption::Kind::SWITCH;
        if (equals != std::string::npos && value.empty() && option && !isSwitch)
        {
            throw FabricError("--" + name + " needs a value behind the =");
        }
        if (option)
        {
            auto& values = option->role == SimOption::Role::ACTION ? m_actions : m_given;
            values[name] = isSwitch && !ReadSwitch(name, value)          ? ""
                           : (isSwitch || value.empty()) && option->bare ? option->bare
                                                                         : value;
        }
        else if (IsEnquiry(name, value))
        {
            enquiries.push_back(word);
            continue;
        }
        else
        {
            CheckIsKnown(name);
            CheckSimAttribute(name, value);
            m_written.push_back(name);
            name = GetSimAttributeOwner(name);
            m_attributes.emplace(name, value);
        }
        const auto [other, isFirst] = before.emplace(name, word);
        if (!isFirst)
        {
            throw FabricError("--" + name + " is given twice, as " +
                              QuoteFabricText(other->second) + " and as " + QuoteFabricText(word) +
                              "; give it once");
        }
    }
    return enquiries;
}

void
SimOptions::Parse(int argc, char** argv)
{
    const std::vector<std::string> enquiries = Read(argc, argv);
    if (IsGiven("config") && IsGiven("preset"))
    {
        throw FabricError("--config brings the preset of its simulator; give single options "
                          "instead of --preset");
    }
    if (IsGiven("preset"))
    {
        Apply(FindSimPreset(m_given["preset"]));
    }
    if (IsGiven("config") && !m_given["config"].empty())
    {
        Apply(ReadSimConfig(m_given["config"], [this](const std::string& name) {
            return IsGiven(name) || IsAttributeGiven(name);
        }));
    }
    if (!enquiries.empty())
    {
        Answer(argv[0], enquiries);
    }
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
        if (Get(name).empty())
        {
            throw FabricError("--" + name + " needs a value");
        }
    }
}

void
SimOptions::Answer(const std::string& program, std::vector<std::string> enquiries)
{
    if (std::count(enquiries.begin(), enquiries.end(), "--version") > 0)
    {
        std::cout << DescribeSimVersion() << "\n";
        std::exit(0);
    }
    CommandLine cmd;
    cmd.Usage(
        "Runs a workload on a data-center fabric and writes flows.csv and "
        "summary.json.\nAttributes are set with --ns3::Class::Attribute=value; --list shows them.");
    for (const SimOption& option : GetSimOptions())
    {
        auto& values = option.role == SimOption::Role::ACTION ? m_actions : m_values;
        cmd.AddValue(option.name, DescribeSimOption(option), values[option.name]);
    }
    enquiries.insert(enquiries.begin(), program);
    cmd.Parse(enquiries);
}

void
SimOptions::Apply(const SimPreset& preset)
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
SimOptions::Apply(const SimConfig& config)
{
    Resolve("preset", config.preset);
    Apply(FindSimPreset(config.preset));
    for (const auto& [name, value] : config.options)
    {
        Resolve(name, value);
        m_fileOptions.insert(name);
    }
    for (const auto& attribute : config.attributes)
    {
        try
        {
            CheckSimAttribute(attribute.name, attribute.value);
            SetAttributeDefault(attribute.name, attribute.value);
        }
        catch (const FabricError& error)
        {
            throw FabricError(attribute.place + ": " + error.what());
        }
        m_fileAttributes[attribute.name] = attribute.value;
    }
    for (const std::string& note : config.notes)
    {
        std::cerr << "dcfabric-sim: note: " << note << "\n";
    }
}

bool
SimOptions::IsSet(const std::string& name) const
{
    return IsGiven(name) || m_fileOptions.count(name) != 0 ||
           (m_preset && m_preset->options.count(name));
}

void
SimOptions::CheckAttributesUsed(std::vector<TypeId> used) const
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
        CheckSimAttributeUse(name, used);
    }
}

int64_t
SimOptions::GetTimePs(const std::string& name) const
{
    return ParseFabricTimePs(Get(name), FabricTerm::Option(name));
}

uint64_t
SimOptions::GetUint(const std::string& name) const
{
    const SimOption::Range& range = FindSimOption(name)->range;
    return ParseFabricUint(Get(name), FabricTerm::Option(name), range.min, range.max);
}

std::vector<std::pair<std::string, std::string>>
SimOptions::GetResolved() const
{
    std::vector<std::pair<std::string, std::string>> all;
    for (const SimOption& option : GetSimOptions())
    {
        if (option.role != SimOption::Role::ACTION)
        {
            all.emplace_back(option.name, Get(option.name));
        }
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
SimOptions::YieldPreset(const std::vector<std::string>& names) const
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
SimOptions::SetAttributeDefault(const std::string& name, const std::string& value) const
{
    if (!IsAttributeGiven(name) && !Config::SetDefaultFailSafe(name, StringValue(value)))
    {
        throw FabricError("attribute " + name + " does not exist or does not take '" + value + "'");
    }
}

} // namespace ns3
