// SPDX-License-Identifier: GPL-2.0-only
#include "via-feature.h"

#include "ns3/attribute-range.h"
#include "ns3/fabric-net-device.h"
#include "ns3/fabric-switch.h"
#include "ns3/fabric-time.h"
#include "ns3/flow-key.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(ViaFeature);
NS_OBJECT_ENSURE_REGISTERED(ValiantFeature);
NS_OBJECT_ENSURE_REGISTERED(UgalFeature);

TypeId
ViaFeature::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ViaFeature")
            .SetParent<SwitchFeature>()
            .SetGroupName("Dcfabric")
            .AddAttribute("FlowletGap",
                          "Pause after which a flow may change between ways; zero: each packet "
                          "may.",
                          TimeValue(Seconds(0)),
                          MakeTimeAccessor(&ViaFeature::m_flowletGap),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()));
    return tid;
}

ViaFeature::ViaFeature()
    : m_random(CreateObject<UniformRandomVariable>()),
      m_flows(m_flowletGap)
{
}

const char*
ViaFeature::GetClash() const
{
    return " and would send a packet by two ways at once";
}

SwitchFeature::Effects
ViaFeature::GetEffects() const
{
    Effects effects;
    effects.paths = UINT32_MAX;
    // a gap longer than ways differ keeps the order, as with ns3::FlowletPathSelector
    effects.keepsOrder = !m_flowletGap.IsZero();
    return effects;
}

SwitchFeature::Counters
ViaFeature::GetCounters() const
{
    return {{"minimal_packets", m_minimalPackets},
            {"non_minimal_packets", m_nonMinimalPackets},
            {"diverted_packets", m_divertedPackets}};
}

void
ViaFeature::Attach(FabricSwitch* sw, uint32_t number)
{
    SwitchFeature::Attach(sw, number);
    m_choices.clear();
    m_peers.clear();
    for (uint16_t port = 0; port < sw->GetNPorts(); ++port)
    {
        const FabricNetDevice* peer = sw->GetPort(port)->GetLink().GetPeer();
        const auto* from = peer ? dynamic_cast<const FabricSwitch*>(peer->GetActor()) : nullptr;
        const bool again =
            from && m_plan && m_plan->MayChooseAgain(sw->GetAddress(), from->GetAddress());
        m_peers.push_back(from ? from->GetAddress() : ViaPlan::NONE);
        m_choices.push_back(again ? Choice::AGAIN : peer && !from ? Choice::FIRST : Choice::NONE);
    }
}

int64_t
ViaFeature::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

bool
ViaFeature::OnReceive(FabricNetDevice& ingress, FabricPacketItem& item)
{
    if ((item.flags & FabricPacketItem::FLAG_VIA) != 0)
    {
        if (m_plan->EndsAt(m_switch->GetAddress(), item.dst))
        {
            item.EndVia();
        }
        return false;
    }
    const Choice choice = m_choices[ingress.GetPort()];
    if (!m_plan || choice == Choice::NONE ||
        (choice == Choice::AGAIN &&
         !m_plan->IsNear(m_switch->GetAddress(), GetPeer(ingress.GetPort()), item.src)))
    {
        return false;
    }
    const uint32_t via = Choose(item);
    if (via != ViaPlan::NONE)
    {
        item.GoVia(via);
        ++(choice == Choice::FIRST ? m_nonMinimalPackets : m_divertedPackets);
    }
    else if (choice == Choice::FIRST)
    {
        ++m_minimalPackets;
    }
    return false;
}

uint32_t
ViaFeature::Choose(const FabricPacketItem& item)
{
    if (m_flowletGap.IsZero())
    {
        return ChooseAnew(item);
    }
    const uint64_t flow = FlowKey::Of(item).GetNumber();
    const int64_t nowPs = m_switch->GetNowPs();
    FlowPortTable::Entry* flowlet = m_flows.Find(flow);
    if (m_flows.Holds(flowlet, nowPs) &&
        FindPort(flowlet->port == ViaPlan::NONE ? item.dst : flowlet->port, item) !=
            FabricPacketItem::NO_PORT)
    {
        flowlet->lastPs = nowPs;
        return flowlet->port;
    }
    const uint32_t via = ChooseAnew(item);
    m_flows.Set(flow, via, nowPs);
    return via;
}

uint32_t
ViaFeature::ChooseAnew(const FabricPacketItem& item)
{
    const uint32_t via = m_plan->Draw(m_switch->GetAddress(), item.dst, m_random->GetValue());
    if (via == ViaPlan::NONE || FindPort(via, item) == FabricPacketItem::NO_PORT)
    {
        return ViaPlan::NONE;
    }
    return TakesVia(item, via) ? via : ViaPlan::NONE;
}

uint16_t
ViaFeature::FindPort(uint32_t address, const FabricPacketItem& item) const
{
    const ForwardingTable& table = m_switch->GetForwardingTable();
    PortGroup group = table.Lookup(address);
    if (group.nPorts == 0)
    {
        return FabricPacketItem::NO_PORT;
    }
    uint16_t port =
        group.nPorts == 1 ? group.ports[0] : m_switch->GetPathSelector()->Predict(group, item);
    if (port != FabricPacketItem::NO_PORT && !table.IsDown(port))
    {
        return port;
    }
    if (port != FabricPacketItem::NO_PORT)
    {
        group = table.LookupUp(address);
    }
    const PortLoads& loads = m_switch->GetPortLoads();
    const uint16_t* end = group.ports + group.nPorts;
    const uint16_t* best = std::min_element(group.ports, end, [&loads](uint16_t a, uint16_t b) {
        return loads.GetWaitingBytes(a) < loads.GetWaitingBytes(b);
    });
    return best == end ? FabricPacketItem::NO_PORT : *best;
}

TypeId
ValiantFeature::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ValiantFeature")
                            .SetParent<ViaFeature>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<ValiantFeature>();
    return tid;
}

bool
ValiantFeature::TakesVia(const FabricPacketItem& /* item */, uint32_t /* via */) const
{
    return true;
}

TypeId
UgalFeature::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::UgalFeature")
            .SetParent<ViaFeature>()
            .SetGroupName("Dcfabric")
            .AddConstructor<UgalFeature>()
            .AddAttribute("Bias",
                          "Wait times links by which the minimal way may be worse and is taken "
                          "nevertheless.",
                          TimeValue(Seconds(0)),
                          MakeTimeAccessor(&UgalFeature::m_bias),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()));
    return tid;
}

SwitchFeature::Effects
UgalFeature::GetEffects() const
{
    Effects effects = ViaFeature::GetEffects();
    effects.leadsByLoad = true;
    return effects;
}

bool
UgalFeature::TakesVia(const FabricPacketItem& item, uint32_t via) const
{
    const uint16_t minimal = FindPort(item.dst, item);
    if (minimal == FabricPacketItem::NO_PORT)
    {
        return true;
    }
    const uint32_t node = m_switch->GetAddress();
    const int64_t minimalCost = GetWaitPs(minimal) * m_plan->GetHops(node, item.dst);
    const int64_t viaCost = GetWaitPs(FindPort(via, item)) *
                            (m_plan->GetHops(node, via) + m_plan->GetHops(via, item.dst));
    return minimalCost > viaCost + FabricTime::ToPs(m_bias);
}

int64_t
UgalFeature::GetWaitPs(uint16_t port) const
{
    return m_switch->GetPort(port)->GetLink().TransmissionPs(
        m_switch->GetPortLoads().GetWaitingBytes(port));
}

} // namespace ns3
