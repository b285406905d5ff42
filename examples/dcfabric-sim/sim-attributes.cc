// SPDX-License-Identifier: GPL-2.0-only
#include "sim-attributes.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-quantity.h"
#include "ns3/global-value.h"
#include "ns3/object-factory.h"
#include "ns3/object.h"
#include "ns3/string.h"
#include "ns3/type-id.h"

#include <algorithm>
#include <limits>
#include <sstream>

namespace ns3
{

namespace
{

void
CheckDouble(const std::string& text, const std::string& where)
{
    constexpr double MAX = std::numeric_limits<double>::max();
    ParseFabricDouble(text, where, -MAX, MAX);
}

void
CheckUinteger(const std::string& text, const std::string& where)
{
    ParseFabricUint(text, where);
}

void
CheckInteger(const std::string& text, const std::string& where)
{
    ParseFabricUint(text.compare(0, 1, "-") == 0 ? text.substr(1) : text, where, 0, INT64_MAX);
}

void
CheckTime(const std::string& text, const std::string& where)
{
    const bool isSigned = text.compare(0, 1, "-") == 0 || text.compare(0, 1, "+") == 0;
    ParseFabricTimePs(isSigned ? text.substr(1) : text, where);
}

void
CheckRate(const std::string& text, const std::string& where)
{
    ParseFabricRateBps(text, where);
}

/// A pointer is written as the object to be made: `ns3::Class` or
/// `ns3::Class[Attribute=value|...]`.
void
CheckPointer(const std::string& text, const std::string& where)
{
    const std::size_t bracket = text.find('[');
    const std::string type = text.substr(0, bracket);
    TypeId tid;
    if (!TypeId::LookupByNameFailSafe(type, &tid) || !tid.HasConstructor())
    {
        throw FabricError(where + ": " + QuoteFabricText(type) +
                          " is no class of which an object could be made");
    }
    if (bracket != std::string::npos && text.back() != ']')
    {
        throw FabricError(where + ": write ns3::Class[Attribute=value|Attribute=value]");
    }
    if (bracket == std::string::npos)
    {
        return;
    }
    std::istringstream attributes(text.substr(bracket + 1, text.size() - bracket - 2));
    for (std::string one; std::getline(attributes, one, '|');)
    {
        const std::size_t equals = one.find('=');
        if (equals != std::string::npos)
        {
            CheckSimAttribute(type + "::" + one.substr(0, equals), one.substr(equals + 1));
        }
    }
}

/// Kind of value and how its text is checked.
struct Check
{
    const char* type;                                      //!< of the value
    void (*check)(const std::string&, const std::string&); //!< throws if malformed
};

constexpr Check CHECKS[] = {
    {"DoubleValue", &CheckDouble},
    {"UintegerValue", &CheckUinteger},
    {"IntegerValue", &CheckInteger},
    {"TimeValue", &CheckTime},
    {"DataRateValue", &CheckRate},
    {"PointerValue", &CheckPointer},
};

/// Globals that name a class, and of what kind it has to be.
constexpr const char* ENGINES[][2] = {
    {"SchedulerType", "ns3::Scheduler"},
    {"SimulatorImplementationType", "ns3::SimulatorImpl"},
};

/// @return true if an attribute exists @param name `ns3::Class::Attribute` @param tid set to the
/// class @param info set to the attribute
bool
LookUp(const std::string& name, TypeId& tid, TypeId::AttributeInformation& info)
{
    const std::size_t colons = name.rfind("::");
    return colons != std::string::npos &&
           TypeId::LookupByNameFailSafe(name.substr(0, colons), &tid) &&
           tid.LookupAttributeByName(name.substr(colons + 2), &info);
}

/**
 * @brief Let the setter of an attribute refuse the value here, on an object that goes away by
 * itself: ns-3 loses an object whose construction throws.
 * @param tid the class
 * @param info the attribute
 * @param value its value
 * @throws FabricError if the setter refuses it
 */
void
TrySetter(TypeId tid, const TypeId::AttributeInformation& info, const std::string& value)
{
    if (tid.GetGroupName() == "Dcfabric" && tid.HasConstructor() &&
        tid.IsChildOf(Object::GetTypeId()) && (info.flags & TypeId::ATTR_SET) != 0)
    {
        ObjectFactory factory;
        factory.SetTypeId(tid);
        factory.Create<Object>()->SetAttributeFailSafe(info.name, StringValue(value));
    }
}

} // namespace

void
CheckSimAttribute(const std::string& name, const std::string& value)
{
    TypeId tid;
    TypeId::AttributeInformation info;
    Ptr<const AttributeChecker> checker;
    const bool known = LookUp(name, tid, info);
    if (known)
    {
        checker = info.checker;
    }
    for (auto global = GlobalValue::Begin(); global != GlobalValue::End(); ++global)
    {
        if ((*global)->GetName() == name)
        {
            checker = (*global)->GetChecker();
        }
    }
    if (!checker)
    {
        return;
    }
    for (const auto& [global, base] : ENGINES)
    {
        if (name == global && TypeId::LookupByNameFailSafe(value, &tid) &&
            !tid.IsChildOf(TypeId::LookupByName(base)))
        {
            throw FabricError("--" + name + ": " + value + " is no " + base);
        }
    }
    // some checkers name their values with the namespace, some without
    std::string valueType = checker->GetValueTypeName();
    valueType.erase(0, valueType.compare(0, 5, "ns3::") == 0 ? 5 : 0);
    for (const auto& [type, check] : CHECKS)
    {
        if (valueType == type)
        {
            check(value, "--" + name);
        }
    }
    if (known)
    {
        TrySetter(tid, info, value);
    }
}

std::string
GetSimAttributeOwner(const std::string& name)
{
    TypeId tid;
    TypeId::AttributeInformation info;
    if (!LookUp(name, tid, info))
    {
        return name;
    }
    for (;; tid = tid.GetParent())
    {
        for (std::size_t i = 0; i < tid.GetAttributeN(); ++i)
        {
            if (tid.GetAttribute(i).name == info.name)
            {
                return tid.GetName() + "::" + info.name;
            }
        }
    }
}

void
CheckSimAttributeUse(const std::string& name, const std::vector<TypeId>& used)
{
    TypeId tid;
    TypeId::AttributeInformation info;
    const bool ours = LookUp(name, tid, info) && tid.GetGroupName() == "Dcfabric";
    const auto uses = [tid](TypeId other) { return other == tid || other.IsChildOf(tid); };
    if (ours && std::none_of(used.begin(), used.end(), uses))
    {
        throw FabricError("--" + name + " has no effect: this run does not use " + tid.GetName());
    }
}

} // namespace ns3
