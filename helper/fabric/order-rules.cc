// SPDX-License-Identifier: GPL-2.0-only
#include "policy-rules.h"

#include "ns3/fabric-error.h"
#include "ns3/reliability-policy.h"

namespace ns3
{

namespace
{

/// Refuse what lets packets overtake one another.
void
Refuse(const PolicyCase& what, TypeId other, const char* does, const FabricRemedy& instead)
{
    throw FabricError(FabricTerm::Class(what.around.reliability.GetTypeId()),
                      " accepts packets only in order, but " + FabricTerm::Class(other) + does,
                      {FabricRemedy::Use(FabricTerm::Class("ns3::SelectiveRepeat")), instead});
}

} // namespace

void
CheckOrderRules(const PolicyCase& what)
{
    if (what.around.reliability.Create<ReliabilityPolicy>()->AcceptsOutOfOrder())
    {
        return;
    }
    for (const auto& [tid, effects] : what.around.features)
    {
        if (!effects.keepsOrder)
        {
            Refuse(what,
                   tid,
                   " spreads a flow over several paths",
                   FabricRemedy::Do("leave out " + FabricTerm::Class(tid)));
        }
    }
    if (what.needs.classes != 0 && !what.around.lossless)
    {
        Refuse(what,
               what.control,
               " gives packets of a flow several classes",
               FabricRemedy::Use(
                   FabricTerm::Any("ns3::CongestionControl", "another", "congestion control")));
    }
    const auto perFlow = FabricRemedy::Use(FabricTerm::Class("ns3::PerFlowLoadBalancer"));
    if (what.maxPaths > 1)
    {
        Refuse(what, what.balancerType, " spreads a message over several paths", perFlow);
    }
    if (what.balancer->MovesFlows())
    {
        Refuse(what, what.balancerType, " moves a message to another path", perFlow);
    }
    if (!what.selector->KeepsOrder())
    {
        Refuse(what,
               what.selectorType,
               " spreads a flow over several paths",
               FabricRemedy::Use(FabricTerm::Class("ns3::SymmetricEcmpPathSelector")));
    }
}

} // namespace ns3
