// SPDX-License-Identifier: GPL-2.0-only
#include "sim-policies.h"

#include "ns3/attribute-text.h"
#include "ns3/congestion-control.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-spec.h"
#include "ns3/object-factory.h"
#include "ns3/parse-units.h"
#include "ns3/pointer.h"
#include "ns3/type-id.h"

#include <algorithm>
#include <iterator>

namespace ns3
{

namespace
{

constexpr SimKind KINDS[] = {
    {"Congestion control (--cc)", "ns3::CongestionControl"},
    {"Modifiers of congestion control (--modifiers)", "ns3::CongestionModifier"},
    {"Signals that gates average", "ns3::CongestionSignal"},
    {"Ratios of cuts", "ns3::CutRatio"},
    {"Load balancing at hosts (--lb)", "ns3::LoadBalancer"},
    {"Stores of recycled entropies (--lb=reps)", "ns3::EntropyStore"},
    {"Path selection at switches (--lb)", "ns3::PathSelector"},
    {"Routing (--routing)", "ns3::RoutingAlgorithm"},
    {"Link-level flow control (--flow-control)", "ns3::LinkFlowControl"},
    {"Switch memory (--switch)", "ns3::SwitchBuffer"},
    {"Arbiters of virtual output queues", "ns3::VoqArbiter"},
    {"Switch features (--features)", "ns3::SwitchFeature"},
    {"Back-to-sender notification (--features=wreb)", "ns3::BackToSenderNotifier"},
    {"Regional congestion mitigation (--features=rcm)", "ns3::RcmParameters"},
    {"Measures of congestion", "ns3::CongestionMeasure"},
    {"Timing profiles of notifications", "ns3::TimingProfile"},
    {"Throttles of NIC ports (--throttle)", "ns3::InjectionThrottle"},
    {"What tells throttles of congestion", "ns3::ThrottleDetector"},
    {"How throttles space flits", "ns3::FlitSpacer"},
    {"Reliability (--reliability)", "ns3::ReliabilityPolicy"},
    {"Message protocols for late receives (--messages)", "ns3::MessageProtocol"},
    {"Match table (--match-table)", "ns3::MatchTable"},
    {"Profiles of marks and notifications", "ns3::MarkingProfile"},
    {"Schedulers of classes", "ns3::ClassScheduler"},
    {"Queue disc of switch ports", "ns3::CongestionAwareQueueDisc"},
    {"Sizes on the wire", "ns3::WireFormat"},
    {"INT records", "ns3::IntFormat"},
    {"NIC", "ns3::FabricNic"},
    {"Port", "ns3::FabricNetDevice"},
    {"Topologies (--topology)", "ns3::FabricTopology"},
    {"Workloads (--workload)", "ns3::FabricWorkload"},
    {"Captures (--trace=pcap)", "ns3::PcapPorts"},
};

/// Print a class with all its attributes, inherited ones included.
void
ListType(std::ostream& out, TypeId tid)
{
    const std::string names = JoinFabricNames(ListSimNames(tid.GetName()));
    out << "  " << tid.GetName() << (names.empty() ? "" : "  (" + names + ")") << "\n";
    for (const auto& info : ListSimAttributes(tid))
    {
        out << "    --" << tid.GetName() << "::" << info.name << "=" << FormatAttributeDefault(info)
            << "\n"
            << "        " << info.help << "\n";
    }
}

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

} // namespace

const std::vector<SimPolicy>&
GetSimPolicies()
{
    static const std::vector<SimPolicy> policies = {
        {"cc", "hpcc", "ns3::HpccCongestionControl"},
        {"cc", "fncc", "ns3::FnccCongestionControl"},
        {"cc", "dcqcn", "ns3::DcqcnCongestionControl"},
        {"cc", "rocc", "ns3::RoccCongestionControl", ":doc:`rocc`"},
        {"cc", "dctcp", "ns3::DctcpCongestionControl"},
        {"cc", "timely", "ns3::TimelyCongestionControl"},
        {"cc", "swift", "ns3::SwiftCongestionControl"},
        {"cc", "bts", "ns3::BtsCongestionControl", "driven by back-to-sender notifications"},
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
         "plb",
         "ns3::EcmpPathSelector",
         "a flow takes another entropy when marks last, :doc:`reps`",
         {},
         "ns3::PlbLoadBalancer"},
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
        {"routing", "shortest", "ns3::ShortestPathRouting", "all ways with the fewest hops"},
        {"routing",
         "minimal",
         "ns3::DragonflyMinimalRouting",
         "dragonflies: over one link between groups at most"},
        {"routing",
         "valiant",
         "ns3::DragonflyValiantRouting",
         "dragonflies: by way of a third group that is drawn for each packet"},
        {"routing",
         "ugal",
         "ns3::DragonflyUgalRouting",
         "dragonflies: UGAL-L, each packet as under ``minimal`` or ``valiant``, as queues are"},
        {"routing",
         "dimension-order",
         "ns3::DimensionOrderRouting",
         "torus and HyperX: one dimension after the other"},
        {"routing",
         "minimal-adaptive",
         "ns3::MinimalAdaptiveRouting",
         "torus and HyperX: of all ways with the fewest hops, as queues are"},
        {"flow-control", "pfc", "ns3::PriorityFlowControl"},
        {"flow-control", "credit", "ns3::CreditFlowControl"},
        {"flow-control", "voq-credit", "ns3::VoqCreditFlowControl", "with ``--switch=voq``"},
        {"flow-control", "none", "none"},
        {"features",
         "wreb",
         "ns3::WrebFeature",
         "back-to-sender notification, :doc:`wreb`; implied by ``--cc=bts``"},
        {"features",
         "rcm",
         "ns3::RcmFeature",
         "regional congestion mitigation, :doc:`rcm`; with ``--switch=voq``"},
        {"features",
         "pfc-watchdog",
         "ns3::PfcWatchdogFeature",
         "a class that is paused for too long is dropped, :doc:`faults`; with "
         "``--flow-control=pfc``"},
        {"throttle", "none", "none"},
        {"throttle",
         "pft",
         "ns3::ProactiveFlowThrottle",
         "proactive flow throttling by used credits, :doc:`pft`; with ``--flow-control=credit``"},
        {"switch", "shared-buffer", "ns3::SharedBuffer", "output-queued"},
        {"switch", "voq", "ns3::VoqBuffer", "virtual output queues (at inputs) and output queues"},
        {"reliability", "selective-repeat", "ns3::SelectiveRepeat"},
        {"reliability", "go-back-n", "ns3::GoBackN"},
        {"reliability",
         "rack",
         "ns3::RackRepeat",
         "selective repeat by time, for packets that overtake"},
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
         "rtt-ecn-recovery",
         "ns3::RttEcnRecoveryModifier",
         "doubles window and rate while neither marks nor RTTs show congestion"},
        {"coordination", "none", "none"},
        {"coordination",
         "ccm",
         "ns3::CoordinationGateModifier",
         "CCM: switches re-route around congestion and tell hosts when to reduce, :doc:`ccm`"},
        {"messages", "preposted", "ns3::RequestToWait", "none is late"},
        {"messages", "rtw", "ns3::RequestToWait", "request to wait"},
        {"messages", "rnr", "ns3::ReceiverNotReady", "receiver not ready"},
        {"messages", "rendezvous", "ns3::Rendezvous"},
        {"match-table", "hash", "ns3::HashMatchTable"},
        {"match-table", "tcam", "ns3::TcamMatchTable"},
    };
    return policies;
}

