// SPDX-License-Identifier: GPL-2.0-only
#include "conga-feature.h"

#include "fabric-switch.h"

#include "ns3/attribute-range.h"
#include "ns3/double.h"
#include "ns3/fabric-net-device.h"
#include "ns3/fabric-time.h"
#include "ns3/flow-key.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

LogComponent CongaFeature::g_log("CongaFeature", __FILE__);

NS_OBJECT_ENSURE_REGISTERED(CongaFeature);

TypeId
CongaFeature::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::CongaFeature")
            .SetParent<EdgePathFeature>()
            .SetGroupName("Dcfabric")
            .AddConstructor<CongaFeature>()
            .AddAttribute("FlowletTimeout",
                          "Pause after which a flow may change its way.",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&CongaFeature::m_flowletTimeout),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute("Period",
                          "Time after which the estimate of a port loses a share.",
                          TimeValue(MicroSeconds(50)),
                          MakeTimeAccessor(&CongaFeature::m_period),
                          MakeTimeChecker(NanoSeconds(1), AttributeRange::GetMaxTime()))
            .AddAttribute("Decay",
                          "The share that it loses.",
                          DoubleValue(0.2),
                          MakeDoubleAccessor(&CongaFeature::m_decay),
                          MakeDoubleChecker<double>(0.001, 1))
            .AddAttribute("Bits",
                          "Bits of a congestion value.",
                          UintegerValue(3),
                          MakeUintegerAccessor(&CongaFeature::m_bits),
                          MakeUintegerChecker<uint8_t>(1, 7))
            .AddAttribute("AgeTime",
                          "Time after which what is known of a way counts as no congestion.",
                          TimeValue(MicroSeconds(500)),
                          MakeTimeAccessor(&CongaFeature::m_age),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()));
    return tid;
}

CongaFeature::CongaFeature()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

uint32_t
CongaFeature::GetHooks() const
{
    return EdgePathFeature::GetHooks() | RECEIVE | DEQUEUE;
}

SwitchFeature::Counters
CongaFeature::GetCounters() const
{
    return {{"conga_flowlets", m_nFlowlets}, {"conga_moves", m_nMoves}};
}

void
CongaFeature::Attach(FabricSwitch* sw, uint32_t number)
{
    EdgePathFeature::Attach(sw, number);
    m_loads.assign(sw->GetNPorts(), DiscountingRate());
}

int64_t
CongaFeature::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

bool
CongaFeature::OnReceive(FabricNetDevice& ingress, FabricPacketItem& item)
{
    if (LeavesHere(ingress, item))
    {
        Learn(item);
        return false;
    }
    const bool isLed = item.type == FabricPacketType::DATA || item.type == FabricPacketType::ACK ||
                       item.type == FabricPacketType::NACK;
    if (!isLed || !EntersHere(ingress, item))
    {
        return false;
    }
    const uint32_t edge = GetEdgeOf(item.dst);
    const uint32_t path = Choose(item, edge);
    if (path != EdgePath::NONE)
    {
        Tell(Tag(item, path), m_ways[edge]);
    }
    return false;
}

uint32_t
CongaFeature::Choose(const FabricPacketItem& item, uint32_t edge)
{
    const uint64_t flow = FlowKey::Of(item).GetNumber();
    const int64_t nowPs = m_switch->GetNowPs();
    FlowPortTable::Entry* flowlet = m_flowlets.Find(flow);
    if (m_flowlets.Holds(flowlet, nowPs) && IsUsable(flowlet->port, item.dst))
    {
        flowlet->lastPs = nowPs;
        return flowlet->port;
    }
    const uint32_t former = flowlet ? flowlet->port : EdgePath::NONE;
    const uint32_t path = ChooseAnew(item, edge, former);
    if (path == EdgePath::NONE)
    {
        return path;
    }
    ++m_nFlowlets;
    if (flowlet && path != former)
    {
        NS_LOG_LOGIC(nowPs << " ps: moves " << item << " from path 0x" << std::hex << former
                           << " to 0x" << path << std::dec);
        ++m_nMoves;
    }
    m_flowlets.Set(flow, path, nowPs);
    return path;
}

