// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief FabricHelper makes and configures hosts and switches.
 */
#include "fabric-helper.h"
#include "own-object.h"

#include "ns3/congestion-aware-queue-disc.h"
#include "ns3/error-model.h"
#include "ns3/fabric-error.h"
#include "ns3/pointer.h"
#include "ns3/uinteger.h"
#include "ns3/wire-errors.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

void
FabricHelper::CreateNodes(Fabric& fabric)
{
    const FabricGraph& graph = fabric.m_graph;
    fabric.m_actors.assign(graph.GetNNodes(), nullptr);
    ObjectFactory nics = m_nic;
    if (m_dataClass != UNSET)
    {
        nics.Set("DataClass", UintegerValue(m_dataClass));
        nics.Set("ControlClass", UintegerValue(m_controlClass));
    }
    const auto nic = nics.Create<FabricNic>(); // what others are like
    for (uint32_t number = 0; number < graph.GetNNodes(); ++number)
    {
        Ptr<FabricActor> actor;
        if (graph.IsHost(number))
        {
            actor = nic->CreateAlike();
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
            throw FabricError(FabricTerm::Attribute(tid, name),
                              " is " + std::to_string(present.Get()) + ", but the hosts send " +
                                  what + " in class " + std::to_string(value) +
                                  ", which it follows by itself",
                              {FabricRemedy::Do("do not set it")});
        }
        feature->SetAttribute(name, UintegerValue(value));
    }
    ConfigureDataChannels(feature);
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
    GiveOwnObject(*buffer, "Arbiter");
    const auto lossless = static_cast<uint8_t>(m_hasFlowControl ? ~m_lossyStackClasses : 0);
    buffer->Configure(headroom, lossless, m_usedClasses);
    sw->SetBuffer(buffer);
    for (const ObjectFactory& factory : m_features)
    {
        Ptr<SwitchFeature> feature = factory.Create<SwitchFeature>();
        ConfigureFeature(feature);
        sw->AddFeature(feature);
    }
    if (Ptr<SwitchFeature> vias = fabric.m_algorithm->MakeViaFeature(fabric.m_vias))
    {
        ConfigureFeature(vias);
        sw->AddFeature(vias);
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
    nic->reliability = m_reliabilities.Create<ReliabilityPolicy>();
    if (m_matches)
    {
        nic->GetMessages().EnableMatching(*m_messageProtocol.Create<MessageProtocol>(),
                                          m_matchTable);
    }
    nic->wire = m_wire;
    nic->intFormat = m_int;
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
    if (m_usesHostLinks)
    {
        Ptr<HostLink> link = CreateObject<HostLink>();
        link->Attach(*nic, m_presentMaxFrame);
        nic->SetHostLink(link);
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
    const int64_t streams = fabric->PlaceStreams(stream);
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
            fabric->GetSwitch(node)->GetBuffer()->AssignStreams(base + Fabric::OWN_STREAM);
        }
        else
        {
            fabric->GetNic(node)->DrawClock(base + Fabric::OWN_STREAM);
            fabric->GetNic(node)->GetReceiverGrants().AssignStreams(base + Fabric::GRANT_STREAM);
        }
        for (uint16_t p = 0; p < actor->GetNPorts(); ++p)
        {
            FabricNetDevice* port = actor->GetPort(p);
            if (InjectionThrottle* throttle =
                    isHost ? fabric->GetNic(node)->GetThrottle(p) : nullptr)
            {
                throttle->AssignStreams(fabric->GetPortStream(node, p, Fabric::THROTTLE_STREAMS));
            }
            const Ptr<QueueDisc> root = port->GetQueue().GetDisc();
            if (auto* disc = CongestionAwareQueueDisc::Find(*root))
            {
                disc->AssignStreams(fabric->GetPortStream(node, p, used));
            }
            Ptr<ErrorModel> model = port->GetReceiveErrorModel();
            if (auto wire = DynamicCast<WireErrors>(model))
            {
                wire->AssignStreams(fabric->GetFaultStream(*port));
                model = wire->GetFormer();
            }
            if (auto rate = DynamicCast<RateErrorModel>(model))
            {
                rate->AssignStreams(fabric->GetPortStream(node, p, Fabric::ERROR_STREAMS));
            }
        }
    }
    return streams;
}

} // namespace ns3
