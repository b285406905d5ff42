// SPDX-License-Identifier: GPL-2.0-only
#include "checked-factory.h"

#include "ns3/fabric-error.h"
#include "ns3/string.h"

#include <regex>
#include <sstream>

namespace ns3
{

namespace
{

/// @return true if all of a text is one T @param text some text
template <typename T>
bool
IsOne(const std::string& text)
{
    std::istringstream in(text);
    T value;
    return (in >> value) && in.eof();
}

/// @return false for text over which an attribute value would end the program
/// @param valueType type of the attribute value @param text some text
bool
IsWellFormed(const std::string& valueType, const std::string& text)
{
    static const std::regex time("[+-]?[0-9.]+(e[+-]?[0-9]+)?(s|ms|us|ns|ps|fs|min|h|d|y)?");
    static const std::regex rate("[0-9.]+(e[+-]?[0-9]+)?(|[kKMG]|[KMG]i|[Kk])(bps|b/s|Bps|B/s)");
    static const std::regex size("[0-9.]+([kKMG]i?)?[Bp]");
    if (valueType == "ns3::DoubleValue")
    {
        return IsOne<double>(text);
    }
    if (valueType == "ns3::UintegerValue")
    {
        return IsOne<uint64_t>(text) && text.find('-') == std::string::npos;
    }
    if (valueType == "ns3::IntegerValue")
    {
        return IsOne<int64_t>(text);
    }
    return valueType == "ns3::TimeValue"        ? std::regex_match(text, time)
           : valueType == "ns3::DataRateValue"  ? std::regex_match(text, rate)
           : valueType == "ns3::QueueSizeValue" ? std::regex_match(text, size)
                                                : true;
}

} // namespace

ObjectFactory
MakeCheckedFactory(const std::string& kind, const std::string& base, const std::string& type)
{
    TypeId tid;
    const TypeId baseTid = TypeId::LookupByName(base);
    if (!TypeId::LookupByNameFailSafe(type, &tid) || !(tid.IsChildOf(baseTid) || tid == baseTid) ||
        !tid.HasConstructor())
    {
        std::string known;
        for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
        {
            const TypeId other = TypeId::GetRegistered(i);
            if ((other.IsChildOf(baseTid) || other == baseTid) && other.HasConstructor())
            {
                known += (known.empty() ? "" : ", ") + other.GetName();
            }
        }
        throw FabricError("unknown " + kind + " \"" + type + "\"; known: " + known);
    }
    ObjectFactory factory;
    factory.SetTypeId(tid);
    return factory;
}

void
SetCheckedAttribute(ObjectFactory& factory, const std::string& name, const AttributeValue& value)
{
    const TypeId tid = factory.GetTypeId();
    TypeId::AttributeInformation info;
    if (!tid.LookupAttributeByName(name, &info))
    {
        throw FabricError(tid.GetName() + " has no attribute \"" + name + "\"");
    }
    // ns-3 ends the program over text that is not even of the right kind
    const auto* text = dynamic_cast<const StringValue*>(&value);
    if ((text && !IsWellFormed(info.checker->GetValueTypeName(), text->Get())) ||
        !info.checker->CreateValidValue(value))
    {
        throw FabricError(tid.GetName() + "::" + name + ": invalid value; it takes " +
                          info.checker->GetValueTypeName() + " " +
                          info.checker->GetUnderlyingTypeInformation());
    }
    factory.Set(name, value);
}

} // namespace ns3
