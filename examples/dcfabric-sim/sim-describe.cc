// SPDX-License-Identifier: GPL-2.0-only
#include "sim-describe.h"

#include "sim-inputs.h"
#include "sim-policies.h"
#include "sim-version.h"

#include "ns3/attribute-text.h"
#include "ns3/fabric-spec.h"
#include "ns3/json-writer.h"

namespace ns3
{

namespace
{

/// @return how programs call it
const char*
GetKindName(SimOption::Kind kind)
{
    switch (kind)
    {
    case SimOption::Kind::CHOICE:
        return "choice";
    case SimOption::Kind::RATE:
        return "rate";
    case SimOption::Kind::TIME:
        return "time";
    case SimOption::Kind::NUMBER:
        return "number";
    case SimOption::Kind::INTEGER:
        return "integer";
    case SimOption::Kind::FILE:
        return "file";
    case SimOption::Kind::FOLDER:
        return "folder";
    case SimOption::Kind::CLASS:
        return "class";
    case SimOption::Kind::SWITCH:
        return "switch";
    case SimOption::Kind::TEXT:
        break;
    }
    return "text";
}

/// @return how programs call it
const char*
GetRoleName(SimOption::Role role)
{
    return role == SimOption::Role::SIMULATION ? "simulation"
           : role == SimOption::Role::RUN      ? "run"
                                               : "action";
}

/// @return what a number without a unit counts, or which unit has to follow it
const char*
GetOptionUnit(const SimOption& option)
{
    return option.kind == SimOption::Kind::RATE   ? "bps"
           : option.kind == SimOption::Kind::TIME ? "s"
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
DescribeValue(JsonWriter& json, const SimValue& value)
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
DescribeOption(JsonWriter& json, const SimOption& option)
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
    for (const SimValue& value : ListSimValues(option))
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
DescribeAll(JsonWriter& json, const SimOptions& options)
{
    json.BeginObject();
    json.Key("version");
    json.String(DescribeSimVersion());
    json.Key("options");
    json.BeginArray();
    for (const SimOption& option : GetSimOptions())
    {
        DescribeOption(json, option);
    }
    json.EndArray();
    json.Key("classes");
    json.BeginArray();
    DescribeClasses(json);
    json.EndArray();
    WriteTextArray(json, "inputs", ListSimInputs(options));
    json.EndObject();
}

void
DescribeInputs(JsonWriter& json, const SimOptions& options)
{
    json.BeginObject();
    WriteTextArray(json, "inputs", ListSimInputs(options));
    json.EndObject();
}

/// What can be described.
struct Description
{
    std::string name; //!< as users write it
    const char* help; //!< for users

    /// Describes it.
    void (*write)(JsonWriter& json, const SimOptions& options);
};

const std::vector<Description> g_descriptions = {
    {"json", "all options and attributes, and ``inputs``", &DescribeAll},
    {"inputs", "the files that a run with the other options reads", &DescribeInputs},
};

} // namespace

std::vector<SimValue>
ListSimDescriptions(const std::string& /* option */)
{
    return ListSimEntries(g_descriptions);
}

void
PrintSimDescription(std::ostream& out, const SimOptions& options)
{
    JsonWriter json;
    FindFabricName(g_descriptions, options.GetAction("describe"), "--describe")
        .write(json, options);
    out << json.GetText() << "\n";
}

} // namespace ns3
