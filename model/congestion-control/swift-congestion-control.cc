// SPDX-License-Identifier: GPL-2.0-only
#include "swift-congestion-control.h"

#include "ns3/attribute-range.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-packet-item.h"
#include "ns3/fabric-time.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <string>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(SwiftCongestionControl);
DCFABRIC_OBJECT_CLONABLE(SwiftCongestionControl);

namespace
{

constexpr double SMALLEST_WINDOW = 1e-6; //!< packets
constexpr double LARGEST_WINDOW = 1e12;  //!< packets

} // namespace

TypeId
SwiftCongestionControl::GetTypeId()
{
    using Cc = SwiftCongestionControl;
    static TypeId tid =
        TypeId("ns3::SwiftCongestionControl")
            .SetParent<CongestionControl>()
            .SetGroupName("Dcfabric")
            .AddConstructor<SwiftCongestionControl>()
            .AddAttribute("AddBaseRtt",
                          "The target of the fabric delay counts from the base RTT of the pair of "
                          "hosts; otherwise from zero.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&Cc::m_addBaseRtt),
                          MakeBooleanChecker())
            .AddAttribute("BaseTarget",
                          "Target of the fabric delay without base RTT, hops and flows.",
                          TimeValue(MicroSeconds(20)),
                          MakeTimeAccessor(&Cc::m_baseTarget),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute("HopTarget",
                          "Target for each switch on the way.",
                          TimeValue(Seconds(0)),
                          MakeTimeAccessor(&Cc::m_hopTarget),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute("FlowRange",
                          "fs_range: most that is added to the target for small windows; zero: no "
                          "scaling by flows.",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&Cc::m_flowRange),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute("FlowMinWindow",
                          "fs_min_cwnd: window in packets at and below which FlowRange is added.",
                          DoubleValue(0.1),
                          MakeDoubleAccessor(&Cc::m_flowMin),
                          MakeDoubleChecker<double>(SMALLEST_WINDOW, LARGEST_WINDOW))
            .AddAttribute("FlowMaxWindow",
                          "fs_max_cwnd: window in packets at and above which nothing is added.",
                          DoubleValue(100),
                          MakeDoubleAccessor(&Cc::m_flowMax),
                          MakeDoubleChecker<double>(SMALLEST_WINDOW, LARGEST_WINDOW))
            .AddAttribute("EndpointTarget",
                          "Target of the endpoint delay.",
                          TimeValue(MicroSeconds(20)),
                          MakeTimeAccessor(&Cc::m_endpointTarget),
                          MakeTimeChecker(NanoSeconds(1), AttributeRange::GetMaxTime()))
            .AddAttribute("Increase",
                          "ai: additive increase in packets, for each window acknowledged.",
                          DoubleValue(1),
                          MakeDoubleAccessor(&Cc::m_increase),
                          MakeDoubleChecker<double>(0, LARGEST_WINDOW))
            .AddAttribute("Beta",
                          "Multiplicative decrease for an infinite delay, 0 to 1.",
                          DoubleValue(0.8),
                          MakeDoubleAccessor(&Cc::m_beta),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("MaxDecrease",
                          "max_mdf: largest part of the window that one decrease takes away, 0 to "
                          "1.",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&Cc::m_maxDecrease),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("MinWindow",
                          "min_cwnd: least window in packets.",
                          DoubleValue(0.01),
                          MakeDoubleAccessor(&Cc::m_least),
                          MakeDoubleChecker<double>(SMALLEST_WINDOW, LARGEST_WINDOW))
            .AddAttribute("MaxWindow",
                          "max_cwnd: largest window in packets; 0: what the line carries in the "
                          "largest target.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&Cc::m_most),
                          MakeDoubleChecker<double>(0, LARGEST_WINDOW))
            .AddAttribute("InitialWindow",
                          "Window to begin with, in packets; 0: the BDP, which is line rate.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&Cc::m_initialWindow),
                          MakeDoubleChecker<double>(0, LARGEST_WINDOW))
            .AddAttribute("ResetThreshold",
                          "RETX_RESET_THRESHOLD: time-outs in a row that set the window to "
                          "MinWindow.",
                          UintegerValue(5),
                          MakeUintegerAccessor(&Cc::m_resetThreshold),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("RttGain",
                          "Gain of the smoothed RTT, by which decreases are spaced.",
                          DoubleValue(0.125),
                          MakeDoubleAccessor(&Cc::m_rttGain),
                          MakePositiveDoubleChecker(1))
            .AddAttribute("EndpointGain",
                          "Gain of the smoothed endpoint delay; 1: not smoothed.",
                          DoubleValue(0.125),
                          MakeDoubleAccessor(&Cc::m_endpointGain),
                          MakePositiveDoubleChecker(1))
            .AddAttribute("GrowUnused",
                          "Raise windows also when they do not hold the sender back.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&Cc::m_growUnused),
                          MakeBooleanChecker());
    return tid;
}

CongestionControlNeeds
SwiftCongestionControl::GetNeeds() const
{
    CongestionControlNeeds needs;
    needs.endpointDelay = true;
    needs.pathSwitches = true;
    return needs;
}

double
SwiftCongestionControl::GetFixedTargetPs(const PathInfo& path) const
{
    return (m_addBaseRtt ? static_cast<double>(path.pairRttPs) : 0.0) +
           static_cast<double>(FabricTime::ToPs(m_baseTarget)) +
           static_cast<double>(FabricTime::ToPs(m_hopTarget)) * path.switches;
}

FabricText
SwiftCongestionControl::FindMisfit(const PathInfo& path) const
{
    const auto rttPs = static_cast<double>(path.pairRttPs);
    const double targetPs = GetFixedTargetPs(path);
    if (targetPs >= rttPs)
    {
        return {};
    }
    return FabricTerm::Class(GetInstanceTypeId()) + " has a target of " + ToMicroSeconds(targetPs) +
           " for the fabric delay, below the base RTT of " + ToMicroSeconds(rttPs) +
           ": windows shrink without congestion; raise BaseTarget, or set AddBaseRtt";
}

void
SwiftCongestionControl::DoStart()
{
    const TypeId type = GetInstanceTypeId();
    const PathInfo& path = GetPath();
    if (m_flowMin >= m_flowMax)
    {
        throw FabricError(FabricTerm::Attribute(type, "FlowMinWindow") +
                          " must be below FlowMaxWindow");
    }
    m_target.Start(GetFixedTargetPs(path),
                   static_cast<double>(FabricTime::ToPs(m_flowRange)),
                   m_flowMin,
                   m_flowMax);
    m_endTargetPs = static_cast<double>(FabricTime::ToPs(m_endpointTarget));
    if (m_target.GetLargestPs() <= 0)
    {
        throw FabricError(FabricTerm::Attribute(type, "BaseTarget") + ", " +
                          FabricTerm::Attribute(type, "HopTarget") + " and " +
                          FabricTerm::Attribute(type, "FlowRange") +
                          " are zero: the fabric delay needs a target");
    }
    if (path.bdpBytes == 0 && m_initialWindow == 0)
    {
        throw FabricError(type.GetName() +
                          ": the path has no line rate or no base RTT, so that there is no "
                          "BDP to begin with; set InitialWindow");
    }
    SwiftWindow::Parameters parameters;
    parameters.increase = m_increase;
    parameters.beta = m_beta;
    parameters.maxDecrease = m_maxDecrease;
    parameters.least = m_least;
    parameters.resetThreshold = m_resetThreshold;
    parameters.most = m_most > 0 ? m_most
                                 : std::max(static_cast<double>(path.lineRateBps) / 8e12 *
                                                m_target.GetLargestPs() / path.payloadBytes,
                                            m_least);
    if (m_least > parameters.most)
    {
        throw FabricError(FabricTerm::Attribute(type, "MinWindow") +
                          " must not be above MaxWindow");
    }
    const double initial = m_initialWindow > 0
                               ? m_initialWindow
                               : static_cast<double>(path.bdpBytes) / path.payloadBytes;
    m_fabric.Start(parameters, initial);
    m_endpoint.Start(parameters, initial);
    m_rttPs = static_cast<double>(path.pairRttPs);
    m_lastRttPs = m_rttPs;
    m_endpointPs = 0;
    m_hasRtt = false;
    const double packets = m_fabric.Get();
    SetInitial(SwiftWindow::GetBytes(GetPath(), packets),
               SwiftWindow::GetPace(GetPath(), packets, m_lastRttPs));
}

void
SwiftCongestionControl::OnAck(const AckInfo& ack)
{
    const auto rttPs = static_cast<double>(ack.rttPs);
    const double endpointPs =
        std::min(ack.item ? ack.item->echoDelayNs * double(FabricTime::PS_PER_NS) : 0.0, rttPs);
    m_lastRttPs = rttPs;
    m_rttPs = m_hasRtt ? m_rttPs + m_rttGain * (rttPs - m_rttPs) : rttPs;
    m_endpointPs =
        m_hasRtt ? m_endpointPs + m_endpointGain * (endpointPs - m_endpointPs) : endpointPs;
    m_hasRtt = true;

    // a window that had room for another packet before this ACK held nobody back
    const uint64_t payload = GetPath().payloadBytes;
    const bool held = ack.inFlightBytes + ack.ackedPayload + payload > GetDueWindow();
    const double acked =
        held || m_growUnused ? static_cast<double>(ack.ackedPayload) / GetPath().payloadBytes : 0;
    m_fabric.OnAck(ack.nowPs, m_rttPs, rttPs - endpointPs, m_target.GetPs(m_fabric.Get()), acked);
    m_endpoint.OnAck(ack.nowPs, m_rttPs, m_endpointPs, m_endTargetPs, acked);
    ProposeWindow(ack.nowPs, CongestionCause::SIGNAL);
}

void
SwiftCongestionControl::OnLoss(int64_t nowPs, uint64_t /* lostBytes */)
{
    m_fabric.OnFastRecovery(nowPs, m_rttPs);
    m_endpoint.OnFastRecovery(nowPs, m_rttPs);
    ProposeWindow(nowPs, CongestionCause::LOSS);
}

void
SwiftCongestionControl::OnTimeout(int64_t nowPs)
{
    m_fabric.OnTimeout(nowPs, m_rttPs);
    m_endpoint.OnTimeout(nowPs, m_rttPs);
    ProposeWindow(nowPs, CongestionCause::TIMEOUT);
}

void
SwiftCongestionControl::OnModified(int64_t /* nowPs */, ModifierEffect effect)
{
    if (effect == ModifierEffect::FORGIVEN)
    {
        m_fabric.ForgetDecrease();
        m_endpoint.ForgetDecrease();
    }
    const double packets = static_cast<double>(GetWindow()) / GetPath().payloadBytes;
    m_fabric.Set(std::max(m_fabric.Get(), packets));
    m_endpoint.Set(std::max(m_endpoint.Get(), packets));
}

void
SwiftCongestionControl::ProposeWindow(int64_t nowPs, CongestionCause cause)
{
    const double packets = std::min(m_fabric.Get(), m_endpoint.Get());
    const uint64_t window = SwiftWindow::GetBytes(GetPath(), packets);
    const double rate = SwiftWindow::GetPace(GetPath(), packets, m_lastRttPs);
    const bool reduces = window < GetWindow() || rate < GetRate();
    Propose(nowPs, window, rate, reduces ? cause : CongestionCause::RECOVERY);
    if (GetDueWindow() == window)
    {
        return;
    }
    // a modifier had its say: go on from what took hold
    const double held = static_cast<double>(GetDueWindow()) / GetPath().payloadBytes;
    for (SwiftWindow* one : {&m_fabric, &m_endpoint})
    {
        if (one->Get() < held || one->Get() == packets)
        {
            one->Set(held);
        }
    }
}

} // namespace ns3
