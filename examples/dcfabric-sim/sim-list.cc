// SPDX-License-Identifier: GPL-2.0-only
#include "sim-list.h"

#include "ns3/attribute-text.h"
#include "ns3/class-list.h"
#include "ns3/fabric-spec.h"
#include "ns3/scenario-policies.h"

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

} // namespace

const std::vector<SimKind>&
GetSimKinds()
{
    static const std::vector<SimKind> kinds(std::begin(KINDS), std::end(KINDS));
    return kinds;
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
    for (const auto& policy : GetScenarioPolicies())
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
        const std::vector<TypeId> types = ListClasses(TypeId::LookupByName(kind.base));
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
