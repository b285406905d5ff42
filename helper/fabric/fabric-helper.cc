// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-helper.h"

#include "ns3/boolean.h"
#include "ns3/congestion-aware-queue-disc.h"
#include "ns3/error-model.h"
#include "ns3/fabric-channel.h"
#include "ns3/fabric-error.h"
#include "ns3/fncc-int-feature.h"
#include "ns3/hpcc-int-feature.h"
#include "ns3/pointer.h"
#include "ns3/priority-flow-control.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

namespace
{

/// Streams set apart for each node: its NIC or ports, and their error models.
constexpr int64_t STREAMS_PER_NODE = 4096;
constexpr int64_t ERROR_STREAMS = 2048;

/// @return true if one of the factories makes a T
template <typename T>
bool
Contains(const std::vector<ObjectFactory>& factories)
{
    return std::any_of(factories.begin(), factories.end(), [](const ObjectFactory& factory) {
        const TypeId tid = factory.GetTypeId();
        return tid == T::GetTypeId() || tid.IsChildOf(T::GetTypeId());
    });
}

} // namespace

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
    m_nic.SetTypeId(FabricNic::GetTypeId());
    m_device.SetTypeId(FabricNetDevice::GetTypeId());
}

void
FabricHelper::SetType(ObjectFactory& factory,
                      const std::string& kind,
                      const std::string& base,
                      const std::string& type)
{
    TypeId tid;
    const TypeId baseTid = TypeId::LookupByName(base);
    if (!TypeId::LookupByNameFailSafe(type, &tid) || !(tid.IsChildOf(baseTid) || tid == baseTid) ||
        !tid.HasConstructor())
    {
        std::string known;
        for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
        {
            const TypeId other = TypeId::GetRegistered(i);
            if ((other.IsChildOf(baseTid) || other == baseTid) && other.HasConstructor())
            {
                known += (known.empty() ? "" : ", ") + other.GetName();
            }
        }
        throw FabricError("unknown " + kind + " \"" + type + "\"; known: " + known);
    }
    factory = ObjectFactory();
    factory.SetTypeId(tid);
}

void
FabricHelper::SetOne(ObjectFactory& factory, const std::string& name, const AttributeValue& value)
{
    const TypeId tid = factory.GetTypeId();
    TypeId::AttributeInformation info;
    if (!tid.LookupAttributeByName(name, &info))
    {
        throw FabricError(tid.GetName() + " has no attribute \"" + name + "\"");
    }
    if (!info.checker->CreateValidValue(value))
    {
        throw FabricError(tid.GetName() + "::" + name + ": invalid value; it takes " +
                          info.checker->GetValueTypeName() + " " +
                          info.checker->GetUnderlyingTypeInformation());
    }
    factory.Set(name, value);
}

void
FabricHelper::SetNicAttribute(const std::string& name, const AttributeValue& value)
{
    SetOne(m_nic, name, value);
}

void
FabricHelper::SetDeviceAttribute(const std::string& name, const AttributeValue& value)
{
    SetOne(m_device, name, value);
}

void
FabricHelper::SetBaseRtt(Time baseRtt)
{
    m_baseRtt = baseRtt;
}

void
FabricHelper::SetBaseRttPerPair(bool perPair)
{
    m_baseRttPerPair = perPair;
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
    Ptr<Fabric> fabric = CreateObject<Fabric>();
    fabric->m_graph = graph;
    fabric->m_nodes = nodes;
    fabric->m_routing = std::make_unique<RoutingBuilder>(fabric->m_graph);
    fabric->m_paths = std::make_unique<PathLatency>(fabric->m_graph, *fabric->m_routing);

    m_wire = m_wireFormat.Create<WireFormat>();
    m_int = m_intFormat.Create<IntFormat>();
    m_profile = m_hasMarkingProfile ? m_markingProfile.Create<MarkingProfile>() : nullptr;
    CheckCombination(*fabric);
    m_cnpIntervalPs = m_congestionControl.Create<CongestionControl>()->GetNeeds().cnpIntervalPs;

    UintegerValue payload;
    m_nic.Create()->GetAttribute("PayloadBytes", payload);
    const auto payloadBytes = static_cast<uint32_t>(payload.Get());
    fabric->m_sizes = {payloadBytes,
                       m_wire->GetDataBytes(payloadBytes, false) - payloadBytes,
                       m_wire->GetAckBytes(),
                       m_wire->GetGapBytes()};
    SetDeviceAttribute("GapBytes", UintegerValue(m_wire->GetGapBytes()));

    m_commonBaseRttPs =
        m_baseRtt.IsZero() ? fabric->GetMaxBaseRttPs() : FabricTime::ToPs(m_baseRtt);

    CreateNodes(*fabric);
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
    AssignStreams(fabric, 0);
    CheckPaths(*fabric);
    return fabric;
}