std::vector<std::string>
GetSimPolicyFeatures(const SimPolicy& policy)
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
    for (const auto& feature : needs.features)
    {
        if (feature.lack)
        {
            features.emplace_back(feature.type);
        }
    }
    return features;
}

std::vector<SimValue>
ListSimPolicies(const std::string& option)
{
    std::vector<SimValue> values;
    for (const SimPolicy& policy : GetSimPolicies())
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

const SimPolicy&
FindSimPolicy(const std::string& option, const std::string& value)
{
    const std::string name = value.substr(0, value.find(':'));
    std::vector<std::string> known;
    for (const auto& policy : GetSimPolicies())
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
    throw FabricError("unknown " + FabricText(FabricTerm::Option(option)) + " " +
                      QuoteFabricText(value) + "; " + ListFabricNames(name, known));
}

const SimPolicy&
FindSimPolicyOf(const std::string& option, TypeId type)
{
    const auto& policies = GetSimPolicies();
    const auto found = std::find_if(policies.begin(), policies.end(), [&](const SimPolicy& policy) {
        return policy.option == option && policy.typeId == type.GetName();
    });
    if (found == policies.end())
    {
        throw FabricError("--" + option + " has no name for " + type.GetName());
    }
    return *found;
}

SimPolicy::Attributes
GetSimPolicyAttributes(const SimOptions& options,
                       const std::string& option,
                       const std::string& value)
{
    const SimPolicy& policy = FindSimPolicy(option, value);
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
                throw FabricError("--" + option + "=" + value + " and --" + name +
                                  " name the same thing");
            }
            text = std::to_string(spec.GetUint(policy.key, 1, 1, policy.maxValue));
        }
    }
    return attributes;
}

