// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-helper.h"

#include "channel-classes.h"
#include "channel-dependencies.h"

#include "ns3/boolean.h"
#include "ns3/channel-scheduler.h"
#include "ns3/congestion-aware-queue-disc.h"
#include "ns3/error-model.h"
#include "ns3/fabric-channel.h"
#include "ns3/fabric-error.h"
#include "ns3/pointer.h"
#include "ns3/priority-flow-control.h"
#include "ns3/queue-size.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/wire-errors.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

FabricHelper::FabricHelper()
{
    SetCongestionControl("ns3::NoCongestionControl");
    SetLoadBalancer("ns3::PerFlowLoadBalancer");
    SetReliability("ns3::SelectiveRepeat");
    SetMatchTable("ns3::HashMatchTable");
    SetPathSelector("ns3::SymmetricEcmpPathSelector");
    SetBuffer("ns3::SharedBuffer");
    SetQueueDisc("ns3::CongestionAwareQueueDisc");
    SetFlowControl("ns3::PriorityFlowControl");
    SetWireFormat("ns3::RoceV2WireFormat");
    SetIntFormat("ns3::IntFormat");
    m_nic.SetTypeId(FabricNic::GetTypeId());
    m_switch.SetTypeId(FabricSwitch::GetTypeId());
    m_device.SetTypeId(FabricNetDevice::GetTypeId());
}

void
FabricHelper::SetNicAttribute(const std::string& name, const AttributeValue& value)
{
    if (name == "BaseRtt")
    {
        throw FabricError("ns3::FabricNic::BaseRtt has no effect, because FabricHelper gives each "
                          "NIC its base RTT; use FabricHelper::SetBaseRtt()");
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
        throw FabricError("ns3::FabricNetDevice::DataRate has no effect, because each link of the "
                          "plan has its rate; set it there");
    }
    if (name == "GapBytes")
    {
        throw FabricError("ns3::FabricNetDevice::GapBytes has no effect, because the wire format "
                          "gives the gap; use FabricHelper::SetWireFormat() with GapBytes");
    }
    SetCheckedAttribute(m_device, name, value);
}

