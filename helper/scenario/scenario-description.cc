// SPDX-License-Identifier: GPL-2.0-only
#include "scenario-description.h"

#include "scenario-classes.h"
#include "scenario-inputs.h"
#include "scenario-version.h"

#include "ns3/attribute-text.h"
#include "ns3/class-list.h"
#include "ns3/describe-results.h"

#include <string>

namespace ns3
{

namespace
{

/// @return how programs call it
const char*
GetKindName(ScenarioOption::Kind kind)
{
    switch (kind)
    {
    case ScenarioOption::Kind::CHOICE:
        return "choice";
    case ScenarioOption::Kind::RATE:
        return "rate";
    case ScenarioOption::Kind::TIME:
        return "time";
    case ScenarioOption::Kind::NUMBER:
        return "number";
    case ScenarioOption::Kind::INTEGER:
        return "integer";
    case ScenarioOption::Kind::FILE:
        return "file";
    case ScenarioOption::Kind::FOLDER:
        return "folder";
    case ScenarioOption::Kind::CLASS:
        return "class";
    case ScenarioOption::Kind::SWITCH:
        return "switch";
    case ScenarioOption::Kind::TEXT:
        break;
    }
    return "text";
}

/// @return how programs call it
const char*
GetRoleName(ScenarioOption::Role role)
{
    return role == ScenarioOption::Role::SIMULATION ? "simulation"
           : role == ScenarioOption::Role::RUN      ? "run"
                                                    : "action";
}

/// @return what a number without a unit counts, or which unit has to follow it
const char*
GetOptionUnit(const ScenarioOption& option)
{
    return option.kind == ScenarioOption::Kind::RATE   ? "bps"
           : option.kind == ScenarioOption::Kind::TIME ? "s"
                                                       : option.range.unit;
}

/// Write the member with the files that a run reads.
void
WriteInputs(JsonWriter& json, const ScenarioOptions& options)
{
    json.Key("inputs");
    json.BeginArray();
    for (const std::string& path : ListScenarioInputs(options))
    {
        json.String(path);
    }
    json.EndArray();
}

void
DescribeValue(JsonWriter& json, const ScenarioValue& value)
{
    json.BeginObject();
    json.StringMember("text", value.text);
    json.StringMemberIfAny("help", value.help);
    json.StringMemberIfAny("type", value.type);
    json.StringMemberIfAny("file", value.GetFilePrefix());
    if (!value.sets.empty())
    {
        json.Key("sets");
        json.BeginObject();
        for (const auto& [name, text] : value.sets)
        {
            json.StringMember(name, text);
        }
        json.EndObject();
    }
    json.EndObject();
}

void
DescribeOption(JsonWriter& json, const ScenarioOption& option)
{
    json.BeginObject();
    json.StringMember("name", option.name);
    json.StringMember("kind", GetKindName(option.kind));
    json.StringMember("role", GetRoleName(option.role));
    json.StringMember("default", option.defaultValue);
    json.StringMemberIfAny("without_value", option.bare ? option.bare : "");
    json.StringMemberIfAny("separator", option.separator);
    json.StringMemberIfAny("unit", GetOptionUnit(option));
    if (option.range.max > 0)
    {
        json.UintMember("min", option.range.min);
        json.UintMember("max", option.range.max);
    }
    json.StringMember("help", option.help);
    json.Key("values");
    json.BeginArray();
    for (const ScenarioValue& value : ListScenarioValues(option))
    {
        DescribeValue(json, value);
    }
    json.EndArray();
    json.EndObject();
}

void
DescribeAttribute(JsonWriter& json, const TypeId::AttributeInformation& info)
{
    json.BeginObject();
    json.StringMember("name", info.name);
    json.StringMember("type", info.checker->GetValueTypeName());
    json.StringMember("default", FormatAttributeDefault(info));
    json.StringMember("takes", DescribeAttributeRange(*info.checker));
    json.StringMember("help", info.help);
    json.EndObject();
}

void
DescribeClasses(JsonWriter& json, const FabricSpeaker& speaker)
{
    for (const ScenarioKind& kind : GetScenarioKinds())
    {
        for (const TypeId& tid : ListClasses(kind.base))
        {
            json.BeginObject();
            json.StringMember("type", tid.GetName());
            json.StringMember("kind", kind.GetHeading().Say(speaker));
            json.Key("chosen_by");
            json.BeginArray();
            for (const FabricTerm& choice : ListScenarioChoices(tid.GetName()))
            {
                json.String(speaker.Name(choice));
            }
            json.EndArray();
            json.Key("attributes");
            json.BeginArray();
            for (const auto& info : ListScenarioClassAttributes(tid))
            {
                DescribeAttribute(json, info);
            }
            json.EndArray();
            json.EndObject();
        }
    }
}

} // namespace

void
DescribeScenario(JsonWriter& json,
                 const ScenarioOptions& options,
                 const std::vector<ScenarioOption>& schema,
                 const FabricSpeaker& speaker)
{
    json.BeginObject();
    json.StringMember("version", DescribeScenarioVersion());
    json.Key("options");
    json.BeginArray();
    for (const ScenarioOption& option : schema)
    {
        DescribeOption(json, option);
    }
    json.EndArray();
    json.Key("classes");
    json.BeginArray();
    DescribeClasses(json, speaker);
    json.EndArray();
    json.Key("results");
    DescribeResults(json);
    WriteInputs(json, options);
    json.EndObject();
}

void
DescribeScenarioInputs(JsonWriter& json, const ScenarioOptions& options)
{
    json.BeginObject();
    WriteInputs(json, options);
    json.EndObject();
}

} // namespace ns3
