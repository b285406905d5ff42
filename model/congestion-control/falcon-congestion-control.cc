// SPDX-License-Identifier: GPL-2.0-only
#include "falcon-congestion-control.h"

#include "ns3/attribute-range.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-packet-item.h"
#include "ns3/fabric-time.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(FalconCongestionControl);
DCFABRIC_OBJECT_CLONABLE(FalconCongestionControl);

TypeId
FalconCongestionControl::GetTypeId()
{
    using Cc = FalconCongestionControl;
    constexpr double LEAST = 1e-6;   // packets
    constexpr double LARGEST = 1e12; // packets
    static TypeId tid =
        TypeId("ns3::FalconCongestionControl")
            .SetParent<CongestionControl>()
            .SetGroupName("Dcfabric")
            .AddConstructor<FalconCongestionControl>()
            .AddAttribute("BaseTarget",
                          "Target of the fabric delay beyond the base RTT of the pair of hosts, "
                          "without hops and flows.",
                          TimeValue(MicroSeconds(13)),
                          MakeTimeAccessor(&Cc::m_baseTarget),
                          MakeTimeChecker(NanoSeconds(1), AttributeRange::GetMaxTime()))
            .AddAttribute("HopTarget",
                          "Target for each switch on the way.",
                          TimeValue(MicroSeconds(1)),
                          MakeTimeAccessor(&Cc::m_hopTarget),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute("FlowRange",
                          "Most that is added to the target for small windows; zero: nothing.",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&Cc::m_flowRange),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute("FlowMinWindow",
                          "Window in packets at and below which FlowRange is added.",
                          DoubleValue(0.1),
                          MakeDoubleAccessor(&Cc::m_flowMin),
                          MakeDoubleChecker<double>(LEAST, LARGEST))
            .AddAttribute("FlowMaxWindow",
                          "Window in packets at and above which nothing is added.",
                          DoubleValue(100),
                          MakeDoubleAccessor(&Cc::m_flowMax),
                          MakeDoubleChecker<double>(LEAST, LARGEST))
            .AddAttribute("Increase",
                          "Additive increase of the fabric window in packets, for each window "
                          "acknowledged.",
                          DoubleValue(1),
                          MakeDoubleAccessor(&Cc::m_increase),
                          MakeDoubleChecker<double>(0, LARGEST))
            .AddAttribute("Beta",
                          "Multiplicative decrease of the fabric window for an infinite delay, 0 "
                          "to 1.",
                          DoubleValue(0.8),
                          MakeDoubleAccessor(&Cc::m_beta),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("MaxDecrease",
                          "Largest part of the fabric window that one decrease takes away, 0 to 1.",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&Cc::m_maxDecrease),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("MinWindow",
                          "Least fabric window in packets.",
                          DoubleValue(0.01),
                          MakeDoubleAccessor(&Cc::m_least),
                          MakeDoubleChecker<double>(LEAST, LARGEST))
            .AddAttribute("MaxWindow",
                          "Largest windows in packets, at least 1; 0: 256, or what the line "
                          "carries in the largest target if that is more.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&Cc::m_most),
                          MakeDoubleChecker<double>(0, LARGEST))
            .AddAttribute("ResetThreshold",
                          "Time-outs in a row that set the fabric window to MinWindow.",
                          UintegerValue(3),
                          MakeUintegerAccessor(&Cc::m_resetThreshold),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("DecreaseOnLoss",
                          "What is found lost lowers the fabric window by MaxDecrease.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&Cc::m_decreaseOnLoss),
                          MakeBooleanChecker())
            .AddAttribute("NicTarget",
                          "Target of the time that ACKs wait at the receiver.",
                          TimeValue(MicroSeconds(13)),
                          MakeTimeAccessor(&Cc::m_nicTarget),
                          MakeTimeChecker(NanoSeconds(1), AttributeRange::GetMaxTime()))
            .AddAttribute("NicIncrease",
                          "Additive increase of the NIC window in packets, in an RTT.",
                          DoubleValue(1),
                          MakeDoubleAccessor(&Cc::m_nicIncrease),
                          MakeDoubleChecker<double>(0, LARGEST))
            .AddAttribute("NicBeta",
                          "Multiplicative decrease of the NIC window, 0 to 1.",
                          DoubleValue(0.8),
                          MakeDoubleAccessor(&Cc::m_nicBeta),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("NicMaxDecrease",
                          "Largest part of the NIC window that one decrease takes away, 0 to 1.",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&Cc::m_nicMaxDecrease),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("RttGain",
                          "Gain of the smoothed RTT, by which changes are spaced.",
                          DoubleValue(0.25),
                          MakeDoubleAccessor(&Cc::m_rttGain),
                          MakeDoubleChecker<double>(LEAST, 1));
    return tid;
}

CongestionControlNeeds
FalconCongestionControl::GetNeeds() const
{
    CongestionControlNeeds needs;
    needs.endpointDelay = true;
    needs.pathSwitches = true;
    return needs;
}

void
FalconCongestionControl::DoStart()
{
    const FabricTerm name = FabricTerm::Class(GetInstanceTypeId());
    const PathInfo& path = GetPath();
    if (m_flowMin >= m_flowMax)
    {
        throw FabricError(name, ": FlowMinWindow must be below FlowMaxWindow", {});
    }
    if (path.bdpBytes == 0)
    {
        throw FabricError(
            name,
            ": the path has no line rate or no base RTT, so that there is no BDP to begin with",
            {});
    }
    m_target.Start(static_cast<double>(path.pairRttPs + FabricTime::ToPs(m_baseTarget) +
                                       FabricTime::ToPs(m_hopTarget) * path.switches),
                   static_cast<double>(FabricTime::ToPs(m_flowRange)),
                   m_flowMin,
                   m_flowMax);
    const double carried =
        static_cast<double>(path.lineRateBps) / 8e12 * m_target.GetLargestPs() / path.payloadBytes;
    const double most = m_most > 0 ? std::max(m_most, 1.0) : std::max(256.0, carried);
    if (m_least > most)
    {
        throw FabricError(name, ": MinWindow must not be above MaxWindow", {});
    }
    SwiftWindow::Parameters fabric;
    fabric.increase = m_increase;
    fabric.beta = m_beta;
    fabric.maxDecrease = m_maxDecrease;
    fabric.least = m_least;
    fabric.most = most;
    fabric.resetThreshold = m_resetThreshold;
    const double initial = static_cast<double>(path.bdpBytes) / path.payloadBytes;
    m_fabric.Start(fabric, initial);
    m_nic.Start({m_nicIncrease, m_nicBeta, m_nicMaxDecrease, 1, most}, most);
    m_rttPs = static_cast<double>(path.pairRttPs);
    m_hasRtt = false;
    const double packets = std::min(m_fabric.Get(), m_nic.Get());
    SetInitial(SwiftWindow::GetBytes(GetPath(), packets),
               SwiftWindow::GetPace(GetPath(), packets, m_rttPs));
}

void
FalconCongestionControl::OnAck(const AckInfo& ack)
{
    const auto rttPs = static_cast<double>(ack.rttPs);
    const double nicPs =
        std::min(ack.item ? ack.item->echoDelayNs * double(FabricTime::PS_PER_NS) : 0.0, rttPs);
    m_rttPs = m_hasRtt ? m_rttPs + m_rttGain * (rttPs - m_rttPs) : rttPs;
    m_hasRtt = true;
    // a window that had room for another packet before this ACK held nobody back
    const uint64_t payload = GetPath().payloadBytes;
    const bool held = ack.inFlightBytes + ack.ackedPayload + payload > GetDueWindow();
    const double acked =
        held ? static_cast<double>(ack.ackedPayload) / static_cast<double>(payload) : 0;
    m_fabric.OnAck(ack.nowPs, m_rttPs, rttPs - nicPs, m_target.GetPs(m_fabric.Get()), acked);
    m_nic.OnAck(ack.nowPs,
                m_rttPs,
                nicPs,
                static_cast<double>(FabricTime::ToPs(m_nicTarget)),
                held);
    ProposeWindow(ack.nowPs, CongestionCause::SIGNAL);
}

void
FalconCongestionControl::OnLoss(int64_t nowPs, uint64_t /* lostBytes */)
{
    if (m_decreaseOnLoss)
    {
        m_fabric.OnFastRecovery(nowPs, m_rttPs);
    }
    LeaveAtDue(nowPs, CongestionCause::LOSS);
    ProposeWindow(nowPs, CongestionCause::LOSS);
}

void
FalconCongestionControl::OnTimeout(int64_t nowPs)
{
    m_fabric.OnTimeout(nowPs, m_rttPs);
    ProposeWindow(nowPs, CongestionCause::TIMEOUT);
}

void
FalconCongestionControl::OnModified(int64_t /* nowPs */, ModifierEffect effect)
{
    if (effect == ModifierEffect::FORGIVEN)
    {
        m_fabric.ForgetDecrease();
        m_nic.ForgetDecrease();
    }
    const double packets = static_cast<double>(GetWindow()) / GetPath().payloadBytes;
    m_fabric.Set(std::max(m_fabric.Get(), packets));
    m_nic.Set(std::max(m_nic.Get(), packets));
}

void
FalconCongestionControl::ProposeWindow(int64_t nowPs, CongestionCause cause)
{
    const double packets = std::min(m_fabric.Get(), m_nic.Get());
    const uint64_t window = SwiftWindow::GetBytes(GetPath(), packets);
    const double rate = SwiftWindow::GetPace(GetPath(), packets, m_rttPs);
    const bool reduces = window < GetWindow() || rate < GetRate();
    Propose(nowPs, window, rate, reduces ? cause : CongestionCause::RECOVERY);
    if (GetDueWindow() != window)
    {
        TakeOver(packets);
    }
}

void
FalconCongestionControl::TakeOver(double packets)
{
    const double held = static_cast<double>(GetDueWindow()) / GetPath().payloadBytes;
    if (m_fabric.Get() < held || m_fabric.Get() == packets)
    {
        m_fabric.Set(held);
    }
    if (m_nic.Get() < held || m_nic.Get() == packets)
    {
        m_nic.Set(held);
    }
}

} // namespace ns3