void
FabricHelper::SetBaseRttSizes(uint64_t dataBytes, uint64_t ackBytes)
{
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
    graph.Validate();
    if (nodes.GetN() != graph.GetNNodes())
    {
        throw FabricError("the plan has " + std::to_string(graph.GetNNodes()) + " nodes, but " +
                          std::to_string(nodes.GetN()) + " nodes were given");
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
    const RouteNeeds routes = m_pathSelector.Create<PathSelector>()->GetRouteNeeds();
    if (routes.spanningTrees)
    {
        fabric->m_routing->UseTrees(routes.nTrees);
    }
    fabric->m_paths = std::make_unique<PathLatency>(fabric->m_graph, *fabric->m_routing);

    m_wire = m_wireFormat.Create<WireFormat>();
    m_int = m_intFormat.Create<IntFormat>();
    m_profile = m_hasMarkingProfile ? m_markingProfile.Create<MarkingProfile>() : nullptr;
    m_needs = GetPdcNeeds(m_pdcPolicy.Get());
    fabric->m_policyContext = MakePolicyContext(*fabric);
    CheckCombination(fabric->m_policyContext);
    CheckQueueLimits(fabric->m_graph);
    CheckEffects(fabric->m_policyContext);

    const auto payloadBytes = static_cast<uint32_t>(GetNicUinteger("PayloadBytes"));
    fabric->m_sizes = {payloadBytes,
                       m_wire->GetDataBytes(payloadBytes, false) - payloadBytes,
                       m_wire->GetAckBytes(),
                       m_wire->GetGapBytes()};
    fabric->m_idealTime =
        std::make_unique<IdealTime>(fabric->m_graph,
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
    m_usedClasses = static_cast<uint8_t>((1U << m_presentDataClass) |
                                         (1U << m_presentControlClass) | m_furtherClasses);
    CheckClasses();
    fabric->m_stackClasses = m_lossyStackClasses | m_losslessStackClasses;
    m_usedClasses |= fabric->m_stackClasses;
    ChooseChannels(*fabric);
    fabric->m_losslessClasses = static_cast<uint8_t>(
        fabric->m_policyContext.lossless ? m_usedClasses & ~m_lossyStackClasses : 0);

    m_commonBaseRttPs = !m_baseRtt.IsZero() ? FabricTime::ToPs(m_baseRtt)
                        : m_baseRttDataBytes == 0
                            ? fabric->GetMaxBaseRttPs()
                            : fabric->ComputeMaxBaseRttPs(m_baseRttDataBytes, m_baseRttAckBytes);

    m_presentMaxFrame = GetMaxFrames(*fabric).second;
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
        for (const uint32_t host : fabric->GetHosts())
        {
            InstallThrottles(*fabric->GetNic(host));
        }
        AssignStreams(fabric, 0);
        CheckForesight(*fabric);
        CheckPdcPaths(m_pdcPolicy.Get(), *fabric);
        if (m_deadlockCheck && fabric->m_deadlockCheck)
        {
            ChannelDependencies::Check(*fabric);
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
        const TypeId needed = TypeId::LookupByName(need.type);
        const auto isOne = [needed](const ObjectFactory& other) {
            return other.GetTypeId() == needed || other.GetTypeId().IsChildOf(needed);
        };
        if (need.lack && std::none_of(m_features.begin(), m_features.end(), isOne))
        {
            AddSwitchFeature(need.type);
        }
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
        throw FabricError(m_pathSelector.GetTypeId().GetName() +
                          " leads packets along spanning trees, and " +
                          routing->GetInstanceTypeId().GetName() +
                          " on ways of its own; use ns3::ShortestPathRouting or "
                          "ns3::SymmetricEcmpPathSelector");
    }
    return routing;
}

void
FabricHelper::ChooseChannels(const Fabric& fabric)
{
    m_presentChannels.clear();
    const RoutingAlgorithm& algorithm = *fabric.m_algorithm;
    const Ptr<VirtualChannels> channels = algorithm.MakeAnyChannels();
    m_choosesPorts = channels && (channels->GetHooks() & SwitchFeature::CHOOSE_PATH) != 0;
    if (!fabric.m_policyContext.lossless)
    {
        return; // a packet that finds no room is dropped: none waits for another
    }
    const uint8_t asked = algorithm.GetChannels();
    const uint8_t needed = channels ? channels->GetN() : 1;
    ChannelNeeds needs;
    needs.nChannels = asked == 0 ? needed : std::min(asked, needed);
    if (needs.nChannels == 1)
    {
        return;
    }
    needs.dataClass = m_presentDataClass;
    needs.controlClass = m_presentControlClass;
    needs.otherClasses = m_furtherClasses | m_losslessStackClasses;
    needs.takenClasses = m_lossyStackClasses;
    needs.data = algorithm.GetDataClasses();
    needs.control = algorithm.GetControlClasses();
    needs.routing = algorithm.GetInstanceTypeId().GetName();
    m_presentChannels = AssignChannelClasses(needs);
    for (const std::vector<uint8_t>& family : m_presentChannels)
    {
        for (const uint8_t priority : family)
        {
            m_usedClasses |= 1U << priority;
        }
    }
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
    if (const Ptr<ViaFeature> vias = routing.MakeViaFeature())
    {
        around.features.push_back({routing.GetInstanceTypeId(), vias->GetEffects()});
    }
    around.pathSelector = m_pathSelector;
    around.queueDisc = m_queueDisc;
    around.reliability = m_reliability;
    around.marks = m_hasMarkingProfile;
    around.lossless = m_hasFlowControl && m_flowControl.Create<LinkFlowControl>()->IsLossless();
    around.ackEvery = GetNicUinteger("AckEvery");
    around.maxSwitches = fabric.GetRouting().GetMaxSwitches();
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
        }
    }
}

