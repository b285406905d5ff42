// SPDX-License-Identifier: GPL-2.0-only
#include "hpcc-int-feature.h"

#include "fabric-switch.h"
#include "port-state.h"

#include "ns3/fabric-net-device.h"
#include "ns3/pointer.h"
#include "ns3/wire-format.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(HpccIntFeature);

TypeId
HpccIntFeature::GetTypeId()
{
    static TypeId tid = TypeId("ns3::HpccIntFeature")
                            .SetParent<SwitchFeature>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<HpccIntFeature>()
                            .AddAttribute("IntFormat",
                                          "Layout of the records; null for the default layout.",
                                          PointerValue(),
                                          MakePointerAccessor(&HpccIntFeature::m_format),
                                          MakePointerChecker<IntFormat>())
                            .AddAttribute("WireFormat",
                                          "Sizes on the wire; null for true RoCEv2.",
                                          PointerValue(),
                                          MakePointerAccessor(&HpccIntFeature::m_wire),
                                          MakePointerChecker<WireFormat>());
    return tid;
}

uint32_t
HpccIntFeature::GetHooks() const
{
    return DEQUEUE;
}

const char*
HpccIntFeature::GetClash() const
{
    return " and would add two records to a packet";
}

SwitchFeature::Growth
HpccIntFeature::GetGrowth(const WireFormat& wire, uint8_t hops, bool exact) const
{
    return {wire.GetDataIntBytes(hops, exact), wire.GetAckIntBytes(hops, exact)};
}

SwitchFeature::Effects
HpccIntFeature::GetEffects() const
{
    Effects effects;
    effects.dataInt = true;
    return effects;
}

void
HpccIntFeature::Attach(FabricSwitch* sw, uint32_t number)
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
    IntStamper::SizeTable sizes{};
    for (uint8_t hops = 0; hops < sizes.size(); ++hops)
    {
        sizes[hops] = m_wire->GetDataIntBytes(hops, m_format->IsExact());
    }
    m_stamper.Start(*sw, m_format, sizes);
}

void
HpccIntFeature::OnDequeue(FabricNetDevice& egress, FabricPacketItem& item)
{
    if (item.type == FabricPacketType::DATA && (item.flags & FabricPacketItem::FLAG_INT))
    {
        const uint16_t port = egress.GetPort();
        m_stamper.Append(item, port, PortState::Read(egress, item.GetPriority()));
        m_stamper.AddHop(item, port);
    }
}

void
HpccIntFeature::CheckRate(uint16_t /* port */, uint64_t rateBps) const
{
    m_stamper.CheckRate(rateBps);
}

} // namespace ns3
