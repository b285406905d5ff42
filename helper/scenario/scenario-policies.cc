// SPDX-License-Identifier: GPL-2.0-only
#include "scenario-policies.h"

#include "scenario-classes.h"

#include "ns3/attribute-text.h"
#include "ns3/closed-wings.h"
#include "ns3/congestion-control.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-spec.h"
#include "ns3/load-balancer.h"
#include "ns3/object-factory.h"
#include "ns3/parse-units.h"
#include "ns3/path-selector.h"
#include "ns3/pointer.h"
#include "ns3/type-id.h"

#include <algorithm>
#include <deque>

namespace ns3
{

namespace
{

/// Note the classes of the objects that attributes of a class, and of those, hold by default.
void
UseParts(const Ptr<Object>& object, std::vector<TypeId>& used)
{
    for (TypeId tid = object->GetInstanceTypeId(); tid != Object::GetTypeId();
         tid = tid.GetParent())
    {
        for (std::size_t i = 0; i < tid.GetAttributeN(); ++i)
        {
            TypeIdValue type;
            if (object->GetAttributeFailSafe(tid.GetAttribute(i).name, type))
            {
                used.push_back(type.Get());
            }
            PointerValue part;
            if (object->GetAttributeFailSafe(tid.GetAttribute(i).name, part) && part.GetObject())
            {
                used.push_back(part.GetObject()->GetInstanceTypeId());
                UseParts(part.GetObject(), used);
            }
        }
    }
}

/// A policy that is chosen by its class, and its name, which it points to.
struct NamedByClass
{
    std::string option;    //!< that chooses it
    std::string type;      //!< TypeId
    ScenarioPolicy policy; //!< it
};

/**
 * @param option that chooses it
 * @param type TypeId name of a class that has no name of its own, as one of a library of users
 * @return the policy
 * @throws FabricError if the option does not choose among such classes
 */
const ScenarioPolicy&
FindPolicyByClass(const std::string& option, const std::string& type)
{
    static std::deque<NamedByClass> found; // stay where they are
    for (const NamedByClass& one : found)
    {
        if (one.option == option && one.type == type)
        {
            return one.policy;
        }
    }
    const TypeId tid =
        FindClass(type,
                  FabricTerm::Option(option),
                  "; one of your own takes " + FabricTerm::Option("library", "FILE"));
    std::vector<std::string> bases;
    for (const ScenarioKind& kind : GetScenarioKinds())
    {
        if (kind.option == option && !*kind.value)
        {
            bases.emplace_back(kind.base);
        }
    }
    const bool fits = std::any_of(bases.begin(), bases.end(), [&tid](const std::string& base) {
        return tid.IsChildOf(TypeId::LookupByName(base));
    });
    if (!fits || !tid.HasConstructor())
    {
        throw FabricError(FabricTerm::Option(option, type) +
                          ": is no class that could be chosen; " +
                          (bases.empty() ? "the option takes names"
                                         : "it has to be made from " + JoinFabricNames(bases)));
    }
    found.push_back({option, type, {"", "", ""}});
    NamedByClass& one = found.back();
    one.policy.option = one.option.c_str();
    one.policy.name = one.type.c_str();
    one.policy.typeId = one.type.c_str();
    if (tid.IsChildOf(LoadBalancer::GetTypeId()))
    {
        one.policy.typeId = "ns3::EcmpPathSelector"; // by the entropies that hosts choose
        one.policy.loadBalancer = one.type;
    }
    return one.policy;
}

/// @return the policies of this table's first lines
std::vector<ScenarioPolicy>
ListFirstPolicies()
{
    return {
        {"cc", "hpcc", "ns3::HpccCongestionControl"},
        {"cc", "fncc", "ns3::FnccCongestionControl"},
        {"cc",
         "hpcc-rate",
         "ns3::HpccCongestionControl",
         "HPCC without a window, :doc:`schemes`",
         {{"ns3::IntWindowCongestionControl::HasWindow", "false"}}},
        {"cc",
         "hpcc-pint",
         "ns3::HpccPintCongestionControl",
         "HPCC by one byte of telemetry, :doc:`schemes`"},
        {"cc", "powertcp", "ns3::PowerTcpCongestionControl", ":doc:`schemes`"},
        {"cc",
         "theta-powertcp",
         "ns3::ThetaPowerTcpCongestionControl",
         "PowerTCP by RTTs alone, :doc:`schemes`"},
        {"cc", "dcqcn", "ns3::DcqcnCongestionControl"},
        {"cc",
         "dcqcn-plus",
         "ns3::DcqcnPlusCongestionControl",
         "DCQCN whose CNPs and timers go by the number of flows, :doc:`schemes`"},
        {"cc",
         "dcqcn+win",
         "ns3::DcqcnCongestionControl",
         "with a window, :doc:`schemes`",
         {{"ns3::DcqcnCongestionControl::HasWindow", "true"}}},
        {"cc", "rocc", "ns3::RoccCongestionControl", ":doc:`rocc`"},
        {"cc", "dctcp", "ns3::DctcpCongestionControl"},
        {"cc", "timely", "ns3::TimelyCongestionControl"},
        {"cc",
         "timely+win",
         "ns3::TimelyCongestionControl",
         "with a window, :doc:`schemes`",
         {{"ns3::TimelyCongestionControl::HasWindow", "true"}}},
        {"cc", "swift", "ns3::SwiftCongestionControl"},
        {"cc",
         "falcon",
         "ns3::FalconCongestionControl",
         "delay windows of Falcon, with ``--lb=plb``, :doc:`schemes`"},
        {"cc",
         "mprdma",
         "ns3::MprdmaCongestionControl",
         "window of MP-RDMA, best with ``--lb=reps``, :doc:`schemes`"},
        {"cc", "nscc", "ns3::NsccCongestionControl", "of Ultra Ethernet, :doc:`uet`"},
        {"cc",
         "bolt",
         "ns3::BoltCongestionControl",
         "switches tell of queues at once and grant increases, :doc:`schemes`"},
        {"cc", "ib", "ns3::IbCongestionControl", "FECN and BECN of InfiniBand, :doc:`schemes`"},
        {"cc", "bts", "ns3::BtsCongestionControl", "driven by back-to-sender notifications"},
        {"cc",
         "rccc",
         "ns3::RcccCongestionControl",
         "credit from receivers as in Ultra Ethernet, :doc:`uet`"},
        {"cc",
         "nscc+rccc",
         "ns3::NsccRcccCongestionControl",
         "both of Ultra Ethernet: the smaller window holds"},
        {"cc", "swift+rccc", "ns3::SwiftRcccCongestionControl", "both: the smaller window holds"},
        {"cc", "ndp", "ns3::NdpCongestionControl", "receivers pull packets, :doc:`uet`"},
        {"cc",
         "homa",
         "ns3::HomaCongestionControl",
         "receivers grant what is shortest, :doc:`uet`"},
        {"cc", "none", "ns3::NoCongestionControl", "line rate"},
        {"cc",
         "external",
         "ns3::ExternalCongestionControl",
         "decided by another process, as by the Python package"},
        {"cc",
         "external-int",
         "ns3::ExternalCongestionControl",
         "the same with INT on data packets",
         {{"ns3::ExternalCongestionControl::DataInt", "true"}}},
        {"cc",
         "external-ack-int",
         "ns3::ExternalCongestionControl",
         "with INT on ACKs",
         {{"ns3::ExternalCongestionControl::AckInt", "true"}}},
        {"lb", "symmetric-ecmp", "ns3::SymmetricEcmpPathSelector"},
        {"lb", "ecmp", "ns3::EcmpPathSelector"},
        {"lb",
         "weighted-ecmp",
         "ns3::WeightedEcmpPathSelector",
         "ECMP by the capacity of ways, also of what failures leave, :doc:`schemes`"},
        {"lb",
         "spanning-trees",
         "ns3::SpanningTreePathSelector",
         "a tree for each flow, one for each core or spine"},
        {"lb",
         "spray-random",
         "ns3::EcmpPathSelector",
         "a random entropy for each packet",
         {},
         "ns3::RandomSprayLoadBalancer"},
        {"lb",
         "spray-rr",
         "ns3::EcmpPathSelector",
         "the next entropy for each packet",
         {},
         "ns3::RoundRobinSprayLoadBalancer"},
        {"lb",
         "reps",
         "ns3::EcmpPathSelector",
         "recycled entropies: those that met no congestion are reused, :doc:`reps`",
         {},
         "ns3::RepsLoadBalancer"},
        {"lb",
         "reps-ring",
         "ns3::EcmpPathSelector",
         "REPS with a small ring that is frozen when a path fails, :doc:`uet`",
         {},
         "ns3::RingRepsLoadBalancer"},
        {"lb",
         "oblivious",
         "ns3::EcmpPathSelector",
         "packets sprayed over a set of entropies, each once in a round, :doc:`uet`",
         {},
         "ns3::ObliviousSprayLoadBalancer"},
        {"lb",
         "bitmap",
         "ns3::EcmpPathSelector",
         "the same, without those that met congestion, :doc:`uet`",
         {},
         "ns3::BitmapSprayLoadBalancer"},
        {"lb",
         "mixed",
         "ns3::EcmpPathSelector",
         "recycled entropies, and those of ``bitmap`` where there are none, :doc:`uet`",
         {{"ns3::RepsLoadBalancer::Fresh", "ns3::BitmapSprayLoadBalancer"}},
         "ns3::RepsLoadBalancer"},
        {"lb",
         "mrc",
         "ns3::EcmpPathSelector",
         "entropies with states: good, skip, assumed bad, denied, :doc:`uet`",
         {},
         "ns3::MrcLoadBalancer"},
        {"lb",
         "plb",
         "ns3::EcmpPathSelector",
         "a flow takes another entropy when marks last, :doc:`reps`",
         {},
         "ns3::PlbLoadBalancer"},
        {"lb",
         "falcon",
         "ns3::EcmpPathSelector",
         "four paths in turn, each left for another one when it is slow, :doc:`schemes`",
         {},
         "ns3::FalconLoadBalancer"},
        {"lb",
         "path-set",
         "ns3::SymmetricEcmpPathSelector",
         "packets sprayed round robin over a few entropies",
         {{"ns3::RoundRobinSprayLoadBalancer::Entropies", "8"}},
         "ns3::RoundRobinSprayLoadBalancer",
         "paths",
         65535},
        {"lb",
         "flowlet",
         "ns3::FlowletPathSelector",
         "flowlet switching: a flow may change its path after a pause"},
        {"lb",
         "adaptive",
         "ns3::AdaptivePathSelector",
         "adaptive routing: each packet takes the port with the shortest queue"},
        {"lb",
         "drill",
         "ns3::DrillPathSelector",
         "each packet takes the best of two ports and the best one before, :doc:`schemes`"},
        {"lb",
         "conga",
         "ns3::CongaPathSelector",
         "each flowlet takes the way that is least congested from end to end, :doc:`schemes`"},
        {"lb",
         "conweave",
         "ns3::ConweavePathSelector",
         "a flow leaves a way that is slow, and is put in order again, :doc:`schemes`"},
        {"lb",
         "hermes",
         "ns3::HermesPathSelector",
         "a flow leaves a way only if much is gained, ways are probed, :doc:`schemes`"},
        {"routing", "shortest", "ns3::ShortestPathRouting", "all ways with the fewest hops"},
        {"flow-control", "pfc", "ns3::PriorityFlowControl"},
        {"flow-control", "credit", "ns3::CreditFlowControl"},
        {"flow-control", "voq-credit", "ns3::VoqCreditFlowControl", "with ``--switch=voq``"},
        {"flow-control",
         "cbfc",
         "ns3::CreditFlowControl",
         "credits as those of Ultra Ethernet: 20 B more for each packet, ordered sets, :doc:`uet`",
         {{"ns3::CreditFlowControl::UnitOverhead", "20"},
          {"ns3::CreditFlowControl::OrderedSets", "true"}}},
        {"flow-control", "none", "none"},
        {"link-retry", "none", "none"},
        {"link-retry", "llr", "ns3::LinkRetry", "as in Ultra Ethernet, :doc:`uet`"},
        {"features",
         "wreb",
         "ns3::WrebFeature",
         "back-to-sender notification, :doc:`wreb`; implied by ``--cc=bts``"},
        {"features",
         "fecn",
         "ns3::FecnFeature",
         "marks as the switches of InfiniBand set them, :doc:`schemes`; implied by ``--cc=ib``"},
        {"features",
         "pfc-watchdog",
         "ns3::PfcWatchdogFeature",
         "a class that is paused for too long is dropped, :doc:`faults`; with "
         "``--flow-control=pfc``"},
        {"features",
         "shield",
         "ns3::ShieldFeature",
         "a switch that has lost its last port to a host tells its neighbors, :doc:`schemes`"},
        {"trimming", "none", "none"},
        {"trimming",
         "headers",
         "ns3::PacketTrimmer",
         "its headers go on to the receiver, :doc:`uet`; with ``--flow-control=none``"},
        {"throttle", "none", "none"},
        {"switch", "shared-buffer", "ns3::SharedBuffer", "output-queued"},
        {"switch",
         "abm",
         "ns3::SharedBuffer",
         "the same, thresholds of active buffer management, :doc:`schemes`",
         {{"ns3::SharedBuffer::Threshold", "ns3::AbmThreshold"}}},
        {"switch",
         "reverie",
         "ns3::SharedBuffer",
         "the same, thresholds of Reverie, :doc:`schemes`",
         {{"ns3::SharedBuffer::Threshold", "ns3::ReverieThreshold"}}},
        {"switch", "voq", "ns3::VoqBuffer", "virtual output queues (at inputs) and output queues"},
        {"reliability", "selective-repeat", "ns3::SelectiveRepeat"},
        {"reliability", "go-back-n", "ns3::GoBackN"},
        {"reliability",
         "rack",
         "ns3::RackRepeat",
         "selective repeat by time, for packets that overtake"},
        {"reliability",
         "sleek",
         "ns3::SleekRepeat",
         "selective repeat by the count of packets out of order, :doc:`uet`"},
        {"reliability",
         "irn",
         "ns3::IrnRepeat",
         "selective repeat of IRN: at most a BDP ahead, two time-outs, :doc:`schemes`"},
        {"reliability",
         "idempotent",
         "ns3::IdempotentRepeat",
         "at least once, without a context at receivers, :doc:`uet`"},
        {"reliability",
         "none",
         "ns3::NoRepeat",
         "datagrams: nothing is answered or sent again, :doc:`uet`; with ``--cc=none``"},
        {"wire-format", "roce", "ns3::RoceV2WireFormat", "RoCEv2"},
        {"wire-format", "hpcc-sim", "ns3::HpccSimWireFormat", "as in the public simulator of HPCC"},
        {"wire-format", "uet", "ns3::UetWireFormat", "Ultra Ethernet"},
        {"wire-format",
         "uet-htsim",
         "ns3::UetHtsimWireFormat",
         "as in the public simulator of Ultra Ethernet"},
        {"modifiers",
         "ratio-cut",
         "ns3::RatioCutModifier",
         "reductions are scaled by the sender's share of the link rate"},
        {"modifiers",
         "ewma-gate",
         "ns3::EwmaGateModifier",
         "cuts only while the connection's paths together are congested"},
        {"modifiers",
         "majority-gate",
         "ns3::MajorityGateModifier",
         "cuts only while a majority of the connection's paths is congested"},
        {"modifiers",
         "median-filter",
         "ns3::MedianFilterModifier",
         "the congestion control is told the median of the last signals"},
        {"modifiers",
         "rtt-ecn-recovery",
         "ns3::RttEcnRecoveryModifier",
         "doubles window and rate while neither marks nor RTTs show congestion"},
        {"coordination", "none", "none"},
    };
}

} // namespace

NamedTable<ScenarioPolicy>&
GetScenarioPolicyTable()
{
    static NamedTable<ScenarioPolicy> table(&ListFirstPolicies, [](const ScenarioPolicy& policy) {
        return std::string(policy.option) + "=" + policy.name;
    });
    return table;
}

const std::vector<ScenarioPolicy>&
GetScenarioPolicies()
{
    return GetScenarioPolicyTable().Get();
}

std::vector<std::string>
GetScenarioPolicyFeatures(const ScenarioPolicy& policy)
{
    std::vector<std::string> features;
    TypeId tid;
    CongestionControlNeeds needs;
    if (!TypeId::LookupByNameFailSafe(policy.typeId, &tid))
    {
        return features; // flow control can be "none"
    }
    if (tid.IsChildOf(CongestionControl::GetTypeId()))
    {
        needs = ObjectFactory(policy.typeId).Create<CongestionControl>()->GetNeeds();
    }
    else if (tid.IsChildOf(CongestionModifier::GetTypeId()))
    {
        needs = ObjectFactory(policy.typeId).Create<CongestionModifier>()->GetNeeds();
    }
    else if (tid.IsChildOf(PathSelector::GetTypeId()))
    {
        const char* feature =
            ObjectFactory(policy.typeId).Create<PathSelector>()->GetRouteNeeds().feature;
        return feature ? std::vector<std::string>{feature} : features;
    }
    for (const auto& feature : needs.features)
    {
        if (feature.lack)
        {
            features.emplace_back(feature.type);
        }
    }
    return features;
}

std::vector<ScenarioValue>
ListScenarioPolicies(const std::string& option)
{
    std::vector<ScenarioValue> values;
    for (const ScenarioPolicy& policy : GetScenarioPolicies())
    {
        if (policy.option == option)
        {
            values.push_back({policy.name,
                              policy.help,
                              std::string(policy.typeId) == "none" ? ""
                              : policy.loadBalancer.empty()        ? policy.typeId
                                                                   : policy.loadBalancer,
                              false,
                              policy.attributes});
            if (policy.key)
            {
                values.back().text +=
                    std::string(":") + policy.key + "=" + policy.attributes.front().second;
            }
        }
    }
    return values;
}

const ScenarioPolicy&
FindScenarioPolicy(const std::string& option, const std::string& value)
{
    const std::string name = value.substr(0, value.find(':'));
    std::vector<std::string> known;
    for (const auto& policy : GetScenarioPolicies())
    {
        if (policy.option == option)
        {
            if (policy.name == (policy.key ? name : value))
            {
                return policy;
            }
            known.emplace_back(policy.name);
        }
    }
    if (value.find("::") != std::string::npos)
    {
        for (const auto& policy : GetScenarioPolicies())
        {
            const bool isHosts = !policy.loadBalancer.empty();
            if (policy.option == option && value == (isHosts ? policy.loadBalancer : policy.typeId))
            {
                return policy;
            }
        }
        return FindPolicyByClass(option, value);
    }
    RefuseClosedWing(option + "=" + name, FabricTerm::Option(option, value));
    throw FabricError("unknown " + FabricTerm::Option(option) + " " + QuoteFabricText(value) +
                      "; " + ListFabricNames(name, known));
}

const ScenarioPolicy&
FindScenarioPolicyOf(const std::string& option, TypeId type)
{
    const auto& policies = GetScenarioPolicies();
    const auto found =
        std::find_if(policies.begin(), policies.end(), [&](const ScenarioPolicy& policy) {
            return policy.option == option && policy.typeId == type.GetName();
        });
    return found == policies.end() ? FindPolicyByClass(option, type.GetName()) : *found;
}

ScenarioPolicy::Attributes
GetScenarioPolicyAttributes(const ScenarioOptions& options,
                            const std::string& option,
                            const std::string& value)
{
    const ScenarioPolicy& policy = FindScenarioPolicy(option, value);
    auto attributes = policy.attributes;
    if (policy.key)
    {
        FabricSpec spec(value, option);
        spec.ExpectKeys({policy.key});
        if (spec.Has(policy.key))
        {
            auto& [name, text] = attributes.front();
            if (options.IsAttributeGiven(name))
            {
                throw FabricError(FabricTerm::Option(option, value) + " and " +
                                  FabricTerm::Option(name) + " name the same thing");
            }
            text = std::to_string(spec.GetUint(policy.key, 1, 1, policy.maxValue));
        }
    }
    return attributes;
}

std::string
GetScenarioLoadBalancer(const std::string& value)
{
    const std::string& chosen = FindScenarioPolicy("lb", value).loadBalancer;
    return chosen.empty() ? "ns3::PerFlowLoadBalancer" : chosen;
}

std::vector<std::string>
ListScenarioModifiers(const std::string& names)
{
    std::vector<std::string> modifiers;
    for (const std::string& name : SplitFabricList(names))
    {
        const std::string& type = FindScenarioPolicy("modifiers", name).typeId;
        if (std::count(modifiers.begin(), modifiers.end(), type) > 0)
        {
            throw FabricError(FabricTerm::Option("modifiers") + " names " + name +
                              " twice; a flow can have it only once");
        }
        modifiers.push_back(type);
    }
    return modifiers;
}

std::vector<std::string>
ListScenarioCoordination(const ScenarioOptions& options)
{
    const std::string type = FindScenarioPolicy("coordination", options.Get("coordination")).typeId;
    return type == "none" ? std::vector<std::string>() : std::vector<std::string>{type};
}

std::string
UseScenarioClass(const std::string& type, std::vector<TypeId>& used)
{
    ObjectFactory factory;
    factory.SetTypeId(type);
    used.push_back(factory.GetTypeId());
    UseParts(factory.Create<Object>(), used);
    return type;
}

} // namespace ns3
