// SPDX-License-Identifier: GPL-2.0-only
#include "rocc-feature.h"

#include "fabric-switch.h"

#include "ns3/attribute-range.h"
#include "ns3/double.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-net-device.h"
#include "ns3/fabric-time.h"
#include "ns3/log.h"
#include "ns3/pointer.h"
#include "ns3/rate-packet.h"
#include "ns3/uinteger.h"

#include <string>
#include <utility>

namespace ns3
{

LogComponent RoccFeature::g_log("RoccFeature", __FILE__);

NS_OBJECT_ENSURE_REGISTERED(RoccFeature);

namespace
{

constexpr uint64_t MBPS = 1000000; //!< bit/s in a Mb/s

} // namespace

TypeId
RoccFeature::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RoccFeature")
            .SetParent<SwitchFeature>()
            .SetGroupName("Dcfabric")
            .AddConstructor<RoccFeature>()
            .AddAttribute("WireFormat",
                          "Sizes on the wire; null for true RoCEv2.",
                          PointerValue(),
                          MakePointerAccessor(&RoccFeature::m_wire),
                          MakePointerChecker<WireFormat>())
            .AddAttribute("Interval",
                          "Time between two updates of a fair rate, T.",
                          TimeValue(MicroSeconds(40)),
                          MakeTimeAccessor(&RoccFeature::m_interval),
                          MakeTimeChecker(NanoSeconds(1), AttributeRange::GetMaxTime()))
            .AddAttribute("RateUnit",
                          "Resolution of rates, deltaF; a multiple of 1 Mb/s.",
                          DataRateValue(DataRate("10Mbps")),
                          MakeDataRateAccessor(&RoccFeature::m_rateUnit),
                          MakeRateChecker(1000000))
            .AddAttribute("QueueUnit",
                          "Resolution of queue lengths in bytes, deltaQ.",
                          UintegerValue(600),
                          MakeUintegerAccessor(&RoccFeature::m_queueUnit),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("MinRate",
                          "Least fair rate, Fmin; at least RateUnit.",
                          DataRateValue(DataRate("100Mbps")),
                          MakeDataRateAccessor(&RoccFeature::m_minRate),
                          MakeRateChecker(1))
            .AddAttribute("Alpha",
                          "Static gain of the queue's deviation, in RateUnit per QueueUnit; 0: by "
                          "the rate of the port (0.3 up to 40 Gb/s, 0.45 from 100 Gb/s on).",
                          DoubleValue(0),
                          MakeDoubleAccessor(&RoccFeature::m_alpha),
                          MakeDoubleChecker<double>(0, 1000))
            .AddAttribute("Beta",
                          "Static gain of the queue's growth, in RateUnit per QueueUnit; 0: by "
                          "the rate of the port (1.5 up to 40 Gb/s, 2.25 from 100 Gb/s on).",
                          DoubleValue(0),
                          MakeDoubleAccessor(&RoccFeature::m_beta),
                          MakeDoubleChecker<double>(0, 1000))
            .AddAttribute("Qref",
                          "Reference length of a queue in bytes; 0: by the rate of the port (150 "
                          "KB at 40 Gb/s, 300 KB at 100 Gb/s).",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RoccFeature::m_qRef),
                          MakeUintegerChecker<uint64_t>(0, AttributeRange::MAX_BYTES))
            .AddAttribute("Qmid",
                          "Growth within an interval, in bytes, that halves the rate; 0: by the "
                          "rate of the port (300 KB at 40 Gb/s, 600 KB at 100 Gb/s).",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RoccFeature::m_qMid),
                          MakeUintegerChecker<uint64_t>(0, AttributeRange::MAX_BYTES))
            .AddAttribute("Qmax",
                          "Length in bytes that sets the rate to MinRate; 0: by the rate of the "
                          "port (360 KB at 40 Gb/s, 660 KB at 100 Gb/s).",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RoccFeature::m_qMax),
                          MakeUintegerChecker<uint64_t>(0, AttributeRange::MAX_BYTES))
            .AddAttribute("FlowAge",
                          "How long after its last packet has left the queue a flow is still told; "
                          "0: only flows in the queue.",
                          TimeValue(Seconds(0)),
                          MakeTimeAccessor(&RoccFeature::m_flowAge),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute("ControlClass",
                          "Class of the messages.",
                          UintegerValue(6),
                          MakeUintegerAccessor(&RoccFeature::m_controlClass),
                          MakeUintegerChecker<uint8_t>(0, 7))
            .AddTraceSource("FairRate",
                            "A fair rate was computed.",
                            MakeTraceSourceAccessor(&RoccFeature::m_trace),
                            "ns3::RoccFeature::FairRateTracedCallback");
    return tid;
}

