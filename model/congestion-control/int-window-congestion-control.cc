// SPDX-License-Identifier: GPL-2.0-only
#include "int-window-congestion-control.h"

#include "ns3/attribute-range.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/fabric-error.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(IntWindowCongestionControl);

TypeId
IntWindowCongestionControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::IntWindowCongestionControl")
            .SetParent<CongestionControl>()
            .SetGroupName("Dcfabric")
            .AddAttribute("Eta",
                          "Utilization that the window aims at.",
                          DoubleValue(0.95),
                          MakeDoubleAccessor(&IntWindowCongestionControl::m_eta),
                          MakeDoubleChecker<double>(0.01, 1))
            .AddAttribute("MaxStage",
                          "Additive increases before a multiplicative one; 0: always "
                          "multiplicative, with the additive term.",
                          UintegerValue(5),
                          MakeUintegerAccessor(&IntWindowCongestionControl::m_maxStage),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("AdditiveIncrease",
                          "W_AI / T: what an additive step adds to the rate.",
                          DataRateValue(DataRate("40Mbps")),
                          MakeDataRateAccessor(&IntWindowCongestionControl::m_additiveIncrease),
                          MakeRateChecker(0))
            .AddAttribute("UtilizationGain",
                          "Factor on the weight tau / T with which a measurement enters U; a large "
                          "one: U is the last measurement.",
                          DoubleValue(1),
                          MakeDoubleAccessor(&IntWindowCongestionControl::m_utilizationGain),
                          MakeDoubleChecker<double>(0, 1e18))
            .AddAttribute("MinRate",
                          "Least rate; times T it is the least window.",
                          DataRateValue(DataRate("100Mbps")),
                          MakeDataRateAccessor(&IntWindowCongestionControl::m_minRate),
                          MakeRateChecker(0))
            .AddAttribute("HasWindow",
                          "Have a window beside its rate W / T; false: the rate alone.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&IntWindowCongestionControl::m_hasWindow),
                          MakeBooleanChecker())
            .AddAttribute("FastReaction",
                          "React to every ACK; false: only once per RTT.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&IntWindowCongestionControl::m_fastReaction),
                          MakeBooleanChecker());
    return tid;
}

void
IntWindowCongestionControl::DoStart()
{
    const PathInfo& path = GetPath();
    if (path.lineRateBps == 0 || path.baseRttPs <= 0)
    {
        throw FabricError(FabricTerm::Class(GetInstanceTypeId()) +
                          ": needs a line rate and a base RTT above zero");
    }
    CheckMinRate(m_minRate);
    m_paths.Start(path, GetInstanceTypeId());
    const auto t = static_cast<double>(path.baseRttPs);
    m_inverseT = 1 / t;
    m_weightPerPs = m_utilizationGain / t;
    m_rateOfByte = 8e12 / t;
    m_increaseBytes = static_cast<double>(m_additiveIncrease.GetBitRate()) * t / 8e12;
    m_minWindow =
        std::max(1.0, static_cast<double>(m_minRate.GetBitRate()) * t / 8e12); // never stuck at 0
    m_maxWindow = std::max(m_minWindow, static_cast<double>(path.lineRateBps) * t / 8e12);
    m_reference = m_maxWindow;
    WeighPaths();
    m_utilization = m_initialUtilization;
    m_incStage = 0;
    m_lastUpdateSeq = 0;
    m_started = false;
    SetInitial(m_hasWindow ? static_cast<uint64_t>(m_maxWindow + 0.5) : UNLIMITED,
               static_cast<double>(path.lineRateBps));
}

