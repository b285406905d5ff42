// SPDX-License-Identifier: GPL-2.0-only
#include "policy-context.h"

#include "checked-factory.h"
#include "fabric.h"

#include "ns3/boolean.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-warning.h"
#include "ns3/marking-profile.h"
#include "ns3/spanning-tree-path-selector.h"

#include <algorithm>
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

/// @return class of the switches' path selector; there is one where paths can differ
TypeId
GetSelectorType(const Fabric& fabric)
{
    uint32_t node = 0;
    while (fabric.GetGraph().IsHost(node))
    {
        ++node;
    }
    return fabric.GetSwitch(node)->GetPathSelector()->GetInstanceTypeId();
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
            throw FabricError(
                FabricTerm::Class(policy.congestionControl.GetTypeId()),
                ", " + FabricTerm::Class(policy.loadBalancer.GetTypeId()) +
                    " or a modifier declares " + name + ", which a network has from the start",
                {FabricRemedy::Do("name the policy to FabricHelper::Expect() before Install()")});
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
                const TypeId selector = GetSelectorType(fabric);
                const std::string other = selector == SpanningTreePathSelector::GetTypeId()
                                              ? "ns3::SymmetricEcmpPathSelector"
                                              : "ns3::SpanningTreePathSelector";
                throw FabricError(
                    FabricTerm::Class(policy.congestionControl.GetTypeId()),
                    " needs data and ACK on the same links, but on this topology those from host " +
                        std::to_string(src) + " to host " + std::to_string(dst) + " differ under " +
                        FabricTerm::Class(selector),
                    {FabricRemedy::Use("a symmetric topology"),
                     FabricRemedy::Use(FabricTerm::Class(other)),
                     FabricRemedy::Use(FabricTerm::Any("ns3::CongestionControl",
                                                       "another",
                                                       "congestion control"))});
            }
        }
    }
}

void
WarnOfPdcPolicy(const PdcPolicy& policy, const Fabric& fabric)
{
    const PolicyContext& around = fabric.GetPolicyContext();
    PathInfo farthest;
    farthest.lineRateBps = around.network.rateBps;
    farthest.baseRttPs = fabric.GetMaxBaseRttPs();
    farthest.pairRttPs = farthest.baseRttPs;
    farthest.packetBytes = around.packetBytes;
    farthest.trims = around.trims;
    farthest.switches = fabric.GetRouting().GetMaxSwitches();
    const FabricText misfit =
        policy.congestionControl.Create<CongestionControl>()->FindMisfit(farthest);
    if (!misfit.IsEmpty())
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
    nic->trims = around.trims;
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
    if (!needs.receiver.empty())
    {
        nic->GetReceiverGrants().Use(TypeId::LookupByName(needs.receiver));
    }
    if (needs.cnpIntervalPs >= 0)
    {
        nic->SetAttribute("CnpInterval", TimeValue(FabricTime::FromPs(needs.cnpIntervalPs)));
    }
}

} // namespace ns3
