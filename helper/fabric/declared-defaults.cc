// SPDX-License-Identifier: GPL-2.0-only
#include "declared-defaults.h"

#include "checked-factory.h"

#include "ns3/attribute-text.h"
#include "ns3/fabric-error.h"
#include "ns3/string.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>

namespace ns3
{

namespace
{

/// @return true if a factory sets an attribute
bool
IsSetByFactory(const ObjectFactory& factory, const std::string& attribute)
{
    std::ostringstream text; // ns3::Class[Name=value|Name=value], values possibly the same way
    text << factory;
    int depth = 0;
    std::string name;
    for (const char c : text.str())
    {
        depth += c == '[' ? 1 : c == ']' ? -1 : 0;
        if (depth != 1)
        {
            continue;
        }
        if (c == '=' && name == attribute)
        {
            return true;
        }
        name = c == '[' || c == '|' ? "" : name + c;
    }
    return false;
}

/**
 * @param fullName class and attribute
 * @return true if NS_ATTRIBUTE_DEFAULT sets an attribute
 */
bool
IsSetByEnvironment(const std::string& fullName)
{
    const char* environment = std::getenv("NS_ATTRIBUTE_DEFAULT");
    std::istringstream settings(environment ? environment : "");
    for (std::string setting; std::getline(settings, setting, ';');)
    {
        if (setting.substr(0, setting.find('=')) == fullName)
        {
            return true;
        }
    }
    return false;
}

/**
 * @param wanted says which, by name
 * @return true if a user has set one of some attributes
 */
template <typename Predicate>
bool
HasChosen(const ObjectFactory& factory, Predicate wanted)
{
    for (TypeId tid = factory.GetTypeId();; tid = tid.GetParent())
    {
        for (std::size_t i = 0; i < tid.GetAttributeN(); ++i)
        {
            const auto info = tid.GetAttribute(i);
            // Config::SetDefault() makes a new value, also of the same number
            if (wanted(info.name) && (info.initialValue != info.originalInitialValue ||
                                      IsSetByEnvironment(tid.GetAttributeFullName(i)) ||
                                      IsSetByFactory(factory, info.name)))
            {
                return true;
            }
        }
        if (!tid.HasParent() || tid.GetParent() == tid)
        {
            return false;
        }
    }
}

/// @return true if a class is another one or below it
bool
IsOf(TypeId tid, const std::string& base)
{
    const TypeId wanted = TypeId::LookupByName(base);
    return tid == wanted || tid.IsChildOf(wanted);
}

} // namespace

bool
IsAttributeChosen(const ObjectFactory& factory, const std::string& attribute)
{
    return HasChosen(factory, [&attribute](const std::string& name) { return name == attribute; });
}

bool
IsAnyAttributeChosen(const ObjectFactory& factory)
{
    return HasChosen(factory, [](const std::string& /* name */) { return true; });
}

void
DeclaredDefaults::Add(TypeId owner, const std::vector<PolicyDefault>& defaults)
{
    for (const PolicyDefault& wanted : defaults)
    {
        const std::string where = owner.GetName() + "::ListDefaults()";
        const TypeId tid = ns3::FindClass(wanted.type, where);
        if (wanted.attribute.empty())
        {
            MakeCheckedFactory("class in " + where, wanted.type, wanted.value);
        }
        else
        {
            CheckAttributeText(wanted.value, FindAttribute(tid, wanted.attribute, where), where);
        }
        m_entries.push_back({owner, wanted});
    }
}

void
DeclaredDefaults::Add(const DeclaredDefaults& others)
{
    m_entries.insert(m_entries.end(), others.m_entries.begin(), others.m_entries.end());
}

const DeclaredDefaults::Entry*
DeclaredDefaults::Choose(const std::vector<const Entry*>& entries)
{
    const Entry* chosen = nullptr;
    for (const Entry* entry : entries)
    {
        if (!chosen || chosen->wanted.value == entry->wanted.value)
        {
            chosen = chosen ? chosen : entry;
            continue;
        }
        if (chosen->wanted.clash == PolicyDefault::Clash::LARGER &&
            entry->wanted.clash == PolicyDefault::Clash::LARGER)
        {
            const bool larger = std::stod(entry->wanted.value) > std::stod(chosen->wanted.value);
            chosen = larger ? entry : chosen;
            continue;
        }
        const PolicyDefault& what = entry->wanted;
        const FabricTerm wanted = what.attribute.empty()
                                      ? FabricTerm::Class(what.type)
                                      : FabricTerm::Attribute(what.type, what.attribute);
        throw FabricError(FabricTerm::Class(chosen->owner),
                          " needs " + wanted + " " + chosen->wanted.value + ", but " +
                              FabricTerm::Class(entry->owner) + " " + what.value,
                          {FabricRemedy::Do("set it"), FabricRemedy::Do("leave one of them out")});
    }
    return chosen;
}

std::string
DeclaredDefaults::FindClass(const std::string& kind) const
{
    std::vector<const Entry*> entries;
    for (const Entry& entry : m_entries)
    {
        if (entry.wanted.attribute.empty() && entry.wanted.type == kind)
        {
            entries.push_back(&entry);
        }
    }
    const Entry* chosen = Choose(entries);
    return chosen ? chosen->wanted.value : "";
}

void
DeclaredDefaults::Apply(ObjectFactory& factory) const
{
    const ObjectFactory asGiven = factory;
    const auto concerns = [&asGiven](const Entry& entry) {
        return !entry.wanted.attribute.empty() && IsOf(asGiven.GetTypeId(), entry.wanted.type);
    };
    for (const Entry& first : m_entries)
    {
        if (!concerns(first) || IsAttributeChosen(factory, first.wanted.attribute))
        {
            continue; // not his, or a user's, or set by now
        }
        std::vector<const Entry*> entries;
        for (const Entry& entry : m_entries)
        {
            if (concerns(entry) && entry.wanted.attribute == first.wanted.attribute)
            {
                entries.push_back(&entry);
            }
        }
        factory.Set(first.wanted.attribute, StringValue(Choose(entries)->wanted.value));
    }
}

std::vector<std::string>
DeclaredDefaults::ListAttributes() const
{
    std::vector<std::string> names;
    for (const Entry& entry : m_entries)
    {
        const std::string name = entry.wanted.type + "::" + entry.wanted.attribute;
        if (!entry.wanted.attribute.empty() &&
            std::find(names.begin(), names.end(), name) == names.end())
        {
            names.push_back(name);
        }
    }
    return names;
}

} // namespace ns3
