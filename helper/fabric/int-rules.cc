// SPDX-License-Identifier: GPL-2.0-only
#include "policy-rules.h"

#include "ns3/fabric-error.h"

#include <algorithm>
#include <string>

namespace ns3
{

namespace
{

/// @return what does without INT
FabricText
WithoutInt()
{
    return FabricTerm::Any("ns3::CongestionControl", "a", "congestion control") + " without INT";
}

/// Refuse a control whose records need not be of the way of its data, beside what moves flows.
void
CheckSeesMoves(const PolicyCase& what, TypeId mover, const FabricRemedy& instead)
{
    if (what.readsInt && !what.needs.seesMoves)
    {
        throw FabricError(FabricTerm::Class(what.control),
                          " reads INT records of one path, taken where answers pass, but " +
                              FabricTerm::Class(mover) + " moves flows to other paths",
                          {FabricRemedy::Use(FabricTerm::Class("ns3::HpccCongestionControl") +
                                             ", whose records are taken where data passes"),
                           FabricRemedy::Use(WithoutInt()),
                           instead});
    }
}

/// @return true if a control names a switch feature, or a base of it, among what it needs
bool
NeedsFeature(const CongestionControlNeeds& needs, TypeId feature)
{
    const auto& features = needs.features;
    return std::any_of(features.begin(), features.end(), [feature](const auto& need) {
        const TypeId type = TypeId::LookupByName(need.type);
        return feature == type || feature.IsChildOf(type);
    });
}

} // namespace

void
CheckIntRules(const PolicyCase& what)
{
    for (const auto& [tid, effects] : what.around.features)
    {
        if (effects.answerInt && what.needs.dataInt)
        {
            throw FabricError(FabricTerm::Class(what.control),
                              " reads the INT of data packets that ACKs bring back, but " +
                                  FabricTerm::Class(tid) + " adds INT of its own to ACKs",
                              {FabricRemedy::Do("leave out " + FabricTerm::Class(tid))});
        }
        if (effects.dataInt && what.needs.dataInt && !NeedsFeature(what.needs, tid))
        {
            throw FabricError(FabricTerm::Class(what.control),
                              " reads other INT of data packets than what " +
                                  FabricTerm::Class(tid) + " writes into them",
                              {FabricRemedy::Do("leave out " + FabricTerm::Class(tid))});
        }
        if (effects.paths > 1 && what.readsInt)
        {
            throw FabricError(FabricTerm::Class(what.control),
                              " compares INT records of one path, but " + FabricTerm::Class(tid) +
                                  " moves flows from path to path",
                              {FabricRemedy::Do("leave out " + FabricTerm::Class(tid)),
                               FabricRemedy::Use(WithoutInt())});
        }
        if (effects.moves)
        {
            CheckSeesMoves(what, tid, FabricRemedy::Do("leave out " + FabricTerm::Class(tid)));
        }
    }
    if (what.balancer->MovesFlows())
    {
        CheckSeesMoves(what,
                       what.balancerType,
                       FabricRemedy::Use(FabricTerm::Class("ns3::PerFlowLoadBalancer")));
    }
    if (!what.readsInt)
    {
        return;
    }
    if (what.maxPaths > PathInfo::MAX_PATH_SET)
    {
        throw FabricError(FabricTerm::Class(what.control),
                          " compares INT records of one path, but " +
                              FabricTerm::Class(what.balancerType) + " sprays packets over " +
                              (what.maxPaths == UINT32_MAX ? "all" : std::to_string(what.maxPaths)),
                          {FabricRemedy::Use(FabricTerm::Class("ns3::PerFlowLoadBalancer")),
                           FabricRemedy::Use(WithoutInt()),
                           FabricRemedy::Use(FabricTerm::Class("ns3::RoundRobinSprayLoadBalancer") +
                                             " with Entropies of at most " +
                                             std::to_string(PathInfo::MAX_PATH_SET))});
    }
    if (what.selector->GetMaxPaths() > 1)
    {
        throw FabricError(FabricTerm::Class(what.control),
                          " compares INT records of one path, but " +
                              FabricTerm::Class(what.selectorType) +
                              " moves flows from path to path",
                          {FabricRemedy::Use(FabricTerm::Class("ns3::SymmetricEcmpPathSelector")),
                           FabricRemedy::Use(WithoutInt())});
    }
    if (what.needs.symmetricPaths && !what.selector->IsSymmetric())
    {
        throw FabricError(FabricTerm::Class(what.control),
                          " needs data and ACK on the same links, but " +
                              FabricTerm::Class(what.selectorType) +
                              " chooses paths for the two directions independently",
                          {FabricRemedy::Use(FabricTerm::Class("ns3::SymmetricEcmpPathSelector")),
                           FabricRemedy::Use(FabricTerm::Class("ns3::SpanningTreePathSelector"))});
    }
    if (what.around.maxSwitches > FabricPacketItem::MAX_HOPS)
    {
        throw FabricError(FabricTerm::Class(what.control),
                          " reads INT of at most " + std::to_string(FabricPacketItem::MAX_HOPS) +
                              " switches, but some paths of this topology cross " +
                              std::to_string(what.around.maxSwitches),
                          {FabricRemedy::Use(WithoutInt())});
    }
}

} // namespace ns3
