// SPDX-License-Identifier: GPL-2.0-only
#include "piggyback-feature.h"

#include "link-use-notice.h"

#include "ns3/attribute-range.h"
#include "ns3/double.h"
#include "ns3/fabric-net-device.h"
#include "ns3/fabric-switch.h"
#include "ns3/fabric-time.h"
#include "ns3/pointer.h"
#include "ns3/switch-notice.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(PiggybackFeature);

TypeId
PiggybackFeature::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::PiggybackFeature")
            .SetParent<ViaFeature>()
            .SetGroupName("Dcfabric")
            .AddConstructor<PiggybackFeature>()
            .AddAttribute("Window",
                          "Time in which what came for a link ages to 1/e.",
                          TimeValue(MicroSeconds(10)),
                          MakeTimeAccessor(&PiggybackFeature::m_window),
                          MakeTimeChecker(NanoSeconds(1), AttributeRange::GetMaxTime()))
            .AddAttribute("LeastUse",
                          "Share of its rate up to which a link is good enough for the minimal "
                          "way, whatever others are.",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&PiggybackFeature::m_leastUse),
                          MakeDoubleChecker<double>(0, 1000))
            .AddAttribute("Step",
                          "Share of its rate by which a link is used more than others have been "
                          "told when they are told again.",
                          DoubleValue(0.125),
                          MakeDoubleAccessor(&PiggybackFeature::m_step),
                          MakeDoubleChecker<double>(0.001, 1000))
            .AddAttribute("ControlClass",
                          "Class of notices.",
                          UintegerValue(6),
                          MakeUintegerAccessor(&PiggybackFeature::m_controlClass),
                          MakeUintegerChecker<uint8_t>(0, 7))
            .AddAttribute("WireFormat",
                          "Sizes on the wire; null for true RoCEv2.",
                          PointerValue(),
                          MakePointerAccessor(&PiggybackFeature::m_wire),
                          MakePointerChecker<WireFormat>());
    return tid;
}

uint32_t
PiggybackFeature::GetHooks() const
{
    return ViaFeature::GetHooks() | CONSUME | ENQUEUE;
}

SwitchFeature::Effects
PiggybackFeature::GetEffects() const
{
    Effects effects = ViaFeature::GetEffects();
    effects.leadsByLoad = true;
    return effects;
}

SwitchFeature::Counters
PiggybackFeature::GetCounters() const
{
    Counters counters = ViaFeature::GetCounters();
    counters.emplace_back("use_notices", m_notices);
    return counters;
}

void
PiggybackFeature::Attach(FabricSwitch* sw, uint32_t number)
{
    ViaFeature::Attach(sw, number);
    m_wire = m_wire ? m_wire : Ptr<WireFormat>(CreateObject<RoceV2WireFormat>());
    m_windowPs = FabricTime::ToPs(m_window);
    const uint32_t address = sw->GetAddress();
    const std::vector<ToldLinks::Link>& told = m_links->Get(address);
    m_told.assign(told.size(), 0);
    m_toldOf.assign(sw->GetNPorts(), NOT_TOLD);
    for (std::size_t i = 0; i < told.size(); ++i)
    {
        m_toldOf[told[i].port] = static_cast<uint16_t>(i);
    }
    m_uses.resize(sw->GetNPorts());
    m_neighbors.resize(sw->GetNPorts());
    for (uint16_t port = 0; port < sw->GetNPorts(); ++port)
    {
        const uint32_t peer = GetPeer(port);
        if (peer != ViaPlan::NONE && m_links->Tell(address, peer))
        {
            m_neighbors[port] = std::make_unique<Neighbor>();
            m_neighbors[port]->address = peer;
            m_neighbors[port]->uses.assign(m_links->Get(peer).size(), 0);
        }
    }
}

Time
PiggybackFeature::GetUsualWindow(uint64_t rateBps, Time roundTrip)
{
    constexpr double packets = 64 * 1000 * 8; // bits
    return std::max(roundTrip, Seconds(packets / static_cast<double>(rateBps)));
}

double
PiggybackFeature::GetUsualLeastUse(uint64_t rateBps, Time window)
{
    constexpr double packets = 24 * 1000 * 8; // bits
    return std::min(packets / (static_cast<double>(rateBps) * window.GetSeconds()), 0.5);
}

double
PiggybackFeature::GetUse(uint16_t port) const
{
    const PortLink& link = m_switch->GetPort(port)->GetLink();
    if (!link.IsUp())
    {
        return DOWN;
    }
    const double window = static_cast<double>(m_windowPs) * 1e-12;
    const double most = static_cast<double>(link.GetRate().GetBitRate()) / 8 * window;
    return (m_uses[port].GetBytes(m_switch->GetNowPs(), m_windowPs) +
            static_cast<double>(m_switch->GetPortLoads().GetWaitingBytes(port))) /
           most;
}