uint32_t
RoccFeature::GetHooks() const
{
    return ENQUEUE | DEQUEUE;
}

const char*
RoccFeature::GetClash() const
{
    return " and would send two rates for each queue";
}

SwitchFeature::Effects
RoccFeature::GetEffects() const
{
    Effects effects;
    effects.message = "tells sources fair rates";
    return effects;
}

void
RoccFeature::Attach(FabricSwitch* sw, uint32_t number)
{
    NS_LOG_FUNCTION(this << sw << number);
    SwitchFeature::Attach(sw, number);
    if (!m_wire)
    {
        m_wire = CreateObject<RoceV2WireFormat>();
    }
    const uint64_t unit = m_rateUnit.GetBitRate();
    if (unit == 0 || unit % MBPS != 0)
    {
        throw FabricError(FabricTerm::Attribute("ns3::RoccFeature", "RateUnit") + " of " +
                          std::to_string(unit) + " bit/s must be a multiple of 1 Mb/s");
    }
    m_intervalPs = FabricTime::ToPs(m_interval);
    m_agePs = FabricTime::ToPs(m_flowAge);
    m_bytes = m_wire->GetRateNoticeBytes();
    m_parameters.clear();
    for (uint16_t port = 0; port < sw->GetNPorts(); ++port)
    {
        m_parameters.push_back(GetParameters(port, sw->GetPort(port)->GetRateBps()));
    }
    m_points.clear();
    m_points.resize(Number(sw->GetNPorts(), 0));
}

RoccFairRate::Parameters
RoccFeature::GetParameters(uint16_t port, uint64_t line) const
{
    const uint64_t least = m_minRate.GetBitRate();
    if (least < m_rateUnit.GetBitRate() || least > line)
    {
        throw FabricError(
            FabricTerm::Attribute("ns3::RoccFeature", "MinRate") + " of " + std::to_string(least) +
            " bit/s must be at least RateUnit, " + std::to_string(m_rateUnit.GetBitRate()) +
            " bit/s, and at most the rate of the port, " + std::to_string(line) + " bit/s");
    }
    const RoccFairRate::Defaults defaults = RoccFairRate::GetDefaults(line);
    const auto length = [this](uint64_t given, uint64_t otherwise) {
        return static_cast<int64_t>((given > 0 ? given : otherwise) / m_queueUnit);
    };
    RoccFairRate::Parameters p;
    p.alpha = m_alpha > 0 ? m_alpha : defaults.alpha;
    p.beta = m_beta > 0 ? m_beta : defaults.beta;
    p.minRate = static_cast<double>(least) / static_cast<double>(m_rateUnit.GetBitRate());
    p.maxRate = static_cast<double>(line) / static_cast<double>(m_rateUnit.GetBitRate());
    p.qRef = length(m_qRef, defaults.qRefBytes);
    p.qMid = length(m_qMid, defaults.qMidBytes);
    p.qMax = length(m_qMax, defaults.qMaxBytes);
    if (p.qRef < 1 || p.qMid <= p.qRef || p.qMax <= p.qMid)
    {
        throw FabricError(FabricTerm::Class("ns3::RoccFeature"),
                          ": on port " + std::to_string(port) + " of switch " +
                              std::to_string(m_switch->GetAddress()) + " Qref, Qmid and Qmax are " +
                              std::to_string(p.qRef) + ", " + std::to_string(p.qMid) + " and " +
                              std::to_string(p.qMax) + " units of " + std::to_string(m_queueUnit) +
                              " bytes",
                          {FabricRemedy::Do("they must be above zero and rise")});
    }
    return p;
}

void
RoccFeature::Wake(CongestionPoint& point, int64_t nowPs)
{
    point.awake = true;
    if (m_armed)
    {
        return;
    }
    // arrivals come before timers: an update of this very moment is still ahead, unless it was done
    const int64_t nextPs = (nowPs + m_intervalPs - 1) / m_intervalPs * m_intervalPs;
    Arm(nextPs > m_updatedPs ? nextPs : nextPs + m_intervalPs);
}

void
RoccFeature::Arm(int64_t timePs)
{
    m_armed = true;
    m_switch->ArmTimer(m_number, timePs);
}

