// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-form.h"

#include "attribute-text.h"

#include "ns3/double.h"
#include "ns3/fabric-time.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/parse-units.h"
#include "ns3/string.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <utility>

namespace ns3
{

namespace
{

/// @return value of a key that the user gave, in the range of its attribute
Ptr<AttributeValue>
ReadKey(const FabricForm::Key& key,
        const FabricSpec& spec,
        const TypeId::AttributeInformation& info)
{
    const AttributeValue* initial = PeekPointer(info.originalInitialValue);
    if (dynamic_cast<const UintegerValue*>(initial))
    {
        const auto [least, most] = GetAttributeBounds(*info.checker);
        const uint64_t min = ParseFabricUint(least, "");
        const uint64_t max = ParseFabricUint(most, "");
        return Create<UintegerValue>(key.isSize ? spec.GetSizeBytes(key.name, 0, max)
                                                : spec.GetUint(key.name, 0, min, max));
    }
    if (dynamic_cast<const DoubleValue*>(initial))
    {
        const auto [least, most] = GetAttributeBounds(*info.checker);
        constexpr double MAX = 1e300;
        return Create<DoubleValue>(spec.GetDouble(key.name,
                                                  0,
                                                  ParseFabricDouble(least, "", -MAX, MAX),
                                                  ParseFabricDouble(most, "", -MAX, MAX)));
    }
    if (dynamic_cast<const TimeValue*>(initial))
    {
        const Time most(GetAttributeBounds(*info.checker).max);
        return Create<TimeValue>(PicoSeconds(spec.GetTimePs(key.name, 0, FabricTime::ToPs(most))));
    }
    return Create<StringValue>(spec.GetString(key.name, ""));
}

/// @return as a user would write it, such as `2MB`
std::string
WriteSize(uint64_t bytes)
{
    constexpr std::pair<uint64_t, const char*> UNITS[] = {{1000000000, "GB"},
                                                          {1000000, "MB"},
                                                          {1000, "kB"}};
    for (const auto& [unit, name] : UNITS)
    {
        if (bytes % unit == 0)
        {
            return std::to_string(bytes / unit) + name;
        }
    }
    return std::to_string(bytes);
}

} // namespace

void
FillFabricKeys(const FabricForm& form, FabricSpec& spec, Object& object)
{
    std::vector<std::string> known;
    FabricSpec::Aliases aliases;
    for (const auto& key : form.keys)
    {
        known.emplace_back(key.name);
        if (*key.alias)
        {
            aliases.emplace_back(key.alias, key.name);
        }
    }
    spec.ExpectKeys(known, aliases);
    for (const auto& key : form.keys)
    {
        if (key.attribute && spec.Has(key.name))
        {
            const auto info = FindAttribute(object.GetInstanceTypeId(), key.attribute, "");
            object.SetAttribute(key.attribute, *ReadKey(key, spec, info));
        }
    }
}

void
FillFabricArgument(const FabricForm& form, FabricSpec& spec, Object& object)
{
    object.SetAttribute(form.keys.front().attribute, StringValue(spec.GetArgument(form.argument)));
}

std::string
WriteFabricForm(const FabricForm& form)
{
    if (form.argument)
    {
        return form.name + ":" + form.argument;
    }
    std::string text = form.name;
    for (const auto& key : form.keys)
    {
        if (key.attribute)
        {
            const auto info =
                FindAttribute(TypeId::LookupByName(form.type), key.attribute, form.name);
            std::string value = info.originalInitialValue->SerializeToString(info.checker);
            if (key.isSize)
            {
                value = WriteSize(ParseFabricUint(value, form.name));
            }
            else if (const auto time =
                         dynamic_cast<const TimeValue*>(PeekPointer(info.originalInitialValue)))
            {
                value = time->Get().IsZero() ? "0s" : value.substr(1); // ns-3 writes a sign
            }
            text += (text == form.name ? ":" : ",") + std::string(key.name) + "=" + value;
        }
    }
    return text;
}

Ptr<Object>
MakeFabricObject(const std::string& text,
                 const std::string& what,
                 const std::vector<FabricForm>& forms)
{
    FabricSpec spec(text, what);
    const FabricForm& form = FindFabricName(forms, spec.GetName(), what);
    ObjectFactory factory;
    factory.SetTypeId(form.type);
    Ptr<Object> object = factory.Create<Object>();
    (form.fill ? form.fill : &FillFabricKeys)(form, spec, *object);
    return object;
}

} // namespace ns3
