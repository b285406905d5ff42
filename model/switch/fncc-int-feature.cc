// SPDX-License-Identifier: GPL-2.0-only
#include "fncc-int-feature.h"

#include "fabric-switch.h"
#include "port-state.h"

#include "ns3/attribute-range.h"
#include "ns3/fabric-time.h"
#include "ns3/pointer.h"
#include "ns3/uinteger.h"
#include "ns3/wire-format.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(FnccIntFeature);

TypeId
FnccIntFeature::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::FnccIntFeature")
            .SetParent<SwitchFeature>()
            .SetGroupName("Dcfabric")
            .AddConstructor<FnccIntFeature>()
            .AddAttribute("IntFormat",
                          "Layout of the records; null for the default layout.",
                          PointerValue(),
                          MakePointerAccessor(&FnccIntFeature::m_format),
                          MakePointerChecker<IntFormat>())
            .AddAttribute("WireFormat",
                          "Sizes on the wire; null for true RoCEv2.",
                          PointerValue(),
                          MakePointerAccessor(&FnccIntFeature::m_wire),
                          MakePointerChecker<WireFormat>())
            .AddAttribute("RefreshInterval",
                          "Time between two updates of the table; zero: always current. The paper "
                          "does not say how often it is updated; see doc/validation.rst.",
                          TimeValue(NanoSeconds(1500)),
                          MakeTimeAccessor(&FnccIntFeature::m_interval),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute("DataClass",
                          "Class whose queue length the table shows.",
                          UintegerValue(3),
                          MakeUintegerAccessor(&FnccIntFeature::m_dataClass),
                          MakeUintegerChecker<uint8_t>(0, 7))
            .AddAttribute("DataChannels",
                          "Bit mask of the virtual channels of data, whose queues the table shows "
                          "together with that of DataClass; set by FabricHelper.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&FnccIntFeature::m_dataChannels),
                          MakeUintegerChecker<uint8_t>());
    return tid;
}

uint32_t
FnccIntFeature::GetHooks() const
{
    return m_interval.IsZero() ? ENQUEUE : ENQUEUE | DEQUEUE;
}

const char*
FnccIntFeature::GetClash() const
{
    return " and would add two records to a packet";
}

SwitchFeature::Growth
FnccIntFeature::GetGrowth(const WireFormat& wire, uint8_t hops, bool exact) const
{
    return {0, wire.GetAckIntBytes(hops, exact)};
}

SwitchFeature::Effects
FnccIntFeature::GetEffects() const
{
    Effects effects;
    effects.answerInt = true;
    return effects;
}

void
FnccIntFeature::Attach(FabricSwitch* sw, uint32_t number)
{
    SwitchFeature::Attach(sw, number);
    if (!m_format)
    {
        m_format = CreateObject<IntFormat>();
    }
    if (!m_wire)
    {
        m_wire = CreateObject<RoceV2WireFormat>();
    }
    m_intervalPs = FabricTime::ToPs(m_interval);
    IntStamper::SizeTable sizes{};
    for (uint8_t hops = 0; hops < sizes.size(); ++hops)
    {
        sizes[hops] = m_wire->GetAckIntBytes(hops, m_format->IsExact());
    }
    m_stamper.Start(*sw, m_format, sizes);
    m_table.assign(sw->GetNPorts(), {});
    for (uint16_t port = 0; port < sw->GetNPorts(); ++port)
    {
        m_table[port].rateBps = sw->GetPort(port)->GetRateBps();
    }
}

IntSample
FnccIntFeature::ReadPort(const FabricNetDevice& port, int64_t atPs) const
{
    IntSample sample = PortState::Read(port, m_dataClass, atPs);
    for (uint8_t c = 0; m_dataChannels >> c != 0; ++c)
    {
        if (c != m_dataClass && ((m_dataChannels >> c) & 1) != 0)
        {
            sample.queueBytes += PortState::GetQueueBytes(port, c);
        }
    }
    return sample;
}

void
FnccIntFeature::Refresh(const FabricNetDevice& port, uint32_t leftBytes)
{
    IntSample& entry = m_table[port.GetPort()];
    const int64_t nowPs = port.GetNowPs();
    const int64_t duePs = nowPs - nowPs % m_intervalPs;
    if (duePs > entry.timePs)
    {
        entry = ReadPort(port, duePs);
        entry.queueBytes += leftBytes;
    }
}

IntSample
FnccIntFeature::Lookup(uint16_t port)
{
    const FabricNetDevice& device = *m_switch->GetPort(port);
    if (m_intervalPs == 0)
    {
        return ReadPort(device, device.GetNowPs());
    }
    Refresh(device, 0);
    return m_table[port];
}

void
FnccIntFeature::OnEnqueue(FabricNetDevice& egress, FabricPacketItem& item)
{
    if (m_intervalPs != 0)
    {
        Refresh(egress, 0);
    }
    const bool isAck = item.type == FabricPacketType::ACK || item.type == FabricPacketType::RTW ||
                       item.type == FabricPacketType::RNR;
    if (isAck && item.ingressPort != FabricPacketItem::NO_PORT)
    {
        m_stamper.Append(item, item.ingressPort, Lookup(item.ingressPort));
        m_stamper.AddHop(item, item.ingressPort);
        item.flags |= FabricPacketItem::FLAG_INT_REVERSED;
    }
}

void
FnccIntFeature::OnDequeue(FabricNetDevice& egress, FabricPacketItem& item)
{
    const bool counts =
        item.GetPriority() == m_dataClass || ((m_dataChannels >> item.GetPriority()) & 1) != 0;
    Refresh(egress, counts ? item.size : 0);
}

void
FnccIntFeature::CheckRate(uint16_t /* port */, uint64_t rateBps) const
{
    m_stamper.CheckRate(rateBps);
}

} // namespace ns3