void
RoccFeature::OnEnqueue(FabricNetDevice& egress, FabricPacketItem& item)
{
    if (item.type != FabricPacketType::DATA)
    {
        return;
    }
    const uint16_t port = egress.GetPort();
    const uint8_t priority = item.GetPriority();
    auto& point = m_points[Number(port, priority)];
    if (!point)
    {
        point = std::make_unique<CongestionPoint>();
        point->rate = RoccFairRate(m_parameters[port]);
        point->flows = RoccFlowTable(m_agePs);
    }
    const int64_t nowPs = egress.GetNowPs();
    RoccFlowTable::Flow flow;
    flow.src = item.src;
    flow.dst = item.GetReceiver();
    flow.pdc = item.data.sourcePdc;
    flow.entropy = item.entropy;
    point->flows.Enter(flow, egress.GetQueue().GetClassBytes(priority) + item.size, nowPs);
    if (!point->awake)
    {
        Wake(*point, nowPs);
    }
}

void
RoccFeature::OnDequeue(FabricNetDevice& egress, FabricPacketItem& item)
{
    if (auto& point = m_points[Number(egress.GetPort(), item.GetPriority())])
    {
        point->flows.Leave(item.size);
    }
}

void
RoccFeature::OnTimer(int64_t nowPs)
{
    m_armed = false;
    m_updatedPs = nowPs;
    bool awake = false;
    for (std::size_t number = 0; number < m_points.size(); ++number)
    {
        if (m_points[number] && m_points[number]->awake)
        {
            Update(number, nowPs);
            awake = awake || m_points[number]->awake;
        }
    }
    if (awake)
    {
        Arm(nowPs + m_intervalPs);
    }
}

void
RoccFeature::Update(std::size_t number, int64_t nowPs)
{
    CongestionPoint& point = *m_points[number];
    const auto port = static_cast<uint16_t>(number / 8);
    const auto priority = static_cast<uint8_t>(number % 8);
    const Ptr<SwitchBuffer> buffer = m_switch->GetBuffer();
    const uint64_t bytes = m_switch->GetPort(port)->GetQueue().GetClassBytes(priority) +
                           (buffer ? buffer->GetWaitingBytes(port, priority) : 0);
    const double rate = point.rate.Update(static_cast<int64_t>(bytes / m_queueUnit));
    const auto unit = static_cast<double>(m_rateUnit.GetBitRate());
    m_trace(port, priority, rate * unit, bytes);
    const auto rateMbps =
        static_cast<uint32_t>(static_cast<uint64_t>(rate) * (m_rateUnit.GetBitRate() / MBPS));
    for (const auto& flow : point.flows.Collect(nowPs))
    {
        Tell(flow, number, rateMbps);
    }
    point.awake = !point.rate.IsAtRest() || point.flows.GetSize() > 0 || bytes > 0;
}

void
RoccFeature::Tell(const RoccFlowTable::Flow& flow, std::size_t number, uint32_t rateMbps)
{
    Ptr<FabricPacketItem> item = FabricPacketItem::Create(FabricPacketType::RATE);
    item->src = m_switch->GetAddress();
    item->dst = flow.src;
    item->pdc = flow.pdc;
    item->entropy = flow.entropy;
    item->ds = FabricPacketItem::MakeDs(m_controlClass, 0);
    item->size = m_bytes;
    auto& told = item->As<RateFields>();
    told = {rateMbps,
            flow.dst,
            static_cast<uint16_t>(number / 8),
            static_cast<uint8_t>(number % 8)};
    item->UpdateFlowHash();
    NS_LOG_LOGIC(*m_switch << " port " << told.port << " class " << +told.priority << ": tells "
                           << rateMbps << " Mb/s: " << *item);
    ++m_messages;
    m_switch->Originate(std::move(item));
}

void
RoccFeature::CheckRate(uint16_t port, uint64_t rateBps) const
{
    GetParameters(port, rateBps);
}

void
RoccFeature::OnLinkChange(FabricNetDevice& port)
{
    NS_LOG_FUNCTION(this << port.GetPort());
    m_parameters[port.GetPort()] = GetParameters(port.GetPort(), port.GetRateBps());
    for (uint8_t priority = 0; priority < 8; ++priority)
    {
        if (auto& point = m_points[Number(port.GetPort(), priority)])
        {
            point->rate.SetParameters(m_parameters[port.GetPort()]);
        }
    }
}

double
RoccFeature::GetFairRateBps(uint16_t port, uint8_t priority) const
{
    const auto& point = m_points.at(Number(port, priority));
    return point ? point->rate.GetRate() * static_cast<double>(m_rateUnit.GetBitRate())
                 : static_cast<double>(m_switch->GetPort(port)->GetRateBps());
}

} // namespace ns3