void
FabricHelper::ConfigureFeature(const Ptr<SwitchFeature>& feature) const
{
    const TypeId tid = feature->GetInstanceTypeId();
    TypeId::AttributeInformation info;
    for (const auto& [name, object] : {std::pair<std::string, Ptr<Object>>{"IntFormat", m_int},
                                       std::pair<std::string, Ptr<Object>>{"WireFormat", m_wire}})
    {
        PointerValue present;
        if (tid.LookupAttributeByName(name, &info))
        {
            feature->GetAttribute(name, present);
            if (!present.GetObject())
            {
                feature->SetAttribute(name, PointerValue(object));
            }
        }
    }

    const struct
    {
        const char* attribute;
        const char* what;
        uint8_t value;
    } classes[] = {{"DataClass", "data", m_presentDataClass},
                   {"ControlClass", "control packets", m_presentControlClass}};

    for (const auto& [name, what, value] : classes)
    {
        if (!tid.LookupAttributeByName(name, &info))
        {
            continue;
        }
        UintegerValue present;
        feature->GetAttribute(name, present);
        // not the initial value of today, which may be what a user has set for all
        const auto* initial =
            dynamic_cast<const UintegerValue*>(PeekPointer(info.originalInitialValue));
        if (present.Get() != value && initial && present.Get() != initial->Get())
        {
            throw FabricError(tid.GetName() + "::" + name + " is " + std::to_string(present.Get()) +
                              ", but the hosts send " + what + " in class " +
                              std::to_string(value) + "; use FabricHelper::SetClasses() alone");
        }
        feature->SetAttribute(name, UintegerValue(value));
    }
    ConfigureDataChannels(feature);
}

uint8_t
FabricHelper::GetChannelMask(uint8_t priority) const
{
    auto mask = static_cast<uint8_t>(1U << priority);
    for (const std::vector<uint8_t>& family : m_presentChannels)
    {
        for (std::size_t i = 1; i < family.size() && family.front() == priority; ++i)
        {
            mask |= 1U << family[i];
        }
    }
    return mask;
}

void
FabricHelper::ConfigureDataChannels(const Ptr<SwitchFeature>& feature) const
{
    const TypeId tid = feature->GetInstanceTypeId();
    const uint8_t mask = GetChannelMask(m_presentDataClass);
    TypeId::AttributeInformation info;
    if (!tid.LookupAttributeByName("DataClass", &info) || (mask & (mask - 1)) == 0)
    {
        return;
    }
    if (!tid.LookupAttributeByName("DataChannels", &info))
    {
        throw FabricError(tid.GetName() + " looks after class " +
                          std::to_string(m_presentDataClass) + " alone, but under " +
                          m_flowControl.GetTypeId().GetName() +
                          " the routing of this network has data in virtual channels, which are "
                          "classes of their own; leave it out, or use no flow control");
    }
    feature->SetAttribute("DataChannels", UintegerValue(mask));
}

void
FabricHelper::ConfigureChannels(const Ptr<QueueDisc>& disc) const
{
    if (m_presentChannels.empty() || !DynamicCast<CongestionAwareQueueDisc>(disc))
    {
        return;
    }
    UintegerValue marked;
    disc->GetAttribute("MarkedClasses", marked);
    auto mask = static_cast<uint8_t>(marked.Get());
    for (const std::vector<uint8_t>& family : m_presentChannels)
    {
        const uint8_t all = GetChannelMask(family.front());
        mask = (mask >> family.front()) & 1 ? mask | all : mask & ~all;
    }
    disc->SetAttribute("MarkedClasses", UintegerValue(mask));
    PointerValue inner;
    disc->GetAttribute("Scheduler", inner);
    const auto scheduler = CreateObject<ChannelScheduler>();
    if (inner.GetObject())
    {
        scheduler->SetAttribute("Scheduler", inner);
    }
    scheduler->SetClasses(m_presentChannels);
    disc->SetAttribute("Scheduler", PointerValue(scheduler));
}

Ptr<QueueDisc>
FabricHelper::CreateQueueDisc(bool forSwitch) const
{
    if (!forSwitch)
    {
        return CreateObject<CongestionAwareQueueDisc>();
    }
    Ptr<QueueDisc> disc = m_queueDisc.Create<QueueDisc>();
    if (m_profile && DynamicCast<CongestionAwareQueueDisc>(disc))
    {
        disc->SetAttribute("MarkingProfile", PointerValue(m_profile));
    }
    ConfigureChannels(disc);
    return disc;
}

