// SPDX-License-Identifier: GPL-2.0-only
#include "timely-congestion-control.h"

#include "ns3/attribute-range.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-time.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <string>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(TimelyCongestionControl);
DCFABRIC_OBJECT_CLONABLE(TimelyCongestionControl);

TypeId
TimelyCongestionControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::TimelyCongestionControl")
            .SetParent<CongestionControl>()
            .SetGroupName("Dcfabric")
            .AddConstructor<TimelyCongestionControl>()
            .AddAttribute("Alpha",
                          "Weight of the newest difference of RTTs in the moving average, 0 to 1.",
                          DoubleValue(0.02),
                          MakeDoubleAccessor(&TimelyCongestionControl::m_alpha),
                          MakePositiveDoubleChecker(1))
            .AddAttribute("Beta",
                          "Weight of a multiplicative decrease, 0 to 1.",
                          DoubleValue(0.8),
                          MakeDoubleAccessor(&TimelyCongestionControl::m_beta),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("MaxDecrease",
                          "Largest part of the rate that one event or time-out takes away; 1: no "
                          "bound but MinRate.",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&TimelyCongestionControl::m_maxDecrease),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("LowThreshold",
                          "T_low: below this RTT the rate rises whatever the gradient.",
                          TimeValue(MicroSeconds(50)),
                          MakeTimeAccessor(&TimelyCongestionControl::m_lowAttribute),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute("HighThreshold",
                          "T_high: above this RTT the rate falls whatever the gradient.",
                          TimeValue(MicroSeconds(500)),
                          MakeTimeAccessor(&TimelyCongestionControl::m_highAttribute),
                          MakeTimeChecker(NanoSeconds(1), AttributeRange::GetMaxTime()))
            .AddAttribute("MinRtt",
                          "RTT by which the gradient is normalized; zero: the base RTT of the "
                          "pair of hosts, but at least ReferenceRtt.",
                          TimeValue(Seconds(0)),
                          MakeTimeAccessor(&TimelyCongestionControl::m_minRttAttribute),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute("ReferenceRtt",
                          "Base RTT for which LowThreshold and HighThreshold are meant; what that "
                          "of the pair of hosts has beyond it is added to both. Zero: not added.",
                          TimeValue(MicroSeconds(20)),
                          MakeTimeAccessor(&TimelyCongestionControl::m_referenceRtt),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute("AdditiveIncrease",
                          "delta: additive step at ReferenceRate.",
                          DataRateValue(DataRate("10Mbps")),
                          MakeDataRateAccessor(&TimelyCongestionControl::m_additiveIncrease),
                          MakeRateChecker(0))
            .AddAttribute("ReferenceRate",
                          "Line rate for which AdditiveIncrease is meant; the step is scaled to "
                          "that of the path. Zero: not scaled.",
                          DataRateValue(DataRate("10Gbps")),
                          MakeDataRateAccessor(&TimelyCongestionControl::m_referenceRate),
                          MakeRateChecker(0))
            .AddAttribute("HasWindow",
                          "Have a window beside the rate: what the line carries in T.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&TimelyCongestionControl::m_hasWindow),
                          MakeBooleanChecker())
            .AddAttribute("VaryWindow",
                          "The window follows the rate; false: it stays that of the line rate.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&TimelyCongestionControl::m_varyWindow),
                          MakeBooleanChecker())
            .AddAttribute("MinRate",
                          "Least rate.",
                          DataRateValue(DataRate("100Mbps")),
                          MakeDataRateAccessor(&TimelyCongestionControl::m_minRate),
                          MakeRateChecker(1))
            .AddAttribute(
                "InitialRate",
                "Rate to begin with, not below MinRate; zero, or above it: that of the line.",
                DataRateValue(DataRate("0bps")),
                MakeDataRateAccessor(&TimelyCongestionControl::m_initialRate),
                MakeRateChecker(0))
            .AddAttribute("SegmentBytes",
                          "Payload bytes between two completion events; 1: one for each ACK that "
                          "moves the cumulative sequence number.",
                          UintegerValue(16000),
                          MakeUintegerAccessor(&TimelyCongestionControl::m_segmentBytes),
                          MakeUintegerChecker<uint64_t>(1, AttributeRange::MAX_BYTES))
            .AddAttribute("HyperThreshold",
                          "N: events with a falling RTT in a row, from which on increase is "
                          "hyper-active.",
                          UintegerValue(5),
                          MakeUintegerAccessor(&TimelyCongestionControl::m_hyperThreshold),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("HyperFactor",
                          "Steps of a hyper-active increase, at least 1.",
                          DoubleValue(5),
                          MakeDoubleAccessor(&TimelyCongestionControl::m_hyperFactor),
                          MakeDoubleChecker<double>(1, 1e6))
            .AddAttribute("ScaleByElapsed",
                          "Scale the step and the cut above HighThreshold by the time since the "
                          "last event over MinRtt, at most 1.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&TimelyCongestionControl::m_scaleByElapsed),
                          MakeBooleanChecker());
    return tid;
}

int64_t
TimelyCongestionControl::GetExtraPs(const PathInfo& path) const
{
    return m_referenceRtt.IsZero()
               ? 0
               : std::max<int64_t>(path.pairRttPs - FabricTime::ToPs(m_referenceRtt), 0);
}

FabricText
TimelyCongestionControl::FindMisfit(const PathInfo& path) const
{
    const int64_t lowPs = FabricTime::ToPs(m_lowAttribute) + GetExtraPs(path);
    const int64_t highPs = FabricTime::ToPs(m_highAttribute) + GetExtraPs(path);
    const bool above = highPs >= path.pairRttPs;
    if (above && (lowPs >= path.pairRttPs || lowPs == 0)) // zero: the gradient alone is meant
    {
        return {};
    }
    return FabricTerm::Attribute(GetInstanceTypeId(), above ? "LowThreshold" : "HighThreshold") +
           " of " + ToMicroSeconds(static_cast<double>(above ? lowPs : highPs)) +
           " is below the base RTT of " + ToMicroSeconds(static_cast<double>(path.pairRttPs)) +
           (above ? ": nothing but the gradient raises rates" : ": rates fall without congestion") +
           "; raise it, or set ReferenceRtt";
}

void
TimelyCongestionControl::DoStart()
{
    const TypeId type = GetInstanceTypeId();
    const PathInfo& path = GetPath();
    const auto line = static_cast<double>(path.lineRateBps);
    m_lowPs = FabricTime::ToPs(m_lowAttribute) + GetExtraPs(path);
    m_highPs = FabricTime::ToPs(m_highAttribute) + GetExtraPs(path);
    if (m_lowPs > m_highPs || m_highPs == 0)
    {
        throw FabricError(FabricTerm::Attribute(type, "HighThreshold") +
                          " must be above zero and not below LowThreshold");
    }
    const int64_t minRttPs = m_minRttAttribute.IsZero()
                                 ? std::max(path.pairRttPs, FabricTime::ToPs(m_referenceRtt))
                                 : FabricTime::ToPs(m_minRttAttribute);
    if (minRttPs <= 0)
    {
        throw FabricError(FabricTerm::Attribute(type, "MinRtt"),
                          " and ReferenceRtt are zero and the path has no base RTT",
                          {FabricRemedy::Do("set one of them")});
    }
    CheckMinRate(m_minRate);
    GetRateWindow().Check(GetPath(), GetInstanceTypeId());
    const uint64_t initial = m_initialRate.GetBitRate();
    if (initial > 0 && initial < m_minRate.GetBitRate())
    {
        throw FabricError(FabricTerm::Attribute(type, "InitialRate") + " of " +
                          std::to_string(initial) + " bit/s must not be below MinRate");
    }
    m_minRtt = static_cast<double>(minRttPs);
    m_framePs = static_cast<int64_t>(path.packetBytes * FabricTime::PS_PER_BYTE_AT_1_BPS /
                                     path.lineRateBps);
    const auto reference = static_cast<double>(m_referenceRate.GetBitRate());
    m_step = static_cast<double>(m_additiveIncrease.GetBitRate());
    m_step *= reference > 0 ? line / reference : 1;
    m_segmentEnd = m_segmentBytes;
    m_diffPs = 0;
    m_falls = 0;
    m_hasLast = false;
    const double first = initial > 0 ? static_cast<double>(initial) : line;
    SetInitial(GetWindowAt(first), first);
}

void
TimelyCongestionControl::OnAck(const AckInfo& ack)
{
    if (ack.cumulativeBytes < m_segmentEnd)
    {
        return;
    }
    // an ACK that completes several segments is one event: there is one RTT
    m_segmentEnd += (ack.cumulativeBytes - m_segmentEnd) / m_segmentBytes * m_segmentBytes;
    m_segmentEnd += m_segmentBytes;
    Complete(ack.nowPs, std::max<int64_t>(ack.rttPs - m_framePs, 0));
}

void
TimelyCongestionControl::Complete(int64_t nowPs, int64_t rttPs)
{
    const int64_t diffPs = m_hasLast ? rttPs - m_lastRttPs : 0;
    m_falls = diffPs < 0 ? m_falls + 1 : 0;
    m_diffPs = (1 - m_alpha) * m_diffPs + m_alpha * static_cast<double>(diffPs);
    const double share = m_scaleByElapsed && m_hasLast
                             ? std::min(static_cast<double>(nowPs - m_lastPs) / m_minRtt, 1.0)
                             : 1.0;
    m_hasLast = true;
    m_lastRttPs = rttPs;
    m_lastPs = nowPs;

    const double before = GetDueRate();
    double rate = std::max(ComputeRate(rttPs, share), before * (1 - m_maxDecrease));
    rate = std::max(rate, static_cast<double>(m_minRate.GetBitRate()));
    Propose(nowPs,
            GetWindowAt(rate),
            rate,
            rate < before ? CongestionCause::SIGNAL : CongestionCause::RECOVERY);
}

double
TimelyCongestionControl::ComputeRate(int64_t rttPs, double share) const
{
    const double rate = GetDueRate();
    if (rttPs < m_lowPs)
    {
        return rate + m_step * share;
    }
    if (rttPs > m_highPs)
    {
        const double excess = 1 - static_cast<double>(m_highPs) / static_cast<double>(rttPs);
        return rate * (1 - share * m_beta * excess);
    }
    const double gradient = GetGradient();
    if (gradient <= 0)
    {
        return rate + m_step * share * (m_falls >= m_hyperThreshold ? m_hyperFactor : 1);
    }
    return rate * (1 - m_beta * gradient);
}

void
TimelyCongestionControl::OnTimeout(int64_t nowPs)
{
    const double rate =
        std::max(GetDueRate() * (1 - m_maxDecrease), static_cast<double>(m_minRate.GetBitRate()));
    Propose(nowPs, GetWindowAt(rate), rate, CongestionCause::TIMEOUT);
}

} // namespace ns3
