// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-helper.h"

#include "deadlock-proof.h"

#include "ns3/attribute-range.h"
#include "ns3/congestion-aware-queue-disc.h"
#include "ns3/fabric-error.h"
#include "ns3/link-retry.h"
#include "ns3/parse-units.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

FabricHelper::FabricHelper()
{
    SetCongestionControl("ns3::NoCongestionControl");
    SetLoadBalancer("ns3::PerFlowLoadBalancer");
    SetReliability("ns3::SelectiveRepeat");
    SetPathSelector("ns3::SymmetricEcmpPathSelector");
    SetBuffer("ns3::SharedBuffer");
    SetQueueDisc("ns3::CongestionAwareQueueDisc");
    SetFlowControl("ns3::PriorityFlowControl");
    SetWireFormat("ns3::RoceV2WireFormat");
    SetIntFormat("ns3::IntFormat");
    m_choseReliability = false;
    m_nic.SetTypeId(FabricNic::GetTypeId());
    m_switch.SetTypeId(FabricSwitch::GetTypeId());
    m_device.SetTypeId(FabricNetDevice::GetTypeId());
}

void
FabricHelper::SetNicAttribute(const std::string& name, const AttributeValue& value)
{
    if (name == "BaseRtt")
    {
        throw FabricError(FabricTerm::Attribute("ns3::FabricNic", "BaseRtt"),
                          " has no effect, because FabricHelper gives each NIC its base RTT",
                          {FabricRemedy::Use("FabricHelper::SetBaseRtt()")});
    }
    SetCheckedAttribute(m_nic, name, value);
}

void
FabricHelper::SetSwitchAttribute(const std::string& name, const AttributeValue& value)
{
    SetCheckedAttribute(m_switch, name, value);
}

void
FabricHelper::SetDeviceAttribute(const std::string& name, const AttributeValue& value)
{
    if (name == "DataRate")
    {
        throw FabricError(FabricTerm::Attribute("ns3::FabricNetDevice", "DataRate"),
                          " has no effect, because each link of the plan has its rate",
                          {FabricRemedy::Do("set it there")});
    }
    if (name == "GapBytes")
    {
        throw FabricError(FabricTerm::Attribute("ns3::FabricNetDevice", "GapBytes"),
                          " has no effect, because the wire format gives the gap",
                          {FabricRemedy::Use("FabricHelper::SetWireFormat() with GapBytes")});
    }
    SetCheckedAttribute(m_device, name, value);
}

void
FabricHelper::SetBaseRtt(Time baseRtt)
{
    if (baseRtt.IsStrictlyNegative() || baseRtt > AttributeRange::GetMaxTime())
    {
        throw FabricError("a base RTT of " + std::to_string(FabricTime::ToPs(baseRtt)) +
                          " ps is outside 0 to 24 h");
    }
    m_baseRtt = baseRtt;
}

void
FabricHelper::SetBaseRttSizes(uint64_t dataBytes, uint64_t ackBytes)
{
    constexpr uint64_t MOST = 2000000; // times ps of a byte at 1 bit/s within 64 bits
    if (std::max(dataBytes, ackBytes) > MOST)
    {
        throw FabricError("base RTTs are those of packets of at most " + std::to_string(MOST) +
                          " bytes, not " + std::to_string(std::max(dataBytes, ackBytes)));
    }
    m_baseRttDataBytes = dataBytes;
    m_baseRttAckBytes = ackBytes;
}

void
FabricHelper::SetClasses(uint8_t data, uint8_t control)
{
    if (data > 7 || control > 7)
    {
        throw FabricError("classes must be 0 to 7");
    }
    m_dataClass = data;
    m_controlClass = control;
}

void
FabricHelper::AddClass(uint8_t priority)
{
    if (priority > 7)
    {
        throw FabricError("classes must be 0 to 7");
    }
    m_furtherClasses |= 1U << priority;
}

void
FabricHelper::AddStackClass(uint8_t priority, bool lossless)
{
    if (priority > 7)
    {
        throw FabricError("classes must be 0 to 7");
    }
    (lossless ? m_losslessStackClasses : m_lossyStackClasses) |= 1U << priority;
    if (m_losslessStackClasses & m_lossyStackClasses)
    {
        throw FabricError("class " + std::to_string(priority) +
                          " of ns-3's IP stack cannot be both lossless and lossy");
    }
}

uint64_t
FabricHelper::GetNicUinteger(const std::string& name) const
{
    UintegerValue value;
    m_nic.Create()->GetAttribute(name, value);
    return value.Get();
}

Ptr<Fabric>
FabricHelper::Install(const FabricGraph& graph)
{
    NodeContainer nodes;
    nodes.Create(graph.GetNNodes());
    return Install(graph, nodes);
}

