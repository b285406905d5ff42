// SPDX-License-Identifier: GPL-2.0-only
#include "bolt-congestion-control.h"

#include "ns3/attribute-range.h"
#include "ns3/bolt-bits.h"
#include "ns3/bts-packet.h"
#include "ns3/double.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-packet-item.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(BoltCongestionControl);
DCFABRIC_OBJECT_CLONABLE(BoltCongestionControl);

TypeId
BoltCongestionControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::BoltCongestionControl")
            .SetParent<CongestionControl>()
            .SetGroupName("Dcfabric")
            .AddConstructor<BoltCongestionControl>()
            .AddAttribute("AdditiveIncrease",
                          "Packets that are added each RTT.",
                          DoubleValue(1),
                          MakeDoubleAccessor(&BoltCongestionControl::m_increase),
                          MakeDoubleChecker<double>(0, 1e6))
            .AddAttribute("MaxDecrease",
                          "Part of the window that a loss takes away, or a notification of a "
                          "window of one packet or less.",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&BoltCongestionControl::m_maxDecrease),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("MinWindow",
                          "Least window in packets.",
                          DoubleValue(0.01),
                          MakeDoubleAccessor(&BoltCongestionControl::m_least),
                          MakePositiveDoubleChecker(1e6))
            .AddAttribute("TargetQueue",
                          "Bytes of a queue that senders let stand.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&BoltCongestionControl::m_targetBytes),
                          MakeDoubleChecker<double>(0, 1e12));
    return tid;
}

CongestionControlNeeds
BoltCongestionControl::GetNeeds() const
{
    CongestionControlNeeds needs;
    needs.features = {{"ns3::BoltFeature", "queues that tell of themselves, but the switches"}};
    needs.dataInt = true;
    needs.seesMoves = true;
    return needs;
}

void
BoltCongestionControl::DoStart()
{
    const PathInfo& path = GetPath();
    if (path.bdpBytes == 0)
    {
        throw FabricError(FabricTerm::Class(GetInstanceTypeId()) +
                          ": needs a line rate and a base RTT above zero");
    }
    m_most = std::max(static_cast<double>(path.bdpBytes), static_cast<double>(path.payloadBytes));
    m_bytes = m_most;
    m_rttPs = path.pairRttPs > 0 ? path.pairRttPs : path.baseRttPs;
    m_hasDecreased = false;
    m_lastUpdateSeq = 0;
    m_started = false;
    SetInitial(static_cast<uint64_t>(m_bytes), static_cast<double>(path.lineRateBps));
}

bool
BoltCongestionControl::StampsData() const
{
    return true;
}

void
BoltCongestionControl::Stamp(FabricPacketItem& item, int64_t nowPs)
{
    CongestionControl::Stamp(item, nowPs);
    if (item.data.payloadBytes == 0)
    {
        item.pathId = 0; // a probe
        return;
    }
    const bool last = item.data.offset + GetWindow() >= item.data.messageBytes;
    item.pathId = (m_started ? 0 : BoltBits::FIRST) | (last ? BoltBits::LAST : 0) |
                  (m_started && !last ? BoltBits::INCREASE : 0);
}

double
BoltCongestionControl::GetPace(double bytes) const
{
    const PathInfo& path = GetPath();
    const auto line = static_cast<double>(path.lineRateBps);
    const double packets = bytes / path.payloadBytes;
    return packets >= 1 ? line
                        : std::min(line,
                                   packets * path.packetBytes * 8e12 /
                                       static_cast<double>(std::max<int64_t>(m_rttPs, 1)));
}

void
BoltCongestionControl::Set(int64_t nowPs, double bytes, CongestionCause cause)
{
    const double next = std::clamp(bytes, m_least * GetPath().payloadBytes, m_most);
    const uint64_t window = std::max<uint64_t>(static_cast<uint64_t>(next), 1);
    const bool reduces = next < m_bytes;
    Propose(nowPs, window, GetPace(next), reduces ? cause : CongestionCause::RECOVERY);
    // a modifier may have had its say
    m_bytes = GetDueWindow() == window ? next : static_cast<double>(GetDueWindow());
    if (reduces)
    {
        m_hasDecreased = true;
        m_decreasedPs = nowPs;
    }
}

void
BoltCongestionControl::OnAck(const AckInfo& ack)
{
    if (ack.rttPs > 0)
    {
        m_rttPs = ack.rttPs;
    }
    double packets = 0;
    if (ack.item && (ack.item->pathId & BoltBits::INCREASE) != 0 &&
        (ack.item->flags & FabricPacketItem::FLAG_INT) != 0)
    {
        packets += 1;
    }
    if (!m_started)
    {
        m_started = true;
        m_lastUpdateSeq = ack.sentBytes;
    }
    else if (ack.cumulativeBytes > m_lastUpdateSeq)
    {
        m_lastUpdateSeq = ack.sentBytes;
        packets += m_increase;
    }
    if (packets > 0 || m_bytes < GetPath().payloadBytes)
    {
        Set(ack.nowPs, m_bytes + packets * GetPath().payloadBytes, CongestionCause::RECOVERY);
    }
}

void
BoltCongestionControl::OnBts(const BtsNotice& notice)
{
    if (notice.dropped || !notice.item)
    {
        CongestionControl::OnBts(notice);
        return;
    }
    const BtsFields& told = notice.item->As<BtsFields>();
    constexpr uint8_t NEEDED = BackToSenderSignals::RATE | BackToSenderSignals::OCCUPANCY;
    if (told.signals != NEEDED || told.rateMbps == 0)
    {
        return; // of another feature
    }
    const double payload = GetPath().payloadBytes;
    if (m_bytes <= payload)
    {
        Set(notice.nowPs, m_bytes * (1 - m_maxDecrease), CongestionCause::SIGNAL);
        return;
    }
    const double rate = m_started ? m_bytes * 8e12 / static_cast<double>(m_rttPs)
                                  : static_cast<double>(GetPath().lineRateBps);
    const double queue = (told.portBytes - m_targetBytes) / GetPath().packetBytes;
    const double share = queue * rate / (told.rateMbps * 1e6);
    const auto since = static_cast<double>(notice.nowPs - m_decreasedPs);
    const auto rttSrc = static_cast<double>(notice.nowPs - notice.item->sendTimePs);
    if (share > 0 && (!m_hasDecreased || since * share >= rttSrc))
    {
        Set(notice.nowPs, m_bytes - payload, CongestionCause::SIGNAL);
    }
}

void
BoltCongestionControl::Cut(int64_t nowPs, CongestionCause cause)
{
    if (!m_hasDecreased || nowPs - m_decreasedPs >= m_rttPs)
    {
        Set(nowPs, m_bytes * (1 - m_maxDecrease), cause);
    }
    else
    {
        LeaveAtDue(nowPs, cause);
    }
}

void
BoltCongestionControl::OnLoss(int64_t nowPs, uint64_t /* lostBytes */)
{
    Cut(nowPs, CongestionCause::LOSS);
}

void
BoltCongestionControl::OnTimeout(int64_t nowPs)
{
    Cut(nowPs, CongestionCause::TIMEOUT);
}

void
BoltCongestionControl::OnModified(int64_t /* nowPs */, ModifierEffect effect)
{
    m_bytes = std::min(static_cast<double>(GetWindow()), m_most);
    if (effect == ModifierEffect::FORGIVEN)
    {
        m_hasDecreased = false;
    }
}

} // namespace ns3
