// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief FabricHelper lays links, with their queues and their flow control.
 */
#include "fabric-helper.h"
#include "own-object.h"

#include "ns3/boolean.h"
#include "ns3/congestion-aware-queue-disc.h"
#include "ns3/edge-path-feature.h"
#include "ns3/fabric-channel.h"
#include "ns3/fabric-error.h"
#include "ns3/frame-loss.h"
#include "ns3/grant-packet.h"
#include "ns3/link-retry.h"
#include "ns3/pointer.h"
#include "ns3/prototype-factory.h"
#include "ns3/queue-size.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3
{

Ptr<QueueDisc>
FabricHelper::CreateQueueDisc(bool forSwitch, Ptr<QueueDisc>& sample) const
{
    if (!sample)
    {
        sample = forSwitch ? m_queueDisc.Create<QueueDisc>()
                           : Ptr<QueueDisc>(CreateObject<CongestionAwareQueueDisc>());
    }
    const auto* own = CongestionAwareQueueDisc::Find(*sample);
    Ptr<QueueDisc> disc = own ? own->CreateAlike() : nullptr;
    if (!disc)
    {
        disc = std::exchange(sample, nullptr); // the next one is looked up as well
    }
    GiveOwnObject(*disc, "Scheduler");
    if (forSwitch)
    {
        ConfigureChannels(disc);
    }
    return disc;
}

Ptr<PacketTrimmer>
FabricHelper::GetPortTrimmer(bool lastHop)
{
    Ptr<PacketTrimmer>& trimmer = m_portTrimmers[lastHop ? 1 : 0];
    if (m_hasTrimmer && !trimmer)
    {
        trimmer = m_trimmer.Create<PacketTrimmer>();
        trimmer->SetAttribute("LastHop", BooleanValue(lastHop));
    }
    return trimmer;
}

void
FabricHelper::CreateLinks(Fabric& fabric)
{
    Ptr<QueueDisc> unused[2];  // of switches and hosts that other processes simulate
    Ptr<QueueDisc> samples[2]; // of switches and hosts: what others are like
    const auto port = m_device.Create<FabricNetDevice>(); // what others are like
    const PrototypeFactory flowControls(m_flowControl);
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
            ends[end] = port->CreateAlike(DataRate(link.rateBps));
            if (!ends[end])
            {
                ends[end] = m_device.Create<FabricNetDevice>();
                ends[end]->SetAttribute("DataRate", DataRateValue(DataRate(link.rateBps)));
            }
            const bool isHost = fabric.m_graph.IsHost(node);
            Ptr<QueueDisc>& elsewhere = unused[isHost ? 1 : 0];
            if (!fabric.IsHere(node))
            {
                ends[end]->SetElsewhere();
            }
            Ptr<QueueDisc> disc = fabric.IsHere(node) || !elsewhere
                                      ? CreateQueueDisc(!isHost, samples[isHost ? 1 : 0])
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
            if (m_hasTrimmer)
            {
                const bool lastHop = fabric.m_graph.IsHost(end == 0 ? link.b : link.a);
                disc->SetAttribute("Trimmer", PointerValue(GetPortTrimmer(lastHop)));
            }
            ends[end]->SetQueueDisc(disc);
            if (m_hasLinkRetry)
            {
                ends[end]->SetRetry(m_linkRetry.Create<LinkRetry>());
            }
            if (m_hasFlowControl)
            {
                ends[end]->SetFlowControl(flowControls.Create<LinkFlowControl>());
            }
            if (link.errorRate > 0)
            {
                Ptr<FrameLoss> errors = CreateObject<FrameLoss>();
                errors->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
                errors->SetRate(link.errorRate);
                ends[end]->SetAttribute("ReceiveErrorModel", PointerValue(errors));
            }
            fabric.m_actors[node]->AddPort(ends[end]);
        }
        const Ptr<FabricChannel> channel = FabricChannel::Create(FabricTime::FromPs(link.delayPs));
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
    const uint32_t demand = m_needs.receiver.empty() ? 0 : CreditUnits::DEMAND_BYTES;
    const uint32_t data = m_wire->GetDataBytes(payload, true) + match + demand + dataInt;
    CheckPayload(payload, m_wire->GetDataBytes(payload, m_matches) + match + demand + dataInt);
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
FabricHelper::ConfigureFlowControl(const FabricActor& actor, uint32_t maxFrame)
{
    for (uint16_t p = 0; p < actor.GetNPorts(); ++p)
    {
        if (LinkRetry* retry = actor.GetPort(p)->GetRetry())
        {
            retry->SetMaxFrameBytes(maxFrame);
        }
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
FabricHelper::IntroduceEdges(const Fabric& fabric) const
{
    std::vector<Ptr<EdgePathFeature>> features;
    for (const FabricActor* actor : fabric.m_actors)
    {
        if (fabric.m_graph.IsHost(actor->GetAddress()))
        {
            continue;
        }
        if (const auto feature =
                fabric.GetSwitch(actor->GetAddress())->GetFeature<EdgePathFeature>())
        {
            features.push_back(feature);
        }
    }
    if (features.empty())
    {
        return;
    }
    auto plan = std::make_shared<EdgePlan>();
    plan->edgeOf.assign(fabric.m_actors.size(), EdgePlan::NONE);
    plan->accessPs.assign(fabric.m_actors.size(), 0);
    plan->dataBytes = fabric.m_sizes.payloadBytes + fabric.m_sizes.overhead +
                      fabric.m_sizes.gapBytes + EdgeTag::BYTES;
    plan->answerBytes = fabric.m_sizes.ackBytes + fabric.m_sizes.gapBytes;
    for (const uint32_t host : fabric.GetHosts())
    {
        const FabricNic& nic = *fabric.GetNic(host);
        for (uint16_t p = 0; p < nic.GetNPorts(); ++p)
        {
            const uint32_t edge = nic.GetPort(p)->GetLink().GetPeer()->GetActor()->GetAddress();
            if (p > 0 && edge != plan->edgeOf[host])
            {
                throw FabricError(
                    FabricTerm::Class(m_pathSelector.GetTypeId()),
                    " keeps what it knows of ways by the switches of hosts, but host " +
                        std::to_string(host) + " has links to several",
                    {FabricRemedy::Use(FabricTerm::Class("ns3::AdaptivePathSelector"))});
            }
            plan->edgeOf[host] = edge;
            const PortLink& link = nic.GetPort(p)->GetLink();
            plan->accessPs[host] = 2 * link.GetDelayPs() + link.TransmissionPs(plan->dataBytes) +
                                   link.TransmissionPs(plan->answerBytes);
        }
    }
    for (const auto& feature : features)
    {
        feature->LearnEdges(plan);
    }
}

} // namespace ns3