Ptr<Fabric>
FabricHelper::Install(const FabricGraph& graph, NodeContainer nodes)
{
    return FabricHelper(*this).Build(graph, nodes); // the next network may have other defaults
}

Ptr<Fabric>
FabricHelper::Build(const FabricGraph& graph, NodeContainer nodes)
{
    graph.Validate();
    const RouteNeeds routes = m_pathSelector.Create<PathSelector>()->GetRouteNeeds();
    if (routes.feature)
    {
        AddFeatureUnlessThere(routes.feature);
    }
    if (nodes.GetN() != graph.GetNNodes())
    {
        throw FabricError("the plan has " + FormatFabricCount(graph.GetNNodes(), "node") +
                          ", but " +
                          FormatFabricCount(nodes.GetN(), "node was given", "nodes were given"));
    }
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        if (nodes.Get(i)->GetObject<FabricActor>())
        {
            throw FabricError("node " + std::to_string(nodes.Get(i)->GetId()) +
                              " belongs to a fabric already; a node can belong to one only");
        }
    }
    Ptr<Fabric> fabric = CreateObject<Fabric>();
    fabric->m_graph = graph;
    fabric->m_nodes = nodes;
    fabric->m_algorithm = MakeRouting(fabric->m_graph);
    const bool toSwitches =
        std::any_of(m_features.begin(), m_features.end(), [](const ObjectFactory& feature) {
            return feature.Create<SwitchFeature>()->GetEffects().reachesSwitches;
        });
    fabric->m_routing = std::make_unique<RoutingBuilder>(fabric->m_graph,
                                                         PeekPointer(fabric->m_algorithm),
                                                         std::vector<bool>(),
                                                         toSwitches);
    fabric->m_vias = fabric->m_algorithm->MakeVias(
        [plan = PeekPointer(fabric)](uint32_t node, uint32_t address) {
            const RoutingBuilder& routing = plan->GetRouting();
            return routing.GetDistance(node, routing.GetClasses()->classOf[address]);
        });
    if (routes.weights)
    {
        fabric->m_routing->UseWeights();
    }
    if (routes.spanningTrees)
    {
        fabric->m_routing->UseTrees(routes.nTrees);
    }
    fabric->m_paths = std::make_unique<PathLatency>(fabric->m_graph, *fabric->m_routing);

    m_wire = m_wireFormat.Create<WireFormat>();
    m_int = m_intFormat.Create<IntFormat>();
    const auto payloadBytes = static_cast<uint32_t>(GetNicUinteger("PayloadBytes"));
    fabric->m_sizes = {payloadBytes,
                       m_wire->GetDataBytes(payloadBytes, false) - payloadBytes,
                       m_wire->GetAckBytes(),
                       m_wire->GetGapBytes()};
    m_needs = GetPdcNeeds(m_pdcPolicy.Get());
    fabric->m_policyContext = ApplyDefaults(*fabric);
    CheckCombination(fabric->m_policyContext);
    CheckQueueLimits(fabric->m_graph);
    CheckEffects(fabric->m_policyContext);
    WarnOfQueueLimit(fabric->m_policyContext);

    fabric->m_idealTime =
        IdealTimeProvider::Make(fabric->m_graph,
                                *fabric->m_routing,
                                payloadBytes,
                                fabric->m_sizes.overhead + fabric->m_sizes.gapBytes);
    fabric->m_selectorSprays = m_pathSelector.Create<PathSelector>()->GetMaxPaths() > 1 ||
                               fabric->m_policyContext.HasFeature(
                                   [](const auto& feature) { return feature.effects.paths > 1; });
    const uint64_t headerBytes = fabric->m_sizes.overhead + fabric->m_sizes.gapBytes;
    const uint64_t ackBytes = fabric->m_sizes.ackBytes + fabric->m_sizes.gapBytes;
    fabric->m_pairRtt = std::make_unique<PairRtt>(fabric->m_graph,
                                                  *fabric->m_routing,
                                                  *fabric->m_paths,
                                                  payloadBytes + headerBytes,
                                                  ackBytes);
    m_device.Set("GapBytes", UintegerValue(m_wire->GetGapBytes()));
    m_presentDataClass =
        m_dataClass != UNSET ? m_dataClass : static_cast<uint8_t>(GetNicUinteger("DataClass"));
    m_presentControlClass = m_controlClass != UNSET
                                ? m_controlClass
                                : static_cast<uint8_t>(GetNicUinteger("ControlClass"));
    m_usedClasses =
        static_cast<uint8_t>((1U << m_presentDataClass) | (1U << m_presentControlClass) |
                             m_furtherClasses | GetControlledClasses());
    fabric->m_policyContext.classes = m_usedClasses;
    CheckClasses();
    fabric->m_stackClasses = m_lossyStackClasses | m_losslessStackClasses;
    m_usedClasses |= fabric->m_stackClasses;
    ChooseTrimmedClasses();
    CheckTrimmer();
    ChooseChannels(*fabric);
    fabric->m_losslessClasses = static_cast<uint8_t>(
        fabric->m_policyContext.lossless ? m_usedClasses & ~m_lossyStackClasses : 0);

    m_commonBaseRttPs = !m_baseRtt.IsZero() ? FabricTime::ToPs(m_baseRtt)
                        : m_baseRttDataBytes == 0
                            ? fabric->GetMaxBaseRttPs()
                            : fabric->ComputeMaxBaseRttPs(m_baseRttDataBytes, m_baseRttAckBytes);

    m_presentMaxFrame = GetMaxFrames(*fabric).second;
    m_reliabilities = m_reliability;
    m_usesHostLinks = CreateObject<HostLink>()->IsUsed();
    CreateNodes(*fabric);
    try
    {
        CreateLinks(*fabric);
        for (uint32_t node = 0; node < graph.GetNNodes(); ++node)
        {
            if (graph.IsHost(node))
            {
                ConfigureNic(*fabric, node);
            }
            else
            {
                ConfigureSwitch(*fabric, node);
            }
        }
        for (uint32_t node = 0; node < graph.GetNNodes(); ++node)
        {
            IntroducePeers(*fabric->GetActor(node));
        }
        IntroduceEdges(*fabric);
        if (m_hasMarkingProfile)
        {
            InstallPortMarking(*fabric, fabric->m_policyContext.marking);
        }
        for (const uint32_t host : fabric->GetHosts())
        {
            InstallThrottles(*fabric->GetNic(host));
        }
        AssignStreams(fabric, 0);
        CheckForesight(*fabric);
        CheckPdcPaths(m_pdcPolicy.Get(), *fabric);
        if (m_deadlockCheck && fabric->m_deadlockCheck && DeadlockProof::Get())
        {
            DeadlockProof::Get()->Check(*fabric);
        }
        WarnOfPdcPolicy(m_pdcPolicy.Get(), *fabric);
        WarnOfTimeout(*fabric);
    }
    catch (const FabricError&)
    {
        Silence(*fabric);
        throw;
    }
    return fabric;
}

