// SPDX-License-Identifier: GPL-2.0-only
#include "int-window-congestion-control.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/fabric-error.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <string>

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
                          MakeDoubleChecker<double>(0.01, 10))
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
                          MakeDataRateChecker())
            .AddAttribute("InitialUtilization",
                          "U before the first measurement (the public HPCC simulator: 1).",
                          DoubleValue(0),
                          MakeDoubleAccessor(&IntWindowCongestionControl::m_initialUtilization),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("UtilizationGain",
                          "Factor on the weight tau / T with which a measurement enters U; a large "
                          "one: U is the last measurement.",
                          DoubleValue(1),
                          MakeDoubleAccessor(&IntWindowCongestionControl::m_utilizationGain),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("MinRate",
                          "Least rate; times T it is the least window.",
                          DataRateValue(DataRate("100Mbps")),
                          MakeDataRateAccessor(&IntWindowCongestionControl::m_minRate),
                          MakeDataRateChecker())
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
        throw FabricError(GetInstanceTypeId().GetName() +
                          ": needs a line rate and a base RTT above zero");
    }
    if (m_minRate.GetBitRate() > path.lineRateBps)
    {
        throw FabricError(GetInstanceTypeId().GetName() + "::MinRate of " +
                          std::to_string(m_minRate.GetBitRate()) +
                          " bit/s is above the line rate of " + std::to_string(path.lineRateBps) +
                          " bit/s");
    }
    m_ownFormat = path.intFormat ? nullptr : CreateObject<IntFormat>();
    m_format = path.intFormat ? PeekPointer(path.intFormat) : PeekPointer(m_ownFormat);

    const auto t = static_cast<double>(path.baseRttPs);
    m_inverseT = 1 / t;
    m_weightPerPs = m_utilizationGain / t;
    m_rateOfByte = 8e12 / t;
    m_increaseBytes = static_cast<double>(m_additiveIncrease.GetBitRate()) * t / 8e12;
    m_minWindow =
        std::max(1.0, static_cast<double>(m_minRate.GetBitRate()) * t / 8e12); // never stuck at 0
    m_maxWindow = std::max(m_minWindow, static_cast<double>(path.lineRateBps) * t / 8e12);
    m_reference = m_maxWindow;
    m_utilization = m_initialUtilization;
    m_incStage = 0;
    m_lastUpdateSeq = 0;
    m_nLinks = 0;
    m_started = false;
    SetInitial(static_cast<uint64_t>(m_maxWindow + 0.5), static_cast<double>(path.lineRateBps));
}

void
IntWindowCongestionControl::OnAck(const AckInfo& ack)
{
    const uint8_t nRecords = ack.item ? ack.item->intCount : 0;
    if (nRecords == 0)
    {
        return; // a path without switches, or an answer to a packet without INT
    }
    if (!m_started)
    {
        m_started = true;
        m_lastUpdateSeq = ack.sentBytes;
        Record(ack);
        return;
    }
    const bool update = ack.cumulativeBytes > m_lastUpdateSeq;
    if (!update && !m_fastReaction)
    {
        return;
    }
    if (nRecords != m_nLinks || ack.item->entropy != m_entropy ||
        ack.nowPs - m_lastRecordPs > m_halfWrapPs || !MeasureInFlight(*ack.item))
    {
        Record(ack);
        return;
    }
    m_lastRecordPs = ack.nowPs;
    ComputeWindow(ack, update);
    if (update)
    {
        m_lastUpdateSeq = ack.sentBytes;
    }
}

IntSample
IntWindowCongestionControl::Read(const FabricPacketItem& item, uint8_t i) const
{
    return item.exactInt ? (*item.exactInt)[i] : m_format->Unpack(item.intRecords[i]);
}

