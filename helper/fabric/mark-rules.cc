// SPDX-License-Identifier: GPL-2.0-only
#include "policy-rules.h"

#include "ns3/class-list.h"
#include "ns3/congestion-aware-queue-disc.h"
#include "ns3/fabric-error.h"

#include <vector>

namespace ns3
{

namespace
{

/// @return to add one of the switch features that mark by themselves, each of them
std::vector<FabricRemedy>
ListMarkers()
{
    std::vector<FabricRemedy> remedies;
    for (const TypeId& tid : ListClasses("ns3::SwitchFeature"))
    {
        if (ObjectFactory(tid.GetName()).Create<SwitchFeature>()->GetEffects().markedClasses != 0)
        {
            remedies.push_back(FabricRemedy::Add(FabricTerm::Class(tid)));
        }
    }
    return remedies;
}

} // namespace

void
CheckMarkRules(const PolicyCase& what)
{
    if (!what.needs.ecn || what.around.marks || what.around.MarksByDraws())
    {
        return;
    }
    if (!DynamicCast<CongestionAwareQueueDisc>(what.around.queueDisc.Create<QueueDisc>()))
    {
        throw FabricError(
            FabricTerm::Class(what.control),
            " needs ECN marks by a marking profile, but " +
                FabricTerm::Class(what.around.queueDisc.GetTypeId()) +
                " marks by its own rules or not at all",
            {FabricRemedy::Use(FabricTerm::Class("ns3::CongestionAwareQueueDisc") +
                               " with a marking profile"),
             FabricRemedy::Use(
                 FabricTerm::Any("ns3::CongestionControl", "a", "congestion control") +
                 " without marks")});
    }
    std::vector<FabricRemedy> remedies = ListMarkers();
    remedies.insert(
        remedies.begin(),
        FabricRemedy::Use(
            FabricTerm::Any("ns3::MarkingProfile", "a", "profile, as ns3::WredMarkingProfile")));
    throw FabricError(FabricTerm::Class(what.control),
                      " needs ECN marks, but the switches have no marking profile",
                      remedies);
}

} // namespace ns3