void
FabricHelper::CheckCombination(const Fabric& fabric) const
{
    const std::string ccName = m_congestionControl.GetTypeId().GetName();
    const CongestionControlNeeds needs =
        m_congestionControl.Create<CongestionControl>()->GetNeeds();
    const uint32_t maxPaths = m_loadBalancer.Create<LoadBalancer>()->GetMaxPaths();
    if (needs.dataInt && !Contains<HpccIntFeature>(m_features))
    {
        throw FabricError(ccName + " needs INT on data packets, but the switches have no "
                                   "ns3::HpccIntFeature; add it with AddSwitchFeature()");
    }
    if (needs.ackInt && !Contains<FnccIntFeature>(m_features))
    {
        throw FabricError(ccName + " needs INT on ACKs, but the switches have no "
                                   "ns3::FnccIntFeature; add it with AddSwitchFeature()");
    }
    if (needs.symmetricPaths && !m_pathSelector.Create<PathSelector>()->IsSymmetric())
    {
        throw FabricError(ccName + " needs data and ACK on the same links, but " +
                          m_pathSelector.GetTypeId().GetName() +
                          " chooses them apart; use ns3::SymmetricEcmpPathSelector");
    }
    if ((needs.dataInt || needs.ackInt) && maxPaths == UINT32_MAX)
    {
        throw FabricError(ccName + " compares INT records of one path, but " +
                          m_loadBalancer.GetTypeId().GetName() +
                          " sprays packets over all; use ns3::PerFlowLoadBalancer");
    }
    if (needs.dataInt || needs.ackInt)
    {
        const uint32_t hops = fabric.GetRouting().GetMaxSwitches();
        if (hops > FabricPacketItem::MAX_HOPS)
        {
            throw FabricError(
                ccName + " reads INT of at most " + std::to_string(FabricPacketItem::MAX_HOPS) +
                " switches, but some paths of this topology cross " + std::to_string(hops));
        }
    }
    if (needs.ecn && !m_profile)
    {
        throw FabricError(ccName +
                          " needs ECN marks, but the switches have no marking profile; set "
                          "one with SetMarkingProfile(\"ns3::WredMarkingProfile\")");
    }
    if (m_hasFlowControl && !DynamicCast<CongestionAwareQueueDisc>(m_queueDisc.Create<QueueDisc>()))
    {
        throw FabricError(
            m_flowControl.GetTypeId().GetName() + " pauses classes, but " +
            m_queueDisc.GetTypeId().GetName() +
            " as root queue disc cannot hold a class back; use "
            "ns3::CongestionAwareQueueDisc (with ClassQueueDisc), or no flow control");
    }
}

void
FabricHelper::CheckPaths(const Fabric& fabric) const
{
    const CongestionControlNeeds needs =
        m_congestionControl.Create<CongestionControl>()->GetNeeds();
    if (!needs.symmetricPaths)
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
                throw FabricError(
                    m_congestionControl.GetTypeId().GetName() +
                    " needs data and ACK on the same links, but on this topology "
                    "those from host " +
                    std::to_string(src) + " to host " + std::to_string(dst) +
                    " differ; use a symmetric topology or another congestion control");
            }
        }
    }
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
            actor = CreateObject<FabricSwitch>();
        }
        actor->Attach(fabric.m_nodes.Get(number), number);
        fabric.m_actors[number] = PeekPointer(actor);
    }
}