void
FabricHelper::AddNeededFeatures(const ObjectFactory& modifier)
{
    for (const auto& need : modifier.Create<CongestionModifier>()->GetNeeds().features)
    {
        if (need.lack)
        {
            AddFeatureUnlessThere(need.type);
        }
    }
}

void
FabricHelper::AddFeatureUnlessThere(const std::string& type)
{
    const TypeId needed = TypeId::LookupByName(type);
    const auto isOne = [needed](const ObjectFactory& other) {
        return other.GetTypeId() == needed || other.GetTypeId().IsChildOf(needed);
    };
    if (std::none_of(m_features.begin(), m_features.end(), isOne))
    {
        AddSwitchFeature(type);
    }
}

Ptr<RoutingAlgorithm>
FabricHelper::MakeRouting(const FabricGraph& graph) const
{
    // trees are ways of their own, unless someone wants both
    const bool trees = m_pathSelector.Create<PathSelector>()->GetRouteNeeds().spanningTrees;
    const ObjectFactory usual =
        MakeCheckedFactory("routing",
                           "ns3::RoutingAlgorithm",
                           trees ? "ns3::ShortestPathRouting" : graph.GetUsualRouting());
    const auto routing = (m_hasRouting ? m_routing : usual).Create<RoutingAlgorithm>();
    routing->Attach(graph);
    if (trees && (!routing->PermitsAll() || routing->MakeAnyChannels()))
    {
        throw FabricError(FabricTerm::Class(m_pathSelector.GetTypeId()),
                          " leads packets along spanning trees, and " +
                              FabricTerm::Class(routing->GetInstanceTypeId()) +
                              " on ways of its own",
                          {FabricRemedy::Use(FabricTerm::Class("ns3::ShortestPathRouting")),
                           FabricRemedy::Use(FabricTerm::Class("ns3::SymmetricEcmpPathSelector"))});
    }
    return routing;
}

