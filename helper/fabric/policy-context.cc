// SPDX-License-Identifier: GPL-2.0-only
#include "policy-context.h"

#include "checked-factory.h"
#include "fabric.h"

#include "ns3/boolean.h"
#include "ns3/congestion-aware-queue-disc.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-warning.h"
#include "ns3/marking-profile.h"
#include "ns3/path-selector.h"

#include <algorithm>
#include <locale>
#include <sstream>
#include <string>
#include <vector>

namespace ns3
{

namespace
{

/// @return true if two factories make the same
bool
AreAlike(const ObjectFactory& a, const ObjectFactory& b)
{
    std::ostringstream texts[2];
    texts[0] << a;
    texts[1] << b;
    return texts[0].str() == texts[1].str();
}

/// @return class of the switches' path selector, empty if there is no switch
std::string
GetSelectorName(const Fabric& fabric)
{
    for (uint32_t node = 0; node < fabric.GetGraph().GetNNodes(); ++node)
    {
        if (!fabric.GetGraph().IsHost(node))
        {
            return fabric.GetSwitch(node)->GetPathSelector()->GetInstanceTypeId().GetName();
        }
    }
    return {};
}

/// Refuse others that choose paths beside a feature that moves flows.
void
CheckMoves(const PolicyContext::Feature& feature,
           const PdcPolicy& policy,
           const PolicyContext& around)
{
    if (!feature.effects.moves)
    {
        return;
    }
    const std::string name = feature.type.GetName();
    const std::string stay =
        feature.effects.stay ? std::string(", or set ") + feature.effects.stay : "";
    const auto refuse = [&name, &stay](const std::string& other, const std::string& instead) {
        throw FabricError(name + " moves flows to paths where it finds room, but " + other +
                          " chooses paths by rules of its own; " + instead + stay);
    };
    const Ptr<PathSelector> selector = around.pathSelector.Create<PathSelector>();
    if (selector->GetMaxPaths() > 1 || selector->GetRouteNeeds().spanningTrees)
    {
        refuse(around.pathSelector.GetTypeId().GetName(), "use ns3::SymmetricEcmpPathSelector");
    }
    const Ptr<LoadBalancer> balancer = policy.loadBalancer.Create<LoadBalancer>();
    if (balancer->GetMaxPaths() > 1 || balancer->MovesFlows())
    {
        refuse(policy.loadBalancer.GetTypeId().GetName(), "use ns3::PerFlowLoadBalancer");
    }
    for (const PolicyContext::Feature& other : around.features)
    {
        if (other.effects.paths > 1)
        {
            refuse(other.type.GetName(), "leave one of them out");
        }
    }
}

/// Refuse a control that takes the records of two paths for those of one, beside what moves flows.
void
CheckSeesMoves(const std::string& ccName,
               const CongestionControlNeeds& needs,
               const std::string& mover,
               const std::string& instead)
{
    if ((needs.dataInt || needs.ackInt) && !needs.seesMoves)
    {
        throw FabricError(ccName +
                          " compares INT records of one path, which do not say whose they are, "
                          "but " +
                          mover +
                          " moves flows to other paths; use ns3::HpccCongestionControl, whose "
                          "records do, a congestion control without INT, or " +
                          instead);
    }
}

/// @return a time in words @param timePs it
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
CheckFeatures(const std::string& name,
              const CongestionControlNeeds& needs,
              const PolicyContext& around)
{
    for (const CongestionControlNeeds::Feature& need : needs.features)
    {
        const TypeId type = TypeId::LookupByName(need.type);
        if (need.lack && !around.Has(type))
        {
            throw FabricError(name + " needs " + need.lack + " have no " + need.type +
                              "; add it with AddSwitchFeature()");
        }
        for (const auto& [tid, effects] : around.features)
        {
            if ((tid == type || tid.IsChildOf(type)) && need.forget && effects.repeat &&
                effects.repeatPs >= need.forgetPs)
            {
                throw FabricError(
                    name + " forgets what switches said " + InMicroseconds(need.forgetPs) +
                    " ago, but they repeat it after " + InMicroseconds(effects.repeatPs) +
                    "; set " + need.forget + " above " + effects.repeat);
            }
        }
    }
}

} // namespace

void
DefaultedPolicies::Complete(const DeclaredDefaults& defaults)
{
    const std::string repair = defaults.FindClass("ns3::ReliabilityPolicy");
    if (!choseReliability && !repair.empty() && !IsAnyAttributeChosen(reliability))
    {
        reliability = MakeCheckedFactory("reliability", "ns3::ReliabilityPolicy", repair);
    }
    defaults.Apply(reliability);
    const std::string profile = defaults.FindClass("ns3::MarkingProfile");
    if (!choseMarking && canMark && !profile.empty())
    {
        markingProfile = MakeCheckedFactory("marking profile", "ns3::MarkingProfile", profile);
        marks = true;
    }
    if (marks)
    {
        marking = MakePortMarking(markingProfile);
        defaults.Apply(marking.profile);
        markingProfile = marking.profile;
    }
}

DeclaredDefaults
ListPdcDefaults(const PdcPolicy& policy, const PolicyNetwork& network)
{
    DeclaredDefaults defaults;
    defaults.Add(policy.congestionControl.GetTypeId(),
                 policy.congestionControl.Create<CongestionControl>()->ListDefaults(network));
    for (const ObjectFactory& modifier : policy.modifiers)
    {
        defaults.Add(modifier.GetTypeId(),
                     modifier.Create<CongestionModifier>()->ListDefaults(network));
    }
    defaults.Add(policy.loadBalancer.GetTypeId(),
                 policy.loadBalancer.Create<LoadBalancer>()->ListDefaults(network));
    return defaults;
}

PolicyContext
JoinPdcDefaults(const PdcPolicy& policy, const PolicyContext& around)
{
    PolicyContext joined = around;
    joined.defaults.Add(ListPdcDefaults(policy, around.network));
    const std::vector<std::string> known = around.defaults.ListAttributes();
    for (const std::string& name : joined.defaults.ListAttributes())
    {
        const TypeId tid = TypeId::LookupByName(name.substr(0, name.rfind("::")));
        if (!tid.IsChildOf(ReliabilityPolicy::GetTypeId()) &&
            !tid.IsChildOf(MarkingProfile::GetTypeId()) &&
            std::find(known.begin(), known.end(), name) == known.end())
        {
            throw FabricError(policy.congestionControl.GetTypeId().GetName() + ", " +
                              policy.loadBalancer.GetTypeId().GetName() +
                              " or a modifier declares " + name +
                              ", which a network has from the start; name the policy to "
                              "FabricHelper::Expect() before Install()");
        }
    }
    DefaultedPolicies complete = around.given;
    complete.Complete(joined.defaults);
    joined.reliability = complete.reliability;
    joined.marks = complete.marks;
    joined.marking = complete.marking;
    return joined;
}

void
InstallPdcDefaults(const Fabric& fabric, const PolicyContext& around)
{
    const PolicyContext& before = fabric.GetPolicyContext();
    if (!AreAlike(around.reliability, before.reliability))
    {
        for (const uint32_t host : fabric.GetHosts())
        {
            fabric.GetNic(host)->reliability = around.reliability.Create<ReliabilityPolicy>();
        }
    }
    if (around.marks && !(before.marks && AreAlike(around.marking.profile, before.marking.profile)))
    {
        InstallPortMarking(fabric, around.marking);
    }
}

CongestionControlNeeds
GetPdcNeeds(const PdcPolicy& policy)
{
    CongestionControlNeeds needs = policy.congestionControl.Create<CongestionControl>()->GetNeeds();
    for (const ObjectFactory& modifier : policy.modifiers)
    {
        needs.Add(modifier.Create<CongestionModifier>()->GetNeeds());
    }
    return needs;
}

void
CheckPdcPolicy(const PdcPolicy& policy, const PolicyContext& around)
{
    const std::string ccName = policy.congestionControl.GetTypeId().GetName();
    const CongestionControlNeeds needs = GetPdcNeeds(policy);
    const Ptr<LoadBalancer> balancer = policy.loadBalancer.Create<LoadBalancer>();
    const uint32_t maxPaths = balancer->GetMaxPaths();
    const Ptr<PathSelector> selector = around.pathSelector.Create<PathSelector>();
    const bool acceptsOutOfOrder =
        around.reliability.Create<ReliabilityPolicy>()->AcceptsOutOfOrder();
    CheckFeatures(ccName, policy.congestionControl.Create<CongestionControl>()->GetNeeds(), around);
    for (const ObjectFactory& modifier : policy.modifiers)
    {
        CheckFeatures(modifier.GetTypeId().GetName(),
                      modifier.Create<CongestionModifier>()->GetNeeds(),
                      around);
    }
    for (const auto& [tid, effects] : around.features)
    {
        if (effects.answerInt && needs.dataInt)
        {
            throw FabricError(ccName + " reads the INT of data packets that ACKs bring back, but " +
                              tid.GetName() + " adds INT of its own to ACKs; leave it out");
        }
        if (effects.paths > 1 && (needs.dataInt || needs.ackInt))
        {
            throw FabricError(ccName + " compares INT records of one path, but " + tid.GetName() +
                              " moves flows from path to path; leave it out, or use a congestion "
                              "control without INT");
        }
        if (effects.moves)
        {
            CheckSeesMoves(ccName, needs, tid.GetName(), "leave it out");
        }
        CheckMoves({tid, effects}, policy, around);
        if (!effects.keepsOrder && !acceptsOutOfOrder)
        {
            throw FabricError(
                around.reliability.GetTypeId().GetName() + " accepts packets only in order, but " +
                tid.GetName() +
                " spreads a flow over several paths; use ns3::SelectiveRepeat, or leave it out");
        }
    }
    if (balancer->MovesFlows())
    {
        CheckSeesMoves(ccName,
                       needs,
                       policy.loadBalancer.GetTypeId().GetName(),
                       "ns3::PerFlowLoadBalancer");
    }
    if ((needs.dataInt || needs.ackInt) && maxPaths > PathInfo::MAX_PATH_SET)
    {
        throw FabricError(ccName + " compares INT records of one path, but " +
                          policy.loadBalancer.GetTypeId().GetName() + " sprays packets over " +
                          (maxPaths == UINT32_MAX ? "all" : std::to_string(maxPaths)) +
                          "; use ns3::PerFlowLoadBalancer, a congestion control without INT, or, "
                          "with Entropies of at most " +
                          std::to_string(PathInfo::MAX_PATH_SET) +
                          ", ns3::RoundRobinSprayLoadBalancer");
    }
    if ((needs.dataInt || needs.ackInt) && selector->GetMaxPaths() > 1)
    {
        throw FabricError(
            ccName + " compares INT records of one path, but " +
            around.pathSelector.GetTypeId().GetName() +
            " moves flows from path to path; use ns3::SymmetricEcmpPathSelector, or a "
            "congestion control without INT");
    }
    if (needs.symmetricPaths && !selector->IsSymmetric())
    {
        throw FabricError(ccName + " needs data and ACK on the same links, but " +
                          around.pathSelector.GetTypeId().GetName() +
                          " chooses paths for the two directions independently; use "
                          "ns3::SymmetricEcmpPathSelector or ns3::SpanningTreePathSelector");
    }
    if ((maxPaths > 1 || balancer->MovesFlows()) && !acceptsOutOfOrder)
    {
        throw FabricError(around.reliability.GetTypeId().GetName() +
                          " accepts packets only in order, but " +
                          policy.loadBalancer.GetTypeId().GetName() +
                          (maxPaths > 1 ? " spreads a message over several paths"
                                        : " moves a message to another path") +
                          "; use ns3::SelectiveRepeat or ns3::PerFlowLoadBalancer");
    }
    for (const ObjectFactory& modifier : policy.modifiers)
    {
        if (modifier.Create<CongestionModifier>()->NeedsEachAck() && around.ackEvery > 1)
        {
            throw FabricError(modifier.GetTypeId().GetName() +
                              " counts congested paths, but with ns3::FabricNic::AckEvery of " +
                              std::to_string(around.ackEvery) +
                              " an ACK covers several packets but names the path of only one; set "
                              "AckEvery to 1, or use ns3::EwmaGateModifier");
        }
        if (modifier.Create<CongestionModifier>()->NeedsPathSet() &&
            (maxPaths < 2 || maxPaths > PathInfo::MAX_PATH_SET))
        {
            throw FabricError(modifier.GetTypeId().GetName() +
                              " counts congested paths of a small set, but " +
                              policy.loadBalancer.GetTypeId().GetName() + " sends packets over " +
                              (maxPaths == 1            ? "one path"
                               : maxPaths == UINT32_MAX ? "any number of paths"
                                                        : std::to_string(maxPaths) + " paths") +
                              "; use ns3::RoundRobinSprayLoadBalancer with Entropies of 8, or "
                              "ns3::EwmaGateModifier");
        }
    }
    if (needs.dataInt || needs.ackInt)
    {
        const uint32_t hops = around.maxSwitches;
        if (hops > FabricPacketItem::MAX_HOPS)
        {
            throw FabricError(
                ccName + " reads INT of at most " + std::to_string(FabricPacketItem::MAX_HOPS) +
                " switches, but some paths of this topology cross " + std::to_string(hops));
        }
    }
    if (needs.ecn && !around.marks && !around.MarksByDraws() &&
        !DynamicCast<CongestionAwareQueueDisc>(around.queueDisc.Create<QueueDisc>()))
    {
        throw FabricError(
            ccName + " needs ECN marks by a marking profile, but " +
            around.queueDisc.GetTypeId().GetName() +
            " marks by its own rules or not at all; use ns3::CongestionAwareQueueDisc with a "
            "marking profile, or a congestion control without marks");
    }
    if (needs.ecn && !around.marks && !around.MarksByDraws())
    {
        throw FabricError(ccName +
                          " needs ECN marks, but the switches have no marking profile; set "
                          "one with SetMarkingProfile(\"ns3::WredMarkingProfile\"), or add "
                          "ns3::WrebFeature");
    }
}

void
CheckPdcPaths(const PdcPolicy& policy, const Fabric& fabric)
{
    if (!GetPdcNeeds(policy).symmetricPaths)
    {
        return;
    }
    // one host behind each set of last-hop switches, a few entropies: a topology that is not
    // symmetric shows it soon
    std::vector<uint32_t> probes;
    uint32_t lastClass = UINT32_MAX;
    for (const uint32_t host : fabric.GetHosts())
    {
        const uint32_t cls = fabric.GetRouting().GetClasses()->classOf[host];
        if (cls != lastClass)
        {
            probes.push_back(host);
            lastClass = cls;
        }
    }
    constexpr std::size_t MAX_PAIRS = 4096;
    const std::size_t nPairs = probes.size() * probes.size();
    const std::size_t step = std::max<std::size_t>(1, nPairs / MAX_PAIRS | 1);
    for (std::size_t pair = 0; pair < nPairs; pair += step)
    {
        const uint32_t src = probes[pair / probes.size()];
        const uint32_t dst = probes[pair % probes.size()];
        for (uint16_t entropy = 0; src != dst && entropy < 4; ++entropy)
        {
            if (!fabric.IsPathSymmetric(src, dst, entropy))
            {
                const std::string selector = GetSelectorName(fabric);
                const std::string symmetric = "ns3::SymmetricEcmpPathSelector";
                const std::string trees = "ns3::SpanningTreePathSelector";
                throw FabricError(policy.congestionControl.GetTypeId().GetName() +
                                  " needs data and ACK on the same links, but on this topology "
                                  "those from host " +
                                  std::to_string(src) + " to host " + std::to_string(dst) +
                                  " differ under " + selector + "; use a symmetric topology, " +
                                  (selector == trees ? symmetric : trees) +
                                  " or another congestion control");
            }
        }
    }
}

void
WarnOfPdcPolicy(const PdcPolicy& policy, const Fabric& fabric)
{
    PathInfo farthest;
    farthest.pairRttPs = fabric.GetMaxBaseRttPs();
    farthest.switches = fabric.GetRouting().GetMaxSwitches();
    const std::string misfit =
        policy.congestionControl.Create<CongestionControl>()->FindMisfit(farthest);
    if (!misfit.empty())
    {
        WarnFabric(misfit);
    }
}

void
ConfigureSender(const Fabric& fabric, uint32_t node, const CongestionControlNeeds& needs)
{
    const PolicyContext& around = fabric.GetPolicyContext();
    const Ptr<FabricNic> nic = fabric.GetNic(node);
    nic->marksAreDraws = around.MarksByDraws();
    nic->isLossless = around.lossless;
    nic->switchesMove =
        around.HasFeature([](const auto& feature) { return feature.effects.moves; });
    if (needs.pathSwitches)
    {
        const Ptr<const Fabric> plan(&fabric); // until the NIC is disposed of
        nic->switchesTo = [plan, node](uint32_t dst) {
            return plan->GetRouting().GetSwitches(node, dst);
        };
    }
    if (needs.markDelay)
    {
        const Ptr<const Fabric> plan(&fabric);
        nic->markPs = [plan]() { return plan->GetMarkPs(); };
    }
}

void
ConfigureReceiver(const Fabric& fabric, uint32_t node, const CongestionControlNeeds& needs)
{
    const Ptr<FabricNic> nic = fabric.GetNic(node);
    if (needs.endpointDelay)
    {
        nic->SetAttribute("EchoDelay", BooleanValue(true));
    }
    if (needs.cnpIntervalPs >= 0)
    {
        nic->SetAttribute("CnpInterval", TimeValue(FabricTime::FromPs(needs.cnpIntervalPs)));
    }
}

} // namespace ns3
