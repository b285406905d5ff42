// SPDX-License-Identifier: GPL-2.0-only
#include "policy-rules.h"

#include "ns3/fabric-error.h"

#include <algorithm>
#include <locale>
#include <sstream>
#include <string>
#include <vector>

namespace ns3
{

namespace
{

/**
 * @param timePs it
 * @return a time in words
 */
std::string
InMicroseconds(int64_t timePs)
{
    std::ostringstream text;
    text.imbue(std::locale::classic());
    text << static_cast<double>(timePs) / 1e6 << " us";
    return text.str();
}

/// Refuse what lacks a feature of switches, or forgets what they say before they repeat it.
void
CheckNeeds(TypeId owner, const CongestionControlNeeds& needs, const PolicyContext& around)
{
    for (const CongestionControlNeeds::Feature& need : needs.features)
    {
        const TypeId type = TypeId::LookupByName(need.type);
        if (need.lack && !around.Has(type))
        {
            throw FabricError(FabricTerm::Class(owner),
                              std::string(" needs ") + need.lack + " have no " +
                                  FabricTerm::Class(type),
                              {FabricRemedy::Do("add it with AddSwitchFeature()")});
        }
        for (const auto& [tid, effects] : around.features)
        {
            if ((tid == type || tid.IsChildOf(type)) && need.forget && effects.repeat &&
                effects.repeatPs >= need.forgetPs)
            {
                throw FabricError(
                    FabricTerm::Class(owner),
                    " forgets what switches said " + InMicroseconds(need.forgetPs) +
                        " ago, but they repeat it after " + InMicroseconds(effects.repeatPs),
                    {FabricRemedy::Set(FabricTerm::Attribute(owner, need.forget) + " above " +
                                       FabricTerm::Attribute(tid, effects.repeat))});
            }
        }
    }
}

} // namespace

void
CheckFeatureRules(const PolicyCase& what)
{
    const PdcPolicy& policy = what.policy;
    CheckNeeds(what.control,
               policy.congestionControl.Create<CongestionControl>()->GetNeeds(),
               what.around);
    for (const ObjectFactory& modifier : policy.modifiers)
    {
        CheckNeeds(modifier.GetTypeId(),
                   modifier.Create<CongestionModifier>()->GetNeeds(),
                   what.around);
    }
}

std::vector<TypeId>
ListReaders(const std::string& base, TypeId feature)
{
    const TypeId parent = TypeId::LookupByName(base);
    std::vector<TypeId> readers;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId tid = TypeId::GetRegistered(i);
        if (!tid.IsChildOf(parent) || !tid.HasConstructor())
        {
            continue;
        }
        ObjectFactory factory;
        factory.SetTypeId(tid);
        const Ptr<Object> object = factory.Create<Object>();
        const auto control = DynamicCast<CongestionControl>(object);
        const auto modifier = DynamicCast<CongestionModifier>(object);
        if ((control && control->GetNeeds().Reads(feature)) ||
            (modifier && modifier->GetNeeds().Reads(feature)))
        {
            readers.push_back(tid);
        }
    }
    std::sort(readers.begin(), readers.end(), [](TypeId a, TypeId b) {
        return a.GetName() < b.GetName();
    });
    return readers;
}

} // namespace ns3