void
FabricHelper::CreateNodes(Fabric& fabric)
{
    const FabricGraph& graph = fabric.m_graph;
    fabric.m_actors.assign(graph.GetNNodes(), nullptr);
    for (uint32_t number = 0; number < graph.GetNNodes(); ++number)
    {
        Ptr<FabricActor> actor;
        if (graph.IsHost(number))
        {
            actor = m_nic.Create<FabricNic>();
        }
        else
        {
            actor = m_switch.Create<FabricSwitch>();
        }
        actor->Attach(fabric.m_nodes.Get(number), number);
        fabric.m_actors[number] = PeekPointer(actor);
    }
}

void
FabricHelper::CreateLinks(Fabric& fabric)
{
    Ptr<QueueDisc> unused[2]; // of switches and hosts that other processes simulate
    ObjectFactory channelFactory;
    channelFactory.SetTypeId(FabricChannel::GetTypeId());
    for (const FabricLink& link : fabric.m_graph.GetLinks())
    {
        if (link.delayPs < FabricTime::ToPs(TimeStep(1)))
        {
            throw FabricError("the link between nodes " + std::to_string(link.a) + " and " +
                              std::to_string(link.b) + " has a delay of " +
                              std::to_string(link.delayPs) +
                              " ps, less than one tick of the simulator; set a finer resolution "
                              "with Time::SetResolution() at the start of the program");
        }
        Ptr<FabricNetDevice> ends[2];
        for (int end = 0; end < 2; ++end)
        {
            const uint32_t node = end == 0 ? link.a : link.b;
            ends[end] = m_device.Create<FabricNetDevice>();
            ends[end]->SetAttribute("DataRate", DataRateValue(DataRate(link.rateBps)));
            Ptr<QueueDisc>& elsewhere = unused[fabric.m_graph.IsHost(node) ? 1 : 0];
            if (!fabric.IsHere(node))
            {
                ends[end]->SetElsewhere();
            }
            Ptr<QueueDisc> disc = fabric.IsHere(node) || !elsewhere
                                      ? CreateQueueDisc(!fabric.m_graph.IsHost(node))
                                      : elsewhere;
            if (!fabric.IsHere(node))
            {
                elsewhere = disc;
            }
            else if (const uint64_t limit = end == 0 ? link.queueLimitA : link.queueLimitB)
            {
                disc->SetAttribute(
                    "MaxSize",
                    QueueSizeValue(QueueSize(QueueSizeUnit::BYTES, static_cast<uint32_t>(limit))));
            }
            ends[end]->SetQueueDisc(disc);
            if (m_hasFlowControl)
            {
                ends[end]->SetFlowControl(m_flowControl.Create<LinkFlowControl>());
            }
            if (link.errorRate > 0)
            {
                Ptr<RateErrorModel> errors = CreateObject<RateErrorModel>();
                errors->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
                errors->SetRate(link.errorRate);
                ends[end]->SetAttribute("ReceiveErrorModel", PointerValue(errors));
            }
            fabric.m_actors[node]->AddPort(ends[end]);
        }
        Ptr<FabricChannel> channel = channelFactory.Create<FabricChannel>();
        channel->SetAttribute("Delay", TimeValue(FabricTime::FromPs(link.delayPs)));
        channel->Connect(ends[0], ends[1]);
    }
}

std::pair<uint32_t, uint32_t>
FabricHelper::GetMaxFrames(const Fabric& fabric) const
{
    const auto hops = static_cast<uint8_t>(
        std::min<uint32_t>(fabric.m_policyContext.maxSwitches, FabricPacketItem::MAX_HOPS));
    const bool exact = m_int->IsExact();
    const uint32_t payload = fabric.m_sizes.payloadBytes;
    uint32_t dataInt = 0;
    uint32_t ackInt = 0;
    for (const ObjectFactory& factory : m_features)
    {
        const auto growth = factory.Create<SwitchFeature>()->GetGrowth(*m_wire, hops, exact);
        dataInt += growth.dataBytes;
        ackInt += growth.answerBytes;
    }
    const uint32_t answer = m_matches ? m_wire->GetRefusalBytes() : m_wire->GetAckBytes();
    const uint32_t match = m_matches ? m_wire->GetMatchBytes(true) : 0;
    const uint32_t data = m_wire->GetDataBytes(payload, true) + match + dataInt;
    CheckPayload(payload, m_wire->GetDataBytes(payload, m_matches) + match + dataInt);
    uint32_t stack = 0;
    if (fabric.m_stackClasses != 0)
    {
        UintegerValue mtu;
        m_device.Create()->GetAttribute("Mtu", mtu);
        stack = m_wire->GetForeignBytes(static_cast<uint32_t>(mtu.Get()));
    }
    return {data, std::max({data, answer + ackInt, stack})};
}