void
IntWindowCongestionControl::OnAck(const AckInfo& ack)
{
    if (!ack.item || ack.item->intCount == 0)
    {
        return; // a path without switches, or an answer to a packet without INT
    }
    const bool single = GetPath().paths == 1;
    const bool update = m_started && ack.cumulativeBytes > m_lastUpdateSeq;
    if (single && m_started && !update && !m_fastReaction)
    {
        return; // L is that of the last update
    }
    IntPathState& present = m_paths.Find(ack.item->entropy, GetPath().paths);
    IntPathState::Measurement measured;
    const bool isMeasured = present.Enter(*ack.item,
                                          ack.nowPs,
                                          m_paths.GetFormat(),
                                          IntUtilization{m_inverseT},
                                          measured);
    if (!m_started)
    {
        m_started = true;
        m_lastUpdateSeq = ack.sentBytes;
    }
    if (!isMeasured)
    {
        return;
    }
    const double covered = GetWeight(measured.spanPs);
    if (measured.spanPs > 0)
    {
        const double counts = FilterUtilization(measured.utilization);
        m_utilization += m_pathWeight * covered * (counts - m_utilization);
    }
    React(ack, update);
}

void
IntWindowCongestionControl::TakeUtilization(const AckInfo& ack, double utilization)
{
    if (!m_started)
    {
        m_started = true;
        m_lastUpdateSeq = ack.sentBytes;
        return;
    }
    m_utilization += m_pathWeight * (FilterUtilization(utilization) - m_utilization);
    React(ack, ack.cumulativeBytes > m_lastUpdateSeq);
}

void
IntWindowCongestionControl::React(const AckInfo& ack, bool update)
{
    if (!update && !m_fastReaction)
    {
        return;
    }
    ComputeWindow(ack, update);
    if (update)
    {
        m_lastUpdateSeq = ack.sentBytes;
    }
}

void
IntWindowCongestionControl::OnModified(int64_t /* nowPs */, ModifierEffect /* effect */)
{
    SetReferenceWindow(m_hasWindow ? static_cast<double>(GetWindow()) : GetRate() / m_rateOfByte);
}

double
IntWindowCongestionControl::Step(double reference, double utilization, bool multiplicative) const
{
    double window = reference;
    if (multiplicative)
    {
        // an idle path asks for more than any limit
        window = utilization > 0 ? window * m_eta / utilization : m_maxWindow;
    }
    window += m_increaseBytes;
    return std::clamp(window, m_minWindow, m_maxWindow);
}

uint64_t
IntWindowCongestionControl::ProposeWindow(int64_t nowPs, double window)
{
    const auto bytes = static_cast<uint64_t>(window + 0.5);
    const double rate = window * m_rateOfByte;
    const bool reduces = m_hasWindow ? bytes < GetDueWindow() : rate < GetDueRate();
    Propose(nowPs,
            m_hasWindow ? bytes : UNLIMITED,
            rate,
            reduces ? CongestionCause::SIGNAL : CongestionCause::RECOVERY);
    return bytes;
}

double
IntWindowCongestionControl::GetHeldWindow(uint64_t bytes, double window) const
{
    if (m_hasWindow)
    {
        return GetDueWindow() == bytes ? window : static_cast<double>(GetDueWindow());
    }
    return GetDueRate() == window * m_rateOfByte ? window : GetDueRate() / m_rateOfByte;
}

void
IntWindowCongestionControl::ComputeWindow(const AckInfo& ack, bool update)
{
    const bool referenceOnly = AdjustReference(ack);
    const bool multiplicative = IsMultiplicative(m_utilization, m_incStage);
    const double window = referenceOnly ? std::clamp(m_reference, m_minWindow, m_maxWindow)
                                        : Step(m_reference, m_utilization, multiplicative);
    const uint64_t bytes = ProposeWindow(ack.nowPs, window);
    if (update)
    {
        m_incStage = multiplicative ? 0 : m_incStage + 1;
        // a modifier may have changed it
        m_reference = GetHeldWindow(bytes, window);
        WeighPaths();
    }
}

void
IntWindowCongestionControl::WeighPaths()
{
    const PathInfo& path = GetPath();
    const double packets = m_reference / std::max(path.packetBytes, 1U);
    m_pathWeight = 1 / std::clamp(packets, 1.0, std::max<double>(path.paths, 1));
}

} // namespace ns3
