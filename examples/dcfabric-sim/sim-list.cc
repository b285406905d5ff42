// SPDX-License-Identifier: GPL-2.0-only
#include "sim-list.h"

#include "ns3/attribute-text.h"
#include "ns3/class-list.h"
#include "ns3/fabric-spec.h"
#include "ns3/scenario-classes.h"

#include <string>
#include <vector>

namespace ns3
{

namespace
{

/// Print a class with all its attributes, inherited ones included.
void
ListType(std::ostream& out, TypeId tid, const FabricSpeaker& speaker)
{
    std::vector<std::string> names;
    for (const FabricTerm& choice : ListScenarioChoices(tid.GetName()))
    {
        names.push_back(speaker.Name(choice));
    }
    out << "  " << tid.GetName() << (names.empty() ? "" : "  (" + JoinFabricNames(names) + ")")
        << "\n";
    for (const auto& info : ListScenarioClassAttributes(tid))
    {
        out << "    --" << tid.GetName() << "::" << info.name << "=" << FormatAttributeDefault(info)
            << "\n"
            << "        " << info.help << "\n";
    }
}

} // namespace

void
PrintSimPolicies(std::ostream& out, const FabricSpeaker& speaker)
{
    for (const ScenarioKind& kind : GetScenarioKinds())
    {
        out << kind.GetHeading().Say(speaker) << "\n";
        const std::vector<TypeId> types = ListClasses(kind.base);
        for (const TypeId& tid : types)
        {
            ListType(out, tid, speaker);
        }
        if (types.empty())
        {
            out << "  none in this build\n";
        }
        out << "\n";
    }
}

} // namespace ns3
