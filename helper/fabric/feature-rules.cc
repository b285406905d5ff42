// SPDX-License-Identifier: GPL-2.0-only
#include "policy-rules.h"

#include "ns3/class-list.h"
#include "ns3/fabric-error.h"

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
    std::vector<TypeId> readers;
    for (const TypeId& tid : ListClasses(base))
    {
        const Ptr<Object> object = ObjectFactory(tid.GetName()).Create<Object>();
        const auto control = DynamicCast<CongestionControl>(object);
        const auto modifier = DynamicCast<CongestionModifier>(object);
        if ((control && control->GetNeeds().Reads(feature)) ||
            (modifier && modifier->GetNeeds().Reads(feature)))
        {
            readers.push_back(tid);
        }
    }
    return readers;
}

} // namespace ns3
