// SPDX-License-Identifier: GPL-2.0-only
#include "scenario-attributes.h"

#include "ns3/attribute-text.h"
#include "ns3/fabric-error.h"
#include "ns3/global-value.h"
#include "ns3/object-factory.h"
#include "ns3/object.h"
#include "ns3/string.h"
#include "ns3/type-id.h"

#include <algorithm>

namespace ns3
{

namespace
{

/// Globals that name a class, and of what kind it has to be.
constexpr const char* ENGINES[][2] = {
    {"SchedulerType", "ns3::Scheduler"},
    {"SimulatorImplementationType", "ns3::SimulatorImpl"},
};

/// @return true if an attribute `ns3::Class::Attribute` exists; class and attribute are set to it
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
        try
        {
            factory.Create<Object>()->SetAttributeFailSafe(info.name, StringValue(value));
        }
        catch (const FabricError& error)
        {
            // whoever writes values of attributes writes the names of C++
            throw FabricError(std::string(error.what()));
        }
    }
}

} // namespace

void
CheckScenarioAttribute(const std::string& name, const std::string& value)
{
    const FabricText where = FabricTerm::Option(name);
    const std::size_t colons = name.rfind("::");
    if (colons != std::string::npos)
    {
        const TypeId tid = FindClass(name.substr(0, colons), where);
        const auto info = FindAttribute(tid, name.substr(colons + 2), where);
        CheckAttributeText(value, info, where);
        TrySetter(tid, info, value);
        return;
    }
    const auto global =
        std::find_if(GlobalValue::Begin(), GlobalValue::End(), [&name](const GlobalValue* one) {
            return one->GetName() == name;
        });
    if (global == GlobalValue::End())
    {
        return;
    }
    for (const auto& [engine, base] : ENGINES)
    {
        if (name == engine && !FindClass(value, where).IsChildOf(TypeId::LookupByName(base)))
        {
            throw FabricError(where + ": " + value + " is no " + base);
        }
    }
    CheckAttributeText(value, (*global)->GetChecker(), where);
}

std::vector<std::string>
ListScenarioGlobals()
{
    std::vector<std::string> names;
    for (auto global = GlobalValue::Begin(); global != GlobalValue::End(); ++global)
    {
        names.push_back((*global)->GetName());
    }
    return names;
}

std::string
GetScenarioAttributeOwner(const std::string& name)
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
CheckScenarioAttributeUse(const std::string& name, const std::vector<TypeId>& used)
{
    TypeId tid;
    TypeId::AttributeInformation info;
    const bool ours = LookUp(name, tid, info) && tid.GetGroupName() == "Dcfabric";
    const auto uses = [tid](TypeId other) { return other == tid || other.IsChildOf(tid); };
    if (ours && std::none_of(used.begin(), used.end(), uses))
    {
        throw FabricError(FabricTerm::Option(name) + " has no effect: this run does not use " +
                          FabricTerm::Class(tid));
    }
}

} // namespace ns3
