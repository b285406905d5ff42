// SPDX-License-Identifier: GPL-2.0-only
#include "shield-feature.h"

#include "fabric-switch.h"
#include "shield-notice.h"
#include "switch-notice.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-net-device.h"
#include "ns3/fabric-time.h"
#include "ns3/log.h"
#include "ns3/path-selector.h"
#include "ns3/pointer.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3
{

LogComponent ShieldFeature::g_log("ShieldFeature", __FILE__);

NS_OBJECT_ENSURE_REGISTERED(ShieldFeature);

TypeId
ShieldFeature::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ShieldFeature")
                            .SetParent<SwitchFeature>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<ShieldFeature>()
                            .AddAttribute("ControlClass",
                                          "Class of notices.",
                                          UintegerValue(6),
                                          MakeUintegerAccessor(&ShieldFeature::m_controlClass),
                                          MakeUintegerChecker<uint8_t>(0, 7))
                            .AddAttribute("WireFormat",
                                          "Sizes on the wire; null for true RoCEv2.",
                                          PointerValue(),
                                          MakePointerAccessor(&ShieldFeature::m_wire),
                                          MakePointerChecker<WireFormat>());
    return tid;
}

uint32_t
ShieldFeature::GetHooks() const
{
    return CONSUME | CHOOSE_PATH;
}

const char*
ShieldFeature::GetClash() const
{
    return " and would tell neighbors twice";
}

SwitchFeature::Counters
ShieldFeature::GetCounters() const
{
    return {{"shield_notices", m_notices}, {"shield_moved_packets", m_moved}};
}

void
ShieldFeature::Attach(FabricSwitch* sw, uint32_t number)
{
    SwitchFeature::Attach(sw, number);
    if (!m_wire)
    {
        m_wire = CreateObject<RoceV2WireFormat>();
    }
    const RouteNeeds needs = sw->GetPathSelector()->GetRouteNeeds();
    if (needs.spanningTrees || needs.feature)
    {
        throw FabricError(FabricTerm::Class(GetTypeId()),
                          " has packets take another port of their group, but " +
                              FabricTerm::Class(sw->GetPathSelector()->GetInstanceTypeId()) +
                              " leads them along whole ways of its own",
                          {FabricRemedy::Use(FabricTerm::Class("ns3::SymmetricEcmpPathSelector"))});
    }
    TimeValue detection;
    sw->GetAttribute("DetectionTime", detection);
    m_detectionPs = FabricTime::ToPs(detection.Get());
    const uint16_t nPorts = sw->GetNPorts();
    m_down.assign(nPorts, false);
    m_downPs.assign(nPorts, FabricTime::NEVER);
    m_told.assign(nPorts, {});
    m_isPeer.clear();
    for (uint16_t port = 0; port < nPorts; ++port)
    {
        const FabricNetDevice* peer = sw->GetPort(port)->GetLink().GetPeer();
        m_isPeer.push_back(peer && dynamic_cast<const FabricSwitch*>(peer->GetActor()));
    }
}

void
ShieldFeature::OnLinkChange(FabricNetDevice& port)
{
    const uint16_t number = port.GetPort();
    if (!port.IsLinkUp())
    {
        if (m_downPs[number] == FabricTime::NEVER)
        {
            m_downPs[number] = m_switch->GetNowPs();
            m_switch->ArmTimer(m_number, m_downPs[number] + m_detectionPs);
        }
        return;
    }
    if (m_downPs[number] == FabricTime::NEVER)
    {
        return; // another rate
    }
    m_downPs[number] = FabricTime::NEVER;
    m_down[number] = false;
    m_told[number].clear();
    const uint64_t before = m_notices;
    Update();
    if (m_notices == before && std::find(m_lost.begin(), m_lost.end(), true) != m_lost.end())
    {
        Tell(number); // which has forgotten it
    }
}

void
ShieldFeature::OnPower()
{
    // what links that came up had it tell could not leave before the switch itself was back
    if (m_switch->IsOn() && std::find(m_lost.begin(), m_lost.end(), true) != m_lost.end())
    {
        for (uint16_t port = 0; port < m_isPeer.size(); ++port)
        {
            Tell(port);
        }
    }
}

void
ShieldFeature::OnTimer(int64_t nowPs)
{
    for (std::size_t port = 0; port < m_down.size(); ++port)
    {
        const int64_t sincePs = m_downPs[port];
        m_down[port] =
            m_down[port] || (sincePs != FabricTime::NEVER && nowPs - sincePs >= m_detectionPs);
    }
    Update();
}

bool
ShieldFeature::IsLost(uint16_t port, uint32_t address) const
{
    return m_down[port] || IsTold(port, address);
}

void
ShieldFeature::Update()
{
    m_anyTold =
        std::any_of(m_told.begin(), m_told.end(), [](const auto& told) { return !told.empty(); });
    const ForwardingTable& table = m_switch->GetForwardingTable();
    std::vector<bool> lost(table.GetNAddresses(), false);
    for (uint32_t address = 0; address < lost.size(); ++address)
    {
        const PortGroup group = table.Lookup(address);
        lost[address] = group.nPorts > 0 &&
                        std::all_of(group.ports, group.ports + group.nPorts, [&](uint16_t port) {
                            return IsLost(port, address);
                        });
    }
    if (m_lost.empty())
    {
        m_lost.assign(lost.size(), false);
    }
    if (lost == m_lost)
    {
        return;
    }
    m_lost = std::move(lost);
    for (uint16_t port = 0; port < m_isPeer.size(); ++port)
    {
        Tell(port);
    }
}

void
ShieldFeature::Tell(uint16_t port)
{
    FabricNetDevice& device = *m_switch->GetPort(port);
    if (!m_isPeer[port] || !device.IsLinkUp() || !MaySend())
    {
        return;
    }
    ShieldNotice notice;
    notice.lost = m_lost;
    const uint32_t neighbor = device.GetLink().GetPeer()->GetActor()->GetAddress();
    ++m_notices;
    NS_LOG_INFO(*m_switch << ": tells node " << neighbor << " what it has lost");
    m_switch->Originate(SwitchNotice::Make(*m_switch,
                                           neighbor,
                                           FabricPacketItem::MakeDs(m_controlClass, 0),
                                           *m_wire,
                                           notice.Serialize()),
                        port);
}

bool
ShieldFeature::OnConsume(FabricNetDevice& ingress, FabricPacketItem& item)
{
    const uint16_t port = ingress.GetPort();
    ShieldNotice notice;
    if (!m_isPeer[port] || !SwitchNotice::Read(item, notice))
    {
        return false;
    }
    m_told[port] = std::move(notice.lost);
    Update();
    return true;
}

void
ShieldFeature::OnChoosePath(const PortGroup& group, FabricPacketItem& item, uint16_t& port)
{
    if (!m_anyTold || !IsTold(port, item.dst))
    {
        return; // the switch itself leaves out ports that are down
    }
    uint16_t left = 0;
    for (uint16_t i = 0; i < group.nPorts; ++i)
    {
        left += IsLost(group.ports[i], item.dst) ? 0 : 1;
    }
    if (left == 0)
    {
        return;
    }
    uint32_t turn = PathSelector::Mix(item.flowHash, m_switch->GetAddress()) % left;
    for (uint16_t i = 0; i < group.nPorts; ++i)
    {
        if (!IsLost(group.ports[i], item.dst) && turn-- == 0)
        {
            port = group.ports[i];
            ++m_moved;
            return;
        }
    }
}

void
ShieldFeature::DoDispose()
{
    m_wire = nullptr;
    SwitchFeature::DoDispose();
}

} // namespace ns3