uint32_t
CongaFeature::ChooseAnew(const FabricPacketItem& item, uint32_t edge, uint32_t former)
{
    uint8_t least = UINT8_MAX;
    m_best.clear();
    for (const uint32_t path : *FindEdge(edge)->paths)
    {
        if (!IsUsable(path, item.dst))
        {
            continue;
        }
        const uint8_t cost = std::max(GetLoad(EdgePath::GetPort(path, 0)), GetTold(edge, path));
        if (cost < least)
        {
            least = cost;
            m_best.clear();
        }
        if (cost == least)
        {
            m_best.push_back(path);
        }
    }
    if (m_best.empty())
    {
        return EdgePath::NONE;
    }
    if (std::find(m_best.begin(), m_best.end(), former) != m_best.end())
    {
        return former;
    }
    return m_best[m_random->GetInteger(0, static_cast<uint32_t>(m_best.size()) - 1)];
}

void
CongaFeature::Learn(const FabricPacketItem& item)
{
    const EdgeTag& tag = item.edge;
    const int64_t nowPs = m_switch->GetNowPs();
    Ways& ways = m_ways[GetEdgeOf(item.src)];
    const auto [place, isNew] = ways.places.try_emplace(tag.path, ways.from.size());
    if (isNew)
    {
        ways.from.emplace_back();
    }
    const auto value = static_cast<uint8_t>(tag.bytes[0] & ~TELLS);
    ways.from[place->second] = {nowPs, tag.path, value};
    if ((tag.bytes[0] & TELLS) != 0)
    {
        ways.to[tag.words[0]] = {nowPs, tag.words[0], tag.bytes[1]};
    }
}

void
CongaFeature::Tell(EdgeTag& tag, const Ways& ways)
{
    if (ways.from.empty())
    {
        return;
    }
    const auto last = static_cast<uint32_t>(ways.from.size() - 1);
    const Metric& metric = ways.from[last == 0 ? 0 : m_random->GetInteger(0, last)];
    tag.bytes[0] = TELLS;
    tag.words[0] = metric.path;
    tag.bytes[1] = GetPresent(metric, m_switch->GetNowPs());
}

void
CongaFeature::OnDequeue(FabricNetDevice& egress, FabricPacketItem& item)
{
    if ((item.flags & FabricPacketItem::FLAG_EDGE) == 0)
    {
        return; // also on its way to a host here
    }
    const uint16_t port = egress.GetPort();
    const int64_t periodPs = FabricTime::ToPs(m_period);
    m_loads[port].Add(item.size, m_switch->GetNowPs() / periodPs, m_decay);
    const auto collected = static_cast<uint8_t>(item.edge.bytes[0] & ~TELLS);
    const uint8_t load = GetLoad(port);
    if (load > collected)
    {
        item.edge.bytes[0] = static_cast<uint8_t>((item.edge.bytes[0] & TELLS) | load);
    }
}

uint8_t
CongaFeature::GetLoad(uint16_t port) const
{
    const int64_t periodPs = FabricTime::ToPs(m_period);
    const double bytes = m_loads[port].GetBytes(m_switch->GetNowPs() / periodPs, m_decay);
    const double fullBytes = static_cast<double>(m_switch->GetPort(port)->GetRateBps()) / 8e12 *
                             static_cast<double>(periodPs) / m_decay;
    return DiscountingRate::Quantize(bytes, fullBytes, m_bits);
}

uint8_t
CongaFeature::GetPresent(const Metric& metric, int64_t nowPs) const
{
    return nowPs - metric.timePs > FabricTime::ToPs(m_age) ? 0 : metric.value;
}

uint8_t
CongaFeature::GetTold(uint32_t edge, uint32_t path) const
{
    const auto ways = m_ways.find(edge);
    if (ways == m_ways.end())
    {
        return 0;
    }
    const auto metric = ways->second.to.find(path);
    return metric == ways->second.to.end() ? 0 : GetPresent(metric->second, m_switch->GetNowPs());
}

} // namespace ns3