double
PiggybackFeature::Recall(double use, int64_t toldPs) const
{
    // a link that is down stays so until something else is told
    return use == DOWN ? use : LinkUse::Age(use, m_switch->GetNowPs() - toldPs, m_windowPs);
}

double
PiggybackFeature::GetUse(uint16_t port, uint32_t address) const
{
    const double use = GetUse(port);
    const Neighbor* neighbor = m_neighbors[port].get();
    if (!neighbor)
    {
        return use;
    }
    const std::vector<ToldLinks::Link>& links = m_links->Get(neighbor->address);
    double least = DOWN; // of several links on the way the neighbor takes any
    bool leads = false;
    for (std::size_t i = 0; i < links.size(); ++i)
    {
        if (m_links->LeadsTo(neighbor->address, links[i], address))
        {
            leads = true;
            least = std::min(least, neighbor->uses[i]);
        }
    }
    return leads ? std::max(use, Recall(least, neighbor->toldPs)) : use;
}

bool
PiggybackFeature::TakesVia(const FabricPacketItem& item, uint32_t via) const
{
    const uint16_t minimal = FindPort(item.dst, item);
    if (minimal == FabricPacketItem::NO_PORT)
    {
        return true;
    }
    const double use = GetUse(minimal, item.dst);
    if (use <= m_leastUse)
    {
        return false;
    }
    const uint32_t node = m_switch->GetAddress();
    return PrefersVia({use, m_plan->GetHops(node, item.dst)},
                      {GetUse(FindPort(via, item), via),
                       m_plan->GetHops(node, via) + m_plan->GetHops(via, item.dst)},
                      m_leastUse);
}

void
PiggybackFeature::OnEnqueue(FabricNetDevice& egress, FabricPacketItem& item)
{
    const uint16_t port = egress.GetPort();
    if (GetPeer(port) == ViaPlan::NONE)
    {
        return; // to a host
    }
    m_uses[port].Add(item.size + m_wire->GetGapBytes(), m_switch->GetNowPs(), m_windowPs);
    const uint16_t told = m_toldOf[port];
    if (told != NOT_TOLD && GetUse(port) > Recall(m_told[told], m_toldPs) + m_step)
    {
        Tell();
    }
}

void
PiggybackFeature::OnLinkChange(FabricNetDevice& port)
{
    if (m_toldOf[port.GetPort()] != NOT_TOLD && MaySend())
    {
        Tell();
    }
}

void
PiggybackFeature::Tell()
{
    LinkUseNotice notice;
    m_toldPs = m_switch->GetNowPs();
    const std::vector<ToldLinks::Link>& told = m_links->Get(m_switch->GetAddress());
    for (std::size_t i = 0; i < told.size(); ++i)
    {
        m_told[i] = GetUse(told[i].port);
        notice.uses.push_back(m_told[i] == DOWN ? LinkUseNotice::DOWN
                                                : LinkUseNotice::Quantize(m_told[i]));
    }
    const std::vector<uint8_t> bytes = notice.Serialize();
    for (uint16_t port = 0; port < m_neighbors.size(); ++port)
    {
        if (!m_neighbors[port] || !m_switch->GetPort(port)->GetLink().IsUp())
        {
            continue;
        }
        ++m_notices;
        m_switch->Originate(SwitchNotice::Make(*m_switch,
                                               m_neighbors[port]->address,
                                               FabricPacketItem::MakeDs(m_controlClass, 0),
                                               *m_wire,
                                               bytes),
                            port);
    }
}

bool
PiggybackFeature::OnConsume(FabricNetDevice& ingress, FabricPacketItem& item)
{
    Neighbor* neighbor = m_neighbors[ingress.GetPort()].get();
    LinkUseNotice notice;
    if (!neighbor || !SwitchNotice::Read(item, notice) ||
        notice.uses.size() != neighbor->uses.size())
    {
        return false;
    }
    neighbor->toldPs = m_switch->GetNowPs();
    std::transform(notice.uses.begin(),
                   notice.uses.end(),
                   neighbor->uses.begin(),
                   [](uint16_t use) {
                       return use == LinkUseNotice::DOWN
                                  ? DOWN
                                  : static_cast<double>(use) / LinkUseNotice::UNITS;
                   });
    return true;
}

void
PiggybackFeature::DoDispose()
{
    m_wire = nullptr;
    ViaFeature::DoDispose();
}

} // namespace ns3