std::string
GetSimLoadBalancer(const std::string& value)
{
    const std::string& chosen = FindSimPolicy("lb", value).loadBalancer;
    return chosen.empty() ? "ns3::PerFlowLoadBalancer" : chosen;
}

std::vector<std::string>
ListSimModifiers(const std::string& names)
{
    std::vector<std::string> modifiers;
    for (const std::string& name : SplitFabricList(names))
    {
        const std::string& type = FindSimPolicy("modifiers", name).typeId;
        if (std::count(modifiers.begin(), modifiers.end(), type) > 0)
        {
            throw FabricError("--modifiers names " + name + " twice; a flow can have it only once");
        }
        modifiers.push_back(type);
    }
    return modifiers;
}

std::vector<std::string>
ListSimCoordination(const SimOptions& options)
{
    const std::string type = FindSimPolicy("coordination", options.Get("coordination")).typeId;
    return type == "none" ? std::vector<std::string>() : std::vector<std::string>{type};
}

std::string
UseSimClass(const std::string& type, std::vector<TypeId>& used)
{
    ObjectFactory factory;
    factory.SetTypeId(type);
    used.push_back(factory.GetTypeId());
    UseParts(factory.Create<Object>(), used);
    return type;
}

const std::vector<SimKind>&
GetSimKinds()
{
    static const std::vector<SimKind> kinds(std::begin(KINDS), std::end(KINDS));
    return kinds;
}

std::vector<TypeId>
ListSimClasses(const SimKind& kind)
{
    const TypeId base = TypeId::LookupByName(kind.base);
    std::vector<TypeId> types;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId tid = TypeId::GetRegistered(i);
        if ((tid == base || tid.IsChildOf(base)) && tid.HasConstructor())
        {
            types.push_back(tid);
        }
    }
    std::sort(types.begin(), types.end(), [](TypeId a, TypeId b) {
        return a.GetName() < b.GetName();
    });
    return types;
}

std::vector<TypeId::AttributeInformation>
ListSimAttributes(TypeId tid)
{
    std::vector<TypeId::AttributeInformation> attributes;
    for (TypeId owner = tid;; owner = owner.GetParent())
    {
        for (std::size_t i = 0; i < owner.GetAttributeN(); ++i)
        {
            attributes.push_back(owner.GetAttribute(i));
        }
        if (!owner.HasParent() || owner.GetParent() == owner ||
            owner.GetParent().GetGroupName() != "Dcfabric")
        {
            return attributes;
        }
    }
}

std::vector<std::string>
ListSimNames(const std::string& typeId)
{
    std::vector<std::string> names;
    for (const auto& policy : GetSimPolicies())
    {
        // a policy that brings a class of hosts is named by that
        if ((policy.loadBalancer.empty() ? policy.typeId : policy.loadBalancer) == typeId)
        {
            names.push_back(std::string("--") + policy.option + "=" + policy.name);
        }
    }
    return names;
}

void
PrintSimPolicies(std::ostream& out)
{
    for (const SimKind& kind : KINDS)
    {
        out << kind.title << "\n";
        const std::vector<TypeId> types = ListSimClasses(kind);
        for (const TypeId& tid : types)
        {
            ListType(out, tid);
        }
        if (types.empty())
        {
            out << "  none yet\n";
        }
        out << "\n";
    }
}

} // namespace ns3
