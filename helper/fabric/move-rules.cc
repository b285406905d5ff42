// SPDX-License-Identifier: GPL-2.0-only
#include "policy-rules.h"

#include "ns3/fabric-error.h"

#include <vector>

namespace ns3
{

namespace
{

/// Refuse another that chooses paths beside a feature that moves flows.
void
Refuse(const PolicyContext::Feature& feature, TypeId other, const FabricRemedy& instead)
{
    std::vector<FabricRemedy> remedies{instead};
    if (feature.effects.stay)
    {
        remedies.push_back(FabricRemedy::Set(FabricTerm::Attribute(feature.type.GetName(),
                                                                   feature.effects.stay,
                                                                   feature.effects.stayValue)));
    }
    throw FabricError(FabricTerm::Class(feature.type),
                      " moves flows to paths where it finds room, but " + FabricTerm::Class(other) +
                          " chooses paths by rules of its own",
                      remedies);
}

/// Refuse a congestion control that a path selector misleads.
void
CheckMisled(const PolicyCase& what)
{
    const char* misled = what.selector->GetRouteNeeds().misleads;
    if (misled && (what.control == TypeId::LookupByName(misled) ||
                   what.control.IsChildOf(TypeId::LookupByName(misled))))
    {
        throw FabricError(
            FabricTerm::Class(what.control),
            " compares delays of packets of one path, but " + FabricTerm::Class(what.selectorType) +
                " moves flows from path to path and holds packets back",
            {FabricRemedy::Use(FabricTerm::Class("ns3::SymmetricEcmpPathSelector")),
             FabricRemedy::Use(
                 FabricTerm::Any("ns3::CongestionControl", "another", "congestion control"))});
    }
}

/// Refuse a path selector that gives packets their whole way beside what leads them on others.
void
CheckWholeWays(const PolicyCase& what)
{
    if (!what.selector->GetRouteNeeds().feature)
    {
        return;
    }
    for (const auto& [tid, effects] : what.around.features)
    {
        if (effects.paths > 1)
        {
            throw FabricError(
                FabricTerm::Class(what.selectorType),
                " chooses whole ways through the network and measures them, but " +
                    FabricTerm::Class(tid) + " leads packets on others",
                {FabricRemedy::Do("leave out " + FabricTerm::Class(tid)),
                 FabricRemedy::Use(FabricTerm::Class("ns3::SymmetricEcmpPathSelector"))});
        }
    }
}

} // namespace

void
CheckMoveRules(const PolicyCase& what)
{
    CheckMisled(what);
    CheckWholeWays(what);
    for (const PolicyContext::Feature& feature : what.around.features)
    {
        if (!feature.effects.moves)
        {
            continue;
        }
        if (what.selector->GetMaxPaths() > 1 || what.selector->GetRouteNeeds().spanningTrees)
        {
            Refuse(feature,
                   what.selectorType,
                   FabricRemedy::Use(FabricTerm::Class("ns3::SymmetricEcmpPathSelector")));
        }
        if (what.maxPaths > 1 || what.balancer->MovesFlows())
        {
            Refuse(feature,
                   what.balancerType,
                   FabricRemedy::Use(FabricTerm::Class("ns3::PerFlowLoadBalancer")));
        }
        for (const PolicyContext::Feature& other : what.around.features)
        {
            if (other.effects.paths > 1)
            {
                Refuse(feature, other.type, FabricRemedy::Do("leave one of them out"));
            }
        }
    }
}

} // namespace ns3
