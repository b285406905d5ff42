// SPDX-License-Identifier: GPL-2.0-only
#include "switch-feature.h"

#include "fabric-switch.h"

#include "ns3/node.h"
#include "ns3/simulator.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(SwitchFeature);

TypeId
SwitchFeature::GetTypeId()
{
    static TypeId tid = TypeId("ns3::SwitchFeature").SetParent<Object>().SetGroupName("Dcfabric");
    return tid;
}

const char*
SwitchFeature::GetClash() const
{
    return nullptr;
}

SwitchFeature::Growth
SwitchFeature::GetGrowth(const WireFormat& /* wire */, uint8_t /* hops */, bool /* exact */) const
{
    return {};
}

SwitchFeature::Effects
SwitchFeature::GetEffects() const
{
    return {};
}

std::vector<PolicyDefault>
SwitchFeature::ListDefaults(const PolicyNetwork& /* network */) const
{
    return GetEffects().keepsOrder ? std::vector<PolicyDefault>()
                                   : PolicyDefault::WherePacketsOvertake();
}

SwitchFeature::Counters
SwitchFeature::GetCounters() const
{
    return {};
}

void
SwitchFeature::Attach(FabricSwitch* sw, uint32_t number)
{
    m_switch = sw;
    m_number = number;
}

int64_t
SwitchFeature::AssignStreams(int64_t /* stream */)
{
    return 0;
}

bool
SwitchFeature::OnReceive(FabricNetDevice& /* ingress */, FabricPacketItem& /* item */)
{
    return false;
}

bool
SwitchFeature::OnConsume(FabricNetDevice& /* ingress */, FabricPacketItem& /* item */)
{
    return false;
}

void
SwitchFeature::OnChoosePath(const PortGroup& /* group */,
                            FabricPacketItem& /* item */,
                            uint16_t& /* port */)
{
}

DropReason
SwitchFeature::OnFilter(const FabricNetDevice& /* egress */, const FabricPacketItem& /* item */)
{
    return DropReason::NONE;
}

void
SwitchFeature::OnPeerPause(FabricNetDevice& /* egress */, uint8_t /* classes */)
{
}

void
SwitchFeature::OnAdmit(FabricNetDevice& /* ingress */,
                       FabricNetDevice& /* egress */,
                       FabricPacketItem& /* item */)
{
}

void
SwitchFeature::OnEnqueue(FabricNetDevice& /* egress */, FabricPacketItem& /* item */)
{
}

void
SwitchFeature::OnDequeue(FabricNetDevice& /* egress */, FabricPacketItem& /* item */)
{
}

void
SwitchFeature::OnDrop(FabricPacketItem& /* item */,
                      DropReason /* reason */,
                      const FabricNetDevice* /* egress */)
{
}

void
SwitchFeature::OnTransmit(FabricNetDevice& /* egress */, const FabricPacketItem& /* item */)
{
}

void
SwitchFeature::CheckRate(uint16_t /* port */, uint64_t /* rateBps */) const
{
}

void
SwitchFeature::OnLinkChange(FabricNetDevice& /* port */)
{
}

void
SwitchFeature::OnPower()
{
}

bool
SwitchFeature::MaySend() const
{
    return m_switch->IsOn() && m_switch->GetNode()->GetSystemId() == Simulator::GetSystemId();
}

void
SwitchFeature::OnTimer(int64_t /* nowPs */)
{
}

void
SwitchFeature::DoDispose()
{
    m_switch = nullptr;
    Object::DoDispose();
}

} // namespace ns3
