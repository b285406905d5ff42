// SPDX-License-Identifier: GPL-2.0-only
#include "sim-describe.h"

#include "sim-list.h"
#include "sim-manual.h"

#include "ns3/attribute-text.h"
#include "ns3/fabric-spec.h"
#include "ns3/json-writer.h"
#include "ns3/scenario-inputs.h"
#include "ns3/scenario-version.h"

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

/// Write a member, unless it is empty.
void
WriteTextMember(JsonWriter& json, const char* key, const std::string& value)
{
    if (!value.empty())
    {
        json.Key(key);
        json.String(value);
    }
}

/// Write texts as the value of a key.
void
WriteTextArray(JsonWriter& json, const char* key, const std::vector<std::string>& texts)
{
    json.Key(key);
    json.BeginArray();
    for (const std::string& text : texts)
    {
        json.String(text);
    }
    json.EndArray();
}

void
DescribeValue(JsonWriter& json, const ScenarioValue& value)
{
    json.BeginObject();
    json.Key("text");
    json.String(value.text);
    WriteTextMember(json, "help", value.help);
    WriteTextMember(json, "type", value.type);
    WriteTextMember(json,
                    "file",
                    value.namesFile ? value.text.substr(0, value.text.find(':') + 1) : "");
    if (!value.sets.empty())
    {
        json.Key("sets");
        json.BeginObject();
        for (const auto& [name, text] : value.sets)
        {
            json.Key(name);
            json.String(text);
        }
        json.EndObject();
    }
    json.EndObject();
}

void
DescribeOption(JsonWriter& json, const ScenarioOption& option)
{
    json.BeginObject();
    json.Key("name");
    json.String(option.name);
    json.Key("kind");
    json.String(GetKindName(option.kind));
    json.Key("role");
    json.String(GetRoleName(option.role));
    json.Key("default");
    json.String(option.defaultValue);
    WriteTextMember(json, "without_value", option.bare ? option.bare : "");
    WriteTextMember(json, "separator", option.separator);
    WriteTextMember(json, "unit", GetOptionUnit(option));
    if (option.range.max > 0)
    {
        json.Key("min");
        json.Uint(option.range.min);
        json.Key("max");
        json.Uint(option.range.max);
    }
    json.Key("help");
    json.String(option.help);
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
    json.Key("name");
    json.String(info.name);
    json.Key("type");
    json.String(info.checker->GetValueTypeName());
    json.Key("default");
    json.String(FormatAttributeDefault(info));
    json.Key("takes");
    json.String(DescribeAttributeRange(*info.checker));
    json.Key("help");
    json.String(info.help);
    json.EndObject();
}

void
DescribeClasses(JsonWriter& json)
{
    for (const SimKind& kind : GetSimKinds())
    {
        for (const TypeId& tid : ListSimClasses(kind))
        {
            json.BeginObject();
            json.Key("type");
            json.String(tid.GetName());
            json.Key("kind");
            json.String(kind.title);
            WriteTextArray(json, "chosen_by", ListSimNames(tid.GetName()));
            json.Key("attributes");
            json.BeginArray();
            for (const auto& info : ListSimAttributes(tid))
            {
                DescribeAttribute(json, info);
            }
            json.EndArray();
            json.EndObject();
        }
    }
}

void
DescribeAll(JsonWriter& json, const ScenarioOptions& options)
{
    json.BeginObject();
    json.Key("version");
    json.String(DescribeScenarioVersion());
    json.Key("options");
    json.BeginArray();
    for (const ScenarioOption& option : GetSimOptions())
    {
        DescribeOption(json, option);
    }
    json.EndArray();
    json.Key("classes");
    json.BeginArray();
    DescribeClasses(json);
    json.EndArray();
    WriteTextArray(json, "inputs", ListScenarioInputs(options));
    json.EndObject();
}

void
DescribeInputs(JsonWriter& json, const ScenarioOptions& options)
{
    json.BeginObject();
    WriteTextArray(json, "inputs", ListScenarioInputs(options));
    json.EndObject();
}

/// What can be described.
struct Description
{
    std::string name; //!< as users write it
    const char* help; //!< for users

    /// Describes it.
    void (*write)(JsonWriter& json, const ScenarioOptions& options);
};

const std::vector<Description> g_descriptions = {
    {"json", "all options and attributes, and ``inputs``", &DescribeAll},
    {"inputs", "the files that a run with the other options reads", &DescribeInputs},
};

} // namespace

std::vector<ScenarioValue>
ListSimDescriptions(const std::string& /* option */)
{
    return ListScenarioEntries(g_descriptions);
}

void
PrintSimDescription(std::ostream& out, const ScenarioOptions& options, const std::string& form)
{
    JsonWriter json;
    FindFabricName(g_descriptions, form, "--describe").write(json, options);
    out << json.GetText() << "\n";
}

} // namespace ns3