void
FabricHelper::ConfigureSwitch(Fabric& fabric, uint32_t node)
{
    Ptr<FabricSwitch> sw = fabric.GetSwitch(node);
    sw->SetTier(fabric.m_graph.GetNode(node).tier);
    sw->SetPathSelector(m_pathSelector.Create<PathSelector>());
    sw->SetForwardingTable(fabric.m_routing->BuildTable(node));
    const uint32_t maxFrame = m_presentMaxFrame;
    ConfigureFlowControl(*sw, maxFrame);
    std::vector<uint64_t> headroom;
    for (uint16_t p = 0; p < sw->GetNPorts(); ++p)
    {
        const FabricNetDevice* port = sw->GetPort(p);
        const LinkFlowControl* flowControl = port->GetFlowControl();
        headroom.push_back(flowControl ? flowControl->GetHeadroomBytes(maxFrame) : 0);
        CheckPauseTime(*port, maxFrame);
    }
    Ptr<SwitchBuffer> buffer = m_buffer.Create<SwitchBuffer>();
    const auto lossless = static_cast<uint8_t>(m_hasFlowControl ? ~m_lossyStackClasses : 0);
    buffer->Configure(headroom, lossless, m_usedClasses);
    sw->SetBuffer(buffer);
    for (const ObjectFactory& factory : m_features)
    {
        Ptr<SwitchFeature> feature = factory.Create<SwitchFeature>();
        ConfigureFeature(feature);
        sw->AddFeature(feature);
    }
    if (Ptr<ViaFeature> viaFeature = fabric.m_algorithm->MakeViaFeature())
    {
        viaFeature->SetPlan(fabric.m_vias);
        sw->AddFeature(viaFeature);
    }
    if (!m_presentChannels.empty() || m_choosesPorts)
    {
        // the last to say which port a packet takes
        Ptr<VirtualChannels> channels = fabric.m_algorithm->MakeChannels(node);
        channels->SetClasses(m_presentChannels);
        sw->AddFeature(channels);
    }
}

void
FabricHelper::ConfigureFlowControl(const FabricActor& actor, uint32_t maxFrame)
{
    for (uint16_t p = 0; p < actor.GetNPorts(); ++p)
    {
        if (LinkFlowControl* flowControl = actor.GetPort(p)->GetFlowControl())
        {
            flowControl->SetMaxFrameBytes(maxFrame);
        }
    }
}

void
FabricHelper::IntroducePeers(const FabricActor& actor)
{
    for (uint16_t p = 0; p < actor.GetNPorts(); ++p)
    {
        LinkFlowControl* flowControl = actor.GetPort(p)->GetFlowControl();
        const LinkFlowControl* peer = actor.GetPort(p)->GetLink().GetPeer()->GetFlowControl();
        if (flowControl && peer)
        {
            flowControl->LearnPeer(*peer);
        }
    }
}

void
FabricHelper::InstallThrottles(FabricNic& nic) const
{
    if (!m_hasThrottle)
    {
        return;
    }
    std::vector<Ptr<InjectionThrottle>> throttles;
    for (uint16_t p = 0; p < nic.GetNPorts(); ++p)
    {
        throttles.push_back(m_throttle.Create<InjectionThrottle>());
        throttles.back()->Attach(*nic.GetPort(p), m_presentDataClass);
    }
    nic.SetThrottles(std::move(throttles));
}

uint64_t
FabricHelper::GetAcksPerRtt(const FabricNic& nic) const
{
    double lineRateBps = 0;
    for (uint16_t p = 0; p < nic.GetNPorts(); ++p)
    {
        lineRateBps += static_cast<double>(nic.GetPort(p)->GetRateBps());
    }
    const double ackBits = 8.0 * (m_wire->GetAckBytes() + m_wire->GetGapBytes());
    const double acks = lineRateBps * static_cast<double>(m_commonBaseRttPs) / (1e12 * ackBits);
    return static_cast<uint64_t>(std::ceil(std::max(acks, 1.0)));
}

