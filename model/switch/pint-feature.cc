// SPDX-License-Identifier: GPL-2.0-only
#include "pint-feature.h"

#include "fabric-switch.h"
#include "port-state.h"

#include "ns3/attribute-range.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-net-device.h"
#include "ns3/fabric-time.h"
#include "ns3/pint-code.h"
#include "ns3/wire-format.h"

#include <algorithm>
#include <string>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(PintFeature);

TypeId
PintFeature::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::PintFeature")
            .SetParent<SwitchFeature>()
            .SetGroupName("Dcfabric")
            .AddConstructor<PintFeature>()
            .AddAttribute("BaseRtt",
                          "T, over which utilization is averaged; by default the "
                          "largest base RTT of the network.",
                          TimeValue(Seconds(0)),
                          MakeTimeAccessor(&PintFeature::m_baseRtt),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()));
    return tid;
}

PintFeature::PintFeature()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

uint32_t
PintFeature::GetHooks() const
{
    return DEQUEUE;
}

const char*
PintFeature::GetClash() const
{
    return " and would average each packet twice";
}

SwitchFeature::Growth
PintFeature::GetGrowth(const WireFormat& wire, uint8_t /* hops */, bool exact) const
{
    return {wire.GetDataIntBytes(0, exact), wire.GetAckIntBytes(0, exact)};
}

SwitchFeature::Effects
PintFeature::GetEffects() const
{
    Effects effects;
    effects.dataInt = true;
    return effects;
}

std::vector<PolicyDefault>
PintFeature::ListDefaults(const PolicyNetwork& network) const
{
    auto defaults = SwitchFeature::ListDefaults(network);
    defaults.push_back({"ns3::PintFeature", "BaseRtt", std::to_string(network.baseRttPs) + "ps"});
    return defaults;
}

int64_t
PintFeature::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

void
PintFeature::Attach(FabricSwitch* sw, uint32_t number)
{
    SwitchFeature::Attach(sw, number);
    if (m_baseRtt.IsZero())
    {
        throw FabricError(FabricTerm::Attribute("ns3::PintFeature", "BaseRtt") +
                          " must be above zero");
    }
    m_inverseT = 1 / static_cast<double>(FabricTime::ToPs(m_baseRtt));
    m_ports.assign(sw->GetNPorts(), {});
}

double
PintFeature::Average(double before, const IntSample& last, const IntSample& now, double inverseT)
{
    const double bdpShare = 8e12 / static_cast<double>(now.rateBps) * inverseT; // of a byte
    const double span = std::min(static_cast<double>(now.timePs - last.timePs) * inverseT, 1.0);
    const double queue = bdpShare * static_cast<double>(now.queueBytes);
    const double sent = bdpShare * static_cast<double>(now.txBytes - last.txBytes);
    return (1 - span) * before + span * queue + std::min(sent, 1.0);
}

void
PintFeature::OnDequeue(FabricNetDevice& egress, FabricPacketItem& item)
{
    if (item.type != FabricPacketType::DATA || (item.flags & FabricPacketItem::FLAG_INT) == 0)
    {
        return;
    }
    Port& port = m_ports[egress.GetPort()];
    const IntSample now = PortState::Read(egress, item.GetPriority());
    port.utilization = Average(port.utilization, port.last, now, m_inverseT);
    port.last = now;
    const uint8_t code = PintCode::Encode(port.utilization, m_random->GetValue());
    item.pathId = std::max<uint16_t>(item.pathId, code);
}

void
PintFeature::DoDispose()
{
    m_random = nullptr;
    SwitchFeature::DoDispose();
}

} // namespace ns3
