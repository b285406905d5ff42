// SPDX-License-Identifier: GPL-2.0-only
#include "sim-options.h"

#include "sim-manual.h"

#include "ns3/attribute-text.h"
#include "ns3/closed-wings.h"
#include "ns3/command-line.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-spec.h"
#include "ns3/parse-units.h"
#include "ns3/policy-library.h"
#include "ns3/scenario-attributes.h"
#include "ns3/scenario-version.h"
#include "ns3/type-id.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <map>
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

/// @return name of the option that a word sets: `load` may name a library
std::string
ResolveOptionName(const std::string& name, const std::string& value)
{
    return name == "load" && IsPolicyLibraryPath(value) ? "library" : name;
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
    std::vector<std::string> known = ListScenarioGlobals();
    const bool isGlobal = std::find(known.begin(), known.end(), name) != known.end();
    if (isGlobal || name.find("::") != std::string::npos)
    {
        return;
    }
    RefuseClosedWing("--" + name, FabricTerm::Option(name));
    known.insert(known.end(), std::begin(ENQUIRIES), std::end(ENQUIRIES));
    for (const ScenarioOption& option : GetSimOptions())
    {
        known.emplace_back(option.name);
    }
    throw FabricError("unknown option " + QuoteFabricText("--" + name) + "; the nearest is --" +
                      FindNearestFabricName(name, known));
}

/// Load what brings classes before options name these, in whatever order the words stand.
void
LoadLibraries(int argc, char** argv)
{
    for (int i = 1; i < argc; ++i)
    {
        const std::string word = argv[i];
        const std::size_t equals = word.find('=');
        const std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
        if (ResolveOptionName(GetOptionName(word), value) == "library")
        {
            for (const std::string& path : SplitFabricList(value))
            {
                LoadPolicyLibrary(path);
            }
        }
    }
}

} // namespace

SimOptions::SimOptions(ScenarioOptions& scenario)
    : m_scenario(scenario)
{
}

std::vector<std::string>
SimOptions::Read(int argc, char** argv)
{
    LoadLibraries(argc, argv);
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
        name = ResolveOptionName(name, value);
        const ScenarioOption* option = FindSimOption(name);
        const bool isSwitch = option && option->kind == ScenarioOption::Kind::SWITCH;
        if (equals != std::string::npos && value.empty() && option && !isSwitch)
        {
            throw FabricError("--" + name + " needs a value behind the =");
        }
        if (option)
        {
            const std::string text = isSwitch && !ReadSwitch(name, value)          ? ""
                                     : (isSwitch || value.empty()) && option->bare ? option->bare
                                                                                   : value;
            if (option->role == ScenarioOption::Role::ACTION)
            {
                m_actions[name] = text;
            }
            else
            {
                m_scenario.Set(name, text);
            }
        }
        else if (IsEnquiry(name, value))
        {
            enquiries.push_back(word);
            continue;
        }
        else
        {
            CheckIsKnown(name);
            m_scenario.Set(name, value);
            name = GetScenarioAttributeOwner(name);
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
    m_scenario.ReadDefaults();
    if (!enquiries.empty())
    {
        Answer(argv[0], enquiries);
    }
    m_scenario.Apply();
}

void
SimOptions::Answer(const std::string& program, std::vector<std::string> enquiries)
{
    if (std::count(enquiries.begin(), enquiries.end(), "--version") > 0)
    {
        std::cout << DescribeScenarioVersion() << "\n";
        std::exit(0);
    }
    CommandLine cmd("dcfabric-sim"); // the name in --help, whatever the file is called
    cmd.Usage(
        "Runs a workload on a data-center fabric and writes flows.csv and "
        "summary.json.\nAttributes are set with --ns3::Class::Attribute=value; --list shows them.");
    std::size_t longest = 0;
    for (const ScenarioOption& option : GetSimOptions())
    {
        longest = std::max(longest, std::string(option.name).size());
    }
    std::map<std::string, std::string> values; // nothing is read into them
    for (const ScenarioOption& option : GetSimOptions())
    {
        const bool isAction = option.role == ScenarioOption::Role::ACTION;
        std::string& value = values[option.name];
        value = isAction ? GetAction(option.name) : m_scenario.Get(option.name);
        // ns-3 writes "    --name:  help [value]", the names in a column
        constexpr std::size_t WIDTH = 100;
        const std::size_t indent = longest + std::string("    --:  ").size();
        const std::size_t room = value.empty() ? 0 : value.size() + std::string(" []").size();
        cmd.AddValue(option.name,
                     WrapSimText(DescribeSimOption(option), indent, WIDTH, room),
                     value);
    }
    enquiries.insert(enquiries.begin(), program);
    cmd.Parse(enquiries);
}

} // namespace ns3
