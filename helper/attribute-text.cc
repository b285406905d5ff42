// SPDX-License-Identifier: GPL-2.0-only
#include "attribute-text.h"

#include "fabric-spec.h"

#include "ns3/attribute-range.h"
#include "ns3/closed-wings.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-time.h"
#include "ns3/nstime.h"
#include "ns3/parse-units.h"
#include "ns3/pointer.h"
#include "ns3/string.h"

#include <algorithm>
#include <limits>
#include <sstream>
#include <vector>

namespace ns3
{

namespace
{

/// @return name of the kind of value, without namespace: some checkers name it with, some without
std::string
GetValueType(const AttributeChecker& checker)
{
    const std::string type = checker.GetValueTypeName();
    return type.compare(0, 5, "ns3::") == 0 ? type.substr(5) : type;
}

/// @return what may be a number, without its sign
std::string
WithoutSign(const std::string& text)
{
    return text.substr(text.compare(0, 1, "-") == 0 || text.compare(0, 1, "+") == 0 ? 1 : 0);
}

/// @return `from MIN to MAX` in the units of a user, as far as there are such
std::string
DescribeBounds(const AttributeBounds& bounds)
{
    return bounds.max.empty()   ? (bounds.min.empty() ? "" : " of at least " + bounds.min)
           : bounds.min.empty() ? " up to " + bounds.max
                                : " from " + bounds.min + " to " + bounds.max;
}

std::string
DescribeDouble(const AttributeChecker& checker)
{
    const auto parse = [](const std::string& text) {
        double value = 0;
        std::istringstream(text) >> value;
        return value;
    };
    AttributeBounds bounds = GetAttributeBounds(checker);
    constexpr double HUGE_NUMBER = 1e300;
    bounds.min = parse(bounds.min) < -HUGE_NUMBER ? "" : bounds.min;
    bounds.max = parse(bounds.max) > HUGE_NUMBER ? "" : bounds.max;
    return "a number" + DescribeBounds(bounds);
}

std::string
DescribeWhole(const AttributeChecker& checker)
{
    AttributeBounds bounds = GetAttributeBounds(checker);
    if (bounds.max == std::to_string(UINT64_MAX) || bounds.max == std::to_string(INT64_MAX))
    {
        bounds.max.clear();
    }
    if (bounds.min == std::to_string(INT64_MIN))
    {
        bounds.min.clear();
    }
    return "a whole number" + DescribeBounds(bounds);
}

std::string
DescribeTime(const AttributeChecker& checker)
{
    AttributeBounds bounds = GetAttributeBounds(checker);
    for (std::string* bound : {&bounds.min, &bounds.max})
    {
        const Time time(*bound);
        const bool isEnd = time > Days(100) || time < Days(-100);
        *bound = isEnd ? "" : FormatFabricTimePs(FabricTime::ToPs(time));
    }
    return "a time with a unit" + DescribeBounds(bounds);
}

std::string
DescribePointer(const AttributeChecker& checker)
{
    const auto pointer = dynamic_cast<const PointerChecker*>(&checker);
    return "an object, ns3::CLASS or ns3::CLASS[ATTRIBUTE=VALUE|ATTRIBUTE=VALUE]" +
           (pointer ? ", of " + pointer->GetPointeeTypeId().GetName() : "");
}

std::string
DescribeEnum(const AttributeChecker& checker)
{
    std::string names = checker.GetUnderlyingTypeInformation();
    for (std::size_t bar = names.find('|'); bar != std::string::npos; bar = names.find('|', bar))
    {
        names.replace(bar, 1, ", ");
    }
    return "one of " + names;
}

bool
IsDouble(const std::string& text, const AttributeChecker& /* checker */)
{
    constexpr double MAX = std::numeric_limits<double>::max();
    ParseFabricDouble(text, "", -MAX, MAX);
    return true;
}

bool
IsUnsigned(const std::string& text, const AttributeChecker& /* checker */)
{
    ParseFabricUint(text, "");
    return true;
}

bool
IsInteger(const std::string& text, const AttributeChecker& /* checker */)
{
    ParseFabricUint(text.compare(0, 1, "-") == 0 ? text.substr(1) : text, "", 0, INT64_MAX);
    return true;
}

bool
IsTime(const std::string& text, const AttributeChecker& /* checker */)
{
    ParseFabricTimePs(WithoutSign(text), "");
    return text.find(' ') == std::string::npos; // ns-3 takes no blank
}

bool
IsRate(const std::string& text, const AttributeChecker& /* checker */)
{
    ParseFabricRateBps(text, "");
    return text.find(' ') == std::string::npos;
}

bool
IsQueueSize(const std::string& text, const AttributeChecker& /* checker */)
{
    std::string unit = text.substr(std::min(text.find_first_not_of("0123456789."), text.size()));
    if (unit == text)
    {
        return false;
    }
    if (unit.find_first_of("kKMG") == 0)
    {
        unit.erase(0, unit.compare(1, 1, "i") == 0 ? 2 : 1);
    }
    return unit == "B" || unit == "p";
}

bool
IsEnum(const std::string& text, const AttributeChecker& checker)
{
    const std::string names = "|" + checker.GetUnderlyingTypeInformation() + "|";
    return text.find('|') == std::string::npos && names.find("|" + text + "|") != std::string::npos;
}

bool
IsAnything(const std::string& /* text */, const AttributeChecker& /* checker */)
{
    return true;
}

/// Kind of value, how its text is checked and what it takes.
struct Kind
{
    const char* type;                                                  //!< of the value
    bool (*isWellFormed)(const std::string&, const AttributeChecker&); //!< false or an error: it is
                                                                       //!< malformed
    std::string (*describe)(const AttributeChecker&);                  //!< legal values
};

const Kind ATTRIBUTE_KINDS[] = {
    {"DoubleValue", &IsDouble, &DescribeDouble},
    {"UintegerValue", &IsUnsigned, &DescribeWhole},
    {"IntegerValue", &IsInteger, &DescribeWhole},
    {"TimeValue", &IsTime, &DescribeTime},
    {"DataRateValue",
     &IsRate,
     [](const AttributeChecker&) { return std::string("a rate with a unit"); }},
    {"QueueSizeValue",
     &IsQueueSize,
     [](const AttributeChecker&) { return std::string("a size in packets or bytes, as 100p"); }},
    {"BooleanValue",
     &IsAnything,
     [](const AttributeChecker&) { return std::string("true or false"); }},
    {"EnumValue", &IsEnum, &DescribeEnum},
    {"TypeIdValue",
     &IsAnything,
     [](const AttributeChecker&) { return std::string("the name of a class"); }},
    {"PointerValue", &IsAnything, &DescribePointer},
};

/// @return what is known of a kind of value, null if nothing
const Kind*
FindKind(const AttributeChecker& checker)
{
    const std::string type = GetValueType(checker);
    for (const Kind& kind : ATTRIBUTE_KINDS)
    {
        // enumerations have a type of their own since ns-3.41: EnumValue<...>
        if (type == kind.type || type.compare(0, type.find('<'), kind.type) == 0)
        {
            return &kind;
        }
    }
    return nullptr;
}

/// Check `ns3::Class` or `ns3::Class[Attribute=value|...]`, which is how an object is written. The
/// class has to be of @p base, if not null.
void
CheckObject(const std::string& text, const PointerChecker* base, const FabricText& where)
{
    const std::size_t bracket = text.find('[');
    const std::string type = text.substr(0, bracket);
    const TypeId tid = FindClass(type, where);
    if (!tid.HasConstructor())
    {
        throw FabricError(where + ": " + QuoteFabricText(type) +
                          " is no class of which an object could be made");
    }
    if (base && tid != base->GetPointeeTypeId() && !tid.IsChildOf(base->GetPointeeTypeId()))
    {
        throw FabricError(where + ": " + QuoteFabricText(type) + " is no " +
                          FabricTerm::Class(base->GetPointeeTypeId()));
    }
    if (bracket == std::string::npos)
    {
        return;
    }
    if (text.back() != ']')
    {
        throw FabricError(where + ": " + QuoteFabricText(text) +
                          " does not end; write ns3::Class[Attribute=value|Attribute=value]");
    }
    std::istringstream attributes(text.substr(bracket + 1, text.size() - bracket - 2));
    for (std::string one; std::getline(attributes, one, '|');)
    {
        const std::size_t equals = one.find('=');
        if (equals == std::string::npos)
        {
            throw FabricError(where + ": " + QuoteFabricText(one) + " is not Attribute=value of " +
                              type);
        }
        const std::string name = one.substr(0, equals);
        const auto info = FindAttribute(tid, name, where);
        CheckAttributeText(one.substr(equals + 1), info, where + ": " + type + "::" + name);
    }
}

/// Check a text; @p otherwise stands behind the legal values.
void
Check(const std::string& text,
      const Ptr<const AttributeChecker>& checker,
      const FabricText& where,
      const std::string& otherwise)
{
    const std::string type = GetValueType(*checker);
    if (type == "PointerValue" || type == "ObjectFactoryValue")
    {
        CheckObject(text, dynamic_cast<const PointerChecker*>(PeekPointer(checker)), where);
        return; // ns-3 would make the object to see whether it can
    }
    if (type == "TypeIdValue")
    {
        FindClass(text, where); // says which is the nearest
    }
    const Kind* kind = FindKind(*checker);
    bool isLegal = !kind || !text.empty();
    try
    {
        isLegal = isLegal && (!kind || kind->isWellFormed(text, *checker)) &&
                  checker->CreateValidValue(StringValue(text));
    }
    catch (const FabricError&)
    {
        isLegal = false; // what the attribute takes says more
    }
    if (!isLegal)
    {
        throw FabricError(where + ": invalid value " + QuoteFabricText(text) + "; it takes " +
                          DescribeAttributeRange(*checker) + otherwise);
    }
}

} // namespace

AttributeBounds
GetAttributeBounds(const AttributeChecker& checker)
{
    const std::string text = checker.GetUnderlyingTypeInformation();
    const std::size_t begin = text.rfind(' ') + 1;
    const std::size_t colon = text.find(':', begin);
    return {text.substr(begin, colon - begin), text.substr(colon + 1)};
}

std::string
DescribeAttributeRange(const AttributeChecker& checker)
{
    if (const auto range = dynamic_cast<const AttributeRange*>(&checker))
    {
        return range->Describe();
    }
    const Kind* kind = FindKind(checker);
    return kind ? kind->describe(checker)
                : checker.GetValueTypeName() + " " + checker.GetUnderlyingTypeInformation();
}

std::string
FormatAttributeDefault(const TypeId::AttributeInformation& info)
{
    if (const auto time = dynamic_cast<const TimeValue*>(PeekPointer(info.initialValue)))
    {
        return FormatFabricTimePs(FabricTime::ToPs(time->Get()));
    }
    if (dynamic_cast<const PointerValue*>(PeekPointer(info.initialValue)))
    {
        return "(none)";
    }
    return info.initialValue->SerializeToString(info.checker);
}

void
CheckAttributeText(const std::string& text,
                   const Ptr<const AttributeChecker>& checker,
                   const FabricText& where)
{
    Check(text, checker, where, "");
}

void
CheckAttributeText(const std::string& text,
                   const TypeId::AttributeInformation& info,
                   const FabricText& where)
{
    Check(text, info.checker, where, ", by default " + FormatAttributeDefault(info));
}

TypeId::AttributeInformation
FindAttribute(TypeId tid, const std::string& name, const FabricText& where)
{
    TypeId::AttributeInformation info;
    if (tid.LookupAttributeByName(name, &info))
    {
        return info;
    }
    std::vector<std::string> known;
    for (TypeId owner = tid;; owner = owner.GetParent())
    {
        for (std::size_t i = 0; i < owner.GetAttributeN(); ++i)
        {
            known.push_back(owner.GetAttribute(i).name);
        }
        if (!owner.HasParent() || owner.GetParent() == owner)
        {
            break;
        }
    }
    throw FabricError(
        (where.IsEmpty() ? where : where + ": ") + tid.GetName() + " has no attribute \"" + name +
        "\"" + (known.empty() ? "" : "; the nearest is " + FindNearestFabricName(name, known)));
}

TypeId
FindClass(const std::string& name, const FabricText& where, const FabricText& more)
{
    TypeId tid;
    if (TypeId::LookupByNameFailSafe(name, &tid))
    {
        return tid;
    }
    RefuseClosedWing(name, where + ": " + name);
    std::vector<std::string> known;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        known.push_back(TypeId::GetRegistered(i).GetName());
    }
    throw FabricError(where + ": there is no class " + QuoteFabricText(name) + "; the nearest is " +
                      FindNearestFabricName(name, known) + more);
}

} // namespace ns3