void
IntWindowCongestionControl::Record(const AckInfo& ack)
{
    m_nLinks = std::min(ack.item->intCount, FabricPacketItem::MAX_HOPS);
    m_entropy = ack.item->entropy;
    m_lastRecordPs = ack.nowPs;
    uint64_t fastest = 1;
    for (uint8_t i = 0; i < m_nLinks; ++i)
    {
        Link& link = m_links[i];
        link.last = Read(*ack.item, i);
        if (link.last.rateBps == 0)
        {
            throw FabricError(GetInstanceTypeId().GetName() +
                              ": an INT record without a rate; do "
                              "switches and senders use the same ns3::IntFormat?");
        }
        link.psPerByte = 8e12 / static_cast<double>(link.last.rateBps);
        link.utilization = 0;
        fastest = std::max(fastest, link.last.rateBps);
    }
    m_halfWrapPs = m_format->ShortestWrapPs(fastest) / 2; // the fastest link wraps first
}

void
IntWindowCongestionControl::OnRaised(int64_t /* nowPs */)
{
    SetReferenceWindow(static_cast<double>(GetWindow()));
}

bool
IntWindowCongestionControl::MeasureInFlight(const FabricPacketItem& item)
{
    double most = -1;
    int64_t tau = 0;
    for (uint8_t i = 0; i < m_nLinks; ++i)
    {
        Link& link = m_links[i];
        const IntSample now = Read(item, i);
        if (now.rateBps != link.last.rateBps)
        {
            return false;
        }
        int64_t elapsed = m_format->TimeDelta(now, link.last);
        if (elapsed > 0 && elapsed <= m_halfWrapPs)
        {
            const auto sent = static_cast<double>(m_format->ByteDelta(now, link.last));
            const auto queued = static_cast<double>(std::min(now.queueBytes, link.last.queueBytes));
            // qlen / (B T) + txRate / B, where psPerByte is 1 / B
            link.utilization =
                link.psPerByte * (queued * m_inverseT + sent / static_cast<double>(elapsed));
            link.last = now;
        }
        else if (elapsed != 0)
        {
            link.last = now; // older than L: overtaken, so only the next can be compared
            elapsed = 0;
        }
        if (link.utilization > most)
        {
            most = link.utilization;
            m_mostLoaded = i;
            tau = elapsed;
        }
    }
    const double weight = std::min(static_cast<double>(tau) * m_weightPerPs, 1.0);
    m_utilization += weight * (most - m_utilization);
    return true;
}

bool
IntWindowCongestionControl::AdjustReference(const AckInfo& /* ack */)
{
    return false;
}

void
IntWindowCongestionControl::SetReferenceWindow(double window)
{
    m_reference = std::clamp(window, m_minWindow, m_maxWindow);
}

uint8_t
IntWindowCongestionControl::GetLastHop(const AckInfo& ack) const
{
    return (ack.item->flags & FabricPacketItem::FLAG_INT_REVERSED) ? 0 : m_nLinks - 1;
}

void
IntWindowCongestionControl::ComputeWindow(const AckInfo& ack, bool update)
{
    const bool referenceOnly = AdjustReference(ack);
    const bool multiplicative = m_utilization >= m_eta || m_incStage >= m_maxStage;
    double window = m_reference;
    if (!referenceOnly)
    {
        if (multiplicative)
        {
            // an idle path asks for more than any limit
            window = m_utilization > 0 ? window * m_eta / m_utilization : m_maxWindow;
        }
        window += m_increaseBytes;
    }
    window = std::clamp(window, m_minWindow, m_maxWindow);

    const auto bytes = static_cast<uint64_t>(window + 0.5);
    Propose(ack.nowPs,
            bytes,
            window * m_rateOfByte,
            bytes < GetWindow() ? CongestionCause::SIGNAL : CongestionCause::RECOVERY);
    if (update)
    {
        m_incStage = multiplicative ? 0 : m_incStage + 1;
        // a modifier may have withheld or enlarged the change
        m_reference = GetWindow() == bytes ? window : static_cast<double>(GetWindow());
    }
}

} // namespace ns3