void
FabricHelper::CreateLinks(Fabric& fabric)
{
    ObjectFactory channelFactory;
    channelFactory.SetTypeId(FabricChannel::GetTypeId());
    for (const FabricLink& link : fabric.m_graph.GetLinks())
    {
        Ptr<FabricNetDevice> ends[2];
        for (int end = 0; end < 2; ++end)
        {
            const uint32_t node = end == 0 ? link.a : link.b;
            ends[end] = m_device.Create<FabricNetDevice>();
            ends[end]->SetAttribute("DataRate", DataRateValue(DataRate(link.rateBps)));
            ends[end]->SetQueueDisc(CreateQueueDisc(!fabric.m_graph.IsHost(node)));
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
        std::min<uint32_t>(fabric.GetRouting().GetMaxSwitches(), FabricPacketItem::MAX_HOPS));
    const bool exact = m_int->IsExact();
    const uint32_t payload = fabric.m_sizes.payloadBytes;
    const uint32_t dataInt =
        Contains<HpccIntFeature>(m_features) ? m_wire->GetDataIntBytes(hops, exact) : 0;
    const uint32_t ackInt = Contains<FnccIntFeature>(m_features) || dataInt > 0
                                ? m_wire->GetAckIntBytes(hops, exact)
                                : 0;
    const uint32_t data = m_wire->GetDataBytes(payload, true) + dataInt;
    return {data, std::max(data, m_wire->GetAckBytes() + ackInt)};
}

void
FabricHelper::ConfigureSwitch(Fabric& fabric, uint32_t node)
{
    Ptr<FabricSwitch> sw = fabric.GetSwitch(node);
    sw->SetTier(fabric.m_graph.GetNode(node).tier);
    sw->SetPathSelector(m_pathSelector.Create<PathSelector>());
    sw->SetForwardingTable(fabric.m_routing->BuildTable(node));
    const uint32_t maxFrame = GetMaxFrames(fabric).second;
    std::vector<uint64_t> headroom;
    for (uint16_t p = 0; p < sw->GetNPorts(); ++p)
    {
        const FabricNetDevice* port = sw->GetPort(p);
        headroom.push_back(m_hasFlowControl
                               ? PriorityFlowControl::ComputeHeadroom(port->GetRateBps(),
                                                                      port->GetDelayPs(),
                                                                      maxFrame,
                                                                      maxFrame,
                                                                      m_wire->GetPauseBytes(),
                                                                      m_wire->GetGapBytes())
                               : 0);
    }
    const auto used = static_cast<uint8_t>((1U << m_dataClass) | (1U << m_controlClass));
    Ptr<SharedBuffer> buffer = m_buffer.Create<SharedBuffer>();
    buffer->Configure(headroom, m_hasFlowControl ? 0xff : 0, used);
    sw->SetBuffer(buffer);
    for (const ObjectFactory& factory : m_features)
    {
        Ptr<SwitchFeature> feature = factory.Create<SwitchFeature>();
        for (const auto& [name, object] :
             {std::pair<std::string, Ptr<Object>>{"IntFormat", m_int},
              std::pair<std::string, Ptr<Object>>{"WireFormat", m_wire}})
        {
            TypeId::AttributeInformation info;
            PointerValue present;
            if (factory.GetTypeId().LookupAttributeByName(name, &info))
            {
                feature->GetAttribute(name, present);
                if (!present.GetObject())
                {
                    feature->SetAttribute(name, PointerValue(object));
                }
            }
        }
        sw->AddFeature(feature);
    }
}

void
FabricHelper::ConfigureNic(Fabric& fabric, uint32_t node)
{
    Ptr<FabricNic> nic = fabric.GetNic(node);
    nic->SetCongestionControl(m_congestionControl);
    for (const ObjectFactory& modifier : m_modifiers)
    {
        nic->AddModifier(modifier);
    }
    nic->SetLoadBalancer(m_loadBalancer);
    nic->SetReliability(m_reliability.Create<ReliabilityPolicy>());
    nic->SetWireFormat(m_wire);
    nic->SetIntFormat(m_int);
    nic->SetAttribute("DataClass", UintegerValue(m_dataClass));
    nic->SetAttribute("ControlClass", UintegerValue(m_controlClass));
    if (m_baseRttPerPair)
    {
        const Fabric* plan = &fabric;
        nic->SetBaseRttFunction(
            [plan, node](uint32_t dst) { return plan->GetBaseRttPs(node, dst); });
    }
    else
    {
        const int64_t baseRttPs = m_commonBaseRttPs;
        nic->SetBaseRttFunction([baseRttPs](uint32_t) { return baseRttPs; });
    }
    if (m_cnpIntervalPs >= 0)
    {
        nic->SetAttribute("CnpInterval", TimeValue(FabricTime::FromPs(m_cnpIntervalPs)));
    }
}

int64_t
FabricHelper::AssignStreams(Ptr<Fabric> fabric, int64_t stream)
{
    for (uint32_t node = 0; node < fabric->m_graph.GetNNodes(); ++node)
    {
        const int64_t base = stream + node * STREAMS_PER_NODE;
        FabricActor* actor = fabric->m_actors[node];
        if (fabric->m_graph.IsHost(node))
        {
            fabric->GetNic(node)->AssignStreams(base);
        }
        for (uint16_t p = 0; p < actor->GetNPorts(); ++p)
        {
            FabricNetDevice* port = actor->GetPort(p);
            if (auto disc = DynamicCast<CongestionAwareQueueDisc>(port->GetQueueDisc()))
            {
                disc->AssignStreams(base + 1 + p);
            }
            PointerValue errors;
            port->GetAttribute("ReceiveErrorModel", errors);
            if (auto model = errors.Get<RateErrorModel>())
            {
                model->AssignStreams(base + ERROR_STREAMS + p);
            }
        }
    }
    return fabric->m_graph.GetNNodes() * STREAMS_PER_NODE;
}

} // namespace ns3
