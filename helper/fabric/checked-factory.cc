// SPDX-License-Identifier: GPL-2.0-only
#include "checked-factory.h"

#include "ns3/attribute-text.h"
#include "ns3/class-list.h"
#include "ns3/closed-wings.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-spec.h"
#include "ns3/string.h"

#include <vector>

namespace ns3
{

ObjectFactory
MakeCheckedFactory(const std::string& kind, const std::string& base, const std::string& type)
{
    for (const std::string& name : {type, base})
    {
        RefuseClosedWing(name, kind + " " + type);
    }
    TypeId tid;
    const TypeId baseTid = TypeId::LookupByName(base);
    if (!TypeId::LookupByNameFailSafe(type, &tid) || !(tid.IsChildOf(baseTid) || tid == baseTid) ||
        !tid.HasConstructor())
    {
        std::vector<std::string> known;
        for (const TypeId& other : ListClasses(base))
        {
            known.push_back(other.GetName());
        }
        throw FabricError("unknown " + kind + " \"" + type + "\"; " + ListFabricNames(type, known));
    }
    ObjectFactory factory;
    factory.SetTypeId(tid);
    return factory;
}

void
SetCheckedAttribute(ObjectFactory& factory, const std::string& name, const AttributeValue& value)
{
    const TypeId tid = factory.GetTypeId();
    const TypeId::AttributeInformation info = FindAttribute(tid, name, "");
    const FabricText where = FabricTerm::Attribute(tid, name);
    if (const auto* text = dynamic_cast<const StringValue*>(&value))
    {
        CheckAttributeText(text->Get(), info, where);
    }
    else if (!info.checker->CreateValidValue(value))
    {
        throw FabricError(where + ": invalid value '" + value.SerializeToString(info.checker) +
                          "'; it takes " + DescribeAttributeRange(*info.checker) + ", by default " +
                          FormatAttributeDefault(info));
    }
    factory.Set(name, value);
}

} // namespace ns3