PolicyContext
FabricHelper::MakePolicyContext(const Fabric& fabric) const
{
    PolicyContext around;
    for (const ObjectFactory& feature : m_features)
    {
        around.features.push_back(
            {feature.GetTypeId(), feature.Create<SwitchFeature>()->GetEffects()});
    }
    const RoutingAlgorithm& routing = fabric.GetRoutingAlgorithm();
    if (const Ptr<VirtualChannels> channels = routing.MakeAnyChannels())
    {
        around.features.push_back({routing.GetInstanceTypeId(), channels->GetEffects()});
    }
    if (const Ptr<SwitchFeature> vias = routing.MakeViaFeature(nullptr))
    {
        around.features.push_back({routing.GetInstanceTypeId(), vias->GetEffects()});
    }
    around.pathSelector = m_pathSelector;
    around.queueDisc = m_queueDisc;
    around.lossless = m_hasFlowControl && m_flowControl.Create<LinkFlowControl>()->IsLossless();
    around.trims = m_hasTrimmer;
    around.ackEvery = GetNicUinteger("AckEvery");
    around.ackBytes = GetNicUinteger("AckBytes");
    around.packetBytes = fabric.m_sizes.payloadBytes + fabric.m_sizes.overhead;
    around.maxSwitches = fabric.GetRouting().GetMaxSwitches();
    return around;
}

DeclaredDefaults
FabricHelper::ListDefaults(const RoutingAlgorithm& routing, const PolicyNetwork& network) const
{
    DeclaredDefaults defaults = ListPdcDefaults(m_pdcPolicy.Get(), network);
    for (const PdcPolicy& others : m_expected)
    {
        defaults.Add(ListPdcDefaults(others, network));
    }
    defaults.Add(m_pathSelector.GetTypeId(),
                 m_pathSelector.Create<PathSelector>()->ListDefaults(network));
    for (const ObjectFactory& feature : m_features)
    {
        defaults.Add(feature.GetTypeId(), feature.Create<SwitchFeature>()->ListDefaults(network));
    }
    if (m_hasThrottle)
    {
        defaults.Add(m_throttle.GetTypeId(),
                     m_throttle.Create<InjectionThrottle>()->ListDefaults(network));
    }
    // where packets wait at inputs they are trimmed there, and with flow control queues must not
    // overflow
    if (m_hasTrimmer && !m_hasFlowControl && !m_buffer.Create<SwitchBuffer>()->HoldsPackets())
    {
        defaults.Add(m_trimmer.GetTypeId(),
                     m_trimmer.Create<PacketTrimmer>()->ListDefaults(network));
    }
    defaults.Add(routing.GetInstanceTypeId(), routing.ListDefaults(network));
    return defaults;
}

DeclaredDefaults
FabricHelper::ListDefaults(const FabricGraph& graph) const
{
    return ListDefaults(*MakeRouting(graph), {});
}

DefaultedPolicies
FabricHelper::GetGiven() const
{
    DefaultedPolicies given;
    given.reliability = m_reliability;
    given.choseReliability = m_choseReliability;
    given.markingProfile = m_markingProfile;
    given.marks = m_hasMarkingProfile;
    given.choseMarking = m_choseMarkingProfile;
    given.canMark = !IsAttributeChosen(m_queueDisc, "MarkingProfile") &&
                    DynamicCast<CongestionAwareQueueDisc>(m_queueDisc.Create<QueueDisc>());
    return given;
}

TypeId
FabricHelper::FindReliability(const FabricGraph& graph) const
{
    DefaultedPolicies policies = GetGiven();
    policies.Complete(ListDefaults(graph));
    return policies.reliability.GetTypeId();
}

PolicyContext
FabricHelper::ApplyDefaults(const Fabric& fabric)
{
    PolicyNetwork network;
    for (const FabricLink& link : fabric.m_graph.GetLinks())
    {
        network.rateBps = std::max(network.rateBps, link.rateBps);
    }
    network.baseRttPs = fabric.GetMaxBaseRttPs();
    const DeclaredDefaults defaults = ListDefaults(fabric.GetRoutingAlgorithm(), network);
    DefaultedPolicies given = GetGiven(); // before others are changed
    std::vector<ObjectFactory*> others{&m_nic, &m_switch, &m_device, &m_buffer, &m_queueDisc};
    if (m_hasFlowControl)
    {
        others.push_back(&m_flowControl);
    }
    for (ObjectFactory& feature : m_features)
    {
        others.push_back(&feature);
    }
    for (ObjectFactory* factory : others)
    {
        defaults.Apply(*factory);
    }
    PolicyContext around = MakePolicyContext(fabric);
    around.network = network;
    around.defaults = defaults;
    given.canMark = given.canMark && !around.HasOwnDraws();
    DefaultedPolicies complete = given;
    complete.Complete(defaults);
    around.given = given;
    m_reliability = around.reliability = complete.reliability;
    m_markingProfile = complete.markingProfile;
    m_hasMarkingProfile = around.marks = complete.marks;
    around.marking = complete.marking;
    return around;
}

void
FabricHelper::Silence(const Fabric& fabric)
{
    for (const FabricActor* actor : fabric.m_actors)
    {
        for (uint16_t p = 0; p < actor->GetNPorts(); ++p)
        {
            actor->GetPort(p)->SetFlowControl(nullptr);
            actor->GetPort(p)->SetRetry(nullptr);
        }
    }
}

} // namespace ns3
