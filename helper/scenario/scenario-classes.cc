// SPDX-License-Identifier: GPL-2.0-only
#include "scenario-classes.h"

#include "scenario-policies.h"

namespace ns3
{

namespace
{

/// @return the kinds of this table's first lines
std::vector<ScenarioKind>
ListFirstKinds()
{
    return {
        {"Congestion control", "ns3::CongestionControl", "cc"},
        {"Modifiers of congestion control", "ns3::CongestionModifier", "modifiers"},
        {"Signals that gates average", "ns3::CongestionSignal"},
        {"Ratios of cuts", "ns3::CutRatio"},
        {"Load balancing at hosts", "ns3::LoadBalancer", "lb"},
        {"Stores of recycled entropies", "ns3::EntropyStore", "lb", "reps"},
        {"Path selection at switches", "ns3::PathSelector", "lb"},
        {"Routing", "ns3::RoutingAlgorithm", "routing"},
        {"Link-level flow control", "ns3::LinkFlowControl", "flow-control"},
        {"Link-level retry", "ns3::LinkRetry", "link-retry"},
        {"Switch memory", "ns3::SwitchBuffer", "switch"},
        {"Limits of queues in a shared buffer", "ns3::BufferThreshold", "switch"},
        {"Arbiters of virtual output queues", "ns3::VoqArbiter"},
        {"Switch features", "ns3::SwitchFeature", "features"},
        {"Back-to-sender notification", "ns3::BackToSenderNotifier", "features", "wreb"},
        {"Measures of congestion", "ns3::CongestionMeasure"},
        {"Timing profiles of notifications", "ns3::TimingProfile"},
        {"Trimming", "ns3::PacketTrimmer", "trimming"},
        {"Throttles of NIC ports", "ns3::InjectionThrottle", "throttle"},
        {"Reliability", "ns3::ReliabilityPolicy", "reliability"},
        {"Profiles of marks and notifications", "ns3::MarkingProfile"},
        {"Schedulers of classes", "ns3::ClassScheduler"},
        {"Queue disc of switch ports", "ns3::CongestionAwareQueueDisc"},
        {"Sizes on the wire", "ns3::WireFormat", "wire-format"},
        {"INT records", "ns3::IntFormat"},
        {"NIC", "ns3::FabricNic"},
        {"Ways from NICs into hosts", "ns3::HostLink"},
        {"Port", "ns3::FabricNetDevice"},
        {"Topologies", "ns3::FabricTopology", "topology"},
        {"Workloads", "ns3::FabricWorkload", "workload"},
        {"Captures", "ns3::PcapPorts", "trace", "pcap"},
    };
}

} // namespace

FabricText
ScenarioKind::GetHeading() const
{
    return *option ? FabricText(title) + " (" + FabricTerm::Option(option, value) + ")"
                   : FabricText(title);
}

NamedTable<ScenarioKind>&
GetScenarioKindTable()
{
    static NamedTable<ScenarioKind> table(&ListFirstKinds, [](const ScenarioKind& kind) {
        return std::string(kind.title);
    });
    return table;
}

const std::vector<ScenarioKind>&
GetScenarioKinds()
{
    return GetScenarioKindTable().Get();
}

std::vector<TypeId::AttributeInformation>
ListScenarioClassAttributes(TypeId tid)
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

std::vector<FabricTerm>
ListScenarioChoices(const std::string& typeId)
{
    std::vector<FabricTerm> choices;
    for (const auto& policy : GetScenarioPolicies())
    {
        // a policy that brings a class of hosts is named by that
        if ((policy.loadBalancer.empty() ? policy.typeId : policy.loadBalancer) == typeId)
        {
            choices.push_back(FabricTerm::Option(policy.option, policy.name));
        }
    }
    return choices;
}

} // namespace ns3