void
FabricHelper::ConfigureNic(Fabric& fabric, uint32_t node)
{
    Ptr<FabricNic> nic = fabric.GetNic(node);
    ConfigureFlowControl(*nic, m_presentMaxFrame);
    nic->GetSendingPdcs().GetPolicies().Set(m_pdcPolicy.Get());
    nic->acksPerRtt = GetAcksPerRtt(*nic);
    nic->reliability = m_reliability.Create<ReliabilityPolicy>();
    if (m_matches)
    {
        nic->GetMessages().EnableMatching(m_matchTable.Create<MatchTable>(),
                                          m_messageProtocol.Create<MessageProtocol>());
    }
    nic->wire = m_wire;
    nic->intFormat = m_int;
    if (m_dataClass != UNSET)
    {
        nic->SetAttribute("DataClass", UintegerValue(m_dataClass));
        nic->SetAttribute("ControlClass", UintegerValue(m_controlClass));
    }
    const Ptr<const Fabric> plan(&fabric); // until the NIC is disposed of
    nic->pairRttPsTo = [plan, node](uint32_t dst) { return plan->GetPairRttPs(node, dst); };
    if (m_baseRttPerPair)
    {
        const uint64_t data = m_baseRttDataBytes;
        const uint64_t ack = m_baseRttAckBytes;
        nic->baseRttPsTo = [plan, node, data, ack](uint32_t dst) {
            return data == 0 ? plan->GetBaseRttPs(node, dst)
                             : plan->ComputeBaseRttPs(node, dst, data, ack);
        };
    }
    else
    {
        nic->baseRttPsTo = [baseRttPs = m_commonBaseRttPs](uint32_t) { return baseRttPs; };
    }
    if (nic->GetNPorts() > 1)
    {
        nic->SetForwardingTable(fabric.m_routing->BuildTable(node));
    }
    nic->isHost = [plan](uint32_t address) { return plan->GetGraph().IsHost(address); };
    ConfigureSender(fabric, node, m_needs);
    ConfigureReceiver(fabric, node, m_needs);
}

int64_t
FabricHelper::AssignStreams(Ptr<Fabric> fabric, int64_t stream)
{
    fabric->m_firstStream = stream;
    for (uint32_t node = 0; node < fabric->m_graph.GetNNodes(); ++node)
    {
        const int64_t base = stream + node * Fabric::STREAMS_PER_NODE;
        FabricActor* actor = fabric->m_actors[node];
        const bool isHost = fabric->m_graph.IsHost(node);
        const int64_t used =
            isHost ? fabric->GetNic(node)->GetSendingPdcs().AssignStreams(base) : 1;
        if (!isHost)
        {
            fabric->GetSwitch(node)->GetPathSelector()->AssignStreams(base);
            int64_t next = base + Fabric::FEATURE_STREAMS;
            for (const auto& feature : fabric->GetSwitch(node)->GetFeatures())
            {
                next += feature->AssignStreams(next);
            }
        }
        for (uint16_t p = 0; p < actor->GetNPorts(); ++p)
        {
            FabricNetDevice* port = actor->GetPort(p);
            if (InjectionThrottle* throttle =
                    isHost ? fabric->GetNic(node)->GetThrottle(p) : nullptr)
            {
                throttle->AssignStreams(base + Fabric::THROTTLE_STREAMS + p);
            }
            if (auto disc = DynamicCast<CongestionAwareQueueDisc>(port->GetQueue().GetDisc()))
            {
                disc->AssignStreams(base + used + p);
            }
            PointerValue errors;
            port->GetAttribute("ReceiveErrorModel", errors);
            Ptr<ErrorModel> model = errors.Get<ErrorModel>();
            if (auto wire = DynamicCast<WireErrors>(model))
            {
                wire->AssignStreams(fabric->GetFaultStream(*port));
                model = wire->GetFormer();
            }
            if (auto rate = DynamicCast<RateErrorModel>(model))
            {
                rate->AssignStreams(base + Fabric::ERROR_STREAMS + p);
            }
        }
    }
    return fabric->m_graph.GetNNodes() * Fabric::STREAMS_PER_NODE;
}

} // namespace ns3
